//! A horde game without its screen: `cargo run --release --example horde`.
//!
//! Waves come from the east. The player's squads hold a line, a click sends a selection, a wall is
//! built, and what happened is read from events. Halfway the game is saved, loaded and played again.

use throng::{GroupDef, Map, Settings, Shape, Simulation, WeaponDef};

/// What the player does in a minute: frames of 16 ms, 20 ticks a second.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 120 m × 60 m of open ground, and a wall with a gap in the middle.
    let wall = |i: u32| (58..61).contains(&(i % 120)) && !(24..36).contains(&(i / 120));
    let cells: Vec<u8> = (0..120 * 60).map(|i| if wall(i) { 0 } else { 16 }).collect();
    let map = Map::from_slowness(120, 60, 1.0, &cells);
    let mut sim = Simulation::<f32>::new(map, Settings::default())?;

    // Definitions: a weapon, and a group for each side. Teams are bits; foes are the teams to shoot at.
    let rifle = sim.add_weapon(WeaponDef { range: 30.0, damage: 30.0, ..WeaponDef::default() })?;
    let soldiers = sim.add_group(GroupDef {
        weapon: Some(rifle),
        health: 100.0,
        team: 0,
        foes: 0b10,
        halts: true,
        ..GroupDef::preset("rts").expect("a preset")
    })?;
    let zombies =
        sim.add_group(GroupDef { speed: 2.0, health: 40.0, team: 1, ..GroupDef::default() })?;
    sim.spawn(soldiers, Shape::rect([30.0, 20.0], [40.0, 40.0]), 60)?;
    sim.watch_arrivals();

    let (mut kills, mut lost, mut saved) = (0, 0, None);
    for frame in 0..3_750 {
        for _ in 0..sim.due(0.016) {
            // The next wave, every ten seconds; it wants to get past the soldiers.
            if sim.tick_count() % 200 == 0 && sim.seconds() < 40.0 {
                sim.spawn(zombies, Shape::rect([95.0, 5.0], [118.0, 55.0]), 150)?;
                sim.send(zombies, Shape::rect([2.0, 5.0], [12.0, 55.0]))?;
            }
            sim.step();
            // What happened in the tick, as slices.
            let events = sim.events();
            kills += events.fallen.iter().filter(|dead| dead.group == zombies).count();
            lost += events.arrived.len();
        }
        match frame {
            // A selection box and a click: these soldiers go to the gap, the others stay.
            300 => {
                let frame = Shape::rect([30.0, 20.0], [40.0, 30.0]);
                let squad = sim.index().within(&[frame], |agent| agent.group == soldiers);
                let squad: Vec<_> = squad.iter().map(|agent| agent.id).collect();
                sim.send_agents(&squad, Shape::disc([52.0, 30.0], 4.0))?;
            }
            // The player narrows the gap.
            900 => drop(sim.build(Shape::rect([58.0, 24.0], [61.0, 27.0]))?),
            1_800 => saved = Some((sim.snapshot(), kills, lost)),
            _ => {}
        }
        // Here a game draws: `sim.agents()`, each at `agent.pos_between(sim.alpha())`.
    }
    let stand = sim.agents().filter(|agent| agent.group() == soldiers).count();
    println!("{kills} zombies fell, {lost} arrivals; {stand} soldiers stand");

    // Load, and go on from halfway without the zombies: they are removed with their group.
    let (snapshot, mut kills, _) = saved.expect("it was saved");
    sim.restore(&snapshot)?;
    sim.remove_group(zombies)?;
    for _ in 0..100 {
        sim.step();
        kills += sim.events().fallen.len();
    }
    println!("loaded: {} agents, {kills} fell, digest {:016x}", sim.len(), sim.digest());
    Ok(())
}
