//! The step: the same bits on 8 lanes and on one, and after any number of ticks the place that the
//! closed form gives.

use throng::kernel::flight;
use throng::kernel::flight::Block;
use throng::lane::{IntLane, Lane, Numbers};
use throng::math::Fx;
use throng::world::{Struck, WeaponDef};

use crate::common::kernel::{Kernel, check, random as random_at};
use crate::flight::range::{Range, plain, random, shot};

in_both!(nothing_wraps_at_the_end_of_coordinates);

struct Step;

const RATE: u32 = 20;

impl Kernel for Step {
    fn call<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let block = Block::<L> {
            pos: [inputs[0], inputs[1], inputs[2]],
            vel: [inputs[3], inputs[4], inputs[5]],
            gravity: inputs[6],
            age: inputs[7].floor_int(),
            turns: inputs[8].lt(L::zero()),
        };
        let flown = flight::step(&block, RATE);
        let pos = flown.pos.map(L::from_real);
        vec![pos[0], pos[1], pos[2], flown.rise]
    }

    fn inputs(&self, row: u64) -> Vec<f64> {
        let turns = random_at(9, row, -1.0, 3.0);
        let gravity = if turns < 0.0 { 0.0 } else { random_at(6, row, 0.0, 20.0) };
        let age = random_at(7, row, 0.0, 600.0).floor();
        let axis = |i: u64| random_at(i, row, -300.0, 300.0);
        vec![
            random_at(0, row, 0.0, 16_000.0),
            random_at(1, row, 0.0, 16_000.0),
            random_at(2, row, 0.0, 9_000.0),
            axis(3),
            axis(4),
            axis(5),
            gravity,
            age,
            turns,
        ]
    }

    fn expected(&self, inputs: &[f64]) -> Option<Vec<f64>> {
        let (pos, vel) = ([inputs[0], inputs[1], inputs[2]], [inputs[3], inputs[4], inputs[5]]);
        let [pos, vel] = flight::reference(pos, vel, inputs[6], 1.0 / f64::from(RATE));
        Some(vec![pos[0], pos[1], pos[2], vel[2]])
    }
}

/// One tick is the step of the formula, but for what is rounded to 1/1024 (`f32`) or 1/65,536.
#[test]
fn a_step() {
    check(&Step, 3e-3, 4.0 / 65_536.0);
}

/// How far from the closed form a shot may be at any time, in metres and in m/s.
fn follows<N: Numbers>(bound: f64, speed_bound: f64) {
    let lifetime = 60.0;
    for (case, &rate) in [1, 10, 20, 60, 144, 1000].iter().enumerate() {
        let gravity = [9.81, 0.0, 1.62, 9.81, 24.8, 9.81][case];
        let def = WeaponDef { gravity, lifetime, ..WeaponDef::default() };
        let mut range = Range::<N>::new(
            plain(500, 500, 16.0),
            rate,
            &[def],
            &[crate::flight::range::group(0, 0)],
        );
        let case = case as u64;
        let launches: Vec<([f64; 3], [f64; 3])> = (0..24)
            .map(|i| {
                let at = |k, range| random(case, [i, k], range);
                let side = [2_500.0, 5_500.0];
                let from = [at(0, side), at(1, side), at(2, [3_000.0, 7_900.0])];
                let vel = [at(3, [-80.0, 80.0]), at(4, [-80.0, 80.0]), at(5, [-30.0, 500.0])];
                // The numbers that the world starts from.
                let held = |v: [f64; 3]| v.map(|v| N::from_f64(v).to_f64());
                (held(from), held(vel))
            })
            .collect();
        let gravity = N::from_f64(gravity).to_f64();
        let orders: Vec<_> = launches.iter().map(|&(from, vel)| shot(0, 0, from, vel)).collect();
        let mut compared = 0;
        for tick in 1..=30 * rate {
            range.tick::<N::Wide>(if tick == 1 { &orders } else { &[] });
            let flying = range.world.projectiles();
            for (row, shot) in flying.shot.iter().enumerate() {
                let (from, vel) = launches[shot.serial as usize];
                let time = f64::from(tick) / f64::from(rate);
                let [pos, vel] = flight::reference(from, vel, gravity, time);
                for i in 0..3 {
                    let off = flying.pos[row][i].to_f64() - pos[i];
                    assert!(off.abs() <= bound, "{rate}/s, axis {i}, {time} s: {off} m");
                    let off = flying.vel[row][i].to_f64() - vel[i];
                    assert!(off.abs() <= speed_bound, "{rate}/s, axis {i}, {time} s: {off} m/s");
                }
                compared += 1;
            }
        }
        assert!(compared > 20 * rate, "{rate}/s: {compared} compared");
    }
}

#[test]
fn half_a_minute_of_ticks_ends_where_the_closed_form_does() {
    follows::<f32>(6e-3, 1.2e-3);
    follows::<Fx>(1e-4, 4e-5);
}

/// What flies beyond the coordinates of fixed point, in one tick of a second, has left the map.
fn nothing_wraps_at_the_end_of_coordinates<N: Numbers>() {
    let def = WeaponDef { gravity: 100.0, lifetime: 120.0, ..WeaponDef::default() };
    let groups = [crate::flight::range::group(0, 0)];
    let mut range = Range::<N>::new(plain(512, 512, 32.0), 1, &[def], &groups);
    let vels = [
        [12_000.0, 0.0, 0.0],
        [-12_000.0, 12_000.0, 12_000.0],
        [0.0, 0.0, 12_000.0],
        [1.0, 0.0, -12_000.0],
        [12_000.0, 12_000.0, -300.0],
    ];
    let orders: Vec<_> = vels
        .iter()
        .flat_map(|&vel| {
            [[100.0, 100.0, 50.0], [16_300.0, 16_300.0, 7_900.0], [8_000.0, 300.0, 4_000.0]]
                .map(|from| shot(0, 0, from, vel))
        })
        .collect();
    let all = range.play(&orders, 30);
    assert_eq!(all.len(), orders.len());
    let (mut ground, mut nothing) = (0, 0);
    for (tick, impact) in all {
        let vel = vels[impact.shot.serial as usize / 3];
        assert!(tick <= 3, "{tick}: {impact:?}");
        assert!(impact.at.iter().all(|at| (-0.01..=16_384.0).contains(at)), "{impact:?}");
        match impact.struck {
            Struck::Ground => ground += 1,
            Struck::Nothing => nothing += 1,
            _ => panic!("{impact:?}"),
        }
        // A projectile that flies up does not come down.
        assert!(vel[2] < 0.0 || impact.struck == Struck::Nothing || vel[2] == 0.0);
    }
    assert!(ground >= 4 && nothing >= 6, "{ground} {nothing}");
}

/// An axis that does not move stays; one-lane reals are reals.
#[test]
fn rest_is_rest() {
    let block = Block::<f32> {
        pos: [1.1, 2.2, 3.3],
        vel: [0.0; 3],
        gravity: 0.0,
        age: IntLane::splat(5),
        turns: false,
    };
    assert_eq!(flight::step(&block, 7).pos, [1.1_f32, 2.2, 3.3]);
}
