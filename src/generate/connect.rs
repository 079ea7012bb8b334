//! One open region in place of several.
//!
//! **Method.** Open cells are joined over their sides. Regions of too few cells are filled. From all
//! others at once a wave goes through the walls (Dijkstra with equal costs); where the waves of two
//! regions meet, they are as far apart as both have come. The minimum spanning tree of the regions
//! under these distances is found by Kruskal's method (Mehlhorn, "A faster approximation algorithm for
//! the Steiner problem in graphs", 1988: the meetings hold one), and its ways are dug.

use crate::data::sets;
use crate::generate::canvas::Done;
use crate::generate::{Canvas, Connect, GenerateError};
use crate::map::Legend;
use crate::math::each::Each;

/// A cell that no wave has reached.
const FAR: u16 = u16::MAX;

/// The open regions of a canvas.
struct Regions {
    width: usize,
    /// Region of every cell, from 1; 0 for walls that no wave has reached.
    owner: Vec<u32>,
    /// Cells of every region; of 0 none.
    sizes: Vec<u32>,
}

/// The cells beside one: up, left, right, down.
fn beside(at: usize, width: usize, count: usize) -> [Option<usize>; 4] {
    let x = at % width;
    [
        at.checked_sub(width),
        (x > 0).then(|| at - 1),
        (x + 1 < width).then(|| at + 1),
        (at + width < count).then(|| at + width),
    ]
}

impl Regions {
    fn new(open: &[bool], width: usize) -> Self {
        let each = |at: usize, visit: &mut dyn FnMut(usize)| {
            beside(at, width, open.len()).into_iter().flatten().for_each(visit);
        };
        let (mut owner, count) = sets::pieces(open.len(), |at| open[at], each);
        let mut sizes = vec![0; count as usize + 1];
        for region in &mut owner {
            // From 1 on; what is in none is the largest number.
            *region = region.wrapping_add(1);
            sizes[*region as usize] += u32::from(*region != 0);
        }
        Self { width, owner, sizes }
    }

    /// Gives every wall to the nearest region; returns how far it is, 0 for open cells.
    fn spread(&mut self) -> Vec<u16> {
        let count = self.owner.len();
        let mut far: Vec<u16> =
            self.owner.iter().map(|&region| if region == 0 { FAR } else { 0 }).collect();
        let mut wave: Vec<usize> = (0..count)
            .filter(|&at| {
                let walls = beside(at, self.width, count).into_iter().flatten();
                far[at] == 0 && walls.into_iter().any(|other| far[other] == FAR)
            })
            .collect();
        let mut next = Vec::new();
        // No wall is as far from an open cell as both sides of a map together: 32,768.
        while !wave.is_empty() {
            for &at in &wave {
                for other in beside(at, self.width, count).into_iter().flatten() {
                    if far[other] == FAR {
                        far[other] = far[at] + 1;
                        self.owner[other] = self.owner[at];
                        next.push(other);
                    }
                }
            }
            wave.clear();
            std::mem::swap(&mut wave, &mut next);
        }
        far
    }

    /// The pairs of cells where waves meet that join all regions, and have the fewest walls.
    fn joints(&self, far: &[u16]) -> Vec<[usize; 2]> {
        let count = self.owner.len();
        let mut meetings = Vec::new();
        for at in 0..count {
            let [_, _, right, down] = beside(at, self.width, count);
            for (side, other) in (0_u64..).zip([right, down]) {
                let Some(other) = other.filter(|&other| self.owner[other] != self.owner[at]) else {
                    continue;
                };
                let walls = u64::from(far[at]) + u64::from(far[other]);
                meetings.push(walls << 32 | (at as u64) << 1 | side);
            }
        }
        meetings.sort_unstable();
        let mut parents: Vec<u32> = (0..self.sizes.len() as u32).collect();
        let mut joints = Vec::new();
        for meeting in meetings {
            let at = ((meeting & u64::from(u32::MAX)) >> 1) as usize;
            let other = if meeting & 1 == 0 { at + 1 } else { at + self.width };
            if sets::join(&mut parents, self.owner[at], self.owner[other]) {
                joints.push([at, other]);
            }
        }
        joints
    }
}

impl Canvas {
    /// Joins open regions, and fills small ones.
    pub(super) fn connect(&mut self, connect: &Connect, legend: &Legend) -> Done {
        let open: Vec<bool> =
            self.letters.iter().map(|&letter| legend.get(letter) != Some(0)).collect();
        let mut regions = Regions::new(&open, self.width as usize);
        // The first of the largest.
        let sizes = regions.sizes.iter().enumerate();
        let largest = sizes.fold(
            (0, 0),
            |(best, most), (region, &size)| {
                if size > most { (region, size) } else { (best, most) }
            },
        );
        if largest.1 == 0 {
            let wrong = "there is no open cell to begin with";
            return Err(GenerateError::whole("kind", wrong, "a step before it that opens some"));
        }
        for (owner, letter) in regions.owner.iter_mut().zip(&mut self.letters) {
            let region = *owner as usize;
            if region != 0 && region != largest.0 && regions.sizes[region] < connect.keep {
                *owner = 0;
                *letter = connect.wall;
            }
        }
        let far = regions.spread();
        let width = self.cells(connect.width);
        let square = self.square(width as usize);
        for ends in regions.joints(&far) {
            for mut at in ends {
                while far[at] > 0 {
                    self.charge(square)?;
                    self.tunnel(at, width, connect, legend);
                    let back = beside(at, regions.width, far.len()).into_iter().flatten();
                    at = back
                        .into_iter()
                        .find(|&other| {
                            far[other] + 1 == far[at] && regions.owner[other] == regions.owner[at]
                        })
                        .expect("a wave came from somewhere");
                }
            }
        }
        Ok(())
    }

    /// Opens a cell and, for wide ways, those around it.
    fn tunnel(&mut self, at: usize, width: u32, connect: &Connect, legend: &Legend) {
        let (x, y) = ((at % self.width as usize) as u32, (at / self.width as usize) as u32);
        let first = [x, y].each(|at| at.saturating_sub((width - 1) / 2));
        for cell in self.rect(first, [width, width]) {
            let letter = self.letters[cell];
            if legend.get(letter) == Some(0) {
                let bridge = connect.bridges.iter().find(|bridge| bridge.0 == letter);
                self.letters[cell] = bridge.map_or(connect.floor, |bridge| bridge.1);
            }
        }
    }
}
