//! What the plugin costs over the engine by itself: a crowd without entities, and one in which every agent
//! has an entity. Both are stepped in turns, so that what else the machine does meets both.
//!
//! ```console
//! cargo run --release --example cost
//! ```

use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_throng::{Agent, Crowd, ThrongPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use throng::Simulation;
use throng::scenario::{Overrides, Plan};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn crossing(agents: u64) -> Fallible<Simulation<f32>> {
    let changes = Overrides { agents: Some(agents), ..Overrides::default() };
    Ok(Simulation::from_plan(Plan::load("crossing", &changes)?)?)
}

fn app(sim: Simulation<f32>, with_entities: bool) -> App {
    let ids: Vec<_> = sim.agents().map(|agent| agent.id()).collect();
    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<f32>::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Crowd::from(sim));
    if with_entities {
        app.world_mut().spawn_batch(ids.into_iter().map(Agent));
    }
    app.update(); // the first frame takes no time
    app
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn compare(agents: u64, with_entities: bool, ticks: usize) -> Fallible<()> {
    let mut engine = crossing(agents)?;
    let mut app = app(crossing(agents)?, with_entities);
    let (mut alone, mut both) = (Vec::new(), Vec::new());
    let timed = |times: &mut Vec<Duration>, work: &mut dyn FnMut()| {
        let began = Instant::now();
        work();
        times.push(began.elapsed());
    };
    for tick in 0..ticks {
        // The second one finds a cold cache, so they take turns in that too.
        if tick % 2 == 0 {
            timed(&mut alone, &mut || engine.step());
            timed(&mut both, &mut || app.update());
        } else {
            timed(&mut both, &mut || app.update());
            timed(&mut alone, &mut || engine.step());
        }
    }
    assert_eq!(app.world().resource::<Crowd>().digest(), engine.digest());
    let (alone, both) = (median(alone), median(both));
    let entities = if with_entities { "all with entities" } else { "without entities" };
    println!(
        "{agents} agents {entities}: engine {alone:.3} ms a tick, app {both:.3} ms a frame, \
         {:+.3} ms ({:+.1} %)",
        both - alone,
        (both / alone - 1.0) * 100.0
    );
    Ok(())
}

fn main() -> Fallible<()> {
    compare(100_000, false, 200)?;
    compare(10_000, false, 600)?;
    compare(10_000, true, 600)
}
