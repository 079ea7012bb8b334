//! Following: agents of groups that follow others find where to head for.
//!
//! A leader's trail is the cells in which it has been. A follower heads straight for its leader while
//! it sees it, or else for the newest cell of the trail that it sees: so it goes around the corners and
//! through the doors that the leader has taken. Followers look in turn, and keep to what they saw
//! meanwhile.

use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::map::Clearance;
use crate::math::each::Each;
use crate::tick::traffic_orders::why_led;
use crate::tick::{leaving, minds, sending};
use crate::world::following::{code_of, leader_of, sees, standable};
use crate::world::{
    FollowDef, Following, Guidance, Leader, MAX_TRAIL, Refusal, Tag, World, WorldError,
    packed_radius, state,
};

/// A follower looks once in so many ticks.
const LOOK_EVERY: u64 = 4;
/// An agent at rest where its leader was last tries to come nearer once in so many looks.
const TRY_EVERY: u64 = 64;
/// Velocity along both axes below which a leader stands, m/s.
const CRAWL: f64 = 0.1;
/// Distance from where it heads for within which an agent has come there, in metres.
const NEAR: f64 = 0.3;
/// How much farther than the depth of their crowd agents count as having come there, in metres.
const MORE: f64 = 0.5;
/// Trails without followers are forgotten once in so many ticks.
const FORGET_EVERY: u64 = 32;

/// A group follows others from now on.
pub(super) fn begin<N: Numbers>(
    world: &mut World<N>,
    group: GroupId,
    def: &FollowDef,
) -> Result<u32, Refusal> {
    let refuse = |error: WorldError| Refusal::NoSuchKind(error.to_string());
    def.check().map_err(refuse)?;
    let index = group.index();
    if let Some(why) = why_led(world, index) {
        let why = format!("group {group} {why}: its agents cannot follow others");
        return Err(Refusal::NoSuchKind(why));
    }
    let is_own = match def.leader {
        Leader::Group(leaders) if !world.groups.has(leaders) => {
            let groups = world.groups.list.len();
            return Err(Refusal::NoSuchGroup { group: leaders, groups });
        }
        Leader::Agent(leader) if !world.is_alive(leader) => {
            return Err(Refusal::NoSuchAgent { id: leader });
        }
        Leader::Group(leaders) => world.base_group(leaders.index()) == index,
        Leader::Agent(leader) => {
            let tag = world.agents.rows.tag.iter().find(|tag| tag.id == leader.index);
            tag.is_some_and(|tag| world.base_group(tag.group) == index)
        }
    };
    if is_own {
        return Err(Refusal::NoSuchKind(format!("group {group} cannot follow itself")));
    }
    minds::recall(world, index);
    sending::stop(world, index);
    world.groups.traits[usize::from(index)].guidance = Guidance::Leader;
    world.agents.grow_followers();
    let rows = world.agents.rows.tag.iter().zip(world.agents.rows.pos.iter());
    for (tag, pos) in rows.filter(|(tag, _)| tag.group == index) {
        world.agents.heads[tag.id as usize] = *pos;
        world.agents.leaders[tag.id as usize] = 0;
    }
    world.traffic.followings.retain(|own| own.group != group);
    let own = Following { group, def: def.clone(), trails: Vec::new() };
    world.traffic.followings.push(own);
    world.note_sent(index);
    Ok(world.groups.list[usize::from(index)].members)
}

/// Whether a group that followed others still does: it has had no other order.
fn goes_on<N: Numbers>(world: &World<N>, own: &Following) -> bool {
    let guidance = world.groups.traits[usize::from(own.group)].guidance;
    world.groups.has(own.group) && guidance == Guidance::Leader
}

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    if world.traffic.followings.is_empty() && world.agents.leaders.is_empty() {
        return;
    }
    let mut followings = std::mem::take(&mut world.traffic.followings);
    followings.retain(|own| goes_on(world, own));
    let mut row_of = std::mem::take(&mut world.traffic.row_of);
    index(world, &mut row_of, |tag| tag.state & state::LEAVING == 0);
    leaving::prepare(world);
    followings.iter_mut().for_each(|own| lead(world, own, &row_of));
    if followings.is_empty() {
        world.agents.heads.clear();
        world.agents.leaders.clear();
    }
    world.traffic.followings = followings;
    world.traffic.row_of = row_of;
}

/// The rows of agents that count, by id index; `u32::MAX` for all others.
fn index<N: Numbers>(world: &World<N>, row_of: &mut Vec<u32>, counts: impl Fn(&Tag) -> bool) {
    row_of.clear();
    row_of.resize(world.agents.ids.capacity(), u32::MAX);
    let tags = (0..).zip(world.agents.rows.tag.iter());
    tags.filter(|(_, tag)| counts(tag)).for_each(|(row, tag)| row_of[tag.id as usize] = row);
}

/// The row of an agent that is alive and counts.
fn row<N: Numbers>(world: &World<N>, row_of: &[u32], id: Id) -> Option<usize> {
    let row = row_of.get(id.index as usize).copied().filter(|&row| row != u32::MAX)?;
    world.is_alive(id).then_some(row as usize)
}

/// The agents of a group find a leader to follow, and a point to head for.
fn lead<N: Numbers>(world: &mut World<N>, own: &mut Following, row_of: &[u32]) {
    let (tick, group, mut leaders) = (world.log.tick, own.group.index(), None);
    for row in 0..world.len() {
        let tag = world.agents.rows.tag[row];
        if tag.group != group {
            continue;
        }
        let id = tag.id as usize;
        let known = leader_of(world.agents.leaders[id]);
        let mut leader = known.filter(|&leader| own.trail(leader).is_some());
        let is_due = (tick + u64::from(tag.id)).is_multiple_of(LOOK_EVERY);
        let leads =
            |leader: Id| self::row(world, row_of, leader).is_some_and(|r| leads(world, own, r));
        if leader.is_none() || is_due && !leader.is_some_and(leads) {
            let rows = || row_of.iter().filter(|&&row| row != u32::MAX).map(|&row| row as usize);
            let all = || rows().filter(|&row| self::leads(world, own, row)).collect::<Vec<_>>();
            let found = nearest(world, row, leaders.get_or_insert_with(all));
            if let Some(found) = found {
                let next = world.id(found);
                own.begin(next, world.ground.cell_of(world.agents.rows.pos[found]));
                leader = Some(next);
                world.agents.heads[id] = world.agents.rows.pos[row];
            }
        }
        let Some(leader) = leader else {
            world.agents.leaders[id] = 0;
            world.agents.heads[id] = world.agents.rows.pos[row];
            continue;
        };
        let is_new = world.agents.leaders[id] != code_of(leader);
        if is_due || is_new {
            world.agents.leaders[id] = code_of(leader);
            let found = (leader, self::row(world, row_of, leader));
            if let Some(head) = head(world, own, row, found, is_new) {
                world.agents.heads[id] = head;
            }
        }
    }
    if tick.is_multiple_of(FORGET_EVERY) {
        forget_trails(world, own);
    }
}

/// Whether a group can follow the agent in a row, which may be of a detachment or a variant.
fn leads<N: Numbers>(world: &World<N>, own: &Following, row: usize) -> bool {
    let base = world.base_group(world.agents.rows.tag[row].group);
    match own.def.leader {
        Leader::Agent(leader) => world.id(row) == leader,
        Leader::Group(leaders) => world.groups.has(leaders) && base == leaders.index(),
    }
}

/// Forgets trails without followers.
fn forget_trails<N: Numbers>(world: &mut World<N>, own: &mut Following) {
    let World { agents, traffic, .. } = world;
    let codes = &mut traffic.followed;
    codes.clear();
    let tags = agents.rows.tag.iter().filter(|tag| tag.group == own.group.index());
    codes.extend(tags.map(|tag| agents.leaders[tag.id as usize]));
    codes.sort_unstable();
    own.trails.retain(|trail| codes.binary_search(&code_of(trail.leader)).is_ok());
}

/// The nearest of some agents to the one in a row: of the ones that it sees, if it sees any.
fn nearest<N: Numbers>(world: &World<N>, row: usize, leaders: &[usize]) -> Option<usize> {
    let sight = Sight::new(world, row);
    let far = |&leader: &usize| {
        let [x, y] = sight.to(world.agents.rows.pos[leader]);
        let hidden = !sight.sees(world.ground.cell_of(world.agents.rows.pos[leader]));
        (hidden, x * x + y * y, world.agents.rows.tag[leader].id)
    };
    let least = |a: &(bool, f64, u32), b: &(bool, f64, u32)| {
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
    };
    leaders
        .iter()
        .map(|leader| (far(leader), *leader))
        .min_by(|a, b| least(&a.0, &b.0))
        .map(|a| a.1)
}

/// Where the agent in a row heads for, if it sees its leader (with its row, while it is there) or some
/// of the trail. An agent that has just found its leader goes nearer at all events.
fn head<N: Numbers>(
    world: &World<N>,
    own: &Following,
    row: usize,
    (leader, leader_row): (Id, Option<usize>),
    is_new: bool,
) -> Option<[N; 2]> {
    let sight = Sight::new(world, row);
    if let Some(other) = leader_row {
        let at = world.agents.rows.pos[other];
        if sight.sees(world.ground.cell_of(at)) {
            let radius = |row: usize| world.groups.radius(world.agents.rows.tag[row]);
            let gap = radius(row) + radius(other) + own.def.gap;
            let rests =
                (!is_new && stands(world, other)).then(|| sight.rest(own, at, gap)).flatten();
            return Some(rests.unwrap_or_else(|| sight.short_of(at, gap)));
        }
    }
    let trail = own.trail(leader)?;
    let seen = trail.cells.iter().rposition(|&cell| sight.sees(cell))?;
    let centre = sight.centre(trail.cells[seen]);
    let is_end = seen + 1 == trail.cells.len();
    let group = world.agents.rows.tag[row].group;
    if leader_row.is_some() || !is_end || leaving::is_way_out(world, group, trail.cells[seen]) {
        return Some(sight.beyond(centre));
    }
    // Where others have left, there may be room by and by.
    let turn = world.log.tick / LOOK_EVERY + u64::from(world.agents.rows.tag[row].id);
    let rests = (!turn.is_multiple_of(TRY_EVERY)).then(|| sight.rest(own, centre, 0.0)).flatten();
    Some(rests.unwrap_or(centre))
}

/// Whether the agent in a row hardly moves.
fn stands<N: Numbers>(world: &World<N>, row: usize) -> bool {
    world.agents.rows.vel[row].iter().all(|v| v.to_f64().abs() < CRAWL)
}

/// The place that an agent looks from, and what it may walk through.
struct Sight<'a, N: Numbers> {
    world: &'a World<N>,
    row: usize,
    class: &'a Clearance,
    pos: [N; 2],
    /// The cell that it looks from, if it can stand in it or in one beside it.
    cell: Option<u32>,
    /// Metres from which it goes at full speed.
    far: f64,
}

impl<'a, N: Numbers> Sight<'a, N> {
    fn new(world: &'a World<N>, row: usize) -> Self {
        let (pos, tag) = (world.agents.rows.pos[row], world.agents.rows.tag[row]);
        let group = &world.groups.list[usize::from(tag.group)];
        let class = world.ground.class_of(group);
        let far = 1.0 + group.def.slowing_radius;
        Self { world, row, class, pos, cell: standable(class, world.ground.cell_of(pos)), far }
    }

    /// Whether an agent of its size could walk straight to a cell, or to one beside it where that is
    /// too near to a wall.
    fn sees(&self, cell: u32) -> bool {
        sees(self.class, self.cell, cell)
    }

    /// The way to a point, in metres.
    fn to(&self, at: [N; 2]) -> [f64; 2] {
        [0, 1].each(|i| at[i].to_f64() - self.pos[i].to_f64())
    }

    /// The middle of a cell.
    fn centre(&self, cell: u32) -> [N; 2] {
        let (map, stride) = (&self.world.ground.map, self.class.stride());
        let middle = |cells: u32| N::from_f64((f64::from(cells) - 0.5) * map.cell_size());
        [middle(cell % stride), middle(cell / stride)]
    }

    /// Where an agent rests near a place where its leader stands: it has come so far before, or has been
    /// blocked for a second and is no farther off than the crowd of followers is deep.
    fn rest(&self, own: &Following, at: [N; 2], gap: f64) -> Option<[N; 2]> {
        let tag = self.world.agents.rows.tag[self.row];
        let group = &self.world.groups.list[usize::from(tag.group)];
        let each = group.members() / own.trails.len().max(1) as u32;
        let room = 2.0 * packed_radius(group.def.reach(), each) + MORE;
        let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
        if !(gap - NEAR..=gap + room).contains(&length(self.to(at))) {
            return None;
        }
        let head = self.world.agents.heads[tag.id as usize];
        let patience = self.world.groups.traits[usize::from(tag.group)].patience;
        if length(self.to(head)) < NEAR {
            return Some(head);
        }
        (tag.patience > patience / 2).then_some(self.pos)
    }

    /// The point so many metres short of another one; the own one where that is about as near.
    fn short_of(&self, at: [N; 2], gap: f64) -> [N; 2] {
        let [x, y] = self.to(at);
        let length = (x * x + y * y).sqrt();
        // An agent that is much too near, as others press, steps back.
        if length == 0.0 || (gap - NEAR..=gap).contains(&length) {
            return self.pos;
        }
        self.along([x, y], (length - gap) / length)
    }

    /// A point behind another one, so far away that the agent does not slow down.
    fn beyond(&self, at: [N; 2]) -> [N; 2] {
        let [x, y] = self.to(at);
        let length = (x * x + y * y).sqrt();
        self.along([x, y], if length > 0.0 { (self.far / length).max(1.0) } else { 0.0 })
    }

    /// The point at so many times a way.
    fn along(&self, way: [f64; 2], times: f64) -> [N; 2] {
        let to = |i: usize| self.pos[i].to_f64() + way[i] * times;
        [0, 1].each(|i| N::from_f64(to(i).clamp(-N::EXTENT, N::EXTENT)))
    }
}

/// After all agents have moved: cells that leaders have come into are added to their trails.
pub(super) fn note<N: Numbers>(world: &mut World<N>) {
    if world.traffic.followings.is_empty() {
        return;
    }
    let mut followings = std::mem::take(&mut world.traffic.followings);
    let mut row_of = std::mem::take(&mut world.traffic.row_of);
    index(world, &mut row_of, |_| true);
    for trail in followings.iter_mut().flat_map(|own| &mut own.trails) {
        let Some(row) = row(world, &row_of, trail.leader) else { continue };
        let cell = world.ground.cell_of(world.agents.rows.pos[row]);
        if trail.cells.last() != Some(&cell) {
            if trail.cells.len() == MAX_TRAIL {
                trail.cells.remove(0);
            }
            trail.cells.push(cell);
        }
    }
    world.traffic.followings = followings;
    world.traffic.row_of = row_of;
}
