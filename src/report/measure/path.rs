//! How far agents walk, by the shortest way.

use crate::map::Map;
use crate::math::each::Each;
use crate::nav::field::{SOLID, direction};
use crate::report::measure::report::PathReport;

/// Metres below which a way is too short to be judged.
const SHORTEST: f64 = 1.0;

/// Cells of one step along a field.
const STEP: f64 = 0.5;

/// Ways along one field from which on what is found is kept.
const MANY: usize = 16;

/// Steps along a field after which a walk is given up.
const MAX_STEPS: u32 = 200_000;

/// The way of an agent under one order.
#[derive(Clone, Copy, Debug, Default)]
struct Trip {
    start: [f32; 2],
    group: u16,
    reference: Reference,
    /// What the agent had walked at the start, m.
    walked: f64,
}

/// What a way is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Reference {
    /// No field is known yet.
    #[default]
    Unknown,
    /// Along the field, m.
    Field(f32),
    /// The field leads nowhere from there.
    Straight,
}

/// All agents' trips, and how the finished ones went.
#[derive(Clone, Debug, Default)]
pub(super) struct Trips {
    /// By the index part of an id.
    trips: Vec<Trip>,
    /// By group: ratios of the length walked to the reference length, and how many of them are by a field.
    ratios: Vec<Vec<f64>>,
    by_field: Vec<u64>,
}

impl Trips {
    /// An agent sets out, having walked so far.
    pub(super) fn begin(&mut self, id: u32, group: u16, start: [f32; 2], walked: f64) {
        let id = id as usize;
        if id >= self.trips.len() {
            self.trips.resize(id + 1, Trip::default());
        }
        self.trips[id] = Trip { start, group, reference: Reference::Unknown, walked };
    }

    /// Where an agent under way set out, if it is not known how long its way is.
    pub(super) fn unknown(&self, id: u32) -> Option<[f32; 2]> {
        let trip = self.trips.get(id as usize)?;
        (trip.reference == Reference::Unknown).then_some(trip.start)
    }

    /// How long the way along the field is; `None` when it leads nowhere.
    pub(super) fn refer(&mut self, id: u32, length: Option<f64>) {
        let field = |length: f64| Reference::Field(length as f32);
        self.trips[id as usize].reference = length.map_or(Reference::Straight, field);
    }

    /// An agent arrives, having walked so far, in a group that may be a variant of the second one, to
    /// which it counts. One that changed its group on the way does not count.
    pub(super) fn end(&mut self, id: u32, groups: [u16; 2], at: [f32; 2], walked: f64) {
        let [post, group] = groups;
        let Some(&trip) = self.trips.get(id as usize) else { return };
        if trip.group != post {
            return;
        }
        let [dx, dy] = [0, 1].each(|axis| f64::from(at[axis]) - f64::from(trip.start[axis]));
        let (length, by_field) = match trip.reference {
            Reference::Field(length) => (f64::from(length), 1),
            _ => ((dx * dx + dy * dy).sqrt(), 0),
        };
        if length < SHORTEST {
            return;
        }
        let group = usize::from(group);
        self.ratios.resize(self.ratios.len().max(group + 1), Vec::new());
        self.by_field.resize(self.ratios.len(), 0);
        self.ratios[group].push((walked - trip.walked) / length);
        self.by_field[group] += by_field;
    }

    /// How a group's trips went.
    pub(super) fn report(&self, group: usize) -> PathReport {
        let mut ratios = self.ratios.get(group).cloned().unwrap_or_default();
        ratios.sort_unstable_by(f64::total_cmp);
        // The least ratio that this share of the trips does not exceed.
        let share = |share: f64| {
            let rank = (share * ratios.len() as f64).ceil().max(1.0) as usize;
            ratios.get(rank - 1).copied()
        };
        PathReport {
            trips: ratios.len() as u64,
            trips_by_field: self.by_field.get(group).copied().unwrap_or(0),
            mean_ratio: (!ratios.is_empty())
                .then(|| ratios.iter().sum::<f64>() / ratios.len() as f64),
            median_ratio: share(0.5),
            p95_ratio: share(0.95),
            max_ratio: ratios.last().copied(),
        }
    }
}

/// The lengths in metres of the ways along a field's directions (padded, see
/// [`direction`](crate::nav::field::direction)) from some points to the goal area; `None` where it does
/// not lead there. Neither crowds nor the size of agents lengthen them.
///
/// Plain walks of half-cell steps with their own wall-safe blend of the four nearest directions. Where
/// there are many, a walk ends in a cell that an earlier one went through: the length from there is
/// known, and changes with the place by the direction of the field.
pub(super) fn ways_along(
    map: &Map,
    directions: &[u32],
    starts: impl ExactSizeIterator<Item = [f64; 2]>,
) -> Vec<Option<f64>> {
    let size = map.cell_size();
    let walk = Walk { stride: map.stride() as usize, directions };
    let mut known = Known {
        lengths: if starts.len() < MANY { Vec::new() } else { vec![f32::NAN; directions.len()] },
        trail: Vec::new(),
    };
    starts
        .map(|[x, y]| {
            map.cell_at(x, y)?;
            Some(known.length(&walk, [x / size, y / size])? * size)
        })
        .collect()
}

/// What earlier walks along a field have found.
struct Known {
    /// By cell: the length from its centre in cells; NaN where no walk has been, infinite when it leads
    /// nowhere. Empty when there is no need to know.
    lengths: Vec<f32>,
    /// The first points of a walk in its cells: where, which way, how far from the start.
    trail: Vec<([f64; 2], [f64; 2], f64)>,
}

impl Known {
    /// The length of the way from a point, all in cells.
    fn length(&mut self, walk: &Walk<'_>, start: [f64; 2]) -> Option<f64> {
        self.trail.clear();
        let found = self.walk(walk, start);
        if self.lengths.is_empty() {
            return found;
        }
        for &(at, way, passed) in &self.trail {
            let length = found.map(|length| length - passed - toward_centre(at, way));
            self.lengths[walk.cell(at)] = length.unwrap_or(f64::INFINITY) as f32;
        }
        found
    }

    fn walk(&mut self, walk: &Walk<'_>, start: [f64; 2]) -> Option<f64> {
        let (mut at, mut length, mut last) = (start, 0.0, usize::MAX);
        for _ in 0..MAX_STEPS {
            if walk.arrived(at) {
                return Some(length);
            }
            let mut next = walk.step(at)?;
            if walk.arrived(next) {
                next = walk.edge(at, next);
            }
            let (dx, dy) = (next[0] - at[0], next[1] - at[1]);
            let step = (dx * dx + dy * dy).sqrt();
            let cell = walk.cell(at);
            if cell != last {
                let way = if step > 0.0 { [dx / step, dy / step] } else { [0.0; 2] };
                let known = self.lengths.get(cell).map_or(f64::NAN, |&known| f64::from(known));
                if !known.is_nan() {
                    let all = length + known + toward_centre(at, way);
                    return all.is_finite().then_some(all);
                }
                self.trail.push((at, way, length));
                last = cell;
            }
            length += step;
            at = next;
        }
        None
    }
}

/// How much farther one is on a way at the centre of a point's cell than at the point.
fn toward_centre(at: [f64; 2], way: [f64; 2]) -> f64 {
    let [x, y] = at.each(|part| part.floor() + 0.5 - part);
    x * way[0] + y * way[1]
}

/// A walk along a field; points are in cells.
struct Walk<'a> {
    stride: usize,
    directions: &'a [u32],
}

impl Walk<'_> {
    fn cell(&self, [x, y]: [f64; 2]) -> usize {
        (y.floor() as usize + 1) * self.stride + x.floor() as usize + 1
    }

    /// The direction of a cell; `None` in walls.
    fn vector(&self, cell: usize) -> Option<[f64; 2]> {
        let (x, y) = direction::unpack(*self.directions.get(cell)?)?;
        Some([x, y].each(|part| f64::from(part) / 16_384.0))
    }

    fn arrived(&self, at: [f64; 2]) -> bool {
        let code = self.directions[self.cell(at)];
        code != SOLID && direction::is_goal_area(code)
    }

    /// The blend of the nearest cells. Walls do not count, nor what lies diagonally behind one.
    fn blend(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let own = self.cell(at);
        let [fx, fy] = at.each(|part| part - part.floor() - 0.5);
        let beside = if fx < 0.0 { own - 1 } else { own + 1 };
        let below = if fy < 0.0 { own - self.stride } else { own + self.stride };
        let (wx, wy) = (fx.abs(), fy.abs());
        let (side, level) = (self.vector(beside), self.vector(below));
        let across =
            self.vector(beside + below - own).filter(|_| side.is_some() && level.is_some());
        let corners = [
            (self.vector(own), (1.0 - wx) * (1.0 - wy)),
            (side, wx * (1.0 - wy)),
            (level, (1.0 - wx) * wy),
            (across, wx * wy),
        ];
        let mut sum = [0.0; 2];
        for (vector, weight) in corners {
            let [x, y] = vector.unwrap_or_default();
            sum = [sum[0] + weight * x, sum[1] + weight * y];
        }
        let square = sum[0] * sum[0] + sum[1] * sum[1];
        (square > 0.01).then(|| sum.each(|part| part / square.sqrt()))
    }

    /// Whether a step goes through no wall and no corner between two walls.
    fn free(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        let open = |at| self.vector(self.cell(at)).is_some();
        open(to) && (open([from[0], to[1]]) || open([to[0], from[1]]))
    }

    /// The end of one step: blended, by the own cell alone, or along a wall; `None` where all of
    /// that is in vain.
    fn step(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let own = self.vector(self.cell(at))?;
        for vector in [self.blend(at).unwrap_or(own), own] {
            let to = [0, 1].each(|axis| at[axis] + STEP * vector[axis]);
            for to in [to, [to[0], at[1]], [at[0], to[1]]] {
                let moved = (to[0] - at[0]).abs() + (to[1] - at[1]).abs();
                if moved > 0.05 * STEP && self.free(at, to) {
                    return Some(to);
                }
            }
        }
        None
    }

    /// Where a step enters the goal area.
    fn edge(&self, from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
        let between = |share: f64| [0, 1].each(|axis| from[axis] + share * (to[axis] - from[axis]));
        let (mut outside, mut inside) = (0.0, 1.0);
        for _ in 0..12 {
            let middle = (outside + inside) * 0.5;
            if self.arrived(between(middle)) { inside = middle } else { outside = middle }
        }
        between(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::ways_along;
    use crate::map::Map;
    use crate::map::area::GoalCells;
    use crate::nav::field::solve;

    /// 40 × 20 cells of 0.5 m; a wall from the top at x = 20 to 21 cells leaves rows 15 and below.
    fn map() -> Map {
        let solid = |i: usize| i % 40 == 20 && i / 40 < 15;
        let cells: Vec<u8> = (0..800).map(|i| if solid(i) { 0 } else { 16 }).collect();
        Map::from_slowness(40, 20, 0.5, &cells)
    }

    #[test]
    fn the_way_goes_round_the_wall() {
        let map = map();
        let field = solve(&map.class(0.2), &GoalCells::point(map.index(35, 2)));
        // From (2.25, 1.25) m by the wall's lower corners, (10, 7.5) and (10.5, 7.5), to the left or
        // lower edge of the goal's cell.
        let leg = |from: [f64; 2], to: [f64; 2]| {
            ((from[0] - to[0]) * (from[0] - to[0]) + (from[1] - to[1]) * (from[1] - to[1])).sqrt()
        };
        let shortest = leg([2.25, 1.25], [10.0, 7.5]) + 0.5 + leg([10.5, 7.5], [17.5, 1.5]);
        let way_along = |start| ways_along(&map, &field.directions, [start].into_iter())[0];
        let found = way_along([2.25, 1.25]).unwrap();
        assert!((0.995..1.04).contains(&(found / shortest)), "{found}, by geometry {shortest}");
        let straight = way_along([12.0, 1.25]).unwrap();
        assert!((straight - 5.5).abs() < 0.02, "{straight}");
        assert_eq!(way_along([17.6, 1.1]), Some(0.0));
        assert_eq!(way_along([10.2, 1.0]), None);
        assert_eq!(way_along([-1.0, 1.0]), None);
    }

    #[test]
    fn many_ways_at_once_are_as_long_as_each_alone() {
        let map = map();
        let field = solve(&map.class(0.2), &GoalCells::point(map.index(35, 2)));
        let starts: Vec<[f64; 2]> = (0..4_000)
            .map(|i| [f64::from(i % 80) * 0.25 + 0.07, f64::from(i / 80) * 0.2 + 0.03])
            .collect();
        let together = ways_along(&map, &field.directions, starts.iter().copied());
        let (mut worst, mut sum, mut ways) = (0.0_f64, 0.0, 0.0);
        for (start, together) in starts.iter().zip(together) {
            let alone = ways_along(&map, &field.directions, [*start].into_iter())[0];
            assert_eq!(alone.is_some(), together.is_some(), "{start:?}");
            if let (Some(alone), Some(together)) = (alone, together) {
                worst = worst.max((alone - together).abs());
                sum += together - alone;
                ways += 1.0;
            }
        }
        assert!(
            ways > 3_500.0 && worst < 0.35 && (sum / ways).abs() < 0.05,
            "{worst} {sum} {ways}"
        );
    }
}
