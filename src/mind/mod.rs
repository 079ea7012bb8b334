//! How agents and teams decide: state machines, fuzzy control, strategies.
//!
//! A mind is data: tables that are checked when they are made and then run over columns. Nothing
//! here knows a world; what is perceived comes in as columns, and what is decided goes out as such.

mod expression;
pub mod fuzzy;
mod machine;
mod strategy;
mod strategy_def;
mod words;

pub use expression::{Condition, Expression, ExpressionError, MAX_CONSTANT, MAX_DEPTH, MAX_TESTS};
pub use machine::{
    Argument, Destination, Link, MAX_CHAIN, MAX_OUTPUTS, MAX_SIGNALS, MAX_STATES, MAX_TRANSITIONS,
    Machine, MachineDef, MachineError, Output, StateDef, Transition, TransitionDef, Verdict,
};
pub use strategy::Strategies;
pub use strategy_def::{
    Commanded, MAX_COMMANDED, MAX_PRIORITY, MAX_REVIEW, MAX_STEPS, MAX_STRATEGIES, Place, StepDef,
    StepKind, StrategiesDef, StrategyDef, StrategyError, Wing,
};
pub(crate) use strategy_def::{STEP_DISTANCE, STEP_RENEWAL};
