//! Meshes made from grids: outlines, triangulation, merging, tiles.

use crate::common::terrain::Random;
use crate::common::{data, terrain};
use std::collections::{BTreeMap, BTreeSet};
use throng::Map;
use throng::graph::mesh::build::greedy::GreedyError;
use throng::graph::mesh::build::{Outlines, TiledMesh, Triangulation, TriangulationError, greedy};
use throng::graph::{Mesh, NONE};
use throng::map::Clearance;

fn area2(points: &[[f64; 2]]) -> f64 {
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    (0..points.len()).map(|i| cross(points[i], points[(i + 1) % points.len()])).sum()
}

pub(crate) fn polygon(mesh: &Mesh, polygon: u32) -> Vec<[f64; 2]> {
    mesh.corners(polygon).iter().map(|&corner| mesh.points()[corner as usize]).collect()
}

/// Twice the area of all polygons.
pub(crate) fn mesh_area2(mesh: &Mesh) -> f64 {
    (0..mesh.polygon_count()).map(|at| area2(&polygon(mesh, at))).sum()
}

/// Checks everything that a mesh promises by itself: convex, counter-clockwise, neighbours share
/// whole edges and name each other, no edge has more than two polygons.
pub(crate) fn check(mesh: &Mesh) {
    let mut edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for at in 0..mesh.polygon_count() {
        let (corners, points) = (mesh.corners(at), polygon(mesh, at));
        let count = corners.len();
        assert!(count >= 3 && area2(&points) > 0.0, "polygon {at}: {points:?}");
        assert_eq!(corners.iter().collect::<BTreeSet<_>>().len(), count, "corners of {at}");
        for i in 0..count {
            let [a, b, c] = [points[i], points[(i + 1) % count], points[(i + 2) % count]];
            let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            // Whole coordinates are exact; others are given some room.
            assert!(turn >= -1e-9, "polygon {at} is not convex at {b:?}: {turn}");
            let edge = (corners[i], corners[(i + 1) % count]);
            assert_eq!(edges.insert(edge, at), None, "edge {edge:?} comes twice");
        }
    }
    for at in 0..mesh.polygon_count() {
        let corners = mesh.corners(at);
        for (i, &across) in mesh.across(at).iter().enumerate() {
            let edge = (corners[(i + 1) % corners.len()], corners[i]);
            assert_eq!(edges.get(&edge).copied().unwrap_or(NONE), across, "across {edge:?}");
        }
    }
}

/// The label of each polygon's component.
pub(crate) fn components(mesh: &Mesh) -> Vec<u32> {
    let mut labels = vec![NONE; mesh.polygon_count() as usize];
    for start in 0..mesh.polygon_count() {
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            if labels[at as usize] == NONE {
                labels[at as usize] = start;
                stack.extend(mesh.across(at).iter().filter(|&&across| across != NONE));
            }
        }
    }
    labels
}

fn holds(points: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    (0..points.len()).all(|i| {
        let [a, b] = [points[i], points[(i + 1) % points.len()]];
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0.0
    })
}

/// For each cell, the components of the polygons that hold its centre.
fn labels(mesh: &Mesh, class: &Clearance) -> Vec<BTreeSet<u32>> {
    let components = components(mesh);
    let stride = class.stride();
    let mut labels = vec![BTreeSet::new(); class.slowness().len()];
    for at in 0..mesh.polygon_count() {
        let points = polygon(mesh, at);
        let low = [0, 1].map(|i| points.iter().fold(f64::MAX, |low, p| low.min(p[i])) as u32);
        let high = [0, 1].map(|i| points.iter().fold(0.0_f64, |high, p| high.max(p[i])) as u32);
        for y in low[1]..high[1] {
            for x in low[0]..high[0] {
                if holds(&points, [f64::from(x) + 0.5, f64::from(y) + 0.5]) {
                    let cell = (y + 1) * stride + x + 1;
                    labels[cell as usize].insert(components[at as usize]);
                }
            }
        }
    }
    labels
}

fn passable(class: &Clearance) -> usize {
    class.slowness().iter().filter(|&&slowness| slowness != 0).count()
}

/// Area, and one component of polygons for each of cells.
fn check_exact(mesh: &Mesh, class: &Clearance) {
    check(mesh);
    assert_eq!(mesh_area2(mesh), 2.0 * passable(class) as f64, "the area");
    check_reachability(mesh, class, true);
}

/// Components of polygons and of cells go together, one to one. Unless `whole`, some cells' centres
/// may be outside the mesh.
fn check_reachability(mesh: &Mesh, class: &Clearance, whole: bool) {
    let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
    for (cell, labels) in labels(mesh, class).into_iter().enumerate() {
        let component = class.component(cell as u32);
        assert!(component != 0 || labels.is_empty(), "wall {cell} is in the mesh");
        assert!(labels.len() <= 1, "cell {cell} is in two components");
        assert!(!whole || component == 0 || labels.len() == 1, "cell {cell} is not in the mesh");
        for label in labels {
            let known = *seen.entry(label).or_insert(component);
            assert_eq!(known, component, "polygons join cells that are apart");
        }
    }
    let found: BTreeSet<u32> = components(mesh).into_iter().collect();
    assert_eq!(found.len() as u32, class.component_count(), "components");
}

/// The empty circle on every inner edge of a mesh of triangles, in whole numbers: coordinates are
/// multiples of 2^−20. The number of these edges.
pub(crate) fn check_delaunay(mesh: &Mesh) -> usize {
    let mut edges = 0;
    let whole = |value: f64| {
        let scaled = value * 1_048_576.0;
        assert_eq!(scaled, scaled.floor(), "{value}");
        scaled as i128
    };
    let point = |at: u32| mesh.points()[at as usize].map(whole);
    for at in 0..mesh.polygon_count() {
        let [a, b, c] = [0, 1, 2].map(|i| point(mesh.corners(at)[i]));
        for &across in mesh.across(at).iter().filter(|&&across| across != NONE) {
            let far = mesh.corners(across).iter().find(|p| !mesh.corners(at).contains(p));
            let d = point(*far.unwrap());
            let row = |p: [i128; 2]| {
                let (x, y) = (p[0] - d[0], p[1] - d[1]);
                [x, y, x * x + y * y]
            };
            let [a, b, c] = [a, b, c].map(row);
            let determinant = a[0] * (b[1] * c[2] - b[2] * c[1])
                - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
            assert!(determinant <= 0, "{d:?} is in the circle of polygon {at}");
            edges += 1;
        }
    }
    edges
}

/// Points and walls of all rings.
fn ground(outlines: &Outlines) -> (Vec<[f64; 2]>, Vec<[u32; 2]>) {
    let all: BTreeSet<[i32; 2]> = outlines.rings().flatten().copied().collect();
    let points: Vec<[i32; 2]> = all.into_iter().collect();
    let index = |corner: &[i32; 2]| points.binary_search(corner).unwrap() as u32;
    let mut walls = Vec::new();
    for ring in outlines.rings() {
        walls
            .extend((0..ring.len()).map(|i| [index(&ring[i]), index(&ring[(i + 1) % ring.len()])]));
    }
    (points.iter().map(|point| point.map(f64::from)).collect(), walls)
}

#[test]
fn the_greedy_triangulation_covers_the_same_ground() {
    let mut random = Random(7);
    let mut triangles = 0;
    for round in 0..40 {
        let class = terrain::small(&mut random, 12).class(0.0);
        let mut outlines = Outlines::whole(&class);
        if round % 2 == 1 {
            outlines.simplify(1.0);
        }
        let (points, walls) = ground(&outlines);
        let greedy = greedy::mesh(&points, &walls).unwrap();
        check(&greedy);
        assert_eq!(mesh_area2(&greedy), outlines.double_area() as f64);
        // With the same corners and holes there are as many triangles, however they lie.
        if !points.is_empty() {
            let mesh = Triangulation::new(points, &walls).unwrap().mesh();
            assert_eq!(greedy.polygon_count(), mesh.polygon_count());
            let count = |mesh: &Mesh| components(mesh).into_iter().collect::<BTreeSet<_>>().len();
            assert_eq!(count(&greedy), count(&mesh));
        }
        triangles += greedy.polygon_count();
    }
    assert!(triangles > 500, "{triangles} triangles");
}

#[test]
fn the_greedy_triangulation_refuses_large_and_bad_input() {
    let many = vec![[0.0, 0.0]; greedy::MAX_POINTS + 1];
    let found = greedy::MAX_POINTS + 1;
    assert_eq!(greedy::mesh(&many, &[]), Err(GreedyError::TooManyPoints { found }));
    for [from, to] in [[0, 2], [1, 1]] {
        let refused = greedy::mesh(&[[0.0, 0.0], [1.0, 0.0]], &[[from, to]]);
        assert_eq!(refused, Err(GreedyError::Wall { from, to, points: 2 }));
    }
}

#[test]
fn bad_triangulations_are_refused() {
    let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let crossing = Triangulation::new(square.clone(), &[[0, 2], [1, 3]]);
    assert!(matches!(crossing, Err(TriangulationError::Crossing(_))), "{crossing:?}");
    let mut middle = square.clone();
    middle.push([0.5, 0.5]);
    let through = Triangulation::new(middle, &[[0, 2]]);
    assert!(matches!(through, Err(TriangulationError::Crossing(_))), "{through:?}");
    let mut twice = square.clone();
    twice.push([1.0, 1.0]);
    assert_eq!(Triangulation::new(twice, &[]), Err(TriangulationError::SamePoints(1)));
    let mut bad = square;
    bad.push([f64::NAN, 1.0]);
    let bad = Triangulation::new(bad, &[]);
    assert!(matches!(bad, Err(TriangulationError::Point(_))), "{bad:?}");
}

fn small_class(random: &mut Random) -> Clearance {
    terrain::small(random, 24).class(0.0)
}

/// Twice the area, by columns: whole numbers.
fn ring_area(ring: &[[i32; 2]]) -> i32 {
    let trapezoid = |i: usize| {
        let [a, b] = [ring[i], ring[(i + 1) % ring.len()]];
        (a[0] - b[0]) * (a[1] + b[1])
    };
    (0..ring.len()).map(trapezoid).sum()
}

#[test]
fn outlines_enclose_the_passable_cells() {
    let mut random = Random(1);
    for _ in 0..300 {
        let class = small_class(&mut random);
        let outlines = Outlines::whole(&class);
        assert_eq!(outlines.double_area(), 2 * passable(&class) as i64);
        // One outer ring around each component: cells that touch at a corner have their own.
        let outer = outlines.rings().filter(|ring| ring_area(ring) > 0).count();
        assert_eq!(outer as u32, class.component_count());
        for ring in outlines.rings() {
            let turns = (0..ring.len()).all(|i| {
                let [a, b] = [ring[i], ring[(i + 1) % ring.len()]];
                a != b && (a[0] == b[0] || a[1] == b[1])
            });
            assert!(turns, "{ring:?}");
        }
    }
}

#[test]
fn triangulations_are_delaunay_and_cover_the_ground() {
    let mut random = Random(2);
    let mut edges = 0;
    for round in 0..200 {
        let class = small_class(&mut random);
        let mut outlines = Outlines::whole(&class);
        if round % 2 == 1 {
            outlines.simplify(1.0);
        }
        let (points, mut walls) = ground(&outlines);
        if points.is_empty() {
            continue;
        }
        let triangulation = Triangulation::new(points.clone(), &walls).unwrap();
        let mesh = triangulation.mesh();
        check(&mesh);
        edges += check_delaunay(&mesh);
        assert_eq!(mesh_area2(&mesh), outlines.double_area() as f64);
        let merged = triangulation.merged();
        check(&merged);
        assert_eq!(mesh_area2(&merged), outlines.double_area() as f64);
        assert!(merged.polygon_count() <= mesh.polygon_count());
        check_no_edge_can_go(&merged);
        // Another order of the walls is the same ground.
        for i in (1..walls.len()).rev() {
            walls.swap(i, random.below(i as u32 + 1) as usize);
        }
        assert_eq!(triangulation, Triangulation::new(points, &walls).unwrap());
    }
    assert!(edges > 10_000, "{edges} edges");
}

/// No two neighbours of a merged mesh make a convex polygon together.
fn check_no_edge_can_go(mesh: &Mesh) {
    for at in 0..mesh.polygon_count() {
        let corners = mesh.corners(at);
        for (i, &across) in mesh.across(at).iter().enumerate() {
            if across == NONE || across < at {
                continue;
            }
            let other = mesh.corners(across);
            let (from, to) = (corners[i], corners[(i + 1) % corners.len()]);
            let j = other.iter().position(|&corner| corner == to).unwrap();
            let at = |list: &[u32], i: usize| mesh.points()[list[i % list.len()] as usize];
            let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
                (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
            };
            let start = mesh.points()[from as usize];
            let end = mesh.points()[to as usize];
            let convex = turn(at(corners, i + corners.len() - 1), start, at(other, j + 2)) >= 0.0
                && turn(at(other, j + other.len() - 1), end, at(corners, i + 2)) >= 0.0;
            assert!(!convex, "the edge from {start:?} to {end:?} could go");
        }
    }
}

#[test]
fn tiled_meshes_cover_the_ground_and_join_what_the_grid_joins() {
    let mut random = Random(3);
    for _ in 0..150 {
        let class = small_class(&mut random);
        let side = 1 + random.below(30);
        check_exact(TiledMesh::new(&class, side, None).mesh(), &class);
    }
}

#[test]
fn simplified_meshes_stay_off_walls_and_join_what_the_grid_joins() {
    let mut random = Random(4);
    let mut fewer = [0, 0];
    for _ in 0..300 {
        let class = small_class(&mut random);
        let side = 1 + random.below(30);
        let exact = TiledMesh::new(&class, side, None);
        let error = [0.75, 1.0, 1.5, 4.0][random.below(4) as usize];
        let tiled = TiledMesh::new(&class, side, Some(error));
        let mesh = tiled.mesh();
        check(mesh);
        check_reachability(mesh, &class, false);
        check_distance(mesh, &class, error - 0.5);
        check_no_wall_inside(mesh, &class);
        assert!(mesh_area2(mesh) <= mesh_area2(exact.mesh()));
        fewer[0] += mesh.polygon_count();
        fewer[1] += exact.mesh().polygon_count();
    }
    assert!(fewer[0] < fewer[1], "{fewer:?} polygons");
}

#[test]
fn stairs_become_a_slope() {
    let class = Map::from_slowness(40, 40, 1.0, &stairs(40)).class(0.0);
    let corners = |error| {
        let mut outlines = Outlines::whole(&class);
        outlines.simplify(error);
        outlines.rings().map(<[_]>::len).sum::<usize>()
    };
    // A step's corner is 1/√2 from the slope.
    // Only the ends of the stairs at the border are left.
    assert_eq!([corners(0.0), corners(0.7), corners(0.75)], [82, 82, 7]);
    assert!(TiledMesh::new(&class, 40, Some(0.75)).mesh().polygon_count() <= 3);
}

/// A triangle of free cells below a diagonal.
fn stairs(side: u32) -> Vec<u8> {
    (0..side * side).map(|cell| if cell % side <= cell / side { 16 } else { 0 }).collect()
}

/// No polygon meets the inside of an impassable cell, by separating axes: of the cell and of the
/// polygon's edges, in whole numbers.
fn check_no_wall_inside(mesh: &Mesh, class: &Clearance) {
    for at in 0..mesh.polygon_count() {
        let points = polygon(mesh, at);
        let low = [0, 1].map(|i| points.iter().fold(f64::MAX, |low, p| low.min(p[i])) as u32);
        let high = [0, 1].map(|i| points.iter().fold(0.0_f64, |high, p| high.max(p[i])) as u32);
        for y in low[1]..high[1] {
            for x in low[0]..high[0] {
                if class.passable((y + 1) * class.stride() + x + 1) {
                    continue;
                }
                let square = [[0, 0], [1, 0], [0, 1], [1, 1]]
                    .map(|[dx, dy]| [f64::from(x + dx), f64::from(y + dy)]);
                let apart = (0..points.len()).any(|i| {
                    let [a, b] = [points[i], points[(i + 1) % points.len()]];
                    let side =
                        |p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                    square.iter().all(|&p| side(p) <= 0.0)
                });
                assert!(apart, "polygon {at}, {points:?}, is in the wall at {x}, {y}");
            }
        }
    }
}

/// Every passable cell's centre is near a polygon of its own component.
fn check_distance(mesh: &Mesh, class: &Clearance, most: f64) {
    let labels = labels(mesh, class);
    let components = components(mesh);
    let mut grid_component = BTreeMap::new();
    for (cell, labels) in labels.iter().enumerate() {
        for &label in labels {
            grid_component.insert(label, class.component(cell as u32));
        }
    }
    for (cell, label) in labels.iter().enumerate() {
        if class.component(cell as u32) == 0 || !label.is_empty() {
            continue;
        }
        let stride = class.stride() as usize;
        let centre = [(cell % stride) as f64 - 0.5, (cell / stride) as f64 - 0.5];
        let near = (0..mesh.polygon_count()).any(|at| {
            let own = grid_component.get(&components[at as usize]);
            let points = polygon(mesh, at);
            own.is_none_or(|&own| own == class.component(cell as u32))
                && (0..points.len()).any(|i| {
                    distance(centre, points[i], points[(i + 1) % points.len()]) <= most + 1e-9
                })
        });
        assert!(near, "cell {cell} at {centre:?} is far from the mesh");
    }
}

fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (edge, offset) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length = edge[0] * edge[0] + edge[1] * edge[1];
    let share = ((edge[0] * offset[0] + edge[1] * offset[1]) / length).clamp(0.0, 1.0);
    let [x, y] = [offset[0] - share * edge[0], offset[1] - share * edge[1]];
    (x * x + y * y).sqrt()
}

#[test]
fn an_update_is_what_a_new_mesh_would_be() {
    let mut random = Random(5);
    let (mut kept, mut gone, mut same) = (0, 0, 0);
    for round in 0..60 {
        let (width, height) = (10 + random.below(40), 10 + random.below(40));
        let percent = random.below(45);
        let mut cells: Vec<u8> =
            (0..width * height).map(|_| if random.below(100) < percent { 0 } else { 16 }).collect();
        let class = |cells: &[u8]| Map::from_slowness(width, height, 1.0, cells).class(0.0);
        let (side, error) = (4 + random.below(20), [None, Some(1.0)][round % 2]);
        let mut tiled = TiledMesh::new(&class(&cells), side, error);
        for _ in 0..8 {
            let size = [1 + random.below(8), 1 + random.below(8)];
            let min = [random.below(width - size[0] + 1), random.below(height - size[1] + 1)];
            let end = [min[0] + size[0], min[1] + size[1]];
            let value = [0, 16][random.below(2) as usize];
            let mut indices = Vec::new();
            for (x, y) in (min[1]..end[1]).flat_map(|y| (min[0]..end[0]).map(move |x| (x, y))) {
                cells[(y * width + x) as usize] = value;
                indices.push((y + 1) * (width + 2) + x + 1);
            }
            let before = tiled.mesh().clone();
            let class = class(&cells);
            let changed = tiled.update(&class, indices).len();
            same += usize::from(changed == 0);
            let new = TiledMesh::new(&class, side, error);
            assert_eq!(tiled.mesh(), new.mesh(), "after the change of {min:?} to {end:?}");
            check(tiled.mesh());
            if error.is_none() {
                assert_eq!(mesh_area2(tiled.mesh()), 2.0 * passable(&class) as f64);
            }
            for at in 0..before.polygon_count() {
                match tiled.now(at) {
                    Some(now) => {
                        assert_eq!(polygon(&before, at), polygon(tiled.mesh(), now));
                        kept += 1;
                    }
                    None => gone += 1,
                }
            }
        }
    }
    assert!(kept > 0 && gone > 0 && same > 0, "{kept} kept, {gone} gone, {same} the same");
}

/// FNV-1a over everything that a mesh is.
pub(crate) fn digest(mesh: &Mesh) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |value: u64| {
        for byte in value.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    mesh.points().iter().flatten().for_each(|value| add(value.to_bits()));
    for at in 0..mesh.polygon_count() {
        mesh.corners(at).iter().chain(mesh.across(at)).for_each(|&value| add(u64::from(value)));
    }
    hash
}

#[test]
fn meshes_are_the_same_on_every_machine_and_number_of_threads() {
    let maps = [terrain::noise(96, 20, 8), terrain::rooms(96, 9), terrain::open(70)];
    for threads in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let digests = maps.each_ref().map(|map| {
            let class = map.class(0.0);
            let error = |error| pool.install(|| digest(TiledMesh::new(&class, 32, error).mesh()));
            [error(None), error(Some(1.0))]
        });
        assert_eq!(digests, GOLDEN, "on {threads} threads: {digests:#x?}");
    }
}

/// Noise, rooms and open ground; exact and simplified, which are the same where walls are straight.
const GOLDEN: [[u64; 2]; 3] = [
    [0x2933_6c64_95dd_6a13, 0xc4cd_eed0_625a_2894],
    [0xf668_26dc_8457_df33, 0xf668_26dc_8457_df33],
    [0x0544_c7b7_288e_d178, 0x0544_c7b7_288e_d178],
];

#[test]
fn polygons_know_their_tiles() {
    let class = terrain::noise(40, 20, 6).class(0.0);
    let tiled = TiledMesh::new(&class, 16, None);
    assert_eq!(tiled.tile_count(), 9);
    for tile in 0..tiled.tile_count() {
        let window = tiled.window(tile);
        for at in tiled.polygons(tile) {
            assert_eq!(tiled.tile(at), tile);
            let inside = polygon(tiled.mesh(), at).into_iter().all(|point| {
                (0..2).all(|i| {
                    let [low, high] = [window.min[i], window.max[i]].map(|at| f64::from(at) - 1.0);
                    low <= point[i] && point[i] <= high
                })
            });
            assert!(inside, "polygon {at} leaves tile {tile}");
        }
    }
}

#[test]
fn meshes_of_real_maps_are_exact() {
    let Some(folder) = data::folder() else { return };
    let maps = data::maps(&folder);
    for path in maps.iter().step_by(if data::all() { 1 } else { 9 }) {
        let class = data::read_map(path).class(0.0);
        let tiled = TiledMesh::new(&class, 64, None);
        check_exact(tiled.mesh(), &class);
        let whole = TiledMesh::new(&class, u32::MAX, None);
        assert_eq!(whole.tile_count(), 1);
        check_exact(whole.mesh(), &class);
        let simple = TiledMesh::new(&class, 64, Some(1.0));
        check(simple.mesh());
        check_reachability(simple.mesh(), &class, false);
        check_no_wall_inside(simple.mesh(), &class);
        eprintln!(
            "{}: {} polygons, {} in one tile, {} simplified",
            path.file_name().unwrap().display(),
            tiled.mesh().polygon_count(),
            whole.mesh().polygon_count(),
            simple.mesh().polygon_count()
        );
    }
}
