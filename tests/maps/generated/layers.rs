//! Noise, ramps, transfer functions, heights and biomes against plain formulas.

use throng::generate::{
    Biome, Biomes, Blend, Canvas, How, Kind, Noise, Ramp, RampShape, Recipe, Region, Step, transfer,
};
use throng::math::{hash2, hash3};

use crate::common::generated;
use crate::common::generated::{legend, recipe};

fn draw(recipe: &Recipe, seed: u64) -> Canvas {
    recipe.draw(&legend(), seed).unwrap_or_else(|error| panic!("{error}"))
}

/// Perlin's noise at a point, point by point and in the textbook's order.
fn perlin(seed: u64, x: f64, y: f64) -> f64 {
    let corner = |i: f64, j: f64| {
        let turn = hash3(seed, i as i64 as u64, j as i64 as u64) >> 60;
        let angle = turn as f64 * std::f64::consts::PI / 8.0;
        angle.cos() * (x - i) + angle.sin() * (y - j)
    };
    let fade = |t: f64| 6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3);
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (fade(x - i), fade(y - j));
    let above = (1.0 - u) * corner(i, j) + u * corner(i + 1.0, j);
    let below = (1.0 - u) * corner(i, j + 1.0) + u * corner(i + 1.0, j + 1.0);
    (1.0 - v) * above + v * below
}

#[test]
fn noise_is_what_the_textbook_says() {
    let noise = Noise {
        layer: "n".to_owned(),
        scale: 23.0,
        octaves: 4,
        gain: 0.6,
        lacunarity: 2.3,
        ..Noise::default()
    };
    let step = Step { salt: Some(5), kind: Kind::Noise(noise.clone()) };
    let canvas = draw(&Recipe { steps: vec![step], ..Recipe::new(150, 70, 0.5) }, 9);
    // The seed of a step: the map's, the kind's number, and the salt.
    let seed = hash3(9, 0, 5);
    let mut worst = 0.0_f64;
    for y in 0..70 {
        for x in 0..150 {
            let (mut sum, mut weights) = (0.0, 0.0);
            for octave in 0..4 {
                let scale = 23.0 / 2.3_f64.powi(octave);
                let at = |i: i32| {
                    (f64::from(i) + 0.5) * 0.5 / scale + 64.0 * f64::from(octave + 1) + 0.37
                };
                let weight = 0.6_f64.powi(octave);
                sum += weight * perlin(hash2(seed, octave as u64), at(x), at(y));
                weights += weight;
            }
            let expected = 0.5 + 0.5 * sum / weights * 2.0_f64.sqrt();
            let found = f64::from(canvas.layer("n").unwrap()[(y * 150 + x) as usize]);
            worst = worst.max((found - expected).abs());
        }
    }
    assert!(worst < 1.0e-6, "{worst}");
}

#[test]
fn noise_is_even_smooth_and_as_large_as_it_says() {
    for seed in 0..8 {
        let one = Noise { layer: "n".to_owned(), scale: 20.0, octaves: 1, ..Noise::default() };
        let canvas = draw(
            &Recipe { steps: vec![Step::new(Kind::Noise(one))], ..Recipe::new(400, 400, 1.0) },
            seed,
        );
        let layer = canvas.layer("n").unwrap();
        let at = |x: usize, y: usize| f64::from(layer[y * 400 + x]);
        let cells = layer.len() as f64;
        let mean = layer.iter().map(|&v| f64::from(v)).sum::<f64>() / cells;
        let spread = layer.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / cells;
        let (least, most) =
            layer.iter().fold((1.0_f32, 0.0_f32), |(a, b), &v| (a.min(v), b.max(v)));
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert!((0.12..0.22).contains(&spread.sqrt()), "{}", spread.sqrt());
        assert!(least < 0.1 && most > 0.9 && least >= 0.0 && most <= 1.0, "{least} to {most}");
        let pairs = |apart: usize| {
            let pairs = (0..400).flat_map(|y| (0..400 - apart).map(move |x| (x, y)));
            pairs.map(|(x, y)| (at(x, y), at(x + apart, y))).collect::<Vec<_>>()
        };
        // A step of a cell is a twentieth of a lattice cell; its slope is below 2 there.
        let jump = pairs(1).iter().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(jump < 0.1, "{jump}");
        let alike = |apart| {
            let pairs = pairs(apart);
            let sum: f64 = pairs.iter().map(|(a, b)| (a - mean) * (b - mean)).sum();
            sum / pairs.len() as f64 / spread
        };
        assert!(alike(4) > 0.7, "{}", alike(4));
        assert!(alike(40).abs() < 0.15, "{}", alike(40));
    }
}

#[test]
fn lengths_are_metres() {
    let layer = |cell: f64, scale: f64| {
        let noise = Noise { layer: "n".to_owned(), scale, ..Noise::default() };
        let recipe =
            Recipe { steps: vec![Step::new(Kind::Noise(noise))], ..Recipe::new(90, 60, cell) };
        draw(&recipe, 3).layers
    };
    assert_eq!(layer(1.0, 32.0), layer(4.0, 128.0));
    assert_ne!(layer(1.0, 32.0), layer(4.0, 32.0));
}

#[test]
fn transfer_functions_are_exact() {
    let points = [[0.25, 0.5], [0.5, 0.125], [0.7, 1.0], [0.7 + f64::EPSILON, 0.0]];
    for [x, y] in points {
        assert_eq!(transfer(&points, x), y);
    }
    assert_eq!(transfer(&points, -3.0), 0.5);
    assert_eq!(transfer(&points, 0.25 - 1e-12), 0.5);
    assert_eq!(transfer(&points, 0.375), 0.3125);
    assert_eq!(transfer(&points, 0.6), 0.125 + (0.6 - 0.5) / (0.7 - 0.5) * (1.0 - 0.125));
    assert_eq!(transfer(&points, 0.9), 0.0);
    assert_eq!(transfer(&points[..1], 0.3), 0.5);
    assert_eq!(transfer(&[], 0.3), 0.3);
    // The trapezoid of the textbook.
    let trapezoid = [[0.5, 0.0], [0.6, 1.0], [1.0, 1.0]];
    for (x, y) in
        [(0.0, 0.0), (0.5, 0.0), (0.525, 0.25), (0.55, 0.5), (0.6, 1.0), (0.8, 1.0), (1.0, 1.0)]
    {
        assert!((transfer(&trapezoid, x) - y).abs() < 1e-12, "{x}");
    }
}

#[test]
fn layers_are_joined_as_they_say() {
    type Join = fn(f64, f64) -> f64;
    let ways: [(How, Join); 4] = [
        (How::Add, |a, b| a + b),
        (How::Multiply, |a, b| a * b),
        (How::Max, |a, b| if a > b { a } else { b }),
        (How::Min, |a, b| if a < b { a } else { b }),
    ];
    let points = vec![[0.3, 0.1], [0.7, 0.9]];
    for (how, join) in ways {
        let with = Some(("a".to_owned(), how));
        let blend =
            Blend { layer: "c".to_owned(), of: "b".to_owned(), transfer: points.clone(), with };
        let kinds =
            vec![generated::noise("a", 20.0), generated::noise("b", 12.0), Kind::Blend(blend)];
        let canvas = draw(&recipe(kinds), 1);
        let [a, b, c] = ["a", "b", "c"].map(|name| canvas.layer(name).unwrap());
        let mut cut = 0;
        for ((&a, &b), &c) in a.iter().zip(b).zip(c) {
            let value = join(transfer(&points, f64::from(b)), f64::from(a));
            cut += u32::from(value > 1.0);
            assert_eq!(c, value.min(1.0) as f32, "{how:?}");
        }
        assert_eq!(cut > 100, how == How::Add, "{how:?}: {cut}");
    }
}

#[test]
fn ramps_rise_where_they_say() {
    let layer = |shape| {
        let ramp = Ramp { layer: "r".to_owned(), shape, ..Ramp::default() };
        let canvas = draw(
            &Recipe { steps: vec![Step::new(Kind::Ramp(ramp))], ..Recipe::new(40, 20, 1.0) },
            1,
        );
        move |x: usize, y: usize| canvas.layer("r").unwrap()[y * 40 + x]
    };
    let right = layer(RampShape::Right);
    assert_eq!((right(0, 3), right(39, 7), right(9, 0)), (0.0125, 0.9875, 0.2375));
    let down = layer(RampShape::Down);
    assert_eq!((down(8, 0), down(2, 19)), (0.025, 0.975));
    let square = layer(RampShape::Square);
    assert_eq!((square(0, 10), square(20, 0), square(0, 0)), (0.025, 0.05, 0.025));
    assert_eq!(square(19, 9), 0.95);
    let disc = layer(RampShape::Disc);
    assert_eq!((disc(0, 0), disc(39, 19)), (0.0, 0.0));
    // (0.025, 0.05) from the middle.
    assert!((f64::from(disc(20, 10)) - (1.0 - 0.003_125_f64.sqrt())).abs() < 1e-6);
    assert_eq!(disc(5, 10), disc(34, 10));
}

#[test]
fn the_first_rule_that_holds_paints() {
    let mut rules = vec![
        Biome { height: Some([-1000.0, 14.0]), ..Biome::of(b'W') },
        Biome { slope: Some([1.0, 100.0]), ..Biome::of(b'@') },
        Biome { layers: vec![("damp".to_owned(), [0.5, 0.6])], ..Biome::of(b'S') },
        Biome { on: b"G".to_vec(), ..Biome::of(b'T') },
    ];
    rules.push(Biome {
        height: Some([30.0, 60.0]),
        layers: vec![("damp".to_owned(), [0.0, 0.5]), ("ground".to_owned(), [0.0, 0.9])],
        ..Biome::of(b's')
    });
    let shape = throng::map::area::Shape::Rect { min: [10.0, 0.0], max: [250.0, 100.0] };
    let region = Region { within: vec![shape], on: Vec::new() };
    let biomes = Kind::Biomes(Biomes { region, rules });
    let before =
        vec![generated::noise("ground", 60.0), generated::noise("damp", 30.0), generated::ground()];
    let canvas = draw(&recipe(before.into_iter().chain([biomes]).collect()), 4);
    let height = |x: i64, y: i64| {
        f64::from(canvas.heights[(y.clamp(0, 129) * 250 + x.clamp(0, 249)) as usize])
    };
    let mut seen = std::collections::BTreeMap::new();
    for y in 0..130_i64 {
        for x in 0..250_i64 {
            let at = (y * 250 + x) as usize;
            let layer = |name: &str| f64::from(canvas.layer(name).unwrap()[at]);
            // One cell on one side at the edge of the map.
            let across = if x == 0 || x == 249 { 1.0 } else { 2.0 };
            let down = if y == 0 || y == 129 { 1.0 } else { 2.0 };
            let slope = ((height(x + 1, y) - height(x - 1, y)) / across)
                .hypot((height(x, y + 1) - height(x, y - 1)) / down);
            let (height, damp) = (height(x, y), layer("damp"));
            assert_eq!(height, f64::from((-20.0 + 80.0 * layer("ground")) as f32));
            let expected = if x < 10 || y >= 100 {
                b'.'
            } else if height <= 14.0 {
                b'W'
            } else if slope >= 1.0 {
                b'@'
            } else if (0.5..=0.6).contains(&damp) {
                b'S'
            } else if height >= 30.0 && damp <= 0.5 && layer("ground") <= 0.9 {
                b's'
            } else {
                b'.'
            };
            // At the very edge of the range the two formulas may round apart.
            if (slope - 1.0).abs() > 1e-9 {
                assert_eq!(canvas.letters[at], expected, "{x}, {y}");
            }
            *seen.entry(expected).or_insert(0) += 1;
        }
    }
    let least = seen.values().min().copied();
    assert!(seen.len() == 5 && least > Some(100), "{seen:?}");
}
