//! Walks cell by cell, without a world.

use std::collections::BTreeSet;

use throng::map::area::GoalCells;
use throng::map::{Clearance, Map};
use throng::nav::navigator::{Ground, Navigator, Walk, WalkOptions, Walker, route, walk};

use crate::common::terrain::{Random, noise};

/// A map of rows: `#` is a wall, `=` a road.
pub(crate) fn drawn(rows: &[&str]) -> Map {
    let cell = |letter| match letter {
        b'#' => 0,
        b'=' => 8,
        _ => 16,
    };
    let cells: Vec<u8> = rows.iter().flat_map(|row| row.bytes().map(cell)).collect();
    Map::from_slowness(rows[0].len() as u32, rows.len() as u32, 1.0, &cells)
}

fn open(side: u32) -> Map {
    Map::from_slowness(side, side, 1.0, &vec![16; (side * side) as usize])
}

fn go(navigator: Navigator, class: &Clearance, from: u32, to: u32) -> Walk {
    walk(navigator, class, from, &GoalCells::point(to), &WalkOptions::default())
}

/// Every step of a walk is to one of the eight cells around, and cuts no corner.
fn check_steps(walk: &Walk, class: &Clearance) {
    let ground = Ground::new(class);
    for pair in walk.cells.windows(2) {
        let heading = ground.heading_to(pair[0], pair[1]).expect("a cell beside");
        assert_eq!(ground.step(pair[0], heading), Some(pair[1]), "the step is free");
    }
}

#[test]
fn straight_walks_draw_the_line() {
    let map = open(60);
    let class = map.class(0.3);
    let ground = Ground::new(&class);
    let mut random = Random(5);
    for _ in 0..500 {
        let mut cell = || map.index(random.below(60), random.below(60));
        let (from, to) = (cell(), cell());
        let walk = go(Navigator::Straight, &class, from, to);
        assert!(walk.arrived);
        check_steps(&walk, &class);
        let (a, b) = (ground.place(from), ground.place(to));
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        let long = x.abs().max(y.abs());
        assert_eq!(walk.cells.len() as i32, long + 1, "one step along the longer axis each");
        for &cell in &walk.cells {
            let [i, j] = ground.place(cell);
            let aside = x * (j - a[1]) - y * (i - a[0]);
            assert!(2 * aside.abs() <= long, "no centre lies more than half a cell aside");
        }
    }
}

#[test]
fn straight_walks_stop_at_walls() {
    let map = drawn(&["........", "...#....", "........"]);
    let class = map.class(0.3);
    let walk = go(Navigator::Straight, &class, map.index(0, 1), map.index(7, 1));
    assert!(!walk.arrived);
    assert_eq!(walk.cells.last(), Some(&map.index(2, 1)));
}

/// Whether a segment between the centres of two cells touches the square of another, edges and
/// corners included: no axis of x, of y or across the segment parts them.
fn touches(a: [i32; 2], b: [i32; 2], cell: [i32; 2]) -> bool {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    // Doubled, so that centres and corners are whole.
    let apart = |i: usize| {
        let (low, high) = (2 * a[i].min(b[i]), 2 * a[i].max(b[i]));
        2 * cell[i] + 1 < low || high < 2 * cell[i] - 1
    };
    let side =
        |cx: i32, cy: i32| x * (2 * cell[1] + cy - 2 * a[1]) - y * (2 * cell[0] + cx - 2 * a[0]);
    let sides = [side(-1, -1), side(1, -1), side(-1, 1), side(1, 1)];
    let across = sides.iter().all(|&s| s > 0) || sides.iter().all(|&s| s < 0);
    !apart(0) && !apart(1) && !across
}

#[test]
fn a_line_is_clear_where_every_cell_it_touches_is_open() {
    let mut random = Random(77);
    let mut clear = [0; 2];
    for seed in 0..40 {
        let map = noise(14, 6 + seed % 10, u64::from(seed));
        let class = map.class(0.3);
        let ground = Ground::new(&class);
        for _ in 0..100 {
            let mut cell = || map.index(random.below(14), random.below(14));
            let (from, to) = (cell(), cell());
            let (a, b) = (ground.place(from), ground.place(to));
            let all = (0..class.slowness().len() as u32)
                .all(|cell| ground.is_open(cell) || !touches(a, b, ground.place(cell)));
            assert_eq!(ground.sees(from, to, false), all, "{a:?} to {b:?}");
            clear[usize::from(all)] += 1;
        }
    }
    assert!(clear[0] > 500 && clear[1] > 500, "{clear:?}");
}

/// Shapes without a hollow, as the cells of an open map that they cover.
fn convex(kind: u32, random: &mut Random) -> Map {
    let (x, y) = (12 + random.below(16) as i32, 12 + random.below(16) as i32);
    let (a, b) = (1 + random.below(9) as i32, 1 + random.below(9) as i32);
    let inside = |i: i32, j: i32| {
        let (i, j) = (i - x, j - y);
        match kind {
            0 => i.abs() <= a && j.abs() <= b,
            1 => i * i + j * j <= a * a,
            2 => i.abs() + j.abs() <= a,
            _ => i * b + j * a <= a * b && i >= -2 && j >= -2,
        }
    };
    let cells: Vec<u8> =
        (0..1600).map(|cell| if inside(cell % 40, cell / 40) { 0 } else { 16 }).collect();
    Map::from_slowness(40, 40, 1.0, &cells)
}

#[test]
fn tracing_never_loops_on_a_convex_obstacle() {
    let mut random = Random(9);
    let mut traced = 0;
    for case in 0..2_000 {
        let map = convex(case % 4, &mut random);
        let class = map.class(0.3);
        let mut cell = || loop {
            let cell = map.index(random.below(40), random.below(40));
            if class.passable(cell) {
                return cell;
            }
        };
        let (from, to) = (cell(), cell());
        if !class.same_component(from, to) {
            continue;
        }
        for navigator in [Navigator::Trace, Navigator::TraceSight] {
            let walk = go(navigator, &class, from, to);
            assert!(walk.arrived, "{navigator:?}, case {case}");
            check_steps(&walk, &class);
            let steps: BTreeSet<&[u32]> = walk.cells.windows(2).collect();
            let count = walk.cells.len() - 1;
            assert_eq!(steps.len(), count, "{navigator:?}, case {case}: a step is done twice");
        }
        let straight = go(Navigator::Straight, &class, from, to);
        traced += u32::from(!straight.arrived);
    }
    assert!(traced > 300, "{traced} obstacles were in the way");
}

/// Arrivals of a hundred walks on maps of a share of walls.
fn arrivals(navigator: Navigator, percent: u32) -> u32 {
    let mut random = Random(31);
    let mut arrived = 0;
    let mut seed = 0;
    let mut walks = 0;
    while walks < 100 {
        seed += 1;
        let map = noise(64, percent, seed);
        let class = map.class(0.3);
        let mut cell = || map.index(random.below(64), random.below(64));
        let (from, to) = (cell(), cell());
        if !class.same_component(from, to) {
            continue;
        }
        let options = WalkOptions { seed, most_steps: 20_000, trail: &[] };
        let walk = walk(navigator, &class, from, &GoalCells::point(to), &options);
        check_steps(&walk, &class);
        arrived += u32::from(walk.arrived);
        walks += 1;
    }
    arrived
}

#[test]
fn arrival_rates_are_those_of_the_methods() {
    let navigators = [
        (Navigator::Straight, [0, 0, 0]),
        (Navigator::RandomAvoid, [80, 60, 20]),
        (Navigator::Trace, [100, 100, 100]),
        (Navigator::TraceSight, [90, 50, 15]),
    ];
    for (navigator, least) in navigators {
        let rates = [5, 15, 30].map(|percent| arrivals(navigator, percent));
        eprintln!("{:<12} of 100 at 5, 15, 30 % walls: {rates:?}", navigator.name());
        assert!(rates.iter().zip(least).all(|(&rate, least)| rate >= least), "{rates:?}");
        assert!(rates[0] >= rates[2], "{}: more walls, fewer arrive: {rates:?}", navigator.name());
    }
    assert!(arrivals(Navigator::Straight, 15) < 60, "walls stop those who go straight");
}

#[test]
fn tracing_to_the_line_leaves_a_spiral_and_tracing_to_sight_goes_round_a_hidden_goal() {
    // The goal lies in the middle of a spiral.
    let map = drawn(&[
        "...............",
        ".#############.",
        ".#...........#.",
        ".#.#########.#.",
        ".#.#.......#.#.",
        ".#.#.###.#.#.#.",
        ".#.#.#...#.#.#.",
        ".#.#.#####.#.#.",
        ".#.#.......#.#.",
        ".#.#########.#.",
        ".#...........#.",
        ".#.###########.",
        "...............",
    ]);
    let class = map.class(0.3);
    // The inner ring is shut, so leave it a door.
    let goal = map.index(2, 6);
    let walk = go(Navigator::Trace, &class, map.index(0, 6), goal);
    assert!(walk.arrived);
    check_steps(&walk, &class);
    // A box with its door away from all that is seen from the outline of the pillar before it.
    let map = drawn(&[
        "....................",
        "....................",
        ".........#######....",
        ".........#.....#....",
        "....#....#.....#....",
        ".........#....##....",
        ".........#....#.....",
        ".........####.#.....",
        "............#.#.....",
        "....................",
    ]);
    let class = map.class(0.3);
    let goal = map.index(12, 4);
    assert!(!go(Navigator::TraceSight, &class, map.index(0, 4), goal).arrived);
    assert!(go(Navigator::Trace, &class, map.index(0, 4), goal).arrived);
}

#[test]
fn followers_take_the_newest_crumb_and_cut_loops() {
    let map = open(40);
    let class = map.class(0.3);
    // The leader went right, made a loop down and back, and crossed its trail on the way up.
    let mut trail: Vec<u32> = (5..=15).map(|x| map.index(x, 10)).collect();
    trail.extend((11..=20).map(|y| map.index(15, y)));
    trail.extend((10..15).rev().map(|x| map.index(x, 20)));
    trail.extend((0..20).rev().map(|y| map.index(10, y)));
    let leader = *trail.last().unwrap();
    let options = WalkOptions { trail: &trail, ..WalkOptions::default() };
    let start = map.index(4, 10);
    let goal = GoalCells::point(leader);
    let walked = walk(Navigator::Breadcrumbs, &class, start, &goal, &options);
    assert!(walked.arrived);
    check_steps(&walked, &class);
    // Six cells to the crossing and ten up; the loop of 30 is not walked.
    assert!(walked.cells.len() < 20, "{} of {} cells", walked.cells.len(), trail.len());
    // Off the trail they wander until they meet it.
    let far = walk(Navigator::Breadcrumbs, &class, map.index(2, 30), &goal, &options);
    assert!(far.arrived && far.cells.len() > 30, "{}", far.cells.len());
    // A walker on the newest crumb stays.
    let ground = Ground::new(&class);
    let mut walker = Walker::new(&ground, leader, leader);
    assert_eq!(walker.next(Navigator::Breadcrumbs, &ground, leader, 1, &trail), None);
}

/// A ring of road so many cells wide on open ground, and the cells of its middle line.
fn ring(wide: u32) -> (Map, u32) {
    let side = 40;
    let on = |at: u32| {
        let (x, y) = (at % side, at / side);
        let edge = x.min(y).min(side - 1 - x).min(side - 1 - y);
        (4..4 + wide).contains(&edge)
    };
    let cells: Vec<u8> = (0..side * side).map(|at| if on(at) { 8 } else { 16 }).collect();
    (Map::from_slowness(side, side, 1.0, &cells), 4 * (side - 8 - wide))
}

#[test]
fn roads_are_never_left() {
    for wide in 1..=3 {
        let (map, lap) = ring(wide);
        let class = map.class(0.3);
        let ground = Ground::new(&class);
        for heading in 0..8 {
            let start = map.index(20, 4 + wide / 2);
            let mut walker = Walker { heading, ..Walker::new(&ground, start, start) };
            let mut seen = BTreeSet::new();
            for step in 0..1_000 * lap {
                let next = walker.next(Navigator::Road, &ground, 0, 1, &[]);
                let cell = next.expect("there is always a step");
                assert_eq!(ground.slowness(cell), 8, "{wide} wide, heading {heading}, step {step}");
                seen.insert(cell);
            }
            assert!(seen.len() as u32 >= lap / 2, "it goes round: {} of {lap}", seen.len());
        }
    }
}

#[test]
fn off_the_road_they_go_straight_until_there_is_one() {
    let map = drawn(&["......=", "......=", "......=", "......=", "......="]);
    let class = map.class(0.3);
    let ground = Ground::new(&class);
    let mut walker = Walker::new(&ground, map.index(0, 2), map.index(6, 2));
    for x in 1..=6 {
        let next = walker.next(Navigator::Road, &ground, 0, 1, &[]);
        // One before the road all three ahead are road; straight on is worth most.
        assert_eq!(next, Some(map.index(x, 2)));
    }
    let next = walker.next(Navigator::Road, &ground, 0, 1, &[]).unwrap();
    assert_eq!(ground.slowness(next), 8, "it turns into the road");
}

/// A maze without loops: cells at odd places joined by a random tree.
pub(crate) fn maze(rooms: u32, seed: u64) -> Map {
    let side = 2 * rooms + 1;
    let mut cells = vec![0_u8; (side * side) as usize];
    let mut random = Random(seed);
    let mut stack = vec![(1_u32, 1_u32)];
    cells[(side + 1) as usize] = 16;
    while let Some(&(x, y)) = stack.last() {
        let ways: Vec<(u32, u32)> =
            [(x + 2, y), (x, y + 2), (x.wrapping_sub(2), y), (x, y.wrapping_sub(2))]
                .into_iter()
                .filter(|&(x, y)| x < side && y < side && cells[(y * side + x) as usize] == 0)
                .collect();
        let Some(&(i, j)) = ways.get(random.below(ways.len().max(1) as u32) as usize) else {
            stack.pop();
            continue;
        };
        cells[((y + j) / 2 * side + (x + i) / 2) as usize] = 16;
        cells[(j * side + i) as usize] = 16;
        stack.push((i, j));
    }
    Map::from_slowness(side, side, 1.0, &cells)
}

/// Every cell that has a wall among the eight around it.
fn boundary(class: &Clearance, from: u32) -> BTreeSet<u32> {
    let ground = Ground::new(class);
    let at_wall = |cell: u32| (0..8).any(|h| !ground.is_open(ground.beside(cell, h)));
    let all = 0..class.slowness().len() as u32;
    all.filter(|&cell| class.same_component(cell, from) && at_wall(cell)).collect()
}

#[test]
fn a_hand_on_the_wall_sees_the_whole_boundary_of_a_maze() {
    let mut mazes: Vec<Map> = (0..30).map(|seed| maze(12, seed)).collect();
    // The same, three times as large, so that ways are three cells wide.
    for seed in 0..10 {
        let small = maze(8, 100 + seed);
        let side = small.width() * 3;
        let cell = |at: u32| small.slowness()[small.index(at % side / 3, at / side / 3) as usize];
        let cells: Vec<u8> = (0..side * side).map(cell).collect();
        mazes.push(Map::from_slowness(side, side, 1.0, &cells));
    }
    for (i, map) in mazes.iter().enumerate() {
        let class = map.class(0.3);
        let ground = Ground::new(&class);
        let start = (0..class.slowness().len() as u32).find(|&c| class.passable(c)).unwrap();
        let expected = boundary(&class, start);
        let mut walker = Walker::new(&ground, start, start + 9);
        let mut seen = BTreeSet::from([start]);
        for _ in 0..4 * expected.len() {
            seen.insert(walker.next(Navigator::LeftHand, &ground, 0, 1, &[]).unwrap());
        }
        let missed = expected.difference(&seen).count();
        assert_eq!(missed, 0, "maze {i}: {missed} of {} cells", expected.len());
    }
}

#[test]
fn in_the_open_the_left_hand_goes_to_a_wall_first() {
    let map = open(30);
    let class = map.class(0.3);
    let ground = Ground::new(&class);
    let mut walker = Walker::new(&ground, map.index(10, 15), map.index(20, 15));
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        seen.insert(walker.next(Navigator::LeftHand, &ground, 0, 1, &[]).unwrap());
    }
    let missed = boundary(&class, map.index(0, 0)).difference(&seen).count();
    assert_eq!(missed, 0);
}

#[test]
fn routes_are_tight_free_and_whole() {
    let mut search = throng::graph::Search::default();
    let mut random = Random(3);
    let mut many = 0;
    for seed in 0..200 {
        let map = noise(64, 10 + (seed % 25) as u32, seed);
        let class = map.class(0.3);
        let ground = Ground::new(&class);
        let mut cell = || map.index(random.below(64), random.below(64));
        let (from, to) = (cell(), cell());
        if !class.same_component(from, to) {
            continue;
        }
        let goals = GoalCells::point(to);
        let grid = throng::graph::Grid::new(&class);
        let found = route::find(&grid, &class, &mut search, from, goals.seeds()).unwrap();
        let mut way = Vec::new();
        search.path(found.node, &mut way);
        // Corners, asked for again from the last one, lead to the goal by free lines.
        let (mut at, mut length, mut asked) = (from, 0.0, 0);
        while at != to || asked == 0 {
            let found = route::find(&grid, &class, &mut search, at, goals.seeds()).unwrap();
            search.path(found.node, &mut way);
            let corners = route::corners(&ground, &way);
            for &corner in &corners.cells[..corners.count] {
                assert!(ground.sees(at, corner, false) || at == corner);
                length += (ground.square(at, corner) as f64).sqrt();
                at = corner;
            }
            assert_eq!(corners.is_whole, at == to);
            asked += 1;
        }
        many += u32::from(asked > 1);
        let octile = f64::from(found.cost) / 256.0;
        assert!(length <= octile * 1.001 + 1e-9, "{length} against {octile}");
    }
    assert!(many > 5, "{many} ways have more than eight corners");
}
