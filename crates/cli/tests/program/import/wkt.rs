//! Geometries of JuPedSim.

use crate::import::{is_wall, map};
use crate::running::Folder;

/// A room of 20 m × 10 m from (100, -4), y up, with a corridor at its upper right, a pillar, and a screen of
/// 2 cm that is thinner than a cell; and a second room that it touches.
const HALL: &str = "GEOMETRYCOLLECTION (\n\
    POLYGON ((100 -4, 120 -4, 120 4, 130 4, 130 6, 100 6, 100 -4),\n\
    (103 0, 105 0, 105 2, 103 2, 103 0), (110 -3, 110.02 -3, 110.02 3, 110 3, 110 -3)),\n\
    POLYGON ((120 -4, 125 -4, 125 0, 120 0, 120 -4)))";

#[test]
fn a_geometry_looks_as_in_jupedsim() {
    let folder = Folder::new("import-wkt");
    folder.write("hall.wkt", HALL);
    let done = folder.fine(&["import", "hall.wkt", "--cell", "0.1", "-o", "hall.png"]);
    let text = "2 polygons, 2 holes\n(0, 0) is (100, 6) of the file, whose y goes up\n\
        300 × 100 cells of 0.1 m\nmap: hall.png\n  file = \"hall.png\"\n  cell = 0.1\n";
    assert_eq!(done.out, text);
    let ground = map(&folder, "hall.png", 0.1);
    let wall = |[x, y]: [f64; 2]| is_wall(&ground, x - 100.0, 6.0 - y);
    for (at, expected) in [
        ([100.05, 5.95], false),
        ([104.0, 1.0], true),
        ([102.95, 1.0], false),
        ([104.0, 2.05], false),
        ([129.9, 5.0], false),
        ([129.9, 3.95], true),
        ([119.95, -3.0], false),
        ([120.05, -3.0], false),
        ([124.0, 0.05], true),
        ([126.0, -3.0], true),
    ] {
        assert_eq!(wall(at), expected, "{at:?}");
    }
    // Nobody walks through the screen.
    for step in 0..60 {
        let y = -2.95 + f64::from(step) * 0.1;
        assert!(wall([109.95, y]) || wall([110.05, y]), "{y}");
    }
    folder.fine(&["check", "hall.png", "--cell", "0.1", "--picture", "check.png"]);
    // Cells of 0.1 m are usual, and a folder of its own.
    folder.fine(&["import", "hall.wkt"]);
    assert_eq!(map(&folder, "out/hall.png", 0.1).width(), 300);
}

#[test]
fn bad_geometries_are_told_with_their_lines() {
    let folder = Folder::new("import-wkt-bad");
    for (text, words) in [
        (
            HALL.replace("130 6", "130 six"),
            vec!["line 2, column 45", "`six, 100 6", "well-known text"],
        ),
        (HALL.replace(", 100 -4),", "),"), vec!["line 2", "does not end where it begins"]),
        ("POLYGON EMPTY".to_owned(), vec!["line 1", "has no polygon"]),
        ("LINESTRING (0 0, 1 1)".to_owned(), vec!["line 1, column 1", "POLYGON"]),
        (HALL.replace("130", "13000"), vec!["16384", "--cell"]),
    ] {
        folder.write("bad.wkt", text);
        let words = [&["bad.wkt"][..], &words].concat();
        folder.bad(&["import", "bad.wkt", "--cell", "0.1", "-o", "bad.png"], &words);
        assert!(!folder.path("bad.png").exists(), "{words:?}");
    }
    folder.write("hall.wkt", HALL);
    for more in [&["--scale", "1"], &["--layer", "walls"], &["--line-width", "1"]] {
        folder.bad(&[&["import", "hall.wkt"][..], more].concat(), &[more[0], "in metres"]);
    }
    folder.bad(&["import", "hall.wkt", "-o", "x.toml"], &["x.toml", "`.png`"]);
}
