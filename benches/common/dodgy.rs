//! Velocities by `dodgy_2d`, another ORCA in Rust, with neighbours from throng's grid.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use throng::kernel::nearest::NEAREST;
use throng::space::{Grid, Query};

/// What all agents have in common, in metres and seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) radius: f32,
    pub(crate) range: f32,
    pub(crate) horizon: f32,
    pub(crate) fastest: f32,
    pub(crate) step: f32,
}

/// The velocities that avoid the 10 nearest neighbours; rows are those of the grid.
#[inline(never)]
pub(crate) fn velocities(
    grid: &Grid<f32>,
    agents: &[Agent],
    preferred: &[[f32; 2]],
    limits: Limits,
    velocities: &mut [[f32; 2]],
) {
    let Limits { radius, range, horizon, fastest, step } = limits;
    let options = AvoidanceOptions {
        obstacle_margin: radius,
        time_horizon: horizon,
        obstacle_time_horizon: horizon,
    };
    let mut neighbours = Vec::new();
    for (row, agent) in agents.iter().enumerate() {
        let [x, y] = agent.position.to_array();
        let mut nearest = [(range * range, u32::MAX); NEAREST];
        let query = Query { min: [x - range, y - range], max: [x + range, y + range] };
        grid.visit(query, |rows, _| {
            for other in rows {
                let [dx, dy] = (agent.position - agents[other].position).to_array();
                let square = dx * dx + dy * dy;
                if square < nearest[NEAREST - 1].0 && other != row {
                    let mut at = NEAREST - 1;
                    while at > 0 && square < nearest[at - 1].0 {
                        nearest[at] = nearest[at - 1];
                        at -= 1;
                    }
                    nearest[at] = (square, other as u32);
                }
            }
        });
        neighbours.clear();
        let found = nearest.iter().filter(|(_, other)| *other != u32::MAX);
        neighbours.extend(found.map(|&(_, other)| Cow::Borrowed(&agents[other as usize])));
        let preferred = Vec2::from(preferred[row]);
        let agent = Agent { avoidance_responsibility: 1.0, ..agent.clone() };
        let vel =
            agent.compute_avoiding_velocity(&neighbours, &[], preferred, fastest, step, &options);
        velocities[row] = vel.to_array();
    }
}
