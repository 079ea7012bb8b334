//! The index of agents against plain loops over the columns, and the flow at a point against the
//! field and against agents that follow it.

use crate::common::cases;
use crate::common::stage::{distance, length};
use crate::common::terrain::Random;
use proptest::prelude::*;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::map::{Legend, Map};
use throng::math::Fx;
use throng::nav::field::direction;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{Agent, AgentIndex, GroupId};

/// All agents, in the order of rows.
fn everybody<N: Numbers>(world: &World<N>) -> Vec<Agent> {
    let agent = |row: usize| {
        let (tag, pos) = (world.tags()[row], world.positions()[row].map(N::to_f64));
        Agent { id: world.id(row), row, group: GroupId::new(tag.group), state: tag.state, pos }
    };
    (0..world.len()).map(agent).collect()
}

fn nearest(all: &[Agent], at: [f64; 2], most: usize, reach: f64, group: GroupId) -> Vec<Agent> {
    let square = |agent: &Agent| {
        let [dx, dy] = [agent.pos[0] - at[0], agent.pos[1] - at[1]];
        dx * dx + dy * dy
    };
    let mut found: Vec<Agent> = all.iter().filter(|agent| agent.group != group).copied().collect();
    found.retain(|agent| square(agent) <= reach * reach);
    found.sort_by(|a, b| square(a).partial_cmp(&square(b)).unwrap().then(a.id.cmp(&b.id)));
    found.truncate(most);
    found
}

fn within(all: &[Agent], area: &[Shape], group: GroupId) -> Vec<Agent> {
    let mut found = all.to_vec();
    found.retain(|agent| agent.group != group);
    found.retain(|agent| area.iter().any(|shape| shape.contains(agent.pos[0], agent.pos[1])));
    found.sort_by_key(|agent| agent.id);
    found
}

/// A case: the map's sides and cell size, where agents stand, and a seed for what is asked.
#[derive(Clone, Debug)]
struct Case {
    cells: [u32; 2],
    cell_size: f64,
    /// In quarter metres of the map or of its upper left corner, with the group.
    agents: Vec<(u32, u32, u16)>,
    crowded: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let size = prop_oneof![Just(0.5), Just(1.0), Just(20.0)];
    let agents = prop::collection::vec((0..1_000_000_u32, 0..1_000_000_u32, 0..3_u16), 0..150);
    ([1..90_u32, 1..90_u32], size, agents, any::<bool>(), any::<u64>()).prop_map(
        |(cells, cell_size, agents, crowded, seed)| Case {
            cells,
            cell_size,
            agents,
            crowded,
            seed,
        },
    )
}

/// A coordinate in quarter metres, so that many agents are equally far from a point.
fn quarter(random: &mut Random, least: f64, most: f64) -> f64 {
    least + 0.25 * f64::from(random.below((4.0 * (most - least)) as u32 + 1))
}

impl Case {
    fn world<N: Numbers>(&self) -> World<N> {
        let [width, height] = self.cells;
        let cells = vec![16; (width * height) as usize];
        let map = Map::from_slowness(width, height, self.cell_size, &cells);
        let mut world = World::<N>::new(map, Settings::default()).unwrap();
        for group in 0..3 {
            world.add_group(GroupDef { radius: 0.2, ..GroupDef::default() }).unwrap();
            let [width, height] = self.cells.map(|n| {
                let side = f64::from(n) * self.cell_size;
                ((4.0 * if self.crowded { side.min(5.0) } else { side }) as u32).max(1)
            });
            let own = self.agents.iter().filter(|agent| agent.2 == group);
            let places = own.map(|&(x, y, _)| [x % width, y % height].map(|c| f64::from(c) / 4.0));
            world.spawn(GroupId::new(group), &places.collect::<Vec<_>>()).unwrap();
        }
        world
    }

    fn shape(&self, random: &mut Random) -> Shape {
        let [width, height] = self.cells.map(|n| f64::from(n) * self.cell_size);
        let mut at = || [quarter(random, -5.0, width + 5.0), quarter(random, -5.0, height + 5.0)];
        let (a, b, c) = (at(), at(), at());
        match random.below(5) {
            0 => Shape::Point { at: a },
            1 => Shape::Disc { centre: a, radius: quarter(random, 0.0, width) },
            2 => Shape::Polygon { corners: vec![a, b, c] },
            // Sometimes with its corners swapped.
            3 => Shape::Rect { min: a, max: b },
            _ => Shape::Rect { min: a, max: [a[0] + 3.0, a[1] + 3.0] },
        }
    }

    fn check<N: Numbers>(&self) {
        let mut world = self.world::<N>();
        let mut index = AgentIndex::new();
        index.load(&world);
        self.compare(&world, &index);
        // Afterwards the same index serves a crowd that has moved, and of which some are gone.
        let ids: Vec<Id> = (0..world.len()).map(|row| world.id(row)).collect();
        let goal = vec![Shape::Point { at: [0.1, 0.1] }];
        let orders = [
            Order::Remove { group: GroupId::new(1), area: None },
            Order::Move { group: GroupId::new(0), goal },
        ];
        let mut scratch = Scratch::new();
        tick(&mut world, &orders, &mut scratch);
        (0..5).for_each(|_| tick(&mut world, &[], &mut scratch));
        world.spawn(GroupId::new(2), &[[0.25, 0.25]]).unwrap();
        index.load(&world);
        self.compare(&world, &index);
        for id in ids {
            assert_eq!(index.agent(id).is_some(), world.is_alive(id));
        }
    }

    fn compare<N: Numbers>(&self, world: &World<N>, index: &AgentIndex<N>) {
        let all = everybody(world);
        assert_eq!((index.len(), index.tick_count()), (all.len(), world.tick_count()));
        for agent in &all {
            assert_eq!(index.agent(agent.id), Some(*agent));
        }
        let mut random = Random(self.seed);
        let [width, height] = self.cells.map(|n| f64::from(n) * self.cell_size);
        for _ in 0..20 {
            let group = GroupId::new(random.below(4) as u16);
            let keep = |agent: &Agent| agent.group != group;
            let at = [quarter(&mut random, -9.0, width + 9.0), quarter(&mut random, -9.0, height)];
            let most = [0, 1, 3, 40, 1_000, usize::MAX][random.below(6) as usize];
            let reach = [0.0, 0.75, quarter(&mut random, 0.0, width), f64::INFINITY];
            let reach = reach[random.below(4) as usize];
            let found = index.nearest(at, most, reach, keep);
            assert_eq!(found, nearest(&all, at, most, reach, group), "{most} {reach} {at:?}");
            let area: Vec<Shape> = (0..random.below(4)).map(|_| self.shape(&mut random)).collect();
            let inside = within(&all, &area, group);
            assert_eq!(index.within(&area, keep), inside, "{area:?}");
            let inside = within(&all, &area, GroupId::new(u16::MAX));
            let count = |group| inside.iter().filter(|agent| agent.group == group).count() as u32;
            assert_eq!(index.counts(&area), [0, 1, 2].map(GroupId::new).map(count), "{area:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn an_index_answers_as_plain_loops_do(case in case()) {
        case.check::<f32>();
        case.check::<Fx>();
    }
}

/// The questions of the cases have answers of every kind: no agent, some of the near ones, all of
/// them, and several at one distance.
#[test]
fn the_questions_have_answers() {
    let agents = (0..100).map(|i| (i * 7, i * 13, (i % 3) as u16)).collect();
    let case = Case { cells: [30, 20], cell_size: 1.0, agents, crowded: false, seed: 1 };
    let all = everybody(&case.world::<f32>());
    let mut random = Random(1);
    let (mut sizes, mut ties) = (Vec::new(), 0);
    for _ in 0..200 {
        let at = [quarter(&mut random, 0.0, 30.0), quarter(&mut random, 0.0, 20.0)];
        let near = nearest(&all, at, 40, f64::INFINITY, GroupId::new(9));
        ties +=
            near.windows(2).filter(|p| distance(p[0].pos, at) == distance(p[1].pos, at)).count();
        sizes.push(within(&all, &[case.shape(&mut random)], GroupId::new(9)).len());
    }
    assert!(ties > 50, "{ties} ties");
    let some = sizes.iter().filter(|&&size| size > 0 && size < all.len()).count();
    assert!(some > 50 && sizes.contains(&0), "{sizes:?}");
}

#[test]
fn bad_questions_have_empty_answers() {
    let map = Map::from_slowness(9, 9, 1.0, &[16; 81]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    world.add_group(GroupDef::default()).unwrap();
    world.spawn(GroupId::new(0), &[[4.0, 4.0], [5.0, 4.0]]).unwrap();
    let mut index = AgentIndex::new();
    let everywhere = [Shape::Disc { centre: [0.0, 0.0], radius: 1.0e6 }];
    let ask = |index: &AgentIndex<f32>, at, most, reach| index.nearest(at, most, reach, |_| true);
    // Before it is filled.
    assert!(index.is_empty() && index.agent(world.id(0)).is_none());
    assert!(ask(&index, [4.0, 4.0], 9, f64::INFINITY).is_empty());
    assert!(index.within(&everywhere, |_| true).is_empty());
    assert!(index.counts(&everywhere).is_empty());
    index.load(&world);
    let far = ask(&index, [1.0e9, -1.0e9], 1, f64::INFINITY);
    assert_eq!(far[0].pos, [5.0, 4.0]);
    assert_eq!(ask(&index, [4.0, 4.0], 9, 1.0).len(), 2, "the reach counts");
    assert_eq!(ask(&index, [4.0, 4.0], 9, 0.0).len(), 1);
    for at in [[f64::NAN, 4.0], [4.0, f64::INFINITY]] {
        assert!(ask(&index, at, 9, f64::INFINITY).is_empty());
    }
    assert!(ask(&index, [4.0, 4.0], 9, -1.0).is_empty());
    assert!(ask(&index, [4.0, 4.0], 9, f64::NAN).is_empty());
    assert_eq!(index.counts(&everywhere), [2]);
    let nan = f64::NAN;
    let bad = [
        Shape::Rect { min: [6.0, 6.0], max: [1.0, 1.0] },
        Shape::Rect { min: [nan, 0.0], max: [9.0, 9.0] },
        Shape::Disc { centre: [4.0, 4.0], radius: nan },
        Shape::Polygon { corners: Vec::new() },
        Shape::Polygon { corners: vec![[nan, nan]; 3] },
    ];
    assert!(index.within(&bad, |_| true).is_empty());
    assert!(index.within(&[], |_| true).is_empty());
}

/// A wall with a gap, and a chamber without a door.
const ROWS: [&str; 7] = [
    "..........@.....",
    "..........@.....",
    "................",
    "................",
    "..........@@@@@@",
    "..........@....@",
    "..........@@@@@@",
];

fn flow<N: Numbers>() {
    let map = Map::from_rows(&ROWS, &Legend::default(), 2.0).unwrap();
    let mut world = World::<N>::new(map, Settings::default()).unwrap();
    let mut scratch = Scratch::new();
    world.add_group(GroupDef::default()).unwrap();
    world.spawn(GroupId::new(0), &[[1.0, 13.0]]).unwrap();
    assert_eq!(world.flow(GroupId::new(0), [5.0, 5.0]), None, "it has no goal");
    let goal = vec![Shape::Point { at: [31.0, 1.0] }];
    tick(&mut world, &[Order::Move { group: GroupId::new(0), goal }], &mut scratch);
    let codes = world.fields().directions(world.groups()[0].field().unwrap()).unwrap();
    let map = world.map();
    let mut checked = 0;
    for (cell, &slowness) in (0..).zip(map.slowness()) {
        if slowness == 0 {
            continue;
        }
        let (i, j) = map.cell(cell);
        let centre = [2 * i + 1, 2 * j + 1].map(f64::from);
        let found = world.flow(GroupId::new(0), centre);
        let Some((x, y)) = direction::unpack(codes[cell as usize]) else {
            assert_eq!(found, None, "no way leads from the chamber");
            continue;
        };
        let expected = [x, y].map(|c| f64::from(c) / 16_384.0);
        let found = found.unwrap();
        assert!(distance(found, expected) < 2e-3, "{centre:?}: {found:?}, {expected:?}");
        checked += 1;
        // Between two open centres it turns from the one to the other.
        let aside = world.flow(GroupId::new(0), [centre[0] + 0.5, centre[1]]).unwrap();
        assert!(length(aside) == 0.0 || (length(aside) - 1.0).abs() < 2e-3, "{aside:?}");
    }
    assert_eq!(checked, 7 * 16 - 16 - 4, "open cells from which a way leads");
    for off in [[-0.1, 5.0], [32.0, 5.0], [5.0, 1e9], [f64::NAN, 5.0], [21.0, 1.0]] {
        assert_eq!(world.flow(GroupId::new(0), off), None, "{off:?} is off the map or in a wall");
    }
    assert_eq!(world.flow(GroupId::new(1), [5.0, 5.0]), None, "there is no group 1");
    // An agent by itself follows it.
    for _ in 0..600 {
        let [from, _] = [world.positions()[0], world.velocities()[0]].map(|v| v.map(N::to_f64));
        let led = world.flow(GroupId::new(0), from).unwrap();
        tick(&mut world, &[], &mut scratch);
        let vel = world.velocities()[0].map(N::to_f64);
        if world.tick_count() > 40 && world.arrived() == 0 {
            let along = (vel[0] * led[0] + vel[1] * led[1]) / length(vel);
            assert!(along > 0.9, "at {from:?} it walks {vel:?}, the flow is {led:?}");
        }
    }
    assert_eq!(world.arrived(), 1);
}

#[test]
fn the_flow_at_a_point_is_the_way_that_agents_follow() {
    flow::<f32>();
    flow::<Fx>();
}
