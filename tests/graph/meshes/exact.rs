//! The shortest way is the shortest there is.

use crate::common::mesh_ground::Ground;
use crate::common::mesh_rows::Case;
use crate::common::terrain::Random;
use crate::common::{data, mesh_ground, mesh_rows};
use crate::meshes::oracle;
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, Mesh, MeshPath, RelaxedSearch};

/// Largest difference of a length from the one in a table.
const NEAR: f64 = 1e-3;

/// The largest error of all queries.
fn worst(case: &Case) -> f64 {
    let locator = Locator::new(&case.mesh);
    let (mut search, mut path) = (ExactSearch::default(), MeshPath::default());
    let mut worst = 0.0_f64;
    for row in &case.rows {
        assert!(search.find(&case.mesh, &locator, row.start, row.goal, &mut path), "{row:?}");
        let off = (path.length - row.length).abs();
        assert!(off <= NEAR, "{}: {row:?} {path:?}", case.name);
        assert_eq!((path.points[0], *path.points.last().unwrap()), (row.start, row.goal));
        worst = worst.max(off);
    }
    worst
}

#[test]
fn ways_over_game_maps_are_as_long_as_the_shortest() {
    for case in mesh_rows::sampled(mesh_rows::games(), 400) {
        eprintln!("{}: {} ways, off by {:.1e} at most", case.name, case.rows.len(), worst(&case));
    }
}

#[test]
fn ways_are_as_long_as_published_ones() {
    let Some(folder) = mesh_rows::folder() else { return };
    let rows = mesh_rows::queries(&folder.join("gppc-anyangle/AcrosstheCape.map.scen"));
    assert_eq!(rows.len(), 201);
    let mesh = mesh_rows::mesh(&folder.join("mesh/AcrosstheCape-merged.mesh"));
    let case = Case { name: String::from("AcrosstheCape"), mesh, rows };
    eprintln!("off by {:.1e} at most", worst(&case));
}

/// The length, checking that there is one exactly when there should be.
fn length(mesh: &Mesh, start: [f64; 2], goal: [f64; 2]) -> Option<f64> {
    let (mut search, mut path) = (ExactSearch::default(), MeshPath::default());
    search.find(mesh, &Locator::new(mesh), start, goal, &mut path).then_some(path.length)
}

fn same(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        (None, None) => true,
        _ => false,
    }
}

#[test]
fn ways_over_small_maps_are_those_of_a_visibility_graph() {
    let (mut found, mut apart) = (0, 0);
    let maps = if data::all() { 20_000 } else { 300 };
    // In 420, turned, a way runs along a line that rounding has bent.
    for seed in (0..maps).chain([420]) {
        let mut random = Random(seed);
        let (width, height) = (3 + random.below(7) as i32, 3 + random.below(7) as i32);
        let ground = Ground::noise(width, height, 10 + random.below(35), seed);
        let (cells, runs) = (ground.cells(), ground.runs());
        let rotated = mesh_ground::moved(&runs, mesh_ground::turned);
        for mesh in [&cells, &runs, &rotated] {
            mesh.check().unwrap();
        }
        for _ in 0..12 {
            let places = (ground.place(&mut random), ground.place(&mut random));
            let (Some(start), Some(goal)) = places else { continue };
            let expected = oracle::length(&ground, start, goal);
            *if expected.is_some() { &mut found } else { &mut apart } += 1;
            for (name, mesh) in [("cells", &cells), ("runs", &runs)] {
                let own = length(mesh, start, goal);
                let back = length(mesh, goal, start);
                let what = format!("{name} of {seed}, {start:?} {goal:?}: {own:?} {back:?}");
                assert!(same(own, expected) && same(back, expected), "{what}, not {expected:?}");
            }
            // A turned place may be off the rim by a rounding.
            let locator = Locator::new(&rotated);
            let place =
                |at| locator.nearest(&rotated, mesh_ground::turned(at), 1e-9).unwrap().point;
            let own = length(&rotated, place(start), place(goal));
            assert!(same(own, expected), "turned {seed}, {start:?} {goal:?}: {own:?} {expected:?}");
        }
    }
    eprintln!("{found} ways, {apart} pairs without one");
    assert!(found > 1000 && apart > 50);
}

#[test]
fn ways_over_two_meshes_of_one_sheared_map_agree() {
    let mut found = 0;
    for seed in 0..if data::all() { 5_000 } else { 200 } {
        let mut random = Random(seed);
        let ground = Ground::noise(9, 8, 15 + random.below(25), seed);
        let cells = mesh_ground::moved(&ground.cells(), mesh_ground::sheared);
        let runs = mesh_ground::moved(&ground.runs(), mesh_ground::sheared);
        cells.check().unwrap();
        runs.check().unwrap();
        let locators = (Locator::new(&cells), Locator::new(&runs));
        for _ in 0..8 {
            let places = (ground.place(&mut random), ground.place(&mut random));
            let (Some(start), Some(goal)) = places else { continue };
            // On both meshes, though rounding leaves places on the rim beside it.
            let place = |at| {
                let at = locators.0.nearest(&cells, mesh_ground::sheared(at), 1e-9).unwrap().point;
                locators.1.nearest(&runs, at, 1e-9).unwrap().point
            };
            let (start, goal) = (place(start), place(goal));
            let own = length(&cells, start, goal);
            found += u32::from(own.is_some());
            for other in [length(&cells, goal, start), length(&runs, start, goal)] {
                assert!(same(own, other), "{seed} {start:?} {goal:?} {own:?} {other:?}");
            }
        }
    }
    eprintln!("{found} ways");
    assert!(found > 400);
}

#[test]
fn a_search_forgets_the_mesh_before() {
    let cases = [mesh_rows::rooms(3, 20), mesh_rows::rooms(6, 20), mesh_rows::rooms(4, 20)];
    let (mut funnel, mut relaxed) = (FunnelSearch::default(), RelaxedSearch::default());
    let mut exact = ExactSearch::default();
    for _ in 0..3 {
        for case in &cases {
            let (mesh, locator) = (&case.mesh, Locator::new(&case.mesh));
            for row in &case.rows {
                let (mut old, mut new) = (MeshPath::default(), MeshPath::default());
                exact.find(mesh, &locator, row.start, row.goal, &mut old);
                ExactSearch::default().find(mesh, &locator, row.start, row.goal, &mut new);
                assert_eq!(old, new);
                funnel.find(mesh, &locator, row.start, row.goal, &mut old);
                FunnelSearch::default().find(mesh, &locator, row.start, row.goal, &mut new);
                assert_eq!(old, new);
                relaxed.find(mesh, &locator, row.start, row.goal, &mut old);
                RelaxedSearch::default().find(mesh, &locator, row.start, row.goal, &mut new);
                assert_eq!(old, new);
            }
        }
    }
}
