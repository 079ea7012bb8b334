//! How calls end: a status for programs, and words for people.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use throng::map::MapError;
use throng::replay::ReplayError;
use throng::scenario::{LoadError, OverrideError, ScenarioError};
use throng::state::SnapshotError;
use throng::world::{Refusal, WorldError};

/// How a call ended. Whatever is not `THRONG_STATUS_OK` has changed nothing, unless it says so.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThrongStatus {
    /// It is done.
    Ok = 0,
    /// A pointer is null that must not be.
    Null = 1,
    /// The simulation was destroyed, or never was one.
    NoSimulation = 2,
    /// Another thread is in a call on the same simulation.
    Busy = 3,
    /// A fault of throng ended this call on a simulation, or an earlier one. It can only be
    /// destroyed.
    Broken = 4,
    /// A definition was not made by its `throng_default_…` function, or by that of another version.
    Definition = 5,
    /// A number is none that is possible there.
    Value = 6,
    /// A text is not UTF-8, or not what it should say.
    Text = 7,
    /// There is no group or company of that index or name; in calls that read, no source, sink, door
    /// or structure.
    NoSuchIndex = 8,
    /// An agent does not live.
    NoAgent = 9,
    /// The order cannot be carried out.
    Refused = 10,
    /// The buffer is too small; the size that is needed is given.
    TooSmall = 11,
    /// A file cannot be read or written.
    File = 12,
    /// The scenario has mistakes, each named with its line.
    Scenario = 13,
    /// The map is none.
    Map = 14,
    /// The snapshot is damaged, or of another map, settings or version.
    Snapshot = 15,
    /// The replay cannot be written.
    Replay = 16,
    /// The thread computes in a mode that changes results.
    Host = 17,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Fault {
    status: ThrongStatus,
    words: String,
}

impl Fault {
    pub(crate) fn new(status: ThrongStatus, words: impl Into<String>) -> Self {
        Self { status, words: words.into() }
    }

    /// A pointer that must not be null; `what` is the name of the argument.
    pub(crate) fn null(what: &str) -> Self {
        Self::new(ThrongStatus::Null, format!("{what} is null"))
    }

    /// A file of this path, and why it cannot be used.
    pub(crate) fn file(path: impl Display, why: &io::Error) -> Self {
        Self::new(ThrongStatus::File, format!("{path}: {why}"))
    }
}

impl From<Refusal> for Fault {
    fn from(why: Refusal) -> Self {
        let status = match why {
            Refusal::NoSuchGroup { .. } | Refusal::NoSuchCompany { .. } => {
                ThrongStatus::NoSuchIndex
            }
            Refusal::NoSuchAgent { .. } => ThrongStatus::NoAgent,
            _ => ThrongStatus::Refused,
        };
        Self::new(status, why.to_string())
    }
}

/// Faults that have one status each.
macro_rules! faults {
    ($($error:ty => $status:ident;)+) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::new(ThrongStatus::$status, error.to_string())
            }
        }
    )+};
}
impl From<LoadError> for Fault {
    fn from(why: LoadError) -> Self {
        match why {
            LoadError::NoSuchScenario { .. } | LoadError::File { .. } => {
                Self::new(ThrongStatus::File, why.to_string())
            }
            LoadError::Override(why) => why.into(),
            LoadError::Scenario(why) => why.into(),
        }
    }
}

faults! {
    MapError => Map;
    OverrideError => Value;
    ReplayError => Replay;
    ScenarioError => Scenario;
    SnapshotError => Snapshot;
    WorldError => Value;
}

thread_local! {
    /// What the last call of this thread that failed says.
    static WORDS: RefCell<CString> = RefCell::default();
}

/// Text for C: what would end it early is left out.
pub(crate) fn text(words: &str) -> CString {
    let bytes: Vec<u8> = words.bytes().filter(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
}

/// Does what C has called for. No panic gets out, and the words of a failure are kept.
pub(crate) fn call(run: impl FnOnce() -> Result<(), Fault>) -> ThrongStatus {
    let fault = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return ThrongStatus::Ok,
        Ok(Err(fault)) => fault,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            let words = words.unwrap_or("no words");
            Fault::new(ThrongStatus::Broken, format!("throng is at fault: {words}"))
        }
    };
    WORDS.with_borrow_mut(|words| *words = text(&fault.words));
    fault.status
}

/// Why the last call of this thread failed that did, in words for people. Valid until another call
/// of this thread fails; empty before one has.
#[unsafe(no_mangle)]
pub extern "C" fn throng_last_error() -> *const c_char {
    WORDS.with_borrow(|words| words.as_ptr())
}

/// The version of throng, as in `0.1.0`. Always valid.
#[unsafe(no_mangle)]
pub extern "C" fn throng_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero in it"),
        };
    VERSION.as_ptr()
}
