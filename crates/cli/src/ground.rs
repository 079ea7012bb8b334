//! The map that a command is about, and the agents that walk on it.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use throng::map::{Clearance, Legend, Map, MapError, PLAIN};

use crate::error::CliError;
use crate::load;
use crate::summary::{plural, thousands};

#[derive(ClapArgs, Debug)]
pub(crate) struct GroundArgs {
    /// A map file: MovingAI, a black and white picture (.png), or a Tiled map (.tmx)
    #[arg(value_name = "MAP")]
    pub(crate) map: PathBuf,
    /// Side of a cell in metres
    #[arg(long, value_name = "METRES", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) cell: f64,
    /// Radius of the agents in metres; they cannot stand on cells closer than that to a wall
    #[arg(long, value_name = "METRES", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) radius: f64,
    #[command(flatten)]
    pub(crate) cost: CostArgs,
}

/// What letters of a map cost.
#[derive(ClapArgs, Debug)]
pub(crate) struct CostArgs {
    /// What a letter of the map costs: 1 is plain ground, 0.5 a road, 0 a wall; may be given several
    /// times
    #[arg(long, value_name = "LETTER=COST", value_parser = letter_cost)]
    pub(crate) cost: Vec<(char, u8)>,
}

impl CostArgs {
    /// The legend of a map file.
    pub(crate) fn legend(&self, path: &Path) -> Result<Legend, CliError> {
        let mut legend = Legend::default();
        for &(letter, slowness) in &self.cost {
            legend
                .set(letter, slowness)
                .map_err(|source| CliError::Map { path: path.to_owned(), source })?;
        }
        Ok(legend)
    }
}

/// A cost as typed: `R=0.5`.
fn letter_cost(text: &str) -> Result<(char, u8), String> {
    let wrong = || {
        format!(
            "`{text}` is no LETTER=COST: a letter and 0 (a wall) or 0.0625 to 15.9375, as R=0.5"
        )
    };
    let (letter, cost) = text.split_once('=').ok_or_else(wrong)?;
    let mut letters = letter.chars();
    let letter = letters.next().filter(|letter| letter.is_ascii_graphic()).ok_or_else(wrong)?;
    let cost: f64 = cost.parse().map_err(|_| wrong())?;
    let is_good = cost == 0.0 || (0.0625..=15.9375).contains(&cost);
    if letters.next().is_some() || !is_good {
        return Err(wrong());
    }
    Ok((letter, (cost * f64::from(PLAIN) + 0.5).floor() as u8))
}

impl GroundArgs {
    /// Whether the file is a navigation mesh, or the polygon of one, by its name.
    pub(crate) fn is_mesh(&self) -> bool {
        self.map.extension().is_some_and(|ending| ending == "mesh" || ending == "wkt")
    }

    /// Reads the map, and which of its cells the agents can stand on.
    pub(crate) fn load(&self) -> Result<(Map, Clearance), CliError> {
        self.load_of(false)
    }

    /// The same of a map whose cells are hexagons or squares.
    pub(crate) fn load_of(&self, hexagons: bool) -> Result<(Map, Clearance), CliError> {
        let refused = |source: MapError| CliError::ground(&self.map, source);
        let map = load::map(&self.map, &self.cost.legend(&self.map)?, self.cell, hexagons)?;
        let class = map.try_class(self.radius).map_err(refused)?;
        Ok((map, class))
    }
}

/// The name of a file without its folders.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    let rounded = |unit: f64| thousands((bytes as f64 / unit).round() as u64);
    match bytes {
        0..10_000 => plural(bytes, "byte"),
        10_000..10_000_000 => format!("{} KB", rounded(1e3)),
        10_000_000..10_000_000_000 => format!("{} MB", rounded(1e6)),
        _ => format!("{} GB", rounded(1e9)),
    }
}
