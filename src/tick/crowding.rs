//! Crowding: crowds are counted, and routes that avoid them are asked for anew.
//!
//! Every `crowding_ticks` the raster is counted. In the same interval, each at a tick of its own,
//! every group that avoids crowds and follows a field asks for one around the crowds of that
//! moment; it goes on by the old one until that is done. When the memory for fields is full it
//! keeps the old one. While a field of its own is under way it asks for no other. Where all groups
//! together ask for more cells than [`CELLS_OF_AGENT`] and its bounds allow, each asks more rarely.
//! Without crowds, and without streams that meet, no group asks.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::nav::field::{CrowdCosts, Fields, direction};
use crate::nav::streams::Streams;
use crate::par;
use crate::tick::parcels::{put, take};
use crate::tick::share::Share;
use crate::tick::{CHUNK, parcels, streams};
use crate::world::{
    AgentRows, Ground, Group, Groups, Guidance, Past, Routes, Settings, Tag, Toll, Traits, World,
    share, state,
};
use std::ops::Range;
use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

/// Cells of fields that are made anew in an interval, for all groups together: so many for each agent, so
/// that fields cost no more than agents do, but at least and at most so many.
const CELLS_OF_AGENT: u64 = 1 << 8;
/// See [`CELLS_OF_AGENT`].
const LEAST_CELLS: u64 = 1 << 20;
/// See [`CELLS_OF_AGENT`].
const MOST_CELLS: u64 = 1 << 23;

/// Agents of a process of which the others are told at once.
const ROUND: usize = 1 << 16;

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Agents by block.
    counts: Counts,
    /// Where routes will meet, what that costs a group by block, and the same as costs of a field.
    streams: Streams,
    by_group: streams::ByGroup,
    extra: Vec<u8>,
    costs: CrowdCosts,
    toll: Toll,
}

pub(super) fn run<N: Numbers>(
    world: &mut World<N>,
    memory: &mut Memory,
    share: &Share,
    parcels: &mut parcels::Memory<N>,
) {
    let Memory { counts: by_block, streams, by_group, extra, costs, toll } = memory;
    let mut rows = world.groups.list.iter().zip(&world.groups.traits);
    let counts = rows.any(|(group, traits)| is_asking(group, traits));
    let every = u64::from(world.settings.crowding_ticks);
    let phase = world.log.tick % every;
    if counts && phase == 0 {
        count(world, by_block, share, parcels);
    } else if !counts && world.routes.crowding.blocks() > 0 {
        world.routes.crowding.clear();
    }
    let every = every * rarer(world);
    let phase = world.log.tick % every;
    let (mut counted, several) = (false, streams::are_several(world));
    for index in 0..world.groups.list.len() {
        let (group, traits) = (&world.groups.list[index], &world.groups.traits[index]);
        let due = phase == turn(index, every) && traits.guidance == Guidance::Field;
        if !due || group.members == 0 || !is_concerned(world, index) {
            continue;
        }
        let crowd = match group.def.avoid_crowds && group.def.time_gap > 0.0 {
            true => {
                world.routes.crowding.toll(toll);
                &toll.paid
            }
            false => world.routes.crowding.costs(),
        };
        let shares = several && streams::keeps_side(world, index);
        if !shares && world.routes.holding.costs().is_free() {
            // There is nothing but crowds.
            match group.def.avoid_crowds {
                true => costs.clone_from(crowd),
                false => costs.clear(),
            }
            renew(world, index, costs);
            continue;
        }
        if !counted {
            by_group.fill(world, share, parcels);
            counted = true;
        }
        streams::mark(world, index, by_group, streams);
        streams::price(world, index, crowd, streams, extra);
        let [block, stride] = streams.layout();
        costs.set(block, stride, extra.iter().copied());
        renew(world, index, costs);
    }
}

/// Whether this stage, or [`super::holding`], needs the rows of all agents in this tick.
pub(super) fn needs_all<N: Numbers>(world: &World<N>) -> bool {
    let is_due = world.log.tick.is_multiple_of(u64::from(world.settings.crowding_ticks));
    let some_hold = || world.groups.list.iter().any(|group| group.def.hold && group.members > 0);
    is_due && (world.routes.crowding.blocks() == 0 || some_hold())
}

/// How many intervals pass from one field of a group to its next: the more, the more groups there are on a
/// large map, and the fewer agents.
fn rarer<N: Numbers>(world: &World<N>) -> u64 {
    let may_ask = |group: &&Group<N>| group.members > 0 && group.field.is_some();
    let groups = world.groups.list.iter().filter(may_ask).count() as u64;
    let map = &world.ground.map;
    let cells = u64::from(map.width()) * u64::from(map.height());
    let most = (CELLS_OF_AGENT * world.len() as u64).clamp(LEAST_CELLS, MOST_CELLS);
    (groups * cells).div_ceil(most).max(1)
}

/// Whether anything may be in the way of a group that has a field and waits for no other, or was
/// when it asked for the one that it follows.
fn is_concerned<N: Numbers>(world: &World<N>, index: usize) -> bool {
    let group = &world.groups.list[index];
    let (Some(field), None) = (group.field, group.next_field) else { return false };
    let follows_costs = world.routes.fields.crowd(field).is_some_and(|costs| !costs.is_free());
    let held = !world.routes.holding.costs().is_free();
    let crowds = group.def.avoid_crowds && !world.routes.crowding.costs().is_free();
    crowds || held || follows_costs || streams::are_several(world)
}

/// Whether a group goes by fields around crowds.
fn is_asking<N: Numbers>(group: &Group<N>, traits: &Traits<N>) -> bool {
    let by_field =
        matches!(traits.guidance, Guidance::Straight | Guidance::FormerField | Guidance::Field);
    group.def.avoid_crowds && group.members > 0 && by_field
}

/// The tick of the interval at which a group asks: spread over it by multiples of the golden ratio.
pub(super) fn turn(group: usize, every: u64) -> u64 {
    let share = u64::from((group as u32).wrapping_mul(0x9e37_79b1));
    (share * every) >> 32
}

/// Agents by block, as sums of [`share`]s.
#[derive(Debug, Default)]
struct Counts(Vec<AtomicI64>);

/// Counts mean nothing between ticks.
impl Clone for Counts {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Counts the agents of the layers that groups which avoid crowds keep clear of. At first it only
/// remembers where agents are.
fn count<N: Numbers>(
    world: &mut World<N>,
    Counts(counts): &mut Counts,
    share: &Share,
    parcels: &mut parcels::Memory<N>,
) {
    let World { settings, ground, agents, groups, routes, .. } = world;
    let (Routes { fields, crowding, .. }, agents) = (routes, &*agents);
    if crowding.blocks() == 0 {
        crowding.begin(&ground.map, agents.ids.capacity());
        for (tag, &pos) in agents.rows.tag.iter().zip(agents.rows.pos.iter()) {
            crowding.appears(tag.id, pos);
        }
        return;
    }
    counts.resize_with(crowding.blocks(), AtomicI64::default);
    counts.iter_mut().for_each(|count| *count.get_mut() = 0);
    let rows = groups.list.iter().zip(&groups.traits);
    let asking = rows.filter(|(group, traits)| is_asking(group, traits));
    let layers = asking.fold(0, |layers, (_, traits)| layers | traits.avoids);
    let (past, index) = crowding.counting();
    let (agents, is_uneven) = (&agents.rows, ground.is_uneven(groups));
    let plan = Plan { settings, ground, agents, groups, fields, layers, past, is_uneven };
    let own = share.rows(agents.pos.len());
    par::chunks_from(own.start, own.len(), CHUNK, (), &|_, first, ()| {
        count_rows(&plan, first..(first + CHUNK).min(own.end), &index, counts);
    });
    if let Some(exchange) = share.others() {
        let parcels::Memory { told, heard, .. } = parcels;
        tell_counts(counts, told);
        exchange.gather(told, heard);
        hear_counts(heard, counts);
        // All agents in turn, so that memory for a part of them is enough.
        for round in 0..share.longest().div_ceil(ROUND) {
            told.clear();
            let first = (own.start + round * ROUND).min(own.end);
            for row in first..(first + ROUND).min(own.end) {
                put(told, &agents.tag[row].id);
                put(told, &agents.pos[row]);
            }
            exchange.gather(told, heard);
            let mut heard = &heard[..];
            while !heard.is_empty() {
                let id = take(&mut heard);
                past.moves::<N>(id, take(&mut heard));
            }
        }
        // They are needed rarely.
        (*told, *heard) = (Vec::new(), Vec::new());
    }
    crowding.update(counts);
}

/// Writes the blocks in which a process has counted agents, and forgets them.
fn tell_counts(counts: &mut [AtomicI64], told: &mut Vec<u8>) {
    told.clear();
    for (block, count) in (0_u32..).zip(counts) {
        let count = std::mem::take(count.get_mut());
        if count != 0 {
            put(told, &block);
            put(told, &count);
        }
    }
}

/// Adds what all processes have counted.
fn hear_counts(mut heard: &[u8], counts: &mut [AtomicI64]) {
    while !heard.is_empty() {
        let block = take::<u32>(&mut heard) as usize;
        let count = counts[block].get_mut();
        *count = count.wrapping_add(take(&mut heard));
    }
}

/// Input of a count.
struct Plan<'a, N: Numbers> {
    settings: &'a Settings,
    ground: &'a Ground<N>,
    agents: &'a AgentRows<N>,
    groups: &'a Groups<N>,
    fields: &'a Fields,
    /// The layers that are counted, as bits.
    layers: u32,
    past: &'a Past,
    /// Whether some ground is not plain.
    is_uneven: bool,
}

/// Counts the agents of some rows by block, the `index` of a cell. The sums are of whole numbers, so
/// their order does not matter.
fn count_rows<N: Numbers>(
    plan: &Plan<'_, N>,
    rows: Range<usize>,
    index: impl Fn([u32; 2]) -> usize,
    counts: &[AtomicI64],
) {
    let Plan { settings, agents, groups, .. } = plan;
    let ground = plan.ground.open_cells();
    let seconds = f64::from(settings.crowding_ticks) * settings.dt();
    // Neighbouring rows share a block more often than not.
    let (mut block, mut all) = (0, 0_i64);
    for row in rows {
        let (tag, pos) = (agents.tag[row], agents.pos[row]);
        let was = plan.past.moves(tag.id, pos);
        let group = usize::from(tag.group);
        if groups.traits[group].layer & plan.layers == 0 {
            continue;
        }
        let cell = ground.cell(pos).each(|c| c as u32);
        let delta = [0, 1].each(|i| pos[i].to_f64() - was[i].to_f64());
        let (way, is_led) =
            way(plan, tag, cell[1] as usize * ground.stride + cell[0] as usize, delta);
        let def = &groups.list[group].def;
        let own = index(cell);
        if own != block {
            counts[block].fetch_add(all, Relaxed);
            (block, all) = (own, 0);
        }
        // A company goes at the pace of its slowest group.
        let speed = match groups.list[group].company {
            Some(_) => groups.traits[group].speed.to_f64(),
            None => def.speed,
        };
        let mut usual = speed * seconds;
        if plan.is_uneven {
            usual *= plan.ground.pace_at(&groups.list[group], pos).to_f64();
        }
        all = all.wrapping_add(share(groups.radius(tag), is_led, way / usual));
    }
    counts[block].fetch_add(all, Relaxed);
}

/// The part of a way that leads in the direction that an agent's field gives in its cell, in metres;
/// its length where the agent goes by no field; and whether it goes by one.
#[inline(always)]
fn way<N: Numbers>(plan: &Plan<'_, N>, tag: Tag, cell: usize, [x, y]: [f64; 2]) -> (f64, bool) {
    let group = &plan.groups.list[usize::from(tag.group)];
    let placed = tag.state & state::PLACED != 0;
    let field = group.field.filter(|_| !placed).and_then(|id| plan.fields.directions(id));
    match field.and_then(|directions| direction::unpack(directions[cell])) {
        Some((to_x, to_y)) => ((x * f64::from(to_x) + y * f64::from(to_y)) / 16_384.0, true),
        None => ((x * x + y * y).sqrt(), false),
    }
}

/// Asks for a group's field around the crowds and streams of now.
fn renew<N: Numbers>(world: &mut World<N>, index: usize, costs: &CrowdCosts) {
    // Orders still to come, one for every group, must find memory for their fields.
    if !world.routes.fields.has_room_for(world.groups.list.len() + 1) {
        return;
    }
    let group = &mut world.groups.list[index];
    let (Some(field), None) = (group.field, group.next_field) else { return };
    let Ok(next) = world.routes.fields.request_around(field, costs, world.log.tick) else {
        return;
    };
    if next == field {
        return;
    }
    world.routes.fields.hold(next);
    group.next_field = Some(next);
    if group.plain_field.is_none()
        && world.routes.fields.crowd(field).is_some_and(CrowdCosts::is_free)
    {
        world.routes.fields.hold(field);
        group.plain_field = Some(field);
    }
}
