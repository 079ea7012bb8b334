//! Distributions of what agents of one group differ in.

use serde::{Deserialize, Serialize};

use crate::data::OutOfRange;
use crate::math::{exp, hash2, ln, normal_quantile, unit_f64};

/// Draws from a distribution until one lies between its bounds, at most.
const MAX_DRAWS: u64 = 64;

/// Largest number of a distribution, and largest of its parameters.
const LARGEST: f64 = 1.0e6;

/// How the numbers of a distribution lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Spread {
    /// All are the same.
    Constant(f64),
    /// Evenly between two.
    Uniform {
        /// Smallest.
        low: f64,
        /// Largest.
        high: f64,
    },
    /// Normally.
    Normal {
        /// Mean, before numbers beyond the bounds are left out.
        mean: f64,
        /// Standard deviation, likewise.
        deviation: f64,
    },
    /// Their logarithms normally.
    LogNormal {
        /// Mean of the numbers themselves, before those beyond the bounds are left out; above 0.
        mean: f64,
        /// Their standard deviation, likewise.
        deviation: f64,
    },
}

/// A distribution of numbers between two bounds.
///
/// Numbers beyond the bounds are drawn again, so what lies between them keeps its proportions; after 64
/// draws the nearer bound is taken. A number is a pure function of the distribution and random bits, in
/// operations that have the same bits on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// The kind of distribution.
    pub spread: Spread,
    /// Smallest number.
    pub min: f64,
    /// Largest number.
    pub max: f64,
}

impl From<Spread> for Distribution {
    /// The whole of it, as far as agents can have such numbers.
    fn from(spread: Spread) -> Self {
        Self { spread, min: -LARGEST, max: LARGEST }
    }
}

impl Distribution {
    /// One number.
    pub fn constant(number: f64) -> Self {
        Spread::Constant(number).into()
    }

    /// Evenly from `low` to `high`.
    pub fn uniform(low: f64, high: f64) -> Self {
        Spread::Uniform { low, high }.into()
    }

    /// Normally.
    pub fn normal(mean: f64, deviation: f64) -> Self {
        Spread::Normal { mean, deviation }.into()
    }

    /// Log-normally; mean and deviation are of the numbers, not of their logarithms.
    pub fn log_normal(mean: f64, deviation: f64) -> Self {
        Spread::LogNormal { mean, deviation }.into()
    }

    /// The same from `min` to `max` only.
    #[must_use]
    pub fn within(self, min: f64, max: f64) -> Self {
        Self { min, max, ..self }
    }

    /// Refuses numbers out of range: `name` is what the numbers are, and `least` and `most` what they
    /// may be.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self, name: &'static str, least: f64, most: f64) -> Result<(), OutOfRange> {
        let part = |of: &'static str, value: f64, least: f64, most: f64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(OutOfRange { of, name, value, least, most })
        };
        match self.spread {
            Spread::Constant(number) => part("the constant of ", number, least, most)?,
            Spread::Uniform { low, high } => {
                part("the low end of ", low, least, most)?;
                part("the high end of ", high, low, most)?;
            }
            Spread::Normal { mean, deviation } => {
                part("the mean of ", mean, -LARGEST, LARGEST)?;
                part("the deviation of ", deviation, 0.0, LARGEST)?;
            }
            Spread::LogNormal { mean, deviation } => {
                part("the mean of ", mean, 1.0 / LARGEST, LARGEST)?;
                part("the deviation of ", deviation, 0.0, LARGEST)?;
            }
        }
        let [low, high] = self.bounds(least, most);
        part("the `min` of ", self.min, -LARGEST, self.max)?;
        part("the `min` of ", low, least, most)?;
        part("the `max` of ", high, low, most)?;
        if let Spread::Normal { mean, deviation } = self.spread {
            part("the mean of ", mean, low - 4.0 * deviation, high + 4.0 * deviation)?;
        }
        Ok(())
    }

    /// The bounds of its numbers, where they may be from `least` to `most`.
    pub fn bounds(&self, least: f64, most: f64) -> [f64; 2] {
        let own = match self.spread {
            Spread::Constant(number) => [number; 2],
            Spread::Uniform { low, high } => [low, high],
            Spread::Normal { mean, deviation: 0.0 }
            | Spread::LogNormal { mean, deviation: 0.0 } => [mean; 2],
            Spread::Normal { .. } | Spread::LogNormal { .. } => [least, most],
        };
        [own[0].max(self.min).max(least), own[1].min(self.max).min(most)]
    }

    /// The number that goes with random bits, from `least` to `most` at all events.
    pub fn draw(&self, bits: u64, least: f64, most: f64) -> f64 {
        let [low, high] = self.bounds(least, most);
        let mut number = low;
        for draw in 0..MAX_DRAWS {
            // Strictly between 0 and 1.
            let p = unit_f64(hash2(bits, draw)) + 0.5 / (1_u64 << 53) as f64;
            number = self.quantile(p);
            if (low..=high).contains(&number) {
                return number;
            }
        }
        if number < low { low } else { high.max(low) }
    }

    /// The number below which a share `p` of the numbers lies, before the bounds.
    fn quantile(&self, p: f64) -> f64 {
        match self.spread {
            Spread::Constant(number) => number,
            Spread::Uniform { low, high } => low + (high - low) * p,
            Spread::Normal { mean, deviation } => mean + deviation * normal_quantile(p),
            Spread::LogNormal { mean, deviation } => {
                let ratio = deviation / mean;
                let variance = ln(1.0 + ratio * ratio);
                let middle = ln(mean) - 0.5 * variance;
                exp((middle + variance.sqrt() * normal_quantile(p)).clamp(-700.0, 700.0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Distribution;
    use crate::math::{exp, hash2, ln};

    /// Mean and standard deviation of what 100,000 ids draw.
    fn drawn(distribution: Distribution, least: f64, most: f64) -> [f64; 2] {
        let all: Vec<f64> =
            (0..100_000).map(|id| distribution.draw(hash2(7, id), least, most)).collect();
        assert!(all.iter().all(|number| (least..=most).contains(number)));
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let variance = all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / all.len() as f64;
        [mean, variance.sqrt()]
    }

    /// The same of a density between two bounds, by sums over a fine grid.
    fn summed(density: impl Fn(f64) -> f64, low: f64, high: f64) -> [f64; 2] {
        let steps = 100_000;
        let at = |i: i32| low + (high - low) * (f64::from(i) + 0.5) / f64::from(steps);
        let sum =
            |f: &dyn Fn(f64) -> f64| (0..steps).map(|i| f(at(i)) * density(at(i))).sum::<f64>();
        let all = sum(&|_| 1.0);
        let mean = sum(&|x| x) / all;
        [mean, (sum(&|x| (x - mean) * (x - mean)) / all).sqrt()]
    }

    fn assert_close(found: [f64; 2], wanted: [f64; 2]) {
        // Five standard deviations of the mean, and as much of the deviation.
        let margin = 5.0 * wanted[1] / 100_000_f64.sqrt();
        assert!((found[0] - wanted[0]).abs() <= margin, "mean {found:?}, not {wanted:?}");
        assert!(
            (found[1] - wanted[1]).abs() <= 2.0 * margin,
            "deviation {found:?}, not {wanted:?}"
        );
    }

    #[test]
    fn numbers_have_mean_and_deviation_of_their_distribution() {
        assert_eq!(drawn(Distribution::constant(1.25), 0.0, 9.0), [1.25, 0.0]);
        assert_close(drawn(Distribution::uniform(0.5, 2.0), 0.0, 9.0), [1.25, 1.5 / 12_f64.sqrt()]);
        assert_close(drawn(Distribution::normal(1.34, 0.26), -9.0, 9.0), [1.34, 0.26]);
        assert_close(drawn(Distribution::log_normal(30.0, 15.0), 0.0, 1e6), [30.0, 15.0]);
    }

    #[test]
    fn cut_distributions_keep_their_shape_between_the_bounds() {
        let bell = |x: f64| exp(-0.5 * ((x - 1.34) / 0.26) * ((x - 1.34) / 0.26));
        let cut = Distribution::normal(1.34, 0.26).within(1.0, 1.5);
        assert_close(drawn(cut, 0.0, 9.0), summed(bell, 1.0, 1.5));
        let (variance, middle) = (ln(1.25), ln(30.0) - 0.5 * ln(1.25));
        let skewed = |x: f64| exp(-(ln(x) - middle) * (ln(x) - middle) / (2.0 * variance)) / x;
        let cut = Distribution::log_normal(30.0, 15.0).within(10.0, 45.0);
        assert_close(drawn(cut, 0.0, 1e6), summed(skewed, 10.0, 45.0));
        // Bounds where hardly a number lies are kept at all events.
        let far = Distribution::normal(0.0, 1.0).within(3.9, 4.0);
        let [mean, _] = drawn(far, 0.0, 9.0);
        assert!((3.9..=4.0).contains(&mean));
    }

    #[test]
    fn distributions_out_of_range_are_refused_by_name() {
        let told = |distribution: Distribution| {
            distribution.check("speed", 0.1, 3.0).map_err(|error| error.to_string())
        };
        assert_eq!(told(Distribution::normal(1.3, 0.3)), Ok(()));
        assert_eq!(told(Distribution::uniform(0.5, 0.5)), Ok(()));
        let wrong = "the constant of speed is 4, but must lie in 0.1 ..= 3";
        assert_eq!(told(Distribution::constant(4.0)), Err(wrong.to_owned()));
        let refused = [
            Distribution::constant(f64::NAN),
            Distribution::uniform(2.0, 1.0),
            Distribution::uniform(0.0, 1.0),
            Distribution::normal(1.3, -0.1),
            Distribution::normal(f64::INFINITY, 0.1),
            Distribution::normal(30.0, 0.5),
            Distribution::log_normal(0.0, 0.1),
            Distribution::normal(1.3, 0.3).within(2.0, 1.0),
            Distribution::normal(1.3, 0.3).within(4.0, 5.0),
        ];
        for distribution in refused {
            assert!(told(distribution).is_err(), "{distribution:?}");
        }
    }
}
