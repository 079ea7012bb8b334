//! Crowds: tests 4, 9, 12, 13 and 15.

use super::*;
use crate::pedestrians::density::weidmann;

/// By density: where it is measured, in m.
const AREAS: [(f64, f64); 7] =
    [(0.5, 80.0), (1.0, 80.0), (2.0, 38.0), (3.0, 22.0), (4.0, 22.0), (5.0, 22.0), (6.0, 22.0)];

/// Density, and speed along the corridor, in seven corridors.
fn fundamental<N: Numbers>() -> Measured {
    let mut sums = [[0.0; 2]; 7];
    let mut ticks = 0.0;
    play::<N>("04", |run| {
        if run.time() <= 10.0 {
            return;
        }
        ticks += 1.0;
        for (k, (sum, (_, x))) in sums.iter_mut().zip(AREAS).enumerate() {
            let y = 3.4 * k as f64;
            let area = [x, y + 0.5, x + 6.0, y + 2.5];
            for walker in run.walkers.iter().filter(|walker| is_in(walker.pos, area)) {
                sum[0] += 1.0;
                sum[1] += walker.vel[0];
            }
        }
    });
    let points = sums.map(|[count, speed]| [count / ticks / 12.0, speed / count]);
    let says = points.map(|[density, speed]| format!("{density:.2}: {speed:.2}"));
    let falls = points.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] > pair[1][1]);
    let off = points.map(|[density, speed]| (speed - weidmann(density)).abs());
    Measured { says: says.join(", "), is_fine: falls && off.iter().all(|&off| off < 0.15) }
}

#[test]
fn test_04_speed_falls_with_density_as_weidmann_measured() {
    judge("4", Verdict::Documented, &[fundamental::<f32>(), fundamental::<Fx>()]);
}

/// When the last of each group was seen where `counts` holds.
fn last_times<N: Numbers, const GROUPS: usize>(
    name: &str,
    counts: impl Fn(&Walker) -> bool,
) -> [f64; GROUPS] {
    let mut times = [0.0; GROUPS];
    play::<N>(name, |run| {
        for walker in run.walkers.iter().filter(|walker| counts(walker)) {
            times[usize::from(walker.group)] = run.time();
        }
    });
    times
}

/// Half the exits take twice as long.
fn halls<N: Numbers>() -> Measured {
    let [four, two] = last_times::<N, 2>("09", |walker| (3.0..23.0).contains(&walker.pos[1]));
    Measured {
        says: format!("{four:.0} s and {two:.0} s: {:.2} times", two / four),
        is_fine: (1.6..=2.4).contains(&(two / four)),
    }
}

#[test]
fn test_09_half_the_exits_take_about_twice_the_time() {
    judge("9", Verdict::Passes, &[halls::<f32>(), halls::<Fx>()]);
}

/// Flow through a passage and the door after it, and the crowds before them.
fn bottleneck<N: Numbers>() -> Measured {
    let [mut passage, mut door] = [Firsts::default(), Firsts::default()];
    let mut most = [0; 2];
    play::<N>("12", |run| {
        passage.see(run, |walker| walker.pos[0] > 15.0);
        door.see(run, |walker| walker.pos[0] > 25.0);
        for (most, x) in most.iter_mut().zip([8.0, 23.0]) {
            let area = [x, 3.5, x + 2.0, 6.5];
            let count = run.walkers.iter().filter(|walker| is_in(walker.pos, area)).count();
            *most = count.max(*most);
        }
    });
    let [first, second] = [passage.flow(), door.flow()];
    let [before, after] = most;
    Measured {
        says: format!(
            "{first:.2}/s and {second:.2}/s; {before} and {after} at most on 6 m² before"
        ),
        is_fine: door.0.len() == 150 && first - second >= -0.05 && before > 2 * after,
    }
}

#[test]
fn test_12_a_crowd_forms_before_the_first_bottleneck_alone() {
    judge("12", Verdict::Passes, &[bottleneck::<f32>(), bottleneck::<Fx>()]);
}

/// Flow into a corridor and onto the stairs at its end, and the crowd at their foot.
fn stairs<N: Numbers>() -> Measured {
    let [mut corridor, mut stairs] = [Firsts::default(), Firsts::default()];
    let mut most = 0;
    play::<N>("13", |run| {
        corridor.see(run, |walker| walker.pos[0] > 5.0);
        stairs.see(run, |walker| walker.pos[0] > 17.0);
        let foot = [14.0, 3.0, 17.0, 5.0];
        most = run.walkers.iter().filter(|walker| is_in(walker.pos, foot)).count().max(most);
    });
    let [first, second] = [corridor.flow(), stairs.flow()];
    let density = most as f64 / 6.0;
    Measured {
        says: format!("{first:.2}/s and {second:.2}/s; up to {density:.1}/m² at the foot"),
        is_fine: stairs.0.len() == 150 && first - second >= 0.05,
    }
}

#[test]
fn test_13_a_crowd_forms_before_stairs() {
    judge("13", Verdict::Passes, &[stairs::<f32>(), stairs::<Fx>()]);
}

/// Times of three crowds of 500: short, around a corner, long.
fn corners<N: Numbers>() -> Measured {
    let [long, short, corner] = last_times::<N, 3>("15", |_| true);
    Measured {
        says: format!("{short:.1} s, {corner:.1} s, {long:.1} s"),
        is_fine: short <= corner && corner <= long,
    }
}

#[test]
fn test_15_a_corner_takes_longer_than_its_outer_side() {
    judge("15", Verdict::Passes, &[corners::<f32>(), corners::<Fx>()]);
}
