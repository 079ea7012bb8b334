//! Routes: answers to those who wait for one, so many a tick.
//!
//! A fixed number of searches serves the queue: the first one the first, ninth, … of those who
//! wait, until it has expanded as many nodes as it may in a tick. What it expands beyond that is a
//! debt that later ticks pay. So the work of a tick is bounded, and who gets a route when depends
//! on the queue alone, not on threads or clocks.

use crate::lane::Numbers;
use crate::nav::navigator::Finder;
use crate::nav::navigator::Ground;
use crate::nav::navigator::Terrain;
use crate::nav::navigator::route::Corners;
use crate::par;
use crate::par::PerBand;
use crate::tick::navigate::NOBODY;
use crate::tick::navigate::cell_of;
use crate::tick::navigate::navigator;
use crate::world::Aim;
use crate::world::World;
use crate::world::navigation::SEARCHES;
use crate::world::navigation::mode;

/// A search and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Worker<N> {
    finder: Finder,
    answers: Vec<Answer<N>>,
    /// What its searches took in this tick, debts included.
    spent: u64,
    /// The place in the queue of the first whom it has not served.
    until: usize,
}

/// A route for an agent: some points, or none when there is no way.
#[derive(Clone, Copy, Debug)]
struct Answer<N> {
    id: u32,
    points: [N; 16],
    count: u8,
    is_whole: bool,
}

/// Serves those who wait.
pub(super) fn serve<N: Numbers>(
    world: &mut World<N>,
    rows: &[u32],
    leaders: &[u32],
    workers: &mut Vec<Worker<N>>,
) {
    let budget = u64::from(world.settings.route_expansions_per_tick);
    if world.navigation.queue.is_empty() {
        world.navigation.debt = world.navigation.debt.map(|debt| debt.saturating_sub(budget));
        return;
    }
    workers.resize_with(SEARCHES, Worker::default);
    {
        let world = &*world;
        par::chunks(SEARCHES, 1, PerBand(&mut workers[..]), &|_, first, workers| {
            let worker = &mut workers.0[0];
            worker.answers.clear();
            worker.answers.reserve(world.navigation.queue.len().div_ceil(SEARCHES));
            worker.spent = world.navigation.debt[first];
            worker.until = world.navigation.queue.len();
            for at in (first..world.navigation.queue.len()).step_by(SEARCHES) {
                if worker.spent >= budget {
                    worker.until = at;
                    break;
                }
                worker.answer(world, rows, leaders, world.navigation.queue[at]);
            }
        });
    }
    for (worker, debt) in workers.iter().zip(&mut world.navigation.debt) {
        *debt = worker.spent.saturating_sub(budget);
    }
    for answer in workers.iter().flat_map(|worker| &worker.answers) {
        take(world, answer);
    }
    let mut at = 0;
    world.navigation.queue.retain(|_| {
        at += 1;
        at > workers[(at - 1) % SEARCHES].until
    });
}

/// An agent takes on its route.
fn take<N: Numbers>(world: &mut World<N>, answer: &Answer<N>) {
    let id = answer.id as usize;
    let step = &mut world.steps.step[id];
    step.mode &= !(mode::WAITS | mode::ASKS | mode::ROUTED | mode::WHOLE);
    if answer.count == 0 {
        step.mode |= mode::ASKS;
        return;
    }
    step.mode |= mode::ROUTED | if answer.is_whole { mode::WHOLE } else { 0 };
    (step.next, step.count) = (0, answer.count);
    world.steps.route[id] = answer.points;
    if step.mode & mode::IN_GOAL == 0 {
        world.steps.point[id] = [answer.points[0], answer.points[1]];
    }
}

impl<N: Numbers> Worker<N> {
    /// Finds the route of an agent that waits; of one who has gone, or waits no longer, none.
    fn answer(&mut self, world: &World<N>, rows: &[u32], leaders: &[u32], id: u32) {
        let row = rows.get(id as usize).copied().unwrap_or(NOBODY);
        let waits = |id: u32| world.steps.step[id as usize].mode & mode::WAITS != 0;
        if row == NOBODY || !waits(id) {
            return;
        }
        let tag = world.agents.tag[row as usize];
        let group = &world.groups[usize::from(tag.group)];
        if world.traits[usize::from(tag.group)].aim != Aim::Points {
            return;
        }
        let from = cell_of(world, world.agents.pos[row as usize]);
        let mut answer = Answer { id, points: [N::ZERO; 16], count: 0, is_whole: false };
        let class = usize::from(group.class);
        let terrain = Terrain {
            map: &world.map,
            class: &world.classes[class],
            prepared: &world.navigation.prepared[class],
        };
        let (navigator, way) = (navigator(world, leaders, tag), &group.way);
        let found = self.finder.find(navigator, &terrain, from, &way.goals, way.centre);
        self.spent += self.finder.work();
        if let Some(corners) = found {
            answer.take_cells(world, &corners);
        }
        self.answers.push(answer);
    }
}

impl<N: Numbers> Answer<N> {
    /// The middles of some cells.
    fn take_cells(&mut self, world: &World<N>, corners: &Corners) {
        let ground = Ground::of_map(&world.map);
        let cells = &corners.cells[..corners.count];
        for (to, &cell) in self.points.chunks_exact_mut(2).zip(cells) {
            let [i, j] = ground.place(cell).map(|c| (f64::from(c) - 0.5) * world.map.cell_size());
            (to[0], to[1]) = (N::from_f64(i), N::from_f64(j));
        }
        (self.count, self.is_whole) = (corners.count as u8, corners.is_whole);
    }
}
