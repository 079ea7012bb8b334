//! Strategies of teams: the groups that they command, their plans, and how far those have come.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::GroupId;
use crate::data::record::record;
use crate::lane::Numbers;
use crate::mind::{MAX_COMMANDED, Strategies, StrategiesDef, StrategyDef};
use crate::world::mind::FIRST_SIGNAL;
use crate::world::thoughts::NEVER;
use crate::world::{GroupDef, Refusal, TEAMS, World};

/// What the conditions of strategies read, by their indices. Numbers beyond 32,000 count as that.
///
/// | input | what | unit |
/// |---|---|---|
/// | `strength` | share of all agents of the team so far that live; 1 before there are any | 0 ..= 1 |
/// | `foe_strength` | the same of its foes | 0 ..= 1 |
/// | `agents` | its living agents | |
/// | `foes` | those of its foes | |
/// | `ratio` | `agents` / `foes`; 32,000 without foes | |
/// | `distance` | from one group under command to the nearest group of foes (middles); 32,000 without | m |
/// | `engaged` | share of its living agents that have a target | 0 ..= 1 |
/// | `losses` | share of its agents so far that have been killed since the last review | 0 ..= 1 |
/// | `time` | since the run began | s |
/// | `arrived` | share that has arrived, of the step's agents; of all, while it does not run | 0 ..= 1 |
/// | `timer` | for how long the strategy has run; 0 while it does not | s |
/// | `step` | for how long its step has gone on; 0 while it does not run | s |
/// | `rest` | how long ago it ended; 0 while it runs, 32,000 before the first time | s |
/// | `begins` | how often it has begun | |
/// | `done` | 1 when its last step is done | |
pub const STRATEGY_INPUTS: [&str; 15] = [
    "strength",
    "foe_strength",
    "agents",
    "foes",
    "ratio",
    "distance",
    "engaged",
    "losses",
    "time",
    "arrived",
    "timer",
    "step",
    "rest",
    "begins",
    "done",
];

/// What they read of each group under command, as `strength.NAME`: the inputs of that name, and its
/// middle's distance from that of the nearest foe group.
pub const COMMANDED_INPUTS: [&str; 4] = ["strength", "distance", "engaged", "arrived"];

/// Places in [`STRATEGY_INPUTS`].
pub(crate) mod input {
    /// How many come first that are the same for all strategies of a team.
    pub(crate) const OF_TEAM: usize = 9;
    pub(crate) const ARRIVED: u16 = 9;
    pub(crate) const TIMER: u16 = 10;
    pub(crate) const STEP: u16 = 11;
    pub(crate) const REST: u16 = 12;
    pub(crate) const BEGINS: u16 = 13;
    pub(crate) const DONE: u16 = 14;
}

/// The first of the inputs about the groups under command, behind `since.NAME` of every signal.
pub const FIRST_COMMANDED: usize = crate::world::FIRST_OUTPUT;
/// Inputs that there are at most.
pub const MAX_STRATEGY_INPUTS: usize = FIRST_COMMANDED + COMMANDED_INPUTS.len() * MAX_COMMANDED;

/// The names of all inputs by their indices: those of [`STRATEGY_INPUTS`], `since.NAME` for every
/// signal, and those of [`COMMANDED_INPUTS`] for every group under command. Places without an input
/// have an empty name.
pub fn strategy_input_names(signals: &[String], groups: &[String]) -> Vec<String> {
    let mut names = vec![String::new(); MAX_STRATEGY_INPUTS];
    let since = signals.iter().map(|signal| format!("since.{signal}"));
    names.iter_mut().zip(STRATEGY_INPUTS).for_each(|(to, name)| *to = name.to_owned());
    names[FIRST_SIGNAL..FIRST_COMMANDED].iter_mut().zip(since).for_each(|(to, name)| *to = name);
    let of_groups =
        groups.iter().flat_map(|group| COMMANDED_INPUTS.map(|i| format!("{i}.{group}")));
    names[FIRST_COMMANDED..].iter_mut().zip(of_groups).for_each(|(to, name)| *to = name);
    names
}

record! {
    /// How far a strategy has come.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Course {
        /// Whether it runs.
        pub is_running: bool,
        /// Whether its last step is done.
        pub is_done: bool,
        /// Index of the step that it is at; of one that has ended the step that it was at.
        pub step: u8,
        /// The tick in which it last began; the largest number before the first time.
        pub begun: u64,
        /// The tick in which its step began.
        pub stepped: u64,
        /// The tick in which it last ended; the largest number before the first time.
        pub ended: u64,
        /// The steps around the foe's flank that have turned on the foe, as bits.
        pub turned: u64,
        /// How often it has begun.
        pub begins: u32,
    }
}

impl Course {
    /// The course of a strategy that has never run.
    pub(crate) const NEW: Self = Self {
        is_running: false,
        is_done: false,
        step: 0,
        begun: NEVER,
        stepped: NEVER,
        ended: NEVER,
        turned: 0,
        begins: 0,
    };

    /// Whether it can be the course of a strategy at a tick.
    pub(crate) fn is_sound(&self, strategy: &StrategyDef, tick: u64) -> bool {
        let is_past = |at: u64| at == NEVER || at <= tick;
        let ran = self.begun != NEVER && self.stepped != NEVER;
        usize::from(self.step) < strategy.steps.len()
            && [self.begun, self.stepped, self.ended].into_iter().all(is_past)
            && (ran || !self.is_running)
    }
}

/// The strategies of a team, and how far they have come.
#[derive(Clone, Debug)]
pub(crate) struct Commander<N> {
    pub(crate) team: u8,
    /// Shared, so that a review can read it while its orders change the world.
    pub(crate) def: Arc<StrategiesDef>,
    pub(crate) strategies: Strategies<N>,
    /// Agents of the team that had been killed at the last review.
    pub(crate) fallen: u64,
    /// One for each strategy.
    pub(crate) courses: Vec<Course>,
}

impl<N: Numbers> Commander<N> {
    /// A commander whose strategies have been checked; none of them has run.
    pub(crate) fn new(team: u8, def: StrategiesDef) -> Self {
        let strategies = Strategies::of_checked(&def);
        let courses = vec![Course::NEW; def.strategies.len()];
        Self { team, def: Arc::new(def), strategies, fallen: 0, courses }
    }

    /// The strategies that run, as bits.
    pub(crate) fn running(&self) -> u64 {
        let running = self.courses.iter().enumerate().filter(|(_, course)| course.is_running);
        running.fold(0, |bits, (index, _)| bits | 1 << index)
    }
}

/// A strategy of a team, as it is and how far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Strategy<'a> {
    /// Number of the team.
    pub team: u8,
    /// Index among the team's strategies.
    pub index: usize,
    /// Its definition.
    pub def: &'a StrategyDef,
    /// How far it has come.
    pub course: Course,
}

/// Something that happened to a strategy in the last tick.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanEvent {
    /// Number of the team.
    pub team: u8,
    /// Name of the strategy.
    pub strategy: String,
    /// What happened.
    pub what: PlanChange,
}

/// What happens to strategies.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanChange {
    /// It begins.
    Begins,
    /// A step begins.
    Step {
        /// Index of the step.
        step: usize,
        /// The name of its kind.
        kind: &'static str,
    },
    /// The groups of a step around the foe's flank turn on the foe.
    Turns {
        /// Index of the step.
        step: usize,
    },
    /// A group of a step cannot do it.
    Refused {
        /// Index of the step.
        step: usize,
        /// The group.
        group: GroupId,
        /// Why the group cannot do it.
        why: Refusal,
    },
    /// Its last step is done; it goes on all the same.
    Done,
    /// It ends.
    Ends,
}

/// Refuses strategies that a team's groups cannot be commanded by.
pub(crate) fn check_commander<'a>(
    team: u8,
    def: &StrategiesDef,
    group: impl Fn(GroupId) -> Option<&'a GroupDef>,
) -> Result<(), String> {
    if team >= TEAMS {
        return Err(format!("there is no team {team}: there are {TEAMS}"));
    }
    def.check(MAX_STRATEGY_INPUTS).map_err(|error| error.to_string())?;
    for commanded in &def.groups {
        match group(commanded.group) {
            None => return Err(format!("there is no group {}", commanded.group)),
            Some(def) if def.team != team => {
                let (group, other) = (commanded.group, def.team);
                return Err(format!("group {group} is of team {other}, not of team {team}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

impl<N: Numbers> World<N> {
    /// The strategies of all teams, by team and in the order in which they were declared.
    pub fn strategies(&self) -> impl Iterator<Item = Strategy<'_>> {
        self.teams.commanders.iter().flat_map(|commander| {
            let rows = commander.def.strategies.iter().zip(&commander.courses).enumerate();
            let team = commander.team;
            rows.map(move |(index, (def, &course))| Strategy { team, index, def, course })
        })
    }

    /// What happened to strategies in the last tick, in the order in which it did.
    pub fn plan_events(&self) -> &[PlanEvent] {
        &self.teams.plan_events
    }

    /// Gives a team strategies, in place of those that it had.
    pub(crate) fn command(&mut self, team: u8, def: StrategiesDef) -> Result<(), Refusal> {
        let group = |group: GroupId| {
            let row = self.group(group)?;
            (self.base_group(group.index()) == group.index()).then_some(&row.def)
        };
        check_commander(team, &def, group).map_err(Refusal::NoSuchKind)?;
        let at = self.teams.commanders.partition_point(|commander| commander.team < team);
        if self.teams.commanders.get(at).is_some_and(|commander| commander.team == team) {
            let former = self.teams.commanders.remove(at);
            for (strategy, course) in former.def.strategies.iter().zip(former.courses) {
                if course.is_running {
                    let (strategy, what) = (strategy.name.clone(), PlanChange::Ends);
                    self.teams.plan_events.push(PlanEvent { team, strategy, what });
                }
            }
        }
        if !def.strategies.is_empty() {
            let mut commander = Commander::new(team, def);
            commander.fallen = self.fallen_of(team);
            self.teams.commanders.insert(at, commander);
        }
        Ok(())
    }

    /// Agents of a team that have been killed so far.
    pub(crate) fn fallen_of(&self, team: u8) -> u64 {
        let own = self.groups.list.iter().filter(|group| group.def.team == team);
        own.map(|group| u64::from(group.fallen)).sum()
    }
}
