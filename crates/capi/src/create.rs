//! Simulations made and let go.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr;

use throng::data::read_at_most;
use throng::map::{Colours, FileRules, TiledRules, limits};
use throng::scenario::{Overrides, Plan};
use throng::{AnySimulation, Legend, Map};

use crate::declared::check;
use crate::def::{THRONG_NUMERIC_OF_SCENARIO, numeric, settings};
use crate::defs::ThrongSettings;
use crate::handle::{Held, ThrongSim};
use crate::status::{Fault, ThrongStatus, call, text};
use crate::{handle, host, memory};

/// Open ground and walls in square cells. Either `slowness`, or `file`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongMapDef {
    /// Set by `throng_default_map`.
    pub size: u32,
    /// Cells from left to right.
    pub width: u32,
    /// Cells from top to bottom.
    pub height: u32,
    /// Side of a cell in metres.
    pub cell_size: f64,
    /// One number a cell, row by row: 0 is a wall, 16 plain ground, 32 takes twice as long to
    /// cross. It is copied.
    pub slowness: *const u8,
    /// How many numbers there are: `width * height`.
    pub slowness_count: usize,
    /// Path of a map file (MovingAI, PNG or Tiled), which has its own width and height, or null.
    pub file: *const c_char,
}

/// What to change of a scenario.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongScenarioDef {
    /// Set by `throng_default_scenario`.
    pub size: u32,
    /// A `THRONG_NUMERIC_…`.
    pub numeric: u32,
    /// Agents at tick 0 in all; 0: as the scenario says.
    pub agents: u64,
    /// Whether `seed` counts: 1 or 0.
    pub has_seed: u32,
    /// Seed of everything random.
    pub seed: u64,
}

/// A map of nothing, with cells of a metre.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_map() -> ThrongMapDef {
    ThrongMapDef {
        size: size_of::<ThrongMapDef>() as u32,
        width: 0,
        height: 0,
        cell_size: 1.0,
        slowness: ptr::null(),
        slowness_count: 0,
        file: ptr::null(),
    }
}

/// All as the scenario says.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_scenario() -> ThrongScenarioDef {
    ThrongScenarioDef {
        size: size_of::<ThrongScenarioDef>() as u32,
        numeric: THRONG_NUMERIC_OF_SCENARIO,
        agents: 0,
        has_seed: 0,
        seed: 0,
    }
}

/// Reads a file of so many bytes at most.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, Fault> {
    read_at_most(path, most).map_err(|why| Fault::file(path.display(), &why))
}

/// # Safety
/// As [`memory::list`] and [`memory::text`], for what the definition points to.
unsafe fn map(def: Option<&ThrongMapDef>) -> Result<Map, Fault> {
    let def = def.ok_or_else(|| Fault::null("map"))?;
    check::<ThrongMapDef>(def.size, "map")?;
    if def.file.is_null() {
        // SAFETY: as the caller promises.
        let cells = unsafe { memory::list(def.slowness, def.slowness_count, "slowness")? };
        return Ok(Map::try_from_slowness(def.width, def.height, def.cell_size, cells)?);
    }
    // SAFETY: as the caller promises.
    let path = unsafe { memory::text(def.file, "file")? };
    let file = read(Path::new(path), limits::MAX_FILE)?;
    let legend = Legend::default();
    let (colours, tiled) = (Colours::default(), TiledRules::default());
    let rules = FileRules { legend: &legend, colours: &colours, tiled: &tiled };
    let tileset = |path: &str| read_at_most(path, limits::MAX_FILE);
    Ok(Map::parse_file(path, &file, rules, def.cell_size, &tileset)?.0)
}

/// An empty map under these settings. `*sim` is null when it fails.
///
/// # Safety
/// The definitions are null or whole, with all that they point to; `sim` is null or points to room
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_create(
    map_def: Option<&ThrongMapDef>,
    settings_def: Option<&ThrongSettings>,
    sim: Option<&mut MaybeUninit<*mut ThrongSim>>,
) -> ThrongStatus {
    call(|| {
        let sim = memory::out(sim, "sim")?;
        sim.write(ptr::null_mut());
        host::check()?;
        // SAFETY: as the caller promises.
        let map = unsafe { map(map_def)? };
        let (settings, numeric) = settings(settings_def)?;
        let made = AnySimulation::new(numeric, map, settings)?;
        sim.write(handle::keep(Held::new(made, Vec::new())));
        Ok(())
    })
}

fn plan(name: &str, changes: &ThrongScenarioDef) -> Result<Plan, Fault> {
    check::<ThrongScenarioDef>(changes.size, "scenario")?;
    let changes = Overrides {
        agents: (changes.agents > 0).then_some(changes.agents),
        seed: (changes.has_seed != 0).then_some(changes.seed),
        numeric: numeric(changes.numeric)?,
        ..Overrides::default()
    };
    Ok(Plan::load(name, &changes)?)
}

/// A scenario: a file, or one of those that ship inside throng by its name. The orders of its first
/// tick are given, all others come at their ticks. `*sim` is null when it fails; `changes` may be
/// null.
///
/// # Safety
/// `name` is null or a text; `changes` is null or whole; `sim` is null or points to room for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_load_scenario(
    name: *const c_char,
    changes: Option<&ThrongScenarioDef>,
    sim: Option<&mut MaybeUninit<*mut ThrongSim>>,
) -> ThrongStatus {
    call(|| {
        let sim = memory::out(sim, "sim")?;
        sim.write(ptr::null_mut());
        host::check()?;
        // SAFETY: as the caller promises.
        let name = unsafe { memory::text(name, "name")? };
        let plan = plan(name, changes.unwrap_or(&throng_default_scenario()))?;
        let names = plan.scene.groups.iter().map(|group| text(&group.name)).collect();
        sim.write(handle::keep(Held::new(AnySimulation::from_plan(plan)?, names)));
        Ok(())
    })
}

/// Lets go of a simulation; a recording that was not finished is cut. Pointers into it hold no
/// more. A null pointer is let go of already.
#[unsafe(no_mangle)]
pub extern "C" fn throng_destroy(sim: *mut ThrongSim) -> ThrongStatus {
    call(|| if sim.is_null() { Ok(()) } else { handle::drop(sim) })
}
