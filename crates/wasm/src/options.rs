//! How a simulation begins.

use std::io;

use js_sys::{Object, Reflect, Uint8Array};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use throng::Numeric;
use throng::scenario::{Builtin, Overrides};
use wasm_bindgen::prelude::*;

use crate::{Result, wrong};

/// The `Options` of a scenario.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Options {
    numeric: Option<String>,
    agents: Option<u64>,
    seed: Option<u64>,
    ticks: Option<u64>,
    map: Option<String>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    maps: JsValue,
    pub(crate) file: Option<String>,
}

impl Options {
    /// Reads an object; none is all defaults.
    pub(crate) fn read(object: JsValue) -> Result<Self> {
        let known = ["numeric", "agents", "seed", "ticks", "map", "maps", "file"];
        read(object, "options", &known)
    }

    /// The changes of a scenario that the options make.
    pub(crate) fn overrides(&self) -> Result<Overrides> {
        let Self { agents, seed, ticks, .. } = *self;
        let numeric = self.numeric.as_deref().map(numeric).transpose()?;
        Ok(Overrides { agents, ticks, seed, numeric, map: self.map.clone() })
    }

    /// The bytes of a map file that the scenario names: one that was given, or one that ships.
    pub(crate) fn read_map(&self, path: &str, shipped: Option<Builtin>) -> io::Result<Vec<u8>> {
        let given = match self.maps.dyn_ref::<Object>() {
            Some(maps) => Reflect::get(maps, &JsValue::from_str(path)).unwrap_or_default(),
            None => JsValue::UNDEFINED,
        };
        if let Some(text) = given.as_string() {
            return Ok(text.into_bytes());
        }
        if let Some(bytes) = given.dyn_ref::<Uint8Array>() {
            return Ok(bytes.to_vec());
        }
        match shipped {
            Some(builtin) if given.is_undefined() => builtin.read(path),
            _ => Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("give its text or bytes as `maps[{path:?}]`"),
            )),
        }
    }
}

/// The number type of a word.
pub(crate) fn numeric(word: &str) -> Result<Numeric> {
    let found = [Numeric::F32, Numeric::Fixed].into_iter().find(|numeric| numeric.word() == word);
    found.ok_or_else(|| wrong(format!("`numeric` is `{word}`; expected \"f32\" or \"fixed\"")))
}

/// The `MapOptions` of an empty map.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct MapOptions {
    pub(crate) numeric: Option<String>,
    pub(crate) cell: Option<f64>,
    pub(crate) seed: Option<u64>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub(crate) settings: JsValue,
}

impl MapOptions {
    /// Reads an object; none is all defaults.
    pub(crate) fn read(object: JsValue) -> Result<Self> {
        read(object, "options", &["numeric", "cell", "seed", "settings"])
    }
}

/// Reads an object with only these keys; none is all defaults. `what` says what it is.
pub(crate) fn read<T: Default + DeserializeOwned>(
    object: JsValue,
    what: &str,
    known: &[&str],
) -> Result<T> {
    if object.is_undefined() {
        return Ok(T::default());
    }
    let Some(keys) = object.dyn_ref::<Object>().map(Object::keys) else {
        return Err(wrong(format!("{what} are an object with some of: {}", known.join(", "))));
    };
    // The reader below does not look at keys that it does not know.
    for key in keys.iter().filter_map(|key| key.as_string()) {
        if !known.contains(&&*key) {
            let known = known.join(", ");
            return Err(wrong(format!("{what} have no `{key}`; known: {known}")));
        }
    }
    Ok(serde_wasm_bindgen::from_value(object)?)
}
