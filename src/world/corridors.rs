//! Corridors of a world: for groups that go by them, directions where their agents are.
//!
//! All of it follows from the map, the goals of the groups and where their agents are, so nothing of
//! it is kept: what is asked for in a tick is made in that tick.

use crate::data::GroupId;
use crate::graph::portals::Layout;
use crate::kernel::wall_limit::OpenCells;
use crate::lane::Numbers;
use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::math::each::Each;
use crate::nav::corridor::{CorridorError, CorridorId, CorridorLimits, Corridors};
use crate::nav::navigator::Navigator;
use crate::world::{AgentRows, Group, World, state};
use std::sync::Arc;

/// Workers that make tiles.
const WORKERS: u32 = 8;
/// Cells from the border of a sector at which the one beyond is needed, too.
const NEAR: i32 = 4;
/// Side of a sector in cells, as a shift.
const SECTOR: i32 = 5;

/// The corridors of all classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sectors {
    by_class: Vec<Option<Corridors>>,
    by_group: Vec<Option<CorridorId>>,
    /// How often they have been worked on: their own time, which never goes back.
    clock: u64,
}

impl<N: Numbers> World<N> {
    /// Bytes of all corridors, without the graphs of portals.
    pub fn corridor_bytes(&self) -> u64 {
        self.routes.sectors.by_class.iter().flatten().map(Corridors::bytes).sum()
    }

    /// The sectors of a group's class and the portals between them; `None` while no group of it has
    /// gone by a corridor, and when there is no such group.
    pub fn portals(&self, group: GroupId) -> Option<&Layout> {
        let class = usize::from(self.group(group)?.class);
        self.routes.sectors.by_class.get(class)?.as_ref().map(Corridors::layout)
    }

    /// Asks for the corridor of a group to some goals, before this tick's work on corridors; it is not
    /// held yet.
    pub(crate) fn request_corridor(
        &mut self,
        group: usize,
        goals: &GoalCells,
    ) -> Result<CorridorId, CorridorError> {
        let (corridors, tick) = self.corridors_of(group);
        corridors.request(goals, tick)
    }

    /// The corridors of a group's class, and their time.
    fn corridors_of(&mut self, group: usize) -> (&mut Corridors, u64) {
        let (sectors, classes) = (&mut self.routes.sectors, &self.ground.classes);
        let class = usize::from(self.groups.list[group].class);
        let classes_known = classes.len().max(sectors.by_class.len());
        sectors.by_class.resize_with(classes_known, || None);
        let corridors = sectors.by_class[class].get_or_insert_with(|| {
            let cap_bytes = self.settings.field_cache_bytes;
            let limits = CorridorLimits { cap_bytes, cells_per_tick: u32::MAX, workers: WORKERS };
            Corridors::new(&classes[class], limits)
        });
        (corridors, sectors.clock + 1)
    }

    /// A group goes by a corridor, which is held for it.
    pub(crate) fn hold_corridor(&mut self, group: usize, id: CorridorId) {
        self.release_corridor(group);
        let (sectors, groups) = (&mut self.routes.sectors, &self.groups.list);
        sectors.by_group.resize(groups.len().max(sectors.by_group.len()), None);
        sectors.by_group[group] = Some(id);
        if let Some(corridors) = &mut sectors.by_class[usize::from(groups[group].class)] {
            corridors.hold(id);
        }
    }

    /// A group needs its corridor no more.
    pub(crate) fn release_corridor(&mut self, group: usize) {
        let id = self.routes.sectors.by_group.get_mut(group).and_then(Option::take);
        let class = usize::from(self.groups.list[group].class);
        if let (Some(id), Some(Some(corridors))) = (id, self.routes.sectors.by_class.get_mut(class))
        {
            corridors.release(id);
        }
    }

    /// Cells of classes have changed: which, by class, and what they were.
    pub(crate) fn corridors_changed(&mut self, changed: &[Vec<(u32, u8)>]) {
        let classes = self.ground.classes.iter().zip(changed);
        for (corridors, (class, changed)) in self.routes.sectors.by_class.iter_mut().zip(classes) {
            let cells: Vec<u32> = changed.iter().map(|&(cell, _)| cell).collect();
            if let Some(corridors) = corridors {
                corridors.repair(class, &cells);
                // Portals may be more now.
                corridors.trim(self.routes.sectors.clock + 1);
            }
        }
    }

    /// Holds the corridors of all groups that go by one, as before a snapshot was restored.
    pub(crate) fn resume_corridors(&mut self) {
        for group in 0..self.groups.list.len() {
            let row = &self.groups.list[group];
            let goes =
                row.def.navigator == Navigator::Corridor && !row.way.goals.seeds().is_empty();
            let held = self.routes.sectors.by_group.get(group).is_some_and(Option::is_some);
            if goes && !held {
                let goals = row.way.goals.clone();
                let (corridors, tick) = self.corridors_of(group);
                // It counts as used in the tick before, as a corridor does that was held all the time.
                if let Ok(id) = corridors.resume(&goals, tick - 1) {
                    self.hold_corridor(group, id);
                    self.corridors_of(group).0.trim(tick);
                }
            }
        }
    }

    /// Forgets which group goes by which corridor, not the corridors.
    pub(crate) fn forget_corridors(&mut self) {
        for group in 0..self.groups.list.len() {
            self.release_corridor(group);
        }
    }
}

impl Sectors {
    /// Whether any group goes by a corridor.
    pub(crate) fn are_used(&self) -> bool {
        self.by_group.iter().any(Option::is_some)
    }

    /// The corridors of a group's class, and its own among them.
    #[inline(always)]
    fn of(&self, group: u16, class: u16) -> Option<(&Corridors, CorridorId)> {
        let id = (*self.by_group.get(usize::from(group))?)?;
        Some((self.by_class[usize::from(class)].as_ref()?, id))
    }

    /// The directions of a cell and of the cells right of it, below it and across, by the corridor of
    /// a group of a class.
    #[inline(always)]
    pub(crate) fn codes(&self, group: u16, class: u16, upper_left: u32) -> Option<[u32; 4]> {
        self.of(group, class).map(|(corridors, id)| corridors.codes(id, upper_left))
    }

    /// The direction of a cell by the corridor of a group of a class; `None` where it is not made.
    pub(crate) fn code(&self, group: u16, class: u16, cell: u32) -> Option<u32> {
        self.of(group, class).and_then(|(corridors, id)| corridors.code(id, cell))
    }

    /// Makes all that is needed where agents are now.
    pub(crate) fn work<N: Numbers>(
        &mut self,
        agents: &AgentRows<N>,
        ground: &OpenCells<'_, N>,
        classes: &[Arc<Clearance>],
        groups: &[Group<N>],
    ) {
        self.clock += 1;
        if !self.are_used() {
            return;
        }
        self.need_tiles(agents, ground, groups);
        for (corridors, class) in self.by_class.iter_mut().zip(classes) {
            if let Some(corridors) = corridors {
                finish(corridors, class);
            }
        }
    }

    /// Asks for the directions around all agents that walk by a corridor.
    fn need_tiles<N: Numbers>(
        &mut self,
        agents: &AgentRows<N>,
        ground: &OpenCells<'_, N>,
        groups: &[Group<N>],
    ) {
        let mut last = None;
        for (tag, pos) in agents.tag.iter().zip(agents.pos.iter()) {
            let group = usize::from(tag.group);
            let Some(&Some(id)) = self.by_group.get(group) else { continue };
            let placed = state::PLACED | state::ARRIVED;
            if tag.state & state::SETTLED != 0 || tag.state & placed == placed {
                continue;
            }
            let place = ground.cell(*pos);
            // Neighbours in the order of rows mostly need the same.
            let edges = place.each(|c| {
                let at = (c - 1) & ((1 << SECTOR) - 1);
                (i32::from(at >= (1 << SECTOR) - NEAR) << 1) | i32::from(at < NEAR)
            });
            let key = (group, place.each(|c| (c - 1) >> SECTOR), edges);
            if last.replace(key) == Some(key) {
                continue;
            }
            let cell = place[1] as u32 * ground.stride as u32 + place[0] as u32;
            let class = usize::from(groups[group].class);
            if let Some(corridors) = &mut self.by_class[class] {
                // Beyond the cap agents find no direction, and stand.
                let _ = corridors.need(id, cell, self.clock);
            }
        }
    }
}

/// Works until nothing is left to do: every search takes one round, and the tiles that it makes due
/// one more.
fn finish(corridors: &mut Corridors, class: &Arc<Clearance>) {
    for _ in 0..corridors.corridor_count() + 2 {
        if corridors.pending() == 0 {
            return;
        }
        corridors.advance(class);
    }
}
