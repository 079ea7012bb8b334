//! Distributions of what agents of one group differ in, in the words of scenario files.

use serde::Deserialize;
use throng::world::Spread;
use throng::{Distribution, VaryDef};
use wasm_bindgen::prelude::*;

use crate::options;
use crate::{Result, wrong};

const KEYS: [&str; 6] = ["constant", "uniform", "normal", "lognormal", "min", "max"];

/// A distribution as an object has it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Words {
    constant: Option<f64>,
    uniform: Option<[f64; 2]>,
    normal: Option<[f64; 2]>,
    lognormal: Option<[f64; 2]>,
    min: Option<f64>,
    max: Option<f64>,
}

/// In what agents differ: a number or an object for each.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Varied {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    speed: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    wait: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    radius: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    response: JsValue,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    patience: JsValue,
}

/// A number that all have, or an object.
fn distribution(value: JsValue) -> Result<Option<Distribution>> {
    if value.is_undefined() {
        return Ok(None);
    }
    if let Some(number) = value.as_f64() {
        return Ok(Some(Distribution::constant(number)));
    }
    let words: Words = options::read(value, "distributions", &KEYS)?;
    let spreads = [
        words.constant.map(Spread::Constant),
        words.uniform.map(|[low, high]| Spread::Uniform { low, high }),
        words.normal.map(|[mean, deviation]| Spread::Normal { mean, deviation }),
        words.lognormal.map(|[mean, deviation]| Spread::LogNormal { mean, deviation }),
    ];
    let spreads: Vec<Spread> = spreads.into_iter().flatten().collect();
    let [spread] = spreads[..] else {
        let all = "one of constant, uniform, normal and lognormal";
        return Err(wrong(format!("a distribution has {all}, not {}", spreads.len())));
    };
    let whole = Distribution::from(spread);
    Ok(Some(whole.within(words.min.unwrap_or(whole.min), words.max.unwrap_or(whole.max))))
}

/// In what the agents of a group differ.
pub(crate) fn vary(object: JsValue) -> Result<VaryDef> {
    let known = ["speed", "wait", "radius", "response", "patience"];
    let varied: Varied = options::read(object, "varieties", &known)?;
    Ok(VaryDef {
        speed: distribution(varied.speed)?,
        wait: distribution(varied.wait)?,
        radius: distribution(varied.radius)?,
        response: distribution(varied.response)?,
        patience: distribution(varied.patience)?,
    })
}
