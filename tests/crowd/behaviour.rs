//! What agents do: alone, where it can be worked out on paper; in pairs; and in crowds.

use crate::common::stage::{Body, Stage, disc, distance, length, map, point, rect};
use crate::common::terrain::Random;
use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::world::{GroupDef, Order, Settings};

in_both!(
    one_agent_arrives_at_a_point_and_rests,
    a_fast_agent_comes_back_to_its_point,
    force_and_speed_limits_hold_for_everyone,
    a_thousand_come_to_rest_around_a_point,
    a_crowd_packs_around_its_point,
    two_agents_pass_head_on,
    small_and_large_agents_pass_a_gate_both_ways,
    agents_on_one_spot_separate
);

/// Seconds of a tick of the default settings.
const DT: f64 = 0.05;

/// How far a number may be from its value on paper.
fn tolerance<N: Numbers>() -> f64 {
    match N::NUMERIC {
        Numeric::F32 => 1e-3,
        Numeric::Fixed => 2e-2,
    }
}

fn walker(speed: f64, acceleration: f64, response: f64) -> GroupDef {
    GroupDef { speed, acceleration, response, ..GroupDef::default() }
}

/// The speed on paper after every tick: `v += min((v_max − v) / τ, a)·Δt`. The first agent of a
/// world has exactly its group's top speed.
fn speeds(def: &GroupDef, ticks: usize) -> Vec<f64> {
    let mut speed = 0.0;
    let next = |_| {
        speed += ((def.speed - speed) / def.response).min(def.acceleration) * DT;
        speed
    };
    (0..ticks).map(next).collect()
}

fn one_walks_as_on_paper<N: Numbers>(def: GroupDef) {
    let mut stage = Stage::<N>::new(map(160, 21, &[]));
    let group = stage.group(def.clone(), &[[10.5, 10.5]]);
    let tolerance = tolerance::<N>();
    let mut x = 10.5;
    stage.send(group, point(150.5, 10.5));
    for (tick, speed) in speeds(&def, 200).into_iter().enumerate() {
        let body = stage.one();
        x += speed * DT;
        let off = [body.vel[0] - speed, body.vel[1]];
        assert!(length(off) < tolerance, "tick {tick}: {body:?} instead of {speed} m/s");
        let bound = tolerance * (1.0 + tick as f64 * DT);
        let off = distance(body.pos, [x, 10.5]);
        assert!(off < bound, "tick {tick}: {body:?} is {off} m from x = {x}");
        stage.tick();
    }
    assert!(stage.one().speed() > 0.95 * def.speed, "it reaches its top speed");
}

#[test]
fn one_agent_walks_as_on_paper() {
    for def in [walker(1.4, 6.0, 0.25), walker(1.4, 0.3, 0.25), walker(2.5, 1000.0, 1.0)] {
        one_walks_as_on_paper::<f32>(def.clone());
        one_walks_as_on_paper::<Fx>(def);
    }
}

/// Velocity takes on a new value with the time constant `response`: after it, 63 % of the step.
#[test]
fn the_response_time_is_a_time_constant() {
    // The share of a step that is left after 1 s in 20 ticks.
    let left = (0..20).fold(1.0, |left, _| left * (1.0 - DT));
    let def = walker(2.0, 1000.0, 1.0);
    let mut stage = Stage::<f32>::new(map(160, 21, &[]));
    let group = stage.group(def, &[[10.5, 10.5]]);
    stage.send(group, point(150.5, 10.5));
    (0..19).for_each(|_| stage.tick());
    let share = stage.one().speed() / 2.0;
    assert!((share - (1.0 - left)).abs() < 1e-4, "{share} after 1 s");
    (0..180).for_each(|_| stage.tick());
    stage.order(Order::Stop { group });
    (0..19).for_each(|_| stage.tick());
    let share = stage.one().speed() / 2.0;
    assert!((share - left).abs() < 1e-3, "{share} 1 s after the stop");
}

fn one_arrives<N: Numbers>(goal: [f64; 2], start: [f64; 2], speed: f64) {
    let def = walker(speed, 6.0, 0.25);
    let (radius, slowing) = (def.radius, def.slowing_radius);
    let mut stage = Stage::<N>::new(map(60, 60, &[]));
    let group = stage.group(def, &[start]);
    stage.send(group, point(goal[0], goal[1]));
    let free = distance(start, goal) / speed;
    let most = ((free + slowing / speed * 6.0 + 2.0) / DT) as u32;
    let side = |p: [f64; 2]| {
        let (along, to) =
            ([goal[0] - start[0], goal[1] - start[1]], [p[0] - start[0], p[1] - start[1]]);
        (along[0] * to[1] - along[1] * to[0]) / length(along)
    };
    let mut astray = 0.0_f64;
    for _ in 0..most {
        stage.tick();
        // In the goal's own cell and beside it the field has no one direction.
        if distance(stage.one().pos, goal) > 3.0 {
            astray = astray.max(side(stage.one().pos).abs());
        }
        assert!(stage.one().speed() <= speed * 1.001);
    }
    let body = stage.one();
    assert!(astray < 0.1, "{astray} m from the straight line, {start:?} to {goal:?}");
    assert!(distance(body.pos, goal) < radius, "{body:?}, goal {goal:?}");
    assert_eq!(body.vel, [0.0; 2], "it rests after {most} ticks");
    assert!(body.has_arrived());
    (0..100).for_each(|_| stage.tick());
    assert_eq!(stage.one().pos, body.pos, "it stays");
}

fn one_agent_arrives_at_a_point_and_rests<N: Numbers>() {
    for (goal, start) in
        [([50.5, 50.5], [5.5, 5.5]), ([3.3, 41.7], [55.0, 12.0]), ([30.0, 31.0], [30.0, 30.0])]
    {
        for speed in [0.7, 1.4, 2.5] {
            one_arrives::<N>(goal, start, speed);
        }
    }
}

/// From 5 m/s it takes 2.1 m to stop at 6 m/s²: more than the slowing radius.
fn a_fast_agent_comes_back_to_its_point<N: Numbers>() {
    one_arrives::<N>([50.5, 50.5], [5.5, 5.5], 5.0);
}

/// A crowd that crosses another one, with room around: no agent is ever faster than its group, and
/// one that has no other within its stopping distance changes its velocity by its force at most.
fn force_and_speed_limits_hold_for_everyone<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(80, 80, &[]));
    let mut random = Random(3);
    let mut places = |x: f64| -> Vec<[f64; 2]> {
        let mut unit = || f64::from(random.below(1000)) / 1000.0;
        (0..150).map(|_| [x + 12.0 * unit(), 34.0 + 12.0 * unit()]).collect()
    };
    let defs = [walker(1.4, 6.0, 0.25), walker(2.5, 2.0, 0.1)];
    let groups = [(defs[0].clone(), 24.0), (defs[1].clone(), 46.0)]
        .map(|(def, x)| stage.group(def, &places(x)));
    stage.send(groups[0], disc(56.0, 40.0, 8.0));
    stage.send(groups[1], disc(24.0, 40.0, 8.0));
    let (mut free, mut hindered) = (0, 0);
    let mut before = stage.bodies();
    for _ in 0..300 {
        stage.tick();
        let after = stage.bodies();
        for (old, new) in before.iter().zip(&after) {
            let def = &defs[usize::from(old.group)];
            assert!(new.speed() <= def.speed * (1.0 + 1e-3), "{new:?}");
            let change = length([new.vel[0] - old.vel[0], new.vel[1] - old.vel[1]]);
            let touches = |other: &Body| {
                // The gap in which both can stop, and turn aside (see `kernel::approach`).
                let speed = old.speed().max(new.speed());
                let reach = defs[0].radius + defs[1].radius + 0.2 * speed + 1e-3;
                other.id != old.id && distance(other.pos, old.pos) < reach
            };
            // Agents that come near to others brake as hard as that takes.
            let brakes = new.speed() < old.speed();
            let (most, count) = if brakes || before.iter().any(touches) {
                (def.acceleration * DT + def.speed, &mut hindered)
            } else {
                // An agent that stands stops crawling at 0.1 m/s at once.
                (def.acceleration * DT + if new.vel == [0.0; 2] { 0.145 } else { 0.0 }, &mut free)
            };
            *count += 1;
            assert!(change <= most + 2e-3, "{old:?} → {new:?}: {change} m/s, not {most}");
        }
        before = after;
    }
    assert!(free > 2_000 && hindered > 1_000, "{free} free, {hindered} hindered");
}

fn a_thousand_come_to_rest_around_a_point<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let def = GroupDef::default();
    let group = stage.world.add_group(def).unwrap();
    stage.order(Order::Spawn { group, area: rect(20.0, 20.0, 80.0, 80.0), count: 1_000 });
    stage.send(group, point(50.0, 50.0));
    let energy = |stage: &Stage<N>| -> f64 {
        stage.bodies().iter().map(|body| 0.5 * body.speed() * body.speed()).sum()
    };
    let rest = stage.until_rest(6_000);
    let rest = rest.unwrap_or_else(|| {
        let (energy, arrived) = (energy(&stage), stage.world.arrived());
        panic!("{}: {energy} J/kg after 300 s, {arrived} arrived", N::NUMERIC.word())
    });
    eprintln!("{}: 1,000 agents rest after {:.1} s", N::NUMERIC.word(), f64::from(rest) * DT);
    let before = stage.bodies();
    // An agent may still be on its way to its place.
    let mut all = 0.0_f64;
    for _ in 0..400 {
        stage.tick();
        all += energy(&stage);
    }
    let mean = all / 400.0;
    assert!(mean < 0.01, "{mean} J/kg of all 1,000 after the rest");
    let moved = stage.bodies().into_iter().zip(&before).map(|(a, b)| distance(a.pos, b.pos));
    let moved = moved.fold(0.0, f64::max);
    eprintln!("{}: the most that one drifts in 20 s: {moved:.3} m", N::NUMERIC.word());
    assert!(moved < 0.3, "{moved} m");
}

/// 1,000 agents of radius 0.3 m cover a disc of 9.5 m without gaps; their places lie within 12.5 m.
/// They come from all sides, so a few settle outside, where they have been blocked for too long.
fn a_crowd_packs_around_its_point<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(100, 100, &[]));
    let group = stage.world.add_group(GroupDef::default()).unwrap();
    stage.order(Order::Spawn { group, area: rect(20.0, 20.0, 80.0, 80.0), count: 1_000 });
    stage.send(group, point(50.0, 50.0));
    (0..3_000).for_each(|_| stage.tick());
    let far =
        stage.bodies().iter().map(|body| distance(body.pos, [50.0, 50.0])).fold(0.0, f64::max);
    eprintln!("{}: the farthest of 1,000 stands {far:.1} m from the point", N::NUMERIC.word());
    assert!(far < 17.0, "{far} m");
}

/// Two agents in each other's way, exactly: both get where they want to, without walking through
/// each other and hardly later than alone.
fn two_pass<N: Numbers>(lanes: f64, width: u32, radius: f64) {
    let wall = [[0, 0, 60, 10], [0, 10 + width, 60, 20 + width]];
    let mut stage = Stage::<N>::new(map(60, 20 + width, &wall));
    let y = 10.0 + f64::from(width) / 2.0 + lanes;
    let def = GroupDef { radius, ..GroupDef::default() };
    let groups = [[20.0, y], [40.0, y]].map(|at| stage.group(def.clone(), &[at]));
    stage.send(groups[0], point(40.0, y));
    stage.send(groups[1], point(20.0, y));
    let mut closest = f64::INFINITY;
    for _ in 0..(30.0 / DT) as u32 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
        closest = closest.min(stage.closest());
    }
    let bodies = stage.bodies();
    assert!(bodies.iter().all(Body::has_arrived), "lanes {lanes}, width {width}: {bodies:?}");
    assert!(distance(bodies[0].pos, [40.0, y]) < 2.0 * radius, "{bodies:?}");
    assert!(closest > 1.6 * radius, "lanes {lanes}, width {width}: {closest} m apart");
}

/// The same without a field, where nothing but the right of way parts them.
fn two_pass_straight<N: Numbers>() {
    let settings = Settings { field_cells_per_tick: 1, ..Settings::default() };
    let mut stage = Stage::<N>::with(map(60, 40, &[]), settings);
    let groups = [[20.0, 20.0], [40.0, 20.0]].map(|at| stage.group(GroupDef::default(), &[at]));
    stage.send(groups[0], point(50.0, 20.0));
    stage.send(groups[1], point(10.0, 20.0));
    (0..(16.0 / DT) as u32).for_each(|_| stage.tick());
    let [a, b] = [0, 1].map(|i| stage.bodies()[i].pos[0]);
    assert!(a > 38.0 && b < 22.0, "after 16 s they are at x = {a} and {b}");
}

fn two_agents_pass_head_on<N: Numbers>() {
    for (lanes, width, radius) in [(0.0, 20, 0.3), (0.1, 20, 0.3), (0.0, 4, 0.3), (0.0, 6, 0.5)] {
        two_pass::<N>(lanes, width, radius);
    }
    two_pass_straight::<N>();
}

fn small_and_large_agents_pass_a_gate_both_ways<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(60, 40, &[[28, 0, 32, 12], [28, 28, 32, 40]]));
    let sizes = [(0.2, 2.0, 120), (0.5, 1.4, 60), (1.5, 1.0, 6)];
    let mut groups = Vec::new();
    for (radius, speed, count) in sizes {
        for area in [rect(2.0, 3.0, 20.0, 37.0), rect(40.0, 3.0, 58.0, 37.0)] {
            let def = GroupDef { radius, speed, ..GroupDef::default() };
            let group = stage.world.add_group(def).unwrap();
            stage.order(Order::Spawn { group, area, count });
            groups.push(group);
        }
    }
    assert_eq!(stage.world.len(), 372);
    for (i, &group) in groups.iter().enumerate() {
        let to_right = i % 2 == 0;
        stage.send(group, if to_right { disc(50.0, 20.0, 9.0) } else { disc(10.0, 20.0, 9.0) });
    }
    for _ in 0..(150.0 / DT) as u32 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
    }
    // All are through; a few of the small ones wait at the edge of a goal that three groups share.
    let is_through = |body: &&Body| {
        let to_right =
            groups.iter().position(|&group| group.index() == body.group).unwrap() % 2 == 0;
        if to_right { body.pos[0] > 32.0 } else { body.pos[0] < 28.0 }
    };
    let (arrived, name) = (stage.world.arrived(), N::NUMERIC.word());
    let through = stage.bodies().iter().filter(is_through).count();
    assert!(through >= 370, "{name}: {through} of 372 are through");
    assert!(arrived >= 350, "{name}: {arrived} of 372 arrived");
}

fn stacked_separate<N: Numbers>(walking: bool) {
    let mut stage = Stage::<N>::new(map(60, 60, &[[31, 25, 33, 35]]));
    let group = stage.group(GroupDef::default(), &[[30.25, 30.5]; 60]);
    if walking {
        stage.send(group, disc(50.0, 30.0, 8.0));
    }
    for _ in 0..(30.0 / DT) as u32 {
        stage.tick();
        throng::state::validate(&stage.world).unwrap();
    }
    let closest = stage.closest();
    assert!(closest > 0.9 * 0.6, "walking {walking}: two are {closest} m apart after 30 s");
}

fn agents_on_one_spot_separate<N: Numbers>() {
    for walking in [false, true] {
        stacked_separate::<N>(walking);
    }
}

/// Two crowds change sides through a gate of 16 m. Agents in a queue turn to where fewer wait; without
/// that, most stand behind the same few, and it takes 152 s.
#[test]
fn queues_use_the_whole_width_of_a_gate() {
    let mut stage = Stage::<f32>::new(map(120, 80, &[[59, 0, 61, 32], [59, 48, 61, 80]]));
    let sides = [rect(8.0, 8.0, 48.0, 72.0), rect(72.0, 8.0, 112.0, 72.0)];
    let groups = sides.each_ref().map(|side| {
        let group = stage.world.add_group(GroupDef::default()).unwrap();
        stage.order(Order::Spawn { group, area: side.clone(), count: 1_500 });
        group
    });
    stage.send(groups[0], sides[1].clone());
    stage.send(groups[1], sides[0].clone());
    let through = |stage: &Stage<f32>| {
        let is_through = |body: &&Body| (body.group == groups[0].index()) == (body.pos[0] > 60.0);
        stage.bodies().iter().filter(is_through).count() >= 2_940
    };
    let ticks = stage.until(4_000, through).expect("98 % are through in 200 s");
    assert!(f64::from(ticks) * DT <= 135.0, "98 % are through after {ticks} ticks");
}
