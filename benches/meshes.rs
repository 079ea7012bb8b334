//! Ways over navigation meshes, beside the crate `polyanya`, on the same meshes and queries.
//!
//! With `THRONG_DATA` set the meshes are those of game maps with the queries of the benchmarks,
//! otherwise rooms made here. The answers are compared before anything is timed.

#[path = "../tests/common/data.rs"]
#[allow(dead_code, reason = "each test binary uses a part")]
mod data;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/mesh_ground.rs"]
mod mesh_ground;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/mesh_rows.rs"]
mod mesh_rows;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "../tests/common/terrain.rs"]
mod terrain;

use criterion::{Criterion, criterion_group, criterion_main};
use mesh_rows::Case;
use std::hint::black_box;
use std::time::{Duration, Instant};
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, MeshPath, RelaxedSearch};

/// Queries of a mesh that are timed.
const QUERIES: usize = 200;

/// What answers a query with a length.
type Way<'a> = Box<dyn FnMut([f64; 2], [f64; 2]) -> f64 + 'a>;

fn rival(case: &Case) -> polyanya::Mesh {
    let file = polyanya::PolyanyaFile::from_bytes(case.mesh.to_file().as_bytes());
    file.try_into().expect("a mesh")
}

fn coords(point: [f64; 2]) -> polyanya::Coords {
    polyanya::Coords::on_mesh(point.map(|x| x as f32).into())
}

/// Ours and the rival's; the rival goes last.
fn ways<'a>(case: &'a Case, rival: &'a polyanya::Mesh) -> Vec<(&'static str, Way<'a>)> {
    let mesh = &case.mesh;
    let locator = Locator::new(mesh);
    let (one, two) = (locator.clone(), locator.clone());
    let (mut funnel, mut relaxed) = (FunnelSearch::default(), RelaxedSearch::default());
    let (mut exact, mut path) = (ExactSearch::default(), MeshPath::default());
    let (mut path_one, mut path_two) = (MeshPath::default(), MeshPath::default());
    vec![
        (
            "funnel",
            Box::new(move |start, goal| {
                assert!(funnel.find(mesh, &one, start, goal, &mut path_one));
                path_one.length
            }),
        ),
        (
            "relaxed",
            Box::new(move |start, goal| {
                assert!(relaxed.find(mesh, &two, start, goal, &mut path_two));
                path_two.length
            }),
        ),
        (
            "exact",
            Box::new(move |start, goal| {
                assert!(exact.find(mesh, &locator, start, goal, &mut path));
                path.length
            }),
        ),
        (
            "polyanya",
            Box::new(move |start, goal| {
                let path = rival.path(coords(start), coords(goal)).expect("a way");
                f64::from(path.length)
            }),
        ),
    ]
}

/// Microseconds per query, the mean and the median, from the least of three times of each.
fn pass(case: &Case, way: &mut Way) -> [f64; 2] {
    let mut times = vec![f64::INFINITY; case.rows.len()];
    for _ in 0..3 {
        for (row, least) in case.rows.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(way(black_box(row.start), row.goal));
            *least = least.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    [times.iter().sum::<f64>() / times.len() as f64, times[times.len() / 2]]
}

/// Every answer is as long as it has to be: exact ones equal, others no shorter.
fn compare(case: &Case, rival: &polyanya::Mesh) {
    for (name, mut way) in ways(case, rival) {
        for row in &case.rows {
            let length = way(row.start, row.goal);
            let what = format!("{} {name} {row:?} {length}", case.name);
            match name {
                "exact" | "polyanya" => assert!((length - row.length).abs() < 1e-3, "{what}"),
                _ => assert!(length > row.length - 1e-6, "{what}"),
            }
        }
    }
}

fn sampled() -> Vec<Case> {
    let mut cases = mesh_rows::games();
    if cases.is_empty() {
        eprintln!("THRONG_DATA is not set: rooms made here, not game maps");
        cases.push(mesh_rows::rooms(24, QUERIES));
    }
    for case in &mut cases {
        let every = case.rows.len().div_ceil(QUERIES);
        case.rows = case.rows.iter().copied().step_by(every).collect();
    }
    cases
}

/// Times in one run, and the rival's over ours.
fn table(cases: &[Case]) {
    eprintln!("microseconds per query (mean, median), and the rival's mean over ours");
    let head =
        ["funnel", "relaxed", "exact", "polyanya"].map(|name| format!("{name:>15}")).concat();
    eprintln!("{:20}{head}  funnel relaxed exact", "mesh");
    let mut ratios = Vec::new();
    for case in cases {
        let rival = rival(case);
        compare(case, &rival);
        let times: Vec<[f64; 2]> =
            ways(case, &rival).iter_mut().map(|(_, way)| pass(case, way)).collect();
        let own: Vec<f64> = times[..3].iter().map(|time| times[3][0] / time[0]).collect();
        let shown: String =
            times.iter().map(|[mean, median]| format!("{mean:8.2}{median:7.2}")).collect();
        eprintln!("{:20}{shown}  {:6.2} {:7.2} {:5.2}", case.name, own[0], own[1], own[2]);
        ratios.push(own);
    }
    let mean = |at: usize| ratios.iter().map(|own| own[at]).sum::<f64>() / ratios.len() as f64;
    let shown = [mean(0), mean(1), mean(2)].map(|mean| format!("{mean:.2}"));
    eprintln!("mean of ratios: funnel {}, relaxed {}, exact {}", shown[0], shown[1], shown[2]);
}

fn bench_meshes(c: &mut Criterion) {
    let cases = sampled();
    table(&cases);
    for case in &cases {
        let locator = Locator::new(&case.mesh);
        c.bench_function(&format!("locate/{}", case.name), |b| {
            b.iter(|| {
                let found = case.rows.iter().filter_map(|row| locator.locate(&case.mesh, row.goal));
                found.map(u64::from).sum::<u64>()
            });
        });
        let rival = rival(case);
        for (name, mut way) in ways(case, &rival) {
            c.bench_function(&format!("{name}/{}", case.name), |b| {
                b.iter(|| case.rows.iter().map(|row| way(row.start, row.goal)).sum::<f64>());
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = bench_meshes
}
criterion_main!(benches);
