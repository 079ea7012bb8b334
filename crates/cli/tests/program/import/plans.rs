//! Floor plans.

use crate::import::{is_wall, map};
use crate::running::Folder;

/// A hall of 28 m × 18 m drawn in centimetres, with a wall and a door in the middle.
pub(crate) const FLOOR: &str = include_str!("floor.svg");

#[test]
fn dark_things_of_a_drawing_are_walls() {
    let folder = Folder::new("import-svg");
    folder.write("floor.svg", FLOOR);
    let all = ["import", "floor.svg", "--scale", "0.01", "--cell", "0.1"];
    let done = folder.fine(&[&all[..], &["--layer", "walls", "-o", "floor.png"]].concat());
    assert!(done.out.contains("file = \"floor.png\"\n"), "{}", done.out);
    assert!(done.text().contains("note: 1 text in it is no wall"), "{}", done.err);
    let ground = map(&folder, "floor.png", 0.1);
    // The outer edge of the wall around it, which is 0.4 m thick, is at (0.8, 0.8).
    assert_eq!([ground.width(), ground.height()], [284, 184]);
    let walls = |at: [f64; 2]| is_wall(&ground, at[0] - 0.8, at[1] - 0.8);
    for (at, wall) in [
        ([1.0, 5.0], true),
        ([1.3, 5.0], false),
        ([15.0, 3.0], true),
        ([15.0, 7.9], true),
        ([15.0, 8.5], false),
        ([15.0, 9.5], false),
        ([15.0, 10.1], true),
        ([18.0, 10.02], true),
        ([18.0, 10.3], false),
        ([22.01, 12.0], true),
        ([8.5, 5.0], true),
        ([8.7, 5.0], false),
        ([11.0, 19.0], false),
        ([9.0, 19.0], true),
        ([7.0, 13.0], false),
        ([25.0, 16.0], true),
        ([24.05, 15.05], true),
        ([23.9, 16.0], false),
        ([26.1, 16.9], false),
        ([15.0, 4.05], true),
    ] {
        assert_eq!(walls(at), wall, "{at:?}");
    }
    // Without a layer, the sofa is a wall too; the light paper is none.
    folder.fine(&[&all[..], &["-o", "all.png"]].concat());
    let ground = map(&folder, "all.png", 0.1);
    assert!(is_wall(&ground, 7.0 - 0.8, 13.0 - 0.8) && !is_wall(&ground, 4.0, 4.0));
    // An id and a class are layers as well.
    for (layer, walls) in [("furniture", [false, true]), ("thick", [true, false])] {
        folder.fine(&[&all[..], &["--layer", layer, "-o", "one.png"]].concat());
        let ground = map(&folder, "one.png", 0.1);
        assert_eq!(is_wall(&ground, 0.1, 0.1), layer == "thick" || walls[1], "{layer}");
        assert_eq!(ground.width(), if layer == "thick" { 284 } else { 50 });
    }
    // A line of 2 cm is as thick as is wanted.
    let wide = ["--layer", "walls", "--line-width", "0.5", "-o", "wide.png"];
    folder.fine(&[&all[..], &wide[..]].concat());
    let ground = map(&folder, "wide.png", 0.1);
    let across = |y: f64| is_wall(&ground, 18.0 - 0.75, y - 0.75);
    assert!(across(9.8) && across(10.2) && !across(9.7 - 0.05) && !across(10.35));
    folder.fine(&["check", "floor.png", "--cell", "0.1", "--picture", "check.png"]);
}

#[test]
fn bad_drawings_are_told_with_their_lines() {
    let folder = Folder::new("import-svg-bad");
    let deep = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}", "<g>".repeat(100_000));
    let closed = format!("{deep}{}</svg>", "</g>".repeat(100_000));
    let few = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\">{}{}</svg>",
        "<g>".repeat(2_000),
        "</g>".repeat(2_000)
    );
    let one = |inner: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\n{inner}</svg>")
    };
    let cases = [
        (FLOOR[..700].to_owned(), vec!["line", "it is no XML"]),
        (one("<path d=\"M0 0 L NaN 3\" stroke=\"#000\"/>"), vec!["line 2", "NaN 3", "no number"]),
        (one("<polygon points=\"0,0 inf,3\"/>"), vec!["line 2", "inf,3"]),
        (one("<rect width=\"0\" height=\"5\"/>"), vec!["nothing in it is a wall"]),
        (one("<rect width=\"5\" height=\"5\" fill=\"#fff\"/>"), vec!["nothing in it is a wall"]),
        (one("<rect width=\"1e9\" height=\"5\"/>"), vec!["drawn at 1000000000 m"]),
        (one("<rect x=\"1e30\" width=\"1\" height=\"5\"/>"), vec!["bad.svg"]),
        ("<html/>".to_owned(), vec!["line 1, column 1", "`<html>`"]),
        (few, vec!["inside more than 1000 others"]),
        (closed, vec!["bad.svg"]),
        (deep, vec!["bad.svg"]),
    ];
    for (text, words) in cases {
        folder.write("bad.svg", text);
        folder.bad(&["import", "bad.svg", "--scale", "1", "-o", "bad.png"], &words);
        assert!(!folder.path("bad.png").exists(), "{words:?}");
    }
    folder.write("floor.svg", FLOOR);
    let import = ["import", "floor.svg", "-o", "bad.png"];
    for (more, words) in [
        (&[][..], vec!["how large its units are", "--scale"]),
        (&["--scale", "0"], vec!["--scale", "0.000001"]),
        (&["--scale", "nan"], vec!["--scale"]),
        (&["--scale", "0.01", "--cell", "0.01"], vec!["--cell", "0.1 to 100"]),
        (&["--scale", "0.01", "--layer", "roof"], vec!["no layer `roof`", "walls", "furniture"]),
        (&["--scale", "0.01", "--line-width", "-1"], vec!["--line-width"]),
        (&["--scale", "1000"], vec!["16384"]),
    ] {
        folder.bad(&[&import[..], more].concat(), &words);
    }
    folder.bad(&["import", "floor.svg", "--scale", "1", "-o", "x.toml"], &["x.toml", "`.png`"]);
    folder.write("corner.scenario", super::vadere::CORNER);
    folder.bad(&["import", "corner.scenario", "--scale", "1"], &["--scale", "in metres"]);
    folder.write("floor.dwg", "AC1027");
    folder.bad(&["import", "floor.dwg"], &["floor.dwg", ".scenario, .json, .svg or .wkt"]);
}
