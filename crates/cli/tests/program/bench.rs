//! `throng bench`: what it measures, and that its digests do not depend on threads.

use crate::running::Folder;
use serde_json::Value;

/// Figures of a small crowd by so many threads beside one.
fn figures(folder: &Folder, threads: &str) -> Value {
    let done = folder.fine(&["bench", "--agents", "400", "--threads", threads, "--json", "-"]);
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}", done.out))
}

#[test]
fn every_figure_is_measured_and_digests_do_not_depend_on_threads() {
    let folder = Folder::new("bench");
    let [one, three] = ["1", "3"].map(|threads| figures(&folder, threads));
    let crowds = |figures: &Value| figures["crowds"].as_array().unwrap().clone();
    let mut kinds = Vec::new();
    for (one, three) in crowds(&one).iter().zip(&crowds(&three)) {
        for key in ["agents", "numeric", "avoidance", "ticks", "digest"] {
            assert_eq!(one[key], three[key], "{key}");
        }
        assert_eq!(one["agents"], 400);
        assert_eq!(one["digest"].as_str().map(str::len), Some(16), "{one}");
        for key in ["ns_one_thread", "ns_all_threads"] {
            assert!(one[key].as_f64().unwrap() > 0.0, "{key}: {one}");
        }
        kinds.push(format!("{} {}", one["numeric"], one["avoidance"]));
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 4, "two number types, two kinds of avoidance: {kinds:?}");
    let parts = one["parts"].as_array().unwrap();
    for what in ["flow field", "path", "intercepts"] {
        let of = |part: &&Value| part["what"].as_str().unwrap().contains(what);
        let values: Vec<_> = parts.iter().filter(of).map(|part| part["value"].as_f64()).collect();
        assert!(values.len() > 2, "{what}: {parts:?}");
        assert!(values.iter().all(|value| value.unwrap() > 0.0), "{what}: {parts:?}");
    }
    assert_eq!(three["machine"]["threads"], 3);
    assert!(one["machine"]["triad_gb_s"][0].as_f64().unwrap() > 0.0);
}

/// The printed table can be pasted, and fits a screen.
#[test]
fn the_table_is_markdown() {
    let text = Folder::new("bench-table").fine(&["bench", "--agents", "400"]).out;
    let rows = text.lines().filter(|line| line.starts_with("| 400 |"));
    let columns = |line: &str| line.matches(" | ").count();
    let head = text.lines().find(|line| line.starts_with("| agents |")).expect("a head");
    let rows: Vec<usize> = rows.map(columns).collect();
    assert_eq!(rows, [columns(head); 4], "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    // Four digits before a point have a comma.
    let long = |word: &str| word.split('.').next().is_some_and(|whole| whole.len() > 3);
    let bare = |word: &&str| word.parse::<f64>().is_ok() && long(word);
    let cells = text.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split('|'));
    assert_eq!(
        cells.flat_map(str::split_whitespace).filter(bare).collect::<Vec<_>>(),
        [""; 0],
        "{text}"
    );
    assert!(text.contains("| flow field of 1024² cells, rooms |"), "{text}");
}
