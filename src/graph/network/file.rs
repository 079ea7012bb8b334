//! Networks as text.
//!
//! ```toml
//! format = "throng network 1"
//! radius = 0.3 # metres
//! cap = 4.0    # metres
//! nodes = [
//!     { x = 3.0, y = 1.5 },
//!     { x = 7.5, y = 1.5, tag = 7 },
//! ]
//! edges = [
//!     [0, 1],
//! ]
//! ```
//!
//! Nodes count from 0. Clearances and costs are not written: they are measured again on the map
//! that the network is loaded for.

use crate::data::number::plural;
use crate::data::toml_tree;
use crate::graph::network::draft::Draft;
use crate::graph::network::{Network, Sizes};
use serde::Deserialize;
use std::fmt::Write;
use toml::Spanned;

const FORMAT: &str = "throng network 1";

/// Why a text is not a network. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct NetworkError {
    /// Line of what is wrong.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// What is wrong, with key and value, and what would be right.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<String>,
    radius: Spanned<f64>,
    cap: Spanned<f64>,
    nodes: Vec<Spanned<Row>>,
    edges: Vec<Spanned<[u32; 2]>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    x: f64,
    y: f64,
    #[serde(default)]
    tag: u32,
}

impl Draft {
    /// The draft and the sizes of a text that [`Network::to_toml`] wrote, or that was written by hand.
    ///
    /// # Errors
    /// [`NetworkError`], with line and column: no TOML, an unknown, missing or wrong key, a number
    /// out of range, an edge that names no node, joins a node to itself or comes twice; more than some
    /// 500,000 nodes or 4 million edges.
    pub fn from_toml(text: &str) -> Result<(Self, Sizes), NetworkError> {
        if toml_tree::bytes(text) > toml_tree::MAX {
            return Err(at(
                text,
                0,
                "it has more than 524,288 tables; an array counts an eighth".to_owned(),
            ));
        }
        let file: File = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            at(text, start, error.message().to_owned())
        })?;
        let wrong = |start: usize, problem: String| Err(at(text, start, problem));
        if file.format.get_ref() != FORMAT {
            let found = file.format.get_ref();
            let problem = format!("format is \"{found}\"; this program reads \"{FORMAT}\"");
            return wrong(file.format.span().start, problem);
        }
        for (key, value) in [("radius", &file.radius), ("cap", &file.cap)] {
            if !(0.0..=32_768.0).contains(value.get_ref()) {
                let problem = format!("{key} is {}; it is 0 to 32768 m", value.get_ref());
                return wrong(value.span().start, problem);
            }
        }
        let sizes = Sizes { radius: *file.radius.get_ref(), cap: *file.cap.get_ref() };
        if sizes.cap < sizes.radius {
            let problem = format!("cap is {}, less than the radius, {}", sizes.cap, sizes.radius);
            return wrong(file.cap.span().start, problem);
        }
        let mut draft = Self::default();
        for (node, row) in file.nodes.iter().enumerate() {
            let Row { x, y, tag } = *row.get_ref();
            for (key, value) in [("x", x), ("y", y)] {
                if !(-32_768.0..=32_768.0).contains(&value) {
                    let problem = format!("{key} of node {node} is {value}; it is ±32768 m");
                    return wrong(row.span().start, problem);
                }
            }
            draft.add([x, y], tag);
        }
        for (edge, row) in file.edges.iter().enumerate() {
            let [a, b] = *row.get_ref();
            let count = file.nodes.len() as u64;
            let problem = if u64::from(a.max(b)) >= count {
                format!("the file has {}, from 0", plural(count, "node"))
            } else if a == b {
                "it joins a node to itself".to_owned()
            } else if !draft.link(a, b) {
                "it comes twice".to_owned()
            } else {
                continue;
            };
            return wrong(row.span().start, format!("edge {edge} is [{a}, {b}]: {problem}"));
        }
        Ok((draft, sizes))
    }
}

impl Network {
    /// The nodes and edges as text, every number to the last bit.
    pub fn to_toml(&self) -> String {
        let Sizes { radius, cap } = self.sizes();
        let mut text = format!("format = \"{FORMAT}\"\nradius = {radius:?}\ncap = {cap:?}\n");
        // Writing to a string cannot fail.
        text.push_str("nodes = [\n");
        for ([x, y], tag) in self.points().iter().zip(self.tags()) {
            let _ = match tag {
                0 => writeln!(text, "    {{ x = {x:?}, y = {y:?} }},"),
                tag => writeln!(text, "    {{ x = {x:?}, y = {y:?}, tag = {tag} }},"),
            };
        }
        text.push_str("]\nedges = [\n");
        for edge in self.edges() {
            let _ = writeln!(text, "    [{}, {}],", edge.nodes[0], edge.nodes[1]);
        }
        text.push_str("]\n");
        text
    }
}

/// An error at a byte of the text.
fn at(text: &str, byte: usize, problem: String) -> NetworkError {
    let before = &text.as_bytes()[..byte.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
    let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[begin..]).chars().count() as u32 + 1;
    NetworkError { line, column, problem }
}
