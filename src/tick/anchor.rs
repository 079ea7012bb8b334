//! Anchors: the points that formations stand around.

use crate::kernel::sample;
use crate::lane::{Lane, Mask, Numbers};
use crate::math::each::Each;
use crate::nav::field::Fields;
use crate::tick::march::{March, length};
use crate::tick::ranks;
use crate::tick::ranks::Memory;
use crate::world::{AgentRows, Anchor, Ground, Group, Groups, World};

/// Metres from the goal within which an anchor goes straight to it, where it sees it.
const STRAIGHT: f64 = 8.0;
/// Cosine of the angle above which it turns even there: its last steps need not be straight on.
const LAST_TURN: f64 = 0.9;
/// Speed of the outermost slot in a wheel, in multiples of the company's.
const WHEEL: f64 = 0.6;
/// Fastest turn, in radians a second.
const FASTEST_TURN: f64 = 1.0;

/// Neighbours look whether to exchange their slots once in so many ticks.
const EXCHANGE_EVERY: u64 = 4;

/// Moves a company's anchor by a tick; gives slots where that is due.
pub(super) fn lead<N: Numbers>(
    world: &mut World<N>,
    index: u16,
    slowest: f64,
    march: &mut March<N>,
    memory: &mut Memory,
) {
    let World { settings, log, ground, agents, groups, routes, .. } = world;
    let Some(leader) = leader(ground, groups, index) else { return };
    let company = &groups.companies[usize::from(index)];
    let start = || start(&agents.rows, ground, groups, index, leader);
    let mut anchor = company.anchor.unwrap_or_else(start);
    let members: u32 = groups.marching(index).map(|(_, group)| group.members).sum();
    let mut reform = anchor.reform || company.slots.len() != members as usize;
    let target = company.goal.as_ref().map(|goal| goal.target);
    let dir = match target {
        Some(target) if !anchor.rests => {
            direction(ground, &routes.fields, &groups.list[leader], &mut anchor, target)
        }
        _ => None,
    };
    if let Some(dir) = dir {
        let cosine = dot(dir, anchor.heading);
        // A company that sets out, or turns back, faces about on the spot.
        let about = if anchor.has_set_out { -0.5 } else { 0.7 };
        if cosine < N::from_f64(about) {
            anchor.heading = dir;
            reform = true;
        }
        anchor.has_set_out = true;
    }
    if reform {
        ranks::line_up(agents, groups, index, &mut anchor, memory);
    }
    march.from = [anchor.pos, anchor.heading];
    let due = (log.tick + u64::from(index)).is_multiple_of(EXCHANGE_EVERY);
    if due && anchor.is_untidy || reform {
        ranks::exchange(agents, groups, index, march.from, memory);
    }
    let speed_factor = ground.pace_at(&groups.list[leader], anchor.pos);
    step(ground, settings.dt(), &mut anchor, dir, target, slowest * speed_factor.to_f64());
    march.to = [anchor.pos, anchor.heading];
    march.rests = anchor.rests;
    groups.companies[usize::from(index)].anchor = Some(anchor);
}

/// The group whose field the anchor follows: the widest, the first of equals.
fn leader<N: Numbers>(ground: &Ground<N>, groups: &Groups<N>, index: u16) -> Option<usize> {
    let width = |group: &Group<N>| ground.class_of(group).min_distance();
    let leader = groups.marching(index).reduce(|a, b| if width(b.1) > width(a.1) { b } else { a });
    leader.map(|(leader, _)| usize::from(leader))
}

/// A new anchor: in the middle of the members where that is open, else at the member nearest to it.
fn start<N: Numbers>(
    agents: &AgentRows<N>,
    ground: &Ground<N>,
    groups: &Groups<N>,
    index: u16,
    leader: usize,
) -> Anchor<N> {
    let marches = |group: u16| {
        let group = &groups.list[usize::from(group)];
        group.company == Some(index) && group.marches
    };
    let rows = || {
        let rows = agents.tag.iter().zip(agents.pos.iter());
        rows.filter(|(tag, _)| marches(tag.group)).map(|(tag, pos)| (tag.id, pos.each(N::to_f64)))
    };
    let (mut count, mut sum) = (0.0, [0.0; 2]);
    for (_, [x, y]) in rows() {
        count += 1.0;
        sum = [sum[0] + x, sum[1] + y];
    }
    let middle = sum.each(|sum| sum / count);
    let class = ground.class_of(&groups.list[leader]);
    let target = groups.companies[usize::from(index)].goal.as_ref().map(|goal| goal.target);
    let cell = |[x, y]: [f64; 2]| ground.map.cell_at(x, y).unwrap_or(0);
    let goes = |at: [f64; 2]| {
        let to = target.map_or(cell(at), |target| cell(target.each(N::to_f64)));
        class.same_component(cell(at), to)
    };
    let square = |[x, y]: [f64; 2]| {
        let (dx, dy) = (x - middle[0], y - middle[1]);
        dx * dx + dy * dy
    };
    let key = |at: [f64; 2]| (!goes(at), square(at));
    let before = |a: &(u32, [f64; 2]), b: &(u32, [f64; 2])| {
        let (a_key, b_key) = (key(a.1), key(b.1));
        a_key.0.cmp(&b_key.0).then(a_key.1.total_cmp(&b_key.1)).then(a.0.cmp(&b.0))
    };
    let nearest = rows().min_by(before).map_or(middle, |(_, at)| at);
    let pos = if goes(middle) { middle } else { nearest }.each(N::from_f64);
    let ahead = target.map_or([N::ZERO; 2], |to| [to[0] - pos[0], to[1] - pos[1]]);
    let heading = unit(ahead).unwrap_or([N::ONE, N::ZERO]);
    Anchor {
        pos,
        heading,
        speed: N::ZERO,
        speed_factor: N::ONE,
        reach: N::ZERO,
        has_set_out: false,
        rests: target.is_none(),
        reform: true,
        is_untidy: true,
    }
}

/// Where an anchor goes from here; `None` while it has no field. An anchor that finds no way on
/// rests.
fn direction<N: Numbers>(
    ground: &Ground<N>,
    fields: &Fields,
    leader: &Group<N>,
    anchor: &mut Anchor<N>,
    target: [N; 2],
) -> Option<[N; 2]> {
    let to = [0, 1].each(|i| target[i] - anchor.pos[i]);
    let codes = leader.field.and_then(|field| fields.directions(field))?;
    let [x, y] = anchor.pos.each(N::Single::splat);
    let stride = ground.map.stride() as usize;
    let scale = N::Single::splat(N::from_f64(1.0 / ground.map.cell_size()));
    let corners = sample::corners::<N::Single>(x, y, scale, stride as i32);
    let quad = |_, first| sample::quad(codes, first, stride);
    let found = sample::gather::<N::Single>(&corners, quad);
    let found = sample::blend::<N::Single>(&corners, &found);
    let near = length(to) < N::from_f64(STRAIGHT);
    if (near || found.in_goal.any()) && ground.sees(leader, anchor.pos, target) {
        return unit(to);
    }
    let dir = [found.x.get(0), found.y.get(0)];
    let stuck = dir == [N::ZERO; 2];
    anchor.rests |= stuck;
    (!stuck).then_some(dir)
}

/// Turns an anchor and moves it on.
fn step<N: Numbers>(
    ground: &Ground<N>,
    dt: f64,
    anchor: &mut Anchor<N>,
    dir: Option<[N; 2]>,
    target: Option<[N; 2]>,
    slowest: f64,
) {
    let (Some(target), false) = (target, anchor.rests) else {
        anchor.speed = N::ZERO;
        return;
    };
    let to = [0, 1].each(|i| target[i] - anchor.pos[i]);
    let left = length(to);
    let full = N::from_f64(slowest);
    let mut speed = N::ZERO;
    if let Some(dir) = dir {
        let turns = dot(dir, anchor.heading) < N::from_f64(LAST_TURN);
        if N::from_f64(STRAIGHT) < left || turns {
            let reach = anchor.reach.to_f64().max(0.1);
            let turn = (WHEEL * slowest / reach).min(FASTEST_TURN) * dt;
            anchor.heading = turned(anchor.heading, dir, N::from_f64(turn));
        }
        // It goes slowly while it has to wheel, and comes to a stop at the goal.
        let ahead = dot(dir, anchor.heading).larger(N::from_f64(0.2));
        speed = (full * anchor.speed_factor * ahead).smaller(left.larger(N::from_f64(0.05)));
    }
    let dt = N::from_f64(dt);
    let change = full * dt;
    anchor.speed = speed.larger(anchor.speed - change).smaller(anchor.speed + change);
    let way = anchor.speed * dt;
    match dir {
        _ if left < way + N::from_f64(1.0 / 128.0) => {
            // The middle of a goal may lie in a wall, or off the map.
            anchor.pos = ground.open_cells().step(anchor.pos, target);
            (anchor.rests, anchor.speed) = (true, N::ZERO);
        }
        Some(dir) => {
            let next = [0, 1].each(|i| anchor.pos[i] + dir[i] * way);
            anchor.pos = ground.open_cells().step(anchor.pos, next);
        }
        None => {}
    }
}

/// A heading turned towards a direction, by a small angle at most.
fn turned<N: Numbers>([x, y]: [N; 2], to: [N; 2], most: N) -> [N; 2] {
    let sine = x * to[1] - y * to[0];
    let behind = dot([x, y], to) < N::ZERO;
    let limited = sine.smaller(most).larger(-most);
    let turn = match (behind, sine < N::ZERO) {
        (false, _) => limited,
        (true, true) => -most,
        (true, false) => most,
    };
    unit([x - y * turn, y + x * turn]).unwrap_or([x, y])
}

fn dot<N: Numbers>(a: [N; 2], b: [N; 2]) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// A vector as a unit vector; none when it is very short.
fn unit<N: Numbers>(v: [N; 2]) -> Option<[N; 2]> {
    let whole = length(v);
    if whole < N::from_f64(1.0 / 1024.0) {
        return None;
    }
    let ratio = |c: N| {
        let size = N::Single::splat(c.larger(-c).smaller(whole));
        let share = size.ratio(N::Single::splat(whole)).get(0);
        if c < N::ZERO { -share } else { share }
    };
    Some(v.each(ratio))
}
