//! Numbers, and what may be done with them.
//!
//! A simulated value is a [`Num`]: strict `f32` or fixed-point [`Fx`]. Only operations whose bits
//! are the same on every machine are offered.

mod digest;
mod fx;
mod num;
mod random;

pub use digest::Digest;
pub use digest::digest_bytes;
pub use fx::Fx;
pub use num::Num;
pub use num::Numeric;
pub use random::hash2;
pub use random::hash3;
pub use random::unit_f64;
