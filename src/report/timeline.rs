//! The timeline of strategies: when they begin, get on and end.

use std::fmt;

use serde::Serialize;

use crate::lane::Numbers;
use crate::report::battle::BattleNames;
use crate::world::{PlanChange, World};

/// Entries that a timeline holds at most; later ones are counted.
pub const MAX_ENTRIES: usize = 10_000;
/// Entries that its text shows at most.
const SHOWN: usize = 60;

/// Something that happened to a strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The tick in which it did; that many had been done before.
    pub tick: u64,
    /// The same in seconds.
    pub time_s: f64,
    /// Number of the team.
    pub team: u8,
    /// Name of the team; its number as a word where it has none.
    pub team_name: String,
    /// Name of the strategy.
    pub strategy: String,
    /// `begins`, `step`, `turns`, `refused`, `done` or `ends`.
    pub what: &'static str,
    /// Index of the step, where it is about one.
    pub step: Option<usize>,
    /// The kind of a step that begins, or why what was refused.
    pub detail: Option<String>,
}

/// What happened to the strategies of all teams, in the order in which it did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// The first 10,000 entries.
    pub entries: Vec<Entry>,
    /// How many entries came later.
    pub more: u64,
}

impl Timeline {
    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        for event in world.plan_events() {
            if self.entries.len() == MAX_ENTRIES {
                self.more += 1;
                continue;
            }
            let (what, step, detail) = match &event.what {
                PlanChange::Begins => ("begins", None, None),
                PlanChange::Step { step, kind } => ("step", Some(*step), Some((*kind).to_owned())),
                PlanChange::Turns { step } => ("turns", Some(*step), None),
                PlanChange::Refused { step, group, why } => {
                    ("refused", Some(*step), Some(format!("group {group}: {why}")))
                }
                PlanChange::Done => ("done", None, None),
                PlanChange::Ends => ("ends", None, None),
            };
            let tick = world.tick_count() - 1;
            self.entries.push(Entry {
                tick,
                time_s: tick as f64 * world.dt(),
                team: event.team,
                team_name: BattleNames::default().team(event.team),
                strategy: event.strategy.clone(),
                what,
                step,
                detail,
            });
        }
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The same with names of teams.
    pub fn named(&self, names: BattleNames<'_>) -> Self {
        let mut named = self.clone();
        named.entries.iter_mut().for_each(|entry| entry.team_name = names.team(entry.team));
        named
    }
}

impl fmt::Display for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: &String| text.chars().count();
        let shown = || self.entries.iter().take(SHOWN);
        let widest = |text: fn(&Entry) -> &String, least: usize| {
            shown().map(|entry| width(text(entry))).fold(least, usize::max)
        };
        let team = widest(|entry| &entry.team_name, 4);
        let strategy = widest(|entry| &entry.strategy, 8);
        writeln!(f, "  {:>8}  {:<team$}  {:<strategy$}", "time", "team", "strategy")?;
        for entry in shown() {
            let Entry { time_s, team_name, strategy: name, what, step, detail, .. } = entry;
            let step = step.map_or(String::new(), |step| format!(" {}", step + 1));
            let what = match (*what, detail) {
                ("step", Some(kind)) => format!("step{step}: {kind}"),
                ("turns", _) => format!("step{step} turns on the foe"),
                (_, Some(why)) => format!("step{step} {what}: {why}"),
                (what, None) => what.to_owned(),
            };
            writeln!(f, "  {time_s:>6.1} s  {team_name:<team$}  {name:<strategy$}  {what}")?;
        }
        let more = self.entries.len().saturating_sub(SHOWN) as u64 + self.more;
        if more > 0 {
            writeln!(f, "  and {more} more")?;
        }
        Ok(())
    }
}
