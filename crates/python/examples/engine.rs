//! The engine by itself, for `cost.py`: steps a scenario when it is told to by a line with a number of
//! ticks, and answers with the nanoseconds and the digest. Arguments: the scenario, the agents.

#![allow(clippy::print_stdout, reason = "prints what it measures")]

use std::env;
use std::io::stdin;
use std::time::Instant;

use throng::Simulation;
use throng::scenario::{Overrides, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [scenario, agents] = arguments.as_slice() else { return Err("two arguments".into()) };
    let changes = Overrides { agents: Some(agents.parse()?), ..Overrides::default() };
    let mut sim = Simulation::<f32>::from_plan(Plan::load(scenario, &changes)?)?;
    for line in stdin().lines() {
        let ticks: u64 = line?.trim().parse()?;
        let began = Instant::now();
        for _ in 0..ticks {
            sim.step();
        }
        println!("{} {}", began.elapsed().as_nanos(), sim.digest());
    }
    Ok(())
}
