//! Goals: where an order sends a group.

use crate::lane::Numbers;
use crate::map::Clearance;
use crate::map::Map;
use crate::map::area;
use crate::map::area::GoalCells;
use crate::map::area::Shape;
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
    /// Whether the goal is that point alone.
    pub(crate) is_point: bool,
}

/// The goal of these shapes.
pub(super) fn goal<N: Numbers>(shapes: &[Shape]) -> Goal<N> {
    let [mut x, mut y] = [0.0; 2];
    for shape in shapes {
        let [cx, cy] = shape.centre();
        x += cx / shapes.len() as f64;
        y += cy / shapes.len() as f64;
    }
    let is_point = matches!(shapes, [Shape::Point { .. }]);
    Goal { shapes: shapes.to_vec(), target: [N::from_f64(x), N::from_f64(y)], is_point }
}

/// Widens a point's area to the cells that a crowd of `members` packs around it: the passable ones
/// within the packed radius that are connected to it through such cells.
pub(super) fn widen(
    cells: &mut GoalCells,
    map: &Map,
    clearance: &Clearance,
    at: [f64; 2],
    radius: f64,
    members: u32,
) {
    let packed = radius * (f64::from(members.max(1)) / PACKING).sqrt();
    let stride = map.stride() as usize;
    let near = |cell: usize| {
        let (i, j) = map.cell(cell as u32);
        let x = (f64::from(i) + 0.5) * map.cell_size() - at[0];
        let y = (f64::from(j) + 0.5) * map.cell_size() - at[1];
        x * x + y * y <= packed * packed
    };
    let mut area: Vec<u32> = cells.seeds.clone();
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
    area.sort_unstable();
    cells.area = area;
}

impl<N: Numbers> World<N> {
    /// The goal of a group, and its cells.
    pub(crate) fn goal_cells(
        &self,
        group: u16,
        shapes: &[Shape],
    ) -> Result<(GoalCells, Goal<N>), Refusal> {
        let row = &self.groups[usize::from(group)];
        let clearance = &self.classes[usize::from(row.class)];
        let mut cells = area::goal_cells(&self.map, shapes, clearance.slowness())
            .map_err(|error| Refusal::NoSuchPlace(error.to_string()))?;
        if let [Shape::Point { at }] = shapes {
            widen(&mut cells, &self.map, clearance, *at, row.def.radius, row.members);
        }
        Ok((cells, goal(shapes)))
    }

    /// Whether any agent of a group stands where it can reach one of these cells.
    pub(crate) fn can_reach(&self, group: u16, cells: &[u32]) -> bool {
        let clearance = &self.classes[usize::from(self.groups[usize::from(group)].class)];
        let mut goals: Vec<u32> =
            cells.iter().map(|&cell| clearance.components()[cell as usize]).collect();
        goals.sort_unstable();
        goals.dedup();
        let ground = self.ground();
        let rows = self.agents.tag.iter().zip(self.agents.pos.iter());
        let mut members = rows.filter(|(tag, _)| tag.group == group);
        members.any(|(_, &pos)| {
            let [i, j] = ground.cell(pos);
            let cell = j as usize * ground.stride + i as usize;
            goals.binary_search(&clearance.components()[cell]).is_ok()
        })
    }
}
