//! `[map]` of a scenario file.

use crate::data::definition::Limits;
use crate::data::number::plural;
use crate::map::{Colours, Legend, MAX_HEIGHT, TiledRules, WALL_HEIGHT, limits};
use crate::scenario::def::{GroundDef, HeightsDef, MapDef, MapSource, PaintDef};
use crate::scenario::error::Place;
use crate::scenario::parse_generate::generate;
use crate::scenario::parse_map_file::{colours, tiled};
use crate::scenario::parse_shape::{numbers_within, one_of, shape_in, shape_of};
use crate::scenario::parse_terrain::{COST, letter_costs, slowness};
use crate::scenario::read::{Node, Table};

pub(super) const MAP: [&str; 15] = [
    "file",
    "rows",
    "size",
    "generate",
    "walls",
    "terrain",
    "cell",
    "hexagons",
    "cost",
    "colors",
    "tiled",
    "heights",
    "height_range",
    "ground",
    "wall_height",
];

/// Entries of `walls`, of `terrain` and of `ground` at most.
const MAX_PAINT: usize = 100_000;

const CELL: Limits = Limits::from("the side of a cell in metres", 0.1, 100.0);
const HEXAGON: Limits = Limits::from("the width of a hexagon in metres", 0.2, 1000.0);
const HEIGHT: Limits = Limits::from("a height in metres", -MAX_HEIGHT, MAX_HEIGHT);
const WALLS: Limits = Limits::from("a height of walls in metres", 0.0, MAX_HEIGHT);

/// The keys that make a shape of `ground`.
pub(super) const GROUND_SHAPES: [&str; 5] = ["rect", "disc", "point", "polygon", "hill"];

/// One open cell: a map to go on with when `[map]` is missing or wrong, which has been reported.
impl Default for MapDef {
    fn default() -> Self {
        Self {
            source: MapSource::Open { width: 1, height: 1 },
            cell: 1.0,
            hexagons: None,
            legend: Legend::default(),
            colours: Colours::default(),
            tiled: TiledRules::default(),
            paint: Vec::new(),
            heights: None,
            ground: Vec::new(),
            wall_height: WALL_HEIGHT,
            at: Place::default(),
        }
    }
}

pub(super) fn map(top: &Table<'_>) -> MapDef {
    let Some(node) = top.needed("map", "a table `[map]` with `file`, `rows`, `size` or `generate`")
    else {
        return MapDef::default();
    };
    let what = "a table with `file`, `rows`, `size` or `generate`";
    let Some(table) = node.table(what, &MAP) else { return MapDef::default() };
    let cell = table.number("cell", &CELL, 1.0);
    let legend = legend(&table);
    let hexagons = hexagons(&table, cell);
    let (source, at) = match source(&table, cell, hexagons, &legend) {
        Some((source, at)) => (source, at),
        None => (MapDef::default().source, Place::default()),
    };
    let mut paint = Vec::new();
    for key in ["terrain", "walls"] {
        let Some(node) = table.get(key) else { continue };
        let what = "an array of shapes, as in [{ rect = [0, 0, 10, 5] }]";
        for entry in node.array(what, MAX_PAINT).unwrap_or_default() {
            paint.extend(painted(&entry, key == "terrain"));
        }
    }
    let mut ground = Vec::new();
    if let Some(node) = table.get("ground") {
        let what = "an array of shapes with a height, as in [{ hill = [20, 10, 8], height = 5 }]";
        for entry in node.array(what, MAX_PAINT).unwrap_or_default() {
            ground.extend(raised(&entry));
        }
    }
    let heights = heights(&table);
    let (colours, mut tiled) = (colours(&table, &legend), tiled(&table));
    tiled.hexagons = hexagons.is_some();
    let wall_height = table.number("wall_height", &WALLS, WALL_HEIGHT);
    MapDef {
        source,
        cell,
        hexagons,
        legend,
        colours,
        tiled,
        paint,
        heights,
        ground,
        wall_height,
        at,
    }
}

/// The width of hexagons in metres, where the map is made of them.
fn hexagons(table: &Table<'_>, cell: f64) -> Option<f64> {
    let node = table.get("hexagons")?;
    let width = node.number(&HEXAGON)?;
    if width < 2.0 * cell {
        let expected = format!("a width of at least two cells, {} m", 2.0 * cell);
        node.bad_value("is too narrow for cells", expected);
        return None;
    }
    for key in ["size", "generate"] {
        if table.get(key).is_some() {
            let wrong = format!("there are no hexagons in a map of `{key}`");
            node.problem(wrong, "`file` or `rows`, of a letter for each hexagon");
        }
    }
    Some(width)
}

/// `heights` and `height_range`, which go together.
fn heights(table: &Table<'_>) -> Option<HeightsDef> {
    let what = "[low, high] in metres, the heights of black and of white";
    let (file, range) = (table.get("heights"), table.get("height_range"));
    let range = match (&file, &range) {
        (None, None) => return None,
        (None, Some(range)) => {
            if !table.misspelt(&["heights"]) {
                range.problem("there is no `heights` for it", "both or neither");
            }
            return None;
        }
        (Some(_), None) => {
            table.missing("height_range", what);
            None
        }
        (Some(_), Some(range)) => height_range(range, what),
    };
    let node = file?;
    let path = node.text("the path of a grey PNG file")?;
    if path.trim().is_empty() {
        node.bad_value("names no file", "the path of a grey PNG file");
    }
    Some(HeightsDef { path: path.to_owned(), range: range?, at: node.at })
}

fn height_range(node: &Node<'_>, what: &str) -> Option<[f64; 2]> {
    let [low, high] = numbers_within(node, what, &HEIGHT)?;
    if low >= high {
        node.bad_value("is no range", "[low, high] with low < high");
        return None;
    }
    Some([low, high])
}

/// A shape of `ground`.
fn raised(node: &Node<'_>) -> Option<GroundDef> {
    let (kind, shape, table) = shape_of(node, &GROUND_SHAPES, &["height"])?;
    let height = table.needed("height", "the height of this ground in metres, as in 5.0")?;
    let height = height.number(&HEIGHT)?;
    Some(GroundDef { shape, hill: kind == "hill", height, at: table.at })
}

fn source(
    table: &Table<'_>,
    cell: f64,
    hexagons: Option<f64>,
    legend: &Legend,
) -> Option<(MapSource, Place)> {
    let key = one_of(table, &["file", "rows", "size", "generate"])?;
    let node = table.get(key)?;
    let source = match key {
        "file" => {
            let path = node.text("the path of a map file")?;
            if path.trim().is_empty() {
                node.bad_value("names no file", "the path of a map file");
            }
            MapSource::File { path: path.to_owned() }
        }
        "generate" => {
            let def = generate(&node, cell, legend)?;
            MapSource::Generate(Box::new(def))
        }
        "rows" => MapSource::Rows { rows: rows(&node, legend)? },
        _ => {
            let what = "[width, height] in cells";
            let parts = node.array(what, 1000)?;
            let [width, height] = &parts[..] else {
                let wrong = format!("has {}, not 2", plural(parts.len() as u64, "number"));
                node.bad_value(&wrong, what);
                return None;
            };
            let width = width.whole("a width in cells", [1, 16_384])? as u32;
            let height = height.whole("a height in cells", [1, 16_384])? as u32;
            MapSource::Open { width, height }
        }
    };
    let [width, height] = match &source {
        MapSource::Open { width, height } => [*width, *height],
        MapSource::Rows { .. } if hexagons.is_some() => [1, 1],
        MapSource::Rows { rows } => [rows[0].len() as u32, rows.len() as u32],
        MapSource::File { .. } | MapSource::Generate(_) => [1, 1],
    };
    if let Err(error) = limits::check_size(width, height, cell) {
        let expected = "sides of at most 16,384 cells and 16,384 m, 67,108,864 cells in all";
        node.problem(error.to_string(), expected);
        return None;
    }
    Some((source, node.at))
}

/// What the letters mean: the usual, changed by `cost`.
fn legend(table: &Table<'_>) -> Legend {
    let mut legend = Legend::default();
    let Some(node) = table.get("cost") else { return legend };
    for (letter, slowness, _) in letter_costs(&node) {
        legend.set(char::from(letter), slowness).expect("the letter is printable");
    }
    legend
}

fn painted(node: &Node<'_>, terrain: bool) -> Option<PaintDef> {
    let other: &[&str] = if terrain { &["cost"] } else { &[] };
    let (shape, table) = shape_in(node, other)?;
    let cost = match table.get("cost") {
        Some(cost) => cost.number(&COST)?,
        None if terrain => {
            table.missing("cost", "the cost of this ground, as in 2.0");
            return None;
        }
        None => 0.0,
    };
    Some(PaintDef { shape, slowness: slowness(cost), at: table.at })
}

/// The rows of a drawn map, all of one length and of known letters.
fn rows(node: &Node<'_>, legend: &Legend) -> Option<Vec<String>> {
    let what = "rows of map letters, as in \"\"\"\n....\n.@@.\n\"\"\"";
    let text = node.text("rows of map letters")?;
    let rows: Vec<&str> = text.trim_matches(['\n', '\r']).lines().map(str::trim_end).collect();
    let width = rows.first().map_or(0, |row| row.len());
    if width == 0 {
        node.bad_value("has no rows", what.replace('\n', "\\n"));
        return None;
    }
    for (y, row) in rows.iter().enumerate() {
        let known = |letter: u8| legend.get(letter).is_some();
        if let Some((x, letter)) =
            row.char_indices().find(|&(_, c)| !u8::try_from(c).is_ok_and(known))
        {
            let place = row_place(node, y, x..x + letter.len_utf8());
            let wrong = format!("row {y}, column {x}: `{letter}` is not a letter of the map");
            let expected = "`.`, `G`, `S` to walk on, `@`, `O`, `T`, `W` for walls, or a letter \
                            that `cost` names";
            node.problems.problem(&place, wrong, expected);
            return None;
        }
        if row.len() != width {
            let place = row_place(node, y, 0..row.len());
            let wrong =
                format!("row {y} has {} and row 0 has {width}", plural(row.len() as u64, "cell"));
            node.problems.problem(&place, wrong, "rows of one length");
            return None;
        }
    }
    Some(rows.into_iter().map(str::to_owned).collect())
}

/// Where part of a row is written. A text with escapes is pointed at as a whole.
fn row_place(node: &Node<'_>, row: usize, part: std::ops::Range<usize>) -> Place {
    let written = node.written();
    let inner = written.trim_start_matches(['"', '\'']);
    let start = inner.len() - inner.trim_start_matches(['\n', '\r']).len();
    let start = written.len() - inner.len() + start;
    let mut lines = written[start..].split_inclusive('\n');
    let before: usize = lines.by_ref().take(row).map(str::len).sum();
    let span = node.at.span.start + start + before;
    if written.contains('\\') || lines.next().is_none_or(|line| line.len() < part.end) {
        return node.at.clone();
    }
    Place { span: span + part.start..span + part.end, key: node.at.key.clone() }
}
