//! Polyanya's mesh files, version 2 (Cui, Harabor and Grastien, IJCAI 2017).
//!
//! ```text
//! mesh
//! 2
//! 4 2
//! 0 0 2 0 -1
//! 2 0 3 0 -1 1
//! 2 2 2 1 -1
//! 0 2 3 0 1 -1
//! 3 0 1 3 -1 -1 1
//! 3 1 2 3 0 -1 -1
//! ```
//!
//! The third line counts points and polygons. A point has x, y and the polygons around it, counted
//! and counter-clockwise, -1 for a wall. A polygon has its corners, counted and counter-clockwise,
//! and as many neighbours: the first is across the edge from the last corner to the first, the next
//! one across the edge that the first corner starts, and so on; -1 for a wall. Spaces and line ends
//! are alike.
//!
//! Limits: coordinates up to [`REACH`], as many points and polygons as the file is long enough for.
//! The polygons around a point are read as a set: it has to be the set of those that have the point
//! as a corner.

use crate::data::glimpse;
use crate::data::sets;
use crate::graph::NONE;
use crate::graph::mesh::{Mesh, MeshError, after, before};
use crate::graph::rows::Rows;
use crate::math::plane::{cross, dot, minus};
use std::cmp::Ordering;
use std::fmt::Write;

/// Most bytes of a file that is read as a mesh: 64 MiB.
pub const MAX_FILE: u64 = 64 << 20;

/// The largest coordinate of a mesh file, either way.
pub const REACH: f64 = 1_000_000.0;

/// Why a mesh file was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFileError {
    /// The file ends too early.
    #[error("line {line}: the file ends where {what} is expected")]
    End {
        /// Line, from 1.
        line: u32,
        /// What is missing.
        what: &'static str,
    },
    /// Something else stands where a value is expected.
    #[error("line {line}: `{found}` is no good as {what}")]
    Value {
        /// Line, from 1.
        line: u32,
        /// What is expected.
        what: &'static str,
        /// What stands there: a number, or the first character of something else.
        found: String,
    },
    /// A number of a point or a polygon that there is not, or a count that the file cannot hold.
    #[error("line {line}: {found} is too large for {what}; the largest is {largest}")]
    TooLarge {
        /// Line, from 1.
        line: u32,
        /// What the number is.
        what: &'static str,
        /// The number.
        found: u64,
        /// The largest that would do.
        largest: u64,
    },
    /// There is more after the last polygon.
    #[error("line {line}: `{found}` after the last polygon")]
    More {
        /// Line, from 1.
        line: u32,
        /// What stands there: a number, or the first character of something else.
        found: String,
    },
    /// The polygons listed around a point are not those that have it as a corner.
    #[error(
        "line {line}: point {point} does not list the polygons it is a corner of: {expected:?}"
    )]
    Around {
        /// Line of the point, from 1.
        line: u32,
        /// The point.
        point: u32,
        /// Polygons that have it as a corner.
        expected: Vec<u32>,
    },
    /// The polygons do not make a mesh.
    #[error("line {line}: {error}")]
    Mesh {
        /// Line of the polygon, from 1.
        line: u32,
        /// What is wrong.
        error: MeshError,
    },
}

/// Words of a file, with their lines.
struct Words<'a> {
    rest: &'a [u8],
    line: u32,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        while let [byte, rest @ ..] = self.rest
            && byte.is_ascii_whitespace()
        {
            self.line += u32::from(*byte == b'\n');
            self.rest = rest;
        }
        let length = self.rest.iter().position(u8::is_ascii_whitespace);
        let (word, rest) = self.rest.split_at(length.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn word(&mut self, what: &'static str) -> Result<&'a [u8], MeshFileError> {
        let line = self.line;
        self.next().ok_or(MeshFileError::End { line, what })
    }

    fn refuse(&self, what: &'static str, word: &[u8]) -> MeshFileError {
        MeshFileError::Value { line: self.line, what, found: glimpse(word) }
    }

    fn exactly(&mut self, what: &'static str, expected: &str) -> Result<(), MeshFileError> {
        let word = self.word(what)?;
        if word == expected.as_bytes() { Ok(()) } else { Err(self.refuse(what, word)) }
    }

    fn coordinate(&mut self, what: &'static str) -> Result<f64, MeshFileError> {
        let word = self.word(what)?;
        let number = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
        // Adding 0 makes -0 a 0.
        let number = number.filter(|number| number.abs() <= REACH).map(|number| number + 0.0);
        number.ok_or_else(|| self.refuse(what, word))
    }

    /// A whole number up to `largest`.
    fn whole(&mut self, what: &'static str, largest: u64) -> Result<u32, MeshFileError> {
        let word = self.word(what)?;
        let number = std::str::from_utf8(word).ok().and_then(|text| text.parse::<u64>().ok());
        let Some(found) = number else { return Err(self.refuse(what, word)) };
        if found > largest {
            return Err(MeshFileError::TooLarge { line: self.line, what, found, largest });
        }
        Ok(found as u32)
    }

    /// A polygon's number, or [`NONE`] for -1.
    fn neighbour(&mut self, what: &'static str, polygons: u32) -> Result<u32, MeshFileError> {
        let mut ahead = Words { rest: self.rest, line: self.line };
        if ahead.next() == Some(b"-1") {
            *self = ahead;
            return Ok(NONE);
        }
        self.whole(what, u64::from(polygons) - 1)
    }

    /// How many things of so many bytes at least the rest of the file can hold.
    fn room(&self, bytes: usize) -> u64 {
        ((self.rest.len() + 1) / bytes).min(NONE as usize - 1) as u64
    }
}

/// What a file says about its points.
struct Points {
    places: Vec<[f64; 2]>,
    lines: Vec<u32>,
    /// Where the list of every point ends.
    ends: Vec<usize>,
    around: Vec<u32>,
}

impl Mesh {
    /// The mesh of a file.
    ///
    /// # Errors
    /// A [`MeshFileError`] with the line and the value: when the file is not of the format, when a
    /// polygon is not convex and counter-clockwise, when two polygons disagree on being neighbours.
    pub fn parse(bytes: &[u8]) -> Result<Self, MeshFileError> {
        let mut words = Words { rest: bytes, line: 1 };
        words.exactly("the header \"mesh\"", "mesh")?;
        words.exactly("the version 2", "2")?;
        // A point takes six bytes and a space, a polygon of three corners as many as 14.
        let count = words.whole("the number of points", words.room(6))?;
        let polygons = words.whole("the number of polygons", words.room(14))?;
        let points = read_points(&mut words, count, polygons)?;
        let (mut corners, mut across) = (Rows::default(), Vec::new());
        let mut lines = Vec::new();
        for _ in 0..polygons {
            let sides = words.whole("a number of corners", words.room(2))?;
            lines.push(words.line);
            for _ in 0..sides {
                if count == 0 {
                    return Err(words.refuse("a corner, as there are no points", b"a polygon"));
                }
                corners.push(words.whole("a point's number", u64::from(count) - 1)?);
            }
            // A neighbour is across the edge that ends at its corner: ours is the next one's.
            let start = across.len();
            for _ in 0..sides {
                across.push(words.neighbour("a polygon's number", polygons)?);
            }
            across[start..].rotate_left(1.min(sides as usize));
            corners.end_row();
        }
        if let Some(word) = words.next() {
            return Err(MeshFileError::More { line: words.line, found: glimpse(word) });
        }
        let mesh = Self::with_neighbours(points.places, corners, across);
        mesh.check().map_err(|error| {
            let (MeshError::Corners { polygon, .. }
            | MeshError::Convex { polygon, .. }
            | MeshError::Round { polygon }
            | MeshError::Neighbour { polygon, .. }) = error;
            MeshFileError::Mesh { line: lines[polygon as usize], error }
        })?;
        mesh.check_around(&points.lines, &points.ends, &points.around)?;
        Ok(mesh)
    }

    fn check_around(
        &self,
        lines: &[u32],
        ends: &[usize],
        around: &[u32],
    ) -> Result<(), MeshFileError> {
        let mut expected = vec![Vec::new(); self.points.len()];
        for polygon in 0..self.polygon_count() {
            for &point in self.corners(polygon) {
                expected[point as usize].push(polygon);
            }
        }
        let mut start = 0;
        for (point, expected) in (0_u32..).zip(expected) {
            let end = ends[point as usize];
            let listed = around[start..end].iter().copied().filter(|&polygon| polygon != NONE);
            let listed = sets::distinct(listed);
            if listed != expected {
                let line = lines[point as usize];
                return Err(MeshFileError::Around { line, point, expected });
            }
            start = end;
        }
        Ok(())
    }

    /// The mesh as a file. Reading it again gives an equal mesh, and writing that one the same
    /// bytes: coordinates have as few digits as name the number, the polygons around a point start
    /// with the first one, of walls beside each other one is listed.
    pub fn to_file(&self) -> String {
        let around = self.around();
        let mut text = String::from("mesh\n2\n");
        let mut add = |line: std::fmt::Arguments| text.write_fmt(line).expect("memory to write to");
        add(format_args!("{} {}\n", self.points.len(), self.polygon_count()));
        for ([x, y], around) in self.points.iter().zip(around) {
            add(format_args!("{x} {y} {}", around.len()));
            around.iter().for_each(|&polygon| add(format_args!(" {}", signed(polygon))));
            add(format_args!("\n"));
        }
        for polygon in 0..self.polygon_count() {
            let (corners, across) = (self.corners(polygon), self.across(polygon));
            add(format_args!("{}", corners.len()));
            corners.iter().for_each(|&corner| add(format_args!(" {corner}")));
            for i in 0..across.len() {
                let other = across[(i + across.len() - 1) % across.len()];
                add(format_args!(" {}", signed(other)));
            }
            add(format_args!("\n"));
        }
        text
    }

    /// The polygons around every point, counter-clockwise, a [`NONE`] for each wall between.
    fn around(&self) -> Vec<Vec<u32>> {
        let mut leaving = vec![Vec::new(); self.points.len()];
        for polygon in 0..self.polygon_count() {
            for edge in self.edges(polygon) {
                leaving[self.corners[edge] as usize].push((polygon, edge as u32));
            }
        }
        leaving.into_iter().enumerate().map(|(point, edges)| self.fan(point, edges)).collect()
    }

    /// The polygons around a point, given by the edges that start there.
    fn fan(&self, point: usize, mut edges: Vec<(u32, u32)>) -> Vec<u32> {
        let at = self.points[point];
        let along = |&(polygon, edge): &(u32, u32)| {
            minus(self.places[after(edge as usize, &self.edges(polygon))], at)
        };
        edges.sort_by(|a, b| turn_order(along(a), along(b)).then(a.cmp(b)));
        let mut around = Vec::new();
        for (i, &(polygon, edge)) in edges.iter().enumerate() {
            around.push(polygon);
            // The edge of this polygon that ends here, and the one that starts the next.
            let before = before(edge as usize, &self.edges(polygon));
            if self.twins[before] != edges[(i + 1) % edges.len()].1 {
                around.push(NONE);
            }
        }
        let lowest = around.iter().copied().min().unwrap_or(NONE);
        let start = around.iter().position(|&polygon| polygon == lowest).unwrap_or(0);
        around.rotate_left(start);
        around
    }
}

fn signed(polygon: u32) -> i64 {
    if polygon == NONE { -1 } else { i64::from(polygon) }
}

/// The order of directions counter-clockwise from that of x.
fn turn_order(a: [f64; 2], b: [f64; 2]) -> Ordering {
    let lower = |d: [f64; 2]| d[1] < 0.0 || d[1] == 0.0 && d[0] < 0.0;
    let turn = cross(a, b);
    let across = if turn > 0.0 {
        Ordering::Less
    } else if turn < 0.0 {
        Ordering::Greater
    } else {
        dot(b, b).total_cmp(&dot(a, a))
    };
    lower(a).cmp(&lower(b)).then(across)
}

fn read_points(words: &mut Words, count: u32, polygons: u32) -> Result<Points, MeshFileError> {
    let mut points =
        Points { places: Vec::new(), lines: Vec::new(), ends: Vec::new(), around: Vec::new() };
    for _ in 0..count {
        let (x, y) = (words.coordinate("x")?, words.coordinate("y")?);
        points.places.push([x, y]);
        points.lines.push(words.line);
        let around = words.whole("a number of polygons around a point", words.room(2))?;
        for _ in 0..around {
            let what = "the number of a polygon around a point";
            if polygons == 0 {
                let none = words.word(what)?;
                if none != b"-1" {
                    return Err(words.refuse(what, none));
                }
                continue;
            }
            points.around.push(words.neighbour(what, polygons)?);
        }
        points.ends.push(points.around.len());
    }
    Ok(points)
}
