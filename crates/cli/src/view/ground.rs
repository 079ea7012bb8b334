//! The map as a raster of colours, as pictures show it; the page makes its own light and dark of them.

use image::{Rgb, RgbImage};
use serde_json::json;
use throng::lane::Numbers;
use throng::world::World;

use crate::draw::ground;
use crate::draw::ground::{Paint, Terrain, View};
use crate::structures;
use crate::view::ask::Answer;

/// Most pixels of the longer side.
const LONGEST: u32 = 2048;

/// A number that changes when the raster does: the version of the map, and which doors are closed.
pub(super) fn version<N: Numbers>(world: &World<N>) -> u64 {
    let doors = world.doors().iter();
    // Page scripts count exactly up to 2^53.
    let closed = doors.fold(0, |all, door| (2 * all + u64::from(!door.is_open())) % 2_097_143);
    u64::from(world.map_version()) + (closed << 32)
}

/// Red, green, blue and what the pixel shows, for every pixel. Closed doors are walls.
pub(super) fn raster<N: Numbers>(world: &World<N>, letters: &[(u8, [u8; 3])]) -> Answer {
    let (map, version) = (world.solid_map(), version(world));
    let view = View::within_cells(map, LONGEST);
    let pixels = ground::survey(map, &view, &Paint::new(letters));
    let colours: Vec<u8> = pixels.iter().flat_map(|&(_, colour)| colour).collect();
    let image = RgbImage::from_raw(view.width, view.height, colours);
    let mut image = image.expect("three bytes for every pixel");
    structures::closed_doors(world).stain(&mut image, &view, map);
    let metres = 1.0 / f64::from(view.per_metre);
    let head = json!({
        "version": version,
        "width": view.width,
        "height": view.height,
        // The last pixels may stand over the edge of the map.
        "extent": [f64::from(view.width) * metres, f64::from(view.height) * metres],
    });
    Answer::with_head(&head, |body| {
        for ((terrain, _), &Rgb([r, g, b])) in pixels.into_iter().zip(image.pixels()) {
            let kind = match terrain {
                Terrain::Open => 0,
                Terrain::Water => 1,
                Terrain::Trees => 2,
                Terrain::Wall => 3,
            };
            body.extend_from_slice(&[r, g, b, kind]);
        }
    })
}
