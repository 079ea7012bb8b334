//! Doors: agents on their way through a closed one wait before it, and all pass once it opens.

use crate::common::crowd::shutters;
use crate::common::stage::{Stage, distance, map, rect};
use crate::common::terrain::Random;
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::tick::{Scratch, tick};
use throng::world::{
    AgentOrder, GroupDef, Inflow, Order, Outcome, Refusal, SourceDef, WeaponDef, World,
};
use throng::{DoorId, GroupId, state};

in_both!(
    who_waits_before_a_door_passes_once_it_opens,
    who_stands_in_a_door_that_closes_is_moved_out,
    snapshots_hold_doors_open_and_closed
);

/// A hall whose left part is behind a wall at x = 20, with a door of 2 m in it, and 60 agents on
/// their way to the other side.
fn hall<N: Numbers>(open: bool) -> Stage<N> {
    let mut stage = Stage::new(map(40, 20, &[[20, 0, 21, 20]]));
    let door = Order::Door { area: rect(20.0, 9.0, 21.0, 11.0), open };
    assert_eq!(stage.order(door), Outcome::Door(DoorId::new(0)));
    let group = stage.world.add_group(GroupDef::default()).unwrap();
    stage.order(Order::Spawn { group, area: rect(1.0, 1.0, 12.0, 19.0), count: 60 });
    stage.send(group, rect(26.0, 1.0, 39.0, 19.0));
    stage
}

fn set(open: bool) -> Order {
    Order::SetDoor { door: DoorId::new(0), open }
}

fn beyond<N: Numbers>(stage: &Stage<N>) -> usize {
    stage.bodies().iter().filter(|body| body.pos[0] >= 20.0).count()
}

fn who_waits_before_a_door_passes_once_it_opens<N: Numbers>() {
    let mut stage = hall::<N>(false);
    for _ in 0..600 {
        stage.tick();
        assert_eq!(beyond(&stage), 0, "nobody is in the door or beyond it");
    }
    let near = |pos: [f64; 2]| distance(pos, [20.0, 10.0]) < 7.0;
    let waiting = stage.bodies().iter().filter(|body| near(body.pos)).count();
    assert!(waiting >= 55, "{waiting} of 60 have come up to the door");
    state::validate(&stage.world).unwrap();
    assert_eq!(stage.order(set(true)), Outcome::Done { agents: 0 });
    assert!(stage.world.doors()[0].is_open());
    stage.until(2_400, Stage::all_arrived).expect("all pass and arrive");
    assert_eq!(
        stage.world.map_version(),
        1,
        "fields are made once: the door's wall was taken down"
    );
}

fn who_stands_in_a_door_that_closes_is_moved_out<N: Numbers>() {
    let mut stage = hall::<N>(true);
    let inside = |stage: &Stage<N>| {
        let within = |[x, y]: [f64; 2]| (20.0..21.0).contains(&x) && (9.0..11.0).contains(&y);
        stage.bodies().iter().filter(|body| within(body.pos)).count()
    };
    stage.until(2_000, |stage| inside(stage) >= 2 && beyond(stage) > 10).expect("they pass");
    let before = (inside(&stage), beyond(&stage));
    let moved = match stage.order(set(false)) {
        Outcome::Done { agents } => agents as usize,
        outcome => panic!("{outcome:?}"),
    };
    assert_eq!(moved, before.0, "who stands in it is moved out");
    assert_eq!(inside(&stage), 0);
    let passed = beyond(&stage);
    assert!((before.1 - moved..=before.1).contains(&passed), "{passed} of {before:?}");
    for _ in 0..200 {
        stage.tick();
        assert_eq!((inside(&stage), beyond(&stage)), (0, passed), "nobody passes a closed door");
        state::validate(&stage.world).unwrap();
    }
}

/// No agent appears in a closed door, is moved into it or goes there in one leap.
#[test]
fn nobody_is_put_into_a_closed_door() {
    let mut stage = hall::<f32>(false);
    let group = GroupId::new(0);
    let area = rect(20.0, 9.0, 21.0, 11.0);
    let spawn = Order::Spawn { group, area: area.clone(), count: 1 };
    assert!(matches!(stage.order(spawn), Outcome::Refused(Refusal::DoNotFit(_))));
    let agents: Vec<Id> = vec![stage.bodies()[0].id];
    let leap = AgentOrder::Teleport { to: vec![[20.5, 10.0]] };
    let leap = Order::Agents { agents, order: leap };
    assert!(matches!(stage.order(leap.clone()), Outcome::Refused(Refusal::NoSuchPlace(_))));
    let def = SourceDef { inflow: Inflow::Batches(vec![[1.0, 3.0]]), ..SourceDef::default() };
    let source = Order::Source { group, area, def };
    assert!(!stage.order(source).is_refused());
    (0..20).for_each(|_| stage.tick());
    assert_eq!(stage.world.waiting_outside(), 3, "a source in a closed door waits");
    stage.orders(&[set(true)]);
    assert!(stage.world.entered() > 0);
    assert!(!stage.order(leap).is_refused());
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut stage = hall::<f32>(false);
    let all = rect(-1.0, -1.0, 50.0, 50.0);
    let cases = [
        (set(false), "door 0 is closed already"),
        (Order::SetDoor { door: DoorId::new(1), open: true }, "there is no door 1"),
        (Order::Door { area: rect(50.0, 1.0, 52.0, 3.0), open: true }, "no cell of the map"),
        (Order::Door { area: Vec::new(), open: true }, "no cell of the map"),
        (Order::Door { area: rect(5.0, 5.0, 5.0, 9.0), open: true }, "rect"),
        (Order::Door { area: all.clone(), open: false }, "no open ground would be left"),
        // The door that is closed is no open ground.
        (
            Order::Build {
                area: [rect(0.0, 0.0, 20.0, 20.0), rect(21.0, 0.0, 40.0, 20.0)].concat(),
            },
            "no open ground would be left",
        ),
    ];
    for (order, words) in cases {
        let mut silent = stage.clone();
        let Outcome::Refused(refusal) = stage.order(order) else { panic!("{words}") };
        assert!(refusal.to_string().contains(words), "{refusal}");
        silent.tick();
        assert_eq!(state::digest(&silent.world), state::digest(&stage.world), "{words}");
    }
    assert!(!stage.order(Order::Door { area: all, open: true }).is_refused());
    let whole = Order::SetDoor { door: DoorId::new(1), open: false };
    let Outcome::Refused(refusal) = stage.order(whole) else { panic!("all is closed") };
    assert_eq!(refusal.to_string(), "no open ground would be left");
}

/// The map that stops agents is at every time that with closed doors as walls.
#[test]
fn the_map_that_stops_agents_has_closed_doors_as_walls() {
    let mut random = Random(5);
    for _ in 0..12 {
        let given = crate::common::crowd::blocks(40, 30, 1.0, random.next());
        let mut stage = Stage::<f32>::new(given);
        let mut doors: Vec<(Vec<Shape>, bool)> = Vec::new();
        for _ in 0..40 {
            let (x, y) = (f64::from(random.below(36)), f64::from(random.below(26)));
            let (wide, high) = (1 + random.below(6), 1 + random.below(6));
            let area = rect(x, y, x + f64::from(wide), y + f64::from(high));
            let open = random.below(2) == 0;
            let order = match random.below(6) {
                0 => Order::Build { area: area.clone() },
                1 => Order::Demolish { area: area.clone() },
                2 => Order::Door { area: area.clone(), open },
                _ => Order::SetDoor { door: DoorId::new(random.below(9) as u16), open },
            };
            match (stage.order(order.clone()), order) {
                (Outcome::Refused(_), _) => continue,
                (_, Order::Door { .. }) => doors.push((area, open)),
                (_, Order::SetDoor { door, open }) => doors[usize::from(door)].1 = open,
                _ => {}
            }
            let map = stage.world.map();
            let is_shut = |x: u32, y: u32| {
                let [x, y] = [x, y].map(|cell| f64::from(cell) + 0.5);
                let holds = |shapes: &[Shape]| shapes.iter().any(|shape| shape.contains(x, y));
                doors.iter().any(|(shapes, open)| !open && holds(shapes))
            };
            let cells: Vec<u8> = (0..30)
                .flat_map(|y| (0..40).map(move |x| (x, y)))
                .map(|(x, y)| match is_shut(x, y) {
                    true => 0,
                    false => map.slowness()[map.index(x, y) as usize],
                })
                .collect();
            let expected = throng::map::Map::from_slowness(40, 30, 1.0, &cells);
            let solid = stage.world.solid_map();
            assert!(solid.slowness() == expected.slowness());
            assert!(solid.wall_distance() == expected.wall_distance());
        }
        assert!(doors.len() > 2, "{}", doors.len());
    }
}

/// Shots do not pass a closed door, and do when it is open.
#[test]
fn a_closed_door_stops_shots() {
    let hit = |open: bool| {
        let mut stage = Stage::<f32>::new(map(40, 20, &[[20, 0, 21, 20]]));
        stage.order(Order::Door { area: rect(20.0, 9.0, 21.0, 11.0), open });
        let weapon = WeaponDef { gravity: 0.0, spread: 0.0, range: 30.0, ..WeaponDef::default() };
        let Outcome::Weapon(weapon) = stage.order(Order::Weapon { def: weapon }) else { panic!() };
        let archers = GroupDef { weapon: Some(weapon), team: 0, foes: 2, ..GroupDef::default() };
        stage.group(archers, &[[12.0, 10.0]]);
        stage.group(GroupDef { team: 1, health: 1e4, ..GroupDef::default() }, &[[28.0, 10.0]]);
        (0..200).for_each(|_| stage.tick());
        let target = stage.bodies()[1].id;
        stage.world.health(target).unwrap() < 1e4
    };
    assert_eq!([hit(true), hit(false)], [true, false]);
}

fn snapshots_hold_doors_open_and_closed<N: Numbers>() {
    let case = shutters();
    let play = |world: &mut World<N>, scratch: &mut Scratch<N>, to: u64| {
        while world.tick_count() < to {
            let orders = (case.orders)(world.tick_count(), &Vec::new());
            tick(world, &orders, scratch);
        }
    };
    let made = || World::<N>::new(case.map.clone(), case.settings).unwrap();
    let (mut world, mut scratch) = (made(), Scratch::new());
    let mut images = Vec::new();
    // Closed, open, closed with walls beside it, open again.
    for at in [30, 70, 110, 150, 200] {
        play(&mut world, &mut scratch, at);
        images.push(state::save(&world));
    }
    let end = state::digest(&world);
    let open: Vec<bool> = images
        .iter()
        .map(|image| {
            let mut other = made();
            state::restore(&mut other, image).unwrap();
            other.doors()[0].is_open()
        })
        .collect();
    assert_eq!(open, [false, true, false, true, false]);
    // From each state to each, in one world.
    for from in 0..images.len() {
        for to in 0..images.len() {
            let mut other = made();
            state::restore(&mut other, &images[from]).unwrap();
            state::restore(&mut other, &images[to]).unwrap();
            assert_eq!(state::save(&other), images[to]);
            play(&mut other, &mut Scratch::new(), 200);
            assert_eq!(state::digest(&other), end, "{from} to {to}");
        }
    }
    // A damaged one changes nothing.
    let mut other = made();
    state::restore(&mut other, &images[1]).unwrap();
    let mut torn = images[0].clone();
    let last = torn.len() - 9;
    torn[last] ^= 1;
    state::restore(&mut other, &torn).unwrap_err();
    assert!(state::save(&other) == images[1]);
}

/// A door that is flipped in the state is noticed: its column is in the digest, and agents in a door
/// that the image calls closed are a contradiction.
#[test]
fn a_flipped_door_is_noticed() {
    let mut stage = hall::<f32>(true);
    let before = state::digest(&stage.world);
    let image = state::save(&stage.world);
    let image = state::Image::read(&image).unwrap();
    let column = image.columns.iter().find(|column| column.name == "doors.door").unwrap();
    let last = column.lists[0].len() - 1;
    state::plant(&mut stage.world, "doors.door", last, 0).unwrap();
    assert!(!stage.world.doors()[0].is_open());
    assert_ne!(state::digest(&stage.world), before);
    state::plant(&mut stage.world, "doors.door", last, 0).unwrap();
    assert_eq!(state::digest(&stage.world), before);
    let inside = |stage: &Stage<f32>| {
        let within = |[x, y]: [f64; 2]| (20.0..21.0).contains(&x) && (9.0..11.0).contains(&y);
        stage.bodies().iter().any(|body| within(body.pos))
    };
    stage.until(2_000, inside).expect("somebody passes");
    let error = state::plant(&mut stage.world, "doors.door", last, 0).unwrap_err();
    assert!(error.to_string().contains("cannot be at"), "{error}");
    assert!(stage.world.doors()[0].is_open(), "the world is as it was");
}
