//! Goals: where an order sends a group.

use crate::data::bytes::Write;
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::map::{Clearance, Map, area};
use crate::math::each::Each;
use crate::nav::navigator::Navigator;
use crate::world::{Refusal, World};

/// Share of the ground that a standing crowd covers.
const PACKING: f64 = 0.6;

/// A goal as a group holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Goal<N> {
    /// As ordered.
    pub(crate) shapes: Vec<Shape>,
    /// The point that agents without a field walk straight to.
    pub(crate) target: [N; 2],
    /// Places to stand at: first those in the area, then those around it for agents that do not fit.
    pub(crate) places: Vec<[N; 2]>,
    /// How many of them are in the area.
    pub(crate) inside: u32,
    /// Indices of the free places: in the area, and around it.
    pub(crate) free: [Vec<u32>; 2],
    /// For how many agents places were looked for; 0 before the first one arrives.
    pub(crate) laid_for: u32,
    /// Whether every agent has a place of its own from the start, and is there when it is at that.
    pub(crate) each: bool,
    /// Least x and y, and greatest, of where the places are, and a margin; derived.
    pub(crate) zone: [[N; 2]; 2],
}

/// How far beyond the places of a goal agents may ask for one, metres.
const ZONE_MARGIN: f64 = 2.0;

impl<N: Numbers> Goal<N> {
    /// The goal of these shapes.
    pub(crate) fn of_shapes(shapes: &[Shape]) -> Self {
        let [mut x, mut y] = [0.0; 2];
        for shape in shapes {
            let [cx, cy] = shape.centre();
            x += cx / shapes.len() as f64;
            y += cy / shapes.len() as f64;
        }
        let target = [N::from_f64(x), N::from_f64(y)];
        Self {
            shapes: shapes.to_vec(),
            target,
            places: Vec::new(),
            inside: 0,
            free: [Vec::new(), Vec::new()],
            laid_for: 0,
            each: false,
            zone: [target; 2],
        }
    }

    /// A goal where every member has a place from the start.
    pub(crate) fn of_places(centre: [f64; 2], target: [N; 2], places: Vec<[N; 2]>) -> Self {
        let mut goal = Self::of_shapes(&[Shape::Point { at: centre }]);
        (goal.inside, goal.laid_for) = (places.len() as u32, (places.len() as u32).max(1));
        (goal.target, goal.places) = (target, places);
        goal
    }

    /// A goal with a place in it for each member: no other has it.
    pub(crate) fn of_each(shapes: Vec<Shape>, places: Vec<[N; 2]>) -> Self {
        let mut goal = Self::of_shapes(&shapes);
        (goal.inside, goal.laid_for) = (places.len() as u32, places.len() as u32);
        (goal.places, goal.each) = (places, true);
        goal.note_zone();
        goal
    }

    /// Whether these are the shapes of the goal, bit for bit.
    pub(crate) fn is_of(&self, shapes: &[Shape]) -> bool {
        same_bits(&self.shapes, shapes)
    }

    /// Whether a place is in the area, not around it.
    pub(crate) fn is_inside(&self, place: u32) -> bool {
        place < self.inside
    }

    /// Whether all places in the area are given away while some around it are not.
    pub(crate) fn overflows(&self) -> bool {
        self.free[0].is_empty() && !self.free[1].is_empty()
    }

    /// Takes all places away: none is laid out, and no agent has one.
    pub(crate) fn forget_places(&mut self) {
        self.places.clear();
        self.free.iter_mut().for_each(Vec::clear);
        (self.inside, self.laid_for) = (0, 0);
    }

    /// Takes back a place that an agent had.
    pub(crate) fn hand_back(&mut self, place: u32) {
        self.free[usize::from(!self.is_inside(place))].push(place);
    }

    /// Finds out where the places are.
    pub(crate) fn note_zone(&mut self) {
        let Some((&first, others)) = self.places.split_first() else { return };
        let margin = N::from_f64(ZONE_MARGIN);
        let [mut low, mut high] = [first; 2];
        for place in others {
            low = [0, 1].each(|axis| low[axis].smaller(place[axis]));
            high = [0, 1].each(|axis| high[axis].larger(place[axis]));
        }
        self.zone = [low.each(|at| at - margin), high.each(|at| at + margin)];
    }
}

/// Whether shapes are the same, bit for bit.
pub(crate) fn same_bits(a: &[Shape], b: &[Shape]) -> bool {
    let bytes = |shapes: &[Shape]| {
        let mut bytes = Vec::new();
        bytes.value(&shapes);
        bytes
    };
    a.len() == b.len() && bytes(a) == bytes(b)
}

/// Radius of the disc that a crowd of `members` packs.
pub(crate) fn packed_radius(radius: f64, members: u32) -> f64 {
    radius * (f64::from(members.max(1)) / PACKING).sqrt()
}

/// Widens a point's area to the cells that a crowd of `members` packs around it: the passable ones
/// within the packed radius that are connected to it through such cells.
pub(super) fn widen(
    cells: GoalCells,
    map: &Map,
    clearance: &Clearance,
    at: [f64; 2],
    radius: f64,
    members: u32,
) -> GoalCells {
    let packed = packed_radius(radius, members);
    let stride = map.stride() as usize;
    let near = |cell: usize| {
        let (i, j) = map.cell(cell as u32);
        let x = (f64::from(i) + 0.5) * map.cell_size() - at[0];
        let y = (f64::from(j) + 0.5) * map.cell_size() - at[1];
        x * x + y * y <= packed * packed
    };
    let mut area: Vec<u32> = cells.seeds().to_vec();
    let mut next = 0;
    let mut seen = std::collections::BTreeSet::from_iter(area.iter().copied());
    while next < area.len() {
        let cell = area[next] as usize;
        next += 1;
        for side in [cell - 1, cell + 1, cell - stride, cell + stride] {
            let open = clearance.slowness()[side] > 0;
            if open && near(side) && seen.insert(side as u32) {
                area.push(side as u32);
            }
        }
    }
    GoalCells::new(cells.seeds().to_vec(), area)
}

impl<N: Numbers> World<N> {
    /// The goal of a group, and its cells. A point has room for `members` of a radius.
    pub(crate) fn goal_cells(
        &self,
        group: u16,
        shapes: &[Shape],
        radius: f64,
        members: u32,
    ) -> Result<(GoalCells, Goal<N>), Refusal> {
        let row = &self.groups.list[usize::from(group)];
        let clearance = &self.ground.classes[usize::from(row.class)];
        let mut cells = area::goal_cells(&self.ground.map, shapes, clearance.slowness())
            .map_err(|error| Refusal::NoSuchPlace(error.to_string()))?;
        if let [Shape::Point { at }] = shapes {
            cells = widen(cells, &self.ground.map, clearance, *at, radius, members);
        }
        Ok((cells, Goal::of_shapes(shapes)))
    }

    /// The cell of a point where the agent in a row can stand.
    pub(crate) fn cell_to_stand_in(&self, row: usize, [x, y]: [f64; 2]) -> Result<u32, Refusal> {
        let group = &self.groups.list[usize::from(self.agents.rows.tag[row].group)];
        let class = self.ground.class_of(group);
        let cell = self.ground.map.cell_at(x, y).filter(|&cell| class.passable(cell));
        cell.filter(|_| self.is_open([x, y].each(N::from_f64))).ok_or_else(|| {
            let why = "that is in a wall or off the map";
            Refusal::NoSuchPlace(format!("an agent cannot stand at ({x}, {y}): {why}"))
        })
    }

    /// Whether a group may open ways for itself: it goes by a flow field, fires at will, and a structure
    /// stands that its shots harm.
    pub(crate) fn breaks_walls(&self, group: u16) -> bool {
        let traits = &self.groups.traits[usize::from(group)];
        let def = &self.groups.list[usize::from(group)].def;
        let weapon = self.combat.weapons.get(usize::from(traits.weapon));
        let Some(weapon) = weapon.filter(|_| def.navigator == Navigator::Flow && !def.hold_fire)
        else {
            return false;
        };
        let mut structures = self.structures.list.iter();
        structures
            .any(|structure| structure.stands() && structure.def.is_harmed(&weapon.def, traits))
    }

    /// Whether any agent of a group stands where it can reach one of these cells, or may come to.
    pub(crate) fn can_reach(&self, group: u16, cells: &[u32]) -> bool {
        if self.breaks_walls(group) {
            return true;
        }
        let members = self.agents.rows.tag.iter().enumerate();
        let members = members.filter(|(_, tag)| tag.group == group).map(|(row, _)| row);
        self.any_can_reach(group, cells, members)
    }

    /// Whether any of the agents in some rows, of the size of a group's, can reach one of these
    /// cells.
    pub(crate) fn any_can_reach(
        &self,
        group: u16,
        cells: &[u32],
        mut rows: impl Iterator<Item = usize>,
    ) -> bool {
        let clearance =
            &self.ground.classes[usize::from(self.groups.list[usize::from(group)].class)];
        let mut goals: Vec<u32> = cells.iter().map(|&cell| clearance.component(cell)).collect();
        goals.sort_unstable();
        goals.dedup();
        rows.any(|row| {
            let cell = clearance.way_out(self.ground.cell_of(self.agents.rows.pos[row]));
            let reaches = |cell: u32| goals.binary_search(&clearance.component(cell)).is_ok();
            if clearance.passable(cell) {
                return reaches(cell);
            }
            // A disc that touches a wall may have its centre in a cell whose centre is too near to it.
            let stride = clearance.stride();
            let above = cell.saturating_sub(stride + 1);
            (0..9).any(|i| reaches(above + i / 3 * stride + i % 3))
        })
    }
}
