//! Clearances of edges against samples along them.

use crate::common::terrain;
use crate::common::terrain::Random;
use crate::networks::oracle;
use crate::networks::oracle::{Drawn, Solid};
use proptest::prelude::*;
use throng::graph::network::{Draft, Obstacles, PolygonError, Polygons, Walls};
use throng::map::Map;

/// The slow way finds the nearest point of a side within this, in metres.
const CLOSE: f64 = 1e-7;

/// Checks random segments; returns how many were clear for half the cap, and how many were not.
fn check(
    solid: &impl Solid,
    obstacles: &impl Obstacles,
    random: &mut Random,
    sides: [f64; 2],
) -> [u32; 2] {
    let mut found = [0; 2];
    for _ in 0..6 {
        let mut number = |most: f64| most * f64::from(random.below(8192)) / 8192.0;
        let a = [number(sides[0]), number(sides[1])];
        let b = match number(4.0) as u32 {
            0 => a,
            1 => [a[0], number(sides[1])],
            2 => [a[0] + number(4.0) - 2.0, a[1] + number(4.0) - 2.0],
            _ => [number(sides[0]), number(sides[1])],
        };
        let cap = 0.1 + number(4.0);
        let claimed = obstacles.segment_clearance(a, b, cap);
        let [least, most] = oracle::sampled(solid, a, b, 120).map(|d| d.min(cap));
        assert!(claimed <= most + CLOSE, "{a:?} to {b:?}: {claimed}, sampled {most}");
        assert!(claimed >= least - CLOSE, "{a:?} to {b:?}: {claimed}, at least {least}");
        let back = obstacles.segment_clearance(b, a, cap);
        assert!((claimed - back).abs() < CLOSE, "{a:?} and {b:?}: {claimed} there, {back} back");
        for radius in [0.5 * cap, claimed, claimed + 1e-3] {
            let fits = obstacles.fits(a, b, radius);
            if radius <= cap && (radius < claimed || radius > claimed + 1e-4) {
                assert_eq!(fits, claimed > 0.0 && radius < claimed, "{a:?} {b:?} {radius}");
            }
        }
        found[usize::from(obstacles.fits(a, b, 0.5 * cap))] += 1;
    }
    found
}

proptest! {
    #![proptest_config(crate::common::cases(300))]

    #[test]
    fn clearances_on_maps_agree_with_samples(seed: u64) {
        let random = &mut Random(seed);
        let map = terrain::small(random, 24);
        let cells: Vec<u8> = (0..map.height())
            .flat_map(|y| (0..map.width()).map(move |x| (x, y)))
            .map(|(x, y)| map.slowness()[map.index(x, y) as usize])
            .collect();
        let size = [1.0, 0.5, 0.3, 2.0][random.below(4) as usize];
        let map = Map::from_slowness(map.width(), map.height(), size, &cells);
        let sides = [f64::from(map.width()) * size, f64::from(map.height()) * size];
        check(&map, &Walls::new(&map), random, sides);
    }
}

proptest! {
    // The slow way is slower here.
    #![proptest_config(crate::common::cases(100))]

    #[test]
    fn clearances_among_polygons_agree_with_samples(seed: u64) {
        let random = &mut Random(seed);
        let drawn = Drawn::random(random, 7);
        check(&drawn, &drawn.built(), random, [42.0, 42.0]);
    }
}

#[test]
fn a_segment_that_is_nearest_to_the_end_of_a_side() {
    let random = &mut Random(8_779_411_346_153_289_559);
    let drawn = Drawn::random(random, 7);
    check(&drawn, &drawn.built(), random, [42.0, 42.0]);
}

#[test]
fn both_answers_come_up() {
    let random = &mut Random(3);
    let mut found = [[0; 2]; 2];
    for _ in 0..20 {
        let map = terrain::noise(24, 10, random.next());
        let drawn = Drawn::random(random, 5);
        let here = check(&map, &Walls::new(&map), random, [24.0; 2]);
        let there = check(&drawn, &drawn.built(), random, [40.0; 2]);
        for i in 0..2 {
            found[0][i] += here[i];
            found[1][i] += there[i];
        }
    }
    assert!(found.iter().flatten().all(|&count| count > 10), "{found:?}");
}

#[test]
fn an_agent_as_wide_as_the_corridor_passes() {
    for size in [1.0, 0.4, 0.3, 1.7] {
        let mut cells = vec![0; 15];
        cells[5..10].fill(16);
        let map = Map::from_slowness(5, 3, size, &cells);
        let walls = Walls::new(&map);
        let (a, b) = ([0.5 * size, 1.5 * size], [4.5 * size, 1.5 * size]);
        assert!(walls.fits(a, b, 0.5 * size), "cells of {size} m");
        assert!(!walls.fits(a, b, 0.5 * size + 1e-4), "cells of {size} m");
    }
}

#[test]
fn agents_of_a_class_stay_in_its_cells() {
    // A gap of four cells: wide enough for a radius of 0.9, but no centre of a cell is.
    let mut cells = vec![16_u8; 400];
    for y in (0..8).chain(12..20) {
        cells[y * 20 + 10] = 0;
    }
    let map = Map::from_slowness(20, 20, 0.5, &cells);
    let class = map.class(0.9);
    let (a, b) = ([3.0, 5.0], [8.0, 5.0]);
    assert!(Walls::new(&map).fits(a, b, 0.9));
    assert!(!Walls::of_class(&map, &class).fits(a, b, 0.9));
    assert_eq!(Walls::of_class(&map, &class).segment_clearance(a, b, 2.0), 0.0);
}

#[test]
fn edges_have_two_different_ends_and_are_one_each() {
    let mut draft = Draft::default();
    let (a, b) = (draft.add([0.0, 0.0], 0), draft.add([1.0, 0.0], 0));
    assert!(!draft.link(a, a));
    assert!(draft.link(b, a));
    assert!(!draft.link(a, b));
    assert!(!draft.link(a, 2));
    assert_eq!(draft.edges().collect::<Vec<_>>(), [(0, 1)]);
}

#[test]
fn bad_polygons_are_named() {
    let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    let short = Polygons::new(&[square.clone(), vec![[0.0, 0.0], [1.0, 0.0]]], None);
    assert_eq!(short.unwrap_err().to_string(), "obstacle 1 has 2 points; a polygon has at least 3");
    let far = [[0.0, 0.0], [40_000.0, 0.0], [1.0, 1.0]];
    let error = Polygons::new(&[square], Some(&far)).unwrap_err();
    assert!(matches!(error, PolygonError::Coordinate { point: 1, .. }));
    assert_eq!(
        error.to_string(),
        "point 1 of the boundary is (40000, 0); coordinates are within ±32,768 m"
    );
}
