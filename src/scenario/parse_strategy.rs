//! `[[team.strategy]]` of a scenario file.

use crate::data::GroupId;
use crate::data::definition::{Key, Limits};
use crate::math::each::Each;
use crate::mind::{
    Commanded, MAX_COMMANDED, MAX_PRIORITY, MAX_REVIEW, MAX_STEPS, MAX_STRATEGIES,
    Place as StepPlace, StrategiesDef, StrategyDef,
};
use crate::scenario::def::{AreaDef, GroupEntry, StrategiesEntry, TeamEntry};
use crate::scenario::def_mind::MachineEntry;
use crate::scenario::error::Problems;
use crate::scenario::parse_name::{Taken, indices, names_of, own_name, ticks_of};
use crate::scenario::parse_plan_step::step;
use crate::scenario::parse_state::condition;
use crate::scenario::read::{Node, Table};
use crate::scenario::strategy_names::Known;
use crate::world::strategy_input_names;

pub(super) const STRATEGY: [&str; 7] =
    ["name", "priority", "when", "while", "excludes", "groups", "plan"];

/// From one review to the next.
pub(super) const REVIEW: Key = Key {
    name: "review",
    default: 1.0,
    limits: Limits::above("the seconds between two reviews", 0.0, 3_600.0),
};

/// Reads the strategies of all teams.
pub(super) fn strategies(
    top: &Table<'_>,
    teams: &mut [TeamEntry],
    (groups, machines, signals): (&[GroupEntry], &[MachineEntry], &[String]),
    tick_rate: u32,
) {
    // What is wrong with the tables as such has been reported already.
    let nodes = top.get("team").map_or(Vec::new(), |node| node.entries());
    let tables = nodes.iter().filter(|node| node.value.is_table());
    let tables: Vec<Table<'_>> = tables.filter_map(|node| node.any_table("")).collect();
    for ((index, team), table) in (0_u8..).zip(teams).zip(&tables) {
        let review = ticks_of(table, &REVIEW, [tick_rate, MAX_REVIEW]);
        let Some(node) = table.get("strategy") else {
            if let Some(node) = table.get("review") {
                let wrong = "the team has nothing to review";
                node.problem(wrong, "`[[team.strategy]]` tables");
            }
            continue;
        };
        let what = "`[[team.strategy]]` tables, at most 64";
        let Some(nodes) = node.array(what, MAX_STRATEGIES) else { continue };
        let own =
            groups.iter().zip((0..).map(GroupId::new)).filter(|(group, _)| group.def.team == index);
        let own: Vec<GroupId> = own.map(|(_, index)| index).collect();
        if own.is_empty() || own.len() > MAX_COMMANDED {
            let wrong = format!("the team has {} groups", own.len());
            node.problem(wrong, "1 to 256 groups that strategies command");
            continue;
        }
        let names = indices(groups.iter().map(|group| group.name.as_str()));
        let words: Vec<String> =
            own.iter().map(|&group| groups[usize::from(group)].name.clone()).collect();
        let known = Known {
            inputs: strategy_input_names(signals, &words),
            strategies: names_of(&nodes),
            groups,
            machines,
            own,
            names,
        };
        team.strategies = Some(of_team(&nodes, review, &known, node.problems));
    }
}

fn of_team(
    nodes: &[Node<'_>],
    review: u32,
    known: &Known<'_>,
    problems: &Problems<'_>,
) -> StrategiesEntry {
    let mut names = Taken::default();
    let mut entry = StrategiesEntry {
        def: StrategiesDef { review, groups: Vec::new(), strategies: Vec::new() },
        areas: Vec::new(),
    };
    let (mut places, before) = (Vec::new(), problems.count());
    for node in nodes {
        let what = "a table `[[team.strategy]]`";
        let Some(table) = node.table(what, &STRATEGY) else { continue };
        let name = own_name(&table, "strategy", &mut names);
        let strategy = strategy(&table, name, known, &mut entry.areas);
        entry.def.strategies.push(strategy);
        places.push(table.place("priority"));
    }
    let is_read = problems.count() == before;
    if let Some((never, by)) = entry.def.never_runs().filter(|_| is_read) {
        let [rare, usual] = [never, by].each(|index| &entry.def.strategies[index]);
        let (name, always, priority) = (&rare.name, &usual.name, usual.priority);
        let shared = rare.groups().into_iter().find(|group| usual.groups().contains(group));
        let why = match shared {
            Some(group) => format!("both command `{}`", known.groups[usize::from(group)].name),
            None => "one excludes the other".to_owned(),
        };
        let wrong = format!(
            "strategy `{name}` can never run: `{always}`, of priority {priority}, always runs, and \
             {why}"
        );
        let expected = format!("a higher priority than that, or a `when` for `{always}`");
        problems.problem(&places[never], wrong, expected);
    }
    let steps = || entry.def.strategies.iter().flat_map(|strategy| &strategy.steps);
    let goes_home = |group: GroupId| {
        steps().any(|step| step.place == StepPlace::Home && step.groups.contains(&group))
    };
    let commanded = |&group: &GroupId| {
        let spawns = known.groups[usize::from(group)].spawns.iter();
        let home = spawns.flat_map(|spawn| spawn.area.shapes.clone());
        Commanded { group, home: if goes_home(group) { home.collect() } else { Vec::new() } }
    };
    entry.def.groups = known.own.iter().map(commanded).collect();
    entry
}

fn strategy(
    table: &Table<'_>,
    name: String,
    known: &Known<'_>,
    areas: &mut Vec<(GroupId, AreaDef)>,
) -> StrategyDef {
    let most = u64::from(MAX_PRIORITY);
    let priority = table.whole("priority", "a priority", [0, most], 0);
    let begin = table.get("when").and_then(|node| condition(&node, &known.inputs));
    let keep = table.get("while").and_then(|node| condition(&node, &known.inputs));
    let all = match table.get("groups") {
        Some(node) => known.groups(&node),
        None => known.own.clone(),
    };
    let mut steps = Vec::new();
    match table.get("plan") {
        None => table.missing("plan", "an array of steps"),
        Some(node) => {
            let what = "an array of 1 to 64 steps, as in [{ step = \"march\", to = \"enemy\" }]";
            let nodes = node.array(what, MAX_STEPS);
            if nodes.as_ref().is_some_and(Vec::is_empty) {
                node.bad_value("has no step", what);
            }
            for node in nodes.unwrap_or_default() {
                steps.extend(step(&node, &all, known, areas));
            }
        }
    }
    StrategyDef {
        name,
        priority: priority as u16,
        begin: begin.unwrap_or_default(),
        keep,
        excludes: table.get("excludes").map_or(Vec::new(), |node| known.excluded(&node, table)),
        steps,
    }
}
