//! [`Crowd`].

use std::ops::{Deref, DerefMut};

use bevy_ecs::prelude::*;
use throng::{Numbers, Simulation};

/// The crowd of an app: a simulation that is stepped once in every `FixedUpdate`.
///
/// It is a [`Simulation`] in all but its clock: how many ticks a frame does, Bevy's fixed time decides.
/// Orders that are given through it take effect at once.
#[derive(Resource, Debug)]
pub struct Crowd<N: Numbers = f32> {
    sim: Simulation<N>,
}

impl<N: Numbers> From<Simulation<N>> for Crowd<N> {
    fn from(sim: Simulation<N>) -> Self {
        Self { sim }
    }
}

impl<N: Numbers> Deref for Crowd<N> {
    type Target = Simulation<N>;

    fn deref(&self) -> &Simulation<N> {
        &self.sim
    }
}

impl<N: Numbers> DerefMut for Crowd<N> {
    fn deref_mut(&mut self) -> &mut Simulation<N> {
        &mut self.sim
    }
}
