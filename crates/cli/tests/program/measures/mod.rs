//! Measures of a run against plain calculations on situations made by hand, and whole runs against
//! a recount from positions.

mod gates;
mod ground;
mod voronoi;
mod ways;
mod written;

use throng::report::measure::{Measures, Options};
use throng::report::{ARRIVED, Crowd, ORDERED};
use throng::scenario::{Plan, ScenarioDef};

/// 20 ticks a second on 40 × 20 cells of 1 m, with these tables after it.
pub(crate) fn plan(tables: &str) -> Plan {
    let text = format!(
        "ticks = 100000\n[map]\nsize = [40, 20]\n\
         [[group]]\nname = \"a\"\nspawn = {{ point = [1.5, 1.5] }}\n\
         [[group]]\nname = \"b\"\nspawn = {{ point = [1.5, 18.5] }}\n{tables}"
    );
    plan_of(&text)
}

pub(crate) fn plan_of(text: &str) -> Plan {
    let def = ScenarioDef::parse(text, "made").unwrap_or_else(|error| panic!("{error}"));
    let map = def.load_map(&|path| panic!("{path}")).unwrap();
    Plan::new(&def, map).unwrap_or_else(|error| panic!("{error}"))
}

/// An agent at one moment: id, group, flags, position, velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) id: u32,
    pub(crate) group: u16,
    pub(crate) flags: u8,
    pub(crate) pos: [f32; 2],
    pub(crate) vel: [f32; 2],
}

impl Agent {
    pub(crate) fn at(id: u32, x: f64, y: f64) -> Self {
        let pos = [x as f32, y as f32];
        Self { id, group: 0, flags: ORDERED, pos, vel: [0.0; 2] }
    }

    pub(crate) fn walking(mut self, x: f64, y: f64) -> Self {
        self.vel = [x as f32, y as f32];
        self
    }

    pub(crate) fn of(mut self, group: u16) -> Self {
        self.group = group;
        self
    }

    pub(crate) fn arrived(mut self) -> Self {
        self.flags = ORDERED | ARRIVED;
        self
    }
}

/// A plan, its measures, and the tick.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    pub(crate) measures: Measures,
    pub(crate) tick: u64,
}

impl Bench {
    /// Two groups of radius 0.3 m and 0.5 m; a sample every tick, nothing left out of means.
    pub(crate) fn new(tables: &str) -> Self {
        let plan = plan(tables);
        let measures =
            Measures::new(&plan, Options { every: 1, warm_up_s: 0.0, ..Options::default() });
        Self { plan, measures, tick: 0 }
    }

    /// A tick after which the crowd is this; rows turn round from tick to tick.
    pub(crate) fn tick(&mut self, agents: &[Agent]) {
        self.tick += 1;
        let mut rows = agents.to_vec();
        rows.rotate_left(self.tick as usize % agents.len().max(1));
        let crowd = Crowd {
            positions: &rows.iter().map(|row| row.pos).collect::<Vec<_>>(),
            groups: &rows.iter().map(|row| row.group).collect::<Vec<_>>(),
            flags: &rows.iter().map(|row| row.flags).collect::<Vec<_>>(),
            ids: &rows.iter().map(|row| row.id).collect::<Vec<_>>(),
            sizes: &[],
            radii: &[0.3, 0.5],
            colours: &[[0; 3]; 2],
        };
        let velocities: Vec<[f32; 2]> = rows.iter().map(|row| row.vel).collect();
        self.measures.look(self.tick, &self.plan.map, &crowd, &velocities);
    }
}

/// Asserts that two numbers agree to a share of 1e-9, or so many metres.
pub(crate) fn near(found: f64, wanted: f64, slack: f64) {
    assert!((found - wanted).abs() <= slack, "{found} is not {wanted} ± {slack}");
}
