//! What a terminal gets, whatever is in the files: no control characters, no line longer than a
//! screen, each thing said once, and numbers that fit their words.

use crate::running::{Done, Folder};

/// Characters of a line.
const SCREEN: usize = 100;

/// A scenario of one group, which a mistake is put into.
const GOOD: &str = "ticks = 20\n[map]\nsize = [40, 20]\n[[group]]\nname = \"red\"\n\
                    spawn = [{ rect = [1, 1, 9, 9], count = 20 }]\n";

/// What was said, after a look at it.
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

#[test]
fn nothing_of_a_bad_file_reaches_the_terminal_raw() {
    let folder = Folder::new("terminal-raw");
    // Escapes as TOML has them, raw bytes, the one-byte escape of C1, and letters that turn text.
    let evil =
        ["\\u001b[2J", "\u{7f}", "\u{9b}31m", "\u{202e}evil", "\u{1b}]0;title\u{7}", "\r", "\0"];
    for text in evil {
        let named = GOOD.replace("red", &format!("red{text}"));
        let keyed = format!("{GOOD}\"ke{text}y\" = 1\n");
        let valued = format!("{GOOD}navigator = \"pa{text}th\"\n");
        let filed = GOOD.replace("size = [40, 20]", &format!("file = \"no{text}.map\""));
        for bad in [named, keyed, valued, filed] {
            folder.write("bad.toml", &bad);
            for command in [&["check", "bad.toml"][..], &["run", "bad.toml", "--no-files"]] {
                looked_at(&folder.run(command));
            }
        }
        folder.write("bad.map", format!("type octile\nheight 1\nwidth 3\nmap\n.{text}.\n"));
        looked_at(&folder.run(&["check", "bad.map"]));
        looked_at(&folder.run(&["run", "small", "--no-files", "--map", "bad.map"]));
        folder.write("bad.scen", format!("version 1\n0 {text}.map 4 4 {text} 0 3 0 3\n"));
        looked_at(&folder.run(&["compare", "bad.scen"]));
        folder.write("bad.wkt", format!("POLYGON (({text}"));
        looked_at(&folder.run(&["mesh", "bad.wkt"]));
        folder.write("bad.mesh", format!("mesh\n{text}\n"));
        looked_at(&folder.run(&["mesh", "bad.mesh"]));
        folder.write("net.toml", format!("format = \"{text}\"\n"));
        folder.write("good.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
        looked_at(&folder.run(&["network", "good.map", "--read", "net.toml"]));
    }
    // A replay's label is somebody's text, too.
    folder.write("good.toml", format!("name = \"evil\"\n{GOOD}"));
    folder.fine(&["run", "good.toml", "--record", "a.throng", "--quiet"]);
    let bytes = folder.read("a.throng");
    let at = bytes.windows(4).position(|bytes| bytes == b"evil").unwrap();
    let mut changed = bytes.clone();
    changed[at..at + 4].copy_from_slice(b"\x1b[2J");
    let body = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let checksum = crc32fast::hash(&changed[..16 + body]);
    changed[16 + body..20 + body].copy_from_slice(&checksum.to_le_bytes());
    folder.write("b.throng", changed);
    for command in ["verify", "replay"] {
        assert!(looked_at(&folder.fine(&[command, "b.throng"])).contains("\\u{1b}[2J"));
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
    let words: Vec<&str> = said.split_whitespace().collect();
    // Sizes of maps are "1 × 1 cells".
    let ones =
        words.windows(3).filter(|three| three[0] != "×" && three[1].trim_start_matches('(') == "1");
    for three in ones {
        let word = three[2].trim_end_matches([',', '.', ';', ':', ')']);
        let plural = word.len() > 2 && word.ends_with('s') && word.chars().all(char::is_alphabetic);
        assert!(!plural, "1 {word}");
    }
    assert!(said.contains("1 agent in 1 group, up to 1 tick"), "{said}");
}

#[test]
fn large_outputs_are_announced_and_told() {
    let folder = Folder::new("terminal-large");
    let rows = GOOD.replace("ticks = 20", "ticks = 10_000_000\n[end]\narrived = 1.0");
    folder.write("long.toml", format!("{rows}goal = {{ rect = [1, 1, 9, 9] }}\n"));
    let done = folder.fine(&["run", "long.toml", "--trajectories", "t.txt"]);
    assert!(done.err.contains("t.txt gets up to 2600 MB"), "{}", done.err);
    let done = folder.fine(&["run", "small", "--ticks", "9", "--trajectories", "t.txt"]);
    assert!(!done.err.contains("gets up to"), "{}", done.err);
    let done = folder.fine(&["run", "doors", "--ticks", "40", "--record", "a.throng"]);
    let size = folder.read("a.throng").len();
    assert!(size < 10_000_000 || done.out.contains("a.throng ("), "{size}: {}", done.out);
}
