//! Once warm, a query allocates nothing.
//!
//! Memory is counted for the whole process, and other tests run beside this one. So each query is
//! asked many times: what it does is the same each time, and one time without an allocation shows
//! that there is none in it.

use crate::MEMORY;
use crate::rows;
use stats_alloc::Region;
use throng::graph::mesh::ExactSearch;
use throng::graph::mesh::FunnelSearch;
use throng::graph::mesh::Locator;
use throng::graph::mesh::MeshPath;
use throng::graph::mesh::RelaxedSearch;

/// How often a query is asked at most.
const TIMES: u32 = 10_000;

/// Whether one of many runs allocates nothing.
fn is_free(mut run: impl FnMut()) -> bool {
    (0..TIMES).any(|_| {
        let region = Region::new(MEMORY);
        run();
        let change = region.change();
        change.allocations == 0 && change.reallocations == 0
    })
}

#[test]
fn an_allocation_is_counted() {
    assert!(is_free(|| {}));
    assert!(!is_free(|| drop(std::hint::black_box(vec![1]))));
}

#[test]
fn queries_allocate_nothing_once_warm() {
    let case = rows::rooms(10, 40);
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
fn a_search_forgets_the_mesh_before() {
    let cases = [rows::rooms(3, 20), rows::rooms(6, 20), rows::rooms(4, 20)];
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
