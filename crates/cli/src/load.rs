//! Finding scenarios and reading files.

use std::io;
use std::path::{Path, PathBuf};

use crate::summary::thousands;
use throng::data::read_at_most;
use throng::graph::Mesh;
use throng::graph::mesh::format;
use throng::map::{Colours, FileRules, Legend, Map, TiledRules, limits};
use throng::replay::{Fault, Replay, Salvage};
use throng::scenario::{MAX_TEXT, Overrides, Plan, ScenarioDef, ScenarioError};
use throng::{replay, scenario};

use crate::error::CliError;
use crate::{output, polygons, tell};

/// The bytes of a file of so many at most, which from then on cannot be an output.
fn bytes(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    output::note_input(path.as_ref());
    read_at_most(path, limit)
}

/// Reads a whole file of so many bytes at most.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, CliError> {
    bytes(path, limit).map_err(|source| CliError::Read { path: path.to_owned(), source })
}

/// Reads a map file as bytes.
pub(crate) fn map_file(path: &Path) -> Result<Vec<u8>, CliError> {
    read(path, limits::MAX_FILE)
}

/// Reads a map file of any kind; side of a cell in metres.
pub(crate) fn map(path: &Path, legend: &Legend, cell: f64) -> Result<Map, CliError> {
    let (colours, tiled) = (Colours::default(), TiledRules::default());
    let rules = FileRules { legend, colours: &colours, tiled: &tiled };
    let name = path.to_string_lossy();
    let file = map_file(path)?;
    let tileset = |tileset: &str| bytes(tileset, limits::MAX_FILE);
    let read = Map::parse_file(&name, &file, rules, cell, &tileset);
    let (map, _) = read.map_err(|source| CliError::Map { path: path.to_owned(), source })?;
    Ok(map)
}

/// Reads a replay as far as it is whole, with the fault that fails the command. A clean cut is none
/// when it is allowed. Every fault is told.
pub(crate) fn replay(path: &Path, allow_cut: bool) -> Result<(Replay, Option<Fault>), CliError> {
    let refused = |source| CliError::Replay { path: path.to_owned(), source };
    match Replay::salvage(&read(path, replay::MAX_FILE)?).map_err(refused)? {
        Salvage::Whole(replay) => Ok((replay, None)),
        Salvage::Part(replay, fault) => {
            let ticks = thousands(replay.frames.len() as u64);
            tell(&format!("{} is {fault}; {ticks} ticks before that are whole", path.display()));
            let allowed = allow_cut && matches!(fault, Fault::Cut { .. });
            Ok((replay, (!allowed).then_some(fault)))
        }
    }
}

/// Reads a navigation mesh, or makes one of a polygon.
pub(crate) fn mesh(path: &Path) -> Result<Mesh, CliError> {
    if path.extension().is_some_and(|ending| ending == "wkt") {
        return polygons::mesh(path, &read(path, polygons::MAX_FILE)?);
    }
    let file = read(path, format::MAX_FILE)?;
    Mesh::parse(&file).map_err(|source| CliError::Mesh { path: path.to_owned(), source })
}

/// Reads, overrides and plans a scenario by path or by name; also the name of its map.
pub(crate) fn plan(name: &str, overrides: &Overrides) -> Result<(Plan, String), CliError> {
    let (mut def, read) = scenario(name, ScenarioDef::from_bytes)?;
    def.apply(overrides).map_err(|source| CliError::Override { source })?;
    let text = def.text.clone();
    let map = match overrides.map {
        // The map that was typed, or a tileset of it.
        Some(_) => def.load_map(&|file: &str| bytes(file, limits::MAX_FILE)),
        None => def.load_map(&*read),
    };
    let map = map.map_err(|error| CliError::scenario(error, &text))?;
    let map_name = map_name(&def, &map);
    let plan = Plan::new(&def, map).map_err(|error| CliError::scenario(error, &text))?;
    Ok((plan, map_name))
}

/// What reads the files that a scenario names.
pub(crate) type ReadFile = Box<dyn Fn(&str) -> io::Result<Vec<u8>>>;

/// A scenario by path or by name, which may be a file of nothing but a map; and what reads the files
/// that its map names.
pub(crate) fn ground(name: &str) -> Result<(ScenarioDef, ReadFile), CliError> {
    scenario(name, ScenarioDef::ground_from_bytes)
}

type ReadDef = fn(&[u8], &str) -> Result<ScenarioDef, ScenarioError>;

fn scenario(name: &str, read_def: ReadDef) -> Result<(ScenarioDef, ReadFile), CliError> {
    let path = Path::new(name);
    if path.exists() {
        let file = read(path, MAX_TEXT as u64)?;
        let text = String::from_utf8_lossy(&file);
        let def = read_def(&file, name).map_err(|error| CliError::scenario(error, &text))?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        return Ok((def, Box::new(move |file| bytes(folder.join(file), limits::MAX_FILE))));
    }
    let Some(builtin) = scenario::builtin(name) else {
        let names: Vec<&str> = scenario::builtin_names().collect();
        let help = format!("the scenarios that ship inside the program: {}", names.join(", "));
        return Err(CliError::NoSuchScenario { name: name.to_owned(), help });
    };
    let def = ScenarioDef::parse(builtin.text, &format!("{name}.toml"))
        .map_err(|error| CliError::scenario(error, builtin.text))?;
    Ok((def, Box::new(move |file| builtin.read(file))))
}

fn map_name(def: &ScenarioDef, map: &Map) -> String {
    match &def.map.source {
        scenario::MapSource::File { path } => path.clone(),
        scenario::MapSource::Generate(_) => format!("by rules {}×{}", map.width(), map.height()),
        _ => format!("inline {}×{}", map.width(), map.height()),
    }
}
