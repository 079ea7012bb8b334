//! Areas, centres, neighbours, components, and what is wrong with bad meshes.

use crate::common::mesh_ground::Ground;
use crate::common::mesh_rows;
use throng::graph::NONE;
use throng::graph::mesh::{ExactSearch, Locator, Mesh, MeshError, MeshPath};

/// Labels of open cells, by spreading the lowest until nothing changes.
fn labels(ground: &Ground) -> Vec<i32> {
    let (width, height) = (ground.width, ground.height);
    let mut labels: Vec<i32> = (0..width * height).collect();
    loop {
        let before = labels.clone();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            for (i, j) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                if ground.open(x, y) && ground.open(x + i, y + j) {
                    let (a, b) = ((y * width + x) as usize, ((y + j) * width + x + i) as usize);
                    labels[a] = labels[a].min(labels[b]);
                }
            }
        }
        if labels == before {
            return labels;
        }
    }
}

#[test]
fn a_mesh_covers_its_cells_and_falls_into_their_components() {
    for seed in 0..30 {
        let ground = Ground::noise(15, 11, 20 + (seed % 3) as u32 * 10, seed);
        let labels = labels(&ground);
        for mesh in [ground.cells(), ground.runs()] {
            mesh.check().unwrap();
            let mut area = 0.0;
            // The component of every label.
            let mut components = vec![NONE; labels.len()];
            for polygon in 0..mesh.polygon_count() {
                area += mesh.area(polygon);
                let centre = mesh.centre(polygon);
                assert!(mesh.contains(polygon, centre));
                let (x, y) = (centre[0].floor() as i32, centre[1].floor() as i32);
                assert!(ground.open(x, y));
                let label = labels[(y * ground.width + x) as usize] as usize;
                let component = mesh.component(polygon);
                assert!(components[label] == NONE || components[label] == component);
                components[label] = component;
                for other in mesh.neighbours(polygon) {
                    assert!(mesh.neighbours(other).any(|back| back == polygon));
                    assert_eq!(mesh.component(other), component);
                }
            }
            let all = (0..ground.height).flat_map(|y| (0..ground.width).map(move |x| (x, y)));
            assert_eq!(area, all.filter(|&(x, y)| ground.open(x, y)).count() as f64);
            let mut seen: Vec<u32> = components.into_iter().filter(|&c| c != NONE).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..mesh.component_count()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn ways_turn_at_corners_of_walls_only() {
    // A wall of two cells in the middle, and the rim.
    let mesh = crate::common::mesh_ground::of_boxes(&[
        [0, 0, 5, 1],
        [0, 1, 1, 2],
        [3, 1, 5, 2],
        [0, 2, 5, 3],
    ]);
    let (locator, mut search) = (Locator::new(&mesh), ExactSearch::default());
    let places = || (0..15).map(|cell| [f64::from(cell % 5) + 0.5, f64::from(cell / 5) + 0.5]);
    let mut turning: Vec<[f64; 2]> = Vec::new();
    for (start, goal) in places().flat_map(|start| places().map(move |goal| (start, goal))) {
        let mut path = MeshPath::default();
        if search.find(&mesh, &locator, start, goal, &mut path) {
            turning.extend(&path.points[1..path.points.len() - 1]);
        }
    }
    turning.sort_by(|a, b| a.partial_cmp(b).unwrap());
    turning.dedup();
    assert_eq!(turning, [[1.0, 1.0], [1.0, 2.0], [3.0, 1.0], [3.0, 2.0]]);
}

#[test]
fn meshes_of_game_maps_are_good() {
    for case in mesh_rows::games() {
        case.mesh.check().unwrap();
        assert!(case.mesh.bytes() > 0);
    }
}

/// A square, with one corner elsewhere.
fn square(corner: [f64; 2]) -> Mesh {
    Mesh::new(vec![[0.0, 0.0], [2.0, 0.0], corner, [0.0, 2.0]], &[vec![0, 1, 2, 3]])
}

#[test]
fn a_bad_polygon_is_named() {
    assert_eq!(square([2.0, 2.0]).check(), Ok(()));
    assert_eq!(square([1.0, 1.0]).check(), Ok(()), "three in a row are allowed");
    let hollow = MeshError::Convex { polygon: 0, point: 2, x: 0.5, y: 0.5 };
    assert_eq!(square([0.5, 0.5]).check(), Err(hollow));
    let points = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [1.0, 0.0]];
    let check = |polygons: &[Vec<u32>]| Mesh::new(points.clone(), polygons).check();
    let clockwise = check(&[vec![0, 1, 2, 3], vec![3, 2, 1, 0]]);
    assert!(matches!(clockwise, Err(MeshError::Convex { polygon: 1, .. })), "{clockwise:?}");
    assert_eq!(check(&[vec![0, 1]]), Err(MeshError::Corners { polygon: 0, corners: 2 }));
    // There and back again.
    let flat = check(&[vec![0, 4, 1]]);
    assert!(matches!(flat, Err(MeshError::Convex { polygon: 0, point: 1, .. })), "{flat:?}");
    let twice = check(&[vec![0, 1, 2, 3, 0, 1, 2, 3]]);
    assert_eq!(twice, Err(MeshError::Round { polygon: 0 }));
    // A small loop inside a large one, and a star.
    let loops = vec![
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [-3.0, 1.0],
        [-3.0, -3.0],
        [4.0, -3.0],
        [4.0, 4.0],
        [0.0, 4.0],
    ];
    let inner = Mesh::new(loops.clone(), &[(0..8).collect()]);
    assert_eq!(inner.check(), Err(MeshError::Round { polygon: 0 }));
    let outer = Mesh::new(loops, &[(0..8).map(|i| (i + 5) % 8).collect()]);
    assert_eq!(outer.check(), Err(MeshError::Round { polygon: 0 }));
    let star = [[0.0, 3.0], [-2.0, -3.0], [3.0, 1.0], [-3.0, 1.0], [2.0, -3.0]];
    let star = Mesh::new(star.to_vec(), &[vec![0, 1, 2, 3, 4]]);
    assert_eq!(star.check(), Err(MeshError::Round { polygon: 0 }));
    let still = check(&[vec![0, 1, 1, 2, 3]]);
    assert!(matches!(still, Err(MeshError::Convex { polygon: 0, point: 1, .. })), "{still:?}");
}
