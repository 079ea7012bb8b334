//! The rows of those who find their own way, checked before they are taken on.

use crate::data::row;
use crate::lane::Numbers;
use crate::map::area::GoalCells;
use crate::nav::navigator::Navigator;
use crate::nav::navigator::ground::HEADINGS;
use crate::nav::navigator::route::MAX_POINTS;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::lists::{Columns, all_within, words};
use crate::world::navigation::SEARCHES;
use crate::world::{Group, GroupDef, Guidance, MAX_CRUMBS, Step, Traits, Way, World};

/// The rows that become the table of steps and the queue for routes.
pub(super) struct Ways<'a> {
    pub(super) point: &'a [u8],
    pub(super) step: &'a [u8],
    pub(super) route: &'a [u8],
    pub(super) queue: &'a [u8],
    pub(super) debt: &'a [u8],
}

impl<'a> Ways<'a> {
    pub(super) fn read(columns: &Columns<'a, '_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            point: columns.list("navigation.point")?,
            step: columns.list("navigation.step")?,
            route: columns.list("navigation.route")?,
            queue: columns.list("navigation.queue")?,
            debt: columns.list("navigation.debt")?,
        })
    }

    /// There is a row for every id if any group needs it; points are somewhere, and cells and ids
    /// are some.
    pub(super) fn check<N: Numbers>(
        &self,
        world: &World<N>,
        groups: &[Group<N>],
        traits: &[Traits<N>],
        ids: usize,
    ) -> Result<(), SnapshotError> {
        let needs = groups.iter().any(|group| group.def.navigator.is_by_points());
        let (rows, debts) = if needs && ids > 0 { (ids, SEARCHES) } else { (0, 0) };
        let widths = [self.point.len() / 8, self.step.len() / size_of::<Step>()];
        if widths != [rows; 2] || self.route.len() != 64 * rows || self.debt.len() != 8 * debts {
            return Err(contradiction(format!("there are not {rows} who may find their own way")));
        }
        let range = [N::ZERO, N::from_f64(N::EXTENT)];
        if !all_within(self.point, range) || !all_within(self.route, range) {
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
        let steps = self.step.chunks_exact(size_of::<Step>()).map(row::read::<Step>);
        if let Some((id, step)) = steps.enumerate().find(|(_, step)| is_wrong(step)) {
            return Err(contradiction(format!("the way of id {id} cannot be: {step:?}")));
        }
        if let Some(id) = words(self.queue).into_iter().find(|&id| id as usize >= rows) {
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
}

/// The way of a group.
pub(super) fn way<N: Numbers>(
    world: &World<N>,
    def: &GroupDef,
    target: [N; 2],
    [seeds, area, crumbs]: [&[u8]; 3],
) -> Result<Way, SnapshotError> {
    let [seeds, area, crumbs] = [seeds, area, crumbs].map(words);
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
    let [x, y] = target.map(N::to_f64);
    let mut way = Way::new(goals, world.ground.map.cell_at(x, y), &world.ground.map);
    way.crumbs = crumbs;
    Ok(way)
}
