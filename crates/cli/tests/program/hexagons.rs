//! `throng path --hexagons`: the fewest steps from hexagon to hexagon.

use std::collections::{BTreeMap, VecDeque};

use crate::running::Folder;
use serde_json::Value;

const ROWS: [&str; 9] = [
    "............",
    ".@@@@@@@@@..",
    ".........@..",
    ".@@@@@@@.@..",
    ".@.....@.@..",
    ".@.@@@.@.@..",
    ".@...@.@.@..",
    ".@@@.@...@..",
    ".....@@@@@..",
];

type Cell = (i64, i64);

fn is_open((column, row): Cell) -> bool {
    let row = usize::try_from(row).ok().and_then(|row| ROWS.get(row));
    let letter = row.zip(usize::try_from(column).ok()).and_then(|(row, at)| row.as_bytes().get(at));
    letter == Some(&b'.')
}

/// The middle of a hexagon in half widths and in rows; neighbours are 2 apart in their row, or one
/// half to the side in the next row.
fn middle((column, row): Cell) -> Cell {
    (2 * column + row.rem_euclid(2), row)
}

fn touch(a: Cell, b: Cell) -> bool {
    let ((ax, ay), (bx, by)) = (middle(a), middle(b));
    matches!(((ax - bx).abs(), (ay - by).abs()), (2, 0) | (1, 1))
}

/// The fewest steps to every hexagon, by a flood that looks at all of them.
fn flood(from: Cell) -> BTreeMap<Cell, usize> {
    let all: Vec<Cell> =
        (0..9).flat_map(|y| (0..12).map(move |x| (x, y))).filter(|&cell| is_open(cell)).collect();
    let mut steps = BTreeMap::from([(from, 0)]);
    let mut wave = VecDeque::from([from]);
    while let Some(at) = wave.pop_front() {
        for &next in all.iter().filter(|&&next| touch(at, next)) {
            if !steps.contains_key(&next) {
                steps.insert(next, steps[&at] + 1);
                wave.push_back(next);
            }
        }
    }
    steps
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let rows = ROWS.join("\n");
    folder.write("maze.map", format!("type octile\nheight 9\nwidth 12\nmap\n{rows}\n"));
    folder
}

#[test]
fn ways_over_hexagons_take_the_fewest_steps() {
    let folder = folder("hexagons");
    let from = (4, 6);
    let fewest = flood(from);
    let names =
        ["dijkstra", "astar-octile", "astar-euclid", "landmarks", "split", "hops", "greedy"];
    for (&(x, y), &steps) in fewest.iter().step_by(7) {
        for name in names {
            let to = format!("{x},{y}");
            let args = ["path", "maze.map", "--hexagons", "--cell", "2", "--json", "-"];
            let ends = ["--from", "4,6", "--to", &to, "--navigator", name];
            let done = folder.fine(&[&args[..], &ends[..]].concat());
            let answer: Value = serde_json::from_str(&done.out).unwrap();
            let cells: Vec<Cell> = serde_json::from_value(answer["cells"].clone()).unwrap();
            assert_eq!((cells.first(), cells.last()), (Some(&from), Some(&(x, y))), "{answer}");
            assert!(cells.iter().all(|&cell| is_open(cell)), "{answer}");
            assert!(cells.windows(2).all(|pair| touch(pair[0], pair[1])), "{answer}");
            assert!(name == "greedy" || cells.len() == steps + 1, "{name}: {answer}");
            // Lengths in metres: a hexagon is 2 m wide.
            let metres = |key: &str| answer[key].as_f64().unwrap();
            assert!((metres("length_m") - 2.0 * (cells.len() - 1) as f64).abs() < 1e-9, "{answer}");
            assert!((metres("shortest_m") - 2.0 * steps as f64).abs() < 1e-9, "{answer}");
        }
    }
}

#[test]
fn the_way_is_told_and_drawn() {
    let folder = folder("hexagons-told");
    let args = ["path", "maze.map", "--hexagons", "--from", "4,6", "--to", "11,8"];
    let done = folder.fine(&[&args[..], &["--picture", "way.png"]].concat());
    let steps = flood((4, 6))[&(11, 8)];
    let told = format!("astar-octile: {steps}.00 m from 4,6 to 11,8");
    assert!(done.text().contains(&told), "{}", done.out);
    let image = image::load_from_memory(&folder.read("way.png")).unwrap().to_rgb8();
    // 12.5 widths by 9 rows.
    assert!(image.width() >= 500 && image.height() > 300, "{:?}", image.dimensions());
    // By squares there is another way.
    let done = folder.fine(&["path", "maze.map", "--from", "4.5,6.5", "--to", "11.5,8.5"]);
    assert!(!done.text().contains(&told), "{}", done.out);
}

#[test]
fn what_hexagons_cannot_do_is_refused() {
    let folder = folder("hexagons-bad");
    let bad = |more: &[&str], words: &[&str]| {
        folder.bad(&[&["path", "maze.map", "--hexagons"], more].concat(), words);
    };
    let ends = ["--from", "0,0", "--to", "11,8"];
    let with = |more: &[&'static str]| [&ends[..], more].concat();
    bad(&with(&["--navigator", "jump"]), &["--navigator", "jump", "on hexagons only dijkstra"]);
    bad(&with(&["--radius", "0.3"]), &["--radius", "0.3", "no size"]);
    bad(&["--from", "0.5,0", "--to", "1,0"], &["--from", "0.5,0", "whole numbers"]);
    bad(&["--from", "0,0", "--to", "12,0"], &["--to", "12,0", "12 columns and 9 rows"]);
    bad(&["--from", "0,0", "--to", "-1,0"], &["--to", "-1,0", "12 columns"]);
    bad(&["--from", "1,1", "--to", "0,0"], &["--from", "1,1", "a wall"]);
    let walled = "type octile\nheight 1\nwidth 3\nmap\n.@.\n";
    folder.write("walled.map", walled);
    let args = ["path", "walled.map", "--hexagons", "--from", "0,0", "--to", "2,0"];
    let done = folder.run(&args);
    assert!(done.code == Some(1) && done.text().contains("there is no way"), "{done:?}");
}
