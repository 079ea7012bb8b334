//! Single people and small groups: tests 1, 2, 3, 5, 6 and 7.

use std::collections::BTreeMap;

use super::*;

/// The time in which one person goes from one x to another, in s: test 1 gives 26 to 34 s for 40 m at
/// 1.33 m/s, and the stairs as much room.
fn one_person<N: Numbers>(name: &str, [from, to]: [f64; 2], speed: f64) -> Measured {
    let mut times = [None; 2];
    play::<N>(name, |run| {
        let Some(walker) = run.walkers.first() else { return };
        for (time, line) in times.iter_mut().zip([from, to]) {
            if time.is_none() && walker.pos[0] >= line {
                *time = Some(run.time() - (walker.pos[0] - line) / walker.speed());
            }
        }
    });
    let [Some(first), Some(last)] = times else { panic!("{name}: the person is stuck") };
    let (time, wanted) = (last - first, (to - from) / speed);
    let says = format!("{time:.2} s, {:.3} m/s", (to - from) / time);
    Measured { says, is_fine: (26.0 / 30.0..=34.0 / 30.0).contains(&(time / wanted)) }
}

#[test]
fn test_01_a_person_keeps_the_set_speed() {
    let measured = [
        one_person::<f32>("01", [3.0, 43.0], 40.0 / 30.0),
        one_person::<Fx>("01", [3.0, 43.0], 40.0 / 30.0),
    ];
    judge("1", Verdict::Passes, &measured);
}

#[test]
fn test_02_a_person_keeps_the_set_speed_up_stairs() {
    let stairs = [6.0, 16.0];
    let measured = [one_person::<f32>("02", stairs, 0.61), one_person::<Fx>("02", stairs, 0.61)];
    judge("2", Verdict::Passes, &measured);
}

#[test]
fn test_03_a_person_keeps_the_set_speed_down_stairs() {
    let stairs = [6.0, 16.0];
    let measured = [one_person::<f32>("03", stairs, 0.694), one_person::<Fx>("03", stairs, 0.694)];
    judge("3", Verdict::Passes, &measured);
}

/// Each person sets off at the time given, two frames of 0.05 s off at most.
fn premovement<N: Numbers>() -> Measured {
    let mut places = BTreeMap::new();
    let mut firsts: BTreeMap<u16, f64> = BTreeMap::new();
    play::<N>("05", |run| {
        for walker in &run.walkers {
            let from = *places.entry(walker.id).or_insert(walker.pos);
            if from != walker.pos {
                firsts.entry(walker.group).or_insert(run.time());
            }
        }
    });
    assert_eq!(firsts.len(), 10);
    let off = |(&group, &time): (&u16, &f64)| time - 10.0 * f64::from(group + 1);
    let [least, most] =
        [f64::min, f64::max].map(|pick| firsts.iter().map(off).reduce(pick).expect("ten people"));
    Measured {
        says: format!("first move {least:.2} to {most:.2} s after the time"),
        is_fine: least > -0.101 && most < 0.101,
    }
}

#[test]
fn test_05_everybody_sets_off_when_told() {
    judge("5", Verdict::Passes, &[premovement::<f32>(), premovement::<Fx>()]);
}

/// Distance from a point to a rectangle; 0 inside.
fn distance([x, y]: [f64; 2], [x0, y0, x1, y1]: [f64; 4]) -> f64 {
    let (dx, dy) = ((x0 - x).max(x - x1).max(0.0), (y0 - y).max(y - y1).max(0.0));
    (dx * dx + dy * dy).sqrt()
}

/// No agent hits a wall, all get around. Discs of 0.18 m may touch walls, and overlap them by less than
/// a centimetre.
fn corner<N: Numbers>() -> Measured {
    let (mut nearest, mut out) = (f64::INFINITY, Firsts::default());
    play::<N>("06", |run| {
        for walker in &run.walkers {
            for wall in [[0.0, 2.0, 10.0, 12.0], [12.0, 0.0, 20.0, 12.0]] {
                nearest = nearest.min(distance(walker.pos, wall));
            }
        }
        out.see(run, |walker| walker.pos[1] > 12.0);
    });
    let last = out.0.values().copied().fold(0.0, f64::max);
    Measured {
        says: format!(
            "{} of 20 around after {last:.1} s, no centre nearer than {nearest:.3} m to a wall",
            out.0.len()
        ),
        // 22 m for the last one, and 20 people through 2 m at 1.2 persons/(m·s): 25 s, and some more.
        is_fine: out.0.len() == 20 && nearest > 0.17 && last < 35.0,
    }
}

#[test]
fn test_06_nobody_enters_a_wall_around_a_corner() {
    judge("6", Verdict::Passes, &[corner::<f32>(), corner::<Fx>()]);
}

/// Weidmann's ranges of speeds in m/s: under 30, 30 to 50, over 50, with limited mobility.
const SPEEDS: [[f64; 2]; 4] = [[0.58, 1.61], [1.41, 1.54], [0.68, 1.41], [0.46, 0.76]];

/// The speeds of four groups, between 3 and 10 s.
fn ages<N: Numbers>() -> Measured {
    let mut places: [BTreeMap<u32, [f64; 2]>; 2] = Default::default();
    let mut groups = BTreeMap::new();
    play::<N>("07", |run| {
        for (place, time) in places.iter_mut().zip([3.0, 10.0]) {
            if run.time() >= time && place.is_empty() {
                place.extend(run.walkers.iter().map(|walker| (walker.id, walker.pos)));
            }
        }
        groups.extend(run.walkers.iter().map(|walker| (walker.id, usize::from(walker.group))));
    });
    let mut found = vec![vec![]; 4];
    for (id, from) in &places[0] {
        let [dx, dy] = [0, 1].map(|axis| places[1][id][axis] - from[axis]);
        found[groups[id]].push((dx * dx + dy * dy).sqrt() / 7.0);
    }
    let bound = |speeds: &[f64], pick: fn(f64, f64) -> f64| {
        speeds.iter().copied().reduce(pick).expect("50 people")
    };
    let bounds: Vec<[f64; 2]> =
        found.iter().map(|all| [bound(all, f64::min), bound(all, f64::max)]).collect();
    let says: Vec<String> =
        bounds.iter().map(|[least, most]| format!("{least:.2} to {most:.2}")).collect();
    let is_within = |(found, wanted): (&[f64; 2], &[f64; 2])| {
        found[0] >= wanted[0] && found[1] <= wanted[1] + 0.001
    };
    Measured {
        says: format!("{} m/s", says.join(", ")),
        is_fine: found.iter().all(|speeds| speeds.len() == 50)
            && bounds.iter().zip(&SPEEDS).all(is_within),
    }
}

#[test]
fn test_07_speeds_are_those_of_the_ages() {
    judge("7", Verdict::Passes, &[ages::<f32>(), ages::<Fx>()]);
}
