//! Every bit of a kept state, flipped with all digests set right: the state contradicts itself and is
//! refused, or a run goes on from it. Agents faster than any group, or homes far off every map, used
//! to be taken, and the next tick read past the map; a tick near the end of time could not be counted
//! on.

use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::state::Image;
use throng::tick::{Scratch, tick};
use throng::world::{CompanyDef, Formation, GroupDef, Order, Settings, World};
use throng::{CompanyId, GroupId, state};

in_both!(a_state_with_any_bit_flipped_is_refused_or_goes_on);

/// A small crowd under way: a company in formation, a group at its goal, and one that avoids crowds.
fn world<N: Numbers>() -> World<N> {
    let mut cells = vec![16; 20 * 12];
    cells[5 * 20 + 9..][..2].fill(0);
    let map = Map::from_slowness(20, 12, 1.0, &cells);
    let settings = Settings { field_cells_per_tick: 40, crowding_ticks: 2, ..Settings::default() };
    let mut world = World::new(map, settings).unwrap();
    let group =
        |avoid_crowds| Order::Group { def: GroupDef { avoid_crowds, ..GroupDef::default() } };
    let rect = |x: f64, y: f64| vec![Shape::Rect { min: [x, y], max: [x + 3.0, y + 3.0] }];
    let formation = Some(Formation::Line);
    let def = CompanyDef { groups: vec![GroupId::new(0)], formation, ..CompanyDef::default() };
    let orders = [
        vec![
            group(false),
            group(true),
            group(false),
            Order::Spawn { group: GroupId::new(0), area: rect(1.0, 1.0), count: 4 },
            Order::Spawn { group: GroupId::new(1), area: rect(1.0, 7.0), count: 3 },
            Order::Spawn { group: GroupId::new(2), area: rect(15.0, 7.0), count: 3 },
        ],
        vec![
            Order::Company { def },
            Order::MoveCompany { company: CompanyId::new(0), goal: rect(12.0, 1.0) },
            Order::Move { group: GroupId::new(1), goal: rect(15.0, 1.0) },
            Order::Move { group: GroupId::new(2), goal: rect(15.0, 7.0) },
        ],
    ];
    let mut scratch = Scratch::new();
    orders.iter().for_each(|orders| tick(&mut world, orders, &mut scratch));
    (0..12).for_each(|_| tick(&mut world, &[], &mut scratch));
    world
}

fn a_state_with_any_bit_flipped_is_refused_or_goes_on<N: Numbers>() {
    let world = world::<N>();
    let saved = state::save(&world);
    let image = Image::read(&saved).unwrap();
    let mut scratch = Scratch::new();
    let (mut refused, mut played) = (0, 0);
    for column in &image.columns {
        let width = column.width();
        let rows = column.lists.iter().map(|list| list.len()).sum::<usize>() / width;
        // Of long lists the rows at both ends.
        let rows = (0..rows).filter(|&row| row < 12 || row + 3 >= rows);
        for (row, bit) in rows.flat_map(|row| (0..8 * width).map(move |bit| (row, bit))) {
            let mut flipped = world.clone();
            if state::plant(&mut flipped, &column.name, row, bit).is_err() {
                refused += 1;
                continue;
            }
            state::validate(&flipped).unwrap();
            for _ in 0..3 {
                tick(&mut flipped, &[], &mut scratch);
                state::validate(&flipped).unwrap();
            }
            played += 1;
        }
    }
    assert!(refused > 1_000 && played > 1_000, "{refused} refused, {played} played");
}

/// The tick is the first word of the clock.
#[test]
fn the_end_of_time_is_refused() {
    let mut world = world::<f32>();
    assert!(state::plant(&mut world, "world.clock", 0, 63).is_err());
    assert!(state::plant(&mut world, "world.clock", 0, 40).is_ok());
    assert_eq!(world.tick_count() >> 40, 1);
}

/// An image whose rows of agents are fewer than their tags used to make the comparison panic.
#[test]
fn images_that_contradict_themselves_can_be_compared() {
    let saved = state::save(&world::<f32>());
    let (whole, mut cut) = (Image::read(&saved).unwrap(), Image::read(&saved).unwrap());
    for column in &mut cut.columns {
        let width = column.width();
        for list in column.lists.iter_mut().filter(|list| !list.is_empty()) {
            *list = &list[..list.len() - width];
        }
    }
    for (a, b) in [(&whole, &cut), (&cut, &whole)] {
        let found = state::differences(a, b);
        assert!(found.iter().any(|found| found.column == "agents.vel"), "{found:?}");
    }
}

#[test]
fn nobody_is_faster_than_the_fastest_group() {
    // 4,096 m/s in fixed point: the walker of a group that goes 1.4 m/s at most.
    let mut world = world::<Fx>();
    assert!(state::plant(&mut world, "agents.vel", 0, 28).is_err());
    assert!(state::plant(&mut world, "ids.home", 0, 31).is_err());
}

/// On ground that is sixteen times as quick as plain ground a group may be less fast by its traits.
#[test]
fn no_group_is_faster_than_groups_may_be_on_the_map() {
    let map = Map::from_slowness(4, 4, 1.0, &[1; 16]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let def = GroupDef { speed: 100.0, sprint: 2.0, ..GroupDef::default() };
    world.add_group(def).unwrap();
    let saved = state::save(&world);
    let image = Image::read(&saved).unwrap();
    let column = image.columns.iter().find(|column| column.name == "groups.traits").unwrap();
    let mut changed = 0;
    for bit in 0..8 * column.width() {
        let mut flipped = world.clone();
        if state::plant(&mut flipped, "groups.traits", 0, bit).is_ok() {
            let def = &flipped.groups()[0].def;
            assert!(def.speed * def.sprint * 16.0 <= 8_000.0, "bit {bit}: {def:?}");
            changed += u32::from(def.speed != 100.0);
        }
    }
    assert!(changed > 30, "{changed}");
}
