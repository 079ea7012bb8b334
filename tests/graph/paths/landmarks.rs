//! Landmarks: the cost of A*, with fewer expansions.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::paths::textbook::cases;
use proptest::prelude::*;
use throng::graph::grid::Heuristic;
use throng::graph::landmarks::Landmarks;
use throng::graph::{Csr, Grid, Search};

#[test]
fn costs_are_those_of_a_star_with_fewer_expansions() {
    let maps = [
        ("rooms", terrain::rooms(256, 1), 0.6),
        ("maze", terrain::maze(256, 4, 1), 0.6),
        ("noise", terrain::noise(256, 30, 1), 0.6),
        ("weighted", terrain::weighted(256, 1), 0.6),
    ];
    for (name, map, most) in maps {
        let class = map.class(0.0);
        let grid = Grid::new(&class);
        let mut search = Search::default();
        let mut random = Random(1);
        let cell = |random: &mut Random| {
            terrain::passable_cell(class.slowness(), random.below(1000)).unwrap()
        };
        let within = terrain::passable_cell(class.slowness(), 500).unwrap();
        let landmarks = Landmarks::new(&grid, within, 8, &mut search);
        assert_eq!(landmarks.nodes().len(), 8);
        assert_eq!(landmarks.bytes(), 4 * 8 * (258 * 258 + 1));
        let (mut with, mut without, mut ways) = (0, 0, 0);
        while ways < 100 {
            let (start, goal) = (cell(&mut random), cell(&mut random));
            if !class.same_component(start, within) || !class.same_component(start, goal) {
                continue;
            }
            let octile = grid.estimate(Heuristic::Octile, goal);
            let cost = search.find(&grid, &[(start, 0)], |cell| cell == goal, &octile);
            without += search.expansions();
            let both = landmarks.estimate(goal, &octile);
            assert!(both(start) >= octile(start) && both(start) <= cost.unwrap().cost);
            assert_eq!(search.find(&grid, &[(start, 0)], |cell| cell == goal, both), cost);
            with += search.expansions();
            ways += 1;
        }
        let share = f64::from(with) / f64::from(without);
        eprintln!("{name}: {with} of {without} expansions, {share:.3}");
        assert!(share < most, "{name}: {share}");
    }
}

proptest! {
    #![proptest_config(crate::common::cases(500))]

    #[test]
    fn bounds_are_consistent_wherever_the_landmarks_are(
        case in cases(20, true),
        count in 0_u32..6,
        within in 0_u32..1000,
    ) {
        let grid = Grid::new(&case.class);
        let mut search = Search::default();
        let within = terrain::passable_cell(case.class.slowness(), within).unwrap();
        let landmarks = Landmarks::new(&grid, within, count, &mut search);
        prop_assert!(landmarks.nodes().len() <= count as usize);
        let goal = case.goal;
        let estimate = landmarks.estimate(goal, |_| 0);
        let dijkstra = search.find(&grid, &[(case.start, 0)], |cell| cell == goal, |_| 0);
        prop_assert!(dijkstra.is_none_or(|found| estimate(case.start) <= found.cost));
        let found = search.find(&grid, &[(case.start, 0)], |cell| cell == goal, estimate);
        prop_assert_eq!(found, dijkstra);
    }
}

#[test]
fn landmarks_are_the_farthest() {
    // A line of nodes 0 to 9 and one beside node 5, at 3.
    let mut edges: Vec<_> = (0..9).map(|i| (i, i + 1, 1)).chain([(5, 10, 3)]).collect();
    edges.extend(edges.clone().into_iter().map(|(a, b, cost)| (b, a, cost)));
    let line = Csr::new(12, &edges);
    let landmarks = Landmarks::new(&line, 4, 9, &mut Search::default());
    // From 4 both 9 and 0 are 5 away at most; then the far ends in turn.
    assert_eq!(landmarks.nodes()[..3], [9, 0, 10]);
    let estimate = landmarks.estimate(9, |_| 0);
    assert_eq!((0..=10).map(estimate).collect::<Vec<_>>(), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 7]);
    // The node that cannot be reached is none.
    assert!(!landmarks.nodes().contains(&11));
}
