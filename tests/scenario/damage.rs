//! Files that are no scenario, several mistakes at once, damage, and overrides out of range.

use crate::common::scenarios::plan;
use crate::errors::{GROUP, MAP, TOP};
use throng::scenario::{OverrideError, Overrides, Plan, ScenarioDef};

/// Checks place and words of the first problem.
fn refused(text: &str, at: (u32, u32), wrong: &str, expected: &str) {
    let error = plan(text).expect_err(wrong);
    let first = error.first();
    assert_eq!((first.line, first.column), at, "{error}");
    assert!(first.wrong.contains(wrong) && first.expected.contains(expected), "{error}");
}

#[test]
fn files_that_are_no_scenario() {
    refused("", (1, 1), "the file is empty", "at least `ticks`");
    refused(" \n\t\n", (1, 1), "the file is empty", "at least `ticks`");
    refused("{}", (1, 1), "", "");
    refused("ticks = 100\n[map\nsize = [1, 1]", (2, 5), "unclosed table", "");
    refused("ticks = 100\n[map]\nsize = [1, 1", (3, 13), "ends too early", "");
    let nested = format!("ticks = {}1{}", "[".repeat(500), "]".repeat(500));
    refused(&nested, (1, 89), "max recursion depth", "");
    let huge = format!("# {}", "x".repeat(8 << 20));
    refused(&huge, (1, 1), "8388610 bytes", "at most 8,388,608");

    let wall = "{ rect = [0, 0, 2048, 2048] }, ".repeat(5000);
    let walls = format!("{TOP}[map]\nsize = [2048, 2048]\nwalls = [{wall}]\n{GROUP}");
    let column = 10 + 31 * ((1_u64 << 33) / (2049 * 2049)) as u32;
    refused(&walls, (4, column), "too many for a map of this size", "fewer or smaller shapes");
    let binary = [b"ticks = 5\n".as_slice(), &[0xFF, 0x00, 0x9C]].concat();
    let error = ScenarioDef::from_bytes(&binary, "bad.toml").unwrap_err();
    assert_eq!((error.first().line, error.first().column), (2, 1));
    assert!(error.to_string().contains("byte 10 of the file, 0xff, is not text"), "{error}");
    let zeros = ScenarioDef::parse(&"\0".repeat(100), "bad.toml").unwrap_err();
    assert_eq!((zeros.first().line, zeros.first().column), (1, 1));
    let marked = ScenarioDef::from_bytes(
        format!("\u{FEFF}{TOP}{MAP}{GROUP}").replace('\n', "\r\n").as_bytes(),
        "windows.toml",
    );
    assert_eq!(marked.unwrap().name, "windows");
}

#[test]
fn all_problems_are_listed_in_the_order_of_the_file() {
    let text = format!("{TOP}[map]\nsize = [4, 4]\ncell = -1\n{GROUP}sped = 3\nradius = -1\n");
    let error = ScenarioDef::parse(&text, "bad.toml").unwrap_err();
    let keys: Vec<&str> = error.problems.iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["map.cell", "group[0].sped", "group[0].radius"]);
    assert_eq!(
        error.to_string().lines().collect::<Vec<_>>(),
        [
            "bad.toml:4:8: key `map.cell`: -1 is below 0.1; expected the side of a cell in \
             metres, 0.1 to 100",
            "bad.toml:8:1: key `group[0].sped`: there is no such key; expected `speed`, if that \
             is what you meant",
            "bad.toml:9:10: key `group[0].radius`: -1 is below 0.05; expected a radius in metres, \
             0.05 to 50",
        ]
    );
    assert_eq!(error.first().found, "-1");
    assert_eq!(&text[error.first().span.clone()], "-1");
    // A misspelt key is not reported again as missing.
    let error = plan(&format!("tiks = 5\n{MAP}{GROUP}")).unwrap_err();
    assert_eq!(error.problems.len(), 1, "{error}");
    // What goes wrong only later in the file does not hide behind it.
    let error = plan(&format!("{TOP}{MAP}{GROUP}goal = {{ point = [99, 0] }}\n")).unwrap_err();
    assert_eq!((error.problems.len(), error.first().line), (1, 7), "{error}");
}

#[test]
fn overrides_out_of_range() {
    let text = format!("{TOP}{MAP}{GROUP}[[group]]\nname = \"late\"\n");
    let def = ScenarioDef::parse(&text, "good.toml").unwrap();
    let with = |overrides: Overrides| def.clone().apply(&overrides).unwrap_err();
    let agents = |n| Overrides { agents: Some(n), ..Overrides::default() };
    assert_eq!(with(agents(0)), OverrideError::TooFew { asked: 0, spawns: 1 });
    assert_eq!(with(agents(u64::MAX)), OverrideError::TooMany { agents: u64::MAX });
    let ticks = |n| Overrides { ticks: Some(n), ..Overrides::default() };
    assert_eq!(with(ticks(0)), OverrideError::Ticks { asked: 0 });
    assert_eq!(with(ticks(u64::MAX)), OverrideError::Ticks { asked: u64::MAX });
    assert_eq!(
        with(Overrides { map: Some(" ".into()), ..Overrides::default() }),
        OverrideError::Map
    );
}

/// Every radius of its own costs a pass over the map, and memory for each of its cells.
#[test]
fn too_many_radii_for_a_map_are_refused() {
    let radius = |i: u32| 0.6 + f64::from(i) / 200.0;
    let group = |i: u32| format!("[[group]]\nname = \"g{i}\"\nradius = {}\n", radius(i));
    let groups: String = (0..600).map(group).collect();
    let spawn = "spawn = [{ rect = [1, 1, 9, 9], count = 1 }]\n";
    let text = format!("{TOP}[map]\nsize = [2048, 2048]\n{groups}{spawn}");
    refused(&text, (3 + 3 * 32 + 3, 10), "600 different radii or costs", "at most 32");
}

/// Cut anywhere, with a byte flipped anywhere: an answer, never a panic.
#[test]
fn damaged_files_do_not_panic() {
    let small = throng::scenario::builtin("small").unwrap().text;
    for end in 0..small.len() {
        if let Ok(def) = ScenarioDef::from_bytes(&small.as_bytes()[..end], "cut.toml")
            && let Ok(map) = def.load_map(&|_| Ok(Vec::new()))
        {
            let _ = Plan::new(&def, map);
        }
    }
    for at in 0..small.len() {
        for byte in [b'"', b'9', b'-', b'[', 0xC3] {
            let mut damaged = small.as_bytes().to_vec();
            damaged[at] = byte;
            let _ = ScenarioDef::from_bytes(&damaged, "damaged.toml");
        }
    }
}
