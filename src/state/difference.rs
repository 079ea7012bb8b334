//! How two states differ: column, agent, and both values.

use std::collections::BTreeMap;

use crate::data::bytes::Reader;
use crate::math::each::Each;
use crate::state::{Image, ImageColumn};

/// How a column differs between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDifference {
    /// `table.column`.
    pub column: String,
    /// Unit of the values.
    pub unit: String,
    /// Agents, or rows, that differ.
    pub count: u64,
    /// The first of them: of agents, the one with the smallest id.
    pub first: Finding,
}

/// One value that differs, or a row that one state has alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A word of a row.
    Value {
        /// The row: `agent 17 (generation 0)`, `group 3, row 4`.
        of: String,
        /// Name of the word in the row; empty where the row is one word.
        word: String,
        /// Its value in both states, in decimal.
        decimal: [String; 2],
        /// Its bits in both states, in hexadecimal.
        bits: [String; 2],
    },
    /// An agent, or a row, that only one of the states has.
    Alone {
        /// The agent or row, as in [`Self::Value`].
        of: String,
        /// 0 or 1: the state that has it.
        side: usize,
    },
    /// Agents stand in another order, though each has the same values.
    Order {
        /// The first row.
        row: usize,
        /// Id indices of the agents in it, in each state.
        ids: [u32; 2],
    },
}

impl std::fmt::Display for ColumnDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: ", self.column)?;
        match &self.first {
            Finding::Value { of, word, decimal, bits } => {
                let unit = if self.unit.is_empty() { "" } else { " " };
                let word = if word.is_empty() { String::new() } else { format!(" {word}") };
                write!(f, "{of}:{word} ")?;
                let [a, b] =
                    [0, 1].map(|i| format!("{}{unit}{} (bits {})", decimal[i], self.unit, bits[i]));
                write!(f, "{a} and {b}")?;
            }
            Finding::Alone { of, side } => {
                write!(f, "{of}: only in the {}", ["first", "second"][*side])?;
            }
            Finding::Order { row, ids } => {
                return write!(f, "row {row} is agent {} and agent {}", ids[0], ids[1]);
            }
        }
        if self.count > 1 { write!(f, "; {} more differ", self.count - 1) } else { Ok(()) }
    }
}

/// Every column in which two states differ, in the order of the state. Agents are compared by id.
///
/// Columns that only one of the images has are left out: images of one engine have the same ones.
pub fn differences(a: &Image<'_>, b: &Image<'_>) -> Vec<ColumnDifference> {
    let rows = [a, b].map(rows_of_ids);
    let mut found = Vec::new();
    for left in &a.columns {
        let Some(right) = b.columns.iter().find(|column| column.name == left.name) else {
            continue;
        };
        if left.words != right.words || left.digest() == right.digest() {
            continue;
        }
        let (count, first) = match left.name.split('.').next() {
            Some("agents") => by_agent([a, b], [left, right], &rows),
            table => by_row(table.unwrap_or_default(), [left, right]),
        };
        if let Some(first) = first {
            let (column, unit) = (left.name.clone(), left.unit.clone());
            found.push(ColumnDifference { column, unit, count, first });
        }
    }
    found
}

/// The row of every id index that an agent has.
fn rows_of_ids(image: &Image<'_>) -> BTreeMap<u32, usize> {
    let tags = image.columns.iter().find(|column| column.name == "agents.tag");
    let Some((list, width)) = tags.and_then(|tags| Some((*tags.lists.first()?, tags.width())))
    else {
        return BTreeMap::new();
    };
    let id = |bytes: &[u8]| Reader::new(bytes).u32("id").unwrap_or_default();
    list.chunks_exact(width).enumerate().map(|(row, bytes)| (id(bytes), row)).collect()
}

/// An agent's name: index and generation of its id.
fn agent(image: &Image<'_>, id: u32) -> String {
    let generations = image.columns.iter().find(|column| column.name == "ids.generation");
    let list = generations.and_then(|column| column.lists.first());
    let bytes = list.and_then(|list| list.get(4 * id as usize..));
    let generation = bytes.and_then(|bytes| Reader::new(bytes).u32("generation").ok());
    format!("agent {id} (generation {})", generation.unwrap_or_default() / 2)
}

fn by_agent(
    images: [&Image<'_>; 2],
    columns: [&ImageColumn<'_>; 2],
    rows: &[BTreeMap<u32, usize>; 2],
) -> (u64, Option<Finding>) {
    let width = columns[0].width();
    let lists = columns.each(|column| column.lists.first().copied().unwrap_or_default());
    // An image that contradicts itself may have fewer rows here than tags.
    let bytes = |side: usize, row: usize| lists[side].get(row * width..(row + 1) * width);
    let (mut count, mut first) = (0, None);
    let mut ids: Vec<u32> = rows[0].keys().chain(rows[1].keys()).copied().collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        let finding = match [0, 1].each(|side| bytes(side, *rows[side].get(&id)?)) {
            [Some(a), Some(b)] => value(columns[0], [a, b], || agent(images[0], id)),
            [None, None] => None,
            [a, _] => {
                let side = usize::from(a.is_none());
                Some(Finding::Alone { of: agent(images[side], id), side })
            }
        };
        count += u64::from(finding.is_some());
        first = first.or(finding);
    }
    if first.is_some() {
        return (count, first);
    }
    let at = |side: usize| {
        let mut order: Vec<(usize, u32)> = rows[side].iter().map(|(&id, &row)| (row, id)).collect();
        order.sort_unstable();
        order
    };
    let differs = at(0).into_iter().zip(at(1)).find(|(a, b)| a != b);
    let order = differs.map(|((row, a), (_, b))| Finding::Order { row, ids: [a, b] });
    (u64::from(order.is_some()), order)
}

/// What one list of a table is of, and what one row is.
fn owners(table: &str, column: &str) -> [&'static str; 2] {
    match (table, column) {
        ("groups", "groups.traits" | "groups.order") => ["", "group"],
        ("groups", _) => ["group", "row"],
        ("companies", "companies.order") => ["", "company"],
        ("companies", _) => ["company", "row"],
        ("fields", "fields.slot") => ["", "field"],
        ("fields", "fields.queue") => ["", "row"],
        ("fields", _) => ["field", "row"],
        ("crowding", "crowding.cost" | "crowding.held") => ["", "block"],
        ("ids", "ids.free") => ["", "row"],
        ("ids" | "crowding", _) => ["", "id"],
        _ => ["", "row"],
    }
}

fn by_row(table: &str, columns: [&ImageColumn<'_>; 2]) -> (u64, Option<Finding>) {
    let (width, [owner, item]) = (columns[0].width(), owners(table, &columns[0].name));
    let (mut count, mut first) = (0, None);
    let lists = columns.each(|column| column.lists.len());
    for list in 0..lists[0].max(lists[1]) {
        let rows = columns.each(|column| column.lists.get(list).copied().unwrap_or_default());
        let name = |row: usize| match owner {
            "" => format!("{item} {row}"),
            owner => format!("{owner} {list}, {item} {row}"),
        };
        let counts = rows.each(|rows| rows.len() / width);
        for row in 0..counts[0].max(counts[1]) {
            let bytes = rows.each(|rows| rows.get(row * width..(row + 1) * width));
            let finding = match bytes {
                [Some(a), Some(b)] => value(columns[0], [a, b], || name(row)),
                [a, _] => Some(Finding::Alone { of: name(row), side: usize::from(a.is_none()) }),
            };
            count += u64::from(finding.is_some());
            first = first.or(finding);
        }
    }
    if first.is_none() && lists[0] != lists[1] {
        let (list, side) = (lists[0].min(lists[1]), usize::from(lists[1] > lists[0]));
        (count, first) = (1, Some(Finding::Alone { of: format!("{owner} {list}"), side }));
    }
    (count, first)
}

/// The first word in which two rows differ.
fn value(column: &ImageColumn<'_>, rows: [&[u8]; 2], of: impl Fn() -> String) -> Option<Finding> {
    if rows[0] == rows[1] {
        return None;
    }
    let mut at = 0;
    for (word, kind) in &column.words {
        let [a, b] = rows.each(|row| &row[at..at + kind.width()]);
        if a != b {
            let [[a, a_bits], [b, b_bits]] = [kind.show(a), kind.show(b)];
            let (decimal, bits) = ([a, b], [a_bits, b_bits]);
            return Some(Finding::Value { of: of(), word: word.clone(), decimal, bits });
        }
        at += kind.width();
    }
    None
}
