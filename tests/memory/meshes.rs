//! Meshes: once warm, a query allocates nothing, and large counts in a file take no memory.

use crate::common::mesh_rows::rooms;
use crate::{MEMORY, alone, count};
use stats_alloc::Region;
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, Mesh, MeshPath, RelaxedSearch};

/// How often a query is asked at most.
const TIMES: u32 = 10_000;

/// Whether one of many runs allocates nothing.
fn is_free(mut run: impl FnMut()) -> bool {
    (0..TIMES).any(|_| count(&mut run) == 0)
}

#[test]
fn queries_allocate_nothing_once_warm() {
    let _alone = alone();
    let case = rooms(10, 40);
    let (mesh, locator) = (&case.mesh, Locator::new(&case.mesh));
    let (mut funnel, mut relaxed) = (FunnelSearch::new(3), RelaxedSearch::default());
    let (mut exact, mut path) = (ExactSearch::default(), MeshPath::default());
    assert_eq!(exact.bytes(), 0);
    for row in &case.rows {
        assert!(funnel.find(mesh, &locator, row.start, row.goal, &mut path));
        assert!(relaxed.find(mesh, &locator, row.start, row.goal, &mut path));
        assert!(exact.find(mesh, &locator, row.start, row.goal, &mut path));
    }
    let bytes = (funnel.bytes(), relaxed.bytes(), exact.bytes());
    assert!(bytes.0 > 10_000 && bytes.1 > 10_000 && bytes.2 > 10_000, "{bytes:?}");
    for row in &case.rows {
        let (start, goal) = (row.start, row.goal);
        assert!(is_free(|| assert!(funnel.find(mesh, &locator, start, goal, &mut path))));
        assert!(is_free(|| assert!(relaxed.find(mesh, &locator, start, goal, &mut path))));
        assert!(is_free(|| assert!(exact.find(mesh, &locator, start, goal, &mut path))));
        assert!(is_free(|| assert!(locator.nearest(mesh, [-1.0, start[1]], 3.0).is_some())));
    }
    assert_eq!(bytes, (funnel.bytes(), relaxed.bytes(), exact.bytes()));
}

#[test]
fn large_counts_take_no_memory() {
    let _alone = alone();
    let padding = "0 ".repeat(200);
    for head in ["4294967295 4294967295", "50 25", "1 4294967295", "30 1"] {
        let text = format!("mesh\n2\n{head}\n0 0 99999999 {padding}");
        let run = |_| {
            let region = Region::new(MEMORY);
            assert!(Mesh::parse(text.as_bytes()).is_err());
            region.change().bytes_allocated
        };
        assert!((0..5).map(run).min().unwrap() < 16_384, "{head}");
    }
}
