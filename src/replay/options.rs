//! How a run is recorded.

use crate::scenario::Scene;

/// How a run is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordOptions {
    /// A name of the run, for people.
    pub label: String,
    /// Names of the players, if there are any.
    pub players: Vec<String>,
    /// Names, colours and areas for pictures; empty when they are not known.
    pub scene: Scene,
    /// Bytes that keyframes may take in all; 0 for none. The more there are, the faster is a seek.
    pub keyframe_bytes: u64,
    /// Ticks from one flush to the next, at least 1: what a killed run may lose.
    pub flush_ticks: u32,
}

impl Default for RecordOptions {
    /// 128 MiB of keyframes, a flush every 32 ticks.
    fn default() -> Self {
        let (label, players, scene) = (String::new(), Vec::new(), Scene::default());
        Self { label, players, scene, keyframe_bytes: 128 << 20, flush_ticks: 32 }
    }
}

impl From<&str> for RecordOptions {
    /// The default with a label.
    fn from(label: &str) -> Self {
        Self { label: label.to_owned(), ..Self::default() }
    }
}
