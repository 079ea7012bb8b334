//! Terrain: cost is time, costs and slopes are a group's own, and no agent walks where it must not.

use crate::common::crowd::on_threads;
use crate::common::stage::{Body, Stage, disc, point, rect};
use throng::lane::{Lane, Numbers};
use throng::map::{Legend, Map, TerrainCosts};
use throng::math::Fx;
use throng::nav::field::{GoalCells, solve};
use throng::nav::navigator::Navigator;
use throng::scenario::{Plan, ScenarioDef};
use throng::state::Tree;
use throng::tick::{Scratch, tick_with};
use throng::world::{
    Avoidance, Behaviour, BehaviourKind, CompanyDef, Formation, GroupDef, Order, Settings, World,
};
use throng::{CompanyId, GroupId, state};

in_both!(
    it_takes_as_long_as_it_costs,
    walker_boat_and_cart_go_three_ways,
    hills_are_walked_around,
    terrain_is_restored
);

/// Costs of some letters, in 1/16.
fn costs(letters: &[(char, u8)]) -> TerrainCosts {
    let mut costs = TerrainCosts::default();
    letters.iter().for_each(|&(letter, slowness)| costs.set(letter, slowness).unwrap());
    costs
}

/// The same with costs of slopes.
fn sloped(letters: &[(char, u8)], slope_cost: f64, max_slope: f64) -> TerrainCosts {
    let mut costs = costs(letters);
    (costs.slope_cost, costs.max_slope) = (slope_cost, max_slope);
    costs
}

/// A map whose letters, W among them, are all open and plain.
fn open_map(rows: &[String]) -> Map {
    let mut legend = Legend::default();
    "WFRS".chars().for_each(|letter| legend.set(letter, 16).unwrap());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Map::from_rows(&rows, &legend, 1.0).unwrap()
}

/// Rows of one letter with another in the columns `from..to` of the rows `rows`.
fn painted([width, height]: [usize; 2], paint: &[(char, [usize; 2], [usize; 2])]) -> Vec<String> {
    let letter = |x: usize, y: usize| {
        let is_in = |(_, columns, rows): &&(char, [usize; 2], [usize; 2])| {
            (columns[0]..columns[1]).contains(&x) && (rows[0]..rows[1]).contains(&y)
        };
        paint.iter().rev().find(is_in).map_or('.', |&(letter, ..)| letter)
    };
    (0..height).map(|y| (0..width).map(|x| letter(x, y)).collect()).collect()
}

/// The letter under a body.
fn letter<N: Numbers>(world: &World<N>, body: &Body) -> char {
    let map = world.map();
    let cell = map.cell_at(body.pos[0], body.pos[1]).expect("nobody is off the map");
    char::from(map.ground(cell).letter)
}

fn alone() -> GroupDef {
    GroupDef { acceleration: 20.0, response: 0.1, ..GroupDef::default() }
}

/// Seconds from x = 10 to x = 50 over ground of a cost in 1/16.
fn seconds<N: Numbers>(slowness: u8, in_map: bool, avoidance: Avoidance) -> f64 {
    let rows = painted([60, 9], &[('S', [8, 52], [0, 9])]);
    let mut legend = Legend::default();
    legend.set('S', if in_map { slowness } else { 16 }).unwrap();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = Map::from_rows(&rows, &legend, 1.0).unwrap();
    let mut stage = Stage::<N>::new(map);
    let terrain = if in_map { TerrainCosts::default() } else { costs(&[('S', slowness)]) };
    let group = stage.group(GroupDef { terrain, avoidance, ..alone() }, &[[4.5, 4.5]]);
    stage.send(group, point(56.5, 4.5));
    let past = |x: f64| move |stage: &Stage<N>| stage.one().pos[0] >= x;
    stage.until(400, past(10.0)).expect("it sets out");
    let ticks = stage.until(12_000, past(50.0)).expect("it gets there");
    f64::from(ticks) / f64::from(stage.world.settings().tick_rate)
}

fn it_takes_as_long_as_it_costs<N: Numbers>() {
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        for (slowness, in_map) in [(8, true), (16, true), (40, true), (8, false), (96, false)] {
            let expected = 40.0 * f64::from(slowness) / 16.0 / 1.4;
            let found = seconds::<N>(slowness, in_map, avoidance);
            let off = (found / expected - 1.0).abs();
            assert!(off < 0.05, "{slowness} {avoidance:?}: {found} s, not {expected} s");
        }
    }
}

/// A walker, a boat and a cart, each from the left to the right of a map with a forest, a river and
/// a road.
const WAYS: &str = r#"
ticks = 3000
[map]
rows = """
ROWS"""
cost = { W = 1, F = 1, R = 1 }

[[group]]
name = "walker"
acceleration = 20
response = 0.1
cost = { F = 3, W = 0 }
spawn = { point = [4.5, 5.5] }
goal = { point = [74.5, 5.5] }

[[group]]
name = "boat"
layer = 1
avoids = []
acceleration = 20
response = 0.1
cost = { "." = 0, F = 0, R = 0 }
spawn = { point = [4.5, 22.5] }
goal = { point = [74.5, 22.5] }

[[group]]
name = "cart"
layer = 2
avoids = []
acceleration = 20
response = 0.1
cost = { "." = 2, F = 0, R = 0.75, W = 0 }
spawn = { point = [4.5, 7.5] }
goal = { point = [74.5, 7.5] }
"#;

fn walker_boat_and_cart_go_three_ways<N: Numbers>() {
    // The river bends: it leads through the row y = 30.
    let rows = painted(
        [80, 34],
        &[
            ('F', [30, 50], [2, 11]),
            ('R', [0, 80], [14, 16]),
            ('W', [0, 24], [20, 25]),
            ('W', [20, 60], [27, 32]),
            ('W', [20, 24], [20, 32]),
            ('W', [56, 60], [20, 32]),
            ('W', [56, 80], [20, 25]),
        ],
    );
    let text = WAYS.replace("ROWS", &(rows.join("\n") + "\n"));
    let def = ScenarioDef::parse(&text, "ways").unwrap_or_else(|error| panic!("{error}"));
    let map = def.load_map(&|_| unreachable!()).unwrap();
    let plan = Plan::new(&def, map).unwrap_or_else(|error| panic!("{error}"));
    let mut stage = Stage::<N>::with(plan.map.clone(), plan.settings);
    for order in plan.orders_at(0) {
        let outcome = stage.order(order.clone());
        assert!(!outcome.is_refused(), "{outcome:?}");
    }
    let starts = [[4.5, 5.5], [4.5, 22.5], [4.5, 7.5]];
    let goals = [[74.5, 5.5], [74.5, 22.5], [74.5, 7.5]];
    let mut lines = [String::new(), String::new(), String::new()];
    let mut arrived = [None; 3];
    for tick in 0..3000 {
        stage.tick();
        for body in stage.bodies() {
            let group = usize::from(body.group);
            if !lines[group].ends_with(letter(&stage.world, &body)) {
                lines[group].push(letter(&stage.world, &body));
            }
            if arrived[group].is_none() && body.has_arrived() {
                arrived[group] = Some(f64::from(tick) / 20.0);
            }
        }
    }
    assert_eq!(lines, [".", "W", ".R."], "what they crossed");
    for group in 0..3 {
        let cell = |[x, y]: [f64; 2]| plan.map.cell_at(x, y).unwrap();
        let terrain = &stage.world.groups()[group].def.terrain;
        let class = plan.map.try_class_for(0.3, terrain).unwrap();
        let field = solve(&class, &GoalCells::point(cell(goals[group])));
        // A point goal counts as reached in its cell, half a metre before the point.
        let way = f64::from(field.distances[cell(starts[group]) as usize]) / 256.0 - 0.5;
        let expected = way / 1.4;
        let found = arrived[group].unwrap_or_else(|| panic!("group {group} never arrives"));
        let off = (found / expected - 1.0).abs();
        assert!(off < 0.05, "group {group}: {found} s, not {expected} s");
    }
}

/// A map with a round hill in the middle, of which the steepest part rises a metre a metre.
fn hill() -> Map {
    let map = open_map(&painted([60, 41], &[]));
    let height = |x: usize, y: usize| {
        let (dx, dy) = (x as f64 - 29.5, y as f64 - 20.0);
        let left = (1.0 - (dx * dx + dy * dy) / 144.0).max(0.0);
        (8.0 * left * left * 16.0) as i16
    };
    let heights = (0..41).flat_map(|y| (0..60).map(move |x| height(x, y)));
    map.with_heights(&heights.collect::<Vec<i16>>(), 3.0).unwrap()
}

/// The steepest grade under an agent that crosses the hill, and how far from the straight line it
/// goes.
fn climb<N: Numbers>(terrain: TerrainCosts) -> [f64; 2] {
    let mut stage = Stage::<N>::new(hill());
    let group = stage.group(GroupDef { terrain, ..alone() }, &[[4.5, 20.5]]);
    stage.send(group, point(55.5, 20.5));
    let (mut steepest, mut aside) = (0.0_f64, 0.0_f64);
    while !stage.all_arrived() {
        assert!(stage.world.tick_count() < 4000, "it never arrives");
        stage.tick();
        let [x, y] = stage.one().pos;
        let cell = stage.world.map().cell_at(x, y).unwrap();
        steepest = steepest.max(stage.world.map().grade(cell));
        aside = aside.max((y - 20.5).abs());
    }
    [steepest, aside]
}

fn hills_are_walked_around<N: Numbers>() {
    let plain = climb::<N>(TerrainCosts::default());
    assert!(plain[0] > 0.8 && plain[1] < 1.0, "{plain:?}");
    let costly = climb::<N>(sloped(&[], 8.0, f64::INFINITY));
    assert!(costly[0] < 0.5 && costly[1] > 4.0, "{costly:?}");
    let limited = climb::<N>(sloped(&[], 0.0, 0.3));
    assert!(limited[0] <= 0.3 && limited[1] > 4.0, "{limited:?}");
}

/// Land with a lake, and agents in the lake that cannot swim any more.
fn out_of_the_lake<N: Numbers>(navigator: Navigator) {
    let map = open_map(&painted([50, 30], &[('W', [15, 29], [9, 21])]));
    let mut stage = Stage::<N>::new(map);
    let def = GroupDef { speed: 5.0, ..alone() };
    let swimmers = stage.world.add_group(def.clone()).unwrap();
    let terrain = costs(&[('W', 0)]);
    let walkers = stage.world.add_group(GroupDef { terrain, navigator, ..def }).unwrap();
    let outcome =
        stage.order(Order::Spawn { group: swimmers, area: rect(15.0, 9.0, 29.0, 21.0), count: 40 });
    assert!(!outcome.is_refused(), "{outcome:?}");
    let agents = stage.bodies().iter().map(|body| body.id).collect();
    stage.order(Order::Assign { agents, group: walkers });
    stage.send(walkers, disc(42.0, 15.0, 6.0));
    let ticks = stage.until(3000, Stage::all_arrived).expect("all get out and arrive");
    assert!(ticks > 300, "water is slow: {ticks}");
}

#[test]
fn who_is_on_forbidden_ground_gets_out() {
    for navigator in [Navigator::Flow, Navigator::Path, Navigator::Corridor] {
        out_of_the_lake::<f32>(navigator);
    }
    out_of_the_lake::<Fx>(Navigator::Flow);
}

/// A river with a bridge far away.
fn banks<N: Numbers>(settings: Settings) -> Stage<N> {
    let map = open_map(&painted([60, 40], &[('W', [28, 32], [0, 36])]));
    Stage::with(map, settings)
}

fn nobody_enters<N: Numbers>(settings: Settings, def: &GroupDef, behave: Vec<Behaviour>) {
    let mut stage = banks::<N>(settings);
    let terrain = costs(&[('W', 0)]);
    for row in 0..12 {
        let def = GroupDef { terrain: terrain.clone(), layer: row, avoids: 0, ..def.clone() };
        let group = stage.group(def, &[[24.5, 3.0 + 2.7 * f64::from(row)]]);
        stage.order(Order::Behave { group, behaviours: behave.clone() });
        stage.send(group, point(50.5, 5.5));
    }
    let mut across = 0;
    for _ in 0..1500 {
        stage.tick();
        let bodies = stage.bodies();
        // Walls that they slide along may push them in.
        let by_wall = |body: &Body| !behave.is_empty() && !(1.0..39.0).contains(&body.pos[1]);
        let swims = |body: &&Body| letter(&stage.world, body) == 'W' && !by_wall(body);
        let swims = bodies.iter().find(swims);
        assert!(swims.is_none(), "{swims:?} at {}", stage.world.tick_count());
        across = bodies.iter().filter(|body| body.pos[0] > 32.0).count();
    }
    assert!(across == 12 || !behave.is_empty(), "{across} are across");
}

#[test]
fn nobody_enters_forbidden_ground_by_its_own_will() {
    // Until the field is done, long after, they go straight for the goal.
    let slow = Settings { field_cells_per_tick: 32, ..Settings::default() };
    for avoidance in [Avoidance::Separation, Avoidance::Orca] {
        let def = GroupDef { avoidance, speed: 3.0, ..GroupDef::default() };
        nobody_enters::<f32>(slow, &def, Vec::new());
        nobody_enters::<Fx>(slow, &def, Vec::new());
    }
    let wander = Behaviour::new(BehaviourKind::Wander { turn: 2.0, rate: 1.0 });
    nobody_enters::<f32>(Settings::default(), &GroupDef::default(), vec![wander]);
}

/// A crowd, a formation among it, on all kinds of ground, while walls go up and come down.
fn mixed<L: Lane>(threads: usize) -> Vec<u64> {
    on_threads(threads, || {
        let mut world = mixed_world::<L::Num>();
        let mut scratch = Scratch::new();
        let mut digests = Vec::new();
        for at in 0..260 {
            tick_with::<L>(&mut world, &mixed_orders(at), &mut scratch, &mut ());
            digests.push(state::digest(&world));
        }
        state::validate(&world).unwrap();
        digests
    })
}

fn mixed_world<N: Numbers>() -> World<N> {
    let paint = [
        ('F', [20, 30], [5, 25]),
        ('R', [0, 60], [14, 16]),
        ('W', [36, 40], [0, 12]),
        ('W', [36, 40], [17, 40]),
    ];
    let rows = painted([60, 40], &paint);
    let map = open_map(&rows);
    let heights = (0..40).flat_map(|y| (0..60).map(move |x| (x * y % 11) as i16));
    let map = map.with_heights(&heights.collect::<Vec<i16>>(), 3.0).unwrap();
    World::new(map, Settings::default()).unwrap()
}

fn mixed_orders(at: u64) -> Vec<Order> {
    let land = sloped(&[('W', 0), ('F', 40), ('R', 8)], 1.5, f64::INFINITY);
    let steep = sloped(&[('W', 200)], 0.0, 0.55);
    let group = |terrain: &TerrainCosts, avoidance| Order::Group {
        def: GroupDef { terrain: terrain.clone(), avoidance, avoid_crowds: true, ..alone() },
    };
    let send = |group| Order::Move { group, goal: disc(52.0, 20.0, 7.0) };
    let spawn = |group, y| Order::Spawn { group, area: rect(1.0, y, 14.0, y + 8.0), count: 60 };
    match at {
        0 => vec![
            group(&land, Avoidance::Separation),
            group(&steep, Avoidance::Orca),
            group(&land, Avoidance::Separation),
            spawn(GroupId::new(0), 1.0),
            spawn(GroupId::new(1), 12.0),
            spawn(GroupId::new(2), 24.0),
            Order::Company {
                def: CompanyDef {
                    groups: vec![GroupId::new(2)],
                    formation: Some(Formation::Block),
                    ..CompanyDef::default()
                },
            },
            send(GroupId::new(0)),
            send(GroupId::new(1)),
            Order::MoveCompany { company: CompanyId::new(0), goal: disc(50.0, 20.0, 8.0) },
        ],
        60 => vec![Order::Build { area: rect(22.0, 8.0, 28.0, 18.0) }],
        120 => vec![Order::Demolish { area: rect(22.0, 8.0, 28.0, 14.0) }],
        _ => Vec::new(),
    }
}

#[test]
fn terrain_repeats_in_bits() {
    let expected = mixed::<<f32 as Numbers>::Wide>(1);
    assert_eq!(mixed::<<f32 as Numbers>::Wide>(3), expected, "threads");
    assert_eq!(mixed::<<f32 as Numbers>::Single>(2), expected, "lanes");
    let expected = mixed::<<Fx as Numbers>::Wide>(2);
    assert_eq!(mixed::<<Fx as Numbers>::Single>(1), expected, "fixed lanes");
}

fn terrain_is_restored<N: Numbers>() {
    let (mut world, mut scratch) = (mixed_world::<N>(), Scratch::new());
    let mut go = |world: &mut World<N>, from: u64, to: u64| {
        for at in from..to {
            tick_with::<N::Wide>(world, &mixed_orders(at), &mut scratch, &mut ());
        }
    };
    for at in [30, 90, 130] {
        let from = world.tick_count();
        go(&mut world, from, at);
        let image = state::save(&world);
        let mut fresh = mixed_world::<N>();
        state::restore(&mut fresh, &image).unwrap();
        assert_eq!(state::save(&fresh), image);
        go(&mut fresh, at, at + 40);
        let mut on = world.clone();
        go(&mut on, at, at + 40);
        let (fresh, on) = (Tree::of(&fresh), Tree::of(&on));
        assert_eq!(fresh.first_difference(&on), None, "at {at}");
    }
}

/// A formation on slow ground goes as slowly as that takes, and keeps together.
#[test]
fn formations_do_not_outrun_the_ground() {
    let rows = painted([80, 24], &[('S', [24, 60], [0, 24])]);
    let mut stage = Stage::<f32>::new(open_map(&rows));
    let terrain = costs(&[('S', 48)]);
    let group = stage.world.add_group(GroupDef { terrain, ..alone() }).unwrap();
    stage.order(Order::Spawn { group, area: rect(4.0, 6.0, 16.0, 18.0), count: 30 });
    let def = CompanyDef {
        groups: vec![group],
        formation: Some(Formation::Block),
        ..CompanyDef::default()
    };
    stage.order(Order::Company { def });
    stage.order(Order::MoveCompany { company: CompanyId::new(0), goal: disc(70.0, 12.0, 6.0) });
    let mut in_swamp = 0;
    while !stage.all_arrived() {
        assert!(stage.world.tick_count() < 3000, "they never arrive");
        stage.tick();
        let deep = |body: &&Body| (28.0..58.0).contains(&body.pos[0]);
        for body in stage.bodies().iter().filter(deep) {
            in_swamp += 1;
            assert!(body.speed() < 1.4 / 3.0 * 1.25, "{body:?}");
        }
    }
    assert!(in_swamp > 5000, "{in_swamp}");
}
