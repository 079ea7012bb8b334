//! What a shot strikes first, against a plain search over all agents in `f64`.

use throng::data::Id;
use throng::lane::{Lane, Numbers};
use throng::map::area::Shape;
use throng::math::Fx;
use throng::world::{GroupDef, Order, Struck, WeaponDef};
use throng::{GroupId, state};

use crate::flight::range::{Range, group, length, plain, random, shot, speed, straight};

in_both!(among_those_met_at_once_the_smallest_id_is_struck);

/// An agent as the oracle sees it.
#[derive(Clone, Copy, Debug)]
struct Body {
    id: Id,
    before: [f64; 2],
    after: [f64; 2],
    radius: f64,
    height: f64,
}

/// When a point that goes from `from` to `to` is first in a body that is larger by `margin`: by its
/// nearest approach to the axis, in the body's frame, in slices of height.
fn first_touch(from: [f64; 3], to: [f64; 3], body: &Body, margin: f64) -> Option<f64> {
    let moved = [body.after[0] - body.before[0], body.after[1] - body.before[1]];
    let start = [from[0] - body.before[0], from[1] - body.before[1]];
    let way = [to[0] - from[0] - moved[0], to[1] - from[1] - moved[1]];
    let radius = body.radius + margin;
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    // The heights: a slab.
    let (low, high) = (-margin, body.height + margin);
    let rise = to[2] - from[2];
    if rise == 0.0 {
        if from[2] < low || from[2] > high {
            return None;
        }
    } else {
        let (a, b) = ((low - from[2]) / rise, (high - from[2]) / rise);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    let size = length(way);
    if size < 1e-12 {
        let inside = length(start) <= radius;
        return (inside && first <= last).then_some(first);
    }
    // Along and across the way.
    let unit = [way[0] / size, way[1] / size];
    let along = -(start[0] * unit[0] + start[1] * unit[1]);
    let across = (start[0] * unit[1] - start[1] * unit[0]).abs();
    if across > radius {
        return None;
    }
    let half = ((radius - across) * (radius + across)).sqrt();
    first = first.max((along - half) / size);
    last = last.min((along + half) / size);
    (first <= last).then_some(first)
}

/// What a chord may touch and what it must touch, and when, as shares of the chord.
struct Verdict {
    /// For every body, when it is touched at the earliest and, if it is surely touched, at the latest.
    touches: Vec<(Id, f64, Option<f64>)>,
    /// The same of the ground and the edge.
    ground: Option<[f64; 2]>,
    edge: Option<[f64; 2]>,
}

/// Judges a chord; outcomes that a shift of `band` metres would change are both allowed.
fn judge(from: [f64; 3], to: [f64; 3], bodies: &[Body], side: f64, band: f64) -> Verdict {
    let touches = bodies.iter().filter_map(|body| {
        let earliest = first_touch(from, to, body, band)?;
        Some((body.id, earliest, first_touch(from, to, body, -band)))
    });
    // When a height, or another coordinate, is left behind.
    let leaves = |gap: f64, way: f64| {
        let at = |gap: f64| (gap + way < 0.0).then(|| gap.max(0.0) / -way);
        at(gap - band).map(|least| [least, at(gap + band).unwrap_or(2.0)])
    };
    let mut edge: Option<[f64; 2]> = None;
    for i in 0..2 {
        let way = to[i] - from[i];
        for found in [leaves(from[i], way), leaves(side - from[i], -way)].into_iter().flatten() {
            edge = Some(edge.map_or(found, |[a, b]: [f64; 2]| [a.min(found[0]), b.min(found[1])]));
        }
    }
    Verdict { touches: touches.collect(), ground: leaves(from[2], to[2] - from[2]), edge }
}

impl Verdict {
    /// The latest moment at which something has surely been met; 2 when it may all be missed.
    fn latest(&self) -> f64 {
        let touches = self.touches.iter().filter_map(|(_, _, latest)| *latest);
        let others = [self.ground, self.edge].into_iter().flatten().map(|[_, latest]| latest);
        touches.chain(others).fold(2.0, f64::min)
    }

    /// Whether this outcome is possible; `None`: the shot flies on.
    fn allows(&self, struck: Option<Struck>) -> bool {
        let earliest = match struck {
            None => return self.latest() > 1.0,
            Some(Struck::Agent(id)) => {
                self.touches.iter().find(|(other, _, _)| *other == id).map(|(_, early, _)| *early)
            }
            Some(Struck::Ground) => self.ground.map(|[early, _]| early),
            Some(Struck::Nothing) => self.edge.map(|[early, _]| early),
            Some(Struck::Wall) => None,
        };
        earliest.is_some_and(|earliest| earliest <= self.latest())
    }
}

const SIDE: f64 = 40.0;

/// Chords of a skirmish, by what they struck; `flying` ones struck nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    agents: u32,
    ground: u32,
    edge: u32,
    flying: u32,
}

/// Random shots among random agents that cannot be hurt and run about; every chord is judged.
fn skirmish<L: Lane>(rate: u32, seed: u64, band: f64, count: &mut Count) -> u64 {
    use throng::math::Num;
    let runner = |radius: f64, height: f64, speed: f64| GroupDef {
        radius,
        height,
        speed,
        acceleration: 60.0,
        health: 0.0,
        hold: false,
        ..group(1, 0)
    };
    let groups =
        [group(0, 2), runner(0.3, 1.8, 9.0), runner(0.9, 3.0, 20.0), runner(0.1, 0.4, 2.0)];
    let weapon = WeaponDef { gravity: 9.81, ..straight() };
    let mut range = Range::<L::Num>::new(plain(40, 40, 1.0), rate, &[weapon], &groups);
    let whole = vec![Shape::Rect { min: [1.0, 1.0], max: [39.0, 39.0] }];
    let goal = |x: f64| vec![Shape::Disc { centre: [x, 40.0 - x], radius: 3.0 }];
    let mut opening: Vec<Order> = Vec::new();
    for (group, number) in [(1, 120), (2, 20), (3, 60)] {
        opening.push(Order::Spawn {
            group: GroupId::new(group),
            area: whole.clone(),
            count: number,
        });
        opening
            .push(Order::Move { group: GroupId::new(group), goal: goal(8.0 * f64::from(group)) });
    }
    range.tick::<L>(&opening);
    let gravity = L::Num::from_f64(9.81).to_f64();
    for tick in 0..24_u64 {
        let launches = (0..60).map(|i| {
            let at = |k, range| random(seed, [tick * 1000 + i, k], range);
            let fast = speed(at(0, [0.0, 1.0]), [0, 4]);
            let way = [at(1, [-1.0, 1.0]), at(2, [-1.0, 1.0]), at(3, [-0.3, 0.1])];
            let size = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
            let from = [at(4, [0.1, 39.9]), at(5, [0.1, 39.9]), at(6, [0.0, 3.5])];
            shot(0, 0, from, way.map(|v| v / size * fast))
        });
        let launches: Vec<Order> = launches.collect();
        judged_tick::<L>(&mut range, &launches, [gravity, band], count);
    }
    state::digest(&range.world)
}

/// A tick whose chords are judged.
fn judged_tick<L: Lane>(
    range: &mut Range<L::Num>,
    launches: &[Order],
    [gravity, band]: [f64; 2],
    count: &mut Count,
) {
    use throng::math::Num;
    let world = &range.world;
    let dt = world.dt();
    let held = |v: [f64; 3]| v.map(|v| L::Num::from_f64(v).to_f64());
    let flying = world.projectiles();
    let mut starts: Vec<(u32, [f64; 3], [f64; 3])> = (0..flying.shot.len())
        .map(|row| (flying.shot[row].serial, flying.pos[row], flying.vel[row]))
        .map(|(serial, pos, vel)| (serial, pos.map(Num::to_f64), vel.map(Num::to_f64)))
        .collect();
    let fired = range.tally(0).fired as u32;
    starts.extend(launches.iter().zip(fired..).map(|(order, serial)| match order {
        Order::Launch { from, velocity, .. } => (serial, held(*from), held(*velocity)),
        _ => unreachable!("only shots"),
    }));
    let places = |range: &Range<L::Num>| {
        let world = &range.world;
        let rows = 0..world.len();
        let place = |row: usize| (world.id(row), world.positions()[row].map(Num::to_f64));
        let mut places: Vec<_> = rows.map(|row| (place(row), world.tags()[row].group)).collect();
        places.sort_by_key(|((id, _), _)| *id);
        places
    };
    let before = places(range);
    range.tick::<L>(launches);
    let bodies: Vec<Body> = before
        .iter()
        .zip(places(range))
        .map(|(((id, before), group), ((same, after), _))| {
            assert_eq!(*id, same);
            let def = &range.world.groups()[usize::from(*group)].def;
            let number = |v: f64| L::Num::from_f64(v).to_f64();
            let (radius, height) = (number(def.radius), number(def.height));
            Body { id: *id, before: *before, after, radius, height }
        })
        .collect();
    let impacts = range.world.impacts();
    assert_eq!(impacts.len() + range.world.projectiles().shot.len(), starts.len());
    for (serial, from, vel) in starts {
        let fall = gravity * dt * dt / 2.0;
        let to = [from[0] + vel[0] * dt, from[1] + vel[1] * dt, from[2] + vel[2] * dt - fall];
        let verdict = judge(from, to, &bodies, SIDE, band);
        let impact = impacts.iter().find(|impact| impact.shot.serial == serial);
        let struck = impact.map(|impact| impact.struck);
        assert!(
            verdict.allows(struck),
            "{from:?} -> {to:?}: {impact:?}, {:?}, ground {:?}, edge {:?}",
            verdict.touches,
            verdict.ground,
            verdict.edge
        );
        match struck {
            None => count.flying += 1,
            Some(Struck::Agent(_)) => count.agents += 1,
            Some(Struck::Ground) => count.ground += 1,
            Some(_) => count.edge += 1,
        }
    }
}

#[test]
fn a_shot_strikes_whom_it_meets_first() {
    fn all<N: Numbers>(band: f64) {
        let mut count = Count::default();
        for (seed, rate) in (0..).zip([10, 20, 60, 250, 1000]) {
            let wide = skirmish::<N::Wide>(rate, seed, band, &mut count);
            assert_eq!(wide, skirmish::<N::Single>(rate, seed, band, &mut count));
        }
        let Count { agents, ground, edge, flying } = count;
        assert!(agents.min(ground).min(edge).min(flying) > 500, "{count:?}");
    }
    all::<f32>(4e-3);
    all::<Fx>(5e-4);
}

/// 10 km/s in ticks of 0.1 s along a line of 90 agents, from every part of a cell and at every angle:
/// the first of them is struck.
#[test]
fn ten_kilometres_a_second_strike_the_first_of_a_line() {
    fn lines<L: Lane>() -> usize {
        let directions =
            [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.6, 0.8], [-0.8, 0.6], [0.28, -0.96]];
        let root = std::f64::consts::FRAC_1_SQRT_2;
        let mut lines = 0;
        for (turn, direction) in
            (0..).zip(directions.into_iter().chain([[root, root], [-root, root]]))
        {
            for offset in (turn % 2..12).step_by(2) {
                let shift = [f64::from(offset) * 0.083, f64::from(offset % 5) * 0.19];
                let groups = [group(0, 2), group(1, 0)];
                let mut range =
                    Range::<L::Num>::new(plain(1200, 1200, 1.0), 10, &[straight()], &groups);
                let at = |along: f64| [0, 1].map(|i| 600.0 + shift[i] + along * direction[i]);
                let line: Vec<[f64; 2]> = (0..90)
                    .map(|i| at(f64::from(i) * 5.0 - 50.0 + 0.31 * f64::from(offset)))
                    .collect();
                let first = range.world.spawn(GroupId::new(1), &line).unwrap()[0];
                let muzzle = at(-450.0);
                let from = [muzzle[0], muzzle[1], 1.0];
                let velocity = [10_000.0 * direction[0], 10_000.0 * direction[1], 0.0];
                range.tick::<L>(&[shot(0, 0, from, velocity)]);
                let impacts = range.world.impacts();
                assert_eq!(impacts.len(), 1, "{direction:?} {offset}");
                assert_eq!(impacts[0].struck, Struck::Agent(first), "{direction:?} {offset}");
                let near = length([0, 1].map(|i| impacts[0].at[i] - line[0][i]));
                assert!((near - 0.3).abs() < 0.05, "on the near side: {near}");
                lines += 1;
            }
        }
        lines
    }
    assert_eq!(lines::<<f32 as Numbers>::Wide>() + lines::<f32>(), 96);
    assert_eq!(lines::<<Fx as Numbers>::Wide>() + lines::<Fx>(), 96);
}

/// Of two agents that a shot meets at the same moment the smaller id is struck, wherever the rows are.
fn among_those_met_at_once_the_smallest_id_is_struck<N: Numbers>() {
    for swapped in [false, true] {
        let ghost = GroupDef { avoids: 0, ..group(1, 0) };
        let map = plain(20, 20, 1.0);
        let mut range = Range::<N>::new(map, 10, &[straight()], &[group(0, 2), ghost]);
        let (above, below) = ([10.0, 9.75], [10.0, 10.25]);
        let line = if swapped { [below, above] } else { [above, below] };
        // They do not keep clear of each other, so they stay there.
        let first = range.world.spawn(GroupId::new(1), &line).unwrap()[0];
        range.tick::<N::Wide>(&[shot(0, 0, [2.0, 10.0, 1.0], [100.0, 0.0, 0.0])]);
        let [impact] = range.world.impacts() else { panic!("one impact") };
        let rows = [0, 1].map(|row| range.world.positions()[row].map(N::to_f64));
        let distance = rows.map(|[x, y]| length([x - 10.0, y - 10.0]));
        assert_eq!(distance[0], distance[1], "as near as each other");
        assert_eq!(impact.struck, Struck::Agent(first));
    }
}
