//! Mesh files: read and written, refused with line and value, never a panic.

use crate::common::mesh_ground::Ground;
use crate::common::terrain::Random;
use crate::common::{data, mesh_rows};
use proptest::prelude::*;
use std::fs;
use throng::graph::NONE;
use throng::graph::mesh::{
    ExactSearch, FunnelSearch, Locator, Mesh, MeshFileError, MeshPath, RelaxedSearch,
};

/// The example of the format's description.
const EXAMPLE: &str = "mesh\n2\n4 2\n0.0 0.0 2 0 -1\n1.5 0.0 3 0 1 -1\n1.5 1.5 2 1 -1\n\
    0.0 1.5 3 -1 1 0\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";

#[test]
fn the_example_is_read_and_written() {
    let mesh = Mesh::parse(EXAMPLE.as_bytes()).unwrap();
    assert_eq!(mesh.points(), [[0.0, 0.0], [1.5, 0.0], [1.5, 1.5], [0.0, 1.5]]);
    assert_eq!((mesh.corners(0), mesh.corners(1)), (&[0, 1, 3][..], &[1, 2, 3][..]));
    assert_eq!((mesh.across(0), mesh.across(1)), (&[NONE, 1, NONE][..], &[NONE, NONE, 0][..]));
    // Counter-clockwise with y upwards, as the files of game maps have it; the example has it as
    // it draws it, with y downwards.
    let expected = "mesh\n2\n4 2\n0 0 2 0 -1\n1.5 0 3 0 -1 1\n1.5 1.5 2 1 -1\n\
        0 1.5 3 0 1 -1\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";
    let written = mesh.to_file();
    assert_eq!(written, expected);
    assert_eq!(Mesh::parse(written.as_bytes()).unwrap(), mesh);
}

#[test]
fn game_meshes_come_back_from_files() {
    let Some(folder) = mesh_rows::folder() else { return };
    for path in data::files(&folder, "mesh") {
        let bytes = fs::read(&path).unwrap();
        let mesh = Mesh::parse(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let written = mesh.to_file();
        let again = Mesh::parse(written.as_bytes()).unwrap();
        assert_eq!(again, mesh, "{}", path.display());
        assert_eq!(again.to_file(), written, "{}", path.display());
        // The polygons around points, as the file has them but for where each list starts.
        let (own, given) = (around(&written), around(std::str::from_utf8(&bytes).unwrap()));
        assert_eq!(own.len(), given.len());
        let (count, same) = (own.len(), own.iter().zip(&given).filter(|(a, b)| a == b).count());
        // Where walls meet in a point the order of the walls is one's own.
        let free = usize::from(path.ends_with("bad-ambig.mesh"));
        assert_eq!(same, count - free, "{}", path.display());
    }
}

/// The polygons around every point, from the lowest on.
fn around(text: &str) -> Vec<Vec<i64>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut at = 4;
    let mut lists = Vec::new();
    for _ in 0..words[2].parse::<u32>().unwrap() {
        let count: usize = words[at + 2].parse().unwrap();
        let list = &words[at + 3..at + 3 + count];
        let mut list: Vec<i64> = list.iter().map(|word| word.parse().unwrap()).collect();
        let lowest = *list.iter().filter(|&&polygon| polygon >= 0).min().expect("a polygon");
        let start = list.iter().position(|&polygon| polygon == lowest).unwrap();
        list.rotate_left(start);
        lists.push(list);
        at += 3 + count;
    }
    lists
}

/// The error of the example with one part replaced.
fn refused(from: &str, to: &str) -> String {
    assert!(EXAMPLE.contains(from));
    Mesh::parse(EXAMPLE.replacen(from, to, 1).as_bytes()).expect_err(to).to_string()
}

#[test]
fn a_bad_file_is_refused_with_line_and_value() {
    let cases = [
        (("mesh", "map"), "line 1: `m` is no good as the header \"mesh\""),
        (("mesh\n2", "mesh\n1"), "line 2: `1` is no good as the version 2"),
        (("4 2\n", "4000000000 2\n"), "line 3: 4000000000 is too large for the number of points"),
        (("4 2\n", "4 900\n"), "line 3: 900 is too large for the number of polygons"),
        (("4 2\n", "x 2\n"), "line 3: `x` is no good as the number of points"),
        (("4 2\n", "-4 2\n"), "line 3: `-4` is no good as the number of points"),
        (("1.5 0.0 3", "1.5 nan 3"), "line 5: `n` is no good as y"),
        (("1.5 0.0 3", "inf 0.0 3"), "line 5: `i` is no good as x"),
        (("1.5 0.0 3", "1.5 1e7 3"), "line 5: `1e7` is no good as y"),
        (("3 0 1 -1", "9000 0 1 -1"), "line 5: 9000 is too large for a number of polygons around"),
        (("3 0 1 -1", "3 0 2 -1"), "line 5: 2 is too large for the number of a polygon around"),
        (
            ("3 0 1 -1", "2 0 -1"),
            "line 5: point 1 does not list the polygons it is a corner of: [0, 1]",
        ),
        (
            ("2 1 -1\n", "3 1 0 -1\n"),
            "line 6: point 2 does not list the polygons it is a corner of: [1]",
        ),
        (
            ("3 0 1 3 -1", "3 0 1 4 -1"),
            "line 8: 4 is too large for a point's number; the largest is 3",
        ),
        (
            ("3 0 1 3 -1", "3 0 3 1 -1"),
            "line 8: polygon 0 is not convex and counter-clockwise at point",
        ),
        (("-1 -1 1\n", "-1 1 -1\n"), "line 8: polygon 0 has 1 across the edge from point 0 to 1"),
        (("-1 -1 1\n", "-1 -1 -1\n"), "line 9: polygon 1 has 0 across the edge from point 3 to 1"),
        (
            ("-1 -1 1\n", "-1 -1 7\n"),
            "line 8: 7 is too large for a polygon's number; the largest is 1",
        ),
        (("3 0 1 3 -1 -1 1", "2 0 1 -1 -1"), "line 8: polygon 0 has 2 corners"),
        (("0 -1 -1\n", "0 -1"), "line 9: the file ends where a polygon's number is expected"),
        (("0 -1 -1\n", "0 -1 -1 5\n"), "line 9: `5` after the last polygon"),
    ];
    for ((from, to), expected) in cases {
        let error = refused(from, to);
        assert!(error.starts_with(expected), "{from:?} as {to:?}: {error}");
    }
    let nothing = Mesh::parse(b"mesh\n2\n0 0\n").unwrap();
    assert_eq!((nothing.polygon_count(), nothing.to_file().as_str()), (0, "mesh\n2\n0 0\n"));
    let error = Mesh::parse(b"mesh\n2\n0 1\n3 0 0 0 -1 -1 -1\n").unwrap_err();
    assert!(matches!(error, MeshFileError::Value { line: 4, .. }), "{error}");
}

#[test]
fn small_maps_come_back_from_files() {
    for seed in 0..50 {
        let ground = Ground::noise(9, 7, 30, seed);
        for mesh in [ground.cells(), ground.runs()] {
            let text = mesh.to_file();
            let again = Mesh::parse(text.as_bytes()).unwrap();
            assert_eq!((&again, again.to_file()), (&mesh, text));
        }
    }
}

/// Looks for ways: polygons may lie over each other, and still nothing panics or goes on for ever.
fn search(mesh: &Mesh, random: &mut Random) {
    let locator = Locator::new(mesh);
    let mut path = MeshPath::default();
    for _ in 0..4 {
        let mut place = || match mesh.polygon_count() {
            0 => [0.0; 2],
            count => mesh.centre(random.below(count)),
        };
        let (start, goal) = (place(), place());
        let funnel = FunnelSearch::default().find(mesh, &locator, start, goal, &mut path);
        assert!(!funnel || path.length.is_finite());
        let exact = ExactSearch::default().find(mesh, &locator, start, goal, &mut path);
        assert!(!exact || path.length.is_finite());
        RelaxedSearch::default().find(mesh, &locator, start, goal, &mut path);
    }
}

proptest! {
    #![proptest_config(crate::common::cases(2_000))]
    #[test]
    fn no_file_makes_the_reader_panic(seed: u64, changes in 1..6_u32) {
        let mut random = Random(seed);
        let ground = Ground::noise(4, 3, 20, seed % 8);
        let text = if seed % 2 == 0 { EXAMPLE.to_owned() } else { ground.cells().to_file() };
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let other = [
            "-1", "0", "1", "3", "1e9", "-0", "4294967295", "18446744073709551616", "", "\n", "\u{e9}",
        ];
        for _ in 0..changes {
            let at = random.below(words.len() as u32) as usize;
            match random.below(4) {
                0 => { words.remove(at); }
                1 => words.insert(at, other[random.below(11) as usize].to_owned()),
                2 => words.truncate(at.max(1)),
                _ => words[at] = other[random.below(11) as usize].to_owned(),
            }
            if words.is_empty() { words.push(String::new()); }
        }
        if let Ok(mesh) = Mesh::parse(words.join(" ").as_bytes()) {
            mesh.check().unwrap();
            search(&mesh, &mut random);
            prop_assert_eq!(Mesh::parse(mesh.to_file().as_bytes()).unwrap(), mesh);
        }
    }
}
