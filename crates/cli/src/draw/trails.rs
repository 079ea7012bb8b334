//! Where each group went.

use image::RgbImage;

use crate::draw::ground::View;
use crate::draw::{canvas, colour};
use throng::map::Map;
use throng::report::{ARRIVED, Crowd};

/// The longer side of the raster, at most.
const LONGEST: u32 = 1024;

/// Cells of the raster that an agent may cross between two observations; a longer way is a jump.
const JUMP: f32 = 24.0;

/// A raster that collects where agents walked, in the colours of their groups.
///
/// Feed it every few ticks; between two observations an agent draws a straight line.
#[derive(Clone, Debug)]
pub struct Trails {
    width: usize,
    height: usize,
    /// Raster cells in a metre.
    per_metre: f32,
    /// Sums of light (red, green, blue) and of passages.
    sums: Vec<[f32; 4]>,
    /// By id: the place at the last observation, in raster cells, and that observation's number.
    last: Vec<([f32; 2], u32)>,
    round: u32,
}

impl Trails {
    /// An empty raster over a map.
    pub fn new(map: &Map) -> Self {
        let view = View::within(map, LONGEST, None);
        let (width, height) = (view.width as usize, view.height as usize);
        let cells = width * height;
        Self {
            width,
            height,
            per_metre: view.per_metre,
            sums: vec![[0.0; 4]; cells],
            last: Vec::new(),
            round: 0,
        }
    }

    /// Adds the ways since the last observation, of agents that have not arrived.
    pub fn observe(&mut self, crowd: &Crowd) {
        crowd.check();
        self.round += 1;
        let ids = crowd.ids.iter().max().map_or(0, |&most| most as usize + 1);
        if ids > self.last.len() {
            self.last.resize(ids, ([0.0; 2], 0));
        }
        let light: Vec<[f32; 3]> = crowd.colours.iter().map(|&c| colour::to_light(c)).collect();
        for row in 0..crowd.len() {
            let place = crowd.positions[row].map(|at| at * self.per_metre);
            if crowd.flags[row] & ARRIVED != 0 || !place.iter().all(|at| at.is_finite()) {
                continue;
            }
            let last = &mut self.last[crowd.ids[row] as usize];
            let (before, round) = std::mem::replace(last, (place, self.round));
            if round + 1 == self.round && round > 0 {
                self.walk(before, place, light[crowd.groups[row] as usize]);
            }
        }
    }

    /// A line in steps of at most one cell, its start left out.
    fn walk(&mut self, from: [f32; 2], to: [f32; 2], light: [f32; 3]) {
        let way = [to[0] - from[0], to[1] - from[1]];
        let longest = way[0].abs().max(way[1].abs());
        if longest > JUMP {
            return;
        }
        let steps = longest.ceil() as u32;
        for step in 1..=steps {
            let share = step as f32 / steps as f32;
            let [x, y] = [0, 1].map(|axis| (from[axis] + way[axis] * share) as usize);
            if x < self.width && y < self.height {
                let sum = &mut self.sums[y * self.width + x];
                let weight = longest / steps as f32;
                (0..3).for_each(|i| sum[i] += light[i] * weight);
                sum[3] += weight;
            }
        }
    }

    /// Tints a picture where agents went.
    pub(crate) fn draw(&self, image: &mut RgbImage, view: &View) {
        let (sum, count) = self
            .sums
            .iter()
            .filter(|sum| sum[3] > 0.0)
            .fold((0.0, 0.0), |(sum, count), cell| (sum + f64::from(cell[3]), count + 1.0));
        if count == 0.0 {
            return;
        }
        let half = ((sum / count) as f32).min(20.0);
        let scale = self.per_metre / view.per_metre;
        canvas::each_pixel(image, [view.width, view.height], |x, y, ground| {
            let [left, top] = view.offset.map(|offset| offset * self.per_metre);
            let at = [x, y].map(|at| (at as f32 + 0.5) * scale - 0.5);
            let at = [at[0] + left, at[1] + top];
            let [red, green, blue, passages] = self.sample(at);
            (passages > 0.0).then(|| {
                let own = colour::from_light([red, green, blue].map(|part| part / passages));
                colour::mix(ground, own, 0.4 * passages / (passages + half))
            })
        });
    }

    /// The raster between four cells.
    fn sample(&self, at: [f32; 2]) -> [f32; 4] {
        let [x, y] = at.map(f32::floor);
        let (x_share, y_share) = (at[0] - x, at[1] - y);
        let column = |x: f32| x.clamp(0.0, (self.width - 1) as f32) as usize;
        let row = |y: f32| y.clamp(0.0, (self.height - 1) as f32) as usize * self.width;
        let (left, right) = (column(x), column(x + 1.0));
        let (top, low) = (row(y), row(y + 1.0));
        let s = &self.sums;
        std::array::from_fn(|i| {
            let upper = s[top + left][i] + (s[top + right][i] - s[top + left][i]) * x_share;
            let lower = s[low + left][i] + (s[low + right][i] - s[low + left][i]) * x_share;
            upper + (lower - upper) * y_share
        })
    }
}
