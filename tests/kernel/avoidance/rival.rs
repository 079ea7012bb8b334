//! The same neighbourhoods by `dodgy_2d`.

use std::borrow::Cow;

use crate::avoidance::case::{Case, minus};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};
use throng::kernel::orca::{Body, reference_border};

/// Half the length of a wall, in metres: beyond what any agent reaches within the horizon. Longer ones
/// lose digits of `f32`: of 1,000 m, walls lean by 1e-4.
const WALL: f64 = 16.0;

fn vector(v: [f64; 2]) -> Vec2 {
    Vec2::from(v.map(|c| c as f32))
}

/// A weight as a responsibility: the heavier the less, and none at weight 0.
fn responsibility(weight: f64) -> f32 {
    if weight == 0.0 { 0.0 } else { (1.0 / weight) as f32 }
}

/// The neighbour that `dodgy_2d` must see so that it takes the share of the paper.
///
/// Of a pair that is not about to collide it takes all of the change of velocity and not its share.
/// A neighbour whose velocity has its own part of the change already leaves just the share.
fn neighbour(case: &Case, other: &Body) -> Agent {
    let agent = &case.agent;
    let share = match other.weight {
        0.0 => 1.0,
        weight => weight / (agent.weight + weight),
    };
    let whole = Body { weight: 0.0, ..*other };
    let border = reference_border(agent, &whole, case.horizon, case.step);
    let change = minus(border.point, agent.vel);
    let normal = [-border.along[1], border.along[0]];
    let inside = change[0] * normal[0] + change[1] * normal[1] >= 0.0;
    let [x, y] = other.pos;
    let overlaps = (x * x + y * y).sqrt() <= agent.radius + other.radius;
    let rest = if inside || overlaps { 0.0 } else { 1.0 - share };
    Agent {
        position: vector(other.pos),
        velocity: vector(minus(other.vel, change.map(|c| c * rest))),
        radius: other.radius as f32,
        avoidance_responsibility: responsibility(other.weight),
    }
}

/// The velocity that `dodgy_2d` finds.
pub(crate) fn avoid(case: &Case) -> [f64; 2] {
    let agent = Agent {
        position: vector(case.agent.pos),
        velocity: vector(case.agent.vel),
        radius: case.agent.radius as f32,
        avoidance_responsibility: responsibility(case.agent.weight),
    };
    let others: Vec<_> =
        case.others.iter().map(|other| Cow::Owned(neighbour(case, other))).collect();
    let wall = |&(distance, normal): &(f64, [f64; 2])| {
        // The left side of the wall's direction is solid.
        let along = [-normal[1], normal[0]];
        let end = |far: f64| {
            let at = |i: usize| case.agent.pos[i] - distance * normal[i] + far * along[i];
            vector([at(0), at(1)])
        };
        Cow::Owned(Obstacle::Open { vertices: vec![end(-WALL), end(WALL)] })
    };
    let walls: Vec<_> = case.walls.iter().map(wall).collect();
    let options = AvoidanceOptions {
        obstacle_margin: case.agent.radius as f32,
        time_horizon: case.horizon as f32,
        obstacle_time_horizon: case.wall_horizon as f32,
    };
    let vel = agent.compute_avoiding_velocity(
        &others,
        &walls,
        vector(case.preferred),
        case.most as f32,
        case.step as f32,
        &options,
    );
    vel.to_array().map(f64::from)
}
