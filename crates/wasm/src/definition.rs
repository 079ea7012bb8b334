//! Declared definitions (groups, weapons, settings) read from objects: the keys, words and names are
//! as in scenario files, since both follow from the engine's declarations.

use js_sys::{Array, Object, Reflect};
use throng::data::definition::{Definition, Takes};
use throng::{GroupDef, WeaponDef};
use wasm_bindgen::prelude::*;

use crate::names::Names;
use crate::{Result, wrong};

/// Changes the fields of a definition that an object has.
pub(crate) fn read<D: Definition>(def: &mut D, object: &JsValue, names: &Names) -> Result<()> {
    read_with(def, object, names, &[]).map(|_| ())
}

/// The same of an object that may have keys `beside` those of the fields; returns an object of these.
pub(crate) fn read_with<D: Definition>(
    def: &mut D,
    object: &JsValue,
    names: &Names,
    beside: &[&str],
) -> Result<Object> {
    let others = Object::new();
    if object.is_undefined() {
        return Ok(others);
    }
    let Some(object) = object.dyn_ref::<Object>() else {
        return Err(wrong(format!("expected an object of {}traits", D::OF)));
    };
    for entry in Object::entries(object) {
        let entry: Array = entry.unchecked_into();
        let key = entry.get(0).as_string().unwrap_or_default();
        if beside.contains(&&*key) {
            set(&others, &key, &entry.get(1));
            continue;
        }
        let Some(at) = D::FIELDS.iter().position(|field| field.key == key) else {
            let known = D::FIELDS.iter().map(|field| field.key).chain(beside.iter().copied());
            let known: Vec<&str> = known.collect();
            return Err(wrong(format!("there is no `{key}`; known: {}", known.join(", "))));
        };
        let value = entry.get(1);
        if value.is_undefined() {
            continue;
        }
        let number = number(&D::FIELDS[at].takes, &value, names).map_err(|expected| {
            wrong(format!("`{key}` is {}; expected {expected}", said(&value)))
        })?;
        def.values()[at].set(number).map_err(|problem| wrong(format!("`{key}`: {problem}")))?;
    }
    Ok(others)
}

/// Sets a key of a plain new object, which takes every key.
pub(crate) fn set(object: &Object, key: &str, value: &JsValue) {
    let _ = Reflect::set(object, &JsValue::from_str(key), value);
}

/// A value as an error quotes it.
fn said(value: &JsValue) -> String {
    value.as_string().map_or_else(|| format!("{value:?}"), |text| format!("{text:?}"))
}

/// The number that stands for a value; what would be right when it is none.
fn number(takes: &Takes, value: &JsValue, names: &Names) -> std::result::Result<f64, String> {
    let index = |of: &str, word: &str| names.find(of, word).map(f64::from);
    match *takes {
        Takes::Number(limits) => value.as_f64().ok_or_else(|| limits.what.to_owned()),
        Takes::Whole { what, .. } => value.as_f64().ok_or_else(|| what.to_owned()),
        Takes::Letter(_) | Takes::Unsaid { .. } => {
            value.as_f64().ok_or_else(|| "a whole number".to_owned())
        }
        Takes::Truth => value.as_bool().map(f64::from).ok_or_else(|| "true or false".to_owned()),
        Takes::Word(words) => {
            let word = value.as_string().unwrap_or_default();
            let found = words.iter().position(|&known| known == word);
            found.map(|index| index as f64).ok_or_else(|| words.join(" or "))
        }
        Takes::Set { of, count } => {
            let expected = || format!("an array of {of}s, from 0 to {}", count - 1);
            let list = value.dyn_ref::<Array>().ok_or_else(expected)?;
            let mut bits = 0_u32;
            for item in list.iter() {
                let item = item.as_f64().filter(|item| item.fract() == 0.0);
                let item = item.filter(|item| (0.0..f64::from(count)).contains(item));
                bits |= 1 << item.ok_or_else(expected)? as u32;
            }
            Ok(f64::from(bits))
        }
        Takes::Name { .. } if value.is_null() => Ok(-1.0),
        Takes::Name { of, .. } => {
            let named = value.as_string().and_then(|word| index(of, &word));
            named.or(value.as_f64()).ok_or_else(|| format!("the name or the index of a {of}"))
        }
    }
}

/// A definition as an object.
fn object<D: Definition>(def: &D) -> JsValue {
    let object = Object::new();
    for (field, number) in D::FIELDS.iter().zip(def.numbers()) {
        let value = match field.takes {
            Takes::Truth => JsValue::from_bool(number != 0.0),
            Takes::Word(words) => JsValue::from_str(words[number as usize]),
            Takes::Set { count, .. } => {
                let set = (0..count).filter(|&item| (number as u32) >> item & 1 != 0);
                set.map(|item| JsValue::from_f64(item.into())).collect::<Array>().into()
            }
            Takes::Name { .. } if number < 0.0 => JsValue::NULL,
            _ => JsValue::from_f64(number),
        };
        set(&object, field.key, &value);
    }
    object.into()
}

/// The definition of a preset, or the defaults.
pub(crate) fn preset<D: Definition>(
    name: Option<String>,
    known: &[&str],
    of: fn(&str) -> Option<D>,
) -> Result<D> {
    let Some(name) = name else { return Ok(D::default()) };
    let known = || wrong(format!("there is no preset `{name}`; known: {}", known.join(", ")));
    of(&name).ok_or_else(known)
}

/// What the agents of a group are like unless something else is said, or by a preset: `rts`,
/// `pedestrian` or `horde`.
///
/// # Errors
/// When there is no preset of that name.
#[wasm_bindgen(js_name = groupDefaults, unchecked_return_type = "Required<GroupDef>")]
pub fn group_defaults(name: Option<String>) -> Result<JsValue> {
    Ok(object(&preset(name, &GroupDef::PRESETS, GroupDef::preset)?))
}

/// What a weapon is like unless something else is said, or by a preset: `bow`, `gun` or `catapult`.
///
/// # Errors
/// When there is no preset of that name.
#[wasm_bindgen(js_name = weaponDefaults, unchecked_return_type = "Required<WeaponDef>")]
pub fn weapon_defaults(name: Option<String>) -> Result<JsValue> {
    Ok(object(&preset(name, &WeaponDef::PRESETS, WeaponDef::preset)?))
}
