//! A plan of a sweep and its runs: which there are, in which order, and what is typed for each.

use std::path::Path;

use throng::math::{Digest, Numeric};
use throng::scenario::{
    Assignment, MAX_TEXT, MapSource, Overrides, ScenarioDef, ScenarioFile, SweepDef,
    SweepParameter, SweepValue,
};

use crate::error::CliError;
use crate::kind::{self, Kind};
use crate::load;
use crate::load::Changes;

/// Parameters that are options of `throng run` and no keys of a scenario, or more than the key.
const OPTIONS: [&str; 4] = ["agents", "ticks", "numeric", "map"];

/// A plan, read and checked.
pub(crate) struct Sweep {
    pub(crate) def: SweepDef,
    /// The scenarios as `throng run` takes them.
    scenarios: Vec<String>,
    /// The plan's folder, with which paths of maps begin.
    folder: String,
    /// What a journal must have been written for: the scenarios and all values.
    pub(crate) digest: u64,
}

/// One run.
pub(crate) struct Run<'a> {
    pub(crate) scenario: &'a SweepValue,
    /// A value for each of the parameters.
    pub(crate) values: Vec<&'a SweepValue>,
    pub(crate) seed: u64,
    path: &'a str,
}

impl Sweep {
    /// Reads a plan and its scenarios, and tries every value for once.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let bytes = load::read(path, MAX_TEXT as u64)?;
        kind::check(path, &bytes, &[Kind::Sweep])?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let def = SweepDef::from_bytes(&bytes, &path.to_string_lossy())
            .map_err(|error| CliError::in_text(error, &text))?;
        let folder = path.parent().map_or_else(String::new, |path| path.to_string_lossy().into());
        let mut sweep = Self { def, scenarios: Vec::new(), folder, digest: 0 };
        let mut digest = Digest::new();
        digest.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        for scenario in &sweep.def.scenarios {
            let name = sweep.beside(scenario);
            let name = if Path::new(&name).exists() { name } else { scenario.to_string() };
            let source = load::source(&name).map_err(|error| {
                let help = error.help();
                let help = help.strip_prefix("did you mean ").map_or(help.clone(), |meant| {
                    format!("{}, if that is what you meant", meant.trim_end_matches('?'))
                });
                let wrong = format!("there is no file and no scenario of the name `{scenario}`");
                sweep.refused(scenario, "scenario", &wrong, &help)
            })?;
            digest.word(source.bytes.len() as u64).bytes(&source.bytes);
            let plain = load::assigned(&source, &[])?;
            let def = ScenarioDef::parse_assigned(&plain, &source.name)
                .map_err(|error| CliError::scenario(error, &plain.text))?;
            if let MapSource::File { path } = &def.map.source {
                digest.bytes(&load::named_by(&source, path).unwrap_or_default());
            }
            sweep.try_values(&source)?;
            sweep.scenarios.push(name);
        }
        for value in sweep.def.parameters.iter().flat_map(|parameter| &parameter.values) {
            digest.word(value.toml.len() as u64).bytes(value.toml.as_bytes());
        }
        for SweepParameter { path, values } in &sweep.def.parameters {
            digest.word(values.len() as u64).bytes(path.as_bytes());
        }
        sweep.def.seeds.iter().for_each(|&seed| _ = digest.word(seed));
        sweep.digest = digest.finish();
        Ok(sweep)
    }

    /// A path from the plan's folder.
    fn beside(&self, value: &SweepValue) -> String {
        Path::new(&self.folder).join(value.to_string()).to_string_lossy().into_owned()
    }

    pub(crate) fn refused(
        &self,
        value: &SweepValue,
        key: &str,
        wrong: &str,
        expected: &str,
    ) -> CliError {
        CliError::in_text(self.def.refused(value, key, wrong, expected), &self.def.text)
    }

    /// Reads a scenario with every value of every parameter, beside the first values of the others: a
    /// value that is wrong by itself is told before any run.
    fn try_values(&self, source: &ScenarioFile) -> Result<(), CliError> {
        let parameters = &self.def.parameters;
        let mut values: Vec<&SweepValue> = parameters.iter().map(|p| &p.values[0]).collect();
        for (index, parameter) in parameters.iter().enumerate() {
            for value in &parameter.values {
                values[index] = value;
                self.try_out(source, &values, index)?;
            }
            values[index] = &parameter.values[0];
        }
        Ok(())
    }

    /// Reads a scenario with some values; of what is wrong, the one at `index` is told first.
    fn try_out(
        &self,
        source: &ScenarioFile,
        values: &[&SweepValue],
        index: usize,
    ) -> Result<(), CliError> {
        let Changes { overrides, set } = self.changes(values)?;
        let text = load::assigned(source, &set)?;
        let parameter = |index: usize| &self.def.parameters[index];
        let whose = |path: &str| {
            let same = |index: &usize| parameter(*index).path == path;
            (0..values.len()).find(same).unwrap_or(index)
        };
        let mut def = ScenarioDef::parse_assigned(&text, &source.name).map_err(|error| {
            let problem = error.problems.iter().find(|p| text.assignment_of(p).is_some());
            let problem = problem.unwrap_or(error.first());
            let at = text.assignment_of(problem).map_or(index, |at| whose(&set[at].path));
            let error = self.def.refused_as(values[at], &parameter(at).path, problem);
            CliError::in_text(error, &self.def.text)
        })?;
        def.apply(&overrides).map_err(|error| {
            let key = format!("parameters.{}", parameter(index).path);
            self.refused(values[index], &key, &error.to_string(), "")
        })
    }

    /// What values change of a scenario.
    fn changes(&self, values: &[&SweepValue]) -> Result<Changes, CliError> {
        let (mut overrides, mut set) = (Overrides::default(), Vec::new());
        for (SweepParameter { path, .. }, value) in self.def.parameters.iter().zip(values) {
            let wrong = |wrong: &str, expected: &str| {
                let found = &value.toml;
                let wrong = format!("{found} {wrong}");
                self.refused(value, &format!("parameters.{path}"), &wrong, expected)
            };
            let whole = || {
                let whole = value.number.filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n));
                whole.map(|n| n as u64).ok_or_else(|| wrong("is no whole number", "one from 0 on"))
            };
            match path.as_str() {
                "agents" => overrides.agents = Some(whole()?),
                "ticks" => overrides.ticks = Some(whole()?),
                "numeric" => {
                    let numeric = Numeric::from_word(&value.to_string());
                    let expected = "`f32` or `fixed`";
                    overrides.numeric =
                        Some(numeric.ok_or_else(|| wrong("is no number type", expected))?);
                }
                "map" => overrides.map = Some(self.beside(value)),
                path => {
                    let (path, value) = (path.to_owned(), value.toml.clone());
                    set.push(Assignment { path, value });
                }
            }
        }
        Ok(Changes { overrides, set })
    }

    /// The names of the measures that are wanted.
    pub(crate) fn measures(&self) -> impl Iterator<Item = String> {
        self.def.measures.iter().map(ToString::to_string)
    }

    /// The first run of every scenario with the first values, and with every other value beside the first
    /// ones of the other parameters.
    pub(crate) fn samples(&self) -> Vec<u64> {
        let counts = self.def.parameters.iter().map(|parameter| parameter.values.len() as u64);
        let counts: Vec<u64> = counts.collect();
        let seeds = self.def.seeds.len() as u64;
        let block = counts.iter().product::<u64>() * seeds;
        let mut samples = Vec::new();
        for first in (0..self.scenarios.len() as u64).map(|scenario| scenario * block) {
            samples.push(first);
            let mut step = block;
            for &count in &counts {
                step /= count;
                samples.extend((1..count).map(|value| first + value * step));
            }
        }
        samples
    }

    /// How many runs there are.
    pub(crate) fn len(&self) -> u64 {
        self.def.runs().expect("a plan that was read has a million runs at most")
    }

    /// Which combination of scenario and values a run has, from 0.
    pub(crate) fn combination(&self, run: u64) -> u64 {
        run / self.def.seeds.len() as u64
    }

    /// A run by its index from 0: seeds change fastest, then the last parameter, the scenario last.
    pub(crate) fn run(&self, index: u64) -> Run<'_> {
        let mut rest = index;
        let mut digit = |of: usize| {
            let digit = rest % of as u64;
            rest /= of as u64;
            digit as usize
        };
        let seed = self.def.seeds[digit(self.def.seeds.len())];
        let parameters = self.def.parameters.iter().rev();
        let mut values: Vec<&SweepValue> =
            parameters.map(|p| &p.values[digit(p.values.len())]).collect();
        values.reverse();
        let scenario = digit(self.scenarios.len());
        let path = &self.scenarios[scenario];
        Run { scenario: &self.def.scenarios[scenario], values, seed, path }
    }

    /// The arguments of `throng` for the same run by itself.
    pub(crate) fn typed(&self, index: u64) -> Vec<String> {
        let run = self.run(index);
        let mut typed = vec!["run".to_owned(), run.path.to_owned(), format!("--seed={}", run.seed)];
        for (SweepParameter { path, .. }, value) in self.def.parameters.iter().zip(run.values) {
            typed.push(match path.as_str() {
                "map" => format!("--map={}", self.beside(value)),
                option if OPTIONS.contains(&option) => format!("--{option}={value}"),
                path => format!("--set={path}={}", value.toml),
            });
        }
        typed
    }
}
