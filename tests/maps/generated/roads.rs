//! Roads: which places are joined, by which cells, and at what cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::common::terrain;
use crate::common::terrain::Random;
use throng::generate::roads::{Ground, Road, Roads, pairs};

fn cell(ground: &Ground<'_>, [x, y]: [u32; 2]) -> u32 {
    y * ground.width + x
}

/// What a step costs, by the words of the documentation; `None` when it is not allowed.
fn step(ground: &Ground<'_>, slowness: &[u8], slope: f64, from: u32, to: u32) -> Option<u64> {
    let place = |cell: u32| (i64::from(cell % ground.width), i64::from(cell / ground.width));
    let ((x, y), (i, j)) = (place(from), place(to));
    let slow = |x: i64, y: i64| u64::from(slowness[(y * i64::from(ground.width) + x) as usize]);
    assert!(x.abs_diff(i).max(y.abs_diff(j)) == 1, "{from} and {to} are no neighbours");
    let is_corner = x != i && y != j;
    if slow(i, j) == 0 || (is_corner && (slow(i, y) == 0 || slow(x, j) == 0)) {
        return None;
    }
    let level = (if is_corner { 362 } else { 256 } * (slow(x, y) + slow(i, j)) / 32).max(1);
    let height = |cell: u32| ground.heights.get(cell as usize).copied().map_or(0, i64::from);
    let climb = height(from).abs_diff(height(to));
    let rise = ((slope * ground.cell_size * 16.0).powi(2) + 0.5).floor().max(1.0) as u64;
    let run = if is_corner { 2 } else { 1 };
    Some((level + level * climb * climb / (rise * run)).min(1 << 16))
}

fn neighbours(ground: &Ground<'_>, at: u32) -> Vec<u32> {
    let (x, y) = (at % ground.width, at / ground.width);
    let columns = x.saturating_sub(1)..(x + 2).min(ground.width);
    let rows = y.saturating_sub(1)..(y + 2).min(ground.height);
    let all = rows.flat_map(|j| columns.clone().map(move |i| j * ground.width + i));
    all.filter(|&cell| cell != at).collect()
}

/// The cost of the cheapest way, by Dijkstra's search with a heap.
fn textbook(ground: &Ground<'_>, slowness: &[u8], slope: f64, from: u32, to: u32) -> Option<u64> {
    let mut costs = vec![u64::MAX; slowness.len()];
    let mut heap = BinaryHeap::from([Reverse((0, from))]);
    costs[from as usize] = 0;
    while let Some(Reverse((cost, at))) = heap.pop() {
        if at == to {
            return Some(cost);
        }
        for next in neighbours(ground, at) {
            let Some(more) = step(ground, slowness, slope, at, next) else { continue };
            if cost + more < costs[next as usize] {
                costs[next as usize] = cost + more;
                heap.push(Reverse((cost + more, next)));
            }
        }
    }
    None
}

/// Checks that every road is a chain of open cells between its places and as cheap as any.
fn check(rules: &Roads, ground: &Ground<'_>, places: &[[u32; 2]], roads: &[Road]) {
    let mut slowness = ground.slowness.to_vec();
    let mut is_road = vec![false; slowness.len()];
    for road in roads {
        let ends = [road.from, road.to].map(|place| cell(ground, places[place as usize]));
        assert_eq!([road.cells[0], *road.cells.last().unwrap()], ends);
        let steps = road.cells.windows(2);
        let costs = steps.map(|pair| step(ground, &slowness, rules.slope, pair[0], pair[1]));
        let cost: Option<u64> = costs.sum();
        assert!(cost.is_some(), "a road goes through a wall");
        assert_eq!(cost, textbook(ground, &slowness, rules.slope, ends[0], ends[1]));
        for &cell in &road.cells {
            let slow = &mut slowness[cell as usize];
            if !std::mem::replace(&mut is_road[cell as usize], true) {
                *slow = ((f64::from(*slow) * rules.reuse + 0.5).floor() as u8).max(1);
            }
        }
    }
    // Every place is reached from the first over cells of roads alone.
    let Some(&first) = places.first() else { return };
    let mut reached = vec![false; slowness.len()];
    let mut waiting = vec![cell(ground, first)];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut reached[at as usize], true) {
            continue;
        }
        let open = |&next: &u32| {
            is_road[next as usize] && step(ground, &slowness, 1.0, at, next).is_some()
        };
        waiting.extend(neighbours(ground, at).into_iter().filter(open));
    }
    assert!(places.iter().all(|&place| reached[cell(ground, place) as usize]));
}

/// Distinct random open cells.
fn open_cells(ground: &Ground<'_>, count: usize, random: &mut Random) -> Vec<[u32; 2]> {
    let mut places = Vec::new();
    for _ in 0..1000 {
        let at = [random.below(ground.width), random.below(ground.height)];
        let is_open = ground.slowness[cell(ground, at) as usize] != 0;
        if is_open && !places.contains(&at) && places.len() < count {
            places.push(at);
        }
    }
    places
}

#[test]
fn every_road_is_as_cheap_as_any_and_joins_its_places() {
    let mut random = Random(11);
    let (mut laid, mut refused) = (0, 0);
    for round in 0..300 {
        let (width, height) = (1 + random.below(24), 1 + random.below(24));
        let cells = (width * height) as usize;
        let walls = random.below(35);
        let kinds = [1, 64, 255][random.below(3) as usize];
        let slowness: Vec<u8> =
            (0..cells)
                .map(|_| {
                    if random.below(100) < walls {
                        0
                    } else {
                        16.max(1 + random.below(kinds)) as u8
                    }
                })
                .collect();
        let steepest = [1, 20, 2000][random.below(3) as usize];
        let heights: Vec<i16> = (0..cells).map(|_| random.below(steepest) as i16).collect();
        let heights = if round % 4 == 0 { &[][..] } else { &heights[..] };
        let ground = Ground { width, height, cell_size: 0.75, slowness: &slowness, heights };
        let rules = Roads {
            loops: random.below(4),
            slope: [0.1, 0.5, 1000.0, 0.001][random.below(4) as usize],
            reuse: [0.0, 0.3, 0.5, 1.0][random.below(4) as usize],
        };
        let places = open_cells(&ground, random.below(7) as usize, &mut random);
        match rules.lay(&ground, &places) {
            Ok(roads) => {
                check(&rules, &ground, &places, &roads);
                laid += roads.len();
            }
            Err(error) => {
                let text = error.to_string();
                let numbers: Vec<usize> =
                    text.split(' ').filter_map(|word| word.parse().ok()).collect();
                assert!(text.starts_with("there is no way from place "), "{text}");
                let [from, to] = [0, 1].map(|i| cell(&ground, places[numbers[i]]));
                assert_eq!(textbook(&ground, &slowness, 1.0, from, to), None, "round {round}");
                refused += 1;
            }
        }
    }
    eprintln!("{laid} roads, {refused} maps in pieces");
    assert!(laid > 300 && refused > 20);
}

/// The length of the minimum spanning tree, by Prim's method.
fn prim(places: &[[u32; 2]]) -> f64 {
    let apart = |a: [u32; 2], b: [u32; 2]| {
        f64::from(a[0].abs_diff(b[0])).hypot(f64::from(a[1].abs_diff(b[1])))
    };
    let mut left = places.to_vec();
    let mut tree = vec![left.pop().unwrap()];
    let mut length = 0.0;
    while !left.is_empty() {
        let nearest = |at: [u32; 2]| tree.iter().map(|&to| apart(at, to)).fold(f64::MAX, f64::min);
        let distances: Vec<f64> = left.iter().map(|&at| nearest(at)).collect();
        let next = (0..left.len()).min_by(|&a, &b| distances[a].total_cmp(&distances[b])).unwrap();
        length += distances[next];
        tree.push(left.swap_remove(next));
    }
    length
}

#[test]
fn pairs_are_a_minimum_spanning_tree_and_the_shortest_others() {
    let mut random = Random(5);
    for _ in 0..100 {
        let count = 2 + random.below(30);
        let places: Vec<[u32; 2]> =
            (0..count).map(|_| [random.below(1000), random.below(500)]).collect();
        let found = pairs(&places, 3);
        let (tree, loops) = found.split_at(count as usize - 1);
        let length = |&[a, b]: &[u32; 2]| {
            let [p, q] = [a, b].map(|place| places[place as usize]);
            f64::from(p[0].abs_diff(q[0])).hypot(f64::from(p[1].abs_diff(q[1])))
        };
        let sum: f64 = tree.iter().map(length).sum();
        assert!((sum - prim(&places)).abs() < 1e-6, "{sum} and {}", prim(&places));
        // Pairs that are left out are no shorter than the loops that are taken.
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let others = all.filter(|pair| !found.contains(pair)).map(|pair| length(&pair));
        let least = others.fold(f64::MAX, f64::min);
        let most = (count * (count - 1) / 2 - (count - 1)).min(3);
        assert_eq!(loops.len(), most as usize);
        assert!(loops.iter().all(|pair| length(pair) <= least && !tree.contains(pair)));
    }
    assert!(pairs(&[[3, 4]], 9).is_empty() && pairs(&[], 9).is_empty());
}

/// A ridge of 8 m from top to bottom, cut by a valley in rows 2 to 4.
fn ridge() -> Vec<i16> {
    let height =
        |x: i32, y: i32| if (2..5).contains(&y) { 0 } else { 16 * (8 - (x - 32).abs()).max(0) };
    (0..48).flat_map(|y| (0..64).map(move |x| height(x, y) as i16)).collect()
}

#[test]
fn a_road_goes_through_the_valley() {
    let heights = ridge();
    let slowness = vec![16; heights.len()];
    let level = Ground { width: 64, height: 48, cell_size: 1.0, slowness: &slowness, heights: &[] };
    let hilly = Ground { heights: &heights, ..level };
    let places = [[4, 30], [60, 30]];
    let climb = |ground: &Ground<'_>, slope: f64| {
        let roads = Roads { slope, ..Roads::default() }.lay(ground, &places).unwrap();
        let steps = roads[0].cells.windows(2);
        let climbs = steps.map(|p| heights[p[0] as usize].abs_diff(heights[p[1] as usize]));
        (climbs.max().unwrap(), roads[0].cells.len())
    };
    assert_eq!(
        climb(&level, 0.1),
        (16, 57),
        "straight over the top, where nobody says it is there"
    );
    assert_eq!(climb(&hilly, 0.1), (0, 67), "through the valley");
    assert_eq!(climb(&hilly, 1000.0), (16, 57), "whom slopes do not trouble goes straight on");
}

#[test]
fn later_roads_join_earlier_ones() {
    let ground =
        Ground { width: 80, height: 60, cell_size: 1.0, slowness: &[16; 4800], heights: &[] };
    let places = [[5, 5], [75, 5], [40, 55]];
    let cells = |reuse: f64| {
        let roads = Roads { loops: 1, reuse, ..Roads::default() }.lay(&ground, &places).unwrap();
        let mut cells: Vec<u32> = roads.into_iter().flat_map(|road| road.cells).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.len()
    };
    let (apart, together) = (cells(1.0), cells(0.2));
    assert!(together < apart, "{together} cells with reuse, {apart} without");
}

#[test]
fn mazes_are_crossed_by_the_one_way_there_is() {
    let map = terrain::maze(63, 1, 3);
    let slowness: Vec<u8> = map.letters().iter().map(|&l| if l == b'@' { 0 } else { 16 }).collect();
    let ground =
        Ground { width: 63, height: 63, cell_size: 1.0, slowness: &slowness, heights: &[] };
    let places = [[1, 1], [61, 61], [1, 61], [61, 1], [31, 31]];
    let rules = Roads { loops: 2, ..Roads::default() };
    let roads = rules.lay(&ground, &places).unwrap();
    assert_eq!(roads.len(), 6);
    check(&rules, &ground, &places, &roads);
}

#[test]
fn what_cannot_be_is_refused() {
    let good = Ground {
        width: 3,
        height: 2,
        cell_size: 1.0,
        slowness: &[16, 0, 16, 16, 0, 16],
        heights: &[],
    };
    let rules = Roads::default();
    let refused = |rules: Roads, ground: Ground<'_>, places: &[[u32; 2]]| {
        rules.lay(&ground, places).unwrap_err().to_string()
    };
    let cases = [
        (refused(rules, good, &[[0, 0], [2, 0]]), "there is no way from place 0 to place 1"),
        (refused(rules, good, &[[1, 0]]), "place 0 is cell (1, 0), which is a wall"),
        (refused(rules, good, &[[0, 0], [3, 0]]), "place 1 is cell (3, 0), which is off the map"),
        (refused(rules, good, &vec![[0, 0]; 1025]), "1025 places; roads join at most 1024"),
        (refused(rules, Ground { width: 4, ..good }, &[]), "6 cells for a map of 4 x 2"),
        (refused(rules, Ground { heights: &[0; 5], ..good }, &[]), "5 cells for a map of 3 x 2"),
        (refused(rules, Ground { height: 0, ..good }, &[]), "a map of 3 x 0 cells"),
        (refused(rules, Ground { cell_size: 0.0, ..good }, &[]), "cell size 0 m"),
        (
            refused(Roads { slope: 0.0, ..rules }, good, &[]),
            "`slope` is 0; it must be 0.001 to 1000",
        ),
        (refused(Roads { slope: f64::NAN, ..rules }, good, &[]), "`slope` is NaN"),
        (refused(Roads { reuse: 1.5, ..rules }, good, &[]), "`reuse` is 1.5; it must be 0 to 1"),
    ];
    for (found, expected) in cases {
        assert!(found.contains(expected), "{found}");
    }
}
