//! Definitions of agents that come, go, differ, choose and follow: made, and the engine's for C's.
//!
//! Definitions that the engine declares are in `traffic_defs.rs`.

use throng::world::{Inflow, Spread};
use throng::{Distribution, Exit, ExitsDef, FollowDef, Leader, SourceDef, StructureDef, VaryDef};

use crate::declared::{check, engine, own};
use crate::memory;
use crate::shape::shapes;
use crate::status::{Fault, ThrongStatus};
use crate::traffic_defs::{
    ThrongExit, ThrongExitsDef, ThrongFollowDef, ThrongSourceDef, ThrongStructureDef,
};

/// `ThrongDistribution.kind`: none; agents do not differ.
pub const THRONG_DISTRIBUTION_NONE: u32 = 0;
/// `ThrongDistribution.kind`: all have `numbers[0]`.
pub const THRONG_DISTRIBUTION_CONSTANT: u32 = 1;
/// `ThrongDistribution.kind`: evenly from `numbers[0]` to `numbers[1]`.
pub const THRONG_DISTRIBUTION_UNIFORM: u32 = 2;
/// `ThrongDistribution.kind`: normally; `numbers` are mean and standard deviation.
pub const THRONG_DISTRIBUTION_NORMAL: u32 = 3;
/// `ThrongDistribution.kind`: log-normally; `numbers` are mean and standard deviation of the numbers
/// themselves, not of their logarithms.
pub const THRONG_DISTRIBUTION_LOG_NORMAL: u32 = 4;

/// How numbers of agents lie. What lies beyond the bounds is drawn again.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongDistribution {
    /// A `THRONG_DISTRIBUTION_…`.
    pub kind: u32,
    /// What they are depends on the kind.
    pub numbers: [f64; 2],
    /// Smallest number; -1000000 and below is without a bound.
    pub min: f64,
    /// Largest number; 1000000 and above is without a bound.
    pub max: f64,
}

/// In what the agents of a group differ; each draws for itself.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongVaryDef {
    /// Set by `throng_default_vary`.
    pub size: u32,
    /// The speed that an agent likes on plain ground in m/s: from a 64th of its group's to twice
    /// that, in 64ths of it.
    pub speed: ThrongDistribution,
    /// How long an agent stays before it sets off, in seconds: from when it appears or its group is
    /// first sent somewhere, whichever is later. 0 to 1000000.
    pub wait: ThrongDistribution,
    /// Its radius in metres: 0.05 to that of its group, which ways and places are made for.
    pub radius: ThrongDistribution,
    /// Time in which it takes on a new velocity in seconds, 0.02 to 60. The group's `response`
    /// becomes the shortest.
    pub response: ThrongDistribution,
    /// How long it keeps to the exit that it has chosen in seconds, in place of `every` of
    /// `ThrongExitsDef`. 0 to 1000000.
    pub patience: ThrongDistribution,
}

fn drawn(kind: u32, numbers: [f64; 2]) -> ThrongDistribution {
    let Distribution { min, max, .. } = Distribution::constant(0.0);
    ThrongDistribution { kind, numbers, min, max }
}

/// All have the same number.
#[unsafe(no_mangle)]
pub extern "C" fn throng_constant(number: f64) -> ThrongDistribution {
    drawn(THRONG_DISTRIBUTION_CONSTANT, [number, 0.0])
}

/// Evenly from `low` to `high`.
#[unsafe(no_mangle)]
pub extern "C" fn throng_uniform(low: f64, high: f64) -> ThrongDistribution {
    drawn(THRONG_DISTRIBUTION_UNIFORM, [low, high])
}

/// Normally.
#[unsafe(no_mangle)]
pub extern "C" fn throng_normal(mean: f64, deviation: f64) -> ThrongDistribution {
    drawn(THRONG_DISTRIBUTION_NORMAL, [mean, deviation])
}

/// Log-normally; mean and deviation are of the numbers, not of their logarithms.
#[unsafe(no_mangle)]
pub extern "C" fn throng_log_normal(mean: f64, deviation: f64) -> ThrongDistribution {
    drawn(THRONG_DISTRIBUTION_LOG_NORMAL, [mean, deviation])
}

/// A distribution from `min` to `max` only.
#[unsafe(no_mangle)]
pub extern "C" fn throng_bounded(
    distribution: ThrongDistribution,
    min: f64,
    max: f64,
) -> ThrongDistribution {
    ThrongDistribution { min, max, ..distribution }
}

/// Agents that do not differ.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_vary() -> ThrongVaryDef {
    let none = drawn(THRONG_DISTRIBUTION_NONE, [0.0; 2]);
    let size = size_of::<ThrongVaryDef>() as u32;
    ThrongVaryDef { size, speed: none, wait: none, radius: none, response: none, patience: none }
}

/// A source at all times, of no agents.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_source() -> ThrongSourceDef {
    own(&SourceDef::default())
}

/// An exit that all agents know, without an area.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_exit() -> ThrongExit {
    own(&Exit::default())
}

/// A choice as usual, among no exits.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_exits() -> ThrongExitsDef {
    own(&ExitsDef::default())
}

/// The usual gap, behind no leaders.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_follow() -> ThrongFollowDef {
    own(&FollowDef::default())
}

/// The hit points that walls have when nothing is said, on no team.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_structure() -> ThrongStructureDef {
    own(&StructureDef::default())
}

/// Whether something is so.
pub(crate) fn truth(what: &str, value: u8) -> Result<bool, Fault> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Fault::new(ThrongStatus::Value, format!("{what} is {value}, but must be 1 or 0"))),
    }
}

/// The engine's distribution; nothing where agents do not differ.
fn distribution(from: &ThrongDistribution) -> Result<Option<Distribution>, Fault> {
    let ThrongDistribution { kind, numbers: [a, b], min, max } = *from;
    let spread = match kind {
        THRONG_DISTRIBUTION_NONE => return Ok(None),
        THRONG_DISTRIBUTION_CONSTANT => Spread::Constant(a),
        THRONG_DISTRIBUTION_UNIFORM => Spread::Uniform { low: a, high: b },
        THRONG_DISTRIBUTION_NORMAL => Spread::Normal { mean: a, deviation: b },
        THRONG_DISTRIBUTION_LOG_NORMAL => Spread::LogNormal { mean: a, deviation: b },
        _ => {
            let words = format!("there is no kind {kind} of distribution");
            return Err(Fault::new(ThrongStatus::Value, words));
        }
    };
    Ok(Some(Distribution { spread, min, max }))
}

/// In what agents differ, as the engine has it.
pub(crate) fn vary_def(def: Option<&ThrongVaryDef>) -> Result<VaryDef, Fault> {
    let def = def.ok_or_else(|| Fault::null("vary"))?;
    check::<ThrongVaryDef>(def.size, "vary")?;
    Ok(VaryDef {
        speed: distribution(&def.speed)?,
        wait: distribution(&def.wait)?,
        radius: distribution(&def.radius)?,
        response: distribution(&def.response)?,
        patience: distribution(&def.patience)?,
    })
}

/// The engine's source.
///
/// # Safety
/// As [`memory::list`], for the entries.
pub(crate) unsafe fn source_def(def: Option<&ThrongSourceDef>) -> Result<SourceDef, Fault> {
    let mut engine = engine(def)?;
    if let Some(def) = def {
        // SAFETY: as the caller promises.
        let entries = unsafe { memory::list(def.entries, def.entry_count, "entries")? };
        let entries: Vec<_> = entries.iter().map(|entry| [entry.time, entry.agents]).collect();
        let has_rate = def.rate != 0.0;
        engine.inflow = match (truth("batches", def.batches)?, has_rate) {
            (false, true) if entries.is_empty() => Inflow::rate(def.rate),
            (false, false) => Inflow::Rates(entries),
            (true, false) => Inflow::Batches(entries),
            (_, true) => {
                let words = format!("rate is {}, but goes with no entries or batches", def.rate);
                return Err(Fault::new(ThrongStatus::Value, words));
            }
        };
    }
    engine.check()?;
    Ok(engine)
}

/// The engine's exits, and how they are chosen among.
///
/// # Safety
/// As [`memory::list`], for the exits, their shapes and the corners of these.
pub(crate) unsafe fn exits_def(def: Option<&ThrongExitsDef>) -> Result<ExitsDef, Fault> {
    let mut choice = engine(def)?;
    if let Some(def) = def {
        // SAFETY: as the caller promises.
        let exits = unsafe { memory::list(def.exits, def.exit_count, "exits")? };
        let exit = |def: &ThrongExit| -> Result<Exit, Fault> {
            // SAFETY: as the caller promises.
            let area = unsafe { shapes(def.area, def.area_count)? };
            Ok(Exit { area, ..engine(Some(def))? })
        };
        choice.exits = exits.iter().map(exit).collect::<Result<_, _>>()?;
    }
    choice.check()?;
    Ok(choice)
}

/// How the agents of a group follow others, as the engine has it.
pub(crate) fn follow_def(def: Option<&ThrongFollowDef>) -> Result<FollowDef, Fault> {
    let mut engine = engine(def)?;
    if let Some(def) = def {
        engine.leader = match truth("has_agent", def.has_agent)? {
            true => Leader::Agent(def.agent.into()),
            false => Leader::Group(def.leaders.into()),
        };
    }
    engine.check()?;
    Ok(engine)
}

/// The engine's structure.
pub(crate) fn structure_def(def: Option<&ThrongStructureDef>) -> Result<StructureDef, Fault> {
    let engine = engine(def)?;
    engine.check()?;
    Ok(engine)
}
