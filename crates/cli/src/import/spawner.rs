//! When agents come: the spawners of Vadere as sources of throng.

use throng::world::{MAX_COMERS, MAX_ENTRIES, MAX_RATE, MAX_TIME};

use crate::import::json::Node;
use crate::import::problem::Problem;
use crate::import::shapes::rounded;

/// Most agents of an event, and of a source.
const MAX_AGENTS: i64 = MAX_COMERS as i64;

/// Events that are written one by one at most.
const MAX_EVENTS: f64 = 50.0;

/// When the agents of a source appear, and how many.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stream {
    pub(super) kind: Kind,
    /// From when on, and until when, in seconds.
    pub(super) start: f64,
    pub(super) end: Option<f64>,
    /// How many at most.
    pub(super) most: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// So many at a time in seconds.
    Batches(Vec<(f64, i64)>),
    /// Agents a second, at random or evenly.
    Rate { rate: f64, poisson: bool },
    /// Agents a second from a time on.
    Table(Vec<(f64, f64)>),
}

/// What a spawner's numbers are called: of releases from 2.0 on, and before.
struct Words {
    events: &'static str,
    most: &'static str,
    start: &'static str,
    end: &'static str,
}

const WORDS: [Words; 2] = [
    Words {
        events: "eventElementCount",
        most: "constraintsElementsMax",
        start: "constraintsTimeStart",
        end: "constraintsTimeEnd",
    },
    Words {
        events: "spawnNumber",
        most: "maxSpawnNumberTotal",
        start: "startTime",
        end: "endTime",
    },
];

/// A distribution of the times from one event to the next.
struct Distribution<'a> {
    /// As `Constant`.
    kind: String,
    node: Node<'a>,
    /// Numbers without names, as older releases have them.
    parameters: Vec<Node<'a>>,
}

/// Reads when the agents of a source come in a run of so many seconds, and what is not as in Vadere;
/// no stream for a source without agents.
pub(super) fn read(
    source: &Node<'_>,
    finish: f64,
) -> Result<(Option<Stream>, Vec<String>), Problem> {
    let (spawner, words) = match source.get("spawner") {
        Some(spawner) => (spawner, &WORDS[0]),
        None => (source.clone(), &WORDS[1]),
    };
    let time = |key: &str| {
        spawner.get(key).map(|node| node.number([0.0, f64::MAX], "time in seconds")).transpose()
    };
    let start = time(words.start)?.unwrap_or(0.0).min(MAX_TIME);
    let end = time(words.end)?.unwrap_or(start).min(MAX_TIME);
    let each = spawner.get(words.events).map_or(Ok(1), |n| n.whole([0, MAX_AGENTS], "number"))?;
    let most =
        spawner.get(words.most).map_or(Ok(-1), |n| n.whole([-1, i64::MAX >> 12], "number"))?;
    let most = Some(most).filter(|most| *most >= 0).map(|most| most.min(MAX_AGENTS));
    let mut notes = Vec::new();
    if each == 0 || most == Some(0) || start >= finish {
        notes.push("nobody comes from it".to_owned());
        return Ok((None, notes));
    }
    if end <= start {
        let number = most.map_or(each, |most| most.min(each));
        let kind = Kind::Batches(vec![(start, number)]);
        return Ok((Some(Stream { kind, start: 0.0, end: None, most: None }), notes));
    }
    let distribution = distribution(source, &spawner)?;
    let last = end.min(finish);
    let kind = distribution.stream(each, [start, last], &mut notes)?;
    let end = Some(end).filter(|end| *end < finish && !matches!(kind, Kind::Batches(_)));
    let from = if matches!(kind, Kind::Rate { .. }) { start } else { 0.0 };
    Ok((Some(Stream { kind, start: from, end, most }), notes))
}

/// The distribution of a spawner, or of a source of older releases.
fn distribution<'a>(source: &Node<'a>, spawner: &Node<'a>) -> Result<Distribution<'a>, Problem> {
    let parameters = source.items("distributionParameters")?;
    let (node, class) = if let Some(node) = spawner.get("distribution") {
        let class = node.need("type")?;
        (node, Some(class))
    } else {
        let class = ["interSpawnTimeDistribution", "spawnDistribution"].map(|key| source.get(key));
        (source.clone(), class.into_iter().flatten().next())
    };
    let class = class.map_or(Ok("Constant"), |class| class.text())?;
    let short = class.rsplit(['.', '$']).next().unwrap_or_default();
    let short = short.strip_prefix("Attributes").unwrap_or(short);
    let kind = short.strip_suffix("Distribution").unwrap_or(short).to_owned();
    Ok(Distribution { kind, node, parameters })
}

impl Distribution<'_> {
    /// A number by its name, or by its place among numbers without names.
    fn number(&self, key: &str, place: usize, low: f64) -> Result<f64, Problem> {
        let named = self.node.get(key).or_else(|| self.parameters.get(place).cloned());
        let older = || self.node.get("spawnDelay").filter(|_| place == 0);
        let node = named.or_else(older).map_or_else(|| self.node.need(key), Ok)?;
        node.number([low, MAX_TIME], "number for this distribution")
    }

    /// The stream of events with `each` agents between two times.
    fn stream(
        &self,
        each: i64,
        [start, last]: [f64; 2],
        notes: &mut Vec<String>,
    ) -> Result<Kind, Problem> {
        let several = each as f64;
        let kind = match self.kind.as_str() {
            "Constant" => {
                let gap = self.number("updateFrequency", 0, 1.0e-3)?;
                let events = ((last - start) / gap + 1.0e-9).floor() + 1.0;
                if events <= MAX_EVENTS {
                    let at = |event: i32| rounded(start + gap * f64::from(event));
                    Kind::Batches((0..events as i32).map(|event| (at(event), each)).collect())
                } else {
                    if each > 1 {
                        notes.push(format!("{each} every {gap} s come evenly, one after another"));
                    }
                    Kind::Rate { rate: several / gap, poisson: false }
                }
            }
            "Poisson" | "NegativeExponential" => {
                if each > 1 {
                    notes.push("at random one by one, as many on average".to_owned());
                }
                let rate = match self.kind.as_str() {
                    "Poisson" => self.number("numberPedsPerSecond", 0, 1.0e-9)?,
                    _ => 1.0 / self.number("mean", 0, 1.0e-3)?,
                };
                Kind::Rate { rate: rate * several, poisson: true }
            }
            "SingleSpawn" => {
                let at = self.number("spawnTime", 0, 0.0)?;
                let times = if at > start && at <= last { vec![start, at] } else { vec![start] };
                Kind::Batches(times.into_iter().map(|time| (time, each)).collect())
            }
            "TimeSeries" => Kind::Table(self.series(several, start)?),
            "LinearInterpolation" => Kind::Table(self.lines(start, notes)?),
            _ => {
                let rate = several / self.mean()?;
                notes.push(format!(
                    "{rate:.3} a second on average come evenly, not by the distribution {}",
                    self.kind
                ));
                Kind::Rate { rate, poisson: false }
            }
        };
        self.check(kind)
    }

    /// Refuses rates that no scenario has.
    fn check(&self, kind: Kind) -> Result<Kind, Problem> {
        let rates: Vec<f64> = match &kind {
            Kind::Batches(_) => Vec::new(),
            Kind::Rate { rate, .. } => vec![*rate],
            Kind::Table(entries) => entries.iter().map(|(_, rate)| *rate).collect(),
        };
        match rates.into_iter().find(|rate| *rate > MAX_RATE) {
            Some(rate) => {
                let wrong = format!("{rate} agents a second come");
                Err(Problem::at(self.node.path.as_str(), wrong, "at most 10,000 a second"))
            }
            None => Ok(kind),
        }
    }

    /// The mean time from one event to the next.
    fn mean(&self) -> Result<f64, Problem> {
        match self.kind.as_str() {
            "Normal" => self.number("mean", 0, 1.0e-3),
            "Binomial" => {
                let mean = self.number("trials", 0, 0.0)? * self.number("p", 1, 0.0)?;
                Ok(mean.max(1.0e-3))
            }
            "Empirical" => {
                let values = self.node.items("values")?;
                let numbers: Result<Vec<f64>, Problem> =
                    values.iter().map(|node| node.number([0.0, MAX_TIME], "time")).collect();
                let numbers = numbers?;
                Ok((numbers.iter().sum::<f64>() / numbers.len().max(1) as f64).max(1.0e-3))
            }
            _ => {
                let wrong = format!("`{}` is no distribution that can be taken over", self.kind);
                let known = "Constant, Poisson, NegativeExponential, SingleSpawn, TimeSeries, \
                    LinearInterpolation, Normal, Binomial or Empirical";
                Err(Problem::at(self.node.path.as_str(), wrong, known))
            }
        }
    }

    /// Rates from a number of events for each of equal intervals.
    fn series(&self, each: f64, start: f64) -> Result<Vec<(f64, f64)>, Problem> {
        let length = self.number("intervalLength", 0, 1.0e-3)?;
        let counts = self.limited("spawnsPerInterval")?;
        let mut table = Vec::new();
        for (i, count) in counts.iter().enumerate() {
            let count = count.number([0.0, MAX_AGENTS as f64], "number of events")?;
            table.push((rounded(start + length * i as f64), count * each / length));
        }
        table.push((rounded(start + length * counts.len() as f64), 0.0));
        Ok(table)
    }

    /// Rates from a broken line of numbers of agents over time.
    fn lines(&self, start: f64, notes: &mut Vec<String>) -> Result<Vec<(f64, f64)>, Problem> {
        let gap = self.number("spawnFrequency", 0, 1.0e-3)?;
        let [times, numbers] = [self.limited("xValues")?, self.limited("yValues")?];
        let [times, numbers] = [times, numbers].map(|list| {
            let number = |node: &Node<'_>| node.number([0.0, MAX_TIME], "number");
            list.iter().map(number).collect::<Result<Vec<f64>, Problem>>()
        });
        let (times, numbers) = (times?, numbers?);
        let rises = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.len() != numbers.len() || times.is_empty() || !rises {
            let wrong = "`xValues` and `yValues` are no line";
            let expected = "as many numbers in both, and times that ascend";
            return Err(Problem::at(self.node.path.as_str(), wrong, expected));
        }
        notes.push("the number that comes changes in steps".to_owned());
        let mut table = Vec::new();
        for (i, &time) in times.iter().enumerate() {
            let next = numbers.get(i + 1).copied().unwrap_or(numbers[i]);
            table.push((rounded(start + time), (numbers[i] + next) / 2.0 / gap));
        }
        Ok(table)
    }

    /// A list that fits into a table of a scenario.
    fn limited(&self, key: &str) -> Result<Vec<Node<'_>>, Problem> {
        let items = self.node.items(key)?;
        if items.len() >= MAX_ENTRIES {
            let wrong = format!("`{key}` has {} entries", items.len());
            return Err(Problem::at(self.node.path.as_str(), wrong, "fewer than 1,000"));
        }
        Ok(items)
    }
}
