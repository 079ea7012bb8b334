//! Plan: commanders review their strategies, and steps of plans become orders to groups.
//!
//! Everything is decided by what [`plan_senses`](super::plan_senses) takes before the first commander
//! gives an order, so that the order of the teams does not matter to what they know.

use std::sync::Arc;

use crate::lane::Numbers;
use crate::mind::{MAX_STRATEGIES, StepKind, StrategyDef};
use crate::tick::plan_orders::Ground;
use crate::tick::plan_senses::{Scene, Sense};
use crate::tick::{Scratch, companies, plan_orders, plan_senses};
use crate::world::{Commander, Course, PlanChange, PlanEvent, World};

/// Share of the agents on the way around the foe that have to be there before all turn on it.
const TURN: f64 = 0.5;

pub(super) fn run<N: Numbers>(world: &mut World<N>, scratch: &mut Scratch<N>) {
    let tick = world.log.tick;
    let is_due = |commander: &Commander<N>| tick.is_multiple_of(u64::from(commander.def.review));
    if !world.teams.commanders.iter().any(is_due) {
        return;
    }
    plan_senses::take(world, &mut scratch.senses);
    for at in 0..world.teams.commanders.len() {
        if is_due(&world.teams.commanders[at]) {
            review(world, at, &scratch.senses);
        }
    }
    companies::limit_speeds(&mut world.groups);
}

/// A strategy under way.
struct Plan<'a> {
    team: u8,
    /// Index of the team's commander, and of the strategy among its own.
    commander: usize,
    index: usize,
    def: &'a StrategyDef,
    ground: Ground<'a>,
}

fn review<N: Numbers>(world: &mut World<N>, at: usize, senses: &[Sense]) {
    let commander = &world.teams.commanders[at];
    let scene = Scene { world, senses, commander };
    let facts = scene.facts();
    let former = commander.running();
    let taken =
        commander.strategies.review(former, |index, input| scene.value(&facts, index, input));
    let mut done = 0_u64;
    let mut turns = [0_u64; MAX_STRATEGIES];
    for (index, course) in commander.courses.iter().enumerate() {
        if (former & taken) >> index & 1 == 0 {
            continue;
        }
        let step = usize::from(course.step);
        let is_done =
            commander.strategies.is_done(index, step, |input| scene.value(&facts, index, input));
        done |= u64::from(is_done && !course.is_done) << index;
        turns[index] = turning(&scene, &commander.def.strategies[index], course);
    }
    let (team, def, strategies) =
        (commander.team, Arc::clone(&commander.def), commander.courses.len());
    world.teams.commanders[at].fallen = facts.fallen;
    let ground = Ground { senses, foes: facts.foes, groups: &def.groups };
    let plan = |index: usize| {
        let def = &def.strategies[index];
        Plan { team, commander: at, index, def, ground }
    };
    for index in (0..strategies).filter(|index| (former & !taken) >> index & 1 != 0) {
        plan(index).end(world);
    }
    for (index, &turns) in turns.iter().enumerate().take(strategies) {
        let plan = plan(index);
        let is = |bits: u64| bits >> index & 1 != 0;
        if is(taken & !former) {
            plan.begin(world);
        } else if is(done) {
            let next = usize::from(plan.course(world).step) + 1;
            plan.begin_steps(world, next);
        } else if is(taken) {
            plan.go_on(world, turns, u64::from(def.review));
        }
    }
}

impl Plan<'_> {
    /// The course of this strategy: how far it has come.
    fn course<'w, N: Numbers>(&self, world: &'w mut World<N>) -> &'w mut Course {
        &mut world.teams.commanders[self.commander].courses[self.index]
    }

    fn tell<N: Numbers>(&self, world: &mut World<N>, what: PlanChange) {
        let strategy = self.def.name.clone();
        world.teams.plan_events.push(PlanEvent { team: self.team, strategy, what });
    }

    fn begin<N: Numbers>(&self, world: &mut World<N>) {
        let tick = world.log.tick;
        let course = self.course(world);
        course.is_running = true;
        course.is_done = false;
        course.begun = tick;
        course.turned = 0;
        course.begins = course.begins.saturating_add(1);
        self.tell(world, PlanChange::Begins);
        self.begin_steps(world, 0);
    }

    fn end<N: Numbers>(&self, world: &mut World<N>) {
        let tick = world.log.tick;
        let course = self.course(world);
        course.is_running = false;
        course.ended = tick;
        self.tell(world, PlanChange::Ends);
    }

    /// Begins the steps from `first` on that begin together; then the steps behind, as long as all
    /// groups refuse the last step begun, or it waits for nothing.
    fn begin_steps<N: Numbers>(&self, world: &mut World<N>, first: usize) {
        let tick = world.log.tick;
        let mut stretch = self.def.stretch(first);
        while !stretch.is_empty() {
            let mut is_refused = false;
            for step in stretch.clone() {
                is_refused = self.begin_step(world, step);
            }
            let last = stretch.end - 1;
            let course = self.course(world);
            (course.step, course.stepped) = (last as u8, tick);
            if !is_refused && self.def.steps[last].until.is_some() {
                return;
            }
            stretch = self.def.stretch(stretch.end);
        }
        self.course(world).is_done = true;
        self.tell(world, PlanChange::Done);
    }

    /// Gives the orders of a step and says whether they were refused by all of its groups.
    fn begin_step<N: Numbers>(&self, world: &mut World<N>, step: usize) -> bool {
        let def = &self.def.steps[step];
        self.tell(world, PlanChange::Step { step, kind: def.kind.name() });
        let mut refused = 0;
        for &group in &def.groups {
            let index = group.index();
            let began = self.ground.begin(world, def, index, false);
            refused += usize::from(began.is_err());
            let sent = began.and_then(|()| plan_orders::send(world, def, index));
            if let Err(why) = sent {
                self.tell(world, PlanChange::Refused { step, group, why });
            }
        }
        refused == def.groups.len()
    }

    /// Aims at the foe anew where that is due.
    fn go_on<N: Numbers>(&self, world: &mut World<N>, turns: u64, review: u64) {
        let course = *self.course(world);
        let current = usize::from(course.step);
        let since = world.log.tick.saturating_sub(course.stepped);
        for (step, def) in self.def.steps.iter().enumerate().take(current + 1) {
            let turns = turns >> step & 1 != 0;
            if turns {
                self.course(world).turned |= 1 << step;
                self.tell(world, PlanChange::Turns { step });
            }
            let turned = turns || course.turned >> step & 1 != 0;
            let every = (def.renew * f64::from(world.settings.tick_rate)).floor() as u64;
            let is_due = since >= every && since % every.max(1) < review;
            if !(turns || is_due) {
                continue;
            }
            for &group in &def.groups {
                if !self.def.is_in_force(step, current, group) {
                    continue;
                }
                let aimed = if turns {
                    self.ground.begin(world, def, group.index(), turned)
                } else {
                    self.ground.renew(world, def, group.index(), turned)
                };
                if let Err(why) = aimed {
                    self.tell(world, PlanChange::Refused { step, group, why });
                }
            }
        }
    }
}

/// The steps around the foe's flank, as bits, whose groups are there and turn on it.
fn turning<N: Numbers>(scene: &Scene<'_, N>, def: &StrategyDef, course: &Course) -> u64 {
    let steps = def.steps.iter().enumerate().take(usize::from(course.step) + 1);
    let turns = steps.filter(|&(step, def)| {
        def.kind == StepKind::Flank
            && course.turned >> step & 1 == 0
            && scene.arrived(def.groups.iter().copied()) >= TURN
    });
    turns.fold(0, |bits, (step, _)| bits | 1 << step)
}
