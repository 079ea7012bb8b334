//! `throng import`: what files of other programs become, and what is said of bad ones.

pub(crate) mod plans;
pub(crate) mod vadere;
mod wkt;

use crate::running::Folder;
use throng::Map;
use throng::map::{Colours, Legend};

/// The map that an import has written.
fn map(folder: &Folder, name: &str, cell: f64) -> Map {
    let (colours, legend) = (Colours::default(), Legend::default());
    Map::parse_picture(&folder.read(name), &colours, &legend, cell).unwrap()
}

/// Whether there is a wall at a point in metres.
fn is_wall(map: &Map, x: f64, y: f64) -> bool {
    map.slowness()[map.cell_at(x, y).unwrap() as usize] == 0
}
