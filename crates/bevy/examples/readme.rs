//! The lines for Bevy in the README, run here without a window.

use bevy::prelude::*;
use bevy_throng::{Agent, Crowd, ThrongPlugin};
use throng::{Simulation, scenario::Plan};

fn main() -> Result {
    let sim = Simulation::<f32>::from_plan(Plan::load("crossing", &default())?)?;
    let agents: Vec<_> = sim.agents().map(|agent| Agent(agent.id())).collect();
    App::new()
        .add_plugins((DefaultPlugins, ThrongPlugin::<f32>::default())) // steps it in FixedUpdate
        .insert_resource(Crowd::from(sim)) // positions, orders, events
        .add_systems(Startup, move |mut commands: Commands| {
            commands.spawn_batch(agents.clone()); // entities whose Transform follows an agent
        })
        .run();
    Ok(())
}
