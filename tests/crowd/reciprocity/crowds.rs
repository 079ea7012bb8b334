//! Columns that meet head-on, and circles where every agent meets every other.

use crate::common::crowd::{on_threads, shipped};
use crate::common::data::all;
use crate::common::meeting::{Meeting, Met, Party, Way};
use crate::common::stage::{map, rect};
use crate::reciprocity::{TOUCH, orca, settings};
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::math::{Fx, Numeric};
use throng::world::GroupDef;

in_both!(columns_pass_in_the_open, columns_pass_in_a_corridor, the_shipped_columns_pass);

/// The same bits for other numbers of threads and for the one-lane twin, for `most` ticks at most.
fn same_for_all<N: Numbers>(meeting: &Meeting, most: u32, expected: &Met) {
    fn compare<L: Lane>(meeting: &Meeting, most: u32, threads: usize, expected: &Met) {
        let met = on_threads(threads, || meeting.run::<L>(most));
        assert_eq!(met.ticks, expected.ticks.min(most));
        let differs = expected.digests.iter().zip(&met.digests).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{threads} threads, {} lanes: that tick", L::WIDTH);
    }
    for threads in [1, 2, 3, 8] {
        compare::<N::Wide>(meeting, most, threads, expected);
    }
    compare::<N::Single>(meeting, most, 2, expected);
}

/// The shipped circle with every `step`-th of its agents, as much smaller.
fn circle(step: usize) -> Meeting {
    let circle = Meeting::of(&shipped("circle", Numeric::F32, 1_000));
    let [Party { def, way: Way::Opposite(centre), .. }, ..] = &circle.parties[..] else {
        panic!("everybody goes to the opposite point");
    };
    assert!(circle.parties.iter().all(|party| party.def == *def), "all are alike");
    let starts: Vec<_> = circle.parties.iter().flat_map(|party| party.starts.clone()).collect();
    assert_eq!(starts.len(), 1_000);
    let scaled = |at: [f64; 2]| at.map(|at| at / step as f64);
    let party = Party {
        def: def.clone(),
        starts: starts.into_iter().step_by(step).map(scaled).collect(),
        way: Way::Opposite(scaled(*centre)),
    };
    let side = (410 / step + 2) as u32;
    let map = Map::from_slowness(side, side, 4.0, &vec![16; (side * side) as usize]);
    Meeting { map, settings: circle.settings, parties: vec![party] }
}

fn circle_of_250<N: Numbers>() {
    let meeting = circle(4);
    let most = 10_000;
    let met = meeting.run::<N::Wide>(most);
    let free = meeting.free_one::<N>(most);
    let what = format!("circle of 250, {}: {free} free", N::NUMERIC.word());
    met.check(&what, 1.5 * f64::from(free), TOUCH);
    same_for_all::<N>(&meeting, most, &met);
}

#[test]
fn everybody_crosses_a_circle_of_250() {
    circle_of_250::<f32>();
}

#[test]
fn everybody_crosses_a_circle_of_250_in_fixed_point() {
    circle_of_250::<Fx>();
}

#[test]
fn everybody_crosses_a_circle_of_1000() {
    let meeting = circle(1);
    let most = 40_000;
    let met = meeting.run::<<f32 as Numbers>::Wide>(most);
    let free = meeting.free_one::<f32>(most);
    met.check(&format!("circle of 1,000: {free} free"), 1.5 * f64::from(free), TOUCH);
    if all() {
        same_for_all::<f32>(&meeting, most, &met);
    } else {
        same_for_all::<f32>(&meeting, 1_000, &met);
    }
}

/// A block of agents, `across` of them abreast, its front at `x`; `step` leads to the rear.
fn column(x: f64, step: f64, middle: f64, across: usize, ranks: usize) -> Vec<[f64; 2]> {
    let first = middle - 0.5 * step.abs() * (across - 1) as f64;
    let file =
        |rank: usize| move |file: usize| [x + step * rank as f64, first + step.abs() * file as f64];
    (0..ranks).flat_map(|rank| (0..across).map(file(rank))).collect()
}

/// Two columns that meet, each the mirror image of the other, in the open or between walls 8 m
/// apart. Each goes to where the other comes from.
fn columns(def: &GroupDef, walled: bool) -> Meeting {
    let walls: &[[u32; 4]] = if walled { &[[0, 0, 72, 12], [0, 20, 72, 32]] } else { &[] };
    let start = [column(26.0, -0.875, 16.0, 4, 15), column(46.0, 0.875, 16.0, 4, 15)];
    let goals = [rect(46.0, 11.0, 59.0, 21.0), rect(13.0, 11.0, 26.0, 21.0)];
    let party = |(starts, goal)| Party { def: def.clone(), starts, way: Way::Goal(goal) };
    let parties = start.into_iter().zip(goals).map(party).collect();
    Meeting { map: map(72, 32, walls), settings: settings(8), parties }
}

/// Columns of every kind; `share` is what they may take in terms of the time that each takes alone.
fn columns_pass<N: Numbers>(walled: bool, share: f64) {
    let preset = |name| (name, GroupDef::preset(name).expect("a preset"));
    for (name, def) in [("default", orca()), preset("rts"), preset("pedestrian")] {
        let meeting = columns(&def, walled);
        let most = 6_000;
        let met = meeting.run::<N::Wide>(most);
        let free = meeting.free::<N>(most);
        let place = if walled { "corridor" } else { "open" };
        let what = format!("columns, {name}, {place}, {}: {free} free", N::NUMERIC.word());
        met.check(&what, share * f64::from(free), TOUCH);
        same_for_all::<N>(&meeting, most, &met);
    }
}

fn columns_pass_in_the_open<N: Numbers>() {
    columns_pass::<N>(false, 1.5);
}

fn columns_pass_in_a_corridor<N: Numbers>() {
    columns_pass::<N>(true, 1.3);
}

fn the_shipped_columns_pass<N: Numbers>() {
    let plan = shipped("columns", N::NUMERIC, 240);
    let meeting = Meeting::of(&plan);
    for (west, east) in [(0, 1), (2, 3)] {
        let mirrored: Vec<_> =
            meeting.parties[east].starts.iter().map(|[x, y]| [80.0 - x, *y]).collect();
        assert_eq!(meeting.parties[west].starts, mirrored);
    }
    let most = plan.ticks as u32;
    let met = meeting.run::<N::Wide>(most);
    met.check(&format!("shipped columns, {}", N::NUMERIC.word()), f64::from(most), TOUCH);
    same_for_all::<N>(&meeting, most, &met);
}
