//! What is wrong with a recipe.

/// Why a recipe makes no map: which step and key, what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}`{key}`: {wrong}; expected {expected}", place(.step))]
pub struct GenerateError {
    /// Number of the step, from 0; `None` for the recipe as a whole.
    pub step: Option<usize>,
    /// Number of the rule or walker within the step, from 0; `None` for the step as a whole.
    pub entry: Option<usize>,
    /// The key, as scenario files have it.
    pub key: &'static str,
    /// What is wrong, with the value, as in `-3 is not above 0`.
    pub wrong: String,
    /// What would be right, as in `a length in metres, above 0 and at most 16384`.
    pub expected: String,
}

fn place(step: &Option<usize>) -> String {
    step.map_or_else(String::new, |step| format!("step {}: ", step + 1))
}

impl GenerateError {
    /// Something wrong with the recipe as a whole.
    pub(super) fn whole(
        key: &'static str,
        wrong: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self { step: None, entry: None, key, wrong: wrong.into(), expected: expected.into() }
    }

    /// The same, of a step.
    pub(super) fn of(self, step: usize) -> Self {
        Self { step: Some(step), ..self }
    }
}
