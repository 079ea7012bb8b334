//! Bad input to the program: each gets exit code 2 and a message that names the file, the place and
//! the value, at once; never a panic, never a hang.

use std::fmt::Write;

use crate::running::Folder;

const TOP: &str = "ticks = 20\n";
const MAP: &str = "[map]\nsize = [40, 20]\n";
const GROUP: &str = "[[group]]\nname = \"red\"\nspawn = [{ rect = [1, 1, 9, 9], count = 20 }]\n";

/// A scenario in parts; `{}` in one of them stands for a value.
fn scenario(parts: &[&str]) -> String {
    parts.concat()
}

/// A scenario is refused by `run` and by `check`, with these words.
fn refused(folder: &Folder, text: impl AsRef<[u8]>, words: &[&str]) {
    folder.write("bad.toml", text);
    for command in [&["run", "bad.toml", "--no-files"][..], &["check", "bad.toml"]] {
        folder.bad(command, &[&["bad.toml"], words].concat());
    }
}

#[test]
fn files_that_are_no_scenario() {
    let folder = Folder::new("no-scenario");
    folder.bad(&["run", "missing.toml"], &["missing.toml", "crossing"]);
    folder.bad(&["check", "missing.toml"], &["missing.toml"]);
    folder.bad(&["run", "."], &["."]);
    folder.bad(&["check", ".."], &[".."]);
    refused(&folder, "", &["empty"]);
    refused(&folder, [0_u8, 159, 146, 150, 255, 0, 1, 2].repeat(64), &[]);
    refused(&folder, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &[]);
    refused(&folder, "x".repeat(9 << 20), &["8388608"]);
    refused(&folder, "[".repeat(100_000), &[]);
    let whole = scenario(&[TOP, MAP, GROUP]);
    for length in (1..whole.len() - 1).step_by(9) {
        folder.write("cut.toml", &whole[..length]);
        let done = folder.run(&["check", "cut.toml"]);
        let text = done.text();
        assert!(done.code == Some(2) && text.contains("cut.toml"), "{length} bytes: {done:?}");
        assert!(!text.contains("panicked"), "{text}");
    }
    folder.write("good.toml", &whole);
    folder.fine(&["check", "good.toml"]);
    folder.fine(&["run", "good.toml", "--no-files", "--quiet"]);
}

/// Nothing is read without an end, and nothing of a file that is something else is told.
#[test]
fn files_that_are_something_else() {
    let folder = Folder::new("something-else");
    folder.write("secret.txt", "root:x:0:0:root:/root:/bin/sh\n");
    let map = "[map]\nfile = \"secret.txt\"\n";
    folder.write("map.toml", scenario(&[TOP, map, GROUP]));
    folder.write("secret.toml", "[registry]\ntoken = \"root:x\"\n");
    for (command, file) in [
        ("check", "map.toml"),
        ("check", "secret.txt"),
        ("run", "secret.toml"),
        ("verify", "secret.txt"),
    ] {
        let done = folder.run(&[command, file]);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.text().contains(file) && !done.text().contains("root:"), "{done:?}");
    }
    folder.bad(&["check", "map.toml"], &["map.toml:3", "secret.txt", "line 1, column 1: `r`"]);
    folder.bad(&["path", "secret.txt", "--from", "1,1", "--to", "2,2"], &["secret.txt", "`r`"]);
    if cfg!(target_os = "linux") {
        folder.bad(&["run", "/dev/zero"], &["/dev/zero", "8388608"]);
        let zero = "[map]\nfile = \"/dev/zero\"\n";
        refused(&folder, scenario(&[TOP, zero, GROUP]), &["/dev/zero", "268435456"]);
    }
}

#[test]
fn numbers_that_make_no_sense() {
    let folder = Folder::new("numbers");
    for value in ["nan", "inf", "-inf", "-1", "-0.5", "1e300", "1e18"] {
        for key in ["radius", "speed", "acceleration"] {
            let group = format!("{GROUP}{key} = {value}\n");
            refused(&folder, scenario(&[TOP, MAP, &group]), &[key, value, "bad.toml:7"]);
        }
    }
    for key in ["radius", "speed", "acceleration"] {
        refused(&folder, scenario(&[TOP, MAP, GROUP, key, " = 0\n"]), &[key, "bad.toml:7"]);
    }
    for value in ["0", "-5", "nan", "1.5", "1e9", "99999999999999999999"] {
        refused(&folder, scenario(&["ticks = ", value, "\n", MAP, GROUP]), &["ticks", value]);
    }
    for size in ["[0, 20]", "[-4, 20]", "[nan, 20]", "[1e9, 20]", "[100000, 100000]", "[40]"] {
        let map = format!("[map]\nsize = {size}\n");
        refused(&folder, scenario(&[TOP, &map, GROUP]), &["size", "bad.toml:3"]);
    }
    for cell in ["0", "-1", "nan", "inf", "1e-300", "1e12"] {
        refused(&folder, scenario(&[TOP, MAP, "cell = ", cell, "\n", GROUP]), &["cell"]);
    }
    for count in ["0", "-3", "nan", "5000", "1e9", "18446744073709551616"] {
        let group = GROUP.replace("20 }", &format!("{count} }}"));
        refused(&folder, scenario(&[TOP, MAP, &group]), &["bad.toml:6"]);
    }
    for rect in ["[nan, 1, 9, 9]", "[9, 9, 1, 1]", "[1, 1, 1, 1]", "[1, 1, 1e300, 9]", "[]"] {
        let group = GROUP.replace("[1, 1, 9, 9]", rect);
        refused(&folder, scenario(&[TOP, MAP, &group]), &["rect", "bad.toml:6"]);
    }
    for dt in ["dt = 0", "dt = -1", "dt = nan", "dt = 1e-9", "tick_rate = 0", "tick_rate = 1e9"] {
        let key = dt.split(' ').next().unwrap();
        refused(&folder, scenario(&[TOP, dt, "\n", MAP, GROUP]), &[key]);
    }
}

#[test]
fn places_that_cannot_be() {
    let folder = Folder::new("places");
    let walls = "walls = [{ rect = [20, 0, 40, 20] }]\n";
    for goal in ["point = [30, 10]", "disc = [30, 10, 3]", "rect = [25, 5, 35, 15]"] {
        let goal = format!("goal = {{ {goal} }}\n");
        refused(
            &folder,
            scenario(&[TOP, MAP, walls, GROUP, &goal]),
            &["goal", "wall", "bad.toml:8"],
        );
    }
    for goal in ["point = [-1, 10]", "point = [400, 10]", "disc = [39, 10, 30]"] {
        let goal = format!("goal = {{ {goal} }}\n");
        refused(&folder, scenario(&[TOP, MAP, GROUP, &goal]), &["goal", "edge", "bad.toml:7"]);
    }
    for (rect, word) in [("[30, 5, 38, 15]", "wall"), ("[30, 5, 70, 15]", "edge")] {
        let group = GROUP.replace("[1, 1, 9, 9]", rect);
        refused(&folder, scenario(&[TOP, MAP, walls, &group]), &["spawn", word, "bad.toml:7"]);
    }
    let crowd = GROUP.replace("count = 20", "count = 100_000");
    refused(&folder, scenario(&[TOP, MAP, &crowd]), &["100,000", "fit", "bad.toml:6"]);
    let giant = format!("{GROUP}radius = 15\n");
    refused(&folder, scenario(&[TOP, MAP, &giant]), &["bad.toml"]);
    let everywhere = "walls = [{ rect = [0, 0, 40, 20] }]\n";
    refused(&folder, scenario(&[TOP, MAP, everywhere, GROUP]), &["wall", "bad.toml"]);
    // Two sources of one map; two groups of one name; an order to a group that is missing.
    refused(&folder, scenario(&[TOP, MAP, "rows = [\"...\"]\n", GROUP]), &["bad.toml"]);
    refused(&folder, scenario(&[TOP, MAP, GROUP, GROUP]), &["red", "bad.toml"]);
    let order = "[[order]]\ntick = 3\nstop = \"blue\"\n";
    refused(&folder, scenario(&[TOP, MAP, GROUP, order]), &["blue", "bad.toml:9"]);
}

#[test]
fn maps_that_are_none() {
    let folder = Folder::new("maps");
    folder.write("s.toml", scenario(&[TOP, "[map]\nfile = \"m.map\"\n", GROUP]));
    folder.bad(&["run", "s.toml", "--no-files"], &["s.toml:3", "m.map"]);
    let body = |height: usize, row: &str| {
        let mut text = format!("type octile\nheight {height}\nwidth {}\nmap\n", row.len());
        (0..height).for_each(|_| writeln!(text, "{row}").unwrap());
        text
    };
    let good = body(12, &".".repeat(12));
    let bad: [(String, &str); 12] = [
        (String::new(), "line 1"),
        ("\0\u{1}garbage".repeat(50), "line 1"),
        (good.replace("octile", "hexile"), "line 1"),
        (good.replace("height 12", "height nan"), "line 2"),
        (good.replace("height 12", "height -12"), "line 2"),
        (good.replace("width 12", "width 0"), "0"),
        (good.replace("height 12", "height 13"), "13"),
        (good.replace("height 12", "height 4000000000"), "4000000000"),
        (good.replace("width 12", "width 99999999999999999999999"), "line 3"),
        (good.replacen("....", "..?.", 1), "line 5"),
        (good[..good.len() - 30].to_owned(), "line"),
        (good.replacen("............", "...........", 1), "line 5"),
    ];
    for (text, word) in bad {
        folder.write("m.map", &text);
        folder.bad(&["check", "m.map"], &["m.map", word]);
        folder.bad(&["run", "s.toml", "--no-files"], &["m.map", word]);
        folder.bad(&["run", "small", "--no-files", "--map", "m.map"], &["m.map", word]);
        let field = ["field", "m.map", "--goal", "1,1", "--picture", "f.png"];
        folder.bad(&field, &["m.map", word]);
    }
    folder.bad(&["run", "small", "--no-files", "--map", "."], &["."]);
    folder.bad(&["run", "small", "--no-files", "--map", "none.map"], &["none.map"]);
    folder.bad(&["run", "small", "--no-files", "--map", ""], &["map"]);
    // Whole, but the scenario's areas are not on it.
    folder.write("m.map", good);
    folder.bad(&["run", "small", "--no-files", "--map", "m.map"], &["edge", "small"]);
    folder.fine(&["run", "s.toml", "--no-files", "--quiet"]);
}

#[test]
fn arguments_that_make_no_sense() {
    let folder = Folder::new("arguments");
    let run = |option: &str, value: &str| {
        folder.bad(&["run", "small", "--no-files", option, value], &[option.trim_matches('-')]);
    };
    for value in ["0", "-1", "1025", "nan", "1e3", "99999999999999999999", ""] {
        run("--threads", value);
    }
    for option in ["--agents", "--ticks"] {
        for value in ["0", "-1", "nan", "1e3", "0.5", "99999999999999999999", ""] {
            run(option, value);
        }
    }
    run("--agents", "18446744073709551615");
    run("--agents", "2");
    run("--ticks", "18446744073709551615");
    run("--seed", "-1");
    run("--seed", "18446744073709551616");
    run("--numeric", "f64");
    folder.bad(&["run", "small", "--no-files", "--agents", "3000000"], &["fit", "small"]);
    folder.write("a.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n");
    for goal in ["nan,1", "1", "1,2,3", "inf,0", "x,y", ",", "-5,1", "1e300,1", "2.5,0.5", "3,3"] {
        let goal = format!("--goal={goal}");
        folder.bad(&["field", "a.map", &goal, "--picture", "f.png"], &["goal"]);
    }
    for (option, value) in [("--cell", "0"), ("--cell", "-1"), ("--cell", "nan"), ("--cell", "inf")]
    {
        let option = format!("{option}={value}");
        folder.bad(&["field", "a.map", "--goal", "0.5,0.5", "--picture", "f.png", &option], &[]);
    }
    for value in ["-1", "nan", "1e9"] {
        let radius = format!("--radius={value}");
        folder.bad(&["field", "a.map", "--goal", "0.5,0.5", "--picture", "f.png", &radius], &[]);
    }
    assert!(!folder.path("f.png").exists());
}

/// A file of another kind is told in one line, with the command that takes it.
#[test]
fn files_of_another_kind_are_told() {
    let folder = Folder::new("input-kinds");
    folder.write(
        "s.toml",
        "ticks = 5\n[map]\nsize = [8, 8]\n[[group]]\nname = \"a\"\n\
        spawn = [{ rect = [1, 1, 4, 4], count = 3 }]\n",
    );
    folder.write("plan.toml", "scenario = \"s.toml\"\nseeds = [1]\n");
    let rules = "[map.generate]\nwidth = 9\nheight = 9\n[[map.generate.step]]\nkind = \"cave\"\n";
    folder.write("rules.toml", rules);
    folder.write("a.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
    folder.write("a.scen", "version 1\n0 a.map 3 1 0 0 2 0 2\n");
    folder.fine(&["run", "s.toml", "-q", "--record", "a.throng"]);
    for (file, is, takes) in [
        ("s.toml", "is a scenario", "throng run"),
        ("plan.toml", "is a plan of a sweep", "throng sweep"),
        ("rules.toml", "is a map by rules", "throng generate"),
        ("a.map", "is a map", "throng check"),
        ("a.scen", "is a file of starts and goals", "throng compare"),
        ("a.throng", "is a replay", "throng replay"),
    ] {
        for (command, own) in [
            (&["run"][..], "s.toml"),
            (&["view", "--no-open"], "s.toml"),
            (&["sweep"], "plan.toml"),
            (&["replay"], "a.throng"),
            (&["verify"], "a.throng"),
            (&["generate"], "rules.toml"),
            (&["compare"], "a.scen"),
        ] {
            let viewed = command[0] == "view" && file == "a.throng";
            let generated = command[0] == "generate" && file == "s.toml";
            if own != file && !viewed && !generated {
                folder.bad(&[command, &[file]].concat(), &[file, is, takes]);
            }
        }
    }
    // Checks write no files.
    let check = ["run", "s.toml", "--rewind", "2", "--picture", "a.png"];
    folder.bad(&check, &["`--rewind` is no good: 2", "writes no files"]);
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::new("outputs");
    folder.write("file", "");
    for option in ["--record", "--json", "--picture", "--film"] {
        for path in ["file/no/x", ".", "file/x", ""] {
            let run = ["run", "small", "--ticks", "5", "--quiet", option, path];
            let word = if path.is_empty() { "value is required" } else { path };
            folder.bad(&run, &[word]);
        }
    }
    folder.write("out", "a file where the folder should be");
    folder.bad(&["run", "small", "--ticks", "5"], &["out"]);
}
