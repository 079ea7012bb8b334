//! Walls with hit points on a picture: in a colour of their own, towards another the more they are
//! damaged; and doors that are closed.

use image::{Rgb as Pixel, RgbImage};
use throng::map::Map;

use crate::draw::colour::{self, Rgb};
use crate::draw::ground::View;

/// The colours of whole walls, and of such as are about to fall.
pub(crate) const WHOLE: Rgb = [0xa0, 0x6a, 0x2c];
const BROKEN: Rgb = [0xe0, 0x4a, 0x28];

/// The colour of closed doors.
pub(crate) const DOOR: Rgb = [0x8a, 0x2c, 0x9a];

/// Steps of damage that are told apart.
const STEPS: u8 = 8;

/// The value of a closed door in place of a damage.
const CLOSED: u8 = STEPS + 1;

/// How much of a wall's colour shows over its light and shadow.
const SHARE: f32 = 0.8;

/// Walls with hit points, and closed doors: cells, as padded indices, with how much they are damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walls(Vec<(u32, u8)>);

impl Walls {
    /// Adds the walls of a structure of which this share of the hit points is left.
    pub fn add(&mut self, cells: &[u32], left: f64) {
        let damage = ((1.0 - left) * f64::from(STEPS)).ceil().clamp(0.0, f64::from(STEPS)) as u8;
        self.0.extend(cells.iter().map(|&cell| (cell, damage)));
    }

    /// Adds the cells of a closed door.
    pub fn close(&mut self, cells: &[u32]) {
        self.0.extend(cells.iter().map(|&cell| (cell, CLOSED)));
    }

    /// Whether there are walls with hit points.
    pub(crate) fn has_structures(&self) -> bool {
        self.0.iter().any(|&(_, damage)| damage != CLOSED)
    }

    /// Whether there are closed doors.
    pub(crate) fn has_doors(&self) -> bool {
        self.0.iter().any(|&(_, damage)| damage == CLOSED)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All colours that there can be.
    pub(crate) fn colours() -> impl Iterator<Item = Rgb> {
        (0..=CLOSED).map(shade)
    }

    /// Colours them on the ground of a map.
    pub(crate) fn stain(&self, image: &mut RgbImage, view: &View, map: &Map) {
        let size = map.cell_size() as f32;
        for &(cell, damage) in &self.0 {
            let (i, j) = map.cell(cell);
            let low = view.place([i as f32 * size, j as f32 * size]);
            let pixels = |at: f32, most: u32| {
                let first = (at + 0.01).floor();
                let end = first + view.pixels as f32;
                (first.max(0.0) as u32).min(most)..(end.max(0.0) as u32).min(most)
            };
            for y in pixels(low[1], view.height) {
                for x in pixels(low[0], view.width) {
                    let Pixel(ground) = *image.get_pixel(x, y);
                    image.put_pixel(x, y, Pixel(colour::mix(ground, shade(damage), SHARE)));
                }
            }
        }
    }
}

/// The colour of a wall with so many steps of damage, or of a closed door.
fn shade(damage: u8) -> Rgb {
    if damage == CLOSED {
        return DOOR;
    }
    colour::mix(WHOLE, BROKEN, f32::from(damage) / f32::from(STEPS))
}
