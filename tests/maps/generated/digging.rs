//! Caves, walkers, rooms, and the repair of what is not joined.

use throng::generate::{
    Canvas, Cave, Connect, Heading, Kind, Method, Places, Placing, Recipe, Region, Rooms, Step,
    Walker, Walkers,
};
use throng::map::area::Shape;
use throng::math::hash3;

use crate::common::generated;
use crate::common::generated::legend;
use crate::generated::oracle::{regions, walls_between};

fn sized(width: u32, height: u32, fill: u8, kinds: Vec<Kind>) -> Recipe {
    let steps = kinds.into_iter().map(Step::new).collect();
    Recipe { fill, steps, ..Recipe::new(width, height, 1.0) }
}

fn draw(recipe: &Recipe, seed: u64) -> Canvas {
    recipe.draw(&legend(), seed).unwrap_or_else(|error| panic!("{error}"))
}

fn open(letter: u8) -> bool {
    legend().get(letter) != Some(0)
}

/// One round of the automaton, cell by cell.
fn round(width: i64, walls: &[bool], inside: &[bool], birth: &[u8], survive: &[u8]) -> Vec<bool> {
    let height = walls.len() as i64 / width;
    let wall = |x: i64, y: i64| {
        x < 0 || y < 0 || x >= width || y >= height || walls[(y * width + x) as usize]
    };
    let next = |at: usize| {
        let (x, y) = (at as i64 % width, at as i64 / width);
        let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let count = around.filter(|&d| d != (0, 0) && wall(x + d.0, y + d.1)).count() as u8;
        let list = if walls[at] { survive } else { birth };
        !inside[at] || list.contains(&count)
    };
    (0..walls.len()).map(next).collect()
}

#[test]
fn a_cave_is_the_one_of_a_naive_automaton() {
    let usual = (vec![5, 6, 7, 8], vec![4, 5, 6, 7, 8]);
    // Conway's game of life, and every count in some list.
    let others = [(vec![3], vec![2, 3]), (vec![0, 8, 1], vec![0, 7]), (vec![], vec![8])];
    let rules = [usual.clone(), usual].into_iter().chain(others);
    let mut alive = [0; 2];
    for (case, (birth, survive)) in rules.enumerate() {
        for (width, height) in [(1, 1), (2, 5), (63, 7), (64, 9), (65, 8), (130, 40), (200, 1)] {
            let (w, h) = (f64::from(width), f64::from(height));
            let disc = Shape::Disc { centre: [w / 2.0, h / 2.0], radius: w.max(h) / 2.5 };
            let within = if case % 2 == 1 { vec![disc] } else { Vec::new() };
            let region = Region { within, on: Vec::new() };
            let cave = |rounds| {
                let (birth, survive) = (birth.clone(), survive.clone());
                let cave = Cave {
                    region: region.clone(),
                    fill: 0.5,
                    birth,
                    survive,
                    rounds,
                    ..Cave::default()
                };
                draw(&sized(width, height, b'G', vec![Kind::Cave(cave)]), 3).letters
            };
            let first = cave(0);
            let inside: Vec<bool> = first.iter().map(|&letter| letter != b'G').collect();
            let mut walls: Vec<bool> = first.iter().map(|&letter| letter != b'.').collect();
            for rounds in 1..=4 {
                walls = round(width.into(), &walls, &inside, &birth, &survive);
                for (at, letter) in cave(rounds).into_iter().enumerate() {
                    let expected = match (inside[at], walls[at]) {
                        (false, _) => b'G',
                        (_, true) => b'@',
                        (_, false) => b'.',
                    };
                    assert_eq!(letter, expected, "{width} x {height}, round {rounds}, {at}");
                    alive[usize::from(letter == b'@')] += 1;
                }
            }
        }
    }
    assert!(alive[0] > 10_000 && alive[1] > 10_000, "{alive:?}");
}

#[test]
fn a_cave_begins_with_its_share_of_walls() {
    for fill in [0.0, 0.3, 0.62, 1.0] {
        let cave = Cave { fill, rounds: 0, ..Cave::default() };
        let letters = draw(&sized(300, 200, b'.', vec![Kind::Cave(cave)]), 8).letters;
        let walls = letters.iter().filter(|&&letter| letter == b'@').count() as f64 / 60_000.0;
        assert!((walls - fill).abs() < 0.01, "{walls} of {fill}");
    }
}

/// Maps in pieces: caves without rounds enough, and islands.
fn pieces(seed: u64) -> Recipe {
    let cave = Cave {
        fill: 0.48 + 0.004 * (seed % 8) as f64,
        rounds: (seed % 4) as u32,
        ..Cave::default()
    };
    if !seed.is_multiple_of(3) {
        return sized(90, 60, b'@', vec![Kind::Cave(cave)]);
    }
    let mut kinds = vec![generated::noise("ground", 12.0), generated::noise("damp", 20.0)];
    kinds.extend([generated::ground(), generated::biomes()]);
    sized(90, 60, b'.', kinds)
}

#[test]
fn after_the_repair_there_is_one_open_region() {
    let (mut joined, mut filled) = (0, 0);
    for seed in 0..60_u64 {
        let before = draw(&pieces(seed), seed);
        let keep = [1, 5, 30, 400][(seed % 4) as usize];
        let width = f64::from((seed % 5) as u32) * 0.9 + 0.5;
        let bridges = if seed % 2 == 0 { vec![(b'W', b'b')] } else { Vec::new() };
        let connect = Connect { keep, width, bridges, wall: b'T', floor: b's' };
        let mut recipe = pieces(seed);
        recipe.steps.push(Step::new(Kind::Connect(connect)));
        let after = draw(&recipe, seed);
        assert_eq!(regions(90, &after.letters, open).len(), 1, "seed {seed}");
        let map = recipe.make(&legend(), seed).unwrap().map;
        assert_eq!(map.class(0.0).component_count(), 1, "seed {seed}");

        let old = regions(90, &before.letters, open);
        let most = old.iter().map(Vec::len).max().unwrap();
        let largest = old.iter().position(|region| region.len() == most).unwrap();
        for (number, region) in old.iter().enumerate() {
            let stays = region.len() >= keep as usize || number == largest;
            joined += usize::from(stays);
            filled += usize::from(!stays);
            for &at in region {
                let now = after.letters[at];
                // A filled cell may be dug again on the way of a tunnel.
                let good =
                    if stays { now == before.letters[at] } else { now == b'T' || now == b's' };
                assert!(good, "seed {seed}: {at} is {}", char::from(now));
            }
        }
        for (at, (&old, &new)) in before.letters.iter().zip(&after.letters).enumerate() {
            if !open(old) && new != old {
                let bridge = old == b'W' && seed % 2 == 0;
                assert_eq!(new, if bridge { b'b' } else { b's' }, "seed {seed}: {at}");
            }
        }
    }
    assert!(joined > 300 && filled > 300, "{joined} {filled}");
}

#[test]
fn tunnels_are_as_short_as_they_can_be() {
    let (mut two, mut more) = (0, 0);
    for seed in 0..200_u64 {
        // Rooms at random, not joined: the letter of corridors is a wall.
        let rooms = Rooms {
            count: 2 + (seed % 4) as u32,
            size: [2.0, 9.0],
            passage: Some(b'W'),
            ..Rooms::default()
        };
        let recipe = sized(40, 30, b'@', vec![Kind::Rooms(Rooms { gap: 1.0, ..rooms })]);
        let before = draw(&recipe, seed);
        let old = regions(40, &before.letters, open);
        let connect = Connect { keep: 1, floor: b's', ..Connect::default() };
        let mut joined = recipe;
        joined.steps.push(Step::new(Kind::Connect(connect)));
        let dug =
            draw(&joined, seed).letters.iter().filter(|&&letter| letter == b's').count() as u32;
        // Prim's spanning tree over the walls between every two regions.
        let mut tree = vec![0];
        let mut walls = 0;
        while tree.len() < old.len() {
            let outside = (0..old.len()).filter(|region| !tree.contains(region));
            let pairs = outside.flat_map(|b| tree.iter().map(move |&a| (a, b)));
            let far = |(a, b): (usize, usize)| (walls_between(40, 1200, &old[a], &old[b]), b);
            let (least, next) = pairs.map(far).min().unwrap();
            walls += least;
            tree.push(next);
        }
        if old.len() == 2 {
            assert_eq!(dug, walls, "seed {seed}");
            two += 1;
        } else {
            assert!(dug <= walls, "seed {seed}: {dug} of {walls}");
            more += usize::from(old.len() > 2);
        }
    }
    assert!(two > 30 && more > 60, "{two} {more}");
}

#[test]
fn what_is_wholly_wall_cannot_be_joined() {
    let recipe = sized(20, 20, b'@', vec![Kind::Connect(Connect::default())]);
    let error = recipe.draw(&legend(), 1).unwrap_err();
    assert_eq!((error.step, error.key), (Some(0), "kind"));
    assert!(error.wrong.contains("no open cell"), "{error}");
}

#[test]
fn walkers_dig_and_deposit_as_declared() {
    let start = |kinds: Vec<Walker>| {
        let shape = Shape::Point { at: [30.5, 20.5] };
        let region = Region { within: vec![shape], on: Vec::new() };
        let placing =
            Placing { method: Method::Halton, region, count: Some(1), ..Placing::default() };
        let place = Places { name: "p".to_owned(), placing, stamp: None };
        let region = Region::default();
        vec![Kind::Places(place), Kind::Walkers(Walkers { region, walkers: kinds })]
    };
    // Straight to the right, from the place to the edge, which it does not dig.
    let east = Walker {
        steps: 12,
        turn: 0.0,
        heading: Some(Heading::East),
        start: Some("p".to_owned()),
        deposit: Some(b'S'),
        ..Walker::default()
    };
    let straight = sized(60, 40, b'@', start(vec![east.clone()]));
    let letters = draw(&straight, 5).letters;
    let place = (30, 20);
    for (at, &letter) in letters.iter().enumerate() {
        let (x, y) = (at % 60, at / 60);
        let dug = y == place.1 && (30..42).contains(&x);
        let beside = (y.abs_diff(place.1) == 1 && (30..42).contains(&x))
            || (y == place.1 && (x == 29 || x == 42));
        let expected = if dug {
            b'.'
        } else if beside {
            b'S'
        } else {
            b'@'
        };
        assert_eq!(letter, expected, "{x}, {y}");
    }
    // By chance: one chain of at most so many cells, and what it leaves lies beside it.
    for seed in 0..20 {
        let walker = Walker {
            steps: 300,
            turn: 0.4,
            deposit: Some(b'S'),
            share: 0.5,
            heading: None,
            ..east.clone()
        };
        let letters = draw(&sized(60, 40, b'@', start(vec![walker])), seed).letters;
        let dug = regions(60, &letters, |letter| letter == b'.');
        assert_eq!(dug.len(), 1, "seed {seed}");
        assert!((60..=300).contains(&dug[0].len()), "seed {seed}: {}", dug[0].len());
        let left: Vec<usize> = (0..letters.len()).filter(|&at| letters[at] == b'S').collect();
        assert!(left.len() > 20, "seed {seed}: {}", left.len());
        for at in left {
            let (x, y) = (at % 60, at / 60);
            assert!(x > 0 && y > 0 && x < 59 && y < 39, "seed {seed}: {x}, {y} is at the edge");
            let beside = [at - 60, at - 1, at + 1, at + 60];
            assert!(beside.iter().any(|&at| letters[at] == b'.'), "seed {seed}: {x}, {y}");
        }
    }
}

#[test]
fn walkers_stay_in_their_region_and_lower_the_ground() {
    let shape = Shape::Rect { min: [20.0, 10.0], max: [200.0, 90.0] };
    let region = Region { within: vec![shape], on: b".S".to_vec() };
    let walker =
        Walker { count: 5, steps: 500, dig: b'S', radius: 2.5, depth: 3.5, ..Walker::default() };
    let hills = vec![
        generated::noise("ground", 60.0),
        generated::noise("damp", 30.0),
        generated::ground(),
        generated::biomes(),
    ];
    let before = draw(&generated::recipe(hills.clone()), 2);
    let walkers = Kind::Walkers(Walkers { region, walkers: vec![walker] });
    let after = draw(&generated::recipe(hills.into_iter().chain([walkers]).collect()), 2);
    let mut dug = 0;
    for at in 0..before.letters.len() {
        let (x, y) = (at % 250, at / 250);
        if before.letters[at] == after.letters[at] {
            assert_eq!(before.heights[at], after.heights[at]);
            continue;
        }
        dug += 1;
        assert!((20..200).contains(&x) && (10..90).contains(&y), "{x}, {y}");
        assert_eq!((before.letters[at], after.letters[at]), (b'.', b'S'));
        assert_eq!(after.heights[at], before.heights[at] - 3.5);
    }
    assert!(dug > 500, "{dug}");
}

#[test]
fn rooms_are_rectangles_apart_and_joined() {
    for seed in 0..40 {
        let rooms = Rooms {
            count: 20,
            size: [4.0, 11.0],
            gap: 3.0,
            corridor: f64::from(1 + (seed % 3) as u32),
            loops: 0.5,
            passage: Some(b'S'),
            name: Some("halls".to_owned()),
            ..Rooms::default()
        };
        let canvas = draw(&sized(120, 80, b'@', vec![Kind::Rooms(rooms)]), seed);
        let all = regions(120, &canvas.letters, open);
        assert_eq!(all.len(), 1, "seed {seed}");
        let rooms = regions(120, &canvas.letters, |letter| letter == b'.');
        let middles = canvas.place("halls").unwrap();
        assert_eq!(rooms.len(), middles.len(), "seed {seed}");
        assert!((12..=20).contains(&rooms.len()), "seed {seed}: {}", rooms.len());
        let boxes: Vec<[usize; 4]> = rooms
            .iter()
            .map(|room| {
                let (xs, ys) = (room.iter().map(|at| at % 120), room.iter().map(|at| at / 120));
                let bounds = [
                    xs.clone().min().unwrap(),
                    ys.clone().min().unwrap(),
                    xs.max().unwrap(),
                    ys.max().unwrap(),
                ];
                let sides = [bounds[2] - bounds[0] + 1, bounds[3] - bounds[1] + 1];
                assert_eq!(room.len(), sides[0] * sides[1], "seed {seed}: a room is no rectangle");
                assert!(sides.iter().all(|side| (4..=11).contains(side)), "seed {seed}: {sides:?}");
                assert!(bounds[0] >= 3 && bounds[1] >= 3 && bounds[2] < 117 && bounds[3] < 77);
                bounds
            })
            .collect();
        for (i, a) in boxes.iter().enumerate() {
            let middle = [(a[0] + a[2]) as f64 / 2.0, (a[1] + a[3]) as f64 / 2.0];
            let named = |m: &[f64; 2]| {
                (m[0] - 0.5 - middle[0]).abs() <= 0.5 && (m[1] - 0.5 - middle[1]).abs() <= 0.5
            };
            assert!(middles.iter().any(named), "seed {seed}: no place in room {i}");
            for b in &boxes[..i] {
                let across = a[0] > b[2] + 3 || b[0] > a[2] + 3;
                let down = a[1] > b[3] + 3 || b[1] > a[3] + 3;
                assert!(across || down, "seed {seed}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn random_numbers_are_those_of_the_step() {
    // The same cave by its salt, whatever comes before it.
    let cave = Step { salt: Some(3), kind: Kind::Cave(Cave::default()) };
    let mut recipe = sized(70, 70, b'.', vec![]);
    recipe.steps.push(cave.clone());
    let alone = draw(&recipe, 6).letters;
    recipe.steps.insert(0, Step::new(Kind::Cave(Cave::default())));
    assert_eq!(alone, draw(&recipe, 6).letters);
    assert_ne!(hash3(6, 5, 3), hash3(6, 5, 0));
}
