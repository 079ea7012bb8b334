//! Orders given to a simulation, and what becomes of them.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use throng::{Order, either};

use crate::handle::ThrongSim;
use crate::status::{Fault, ThrongStatus, call};
use crate::{handle, memory};

/// A call that gives an order, and says how many agents it touched where that is wanted.
pub(crate) fn give(
    sim: *const ThrongSim,
    touched: Option<&mut MaybeUninit<u32>>,
    order: impl FnOnce() -> Result<Order, Fault>,
) -> ThrongStatus {
    call(|| {
        let order = order()?;
        handle::with(sim, |held| {
            let agents = either!(held.change(), sim => sim.order(order))?;
            if let Some(touched) = touched {
                touched.write(agents);
            }
            Ok(())
        })
    })
}

/// An order in words.
fn parsed(json: &str) -> Result<Order, Fault> {
    let wrong = |why| Fault::new(ThrongStatus::Text, format!("this is no order: {why}"));
    serde_json::from_str(json).map_err(wrong)
}

/// Gives any order there is, as JSON: `{"Stop": {"group": 0}}`. The names are those of `Order` in
/// Rust.
///
/// # Safety
/// `json` is null or a text; `touched` is null or points to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_order(
    sim: *mut ThrongSim,
    json: *const c_char,
    touched: Option<&mut MaybeUninit<u32>>,
) -> ThrongStatus {
    // SAFETY: as the caller promises.
    give(sim, touched, || parsed(unsafe { memory::text(json, "json")? }))
}

/// Has an order given in the tick of this number, after all that is ordered by then; never if that
/// tick has been done. Events say if it is refused.
///
/// # Safety
/// `json` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_schedule(
    sim: *mut ThrongSim,
    tick: u64,
    json: *const c_char,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let order = parsed(unsafe { memory::text(json, "json")? })?;
        handle::with(sim, |held| {
            either!(&mut held.sim, sim => sim.schedule(tick, order));
            Ok(())
        })
    })
}
