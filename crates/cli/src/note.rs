//! What `throng check` tells beside what is wrong with the text.

/// Whether it is a mistake, and what is told.
pub(crate) type Note = (bool, String);

/// The end of what is told of agents that cannot reach something.
pub(crate) const NO_WAY: &str = "no way leads there";
