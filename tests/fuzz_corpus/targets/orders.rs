//! Orders as bytes: a first byte for the number type and for lanes, then again and again a byte,
//! which says how many ticks pass before, and an order.

use throng::data::Id;
use throng::data::bytes::Reader;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::map::{Map, TerrainCosts};
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::world::{
    AgentOrder, Behaviour, BehaviourKind, CompanyDef, Exit, ExitsDef, Formation, GroupDef, Mark,
    Order, Settings, Side, SourceDef, StructureDef, WeaponDef, World,
};
use throng::{CompanyId, Distribution, DoorId, FollowDef, GroupId, SourceId, StructureId};
use throng::{VaryDef, WeaponId};

use super::mutate::{Part, Random, edit, edit_list};
use super::thinkers::thinkers;
use super::{Outcome, Target, meter, play};

/// The target.
pub const TARGET: Target = Target { name: "orders", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of an order, and for none.
const CAP: [usize; 2] = [96, 1 << 10];
/// The same for each byte of a mind or of strategies, which are lists within lists.
const THOUGHT: usize = 256;
/// First bytes of orders that hold a mind or strategies.
const THOUGHTS: [u8; 2] = [3, 5];

/// Reads orders, and gives the readable ones to a small crowd.
pub fn run(bytes: &[u8]) -> Outcome {
    let Some((&numeric, rest)) = bytes.split_first() else { return Outcome::Refused };
    let mut reader = Reader::new(rest);
    let mut ticks = vec![start()];
    while reader.left() > 0 {
        let gap = reader.u8("ticks").expect("a byte is left") % 4;
        ticks.extend((0..gap).map(|_| Vec::new()));
        let left = reader.left();
        let kind = rest.get(reader.at()).copied().unwrap_or(0);
        let each = if THOUGHTS.contains(&kind) { THOUGHT } else { CAP[0] };
        let cap = |_: &_| each * left + CAP[1];
        let Ok(order) = meter::within("an order", cap, || Order::read(&mut reader)) else { break };
        // NaN differs from itself, so the bytes are compared.
        let (mut written, mut again) = (Vec::new(), Vec::new());
        order.write(&mut written);
        let read = Order::read(&mut Reader::new(&written)).expect("what is written is read back");
        read.write(&mut again);
        assert_eq!(written, again, "{order:?} is read back as {read:?}");
        ticks.last_mut().expect("there is a first tick").push(order);
    }
    if ticks.iter().map(Vec::len).sum::<usize>() == start().len() {
        return Outcome::Refused;
    }
    ticks.extend([Vec::new(), Vec::new()]);
    let ticks: Vec<&[Order]> = ticks.iter().map(Vec::as_slice).collect();
    let twice = numeric & 2 != 0;
    if numeric % 2 == 0 {
        tried_out::<f32>(&ticks, twice);
    } else {
        tried_out::<Fx>(&ticks, twice);
    }
    Outcome::Played
}

fn tried_out<N: Numbers>(ticks: &[&[Order]], twice: bool) {
    let settings = Settings { field_cells_per_tick: 100, crowding_ticks: 2, ..Settings::default() };
    let mut world = World::<N>::new(ground(), settings).expect("the map is small");
    if twice {
        play::play_twice(&world, ticks);
    } else {
        play::play(&mut world, ticks);
    }
}

/// A field with a wall that has a gap, a wood and slow ground.
pub fn ground() -> Map {
    let (width, height) = (24, 16);
    let cell = |x: u32, y: u32| match (x, y) {
        (12, y) if y != 7 && y != 8 => 0,
        (17..20, 2..5) => 0,
        (3..6, 11..14) => 40,
        _ => 16,
    };
    let cells: Vec<u8> = (0..width * height).map(|i| cell(i % width, i / width)).collect();
    Map::from_slowness(width, height, 1.0, &cells)
}

fn rect(min: [f64; 2], max: [f64; 2]) -> Vec<Shape> {
    vec![Shape::Rect { min, max }]
}

/// What the crowd begins with: two weapons, and three groups, two of them with agents and armed
/// against each other.
pub fn start() -> Vec<Order> {
    let plain = GroupDef::default();
    let bow = WeaponDef { cooldown: 0.1, retarget: 0.1, ..WeaponDef::preset("bow").unwrap() };
    let bomb = WeaponDef { turn_rate: 1.0, splash: 2.0, damage: 60.0, ..bow.clone() };
    let rts = GroupDef::preset("rts").unwrap();
    let red = GroupDef { team: 0, foes: 2, weapon: Some(WeaponId::new(0)), ..plain.clone() };
    let blue =
        GroupDef { team: 1, foes: 5, weapon: Some(WeaponId::new(1)), avoid_crowds: true, ..rts };
    vec![
        Order::Weapon { def: bow },
        Order::Weapon { def: bomb },
        Order::Group { def: red },
        Order::Group { def: blue },
        Order::Group { def: GroupDef { radius: 0.6, ..plain } },
        Order::Spawn { group: GroupId::new(0), area: rect([1.0, 1.0], [6.0, 9.0]), count: 12 },
        Order::Spawn { group: GroupId::new(1), area: rect([14.0, 8.0], [20.0, 14.0]), count: 8 },
    ]
}

/// Orders of every kind, with the ticks before each.
pub fn every_kind() -> Vec<(u8, Order)> {
    [thinkers(), bodies(), town()].concat()
}

/// Orders of every kind that needs no thought.
fn bodies() -> Vec<(u8, Order)> {
    let goal = vec![Shape::Disc { centre: [20.0, 8.0], radius: 2.0 }];
    let corners = vec![[2.0, 2.0], [9.0, 2.0], [5.0, 9.0]];
    let (range, horizon) = (5.0, 1.0);
    let kinds = [
        BehaviourKind::Goal,
        BehaviourKind::Seek { to: Mark::Point([4.0, 4.0]), range },
        BehaviourKind::Flee { from: Mark::Group(GroupId::new(1)), range },
        BehaviourKind::Pursue { quarry: GroupId::new(1), range, horizon },
        BehaviourKind::Evade { hunter: GroupId::new(1), range, horizon },
        BehaviourKind::Wander { turn: 1.0, rate: 0.5 },
        BehaviourKind::Cohesion { with: GroupId::new(0), range },
        BehaviourKind::Alignment { with: GroupId::new(0), range },
        BehaviourKind::Path { points: corners.clone(), radius: 1.0, closed: true },
        BehaviourKind::Wall { side: Side::Right, distance: 1.0, range },
    ];
    let behaviours = kinds.map(Behaviour::new).to_vec();
    let formation = Some(Formation::Line);
    let company = CompanyDef {
        groups: vec![GroupId::new(0), GroupId::new(1)],
        formation,
        spacing: Some(1.0),
        files: Some(4),
    };
    let gun = WeaponDef { friendly_fire: true, ..WeaponDef::preset("gun").unwrap() };
    let gunners =
        GroupDef { team: 2, foes: 1, weapon: Some(WeaponId::new(2)), ..GroupDef::default() };
    let agents = vec![Id { index: 0, generation: 1 }, Id { index: 3, generation: 1 }];
    let vary = VaryDef {
        radius: Some(Distribution::uniform(0.1, 0.3)),
        response: Some(Distribution::normal(0.4, 0.1).within(0.2, 0.6)),
        patience: Some(Distribution::constant(3.0)),
        ..VaryDef::default()
    };
    vec![
        (0, Order::Move { group: GroupId::new(0), goal: goal.clone() }),
        (0, Order::Behave { group: GroupId::new(0), behaviours }),
        (
            1,
            Order::Spawn {
                group: GroupId::new(2),
                area: vec![Shape::Polygon { corners }],
                count: 3,
            },
        ),
        (0, Order::Opposite { group: GroupId::new(1), centre: [12.5, 8.0] }),
        (1, Order::Company { def: company }),
        (
            0,
            Order::MoveCompany {
                company: CompanyId::new(0),
                goal: vec![Shape::Point { at: [21.0, 3.0] }],
            },
        ),
        (2, Order::Form { company: CompanyId::new(0), formation: Some(Formation::Wedge) }),
        (0, Order::Vary { group: GroupId::new(0), def: vary }),
        (0, Order::Follow { group: GroupId::new(2), def: FollowDef::group(GroupId::new(0)) }),
        (1, Order::Assign { agents, group: GroupId::new(2) }),
        (0, Order::Remove { group: GroupId::new(0), area: Some(rect([0.0, 0.0], [4.0, 4.0])) }),
        (1, Order::StopCompany { company: CompanyId::new(0) }),
        (
            0,
            Order::Launch {
                group: GroupId::new(0),
                weapon: WeaponId::new(1),
                from: [2.0, 3.0, 1.5],
                velocity: [30.0, 1.0, 2.0],
            },
        ),
        (
            0,
            Order::Launch {
                group: GroupId::new(1),
                weapon: WeaponId::new(0),
                from: [9.0, 8.0, 9.0],
                velocity: [0.0, 0.0, -5.0],
            },
        ),
        (0, Order::Weapon { def: gun }),
        (1, Order::Group { def: gunners }),
        (1, Order::Group { def: GroupDef::preset("pedestrian").unwrap() }),
        (0, Order::Remove { group: GroupId::new(1), area: None }),
        (0, Order::RemoveCompany { company: CompanyId::new(0) }),
        (0, Order::RemoveGroup { group: GroupId::new(1) }),
        (1, Order::Group { def: GroupDef::preset("rts").unwrap() }),
        (0, Order::Stop { group: GroupId::with_generation(1, 1) }),
        (0, Order::Stop { group: GroupId::new(0) }),
    ]
}

/// What is built, who comes and goes by itself, and what single agents are told.
fn town() -> Vec<(u8, Order)> {
    let [red, green] = [0, 2].map(GroupId::new);
    let [block, gate] = [rect([9.0, 4.0], [11.0, 6.0]), rect([12.0, 7.0], [13.0, 9.0])];
    let agents = vec![Id { index: 5, generation: 1 }, Id { index: 7, generation: 1 }];
    let to_agents = |order| (0, Order::Agents { agents: agents.clone(), order });
    let first = agents[0];
    let mut terrain = TerrainCosts::default();
    (terrain.slope_cost, terrain.max_slope) = (2.5, 0.5);
    terrain.set('W', 0).expect("a letter and a cost");
    terrain.set('F', 48).expect("a letter and a cost");
    let walker = GroupDef { terrain, navigator: Navigator::Mesh, ..GroupDef::default() };
    vec![
        (0, Order::Group { def: walker }),
        (0, Order::Build { area: block.clone() }),
        (1, Order::Demolish { area: block.clone() }),
        (0, Order::Structure { area: block.clone(), def: StructureDef::new(50.0) }),
        (0, Order::Attack { group: red, structure: StructureId::new(0) }),
        (0, Order::Door { area: gate.clone(), open: false }),
        (1, Order::SetDoor { door: DoorId::new(0), open: true }),
        (0, Order::Source { group: green, area: block.clone(), def: SourceDef::poisson(5.0) }),
        (1, Order::CloseSource { source: SourceId::new(0) }),
        (0, Order::Sink { area: gate.clone(), groups: vec![green] }),
        (0, Order::Change { group: green, def: GroupDef { speed: 2.25, ..GroupDef::default() } }),
        (0, Order::Choose { group: green, def: ExitsDef::among([Exit::new(gate, 2.0)]) }),
        (1, Order::Follow { group: red, def: FollowDef::agent(first).gap(0.5) }),
        to_agents(AgentOrder::Send { goal: block }),
        to_agents(AgentOrder::SendEach { to: vec![[1.5, 2.5], [-3.0, f64::MAX]] }),
        to_agents(AgentOrder::Teleport { to: vec![[1.0, 2.5], [3.0, 4.0]] }),
        to_agents(AgentOrder::Push { by: [-1.0, 0.5] }),
        to_agents(AgentOrder::Pace { factor: 0.5 }),
        to_agents(AgentOrder::Heal { health: 1.5 }),
        to_agents(AgentOrder::Damage { health: 2.5 }),
        to_agents(AgentOrder::Label { label: u64::MAX }),
        to_agents(AgentOrder::Stop),
        (1, to_agents(AgentOrder::Rejoin).1),
        to_agents(AgentOrder::Remove),
    ]
}

/// A small run: the start, then orders of every kind, tick by tick.
pub fn campaign() -> Vec<Vec<Order>> {
    let mut ticks = vec![start()];
    for (gap, order) in every_kind() {
        ticks.extend((0..gap).map(|_| Vec::new()));
        ticks.last_mut().expect("there is a first tick").push(order);
    }
    ticks
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let bytes = |numeric: u8, orders: &[(u8, Order)]| {
        let mut bytes = vec![numeric];
        for (gap, order) in orders {
            bytes.push(*gap);
            order.write(&mut bytes);
        }
        bytes
    };
    let all = every_kind();
    vec![
        ("f32", bytes(0, &all)),
        ("fixed", bytes(1, &all)),
        ("minds", bytes(2, &thinkers())),
        ("minds_fixed", bytes(1, &thinkers())),
        ("marches", bytes(3, &bodies()[4..8])),
        ("behaviours", bytes(2, &bodies()[..3])),
        ("shots", bytes(2, &bodies()[10..14])),
        ("town", bytes(2, &town())),
    ]
}

/// Takes bytes apart into orders, each with the byte before it; the last piece is what is no order.
fn take_apart(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut reader = Reader::new(bytes);
    while reader.left() > 0 {
        let start = reader.at();
        let whole = reader.u8("ticks").and_then(|_| Order::read(&mut reader)).is_ok();
        let end = if whole { reader.at() } else { bytes.len() };
        pieces.push(bytes[start..end].to_vec());
        if !whole {
            break;
        }
    }
    pieces
}

/// Changes the list of orders, or one of them.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut pieces = take_apart(bytes.get(1..).unwrap_or_default());
    if random.below(8) == 0 {
        let seeds = every_kind();
        let (gap, order) = random.of(&seeds);
        let mut piece = vec![*gap];
        order.write(&mut piece);
        let at = random.below(pieces.len() + 1);
        pieces.insert(at, piece);
    }
    let own = random.below(2) == 0;
    edit_list(
        &mut pieces,
        random,
        |piece, random| {
            if own { edit(piece, random) } else { part(piece, random) }
        },
    );
    let old = bytes.first().copied().unwrap_or(0);
    let numeric = if random.below(8) == 0 { random.bits() as u8 } else { old };
    [vec![numeric], pieces.concat()].concat()
}

/// Changes a list of orders without anything between them, as a replay has it.
pub fn mutate_list(orders: &mut Vec<Vec<u8>>, random: &mut Random) {
    if random.below(4) == 0 {
        let seeds = every_kind();
        let mut order = Vec::new();
        random.of(&seeds).1.write(&mut order);
        let at = random.below(orders.len() + 1);
        orders.insert(at, order);
    }
    edit_list(orders, random, edit);
}
