//! Whether people who walk against each other form lanes.
//!
//! The order parameter of Rex and Löwen (Lane formation in oppositely charged colloids driven by an
//! electric field, Physical Review E 75, 2007, 051402), which Nowak and Schadschneider (Quantitative
//! analysis of pedestrian counterflow in a cellular automaton model, Physical Review E 85, 2012,
//! 066128) brought to pedestrians: for every agent, of those in a strip around it along the axis of
//! travel, `((same − opposite) / (same + opposite))²`; and the mean of that.

/// Half the width of a strip, in diameters of the agent in its middle (Rex and Löwen: ¾).
const STRIP: f64 = 0.75;

/// Speed in m/s from which an agent has a direction.
const WALKING: f64 = 0.1;

/// An agent as the lane order sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Centre, m.
    pub pos: [f64; 2],
    /// Velocity, m/s.
    pub vel: [f64; 2],
    /// Radius, m.
    pub radius: f64,
}

/// How far a crowd walks in lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaneOrder {
    /// Mean of `((same − opposite) / (same + opposite))²` over the agents: 1 in perfect lanes, 0 when
    /// every strip has as many of either direction.
    pub order: f64,
    /// The mean to be expected when every agent had a direction by chance, at the shares that the
    /// directions have: what `order` must exceed to mean anything.
    pub chance: f64,
    /// Agents that have a direction: 0.1 m/s and more.
    pub agents: u64,
}

/// The lane order of a crowd.
///
/// The axis of travel is the principal axis of all directions of walking. An agent goes one way along
/// it or the other; its strip runs along the axis, as long as the crowd, and ends ¾ of the agent's
/// diameter to each side of its centre. The agent itself is one of the same direction. `chance` is
/// the mean of (p − q)² + 4pq / n for the shares p and q of the directions and n agents in a strip.
///
/// `None` when no agent walks against another: then there are no lanes to speak of.
pub fn lane_order(walkers: &[Walker]) -> Option<LaneOrder> {
    let heading = |walker: &Walker| {
        let [x, y] = walker.vel;
        let speed = (x * x + y * y).sqrt();
        (speed >= WALKING).then(|| (*walker, [x / speed, y / speed]))
    };
    let walking: Vec<(Walker, [f64; 2])> = walkers.iter().filter_map(heading).collect();
    let axis = principal_axis(walking.iter().map(|&(_, direction)| direction))?;
    let lateral = |[x, y]: [f64; 2]| axis[0] * y - axis[1] * x;
    let mut across: Vec<(f64, bool, f64)> = walking
        .iter()
        .map(|(walker, [x, y])| {
            (lateral(walker.pos), axis[0] * x + axis[1] * y >= 0.0, walker.radius)
        })
        .collect();
    across.sort_by(|a, b| a.0.total_cmp(&b.0));
    // How many of the first n go forward.
    let mut forward = vec![0_u64];
    for (n, &(_, goes, _)) in across.iter().enumerate() {
        forward.push(forward[n] + u64::from(goes));
    }
    let (agents, all) = (across.len() as f64, forward[across.len()] as f64);
    if all == 0.0 || all == agents {
        return None;
    }
    let lead = (2.0 * all - agents) / agents;
    let (mut order, mut chance) = (0.0, 0.0);
    for &(at, _, radius) in &across {
        let half = STRIP * 2.0 * radius;
        let first = across.partition_point(|other| other.0 < at - half);
        let end = across.partition_point(|other| other.0 <= at + half);
        let count = (end - first) as f64;
        let ahead = (forward[end] - forward[first]) as f64;
        let excess = (2.0 * ahead - count) / count;
        order += excess * excess;
        chance += lead * lead + (1.0 - lead * lead) / count;
    }
    let agents = across.len() as u64;
    Some(LaneOrder { order: order / agents as f64, chance: chance / agents as f64, agents })
}

/// The axis to which unit vectors are nearest, by least squares; `None` when there is no such.
fn principal_axis(directions: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    // Cosine and sine of twice the angle.
    let (mut cosine, mut sine) = (0.0, 0.0);
    for [x, y] in directions {
        cosine += x * x - y * y;
        sine += 2.0 * x * y;
    }
    let length = (cosine * cosine + sine * sine).sqrt();
    if length <= 1e-9 {
        return None;
    }
    let half = |share: f64| ((1.0 + share) * 0.5).max(0.0).sqrt();
    let (x, y) = (half(cosine / length), half(-cosine / length));
    Some([x, if sine < 0.0 { -y } else { y }])
}
