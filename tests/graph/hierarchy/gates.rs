//! Gates and highways.

use crate::common::terrain;
use crate::common::terrain::Random;
use proptest::prelude::*;
use throng::graph::highways::{Highways, RelaxedSearch};
use throng::graph::split::{Split, SplitError, SplitSearch, cut_nodes};
use throng::graph::{Csr, Graph, Grid, Search};
use throng::map::{Clearance, Map};

/// A hall cut by walls with some doors; the cells of every door, as padded indices.
fn halls(random: &mut Random) -> (Map, Vec<Vec<u32>>) {
    let (width, height) = (30 + random.below(40), 20 + random.below(40));
    let percent = random.below(25);
    let walls = [width / 3, 2 * width / 3];
    let wide = 1 + random.below(4);
    let mut cells: Vec<u8> =
        (0..width * height).map(|_| if random.below(100) < percent { 0 } else { 16 }).collect();
    let mut doors = Vec::new();
    for x in walls {
        for y in 0..height {
            cells[(y * width + x) as usize] = 0;
        }
        for _ in 0..=random.below(2) {
            let y = random.below(height - wide);
            doors.push((x, y));
        }
    }
    let mut gates = Vec::new();
    for (x, y) in doors {
        for y in y..y + wide {
            for x in x - 1..=x + 1 {
                cells[(y * width + x) as usize] = 16;
            }
        }
        let index = |y: u32| (y + 1) * (width + 2) + x + 1;
        gates.push((y..y + wide).map(index).collect());
    }
    (Map::from_slowness(width, height, 1.0, &cells), gates)
}

/// The grid of a class, edge by edge.
fn grid(class: &Clearance) -> Csr {
    let (grid, mut edges) = (Grid::new(class), Vec::new());
    for cell in (0..grid.node_count()).filter(|&cell| class.passable(cell)) {
        grid.each_edge(cell, |to, cost| edges.push((cell, to, cost)));
    }
    Csr::new(grid.node_count(), &edges)
}

fn octile(stride: u32, a: u32, b: u32) -> u32 {
    let (x, y) = ((a % stride).abs_diff(b % stride), (a / stride).abs_diff(b / stride));
    362 * x.min(y) + 256 * x.abs_diff(y)
}

/// Cost of a way along edges.
fn cost(graph: &impl Graph, path: &[u32]) -> u32 {
    let step = |pair: &[u32]| {
        let mut least = None;
        graph.each_edge(pair[0], |to, cost| {
            if to == pair[1] {
                least = Some(least.map_or(cost, |least: u32| least.min(cost)));
            }
        });
        least.expect("an edge")
    };
    path.windows(2).map(step).sum()
}

proptest! {
    #![proptest_config(crate::common::cases(80))]

    #[test]
    fn split_ways_keep_their_bound(seed in any::<u64>()) {
        let mut random = Random(seed);
        let (map, gates) = halls(&mut random);
        let class = map.class(0.4);
        let graph = grid(&class);
        let split = Split::new(&graph, &gates).unwrap();
        let mut search = Search::default();
        let (mut splits, mut path) = (SplitSearch::default(), Vec::new());
        let estimate = |a, b| octile(map.stride(), a, b);
        let mut across = 0;
        for _ in 0..12 {
            let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
            let ends = (cell(), cell());
            let best = search.find(&graph, &[(ends.0, 0)], |node| node == ends.1, |_| 0);
            let found = splits.find(&split, &graph, ends, estimate, &mut path);
            prop_assert_eq!(found.is_some(), best.is_some());
            let (Some(found), Some(best)) = (found, best) else { continue };
            prop_assert_eq!((path[0], *path.last().unwrap()), ends);
            prop_assert_eq!(cost(&graph, &path), found);
            let other = split.part(ends.0) != split.part(ends.1);
            let cut = other && split.part(ends.0).is_some() && split.part(ends.1).is_some();
            let slack = if cut { split.slack() } else { 0 };
            prop_assert!((best.cost..=best.cost + slack).contains(&found), "{} {}", best.cost, found);
            across += u32::from(cut);
            if gates.iter().all(|gate| gate.len() == 1) {
                prop_assert_eq!(split.slack(), 0);
            }
        }
        prop_assert!(across > 0 || class.component_count() > 1);
    }

    /// Against the removal of every node.
    #[test]
    fn cut_nodes_are_those_whose_removal_cuts(seed in any::<u64>()) {
        let mut random = Random(seed);
        let nodes = 2 + random.below(30);
        let edges: Vec<(u32, u32, u32)> = (0..random.below(2 * nodes))
            .map(|_| (random.below(nodes), random.below(nodes), 1))
            .flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)])
            .collect();
        let graph = Csr::new(nodes, &edges);
        let mut found = cut_nodes(&graph).into_iter().peekable();
        for node in 0..nodes {
            let rest: Vec<_> =
                edges.iter().copied().filter(|e| e.0 != node && e.1 != node).collect();
            let rest = Csr::new(nodes, &rest);
            let mut search = Search::default();
            let mut around = Vec::new();
            graph.each_edge(node, |to, _| if to != node { around.push(to); });
            // The parts that its neighbours are in.
            let mut parts: Vec<(u32, u32)> = around
                .iter()
                .map(|&from| {
                    search.find(&rest, &[(from, 0)], |_| false, |_| 0);
                    let reached = (0..nodes).filter(|&n| search.cost(n).is_some());
                    (reached.clone().min().unwrap(), reached.count() as u32)
                })
                .collect();
            parts.sort_unstable();
            parts.dedup();
            let cut = found.next_if(|cut| cut.node == node);
            prop_assert_eq!(cut.is_some(), parts.len() > 1, "node {}", node);
            if let Some(cut) = cut {
                let all: u32 = parts.iter().map(|part| part.1).sum();
                let largest = parts.iter().map(|part| part.1).max().unwrap();
                prop_assert_eq!(cut.cut_off, all - largest);
            }
        }
    }

    #[test]
    fn highways_are_taken_where_they_are_cheaper(seed in any::<u64>()) {
        let mut random = Random(seed);
        let map = terrain::noise(20 + random.below(40), random.below(35), seed);
        let class = map.class(0.4);
        let graph = Grid::new(&class);
        let stride = map.stride();
        // Every few rows and columns are highways.
        let pitch = 5 + random.below(12);
        let on: Vec<bool> = (0..graph.node_count())
            .map(|cell| (cell % stride) % pitch == 1 || (cell / stride) % pitch == 1)
            .collect();
        let factor = 1 + random.below(16);
        let highways = Highways::new(&graph, &on, factor);
        let (mut search, mut relaxed) = (Search::default(), RelaxedSearch::default());
        let mut path = Vec::new();
        for _ in 0..8 {
            let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
            let (start, goal) = (cell(), cell());
            let best = search.find(&highways, &[(start, 0)], |node| node == goal, |_| 0);
            let estimate = |node| octile(stride, node, goal);
            let scaled = |node| highways.scaled(estimate(node));
            let exact = search.find(&highways, &[(start, 0)], |node| node == goal, scaled);
            prop_assert_eq!(exact, best);
            let found = relaxed.find(&highways, start, goal, estimate);
            prop_assert_eq!(found.is_some(), best.is_some());
            let (Some(best), Some(found)) = (best, found) else { continue };
            relaxed.path(goal, &mut path);
            prop_assert_eq!(cost(&highways, &path), found.cost);
            prop_assert!(found.cost >= best.cost);
            prop_assert!(u64::from(found.cost) <= highways.relaxed_bound(best.cost));
            prop_assert!(factor < 14 || found.cost == best.cost);
        }
    }
}

/// Two ways round a block: the longer one is a highway, and is taken when that makes it cheaper.
#[test]
fn a_highway_is_taken_for_what_it_costs() {
    let graph = Csr::new(4, &[(0, 1, 100), (1, 3, 100), (0, 2, 160), (2, 3, 160)]);
    let on = [true, false, true, true];
    for (factor, through, expected) in [(16, 1, 200), (11, 1, 200), (9, 2, 180), (1, 2, 20)] {
        let highways = Highways::new(&graph, &on, factor);
        let (mut search, mut relaxed) = (Search::default(), RelaxedSearch::default());
        let mut path = Vec::new();
        let found = search.find(&highways, &[(0, 0)], |node| node == 3, |_| 0).unwrap();
        search.path(3, &mut path);
        assert_eq!((found.cost, path[1]), (expected, through), "factor {factor}");
        let found = relaxed.find(&highways, 0, 3, |_| 0).unwrap();
        assert_eq!(found.cost, expected);
    }
}

/// An estimate that is too much misses the highway; a plain A* takes the first way, and searching
/// on finds the cheaper one.
#[test]
fn searching_on_finds_the_highway() {
    let graph = Csr::new(3, &[(0, 2, 110), (0, 1, 50), (1, 2, 70)]);
    let on = [false, true, true];
    let highways = Highways::new(&graph, &on, 10);
    let estimate = |node: u32| [110, 70, 0][node as usize];
    let plain = Search::default().find(&highways, &[(0, 0)], |n| n == 2, estimate).unwrap();
    let relaxed = RelaxedSearch::default().find(&highways, 0, 2, estimate).unwrap();
    assert_eq!((plain.cost, relaxed.cost), (110, 94));
}

#[test]
fn bad_gates_are_refused() {
    let graph = Csr::new(4, &[(0, 1, 1), (1, 0, 1)]);
    let refused = |gates: &[Vec<u32>]| Split::new(&graph, gates).unwrap_err();
    assert_eq!(refused(&[vec![1], vec![]]), SplitError::Empty { gate: 1 });
    assert_eq!(refused(&[vec![9]]), SplitError::Node { gate: 0, node: 9 });
    assert_eq!(refused(&[vec![0, 2]]), SplitError::Node { gate: 0, node: 2 });
}

/// Two halls joined by a corridor of one cell: it is found, used, and halves the search.
#[test]
fn a_corridor_is_found_as_a_gate() {
    let side = 61;
    let wall = |i: u32| i % side == 30 && i / side != 30;
    let cells: Vec<u8> = (0..side * side).map(|i| if wall(i) { 0 } else { 16 }).collect();
    let map = Map::from_slowness(side, side, 1.0, &cells);
    let class = map.class(0.4);
    let graph = grid(&class);
    let cuts = cut_nodes(&graph);
    let door = map.index(30, 30);
    let most = cuts.iter().max_by_key(|cut| cut.cut_off).unwrap();
    assert_eq!((most.node, most.cut_off), (door, 30 * 61));
    let split = Split::new(&graph, &[vec![door]]).unwrap();
    let ends = (map.index(2, 2), map.index(58, 3));
    let estimate = |a, b| octile(map.stride(), a, b);
    let (mut splits, mut search, mut path) =
        (SplitSearch::default(), Search::default(), Vec::new());
    let cost = splits.find(&split, &graph, ends, estimate, &mut path).unwrap();
    let best =
        search.find(&graph, &[(ends.0, 0)], |n| n == ends.1, |n| estimate(n, ends.1)).unwrap();
    assert_eq!(cost, best.cost);
    assert!(splits.expansions() * 2 < u64::from(search.expansions()));
}
