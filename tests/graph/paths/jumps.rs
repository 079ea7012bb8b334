//! Jump points against A* and the textbook.

use crate::common::terrain::Random;
use crate::common::{oracle, terrain};
use crate::paths::textbook;
use crate::paths::textbook::cases;
use proptest::prelude::*;
use throng::graph::grid::steps;
use throng::graph::jump::JumpError;
use throng::graph::{Grid, Jump, Search};
use throng::map::{Map, Window};

proptest! {
    #![proptest_config(crate::common::cases(3_000))]

    #[test]
    fn jumps_have_the_textbook_length(case in cases(40, false)) {
        let lengths = textbook::lengths(&case.class, case.start);
        let costs = oracle::octile(&case.class, &[case.start]);
        let jump = Jump::new(&case.class).unwrap();
        let (mut search, mut path) = (Search::default(), Vec::new());
        // To every ninth cell, so that all directions occur.
        for goal in (case.goal % 9..case.class.slowness().len() as u32).step_by(9) {
            if !case.class.passable(goal) {
                continue;
            }
            let found = jump.find(&mut search, case.start, goal);
            let length = lengths[goal as usize];
            prop_assert_eq!(found.is_some(), length.is_finite());
            jump.path(&search, goal, &mut path);
            prop_assert_eq!(path.is_empty(), found.is_none());
            let Some(found) = found else { continue };
            prop_assert_eq!((path[0], path[path.len() - 1]), (case.start, goal));
            let walked = steps(&case.class, &path).expect("a way");
            // Costs of other ground are rounded more.
            if case.class.least() == 16 {
                prop_assert!((walked.length() - length).abs() < 1e-6);
            }
            prop_assert_eq!(found.cost, costs[goal as usize] as u32);
            let plain = u32::from(case.class.least());
            let diagonal = (362 * 2 * plain) >> 5;
            prop_assert_eq!(found.cost, walked.straights * 16 * plain + walked.diagonals * diagonal);
        }
    }
}

/// Long jumps: more than one word of bits, ending at every place in one.
#[test]
fn long_jumps_cost_what_dijkstra_finds() {
    let mut random = Random(3);
    let mut found_ways = 0;
    for i in 0..60 {
        let (width, height) = (100 + random.below(200), 70 + random.below(100));
        let (width, height) = if i % 2 == 0 { (width, height) } else { (height, width) };
        let walls = [1, 3, 10, 30][random.below(4) as usize];
        let mut cell = |_| if random.below(1000) < walls { 0 } else { 16 };
        let cells: Vec<u8> = (0..width * height).map(&mut cell).collect();
        let class = Map::from_slowness(width, height, 1.0, &cells).class(0.0);
        let (jump, grid) = (Jump::new(&class).unwrap(), Grid::new(&class));
        let (mut search, mut other) = (Search::default(), Search::default());
        let start = terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
        other.find(&grid, &[(start, 0)], |_| false, |_| 0);
        for _ in 0..40 {
            let goal = terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
            let found = jump.find(&mut search, start, goal).map(|found| found.cost);
            assert_eq!(found, other.cost(goal), "map {i}");
            found_ways += u32::from(found.is_some());
        }
    }
    assert!(found_ways > 2_000);
}

/// A way along a wall of every length, around its end and back: in all four directions.
#[test]
fn a_jump_stops_where_the_wall_beside_it_ends() {
    for length in 1..200_u32 {
        for (turned, mirrored) in [(false, false), (false, true), (true, false), (true, true)] {
            let (width, height) = if turned { (2, 202) } else { (202, 2) };
            // Places along the way, and 0 or 1 aside; the wall is aside.
            let index = |along: u32, aside: u32| {
                let along = if mirrored { 201 - along } else { along };
                if turned { (aside, along) } else { (along, aside) }
            };
            let mut cells = vec![16; 404];
            for along in 0..length {
                let (x, y) = index(along, 1);
                cells[(y * width + x) as usize] = 0;
            }
            let map = Map::from_slowness(width, height, 1.0, &cells);
            let cell = |along, aside| {
                let (x, y) = index(along, aside);
                map.index(x, y)
            };
            let jump = Jump::new(&map.class(0.0)).unwrap();
            let (mut search, mut path) = (Search::default(), Vec::new());
            let found = jump.find(&mut search, cell(0, 0), cell(length, 1));
            assert_eq!(found.map(|found| found.cost), Some(256 * (length + 1)));
            jump.path(&search, cell(length, 1), &mut path);
            let way: Vec<u32> = (0..=length).map(|at| cell(at, 0)).collect();
            assert_eq!(path, [way, vec![cell(length, 1)]].concat());
        }
    }
}

#[test]
fn uneven_ground_is_refused() {
    let class = Map::from_slowness(3, 1, 1.0, &[16, 0, 20]).class(0.0);
    let error = Jump::new(&class).unwrap_err();
    assert_eq!(error, JumpError::Uneven { least: 16, greatest: 20 });
    assert!(error.to_string().contains("16 to 20"));
    // Of any one slowness it may be.
    let class = Map::from_slowness(3, 1, 1.0, &[20, 20, 0]).class(0.0);
    let jump = Jump::new(&class).unwrap();
    let found = jump.find(&mut Search::default(), 6, 7);
    assert_eq!(found.map(|found| found.cost), Some(320));
}

proptest! {
    #[test]
    fn repaired_jumps_are_new_ones(
        case in cases(80, false),
        (x, y, width, height) in (0_u32..80, 0_u32..80, 1_u32..9, 1_u32..9),
        wall: bool,
    ) {
        let (across, down) = (case.map.width(), case.map.height());
        let (x, y) = (x % across, y % down);
        let inside = |i: u32| {
            (x..x + width).contains(&(i % across)) && (y..y + height).contains(&(i / across))
        };
        let old = |i: u32| case.map.slowness()[case.map.index(i % across, i / across) as usize];
        let open = if wall { 0 } else { case.class.least() };
        let cell = |i| if inside(i) { open } else { old(i) };
        let cells: Vec<u8> = (0..across * down).map(cell).collect();
        let class = Map::from_slowness(across, down, 1.0, &cells).class(0.0);
        let mut jump = Jump::new(&case.class).unwrap();
        let window = Window { min: [x + 1, y + 1], max: [x + 1 + width, y + 1 + height] };
        jump.repair(&class, window).unwrap();
        prop_assert!(jump == Jump::new(&class).unwrap());
    }
}
