//! Definitions made, and the engine's for C's.
//!
//! Those with many fields are in `defs.rs`, which is made from the engine's declarations.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

use throng::math::Numeric;
use throng::{CompanyDef, Formation, GroupDef, Settings, WeaponDef};

use crate::declared::{check, engine, own};
use crate::defs::{ThrongGroupDef, ThrongSettings, ThrongWeaponDef};
use crate::ids::ThrongGroupId;
use crate::memory;
use crate::status::{Fault, ThrongStatus, call};

/// `ThrongSettings.numeric`: strict single precision.
pub const THRONG_NUMERIC_F32: u32 = 0;
/// `ThrongSettings.numeric`: fixed point Q16.16.
pub const THRONG_NUMERIC_FIXED: u32 = 1;
/// `ThrongScenarioDef.numeric`: what the scenario says.
pub const THRONG_NUMERIC_OF_SCENARIO: u32 = 2;

/// `ThrongCompanyDef.formation`: each group goes by itself.
pub const THRONG_FORMATION_NONE: u32 = 0;
/// `ThrongCompanyDef.formation`: wide, 2 ranks, 3 from 41 members on.
pub const THRONG_FORMATION_LINE: u32 = 1;
/// `ThrongCompanyDef.formation`: narrow, 4 files.
pub const THRONG_FORMATION_COLUMN: u32 = 2;
/// `ThrongCompanyDef.formation`: as wide as deep.
pub const THRONG_FORMATION_BLOCK: u32 = 3;
/// `ThrongCompanyDef.formation`: a triangle of ranks of 1, 3, 5 and so on, its point in front.
pub const THRONG_FORMATION_WEDGE: u32 = 4;

/// The groups of a company and how they go.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongCompanyDef {
    /// Set by `throng_default_company`.
    pub size: u32,
    /// A `THRONG_FORMATION_…`.
    pub formation: u32,
    /// Its groups, at least one; in a formation the first stands in front.
    pub groups: *const ThrongGroupId,
    /// How many groups there are.
    pub group_count: usize,
    /// Metres between neighbours in the formation, 0.1 to 100; 0: as the members need.
    pub spacing: f64,
    /// Members side by side in the widest rank; 0: as the formation has it.
    pub files: u32,
}

/// A company of no group, without a formation.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_company() -> ThrongCompanyDef {
    ThrongCompanyDef {
        size: size_of::<ThrongCompanyDef>() as u32,
        formation: THRONG_FORMATION_NONE,
        groups: ptr::null(),
        group_count: 0,
        spacing: 0.0,
        files: 0,
    }
}

/// The engine's group.
///
/// # Safety
/// As [`memory::list`], for the costs of terrain.
pub(crate) unsafe fn group_def(def: Option<&ThrongGroupDef>) -> Result<GroupDef, Fault> {
    let mut engine = engine(def)?;
    if let Some(def) = def {
        // SAFETY: as the caller promises.
        let terrain = unsafe { memory::list(def.terrain, def.terrain_count, "terrain")? };
        for cost in terrain {
            engine.terrain.set(cost.letter.into(), cost.slowness)?;
        }
    }
    engine.check()?;
    Ok(engine)
}

/// The engine's weapon.
pub(crate) fn weapon_def(def: Option<&ThrongWeaponDef>) -> Result<WeaponDef, Fault> {
    let engine = engine(def)?;
    engine.check()?;
    Ok(engine)
}

/// The engine's settings, with the number type.
pub(crate) fn settings(def: Option<&ThrongSettings>) -> Result<(Settings, Numeric), Fault> {
    let mut engine = engine(def)?;
    let def = def.ok_or_else(|| Fault::null("settings"))?;
    engine.seed = def.seed;
    let numeric = numeric(def.numeric)?.unwrap_or_default();
    engine.check()?;
    Ok((engine, numeric))
}

/// A number type; `None` for that of the scenario.
pub(crate) fn numeric(code: u32) -> Result<Option<Numeric>, Fault> {
    match code {
        THRONG_NUMERIC_F32 => Ok(Some(Numeric::F32)),
        THRONG_NUMERIC_FIXED => Ok(Some(Numeric::Fixed)),
        THRONG_NUMERIC_OF_SCENARIO => Ok(None),
        _ => Err(Fault::new(ThrongStatus::Value, format!("there is no number type {code}"))),
    }
}

/// A formation of its code.
pub(crate) fn formation(code: u32) -> Result<Option<Formation>, Fault> {
    if code == THRONG_FORMATION_NONE {
        return Ok(None);
    }
    let known = Formation::ALL.get(code as usize - 1).copied();
    let words = || format!("there is no formation {code}");
    known.map(Some).ok_or_else(|| Fault::new(ThrongStatus::Value, words()))
}

/// The engine's company.
///
/// # Safety
/// As [`memory::list`], for the groups.
pub(crate) unsafe fn company_def(def: Option<&ThrongCompanyDef>) -> Result<CompanyDef, Fault> {
    let def = def.ok_or_else(|| Fault::null("company"))?;
    check::<ThrongCompanyDef>(def.size, "company")?;
    // SAFETY: as the caller promises.
    let groups = unsafe { memory::list(def.groups, def.group_count, "groups")? };
    Ok(CompanyDef {
        groups: groups.iter().map(|&id| id.into()).collect(),
        formation: formation(def.formation)?,
        spacing: (def.spacing != 0.0).then_some(def.spacing),
        files: (def.files != 0).then_some(def.files),
    })
}

/// The traits that agents have when nothing is said.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_group() -> ThrongGroupDef {
    own(&GroupDef::default())
}

/// The numbers that weapons have when nothing is said.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_weapon() -> ThrongWeaponDef {
    own(&WeaponDef::default())
}

/// The settings when nothing is said.
#[unsafe(no_mangle)]
pub extern "C" fn throng_default_settings() -> ThrongSettings {
    own(&Settings::default())
}

/// A preset of a name, or an error that lists the names.
fn preset<T>(name: &str, found: Option<T>, names: &[&str]) -> Result<T, Fault> {
    let words = || format!("there is no preset `{name}`; there are {}", names.join(", "));
    found.ok_or_else(|| Fault::new(ThrongStatus::Text, words()))
}

/// Traits that go together: `rts`, `pedestrian` or `horde`.
///
/// # Safety
/// `name` is null or a text; `def` is null or points to room for a definition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_group_preset(
    name: *const c_char,
    def: Option<&mut MaybeUninit<ThrongGroupDef>>,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let name = unsafe { memory::text(name, "name")? };
        let found = preset(name, GroupDef::preset(name), &GroupDef::PRESETS)?;
        memory::out(def, "def")?.write(own(&found));
        Ok(())
    })
}

/// Numbers of a weapon that go together: `bow`, `gun` or `catapult`.
///
/// # Safety
/// `name` is null or a text; `def` is null or points to room for a definition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_weapon_preset(
    name: *const c_char,
    def: Option<&mut MaybeUninit<ThrongWeaponDef>>,
) -> ThrongStatus {
    call(|| {
        // SAFETY: as the caller promises.
        let name = unsafe { memory::text(name, "name")? };
        let found = preset(name, WeaponDef::preset(name), &WeaponDef::PRESETS)?;
        memory::out(def, "def")?.write(own(&found));
        Ok(())
    })
}
