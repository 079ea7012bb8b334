//! Minds: what they decide is what their definitions say.

mod fuzzy;
mod fuzzy_errors;
mod fuzzy_oracle;
