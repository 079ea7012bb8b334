//! Runs of the scenarios, and what is measured on them.

use std::path::Path;

use throng::lane::Numbers;
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::{Order, Outcome, World, state};

/// A walker at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker {
    /// Index part of the id.
    pub(crate) id: u32,
    pub(crate) group: u16,
    pub(crate) pos: [f64; 2],
    pub(crate) vel: [f64; 2],
    pub(crate) has_arrived: bool,
}

impl Walker {
    /// In m/s.
    pub(crate) fn speed(&self) -> f64 {
        (self.vel[0] * self.vel[0] + self.vel[1] * self.vel[1]).sqrt()
    }
}

/// A scenario under way.
pub(crate) struct Run<N: Numbers> {
    plan: Plan,
    world: World<N>,
    scratch: Scratch<N>,
    /// Seconds of a tick.
    pub(crate) dt: f64,
    /// All walkers, by id.
    pub(crate) walkers: Vec<Walker>,
}

impl<N: Numbers> Run<N> {
    /// A scenario of `scenarios`, by its path without the ending, with another seed.
    pub(crate) fn new(name: &str, seed: u64) -> Self {
        Self::edited(name, seed, str::to_owned)
    }

    /// The same with another text.
    pub(crate) fn edited(name: &str, seed: u64, edit: impl Fn(&str) -> String) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        let mut def = ScenarioDef::parse(&edit(&text), name).unwrap_or_else(|e| panic!("{e}"));
        def.settings.seed = seed;
        let map = def.load_map(&|_| panic!("no map file")).unwrap_or_else(|e| panic!("{e}"));
        let plan = Plan::new(&def, map).unwrap_or_else(|e| panic!("{e}"));
        let world = World::new(plan.map.clone(), plan.settings).unwrap();
        let dt = world.dt();
        Self { plan, world, scratch: Scratch::new(), dt, walkers: Vec::new() }
    }

    /// One tick on.
    pub(crate) fn step(&mut self) {
        let now = self.world.tick_count();
        let orders: Vec<Order> = self.plan.orders_at(now).cloned().collect();
        tick(&mut self.world, &orders, &mut self.scratch);
        let done = |outcome: &Outcome| !outcome.is_refused();
        assert!(self.world.outcomes().iter().all(done), "{:?}", self.world.outcomes());
        let world = &self.world;
        let mut walkers: Vec<_> = (0..world.len())
            .map(|row| {
                let tag = world.tags()[row];
                let walker = Walker {
                    id: world.id(row).index,
                    group: tag.group,
                    pos: world.positions()[row].map(N::to_f64),
                    vel: world.velocities()[row].map(N::to_f64),
                    has_arrived: tag.state & state::ARRIVED != 0,
                };
                (world.id(row), walker)
            })
            .collect();
        walkers.sort_unstable_by_key(|&(id, _)| id);
        self.walkers.clear();
        self.walkers.extend(walkers.into_iter().map(|(_, walker)| walker));
    }

    /// Seconds since the start.
    pub(crate) fn time(&self) -> f64 {
        self.world.tick_count() as f64 * self.dt
    }

    /// How many ticks the scenario has.
    pub(crate) fn ticks(&self) -> u64 {
        self.plan.ticks
    }

    /// How many groups there are.
    pub(crate) fn groups(&self) -> usize {
        self.plan.orders_at(0).filter(|order| matches!(order, Order::Group { .. })).count()
    }
}

/// The straight line `y = a + b·x` of least squares, and R².
pub(crate) fn line(points: &[[f64; 2]]) -> [f64; 3] {
    let count = points.len() as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / count;
    let (mx, my) = (mean(0), mean(1));
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| f(p[0] - mx, p[1] - my)).sum();
    let (xx, xy, yy): (f64, f64, f64) =
        (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    let slope = xy / xx;
    [my - slope * mx, slope, xy * xy / (xx * yy)]
}
