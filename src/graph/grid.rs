//! Grids as graphs: cells are nodes, neighbours are edges.

use crate::graph::Graph;
use crate::map::Clearance;

/// The cells that agents of one size can stand on, with steps to the eight neighbours; a diagonal
/// one needs both cells between to be passable. Nodes are padded indices.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    class: &'a Clearance,
}

impl<'a> Grid<'a> {
    /// The grid of a class.
    pub fn new(class: &'a Clearance) -> Self {
        Self { class }
    }
}

/// Cost of a straight step between cells of slowness `a` and `b`.
#[inline(always)]
pub fn straight_cost(a: u8, b: u8) -> i32 {
    8 * (i32::from(a) + i32::from(b))
}

/// Cost of a diagonal step between cells of slowness `a` and `b`.
#[inline(always)]
pub fn diagonal_cost(a: u8, b: u8) -> i32 {
    (181 * (i32::from(a) + i32::from(b))) >> 4
}

impl Graph for Grid<'_> {
    fn node_count(&self) -> u32 {
        self.class.slowness().len() as u32
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let slowness = self.class.slowness();
        let stride = self.class.stride();
        let own = slowness[node as usize];
        let open = |cell: u32| slowness[cell as usize];
        let (up, down) = (node - stride, node + stride);
        for cell in [up, node - 1, node + 1, down] {
            if open(cell) != 0 {
                visit(cell, straight_cost(own, open(cell)) as u32);
            }
        }
        for (row, side) in [(up, node - 1), (up, node + 1), (down, node - 1), (down, node + 1)] {
            let cell = row + side - node;
            if open(cell) != 0 && open(row) != 0 && open(side) != 0 {
                visit(cell, diagonal_cost(own, open(cell)) as u32);
            }
        }
    }
}
