//! Replays: what was ordered, and the digests of what came of it.
//!
//! A replay holds the map, the settings, every tick's orders and every tick's column digests. It can
//! be played again, and [`verify`] says whether that gives the same bits. `docs/formats.md` has the
//! format byte by byte.

mod error;
mod frame;
mod header;
mod read;
mod record;
mod verify;

pub use error::ReplayError;
pub use frame::Frame;
pub use header::Header;
pub use read::Cut;
pub use read::Replay;
pub use record::Recorder;
pub use verify::Difference;
pub use verify::Verdict;
pub use verify::verify;

/// First bytes of a replay.
pub const MAGIC: &[u8; 8] = b"THRONGR\n";
/// Version of the format.
pub const FORMAT: u32 = 3;
/// Version of the engine that made it: replays of another one are refused.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");
