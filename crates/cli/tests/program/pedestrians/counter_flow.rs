//! Streams that meet.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::{Run, Walker};

/// How well two streams are sorted into lanes within 20 < x < 60: the mean square over strips of
/// 0.4 m of the difference of their shares (0 mixed, 1 lanes; Rex and Löwen 2007), from the walkers
/// of all moments given; `None` while few walk there.
fn order(walkers: &[Walker]) -> Option<f64> {
    let mut strips = [[0_u32; 2]; 10];
    for walker in walkers.iter().filter(|w| (24.0..56.0).contains(&w.pos[0])) {
        let strip = (((walker.pos[1] - 6.0) / 0.4) as usize).min(9);
        strips[strip][usize::from(walker.group)] += 1;
    }
    let all: u32 = strips.iter().map(|s| s[0] + s[1]).sum();
    if strips.iter().map(|s| s[0]).sum::<u32>() < 15
        || strips.iter().map(|s| s[1]).sum::<u32>() < 15
    {
        return None;
    }
    let sum: f64 = strips
        .iter()
        .filter(|s| s[0] + s[1] > 0)
        .map(|s| {
            let (a, b) = (f64::from(s[0]), f64::from(s[1]));
            (a - b) * (a - b) / (a + b)
        })
        .sum();
    Some(sum / f64::from(all))
}

/// Whether a walker has left the corridor behind.
fn is_through(walker: &Walker) -> bool {
    if walker.group == 0 { walker.pos[0] > 60.0 } else { walker.pos[0] < 20.0 }
}

fn streams_pass<N: Numbers>(seed: u64) {
    let mut run = Run::<N>::new("pedestrian/counter_flow", seed);
    let mut orders = Vec::new();
    let mut end = None;
    for tick in 0..run.ticks() {
        run.step();
        if let (0, Some(order)) = (tick % 20, order(&run.walkers)) {
            orders.push((run.time(), order));
        }
        if run.walkers.iter().all(is_through) {
            end = Some(run.time());
            break;
        }
    }
    let left = run.walkers.iter().filter(|w| !is_through(w)).count();
    eprintln!("seed {seed}: end {end:?}, left {left}, orders {orders:.2?}");
    assert!(end.is_some(), "{left} are stuck");
    // From the first meeting on, before and after lanes have formed.
    plots::lanes(&orders);
    let mean = |orders: &[(f64, f64)]| {
        orders.iter().map(|order| order.1).sum::<f64>() / orders.len() as f64
    };
    let (start, later) = orders.split_at(orders.len() / 3);
    let (start, later) = (mean(start), mean(later));
    eprintln!("order {start:.3}, later {later:.3}");
    // Streams part on their routes, before they meet.
    assert!(start > 0.9 && later > 0.9, "order {start} at first, {later} later");
}

#[test]
fn streams_that_meet_pass_in_lanes() {
    for seed in 1..=5 {
        streams_pass::<f32>(seed);
    }
}

#[test]
fn streams_that_meet_pass_in_lanes_in_fixed_point() {
    streams_pass::<Fx>(1);
}
