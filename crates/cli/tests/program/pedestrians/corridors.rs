//! One walker in a corridor: free speed.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::{Run, Walker};

/// Angle in degrees, and where the axis begins, as the scenario has it.
const CORRIDORS: [(f64, [f64; 2]); 3] =
    [(0.0, [3.0, 3.0]), (17.0, [3.0, 8.0]), (45.0, [4.0, 16.0])];
/// Between these distances along the axis, in metres, speed is measured.
const FROM: f64 = 12.0;
const TO: f64 = 40.0;

/// Speed of every walker along its corridor, in m/s.
#[expect(clippy::disallowed_methods, reason = "an oracle, not a simulated value")]
fn speeds<N: Numbers>(mut run: Run<N>) -> Vec<f64> {
    let mut times = vec![[None; 2]; 9];
    let along = |walker: &Walker| {
        let (angle, [x, y]) = CORRIDORS[usize::from(walker.group)];
        let (sine, cosine) = angle.to_radians().sin_cos();
        (walker.pos[0] - x) * cosine + (walker.pos[1] - y) * sine
    };
    for _ in 0..run.ticks() {
        run.step();
        for (walker, times) in run.walkers.iter().zip(&mut times) {
            let s = along(walker);
            for (time, line) in times.iter_mut().zip([FROM, TO]) {
                if time.is_none() && s >= line {
                    *time = Some(run.time() - (s - line) / walker.speed());
                }
            }
        }
    }
    let speed = |times: [Option<f64>; 2]| {
        let [Some(first), Some(last)] = times else { panic!("somebody is stuck") };
        (TO - FROM) / (last - first)
    };
    times.into_iter().map(speed).collect()
}

/// Walkers keep the speed that they have in the open within 2 % whatever the angle between corridor
/// and map. Their own speeds differ by up to 1/32 from the preset's (RiMEA test 1 allows 26 to 34 s
/// for 40 m).
fn free_speed<N: Numbers>() {
    let open = |text: &str| {
        let walls = text.find("walls = [").expect("walls");
        let end = walls + text[walls..].find("\n]\n").expect("their end");
        format!("{}{}", &text[..walls], &text[end + 3..])
    };
    let free = speeds(Run::<N>::edited("pedestrian/turned_corridors", 1, open));
    let walled = speeds(Run::<N>::new("pedestrian/turned_corridors", 1));
    let at = |speeds: &[f64]| -> Vec<[f64; 2]> {
        speeds.iter().enumerate().map(|(i, &speed)| [CORRIDORS[i / 3].0, speed]).collect()
    };
    plots::corridors(&at(&walled), &at(&free));
    for (i, (free, walled)) in free.iter().zip(walled).enumerate() {
        let degrees = CORRIDORS[i / 3].0;
        eprintln!("{degrees} degrees: {walled:.4} m/s, {free:.4} m/s in the open");
        assert!((walled / free - 1.0).abs() < 0.02, "{walled} m/s at {degrees}, {free} without");
        assert!((1.34 * 0.96..=1.34 * 1.001).contains(&walled), "{walled} m/s at {degrees}");
        assert!((26.0..=34.0).contains(&(40.0 / walled)));
    }
}

#[test]
fn corridors_at_any_angle_are_walked_at_free_speed() {
    free_speed::<f32>();
    free_speed::<Fx>();
}
