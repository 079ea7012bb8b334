//! How agents and teams decide: state machines, fuzzy control, strategies.
//!
//! A mind is data: tables that are checked when they are made and then run over columns. Nothing
//! here knows a world; what is perceived comes in as columns, and what is decided goes out as such.

mod expression;
pub mod fuzzy;
mod machine;
mod strategy;
mod strategy_def;

pub use expression::Condition;
pub use expression::Expression;
pub use expression::ExpressionError;
pub use expression::MAX_CONSTANT;
pub use expression::MAX_DEPTH;
pub use expression::MAX_TESTS;
pub use machine::Argument;
pub use machine::Destination;
pub use machine::Link;
pub use machine::MAX_CHAIN;
pub use machine::MAX_OUTPUTS;
pub use machine::MAX_SIGNALS;
pub use machine::MAX_STATES;
pub use machine::MAX_TRANSITIONS;
pub use machine::Machine;
pub use machine::MachineDef;
pub use machine::MachineError;
pub use machine::Output;
pub use machine::StateDef;
pub use machine::Transition;
pub use machine::TransitionDef;
pub use machine::Verdict;
pub use strategy::Strategies;
pub use strategy_def::Commanded;
pub use strategy_def::MAX_COMMANDED;
pub use strategy_def::MAX_PRIORITY;
pub use strategy_def::MAX_REVIEW;
pub use strategy_def::MAX_STEPS;
pub use strategy_def::MAX_STRATEGIES;
pub use strategy_def::Place;
pub use strategy_def::STEP_DISTANCES;
pub use strategy_def::STEP_RENEWALS;
pub use strategy_def::StepDef;
pub use strategy_def::StepKind;
pub use strategy_def::StrategiesDef;
pub use strategy_def::StrategyDef;
pub use strategy_def::StrategyError;
pub use strategy_def::Wing;
