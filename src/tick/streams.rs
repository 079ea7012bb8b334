//! Streams: where the routes of groups that head different ways will meet, and what that costs.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::nav::field::CrowdCosts;
use crate::nav::streams::Streams;
use crate::par;
use crate::tick::parcels::{Memory, take};
use crate::tick::share::Share;
use crate::world::{AgentRows, Avoidance, Guidance, World, state};

/// Blocks that are priced together.
const CHUNK: usize = 4_096;

/// Whether the agents of a group share the ground with others by keeping to one side: agents do that
/// go by a field, keep clear of others, and have no foes.
pub(super) fn keeps_side<N: Numbers>(world: &World<N>, group: usize) -> bool {
    let (row, traits) = (&world.groups.list[group], &world.groups.traits[group]);
    let by_field = matches!(traits.guidance, Guidance::Field | Guidance::FormerField);
    let heeds = traits.avoidance != Avoidance::None && traits.foes == 0;
    row.members > 0 && by_field && heeds
}

/// The way to a group's goal on empty ground: a field around crowds would hide that streams meet.
fn directions<N: Numbers>(world: &World<N>, group: usize) -> Option<&[u32]> {
    let group = &world.groups.list[group];
    world.routes.fields.directions(group.plain_field.or(group.field)?)
}

/// Whether there are groups that may meet.
pub(super) fn are_several<N: Numbers>(world: &World<N>) -> bool {
    (0..world.groups.list.len()).filter(|&group| keeps_side(world, group)).nth(1).is_some()
}

/// Whether a point is in the left half of a shared strip, by the prices of the ground from which the field
/// of a group was made.
pub(super) fn is_in_left_half<N: Numbers>(world: &World<N>, group: usize, pos: [N; 2]) -> bool {
    let field = world.groups.list[group].field.filter(|_| keeps_side(world, group));
    let crowd = field.and_then(|field| world.routes.fields.crowd(field));
    let cell = || world.ground.open_cells().cell(pos).each(|c| c as u32);
    crowd.is_some_and(|crowd| crowd.is_left_half(cell()))
}

/// Cells of agents under way, group by group, in the order of rows. Means nothing between uses.
#[derive(Clone, Debug, Default)]
pub(super) struct ByGroup {
    /// See [`packed`]. Of the rows that this process has.
    cells: Vec<u32>,
    /// Where the cells of each group end.
    ends: Vec<u32>,
    /// The same of all processes, where each has its own rows alone, as bytes: ends, then cells.
    heard: Vec<u8>,
}

/// A padded cell in one number; maps have at most 16,384 cells to a side.
fn packed([x, y]: [i32; 2]) -> u32 {
    (y as u32) << 16 | x as u32
}

impl ByGroup {
    /// Looks which agents are under way, and where.
    pub(super) fn fill<N: Numbers>(
        &mut self,
        world: &World<N>,
        share: &Share,
        parcels: &mut Memory<N>,
    ) {
        let AgentRows { pos, tag, .. } = &world.agents.rows;
        let (ground, rows) = (world.ground.open_cells(), share.rows(tag.len()));
        let under_way = || {
            let rows = tag[rows.clone()].iter().zip(&pos[rows.clone()]);
            let rows = rows.filter(|(tag, _)| tag.state & state::ARRIVED == 0);
            rows.map(|(tag, &pos)| (usize::from(tag.group), packed(ground.cell(pos))))
        };
        let Self { cells, ends, heard } = self;
        ends.clear();
        ends.resize(world.groups.list.len() + 1, 0);
        under_way().for_each(|(group, _)| ends[group + 1] += 1);
        for group in 1..ends.len() {
            ends[group] += ends[group - 1];
        }
        cells.resize(ends.last().map_or(0, |&all| all as usize), 0);
        for (group, cell) in under_way() {
            let at = &mut ends[group];
            cells[*at as usize] = cell;
            *at += 1;
        }
        ends.pop();
        heard.clear();
        if let Some(exchange) = share.others() {
            let Memory { told, .. } = parcels;
            told.clear();
            told.extend_from_slice(bytemuck::cast_slice(ends));
            told.extend_from_slice(bytemuck::cast_slice(cells));
            exchange.gather(told, heard);
            // It is needed rarely.
            *told = Vec::new();
        }
    }

    /// Shows the cells of a group's agents.
    fn each(&self, group: usize, mut show: impl FnMut([i32; 2])) {
        let mut show = |cell: u32| show([(cell & 0xffff) as i32, (cell >> 16) as i32]);
        if self.heard.is_empty() {
            let first = if group == 0 { 0 } else { self.ends[group - 1] };
            let cells = &self.cells[first as usize..self.ends[group] as usize];
            return cells.iter().for_each(|&cell| show(cell));
        }
        let mut left = &self.heard[..];
        while !left.is_empty() {
            let (ends, cells) = left.split_at(4 * self.ends.len());
            let end = |group: usize| 4 * take::<u32>(&mut &ends[4 * group..]) as usize;
            let first = if group == 0 { 0 } else { end(group - 1) };
            let mut own = &cells[first..end(group)];
            while !own.is_empty() {
                show(take(&mut own));
            }
            left = &cells[end(self.ends.len() - 1)..];
        }
    }
}

/// Notes where all agents will walk: agents of one group, for which the ground is to be priced, last.
pub(super) fn mark<N: Numbers>(
    world: &World<N>,
    last: usize,
    by_group: &ByGroup,
    streams: &mut Streams,
) {
    streams.clear(&world.ground.map);
    if are_several(world) {
        let others = (0..world.groups.list.len()).filter(|&group| group != last);
        others.for_each(|group| send(world, group, by_group, streams));
        streams.end_others();
        send(world, last, by_group, streams);
        // Agents that only push each other also get on in the wrong half: there queues may spread.
        if world.groups.traits[last].avoidance == Avoidance::Orca {
            for group in 0..world.groups.list.len() {
                by_group.each(group, |cell| streams.count(cell, group == last));
            }
        }
    }
    streams.end();
}

/// Sends the agents of a group down their field, if they keep to one side.
fn send<N: Numbers>(world: &World<N>, group: usize, by_group: &ByGroup, streams: &mut Streams) {
    let Some(directions) = directions(world, group).filter(|_| keeps_side(world, group)) else {
        return;
    };
    streams.next_group();
    by_group.each(group, |cell| streams.send(cell, directions));
}

/// What streams, `crowd` costs and agents that hold their place add to the cost of every block for a group.
pub(super) fn price<N: Numbers>(
    world: &World<N>,
    group: usize,
    crowd: &CrowdCosts,
    streams: &mut Streams,
    extra: &mut Vec<u8>,
) {
    extra.clear();
    extra.resize(streams.blocks(), 0);
    let Some(directions) = directions(world, group) else { return };
    let keeps_side = keeps_side(world, group) && are_several(world);
    let avoids = world.groups.list[group].def.avoid_crowds;
    if keeps_side {
        streams.look(directions);
    }
    let streams = &*streams;
    let held = world.routes.holding.costs();
    par::chunks(extra.len(), CHUNK, &mut extra[..], &|_, first, extra| {
        if avoids && crowd.layout() == streams.layout() {
            extra.copy_from_slice(&crowd.extra()[first..][..extra.len()]);
        } else if avoids && !crowd.is_free() {
            for (middle, extra) in streams.middles(first).zip(&mut *extra) {
                *extra = middle.map_or(0, |cell| crowd.at(cell));
            }
        }
        if keeps_side {
            streams.price(first, extra);
        }
        if !held.is_free() {
            for (middle, extra) in streams.middles(first).zip(extra) {
                *extra = middle.map_or(*extra, |cell| held.at(cell).max(*extra));
            }
        }
    });
}
