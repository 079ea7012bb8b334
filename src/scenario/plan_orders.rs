//! The orders of a plan.

use crate::data::{CompanyId, GroupId, MindId};
use crate::map::Map;
use crate::map::area::{self, Shape};
use crate::scenario::def::{BehaviourEntry, OrderEntry, OrderEntryKind, OrderTarget, SpawnDef};
use crate::scenario::scenario_def::ScenarioDef;
use crate::world::{Order, VaryDef};

/// All orders of a scenario on its map, by tick.
pub(super) fn orders(def: &ScenarioDef, map: &Map) -> Vec<(u64, Order)> {
    let weapons = def.weapons.iter();
    let mut orders: Vec<(u64, Order)> =
        weapons.map(|entry| (0, Order::Weapon { def: entry.def.clone() })).collect();
    let groups = def.groups.iter();
    orders.extend(groups.map(|entry| (0, Order::Group { def: entry.def.clone() })));
    let companies = def.companies.iter();
    orders.extend(companies.map(|entry| (0, Order::Company { def: entry.def.clone() })));
    orders.extend(minds(def).into_iter().map(|order| (0, order)));
    // Before agents appear, so that none does in a closed door. Doors that are walls while they are
    // closed are open while groups are sent, so that ways through them are ways.
    let is_wall = |&cell: &u32| map.slowness()[cell as usize] == 0;
    let doors = def.doors.iter().filter_map(|door| {
        let (area, open) = (door.area.shapes.clone(), door.open);
        match door.detour {
            false => Some(Order::Door { area, open }),
            true if area::cells(map, &area).iter().any(is_wall) => Some(Order::Demolish { area }),
            true => None,
        }
    });
    orders.extend(doors.map(|order| (0, order)));
    for (group, entry) in (0..).map(GroupId::new).zip(&def.groups) {
        if entry.vary != VaryDef::default() {
            orders.push((0, Order::Vary { group, def: entry.vary.clone() }));
        }
        let spawns = entry.spawns.iter().map(|spawn| (0, spawn_order(group, spawn)));
        orders.extend(spawns);
    }
    for (team, entry) in (0_u8..).zip(&def.teams) {
        let strategies = entry.strategies.as_ref().map(|entry| entry.def.clone());
        orders.extend(strategies.map(|def| (0, Order::Strategies { team, def })));
    }
    for (group, entry) in (0..).map(GroupId::new).zip(&def.groups) {
        if !entry.behaviours.is_empty() {
            orders.push((0, behave_order(group, &entry.behaviours)));
        }
        let goal = entry.goal.as_ref().map(|goal| goal.shapes.clone());
        orders.extend(goal.map(|goal| (0, Order::Move { group, goal })));
        let opposite = entry.opposite.as_ref();
        orders.extend(opposite.map(|to| (0, Order::Opposite { group, centre: to.centre })));
        let exits = entry.exits.as_ref().map(|exits| exits.def.clone());
        orders.extend(exits.map(|def| (0, Order::Choose { group, def })));
        let follow = entry.follow.clone();
        orders.extend(follow.map(|def| (0, Order::Follow { group, def })));
    }
    for (company, entry) in (0..).map(CompanyId::new).zip(&def.companies) {
        let goal = entry.goal.as_ref().map(|goal| goal.shapes.clone());
        orders.extend(goal.map(|goal| (0, Order::MoveCompany { company, goal })));
    }
    orders.extend(traffic(def).map(|order| (0, order)));
    // After groups are sent, so that ways to their goals are ways.
    let structures = def.structures.iter().map(|entry| {
        let (area, def) = (entry.area.shapes.clone(), entry.def.clone());
        (entry.tick, Order::Structure { area, def })
    });
    orders.extend(structures);
    orders.extend(def.orders.iter().filter_map(|entry| Some((entry.tick, order(entry)?))));
    orders.sort_by_key(|(tick, _)| *tick);
    orders
}

/// The sources, and the sinks: those of the file, then those of groups that leave at their goals.
fn traffic(def: &ScenarioDef) -> impl Iterator<Item = Order> {
    let sources = def.sources.iter().map(|entry| Order::Source {
        group: entry.group,
        area: entry.area.shapes.clone(),
        def: entry.def.clone(),
    });
    let sinks = all_sinks(def).into_iter().map(|(_, area, groups)| Order::Sink { area, groups });
    sources.chain(sinks)
}

/// Name, area and groups of every sink.
pub(super) fn all_sinks(def: &ScenarioDef) -> Vec<(String, Vec<Shape>, Vec<GroupId>)> {
    let own = def.sinks.iter();
    let mut sinks: Vec<_> = own
        .map(|entry| (entry.name.clone(), entry.area.shapes.clone(), entry.groups.clone()))
        .collect();
    for (group, entry) in (0..).map(GroupId::new).zip(&def.groups).filter(|(_, e)| e.leave) {
        if let Some(goal) = &entry.goal {
            sinks.push((format!("goal of {}", entry.name), goal.shapes.clone(), vec![group]));
        }
        for (exit, area) in entry.exits.iter().flat_map(|exits| &exits.areas).enumerate() {
            let name = format!("exit {} of {}", exit + 1, entry.name);
            sinks.push((name, area.shapes.clone(), vec![group]));
        }
    }
    sinks
}

/// The minds, and which group thinks by which. Groups share the mind of a machine unless its states
/// are about the group itself.
fn minds(def: &ScenarioDef) -> Vec<Order> {
    let (mut minds, mut thinks) = (Vec::new(), Vec::new());
    let mut shared = vec![None; def.machines.len()];
    for (group, members) in (0..).map(GroupId::new).zip(&def.groups) {
        let Some(machine) = members.machine.map(usize::from) else { continue };
        let entry = &def.machines[machine];
        let mind = match shared[machine] {
            Some(mind) if !entry.is_of_group() => mind,
            _ => {
                minds.push(Order::Mind { def: entry.mind_of(group, members) });
                MindId::new(minds.len() as u16 - 1)
            }
        };
        shared[machine] = Some(mind);
        thinks.push(Order::Think { group, mind });
    }
    minds.append(&mut thinks);
    minds
}

/// What an entry orders; reading a file lets no company get what only groups can do.
fn order(entry: &OrderEntry) -> Option<Order> {
    let group = match entry.target {
        OrderTarget::Group(group) => group,
        OrderTarget::Map => {
            return match &entry.kind {
                OrderEntryKind::Door { door, open } => {
                    Some(Order::SetDoor { door: *door, open: *open })
                }
                OrderEntryKind::Change { walls: true, area } => {
                    Some(Order::Build { area: area.shapes.clone() })
                }
                OrderEntryKind::Change { walls: false, area } => {
                    Some(Order::Demolish { area: area.shapes.clone() })
                }
                _ => None,
            };
        }
        OrderTarget::Company(company) => {
            return match &entry.kind {
                OrderEntryKind::Move(goal) => {
                    Some(Order::MoveCompany { company, goal: goal.shapes.clone() })
                }
                OrderEntryKind::Stop => Some(Order::StopCompany { company }),
                OrderEntryKind::Form(formation) => {
                    Some(Order::Form { company, formation: *formation })
                }
                _ => None,
            };
        }
    };
    Some(match &entry.kind {
        OrderEntryKind::Move(goal) => Order::Move { group, goal: goal.shapes.clone() },
        OrderEntryKind::Opposite(to) => Order::Opposite { group, centre: to.centre },
        OrderEntryKind::Behave(list) => behave_order(group, list),
        OrderEntryKind::Stop => Order::Stop { group },
        OrderEntryKind::Spawn(spawn) => spawn_order(group, spawn),
        OrderEntryKind::Remove(area) => {
            Order::Remove { group, area: area.as_ref().map(|area| area.shapes.clone()) }
        }
        OrderEntryKind::Launch(shot) => {
            Order::Launch { group, weapon: shot.weapon, from: shot.from, velocity: shot.velocity }
        }
        OrderEntryKind::Follow(def) => Order::Follow { group, def: def.clone() },
        OrderEntryKind::Attack(structure) => Order::Attack { group, structure: *structure },
        OrderEntryKind::Form(_) | OrderEntryKind::Door { .. } | OrderEntryKind::Change { .. } => {
            return None;
        }
    })
}

fn behave_order(group: GroupId, list: &[BehaviourEntry]) -> Order {
    let behaviours = list.iter().map(|entry| entry.behaviour.clone()).collect();
    Order::Behave { group, behaviours }
}

fn spawn_order(group: GroupId, spawn: &SpawnDef) -> Order {
    Order::Spawn { group, area: spawn.area.shapes.clone(), count: spawn.count as u32 }
}
