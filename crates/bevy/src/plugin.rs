//! [`ThrongPlugin`].

use std::marker::PhantomData;

use bevy_app::{App, First, FixedUpdate, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimeSystems};
use throng::Numbers;

use crate::crowd::Crowd;
use crate::entities::{Plane, place_entities, read_poses};
use crate::messages::{
    AgentArrived, AgentEntered, AgentFell, AgentGone, AgentLeft, AgentSpawned, AgentStuck,
    GiveOrder, OrderRefused, ShotEnded, StructureFell, give_orders, step, write_events,
    write_traffic,
};

/// What the plugin does in every `FixedUpdate`, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrowdSystems {
    /// Orders that came by messages are given.
    SyncIn,
    /// The crowd does a tick.
    Step,
    /// What happened is written as messages, and entities learn where their agents are.
    SyncOut,
}

/// Steps the app's [`Crowd`], if it has one, in number type `N`. Needs Bevy's `TimePlugin`.
///
/// An app has one crowd. Its ticks set the fixed timestep when the crowd is inserted.
#[derive(Clone, Copy, Debug)]
pub struct ThrongPlugin<N: Numbers = f32> {
    /// How the map lies in Bevy's space.
    pub plane: Plane,
    /// Whether the fixed timestep is set to a tick of the crowd. Without it the crowd does a tick in every
    /// `FixedUpdate` all the same, so it runs slower or faster than its own clock.
    pub sets_timestep: bool,
    numbers: PhantomData<fn() -> N>,
}

impl<N: Numbers> ThrongPlugin<N> {
    /// For a map that lies like this.
    pub fn on(plane: Plane) -> Self {
        Self { plane, sets_timestep: true, numbers: PhantomData }
    }
}

impl<N: Numbers> Default for ThrongPlugin<N> {
    fn default() -> Self {
        Self::on(Plane::default())
    }
}

impl<N: Numbers> Plugin for ThrongPlugin<N> {
    fn build(&self, app: &mut App) {
        use CrowdSystems::{Step, SyncIn, SyncOut};

        app.insert_resource(self.plane)
            .add_message::<GiveOrder>()
            .add_message::<AgentSpawned>()
            .add_message::<AgentEntered>()
            .add_message::<AgentLeft>()
            .add_message::<AgentArrived>()
            .add_message::<AgentStuck>()
            .add_message::<AgentFell>()
            .add_message::<AgentGone>()
            .add_message::<ShotEnded>()
            .add_message::<StructureFell>()
            .add_message::<OrderRefused>()
            .configure_sets(
                FixedUpdate,
                (SyncIn, Step, SyncOut).chain().run_if(resource_exists::<Crowd<N>>),
            )
            .add_systems(
                FixedUpdate,
                (
                    give_orders::<N>.in_set(SyncIn),
                    step::<N>.in_set(Step),
                    (write_events::<N>, write_traffic::<N>, read_poses::<N>).in_set(SyncOut),
                ),
            )
            .add_systems(
                RunFixedMainLoop,
                place_entities.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
        if self.sets_timestep {
            // Before the frame's time is known, so that its own ticks have the length already.
            let set = set_timestep::<N>.before(TimeSystems).run_if(resource_added::<Crowd<N>>);
            app.add_systems(First, set);
        }
    }
}

/// Makes a fixed timestep of a tick.
fn set_timestep<N: Numbers>(crowd: Res<Crowd<N>>, mut time: ResMut<Time<Fixed>>) {
    time.set_timestep_hz(f64::from(crowd.world().settings().tick_rate));
}
