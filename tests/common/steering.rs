//! Agents that steer, for tests of behaviours.

use throng::GroupId;
use throng::lane::Numbers;
use throng::world::{Avoidance, Behaviour, BehaviourKind, GroupDef, Order, Outcome};

use super::stage::{Body, Stage};

/// Seconds of a tick of the default settings.
pub(crate) const DT: f64 = 0.05;

/// Agents that take on the desired velocity within a tick and touch no other.
pub(crate) fn nimble(speed: f64) -> GroupDef {
    GroupDef {
        speed,
        radius: 0.1,
        acceleration: 1000.0,
        response: DT,
        personal_space: 0.0,
        slowing_radius: 0.01,
        wall_margin: 0.0,
        avoidance: Avoidance::None,
        ..GroupDef::default()
    }
}

pub(crate) fn behaving<N: Numbers>(stage: &mut Stage<N>, group: GroupId, list: &[Behaviour]) {
    let outcome = stage.order(Order::Behave { group, behaviours: list.to_vec() });
    assert!(!outcome.is_refused(), "{outcome:?}");
}

pub(crate) fn behave<N: Numbers>(stage: &mut Stage<N>, group: GroupId, kind: BehaviourKind) {
    behaving(stage, group, &[Behaviour::new(kind)]);
}

/// The members of a group, by id.
pub(crate) fn members<N: Numbers>(stage: &Stage<N>, group: GroupId) -> Vec<Body> {
    stage.bodies().into_iter().filter(|body| body.group == group.index()).collect()
}

pub(crate) fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
