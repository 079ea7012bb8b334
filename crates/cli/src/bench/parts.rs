//! Parts of the engine by themselves, on one thread: flow fields, paths and intercepts.

use std::hint::black_box;

use serde::Serialize;
use throng::Numbers;
use throng::kernel::intercept::slices::solve_all;
use throng::kernel::intercept::{Answers, Arc, Method as Aiming, Shots};
use throng::map::{Clearance, Map};
use throng::math::{hash2, hash3, unit_f64};
use throng::nav::field::{GoalCells, Job};

use crate::bench::{seconds, word};
use crate::pathfinding::{Method, Prepared, Query, Scratch, Way};

/// Side of the maps in cells, and of a room.
const SIDE: u32 = 1_024;
const ROOM: u32 = 32;
/// Radius of the agents, in metres and cells.
const RADIUS: f64 = 0.4;
/// Paths that are looked for.
const PATHS: u64 = 20;
/// Shots that are solved at a time.
const SHOTS: usize = 2_048;

/// A figure.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    pub(super) what: String,
    pub(super) value: f64,
    pub(super) unit: &'static str,
}

/// A map by the slowness of its cells.
fn map(slowness: impl Fn(u32, u32) -> u8) -> Map {
    let cells: Vec<u8> = (0..SIDE * SIDE).map(|i| slowness(i % SIDE, i / SIDE)).collect();
    Map::from_slowness(SIDE, SIDE, 1.0, &cells)
}

/// Rooms, most of them with a door in every wall.
fn rooms() -> Map {
    let door = |wall: u64, room: u32| {
        let bits = hash2(wall, u64::from(room));
        (!bits.is_multiple_of(10)).then(|| 2 + (bits >> 8) as u32 % (ROOM - 6))
    };
    let is_open = |wall: u64, x: u32, y: u32| {
        let room = y / ROOM * SIDE + x / ROOM;
        door(wall, room)
            .is_some_and(|door| (door..door + 3).contains(&(if wall == 0 { y } else { x } % ROOM)))
    };
    map(|x, y| match (x % ROOM, y % ROOM) {
        (0, 0) => 0,
        (0, _) if !is_open(0, x, y) => 0,
        (_, 0) if !is_open(1, x, y) => 0,
        _ => 16,
    })
}

/// Whole flow fields: distances, directions and lines of sight.
pub(super) fn fields() -> Vec<Part> {
    let noise =
        map(|x, y| if hash2(u64::from(x), u64::from(y)).is_multiple_of(5) { 0 } else { 16 });
    let maps = [("open", map(|_, _| 16)), ("rooms", rooms()), ("20 % noise", noise)];
    maps.into_iter()
        .map(|(name, map)| {
            let class = map.class(RADIUS);
            let goals = GoalCells::point(open_cell(&class, &map, 0));
            let mut job = Job::default();
            let seconds = seconds(|| {
                let directions = job.take_directions();
                job.start(&class, &goals, directions);
                while !job.advance(&class, u32::MAX).done {}
            });
            let what = format!("flow field of {SIDE}² cells, {name}");
            Part { what, value: 1e3 * seconds, unit: "ms" }
        })
        .collect()
}

/// The passable cell of a number, drawn among all.
fn open_cell(class: &Clearance, map: &Map, number: u64) -> u32 {
    let cell = |attempt: u64| {
        let bits = hash3(9, number, attempt);
        map.index(bits as u32 % SIDE, (bits >> 32) as u32 % SIDE)
    };
    (0..).map(cell).find(|&cell| class.passable(cell)).expect("most cells are open")
}

/// Paths through rooms.
///
/// # Errors
/// When a method that promises shortest paths finds a longer one than Dijkstra's search.
pub(super) fn paths() -> Result<Vec<Part>, String> {
    let methods = [
        ("Dijkstra's search", Method::Dijkstra),
        ("A*", Method::AstarOctile),
        ("A* with landmarks", Method::Landmarks),
        ("jump points", Method::Jump),
        ("Polyanya on a mesh", Method::Exact),
    ];
    let map = rooms();
    let class = map.class(RADIUS);
    let ends = (0..PATHS).map(|i| [1 + 2 * i, 2 + 2 * i].map(|n| open_cell(&class, &map, n)));
    let joined = ends.filter(|&[from, to]| class.same_component(from, to));
    let queries: Vec<Query> =
        joined.map(|[from, to]| Query { from, to, leader: from, seed: 1, most_steps: 0 }).collect();
    let (mut parts, mut shortest) = (Vec::new(), Vec::new());
    for (name, method) in methods {
        let prepared = Prepared::new(method, &map, &class, RADIUS)
            .map_err(|error| format!("{name} cannot be used: {error}"))?;
        let (mut scratch, mut way) = (Scratch::default(), Way::default());
        let mut lengths = vec![0.0; queries.len()];
        let seconds = seconds(|| {
            for (query, length) in queries.iter().zip(&mut lengths) {
                prepared.find(query, &mut scratch, &mut way);
                *length = if way.found { way.length } else { f64::INFINITY };
            }
        });
        if shortest.is_empty() {
            shortest.clone_from(&lengths);
        }
        if let Some((length, least)) =
            lengths.iter().zip(&shortest).find(|(length, least)| **length > **least + 1e-6)
        {
            return Err(format!(
                "{name} finds a path of {length} cells where there is one of {least}"
            ));
        }
        let value = 1e6 * seconds / queries.len() as f64;
        parts.push(Part {
            what: format!("a path on {SIDE}² cells of rooms, {name}"),
            value,
            unit: "µs",
        });
    }
    Ok(parts)
}

/// Intercepts of targets within 300 m that run or ride.
pub(super) fn intercepts<N: Numbers>() -> Vec<Part> {
    let column = |stream: u64, [low, high]: [f64; 2]| -> Vec<N> {
        let number = |row: usize| unit_f64(hash3(5, stream, row as u64));
        (0..SHOTS).map(|row| N::from_f64(low + (high - low) * number(row))).collect()
    };
    let [far, high, run, climb, push] =
        [[-200.0, 200.0], [-20.0, 20.0], [-15.0, 15.0], [-2.0, 2.0], [-1.0, 1.0]];
    let ranges = [far, far, high, run, run, climb, push, push, push, [30.0, 120.0], [9.81, 9.81]];
    let columns: Vec<Vec<N>> =
        (0..).zip(ranges).map(|(stream, range)| column(stream, range)).collect();
    let three = |first: usize| [0, 1, 2].map(|axis| &columns[first + axis][..]);
    let shots = Shots {
        delta: three(0),
        vel: three(3),
        acc: three(6),
        speed: &columns[9],
        gravity: &columns[10],
        longest: N::from_f64(30.0),
    };
    let mut numbers: [Vec<N>; 4] = std::array::from_fn(|_| vec![N::ZERO; SHOTS]);
    let [mut outcome, mut iterations] = [0; 2].map(|_| vec![0; SHOTS]);
    let methods = [
        ("constant velocity", Aiming::Constant),
        ("moving target under gravity", Aiming::Moving(Arc::Low)),
    ];
    let mut parts = Vec::new();
    for (name, method) in methods {
        let seconds = seconds(|| {
            let [time, x, y, z] = &mut numbers;
            let (outcome, iterations) = (&mut outcome[..], &mut iterations[..]);
            let mut answers = Answers { time, launch: [x, y, z], outcome, iterations };
            for _ in 0..20 {
                solve_all(black_box(method), black_box(&shots), &mut answers);
            }
        });
        let what = format!("intercepts, {name}, {}", word::<N>());
        parts.push(Part { what, value: 20e-6 * SHOTS as f64 / seconds, unit: "million a second" });
    }
    parts
}
