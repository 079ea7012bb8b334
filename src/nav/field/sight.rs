//! Straight lines: cells that see a goal point at it.
//!
//! **What.** A cell sees a goal when the segment between both centres touches no opaque cell, not
//! even at a corner. Opaque is every cell that is impassable or slower than the least slowness of
//! the class: only over cells of one cost is the straight line the shortest.
//!
//! **Method.** Shadow casting in the eight octants around the goal, row by row outwards. What is
//! still lit is a list of open slope ranges with rational ends; an opaque cell takes the closed
//! range between its outer corners away. Inside its own row a segment touches no cell but its own,
//! except on the diagonal. Each row costs the cells that are lit, so the whole costs the cells that
//! are seen; all comparisons are exact.

mod sectors;

use crate::map::Clearance;
use crate::nav::field::direction::{SOLID, pack};
use crate::nav::field::{CellChanges, Progress};

/// More goals than this get no straight lines: gradients from wide goals are good enough.
pub const MAX_GOALS: usize = 16;

/// The eight octants: what one step outwards and one step aside are, as (x, y).
const OCTANTS: [[i64; 4]; 8] = [
    [1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, 1, -1, 0],
    [-1, 0, 0, 1],
    [-1, 0, 0, -1],
    [0, -1, -1, 0],
    [0, -1, 1, 0],
    [1, 0, 0, -1],
];

/// A slope aside / outwards.
#[derive(Clone, Copy, Debug)]
struct Slope {
    aside: i64,
    out: i64,
}

impl Slope {
    fn new(aside: i64, out: i64) -> Self {
        Self { aside, out }
    }

    fn less(self, other: Self) -> bool {
        self.aside * other.out < other.aside * self.out
    }
}

/// Slopes that are lit, ends excluded.
#[derive(Clone, Copy, Debug)]
struct Lit {
    low: Slope,
    high: Slope,
}

/// The part of an octant that is walked.
#[derive(Clone, Copy, Debug)]
struct Sector {
    lit: Lit,
    /// The last row, and the first one whose cells matter.
    last: i64,
    first: i64,
}

impl Sector {
    /// Beyond the octant on both sides, so that its edges are inside.
    const WHOLE: Self = Self {
        lit: Lit { low: Slope { aside: -1, out: 1 }, high: Slope { aside: 2, out: 1 } },
        last: i64::MAX,
        first: 1,
    };
}

/// A walk over all cells that see a goal. It can be stopped after any row.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    goals: Vec<u32>,
    goal: usize,
    octant: usize,
    row: i64,
    /// What of the eight octants of every goal is walked.
    sectors: Vec<Sector>,
    lit: Vec<Lit>,
    next: Vec<Lit>,
    /// Squared distance in cells to the goal that a cell points at; used for several goals only.
    nearest: Vec<u32>,
}

impl Sight {
    /// Prepares the straight lines to some goals (padded indices). More than [`MAX_GOALS`] get
    /// none.
    pub fn start(&mut self, class: &Clearance, goals: &[u32]) {
        self.set_goals(goals, |goal| class.passable(goal) && !opaque(class, goal as usize));
        self.nearest.clear();
        // A goal on slow ground is in sight of no cell, but may still be the nearer one.
        if goals.len() > 1 && !self.goals.is_empty() {
            self.nearest.resize(class.slowness().len(), u32::MAX);
        }
        self.sectors.clear();
        self.sectors.resize(OCTANTS.len() * self.goals.len(), Sector::WHOLE);
        self.begin(class, None);
    }

    /// Takes the goals that can be seen.
    fn set_goals(&mut self, goals: &[u32], can_be_seen: impl Fn(u32) -> bool) {
        self.goals.clear();
        if goals.len() <= MAX_GOALS {
            self.goals.extend(goals.iter().filter(|&&goal| can_be_seen(goal)));
        }
    }

    fn begin(&mut self, class: &Clearance, ignored: Option<&CellChanges>) {
        self.goal = 0;
        self.octant = 0;
        self.begin_octant(class, ignored);
    }

    /// Begins the octant at hand, or the next one of which a part is walked.
    fn begin_octant(&mut self, class: &Clearance, ignored: Option<&CellChanges>) {
        self.row = 1;
        self.lit.clear();
        while let Some(&goal) = self.goals.get(self.goal) {
            let Lit { low, mut high } = self.sectors[OCTANTS.len() * self.goal + self.octant].lit;
            // The diagonal touches a corner of the cell beside the goal, which no row holds.
            let diagonal = Slope::new(1, 1);
            let view = View { ignored, ..View::new(class, goal, OCTANTS[self.octant], 0) };
            if diagonal.less(high) && view.opaque(1) {
                high = diagonal;
            }
            push_lit(&mut self.lit, low, high);
            if !self.lit.is_empty() {
                return;
            }
            self.next_octant();
        }
    }

    fn next_octant(&mut self) {
        self.octant += 1;
        if self.octant == OCTANTS.len() {
            self.octant = 0;
            self.goal += 1;
        }
    }

    /// Writes directions until done or until `budget` cells are looked at, whole rows at a time.
    /// Cells that lead nowhere and goals stay as they are. With several goals a cell points at the
    /// nearest one it sees, unless its distance shows a shorter way to another.
    pub fn advance(
        &mut self,
        class: &Clearance,
        distances: &[i32],
        directions: &mut [u32],
        budget: u32,
    ) -> Progress {
        self.walk(class, None, budget, |nearest, seen| {
            seen.point(class, distances, nearest, directions);
        })
    }

    /// Calls `see` with the cells that are seen.
    fn walk(
        &mut self,
        class: &Clearance,
        ignored: Option<&CellChanges>,
        budget: u32,
        mut see: impl FnMut(&mut [u32], Seen),
    ) -> Progress {
        let mut work = 0;
        while self.goal < self.goals.len() {
            if work >= budget {
                return Progress { work, done: false };
            }
            work += self.cast_row(class, ignored, &mut see);
            if self.lit.is_empty() {
                self.next_octant();
                self.begin_octant(class, ignored);
            }
        }
        Progress { work, done: true }
    }

    /// Casts light over one row of an octant and returns how many cells were looked at.
    fn cast_row(
        &mut self,
        class: &Clearance,
        ignored: Option<&CellChanges>,
        see: &mut impl FnMut(&mut [u32], Seen),
    ) -> u32 {
        let Self { lit, next, nearest, row, .. } = self;
        let view = View::new(class, self.goals[self.goal], OCTANTS[self.octant], *row);
        let view = View { ignored, ..view };
        let sector = self.sectors[OCTANTS.len() * self.goal + self.octant];
        let row = *row;
        next.clear();
        let mut work = 0;
        for &Lit { mut low, high } in lit.iter() {
            let entered = low;
            let mut aside = first_touched(low, row);
            let mut previous_opaque = aside > 0 && view.opaque(aside - 1);
            while aside <= row + 1 {
                // The corners of the square that are outermost as seen from the goal.
                let near = if aside == 0 { 2 * row - 1 } else { 2 * row + 1 };
                let begin = Slope::new(2 * aside - 1, near);
                if !begin.less(high) {
                    break;
                }
                work += 1;
                let is_opaque = view.opaque(aside);
                let centre = Slope::new(aside, row);
                if is_opaque {
                    push_lit(next, low, begin);
                    let end = Slope::new(2 * aside + 1, 2 * row - 1);
                    low = if low.less(end) { end } else { low };
                } else if aside <= row
                    && row >= sector.first
                    && entered.less(centre)
                    && centre.less(high)
                    && !(aside == row && previous_opaque)
                {
                    see(nearest, view.seen(aside));
                }
                previous_opaque = is_opaque;
                aside += 1;
            }
            push_lit(next, low, high);
        }
        std::mem::swap(&mut self.lit, &mut self.next);
        self.row += 1;
        if self.row > sector.last {
            self.lit.clear();
        }
        work.max(1)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let lit = (self.lit.capacity() + self.next.capacity()) * size_of::<Lit>();
        let sectors = self.sectors.capacity() * size_of::<Sector>();
        (4 * (self.goals.capacity() + self.nearest.capacity()) + lit + sectors) as u64
    }
}

/// Keeps a range if it is one and reaches into the octant.
fn push_lit(lit: &mut Vec<Lit>, low: Slope, high: Slope) {
    if low.less(high) && high.aside > 0 && low.aside < low.out {
        lit.push(Lit { low, high });
    }
}

/// First cell of a row, not below 0, whose square reaches above a slope:
/// `(2·aside + 1) / (2·row − 1) > low`.
fn first_touched(low: Slope, row: i64) -> i64 {
    let units = (low.aside * (2 * row - 1)).div_euclid(low.out);
    ((units + 1).div_euclid(2)).max(0)
}

fn opaque(class: &Clearance, cell: usize) -> bool {
    class.slowness()[cell] != class.least()
}

/// One row of an octant, in cells of the raster.
struct View<'a> {
    class: &'a Clearance,
    goal: i64,
    /// Offset of the row's first cell from the goal, and of one cell aside.
    base: i64,
    step: i64,
    /// How far aside the raster reaches.
    reach: i64,
    axes: [i64; 4],
    row: i64,
    /// Cells that stop no light.
    ignored: Option<&'a CellChanges>,
}

impl<'a> View<'a> {
    fn new(class: &'a Clearance, goal: u32, axes: [i64; 4], row: i64) -> Self {
        let stride = i64::from(class.stride());
        let rows = class.slowness().len() as i64 / stride;
        let goal = i64::from(goal);
        let [out_x, out_y, aside_x, aside_y] = axes;
        let reach = |position: i64, side: i64, step: i64| match step {
            1 => side - 1 - position,
            -1 => position,
            _ => i64::MAX,
        };
        let (x, y) = (goal % stride, goal / stride);
        let reach_aside = reach(x, stride, aside_x).min(reach(y, rows, aside_y));
        let reach_out = reach(x, stride, out_x).min(reach(y, rows, out_y));
        let base = row * (out_x + out_y * stride);
        let step = aside_x + aside_y * stride;
        let reach = if row <= reach_out { reach_aside } else { -1 };
        Self { class, goal, base, step, reach, axes, row, ignored: None }
    }

    /// Whether a cell stops light; cells off the raster do.
    fn opaque(&self, aside: i64) -> bool {
        if aside > self.reach {
            return true;
        }
        let cell = self.cell(aside);
        let ignored = || self.ignored.is_some_and(|ignored| ignored.contains(cell as u32));
        opaque(self.class, cell) && !ignored()
    }

    fn cell(&self, aside: i64) -> usize {
        (self.goal + self.base + aside * self.step) as usize
    }

    fn seen(&self, aside: i64) -> Seen {
        let [out_x, out_y, aside_x, aside_y] = self.axes;
        let x = (self.row * out_x + aside * aside_x) as i32;
        let y = (self.row * out_y + aside * aside_y) as i32;
        Seen { cell: self.cell(aside), x, y, square: (x * x + y * y) as u32 }
    }
}

/// A cell that sees the goal.
struct Seen {
    cell: usize,
    /// Offset from the goal in cells.
    x: i32,
    y: i32,
    square: u32,
}

impl Seen {
    /// Lets the cell point at the goal, if that is right.
    #[inline(always)]
    fn point(
        &self,
        class: &Clearance,
        distances: &[i32],
        nearest: &mut [u32],
        directions: &mut [u32],
    ) {
        let cell = self.cell;
        let closer = nearest.is_empty()
            || (self.square < nearest[cell] && self.is_shortest(class, distances[cell]));
        if directions[cell] == SOLID || distances[cell] == 0 || !closer {
            return;
        }
        if let Some(nearest) = nearest.get_mut(cell) {
            *nearest = self.square;
        }
        directions[cell] = pack(-self.x, -self.y);
    }

    /// Whether the straight way is as short as the distance, which is up to a few percent too
    /// long: 1/64 and one cell are granted.
    fn is_shortest(&self, class: &Clearance, distance: i32) -> bool {
        let unit = 16.0 * f64::from(class.least());
        let straight = f64::from(self.square).sqrt() * unit;
        straight <= f64::from(distance) * (65.0 / 64.0) + unit
    }
}
