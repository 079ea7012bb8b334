//! Structures: walls with hit points, the shots that strike them, and their fall.

use throng::lane::Numbers;
use throng::world::{Struck, Structure};
use throng::{
    GroupDef, GroupId, Map, Order, Settings, Shape, Simulation, StructureDef, StructureId,
    WeaponDef, WeaponId, state,
};

in_both!(
    damage_adds_up_and_the_wall_falls_in_that_tick,
    who_is_cut_off_breaks_through,
    who_is_armed_is_sent_behind_walls,
    a_group_attacks_by_order_and_goes_on,
    a_run_goes_on_from_any_snapshot
);

/// A weapon whose shots fly straight and take so much at a hit.
fn gun(damage: f64) -> WeaponDef {
    let plain = WeaponDef::default();
    WeaponDef { damage, gravity: 0.0, spread: 0.0, speed: 20.0, lifetime: 5.0, ..plain }
}

/// A weapon that reaches 1.6 m.
fn claws() -> WeaponDef {
    WeaponDef { range: 1.6, cooldown: 0.5, muzzle: 1.0, ..gun(10.0) }
}

/// A field of mud, 40 m by 10 m.
fn field<N: Numbers>() -> Simulation<N> {
    let mut cells = vec![24; 400];
    (0..400).filter(|i| i % 40 < 12).for_each(|i| cells[i] = 16);
    Simulation::new(Map::from_slowness(40, 10, 1.0, &cells), Settings::default()).unwrap()
}

/// A wall across it, and ground on its other side.
fn across() -> Shape {
    Shape::rect([20.0, 0.0], [21.0, 10.0])
}
fn beyond() -> Shape {
    Shape::rect([28.0, 0.0], [40.0, 10.0])
}

/// A shot of the first group and weapon to the right, from here.
fn shoot<N: Numbers>(sim: &mut Simulation<N>, from: [f64; 3], velocity: [f64; 3]) {
    let (group, weapon) = (GroupId::new(0), WeaponId::new(0));
    sim.order(Order::Launch { group, weapon, from, velocity }).unwrap();
}

fn health<N: Numbers>(sim: &Simulation<N>, structure: StructureId) -> f64 {
    sim.world().structures()[usize::from(structure)].health()
}

/// How many agents are beyond the wall.
fn passed<N: Numbers>(sim: &Simulation<N>) -> usize {
    sim.world().positions().iter().filter(|pos| pos[0].to_f64() > 21.0).count()
}

fn damage_adds_up_and_the_wall_falls_in_that_tick<N: Numbers>() {
    let mut sim = field::<N>();
    sim.add_weapon(gun(30.0)).unwrap();
    let group = sim.add_group(GroupDef::default()).unwrap();
    sim.spawn(group, Shape::rect([1.0, 1.0], [9.0, 9.0]), 20).unwrap();
    sim.send(group, beyond()).unwrap();
    let wall = sim.add_structure(across(), StructureDef::new(100.0)).unwrap();
    assert_eq!(sim.world().structures()[0].cells().len(), 10);
    let (mut struck, mut fell) = (0, None);
    for tick in 0..900_u64 {
        if tick >= 300 && tick % 7 == 0 && tick < 340 {
            shoot(&mut sim, [14.0, 0.5 + (tick % 9) as f64, 1.5], [20.0, 0.0, 0.0]);
        }
        sim.step();
        state::validate(sim.world()).unwrap();
        struck += sim.events().impacts.iter().filter(|i| i.struck == Struck::Wall).count();
        let left = (100.0 - 30.0 * struck as f64).max(0.0);
        assert_eq!(health(&sim, wall), left, "tick {tick}");
        let collapsed = sim.events().collapsed;
        match fell {
            None if left > 0.0 => {
                assert!(collapsed.is_empty());
                assert_eq!(passed(&sim), 0, "tick {tick}: nobody passes before it falls");
                assert_eq!(
                    sim.world().map().slowness()[sim.world().map().index(20, 5) as usize],
                    0
                );
            }
            None => {
                assert_eq!(collapsed.len(), 1);
                assert_eq!(collapsed[0].structure, wall);
                assert_eq!(collapsed[0].shot.unwrap().weapon, WeaponId::new(0));
                // The ground is what it was, mud.
                assert_eq!(sim.world().map().slowness(), sim.world().given_map().slowness());
                fell = Some(tick);
            }
            Some(_) => assert!(collapsed.is_empty()),
        }
        assert_eq!(sim.world().structures()[0].fell(), fell);
    }
    assert_eq!(struck, 4, "of six shots those after its fall go through");
    assert_eq!(passed(&sim), 20, "all come through the gap");
}

/// What a blast takes off a structure: by a look at every cell of it, of walls 3 m high.
fn expected(sim: &Simulation<f32>, structure: usize, at: [f64; 3], weapon: &WeaponDef) -> f64 {
    let map = sim.world().map();
    let gap = |low: f64, high: f64, at: f64| (low - at).max(at - high).max(0.0);
    let distances = sim.world().structures()[structure].cells().iter().map(|&cell| {
        let (i, j) = map.cell(cell);
        let (i, j) = (f64::from(i), f64::from(j));
        let [x, y, z] = [gap(i, i + 1.0, at[0]), gap(j, j + 1.0, at[1]), gap(0.0, 3.0, at[2])];
        (x * x + y * y + z * z).sqrt()
    });
    let nearest = distances.fold(f64::INFINITY, f64::min);
    weapon.damage * (1.0 - nearest / weapon.splash).max(0.0)
}

#[test]
fn a_blast_reaches_every_structure_near_once() {
    let weapon = WeaponDef { splash: 6.0, ..gun(100.0) };
    let mut sim = field::<f32>();
    sim.add_weapon(weapon.clone()).unwrap();
    sim.add_group(GroupDef::default()).unwrap();
    for area in [
        Shape::rect([20.0, 0.0], [22.0, 4.0]),
        Shape::rect([20.0, 4.0], [21.0, 10.0]),
        Shape::disc([30.0, 5.0], 2.0),
        Shape::rect([36.0, 0.0], [37.0, 2.0]),
    ] {
        sim.add_structure(area, StructureDef::new(1_000.0)).unwrap();
    }
    let mut left = [1_000.0; 4];
    // Down on the ground, into the first, over it on the ground behind it, and high up against nothing.
    for (from, velocity) in [
        ([17.3, 5.1, 3.0], [0.0, 0.0, -20.0]),
        ([15.0, 2.5, 1.5], [20.0, 0.0, 0.0]),
        ([24.6, 3.3, 9.0], [1.0, 0.5, -20.0]),
        ([20.5, 2.5, 8.0], [0.0, 0.0, -20.0]),
        ([30.0, 5.0, 12.0], [20.0, 0.0, 0.0]),
    ] {
        shoot(&mut sim, from, velocity);
        let mut ended = 0;
        for _ in 0..40 {
            sim.step();
            for impact in sim.events().impacts {
                ended += 1;
                if impact.struck == Struck::Nothing {
                    continue;
                }
                let direct = impact.struck == Struck::Wall;
                for (index, left) in left.iter_mut().enumerate() {
                    // Both shots that struck a wall struck the first one.
                    let is_direct = direct && index == 0;
                    *left -=
                        if is_direct { 100.0 } else { expected(&sim, index, impact.at, &weapon) };
                }
            }
        }
        assert_eq!(ended, 1);
        for (index, left) in left.iter().enumerate() {
            let health = health(&sim, StructureId::new(index as u16));
            assert!((health - left).abs() < 1e-9, "{index} after {from:?}: {health}, not {left}");
        }
    }
    assert!(left[0] < 720.0 && left[1] < 900.0 && left[2] < 1_000.0, "{left:?}");
    assert_eq!(left[3], 1_000.0, "too far away");
}

#[test]
fn several_fall_in_the_order_of_their_index() {
    let mut sim = field::<f32>();
    sim.add_weapon(WeaponDef { splash: 20.0, ..gun(500.0) }).unwrap();
    sim.add_group(GroupDef::default()).unwrap();
    for y in [8.0, 4.0, 6.0] {
        sim.add_structure(Shape::rect([20.0, y], [21.0, y + 1.0]), StructureDef::new(5.0)).unwrap();
    }
    shoot(&mut sim, [18.0, 3.0, 2.0], [0.0, 0.0, -20.0]);
    while sim.events().impacts.is_empty() {
        sim.step();
    }
    let fallen: Vec<_> = sim.events().collapsed.iter().map(|c| c.structure.index()).collect();
    assert_eq!(fallen, [0, 1, 2]);
    assert!(!sim.world().structures().iter().any(Structure::stands));
    sim.step();
    assert!(sim.events().collapsed.is_empty());
}

#[test]
fn only_foes_of_its_team_harm_it() {
    for (team, foes, friendly_fire, harmed) in [
        (None, 0, false, true),
        (Some(1), 1 << 1, false, true),
        (Some(1), 1 << 2, false, false),
        (Some(1), 0, true, true),
    ] {
        let mut sim = field::<f32>();
        sim.add_weapon(WeaponDef { friendly_fire, ..gun(30.0) }).unwrap();
        sim.add_group(GroupDef { team: 2, foes, ..GroupDef::default() }).unwrap();
        let def = StructureDef { team, ..StructureDef::new(100.0) };
        let wall = sim.add_structure(across(), def).unwrap();
        shoot(&mut sim, [18.0, 5.5, 1.5], [20.0, 0.0, 0.0]);
        (0..6).for_each(|_| sim.step());
        assert_eq!(sim.world().weapons()[0].tally.walls, 1);
        assert_eq!(health(&sim, wall) < 100.0, harmed, "{team:?} {foes} {friendly_fire}");
    }
}

/// A horde of 30 before a wall across its way.
fn horde<N: Numbers>(team: Option<u8>) -> (Simulation<N>, GroupId, StructureId) {
    let mut sim = field::<N>();
    let weapon = Some(sim.add_weapon(claws()).unwrap());
    let def = GroupDef { weapon, team: 1, foes: 1 << 2, ..GroupDef::default() };
    let group = sim.add_group(def).unwrap();
    sim.spawn(group, Shape::rect([1.0, 1.0], [12.0, 9.0]), 30).unwrap();
    sim.send(group, beyond()).unwrap();
    (0..20).for_each(|_| sim.step());
    let wall = sim.add_structure(across(), StructureDef { team, ..StructureDef::new(600.0) });
    (sim, group, wall.unwrap())
}

fn who_is_cut_off_breaks_through<N: Numbers>() {
    let (mut sim, ..) = horde::<N>(Some(2));
    let mut before = usize::MAX;
    for _ in 0..2_400 {
        sim.step();
        state::validate(sim.world()).unwrap();
        if sim.world().structures()[0].stands() {
            before = passed(&sim);
        }
    }
    assert_eq!(before, 0, "nobody passes while it stands");
    assert_eq!(sim.world().arrived(), 30);
    let tally = sim.world().weapons()[0].tally;
    assert!(tally.walls >= 60 && tally.hurt == 0, "{tally:?}");
    // No agent strikes at what cannot be harmed, nor on the way around.
    let (mut sim, ..) = horde::<N>(Some(1));
    (0..600).for_each(|_| sim.step());
    assert_eq!(sim.world().weapons()[0].tally.fired, 0);
    let (mut sim, group, _) = horde::<N>(Some(2));
    sim.demolish(Shape::rect([20.0, 0.0], [21.0, 3.0])).unwrap();
    sim.send(group, beyond()).unwrap();
    (0..2_400).for_each(|_| sim.step());
    let tally = sim.world().weapons()[0].tally;
    assert_eq!([tally.fired, sim.world().arrived() as u64], [0, 30]);
}

/// Armed groups and some of their agents can be sent behind walls that can fall; others are refused.
fn who_is_armed_is_sent_behind_walls<N: Numbers>() {
    let def = |weapon| GroupDef { weapon, ..GroupDef::default() };
    for chosen in [false, true] {
        let mut sim = field::<N>();
        let weapon = Some(sim.add_weapon(claws()).unwrap());
        let armed = sim.add_group(def(weapon)).unwrap();
        let unarmed = sim.add_group(def(None)).unwrap();
        let ids = sim.spawn(armed, Shape::rect([1.0, 1.0], [12.0, 9.0]), 20).unwrap();
        sim.spawn(unarmed, Shape::rect([1.0, 1.0], [12.0, 9.0]), 1).unwrap();
        sim.add_structure(across(), StructureDef::new(300.0)).unwrap();
        sim.step();
        assert!(sim.send(unarmed, beyond()).is_err());
        assert_eq!(sim.world().cut_off().unreachable, 0);
        let go = |sim: &mut Simulation<N>, to: Shape| match chosen {
            true => sim.send_agents(&ids, to),
            false => sim.send(armed, to),
        };
        go(&mut sim, beyond()).unwrap();
        (0..2_400).for_each(|_| sim.step());
        assert!(!sim.world().structures()[0].stands());
        assert_eq!(sim.world().arrived(), 20);
        assert!(sim.send(unarmed, beyond()).is_ok());
        // A wall that their shots do not harm is a wall.
        let friendly = StructureDef { team: Some(0), ..StructureDef::new(300.0) };
        let near = Shape::rect([30.0, 0.0], [40.0, 10.0]);
        sim.add_structure(across(), friendly).unwrap();
        sim.step();
        assert!(go(&mut sim, Shape::rect([1.0, 1.0], [12.0, 9.0])).is_err());
        assert!(go(&mut sim, near).is_ok());
    }
}

fn attacks<N: Numbers>() {
    let (mut sim, group, wall) = horde::<N>(None);
    // A way around is left, which no agent takes before the wall is down.
    sim.demolish(Shape::rect([20.0, 9.0], [21.0, 10.0])).unwrap();
    assert_eq!(sim.attack(group, wall).unwrap(), 30);
    let mut aims = 0;
    let mut ticks = 0;
    while sim.world().structures()[0].stands() {
        sim.step();
        let world = sim.world();
        let aimed = (0..world.len()).filter_map(|row| world.structure_target(world.id(row)));
        aims += aimed.inspect(|(structure, _)| assert_eq!(*structure, wall)).count();
        ticks += 1;
        assert!(ticks < 1_200, "{}", health(&sim, wall));
    }
    assert!(aims > 60);
    assert!(passed(&sim) < 20, "those on the other side have gone around it");
    (0..1_200).for_each(|_| sim.step());
    assert_eq!(sim.world().arrived(), 30, "they go on to the goal that they had");
    assert!(sim.attack(group, wall).is_err(), "it has fallen");
    assert!(sim.attack(group, StructureId::new(1)).is_err(), "there is none");
}

fn a_group_attacks_by_order_and_goes_on<N: Numbers>() {
    attacks::<N>();
}

#[test]
fn another_order_ends_an_attack() {
    let (mut sim, group, wall) = horde::<f32>(None);
    sim.attack(group, wall).unwrap();
    let home = Shape::rect([0.0, 0.0], [8.0, 10.0]);
    sim.send(group, home.clone()).unwrap();
    (0..600).for_each(|_| sim.step());
    assert_eq!(health(&sim, wall), 600.0);
    // It is taken down while they attack it anew: they go on to where they were before.
    sim.attack(group, wall).unwrap();
    (0..100).for_each(|_| sim.step());
    sim.demolish(across()).unwrap();
    assert!(sim.events().collapsed.is_empty(), "of the last tick");
    sim.step();
    let collapsed: Vec<_> = sim.events().collapsed.iter().map(|c| (c.structure, c.shot)).collect();
    assert_eq!(collapsed, [(wall, None)]);
    (0..600).for_each(|_| sim.step());
    assert_eq!(sim.world().arrived(), 30);
    let is_home = |pos: &[f32; 2]| home.contains(pos[0].into(), pos[1].into());
    assert!(sim.world().positions().iter().all(is_home));
}

#[test]
fn living_foes_come_first() {
    let (mut sim, ..) = horde::<f32>(Some(2));
    let prey = GroupDef { team: 2, health: 10_000.0, hold: true, ..GroupDef::default() };
    let prey = sim.add_group(prey).unwrap();
    let mut spawned = false;
    for _ in 0..1_200 {
        sim.step();
        let world = sim.world();
        let striker = (0..world.len()).find(|&row| world.structure_target(world.id(row)).is_some());
        if let Some(row) = striker.filter(|_| !spawned) {
            let [x, y] = world.positions()[row].map(f64::from);
            let id = world.id(row);
            let at = Shape::rect([x - 0.6, y - 0.6], [x + 0.6, y + 0.6]);
            sim.spawn(prey, at, 1).unwrap();
            spawned = true;
            (0..25).for_each(|_| sim.step());
            assert!(sim.world().target(id).is_some(), "it turns on the foe");
            assert_eq!(sim.world().structure_target(id), None);
            break;
        }
    }
    assert!(spawned);
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    let mut sim = field::<f32>();
    let mut refused = |area: Shape, health: f64| {
        sim.add_structure(area, StructureDef::new(health)).unwrap_err().to_string()
    };
    for health in [0.0, -1.0, f64::NAN, 2.0e9] {
        let why = refused(across(), health);
        assert!(why.contains("structure health"), "{health}: {why}");
    }
    assert!(refused(Shape::rect([50.0, 0.0], [60.0, 1.0]), 1.0).contains("no open cell"));
    let all = refused(Shape::rect([0.0, 0.0], [40.0, 10.0]), 1.0);
    assert!(all.contains("no open ground"), "{all}");
    let wall = sim.add_structure(across(), StructureDef::new(10.0)).unwrap();
    assert!(sim.add_structure(across(), StructureDef::new(10.0)).is_err(), "it is built");
    let unarmed = sim.add_group(GroupDef::default()).unwrap();
    let why = sim.attack(unarmed, wall).unwrap_err().to_string();
    assert!(why.contains("has no weapon"), "{why}");
    let weapon = Some(sim.add_weapon(claws()).unwrap());
    let own = sim.add_structure(
        Shape::rect([30.0, 0.0], [31.0, 10.0]),
        StructureDef { team: Some(1), ..StructureDef::new(5.0) },
    );
    let friend = sim.add_group(GroupDef { team: 1, weapon, ..GroupDef::default() }).unwrap();
    let why = sim.attack(friend, own.unwrap()).unwrap_err().to_string();
    assert!(why.contains("no foe"), "{why}");
}

/// Parts of a structure that are taken down are its walls no more, also when they are built again.
#[test]
fn a_structure_is_the_walls_that_are_left() {
    let mut sim = field::<f32>();
    let wall = sim.add_structure(across(), StructureDef::new(10.0)).unwrap();
    let part = Shape::rect([20.0, 0.0], [21.0, 4.0]);
    sim.demolish(part.clone()).unwrap();
    assert_eq!(sim.world().structures()[0].cells().len(), 6);
    sim.build(part).unwrap();
    let map = sim.world().map();
    let owner = |y: u32| sim.world().structure_at(map.index(20, y));
    assert_eq!([owner(3), owner(4)], [None, Some(wall)]);
    let count = sim.world().structures()[0].cells().len();
    assert_eq!((count, health(&sim, wall)), (6, 10.0));
}

fn a_run_goes_on_from_any_snapshot<N: Numbers>() {
    let (mut through, ..) = horde::<N>(Some(2));
    let mut images = Vec::new();
    for tick in 0..700 {
        if tick % 50 == 0 {
            images.push((tick, through.snapshot()));
        }
        through.step();
    }
    assert!(!through.world().structures()[0].stands());
    let mid = images.iter().filter(|(_, image)| {
        let mut sim = field::<N>();
        sim.restore(image).unwrap();
        let health = sim.world().structures()[0].health();
        health > 0.0 && health < 600.0
    });
    assert!(mid.count() > 0, "one was taken while it was struck at");
    for (tick, image) in &images {
        let mut sim = field::<N>();
        sim.restore(image).unwrap();
        assert_eq!(&sim.snapshot(), image);
        (*tick..700).for_each(|_| sim.step());
        assert_eq!(sim.digest(), through.digest(), "from tick {tick}");
    }
}

/// A bit in each column of structures is seen: by the digest, or as a contradiction.
#[test]
fn damaged_states_are_seen() {
    let (mut sim, group, wall) = horde::<f32>(None);
    sim.attack(group, wall).unwrap();
    (0..40).for_each(|_| sim.step());
    let world = sim.world();
    for (column, row, bit) in [
        ("structures.condition", 0, 3),
        ("structures.condition", 0, 63),
        ("structures.condition", 0, 64),
        ("structures.walls", 0, 0),
        ("structures.walls", 3, 31),
        ("structures.def", 0, 0),
        ("structures.attacks", 0, 2),
    ] {
        let mut other = world.clone();
        let changed = state::plant(&mut other, column, row, bit);
        let is_seen = changed.is_err() || state::digest(&other) != state::digest(world);
        assert!(is_seen, "{column}, bit {bit} of row {row}");
    }
    let mut other = world.clone();
    assert!(state::plant(&mut other, "structures.condition", 0, 63).is_err(), "less than none");
    assert!(state::plant(&mut other, "structures.walls", 0, 0).is_err(), "no wall");
}
