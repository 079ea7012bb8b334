//! The stages in their order.

use crate::lane::{F32x8, Fx8, Lane, Numbers, built_here};
use crate::math::Fx;
use crate::tick::scratch::Scratch;
use crate::tick::{
    aim, arrivals, avoid, behave, choosing, companies, contacts, crowding, decide, desire, divide,
    entering, fields, fly, following, force, holding, lanes, leaving, marks, motion, navigate,
    neighbours, orders, plan, share, sort, structure_orders, think,
};
use crate::world::{Order, World};

/// A stage of the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Orders take effect, sources bring agents, and agents that have waited long enough set off.
    Orders,
    /// Strategies are reviewed, and steps of plans begin.
    Plan,
    /// Crowds are counted.
    Crowding,
    /// Flow fields are worked on, exits chosen, and leaders seen.
    Fields,
    /// Agents are sorted by place.
    Sort,
    /// Neighbours push.
    Neighbours,
    /// Agents that think look around and decide.
    Think,
    /// Agents that find their own way choose where to head for.
    Navigate,
    /// Every agent finds a desired velocity.
    Desire,
    /// Formations move, and their members keep them.
    Companies,
    /// Agents that have just arrived get a place.
    Arrivals,
    /// Steering behaviours change what is desired.
    Behave,
    /// Targets are chosen, and shots fired.
    Aim,
    /// Velocities that keep clear of others are chosen.
    Avoid,
    /// Forces become motion; walls hold.
    Motion,
    /// Agents that overlap are moved apart.
    Contacts,
    /// Projectiles fly and strike, and structures fall.
    Fly,
    /// What was decided comes true, and agents in sinks are to leave.
    Decide,
    /// Agents that leave are gone.
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

/// Called at the end of every stage.
pub(super) type Ended<'a, N> = &'a mut dyn FnMut(Stage, &World<N>, &Scratch<N>);

/// All stages of a tick, in order.
pub(super) type Stages<N> = fn(&mut World<N>, Option<&[Order]>, &mut Scratch<N>, Ended<'_, N>);

/// The stages for lanes `L`.
pub(super) fn of<L: Lane>() -> Stages<L::Num> {
    built_here!(L in [F32x8, f32, Fx8, Fx]; fn(
        world: &mut World<<L as Lane>::Num>,
        orders: Option<&[Order]>,
        scratch: &mut Scratch<<L as Lane>::Num>,
        ended: Ended<'_, <L as Lane>::Num>,
    ) = stages::<L>)
}

/// All stages in order. `orders` is `None` when the tick has begun and its orders have been given.
fn stages<L: Lane>(
    world: &mut World<L::Num>,
    orders: Option<&[Order]>,
    scratch: &mut Scratch<L::Num>,
    ended: Ended<'_, L::Num>,
) {
    if let Some(orders) = orders {
        orders::begin(world, scratch);
        orders.iter().for_each(|order| orders::give(world, order, scratch));
    }
    divide::begin(world, scratch);
    orders::end(world);
    entering::run(world);
    ended(Stage::Orders, world, scratch);
    plan::run(world, scratch);
    ended(Stage::Plan, world, scratch);
    divide::decide(world, scratch);
    count_crowds(world, scratch);
    ended(Stage::Crowding, world, scratch);
    let World { ground, agents, groups, routes, .. } = world;
    fields::run(&agents.rows, ground, groups, routes);
    choosing::run(world);
    following::run(world);
    ended(Stage::Fields, world, scratch);
    match scratch.share.is_apart() {
        true => divide::sort_own(world, scratch),
        false => sort_all(world, scratch),
    }
    ended(Stage::Sort, world, scratch);
    neighbours::run::<L>(world, scratch);
    ended(Stage::Neighbours, world, scratch);
    think::run::<L>(world, &scratch.grid, &mut scratch.think);
    ended(Stage::Think, world, scratch);
    navigate::run(world, &mut scratch.rows, &mut scratch.navigate);
    ended(Stage::Navigate, world, scratch);
    scratch.share.remember(&world.agents.rows.tag);
    let (agents, rest) = world.split();
    desire::run::<L>(agents, rest, scratch);
    hand_on_desired(world, scratch);
    ended(Stage::Desire, world, scratch);
    companies::run(world, scratch);
    ended(Stage::Companies, world, scratch);
    arrivals::run(world, scratch);
    ended(Stage::Arrivals, world, scratch);
    behave::run::<L>(world, scratch);
    let Scratch { force, desired, share, .. } = scratch;
    force::run(world, force, share.strip.rows.clone(), desired);
    ended(Stage::Behave, world, scratch);
    if !world.combat.weapons.is_empty() {
        scratch.share.all(&mut scratch.desired);
        scratch.fly.remember(&world.agents.rows.pos);
        aim::run::<L>(world, &scratch.grid, &mut scratch.desired, &mut scratch.aim);
    }
    ended(Stage::Aim, world, scratch);
    make_way::<L>(world, scratch);
    avoid::run::<L>(world, scratch);
    ended(Stage::Avoid, world, scratch);
    let World { settings, ground, agents, groups, .. } = world;
    motion::run::<L>(&mut agents.rows, settings, ground, groups, scratch);
    ended(Stage::Motion, world, scratch);
    let World { settings, ground, agents, groups, .. } = world;
    contacts::run::<L>(&mut agents.rows, settings, ground, groups, scratch);
    match scratch.share.is_apart() {
        true => scratch.share.forget(&mut agents.rows),
        false => scratch.share.moved(&mut agents.rows),
    }
    ended(Stage::Contacts, world, scratch);
    fly::run::<L>(world, &scratch.grid, &mut scratch.rows, &mut scratch.fly);
    structure_orders::fall(world);
    ended(Stage::Fly, world, scratch);
    decide::run(world, scratch);
    leaving::run(world);
    following::note(world);
    ended(Stage::Decide, world, scratch);
    world.reap();
    world.log.tick += 1;
    ended(Stage::Reap, world, scratch);
}

/// Counts crowds, and ground that is held.
fn count_crowds<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    let Scratch { crowding, share, parcels, .. } = scratch;
    crowding::run(world, crowding, share, parcels);
    let World { settings, log, ground, agents, groups, routes, .. } = world;
    holding::run(&agents.rows, settings, log, ground, groups, routes);
}

/// Sorts all agents, and cuts them into strips.
fn sort_all<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    let World { settings, ground, agents, groups, .. } = world;
    sort::run(&mut agents.rows, settings, ground, groups, scratch);
    scratch.share.cut(world, &scratch.grid);
}

/// After `desire`: exchanges what the stages that all processes do alike read of it.
fn hand_on_desired<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    if scratch.share.is_apart() {
        return divide::hand_on(world, scratch);
    }
    let Scratch { desired, news, share, .. } = scratch;
    if !share.is_shared() {
        return;
    }
    share.tell_wishes(&mut world.agents.rows.tag, &mut desired[..]);
    share::note_all_news(&world.agents.rows.tag, news);
    if !world.groups.companies.is_empty() {
        share.all(desired);
    }
}

/// Before velocities are chosen: lanes form, and agents mark where they are heading.
fn make_way<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>) {
    let Scratch { grid, desired, marks, momentum, share, .. } = scratch;
    if share.is_shared() && lanes::sight(world).is_some() {
        share.seen(desired);
    }
    lanes::run::<L>(world, grid, &share.strip, momentum, desired);
    share.near(desired);
    share.remember(&world.agents.rows.tag);
    marks::run::<L>(world, share.strip.near.clone(), desired, marks);
}
