//! A world to act on, for tests of behaviour.

use throng::GroupId;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Outcome, Settings, World, state};

/// A world and its scratch memory.
#[derive(Clone)]
pub(crate) struct Stage<N: Numbers> {
    pub(crate) world: World<N>,
    scratch: Scratch<N>,
}

/// Where an agent is and how it moves, in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) id: Id,
    pub(crate) pos: [f64; 2],
    pub(crate) vel: [f64; 2],
    pub(crate) group: u16,
    pub(crate) state: u8,
}

impl Body {
    pub(crate) fn speed(&self) -> f64 {
        length(self.vel)
    }

    pub(crate) fn has_arrived(&self) -> bool {
        self.state & state::ARRIVED != 0
    }
}

pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    length([a[0] - b[0], a[1] - b[1]])
}

pub(crate) fn point(x: f64, y: f64) -> Vec<Shape> {
    vec![Shape::Point { at: [x, y] }]
}

pub(crate) fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<Shape> {
    vec![Shape::Rect { min: [x0, y0], max: [x1, y1] }]
}

pub(crate) fn disc(x: f64, y: f64, radius: f64) -> Vec<Shape> {
    vec![Shape::Disc { centre: [x, y], radius }]
}

/// A map of plain ground with walls in these rectangles of cells: x0, y0, x1, y1.
pub(crate) fn map(width: u32, height: u32, walls: &[[u32; 4]]) -> Map {
    let mut cells = vec![16; (width * height) as usize];
    for &[x0, y0, x1, y1] in walls {
        for y in y0..y1 {
            cells[(y * width + x0) as usize..(y * width + x1) as usize].fill(0);
        }
    }
    Map::from_slowness(width, height, 1.0, &cells)
}

impl<N: Numbers> Stage<N> {
    pub(crate) fn new(map: Map) -> Self {
        Self::with(map, Settings::default())
    }

    pub(crate) fn with(map: Map, settings: Settings) -> Self {
        Self { world: World::new(map, settings).unwrap(), scratch: Scratch::new() }
    }

    /// A group with agents at these places.
    pub(crate) fn group(&mut self, def: GroupDef, places: &[[f64; 2]]) -> GroupId {
        let group = self.world.add_group(def).unwrap();
        self.world.spawn(group, places).unwrap();
        group
    }

    /// Ticks with an order and says what became of it.
    pub(crate) fn order(&mut self, order: Order) -> Outcome {
        tick(&mut self.world, &[order], &mut self.scratch);
        self.world.outcomes()[0].clone()
    }

    /// Ticks with orders, none of which is refused.
    pub(crate) fn orders(&mut self, orders: &[Order]) {
        tick(&mut self.world, orders, &mut self.scratch);
        let outcomes = self.world.outcomes();
        assert!(outcomes.iter().all(|outcome| !outcome.is_refused()));
    }

    /// Sends a group somewhere; panics when that is refused.
    pub(crate) fn send(&mut self, group: GroupId, goal: Vec<Shape>) {
        let outcome = self.order(Order::Move { group, goal });
        assert!(!outcome.is_refused(), "{outcome:?}");
    }

    pub(crate) fn tick(&mut self) {
        tick(&mut self.world, &[], &mut self.scratch);
    }

    /// Ticks until something holds, at most so often; says after how many ticks.
    pub(crate) fn until(&mut self, most: u32, holds: impl Fn(&Self) -> bool) -> Option<u32> {
        for ticks in 0..most {
            if holds(self) {
                return Some(ticks);
            }
            self.tick();
        }
        holds(self).then_some(most)
    }

    /// Ticks until all agents have arrived and rest for a second, at most so often; says after how
    /// many ticks that second began.
    pub(crate) fn until_rest(&mut self, most: u32) -> Option<u32> {
        let second = self.world.settings().tick_rate;
        let mut resting = 0;
        for ticks in 0..most {
            let rests = self.world.velocities().iter().all(|vel| *vel == [N::ZERO; 2]);
            resting = if rests && self.all_arrived() { resting + 1 } else { 0 };
            if resting == second {
                return Some(ticks + 1 - second);
            }
            self.tick();
        }
        None
    }

    /// All agents, by id.
    pub(crate) fn bodies(&self) -> Vec<Body> {
        let world = &self.world;
        let body = |row: usize| Body {
            id: world.id(row),
            pos: world.positions()[row].map(N::to_f64),
            vel: world.velocities()[row].map(N::to_f64),
            group: world.tags()[row].group,
            state: world.tags()[row].state,
        };
        let mut bodies: Vec<Body> = (0..world.len()).map(body).collect();
        bodies.sort_by_key(|body| body.id);
        bodies
    }

    /// The only agent.
    pub(crate) fn one(&self) -> Body {
        assert_eq!(self.world.len(), 1);
        self.bodies()[0]
    }

    /// The smallest distance of two agents.
    pub(crate) fn closest(&self) -> f64 {
        let bodies = self.bodies();
        let mut least = f64::INFINITY;
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[..i] {
                least = least.min(distance(a.pos, b.pos));
            }
        }
        least
    }

    pub(crate) fn all_arrived(&self) -> bool {
        self.world.arrived() == self.world.len()
    }
}
