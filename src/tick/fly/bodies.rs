//! Bodies: which agent a chord touches first.
//!
//! The grid holds agents where they were before they moved, so a chord looks as far beside itself as
//! the largest radius and the largest move of the tick reach, grid row by grid row: in each only
//! along the part of it that comes near the row. There 8 agents at a time are compared with the
//! chord as if all were as wide and as tall as the largest; an agent that may be touched is then
//! looked at with its own body, by the same arithmetic on one lane, so no lane width can matter.

use crate::kernel::heightfield::Heightfield;
use crate::kernel::sweep;
use crate::kernel::sweep::{Bodies, Chord};
use crate::lane::{Lane, Mask, Numbers, Real};
use crate::map::Map;
use crate::math::Num;
use crate::math::each::Each;
use crate::par;
use crate::par::PerBand;
use crate::space::Grid;
use crate::tick::{CHUNK, crowd};
use crate::world::{AgentRows, Groups, Shot, Tag, Traits, Weapon};

/// More than rounding moves a place along a chord, in metres.
const MARGIN: f64 = 0.02;

/// The numbers in which a chord meets one agent.
type Single<N> = <<N as Numbers>::Single as Lane>::Real;

/// Notes the largest move along an axis of every chunk of agents.
pub(super) fn note_moves<L: Lane>(
    before: &[[L::Num; 2]],
    after: &[[L::Num; 2]],
    moves: &mut Vec<L::Num>,
) {
    let rows = after.len();
    moves.resize(rows.div_ceil(CHUNK), L::Num::ZERO);
    par::chunks(rows, CHUNK, PerBand(&mut moves[..]), &|_, first, chunk: PerBand<'_, L::Num>| {
        let end = rows.min(first + CHUNK);
        let mut most = L::zero();
        for start in (first..end).step_by(L::WIDTH) {
            let count = L::WIDTH.min(end - start);
            let from: [L; 2] = crowd::positions(&before[start..], count);
            let to: [L; 2] = crowd::positions(&after[start..], count);
            for i in 0..2 {
                most = most.larger((to[i] - from[i]).abs());
            }
        }
        chunk.0[0] = most.extremes()[1];
    });
}

/// The largest of noted moves, in metres.
pub(super) fn largest<N: Num>(moves: &[N]) -> f64 {
    moves.iter().fold(N::ZERO, |most, &one| most.larger(one)).to_f64()
}

/// All agents, as projectiles see them.
pub(super) struct Crowd<'a, N: Numbers> {
    groups: &'a Groups<N>,
    pub(super) weapons: &'a [Weapon<N>],
    grid: &'a Grid<N>,
    heightfield: Heightfield<'a>,
    before: &'a [[N; 2]],
    after: &'a [[N; 2]],
    tags: &'a [Tag],
    /// The largest radius and the largest height of a body, and the highest head there can be, m.
    radius: N,
    tall: f64,
    high: f64,
    /// How far from a chord an agent that it touches may have been before the move, m.
    reach: f64,
}

impl<'a, N: Numbers> Crowd<'a, N> {
    pub(super) fn new(
        agents: &'a AgentRows<N>,
        map: &'a Map,
        groups: &'a Groups<N>,
        weapons: &'a [Weapon<N>],
        grid: &'a Grid<N>,
        before: &'a [[N; 2]],
        moves: &[N],
    ) -> Self {
        let largest_of = |size: fn(&Traits<N>) -> N| {
            let present = groups.list.iter().zip(&groups.traits).filter(|(g, _)| g.members() > 0);
            present.map(|(_, traits)| size(traits)).fold(N::ZERO, N::larger)
        };
        let radius = largest_of(|traits| traits.radius);
        let tall = largest_of(|traits| traits.height).to_f64();
        let ground = if map.is_flat() { 0.0 } else { map.highest_top() };
        let reach = radius.to_f64() + largest(moves) + MARGIN;
        Self {
            groups,
            weapons,
            grid,
            heightfield: map.heightfield(),
            before,
            after: agents.pos.padded(),
            tags: &agents.tag,
            radius,
            tall,
            high: ground + tall,
            reach,
        }
    }

    /// A height above all heads.
    pub(super) fn top(&self) -> f64 {
        self.high
    }

    /// The lowest foot and the highest head there can be of agents that a shot can touch.
    fn bounds(&self, [from, to]: [[N; 3]; 2]) -> [f64; 2] {
        if self.heightfield.heights.is_empty() {
            return [0.0, self.high];
        }
        let ends = [0, 1].each(|i| {
            let (a, b) = (from[i].to_f64(), to[i].to_f64());
            if a < b { [a, b] } else { [b, a] }
        });
        let min = ends.each(|[low, _]| low - self.reach);
        let max = ends.each(|[_, high]| high + self.reach);
        let [low, top] = self.heightfield.bounds(min, max);
        [low, top + self.tall]
    }

    /// The agent that a shot from one point to another strikes first, up to the share `until` of its
    /// way: that share and its row.
    pub(super) fn first<L: Lane<Num = N>>(
        &self,
        shot: Shot,
        [from, to]: [[N; 3]; 2],
        until: f64,
    ) -> Option<(f64, u32)> {
        let bounds = self.bounds([from, to]);
        let lower = from[2].smaller(to[2]).to_f64();
        if self.tags.is_empty() || lower > bounds[1] {
            return None;
        }
        let empty = Search::<L>::new(self, shot, [from, to], until);
        let mut search = Search { bounds, ..empty };
        let [y0, y1] = [from[1], to[1]].each(N::to_f64);
        let (low, high) = if y0 < y1 { (y0, y1) } else { (y1, y0) };
        let row = |y: f64| self.grid.row(N::from_f64(y));
        let (first, last) = (row(low - self.reach), row(high + self.reach));
        // Along the chord, so that the search can end early.
        for step in 0..=last - first {
            let row = if y0 < y1 { first + step } else { last - step };
            let [start, end] = search.near_row(row);
            if start > search.until {
                break;
            }
            if start <= end {
                search.row(row, [start, end]);
            }
        }
        search.found
    }
}

/// A search along a chord.
struct Search<'a, L: Lane> {
    crowd: &'a Crowd<'a, L::Num>,
    shot: Shot,
    chord: Chord<Single<L::Num>>,
    wide: Chord<L::Real>,
    from: [f64; 2],
    along: [f64; 2],
    /// The lowest foot and the highest head near the chord, m.
    bounds: [f64; 2],
    /// Share and row of the agent found, and the share of the way up to which another comes first.
    found: Option<(f64, u32)>,
    until: f64,
}

impl<'a, L: Lane> Search<'a, L> {
    fn new(
        crowd: &'a Crowd<'a, L::Num>,
        shot: Shot,
        [from, to]: [[L::Num; 3]; 2],
        until: f64,
    ) -> Self {
        let (start, end) = (from.each(L::Num::to_f64), to.each(L::Num::to_f64));
        let along = [0, 1, 2].each(|i| end[i] - start[i]);
        Self {
            crowd,
            shot,
            chord: Chord { from: start.each(Real::splat), along: along.each(Real::splat) },
            wide: Chord { from: start.each(Real::splat), along: along.each(Real::splat) },
            from: [start[0], start[1]],
            along: [along[0], along[1]],
            bounds: [0.0; 2],
            found: None,
            until,
        }
    }

    /// The first and the last share of the way at which the chord is near a grid row: past each
    /// other when it never is, the first beyond 1 when it is later than that.
    fn near_row(&self, row: usize) -> [f64; 2] {
        let span = self.crowd.grid.row_span(row).each(L::Num::to_f64);
        let gaps = [span[0] - self.crowd.reach, span[1] + self.crowd.reach];
        let gaps = gaps.each(|edge| edge - self.from[1]);
        let speed = self.along[1];
        if speed.abs() < 1e-3 {
            // All of it, within the margin, or nothing.
            return if gaps[0] <= MARGIN && gaps[1] >= -MARGIN { [0.0, 1.0] } else { [0.0, -1.0] };
        }
        let [a, b] = gaps.each(|gap| gap / speed);
        let (start, end) = if a < b { (a, b) } else { (b, a) };
        [start.max(0.0), end.min(1.0)]
    }

    /// Looks through the agents of a grid row near a part of the chord.
    fn row(&mut self, row: usize, part: [f64; 2]) {
        let [a, b] = part.each(|share| self.from[0] + self.along[0] * share);
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let reach = self.crowd.reach;
        let range = [low - reach, high + reach].each(L::Num::from_f64);
        let agents = self.crowd.grid.row_range(row, range);
        for start in agents.clone().step_by(L::WIDTH) {
            let mut near = self.block(start) & ((1 << (agents.end - start).min(L::WIDTH)) - 1);
            while near != 0 {
                self.agent(start + near.trailing_zeros() as usize);
                near &= near - 1;
            }
        }
    }

    /// Agents of a block that may be touched, as bits.
    #[inline(always)]
    fn block(&self, start: usize) -> u32 {
        let places = |rows: &[[L::Num; 2]]| {
            let (x, y) = L::load_pairs(&rows[start..]);
            [x.real(), y.real()]
        };
        let bodies = Bodies::<L::Real> {
            before: places(self.crowd.before),
            after: places(self.crowd.after),
            radius: Real::splat(self.crowd.radius.to_f64()),
            low: Real::splat(self.bounds[0]),
            high: Real::splat(self.bounds[1] + MARGIN),
        };
        sweep::entry(&self.wide, &bodies, Real::splat(self.until)).1.bits()
    }

    /// Looks at one agent.
    fn agent(&mut self, row: usize) {
        let Crowd { groups, weapons, tags, .. } = self.crowd;
        let tag = tags[row];
        if !weapons[usize::from(self.shot.weapon)].hits(groups, self.shot, tag) {
            return;
        }
        let traits = &groups.traits[usize::from(tag.group)];
        let place = |rows: &[[L::Num; 2]]| rows[row].each(|v| Real::splat(v.to_f64()));
        let foot: L::Num = self.crowd.heightfield.ground_at(self.crowd.after[row]);
        let body = Bodies::<Single<L::Num>> {
            before: place(self.crowd.before),
            after: place(self.crowd.after),
            radius: Real::splat(groups.disc(tag).to_f64()),
            low: Real::splat(foot.to_f64()),
            high: Real::splat(foot.to_f64() + traits.height.to_f64()),
        };
        let Some(share) = sweep::entry_of(&self.chord, &body, Real::splat(self.until)) else {
            return;
        };
        let comes_first = self.found.is_none_or(|(best, other)| {
            share < best || share == best && tag.id < tags[other as usize].id
        });
        if comes_first {
            self.found = Some((share, row as u32));
            self.until = share;
        }
    }
}
