//! A tick allocates nothing once everything has been seen: neither while groups walk, nor while a
//! field is made again, nor while crowds are counted and avoided, nor while shots fly and strike,
//! on one thread and on four.
//!
//! The same run is made several times. What the engine does is the same in every one of them, tick for
//! tick; a tick at which even one run allocates nothing is therefore clean, and one at which all
//! runs allocate is not.

use crate::common::crowd::{assert_done, blocks, on_threads};
use crate::{alone, choosing, count};
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::nav::navigator::Navigator;
use throng::tick::{Scratch, tick};
use throng::world::{
    Behaviour, BehaviourKind, CompanyDef, Formation, GroupDef, Order, Settings, Struck, WeaponDef,
    World,
};
use throng::{CompanyId, GroupId, WeaponId, state};

in_both!(a_tick_allocates_nothing_after_warm_up);

/// Runs that are compared on several threads; on one thread two are enough.
const RUNS: usize = 5;
/// Groups of a run.
const GROUPS: usize = 5 + WALKERS.len();
/// Ticks of a run.
const TICKS: u64 = 700;
/// Every so often a group is sent elsewhere.
const EVERY: u64 = 50;

/// Where groups go. Group 0 goes to the first three in turn; the cache has no room for all.
const GOALS: [[f64; 2]; 4] = [[10.0, 10.0], [80.0, 10.0], [80.0, 80.0], [10.0, 80.0]];

fn disc([x, y]: [f64; 2]) -> Vec<Shape> {
    vec![Shape::Disc { centre: [x, y], radius: 8.0 }]
}

/// Three groups of two radii and a company; room for five fields, two of them for group 0, and for
/// all where groups 1 and 2 avoid crowds, and have theirs made anew.
fn world<N: Numbers>(crowds: bool) -> World<N> {
    let map = blocks(90, 90, 1.0, 3);
    let fields = if crowds { 12 } else { 5 };
    let field_cache_bytes = fields * 8 * map.slowness().len() as u64;
    let settings = Settings {
        field_cache_bytes,
        field_cells_per_tick: 1_000,
        route_expansions_per_tick: 200,
        crowding_ticks: 40,
        ..Settings::default()
    };
    World::new(map, settings).unwrap()
}

/// Behaviours that look at the own group and at another one, and at what is drawn on the map.
fn flocking() -> Vec<Behaviour> {
    let (range, horizon) = (3.0, 2.0);
    let path = BehaviourKind::Path { points: GOALS.to_vec(), radius: 2.0, closed: true };
    let kinds = [
        BehaviourKind::Cohesion { with: GroupId::new(1), range },
        BehaviourKind::Evade { hunter: GroupId::new(2), range, horizon },
        BehaviourKind::Alignment { with: GroupId::new(0), range },
        BehaviourKind::Wander { turn: 1.0, rate: 1.0 },
        path,
    ];
    kinds.map(|kind| Behaviour::new(kind).weight(0.05)).to_vec()
}

/// Shots that hit friends too, and hurt agents around, by next to nothing.
fn weapon() -> WeaponDef {
    WeaponDef { splash: 2.0, damage: 1e-3, friendly_fire: true, ..WeaponDef::default() }
}

/// Lobs from the middle of the map to all of it, which are down before the next ones are fired.
fn salvo() -> impl Iterator<Item = Order> {
    (0..400).map(|i| {
        let part = |step: u32| f64::from(i * step % 400) / 200.0 - 1.0;
        let velocity = [18.0 * part(7), 18.0 * part(31), 4.0 + 6.0 * part(3).abs()];
        Order::Launch {
            group: GroupId::new(0),
            weapon: WeaponId::new(0),
            from: [45.0, 45.0, 2.0],
            velocity,
        }
    })
}

fn start(crowds: bool) -> Vec<Order> {
    let group = |radius: f64, avoid_crowds: bool| Order::Group {
        def: GroupDef { radius, avoid_crowds, ..GroupDef::default() },
    };
    let rect = |x: f64, y: f64| vec![Shape::Rect { min: [x, y], max: [x + 40.0, y + 40.0] }];
    let formation = Some(Formation::Block);
    let company = CompanyDef {
        groups: vec![GroupId::new(3), GroupId::new(4)],
        formation,
        ..CompanyDef::default()
    };
    vec![
        Order::Weapon { def: weapon() },
        group(0.3, false),
        group(0.3, crowds),
        group(0.45, crowds),
        Order::Spawn { group: GroupId::new(0), area: rect(2.0, 2.0), count: 1_500 },
        Order::Spawn { group: GroupId::new(1), area: rect(46.0, 2.0), count: 1_500 },
        Order::Spawn { group: GroupId::new(2), area: rect(24.0, 46.0), count: 800 },
        Order::Behave { group: GroupId::new(1), behaviours: flocking() },
        Order::Move { group: GroupId::new(1), goal: disc(GOALS[3]) },
        Order::Move { group: GroupId::new(2), goal: disc([45.0, 45.0]) },
        group(0.3, false),
        group(0.3, false),
        Order::Company { def: company },
        Order::Spawn { group: GroupId::new(3), area: rect(2.0, 46.0), count: 60 },
        Order::Spawn { group: GroupId::new(4), area: rect(2.0, 46.0), count: 60 },
        Order::MoveCompany { company: CompanyId::new(0), goal: disc([86.0, 60.0]) },
    ]
    .into_iter()
    .chain(WALKERS.into_iter().zip(5..).flat_map(|(navigator, group)| walkers(navigator, group)))
    .collect()
}

/// Navigators of the groups from the sixth on.
const WALKERS: [Navigator; 5] = [
    Navigator::Path,
    Navigator::Trace,
    Navigator::RandomAvoid,
    Navigator::Breadcrumbs,
    Navigator::LeftHand,
];

/// A group that finds its own way.
fn walkers(navigator: Navigator, group: u16) -> [Order; 3] {
    let area = vec![Shape::Rect { min: [2.0, 2.0], max: [88.0, 88.0] }];
    [
        Order::Group { def: GroupDef { navigator, ..GroupDef::default() } },
        Order::Spawn { group: GroupId::new(group), area, count: 100 },
        Order::Move { group: GroupId::new(group), goal: disc(GOALS[1]) },
    ]
}

/// The orders of a tick: the company marches all the time, and group 0 goes round, so that
/// the same fields are made over and over. With each order there is a salvo.
fn orders(at: u64, crowds: bool) -> Vec<Order> {
    match at {
        0 => start(crowds),
        _ if at.is_multiple_of(EVERY) => {
            let goal = disc(GOALS[(at / EVERY) as usize % 3]);
            let walkers = 5..5 + WALKERS.len() as u16;
            let go = |group| Order::Move { group: GroupId::new(group), goal: goal.clone() };
            salvo().chain([0].into_iter().chain(walkers).map(go)).collect()
        }
        _ => Vec::new(),
    }
}

/// Counts of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// Allocations, in all of the tick.
    allocations: usize,
    /// Whether orders were given, or a group's first agent arrived and its places were laid out:
    /// those ticks may allocate.
    event: bool,
    /// Fields under way.
    pending: u32,
    /// Whether there is a crowd to avoid.
    crowd: bool,
    /// Shots that are in the air after it, and agents that were struck in it.
    flying: usize,
    struck: usize,
}

/// Whether an agent of a group has arrived.
fn arrived<N: Numbers>(world: &World<N>, group: usize) -> bool {
    let mut tags = world.tags().iter().filter(|tag| usize::from(tag.group) == group);
    tags.any(|tag| tag.state & throng::world::state::ARRIVED != 0)
}

fn seen<N: Numbers>(crowds: bool) -> (Vec<Seen>, u64) {
    let mut world = world::<N>(crowds);
    let mut scratch = Scratch::new();
    let mut all = Vec::with_capacity(TICKS as usize);
    let mut seen_arriving = [false; GROUPS];
    for at in 0..TICKS {
        let orders = orders(at, crowds);
        let allocations = count(|| tick(&mut world, &orders, &mut scratch));
        assert_done(&world);
        let pending = world.fields().pending();
        let first_ones =
            (0..GROUPS).filter(|&group| arrived(&world, group) != seen_arriving[group]);
        let event = !orders.is_empty() || first_ones.count() > 0;
        seen_arriving = std::array::from_fn(|group| arrived(&world, group));
        let crowd = !world.crowding().costs().is_free();
        let flying = world.projectiles().shot.len();
        let hits = world.impacts().iter().filter(|i| matches!(i.struck, Struck::Agent(_)));
        let struck = hits.count();
        all.push(Seen { allocations, event, pending, crowd, flying, struck });
    }
    (all, state::digest(&world))
}

/// The smallest count of every tick over all runs.
fn least<N: Numbers>(threads: usize, crowds: bool) -> Vec<Seen> {
    on_threads(threads, || {
        let (mut least, digest) = seen::<N>(crowds);
        for _ in 1..if threads == 1 { 2 } else { RUNS } {
            let (again, same) = seen::<N>(crowds);
            assert_eq!(digest, same);
            for (least, again) in least.iter_mut().zip(again) {
                assert_eq!((least.event, least.pending), (again.event, again.pending));
                least.allocations = least.allocations.min(again.allocations);
            }
        }
        least
    })
}

/// Ticks until every goal has had its field once and been evicted, and the crowd is spread.
const WARM_UP: usize = 8 * EVERY as usize;

fn nothing_is_allocated<N: Numbers>(threads: usize, crowds: bool) {
    let least = least::<N>(threads, crowds);
    let steady = || least.iter().enumerate().skip(WARM_UP).filter(|(_, seen)| !seen.event);
    let dirty: Vec<_> = steady().filter(|(_, seen)| seen.allocations > 0).collect();
    let (count, first) = (dirty.len(), dirty.first());
    // Seldom used buffers, as for ways to free places in and around a goal, are sized on first use.
    assert!(count <= 2, "{threads} threads: {count} ticks allocate, the first is {first:?}");
    assert!(steady().all(|(_, seen)| seen.crowd == crowds), "crowds are avoided or not");
    // Some of these ticks work on a field, some do not.
    let working = steady().filter(|(_, seen)| seen.pending > 0).count();
    let idle = steady().count() - working;
    // With room for the fields around crowds there is room for all.
    assert!((crowds || working > 30) && idle > 30, "{working} working, {idle} idle");
    let flying = steady().filter(|(_, seen)| seen.flying > 0).count();
    let striking = steady().filter(|(_, seen)| seen.struck > 0).count();
    assert!(flying > 100 && striking > 50, "{flying} with shots, {striking} with hits");
    // The count counts: the first tick makes everything.
    assert!(least[0].allocations > 20, "{:?}", least[0]);
    assert!(least.iter().step_by(EVERY as usize).all(|seen| seen.allocations > 0));
}

fn a_tick_allocates_nothing_after_warm_up<N: Numbers>() {
    let _alone = alone();
    for threads in [1, 4] {
        for crowds in [false, true] {
            nothing_is_allocated::<N>(threads, crowds);
        }
        choosing::nothing_is_allocated::<N>(threads);
    }
}
