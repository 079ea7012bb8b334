//! A map as a picture of a landscape: a colour for each letter, water by its depth, hills in light and
//! shade.

use image::RgbImage;

use crate::draw::colour::Rgb;
use crate::draw::ground::{Paint, Terrain, View};
use crate::draw::{colour, ground};
use throng::map::Map;

/// How much steeper hills are drawn than they are.
const EXAGGERATION: f32 = 1.6;

/// Depth in metres at which water is nearly as dark as it gets.
const DEEP: f32 = 12.0;

const ABYSS: Rgb = [0x2f, 0x5d, 0x8a];

/// Colours of the usual letters.
const LETTERS: [(u8, Rgb); 5] = [
    (b'.', [0xc6, 0xcf, 0x9a]),
    (b'G', [0xa9, 0xc1, 0x7f]),
    (b'S', [0x8f, 0xa0, 0x74]),
    (b'T', [0x5f, 0x86, 0x55]),
    (b'W', [0x7f, 0xb2, 0xd0]),
];

/// Draws a map with a colour for each letter; letters without one in `colours` have a usual one. The
/// longer side of the picture is near `long_side` pixels.
pub fn draw(map: &Map, colours: &[(u8, Rgb)], long_side: u32) -> RgbImage {
    let paint = Paint::new(&[&LETTERS, colours].concat());
    let view = View::near(map, long_side, None);
    let cell = |x: u32, y: u32| {
        let (terrain, usual) = ground::terrain(map, x, y);
        let colour = paint.of(map, x, y).unwrap_or(usual);
        let lit = match terrain {
            _ if map.is_flat() => colour,
            Terrain::Water => {
                let depth = (-ground::height(map, i64::from(x), i64::from(y)) / 16.0).max(0.0);
                colour::mix(colour, ABYSS, 0.8 * depth / (depth + DEEP / 4.0))
            }
            _ => lit(map, x, y, colour),
        };
        (terrain, lit)
    };
    let pixels = ground::pixels(map, &view, cell);
    if map.is_flat() {
        return ground::draw(&pixels, &view);
    }
    let bytes = pixels.iter().flat_map(|pixel| pixel.1).collect();
    RgbImage::from_raw(view.width, view.height, bytes).expect("three bytes a pixel")
}

/// A colour in the light from the upper left, 45° high (Lambert): level ground keeps it.
fn lit(map: &Map, x: u32, y: u32, colour: Rgb) -> Rgb {
    let across = 2.0 * 16.0 * map.cell_size() as f32 / EXAGGERATION;
    let [dx, dy] = ground::rises(map, x, y).map(|rise| rise / across);
    // (dx + dy) / √2 is the rise towards the lower right, away from the light.
    let light = (1.0 + (dx + dy) * 0.707) / (1.0 + dx * dx + dy * dy).sqrt();
    if light > 1.0 {
        colour::mix(colour, [0xff; 3], (light - 1.0).min(1.0) * 0.6)
    } else {
        colour::mix(colour, [0x20, 0x24, 0x38], (1.0 - light).min(1.0) * 0.75)
    }
}
