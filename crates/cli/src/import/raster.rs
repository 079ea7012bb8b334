//! Walls as cells: shapes by the middles of cells, and nothing that is thinner than a cell gets lost.
//!
//! A cell is wall when its middle lies in a shape, as in all maps. A wall of less than a cell would have
//! holes by that rule, and crowds would walk through it. So along the outline of a shape, where the
//! shape is thinner than a cell, the cells of the outline are wall too; and a line is at least a chain of
//! cells that touch.

use crate::import::problem::Problem;

/// x, y in metres from the upper left corner of the map, y down.
pub(super) type Point = [f64; 2];

/// Steps of all shapes together at most: edges in rows, and edges that points of an outline are
/// compared with.
const MAX_WORK: u64 = 4_000_000_000;

/// How often the sides of the square are halved that stands for a disc: it then has 64.
const HALVINGS: usize = 4;

/// How points inside are told by the turns of an outline around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// An odd number.
    Odd,
    /// Any number but as many to the left as to the right.
    NonZero,
}

impl Inside {
    fn holds(self, turns: i32) -> bool {
        match self {
            Self::Odd => turns & 1 != 0,
            Self::NonZero => turns != 0,
        }
    }
}

/// Cells, and which of them are walls.
pub(super) struct Raster {
    /// Cells in a row, and rows.
    pub(super) size: [usize; 2],
    /// Side of a cell in metres.
    pub(super) cell: f64,
    /// Row by row from the top.
    pub(super) walls: Vec<bool>,
    work: u64,
}

impl Raster {
    /// Open ground.
    pub(super) fn new(size: [usize; 2], cell: f64) -> Self {
        Self { size, cell, walls: vec![false; size[0] * size[1]], work: 0 }
    }

    /// Counts steps.
    fn work(&mut self, steps: usize) -> Result<(), Problem> {
        self.work += steps as u64;
        if self.work > MAX_WORK {
            let wrong = format!("it has too many edges for cells of {} m", self.cell);
            return Err(Problem::whole(wrong, "larger cells, by --cell"));
        }
        Ok(())
    }

    /// A shape of closed rings becomes wall, however thin it is.
    pub(super) fn fill(&mut self, rings: &[Vec<Point>], inside: Inside) -> Result<(), Problem> {
        self.paint(rings, inside, true)?;
        let edges: Vec<[Point; 2]> = edges(rings).collect();
        let (half, least) = (self.cell / 2.0, self.cell / 1_000.0);
        let size = |[a, b]: [Point; 2]| length([b[0] - a[0], b[1] - a[1]]);
        // An edge of no length has no sides, unless there is nothing else.
        let is_point = edges.iter().all(|&edge| size(edge) < least);
        let holds = |at: Point| inside.holds(turns(&edges, at));
        for &[a, b] in edges.iter().filter(|&&edge| is_point || size(edge) >= least) {
            let Some([a, b]) = self.clipped(a, b) else { continue };
            let along = [b[0] - a[0], b[1] - a[1]];
            let length = length(along);
            let steps = (length / half).ceil().max(1.0) as usize;
            self.work(steps * edges.len())?;
            let normal = match length > 0.0 {
                true => [-along[1] / length * self.cell, along[0] / length * self.cell],
                false => [0.0, self.cell],
            };
            for step in 0..steps {
                // Never a corner, which is beside nothing of the shape.
                let share = (step as f64 + 0.5) / steps as f64;
                let at = [a[0] + along[0] * share, a[1] + along[1] * share];
                let beside = |share| [at[0] + normal[0] * share, at[1] + normal[1] * share];
                if holds(beside(0.99)) || holds(beside(-0.99)) {
                    continue;
                }
                // A hair inwards, so that an outline between two cells has the inner one.
                let inner = [0.01, -0.01].map(beside).into_iter().find(|&at| holds(at));
                self.set(inner.unwrap_or(at));
            }
        }
        Ok(())
    }

    /// Makes every cell with its middle in a shape wall, or open.
    pub(super) fn paint(
        &mut self,
        rings: &[Vec<Point>],
        inside: Inside,
        wall: bool,
    ) -> Result<(), Problem> {
        let [width, height] = self.size;
        let mut crossings: Vec<Vec<(f64, i32)>> = vec![Vec::new(); height];
        let row = |y: f64| ((y / self.cell - 0.5).ceil().max(0.0) as usize).min(height);
        let mut steps = 0;
        for [a, b] in edges(rings) {
            let (low, high, turn) = if a[1] < b[1] { (a, b, 1) } else { (b, a, -1) };
            let rows = row(low[1])..row(high[1]);
            steps += rows.len() + 1;
            for row in rows {
                let y = (row as f64 + 0.5) * self.cell;
                let share = (y - low[1]) / (high[1] - low[1]);
                crossings[row].push((low[0] + (high[0] - low[0]) * share, turn));
            }
        }
        self.work(steps)?;
        for (row, crossings) in self.walls.chunks_mut(width).zip(&mut crossings) {
            crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut turns = 0;
            for pair in crossings.windows(2) {
                turns += pair[0].1;
                if inside.holds(turns) {
                    let at = |x: f64| ((x / self.cell - 0.5).ceil().max(0.0) as usize).min(width);
                    let (first, end) = (at(pair[0].0), at(pair[1].0));
                    row[first..end.max(first)].fill(wall);
                }
            }
        }
        Ok(())
    }

    /// A line of some width in metres becomes wall: at least a chain of cells that touch.
    pub(super) fn line(&mut self, points: &[Point], width: f64) -> Result<(), Problem> {
        for (index, pair) in points.windows(2).enumerate() {
            let [a, b] = [pair[0], pair[1]];
            let along = [b[0] - a[0], b[1] - a[1]];
            let length = length(along);
            if width <= self.cell || length == 0.0 {
                self.chain(a, b)?;
                continue;
            }
            let side = [-along[1], along[0]].map(|part| part / length * width / 2.0);
            let corner = |at: Point, to: f64| [at[0] + side[0] * to, at[1] + side[1] * to];
            let ring = vec![corner(a, 1.0), corner(b, 1.0), corner(b, -1.0), corner(a, -1.0)];
            self.fill(&[ring], Inside::NonZero)?;
            // Round where one piece meets the next, and as it ends where it ends.
            if index > 0 || (points.len() > 2 && points.first() == points.last()) {
                self.paint(&[disc(a, width / 2.0)], Inside::NonZero, true)?;
            }
        }
        Ok(())
    }

    /// The cells along a straight line, each of which touches the next.
    fn chain(&mut self, a: Point, b: Point) -> Result<(), Problem> {
        let Some([a, b]) = self.clipped(a, b) else { return Ok(()) };
        let [a, b] = [a, b].map(|at| at.map(|part| part / self.cell + 1.0e-9));
        let along = [b[0] - a[0], b[1] - a[1]];
        // The axis along which each cell's row or column has one.
        let main = usize::from(along[1].abs() > along[0].abs());
        let (first, last) = (a[main].floor(), b[main].floor());
        let steps = (last - first).abs() as usize;
        self.work(steps + 1)?;
        for step in 0..=steps {
            let at = first + step as f64 * (last - first).signum();
            // The middle of the row or column, or where the line begins or ends in it.
            let (low, high) = (a[main].min(b[main]), a[main].max(b[main]));
            let middle = (at + 0.5).clamp(low, high);
            let share = if along[main] == 0.0 { 0.0 } else { (middle - a[main]) / along[main] };
            let mut cell = [at, at];
            cell[1 - main] = (a[1 - main] + along[1 - main] * share).floor();
            self.set(cell.map(|cell| (cell + 0.5) * self.cell));
        }
        Ok(())
    }

    /// The block of cells around some rings: its first column and row, and the column and row after its
    /// last; `None` without a cell.
    pub(super) fn window(&self, rings: &[Vec<Point>]) -> Option<[[usize; 2]; 2]> {
        let points = || rings.iter().flatten();
        let bound = |axis: usize, more: f64, least: f64, better: fn(f64, f64) -> f64| {
            let far = points().map(|at| at[axis]).fold(least, better);
            ((far / self.cell + more).floor().max(0.0) as usize).min(self.size[axis])
        };
        let first = [0, 1].map(|axis| bound(axis, 0.0, f64::INFINITY, f64::min));
        let end = [0, 1].map(|axis| bound(axis, 1.0, f64::NEG_INFINITY, f64::max));
        (first[0] < end[0] && first[1] < end[1]).then_some([first, end])
    }

    /// A copy of the cells of a window.
    pub(super) fn part(&self, [first, end]: [[usize; 2]; 2]) -> Self {
        let rows = (first[1]..end[1]).map(|row| row * self.size[0]);
        let walls = rows.flat_map(|row| &self.walls[row + first[0]..row + end[0]]).copied();
        let size = [end[0] - first[0], end[1] - first[1]];
        Self { size, cell: self.cell, walls: walls.collect(), work: self.work }
    }

    /// Copies from a part of this raster every cell that lies in a shape; the shape's points are in
    /// cells of the part.
    pub(super) fn take(
        &mut self,
        part: &Self,
        first: [usize; 2],
        clip: &[Vec<Point>],
        inside: Inside,
    ) -> Result<(), Problem> {
        let mut mask = Self { work: part.work, ..Self::new(part.size, self.cell) };
        mask.paint(clip, inside, true)?;
        mask.work(part.walls.len())?;
        self.work = mask.work;
        for (at, (&wall, &is_inside)) in part.walls.iter().zip(&mask.walls).enumerate() {
            if is_inside {
                let [x, y] = [at % part.size[0] + first[0], at / part.size[0] + first[1]];
                self.walls[y * self.size[0] + x] = wall;
            }
        }
        Ok(())
    }

    /// The part of a line that lies on the map, give or take two cells.
    fn clipped(&self, a: Point, b: Point) -> Option<[Point; 2]> {
        let mut shares = [0.0_f64, 1.0];
        for axis in 0..2 {
            let (low, high) = (-2.0 * self.cell, (self.size[axis] as f64 + 2.0) * self.cell);
            let along = b[axis] - a[axis];
            if along == 0.0 {
                if !(low..=high).contains(&a[axis]) {
                    return None;
                }
                continue;
            }
            let [one, other] = [low, high].map(|edge| (edge - a[axis]) / along);
            shares = [shares[0].max(one.min(other)), shares[1].min(one.max(other))];
        }
        let at = |share: f64| [0, 1].map(|axis: usize| a[axis] + (b[axis] - a[axis]) * share);
        let ends = [
            if shares[0] <= 0.0 { a } else { at(shares[0]) },
            match shares[1] >= 1.0 {
                true => b,
                false => at(shares[1]),
            },
        ];
        (shares[0] <= shares[1]).then_some(ends)
    }

    /// The cell of a point becomes wall.
    fn set(&mut self, at: Point) {
        let [x, y] = at.map(|part| (part / self.cell + 1.0e-9).floor());
        let [width, height] = self.size.map(|size| size as f64);
        if (0.0..width).contains(&x) && (0.0..height).contains(&y) {
            self.walls[y as usize * self.size[0] + x as usize] = true;
        }
    }
}

/// The edges of closed rings.
fn edges(rings: &[Vec<Point>]) -> impl Iterator<Item = [Point; 2]> {
    rings.iter().flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(&a, &b)| [a, b])
    })
}

/// How often the edges turn around a point, to the left less to the right.
fn turns(edges: &[[Point; 2]], at: Point) -> i32 {
    let mut turns = 0;
    for &[a, b] in edges {
        let (low, high, turn) = if a[1] < b[1] { (a, b, 1) } else { (b, a, -1) };
        if (low[1]..high[1]).contains(&at[1]) {
            let share = (at[1] - low[1]) / (high[1] - low[1]);
            let x = low[0] + (high[0] - low[0]) * share;
            turns += if x < at[0] { turn } else { 0 };
        }
    }
    turns
}

/// The length of a vector, with the same bits everywhere.
fn length([x, y]: Point) -> f64 {
    (x * x + y * y).sqrt()
}

/// A disc as a ring of 64 corners: each side of a square is halved four times, with every middle moved
/// out to the circle.
pub(super) fn disc([x, y]: Point, radius: f64) -> Vec<Point> {
    let mut turned: Vec<Point> = vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for _ in 0..HALVINGS {
        let next = turned.iter().cycle().skip(1);
        let halves = turned.iter().zip(next).flat_map(|(a, b)| {
            let middle = [a[0] + b[0], a[1] + b[1]];
            let long = length(middle);
            [*a, middle.map(|part| part / long)]
        });
        turned = halves.collect();
    }
    turned.into_iter().map(|[dx, dy]| [x + radius * dx, y + radius * dy]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Inside, Point, Raster, disc};

    fn drawn(raster: &Raster) -> Vec<String> {
        let rows = raster.walls.chunks(raster.size[0]);
        rows.map(|row| row.iter().map(|&wall| if wall { '@' } else { '.' }).collect()).collect()
    }

    fn rect([x0, y0, x1, y1]: [f64; 4]) -> Vec<Point> {
        vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    }

    fn filled(size: [usize; 2], rings: &[Vec<Point>]) -> Vec<String> {
        let mut raster = Raster::new(size, 1.0);
        raster.fill(rings, Inside::NonZero).unwrap();
        drawn(&raster)
    }

    #[test]
    fn thick_shapes_have_the_cells_whose_middles_they_hold() {
        assert_eq!(filled([5, 3], &[rect([0.6, 0.6, 3.4, 2.6])]), [".....", ".@@..", ".@@.."]);
        // On the lines between cells, nothing beyond them.
        assert_eq!(filled([5, 3], &[rect([1.0, 1.0, 4.0, 2.0])]), [".....", ".@@@.", "....."]);
        let hole = rect([1.0, 1.0, 3.0, 2.0]).into_iter().rev().collect();
        assert_eq!(filled([4, 3], &[rect([0.0, 0.0, 4.0, 3.0]), hole]), ["@@@@", "@..@", "@@@@"]);
    }

    #[test]
    fn thin_shapes_are_one_cell_thick() {
        assert_eq!(filled([5, 3], &[rect([0.0, 1.6, 5.0, 1.8])]), [".....", "@@@@@", "....."]);
        assert_eq!(filled([5, 3], &[rect([0.0, 1.9, 5.0, 2.0])]), [".....", "@@@@@", "....."]);
        assert_eq!(filled([3, 3], &[rect([1.6, 1.6, 1.7, 1.7])]), ["...", ".@.", "..."]);
        assert_eq!(filled([3, 3], &[vec![[0.5, 0.5], [2.5, 0.5], [0.5, 0.5]]])[0], "@@@");
        assert_eq!(filled([3, 3], &[disc([1.2, 1.2], 0.1)]), ["...", ".@.", "..."]);
    }

    #[test]
    fn lines_have_a_width() {
        let mut raster = Raster::new([7, 5], 1.0);
        raster.line(&[[0.0, 2.5], [7.0, 2.5]], 0.1).unwrap();
        assert_eq!(drawn(&raster)[1..4], [".......", "@@@@@@@", "......."]);
        raster.line(&[[0.0, 2.5], [7.0, 2.5]], 3.0).unwrap();
        assert_eq!(drawn(&raster)[1..4], ["@@@@@@@"; 3]);
        let mut raster = Raster::new([6, 6], 1.0);
        raster.line(&[[1.0, 1.0], [5.0, 1.0], [5.0, 5.0]], 2.0).unwrap();
        assert_eq!(drawn(&raster), [".@@@@@", ".@@@@@", "....@@", "....@@", "....@@", "......"]);
    }

    /// Whether one can go from a row to another by the sides of open cells.
    fn leaks(raster: &Raster) -> bool {
        let [width, height] = raster.size;
        let mut seen = raster.walls.clone();
        let mut waiting: Vec<usize> = (0..width).filter(|&cell| !seen[cell]).collect();
        while let Some(cell) = waiting.pop() {
            if std::mem::replace(&mut seen[cell], true) {
                continue;
            }
            let (x, y) = (cell % width, cell / width);
            if y + 1 == height {
                return true;
            }
            let beside = [
                (x > 0).then(|| cell - 1),
                (x + 1 < width).then_some(cell + 1),
                (y > 0).then(|| cell - width),
                Some(cell + width),
            ];
            waiting.extend(beside.into_iter().flatten().filter(|&cell| !seen[cell]));
        }
        false
    }

    proptest! {
        /// A wall from the left edge to the right one, however thin and slanted, is tight.
        #[test]
        fn no_wall_leaks(
            ys in prop::collection::vec(3.0_f64..17.0, 2..6),
            thick in prop::sample::select(vec![0.01, 0.3, 0.7, 0.99, 1.0, 1.01, 1.4, 2.0]),
            cell in prop::sample::select(vec![1.0, 0.37]),
        ) {
            let size = [(20.0 / cell) as usize, (20.0 / cell) as usize];
            let last = (ys.len() - 1) as f64;
            let points: Vec<Point> =
                ys.iter().enumerate().map(|(i, &y)| [i as f64 * 24.0 / last - 2.0, y]).collect();
            let mut lines = Raster::new(size, cell);
            lines.line(&points, thick * cell).unwrap();
            prop_assert!(!leaks(&lines), "{:?}", drawn(&lines));
            let below = points.iter().rev().map(|&[x, y]| [x, y + thick * cell]);
            let ring: Vec<Point> = points.iter().copied().chain(below).collect();
            let mut shape = Raster::new(size, cell);
            shape.fill(&[ring], Inside::NonZero).unwrap();
            prop_assert!(!leaks(&shape), "{:?}", drawn(&shape));
        }
    }
}
