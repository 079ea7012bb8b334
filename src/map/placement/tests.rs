use proptest::prelude::*;

use super::*;

fn open_map(width: u32, height: u32, cell: f64) -> Map {
    Map::from_slowness(width, height, cell, &vec![16; (width * height) as usize])
}

fn rect(min: [f64; 2], max: [f64; 2]) -> Shape {
    Shape::Rect { min, max }
}

/// Smallest distance of two positions, by a grid of cells as wide as the answer looked for.
fn closest(positions: &[[f64; 2]], near: f64) -> f64 {
    let mut cells = std::collections::BTreeMap::<(i64, i64), Vec<[f64; 2]>>::new();
    let key = |p: [f64; 2]| ((p[0] / near).floor() as i64, (p[1] / near).floor() as i64);
    let mut least = f64::INFINITY;
    for &p in positions {
        let (i, j) = key(p);
        for (di, dj) in (-1..=1).flat_map(|di| (-1..=1).map(move |dj| (di, dj))) {
            for q in cells.get(&(i + di, j + dj)).into_iter().flatten() {
                let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                least = least.min((dx * dx + dy * dy).sqrt());
            }
        }
        cells.entry((i, j)).or_default().push(p);
    }
    least
}

fn check(map: &Map, slowness: &[u8], shapes: &[Shape], positions: &[[f64; 2]], radius: f64) {
    for &[x, y] in positions {
        let cell = map.cell_at(x, y).expect("every position is on the map");
        assert!(slowness[cell as usize] != 0, "({x}, {y}) stands in a wall");
        assert!(shapes.iter().any(|s| s.contains(x, y)), "({x}, {y}) stands outside its area");
        for at in [x, y] {
            assert_eq!(f64::from(at as f32), at, "f32 holds every position");
            assert_eq!((at * 65_536.0).fract(), 0.0, "Q16.16 holds every position");
        }
    }
    let least = closest(positions, 2.0 * radius);
    assert!(least >= 2.0 * radius, "two agents of radius {radius} are {least} apart");
}

#[test]
fn fills_a_rectangle_evenly() {
    let map = open_map(100, 100, 1.0);
    let shapes = [rect([10.0, 20.0], [60.0, 45.0])];
    let placed = place(&map, map.slowness(), &shapes, 500, 0.3, 1).unwrap();
    assert_eq!(placed.len(), 500);
    check(&map, map.slowness(), &shapes, &placed, 0.3);
    // Every quarter holds about a quarter.
    for (x, y) in [(10.0, 20.0), (35.0, 20.0), (10.0, 32.5), (35.0, 32.5)] {
        let inside = |p: &&[f64; 2]| p[0] >= x && p[0] < x + 25.0 && p[1] >= y && p[1] < y + 12.5;
        let count = placed.iter().filter(inside).count();
        assert!((100..=150).contains(&count), "{count} of 500 in the quarter at ({x}, {y})");
    }
}

#[test]
fn one_agent_stands_in_the_middle_and_a_point_is_exact() {
    let map = open_map(40, 40, 1.0);
    let placed = place(&map, map.slowness(), &[rect([0.0, 0.0], [10.0, 10.0])], 1, 0.4, 9).unwrap();
    assert!((placed[0][0] - 5.0).abs() < 3.1 && (placed[0][1] - 5.0).abs() < 3.1);
    let points = [Shape::Point { at: [3.3, 4.7] }, Shape::Point { at: [20.0, 1.0] }];
    assert_eq!(place(&map, map.slowness(), &points, 2, 0.4, 9).unwrap(), [[3.3, 4.7], [20.0, 1.0]]);
}

#[test]
fn says_how_many_fit() {
    let map = open_map(20, 20, 1.0);
    let shapes = [rect([0.0, 0.0], [10.0, 10.0])];
    let error = place(&map, map.slowness(), &shapes, 1000, 0.5, 1).unwrap_err();
    let PlaceError::TooMany { asked: 1000, fits, area_m2, radius } = error else {
        panic!("{error:?}")
    };
    assert!((80..=125).contains(&fits), "{fits}");
    assert!((area_m2 - 100.0).abs() < 0.1, "{area_m2}");
    assert_eq!(radius, 0.5);
    let placed = place(&map, map.slowness(), &shapes, fits, 0.5, 1).unwrap();
    assert_eq!(placed.len() as u64, fits);
    check(&map, map.slowness(), &shapes, &placed, 0.5);
}

#[test]
fn refuses_senseless_numbers() {
    let map = open_map(20, 20, 1.0);
    let shapes = [rect([0.0, 0.0], [10.0, 10.0])];
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 51.0, 0.049] {
        let error = place(&map, map.slowness(), &shapes, 1, radius, 1).unwrap_err();
        assert!(matches!(error, PlaceError::Radius { .. }));
    }
    let error = place(&map, map.slowness(), &shapes, u64::MAX, 0.3, 1).unwrap_err();
    assert_eq!(error, PlaceError::Limit { asked: u64::MAX });
    let nowhere: [Shape; 0] = [];
    let error = place(&map, map.slowness(), &nowhere, 1, 0.3, 1).unwrap_err();
    assert!(matches!(error, PlaceError::TooMany { fits: 0, .. }));
    assert!(place(&map, map.slowness(), &shapes, 0, 0.3, 1).unwrap().is_empty());
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let at = || prop::array::uniform2(0.0..60.0_f64);
    prop_oneof![
        (at(), prop::array::uniform2(0.5..40.0_f64))
            .prop_map(|(min, size)| rect(min, [min[0] + size[0], min[1] + size[1]])),
        (at(), 0.5..20.0_f64).prop_map(|(centre, radius)| Shape::Disc { centre, radius }),
        prop::collection::vec(at(), 3..9).prop_map(|corners| Shape::Polygon { corners }),
        at().prop_map(|at| Shape::Point { at }),
    ]
}

proptest! {
    #[test]
    fn places_exactly_inside_and_apart(
        mut shapes in prop::collection::vec(any_shape(), 1..4),
        walls in prop::collection::vec(0..10_u8, 60 * 60),
        cell in prop_oneof![Just(0.3), Just(0.5), Just(1.0), Just(1.7)],
        count in 0..400_u64,
        radius in 0.05..1.5_f64,
        seed in any::<u64>(),
    ) {
        let slowness: Vec<u8> = walls.iter().map(|&w| if w == 0 { 0 } else { 16 }).collect();
        let map = Map::from_slowness(60, 60, cell, &slowness);
        if !shapes.iter().all(|s| matches!(s, Shape::Point { .. })) {
            shapes.retain(|s| !matches!(s, Shape::Point { .. }));
        } else {
            shapes.truncate(1);
        }
        let points = matches!(shapes[0], Shape::Point { .. });
        match place(&map, map.slowness(), &shapes, count, radius, seed) {
            Ok(placed) => {
                prop_assert_eq!(placed.len() as u64, count);
                if !points {
                    check(&map, map.slowness(), &shapes, &placed, radius);
                }
                let again = place(&map, map.slowness(), &shapes, count, radius, seed);
                prop_assert_eq!(again.unwrap(), placed);
            }
            Err(PlaceError::TooMany { asked, fits, .. }) => {
                prop_assert!(asked == count && fits < count);
                if !points {
                    let placed = place(&map, map.slowness(), &shapes, fits, radius, seed).unwrap();
                    check(&map, map.slowness(), &shapes, &placed, radius);
                }
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}
