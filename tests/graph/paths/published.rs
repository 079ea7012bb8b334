//! Published optimal lengths: Dijkstra, A* with every estimate, landmarks and jump points.

use crate::common::data;
use crate::common::data::Row;
use rayon::prelude::*;
use std::path::Path;
use throng::graph::grid::{Heuristic, Neighbours, StepCosts, steps};
use throng::graph::landmarks::Landmarks;
use throng::graph::{Found, Grid, Jump, Search};
use throng::map::{Clearance, Map};

/// Rows of a file in the sample; with `THRONG_ALL=1` it is all of them.
const SAMPLE: usize = 4;
/// Landmarks of a map.
const LANDMARKS: u32 = 4;

/// Map and rows of a scenario file, without the rows in water and trees.
fn scenario(path: &Path) -> (Map, Vec<Row>) {
    let (name, mut rows) = data::scenario(path);
    let map = data::read_map(&path.with_file_name(name));
    let walkable = |(x, y): (u32, u32)| {
        matches!(map.letters()[(y * map.width() + x) as usize], b'.' | b'G' | b'S')
    };
    rows.retain(|row| walkable(row.start) && walkable(row.goal));
    (map, rows)
}

/// Searches on one map.
struct Methods<'a> {
    map: &'a Map,
    class: &'a Clearance,
    grid: Grid,
    four: Grid,
    jump: Jump,
    landmarks: Landmarks,
}

/// Memory of one thread, and what it counted.
#[derive(Default)]
struct Hands {
    search: Search,
    path: Vec<u32>,
    rows: u64,
    /// Expansions of Dijkstra, Euclid, octile, landmarks, jump points.
    expansions: [u64; 5],
    worst: f64,
}

impl Methods<'_> {
    fn check(&self, hands: &mut Hands, row: &Row) {
        let [start, goal] = [row.start, row.goal].map(|(x, y)| self.map.index(x, y));
        let is_goal = |cell: u32| cell == goal;
        let starts = [(start, 0)];
        let octile = self.grid.estimate(Heuristic::Octile, goal);
        let euclid = self.grid.estimate(Heuristic::Euclid, goal);
        let Hands { search, path, .. } = hands;
        let mut costs = [0; 5];
        let mut counts = [0; 5];
        let mut off: f64 = 0.0;
        for method in 0..5 {
            let found = match method {
                0 => search.find(&self.grid, &starts, is_goal, |_| 0),
                1 => search.find(&self.grid, &starts, is_goal, &euclid),
                2 => search.find(&self.grid, &starts, is_goal, &octile),
                3 => {
                    let estimate = self.landmarks.estimate(goal, &octile);
                    search.find(&self.grid, &starts, is_goal, estimate)
                }
                _ => self.jump.find(search, start, goal),
            };
            let Found { cost, .. } = found.unwrap_or_else(|| panic!("no way: {row:?}"));
            if method == 4 {
                self.jump.path(search, goal, path);
            } else {
                search.path(goal, path);
            }
            let steps = steps(self.class, path).expect("a way without holes");
            assert_eq!(cost, 256 * steps.straights + 362 * steps.diagonals);
            off = off.max((steps.length() - row.length).abs());
            assert!(off <= row.tolerance, "method {method}, {row:?} found {}", steps.length());
            (costs[method], counts[method]) = (cost, u64::from(search.expansions()));
        }
        assert_eq!(costs, [costs[0]; 5], "{row:?}");
        // Over four neighbours no lengths are published.
        if hands.rows.is_multiple_of(4) {
            let search = &mut hands.search;
            let manhattan = self.four.estimate(Heuristic::Manhattan, goal);
            let found = search.find(&self.four, &starts, is_goal, manhattan);
            assert_eq!(found, search.find(&self.four, &starts, is_goal, |_| 0), "{row:?}");
            assert!(found.is_some_and(|found| found.cost >= costs[0]));
        }
        hands.rows += 1;
        hands.worst = hands.worst.max(off / row.tolerance);
        for (sum, count) in hands.expansions.iter_mut().zip(counts) {
            *sum += count;
        }
    }
}

fn check_scenario(path: &Path) -> Hands {
    let (map, mut rows) = scenario(path);
    if !data::all() {
        let every = rows.len().div_ceil(SAMPLE);
        rows = rows.into_iter().step_by(every).collect();
    }
    let class = map.class(0.0);
    let grid = Grid::new(&class);
    let within = map.index(rows[0].start.0, rows[0].start.1);
    let methods = Methods {
        map: &map,
        class: &class,
        four: Grid::with(&class, Neighbours::Four, StepCosts::FINE),
        jump: Jump::new(&class).expect("even ground"),
        landmarks: Landmarks::new(&grid, within, LANDMARKS, &mut Search::default()),
        grid,
    };
    let check = |mut hands: Hands, row: &Row| {
        methods.check(&mut hands, row);
        hands
    };
    let all = rows.par_iter().with_min_len(50).fold(Hands::default, check);
    all.reduce(Hands::default, add)
}

fn add(mut a: Hands, b: Hands) -> Hands {
    a.rows += b.rows;
    a.worst = a.worst.max(b.worst);
    for (sum, count) in a.expansions.iter_mut().zip(b.expansions) {
        *sum += count;
    }
    a
}

#[test]
fn every_method_finds_the_published_lengths() {
    let Some(folder) = data::folder() else { return };
    let files = data::files(&folder.join("movingai"), "scen");
    let all = files.par_iter().map(|path| check_scenario(path)).reduce(Hands::default, add);
    let [dijkstra, euclid, octile, landmarks, jumps] = all.expansions;
    eprintln!(
        "{} rows of {} files agree, at worst {:.2} of the tolerance; expansions: Dijkstra \
         {dijkstra}, Euclid {euclid}, octile {octile}, landmarks {landmarks}, jumps {jumps}",
        all.rows,
        files.len(),
        all.worst,
    );
    assert!(all.rows as usize >= 3 * files.len());
    assert!(jumps < landmarks && landmarks < octile && octile < euclid && euclid < dijkstra);
}
