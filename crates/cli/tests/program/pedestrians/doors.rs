//! Flow through doors.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::{Run, line};

const WIDTHS: [f64; 7] = [0.8, 1.0, 1.2, 1.6, 2.0, 2.4, 3.0];

/// Width in m and flow in persons/s of every door, between the 10th and the 80th percent.
pub(crate) fn measure<N: Numbers>(seed: u64) -> Vec<[f64; 2]> {
    let mut run = Run::<N>::new("pedestrian/doors", seed);
    let mut times = vec![Vec::new(); run.groups()];
    let mut through = Vec::new();
    for _ in 0..run.ticks() {
        run.step();
        through.resize(run.walkers.len(), false);
        for (walker, through) in run.walkers.iter().zip(&mut through) {
            if !*through && walker.pos[0] > 12.2 {
                *through = true;
                times[usize::from(walker.group)].push(run.time());
            }
        }
        if run.walkers.iter().all(|walker| walker.has_arrived) {
            break;
        }
    }
    assert!(through.iter().all(|&through| through), "everybody leaves");
    WIDTHS
        .iter()
        .zip(&times)
        .map(|(&width, times)| {
            let (first, last) = (times.len() / 10, times.len() * 8 / 10);
            [width, (last - first) as f64 / (times[last] - times[first])]
        })
        .collect()
}

fn flow_is_linear<N: Numbers>() {
    let points = measure::<N>(1);
    let [constant, slope, fit] = line(&points);
    plots::doors(&points, [constant, slope, fit]);
    eprintln!("{points:.3?}: {constant:.3} + {slope:.3} w, R² {fit:.4}");
    for [width, flow] in &points {
        eprintln!("width {width}: {flow:.3}/s {:.3}/(m s)", flow / width);
    }
    for [width, flow] in points {
        let specific = flow / width;
        assert!((1.2..=1.9).contains(&specific), "{specific} persons/(m·s) at {width} m");
    }
    assert!(fit >= 0.95, "R² = {fit}");
}

#[test]
fn flow_grows_with_the_width_of_a_door() {
    flow_is_linear::<f32>();
}

#[test]
fn flow_grows_with_the_width_of_a_door_in_fixed_point() {
    flow_is_linear::<Fx>();
}
