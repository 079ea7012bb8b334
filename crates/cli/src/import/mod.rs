//! `throng import`: files of other programs become scenarios and maps.

mod json;
#[cfg(feature = "svg")]
mod plan;
mod problem;
#[cfg_attr(not(feature = "svg"), allow(dead_code))]
mod raster;
mod scenario;
mod shapes;
mod spawner;
#[cfg(feature = "svg")]
mod svg;
mod vadere;
mod wkt;

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use png::{BitDepth, ColorType, Encoder, EncodingError};
use throng::map::Map;
use throng::scenario::ScenarioDef;

use crate::error::CliError;
use crate::import::problem::Problem;
use crate::import::raster::Raster;
use crate::import::vadere::Topography;
use crate::import::wkt::Geometry;
use crate::output::Output;
use crate::run::FOLDER;
use crate::summary::plural;
use crate::{load, say, tell};

/// Most bytes of a file: 64 MiB.
const MAX_FILE: u64 = 64 << 20;

/// Sides of cells that are tried when none is given, in metres, and the most cells that a map then has.
const CELLS: [f64; 4] = [0.1, 0.2, 0.5, 1.0];
const MAX_CELLS: f64 = 4_000_000.0;

/// Notes that are told at most; the scenario has them all.
const TOLD: usize = 20;

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng import corner.scenario                     out/corner.toml, and its map out/corner.png
  throng import corner.scenario --cell 0.2 -o corner.toml
  throng import floor.svg --scale 0.01 --layer walls -o floor.png
  throng import hall.wkt --cell 0.2 -o hall.png

A scenario of Vadere becomes a scenario file and a map, which `throng run` runs and you can change:
obstacles, sources, targets in turn, absorbing and measurement areas, agents that are there from the
beginning, speeds. What is not taken over is told, and stands in the file.

A floor plan becomes a map: dark lines and filled shapes are walls, light ones drawn over them are
ground. A geometry of JuPedSim, walkable areas with y up, becomes a map turned over, so that it
looks as in JuPedSim. `throng check` draws maps.

Exit codes: 0 fine, 2 bad use or bad input.")]
pub(crate) struct ImportArgs {
    /// A scenario of Vadere (`.scenario`, `.json`), a floor plan (`.svg`), or a geometry of JuPedSim
    /// (`.wkt`)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write it: a scenario (`.toml`) with its map beside it, or the map of a floor plan or a
    /// geometry (`.png`) [default: the file's name, in out/]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Side of a cell in metres [default: 0.1, more on large maps]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    cell: Option<f64>,
    /// Metres that a unit of a floor plan is, such as 0.01
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    scale: Option<f64>,
    /// Take of a floor plan this layer alone: an id, a class or an Inkscape label; may be given
    /// several times
    #[arg(long, value_name = "NAME")]
    layer: Vec<String>,
    /// Least width of the lines of a floor plan in metres; a line is a cell at least [default: 0]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    line_width: Option<f64>,
}

/// Reads a file and writes what it becomes.
pub(crate) fn run(args: &ImportArgs) -> Result<bool, CliError> {
    if let Some(cell) = args.cell.filter(|cell| !(0.1..=100.0).contains(cell)) {
        return Err(CliError::value("--cell", cell, "a side is 0.1 to 100 metres"));
    }
    let ending = args.file.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str().unwrap_or_default() {
        "scenario" | "json" => vadere(args)?,
        "svg" => floor(args)?,
        "wkt" => geometry(args)?,
        _ => {
            let wrong = "its name is that of no kind of file that is known";
            let expected = "a name that ends in .scenario, .json, .svg or .wkt";
            return Err(Problem::whole(wrong, expected).of(&args.file));
        }
    }
    Ok(true)
}

/// This program has no reader of floor plans.
#[cfg(not(feature = "svg"))]
fn floor(args: &ImportArgs) -> Result<(), CliError> {
    let expected = "one that was built with `--features svg`";
    let problem = Problem::whole("this program reads no `.svg` files", expected);
    Err(problem.of(&args.file))
}

/// A floor plan in SVG.
#[cfg(feature = "svg")]
fn floor(args: &ImportArgs) -> Result<(), CliError> {
    let refused = |problem: Problem| problem.of(&args.file);
    for (argument, value) in [("--scale", args.scale), ("--line-width", args.line_width)] {
        let is_scale = argument == "--scale";
        let range = if is_scale { 1.0e-6..=1.0e6 } else { 0.0..=100.0 };
        if let Some(value) = value.filter(|value| !range.contains(value)) {
            let why = if is_scale { "0.000001 to 1000000 metres" } else { "0 to 100 metres" };
            return Err(CliError::value(argument, value, why));
        }
    }
    let plan = svg::read(&load::read(&args.file, MAX_FILE)?, &args.layer).map_err(refused)?;
    let Some(scale) = args.scale else {
        let expected = "--scale with the metres of a unit, as --scale 0.01";
        return Err(refused(Problem::whole("it does not say how large its units are", expected)));
    };
    let rules = plan::Rules { scale, cell: args.cell, line: args.line_width.unwrap_or(0.0) };
    let raster = plan.raster(&rules).map_err(refused)?;
    let written = save(args, &raster)?;
    plan.notes.iter().for_each(|note| tell(&format!("note: {note}")));
    let drawn = plural(plan.marks.len() as u64, "thing");
    say(&format!("{drawn} drawn, {scale} m a unit\n{written}"))
}

/// A geometry of `JuPedSim`.
fn geometry(args: &ImportArgs) -> Result<(), CliError> {
    check_units(args, "it is for floor plans; a geometry of JuPedSim is in metres")?;
    let geometry = Geometry::read(&load::read(&args.file, MAX_FILE)?, args.cell)
        .map_err(|problem| problem.of(&args.file))?;
    let written = save(args, &geometry.raster)?;
    let [polygons, holes] = geometry.counts.map(|count| count as u64);
    let [x, y] = geometry.corner;
    say(&format!(
        "{}, {}\n(0, 0) is ({x}, {y}) of the file, whose y goes up\n{written}",
        plural(polygons, "polygon"),
        plural(holes, "hole"),
    ))
}

/// Writes a map; what it is, and how a scenario names it.
fn save(args: &ImportArgs, raster: &Raster) -> Result<String, CliError> {
    let map = scenario::map(raster).map_err(|problem| problem.of(&args.file))?;
    let path = output(args, "png");
    let file = Output::open(&path, "png")?;
    file.save(picture(raster).map_err(CliError::picture(&path))?)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ([width, height], cell) = ([map.width(), map.height()], map.cell_size());
    Ok(format!(
        "{width} × {height} cells of {cell} m\nmap: {}\n  file = {name:?}\n  cell = {cell}\n",
        path.display()
    ))
}

/// Refuses arguments that only drawings need.
fn check_units(args: &ImportArgs, why: &str) -> Result<(), CliError> {
    let given = [
        ("--scale", args.scale.is_some()),
        ("--layer", !args.layer.is_empty()),
        ("--line-width", args.line_width.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((argument, _)) => Err(CliError::value(argument, args.file.display(), why)),
        None => Ok(()),
    }
}

/// A scenario of Vadere.
fn vadere(args: &ImportArgs) -> Result<(), CliError> {
    let refused = |problem: Problem| problem.of(&args.file);
    check_units(args, "it is for floor plans; a scenario of Vadere is in metres")?;
    let mut topography = Topography::parse(&load::read(&args.file, MAX_FILE)?).map_err(refused)?;
    if topography.name.trim().is_empty() {
        topography.name = stem(&args.file);
    }
    let cell = args.cell.unwrap_or_else(|| side(topography.frame.size));
    let raster = scenario::raster(&topography, cell).map_err(refused)?;
    let map = scenario::map(&raster).map_err(refused)?;
    let path = output(args, "toml");
    let map_path = path.with_extension("png");
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let [from, map_name] = [name(&args.file), name(&map_path)];
    let written = scenario::write(&topography, &map, [&from, &map_name]).map_err(refused)?;
    let picture = picture(&raster).map_err(CliError::picture(&map_path))?;
    if let Some(text) = &written.text {
        check(text, &path, &picture)?;
    }
    let file = written.text.is_some().then(|| Output::open(&path, "toml")).transpose()?;
    Output::open(&map_path, "png")?.save(picture)?;
    for note in written.notes.iter().take(TOLD) {
        tell(&format!("note: {note}"));
    }
    if let Some(more) = written.notes.len().checked_sub(TOLD).filter(|more| *more > 0) {
        tell(&format!("and {more} more notes, in the scenario"));
    }
    let mut text = told(&topography, &map);
    if let (Some(file), Some(content)) = (file, written.text) {
        file.save(content)?;
        text.push_str(&format!("scenario: {}\n", path.display()));
    } else {
        tell("note: nobody is in the file, so only its map is written");
    }
    text.push_str(&format!("map: {}\n", map_path.display()));
    say(&text)
}

/// What was read, in words.
fn told(topography: &Topography, map: &Map) -> String {
    let count = |number: usize, what| plural(number as u64, what);
    format!(
        "{}, {}, {}, {}\n{} × {} cells of {} m\n",
        count(topography.obstacles.len(), "obstacle"),
        count(topography.sources.len(), "source"),
        count(topography.targets.len(), "target"),
        count(topography.people.len(), "agent"),
        map.width(),
        map.height(),
        map.cell_size(),
    )
}

/// The side of a cell for a map of so many metres.
pub(crate) fn side([width, height]: [f64; 2]) -> f64 {
    let fits = |cell: &f64| width / cell * height / cell <= MAX_CELLS;
    CELLS.into_iter().find(fits).unwrap_or(CELLS[CELLS.len() - 1])
}

/// Where the answer goes.
fn output(args: &ImportArgs, ending: &str) -> PathBuf {
    let usual = || Path::new(FOLDER).join(format!("{}.{ending}", stem(&args.file)));
    args.output.clone().unwrap_or_else(usual)
}

/// The name of a file without folders and ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Walls as a black and white picture, a pixel a cell.
fn picture(raster: &Raster) -> Result<Vec<u8>, EncodingError> {
    let [width, height] = raster.size.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    let pixels: Vec<u8> = raster.walls.iter().map(|&wall| if wall { 0 } else { 255 }).collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// Reads a scenario as a run would, so that nothing is written that does not run.
fn check(text: &str, path: &Path, picture: &[u8]) -> Result<(), CliError> {
    let wrong = |error| CliError::scenario(error, text);
    let def = ScenarioDef::parse(text, &path.to_string_lossy()).map_err(wrong)?;
    let map = def.load_map(&|_: &str| Ok(picture.to_vec())).map_err(wrong)?;
    throng::scenario::Plan::new(&def, map).map(drop).map_err(wrong)
}
