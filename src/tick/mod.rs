//! The tick: one step of a world, as a list of stages.
//!
//! | stage | reads | writes | why here |
//! |---|---|---|---|
//! | orders | orders, tables | groups, tags, new rows | before anybody acts on them |
//! | plan | pos, tags, strategies | strategies, goals of groups | steps of plans are orders |
//! | crowding | pos, tags, fields | crowd costs, fields around crowds | before work on fields |
//! | fields | goals, map, crowd costs | flow fields, the field a group follows | work counted in cells |
//! | sort | pos | every column, in grid order | neighbours become ranges |
//! | neighbours | pos, reach | push, near agents | positions before the move |
//! | think | pos, tags, health, thoughts | what agents decide | all see the world as it is |
//! | navigate | pos, map, crumbs | points to head for, routes | before everybody turns to them |
//! | desire | pos, vel, fields, points | desired, state in tags | needs no push |
//! | companies | pos, slots, desired | anchors, slots, desired, state in tags | slots outrank fields |
//! | arrivals | tags, goals | places of those who have just arrived | the next desire knows them |
//! | behave | desired, pos, vel, walls | desired | steering behaviours know the way to the goal |
//! | aim | pos, vel, health, heights | targets, desired, projectiles | who shoots may halt |
//! | avoid | pos, vel, desired, walls | desired, marks | velocities are those of the last tick |
//! | motion | desired, push, near agents, marks, walls | vel, pos | everybody moves at once |
//! | contacts | pos after the move, near agents, walls | pos, vel | overlaps are moved apart |
//! | fly | projectiles, pos before and after | projectiles, health, state in tags | all have moved |
//! | decide | what agents decided | thoughts, groups, signals | late: nobody sees another half-changed |
//! | reap | tags | every column, ids | nobody's row goes stale in the middle |
//!
//! A stage reads what earlier ones wrote. No result depends on threads, chunks or lane width.

mod accumulator;
mod aim;
mod anchor;
mod arrivals;
mod avoid;
mod behave;
mod building;
mod cast;
mod companies;
mod company_orders;
mod compiled;
mod contacts;
mod crowd;
mod crowding;
mod decide;
mod desire;
mod fields;
mod fly;
mod footing;
mod holding;
mod lanes;
mod march;
mod marks;
mod minds;
mod motion;
mod navigate;
mod near;
mod neighbours;
mod orders;
mod perceive;
mod plan;
mod plan_orders;
mod plan_senses;
mod ranks;
mod sending;
mod settle;
mod sort;
mod streams;
mod think;
mod vacancies;
mod walls;

pub use accumulator::Accumulator;

use crate::data::Column;
use crate::data::ColumnView;
use crate::data::Row;
use crate::kernel::approach::Mark;
use crate::kernel::separate::Body;
use crate::lane::Lane;
use crate::lane::Numbers;
use crate::nav::field::CrowdCosts;
use crate::nav::streams::Streams;
use crate::nav::streams::Strip;
use crate::space::Grid;
use crate::tick::compiled::Ended;
use crate::world::Agents;
use crate::world::Order;
use crate::world::World;

/// Agents of a chunk: a unit of parallel work of the stages that see one agent at a time.
const CHUNK: usize = 1_024;
/// Agents of a run: what `desire` tells `arrivals` about. A chunk has as many as a word has bits.
const RUN: usize = CHUNK / 64;

/// A stage of the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Orders take effect.
    Orders,
    /// Strategies are reviewed, and steps of plans begin.
    Plan,
    /// Crowds are counted.
    Crowding,
    /// Flow fields are worked on.
    Fields,
    /// Agents are sorted by place.
    Sort,
    /// Neighbours push.
    Neighbours,
    /// Those who think look around and decide.
    Think,
    /// Those who find their own way choose where to head for.
    Navigate,
    /// Everybody finds a desired velocity.
    Desire,
    /// Formations move, and their members keep them.
    Companies,
    /// Those who have just arrived get a place.
    Arrivals,
    /// Steering behaviours change what is desired.
    Behave,
    /// Targets are chosen, and shots fired.
    Aim,
    /// Velocities that keep clear of others are chosen.
    Avoid,
    /// Forces become motion; walls hold.
    Motion,
    /// Those who overlap are moved apart.
    Contacts,
    /// Projectiles fly and strike.
    Fly,
    /// What was decided comes true.
    Decide,
    /// Those who leave are gone.
    Reap,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 19] = [
        Self::Orders,
        Self::Plan,
        Self::Crowding,
        Self::Fields,
        Self::Sort,
        Self::Neighbours,
        Self::Think,
        Self::Navigate,
        Self::Desire,
        Self::Companies,
        Self::Arrivals,
        Self::Behave,
        Self::Aim,
        Self::Avoid,
        Self::Motion,
        Self::Contacts,
        Self::Fly,
        Self::Decide,
        Self::Reap,
    ];

    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Plan => "plan",
            Self::Crowding => "crowding",
            Self::Fields => "fields",
            Self::Sort => "sort",
            Self::Neighbours => "neighbours",
            Self::Think => "think",
            Self::Navigate => "navigate",
            Self::Desire => "desire",
            Self::Companies => "companies",
            Self::Arrivals => "arrivals",
            Self::Behave => "behave",
            Self::Aim => "aim",
            Self::Avoid => "avoid",
            Self::Motion => "motion",
            Self::Contacts => "contacts",
            Self::Fly => "fly",
            Self::Decide => "decide",
            Self::Reap => "reap",
        }
    }
}

/// Is told when stages end, so that the rim can time and trace them. It cannot change a result.
pub trait Probe {
    /// The stage has ended, and left this.
    fn ended<N: Numbers>(&mut self, stage: Stage, world: &World<N>, scratch: &Scratch<N>);

    /// Whether it reads [`Scratch::columns`], which are emptied before the tick then: what the tick
    /// before left in them is not the same after a restore.
    fn reads_scratch(&self) -> bool {
        false
    }
}

impl Probe for () {
    fn ended<N: Numbers>(&mut self, _: Stage, _: &World<N>, _: &Scratch<N>) {}
}

/// Memory of the tick that means nothing between ticks. Kept so that nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch<N: Numbers> {
    grid: Grid<N>,
    /// The other half of the double-buffered columns.
    spare: Agents<N>,
    /// Soft push on every agent, in metres.
    push: Column<[N; 2]>,
    /// Desired velocity, m/s.
    desired: Column<[N; 2]>,
    /// The same of walkers; of those who stand, their velocity.
    wishes: Column<[N; 2]>,
    /// What avoidance makes of it.
    chosen: Column<[N; 2]>,
    /// In what the agents differ, and what they are like, unless they are alike.
    kind: u8,
    bodies: Vec<Body<N>>,
    /// Radius and reach of every agent in the same case, in metres.
    spans: Vec<[N; 2]>,
    /// Radius and weight, and layer, of every agent in the same case.
    discs: Vec<[N; 2]>,
    layers: Vec<u32>,
    /// For every chunk, a bit a run: whether somebody in it is to get a place, or a home.
    news: Vec<u64>,
    /// What others see of every agent in this tick, by row.
    marks: Vec<Mark<N>>,
    /// Near agents by band, and the number of slots of every block, in the row of its first agent.
    near: Vec<near::Near<N>>,
    near_count: Vec<u32>,
    /// Ways to free places.
    vacancies: vacancies::Vacancies,
    /// Agents by block, when crowds are counted.
    crowd: crowding::Counts,
    /// Headings of all who are under way, by block.
    momentum: lanes::Momentum,
    /// Where routes will meet, what that costs a group by block, and the same as costs of a field.
    streams: Streams,
    by_group: streams::ByGroup,
    strips: Vec<Strip>,
    extra: Vec<u8>,
    costs: CrowdCosts,
    /// What aiming and flight work with, in worlds with weapons.
    aim: aim::Memory<N>,
    fly: fly::Memory<N>,
    /// What commanders know of every group.
    senses: Vec<plan_senses::Sense>,
    /// Row of every id index, when orders name agents or some find their own way.
    rows: Vec<u32>,
    /// What those are helped with.
    navigate: navigate::Memory<N>,
    /// What those who think see and decide.
    think: think::Memory<N>,
    /// How every company moves in this tick, and its members when they line up.
    marches: Vec<march::March<N>>,
    muster: ranks::Muster,
}

impl<N: Numbers> Scratch<N> {
    /// Empty memory; the first tick sizes it.
    pub fn new() -> Self {
        Self::default()
    }

    /// What stages hand on to each other within a tick, row by row, for tracing.
    pub fn columns(&self) -> [ColumnView<'_>; 4] {
        [
            view("scratch.push", "m", &self.push),
            view("scratch.desired", "m/s", &self.desired),
            view("scratch.wishes", "m/s", &self.wishes),
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

/// Takes the world one tick on.
pub fn tick<N: Numbers>(world: &mut World<N>, orders: &[Order], scratch: &mut Scratch<N>) {
    tick_with::<N::Wide>(world, orders, scratch, &mut ());
}

/// [`tick`] with lanes `L` (8, or 1 for the scalar twin) and a probe. The bits are the same.
///
/// # Panics
/// When `L` is neither [`Numbers::Wide`] nor [`Numbers::Single`] of `f32` or of
/// [`Fx`](crate::math::Fx).
pub fn tick_with<L: Lane>(
    world: &mut World<L::Num>,
    orders: &[Order],
    scratch: &mut Scratch<L::Num>,
    probe: &mut impl Probe,
) where
    L::Num: Numbers,
{
    if probe.reads_scratch() {
        let handed_on =
            [&mut scratch.push, &mut scratch.desired, &mut scratch.wishes, &mut scratch.chosen];
        handed_on.into_iter().for_each(|column| column.resize(0));
    }
    let mut ended = |stage, world: &World<L::Num>, scratch: &Scratch<L::Num>| {
        probe.ended(stage, world, scratch);
    };
    compiled::of::<L>()(world, orders, scratch, &mut ended);
}

/// All stages in order; [`compiled`] makes one function of this for each kind of lanes.
fn stages<L: Lane>(
    world: &mut World<L::Num>,
    orders: &[Order],
    scratch: &mut Scratch<L::Num>,
    ended: Ended<'_, L::Num>,
) where
    L::Num: Numbers,
{
    orders::run(world, orders, scratch);
    ended(Stage::Orders, world, scratch);
    plan::run(world, scratch);
    ended(Stage::Plan, world, scratch);
    crowding::run(world, scratch);
    holding::run(world);
    ended(Stage::Crowding, world, scratch);
    fields::run(world);
    ended(Stage::Fields, world, scratch);
    sort::run(world, scratch);
    ended(Stage::Sort, world, scratch);
    neighbours::run::<L>(world, scratch);
    ended(Stage::Neighbours, world, scratch);
    think::run::<L>(world, scratch);
    ended(Stage::Think, world, scratch);
    navigate::run(world, scratch);
    ended(Stage::Navigate, world, scratch);
    desire::run::<L>(world, scratch);
    ended(Stage::Desire, world, scratch);
    companies::run(world, scratch);
    ended(Stage::Companies, world, scratch);
    arrivals::run(world, scratch);
    ended(Stage::Arrivals, world, scratch);
    behave::run::<L>(world, scratch);
    ended(Stage::Behave, world, scratch);
    aim::run::<L>(world, scratch);
    ended(Stage::Aim, world, scratch);
    lanes::run::<L>(world, scratch);
    marks::run::<L>(world, scratch);
    avoid::run::<L>(world, scratch);
    ended(Stage::Avoid, world, scratch);
    motion::run::<L>(world, scratch);
    ended(Stage::Motion, world, scratch);
    contacts::run::<L>(world, scratch);
    ended(Stage::Contacts, world, scratch);
    fly::run::<L>(world, scratch);
    ended(Stage::Fly, world, scratch);
    decide::run(world, scratch);
    ended(Stage::Decide, world, scratch);
    world.reap();
    world.tick += 1;
    ended(Stage::Reap, world, scratch);
}
