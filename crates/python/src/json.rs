//! What the engine writes and reads by serde, as Python's dicts and lists.

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyTupleMethods};
use serde_json::Value;

use throng::Order;

use crate::errors::RangeError;

/// A value of the engine as Python's dicts, lists and numbers.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value,))
}

/// The number by which an order names a handle.
fn plain(handle: &Bound<'_, PyAny>) -> PyResult<u32> {
    match handle.getattr_opt("bits")? {
        Some(bits) => bits.extract(),
        None => handle.call_method0("__index__")?.extract(),
    }
}

/// An order from a dict such as `{"Stop": {"group": 0}}`; handles may stand for numbers.
pub(crate) fn order(from: &Bound<'_, PyAny>) -> PyResult<Order> {
    let text: String = match from.extract() {
        Ok(text) => text,
        Err(_) => {
            let default = PyCFunction::new_closure(from.py(), None, None, |args, _| {
                plain(&args.get_item(0)?)
            })?;
            let options = [("default", default)];
            let options = pyo3::types::IntoPyDict::into_py_dict(options, from.py())?;
            let json = from.py().import("json")?;
            json.call_method("dumps", (from,), Some(&options))?.extract()?
        }
    };
    let value: Value = serde_json::from_str(&text).map_err(|why| wrong(&why))?;
    serde_json::from_value(value).map_err(|why| wrong(&why))
}

fn wrong(why: &serde_json::Error) -> PyErr {
    RangeError::new_err(format!("this is no order: {why}"))
}
