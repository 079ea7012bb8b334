//! What happened in a tick, as an object.

use js_sys::{Array, BigUint64Array, Object};
use throng::{Id, Numbers};
use wasm_bindgen::JsValue;

use crate::definition::set;
use crate::group_order::id_word;

/// The `Events` of the last tick.
pub(crate) fn object<N: Numbers>(sim: &throng::Simulation<N>) -> JsValue {
    let events = sim.events();
    let ids = |ids: &mut dyn Iterator<Item = Id>| -> JsValue {
        let words: Vec<u64> = ids.map(id_word).collect();
        BigUint64Array::from(&words[..]).into()
    };
    let indices = |list: &mut dyn Iterator<Item = u16>| -> JsValue {
        list.map(|index| JsValue::from_f64(index.into())).collect::<Array>().into()
    };
    let refused = events.refused.iter().map(|(_, why)| JsValue::from_str(&why.to_string()));
    let values = [
        ("spawned", ids(&mut events.spawned.iter().copied())),
        ("entered", ids(&mut events.entered.iter().copied())),
        ("left", ids(&mut events.left.iter().map(|departure| departure.id))),
        ("leftBy", indices(&mut events.left.iter().map(|departure| departure.sink.index()))),
        ("arrived", ids(&mut events.arrived.iter().copied())),
        ("stuck", ids(&mut events.stuck.iter().copied())),
        ("fallen", ids(&mut events.fallen.iter().map(|fallen| fallen.id))),
        ("collapsed", indices(&mut events.collapsed.iter().map(|one| one.structure.index()))),
        ("impacts", JsValue::from_f64(events.impacts.len() as f64)),
        ("refused", refused.collect::<Array>().into()),
    ];
    let object = Object::new();
    for (key, value) in values {
        set(&object, key, &value);
    }
    object.into()
}
