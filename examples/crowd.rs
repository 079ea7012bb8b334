//! Two groups pass each other on a small map: `cargo run --release --example crowd`.
//!
//! The map is drawn as rows of letters, the groups come and go by orders, and ten seconds pass in
//! frames that take as long as they take. All that once in each numeric mode.

use throng::{Fx, GroupDef, Legend, Map, Numbers, Settings, Shape, Simulation};

/// 30 × 16 cells of 1 m: a hall, and a wall with two doors.
const HALL: [&str; 16] = [
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@............................@",
    "@............................@",
    "@............................@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@............................@",
    "@............................@",
    "@............................@",
    "@.............@@.............@",
    "@.............@@.............@",
    "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@",
];

/// Frame times of a game that stutters, in seconds. They decide how many ticks a frame gets, and
/// nothing else: any others that add up to as many ticks give the same digest.
const FRAMES: [f64; 5] = [0.016, 0.017, 0.033, 0.012, 0.022];

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strict = cross::<f32>()?;
    let fixed = cross::<Fx>()?;
    println!("digests {strict:016x} (f32), {fixed:016x} (fixed): the same wherever this runs");
    Ok(())
}

/// Lets the groups cross in number type `N`, and gives the digest of the state in the end.
fn cross<N: Numbers>() -> Result<u64, Box<dyn std::error::Error>> {
    let map = Map::from_rows(&HALL, &Legend::default(), 1.0)?;
    let mut sim = Simulation::<N>::new(map, Settings::default())?;
    let west = Shape::rect([3.0, 2.0], [11.0, 14.0]);
    let east = Shape::rect([19.0, 2.0], [27.0, 14.0]);
    let walkers = sim.add_group(GroupDef::default())?;
    let joggers = sim.add_group(GroupDef { speed: 2.8, radius: 0.25, ..GroupDef::default() })?;
    sim.spawn(walkers, west.clone(), 40)?;
    sim.spawn(joggers, east.clone(), 40)?;
    sim.send(walkers, east)?;
    sim.send(joggers, west)?;

    let mut frames = FRAMES.iter().cycle();
    while sim.seconds() < 10.0 {
        for _ in 0..sim.due(*frames.next().expect("an endless list")) {
            sim.step();
            if sim.tick_count().is_multiple_of(40) {
                report(&sim);
            }
        }
        // Here a game would draw, `sim.alpha()` of the way to the next tick.
    }
    Ok(sim.digest())
}

/// Says how the crowd is doing.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn report<N: Numbers>(sim: &Simulation<N>) {
    let mut east = [0; 2];
    for agent in sim.agents() {
        east[usize::from(agent.group().index())] += usize::from(agent.pos()[0] > 15.0);
    }
    let (mode, seconds, arrived) = (N::NUMERIC.word(), sim.seconds(), sim.world().arrived());
    println!(
        "{mode}, {seconds:>2} s: {:>2} walkers and {:>2} joggers in the east, {arrived} arrived",
        east[0], east[1]
    );
}
