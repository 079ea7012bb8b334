//! Scenarios by the path of a file, or by the name of one that ships inside the program.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::data::read_at_most;
use crate::map::limits;
use crate::scenario::builtin::{Builtin, builtin, builtin_names};
use crate::scenario::def::MAX_TEXT;
use crate::scenario::error::ScenarioError;
use crate::scenario::overrides::{OverrideError, Overrides};
use crate::scenario::plan::Plan;
use crate::scenario::scenario_def::ScenarioDef;

/// The text of a scenario, and where the files are that it names.
#[derive(Clone, Debug)]
pub struct ScenarioFile {
    /// The name that messages give it: its path, or `crossing.toml` of one that ships.
    pub name: String,
    /// The text, as yet unchecked.
    pub bytes: Vec<u8>,
    files: Files,
}

/// Where the files are that a scenario names.
#[derive(Clone, Debug)]
enum Files {
    Beside(PathBuf),
    Builtin(Builtin),
}

impl ScenarioFile {
    /// The file of a path, or else the scenario of a name that ships inside the program.
    ///
    /// # Errors
    /// [`LoadError::NoSuchScenario`], [`LoadError::File`].
    pub fn find(name: &str) -> Result<Self, LoadError> {
        let path = Path::new(name);
        // A folder of that name, such as that of a sweep's files, does not hide what ships.
        if path.exists() && !(path.is_dir() && builtin(name).is_some()) {
            let bytes = read_at_most(path, MAX_TEXT as u64)
                .map_err(|source| LoadError::File { path: path.to_owned(), source })?;
            let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
            return Ok(Self { name: name.to_owned(), bytes, files: Files::Beside(folder) });
        }
        let found = builtin(name);
        let builtin = found.ok_or_else(|| LoadError::NoSuchScenario { name: name.to_owned() })?;
        let (name, bytes) = (format!("{name}.toml"), builtin.text.into());
        Ok(Self { name, bytes, files: Files::Builtin(builtin) })
    }

    /// The path of a file that the scenario names; `None` where it ships with the scenario.
    pub fn path_of(&self, file: &str) -> Option<PathBuf> {
        match &self.files {
            Files::Beside(folder) => Some(folder.join(file)),
            Files::Builtin(_) => None,
        }
    }

    /// The bytes of a file that the scenario names, as [`ScenarioDef::load_map`] asks for them.
    ///
    /// # Errors
    /// When it cannot be read, or is larger than [`limits::MAX_FILE`].
    pub fn read(&self, file: &str) -> io::Result<Vec<u8>> {
        match &self.files {
            Files::Beside(folder) => read_at_most(folder.join(file), limits::MAX_FILE),
            Files::Builtin(builtin) => builtin.read(file),
        }
    }
}

/// Why there is no plan of a scenario.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Neither a file nor a scenario that ships has this name.
    #[error(
        "there is no file and no scenario `{name}`; the scenarios that ship: {}",
        builtin_names().collect::<Vec<_>>().join(", ")
    )]
    NoSuchScenario {
        /// The name.
        name: String,
    },
    /// The scenario's file cannot be read.
    #[error("{}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// It cannot be changed as asked.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// Something is wrong with it, or with a file that it names.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
}

impl Plan {
    /// The plan of a scenario's file, or of one that ships inside the program by its name, as in
    /// `crossing`. Files that it names are looked for in its folder, a map in `changes` is not.
    ///
    /// ```
    /// use throng::Simulation;
    /// use throng::scenario::{Overrides, Plan};
    ///
    /// let changes = Overrides { agents: Some(500), ..Overrides::default() };
    /// let mut sim = Simulation::<f32>::from_plan(Plan::load("crossing", &changes)?)?;
    /// sim.step();
    /// assert_eq!(sim.len(), 500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(name: &str, changes: &Overrides) -> Result<Self, LoadError> {
        let source = ScenarioFile::find(name)?;
        let mut def = ScenarioDef::from_bytes(&source.bytes, &source.name)?;
        def.apply(changes)?;
        let map = match changes.map {
            Some(_) => def.load_map(&|file: &str| read_at_most(file, limits::MAX_FILE))?,
            None => def.load_map(&|file| source.read(file))?,
        };
        Ok(Self::new(&def, map)?)
    }
}
