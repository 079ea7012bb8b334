//! The ground, walls and hills: where shots come down, and what they do not get past.

use throng::lane::Numbers;
use throng::map::Map;
use throng::math::Fx;
use throng::world::{Impact, Order, Struck, WeaponDef};

use crate::flight::range::{Range, group, length, plain, random, shot, speed, straight};

in_both!(a_lob_clears_what_is_lower_and_strikes_what_is_higher, agents_stand_on_their_ground);

/// On flat ground a shot comes down where its parabola does: the chord of the last tick is at most
/// g·dt²/8 below it.
#[test]
fn a_shot_comes_down_where_the_closed_form_says() {
    fn falls<N: Numbers>(rounding: f64) {
        for (case, rate) in [10_u32, 20, 60, 1000].into_iter().enumerate() {
            let def = WeaponDef { lifetime: 60.0, ..WeaponDef::default() };
            let mut range = Range::<N>::new(plain(300, 300, 4.0), rate, &[def], &[group(0, 0)]);
            let launches: Vec<([f64; 3], [f64; 3])> = (0..20)
                .map(|i| {
                    let at = |k, range| random(case as u64, [i, k], range);
                    let from = [at(0, [550.0, 650.0]), at(1, [550.0, 650.0]), at(2, [0.0, 30.0])];
                    let vel = [at(3, [-50.0, 50.0]), at(4, [-50.0, 50.0]), at(5, [2.0, 60.0])];
                    let held = |v: [f64; 3]| v.map(|v| N::from_f64(v).to_f64());
                    (held(from), held(vel))
                })
                .collect();
            let orders: Vec<_> =
                launches.iter().map(|&(from, vel)| shot(0, 0, from, vel)).collect();
            let all = range.play(&orders, 61 * u64::from(rate));
            assert_eq!(all.len(), launches.len());
            let gravity = N::from_f64(9.81).to_f64();
            for (tick, impact) in all {
                let (from, vel) = launches[impact.shot.serial as usize];
                assert_eq!(impact.struck, Struck::Ground);
                let end = (vel[2] + (vel[2] * vel[2] + 2.0 * gravity * from[2]).sqrt()) / gravity;
                assert_eq!(tick, (end * f64::from(rate)).ceil() as u64, "the tick of {impact:?}");
                assert!(impact.at[2].abs() < rounding, "{impact:?}");
                let steep = (gravity * end - vel[2]).abs();
                let early = gravity / f64::from(rate * rate) / 8.0 / steep;
                for i in 0..2 {
                    let off = (impact.at[i] - from[i] - vel[i] * end).abs();
                    let bound = vel[i].abs() * (early + rounding / steep) + rounding;
                    assert!(off <= bound, "{rate}/s: {off} m off, not {bound}: {impact:?}");
                }
            }
        }
    }
    falls::<f32>(4e-3);
    falls::<Fx>(2e-4);
}

/// A map with walls where a function says so.
fn walled(side: u32, is_wall: impl Fn(u32, u32) -> bool) -> Map {
    let cell = |i: u32| if is_wall(i % side, i / side) { 0 } else { 16 };
    Map::from_slowness(side, side, 1.0, &(0..side * side).map(cell).collect::<Vec<u8>>())
}

/// Flat shots from random places on one side of a wall at all speeds, and whether a place is on the
/// other side.
fn barrage<N: Numbers>(map: &Map, rate: u32, is_beyond: impl Fn([f64; 3]) -> bool) -> [u64; 2] {
    let def = WeaponDef { lifetime: 60.0, ..straight() };
    let mut range = Range::<N>::new(map.clone(), rate, &[def], &[group(0, 0)]);
    let mut orders: Vec<Order> = Vec::new();
    for i in 0..750 {
        let at = |k, range| random(u64::from(rate), [i, k], range);
        let from = [at(0, [0.1, 39.9]), at(1, [0.1, 39.9]), at(2, [0.0, 2.9])];
        let cell = map.cell_at(from[0], from[1]).unwrap() as usize;
        if map.slowness()[cell] == 0 || is_beyond(from) {
            continue;
        }
        let fast = speed(at(3, [0.0, 1.0]), [0, 4]);
        let (x, y) = (at(4, [-1.0, 1.0]), at(5, [-1.0, 1.0]));
        let size = length([x, y]);
        orders.push(shot(0, 0, from, [x / size * fast, y / size * fast, 0.0]));
    }
    let check = |at: [f64; 3]| assert!(!is_beyond(at), "{at:?} is beyond the wall");
    for tick in 0..40 * u64::from(rate) {
        range.tick::<N::Wide>(if tick == 0 { &orders } else { &[] });
        range.world.impacts().iter().for_each(|impact| check(impact.at));
        let flying = range.world.projectiles();
        flying.pos.iter().for_each(|pos| check(pos.map(N::to_f64)));
        if flying.shot.is_empty() {
            break;
        }
    }
    let tally = range.tally(0);
    assert_eq!(tally.in_flight(), 0);
    [tally.walls, tally.lost]
}

#[test]
fn nothing_gets_through_a_wall_or_between_diagonal_ones() {
    let thin = walled(40, |x, _| x == 20);
    let stairs = walled(40, |x, y| x == y);
    let other = walled(40, |x, y| x + y == 39);
    fn all<N: Numbers>([thin, stairs, other]: [&Map; 3]) {
        for rate in [10, 60] {
            for [walls, lost] in [
                barrage::<N>(thin, rate, |[x, _, _]| x > 20.01),
                barrage::<N>(stairs, rate, |[x, y, _]| x.floor() > y.floor()),
                barrage::<N>(other, rate, |[x, y, _]| x.floor() + y.floor() > 39.0),
            ] {
                assert!(walls > 75 && lost > 75, "{walls} {lost}");
            }
        }
    }
    all::<f32>([&thin, &stairs, &other]);
    all::<Fx>([&thin, &stairs, &other]);
}

/// A lob over 40 m that is 10.2 m up in its middle, between a wall or a hill of some height there.
fn lob<N: Numbers>(map: Map) -> Impact {
    let mut range = Range::<N>::new(map, 60, &[WeaponDef::default()], &[group(0, 0)]);
    let [(_, impact)] = range.play(&[shot(0, 0, [5.5, 20.5, 0.5], [14.0, 0.0, 14.0])], 600)[..]
    else {
        panic!("one impact")
    };
    impact
}

fn a_lob_clears_what_is_lower_and_strikes_what_is_higher<N: Numbers>() {
    let wall = || walled(60, |x, _| x == 25);
    let at_wall = 19.5 / 14.0;
    let height = 0.5 + 14.0 * at_wall - 9.81 * at_wall * at_wall / 2.0;
    for (top, clears) in [(3.0, true), (height - 0.2, true), (height + 0.2, false), (90.0, false)] {
        let impact = lob::<N>(wall().with_heights(&[], top).unwrap());
        let expected = if clears { Struck::Ground } else { Struck::Wall };
        assert_eq!(impact.struck, expected, "{top} m: {impact:?}");
        assert!(clears || (impact.at[0] - 25.0).abs() < 0.01, "{impact:?}");
    }
    // The top of this wall is come down on.
    let wide = walled(60, |x, _| (28..50).contains(&x)).with_heights(&[], 4.0).unwrap();
    let impact = lob::<N>(wide);
    assert!(impact.struck == Struck::Wall && (impact.at[2] - 4.0).abs() < 0.01, "{impact:?}");
    let hill = |height: f64| {
        let cell = |i: u32| if (24..30).contains(&(i % 60)) { (height * 16.0) as i16 } else { 0 };
        plain(60, 60, 1.0).with_heights(&(0..3600).map(cell).collect::<Vec<_>>(), 3.0).unwrap()
    };
    for (top, struck, at) in [
        (8.0, Struck::Ground, [45.95, 0.0]),
        (10.25, Struck::Ground, [28.6, 10.25]),
        (14.0, Struck::Wall, [24.0, 10.43]),
    ] {
        let impact = lob::<N>(hill(top));
        assert_eq!(impact.struck, struck, "{top} m: {impact:?}");
        let near = (impact.at[0] - at[0]).abs() < 0.2 && (impact.at[2] - at[1]).abs() < 0.02;
        assert!(near, "{top} m: {impact:?}");
    }
}

/// An agent on a hill is struck there, and not in the air or the ground below.
fn agents_stand_on_their_ground<N: Numbers>() {
    for (z, struck) in [(4.9, false), (5.2, true), (6.6, true), (7.0, false)] {
        let cell = |i: u32| if i % 40 >= 20 { 80 } else { 0 };
        let heights: Vec<i16> = (0..1600).map(cell).collect();
        let map = plain(40, 40, 1.0).with_heights(&heights, 3.0).unwrap();
        let mut range = Range::<N>::new(map, 10, &[straight()], &[group(0, 2), group(1, 0)]);
        let id = range.stand(1, [30.5, 20.5]);
        // Beside the hill another agent, far below the shot.
        range.stand(1, [10.5, 20.5]);
        let from = [5.0, 20.5, z];
        let all = range.play(&[shot(0, 0, from, [300.0, 0.0, 0.0])], 100);
        let expected = if struck {
            Struck::Agent(id)
        } else if z < 5.0 {
            Struck::Wall
        } else {
            Struck::Nothing
        };
        assert_eq!(all[0].1.struck, expected, "at {z} m");
    }
}
