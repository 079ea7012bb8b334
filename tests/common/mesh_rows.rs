//! Meshes with queries and the lengths of their shortest ways: meshes of the data folder, and rooms.

use super::data;
use super::mesh_ground::of_boxes;
use super::terrain::Random;
use std::fs;
use std::path::{Path, PathBuf};
use throng::graph::mesh::{ExactSearch, Locator, Mesh, MeshPath};

/// A query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) start: [f64; 2],
    pub(crate) goal: [f64; 2],
    /// Of the shortest way.
    pub(crate) length: f64,
}

/// A mesh and its queries.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
    pub(crate) rows: Vec<Row>,
}

pub(crate) fn mesh(path: &Path) -> Mesh {
    let bytes = fs::read(path).expect("a mesh file");
    Mesh::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Queries of a table whose last five columns are start, goal and length; lines that start with #
/// and shorter ones are left out.
pub(crate) fn queries(path: &Path) -> Vec<Row> {
    let text = fs::read_to_string(path).expect("a table");
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<f64> =
            line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        if let [.., x, y, to_x, to_y, length] = words[..] {
            rows.push(Row { start: [x, y], goal: [to_x, to_y], length });
        }
    }
    assert!(!rows.is_empty(), "no queries in {}", path.display());
    rows
}

/// The folder of meshes, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(data::folder()?.join("polyanya"))
}

/// Meshes of game maps with the queries of the benchmarks, from cell centre to cell centre.
pub(crate) fn games() -> Vec<Case> {
    let Some(folder) = folder().map(|folder| folder.join("mesh")) else { return Vec::new() };
    let mut cases = Vec::new();
    for path in data::files(&folder, "tsv") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".euclid.tsv").expect("a table of lengths").to_owned();
        for (ending, says) in [("merged", ""), ("cdt", ", triangles")] {
            let file = folder.join(format!("{name}-{ending}.mesh"));
            if file.exists() {
                let name = format!("{name}{says}");
                cases.push(Case { name, mesh: mesh(&file), rows: queries(&path) });
            }
        }
    }
    cases
}

/// A sample of at most `most` of the queries, evenly spread, unless everything is to be tried.
pub(crate) fn sampled(mut cases: Vec<Case>, most: usize) -> Vec<Case> {
    if !data::all() {
        for case in &mut cases {
            let every = case.rows.len().div_ceil(most);
            case.rows = case.rows.iter().copied().step_by(every).collect();
        }
    }
    cases
}

/// Square rooms with doors to their neighbours, three of four walls having one.
pub(crate) fn rooms(side: i32, queries: usize) -> Case {
    let mut random = Random(7);
    let mut boxes = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let (left, top) = (20 * x, 20 * y);
            boxes.push([left, top, left + 19, top + 19]);
            let door = 2 + random.below(12) as i32;
            if x + 1 < side && random.below(4) > 0 {
                boxes.push([left + 19, top + door, left + 20, top + door + 3]);
            }
            if y + 1 < side && random.below(4) > 0 {
                boxes.push([left + door, top + 19, left + door + 3, top + 20]);
            }
        }
    }
    let mesh = of_boxes(&boxes);
    let locator = Locator::new(&mesh);
    let (mut search, mut path) = (ExactSearch::default(), MeshPath::default());
    let mut rows = Vec::new();
    while rows.len() < queries {
        let mut place = || {
            let mut axis = || f64::from(random.below(20 * side as u32)) + 0.5;
            [axis(), axis()]
        };
        let (start, goal) = (place(), place());
        if search.find(&mesh, &locator, start, goal, &mut path) {
            rows.push(Row { start, goal, length: path.length });
        }
    }
    Case { name: format!("{side} x {side} rooms"), mesh, rows }
}
