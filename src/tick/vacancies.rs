//! Vacancies: the way to the nearest free place of a goal, for agents that see none.
//!
//! One flood over the cells of the map from all free places in the area, or around it, which is begun
//! again for each group and tick that needs it, answers all agents that wait then. It goes no farther than
//! to them.

use crate::lane::Numbers;
use crate::map::Clearance;
use crate::math::each::Each;
use crate::world::World;

/// Cells of the way that an agent looks along.
const MAX_CELLS: usize = 64;
/// A cell that no free place can be walked to from.
const NONE: u32 = u32::MAX;

/// Memory of the flood.
#[derive(Clone, Debug, Default)]
pub(super) struct Vacancies {
    /// The group that it was made for in this tick, and the kind of places: in the area, or around.
    made_for: Option<(u16, usize)>,
    /// By padded cell: the next one on the way to the nearest free place, and that place.
    next: Vec<u32>,
    place: Vec<u32>,
    queue: Vec<u32>,
    /// Cells of the queue that it has spread from.
    head: usize,
}

impl Vacancies {
    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.made_for = None;
    }

    /// The free place that is the nearest one to walk to from a position, and the farthest point in
    /// sight on the way there.
    pub(super) fn nearest<N: Numbers>(
        &mut self,
        world: &World<N>,
        group: u16,
        kind: usize,
        pos: [N; 2],
    ) -> Option<(u32, [N; 2])> {
        if self.made_for != Some((group, kind)) {
            self.begin(world, group, kind);
        }
        let size = world.ground.map.cell_size();
        let centre = |cell: u32| {
            let (i, j) = world.ground.map.cell(cell);
            [i, j].each(|c| N::from_f64((f64::from(c) + 0.5) * size))
        };
        let mut cell = world.ground.map.cell_at(pos[0].to_f64(), pos[1].to_f64())?;
        let group = &world.groups.list[usize::from(group)];
        self.go_on(&world.ground.classes[usize::from(group.class)], cell);
        let place = *self.place.get(cell as usize).filter(|&&place| place != NONE)?;
        let goal = group.goal.as_ref()?;
        let mut way = [pos; MAX_CELLS + 1];
        let mut cells = 0;
        while cells < MAX_CELLS {
            let next = self.next[cell as usize];
            cells += 1;
            if next == cell {
                way[cells] = goal.places[place as usize];
                break;
            }
            way[cells] = centre(next);
            cell = next;
        }
        // By halves, as what lies nearer on the way is in sight too, but for a few places where walls jut.
        let (mut seen, mut hidden) = (0, cells + 1);
        while hidden - seen > 1 {
            let at = seen.midpoint(hidden);
            match world.ground.sees(group, pos, way[at]) {
                true => seen = at,
                false => hidden = at,
            }
        }
        let seen = way[seen];
        Some((place, seen))
    }

    /// The flood begins at the free places.
    fn begin<N: Numbers>(&mut self, world: &World<N>, group: u16, kind: usize) {
        self.made_for = Some((group, kind));
        let row = &world.groups.list[usize::from(group)];
        let cells = world.ground.classes[usize::from(row.class)].slowness().len();
        let Self { next, place, queue, head, .. } = self;
        if place.len() == cells {
            for &cell in &*queue {
                place[cell as usize] = NONE;
            }
        } else {
            place.clear();
            place.resize(cells, NONE);
            next.resize(cells, NONE);
        }
        queue.clear();
        queue.reserve(cells);
        *head = 0;
        let Some(goal) = &row.goal else { return };
        for &free in &goal.free[kind] {
            let [x, y] = goal.places[free as usize].each(N::to_f64);
            let Some(cell) = world.ground.map.cell_at(x, y) else { continue };
            if place[cell as usize] == NONE {
                (next[cell as usize], place[cell as usize]) = (cell, free);
                queue.push(cell);
            }
        }
    }

    /// The flood goes on until it has reached a cell, or all that it can.
    fn go_on(&mut self, class: &Clearance, to: u32) {
        let Self { next, place, queue, head, .. } = self;
        let stride = class.stride();
        while place.get(to as usize) == Some(&NONE) {
            let Some(&cell) = queue.get(*head) else { return };
            *head += 1;
            for side in [cell - stride, cell - 1, cell + 1, cell + stride] {
                if place[side as usize] == NONE && class.passable(side) {
                    (next[side as usize], place[side as usize]) = (cell, place[cell as usize]);
                    queue.push(side);
                }
            }
        }
    }
}
