//! Orders by tick: of a scenario and a page, or of a replay.

use std::collections::BTreeMap;
use std::sync::Arc;

use throng::lane::Numbers;
use throng::replay::{Player, Replay, ReplayError};
use throng::scenario::Plan;
use throng::world::{Order, World, WorldError};

use crate::error::CliError;

/// Where orders come from.
pub(super) enum Script {
    /// A live run.
    Live {
        plan: Box<Plan>,
        /// The orders of the ticks that are done, where there were any.
        given: BTreeMap<u64, Vec<Order>>,
    },
    /// A replay, and its file.
    Replay { replay: Box<Replay>, file: Arc<Vec<u8>>, name: String },
}

impl Script {
    /// A run of a plan.
    pub(super) fn live(plan: Plan) -> Self {
        Self::Live { plan: Box::new(plan), given: BTreeMap::new() }
    }

    /// The world as it is before the first tick.
    pub(super) fn first_world<N: Numbers>(&self) -> Result<World<N>, CliError> {
        let failed = |source: WorldError| CliError::World { source };
        match self {
            Self::Live { plan, .. } => World::new(plan.map.clone(), plan.settings).map_err(failed),
            Self::Replay { replay, name, .. } => {
                let refused = |source: ReplayError| CliError::Replay { path: name.into(), source };
                Ok(Player::<N>::new(replay).map_err(refused)?.world().clone())
            }
        }
    }

    /// Ticks done before the first that is here.
    pub(super) fn first(&self) -> u64 {
        match self {
            Self::Live { .. } => 0,
            Self::Replay { replay, .. } => replay.header.first_tick,
        }
    }

    /// Ticks done at the end.
    pub(super) fn end(&self) -> u64 {
        match self {
            Self::Live { plan, .. } => plan.ticks,
            Self::Replay { replay, .. } => replay.end_tick(),
        }
    }

    /// Whether orders can be given.
    pub(super) fn is_live(&self) -> bool {
        matches!(self, Self::Live { .. })
    }

    /// The replay, if this is one.
    pub(super) fn replay(&self) -> Option<&Replay> {
        match self {
            Self::Live { .. } => None,
            Self::Replay { replay, .. } => Some(replay),
        }
    }

    /// Writes down the orders of a tick that is about to be done for the first time: the scenario's,
    /// then the page's.
    pub(super) fn decide(&mut self, tick: u64, mut orders: Vec<Order>) {
        let Self::Live { plan, given } = self else { return };
        let mut all: Vec<Order> = plan.orders_at(tick).cloned().collect();
        all.append(&mut orders);
        if !all.is_empty() {
            given.insert(tick, all);
        }
    }

    /// The orders of a tick, which has been decided.
    pub(super) fn orders(&self, tick: u64) -> &[Order] {
        match self {
            Self::Live { given, .. } => given.get(&tick).map_or(&[], Vec::as_slice),
            Self::Replay { replay, .. } => replay.frame(tick).map_or(&[], |frame| &frame.orders),
        }
    }

    /// The ticks with orders that are done by a tick, from the first on.
    pub(super) fn orders_before(&self, tick: u64) -> Box<dyn Iterator<Item = &Order> + '_> {
        match self {
            Self::Live { given, .. } => Box::new(given.range(..tick).flat_map(|(_, all)| all)),
            Self::Replay { replay, .. } => {
                let frames = replay.frames.iter().take_while(move |frame| frame.tick < tick);
                Box::new(frames.flat_map(|frame| &frame.orders))
            }
        }
    }
}
