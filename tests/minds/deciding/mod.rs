//! Minds: what they decide is what their definitions say.

mod expressions;
mod fuzzy;
mod fuzzy_cases;
mod fuzzy_errors;
mod fuzzy_oracle;
mod machines;
mod strategies;
