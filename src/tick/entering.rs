//! Entering: sources bring agents, and agents that have waited long enough set off.
//!
//! Agents that have come to a source enter one after another, each at the first of [`TRIES`] points that
//! is free; the first that finds none ends the tick for its source, and waits outside with the agents
//! behind it. All agents are looked at only in ticks in which some want to enter.

use crate::math::each::Each;
use std::collections::BTreeMap;

use crate::data::Id;
use crate::lane::Numbers;
use crate::map::Map;
use crate::map::area::{Bounds, Shape};
use crate::math::{hash2, hash3, unit_f64};
use crate::world::{Spots, World};

/// Points that an agent looks at.
const TRIES: u64 = 32;

/// Gap that is left between agents, in metres: more than positions are rounded by.
const GAP: f64 = 1.0 / 128.0;

/// Positions are multiples of this, in both number types.
const STEP: f64 = 1.0 / 512.0;

/// Least distance from a centre to a cell that it may not be in, in metres.
const INSET: f64 = 1.0 / 256.0;

/// The stream of random numbers of places.
const PLACE: u64 = 0x0050_6c61_6365;

/// Agents in and around the area of a source, by squares.
struct Room {
    low: [f64; 2],
    high: [f64; 2],
    /// Side of a square: no two discs that touch have centres more than one apart.
    side: f64,
    squares: BTreeMap<[i32; 2], Vec<[f64; 3]>>,
}

impl Room {
    /// Around an area, for agents of a radius among others of at most `widest`.
    fn new(area: &[Shape], radius: f64, widest: f64) -> Self {
        let reach = radius + widest + 2.0 * GAP;
        let Bounds { min, max } =
            Bounds::of(area).unwrap_or(Bounds { min: [0.0; 2], max: [0.0; 2] });
        let [low, high] = [min.each(|at| at - reach), max.each(|at| at + reach)];
        Self { low, high, side: reach, squares: BTreeMap::new() }
    }

    fn square(&self, at: [f64; 2]) -> [i32; 2] {
        [0, 1].each(|axis| ((at[axis] - self.low[axis]) / self.side).floor() as i32)
    }

    /// Notes an agent, if it is near enough to matter.
    fn note(&mut self, at: [f64; 2], radius: f64) {
        if (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis])) {
            self.squares.entry(self.square(at)).or_default().push([at[0], at[1], radius]);
        }
    }

    /// Whether a disc touches no agent.
    fn is_free(&self, at: [f64; 2], radius: f64) -> bool {
        let [i, j] = self.square(at);
        let touches = |&[x, y, other]: &[f64; 3]| {
            let (dx, dy, apart) = (x - at[0], y - at[1], radius + other + GAP);
            dx * dx + dy * dy < apart * apart
        };
        (0..9).all(|k| {
            let near = self.squares.get(&[i + k % 3 - 1, j + k / 3 - 1]);
            near.is_none_or(|list| !list.iter().any(touches))
        })
    }
}

pub(super) fn run<N: Numbers>(world: &mut World<N>) {
    world.set_off();
    if world.traffic.sources.is_empty() {
        return;
    }
    let (tick, settings) = (world.log.tick, world.settings);
    for (index, source) in world.traffic.sources.iter_mut().enumerate() {
        source.come(index, tick, &settings);
    }
    let sources = world.traffic.sources.iter().enumerate();
    let wanting: Vec<usize> =
        sources.filter(|(_, source)| source.waiting() > 0).map(|(index, _)| index).collect();
    if !wanting.is_empty() {
        admit(world, &wanting);
    }
}

/// Lets agents enter by sources at which some wait.
fn admit<N: Numbers>(world: &mut World<N>, wanting: &[usize]) {
    let present = world.groups.list.iter().filter(|group| group.members() > 0);
    let radius = |index: usize| {
        let group = world.traffic.sources[index].group;
        world.groups.list[usize::from(group)].def.radius
    };
    let widest = present.map(|group| group.def.radius).fold(0.0, f64::max);
    let widest = wanting.iter().map(|&index| radius(index)).fold(widest, f64::max);
    let mut rooms: Vec<Room> = wanting
        .iter()
        .map(|&index| Room::new(&world.traffic.sources[index].area, radius(index), widest))
        .collect();
    for (tag, pos) in world.agents.rows.tag.iter().zip(world.agents.rows.pos.iter()) {
        let radius = world.groups.radius(*tag);
        let at = pos.each(N::to_f64);
        rooms.iter_mut().for_each(|room| room.note(at, radius));
    }
    world.traffic.spots.resize_with(world.traffic.sources.len(), Spots::default);
    for (place, &index) in wanting.iter().enumerate() {
        find_spots(world, index);
        let radius = world.groups.list[usize::from(world.traffic.sources[index].group)].def.radius;
        let mut found = Vec::new();
        for _ in 0..world.traffic.sources[index].waiting() {
            let Some(at) = spot(world, index, found.len() as u64, &rooms[place], radius) else {
                break;
            };
            rooms.iter_mut().for_each(|room| room.note(at, radius));
            found.push(at);
        }
        enter(world, index, &found);
    }
}

/// Agents enter by a source, unless the world is full: then they wait outside.
fn enter<N: Numbers>(world: &mut World<N>, index: usize, at: &[[f64; 2]]) {
    let group = world.traffic.sources[index].group;
    let ids: Vec<Id> = world.spawn(group, at).unwrap_or_default();
    world.traffic.sources[index].comers.entered += ids.len() as u64;
    world.traffic.entered.extend(ids);
}

/// Finds the cells of a source's area, when the map has changed since.
fn find_spots<N: Numbers>(world: &mut World<N>, index: usize) {
    let version = world.map_version();
    if world.traffic.spots[index].version != Some(version) {
        let source = &world.traffic.sources[index];
        let class = world.ground.class_of(&world.groups.list[usize::from(source.group)]);
        let (map, slowness) = (&world.ground.map, class.slowness());
        world.traffic.spots[index] = Spots::new(map, &source.area, slowness, version);
    }
}

/// A free point for the next agent of a source.
fn spot<N: Numbers>(
    world: &World<N>,
    index: usize,
    found: u64,
    room: &Room,
    radius: f64,
) -> Option<[f64; 2]> {
    let source = &world.traffic.sources[index];
    let cells = &world.traffic.spots[index].cells[..];
    if cells.is_empty() {
        return None;
    }
    let points: Vec<[f64; 2]> = source
        .area
        .iter()
        .filter_map(|shape| if let Shape::Point { at } = shape { Some(*at) } else { None })
        .collect();
    let bits = hash3(world.settings.seed ^ PLACE, world.log.tick, index as u64);
    let is_free = |at: &[f64; 2]| room.is_free(*at, radius) && world.is_open(at.each(N::from_f64));
    if points.len() == source.area.len() {
        let first = hash2(bits, found) as usize % points.len();
        let mut round = (0..points.len()).map(|i| points[(first + i) % points.len()]);
        return round.find(is_free);
    }
    let map = world.ground.solid();
    let gap = radius.min(0.5 * map.cell_size()) - INSET;
    let point = |draw: u64| point(map, &source.area, cells, hash3(bits, found, draw));
    (0..TRIES).filter_map(point).find(|at| keeps_clear(map, *at, gap) && is_free(at))
}

/// Whether no wall is nearer to a point than a gap of half a cell at most, along either axis.
fn keeps_clear(map: &Map, [x, y]: [f64; 2], gap: f64) -> bool {
    let is_open =
        |x: f64, y: f64| map.cell_at(x, y).is_some_and(|cell| map.slowness()[cell as usize] != 0);
    [x - gap, x + gap].into_iter().all(|x| is_open(x, y - gap) && is_open(x, y + gap))
}

/// The point that goes with random bits: in one of some cells, if it is in the area too.
fn point(map: &Map, area: &[Shape], cells: &[u32], bits: u64) -> Option<[f64; 2]> {
    let (i, j) = map.cell(cells[(hash2(bits, 0) % cells.len() as u64) as usize]);
    let bounds = Bounds::of(area)?;
    let side = map.cell_size();
    let mut at = [0.0; 2];
    for (axis, cell) in [f64::from(i), f64::from(j)].into_iter().enumerate() {
        let low = (cell * side).max(bounds.min[axis]) + INSET;
        let high = ((cell + 1.0) * side).min(bounds.max[axis]) - INSET;
        let drawn = low + (high - low).max(0.0) * unit_f64(hash2(bits, axis as u64 + 1));
        at[axis] = (drawn / STEP).round_ties_even() * STEP;
    }
    let is_in = area.iter().any(|shape| shape.contains(at[0], at[1]));
    let own = map.cell_at(at[0], at[1]).is_some_and(|cell| cells.binary_search(&cell).is_ok());
    (is_in && own).then_some(at)
}
