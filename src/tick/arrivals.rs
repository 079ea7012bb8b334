//! Arrivals: agents that have just reached their goal's area get a place of their own in it, agents
//! that are blocked on the way to theirs another one, and agents that have come to rest a home.
//!
//! An agent draws some of the free places, leaves the nearer ones to others, and takes the one of the
//! rest that it sees and that lies nearest to its heading: so a crowd fans out from wherever it comes
//! in and fills a goal from its far end. An agent that chooses its velocity takes one first to which no
//! crowd is on the way, so not through agents that wait there to leave. An agent that sees none goes where
//! the way to the nearest one leads and looks again twice a second. When all places in the area are given
//! away, places around it are drawn alike.
//!
//! A blocked agent swaps places with one of its group that is in its way, if that makes their two ways
//! shorter (as the sum of squares): it takes the place of that one, which walks on. So no agent has
//! to pass through standing ones. A blocked agent without a place takes over that of a settled one ahead
//! of it, which looks for another further in. An agent swaps at most once in a tick. A place that is
//! no longer in sight is given back, and so is one that agents of another group keep it from.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::math::hash3;
use crate::space::{Grid, Query};
use crate::tick::vacancies::Vacancies;
use crate::tick::{CHUNK, RUN, Scratch, settle};
use crate::world::{Avoidance, Guidance, Tag, World, state};

/// Free places that an agent draws, and how many of them it considers first: the farthest.
const DRAWN: usize = 32;
const FARTHER: usize = 13;
/// Least gain of a swap, in squared radii.
const LEAST_GAIN: f64 = 1.0;
/// Largest distance, in radii, between an agent without a place and the settled one that it relieves.
const HANDS: f64 = 3.0;
/// Below this speed an agent heads for the middle of its goal, m/s.
const SLOW: f64 = 0.1;

/// How far an agent looks for crowds on the way to a place, in metres, and how often.
const CROWD_SIGHT: f64 = 32.0;
const CROWD_STEP: f64 = 4.0;

/// Places that an agent that has seen none looks at again, at most.
const LOOKS: usize = 8;

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    let Scratch { grid, desired, news, vacancies, .. } = scratch;
    vacancies.forget();
    for (chunk, &news) in news.iter().enumerate() {
        let mut left = news;
        while left != 0 {
            let first = chunk * CHUNK + left.trailing_zeros() as usize * RUN;
            left &= left - 1;
            for row in first..(first + RUN).min(world.len()) {
                let tag = world.agents.rows.tag[row];
                if tag.state & state::FRESH != 0 {
                    match tag.state & state::PLACED {
                        0 => {
                            if !take_over(world, grid, desired[row], row) {
                                let heading = heading(world, row);
                                give_place(world, vacancies, row, heading);
                            }
                        }
                        _ => help(world, grid, vacancies, row),
                    }
                }
                if world.agents.rows.tag[row].state & state::HOMELESS != 0 {
                    make_home(world, row);
                }
            }
        }
    }
}

/// An agent is at home where it comes to rest, or in the place that it was sent to.
fn make_home<N: Numbers>(world: &mut World<N>, row: usize) {
    let tag = &mut world.agents.rows.tag[row];
    if world.agents.rows.vel[row] == [N::ZERO; 2] {
        tag.state &= !state::HOMELESS;
    }
    let own = world.groups.traits[usize::from(tag.group)].guidance == Guidance::Own;
    let goal = world.groups.list[usize::from(tag.group)].goal.as_ref();
    let place = goal.filter(|_| own && tag.state & state::PLACED != 0);
    let place = place.map(|goal| goal.places[world.agents.place_of[tag.id as usize] as usize]);
    world.agents.home[tag.id as usize] = place.unwrap_or(world.agents.rows.pos[row]);
}

/// An agent without a place that is blocked by a settled one of its group takes over the place of
/// that one, which walks on to a free one; whether it did.
fn take_over<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, way: [N; 2], row: usize) -> bool {
    let tag = world.agents.rows.tag[row];
    let (group, traits) = (usize::from(tag.group), &world.groups.traits[usize::from(tag.group)]);
    let has_room =
        world.groups.list[group].goal.as_ref().is_some_and(|goal| !goal.free[0].is_empty());
    if tag.patience <= traits.patience / 8 || !has_room || traits.hold {
        return false;
    }
    let pos = world.agents.rows.pos[row].each(N::to_f64);
    let radius = traits.radius.to_f64();
    let way = way.each(N::to_f64);
    let speed = (way[0] * way[0] + way[1] * way[1]).sqrt();
    let mut best = (0.0, u32::MAX, None);
    visit_near(world, grid, row, state::SETTLED, &mut |row| {
        let other = world.agents.rows.tag[row];
        let at = world.agents.rows.pos[row].each(N::to_f64);
        let delta = [0, 1].each(|axis| at[axis] - pos[axis]);
        let length = (delta[0] * delta[0] + delta[1] * delta[1]).sqrt();
        let ahead = delta[0] * way[0] + delta[1] * way[1];
        if ahead < 0.5 * length * speed || length > HANDS * radius {
            return;
        }
        // The one straight ahead and near.
        let value = ahead / (length * length).max(1e-9);
        if value > best.0 || value == best.0 && other.id < best.1 {
            best = (value, other.id, Some(row));
        }
    });
    let Some(other) = best.2 else { return false };
    let other = &mut world.agents.rows.tag[other];
    let has_place = other.state & state::PLACED != 0;
    world.agents.place_of[tag.id as usize] = world.agents.place_of[other.id as usize];
    other.state &= !(state::SETTLED | state::HOMELESS | state::PLACED);
    other.state |= state::FRESH;
    other.patience = 0;
    if has_place {
        let tag = &mut world.agents.rows.tag[row];
        tag.state = tag.state & !(state::FRESH | state::WAITING) | state::PLACED;
        tag.patience = 0;
    }
    has_place
}

/// Shows the rows of agents in an agent's group and in one of some states that may be in its way.
fn visit_near<N: Numbers>(
    world: &World<N>,
    grid: &Grid<N>,
    row: usize,
    states: u8,
    show: &mut impl FnMut(usize),
) {
    let tag = world.agents.rows.tag[row];
    let halts = |other: &Tag| world.combat.combatants.halts(&world.groups, *other);
    let is_one =
        |other: &Tag| other.group == tag.group && other.state & states != 0 && !halts(other);
    grid.visit(around(world, row), |rows, _| {
        let rows = rows.filter(|&other| other != row && is_one(&world.agents.rows.tag[other]));
        rows.for_each(&mut *show);
    });
}

/// Whether an agent of another group may be in an agent's way.
fn is_near_others<N: Numbers>(world: &World<N>, grid: &Grid<N>, row: usize) -> bool {
    let group = world.agents.rows.tag[row].group;
    let mut found = false;
    grid.visit(around(world, row), |mut rows, _| {
        found |= rows.any(|other| world.agents.rows.tag[other].group != group);
    });
    found
}

/// The box in which others may be in an agent's way.
pub(super) fn around<N: Numbers>(world: &World<N>, row: usize) -> Query<N> {
    let (tag, pos) = (world.agents.rows.tag[row], world.agents.rows.pos[row]);
    let radius = world.groups.traits[usize::from(tag.group)].radius.to_f64();
    let reach = N::from_f64(settle::REACH * radius);
    Query { min: pos.each(|at| at - reach), max: pos.each(|at| at + reach) }
}

/// An agent that is in its goal, or near a full one, takes a free place, or learns the way to one.
fn give_place<N: Numbers>(
    world: &mut World<N>,
    vacancies: &mut Vacancies,
    row: usize,
    heading: [f64; 2],
) {
    let tag = world.agents.rows.tag[row];
    let group = usize::from(tag.group);
    if let Some(goal) = world.groups.list[group].goal.as_ref().filter(|goal| goal.each) {
        let own = goal.places.get(world.agents.place_of[tag.id as usize] as usize);
        let pos = world.agents.rows.pos[row];
        let sees = own.is_some_and(|&own| world.ground.sees(&world.groups.list[group], pos, own));
        let tag = &mut world.agents.rows.tag[row];
        tag.state &= !(state::FRESH | state::WAITING);
        if sees {
            tag.state |= state::PLACED;
            tag.patience = 0;
        }
        return;
    }
    let waits = tag.state & state::WAITING != 0;
    // All of a group at once, so that one flood serves them.
    let every = u64::from(world.settings.tick_rate.div_ceil(2));
    if waits && !(world.log.tick + u64::from(tag.group)).is_multiple_of(every) {
        return;
    }
    let members = world.groups.list[group].members;
    let lacks = world.groups.list[group]
        .goal
        .as_ref()
        .is_some_and(|goal| goal.free.iter().all(Vec::is_empty) && goal.laid_for < members);
    if lacks {
        world.lay_out_places(tag.group);
    }
    let Some(goal) = &world.groups.list[group].goal else { return };
    let kind = usize::from(goal.free[0].is_empty());
    let seeks = waits || tag.state & state::ARRIVED != 0 || kind == 1;
    let mut choice = if seeks { draw(world, row, kind, heading) } else { None };
    let mut via = None;
    if choice.is_none() && seeks {
        let pos = world.agents.rows.pos[row];
        if let Some((place, seen)) = vacancies.nearest(world, tag.group, kind, pos) {
            via = Some(seen);
            if seen == goal.places[place as usize] {
                choice = goal.free[kind].iter().position(|&free| free == place);
            }
        }
    }
    let Some(goal) = &mut world.groups.list[group].goal else { return };
    let tag = &mut world.agents.rows.tag[row];
    if let Some(index) = choice {
        world.agents.place_of[tag.id as usize] = goal.free[kind].swap_remove(index);
        tag.state = tag.state & !(state::FRESH | state::WAITING) | state::PLACED;
        tag.patience = 0;
    } else if let Some(via) = via {
        world.agents.home[tag.id as usize] = via;
        tag.state |= state::WAITING;
    } else {
        tag.state &= !(state::FRESH | state::WAITING);
    }
}

/// Where an agent is heading: the way it moves, or to the middle of its goal where it is slow.
fn heading<N: Numbers>(world: &World<N>, row: usize) -> [f64; 2] {
    let [velocity, pos] = [world.agents.rows.vel[row], world.agents.rows.pos[row]].each(to_f64);
    let group = usize::from(world.agents.rows.tag[row].group);
    match &world.groups.list[group].goal {
        Some(goal) if velocity.iter().all(|v| v.abs() < SLOW) => {
            let target = to_f64(goal.target);
            [0, 1].each(|axis| target[axis] - pos[axis])
        }
        _ => velocity,
    }
}

fn to_f64<N: Numbers>(at: [N; 2]) -> [f64; 2] {
    at.each(N::to_f64)
}

/// Which of the free places in the area, or around it, an agent with some heading takes, if it sees
/// any.
fn draw<N: Numbers>(world: &World<N>, row: usize, kind: usize, heading: [f64; 2]) -> Option<usize> {
    let (tag, pos) = (world.agents.rows.tag[row], world.agents.rows.pos[row]);
    let group = &world.groups.list[usize::from(tag.group)];
    let goal = group.goal.as_ref()?;
    let free = &goal.free[kind];
    let from = pos.each(N::to_f64);
    let to = |at: [N; 2]| [at[0].to_f64() - from[0], at[1].to_f64() - from[1]];
    let mut drawn = [(0.0, 0.0, 0); DRAWN];
    let drawn = &mut drawn[..free.len().min(DRAWN)];
    for (i, entry) in drawn.iter_mut().enumerate() {
        let bits = hash3(u64::from(tag.id), world.log.tick, i as u64);
        let index = if free.len() <= DRAWN { i } else { (bits % free.len() as u64) as usize };
        let [x, y] = to(goal.places[free[index] as usize]);
        let (ahead, square) = (x * heading[0] + y * heading[1], x * x + y * y);
        // The cosine's square with its sign, times that of the heading.
        let along = if square > 0.0 { ahead * ahead.abs() / square } else { 0.0 };
        *entry = (square, along, index);
    }
    by_worth(drawn);
    let place = |index: usize| goal.places[free[index] as usize];
    let looks = if tag.state & state::WAITING == 0 { DRAWN } else { LOOKS };
    let looks_for_crowds = group.def.avoidance == Avoidance::Orca;
    let mut seen = None;
    for (.., index) in drawn.iter().take(looks).copied() {
        if world.ground.sees(group, pos, place(index)) {
            if !looks_for_crowds || is_clear(world, from, place(index).each(N::to_f64)) {
                return Some(index);
            }
            seen = seen.or(Some(index));
        }
    }
    seen
}

/// Sorts places that were drawn (square of the distance, how far ahead, index): first the farther ones, the
/// one that is most ahead before all, then the nearer ones.
fn by_worth(drawn: &mut [(f64, f64, usize)]) {
    drawn.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let count = drawn.len() * FARTHER / DRAWN;
    drawn[..count].sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.2.cmp(&b.2)));
}

/// Whether no crowd is on the straight way from one point to another, as far as agents look for crowds.
fn is_clear<N: Numbers>(world: &World<N>, from: [f64; 2], to: [f64; 2]) -> bool {
    let (map, crowding) = (&world.ground.map, &world.routes.crowding);
    let delta = [0, 1].each(|axis| to[axis] - from[axis]);
    let length = (delta[0] * delta[0] + delta[1] * delta[1]).sqrt();
    let steps = (length.min(CROWD_SIGHT) / CROWD_STEP) as u32;
    crowding.costs().is_free()
        || (1..=steps).all(|step| {
            let share = f64::from(step) * CROWD_STEP / length;
            let [x, y] = [0, 1].each(|axis| from[axis] + delta[axis] * share);
            map.cell_at(x, y).is_none_or(|cell| !crowding.is_dense(map, cell))
        })
}

/// Helps an agent that finds no way on to its place: by a swap, or by another place.
fn help<N: Numbers>(world: &mut World<N>, grid: &Grid<N>, vacancies: &mut Vacancies, row: usize) {
    let tag = world.agents.rows.tag[row];
    world.agents.rows.tag[row].state &= !state::FRESH;
    let group = &world.groups.list[usize::from(tag.group)];
    let Some(goal) = &group.goal else { return };
    let place = goal.places[world.agents.place_of[tag.id as usize] as usize];
    let has_own = world.groups.traits[usize::from(tag.group)].guidance == Guidance::Own;
    let other = if goal.each || has_own { None } else { in_the_way(world, grid, row, place) };
    if let Some(other) = other {
        let other = &mut world.agents.rows.tag[other];
        other.state &= !(state::SETTLED | state::HOMELESS);
        other.patience = 0;
        let [own, others] = [tag.id as usize, other.id as usize];
        world.agents.place_of.swap(own, others);
        world.agents.rows.tag[row].patience = 0;
        return;
    }
    // Agents of another group may be in the way, as where two crowds want each other's ground: an agent
    // that has arrived goes back, one outside goes where the area is nearest. An agent with foes goes on
    // to its place, and tries another way only while it is outside and its patience has run out.
    let traits = &world.groups.traits[usize::from(tag.group)];
    let gives_way = traits.foes == 0
        || tag.state & state::ARRIVED == 0 && tag.patience.is_multiple_of(traits.patience.max(1));
    let is_in_vain = gives_way
        && goal.is_inside(world.agents.place_of[tag.id as usize])
        && tag.patience > 0
        && is_near_others(world, grid, row);
    let is_hidden = settle::looks_for_place(&world.settings, &world.log, tag)
        && !world.ground.sees(group, world.agents.rows.pos[row], place);
    if is_in_vain || is_hidden {
        let heading = if is_in_vain {
            // Away from the place that it gives up.
            let [pos, place] = [world.agents.rows.pos[row], place].each(to_f64);
            [0, 1].each(|axis| pos[axis] - place[axis])
        } else {
            heading(world, row)
        };
        world.give_up_place(tag);
        let own = &mut world.agents.rows.tag[row];
        own.state &= !state::PLACED;
        own.patience = 0;
        if own.state & state::ARRIVED != 0 {
            own.state |= state::FRESH;
            give_place(world, vacancies, row, heading);
        }
    }
}

/// The row of the near agent of the same group with which a swap of places shortens the ways most.
fn in_the_way<N: Numbers>(
    world: &World<N>,
    grid: &Grid<N>,
    row: usize,
    place: [N; 2],
) -> Option<usize> {
    let (tag, pos) = (world.agents.rows.tag[row], world.agents.rows.pos[row]);
    let traits = &world.groups.traits[usize::from(tag.group)];
    if traits.hold {
        return None;
    }
    let goal = world.groups.list[usize::from(tag.group)].goal.as_ref()?;
    let radius = traits.radius.to_f64();
    let [from, to] = [pos, place].each(|at| at.each(N::to_f64));
    let mut best = (LEAST_GAIN * radius * radius, u32::MAX, None);
    visit_near(world, grid, row, state::PLACED, &mut |row| {
        let other = &world.agents.rows.tag[row];
        let at = world.agents.rows.pos[row].each(N::to_f64);
        let stand = goal.places[world.agents.place_of[other.id as usize] as usize].each(N::to_f64);
        let delta = [0, 1].each(|axis| at[axis] - from[axis]);
        if delta.iter().any(|c| c.abs() > settle::REACH * radius) {
            return;
        }
        let gain = 2.0 * (delta[0] * (to[0] - stand[0]) + delta[1] * (to[1] - stand[1]));
        if gain > best.0 || gain == best.0 && other.id < best.1 {
            best = (gain, other.id, Some(row));
        }
    });
    best.2
}
