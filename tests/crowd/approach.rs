//! The kernels of crowds that are solid: the same bits on 8 lanes and on one, the values of plain
//! references in `f64`, and what walkers rely on.

use crate::common::stage::length;
use throng::kernel::approach::Block;
use throng::kernel::{approach, contact};
use throng::lane::{Lane, Mask, Numbers};
use throng::math::{Fx, Num, hash3, unit_f64};

/// A multiple of 1/256 between two numbers.
fn random(stream: u64, row: u64, low: f64, high: f64) -> f64 {
    let value = low + (high - low) * unit_f64(hash3(91, row, stream));
    (value * 256.0).floor() / 256.0
}

/// Position, heading, thinness, radius, velocity.
fn agent(row: u64, side: f64) -> [f64; 8] {
    let headings = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 0.0]];
    let [hx, hy] = headings[(row % 5) as usize];
    let soft = if row.is_multiple_of(3) { 0.625 } else { 1.0 };
    let number = |k, low, high| random(k, row, low, high);
    let radius = number(2, 0.25, 0.5);
    let [x, y] = [number(0, 0.0, side), number(1, 0.0, side)];
    [x, y, hx, hy, soft, radius, number(3, -2.0, 2.0), number(4, -2.0, 2.0)]
}

/// For every agent: its velocity among the others, and its shift by them. `chooses` says whether agents
/// choose their velocity.
fn run<L: Lane>(
    agents: &[[f64; 8]],
    [reach, rate]: [f64; 2],
    [chooses, pushes]: [bool; 2],
) -> Vec<[[L::Num; 2]; 2]> {
    let n = |value: f64| L::Num::from_f64(value);
    let lanes = |agent: &[f64; 8]| agent.map(|number| L::splat(n(number)));
    let mut results = Vec::new();
    for first in (0..agents.len()).step_by(L::WIDTH) {
        let lane = |k: usize| L::from_fn(|i| n(agents[(first + i).min(agents.len() - 1)][k]));
        let (pos, heading) = ([lane(0), lane(1)], [lane(2), lane(3)]);
        let (soft, radius) = (lane(4), lane(5));
        let block = Block {
            pos,
            heading,
            soft,
            radius,
            reach: L::splat(n(reach)),
            rate: L::splat(n(rate)),
            chooses: L::Mask::from_fn(|_| chooses),
            pushes: L::Mask::from_fn(|_| pushes),
        };
        let limits = || {
            agents.iter().map(|other| {
                let [x, y, mark @ ..] = lanes(other);
                let [to_x, to_y, soft, radius, vel_x, vel_y] = mark;
                let mark = [to_x, to_y, soft, radius, vel_x, vel_y, x, y];
                approach::limit(&block, mark, L::one())
            })
        };
        let vel =
            limits().chain(limits()).fold([lane(6), lane(7)], |vel, l| approach::obey(vel, &l));
        let part =
            limits().fold(L::one(), |part, l| approach::bounded(vel, l.normal, l.bound, part));
        let vel = vel.map(|c| c * part);
        let mut sums = contact::Sums::new();
        for (row, other) in agents.iter().enumerate() {
            let own = L::Mask::from_fn(|i| first + i == row);
            let [x, y, to_x, to_y, soft, radius, ..] = lanes(other);
            let looks = [to_x, to_y, soft, radius];
            contact::add(&block, [x, y], looks, L::one(), own, &mut sums);
        }
        for i in 0..L::WIDTH.min(agents.len() - first) {
            results.push([vel.map(|v| v.get(i)), sums.shift.map(|s| s.get(i))]);
        }
    }
    results
}

fn check<N: Numbers>(tolerance: f64) {
    let kinds = [[false; 2], [true, false], [false, true]];
    for (count, kind) in (0..27).chain([200]).flat_map(|count| kinds.map(|kind| (count, kind))) {
        let agents: Vec<_> = (0..count).map(|row| agent(row, 2.0 + count as f64 / 20.0)).collect();
        let wide = run::<N::Wide>(&agents, [0.5, 5.0], kind);
        let single = run::<N::Single>(&agents, [0.5, 5.0], kind);
        for (row, (wide, single)) in wide.iter().zip(&single).enumerate() {
            let bits = |pairs: &[[N; 2]; 2]| pairs.map(|pair| pair.map(|number| number.bits()));
            assert_eq!(bits(wide), bits(single), "row {row} of {count}");
            let own = agents[row];
            let others: Vec<_> = agents.clone();
            let vel = approach::reference([own[6], own[7]], own, [0.5, 5.0], kind[0], &others);
            let disc = |a: &[f64; 8]| [a[0], a[1], a[2], a[3], a[4], a[5]];
            let shift =
                agents.iter().map(|other| contact::reference(disc(&own), disc(other), kind));
            let shift = shift.fold([0.0; 2], |sum, s| [sum[0] + s[0], sum[1] + s[1]]);
            for (found, expected) in wide.iter().flatten().zip(vel.into_iter().chain(shift)) {
                let difference = (found.to_f64() - expected).abs();
                assert!(difference < tolerance, "row {row} of {count}: {found:?}, not {expected}");
            }
        }
    }
}

#[test]
fn lanes_agree_with_one_and_with_the_formulas() {
    check::<f32>(1e-4);
    check::<Fx>(0.02);
}

/// Two discs of radius 0.3 that run into each other at 20 m/s, a tick of 1/20 s at a time: they stop
/// before they touch.
#[test]
fn discs_that_meet_head_on_never_touch() {
    let (mut left, mut right) = (0.0_f64, 5.0);
    for _ in 0..200 {
        let agents = [
            [left, 0.0, 1.0, 0.0, 1.0, 0.3, 20.0, 0.0],
            [right, 0.0, -1.0, 0.0, 1.0, 0.3, -20.0, 0.0],
        ];
        let moved = run::<f32>(&agents, [4.0, 5.0], [false; 2]);
        left += f64::from(moved[0][0][0]) / 20.0;
        right += f64::from(moved[1][0][0]) / 20.0;
        assert!(right - left > 0.599, "{left} {right}");
    }
    assert!(right - left < 0.61, "they have met");
}

/// Agents that walk towards each other come nearer if at least one of them makes itself thin, by as
/// much as that says.
#[test]
fn thin_ones_squeeze_by_a_stated_bound() {
    let vel = |soft: f64, heading: f64| {
        let agents = [
            [0.0, 0.0, 1.0, 0.0, 1.0, 0.3, 1.0, 0.0],
            [0.55, 0.0, heading, 0.0, soft, 0.3, 0.0, 0.0],
        ];
        run::<f32>(&agents, [0.5, 5.0], [false; 2])[0][0][0]
    };
    assert!(vel(1.0, -1.0).abs() < 1e-6, "neither is thin");
    let thin = vel(0.6, -1.0);
    assert!((thin - 0.95).abs() < 1e-5, "0.55 m less 0.6 of 0.6 m in 0.2 s: {thin}");
    assert!(vel(0.6, 1.0).abs() < 1e-6, "not towards one who goes the same way");
}

/// The agent behind follows one that walks away; the one ahead does not wait.
#[test]
fn those_behind_follow_and_those_ahead_do_not_wait() {
    let agents =
        [[0.0, 0.0, 1.0, 0.0, 1.0, 0.3, 1.0, 0.0], [0.6, 0.0, 1.0, 0.0, 1.0, 0.3, 0.5, 0.0]];
    let moved = run::<f32>(&agents, [0.5, 5.0], [false; 2]);
    assert!((moved[0][0][0] - 0.5).abs() < 1e-5, "as fast as the one ahead: {moved:?}");
    assert!((moved[1][0][0] - 0.5).abs() < 1e-6, "as fast as it was: {moved:?}");
}

/// An agent that chooses its velocity follows nobody that it overlaps by more than a twentieth of the
/// radii: that one may stop within a tick. Others do.
#[test]
fn those_that_choose_follow_nobody_that_they_overlap() {
    let vel = |distance: f64, chooses: bool| {
        let agents = [
            [0.0, 0.0, 1.0, 0.0, 1.0, 0.3, 1.0, 0.0],
            [distance, 0.0, 1.0, 0.0, 1.0, 0.3, 0.5, 0.0],
        ];
        run::<f32>(&agents, [0.5, 5.0], [chooses, false])[0][0][0]
    };
    assert!((vel(0.58, true) - 0.5).abs() < 1e-5, "as fast as the one ahead");
    assert!(vel(0.56, true).abs() < 1e-6, "it waits");
    assert!((vel(0.56, false) - 0.5).abs() < 1e-5, "as fast as the one ahead");
}

/// However many agents stand around it, one that chooses its velocity comes no nearer to any of them in two
/// ticks than 0.78 of their radii, or 1/64 m/s nearer where it is as near already.
fn stay_bounded<N: Numbers>(tolerance: f64) {
    let rate = 10.0;
    let mut slowed = 0;
    for count in [4, 9, 16, 40, 80] {
        let agents: Vec<_> = (0..count).map(|row| agent(row, 2.0 + count as f64 / 20.0)).collect();
        let moved = run::<N::Wide>(&agents, [0.5, rate], [true, false]);
        for (own, [vel, _]) in agents.iter().zip(moved) {
            for other in &agents {
                let d = [other[0] - own[0], other[1] - own[1]];
                let far = length(d);
                if far == 0.0 || far > own[5] + other[5] + 0.45 {
                    continue;
                }
                let along = |vel: [f64; 2]| (vel[0] * d[0] + vel[1] * d[1]) / far;
                let room = (far - 0.78 * (own[5] + other[5])).max(0.0);
                let away = along([other[6], other[7]]).max(0.0);
                let most = room * rate + away + 1.0 / 64.0;
                let towards = along(vel.map(N::to_f64));
                assert!(towards < most + tolerance, "{towards} m/s of {most} at {far} m");
                slowed += u32::from(towards > most - tolerance);
            }
        }
    }
    assert!(slowed > 5, "{slowed} are held by it");
}

#[test]
fn those_that_choose_come_no_nearer_than_a_bound() {
    stay_bounded::<f32>(1e-3);
    stay_bounded::<Fx>(0.03);
}

/// Of two agents that choose their velocity each is shifted through half of the room to 0.78 of their
/// radii, and a millimetre at the most where there is none; others as far as they are pushed.
#[test]
fn shifts_leave_room() {
    let room = |distance: f32, chooses: bool| {
        let block = Block {
            pos: [1.0_f32, 2.0],
            heading: [0.0; 2],
            soft: 1.0,
            radius: 0.3,
            reach: 0.5,
            rate: 10.0,
            chooses,
            pushes: false,
        };
        let ([x, y], most) = contact::room(&block, [1.0, 2.0 + distance, 0.2], true);
        assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6, "towards it: {x} {y}");
        most
    };
    assert!((room(0.5, true) - 0.055).abs() < 0.002);
    assert!((room(0.39, true) - 0.0).abs() < 0.002);
    assert!((room(0.2, true) - 0.0).abs() < 0.002);
    assert!(room(0.2, false) > 100.0);
    let part = |most: f32| approach::bounded([0.03, 0.04], [0.0, 1.0], most, 0.75_f32);
    assert!((part(0.01) - 0.25).abs() < 1e-6, "{}", part(0.01));
    assert!((part(0.035) - 0.75).abs() < 1e-6, "{}", part(0.035));
}
