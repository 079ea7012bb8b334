//! Single agents: the one at a point, the values of one, and the ids in a box.

use rayon::prelude::*;
use serde_json::{Value, json};
use throng::lane::Numbers;
use throng::world::{Tag, World, state};

use crate::view::ask::{Answer, Frame};

/// Rows that are looked at together.
const CHUNK: usize = 16_384;
/// Points of the way ahead, and metres from one to the next in sides of a cell.
const WAY_POINTS: usize = 240;
const WAY_STEP: f64 = 0.75;

/// The words for the bits of an agent's state.
const WORDS: [(u8, &str); 8] = [
    (state::ARRIVED, "arrived"),
    (state::SETTLED, "settled"),
    (state::LEAVING, "leaving"),
    (state::FRESH, "gets a place"),
    (state::PLACED, "goes to a place of its own"),
    (state::WAITING, "goes on to a place"),
    (state::FORMED, "in formation"),
    (state::HOMELESS, "coming to rest"),
];

/// The agent nearest to a point, within a distance; of equally near ones that with the smaller id.
pub(super) fn pick<N: Numbers>(world: &World<N>, at: [f64; 2], reach: f64) -> Answer {
    let distance = |row: usize| {
        let [x, y] = world.positions()[row].map(N::to_f64);
        (x - at[0]) * (x - at[0]) + (y - at[1]) * (y - at[1])
    };
    let nearer = |a: usize, b: usize| {
        let key = |row: usize| (distance(row), world.tags()[row].id);
        if key(b) < key(a) { b } else { a }
    };
    let rows = (0..world.len()).into_par_iter().with_min_len(CHUNK);
    match rows.filter(|&row| distance(row) <= reach * reach).reduce_with(nearer) {
        Some(row) => Answer::json(&about(world, row)),
        None => Answer::json(&Value::Null),
    }
}

/// An agent by its id index.
pub(super) fn agent<N: Numbers>(world: &World<N>, id: u32) -> Answer {
    match world.tags().par_iter().with_min_len(CHUNK).position_any(|tag| tag.id == id) {
        Some(row) => Answer::json(&about(world, row)),
        None => Answer::json(&Value::Null),
    }
}

/// The ids of the agents in a rectangle: index and generation, four bytes each.
pub(super) fn select<N: Numbers>(world: &World<N>, [x0, y0, x1, y1]: Frame) -> Answer {
    let inside = |row: usize| {
        let [x, y] = world.positions()[row].map(N::to_f64);
        x0 <= x && x <= x1 && y0 <= y && y <= y1
    };
    let rows = (0..world.len()).into_par_iter().with_min_len(CHUNK);
    let mut ids: Vec<_> = rows.filter(|&row| inside(row)).map(|row| world.id(row)).collect();
    ids.sort_unstable();
    let bytes = ids.iter().flat_map(|id| [id.index.to_le_bytes(), id.generation.to_le_bytes()]);
    Answer::bytes(bytes.flatten().collect::<Vec<u8>>())
}

/// The values of the agent in a row.
fn about<N: Numbers>(world: &World<N>, row: usize) -> Value {
    let (id, tag) = (world.id(row), world.tags()[row]);
    let pos = world.positions()[row].map(N::to_f64);
    let [vx, vy] = world.velocities()[row].map(N::to_f64);
    let group = &world.groups()[usize::from(tag.group)];
    let base = world.base_group(tag.group);
    let words = WORDS.iter().filter(|(bit, _)| tag.state & bit != 0).map(|(_, word)| *word);
    let mind = world.mind_of(tag.group);
    json!({
        "tick": world.tick_count(),
        "id": id.index,
        "generation": id.generation,
        "group": base,
        "own_order": base != tag.group && mind.is_none(),
        "ordered": group.has_order(),
        "state": words.collect::<Vec<_>>(),
        "pos": pos,
        "velocity": [vx, vy],
        "speed": (vx * vx + vy * vy).sqrt(),
        "likes": group.def.speed,
        "radius": world.radius(row),
        "health": world.health(id).map(N::to_f64),
        "full_health": group.def.health,
        "target": world.target(id).map(|target| target.index),
        "label": world.label(id),
        "mind": world.state_of(id),
        "machine": mind,
        "way": way(world, tag, pos),
    })
}

/// Where an agent goes from here, as far as it is known: down its group's field, or along its route.
fn way<N: Numbers>(world: &World<N>, tag: Tag, pos: [f64; 2]) -> Vec<[f64; 2]> {
    let mut way = vec![pos];
    let steps = world.steps();
    if let Some(step) = steps.step.get(tag.id as usize)
        && step.mode & 1 != 0
        && world.groups()[usize::from(tag.group)].field().is_none()
    {
        way.push(steps.point[tag.id as usize].map(N::to_f64));
        let route = steps.route[tag.id as usize].map(N::to_f64);
        let points = route.chunks_exact(2).take(usize::from(step.count));
        way.extend(points.skip(usize::from(step.next)).map(|point| [point[0], point[1]]));
        return way;
    }
    let (mut at, step) = (pos, world.map().cell_size() * WAY_STEP);
    for _ in 0..WAY_POINTS {
        match world.flow(world.group_id(tag.group), at) {
            Some([x, y]) if x != 0.0 || y != 0.0 => at = [at[0] + x * step, at[1] + y * step],
            _ => break,
        }
        way.push(at);
    }
    way
}
