//! Waypoints: everything is covered and joined, and the table gives what Dijkstra finds.

use crate::common::terrain::Random;
use crate::common::{data, oracle, terrain};
use crate::hierarchy::portals::medium;
use proptest::prelude::*;
use rayon::prelude::*;
use throng::graph::Search;
use throng::graph::waypoints::{WaypointError, WaypointOptions, Waypoints};
use throng::map::{Clearance, Map};

/// Maps of dense noise need thousands of nodes; they are left out.
const FEW: WaypointOptions = WaypointOptions { reach: 48, most: 400 };

fn place(map: &Map, class: &Clearance, options: WaypointOptions) -> Option<Waypoints> {
    match Waypoints::new(map, class, options) {
        Ok(waypoints) => Some(waypoints),
        Err(error) => {
            assert!(matches!(error, WaypointError::TooMany { .. }), "{error}");
            None
        }
    }
}

/// Whether two cells see each other, by the textbook.
fn sees(class: &Clearance, a: u32, b: u32) -> bool {
    let stride = i64::from(class.stride());
    let at = |cell: u32| (i64::from(cell) % stride, i64::from(cell) / stride);
    let opaque = |x: i64, y: i64| class.slowness()[(y * stride + x) as usize] == 0;
    oracle::sees(at(a), at(b), opaque)
}

fn distance(class: &Clearance, a: u32, b: u32) -> f64 {
    let (x, y) = (
        f64::from(a % class.stride()) - f64::from(b % class.stride()),
        f64::from(a / class.stride()) - f64::from(b / class.stride()),
    );
    (x * x + y * y).sqrt()
}

/// Every cell's node is in sight and in reach, no other one that it sees is nearer, and what the
/// ground joins the graph joins.
fn check_cover(class: &Clearance, waypoints: &Waypoints, reach: u32) {
    let mut search = Search::default();
    let cells = waypoints.cells();
    for cell in 0..class.slowness().len() as u32 {
        let node = waypoints.nearest(cell);
        assert_eq!(node.is_some(), class.passable(cell), "cell {cell}");
        let Some(node) = node else { continue };
        let own = distance(class, cell, cells[node as usize]);
        assert!(own <= f64::from(reach) && sees(class, cell, cells[node as usize]));
        if cell % 7 == 0 {
            let nearer = |&&other: &&u32| distance(class, cell, other) < own - 1e-9;
            assert!(!cells.iter().filter(nearer).any(|&other| sees(class, cell, other)));
        }
    }
    for (node, &cell) in (0..).zip(cells) {
        search.find(waypoints.graph(), &[(node, 0)], |_| false, |_| 0);
        for (other, &at) in (0..).zip(cells) {
            assert_eq!(search.cost(other).is_some(), class.same_component(cell, at));
        }
    }
}

proptest! {
    #![proptest_config(crate::common::cases(40))]

    #[test]
    fn every_cell_is_covered_and_joined(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class([0.4, 0.9][random.below(2) as usize]);
        let options = WaypointOptions { reach: 4 + random.below(60), ..FEW };
        if let Some(waypoints) = place(&map, &class, options) {
            check_cover(&class, &waypoints, options.reach);
        }
    }

    #[test]
    fn the_table_is_what_dijkstra_finds(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class(0.4);
        let Some(waypoints) = place(&map, &class, FEW) else { return Ok(()) };
        let mut search = Search::default();
        for _ in 0..30 {
            if waypoints.node_count() == 0 {
                break;
            }
            let (a, b) = (random.below(waypoints.node_count()), random.below(waypoints.node_count()));
            let found = search.find(waypoints.graph(), &[(a, 0)], |node| node == b, |_| 0);
            let (mut at, mut cost, mut steps) = (a, 0, 0);
            while let Some(next) = waypoints.next(at, b) {
                let edge = waypoints.graph().edges(at).iter().find(|edge| edge.0 == next).unwrap();
                let cells = waypoints.cells();
                let length = distance(&class, cells[at as usize], cells[next as usize]);
                prop_assert!((length * 256.0 - f64::from(edge.1)).abs() <= 0.5);
                (at, cost, steps) = (next, cost + edge.1, steps + 1);
                prop_assert!(steps <= waypoints.node_count());
            }
            prop_assert_eq!(at == b, found.is_some());
            prop_assert_eq!(cost, found.map_or(0, |found| found.cost));
        }
    }

    #[test]
    fn routes_are_straight_lines_in_sight(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = medium(&mut random);
        let class = map.class(0.4);
        let Some(waypoints) = place(&map, &class, FEW) else { return Ok(()) };
        let mut path = Vec::new();
        for _ in 0..20 {
            let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000));
            let (Some(from), Some(to)) = (cell(), cell()) else { return Ok(()) };
            let length = waypoints.route(&class, from, to, &mut path);
            prop_assert_eq!(length.is_some(), class.same_component(from, to));
            let Some(length) = length else { continue };
            prop_assert_eq!((path[0], *path.last().unwrap()), (from, to));
            prop_assert!(path.windows(2).all(|pair| sees(&class, pair[0], pair[1])));
            let sum: f64 = path.windows(2).map(|pair| distance(&class, pair[0], pair[1])).sum();
            prop_assert!((sum * 256.0 - f64::from(length)).abs() <= path.len() as f64);
        }
    }
}

#[test]
fn a_map_that_needs_too_many_is_refused() {
    let map = terrain::noise(200, 30, 1);
    let class = map.class(0.4);
    let options = WaypointOptions { reach: 20, most: 50 };
    let refused = Waypoints::new(&map, &class, options);
    let cells = class.slowness().iter().filter(|&&s| s != 0).count() as u32;
    assert_eq!(refused, Err(WaypointError::TooMany { cells, most: 50, reach: 20 }));
    let bad = WaypointOptions { reach: 0, most: 50 };
    assert_eq!(
        Waypoints::new(&map, &class, bad),
        Err(WaypointError::Options { reach: 0, most: 50 })
    );
    let bad = WaypointOptions { reach: 9, most: 4097 };
    assert!(Waypoints::new(&map, &class, bad).unwrap_err().to_string().contains("4097 nodes"));
}

#[test]
fn ratios_on_benchmark_maps() {
    let Some(folder) = data::folder() else { return };
    let every = if data::all() { 1 } else { 8 };
    let maps: Vec<_> = data::maps(&folder).into_iter().step_by(every).collect();
    let of_map = |path: &std::path::PathBuf| {
        let map = data::read_map(path);
        let class = map.class(0.4);
        let waypoints = match Waypoints::new(&map, &class, WaypointOptions::default()) {
            Ok(waypoints) => waypoints,
            Err(WaypointError::TooMany { .. }) => return (0, Vec::new()),
            Err(error) => panic!("{error}"),
        };
        let mut random = Random(map.hash());
        let mut ratios = Vec::new();
        let goal = terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
        let best = oracle::Cheapest::to(&class, goal);
        let mut way = Vec::new();
        for _ in 0..20 {
            let start = terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
            let Some(best) = best.length(start).filter(|&length| length > 20.0) else { continue };
            let length = waypoints.route(&class, start, goal, &mut way).expect("one component");
            ratios.push(f64::from(length) / 256.0 / best);
        }
        (waypoints.node_count(), ratios)
    };
    let found: Vec<(u32, Vec<f64>)> = maps.par_iter().map(of_map).collect();
    let refused = found.iter().filter(|map| map.0 == 0).count();
    let ratios: Vec<f64> = found.iter().flat_map(|map| map.1.iter().copied()).collect();
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let nodes = found.iter().map(|map| map.0).max().unwrap_or(0);
    eprintln!(
        "{} maps, {refused} refused, up to {nodes} nodes; {} ways, to the octile optimum mean \
         {mean:.4} max {most:.4}",
        found.len(),
        ratios.len()
    );
    assert!(ratios.len() > 50 && mean < 1.06 && refused * 4 < found.len(), "{mean} {refused}");
}
