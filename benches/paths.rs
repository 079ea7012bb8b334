//! Ways over grids beside the `pathfinding` crate's A*, on the same queries with the same costs.
//! Each benchmark asserts equal costs first. A table of ratios from one pass comes before the
//! benchmarks; game maps are read from `THRONG_DATA`.

#[path = "../tests/common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/terrain.rs"]
mod terrain;
#[path = "common/tried.rs"]
mod tried;

use criterion::{Criterion, criterion_group};
use std::hint::black_box;
use std::time::{Duration, Instant};
use terrain::Random;
use throng::graph::grid::{Heuristic, StepCosts};
use throng::graph::landmarks::Landmarks;
use throng::graph::{Grid, Jump, Search};
use throng::map::{Clearance, Map};
use tried::is_tried;

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
        // The first map of every set of games; those of up to 512 cells also doubled.
        for set in ["sc1", "bg512", "wc3maps512", "da2", "dao"] {
            let maps = data::files(&folder.join("movingai").join(set), "map");
            let large = maps.iter().map(|path| (path, data::read_map(path)));
            let Some((path, map)) = large.into_iter().find(|(_, map)| map.width() >= 400) else {
                continue;
            };
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
            cases.push(case(&format!("{set}/{name}"), &map));
            if map.width() <= 512 {
                cases.push(case(&format!("{set}/{name} x 2"), &doubled(&map)));
            }
        }
    } else {
        eprintln!("game maps are skipped: THRONG_DATA is not set");
    }
    cases
}

/// The rival's way: cost and cells.
fn rival(class: &Clearance, start: u32, goal: u32) -> Option<(Vec<u32>, u32)> {
    let slowness = class.slowness();
    let stride = class.stride();
    let least = class.least();
    let StepCosts { straight, diagonal } = StepCosts::FINE.between(least, least);
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
            let costs = StepCosts::FINE.between(own, other);
            Some((to, if a == b { costs.straight } else { costs.diagonal }))
        })
    };
    let estimate = |&cell: &u32| {
        let (across, down) = ((cell % stride).abs_diff(x), (cell / stride).abs_diff(y));
        let (less, more) = (across.min(down), across.max(down));
        straight * (more - less) + diagonal * less
    };
    pathfinding::prelude::astar(&start, successors, estimate, |&cell| cell == goal)
}

/// Everything that is compared, on one map.
struct Runs<'a> {
    case: &'a Case,
    grid: Grid,
    jump: Option<Jump>,
    landmarks: Landmarks,
    search: Search,
    path: Vec<u32>,
    /// Expansions of A*, with landmarks, and of jumps.
    expansions: [u64; 3],
}

impl<'a> Runs<'a> {
    /// Asserts that all find the same costs.
    fn new(case: &'a Case) -> Self {
        let grid = Grid::new(&case.class);
        let mut search = Search::default();
        let landmarks = Landmarks::new(&grid, case.queries[0].0, 8, &mut search);
        let jump = Jump::new(&case.class).ok();
        let (path, expansions) = (Vec::new(), [0; 3]);
        let mut runs = Self { case, grid, jump, landmarks, search, path, expansions };
        for &(start, goal) in &case.queries {
            let (cells, cost) = rival(&case.class, start, goal).expect("a way");
            assert_eq!((cells[0], cells[cells.len() - 1]), (start, goal));
            let costs = [
                runs.a_star(start, goal),
                runs.with_landmarks(start, goal),
                runs.jumps(start, goal).unwrap_or(cost),
            ];
            assert_eq!(costs, [cost; 3], "{}: {start} to {goal}", case.name);
        }
        runs
    }

    fn a_star(&mut self, start: u32, goal: u32) -> u32 {
        let estimate = self.grid.estimate(Heuristic::Octile, goal);
        let starts = [(start, 0)];
        let found = self.search.find(&self.grid, &starts, |cell| cell == goal, estimate);
        self.search.path(goal, &mut self.path);
        self.expansions[0] += u64::from(self.search.expansions());
        found.expect("a way").cost
    }

    fn with_landmarks(&mut self, start: u32, goal: u32) -> u32 {
        let octile = self.grid.estimate(Heuristic::Octile, goal);
        let estimate = self.landmarks.estimate(goal, octile);
        let starts = [(start, 0)];
        let found = self.search.find(&self.grid, &starts, |cell| cell == goal, estimate);
        self.search.path(goal, &mut self.path);
        self.expansions[1] += u64::from(self.search.expansions());
        found.expect("a way").cost
    }

    fn jumps(&mut self, start: u32, goal: u32) -> Option<u32> {
        let jump = self.jump.as_ref()?;
        let found = jump.find(&mut self.search, start, goal);
        jump.path(&self.search, goal, &mut self.path);
        self.expansions[2] += u64::from(self.search.expansions());
        Some(found.expect("a way").cost)
    }

    /// One pass over all queries by each method.
    fn pass(&mut self, method: usize) {
        for &(start, goal) in &self.case.queries {
            match method {
                0 => drop(black_box(rival(&self.case.class, start, goal))),
                1 => drop(black_box(self.a_star(start, goal))),
                2 => drop(black_box(self.with_landmarks(start, goal))),
                _ => drop(black_box(self.jumps(start, goal))),
            }
        }
    }

    /// Microseconds a query of every method, the least of a few passes, which take turns.
    fn times(&mut self) -> [f64; 4] {
        let mut least = [f64::INFINITY; 4];
        for _ in 0..3 {
            for (method, least) in least.iter_mut().enumerate() {
                for _ in 0..if method == 0 { 1 } else { 3 } {
                    let clock = Instant::now();
                    self.pass(method);
                    *least = least.min(clock.elapsed().as_secs_f64());
                }
            }
        }
        least.map(|seconds| seconds * 1e6 / self.case.queries.len() as f64)
    }
}

/// Prints one line a map: what a query takes, and how many times faster than the rival that is.
#[allow(clippy::disallowed_methods, reason = "a mean for people to read")]
fn table(cases: &[Case]) {
    let head = ["map", "rival us", "A* us", "times", "landmarks", "times", "jumps", "times"];
    let [name, rest @ ..] = head;
    eprint!("{name:32}");
    rest.iter().for_each(|head| eprint!("{head:>10}"));
    eprintln!("{:>12}{:>12}{:>12}", "A* nodes", "landmarks", "jumps");
    let mut ratios = Vec::new();
    for case in cases {
        let mut runs = Runs::new(case);
        let [a_star, landmarks, jumps] = runs.expansions;
        let [rival, times @ ..] = runs.times();
        eprint!("{:32}{rival:10.1}", case.name);
        for (i, time) in times.into_iter().enumerate() {
            if i == 2 && runs.jump.is_none() {
                eprint!("{:>10}{:>10}", "-", "-");
            } else {
                eprint!("{time:10.1}{:10.2}", rival / time);
            }
        }
        eprintln!("{a_star:12}{landmarks:12}{jumps:12}");
        ratios.push(rival / times[0]);
    }
    let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    let mean = (logs / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    eprintln!(
        "A* is {mean:.2} times as fast as the rival in the geometric mean, {least:.2} at least"
    );
}

fn bench(c: &mut Criterion) {
    let side = if is_tried() { 256 } else { 1024 };
    let maps = [
        ("rooms", terrain::rooms(side, 1)),
        ("maze", terrain::maze(side, 4, 1)),
        ("noise", terrain::noise(side, 20, 1)),
        ("weighted", terrain::weighted(side, 1)),
    ];
    for (name, map) in maps {
        let case = case(name, &map);
        let mut runs = Runs::new(&case);
        for (method, title) in ["pathfinding", "A*", "landmarks", "jumps"].iter().enumerate() {
            if method < 3 || runs.jump.is_some() {
                let title = format!("{title}/{name}, {QUERIES} queries");
                c.bench_function(&title, |b| b.iter(|| runs.pass(method)));
            }
        }
        c.bench_function(&format!("grid/{name}"), |b| b.iter(|| Grid::new(&case.class)));
        if runs.jump.is_some() {
            c.bench_function(&format!("jump points/{name}"), |b| b.iter(|| Jump::new(&case.class)));
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = bench
}

fn main() {
    if !is_tried() {
        table(&cases());
    }
    benches();
}
