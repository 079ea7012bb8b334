//! Four exits against two.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::Run;

/// RiMEA test 9: the time in which 1,000 people leave a hall doubles with half the exits.
fn half_the_exits_take_twice_as_long<N: Numbers>() {
    let mut run = Run::<N>::new("exits", 1);
    let mut times = [None; 2];
    let mut counts = [vec![], vec![]];
    for _ in 0..run.ticks() {
        run.step();
        for (group, time) in times.iter_mut().enumerate().filter(|(_, time)| time.is_none()) {
            let inside = run.walkers.iter().filter(|walker| {
                usize::from(walker.group) == group && (20.75..41.75).contains(&walker.pos[1])
            });
            let count = inside.count();
            counts[group].push([run.time(), count as f64]);
            if count == 0 {
                *time = Some(run.time());
            }
        }
        if let [Some(four), Some(two)] = times {
            let ratio: f64 = two / four;
            eprintln!("four exits {four} s, two {two} s: ratio {ratio:.3}");
            plots::exits(&counts);
            assert!((1.6..=2.1).contains(&ratio), "{two} s / {four} s = {ratio}");
            return;
        }
    }
    panic!("not all leave: {times:?}");
}

#[test]
fn half_the_exits_take_about_twice_the_time() {
    half_the_exits_take_twice_as_long::<f32>();
}

#[test]
fn half_the_exits_take_about_twice_the_time_in_fixed_point() {
    half_the_exits_take_twice_as_long::<Fx>();
}
