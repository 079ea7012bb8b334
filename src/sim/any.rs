//! A simulation of a number type that is chosen at run time.

use std::sync::Arc;

use crate::map::Map;
use crate::math::{Fx, Numeric};
use crate::scenario::Plan;
use crate::sim::Simulation;
use crate::world::{Settings, WorldError};

/// A simulation of either number type; [`either!`](crate::either) does something with it.
///
/// ```
/// use throng::{AnySimulation, Map, Numeric, Settings, either};
///
/// let map = Map::from_slowness(20, 10, 1.0, &[16; 200]);
/// let mut sim = AnySimulation::new(Numeric::Fixed, map, Settings::default())?;
/// either!(&mut sim, sim => sim.step());
/// assert_eq!(either!(&sim, sim => sim.tick_count()), 1);
/// # Ok::<(), throng::world::WorldError>(())
/// ```
#[derive(Debug)]
pub enum AnySimulation {
    /// In strict single precision.
    F32(Box<Simulation<f32>>),
    /// In fixed point.
    Fixed(Box<Simulation<Fx>>),
}

/// Does the same with an [`AnySimulation`] of either number type.
#[macro_export]
macro_rules! either {
    ($any:expr, $sim:ident => $do:expr) => {
        match $any {
            $crate::AnySimulation::F32($sim) => $do,
            $crate::AnySimulation::Fixed($sim) => $do,
        }
    };
}

impl AnySimulation {
    /// An empty map.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn new(
        numeric: Numeric,
        map: impl Into<Arc<Map>>,
        settings: Settings,
    ) -> Result<Self, WorldError> {
        Ok(match numeric {
            Numeric::F32 => Self::F32(Box::new(Simulation::new(map, settings)?)),
            Numeric::Fixed => Self::Fixed(Box::new(Simulation::new(map, settings)?)),
        })
    }

    /// A scenario, in its number type.
    ///
    /// # Errors
    /// As [`Simulation::from_plan`].
    pub fn from_plan(plan: Plan) -> Result<Self, WorldError> {
        Ok(match plan.numeric {
            Numeric::F32 => Self::F32(Box::new(Simulation::from_plan(plan)?)),
            Numeric::Fixed => Self::Fixed(Box::new(Simulation::from_plan(plan)?)),
        })
    }

    /// The number type.
    pub fn numeric(&self) -> Numeric {
        match self {
            Self::F32(_) => Numeric::F32,
            Self::Fixed(_) => Numeric::Fixed,
        }
    }
}
