//! Pictures of what the checks measure, in `target/tmp/pedestrians`. Literature is drawn when the
//! data folder is there.

use std::fs;
use std::path::Path;

use throng_cli::draw::colour::Rgb;
use throng_cli::draw::plot::{COLOURS, Plot};

use super::density::weidmann;
use crate::common::data;

const GREY: Rgb = [0xa0; 3];

fn save(name: &str, plot: &Plot) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pedestrians");
    fs::create_dir_all(&folder).expect("a folder for pictures");
    plot.draw([640, 420]).save(folder.join(name)).expect("a picture");
}

/// The numbers of a table, row by row.
fn table(path: &Path) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(path).expect("a table");
    let row = |row: &str| row.split_whitespace().map(|number| number.parse().ok()).collect();
    text.lines().filter_map(row).filter(|row: &Vec<f64>| row.len() >= 2).collect()
}

/// Speed against density.
pub(crate) fn density(points: &[[f64; 2]]) {
    let mut plot = Plot::new("Speed against density", "density (1/m²)", "speed (m/s)");
    if let Some(folder) = data::folder() {
        let folder = folder.join("pedestrian/fundamental_diagram/2d_closed_corridor_ug");
        let files = data::files(&folder, "txt");
        let rows = files.iter().flat_map(|path| table(path));
        let points = rows.map(|row| [row[0], row[1]]).filter(|point| point[0] <= 3.0).collect();
        plot.scatter("closed corridor, experiment", [0xd8; 3], points);
    }
    let curve = (10..=300).map(|i| f64::from(i) / 100.0).map(|x| [x, weidmann(x)]).collect();
    plot.dashes("Weidmann 1993", GREY, curve);
    plot.scatter("throng", COLOURS[1], points.to_vec());
    save("density.png", &plot);
}

/// Flow against the width of a door.
pub(crate) fn doors(points: &[[f64; 2]], [constant, slope, _]: [f64; 3]) {
    let mut plot = Plot::new("Flow through a door", "width (m)", "flow (persons/s)");
    if let Some(folder) = data::folder() {
        let files = data::files(&folder.join("pedestrian/bottleneck_flow"), "txt");
        for (i, path) in files.iter().enumerate() {
            let rows = table(path).into_iter().map(|row| [row[0], row[1]]);
            let name = if i == 0 { "experiments" } else { "" };
            plot.scatter(name, GREY, rows.filter(|row| row[0] <= 3.2).collect());
        }
    }
    let line = [0.7, 3.1].map(|width| [width, constant + slope * width]);
    plot.line("", COLOURS[1], line.to_vec());
    plot.scatter("throng", COLOURS[1], points.to_vec());
    save("doors.png", &plot);
}

/// How well two streams are sorted, over time.
pub(crate) fn lanes(orders: &[(f64, f64)]) {
    let mut plot = Plot::new("Lanes in counter-flow", "time (s)", "order (0 mixed, 1 lanes)");
    plot.line("", COLOURS[0], orders.iter().map(|&(time, order)| [time, order]).collect());
    save("counter_flow.png", &plot);
}

/// Distance against speed in single file.
pub(crate) fn single_file(points: &[[f64; 2]], experiment: &[[f64; 2]]) {
    let mut plot = Plot::new("Single file", "speed (m/s)", "distance, head to head (m)");
    plot.scatter("experiments", GREY, experiment.to_vec());
    plot.dashes("0.36 m + 1.06 s · speed", GREY, vec![[0.0, 0.36], [1.0, 1.42]]);
    plot.scatter("throng", COLOURS[1], points.to_vec());
    save("single_file.png", &plot);
}

/// Speeds of walkers in corridors and in the open.
pub(crate) fn corridors(points: &[[f64; 2]], free: &[[f64; 2]]) {
    let mut plot = Plot::new("Free speed", "angle of the corridor (degrees)", "speed (m/s)");
    plot.y_range(Some(1.2), Some(1.4)).level("preset", GREY, 1.34);
    plot.scatter("in the open", GREY, free.to_vec());
    plot.scatter("in corridors", COLOURS[1], points.to_vec());
    save("corridors.png", &plot);
}
