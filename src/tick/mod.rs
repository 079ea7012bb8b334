//! The tick: one step of a world, as a list of stages.
//!
//! | stage | reads | writes | why here |
//! |---|---|---|---|
//! | orders | orders, tables | groups, tags, new rows | before any agent acts on them |
//! | plan | pos, tags, strategies | strategies, goals of groups | steps of plans are orders |
//! | crowding | pos, tags, fields | crowd costs, fields around crowds | before work on fields |
//! | fields | goals, map, crowd costs | flow fields, the field a group follows | work counted in cells |
//! | sort | pos | every column, in grid order | neighbours become ranges |
//! | neighbours | pos, reach | push, near agents | positions before the move |
//! | think | pos, tags, health, thoughts | what agents decide | all see the world as it is |
//! | navigate | pos, map, crumbs | points to head for, routes | before agents turn to them |
//! | desire | pos, vel, fields, points | desired, state in tags | needs no push |
//! | companies | pos, slots, desired | anchors, slots, desired, state in tags | slots outrank fields |
//! | arrivals | tags, goals | places of agents that have just arrived | the next desire knows them |
//! | behave | desired, pos, vel, walls | desired | steering behaviours know the way to the goal |
//! | aim | pos, vel, health, heights | targets, desired, projectiles | agents that shoot may halt |
//! | avoid | pos, vel, desired, walls | desired, marks | velocities are those of the last tick |
//! | motion | desired, push, near agents, marks, walls | vel, pos | all agents move at once |
//! | contacts | pos after the move, near agents, walls | pos, vel | overlaps are moved apart |
//! | fly | projectiles, pos before and after | projectiles, health, state in tags | all have moved |
//! | decide | what agents decided | thoughts, groups, signals | late: none sees another half-changed |
//! | reap | tags | every column, ids | no row goes stale in the middle |
//!
//! A stage reads what earlier ones wrote. No result depends on threads, chunks or lane width. After
//! `behave`, a force of the caller's own may change what agents desire.

mod accumulator;
mod agent_orders;
mod aim;
mod anchor;
mod arrivals;
mod avoid;
mod behave;
mod block_traits;
mod building;
mod choosing;
mod companies;
mod company_orders;
mod contacts;
mod courses;
mod crowd;
mod crowding;
mod decide;
mod desire;
mod detachments;
mod divide;
mod door_orders;
mod entering;
mod fields;
mod fly;
mod following;
mod force;
mod holding;
mod lanes;
mod leaving;
mod march;
mod marks;
mod minds;
mod motion;
mod navigate;
mod near;
mod neighbours;
mod orders;
mod own_goals;
mod parcels;
mod perceive;
mod plan;
mod plan_orders;
mod plan_senses;
mod ranks;
mod removal;
mod scratch;
mod sending;
mod settle;
mod share;
mod sort;
mod stages;
mod streams;
mod strip;
mod structure_orders;
mod terrain;
mod think;
mod traffic_orders;
mod vacancies;
mod walls;

pub use accumulator::Accumulator;
pub use scratch::Scratch;
pub use share::{Exchange, Rows};
pub use stages::Stage;

use crate::lane::{Lane, Numbers, built_here};
use crate::world::{Order, World};

/// Agents of a chunk: a unit of parallel work of the stages that see one agent at a time.
const CHUNK: usize = 1_024;
/// Agents of a run: what `desire` tells `arrivals` about. A chunk has as many as a word has bits.
const RUN: usize = CHUNK / 64;

/// Is told when stages end, so that the rim can time and trace them. It cannot change a result.
pub trait Probe {
    /// The stage has ended; `world` and `scratch` are as it has left them.
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
) {
    if probe.reads_scratch() {
        let handed_on =
            [&mut scratch.push, &mut scratch.desired, &mut scratch.preferred, &mut scratch.chosen];
        handed_on.into_iter().for_each(|column| column.resize(0));
    }
    let mut ended = |stage, world: &World<L::Num>, scratch: &Scratch<L::Num>| {
        probe.ended(stage, world, scratch);
    };
    stages::of::<L>()(world, Some(orders), scratch, &mut ended);
}

/// Begins a tick whose orders are given one by one: [`begin`], [`give`] for each, and [`go_on`] are
/// together what [`tick`] is.
pub(crate) fn begin<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    built_here!(N; fn(world: &mut World<N>, scratch: &mut Scratch<N>) = orders::begin)(
        world, scratch,
    );
}

/// Gives an order in a tick that has begun; the last of [`World::outcomes`] says what became of it.
pub(crate) fn give<N: Numbers>(world: &mut World<N>, order: &Order, scratch: &mut Scratch<N>) {
    built_here!(N; fn(world: &mut World<N>, order: &Order, scratch: &mut Scratch<N>) = orders::give)(
        world, order, scratch,
    );
}

/// Has a force change what agents desire in every tick from now on, or none.
pub(crate) fn set_force<N: Numbers>(
    scratch: &mut Scratch<N>,
    change: Option<std::sync::Arc<force::Change<N>>>,
) {
    scratch.force = force::Force(change);
}

/// Does the rest of a tick that has begun, once its orders have been given.
pub(crate) fn go_on<N: Numbers>(
    world: &mut World<N>,
    scratch: &mut Scratch<N>,
    probe: &mut impl Probe,
) {
    let mut ended = |stage, world: &World<N>, scratch: &Scratch<N>| {
        probe.ended(stage, world, scratch);
    };
    stages::of::<N::Wide>()(world, None, scratch, &mut ended);
}
