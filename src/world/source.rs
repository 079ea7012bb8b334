//! Sources: agents that appear while the world runs.

use serde::{Deserialize, Serialize};

use crate::data::GroupId;
use crate::data::definition::{Definition, Takes, define};
use crate::data::record::record;
use crate::map::area::Shape;
use crate::math::{hash3, poisson};
use crate::world::{Settings, WorldError};

/// Entries that the table of a source has at most.
pub const MAX_ENTRIES: usize = 1_000;
/// Most agents a second that a source brings.
pub const MAX_RATE: f64 = 10_000.0;
/// Most agents that a source brings in all.
pub const MAX_COMERS: u32 = 1 << 24;
/// Latest time of a source, in seconds.
pub const MAX_TIME: f64 = 1.0e9;

/// Rates are kept in whole numbers of this share of an agent a second, so that sums are exact.
const RATE_STEPS: f64 = 1.0e6;

/// When the agents of a source come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Inflow {
    /// At rates: from each of these times (s, ascending) on, so many agents a second.
    Rates(Vec<[f64; 2]>),
    /// In batches: at each of these times (s, ascending), so many agents at once.
    Batches(Vec<[f64; 2]>),
}

impl Inflow {
    /// So many agents a second, always.
    pub fn rate(rate: f64) -> Self {
        Self::Rates(vec![[0.0, rate]])
    }

    /// Times and rates, or times and numbers.
    pub fn entries(&self) -> &[[f64; 2]] {
        match self {
            Self::Rates(entries) | Self::Batches(entries) => entries,
        }
    }
}

define! {
    /// How the agents of a source come. Times are counted from tick 0 of the world.
    pub struct SourceDef as "a source's " {
        /// Nobody comes before this time.
        start: f64 = 0.0, Takes::number("a time in seconds", 0.0, MAX_TIME);
        /// Nobody comes from this time on; agents that wait outside then still enter.
        end: f64 = f64::INFINITY, Takes::number("a time in seconds", 0.0, MAX_TIME);
        /// Most agents that come in all; 0 sets no limit.
        count: u32 = 0, Takes::Whole { what: "a number of agents", low: 0, high: MAX_COMERS as u64 };
        /// Whether agents come at random, as a Poisson stream of the rate; else evenly.
        poisson: bool = false;
    }
    beside {
        /// When they come.
        pub inflow: Inflow = Inflow::Rates(Vec::new());
    }
}

impl SourceDef {
    /// So many agents a second, evenly.
    pub fn at_rate(rate: f64) -> Self {
        Self { inflow: Inflow::rate(rate), ..Self::default() }
    }

    /// So many agents a second on average, at random.
    pub fn poisson(rate: f64) -> Self {
        Self { poisson: true, ..Self::at_rate(rate) }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// The value that is out of range, in words.
    pub fn check(&self) -> Result<(), WorldError> {
        self.check_fields()?;
        let entries = self.inflow.entries();
        let wrong = |why: String| Err(WorldError::Source(why));
        if entries.is_empty() || entries.len() > MAX_ENTRIES {
            let found = entries.len();
            return wrong(format!("it has {found} times, not 1 to {MAX_ENTRIES}"));
        }
        if let Some([time, _]) = entries.iter().find(|[t, _]| !(0.0..=MAX_TIME).contains(t)) {
            return wrong(format!("a time of {time} s is not from 0 to {MAX_TIME}"));
        }
        if let Some([a, b]) = entries.windows(2).map(|w| [w[0][0], w[1][0]]).find(|[a, b]| a >= b) {
            return wrong(format!("the time {b} s does not come after {a} s"));
        }
        match &self.inflow {
            Inflow::Rates(rates) => {
                match rates.iter().find(|[_, rate]| !(0.0..=MAX_RATE).contains(rate)) {
                    Some([_, rate]) => {
                        wrong(format!("{rate} agents a second are not from 0 to {MAX_RATE}"))
                    }
                    None => Ok(()),
                }
            }
            Inflow::Batches(batches) => {
                let is_wrong = |number: f64| {
                    number.fract() != 0.0 || !(0.0..=f64::from(MAX_COMERS)).contains(&number)
                };
                match batches.iter().find(|[_, number]| is_wrong(*number)) {
                    Some([_, number]) => {
                        wrong(format!("{number} is no number of agents, 0 to {MAX_COMERS}"))
                    }
                    None if self.poisson => wrong("batches do not come at random".to_owned()),
                    None => Ok(()),
                }
            }
        }
    }

    /// Sums of rates over the first ticks of the world: in [`RATE_STEPS`] and ticks.
    fn sum(rates: &[[f64; 2]], from: u64, until: u64, settings: &Settings) -> u128 {
        let mut sum = 0_u128;
        for (i, [time, rate]) in rates.iter().enumerate() {
            let begin = ticks(*time, settings).max(from);
            let end = rates.get(i + 1).map_or(until, |next| ticks(next[0], settings).min(until));
            let steps = (rate * RATE_STEPS).round_ties_even() as u128;
            sum += u128::from(end.saturating_sub(begin)) * steps;
        }
        sum
    }

    /// How many more agents come in a tick, after `due` of them have come, from the tick `since` on.
    /// `bits` are the tick's own random ones.
    fn comers(&self, tick: u64, since: u64, due: u64, bits: u64, settings: &Settings) -> u64 {
        let (first, end) = (ticks(self.start, settings).max(since), self.last(settings));
        if tick < first || tick >= end {
            return 0;
        }
        let unit = RATE_STEPS as u128 * u128::from(settings.tick_rate);
        let wanted = match &self.inflow {
            Inflow::Rates(rates) if self.poisson => {
                let mean = Self::sum(rates, tick, tick + 1, settings) as f64 / unit as f64;
                due + poisson(mean, bits)
            }
            Inflow::Rates(rates) => (Self::sum(rates, first, tick + 1, settings) / unit) as u64,
            Inflow::Batches(batches) => {
                let here = |time: f64| (first..=tick).contains(&ticks(time, settings));
                let numbers = batches.iter().filter(|[time, _]| here(*time));
                numbers.map(|[_, number]| *number as u64).sum()
            }
        };
        let most = if self.count == 0 { u64::from(MAX_COMERS) } else { u64::from(self.count) };
        wanted.min(most).saturating_sub(due)
    }

    /// The first tick in which no agents come any more.
    fn last(&self, settings: &Settings) -> u64 {
        let own = if self.end.is_finite() { ticks(self.end, settings) } else { u64::MAX };
        let entries = self.inflow.entries();
        let of_inflow = match (&self.inflow, entries.last()) {
            (_, None) => 0,
            (Inflow::Rates(rates), Some([_, 0.0])) => {
                let idle = rates.iter().rev().take_while(|[_, rate]| *rate == 0.0).last();
                idle.map_or(0, |[time, _]| ticks(*time, settings))
            }
            (Inflow::Rates(_), _) => u64::MAX,
            (Inflow::Batches(_), Some([time, _])) => ticks(*time, settings) + 1,
        };
        own.min(of_inflow)
    }
}

/// The tick that begins nearest to a time.
fn ticks(seconds: f64, settings: &Settings) -> u64 {
    (seconds * f64::from(settings.tick_rate)).round_ties_even() as u64
}

record! {
    /// How far a source has come.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Comers {
        /// The tick in which the source was opened.
        pub since: u64,
        /// Agents that have come so far, agents that wait outside among them.
        pub due: u64,
        /// Agents that have entered.
        pub entered: u64,
        /// Whether it was closed: no agents come any more.
        pub closed: bool,
    }
}

/// A source of agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub(crate) group: GroupId,
    pub(crate) area: Vec<Shape>,
    pub(crate) def: SourceDef,
    pub(crate) comers: Comers,
}

impl Source {
    /// The group that its agents join.
    pub fn group(&self) -> GroupId {
        self.group
    }

    /// Where they appear, in metres.
    pub fn area(&self) -> &[Shape] {
        &self.area
    }

    /// Times and numbers in which its agents come.
    pub fn def(&self) -> &SourceDef {
        &self.def
    }

    /// Agents that have come so far, agents that wait outside among them.
    pub fn due(&self) -> u64 {
        self.comers.due
    }

    /// Agents that have entered.
    pub fn entered(&self) -> u64 {
        self.comers.entered
    }

    /// Agents that wait outside until there is room.
    pub fn waiting(&self) -> u64 {
        self.comers.due - self.comers.entered
    }

    /// Whether it was closed by an order, or its group removed.
    pub fn is_closed(&self) -> bool {
        self.comers.closed
    }

    /// Whether no agents come any more, and none waits outside.
    pub(crate) fn is_exhausted(&self, tick: u64, settings: &Settings) -> bool {
        let Comers { due, closed, .. } = self.comers;
        let is_full =
            due >= u64::from(if self.def.count == 0 { MAX_COMERS } else { self.def.count });
        self.waiting() == 0 && (closed || is_full || tick >= self.def.last(settings))
    }

    /// Agents come in a tick; `index` is that of the source.
    pub(crate) fn come(&mut self, index: usize, tick: u64, settings: &Settings) {
        if self.comers.closed {
            return;
        }
        let bits = hash3(settings.seed ^ STREAM, tick, index as u64);
        let Comers { since, due, .. } = self.comers;
        self.comers.due += self.def.comers(tick, since, due, bits, settings);
    }

    /// Closes it: no agents come any more, and agents that wait outside go.
    pub(crate) fn close(&mut self) {
        self.comers.closed = true;
        self.comers.due = self.comers.entered;
    }
}

/// The stream of random numbers of sources.
pub(crate) const STREAM: u64 = 0x50_7572_6365;

#[cfg(test)]
mod tests {
    use super::{Comers, Inflow, Source, SourceDef};
    use crate::data::GroupId;
    use crate::world::Settings;

    fn settings(tick_rate: u32) -> Settings {
        Settings { tick_rate, ..Settings::default() }
    }

    /// How many have come after each of the first ticks.
    fn counts(def: SourceDef, settings: &Settings, ticks: u64) -> Vec<u64> {
        def.check().unwrap();
        let (group, area) = (GroupId::new(0), Vec::new());
        let mut source = Source { group, area, def, comers: Comers::default() };
        (0..ticks)
            .map(|tick| {
                source.come(3, tick, settings);
                source.due()
            })
            .collect()
    }

    #[test]
    fn even_streams_bring_the_whole_part_of_the_integral() {
        // Rates in tenths and ticks of whole numbers: the oracle is exact in whole numbers.
        for (tenths, tick_rate) in
            [(1_u32, 20_u32), (3, 20), (7, 30), (25, 7), (999, 50), (1, 1000)]
        {
            let counted =
                counts(SourceDef::at_rate(f64::from(tenths) / 10.0), &settings(tick_rate), 5_000);
            for (done, count) in (1..).zip(counted) {
                let due = u64::from(tenths) * done / (10 * u64::from(tick_rate));
                assert_eq!(count, due, "{done}");
            }
        }
    }

    #[test]
    fn rates_by_a_table_hold_from_their_times_on() {
        let rates = Inflow::Rates(vec![[1.0, 4.0], [3.0, 0.5], [13.0, 0.0], [14.0, 0.0]]);
        let def = SourceDef { inflow: rates, start: 2.0, ..SourceDef::default() };
        let counted = counts(def.clone(), &settings(10), 200);
        assert_eq!([counted[19], counted[21], counted[22], counted[29]], [0, 0, 1, 4]);
        assert_eq!([counted[48], counted[49], counted[129], counted[199]], [4, 5, 9, 9]);
        assert_eq!(def.last(&settings(10)), 130);
        let ends = SourceDef { end: 4.5, count: 3, ..def.clone() };
        assert_eq!(counts(ends.clone(), &settings(10), 200)[199], 3);
        assert_eq!(counts(SourceDef { count: 0, ..ends }, &settings(10), 200)[199], 4);
    }

    #[test]
    fn batches_come_at_once() {
        let inflow = Inflow::Batches(vec![[0.0, 5.0], [2.0, 7.0]]);
        let def = SourceDef { inflow, ..SourceDef::default() };
        let counted = counts(def.clone(), &settings(10), 40);
        assert_eq!([counted[0], counted[19], counted[20], counted[39]], [5, 5, 12, 12]);
        assert_eq!(def.last(&settings(10)), 21);
    }

    #[test]
    fn random_streams_have_the_mean_and_variance_of_poisson() {
        let (ticks, rate) = (40_000, 3.0);
        let counted = counts(SourceDef::poisson(rate), &settings(20), ticks);
        let per_second: Vec<f64> = (0..ticks as usize / 20)
            .map(|s| (counted[20 * s + 19] - if s == 0 { 0 } else { counted[20 * s - 1] }) as f64)
            .collect();
        let n = per_second.len() as f64;
        let mean = per_second.iter().sum::<f64>() / n;
        let variance = per_second.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        assert!((mean - rate).abs() < 5.0 * (rate / n).sqrt(), "{mean}");
        assert!(
            (variance - rate).abs() < 5.0 * ((rate + 2.0 * rate * rate) / n).sqrt(),
            "{variance}"
        );
        // Where the stream begins does not matter: a tick's number is its own.
        let late =
            counts(SourceDef { start: 100.0, ..SourceDef::poisson(rate) }, &settings(20), ticks);
        assert_eq!(late[39_999], counted[39_999] - counted[1_999]);
        let limited =
            counts(SourceDef { count: 50, ..SourceDef::poisson(rate) }, &settings(20), ticks);
        assert_eq!(limited[39_999], 50);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let rates = |rates: &[[f64; 2]]| SourceDef {
            inflow: Inflow::Rates(rates.to_vec()),
            ..SourceDef::default()
        };
        let refused = [
            SourceDef::default(),
            rates(&[[0.0, -1.0]]),
            rates(&[[0.0, f64::NAN]]),
            rates(&[[0.0, 10_001.0]]),
            rates(&[[-1.0, 1.0]]),
            rates(&[[5.0, 1.0], [5.0, 2.0]]),
            rates(&[[0.0, 1.0]; 1_001]),
            SourceDef { start: -1.0, ..SourceDef::at_rate(1.0) },
            SourceDef { end: f64::NAN, ..SourceDef::at_rate(1.0) },
            SourceDef { inflow: Inflow::Batches(vec![[0.0, 1.5]]), ..SourceDef::default() },
            SourceDef { inflow: Inflow::Batches(vec![[0.0, 1.0]]), ..SourceDef::poisson(1.0) },
        ];
        for def in refused {
            assert!(def.check().is_err(), "{def:?}");
        }
        assert!(SourceDef::at_rate(10_000.0).check().is_ok());
    }
}
