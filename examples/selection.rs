//! Selections: `cargo run --release --example selection`.
//!
//! A squad is picked by a box and sent where the player clicks, in ranks, each to a place of its own;
//! another keeps a formation on its way; stragglers are told apart by a number that the game gave them.

use throng::{
    AgentId, CompanyDef, Formation, GroupDef, Legend, Map, Order, Settings, Shape, Simulation,
};

/// A field of 120 m × 40 m, with a wood in the middle that has a path through it.
const FIELD: [&str; 8] = [
    "........................",
    "..........@@@@..........",
    "..........@@@@..........",
    "........................",
    "........................",
    "..........@@@@..........",
    "..........@@@@..........",
    "........................",
];

/// A minute of two squads.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Map::from_rows(&FIELD, &Legend::default(), 5.0)?;
    let mut sim = Simulation::<f32>::new(map, Settings::default())?;
    let archers = sim.add_group(GroupDef::preset("rts").expect("a preset"))?;
    let pikes = sim.add_group(GroupDef::preset("rts").expect("a preset"))?;
    sim.spawn(archers, Shape::rect([2.0, 2.0], [30.0, 18.0]), 80)?;
    sim.spawn(pikes, Shape::rect([2.0, 22.0], [30.0, 38.0]), 60)?;

    // A box on the screen: the archers in it. The game numbers them, to know them again.
    let frame = Shape::rect([2.0, 2.0], [30.0, 12.0]);
    let picked = sim.index().within(&[frame], |agent| agent.group == archers);
    let squad: Vec<AgentId> = picked.iter().map(|agent| agent.id).collect();
    for (number, &id) in (1..).zip(&squad) {
        sim.order_agents(&[id], throng::AgentOrder::Label { label: number })?;
    }

    // A click: three ranks, 2 m apart, around a point behind the wood. One order, shared ways.
    let files = squad.len().div_ceil(3);
    let place = |i: usize| [95.0 + 2.0 * (i / files) as f64, 4.0 + 1.2 * (i % files) as f64];
    let goals: Vec<_> = squad.iter().enumerate().map(|(i, &id)| (id, place(i))).collect();
    sim.send_each(&goals)?;

    // The pikes go as a line, five deep, at the pace of the slowest.
    let (formation, files) = (Some(Formation::Line), Some(12));
    let groups = vec![pikes];
    let line = sim.add_company(CompanyDef { groups, formation, files, ..CompanyDef::default() })?;
    let goal = vec![Shape::point([100.0, 30.0])];
    sim.order(Order::MoveCompany { company: line, goal })?;

    while sim.seconds() < 60.0 {
        sim.step();
        // Halfway two of the squad are called back to their group.
        if sim.tick_count() == 600 {
            sim.order_agents(&squad[..2], throng::AgentOrder::Rejoin)?;
        }
    }

    // The field as letters: a and p, capitals for the squad.
    let mut rows = vec![vec!['.'; 120]; 40];
    for agent in sim.agents() {
        let letter = if agent.group() == pikes { 'p' } else { 'a' };
        let [x, y] = agent.pos();
        rows[y as usize][x as usize] =
            if agent.label() > 0 { letter.to_ascii_uppercase() } else { letter };
    }
    rows.iter().step_by(2).for_each(|row| println!("{}", row.iter().collect::<String>()));
    let is_there = |&&id: &&AgentId| sim.agent(id).is_some_and(|agent| agent.has_arrived());
    let there = squad.iter().filter(is_there).count();
    println!("{there} of {} are in their places, digest {:016x}", squad.len(), sim.digest());
    Ok(())
}
