//! `throng generate`: what it writes is what the rules make, and what it refuses; and that the worlds
//! that come with the source are made in one piece.

use crate::running::Folder;
use throng::Map;
use throng::scenario::ScenarioDef;

/// The worlds, with letters that each must have.
const WORLDS: [(&str, &str, &str); 4] = [
    ("island", include_str!("../../../../scenarios/worlds/island.toml"), "WsgfhrcRtH"),
    ("cave", include_str!("../../../../scenarios/worlds/cave.toml"), "@.mp"),
    ("dungeon", include_str!("../../../../scenarios/worlds/dungeon.toml"), "@.cP"),
    ("canyon", include_str!("../../../../scenarios/worlds/canyon.toml"), "p.sw"),
];

/// The map of a scenario text; its files are in a folder.
fn load(folder: &Folder, text: &str) -> Map {
    let def = ScenarioDef::parse_ground(text, "t.toml").unwrap_or_else(|error| panic!("{error}"));
    let read = |name: &str| std::fs::read(folder.path(name));
    def.load_map(&read).unwrap_or_else(|error| panic!("{error}"))
}

/// `cost` of the letters of the world, as its file has it.
fn costs(text: &str) -> &str {
    let start = text.find("[map.cost]").unwrap();
    &text[start..start + text[start..].find("\n\n").unwrap()]
}

#[test]
fn what_is_written_is_the_map() {
    let (name, text, letters) = WORLDS[3];
    let folder = Folder::new("generate");
    folder.write("canyon.toml", text);
    let done = folder.run(&["generate", "canyon.toml", "--side", "300", "--out", "out/v1.2"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    let map = load(&folder, text);
    let size = format!("{} × {} cells of 2 m, seed 9", map.width(), map.height());
    assert!(done.out.starts_with(&size), "{}", done.out);
    assert!(done.out.contains("\n1 open region\n"), "{}", done.out);
    for letter in letters.chars() {
        assert!(done.out.contains(&format!("{letter} ")), "{letter}: {}", done.out);
    }
    // The lines that it prints read the heights again.
    let lines: Vec<&str> = done.out.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(lines.len(), 2, "{}", done.out);
    let lines = lines.join("\n").replace("v1.2-heights.png", "out/v1.2-heights.png");
    let read = format!("[map]\ncell = 2.0\nfile = \"out/v1.2.map\"\n{lines}\n{}", costs(text));
    let read = load(&folder, &read);
    assert!(!map.is_flat());
    assert_eq!(read, map, "{name}");
    let picture = image::load_from_memory(&folder.read("out/v1.2.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (256, 192));

    // Another seed, another map, and the name of the file for what is written.
    let done = folder.run(&["generate", "canyon.toml", "--seed", "6"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.out.contains("seed 6") && done.out.contains("out/canyon.map"), "{}", done.out);
    assert_ne!(folder.read("out/canyon.map"), folder.read("out/v1.2.map"));
    let six = text.replace("seed = 9", "seed = 6");
    assert_eq!(folder.read("out/canyon.map"), load(&folder, &six).to_movingai().into_bytes());
}

#[test]
fn what_makes_no_map_is_refused() {
    let folder = Folder::new("generate-refused");
    let open =
        "ticks = 5\n[map]\nsize = [9, 9]\n[[group]]\nname = \"a\"\nspawn = { point = [3, 3] }\n";
    folder.write("open.toml", open);
    folder
        .write("bad.toml", "[map.generate]\nwidth = 9\nheight = 9\nstep = [{ kind = \"nose\" }]\n");
    let room = "step = [{ kind = \"rooms\", size = 50 }]";
    folder.write("room.toml", format!("[map.generate]\nwidth = 9\nheight = 9\n{room}\n"));
    for (file, said) in [
        ("open.toml", "the map of `open.toml` is not made by rules"),
        ("bad.toml", "bad.toml:4:18: key `map.generate.step[0].kind`: \"nose\" is no kind"),
        ("room.toml", "room.toml:4:9: key `map.generate.step[0]`: there is no space for a room"),
        ("none.toml", "no file and no scenario of the name `none.toml`"),
        ("crossing", "the map of `crossing` is not made by rules"),
    ] {
        let done = folder.run(&["generate", file]);
        assert_eq!(done.code, Some(2), "{done:?}");
        let words: Vec<&str> = done.err.split_whitespace().filter(|word| *word != "│").collect();
        assert!(words.join(" ").contains(said), "`{said}` is not in: {}", done.err);
    }
    assert!(!folder.path("out").exists());
}

#[test]
fn a_scenario_runs_on_a_map_made_by_rules() {
    let folder = Folder::new("generate-run");
    let (_, text, _) = WORLDS[1];
    let group = "[[group]]\nname = \"a\"\nspawn = { rect = [10, 10, 310, 230], count = 60 }\n\
        goal = { rect = [100, 80, 220, 160] }\n";
    folder.write("run.toml", format!("ticks = 40\n{text}\n{group}"));
    let done = folder.run(&["run", "run.toml", "--record", "a.throng", "--quiet"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    // The replay has the map itself: it plays without the file.
    std::fs::remove_file(folder.path("run.toml")).unwrap();
    assert_eq!(folder.run(&["verify", "a.throng"]).code, Some(0));
}

#[test]
fn the_worlds_are_whole() {
    let folder = Folder::new("generate-worlds");
    for (name, text, letters) in WORLDS {
        for seed in [None, Some(77)] {
            let text = match seed {
                None => text.to_owned(),
                Some(seed) => text.replacen("\nseed = ", &format!("\nseed = {seed} # "), 1),
            };
            let map = load(&folder, &text);
            assert_eq!(map.class(0.0).component_count(), 1, "{name}, {seed:?}");
            for letter in letters.bytes() {
                let is_there = map.letters().contains(&letter);
                assert!(is_there, "{name}, {seed:?}: no {}", char::from(letter));
            }
        }
    }
}
