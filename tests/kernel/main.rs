//! Kernels: lanes against one lane, and against plain formulas.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod avoidance;
mod index;
mod intercept;
mod lanes;
mod steering;
