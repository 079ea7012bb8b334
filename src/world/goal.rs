//! Goals: where an order sends a group.

use crate::lane::Numbers;
use crate::map::Clearance;
use crate::map::Map;
use crate::map::area;
use crate::map::area::GoalCells;
use crate::map::area::Shape;
use crate::map::placement;
use crate::map::placement::PlaceError;
use crate::nav::field::SOLID;
use crate::nav::field::direction::GOAL_AREA;
use crate::nav::navigator::Ground;
use crate::nav::navigator::Navigator;
use crate::world::Aim;
use crate::world::Refusal;
use crate::world::World;

/// Share of the ground that a standing crowd covers.
const PACKING: f64 = 0.6;

/// A goal as a group holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Goal<N> {
    /// As ordered.
    pub(crate) shapes: Vec<Shape>,
    /// The point that agents without a field walk straight to.
    pub(crate) target: [N; 2],
    /// Where the first agent arrived; meant only once the places are laid out.
    pub(crate) entrance: [N; 2],
    /// One place for every agent that the group had when the first one arrived, the farthest from
    /// it first; empty before.
    pub(crate) places: Vec<[N; 2]>,
    /// How many of them are taken: the first ones.
    pub(crate) taken: u32,
    /// Whether there is a place for everyone that the group had then.
    pub(crate) fits: bool,
    /// Whether the places are laid out, though there may be none.
    pub(crate) is_laid_out: bool,
}

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
        let (shapes, places) = (shapes.to_vec(), Vec::new());
        Self { shapes, target, entrance: target, places, taken: 0, fits: false, is_laid_out: false }
    }

    /// Whether all of a crowd are in.
    pub(crate) fn is_full(&self) -> bool {
        self.fits && self.places.len() > 1 && self.taken as usize == self.places.len()
    }

    /// A goal where every member has a place from the start.
    pub(crate) fn of_places(centre: [f64; 2], target: [N; 2], places: Vec<[N; 2]>) -> Self {
        let taken = places.len() as u32;
        let shapes = vec![Shape::Point { at: centre }];
        Self { shapes, target, entrance: target, places, taken, fits: true, is_laid_out: true }
    }
}

/// Radius of the disc that a crowd of `members` packs.
fn packed_radius(radius: f64, members: u32) -> f64 {
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
        let row = &self.groups[usize::from(group)];
        let clearance = &self.classes[usize::from(row.class)];
        let mut cells = area::goal_cells(&self.map, shapes, clearance.slowness())
            .map_err(|error| Refusal::NoSuchPlace(error.to_string()))?;
        if let [Shape::Point { at }] = shapes {
            cells = widen(cells, &self.map, clearance, *at, radius, members);
        }
        Ok((cells, Goal::of_shapes(shapes)))
    }

    /// Whether any agent of a group stands where it can reach one of these cells.
    pub(crate) fn can_reach(&self, group: u16, cells: &[u32]) -> bool {
        let clearance = &self.classes[usize::from(self.groups[usize::from(group)].class)];
        let mut goals: Vec<u32> = cells.iter().map(|&cell| clearance.component(cell)).collect();
        goals.sort_unstable();
        goals.dedup();
        let ground = self.ground();
        let rows = self.agents.tag.iter().zip(self.agents.pos.iter());
        let mut members = rows.filter(|(tag, _)| tag.group == group);
        members.any(|(_, &pos)| {
            let [i, j] = ground.cell(pos);
            let cell = j as usize * ground.stride + i as usize;
            let cell = clearance.way_out(cell as u32);
            goals.binary_search(&clearance.component(cell)).is_ok()
        })
    }
}

impl<N: Numbers> World<N> {
    /// Lays out the places of a group's goal: one for each of its agents, in cells of the goal that
    /// its field reaches, the farthest from `entrance` first, so that nobody has to pass those who
    /// stand. Fewer when they do not fit.
    pub(crate) fn lay_out_places(&mut self, group: u16, entrance: [N; 2]) {
        let row = &self.groups[usize::from(group)];
        let Some(goal) = &row.goal else { return };
        let (radius, members) = (row.def.radius, row.members);
        let Some(reached) = self.reached_cells(group) else { return };
        let mut places = match goal.shapes[..] {
            [Shape::Point { at }] if members == 1 => vec![at],
            [Shape::Point { at }] => {
                let packed = packed_radius(radius, members);
                let open: Vec<u8> = reached.iter().map(|&cell| u8::from(cell > 0)).collect();
                // A lattice in a small disc may miss a few: look a little farther.
                let rings = (0..6).map(|i| packed * (1.0 + 0.15 * f64::from(i)) + radius);
                let discs = rings.map(|radius| [Shape::Disc { centre: at, radius }]);
                let mut best = Vec::new();
                for disc in discs {
                    let places = fill(&self.map, &open, &disc, members, radius);
                    if places.len() > best.len() {
                        best = places;
                    }
                    if best.len() == members as usize {
                        break;
                    }
                }
                best
            }
            _ => {
                let open: Vec<u8> = reached.iter().map(|&cell| u8::from(cell > 1)).collect();
                fill(&self.map, &open, &goal.shapes, members, radius)
            }
        };
        let from = entrance.map(N::to_f64);
        let square = |[x, y]: [f64; 2]| {
            let (dx, dy) = (x - from[0], y - from[1]);
            dx * dx + dy * dy
        };
        places.sort_by(|a, b| square(*b).total_cmp(&square(*a)));
        if let Some(goal) = &mut self.groups[usize::from(group)].goal {
            goal.is_laid_out = true;
            goal.entrance = entrance;
            goal.fits = places.len() >= members as usize;
            goal.places = places.into_iter().map(|at| at.map(N::from_f64)).collect();
        }
    }
}

impl<N: Numbers> World<N> {
    /// For every padded cell: 2 in the area of a group's goal and 1 elsewhere, where a way leads to
    /// the goal; else 0. `None` while the group goes nowhere.
    fn reached_cells(&self, group: u16) -> Option<Vec<u8>> {
        let row = &self.groups[usize::from(group)];
        if let Some(field) = row.field {
            let directions = self.fields.directions(field).unwrap_or_default();
            let reached = |&d: &u32| u8::from(d != SOLID) << u8::from(d & GOAL_AREA != 0);
            return Some(directions.iter().map(reached).collect());
        }
        let by_corridor = row.def.navigator == Navigator::Corridor;
        if self.traits[usize::from(group)].aim != Aim::Points && !by_corridor {
            return None;
        }
        let class = &self.classes[usize::from(row.class)];
        let component = |cell: u32| class.component(cell);
        let ground = Ground::new(class);
        let mut goals: Vec<u32> = row.way.goals.seeds().iter().map(|&c| component(c)).collect();
        goals.sort_unstable();
        goals.dedup();
        let reached = |cell: u32| {
            let joined = component(cell) != 0 && goals.binary_search(&component(cell)).is_ok();
            u8::from(joined) << u8::from(row.way.holds(cell, ground.place(cell)))
        };
        Some((0..class.slowness().len() as u32).map(reached).collect())
    }
}

impl<N: Numbers> World<N> {
    /// Whether there is a way for an agent of a group from one point to another. An agent that has
    /// been pushed to where it could not walk by itself may go anywhere.
    pub(crate) fn can_walk(&self, group: u16, from: [N; 2], to: [N; 2]) -> bool {
        let class = &self.classes[usize::from(self.groups[usize::from(group)].class)];
        let cell = |at: [N; 2]| self.map.cell_at(at[0].to_f64(), at[1].to_f64());
        let (Some(from), Some(to)) = (cell(from), cell(to)) else { return false };
        class.passable(to) && (!class.passable(from) || class.same_component(from, to))
    }

    /// Whether an agent of a group can walk straight from one point to another: all cells on the
    /// way, looked at every quarter of a cell, are passable for it.
    pub(crate) fn sees(&self, group: u16, from: [N; 2], to: [N; 2]) -> bool {
        let class = &self.classes[usize::from(self.groups[usize::from(group)].class)];
        let (from, to) = (from.map(N::to_f64), to.map(N::to_f64));
        let delta = [to[0] - from[0], to[1] - from[1]];
        let longest = delta[0].abs().max(delta[1].abs());
        let steps = (longest / self.map.cell_size() * 4.0).ceil().max(1.0);
        (0..=steps as u32).all(|step| {
            let share = f64::from(step) / steps;
            let at = [from[0] + delta[0] * share, from[1] + delta[1] * share];
            self.map.cell_at(at[0], at[1]).is_some_and(|cell| class.passable(cell))
        })
    }
}

/// Places for agents of a radius in the open cells of shapes, as many as fit.
fn fill(map: &Map, open: &[u8], shapes: &[Shape], agents: u32, radius: f64) -> Vec<[f64; 2]> {
    match placement::place(map, open, shapes, u64::from(agents), radius, 0) {
        Err(PlaceError::TooMany { fits, .. }) if fits > 0 => {
            placement::place(map, open, shapes, fits, radius, 0).unwrap_or_default()
        }
        placed => placed.unwrap_or_default(),
    }
}
