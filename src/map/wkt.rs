//! Walkable areas as well-known text: `POLYGON`, `MULTIPOLYGON` and `GEOMETRYCOLLECTION`, as `JuPedSim`
//! has them.
//!
//! A cell is open when its middle lies in a polygon and in none of its holes. The map begins at the
//! least x and y of all corners, rounded down to whole cells: that corner of a cell becomes (0, 0).

use crate::data::number::plural;
use crate::map::{Legend, Map, MapError, limits};
use crate::math::each::Each;

/// Geometries inside each other at most.
const MAX_DEPTH: u32 = 16;

/// Edges that cross rows of cells at most, each counted in each row.
const MAX_CROSSINGS: usize = 1 << 24;

/// x, y in m.
type Point = [f64; 2];

/// A polygon: its outline, then its holes.
type Polygon = Vec<Vec<Point>>;

impl Map {
    /// The map of walkable areas as well-known text; `cell_size` is in metres. Open cells have the letter
    /// `.`, all others `@`.
    ///
    /// # Errors
    /// [`MapError::Wkt`], and the errors of [`Map::from_rows`].
    pub fn parse_wkt(bytes: &[u8], legend: &Legend, cell_size: f64) -> Result<Self, MapError> {
        limits::check_size(1, 1, cell_size)?;
        let polygons = wkt_polygons(bytes)?;
        let [from, to] = corners(&polygons, cell_size);
        let size = [0, 1].each(|k| (to[k] - from[k]).clamp(1.0, 1.0e9) as u32);
        let [width, height] = size;
        limits::check_size(width, height, cell_size)?;
        let mut rows = vec![vec![b'@'; width as usize]; height as usize];
        for polygon in &polygons {
            fill(polygon, from.each(|c| c * cell_size), cell_size, &mut rows)?;
        }
        let text = |row: &Vec<u8>| String::from_utf8_lossy(row).into_owned();
        let rows: Vec<String> = rows.iter().map(text).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Self::from_rows(&rows, legend, cell_size)
    }
}

/// Where the map of walkable areas as well-known text begins: the x and y, in metres, that become (0, 0).
///
/// # Errors
/// [`MapError::Wkt`].
pub fn wkt_origin(bytes: &[u8], cell_size: f64) -> Result<[f64; 2], MapError> {
    let [from, _] = corners(&wkt_polygons(bytes)?, cell_size);
    Ok(from.each(|c| c * cell_size))
}

/// The first and the last corner of all polygons, in cells, rounded outwards; corners a billionth of a
/// cell beyond an edge are on it.
fn corners(polygons: &[Polygon], cell: f64) -> [Point; 2] {
    let points = polygons.iter().flatten().flatten();
    let empty = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    let [from, to] = points.fold(empty, |[from, to], point| {
        [[0, 1].each(|k| from[k].min(point[k])), [0, 1].each(|k| to[k].max(point[k]))]
    });
    [from.each(|c| (c / cell + 1.0e-9).floor()), to.each(|c| (c / cell - 1.0e-9).ceil())]
}

/// Opens the cells whose middle lies inside an odd number of rings.
fn fill(polygon: &Polygon, from: Point, cell: f64, rows: &mut [Vec<u8>]) -> Result<(), MapError> {
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    let mut count = 0;
    for ring in polygon {
        let before = ring.iter().cycle().skip(ring.len().saturating_sub(1));
        for (&a, &b) in before.zip(ring) {
            let [low, high] = if a[1] < b[1] { [a, b] } else { [b, a] };
            let row = |y: f64| ((y - from[1]) / cell - 0.5).ceil().max(0.0) as usize;
            let (first, end) = (row(low[1]), row(high[1]).min(rows.len()));
            count += end.saturating_sub(first);
            if count > MAX_CROSSINGS {
                return Err(wrong([1, 1], "has too many edges for cells of this size"));
            }
            for (at, crossings) in crossings.iter_mut().enumerate().take(end).skip(first) {
                let y = from[1] + (at as f64 + 0.5) * cell;
                let share = (y - low[1]) / (high[1] - low[1]);
                crossings.push(low[0] + (high[0] - low[0]) * share);
            }
        }
    }
    for (row, crossings) in rows.iter_mut().zip(&mut crossings) {
        crossings.sort_unstable_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let [first, end] = [0, 1].each(|k| ((pair[k] - from[0]) / cell - 0.5).ceil().max(0.0));
            let end = (end as usize).min(row.len());
            row[(first as usize).min(end)..end].fill(b'.');
        }
    }
    Ok(())
}

/// All polygons of a file of well-known text, in its metres: of each the outline, then its holes, without
/// the last corner, which is the first.
///
/// # Errors
/// [`MapError::Wkt`], also where no polygon is in it.
pub fn wkt_polygons(bytes: &[u8]) -> Result<Vec<Vec<Vec<[f64; 2]>>>, MapError> {
    let text = std::str::from_utf8(bytes).map_err(|_| wrong([1, 1], "is no text"))?;
    let mut reader = Reader { text, at: 0 };
    let mut polygons = Vec::new();
    reader.geometry(&mut polygons, 0)?;
    if reader.peek().is_some() {
        return Err(reader.wrong("where the file should end"));
    }
    if polygons.is_empty() {
        return Err(wrong([1, 1], "has no polygon"));
    }
    Ok(polygons)
}

fn wrong([line, column]: [u32; 2], wrong: &str) -> MapError {
    MapError::Wkt { line, column, wrong: wrong.to_owned() }
}

/// A text, and how far it has been read.
struct Reader<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Whether a character is the next one; goes over it.
    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += if is_next { wanted.len_utf8() } else { 0 };
        is_next
    }

    fn expect(&mut self, wanted: char) -> Result<(), MapError> {
        if self.takes(wanted) {
            Ok(())
        } else {
            Err(self.wrong(&format!("where `{wanted}` belongs")))
        }
    }

    /// The next word or number; may be empty.
    fn word(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "(),".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// An error about what comes next.
    fn wrong(&mut self, why: &str) -> MapError {
        self.peek();
        let (before, rest) = self.text.split_at(self.at);
        let line = before.matches('\n').count() as u32 + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
        let shown: String = rest.chars().take_while(|c| !c.is_control()).take(20).collect();
        let found = if shown.is_empty() { "the end".to_owned() } else { format!("`{shown}`") };
        MapError::Wkt { line, column, wrong: format!("{found} {why}") }
    }

    /// One geometry and all that is in it.
    fn geometry(&mut self, found: &mut Vec<Polygon>, depth: u32) -> Result<(), MapError> {
        self.peek();
        let start = self.at;
        let name = self.word().to_ascii_uppercase();
        if !["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"].contains(&name.as_str()) {
            self.at = start;
            let why = "where POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION belongs";
            return Err(self.wrong(why));
        }
        if depth >= MAX_DEPTH {
            return Err(self.wrong("inside too many others"));
        }
        let here = self.at;
        if self.word().eq_ignore_ascii_case("EMPTY") {
            return Ok(());
        }
        self.at = here;
        match name.as_str() {
            "POLYGON" => found.push(self.rings()?),
            "MULTIPOLYGON" => self.list(|reader| {
                found.push(reader.rings()?);
                Ok(())
            })?,
            _ => self.list(|reader| reader.geometry(found, depth + 1))?,
        }
        Ok(())
    }

    /// Things in brackets with commas between them.
    fn list(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<(), MapError>,
    ) -> Result<(), MapError> {
        self.expect('(')?;
        one(self)?;
        while self.takes(',') {
            one(self)?;
        }
        self.expect(')')
    }

    fn rings(&mut self) -> Result<Polygon, MapError> {
        let mut rings = Vec::new();
        self.list(|reader| {
            let mut ring: Vec<Point> = Vec::new();
            reader.list(|reader| {
                ring.push([reader.number()?, reader.number()?]);
                Ok(())
            })?;
            if ring.len() < 2 || ring.first() != ring.last() {
                return Err(reader.wrong("behind a ring that does not end where it begins"));
            }
            ring.pop();
            if ring.len() < 3 {
                let corners = plural(ring.len() as u64, "corner");
                return Err(reader.wrong(&format!("behind a ring of {corners}, not 3")));
            }
            rings.push(ring);
            Ok(())
        })?;
        Ok(rings)
    }

    fn number(&mut self) -> Result<f64, MapError> {
        self.peek();
        let start = self.at;
        let number = self.word().parse().ok().filter(|c: &f64| c.abs() <= 1.0e9);
        number.ok_or_else(|| {
            self.at = start;
            self.wrong("where a number belongs")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, cell: f64) -> Vec<String> {
        let map = Map::parse_wkt(text.as_bytes(), &Legend::default(), cell).unwrap();
        let rows = map.letters().chunks(map.width() as usize);
        rows.map(|row| String::from_utf8(row.to_vec()).unwrap()).collect()
    }

    #[test]
    fn polygons_with_holes_and_slants_are_cells() {
        let hole = "POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0), (2 1, 4 1, 4 3, 2 3, 2 1))";
        assert_eq!(drawn(hole, 1.0), ["......", "..@@..", "..@@..", "......"]);
        let slant = "polygon((-4 10, 0 10, -4 14, -4 10))";
        assert_eq!(drawn(slant, 1.0), ["...@", "..@@", ".@@@", "@@@@"]);
        assert_eq!(wkt_origin(slant.as_bytes(), 1.0).unwrap(), [-4.0, 10.0]);
        assert_eq!(wkt_origin(slant.as_bytes(), 3.0).unwrap(), [-6.0, 9.0]);
        // 0.3 is no whole number of tenths, and 2.1 / 0.3 less than 7.
        assert_eq!(drawn("POLYGON ((0.3 0, 2.1 0, 2.1 0.6, 0.3 0.6, 0.3 0))", 0.3), ["......"; 2]);
    }

    #[test]
    fn collections_are_all_of_their_polygons() {
        let several = "GEOMETRYCOLLECTION (GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))),\n \
            MULTIPOLYGON (((2 0, 3 0, 3 1, 2 1, 2 0)), ((0 1, 1 1, 1 2, 0 2, 0 1))), POLYGON EMPTY)";
        assert_eq!(drawn(several, 1.0), [".@.", ".@@"]);
    }

    #[test]
    fn mistakes_are_told_with_their_places() {
        let deep = "GEOMETRYCOLLECTION (".repeat(20);
        let cases = [
            ("", "line 1, column 1: the end where POLYGON"),
            ("POINT (1 1)", "line 1, column 1: `POINT (1 1)` where POLYGON"),
            ("POLYGON ((0 0, 1 0,\n 1 x, 0 0))", "line 2, column 4: `x, 0 0))` where a number"),
            ("POLYGON ((0 0, 1 0, 1 1e99, 0 0))", "`1e99, 0 0))` where a number"),
            ("POLYGON ((0 0, 1 0, 1 1))", "column 25: `)` behind a ring that does not end"),
            ("POLYGON ((0 0 5, 1 0, 1 1, 0 0))", "column 15: `5, 1 0, 1 1, 0 0))` where `)`"),
            ("POLYGON ((0 0, 1 0, 1 1, 0 0)) more", "`more` where the file should end"),
            ("POLYGON EMPTY", "has no polygon"),
            (&deep, "inside too many others"),
            ("POLYGON ((0 0, 1e8 0, 1 1, 0 0))", "16384"),
        ];
        for (text, expected) in cases {
            let error = Map::parse_wkt(text.as_bytes(), &Legend::default(), 1.0).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}\n{expected}");
        }
    }
}
