//! Rows of agents that follow routes, checked before they are taken on.

use crate::lane::Numbers;
use crate::map::area::GoalCells;
use crate::math::each::Each;
use crate::nav::navigator::Navigator;
use crate::nav::navigator::ground::HEADINGS;
use crate::nav::navigator::route::MAX_POINTS;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, Rows, all_within};
use crate::world::navigation::SEARCHES;
use crate::world::{Group, GroupDef, Guidance, MAX_CRUMBS, Step, Traits, Way, World};

/// Points are somewhere, and cells and ids are some.
pub(super) fn check_steps<N: Numbers>(
    world: &World<N>,
    kept: &Kept<'_, N>,
    groups: &[Group<N>],
    traits: &[Traits<N>],
) -> Result<(), SnapshotError> {
    let debts = if kept.step.len() > 0 { SEARCHES } else { 0 };
    if kept.debt.len() != debts {
        return Err(contradiction(format!("{} searches are in debt", kept.debt.len())));
    }
    let range = [N::ZERO, N::from_f64(N::EXTENT)];
    if !all_within(kept.point.bytes, range) || !all_within(kept.route.bytes, range) {
        return Err(contradiction("somebody heads for a point on no map"));
    }
    let cells = world.ground.map.slowness().len() as u32;
    let is_wrong = |step: &Step| {
        step.cell >= cells
            || step.began >= cells
            || step.heading >= HEADINGS
            || step.next > step.count
            || usize::from(step.count) > MAX_POINTS
    };
    if let Some((id, step)) = kept.step.iter().enumerate().find(|(_, step)| is_wrong(step)) {
        return Err(contradiction(format!("the way of id {id} cannot be: {step:?}")));
    }
    if let Some(id) = kept.queue.iter().find(|&id| id as usize >= kept.step.len()) {
        return Err(contradiction(format!("the id {id} waits for a route")));
    }
    for (index, (group, traits)) in groups.iter().zip(traits).enumerate() {
        let by_points = traits.guidance == Guidance::Points;
        if by_points && !(group.def.navigator.is_by_points() && group.goal.is_some()) {
            return Err(contradiction(format!("group {index} goes by no navigator")));
        }
    }
    Ok(())
}

/// The way of a group.
pub(super) fn way<N: Numbers>(
    world: &World<N>,
    def: &GroupDef,
    target: [N; 2],
    rows: [Rows<'_, u32>; 3],
) -> Result<Way, SnapshotError> {
    let [seeds, area, crumbs] = rows.map(|rows| rows.iter().collect::<Vec<u32>>());
    let is_off = |&cell: &u32| {
        let [stride, rows] = [world.ground.map.stride(), world.ground.map.height()];
        let (i, j) = (cell % stride, cell / stride);
        i == 0 || i > world.ground.map.width() || j == 0 || j > rows
    };
    let all = seeds.iter().chain(&area).chain(&crumbs);
    if let Some(cell) = all.copied().find(is_off) {
        return Err(contradiction(format!("a group's way leads to cell {cell}, off the map")));
    }
    if crumbs.len() > MAX_CRUMBS {
        return Err(contradiction(format!("{} crumbs are too many", crumbs.len())));
    }
    if def.navigator == Navigator::Flow && !(area.is_empty() && crumbs.is_empty()) {
        return Err(contradiction("a group that goes by fields has a way"));
    }
    if seeds.is_empty() != area.is_empty() {
        return Err(contradiction("a group's way leads to an area without a goal"));
    }
    let goals = GoalCells::new(seeds, area);
    let [x, y] = target.each(N::to_f64);
    let mut way = Way::new(goals, world.ground.map.cell_at(x, y), &world.ground.map);
    way.crumbs = crumbs;
    Ok(way)
}
