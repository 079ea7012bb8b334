//! Worlds to run, and the threads to run them on.

use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Numeric;
use throng::tick::{Scratch, tick_with};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{DoorId, GroupId, state};

pub(crate) use super::golden::{assert_done, on_threads, shipped};
use super::terrain::Random;

/// A run: a map, and what is ordered when. Orders may name agents, so they see the world.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) map: Map,
    pub(crate) settings: Settings,
    pub(crate) ticks: u64,
    pub(crate) orders: Orders,
}

/// The orders of a tick, from its number and the ids of the world.
pub(crate) type Orders = Box<dyn Fn(u64, &Ids) -> Vec<Order> + Sync>;

/// The ids of a world, in the order of their indices, with the group of each.
pub(crate) type Ids = Vec<(throng::data::Id, u16)>;

/// The ids of a world.
pub(crate) fn ids<N: Numbers>(world: &World<N>) -> Ids {
    let rows = 0..world.len();
    let mut ids: Ids = rows.map(|row| (world.id(row), world.tags()[row].group)).collect();
    ids.sort_unstable();
    ids
}

impl Case {
    /// A shipped scenario as it would run.
    pub(crate) fn of(name: &'static str, agents: u64, ticks: u64) -> Self {
        let plan = shipped(name, Numeric::F32, agents);
        let (map, settings) = (plan.map.clone(), plan.settings);
        let orders = move |tick, _: &Ids| plan.orders_at(tick).cloned().collect();
        Self { name, map, settings, ticks, orders: Box::new(orders) }
    }

    /// Runs it in lanes `L`; calls `look` after every tick.
    pub(crate) fn run<L: Lane>(&self, mut look: impl FnMut(&World<L::Num>)) {
        let mut world = World::<L::Num>::new(self.map.clone(), self.settings).unwrap();
        let mut scratch = Scratch::new();
        for tick in 0..self.ticks {
            let orders = (self.orders)(tick, &ids(&world));
            tick_with::<L>(&mut world, &orders, &mut scratch, &mut ());
            look(&world);
        }
    }

    /// The digest after every tick.
    pub(crate) fn digests<L: Lane>(&self, threads: usize) -> Vec<u64> {
        on_threads(threads, || {
            let mut digests = Vec::new();
            self.run::<L>(|world| digests.push(state::digest(world)));
            digests
        })
    }
}

/// An open map with blocks of wall and slow ground, from a seed.
pub(crate) fn blocks(width: u32, height: u32, cell: f64, seed: u64) -> Map {
    let mut random = Random(seed);
    let mut cells = vec![16_u8; (width * height) as usize];
    for block in 0..width * height / 160 {
        let (x, y) = (random.below(width - 2), random.below(height - 2));
        let (wide, high) = (1 + random.below(5), 1 + random.below(5));
        let slowness = if block % 4 == 0 { 40 } else { 0 };
        for j in y..(y + high).min(height) {
            for i in x..(x + wide).min(width) {
                cells[(j * width + i) as usize] = slowness;
            }
        }
    }
    Map::from_slowness(width, height, cell, &cells)
}

/// Orders of every kind, among them bad ones, for three groups of different radii and for another
/// one that comes later; `side` is the map's side in metres.
pub(crate) fn campaign(tick: u64, ids: &Ids, side: f64) -> Vec<Order> {
    let rect = |x: f64, y: f64| Shape::Rect {
        min: [x * side, y * side],
        max: [(x + 0.25) * side, (y + 0.25) * side],
    };
    let group = |radius: f64, speed: f64| Order::Group {
        def: GroupDef { radius, speed, ..GroupDef::default() },
    };
    let go = |group: u16, x: f64, y: f64| Order::Move {
        group: GroupId::new(group),
        goal: vec![rect(x, y)],
    };
    let spawn = |group: u16, x: f64, y: f64, count: u32| Order::Spawn {
        group: GroupId::new(group),
        area: vec![rect(x, y)],
        count,
    };
    let point = |x: f64| Shape::Point { at: [x * side, x * side] };
    match tick {
        0 => vec![
            group(0.25, 1.4),
            group(0.4, 2.5),
            group(0.7, 4.0),
            spawn(0, 0.02, 0.02, 1_200),
            spawn(0, 0.7, 0.7, 1_200),
            spawn(1, 0.7, 0.02, 900),
            spawn(2, 0.02, 0.7, 300),
            go(0, 0.4, 0.4),
            go(1, 0.02, 0.7),
            go(2, 0.7, 0.02),
        ],
        20 => vec![Order::Stop { group: GroupId::new(1) }, group(0.3, 1.0), go(9, 0.0, 0.0)],
        25 => {
            let some = ids.iter().filter(|(id, group)| *group == 0 && id.index % 3 == 0);
            vec![
                Order::Assign { agents: some.map(|(id, _)| *id).collect(), group: GroupId::new(3) },
                Order::Move { group: GroupId::new(3), goal: vec![point(0.9)] },
            ]
        }
        40 => vec![
            go(1, 0.35, 0.02),
            Order::Remove { group: GroupId::new(0), area: Some(vec![rect(0.3, 0.3)]) },
            spawn(2, 0.4, 0.02, 100),
        ],
        60 => vec![go(0, 0.02, 0.02), spawn(1, 0.35, 0.7, 1_000_000), spawn(3, 0.35, 0.7, 400)],
        80 => vec![Order::Remove { group: GroupId::new(2), area: None }, go(3, 0.7, 0.7)],
        81 => vec![
            spawn(2, 0.7, 0.02, 200),
            go(2, 0.02, 0.02),
            Order::Stop { group: GroupId::new(0) },
        ],
        _ => Vec::new(),
    }
}

/// Two crowds that want through one door from both sides while it opens and closes, and walls beside it
/// come and go.
pub(crate) fn shutters() -> Case {
    let mut cells = vec![16_u8; 40 * 20];
    (0..20).for_each(|y| cells[y * 40 + 20] = 0);
    let map = Map::from_slowness(40, 20, 1.0, &cells);
    let settings = Settings { seed: 9, ..Settings::default() };
    let rect = |x0, y0, x1, y1| vec![Shape::Rect { min: [x0, y0], max: [x1, y1] }];
    let set = |open| vec![Order::SetDoor { door: DoorId::new(0), open }];
    let orders = move |tick, _: &Ids| match tick {
        0 => {
            let mut orders = vec![Order::Door { area: rect(20.0, 7.0, 21.0, 13.0), open: false }];
            let sides = [rect(2.0, 2.0, 17.0, 18.0), rect(24.0, 2.0, 38.0, 18.0)];
            for (index, area) in (0_u16..).zip(&sides) {
                let group = GroupId::new(index);
                orders.push(Order::Group { def: GroupDef::default() });
                orders.push(Order::Spawn { group, area: area.clone(), count: 60 });
            }
            let far = [rect(30.0, 4.0, 38.0, 16.0), rect(2.0, 4.0, 10.0, 16.0)];
            let goals = (0_u16..).zip(far);
            orders.extend(goals.map(|(index, goal)| {
                let group = GroupId::new(index);
                Order::Move { group, goal }
            }));
            orders
        }
        50 | 140 => set(true),
        90 | 170 => set(false),
        100 => vec![Order::Build { area: rect(18.0, 4.0, 23.0, 10.0) }],
        120 => vec![Order::Demolish { area: rect(16.0, 2.0, 26.0, 11.0) }],
        _ => Vec::new(),
    };
    Case { name: "shutters", map, settings, ticks: 200, orders: Box::new(orders) }
}

/// A world where everything happens: three radii, slow ground, all kinds of orders.
pub(crate) fn busy() -> Case {
    let map = blocks(96, 96, 1.0, 11);
    let settings = Settings { field_cells_per_tick: 4_000, seed: 5, ..Settings::default() };
    let orders = |tick, ids: &Ids| campaign(tick, ids, 96.0);
    Case { name: "busy", map, settings, ticks: 130, orders: Box::new(orders) }
}
