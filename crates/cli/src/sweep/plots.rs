//! Plots of a sweep: means with their intervals over a parameter, measure by measure.

use std::collections::BTreeMap;

use image::RgbImage;
use throng::scenario::SweepValue;

use crate::draw::plot::{COLOURS, Plot};
use crate::sweep::runs::Sweep;
use crate::sweep::statistics::{Combination, Spread};

/// Curves of a plot at most; its title says when there are more.
const CURVES: usize = 7;

/// Pixels of a plot.
const SIZE: [u32; 2] = [760, 460];

/// What the x axis of all plots shows.
enum Across {
    /// The parameter of this index.
    Parameter(usize),
    Seed,
}

/// A curve: its name, and the combinations on it.
type Curve<'a> = (String, Vec<&'a Combination>);

/// The plot of a measure, the one of this index.
pub(crate) fn plot(
    sweep: &Sweep,
    name: &str,
    index: usize,
    combinations: &[Combination],
) -> RgbImage {
    let across = across(sweep);
    let curves = curves(sweep, &across, combinations);
    let label = match across {
        Across::Parameter(parameter) => &sweep.def.parameters[parameter].path,
        Across::Seed => "seed",
    };
    let most = |curve: &Curve<'_>| curve.1.iter().map(|c| c.values[index].len()).max();
    let runs = curves.iter().filter_map(most).max().unwrap_or(0);
    let is_mean = matches!(across, Across::Parameter(_)) && runs > 1;
    let note = if is_mean { ", mean and 95 % interval" } else { "" };
    let mut plot = Plot::new(&format!("{}: {name}{note}", sweep.def.name), label, name);
    for ((curve, combinations), colour) in curves.iter().zip(COLOURS) {
        match across {
            Across::Seed => {
                let seeds = sweep.def.seeds.iter().map(|&seed| seed as f64);
                let values = combinations.iter().flat_map(|c| &c.values[index]);
                let points = seeds.zip(values).map(|(seed, &value)| [seed, value]).collect();
                plot.scatter(curve, colour, points);
            }
            Across::Parameter(parameter) => {
                let mut points: Vec<([f64; 2], f64)> = Vec::new();
                for combination in combinations {
                    let x = sweep.run(combination.run).values[parameter].number;
                    let spread = Spread::of(&combination.values[index]);
                    if let (Some(x), Some(Spread { mean, half, .. })) = (x, spread) {
                        points.push(([x, mean], half.unwrap_or(0.0)));
                    }
                }
                points.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
                plot.line(curve, colour, points.iter().map(|point| point.0).collect());
                plot.scatter("", colour, points.iter().map(|point| point.0).collect());
                // A line for each interval: what is not finite ends one.
                let bars = points.iter().filter(|(_, half)| *half > 0.0);
                let bars =
                    bars.flat_map(|&([x, y], half)| [[x, y - half], [x, y + half], [f64::NAN; 2]]);
                plot.line("", colour, bars.collect());
            }
        }
    }
    if curves.len() > CURVES {
        plot = plot.noted(&format!(", the first {CURVES} of {} curves", curves.len()));
    }
    plot.draw(SIZE)
}

/// The first parameter with several values, all numbers; else the seed.
fn across(sweep: &Sweep) -> Across {
    let varies = |values: &[SweepValue]| {
        values.len() > 1 && values.iter().all(|value| value.number.is_some())
    };
    let found = sweep.def.parameters.iter().position(|parameter| varies(&parameter.values));
    found.map_or(Across::Seed, Across::Parameter)
}

/// One curve for every combination of all that varies beside the x axis.
fn curves<'a>(sweep: &Sweep, across: &Across, combinations: &'a [Combination]) -> Vec<Curve<'a>> {
    let mut order: BTreeMap<String, usize> = BTreeMap::new();
    let mut curves: Vec<Curve<'a>> = Vec::new();
    for combination in combinations {
        let run = sweep.run(combination.run);
        let mut parts = Vec::new();
        if sweep.def.scenarios.len() > 1 {
            parts.push(run.scenario.to_string());
        }
        for (index, parameter) in sweep.def.parameters.iter().enumerate() {
            let is_across = matches!(across, Across::Parameter(across) if *across == index);
            if !is_across && parameter.values.len() > 1 {
                parts.push(format!("{} {}", parameter.path, run.values[index]));
            }
        }
        let name = parts.join(", ");
        let index = *order.entry(name.clone()).or_insert_with(|| {
            curves.push((name, Vec::new()));
            curves.len() - 1
        });
        curves[index].1.push(combination);
    }
    curves
}
