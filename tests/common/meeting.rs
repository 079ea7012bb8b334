//! Groups that meet: run until all agents have arrived, and watched at every tick.

use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Num;
use throng::scenario::Plan;
use throng::state;
use throng::tick::{Scratch, tick_with};
use throng::world::state::ARRIVED;
use throng::world::{GroupDef, Order, Outcome, Settings, World};

use super::sweep::Sweep;

/// Where a group goes.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// Nowhere.
    Stand,
    /// Every agent to the point opposite its own across this one.
    Opposite([f64; 2]),
    /// To an area.
    Goal(Vec<Shape>),
}

/// A group: what it is like, where its agents start, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct Party {
    pub(crate) def: GroupDef,
    pub(crate) starts: Vec<[f64; 2]>,
    pub(crate) way: Way,
}

/// Groups that meet on a map.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) map: Map,
    pub(crate) settings: Settings,
    pub(crate) parties: Vec<Party>,
}

/// How a meeting went. Agents are told apart by their index in the order of the parties.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Met {
    /// Ticks until all agents had arrived, or as many as were allowed.
    pub(crate) ticks: u32,
    /// Agents on their way that had not arrived by then.
    pub(crate) missing: usize,
    /// The deepest overlap at any tick, in radii of the smaller, and after how many ticks.
    pub(crate) deepest: (f64, u32),
    /// The digest after every tick.
    pub(crate) digests: Vec<u64>,
    /// The positions of every agent after every tick.
    pub(crate) tracks: Vec<Vec<[f64; 2]>>,
}

impl Meeting {
    /// The groups of a plan, all of whose agents start at points.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut parties: Vec<Party> = Vec::new();
        for order in plan.orders_at(0) {
            let party = order.group().map(usize::from);
            match order {
                Order::Group { def } => {
                    parties.push(Party { def: def.clone(), starts: Vec::new(), way: Way::Stand });
                }
                Order::Spawn { area, .. } => parties[party.unwrap()].starts.extend(points(area)),
                Order::Move { goal, .. } => parties[party.unwrap()].way = Way::Goal(goal.clone()),
                Order::Opposite { centre, .. } => {
                    parties[party.unwrap()].way = Way::Opposite(*centre);
                }
                _ => panic!("{order:?}"),
            }
        }
        Self { map: plan.map.clone(), settings: plan.settings, parties }
    }

    /// The world at the start, and the orders of the first tick.
    fn start<N: Numbers>(&self) -> (World<N>, Vec<Order>) {
        let mut world = World::new(self.map.clone(), self.settings).unwrap();
        let mut orders = Vec::new();
        for Party { def, starts, way } in &self.parties {
            let group = world.add_group(def.clone()).unwrap();
            world.spawn(group, starts).unwrap();
            match way {
                Way::Stand => {}
                Way::Opposite(centre) => orders.push(Order::Opposite { group, centre: *centre }),
                Way::Goal(goal) => orders.push(Order::Move { group, goal: goal.clone() }),
            }
        }
        (world, orders)
    }

    /// Runs until all agents that are sent somewhere have arrived, for `most` ticks at most.
    pub(crate) fn run<L: Lane>(&self, most: u32) -> Met {
        let (mut world, orders) = self.start::<L::Num>();
        let (mut scratch, mut sweep) = (Scratch::new(), Sweep::default());
        let mut met = Met {
            ticks: 0,
            missing: usize::MAX,
            deepest: (sweep.deepest(&world), 0),
            digests: Vec::new(),
            tracks: vec![Vec::new(); world.len()],
        };
        while met.missing > 0 && met.ticks < most {
            let orders = if met.ticks == 0 { &orders[..] } else { &[] };
            tick_with::<L>(&mut world, orders, &mut scratch, &mut ());
            let done = world.outcomes().iter().all(|o| !o.is_refused());
            assert!(done, "{:?}", world.outcomes());
            met.ticks += 1;
            let depth = sweep.deepest(&world);
            if depth > met.deepest.0 {
                met.deepest = (depth, met.ticks);
            }
            met.digests.push(state::digest(&world));
            for (pos, tag) in world.positions().iter().zip(world.tags()) {
                met.tracks[tag.id as usize].push(pos.map(|p| p.to_f64()));
            }
            met.missing = self.missing(&world);
        }
        state::validate(&world).unwrap();
        met
    }

    fn missing<N: Numbers>(&self, world: &World<N>) -> usize {
        let stands = |group: u16| matches!(self.parties[usize::from(group)].way, Way::Stand);
        let walkers = world.tags().iter().filter(|tag| !stands(tag.group));
        walkers.filter(|tag| tag.state & ARRIVED == 0).count()
    }

    /// Ticks that it takes the first agent of every group when it is alone on the map.
    pub(crate) fn free_one<N: Numbers>(&self, most: u32) -> u32 {
        let first = |party: &Party| Party { starts: vec![party.starts[0]], ..party.clone() };
        let parties = self.parties.iter().map(first).collect();
        Self { parties, ..self.clone() }.free::<N>(most)
    }

    /// Ticks that it takes when every group is alone on the map.
    pub(crate) fn free<N: Numbers>(&self, most: u32) -> u32 {
        let alone = |party: &Party| {
            let met = Self { parties: vec![party.clone()], ..self.clone() }.run::<N::Wide>(most);
            assert_eq!(met.missing, 0, "alone, everybody arrives");
            met.ticks
        };
        let sent = self.parties.iter().filter(|party| !matches!(party.way, Way::Stand));
        sent.map(alone).max().expect("somebody is sent somewhere")
    }
}

fn points(area: &[Shape]) -> impl Iterator<Item = [f64; 2]> {
    area.iter().map(|shape| match shape {
        Shape::Point { at } => *at,
        _ => panic!("agents start at points, not in {shape:?}"),
    })
}

impl Met {
    /// The largest distance of an agent from where it started, along an axis.
    pub(crate) fn aside(&self, agent: usize, axis: usize) -> f64 {
        let track = &self.tracks[agent];
        track.iter().map(|pos| (pos[axis] - track[0][axis]).abs()).fold(0.0, f64::max)
    }

    /// Where an agent is at the end.
    pub(crate) fn end(&self, agent: usize) -> [f64; 2] {
        *self.tracks[agent].last().expect("a run of one tick at least")
    }

    /// Panics unless all agents have arrived, in time, and no two overlapped by more than `depth`
    /// radii at any tick.
    pub(crate) fn check(&self, what: &str, most: f64, depth: f64) {
        let Self { ticks, missing, deepest: (deepest, at), .. } = self;
        eprintln!("{what}: {ticks} ticks, {missing} missing, {deepest:.4} radii deep at {at}");
        assert_eq!(*missing, 0, "{what}: somebody has not arrived after {ticks} ticks");
        assert!(f64::from(*ticks) <= most, "{what}: {ticks} ticks, more than {most}");
        assert!(*deepest <= depth, "{what}: {deepest} radii deep after {at} ticks");
    }
}
