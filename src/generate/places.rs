//! Points of many kinds, what stands on them, and the roads between them.

use crate::generate::canvas::Done;
use crate::generate::points::{MAX_POINTS, Points, PointsError};
use crate::generate::roads::{Ground, Roads, RoadsError};
use crate::generate::{
    Canvas, GenerateError, LayRoads, Method, Places, Placing, Region, Scatter, Stamp,
};
use crate::map::area::{Bounds, Shape};
use crate::map::{Legend, PLAIN, units};
use crate::math::each::Each;
use crate::math::{hash2, hash3, unit_f64};

/// Tries for every point that is wanted, where points are tried one by one.
const TRIES: u32 = 30;

/// Points by chance for every Poisson disk, to fill what the region's edge leaves, and how many at
/// least.
const DARTS: u32 = 4;
const FEWEST: u32 = 1000;

/// Squares to a side of the canvas, at most, to look for points nearby.
const MAX_SQUARES: f64 = 1024.0;

/// Work of an expansion of a search, in cells that are painted.
const EXPANSION: u64 = 8;

/// Streams of random numbers.
const CANDIDATES: u64 = 0;
const ORDER: u64 = 1;
const STAY: u64 = 2;
const SIZE: u64 = 3;

/// Points that keep a distance, in squares for the search.
struct Apart {
    spacing: f64,
    side: f64,
    wide: usize,
    squares: Vec<Vec<[f64; 2]>>,
}

impl Apart {
    fn new([width, height]: [f64; 2], spacing: f64) -> Self {
        let side = spacing.max(width.max(height) / MAX_SQUARES);
        let count = |length: f64| (length / side).floor() as usize + 1;
        let squares = if spacing > 0.0 { count(width) * count(height) } else { 0 };
        Self { spacing, side, wide: count(width), squares: vec![Vec::new(); squares] }
    }

    /// Takes a point, unless another is too near.
    fn take(&mut self, at: [f64; 2]) -> bool {
        if self.squares.is_empty() {
            return true;
        }
        let [x, y] = at.each(|at| (at / self.side).floor() as usize);
        let high = self.squares.len() / self.wide;
        for row in y.saturating_sub(1)..=(y + 1).min(high - 1) {
            for column in x.saturating_sub(1)..=(x + 1).min(self.wide - 1) {
                for other in &self.squares[row * self.wide + column] {
                    let (dx, dy) = (at[0] - other[0], at[1] - other[1]);
                    if dx * dx + dy * dy < self.spacing * self.spacing {
                        return false;
                    }
                }
            }
        }
        self.squares[y * self.wide + x].push(at);
        true
    }
}

impl Canvas {
    /// Finds named points, and paints them.
    pub(super) fn mark(&mut self, places: &Places, legend: &Legend, seed: u64) -> Done {
        self.charge_near(&places.placing)?;
        let points = self.points(&places.placing, legend, seed)?;
        if points.is_empty() {
            let wrong = format!("there is no room for a single place of `{}`", places.name);
            let expected = "less `clearance`, other letters, or a larger `within`";
            return Err(GenerateError::whole("name", wrong, expected));
        }
        if let Some(stamp) = &places.stamp {
            for (number, &at) in points.iter().enumerate() {
                let cells = self.stamped(stamp, at, hash3(seed, SIZE, number as u64));
                self.charge(cells.len())?;
                self.paint(&cells, stamp.letter);
            }
        }
        self.places.push((places.name.clone(), points));
        Ok(())
    }

    /// Paints things at points. One that would not lie in the region as a whole is left out.
    pub(super) fn scatter(&mut self, scatter: &Scatter, legend: &Legend, seed: u64) -> Done {
        self.charge_near(&scatter.placing)?;
        let region = &scatter.placing.region;
        let mut mask = self.mask(region);
        let stays = region.on.is_empty() || region.on.contains(&scatter.stamp.letter);
        for (number, at) in self.points(&scatter.placing, legend, seed)?.into_iter().enumerate() {
            let cells = self.stamped(&scatter.stamp, at, hash3(seed, SIZE, number as u64));
            self.charge(cells.len())?;
            if cells.iter().all(|&cell| mask[cell]) {
                self.paint(&cells, scatter.stamp.letter);
                cells.iter().for_each(|&cell| mask[cell] &= stays);
            }
        }
        Ok(())
    }

    /// Charges for finding the cells in reach of places.
    fn charge_near(&mut self, placing: &Placing) -> Done {
        let Some(places) = placing.near.as_ref().and_then(|name| self.place(name)) else {
            return Ok(());
        };
        let across = (2.0 * placing.reach / self.cell) as usize + 1;
        self.charge(self.square(across) * places.len())
    }

    /// The points of a placing, in metres.
    fn points(
        &self,
        placing: &Placing,
        legend: &Legend,
        seed: u64,
    ) -> Result<Vec<[f64; 2]>, GenerateError> {
        let mut mask = self.mask(&placing.region);
        if let Some(name) = &placing.near {
            let places = self.known_place(name);
            let disc = |&centre: &[f64; 2]| Shape::Disc { centre, radius: placing.reach };
            let within = places.iter().map(disc).collect();
            let near = self.mask(&Region { within, on: Vec::new() });
            mask.iter_mut().zip(near).for_each(|(inside, near)| *inside &= near);
        }
        let layer = placing.layer.as_ref().map(|name| self.known_layer(name));
        let mut apart = Apart::new(self.extent(), placing.spacing);
        let most = placing.count.map_or(usize::MAX, |count| count as usize);
        let mut points = Vec::new();
        for (number, at) in self.candidates(placing, seed)?.into_iter().enumerate() {
            let cell = self.index(self.cell_at(at));
            let chance = || unit_f64(hash3(seed, STAY, number as u64));
            if mask[cell]
                && layer.is_none_or(|layer| chance() < f64::from(layer[cell]))
                && self.is_clear(at, placing.clearance, legend)
                && apart.take(at)
            {
                points.push(at);
                if points.len() == most {
                    break;
                }
            }
        }
        Ok(points)
    }

    /// Points over the region's box, more than are wanted.
    fn candidates(&self, placing: &Placing, seed: u64) -> Result<Vec<[f64; 2]>, GenerateError> {
        let [width, height] = self.extent();
        let bounds = Bounds::of(&placing.region.within);
        let bounds = bounds.unwrap_or(Bounds { min: [0.0, 0.0], max: [width, height] });
        // Whole cells, so that a point has room too.
        let [low, high] = [self.cell_at(bounds.min), self.cell_at(bounds.max)];
        let min = low.each(|cell| f64::from(cell) * self.cell);
        let max = high.each(|cell| f64::from(cell + 1) * self.cell);
        let size = [max[0] - min[0], max[1] - min[1]];
        let count = placing.count.unwrap_or(0).saturating_mul(TRIES).min(MAX_POINTS);
        let points = match placing.method {
            Method::Random => Points::Random { count },
            Method::Halton => Points::Halton { count, bases: [2, 3] },
            Method::Poisson => Points::Poisson { radius: placing.spacing, tries: TRIES },
        };
        let refused = |error: PointsError| {
            GenerateError::whole("spacing", error.to_string(), "numbers that give points")
        };
        let mut list = points.place(size, hash2(seed, CANDIDATES)).map_err(refused)?;
        if placing.method == Method::Poisson {
            // They come from one corner outwards; any of them are to be taken.
            let mut keyed: Vec<(u64, usize)> =
                (0..list.len()).map(|i| (hash3(seed, ORDER, i as u64), i)).collect();
            keyed.sort_unstable();
            list = keyed.into_iter().map(|(_, i)| list[i]).collect();
            // Where the region lets some of them go there is room for others.
            let count = (list.len() as u32).saturating_mul(DARTS).clamp(FEWEST, MAX_POINTS);
            let darts = Points::Random { count }.place(size, hash2(seed, CANDIDATES));
            list.extend(darts.map_err(refused)?);
        }
        Ok(list.into_iter().map(|[x, y]| [min[0] + x, min[1] + y]).collect())
    }

    /// Whether no wall, nor the map's edge, is nearer to a point than so many metres.
    fn is_clear(&self, [x, y]: [f64; 2], clearance: f64, legend: &Legend) -> bool {
        if clearance <= 0.0 {
            return true;
        }
        let [width, height] = self.extent();
        let fits = |at: f64, size: f64| at >= clearance && at <= size - clearance;
        let ([left, top], [right, bottom]) = (
            self.cell_at([x - clearance, y - clearance]),
            self.cell_at([x + clearance, y + clearance]),
        );
        // From the point to the nearest of a cell's points along an axis.
        let gap = |cell: u32, at: f64| {
            let low = f64::from(cell) * self.cell;
            (low - at).max(at - low - self.cell).max(0.0)
        };
        fits(x, width)
            && fits(y, height)
            && (top..=bottom).all(|row| {
                (left..=right).all(|column| {
                    let (dx, dy) = (gap(column, x), gap(row, y));
                    dx * dx + dy * dy >= clearance * clearance
                        || legend.get(self.letters[self.index([column, row])]) != Some(0)
                })
            })
    }

    /// The cells of a stamp around a point.
    fn stamped(&self, stamp: &Stamp, at: [f64; 2], seed: u64) -> Vec<usize> {
        let [low, high] = stamp.size;
        let side = |axis| low + (high - low) * unit_f64(hash2(seed, axis));
        let cell = self.cell_at(at);
        if stamp.disc {
            return self.disc(cell, side(0) / 2.0 / self.cell);
        }
        let size = [self.cells(side(0)), self.cells(side(1))];
        let first = [0, 1].each(|axis| cell[axis].saturating_sub(size[axis] / 2));
        self.rect(first, size)
    }

    /// Lays roads between places.
    pub(super) fn roads(&mut self, roads: &LayRoads, legend: &Legend) -> Done {
        let places = self.known_place(&roads.places).iter();
        let places: Vec<[u32; 2]> = places.map(|&at| self.cell_at(at)).collect();
        let mut over = [None; 256];
        roads.bridges.iter().for_each(|&(wall, letter)| over[usize::from(wall)] = Some(letter));
        let bridge = (roads.bridge_cost * f64::from(PLAIN) + 0.5).floor() as u8;
        let slow = |&letter: &u8| match legend.get(letter) {
            Some(0) if over[usize::from(letter)].is_some() => bridge,
            slowness => slowness.unwrap_or(0),
        };
        let slowness: Vec<u8> = self.letters.iter().map(slow).collect();
        let heights: Vec<i16> =
            self.heights.iter().map(|&metres| units(f64::from(metres))).collect();
        let ground = Ground {
            width: self.width,
            height: self.height,
            cell_size: self.cell,
            slowness: &slowness,
            heights: &heights,
        };
        let net = Roads { loops: roads.loops, slope: roads.slope, reuse: roads.reuse };
        let refused = |error: RoadsError| {
            let expected =
                "places on open ground that is joined, as after a step of kind `connect`";
            GenerateError::whole("places", error.to_string(), expected)
        };
        let width = self.cells(roads.width);
        let square = self.square(width as usize);
        let mut expansions = self.room / EXPANSION;
        let laid = net.lay_within(&ground, &places, &mut expansions).map_err(refused)?;
        self.room = self.room.min(expansions * EXPANSION);
        for road in laid {
            for at in road.cells {
                self.charge(square)?;
                let first = [at % self.width, at / self.width];
                let first = first.each(|at| at.saturating_sub((width - 1) / 2));
                for cell in self.rect(first, [width, width]) {
                    let letter = self.letters[cell];
                    if roads.bridges.iter().any(|bridge| bridge.1 == letter) {
                        continue;
                    }
                    if legend.get(letter) != Some(0) {
                        self.letters[cell] = roads.letter;
                    } else if let Some(bridge) = over[usize::from(letter)] {
                        self.letters[cell] = bridge;
                    }
                }
            }
        }
        Ok(())
    }
}
