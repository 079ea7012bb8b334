//! Single file: the time gap and the length of a body, in the data and in runs.

use std::fs;

use throng::lane::Numbers;
use throng::math::Fx;
use throng::world::GroupDef;

use super::plots;
use super::run::{Run, line};
use crate::common::data;

fn preset() -> GroupDef {
    GroupDef::preset("pedestrian").expect("the preset")
}

/// Mean speed (m/s) and distance from head to head (m) of every run of the single-file experiment
/// in which people were slower than when they walk freely.
fn experiment(folder: &std::path::Path) -> Vec<[f64; 2]> {
    let folder = folder.join("pedestrian/fundamental_diagram/1d_single_file");
    let mut runs = Vec::new();
    for path in data::files(&folder, "dat") {
        let text = fs::read_to_string(path).expect("a run");
        let rows = text.lines().filter(|row| !row.trim().is_empty() && !row.starts_with('#'));
        let (mut count, mut density, mut speed) = (0.0, 0.0, 0.0);
        for row in rows {
            let mut numbers = row.split_whitespace().map(|n| n.parse::<f64>().expect("a number"));
            density += numbers.next().expect("a density");
            speed += numbers.next().expect("a speed");
            count += 1.0;
        }
        let [speed, distance] = [speed / count, count / density];
        if speed < 1.0 {
            runs.push([speed, distance]);
        }
    }
    runs
}

/// Distance is length + time gap · speed. The preset's numbers are as in the fit, within its 95 %
/// confidence interval and to two digits.
#[test]
fn the_presets_time_gap_and_size_are_those_of_people_in_single_file() {
    let Some(folder) = data::folder() else { return };
    let runs = experiment(&folder);
    assert_eq!(runs.len(), 11);
    let [length, gap, fit] = line(&runs);
    let count = runs.len() as f64;
    let mean = runs.iter().map(|run| run[0]).sum::<f64>() / count;
    let spread: f64 = runs.iter().map(|run| (run[0] - mean) * (run[0] - mean)).sum();
    let rest: f64 = runs.iter().map(|[v, d]| (d - length - gap * v) * (d - length - gap * v)).sum();
    // Student's t for 9 degrees of freedom.
    let scale = 2.262 * (rest / (count - 2.0)).sqrt();
    let interval = [scale / spread.sqrt(), scale * (1.0 / count + mean * mean / spread).sqrt()];
    eprintln!(
        "T = {gap:.3} ± {:.3} s, length = {length:.3} ± {:.3} m, R² = {fit:.3}",
        interval[0], interval[1]
    );
    assert!(fit > 0.9 && interval[0] < 0.25 && interval[1] < 0.15);
    let preset = preset();
    for (value, expected, interval) in
        [(preset.time_gap, gap, interval[0]), (2.0 * preset.radius, length, interval[1])]
    {
        let off = (value - expected).abs();
        assert!(off < interval && off < 0.01, "{value}, not {expected} ± {interval}");
    }
}

/// Speed (m/s) and distance (m) of the followers in every file, from 60 s on.
pub(crate) fn measure<N: Numbers>() -> Vec<[f64; 2]> {
    let mut run = Run::<N>::new("pedestrian/single_file", 1);
    let mut sums = vec![[0.0; 3]; run.groups() / 2];
    for _ in 0..run.ticks() {
        run.step();
        if run.time() < 60.0 {
            continue;
        }
        for (file, sum) in sums.iter_mut().enumerate() {
            let members = run.walkers.iter().filter(|w| usize::from(w.group) / 2 == file);
            let mut file: Vec<_> = members.collect();
            file.sort_by(|a, b| b.pos[0].total_cmp(&a.pos[0]));
            for pair in file.windows(2) {
                sum[0] += 1.0;
                sum[1] += pair[1].vel[0];
                sum[2] += pair[0].pos[0] - pair[1].pos[0];
            }
        }
    }
    sums.iter().map(|[count, speed, distance]| [speed / count, distance / count]).collect()
}

fn files_keep_their_distance<N: Numbers>() {
    let preset = preset();
    let measured = measure::<N>();
    plots::single_file(&measured, &data::folder().map(|f| experiment(&f)).unwrap_or_default());
    let speeds = [0.1, 0.25, 0.4, 0.6, 0.8, 1.0];
    for ([speed, distance], leader) in measured.into_iter().zip(speeds) {
        let expected = 2.0 * preset.radius + preset.time_gap * leader;
        eprintln!("{speed:.3} m/s behind {leader}: {distance:.3} m, expected {expected:.3} m");
        assert!((speed - leader).abs() < 0.05 * leader, "{speed} m/s behind {leader} m/s");
        assert!((distance - expected).abs() < 0.05 * expected, "{distance} m at {leader} m/s");
    }
}

#[test]
fn a_file_keeps_length_and_time_gap() {
    files_keep_their_distance::<f32>();
    files_keep_their_distance::<Fx>();
}

/// RiMEA test 16: at the density of every file its speed lies between the 10th and the 90th
/// percentile of the experiments.
#[test]
fn the_speed_of_a_file_is_that_of_people_at_its_density() {
    let Some(folder) = data::folder() else { return };
    let path = folder.join("pedestrian/fundamental_diagram/rimea16_percentile_reference.csv");
    let text = fs::read_to_string(path).expect("the percentiles").replace(',', ".");
    let row = |row: &str| -> Option<Vec<f64>> {
        row.split(';').map(|number| number.trim().parse().ok()).collect()
    };
    let rows: Vec<Vec<f64>> = text.lines().filter_map(row).collect();
    assert!(rows.len() > 30);
    for [speed, distance] in measure::<f32>() {
        let density = 1.0 / distance;
        let nearest =
            rows.iter().min_by(|a, b| (a[0] - density).abs().total_cmp(&(b[0] - density).abs()));
        let [_, low, _, high] = nearest.expect("rows")[..] else { panic!("four columns") };
        assert!((low..=high).contains(&speed), "{speed} m/s at {density}/m: {low} to {high}");
    }
}
