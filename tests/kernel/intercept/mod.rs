//! Intercepts: every answer is flown, and proved to be the one that was asked for.
//!
//! All 1,000,000 shots of a method take a minute and run with `THRONG_ALL=1`:
//!
//! ```text
//! THRONG_ALL=1 cargo test --release --test kernel intercept -- --nocapture
//! ```

mod edges;
mod faults;
mod oracle;
mod shots;

use oracle::{Bounds, Flown, Side};
use shots::{Answered, Columns, VariantSet};
use throng::kernel::intercept::{Arc, Method, Outcome, Shot, reference};
use throng::lane::Numbers;
use throng::math::{Fx, Numeric};

pub(crate) const METHODS: [Method; 7] = [
    Method::Constant,
    Method::Still(Arc::Low),
    Method::Still(Arc::High),
    Method::Moving(Arc::Low),
    Method::Moving(Arc::High),
    Method::Fastest,
    Method::Least,
];

/// Relative width of what is neither possible nor impossible: roundings of the number type.
pub(crate) fn band(numeric: Numeric) -> f64 {
    match numeric {
        Numeric::F32 => 1e-6,
        Numeric::Fixed => 1e-9,
    }
}

/// The largest errors that answers may have.
pub(crate) fn bounds(numeric: Numeric) -> Bounds {
    match numeric {
        Numeric::F32 => Bounds { near: 1e-3, size: 1.2e-7, second: 0.0, speed: [4e-7, 0.0] },
        // Half a step of the launch on each axis.
        Numeric::Fixed => {
            Bounds { near: 1e-3, size: 1e-12, second: 1.33e-5, speed: [1e-9, 1.33e-5] }
        }
    }
}

/// Counts and worst errors of a method's answers.
#[derive(Default)]
struct Tally {
    outcomes: [u64; 4],
    iterations: u64,
    most: u8,
    /// Largest misses, near and anywhere, and error of the speed.
    worst: [f64; 3],
    proved: u64,
}

impl Tally {
    fn add(&mut self, flown: Flown) {
        let near = if flown.near { flown.miss } else { 0.0 };
        for (worst, value) in self.worst.iter_mut().zip([near, flown.miss, flown.error]) {
            *worst = worst.max(value);
        }
    }
}

/// Whether an answer is the one that was asked for.
pub(crate) fn asked_for(
    method: Method,
    shot: &Shot<f64>,
    one: &shots::One,
    band: f64,
) -> Result<(), String> {
    let Shot { speed, longest, .. } = *shot;
    let none = |range: [f64; 2], speed: f64, side: Side, what: &str| match oracle::strays(
        shot, speed, range, side, band,
    ) {
        Some(time) => Err(format!("{what} {time} s")),
        None => Ok(()),
    };
    if method == Method::Least {
        let least = oracle::length(one.launch);
        return none([0.0, longest], least - 2e-5, Side::Over, "a slower launch hits at");
    }
    if one.outcome == Outcome::Impossible {
        let range = [0.0, longest];
        return none(range, speed - 2e-5, Side::Over, "impossible, but hits at");
    }
    let (before, after) = (one.time * 0.999 - 2e-5, one.time * 1.001 + 2e-5);
    match method {
        Method::Still(Arc::High) | Method::Moving(Arc::High) => {
            let over = none([after, longest], speed - 2e-5, Side::Over, "a later hit at");
            // Or the limit cuts the last stretch off within which it is fast enough.
            let under = none([after, longest], speed + 2e-5, Side::Under, "a later hit at");
            if under.is_ok() { Ok(()) } else { over }
        }
        _ => none([0.0, before], speed - 2e-5, Side::Over, "an earlier hit at"),
    }
}

fn check<N: Numbers>(method: Method, variant_set: VariantSet, count: u64, every: usize) -> Tally {
    let columns = Columns::<N>::new(count, |row| shots::shot(variant_set, row));
    let answered: Answered<N> = shots::solve::<N::Wide>(method, &columns, columns.len());
    let twin = shots::solve::<N::Single>(method, &columns, columns.len());
    let (bounds, band) = (bounds(N::NUMERIC), band(N::NUMERIC));
    let mut tally = Tally::default();
    for row in 0..columns.len() {
        let (shot, one) = (columns.exact(method, row), answered.one(row));
        let context = || format!("row {row}, {method:?} {}: {shot:?}: {one:?}", N::NUMERIC.word());
        assert_eq!(answered.bits(row), twin.bits(row), "lanes and twin: {}", context());
        tally.outcomes[one.outcome as usize] += 1;
        tally.iterations += u64::from(answered.iterations[row]);
        tally.most = tally.most.max(answered.iterations[row]);
        if method == Method::Least {
            // Flies at its own speed.
            let speed = oracle::length(one.launch);
            if speed < 32_000.0 && one.time > 0.0 {
                let flown = oracle::flies(&Shot { speed, ..shot }, &one, &bounds);
                tally.add(flown.unwrap_or_else(|e| panic!("{e}: {}", context())));
                let slow = speed <= shot.speed * (1.0 + band) + 2e-5;
                let fast = speed >= shot.speed * (1.0 - band) - 2e-5;
                let right = if one.outcome == Outcome::Impossible { fast } else { slow };
                assert!(right, "{speed} m/s: {}", context());
            }
        } else if one.outcome.hits() && one.time > 0.0 {
            let flown = oracle::flies(&shot, &one, &bounds);
            tally.add(flown.unwrap_or_else(|e| panic!("{e}: {}", context())));
        }
        if row % every == 0 {
            let proof = asked_for(method, &shot, &one, band);
            proof.unwrap_or_else(|e| panic!("{e}: {}", context()));
            tally.proved += 1;
        }
    }
    eprintln!(
        "{method:?} {} {variant_set:?}: {:?}, {:.2} iterations, at most {}; miss {:.2e} m near, \
         {:.2e} m, speed {:.2e}; {} proved",
        N::NUMERIC.word(),
        tally.outcomes,
        tally.iterations as f64 / count as f64,
        tally.most,
        tally.worst[0],
        tally.worst[1],
        tally.worst[2],
        tally.proved
    );
    tally
}

fn check_all<N: Numbers>(variant_set: VariantSet) {
    let (count, every) = if crate::common::data::all() { (1_000_000, 7) } else { (100_000, 11) };
    for method in METHODS {
        let tally = check::<N>(method, variant_set, count, every);
        let [hit, searched, capped, impossible] = tally.outcomes;
        let enough = count / 50;
        assert!(hit > enough && impossible > enough, "{:?}", tally.outcomes);
        assert_eq!(searched > enough, matches!(method, Method::Moving(_)), "{searched} searched");
        assert_eq!(capped, 0, "every shot is decided");
    }
}

#[test]
fn battlefield_shots_hit_in_f32() {
    check_all::<f32>(VariantSet::Field);
}

#[test]
fn battlefield_shots_hit_in_fixed() {
    check_all::<Fx>(VariantSet::Field);
}

#[test]
fn any_shot_in_range_hits_in_f32() {
    check_all::<f32>(VariantSet::Range);
}

#[test]
fn any_shot_in_range_hits_in_fixed() {
    check_all::<Fx>(VariantSet::Range);
}

#[test]
fn the_right_one_of_several_hits_is_found() {
    for method in [Method::Moving(Arc::Low), Method::Moving(Arc::High), Method::Fastest] {
        let tally = check::<f32>(method, VariantSet::Returning, 10_000, 1);
        assert!(tally.outcomes[0] + tally.outcomes[1] > 4_000, "{:?}", tally.outcomes);
        check::<Fx>(method, VariantSet::Returning, 10_000, 1);
    }
    let three = (0..1_000).filter(|&row| {
        let shot = shots::shot(VariantSet::Returning, row);
        reference::hits(&shot, 1e-3, 1.01).len() >= 3
    });
    let three = three.count();
    assert!(three > 50, "{three} of 1,000 shots have three hits or four");
}
