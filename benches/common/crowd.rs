//! Crowds for benches: an open field with blocks, and four groups that walk diagonally through
//! each other.

use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{hash3, unit_f64};
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Outcome, Settings, World};

/// Distance from one block's corner to the next one's, and a block's side, in metres.
const PITCH: u32 = 48;
const BLOCK: u32 = 8;

/// Ticks before a crowd counts: its fields are done and the worst overlaps gone.
const WARM_UP: usize = 30;

/// A crowd that can be built again and again, the same each time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd {
    pub(crate) agents: u32,
    /// Agents on a square metre of open ground.
    pub(crate) density: f64,
    /// Whether the groups stand mixed from the start, and not each in its quarter.
    pub(crate) mixed: bool,
}

impl Crowd {
    pub(crate) fn mixed(agents: u32, density: f64) -> Self {
        Self { agents, density, mixed: true }
    }

    /// The side of the map in metres and cells, so that the agents fit between the blocks.
    fn side(self) -> u32 {
        let share = 1.0 - f64::from(BLOCK * BLOCK) / f64::from(PITCH * PITCH);
        (f64::from(self.agents) / self.density / share).sqrt().ceil() as u32 + 2
    }

    fn is_wall(x: u32, y: u32) -> bool {
        let inside = |v: u32| (20..20 + BLOCK).contains(&(v % PITCH));
        inside(x) && inside(y)
    }

    fn map(self) -> Map {
        let side = self.side();
        let cell = |i: u32| if Self::is_wall(i % side, i / side) { 0 } else { 16 };
        let cells: Vec<u8> = (0..side * side).map(cell).collect();
        Map::from_slowness(side, side, 1.0, &cells)
    }

    /// A shaken lattice on the open ground, for each group.
    fn places(self) -> [Vec<[f64; 2]>; 4] {
        let side = f64::from(self.side());
        let step = self.density.sqrt().recip();
        let columns = (side / step) as u32;
        let mut places: [Vec<[f64; 2]>; 4] = Default::default();
        let mut placed = 0;
        for i in 0..columns * columns {
            let shaken = |axis: u64, at: u32| {
                let shake = unit_f64(hash3(5, axis, u64::from(i)));
                (f64::from(at) + 0.1 + 0.8 * shake) * step
            };
            let at = [shaken(0, i % columns), shaken(1, i / columns)];
            if placed == self.agents || Self::is_wall(at[0] as u32, at[1] as u32) {
                continue;
            }
            let quarter = usize::from(at[0] > side / 2.0) + 2 * usize::from(at[1] > side / 2.0);
            let group = if self.mixed { (hash3(6, 0, u64::from(i)) % 4) as usize } else { quarter };
            places[group].push(at);
            placed += 1;
        }
        places
    }

    /// The world, with every group on its way to the opposite corner for a while.
    pub(crate) fn world<N: Numbers>(self) -> World<N> {
        // All fields are done in the first tick, whatever their size.
        let settings = Settings { field_cells_per_tick: 1 << 30, ..Settings::default() };
        let mut world = World::<N>::new(self.map(), settings).expect("a map that fits");
        let side = f64::from(self.side());
        let mut orders = Vec::new();
        for (group, places) in self.places().iter().enumerate() {
            let index = world.add_group(GroupDef::default()).expect("a good group");
            world.spawn(index, places).expect("open places");
            let corner = [1 - group % 2, 1 - group / 2].map(|far| far as f64 * (side - 18.0));
            let goal = Shape::Rect { min: corner.map(|c| c + 1.0), max: corner.map(|c| c + 17.0) };
            orders.push(Order::Move { group: index, goal: vec![goal] });
        }
        let mut scratch = Scratch::new();
        tick(&mut world, &orders, &mut scratch);
        let done = |outcome: &Outcome| !outcome.is_refused();
        assert!(world.outcomes().iter().all(done), "{:?}", world.outcomes());
        for _ in 0..WARM_UP {
            tick(&mut world, &[], &mut scratch);
        }
        let ready = |id| world.fields().directions(id).is_some();
        assert!(world.groups().iter().all(|group| group.field().is_some_and(ready)));
        world
    }
}
