//! Tilesets and what their tiles cost.

use std::collections::BTreeMap;
use std::io;

use crate::map::limits::{MAX_FILE, MAX_NODES};
use crate::map::tiled::xml;
use crate::map::tiled::xml::{Element, Source, shown};
use crate::map::{MapError, PLAIN};

/// Tilesets of a map at most.
const MAX_TILESETS: usize = 1000;

/// Properties of a tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    /// Its property `letter`.
    pub(super) letter: Option<u8>,
    /// What it costs, in 1/16; 0 is a wall.
    pub(super) slowness: Option<u8>,
}

/// A tileset: the number of its first tile, its name, and the tiles with properties by their number
/// in it.
struct Tileset {
    first: u32,
    name: String,
    tiles: BTreeMap<u32, Tile>,
}

/// The tilesets of a map, by their first numbers.
pub(super) struct Tilesets<'a> {
    sets: Vec<Tileset>,
    property: &'a str,
}

impl<'a> Tilesets<'a> {
    /// All tilesets of a map; tilesets in files of their own are read.
    pub(super) fn load(
        map: Element<'_, '_>,
        path: &str,
        property: &'a str,
        read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Self, MapError> {
        let mut tilesets = Self { sets: Vec::new(), property };
        let (mut room, mut tiles) = (MAX_FILE as usize, MAX_NODES as usize);
        for element in map.children("tileset") {
            let first = element.number("firstgid")?;
            if tilesets.sets.len() == MAX_TILESETS {
                return Err(element.wrong("there are more tilesets".to_owned(), "at most 1000"));
            }
            let set = match element.text("source") {
                None => tilesets.tileset(first, element)?,
                Some(source) => {
                    let file = beside(path, source);
                    let bytes = read(&file).map_err(|error| {
                        let wrong = format!("`{file}` cannot be read: {error}");
                        element.wrong_at(
                            "source",
                            wrong,
                            "a tileset, its path from this file's folder",
                        )
                    })?;
                    let Some(left) = room.checked_sub(bytes.len()) else {
                        let wrong = format!("with `{file}` all tilesets are too large");
                        return Err(element.wrong_at("source", wrong, "at most 256 MiB"));
                    };
                    room = left;
                    let source = Source { file: &file, text: xml::text(&bytes, &file)? };
                    tilesets.tileset(first, source.root(&source.parse()?, "tileset")?)?
                }
            };
            if tilesets.sets.last().is_some_and(|last| last.first >= first) {
                let wrong = format!("firstgid is {first}, and that of the tileset before no less");
                return Err(element.wrong_at("firstgid", wrong, "tilesets in order"));
            }
            let Some(left) = tiles.checked_sub(set.tiles.len()) else {
                let wrong = "all tilesets together have too many tiles with properties".to_owned();
                return Err(element.wrong(wrong, "at most 1,048,576"));
            };
            tiles = left;
            tilesets.sets.push(set);
        }
        Ok(tilesets)
    }

    fn tileset(&self, first: u32, element: Element<'_, '_>) -> Result<Tileset, MapError> {
        let mut tiles = BTreeMap::new();
        for tile in element.children("tile") {
            let mut known = Tile::default();
            let lists = tile.children("properties");
            for property in lists.flat_map(|list| list.children("property")) {
                let text = property.text("value").or(property.node.text()).unwrap_or("").trim();
                let name = property.text("name");
                if name == Some(self.property) {
                    known.slowness = Some(cost(property, text)?);
                } else if name == Some("letter") {
                    let &[letter @ b'!'..=b'~'] = text.as_bytes() else {
                        let wrong = format!("letter is `{}`", shown(text));
                        return Err(property.wrong(wrong, "one printable ASCII character"));
                    };
                    known.letter = Some(letter);
                }
            }
            tiles.insert(tile.number("id")?, known);
        }
        let name = shown(element.text("name").unwrap_or(""));
        Ok(Tileset { first, name, tiles })
    }

    /// A tile by its number in the map, with words for messages; `None` when it is in no tileset.
    pub(super) fn tile(&self, number: u32) -> Option<(String, Option<&Tile>)> {
        let after = self.sets.partition_point(|set| set.first <= number);
        let set = &self.sets[after.checked_sub(1)?];
        let id = number - set.first;
        Some((format!("tile {id} of tileset `{}`", set.name), set.tiles.get(&id)))
    }
}

/// What a tile costs, in 1/16.
fn cost(property: Element<'_, '_>, text: &str) -> Result<u8, MapError> {
    let number = if text == "wall" { Some(0.0) } else { text.parse::<f64>().ok() };
    let is_good = |cost: &f64| *cost == 0.0 || (0.0625..=15.9375).contains(cost);
    let Some(cost) = number.filter(is_good) else {
        let wrong = format!("the cost of a tile is `{}`", shown(text));
        return Err(property.wrong(wrong, "`wall`, 0 for a wall, or 0.0625 to 15.9375"));
    };
    Ok((cost * f64::from(PLAIN) + 0.5).floor() as u8)
}

/// A path as another file names it, relative to its own folder.
fn beside(path: &str, name: &str) -> String {
    let folder = path.rfind(['/', '\\']).map_or("", |end| &path[..=end]);
    let bytes = name.as_bytes();
    let is_absolute = name.starts_with(['/', '\\']) || bytes.get(1) == Some(&b':');
    if is_absolute { name.to_owned() } else { format!("{folder}{name}") }
}
