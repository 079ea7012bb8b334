//! Minds: what they decide is what their definitions say.

mod strategies;
