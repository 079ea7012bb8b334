//! A crowd crosses a real battle map: 20 groups on their way to 20 goals at once, on
//! `BigGameHunters` of the benchmark maps (environment variable `THRONG_DATA`), in cells of 4 m.
//!
//! The whole crowd of 100,000, and the way of all to their goals in fixed point, take minutes and run with
//! `THRONG_ALL=1`:
//!
//! ```text
//! THRONG_DATA=… THRONG_ALL=1 cargo test --release --test combat battle_map -- --nocapture
//! ```

use std::fs;

use crate::common::crowd::on_threads;
use crate::common::data;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::map::{Legend, Map, area};
use throng::math::Fx;
use throng::nav::field::{UNREACHED, solve};
use throng::report::observer::Observer;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{GroupId, state};

/// Side of a cell, metres.
const CELL: f64 = 4.0;
const GROUPS: usize = 20;
const RADIUS: f64 = 0.4;
/// m/s
const SPEED: f64 = 3.0;
/// Radius of the discs where groups start and where they go, metres: room for 5,000 with space.
const DISC: f64 = 52.0;
/// Least distance of a disc's centre from walls, cells.
const AWAY: i16 = 9;

/// The map, and where each group starts and goes.
struct Battle {
    map: Map,
    starts: Vec<Shape>,
    goals: Vec<Shape>,
    /// Seconds that the farthest agent of each start would walk alone.
    free_s: f64,
}

/// Cells well away from walls in the largest component, then spread: each new one is the farthest
/// from the sites before it.
fn sites(map: &Map, count: usize) -> Vec<[f64; 2]> {
    let class = map.class(RADIUS);
    let cells = 0..map.wall_distance().len() as u32;
    let largest = (1..=class.component_count()).max_by_key(|&c| class.component_size(c)).unwrap();
    let candidates: Vec<[f64; 2]> = cells
        .filter(|&cell| map.wall_distance()[cell as usize] >= AWAY * 256)
        .filter(|&cell| class.component(cell) == largest)
        .map(|cell| map.cell(cell))
        .map(|(x, y)| [x, y].map(|at| (f64::from(at) + 0.5) * CELL))
        .collect();
    assert!(candidates.len() > 10 * count, "{} cells are away from walls", candidates.len());
    let square = |a: [f64; 2], b: [f64; 2]| {
        let [dx, dy] = [a[0] - b[0], a[1] - b[1]];
        dx * dx + dy * dy
    };
    let mut sites = vec![candidates[0]];
    let mut nearest: Vec<f64> = candidates.iter().map(|&at| square(at, sites[0])).collect();
    while sites.len() < count {
        let farthest = (0..candidates.len()).max_by(|&a, &b| nearest[a].total_cmp(&nearest[b]));
        let next = candidates[farthest.unwrap()];
        sites.push(next);
        for (nearest, &at) in nearest.iter_mut().zip(&candidates) {
            *nearest = nearest.min(square(at, next));
        }
    }
    sites
}

fn battle() -> Option<Battle> {
    let path = data::folder()?.join("movingai/sc1/BigGameHunters.map");
    let bytes = fs::read(path).expect("the map");
    let map = Map::parse_movingai(&bytes, &Legend::default(), CELL).unwrap();
    let sites = sites(&map, 2 * GROUPS);
    let disc = |at: [f64; 2]| Shape::Disc { centre: at, radius: DISC };
    let starts: Vec<Shape> = sites[..GROUPS].iter().map(|&at| disc(at)).collect();
    // Every group to a site of its own, most of them far away.
    let goal = |group: usize| disc(sites[GROUPS + (7 * group + 3) % GROUPS]);
    let goals: Vec<Shape> = (0..GROUPS).map(goal).collect();
    let class = map.class(RADIUS);
    let mut farthest = 0;
    for (start, goal) in starts.iter().zip(&goals) {
        let goal = area::goal_cells(&map, std::slice::from_ref(goal), class.slowness()).unwrap();
        let field = solve(&class, &goal);
        let cells = area::cells(&map, std::slice::from_ref(start));
        let cells = cells.iter().map(|&cell| field.distances[cell as usize]);
        farthest = farthest.max(cells.filter(|&d| d != UNREACHED).max().unwrap());
    }
    let free_s = f64::from(farthest) / 256.0 * CELL / SPEED;
    Some(Battle { map, starts, goals, free_s })
}

impl Battle {
    fn orders(&self, agents: u32) -> Vec<Order> {
        let def = GroupDef { radius: RADIUS, speed: SPEED, ..GroupDef::default() };
        let mut orders = vec![Order::Group { def }; GROUPS];
        for (group, (start, goal)) in (0..).zip(self.starts.iter().zip(&self.goals)) {
            let count = agents / GROUPS as u32;
            orders.push(Order::Spawn {
                group: GroupId::new(group),
                area: vec![start.clone()],
                count,
            });
            orders.push(Order::Move { group: GroupId::new(group), goal: vec![goal.clone()] });
        }
        orders
    }

    fn world<N: Numbers>(&self, agents: u32, scratch: &mut Scratch<N>) -> World<N> {
        let mut world = World::<N>::new(self.map.clone(), Settings::default()).unwrap();
        tick(&mut world, &self.orders(agents), scratch);
        for outcome in world.outcomes() {
            assert!(!outcome.is_refused(), "{outcome:?}");
        }
        assert_eq!(world.len() as u32, agents);
        world
    }

    /// Runs until 95 % have arrived, with `THRONG_ALL` until all have, or for 2.5 times the free walking
    /// time of the farthest.
    fn cross<N: Numbers>(&self, agents: u32) {
        let mut scratch = Scratch::new();
        let mut world = self.world::<N>(agents, &mut scratch);
        let mut observer = Observer::new(world.dt(), vec![[0; 3]; GROUPS]);
        let ticks = (2.5 * self.free_s / world.dt()) as u64;
        let enough = (0.95 * f64::from(agents)).ceil() as usize;
        let mut when = None;
        for at in 1..=ticks {
            tick(&mut world, &[], &mut scratch);
            observer.observe(&world);
            if at % 200 == 0 || at == ticks {
                let arrived = world.arrived();
                when = when.or((arrived >= enough).then(|| at as f64 * world.dt()));
                if arrived == world.len() || when.is_some() && !data::all() {
                    break;
                }
            }
        }
        state::validate(&world).unwrap();
        assert_eq!(observer.observed().inside_wall, 0);
        let (numeric, arrived) = (N::NUMERIC.word(), world.arrived());
        let observed = observer.observed();
        let (free, stuck) = (self.free_s, observed.stuck_agent_s);
        let ran = world.tick_count() as f64 * world.dt();
        let (deepest, pairs) = (observed.max_overlap_m, observed.overlapping_pairs);
        eprintln!(
            "{numeric}: {arrived} of {agents} arrived after {ran:.0} s, 95 % after {when:.0?} s; \
             the farthest walks {free:.0} s alone; {stuck:.0} stuck agent-seconds; \
             {pairs} pairs overlap, by {deepest:.3} m at most"
        );
        assert!(when.is_some(), "{numeric}: {arrived} of {agents} arrived within {ran:.0} s");
    }

    fn digest<N: Numbers>(&self, agents: u32, ticks: u32, threads: usize) -> u64 {
        on_threads(threads, || {
            let mut scratch = Scratch::new();
            let mut world = self.world::<N>(agents, &mut scratch);
            let mut observer = Observer::new(world.dt(), vec![[0; 3]; GROUPS]);
            for _ in 0..ticks {
                tick(&mut world, &[], &mut scratch);
                observer.observe(&world);
            }
            assert_eq!(observer.observed().inside_wall, 0);
            state::validate(&world).unwrap();
            state::digest(&world)
        })
    }

    fn same_for_threads<N: Numbers>(&self, agents: u32, ticks: u32) {
        let expected = self.digest::<N>(agents, ticks, 1);
        for threads in [2, 3] {
            let digest = self.digest::<N>(agents, ticks, threads);
            assert_eq!(digest, expected, "{}, {threads} threads", N::NUMERIC.word());
        }
    }
}

#[test]
fn the_crowd_is_the_same_for_all_threads() {
    let Some(battle) = battle() else { return };
    let (agents, ticks) = if data::all() { (100_000, 1_000) } else { (5_000, 200) };
    battle.same_for_threads::<f32>(agents, ticks);
    battle.same_for_threads::<Fx>(agents, ticks);
}

#[test]
fn the_crowd_arrives() {
    let Some(battle) = battle() else { return };
    let agents = if data::all() { 100_000 } else { 2_000 };
    battle.cross::<f32>(agents);
    if data::all() {
        battle.cross::<Fx>(agents);
    }
}
