//! Navigate: agents that go by another navigator than a flow field choose where to head for.
//!
//! Each of them has a point. An agent that goes cell by cell chooses the next cell when near the middle
//! of the one before, and anew when pushed off. An agent that goes by a route takes its points one after
//! another, skips a point where it sees the next one, and asks for another route when it runs out or
//! something hides the next point and holds it up. `desire` leads straight to the point.
//!
//! The work is done by id, not by row, as that is where memory lies; so nothing is gathered when
//! agents are sorted.

mod routes;

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::math::hash3;
use crate::nav::field::Fields;
use crate::nav::navigator::route::MAX_POINTS;
use crate::nav::navigator::{Ground, Navigator, Walker};
use crate::par;
use crate::par::PerBand;
use crate::tick::CHUNK;
use crate::world::navigation::{SEARCHES, mode};
use crate::world::{
    AgentRows, Group, Groups, Guidance, Log, Routes, Settings, Step, Steps, Tag, Traits, World,
    state,
};

/// The row of an id index without an agent.
const NOBODY: u32 = u32::MAX;
/// Stream of the random numbers of walkers.
const STREAM: u64 = 0x6e61_7669;
/// Every so many ticks an agent looks whether it sees the point it heads for, or the one behind.
const LOOK_EVERY: u64 = 8;
/// Every so many ticks an agent that was given no route asks again.
const ASK_EVERY: u64 = 64;
/// How near the middle of a cell is near enough, in cells.
const NEAR: f64 = 0.35;

/// Memory of the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<N: Numbers> {
    /// By group: the id index of its leader.
    leaders: Vec<u32>,
    /// By chunk of ids: whether an agent asks for a route.
    asks: Vec<bool>,
    routes: routes::Memory<N>,
}

/// Input of the stage, the same for all agents.
struct Plan<'a, N: Numbers> {
    settings: &'a Settings,
    log: &'a Log,
    ground: &'a crate::world::Ground<N>,
    agents: &'a AgentRows<N>,
    groups: &'a Groups<N>,
    fields: &'a Fields,
    /// Row of every id.
    rows: &'a [u32],
    leaders: &'a [u32],
    /// Side of a cell in metres.
    cell: f64,
}

pub(super) fn run<N: Numbers>(world: &mut World<N>, rows: &mut Vec<u32>, memory: &mut Memory<N>) {
    if !world.groups.traits.iter().any(|traits| traits.guidance == Guidance::Points) {
        world.routes.navigation.queue.clear();
        world.routes.navigation.debt = [0; SEARCHES];
        return;
    }
    rows.clear();
    rows.resize(world.agents.ids.capacity(), NOBODY);
    for (row, tag) in world.agents.rows.tag.iter().enumerate() {
        rows[tag.id as usize] = row as u32;
    }
    let World { settings, log, ground, agents, groups, routes, .. } = world;
    let Memory { leaders, asks, .. } = memory;
    let agents = &agents.rows;
    lead(agents, ground, groups, leaders);
    let (fields, cell) = (&routes.fields, ground.map.cell_size());
    let plan = Plan { settings, log, ground, agents, groups, fields, rows, leaders, cell };
    choose(&plan, &mut routes.steps, asks);
    queue(routes, asks);
    routes::serve(world, rows, &memory.leaders, &mut memory.routes);
}

/// Finds the leader of every group, and lets leaders drop crumbs.
fn lead<N: Numbers>(
    agents: &AgentRows<N>,
    ground: &crate::world::Ground<N>,
    Groups { list, traits, .. }: &mut Groups<N>,
    leaders: &mut Vec<u32>,
) {
    leaders.clear();
    leaders.resize(list.len(), NOBODY);
    let drops = |group: &Group<N>, traits: &Traits<N>| {
        traits.guidance == Guidance::Points && group.def.navigator == Navigator::Breadcrumbs
    };
    if !list.iter().zip(&*traits).any(|(group, traits)| drops(group, traits)) {
        return;
    }
    for tag in agents.tag.iter() {
        let least = &mut leaders[usize::from(tag.group)];
        *least = tag.id.min(*least);
    }
    for (tag, &pos) in agents.tag.iter().zip(agents.pos.iter()) {
        let index = usize::from(tag.group);
        let group = &mut list[index];
        if leaders[index] == tag.id && drops(group, &traits[index]) {
            group.way.drop_crumb(ground.cell_of(pos));
        }
    }
}

/// Every agent chooses the point that it heads for.
fn choose<N: Numbers>(plan: &Plan<'_, N>, steps: &mut Steps<N>, asks: &mut Vec<bool>) {
    let ids = plan.rows.len();
    asks.clear();
    asks.resize(ids.div_ceil(CHUNK), false);
    let columns =
        (&mut steps.point[..], &mut steps.step[..], &mut steps.route[..], PerBand(&mut asks[..]));
    par::chunks(ids, CHUNK, columns, &|_, first, (point, step, route, asks)| {
        for i in 0..step.len() {
            let row = plan.rows[first + i];
            if row == NOBODY {
                continue;
            }
            let tag = plan.agents.tag[row as usize];
            let aim = plan.groups.traits[usize::from(tag.group)].guidance;
            let placed = state::PLACED | state::ARRIVED;
            let rests = tag.state & state::SETTLED != 0 || tag.state & placed == placed;
            if aim != Guidance::Points || rests {
                continue;
            }
            point[i] = plan.point(tag, row as usize, &mut step[i], &route[i]);
            asks.0[0] |= step[i].mode & (mode::WAITS | mode::ASKS) == mode::WAITS | mode::ASKS;
        }
    });
}

/// Agents that ask for a route are put into the queue, in the order of their ids.
fn queue<N: Numbers>(Routes { steps, navigation, .. }: &mut Routes<N>, asks: &[bool]) {
    for (chunk, _) in asks.iter().enumerate().filter(|(_, asks)| **asks) {
        let end = ((chunk + 1) * CHUNK).min(steps.step.len());
        for id in chunk * CHUNK..end {
            let step = &mut steps.step[id];
            if step.mode & (mode::WAITS | mode::ASKS) == mode::WAITS | mode::ASKS {
                step.mode &= !mode::ASKS;
                navigation.queue.push(id as u32);
            }
        }
    }
}

/// How an agent finds its way: the leader of a group that follows crumbs goes by a path.
fn navigator<N: Numbers>(groups: &Groups<N>, leaders: &[u32], tag: Tag) -> Navigator {
    match groups.list[usize::from(tag.group)].def.navigator {
        Navigator::Breadcrumbs if leaders[usize::from(tag.group)] == tag.id => Navigator::Path,
        navigator => navigator,
    }
}

impl<N: Numbers> Plan<'_, N> {
    /// The middle of a cell in metres.
    fn middle(&self, ground: &Ground<'_>, cell: u32) -> [f64; 2] {
        ground.place(cell).each(|c| (f64::from(c) - 0.5) * self.cell)
    }

    /// Whether a point is so near that an agent on the way to it is as good as there.
    fn is_near(&self, tag: Tag, at: [f64; 2], to: [f64; 2]) -> bool {
        let group = usize::from(tag.group);
        let def = &self.groups.list[group].def;
        let speed = def.speed * self.groups.traits[group].quickest;
        // A wall beside the cell keeps a disc of up to a cell's radius so far from the middle.
        let aside = if def.radius <= self.cell { def.radius - 0.4375 * self.cell } else { 0.0 };
        let near = (NEAR * self.cell).max(speed * self.settings.dt()).max(aside);
        (0..2).all(|c| (at[c] - to[c]).abs() <= near)
    }

    /// Where an agent heads for, and what it remembers of that.
    fn point(&self, tag: Tag, row: usize, step: &mut Step, route: &[N; 16]) -> [N; 2] {
        let pos = self.agents.pos[row];
        let group = &self.groups.list[usize::from(tag.group)];
        let ground = Ground::new(&self.ground.classes[usize::from(group.class)]);
        let (own, centre) = (self.ground.cell_of(pos), group.way.centre);
        let straight = || match ground.sees(own, centre, false) {
            true => self.middle(&ground, centre).each(N::from_f64),
            false => pos,
        };
        if group.way.holds(own, ground.place(own)) {
            step.mode |= mode::IN_GOAL;
            return straight();
        }
        step.mode &= !mode::IN_GOAL;
        match navigator(self.groups, self.leaders, tag) {
            Navigator::Straight => {
                let walker = Walker::new(&ground, own, centre);
                let next = { walker }.next(Navigator::Straight, &ground, centre, 0, &[]);
                let middle = || self.middle(&ground, centre).each(N::from_f64);
                next.map_or(pos, |_| middle())
            }
            navigator if navigator.is_by_cells() => {
                let next = self.next_cell(navigator, tag, own, pos, step);
                next.map_or(pos, |next| self.middle(&ground, next).each(N::from_f64))
            }
            _ => self.next_point(tag, own, row, step, route).unwrap_or_else(straight),
        }
    }

    /// The cell that an agent that goes cell by cell walks to; `None` where it stays where it is.
    fn next_cell(
        &self,
        navigator: Navigator,
        tag: Tag,
        own: u32,
        pos: [N; 2],
        step: &mut Step,
    ) -> Option<u32> {
        let group = &self.groups.list[usize::from(tag.group)];
        let ground = Ground::new(&self.ground.classes[usize::from(group.class)]);
        let way = &group.way;
        let mut walker;
        if step.mode & mode::STARTED != 0 {
            let to = self.middle(&ground, step.cell);
            let is_there = self.is_near(tag, pos.each(N::to_f64), to);
            let beside = own == step.cell || ground.heading_to(own, step.cell).is_some();
            if !is_there && beside && ground.is_open(step.cell) {
                return Some(step.cell);
            }
            walker = Walker {
                cell: if is_there { step.cell } else { own },
                began: step.began,
                heading: step.heading,
                traces: step.mode & mode::TRACES != 0,
                right: step.mode & mode::RIGHT != 0,
                steps: step.steps,
            };
        } else {
            walker = Walker::new(&ground, own, way.centre);
        }
        let seed = hash3(self.settings.seed, u64::from(tag.id), STREAM);
        let next = walker.next(navigator, &ground, way.centre, seed, &way.crumbs);
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        let hand = bit(walker.traces, mode::TRACES) | bit(walker.right, mode::RIGHT);
        *step = Step {
            mode: step.mode & !(mode::TRACES | mode::RIGHT) | mode::STARTED | hand,
            heading: walker.heading,
            cell: walker.cell,
            began: walker.began,
            steps: walker.steps,
            ..*step
        };
        next
    }

    /// The point of its route that an agent walks to; `None` without a route.
    fn next_point(
        &self,
        tag: Tag,
        own: u32,
        row: usize,
        step: &mut Step,
        route: &[N; 16],
    ) -> Option<[N; 2]> {
        let waits = step.mode & mode::WAITS != 0;
        let now = self.log.tick + u64::from(tag.id);
        if step.mode & mode::ROUTED == 0 {
            let failed = step.mode & mode::ASKS != 0 && !waits;
            if !waits && (!failed || now.is_multiple_of(ASK_EVERY)) {
                step.mode |= mode::WAITS | mode::ASKS;
            }
            return None;
        }
        let point = |i: u8| [route[2 * usize::from(i)], route[2 * usize::from(i) + 1]];
        let at = self.agents.pos[row].each(N::to_f64);
        let last = step.count.clamp(1, MAX_POINTS as u8) - 1;
        step.next = step.next.min(last);
        while step.next < last && self.is_near(tag, at, point(step.next).each(N::to_f64)) {
            step.next += 1;
        }
        if now.is_multiple_of(LOOK_EVERY) {
            let sees = |i: u8, even: bool| self.sees(tag, own, point(i), even);
            if step.next < last && sees(step.next + 1, true) {
                step.next += 1;
            } else if self.is_held_up(tag, row) && !sees(step.next, false) {
                if !waits {
                    step.mode |= mode::WAITS | mode::ASKS;
                } else if self.has_field(tag) {
                    step.mode &= !(mode::ROUTED | mode::WHOLE);
                    return None;
                }
            }
        }
        if step.next == last && step.mode & (mode::WHOLE | mode::WAITS) == 0 {
            step.mode |= mode::WAITS | mode::ASKS;
        }
        let is_over = waits && step.mode & mode::WHOLE == 0 && step.next == last;
        if is_over && self.has_field(tag) && self.is_near(tag, at, point(last).each(N::to_f64)) {
            // At the end of what it knows of its way, it goes by the field rather than stand.
            step.mode &= !mode::ROUTED;
            return None;
        }
        Some(point(step.next))
    }

    /// Whether there is a field for agents of its group that have no route.
    fn has_field(&self, tag: Tag) -> bool {
        let field = self.groups.list[usize::from(tag.group)].field;
        field.is_some_and(|field| self.fields.directions(field).is_some())
    }

    /// Whether an agent makes hardly any way. One that walks on finds its point even where a corner
    /// hides that from the middle of its cell.
    fn is_held_up(&self, tag: Tag, row: usize) -> bool {
        let [x, y] = self.agents.vel[row].each(N::to_f64);
        let group = &self.groups.list[usize::from(tag.group)];
        let speed_factor = self.ground.pace_at(group, self.agents.pos[row]).to_f64();
        let slow = 0.25 * group.def.speed * speed_factor;
        x * x + y * y < slow * slow
    }

    /// Whether an agent sees a point from the middle of its cell.
    fn sees(&self, tag: Tag, own: u32, to: [N; 2], even: bool) -> bool {
        let class = self.groups.list[usize::from(tag.group)].class;
        let ground = Ground::new(&self.ground.classes[usize::from(class)]);
        ground.sees(own, self.ground.cell_of(to), even)
    }
}
