//! The comparison with other libraries that README and docs/performance.md show is the one that
//! `benches/beside/measure` has written to `benches/beside/measured.md`.
//!
//! docs/performance.md has that table whole, behind the line `<!-- measured -->`. README has a table of
//! its own behind that line, with the name of a library in the first column and its time in the third, or
//! "not measured". Both are written anew from the file by
//!
//! ```console
//! THRONG_BLESS=1 cargo test --release --test program documents::measured
//! ```

use std::collections::BTreeMap;
use std::{env, fs};

use crate::documents::{root, text};

const MARK: &str = "<!-- measured -->";
const FILE: &str = "benches/beside/measured.md";
const UNMEASURED: &str = "not measured";

/// Cells of a row of a table.
pub(crate) fn cells(row: &str) -> Vec<String> {
    row.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The name in a cell, without what makes it bold or code.
fn name(cell: &str) -> String {
    cell.chars().filter(|letter| !"*`".contains(*letter)).collect()
}

/// Nanoseconds for an agent and a step, by name.
fn times(measured: &str) -> BTreeMap<String, String> {
    measured.lines().skip(2).map(cells).map(|row| (row[0].clone(), row[1].clone())).collect()
}

/// The document before the table behind the mark, the table's lines, and what follows.
fn split(document: &str) -> (String, Vec<&str>, String) {
    let mut lines = document.lines();
    let before: Vec<&str> = lines.by_ref().take_while(|line| *line != MARK).collect();
    let rest: Vec<&str> = lines.collect();
    let table: Vec<&str> = rest
        .iter()
        .skip_while(|line| line.is_empty())
        .take_while(|l| l.starts_with('|'))
        .copied()
        .collect();
    assert!(table.len() > 2, "there is a table behind {MARK}");
    let gap = rest.iter().take_while(|line| line.is_empty()).count();
    let before = format!("{}\n{MARK}\n{}", before.join("\n"), "\n".repeat(gap));
    (before, table.clone(), rest[gap + table.len()..].join("\n") + "\n")
}

/// docs/performance.md as it should be.
fn whole(document: &str, measured: &str) -> String {
    let (before, _, after) = split(document);
    format!("{before}{}\n{after}", measured.trim_end())
}

/// README as it should be: the third cell of each row tells the time.
fn by_name(document: &str, measured: &str) -> String {
    let (before, table, after) = split(document);
    let mut times = times(measured);
    let mut lines: Vec<String> = table[..2].iter().map(|line| (*line).to_owned()).collect();
    for line in &table[2..] {
        let mut row = cells(line);
        row[2] = times.remove(&name(&row[0])).unwrap_or_else(|| UNMEASURED.to_owned());
        lines.push(format!("| {} |", row.join(" | ")).replace("|  |", "| |"));
    }
    assert!(times.is_empty(), "README has no row for {times:?}");
    format!("{before}{}\n{after}", lines.join("\n"))
}

#[test]
fn the_comparison_is_the_measured_one() {
    let measured = text(FILE);
    type Mended = fn(&str, &str) -> String;
    for (document, mended) in [("docs/performance.md", whole as Mended), ("README.md", by_name)] {
        let old = text(document);
        let new = mended(&old, &measured);
        if env::var_os("THRONG_BLESS").is_some_and(|value| value == "1") {
            fs::write(root().join(document), new).unwrap();
            continue;
        }
        let differing = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(
            old == new,
            "{document} does not show what {FILE} says; run this test with THRONG_BLESS=1: {differing:?}"
        );
    }
}

#[test]
fn a_changed_time_is_seen() {
    let measured = "| | ns |\n|---|---|\n| ab, c | 1,234 | 5 |\n";
    let document = format!(
        "x\n\n{MARK}\n\n| | a | b |\n|-|-|-|\n| **ab**, `c` | has | 1 |\n| d | | 2 |\n\ny\n"
    );
    let new = by_name(&document, measured);
    assert!(new.ends_with("| **ab**, `c` | has | 1,234 |\n| d | | not measured |\n\ny\n"), "{new}");
    assert_eq!(by_name(&new, measured), new);
    assert_eq!(whole(&document, measured), format!("x\n\n{MARK}\n\n{measured}\ny\n"));
}
