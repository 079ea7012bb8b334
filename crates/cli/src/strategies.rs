//! Strategies that cannot go as they say, for `throng check`.

use std::collections::BTreeSet;

use throng::GroupId;
use throng::lane::Numbers;
use throng::map::area;
use throng::mind::{Place, StepDef, StrategiesDef, StrategyDef};
use throng::scenario::Plan;
use throng::world::{Order, World};

use crate::note::{NO_WAY, Note};

/// The strategies of a plan by their teams.
fn of_teams(plan: &Plan) -> impl Iterator<Item = (usize, &StrategiesDef)> {
    plan.orders.iter().filter_map(|(_, order)| match order {
        Order::Strategies { team, def } => Some((usize::from(*team), def)),
        _ => None,
    })
}

/// Whether strategies command a group, and no order of its own has sent it anywhere by a tick.
pub(crate) fn lead(plan: &Plan, group: GroupId, tick: u64) -> bool {
    let is_led =
        |(_, def): (usize, &StrategiesDef)| def.groups.iter().any(|own| own.group == group);
    of_teams(plan).any(is_led) && !is_sent(plan, group, tick)
}

/// Whether orders of its own have sent a group somewhere by a tick.
fn is_sent(plan: &Plan, group: GroupId, tick: u64) -> bool {
    plan.orders.iter().take_while(|(at, _)| *at <= tick).any(|(_, order)| match order {
        Order::Move { group: own, .. }
        | Order::Opposite { group: own, .. }
        | Order::Choose { group: own, .. }
        | Order::Follow { group: own, .. } => *own == group,
        _ => false,
    })
}

/// The first strategy that sends a group to an area.
pub(crate) fn to_area(plan: &Plan, group: GroupId) -> Option<&str> {
    let sends =
        |step: &StepDef| matches!(step.place, Place::Area(_)) && step.groups.contains(&group);
    let mut strategies = of_teams(plan).flat_map(|(_, def)| &def.strategies);
    let found = strategies.find(|strategy| strategy.steps.iter().any(sends));
    found.map(|strategy| strategy.name.as_str())
}

/// What is told of the strategies of all teams. `starts` are the components of its ground in which the
/// agents of each group are, or appear.
pub(crate) fn notes<N: Numbers>(
    plan: &Plan,
    world: &World<N>,
    starts: &[BTreeSet<u32>],
) -> Vec<Note> {
    let mut notes = Vec::new();
    for (team, def) in of_teams(plan) {
        for strategy in &def.strategies {
            for at in 0..strategy.steps.len() {
                let told = Told { plan, world, starts, team, strategy, at };
                notes.extend(told.out_of_reach().into_iter().chain(told.overtaken()));
            }
            notes.extend(overridden(plan, strategy));
        }
    }
    notes
}

/// A step of a strategy, and what it is looked at in.
struct Told<'a, N: Numbers> {
    plan: &'a Plan,
    world: &'a World<N>,
    starts: &'a [BTreeSet<u32>],
    team: usize,
    strategy: &'a StrategyDef,
    at: usize,
}

impl<N: Numbers> Told<'_, N> {
    /// What it is called.
    fn name(&self) -> String {
        let kind = self.strategy.steps[self.at].kind.name();
        format!("strategy `{}`, step {} ({kind})", self.strategy.name, self.at + 1)
    }

    fn group(&self, group: GroupId) -> &str {
        &self.plan.scene.groups[usize::from(group)].name
    }

    /// Groups that cannot get to the place of the step.
    fn out_of_reach(&self) -> Vec<Note> {
        let step = &self.strategy.steps[self.at];
        let foes = self.foes();
        if step.place == Place::Enemy && foes.is_empty() {
            let team = &self.plan.scene.teams[self.team].name;
            let wanted = "a group with agents of another `[[team]]`, which is no ally, is wanted";
            return vec![(true, format!("{}: `{team}` has no foes; {wanted}", self.name()))];
        }
        let mut notes = Vec::new();
        for &group in &step.groups {
            let (own, class) = (usize::from(group), self.world.clearance_of(group.index()));
            let starts = &self.starts[own];
            let (there, what): (BTreeSet<u32>, _) = match &step.place {
                Place::Area(shapes) => {
                    let cells = area::cells(self.world.map(), shapes);
                    (cells.iter().map(|&cell| class.component(cell)).collect(), "its area")
                }
                Place::Enemy => {
                    let cells = self.cells_of(&foes);
                    let there = cells.iter().map(|&cell| class.component(cell));
                    (there.collect(), "a foe, and go as near as they can")
                }
                Place::Own | Place::Home => continue,
            };
            if !starts.is_empty() && starts.is_disjoint(&there) {
                let is_mistake = step.place != Place::Enemy;
                let who = format!("agents of `{}` cannot reach {what}", self.group(group));
                notes.push((is_mistake, format!("{}: {who}: {NO_WAY}", self.name())));
            }
        }
        notes
    }

    /// The groups that the team fights and that have agents.
    fn foes(&self) -> Vec<u16> {
        let groups = (0..self.starts.len() as u16).zip(self.starts);
        let is_foe = |group: u16| {
            let def = &self.world.groups()[usize::from(group)].def;
            def.foes >> self.team & 1 == 1
        };
        let foes = groups.filter(|(group, starts)| !starts.is_empty() && is_foe(*group));
        foes.map(|(group, _)| group).collect()
    }

    /// Cells in which agents of some groups are, or appear.
    fn cells_of(&self, groups: &[u16]) -> BTreeSet<u32> {
        let (world, map) = (self.world, self.world.map());
        let agents = world.tags().iter().zip(world.positions());
        let own = agents.filter(|(tag, _)| groups.contains(&world.base_group(tag.group)));
        let cell = |pos: [N; 2]| map.cell_at(pos[0].to_f64(), pos[1].to_f64());
        let sources = world.sources().iter();
        let come = sources.filter(|source| groups.contains(&source.group().index()));
        let come = come.flat_map(|source| area::cells(map, source.area()));
        own.filter_map(|(_, &pos)| cell(pos)).chain(come).collect()
    }

    /// A step that ends at once, as the next one commands its groups.
    fn overtaken(&self) -> Option<Note> {
        let [step, next] = [0, 1].map(|i| self.strategy.steps.get(self.at + i));
        let (step, next) = (step?, next?);
        let is_taken = |group: &GroupId| next.groups.contains(group);
        let is_lost = step.until.is_none() && step.state.is_none();
        let is_lost = is_lost && step.groups.iter().all(is_taken);
        is_lost.then(|| {
            let next = format!("step {} ({}) begins with it", self.at + 2, next.kind.name());
            let wanted = "an `until` says how long it takes";
            (false, format!("{} has no effect, as {next}: {wanted}", self.name()))
        })
    }
}

/// Groups with a goal of their own that a strategy which always runs takes over at once.
fn overridden(plan: &Plan, strategy: &StrategyDef) -> Vec<Note> {
    if !strategy.begin.is_always() {
        return Vec::new();
    }
    let first = strategy.stretch(0);
    let groups: BTreeSet<GroupId> =
        strategy.steps[first].iter().flat_map(|step| step.groups.iter().copied()).collect();
    let sent = groups.into_iter().filter(|&group| is_sent(plan, group, 0));
    let told = |group: GroupId| {
        let (name, strategy) = (&plan.scene.groups[usize::from(group)].name, &strategy.name);
        let wanted = "a `when` says from when on it does not";
        format!("`{name}` never goes to its goal, as strategy `{strategy}` commands it: {wanted}")
    };
    sent.map(|group| (false, told(group))).collect()
}
