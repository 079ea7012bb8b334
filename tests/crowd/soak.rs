//! A long run of everything at once: groups of different sizes, of both kinds of avoidance, that
//! avoid crowds or do not, are sent around a map with walls and slow ground for an hour. No agent is
//! lost, none is in a wall, every number is finite, and the bits are the same for any number of
//! threads.
//!
//! Ordinarily a short one runs. The whole:
//!
//! ```text
//! THRONG_ALL=1 cargo test --release --test crowd soak -- --nocapture
//! ```

use crate::common::crowd::{blocks, on_threads};
use crate::common::data::all;
use crate::common::sweep::Sweep;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{Fx, hash3, unit_f64};
use throng::tick::{Scratch, tick};
use throng::world::{Avoidance, GroupDef, Order, Outcome, Settings, World};
use throng::{GroupId, state};

/// Ticks between two looks at the world.
const LOOK: u64 = 250;
/// Ticks between two orders to a group, which come at different ticks.
const LEG: u64 = 3_000;
/// The side of a goal, as a share of the map's.
const GOAL: f64 = 0.3;

/// How large a soak is.
#[derive(Clone, Copy)]
struct Size {
    agents: u32,
    /// Cells of a side of the map, of 1 m.
    side: u32,
    ticks: u64,
}

/// The groups, with their share of the agents in 1/20.
fn groups() -> [(GroupDef, u32); 6] {
    let orca = Avoidance::Orca;
    let plain = GroupDef::default();
    let preset = |name| GroupDef::preset(name).expect("a preset");
    [
        (plain.clone(), 6),
        (preset("rts"), 5),
        (preset("pedestrian"), 4),
        (GroupDef { avoid_crowds: true, radius: 0.4, ..preset("horde") }, 3),
        (GroupDef { radius: 0.6, weight: 5.0, hold: true, avoidance: orca, ..plain.clone() }, 1),
        (GroupDef { layer: 1, avoids: 0b10, speed: 3.0, ..plain }, 1),
    ]
}

/// A part of the map, as drawn for a group at a tick.
fn part(size: Size, group: GroupId, tick: u64) -> Vec<Shape> {
    let side = f64::from(size.side);
    let at = |axis| side * (1.0 - GOAL) * unit_f64(hash3(u64::from(group.index()), tick, axis));
    let [x, y] = [at(0), at(1)];
    vec![Shape::Rect { min: [x, y], max: [x + GOAL * side, y + GOAL * side] }]
}

/// The orders of a tick: all groups at first, and one after another is sent on; sometimes they
/// stop, some agents change the group, some leave and others come.
fn orders(size: Size, tick: u64, ids: &[Id]) -> Vec<Order> {
    let kinds = groups();
    if tick == 0 {
        let whole = Shape::Rect { min: [0.0; 2], max: [f64::from(size.side); 2] };
        let made = kinds.iter().map(|(def, _)| Order::Group { def: def.clone() });
        let spawned = kinds.iter().enumerate().map(|(group, (_, share))| Order::Spawn {
            group: GroupId::new(group as u16),
            area: vec![whole.clone()],
            count: size.agents * share / 20,
        });
        return made.chain(spawned).collect();
    }
    let gap = LEG / kinds.len() as u64;
    if !(tick - 1).is_multiple_of(gap) {
        return Vec::new();
    }
    let turn = (tick - 1) / gap;
    let group = GroupId::new((turn % kinds.len() as u64) as u16);
    let goal = part(size, group, tick);
    match turn % 17 {
        7 => vec![Order::Stop { group }],
        11 => {
            let some =
                ids.iter().filter(|id| hash3(3, tick, u64::from(id.index)).is_multiple_of(50));
            vec![Order::Assign { agents: some.copied().collect(), group: GroupId::new(1) }]
        }
        13 => vec![
            Order::Remove { group: GroupId::new(0), area: Some(goal.clone()) },
            Order::Spawn { group, area: goal, count: size.agents / 100 },
        ],
        _ => vec![Order::Move { group, goal }],
    }
}

/// The counts of a soak.
#[derive(Debug, Default, PartialEq)]
struct Soaked {
    /// At every look.
    digests: Vec<u64>,
    /// Orders done, and refused.
    done: u32,
    refused: u32,
    /// Agents that came and went.
    came: u32,
    went: u32,
    /// Agents of groups that were sent on: agents that had arrived by then, and all.
    arrived: u64,
    sent: u64,
    /// Pairs of the ground layer that overlapped by more than half of the smaller radius, at all
    /// looks.
    deep: u64,
}

fn soak<N: Numbers>(size: Size, map: &Map) -> Soaked {
    let settings = Settings { contact_passes: 2, seed: 3, ..Settings::default() };
    let mut world = World::<N>::new(map.clone(), settings).unwrap();
    let (mut scratch, mut sweep) = (Scratch::new(), Sweep::default());
    let mut soaked = Soaked::default();
    for at in 0..size.ticks {
        let ids: Vec<Id> = match (at.max(1) - 1).is_multiple_of(LEG / 6) {
            true => (0..world.len()).map(|row| world.id(row)).collect(),
            false => Vec::new(),
        };
        let orders = orders(size, at, &ids);
        count_arrived(&world, &orders, &mut soaked);
        tick(&mut world, &orders, &mut scratch);
        for (order, outcome) in orders.iter().zip(world.outcomes()) {
            match (order, outcome) {
                (_, Outcome::Refused(_)) => soaked.refused += 1,
                (Order::Spawn { .. }, Outcome::Done { agents }) => soaked.came += agents,
                (Order::Remove { .. }, Outcome::Done { agents }) => soaked.went += agents,
                _ => {}
            }
        }
        soaked.done += orders.len() as u32;
        if (at + 1).is_multiple_of(LOOK) {
            state::validate(&world).unwrap();
            assert_eq!(world.len() as u32, soaked.came - soaked.went, "tick {at}: nobody is lost");
            soaked.digests.push(state::digest(&world));
            soaked.deep += sweep.pairs_deeper(&world, 0.5, |def| def.layer == 0);
        }
    }
    soaked.done -= soaked.refused;
    soaked
}

/// Counts agents that had arrived, and all, of groups that are about to be sent elsewhere.
fn count_arrived<N: Numbers>(world: &World<N>, orders: &[Order], soaked: &mut Soaked) {
    for order in orders.iter().filter(|order| matches!(order, Order::Move { .. })) {
        let members =
            world.tags().iter().filter(|tag| Some(GroupId::new(tag.group)) == order.group());
        for tag in members.filter(|tag| !stands(world, GroupId::new(tag.group))) {
            soaked.sent += 1;
            soaked.arrived += u64::from(tag.state & throng::world::state::ARRIVED != 0);
        }
    }
}

/// Whether a group has no order to go anywhere.
fn stands<N: Numbers>(world: &World<N>, group: GroupId) -> bool {
    !world.groups()[usize::from(group)].has_order()
}

fn same_for_all<N: Numbers>(size: Size, threads: &[usize]) {
    let map = blocks(size.side, size.side, 1.0, 21);
    let start = std::time::Instant::now();
    let expected = on_threads(1, || soak::<N>(size, &map));
    let numeric = N::NUMERIC.word();
    let Soaked { done, refused, came, went, arrived, sent, deep, .. } = &expected;
    eprintln!(
        "{numeric}: {done} orders done, {refused} refused; {came} came, {went} went; {arrived} of \
         {sent} had arrived when sent on; {deep} deep overlaps; {:.1?}",
        start.elapsed()
    );
    assert!(*done > 20 && *refused == 0, "{expected:?}");
    assert!(went > &0 && came > &size.agents, "some come and go");
    assert!(arrived * 10 > sent * 8, "{arrived} of {sent}: the crowd gets around");
    let looks = size.ticks / LOOK;
    assert_eq!(expected.digests.len() as u64, looks);
    let agents = looks * u64::from(size.agents);
    assert!(deep * 25 < agents, "{deep} deep overlaps in {agents}: the crowd does not collapse");
    for &threads in threads {
        let start = std::time::Instant::now();
        let other = on_threads(threads, || soak::<N>(size, &map));
        eprintln!("{numeric}, {threads} threads: {:.1?}", start.elapsed());
        assert_eq!(other, expected, "{numeric}, {threads} threads");
    }
}

#[test]
fn a_short_soak_loses_nobody() {
    let size = Size { agents: 2_000, side: 80, ticks: 7_000 };
    same_for_all::<f32>(size, &[3]);
}

#[test]
fn a_short_soak_in_fixed_point_loses_nobody() {
    let size = Size { agents: 1_000, side: 60, ticks: 7_000 };
    same_for_all::<Fx>(size, &[2]);
}

#[test]
fn a_long_soak_loses_nobody() {
    if !all() {
        eprintln!("skipped: THRONG_ALL is not 1");
        return;
    }
    let size = Size { agents: 10_000, side: 180, ticks: 72_000 };
    same_for_all::<f32>(size, &[2, 3, 8]);
}

#[test]
fn a_long_soak_in_fixed_point_loses_nobody() {
    if !all() {
        eprintln!("skipped: THRONG_ALL is not 1");
        return;
    }
    let size = Size { agents: 10_000, side: 180, ticks: 72_000 };
    same_for_all::<Fx>(size, &[3]);
}
