//! From `[map]` to a [`Map`].

use std::io;

use crate::map::{FileKind, FileRules, Legend, Map, MapError, area};
use crate::scenario::def::{GenerateDef, MapDef, MapSource};
use crate::scenario::error::{Problems, ScenarioError};
use crate::scenario::heights;
use crate::scenario::heights::MAX_WORK;
use crate::scenario::scenario_def::ScenarioDef;

impl ScenarioDef {
    /// The scenario's map. `read` gets the paths of `map.file`, of its tilesets and of `map.heights`,
    /// which are relative to the scenario file, and returns the file's bytes; it is called for none
    /// when the map is drawn in the scenario.
    ///
    /// # Errors
    /// A file cannot be read or is not what it should be, or shapes of `walls`, `terrain` or
    /// `ground` lie off the map.
    pub fn load_map(
        &self,
        read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Map, ScenarioError> {
        let problems = Problems::new(&self.text);
        let map = load(&self.map, self.settings.seed, read, &problems);
        problems.finish(&self.file)?;
        Ok(map.expect("a map that is missing was reported"))
    }
}

fn load(
    def: &MapDef,
    seed: u64,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    problems: &Problems<'_>,
) -> Option<Map> {
    let mut legend = def.legend.clone();
    let map = match &def.source {
        MapSource::File { path } => match read(path) {
            Ok(bytes) => {
                let rules =
                    FileRules { legend: &def.legend, colours: &def.colours, tiled: &def.tiled };
                Map::parse_file(path, &bytes, rules, def.cell, read).map(|(map, of_tiles)| {
                    legend = of_tiles;
                    map
                })
            }
            Err(error) => {
                let wrong = format!("`{path}` cannot be read: {error}");
                problems.problem(&def.at, wrong, "a map file, its path from this file's folder");
                return None;
            }
        },
        MapSource::Rows { rows } => {
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            Map::from_rows(&rows, &def.legend, def.cell)
        }
        MapSource::Open { width, height } => {
            let row = ".".repeat(*width as usize);
            let rows = vec![row.as_str(); *height as usize];
            Map::from_rows(&rows, &def.legend, def.cell)
        }
        MapSource::Generate(rules) => Ok(generated(rules, def, seed, problems)?),
    };
    let map = match map {
        Ok(map) => map,
        Err(error) => {
            refused(def, &error, problems);
            return None;
        }
    };
    let map = match def.hexagons {
        Some(width) => hexagonal(def, width, &legend, &map, problems)?,
        None => map,
    };
    let given = heights::of(&map);
    let map = if def.paint.is_empty() { map } else { painted(def, legend, &map, problems)? };
    heights::raised(def, map, given, read, problems)
}

/// The map whose hexagons are the cells of the one that was read.
fn hexagonal(
    def: &MapDef,
    width: f64,
    legend: &Legend,
    map: &Map,
    problems: &Problems<'_>,
) -> Option<Map> {
    if let MapSource::File { path } = &def.source
        && FileKind::of(path) == FileKind::Wkt
    {
        let wrong = format!("`{path}` holds polygons, not hexagons");
        problems.problem(&def.at, wrong, "a map file of a cell for each hexagon");
        return None;
    }
    let drawn = map.of_hexagons(width, def.cell, legend);
    let refused = |error: MapError| {
        let expected = "fewer or narrower hexagons, or a larger `cell`";
        problems.problem(&def.at, format!("of hexagons {width} m wide, {error}"), expected);
    };
    drawn.map_err(refused).ok()
}

/// The map that rules make, with its heights.
fn generated(rules: &GenerateDef, def: &MapDef, seed: u64, problems: &Problems<'_>) -> Option<Map> {
    match rules.recipe.make(&def.legend, rules.seed.unwrap_or(seed)) {
        Ok(made) => Some(made.map),
        Err(error) => {
            let at = error.step.map_or(&rules.at, |step| &rules.steps[step]);
            problems.problem(at, error.wrong, error.expected);
            None
        }
    }
}

/// Reports what is wrong with a map.
fn refused(def: &MapDef, error: &MapError, problems: &Problems<'_>) {
    let MapSource::File { path } = &def.source else {
        return problems.problem(&def.at, error.to_string(), "a map that fields can cross");
    };
    let expected = match (FileKind::of(path), error) {
        // It says itself what would be right.
        (_, MapError::Tiled { .. } | MapError::Wkt { .. }) => "",
        (FileKind::MovingAi, _) => {
            "a map in MovingAI format; names of pictures end in .png, those of Tiled maps in .tmx, those of \
             polygons in .wkt"
        }
        (FileKind::Picture, _) => "a PNG file of a pixel for each cell, in the colours of `colors`",
        (FileKind::Wkt, _) => "polygons of a size that fields can cross, or another `cell`",
        (FileKind::Tiled, _) => "a Tiled map of a size that fields can cross",
    };
    problems.problem(&def.at, format!("`{path}`: {error}"), expected);
}

/// The map with the shapes of `terrain` and `walls` filled.
fn painted(def: &MapDef, mut legend: Legend, map: &Map, problems: &Problems<'_>) -> Option<Map> {
    let mut letters = map.letters().to_vec();
    let mut work = 0;
    for paint in &def.paint {
        work += area::work(map, &paint.shape);
        if work > MAX_WORK {
            let wrong = "the shapes of `terrain` and `walls` are too many for a map of this size";
            let expected = "fewer or smaller shapes, or a map file in their place";
            problems.problem(&paint.at, wrong, expected);
            return None;
        }
    }
    let width = map.width() as usize;
    for paint in &def.paint {
        let Some(letter) = legend.letter_for(paint.slowness) else {
            let wrong = "there are more kinds of ground than letters for them";
            problems.problem(&paint.at, wrong, "fewer different costs");
            return None;
        };
        let mut painted = false;
        area::each_run(map, &paint.shape, |row, columns| {
            let row = &mut letters[row as usize * width..][..width];
            row[columns.start as usize..columns.end as usize].fill(letter);
            painted = true;
            true
        });
        if !painted {
            let [width, height] = area::extent(map);
            let wrong = format!("{} lies off the map", paint.shape.label());
            problems.problem(&paint.at, wrong, format!("a shape on its {width} m × {height} m"));
        }
    }
    match drawn(&letters, map.width(), &legend, def.cell) {
        Ok(map) => Some(map),
        Err(error) => {
            problems.problem(&def.at, error.to_string(), "a map that fields can cross");
            None
        }
    }
}

fn drawn(letters: &[u8], width: u32, legend: &Legend, cell: f64) -> Result<Map, MapError> {
    let rows: Vec<&str> = letters
        .chunks_exact(width as usize)
        .map(|row| std::str::from_utf8(row).expect("letters of a map are ASCII"))
        .collect();
    Map::from_rows(&rows, legend, cell)
}
