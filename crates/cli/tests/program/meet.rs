//! Crowds that meet: the scenarios of `scenarios/meet`, by every way to keep clear. The table of
//! docs/crowds.md is what comes out with seed 1; it is written anew by
//!
//! ```console
//! THRONG_BLESS=1 cargo test --release -p throng-cli --test program meet
//! ```

use std::{env, fs};

use serde_json::Value;

use crate::documents::{cells, root, text};
use crate::running::Folder;

const DOCUMENT: &str = "docs/crowds.md";

/// Scenarios, and by when all agents are in at the latest, in seconds.
const SCENARIOS: [(&str, f64); 3] = [("gap", 120.0), ("corridor", 300.0), ("field", 200.0)];

/// Keys of all groups, and what the table calls them.
const KINDS: [(&str, &str); 5] = [
    ("separation", "avoidance"),
    ("orca", "avoidance"),
    ("horde", "preset"),
    ("rts", "preset"),
    ("pedestrian", "preset"),
];

/// What `throng run --json` says of a scenario where all groups have this key.
fn run(scenario: &str, kind: &str, key: &str) -> Value {
    let file = root().join(format!("scenarios/meet/{scenario}.toml"));
    let set = format!("group.*.{key}=\"{kind}\"");
    let folder = Folder::new(&format!("meet-{scenario}-{kind}"));
    let file = file.to_str().unwrap();
    folder.fine(&["run", file, "--set", &set, "--no-files", "--quiet", "--json", "run.json"]);
    serde_json::from_slice(&folder.read("run.json")).unwrap()
}

/// A row of the table.
fn row(scenario: &str, kind: &str, run: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap();
    let crush = &run["crush"];
    format!(
        "| [{scenario}](../scenarios/meet/{scenario}.toml) | `{kind}` | {:.0} s | {:.1} | {:.0} % | {} |",
        number(&run["ticks"]) * number(&run["dt"]),
        number(&crush["deeper_25"]),
        100.0 * number(&crush["overlap_p99"]),
        number(&crush["passed_through_same"]) + number(&crush["passed_through_other"]),
    )
}

#[test]
fn crowds_that_meet_pass_each_other() {
    let mut rows = Vec::new();
    for (scenario, latest) in SCENARIOS {
        for (kind, key) in KINDS {
            let run = run(scenario, kind, key);
            let [agents, arrived] = ["agents", "arrived"].map(|key| run[key].as_u64().unwrap());
            let row = row(scenario, kind, &run);
            assert_eq!(arrived, agents, "{row}");
            let seconds: f64 = cells(&row)[2].trim_end_matches(" s").parse().unwrap();
            assert!(seconds <= latest, "by {latest} s: {row}");
            rows.push(row);
        }
    }
    let document = text(DOCUMENT);
    let is_row = |line: &&str| line.starts_with("| [");
    let old: Vec<&str> = document.lines().filter(is_row).collect();
    if env::var_os("THRONG_BLESS").is_some_and(|value| value == "1") {
        let new = document.replace(&old.join("\n"), &rows.join("\n"));
        fs::write(root().join(DOCUMENT), new).unwrap();
    } else {
        assert_eq!(old, rows, "{DOCUMENT} does not say so; THRONG_BLESS=1 writes it anew");
    }
}
