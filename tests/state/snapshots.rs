//! Snapshots: a world that is saved and restored goes on as if nothing had been; a damaged or
//! foreign image is refused and changes nothing; digests see every bit, and differences name it.

use crate::common::crowd::{Case, Ids, busy, ids, on_threads};
use crate::common::stage;
use crate::common::thinkers::{hunt, hunters};
use throng::data::Id;
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::map::{Map, TerrainCosts};
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::state::{Finding, Image, SnapshotError};
use throng::tick::{Scratch, tick};
use throng::world::{
    AgentOrder, CompanyDef, Formation, GroupDef, Order, Settings, WeaponDef, World,
};
use throng::{CompanyId, GroupId, MindId, WeaponId, state};

/// A world under way and the memory of its ticks.
struct Run<'a, N: Numbers> {
    case: &'a Case,
    world: World<N>,
    scratch: Scratch<N>,
}

impl<'a, N: Numbers> Run<'a, N> {
    fn new(case: &'a Case) -> Self {
        let world = World::new(case.map.clone(), case.settings).unwrap();
        Self { case, world, scratch: Scratch::new() }
    }

    fn tick(&mut self) {
        let orders = (self.case.orders)(self.world.tick_count(), &ids(&self.world));
        tick(&mut self.world, &orders, &mut self.scratch);
    }

    fn to(&mut self, ticks: u64) {
        while self.world.tick_count() < ticks {
            self.tick();
        }
    }

    /// The digests of the next ticks.
    fn digests(&mut self, ticks: u64) -> Vec<u64> {
        let digest = |run: &mut Self| {
            run.tick();
            state::digest(&run.world)
        };
        (0..ticks).map(|_| digest(self)).collect()
    }
}

fn rect(min: [f64; 2], max: [f64; 2]) -> Vec<Shape> {
    vec![Shape::Rect { min, max }]
}

/// A shot of group 0, high up.
fn launch(from: [f64; 3]) -> Order {
    Order::Launch {
        group: GroupId::new(0),
        weapon: WeaponId::new(0),
        from,
        velocity: [2.0, 1.0, 30.0],
    }
}

/// Groups that avoid crowds, some that find their own way, a company in formation, a goal that
/// fills, fields under way in several ticks, a new wall, freed ids, shots in the air, minds and
/// strategies: state of every kind.
fn varied() -> Case {
    let mut cells = vec![16; 60 * 40];
    (0..30).for_each(|y| cells[y * 60 + 30] = 0);
    let map = Map::from_slowness(60, 40, 1.0, &cells);
    let navigator = Navigator::Breadcrumbs;
    let mut terrain = TerrainCosts::default();
    terrain.set('.', 20).unwrap();
    let orders = move |tick, ids: &Ids| match tick {
        0 => vec![
            Order::Weapon { def: WeaponDef::default() },
            Order::Group { def: GroupDef { avoid_crowds: true, ..GroupDef::default() } },
            Order::Group { def: GroupDef::preset("rts").unwrap() },
            Order::Group {
                def: GroupDef { radius: 0.6, terrain: terrain.clone(), ..GroupDef::default() },
            },
            Order::Spawn {
                group: GroupId::new(0),
                area: rect([1.0, 1.0], [20.0, 20.0]),
                count: 150,
            },
            Order::Spawn {
                group: GroupId::new(1),
                area: rect([1.0, 22.0], [20.0, 30.0]),
                count: 30,
            },
            Order::Spawn {
                group: GroupId::new(2),
                area: rect([40.0, 22.0], [58.0, 39.0]),
                count: 30,
            },
            Order::Group { def: GroupDef { hold: true, ..GroupDef::default() } },
            Order::Spawn {
                group: GroupId::new(3),
                area: rect([52.0, 1.0], [58.0, 4.0]),
                count: 12,
            },
            Order::Move { group: GroupId::new(3), goal: rect([52.0, 6.0], [58.0, 12.0]) },
            Order::Group { def: GroupDef { navigator, ..GroupDef::default() } },
            Order::Spawn {
                group: GroupId::new(4),
                area: rect([1.0, 31.0], [20.0, 39.0]),
                count: 20,
            },
            Order::Move { group: GroupId::new(4), goal: rect([40.0, 12.0], [48.0, 18.0]) },
            Order::Group { def: GroupDef { navigator: Navigator::Path, ..GroupDef::default() } },
            Order::Spawn {
                group: GroupId::new(5),
                area: rect([22.0, 1.0], [29.0, 20.0]),
                count: 20,
            },
            Order::Move { group: GroupId::new(5), goal: rect([40.0, 20.0], [48.0, 24.0]) },
            Order::Group { def: GroupDef { team: 1, foes: 1, ..GroupDef::default() } },
            Order::Mind { def: hunters(7) },
            Order::Think { group: GroupId::new(6), mind: MindId::new(0) },
            Order::Spawn {
                group: GroupId::new(6),
                area: rect([32.0, 1.0], [38.0, 8.0]),
                count: 20,
            },
            Order::Strategies { team: 1, def: hunt(GroupId::new(6)) },
            Order::Company {
                def: CompanyDef {
                    groups: vec![GroupId::new(1), GroupId::new(2)],
                    formation: Some(Formation::Wedge),
                    ..CompanyDef::default()
                },
            },
        ],
        2 => vec![
            launch([10.0, 20.0, 30.0]),
            Order::Move { group: GroupId::new(0), goal: rect([50.0, 5.0], [55.0, 10.0]) },
            Order::MoveCompany {
                company: CompanyId::new(0),
                goal: rect([40.0, 34.0], [50.0, 38.0]),
            },
        ],
        4 => vec![Order::Build { area: rect([56.0, 14.0], [59.0, 16.0]) }],
        40 => vec![Order::Remove {
            group: GroupId::new(0),
            area: Some(rect([0.0, 0.0], [60.0, 8.0])),
        }],
        60 => vec![
            Order::Assign {
                agents: ids.iter().take(9).map(|(id, _)| *id).collect(),
                group: GroupId::new(2),
            },
            Order::Spawn {
                group: GroupId::new(0),
                area: rect([1.0, 30.0], [20.0, 38.0]),
                count: 20,
            },
            to_agents(ids, AgentOrder::Label { label: 5 }),
            to_agents(ids, AgentOrder::Pace { factor: 0.75 }),
            to_agents(ids, AgentOrder::Send { goal: rect([2.0, 2.0], [8.0, 8.0]) }),
        ],
        120 => vec![Order::Stop { group: GroupId::new(0) }],
        _ => Vec::new(),
    };
    let settings = Settings {
        field_cells_per_tick: 300,
        crowding_ticks: 7,
        route_expansions_per_tick: 1,
        ..Settings::default()
    };
    Case { name: "varied", map, settings, ticks: 200, orders: Box::new(orders) }
}

/// An order to some agents of groups 0 and 2.
fn to_agents(ids: &Ids, order: AgentOrder) -> Order {
    let some = ids.iter().filter(|(_, group)| matches!(group, 0 | 2)).step_by(5);
    Order::Agents { agents: some.map(|(id, _)| *id).collect(), order }
}

/// Saves at ticks `every` apart; a fresh world and the same one, later on, go on from there like
/// the run itself.
fn goes_on_as_saved<N: Numbers>(case: &Case, every: u64, on: u64) {
    let mut run = Run::<N>::new(case);
    let mut buffer = vec![7; 100];
    for at in (0..case.ticks - on).step_by(every as usize) {
        run.to(at);
        let image = state::save(&run.world);
        state::save_into(&run.world, &mut buffer);
        assert_eq!(buffer, image, "memory that is used again changes nothing");
        assert_eq!(Image::read(&image).unwrap().tick(), at);
        assert_eq!(Image::read(&image).unwrap().digest, state::digest(&run.world));
        let expected = run.digests(on);
        let mut fresh = Run::<N>::new(case);
        state::restore(&mut fresh.world, &image).unwrap();
        state::validate(&fresh.world).unwrap();
        assert_eq!(state::save(&fresh.world), image, "{} at {at}", case.name);
        assert_eq!(fresh.digests(on), expected, "{}: fresh at {at}", case.name);
        state::restore(&mut run.world, &image).unwrap();
        assert_eq!(state::save(&run.world), image, "{} at {at}", case.name);
        assert_eq!(run.digests(on), expected, "{}: in place at {at}", case.name);
        state::restore(&mut run.world, &image).unwrap();
    }
}

#[test]
fn a_restored_world_goes_on_as_saved() {
    goes_on_as_saved::<f32>(&varied(), 5, 12);
    goes_on_as_saved::<Fx>(&varied(), 9, 12);
    goes_on_as_saved::<f32>(&busy(), 13, 15);
    goes_on_as_saved::<Fx>(&busy(), 26, 15);
}

/// A restore leaves out fields without holders; the next one may need them in the same place.
#[test]
fn fields_that_a_restore_left_out_are_there_after_the_next() {
    let orders = |at: u64, _: &Ids| {
        let goal = |x| vec![Shape::Disc { centre: [x, 20.0], radius: 2.0 }];
        match at {
            0 => vec![
                Order::Group { def: GroupDef::default() },
                Order::Spawn {
                    group: GroupId::new(0),
                    area: rect([14.0, 14.0], [26.0, 26.0]),
                    count: 40,
                },
            ],
            1 | 61 => vec![Order::Move { group: GroupId::new(0), goal: goal(4.0) }],
            31 => vec![Order::Move { group: GroupId::new(0), goal: goal(36.0) }],
            _ => Vec::new(),
        }
    };
    let case = Case {
        name: "to and fro",
        map: stage::map(40, 40, &[[8, 6, 10, 34], [30, 6, 32, 34]]),
        settings: Settings { field_cells_per_tick: 400, ..Settings::default() },
        orders: Box::new(orders),
        ticks: 80,
    };
    let mut run = Run::<f32>::new(&case);
    let images = [60, 62].map(|at| {
        run.to(at);
        state::save(&run.world)
    });
    let directions = |run: &Run<'_, f32>| {
        let field = run.world.groups()[0].field().unwrap();
        run.world.fields().directions(field).expect("the group goes by it").to_vec()
    };
    let shown = directions(&run);
    let expected = run.digests(15);
    let mut other = Run::<f32>::new(&case);
    for image in &images {
        state::restore(&mut other.world, image).unwrap();
    }
    assert_eq!(directions(&other), shown);
    assert_eq!(other.digests(15), expected);
}

#[test]
fn the_varied_world_is_varied() {
    let case = varied();
    let mut run = Run::<f32>::new(&case);
    let mut empty = std::collections::BTreeMap::new();
    for _ in 0..case.ticks {
        run.tick();
        let image = state::save(&run.world);
        for column in Image::read(&image).unwrap().columns {
            let rows = column.lists.iter().map(|list| list.len()).sum::<usize>();
            *empty.entry(column.name.clone()).or_insert(true) &= rows == 0;
        }
    }
    // All agents that want the same way are served at once: a queue needs more than this world.
    empty.remove("navigation.queue");
    // `traffic`, `people` and `following` have worlds with these, `combat/structures` one with structures,
    // and `orders/doors` one with doors.
    let tables = ["traffic.", "structures.", "doors."];
    let is_elsewhere = |name: &str| tables.iter().any(|table| name.starts_with(table));
    let of_ids = ["wait", "chooses", "smaller", "slower", "head", "leader"]
        .map(|name| format!("ids.{name}"));
    empty.retain(|name, _| !of_ids.contains(name) && !is_elsewhere(name));
    let empty: Vec<_> = empty.into_iter().filter(|(_, empty)| *empty).collect();
    assert!(empty.is_empty(), "columns that hold nothing all the time: {empty:?}");
}

#[test]
fn images_do_not_depend_on_threads() {
    let case = busy();
    let image = |threads| {
        on_threads(threads, || {
            let mut run = Run::<f32>::new(&case);
            run.to(30);
            state::save(&run.world)
        })
    };
    assert_eq!(image(1), image(5));
}

/// A few agents, so that every byte can be tried.
fn few<N: Numbers>() -> (Case, World<N>) {
    let mut case = varied();
    case.map = Map::from_slowness(8, 5, 1.0, &[16; 40]);
    let area = || rect([0.5, 0.5], [5.0, 4.0]);
    case.orders = Box::new(move |tick, _| match tick {
        0 => vec![
            Order::Weapon { def: WeaponDef::default() },
            Order::Group { def: GroupDef { avoid_crowds: true, ..GroupDef::default() } },
            Order::Spawn { group: GroupId::new(0), area: area(), count: 5 },
            Order::Company {
                def: CompanyDef {
                    groups: vec![GroupId::new(0)],
                    formation: Some(Formation::Line),
                    ..CompanyDef::default()
                },
            },
            Order::MoveCompany { company: CompanyId::new(0), goal: rect([6.0, 1.0], [7.0, 2.0]) },
        ],
        6 => vec![
            launch([2.0, 2.0, 3.0]),
            launch([3.0, 2.0, 4.0]),
            Order::Remove { group: GroupId::new(0), area: Some(rect([0.0, 0.0], [2.5, 2.5])) },
            Order::Move { group: GroupId::new(0), goal: rect([6.0, 3.0], [7.0, 4.0]) },
        ],
        _ => Vec::new(),
    });
    let mut run = Run::new(&case);
    run.to(12);
    let world = run.world;
    (case, world)
}

fn refused(world: &mut World<f32>, image: &[u8]) -> SnapshotError {
    let before = state::save(world);
    let error = state::restore(world, image).expect_err("a bad image");
    assert_eq!(state::save(world), before, "a refused image changes nothing");
    error
}

#[test]
fn an_image_cut_at_any_byte_is_refused() {
    let (case, world) = few::<f32>();
    let image = state::save(&world);
    let mut other = Run::<f32>::new(&case).world;
    for length in 0..image.len() {
        refused(&mut other, &image[..length]);
    }
    let mut longer = image.clone();
    longer.push(0);
    assert!(refused(&mut other, &longer).to_string().contains("1 byte too many"));
    state::restore(&mut other, &image).unwrap();
}

#[test]
fn an_image_with_any_bit_flipped_is_refused() {
    let (case, world) = few::<f32>();
    let image = state::save(&world);
    let mut other = Run::<f32>::new(&case).world;
    for byte in 0..image.len() {
        let mut changed = image.clone();
        changed[byte] ^= 1 << (byte % 8);
        refused(&mut other, &changed);
    }
}

#[test]
fn foreign_images_are_refused_with_the_reason() {
    let (case, world) = few::<f32>();
    let image = state::save(&world);
    let foreign = |map: Map, settings: Settings| {
        let mut other = World::<f32>::new(map, settings).unwrap();
        refused(&mut other, &image).to_string()
    };
    let map = Map::from_slowness(8, 5, 1.0, &[17; 40]);
    assert!(foreign(map, case.settings).contains("map hash"));
    let settings = Settings { seed: 77, ..case.settings };
    let why = foreign(case.map.clone(), settings);
    assert!(why.contains("settings") && why.contains("seed: 77"), "{why}");
    let mut other = World::<Fx>::new(case.map.clone(), case.settings).unwrap();
    let why = state::restore(&mut other, &image).unwrap_err().to_string();
    assert!(why.contains("numeric mode f32") && why.contains("fixed"), "{why}");
    assert_ne!(state::layout_hash::<f32>(), state::layout_hash::<Fx>());
    let mut own = World::<f32>::new(case.map.clone(), case.settings).unwrap();
    assert!(matches!(refused(&mut own, b"THRONGR\n"), SnapshotError::NotASnapshot));
    let mut newer = image.clone();
    newer[8] = 9;
    assert!(refused(&mut own, &newer).to_string().contains("format 9, but here it is 2"));
}

/// Every column of agents and ids, the first and the last row, some bits: the digest changes, a
/// quick one notices within 32 ticks' worth, and the difference names the place.
#[test]
fn every_column_is_in_the_digests() {
    let case = varied();
    let mut run = Run::<f32>::new(&case);
    run.to(45);
    let saved = state::save(&run.world);
    let plain = Image::read(&saved).unwrap();
    let bits: [(&str, usize); 6] = [
        ("agents.pos", 3),
        ("agents.vel", 35),
        ("agents.tag", 56),
        ("ids.place", 0),
        ("ids.home", 2),
        ("crowding.past", 33),
    ];
    for (name, bit) in bits {
        let column = plain.columns.iter().find(|column| column.name == name).unwrap();
        let rows = column.lists[0].len() / column.width();
        for row in [0, rows - 1] {
            let mut world = run.world.clone();
            state::plant(&mut world, name, row, bit).unwrap();
            assert_ne!(state::digest(&world), state::digest(&run.world), "{name}, row {row}");
            let image = state::save(&world);
            let found = state::differences(&plain, &Image::read(&image).unwrap());
            let [found] = &found[..] else { panic!("{name}: {found:?}") };
            assert_eq!((&found.column[..], found.count), (name, 1));
            let place = state::Tree::of(&world).first_difference(&state::Tree::of(&run.world));
            assert_eq!(place.unwrap().column, name);
            assert_eq!(place.unwrap().chunk, Some(row / state::CHUNK_ROWS));
        }
    }
}

#[test]
fn a_difference_names_agent_word_and_both_values() {
    let case = varied();
    let mut run = Run::<f32>::new(&case);
    run.to(30);
    let row = run.world.len() / 2;
    let Id { index, generation } = run.world.id(row);
    let before = run.world.velocities()[row][1];
    let mut other = run.world.clone();
    state::plant(&mut other, "agents.vel", row, 32 + 20).unwrap();
    let after = f32::from_bits(before.to_bits() ^ (1 << 20));
    assert_eq!(other.velocities()[row][1].to_bits(), after.to_bits());
    let images = [state::save(&run.world), state::save(&other)];
    let [a, b] = [0, 1].map(|i| Image::read(&images[i]).unwrap());
    let found = state::differences(&a, &b);
    let expected = Finding::Value {
        of: format!("agent {index} (generation {generation})"),
        word: "y".to_owned(),
        decimal: [before, after].map(|v| v.to_string()),
        bits: [before, after].map(|v| format!("{:08x}", v.to_bits())),
    };
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].first, expected);
    let text = found[0].to_string();
    assert!(text.contains(&format!("y {before} m/s (bits {:08x})", before.to_bits())), "{text}");
}

/// The quick digests of a world that stands still see a flipped bit of any agent once in 32 ticks,
/// and chunks are shared out evenly.
#[test]
fn the_quick_digest_sees_every_chunk_within_32_ticks() {
    let map = Map::from_slowness(400, 400, 1.0, &[16; 160_000]);
    let mut world = World::<f32>::new(map, Settings::default()).unwrap();
    let group = world.add_group(GroupDef { hold: true, ..GroupDef::default() }).unwrap();
    let places: Vec<_> =
        (0..70_000).map(|i| [1.5 + f64::from(i % 300), 1.5 + f64::from(i / 300)]).collect();
    world.spawn(group, &places).unwrap();
    let mut scratch = Scratch::new();
    tick(&mut world, &[], &mut scratch);
    let mut other = world.clone();
    let row = 41_234;
    state::plant(&mut other, "agents.vel", row, 0).unwrap();
    let mut noticed = Vec::new();
    for at in 0..state::QUICK_TICKS {
        if state::quick_digest(&world) != state::quick_digest(&other) {
            noticed.push(at);
        }
        tick(&mut world, &[], &mut scratch);
        let mut flipped = world.clone();
        let row = flipped.tags().iter().position(|tag| tag.id == row as u32).unwrap();
        state::plant(&mut flipped, "agents.vel", row, 0).unwrap();
        other = flipped;
    }
    assert_eq!(noticed.len(), 1, "{noticed:?}");
}

/// Every column stands in the documents, columns of fixed rows with their width.
#[test]
fn every_column_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (case, _) = few::<f32>();
    let image = state::save(&Run::<f32>::new(&case).world);
    for column in Image::read(&image).unwrap().columns {
        let named = format!("`{}`", column.name);
        let line = text.lines().find(|line| line.starts_with('|') && line.contains(&named));
        let line = line.unwrap_or_else(|| panic!("{named} is not documented"));
        let width = column.width();
        assert!(
            !line.contains(" bytes |") || line.contains(&format!("| {width} bytes |")),
            "{line} {width}"
        );
    }
}
