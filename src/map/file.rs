//! Map files of every kind.

use std::io;

use crate::map::{Colours, Legend, Map, MapError, TiledRules};

/// What kind of map a file is, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `MovingAI`: every ending but those below.
    MovingAi,
    /// A PNG picture, a pixel a cell: `.png`.
    Picture,
    /// A map of the Tiled editor: `.tmx`.
    Tiled,
    /// Walkable areas as well-known text: `.wkt`.
    Wkt,
}

impl FileKind {
    /// The kind of a file by its path; capitals don't matter.
    pub fn of(path: &str) -> Self {
        let ends = |ending: &str| {
            let start = path.len().saturating_sub(ending.len());
            path.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        match () {
            () if ends(".png") => Self::Picture,
            () if ends(".tmx") => Self::Tiled,
            () if ends(".wkt") => Self::Wkt,
            () => Self::MovingAi,
        }
    }
}

/// How map files are read.
#[derive(Clone, Copy, Debug)]
pub struct FileRules<'a> {
    /// What letters mean.
    pub legend: &'a Legend,
    /// Which letters the colours of pictures stand for.
    pub colours: &'a Colours,
    /// What counts in a Tiled map.
    pub tiled: &'a TiledRules,
}

impl Map {
    /// The map of a file in `MovingAI` format, a picture, a Tiled map or walkable areas as well-known
    /// text, by the ending of its path; `cell_size` is in metres. `read` gets the paths of the tilesets
    /// that a Tiled map names, relative to what `path` is relative to, and returns their bytes.
    ///
    /// Also the legend by which the map's letters have its slowness: that of the rules, but for a
    /// Tiled map with the letters of its tiles.
    ///
    /// # Errors
    /// [`MapError`].
    pub fn parse_file(
        path: &str,
        bytes: &[u8],
        rules: FileRules<'_>,
        cell_size: f64,
        read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Result<(Self, Legend), MapError> {
        let legend = rules.legend;
        let map = match FileKind::of(path) {
            FileKind::MovingAi => Self::parse_movingai(bytes, legend, cell_size)?,
            FileKind::Picture => Self::parse_picture(bytes, rules.colours, legend, cell_size)?,
            FileKind::Wkt => Self::parse_wkt(bytes, legend, cell_size)?,
            FileKind::Tiled => {
                return Self::parse_tiled(path, bytes, rules.tiled, legend, cell_size, read);
            }
        };
        Ok((map, legend.clone()))
    }
}
