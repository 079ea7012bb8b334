//! `--measure`: measures of a run, in a folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use throng::report::measure::{Options, Report};
use throng::scenario::Scene;

use crate::draw::classes::Classes;
use crate::error::CliError;
use crate::measure_files::MeasureFiles;
use crate::output::{self, Output};

/// Samples a simulated second when nothing is said.
const PER_SECOND: u64 = 2;

/// All files that there may be in the folder.
const FILES: [&str; 8] = [
    "measures.txt",
    "measures.json",
    "measures.csv",
    "gates.csv",
    "time.png",
    "gates.png",
    "areas.png",
    "fundamental.png",
];

/// The files of the measures by name, open; plots that a run does not have are left out at its end.
pub(crate) type Outputs = BTreeMap<&'static str, Output>;

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
    /// Largest radius of a Voronoi cell of `--measure` [default: none]
    #[arg(long, value_name = "METRES", requires = "measure", allow_negative_numbers = true)]
    #[arg(value_parser = metres)]
    pub(crate) measure_cutoff: Option<f64>,
}

impl MeasureArgs {
    /// The options of the measures, if any are wanted, and the files.
    pub(crate) fn prepare(&self, tick_rate: u32) -> Result<Option<(Options, Outputs)>, CliError> {
        let Some(folder) = &self.measure else { return Ok(None) };
        output::make_folder(folder)?;
        let open = |name: &'static str| Ok((name, Output::at(&folder.join(name))?));
        let outputs = FILES.into_iter().map(open).collect::<Result<_, CliError>>()?;
        let rate = u64::from(tick_rate);
        let every = self.measure_every.unwrap_or((rate / PER_SECOND).max(1));
        Ok(Some((
            Options { every, warm_up_s: self.measure_warm_up, cutoff_m: self.measure_cutoff },
            outputs,
        )))
    }
}

/// Writes all files of a run's measures.
pub(crate) fn save(
    report: &Report,
    name: &str,
    scene: &Scene,
    mut outputs: Outputs,
) -> Result<(), CliError> {
    let mut output = |name| outputs.remove(name).expect("every file of the measures is open");
    output("measures.txt").save(report.to_string())?;
    let files = MeasureFiles(report);
    output("measures.json").save(files.to_json())?;
    output("measures.csv").save(files.to_csv())?;
    output("gates.csv").save(files.gates_csv())?;
    let colours = Classes::groups(scene).colours;
    for (file, image) in files.plots(name, &colours) {
        output(file).picture(&image, false)?;
    }
    Ok(())
}

/// Seconds as typed.
fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no time; a time is a number of seconds from 0 on");
    text.trim().parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0).ok_or_else(wrong)
}

/// A length as typed.
fn metres(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no radius; a radius is a number of metres above 0");
    text.trim().parse().ok().filter(|m: &f64| m.is_finite() && *m > 0.0).ok_or_else(wrong)
}
