//! How agents and teams decide: state machines, fuzzy control, strategies.
//!
//! A mind is data: tables that are checked when they are made and then run over columns. Nothing
//! here knows a world; what is perceived comes in as columns, and what is decided goes out as such.

mod expression;
mod machine;
mod strategy;

pub use expression::Condition;
pub use expression::Expression;
pub use expression::ExpressionError;
pub use expression::MOST_CONSTANT;
pub use expression::MOST_DEPTH;
pub use expression::MOST_TESTS;
pub use machine::Argument;
pub use machine::Destination;
pub use machine::Link;
pub use machine::MOST_CHAIN;
pub use machine::MOST_OUTPUTS;
pub use machine::MOST_SIGNALS;
pub use machine::MOST_STATES;
pub use machine::MOST_TRANSITIONS;
pub use machine::Machine;
pub use machine::MachineDef;
pub use machine::MachineError;
pub use machine::Output;
pub use machine::StateDef;
pub use machine::Transition;
pub use machine::TransitionDef;
pub use machine::Verdict;
pub use strategy::Commanded;
pub use strategy::MOST_COMMANDED;
pub use strategy::MOST_PRIORITY;
pub use strategy::MOST_REVIEW;
pub use strategy::MOST_STEPS;
pub use strategy::MOST_STRATEGIES;
pub use strategy::Place;
pub use strategy::STEP_DISTANCES;
pub use strategy::STEP_RENEWALS;
pub use strategy::StepDef;
pub use strategy::StepKind;
pub use strategy::Strategies;
pub use strategy::StrategiesDef;
pub use strategy::StrategyDef;
pub use strategy::StrategyError;
pub use strategy::Wing;
