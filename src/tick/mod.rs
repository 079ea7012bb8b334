//! The tick: one step of a world, as a list of stages.
//!
//! | stage | reads | writes | why here |
//! |---|---|---|---|
//! | orders | orders, tables | groups, tags, new rows | before anybody acts on them |
//! | crowding | pos, vel, tags | crowd costs, fields asked for | before work on fields |
//! | fields | goals, map, crowd costs | flow fields, the field a group follows | work counted in cells |
//! | sort | pos | every column, in grid order | neighbours become ranges |
//! | neighbours | pos, radii | push, contact | positions before the move |
//! | desire | pos, vel, fields | desired, state in tags | needs neither push nor contact |
//! | arrivals | tags, goals | places of those who have just arrived | the next desire knows them |
//! | motion | desired, push, contact, walls | vel, pos | the only stage that moves agents |
//! | reap | tags | every column, ids | nobody's row goes stale in the middle |
//!
//! A stage reads what earlier ones wrote. No result depends on threads, chunks or lane width.

mod accumulator;
mod arrivals;
mod cast;
mod crowding;
mod desire;
mod fields;
mod motion;
mod neighbours;
mod orders;
mod sort;

pub use accumulator::Accumulator;

use crate::data::Column;
use crate::lane::Lane;
use crate::lane::Numbers;
use crate::space::Grid;
use crate::world::Agents;
use crate::world::Order;
use crate::world::World;

/// Agents of a chunk: a unit of parallel work of the stages that see one agent at a time.
const CHUNK: usize = 1_024;

/// A stage of the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Orders take effect.
    Orders,
    /// Crowds are counted.
    Crowding,
    /// Flow fields are worked on.
    Fields,
    /// Agents are sorted by place.
    Sort,
    /// Neighbours push.
    Neighbours,
    /// Everybody finds a desired velocity.
    Desire,
    /// Those who have just arrived get a place.
    Arrivals,
    /// Forces become motion; walls hold.
    Motion,
    /// Those who leave are gone.
    Reap,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Orders,
        Self::Crowding,
        Self::Fields,
        Self::Sort,
        Self::Neighbours,
        Self::Desire,
        Self::Arrivals,
        Self::Motion,
        Self::Reap,
    ];

    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Crowding => "crowding",
            Self::Fields => "fields",
            Self::Sort => "sort",
            Self::Neighbours => "neighbours",
            Self::Desire => "desire",
            Self::Arrivals => "arrivals",
            Self::Motion => "motion",
            Self::Reap => "reap",
        }
    }
}

/// Is told when stages end, so that the rim can time them. It cannot change a result.
pub trait Probe {
    /// The stage has ended.
    fn ended(&mut self, stage: Stage);
}

impl Probe for () {
    fn ended(&mut self, _: Stage) {}
}

/// Memory of the tick that means nothing between ticks. Kept so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch<N: Numbers> {
    grid: Grid<N>,
    /// The other half of the double-buffered columns.
    spare: Agents<N>,
    /// Soft push and overlap of every agent, in metres.
    push: Column<[N; 2]>,
    contact: Column<[N; 2]>,
    /// Desired velocity, m/s.
    desired: Column<[N; 2]>,
    /// Half range and radius of every agent where groups differ.
    sizes: Column<[N; 2]>,
    /// For every chunk: whether somebody in it has just arrived.
    fresh: Vec<bool>,
    /// Agents by block, when crowds are counted.
    crowd: crowding::Counts,
    /// Row of every id index, when orders name agents.
    rows: Vec<u32>,
}

impl<N: Numbers> Scratch<N> {
    /// Empty memory; the first tick sizes it.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Takes the world one tick on.
pub fn tick<N: Numbers>(world: &mut World<N>, orders: &[Order], scratch: &mut Scratch<N>) {
    tick_with::<N::Wide>(world, orders, scratch, &mut ());
}

/// [`tick`] with lanes `L` (8, or 1 for the scalar twin) and a probe. The bits are the same.
pub fn tick_with<L: Lane>(
    world: &mut World<L::Num>,
    orders: &[Order],
    scratch: &mut Scratch<L::Num>,
    probe: &mut impl Probe,
) where
    L::Num: Numbers,
{
    orders::run(world, orders, scratch);
    probe.ended(Stage::Orders);
    crowding::run(world, scratch);
    probe.ended(Stage::Crowding);
    fields::run(world);
    probe.ended(Stage::Fields);
    sort::run(world, scratch);
    probe.ended(Stage::Sort);
    neighbours::run::<L>(world, scratch);
    probe.ended(Stage::Neighbours);
    desire::run::<L>(world, scratch);
    probe.ended(Stage::Desire);
    arrivals::run(world, scratch);
    probe.ended(Stage::Arrivals);
    motion::run::<L>(world, scratch);
    probe.ended(Stage::Motion);
    world.reap();
    world.tick += 1;
    probe.ended(Stage::Reap);
}
