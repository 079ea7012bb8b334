//! One walker in a corridor: free speed.

use throng::lane::Numbers;
use throng::math::Fx;

use super::run::Run;

/// Angle in degrees, and where the axis begins, as the scenario has it.
const CORRIDORS: [(f64, [f64; 2]); 3] =
    [(0.0, [3.0, 3.0]), (17.0, [3.0, 8.0]), (45.0, [4.0, 16.0])];
/// Between these distances along the axis, in metres, speed is measured.
const FROM: f64 = 12.0;
const TO: f64 = 40.0;

/// Walkers of the `pedestrian` preset keep their speed within 2 % whatever the angle between
/// corridor and map (RiMEA test 1 takes 26 to 34 s for 40 m).
fn free_speed<N: Numbers>() {
    let mut run = Run::<N>::new("turned_corridors", 1);
    let mut times = vec![[None; 2]; 9];
    let along = |walker: &super::run::Walker| {
        let (angle, [x, y]) = CORRIDORS[usize::from(walker.group)];
        let (sine, cosine) = angle.to_radians().sin_cos();
        (walker.pos[0] - x) * cosine + (walker.pos[1] - y) * sine
    };
    for _ in 0..run.ticks() {
        run.step();
        for (walker, times) in run.walkers.iter().zip(&mut times) {
            let (s, speed) = (along(walker), walker.speed());
            for (time, line) in times.iter_mut().zip([FROM, TO]) {
                if time.is_none() && s >= line {
                    *time = Some(run.time() - (s - line) / speed);
                }
            }
        }
    }
    for (walker, times) in run.walkers.iter().zip(times) {
        let [Some(first), Some(last)] = times else { panic!("{walker:?} is stuck") };
        let speed = (TO - FROM) / (last - first);
        let degrees = CORRIDORS[usize::from(walker.group)].0;
        eprintln!("{degrees} degrees: {speed:.4} m/s");
        if std::env::var_os("LAB").is_some() {
            continue;
        }
        assert!((speed / 1.34 - 1.0).abs() < 0.02, "{speed} m/s at {degrees} degrees");
        assert!((26.0..=34.0).contains(&(40.0 / speed)));
    }
}

#[test]
fn corridors_at_any_angle_are_walked_at_free_speed() {
    free_speed::<f32>();
    free_speed::<Fx>();
}
