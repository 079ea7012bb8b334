//! A picture of a flow field: distances as colour, directions as arrows.

use image::RgbImage;
use rayon::prelude::*;

use crate::draw::caption::{Entry, number};
use crate::draw::ground::View;
use crate::draw::{canvas, caption, colour};
use throng::map::Map;

/// Distance of one cell of plain ground.
const CELL: f64 = 256.0;

/// Pixels from arrow to arrow.
const ARROWS: u32 = 32;

/// Wanted length of the longer side, pixels.
const LONG_SIDE: u32 = 1600;

const WALL: colour::Rgb = [0x1d, 0x1f, 0x26];
const WALL_EDGE: colour::Rgb = [0x05, 0x06, 0x08];
const UNREACHED: [colour::Rgb; 2] = [[0xc9, 0xc9, 0xc9], [0xab, 0xab, 0xab]];
const GOAL: colour::Rgb = [0xe3, 0x10, 0x38];
const WHITE: colour::Rgb = [0xff; 3];

/// Draws a flow field. Walls are dark, ground that cannot reach a goal is hatched, the rest goes
/// from yellow (near) over green to blue (far), with contour lines at equal distances and arrows
/// along the way; every goal area has a ring and a cross.
///
/// All rasters are padded like [`Map::slowness`]: `distances` in 1/256 of a cell of plain ground,
/// `i32::MAX` for unreached; `directions` with x in the low and y in the high 16 bits, signed,
/// 1/16384 (the lowest bit of x means nothing here), `0x8000_8000` in walls; `goals` are indices
/// into them.
///
/// # Panics
/// When a raster has not the map's padded size.
pub fn draw_field(map: &Map, distances: &[i32], directions: &[u32], goals: &[u32]) -> RgbImage {
    let size = map.slowness().len();
    let lengths = [distances.len(), directions.len()];
    assert!(lengths == [size; 2], "rasters of {lengths:?} cells, the padded map has {size}");
    assert!(goals.iter().all(|&goal| (goal as usize) < size), "a goal past the {size} cells");
    let view = View::near(map, LONG_SIDE, None);
    let field = Field::new(map, distances);
    let mut image = RgbImage::new(view.width, view.height);
    let size = [view.width, view.height];
    canvas::each_pixel(&mut image, size, |x, y, _| Some(field.colour(&view, x, y)));
    draw_arrows(&mut image, map, &view, directions, distances);
    draw_goals(&mut image, map, &view, goals);
    let named = [("goal", GOAL), ("wall", WALL), ("no way to a goal", UNREACHED[1])];
    let entries = named.map(|(text, colour)| Entry::new(colour, text));
    let (mut whole, caption) =
        caption::below(image, &field.caption(), entries.into(), view.per_metre);
    let farthest = format!("{} m", number(field.metres().round()));
    caption.draw_ramp(&mut whole, "0 m", &farthest);
    whole
}

/// Distances and their range.
struct Field<'a> {
    map: &'a Map,
    distances: &'a [i32],
    /// The largest distance reached, at least 1.
    most: f32,
    /// Distance from one contour line to the next.
    step: f32,
    /// The same in metres.
    step_metres: f64,
}

impl<'a> Field<'a> {
    fn new(map: &'a Map, distances: &'a [i32]) -> Self {
        let reached = distances.par_iter().filter(|&&distance| distance < i32::MAX);
        let most = reached.copied().max().unwrap_or(1).max(1);
        let metre = CELL / map.cell_size();
        let step_metres = caption::round_down(f64::from(most) / metre / 9.0);
        let step = (step_metres * metre) as f32;
        Self { map, distances, most: most as f32, step, step_metres }
    }

    fn metres(&self) -> f64 {
        f64::from(self.most) / CELL * self.map.cell_size()
    }

    fn caption(&self) -> String {
        let farthest = number(self.metres().round());
        let step = number(self.step_metres);
        format!("farthest {farthest} m of plain ground, a line every {step} m")
    }

    fn colour(&self, view: &View, x: u32, y: u32) -> colour::Rgb {
        let (cell, end) = view.cells_at(self.map, x, y);
        let own = self.map.index(cell[0], cell[1]);
        let mut cells = (cell[1]..end[1])
            .flat_map(|y| (cell[0]..end[0]).map(move |x| (x, y)))
            .map(|(x, y)| self.map.index(x, y));
        let solid = |&index: &u32| self.map.slowness()[index as usize] == 0;
        if cells.any(|index| solid(&index)) {
            return self.wall(view, x, y);
        }
        if self.distances[own as usize] == i32::MAX {
            let line = ((x + y) / 3).is_multiple_of(3);
            return UNREACHED[usize::from(line)];
        }
        // The distance at the pixel's centre and one pixel to the right and below, for the slope.
        let side = view.cells as f32 / view.pixels as f32;
        let at = |dx: f32, dy: f32| {
            let place = [x as f32 + 0.5 + dx, y as f32 + 0.5 + dy].map(|at| at * side);
            self.sample(place, own)
        };
        let distance = at(0.0, 0.0);
        let colour = colour::ramp(distance / self.most);
        let (dx, dy) = (at(0.5, 0.0) - at(-0.5, 0.0), at(0.0, 0.5) - at(0.0, -0.5));
        let slope = (dx * dx + dy * dy).sqrt().max(1e-3);
        let line = (distance / self.step).round();
        let pixels = (distance - line * self.step).abs() / slope;
        let strength = if line >= 1.0 { (1.3 - pixels).clamp(0.0, 1.0) } else { 0.0 };
        colour::mix(colour, WALL_EDGE, 0.6 * strength)
    }

    /// The distance between the four nearest cells' centres; unreached ones count as cell `own`.
    fn sample(&self, [x, y]: [f32; 2], own: u32) -> f32 {
        let (left, top) = ((x - 0.5).floor(), (y - 0.5).floor());
        let (right_share, low_share) = (x - 0.5 - left, y - 0.5 - top);
        let first = (top as i32 + 1) * self.map.stride() as i32 + left as i32 + 1;
        let value = |offset: u32| {
            let value = self.distances.get((first + offset as i32) as usize).copied();
            let value = value.filter(|&distance| distance < i32::MAX);
            value.unwrap_or(self.distances[own as usize]) as f32
        };
        let stride = self.map.stride();
        let upper = value(0) + (value(1) - value(0)) * right_share;
        let lower = value(stride) + (value(stride + 1) - value(stride)) * right_share;
        upper + (lower - upper) * low_share
    }

    /// Walls get a black edge towards open ground.
    fn wall(&self, view: &View, x: u32, y: u32) -> colour::Rgb {
        let open = |x: u32, y: u32| {
            let (cell, _) = view.cells_at(self.map, x, y);
            let inside = cell[0] < self.map.width() && cell[1] < self.map.height();
            inside && self.map.slowness()[self.map.index(cell[0], cell[1]) as usize] != 0
        };
        let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut inside = around.into_iter().filter(|&(x, y)| x < view.width && y < view.height);
        if inside.any(|(x, y)| open(x, y)) { WALL_EDGE } else { WALL }
    }
}

/// An arrow in every square of some 32 pixels, on the cell with a direction that is nearest to the
/// square's centre, away from walls where there is room.
fn draw_arrows(
    image: &mut RgbImage,
    map: &Map,
    view: &View,
    directions: &[u32],
    distances: &[i32],
) {
    let direction_at = |x: u32, y: u32| {
        let (cell, _) = view.cells_at(map, x.min(view.width - 1), y.min(view.height - 1));
        let index = map.index(cell[0], cell[1]) as usize;
        let direction = unpack(directions[index])?;
        (distances[index] < i32::MAX).then_some(direction)
    };
    let is_clear = |x: u32, y: u32| {
        let around = [(0, 9), (9, 0), (18, 9), (9, 18)];
        let at = |offset: u32, by: u32| (offset + by).saturating_sub(9);
        around.iter().all(|&(dx, dy)| direction_at(at(x, dx), at(y, dy)).is_some())
    };
    for row in 0..view.height / ARROWS {
        for column in 0..view.width / ARROWS {
            let centre = [column, row].map(|i| i * ARROWS + ARROWS / 2);
            let places = || {
                spiral(ARROWS as i32 / 3).map(|(dx, dy)| {
                    (centre[0].saturating_add_signed(dx), centre[1].saturating_add_signed(dy))
                })
            };
            let clear = places().find(|&(x, y)| is_clear(x, y) && direction_at(x, y).is_some());
            let any = || places().find(|&(x, y)| direction_at(x, y).is_some());
            if let Some((x, y)) = clear.or_else(any)
                && let Some(direction) = direction_at(x, y)
            {
                draw_arrow(image, [x as f32 + 0.5, y as f32 + 0.5], direction);
            }
        }
    }
}

/// Offsets from the centre outwards, in rings of 3 pixels.
fn spiral(reach: i32) -> impl Iterator<Item = (i32, i32)> {
    (0..=reach).step_by(3).flat_map(|ring| {
        let offsets = move || (-ring..=ring).step_by(3);
        offsets()
            .flat_map(move |y| offsets().map(move |x| (x, y)))
            .filter(move |(x, y)| x.abs().max(y.abs()) == ring)
    })
}

/// A packed direction as a unit vector; `None` in walls and where there is none.
fn unpack(packed: u32) -> Option<[f32; 2]> {
    if packed == 0x8000_8000 {
        return None;
    }
    let x = f32::from((packed & 0xfffe) as u16 as i16);
    let y = f32::from((packed >> 16) as u16 as i16);
    let length = (x * x + y * y).sqrt();
    (length > 1000.0).then(|| [x / length, y / length])
}

/// A white arrow with a dark rim, its middle at a place.
fn draw_arrow(image: &mut RgbImage, [x, y]: [f32; 2], [dx, dy]: [f32; 2]) {
    let at = |along: f32, aside: f32| [x + dx * along - dy * aside, y + dy * along + dx * aside];
    let half = ARROWS as f32 * 0.3;
    let rim = colour::mix(WALL_EDGE, WHITE, 0.12);
    canvas::line(image, at(-half, 0.0), at(half * 0.3, 0.0), 3.6, rim, 0.75);
    canvas::triangle(image, [at(half + 1.8, 0.0), at(-0.6, 5.8), at(-0.6, -5.8)], rim);
    canvas::line(image, at(-half, 0.0), at(half * 0.3, 0.0), 1.7, WHITE, 1.0);
    canvas::triangle(image, [at(half, 0.0), at(0.6, 4.1), at(0.6, -4.1)], WHITE);
}

/// Red goal cells; a ring with a cross around every patch of them.
fn draw_goals(image: &mut RgbImage, map: &Map, view: &View, goals: &[u32]) {
    let scale = view.pixels as f32 / view.cells as f32;
    for &goal in goals {
        let (x, y) = map.cell(goal);
        let at = [x, y].map(|cell| cell * view.pixels / view.cells);
        for py in at[1]..at[1] + view.pixels {
            for px in at[0]..at[0] + view.pixels {
                canvas::blend(image, px as i32, py as i32, GOAL, 0.55);
            }
        }
    }
    for patch in patches(map, goals) {
        let count = patch.len() as f32;
        let places = || patch.iter().map(|&goal| map.cell(goal));
        let centre = places().fold([0.0; 2], |sum: [f32; 2], (x, y)| {
            [sum[0] + (x as f32 + 0.5) / count, sum[1] + (y as f32 + 0.5) / count]
        });
        let extent = places()
            .map(|(x, y)| {
                let [dx, dy] = [x as f32 + 0.5 - centre[0], y as f32 + 0.5 - centre[1]];
                (dx * dx + dy * dy).sqrt()
            })
            .fold(0.0, f32::max);
        let radius = ((extent + 0.7) * scale + 4.0).max(11.0);
        draw_goal(image, centre.map(|at| at * scale), radius);
    }
}

fn draw_goal(image: &mut RgbImage, at: [f32; 2], radius: f32) {
    let cross = |image: &mut RgbImage, reach: f32, width, colour| {
        let [x, y] = at;
        canvas::line(image, [x - reach, y], [x + reach, y], width, colour, 1.0);
        canvas::line(image, [x, y - reach], [x, y + reach], width, colour, 1.0);
    };
    canvas::ring(image, at, radius, 7.5, WHITE, 1.0);
    cross(image, 6.5, 5.5, WHITE);
    canvas::ring(image, at, radius, 4.0, GOAL, 1.0);
    cross(image, 6.0, 2.5, GOAL);
}

/// Goals that touch, corners included, together.
fn patches(map: &Map, goals: &[u32]) -> Vec<Vec<u32>> {
    let mut left = goals.to_vec();
    left.sort_unstable();
    left.dedup();
    let mut taken = vec![false; left.len()];
    let stride = map.stride();
    let mut patches = Vec::new();
    for start in 0..left.len() {
        if taken[start] {
            continue;
        }
        taken[start] = true;
        let mut patch = vec![left[start]];
        let mut next = 0;
        while next < patch.len() {
            for row in [0, stride, 2 * stride] {
                for column in 0..3 {
                    let near = (patch[next] + row + column).wrapping_sub(stride + 1);
                    if let Ok(at) = left.binary_search(&near)
                        && !std::mem::replace(&mut taken[at], true)
                    {
                        patch.push(near);
                    }
                }
            }
            next += 1;
        }
        patches.push(patch);
    }
    patches
}
