//! Cells and the steps between them, as one walker sees them.

use crate::map::{Clearance, Map, line};
use crate::math::each::Each;

/// Headings count clockwise from the right: 0 is right, 1 right and down, 2 down, to 7.
pub const HEADINGS: u8 = 8;

/// The step along x and y of every heading.
const STEPS: [[i32; 2]; 8] = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// The cells that agents of one size can stand on; indices are padded. Cells that are on no map are
/// walls.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    slowness: &'a [u8],
    stride: u32,
}

/// A heading turned clockwise by so many eighths.
#[inline(always)]
pub fn turned(heading: u8, eighths: u8) -> u8 {
    (heading + eighths) % HEADINGS
}

/// The heading of a step of -1, 0 or 1 along x and y; the first one where it is none.
pub fn heading_of(step: [i32; 2]) -> u8 {
    STEPS.iter().position(|&known| known == step).unwrap_or(0) as u8
}

impl<'a> Ground<'a> {
    /// The cells of a class.
    pub fn new(class: &'a Clearance) -> Self {
        Self { slowness: class.slowness(), stride: class.stride() }
    }

    /// The cells of a map, for agents of no size.
    pub fn of_map(map: &'a Map) -> Self {
        Self { slowness: map.slowness(), stride: map.stride() }
    }

    /// Slowness of a cell in 1/16; 0 where agents cannot stand.
    #[inline(always)]
    pub fn slowness(&self, cell: u32) -> u8 {
        self.slowness.get(cell as usize).copied().unwrap_or(0)
    }

    /// Whether an agent can stand there.
    #[inline(always)]
    pub fn is_open(&self, cell: u32) -> bool {
        self.slowness(cell) != 0
    }

    /// Whether an agent can walk straight from the centre of a cell to that of another: every cell
    /// that the line touches is open, corners included. With `even` they must also be as quick as
    /// the first one, so that no way is cut through slower ground.
    pub fn sees(&self, from: u32, to: u32, even: bool) -> bool {
        let own = self.slowness(from);
        line::is_clear(self.slowness, self.stride, from, to, |slowness| !even || slowness == own)
    }

    /// Column and row in the padded raster.
    #[inline(always)]
    pub fn place(&self, cell: u32) -> [i32; 2] {
        [(cell % self.stride) as i32, (cell / self.stride) as i32]
    }

    /// The cell at a column and row of the padded raster.
    #[inline(always)]
    pub fn cell(&self, [i, j]: [i32; 2]) -> u32 {
        (j as u32).wrapping_mul(self.stride).wrapping_add(i as u32)
    }

    /// The cell one step away, open or not.
    #[inline(always)]
    pub fn beside(&self, cell: u32, heading: u8) -> u32 {
        let [x, y] = STEPS[usize::from(heading % HEADINGS)];
        cell.wrapping_add(x as u32).wrapping_add((y as u32).wrapping_mul(self.stride))
    }

    /// The cell one step away, when that step is free: a diagonal one needs both cells between.
    #[inline(always)]
    pub fn step(&self, cell: u32, heading: u8) -> Option<u32> {
        let open = |heading| self.is_open(self.beside(cell, heading));
        let is_free = open(heading)
            && (heading.is_multiple_of(2)
                || (open(turned(heading, 1)) && open(turned(heading, 7))));
        is_free.then(|| self.beside(cell, heading))
    }

    /// The heading from a cell to one of the eight around it.
    pub fn heading_to(&self, from: u32, to: u32) -> Option<u8> {
        (0..HEADINGS).find(|&heading| self.beside(from, heading) == to)
    }

    /// The square of the distance between the centres of two cells.
    #[inline(always)]
    pub fn square(&self, a: u32, b: u32) -> i64 {
        let (a, b) = (self.place(a), self.place(b));
        let (x, y) = (i64::from(a[0] - b[0]), i64::from(a[1] - b[1]));
        x * x + y * y
    }

    /// The headings that lead nearer to another cell, best first, and how many of them there are:
    /// the first step of the line there, then along the longer axis, then along the shorter one.
    pub fn towards(&self, from: u32, to: u32) -> ([u8; 3], usize) {
        let (from, to) = (self.place(from), self.place(to));
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        let (signs, by_x) = ([x.signum(), y.signum()], x.abs() >= y.abs());
        let [long, short] = if by_x { [x.abs(), y.abs()] } else { [y.abs(), x.abs()] };
        let (along, across) = ([signs[0], 0], [0, signs[1]]);
        let [along, across] = if by_x { [along, across] } else { [across, along] };
        let [diagonal, along, across] = [signs, along, across].each(heading_of);
        match (long, short) {
            (0, _) => ([0; 3], 0),
            (_, 0) => ([along; 3], 1),
            _ if 2 * short >= long => ([diagonal, along, across], 3),
            _ => ([along, diagonal, across], 3),
        }
    }

    /// A free step that leads nearer to another cell.
    pub fn advance(&self, from: u32, to: u32) -> Option<(u8, u32)> {
        let (headings, count) = self.towards(from, to);
        let free = |&heading: &u8| self.step(from, heading).map(|cell| (heading, cell));
        headings[..count].iter().find_map(free)
    }
}
