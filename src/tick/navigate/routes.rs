//! Routes: answers to agents that wait for one, so many a tick.
//!
//! Agents that wait for the same are served at once. Over the grid that is all of a group: one search
//! from its goal outward reaches all of them ([`Finder::find_many`]). By waypoints, networks and meshes
//! it is all of a group in one block of cells: an agent that sees the first point of another's route
//! takes that route.
//!
//! Such batches are served in the order of their first members in the queue, by a fixed number of
//! searches. One that has expanded as many nodes as it may in a tick begins no other batch. What it
//! expands beyond that is a debt that later ticks pay, and until it is paid the others serve. So the
//! work of a tick is bounded, the first in the queue is always the next, and which agent gets a route
//! when depends on the queue alone, not on threads or clocks.
//!
//! Where the queue is long all the same, groups in it ask for the flow field of their goal: their
//! agents walk by that while they have no route.

use crate::lane::Numbers;
use crate::math::each::{Each, Make};
use crate::nav::navigator::route::Corners;
use crate::nav::navigator::{Finder, Ground, Navigator, Terrain, nearest_open};
use crate::par;
use crate::par::PerBand;
use crate::tick::navigate::{NOBODY, navigator};
use crate::world::navigation::{SEARCHES, mode};
use crate::world::{Guidance, Routes, World};

/// Agents that are looked at in a tick, the first ones in the queue.
const LOOKS: usize = 8_192;
/// Side of the blocks of cells that share routes, as a shift.
const BLOCK: u32 = 2;
/// Agents in the queue from which on groups ask for fields.
const LONG: usize = 64;
/// Room for the cells that a batch starts from, and for answers, that every search has from the start.
const USUAL: usize = 256;

/// Memory of the searches.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N> {
    workers: Vec<Worker<N>>,
    askers: Vec<Asker>,
    batches: Vec<Batch>,
    /// By place in the queue: whether that agent is served.
    served: Vec<bool>,
}

/// A search and its memory.
#[derive(Clone, Debug)]
struct Worker<N> {
    finder: Finder,
    /// Components that a goal is in, and cells that a batch starts from, ascending.
    components: Vec<u32>,
    from: Vec<u32>,
    answers: Vec<Answer<N>>,
    /// What its searches took in this tick, debts included.
    spent: u64,
}

impl<N> Worker<N> {
    fn new() -> Self {
        let (components, from) = (Vec::with_capacity(USUAL), Vec::with_capacity(USUAL));
        let answers = Vec::with_capacity(USUAL);
        Self { finder: Finder::new(), components, from, answers, spent: 0 }
    }
}

/// An agent that waits. They are sorted by the first four, of which no two have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Asker {
    /// Agents with the same group and block are in the same batch.
    group: u16,
    block: u32,
    /// The cell to start from.
    cell: u32,
    /// Its place in the queue.
    at: u32,
    id: u32,
    by_grid: bool,
}

/// Askers that are served at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Batch {
    /// The first place of its askers in the queue.
    at: u32,
    first: u32,
    count: u32,
}

/// A route for an agent: some points, or none when there is no way.
#[derive(Clone, Copy, Debug)]
struct Answer<N> {
    id: u32,
    /// The agent's place in the queue.
    at: u32,
    points: [N; 16],
    count: u8,
    is_whole: bool,
}

/// Serves the agents in the queue.
pub(super) fn serve<N: Numbers>(
    world: &mut World<N>,
    rows: &[u32],
    leaders: &[u32],
    memory: &mut Memory<N>,
) {
    let budget = u64::from(world.settings.route_expansions_per_tick);
    // The searches without too much debt, the one with the least first.
    let debts = world.routes.navigation.debt;
    let mut order: [(u64, usize); SEARCHES] = Make::make(|search| (debts[search], search));
    order.sort_unstable();
    let free = order.iter().take_while(|(debt, _)| *debt < budget).count();
    if world.routes.navigation.queue.is_empty() || free == 0 {
        world.routes.navigation.debt = debts.each(|debt| debt.saturating_sub(budget));
        return;
    }
    memory.gather(world, rows, leaders);
    let Memory { workers, askers, batches, served } = memory;
    workers.resize_with(SEARCHES, Worker::new);
    {
        let (world, askers, batches) = (&*world, &askers[..], &batches[..]);
        par::chunks(SEARCHES, 1, PerBand(&mut workers[..]), &|_, search, workers| {
            let worker = &mut workers.0[0];
            worker.answers.clear();
            worker.spent = debts[search];
            let place = order[..free].iter().position(|&(_, other)| other == search);
            let own = batches.iter().skip(place.unwrap_or(batches.len())).step_by(free);
            for batch in own {
                if worker.spent >= budget {
                    break;
                }
                let askers = &askers[batch.first as usize..][..batch.count as usize];
                worker.answer(world, askers);
            }
        });
    }
    for (worker, debt) in workers.iter().zip(&mut world.routes.navigation.debt) {
        *debt = worker.spent.saturating_sub(budget);
    }
    for answer in workers.iter().flat_map(|worker| &worker.answers) {
        take(world, answer);
        served[answer.at as usize] = true;
    }
    let mut served = served.iter();
    world.routes.navigation.queue.retain(|_| !served.next().copied().unwrap_or(false));
    if world.routes.navigation.queue.len() >= LONG {
        ask_for_fields(world, rows);
    }
}

/// An agent takes on its route.
fn take<N: Numbers>(world: &mut World<N>, answer: &Answer<N>) {
    let id = answer.id as usize;
    let step = &mut world.routes.steps.step[id];
    step.mode &= !(mode::WAITS | mode::ASKS | mode::ROUTED | mode::WHOLE);
    if answer.count == 0 {
        step.mode |= mode::ASKS;
        return;
    }
    step.mode |= mode::ROUTED | if answer.is_whole { mode::WHOLE } else { 0 };
    (step.next, step.count) = (0, answer.count);
    world.routes.steps.route[id] = answer.points;
    if step.mode & mode::IN_GOAL == 0 {
        world.routes.steps.point[id] = [answer.points[0], answer.points[1]];
    }
}

/// Groups in a long queue ask for the flow field to their goal, unless they have it, or it would
/// take the last memory for fields.
fn ask_for_fields<N: Numbers>(world: &mut World<N>, rows: &[u32]) {
    let World { routes, groups, agents, log, .. } = world;
    let Routes { fields, navigation, .. } = routes;
    for &id in navigation.queue.iter().take(LOOKS) {
        let row = rows.get(id as usize).copied().unwrap_or(NOBODY);
        if row == NOBODY {
            continue;
        }
        let at = usize::from(agents.rows.tag[row as usize].group);
        let group = &mut groups.list[at];
        let has_one = group.field.is_some() || group.next_field.is_some();
        let asks =
            groups.traits[at].guidance == Guidance::Points && group.def.navigator.is_by_routes();
        if has_one || !asks || !fields.has_room_for(2) {
            continue;
        }
        if let Ok(field) = fields.request(&group.way.goals, u32::from(group.class), log.tick) {
            fields.hold(field);
            group.next_field = Some(field);
        }
    }
}

impl<N: Numbers> Memory<N> {
    /// Puts the first agents of the queue into batches. Agents that are gone, or wait no longer, count
    /// as served.
    fn gather(&mut self, world: &World<N>, rows: &[u32], leaders: &[u32]) {
        let Self { askers, batches, served, .. } = self;
        askers.clear();
        served.clear();
        for (at, &id) in world.routes.navigation.queue.iter().take(LOOKS).enumerate() {
            let asker = asker(world, rows, leaders, id);
            served.push(asker.is_none());
            askers.extend(asker.map(|asker| Asker { at: at as u32, ..asker }));
        }
        askers.sort_unstable();
        batches.clear();
        let together = |a: &Asker, b: &Asker| (a.group, a.block) == (b.group, b.block);
        let mut first = 0;
        for askers in askers.chunk_by(together) {
            let at = askers.iter().map(|asker| asker.at).min().unwrap_or(0);
            batches.push(Batch { at, first, count: askers.len() as u32 });
            first += askers.len() as u32;
        }
        batches.sort_unstable();
    }
}

/// An agent in the queue, if it is there and waits.
fn asker<N: Numbers>(world: &World<N>, rows: &[u32], leaders: &[u32], id: u32) -> Option<Asker> {
    let row = *rows.get(id as usize).filter(|&&row| row != NOBODY)?;
    let waits = world.routes.steps.step[id as usize].mode & mode::WAITS != 0;
    let tag = world.agents.rows.tag[row as usize];
    let group = usize::from(tag.group);
    if !waits || world.groups.traits[group].guidance != Guidance::Points {
        return None;
    }
    let class = usize::from(world.groups.list[group].class);
    let ground = Ground::new(&world.ground.classes[class]);
    let own = world.ground.cell_of(world.agents.rows.pos[row as usize]);
    let cell = nearest_open(&ground, own).unwrap_or(own);
    let by_grid = match navigator(&world.groups, leaders, tag) {
        Navigator::Network | Navigator::Mesh => false,
        Navigator::Waypoints => !world.routes.navigation.prepared[class].has_waypoints(),
        _ => true,
    };
    let [i, j] = ground.place(cell).each(|c| c as u32 >> BLOCK);
    // Padded rasters have at most 16,386 columns.
    let block = if by_grid { 0 } else { 1 + (j << 16 | i) };
    Some(Asker { group: tag.group, by_grid, block, cell, at: 0, id })
}

impl<N: Numbers> Worker<N> {
    /// Finds the routes of a batch: `askers` are ordered by cell, and not empty.
    fn answer(&mut self, world: &World<N>, askers: &[Asker]) {
        let group = &world.groups.list[usize::from(askers[0].group)];
        let class = usize::from(group.class);
        let terrain = Terrain {
            map: &world.ground.map,
            class: &world.ground.classes[class],
            prepared: &world.routes.navigation.prepared[class],
        };
        let component = |cell: u32| terrain.class.component(cell);
        let Self { components, from, .. } = self;
        components.clear();
        components.extend(group.way.goals.seeds().iter().map(|&cell| component(cell)));
        components.sort_unstable();
        components.dedup();
        let reaches =
            |cell: u32| component(cell) != 0 && components.binary_search(&component(cell)).is_ok();
        from.clear();
        from.extend(askers.iter().map(|asker| asker.cell).filter(|&cell| reaches(cell)));
        from.dedup();
        self.spent += 1;
        match from.len() {
            2.. if askers[0].by_grid => self.answer_together(world, &terrain, askers),
            _ => self.answer_each(world, &terrain, askers),
        }
    }

    /// By one search from the goal.
    fn answer_together(&mut self, world: &World<N>, terrain: &Terrain<'_>, askers: &[Asker]) {
        let goals = &world.groups.list[usize::from(askers[0].group)].way.goals;
        self.finder.find_many(terrain, &self.from, goals);
        for askers in askers.chunk_by(|a, b| a.cell == b.cell) {
            let cell = askers[0].cell;
            let found = self.from.binary_search(&cell).ok();
            let corners = found.and_then(|_| self.finder.next_of_many(terrain, cell));
            self.give(world, askers, corners.as_ref());
        }
        self.spent += self.finder.work();
    }

    /// One by one, cell by cell; an asker that sees the first point of the last route takes that.
    fn answer_each(&mut self, world: &World<N>, terrain: &Terrain<'_>, askers: &[Asker]) {
        let group = &world.groups.list[usize::from(askers[0].group)];
        let ground = Ground::new(terrain.class);
        let mut last: Option<Corners> = None;
        for askers in askers.chunk_by(|a, b| a.cell == b.cell) {
            let cell = askers[0].cell;
            if self.from.binary_search(&cell).is_err() {
                self.give(world, askers, None);
                continue;
            }
            let sees = |route: &&Corners| ground.sees(cell, route.cells[0], true);
            let shared = last.as_ref().filter(sees).copied();
            let corners = shared.or_else(|| {
                let by = match group.def.navigator {
                    // Of groups that follow crumbs only leaders ask.
                    Navigator::Breadcrumbs => Navigator::Path,
                    navigator => navigator,
                };
                let (goals, centre) = (&group.way.goals, group.way.centre);
                let found = self.finder.find(by, terrain, cell, goals, centre);
                self.spent += self.finder.work();
                found
            });
            self.give(world, askers, corners.as_ref());
            last = corners.or(last);
        }
    }

    /// Agents in one cell get one route.
    fn give(&mut self, world: &World<N>, askers: &[Asker], corners: Option<&Corners>) {
        let none = Answer { id: 0, at: 0, points: [N::ZERO; 16], count: 0, is_whole: false };
        let answer = corners.map_or(none, |corners| none.with_cells(world, corners));
        let answers = askers.iter().map(|&Asker { id, at, .. }| Answer { id, at, ..answer });
        self.answers.extend(answers);
    }
}

impl<N: Numbers> Answer<N> {
    /// The middles of some cells.
    fn with_cells(mut self, world: &World<N>, corners: &Corners) -> Self {
        let ground = Ground::of_map(&world.ground.map);
        let cells = &corners.cells[..corners.count];
        for (to, &cell) in self.points.chunks_exact_mut(2).zip(cells) {
            let [i, j] =
                ground.place(cell).each(|c| (f64::from(c) - 0.5) * world.ground.map.cell_size());
            (to[0], to[1]) = (N::from_f64(i), N::from_f64(j));
        }
        (self.count, self.is_whole) = (corners.count as u8, corners.is_whole);
        self
    }
}
