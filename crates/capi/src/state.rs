//! The state: digests, snapshots, recordings.

use std::ffi::c_char;
use std::fs::File;
use std::io::BufWriter;
use std::mem::MaybeUninit;

use throng::either;
use throng::replay::RecordOptions;

use crate::handle::{ThrongSim, answer};
use crate::status::{Fault, ThrongStatus, call};
use crate::{handle, memory};

/// The digest of the state: equal for equal states on every machine, different for different ones.
#[unsafe(no_mangle)]
pub extern "C" fn throng_digest(
    sim: *const ThrongSim,
    digest: Option<&mut MaybeUninit<u64>>,
) -> ThrongStatus {
    answer(sim, digest, "digest", |held| Ok(either!(&held.sim, sim => sim.digest())))
}

/// Copies the state to a buffer. `*size` is set to the bytes of the state; with a smaller
/// `capacity` nothing is written and the status is `THRONG_STATUS_TOO_SMALL`. So a first call with
/// a capacity of 0, where `buffer` may be null, asks for the size.
///
/// # Safety
/// `buffer` points to `capacity` bytes that may be written; `size` is null or points to room for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_snapshot(
    sim: *const ThrongSim,
    buffer: *mut u8,
    capacity: usize,
    size: Option<&mut MaybeUninit<usize>>,
) -> ThrongStatus {
    call(|| {
        let size = memory::out(size, "size")?;
        size.write(0);
        handle::with(sim, |held| {
            let image = &mut held.shown.snapshot;
            if image.is_empty() {
                *image = either!(&held.sim, sim => sim.snapshot());
            }
            size.write(image.len());
            if capacity < image.len() {
                let words =
                    format!("the snapshot has {} bytes, the buffer {capacity}", image.len());
                return Err(Fault::new(ThrongStatus::TooSmall, words));
            }
            if buffer.is_null() {
                return Err(Fault::null("buffer"));
            }
            // SAFETY: as the caller promises, and the capacity is enough.
            unsafe { memory::copy(image, buffer) };
            held.shown.snapshot = Vec::new();
            Ok(())
        })
    })
}

/// Takes the state back, or forward, to a snapshot of a simulation of the same map and settings.
///
/// # Safety
/// `snapshot` points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_restore(
    sim: *mut ThrongSim,
    snapshot: *const u8,
    size: usize,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let snapshot = unsafe { memory::list(snapshot, size, "snapshot")? };
        handle::with(sim, |held| Ok(either!(held.change(), sim => sim.restore(snapshot))?))
    })
}

/// Records the run from here on to a file, which `throng verify` plays again. A file that is there
/// is written over. `label` says what is run, for people; it may be null.
///
/// # Safety
/// `path` is null or a text; so is `label`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_record(
    sim: *mut ThrongSim,
    path: *const c_char,
    label: *const c_char,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let path = unsafe { memory::text(path, "path")? };
        // SAFETY: as the caller promises.
        let label = if label.is_null() { "" } else { unsafe { memory::text(label, "label")? } };
        handle::with(sim, |held| {
            let file = File::create(path).map_err(|why| Fault::file(path, &why))?;
            let (to, options) = (BufWriter::new(file), RecordOptions::from(label));
            Ok(either!(&mut held.sim, sim => sim.record(to, options))?)
        })
    })
}

/// Ends the recording, if there is one. It fails when writing failed, now or at an earlier tick:
/// the run went on, the recording did not.
#[unsafe(no_mangle)]
pub extern "C" fn throng_finish_recording(sim: *mut ThrongSim) -> ThrongStatus {
    call(|| handle::with(sim, |held| Ok(either!(&mut held.sim, sim => sim.finish_recording())?)))
}
