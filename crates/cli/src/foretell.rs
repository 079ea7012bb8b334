//! What `throng check` foretells of a run: all its orders are given, and nobody moves.

use std::collections::{BTreeMap, BTreeSet};

use throng::lane::Numbers;
use throng::map::area;
use throng::scenario::Plan;
use throng::tick::{Scratch, tick};
use throng::world::{Leader, Order, Outcome, World};
use throng::{GroupId, Id, SourceId};

use crate::error::CliError;
use crate::note::{NO_WAY, Note};
use crate::refusals::{refusals, subject};
use crate::summary::{FullGoal, plural, thousands};
use crate::{idle, strategies};

/// Ticks with orders that are looked at, at most.
const MAX_LOOKS: usize = 256;

/// Number of groups up to which room in goals is measured; each takes a pass over the map.
const MAX_GOALS: usize = 2_000;

/// What a run would tell of its orders, and whether that is a mistake. Every tick that has orders is
/// done, one after another, without the time between them, so agents are where they appear. What is
/// told of a group is told once.
///
/// What is cut off by structures alone is no mistake, as they fall; nor what is cut off by walls that
/// are taken down later.
pub(crate) fn notes<N: Numbers>(plan: &Plan) -> Result<Vec<Note>, CliError> {
    let is_structure = |(_, order): &(u64, Order)| matches!(order, Order::Structure { .. });
    let mut notes = as_it_is::<N>(plan)?;
    if plan.orders.iter().any(is_taken_down) {
        for (is_mistake, text) in notes.iter_mut().filter(|(_, text)| text.ends_with(NO_WAY)) {
            *is_mistake = false;
            text.push_str(" before walls are taken down");
        }
    }
    if plan.orders.iter().any(is_structure) {
        let mut fallen = plan.clone();
        fallen.orders.retain(|order| !is_structure(order));
        let without = as_it_is::<N>(&fallen)?;
        for (is_mistake, text) in &mut notes {
            if text.ends_with(NO_WAY) && !without.iter().any(|(_, other)| other == text) {
                *is_mistake = false;
                text.push_str(" before a structure falls");
            }
        }
    }
    notes.extend(shut_doors(plan).chain(idle::notes(plan)).map(|text| (false, text)));
    Ok(notes)
}

/// Whether an order takes walls down later than at the beginning.
fn is_taken_down((tick, order): &(u64, Order)) -> bool {
    *tick > 0 && matches!(order, Order::Demolish { .. })
}

/// Doors that never open.
fn shut_doors(plan: &Plan) -> impl Iterator<Item = String> {
    let mut opens = Vec::new();
    for (_, order) in &plan.orders {
        match order {
            Order::Door { open, .. } => opens.push(*open),
            Order::SetDoor { door, open } => opens[usize::from(*door)] |= *open,
            _ => {}
        }
    }
    let names =
        plan.scene.doors.iter().zip(opens).filter(|(_, opens)| !opens).map(|(name, _)| name);
    names.map(|name| {
        format!(
            "door `{name}` never opens, and whoever is led through it waits there: \
             with `detour = true` it is a wall"
        )
    })
}

fn as_it_is<N: Numbers>(plan: &Plan) -> Result<Vec<Note>, CliError> {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings)
        .map_err(|source| CliError::World { source })?;
    let mut scratch = Scratch::new();
    let ticks: BTreeSet<u64> = plan.orders.iter().map(|(tick, _)| *tick).collect();
    let mut seen = Seen { plan, notes: Vec::new(), told: BTreeSet::new(), reached: Vec::new() };
    for at in ticks.into_iter().take_while(|&at| at < plan.ticks).take(MAX_LOOKS) {
        let orders: Vec<Order> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        seen.look(&world, at);
    }
    seen.sinks_out_of_reach(&world);
    seen.notes.extend(strategies::notes(plan, &world, &starts(&world)));
    Ok(seen.notes)
}

/// What has been seen so far.
struct Seen<'a> {
    plan: &'a Plan,
    notes: Vec<Note>,
    /// What has been told, by the index of what it is about, and a word.
    told: BTreeSet<(usize, &'static str)>,
    /// By sink: whether agents can get there.
    reached: Vec<bool>,
}

impl Seen<'_> {
    /// Looks at a world after the orders of a tick.
    fn look<N: Numbers>(&mut self, world: &World<N>, at: u64) {
        let refused = refusals(self.plan, at, world.outcomes());
        self.notes.extend(refused.into_iter().map(|line| (true, line)));
        self.structures_on_walls(world, at);
        self.goals(world, at);
        self.sources_cut_off(world, at);
        self.followers(world, at);
        if !world.sinks().is_empty() {
            self.sinks(world);
        }
    }

    /// Tells something about what has this index once.
    fn tell(&mut self, index: usize, what: &'static str, note: impl FnOnce() -> Note) {
        if self.told.insert((index, what)) {
            self.notes.push(note());
        }
    }

    /// Agents that cannot reach their goal, and goals without room.
    fn goals<N: Numbers>(&mut self, world: &World<N>, at: u64) {
        let plan = self.plan;
        for (group, (plan_of, counts)) in plan.scene.groups.iter().zip(counted(world)).enumerate() {
            let ([lost, room, members], name) = (counts, &plan_of.name);
            let id = GroupId::new(group as u16);
            if strategies::lead(plan, id, at) {
                if let Some(strategy) = strategies::to_area(plan, id).filter(|_| room < members) {
                    self.tell(group, "full", || {
                        let [room, members] = [room, members].map(|n| thousands(u64::from(n)));
                        let who = format!("strategy `{strategy}` sends the {members} of `{name}`");
                        let wanted = "a larger area is wanted";
                        (false, format!("{who} where there is room for {room}: {wanted}"))
                    });
                }
                continue;
            }
            if lost > 0 {
                self.tell(group, "lost", || {
                    let who = plural(u64::from(lost), "agent");
                    let what = format!("{who} of `{name}` cannot reach the goal of tick {at}");
                    (true, format!("{what}: {NO_WAY}"))
                });
            }
            if room < members && !leaves(plan, group, name) {
                self.tell(group, "full", || {
                    let full = FullGoal { group: name.clone(), room, agents: members };
                    (false, format!("{full} (order of tick {at})"))
                });
            }
        }
    }

    /// Structures laid over what was a wall before.
    fn structures_on_walls<N: Numbers>(&mut self, world: &World<N>, at: u64) {
        let first = self.plan.orders.partition_point(|(tick, _)| *tick < at);
        for (order, outcome) in (first..).zip(world.outcomes()) {
            let Outcome::Structure(structure) = outcome else { continue };
            let structure = &world.structures()[usize::from(*structure)];
            let covered = area::cells(world.map(), structure.area()).len();
            let walls = covered.saturating_sub(structure.cells().len()) as u64;
            if walls > 0 {
                let (own, covered) = (subject(self.plan, order), plural(covered as u64, "cell"));
                let were = if walls == 1 { "was a wall" } else { "were walls" };
                let told = format!(
                    "{own}: {} of its {covered} {were} before, without hit points, and will be \
                     when it has fallen",
                    thousands(walls)
                );
                self.notes.push((false, told));
            }
        }
    }

    /// Notes sources from which no way leads to the goal of their group.
    fn sources_cut_off<N: Numbers>(&mut self, world: &World<N>, at: u64) {
        for index in 0..world.sources().len() {
            let source = SourceId::new(index as u16);
            let group = world.sources()[index].group().index();
            let Some(goals) = world.goal_components(group) else { continue };
            let starts = starts_of_source(world, source);
            let lost = starts.iter().filter(|part| goals.binary_search(part).is_err()).count();
            if lost > 0 {
                let (name, group) =
                    (&self.plan.scene.sources[index], &self.plan.scene.groups[usize::from(group)]);
                let all = if lost < starts.len() { "some agents" } else { "agents" };
                self.tell(index, "source", || {
                    let (group, goal) = (&group.name, format!("the goal of tick {at}"));
                    let what =
                        format!("{all} of `{group}` that come by `{name}` cannot reach {goal}");
                    (true, format!("{what}: {NO_WAY}"))
                });
            }
        }
    }

    /// Agents that follow others and do not see them, or cannot get to them, from where they start.
    fn followers<N: Numbers>(&mut self, world: &World<N>, at: u64) {
        let concerned: BTreeSet<u16> = self.plan.orders_at(at).filter_map(joined_or_led).collect();
        for group in concerned {
            let Some(def) = world.following(GroupId::new(group)) else { continue };
            let Leader::Group(leaders) = def.leader else { continue };
            let [blind, lost] = blind_and_lost(world, group, leaders.index());
            let [own, other] = [group, leaders.index()]
                .map(|group| &self.plan.scene.groups[usize::from(group)].name);
            let who = |count: u64| format!("{} of `{own}`", plural(count, "agent"));
            let whom = format!("the agents of `{other}`, whom they follow");
            let index = usize::from(group);
            if lost > 0 {
                self.tell(index, "follows", || {
                    let who = who(lost);
                    (true, format!("{who} cannot reach {whom} from tick {at} on: {NO_WAY}"))
                });
            } else if blind > 0 {
                self.tell(index, "follows", || {
                    let who = who(blind);
                    let until = "and stand until they see one, or where one has been";
                    (false, format!("{who} do not see {whom} from tick {at} on, {until}"))
                });
            }
        }
    }

    /// Notes which sinks agents can get to.
    fn sinks<N: Numbers>(&mut self, world: &World<N>) {
        self.reached.resize(world.sinks().len(), false);
        let starts = starts(world);
        for (sink, reached) in world.sinks().iter().zip(&mut self.reached) {
            let cells = around(world, &area::cells(world.map(), sink.area()));
            let leaves = |group: u16| {
                let own = |id: &GroupId| id.index() == group;
                sink.groups().is_empty() || sink.groups().iter().any(own)
            };
            let groups = (0..starts.len() as u16).filter(|&group| leaves(group));
            *reached |= groups.into_iter().any(|group| {
                let starts = &starts[usize::from(group)];
                let class = world.clearance_of(group);
                cells.iter().any(|&cell| starts.contains(&class.component(cell)))
            });
        }
    }

    /// Tells of sinks to which no agents can get. What is a goal too is told as a goal.
    fn sinks_out_of_reach<N: Numbers>(&mut self, world: &World<N>) {
        let reached = std::mem::take(&mut self.reached);
        for (index, sink) in world.sinks().iter().enumerate() {
            let is_goal = |id: &GroupId| {
                let goal = &self.plan.scene.groups[usize::from(*id)].goal;
                sink.area().iter().all(|shape| goal.contains(shape))
            };
            let is_own = !sink.groups().is_empty() && sink.groups().iter().all(is_goal);
            if reached.get(index) == Some(&false) && !is_own {
                let (name, groups) = (&self.plan.scene.sinks[index], sink.groups());
                let names = groups.iter().map(|id| &self.plan.scene.groups[usize::from(*id)].name);
                let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                let who = if names.is_empty() {
                    String::new()
                } else {
                    format!(" of {}", names.join(", "))
                };
                let told = format!("no agents{who} can reach sink `{name}`: {NO_WAY}");
                self.notes.push((false, told));
            }
        }
    }
}

/// The group that an order lets follow another, or that its agents join.
fn joined_or_led(order: &Order) -> Option<u16> {
    match order {
        Order::Follow { group, .. } | Order::Spawn { group, .. } => Some(group.index()),
        _ => None,
    }
}

/// Cells with the eight cells around each: an agent leaves by a sink as soon as half of it is inside.
fn around<N: Numbers>(world: &World<N>, cells: &[u32]) -> BTreeSet<u32> {
    let stride = world.map().stride();
    let square = |&cell: &u32| (0..9).map(move |i| cell - stride - 1 + i / 3 * stride + i % 3);
    cells.iter().flat_map(square).collect()
}

/// By group: the components of its ground in which its agents are, or appear by sources.
fn starts<N: Numbers>(world: &World<N>) -> Vec<BTreeSet<u32>> {
    let mut starts = vec![BTreeSet::new(); world.groups().len()];
    for (tag, cell) in world.tags().iter().zip(cells_of(world)) {
        let base = world.base_group(tag.group);
        starts[usize::from(base)].insert(world.clearance_of(base).component(cell));
    }
    for (index, source) in world.sources().iter().enumerate() {
        let own = starts_of_source(world, SourceId::new(index as u16));
        starts[usize::from(source.group().index())].extend(own);
    }
    // Where nobody can stand, 0, is no component.
    starts.iter_mut().for_each(|own| _ = own.remove(&0));
    starts
}

/// The cells in which agents are.
fn cells_of<N: Numbers>(world: &World<N>) -> impl Iterator<Item = u32> {
    world.positions().iter().map(|pos| {
        let [x, y] = pos.map(N::to_f64);
        world.map().cell_at(x, y).unwrap_or(0)
    })
}

/// The components of the ground of a source's group in which its agents can appear.
fn starts_of_source<N: Numbers>(world: &World<N>, source: SourceId) -> BTreeSet<u32> {
    let source = &world.sources()[usize::from(source)];
    let class = world.clearance_of(source.group().index());
    let cells = area::cells(world.map(), source.area()).into_iter();
    cells.filter(|&cell| class.passable(cell)).map(|cell| class.component(cell)).collect()
}

/// Of the agents of a group that follow another: how many do not see their leader, and how many cannot get
/// to it.
fn blind_and_lost<N: Numbers>(world: &World<N>, group: u16, leaders: u16) -> [u64; 2] {
    let (class, cells) = (world.clearance_of(group), cells_of(world).collect::<Vec<_>>());
    let row_of: BTreeMap<Id, usize> = (0..world.len()).map(|row| (world.id(row), row)).collect();
    let mut counts = [0; 2];
    let comes: BTreeSet<u32> = (0..world.sources().len())
        .filter(|&index| world.sources()[index].group().index() == leaders)
        .flat_map(|index| starts_of_source(world, SourceId::new(index as u16)))
        .collect();
    for (row, &own) in cells.iter().enumerate() {
        if world.tags()[row].group != group {
            continue;
        }
        let (leader, part) = (world.leader(world.id(row)), class.component(own));
        match leader.and_then(|leader| row_of.get(&leader)).map(|&row| cells[row]) {
            Some(leader) if world.sees_leader_from(group, own, leader) => {}
            Some(leader) if [0, part].contains(&class.component(leader)) => counts[0] += 1,
            Some(_) => counts[1] += 1,
            // The leaders come by sources.
            None => counts[1] += u64::from(!comes.is_empty() && !comes.contains(&part)),
        }
    }
    counts
}

/// Whether the agents of a group leave where they arrive, and are sent nowhere else later: then the goal
/// is never full.
fn leaves(plan: &Plan, group: usize, name: &str) -> bool {
    let is_moved = |order: &Order| match order {
        Order::Move { group: moved, .. } => usize::from(*moved) == group,
        _ => false,
    };
    let own = |sink: &String| {
        let kind = sink.strip_suffix(name).and_then(|kind| kind.strip_suffix(" of "));
        kind.is_some_and(|kind| kind == "goal" || kind.starts_with("exit "))
    };
    plan.scene.sinks.iter().any(own)
        && !plan.orders.iter().any(|(tick, order)| *tick > 0 && is_moved(order))
}

/// Of every group with its variants: agents that no way leads to their goal, room in its goal, and
/// agents that go there.
fn counted<N: Numbers>(world: &World<N>) -> Vec<[u32; 3]> {
    let mut sums = vec![[0; 3]; world.groups().len()];
    let groups = (0..).zip(world.groups()).zip(world.cut_off_by_group());
    for ((index, group), cut_off) in groups {
        let sums = &mut sums[usize::from(world.base_group(index))];
        sums[0] += cut_off.unreachable as u32;
        let is_looked_at = usize::from(index) < MAX_GOALS && group.members() > 0;
        if let Some(room) = is_looked_at.then(|| world.room_in_goal(index)).flatten() {
            sums[1] += room.min(group.members());
            sums[2] += group.members();
        }
    }
    sums
}
