//! Searches on grids: a query allocates nothing once the memory is as large as it has to be.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::{allocations, alone};
use throng::graph::grid::Heuristic;
use throng::graph::landmarks::Landmarks;
use throng::graph::{Grid, Jump, Search};

#[test]
fn a_warm_query_allocates_nothing() {
    let _alone = alone();
    let maps = [
        terrain::rooms(256, 1),
        terrain::noise(256, 20, 1),
        terrain::weighted(256, 1),
        terrain::maze(256, 2, 1),
    ];
    for map in maps {
        let class = map.class(0.0);
        let grid = Grid::new(&class);
        let jump = Jump::new(&class).ok();
        let mut search = Search::default();
        let mut path = Vec::new();
        let mut random = Random(2);
        let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
        let queries: Vec<(u32, u32)> = (0..12).map(|_| (cell(), cell())).collect();
        let landmarks = Landmarks::new(&grid, queries[0].0, 4, &mut search);
        let mut ways = 0;
        let mut run = || {
            ways = 0;
            for &(start, goal) in &queries {
                let starts = [(start, 0)];
                let octile = grid.estimate(Heuristic::Octile, goal);
                let is_goal = |cell| cell == goal;
                search.greedy(&grid, &starts, is_goal, &octile);
                search.find(&grid, &starts, is_goal, |_| 0);
                search.find(&grid, &starts, is_goal, landmarks.estimate(goal, &octile));
                ways += u32::from(search.find(&grid, &starts, is_goal, &octile).is_some());
                search.path(goal, &mut path);
                if let Some(jump) = &jump {
                    jump.find(&mut search, start, goal);
                    jump.path(&search, goal, &mut path);
                }
            }
        };
        let cold = allocations(|| {
            let mut search = Search::default();
            let (start, goal) = queries[0];
            search.find(&grid, &[(start, 0)], |cell| cell == goal, |_| 0);
        });
        assert!(cold > 3, "{cold} allocations of a cold query");
        run();
        assert_eq!(allocations(&mut run), 0);
        assert!(ways > 5);
        let held = search.bytes();
        assert!(held > 8 * 258 * 258 && held < 32 * 258 * 258, "{held}");
    }
}
