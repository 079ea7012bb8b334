//! The memory of the tick.

use std::ops::Range;
use std::sync::Arc;

use crate::data::{Column, ColumnView, Row};
use crate::kernel::approach::Mark;
use crate::lane::Numbers;
use crate::space::Grid;
use crate::state::RowDigests;
use crate::tick::crowd::Bodies;
use crate::tick::share::Exchange;
use crate::tick::{
    aim, crowding, fly, force, lanes, march, navigate, near, parcels, plan_senses, ranks, share,
    think, vacancies,
};
use crate::world::{AgentRows, World};

/// Memory of the tick that means nothing between ticks. Kept so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch<N: Numbers> {
    pub(super) grid: Grid<N>,
    /// The other half of the double-buffered columns.
    pub(super) spare: AgentRows<N>,
    /// Soft push on every agent, in metres.
    pub(super) push: Column<[N; 2]>,
    /// Desired velocity, m/s.
    pub(super) desired: Column<[N; 2]>,
    /// Desired velocity of walkers; of agents that stand, their velocity, m/s.
    pub(super) preferred: Column<[N; 2]>,
    /// Desired velocity after avoidance, m/s.
    pub(super) chosen: Column<[N; 2]>,
    /// In what the agents differ (`ALIKE`, `SIZES` or `ALL`), and their sizes, weights and layers.
    pub(super) kind: u8,
    pub(super) bodies: Bodies<N>,
    /// For every chunk, a bit a run: whether an agent in it is to get a place, or a home.
    pub(super) news: Vec<u64>,
    /// What others see of every agent in this tick, by row.
    pub(super) marks: Vec<Mark<N>>,
    /// Near agents by band, and the number of slots of every block, in the row of its first agent.
    pub(super) near: Vec<near::Near<N>>,
    pub(super) near_count: Vec<u32>,
    /// Ways to free places.
    pub(super) vacancies: vacancies::Vacancies,
    /// Crowds and streams, and what they cost.
    pub(super) crowding: crowding::Memory,
    /// Headings of all agents that are under way, by block.
    pub(super) momentum: lanes::Momentum,
    /// What aiming and flight work with, in worlds with weapons.
    pub(super) aim: aim::Memory<N>,
    pub(super) fly: fly::Memory<N>,
    /// What commanders know of every group.
    pub(super) senses: Vec<plan_senses::Sense>,
    /// Row of every id index, in stages that look agents up by id.
    pub(super) rows: Vec<u32>,
    /// How many rows it covers while orders are carried out.
    pub(super) rows_known: usize,
    /// Leaders and searches of agents that go by navigators.
    pub(super) navigate: navigate::Memory<N>,
    /// What agents that think see and decide.
    pub(super) think: think::Memory<N>,
    /// How every company moves in this tick, and its members when they line up.
    pub(super) marches: Vec<march::March<N>>,
    pub(super) ranks: ranks::Memory,
    /// The processes that share the work, and what they send each other of agents.
    pub(super) share: share::Share,
    pub(super) parcels: parcels::Memory<N>,
    /// The caller's own force.
    pub(super) force: force::Force<N>,
}

impl<N: Numbers> Scratch<N> {
    /// Empty memory; the first tick sizes it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Shares the work of every tick from now on with other processes that hold the same world, or with
    /// none.
    pub fn share_with(&mut self, exchange: Option<Arc<dyn Exchange>>) {
        self.share.with(exchange, false);
    }

    /// Divides the agents among processes from now on: after a tick each of them may know the rows of its
    /// own part alone. In all others positions, velocities and tags mean nothing then, until
    /// [`Scratch::gather`]. Worlds whose agents see far, act from afar or remember ways have all rows in
    /// all processes, as by [`Scratch::share_with`].
    pub fn divide_with(&mut self, exchange: Arc<dyn Exchange>) {
        self.share.with(Some(exchange), true);
    }

    /// The rows of a world that this process knows after a tick.
    pub fn rows(&self, world: &World<N>) -> Range<usize> {
        self.share.rows(world.len())
    }

    /// Why all processes have all rows of a world, although it is to be divided; `None` where it is.
    pub fn why_whole(&self, world: &World<N>) -> Option<&'static str> {
        share::why_not(world, self.force.0.is_some())
    }

    /// The digests of the rows of all agents, of which each process makes those of its own; `None` where
    /// this process has all rows. All of them call it between the same ticks.
    pub fn row_digests(&mut self, world: &mut World<N>) -> Option<RowDigests> {
        self.share.digests(&mut world.agents.rows)
    }

    /// All processes get all rows of a world that is divided. All of them call it between the same ticks.
    pub fn gather(&mut self, world: &mut World<N>) {
        self.share.make_whole(&mut world.agents.rows);
    }

    /// The first process gets all rows of a world that is divided, to look at them; the others get none.
    /// All of them call it between the same ticks.
    pub fn gather_to_first(&mut self, world: &mut World<N>) {
        self.share.show_first(&mut world.agents.rows);
    }

    /// What stages hand on to each other within a tick, row by row, for tracing.
    pub fn columns(&self) -> [ColumnView<'_>; 4] {
        [
            view("scratch.push", "m", &self.push),
            view("scratch.desired", "m/s", &self.desired),
            view("scratch.preferred", "m/s", &self.preferred),
            view("scratch.chosen", "m/s", &self.chosen),
        ]
    }
}

fn view<'a, N: Numbers>(
    name: &'static str,
    unit: &'static str,
    column: &'a Column<[N; 2]>,
) -> ColumnView<'a> {
    ColumnView { name, unit, words: <[N; 2]>::WORDS, bytes: column.bytes() }
}
