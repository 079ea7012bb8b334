//! What README, documents and help texts say is true: commands run, quoted output is what comes out,
//! and tables list what there is.

mod examples;
mod measured;
mod quotes;
mod tables;

pub(crate) use measured::cells;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the repository as text.
pub(crate) fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// README and the documents, by their paths from the root.
fn documents() -> Vec<String> {
    let entries =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.filter_map(|name| name.into_string().ok());
    let mut found: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    found.push("README.md".to_owned());
    found.sort();
    found
}

/// The fenced blocks of a document: the line before each, its language, and its lines with the
/// number of the first of them, from 0.
fn fences(text: &str) -> Vec<(String, String, usize, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        if let Some(language) = lines[at].trim_start().strip_prefix("```") {
            let before = lines[..at].last().copied().unwrap_or_default().to_owned();
            let inner =
                lines[at + 1..].iter().take_while(|line| !line.trim_start().starts_with("```"));
            let inner: Vec<String> = inner.map(|line| (*line).to_owned()).collect();
            let first = at + 1;
            at = first + inner.len();
            found.push((before, language.trim().to_owned(), first, inner));
        }
        at += 1;
    }
    found
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}
