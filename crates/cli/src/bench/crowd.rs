//! A crowd on the move: an open field with blocks of walls, and four groups that stand mixed and walk to
//! the four corners.

use std::time::Instant;

use rayon::ThreadPool;
use throng::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{hash3, unit_f64};
use throng::state::{digest, validate};
use throng::tick::{Scratch, tick};
use throng::world::{Avoidance, GroupDef, Order, Settings, World};

use crate::bench::{median, word};

/// Agents on a square metre of open ground.
const DENSITY: f64 = 0.7;
/// Distance from one block of walls to the next, where the first one begins, and a block's side, in metres.
const PITCH: u32 = 48;
const FIRST: u32 = 20;
const BLOCK: u32 = 8;
/// Side of a goal, in metres.
const GOAL: f64 = 16.0;
/// Ticks before anything counts: fields are done then, and the worst overlaps gone.
const WARM_UP: u64 = 10;
/// Agents that are moved in a round, about: a round of few agents has more ticks.
const ROUND: u32 = 400_000;

/// How long the ticks of a crowd took.
pub(super) struct Timed {
    pub(super) numeric: &'static str,
    /// Nanoseconds for an agent and a tick with one thread, and with all.
    pub(super) ns: [f64; 2],
    /// Ticks until the digest.
    pub(super) ticks: u64,
    pub(super) digest: u64,
}

/// Times a crowd in both pools.
///
/// # Errors
/// When they do not come to the same digest, or the world is not sound afterwards.
pub(super) fn timed<N: Numbers>(
    agents: u32,
    avoidance: Avoidance,
    pools: [&ThreadPool; 2],
) -> Result<Timed, String> {
    let world = pools[1].install(|| begun::<N>(agents, avoidance));
    let each = (ROUND / agents).clamp(1, 40);
    let (mut ns, mut digests, mut ticks) = ([0.0; 2], [0; 2], 0);
    for (i, pool) in pools.into_iter().enumerate() {
        let mut world = world.clone();
        let mut scratch = Scratch::new();
        let mut round = || {
            let start = Instant::now();
            (0..each).for_each(|_| tick(&mut world, &[], &mut scratch));
            start.elapsed().as_nanos() as f64 / (f64::from(each) * f64::from(agents))
        };
        // The first one sizes the memory.
        pool.install(&mut round);
        ns[i] = median(std::array::from_fn(|_| pool.install(&mut round)));
        digests[i] = digest(&world);
        ticks = world.tick_count();
        validate(&world).map_err(|error| format!("the world is not sound: {error}"))?;
    }
    if digests[0] != digests[1] {
        let [one, all] = digests;
        return Err(format!(
            "{agents} agents in {} come to {one:016x} by one thread and to {all:016x} by all",
            word::<N>()
        ));
    }
    Ok(Timed { numeric: word::<N>(), ns, ticks, digest: digests[0] })
}

fn is_wall(x: u32, y: u32) -> bool {
    let inside = |at: u32| (FIRST..FIRST + BLOCK).contains(&(at % PITCH));
    inside(x) && inside(y)
}

/// The crowd after its first ticks.
fn begun<N: Numbers>(agents: u32, avoidance: Avoidance) -> World<N> {
    let open = 1.0 - f64::from(BLOCK * BLOCK) / f64::from(PITCH * PITCH);
    let side = ((f64::from(agents) / DENSITY / open).sqrt().ceil() as u32 + 2).max(2 * GOAL as u32);
    let cells: Vec<u8> =
        (0..side * side).map(|i| if is_wall(i % side, i / side) { 0 } else { 16 }).collect();
    // Fields are done in the first tick, whatever their size.
    let settings = Settings { field_cells_per_tick: u32::MAX, ..Settings::default() };
    let map = Map::from_slowness(side, side, 1.0, &cells);
    let mut world = World::<N>::new(map, settings).expect("a map that fits");
    let mut orders = Vec::new();
    for (group, places) in places(agents, side).into_iter().enumerate() {
        let def = GroupDef { avoidance, ..GroupDef::default() };
        let handle = world.add_group(def).expect("a good group");
        world.spawn(handle, &places).expect("open places");
        let least = f64::from(side) - GOAL - 1.0;
        let min = [group % 2, group / 2].map(|far| if far == 1 { least } else { 1.0 });
        let goal = Shape::Rect { min, max: min.map(|at| at + GOAL) };
        orders.push(Order::Move { group: handle, goal: vec![goal] });
    }
    let mut scratch = Scratch::new();
    tick(&mut world, &orders, &mut scratch);
    (1..WARM_UP).for_each(|_| tick(&mut world, &[], &mut scratch));
    world
}

/// A shaken lattice on open ground, for each of four groups.
fn places(agents: u32, side: u32) -> [Vec<[f64; 2]>; 4] {
    let step = DENSITY.sqrt().recip();
    let columns = (f64::from(side) / step) as u32;
    let mut places: [Vec<[f64; 2]>; 4] = Default::default();
    let mut placed = 0;
    for i in 0..columns * columns {
        let shaken = |axis: u64, at: u32| {
            (f64::from(at) + 0.1 + 0.8 * unit_f64(hash3(5, axis, u64::from(i)))) * step
        };
        let at = [shaken(0, i % columns), shaken(1, i / columns)];
        if placed < agents && !is_wall(at[0] as u32, at[1] as u32) {
            places[(hash3(6, 0, u64::from(i)) % 4) as usize].push(at);
            placed += 1;
        }
    }
    places
}
