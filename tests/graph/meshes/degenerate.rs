//! Polyanya's own difficult meshes: corners on straight lines, walls that meet in a point.

use crate::common::{data, mesh_rows};
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, MeshPath};

/// Lengths in the files are rounded: to whole numbers where walls meet in a point.
fn tolerance(name: &str) -> f64 {
    match name {
        "bad-ambig" => 0.02,
        "bad-collinear" => 0.002,
        _ => 1e-9,
    }
}

#[test]
fn difficult_meshes_have_their_lengths() {
    let Some(folder) = mesh_rows::folder() else { return };
    let mut known = 0;
    for path in data::files(&folder.join("tests"), "scen") {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let mesh = mesh_rows::mesh(&path.with_extension("mesh"));
        let locator = Locator::new(&mesh);
        for row in mesh_rows::queries(&path) {
            let (mut exact, mut way) = (ExactSearch::default(), MeshPath::default());
            assert!(exact.find(&mesh, &locator, row.start, row.goal, &mut way), "{name} {row:?}");
            let mut pulled = MeshPath::default();
            let mut funnel = FunnelSearch::default();
            assert!(funnel.find(&mesh, &locator, row.start, row.goal, &mut pulled));
            assert!(pulled.length >= way.length - 1e-9);
            // -1: where a way starts is ambiguous. Here it starts in every polygon around.
            if row.length >= 0.0 {
                known += 1;
                let off = (way.length - row.length).abs();
                assert!(off <= tolerance(name), "{name} {row:?} {way:?}");
            } else {
                let straight = [row.start[0] - row.goal[0], row.start[1] - row.goal[1]];
                let straight = (straight[0] * straight[0] + straight[1] * straight[1]).sqrt();
                assert!((way.length - straight).abs() < 1e-12, "{name} {row:?} {way:?}");
            }
        }
    }
    assert_eq!(known, 6);
}

#[test]
fn all_pairs_of_a_hard_mesh_agree_both_ways() {
    let Some(folder) = mesh_rows::folder() else { return };
    let mesh = mesh_rows::mesh(&folder.join("tests/hard.mesh"));
    let locator = Locator::new(&mesh);
    let (mut exact, mut way) = (ExactSearch::default(), MeshPath::default());
    let mut funnel = FunnelSearch::new(16);
    let places: Vec<_> = (0..mesh.polygon_count()).map(|polygon| mesh.centre(polygon)).collect();
    for &start in &places {
        for &goal in &places {
            let found = exact.find(&mesh, &locator, start, goal, &mut way);
            let component = |at| locator.locate(&mesh, at).map(|polygon| mesh.component(polygon));
            assert_eq!(found, component(start) == component(goal));
            if !found {
                continue;
            }
            let length = way.length;
            assert!(exact.find(&mesh, &locator, goal, start, &mut way));
            assert!((length - way.length).abs() < 1e-9, "{start:?} {goal:?} {length} {way:?}");
            assert!(funnel.find(&mesh, &locator, start, goal, &mut way));
            let share = way.length / length;
            assert!(
                start == goal || (0.999_999..1.2).contains(&share),
                "{start:?} {goal:?} {way:?}"
            );
        }
    }
}
