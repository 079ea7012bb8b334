//! Leaving: agents in a sink leave at the end of the tick, and are counted.

use crate::data::{GroupId, SinkId};
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::par;
use crate::par::PerBand;
use crate::tick::CHUNK;
use crate::world::{Departure, SinkCells, Traffic, World, state};

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    if world.traffic.sinks.is_empty() {
        return;
    }
    prepare(world);
    // By group: a bit for each sink in which its agents leave.
    let groups = 0..world.groups.list.len() as u16;
    let bases: Vec<GroupId> = groups.map(|g| world.groups.id(world.base_group(g))).collect();
    let masks: Vec<u64> = bases.iter().map(|&base| mask(world, base)).collect();
    let World { agents, ground, traffic, .. } = world;
    let Traffic { sinks, sink_cells: (_, windows), leaving, gone, .. } = traffic;
    let rows = &mut agents.rows;
    let (pos, tags) = (&rows.pos[..], &mut rows.tag[..]);
    leaving.resize_with(pos.len().div_ceil(CHUNK), Vec::new);
    let cells = ground.open_cells();
    let columns = (&mut *tags, PerBand(&mut leaving[..]));
    par::chunks(pos.len(), CHUNK, columns, &|_, first, (tags, list)| {
        let list = &mut list.0[0];
        list.clear();
        for (i, tag) in tags.iter_mut().enumerate() {
            let mask = masks[usize::from(tag.group)];
            if mask == 0 || tag.state & state::LEAVING != 0 {
                continue;
            }
            let cell = cells.cell(pos[first + i]).each(|at| at - 1);
            let is_in = |&sink: &usize| mask >> sink & 1 == 1 && windows[sink].holds(cell);
            if let Some(sink) = (0..windows.len()).find(is_in) {
                tag.state |= state::LEAVING;
                list.push(((first + i) as u32, sink as u8));
            }
        }
    });
    for &(row, sink) in leaving.iter().flatten() {
        sinks[usize::from(sink)].left += 1;
        let (tag, pos) = (agents.rows.tag[row as usize], agents.rows.pos[row as usize]);
        gone.push(Departure {
            id: agents.ids.id(tag.id),
            group: bases[usize::from(tag.group)],
            sink: SinkId::new(u16::from(sink)),
            at: pos.each(N::to_f64),
            post: tag.group,
        });
        agents.left += 1;
        agents.some_leave = true;
    }
}

/// The sinks in which the agents of a group leave, a bit each.
fn mask<N: Numbers>(world: &World<N>, base: GroupId) -> u64 {
    let sinks = world.traffic.sinks.iter().enumerate();
    let own = sinks.filter(|(_, sink)| sink.groups.is_empty() || sink.groups.contains(&base));
    own.fold(0, |mask, (i, _)| mask | 1 << i)
}

/// Whether the agents of a group leave in a padded cell; after [`prepare`].
pub(super) fn is_way_out<N: Numbers>(world: &World<N>, group: u16, cell: u32) -> bool {
    let stride = world.ground.map.stride();
    let at = [cell % stride, cell / stride].each(|at| at as i32 - 1);
    let mask = mask(world, world.groups.id(world.base_group(group)));
    let windows = world.traffic.sink_cells.1.iter().enumerate();
    windows.into_iter().any(|(sink, window)| mask >> sink & 1 == 1 && window.holds(at))
}

/// Finds the cells of the sinks, when the map or the sinks have changed.
pub(super) fn prepare<N: Numbers>(world: &mut World<N>) {
    let version = world.map_version();
    let Traffic { sinks, sink_cells, .. } = &mut world.traffic;
    if sink_cells.0 != Some(version) || sink_cells.1.len() != sinks.len() {
        let map = &world.ground.map;
        let windows = sinks.iter().map(|sink| SinkCells::new(map, &sink.area)).collect();
        *sink_cells = (Some(version), windows);
    }
}
