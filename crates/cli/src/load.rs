//! Finding scenarios and reading files.

use std::path::Path;
use std::{fs, io};

use crate::summary::plural;
use throng::data::read_at_most;
use throng::graph::Mesh;
use throng::graph::mesh::format;
use throng::map::{Colours, FileRules, Legend, Map, TiledRules, limits};
use throng::replay::{Fault, Replay, Salvage};
use throng::scenario::{
    AssignedText, Assignment, LoadError, Overrides, Plan, ScenarioDef, ScenarioError, ScenarioFile,
    decoded,
};
use throng::{replay, scenario};

use crate::error::CliError;
use crate::kind::{self, Kind};
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

/// Reads a map file of any kind, for a command with `--cost`; side of a cell in metres, and whether cells
/// are hexagons.
pub(crate) fn map(
    path: &Path,
    legend: &Legend,
    cell: f64,
    hexagons: bool,
) -> Result<Map, CliError> {
    let colours = Colours::default();
    let tiled = TiledRules { hexagons, ..TiledRules::default() };
    let rules = FileRules { legend, colours: &colours, tiled: &tiled };
    let name = path.to_string_lossy();
    let file = map_file(path)?;
    let tileset = |tileset: &str| bytes(tileset, limits::MAX_FILE);
    let read = Map::parse_file(&name, &file, rules, cell, &tileset);
    let (map, _) = read.map_err(|source| CliError::ground(path, source))?;
    Ok(map)
}

/// Reads a replay as far as it is whole, with the fault that fails the command. A clean cut is none
/// when it is allowed. Every fault is told.
pub(crate) fn replay(path: &Path, allow_cut: bool) -> Result<(Replay, Option<Fault>), CliError> {
    let refused = |source| CliError::Replay { path: path.to_owned(), source };
    let bytes = read(path, replay::MAX_FILE)?;
    kind::check(path, &bytes, &[Kind::Replay])?;
    match Replay::salvage(&bytes).map_err(refused)? {
        Salvage::Whole(replay) => Ok((replay, None)),
        Salvage::Part(replay, fault) => {
            let ticks = replay.frames.len() as u64;
            let (ticks, are) = (plural(ticks, "tick"), if ticks == 1 { "is" } else { "are" });
            tell(&format!("{} is {fault}; {ticks} before that {are} whole", path.display()));
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

/// Changes of a scenario that were typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) overrides: Overrides,
    /// Keys that get another value.
    pub(crate) set: Vec<Assignment>,
}

/// Reads, changes and plans a scenario by path or by name; also the name of its map.
pub(crate) fn plan(name: &str, changes: &Changes) -> Result<(Plan, String), CliError> {
    let file = source(name)?;
    let (text, overrides) = (assigned(&file, &changes.set)?, &changes.overrides);
    let wrong = |error| set_wrongly(error, &text, &changes.set);
    let mut def = ScenarioDef::parse_assigned(&text, &file.name).map_err(wrong)?;
    def.apply(overrides).map_err(|source| CliError::Override { source })?;
    let map = match &overrides.map {
        // The map that was typed, or a tileset of it.
        Some(path) => {
            let map = def.load_map(&|file: &str| bytes(file, limits::MAX_FILE));
            map.map_err(|error| typed_map(path, &error))?
        }
        None => def.load_map(&|name| named_by(&file, name)).map_err(wrong)?,
    };
    let map_name = map_name(&def, &map);
    let plan = Plan::new(&def, map).map_err(|error| {
        let error = wrong(error);
        match &overrides.map {
            Some(path) => error.with_help(format!("the map is `{path}`, as --map says")),
            None => error,
        }
    })?;
    Ok((plan, map_name))
}

/// The error of a map that was typed: the scenario's text has nothing to do with it.
fn typed_map(path: &str, error: &ScenarioError) -> CliError {
    let problem = error.first();
    // The engine begins with the path, as the scenario may name several files.
    let wrong = problem.wrong.strip_prefix(&format!("`{path}`")).unwrap_or(&problem.wrong);
    let why = wrong.trim_start_matches([':', ' ']);
    let why = if why.starts_with("cannot") { format!("it {why}") } else { why.to_owned() };
    let expected = problem.expected.replace(", its path from this file's folder", "");
    CliError::TypedMap { path: path.to_owned(), why, expected }
}

/// The bytes of a file that a scenario names, which from then on cannot be an output.
pub(crate) fn named_by(file: &ScenarioFile, name: &str) -> io::Result<Vec<u8>> {
    file.path_of(name).iter().for_each(|path| output::note_input(path));
    file.read(name)
}

/// A scenario by path or by name, which may be a file of nothing but a map; and that file.
pub(crate) fn ground(name: &str) -> Result<(ScenarioDef, ScenarioFile), CliError> {
    let file = source(name)?;
    kind::check(Path::new(&file.name), &file.bytes, &[Kind::Rules, Kind::Scenario])?;
    let text = String::from_utf8_lossy(&file.bytes);
    let def = ScenarioDef::ground_from_bytes(&file.bytes, &file.name);
    let def = def.map_err(|error| CliError::scenario(error, &text))?;
    Ok((def, file))
}

/// Finds a scenario by path or by name.
pub(crate) fn source(name: &str) -> Result<ScenarioFile, CliError> {
    output::note_input(Path::new(name));
    ScenarioFile::find(name).map_err(|error| match error {
        LoadError::File { path, source } => CliError::Read { path, source },
        _ => CliError::NoSuchScenario { name: name.to_owned(), help: meant(Path::new(name)) },
    })
}

/// The text of a scenario with other values for some keys.
pub(crate) fn assigned(file: &ScenarioFile, set: &[Assignment]) -> Result<AssignedText, CliError> {
    kind::check(Path::new(&file.name), &file.bytes, &[Kind::Scenario])?;
    let text = decoded(&file.bytes, &file.name)
        .map_err(|error| CliError::scenario(error, &String::from_utf8_lossy(&file.bytes)))?;
    Ok(AssignedText::new(text, set))
}

/// The error of a scenario: its own mistakes first, else the first value that was typed.
fn set_wrongly(error: ScenarioError, text: &AssignedText, set: &[Assignment]) -> CliError {
    let typed = |problem| text.assignment_of(problem).map(|index| (&set[index], problem));
    match error.problems.iter().map(typed).collect::<Option<Vec<_>>>().as_deref() {
        Some([(Assignment { path, value }, problem), ..]) => CliError::Set {
            typed: format!("{path}={value}"),
            why: problem.wrong.clone(),
            expected: problem.expected.clone(),
        },
        _ => CliError::scenario(error, &text.text),
    }
}

/// What may have been meant by a name of neither a file nor a scenario.
fn meant(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let files: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|file| file.ends_with(".toml"))
        .collect();
    let like = scenario::nearest(&name, files.iter().map(String::as_str));
    if let Some(file) = like {
        return format!("did you mean `{}`?", path.with_file_name(file).display());
    }
    let names: Vec<&str> = scenario::builtin_names().collect();
    match scenario::nearest(&stem, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the scenarios that ship inside the program: {}", names.join(", ")),
    }
}

fn map_name(def: &ScenarioDef, map: &Map) -> String {
    match &def.map.source {
        scenario::MapSource::File { path } => path.clone(),
        scenario::MapSource::Generate(_) => {
            format!("{} × {} cells made by rules", map.width(), map.height())
        }
        _ => format!("{} × {} cells", map.width(), map.height()),
    }
}
