//! Outlines of the passable cells of a grid.

use crate::graph::rows::Rows;
use crate::map::{Clearance, Window};
use crate::math::each::Each;

/// Steps to the next corner of the lattice: +x, +y, −x, −y.
const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// Cells on the right of an edge that ends at a corner, and of one that starts there, as offsets
/// from the corner.
const RIGHT: [[[i32; 2]; 2]; 4] =
    [[[-1, -1], [0, -1]], [[0, -1], [0, 0]], [[0, 0], [-1, 0]], [[-1, 0], [-1, -1]]];

/// The boundary between passable and impassable cells of a window: closed rings of corners, with
/// the passable cells on the left of every edge where y points up (right where y points down).
///
/// Cells outside the window count as impassable, so its border is part of the rings; where the
/// cells beyond the border change from passable to not, a ring has a corner though it goes
/// straight on. Two passable cells that touch at a corner only are not joined: the rings go through
/// that corner twice. Coordinates are corners of cells, so whole numbers of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlines {
    /// The window's first corner.
    pub(super) origin: [i32; 2],
    /// Its columns and rows.
    pub(super) size: [u32; 2],
    /// x, y, by ring.
    pub(super) corners: Rows<[i32; 2]>,
    /// Corners that stay when rings are simplified: those on the border, and those where two rings
    /// touch.
    pub(super) fixed: Vec<bool>,
}

impl Outlines {
    /// The outlines of all cells of a grid.
    pub fn whole(class: &Clearance) -> Self {
        Self::trace(class, grid(class))
    }

    /// The outlines of a window of a grid. The area that they enclose is the number of passable
    /// cells, exactly.
    ///
    /// # Panics
    /// When the window holds cells that are not in the grid, padding included.
    pub fn trace(class: &Clearance, window: Window) -> Self {
        let grid = grid(class);
        assert_eq!(window.within(grid), window, "a window inside the grid, {grid:?}");
        let lattice = Lattice::new(class, window);
        let mut outlines = Self {
            origin: lattice.origin,
            size: [window.width(), window.height()],
            corners: Rows::default(),
            fixed: Vec::new(),
        };
        let mut seen = vec![0_u8; lattice.out.len()];
        for start in 0..lattice.out.len() {
            loop {
                let left = lattice.out[start] & !seen[start];
                if left == 0 {
                    break;
                }
                lattice.ring(start, left.trailing_zeros() as usize, &mut seen, &mut outlines);
                outlines.corners.end_row();
            }
        }
        outlines
    }

    /// The rings, each a list of corners. Rings around passable cells go counter-clockwise where y
    /// points up; those around holes go the other way.
    pub fn rings(&self) -> impl Iterator<Item = &[[i32; 2]]> {
        (0..self.corners.count()).map(|ring| self.corners.row(ring))
    }

    /// Twice the enclosed area, in cells.
    pub fn double_area(&self) -> i64 {
        self.rings().map(double_area).sum()
    }
}

/// All cells of a grid but the padding.
pub(super) fn grid(class: &Clearance) -> Window {
    let rows = class.slowness().len() as u32 / class.stride();
    Window { min: [1, 1], max: [class.stride() - 1, rows - 1] }
}

/// Twice the area of a ring, in cells; negative when it is clockwise where y points up.
fn double_area(ring: &[[i32; 2]]) -> i64 {
    let wide = |corner: [i32; 2]| corner.each(i64::from);
    let cross = |a: [i64; 2], b: [i64; 2]| a[0] * b[1] - a[1] * b[0];
    (0..ring.len()).map(|i| cross(wide(ring[i]), wide(ring[(i + 1) % ring.len()]))).sum()
}

/// The corners of a window's cells, and the boundary edges that start at each.
struct Lattice<'a> {
    class: &'a Clearance,
    /// The first corner, and the last.
    origin: [i32; 2],
    end: [i32; 2],
    /// Corners in a row.
    width: usize,
    /// One bit for each step of [`STEPS`].
    out: Vec<u8>,
}

impl<'a> Lattice<'a> {
    fn new(class: &'a Clearance, window: Window) -> Self {
        let [columns, rows] = [window.width() as usize, window.height() as usize];
        let width = columns + 1;
        let mut out = vec![0_u8; width * (rows + 1)];
        let stride = class.stride() as usize;
        let slowness = class.slowness();
        let origin = window.min[1] as usize * stride + window.min[0] as usize;
        for j in 0..rows {
            for i in 0..columns {
                let cell = origin + j * stride + i;
                if slowness[cell] == 0 {
                    continue;
                }
                let corner = j * width + i;
                let wall = |at_border: bool, beyond: usize| at_border || slowness[beyond] == 0;
                out[corner] |= u8::from(wall(j == 0, cell - stride));
                out[corner + 1] |= u8::from(wall(i + 1 == columns, cell + 1)) << 1;
                out[corner + width + 1] |= u8::from(wall(j + 1 == rows, cell + stride)) << 2;
                out[corner + width] |= u8::from(wall(i == 0, cell - 1)) << 3;
            }
        }
        // Corners count without the padding.
        let [origin, end] = [window.min, window.max].each(|at| at.each(|value| value as i32 - 1));
        Self { class, origin, end, width, out }
    }

    fn corner(&self, at: usize) -> [i32; 2] {
        let [x, y] = [at % self.width, at / self.width];
        [x as i32 + self.origin[0], y as i32 + self.origin[1]]
    }

    fn on_border(&self, [x, y]: [i32; 2]) -> bool {
        let (low, high) = (self.origin, self.end);
        x == low[0] || x == high[0] || y == low[1] || y == high[1]
    }

    /// Whether the cells beyond the border change at a corner that a ring passes straight.
    fn changes_beyond(&self, [x, y]: [i32; 2], step: usize) -> bool {
        let side = [self.origin[1], self.end[0], self.end[1], self.origin[0]];
        let across = [y, x, y, x][step];
        if across != side[step] {
            return false;
        }
        let passable = |[dx, dy]: [i32; 2]| {
            let index = (y + dy + 1) * self.class.stride() as i32 + x + dx + 1;
            self.class.passable(index as u32)
        };
        let [before, after] = RIGHT[step].each(passable);
        before != after
    }

    /// Follows a ring from an edge back to it, and adds its corners.
    fn ring(&self, start: usize, first_step: usize, seen: &mut [u8], outlines: &mut Outlines) {
        let (mut at, mut step) = (start, first_step);
        let mut coming = None;
        loop {
            let corner = self.corner(at);
            let touching = self.out[at].count_ones() > 1;
            if coming != Some(step) || self.changes_beyond(corner, step) {
                outlines.corners.push(corner);
                outlines.fixed.push(touching || self.on_border(corner));
            }
            seen[at] |= 1 << step;
            let [dx, dy] = STEPS[step];
            at = (at as isize + dx as isize + dy as isize * self.width as isize) as usize;
            coming = Some(step);
            // Left first: that is around the same cell where two touch at a corner.
            let turns = [step + 1, step, step + 3].each(|turn| turn % 4);
            let next = turns.into_iter().find(|&turn| self.out[at] >> turn & 1 == 1);
            step = next.expect("an edge goes on from every edge");
            if (at, step) == (start, first_step) {
                return;
            }
        }
    }
}
