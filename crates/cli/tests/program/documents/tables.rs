//! Tables and lists of the documents have all that there is, and nothing else.

use std::collections::BTreeSet;
use std::fs;

use crate::documents::examples::names;
use crate::documents::{documents, root, text};
use crate::running::Folder;
use serde_json::Value;
use throng::tick::Stage;

/// Runs that have every part of a summary between them.
const RUNS: [&[&str]; 5] = [
    &["battle", "--agents", "400", "--ticks", "40"],
    &["skirmish", "--ticks", "40"],
    &["horde", "--agents", "700", "--ticks", "40"],
    &["foyer", "--ticks", "40"],
    &["breach", "--agents", "200", "--ticks", "400"],
];

/// One that asks for routes, to a goal that is too small.
const ROUTES: &str = "ticks = 400\n[map]\nsize = [40, 20]\n[[group]]\nname = \"a\"\n\
    navigator = \"path\"\ngoal = { rect = [30, 8, 32, 10] }\n\
    spawn = [{ rect = [20, 1, 28, 19], count = 60 }]\n";

/// Rows of a table are together, and have as many cells as its head: a blank line or a bar too many
/// cuts it, and it is no table any more.
#[test]
fn no_table_is_cut() {
    let mut tables = 0;
    for document in documents() {
        let text = text(&document);
        let mut fenced = false;
        let mut width = None;
        for (number, line) in (1..).zip(text.lines()) {
            fenced ^= line.trim_start().starts_with("```");
            let is_row = line.starts_with('|') && !fenced;
            if !is_row {
                width = None;
                continue;
            }
            let bare = line.replace("\\|", "");
            let mut in_code = false;
            let bars = bare.chars().filter(|&letter| {
                in_code ^= letter == '`';
                letter == '|' && !in_code
            });
            let bars = bars.count();
            let next = text.lines().nth(number).unwrap_or_default();
            if width.is_none() {
                assert!(
                    next.starts_with("|-"),
                    "{document}:{number}: a row without a head: {line}"
                );
                tables += 1;
            }
            let expected = *width.get_or_insert(bars);
            assert_eq!(bars, expected, "{document}:{number}: {line}");
            assert!(line.ends_with('|'), "{document}:{number}: {line}");
        }
    }
    assert!(tables > 50, "{tables} tables");
}

/// The names in the first column of the table behind a text.
fn first_column(text: &str, behind: &str) -> Vec<String> {
    let at = text.find(behind).unwrap_or_else(|| panic!("`{behind}` is not there"));
    let rows = text[at..].lines().skip_while(|line| !line.starts_with('|')).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.map(|row| row.split('|').nth(1).unwrap().trim().trim_matches('`').to_owned());
    names.collect()
}

#[test]
fn the_architecture_has_all_stages_and_modules() {
    let text = text("docs/architecture.md");
    assert_eq!(first_column(&text, "\n## The tick\n"), Stage::ALL.map(Stage::name));
    let entries = fs::read_dir(root().join("src")).unwrap().map(Result::unwrap);
    let modules: BTreeSet<String> = entries
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "bin")
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let listed: BTreeSet<String> = first_column(&text, "\n## Modules\n").into_iter().collect();
    assert_eq!(listed, modules);
}

/// The keys of an object, and of objects within it; objects by stage, state or the like have names of
/// the run for keys.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                found.insert(key.clone());
                if !["stages", "states"].contains(&key.as_str()) {
                    keys(value, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn the_keys_of_the_summary_are_documented() {
    let folder = Folder::new("summary-keys");
    folder.write("routes.toml", ROUTES);
    let mut found = BTreeSet::new();
    for run in RUNS.into_iter().chain([&["routes.toml"][..]]) {
        let done = folder.fine(&[&["run"], run, &["--quiet", "--json", "-"]].concat());
        keys(&serde_json::from_str(&done.out).unwrap(), &mut found);
    }
    folder.fine(&["run", "routes.toml", "--quiet", "--record", "a.throng"]);
    let stretch = folder.fine(&["replay", "a.throng", "--from", "1", "--quiet", "--json", "-"]);
    keys(&serde_json::from_str(&stretch.out).unwrap(), &mut found);
    let docs = text("docs/formats.md");
    let start = docs.find("\n## The summary as JSON\n").expect("the section is there");
    let section = &docs[start + 4..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    for key in &found {
        assert!(section.contains(&format!("`{key}`")), "{key} is not documented");
    }
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    for key in rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)) {
        assert!(found.contains(key), "{key} is documented and not there");
    }
}

#[test]
fn lists_of_scenarios_are_whole() {
    let names: BTreeSet<&str> = throng::scenario::builtin_names().collect();
    for (document, behind) in [
        ("docs/scenario.md", "The scenarios that ship with the program"),
        ("CHANGELOG.md", "**Scenarios**"),
    ] {
        let text = text(document);
        let at = text.find(behind).unwrap_or_else(|| panic!("{document}: {behind}"));
        let end = text[at..].find("\n\n").unwrap_or(text.len() - at);
        let listed: BTreeSet<&str> = text[at..at + end].split('`').skip(1).step_by(2).collect();
        let missing: Vec<_> = names.difference(&listed).collect();
        assert!(missing.is_empty(), "{document} does not list {missing:?}");
    }
}

/// A page that a new user reads to its end.
#[test]
fn readme_is_short() {
    let words = text("README.md").split_whitespace().count();
    assert!(words <= 1_400, "README.md has {words} words");
}

/// A page loads all its pictures, and a clone of the repository keeps every version of them.
#[test]
fn no_picture_is_large() {
    let mut folders = vec![root().join("docs/pictures")];
    let mut pictures = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = entry.metadata().unwrap().len();
            assert!(bytes <= 300_000, "{} has {bytes} bytes", path.display());
            pictures += 1;
        }
    }
    assert!(pictures > 30, "{pictures} pictures");
}

#[test]
fn every_command_has_a_manual_page_and_is_completed() {
    let folder = Folder::new("manual");
    let names = names(&folder);
    let shells = ["bash", "elvish", "fish", "powershell", "zsh"];
    let scripts = shells.map(|shell| folder.fine(&["completions", shell]).out);
    let source = format!("\"throng {}\"", env!("CARGO_PKG_VERSION"));
    for name in names.iter().filter(|name| *name != "help") {
        for (script, shell) in scripts.iter().zip(shells) {
            assert!(script.contains(name.as_str()), "{shell} does not know {name}");
        }
        let page = folder.fine(&["man", name]).out;
        assert!(page.contains(&format!(".TH throng-{name} 1  {source}")), "{name}: {page}");
        assert!(page.contains(&format!(".SH NAME\nthrong\\-{name} \\- ")), "{name}: {page}");
    }
}
