//! Numbers, and what may be done with them.
//!
//! A simulated value is a [`Num`]: strict `f32` or fixed-point [`Fx`]. Only operations whose bits
//! are the same on every machine are offered.

mod chance;
mod digest;
pub(crate) mod each;
mod fx;
mod num;
pub(crate) mod plane;
mod random;

pub use chance::{exp, ln, normal_quantile, poisson};
pub use digest::{Digest, digest_bytes};
pub use fx::Fx;
pub use num::{Num, Numeric};
pub use random::{hash2, hash3, unit_f64};
