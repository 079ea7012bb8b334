//! Scenarios of Vadere.

use serde_json::Value;

use crate::import::{is_wall, map};
use crate::running::Folder;

/// Bounds from (100, 50), 24 m × 16 m: two sources, one of them by way of another target, an obstacle of
/// each kind, one of 5 cm.
pub(crate) const CORNER: &str = include_str!("corner.scenario");

#[test]
fn a_scenario_is_taken_over_and_runs() {
    let folder = Folder::new("import-vadere");
    folder.write("corner.scenario", CORNER);
    let done = folder.fine(&["import", "corner.scenario", "--cell", "0.2", "-o", "corner.toml"]);
    assert!(done.out.contains("3 obstacles, 2 sources, 2 targets, 1 agent"), "{}", done.out);
    for note in ["stairs 30: level ground", "target 11: nobody waits", "source 2: all come alone"] {
        assert!(done.text().contains(note), "{}", done.err);
    }
    let ground = map(&folder, "corner.png", 0.2);
    assert_eq!([ground.width(), ground.height()], [120, 80]);
    // A point of the file is at x − 100 and 66 − y.
    for (x, y, wall) in [
        (101.0, 55.0, true),
        (113.9, 65.0, true),
        (114.3, 60.0, false),
        (101.0, 52.0, false),
        (118.0, 58.3, true),
        (117.2, 59.8, false),
        (100.3, 52.0, true),
        (123.7, 57.0, true),
        (118.0, 50.3, true),
        (118.0, 51.0, false),
    ] {
        assert_eq!(is_wall(&ground, x - 100.0, 66.0 - y), wall, "{x}, {y}");
    }
    // The obstacle of 5 cm is one cell thick, without a gap.
    for step in 0..60 {
        let x = 4.05 + f64::from(step) * 0.1;
        let thick = (0..10).filter(|row| is_wall(&ground, x, 12.9 + f64::from(*row) * 0.2 + 0.05));
        assert_eq!(thick.count(), 1, "{x}");
    }
    folder.fine(&["check", "corner.toml", "--picture", "check.png"]);
    folder.fine(&["run", "corner.toml", "--json", "run.json", "--measure", "m", "-q"]);
    let run: Value = serde_json::from_slice(&folder.read("run.json")).unwrap();
    let came = |i: usize| run["traffic"]["sources"][i]["entered"].as_u64().unwrap();
    // Four at 0, 5, … 30 s; at most twelve; and one that is there from the beginning.
    assert_eq!(came(0), 28, "{}", run["traffic"]);
    assert_eq!(came(1), 12, "{}", run["traffic"]);
    assert_eq!(run["left"].as_u64(), Some(41), "{}", run["traffic"]);
    let measures = folder.read("m/measures.json");
    assert!(String::from_utf8(measures).unwrap().contains("\"area 20\""));
}

/// Agents that have two targets come to the first before they leave by the second.
#[test]
fn targets_are_gone_to_in_turn() {
    let folder = Folder::new("import-turn");
    folder.write("corner.scenario", CORNER);
    folder.fine(&["import", "corner.scenario", "--cell", "0.2", "-o", "corner.toml"]);
    folder.fine(&["run", "corner.toml", "--trajectories", "all.csv", "-q"]);
    let rows = String::from_utf8(folder.read("all.csv")).unwrap();
    let mut last = std::collections::BTreeMap::new();
    let mut near = std::collections::BTreeSet::new();
    for row in rows.lines().skip(1).filter(|row| row.contains("to 11, 10")) {
        let numbers: Vec<f64> = row.split(',').take(5).map(|n| n.parse().unwrap()).collect();
        let (id, x, y) = (numbers[0] as u64, numbers[3], numbers[4]);
        // The kiosk is a disc of 1 m around (21.5, 13).
        if (x - 21.5) * (x - 21.5) + (y - 13.0) * (y - 13.0) < 1.5 * 1.5 {
            near.insert(id);
        }
        last.insert(id, y);
    }
    assert_eq!([near.len(), last.len()], [12, 12]);
    assert!(last.values().all(|y| *y < 2.5), "they leave at the top: {last:?}");
}

/// Files of older releases have other names for the same things.
#[test]
fn older_releases_say_the_same() {
    let folder = Folder::new("import-older");
    let mut file: Value = serde_json::from_str(CORNER).unwrap();
    let scenario = file.as_object_mut().unwrap().remove("scenario").unwrap();
    file["vadere"] = scenario;
    let topography = &mut file["vadere"]["topography"];
    for (i, distribution) in [(0, "ConstantDistribution"), (1, "PoissonDistribution")] {
        let source = &mut topography["sources"][i];
        let spawner = source.as_object_mut().unwrap().remove("spawner").unwrap();
        source["interSpawnTimeDistribution"] =
            format!("org.vadere.state.scenario.{distribution}").into();
        source["distributionParameters"] = serde_json::json!([if i == 0 { 5.0 } else { 0.5 }]);
        source["spawnNumber"] = spawner["eventElementCount"].clone();
        source["maxSpawnNumberTotal"] = spawner["constraintsElementsMax"].clone();
        source["startTime"] = spawner["constraintsTimeStart"].clone();
        source["endTime"] = spawner["constraintsTimeEnd"].clone();
    }
    for target in topography["targets"].as_array_mut().unwrap() {
        let target = target.as_object_mut().unwrap();
        let absorbs = target.remove("absorber").unwrap()["enabled"].clone();
        let waits = target.remove("waiter").unwrap()["enabled"] == true;
        target.insert("absorbing".to_owned(), absorbs);
        target.insert("waitingTime".to_owned(), if waits { 5.0 } else { 0.0 }.into());
    }
    folder.write("new.scenario", CORNER);
    folder.write("old.json", file.to_string());
    for (name, out) in [("new.scenario", "new.toml"), ("old.json", "old.toml")] {
        folder.fine(&["import", name, "-o", out]);
    }
    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let rest = |name: &str| {
        let text = text(name);
        let from = text.find("name = ").unwrap();
        text[from..].replace("old.png", "new.png")
    };
    assert_eq!(rest("old.toml"), rest("new.toml"));
    assert_eq!(folder.read("old.png"), folder.read("new.png"));
}

#[test]
fn distributions_become_rates_and_batches() {
    let folder = Folder::new("import-streams");
    let cases = [
        ("Constant", "\"updateFrequency\": 0.5", "rate = 2\nstart = 2\nend = 60\ncount = 12\n"),
        ("Constant", "\"updateFrequency\": 20", "batches = [[2, 1], [22, 1], [42, 1]]\ncount"),
        (
            "NegativeExponential",
            "\"mean\": 4",
            "rate = 0.25\npoisson = true\nstart = 2\nend = 60\n",
        ),
        ("SingleSpawn", "\"spawnTime\": 9", "batches = [[2, 1], [9, 1]]\n"),
        (
            "TimeSeries",
            "\"intervalLength\": 5, \"spawnsPerInterval\": [5, 0, 10]",
            "rate = [[2, 1], [7, 0], [12, 2], [17, 0]]\n",
        ),
        (
            "LinearInterpolation",
            "\"spawnFrequency\": 2, \"xValues\": [0, 10, 20], \"yValues\": [0, 4, 4]",
            "rate = [[2, 1], [12, 2], [22, 2]]\n",
        ),
        ("Normal", "\"mean\": 5, \"sd\": 1", "rate = 0.2\nstart = 2\n"),
        ("Binomial", "\"trials\": 10, \"p\": 0.4", "rate = 0.25\nstart = 2\n"),
        ("Empirical", "\"values\": [1, 3, 8]", "rate = 0.25\nstart = 2\n"),
    ];
    for (kind, numbers, expected) in cases {
        let poisson = "AttributesPoissonDistribution\",\n            \"numberPedsPerSecond\" : 0.5";
        let other = format!("Attributes{kind}Distribution\",\n {numbers}");
        folder.write("s.scenario", replaced(poisson, &other));
        folder.fine(&["import", "s.scenario", "-o", "s.toml"]);
        let text = String::from_utf8(folder.read("s.toml")).unwrap();
        assert!(text.contains(expected), "{kind}: {text}");
    }
}

/// The file with another text in place of one that it has.
fn replaced(from: &str, to: &str) -> String {
    assert!(CORNER.contains(from), "{from}");
    CORNER.replacen(from, to, 1)
}

#[test]
fn bad_files_are_told_by_their_paths() {
    let folder = Folder::new("import-bad");
    let targets = "scenario.topography.sources[0].targetIds";
    let cases = [
        (CORNER[..900].to_owned(), vec!["line 26, column 31", "it is no JSON: EOF"]),
        (replaced("24.0", "NaN"), vec!["line 14, column 57", "it is no JSON: expected value"]),
        (replaced("24.0", "1e999"), vec!["line 14", "number out of range"]),
        (replaced("24.0", "1e300"), vec!["bounds.width", "1e+300 is no length of the map"]),
        (replaced("24.0", "-3"), vec!["bounds.width", "-3 is no length of the map", "16384"]),
        (replaced("24.0", "\"wide\""), vec!["bounds.width", "\"wide\" is no length"]),
        (
            replaced("RECTANGLE", "BLOB"),
            vec!["obstacles[0].shape.type", "\"BLOB\" is no shape", "CIRCLE or POLYGON"],
        ),
        (
            replaced("{ \"x\" : 117.0, \"y\" : 58.0 }, ", ""),
            vec!["obstacles[1].shape", "the polygon has 2 corners", "3 to"],
        ),
        (replaced("\"x\" : 117.0", "\"x\" : 1e12"), vec!["points[0].x", "no coordinate in metres"]),
        (replaced("[ 10 ]", "[ 12 ]"), vec![targets, "there is no target 12", "targets 10, 11"]),
        (replaced("[ 10 ]", "[ ]"), vec!["sources[0]", "source 1 has no target"]),
        (replaced("[ 10 ]", "[ \"a\" ]"), vec!["sources[0].targetIds[0]", "no number of a target"]),
        (replaced("PoissonD", "OddD"), vec!["spawner.distribution", "`Odd` is no distribution"]),
        (
            replaced("\"numberPedsPerSecond\" : 0.5", "\"numberPedsPerSecond\" : 1e6"),
            vec!["sources[1]", "1000000 agents a second", "10,000"],
        ),
        (replaced("\"shape\"", "\"shale\""), vec!["obstacles[0]", "there is no `shape`"]),
        (replaced("\"bounds\"", "\"bonds\""), vec!["topography.attributes", "no `bounds`"]),
        ("[]".to_owned(), vec!["there is no `attributes`"]),
        ("\u{0}".to_owned(), vec!["it is no JSON"]),
    ];
    for (text, words) in cases {
        folder.write("bad.scenario", &text);
        folder.bad(&["import", "bad.scenario", "-o", "bad.toml"], &words);
        for file in ["bad.toml", "bad.png"] {
            assert!(!folder.path(file).exists(), "{words:?}");
        }
    }
    folder.write("bad.scenario", b"\xff\xfe");
    folder.bad(&["import", "bad.scenario"], &["bad.scenario", "no text"]);
    let wall = "\"x\" : 100.7, \"y\" : 50.7, \"width\" : 2.0";
    folder.write("bad.scenario", replaced(wall, "\"x\" : 104, \"y\" : 58, \"width\" : 2.0"));
    folder.bad(&["import", "bad.scenario"], &["sources[0]", "nobody can stand in source 1"]);
}

#[test]
fn what_can_be_taken_over_in_part_is_told() {
    let folder = Folder::new("import-part");
    let triangle = "{ \"x\" : 118.0, \"y\" : 60.0 }";
    let crossing = "{ \"x\" : 117.0, \"y\" : 60.0 }, { \"x\" : 119.0, \"y\" : 60.0 }";
    let wide = "\"x\" : 121.5, \"y\" : 53.0 }, \"radius\" : 1.0";
    let cases = [
        (replaced(triangle, crossing), "obstacles[1].shape: the polygon crosses itself near (118"),
        (replaced(wide, "\"x\" : 121.5, \"y\" : 53.0 }, \"radius\" : 9.0"), "map: part.png"),
        (
            replaced("\"x\" : 114.5, \"y\" : 51.0", "\"x\" : 214.5, \"y\" : 51.0"),
            "measurementAreas[0] is left out: it lies outside",
        ),
        (replaced("\"height\" : 1.0 }", "\"height\" : 0.01 }"), "map: part.png"),
    ];
    for (text, note) in cases {
        folder.write("part.scenario", text);
        let done = folder.fine(&["import", "part.scenario", "--cell", "0.2", "-o", "part.toml"]);
        assert!(done.text().contains(note), "{note}: {done:?}");
        folder.fine(&["check", "part.toml"]);
    }
    let mut empty: Value = serde_json::from_str(CORNER).unwrap();
    let topography = &mut empty["scenario"]["topography"];
    for key in ["sources", "dynamicElements"] {
        topography[key] = serde_json::json!([]);
    }
    folder.write("empty.scenario", empty.to_string());
    let done = folder.fine(&["import", "empty.scenario", "-o", "empty.toml"]);
    assert!(done.text().contains("nobody is in the file"), "{done:?}");
    assert!(folder.path("empty.png").exists() && !folder.path("empty.toml").exists());
}
