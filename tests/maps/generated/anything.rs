//! Whatever passes the check runs: recipes by chance, on maps down to a single cell.

use throng::generate::{
    Biome, Biomes, Blend, Cave, Connect, Heading, Heights, How, Kind, LayRoads, Method, Noise,
    Places, Placing, Ramp, RampShape, Recipe, Region, Rooms, Scatter, Stamp, Step, Walker, Walkers,
};
use throng::map::area::Shape;
use throng::math::{hash2, unit_f64};

use crate::common::generated::legend;

/// Choices, one after another.
struct Dice {
    seed: u64,
    at: u64,
}

impl Dice {
    fn roll(&mut self) -> u64 {
        self.at += 1;
        hash2(self.seed, self.at)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.roll() % count
    }

    /// From one number to another; often one of the two.
    fn from(&mut self, low: f64, high: f64) -> f64 {
        match self.below(6) {
            0 => low,
            1 => high,
            _ => low + (high - low) * unit_f64(self.roll()),
        }
    }

    fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize].clone()
    }

    fn letter(&mut self) -> u8 {
        self.of(b"..@WSTRbHs")
    }

    fn open(&mut self) -> u8 {
        self.of(b".SRbs")
    }

    fn maybe<T>(&mut self, some: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(3) == 0).then(|| some(self))
    }

    fn range(&mut self, low: f64, high: f64) -> [f64; 2] {
        let (a, b) = (self.from(low, high), self.from(low, high));
        [a.min(b), a.max(b)]
    }

    fn region(&mut self) -> Region {
        let mut within = Vec::new();
        while self.below(4) == 0 {
            let at = [self.from(-40.0, 140.0), self.from(-40.0, 140.0)];
            within.push(match self.below(4) {
                0 => Shape::Point { at },
                1 => Shape::Disc { centre: at, radius: self.from(0.1, 80.0) },
                2 => Shape::Polygon {
                    corners: vec![at, [at[0] + 30.0, at[1]], [at[0], at[1] + 50.0]],
                },
                _ => Shape::Rect { min: at, max: [at[0] + 45.0, at[1] + 0.3] },
            });
        }
        let on = if self.below(3) == 0 { b"@.".to_vec() } else { Vec::new() };
        Region { within, on }
    }

    fn with(&mut self, layers: &[String]) -> Option<(String, How)> {
        let how = self.of(&[How::Add, How::Multiply, How::Max, How::Min]);
        if layers.is_empty() { None } else { self.maybe(|dice| (dice.of(layers), how)) }
    }

    fn placing(&mut self, layers: &[String], places: &[String]) -> Placing {
        let method = self.of(&[Method::Random, Method::Halton, Method::Poisson]);
        let count = 1 + self.below(20) as u32;
        let counted = method != Method::Poisson || self.below(2) == 0;
        Placing {
            method,
            region: self.region(),
            count: counted.then_some(count),
            spacing: self.from(0.7, 60.0),
            clearance: self.from(0.0, 7.0),
            layer: if layers.is_empty() { None } else { self.maybe(|dice| dice.of(layers)) },
            near: if places.is_empty() { None } else { self.maybe(|dice| dice.of(places)) },
            reach: self.from(0.1, 90.0),
        }
    }

    fn stamp(&mut self) -> Stamp {
        Stamp { letter: self.letter(), disc: self.below(2) == 0, size: self.range(0.0, 30.0) }
    }

    fn walker(&mut self, places: &[String]) -> Walker {
        Walker {
            count: 1 + self.below(4) as u32,
            steps: 1 + self.below(200) as u32,
            turn: self.from(0.0, 1.0),
            heading: self.maybe(|dice| {
                dice.of(&[Heading::North, Heading::East, Heading::South, Heading::West])
            }),
            pull: self.from(0.0, 1.0),
            start: if places.is_empty() { None } else { self.maybe(|dice| dice.of(places)) },
            dig: self.letter(),
            radius: self.from(0.0, 9.0),
            depth: self.from(-3.0, 3.0),
            deposit: self.maybe(Self::letter),
            share: self.from(0.0, 1.0),
        }
    }

    fn rule(&mut self, layers: &[String], has_heights: bool) -> Biome {
        let mut rule = Biome::of(self.letter());
        if has_heights {
            rule.height = self.maybe(|dice| dice.range(-50.0, 50.0));
            rule.slope = self.maybe(|dice| dice.range(0.0, 3.0));
        }
        if !layers.is_empty() && self.below(2) == 0 {
            rule.layers.push((self.of(layers), self.range(0.0, 1.0)));
        }
        rule
    }

    /// A step that can follow on what there is, which it adds to.
    fn kind(
        &mut self,
        layers: &mut Vec<String>,
        places: &mut Vec<String>,
        heights: &mut bool,
    ) -> Kind {
        let name = format!("n{}", self.at);
        let transfer = if self.below(2) == 0 { vec![[0.3, 1.0], [0.6, 0.0]] } else { Vec::new() };
        match self.below(12) {
            0 | 11 => {
                let noise = Noise {
                    layer: name.clone(),
                    scale: self.from(0.1, 300.0),
                    octaves: 1 + self.below(16) as u32,
                    gain: self.from(0.01, 1.0),
                    lacunarity: self.from(1.0, 8.0),
                    transfer,
                    with: self.with(layers),
                };
                layers.push(name);
                Kind::Noise(noise)
            }
            1 => {
                let shapes =
                    [RampShape::Disc, RampShape::Square, RampShape::Right, RampShape::Down];
                let with = self.with(layers);
                layers.push(name.clone());
                Kind::Ramp(Ramp { layer: name, shape: self.of(&shapes), transfer, with })
            }
            2 if !layers.is_empty() => {
                let (of, with) = (self.of(layers), self.with(layers));
                layers.push(name.clone());
                Kind::Blend(Blend { layer: name, of, transfer, with })
            }
            3 if !layers.is_empty() => {
                *heights = true;
                Kind::Heights(Heights { layer: self.of(layers), range: self.range(-300.0, 300.0) })
            }
            4 => {
                let count = 1 + self.below(4);
                let rules = (0..count).map(|_| self.rule(layers, *heights)).collect();
                Kind::Biomes(Biomes { region: self.region(), rules })
            }
            5 => Kind::Cave(Cave {
                region: self.region(),
                fill: self.from(0.0, 1.0),
                rounds: self.below(6) as u32,
                ..Cave::default()
            }),
            6 => {
                let walkers = vec![self.walker(places), self.walker(places)];
                Kind::Walkers(Walkers { region: self.region(), walkers })
            }
            7 => {
                let rooms = Rooms {
                    region: self.region(),
                    count: 1 + self.below(30) as u32,
                    size: self.range(0.1, 30.0),
                    gap: self.from(0.0, 5.0),
                    corridor: self.from(0.1, 9.0),
                    loops: self.from(0.0, 10.0),
                    name: Some(name.clone()),
                    ..Rooms::default()
                };
                places.push(name);
                Kind::Rooms(rooms)
            }
            8 => {
                let placing = self.placing(layers, places);
                places.push(name.clone());
                Kind::Places(Places { name, placing, stamp: self.maybe(Self::stamp) })
            }
            9 => {
                let placing = self.placing(layers, places);
                Kind::Scatter(Scatter { placing, stamp: self.stamp() })
            }
            10 if !places.is_empty() => Kind::Roads(LayRoads {
                places: self.of(places),
                letter: self.open(),
                width: self.from(0.1, 12.0),
                loops: self.below(4) as u32,
                slope: self.from(0.001, 10.0),
                reuse: self.from(0.0, 1.0),
                bridges: self
                    .of(&[&b"@WTH"[..], b"W", b""])
                    .iter()
                    .map(|&wall| (wall, self.open()))
                    .collect(),
                bridge_cost: self.from(0.0625, 15.9375),
            }),
            _ => Kind::Connect(Connect {
                keep: 1 + self.below(90) as u32,
                wall: self.of(b"@WTH"),
                floor: self.open(),
                width: self.from(0.1, 12.0),
                bridges: vec![(b'W', self.open())],
            }),
        }
    }
}

#[test]
fn what_passes_the_check_runs() {
    let mut outcomes = std::collections::BTreeMap::new();
    for seed in 0..1_500 {
        let mut dice = Dice { seed, at: 0 };
        let side = |dice: &mut Dice| dice.of(&[1, 2, 3, 17, 64, 65, 90]);
        let mut recipe = Recipe::new(side(&mut dice), side(&mut dice), dice.of(&[0.5, 1.0, 3.0]));
        recipe.fill = dice.of(b"....@");
        let (mut layers, mut places, mut heights) = (Vec::new(), Vec::new(), false);
        for _ in 0..1 + dice.below(8) {
            let kind = dice.kind(&mut layers, &mut places, &mut heights);
            recipe.steps.push(Step::new(kind));
        }
        assert_eq!(recipe.problems(&legend()), [], "seed {seed}");
        let outcome = match recipe.make(&legend(), seed) {
            Ok(made) => {
                assert_eq!(recipe.make(&legend(), seed).unwrap().map, made.map, "seed {seed}");
                if matches!(recipe.steps.last().map(|step| &step.kind), Some(Kind::Connect(_))) {
                    assert_eq!(made.map.class(0.0).component_count(), 1, "seed {seed}");
                    "joined"
                } else {
                    "made"
                }
            }
            Err(error) => {
                // Only for want of room, or of heights that a map may have.
                let kind = error.step.map_or("map", |step| recipe.steps[step].kind.word());
                assert!(!error.wrong.is_empty(), "seed {seed}: {error}");
                kind
            }
        };
        *outcomes.entry(outcome).or_insert(0) += 1;
    }
    let expected = ["connect", "joined", "made", "places", "roads", "rooms", "walkers"];
    assert_eq!(outcomes.keys().copied().collect::<Vec<_>>(), expected, "{outcomes:?}");
    assert!(outcomes["made"] > 500 && outcomes["joined"] > 50, "{outcomes:?}");
}
