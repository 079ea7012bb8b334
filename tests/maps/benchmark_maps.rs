//! Path lengths on the benchmark maps: walkers on eikonal fields.

use crate::common::data;
use crate::common::data::Row;
use crate::common::terrain::Random;
use crate::common::walker::{Bumps, Walk, Walker};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use throng::map::Map;
use throng::nav::field::{GoalCells, solve};

/// Rows by goal, so that one field serves all of them.
fn by_goal(rows: impl Iterator<Item = Row>) -> Vec<((u32, u32), Vec<Row>)> {
    let mut groups = BTreeMap::<_, Vec<Row>>::new();
    for row in rows {
        groups.entry(row.goal).or_default().push(row);
    }
    groups.into_iter().collect()
}

/// Map and rows of a scenario file, without the rows in water and trees.
fn scenario(path: &Path) -> (Map, Vec<Row>) {
    let (name, mut rows) = data::scenario(path);
    let map = data::read_map(&path.with_file_name(name));
    let walkable = |(x, y): (u32, u32)| {
        matches!(map.letters()[(y * map.width() + x) as usize], b'.' | b'G' | b'S')
    };
    rows.retain(|row| walkable(row.start) && walkable(row.goal));
    (map, rows)
}

/// Rows of a file of Euclidean optima.
fn euclid(path: &Path) -> Vec<Row> {
    let text = fs::read_to_string(path).expect("a file of lengths");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let n: Vec<f64> = line.split_whitespace().map(|w| w.parse().expect("a number")).collect();
        let cell = |i: usize| (n[i] as u32, n[i + 1] as u32);
        Row { start: cell(0), goal: cell(2), length: n[4], tolerance: 0.0 }
    });
    rows.collect()
}

/// Walks of one map.
#[derive(Default)]
struct Walks {
    count: u32,
    found: f64,
    optimal: f64,
    /// Sum of the ratios of length to optimum.
    ratios: f64,
    worst: f64,
    stuck: u32,
    bumps: Bumps,
}

/// Walks all rows; each starts anywhere in its cell, or in its centre.
fn walk_all(map: &Map, rows: &[Row], anywhere: bool) -> Walks {
    let class = map.class(0.0);
    let groups = by_goal(rows.iter().copied());
    let walk_group = |(goal, rows): &((u32, u32), Vec<Row>)| {
        let goals = GoalCells::point(map.index(goal.0, goal.1));
        let field = solve(&class, &goals);
        let bumps = Bumps::default();
        let mut walker = Walker { class: &class, directions: &field.directions, bumps };
        let mut random = Random(u64::from(goal.0) << 32 | u64::from(goal.1));
        let mut place = || if anywhere { f64::from(random.below(1000)) / 1000.0 } else { 0.5 };
        let mut walk = |row: &Row| {
            let start = (f64::from(row.start.0) + place(), f64::from(row.start.1) + place());
            (*row, walker.walk(start, row.goal, 3.0 * row.length + 100.0))
        };
        let walks: Vec<(Row, Walk)> = rows.iter().map(&mut walk).collect();
        (walks, walker.bumps)
    };
    let mut all = Walks::default();
    for (walks, bumps) in groups.par_iter().map(walk_group).collect::<Vec<_>>() {
        all.bumps.slid += bumps.slid;
        all.bumps.own_cell += bumps.own_cell;
        all.bumps.cancelled += bumps.cancelled;
        for (row, walk) in walks {
            all.count += 1;
            match walk {
                Walk::Arrived(length) => {
                    all.found += length;
                    all.optimal += row.length;
                    let ratio = length / row.length;
                    all.ratios += ratio;
                    all.worst = all.worst.max(ratio);
                }
                Walk::Stuck(x, y) => {
                    eprintln!("stuck at {x} {y}: {row:?}");
                    all.stuck += 1;
                }
            }
        }
    }
    all
}

#[test]
fn walkers_arrive_by_short_ways() {
    let Some(folder) = data::folder() else { return };
    let maps = data::maps(&folder);
    let every = if data::all() { 1 } else { 20 };
    for lengths in data::files(&folder.join("polyanya"), "tsv") {
        let name = lengths.file_name().and_then(|name| name.to_str()).unwrap();
        let map_name = name.replace(".euclid.tsv", ".map");
        let is_named = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name == map_name.as_str())
                && !path.to_string_lossy().contains("mapf")
        };
        let path = maps.iter().find(is_named).expect("a map for each file of lengths");
        let map = data::read_map(path);
        let rows: Vec<Row> = euclid(&lengths).into_iter().step_by(every).collect();
        let rows: Vec<Row> = rows.into_iter().filter(|row| row.length > 0.0).collect();
        let walks = walk_all(&map, &rows, false);
        let arrived = f64::from(walks.count - walks.stuck);
        let (sum, mean) = (walks.found / walks.optimal, walks.ratios / arrived);
        eprintln!(
            "{map_name}: {} walks, total {sum:.4}, mean {mean:.4}, worst {:.3}, stuck {}, {:?}",
            walks.count, walks.worst, walks.stuck, walks.bumps
        );
        assert_eq!(walks.stuck, 0, "{map_name}");
        assert!(sum <= 1.05 && mean <= 1.05, "{map_name}");
    }
}

#[test]
fn walkers_arrive_on_every_map() {
    let Some(folder) = data::folder() else { return };
    let files = data::files(&folder.join("movingai"), "scen");
    let count = |path: &PathBuf| {
        let (map, rows) = scenario(path);
        let every = if data::all() { 20 } else { rows.len().div_ceil(8) };
        let rows: Vec<Row> = rows.into_iter().step_by(every).filter(|r| r.length > 0.0).collect();
        let walks = walk_all(&map, &rows, true);
        assert_eq!(walks.stuck, 0, "{}", path.display());
        let ratio = walks.found / walks.optimal;
        assert!(ratio <= 1.02, "{ratio} x the octile length on {}", path.display());
        (walks.count, walks.bumps.own_cell, walks.bumps.cancelled)
    };
    let counts: Vec<_> = files.par_iter().map(count).collect();
    let total = counts.iter().fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    eprintln!(
        "{} walks, {} own cells after a bump, {} cancelled blends",
        total.0, total.1, total.2
    );
}
