//! Plays a scenario that ships in an app and prints its digest after every tick, for a comparison with other
//! programs. Arguments: the scenario, f32 or fixed, the ticks, a file for the replay.

use std::fs::File;
use std::io::BufWriter;
use std::{env, process};

use bevy_app::App;
use bevy_throng::{Crowd, ThrongPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use throng::math::Numeric;
use throng::replay::RecordOptions;
use throng::scenario::{Overrides, Plan};
use throng::{Fx, Numbers, Simulation};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn play<N: Numbers>(scenario: &str, ticks: u64, replay: &str) -> Outcome {
    let changes = Overrides { numeric: Some(N::NUMERIC), ..Overrides::default() };
    let mut sim = Simulation::<N>::from_plan(Plan::load(scenario, &changes)?)?;
    sim.record(BufWriter::new(File::create(replay)?), RecordOptions::from(scenario))?;

    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<N>::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Crowd::from(sim));
    app.update(); // the first frame takes no time
    for _ in 0..ticks {
        app.update();
        println!("{:016x}", app.world().resource::<Crowd<N>>().digest());
    }
    Ok(app.world_mut().resource_mut::<Crowd<N>>().finish_recording()?)
}

fn main() -> Outcome {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [scenario, numeric, ticks, replay] = arguments.as_slice() else { process::exit(2) };
    let ticks = ticks.parse()?;
    match Numeric::from_word(numeric).ok_or("there is no such number type")? {
        Numeric::F32 => play::<f32>(scenario, ticks, replay),
        Numeric::Fixed => play::<Fx>(scenario, ticks, replay),
    }
}
