//! Collision avoidance in lanes: the same bits in every width, the velocities that the plain
//! reference finds, and the ones that `dodgy_2d`, another implementation of the same paper, finds.

mod case;
mod rival;
mod run;

use case::{Case, Kind, length, minus};
use run::{Answer, run};
use throng::lane::Numbers;
use throng::math::Fx;

/// Neighbourhoods that are compared.
const CASES: u64 = 24_000;

/// The distances at the middle and at 99.9 % of a list, and the longest.
fn spread(mut distances: Vec<f64>) -> [f64; 3] {
    distances.sort_by(f64::total_cmp);
    let at = |share: f64| distances[(share * (distances.len() - 1) as f64) as usize];
    [at(0.5), at(0.999), at(1.0)]
}

/// Every lane of every length is the one-lane twin's.
fn check_twins<N: Numbers>(kind: Kind) {
    let (mut feasible, mut relaxed) = (0, 0);
    for count in (0..=26).chain([400]) {
        let cases: Vec<_> = (0..count).map(|i| Case::new(kind, i)).collect();
        let (wide, single) = (run::<N::Wide>(&cases), run::<N::Single>(&cases));
        assert_eq!(wide.len(), cases.len());
        for (i, (wide, single)) in wide.iter().zip(&single).enumerate() {
            assert_eq!(wide.bits(), single.bits(), "case {i} of {count}: {:?}", cases[i]);
            if wide.feasible { feasible += 1 } else { relaxed += 1 }
        }
    }
    assert!(feasible > 50 && relaxed > 50, "{kind:?}: {feasible} feasible, {relaxed} relaxed");
}

#[test]
fn eight_lanes_compute_as_one() {
    for kind in [Kind::Crowd, Kind::Walled, Kind::Extreme] {
        check_twins::<f32>(kind);
        check_twins::<Fx>(kind);
    }
}

/// What a comparison with the reference found.
#[derive(Debug, Default)]
struct Tally {
    feasible: usize,
    relaxed: usize,
    /// The two do not agree on whether all can be satisfied.
    split: usize,
    /// Distances of velocities where both are feasible, and where both are relaxed.
    apart: Vec<f64>,
    relaxed_apart: Vec<f64>,
    /// By how much half-planes are failed: of feasible ones by all, of relaxed ones by more than
    /// the reference's.
    worst: f64,
    worse: f64,
    /// Likewise for walls, and the excess over the top speed.
    walls: f64,
    fast: f64,
}

fn tally<N: Numbers>(kind: Kind, count: u64) -> Tally {
    let cases: Vec<_> = (0..count).map(|i| Case::new(kind, i)).collect();
    let mut tally = Tally::default();
    for (case, answer) in cases.iter().zip(run::<N::Wide>(&cases)) {
        let (expected, feasible) = case.reference();
        let apart = length(minus(answer.vel, expected));
        let depth = case.depth(answer.vel);
        match (answer.feasible, feasible) {
            (true, true) => {
                tally.feasible += 1;
                tally.apart.push(apart);
                tally.worst = tally.worst.max(depth);
            }
            (false, false) => {
                tally.relaxed += 1;
                tally.relaxed_apart.push(apart);
                tally.worse = tally.worse.max(depth - case.depth(expected));
            }
            _ => {
                tally.split += 1;
                tally.worst = tally.worst.max(depth.min(depth - case.depth(expected)));
            }
        }
        tally.walls = tally.walls.max(case.wall_depth(answer.vel));
        tally.fast = tally.fast.max(length(answer.vel) - case.most);
    }
    tally
}

/// Asserts that lanes agree with the reference: distances in m/s in the middle, at 99.9 %, and by
/// how much a half-plane may be failed.
fn check_reference<N: Numbers>(kind: Kind, middle: f64, nearly_all: f64, failed: f64) {
    let tally = tally::<N>(kind, CASES);
    let [half, most, _] = spread(tally.apart.clone());
    let Tally { feasible, relaxed, split, .. } = tally;
    let [relaxed_half, relaxed_most, _] = spread(tally.relaxed_apart.clone());
    eprintln!(
        "{kind:?} {:?}: {feasible} feasible, apart {half:.1e} / {most:.1e}, failed by {:.1e}; \
         {relaxed} relaxed, apart {relaxed_half:.1e} / {relaxed_most:.1e}, worse by {:.1e}; \
         {split} split; walls {:.1e}, too fast by {:.1e}",
        N::NUMERIC,
        tally.worst,
        tally.worse,
        tally.walls,
        tally.fast
    );
    assert!(feasible > 2_000 && relaxed > 500 && split < 100, "each outcome: {kind:?}");
    assert!(half <= middle && most <= nearly_all, "{kind:?}");
    assert!(tally.worst <= failed && tally.worse <= failed, "{kind:?}");
    assert!(tally.walls <= failed && tally.fast <= failed, "{kind:?}");
}

#[test]
fn single_precision_agrees_with_the_reference() {
    check_reference::<f32>(Kind::Crowd, 1e-6, 1e-4, 1e-4);
    check_reference::<f32>(Kind::Walled, 1e-6, 1e-4, 1e-4);
}

/// Both components are rounded to 1/65,536 m/s: at most 2.2e-5 in all.
#[test]
fn fixed_point_agrees_with_the_reference() {
    check_reference::<Fx>(Kind::Crowd, 3e-5, 3e-5, 1e-4);
    check_reference::<Fx>(Kind::Walled, 3e-5, 3e-5, 1e-4);
}

/// Ranges to 50 m, speeds to 50 m/s, radii to 8 m, horizons from 0.1 to 60 s, steps from 1 to 100 ms.
#[test]
fn extremes_are_within_bounds() {
    check_reference::<Fx>(Kind::Extreme, 3e-5, 1e-4, 1e-3);
    check_reference::<f32>(Kind::Extreme, 1e-5, 1e-2, 1e-2);
}

/// Compares with `dodgy_2d`. Its answers and ours in feasible cases are `apart`.
fn against_rival(
    kind: Kind,
    count: u64,
    change: impl Fn(&mut Case),
) -> (Vec<f64>, usize, f64, f64) {
    let cases: Vec<_> = (0..count).map(|i| Case::new(kind, i)).collect();
    let changed: Vec<_> = cases
        .iter()
        .map(|case| {
            let mut case = case.clone();
            change(&mut case);
            case
        })
        .collect();
    let (mut apart, mut relaxed, mut worst, mut worse) = (Vec::new(), 0, 0.0_f64, f64::MIN);
    for (case, answer) in cases.iter().zip(run::<<f32 as Numbers>::Wide>(&changed)) {
        let Answer { vel, feasible, .. } = answer;
        let theirs = rival::avoid(case);
        if feasible {
            let distance = length(minus(vel, theirs));
            if distance > 1e-4 {
                worst = worst.max(case.depth(vel));
            }
            apart.push(distance);
        } else {
            relaxed += 1;
            // Theirs may exceed the top speed by centimetres a second, which buys it depth.
            let theirs = theirs.map(|v| v * (case.most / length(theirs)).min(1.0));
            worse = worse.max(case.depth(vel) - case.depth(theirs));
        }
    }
    (apart, relaxed, worst, worse)
}

#[test]
fn single_precision_agrees_with_dodgy() {
    for kind in [Kind::Crowd, Kind::OneWall] {
        let (apart, relaxed, worst, worse) = against_rival(kind, CASES, |_| {});
        let feasible = apart.len();
        let outliers = apart.iter().filter(|&&distance| distance > 1e-4).count();
        let [half, most, longest] = spread(apart);
        eprintln!(
            "{kind:?}: {feasible} feasible, apart {half:.1e} / {most:.1e} / {longest:.1e}, \
             {outliers} outliers fail by {worst:.1e}; {relaxed} relaxed, worse by {worse:.1e}"
        );
        assert!(feasible > 2_000 && relaxed > 500, "each outcome must occur");
        assert!(half <= 1e-6 && most <= 1e-4, "{half} / {most}");
        assert!(worst <= 1e-4, "an outlier fails a half-plane by {worst} m/s");
        assert!(worse <= 1e-4, "a relaxed one is worse than theirs by {worse} m/s");
    }
}

/// The comparison sees a horizon that is wrong by a hundredth, and a radius by a millimetre.
#[test]
fn the_comparison_is_sensitive() {
    let faults: [fn(&mut Case); 2] =
        [|case| case.horizon *= 1.01, |case| case.agent.radius += 0.001];
    for fault in faults {
        let (apart, _, _, _) = against_rival(Kind::Crowd, 2_000, fault);
        let [_, most, _] = spread(apart);
        assert!(most > 1e-3, "a planted fault must show: {most}");
    }
}
