//! Whether benchmarks are only tried, as `cargo bench -- --test` does.

/// Whether each is run only once; cargo says `--bench` then, too.
pub(crate) fn is_tried() -> bool {
    std::env::args().any(|argument| argument == "--test")
}
