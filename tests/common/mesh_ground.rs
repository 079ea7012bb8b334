//! Small maps as meshes.

use super::terrain::Random;
use std::collections::BTreeSet;
use throng::graph::mesh::Mesh;

/// A mesh of boxes (left, top, right, bottom) that do not overlap. Where corners of others lie on a
/// side, it has corners too.
pub(crate) fn of_boxes(boxes: &[[i32; 4]]) -> Mesh {
    let mut corners = BTreeSet::new();
    for &[left, top, right, bottom] in boxes {
        corners.extend([(left, top), (right, top), (right, bottom), (left, bottom)]);
    }
    let corners: Vec<(i32, i32)> = corners.into_iter().collect();
    let point = |corner: (i32, i32)| corners.binary_search(&corner).ok().map(|i| i as u32);
    let mut polygons = Vec::new();
    for &[left, top, right, bottom] in boxes {
        let around = (left..right)
            .map(|x| (x, top))
            .chain((top..bottom).map(|y| (right, y)))
            .chain((left + 1..=right).rev().map(|x| (x, bottom)))
            .chain((top + 1..=bottom).rev().map(|y| (left, y)));
        polygons.push(around.filter_map(point).collect());
    }
    let points = corners.iter().map(|&(x, y)| [f64::from(x), f64::from(y)]).collect();
    Mesh::new(points, &polygons)
}

/// A map of open and blocked cells.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) width: i32,
    pub(crate) height: i32,
    open: Vec<bool>,
}

impl Ground {
    /// Blocks at random, without two that touch in a corner only.
    pub(crate) fn noise(width: i32, height: i32, percent: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let open = (0..width * height).map(|_| random.below(100) >= percent).collect();
        let mut ground = Self { width, height, open };
        while let Some((x, y)) = ground.pinch() {
            ground.open[(y * width + x) as usize] = false;
        }
        ground
    }

    pub(crate) fn open(&self, x: i32, y: i32) -> bool {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        inside && self.open[(y * self.width + x) as usize]
    }

    /// An open cell beside two blocks that touch in a corner only.
    fn pinch(&self) -> Option<(i32, i32)> {
        for (x, y) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))) {
            for (i, j) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let beside = self.open(x + i, y) || self.open(x, y + j);
                if self.open(x, y) && self.open(x + i, y + j) && !beside {
                    return Some((x, y));
                }
            }
        }
        None
    }

    /// Each open cell as a polygon.
    pub(crate) fn cells(&self) -> Mesh {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let open = all.filter(|&(x, y)| self.open(x, y));
        of_boxes(&open.map(|(x, y)| [x, y, x + 1, y + 1]).collect::<Vec<_>>())
    }

    /// Open cells beside each other in a row as one polygon.
    pub(crate) fn runs(&self) -> Mesh {
        let mut boxes: Vec<[i32; 4]> = Vec::new();
        for (x, y) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))) {
            match boxes.last_mut() {
                _ if !self.open(x, y) => {}
                Some(last) if last[1] == y && last[2] == x => last[2] = x + 1,
                _ => boxes.push([x, y, x + 1, y + 1]),
            }
        }
        of_boxes(&boxes)
    }

    /// A point of the ground: a cell's centre, a corner, the middle of an edge, or any.
    pub(crate) fn place(&self, random: &mut Random) -> Option<[f64; 2]> {
        let (x, y) =
            (random.below(self.width as u32) as i32, random.below(self.height as u32) as i32);
        let parts = [0.0, 0.5, 1.0, f64::from(random.below(1000)) / 1024.0];
        let mut part = || parts[random.below(4) as usize];
        self.open(x, y).then(|| [f64::from(x) + part(), f64::from(y) + part()])
    }
}

/// The mesh with other places for its points.
pub(crate) fn moved(mesh: &Mesh, place: impl Fn([f64; 2]) -> [f64; 2]) -> Mesh {
    let points = mesh.points().iter().map(|&point| place(point)).collect();
    let polygons: Vec<Vec<u32>> =
        (0..mesh.polygon_count()).map(|polygon| mesh.corners(polygon).to_vec()).collect();
    Mesh::new(points, &polygons)
}

/// A shear, far from the origin and with all its coordinates rounded.
pub(crate) fn sheared([x, y]: [f64; 2]) -> [f64; 2] {
    [100.3 + 0.37 * x + 0.91 * y, -0.53 * x + 1.27 * y - 7.1]
}

/// A turn by the angle whose cosine is 3/5 and whose sine is 4/5.
pub(crate) fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y]
}
