//! A simulation in either number type.

use std::sync::Arc;

use throng::map::Map;
use throng::scenario::Plan;
use throng::world::WorldError;
use throng::{Fx, GroupId, Numeric, Settings};

/// Evaluates an expression for the simulation of an engine, in its number type.
macro_rules! either {
    ($engine:expr, $sim:ident => $value:expr) => {
        match $engine {
            $crate::engine::Engine::F32($sim) => $value,
            $crate::engine::Engine::Fixed($sim) => $value,
        }
    };
}
pub(crate) use either;

/// A simulation whose number type is known when it runs.
pub(crate) enum Engine {
    F32(Box<throng::Simulation<f32>>),
    Fixed(Box<throng::Simulation<Fx>>),
}

impl Engine {
    /// A scenario.
    pub(crate) fn from_plan(plan: Plan) -> Result<Self, WorldError> {
        Ok(match plan.numeric {
            Numeric::F32 => Self::F32(Box::new(throng::Simulation::from_plan(plan)?)),
            Numeric::Fixed => Self::Fixed(Box::new(throng::Simulation::from_plan(plan)?)),
        })
    }

    /// An empty map.
    pub(crate) fn new(
        numeric: Numeric,
        map: Arc<Map>,
        settings: Settings,
    ) -> Result<Self, WorldError> {
        Ok(match numeric {
            Numeric::F32 => Self::F32(Box::new(throng::Simulation::new(map, settings)?)),
            Numeric::Fixed => Self::Fixed(Box::new(throng::Simulation::new(map, settings)?)),
        })
    }

    /// The number type.
    pub(crate) fn numeric(&self) -> Numeric {
        match self {
            Self::F32(_) => Numeric::F32,
            Self::Fixed(_) => Numeric::Fixed,
        }
    }

    /// The handle of the group that has an index now. Whether there is one, the engine finds out.
    pub(crate) fn group_id(&self, index: u16) -> GroupId {
        either!(self, sim => match usize::from(index) < sim.world().groups().len() {
            true => sim.world().group_id(index),
            false => GroupId::new(index),
        })
    }
}
