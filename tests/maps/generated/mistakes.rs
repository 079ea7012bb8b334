//! What a recipe says of every mistake.

use throng::generate::{
    Biome, Biomes, Blend, Cave, Connect, How, Kind, LayRoads, MAX_ENTRIES, Method, Noise, Recipe,
    Rooms, Step, Walker, Walkers,
};
use throng::map::area::Shape;

use crate::common::generated;
use crate::common::generated::{ground, legend, noise, recipe, towns};

/// Steps on a map of 100 × 100 cells: the first makes the layer `ground`.
fn steps(kinds: Vec<Kind>) -> Recipe {
    let kinds = [noise("ground", 20.0)].into_iter().chain(kinds);
    Recipe { steps: kinds.map(Step::new).collect(), ..Recipe::new(100, 100, 1.0) }
}

fn rule(biome: Biome) -> Kind {
    let rules = vec![Biome::of(b'.'), biome];
    Kind::Biomes(Biomes { rules, ..Biomes::default() })
}

fn wrong_noise(change: impl Fn(&mut Noise)) -> Recipe {
    let mut noise = Noise { layer: "n".to_owned(), ..Noise::default() };
    change(&mut noise);
    steps(vec![Kind::Noise(noise)])
}

fn wrong_walker(walker: Walker) -> Recipe {
    let walkers = vec![Walker::default(), walker];
    steps(vec![Kind::Walkers(Walkers { walkers, ..Walkers::default() })])
}

fn wrong_towns(change: impl Fn(&mut throng::generate::Places)) -> Recipe {
    let mut places = towns(Method::Poisson, None);
    change(&mut places);
    steps(vec![Kind::Places(places)])
}

fn roads(change: impl Fn(&mut LayRoads)) -> Recipe {
    let mut roads = LayRoads { places: "towns".to_owned(), letter: b'R', ..LayRoads::default() };
    change(&mut roads);
    steps(vec![Kind::Places(towns(Method::Poisson, None)), Kind::Roads(roads)])
}

fn layer(name: &str) -> Biome {
    Biome { layers: vec![(name.to_owned(), [0.0, 1.0])], ..Biome::of(b'.') }
}

/// A recipe, where its one problem is, as in `1.0.key` for a key of entry 0 of step 1, and part of what is
/// wrong.
type Case = (Recipe, &'static str, &'static str);

fn frames() -> Vec<Case> {
    let many = vec![Kind::Cave(Cave::default()); 1001];
    let sized = |width, height, cell| Recipe { width, height, cell, ..steps(vec![]) };
    let rounds = vec![Kind::Cave(Cave { rounds: 1000, ..Cave::default() }); 1000];
    vec![
        (sized(0, 5, 1.0), "width", "0"),
        (sized(16_385, 5, 1.0), "width", "16385"),
        (sized(16_384, 16_384, 0.5), "width", "268435456"),
        (sized(10_000, 5, 2.0), "width", "2"),
        (Recipe { fill: b'q', ..steps(vec![]) }, "fill", "`q` is not a letter"),
        (Recipe { fill: 0xfe, ..steps(vec![]) }, "fill", "byte 0xfe"),
        (recipe(many), "step", "1001 steps"),
        (Recipe { width: 1000, height: 1000, ..recipe(rounds) }, "step", "too much work"),
    ]
}

fn layers() -> Vec<Case> {
    let of = |name: &str, with| {
        let blend = Blend { layer: "b".to_owned(), of: name.to_owned(), with, ..Blend::default() };
        steps(vec![Kind::Blend(blend)])
    };
    let later = steps(vec![rule(layer("damp")), noise("damp", 9.0)]);
    let low = Some([0.0, 1.0]);
    vec![
        (wrong_noise(|n| n.scale = -3.0), "1.scale", "-3 is below 0.1"),
        (wrong_noise(|n| n.scale = f64::NAN), "1.scale", "NaN"),
        (wrong_noise(|n| n.octaves = 17), "1.octaves", "17 is above 16"),
        (wrong_noise(|n| n.gain = 0.0), "1.gain", "0 is below"),
        (wrong_noise(|n| n.lacunarity = 0.5), "1.lacunarity", "0.5 is below 1"),
        (wrong_noise(|n| n.layer.clear()), "1.layer", "`` cannot name"),
        (wrong_noise(|n| n.layer = "slope".to_owned()), "1.layer", "`slope` cannot name"),
        (wrong_noise(|n| n.layer = "ground".to_owned()), "1.layer", "an earlier step"),
        (wrong_noise(|n| n.transfer = vec![[0.5, 0.0]; 2]), "1.transfer", "0.5 comes after"),
        (wrong_noise(|n| n.transfer = vec![[0.5, 1.5]]), "1.transfer", "1.5 is above 1"),
        (
            wrong_noise(|n| {
                n.transfer = (0..=MAX_ENTRIES).map(|i| [i as f64 / 99.0, 0.0]).collect()
            }),
            "1.transfer",
            "1001 entries",
        ),
        (
            wrong_noise(|n| n.with = Some(("grond".to_owned(), How::Add))),
            "1.with",
            "no step makes a layer `grond`",
        ),
        (of("b", None), "1.of", "but a later one does"),
        (of("ground", Some(("x".to_owned(), How::Add))), "1.with", "`x`"),
        (later, "1.1.rules", "no step before this one makes the layer `damp`"),
        (steps(vec![rule(layer("dump"))]), "1.1.rules", "no step makes a layer `dump`"),
        (steps(vec![rule(Biome::of(b'q'))]), "1.1.letter", "`q` is not"),
        (
            steps(vec![rule(Biome { on: b".q".to_vec(), ..Biome::of(b'.') })]),
            "1.1.on",
            "`q` is not",
        ),
        (
            steps(vec![rule(Biome { height: low, ..Biome::of(b'.') }), ground()]),
            "1.1.height",
            "no step before it gives the ground heights",
        ),
        (
            steps(vec![ground(), rule(Biome { slope: Some([2.0, 1.0]), ..Biome::of(b'.') })]),
            "2.1.slope",
            "2 is above 1",
        ),
    ]
}

fn digging() -> Vec<Case> {
    let cave = |cave: Cave| steps(vec![Kind::Cave(cave)]);
    let rooms = |rooms: Rooms| steps(vec![Kind::Rooms(rooms)]);
    let connect = |connect: Connect| steps(vec![Kind::Connect(connect)]);
    let plain = Walker::default;
    let within = |shape| {
        let mut wrong = Cave::default();
        wrong.region.within = vec![shape];
        cave(wrong)
    };
    let flat = Shape::Rect { min: [3.0, 3.0], max: [3.0, 9.0] };
    vec![
        (cave(Cave { fill: 1.1, ..Cave::default() }), "1.fill", "1.1 is above 1"),
        (cave(Cave { rounds: 1001, ..Cave::default() }), "1.rounds", "1001"),
        (cave(Cave { birth: vec![3, 9], ..Cave::default() }), "1.birth", "9 is above 8"),
        (cave(Cave { survive: vec![200], ..Cave::default() }), "1.survive", "200"),
        (cave(Cave { wall: b'q', ..Cave::default() }), "1.wall", "`q`"),
        (cave(Cave { floor: b'q', ..Cave::default() }), "1.floor", "`q`"),
        (within(flat), "1.within", "rect [3, 3, 3, 9]"),
        (wrong_walker(Walker { count: 0, ..plain() }), "1.1.count", "0 is below 1"),
        (wrong_walker(Walker { steps: 0, ..plain() }), "1.1.steps", "0 is below 1"),
        (wrong_walker(Walker { turn: 1.5, ..plain() }), "1.1.turn", "1.5"),
        (wrong_walker(Walker { pull: -0.5, ..plain() }), "1.1.pull", "-0.5"),
        (wrong_walker(Walker { radius: 101.0, ..plain() }), "1.1.radius", "101"),
        (wrong_walker(Walker { depth: 1e9, ..plain() }), "1.1.depth", "1000000000"),
        (wrong_walker(Walker { share: 2.0, ..plain() }), "1.1.share", "2 is above 1"),
        (wrong_walker(Walker { dig: b'q', ..plain() }), "1.1.dig", "`q`"),
        (wrong_walker(Walker { deposit: Some(b'q'), ..plain() }), "1.1.deposit", "`q`"),
        (
            wrong_walker(Walker { start: Some("towns".to_owned()), ..plain() }),
            "1.1.start",
            "no step makes a list of places `towns`",
        ),
        (rooms(Rooms { count: 2001, ..Rooms::default() }), "1.count", "2001"),
        (rooms(Rooms { size: [9.0, 3.0], ..Rooms::default() }), "1.size", "9 is above 3"),
        (rooms(Rooms { gap: -1.0, ..Rooms::default() }), "1.gap", "-1"),
        (rooms(Rooms { corridor: 0.0, ..Rooms::default() }), "1.corridor", "0 is below"),
        (rooms(Rooms { loops: 11.0, ..Rooms::default() }), "1.loops", "11"),
        (rooms(Rooms { passage: Some(b'q'), ..Rooms::default() }), "1.passage", "`q`"),
        (connect(Connect { keep: 0, ..Connect::default() }), "1.keep", "0 is below 1"),
        (connect(Connect { wall: b'.', ..Connect::default() }), "1.wall", "`.` is no wall"),
        (connect(Connect { floor: b'W', ..Connect::default() }), "1.floor", "`W` is a wall"),
        (connect(Connect { width: 0.0, ..Connect::default() }), "1.width", "0 is below"),
        (
            connect(Connect { bridges: vec![(b'W', b'T')], ..Connect::default() }),
            "1.bridges",
            "`T` is a wall",
        ),
    ]
}

fn placing() -> Vec<Case> {
    let mut twice = roads(|_| {});
    twice.steps[2].kind = twice.steps[1].kind.clone();
    let mut early = roads(|_| {});
    early.steps.swap(1, 2);
    vec![
        (wrong_towns(|t| t.name.clear()), "1.name", "`` cannot name"),
        (twice, "2.name", "an earlier step makes the places `towns`"),
        (wrong_towns(|t| t.placing.spacing = 0.0), "1.spacing", "0 is too small"),
        (wrong_towns(|t| t.placing.spacing = 0.01), "1.spacing", "0.01 is too small"),
        (wrong_towns(|t| t.placing.clearance = 101.0), "1.clearance", "101"),
        (wrong_towns(|t| t.placing.reach = 0.0), "1.reach", "0 is below"),
        (wrong_towns(|t| t.placing.method = Method::Halton), "1.count", "missing"),
        (wrong_towns(|t| t.placing.count = Some(0)), "1.count", "0 is below 1"),
        (wrong_towns(|t| t.placing.layer = Some("x".to_owned())), "1.layer", "`x`"),
        (wrong_towns(|t| t.placing.near = Some("x".to_owned())), "1.near", "`x`"),
        (wrong_towns(|t| t.stamp = Some(throng::generate::Stamp::of(b'q'))), "1.letter", "`q`"),
        (early, "1.places", "a later one does"),
        (roads(|r| r.places = "town".to_owned()), "2.places", "`town`"),
        (roads(|r| r.letter = b'W'), "2.letter", "`W` is a wall"),
        (roads(|r| r.width = 0.0), "2.width", "0 is below"),
        (roads(|r| r.loops = 1001), "2.loops", "1001"),
        (roads(|r| r.slope = 0.0), "2.slope", "0 is below"),
        (roads(|r| r.reuse = 1.5), "2.reuse", "1.5"),
        (roads(|r| r.bridge_cost = 16.0), "2.bridge_cost", "16"),
        (roads(|r| r.bridges = vec![(b'q', b'R')]), "2.bridges", "`q`"),
    ]
}

#[test]
fn every_mistake_is_found_at_its_place() {
    for (number, (recipe, place, wrong)) in
        [frames(), layers(), digging(), placing()].concat().into_iter().enumerate()
    {
        let problems = recipe.problems(&legend());
        let [problem] = &problems[..] else { panic!("{number}, {place}, {wrong}: {problems:#?}") };
        let indices = [problem.step, problem.entry].into_iter().flatten();
        let found: String = indices.map(|index| format!("{index}.")).collect();
        assert_eq!(found + problem.key, place, "{number}: {problem}");
        assert!(problem.wrong.contains(wrong), "{number}: `{wrong}` is not in: {problem}");
        assert!(!problem.expected.is_empty(), "{number}");
        assert_eq!(recipe.draw(&legend(), 1).unwrap_err(), *problem, "{number}");
    }
    for (name, recipe) in generated::goldens() {
        assert_eq!(recipe.problems(&legend()), [], "{name}");
    }
}

#[test]
fn what_finds_no_room_says_so() {
    let cramped = |kind: Kind, fill| Recipe { fill, ..steps(vec![kind]) };
    let rooms = Kind::Rooms(Rooms { size: [99.0, 99.0], ..Rooms::default() });
    let far = wrong_towns(|towns| towns.placing.clearance = 60.0);
    let water = Recipe { fill: b'W', ..far.clone() };
    let mut narrow = wrong_walker(Walker::default());
    narrow.width = 2;
    // Two places that a wall divides.
    let mut divided = roads(|_| {});
    let walls = vec![layer("middle")];
    let walls = walls.into_iter().map(|rule| Biome { letter: b'@', ..rule }).collect();
    let middle = throng::generate::Ramp {
        layer: "middle".to_owned(),
        shape: throng::generate::RampShape::Right,
        transfer: vec![[0.48, 0.0], [0.49, 1.0], [0.51, 1.0], [0.52, 0.0]],
        with: None,
    };
    let Kind::Biomes(mut biomes) = rule(Biome::of(b'@')) else { unreachable!() };
    biomes.rules = walls;
    biomes.rules[0].layers[0].1 = [0.5, 1.0];
    divided.steps.insert(1, Step::new(Kind::Ramp(middle)));
    divided.steps.insert(2, Step::new(Kind::Biomes(biomes)));
    for (recipe, step, key, wrong) in [
        (cramped(rooms, b'@'), 1, "size", "no space for a room"),
        (far, 1, "name", "no room for a single place of `towns`"),
        (water, 1, "name", "no room for a single place of `towns`"),
        (narrow, 1, "kind", "no cell is left for walkers"),
        (divided, 4, "places", "there is no way from place"),
    ] {
        let error = recipe.make(&legend(), 3).unwrap_err();
        assert_eq!((error.step, error.key), (Some(step), key), "{error}");
        assert!(error.wrong.contains(wrong), "{error}");
    }
}
