//! Strategies: what a team sets out to do, and the plan of steps by which it does it.
//!
//! A strategy has a priority, a condition to begin and one to go on. At every review strategies whose
//! condition holds are taken in the order of their priority, each if it is compatible with all that
//! were taken before; the taken ones run. So a more urgent strategy takes over from one that it is
//! not compatible with, and strategies that do not disturb each other run together (arbitration by fixed
//! priorities, as in Brooks 1986, "A robust layered control system for a mobile robot").
//!
//! A review only *says* which strategies run; the caller begins and ends them.
//!
//! ```
//! use throng::GroupId;
//! use throng::mind::{Expression, Place, Wing, StepDef, StepKind, Strategies, StrategiesDef, StrategyDef};
//!
//! let inputs = ["strength"];
//! let group = GroupId::new(0);
//! let plan = |kind, place| vec![StepDef { place, ..StepDef::new(kind, vec![group]) }];
//! let attack = StrategyDef::new("attack", plan(StepKind::March, Place::Enemy));
//! let retreat = StrategyDef {
//!     priority: 5,
//!     begin: Expression::parse("strength < 0.4", &inputs)?,
//!     keep: Some(Expression::parse("strength < 0.6", &inputs)?),
//!     ..StrategyDef::new("retreat", plan(StepKind::Retreat, Place::Own))
//! };
//! let def = StrategiesDef::new(vec![attack, retreat], &[group]);
//! let strategies = Strategies::<f32>::new(&def, inputs.len())?;
//! // Both command group 0, so the more urgent one takes over.
//! let review = |running, strength| strategies.review(running, |_, _| strength);
//! assert_eq!(review(0b00, 0.9), 0b01);
//! assert_eq!(review(0b01, 0.3), 0b10);
//! assert_eq!(review(0b10, 0.5), 0b10);
//! assert_eq!(review(0b10, 0.7), 0b01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::math::Num;
use crate::mind::{Condition, Expression, StepDef, StrategiesDef, StrategyDef, StrategyError};

/// Strategies as they are reviewed, in number type `N`.
#[derive(Clone, Debug)]
pub struct Strategies<N> {
    rules: Vec<Rule<N>>,
    /// Indices, the most urgent first.
    order: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Rule<N> {
    begin: Condition<N>,
    keep: Condition<N>,
    until: Vec<Option<Condition<N>>>,
    /// The strategies that it may not run together with, as bits.
    rivals: u64,
}

impl<N: Num> Strategies<N> {
    /// Strategies that can be run with so many inputs.
    ///
    /// # Errors
    /// As [`StrategiesDef::check`].
    pub fn new(def: &StrategiesDef, inputs: usize) -> Result<Self, StrategyError> {
        def.check(inputs)?;
        Ok(Self::of_checked(def))
    }

    /// The same from what has been checked.
    pub(crate) fn of_checked(def: &StrategiesDef) -> Self {
        let count = def.strategies.len();
        let rule = |(index, strategy): (usize, &StrategyDef)| {
            let rivals = (0..count).filter(|&o| o != index && !def.are_compatible(index, o));
            let until = |step: &StepDef| step.until.as_ref().map(Expression::compile);
            Rule {
                begin: strategy.begin.compile(),
                keep: strategy.keep.as_ref().unwrap_or(&strategy.begin).compile(),
                until: strategy.steps.iter().map(until).collect(),
                rivals: rivals.fold(0, |bits, other| bits | 1 << other),
            }
        };
        let rules = def.strategies.iter().enumerate().map(rule).collect();
        Self { rules, order: def.by_priority() }
    }

    /// The strategies that run from now on, as bits, given those that have run so far and what a
    /// strategy's inputs are.
    pub fn review(&self, running: u64, value: impl Fn(usize, u16) -> N) -> u64 {
        let mut taken = 0;
        for &index in &self.order {
            let index = usize::from(index);
            let rule = &self.rules[index];
            let has_run = running >> index & 1 != 0;
            let condition = if has_run { &rule.keep } else { &rule.begin };
            if rule.rivals & taken == 0 && condition.holds(|input| value(index, input)) {
                taken |= 1 << index;
            }
        }
        taken
    }

    /// Whether a step is done.
    ///
    /// # Panics
    /// When there is no such strategy or step.
    pub fn is_done(&self, strategy: usize, step: usize, value: impl Fn(u16) -> N) -> bool {
        let until = &self.rules[strategy].until[step];
        until.as_ref().is_none_or(|until| until.holds(value))
    }
}
