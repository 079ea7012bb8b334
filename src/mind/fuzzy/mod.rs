//! Fuzzy control: rules in words, from inputs to outputs (Mamdani).
//!
//! ```
//! use throng::kernel::fuzzy;
//! use throng::mind::fuzzy::{Controller, Output, Rule, Shape, Term, Variable};
//!
//! let term = |name: &str, shape| Term { name: name.into(), shape };
//! let distance = Variable {
//!     name: "distance".into(),
//!     range: [0.0, 100.0],
//!     terms: vec![
//!         term("near", Shape::LeftShoulder([10.0, 40.0])),
//!         term("far", Shape::RightShoulder([10.0, 40.0])),
//!     ],
//! };
//! let speed = Variable {
//!     name: "speed".into(),
//!     range: [0.0, 6.0],
//!     terms: vec![
//!         term("slow", Shape::Triangle([0.0, 1.0, 2.0])),
//!         term("fast", Shape::Triangle([3.0, 4.0, 5.0])),
//!     ],
//! };
//! let controller = Controller {
//!     name: "walk".into(),
//!     inputs: vec![distance],
//!     outputs: vec![Output { variable: speed, default: None }],
//!     rules: vec![
//!         Rule::new("if distance is near then speed is slow"),
//!         Rule::new("if distance is far then speed is fast"),
//!     ],
//! };
//! let compiled = controller.compile::<f32>()?;
//! // Columns are padded to whole blocks of 8 rows.
//! let (distance, mut speed) = ([5.0, 25.0, 60.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 8]);
//! fuzzy::evaluate(&compiled, 3, &[&distance], &mut [&mut speed]);
//! for (speed, centre) in speed.into_iter().zip([1.0_f32, 2.5, 4.0]) {
//!     assert!((speed - centre).abs() < 1e-5);
//! }
//! # Ok::<(), throng::mind::fuzzy::FuzzyError>(())
//! ```
//!
//! What is computed, and how: [`kernel::fuzzy`](crate::kernel::fuzzy).

mod area;
mod check;
mod compile;
mod rule;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::kernel::fuzzy::{MAX_INPUTS, MAX_OUTPUTS, MAX_TERMS};

/// Rules of a controller at most.
pub const MAX_RULES: usize = 64;
/// Clauses of a rule at most.
pub const MAX_CLAUSES: usize = 32;
/// Brackets, and `not`s, within each other at most.
pub const MAX_DEPTH: usize = 16;
/// Largest number that a range may hold.
pub const MAX_NUMBER: f64 = 32_000.0;
/// Least width of a range.
pub const LEAST_WIDTH: f64 = 1.0 / 1024.0;
/// Least width of a term, as a share of its variable's range.
pub const LEAST_SHARE: f64 = 1.0 / 65_536.0;

/// How much a number belongs to a term, from 0 to 1: by where that begins and ends to rise and fall.
/// Numbers may be equal: then the side is a step, and its foot belongs to the term in full.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// 0 at the first and the last, 1 at the one between.
    Triangle([f64; 3]),
    /// 0 at the first and the last, 1 between the two others.
    Trapezoid([f64; 4]),
    /// 1 from the range's start to the first, 0 from the second on.
    LeftShoulder([f64; 2]),
    /// 0 up to the first, 1 from the second to the range's end.
    RightShoulder([f64; 2]),
}

impl Shape {
    /// The numbers that declare it.
    pub fn points(&self) -> &[f64] {
        match self {
            Self::Triangle(points) => points,
            Self::Trapezoid(points) => points,
            Self::LeftShoulder(points) | Self::RightShoulder(points) => points,
        }
    }

    /// The same as a trapezoid within a range.
    pub fn trapezoid(&self, range: [f64; 2]) -> [f64; 4] {
        match *self {
            Self::Triangle([a, b, c]) => [a, b, b, c],
            Self::Trapezoid(points) => points,
            Self::LeftShoulder([c, d]) => [range[0], range[0], c, d],
            Self::RightShoulder([a, b]) => [a, b, range[1], range[1]],
        }
    }
}

/// A word for some of a variable's values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What rules call it: letters, digits, `_` and `-`, from a letter or `_` on.
    pub name: String,
    /// The values that it is for.
    pub shape: Shape,
}

/// An input or an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// What rules call it: letters, digits, `_` and `-`, from a letter or `_` on.
    pub name: String,
    /// Least and largest value, in the variable's own unit: within ±[`MAX_NUMBER`], and at least
    /// [`LEAST_WIDTH`] apart. An input outside of it counts as the nearest end.
    pub range: [f64; 2],
    /// 1 to [`MAX_TERMS`] terms; of an output's at most two overlap at any value.
    pub terms: Vec<Term>,
}

impl Variable {
    /// The term of a name.
    fn term(&self, name: &str) -> Option<usize> {
        self.terms.iter().position(|term| term.name == name)
    }

    /// A term's shape as a trapezoid.
    fn trapezoid(&self, term: usize) -> [f64; 4] {
        self.terms[term].shape.trapezoid(self.range)
    }
}

/// An output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// Its name, range and terms.
    pub variable: Variable,
    /// What it is when no rule fires; the middle of the range unless declared.
    pub default: Option<f64>,
}

impl Output {
    /// What it is when no rule fires.
    pub fn default_value(&self) -> f64 {
        let [least, most] = self.variable.range;
        self.default.unwrap_or(0.5 * (least + most))
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// `if distance is near and not health is low then aggression is high`. Clauses are joined by
    /// `and` (the least), `or` (the largest) and `not` (1 less the value); `not` binds more tightly
    /// than `and`, and that more tightly than `or`; brackets group. `is not` is as good as `not`. A
    /// rule may have several conclusions, joined by `and`.
    pub text: String,
    /// What its value is multiplied with, from 0 to 1.
    pub weight: f64,
}

impl Rule {
    /// A rule of weight 1.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), weight: 1.0 }
    }
}

/// Rules from inputs to outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Controller {
    /// What it is called: letters, digits, `_` and `-`, from a letter or `_` on.
    pub name: String,
    /// At most [`MAX_INPUTS`], in the order of the columns.
    pub inputs: Vec<Variable>,
    /// At most [`MAX_OUTPUTS`], in the order of the columns.
    pub outputs: Vec<Output>,
    /// At most [`MAX_RULES`].
    pub rules: Vec<Rule>,
}

/// A part of a controller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The controller itself.
    Controller,
    /// An input.
    Input(usize),
    /// A term of an input.
    InputTerm(usize, usize),
    /// An output.
    Output(usize),
    /// A term of an output.
    OutputTerm(usize, usize),
    /// A rule.
    Rule(usize),
    /// Some of a rule's text.
    Text {
        /// The rule, by index.
        rule: usize,
        /// Its bytes.
        bytes: Range<usize>,
    },
}

/// What is wrong with a controller, and which part of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{wrong}; expected {expected}")]
pub struct FuzzyError {
    /// The part that is wrong.
    pub part: Part,
    /// What is wrong, with the value.
    pub wrong: String,
    /// What would be right.
    pub expected: String,
}

impl FuzzyError {
    fn new(part: Part, wrong: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { part, wrong: wrong.into(), expected: expected.into() }
    }
}
