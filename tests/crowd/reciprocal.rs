//! The scenes of the RVO2 library: agents pass each other no later, and overlap no more, than in a
//! reference run of that library (github snape/RVO2 at 1c25b272, examples Circle, Blocks and
//! Roadmap; the figures are in `rvo2/scenarios.json` of the data).

use crate::common::stage::{Stage, disc, distance, map};
use throng::lane::Numbers;
use throng::math::Fx;
use throng::world::{Avoidance, GroupDef, Order, Settings};

/// Seconds of a tick, as in the library's examples.
const STEP: f64 = 0.25;

/// Agents that take the velocity they choose at once, as the library's do.
fn agent(radius: f64, horizon: f64) -> GroupDef {
    GroupDef {
        radius,
        speed: 1.0,
        sprint: 2.0,
        acceleration: 1000.0,
        response: STEP,
        slowing_radius: 1.0,
        wall_margin: 0.0,
        avoidance: Avoidance::Orca,
        neighbour_range: 15.0,
        time_horizon: horizon,
        wall_horizon: horizon,
        ..GroupDef::default()
    }
}

/// Seconds until every agent is within a range of its goal, and the smallest distance of two until
/// then; panics when it takes longer than `most` seconds.
fn run<N: Numbers>(
    stage: &mut Stage<N>,
    most: f64,
    is_done: impl Fn(&Stage<N>) -> bool,
) -> (f64, f64) {
    let (mut ticks, mut closest) = (0, f64::INFINITY);
    while !is_done(stage) {
        stage.tick();
        ticks += 1;
        closest = closest.min(stage.closest());
        assert!(f64::from(ticks) * STEP <= most, "not done after {most} s, closest {closest} m");
    }
    (f64::from(ticks) * STEP, closest)
}

/// 250 agents of radius 1.5 m on a circle of radius 200 m, each on its way to the point across.
#[expect(clippy::disallowed_methods, reason = "places to start from, held to no digest")]
fn circle<N: Numbers>() {
    let centre = [210.0, 210.0];
    let at = |i: i32| {
        let angle = std::f64::consts::TAU * f64::from(i) / 250.0;
        [centre[0] + 200.0 * angle.cos(), centre[1] + 200.0 * angle.sin()]
    };
    let starts: Vec<[f64; 2]> = (0..250).map(at).collect();
    let settings = Settings { tick_rate: 4, ..Settings::default() };
    let mut stage = Stage::<N>::with(map(420, 420, &[]), settings);
    let group = stage.group(agent(1.5, 10.0), &starts);
    stage.order(Order::Opposite { group, centre });
    let goals: Vec<_> = starts.iter().map(|s| [0, 1].map(|k| 2.0 * centre[k] - s[k])).collect();
    let done = |stage: &Stage<N>| {
        let bodies = stage.bodies();
        bodies.iter().zip(&goals).all(|(body, goal)| distance(body.pos, *goal) <= 1.5)
    };
    let (time, closest) = run(&mut stage, 886.5, done);
    eprintln!("circle: {time} s, closest {closest:.4} m");
    assert!(closest >= 2.3442, "centres came within {closest} m");
}

#[test]
fn the_circle_resolves_no_later_than_in_the_reference() {
    circle::<f32>();
}

#[test]
fn the_circle_resolves_no_later_than_in_the_reference_in_fixed_point() {
    circle::<Fx>();
}

/// Four crowds of 25 agents of radius 2 m pass four blocks to the corner across. The library's agents
/// walk straight at the blocks and take 2,079.75 s; these follow flow fields.
fn blocks<N: Numbers>() {
    let middle = 110.0;
    let block = |x: u32, y: u32| [x, y, x + 30, y + 30];
    let walls = [block(70, 70), block(120, 70), block(70, 120), block(120, 120)];
    let settings = Settings { tick_rate: 4, contact_passes: 4, ..Settings::default() };
    let mut stage = Stage::<N>::with(map(220, 220, &walls), settings);
    let corners = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];
    let mut goals = Vec::new();
    for [x, y] in corners {
        let place = |i: i32| {
            let (i, j) = (f64::from(i / 5), f64::from(i % 5));
            [middle + x * (55.0 + 10.0 * i), middle + y * (55.0 + 10.0 * j)]
        };
        let group = stage.group(agent(2.0, 5.0), &(0..25).map(place).collect::<Vec<_>>());
        let goal = [middle - 75.0 * x, middle - 75.0 * y];
        stage.send(group, disc(goal[0], goal[1], 14.0));
        goals.push(goal);
    }
    let done = |stage: &Stage<N>| {
        let bodies = stage.bodies();
        bodies.iter().all(|body| distance(body.pos, goals[usize::from(body.group)]) <= 20.0)
    };
    let (time, closest) = run(&mut stage, 2079.75, done);
    eprintln!("blocks: {time} s, closest {closest:.4} m");
    assert!(closest >= 3.9005, "centres came within {closest} m");
}

#[test]
fn the_blocks_are_passed_no_later_than_in_the_reference() {
    blocks::<f32>();
}

#[test]
fn the_blocks_are_passed_no_later_than_in_the_reference_in_fixed_point() {
    blocks::<Fx>();
}
