//! Shots at the edge of what can be, symmetries, and other ways to the same answer.

use throng::kernel::intercept::{
    Arc, Effort, FARTHEST, FASTEST, HARDEST, InterceptError, LONGEST, Method, Outcome, SLOWEST,
    Shot, Solution, constant, fastest, reference, solve, solve_within, still,
};
use throng::lane::Numbers;
use throng::math::{Fx, Num};

use crate::intercept::shots::{Columns, VariantSet, unit};
use crate::intercept::{METHODS, oracle, shots};

in_both!(any_number_of_shots_gives_the_same_bits, mirrored_and_turned_shots_have_the_same_bits);

const PLAIN: Shot<f64> = Shot {
    delta: [30.0, 40.0, 0.0],
    vel: [0.0; 3],
    acc: [0.0; 3],
    speed: 25.0,
    gravity: 0.0,
    longest: 60.0,
};

fn typed<N: Num>(shot: &Shot<f64>) -> Shot<N> {
    let three = |v: [f64; 3]| v.map(N::from_f64);
    Shot {
        delta: three(shot.delta),
        vel: three(shot.vel),
        acc: three(shot.acc),
        speed: N::from_f64(shot.speed),
        gravity: N::from_f64(shot.gravity),
        longest: N::from_f64(shot.longest),
    }
}

/// Solves in a number type; the solution in `f64`.
fn solved<N: Numbers>(method: Method, shot: &Shot<f64>) -> Result<Solution<f64>, InterceptError> {
    let Solution { time, launch, outcome, iterations } = solve(method, &typed::<N>(shot))?;
    Ok(Solution { time: time.to_f64(), launch: launch.map(N::to_f64), outcome, iterations })
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 3e-5 + 1e-5 * expected.abs()
}

/// A method's time in both number types, or `None` where it is impossible.
fn time(method: Method, shot: &Shot<f64>) -> Option<f64> {
    let times = [solved::<f32>(method, shot), solved::<Fx>(method, shot)];
    let times = times.map(|solution| solution.ok().map(|solution| solution.time));
    let same = match times {
        [Some(a), Some(b)] => near(a, b),
        other => other == [None, None],
    };
    assert!(same, "{method:?} {shot:?}: {times:?}");
    times[1]
}

#[test]
fn straight_shots_by_hand() {
    let meet = |vel: [f64; 3], speed: f64| time(Method::Constant, &Shot { vel, speed, ..PLAIN });
    let hits = |vel: [f64; 3], speed: f64, after: f64| {
        assert!(meet(vel, speed).is_some_and(|time| near(time, after)), "{vel:?} {speed}");
    };
    hits([0.0; 3], 25.0, 2.0);
    // Towards the muzzle, away from it, and across at 3-4-5.
    hits([-15.0, -20.0, 0.0], 25.0, 1.0);
    hits([9.0, 12.0, 0.0], 25.0, 5.0);
    hits([-16.0, 12.0, 0.0], 25.0, 50.0 / 15.0);
    // Equal speeds: towards the muzzle, to the side and away.
    hits([-15.0, -20.0, 0.0], 25.0, 1.0);
    hits([-25.0, 0.0, 0.0], 25.0, 2500.0 / 1500.0);
    assert_eq!(meet([-20.0, 15.0, 0.0], 25.0), None);
    assert_eq!(meet([15.0, 20.0, 0.0], 25.0), None);
    // A faster target: towards the muzzle, just in reach, out of it, away.
    hits([-30.0, -40.0, 0.0], 25.0, 50.0 / 75.0);
    assert!(meet([-48.0, 14.0, 0.0], 46.9).is_some());
    assert_eq!(meet([-48.0, 14.0, 0.0], 46.7), None);
    assert_eq!(meet([30.0, 40.0, 0.0], 25.0), None);
    // Later than the limit.
    assert_eq!(meet([14.5, 19.5, 0.0], 25.0), None);
}

#[test]
fn arcs_by_hand() {
    let arcs = |delta: [f64; 3], speed: f64, gravity: f64| {
        let shot = Shot { delta, speed, gravity, ..PLAIN };
        let all = [
            Method::Still(Arc::Low),
            Method::Still(Arc::High),
            Method::Moving(Arc::Low),
            Method::Moving(Arc::High),
        ];
        let [a, b, c, d] = all.map(|method| time(method, &shot));
        assert!(a.is_some() == c.is_some() && b.is_some() == d.is_some(), "{shot:?}");
        assert!(a.is_none_or(|a| near(a, c.unwrap()) && near(b.unwrap(), d.unwrap())), "{shot:?}");
        a.map(|low| [low, b.unwrap()])
    };
    let are = |delta: [f64; 3], speed: f64, gravity: f64, [low, high]: [f64; 2]| {
        let found = arcs(delta, speed, gravity).unwrap();
        assert!(near(found[0], low) && near(found[1], high), "{delta:?} {speed}: {found:?}");
    };
    // 5 t² − 20 t + 15 = 0 straight up, and its mirror image straight down.
    are([0.0, 0.0, 15.0], 20.0, 10.0, [1.0, 3.0]);
    are([0.0, 0.0, -60.0], 20.0, 10.0, [2.0, 6.0]);
    assert_eq!(arcs([0.0, 0.0, 21.0], 20.0, 10.0), None);
    // The farthest point on the level at 45°, s²/g = 40 m away: both arcs are one there.
    are([39.999, 0.0, 0.0], 20.0, 10.0, [2.818_37, 2.838_43]);
    assert_eq!(arcs([40.001, 0.0, 0.0], 20.0, 10.0), None);
    // Without gravity there is one.
    are([0.0, 30.0, 40.0], 25.0, 0.0, [2.0, 2.0]);
    // The high arc takes longer than the limit.
    are([0.0, 30.0, 40.0], 1000.0, 10.0, [0.050_01, 0.050_01]);
}

#[test]
fn a_target_at_the_muzzle_is_hit_now() {
    for delta in [[0.0; 3], [0.0, -1e-6, 1e-6]] {
        for method in METHODS {
            let shot = Shot { delta, vel: [3.0, 0.0, 0.0], gravity: 9.81, ..PLAIN };
            for solution in [solved::<f32>(method, &shot), solved::<Fx>(method, &shot)] {
                let Solution { time, launch, outcome, .. } = solution.unwrap();
                assert_eq!((time, launch, outcome), (0.0, [0.0; 3], Outcome::Hit), "{method:?}");
            }
        }
    }
}

#[test]
fn what_is_out_of_range_is_impossible_and_named() {
    let good = Shot { gravity: 10.0, speed: 200.0, ..PLAIN };
    let far = |x: f64| Shot { delta: [x, 0.0, 0.0], speed: FASTEST, ..good };
    let all: [(&str, Shot<f64>, Shot<f64>); 7] = [
        ("distance", far(FARTHEST - 0.1), far(FARTHEST + 0.1)),
        (
            "target's speed",
            Shot { vel: [-FASTEST, 0.0, 0.0], ..good },
            Shot { vel: [-FASTEST - 0.1, 0.0, 0.0], ..good },
        ),
        (
            "acceleration",
            Shot { acc: [0.0, -HARDEST, 0.0], ..good },
            Shot { acc: [0.0, -HARDEST - 0.1, 0.0], ..good },
        ),
        ("muzzle speed", Shot { speed: FASTEST, ..good }, Shot { speed: FASTEST + 0.1, ..good }),
        ("muzzle speed", good, Shot { speed: SLOWEST / 2.0, ..good }),
        ("gravity", good, Shot { gravity: -0.1, ..good }),
        ("longest time", Shot { longest: LONGEST, ..good }, Shot { longest: 121.0, ..good }),
    ];
    for (what, inside, outside) in all {
        for method in [Method::Fastest, Method::Moving(Arc::Low)] {
            for (shot, legal) in [(inside, true), (outside, false)] {
                let error = solved::<f32>(method, &shot).err();
                let range = matches!(error, Some(InterceptError::Range { .. }));
                assert_eq!(range, !legal, "{what} {method:?}: {error:?}");
                assert!(legal || error.unwrap().to_string().contains(what));
                let columns = Columns::<f32>::new(1, |_| shot);
                let outcome = shots::solve::<f32>(method, &columns, 1).outcome[0];
                assert!(legal || outcome == Outcome::Impossible as u8, "{what} {method:?}");
            }
        }
    }
    let error = solved::<f32>(Method::Fastest, &far(6e4)).unwrap_err().to_string();
    assert_eq!(error, "the distance is 60000 m; it may be from 0 to 56760 m");
}

#[test]
fn what_is_no_number_is_impossible() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        for (place, method) in (0..12).flat_map(|place| METHODS.map(|method| (place, method))) {
            let mut numbers = [1.0_f32; 12];
            numbers[place] = bad;
            let answer = shots::solve_numbers(method, numbers);
            let [time, x, y, z] = answer.0;
            assert!([time, x, y, z].iter().all(|v| v.is_finite()), "{method:?} {numbers:?}");
            let counts = match method {
                Method::Constant => (0..6).contains(&place) || [9, 11].contains(&place),
                Method::Still(_) => !(3..9).contains(&place),
                _ => true,
            };
            let impossible = answer.1 == Outcome::Impossible;
            assert!(impossible || !counts, "{method:?} {numbers:?}: {answer:?}");
        }
    }
}

fn any_number_of_shots_gives_the_same_bits<N: Numbers>() {
    let columns = Columns::<N>::new(26, |row| shots::shot(VariantSet::Field, row));
    for method in METHODS {
        let whole = shots::solve::<N::Single>(method, &columns, 26);
        for rows in 0..=26 {
            let part = shots::solve::<N::Wide>(method, &columns, rows);
            let same = (0..rows).all(|row| part.bits(row) == whole.bits(row));
            assert!(same, "{method:?} {rows}");
        }
    }
}

/// A change of the coordinates.
type Change = fn([f64; 3]) -> [f64; 3];

fn mirrored_and_turned_shots_have_the_same_bits<N: Numbers>() {
    let as_is = |row| shots::shot(VariantSet::Field, row);
    let all = |change: Change| {
        Columns::<N>::new(4_000, move |row| {
            let Shot { delta, vel, acc, .. } = as_is(row);
            let [delta, vel, acc] = [delta, vel, acc].map(change);
            Shot { delta, vel, acc, ..as_is(row) }
        })
    };
    let turns: [Change; 4] = [
        |[x, y, z]| [-x, y, z],
        |[x, y, z]| [x, -y, z],
        |[x, y, z]| [y, x, z],
        |[x, y, z]| [-y, x, z],
    ];
    let plain = all(|v| v);
    for method in METHODS {
        let answered = shots::solve::<N::Wide>(method, &plain, 4_000);
        for turn in turns {
            let turned = shots::solve::<N::Wide>(method, &all(turn), 4_000);
            for row in 0..4_000 {
                let (a, b) = (answered.one(row), turned.one(row));
                assert_eq!(a.time.to_bits(), b.time.to_bits(), "{method:?} {row}");
                let expected = turn(a.launch).map(|v| v + 0.0);
                assert_eq!(b.launch.map(|v| v + 0.0), expected, "{method:?} {row}");
                assert_eq!(a.outcome, b.outcome);
            }
        }
    }
}

#[test]
fn a_common_velocity_changes_nothing() {
    // The launcher moves as well, and the projectile inherits that: what counts is the difference.
    let mut hits = 0;
    for row in 0..2_000 {
        let shot = Shot { acc: [0.0; 3], gravity: 0.0, ..shots::shot(VariantSet::Field, row) };
        let common = [0, 1, 2].map(|axis| (64.0 * (unit(40 + axis, row) - 0.5)).round());
        let Ok(solution) = solved::<f32>(Method::Constant, &shot) else { continue };
        let target_vel = [0, 1, 2].map(|i| shot.vel[i] + common[i]);
        let launch = [0, 1, 2].map(|i| solution.launch[i] + common[i]);
        let seen = Shot { vel: target_vel, ..typed_back(&shot) };
        let miss = oracle::miss(&seen, launch, solution.time);
        assert!(miss < 1e-3, "row {row}: {miss} m");
        // Seen from the ground and brought back to the launcher it is the same shot.
        let relative = Shot { vel: [0, 1, 2].map(|i| target_vel[i] - common[i]), ..shot };
        let again = solved::<f32>(Method::Constant, &relative).unwrap();
        assert!(near(again.time, solution.time), "row {row}");
        hits += 1;
    }
    assert!(hits > 1_000, "{hits}");
}

/// The shot as `f32` holds it.
fn typed_back(shot: &Shot<f64>) -> Shot<f64> {
    let three = |v: [f64; 3]| v.map(|c| f64::from(c as f32));
    Shot { delta: three(shot.delta), vel: three(shot.vel), acc: three(shot.acc), ..*shot }
}

#[test]
fn references_agree() {
    let (mut straight, mut standing, mut moving, mut slowest) = (0, 0, 0, 0);
    for row in 0..3_000 {
        let shot = shots::shot(VariantSet::Field, row);
        let shot = {
            let Shot { delta, vel, acc, speed, gravity, longest } = typed::<Fx>(&shot);
            let three = |v: [Fx; 3]| v.map(Fx::to_f64);
            let [speed, gravity, longest] = [speed, gravity, longest].map(Fx::to_f64);
            Shot { delta: three(delta), vel: three(vel), acc: three(acc), speed, gravity, longest }
        };
        let distance = oracle::length(shot.delta);
        if distance < 0.01 {
            continue;
        }
        let same = |found: Option<f64>, expected: f64| {
            assert!(found.is_some_and(|t| near(t, expected)), "{shot:?}: {found:?}, {expected}");
        };
        let time = |method| solved::<Fx>(method, &shot).ok().map(|solution| solution.time);
        if let Some(expected) = constant::reference(shot.delta, shot.vel, shot.speed)
            && expected < 29.0
        {
            same(time(Method::Constant), expected);
            straight += 1;
        }
        if let Some([low, high]) = still::reference(shot.delta, shot.speed, shot.gravity)
            && high < 29.0
        {
            same(time(Method::Still(Arc::Low)), low);
            same(time(Method::Still(Arc::High)), high);
            standing += 1;
        }
        let first = 0.5 * distance / oracle::size(&shot, 30.0);
        let hits = reference::hits(&shot, first, 1.005);
        if let [low, .., high] = hits[..]
            && high < 29.9
        {
            same(time(Method::Moving(Arc::Low)), low);
            same(time(Method::Fastest), low);
            same(time(Method::Moving(Arc::High)), high);
            // Held back to that speed a straight shot takes as long, unless a later one does too.
            let held = fastest::held_back(shot.delta, shot.vel, low);
            let straight = constant::reference(shot.delta, shot.vel, held).unwrap();
            assert!(straight <= low * 1.000_001, "{shot:?}: {straight}, {low}");
            moving += 1;
        }
        let [_, least] = reference::slowest(&shot, first, 1.005);
        let solution = solve_within(Method::Least, &typed::<Fx>(&shot), Effort::FULL).unwrap();
        let found = oracle::length(solution.launch.map(Fx::to_f64));
        if least < 30_000.0 {
            let room = 0.005 * oracle::size(&shot, solution.time.to_f64());
            assert!(found <= least + 2e-5 && found >= least - room, "{found}, {least}");
            slowest += 1;
        }
    }
    let counts = [straight, standing, moving, slowest];
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn steps_that_run_out_are_told() {
    for (method, aims, steps) in [
        (Method::Moving(Arc::Low), 2, 3),
        (Method::Moving(Arc::High), 2, 3),
        (Method::Fastest, 0, 3),
        (Method::Least, 0, 2),
    ] {
        let mut outcomes = [0; 4];
        for row in 0..2_000 {
            let shot = typed::<f32>(&shots::shot(VariantSet::Field, row));
            let solution = solve_within(method, &shot, Effort { aims, steps }).unwrap();
            outcomes[solution.outcome as usize] += 1;
            if solution.outcome == Outcome::Capped {
                // The launch belongs to the time all the same.
                let launch = solution.launch.map(f64::from);
                let exact = Shot {
                    delta: shot.delta.map(f64::from),
                    vel: shot.vel.map(f64::from),
                    acc: shot.acc.map(f64::from),
                    speed: f64::from(shot.speed),
                    gravity: f64::from(shot.gravity),
                    longest: f64::from(shot.longest),
                };
                let time = f64::from(solution.time);
                let room = 1.2e-7 * time * (oracle::size(&exact, time) + oracle::length(launch));
                assert!(oracle::miss(&exact, launch, time) < room + 1e-6, "row {row}: {exact:?}");
            }
        }
        let [hit, searched, capped, impossible] = outcomes;
        assert!(hit > 50 && capped > 50 && impossible > 50, "{method:?}: {outcomes:?}");
        assert_eq!(searched > 50, matches!(method, Method::Moving(_)), "{outcomes:?}");
    }
}
