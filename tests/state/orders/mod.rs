//! Orders and what becomes of them: refusals change nothing, ids stay valid, groups follow straight
//! lines and then fields, and irregular frames make no difference.

mod agents;
mod building;
mod doors;
mod minds;
mod terrain;
mod thinking;

use crate::common::crowd::on_threads;
use crate::common::stage::{Stage, disc, distance, map, point, rect};
use crate::common::terrain::Random;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::tick::{Accumulator, Scratch, tick};
use throng::world::{GroupDef, Order, Outcome, Refusal, Settings, World, WorldError};
use throng::{GroupId, state};

in_both!(
    a_refused_order_changes_nothing,
    a_stopped_group_stands_and_the_other_walks_on,
    ids_stay_valid_until_their_agent_leaves,
    assigned_agents_follow_their_new_group,
    a_group_walks_straight_until_its_field_is_there,
    a_group_that_is_sent_on_has_not_arrived
);

/// A field of 60 m with a closed chamber around (50, 10), and two groups in its open part.
fn field<N: Numbers>() -> Stage<N> {
    let chamber = [[42, 4, 58, 5], [42, 16, 58, 17], [42, 4, 43, 17], [57, 4, 58, 17]];
    let mut stage = Stage::new(map(60, 60, &chamber));
    for y in [20.0, 40.0] {
        let group = stage.world.add_group(GroupDef::default()).unwrap();
        stage.order(Order::Spawn { group, area: rect(2.0, y, 20.0, y + 12.0), count: 60 });
        stage.send(group, disc(50.0, 50.0, 6.0));
    }
    stage
}

/// The same when some of group 0 have arrived and some of them settled.
fn settling<N: Numbers>() -> Stage<N> {
    let mut stage = field();
    stage.send(GroupId::new(0), disc(12.0, 26.0, 7.0));
    (0..150).for_each(|_| stage.tick());
    let arrived = stage.bodies().iter().filter(|body| body.has_arrived()).count();
    assert!((10..=60).contains(&arrived), "{arrived}");
    stage
}

/// Gives an order that must be refused: the world goes on as if it had not been given.
fn refuse<N: Numbers>(order: Order) -> Refusal {
    let mut stage = settling::<N>();
    let mut silent = stage.clone();
    let (pending, bytes) = (stage.world.fields().pending(), stage.world.fields().bytes());
    let text = format!("{order:?}");
    let outcome = stage.order(order);
    silent.tick();
    let Outcome::Refused(refusal) = outcome else { panic!("{text}: {outcome:?}") };
    assert!(!refusal.to_string().is_empty());
    assert!(stage.world.fields().pending() <= pending, "{text}: no field is begun");
    assert_eq!(stage.world.fields().bytes(), bytes, "{text}: no field is begun");
    for _ in 0..20 {
        let (now, then) = (state::digest(&stage.world), state::digest(&silent.world));
        assert_eq!(now, then, "{text} changed something");
        stage.tick();
        silent.tick();
    }
    refusal
}

fn refusals<N: Numbers>() {
    let go = |goal: Vec<Shape>| refuse::<N>(Order::Move { group: GroupId::new(0), goal });
    assert_eq!(go(disc(50.0, 10.0, 3.0)), Refusal::Unreachable);
    assert_eq!(go(point(50.0, 10.0)), Refusal::Unreachable);
    for nowhere in
        [point(42.5, 10.0), rect(42.1, 6.0, 42.9, 14.0), point(-3.0, 5.0), point(60.0, 60.0)]
    {
        let refusal = go(nowhere);
        assert!(matches!(refusal, Refusal::NoSuchPlace(_)), "{refusal:?}");
    }
    let refusal = go(disc(500.0, 500.0, 2.0));
    assert!(matches!(refusal, Refusal::NoSuchPlace(_)), "{refusal:?}");
    let none = |order| {
        assert_eq!(refuse::<N>(order), Refusal::NoSuchGroup { group: GroupId::new(2), groups: 2 })
    };
    none(Order::Move { group: GroupId::new(2), goal: point(5.0, 5.0) });
    none(Order::Stop { group: GroupId::new(2) });
    none(Order::Spawn { group: GroupId::new(2), area: rect(1.0, 1.0, 9.0, 9.0), count: 1 });
    none(Order::Remove { group: GroupId::new(2), area: None });
    none(Order::Assign { agents: Vec::new(), group: GroupId::new(2) });
    for (area, count) in [
        (rect(1.0, 1.0, 9.0, 9.0), 5_000),
        (rect(1.0, 1.0, 9.0, 9.0), u32::MAX),
        (rect(42.1, 6.0, 42.9, 14.0), 1),
        (rect(100.0, 100.0, 120.0, 120.0), 10),
        (point(42.5, 6.5), 1),
        (Vec::new(), 1),
    ] {
        let refusal = refuse::<N>(Order::Spawn { group: GroupId::new(1), area, count });
        assert!(matches!(refusal, Refusal::DoNotFit(_)), "{refusal:?}");
    }
    let ghost = Id { index: 7, generation: 9 };
    let alive = field::<N>().bodies()[3].id;
    let refusal = refuse::<N>(Order::Assign { agents: vec![alive, ghost], group: GroupId::new(1) });
    assert_eq!(refusal, Refusal::NoSuchAgent { id: ghost });
    let beyond = Id { index: u32::MAX, generation: 1 };
    let refusal = refuse::<N>(Order::Assign { agents: vec![beyond], group: GroupId::new(1) });
    assert_eq!(refusal, Refusal::NoSuchAgent { id: beyond });
}

fn a_refused_order_changes_nothing<N: Numbers>() {
    refusals::<N>();
}

#[test]
fn groups_out_of_range_are_refused_by_name() {
    let wild = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e-9, 1e9, 1e300];
    let set = |def: &mut GroupDef, trait_index: usize, value: f64| {
        let traits = [
            &mut def.radius,
            &mut def.speed,
            &mut def.acceleration,
            &mut def.response,
            &mut def.personal_space,
            &mut def.separation,
            &mut def.wall_margin,
            &mut def.slowing_radius,
        ];
        *traits.into_iter().nth(trait_index).unwrap() = value;
    };
    let names = [
        "radius",
        "speed",
        "acceleration",
        "response",
        "personal_space",
        "separation",
        "wall_margin",
        "slowing_radius",
    ];
    let mut accepted = 0;
    for (index, name) in names.iter().enumerate() {
        for value in wild {
            let mut def = GroupDef::default();
            set(&mut def, index, value);
            let mut stage = field::<f32>();
            match stage.order(Order::Group { def }) {
                Outcome::Refused(refusal) => {
                    let text = refusal.to_string();
                    assert!(text.contains(name), "{name} = {value}: {text}");
                    assert_eq!(stage.world.groups().len(), 2);
                }
                _ => accepted += 1,
            }
        }
    }
    // 0 for the three gaps and strengths that may be 0, and 1e-9 for them too.
    assert_eq!(accepted, 6);
}

/// Settings that a world cannot have are an error that names them.
#[test]
fn settings_out_of_range_are_refused_by_name() {
    let refused = |settings: Settings, name: &str| match World::<f32>::new(map(9, 9, &[]), settings)
    {
        Err(WorldError::OutOfRange(error)) => assert_eq!(error.name, name),
        other => panic!("{name}: {:?}", other.map(|_| ())),
    };
    let good = Settings::default();
    refused(Settings { tick_rate: 0, ..good }, "tick_rate");
    refused(Settings { tick_rate: 1_001, ..good }, "tick_rate");
    refused(Settings { field_cells_per_tick: 0, ..good }, "field_cells_per_tick");
    refused(Settings { field_cache_bytes: 0, ..good }, "field_cache_bytes");
    for field_jobs in [0, 65, 100, 1_024, 1_025, u32::MAX] {
        refused(Settings { field_jobs, ..good }, "field_jobs");
    }
    assert!(World::<f32>::new(map(9, 9, &[]), Settings { field_jobs: 64, ..good }).is_ok());
}

/// Shapes with wild numbers, as a broken caller might give: refused or done, never a panic.
#[test]
fn wild_shapes_do_no_harm() {
    let wild = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, -1e-300, 0.0, 30.0];
    let mut shapes = Vec::new();
    for a in wild {
        for b in wild {
            shapes.push(Shape::Point { at: [a, b] });
            shapes.push(Shape::Rect { min: [a, 2.0], max: [b, 9.0] });
            shapes.push(Shape::Rect { min: [2.0, a], max: [9.0, b] });
            shapes.push(Shape::Disc { centre: [a, 5.0], radius: b });
            shapes.push(Shape::Disc { centre: [5.0, a], radius: b });
            shapes.push(Shape::Polygon { corners: vec![[a, 1.0], [9.0, b], [5.0, 9.0]] });
            shapes.push(Shape::Polygon { corners: vec![[1.0, a], [b, 5.0], [5.0, 9.0]] });
        }
    }
    shapes.extend([0, 1, 2].map(|n| Shape::Polygon { corners: vec![[3.0, 3.0]; n] }));
    let mut panics = Vec::new();
    for shape in shapes {
        let order = |area: Vec<Shape>| {
            let mut stage = field::<f32>();
            stage.order(Order::Move { group: GroupId::new(0), goal: area.clone() });
            stage.order(Order::Spawn { group: GroupId::new(0), area: area.clone(), count: 5 });
            stage.order(Order::Remove { group: GroupId::new(0), area: Some(area) });
            state::validate(&stage.world).unwrap();
        };
        let area = vec![shape.clone()];
        if std::panic::catch_unwind(|| order(area)).is_err() {
            panics.push(shape);
        }
    }
    assert!(panics.is_empty(), "{} shapes panic, as {:?}", panics.len(), panics.first());
}

fn a_stopped_group_stands_and_the_other_walks_on<N: Numbers>() {
    let mut stage = field::<N>();
    (0..100).for_each(|_| stage.tick());
    assert_eq!(stage.order(Order::Stop { group: GroupId::new(0) }), Outcome::Done { agents: 60 });
    assert!(!stage.world.groups()[0].has_order() && stage.world.groups()[1].has_order());
    (0..100).for_each(|_| stage.tick());
    let before = stage.bodies();
    (0..40).for_each(|_| stage.tick());
    let (mut standing, mut walking) = (0.0, 0.0);
    for (old, new) in before.iter().zip(stage.bodies()) {
        let sum = if old.group == 0 { &mut standing } else { &mut walking };
        *sum += distance(old.pos, new.pos) / 60.0;
    }
    assert!(standing < 0.01 && walking > 1.0, "mean moves: {standing} m, {walking} m");
}

/// Ids name the same agent whatever the rows do; a removed one is dead for ever.
fn ids_stay_valid_until_their_agent_leaves<N: Numbers>() {
    let mut stage = field::<N>();
    let mut before = stage.bodies();
    for _ in 0..100 {
        stage.tick();
        let after = stage.bodies();
        for (old, new) in before.iter().zip(&after) {
            assert_eq!((old.id, old.group), (new.id, new.group));
            assert!(distance(old.pos, new.pos) < 0.3, "{old:?} became {new:?}");
        }
        before = after;
    }
    let median = {
        let mut xs: Vec<f64> = before.iter().map(|b| b.pos[0]).collect();
        xs.sort_by(f64::total_cmp);
        xs[xs.len() / 2]
    };
    let inside = |pos: [f64; 2]| pos[0] <= median;
    let leaving = before.iter().filter(|body| body.group == 0 && inside(body.pos)).count() as u32;
    assert!((10..60).contains(&leaving), "{leaving}");
    let area = Some(rect(0.0, 0.0, median, 60.0));
    assert_eq!(
        stage.order(Order::Remove { group: GroupId::new(0), area }),
        Outcome::Done { agents: leaving }
    );
    assert_eq!(stage.world.len() as u32, 120 - leaving);
    assert_eq!(stage.world.groups()[0].members(), 60 - leaving);
    for body in &before {
        let gone = body.group == 0 && inside(body.pos);
        assert_eq!(stage.world.is_alive(body.id), !gone, "{body:?}");
    }
    stage.order(Order::Spawn {
        group: GroupId::new(1),
        area: rect(2.0, 2.0, 20.0, 12.0),
        count: leaving,
    });
    state::validate(&stage.world).unwrap();
    let dead: Vec<Id> =
        before.iter().map(|body| body.id).filter(|&id| !stage.world.is_alive(id)).collect();
    assert_eq!(dead.len() as u32, leaving);
    for new in stage.bodies() {
        let reused = dead.iter().find(|old| old.index == new.id.index);
        assert!(reused.is_none_or(|old| new.id.generation == old.generation + 1), "{new:?}");
    }
    let again =
        stage.bodies().iter().filter(|b| dead.iter().any(|d| d.index == b.id.index)).count();
    assert_eq!(again as u32, leaving, "indices are used again");
}

fn assigned_agents_follow_their_new_group<N: Numbers>() {
    let mut stage = field::<N>();
    let third = stage.world.add_group(GroupDef { speed: 2.0, ..GroupDef::default() }).unwrap();
    stage.tick();
    let chosen: Vec<Id> = stage.bodies().iter().step_by(3).map(|body| body.id).collect();
    let order = Order::Assign { agents: chosen.clone(), group: third };
    assert_eq!(stage.order(order), Outcome::Done { agents: 40 });
    assert_eq!(stage.world.groups()[2].members(), 40);
    stage.send(third, disc(30.0, 8.0, 6.0));
    (0..2_400).for_each(|_| stage.tick());
    state::validate(&stage.world).unwrap();
    let mut late = 0;
    for body in stage.bodies() {
        let (group, goal) =
            if chosen.contains(&body.id) { (2, [30.0, 8.0]) } else { (body.group, [50.0, 50.0]) };
        assert_eq!(body.group, group);
        assert!(distance(body.pos, goal) < 8.0, "{body:?}");
        assert!(body.has_arrived() || group < 2, "{body:?}");
        late += u32::from(!body.has_arrived());
    }
    // Two groups share the other goal, each with places of its own, which may be the same ones.
    assert!(late <= 2, "{late} of 80 stand at the edge");
}

/// While its field is being made a group walks straight, here into a wall; then it goes round. The
/// tick at which that happens depends on the work, not on the threads.
fn field_tick<N: Numbers>(threads: usize, field_cells_per_tick: u32) -> (u32, [f64; 2]) {
    on_threads(threads, || {
        let settings = Settings { field_cells_per_tick, ..Settings::default() };
        let mut stage = Stage::<N>::with(map(60, 60, &[[40, 10, 42, 60]]), settings);
        let group = stage.group(GroupDef::default(), &[[4.0, 40.0]]);
        stage.send(group, disc(52.0, 40.0, 3.0));
        let visible = |stage: &Stage<N>| stage.world.groups()[0].field().is_some();
        let mut ticks = 0;
        while !visible(&stage) {
            if ticks > 20 {
                let [vx, vy] = stage.one().vel;
                assert!(vx > 1.3 && vy.abs() < 0.05, "straight: {:?}", stage.one());
            }
            stage.tick();
            ticks += 1;
            assert!(ticks < 1_000);
        }
        (0..10).for_each(|_| stage.tick());
        let vel = stage.one().vel;
        stage.until(3_000, Stage::all_arrived).expect("it arrives");
        (ticks, vel)
    })
}

fn a_group_walks_straight_until_its_field_is_there<N: Numbers>() {
    let (ticks, [vx, vy]) = field_tick::<N>(1, 50);
    assert!((60..480).contains(&ticks), "{ticks}");
    assert!(vy < -0.5 && vx > 0.0, "the field leads round the wall: {vx}, {vy}");
    for threads in [2, 3, 4, 8] {
        assert_eq!(field_tick::<N>(threads, 50), (ticks, [vx, vy]), "{threads} threads");
    }
    let (sooner, _) = field_tick::<N>(2, 100);
    assert!(sooner.abs_diff(ticks / 2) <= ticks / 20, "{sooner}, {ticks}");
}

fn a_group_that_is_sent_on_has_not_arrived<N: Numbers>() {
    let settings = Settings { field_cells_per_tick: 300, ..Settings::default() };
    let mut stage = Stage::<N>::with(map(60, 60, &[]), settings);
    let group = stage.world.add_group(GroupDef::default()).unwrap();
    stage.order(Order::Spawn { group, area: rect(4.0, 4.0, 14.0, 14.0), count: 50 });
    stage.send(group, disc(14.0, 14.0, 5.0));
    stage.until(1_500, Stage::all_arrived).expect("all arrive");
    (0..200).for_each(|_| stage.tick());
    let goal = [46.0, 46.0];
    stage.send(group, disc(goal[0], goal[1], 5.0));
    for _ in 0..1_500 {
        for body in stage.bodies().iter().filter(|body| body.has_arrived()) {
            let off = distance(body.pos, goal);
            assert!(off < 6.5, "{} has arrived {off} m from the goal", body.id);
        }
        stage.tick();
    }
    assert!(stage.all_arrived());
}

/// A stream of frame times, in seconds.
fn frames(kind: u32, total: f64) -> Vec<f64> {
    let (mut random, mut frames, mut sum) = (Random(u64::from(kind)), Vec::new(), 0.0);
    while sum < total {
        let frame = match kind {
            // Irregular: from next to nothing up to 70 ms.
            0 => f64::from(random.below(70_000)) / 1e6,
            rate => 1.0 / f64::from(rate),
        };
        frames.push(frame.min(total - sum));
        sum += frame;
    }
    frames
}

fn frame_rate<N: Numbers>(kind: u32, tick_rate: u32) -> (u64, u64) {
    let settings = Settings { tick_rate, ..Settings::default() };
    let mut world = World::<N>::new(map(60, 60, &[[30, 10, 32, 50]]), settings).unwrap();
    let mut scratch = Scratch::new();
    let mut orders = vec![
        Order::Group { def: GroupDef::default() },
        Order::Spawn { group: GroupId::new(0), area: rect(2.0, 2.0, 20.0, 58.0), count: 300 },
        Order::Move { group: GroupId::new(0), goal: disc(48.0, 30.0, 8.0) },
    ];
    let mut clock = Accumulator::new(tick_rate, 5);
    // A little more than 10 s, so that no rounding of the sums decides.
    for frame in frames(kind, 10.0 + 0.3 / f64::from(tick_rate)) {
        for _ in 0..clock.frame(frame) {
            tick(&mut world, &orders, &mut scratch);
            orders.clear();
        }
    }
    (world.tick_count(), state::digest(&world))
}

#[test]
fn callers_at_any_frame_rate_reach_the_same_digest() {
    for tick_rate in [20, 30] {
        let expected = frame_rate::<f32>(30, tick_rate);
        let fixed = frame_rate::<Fx>(30, tick_rate);
        assert_eq!(expected.0, 10 * u64::from(tick_rate));
        for kind in [60, 144, 0, 23, 1_000] {
            assert_eq!(frame_rate::<f32>(kind, tick_rate), expected, "{kind} Hz");
            assert_eq!(frame_rate::<Fx>(kind, tick_rate), fixed, "{kind} Hz");
        }
    }
    let mut late = Accumulator::new(20, 5);
    assert_eq!(late.frame(100.0), 5, "a slow frame gets so many ticks at most");
    assert_eq!((late.frame(f64::NAN), late.frame(-1.0)), (0, 0));
    assert!(late.fraction() < 1e-6);
}
