//! The scene in a replay's header: what pictures of the run show beside its world.

use crate::data::bytes::{BytesError, Reader, Write};
use crate::map::Map;
use crate::map::area::Shape;
use crate::scenario::{AreaPlan, GatePlan, GroupPlan, MachinePlan, Scene, TeamPlan};

/// Appends a scene.
pub(super) fn write(scene: &Scene, body: &mut Vec<u8>) {
    let shapes = |body: &mut Vec<u8>, shapes: &[Shape]| {
        body.u32(shapes.len() as u32);
        shapes.iter().for_each(|shape| body.value(shape));
    };
    body.u32(scene.groups.len() as u32);
    for group in &scene.groups {
        body.run(group.name.as_bytes());
        body.extend_from_slice(&group.color);
        body.u32(group.machine.map_or(0, |machine| u32::from(machine) + 1));
        shapes(body, &group.starts);
        shapes(body, &group.goal);
    }
    body.u32(scene.teams.len() as u32);
    for team in &scene.teams {
        body.run(team.name.as_bytes());
        body.u32(team.foes);
    }
    body.u32(scene.machines.len() as u32);
    for machine in &scene.machines {
        body.run(machine.name.as_bytes());
        body.u32(machine.states.len() as u32);
        machine.states.iter().for_each(|state| body.run(state.as_bytes()));
    }
    body.u32(scene.weapons.len() as u32);
    scene.weapons.iter().for_each(|name| body.run(name.as_bytes()));
    body.u32(scene.letters.len() as u32);
    for (letter, colour) in &scene.letters {
        body.u8(*letter);
        body.extend_from_slice(colour);
    }
    body.u32(scene.letter_names.len() as u32);
    for (letter, name) in &scene.letter_names {
        body.u8(*letter);
        body.run(name.as_bytes());
    }
    body.f64(scene.beaten.unwrap_or(0.0));
    body.u32(scene.gates.len() as u32);
    for gate in &scene.gates {
        body.run(gate.name.as_bytes());
        gate.from.iter().chain(&gate.to).for_each(|&number| body.f64(number));
    }
    body.u32(scene.areas.len() as u32);
    for area in &scene.areas {
        body.run(area.name.as_bytes());
        shapes(body, &area.shapes);
    }
    for names in [&scene.sources, &scene.sinks, &scene.structures, &scene.doors] {
        body.u32(names.len() as u32);
        names.iter().for_each(|name| body.run(name.as_bytes()));
    }
    body.run(scene.map.as_bytes());
    body.u64(scene.ticks);
}

/// Reads a scene of a map; what it takes of memory is a few times its bytes.
pub(super) fn read(reader: &mut Reader<'_>, map: &Map) -> Result<Scene, BytesError> {
    let count = reader.count("groups", 19)?;
    let groups = (0..count).map(|_| group(reader, map)).collect::<Result<_, _>>()?;
    let count = reader.count("teams", 8)?;
    let team = |_| Ok(TeamPlan { name: reader.text("team")?, foes: reader.u32("foes")? });
    let teams = (0..count).map(team).collect::<Result<_, BytesError>>()?;
    let count = reader.count("machines", 8)?;
    let machine = |_| {
        let name = reader.text("machine")?;
        Ok(MachinePlan { name, states: texts(reader, "states")? })
    };
    let machines: Vec<MachinePlan> = (0..count).map(machine).collect::<Result<_, BytesError>>()?;
    let weapons = texts(reader, "weapons")?;
    let count = reader.count("letters", 4)?;
    let letter = |_| Ok((reader.u8("letter")?, colour(reader)?));
    let letters = (0..count).map(letter).collect::<Result<_, BytesError>>()?;
    let count = reader.count("letter names", 5)?;
    let name = |_| Ok((reader.u8("letter")?, reader.text("letter name")?));
    let letter_names = (0..count).map(name).collect::<Result<_, BytesError>>()?;
    let beaten = Some(reader.f64("beaten")?).filter(|&share| share != 0.0);
    let count = reader.count("gates", 36)?;
    let gates = (0..count).map(|_| gate(reader)).collect::<Result<_, _>>()?;
    let count = reader.count("areas", 8)?;
    let area =
        |_| Ok(AreaPlan { name: reader.text("area")?, shapes: shapes(reader, map, "area")? });
    let areas = (0..count).map(area).collect::<Result<_, BytesError>>()?;
    let [sources, sinks] = [texts(reader, "sources")?, texts(reader, "sinks")?];
    let [structures, doors] = [texts(reader, "structures")?, texts(reader, "doors")?];
    let (name, ticks) = (reader.text("map name")?, reader.u64("ticks")?);
    let scene = Scene {
        groups,
        teams,
        machines,
        weapons,
        letters,
        letter_names,
        beaten,
        gates,
        areas,
        sources,
        sinks,
        structures,
        doors,
        map: name,
        ticks,
    };
    let machines = scene.machines.len();
    let foreign = |group: &&GroupPlan| group.machine.is_some_and(|at| usize::from(at) >= machines);
    match scene.groups.iter().find(foreign) {
        Some(_) => Err(reader.error("scene", "a group has a machine that is not there")),
        None => Ok(scene),
    }
}

fn gate(reader: &mut Reader<'_>) -> Result<GatePlan, BytesError> {
    let name = reader.text("gate")?;
    let mut end = || Ok([reader.f64("gate")?, reader.f64("gate")?]);
    let (from, to): ([f64; 2], [f64; 2]) = (end()?, end()?);
    if from.iter().chain(&to).all(|number| number.is_finite()) && from != to {
        return Ok(GatePlan { name, from, to });
    }
    Err(reader.error("gate", format!("a line from {from:?} to {to:?}")))
}

fn group(reader: &mut Reader<'_>, map: &Map) -> Result<GroupPlan, BytesError> {
    let (name, color) = (reader.text("group")?, colour(reader)?);
    let code = reader.u32("machine")?;
    let machine = code.checked_sub(1).map(u16::try_from).transpose();
    let machine = machine.map_err(|_| reader.error("machine", format!("no machine {code}")))?;
    let (starts, goal) = (shapes(reader, map, "starts")?, shapes(reader, map, "goal")?);
    Ok(GroupPlan { name, color, machine, starts, goal })
}

fn shapes(
    reader: &mut Reader<'_>,
    map: &Map,
    what: &'static str,
) -> Result<Vec<Shape>, BytesError> {
    let count = reader.count(what, 9)?;
    let mut shapes = Vec::new();
    for _ in 0..count {
        let shape: Shape = reader.value(what)?;
        shape.check_on(map).map_err(|error| reader.error(what, error.to_string()))?;
        shapes.push(shape);
    }
    Ok(shapes)
}

fn texts(reader: &mut Reader<'_>, what: &'static str) -> Result<Vec<String>, BytesError> {
    let count = reader.count(what, 4)?;
    (0..count).map(|_| reader.text(what)).collect()
}

fn colour(reader: &mut Reader<'_>) -> Result<[u8; 3], BytesError> {
    Ok([reader.u8("red")?, reader.u8("green")?, reader.u8("blue")?])
}
