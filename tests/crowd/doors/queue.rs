//! A queue before a door gets on without a tremble: from one tick to the next headings hardly turn.

use crate::common::stage::{Stage, distance, rect};
use std::collections::BTreeMap;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::world::{Avoidance, GroupDef, Settings};

/// Width and height of the map and the columns of the wall, in cells of 0.2 m; the door is 2 m wide.
const SIZE: [u32; 2] = [160, 100];
const WALL: [u32; 2] = [80, 82];
const DOOR: [u32; 2] = [45, 55];
const CELL: f64 = 0.2;

/// Speed below which an agent counts as standing, in m/s.
const STANDS: f64 = 0.1;

/// A room with 180 agents before a wall with a door, on their way to the room behind.
fn room<N: Numbers>(def: GroupDef, tick_rate: u32) -> Stage<N> {
    let [width, height] = SIZE;
    let open = |x: u32, y: u32| !(WALL[0]..WALL[1]).contains(&x) || (DOOR[0]..DOOR[1]).contains(&y);
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
    let cells: Vec<u8> = cells.map(|[x, y]| if open(x, y) { 16 } else { 0 }).collect();
    let map = Map::from_slowness(width, height, CELL, &cells);
    let mut stage = Stage::with(map, Settings { tick_rate, ..Settings::default() });
    let place = |i: u32| [2.0 + f64::from(i / 15), 2.5 + f64::from(i % 15) * 1.05];
    let places: Vec<[f64; 2]> = (0..180).map(place).collect();
    let group = stage.group(def, &places);
    stage.send(group, rect(20.0, 0.0, 32.0, 20.0));
    stage
}

/// How agents pass the door, between the 18th and the 144th that does.
struct Passage {
    /// Root mean square of how far agents turn from one tick to the next while they queue, in degrees.
    turn: f64,
    /// Agents a second and metre.
    flow: f64,
    /// The longest time in which nobody passes, in seconds.
    wait: f64,
    /// Pairs deeper in each other than a quarter of a radius, for 1,000 agents, in the mean.
    deep: f64,
}

#[expect(clippy::disallowed_methods, reason = "angles of a report, not of a world")]
fn pass<N: Numbers>(def: GroupDef, tick_rate: u32) -> Passage {
    let deep = 1.75 * def.radius;
    let mut stage = room::<N>(def, tick_rate);
    let mut former: BTreeMap<Id, [f64; 2]> = BTreeMap::new();
    let (mut squares, mut turns, mut ticks, mut pairs) = (0.0, 0.0, 0, 0);
    let (mut last, mut waited, mut longest) = (0, 0, 0);
    for _ in 0..150 * tick_rate {
        stage.tick();
        let bodies = stage.bodies();
        let through = bodies.iter().filter(|body| body.pos[0] > 16.2).count();
        if through >= 144 {
            let seconds = |ticks: i32| f64::from(ticks) * stage.world.dt();
            return Passage {
                turn: f64::sqrt(squares / turns),
                flow: 126.0 / seconds(ticks) / 2.0,
                wait: seconds(longest),
                deep: f64::from(pairs) / f64::from(ticks) / 0.18,
            };
        }
        let walks = bodies.iter().filter(|body| body.speed() > STANDS);
        let walking: BTreeMap<Id, [f64; 2]> = walks.map(|body| (body.id, body.vel)).collect();
        if through >= 18 {
            ticks += 1;
            waited = if through == last { waited + 1 } else { 0 };
            (last, longest) = (through, longest.max(waited));
            let queue: Vec<_> = bodies.iter().filter(|body| body.pos[0] < 18.0).collect();
            for (i, body) in queue.iter().enumerate() {
                let near = queue[..i].iter().filter(|other| distance(body.pos, other.pos) < deep);
                pairs += near.count() as u32;
            }
            for body in bodies.iter().filter(|body| (8.0..16.0).contains(&body.pos[0])) {
                if let (Some([x, y]), Some([a, b])) = (walking.get(&body.id), former.get(&body.id))
                {
                    let turn = f64::atan2(a * y - b * x, a * x + b * y).to_degrees();
                    (squares, turns) = (squares + turn * turn, turns + 1.0);
                }
            }
        }
        former = walking;
    }
    panic!("not through within 150 s");
}

/// Velocities that agents chose anew in every tick of 50 ms turned by 13 to 16 degrees.
fn a_queue_hardly_trembles<N: Numbers>() {
    let preset = |name| GroupDef::preset(name).unwrap();
    let orca = GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() };
    let kinds = [
        ("separation", GroupDef::default(), 10.0, 2.8, 12.0),
        ("orca", orca, 7.0, 1.7, 5.0),
        ("rts", preset("rts"), 10.0, 2.9, 20.0),
        ("pedestrian", preset("pedestrian"), 9.0, 1.35, 1.0),
    ];
    for (name, def, most, least, deepest) in kinds {
        for tick_rate in [20, 60] {
            let Passage { turn, flow, wait, deep } = pass::<N>(def.clone(), tick_rate);
            let what = format!(
                "{name} at {tick_rate}/s: {turn:.1} degrees, {flow:.2}/(m s), {wait:.2} s without \
                 anybody, {deep:.1} deep pairs"
            );
            eprintln!("{what}");
            let most = if tick_rate > 20 { most / 2.0 } else { most };
            assert!(turn <= most, "{what}");
            assert!(flow >= least, "{what}");
            assert!(wait <= 2.0, "{what}");
            assert!(deep <= deepest, "{what}");
        }
    }
}

#[test]
fn a_queue_before_a_door_hardly_trembles() {
    a_queue_hardly_trembles::<f32>();
}

#[test]
fn a_queue_before_a_door_hardly_trembles_in_fixed_point() {
    a_queue_hardly_trembles::<Fx>();
}

/// As many pass at every tick rate. Agents press on after four times their patience; a third as many pass at
/// a rate at which the count of ticks is full before.
fn as_many_pass_at_every_rate<N: Numbers>() {
    for (avoidance, share) in [(Avoidance::Orca, 0.8), (Avoidance::Separation, 0.9)] {
        let def = || GroupDef { avoidance, ..GroupDef::default() };
        let flows = [10, 20, 30, 35, 60].map(|rate| pass::<N>(def(), rate).flow);
        eprintln!("{avoidance:?}: {flows:.2?}/(m s)");
        let least = flows.iter().copied().fold(f64::MAX, f64::min);
        let most = flows.iter().copied().fold(0.0, f64::max);
        assert!(least > share * most, "{avoidance:?}: {flows:.2?}/(m s)");
    }
}

#[test]
fn a_door_passes_as_many_at_every_tick_rate() {
    as_many_pass_at_every_rate::<f32>();
    as_many_pass_at_every_rate::<Fx>();
}
