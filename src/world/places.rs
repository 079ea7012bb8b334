//! Places in a group's goal, and around a goal that has no room for all agents.

use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::map::placement::{MAX_COUNT, PlaceError};
use crate::map::{Map, placement};
use crate::math::each::Each;
use crate::nav::field::SOLID;
use crate::nav::field::direction::GOAL_AREA;
use crate::nav::navigator::{Ground, Navigator};
use crate::world::goal::packed_radius;
use crate::world::{Group, Guidance, Tag, World, parts, state};

/// Ground that a place takes in the densest lattice, in squares of a radius: 2.05² · √3 / 2.
const DENSEST: f64 = 3.64;
/// Centres of places are at least so many radii apart.
const APART: f64 = 2.05;
/// Ground around a goal that has no room for all, over what the others need when they pack.
const LOOSE: f64 = 1.5;
/// The ground around a goal is widened so often at most, each time by half.
const MAX_WIDENINGS: u32 = 16;

/// Where places can be.
struct Site<'a> {
    map: &'a Map,
    /// For every padded cell: 2 in the goal's area and 1 elsewhere, where a way leads to it; else 0.
    reached: Vec<u8>,
    /// The places that there are.
    taken: Vec<[f64; 2]>,
    radius: f64,
}

impl Site<'_> {
    /// `count` places in open cells of shapes, or as many as fit; `all` is how many there are to be
    /// with the taken ones.
    fn seek(&self, open: &[u8], shapes: &[Shape], [count, all]: [u32; 2]) -> Vec<[f64; 2]> {
        match self.taken[..] {
            [] => fill(self.map, open, shapes, count, self.radius),
            _ => fill_gaps(self.map, open, shapes, &self.taken, [count, all], self.radius),
        }
    }

    /// Places in the area of a goal.
    fn inside(&self, shapes: &[Shape], counts: [u32; 2]) -> Vec<[f64; 2]> {
        let [count, all] = counts;
        match *shapes {
            [Shape::Point { at }] if all == 1 => vec![at],
            [Shape::Point { at }] => {
                let packed = packed_radius(self.radius, all);
                let open: Vec<u8> = self.reached.iter().map(|&cell| u8::from(cell > 0)).collect();
                // A lattice in a small disc may miss a few: look a little farther.
                let rings = (0..6).map(|i| packed * (1.0 + 0.15 * f64::from(i)) + self.radius);
                let discs = rings.map(|radius| [Shape::Disc { centre: at, radius }]);
                most(discs.map(|disc| self.seek(&open, &disc, counts)), count)
            }
            _ => {
                let open: Vec<u8> = self.reached.iter().map(|&cell| u8::from(cell > 1)).collect();
                self.seek(&open, &inset(shapes, 0.5 * self.radius), counts)
            }
        }
    }

    /// Places around the area of a goal, as near to it as they can be.
    fn around(&self, counts: [u32; 2]) -> Vec<[f64; 2]> {
        let [count, all] = counts;
        if count == 0 {
            return Vec::new();
        }
        let per_cell = self.map.cell_size() * self.map.cell_size();
        let mut cells = f64::from(all) * DENSEST * self.radius * self.radius * LOOSE / per_cell;
        let whole = whole(self.map);
        let rings = (0..MAX_WIDENINGS).map(|_| {
            let open = ring(self.map, &self.reached, cells as usize + 1);
            cells *= 1.5;
            self.seek(&open, &whole, counts)
        });
        most(rings, count)
    }
}

impl<N: Numbers> World<N> {
    /// Lays out the places of a group's goal: one for each of its agents, in cells of the goal from
    /// which a way leads to it, and around it for agents that do not fit. Where there are places
    /// already, and more members than were asked for then, more are added between them.
    pub(crate) fn lay_out_places(&mut self, group: u16) {
        let row = &self.groups.list[usize::from(group)];
        let Some(goal) = &row.goal else { return };
        let Some(reached) = self.reached_cells(group) else { return };
        // A crowd that grows by and by must not be looked at for every newcomer.
        let growth = if goal.laid_for > 0 { row.members / 4 } else { 0 };
        let asked = row.members + growth;
        let taken = goal.places.iter().map(|at| at.each(N::to_f64)).collect();
        let site = Site { map: &self.ground.map, reached, taken, radius: row.def.radius };
        let missing = asked.saturating_sub(goal.places.len() as u32);
        // More places in the area would come behind those around it.
        let inside = match goal.places.len() > goal.inside as usize {
            true => Vec::new(),
            false => site.inside(&goal.shapes, [missing, asked]),
        };
        let rest = missing.saturating_sub(inside.len() as u32);
        let crowd = rest + goal.places.len() as u32 - goal.inside;
        let around = match goal.shapes[..] {
            [Shape::Point { .. }] => Vec::new(),
            _ => site.around([rest, crowd]),
        };
        if let Some(goal) = &mut self.groups.list[usize::from(group)].goal {
            let first = goal.places.len() as u32;
            goal.laid_for = asked.max(1);
            goal.inside += inside.len() as u32;
            goal.free[0].extend(first..first + inside.len() as u32);
            let first = first + inside.len() as u32;
            goal.free[1].extend(first..first + around.len() as u32);
            let places = inside.into_iter().chain(around);
            goal.places.extend(places.map(|at| at.each(N::from_f64)));
            goal.note_zone();
        }
    }

    /// How many of a group's agents have room in its goal, looked for as when the first of them
    /// arrives; `None` where it goes nowhere, or each agent has a place of its own.
    pub fn room_in_goal(&self, group: u16) -> Option<u32> {
        let row = self.groups.list.get(usize::from(group))?;
        let goal = row.goal.as_ref().filter(|goal| !goal.each)?;
        if let Some(room) = row.goal_room() {
            return Some(room);
        }
        let field = row.next_field.or(row.field).and_then(|id| self.routes.fields.goals(id));
        let cells = field.map_or(&row.way.goals, |(goals, _)| goals);
        let class = self.ground.class_of(row);
        let mut reached = vec![0; class.slowness().len()];
        for &cell in cells.area().iter().filter(|&&cell| class.passable(cell)) {
            reached[cell as usize] = 2;
        }
        let site =
            Site { map: &self.ground.map, reached, taken: Vec::new(), radius: row.def.radius };
        let members = row.members.max(1);
        (!cells.seeds().is_empty()).then(|| site.inside(&goal.shapes, [members; 2]).len() as u32)
    }

    /// [`Site::reached`] of a group; `None` while it goes nowhere.
    fn reached_cells(&self, group: u16) -> Option<Vec<u8>> {
        let row = &self.groups.list[usize::from(group)];
        if let Some(field) = row.field {
            let directions = self.routes.fields.directions(field).unwrap_or_default();
            let reached = |&d: &u32| u8::from(d != SOLID) << u8::from(d & GOAL_AREA != 0);
            return Some(directions.iter().map(reached).collect());
        }
        let by_corridor = row.def.navigator == Navigator::Corridor;
        if self.groups.traits[usize::from(group)].guidance != Guidance::Points && !by_corridor {
            return None;
        }
        let class = &self.ground.classes[usize::from(row.class)];
        let component = |cell: u32| class.component(cell);
        let ground = Ground::new(class);
        let mut goals: Vec<u32> = row.way.goals.seeds().iter().map(|&c| component(c)).collect();
        goals.sort_unstable();
        goals.dedup();
        let reached = |cell: u32| {
            let joined = component(cell) != 0 && goals.binary_search(&component(cell)).is_ok();
            u8::from(joined) << u8::from(row.way.holds(cell, ground.place(cell)))
        };
        Some((0..class.slowness().len() as u32).map(reached).collect())
    }

    /// An agent that leaves its group's goal gives its place back.
    pub(crate) fn give_up_place(&mut self, tag: Tag) {
        let traits = &self.groups.traits[usize::from(tag.group)];
        if tag.state & state::PLACED == 0
            || !matches!(traits.guidance, Guidance::Field | Guidance::Points)
        {
            return;
        }
        let place = self.agents.place_of[tag.id as usize];
        let goal = &mut self.groups.list[usize::from(tag.group)].goal;
        if let Some(goal) = goal.as_mut().filter(|goal| !goal.each) {
            goal.hand_back(place);
        }
    }
}

impl<N: Numbers> parts::Ground<N> {
    /// Whether there is a way for an agent of a group from one point to another. An agent that has
    /// been pushed to where it could not walk by itself may go anywhere.
    pub(crate) fn can_walk(&self, group: &Group<N>, from: [N; 2], to: [N; 2]) -> bool {
        let class = self.class_of(group);
        let cell = |at: [N; 2]| self.map.cell_at(at[0].to_f64(), at[1].to_f64());
        let (Some(from), Some(to)) = (cell(from), cell(to)) else { return false };
        class.passable(to) && (!class.passable(from) || class.same_component(from, to))
    }

    /// Whether an agent of a group can walk straight from one point to another: all cells on the
    /// way, looked at every quarter of a cell, are passable for it. Far from walls it looks less often.
    pub(crate) fn sees(&self, group: &Group<N>, from: [N; 2], to: [N; 2]) -> bool {
        let (class, size) = (self.class_of(group), self.map.cell_size());
        let (from, to) = (from.each(N::to_f64), to.each(N::to_f64));
        let delta = [to[0] - from[0], to[1] - from[1]];
        let longest = delta[0].abs().max(delta[1].abs());
        let steps = (longest / size * 4.0).ceil().max(1.0);
        // So many cells from a wall every cell is passable: a radius, and what rounding to cells may take.
        let closed = if class.forbids() { f64::INFINITY } else { group.def.radius / size + 3.0 };
        let mut step = 0.0;
        while step <= steps {
            let share = step / steps;
            let at = [from[0] + delta[0] * share, from[1] + delta[1] * share];
            let cell = self.map.cell_at(at[0], at[1]).filter(|&cell| class.passable(cell));
            let Some(cell) = cell else { return false };
            let walls = f64::from(self.map.wall_distance()[cell as usize]) / 256.0;
            // A step is shorter than 1/2.75 of a cell.
            step += 1.0 + ((walls - closed) * 2.75).max(0.0).floor();
        }
        true
    }
}

/// Shapes whose edges lie so many metres further in, where they are large enough: an agent
/// a little off its place there is still inside.
fn inset(shapes: &[Shape], by: f64) -> Vec<Shape> {
    let inner = |shape: &Shape| match *shape {
        Shape::Rect { min, max } if (0..2).all(|axis| max[axis] - min[axis] > 4.0 * by) => {
            Shape::Rect { min: min.each(|at| at + by), max: max.each(|at| at - by) }
        }
        Shape::Disc { centre, radius } if radius > 2.0 * by => {
            Shape::Disc { centre, radius: radius - by }
        }
        ref other => other.clone(),
    };
    shapes.iter().map(inner).collect()
}

/// The first list with so many places, or else the longest.
fn most(lists: impl Iterator<Item = Vec<[f64; 2]>>, count: u32) -> Vec<[f64; 2]> {
    let mut best = Vec::new();
    for list in lists {
        if list.len() > best.len() {
            best = list;
        }
        if best.len() >= count as usize {
            break;
        }
    }
    best
}

/// All of a map.
fn whole(map: &Map) -> [Shape; 1] {
    let max = [map.width(), map.height()].each(|cells| f64::from(cells) * map.cell_size());
    [Shape::Rect { min: [0.0; 2], max }]
}

/// Marks the cells around a goal's area from which a way leads to it, nearest first: at least so
/// many, as whole rings, unless there are fewer. `reached` is 2 in the area, 1 elsewhere on a way.
fn ring(map: &Map, reached: &[u8], cells: usize) -> Vec<u8> {
    let stride = map.stride() as usize;
    let mut marks = vec![0; reached.len()];
    let mut seen: Vec<bool> = reached.iter().map(|&cell| cell != 1).collect();
    let mut edge: Vec<usize> = (0..reached.len()).filter(|&cell| reached[cell] == 2).collect();
    let (mut next, mut found, mut is_straight) = (Vec::new(), 0, true);
    while found < cells && !edge.is_empty() {
        next.clear();
        // Four sides and eight in turn make rings of eight corners.
        let up = [stride, 1];
        let across = [stride + 1, stride - 1];
        let sides = if is_straight { &[up][..] } else { &[up, across][..] };
        is_straight = !is_straight;
        for &cell in &edge {
            for step in sides.iter().flatten() {
                for side in [cell - step, cell + step] {
                    if !std::mem::replace(&mut seen[side], true) {
                        marks[side] = 1;
                        next.push(side);
                    }
                }
            }
        }
        found += next.len();
        std::mem::swap(&mut edge, &mut next);
    }
    marks
}

/// Places for agents of a radius in the open cells of shapes, as many as fit.
fn fill(map: &Map, open: &[u8], shapes: &[Shape], agents: u32, radius: f64) -> Vec<[f64; 2]> {
    match placement::place(map, open, shapes, u64::from(agents), radius, 0) {
        Err(PlaceError::TooMany { fits, .. }) if fits > 0 => {
            placement::place(map, open, shapes, fits, radius, 0).unwrap_or_default()
        }
        placed => placed.unwrap_or_default(),
    }
}

/// `count` places in the open cells of shapes that keep clear of those taken there already, spread
/// evenly, or as many as fit; `all` is how many there are to be with the taken ones.
fn fill_gaps(
    map: &Map,
    open: &[u8],
    shapes: &[Shape],
    taken: &[[f64; 2]],
    [count, all]: [u32; 2],
    radius: f64,
) -> Vec<[f64; 2]> {
    let apart = APART * radius;
    let key = |at: [f64; 2]| at.each(|c| (c / apart).floor() as i64);
    let mut sorted: Vec<([i64; 2], usize)> =
        taken.iter().enumerate().map(|(i, &at)| (key(at), i)).collect();
    sorted.sort_unstable();
    let is_clear = |at: &[f64; 2]| {
        let [column, row] = key(*at);
        (column - 1..=column + 1).all(|column| {
            let from = sorted.partition_point(|entry| entry.0 < [column, row - 1]);
            let near = sorted[from..].iter().take_while(|entry| entry.0 <= [column, row + 1]);
            near.into_iter().all(|&(_, i)| {
                let [dx, dy] = [0, 1].each(|axis| taken[i][axis] - at[axis]);
                dx * dx + dy * dy >= apart * apart
            })
        })
    };
    let mut places = Vec::new();
    // Ever denser lattices leave more in the gaps.
    for times in [1, 2, 4, 8, u64::from(u32::MAX)] {
        let tried = (u64::from(all) * times).min(MAX_COUNT) as u32;
        places = fill(map, open, shapes, tried, radius);
        places.retain(is_clear);
        if places.len() >= count as usize {
            break;
        }
    }
    let found = places.len() as u64;
    if found > u64::from(count) {
        let mut seen = 0;
        places.retain(|_| {
            seen += 1;
            seen * u64::from(count) / found > (seen - 1) * u64::from(count) / found
        });
    }
    places
}

#[cfg(test)]
mod tests {
    use crate::map::Map;
    use crate::math::{hash3, unit_f64};
    use crate::world::{GroupDef, Settings, World};

    /// Sight is that of a look at every quarter of a cell, whatever is skipped.
    #[test]
    fn sight_skips_nothing_that_matters() {
        let random = |stream, i| unit_f64(hash3(15, stream, i));
        let side = 160;
        for (size, radius, share) in
            [(1.0, 0.3, 0.004), (0.25, 0.3, 0.002), (2.0, 0.8, 0.01), (1.0, 4.0, 0.0005)]
        {
            let cell = |i: u64| if random(0, i) < share { 0 } else { 16 };
            let cells: Vec<u8> = (0..u64::from(side * side)).map(cell).collect();
            let map = Map::from_slowness(side, side, size, &cells);
            let mut world = World::<f32>::new(map, Settings::default()).unwrap();
            let group = world.add_group(GroupDef { radius, ..GroupDef::default() }).unwrap();
            let group = &world.groups.list[usize::from(group)];
            let class = world.ground.class_of(group);
            let mut seen = [0; 2];
            for i in 0..4_000 {
                let point = |k| [k, k + 1].map(|k| (random(k, i) * f64::from(side) * size) as f32);
                let (from, to) = (point(1), point(3));
                let [from_x, from_y, to_x, to_y] = [from[0], from[1], to[0], to[1]].map(f64::from);
                let longest = (to_x - from_x).abs().max((to_y - from_y).abs());
                let steps = (longest / size * 4.0).ceil().max(1.0) as u32;
                let plain = (0..=steps).all(|step| {
                    let share = f64::from(step) / f64::from(steps);
                    let (x, y) =
                        (from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share);
                    world.ground.map.cell_at(x, y).is_some_and(|cell| class.passable(cell))
                });
                assert_eq!(
                    world.ground.sees(group, from, to),
                    plain,
                    "{from:?} to {to:?}, {radius} m"
                );
                seen[usize::from(plain)] += 1;
            }
            assert!(seen.iter().all(|&count| count > 400), "{seen:?}");
        }
    }
}
