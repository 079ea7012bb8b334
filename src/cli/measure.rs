//! `--measure`: measures of a run, in a folder.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use throng::report::measure::Options;
use throng::report::measure::Report;
use throng::report::picture;
use throng::scenario::Plan;

use crate::cli::error::CliError;

/// Samples a simulated second when nothing is said.
const PER_SECOND: u64 = 2;

#[derive(ClapArgs, Debug)]
pub(crate) struct MeasureArgs {
    /// Measure the run: tables, JSON and plots go to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) measure: Option<PathBuf>,
    /// Ticks from one sample of `--measure` to the next [default: half a second]
    #[arg(long, value_name = "TICKS", requires = "measure", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) measure_every: Option<u64>,
    /// Seconds at the start that means of `--measure` leave out
    #[arg(long, value_name = "SECONDS", requires = "measure", allow_negative_numbers = true)]
    #[arg(default_value_t = Options::default().warm_up_s, value_parser = seconds)]
    pub(crate) measure_warm_up: f64,
}

impl MeasureArgs {
    /// What is wanted, if anything; makes the folder, so that a bad one is refused before the run.
    pub(crate) fn prepare(&self, plan: &Plan) -> Result<Option<Options>, CliError> {
        let Some(folder) = &self.measure else { return Ok(None) };
        fs::create_dir_all(folder).map_err(write_error(folder))?;
        write(&folder.join("measures.txt"), "")?;
        let rate = u64::from(plan.settings.tick_rate);
        let every = self.measure_every.unwrap_or((rate / PER_SECOND).max(1));
        Ok(Some(Options { every, warm_up_s: self.measure_warm_up }))
    }
}

/// Writes all files of a run's measures.
pub(crate) fn save(report: &Report, plan: &Plan, folder: &Path) -> Result<(), CliError> {
    write(&folder.join("measures.txt"), &report.to_string())?;
    write(&folder.join("measures.json"), &report.to_json())?;
    write(&folder.join("measures.csv"), &report.to_csv())?;
    write(&folder.join("gates.csv"), &report.gates_csv())?;
    let colours: Vec<[u8; 3]> = plan.groups.iter().map(|group| group.color).collect();
    for (name, image) in report.plots(&plan.name, &colours) {
        picture::save(&image, &folder.join(name)).map_err(|source| CliError::Picture { source })?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    fs::write(path, text).map_err(write_error(path))
}

fn write_error(path: &Path) -> impl Fn(io::Error) -> CliError + '_ {
    |source| CliError::Write { path: path.to_owned(), source }
}

/// Seconds as typed.
fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no time; a time is a number of seconds from 0 on");
    text.trim().parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0).ok_or_else(wrong)
}
