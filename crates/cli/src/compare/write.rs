//! The table, the JSON and the plot of a comparison.

use std::path::Path;

use crate::draw::plot::Plot;
use crate::draw::{colour, plot};
use crate::pathfinding::Promise;
use crate::summary::{plural, thousands};
use serde_json::{Value, json};
use throng::report::number::csv_field;

use crate::compare::outcome::{Outcome, Ratio};
use crate::error::CliError;
use crate::output::Output;

/// A file, and its numbers of rows that were asked and that were skipped.
pub(super) type Counted = (String, usize, usize);

/// Parts of the lengths that curves have a point for.
const BINS: usize = 12;

/// Size of a plot in pixels.
const SIZE: [u32; 2] = [640, 440];

pub(super) fn header() -> String {
    format!(
        "{:<12} {:>13} {:>7} {:>6} {:>8} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7}",
        "method",
        "found",
        "octile",
        "most",
        "shortest",
        "most",
        "missed",
        "expanded",
        "µs/query",
        "prep ms",
        "KB",
    )
}

/// One line of the table, below the name of its file.
pub(super) fn line(one: &Outcome) -> String {
    let mean = |ratio: &Ratio| ratio.mean().map_or("-".to_owned(), |mean| format!("{mean:.4}"));
    let most = |ratio: &Ratio| match ratio.most() {
        Some(most) if most < 100.0 => format!("{most:.3}"),
        Some(most) => format!("{most:.0}"),
        None => "-".to_owned(),
    };
    let missed = match one.method.promise() {
        Promise::Nothing if one.missed == 0 => "-".to_owned(),
        _ => one.missed.to_string(),
    };
    format!(
        "{:<12} {:>13} {:>7} {:>6} {:>8} {:>6} {missed:>6} {:>8.0} {:>8.1} {:>8.1} {:>7.0}",
        one.method.name(),
        format!("{}/{}", one.found, one.rows),
        mean(&one.octile),
        most(&one.octile),
        mean(&one.shortest),
        most(&one.shortest),
        one.expansions as f64 / one.rows.max(1) as f64,
        one.microseconds(),
        one.prepared_ms,
        one.bytes as f64 / 1e3,
    )
}

/// The text at the end: totals where there are several files, and rows that were missed.
pub(super) fn summary(
    outcomes: &[Outcome],
    totals: &[Outcome],
    counted: &[Counted],
    files: &[(&str, &Path)],
) -> String {
    let mut text = String::new();
    if counted.len() > 1 {
        text.push_str("all files\n");
        for total in totals {
            text.push_str(&line(total));
            text.push('\n');
        }
    }
    let asked: usize = counted.iter().map(|file| file.1).sum();
    let skipped: usize = counted.iter().map(|file| file.2).sum();
    text.push_str(&format!(
        "{} of {} asked, {} skipped: start or goal is no ground\n",
        plural(asked as u64, "row"),
        plural(counted.len() as u64, "file"),
        thousands(skipped as u64)
    ));
    for one in outcomes.iter().filter(|one| one.missed > 0) {
        let promised = match one.method.promise() {
            Promise::Octile => "the length in the file",
            Promise::Straight => "the shortest way",
            Promise::Found => "to find a way",
            Promise::Nothing => "nothing shorter than the shortest",
        };
        text.push_str(&format!(
            "MISSED: {} promises {promised}; {} of {} {}, the first in line {}\n",
            one.method.name(),
            plural(one.missed as u64, "row"),
            one.file,
            if one.missed == 1 { "differs" } else { "differ" },
            one.first_missed.unwrap_or(0)
        ));
    }
    for (what, path) in files {
        text.push_str(&format!("{what}: {}\n", path.display()));
    }
    text
}

/// A line for every file and method, for spreadsheets.
pub(super) fn csv(outcomes: &[Outcome]) -> String {
    let mut text =
        "file,method,rows,found,octile_mean,octile_most,shortest_mean,shortest_most,missed,\
                    expanded,query_us,timed_rows,prepared_ms,bytes\n"
            .to_owned();
    for one in outcomes {
        let field = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let (mean, most) =
            (|ratio: &Ratio| field(ratio.mean()), |ratio: &Ratio| field(ratio.most()));
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            csv_field(&one.file),
            one.method.name(),
            one.rows,
            one.found,
            mean(&one.octile),
            most(&one.octile),
            mean(&one.shortest),
            most(&one.shortest),
            one.missed,
            one.expansions,
            one.microseconds(),
            one.timed.len(),
            one.prepared_ms,
            one.bytes,
        ));
    }
    text
}

/// Everything as JSON.
pub(super) fn json(outcomes: &[Outcome], totals: &[Outcome], counted: &[Counted]) -> Value {
    let one = |one: &Outcome| {
        json!({
            "file": one.file,
            "method": one.method.name(),
            "rows": one.rows,
            "found": one.found,
            "octile_mean": one.octile.mean(),
            "octile_most": one.octile.most(),
            "shortest_mean": one.shortest.mean(),
            "shortest_most": one.shortest.most(),
            "missed": one.missed,
            "first_missed_line": one.first_missed,
            "expanded": one.expansions,
            "query_us": one.microseconds(),
            "timed_rows": one.timed.len(),
            "prepared_ms": one.prepared_ms,
            "bytes": one.bytes,
        })
    };
    let file = |(name, asked, skipped): &Counted| {
        let (asked, skipped) = (*asked, *skipped);
        json!({ "file": name, "asked": asked, "skipped": skipped })
    };
    json!({
        "files": counted.iter().map(file).collect::<Vec<_>>(),
        "outcomes": outcomes.iter().map(one).collect::<Vec<_>>(),
        "totals": totals.iter().map(one).collect::<Vec<_>>(),
    })
}

/// Plots ratios and times by the published length, a curve a method.
pub(super) fn plot(output: Output, totals: &[Outcome]) -> Result<(), CliError> {
    let length = "published length (cells)";
    let mut ratios = Plot::new("Length by the shortest at any angle, mean", length, "ratio");
    let mut times = Plot::new("Time of a query, median", length, "time (µs)");
    times.powers();
    ratios.x_range(Some(0.0), None).y_range(Some(1.0), None);
    times.x_range(Some(0.0), None);
    let longest = totals.iter().flat_map(|one| &one.ratios).map(|at| at[0]).fold(1.0, f64::max);
    for (i, one) in totals.iter().enumerate() {
        let colour = colour::group_colour(i);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let median = |values: &[f64]| values[values.len() / 2].max(1e-3);
        ratios.line(one.method.name(), colour, binned(&one.ratios, longest, mean));
        times.line(one.method.name(), colour, binned(&one.timed, longest, median));
    }
    let sheet = plot::sheet(&[ratios, times], 2, SIZE);
    output.picture(&sheet, false)
}

/// A value for every part of the lengths that has any; `of` is given them in order.
fn binned(points: &[[f64; 2]], longest: f64, of: impl Fn(&[f64]) -> f64) -> Vec<[f64; 2]> {
    let width = longest / BINS as f64;
    let mut bins = vec![Vec::new(); BINS];
    for &[length, value] in points {
        bins[((length / width) as usize).min(BINS - 1)].push(value);
    }
    let middle = |i: usize| (i as f64 + 0.5) * width;
    let full = bins.into_iter().enumerate().filter(|(_, values)| !values.is_empty());
    full.map(|(i, mut values)| {
        values.sort_by(f64::total_cmp);
        [middle(i), of(&values)]
    })
    .collect()
}
