//! Ids and handles as Python has them: the one place that knows how the engine writes them.
//!
//! Agents are whole numbers in arrays of `uint64`: the generation in the upper half, the index in the
//! lower one.

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::prelude::*;

use throng::{CompanyId, GroupId, Id, WeaponId};

/// A group as orders name it.
pub(crate) type OrderGroup = u16;
/// A company as orders name it.
pub(crate) type OrderCompany = u16;

/// Declares handles.
macro_rules! handles {
    ($($(#[$doc:meta])+ $name:ident of $engine:ident, $in_order:ident: $named:ty;)+) => {$(
        $(#[$doc])+
        #[pyclass(frozen, eq, hash, ord, module = "throng")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name {
            /// Counts from 0, in the order in which they were added.
            #[pyo3(get)]
            pub(crate) index: u16,
        }

        #[pymethods]
        impl $name {
            /// The one of an index.
            #[new]
            fn new(index: u16) -> Self {
                Self { index }
            }

            fn __index__(&self) -> u16 {
                self.index
            }

            fn __repr__(&self) -> String {
                format!(concat!(stringify!($name), "({})"), self.index)
            }
        }

        impl From<$engine> for $name {
            fn from(id: $engine) -> Self {
                Self { index: id.index() }
            }
        }

        impl From<&$name> for $engine {
            fn from(id: &$name) -> Self {
                Self::new(id.index)
            }
        }

        /// As orders and definitions name it.
        pub(crate) fn $in_order(id: &$name) -> $named {
            id.index
        }
    )+};
}
handles! {
    /// A group of a simulation.
    Group of GroupId, group: OrderGroup;
    /// A weapon of a simulation.
    Weapon of WeaponId, weapon: u16;
    /// A company of a simulation.
    Company of CompanyId, company: OrderCompany;
}

/// An id as a whole number.
pub(crate) fn number(id: Id) -> u64 {
    u64::from(id.generation) << 32 | u64::from(id.index)
}

/// The id of a whole number.
pub(crate) fn id(number: u64) -> Id {
    Id { index: number as u32, generation: (number >> 32) as u32 }
}

/// Agents, in an array or a list, or one.
pub(crate) fn agents(from: &Bound<'_, PyAny>) -> PyResult<Vec<Id>> {
    if let Ok(one) = from.extract::<u64>() {
        return Ok(vec![id(one)]);
    }
    let list: PyArrayLike1<'_, u64, AllowTypeChange> = from.extract()?;
    Ok(list.as_array().iter().map(|&number| id(number)).collect())
}

/// Ids as an array.
pub(crate) fn array<'py>(py: Python<'py>, ids: &[Id]) -> Bound<'py, PyArray1<u64>> {
    PyArray1::from_iter(py, ids.iter().map(|&id| number(id)))
}
