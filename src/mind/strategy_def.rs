//! Strategies as they are declared, and what can be wrong with them.

use crate::data::definition::{Key, words};
use crate::data::{GroupId, sets};
use crate::math::each::Each;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::map::area::Shape;
use crate::mind::Expression;

/// Strategies of a team at most.
pub const MAX_STRATEGIES: usize = 64;
/// Steps of a plan at most.
pub const MAX_STEPS: usize = 64;
/// Groups that the strategies of a team command at most.
pub const MAX_COMMANDED: usize = 256;
/// Largest priority.
pub const MAX_PRIORITY: u16 = 1_000;
/// Ticks from one review to the next at most.
pub const MAX_REVIEW: u32 = 100_000;
/// How far a step leads.
pub(crate) const STEP_DISTANCE: Key =
    Key::new("distance", 50.0, "a distance in metres", [1.0, 1_000.0]);
/// From one aim of a step to the next.
pub(crate) const STEP_RENEWAL: Key = Key::new("renew", 5.0, "a time in seconds", [0.5, 3_600.0]);

/// The strategies of a team as they are declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategiesDef {
    /// Ticks from one review to the next, 1 ..= 100,000.
    pub review: u32,
    /// The groups that they command, each once, at most 256.
    pub groups: Vec<Commanded>,
    /// The strategies, at most 64.
    pub strategies: Vec<StrategyDef>,
}

/// A group that strategies command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Commanded {
    /// The group.
    pub group: GroupId,
    /// Where it is at home, in metres; none where no step says [`Place::Home`].
    pub home: Vec<Shape>,
}

/// A strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrategyDef {
    /// Its name, unique within the team.
    pub name: String,
    /// The larger, the more urgent, 0 ..= 1,000; of equal ones the first is.
    pub priority: u16,
    /// The condition on which it begins.
    pub begin: Expression,
    /// While it goes on, once it has begun; without it, while `begin` holds.
    pub keep: Option<Expression>,
    /// Indices of strategies that do not run together with it; one of two says it for both.
    pub excludes: Vec<u8>,
    /// The plan: 1 ..= 64 steps.
    pub steps: Vec<StepDef>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepDef {
    /// The kind of step.
    pub kind: StepKind,
    /// The groups that do it, each once.
    pub groups: Vec<GroupId>,
    /// The place where it is done.
    pub place: Place,
    /// On which side a [`StepKind::Flank`] goes around the foe.
    pub side: Wing,
    /// How far aside of the foe it does, or how far a [`StepKind::Retreat`] goes, in metres,
    /// 1 ..= 1,000.
    pub distance: f64,
    /// Seconds from one aim at the foe to the next, 0.5 ..= 3,600.
    pub renew: f64,
    /// The state that the agents of groups that think are sent to; without it that of the name of
    /// the step's kind, if there is one.
    pub state: Option<String>,
    /// When it is done. Without it it is done at once, and the next one begins together with it.
    pub until: Option<Expression>,
}

words! {
    /// What a step does.
    pub enum StepKind {
        /// Groups come together, each in the place or around its own middle.
        Gather = "gather",
        /// They go to the place.
        March = "march",
        /// They stand.
        Hold = "hold",
        /// They go to a point aside of the nearest foes, and from there at them.
        Flank = "flank",
        /// They go to the place, or away from the nearest foes.
        Retreat = "retreat",
    }
}

impl StepKind {
    /// Whether such a step may be at a place.
    pub fn takes(self, place: &Place) -> bool {
        match place {
            Place::Own => matches!(self, Self::Gather | Self::Hold | Self::Retreat),
            Place::Area(_) | Place::Home => {
                matches!(self, Self::Gather | Self::March | Self::Retreat)
            }
            Place::Enemy => matches!(self, Self::March | Self::Flank),
        }
    }
}

/// Where a step is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Place {
    /// Where each group is.
    Own,
    /// In the nearest part of these shapes, in metres.
    Area(Vec<Shape>),
    /// Where the middle of the foe group is whose middle is nearest to the group's own.
    Enemy,
    /// Where each group is at home.
    Home,
}

words! {
    /// A side, as agents that face the foe have it.
    pub enum Wing {
        /// To the left.
        Left = "left",
        /// To the right.
        Right = "right",
    }
}

/// What is wrong with strategies.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StrategyError {
    /// Too many of something, or none of it.
    #[error("{count} {what}: there may be {least} to {most}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there must be.
        least: usize,
        /// How many there may be.
        most: usize,
    },
    /// Two strategies have one name.
    #[error("two strategies are called `{name}`: {first} and {second}")]
    SameName {
        /// The name.
        name: String,
        /// Their indices.
        first: usize,
        /// See `first`.
        second: usize,
    },
    /// It excludes itself, or one that there is not.
    #[error("strategy `{strategy}` excludes strategy {other}, which is none beside it")]
    NoSuchStrategy {
        /// Name of the strategy that excludes it.
        strategy: String,
        /// The index.
        other: u8,
    },
    /// A group comes up twice in a list, or is not among those that may be commanded.
    #[error("{whose} names group {group}, which is {what}")]
    Group {
        /// What names it, in words.
        whose: String,
        /// The group.
        group: GroupId,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A step of a strategy that cannot be done.
    #[error("step {step} of strategy `{strategy}`, {}: {what}", kind.name())]
    Step {
        /// Name of the strategy.
        strategy: String,
        /// Index of the step.
        step: usize,
        /// Kind of the step.
        kind: StepKind,
        /// What is wrong.
        what: String,
    },
    /// A condition or a priority that makes no sense.
    #[error("strategy `{strategy}`: {what}")]
    Unsound {
        /// Name of the strategy.
        strategy: String,
        /// What is wrong.
        what: &'static str,
    },
}

impl StepDef {
    /// A step of some groups where they are (towards the foe, if it needs one), 50 m, aimed anew every
    /// 5 seconds, on the left side, and done at once.
    pub fn new(kind: StepKind, groups: Vec<GroupId>) -> Self {
        let place = if kind.takes(&Place::Own) { Place::Own } else { Place::Enemy };
        let (distance, renew) = (STEP_DISTANCE.default, STEP_RENEWAL.default);
        let side = Wing::Left;
        Self { kind, groups, place, side, distance, renew, state: None, until: None }
    }

    fn check(&self, inputs: usize, homes: &[Commanded]) -> Result<(), String> {
        let Self { kind, place, distance, renew, .. } = self;
        if !kind.takes(place) {
            return Err("it cannot be at such a place".to_owned());
        }
        for (key, value) in [(STEP_DISTANCE, distance), (STEP_RENEWAL, renew)] {
            key.check(*value).map_err(|wrong| wrong.to_string())?;
        }
        if self.until.as_ref().is_some_and(|until| !until.is_sound(inputs)) {
            return Err("its condition cannot be evaluated".to_owned());
        }
        let of_home = homes.iter().filter(|home| self.groups.contains(&home.group));
        let mut homes = of_home.filter(|home| home.home.is_empty());
        if let (Place::Home, Some(homeless)) = (place, homes.next()) {
            return Err(format!("group {} has no home", homeless.group));
        }
        let Place::Area(shapes) = place else { return Ok(()) };
        match shapes.iter().find_map(|shape| shape.validate().err()) {
            Some(error) => Err(error.to_string()),
            None if shapes.is_empty() => Err("its area has no shape".to_owned()),
            None => Ok(()),
        }
    }
}

impl StrategyDef {
    /// A strategy of priority 0 that may always run.
    pub fn new(name: impl Into<String>, steps: Vec<StepDef>) -> Self {
        let (begin, keep, excludes) = (Expression::always(), None, Vec::new());
        Self { name: name.into(), priority: 0, begin, keep, excludes, steps }
    }

    /// The groups that it commands, ascending.
    pub fn groups(&self) -> Vec<GroupId> {
        sets::distinct(self.steps.iter().flat_map(|step| step.groups.iter().copied()))
    }

    /// The steps that begin together when `first` does: up to the first one that takes time, or to
    /// the last one. None of them when there is no such step.
    pub fn stretch(&self, first: usize) -> Range<usize> {
        let from = first.min(self.steps.len());
        let takes_time = self.steps[from..].iter().position(|step| step.until.is_some());
        from..takes_time.map_or(self.steps.len(), |at| from + at + 1)
    }

    /// Whether a step, of those up to `current`, is the last that commands a group.
    pub fn is_in_force(&self, step: usize, current: usize, group: GroupId) -> bool {
        let later = self.steps.iter().take(current + 1).skip(step + 1);
        step <= current
            && self.steps[step].groups.contains(&group)
            && !later.into_iter().any(|step| step.groups.contains(&group))
    }
}

/// Whether no number comes up twice; else the one that does.
fn twice<T: Copy + PartialEq>(list: impl Iterator<Item = T> + Clone) -> Option<T> {
    list.clone().enumerate().find_map(|(i, item)| {
        let again = list.clone().take(i).any(|other| other == item);
        again.then_some(item)
    })
}

fn count(what: &'static str, count: usize, range: [usize; 2]) -> Result<(), StrategyError> {
    let [least, most] = range;
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(StrategyError::Count { what, count, least, most })
}

impl StrategiesDef {
    /// Strategies over groups without homes, with a review in every 20th tick.
    pub fn new(strategies: Vec<StrategyDef>, groups: &[GroupId]) -> Self {
        let commanded = |&group: &GroupId| Commanded { group, home: Vec::new() };
        Self { review: 20, groups: groups.iter().map(commanded).collect(), strategies }
    }

    /// Refuses what cannot be run, given how many inputs there are.
    ///
    /// # Errors
    /// Names the strategy, the step, and what is wrong with it.
    pub fn check(&self, inputs: usize) -> Result<(), StrategyError> {
        count("ticks from review to review", self.review as usize, [1, MAX_REVIEW as usize])?;
        count("groups under command", self.groups.len(), [0, MAX_COMMANDED])?;
        count("strategies of a team", self.strategies.len(), [0, MAX_STRATEGIES])?;
        let twice_listed = twice(self.groups.iter().map(|commanded| commanded.group));
        if let Some(group) = twice_listed {
            let whose = "the list of groups".to_owned();
            return Err(StrategyError::Group { whose, group, what: "in it before" });
        }
        for Commanded { group, home } in &self.groups {
            if home.iter().any(|shape| shape.validate().is_err()) {
                let whose = "a home".to_owned();
                return Err(StrategyError::Group { whose, group: *group, what: "nowhere" });
            }
        }
        for (index, strategy) in self.strategies.iter().enumerate() {
            let before = &self.strategies[..index];
            if let Some(first) = before.iter().position(|other| other.name == strategy.name) {
                let name = strategy.name.clone();
                return Err(StrategyError::SameName { name, first, second: index });
            }
            self.check_strategy(index, strategy, inputs)?;
        }
        Ok(())
    }

    fn check_strategy(
        &self,
        index: usize,
        def: &StrategyDef,
        inputs: usize,
    ) -> Result<(), StrategyError> {
        let strategy = || def.name.clone();
        let unsound = |what| Err(StrategyError::Unsound { strategy: strategy(), what });
        if def.priority > MAX_PRIORITY {
            return unsound("its priority is above 1,000");
        }
        if ![&def.begin].into_iter().chain(&def.keep).all(|when| when.is_sound(inputs)) {
            return unsound("its condition cannot be evaluated");
        }
        let is_other =
            |&other: &u8| usize::from(other) < self.strategies.len() && usize::from(other) != index;
        if let Some(&other) = def.excludes.iter().find(|other| !is_other(other)) {
            return Err(StrategyError::NoSuchStrategy { strategy: strategy(), other });
        }
        count("steps of a plan", def.steps.len(), [1, MAX_STEPS])?;
        for (at, step) in def.steps.iter().enumerate() {
            count("groups of a step", step.groups.len(), [1, MAX_COMMANDED])?;
            let is_listed =
                |group: &GroupId| self.groups.iter().any(|listed| listed.group == *group);
            let missing = step.groups.iter().copied().find(|group| !is_listed(group));
            let wrong = missing.map(|group| (group, "not under command"));
            let again = twice(step.groups.iter().copied()).map(|group| (group, "in it before"));
            if let Some((group, what)) = wrong.or(again) {
                let whose = format!("step {at} of strategy `{}`", def.name);
                return Err(StrategyError::Group { whose, group, what });
            }
            step.check(inputs, &self.groups).map_err(|what| StrategyError::Step {
                strategy: strategy(),
                step: at,
                kind: step.kind,
                what,
            })?;
        }
        Ok(())
    }

    /// The strategies, the most important first.
    pub(super) fn by_priority(&self) -> Vec<u8> {
        let mut order: Vec<u8> = (0..self.strategies.len() as u8).collect();
        // The sort is stable: equal ones stay in the order of the file.
        order.sort_by_key(|&index| std::cmp::Reverse(self.strategies[usize::from(index)].priority));
        order
    }

    /// The first strategy that can never run because another, which it may not run together with,
    /// comes before it and always runs; and that one. A strategy always runs when it has no
    /// conditions and all that could take its place never run.
    pub fn never_runs(&self) -> Option<(usize, usize)> {
        let always = |index: usize| {
            let StrategyDef { begin, keep, .. } = &self.strategies[index];
            begin.is_always() && keep.as_ref().is_none_or(Expression::is_always)
        };
        let (mut never, mut may, mut surely): (Vec<_>, Vec<usize>, Vec<usize>) = Default::default();
        for index in self.by_priority().into_iter().map(usize::from) {
            let is_rival = |&&other: &&usize| !self.are_compatible(index, other);
            match surely.iter().find(is_rival) {
                Some(&by) => never.push((index, by)),
                None if always(index) && !may.iter().any(|other| is_rival(&other)) => {
                    surely.push(index);
                }
                None => may.push(index),
            }
        }
        never.into_iter().min()
    }

    /// Whether two strategies may run together: neither excludes the other, and they command no
    /// group in common.
    pub fn are_compatible(&self, a: usize, b: usize) -> bool {
        let [first, second] = [a, b].each(|index| &self.strategies[index]);
        let excluded = |by: &StrategyDef, other: usize| by.excludes.contains(&(other as u8));
        let groups = second.groups();
        let shares = first.groups().iter().any(|group| groups.binary_search(group).is_ok());
        !(excluded(first, b) || excluded(second, a) || shares)
    }
}
