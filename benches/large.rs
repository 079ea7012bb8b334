//! A map of 4096 x 4096 cells and 100 goals: what corridors cost, and whole fields. Each figure
//! comes after its answer is asserted: every walk arrives, on a way that is hardly longer than the
//! best one.
//!
//! One pass takes a second, so this measures passes, not iterations: all of a few
//! are printed. An argument that is a number is the number of threads, one; a name of a map
//! leaves the others out.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/oracle.rs"]
mod oracle;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/terrain.rs"]
mod terrain;
#[path = "common/tried.rs"]
mod tried;
#[path = "../tests/graph/hierarchy/walk.rs"]
mod walk;

use std::time::Instant;
use terrain::Random;
use throng::graph::Graph;
use throng::graph::portals::{PortalSearch, Portals};
use throng::map::{Clearance, Map};
use throng::nav::corridor::{CorridorId, CorridorLimits, Corridors};
use throng::nav::field::{GoalCells, SOLID, solve};
use tried::is_tried;

const SIDE: u32 = 4096;
const GOALS: usize = 100;
const STARTS: usize = 64;
const PASSES: usize = 3;

/// Greatest ratio of a walked length to the octile optimum that passes.
const LONGEST: f64 = 1.10;

fn cells(class: &Clearance, random: &mut Random, count: usize) -> Vec<u32> {
    let all = class.slowness();
    let mut found = Vec::new();
    while found.len() < count {
        let cell = random.below(all.len() as u32);
        if class.component_size(class.component(cell)) > 1_000_000 {
            found.push(cell);
        }
    }
    found
}

/// Seconds that something takes, and what it gives.
fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let result = work();
    (begin.elapsed().as_secs_f64(), result)
}

fn finish(corridors: &mut Corridors, class: &Clearance) {
    while corridors.pending() > 0 {
        corridors.advance(class);
    }
}

/// Asks for every corridor and for the directions at every start, and waits until all are made.
fn ask(
    corridors: &mut Corridors,
    class: &Clearance,
    goals: &[u32],
    starts: &[u32],
) -> Vec<CorridorId> {
    let mut ids = Vec::new();
    for &goal in goals {
        let id = corridors.request(&GoalCells::point(goal), 0).expect("room for a goal");
        corridors.hold(id);
        for &start in starts {
            corridors.need(id, start, 0).expect("room for a tile");
        }
        ids.push(id);
    }
    finish(corridors, class);
    ids
}

/// Walks from some starts to a goal, asking for tiles on the way; the greatest and the mean ratio
/// to the octile optimum.
fn check(
    corridors: &mut Corridors,
    class: &Clearance,
    id: CorridorId,
    goal: u32,
    starts: &[u32],
) -> (f64, f64) {
    let best = oracle::Cheapest::to(class, goal);
    let (mut most, mut sum) = (0.0_f64, 0.0);
    for (tick, &start) in (1..).zip(starts) {
        let length = best.length(start).expect("one component");
        let code = |cell| {
            if class.slowness()[cell as usize] == 0 {
                return SOLID;
            }
            if !corridors.need(id, cell, tick).expect("room for a tile") {
                finish(corridors, class);
            }
            corridors.code(id, cell).expect("a tile that was asked for")
        };
        let walked = walk::walk(class, (start, goal), 2.0 * length + 100.0, code);
        let ratio = walked.expect("nobody sticks") / length;
        assert!(ratio <= LONGEST, "{ratio} from {start} to {goal}");
        most = most.max(ratio);
        sum += ratio;
    }
    (most, sum / starts.len() as f64)
}

fn corridors(name: &str, class: &Clearance, walks: usize) {
    let mut random = Random(1);
    let goals = cells(class, &mut random, GOALS);
    let starts = cells(class, &mut random, STARTS);
    let limits =
        CorridorLimits { cap_bytes: 1 << 30, cells_per_tick: 1 << 20, ..CorridorLimits::default() };
    for _ in 0..PASSES {
        let (built, mut made) = time(|| Corridors::new(class, limits));
        let (asked, ids) = time(|| ask(&mut made, class, &goals, &starts));
        println!(
            "{name}: graph {built:.2} s, {:.1} MB, {} portals; {GOALS} goals x {STARTS} starts \
             {asked:.2} s, {} tiles, {:.1} MB",
            made.graph_bytes() as f64 / 1e6,
            made.layout().node_count(),
            made.tile_count(),
            made.bytes() as f64 / 1e6,
        );
        assert!(ids.iter().all(|&id| starts.iter().all(|&s| made.code(id, s).is_some())));
        let checked = ids.iter().zip(&goals).take(walks);
        for (&id, &goal) in checked {
            let (most, mean) = check(&mut made, class, id, goal, &starts);
            println!("{name}: {STARTS} walks, to the octile optimum mean {mean:.4} max {most:.4}");
        }
    }
    let (field, directions) = time(|| solve(class, &GoalCells::point(goals[0])).directions);
    assert_eq!(directions.len(), class.slowness().len());
    println!("{name}: one whole field {field:.2} s, {:.1} MB", directions.len() as f64 * 4e-6);
}

fn single(name: &str, class: &Clearance) {
    let (built, portals) = time(|| Portals::new(class));
    println!(
        "{name}: portals {built:.2} s, {:.1} MB, {} portals, {} edges",
        portals.bytes() as f64 / 1e6,
        portals.node_count(),
        portals.edge_count()
    );
    let mut random = Random(2);
    let ends = cells(class, &mut random, 200);
    let (mut search, mut path) = (PortalSearch::default(), Vec::new());
    for pass in 0..PASSES {
        let (seconds, ratio) = time(|| {
            let mut worst = 0.0_f64;
            for pair in ends.chunks_exact(2) {
                let found = search.find(&portals, class, pair[0], pair[1], &mut path);
                let found = found.expect("one component");
                worst = worst.max(f64::from(found.coarse) / f64::from(found.cost));
            }
            worst
        });
        assert!(ratio >= 1.0);
        println!("{name}: pass {pass}, {:.2} ms a way through portals", seconds * 10.0);
    }
    let (mut most, mut sum) = (0.0_f64, 0.0);
    for pair in ends.chunks_exact(2).take(10) {
        let found = search.find(&portals, class, pair[0], pair[1], &mut path).expect("a way");
        let best = oracle::Cheapest::to(class, pair[1]).cost(pair[0]).expect("one component");
        let ratio = f64::from(found.cost) / f64::from(best);
        (most, sum) = (most.max(ratio), sum + ratio);
    }
    println!("{name}: 10 ways to the octile optimum mean {:.4} max {most:.4}", sum / 10.0);
}

/// How a map of some side is made.
type Terrain = fn(u32) -> Map;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let threads = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let maps: [(&str, Terrain); 3] = [
        ("rooms", |side| terrain::rooms(side, 1)),
        ("noise", |side| terrain::noise(side, 20, 1)),
        ("open", terrain::open),
    ];
    let named = maps.iter().any(|(name, _)| arguments.iter().any(|argument| argument == name));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        println!("{threads} threads");
        for (name, make) in maps {
            // When it is only tried, one map will do.
            let wanted = if is_tried() { name == "rooms" } else { !named };
            if wanted || arguments.iter().any(|argument| argument == name) {
                let class = make(SIDE).class(0.4);
                corridors(name, &class, 2);
                single(name, &class);
            }
        }
    });
}
