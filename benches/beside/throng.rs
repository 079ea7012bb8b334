//! throng and `dodgy_2d` in the crowd that `measure`, beside this file, puts into other libraries too.
//!
//! Agents of 0.3 m, 0.7 on a square metre of an open square; four groups stand mixed, and each walks to
//! the opposite corner. One thread.
//!
//! With `--crowd FILE --agents NUMBER` it writes the crowd: a line with the side of the square, then
//! one line an agent, `x y goal_x goal_y` in metres. Otherwise it measures, and prints lines of
//! name, agents, nanoseconds for an agent and a step, seconds of a step, and how fast agents came nearer
//! to their goals in m/s, apart by tabs.

#![allow(clippy::print_stdout, reason = "prints what it measures")]

#[path = "../common/dodgy.rs"]
mod dodgy;
#[path = "../common/rows.rs"]
mod rows;

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::time::Instant;

use dodgy_2d::{Agent, Vec2};
use rayon::ThreadPoolBuilder;
use rows::Rows;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{hash3, unit_f64};
use throng::space::Grid;
use throng::state::validate;
use throng::tick::{Scratch, tick};
use throng::world::{Avoidance, GroupDef, Order, Settings, World};

const AGENTS: usize = 100_000;
/// Agents on a square metre.
const DENSITY: f64 = 0.7;
const RADIUS: f64 = 0.3;
const SPEED: f64 = 1.4;
/// Seconds of a step.
const STEP: f64 = 0.05;
/// Steps before a crowd counts, and steps of each of the times of which the median is told.
const WARM_UP: usize = 40;
const STEPS: usize = 20;
const TIMES: usize = 5;

/// Side of a square that is a goal, in metres.
const GOAL: f64 = 16.0;

type Point = [f64; 2];

/// The crowd as all libraries get it.
struct Crowd {
    /// Side of the open square, in whole metres.
    side: f64,
    places: Vec<Point>,
    /// Group of each agent; group g walks to corner g.
    groups: Vec<usize>,
}

impl Crowd {
    /// A shaken lattice on which no two agents overlap.
    fn new(agents: usize) -> Self {
        let step = DENSITY.sqrt().recip();
        let columns = (agents as f64).sqrt().ceil() as usize;
        let random = |i: usize, stream| unit_f64(hash3(11, stream, i as u64));
        let place = |i: usize| {
            let at = |cell: usize, stream| (cell as f64 + 0.25 + 0.5 * random(i, stream)) * step;
            [at(i % columns, 0), at(i / columns, 1)].map(|v| v + RADIUS)
        };
        Self {
            side: (columns as f64 * step + 2.0 * RADIUS).ceil(),
            places: (0..agents).map(place).collect(),
            groups: (0..agents).map(|i| (hash3(6, 0, i as u64) % 4) as usize).collect(),
        }
    }

    /// The middle of a group's goal.
    fn goal(&self, group: usize) -> Point {
        [group % 2, group / 2].map(|far| if far == 1 { self.side - 0.5 * GOAL } else { 0.5 * GOAL })
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n", self.side);
        for ([x, y], &group) in self.places.iter().zip(&self.groups) {
            let [to_x, to_y] = self.goal(group);
            writeln!(text, "{x:.4} {y:.4} {to_x} {to_y}").expect("text has room");
        }
        text
    }
}

fn distance(a: Point, b: Point) -> f64 {
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

/// Nanoseconds for which a processor has worked on this thread, where Linux says so: others on the
/// machine do not count.
fn worked() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().filter(|&time| time > 0)
}

/// Prints the median of some times, and how fast agents came nearer to their goals meanwhile;
/// `far` gives the mean distance from them.
fn measure<T>(
    name: &str,
    agents: usize,
    state: &mut T,
    step: impl Fn(&mut T),
    far: impl Fn(&T) -> f64,
) {
    (0..WARM_UP).for_each(|_| step(state));
    let before = far(state);
    let mut times = [0.0; TIMES];
    for time in &mut times {
        let (start, before) = (Instant::now(), worked());
        (0..STEPS).for_each(|_| step(state));
        let took = match (before, worked()) {
            (Some(before), Some(after)) => (after - before) as f64,
            _ => start.elapsed().as_nanos() as f64,
        };
        *time = took / (STEPS * agents) as f64;
    }
    let nearer = (before - far(state)) / ((TIMES * STEPS) as f64 * STEP);
    assert!((0.3..=SPEED).contains(&nearer), "{name}: they come nearer at {nearer} m/s");
    times.sort_by(f64::total_cmp);
    println!("{name}\t{agents}\t{:.0}\t{STEP}\t{nearer:.2}", times[TIMES / 2]);
}

/// The world of the crowd, with the goal of each agent by its row number at the start.
fn throng(crowd: &Crowd, name: &str, avoidance: Avoidance) {
    let settings = Settings { field_cells_per_tick: 1 << 30, ..Settings::default() };
    let side = crowd.side as u32;
    let map = Map::from_slowness(side, side, 1.0, &vec![16; (side * side) as usize]);
    let mut world = World::<f32>::new(map, settings).expect("a map that fits");
    let def = GroupDef { avoidance, speed: SPEED, radius: RADIUS, ..GroupDef::default() };
    let mut orders = Vec::new();
    for group in 0..4 {
        let handle = world.add_group(def.clone()).expect("a good group");
        let own = crowd.places.iter().zip(&crowd.groups).filter(|(_, of)| **of == group);
        let own: Vec<Point> = own.map(|(place, _)| *place).collect();
        world.spawn(handle, &own).expect("open places");
        let [min, max] = [-0.5, 0.5].map(|half| crowd.goal(group).map(|c| c + half * GOAL));
        orders.push(Order::Move { group: handle, goal: vec![Shape::Rect { min, max }] });
    }
    let mut scratch = Scratch::new();
    tick(&mut world, &orders, &mut scratch);
    assert!(world.outcomes().iter().all(|outcome| !outcome.is_refused()), "all can go");
    let far = |(world, _): &(World<f32>, Scratch<f32>)| {
        let goals = world.tags().iter().map(|tag| crowd.goal(usize::from(tag.group)));
        let places = world.positions().iter().map(|place| place.map(f64::from));
        places.zip(goals).map(|(a, b)| distance(a, b)).sum::<f64>() / world.len() as f64
    };
    let mut state = (world, scratch);
    let step = |(world, scratch): &mut (World<f32>, Scratch<f32>)| tick(world, &[], scratch);
    measure(name, crowd.places.len(), &mut state, step, far);
    validate(&state.0).expect("a sound world");
}

/// The crowd as `dodgy_2d` moves it.
struct Dodgy {
    side: f64,
    grid: Grid<f32>,
    agents: Vec<Agent>,
    goals: Vec<[f32; 2]>,
}

impl Dodgy {
    const LIMITS: dodgy::Limits = dodgy::Limits {
        radius: RADIUS as f32,
        range: 3.0,
        horizon: 2.0,
        fastest: SPEED as f32,
        step: STEP as f32,
    };

    fn new(crowd: &Crowd) -> Self {
        let agent = |place: &Point| Agent {
            position: Vec2::from(place.map(|v| v as f32)),
            velocity: Vec2::ZERO,
            radius: RADIUS as f32,
            avoidance_responsibility: 1.0,
        };
        Self {
            side: crowd.side,
            grid: Grid::default(),
            agents: crowd.places.iter().map(agent).collect(),
            goals: crowd.groups.iter().map(|&g| crowd.goal(g).map(|v| v as f32)).collect(),
        }
    }

    /// Sorts by the grid, avoids, and moves.
    fn step(&mut self) {
        let mut rows = vec![0; self.agents.len()];
        let places: Vec<[f32; 2]> =
            self.agents.iter().map(|agent| agent.position.to_array()).collect();
        self.grid.shape(self.side, self.side, f64::from(Self::LIMITS.range));
        self.grid.sort(&places, Rows(&mut rows));
        self.agents = rows.iter().map(|&from| self.agents[from as usize].clone()).collect();
        self.goals = rows.iter().map(|&from| self.goals[from as usize]).collect();
        let preferred: Vec<[f32; 2]> = self.ways().map(|way| way.to_array()).collect();
        let mut velocities = vec![[0.0; 2]; self.agents.len()];
        dodgy::velocities(&self.grid, &self.agents, &preferred, Self::LIMITS, &mut velocities);
        for (agent, vel) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = Vec2::from(vel);
            agent.position += agent.velocity * STEP as f32;
        }
    }

    /// Straight to each goal, at the speed that agents like.
    fn ways(&self) -> impl Iterator<Item = Vec2> {
        let way = |(agent, goal): (&Agent, &[f32; 2])| {
            (Vec2::from(*goal) - agent.position).normalize_or_zero() * SPEED as f32
        };
        self.agents.iter().zip(&self.goals).map(way)
    }

    fn far(&self) -> f64 {
        let both = self.agents.iter().zip(&self.goals);
        let sum: f64 =
            both.map(|(agent, goal)| f64::from(agent.position.distance(Vec2::from(*goal)))).sum();
        sum / self.agents.len() as f64
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).map(|at| &args[at + 1]);
    let is_test = args.iter().any(|arg| arg == "--test");
    let all = if is_test { AGENTS / 20 } else { AGENTS };
    let crowd = Crowd::new(value("--agents").map_or(Ok(all), |text| text.parse())?);
    if let Some(path) = value("--crowd") {
        return Ok(fs::write(path, crowd.text())?);
    }
    ThreadPoolBuilder::new().num_threads(1).build()?.install(|| {
        throng(&crowd, "throng, separation", Avoidance::Separation);
        throng(&crowd, "throng, ORCA", Avoidance::Orca);
        let mut dodgy = Dodgy::new(&crowd);
        measure("dodgy_2d", crowd.places.len(), &mut dodgy, Dodgy::step, Dodgy::far);
    });
    Ok(())
}
