//! Groups as people see them.

use serde::Serialize;
use throng::Numbers;
use throng::scenario::GroupPlan;
use throng::world::state;

/// Colours of groups that have none of their own; people tell them apart, also when colour-blind
/// (after Okabe and Ito, 2008).
const COLOURS: [[u8; 3]; 8] = [
    [0xd5, 0x3e, 0x0c],
    [0x00, 0x6b, 0xb6],
    [0x00, 0x93, 0x68],
    [0xb8, 0x4c, 0x9c],
    [0xe6, 0x96, 0x00],
    [0x3a, 0xa6, 0xe0],
    [0x7a, 0x3b, 0x10],
    [0x22, 0x2a, 0x68],
];

/// The colour of the group of an index.
pub(crate) fn colour(index: usize) -> [u8; 3] {
    COLOURS[index % COLOURS.len()]
}

/// A group as it is now.
#[derive(Serialize)]
pub(crate) struct GroupInfo {
    index: usize,
    name: String,
    color: [u8; 3],
    radius: f64,
    members: u32,
    arrived: u32,
}

/// All groups that are there but variants and detachments.
pub(crate) fn list<N: Numbers>(
    sim: &throng::Simulation<N>,
    names: &[String],
    scene: &[GroupPlan],
) -> Vec<GroupInfo> {
    let world = sim.world();
    let bases: Vec<usize> = (0..world.groups().len())
        .filter(|&group| usize::from(world.base_group(group as u16)) == group)
        .filter(|&group| !world.groups()[group].is_removed())
        .collect();
    let mut counts = vec![[0_u32; 2]; world.groups().len()];
    for agent in sim.agents() {
        let count = &mut counts[usize::from(agent.group().index())];
        count[0] += 1;
        count[1] += u32::from(agent.state() & state::ARRIVED != 0);
    }
    let named = |group: usize| match names.get(group) {
        Some(name) => name.clone(),
        None => format!("group {group}"),
    };
    bases
        .into_iter()
        .map(|group| GroupInfo {
            index: group,
            name: named(group),
            color: scene.get(group).map_or_else(|| colour(group), |plan| plan.color),
            radius: world.groups()[group].def.radius,
            members: counts[group][0],
            arrived: counts[group][1],
        })
        .collect()
}
