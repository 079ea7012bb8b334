//! What a crowd is like over a raster: its density, speed and overlaps.

use rayon::prelude::*;
use serde_json::json;
use throng::lane::Numbers;
use throng::map::area::extent;
use throng::world::World;

use crate::view::ask::{Answer, Frame, Heat};

/// Smallest side of a cell in metres, below which a single agent is a cell of its own.
const LEAST: f64 = 1.0;
/// Most cells into which discs are sorted to find overlaps.
const MAX_BINS: f64 = 4e6;
/// Rows of agents that are looked at together.
const CHUNK: usize = 16_384;

/// The raster of a frame: cells of whole multiples of their side from the map's corner, so that they
/// stay where they are while the frame moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Raster {
    /// Metres.
    pub(super) cell: f64,
    /// First column and row.
    pub(super) first: [i64; 2],
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Raster {
    /// About so many cells along the longer side of a frame, on a map of this size.
    pub(super) fn over(frame: Frame, cells: u32, least: f64, size: [f64; 2]) -> Self {
        let [x0, y0, x1, y1] = frame;
        let wanted = (x1 - x0).max(y1 - y0) / f64::from(cells);
        let mut cell = least;
        while cell < wanted {
            cell *= 2.0;
        }
        let clamp = |v: f64, axis: usize| (v.clamp(0.0, size[axis]) / cell) as i64;
        let first = [clamp(x0, 0), clamp(y0, 1)];
        let last = [clamp(x1, 0), clamp(y1, 1)];
        let count = |axis: usize| (last[axis] - first[axis] + 1) as usize;
        Self { cell, first, columns: count(0), rows: count(1) }
    }

    /// The index of the cell of a point, if it is one of these.
    fn index(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let column = (x / self.cell) as i64 - self.first[0];
        let row = (y / self.cell) as i64 - self.first[1];
        let inside =
            (0..self.columns as i64).contains(&column) && (0..self.rows as i64).contains(&row);
        inside.then(|| row as usize * self.columns + column as usize)
    }

    /// The upper left corner in metres.
    pub(super) fn corner(&self) -> [f64; 2] {
        self.first.map(|first| first as f64 * self.cell)
    }
}

/// A raster as an answer: values up to `most`, which is 255; 0 is nothing.
pub(super) fn answer<N: Numbers>(world: &World<N>, of: Heat, frame: Frame, cells: u32) -> Answer {
    let raster = Raster::over(frame, cells, LEAST, extent(world.map()));
    let (values, most, unit) = match of {
        Heat::Density => (density(world, &raster), 4.0, "agents/m²"),
        Heat::Speed => (speed(world, &raster), top(world), "m/s"),
        Heat::Overlap => (overlap(world, &raster), 1.0, "radii"),
    };
    let [x, y] = raster.corner();
    let head = json!({
        "x": x, "y": y, "cell": raster.cell, "columns": raster.columns, "rows": raster.rows,
        "most": most, "unit": unit,
    });
    Answer::with_head(&head, |body| {
        let code = |value: f32| match value {
            value if value > 0.0 => (value / most * 254.0 + 1.0).min(255.0) as u8,
            _ => 0,
        };
        body.extend(values.into_iter().map(code));
    })
}

/// The fastest that any group likes to go, m/s.
fn top<N: Numbers>(world: &World<N>) -> f32 {
    world.groups().iter().map(|group| group.def.speed as f32).fold(0.1, f32::max)
}

/// Agents per square metre.
fn density<N: Numbers>(world: &World<N>, raster: &Raster) -> Vec<f32> {
    let mut counts = vec![0.0; raster.columns * raster.rows];
    for pos in world.positions() {
        if let Some(cell) = raster.index(pos.map(N::to_f64)) {
            counts[cell] += 1.0;
        }
    }
    let area = (raster.cell * raster.cell) as f32;
    counts.iter_mut().for_each(|count| *count /= area);
    counts
}

/// Mean speeds in m/s; where agents stand, a little above 0.
fn speed<N: Numbers>(world: &World<N>, raster: &Raster) -> Vec<f32> {
    let mut sums = vec![[0.0_f32; 2]; raster.columns * raster.rows];
    for (pos, vel) in world.positions().iter().zip(world.velocities()) {
        if let Some(cell) = raster.index(pos.map(N::to_f64)) {
            let [x, y] = vel.map(|v| N::to_f64(v) as f32);
            sums[cell][0] += (x * x + y * y).sqrt();
            sums[cell][1] += 1.0;
        }
    }
    let mean = |[sum, count]: [f32; 2]| if count > 0.0 { (sum / count).max(1e-6) } else { 0.0 };
    sums.into_iter().map(mean).collect()
}

/// An agent where it may overlap others.
#[derive(Clone, Copy, Default)]
struct Disc {
    pos: [f32; 2],
    radius: f32,
}

/// Discs of a frame, sorted into cells at least as wide as any of them: discs that touch are in cells
/// that touch.
struct Bins {
    columns: usize,
    rows: usize,
    /// Where the discs of every cell begin, and the end.
    starts: Vec<u32>,
    discs: Vec<Disc>,
}

impl Bins {
    fn new<N: Numbers>(world: &World<N>, raster: &Raster) -> Self {
        let radii = world.groups().iter().map(|group| group.def.radius as f32);
        let widest = radii.fold(0.1_f32, f32::max);
        let [x0, y0] = raster.corner();
        let [width, height] = [raster.columns, raster.rows].map(|n| n as f64 * raster.cell);
        let side = (2.0 * f64::from(widest)).max((width * height / MAX_BINS).sqrt());
        let [columns, rows] = [width, height].map(|length| (length / side) as usize + 1);
        let cell_of = |pos: [f64; 2]| {
            raster.index(pos)?;
            let (column, row) = ((pos[0] - x0) / side, (pos[1] - y0) / side);
            Some(row as usize * columns + column as usize)
        };
        let cells = world.positions().par_iter().with_min_len(CHUNK);
        let none = u32::MAX;
        let cells = cells.map(|pos| cell_of(pos.map(N::to_f64)).map_or(none, |cell| cell as u32));
        let cells: Vec<u32> = cells.collect();
        let mut starts = vec![0_u32; columns * rows + 1];
        let inside = || cells.iter().enumerate().filter(|(_, cell)| **cell != none);
        inside().for_each(|(_, &cell)| starts[cell as usize] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut discs = vec![Disc::default(); sum as usize];
        // Each cell is filled from its end, so that its first disc ends where it begins.
        for (row, &cell) in inside() {
            let start = &mut starts[cell as usize];
            *start -= 1;
            let pos = world.positions()[row].map(|v| N::to_f64(v) as f32);
            let radius = world.radius(row) as f32;
            discs[*start as usize] = Disc { pos, radius };
        }
        Self { columns, rows, starts, discs }
    }

    /// The discs of a cell and of its neighbours in a row.
    fn near(&self, row: usize, column: usize) -> &[Disc] {
        let first = row * self.columns + column.saturating_sub(1);
        let end = row * self.columns + (column + 2).min(self.columns);
        &self.discs[self.starts[first] as usize..self.starts[end] as usize]
    }

    /// The deepest overlap of a disc with another, as a share of the smaller radius.
    fn depth(&self, disc: &Disc, row: usize, column: usize) -> f32 {
        let rows = row.saturating_sub(1)..(row + 2).min(self.rows);
        let others = rows.flat_map(|row| self.near(row, column));
        let others = others.filter(|other| !std::ptr::eq(*other, disc));
        let depth = |other: &Disc| {
            let [x, y] = [0, 1].map(|axis| other.pos[axis] - disc.pos[axis]);
            let gap = disc.radius + other.radius - (x * x + y * y).sqrt();
            gap / disc.radius.min(other.radius)
        };
        others.map(depth).fold(0.0, f32::max)
    }
}

/// The deepest overlap in each cell, as a share of the smaller radius.
fn overlap<N: Numbers>(world: &World<N>, raster: &Raster) -> Vec<f32> {
    let bins = Bins::new(world, raster);
    let depths = (0..bins.rows).into_par_iter().flat_map_iter(|row| {
        let bins = &bins;
        (0..bins.columns).flat_map(move |column| {
            let cell = row * bins.columns + column;
            let discs = &bins.discs[bins.starts[cell] as usize..bins.starts[cell + 1] as usize];
            discs.iter().map(move |disc| bins.depth(disc, row, column))
        })
    });
    let depths: Vec<f32> = depths.collect();
    let mut deepest = vec![0.0_f32; raster.columns * raster.rows];
    for (disc, depth) in bins.discs.iter().zip(depths) {
        if let Some(cell) = raster.index(disc.pos.map(f64::from)) {
            deepest[cell] = deepest[cell].max(depth);
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::map::Map;
    use throng::world::{GroupDef, Settings};

    #[test]
    fn rasters_hold_what_a_look_at_everybody_finds() {
        let map = Map::from_slowness(40, 30, 1.0, &[16; 1200]);
        let mut world = World::<f32>::new(map, Settings::default()).unwrap();
        let group = world.add_group(GroupDef { radius: 0.5, ..GroupDef::default() }).unwrap();
        let places = [[2.5, 2.5], [3.0, 2.5], [2.75, 2.75], [20.5, 10.5], [39.5, 29.5]];
        world.spawn(group, &places).unwrap();
        let raster = Raster::over([0.0, 0.0, 40.0, 30.0], 20, 1.0, [40.0, 30.0]);
        assert_eq!((raster.cell, raster.columns, raster.rows), (2.0, 21, 16));
        let found = density(&world, &raster);
        let at = |x: usize, y: usize| y * raster.columns + x;
        assert_eq!([at(1, 1), at(10, 5), at(19, 14)].map(|cell| found[cell]), [0.75, 0.25, 0.25]);
        assert_eq!(found.iter().sum::<f32>(), 1.25);
        let deep = overlap(&world, &raster);
        // The nearest two are √(0.125) m apart, of discs of half a metre.
        let depth = (1.0 - 0.125_f32.sqrt()) / 0.5;
        assert!((deep[at(1, 1)] - depth).abs() < 1e-5, "{}", deep[at(1, 1)]);
        assert_eq!(deep[at(10, 5)], 0.0);
        let slow = speed(&world, &raster);
        assert!(slow[at(1, 1)] > 0.0 && slow[at(0, 0)] == 0.0);
    }
}
