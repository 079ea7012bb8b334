//! Layers: gradient noise and ramps.
//!
//! **Method.** Perlin, "Improving Noise" (2002): a gradient for every point of a lattice, here one of
//! 16 unit vectors by an integer hash, blended with 6t⁵ − 15t⁴ + 10t³. Octaves are added as in
//! fractional Brownian motion (Musgrave, in "Texturing & Modeling", 2003): each `lacunarity` times finer
//! and `gain` times weaker than the one before. The sum is divided by the greatest that it can be and
//! moved to 0..1.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::generate::canvas::Done;
use crate::generate::{Blend, Canvas, How, Noise, Ramp, RampShape, transfer};
use crate::math::{hash2, hash3};
use crate::par;

/// Rows to a task.
const ROWS: usize = 16;

/// Cosine of 22.5°, 45° and 67.5°.
const COS: [f64; 3] = [0.923_879_532_511_286_7, FRAC_1_SQRT_2, 0.382_683_432_365_089_8];

/// The gradients: 16 unit vectors, evenly around.
const GRADIENTS: [[f64; 2]; 16] = [
    [1.0, 0.0],
    [COS[0], COS[2]],
    [COS[1], COS[1]],
    [COS[2], COS[0]],
    [0.0, 1.0],
    [-COS[2], COS[0]],
    [-COS[1], COS[1]],
    [-COS[0], COS[2]],
    [-1.0, 0.0],
    [-COS[0], -COS[2]],
    [-COS[1], -COS[1]],
    [-COS[2], -COS[0]],
    [0.0, -1.0],
    [COS[2], -COS[0]],
    [COS[1], -COS[1]],
    [COS[0], -COS[2]],
];

fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

fn mix(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

/// Gradient of a point of the lattice.
fn gradient(seed: u64, x: i64, y: i64) -> [f64; 2] {
    GRADIENTS[(hash3(seed, x as u64, y as u64) >> 60) as usize]
}

/// Adds one octave, times `weight`, to a row of cells: cell i lies at (`first + i · step`, `y`) of the
/// lattice. What the row meets of a lattice cell are two linear functions, found once for each.
fn add_octave(row: &mut [f64], seed: u64, weight: f64, y: f64, [first, step]: [f64; 2]) {
    let floor_y = y.floor();
    let (cell_y, fy) = (floor_y as i64, y - floor_y);
    let share = fade(fy);
    // A column of the lattice: slope along x, and the value at the column itself.
    let column = |x: i64| {
        let (above, below) = (gradient(seed, x, cell_y), gradient(seed, x, cell_y + 1));
        [mix(above[0], below[0], share), mix(above[1] * fy, below[1] * (fy - 1.0), share)]
    };
    let mut current = i64::MIN;
    let (mut left, mut right) = ([0.0; 2], [0.0; 2]);
    for (i, value) in row.iter_mut().enumerate() {
        let x = first + i as f64 * step;
        let floor_x = x.floor();
        let (cell_x, fx) = (floor_x as i64, x - floor_x);
        if cell_x != current {
            left = if cell_x == current.wrapping_add(1) { right } else { column(cell_x) };
            right = column(cell_x + 1);
            current = cell_x;
        }
        let from = left[0] * fx + left[1];
        let to = right[0] * (fx - 1.0) + right[1];
        *value += weight * mix(from, to, fade(fx));
    }
}

impl Noise {
    /// The noise of a row of cells before the transfer function, 0 to 1.
    fn row(&self, cell: f64, y: usize, seed: u64, row: &mut [f64]) {
        row.fill(0.0);
        let (mut scale, mut weight, mut sum) = (self.scale, 1.0, 0.0);
        for octave in 0..self.octaves {
            let step = cell / scale;
            // Octaves do not share the lattice point in the corner of the map.
            let at = |i: f64| (i + 0.5) * step + 64.0 * f64::from(octave + 1) + 0.37;
            let seed = hash2(seed, u64::from(octave));
            add_octave(row, seed, weight, at(y as f64), [at(0.0), step]);
            sum += weight;
            scale /= self.lacunarity;
            weight *= self.gain;
        }
        // Noise of unit gradients is at most √½.
        for value in row {
            *value = 0.5 + 0.5 * (*value / sum * SQRT_2);
        }
    }
}

impl RampShape {
    /// The value at a cell, whose middle is `u`, `v` of the map's width and height.
    fn at(self, u: f64, v: f64) -> f64 {
        // From the middle, 1 at the edge.
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        match self {
            Self::Disc => (1.0 - (x * x + y * y).sqrt()).max(0.0),
            Self::Square => 1.0 - x.abs().max(y.abs()),
            Self::Right => u,
            Self::Down => v,
        }
    }
}

/// A value joined with that of an earlier layer.
fn join(how: How, value: f64, other: f64) -> f64 {
    match how {
        How::Add => value + other,
        How::Multiply => value * other,
        How::Max => value.max(other),
        How::Min => value.min(other),
    }
}

impl Canvas {
    /// Adds a layer of noise.
    pub(super) fn noise(&mut self, noise: &Noise, seed: u64) -> Done {
        let cell = self.cell;
        let fill = |y: usize, row: &mut [f64]| noise.row(cell, y, seed, row);
        let with = noise.with.as_ref().map(|(name, how)| (name.as_str(), *how));
        self.add_layer(&noise.layer, &noise.transfer, with, &fill);
        Ok(())
    }

    /// Adds a layer that rises over the map.
    pub(super) fn ramp(&mut self, ramp: &Ramp) -> Done {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        let fill = |y: usize, row: &mut [f64]| {
            for (x, value) in row.iter_mut().enumerate() {
                *value = ramp.shape.at((x as f64 + 0.5) / width, (y as f64 + 0.5) / height);
            }
        };
        let with = ramp.with.as_ref().map(|(name, how)| (name.as_str(), *how));
        self.add_layer(&ramp.layer, &ramp.transfer, with, &fill);
        Ok(())
    }

    /// Adds a layer that another one makes.
    pub(super) fn blend(&mut self, blend: &Blend) -> Done {
        // The rows of one layer are read while another is written.
        let of = self.known_layer(&blend.of).to_vec();
        let width = self.width as usize;
        let fill = |y: usize, row: &mut [f64]| {
            let cells = &of[y * width..(y + 1) * width];
            row.iter_mut().zip(cells).for_each(|(value, &cell)| *value = f64::from(cell));
        };
        let with = blend.with.as_ref().map(|(name, how)| (name.as_str(), *how));
        self.add_layer(&blend.layer, &blend.transfer, with, &fill);
        Ok(())
    }

    /// Adds a layer: row by row of `fill`, through the transfer function, joined with another layer.
    fn add_layer(
        &mut self,
        name: &str,
        points: &[[f64; 2]],
        with: Option<(&str, How)>,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) {
        let width = self.width as usize;
        let mut layer = vec![0.0_f32; self.letters.len()];
        let other = with.map(|(name, how)| (self.known_layer(name), how));
        par::chunks(layer.len(), ROWS * width, &mut layer[..], &|_, first, part: &mut [f32]| {
            let mut row = vec![0.0; width];
            for (y, cells) in part.chunks_exact_mut(width).enumerate() {
                let begin = first + y * width;
                fill(begin / width, &mut row);
                for (x, (cell, &value)) in cells.iter_mut().zip(&row).enumerate() {
                    let mut value = transfer(points, value);
                    if let Some((other, how)) = other {
                        value = join(how, value, f64::from(other[begin + x]));
                    }
                    *cell = value.clamp(0.0, 1.0) as f32;
                }
            }
        });
        self.layers.push((name.to_owned(), layer));
    }
}
