//! A value that only its owner reaches.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A value that is reached through `&mut` alone. So what holds one can be shared between threads, even
/// where the value itself cannot.
pub(super) struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub(super) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> fmt::Debug for Exclusive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exclusive")
    }
}

#[cfg(test)]
mod tests {
    use crate::math::Fx;
    use crate::sim::Simulation;

    #[test]
    fn a_simulation_can_be_shared_between_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Simulation<f32>>();
        shared::<Simulation<Fx>>();
    }
}
