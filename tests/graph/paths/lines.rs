//! Lines of sight over cells, and ways pulled straight.

use crate::common::oracle;
use crate::paths::textbook;
use crate::paths::textbook::cases;
use proptest::prelude::*;
use throng::graph::Grid;
use throng::graph::Search;
use throng::graph::grid::Heuristic;
use throng::graph::grid::smooth;
use throng::graph::grid::steps;

proptest! {
    #![proptest_config(crate::common::cases(1_500))]

    #[test]
    fn sight_is_that_of_every_cell_of_the_box(case in cases(24, true), slowest in 1_u8..) {
        let class = &case.class;
        let stride = i64::from(class.stride());
        let at = |cell: u32| (i64::from(cell) % stride, i64::from(cell) / stride);
        let opaque = |x: i64, y: i64| {
            let slowness = class.slowness()[(y * stride + x) as usize];
            slowness == 0 || slowness > slowest
        };
        for to in (0..class.slowness().len() as u32).step_by(5) {
            let sees = oracle::sees(at(case.start), at(to), opaque);
            prop_assert_eq!(class.sees(case.start, to, slowest), sees);
            prop_assert_eq!(class.sees(to, case.start, slowest), sees);
        }
    }

    #[test]
    fn a_pulled_way_sees_from_corner_to_corner_and_is_no_longer(case in cases(32, true)) {
        let (class, goal) = (&case.class, case.goal);
        let grid = Grid::new(class);
        let mut search = Search::default();
        let octile = grid.estimate(Heuristic::Octile, goal);
        if search.find(&grid, &[(case.start, 0)], |cell| cell == goal, octile).is_none() {
            return Ok(());
        }
        let (mut path, mut corners) = (Vec::new(), vec![7]);
        search.path(goal, &mut path);
        smooth(class, &path, &mut corners);
        prop_assert_eq!((corners[0], corners[corners.len() - 1]), (case.start, goal));
        let stride = class.stride();
        let mut length = 0.0;
        for pair in corners.windows(2) {
            prop_assert!(class.sees(pair[0], pair[1], u8::MAX));
            let across = f64::from((pair[0] % stride).abs_diff(pair[1] % stride));
            let down = f64::from((pair[0] / stride).abs_diff(pair[1] / stride));
            length += (across * across + down * down).sqrt();
            // Ground no slower than any that is left out.
            let at = |corner| path.iter().position(|&cell| cell == corner).unwrap();
            let part = &path[at(pair[0])..=at(pair[1])];
            let least = part.iter().map(|&cell| class.slowness()[cell as usize]).min().unwrap();
            prop_assert!(part.len() == 2 || class.sees(pair[0], pair[1], least));
        }
        prop_assert!(length <= steps(class, &path).unwrap().length() + 1e-9);
    }
}

#[test]
fn an_open_way_becomes_one_line() {
    let case = textbook::drawn(&["s.........", "..........", "...@......", ".........g"]);
    let grid = Grid::new(&case.class);
    let mut search = Search::default();
    let (mut path, mut corners) = (Vec::new(), Vec::new());
    let goal = case.goal;
    let octile = grid.estimate(Heuristic::Octile, goal);
    search.find(&grid, &[(case.start, 0)], |cell| cell == goal, octile).unwrap();
    search.path(goal, &mut path);
    smooth(&case.class, &path, &mut corners);
    assert_eq!(corners, [case.start, goal]);
    smooth(&case.class, &path[..1], &mut corners);
    assert_eq!(corners, [case.start]);
    smooth(&case.class, &[], &mut corners);
    assert!(corners.is_empty());
}

#[test]
fn a_broken_way_has_no_length() {
    let case = textbook::drawn(&["s.@", "@.g", "..."]);
    let cell = |x, y| case.map.index(x, y);
    let count = |cells: &[(u32, u32)]| {
        steps(&case.class, &cells.iter().map(|&(x, y)| cell(x, y)).collect::<Vec<_>>())
    };
    let both = count(&[(0, 0), (1, 0), (1, 1), (2, 2)]).unwrap();
    assert_eq!((both.straights, both.diagonals), (2, 1));
    // A jump, a wall, a corner that is cut.
    assert_eq!(count(&[(0, 0), (1, 0), (1, 2)]), None);
    assert_eq!(count(&[(1, 0), (2, 0)]), None);
    assert_eq!(count(&[(0, 0), (1, 1)]), None);
}
