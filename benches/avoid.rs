//! Collision avoidance of a crowd, whole and in parts, against `dodgy_2d` with the 10 nearest
//! neighbours from the same grid. One thread.
//!
//! 100,000 agents, 0.7 on a square metre, walk in random directions and have avoided each other for
//! some seconds. Each benchmark asserts its answer first: lanes and one lane give the same bits, and
//! the velocities are those that `dodgy_2d` finds.

#[path = "common/dodgy.rs"]
mod dodgy;
#[path = "common/rows.rs"]
mod rows;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use dodgy_2d::{Agent, Vec2};
use rows::Rows;
use throng::kernel::half_planes::HalfPlanes;
use throng::kernel::nearest::{Candidates, Nearest};
use throng::kernel::{nearest, orca};
use throng::lane::{IntLane, Lane, Numbers};
use throng::math::{Fx, Num, hash3, unit_f64};
use throng::space::{Grid, Query};

const AGENTS: usize = 100_000;
const DENSITY: f64 = 0.7;
const RADIUS: f64 = 0.3;
const SPEED: f64 = 1.4;
const FASTEST: f64 = 1.8;
const HORIZON: f64 = 2.0;
const RANGE: f64 = 3.0;
const STEP: f64 = 0.1;

/// Stands for the velocity of an agent that cannot avoid all others, in m/s.
const RELAXED: f64 = 99.0;

/// Height of a grid row, in metres.
const ROW: f64 = RANGE;

/// How much of the work is done.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Part {
    Nearest,
    HalfPlanes,
    Whole,
    /// The whole, kept only where there is a velocity that avoids all.
    Feasible,
}

/// A crowd in grid order; columns have a block of padding.
struct Crowd<N> {
    side: f64,
    grid: Grid<N>,
    pos: Vec<[N; 2]>,
    vel: Vec<[N; 2]>,
    preferred: Vec<[N; 2]>,
    /// Radius, and a weight of 0: all of the change is left to the others.
    bodies: Vec<[N; 2]>,
}

impl<N: Numbers> Crowd<N> {
    /// A shaken lattice with random directions.
    fn new(agents: usize) -> Self {
        let step = DENSITY.sqrt().recip();
        let columns = (agents as f64).sqrt().ceil() as usize;
        let side = columns as f64 * step;
        let random = |i: usize, stream| unit_f64(hash3(11, stream, i as u64));
        let place = |i: usize| {
            let at = |cell: usize, stream| (cell as f64 + 0.25 + 0.5 * random(i, stream)) * step;
            [at(i % columns, 0), at(i / columns, 1)].map(N::from_f64)
        };
        let way = |i: usize| {
            let [x, y] = [2, 3].map(|stream| 2.0 * random(i, stream) - 1.0);
            let length = (x * x + y * y).sqrt().max(1e-3);
            [x, y].map(|v| N::from_f64(SPEED * v / length))
        };
        let preferred: Vec<_> = (0..agents).map(way).collect();
        let pos = (0..agents).map(place).collect();
        let bodies = vec![[N::from_f64(RADIUS), N::ZERO]; agents + 8];
        let mut crowd =
            Self { side, grid: Grid::default(), pos, vel: preferred.clone(), preferred, bodies };
        crowd.sort();
        crowd
    }

    /// A crowd that has avoided each other for a while.
    fn settled(agents: usize) -> Self {
        let mut crowd = Self::new(agents);
        for _ in 0..60 {
            let mut vel = crowd.vel.clone();
            avoid::<N::Wide>(&crowd, Part::Whole, true, &mut vel);
            crowd.vel = vel;
            crowd.walk();
        }
        crowd
    }

    /// Moves all agents; agents that would leave turn round.
    fn walk(&mut self) {
        for row in 0..self.pos.len() - 8 {
            for axis in 0..2 {
                let moved = self.pos[row][axis].to_f64() + STEP * self.vel[row][axis].to_f64();
                if moved < 0.0 || moved > self.side - 0.01 {
                    self.preferred[row][axis] = -self.preferred[row][axis];
                }
                self.pos[row][axis] = N::from_f64(moved.clamp(0.0, self.side - 0.01));
            }
        }
        let agents = self.pos.len() - 8;
        for column in [&mut self.pos, &mut self.vel, &mut self.preferred] {
            column.truncate(agents);
        }
        self.sort();
    }

    fn sort(&mut self) {
        let mut rows = vec![0; self.pos.len()];
        self.grid.shape(self.side, self.side, ROW);
        self.grid.sort(&self.pos, Rows(&mut rows));
        for column in [&mut self.pos, &mut self.vel, &mut self.preferred] {
            *column = rows.iter().map(|&from| column[from as usize]).collect();
            column.extend([[N::ZERO; 2]; 8]);
        }
    }
}

/// Fills in the nearest neighbours: grid rows from the block's outwards, until none can hold a
/// nearer one.
#[inline(always)]
fn find<L: Lane>(
    crowd: &Crowd<L::Num>,
    row: usize,
    start: usize,
    (x, y): (L, L),
    alike: bool,
    nearest: &mut Nearest<L>,
    list: &mut Candidates<L::Num>,
) {
    let n = |value: f64| L::Num::from_f64(value);
    let ([min_x, max_x], [min_y, max_y]) = (x.extremes(), y.extremes());
    let bodies = if alike { &[] } else { &crowd.bodies[..] };
    let columns = nearest::Crowd { pos: &crowd.pos, vel: &crowd.vel, bodies, layers: &[] };
    let [height, middle] = [ROW, 0.5 * ROW].map(n);
    let mut reach = n(RANGE);
    let mut visit = |y: L::Num, reach: L::Num, nearest: &mut Nearest<L>| {
        let query = Query { min: [min_x - reach, y], max: [max_x + reach, y] };
        crowd.grid.visit(query, |rows, _| nearest.add(rows, start, &columns, list));
    };
    // The edges of the rows visited so far.
    let mut upper = n(row as f64 * ROW);
    let mut lower = upper + height;
    visit(upper + middle, reach, nearest);
    // Edges are rounded.
    let slack = n(0.001);
    let (mut above, mut below) = (row > 0, row + 1 < crowd.grid.rows());
    let mut step = 1;
    while above || below {
        reach = reach.smaller(nearest.farthest());
        above = above && min_y - upper < reach + slack;
        if above {
            visit(upper - middle, reach, nearest);
            upper = upper - height;
            above = row > step;
        }
        below = below && lower - max_y < reach + slack;
        if below {
            visit(lower + middle, reach, nearest);
            lower += height;
            below = row + step + 1 < crowd.grid.rows();
        }
        step += 1;
    }
}

/// The velocity that every agent takes, or what a part of the work gives. Of a pair each takes half
/// of the change when they are `alike`, else all of it.
#[inline(never)]
fn avoid<L: Lane>(crowd: &Crowd<L::Num>, part: Part, alike: bool, velocities: &mut [[L::Num; 2]]) {
    let n = |value: f64| L::splat(L::Num::from_f64(value));
    let coarse = nearest::coarseness(L::Num::from_f64(RANGE));
    let (mut list, mut planes) = (Candidates::new(), HalfPlanes::new());
    for row in 0..crowd.grid.rows() {
        let rows = crowd.grid.row_agents(row);
        for start in rows.clone().step_by(L::WIDTH) {
            let count = L::WIDTH.min(rows.end - start);
            // The last agent stands in for the lanes behind it.
            let place = |lane: usize| crowd.pos[start + lane.min(count - 1)];
            let [x, y] = L::pairs_from_fn(place);
            list.clear();
            let mut nearest = Nearest::<L>::new([x, y], n(RANGE), L::Int::splat(1), coarse);
            find(crowd, row, start, (x, y), alike, &mut nearest, &mut list);
            if part == Part::Nearest {
                velocities[start][0] = nearest.farthest();
                continue;
            }
            let agents = orca::Agents {
                pos: [x, y],
                vel: L::load_pairs(&crowd.vel[start..]).into(),
                radius: n(RADIUS),
                weight: L::one(),
                horizon: n(HORIZON),
                part: n(STEP),
            };
            planes.clear();
            orca::add(&agents, start, &nearest, &list, alike, &mut planes);
            if part == Part::HalfPlanes {
                black_box(&planes);
                continue;
            }
            let preferred: [L; 2] = L::load_pairs(&crowd.preferred[start..]).into();
            let solution = planes.solve(preferred.map(L::real), n(FASTEST).real());
            let [mut vx, vy] = solution.vel.map(L::from_real);
            if part == Part::Feasible {
                vx = L::select(L::from_real_mask(solution.feasible), vx, n(RELAXED));
            }
            L::store_some_pairs(vx, vy, count, &mut velocities[start..]);
        }
    }
}

/// The same by `dodgy_2d`, with the 10 nearest neighbours.
fn rival(crowd: &Crowd<f32>, agents: &[Agent], velocities: &mut [[f32; 2]]) {
    let limits = dodgy::Limits {
        radius: RADIUS as f32,
        range: RANGE as f32,
        horizon: HORIZON as f32,
        fastest: FASTEST as f32,
        step: STEP as f32,
    };
    dodgy::velocities(&crowd.grid, agents, &crowd.preferred, limits, velocities);
}

/// The crowd as `dodgy_2d` sees it.
fn rivals(crowd: &Crowd<f32>, responsibility: f32) -> Vec<Agent> {
    let agent = |(pos, vel): (&[f32; 2], &[f32; 2])| Agent {
        position: Vec2::from(*pos),
        velocity: Vec2::from(*vel),
        radius: RADIUS as f32,
        avoidance_responsibility: responsibility,
    };
    let agents = crowd.pos.len() - 8;
    crowd.pos[..agents].iter().zip(&crowd.vel).map(agent).collect()
}

/// Asserts that lanes and one lane give the same bits, and times the lanes.
fn bench_numbers<N: Numbers>(group: &mut BenchmarkGroup<'_, WallTime>, crowd: &Crowd<N>) {
    let (mut wide, mut single) = (crowd.vel.clone(), crowd.vel.clone());
    avoid::<N::Wide>(crowd, Part::Whole, true, &mut wide);
    avoid::<N::Single>(crowd, Part::Whole, true, &mut single);
    let bits = |rows: &[[N; 2]]| rows.iter().map(|row| row.map(N::bits)).collect::<Vec<_>>();
    assert_eq!(bits(&wide), bits(&single), "lanes change the bits");
    let parts =
        [("nearest", Part::Nearest), ("half-planes", Part::HalfPlanes), ("whole", Part::Whole)];
    for (name, part) in parts {
        group.bench_function(format!("{}/{name}", N::NUMERIC.word()), |b| {
            b.iter(|| avoid::<N::Wide>(black_box(crowd), part, true, &mut wide));
        });
    }
}

/// Asserts that `dodgy_2d` finds the same velocities. It takes a share of a change only of agents
/// that are about to collide, so the comparison leaves all of the change to each.
fn check_rival(crowd: &Crowd<f32>) {
    let (mut own, mut theirs) = (crowd.vel.clone(), crowd.vel.clone());
    avoid::<<f32 as Numbers>::Wide>(crowd, Part::Feasible, false, &mut own);
    rival(crowd, &rivals(crowd, 0.0), &mut theirs);
    let agents = own.len() - 8;
    let pairs = own[..agents].iter().zip(&theirs).filter(|(own, _)| own[0] != RELAXED as f32);
    let distance = |(a, b): (&[f32; 2], &[f32; 2])| (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
    let mut apart: Vec<f32> = pairs.map(distance).collect();
    apart.sort_by(f32::total_cmp);
    let at = |share: f64| apart[(share * (apart.len() - 1) as f64) as usize];
    let feasible = apart.len() as f64 / agents as f64;
    assert!((0.5..0.999).contains(&feasible), "both outcomes: {feasible} are feasible");
    // Of two neighbours at almost one distance either may be the last that counts.
    assert!(at(0.5) < 1e-6 && at(0.99) < 1e-4, "{} and {} m/s apart", at(0.5), at(0.99));
}

fn bench_avoid(c: &mut Criterion) {
    let mut group = c.benchmark_group("avoid");
    group.throughput(Throughput::Elements(AGENTS as u64));
    bench_numbers(&mut group, &Crowd::<Fx>::settled(AGENTS));
    let crowd = Crowd::<f32>::settled(AGENTS);
    check_rival(&crowd);
    bench_numbers(&mut group, &crowd);
    let (agents, mut velocities) = (rivals(&crowd, 1.0), crowd.vel.clone());
    group.bench_function("f32/dodgy_2d", |b| {
        b.iter(|| rival(black_box(&crowd), &agents, &mut velocities));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = bench_avoid
}
criterion_main!(benches);
