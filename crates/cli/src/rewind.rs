//! `throng run --rewind` and `--reload`.

use crate::summary::{plural, thousands};
use throng::lane::Numbers;
use throng::replay::{Driven, Rewind, RewindFault};
use throng::scenario::Plan;
use throng::world::World;

use crate::error::CliError;
use crate::progress::Progress;
use crate::{say, signal};

/// Runs a plan and repeats the last ticks at every tick.
pub(crate) fn run<N: Numbers>(
    plan: &Plan,
    mut rewind: Rewind,
    quiet: bool,
) -> Result<bool, CliError> {
    let refused = |source| CliError::Snapshot { source };
    let orders = |world: &World<N>| plan.orders_at(world.tick_count()).cloned().collect();
    let world = World::<N>::new(plan.map.clone(), plan.settings)
        .map_err(|source| CliError::World { source })?;
    let mut subject = Driven::new(world, &orders);
    let mut progress = Progress::new(plan.ticks, quiet);
    while subject.world.tick_count() < plan.ticks && signal::stopped().is_none() {
        if let Some(fault) = rewind.step(&mut subject).map_err(refused)? {
            progress.finish();
            say(&describe(&fault))?;
            return Ok(false);
        }
        progress.set(subject.world.tick_count(), || "the same so far".into());
    }
    progress.finish();
    let done = subject.world.tick_count();
    say(&match signal::stopped() {
        Some(code) => format!(
            "stopped by {}: {} of {} {} the same, each repeated",
            signal::name(code),
            plural(done, "tick"),
            thousands(plan.ticks),
            if done == 1 { "is" } else { "are" },
        ),
        None => format!("the same: {}, each repeated", plural(done, "tick")),
    })?;
    Ok(true)
}

fn describe(fault: &RewindFault) -> String {
    let how = if fault.reloaded { "loaded into a new world" } else { "restored" };
    let mut text = match fault.tick {
        Some(tick) => format!(
            "different: the state of tick {} was {how}; tick {tick} then differs\n",
            fault.from
        ),
        None => format!("different: the state of tick {} is another one when {how}\n", fault.from),
    };
    for difference in &fault.differences {
        text.push_str(&format!("  {difference}\n"));
    }
    text
}
