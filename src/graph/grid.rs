//! Grids as graphs: cells are nodes, neighbours are edges.
//!
//! A cell's steps are one byte, one bit a direction, so that a search looks at no neighbour that it
//! cannot step to. Nodes are padded indices, as those of the [`Clearance`].

mod canonical;
mod estimate;
mod steps;

pub use estimate::Heuristic;
pub use steps::{Steps, steps};

use crate::graph::{Graph, NONE};
use crate::map::{Clearance, Window};
use crate::math::each::Each;
use canonical::{Canonical, Rule};

/// Which cells a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Neighbours {
    /// The four cells that share a side.
    Four,
    /// The eight cells around; a diagonal step needs both cells between to be passable.
    #[default]
    Eight,
    /// Hexagons in rows ("odd-r" offset coordinates): rows 1, 3, 5 … lie half a cell to the right
    /// of rows 0, 2, 4 …; every cell has two neighbours in its row, two above and two below.
    Hex,
}

/// What a step between two plain cells costs; a step between cells of slowness a and b (16 is
/// plain) costs `(a + b) / 32` times that, rounded down, and at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepCosts {
    /// To a cell that shares a side, and between hexagons.
    pub straight: u32,
    /// To a cell that shares a corner.
    pub diagonal: u32,
}

impl StepCosts {
    /// 256 and 362: √2 to 1 part in 9,000, and the costs of flow fields.
    pub const FINE: Self = Self { straight: 256, diagonal: 362 };
    /// 10 and 14: √2 to 1 part in 100. Ways may be up to that longer than the shortest.
    pub const COARSE: Self = Self { straight: 10, diagonal: 14 };

    /// Costs between cells of slowness `a` and `b`.
    #[inline(always)]
    pub fn between(self, a: u8, b: u8) -> Self {
        let sum = u32::from(a) + u32::from(b);
        let (straight, diagonal) = (self.straight, self.diagonal);
        Self { straight: Self::scale(straight, sum), diagonal: Self::scale(diagonal, sum) }
    }

    /// What it costs on open ground to get so many columns and rows further, over eight neighbours.
    #[inline(always)]
    pub(crate) fn octile(self, across: u32, down: u32) -> u32 {
        self.straight * across.max(down) + (self.diagonal - self.straight) * across.min(down)
    }

    #[inline(always)]
    fn scale(cost: u32, slowness: u32) -> u32 {
        ((cost * slowness) >> 5).max(1)
    }
}

impl Default for StepCosts {
    fn default() -> Self {
        Self::FINE
    }
}

/// Directions, as bits of a mask: up, left, right, down, then the diagonals.
const STRAIGHT: u8 = 0b1111;
const UP: u8 = 1;
const LEFT: u8 = 1 << 1;
const RIGHT: u8 = 1 << 2;
const DOWN: u8 = 1 << 3;
const UP_LEFT: u8 = 1 << 4;
const UP_RIGHT: u8 = 1 << 5;
const DOWN_LEFT: u8 = 1 << 6;
const DOWN_RIGHT: u8 = 1 << 7;

/// The cells that agents of one size can stand on, with the steps between them. It holds 2 bytes a
/// cell, 3 where the ground differs.
///
/// A search for a cell that cannot be reached looks at all that can be: ask
/// [`Clearance::same_component`] first (for hexagons it may say no where there is a way).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    stride: u32,
    neighbours: Neighbours,
    costs: StepCosts,
    /// What the steps cost by direction, on plain ground.
    steps: [u32; 8],
    /// What they cost where all passable cells have one slowness.
    even: Option<[u32; 8]>,
    /// Least slowness of a passable cell.
    least: u8,
    /// What is added to a cell to get to its neighbours.
    offsets: [u32; 8],
    canonical: Canonical,
    /// Steps out of every cell.
    masks: Vec<u8>,
    slowness: Vec<u8>,
    /// Which steps out of a cell are left out: the same for all cells, or of every cell where the
    /// slowness differs.
    rule: Rule,
    rules: Vec<Rule>,
}

impl Grid {
    /// The grid of a class, with eight neighbours and [`StepCosts::FINE`].
    pub fn new(class: &Clearance) -> Self {
        Self::with(class, Neighbours::Eight, StepCosts::FINE)
    }

    /// The grid of a class.
    ///
    /// # Panics
    /// When a diagonal step costs less than a straight one or more than two, or a step nothing or
    /// more than 65,535.
    pub fn with(class: &Clearance, neighbours: Neighbours, costs: StepCosts) -> Self {
        let StepCosts { straight, diagonal } = costs;
        let ordered = straight < diagonal && diagonal < 2 * straight;
        assert!(0 < straight && ordered && diagonal < 1 << 16, "{costs:?}");
        let stride = class.stride();
        let off = |x: i32, y: i32| (y * stride as i32 + x) as u32;
        let offsets = [
            off(0, -1),
            off(-1, 0),
            off(1, 0),
            off(0, 1),
            off(-1, -1),
            off(1, -1),
            off(-1, 1),
            off(1, 1),
        ];
        let corner = if neighbours == Neighbours::Hex { straight } else { diagonal };
        let mut grid = Self {
            stride,
            neighbours,
            costs,
            steps: std::array::from_fn(|i| if i < 4 { straight } else { corner }),
            even: None,
            least: 0,
            offsets,
            canonical: Canonical::new(&offsets),
            masks: vec![0; class.slowness().len()],
            slowness: class.slowness().to_vec(),
            rule: Rule::All,
            rules: Vec::new(),
        };
        grid.set(class, grid.window());
        grid
    }

    /// Follows a change of the map: `class` is the class of now, which differs from that of before
    /// only in cells of a window.
    ///
    /// # Panics
    /// When the class has another size.
    pub fn repair(&mut self, class: &Clearance, window: Window) {
        let cells = class.slowness();
        assert!(self.stride == class.stride() && self.slowness.len() == cells.len());
        for row in window.within(self.window()).rows(self.stride) {
            let row = row.start as usize..row.end as usize;
            self.slowness[row.clone()].copy_from_slice(&cells[row]);
        }
        // The cells around have other neighbours now.
        self.set(class, window.grow(1));
    }

    /// The raster without its padding.
    fn window(&self) -> Window {
        let Window { min, max } = Window::all(self.slowness.len() as u32, self.stride);
        Window { min: min.each(|v| v + 1), max: max.each(|v| v - 1) }
    }

    /// Sets all that follows from the slowness of cells, for the cells of a window.
    fn set(&mut self, class: &Clearance, mut window: Window) {
        self.least = class.least();
        let is_even = class.least() == class.greatest();
        let twice = 2 * u32::from(self.least);
        self.even = is_even.then(|| self.steps.each(|cost| StepCosts::scale(cost, twice)));
        let is_eight = self.neighbours == Neighbours::Eight;
        let has_one_rule = is_even || !is_eight;
        self.rule = if is_even && is_eight { Rule::even(self.least_costs()) } else { Rule::All };
        if has_one_rule {
            self.rules = Vec::new();
        } else if self.rules.is_empty() {
            self.rules = vec![Rule::All; self.slowness.len()];
            window = self.window();
        }
        for row in window.within(self.window()).rows(self.stride) {
            for cell in row {
                self.masks[cell as usize] = self.steps_from(cell);
                if !has_one_rule {
                    let slowness = |cell: u32| self.slowness[cell as usize];
                    let around = self.offsets.each(|off| slowness(cell.wrapping_add(off)));
                    self.rules[cell as usize] = Rule::new(self.costs, slowness(cell), around);
                }
            }
        }
    }

    fn steps_from(&self, cell: u32) -> u8 {
        if self.slowness[cell as usize] == 0 {
            return 0;
        }
        let open = (0..8).fold(0, |mask, i| {
            let other = cell.wrapping_add(self.offsets[i]) as usize;
            mask | u8::from(self.slowness[other] != 0) << i
        });
        let corners = [
            (UP_LEFT, UP | LEFT),
            (UP_RIGHT, UP | RIGHT),
            (DOWN_LEFT, DOWN | LEFT),
            (DOWN_RIGHT, DOWN | RIGHT),
        ];
        match self.neighbours {
            Neighbours::Four => open & STRAIGHT,
            Neighbours::Eight => corners.iter().fold(open, |mask, &(corner, between)| {
                if open & between == between { mask } else { mask & !corner }
            }),
            // Padded row 1 is row 0.
            Neighbours::Hex if cell / self.stride % 2 == 1 => {
                open & (STRAIGHT | UP_LEFT | DOWN_LEFT)
            }
            Neighbours::Hex => open & (STRAIGHT | UP_RIGHT | DOWN_RIGHT),
        }
    }

    /// Which cells a step leads to.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// Cells from one row to the next.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Costs of steps on plain ground.
    pub fn step_costs(&self) -> StepCosts {
        self.costs
    }

    /// Costs between two cells of the least slowness; no step costs less.
    fn least_costs(&self) -> StepCosts {
        self.costs.between(self.least, self.least)
    }

    /// Steps out of a cell, a bit for each of up, left, right, down, up left, up right, down left,
    /// down right.
    #[inline(always)]
    pub(crate) fn mask(&self, cell: u32) -> u8 {
        self.masks[cell as usize]
    }

    /// The steps of a mask that cheapest ways need after a step by `offset`.
    #[inline(always)]
    pub(crate) fn after(&self, offset: u32, mask: u8) -> u8 {
        self.canonical.after(Rule::Even, offset, mask)
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.masks.capacity() + self.slowness.capacity() + self.rules.capacity()) as u64
    }
}

impl Graph for Grid {
    fn node_count(&self) -> u32 {
        self.masks.len() as u32
    }

    #[inline(always)]
    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32)) {
        self.each_edge_from(node, NONE, visit);
    }

    #[inline(always)]
    fn each_edge_from(&self, node: u32, parent: u32, mut visit: impl FnMut(u32, u32)) {
        let mut mask = self.masks[node as usize];
        if parent != NONE {
            let rule = self.rules.get(node as usize).copied().unwrap_or(self.rule);
            mask = self.canonical.after(rule, node.wrapping_sub(parent), mask);
        }
        let mut bits = u32::from(mask);
        // One loop for both kinds of ground: what `visit` does is compiled into it.
        while bits != 0 {
            let i = bits.trailing_zeros() as usize % 8;
            let end = node.wrapping_add(self.offsets[i]);
            let slowness = |cell: u32| u32::from(self.slowness[cell as usize]);
            let cost = match &self.even {
                Some(costs) => costs[i],
                None => StepCosts::scale(self.steps[i], slowness(node) + slowness(end)),
            };
            visit(end, cost);
            bits &= bits - 1;
        }
    }
}
