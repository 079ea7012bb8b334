//! Golden maps: one for each kind of step, and what came of it as a line of `scenarios/generated.txt`.
//! The tests share them with `src/bin/golden.rs`.

use throng::Legend;
use throng::generate::{
    Biome, Biomes, Blend, Canvas, Cave, Connect, Heading, Heights, How, Kind, LayRoads, Method,
    Noise, Places, Placing, Ramp, RampShape, Recipe, Region, Rooms, Scatter, Stamp, Step, Walker,
    Walkers,
};
use throng::map::area::Shape;
use throng::math::Digest;

/// Seed of the golden maps.
pub(crate) const SEED: u64 = 20;

/// The usual letters, with roads `R`, bridges `b` and houses `H`.
pub(crate) fn legend() -> Legend {
    let mut legend = Legend::default();
    for (letter, slowness) in [('R', 8), ('b', 8), ('H', 0), ('s', 20)] {
        legend.set(letter, slowness).unwrap();
    }
    legend
}

/// A recipe of steps on a map that is no multiple of 64 wide.
pub(crate) fn recipe(steps: Vec<Kind>) -> Recipe {
    let steps = steps.into_iter().map(Step::new).collect();
    Recipe { steps, ..Recipe::new(250, 130, 1.0) }
}

pub(crate) fn noise(layer: &str, scale: f64) -> Kind {
    Kind::Noise(Noise { layer: layer.to_owned(), scale, ..Noise::default() })
}

pub(crate) fn ground() -> Kind {
    Kind::Heights(Heights { layer: "ground".to_owned(), range: [-20.0, 60.0] })
}

/// Water below, hills with rock above.
pub(crate) fn biomes() -> Kind {
    let water = Biome { height: Some([-1000.0, 16.0]), ..Biome::of(b'W') };
    let steep = Biome { slope: Some([1.1, 100.0]), ..Biome::of(b'@') };
    let damp = Biome { layers: vec![("damp".to_owned(), [0.55, 1.0])], ..Biome::of(b'S') };
    Kind::Biomes(Biomes { region: Region::default(), rules: vec![water, steep, damp] })
}

/// What a step of walkers digs: two kinds, one after the other.
pub(crate) fn walkers() -> Walkers {
    let first =
        Walker { count: 3, steps: 400, deposit: Some(b'S'), share: 0.5, ..Walker::default() };
    let east = Some(Heading::East);
    let second = Walker { heading: east, radius: 2.0, depth: 4.0, steps: 150, ..first.clone() };
    Walkers { region: Region::default(), walkers: vec![first, second] }
}

pub(crate) fn towns(method: Method, count: Option<u32>) -> Places {
    let region = Region { within: Vec::new(), on: b".S".to_vec() };
    let placing =
        Placing { method, region, count, spacing: 22.0, clearance: 3.0, ..Placing::default() };
    let stamp = Stamp { letter: b's', disc: true, size: [3.0, 8.0] };
    Places { name: "towns".to_owned(), placing, stamp: Some(stamp) }
}

fn houses() -> Scatter {
    let region = Region { within: Vec::new(), on: b".S".to_vec() };
    let near = Some("towns".to_owned());
    let method = Method::Poisson;
    let placing = Placing { method, region, spacing: 4.0, near, reach: 12.0, ..Placing::default() };
    Scatter { placing, stamp: Stamp { letter: b'H', disc: false, size: [1.0, 3.0] } }
}

/// The golden maps: a name and the steps.
pub(crate) fn goldens() -> Vec<(&'static str, Recipe)> {
    let hills = || vec![noise("ground", 60.0), noise("damp", 30.0), ground(), biomes()];
    let with = |more: Vec<Kind>| recipe(hills().into_iter().chain(more).collect());
    let filled = |kind: Kind| Recipe { fill: b'@', ..recipe(vec![kind]) };
    let shape = Shape::Disc { centre: [125.0, 65.0], radius: 60.0 };
    let round = Region { within: vec![shape], on: Vec::new() };
    let transfer = vec![[0.2, 0.0], [0.6, 1.0], [0.9, 0.5]];
    let join = |how| Some(("ground".to_owned(), how));
    let layer = "other".to_owned();
    let ramp = Ramp {
        layer: layer.clone(),
        shape: RampShape::Disc,
        transfer: transfer.clone(),
        with: join(How::Multiply),
    };
    let blend =
        Blend { layer: layer.clone(), of: "ground".to_owned(), transfer, with: join(How::Max) };
    let of_other = || Kind::Heights(Heights { layer: "other".to_owned(), range: [0.0, 100.0] });
    let roads = LayRoads {
        places: "towns".to_owned(),
        letter: b'R',
        loops: 2,
        bridges: vec![(b'W', b'b'), (b'@', b'b')],
        ..LayRoads::default()
    };
    let bridges = vec![(b'W', b'b')];
    let connect = Connect { keep: 30, width: 2.0, bridges, ..Connect::default() };
    let random = towns(Method::Random, Some(9));
    vec![
        ("noise", recipe(vec![noise("ground", 60.0), ground()])),
        ("ramp", recipe(vec![noise("ground", 60.0), Kind::Ramp(ramp), of_other()])),
        ("blend", recipe(vec![noise("ground", 60.0), Kind::Blend(blend), of_other()])),
        ("biomes", with(vec![])),
        ("cave", recipe(vec![Kind::Cave(Cave { region: round, ..Cave::default() })])),
        ("walkers", filled(Kind::Walkers(walkers()))),
        ("rooms", filled(Kind::Rooms(Rooms::default()))),
        ("random", with(vec![Kind::Places(random.clone())])),
        ("halton", with(vec![Kind::Places(towns(Method::Halton, Some(9)))])),
        ("poisson", with(vec![Kind::Places(towns(Method::Poisson, None))])),
        ("scatter", with(vec![Kind::Places(random.clone()), Kind::Scatter(houses())])),
        ("roads", with(vec![Kind::Places(random), Kind::Roads(roads)])),
        ("connect", with(vec![Kind::Connect(connect)])),
    ]
}

/// The digest of all that was drawn.
pub(crate) fn digest(canvas: &Canvas) -> u64 {
    let mut digest = Digest::new();
    digest.bytes(&canvas.letters);
    canvas.heights.iter().for_each(|height| {
        digest.word(u64::from(height.to_bits()));
    });
    for (name, layer) in &canvas.layers {
        digest.bytes(name.as_bytes());
        layer.iter().for_each(|value| {
            digest.word(u64::from(value.to_bits()));
        });
    }
    for (name, points) in &canvas.places {
        digest.bytes(name.as_bytes());
        points.iter().flatten().for_each(|at| {
            digest.word(at.to_bits());
        });
    }
    digest.finish()
}

/// The line of a golden map: its digest, and the hash of the map that it makes.
pub(crate) fn line(name: &str, recipe: &Recipe) -> String {
    let canvas = recipe.draw(&legend(), SEED).unwrap_or_else(|error| panic!("{name}: {error}"));
    let map = recipe.make(&legend(), SEED).unwrap_or_else(|error| panic!("{name}: {error}")).map;
    format!("{name:<8} {:016x} {:016x}", digest(&canvas), map.hash())
}
