//! Replays: what was ordered, and the digests of what came of it.
//!
//! A replay holds the map, the settings, every tick's orders and digests, and now and then a whole
//! state to begin from. It can be played from any tick, [`verify()`] says whether that gives the
//! same bits, and [`compare()`] where two of them part. `docs/formats.md` has the format byte by
//! byte.

mod compare;
mod error;
mod frame;
mod header;
mod options;
mod player;
mod read;
mod record;
mod rest;
mod rewind;
mod subject;
mod trace;
mod verify;

pub use compare::{Comparison, Parting, Rerun, compare};
pub use error::{Fault, ReplayError};
pub use frame::{Frame, Keyframe, MAX_FRAMES, MAX_IMAGE, block};
pub use header::Header;
pub use options::RecordOptions;
pub use player::Player;
pub use read::{Replay, Salvage};
pub use record::Recorder;
pub use rewind::{Rewind, RewindFault, Subject};
pub use subject::Driven;
pub use trace::Stages;
pub use verify::{Difference, Verdict, verify};

/// Most bytes of a file that is read as a replay: 1 GiB.
pub const MAX_FILE: u64 = 1 << 30;
/// First bytes of a replay.
pub const MAGIC: &[u8; 8] = b"THRONGR\n";
/// Version of the format.
pub const FORMAT: u32 = 15;
/// Version of the engine that made it: replays of another one are refused.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");
