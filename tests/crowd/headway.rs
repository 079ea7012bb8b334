//! The headway kernel: the same bits on 8 lanes and on one, the values of a plain reference in
//! `f64`, and what walkers rely on, case by case.

use throng::kernel::headway;
use throng::kernel::headway::Headway;
use throng::lane::{F32x8, F64x8, Mask, Real};
use throng::math::{hash3, unit_f64};

/// A walker and the agents around it.
struct Scene {
    desired: [f64; 2],
    /// 1 / time gap, a power of two so that it is exact.
    rate: f64,
    others: Vec<headway::Other>,
}

/// A multiple of 1/256 between two numbers.
fn random(stream: u64, row: u64, low: f64, high: f64) -> f64 {
    let value = low + (high - low) * unit_f64(hash3(77, row, stream));
    (value * 256.0).floor() / 256.0
}

fn scene(row: u64) -> Scene {
    let others = (0..row % 5).map(|i| {
        let number = |k, low, high| random(10 + 8 * i + k, row, low, high);
        let pos = [number(0, -2.0, 2.0), number(1, -2.0, 2.0)];
        let vel = [number(2, -1.0, 1.0), number(3, -1.0, 1.0)];
        (pos, vel, number(4, 0.25, 0.75))
    });
    let rate = [1.0, 0.5, 1.0, 2.0, 0.0][(row / 5 % 5) as usize];
    let stands = row % 11 == 3;
    let desired = [0, 1].map(|k| if stands { 0.0 } else { random(k, row, -2.0, 2.0) });
    Scene { desired, rate, others: others.collect() }
}

/// The velocities of scenes, `R` lanes at a time.
fn run<R: Real>(scenes: &[Scene]) -> Vec<[f64; 2]> {
    let mut velocities = Vec::new();
    for block in scenes.chunks(R::WIDTH) {
        let lane = |i: usize| &block[i.min(block.len() - 1)];
        let desired = [0, 1].map(|k| R::from_fn(|i| lane(i).desired[k]));
        let mut room = Headway::new(desired, R::from_fn(|i| lane(i).rate));
        let none = ([1.0, 0.0], [0.0; 2], 1.0);
        let other = |slot: usize, i: usize| lane(i).others.get(slot).copied().unwrap_or(none);
        let present = |slot: usize| R::Mask::from_fn(|i| lane(i).others.len() > slot);
        for slot in 0..4 {
            room.look([0, 1].map(|k| R::from_fn(|i| other(slot, i).1[k])), present(slot));
        }
        for slot in 0..4 {
            let other = |i: usize| other(slot, i);
            let pos = [0, 1].map(|k| R::from_fn(|i| other(i).0[k]));
            let vel = [0, 1].map(|k| R::from_fn(|i| other(i).1[k]));
            room.add(pos, vel, R::from_fn(|i| other(i).2), present(slot));
        }
        let [x, y] = room.velocity();
        velocities.extend((0..block.len()).map(|i| [x.get(i), y.get(i)]));
    }
    velocities
}

/// Whether rounding could put an agent on the other side of a border.
fn is_on_a_border(scene: &Scene) -> bool {
    let [x, y] = scene.desired;
    let speed = (x * x + y * y).sqrt();
    let [x, y] = [x / speed, y / speed];
    scene.others.iter().any(|&([dx, dy], [vx, vy], radius)| {
        let (ahead, left) = (dx * x + dy * y, dy * x - dx * y);
        let (wide, along) = (left.abs(), vx * x + vy * y);
        let widths = [wide - radius, wide - 0.75 * radius];
        let borders = [ahead, widths[0], widths[1], along + 0.1, along + 0.375 * speed, left];
        borders.iter().any(|value| value.abs() < 1e-4)
    })
}

#[test]
fn lanes_agree_with_one_lane_and_with_the_reference() {
    let (mut free, mut slowed, mut stopped, mut left, mut right) = (0, 0, 0, 0, 0);
    for rows in (0..=26).chain([4_000]) {
        let scenes: Vec<Scene> = (0..rows).map(scene).collect();
        let (wide, single) = (run::<F32x8>(&scenes), run::<f32>(&scenes));
        assert_eq!(wide, single, "f32");
        let exact = run::<F64x8>(&scenes);
        assert_eq!(exact, run::<f64>(&scenes), "the real numbers of fixed point");
        for (i, scene) in scenes.iter().enumerate() {
            let gap = if scene.rate == 0.0 { 0.0 } else { 1.0 / scene.rate };
            let expected = headway::reference(scene.desired, gap, &scene.others);
            if is_on_a_border(scene) {
                continue;
            }
            for k in 0..2 {
                assert!((wide[i][k] - expected[k]).abs() < 2e-5, "row {i}: {:?}", wide[i]);
                assert!((exact[i][k] - expected[k]).abs() < 1e-12, "row {i}: {:?}", exact[i]);
            }
            let [x, y] = scene.desired;
            let speed = (x * x + y * y).sqrt();
            let along = (expected[0] * x + expected[1] * y) / speed;
            let aside = (expected[1] * x - expected[0] * y) / speed;
            free += u32::from(along > speed - 1e-9);
            slowed += u32::from(along > 1e-9 && along < speed - 1e-9);
            stopped += u32::from(along.abs() < 1e-9);
            left += u32::from(aside > 1e-9);
            right += u32::from(aside < -1e-9);
        }
    }
    for (name, count) in
        [("free", free), ("slowed", slowed), ("stopped", stopped), ("left", left), ("right", right)]
    {
        assert!(count > 50, "{name}: {count}");
    }
}

/// The velocity of a walker that wants 1.3 m/s along x with a time gap of 1 s and radii of 0.2 m.
fn among(others: &[([f64; 2], [f64; 2])]) -> [f64; 2] {
    let others = others.iter().map(|&(pos, vel)| (pos, vel, 0.4)).collect();
    run::<f64>(&[Scene { desired: [1.3, 0.0], rate: 1.0, others }])[0]
}

const STILL: [f64; 2] = [0.0; 2];

#[test]
fn speed_is_the_gap_over_the_time_gap() {
    assert_eq!(among(&[]), [1.3, 0.0]);
    // Outline to outline 0.8 m.
    assert!((among(&[([1.2, 0.0], STILL)])[0] - 0.8).abs() < 1e-12);
    assert_eq!(among(&[([0.4, 0.0], STILL)])[0], 0.0, "at contact");
    assert_eq!(among(&[([0.2, 0.0], STILL)])[0], 0.0, "overlapping");
    assert_eq!(among(&[([2.0, 0.0], STILL)]), [1.3, 0.0], "far ahead");
}

#[test]
fn the_nearest_in_front_counts_and_nobody_behind_or_beside() {
    let near = ([1.0, 0.0], STILL);
    let far = ([1.5, 0.1], STILL);
    assert_eq!(among(&[near, far]), among(&[near]));
    assert_eq!(among(&[far, near]), among(&[near]));
    for beside in [[-0.5, 0.0], [-0.01, 0.3], [0.3, 0.41], [0.3, -0.41]] {
        assert_eq!(among(&[(beside, STILL)]), [1.3, 0.0], "{beside:?}");
    }
}

#[test]
fn those_who_are_held_up_step_aside_away_from_who_is_in_front() {
    let [slow, aside] = among(&[([0.8, 0.1], STILL)]);
    assert!(slow < 1.0 && aside < -0.05, "{aside}");
    let mirrored = among(&[([0.8, -0.1], STILL)]);
    assert_eq!(mirrored, [slow, -aside]);
    assert!(among(&[([0.8, 0.0], STILL)])[1].abs() > 0.05, "straight ahead: to some side");
}

#[test]
fn those_who_come_towards_one_are_passed_not_waited_for() {
    let oncoming = ([0.9, 0.1], [-1.0, 0.0]);
    let [speed, aside] = among(&[oncoming]);
    assert_eq!(speed, 1.3);
    assert!(aside < -0.1, "{aside}");
    // A walker waits for one that crosses or walks ahead.
    for vel in [[0.0, 1.0], [0.5, 0.0]] {
        assert!(among(&[([0.9, 0.1], vel)])[0] < 0.7);
    }
}

#[test]
fn walkers_that_meet_a_stream_follow_closer_and_in_narrower_files() {
    let ahead = ([1.0, 0.0], [0.5, 0.0]);
    let beside = ([0.9, 0.35], [0.5, 0.0]);
    assert!((among(&[ahead])[0] - 0.6).abs() < 1e-12, "1 s for 0.6 m");
    assert!(among(&[beside])[0] < 0.6);
    // Someone comes in a lane of its own, or has just passed.
    for pos in [[1.5, -1.0], [-0.5, -0.6]] {
        let oncoming = (pos, [-1.2, 0.0]);
        assert!((among(&[ahead, oncoming])[0] - 0.9).abs() < 1e-12, "two thirds of a second");
        assert_eq!(among(&[beside, oncoming])[0], 1.3, "another file");
    }
    // A crowd that is pushed back a little is no stream.
    let pushed = ([1.5, -1.0], [-0.4, 0.0]);
    assert_eq!(among(&[ahead, pushed])[0], among(&[ahead])[0]);
}

#[test]
fn without_a_time_gap_nothing_changes() {
    let others = vec![([0.3, 0.05], STILL, 0.4)];
    let scene = Scene { desired: [0.7, -0.2], rate: 0.0, others };
    assert_eq!(run::<f64>(&[scene])[0], [0.7, -0.2]);
}
