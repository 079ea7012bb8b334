//! `[[order]]` of a scenario file.

use std::collections::BTreeMap;

use crate::data::{CompanyId, GroupId, StructureId, WeaponId};
use crate::scenario::def::{
    CompanyEntry, GroupEntry, LaunchDef, MAX_TICKS, OrderEntry, OrderEntryKind, OrderTarget,
    StructureEntry, WeaponEntry,
};
use crate::scenario::parse_behaviour::behaviours;
use crate::scenario::parse_company::formation;
use crate::scenario::parse_follow::leaders;
use crate::scenario::parse_group::{MAX_ORDERS, opposite, spawn_of};
use crate::scenario::parse_name::{group_of, indices, named};
use crate::scenario::parse_shape::{area, numbers, one_of};
use crate::scenario::read::{Table, quoted};
use crate::world::{FollowDef, Leader};

/// All keys of an order.
pub(super) const ORDER: [&str; 1 + VERBS.len() + WITH.len()] = {
    let mut all = ["tick"; 1 + VERBS.len() + WITH.len()];
    let mut i = 1;
    while i < all.len() {
        all[i] = if i <= VERBS.len() { VERBS[i - 1] } else { WITH[i - 1 - VERBS.len()] };
        i += 1;
    }
    all
};
const VERBS: [&str; 11] = [
    "move", "stop", "behave", "spawn", "remove", "form", "launch", "build", "demolish", "attack",
    "follow",
];
const WITH: [&str; 12] = [
    "goal",
    "opposite",
    "behaviours",
    "area",
    "count",
    "formation",
    "weapon",
    "from",
    "velocity",
    "structure",
    "leaders",
    "gap",
];

/// Largest height, in metres, and largest speed along an axis, in m/s, of a shot that is ordered.
const MAX_HEIGHT: f64 = 8_000.0;
const MAX_SPEED: f64 = 12_000.0;

/// What orders can name, with the numbers.
#[derive(Debug)]
pub(super) struct Named<'a> {
    entries: &'a [GroupEntry],
    groups: BTreeMap<&'a str, GroupId>,
    /// Groups, and companies behind them: one name space.
    targets: BTreeMap<&'a str, usize>,
    /// The first number of a company.
    first: usize,
    weapons: BTreeMap<&'a str, WeaponId>,
    /// With the ticks in which they are built.
    structures: BTreeMap<&'a str, (StructureId, u64)>,
}

impl<'a> Named<'a> {
    pub(super) fn new(
        groups: &'a [GroupEntry],
        companies: &'a [CompanyEntry],
        weapons: &'a [WeaponEntry],
        structures: &'a [StructureEntry],
    ) -> Self {
        let mut targets = BTreeMap::new();
        let group_names = groups.iter().map(|group| group.name.as_str());
        let company_names = companies.iter().map(|company| company.name.as_str());
        for (i, name) in group_names.clone().chain(company_names).enumerate() {
            targets.entry(name).or_insert(i);
        }
        Self {
            entries: groups,
            groups: indices(group_names),
            targets,
            first: groups.len(),
            weapons: indices(weapons.iter().map(|weapon| weapon.name.as_str())),
            structures: (structures.iter().zip((0..).map(StructureId::new)))
                .map(|(entry, id)| (entry.name.as_str(), (id, entry.tick)))
                .collect(),
        }
    }
}

pub(super) fn orders(top: &Table<'_>, known: &Named<'_>, ticks: u64) -> Vec<OrderEntry> {
    let tables = top.tables("order", MAX_ORDERS, "a table `[[order]]`", &ORDER);
    let mut orders = Vec::new();
    for table in tables {
        let tick = order_tick(&table, ticks);
        let Some(verb) = one_of(&table, &VERBS) else { continue };
        if let "build" | "demolish" = verb {
            takes_alone(&table, verb, &[]);
            let shape = table.get(verb).and_then(|node| area(&node));
            if let (Some(tick), Some(area)) = (tick, shape) {
                let walls = verb == "build";
                let kind = OrderEntryKind::Change { walls, area };
                orders.push(OrderEntry { tick, target: OrderTarget::Map, kind });
            }
            continue;
        }
        let found = table.get(verb).and_then(|node| group_of(&node, &known.targets));
        let target = found.map(|found| match found.checked_sub(known.first) {
            Some(company) => OrderTarget::Company(CompanyId::new(company as u16)),
            None => OrderTarget::Group(GroupId::new(found as u16)),
        });
        if let Some(target) = target {
            check_target(&table, verb, target);
        }
        let kind = match (verb, target) {
            ("behave", Some(OrderTarget::Group(group))) => behave(&table, group, &known.groups),
            ("behave", _) => None,
            ("launch", _) => launch(&table, known),
            ("attack", _) => attack(&table, known, (tick, target)),
            ("follow", _) => follow(&table, known, target),
            _ => order_kind(&table, verb),
        };
        if let (Some(tick), Some(target), Some(kind)) = (tick, target, kind) {
            orders.push(OrderEntry { tick, target, kind });
        }
    }
    orders
}

pub(super) fn order_tick(table: &Table<'_>, ticks: u64) -> Option<u64> {
    let node = table.needed("tick", "the tick at which the order is carried out")?;
    let tick = node.whole("a tick", [0, MAX_TICKS])?;
    if tick >= ticks {
        let wrong = format!("is beyond the run, whose last tick is {}", ticks - 1);
        node.bad_value(&wrong, format!("a tick from 0 to {}", ticks - 1));
        return None;
    }
    Some(tick)
}

/// Reports what groups, or companies, cannot be ordered to do.
fn check_target(table: &Table<'_>, verb: &str, target: OrderTarget) {
    let (wrong, expected) = match (target, verb) {
        (
            OrderTarget::Company(_),
            "spawn" | "remove" | "behave" | "launch" | "attack" | "follow",
        ) => ("is a company", "the name of one of its groups"),
        (OrderTarget::Group(_), "form") => ("is a group", "the name of a company"),
        (OrderTarget::Company(_), _) if table.get("opposite").is_some() => {
            ("is a company, which takes no `opposite`", "a `goal`, or the name of a group")
        }
        _ => return,
    };
    if let Some(node) = table.get(verb) {
        node.bad_value(wrong, expected);
    }
}

/// How the group of an order is to behave.
fn behave(
    table: &Table<'_>,
    group: GroupId,
    names: &BTreeMap<&str, GroupId>,
) -> Option<OrderEntryKind> {
    takes_alone(table, "behave", &["behaviours"]);
    let node = table.needed("behaviours", "an array of behaviours, [] for none")?;
    Some(OrderEntryKind::Behave(behaviours(&node, group, names)))
}

/// Reports keys that a verb does not take.
fn takes_alone(table: &Table<'_>, verb: &str, takes: &[&str]) {
    for key in table.present(&WITH) {
        if !takes.contains(&key) {
            let wrong = format!("`{verb}` takes no `{key}`");
            let expected = match takes {
                [] => format!("`tick` and `{verb}` alone"),
                _ => format!("{} beside `tick` and `{verb}`", quoted(takes)),
            };
            table.problems.problem(&table.place(key), wrong, expected);
        }
    }
}

/// The leaders that a group is to follow.
fn follow(
    table: &Table<'_>,
    known: &Named<'_>,
    target: Option<OrderTarget>,
) -> Option<OrderEntryKind> {
    takes_alone(table, "follow", &["leaders", "gap"]);
    let own = match target {
        Some(OrderTarget::Group(group)) => Some(group),
        _ => None,
    };
    let def = table.fields(FollowDef::default());
    let leaders = leaders(table, "leaders", own, &known.groups)?;
    Some(OrderEntryKind::Follow(FollowDef { leader: Leader::Group(leaders), ..def }))
}

/// A structure that a group attacks.
fn attack(
    table: &Table<'_>,
    known: &Named<'_>,
    (tick, target): (Option<u64>, Option<OrderTarget>),
) -> Option<OrderEntryKind> {
    takes_alone(table, "attack", &["structure"]);
    let node = table.needed("structure", "the name of a structure")?;
    let (structure, built) = named(&node, "structure", &known.structures)?;
    if tick.is_some_and(|tick| tick < built) {
        let wrong = format!("is built at tick {built}");
        node.bad_value(&wrong, "a structure that has been built by then");
    } else if let Some(OrderTarget::Group(group)) = target
        && known.entries[usize::from(group)].def.weapon.is_none()
        && let Some(node) = table.get("attack")
    {
        node.bad_value("has no weapon", "the name of a group with a `weapon`");
    }
    Some(OrderEntryKind::Attack(structure))
}

/// A shot.
fn launch(table: &Table<'_>, known: &Named<'_>) -> Option<OrderEntryKind> {
    takes_alone(table, "launch", &["weapon", "from", "velocity"]);
    let weapon = table.needed("weapon", "the name of a weapon");
    let from = table.needed("from", "[x, y, height] in metres");
    let velocity = table.needed("velocity", "[x, y, upwards] in m/s");
    let weapon = named(&weapon?, "weapon", &known.weapons);
    let (at, aim) = (from?, velocity?);
    let from: [f64; 3] = numbers(&at, "[x, y, height] in metres")?;
    let velocity: [f64; 3] = numbers(&aim, "[x, y, upwards] in m/s")?;
    if from[2].abs() > MAX_HEIGHT {
        at.bad_value("is too high, or too low", "a height of -8000 to 8000 m");
    }
    if velocity.iter().any(|part| part.abs() > MAX_SPEED) {
        aim.bad_value("is too fast", "-12000 to 12000 m/s along each axis");
    }
    let shot = LaunchDef { weapon: weapon?, from, velocity, at: at.at };
    Some(OrderEntryKind::Launch(shot))
}

fn order_kind(table: &Table<'_>, verb: &str) -> Option<OrderEntryKind> {
    let takes: &[&str] = match verb {
        "move" => &["goal", "opposite"],
        "stop" => &[],
        "spawn" => &["area", "count"],
        "form" => &["formation"],
        _ => &["area"],
    };
    takes_alone(table, verb, takes);
    let area_at = |key: &str, needed: bool| match table.get(key) {
        Some(node) => area(&node),
        None => {
            if needed {
                let expected = "an area, as in { rect = [0, 0, 10, 5] }";
                table.missing(key, expected);
            }
            None
        }
    };
    match verb {
        "move" => {
            let has_goal = table.get("goal").is_some();
            if let Some(opposite) = opposite(table, has_goal) {
                return Some(OrderEntryKind::Opposite(opposite));
            }
            Some(OrderEntryKind::Move(area_at("goal", true)?))
        }
        "stop" => Some(OrderEntryKind::Stop),
        "form" => {
            table.needed("formation", "a formation, as in \"wedge\"");
            formation(table).map(OrderEntryKind::Form)
        }
        "spawn" => {
            let area = area_at("area", true);
            Some(OrderEntryKind::Spawn(spawn_of(table, area)?))
        }
        _ => {
            let area = area_at("area", false);
            let whole = table.get("area").is_none();
            (whole || area.is_some()).then_some(OrderEntryKind::Remove(area))
        }
    }
}
