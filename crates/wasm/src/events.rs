//! What happened in a tick, as an object.

use js_sys::{Array, BigUint64Array, Object, Reflect};
use throng::{Id, Numbers};
use wasm_bindgen::JsValue;

use crate::group_order::id_word;

/// The `Events` of the last tick.
pub(crate) fn object<N: Numbers>(sim: &throng::Simulation<N>) -> JsValue {
    let events = sim.events();
    let ids = |ids: &mut dyn Iterator<Item = Id>| -> JsValue {
        let words: Vec<u64> = ids.map(id_word).collect();
        BigUint64Array::from(&words[..]).into()
    };
    let refused = events.refused.iter().map(|(_, why)| JsValue::from_str(&why.to_string()));
    let values = [
        ("spawned", ids(&mut events.spawned.iter().copied())),
        ("arrived", ids(&mut events.arrived.iter().copied())),
        ("stuck", ids(&mut events.stuck.iter().copied())),
        ("fallen", ids(&mut events.fallen.iter().map(|fallen| fallen.id))),
        ("impacts", JsValue::from_f64(events.impacts.len() as f64)),
        ("refused", refused.collect::<Array>().into()),
    ];
    let object = Object::new();
    for (key, value) in values {
        // A plain new object takes every key.
        let _ = Reflect::set(&object, &JsValue::from_str(key), &value);
    }
    object.into()
}
