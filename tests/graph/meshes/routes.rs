//! Ways by points on edges: never shorter than the shortest, hardly longer, pulled tight.

use crate::common::mesh_ground::Ground;
use crate::common::mesh_rows;
use crate::common::terrain::Random;
use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, Mesh, MeshPath, RelaxedSearch};

/// The largest mean of lengths over shortest lengths.
const MEAN: f64 = 1.03;

/// Lengths over shortest lengths.
#[derive(Default)]
struct Ratios {
    sum: f64,
    most: f64,
    count: u32,
}

impl Ratios {
    fn add(&mut self, length: f64, shortest: f64) {
        assert!(length > shortest - 1e-6, "{length} below {shortest}");
        let ratio = length / shortest;
        self.sum += ratio;
        self.most = self.most.max(ratio);
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.count)
    }
}

#[test]
fn ways_over_game_maps_are_little_longer_than_the_shortest() {
    let cases = mesh_rows::sampled(mesh_rows::games(), 200);
    eprintln!(
        "{:22} {:>20} {:>20} {:>20}",
        "mean and largest ratio", "middles", "3 points", "relaxed"
    );
    let mut better = 0;
    for case in &cases {
        let (mesh, locator) = (&case.mesh, Locator::new(&case.mesh));
        let (mut middles, mut points) = (FunnelSearch::default(), FunnelSearch::new(3));
        let (mut relaxed, mut path) = (RelaxedSearch::default(), MeshPath::default());
        let mut ratios: [Ratios; 3] = Default::default();
        for row in &case.rows {
            assert!(middles.find(mesh, &locator, row.start, row.goal, &mut path));
            let first = path.length;
            ratios[0].add(first, row.length);
            assert!(points.find(mesh, &locator, row.start, row.goal, &mut path));
            ratios[1].add(path.length, row.length);
            assert!(relaxed.find(mesh, &locator, row.start, row.goal, &mut path));
            ratios[2].add(path.length, row.length);
            assert!(path.length <= first, "{} {row:?}: {path:?} above {first}", case.name);
            better += u32::from(path.length < first - 1e-9);
        }
        let shown = ratios.each_ref().map(|r| format!("{:10.5} {:8.3}", r.mean(), r.most));
        eprintln!("{:22} {:>20} {:>20} {:>20}", case.name, shown[0], shown[1], shown[2]);
        assert!(ratios[0].mean() <= MEAN, "{}", case.name);
        assert!(ratios[1].mean() <= MEAN, "{}", case.name);
    }
    assert!(cases.is_empty() || better > 20, "the relaxed search found {better} shorter ways");
}

/// The polygons of a channel alone, and whether each is beside its neighbours in it only.
fn alone(mesh: &Mesh, channel: &[u32]) -> (Mesh, bool) {
    let polygons: Vec<Vec<u32>> =
        channel.iter().map(|&polygon| mesh.corners(polygon).to_vec()).collect();
    let part = Mesh::new(mesh.points().to_vec(), &polygons);
    let row = (0..part.polygon_count())
        .all(|polygon| part.neighbours(polygon).all(|other| other.abs_diff(polygon) == 1));
    (part, row)
}

#[test]
fn a_pulled_way_is_the_shortest_of_its_channel() {
    let (mut rows, mut corners, mut better) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let ground = Ground::noise(12, 12, 15 + random.below(25), seed);
        let mesh = if seed % 2 == 0 { ground.cells() } else { ground.runs() };
        let locator = Locator::new(&mesh);
        let (mut search, mut path) = (FunnelSearch::default(), MeshPath::default());
        let (mut relaxed, mut other) = (RelaxedSearch::default(), MeshPath::default());
        let (mut exact, mut shortest) = (ExactSearch::default(), MeshPath::default());
        for _ in 0..10 {
            let places = (ground.place(&mut random), ground.place(&mut random));
            let (Some(start), Some(goal)) = places else { continue };
            let found = search.find(&mesh, &locator, start, goal, &mut path);
            assert_eq!(found, exact.find(&mesh, &locator, start, goal, &mut shortest));
            if !found {
                continue;
            }
            assert!(path.length >= shortest.length - 1e-9);
            assert!(relaxed.find(&mesh, &locator, start, goal, &mut other));
            assert!(other.length >= shortest.length - 1e-9 && other.length <= path.length);
            better += u32::from(other.length < path.length - 1e-9);
            let (part, row) = alone(&mesh, search.channel());
            assert!(exact.find(&part, &Locator::new(&part), start, goal, &mut shortest));
            assert!(path.length >= shortest.length - 1e-9, "{path:?} {shortest:?}");
            if row {
                rows += 1;
                corners += path.points.len() - 2;
                let off = path.length - shortest.length;
                assert!(off < 1e-9, "{seed} {start:?} {goal:?}: {path:?} {shortest:?}");
            }
        }
    }
    eprintln!("{rows} channels, {corners} corners, {better} ways shorter by another channel");
    assert!(rows > 500 && corners > 500 && better > 20);
}

#[test]
fn a_way_off_the_mesh_or_to_another_component_is_none() {
    // Two squares, apart.
    let mesh = crate::common::mesh_ground::of_boxes(&[[0, 0, 2, 2], [3, 0, 5, 2], [5, 0, 6, 2]]);
    let locator = Locator::new(&mesh);
    assert_eq!(mesh.component_count(), 2);
    let mut path = MeshPath { points: vec![[0.0, 0.0]], length: 1.0, expansions: 1 };
    for (start, goal) in
        [([1.0, 1.0], [4.0, 1.0]), ([1.0, 1.0], [2.5, 1.0]), ([9.0, 1.0], [4.0, 1.0])]
    {
        assert!(!FunnelSearch::default().find(&mesh, &locator, start, goal, &mut path));
        assert_eq!(path, MeshPath::default());
        assert!(!RelaxedSearch::default().find(&mesh, &locator, start, goal, &mut path));
        assert!(!ExactSearch::default().find(&mesh, &locator, start, goal, &mut path));
        assert_eq!(path, MeshPath::default());
    }
    let ways = [[3.5, 1.0], [5.5, 1.0]];
    assert!(ExactSearch::default().find(&mesh, &locator, ways[0], ways[1], &mut path));
    assert_eq!((path.points, path.length), (ways.to_vec(), 2.0));
}
