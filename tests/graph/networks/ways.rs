//! Ways over networks: shortest over the edges, shorter after each step, never through walls or
//! slower ground, and what happens off the network.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::networks::oracle;
use crate::networks::oracle::Drawn;
use proptest::prelude::*;
use throng::graph::network::{
    Corners, FloodFill, Method, Network, Obstacles, Outcome, Placement, Point, Query, Scratch,
    Sizes, Trip, Unseen, WallFollower, Walls, farthest_visible, first_blocked,
    points_of_visibility, pull, skip,
};
use throng::map::Map;

fn flooded(map: &Map, radius: f64, spacing: f64) -> Network {
    let method = Method::FloodFill(FloodFill::every(spacing));
    let placement = Placement { sizes: Sizes { radius, cap: 4.0 }, method };
    Network::for_class(map, &map.class(radius), &placement)
}

fn place(map: &Map, random: &mut Random) -> Point {
    let cell = terrain::passable_cell(map.slowness(), random.below(1000)).unwrap();
    let (x, y) = map.cell(cell);
    [f64::from(x) + 0.5, f64::from(y) + 0.5]
}

/// Least cost from a position over open edges to another, by relaxing until nothing changes.
fn cheapest(network: &Network, obstacles: &impl Obstacles, trip: &Trip) -> Option<f64> {
    let cost = |a: Point, b: Point| obstacles.ground(a, b).cost;
    let points = network.points();
    let reach = |at: Point, node: usize| {
        if obstacles.fits(at, points[node], trip.radius) {
            cost(at, points[node])
        } else {
            f64::MAX
        }
    };
    let mut costs: Vec<f64> = (0..points.len()).map(|node| reach(trip.from, node)).collect();
    loop {
        let mut lowered = false;
        for edge in 0..network.edges().len() {
            if !network.open(edge as u32, trip.radius) {
                continue;
            }
            let [a, b] = network.edges()[edge].nodes.map(|node| node as usize);
            let step = cost(points[a], points[b]);
            for (a, b) in [(a, b), (b, a)] {
                if costs[a] + step < costs[b] {
                    costs[b] = costs[a] + step;
                    lowered = true;
                }
            }
        }
        if !lowered {
            break;
        }
    }
    let mut all: Vec<f64> =
        (0..points.len()).map(|node| costs[node] + reach(trip.to, node)).collect();
    if obstacles.fits(trip.from, trip.to, trip.radius) {
        all.push(cost(trip.from, trip.to));
    }
    let least = all.into_iter().fold(f64::MAX, f64::min);
    (least < f64::MAX).then_some(least)
}

/// The worst slowness and the cost of a path: every cell around cuts its share out of every part.
/// Cells of which a path has no more than `least` metres do not count as worst.
fn ground(map: &Map, path: &[Point], least: f64) -> (u8, f64) {
    let (mut worst, mut sum) = (0, 0.0);
    for pair in path.windows(2) {
        let length = oracle::distance(pair[0], pair[1]);
        for (x, y) in (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y))) {
            let (mut enter, mut leave) = (0.0, 1.0);
            for (axis, low) in [f64::from(x), f64::from(y)].into_iter().enumerate() {
                let (from, by) = (pair[0][axis], pair[1][axis] - pair[0][axis]);
                if by == 0.0 {
                    let inside = low <= from && from < low + 1.0;
                    leave = if inside { leave } else { -1.0 };
                } else {
                    let (p, q) = ((low - from) / by, (low + 1.0 - from) / by);
                    (enter, leave) = (f64::max(enter, p.min(q)), f64::min(leave, p.max(q)));
                }
            }
            let slowness = map.slowness()[map.index(x, y) as usize];
            let share = (leave - enter) * length;
            if share > 0.0 {
                worst = if share > least { worst.max(slowness) } else { worst };
                sum += share * f64::from(slowness) / 16.0;
            }
        }
    }
    (worst, sum)
}

/// All nodes in sight count, and the way stays as the network has it.
const PLAIN: Query =
    Query { links: 10_000, tries: 10_000, look: 0, pulls: 0, unseen: Unseen::MoreNodes };

/// Skips and pulls on some ways of a map.
fn check_steps(seed: u64) {
    let random = &mut Random(seed);
    let map = match random.below(3) {
        0 => terrain::weighted(48, seed),
        1 => terrain::noise(48, 10, seed),
        _ => terrain::rooms(48, seed),
    };
    let network = flooded(&map, 0.4, 4.0);
    let walls = Walls::new(&map);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    for _ in 0..4 {
        let trip = Trip { from: place(&map, random), to: place(&map, random), radius: 0.4 };
        network.route(&walls, &trip, &PLAIN, &mut scratch, &mut path);
        if path.len() < 3 {
            continue;
        }
        let mut before = (oracle::length(&path), ground(&map, &path, 0.0));
        for step in 0..6 {
            if step % 2 == 0 {
                skip(&walls, 0.4, 16, &mut path);
            } else {
                pull(&walls, 0.4, &mut path);
            }
            let (length, (worst, cost)) = (oracle::length(&path), ground(&map, &path, 1e-7));
            assert!(length <= before.0 + 1e-9, "step {step}: {length} after {}", before.0);
            assert!(worst <= before.1.0, "step {step} crosses slower ground");
            assert!(cost <= before.1.1 + 1e-6, "{cost} after {}", before.1.1);
            assert_eq!(first_blocked(&walls, 0.4, &path), None);
            assert_eq!((path[0], path[path.len() - 1]), (trip.from, trip.to));
            before = (length, ground(&map, &path, 0.0));
        }
    }
}

proptest! {
    #![proptest_config(crate::common::cases(60))]

    #[test]
    fn ways_are_the_cheapest_over_the_edges_and_clear(seed: u64) {
        let random = &mut Random(seed);
        let weighted = random.below(2) == 1;
        let map = if weighted { terrain::weighted(40, seed) } else { terrain::noise(40, 15, seed) };
        let network = flooded(&map, 0.4, 5.0);
        let walls = Walls::new(&map);
        let (mut scratch, mut path) = (Scratch::default(), Vec::new());
        let radius = [0.3, 0.5, 0.9][random.below(3) as usize];
        for _ in 0..6 {
            let trip = Trip { from: place(&map, random), to: place(&map, random), radius };
            if !walls.fits(trip.from, trip.from, radius) || !walls.fits(trip.to, trip.to, radius) {
                continue;
            }
            let outcome = network.route(&walls, &trip, &PLAIN, &mut scratch, &mut path);
            let expected = cheapest(&network, &walls, &trip);
            if expected.is_none() {
                assert!(!matches!(outcome, Outcome::Found { .. }) && path.is_empty());
                continue;
            }
            assert!(matches!(outcome, Outcome::Found { .. }), "{trip:?}: {outcome:?}");
            let cost: f64 = path.windows(2).map(|p| walls.ground(p[0], p[1]).cost).sum();
            // Costs are rounded up to 1/256 of a cell at each edge.
            let rounding = path.len() as f64 / 256.0 + 1e-4 * cost;
            assert!((cost - expected.unwrap()).abs() <= rounding, "{cost} {expected:?}");
            assert_eq!(first_blocked(&walls, radius, &path), None);
            // The shorter way is no longer, no slower, and as clear.
            let query = Query { links: 10_000, tries: 10_000, ..Query::default() };
            let mut short = Vec::new();
            network.route(&walls, &trip, &query, &mut scratch, &mut short);
            assert!(oracle::length(&short) <= oracle::length(&path) + 1e-9);
            assert_eq!(first_blocked(&walls, radius, &short), None);
            for pair in short.windows(2) {
                let [_, most] = oracle::sampled(&map, pair[0], pair[1], 60);
                assert!(most + 1e-5 >= radius, "{pair:?} comes as near as {most}");
            }
        }
    }

    #[test]
    fn each_step_makes_paths_shorter_and_none_slower(seed: u64) {
        check_steps(seed);
    }

    #[test]
    fn ways_among_polygons_are_clear(seed: u64) {
        let random = &mut Random(seed);
        let drawn = Drawn::random(random, 6);
        let polygons = drawn.built();
        let draft = points_of_visibility(&polygons, 0.3, &Corners::default());
        let network = Network::new(&draft, &polygons, Sizes { radius: 0.3, cap: 2.0 });
        let (mut scratch, mut path) = (Scratch::default(), Vec::new());
        for _ in 0..6 {
            let mut number = || 40.0 * f64::from(random.below(4096)) / 4096.0;
            let trip = Trip { from: [number(), number()], to: [number(), number()], radius: 0.3 };
            let query = Query { unseen: Unseen::MoreNodes, ..Query::default() };
            if let Outcome::Found { length, .. } =
                network.route(&polygons, &trip, &query, &mut scratch, &mut path)
            {
                assert!((length - oracle::length(&path)).abs() < 1e-9);
                for (i, pair) in path.windows(2).enumerate() {
                    let [_, most] = oracle::sampled(&drawn, pair[0], pair[1], 40);
                    // The ends may be nearer to a wall than the agent is wide.
                    let inner = i > 0 && i + 2 < path.len();
                    assert!(if inner { most + 1e-5 >= 0.3 } else { most > 0.0 });
                }
            }
        }
    }
}

#[test]
fn skipping_goes_to_the_farthest_point_in_sight() {
    let map = terrain::open(40);
    let walls = Walls::new(&map);
    let zigzag: Vec<Point> =
        (0..12).map(|i| [2.0 + f64::from(i), 5.0 + f64::from(i % 2)]).collect();
    let mut path = zigzag.clone();
    skip(&walls, 0.4, 4, &mut path);
    assert_eq!(path, [zigzag[0], zigzag[4], zigzag[8], zigzag[11]]);
    skip(&walls, 0.4, 100, &mut path);
    assert_eq!(path, [zigzag[0], zigzag[11]]);
}

#[test]
fn a_cell_touched_at_its_corner_allows_no_slower_ground() {
    check_steps(17_549_848_851_338_404_969);
}

#[test]
fn pulling_straightens_what_is_free_and_wraps_around_what_is_not() {
    let map = terrain::open(40);
    let mut path = [[2.0, 10.0], [12.0, 30.0], [22.0, 10.0]];
    pull(&Walls::new(&map), 0.4, &mut path);
    assert!((oracle::length(&path) - 20.0).abs() < 1e-9, "{path:?}");
    let mut cells = vec![16_u8; 1600];
    cells[12 * 40 + 12] = 0;
    let map = Map::from_slowness(40, 40, 1.0, &cells);
    let mut path = [[2.0, 12.5], [12.5, 30.0], [23.0, 12.5]];
    for _ in 0..6 {
        pull(&Walls::new(&map), 0.4, &mut path);
    }
    assert!((13.4..14.0).contains(&path[1][1]), "{path:?}");
}

#[test]
fn an_agent_that_left_its_path_goes_to_the_farthest_point_that_it_sees() {
    let mut cells = vec![16_u8; 900];
    for y in 0..20 {
        cells[y * 30 + 15] = 0;
    }
    let map = Map::from_slowness(30, 30, 1.0, &cells);
    let walls = Walls::new(&map);
    let path = [[3.0, 3.0], [5.0, 10.0], [12.0, 20.0], [15.5, 23.0], [19.0, 20.0], [25.0, 5.0]];
    let next =
        |at: Point, next: usize, look: u32| farthest_visible(&walls, 0.4, at, &path, next, look);
    assert_eq!(next([5.0, 4.0], 1, 10), Some(3));
    assert_eq!(next([5.0, 4.0], 1, 1), Some(2));
    assert_eq!(next([15.5, 25.0], 2, 10), Some(5));
    assert_eq!(next([12.0, 22.0], 2, 10), Some(4));
    assert_eq!(next([18.0, 21.0], 4, 10), Some(5));
    assert_eq!(next([18.0, 3.0], 2, 10), None, "behind the wall");
    // Not through a swamp, though it is in sight.
    for y in 10..18 {
        cells[y * 30 + 2..y * 30 + 10].fill(64);
    }
    let map = Map::from_slowness(30, 30, 1.0, &cells);
    let walls = Walls::new(&map);
    let path = [[3.0, 3.0], [12.0, 9.0], [12.0, 19.0], [4.0, 20.0]];
    assert_eq!(farthest_visible(&walls, 0.4, [3.0, 5.0], &path, 1, 10), Some(1));
    assert_eq!(farthest_visible(&walls, 0.4, [12.0, 12.0], &path, 2, 10), Some(2));
    assert_eq!(farthest_visible(&walls, 0.4, [12.0, 18.5], &path, 2, 10), Some(3));
}

#[test]
fn no_shortcut_leads_through_a_swamp() {
    // A swamp in the middle; the road goes around it.
    let mut cells = vec![16_u8; 900];
    for y in 10..20 {
        cells[y * 30 + 10..y * 30 + 20].fill(64);
    }
    let map = Map::from_slowness(30, 30, 1.0, &cells);
    let walls = Walls::new(&map);
    let network = flooded(&map, 0.4, 3.0);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let trip = Trip { from: [5.0, 15.0], to: [25.0, 15.0], radius: 0.4 };
    network.route(&walls, &trip, &Query::default(), &mut scratch, &mut path);
    assert_eq!(ground(&map, &path, 1e-7).0, 16, "{path:?}");
    assert!(oracle::length(&path) < 27.0, "{path:?}");
    // Into the swamp itself there is no other way; and straight on where all is swamp.
    let trip = Trip { to: [15.0, 15.0], ..trip };
    network.route(&walls, &trip, &Query::default(), &mut scratch, &mut path);
    assert_eq!(ground(&map, &path, 1e-7).0, 64);
    let marsh = Map::from_slowness(30, 30, 1.0, &[64; 900]);
    let network = flooded(&marsh, 0.4, 3.0);
    network.route(&Walls::new(&marsh), &trip, &Query::default(), &mut scratch, &mut path);
    assert_eq!(path, [trip.from, trip.to]);
}

/// A hall with a sealed block of open ground inside and a hook of walls.
fn hook() -> Map {
    let mut cells = vec![16_u8; 1600];
    for i in 0..12 {
        cells[(10 + i) * 40 + 10] = 0;
        cells[(10 + i) * 40 + 21] = 0;
        cells[21 * 40 + 10 + i] = 0;
    }
    Map::from_slowness(40, 40, 1.0, &cells)
}

#[test]
fn off_the_network_each_policy_does_what_it_says() {
    let map = hook();
    let walls = Walls::new(&map);
    let sizes = Sizes { radius: 0.4, cap: 2.0 };
    let mut draft = throng::graph::network::Draft::default();
    let (a, b) = (draft.add([5.0, 30.0], 0), draft.add([30.0, 30.0], 0));
    draft.link(a, b);
    let mut network = Network::new(&draft, &walls, sizes);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    // Inside the hook no node is in sight, nor is the goal.
    let trip = Trip { from: [15.5, 18.5], to: [35.0, 30.0], radius: 0.4 };
    let mut ask = |network: &Network, unseen, trip: &Trip, path: &mut Vec<Point>| {
        let query = Query { unseen, ..Query::default() };
        network.route(&walls, trip, &query, &mut scratch, path)
    };
    let none = Outcome::NoNode { start: true };
    assert_eq!(ask(&network, Unseen::MoreNodes, &trip, &mut path), none);
    assert_eq!(ask(&network, Unseen::NearestSpot { range: 1.0 }, &trip, &mut path), none);
    assert!(path.is_empty());
    let follow = Unseen::WallFollow { steps: 400 };
    let found = ask(&network, follow, &trip, &mut path);
    assert!(matches!(found, Outcome::Found { .. }), "{found:?}");
    assert_eq!((path[0], path[path.len() - 1]), (trip.from, trip.to));
    assert!(path.windows(2).all(|pair| walls.fits(pair[0], pair[1], 0.4)));
    assert_eq!(ask(&network, Unseen::WallFollow { steps: 3 }, &trip, &mut path), none);
    // From the goal's side, too.
    let back = Trip { from: trip.to, to: trip.from, radius: 0.4 };
    assert_eq!(
        ask(&network, Unseen::MoreNodes, &back, &mut path),
        Outcome::NoNode { start: false }
    );
    assert!(matches!(ask(&network, follow, &back, &mut path), Outcome::Found { .. }));
    assert_eq!((path[0], path[path.len() - 1]), (back.from, back.to));
    assert!(path.windows(2).all(|pair| walls.fits(pair[0], pair[1], 0.4)));
    // More nodes: afterwards there is a way.
    let before = network.points().len();
    assert_eq!(network.grow(&walls, trip.from, 2.0, 4), None);
    assert_eq!(network.points().len(), before);
    let node = network.grow(&walls, trip.from, 2.0, 500).expect("the hook is open");
    assert!(network.points().len() > before + 2);
    assert!(oracle::distance(network.points()[node as usize], trip.from) < 2.0);
    let found = ask(&network, Unseen::MoreNodes, &trip, &mut path);
    assert!(matches!(found, Outcome::Found { .. }), "{found:?}");
    // Inside a wall: from the nearest spot.
    let walled = Trip { from: [10.5, 15.5], ..trip };
    assert_eq!(ask(&network, Unseen::MoreNodes, &walled, &mut path), none);
    let found = ask(&network, Unseen::NearestSpot { range: 4.0 }, &walled, &mut path);
    assert!(matches!(found, Outcome::Found { .. }), "{found:?}");
    assert_eq!(path[0], walled.from);
    assert!(oracle::distance(path[0], path[1]) < 1.3, "{path:?}");
    assert!(walls.fits(path[1], path[1], 0.4));
}

#[test]
fn an_agent_pressed_against_a_wall_finds_its_way() {
    let map = terrain::rooms(96, 4);
    let network = flooded(&map, 0.4, 6.0);
    let walls = Walls::new(&map);
    let (mut scratch, mut path) = (Scratch::default(), Vec::new());
    let mut found = 0;
    for i in 0..20 {
        // A quarter of a metre from a wall that agents keep 0.4 m from.
        let trip = Trip { from: [1.25, 2.0 + f64::from(i)], to: [80.0, 80.0], radius: 0.4 };
        let query = Query { unseen: Unseen::MoreNodes, ..Query::default() };
        let outcome = network.route(&walls, &trip, &query, &mut scratch, &mut path);
        found += u32::from(matches!(outcome, Outcome::Found { .. }));
    }
    assert_eq!(found, 20);
}

#[test]
fn the_nearest_visible_node_is_the_nearest_that_is_visible() {
    for seed in 0..10 {
        let map = terrain::noise(48, 20, seed);
        let walls = Walls::new(&map);
        let network = flooded(&map, 0.4, 5.0);
        let random = &mut Random(seed);
        let mut scratch = Scratch::default();
        for _ in 0..50 {
            let at = place(&map, random);
            let far = |node: u32| oracle::distance(at, network.points()[node as usize]);
            let mut all: Vec<u32> = (0..network.points().len() as u32).collect();
            all.sort_by(|&a, &b| far(a).total_cmp(&far(b)).then(a.cmp(&b)));
            let sees = |&&node: &&u32| walls.fits(at, network.points()[node as usize], 0.4);
            let expected = all.iter().take(256).find(sees).copied();
            let found = network.nearest_visible(&walls, at, 0.4, &mut scratch);
            assert_eq!(found, expected, "{seed}: {at:?}");
        }
    }
}

#[test]
fn a_wall_follower_keeps_clear_and_comes_around() {
    let map = hook();
    let walls = Walls::new(&map);
    let mut walker = WallFollower::new([30.0, 15.0], [0.0, 15.0], 0.4, 0.4);
    let mut seen = [false; 3];
    for _ in 0..600 {
        let at = walker.step(&walls).expect("room");
        assert!(walls.fits(at, at, 0.4), "{at:?}");
        seen[0] |= at[0] < 10.0;
        seen[1] |= (11.0..21.0).contains(&at[0]) && (15.0..21.0).contains(&at[1]);
        seen[2] |= at[1] > 22.0;
    }
    assert_eq!(seen, [true; 3], "left of the hook, inside, and below");
}
