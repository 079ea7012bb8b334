//! Entities that follow an agent.

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use throng::{Id, Numbers};

use crate::crowd::Crowd;
use crate::messages::AgentGone;

/// The entity follows an agent: its `Transform` is where the agent is, in every frame.
///
/// When the agent lives no more, [`AgentGone`] is written and the entity despawned.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(AgentPose, Transform)]
pub struct Agent(pub Id);

/// Where the agent of an entity was at the last two ticks, in metres on the map (y grows downwards).
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentPose {
    /// After the tick before the last.
    pub before: [f32; 2],
    /// After the last tick.
    pub now: [f32; 2],
    /// Where it went last, of length 1; zero until it has moved.
    pub heading: [f32; 2],
    /// Whether a tick has written it.
    is_known: bool,
}

impl AgentPose {
    /// Takes on the place after a tick. An agent that moved farther than `leap` metres was put there,
    /// and is drawn nowhere between.
    fn move_to(&mut self, now: [f32; 2], leap: f32) {
        let away = [now[0] - self.now[0], now[1] - self.now[1]];
        let leapt = away[0] * away[0] + away[1] * away[1] > leap * leap;
        self.before = if self.is_known && !leapt { self.now } else { now };
        self.now = now;
        self.is_known = true;
    }

    /// Where to draw it when so much of the time from the last tick to the next has passed, 0 ..= 1.
    fn between(&self, share: f32) -> [f32; 2] {
        [0, 1].map(|axis| self.before[axis] + (self.now[axis] - self.before[axis]) * share)
    }
}

/// How the map lies in Bevy's space; a metre is a unit. The third coordinate stays the entity's own.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// Upright, as 2D games have it: x to the right, the map's y downwards. The entity's +X points ahead.
    #[default]
    Xy,
    /// On the ground of a 3D game: the map's y is +Z. The entity's -Z points ahead.
    Xz,
}

impl Plane {
    /// Moves and turns an entity, if that changes anything.
    fn place(self, transform: &mut Mut<Transform>, at: [f32; 2], heading: [f32; 2]) {
        let mut next = **transform;
        // Cosine and sine of the turn about the plane's normal.
        let [cos, sin] = match self {
            Self::Xy => {
                (next.translation.x, next.translation.y) = (at[0], -at[1]);
                [heading[0], -heading[1]]
            }
            Self::Xz => {
                (next.translation.x, next.translation.z) = (at[0], at[1]);
                [-heading[1], -heading[0]]
            }
        };
        if heading != [0.0; 2] {
            let half = |square: f32| (square / 2.0).max(0.0).sqrt();
            let (axis, w) = (half(1.0 - cos).copysign(sin), half(1.0 + cos));
            let [y, z] = if self == Self::Xy { [0.0, axis] } else { [axis, 0.0] };
            (next.rotation.x, next.rotation.y, next.rotation.z, next.rotation.w) = (0.0, y, z, w);
        }
        if **transform != next {
            **transform = next;
        }
    }
}

/// Notes where the agents of entities are after a tick; ends entities whose agents live no more.
pub(crate) fn read_poses<N: Numbers>(
    crowd: Res<Crowd<N>>,
    mut entities: Query<(Entity, &Agent, &mut AgentPose)>,
    mut gone: MessageWriter<AgentGone>,
    mut commands: Commands,
) {
    let dt = crowd.world().dt();
    for (entity, &Agent(id), mut pose) in &mut entities {
        let Some(agent) = crowd.agent(id) else {
            gone.write(AgentGone { id, entity });
            commands.entity(entity).despawn();
            continue;
        };
        let leap = agent.radius() + 2.0 * agent.speed() * dt;
        pose.move_to(agent.pos().map(|c| c as f32), leap as f32);
        if let Some(heading) = agent.heading() {
            pose.heading = heading.map(|c| c as f32);
        }
    }
}

/// Puts entities where their agents are in this frame, between the last two ticks.
pub(crate) fn place_entities(
    time: Res<Time<Fixed>>,
    plane: Res<Plane>,
    mut entities: Query<(&AgentPose, &mut Transform), With<Agent>>,
) {
    let share = time.overstep_fraction();
    for (pose, mut transform) in &mut entities {
        if pose.is_known {
            plane.place(&mut transform, pose.between(share), pose.heading);
        }
    }
}
