//! Verifying: the same orders must give the same digests.

use crate::lane::Numbers;
use crate::math::Fx;
use crate::math::Numeric;
use crate::replay::Replay;
use crate::replay::ReplayError;
use crate::state;
use crate::tick::Scratch;
use crate::tick::tick;
use crate::world::World;

/// Where a re-run first differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The tick.
    pub tick: u64,
    /// The columns that differ after it, in the order of the state.
    pub columns: Vec<String>,
    /// The re-run's state after that tick; see [`state::save`].
    pub dump: Vec<u8>,
}

/// What verifying found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Ticks that were run again.
    pub ticks: u64,
    /// The digest after the last of them.
    pub digest: u64,
    /// The first difference; `None` when every digest is the same.
    pub difference: Option<Difference>,
}

/// Runs a replay's orders again and compares every digest. `progress` hears of every tick done.
///
/// # Errors
/// When the replay's world cannot be made.
pub fn verify(replay: &Replay, progress: impl FnMut(u64)) -> Result<Verdict, ReplayError> {
    match replay.header.numeric {
        Numeric::F32 => verify_in::<f32>(replay, progress),
        Numeric::Fixed => verify_in::<Fx>(replay, progress),
    }
}

fn verify_in<N: Numbers>(
    replay: &Replay,
    mut progress: impl FnMut(u64),
) -> Result<Verdict, ReplayError> {
    let mut world = World::<N>::new(replay.header.map.clone(), replay.header.settings)?;
    let mut scratch = Scratch::new();
    for frame in &replay.frames {
        tick(&mut world, &frame.orders, &mut scratch);
        let columns = state::columns(&world);
        let differing = columns.iter().zip(&frame.digests).filter(|(a, b)| a.digest != **b);
        let names: Vec<String> = differing.map(|(column, _)| column.name.to_owned()).collect();
        if !names.is_empty() {
            let difference =
                Difference { tick: frame.tick, columns: names, dump: state::save(&world) };
            let (ticks, digest) = (world.tick_count(), state::combine(&columns));
            return Ok(Verdict { ticks, digest, difference: Some(difference) });
        }
        progress(frame.tick);
    }
    let (ticks, digest) = (world.tick_count(), state::digest(&world));
    Ok(Verdict { ticks, digest, difference: None })
}
