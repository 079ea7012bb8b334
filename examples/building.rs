//! Walls that come and go: `cargo run --release --example building`.
//!
//! A crowd streams to a keep. The player builds a wall across its way, leaves a gate, and opens a
//! breach; ways follow the map as it is. What would shut the keep off is seen before it is built.

use throng::{GroupDef, Map, Settings, Shape, Simulation};

/// How many agents walk on each side of the middle of the map, from north to south.
fn flow(sim: &Simulation<f32>) -> [usize; 2] {
    let near = sim.agents().filter(|agent| (38.0..42.0).contains(&agent.pos()[0]));
    let (north, south): (Vec<_>, Vec<_>) = near.partition(|agent| agent.pos()[1] < 20.0);
    [north.len(), south.len()]
}

/// A minute of people, two walls and a breach.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Open ground, 80 m × 40 m, cells of half a metre.
    let map = Map::from_slowness(160, 80, 0.5, &[16; 160 * 80]);
    let mut sim = Simulation::<f32>::new(map, Settings::default())?;
    let people = sim.add_group(GroupDef::default())?;
    let keep = Shape::rect([68.0, 14.0], [78.0, 26.0]);
    let arrive =
        |sim: &mut Simulation<f32>, seconds: f64| -> Result<[usize; 2], throng::world::Refusal> {
            let (end, mut sides) = (sim.seconds() + seconds, [0; 2]);
            while sim.seconds() < end {
                if sim.tick_count().is_multiple_of(100) {
                    sim.spawn(people, Shape::rect([1.0, 2.0], [8.0, 38.0]), 60)?;
                    sim.send(people, keep.clone())?;
                }
                sim.step();
                let now = flow(sim);
                sides = [sides[0] + now[0], sides[1] + now[1]];
            }
            Ok(sides)
        };
    println!(
        "open ground: {:?} agent-ticks north and south of the middle",
        arrive(&mut sim, 40.0)?
    );

    // A wall from north to south, with a gate in the north. Agents in its way step aside.
    let moved = sim.build(
        [Shape::rect([39.0, 0.0], [41.0, 6.0]), Shape::rect([39.0, 10.0], [41.0, 40.0])].to_vec(),
    )?;
    println!(
        "a wall with a gate in the north, {moved} stood in its way: {:?}",
        arrive(&mut sim, 40.0)?
    );

    // A breach in the south: the way through it is taken as soon as it is shorter.
    sim.demolish(Shape::rect([39.0, 28.0], [41.0, 33.0]))?;
    println!("a breach in the south: {:?}", arrive(&mut sim, 40.0)?);

    // Would this shut people out? A copy of the world knows; nothing has happened to the game.
    let mut trial = Simulation::from(sim.world().clone());
    trial.build(Shape::rect([39.0, 0.0], [41.0, 40.0]))?;
    let cut_off = trial.world().cut_off().unreachable;
    println!("a wall without a gate would shut {cut_off} of {} out", trial.len());
    Ok(())
}
