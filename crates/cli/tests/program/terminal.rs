//! What a terminal gets, whatever is in the files: no control characters, no line longer than a
//! screen, each thing said once, and numbers that fit their words.

use crate::running::{Done, Folder};

/// Characters of a line.
const SCREEN: usize = 100;

/// A scenario of one group, which a mistake is put into.
const GOOD: &str = "ticks = 20\n[map]\nsize = [40, 20]\n[[group]]\nname = \"red\"\n\
                    spawn = [{ rect = [1, 1, 9, 9], count = 20 }]\n";

/// The output of a command, checked for what a terminal must not get.
fn looked_at(done: &Done) -> String {
    let said = format!("{}{}", done.out, done.err);
    for letter in said.chars() {
        let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(letter == '\n' || !(letter.is_control() || turns), "{letter:?} in {said:?}");
    }
    for line in said.lines() {
        assert!(line.chars().count() <= SCREEN, "a line is too long: {line}");
    }
    assert!(said.len() < 20_000, "{} bytes are said", said.len());
    said
}

/// What a terminal might obey: escapes of 7 and of 8 bits, one that sets the title, a return, a
/// backspace, a bell, a null byte, letters that turn or hide text, and bytes that are no UTF-8.
const EVIL: [&[u8]; 10] = [
    b"\x1b[2J",
    b"\x1b]0;title\x07",
    b"\xc2\x9b31m",
    b"\x9b31m",
    b"\x7f",
    b"\x08",
    b"\r",
    b"\0",
    "\u{202e}evil".as_bytes(),
    "\u{200b}\u{feff}".as_bytes(),
];

/// The same for the inside of a TOML string, which has no control characters but as escapes.
const ESCAPED: [&str; 4] = ["\\u001b[2J", "\\u009b31m", "\\u202eevil", "\\r\\b"];

/// A text file with a place for the evil, and the command that reads it.
type Kind<'a> = (&'a str, &'a str, &'a [&'a [&'a str]]);

/// A kind of file for every format that the program reads as text.
const KINDS: [Kind<'_>; 11] = [
    (
        "bad.map",
        "type octile\nheight 1\nwidth 3\nmap\n.EVIL.\n",
        &[
            &["check", "bad.map"],
            &["run", "small", "--no-files", "--map", "bad.map"],
            &["path", "bad.map", "--from", "0.5,0.5", "--to", "1.5,0.5"],
            &["field", "bad.map", "--goal", "0.5,0.5", "--picture", "f.png"],
        ],
    ),
    ("head.map", "type EVIL\nheight EVIL\nwidth 3\nmap\n...\n", &[&["check", "head.map"]]),
    (
        "bad.tmx",
        "<map width=\"2\" height=\"1\" EVIL=\"1\"><tileset source=\"EVIL\"/><layer name=\"EVIL\">\
        <data encoding=\"EVIL\">1,EVIL</data></layer></map>",
        &[&["check", "bad.tmx"], &["run", "small", "--no-files", "--map", "bad.tmx"]],
    ),
    (
        "set.tmx",
        "<map width=\"2\" height=\"1\"><tileset firstgid=\"1\" source=\"EVIL.tsx\"/><layer \
        width=\"2\" height=\"1\"><data encoding=\"csv\">1,1</data></layer></map>",
        &[&["check", "set.tmx"]],
    ),
    (
        "bad.png",
        "\x1a EVIL",
        &[&["check", "bad.png"], &["run", "small", "--no-files", "--map", "bad.png"]],
    ),
    ("bad.scen", "version 1\n0 EVIL.map 4 4 EVIL 0 3 0 3\n", &[&["compare", "bad.scen"]]),
    ("bad.wkt", "POLYGON ((EVIL", &[&["mesh", "bad.wkt"]]),
    ("bad.mesh", "mesh\nEVIL\n", &[&["mesh", "bad.mesh"]]),
    (
        "bad.throng",
        "THRONG EVIL",
        &[
            &["verify", "bad.throng"],
            &["replay", "bad.throng"],
            &["diff", "bad.throng", "bad.throng"],
            &["view", "bad.throng", "--no-open"],
        ],
    ),
    (
        "net.toml",
        "format = \"EVIL\"\nEVIL = 1\n",
        &[&["network", "good.map", "--read", "net.toml"]],
    ),
    (
        "world.toml",
        "name = \"EVIL\"\n[map.generate]\nwidth = 9\nheight = 9\n\
        step = [{ kind = \"EVIL\" }]\n",
        &[&["generate", "world.toml"]],
    ),
];

#[test]
fn nothing_of_a_bad_file_reaches_the_terminal_raw() {
    let folder = Folder::new("terminal-raw");
    folder.write("good.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
    let put = |text: &str, evil: &[u8]| {
        let parts: Vec<&[u8]> = text.split("EVIL").map(str::as_bytes).collect();
        parts.join(evil)
    };
    let escaped = ESCAPED.map(str::as_bytes);
    for evil in EVIL.into_iter().chain(escaped) {
        for (name, text, commands) in KINDS {
            folder.write(name, put(text, evil));
            for command in commands {
                let done = folder.run(command);
                assert!(matches!(done.code, Some(1 | 2)), "{command:?} takes {name}: {done:?}");
                looked_at(&done);
            }
        }
        // Names and values of scenarios, which are good where TOML has escapes for it.
        let group = "name = \"red\"";
        let spoilt = [
            GOOD.replace(group, "name = \"redEVIL\""),
            format!("name = \"EVIL\"\n{GOOD}"),
            format!("{GOOD}\"keEVILy\" = 1\n"),
            format!("{GOOD}navigator = \"paEVILth\"\n"),
            format!("{GOOD}[[team]]\nname = \"EVIL\"\n"),
            format!("{GOOD}[[gate]]\nname = \"EVIL\"\nfrom = [9, 1]\nto = [9, 9]\n"),
            format!("{GOOD}[[area]]\nname = \"EVIL\"\nrect = [9, 1, 12, 9]\n"),
            GOOD.replace("size = [40, 20]", "file = \"noEVIL.map\""),
        ];
        for bad in spoilt {
            folder.write("bad.toml", put(&bad, evil));
            let runs = ["--measure", "m", "--picture", "p.png", "--record", "r.throng"];
            for command in [&["check", "bad.toml"][..], &[&["run", "bad.toml"][..], &runs].concat()]
            {
                looked_at(&folder.run(command));
            }
        }
    }
    // Arguments are escaped, too.
    for evil in ["\u{1b}[2J", "\u{9b}31m", "\u{202e}evil", "\r"] {
        for command in [
            &["run", evil][..],
            &["run", "small", "--numeric", evil],
            &["run", "small", "--map", evil],
            &["run", "small", "--no-files", "--picture", evil],
            &[evil],
            &["run", "small", &format!("--{evil}")],
            &["check", "good.map", "--cost", evil],
            &["path", "good.map", "--from", evil, "--to", "1,1"],
            &["replay", &format!("{evil}.throng")],
        ] {
            let done = folder.run(command);
            // A picture may be called so.
            assert!(
                done.code == Some(2) || command.contains(&"--picture"),
                "{command:?}: {done:?}"
            );
            looked_at(&done);
        }
    }
}

/// Names in a replay are untrusted: a group's, a team's, a weapon's, and what the run was called.
#[test]
fn nothing_of_a_replay_reaches_the_terminal_raw() {
    let folder = Folder::new("terminal-replay");
    folder.fine(&["run", "skirmish", "--ticks", "400", "--record", "a.throng", "--quiet"]);
    let bytes = folder.read("a.throng");
    let body = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut changed = bytes.clone();
    // Letters between lengths: every name of the header begins with an escape.
    for name in ["skirmish", "red", "blue", "bow"] {
        let found =
            changed[..16 + body].windows(name.len()).position(|part| part == name.as_bytes());
        let at = found.unwrap_or_else(|| panic!("no {name}"));
        changed[at..at + 3].copy_from_slice(b"\x1b[J");
    }
    let checksum = crc32fast::hash(&changed[..16 + body]);
    changed[16 + body..20 + body].copy_from_slice(&checksum.to_le_bytes());
    folder.write("b.throng", changed);
    for command in [
        &["verify", "b.throng"][..],
        &["replay", "b.throng"],
        &["replay", "b.throng", "--trails", "--picture", "p.png"],
        &["diff", "b.throng", "b.throng"],
    ] {
        let said = looked_at(&folder.fine(command));
        assert!(command[0] == "diff" || said.contains("\\u{1b}[J"), "{command:?}: {said}");
    }
}

#[test]
fn no_line_is_longer_than_a_screen() {
    let folder = Folder::new("terminal-long");
    let spawns = "{ rect = [1, 1, 9, 9], count = 3 }, ".repeat(3_000);
    let long = GOOD.replace("spawn = [", &format!("spawn = [{spawns}")).replace("20 }]", "-1 }]");
    folder.write("long.toml", long);
    let said = looked_at(&folder.run(&["check", "long.toml"]));
    assert!(said.contains("count = -1 }]") && said.contains("^^"), "{said}");
    folder.write("name.toml", GOOD.replace("red", &"r".repeat(5_000)));
    looked_at(&folder.run(&["check", "name.toml"]));
    let names: Vec<String> = (0..60).map(|i| format!("{i}{}", "t".repeat(60))).collect();
    let teams: String =
        names.iter().take(30).map(|name| format!("[[team]]\nname = \"{name}\"\n")).collect();
    folder.write("teams.toml", format!("{GOOD}{teams}"));
    looked_at(&folder.fine(&["check", "teams.toml"]));
    folder.write("many.toml", format!("{GOOD}{}", "zz = 1\n".repeat(400)));
    looked_at(&folder.run(&["check", "many.toml"]));
    looked_at(&folder.fine(&["scenarios"]));
    looked_at(&folder.run(&["path", "a.map", "--from", "1,1", "--to", "2,2", "--navigator", "x"]));
    looked_at(&folder.run(&["run", "small", "--numeric", &"x".repeat(90)]));
}

#[test]
fn each_error_says_its_text_once() {
    let folder = Folder::new("terminal-once");
    folder.write("bad.toml", format!("{GOOD}speeed = 3\n"));
    let said = looked_at(&folder.run(&["check", "bad.toml"]));
    for words in ["there is no such key", "`speed`", "bad.toml:7"] {
        assert_eq!(said.matches(words).count(), 1, "`{words}` in {said}");
    }
    folder.fine(&["run", "small", "--ticks", "20", "--record", "a.throng", "--quiet"]);
    let bytes = folder.read("a.throng");
    folder.write("cut.throng", &bytes[..40]);
    let said = looked_at(&folder.run(&["verify", "cut.throng"]));
    assert_eq!(said.matches("damaged from byte").count(), 1, "{said}");
    folder.write("letter.map", "type octile\nheight 1\nwidth 2\nmap\n.R\n");
    for command in ["check", "mesh"] {
        folder.bad(&[command, "letter.map"], &["letter `R` is not in the legend", "--cost R=1"]);
        folder.fine(&[command, "letter.map", "--cost", "R=1"]);
    }
    let said = looked_at(&folder.run(&["run", "small", "--agents", "1", "--no-files"]));
    assert_eq!(said.matches("fewer than").count(), 1, "{said}");
}

#[test]
fn what_two_runs_begin_with_is_told_where_it_differs() {
    let folder = Folder::new("terminal-begin");
    for seed in ["1", "2"] {
        let file = format!("{seed}.throng");
        let run = ["run", "small", "--ticks", "9", "--quiet", "--seed", seed, "--record", &file];
        folder.fine(&run);
    }
    let done = folder.run(&["diff", "1.throng", "2.throng"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let begin: Vec<&str> = done.out.lines().filter(|line| line.contains(" begin ")).collect();
    assert_eq!(begin, ["the runs begin with different settings.seed: 1 and 2"], "{done:?}");
}

#[test]
fn names_that_are_nearly_right_are_told() {
    let folder = Folder::new("terminal-meant");
    for name in ["crosing", "Crossing.toml", "no/crossing.toml"] {
        folder.bad(&["run", name], &["did you mean `crossing`?"]);
    }
    folder.write("mine.toml", GOOD);
    for command in ["run", "check", "generate"] {
        folder.bad(&[command, "mien.toml"], &["did you mean `mine.toml`?"]);
    }
    folder.bad(&["check", "entirely-else"], &["ship inside the program", "crossing"]);
}

#[test]
fn a_map_that_was_typed_is_named_and_the_scenario_is_not() {
    let folder = Folder::new("terminal-map");
    folder.write("m.map", "type octile\nheight 2\nwidth 3\nmap\n..?\n@..\n");
    for (map, words) in [("m.map", "line 5, column 3"), ("none.map", "cannot be read")] {
        let done = folder.run(&["run", "small", "--no-files", "--map", map]);
        let said = looked_at(&done);
        assert_eq!(done.code, Some(2));
        assert!(said.contains(map) && said.contains(words), "{said}");
        assert!(!said.contains("small.toml"), "{said}");
    }
    folder.write("m.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n");
    folder.bad(
        &["run", "small", "--no-files", "--map", "m.map"],
        &["small.toml:", "the map is `m.map`"],
    );
}

#[test]
fn one_is_singular() {
    let folder = Folder::new("terminal-one");
    let one = GOOD.replace("count = 20", "count = 1").replace("ticks = 20", "ticks = 1");
    folder.write("one.toml", one);
    folder.write("one.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    let mut said = String::new();
    for command in [
        &["check", "one.toml"][..],
        &["check", "one.map"],
        &["run", "one.toml", "--record", "a.throng", "--measure", "m", "--threads", "1"],
        &["run", "one.toml", "--rewind", "1"],
        &["verify", "a.throng"],
        &["replay", "a.throng"],
        &["diff", "a.throng", "a.throng"],
        &["field", "one.map", "--goal", "0.5,0.5", "--picture", "f.png"],
        &["mesh", "one.map"],
        &["network", "one.map"],
    ] {
        said.push_str(&looked_at(&folder.fine(command)));
    }
    assert_singular(&said);
    assert!(said.contains("1 agent in 1 group, up to 1 tick"), "{said}");
}

/// No "1 agents" in what was said.
fn assert_singular(said: &str) {
    let words: Vec<&str> = said.split_whitespace().collect();
    // Sizes of maps are "1 × 1 cells".
    let ones =
        words.windows(3).filter(|three| three[0] != "×" && three[1].trim_start_matches('(') == "1");
    for three in ones {
        let word = three[2].trim_end_matches([',', '.', ';', ':', ')']);
        let plural = word.len() > 2 && word.ends_with('s') && word.chars().all(char::is_alphabetic);
        assert!(!plural, "1 {word} in {said}");
    }
}

#[test]
fn what_is_no_number_is_told_so() {
    let folder = Folder::new("terminal-number");
    for [option, value] in [["--agents", "-3"], ["--seed", "two"], ["--threads", "1.5"]] {
        let words = [option, value, "it is no whole number from 0 on"];
        folder.bad(&["run", "small", option, value], &words);
    }
    folder.bad(&["check", "a.map", "--cell", "wide"], &["it is no number"]);
}

#[test]
fn one_is_singular_in_errors() {
    let folder = Folder::new("terminal-one-bad");
    let spawn = "rect = [1, 1, 9, 9], count";
    let bad = [
        (GOOD.replace(spawn, "rect = [1], count"), "has 1 number, not 4"),
        (GOOD.replace(spawn, "polygon = [[1, 1]], count"), "has 1 corner"),
        (GOOD.replace("size = [40, 20]", "size = [40]"), "has 1 number, not 2"),
        (format!("dt = 1\ntick_rate = 20\n{GOOD}"), "is 1 tick a second"),
    ];
    for (text, words) in bad {
        folder.write("bad.toml", text);
        let said = looked_at(&folder.run(&["check", "bad.toml"]));
        assert!(said.contains(words), "{said}");
        assert_singular(&said);
    }
    folder.write("bad.scen", "version 1\nx\n");
    folder.write("bad.wkt", "POLYGON ((0 0, 0 0))");
    folder.write("bad.mesh", "mesh\n2\n1 1\n0 0\n1 -1\n1 0 -1\n");
    for command in [["compare", "bad.scen"], ["mesh", "bad.wkt"], ["mesh", "bad.mesh"]] {
        let done = folder.run(&command);
        assert!(matches!(done.code, Some(1 | 2)), "{done:?}");
        assert_singular(&looked_at(&done));
    }
}

#[test]
fn large_outputs_are_announced_and_told() {
    let folder = Folder::new("terminal-large");
    let rows = GOOD.replace("ticks = 20", "ticks = 10_000_000\n[end]\narrived = 1.0");
    folder.write("long.toml", format!("{rows}goal = {{ rect = [1, 1, 9, 9] }}\n"));
    let done = folder.fine(&["run", "long.toml", "--trajectories", "t.txt"]);
    assert!(done.err.contains("t.txt gets up to 2,600 MB"), "{}", done.err);
    let done = folder.fine(&["run", "small", "--ticks", "9", "--trajectories", "t.txt"]);
    assert!(!done.err.contains("gets up to"), "{}", done.err);
    let done = folder.fine(&["run", "doors", "--ticks", "40", "--record", "a.throng"]);
    let size = folder.read("a.throng").len();
    assert!(size < 10_000_000 || done.out.contains("a.throng ("), "{size}: {}", done.out);
}

/// One agent pays for a whole tick: hundreds or thousands of nanoseconds.
#[test]
fn points_of_numbers_stay_in_a_column() {
    let folder = Folder::new("terminal-column");
    folder.write("one.toml", GOOD.replace("count = 20", "count = 1"));
    let said = folder.fine(&["run", "one.toml", "--no-files"]).out;
    let (_, table) = said.split_once("  stage  ").expect("there are stages");
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let points: Vec<Option<usize>> = rows.map(|row| row.find('.')).collect();
    assert!(points.len() > 1 && points[0].is_some(), "{said}");
    assert!(points.iter().all(|point| *point == points[0]), "{said}");
    assert!(table.lines().any(|row| row.split_whitespace().nth(1).is_some_and(|ns| ns.len() > 5)));
}
