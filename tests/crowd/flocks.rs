//! The classic steering behaviours of groups: flocks, laps of a path, rounds along a wall, and which
//! agents an agent sees.

use crate::common::stage::{Body, Stage, distance, length, map};
use crate::common::steering::{behave, behaving, cross, dot, minus, nimble};
use throng::GroupId;
use throng::lane::Numbers;
use throng::math::{Fx, hash3, unit_f64};
use throng::world::{Avoidance, Behaviour, BehaviourKind, GroupDef, Mark, Side};

in_both!(
    flocks_keep_together_and_align,
    paths_are_followed_lap_by_lap,
    walls_are_followed_on_the_side_that_was_told
);

/// Agents at random places in a square, of ordinary size.
fn crowd<N: Numbers>(count: u64, side: f64) -> (Stage<N>, GroupId) {
    let mut stage = Stage::<N>::new(map(200, 200, &[]));
    let random = |i, axis| 100.0 + side * (unit_f64(hash3(3, i, axis)) - 0.5);
    let places: Vec<[f64; 2]> = (0..count).map(|i| [random(i, 0), random(i, 1)]).collect();
    let group = stage.group(GroupDef::default(), &places);
    (stage, group)
}

fn radius_of_gyration<N: Numbers>(stage: &Stage<N>) -> f64 {
    let bodies = stage.bodies();
    let mean = [0, 1].map(|i| bodies.iter().map(|b| b.pos[i]).sum::<f64>() / bodies.len() as f64);
    let square = |b: &Body| dot(minus(b.pos, mean), minus(b.pos, mean));
    (bodies.iter().map(square).sum::<f64>() / bodies.len() as f64).sqrt()
}

fn keeps_together<N: Numbers>() {
    let (mut stage, group) = crowd::<N>(120, 40.0);
    let before = radius_of_gyration(&stage);
    behave(&mut stage, group, BehaviourKind::Cohesion { with: group, range: 20.0 });
    (0..800).for_each(|_| stage.tick());
    let after = radius_of_gyration(&stage);
    assert!(after < 0.4 * before, "from {before} to {after} m");
    throng::state::validate(&stage.world).unwrap();
}

/// The length of the mean heading: 1 when all go the same way.
fn polarisation<N: Numbers>(stage: &Stage<N>) -> f64 {
    let bodies = stage.bodies();
    let heading = |b: &Body| b.vel.map(|c| c / b.speed().max(1e-9));
    let sum = bodies.iter().map(heading).fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    length(sum) / bodies.len() as f64
}

fn align<N: Numbers>() {
    let (mut stage, group) = crowd::<N>(120, 30.0);
    let wander =
        |weight| Behaviour::new(BehaviourKind::Wander { turn: 1.0, rate: 0.5 }).weight(weight);
    behaving(&mut stage, group, &[wander(1.0)]);
    (0..40).for_each(|_| stage.tick());
    let before = polarisation(&stage);
    assert!(before < 0.3, "they start in disorder: {before}");
    let alignment = Behaviour::new(BehaviourKind::Alignment { with: group, range: 12.0 });
    behaving(&mut stage, group, &[alignment, wander(0.1)]);
    (0..600).for_each(|_| stage.tick());
    let after = polarisation(&stage);
    assert!(after > 0.95, "from {before} to {after}");
}

fn flocks_keep_together_and_align<N: Numbers>() {
    keeps_together::<N>();
    align::<N>();
}

const CIRCUIT: [[f64; 2]; 5] =
    [[15.0, 15.0], [60.0, 12.0], [80.0, 45.0], [50.0, 70.0], [12.0, 50.0]];

/// Where on the circuit a point is: leg and share, and how far from it.
fn on_circuit(at: [f64; 2]) -> (f64, f64) {
    let leg = |i: usize| {
        let (a, b) = (CIRCUIT[i], CIRCUIT[(i + 1) % 5]);
        let t = (dot(minus(at, a), minus(b, a)) / dot(minus(b, a), minus(b, a))).clamp(0.0, 1.0);
        let foot = [0, 1].map(|k| a[k] + (b[k] - a[k]) * t);
        (i as f64 + t, distance(at, foot))
    };
    (0..5).map(leg).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

fn laps<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(100, 90, &[]));
    let def = GroupDef { speed: 3.0, avoidance: Avoidance::None, ..GroupDef::default() };
    let starts = [[30.0, 13.2], [35.0, 14.6], [80.0, 20.0]];
    let group = stage.group(def, &starts);
    let path = BehaviourKind::Path { points: CIRCUIT.to_vec(), radius: 1.0, closed: true };
    behave(&mut stage, group, path);
    let mut progress = vec![0.0; starts.len()];
    let mut farthest = 0.0_f64;
    for tick in 0..14_000 {
        let before = stage.bodies();
        stage.tick();
        for ((a, b), progress) in before.iter().zip(stage.bodies()).zip(&mut progress) {
            let ((from, _), (to, off)) = (on_circuit(a.pos), on_circuit(b.pos));
            let step = (to - from + 7.5).rem_euclid(5.0) - 2.5;
            if tick > 200 {
                assert!(step > -0.001 && step < 0.05, "{b:?} goes from {from} to {to}");
                farthest = farthest.max(off);
                *progress += step;
            }
        }
    }
    assert!(progress.iter().all(|&legs| legs > 50.0), "legs of ten laps: {progress:?}");
    assert!(farthest < 1.0 + 0.35, "{farthest} m from the path");
    assert!(farthest > 0.8, "they use its width: {farthest} m");
}

fn path_ends<N: Numbers>() {
    let mut stage = Stage::<N>::new(map(100, 90, &[]));
    let group = stage.group(GroupDef::default(), &[[10.0, 10.0]]);
    let points = vec![[12.0, 12.0], [30.0, 12.0], [40.0, 30.0]];
    behave(&mut stage, group, BehaviourKind::Path { points, radius: 0.5, closed: false });
    (0..1_200).for_each(|_| stage.tick());
    let one = stage.one();
    assert!(distance(one.pos, [40.0, 30.0]) < 0.1 && one.speed() < 0.01, "{one:?}");
}

fn paths_are_followed_lap_by_lap<N: Numbers>() {
    laps::<N>();
    path_ends::<N>();
}

/// Walks round a block of 30 m × 16 m; says how often, clockwise as one sees it (y down), and the
/// range of its distances.
fn round_a_block<N: Numbers>(side: Side, keep: f64) -> (f64, [f64; 2]) {
    let mut stage = Stage::<N>::new(map(90, 80, &[[30, 30, 60, 46]]));
    let def = GroupDef { response: 0.2, ..GroupDef::default() };
    let group = stage.group(def, &[[45.0, 50.5]]);
    behave(&mut stage, group, BehaviourKind::Wall { side, distance: keep, range: 12.0 });
    let (mut turns, mut range) = (0.0, [f64::INFINITY, 0.0]);
    for tick in 0..3_600 {
        let before = minus(stage.one().pos, [45.0, 38.0]);
        stage.tick();
        let at = stage.one().pos;
        let after = minus(at, [45.0, 38.0]);
        // Steps are so short that the sine is the angle.
        let sine = cross(before, after) / length(before) / length(after);
        turns += sine / std::f64::consts::TAU;
        if tick > 200 {
            let beside = |v: f64, low: f64, high: f64| (low - v).max(v - high).max(0.0);
            let off = length([beside(at[0], 30.0, 60.0), beside(at[1], 30.0, 46.0)]);
            range = [f64::min(range[0], off), f64::max(range[1], off)];
        }
    }
    (turns, range)
}

fn walls_are_followed_on_the_side_that_was_told<N: Numbers>() {
    for keep in [1.5, 3.0, 6.0] {
        let (turns, [low, high]) = round_a_block::<N>(Side::Right, keep);
        assert!(turns > 1.5, "with the wall on the right one goes round clockwise: {turns}");
        assert!(low > keep - 0.4 && high < keep + 0.4, "{low} to {high} m, {keep} m wanted");
        let (turns, [low, high]) = round_a_block::<N>(Side::Left, keep);
        assert!(turns < -1.5, "with the wall on the left against the clock: {turns}");
        assert!(low > keep - 0.4 && high < keep + 0.4, "{low} to {high} m, {keep} m wanted");
    }
}

/// Agents in sight, against a plain loop: three groups mixed at random places, each with a behaviour
/// that looks at another one, in one tick.
fn as_a_plain_loop<N: Numbers>(range: f64, tolerance: f64) {
    let mut stage = Stage::<N>::new(map(120, 120, &[]));
    let place = |i: u64| {
        let random = |axis| 20.0 + 0.35 * unit_f64(hash3(8, i, axis));
        [random(0) + (i % 31) as f64 * 1.4, random(1) + (i / 31) as f64 * 1.4]
    };
    let kinds: [fn(f64) -> BehaviourKind; 4] = [
        |range| BehaviourKind::Cohesion { with: GroupId::new(1), range },
        |range| BehaviourKind::Alignment { with: GroupId::new(1), range },
        |range| BehaviourKind::Seek { to: Mark::Group(GroupId::new(0)), range },
        |range| BehaviourKind::Flee { from: Mark::Group(GroupId::new(2)), range },
    ];
    for group in 0..4_u64 {
        let places: Vec<_> = (0..900).filter(|i| hash3(9, *i, 0) % 4 == group).map(place).collect();
        let group = stage.group(nimble(1.0), &places);
        behave(&mut stage, group, BehaviourKind::Wander { turn: 1.0, rate: 1.0 });
    }
    (0..3).for_each(|_| stage.tick());
    for (group, kind) in (0..).zip(kinds) {
        let goal = Behaviour::new(BehaviourKind::Goal).weight(0.0);
        behaving(&mut stage, GroupId::new(group), &[goal, Behaviour::new(kind(range))]);
    }
    let before = stage.bodies();
    stage.tick();
    let mut checked = [0; 4];
    for (one, after) in before.iter().zip(stage.bodies()) {
        let target = [1, 1, 0, 2][usize::from(one.group)];
        let mut others: Vec<(f64, &Body)> = before
            .iter()
            .filter(|other| other.group == target && other.id != one.id)
            .map(|other| (distance(other.pos, one.pos), other))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Where rounding may decide, nothing is known.
        if others.iter().any(|(d, _)| (d - range).abs() < 0.01) || others[1].0 - others[0].0 < 0.01
        {
            continue;
        }
        others.retain(|(d, _)| *d < range);
        let count = others.len().max(1) as f64;
        let mean = |f: fn(&Body) -> [f64; 2], own: [f64; 2]| {
            [0, 1].map(|i| others.iter().map(|(_, o)| f(o)[i] - own[i]).sum::<f64>() / count)
        };
        let limit = |v: [f64; 2]| v.map(|c| c / length(v).max(1.0));
        let expected = match (one.group, others.first()) {
            (0, _) => limit(mean(|o| o.pos, one.pos).map(|c| c / (range / 2.0))),
            (1, _) => limit(mean(|o| o.vel, [0.0; 2])),
            (_, None) => [0.0; 2],
            (2, Some((d, other))) => minus(other.pos, one.pos).map(|c| c / d),
            (_, Some((d, other))) => {
                let fade = (2.0 * (range - d) / range).min(1.0);
                minus(one.pos, other.pos).map(|c| c / d * fade)
            }
        };
        let off = distance(after.vel, expected);
        assert!(off < tolerance, "{one:?}: {:?}, not {expected:?} ({count})", after.vel);
        checked[usize::from(one.group)] += 1;
    }
    assert!(checked.iter().all(|&n| n > 60), "{checked:?}");
}

#[test]
fn everybody_sees_whom_a_plain_loop_sees() {
    for range in [2.5, 9.0, 30.0] {
        as_a_plain_loop::<f32>(range, 2e-3);
        as_a_plain_loop::<Fx>(range, 2e-2);
    }
}
