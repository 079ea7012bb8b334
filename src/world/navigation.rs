//! Memory of agents that find their way without a flow field, and the queue for routes.

use crate::math::each::Each;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::data::{GroupId, Kind, Row, Word, table};
use crate::lane::Numbers;
use crate::map::area::GoalCells;
use crate::map::{Clearance, Map, Window};
use crate::nav::navigator::{Given, Ground, Prepared};
use crate::world::{Guidance, Refusal, World};

/// Searches for routes that are under way at once.
pub(crate) const SEARCHES: usize = 8;

/// Crumbs that a leader leaves behind at most; the oldest are gone then.
pub const MAX_CRUMBS: usize = 256;

/// Bits of [`Step::mode`].
pub(crate) mod mode {
    /// Has begun to walk.
    pub(crate) const STARTED: u8 = 1;
    /// Is in the goal's area.
    pub(crate) const IN_GOAL: u8 = 2;
    /// Keeps a hand on the wall: the right one.
    pub(crate) const TRACES: u8 = 4;
    pub(crate) const RIGHT: u8 = 8;
    /// Waits for a route.
    pub(crate) const WAITS: u8 = 16;
    /// Has a route; it leads to the goal.
    pub(crate) const ROUTED: u8 = 32;
    pub(crate) const WHOLE: u8 = 64;
    /// Is to be put into the queue for routes; or, while it does not wait, was given none.
    pub(crate) const ASKS: u8 = 128;
}

/// What an agent that finds its own way remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Step {
    /// Bits: 1 has begun, 2 in the goal's area, 4 keeps a hand on the wall, 8 the right one, 16
    /// waits for a route, 32 has a route, 64 which leads to the goal, 128 was given none.
    pub mode: u8,
    /// Its last step: eighths of a turn clockwise from the right.
    pub heading: u8,
    /// The point of its route that is next, and how many there are.
    pub next: u8,
    /// See `next`.
    pub count: u8,
    /// The cell that it walks to, as a padded index.
    pub cell: u32,
    /// The cell where the outline that it follows began.
    pub began: u32,
    /// Cells that it has chosen so far.
    pub steps: u32,
}

impl Row for Step {
    const WORDS: &'static [Word] = &[
        Word::new("mode", Kind::U8),
        Word::new("heading", Kind::U8),
        Word::new("next", Kind::U8),
        Word::new("count", Kind::U8),
        Word::new("cell", Kind::U32),
        Word::new("began", Kind::U32),
        Word::new("steps", Kind::U32),
    ];
}

table! {
    /// Memory of agents that find their own way, by id index; without rows in a world where all
    /// agents go by flow fields. Rows of other agents are zero.
    pub struct Steps<N: Numbers> as "navigation" {
        /// The point that it heads for.
        point: [N; 2], "m";
        /// Its last step, and how far it is along its route.
        step: Step, "";
        /// x and y of the next points of its route.
        route: [N; 16], "m";
    }
}

/// The queue for routes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Navigation {
    /// Id indices of agents that wait for a route, first come, first served.
    pub(crate) queue: Vec<u32>,
    /// Expansions that each search has done beyond what it had.
    pub(crate) debt: [u64; SEARCHES],
    /// By class: what its navigators need; not kept, as map and class tell it.
    pub(crate) prepared: Vec<Arc<Prepared>>,
}

/// The way of a group without a flow field: its goal cells, and what its leader has dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Way {
    /// The cells of its goal; none where it goes by a field, or nowhere.
    pub(crate) goals: GoalCells,
    /// The goal cell nearest to the middle, for navigators that head for a single cell; derived.
    pub(crate) centre: u32,
    /// Least and greatest column and row of the area; derived.
    bounds: [i32; 4],
    /// What its leader has dropped, oldest first.
    pub(crate) crumbs: Vec<u32>,
}

impl Way {
    /// A way to these cells; `target` is the middle of the goal, as a cell.
    pub(crate) fn new(goals: GoalCells, target: Option<u32>, map: &Map) -> Self {
        let ground = Ground::of_map(map);
        let target = target.unwrap_or(0);
        let centre = goals.seeds().iter().copied().min_by_key(|&cell| ground.square(cell, target));
        let mut bounds = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        for [i, j] in goals.area().iter().map(|&cell| ground.place(cell)) {
            let [low_i, low_j, high_i, high_j] = bounds;
            bounds = [low_i.min(i), low_j.min(j), high_i.max(i), high_j.max(j)];
        }
        Self { goals, centre: centre.unwrap_or(0), bounds, crumbs: Vec::new() }
    }

    /// Whether a cell counts as arrived; `place` is its column and row.
    pub(crate) fn holds(&self, cell: u32, [i, j]: [i32; 2]) -> bool {
        let [low_i, low_j, high_i, high_j] = self.bounds;
        let within = low_i <= i && i <= high_i && low_j <= j && j <= high_j;
        within && self.goals.area().binary_search(&cell).is_ok()
    }

    /// The leader enters a cell.
    pub(crate) fn drop_crumb(&mut self, cell: u32) {
        if self.crumbs.last() == Some(&cell) {
            return;
        }
        if self.crumbs.len() == MAX_CRUMBS {
            self.crumbs.remove(0);
        }
        self.crumbs.push(cell);
    }
}

impl<N: Numbers> World<N> {
    /// Memory of agents that find their own way, by id index.
    pub fn steps(&self) -> &Steps<N> {
        &self.routes.steps
    }

    /// How many agents wait for a route.
    pub fn waiting_for_routes(&self) -> usize {
        self.routes.navigation.queue.len()
    }

    /// Their id indices, the first one first.
    pub fn route_queue(&self) -> &[u32] {
        &self.routes.navigation.queue
    }

    /// The cells that the leader of a group has left behind, as padded indices, the oldest first.
    /// None when there is no such group.
    pub fn crumbs(&self, group: GroupId) -> &[u32] {
        self.group(group).map_or(&[], |group| &group.way.crumbs)
    }

    /// What the navigators of a group's class share; `None` while no group of it has needed anything,
    /// and when there is no such group.
    pub fn prepared(&self, group: GroupId) -> Option<&Prepared> {
        let class = usize::from(self.group(group)?.class);
        self.routes.navigation.prepared.get(class).map(Arc::as_ref)
    }

    /// Gives every id its memory, once a group needs it.
    pub(crate) fn make_steps(&mut self) {
        if self.routes.by_points && self.routes.steps.step.len() < self.agents.ids.capacity() {
            self.routes.steps.resize(self.agents.ids.capacity());
        }
    }

    /// Makes what the navigator of a group needs, unless it is there.
    ///
    /// # Errors
    /// When the map needs too many waypoints.
    pub(crate) fn prepare_ways(&mut self, group: u16) -> Result<(), Refusal> {
        let group = &self.groups.list[usize::from(group)];
        let class = usize::from(group.class);
        self.routes.navigation.prepared.resize_with(self.ground.classes.len(), Arc::default);
        let former = self.former_class(class);
        let given = former.as_ref().and_then(|former| self.given_ground(former, class));
        let mut prepared = Arc::clone(&self.routes.navigation.prepared[class]);
        let made = Arc::make_mut(&mut prepared).prepare(
            group.def.navigator,
            &self.ground.map,
            &self.ground.classes[class],
            given,
        );
        self.routes.navigation.prepared[class] = prepared;
        made.map_err(|error| Refusal::NoSuchKind(error.to_string()))
    }

    /// A class on the map as it was given, when that has changed since.
    fn former_class(&self, class: usize) -> Option<Clearance> {
        let kind = self.ground.classes[class].kind();
        let changed = !self.ground.changes.cells.is_empty();
        changed.then(|| self.ground.given_map.class_of(kind).ok()).flatten()
    }

    /// The map as it was given, when the class has changed since.
    fn given_ground<'a>(&'a self, former: &'a Clearance, class: usize) -> Option<Given<'a>> {
        let pairs = (0..).zip(former.slowness().iter().zip(self.ground.classes[class].slowness()));
        let changed = pairs.filter(|(_, (then, now))| then != now).map(|(cell, _)| cell);
        let changed: Vec<u32> = changed.collect();
        (!changed.is_empty()).then(|| Given {
            map: &self.ground.given_map,
            class: former,
            changed: Window::around(&changed, former.stride()),
        })
    }

    /// After a restore: makes what groups under way need, and nothing else.
    pub(crate) fn prepare_all_ways(&mut self) {
        self.routes.navigation.prepared.clear();
        for group in 0..self.groups.list.len() {
            if self.groups.traits[group].guidance == Guidance::Points {
                // Where the map needs too many waypoints now, routes are found on the grid.
                let _ = self.prepare_ways(group as u16);
            }
        }
    }

    /// An agent forgets its way.
    pub(crate) fn forget_steps(&mut self, id: u32) {
        if (id as usize) < self.routes.steps.step.len() {
            self.routes.steps.point[id as usize] = [N::ZERO; 2];
            self.routes.steps.step[id as usize] = Step::zeroed();
            self.routes.steps.route[id as usize] = [N::ZERO; 16];
        }
    }

    /// The map has changed inside a window of padded cells, and the classes with it, in these cells:
    /// routes through the window are asked for again. Agents that go cell by cell see what is there
    /// by themselves.
    pub(crate) fn ways_changed(&mut self, window: Window, changed: &[Vec<(u32, u8)>]) {
        let classes = self.ground.classes.iter().zip(changed);
        for (prepared, (class, changed)) in self.routes.navigation.prepared.iter_mut().zip(classes)
        {
            let cells: Vec<u32> = changed.iter().map(|&(cell, _)| cell).collect();
            Arc::make_mut(prepared).repair(&self.ground.map, class, &cells);
        }
        if self.routes.steps.step.is_empty() {
            return;
        }
        for (tag, pos) in self.agents.rows.tag.iter().zip(self.agents.rows.pos.iter()) {
            let (id, group) = (tag.id as usize, &self.groups.list[usize::from(tag.group)]);
            let class = &self.ground.classes[usize::from(group.class)];
            // Ways keep as far from walls as the class does.
            let reach = 2 + u32::from(class.min_distance().unsigned_abs()) / 256;
            let window = window.grow(reach);
            let metres = |v: u32| (f64::from(v) - 1.0) * self.ground.map.cell_size();
            let (least, most) = (window.min.each(metres), window.max.each(metres));
            let step = &mut self.routes.steps.step[id];
            let route = &self.routes.steps.route[id];
            let mut from = pos.each(N::to_f64);
            let mut points = (usize::from(step.next)..usize::from(step.count))
                .map(|i| [route[2 * i].to_f64(), route[2 * i + 1].to_f64()]);
            let crosses = step.mode & mode::ROUTED == 0
                || points.any(|to| {
                    let former = std::mem::replace(&mut from, to);
                    let (low, high) = (
                        [0, 1].each(|c| former[c].min(to[c])),
                        [0, 1].each(|c| former[c].max(to[c])),
                    );
                    (0..2).all(|c| low[c] <= most[c] && high[c] >= least[c])
                });
            if crosses {
                // Agents that wait go on waiting; agents that were given no route ask anew.
                step.mode &= !(mode::ROUTED | mode::WHOLE | mode::ASKS);
            }
        }
    }
}
