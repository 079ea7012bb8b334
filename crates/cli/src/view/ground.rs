//! The map as a raster of colours, as pictures show it; the page makes its own light and dark of them.

use serde_json::json;
use throng::map::Map;

use crate::draw::ground;
use crate::draw::ground::{Paint, Terrain, View};
use crate::view::ask::Answer;

/// Most pixels of the longer side.
const LONGEST: u32 = 2048;

/// Red, green, blue and what the pixel shows, for every pixel.
pub(super) fn raster(map: &Map, letters: &[(u8, [u8; 3])], version: u32) -> Answer {
    let view = View::within_cells(map, LONGEST);
    let pixels = ground::survey(map, &view, &Paint::new(letters));
    let metres = 1.0 / f64::from(view.per_metre);
    let head = json!({
        "version": version,
        "width": view.width,
        "height": view.height,
        // The last pixels may stand over the edge of the map.
        "extent": [f64::from(view.width) * metres, f64::from(view.height) * metres],
    });
    Answer::with_head(&head, |body| {
        for (terrain, [r, g, b]) in pixels {
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
