//! Verifying: the same orders must give the same digests.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use crate::lane::Numbers;
use crate::math::{Fx, Numeric};
use crate::replay::trace::traced_difference;
use crate::replay::{Frame, Player, RecordOptions, Recorder, Replay, ReplayError, Stages};
use crate::state;
use crate::state::{ColumnDigest, Tree};
use crate::tick::Stage;

/// The first difference of a re-run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The tick.
    pub tick: u64,
    /// The columns that differ after it, in the order of the state. Empty when the columns' short
    /// digests do not tell them apart.
    pub columns: Vec<String>,
    /// In a run that was traced, the first stage of the tick that differs, and the first column.
    pub stage: Option<(Stage, String)>,
    /// The re-run as a replay of its own, from the keyframe before to the state after that tick,
    /// which is its last keyframe: one side for [`compare`](crate::replay::compare()).
    pub dump: Vec<u8>,
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Ticks up to the end, or to the first difference.
    pub ticks: u64,
    /// The digest after the last of them.
    pub digest: u64,
    /// The first difference; `None` when every digest is the same.
    pub difference: Option<Difference>,
}

/// Runs a replay's orders again and compares every digest, for a traced run also the ones after stages
/// too. `progress` hears how many ticks are done.
///
/// The parts between keyframes are verified in parallel, each on a thread of its own, for as many
/// threads as the pool has that this is called in. Every keyframe is compared with the digest of its
/// tick, which the part before it has verified.
///
/// # Errors
/// When the replay's world cannot be made, or a keyframe is damaged.
pub fn verify(replay: &Replay, progress: impl Fn(u64) + Sync) -> Result<Verdict, ReplayError> {
    match replay.header.numeric {
        Numeric::F32 => verify_in::<f32>(replay, &progress),
        Numeric::Fixed => verify_in::<Fx>(replay, &progress),
    }
}

/// The first tick of a part and the one behind its last.
type Part = (u64, u64);

/// What running a part found: the tick that differs, and how.
enum Found {
    Same {
        digest: u64,
    },
    /// Without the dump.
    Different {
        difference: Difference,
        digest: u64,
    },
}

fn verify_in<N: Numbers>(
    replay: &Replay,
    progress: &(impl Fn(u64) + Sync),
) -> Result<Verdict, ReplayError> {
    let parts = parts(replay);
    let done = AtomicU64::new(0);
    let tell = || progress(done.fetch_add(1, Relaxed) + 1);
    let found = run_all(&parts, &|part, player| run_part::<N>(replay, part, player, &tell));
    let mut last = 0;
    for found in found {
        match found? {
            Found::Same { digest } => last = digest,
            Found::Different { mut difference, digest } => {
                let tick = difference.tick;
                difference.dump = dump::<N>(replay, tick)?;
                return Ok(Verdict { ticks: tick + 1, digest, difference: Some(difference) });
            }
        }
    }
    Ok(Verdict { ticks: replay.end_tick(), digest: last, difference: None })
}

/// The parts between the beginning, the keyframes and the end.
fn parts(replay: &Replay) -> Vec<Part> {
    let mut starts = vec![replay.header.first_tick];
    starts.extend(replay.keyframes.iter().map(|keyframe| keyframe.tick));
    starts.dedup();
    let ends = starts[1..].iter().copied().chain([replay.end_tick()]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .filter(|(start, end)| start < end || *end == starts[0])
        .collect()
}

/// Runs parts, as many at once as the pool has threads, and returns what each found, in their
/// order. Parts behind one that fails need not be run, and are left out. Each thread has a `P` that
/// goes from part to part.
fn run_all<P: Send>(
    parts: &[Part],
    run: &(impl Fn(Part, &mut Option<P>) -> Result<Found, ReplayError> + Sync),
) -> Vec<Result<Found, ReplayError>> {
    let threads = rayon::current_num_threads().min(parts.len());
    if threads <= 1 {
        let mut own = None;
        return parts.iter().map(|&part| run(part, &mut own)).collect();
    }
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(parts.len()));
    // A tick inside the shared pool could begin another part while it waits, and so on.
    let work = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let (mut found, mut own) = (Vec::new(), None);
        loop {
            let index = next.fetch_add(1, Relaxed);
            if index >= end.load(Relaxed) {
                return found;
            }
            let part = parts[index];
            let result = match &pool {
                Ok(pool) => pool.install(|| run(part, &mut own)),
                Err(_) => run(part, &mut own),
            };
            if !matches!(result, Ok(Found::Same { .. })) {
                end.fetch_min(index + 1, Relaxed);
            }
            found.push((index, result));
        }
    };
    let mut found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let finished = workers.into_iter().map(|worker| worker.join());
        finished.flat_map(|found| found.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Runs one part, with the player of the part before: on a large map a world is dear to make.
fn run_part<'a, N: Numbers>(
    replay: &'a Replay,
    (start, end): Part,
    own: &mut Option<Player<'a, N>>,
    tell: &impl Fn(),
) -> Result<Found, ReplayError> {
    let player = match own {
        Some(player) => {
            player.restart(start)?;
            player
        }
        None => own.insert(Player::at(replay, start)?),
    };
    let before = start.checked_sub(1).and_then(|tick| replay.frame(tick));
    let mut digest = state::digest(player.world());
    if let Some(frame) = before.filter(|frame| frame.digest != digest) {
        let columns = differing(replay, frame, &Tree::of(player.world()).column_digests());
        return Ok(different(frame.tick, columns, None, digest));
    }
    let mut trace = Stages::default();
    while player.world().tick_count() < end
        && let Some(frame) = replay.frame(player.world().tick_count())
    {
        trace.clear();
        match frame.stages.is_empty() {
            true => player.step(),
            false => player.step_with(&mut trace),
        };
        let columns = Tree::of(player.world()).column_digests();
        digest = state::combine(&columns);
        let names = differing(replay, frame, &columns);
        let stages = trace.short();
        if frame.digest != digest || !names.is_empty() || frame.stages != stages {
            let traces = [&frame.stages[..], &stages];
            let stage = traced_difference(&replay.header.columns, traces);
            return Ok(different(frame.tick, names, stage, digest));
        }
        tell();
    }
    Ok(Found::Same { digest })
}

fn different(
    tick: u64,
    columns: Vec<String>,
    stage: Option<(Stage, String)>,
    digest: u64,
) -> Found {
    Found::Different { difference: Difference { tick, columns, stage, dump: Vec::new() }, digest }
}

/// The names of columns whose digests are not those of a frame.
fn differing(replay: &Replay, frame: &Frame, columns: &[ColumnDigest]) -> Vec<String> {
    let pairs = columns.iter().zip(&frame.columns).zip(&replay.header.columns);
    let differing = pairs.filter(|((column, short), _)| column.digest as u16 != **short);
    differing.map(|(_, name)| name.clone()).collect()
}

/// A run of a replay as a replay of its own, which ends with the state after a tick.
fn dump<N: Numbers>(replay: &Replay, tick: u64) -> Result<Vec<u8>, ReplayError> {
    let before = replay.keyframe_before(tick).map(|keyframe| keyframe.tick);
    let mut player = Player::<N>::at(replay, before.unwrap_or(replay.header.first_tick))?;
    let label = format!("{}, run again", replay.header.label);
    let players = replay.header.players.clone();
    let scene = replay.header.scene.clone();
    let options = RecordOptions { label, players, scene, keyframe_bytes: 0, flush_ticks: 32 };
    let mut recorder = Recorder::start(player.world(), options, Vec::new())?;
    while player.world().tick_count() <= tick
        && let Some(frame) = player.step()
    {
        recorder.tick(player.world(), &frame.orders)?;
    }
    recorder.keyframe(player.world())?;
    recorder.finish()
}
