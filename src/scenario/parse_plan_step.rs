//! Steps of `[[team.strategy]]`.

use crate::data::GroupId;
use crate::mind::{Place as StepPlace, STEP_DISTANCE, STEP_RENEWAL, StepDef, StepKind, Wing};
use crate::scenario::def::{AreaDef, GroupEntry, TeamEntry};
use crate::scenario::def_mind::MachineEntry;
use crate::scenario::parse_shape::area;
use crate::scenario::parse_state::condition;
use crate::scenario::read::{Node, Table, quoted};
use crate::scenario::strategy_names::Known;
use crate::scenario::suggest::meant;

pub(super) const STEP: [&str; 9] =
    ["step", "groups", "at", "to", "side", "distance", "renew", "state", "until"];

/// A step; `all` are its groups when it says none. The areas that it names join the others.
pub(super) fn step(
    node: &Node<'_>,
    all: &[GroupId],
    known: &Known<'_>,
    areas: &mut Vec<(GroupId, AreaDef)>,
) -> Option<StepDef> {
    let table = node.table("a step, as in { step = \"hold\" }", &STEP)?;
    table.needed("step", format!("one of {}", quoted(&StepKind::NAMES)));
    let word = table.word("step", &StepKind::NAMES);
    let groups = match table.get("groups") {
        Some(node) => known.groups(&node),
        None => all.to_vec(),
    };
    let until = table.get("until").and_then(|node| condition(&node, &known.inputs));
    let kind = StepKind::from_name(word?)?;
    let takes: &[&str] = match kind {
        StepKind::Gather => &["at"],
        StepKind::March => &["to", "renew"],
        StepKind::Hold => &[],
        StepKind::Flank => &["side", "distance", "renew"],
        StepKind::Retreat => &["to", "distance", "renew"],
    };
    for key in table.present(&["at", "to", "side", "distance", "renew"]) {
        if let Some(node) = table.get(key).filter(|_| !takes.contains(&key)) {
            let wrong = format!("`{}` takes no `{key}`", kind.name());
            let expected = match takes {
                [] => format!("a `{}` without it", kind.name()),
                _ => format!("at most {}", quoted(takes)),
            };
            node.problem(wrong, expected);
        }
    }
    let side = table.word("side", &Wing::NAMES).and_then(Wing::from_name);
    if kind == StepKind::Flank && table.get("side").is_none() {
        table.missing("side", "\"left\" or \"right\", as seen from the groups");
    }
    let place = place(&table, kind, &groups, known, areas);
    let state = table.get("state");
    let state = state.and_then(|node| state_of(&node, &groups, known));
    Some(StepDef {
        place: place?,
        side: side.unwrap_or(Wing::Left),
        distance: table.key(&STEP_DISTANCE),
        renew: table.key(&STEP_RENEWAL),
        state,
        until,
        ..StepDef::new(kind, groups)
    })
}

/// Where a step is done.
fn place(
    table: &Table<'_>,
    kind: StepKind,
    groups: &[GroupId],
    known: &Known<'_>,
    areas: &mut Vec<(GroupId, AreaDef)>,
) -> Option<StepPlace> {
    let key = if kind == StepKind::Gather { "at" } else { "to" };
    let Some(node) = table.get(key) else {
        if kind == StepKind::March {
            table.missing("to", "an area, \"enemy\" or \"home\"");
        }
        return Some(if kind == StepKind::Flank { StepPlace::Enemy } else { StepPlace::Own });
    };
    if !node.is_text() {
        let area = area(&node)?;
        // Where the widest can stand all can.
        let radius = |group: GroupId| known.groups[usize::from(group)].def.radius;
        let widest = groups.iter().copied().max_by(|&a, &b| radius(a).total_cmp(&radius(b)));
        areas.extend(widest.map(|group| (group, area.clone())));
        return Some(StepPlace::Area(area.shapes));
    }
    let words: &[&str] = if kind == StepKind::March { &["enemy", "home"] } else { &["home"] };
    let word = node.text("a place")?;
    if !words.contains(&word) {
        let expected = meant('"', word, words.iter().copied())
            .unwrap_or_else(|| format!("an area, or one of {}", quoted(words)));
        node.bad_value("is no place", expected);
        return None;
    }
    match word {
        "enemy" => Some(StepPlace::Enemy),
        _ => {
            let nowhere = |group: &&GroupId| known.groups[usize::from(**group)].spawns.is_empty();
            if let Some(&group) = groups.iter().find(nowhere) {
                let name = &known.groups[usize::from(group)].name;
                let wrong = format!("`{name}` has no `spawn`, and so no home");
                node.problem(wrong, "an area, or groups with a `spawn`");
            }
            Some(StepPlace::Home)
        }
    }
}

/// The machine of a group.
fn machine_of<'a>(
    group: GroupId,
    groups: &[GroupEntry],
    machines: &'a [MachineEntry],
) -> Option<(usize, &'a MachineEntry)> {
    let index = usize::from(groups[usize::from(group)].machine?);
    machines.get(index).map(|entry| (index, entry))
}

/// The state that agents are sent to, which the machine of every group that has one must have.
fn state_of(node: &Node<'_>, groups: &[GroupId], known: &Known<'_>) -> Option<String> {
    let name = node.text("the name of a state")?;
    let machine =
        |&group: &GroupId| Some((group, machine_of(group, known.groups, known.machines)?.1));
    let think: Vec<(GroupId, &MachineEntry)> = groups.iter().filter_map(machine).collect();
    if think.is_empty() && !groups.is_empty() {
        let expected = "a `machine` in at least one of them";
        node.bad_value("is for groups that think, and none of these does", expected);
    }
    let lacks = |(_, entry): &&(GroupId, &MachineEntry)| entry.mind.machine.state(name).is_none();
    if let Some((group, entry)) = think.iter().find(lacks) {
        let group = &known.groups[usize::from(*group)].name;
        let wrong = format!("is no state of `{}`, the machine of `{group}`", entry.name);
        let states = entry.mind.machine.states.iter().map(|state| state.name.as_str());
        let expected = meant('"', name, states.clone())
            .unwrap_or_else(|| format!("one of {}", quoted(&states.collect::<Vec<_>>())));
        node.bad_value(&wrong, expected);
    }
    Some(name.to_owned())
}

/// For every machine the states that steps send agents to.
pub(super) fn told(
    teams: &[TeamEntry],
    groups: &[GroupEntry],
    machines: &[MachineEntry],
) -> Vec<Vec<u8>> {
    let mut told = vec![Vec::new(); machines.len()];
    let strategies = teams.iter().filter_map(|team| team.strategies.as_ref());
    for step in strategies.flat_map(|entry| &entry.def.strategies).flat_map(|s| &s.steps) {
        let name = step.state.as_deref().unwrap_or(step.kind.name());
        for &group in &step.groups {
            let Some((index, entry)) = machine_of(group, groups, machines) else { continue };
            told[index].extend(entry.mind.machine.state(name).map(|state| state as u8));
        }
    }
    told
}

/// For every machine all of its states; where steps are not known, any may lead there.
pub(super) fn every_state(machines: &[MachineEntry]) -> Vec<Vec<u8>> {
    let states = |entry: &MachineEntry| (0..entry.mind.machine.states.len() as u8).collect();
    machines.iter().map(states).collect()
}
