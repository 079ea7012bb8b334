//! Maps of the [Tiled](https://www.mapeditor.org) editor: `.tmx` files and their `.tsx` tilesets.
//!
//! One tile layer of a finite map, orthogonal or of hexagons in rows, gives the cells. What a tile costs
//! is a property of the tile; how it is flipped or turned does not matter. All else in the file is passed
//! over: objects, pictures, other layers.

mod layer;
mod tiles;
mod xml;

use std::collections::BTreeMap;
use std::io;

use crate::map::tiled::tiles::{Tile, Tilesets};
use crate::map::tiled::xml::{Element, Source};
use crate::map::{Legend, Map, MapError, limits};

/// Bits of a tile's number that say how it is flipped and turned.
const FLIPS: u32 = 0xf000_0000;

/// What counts in a Tiled map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TiledRules {
    /// Name of the tile layer; the first one of the file by default.
    pub layer: Option<String>,
    /// Name of the property of tiles that says what they cost: 1 is plain ground, 0 or `wall` a
    /// wall, else 0.0625 to 15.9375. By default `cost`.
    pub property: String,
    /// Slowness of cells without a tile, in 1/16; 0, a wall, by default.
    pub empty: u8,
    /// Slowness of tiles without the property, in 1/16. By default they are an error.
    pub other: Option<u8>,
    /// Whether the map is one of hexagons in rows, of which the odd ones lie to the right
    /// ([`hexagons`](crate::map::hexagons)). By default it has to be orthogonal.
    pub hexagons: bool,
}

impl Default for TiledRules {
    fn default() -> Self {
        Self { layer: None, property: "cost".to_owned(), empty: 0, other: None, hexagons: false }
    }
}

impl Map {
    /// The map of a Tiled file, and the legend by which its letters have its slowness: a tile's
    /// property `letter` is its letter (and says what it costs, unless the property that
    /// [`TiledRules::property`] names does); other tiles get a letter of the legend that costs as
    /// much, or a spare one. `cell_size` is in metres.
    ///
    /// `path` is the map's own; `read` gets the paths of tilesets, which the map names relative to
    /// itself, and returns their bytes. It takes 4 bytes a cell and some 30 bytes for each byte of
    /// the files, beside the map.
    ///
    /// # Errors
    /// [`MapError::Tiled`] with line and column; those of [`Map::try_from_slowness`].
    pub fn parse_tiled(
        path: &str,
        bytes: &[u8],
        rules: &TiledRules,
        legend: &Legend,
        cell_size: f64,
        read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Result<(Self, Legend), MapError> {
        let source = Source { file: "", text: xml::text(bytes, "")? };
        let document = source.parse()?;
        let map = source.root(&document, "map")?;
        check_kind(map, rules.hexagons)?;
        let [width, height] = [map.number("width")?, map.number("height")?];
        limits::check_size(width, height, cell_size)?;
        let tilesets = Tilesets::load(map, path, &rules.property, read)?;
        let layer = layer::find(map, rules.layer.as_deref())?;
        let mut cells = layer::cells(layer, width, height)?;
        cells.iter_mut().for_each(|cell| *cell &= !FLIPS);
        let mut legend = legend.clone();
        let kinds = kinds(&cells, width, layer, &tilesets, rules, &mut legend)?;
        let kind = |cell: &u32| kinds.get(cell).copied().unwrap_or_default();
        let letters = cells.iter().map(|cell| kind(cell).letter).collect();
        let slowness: Vec<u8> = cells.iter().map(|cell| kind(cell).slowness).collect();
        Ok((Self::build(width, height, cell_size, letters, &slowness)?, legend))
    }
}

/// Refuses maps whose cells are no squares in rows and columns, or no hexagons.
fn check_kind(map: Element<'_, '_>, hexagons: bool) -> Result<(), MapError> {
    let orientation = map.text("orientation").unwrap_or("orthogonal");
    let [expected, kind] = match (hexagons, orientation) {
        (true, _) => ["hexagonal", "a hexagonal map"],
        (false, "hexagonal") => ["orthogonal", "an orthogonal map, or to be told of hexagons"],
        (false, _) => ["orthogonal", "an orthogonal map"],
    };
    if orientation != expected {
        let wrong = format!("the map is {orientation}");
        return Err(map.wrong_at("orientation", wrong, kind));
    }
    for (name, own) in [("staggeraxis", "y"), ("staggerindex", "odd")] {
        let other = map.text(name).filter(|&text| hexagons && text != own);
        if let Some(other) = other {
            let wrong = format!("its `{name}` is `{}`", xml::shown(other));
            let expected = "rows of hexagons, the odd ones to the right: `y` and `odd`";
            return Err(map.wrong_at(name, wrong, expected));
        }
    }
    if map.text("infinite").is_some_and(|infinite| infinite != "0") {
        let expected = "a map of fixed size (Map > Map Properties > Infinite)";
        return Err(map.wrong_at("infinite", "the map is infinite".to_owned(), expected));
    }
    Ok(())
}

/// What the cells of one number are.
#[derive(Clone, Copy, Default)]
struct Kind {
    letter: u8,
    slowness: u8,
}

/// Letter and slowness of every number among the cells; the letters are put into the legend.
fn kinds(
    cells: &[u32],
    width: u32,
    layer: Element<'_, '_>,
    tilesets: &Tilesets<'_>,
    rules: &TiledRules,
    legend: &mut Legend,
) -> Result<BTreeMap<u32, Kind>, MapError> {
    let mut first = BTreeMap::new();
    let mut last = None;
    for (at, &number) in (0_u32..).zip(cells) {
        if last != Some(number) {
            first.entry(number).or_insert(at);
        }
        last = Some(number);
    }
    let mut kinds = BTreeMap::new();
    let mut claimed = [None; 256];
    let mut unnamed = Vec::new();
    for (&number, &at) in &first {
        let place = || format!("cell ({}, {})", at % width, at / width);
        let refused = |wrong, expected| Err(layer.wrong(wrong, expected));
        if number == 0 {
            unnamed.push((number, rules.empty));
            continue;
        }
        let Some((name, tile)) = tilesets.tile(number) else {
            let wrong = format!("tile {number} of {} is in no tileset", place());
            return refused(wrong, "numbers from the `firstgid` of a tileset on");
        };
        let Tile { letter, slowness } = tile.cloned().unwrap_or_default();
        let known = slowness.or_else(|| legend.get(letter?));
        let Some(slowness) = known.or(rules.other.filter(|_| letter.is_none())) else {
            let wrong = match letter {
                None => format!("{name} of {} has no property `{}`", place(), rules.property),
                Some(letter) => {
                    let (letter, property) = (char::from(letter), &rules.property);
                    format!(
                        "{name} has letter `{letter}`, which no legend has, and no `{property}`"
                    )
                }
            };
            return refused(wrong, "what the tile costs, or `other` for tiles that do not say");
        };
        let Some(letter) = letter else {
            unnamed.push((number, slowness));
            continue;
        };
        let claim = claimed[usize::from(letter)].replace(slowness);
        if claim.is_some_and(|other| other != slowness) {
            let wrong = format!("{name} has a letter of another tile, `{}`", char::from(letter));
            return refused(wrong, "one cost for each letter");
        }
        kinds.insert(number, Kind { letter, slowness });
    }
    for (letter, slowness) in (0_u8..=255).zip(claimed) {
        if let Some(slowness) = slowness {
            legend.set(char::from(letter), slowness)?;
        }
    }
    for (number, slowness) in unnamed {
        let Some(letter) = legend.letter_for(slowness) else {
            let wrong = "there are more kinds of ground than letters for them".to_owned();
            return Err(layer.wrong(wrong, "fewer different costs"));
        };
        kinds.insert(number, Kind { letter, slowness });
    }
    Ok(kinds)
}
