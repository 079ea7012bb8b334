//! Meshes made from polygons, and obstacles that come and go.

use crate::common::data;
use crate::common::terrain::Random;
use crate::meshes::build::{check, check_delaunay, components, mesh_area2, polygon};
use std::collections::BTreeSet;
use std::path::Path;
use throng::graph::Mesh;
use throng::graph::mesh::build::{MAX_CORNERS, ObstacleMesh, PolygonError};
use throng::map::wkt_polygons;

type Polygon = Vec<[f64; 2]>;

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Polygon {
    vec![[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
}

/// Where edges of polygons cross the height y, by polygon.
fn spans(polygons: &[Polygon], y: f64) -> Vec<[f64; 2]> {
    let mut spans = Vec::new();
    for polygon in polygons {
        let mut crossings = Vec::new();
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            if (a[1] <= y) != (b[1] <= y) {
                crossings.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
            }
        }
        crossings.sort_by(f64::total_cmp);
        spans.extend(crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
    }
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    spans
}

/// The free length at a height.
fn free_length(boundary: &Polygon, obstacles: &[Polygon], y: f64) -> f64 {
    let mut free = 0.0;
    for [from, to] in spans(std::slice::from_ref(boundary), y) {
        let mut at = from;
        for [start, end] in spans(obstacles, y) {
            free += (start.min(to) - at).max(0.0);
            at = at.max(end);
        }
        free += (to - at).max(0.0);
    }
    free
}

/// The free area by slabs between the heights of all corners and crossings: within one, the free
/// length is linear.
fn free_area(boundary: &Polygon, obstacles: &[Polygon]) -> f64 {
    let edges: Vec<[[f64; 2]; 2]> = std::iter::once(boundary)
        .chain(obstacles)
        .flat_map(|p| (0..p.len()).map(|i| [p[i], p[(i + 1) % p.len()]]).collect::<Vec<_>>())
        .collect();
    let mut heights: Vec<f64> = edges.iter().map(|edge| edge[0][1]).collect();
    for (i, &[a, b]) in edges.iter().enumerate() {
        for &[c, d] in &edges[..i] {
            let (u, v) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
            let cross = u[0] * v[1] - u[1] * v[0];
            if cross != 0.0 {
                let share = ((c[0] - a[0]) * v[1] - (c[1] - a[1]) * v[0]) / cross;
                if (0.0..=1.0).contains(&share) {
                    heights.push(a[1] + share * u[1]);
                }
            }
        }
    }
    heights.sort_by(f64::total_cmp);
    let slab = |pair: &[f64]| {
        (pair[1] - pair[0]) * free_length(boundary, obstacles, 0.5 * (pair[0] + pair[1]))
    };
    heights.windows(2).map(slab).sum()
}

/// A polygon round a centre, star-shaped (no angle between corners is 180° or more), with corners
/// on a lattice of 1/4.
fn star(random: &mut Random, side: u32) -> Polygon {
    let directions: [[i32; 2]; 12] = [
        [3, 0],
        [3, 1],
        [2, 2],
        [1, 3],
        [0, 3],
        [-1, 3],
        [-2, 2],
        [-3, 1],
        [-3, -1],
        [-2, -2],
        [0, -3],
        [2, -2],
    ];
    let centre = [random.below(side), random.below(side)];
    let reach = 1 + random.below(6);
    let mut star = Vec::new();
    for (i, direction) in directions.into_iter().enumerate() {
        if random.below(3) != 0 || [0, 4, 7, 10].contains(&i) {
            let length = f64::from(reach + random.below(4)) * 0.25;
            star.push([0, 1].map(|i| f64::from(centre[i]) + f64::from(direction[i]) * length));
        }
    }
    star
}

fn boundary(side: u32) -> Polygon {
    rectangle(0.0, 0.0, f64::from(side), f64::from(side))
}

/// Stars of which some part is inside the boundary, so it cannot be refused.
fn obstacles(random: &mut Random, side: u32, count: u32) -> Vec<Polygon> {
    (0..count).map(|_| star(random, side)).collect()
}

#[test]
fn meshes_of_overlapping_polygons_cover_what_no_obstacle_covers() {
    let mut random = Random(11);
    let mut crossed = 0;
    for round in 0..120 {
        let side = 10 + random.below(30);
        let count = random.below(20);
        let obstacles = obstacles(&mut random, side, count);
        let mut boundary = boundary(side);
        if round % 2 == 1 {
            boundary.reverse();
        }
        let built = ObstacleMesh::new(&boundary, &obstacles).unwrap();
        let mesh = built.mesh();
        check(mesh);
        let (area, expected) = (mesh_area2(mesh) / 2.0, free_area(&boundary, &obstacles));
        let most = 1e-6 * f64::from(side) * f64::from(count + 1);
        assert!((area - expected).abs() < most, "{area} against {expected}");
        let triangles = built.triangulation().mesh();
        check(&triangles);
        crossed += check_delaunay(&triangles);
        check_points(mesh, &boundary, &obstacles, &mut random);
    }
    assert!(crossed > 1000, "{crossed} edges");
}

/// Points are in the mesh where they are free.
fn check_points(mesh: &Mesh, boundary: &Polygon, obstacles: &[Polygon], random: &mut Random) {
    let side = boundary.iter().fold(0.0_f64, |side, p| side.max(p[0]));
    for _ in 0..100 {
        // Off the lattice of corners.
        let at = [0, 1].map(|_| (f64::from(random.below(1000)) + 0.237) / 1000.0 * side);
        let inside = |polygon: &Polygon| {
            let spans = spans(std::slice::from_ref(polygon), at[1]);
            spans.iter().any(|span| span[0] < at[0] && at[0] < span[1])
        };
        let free = inside(boundary) && !obstacles.iter().any(inside);
        let found = (0..mesh.polygon_count()).any(|at| inside(&polygon(mesh, at)));
        assert_eq!(found, free, "{at:?}");
    }
}

#[test]
fn obstacles_that_come_and_go_leave_the_mesh_of_those_that_are_there() {
    let mut random = Random(12);
    let (mut kept, mut gone, mut removed) = (0, 0, 0);
    for _ in 0..25 {
        let side = 15 + random.below(25);
        let boundary = boundary(side);
        let mut mesh = ObstacleMesh::new(&boundary, &[]).unwrap();
        let mut there: Vec<(u32, Polygon)> = Vec::new();
        for _ in 0..40 {
            let before = mesh.mesh().clone();
            if there.is_empty() || random.below(5) < 3 {
                let star = star(&mut random, side);
                there.push((mesh.add(&star).unwrap(), star));
            } else {
                let (id, _) = there.remove(random.below(there.len() as u32) as usize);
                assert!(mesh.remove(id));
                assert!(!mesh.remove(id), "an obstacle goes once");
                removed += 1;
            }
            mesh.refresh();
            let polygons: Vec<Polygon> = there.iter().map(|(_, polygon)| polygon.clone()).collect();
            let new = Mesh::from_polygons(&boundary, &polygons).unwrap();
            assert_eq!(mesh.mesh(), &new, "{} obstacles", there.len());
            for at in 0..before.polygon_count() {
                match mesh.now(at) {
                    Some(now) => {
                        assert_eq!(polygon(&before, at), polygon(mesh.mesh(), now));
                        kept += 1;
                    }
                    None => gone += 1,
                }
            }
        }
    }
    assert!(kept > gone && gone > 100 && removed > 100, "{kept} kept, {gone} gone, {removed}");
}

/// The rings of all polygons of a file of well-known text, about the first corner.
fn read_wkt(path: &Path) -> Vec<Vec<Polygon>> {
    let mut polygons = wkt_polygons(&std::fs::read(path).unwrap()).unwrap();
    for rings in &mut polygons {
        let [x, y] = rings[0][0];
        rings.iter_mut().flatten().for_each(|corner| *corner = [corner[0] - x, corner[1] - y]);
    }
    polygons
}

#[test]
fn real_walkable_areas_make_meshes_of_their_area() {
    let Some(folder) = data::folder() else { return };
    let (mut made, mut holes) = (0, 0);
    for path in data::files(&folder.join("pedestrian/geometry_wkt"), "wkt") {
        for rings in read_wkt(&path) {
            let name = path.file_name().unwrap().display();
            let mesh = Mesh::from_polygons(&rings[0], &rings[1..])
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            check(&mesh);
            let area = |ring: &Polygon| free_area(ring, &[]);
            let expected = area(&rings[0]) - rings[1..].iter().map(area).sum::<f64>();
            let found = mesh_area2(&mesh) / 2.0;
            assert!(
                (found - expected).abs() < 1e-9 * area(&rings[0]),
                "{name}: {found}, {expected}"
            );
            made += 1;
            holes += rings.len() - 1;
        }
    }
    assert!(made >= 17 && holes > 10, "{made} polygons, {holes} holes");
}

#[test]
fn obstacles_over_boundaries_of_any_shape_are_cut_off() {
    let mut random = Random(14);
    let (mut cut, mut outside) = (0, 0);
    for _ in 0..60 {
        let boundary: Polygon =
            star(&mut random, 10).iter().map(|p| p.map(|value| value * 3.0)).collect();
        let whole = free_area(&boundary, &[]);
        let mut taken = Vec::new();
        for _ in 0..8 {
            let star = star(&mut random, 30);
            let left = free_area(&boundary, std::slice::from_ref(&star));
            match Mesh::from_polygons(&boundary, std::slice::from_ref(&star)) {
                Ok(mesh) => {
                    assert!((mesh_area2(&mesh) / 2.0 - left).abs() < 1e-4, "{left}");
                    cut += 1;
                    taken.push(star);
                }
                Err(error) => {
                    assert!(matches!(error, PolygonError::Outside { .. }), "{error}");
                    assert!((left - whole).abs() < 1e-9, "{left} of {whole} left: not outside");
                    outside += 1;
                }
            }
        }
        let mesh = Mesh::from_polygons(&boundary, &taken).unwrap();
        check(&mesh);
        let expected = free_area(&boundary, &taken);
        assert!((mesh_area2(&mesh) / 2.0 - expected).abs() < 1e-3, "{expected}");
    }
    assert!(cut > 50 && outside > 50, "{cut} cut, {outside} outside");
}

#[test]
fn the_order_of_obstacles_does_not_matter() {
    let mut random = Random(13);
    for _ in 0..30 {
        let side = 10 + random.below(20);
        let mut obstacles = obstacles(&mut random, side, 12);
        let first = Mesh::from_polygons(&boundary(side), &obstacles).unwrap();
        for i in (1..obstacles.len()).rev() {
            obstacles.swap(i, random.below(i as u32 + 1) as usize);
        }
        assert_eq!(first, Mesh::from_polygons(&boundary(side), &obstacles).unwrap());
    }
}

#[test]
fn a_wall_parts_the_ground_and_a_door_joins_it() {
    let boundary = boundary(10);
    let count = |mesh: &Mesh| components(mesh).into_iter().collect::<BTreeSet<_>>().len();
    let mut mesh = ObstacleMesh::new(&boundary, &[]).unwrap();
    assert_eq!((count(mesh.mesh()), mesh.mesh().polygon_count()), (1, 1));
    let low = mesh.add(&rectangle(4.0, -1.0, 1.0, 5.0)).unwrap();
    assert_eq!(count(mesh.refresh()), 1);
    // They touch along an edge, and the upper one ends on the boundary.
    let high = mesh.add(&rectangle(4.0, 4.0, 1.0, 6.0)).unwrap();
    assert_eq!((count(mesh.refresh()), mesh_area2(mesh.mesh())), (2, 180.0));
    let cover = mesh.add(&rectangle(3.5, 3.0, 2.0, 2.0)).unwrap();
    assert!(mesh.remove(low));
    assert_eq!((count(mesh.refresh()), mesh_area2(mesh.mesh())), (1, 200.0 - 2.0 * 9.0));
    assert!(mesh.remove(high) && mesh.remove(cover));
    assert_eq!((count(mesh.refresh()), mesh.mesh().polygon_count()), (1, 1));
}

#[test]
fn an_obstacle_may_cover_everything() {
    let mesh = Mesh::from_polygons(&boundary(4), &[rectangle(-1.0, -1.0, 6.0, 6.0)]).unwrap();
    assert_eq!(mesh.polygon_count(), 0);
    let mesh = Mesh::from_polygons(&boundary(4), &[boundary(4)]).unwrap();
    assert_eq!(mesh.polygon_count(), 0);
}

#[test]
fn lines_through_one_place_are_cut_there() {
    // Thin bars through (5, 5) in many directions, whose crossings differ in the last bits.
    let bar = |dx: f64, dy: f64| vec![[5.0 - dx, 5.0 - dy], [5.0 + dx, 5.0 + dy], [5.1 + dx, 5.0]];
    let directions = [(4.0, 0.3), (3.1, 1.7), (2.3, 2.9), (1.1, 3.3), (0.7, 4.1), (4.0, 1.0)];
    let obstacles: Vec<Polygon> = directions.map(|(dx, dy)| bar(dx, dy)).to_vec();
    let mesh = Mesh::from_polygons(&boundary(10), &obstacles).unwrap();
    check(&mesh);
    let expected = free_area(&boundary(10), &obstacles);
    assert!((mesh_area2(&mesh) / 2.0 - expected).abs() < 1e-4, "{expected}");
}

/// Corners a few parts of the rounding of crossings apart: edges that are cut and bent change sides
/// of them.
#[test]
fn polygons_that_nearly_touch_make_meshes() {
    let mut random = Random(15);
    for _ in 0..40 {
        let side = 8 + random.below(8);
        let boundary = boundary(side);
        let mut mesh = ObstacleMesh::new(&boundary, &[]).unwrap();
        let mut there: Vec<(u32, Polygon)> = Vec::new();
        for _ in 0..16 {
            if there.is_empty() || random.below(4) > 0 {
                let mut star = star(&mut random, side);
                for value in star.iter_mut().flatten() {
                    *value += (f64::from(random.below(9)) - 4.0) * 1e-7;
                }
                there.push((mesh.add(&star).unwrap(), star));
            } else {
                let (id, _) = there.remove(random.below(there.len() as u32) as usize);
                assert!(mesh.remove(id));
            }
            let polygons: Vec<Polygon> = there.iter().map(|(_, polygon)| polygon.clone()).collect();
            assert_eq!(mesh.refresh(), &Mesh::from_polygons(&boundary, &polygons).unwrap());
            check(mesh.mesh());
            let expected = free_area(&boundary, &polygons);
            let area = mesh_area2(mesh.mesh()) / 2.0;
            assert!((area - expected).abs() < 1e-3, "{area} against {expected}");
        }
    }
}

#[test]
fn bad_polygons_are_refused() {
    let square = boundary(4);
    let refuse = |boundary: &Polygon, obstacles: &[Polygon]| {
        Mesh::from_polygons(boundary, obstacles).unwrap_err()
    };
    let polygon = || "obstacle 0".to_owned();
    let inner = rectangle(1.0, 1.0, 1.0, 1.0);
    assert_eq!(
        refuse(&square, &[inner[..2].to_vec()]),
        PolygonError::CornerCount { polygon: polygon(), found: 2 }
    );
    let many = vec![[1.0, 1.0]; MAX_CORNERS + 1];
    assert_eq!(
        refuse(&many, &[]),
        PolygonError::CornerCount { polygon: "the boundary".to_owned(), found: MAX_CORNERS + 1 }
    );
    for value in [f64::NAN, f64::INFINITY, 1.1e7, -1.0e300] {
        let found = refuse(&square, &[vec![[1.0, 1.0], [2.0, value], [1.0, 2.0]]]);
        let text = found.to_string();
        assert!(text.starts_with("corner 1 of obstacle 0 has the coordinate"), "{text}");
    }
    let crossing = |corners: &[[f64; 2]]| match refuse(&square, &[inner.clone(), corners.to_vec()])
    {
        PolygonError::Crossing { polygon, first, second } => {
            assert_eq!(polygon, "obstacle 1");
            (first, second)
        }
        other => panic!("{other}"),
    };
    assert_eq!(crossing(&[[1.0, 1.0], [2.0, 2.0], [2.0, 1.0], [1.0, 2.0]]), (0, 2));
    // Corners that come twice, edges that fold back, and no area at all.
    assert_eq!(crossing(&[[1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]), (0, 1));
    assert_eq!(crossing(&[[1.0, 1.0], [3.0, 1.0], [2.0, 1.0], [2.0, 2.0]]), (0, 1));
    assert_eq!(crossing(&[[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]), (0, 2));
    // Touching itself at a corner.
    assert_eq!(
        crossing(&[[0.0, 0.0], [2.0, 1.0], [4.0, 0.0], [4.0, 2.0], [2.0, 1.0], [0.0, 2.0]]),
        (0, 3)
    );
    for outside in [rectangle(4.0, 1.0, 1.0, 1.0), rectangle(9.0, 9.0, 1.0, 1.0)] {
        assert_eq!(refuse(&square, &[outside]), PolygonError::Outside { polygon: polygon() });
    }
    // A refused obstacle leaves the mesh as it was.
    let mut mesh = ObstacleMesh::new(&square, std::slice::from_ref(&inner)).unwrap();
    let before = mesh.mesh().clone();
    assert!(mesh.add(&rectangle(9.0, 9.0, 1.0, 1.0)).is_err());
    assert_eq!(mesh.refresh(), &before);
    assert_eq!(mesh.add(&rectangle(2.5, 2.5, 1.0, 1.0)), Ok(1));
}
