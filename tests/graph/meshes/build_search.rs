//! Searches on meshes made here.

use crate::common::{data, mesh_rows};
use crate::meshes::build::check;
use throng::graph::Mesh;
use throng::graph::mesh::build::TiledMesh;
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, MeshPath};

fn map_file(name: &str) -> Option<std::path::PathBuf> {
    let file = format!("{name}.map");
    let maps = data::maps(&data::folder()?);
    maps.into_iter().find(|path| path.file_name().is_some_and(|found| *found == *file))
}

/// The mean and the largest of the lengths of pulled ways, over the shortest there are.
fn ratios(mesh: &Mesh, rows: &[mesh_rows::Row]) -> [f64; 2] {
    let locator = Locator::new(mesh);
    let (mut exact, mut funnel) = (ExactSearch::default(), FunnelSearch::new(1));
    let mut path = MeshPath::default();
    let (mut sum, mut most) = (0.0, 1.0_f64);
    for row in rows {
        assert!(exact.find(mesh, &locator, row.start, row.goal, &mut path), "{row:?}");
        let off = (path.length - row.length).abs();
        assert!(off < 1e-6, "{row:?}: {} is {off} off", path.length);
        assert!(funnel.find(mesh, &locator, row.start, row.goal, &mut path), "{row:?}");
        let ratio = if row.length == 0.0 { 1.0 } else { path.length / row.length };
        sum += ratio;
        most = most.max(ratio);
    }
    [sum / rows.len() as f64, most]
}

/// A mesh of a map's cells has the same shortest ways as any other mesh of them.
#[test]
fn shortest_ways_over_tiled_meshes_are_those_of_the_map() {
    let mut tried = 0;
    for case in mesh_rows::sampled(mesh_rows::games(), 40) {
        let Some(path) = map_file(&case.name) else { continue };
        let class = data::read_map(&path).class(0.0);
        let of_side = |side| {
            let tiled = TiledMesh::new(&class, side, None);
            check(tiled.mesh());
            tiled.mesh().check().unwrap();
            ratios(tiled.mesh(), &case.rows)
        };
        let given = ratios(&case.mesh, &case.rows);
        let [small, large, one] = [32, 64, u32::MAX].map(of_side);
        eprintln!(
            "{}: mean and largest ratio of pulled ways {given:.4?} on the given mesh; in tiles of \
             32 {small:.4?}, of 64 {large:.4?}, in one {one:.4?}",
            case.name
        );
        assert!([small, large, one].iter().all(|ratio| ratio[0] < 1.05));
        tried += 1;
    }
    assert!(tried > 3 || data::folder().is_none(), "{tried} maps");
}
