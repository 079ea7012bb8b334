//! Benchmark maps of movingai.com, found by the environment variable `THRONG_DATA`.

use std::fs;
use std::path::{Path, PathBuf};
use throng::map::{Legend, Map};

/// The data folder; says so when there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("THRONG_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: THRONG_DATA is not set");
    }
    folder
}

/// Whether everything is to be tried, not a sample.
pub(crate) fn all() -> bool {
    std::env::var_os("THRONG_ALL").is_some_and(|value| value == "1")
}

/// All `.map` files of the data folder, in order.
pub(crate) fn maps(folder: &Path) -> Vec<PathBuf> {
    files(&folder.join("movingai"), "map")
}

/// All files below a folder whose name ends so, in order.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a data folder") {
            let path = entry.expect("a folder entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no .{ending} below {}", folder.display());
    found
}

pub(crate) fn read_map(path: &Path) -> Map {
    let bytes = fs::read(path).expect("a map file");
    Map::parse_movingai(&bytes, &Legend::default(), 1.0).expect("a good map")
}

/// A row of a scenario file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) start: (u32, u32),
    pub(crate) goal: (u32, u32),
    pub(crate) length: f64,
    /// How far a length may be from the printed one.
    pub(crate) tolerance: f64,
}

/// Rows of a `.scen` file, and the file name of its map.
pub(crate) fn scenario(path: &Path) -> (String, Vec<Row>) {
    let text = fs::read_to_string(path).expect("a scenario file");
    let mut lines = text.lines();
    let precise = lines.next().expect("a version") == "version 1.0";
    let mut map = String::new();
    let mut rows = Vec::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |i: usize| words[i].parse::<u32>().expect("a number");
        map = words[1].rsplit('/').next().expect("a name").to_owned();
        let length: f64 = words[8].parse().expect("a length");
        let decimals = words[8].split('.').nth(1).map_or(0, str::len);
        let tolerance = match (precise, length < 1000.0) {
            _ if decimals >= 7 => 1e-4,
            (false, true) => 0.0006,
            _ => 0.006,
        };
        let (start, goal) = ((number(4), number(5)), (number(6), number(7)));
        rows.push(Row { start, goal, length, tolerance });
    }
    (map, rows)
}
