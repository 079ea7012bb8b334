//! Places, things scattered, and roads on a map.

use throng::generate::{Canvas, Kind, LayRoads, Method, Placing, Region, Scatter, Stamp};
use throng::map::area::Shape;

use crate::common::generated;
use crate::common::generated::{legend, towns};
use crate::generated::oracle::regions;

const METHODS: [(Method, Option<u32>); 4] = [
    (Method::Random, Some(8)),
    (Method::Halton, Some(8)),
    (Method::Poisson, Some(2)),
    (Method::Poisson, None),
];

fn draw(more: Vec<Kind>, seed: u64) -> Canvas {
    let mut kinds = vec![generated::noise("ground", 60.0), generated::noise("damp", 30.0)];
    kinds.extend([generated::ground(), generated::biomes()]);
    kinds.extend(more);
    generated::recipe(kinds).draw(&legend(), seed).unwrap_or_else(|error| panic!("{error}"))
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn places_lie_where_they_may() {
    let mut found = [0; 4];
    for seed in 0..10 {
        let ground = draw(vec![], seed).letters;
        for (way, (method, count)) in METHODS.into_iter().enumerate() {
            let mut places = towns(method, count);
            places.stamp = None;
            let rect = Shape::Rect { min: [40.0, 0.0], max: [250.0, 110.0] };
            places.placing.region.within = vec![rect];
            let canvas = draw(vec![Kind::Places(places)], seed);
            assert_eq!(canvas.letters, ground);
            let points = canvas.place("towns").unwrap();
            found[way] += points.len();
            if let Some(count) = count {
                assert!(points.len() <= count as usize);
            }
            for (i, &at) in points.iter().enumerate() {
                assert!(points[..i].iter().all(|&other| distance(at, other) >= 22.0), "{method:?}");
                assert!(
                    at[0] >= 40.0 && at[0] <= 247.0 && at[1] >= 3.0 && at[1] <= 110.0,
                    "{at:?}"
                );
                let cell = at[1] as usize * 250 + at[0] as usize;
                assert!(b".S".contains(&ground[cell]), "{method:?}: {at:?}");
                for (other, &letter) in ground.iter().enumerate() {
                    if legend().get(letter) == Some(0) {
                        // The nearest point of the wall's cell.
                        let (x, y) = ((other % 250) as f64, (other / 250) as f64);
                        let near = [at[0].clamp(x, x + 1.0), at[1].clamp(y, y + 1.0)];
                        assert!(distance(at, near) >= 3.0, "{method:?}: {at:?} and {near:?}");
                    }
                }
            }
        }
    }
    assert!(found[0] >= 60 && found[1] >= 60 && found[2] >= 16, "{found:?}");
    assert!(2 * found[3] > 3 * found[2], "{found:?}");
}

#[test]
fn towns_are_painted() {
    for shape in [true, false] {
        let mut places = towns(Method::Random, Some(6));
        places.stamp = Some(Stamp { letter: b's', disc: shape, size: [7.0, 7.0] });
        let canvas = draw(vec![Kind::Places(places)], 3);
        let discs = regions(250, &canvas.letters, |letter| letter == b's');
        assert_eq!(discs.len(), canvas.place("towns").unwrap().len());
        // 7 cells across: 49, or the cells not farther than 3.5 from the middle one.
        let cells = if shape { 37 } else { 49 };
        assert!(discs.iter().all(|disc| disc.len() == cells), "{:?}", discs[0].len());
    }
}

#[test]
fn things_lie_in_their_region_as_a_whole() {
    let towns_alone = vec![Kind::Places(towns(Method::Random, Some(6)))];
    let before = draw(towns_alone.clone(), 5);
    let region = Region { within: Vec::new(), on: b".".to_vec() };
    let placing = Placing {
        method: Method::Poisson,
        region,
        spacing: 2.0,
        near: Some("towns".to_owned()),
        reach: 15.0,
        layer: Some("damp".to_owned()),
        ..Placing::default()
    };
    let stamp = Stamp { letter: b'H', disc: false, size: [1.0, 3.0] };
    let houses = |placing: Placing| {
        let scatter = Kind::Scatter(Scatter { placing, stamp: stamp.clone() });
        draw(towns_alone.iter().cloned().chain([scatter]).collect(), 5)
    };
    let after = houses(placing.clone());
    let towns = after.place("towns").unwrap();
    let mut built = 0;
    for (at, (&old, &new)) in before.letters.iter().zip(&after.letters).enumerate() {
        if old == new {
            continue;
        }
        built += 1;
        assert_eq!((old, new), (b'.', b'H'));
        let centre = [(at % 250) as f64 + 0.5, (at / 250) as f64 + 0.5];
        // A point in the disc's cells, and at most 3 cells of house.
        let near = towns.iter().any(|&town| distance(town, centre) < 15.0 + 3.0 * 2.0_f64.sqrt());
        assert!(near, "{centre:?}");
    }
    assert!(built > 300, "{built}");
    // The layer thins them out: its mean is near a half.
    let all = houses(Placing { layer: None, ..placing });
    let count = |canvas: &Canvas| canvas.letters.iter().filter(|&&letter| letter == b'H').count();
    assert!(count(&all) as f64 > 1.3 * built as f64, "{} {built}", count(&all));
}

#[test]
fn roads_join_all_places() {
    let (mut bridged, mut wide) = (0, 0);
    for seed in 0..12 {
        for width in [1.0, 3.0] {
            let mut places = towns(Method::Random, Some(7));
            places.stamp = None;
            let roads = LayRoads {
                places: "towns".to_owned(),
                letter: b'R',
                width,
                bridges: vec![(b'W', b'b'), (b'@', b'b')],
                ..LayRoads::default()
            };
            let before = draw(vec![Kind::Places(places.clone())], seed).letters;
            let canvas = draw(vec![Kind::Places(places), Kind::Roads(roads)], seed);
            // A road may go over a corner, so its cells are joined through the ones beside.
            let joined = |letter: u8| letter == b'R' || letter == b'b';
            let mut letters = canvas.letters.clone();
            for y in 0..129 {
                for x in 0..249 {
                    let at = y * 250 + x;
                    for [a, b, c, d] in
                        [[at, at + 251, at + 1, at + 250], [at + 1, at + 250, at, at + 251]]
                    {
                        if [a, b].iter().all(|&at| joined(canvas.letters[at])) {
                            letters[c] = b'R';
                            letters[d] = b'R';
                        }
                    }
                }
            }
            let all = regions(250, &letters, joined);
            let cell = |at: &[f64; 2]| at[1] as usize * 250 + at[0] as usize;
            let places = canvas.place("towns").unwrap();
            let first = all.iter().find(|road| road.contains(&cell(&places[0]))).expect("a road");
            assert!(places.iter().all(|at| first.contains(&cell(at))), "seed {seed}");
            for (at, (&old, &new)) in before.iter().zip(&canvas.letters).enumerate() {
                match new {
                    b'R' => assert!(b".S".contains(&old), "seed {seed}: {at}"),
                    b'b' => assert!(b"W@".contains(&old), "seed {seed}: {at}"),
                    _ => assert_eq!(old, new, "seed {seed}: {at}"),
                }
                bridged += usize::from(new == b'b');
                wide += usize::from(new == b'R' && width > 1.0);
            }
        }
    }
    assert!(bridged > 100 && wide > 5_000, "{bridged} {wide}");
}
