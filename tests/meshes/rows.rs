//! Meshes of the data folder, with queries and the lengths of their shortest ways.

use crate::data;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use throng::graph::mesh::Mesh;

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

/// Numbers of a table, a row a line; lines that start with # are left out.
fn numbers(path: &Path) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(path).expect("a table");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let words = |line: &str| {
        line.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<f64>>()
    };
    lines.map(words).filter(|row| row.len() >= 5).collect()
}

/// Queries of a table whose last five columns are start, goal and length.
pub(crate) fn queries(path: &Path) -> Vec<Row> {
    let row = |words: Vec<f64>| {
        let [x, y, to_x, to_y, length] = words[words.len() - 5..] else { unreachable!() };
        Row { start: [x, y], goal: [to_x, to_y], length }
    };
    numbers(path).into_iter().map(row).collect()
}

/// Meshes of game maps with the queries of the benchmarks, from cell centre to cell centre.
pub(crate) fn games() -> Vec<Case> {
    let Some(folder) = data::folder() else { return Vec::new() };
    let folder = folder.join("polyanya/mesh");
    let mut cases = Vec::new();
    for path in data::files(&folder, "tsv") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".euclid.tsv").expect("a table of lengths").to_owned();
        let case = |mesh: PathBuf, name: String| Case { name, mesh: self::mesh(&mesh), rows: queries(&path) };
        cases.push(case(folder.join(format!("{name}-merged.mesh")), name.clone()));
        let triangles = folder.join(format!("{name}-cdt.mesh"));
        if triangles.exists() {
            cases.push(case(triangles, format!("{name}, triangles")));
        }
    }
    assert!(!cases.is_empty(), "no meshes below {}", folder.display());
    cases
}

pub(crate) fn rooms(_side: u32, _queries: usize) -> Case { todo!() }
