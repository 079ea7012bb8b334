//! Flood-fill placement: nodes spread evenly over all open ground.
//!
//! **Method.** The cells that agents can stand on are cut into square blocks. Each connected piece
//! of a block gets a node, at its cell nearest to the block's middle, so that every component has
//! one. Pieces that touch are joined: by an edge where one is clear, else through nodes on the
//! shortest way inside both pieces. A step between the centres of two such cells is clear, because
//! wall squares begin and end where the cells do; so a component is one part of the network.
//! Further edges join near nodes, nearest first.

use crate::data::sets;
use crate::graph::network::draft::{Draft, Links};
use crate::graph::network::obstacles::{Obstacles, Point};
use crate::map::{Clearance, Map};
use crate::math::each::Each;
use crate::par;
use std::collections::VecDeque;

/// How flood fill places nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloodFill {
    /// Distance between nodes on open ground in metres, rounded to whole cells.
    pub spacing: f64,
    /// Longest edge in metres, but for edges that hold a component together.
    pub range: f64,
    /// Edges of a node, but for edges that hold a component together.
    pub degree: u32,
}

impl FloodFill {
    /// Nodes that far apart, with edges up to 1.6 times as long and 8 of them at most.
    pub fn every(spacing: f64) -> Self {
        Self { spacing, range: 1.6 * spacing, degree: 8 }
    }
}

/// Cells that agents can stand on, with a border of others.
struct Cells {
    origin: Point,
    size: f64,
    stride: usize,
    open: Vec<bool>,
}

impl Cells {
    fn centre(&self, cell: usize) -> Point {
        let (x, y) = (cell % self.stride, cell / self.stride);
        [
            self.origin[0] + (x as f64 - 0.5) * self.size,
            self.origin[1] + (y as f64 - 0.5) * self.size,
        ]
    }

    fn sides(&self, cell: usize) -> [usize; 4] {
        [cell - self.stride, cell - 1, cell + 1, cell + self.stride]
    }
}

/// Nodes over the cells that a class can stand on. `radius` is the agents' in metres, `obstacles`
/// are the walls of the map.
pub fn flood_fill(
    map: &Map,
    class: &Clearance,
    obstacles: &impl Obstacles,
    radius: f64,
    placing: &FloodFill,
) -> Draft {
    let open = class.slowness().iter().map(|&slowness| slowness != 0).collect();
    let stride = class.stride() as usize;
    let cells = Cells { origin: [0.0; 2], size: map.cell_size(), stride, open };
    fill(&cells, obstacles, radius, placing)
}

/// Nodes over any obstacles, found on a raster of cells of `cell` metres over their bounds: a cell
/// is open where its centre is half a cell and the radius away from everything. Ways that are
/// narrower than that are not seen.
pub fn flood_fill_raster(
    obstacles: &impl Obstacles,
    cell: f64,
    radius: f64,
    placing: &FloodFill,
) -> Draft {
    let [least, most] = obstacles.bounds();
    let side = |axis: usize| ((most[axis] - least[axis]) / cell) as usize + 1;
    let (stride, rows) = (side(0) + 2, side(1) + 2);
    let mut cells = Cells { origin: least, size: cell, stride, open: Vec::new() };
    let need = radius + 0.5 * cell;
    let open = |index: usize| {
        let (x, y) = (index % stride, index / stride);
        let border = x == 0 || y == 0 || x == stride - 1 || y == rows - 1;
        !border && obstacles.clearance(cells.centre(index), need) >= need
    };
    cells.open = par::map(stride * rows, 1 << 10, open);
    fill(&cells, obstacles, radius, placing)
}

fn fill(cells: &Cells, obstacles: &impl Obstacles, radius: f64, placing: &FloodFill) -> Draft {
    let side = ((placing.spacing / cells.size + 0.5) as usize).clamp(1, 1 << 14);
    let (labels, seeds) = pieces(cells, side);
    let mut draft = Draft::default();
    let mut node_of = vec![u32::MAX; cells.open.len()];
    let mut node_at = |draft: &mut Draft, cell: usize| {
        if node_of[cell] == u32::MAX {
            node_of[cell] = draft.add(cells.centre(cell), 0);
        }
        node_of[cell]
    };
    for &seed in &seeds {
        node_at(&mut draft, seed);
    }
    let pairs = touching(cells, &labels);
    let ways = par::map_with(pairs.len(), 16, Walk::default, |walk, pair| {
        let (a, b) = pairs[pair];
        let (from, to) = (seeds[a as usize], seeds[b as usize]);
        let fits = |a: usize, b: usize| obstacles.fits(cells.centre(a), cells.centre(b), radius);
        if fits(from, to) {
            return vec![from, to];
        }
        walk.between(cells, &labels, side, [from, to]);
        thin(&walk.way, fits)
    });
    for way in ways {
        for pair in way.windows(2) {
            let (a, b) = (node_at(&mut draft, pair[0]), node_at(&mut draft, pair[1]));
            draft.link(a, b);
        }
    }
    let FloodFill { range, degree, .. } = *placing;
    let tries = 3 * degree;
    draft.link_near(obstacles, &Links { radius, range, degree, tries, taut: false });
    draft
}

/// The piece of every open cell, and the seed of every piece.
fn pieces(cells: &Cells, side: usize) -> (Vec<u32>, Vec<usize>) {
    let block =
        |cell: usize| [cell % cells.stride, cell / cells.stride].each(|at| (at.max(1) - 1) / side);
    let each = |cell: usize, visit: &mut dyn FnMut(usize)| {
        let own = block(cell);
        cells.sides(cell).into_iter().filter(|&next| block(next) == own).for_each(visit);
    };
    let (labels, count) = sets::pieces(cells.open.len(), |cell| cells.open[cell], each);
    let mut seeds = vec![(usize::MAX, 0); count as usize];
    for (cell, &label) in labels.iter().enumerate().filter(|&(_, &label)| label != u32::MAX) {
        // From the block's middle, in half cells.
        let aside = [cell % cells.stride, cell / cells.stride].into_iter().zip(block(cell));
        let aside = aside.map(|(at, block)| (2 * at).abs_diff((2 * block + 1) * side + 1).pow(2));
        let seed = &mut seeds[label as usize];
        *seed = (*seed).min((aside.sum(), cell));
    }
    (labels, seeds.into_iter().map(|(_, seed)| seed).collect())
}

/// Pairs of pieces with cells side by side, ascending.
fn touching(cells: &Cells, labels: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for cell in 0..labels.len() - cells.stride {
        for next in [cell + 1, cell + cells.stride] {
            let (a, b) = (labels[cell], labels[next]);
            if a != b && a != u32::MAX && b != u32::MAX {
                let pair = (a.min(b), a.max(b));
                if pairs.last() != Some(&pair) {
                    pairs.push(pair);
                }
            }
        }
    }
    sets::distinct(pairs)
}

/// Memory of walks between two cells.
#[derive(Default)]
struct Walk {
    /// Where each cell of both blocks was first reached from, one more than the side's number; 0
    /// where it was not.
    from: Vec<u8>,
    queue: VecDeque<usize>,
    way: Vec<usize>,
}

impl Walk {
    /// Finds the shortest way of straight steps inside the pieces of both cells, which are in
    /// blocks of `side` cells next to each other.
    fn between(&mut self, cells: &Cells, labels: &[u32], side: usize, [a, b]: [usize; 2]) {
        let block = |value: usize| (value - 1) / side * side + 1;
        let x = |cell: usize| cell % cells.stride;
        let y = |cell: usize| cell / cells.stride;
        let (left, top) = (block(x(a).min(x(b))), block(y(a).min(y(b))));
        let local = |cell: usize| (y(cell) - top) * 2 * side + x(cell) - left;
        self.from.clear();
        self.from.resize(4 * side * side, 0);
        self.queue.clear();
        self.queue.push_back(a);
        self.from[local(a)] = 5;
        while let Some(cell) = self.queue.pop_front() {
            if cell == b {
                break;
            }
            for (number, next) in cells.sides(cell).into_iter().enumerate() {
                let inside = labels[next] == labels[a] || labels[next] == labels[b];
                if inside && cells.open[next] && self.from[local(next)] == 0 {
                    self.from[local(next)] = number as u8 + 1;
                    self.queue.push_back(next);
                }
            }
        }
        self.way.clear();
        self.way.push(b);
        let mut at = b;
        while at != a {
            // The side that is opposite of the one stepped to.
            at = cells.sides(at)[4 - usize::from(self.from[local(at)])];
            self.way.push(at);
        }
        self.way.reverse();
    }
}

/// Cells of a way that are needed to walk it straight from one to the next.
fn thin(way: &[usize], fits: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut kept = vec![way[0]];
    let mut at = 0;
    while at + 1 < way.len() {
        let mut next = at + 1;
        while next + 1 < way.len() && fits(way[at], way[next + 1]) {
            next += 1;
        }
        kept.push(way[next]);
        at = next;
    }
    kept
}
