//! Speed against density.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::Run;

/// Speed in m/s of people at a density per m² (Weidmann, Transporttechnik der Fußgänger, 1993).
#[expect(clippy::disallowed_methods, reason = "an oracle, not a simulated value")]
pub(crate) fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

/// The measured density and mean speed of every group, 60 to 100 m along, from 10 to 60 s.
pub(crate) fn measure<N: Numbers>(seed: u64) -> Vec<[f64; 2]> {
    let mut run = Run::<N>::new("pedestrian/density", seed);
    let (from, to, width) = (90.0, 110.0, 10.0);
    let mut sums = vec![[0.0; 3]; run.groups()];
    for _ in 0..run.ticks() {
        run.step();
        if run.time() <= 10.0 {
            continue;
        }
        for sum in &mut sums {
            sum[2] += 1.0;
        }
        for walker in run.walkers.iter().filter(|w| (from..to).contains(&w.pos[0])) {
            let sum = &mut sums[usize::from(walker.group)];
            sum[0] += 1.0;
            sum[1] += walker.speed();
        }
    }
    sums.iter()
        .map(|[count, speed, ticks]| [count / ticks / ((to - from) * width), speed / count])
        .collect()
}

fn speed_follows_weidmann<N: Numbers>() {
    let points = measure::<N>(1);
    plots::density(&points);
    for (point, nominal) in points.into_iter().zip([0.5, 1.0, 1.5, 2.0]) {
        let [density, speed] = point;
        let expected = weidmann(density);
        eprintln!(
            "density {density:.3} (nominal {nominal}): {speed:.3} m/s, Weidmann {expected:.3} diff {:+.3}",
            speed - expected
        );
        assert!((density - nominal).abs() < 0.1 * nominal, "density {density}, not {nominal}");
        assert!((speed - expected).abs() < 0.15, "{speed} m/s at {density}/m², not {expected}");
    }
}

#[test]
fn speed_against_density_is_weidmanns() {
    speed_follows_weidmann::<f32>();
}

#[test]
fn speed_against_density_is_weidmanns_in_fixed_point() {
    speed_follows_weidmann::<Fx>();
}
