//! How much longer than the any-angle optimum ways are, on benchmark maps.

use crate::common::data;
use crate::networks::oracle;
use std::fs;
use std::path::Path;
use throng::graph::network::{
    Corners, FloodFill, Method, Network, Outcome, Placement, Query, Scratch, Sizes, Trip, Walls,
};
use throng::map::Map;

/// The optimum is a point's; agents keep this far from walls.
const RADIUS: f64 = 0.1;

/// Start, goal and shortest length of about so many rows, evenly spread.
fn rows(folder: &Path, name: &str, count: usize) -> Vec<([f64; 2], [f64; 2], f64)> {
    let path = folder.join("polyanya/mesh").join(format!("{name}.euclid.tsv"));
    let text = fs::read_to_string(&path).expect("shortest lengths");
    let lines = text.lines().filter(|line| !line.starts_with(['#', 's']));
    let row = |line: &str| {
        let words: Vec<f64> = line.split('\t').map(|word| word.parse().expect("number")).collect();
        ([words[0], words[1]], [words[2], words[3]], words[4])
    };
    let rows: Vec<_> = lines.map(row).filter(|row| row.2 >= 10.0).collect();
    assert!(rows.len() > 20, "{}", path.display());
    let every = rows.len().div_ceil(count);
    rows.into_iter().step_by(every).collect()
}

fn map(folder: &Path, name: &str) -> Map {
    let file = format!("{name}.map");
    let maps = data::maps(folder);
    let path = maps.iter().find(|path| path.ends_with(&file)).expect("the map of the lengths");
    data::read_map(path)
}

/// Mean and greatest ratio over rows.
fn ratios(network: &Network, map: &Map, rows: &[([f64; 2], [f64; 2], f64)]) -> [f64; 2] {
    let walls = Walls::new(map);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let (mut sum, mut most, mut count) = (0.0, 0.0, 0.0);
    for &(from, to, shortest) in rows {
        let trip = Trip { from, to, radius: RADIUS };
        let outcome = network.route(&walls, &trip, &Query::default(), &mut scratch, &mut path);
        let Outcome::Found { length, .. } = outcome else {
            panic!("{from:?} to {to:?}: {outcome:?}");
        };
        assert!((length - oracle::length(&path)).abs() < 1e-6);
        let ratio = length / shortest;
        assert!(ratio >= 1.0 - 1e-6, "{from:?} to {to:?}: {length} is below {shortest}");
        sum += ratio;
        most = f64::max(most, ratio);
        count += 1.0;
    }
    [sum / count, most]
}

#[test]
fn ways_are_nearly_as_short_as_any() {
    let Some(folder) = data::folder() else { return };
    let count = if data::all() { usize::MAX } else { 60 };
    let sizes = Sizes { radius: RADIUS, cap: 2.0 };
    let corners = Corners { margin: 0.02, ..Corners::default() };
    for name in NAMES {
        let map = map(&folder, name);
        let class = map.class(RADIUS);
        let rows = rows(&folder, name, count);
        for (method, mean, most) in [
            (Method::Corners(corners), 1.01, 1.12),
            (Method::FloodFill(FloodFill::every(6.0)), 1.03, 1.1),
        ] {
            let network = Network::for_class(&map, &class, &Placement { sizes, method });
            let found = ratios(&network, &map, &rows);
            eprintln!(
                "{name}, {method:?}: {} nodes, {} edges, {} rows, ratio mean {:.4}, most {:.4}",
                network.points().len(),
                network.edges().len(),
                rows.len(),
                found[0],
                found[1]
            );
            assert!(found[0] <= mean && found[1] <= most, "{name}: {found:?}");
        }
    }
}

const NAMES: [&str; 4] = ["arena2", "den312d", "AR0012SR", "AcrosstheCape"];
