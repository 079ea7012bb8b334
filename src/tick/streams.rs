//! Streams: where the routes of groups that head different ways will meet, and what that costs.

use crate::lane::Numbers;
use crate::nav::streams::{Streams, Strip};
use crate::par;
use crate::world::{Avoidance, Guidance, Tag, World, state};

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

/// Rows of agents under way, group by group. Means nothing between uses.
#[derive(Clone, Debug, Default)]
pub(super) struct ByGroup {
    rows: Vec<u32>,
    /// Where the rows of each group end.
    ends: Vec<u32>,
}

impl ByGroup {
    /// Looks which agents are under way.
    pub(super) fn fill<N: Numbers>(&mut self, world: &World<N>) {
        let Self { rows, ends } = self;
        ends.clear();
        ends.resize(world.groups.list.len() + 1, 0);
        let tags = &world.agents.rows.tag;
        let under_way = |tag: &Tag| tag.state & state::ARRIVED == 0;
        for tag in tags.iter().filter(|tag| under_way(tag)) {
            ends[usize::from(tag.group) + 1] += 1;
        }
        for group in 1..ends.len() {
            ends[group] += ends[group - 1];
        }
        rows.resize(tags.len(), 0);
        for (row, tag) in tags.iter().enumerate().filter(|(_, tag)| under_way(tag)) {
            let at = &mut ends[usize::from(tag.group)];
            rows[*at as usize] = row as u32;
            *at += 1;
        }
    }

    fn of(&self, group: usize) -> &[u32] {
        let first = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.rows[first as usize..self.ends[group] as usize]
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
    }
    streams.end();
}

/// Sends the agents of a group down their field, if they keep to one side.
fn send<N: Numbers>(world: &World<N>, group: usize, by_group: &ByGroup, streams: &mut Streams) {
    let Some(directions) = directions(world, group).filter(|_| keeps_side(world, group)) else {
        return;
    };
    let ground = world.ground.open_cells();
    streams.next_group();
    for &row in by_group.of(group) {
        streams.send(ground.cell(world.agents.rows.pos[row as usize]), directions);
    }
}

/// What streams, crowds and agents that hold their place add to the cost of every block for a group.
pub(super) fn price<N: Numbers>(
    world: &World<N>,
    group: usize,
    streams: &mut Streams,
    strips: &mut Vec<Strip>,
    extra: &mut Vec<u8>,
) {
    extra.clear();
    extra.resize(streams.blocks(), 0);
    let Some(directions) = directions(world, group) else { return };
    let keeps_side = keeps_side(world, group) && are_several(world);
    let avoids = world.groups.list[group].def.avoid_crowds;
    strips.clear();
    strips.resize(streams.blocks(), Strip::default());
    if keeps_side {
        streams.look(directions);
        let streams = &*streams;
        par::chunks(strips.len(), CHUNK, &mut strips[..], &|_, first, strips| {
            for (block, strip) in (first..).zip(strips) {
                *strip = streams.strip(block);
            }
        });
    }
    let (crowd, held) = (world.routes.crowding.costs(), world.routes.holding.costs());
    par::chunks(extra.len(), CHUNK, &mut extra[..], &|_, first, extra| {
        for (block, extra) in (first..).zip(&mut *extra) {
            let Some(cell) = streams.middle(block) else { continue };
            *extra = if avoids { crowd.at(cell) } else { 0 };
        }
        if keeps_side {
            streams.price(first, strips, extra);
        }
        for (block, extra) in (first..).zip(extra) {
            let Some(cell) = streams.middle(block) else { continue };
            *extra = held.at(cell).max(*extra);
        }
    });
}
