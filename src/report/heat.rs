//! Where a crowd was: density, speed, first arrival and use, square by square, over a whole run.

use crate::lane::Numbers;
use crate::map::Map;
use crate::math::each::Each;
use crate::report::ARRIVED;
use crate::report::columns::Columns;
use crate::world::World;

/// Squares along the longer side of a map when nothing is said, at most.
const SQUARES: f64 = 256.0;

/// The least side of a square when nothing is said, metres: an agent's place.
const LEAST: f64 = 0.5;

/// Looks a simulated second: as often as an agent may cross a square.
const PER_SECOND: f64 = 5.0;

/// Squares that an agent has entered last and that do not count again.
const RECENT: usize = 4;

/// No square.
const NOWHERE: u32 = u32::MAX;

/// One square of a raster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Square {
    /// Agents that were there, summed over all looks.
    pub agents: u64,
    /// Agents that had not arrived, summed over all looks.
    pub under_way: u64,
    /// Sum of the speeds of agents that had not arrived, m/s.
    pub speed: f64,
    /// Ticks done when an agent was seen there first, and one more; 0 for never.
    pub first: u64,
    /// How often agents entered it; one that comes back from next to it does not count again.
    pub entered: u64,
}

/// What a raster shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Mean density over time, agents/m².
    Density,
    /// Mean speed of agents that have not arrived, m/s.
    Speed,
    /// Time at which an agent was there first, seconds.
    First,
    /// How many agents entered.
    Usage,
}

impl Heat {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Density, Self::Speed, Self::First, Self::Usage];

    /// The name, as of a file.
    pub fn name(self) -> &'static str {
        ["density", "speed", "first", "usage"][self as usize]
    }

    /// What the numbers mean, with their unit.
    pub fn label(self) -> &'static str {
        [
            "mean density (persons/m²)",
            "mean speed under way (m/s)",
            "first arrival (s)",
            "agents that entered",
        ][self as usize]
    }
}

/// A raster of squares over a map that collects where a crowd was. Feed it every tick.
#[derive(Clone, Debug)]
pub struct HeatMeter {
    side: f64,
    size: [u32; 2],
    dt: f64,
    every: u64,
    looks: u64,
    squares: Vec<Square>,
    columns: Columns,
    /// By id index: generation, and the squares that it entered last, the newest first.
    recent: Vec<(u32, [u32; RECENT])>,
}

impl HeatMeter {
    /// An empty raster for a world with ticks of `dt` seconds; `side` of a square in metres, for which
    /// there is a choice that fits people and the map.
    ///
    /// # Panics
    /// When the side or `dt` is not positive and finite.
    pub fn new(map: &Map, dt: f64, side: Option<f64>) -> Self {
        let extent = [map.width(), map.height()].each(|cells| f64::from(cells) * map.cell_size());
        let side = side.unwrap_or((extent[0].max(extent[1]) / SQUARES).max(LEAST));
        assert!(side > 0.0 && side.is_finite(), "{side} m is no side of a square");
        assert!(dt > 0.0 && dt.is_finite(), "a tick of {dt} s");
        let size = extent.each(|extent| (extent / side).ceil().max(1.0) as u32);
        Self {
            side,
            size,
            dt,
            every: (1.0 / dt / PER_SECOND).round().max(1.0) as u64,
            looks: 0,
            squares: vec![Square::default(); size[0] as usize * size[1] as usize],
            columns: Columns::default(),
            recent: Vec::new(),
        }
    }

    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        let tick = world.tick_count();
        if !tick.is_multiple_of(self.every) {
            return;
        }
        self.looks += 1;
        let mut columns = std::mem::take(&mut self.columns);
        columns.load(world);
        let (crowd, velocities) = (columns.crowd(), columns.velocities());
        for (row, (&position, &velocity)) in crowd.positions.iter().zip(velocities).enumerate() {
            let Some(index) = self.index(position) else { continue };
            let square = &mut self.squares[index as usize];
            square.agents += 1;
            if square.first == 0 {
                square.first = tick + 1;
            }
            if crowd.flags[row] & ARRIVED == 0 {
                let [x, y] = velocity.each(f64::from);
                square.under_way += 1;
                square.speed += (x * x + y * y).sqrt();
            }
            let id = world.id(row);
            self.enter(id.index as usize, id.generation, index);
        }
        self.columns = columns;
    }

    /// Counts an agent that has entered a square.
    fn enter(&mut self, id: usize, generation: u32, index: u32) {
        if id >= self.recent.len() {
            self.recent.resize(id + 1, (0, [NOWHERE; RECENT]));
        }
        let (known, recent) = &mut self.recent[id];
        if *known != generation {
            (*known, *recent) = (generation, [NOWHERE; RECENT]);
        }
        if !recent.contains(&index) {
            self.squares[index as usize].entered += 1;
            recent.rotate_right(1);
            recent[0] = index;
        }
    }

    fn index(&self, position: [f32; 2]) -> Option<u32> {
        let [x, y] = position.each(|at| (f64::from(at) / self.side).floor());
        let inside = |at: f64, size: u32| (0.0..f64::from(size)).contains(&at);
        let is_inside = inside(x, self.size[0]) && inside(y, self.size[1]);
        is_inside.then(|| y as u32 * self.size[0] + x as u32)
    }

    /// The side of a square in metres.
    pub fn side(&self) -> f64 {
        self.side
    }

    /// Squares in a row, and rows.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// How often it has looked.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// The squares, row by row.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// What a square shows; `None` where no agent ever was, or none under way.
    pub fn value(&self, square: &Square, heat: Heat) -> Option<f64> {
        match heat {
            Heat::Density => {
                let area = self.side * self.side * self.looks.max(1) as f64;
                (square.agents > 0).then(|| square.agents as f64 / area)
            }
            Heat::Speed => (square.under_way > 0).then(|| square.speed / square.under_way as f64),
            Heat::First => (square.first > 0).then(|| (square.first - 1) as f64 * self.dt),
            Heat::Usage => (square.entered > 0).then_some(square.entered as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Heat, HeatMeter};
    use crate::data::GroupId;
    use crate::map::area::Shape;
    use crate::map::{Map, PLAIN};
    use crate::tick::{Scratch, tick};
    use crate::world::{GroupDef, Order, Settings, World};

    /// One agent walks along a street: what each square shows follows from its way.
    #[test]
    fn a_walker_leaves_its_way() {
        let map = Map::from_slowness(40, 5, 1.0, &[PLAIN; 200]);
        let mut world = World::<f32>::new(map, Settings::default()).unwrap();
        let group = GroupId::new(0);
        let goal = vec![Shape::point([38.5, 2.5])];
        let orders = [
            Order::Group { def: GroupDef::default() },
            Order::Spawn { group, area: vec![Shape::disc([2.5, 2.5], 0.4)], count: 1 },
            Order::Move { group, goal },
        ];
        let mut heat = HeatMeter::new(world.map(), world.dt(), Some(2.0));
        assert_eq!(heat.size(), [20, 3]);
        let (mut scratch, mut seen) = (Scratch::new(), Vec::new());
        let mut orders = &orders[..];
        while world.arrived() == 0 {
            tick(&mut world, orders, &mut scratch);
            orders = &[];
            heat.observe(&world);
            if world.tick_count().is_multiple_of(4) {
                seen.push((world.tick_count(), world.positions()[0][0]));
            }
            assert!(world.tick_count() < 2_000, "it never comes");
        }
        assert_eq!(heat.looks(), seen.len() as u64);
        let row = &heat.squares()[20..40];
        for (column, square) in row.iter().enumerate() {
            let there = seen.iter().filter(|(_, x)| (x / 2.0) as usize == column);
            let (looks, first) = (there.clone().count() as u64, there.clone().next());
            assert_eq!(square.agents, looks, "column {column}");
            let first = first.map(|(tick, _)| *tick as f64 * world.dt());
            assert_eq!(heat.value(square, Heat::First), first);
            assert_eq!(heat.value(square, Heat::Usage), (looks > 0).then_some(1.0));
            let density = looks as f64 / 4.0 / heat.looks() as f64;
            assert_eq!(heat.value(square, Heat::Density), (looks > 0).then_some(density));
        }
        let speed = heat.value(&row[10], Heat::Speed).unwrap();
        let wanted = GroupDef::default().speed;
        assert!((speed - wanted).abs() < 0.1 * wanted, "{speed} m/s, not {wanted}");
        let others = heat.squares()[..20].iter().chain(&heat.squares()[40..]);
        assert!(others.clone().all(|square| heat.value(square, Heat::Usage).is_none()));
    }
}
