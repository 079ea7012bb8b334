//! The scenarios that ship with the program: they load, and their crowds stand where they should.

use throng::map::placement::place;
use throng::math::{Numeric, hash3};
use throng::scenario::{
    LoadError, OverrideError, Overrides, Plan, ScenarioDef, builtin, builtin_names,
};
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};

fn load(name: &str, overrides: &Overrides) -> Plan {
    Plan::load(name, overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// A map is looked for beside the file that names it, an override from the folder of the process; what
/// cannot be loaded is told by its path, and nothing is taken for it.
#[test]
fn a_file_is_loaded_with_what_it_names() {
    let folder = std::env::temp_dir().join(format!("throng-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let map = |rows: &str| format!("type octile\nheight 2\nwidth 4\nmap\n{rows}");
    std::fs::write(path("near.map"), map("....\n.@..\n")).unwrap();
    std::fs::write(path("other.map"), map("@...\n....\n")).unwrap();
    let text = "ticks = 9\n[map]\nfile = \"near.map\"\ncell = 2\n[[group]]\nname = \"a\"\n\
                spawn = { rect = [4, 0, 8, 4], count = 3 }\n";
    std::fs::write(path("a.toml"), text).unwrap();
    let walls = |plan: &Plan| -> Vec<(u32, u32)> {
        let cells = (0..2).flat_map(|y| (0..4).map(move |x| (x, y)));
        cells.filter(|&(x, y)| plan.map.slowness()[plan.map.index(x, y) as usize] == 0).collect()
    };
    let plain = load(&path("a.toml"), &Overrides::default());
    assert_eq!((walls(&plain), plain.ticks), (vec![(1, 1)], 9));
    let changes = Overrides { map: Some(path("other.map")), seed: Some(7), ..Overrides::default() };
    let changed = load(&path("a.toml"), &changes);
    assert_eq!((walls(&changed), changed.settings.seed), (vec![(0, 0)], 7));
    let refused = |name: &str, changes: &Overrides| Plan::load(name, changes).unwrap_err();
    let none = Overrides::default();
    let error = refused("croissing", &none);
    assert!(matches!(&error, LoadError::NoSuchScenario { name } if name == "croissing"));
    assert!(builtin_names().all(|name| error.to_string().contains(name)), "{error}");
    assert!(matches!(refused(&path("."), &none), LoadError::File { .. }));
    let few = Overrides { agents: Some(0), ..Overrides::default() };
    assert!(matches!(refused("small", &few), LoadError::Override(OverrideError::TooFew { .. })));
    std::fs::remove_file(path("near.map")).unwrap();
    let error = refused(&path("a.toml"), &none);
    assert!(
        matches!(error, LoadError::Scenario(_)) && error.to_string().contains("near.map"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The crowd that a plan's groups and spawns of tick 0 make: by group, positions and radius.
///
/// It is placed here as the orders stage does; that the world then has as many agents is checked.
fn crowd(plan: &Plan) -> Vec<(Vec<[f64; 2]>, f64)> {
    let mut groups: Vec<(Vec<[f64; 2]>, f64)> = Vec::new();
    for (index, order) in plan.orders_at(0).enumerate() {
        match order {
            Order::Group { def } => groups.push((Vec::new(), def.radius)),
            Order::Spawn { group, area, count } => {
                let (places, radius) = &mut groups[usize::from(*group)];
                let class = plan.map.class(*radius);
                let seed = hash3(plan.settings.seed, 0, index as u64);
                let count = u64::from(*count);
                let placed = place(&plan.map, class.slowness(), area, count, *radius, seed);
                places.extend(placed.unwrap_or_else(|e| panic!("{e}")));
            }
            _ => {}
        }
    }
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let standing = |order: &&Order| {
        matches!(order, Order::Weapon { .. } | Order::Group { .. } | Order::Spawn { .. })
    };
    let orders: Vec<Order> = plan.orders_at(0).filter(standing).cloned().collect();
    tick(&mut world, &orders, &mut Scratch::new());
    assert!(world.outcomes().iter().all(|outcome| !outcome.is_refused()));
    assert_eq!(world.len(), groups.iter().map(|group| group.0.len()).sum::<usize>());
    groups
}

/// Panics when an agent of a plan stands in a wall or in another agent.
fn check_standing(plan: &Plan) {
    let bodies: Vec<([f64; 2], f64)> = crowd(plan)
        .into_iter()
        .flat_map(|(places, radius)| places.into_iter().map(move |at| (at, radius)))
        .collect();
    let widest = bodies.iter().map(|body| 2.0 * body.1).fold(0.0, f64::max);
    let key = |p: [f64; 2]| p.map(|at| (at / widest).floor() as i64);
    let mut sorted: Vec<([i64; 2], usize)> =
        bodies.iter().enumerate().map(|(i, body)| (key(body.0), i)).collect();
    sorted.sort_unstable();
    for (i, &([x, y], radius)) in bodies.iter().enumerate() {
        let cell = plan.map.cell_at(x, y).expect("every agent stands on the map");
        assert!(plan.map.slowness()[cell as usize] != 0, "({x}, {y}) is in a wall");
        let [column, row] = key([x, y]);
        for near in column - 1..=column + 1 {
            let from = sorted.partition_point(|entry| entry.0 < [near, row - 1]);
            let near = sorted[from..].iter().take_while(|entry| entry.0 <= [near, row + 1]);
            for &(_, j) in near.filter(|entry| entry.1 != i) {
                let ([x2, y2], other) = bodies[j];
                let (dx, dy) = (x2 - x, y2 - y);
                let least = radius + other;
                assert!(dx * dx + dy * dy >= least * least, "({x}, {y}) overlaps ({x2}, {y2})");
            }
        }
    }
}

#[test]
fn every_scenario_plans_without_overlap() {
    for name in builtin_names() {
        let plan = load(name, &Overrides::default());
        assert_eq!(plan.name, name);
        check_standing(&plan);
        assert!(plan.orders.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}

fn counts(plan: &Plan) -> Vec<usize> {
    crowd(plan).into_iter().map(|(places, _)| places.len()).collect()
}

#[test]
fn the_scenarios_are_as_large_as_they_say() {
    let agents = |name| counts(&load(name, &Overrides::default())).iter().sum::<usize>();
    assert_eq!(agents("battle"), 40_000);
    assert_eq!(agents("siege"), 8_000);
    assert_eq!(agents("crossing"), 20_000);
    assert_eq!(agents("doors"), 10_000);
    assert_eq!(agents("city"), 20_000);
    assert_eq!(agents("circle"), 1000);
    assert_eq!(agents("columns"), 240);
    assert_eq!(agents("flock"), 605);
    assert_eq!(agents("formations"), 240);
    assert_eq!(agents("million"), 1_000_000);
    assert_eq!(agents("small"), 400);
    assert_eq!(load("city", &Overrides::default()).scene.groups.len(), 20);
    assert!(builtin("no such").is_none());
}

/// The two armies' map: one connected ground on which a body 12 cells wide gets everywhere.
#[test]
fn the_valley_is_open() {
    let plan = load("crossing", &Overrides::default());
    let map = &plan.map;
    let ground = map.class(0.3);
    assert_eq!(ground.component_count(), 1);
    let wide = map.class(6.0);
    let label = |[x, y]: [f64; 2]| wide.component(map.cell_at(x, y).unwrap());
    let west = label([90.0, 250.0]);
    assert!(west != 0);
    assert_eq!(west, label([422.0, 262.0]));
    for pass in [[228.0, 146.0], [284.0, 366.0], [256.0, 256.0], [226.0, 60.0], [286.0, 452.0]] {
        assert_eq!(label(pass), west, "the crossing at {pass:?} is less than 12 cells wide");
    }
}

#[test]
fn every_order_kind_is_in_the_small_one() {
    let plan = load("small", &Overrides::default());
    let mut seen = [0; 4];
    for (_, order) in &plan.orders {
        let kind = match order {
            Order::Move { .. } => 0,
            Order::Stop { .. } => 1,
            Order::Spawn { .. } => 2,
            Order::Remove { .. } => 3,
            _ => continue,
        };
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
}

#[test]
fn overrides_change_what_they_name() {
    let overrides = Overrides {
        agents: Some(1003),
        ticks: Some(50),
        seed: Some(9),
        numeric: Some(Numeric::Fixed),
        map: None,
    };
    let plan = load("crossing", &overrides);
    assert_eq!(counts(&plan), [502, 501]);
    assert_eq!((plan.ticks, plan.settings.seed, plan.numeric), (50, 9, Numeric::Fixed));
    let other = load("crossing", &Overrides { seed: Some(10), ..overrides.clone() });
    assert_ne!(crowd(&plan), crowd(&other), "the seed moves agents");
    assert_eq!(crowd(&plan), crowd(&load("crossing", &overrides)));
    // 250 : 60 : 90 agents, and no spawn is left without one.
    let small = |agents| {
        let plan = load("small", &Overrides { agents: Some(agents), ..Overrides::default() });
        let counts = counts(&plan);
        [counts[0], counts[1]]
    };
    assert_eq!(small(40), [25, 15]);
    assert_eq!(small(3), [1, 2]);
    assert_eq!(small(4), [2, 2]);
    assert_eq!(small(800), [500, 300]);
}

#[test]
fn another_map_replaces_the_ground() {
    let mut def = ScenarioDef::parse(builtin("small").unwrap().text, "small").unwrap();
    def.apply(&Overrides { map: Some("x.map".into()), ..Overrides::default() }).unwrap();
    let row = ".".repeat(64);
    let text = format!("type octile\nheight 48\nwidth 64\nmap\n{}", format!("{row}\n").repeat(48));
    let map = def
        .load_map(&|path| {
            assert_eq!(path, "x.map");
            Ok(text.clone().into_bytes())
        })
        .unwrap();
    assert!(map.letters().iter().all(|&letter| letter == b'.'), "walls went with the old map");
}

#[test]
fn shapes_paint_the_map() {
    let text = r#"
        ticks = 1
        group = [{ name = "a", spawn = { point = [0.5, 0.5] } }]
        [map]
        rows = """
        ....T
        ..S..
        """
        cost = { S = 2 }
        terrain = [{ rect = [0, 1, 1, 2], cost = 3.0 }, { rect = [3, 0, 4, 1], cost = 2.0 }]
        walls = [{ point = [1.5, 0.5] }]
    "#
    .replace("        ", "");
    let def = ScenarioDef::parse(&text, "drawn.toml").unwrap();
    let map = def.load_map(&|_| unreachable!("the map is drawn in the scenario")).unwrap();
    assert_eq!(map.letters(), b".@.STa.S..");
    let slowness: Vec<u8> =
        (0..10).map(|i| map.slowness()[map.index(i % 5, i / 5) as usize]).collect();
    assert_eq!(slowness, [16, 0, 16, 32, 0, 48, 16, 32, 16, 16]);
    assert_eq!(crowd(&Plan::new(&def, map).unwrap())[0].0, [[0.5, 0.5]]);
}
