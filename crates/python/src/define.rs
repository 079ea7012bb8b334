//! Keywords of definitions, from the engine's declarations.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};

use throng::data::definition::{Definition, Field, Limits, Takes};
use throng::{
    Exit, ExitsDef, FollowDef, GroupDef, Settings, SourceDef, StructureDef, WeaponDef, WeaponId,
};

use crate::errors::RangeError;
use crate::ids::Weapon;

/// The number that stands for a value in a field.
fn number(field: &Field, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    match field.takes {
        Takes::Truth => Ok(f64::from(u8::from(value.extract::<bool>()?))),
        Takes::Word(words) => {
            let word: String = value.extract()?;
            let Some(index) = words.iter().position(|known| *known == word) else {
                let key = field.key;
                let words = words.join(", ");
                return Err(RangeError::new_err(format!(
                    "{key} is {word:?}, but must be one of: {words}"
                )));
            };
            Ok(index as f64)
        }
        Takes::Name { .. } if value.is_none() => Ok(-1.0),
        Takes::Name { most, .. } => {
            if let Ok(handle) = value.cast::<Weapon>() {
                return Ok(f64::from(WeaponId::from(handle.get()).index()));
            }
            // A negative number would stand for none.
            let index: i128 = value.extract()?;
            let key = field.key;
            let words = || format!("{key} is {index}, but must lie in 0 ..= {most}");
            let fits = (0..=i128::from(most)).contains(&index);
            if fits { Ok(index as f64) } else { Err(RangeError::new_err(words())) }
        }
        // A bit for each of several things.
        Takes::Set { .. } | Takes::Unsaid { .. } if value.try_iter().is_ok() => {
            let mut bits = 0_u32;
            for one in value.try_iter()? {
                let one: u32 = one?.extract()?;
                let Some(bit) = 1_u32.checked_shl(one) else {
                    let words = format!("{} names {one}, but must lie in 0 ..= 31", field.key);
                    return Err(RangeError::new_err(words));
                };
                bits |= bit;
            }
            Ok(f64::from(bits))
        }
        Takes::Number(_) => value.extract(),
        // A whole number beyond the range of a double is beyond that of every field.
        Takes::Whole { .. } | Takes::Set { .. } | Takes::Letter(_) | Takes::Unsaid { .. } => {
            if value.is_instance_of::<PyBool>() {
                return Err(PyTypeError::new_err(format!("{} is a whole number", field.key)));
            }
            Ok(value.call_method0("__index__")?.extract::<i128>()? as f64)
        }
    }
}

/// Sets the fields of a definition that keywords name; `beside` takes keywords that are no fields.
pub(crate) fn apply<D: Definition>(
    def: &mut D,
    keywords: Option<&Bound<'_, PyDict>>,
    mut beside: impl FnMut(&mut D, &str, &Bound<'_, PyAny>) -> PyResult<bool>,
) -> PyResult<()> {
    for (key, value) in keywords.into_iter().flatten() {
        let key: String = key.extract()?;
        if beside(def, &key, &value)? {
            continue;
        }
        let Some(at) = D::FIELDS.iter().position(|field| field.key == key) else {
            let keys: Vec<&str> = D::FIELDS.iter().map(|field| field.key).collect();
            let keys = keys.join(", ");
            let words = format!("there is no keyword '{key}'; there are {keys}");
            return Err(PyTypeError::new_err(words));
        };
        let number = number(&D::FIELDS[at], &value)?;
        let wrong = |why| RangeError::new_err(format!("{}{key}: {why}", D::OF));
        def.values()[at].set(number).map_err(wrong)?;
    }
    def.check_fields().map_err(|why| RangeError::new_err(why.to_string()))
}

/// The traits of a group: a preset, or what it was, and what keywords say.
pub(crate) fn group_def(
    def: Option<GroupDef>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<GroupDef> {
    let mut def = def.unwrap_or_default();
    apply(&mut def, keywords, |def, key, value| {
        if key != "terrain" {
            return Ok(false);
        }
        for (letter, slowness) in value.cast::<PyDict>()? {
            let set = def.terrain.set(letter.extract()?, slowness.extract()?);
            set.map_err(|why| RangeError::new_err(why.to_string()))?;
        }
        Ok(true)
    })?;
    Ok(def)
}

/// The settings that keywords say.
pub(crate) fn settings(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut def = Settings::default();
    apply(&mut def, keywords, |def, key, value| {
        if key == "seed" {
            def.seed = value.extract()?;
        }
        Ok(key == "seed")
    })?;
    Ok(def)
}

/// The numbers of a weapon.
pub(crate) fn weapon_def(
    def: Option<WeaponDef>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<WeaponDef> {
    let mut def = def.unwrap_or_default();
    apply(&mut def, keywords, |_, _, _| Ok(false))?;
    def.check().map_err(|why| RangeError::new_err(why.to_string()))?;
    Ok(def)
}

/// A definition that keywords alone say.
pub(crate) fn plain<D: Definition>(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<D> {
    let mut def = D::default();
    apply(&mut def, keywords, |_, _, _| Ok(false))?;
    Ok(def)
}

/// A preset of a name, or an error that lists the names.
pub(crate) fn preset<T>(name: &str, found: Option<T>, names: &[&str]) -> PyResult<T> {
    let words = || format!("there is no preset {name:?}; there are {}", names.join(", "));
    found.ok_or_else(|| RangeError::new_err(words()))
}

fn fields<'py, D: Definition>(py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (field, default) in D::FIELDS.iter().zip(D::default().numbers()) {
        let about = PyDict::new(py);
        about.set_item("keyword", field.key)?;
        about.set_item("meaning", field.meaning.trim())?;
        match field.takes {
            Takes::Number(Limits { what, low, high, .. }) => {
                about.set_item("takes", what.trim_end_matches(','))?;
                about.set_item("range", (low, high))?;
                about.set_item("default", default)?;
            }
            Takes::Whole { what, low, high } => {
                about.set_item("takes", what)?;
                about.set_item("range", (low, high))?;
                about.set_item("default", default as u64)?;
            }
            Takes::Unsaid { low, high } => {
                about.set_item("takes", "a whole number, or what it has bits for")?;
                about.set_item("range", (low, high))?;
                about.set_item("default", default as u64)?;
            }
            Takes::Truth => {
                about.set_item("takes", "whether it is so")?;
                about.set_item("default", default == 1.0)?;
            }
            Takes::Word(words) => {
                about.set_item("takes", "a word")?;
                about.set_item("words", words.to_vec())?;
                about.set_item("default", words[default as usize])?;
            }
            Takes::Set { of, count } => {
                about.set_item("takes", format!("{of}s"))?;
                about.set_item("range", (0, count - 1))?;
                about.set_item("default", (0..count).collect::<Vec<_>>())?;
            }
            Takes::Letter(_) => {
                about.set_item("takes", "the byte of a letter of the map")?;
                about.set_item("default", default as u8)?;
            }
            Takes::Name { of, most } => {
                about.set_item("takes", format!("a {of}"))?;
                about.set_item("range", (0, most))?;
                about.set_item("default", (default >= 0.0).then_some(default as u16))?;
            }
        }
        list.append(about)?;
    }
    Ok(list)
}

/// The keywords of a definition: "group", "weapon", "settings", "source", "exit", "choice" (of exits),
/// "follow" or "structure". Each is a dict with its keyword, meaning, what it takes, range or words,
/// and default.
#[pyfunction]
pub(crate) fn declared<'py>(py: Python<'py>, what: &str) -> PyResult<Bound<'py, PyList>> {
    match what {
        "group" => fields::<GroupDef>(py),
        "weapon" => fields::<WeaponDef>(py),
        "settings" => fields::<Settings>(py),
        "source" => fields::<SourceDef>(py),
        "exit" => fields::<Exit>(py),
        "choice" => fields::<ExitsDef>(py),
        "follow" => fields::<FollowDef>(py),
        "structure" => fields::<StructureDef>(py),
        _ => Err(RangeError::new_err(format!(
            "{what:?} is not declared; there are group, weapon, settings, source, exit, choice, \
             follow, structure"
        ))),
    }
}
