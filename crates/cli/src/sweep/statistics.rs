//! What the runs of one combination have in common: means, their intervals, quantiles.
//!
//! The interval of a mean of n independent runs is `mean ± t · s / √n`, where `s` is the standard
//! deviation with n − 1 in the divisor and `t` the 97.5 % quantile of Student's distribution with
//! n − 1 degrees of freedom (Student 1908). Quantiles lie between the sorted values in
//! proportion, as R's type 7 (Hyndman and Fan 1996).

use throng::report::number::csv_field;

use crate::sweep::journal::{Outcome, Rows};
use crate::sweep::runs::Sweep;
use crate::sweep::table::measures;

/// Quantiles of the summary: names and shares.
const QUANTILES: [(&str, f64); 7] = [
    ("min", 0.0),
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
    ("max", 1.0),
];

/// 97.5 % quantiles of Student's distribution with 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706204736,
    4.302652730,
    3.182446305,
    2.776445105,
    2.570581836,
    2.446911851,
    2.364624252,
    2.306004135,
    2.262157163,
    2.228138852,
    2.200985160,
    2.178812830,
    2.160368656,
    2.144786688,
    2.131449546,
    2.119905299,
    2.109815578,
    2.100922040,
    2.093024054,
    2.085963447,
    2.079613845,
    2.073873068,
    2.068657610,
    2.063898562,
    2.059538553,
    2.055529439,
    2.051830516,
    2.048407142,
    2.045229642,
    2.042272456,
];

/// The 97.5 % quantile of the normal distribution, then the terms of Student's in powers of one over
/// the degrees of freedom (Abramowitz and Stegun 1964, 26.7.5): 3·10⁻⁸ off at 31, less beyond.
const EXPANSION: [f64; 5] =
    [1.959963984540, 2.372271230299, 2.822498615740, 2.555849679508, 1.589534053394];

/// The 97.5 % quantile of Student's distribution.
pub(crate) fn student(degrees: usize) -> f64 {
    if let Some(&quantile) = STUDENT.get(degrees.wrapping_sub(1)) {
        return quantile;
    }
    EXPANSION.iter().rev().fold(0.0, |sum, term| sum / degrees as f64 + term)
}

/// A measure over the runs of one combination.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    /// Standard deviation of the runs; not there with one run.
    pub(crate) deviation: Option<f64>,
    /// Half of the 95 % interval of the mean; not there with one run.
    pub(crate) half: Option<f64>,
    quantiles: [f64; QUANTILES.len()],
}

impl Spread {
    /// Of some values, `None` of none.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let mean = values.iter().sum::<f64>() / count as f64;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let place = share * (count - 1) as f64;
            let below = place.floor() as usize;
            let above = (below + 1).min(count - 1);
            sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
        };
        let squares = || values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        let deviation = (count > 1).then(|| (squares() / (count - 1) as f64).sqrt());
        let half = deviation.map(|sd| student(count - 1) * sd / (count as f64).sqrt());
        (count > 0).then(|| Self {
            mean,
            deviation,
            half,
            quantiles: QUANTILES.map(|(_, share)| quantile(share)),
        })
    }
}

/// The runs of one combination of scenario and values.
pub(crate) struct Combination {
    /// The first of its runs.
    pub(crate) run: u64,
    failed: u64,
    /// By measure: its values, seed by seed.
    pub(crate) values: Vec<Vec<f64>>,
}

/// The names of the measures, and all combinations in the order of the plan.
pub(crate) fn combinations(sweep: &Sweep, rows: &Rows) -> (Vec<String>, Vec<Combination>) {
    let names = measures(rows);
    let mut found: Vec<Combination> = Vec::new();
    for (&run, outcome) in rows {
        let same = |last: &&mut Combination| sweep.combination(last.run) == sweep.combination(run);
        if found.last_mut().filter(same).is_none() {
            found.push(Combination { run, failed: 0, values: vec![Vec::new(); names.len()] });
        }
        let last = found.last_mut().expect("it was there or was added");
        match outcome {
            Outcome::Failed(_) => last.failed += 1,
            Outcome::Fine { measures, .. } => {
                for (name, number) in measures {
                    let index = names.iter().position(|known| known == name);
                    if let (Some(index), Some(number)) = (index, number.as_f64()) {
                        last.values[index].push(number);
                    }
                }
            }
        }
    }
    (names, found)
}

/// The summary as CSV: a line for every combination and measure.
pub(crate) fn csv(sweep: &Sweep, names: &[String], combinations: &[Combination]) -> String {
    let parameters = sweep.def.parameters.iter().map(|parameter| csv_field(&parameter.path));
    let head: Vec<String> = parameters.collect();
    let mut text = "scenario,".to_owned();
    head.iter().for_each(|name| text.push_str(&format!("{name},")));
    text.push_str("measure,runs,failed,mean,sd,ci95_low,ci95_high");
    QUANTILES.iter().for_each(|(name, _)| text.push_str(&format!(",{name}")));
    text.push('\n');
    for combination in combinations {
        let run = sweep.run(combination.run);
        let mut start = csv_field(&run.scenario.to_string());
        for value in run.values {
            start.push_str(&format!(",{}", csv_field(&value.to_string())));
        }
        for (name, values) in names.iter().zip(&combination.values) {
            let (count, failed) = (values.len(), combination.failed);
            text.push_str(&format!("{start},{},{count},{failed}", csv_field(name)));
            match Spread::of(values) {
                Some(spread) => {
                    let Spread { mean, deviation, half, quantiles } = spread;
                    let ends = [half.map(|half| mean - half), half.map(|half| mean + half)];
                    let cells = [Some(mean), deviation, ends[0], ends[1]].into_iter();
                    for cell in cells.chain(quantiles.map(Some)) {
                        text.push_str(&cell.map_or(",".to_owned(), |cell| format!(",{cell}")));
                    }
                }
                None => text.push_str(&",".repeat(4 + QUANTILES.len())),
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Spread, student};

    /// The share of Student's distribution within ± t, by its finite series (Abramowitz and Stegun
    /// 26.7.3 and 26.7.4): another way than the table and the expansion.
    #[allow(clippy::disallowed_methods, reason = "an oracle")]
    fn within(t: f64, degrees: usize) -> f64 {
        let angle = (t / (degrees as f64).sqrt()).atan();
        let (sine, cosine) = (angle.sin(), angle.cos());
        let odd = degrees % 2 == 1;
        let (mut term, mut sum) = if odd { (cosine, cosine) } else { (1.0, 1.0) };
        let mut k = if odd { 3 } else { 2 };
        while k + 2 <= degrees {
            term *= (k - 1) as f64 / k as f64 * cosine * cosine;
            sum += term;
            k += 2;
        }
        let sum = if degrees == 1 { 0.0 } else { sine * sum };
        if odd { (angle + sum) * 2.0 / std::f64::consts::PI } else { sum }
    }

    #[test]
    fn quantiles_of_student_hold_95_percent() {
        for degrees in 1..400 {
            let share = within(student(degrees), degrees);
            assert!((share - 0.95).abs() < 1e-8, "{degrees}: {share}");
        }
        assert!((student(1_000_000) - 1.95996).abs() < 1e-5);
    }

    #[test]
    fn a_spread_is_that_of_a_book() {
        // Student's own ten differences of sleep (Biometrika 1908): mean 1.58, s 1.23, t 2.262.
        let values = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let spread = Spread::of(&values).unwrap();
        assert!((spread.mean - 1.58).abs() < 1e-12);
        assert!((spread.deviation.unwrap() - 1.229_995).abs() < 1e-6);
        assert!((spread.half.unwrap() - 0.879_885).abs() < 1e-4);
        let [min, _, q25, median, q75, _, max] = spread.quantiles;
        assert_eq!([min, max], [0.0, 4.6]);
        for (found, wanted) in [(q25, 1.05), (median, 1.3), (q75, 1.7)] {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        let one = Spread::of(&[3.0]).unwrap();
        assert_eq!((one.mean, one.deviation, one.half), (3.0, None, None));
        assert_eq!(Spread::of(&[]), None);
    }
}
