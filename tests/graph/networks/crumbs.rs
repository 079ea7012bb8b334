//! Breadcrumbs: a walker goes through a maze along the left wall, and then the network knows it.

use crate::common::data;
use crate::common::terrain::Random;
use crate::networks::oracle;
use throng::graph::network::{
    Breadcrumbs, Crumbs, Network, Outcome, Polygons, Query, Scratch, Sizes, Trip, WallFollower,
    Walls, first_blocked,
};
use throng::map::Map;

const RADIUS: f64 = 0.4;

/// A maze without islands: rooms of three cells, walls of one, drawn by a walk that digs.
fn maze(rooms: usize, seed: u64) -> Map {
    let side = 4 * rooms + 1;
    let mut cells = vec![0_u8; side * side];
    let mut dig = |x: usize, y: usize, width: usize, height: usize| {
        for row in y..y + height {
            cells[row * side + x..row * side + x + width].fill(16);
        }
    };
    let mut random = Random(seed);
    let mut seen = vec![false; rooms * rooms];
    let mut stack = vec![0];
    seen[0] = true;
    dig(1, 1, 3, 3);
    while let Some(&room) = stack.last() {
        let (x, y) = (room % rooms, room / rooms);
        let mut ways = Vec::new();
        for (next, good) in [
            (room.wrapping_sub(1), x > 0),
            (room + 1, x + 1 < rooms),
            (room.wrapping_sub(rooms), y > 0),
            (room + rooms, y + 1 < rooms),
        ] {
            if good && !seen[next] {
                ways.push(next);
            }
        }
        if ways.is_empty() {
            stack.pop();
            continue;
        }
        let next = ways[random.below(ways.len() as u32) as usize];
        let (to_x, to_y) = (next % rooms, next / rooms);
        dig(4 * to_x + 1, 4 * to_y + 1, 3, 3);
        let (left, top) = (x.min(to_x), y.min(to_y));
        let (width, height) = if x == to_x { (3, 7) } else { (7, 3) };
        dig(4 * left + 1, 4 * top + 1, width, height);
        seen[next] = true;
        stack.push(next);
    }
    Map::from_slowness(side as u32, side as u32, 1.0, &cells)
}

fn explored(map: &Map, settings: Crumbs, steps: u32) -> (Breadcrumbs, Vec<[f64; 2]>) {
    let walls = Walls::new(map);
    let mut crumbs = Breadcrumbs::new(settings);
    let start = [1.5, 1.5];
    let mut walker = WallFollower::new(start, [0.0, 1.5], RADIUS, 0.5);
    let mut trace = vec![start];
    crumbs.walk(&walls, start);
    for _ in 0..steps {
        let at = walker.step(&walls).expect("room");
        crumbs.walk(&walls, at);
        trace.push(at);
    }
    (crumbs, trace)
}

const SETTINGS: Crumbs =
    Crumbs { radius: RADIUS, range: 12.0, merge: 1.5, degree: 6, most: 10_000 };

/// Asks for 60 ways between positions that were walked; returns how many there are.
fn answers(map: &Map, crumbs: &Breadcrumbs, trace: &[[f64; 2]], seed: u64) -> u32 {
    let walls = Walls::new(map);
    let network = Network::new(crumbs.draft(), &walls, Sizes { radius: RADIUS, cap: 2.0 });
    assert_eq!(network.points().len() as u32, crumbs.node_count());
    for edge in 0..network.edges().len() as u32 {
        assert!(network.open(edge, RADIUS), "edge {edge} leads through a wall");
    }
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let random = &mut Random(seed);
    let mut found = 0;
    for _ in 0..60 {
        let mut any = || trace[random.below(trace.len() as u32) as usize];
        let trip = Trip { from: any(), to: any(), radius: RADIUS };
        let outcome = network.route(&walls, &trip, &Query::default(), &mut scratch, &mut path);
        if let Outcome::Found { length, .. } = outcome {
            assert!((length - oracle::length(&path)).abs() < 1e-9);
            assert_eq!(first_blocked(&walls, RADIUS, &path), None);
            found += 1;
        }
    }
    found
}

#[test]
fn a_maze_that_was_walked_is_known() {
    for seed in 0..3 {
        let map = maze(10, seed);
        let (crumbs, trace) = explored(&map, SETTINGS, 3000);
        // The walk came into every room.
        for room in 0..100 {
            let middle = [4.0 * f64::from(room % 10) + 2.5, 4.0 * f64::from(room / 10) + 2.5];
            let inside = |at: &&[f64; 2]| oracle::distance(**at, middle) < 2.2;
            assert!(trace.iter().any(|at| inside(&at)), "maze {seed}: room {room} was not seen");
        }
        assert_eq!(answers(&map, &crumbs, &trace, seed), 60, "maze {seed}");
        // The trail alone joins all that was walked.
        let (trail, trace) = explored(&map, Crumbs { degree: 0, ..SETTINGS }, 3000);
        assert_eq!(answers(&map, &trail, &trace, seed), 60, "the trail of maze {seed}");
    }
}

#[test]
fn under_a_cap_redundant_nodes_go_and_the_rest_still_answers() {
    let map = maze(10, 5);
    let (all, trace) = explored(&map, Crumbs { merge: 0.1, ..SETTINGS }, 6000);
    let capped = Crumbs { merge: 0.1, most: all.node_count() / 2, ..SETTINGS };
    let (crumbs, _) = explored(&map, capped, 6000);
    assert!(crumbs.node_count() <= capped.most, "{} of {}", crumbs.node_count(), capped.most);
    assert_eq!(answers(&map, &crumbs, &trace, 1), 60);
}

#[test]
fn crumbs_fall_where_the_last_one_goes_out_of_sight() {
    let block = vec![[4.0, 4.0], [8.0, 4.0], [8.0, 8.0], [4.0, 8.0]];
    let obstacles = Polygons::new(&[block], None).unwrap();
    let settings = Crumbs { radius: 0.5, range: 50.0, merge: 0.5, degree: 4, most: 100 };
    let mut crumbs = Breadcrumbs::new(settings);
    // Once around the block.
    for i in 0..=80 {
        let along = f64::from(i % 20) * 0.5;
        let at = match i / 20 % 4 {
            0 => [1.0 + along, 1.0],
            1 => [11.0, 1.0 + along],
            2 => [11.0 - along, 11.0],
            _ => [1.0, 11.0 - along],
        };
        crumbs.walk(&obstacles, at);
    }
    let nodes: Vec<_> =
        crumbs.draft().nodes().map(|node| crumbs.draft().at(node).unwrap()).collect();
    assert_eq!(nodes[0], [1.0, 1.0]);
    assert!((4..=6).contains(&nodes.len()), "{nodes:?}");
    // The loop closes: the crumb at its end is joined with the start.
    assert!(crumbs.draft().edges().count() >= nodes.len(), "no loop");
    // A jump begins a new trail.
    crumbs.walk(&obstacles, [6.0, -20.0]);
    crumbs.walk(&obstacles, [6.0, 60.0]);
    assert!(crumbs.draft().contains(nodes.len() as u32));
}

#[test]
fn a_benchmark_maze_is_explored() {
    let Some(folder) = data::folder() else { return };
    let maps = data::maps(&folder);
    let path = maps.iter().find(|path| path.ends_with("maze512-8-0.map"));
    let Some(path) =
        path.or_else(|| maps.iter().find(|path| path.to_string_lossy().contains("maze512-8")))
    else {
        panic!("no maze with corridors of 8 cells");
    };
    let map = data::read_map(path);
    let walls = Walls::new(&map);
    let start = (0..512).find(|&x| map.slowness()[map.index(x, 4) as usize] != 0).unwrap();
    let start = [f64::from(start) + 0.5, 4.5];
    let settings = Crumbs { range: 40.0, merge: 4.0, most: 5000, ..SETTINGS };
    let mut crumbs = Breadcrumbs::new(settings);
    let mut walker = WallFollower::new(start, [0.0, 4.5], RADIUS, 0.9);
    let mut trace = vec![start];
    crumbs.walk(&walls, start);
    for _ in 0..30_000 {
        let at = walker.step(&walls).expect("room");
        crumbs.walk(&walls, at);
        trace.push(at);
    }
    eprintln!("{}: {} crumbs", path.display(), crumbs.node_count());
    assert_eq!(answers(&map, &crumbs, &trace, 3), 60);
}
