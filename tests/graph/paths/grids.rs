//! Searches on grids against textbook ones.

use crate::common::oracle;
use crate::paths::textbook;
use crate::paths::textbook::{Case, cases};
use proptest::prelude::*;
use throng::graph::grid::{Heuristic, Neighbours, StepCosts, steps};
use throng::graph::{Graph, Grid, Search};
use throng::map::Window;

/// What every step of a way costs, by the graph's own edges.
fn cost_of(graph: &impl Graph, path: &[u32]) -> Option<u32> {
    path.windows(2).try_fold(0, |sum, pair| {
        let mut cost = None;
        graph.each_edge(pair[0], |to, step| cost = if to == pair[1] { Some(step) } else { cost });
        Some(sum + cost?)
    })
}

/// Where the steps out of a cell lead.
fn ends_of(graph: &Grid, cell: u32) -> Vec<u32> {
    let mut ends = Vec::new();
    graph.each_edge(cell, |to, _| ends.push(to));
    ends
}

/// A grid that leaves out no steps.
struct AllEdges<'a>(&'a Grid);

impl Graph for AllEdges<'_> {
    fn node_count(&self) -> u32 {
        self.0.node_count()
    }

    fn each_edge(&self, node: u32, visit: impl FnMut(u32, u32)) {
        self.0.each_edge(node, visit);
    }
}

/// Searches, and checks that the way is one: cost and path.
fn way(
    search: &mut Search,
    graph: &Grid,
    case: &Case,
    heuristic: Heuristic,
) -> Option<(u32, Vec<u32>)> {
    let goal = case.goal;
    let estimate = graph.estimate(heuristic, goal);
    let found = search.find(graph, &[(case.start, 0)], |cell| cell == goal, estimate)?;
    let mut path = vec![1, 2, 3];
    search.path(goal, &mut path);
    assert_eq!((found.node, path[0], path[path.len() - 1]), (goal, case.start, goal));
    assert_eq!(cost_of(graph, &path), Some(found.cost));
    assert_eq!(search.cost(goal), Some(found.cost));
    Some((found.cost, path))
}

proptest! {
    #![proptest_config(crate::common::cases(1_500))]

    #[test]
    fn uniform_ways_have_the_textbook_length(case in cases(32, false)) {
        let lengths = textbook::lengths(&case.class, case.start);
        let costs = oracle::octile(&case.class, &[case.start]);
        let graph = Grid::new(&case.class);
        let mut search = Search::default();
        for heuristic in [Heuristic::Zero, Heuristic::Euclid, Heuristic::Octile] {
            let found = way(&mut search, &graph, &case, heuristic);
            let length = lengths[case.goal as usize];
            prop_assert_eq!(found.is_some(), length.is_finite());
            prop_assert_eq!(found.is_some(), case.class.same_component(case.start, case.goal));
            let Some((cost, path)) = found else { continue };
            let walked = steps(&case.class, &path).expect("a way").length();
            // Costs of other ground are rounded more.
            if case.class.least() == 16 {
                prop_assert!((walked - length).abs() < 1e-6, "{walked} {length} {heuristic:?}");
            }
            prop_assert_eq!(cost, costs[case.goal as usize] as u32);
        }
    }

    #[test]
    fn uneven_ways_have_the_textbook_cost(case in cases(24, true)) {
        let costs = oracle::octile(&case.class, &[case.goal]);
        let graph = Grid::new(&case.class);
        let mut search = Search::default();
        for heuristic in [Heuristic::Zero, Heuristic::Euclid, Heuristic::Octile] {
            let found = way(&mut search, &graph, &case, heuristic).map(|(cost, _)| cost);
            let cost = costs[case.start as usize];
            prop_assert_eq!(found, (cost != i32::MAX).then_some(cost as u32), "{:?}", heuristic);
        }
    }

    #[test]
    fn steps_that_are_left_out_are_not_needed(
        case in prop_oneof![cases(24, false), cases(24, true)],
        coarse: bool,
    ) {
        let costs = if coarse { StepCosts::COARSE } else { StepCosts::FINE };
        let graph = Grid::with(&case.class, Neighbours::Eight, costs);
        let (mut few, mut all) = (Search::default(), Search::default());
        few.find(&graph, &[(case.start, 0)], |_| false, |_| 0);
        all.find(&AllEdges(&graph), &[(case.start, 0)], |_| false, |_| 0);
        let slowness = case.class.slowness();
        let around = |cell: u32| ends_of(&graph, cell);
        let is_even = |cell: u32| {
            around(cell).iter().all(|&to| slowness[to as usize] == slowness[cell as usize])
        };
        for cell in 0..graph.node_count() {
            prop_assert_eq!(few.cost(cell), all.cost(cell));
            // Ways of equal cost are only left out over even ground.
            if !around(cell).into_iter().any(is_even) {
                prop_assert_eq!(few.parent(cell), all.parent(cell));
            }
        }
    }

    #[test]
    fn dijkstra_finds_the_nearest_of_many_goals(case in cases(24, true), more in 1_u32..9) {
        let open = (0..case.class.slowness().len() as u32).filter(|&c| case.class.passable(c));
        let goals: Vec<u32> = open.skip(more as usize).step_by(7 * more as usize).collect();
        let costs = oracle::octile(&case.class, &goals);
        let graph = Grid::new(&case.class);
        let mut search = Search::default();
        let is_goal = |cell: u32| goals.binary_search(&cell).is_ok();
        let found = search.find(&graph, &[(case.start, 0)], is_goal, |_| 0);
        let cost = costs[case.start as usize];
        prop_assert_eq!(found.map(|f| f.cost), (cost != i32::MAX).then_some(cost as u32));
        prop_assert!(found.is_none_or(|f| is_goal(f.node)));
        // Backwards, from all goals at once.
        let starts: Vec<(u32, u32)> = goals.iter().map(|&goal| (goal, 0)).collect();
        let back = search.find(&graph, &starts, |cell| cell == case.start, |_| 0);
        prop_assert_eq!(back.map(|f| f.cost), found.map(|f| f.cost));
    }

    #[test]
    fn a_greedy_way_is_a_way(case in cases(24, true)) {
        let graph = Grid::new(&case.class);
        let mut search = Search::default();
        let best = way(&mut search, &graph, &case, Heuristic::Octile).map(|(cost, _)| cost);
        let goal = case.goal;
        for heuristic in [Heuristic::Manhattan, Heuristic::Octile, Heuristic::Euclid] {
            let estimate = graph.estimate(heuristic, goal);
            let found = search.greedy(&graph, &[(case.start, 0)], |cell| cell == goal, estimate);
            prop_assert_eq!(found.is_some(), best.is_some());
            let Some(found) = found else { continue };
            let mut path = Vec::new();
            search.path(goal, &mut path);
            prop_assert_eq!((path[0], path[path.len() - 1]), (case.start, goal));
            prop_assert_eq!(cost_of(&graph, &path), Some(found.cost));
            prop_assert!(Some(found.cost) >= best);
        }
    }

    #[test]
    fn four_neighbours_take_the_fewest_steps(case in cases(20, false)) {
        let stride = case.class.stride();
        let fewest = textbook::steps(case.start, case.goal, |cell| {
            let around = [cell - stride, cell - 1, cell + 1, cell + stride];
            around.into_iter().filter(|&c| case.class.passable(c)).collect()
        });
        let plain = u32::from(case.class.least());
        let graph = Grid::with(&case.class, Neighbours::Four, StepCosts::FINE);
        let mut search = Search::default();
        use Heuristic::*;
        for heuristic in [Zero, Manhattan, Euclid, Octile] {
            let found = way(&mut search, &graph, &case, heuristic).map(|(cost, _)| cost);
            prop_assert_eq!(found, fewest.map(|steps| steps * 16 * plain), "{:?}", heuristic);
        }
    }

    #[test]
    fn hexagons_take_the_fewest_steps(case in cases(20, false)) {
        let (map, class) = (&case.map, &case.class);
        // Middles of cells, in half widths and in rows; neighbours are 2 apart in their row, or one
        // half width and one row.
        let middle = |cell| {
            let (x, y) = map.cell(cell);
            (2 * i64::from(x) + i64::from(y % 2), i64::from(y))
        };
        let open: Vec<u32> =
            (0..class.slowness().len() as u32).filter(|&c| class.passable(c)).collect();
        let touch = |a, b| {
            let ((ax, ay), (bx, by)): ((i64, i64), (i64, i64)) = (middle(a), middle(b));
            matches!(((ax - bx).abs(), (ay - by).abs()), (2, 0) | (1, 1))
        };
        let fewest = textbook::steps(case.start, case.goal, |cell| {
            open.iter().copied().filter(|&other| touch(cell, other)).collect()
        });
        let plain = u32::from(class.least());
        let graph = Grid::with(class, Neighbours::Hex, StepCosts::FINE);
        let mut search = Search::default();
        for heuristic in [Heuristic::Zero, Heuristic::Euclid, Heuristic::Octile] {
            let found = way(&mut search, &graph, &case, heuristic).map(|(cost, _)| cost);
            prop_assert_eq!(found, fewest.map(|steps| steps * 16 * plain), "{:?}", heuristic);
        }
    }

    #[test]
    fn estimates_are_consistent_and_octile_is_the_greatest(case in cases(16, true)) {
        for neighbours in [Neighbours::Four, Neighbours::Eight, Neighbours::Hex] {
            for costs in [StepCosts::FINE, StepCosts::COARSE] {
                let graph = Grid::with(&case.class, neighbours, costs);
                let [zero, manhattan, euclid, octile] =
                    [Heuristic::Zero, Heuristic::Manhattan, Heuristic::Euclid, Heuristic::Octile]
                        .map(|heuristic| graph.estimate(heuristic, case.goal));
                prop_assert_eq!(euclid(case.goal) + octile(case.goal), 0);
                for node in 0..graph.node_count() {
                    graph.each_edge(node, |to, cost| {
                        assert!(zero(node) == 0);
                        assert!(euclid(node) <= euclid(to) + cost);
                        assert!(octile(node) <= octile(to) + cost);
                        if neighbours == Neighbours::Four {
                            assert!(manhattan(node) <= manhattan(to) + cost);
                        }
                        assert!(euclid(node) <= octile(node));
                    });
                }
            }
        }
    }

    #[test]
    fn a_repaired_grid_is_a_new_one(
        case in cases(20, true),
        (x, y, width, height) in (0_u32..20, 0_u32..20, 1_u32..6, 1_u32..6),
        slowness in prop_oneof![Just(0_u8), Just(16), 1_u8..],
    ) {
        let (across, down) = (case.map.width(), case.map.height());
        let (x, y) = (x % across, y % down);
        let inside = |i: u32| {
            (x..x + width).contains(&(i % across)) && (y..y + height).contains(&(i / across))
        };
        let old = |i: u32| case.map.slowness()[case.map.index(i % across, i / across) as usize];
        let cell = |i| if inside(i) { slowness } else { old(i) };
        let cells: Vec<u8> = (0..across * down).map(cell).collect();
        let class = throng::Map::from_slowness(across, down, 1.0, &cells).class(0.0);
        let window = Window { min: [x + 1, y + 1], max: [x + 1 + width, y + 1 + height] };
        for neighbours in [Neighbours::Four, Neighbours::Eight, Neighbours::Hex] {
            let mut graph = Grid::with(&case.class, neighbours, StepCosts::FINE);
            graph.repair(&class, window);
            prop_assert!(graph == Grid::with(&class, neighbours, StepCosts::FINE));
        }
    }
}

#[test]
fn coarse_costs_are_ten_and_fourteen() {
    let case = textbook::drawn(&["s....", ".....", "....g"]);
    let graph = Grid::with(&case.class, Neighbours::Eight, StepCosts::COARSE);
    let found = way(&mut Search::default(), &graph, &case, Heuristic::Octile).unwrap();
    assert_eq!(found.0, 2 * 14 + 2 * 10);
    let fine = way(&mut Search::default(), &Grid::new(&case.class), &case, Heuristic::Octile);
    assert_eq!(fine.unwrap().0, 2 * 362 + 2 * 256);
    for (a, b) in (0..=255_u8).flat_map(|a| [(a, a), (a, 255 - a), (a, 16)]) {
        let costs = StepCosts::FINE.between(a, b);
        let sum = u32::from(a) + u32::from(b);
        assert_eq!(costs.straight, (8 * sum).max(1));
        assert_eq!(costs.diagonal, ((181 * sum) >> 4).max(1));
    }
}

#[test]
fn manhattan_may_miss_the_shortest_way_over_eight_neighbours() {
    let mut missed = 0;
    let mut random = crate::common::terrain::Random(5);
    for _ in 0..200 {
        let map = crate::common::terrain::noise(40, 30, random.next());
        let class = map.class(0.0);
        let start = crate::common::terrain::passable_cell(class.slowness(), 100).unwrap();
        let goal = crate::common::terrain::passable_cell(class.slowness(), 900).unwrap();
        let case = Case { map, class, start, goal };
        let graph = Grid::new(&case.class);
        let mut search = Search::default();
        let best = way(&mut search, &graph, &case, Heuristic::Octile);
        let found = way(&mut search, &graph, &case, Heuristic::Manhattan);
        let [best, found] = [best, found].map(|way| way.map(|(cost, _)| cost));
        assert_eq!(best.is_some(), found.is_some());
        assert!(found >= best);
        missed += u32::from(found > best);
    }
    assert!(missed > 20, "{missed}");
}
