//! How far agents walk, by the shortest way.

use crate::map::Map;
use crate::nav::field::SOLID;
use crate::nav::field::direction;
use crate::report::measure::report::PathReport;

/// Metres below which a way is too short to be judged.
const SHORTEST: f64 = 1.0;

/// Cells of one step along a field.
const STEP: f64 = 0.5;

/// Steps along a field after which nobody arrives any more.
const MOST_STEPS: u32 = 200_000;

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
    /// By group: length walked by reference length, and how many of those are by a field.
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

    /// An agent arrives, having walked so far. One that changed its group on the way does not count.
    pub(super) fn end(&mut self, id: u32, group: u16, at: [f32; 2], walked: f64) {
        let trip = self.trips[id as usize];
        if trip.group != group {
            return;
        }
        let [dx, dy] = [0, 1].map(|axis| f64::from(at[axis]) - f64::from(trip.start[axis]));
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
        ratios.sort_by(f64::total_cmp);
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

/// The length in metres of the way along a field's directions (padded, see
/// [`direction`](crate::nav::field::direction)) from a point to the goal area; `None` where it does
/// not lead there. Neither crowds nor the size of agents lengthen it.
///
/// A plain walk of half-cell steps with its own wall-safe blend of the four nearest directions.
pub(super) fn way_along(map: &Map, directions: &[u32], start: [f64; 2]) -> Option<f64> {
    let size = map.cell_size();
    let walk = Walk { stride: map.stride() as usize, directions };
    let mut at = start.map(|metres| metres / size);
    map.cell_at(start[0], start[1])?;
    let mut length = 0.0;
    for _ in 0..MOST_STEPS {
        if walk.arrived(at) {
            return Some(length * size);
        }
        let mut next = walk.step(at)?;
        if walk.arrived(next) {
            next = walk.edge(at, next);
        }
        let (dx, dy) = (next[0] - at[0], next[1] - at[1]);
        length += (dx * dx + dy * dy).sqrt();
        at = next;
    }
    None
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
        Some([x, y].map(|part| f64::from(part) / 16_384.0))
    }

    fn arrived(&self, at: [f64; 2]) -> bool {
        let code = self.directions[self.cell(at)];
        code != SOLID && direction::is_goal_area(code)
    }

    /// The blend of the nearest cells. Walls do not count, nor what lies diagonally behind one.
    fn blend(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let own = self.cell(at);
        let [fx, fy] = at.map(|part| part - part.floor() - 0.5);
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
        (square > 0.01).then(|| sum.map(|part| part / square.sqrt()))
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
            let to = [0, 1].map(|axis| at[axis] + STEP * vector[axis]);
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
        let between = |share: f64| [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
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
    use super::way_along;
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
        let found = way_along(&map, &field.directions, [2.25, 1.25]).unwrap();
        assert!((0.995..1.04).contains(&(found / shortest)), "{found}, by geometry {shortest}");
        let straight = way_along(&map, &field.directions, [12.0, 1.25]).unwrap();
        assert!((straight - 5.5).abs() < 0.02, "{straight}");
        assert_eq!(way_along(&map, &field.directions, [17.6, 1.1]), Some(0.0));
        assert_eq!(way_along(&map, &field.directions, [10.2, 1.0]), None);
        assert_eq!(way_along(&map, &field.directions, [-1.0, 1.0]), None);
    }
}
