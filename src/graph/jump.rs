//! Jump-point search on uniform grids.
//!
//! **What.** The cheapest way over eight neighbours where all passable cells have one slowness, as
//! A* finds it, many times faster. Of the ways of one cost only those that go diagonally first are
//! looked at, and cells on them that lead nowhere else are jumped over.
//!
//! **Method.** Harabor & Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011, and
//! "Improving Jump Point Search", 2014: straight jumps look at 63 cells at once in rows of bits;
//! there is a second raster of bits, transposed, for columns. Diagonal steps do not cut corners
//! here, so a straight way can only have to turn where a wall beside it ends *behind* it, and a
//! diagonal one nowhere.
//!
//! Jump points are a [`Graph`] whose nodes are cells and whose edges are jumps, searched like all
//! others.

mod lines;

use crate::graph::grid::{Heuristic, StepCosts};
use crate::graph::{Found, Graph, Grid, NONE, Search};
use crate::map::{Clearance, Window};
use lines::Lines;

/// Why there are no jump points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JumpError {
    /// Not all passable cells are equally slow.
    #[error(
        "jump points need ground of one slowness; this has {least} to {greatest} (16 is plain)"
    )]
    Uneven {
        /// Least slowness of a passable cell.
        least: u8,
        /// Greatest slowness of a passable cell.
        greatest: u8,
    },
}

/// A uniform grid with what jumps need. Cells are padded indices; steps cost
/// [`StepCosts::FINE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jump {
    grid: Grid,
    costs: StepCosts,
    /// Walls by row and by column.
    rows: Lines,
    columns: Lines,
}

impl Jump {
    /// The jump points of a class.
    ///
    /// # Errors
    /// [`JumpError::Uneven`] when passable cells differ in slowness.
    pub fn new(class: &Clearance) -> Result<Self, JumpError> {
        let grid = Grid::new(class);
        let costs = Self::costs(class, &grid)?;
        let (stride, cells) = (class.stride(), class.slowness());
        let height = cells.len() as u32 / stride;
        let mut jump = Self {
            grid,
            costs,
            rows: Lines::new(height, stride),
            columns: Lines::new(stride, height),
        };
        jump.set(class, Window::all(cells.len() as u32, stride));
        Ok(jump)
    }

    /// Follows a change of the map: `class` is the class of now, which differs from that of before
    /// only in cells of a window.
    ///
    /// # Errors
    /// [`JumpError::Uneven`] when passable cells differ in slowness now; nothing is changed then.
    ///
    /// # Panics
    /// When the class has another size.
    pub fn repair(&mut self, class: &Clearance, window: Window) -> Result<(), JumpError> {
        self.costs = Self::costs(class, &self.grid)?;
        self.grid.repair(class, window);
        self.set(class, window);
        Ok(())
    }

    /// Costs of steps between cells of the one slowness.
    fn costs(class: &Clearance, grid: &Grid) -> Result<StepCosts, JumpError> {
        let (least, greatest) = (class.least(), class.greatest());
        if least != greatest {
            return Err(JumpError::Uneven { least, greatest });
        }
        Ok(grid.step_costs().between(least, least))
    }

    /// Copies the walls of a window.
    fn set(&mut self, class: &Clearance, window: Window) {
        let (stride, cells) = (class.stride(), class.slowness());
        let all = Window::all(cells.len() as u32, stride);
        for cell in window.within(all).rows(stride).flatten() {
            let wall = cells[cell as usize] == 0;
            self.rows.set(cell / stride, cell % stride, wall);
            self.columns.set(cell % stride, cell / stride, wall);
        }
    }

    /// The cheapest way from one cell to another. Its cells: [`Jump::path`].
    pub fn find(&self, search: &mut Search, start: u32, goal: u32) -> Option<Found> {
        let estimate = self.grid.estimate(Heuristic::Octile, goal);
        search.find(&self.to(goal), &[(start, 0)], |cell| cell == goal, estimate)
    }

    /// The jump points on ways to one goal.
    pub fn to(&self, goal: u32) -> JumpsTo<'_> {
        let stride = self.grid.stride();
        JumpsTo { jump: self, goal: (goal % stride, goal / stride) }
    }

    /// Writes all cells of the way that the last search found to a jump point, start first, over
    /// `path`; nothing when it was not reached.
    pub fn path(&self, search: &Search, node: u32, path: &mut Vec<u32>) {
        path.clear();
        if search.cost(node).is_none() {
            return;
        }
        let stride = self.grid.stride();
        path.push(node);
        let mut at = node;
        loop {
            let parent = search.parent(at);
            if parent == NONE {
                break;
            }
            let across = (parent % stride).wrapping_sub(at % stride) as i32;
            let down = (parent / stride).wrapping_sub(at / stride) as i32;
            let step = down.signum() * stride as i32 + across.signum();
            while at != parent {
                at = at.wrapping_add_signed(step);
                path.push(at);
            }
        }
        path.reverse();
    }

    /// The cells, for other searches.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.grid.bytes() + self.rows.bytes() + self.columns.bytes()
    }
}

/// The jump points on ways to one goal, as a graph.
#[derive(Clone, Copy, Debug)]
pub struct JumpsTo<'a> {
    jump: &'a Jump,
    goal: (u32, u32),
}

impl Graph for JumpsTo<'_> {
    fn node_count(&self) -> u32 {
        self.jump.grid.node_count()
    }

    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32)) {
        self.each_jump(node, self.jump.grid.mask(node), visit);
    }

    fn each_edge_from(&self, node: u32, parent: u32, visit: impl FnMut(u32, u32)) {
        let mut mask = self.jump.grid.mask(node);
        if parent != NONE {
            let stride = self.jump.grid.stride();
            let across = (node % stride).cmp(&(parent % stride)) as i32;
            let down = (node / stride).cmp(&(parent / stride)) as i32;
            mask = self.jump.grid.after((down * stride as i32 + across) as u32, mask);
        }
        self.each_jump(node, mask, visit);
    }
}

impl JumpsTo<'_> {
    /// Jumps in the directions of a mask.
    fn each_jump(&self, node: u32, mask: u8, mut visit: impl FnMut(u32, u32)) {
        let Jump { grid, costs, .. } = self.jump;
        let stride = grid.stride();
        let (x, y) = (node % stride, node / stride);
        let mut go = |cost: u32, jump: Option<(u32, u32)>| {
            if let Some((to, steps)) = jump {
                visit(to, cost * steps);
            }
        };
        // In the order of the mask's bits.
        if mask & 1 != 0 {
            go(costs.straight, self.vertical::<false>(x, y).map(|end| (end * stride + x, y - end)));
        }
        if mask & 2 != 0 {
            go(costs.straight, self.horizontal::<false>(x, y).map(|end| (node + end - x, x - end)));
        }
        if mask & 4 != 0 {
            go(costs.straight, self.horizontal::<true>(x, y).map(|end| (node + end - x, end - x)));
        }
        if mask & 8 != 0 {
            go(costs.straight, self.vertical::<true>(x, y).map(|end| (end * stride + x, end - y)));
        }
        if mask & 16 != 0 {
            go(costs.diagonal, self.diagonal::<false, false>(node));
        }
        if mask & 32 != 0 {
            go(costs.diagonal, self.diagonal::<true, false>(node));
        }
        if mask & 64 != 0 {
            go(costs.diagonal, self.diagonal::<false, true>(node));
        }
        if mask & 128 != 0 {
            go(costs.diagonal, self.diagonal::<true, true>(node));
        }
    }

    #[inline(always)]
    fn horizontal<const RIGHT: bool>(&self, x: u32, y: u32) -> Option<u32> {
        let goal = if y == self.goal.1 { self.goal.0 } else { NONE };
        self.jump.rows.jump::<RIGHT>(y, x, goal)
    }

    #[inline(always)]
    fn vertical<const DOWN: bool>(&self, x: u32, y: u32) -> Option<u32> {
        let goal = if x == self.goal.0 { self.goal.1 } else { NONE };
        self.jump.columns.jump::<DOWN>(x, y, goal)
    }

    /// The cell at which a diagonal way stops, and how many steps away it is: the goal, or a cell
    /// from which a straight jump leads somewhere.
    #[inline(always)]
    fn diagonal<const RIGHT: bool, const DOWN: bool>(&self, node: u32) -> Option<(u32, u32)> {
        let grid = &self.jump.grid;
        let stride = grid.stride();
        let direction = 4 + u32::from(RIGHT) + 2 * u32::from(DOWN);
        let (mut x, mut y) = (node % stride, node / stride);
        let mut cell = node;
        let mut steps = 0;
        while grid.mask(cell) >> direction & 1 != 0 {
            x = if RIGHT { x + 1 } else { x - 1 };
            y = if DOWN { y + 1 } else { y - 1 };
            cell = y * stride + x;
            steps += 1;
            if (x, y) == self.goal
                || self.horizontal::<RIGHT>(x, y).is_some()
                || self.vertical::<DOWN>(x, y).is_some()
            {
                return Some((cell, steps));
            }
        }
        None
    }
}
