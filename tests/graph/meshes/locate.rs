//! Point location finds what a look at every polygon finds.

use crate::common::mesh_ground::Ground;
use crate::common::terrain::Random;
use crate::common::{mesh_ground, mesh_rows};
use throng::graph::mesh::{Locator, Mesh};

/// All polygons that hold a point, in whole numbers: places are multiples of 1/1024.
fn holding(mesh: &Mesh, point: [f64; 2]) -> Vec<u32> {
    let whole = |[x, y]: [f64; 2]| {
        let [x, y] = [x * 1024.0, y * 1024.0];
        assert!(x.fract() == 0.0 && y.fract() == 0.0);
        (x as i64, y as i64)
    };
    let at = whole(point);
    let holds = |&polygon: &u32| {
        let corners = mesh.corners(polygon);
        (0..corners.len()).all(|i| {
            let a = whole(mesh.points()[corners[i] as usize]);
            let b = whole(mesh.points()[corners[(i + 1) % corners.len()] as usize]);
            (b.0 - a.0) * (at.1 - a.1) - (b.1 - a.1) * (at.0 - a.0) >= 0
        })
    };
    (0..mesh.polygon_count()).filter(holds).collect()
}

/// The distance from a point to the nearest edge, walls or not.
fn distance(mesh: &Mesh, [x, y]: [f64; 2]) -> f64 {
    let mut least = f64::INFINITY;
    for polygon in 0..mesh.polygon_count() {
        let corners = mesh.corners(polygon);
        for i in 0..corners.len() {
            let [ax, ay] = mesh.points()[corners[i] as usize];
            let [bx, by] = mesh.points()[corners[(i + 1) % corners.len()] as usize];
            let (dx, dy) = (bx - ax, by - ay);
            let share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
            let share = share.clamp(0.0, 1.0);
            let (ex, ey) = (ax + dx * share - x, ay + dy * share - y);
            least = least.min((ex * ex + ey * ey).sqrt());
        }
    }
    least
}

/// Points all over a mesh's box and a little beyond, on edges and on corners.
fn places(mesh: &Mesh, count: u32, random: &mut Random) -> Vec<[f64; 2]> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in mesh.points() {
        low = [low[0].min(point[0]), low[1].min(point[1])];
        high = [high[0].max(point[0]), high[1].max(point[1])];
    }
    let mut places = Vec::new();
    for i in 0..count {
        let mut any = |low: f64, high: f64| {
            let steps = ((high - low + 2.0) * 1024.0) as u32;
            low - 1.0 + f64::from(random.below(steps)) / 1024.0
        };
        places.push([any(low[0], high[0]), any(low[1], high[1])]);
        let corners = mesh.corners(random.below(mesh.polygon_count()));
        let at = random.below(corners.len() as u32) as usize;
        let a = mesh.points()[corners[at] as usize];
        let b = mesh.points()[corners[(at + 1) % corners.len()] as usize];
        let share = [0.0, 0.25, 0.5, 0.75][i as usize % 4];
        places.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
    }
    places
}

/// Compares random places; `seen` counts places in no, one, two and more polygons.
fn compare(name: &str, mesh: &Mesh, count: u32, seen: &mut [u32; 4]) {
    let locator = Locator::new(mesh);
    let mut random = Random(5);
    let mut found = vec![7];
    for place in places(mesh, count, &mut random) {
        let expected = holding(mesh, place);
        assert_eq!(locator.locate(mesh, place), expected.first().copied(), "{name} {place:?}");
        locator.touching(mesh, place, &mut found);
        assert_eq!(found, expected, "{name} {place:?}");
        seen[expected.len().min(3)] += 1;
        let near = locator.nearest(mesh, place, 3.0);
        if expected.is_empty() {
            let least = distance(mesh, place);
            assert_eq!(near.is_some(), least <= 3.0, "{name} {place:?} {least}");
            let Some(near) = near else { continue };
            let (dx, dy) = (near.point[0] - place[0], near.point[1] - place[1]);
            assert!(((dx * dx + dy * dy).sqrt() - least).abs() < 1e-9, "{name} {place:?} {near:?}");
            assert!(mesh.contains(near.polygon, near.point), "{name} {place:?} {near:?}");
            assert!(locator.locate(mesh, near.point).is_some(), "{name} {place:?} {near:?}");
        } else {
            assert_eq!(near.map(|near| (near.polygon, near.point)), Some((expected[0], place)));
        }
    }
}

#[test]
fn points_are_found_where_they_are() {
    let mut seen = [0; 4];
    for seed in 0..40 {
        let ground = Ground::noise(20, 14, 10 + (seed % 4) as u32 * 10, seed);
        compare("cells", &ground.cells(), 60, &mut seen);
        compare("runs", &ground.runs(), 60, &mut seen);
    }
    for case in mesh_rows::games() {
        compare(&case.name, &case.mesh, 150, &mut seen);
    }
    eprintln!("{seen:?} points in 0, 1, 2 and more polygons");
    assert!(seen.iter().all(|&count| count > 300));
}

#[test]
fn long_polygons_over_many_tiles_are_found() {
    // A comb: a long back, and teeth that reach far.
    let mut boxes = vec![[0, 0, 400, 1]];
    boxes.extend((0..200).map(|i| [2 * i, 1, 2 * i + 1, 300]));
    let mut seen = [0; 4];
    let mesh = mesh_ground::of_boxes(&boxes);
    compare("comb", &mesh, 300, &mut seen);
    assert!(Locator::new(&mesh).bytes() < 64 * 1024);
}

#[test]
fn nearest_places_are_on_the_mesh_far_from_the_origin() {
    let far = |point| {
        let [x, y] = mesh_ground::turned(point);
        [x + 912_345.678, y - 812_345.678]
    };
    let mut moved = 0;
    for seed in 0..20 {
        let ground = Ground::noise(12, 12, 30, seed);
        let mesh = mesh_ground::moved(&ground.cells(), far);
        let (locator, mut random) = (Locator::new(&mesh), Random(seed));
        for place in places(&ground.cells(), 100, &mut random) {
            let Some(near) = locator.nearest(&mesh, far(place), 0.7) else { continue };
            moved += u32::from(near.point != far(place));
            assert!(mesh.contains(near.polygon, near.point), "{seed} {place:?} {near:?}");
            assert!(locator.locate(&mesh, near.point).is_some(), "{seed} {place:?} {near:?}");
            let (dx, dy) = (near.point[0] - far(place)[0], near.point[1] - far(place)[1]);
            assert!((dx * dx + dy * dy).sqrt() <= 0.7 + 1e-6);
        }
    }
    assert!(moved > 300, "{moved}");
}

#[test]
fn nothing_is_found_on_no_mesh() {
    let mesh = Mesh::default();
    let locator = Locator::new(&mesh);
    assert_eq!(locator.locate(&mesh, [0.0, 0.0]), None);
    assert_eq!(locator.nearest(&mesh, [0.0, 0.0], 10.0), None);
}
