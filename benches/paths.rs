//! Ways over grids beside the `pathfinding` crate's A*, on the same queries with the same costs.
//! Each benchmark asserts equal costs first. A table of ratios from one pass comes before the
//! benchmarks; game maps are read from `THRONG_DATA`.

#[path = "../tests/common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/terrain.rs"]
mod terrain;

use criterion::Criterion;
use criterion::criterion_group;
use std::hint::black_box;
use std::time::Duration;
use std::time::Instant;
use terrain::Random;
use throng::graph::Grid;
use throng::graph::Jump;
use throng::graph::Search;
use throng::graph::grid::Heuristic;
use throng::graph::grid::diagonal_cost;
use throng::graph::grid::straight_cost;
use throng::map::Clearance;
use throng::map::Map;

/// Queries of a map.
const QUERIES: usize = 24;

struct Case {
    name: String,
    class: Clearance,
    /// Starts and goals.
    queries: Vec<(u32, u32)>,
}

fn case(name: &str, map: &Map) -> Case {
    let class = map.class(0.0);
    let mut random = Random(7);
    let cells: Vec<u32> =
        (0..class.slowness().len() as u32).filter(|&cell| class.passable(cell)).collect();
    let mut queries = Vec::new();
    while queries.len() < QUERIES {
        let [start, goal] = [0; 2].map(|_| cells[random.below(cells.len() as u32) as usize]);
        if class.same_component(start, goal) && start != goal {
            queries.push((start, goal));
        }
    }
    Case { name: name.to_owned(), class, queries }
}

/// Every cell four times.
fn doubled(map: &Map) -> Map {
    let (width, height) = (2 * map.width(), 2 * map.height());
    let cell = |i: u32| map.slowness()[map.index(i % width / 2, i / width / 2) as usize];
    Map::from_slowness(width, height, 1.0, &(0..width * height).map(cell).collect::<Vec<_>>())
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for side in [512, 1024] {
        cases.push(case(&format!("rooms {side}"), &terrain::rooms(side, 1)));
        cases.push(case(&format!("maze {side}"), &terrain::maze(side, 4, 1)));
        cases.push(case(&format!("noise {side}"), &terrain::noise(side, 20, 1)));
        cases.push(case(&format!("weighted {side}"), &terrain::weighted(side, 1)));
        cases.push(case(&format!("open {side}"), &terrain::open(side)));
    }
    if let Some(folder) = data::folder() {
        for name in ["sc1/AcrosstheCape", "sc1/Aurora", "bg512/AR0011SR", "wc3maps512/divideandconquer"] {
            let path = folder.join("movingai").join(format!("{name}.map"));
            if path.exists() {
                let map = data::read_map(&path);
                cases.push(case(name, &map));
                if map.width() <= 512 {
                    cases.push(case(&format!("{name} x 2"), &doubled(&map)));
                }
            }
        }
    } else {
        println!("game maps are skipped");
    }
    cases
}

/// The rival's way: cost and cells.
fn rival(class: &Clearance, start: u32, goal: u32) -> Option<(Vec<u32>, u32)> {
    let slowness = class.slowness();
    let stride = class.stride();
    let least = class.least();
    let straight = straight_cost(least, least) as u32;
    let diagonal = diagonal_cost(least, least) as u32;
    let (x, y) = (goal % stride, goal / stride);
    let successors = |&cell: &u32| {
        let own = slowness[cell as usize];
        let steps = [
            (cell - stride, cell, cell),
            (cell - 1, cell, cell),
            (cell + 1, cell, cell),
            (cell + stride, cell, cell),
            (cell - stride - 1, cell - stride, cell - 1),
            (cell - stride + 1, cell - stride, cell + 1),
            (cell + stride - 1, cell + stride, cell - 1),
            (cell + stride + 1, cell + stride, cell + 1),
        ];
        steps.into_iter().filter_map(move |(to, a, b)| {
            let other = slowness[to as usize];
            if other == 0 || slowness[a as usize] == 0 || slowness[b as usize] == 0 {
                return None;
            }
            let cost =
                if a == b { straight_cost(own, other) } else { diagonal_cost(own, other) };
            Some((to, cost as u32))
        })
    };
    let estimate = |&cell: &u32| {
        let (across, down) = ((cell % stride).abs_diff(x), (cell / stride).abs_diff(y));
        let (less, more) = (across.min(down), across.max(down));
        straight * (more - less) + diagonal * less
    };
    pathfinding::prelude::astar(&start, successors, estimate, |&cell| cell == goal)
}

/// Seconds of a run, the least of a few.
fn seconds(times: usize, mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let clock = Instant::now();
        run();
        clock.elapsed().as_secs_f64()
    };
    (0..times).map(time).fold(f64::INFINITY, f64::min)
}

fn table(cases: &[Case]) {
    println!("microseconds a query, ratio to the rival");
    let mut product = 0.0;
    for Case { name, class, queries } in cases {
        let grid = Grid::new(class);
        let mut search = Search::default();
        let mut path = Vec::new();
        let mut expansions = 0;
        for &(start, goal) in queries {
            let (_, cost) = rival(class, start, goal).expect("a way");
            let estimate = grid.estimate(Heuristic::Octile, goal);
            let found = search.find(&grid, &[(start, 0)], |cell| cell == goal, estimate);
            assert_eq!(found.map(|found| found.cost), Some(cost));
            expansions += u64::from(search.expansions());
        }
        let theirs = seconds(3, || {
            for &(start, goal) in queries {
                black_box(rival(class, start, goal));
            }
        });
        let ours = seconds(5, || {
            for &(start, goal) in queries {
                let estimate = grid.estimate(Heuristic::Octile, goal);
                search.find(&grid, &[(start, 0)], |cell| cell == goal, estimate);
                search.path(goal, &mut path);
                black_box(&path);
            }
        });
        let mut points = 0;
        let jumps = Jump::new(class).ok().map(|jump| {
            for &(start, goal) in queries {
                let cost = search
                    .find(&grid, &[(start, 0)], |cell| cell == goal, |_| 0)
                    .map(|found| found.cost);
                assert_eq!(jump.find(&mut search, start, goal).map(|found| found.cost), cost);
                points += search.expansions();
            }
            seconds(5, || {
                for &(start, goal) in queries {
                    jump.find(&mut search, start, goal);
                    jump.path(&search, goal, &mut path);
                    black_box(&path);
                }
            })
        });
        if let Some(s) = jumps {
            println!("  jumps {:.1} us {:.1} x, {points}", s * 1e6 / queries.len() as f64, theirs / s);
        }
        let each = |s: f64| s * 1e6 / queries.len() as f64;
        println!(
            "{name:32} {:9.1} {:9.1} {:6.2}   {:5.1} ns/expansion {expansions}",
            each(theirs),
            each(ours),
            theirs / ours,
            ours * 1e9 / expansions as f64,
        );
        product += (theirs / ours).ln();
    }
    println!("geometric mean {:.2}", (product / cases.len() as f64).exp());
}

fn bench(c: &mut Criterion) {
    let _ = c;
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1));
    targets = bench
}

fn main() {
    table(&cases());
    benches();
}
