//! Ids and handles as Python has them: the one place that knows how the engine writes them.
//!
//! Agents are whole numbers in arrays of `uint64`: the generation in the upper half, the index in the
//! lower one.

use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::prelude::*;

use throng::{CompanyId, DoorId, GroupId, Id, SinkId, SourceId, StructureId, WeaponId};

/// Declares handles of what is never removed.
macro_rules! indices {
    ($($(#[$doc:meta])+ $name:ident of $engine:ident;)+) => {$(
        $(#[$doc])+
        #[pyclass(frozen, eq, hash, ord, module = "throng")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name {
            /// Counts from 0, in the order in which they were added.
            #[pyo3(get)]
            index: u16,
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
    )+};
}
indices! {
    /// A weapon of a simulation.
    Weapon of WeaponId;
    /// A source of a simulation: where agents come.
    Source of SourceId;
    /// A sink of a simulation: where agents leave.
    Sink of SinkId;
    /// A door of a simulation.
    Door of DoorId;
    /// A structure of a simulation: a wall with hit points.
    Structure of StructureId;
}

/// Declares handles of what can be removed.
macro_rules! handles {
    ($($(#[$doc:meta])+ $name:ident of $engine:ident;)+) => {$(
        $(#[$doc])+
        #[pyclass(frozen, eq, hash, ord, module = "throng")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name {
            /// Counts from 0, in the order in which they were added. What was removed leaves its
            /// index to another.
            #[pyo3(get)]
            index: u16,
            /// How many had this index before.
            #[pyo3(get)]
            generation: u16,
        }

        #[pymethods]
        impl $name {
            /// The one of an index, by default the first that has it.
            #[new]
            #[pyo3(signature = (index, generation=0))]
            fn new(index: u16, generation: u16) -> Self {
                Self { index, generation }
            }

            /// It as one number, as orders in JSON name it: `index + 65536 * generation`.
            #[getter]
            fn bits(&self) -> u32 {
                $engine::from(self).to_bits()
            }

            fn __index__(&self) -> u16 {
                self.index
            }

            fn __repr__(&self) -> String {
                match self.generation {
                    0 => format!(concat!(stringify!($name), "({})"), self.index),
                    more => format!(concat!(stringify!($name), "({}, {})"), self.index, more),
                }
            }
        }

        impl From<$engine> for $name {
            fn from(id: $engine) -> Self {
                Self { index: id.index(), generation: id.generation() }
            }
        }

        impl From<&$name> for $engine {
            fn from(id: &$name) -> Self {
                Self::with_generation(id.index, id.generation)
            }
        }
    )+};
}
handles! {
    /// A group of a simulation; never another one later.
    Group of GroupId;
    /// A company of a simulation; never another one later.
    Company of CompanyId;
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
