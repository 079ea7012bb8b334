//! Maps and fields of 1024 x 1024 cells on one thread. Each benchmark asserts its answer first.

#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/oracle.rs"]
mod oracle;
#[path = "field/repair.rs"]
mod repair;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/terrain.rs"]
mod terrain;
#[path = "common/tried.rs"]
mod tried;

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use throng::map::Map;
use throng::nav::field::eikonal::Solver;
use throng::nav::field::{GoalCells, Job, direction, solve};
use tried::is_tried;

const SIDE: u32 = 1024;

fn maps() -> [(&'static str, Map); 4] {
    [
        ("open", terrain::open(SIDE)),
        ("noise", terrain::noise(SIDE, 20, 1)),
        ("rooms", terrain::rooms(SIDE, 1)),
        ("weighted", terrain::weighted(SIDE, 1)),
    ]
}

/// The slowness of a map without its padding.
fn unpadded(map: &Map) -> Vec<u8> {
    let rows = map.slowness().chunks_exact(map.stride() as usize).skip(1);
    rows.take(map.height() as usize).flat_map(|row| &row[1..row.len() - 1]).copied().collect()
}

fn bench_map(c: &mut Criterion) {
    for (name, map) in maps() {
        // A second way to the same answer: the transposed map has the transposed distances.
        let cells = unpadded(&map);
        let turned = |i: u32| cells[(i % SIDE * SIDE + i / SIDE) as usize];
        let turned: Vec<u8> = (0..SIDE * SIDE).map(turned).collect();
        let turned = Map::from_slowness(SIDE, SIDE, 1.0, &turned);
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let (a, b) = (map.index(x, y) as usize, turned.index(y, x) as usize);
            assert_eq!(map.wall_distance()[a], turned.wall_distance()[b]);
        }
        c.bench_function(&format!("map with wall distance/{name}"), |b| {
            b.iter(|| Map::from_slowness(SIDE, SIDE, 1.0, black_box(&cells)));
        });
        assert!(map.class(0.4).slowness() == map.slowness());
        c.bench_function(&format!("clearance class/{name}"), |b| b.iter(|| map.class(0.4)));
    }
}

fn bench_field(c: &mut Criterion) {
    for (name, map) in maps() {
        let class = map.class(0.4);
        let goal = terrain::passable_cell(class.slowness(), 500).expect("an open cell");
        let mut solver = Solver::default();
        let mut run = || {
            solver.start(&class, &[goal], None);
            solver.advance(&class, u32::MAX)
        };
        assert!(run().done);
        c.bench_function(&format!("eikonal/{name}"), |b| b.iter(&mut run));
        assert!(solver.distances() == oracle::eikonal(&class, &[goal]));

        let stride = class.stride();
        let mut directions = vec![0; solver.distances().len()];
        let inner = stride as usize..directions.len() - stride as usize;
        let mut run = || {
            let target = &mut directions[inner.clone()];
            direction::write_rows(solver.distances(), stride, 1, target);
            direction::unpack(target[(goal - stride) as usize])
        };
        assert_eq!(run(), Some((0, 0)));
        c.bench_function(&format!("directions/{name}"), |b| b.iter(&mut run));

        let goals = GoalCells::point(goal);
        let mut job = Job::default();
        let mut run = || {
            let directions = job.take_directions();
            job.start(&class, &goals, directions);
            job.advance(&class, u32::MAX)
        };
        assert!(run().done);
        assert!(job.take_directions() == solve(&class, &goals).directions);
        let mut run = || {
            let directions = job.take_directions();
            job.start(&class, &goals, directions);
            job.advance(&class, u32::MAX)
        };
        c.bench_function(&format!("whole field/{name}"), |b| b.iter(&mut run));
    }
}

/// The table of repairs, when no other benchmark is asked for: a repair of one place is no measure,
/// so its times are not for criterion.
fn bench_repair(_: &mut Criterion) {
    let asked = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if asked.is_none_or(|asked| "repair".contains(asked.as_str())) {
        let mazes =
            [("maze", terrain::maze(SIDE, 3, 1)), ("wide maze", terrain::maze(SIDE, 15, 1))];
        let places = if is_tried() { 1 } else { 52 };
        repair::print_table(&[maps().as_slice(), &mazes].concat(), places);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(2));
    targets = bench_map, bench_field, bench_repair
}
criterion_main!(benches);
