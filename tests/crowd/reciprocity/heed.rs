//! Which agents give way to which: by weight, by layer, and by kind of avoidance.

use throng::lane::Numbers;
use throng::world::{Avoidance, GroupDef};

use crate::common::meeting::{Met, Way};
use crate::reciprocity::{TOUCH, crossing, orca};

in_both!(
    the_heavier_gives_way_less,
    layers_are_heeded_as_declared,
    layers_are_heeded_by_separation_as_declared,
    those_who_do_not_look_are_given_way_to,
    both_kinds_pass_each_other
);

const MOST: u32 = 2_000;
const WEST: [f64; 2] = [10.0, 20.0];
const EAST: [f64; 2] = [30.0, 20.0];

/// Two agents that meet head-on, and the first alone.
fn meet<N: Numbers>(first: &GroupDef, second: &GroupDef) -> [Met; 2] {
    let alone = crossing(&[(first.clone(), WEST)]).run::<N::Wide>(MOST);
    let met = crossing(&[(first.clone(), WEST), (second.clone(), EAST)]).run::<N::Wide>(MOST);
    [met, alone]
}

/// Panics unless the first walked as if it were alone.
fn check_undisturbed([met, alone]: &[Met; 2], what: &str) {
    let ticks = alone.tracks[0].len().min(met.tracks[0].len());
    let differs = (0..ticks).find(|&at| alone.tracks[0][at] != met.tracks[0][at]);
    assert_eq!(differs, None, "{what}: from that tick on the first gave way");
}

/// How far each of two was pushed aside: against the same two on ways 10 m apart.
fn pushed_aside<N: Numbers>(first: &GroupDef, second: &GroupDef) -> ([f64; 2], Met) {
    let start = |at: [f64; 2], aside: f64| vec![[at[0], at[1] + aside]];
    let mut meeting = crossing(&[(first.clone(), WEST), (second.clone(), EAST)]);
    let met = meeting.run::<N::Wide>(MOST);
    for (party, (at, aside)) in meeting.parties.iter_mut().zip([(WEST, -5.0), (EAST, 5.0)]) {
        party.starts = start(at, aside);
        party.way = Way::Opposite([20.0, 20.0 + aside]);
    }
    let apart = meeting.run::<N::Wide>(MOST);
    let aside = [0, 1].map(|agent| {
        let tracks = met.tracks[agent].iter().zip(&apart.tracks[agent]);
        let start = [met.tracks[agent][0][1], apart.tracks[agent][0][1]];
        let aside = |(a, b): (&[f64; 2], &[f64; 2])| (a[1] - start[0] - (b[1] - start[1])).abs();
        tracks.map(aside).fold(0.0, f64::max)
    });
    (aside, met)
}

fn weights<N: Numbers>() {
    for [light, heavy] in [[1.0, 1.0], [1.0, 4.0], [0.5, 8.0], [0.01, 100.0]] {
        let def = |weight| GroupDef { weight, ..orca() };
        let (aside, met) = pushed_aside::<N>(&def(light), &def(heavy));
        let what = format!("weights {light} and {heavy}, {}: aside {aside:?}", N::NUMERIC.word());
        met.check(&what, f64::from(MOST), TOUCH);
        // Both turn to the same side as soon as they see each other; the rest goes by weight.
        let ratio = heavy / light;
        let range = if ratio > 1.0 { 1.5..3.0 } else { 0.8..1.25 };
        assert!(range.contains(&(aside[0] / aside[1])), "{what}");
    }
}

fn the_heavier_gives_way_less<N: Numbers>() {
    weights::<N>();
}

fn layers<N: Numbers>(avoidance: Avoidance) {
    let kind = GroupDef { avoidance, ..GroupDef::default() };
    let def = |layer, avoids| GroupDef { layer, avoids, ..kind.clone() };
    let (ground, air) = (def(0, 0b01), def(1, 0b10));
    let (careful, careless) = (def(0, 0b11), def(1, 0b10));
    let word = N::NUMERIC.word();
    for (first, second) in [(&ground, &air), (&air, &ground)] {
        let runs = meet::<N>(first, second);
        check_undisturbed(&runs, &format!("{avoidance:?}, layers apart, {word}"));
        assert!(runs[0].deepest.0 > 0.5, "they walk through each other: {:?}", runs[0].deepest);
    }
    let runs = meet::<N>(&careless, &careful);
    let what = format!("{avoidance:?}, one looks, {word}");
    check_undisturbed(&runs, &what);
    runs[0].check(&what, f64::from(MOST), TOUCH);
    let [met, _] = meet::<N>(&def(0, 0b11), &def(1, 0b11));
    met.check(&format!("{avoidance:?}, both look, {word}"), f64::from(MOST), TOUCH);
}

fn layers_are_heeded_as_declared<N: Numbers>() {
    layers::<N>(Avoidance::Orca);
}

fn layers_are_heeded_by_separation_as_declared<N: Numbers>() {
    layers::<N>(Avoidance::Separation);
}

fn blind<N: Numbers>() {
    let none = GroupDef { avoidance: Avoidance::None, ..GroupDef::default() };
    let word = N::NUMERIC.word();
    let runs = meet::<N>(&none, &none);
    check_undisturbed(&runs, "both blind");
    assert!(runs[0].deepest.0 > 0.5, "they walk through each other: {:?}", runs[0].deepest);
    for other in [orca(), GroupDef::default()] {
        let runs = meet::<N>(&none, &other);
        let what = format!("one blind, the other {:?}, {word}", other.avoidance);
        check_undisturbed(&runs, &what);
        runs[0].check(&what, f64::from(MOST), TOUCH);
    }
}

fn those_who_do_not_look_are_given_way_to<N: Numbers>() {
    blind::<N>();
}

/// Agents of both kinds pass each other.
fn both_kinds_pass_each_other<N: Numbers>() {
    let [met, _] = meet::<N>(&orca(), &GroupDef::default());
    met.check(&format!("orca and separation, {}", N::NUMERIC.word()), f64::from(MOST), TOUCH);
}
