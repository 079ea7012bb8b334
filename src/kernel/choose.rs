//! The agent that a seeker prefers, of the agents in runs of rows.
//!
//! Among agents of its foes' teams whose distance lies within its limits the least key wins: rank,
//! square of the distance, id. The square is what [`Real`] makes of it: `f32`, or `f64` for fixed
//! point, where it is exact up to 1,024 m. So is every comparison, and keys are total: neither the
//! order of the rows nor the lane width can matter.
//!
//! Method: candidates in lanes, against one seeker. A block gives the lanes that are no worse than
//! the best so far by rank and distance; they are few, and looked at one by one.

use crate::math::each::Each;
use std::ops::Range;

use crate::lane::{Compare, IntLane, Lane, Mask, Real};

/// Candidates: columns in sorted order, all of them readable for a block past the last row.
#[derive(Clone, Copy, Debug)]
pub struct Crowd<'a, N> {
    /// Positions in metres.
    pub pos: &'a [[N; 2]],
    /// The team of each, as a bit; 0 of agents that no seeker looks for, and in the padding.
    pub teams: &'a [u32],
    /// What counts before the distance, the least first; empty when nothing does.
    pub ranks: &'a [i32],
}

/// An agent that chooses.
#[derive(Clone, Copy, Debug)]
pub struct Seeker<N> {
    /// Position in metres.
    pub pos: [N; 2],
    /// Its own row, which it never chooses.
    pub row: usize,
    /// The teams to choose from, as bits.
    pub foes: u32,
    /// Squares of the least and of the largest distance, as [`square`] has them.
    pub near: f64,
    /// See `near`.
    pub far: f64,
}

/// A candidate, in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Key {
    /// What counts first.
    pub rank: i32,
    /// The square of the distance in m², as [`square`] has it.
    pub square: f64,
    /// Id index.
    pub id: u32,
    /// Its row.
    pub row: u32,
}

impl Key {
    /// Worse than every candidate.
    pub const NONE: Self =
        Self { rank: i32::MAX, square: f64::INFINITY, id: u32::MAX, row: u32::MAX };
    /// Better than every candidate.
    pub const FIRST: Self = Self { rank: i32::MIN, square: -1.0, id: 0, row: 0 };
}

/// The best candidates so far, at most so many, the best first; [`Key::NONE`] where there are fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best<const MOST: usize>(pub [Key; MOST]);

impl<const MOST: usize> Best<MOST> {
    /// No candidate yet.
    pub const NONE: Self = Self([Key::NONE; MOST]);

    /// What a candidate has to come before.
    #[inline(always)]
    pub fn bound(&self) -> Key {
        self.0[MOST - 1]
    }

    /// Takes a candidate in, if it is one of the best and not known yet.
    #[inline(always)]
    fn offer(&mut self, key: Key) {
        let place = self.0.iter().rposition(|known| *known <= key).map_or(0, |before| before + 1);
        if place < MOST && (place == 0 || self.0[place - 1] != key) {
            self.0.copy_within(place..MOST - 1, place + 1);
            self.0[place] = key;
        }
    }
}

/// The square of the distance between two places, as every choice compares it.
#[inline(always)]
pub fn square<L: Lane>(a: [L; 2], b: [L; 2]) -> L::Real {
    let offset = [0, 1].each(|i| (b[i] - a[i]).real());
    Real::dot(offset, offset)
}

/// The key of the candidate in a row; in one lane.
#[inline(always)]
pub fn key<L: Lane>(
    seeker: &Seeker<L::Num>,
    crowd: &Crowd<'_, L::Num>,
    row: usize,
    id: u32,
) -> Key {
    let square = square::<L>(seeker.pos.each(L::splat), crowd.pos[row].each(L::splat)).get(0);
    Key { rank: *crowd.ranks.get(row).unwrap_or(&0), square, id, row: row as u32 }
}

/// The best of all candidates after `after`, by the definition.
pub fn reference<L: Lane>(
    seeker: &Seeker<L::Num>,
    crowd: &Crowd<'_, L::Num>,
    rows: Range<usize>,
    id: impl Fn(usize) -> u32,
    after: Key,
) -> Key {
    let key = |row: usize| key::<L>(seeker, crowd, row, id(row));
    let fits = |key: &Key| {
        let row = key.row as usize;
        let foe = crowd.teams[row] & seeker.foes != 0 && row != seeker.row;
        foe && seeker.near <= key.square && key.square <= seeker.far && *key > after
    };
    let best = |a: Key, b: Key| if b < a { b } else { a };
    rows.map(key).filter(fits).fold(Key::NONE, best)
}

/// Takes over into `best` better candidates of the rows, of the ones behind `after`. `RANKED` says
/// whether there are ranks.
#[inline(always)]
pub fn scan<L: Lane, const RANKED: bool, const MOST: usize>(
    seeker: &Seeker<L::Num>,
    crowd: &Crowd<'_, L::Num>,
    rows: Range<usize>,
    id: impl Fn(usize) -> u32,
    after: Key,
    best: &mut Best<MOST>,
) {
    let own = seeker.pos.each(L::splat);
    let [near, far] = [seeker.near, seeker.far].each(L::Real::splat);
    for start in rows.clone().step_by(L::WIDTH) {
        let block = start..start + L::WIDTH;
        let pos: [L; 2] = L::load_pairs(&crowd.pos[block.clone()]).into();
        let square = square(own, pos);
        let bound = best.bound();
        let limit = L::Real::splat(bound.square);
        let in_reach = !(square.lt(near) | far.lt(square));
        let teams = &crowd.teams[block.clone()];
        let foe = !L::Int::from_fn(|i| teams[i] as i32)
            .and(L::Int::splat(seeker.foes as i32))
            .equal(L::Int::splat(0));
        let mut ranks = L::Int::splat(0);
        let close = L::from_real_mask(!limit.lt(square));
        let better = if RANKED {
            let column = &crowd.ranks[block];
            ranks = L::Int::from_fn(|i| column[i]);
            let limit = L::Int::splat(bound.rank);
            ranks.less(limit) | (ranks.equal(limit) & close)
        } else {
            close
        };
        let mut bits = (foe & better & L::from_real_mask(in_reach)).bits();
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let row = start + lane;
            let (rank, square) = (ranks.get(lane), square.get(lane));
            let key = Key { rank, square, id: id(row), row: row as u32 };
            if key < best.bound() && key > after && row != seeker.row {
                best.offer(key);
            }
        }
    }
}

/// How many of the rows a seeker may choose.
#[inline(always)]
pub fn count<L: Lane>(
    seeker: &Seeker<L::Num>,
    crowd: &Crowd<'_, L::Num>,
    rows: Range<usize>,
) -> u32 {
    let own = seeker.pos.each(L::splat);
    let [near, far] = [seeker.near, seeker.far].each(L::Real::splat);
    let mut count = 0;
    for start in rows.clone().step_by(L::WIDTH) {
        let block = start..start + L::WIDTH;
        let pos: [L; 2] = L::load_pairs(&crowd.pos[block.clone()]).into();
        let square = square(own, pos);
        let in_reach = L::from_real_mask(!(square.lt(near) | far.lt(square)));
        let teams = &crowd.teams[block];
        let foe = !L::Int::from_fn(|i| teams[i] as i32)
            .and(L::Int::splat(seeker.foes as i32))
            .equal(L::Int::splat(0));
        let mut bits = (foe & in_reach).bits();
        if start + L::WIDTH > rows.end {
            bits &= (1 << (rows.end - start)) - 1;
        }
        count += bits.count_ones();
    }
    // The seeker is in reach of itself where nothing is too near.
    let own = rows.contains(&seeker.row) && crowd.teams[seeker.row] & seeker.foes != 0;
    count - u32::from(own && seeker.near <= 0.0)
}

/// The squares of the least and of the largest distance from a place to a rectangle. Rounding is
/// monotone, so no [`square`] of a place in the rectangle is outside of these.
#[inline(always)]
pub fn extent<L: Lane>(pos: [L; 2], min: [L; 2], max: [L; 2]) -> [L::Real; 2] {
    let nearest = [0, 1].each(|i| pos[i].larger(min[i]).smaller(max[i]));
    let farthest = [0, 1].each(|i| {
        let (low, high) = (pos[i] - min[i], max[i] - pos[i]);
        L::select(low.lt(high), max[i], min[i])
    });
    [square(pos, nearest), square(pos, farthest)]
}

#[cfg(test)]
mod tests {
    use super::{Best, Crowd, Key, Seeker, extent, reference, scan, square};
    use crate::lane::{BLOCK, Lane, Numbers, Real};
    use crate::math::{Fx, hash3};

    /// A random number below `end`.
    fn random(case: u64, axis: u64, i: usize, end: u64) -> u64 {
        hash3(case, axis, i as u64) % end
    }

    /// How often an agent was chosen, none was chosen, and there were equals of the best.
    type Counts = [u32; 3];

    /// Scans runs of every length, on a lattice where many are equally far.
    fn check<N: Numbers>(case: u64, counts: &mut Counts) {
        let rows = (random(case, 9, 0, 27)) as usize;
        let filled = rows + BLOCK;
        let at = |i| [0, 1].map(|axis| N::from_f64(random(case, axis, i, 9) as f64 * 0.75));
        let pos: Vec<_> = (0..filled).map(at).collect();
        let team = |i| if i < rows { random(case, 2, i, 4) as u32 } else { 0 };
        let teams: Vec<_> = (0..filled).map(team).collect();
        let ranks: Vec<_> = (0..filled).map(|i| random(case, 3, i, 3) as i32).collect();
        let id = |row: usize| (hash3(case, 4, row as u64) >> 40) as u32;
        let ranked = case.is_multiple_of(2);
        let crowd = Crowd { pos: &pos, teams: &teams, ranks: if ranked { &ranks } else { &[] } };
        let own = random(case, 5, 0, filled as u64) as usize;
        let far = [0.25, 9.0, 100.0][case as usize % 3];
        let seeker = Seeker { pos: pos[own], row: own, foes: 0b10, near: 0.5, far };
        let first = reference::<N::Single>(&seeker, &crowd, 0..rows, id, Key::FIRST);
        for after in [Key::FIRST, first] {
            let expected = reference::<N::Single>(&seeker, &crowd, 0..rows, id, after);
            let found = [
                run::<N::Wide, 1>(&seeker, &crowd, rows, id, after),
                run::<N::Single, 1>(&seeker, &crowd, rows, id, after),
            ];
            assert_eq!(found, [Best([expected]); 2], "case {case}, {rows} rows");
            // The best of several are those that come one after another.
            let mut last = after;
            let several = [(); 5].map(|()| {
                if last != Key::NONE {
                    last = reference::<N::Single>(&seeker, &crowd, 0..rows, id, last);
                }
                last
            });
            let found = [
                run::<N::Wide, 5>(&seeker, &crowd, rows, id, after),
                run::<N::Single, 5>(&seeker, &crowd, rows, id, after),
            ];
            assert_eq!(found, [Best(several); 2], "case {case}, {rows} rows");
            counts[usize::from(expected == Key::NONE)] += 1;
        }
        let mut equals: Vec<_> =
            (0..rows).map(|row| super::key::<N::Single>(&seeker, &crowd, row, 0)).collect();
        equals.retain(|key| (key.rank, key.square) == (first.rank, first.square));
        counts[2] += u32::from(equals.len() > 1);
    }

    fn run<L: Lane, const MOST: usize>(
        seeker: &Seeker<L::Num>,
        crowd: &Crowd<'_, L::Num>,
        rows: usize,
        id: impl Fn(usize) -> u32 + Copy,
        after: Key,
    ) -> Best<MOST> {
        let mut best = Best::NONE;
        // In runs, as rows of a grid come, of which the last two have rows in common.
        for part in [0..rows / 3, rows / 3..rows, rows / 2..rows] {
            if crowd.ranks.is_empty() {
                scan::<L, false, MOST>(seeker, crowd, part, id, after, &mut best);
            } else {
                scan::<L, true, MOST>(seeker, crowd, part, id, after, &mut best);
            }
        }
        best
    }

    #[test]
    fn lanes_choose_as_the_reference_does() {
        let mut counts = [0; 3];
        for case in 0..4_000 {
            check::<f32>(case, &mut counts);
            check::<Fx>(case, &mut counts);
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }

    /// No place in a rectangle is nearer or farther than its extent says, in the same arithmetic.
    fn bounds<L: Lane>() {
        let number = |case, axis| {
            let fraction = random(case, axis, 0, 1 << 20) as f64 / 1024.0;
            L::splat(crate::math::Num::from_f64(fraction))
        };
        for case in 0..20_000 {
            let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|axis| number(case, axis));
            let (min, max) = ([a.smaller(b), c.smaller(d)], [a.larger(b), c.larger(d)]);
            let (pos, other) = ([e, f], [number(case, 6), number(case, 7)]);
            let inside = [0, 1].map(|i| other[i].larger(min[i]).smaller(max[i]));
            let [near, far] = extent(pos, min, max).map(|square| square.get(0));
            let found = square(pos, inside).get(0);
            assert!(near <= found && found <= far, "case {case}: {near} {found} {far}");
        }
    }

    #[test]
    fn extents_hold() {
        bounds::<f32>();
        bounds::<Fx>();
    }
}
