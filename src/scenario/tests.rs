//! `docs/scenario.md` says what the code does.

mod declared;

use crate::data::definition::Key;
use crate::generate::{Cave, How, Kind, Rooms, Stamp, Walker};
use crate::map::WALL_HEIGHT;
use crate::mind::{MachineDef, STEP_DISTANCE, STEP_RENEWAL, StepKind};
use crate::scenario::keys::tables;
use crate::scenario::parse_behaviour::{BEHAVIOUR, KINDS};
use crate::scenario::parse_fuzzy::{RULE, SHAPES};
use crate::scenario::parse_generate::FILL;
use crate::scenario::parse_machine::EVERY;
use crate::scenario::parse_map::GROUND_SHAPES;
use crate::scenario::parse_map_file::TILED;
use crate::scenario::parse_plan_step::STEP;
use crate::scenario::parse_shape::AREAS;
use crate::scenario::parse_state::{ERRANDS, GO};
use crate::scenario::parse_step::{STAMP, STEP as GENERATED, WALKER, keys_of};
use crate::scenario::parse_strategy::{REVIEW, STRATEGY};
use crate::scenario::parse_traffic::{DISTRIBUTION, VARY};
use crate::scenario::read::keys;
use crate::scenario::{Plan, ScenarioDef, heights};
use crate::world::limits::{
    DISTANCE, HORIZON, NEAR, PATH_RADIUS, RANGE, RATE, SIGHT, TURN, WEIGHT,
};
use crate::world::{INPUTS, Settings, WeaponDef};

const DOCS: &str = include_str!("../../docs/scenario.md");
const MINDS: &str = include_str!("../../docs/minds.md");

const SPAWN: &str = "[[group]]\nname = \"a\"\nspawn = { point = [3, 3] }\n";

/// The section under a heading.
fn section(heading: &str) -> &'static str {
    let start = DOCS.find(&format!("\n## {heading}\n")).expect("the section is there");
    let body = &DOCS[start + 4..];
    &body[..body.find("\n## ").unwrap_or(body.len())]
}

/// The examples of a section.
fn examples(section: &str) -> impl Iterator<Item = &str> {
    section.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(""))
}

#[test]
fn every_key_is_documented_and_has_an_example() {
    for (heading, keys) in tables() {
        let body = section(heading);
        for key in keys {
            let forms = [format!("`{key}`"), format!("`[{key}]`"), format!("`[[{key}]]`")];
            assert!(forms.iter().any(|form| body.contains(form)), "{key} is not in {heading}");
            let lines = [
                format!("\n{key} = "),
                format!("\n[{key}]"),
                format!("\n[[{key}]]"),
                format!(".{key}]]\n"),
                format!("\n[map.{key}]"),
            ];
            let shown = lines.iter().any(|line| DOCS.contains(line));
            assert!(shown, "{key} of {heading} has no example");
        }
    }
    let behaviours = DOCS.split("### Behaviours").nth(1).unwrap();
    for (kind, keys) in KINDS {
        let row = behaviours.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let row = row.unwrap_or_else(|| panic!("{kind} has no row"));
        let listed: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
        assert_eq!(row.split('|').nth(2).unwrap().trim(), listed.join(", "), "{kind}");
    }
    for key in BEHAVIOUR {
        assert!(behaviours.contains(&format!("\n| `{key}` |")), "{key} has no row");
    }
    for key in GO {
        assert!(section("`[[machine]]`").contains(&format!("\n| `{key}` |")), "{key} has no row");
    }
    for word in ERRANDS {
        let row = section("`[[machine]]`").lines().find(|line| line.starts_with("| `goal` |"));
        assert!(row.unwrap().contains(&format!("`\"{word}\"`")), "{word}");
    }
    for kind in SHAPES {
        assert!(section("`[[fuzzy]]`").contains(&format!("\n| `{{ {kind} = [")), "{kind}");
    }
    for key in RULE {
        assert!(section("`[[fuzzy]]`").contains(&format!("{key} = ")), "{key}");
    }
    for key in TILED {
        let body = section("`[map]`");
        let shown = body.contains(&format!("{key} = "));
        assert!(shown && body.contains(&format!("\n| `{key}` |")), "{key} of tiled");
    }
    for kind in GROUND_SHAPES {
        let shown = DOCS.contains(&format!("{{ {kind} = "));
        assert!(shown && section("`[map]`").contains("`height`"), "{kind}");
    }
    let people = DOCS.split("### People who differ").nth(1).unwrap();
    for key in VARY.iter().chain(&DISTRIBUTION) {
        assert!(
            people.contains(&format!("| `{key}`")) || people.contains(&format!("`{key}` |")),
            "{key}"
        );
    }
    for shape in AREAS {
        assert!(section("Shapes").contains(&format!("{{ {shape} = ")), "{shape}");
    }
}

#[test]
fn the_examples_are_scenarios() {
    let first = examples(section("In one minute")).next().unwrap();
    let def = ScenarioDef::parse(first, "minute").unwrap();
    Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap();

    // Together the others are one scenario; its drawn map is replaced by one of its size.
    let example = |heading: &str| examples(section(heading)).next().unwrap().to_owned();
    let map = example("`[map]`");
    let files = examples(section("`[map]`")).filter(|example| example.contains("\nfile = "));
    for file in files {
        ScenarioDef::parse(&format!("ticks = 1\n{file}{SPAWN}"), "file").unwrap();
    }
    let mut maps = examples(section("`[map]`"));
    let raised = maps.find(|example| example.contains("\nheights = ")).unwrap();
    let def = ScenarioDef::parse(&format!("ticks = 1\n{raised}{SPAWN}"), "heights").unwrap();
    let black = heights::tests::grey(60, 30, 8, &[0; 1800]);
    let hills = def.load_map(&|_| Ok(black.clone())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!([hills.height_at([1.5_f32, 1.5]), hills.height_at([50.0, 1.0])], [-4.0, 6.0]);
    Plan::new(&def, hills).unwrap();
    let parts = [
        "The top of the file",
        "`[end]`",
        "`[settings]`",
        "`[[weapon]]`",
        "`[[team]]`",
        "`[[fuzzy]]`",
        "`[[machine]]`",
        "`[[group]]`",
        "`[[company]]`",
        "`[[order]]`",
        "`[[source]]`",
        "`[[sink]]`",
        "`[[structure]]`",
        "`[[gate]]`",
        "`[[area]]`",
    ];
    let rest = parts.map(example).concat();
    let def = ScenarioDef::parse(&format!("{rest}\n[map]\nsize = [60, 30]"), "docs").unwrap();
    Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap_or_else(|e| panic!("{e}"));

    let people = examples(section("`[[group]]`")).find(|text| text.contains("vary")).unwrap();
    let def = ScenarioDef::parse(&format!("ticks = 1\n[map]\nsize = [60, 30]\n{people}"), "people");
    let def = def.unwrap_or_else(|e| panic!("{e}"));
    let plan = Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap();
    assert_eq!(plan.scene.sinks, ["exit 1 of commuters", "exit 2 of commuters"]);

    let def = ScenarioDef::parse(&format!("ticks = 1\n{map}{SPAWN}"), "map").unwrap();
    Plan::new(&def, def.load_map(&|_| unreachable!()).unwrap()).unwrap();
}

#[test]
fn the_defaults_are_those_of_the_tables() {
    let number = |body: &str, key: &str| {
        let row = body.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let cell = row.expect("every key has a row").split('|').nth(4).expect("a default");
        cell.trim().replace(',', "").parse::<f64>().expect("a number")
    };
    let default = |heading: &str, key: &str| number(section(heading), key);
    let chain = MachineDef::new(Vec::new()).chain;
    assert_eq!(default("`[[machine]]`", "chain"), f64::from(chain));
    let behaviours = DOCS.split("### Behaviours").nth(1).unwrap();
    let keys: [(&str, &[Key]); 3] = [
        (behaviours, &[WEIGHT, RANGE, HORIZON, TURN, RATE, PATH_RADIUS, DISTANCE]),
        (section("`[[team]]`"), &[REVIEW, STEP_DISTANCE, STEP_RENEWAL]),
        (section("`[[machine]]`"), &[SIGHT, NEAR, EVERY]),
    ];
    for (body, key) in keys.iter().flat_map(|(body, keys)| keys.iter().map(move |key| (body, key)))
    {
        assert_eq!(number(body, key.name), key.default, "{}", key.name);
    }
    assert_eq!(default("`[map]`", "wall_height"), WALL_HEIGHT);
    let megabytes = (Settings::default().field_cache_bytes >> 20) as f64;
    assert_eq!(default("`[settings]`", "field_cache_mb"), megabytes);
    let def = ScenarioDef::parse(examples(section("In one minute")).next().unwrap(), "m").unwrap();
    assert_eq!(default("The top of the file", "tick_rate"), f64::from(def.settings.tick_rate));
    assert_eq!(default("The top of the file", "seed"), def.settings.seed as f64);
    assert_eq!(default("The top of the file", "dt"), def.dt());
}

/// Every input has its row, and the machines of the page are machines.
#[test]
fn minds_are_documented() {
    let inputs = MINDS.split("### Inputs").nth(1).unwrap().split("\n### ").next().unwrap();
    let rows = inputs.lines().filter(|line| line.starts_with("| `"));
    let named: Vec<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
    assert_eq!(named, INPUTS.iter().copied().chain(["since.NAME"]).collect::<Vec<_>>());
    let machines: Vec<&str> = examples(MINDS).collect();
    assert_eq!(machines.len(), 2);
    for machine in machines {
        let head = "ticks = 1\nsignals = [\"alarm\"]\n[map]\nsize = [60, 30]\n";
        let name = machine.split('"').nth(1).unwrap();
        let spawn = format!("{SPAWN}machine = \"{name}\"\n");
        let text = format!("{head}{spawn}{machine}");
        let def = ScenarioDef::parse(&text, "minds").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(def.groups[0].machine, Some(0));
    }
}

/// The default of a key, as its row says it.
fn default_word(heading: &str, key: &str) -> &'static str {
    let row = section(heading).lines().find(|line| line.starts_with(&format!("| `{key}` |")));
    row.expect("every key has a row").split('|').nth(4).expect("a default").trim()
}

/// What the table of presets says is what a preset changes, all of it.
#[test]
fn the_presets_of_weapons_are_documented() {
    for name in WeaponDef::PRESETS {
        let row =
            section("`[[weapon]]`").lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let sets = row.unwrap_or_else(|| panic!("{name} has no row")).split('|').nth(3).unwrap();
        let mut text = String::new();
        for part in sets.trim().split(", ") {
            let mut words = part.split(' ').map(|word| word.trim_matches('`'));
            let (key, value) = (words.next().unwrap(), words.next().unwrap_or("true"));
            text.push_str(&format!("{key} = {value}\n"));
        }
        let weapon = |keys: &str| {
            let text =
                format!("ticks = 1\n[map]\nsize = [9, 9]\n{SPAWN}[[weapon]]\nname = \"w\"\n{keys}");
            ScenarioDef::parse(&text, name).unwrap_or_else(|e| panic!("{e}")).weapons[0].def.clone()
        };
        assert_eq!(weapon(&text), WeaponDef::preset(name).unwrap(), "{name}");
        assert_eq!(weapon(&format!("preset = \"{name}\"")), WeaponDef::preset(name).unwrap());
        WeaponDef::preset(name).unwrap().check().unwrap();
    }
    assert_eq!(WeaponDef::preset("sling"), None);
}

#[test]
fn strategies_are_documented() {
    let body = section("`[[team]]`");
    let row = |key: &str| body.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
    for key in STRATEGY.iter().chain(&STEP) {
        assert!(row(key).is_some(), "{key} has no row");
        let forms = [format!("\n{key} = "), format!(" {key} = ")];
        assert!(forms.iter().any(|form| DOCS.contains(form)), "{key} has no example");
    }
    for step in StepKind::NAMES {
        assert!(row("step").unwrap().contains(&format!("`\"{step}\"`")), "{step}");
    }
    for input in crate::world::STRATEGY_INPUTS {
        assert!(
            body.contains(&format!("| `{input}`")) || body.contains(&format!(", `{input}`")),
            "{input}"
        );
    }
}

/// The row of a key of a kind of step; its cells.
fn step_row(kind: &str, key: &str) -> Vec<&'static str> {
    let rows = section("`[map.generate]`").lines().map(|line| line.split('|').collect::<Vec<_>>());
    let named = |row: &Vec<&str>| {
        let kinds = row.get(1).map_or("", |cell| cell.trim());
        let ours = kinds == "all" || kinds.split(", ").any(|word| word == format!("`{kind}`"));
        ours && row.get(2).is_some_and(|cell| cell.trim() == format!("`{key}`"))
    };
    let found: Vec<_> = rows.filter(named).collect();
    assert_eq!(found.len(), 1, "{key} of {kind} needs one row");
    found[0].iter().map(|cell| cell.trim()).collect()
}

/// The row of a key of a walker.
fn walker_row(key: &str) -> Vec<&'static str> {
    let rows = section("`[map.generate]`").split("An entry of `walkers`").nth(1).unwrap().lines();
    let row = rows.map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let mut row = row.filter(|row| row.get(1) == Some(&format!("`{key}`").as_str()));
    row.next().unwrap_or_else(|| panic!("{key} of walkers has no row"))
}

#[test]
fn every_key_of_every_step_is_documented() {
    let body = section("`[map.generate]`");
    let mut listed: Vec<(Vec<&str>, &str)> = Vec::new();
    for kind in Kind::WORDS {
        assert!(body.contains(&format!("\n| `{kind}` | ")), "{kind} has no row");
        let keys = keys_of(kind).into_iter().chain(GENERATED);
        listed.extend(keys.map(|key| (step_row(kind, key), key)));
    }
    let rows = body.lines().filter(|line| line.split('|').count() == 8).count();
    // Nothing is documented that there is not: the head and its line, and one row for each.
    listed.sort();
    listed.dedup();
    assert_eq!(rows, listed.len() + 2, "rows of steps");
    keys::<Walker>(&WALKER).into_iter().for_each(|key| drop(walker_row(key)));
    for (kind, key, words) in [("noise", "how", &How::NAMES[..]), ("scatter", "shape", &STAMP)] {
        let row = step_row(kind, key);
        assert!(words.iter().all(|word| row[3].contains(&format!("\"{word}\""))), "{key}: {row:?}");
        assert_eq!(row[5], format!("`\"{}\"`", words[0]), "{key}");
    }
    assert_eq!(default_word("`[map.generate]`", "fill"), format!("`{}`", char::from(FILL)));
    let (cave, rooms) = (Cave::default(), Rooms::default());
    for (kind, key, list) in [
        ("cave", "birth", format!("`{:?}`", cave.birth)),
        ("cave", "survive", format!("`{:?}`", cave.survive)),
        ("rooms", "size", format!("`[{}, {}]`", rooms.size[0], rooms.size[1])),
        ("places", "size", format!("{:?}", Stamp::of(FILL).size[0])),
    ] {
        assert_eq!(step_row(kind, key)[5], list, "{key} of {kind}");
    }
}

#[test]
fn the_example_of_a_generated_map_makes_one() {
    let text = examples(section("`[map.generate]`")).next().unwrap();
    let load = |text: &str, seed: u64| {
        let text = format!("ticks = 1\nseed = {seed}\n{text}{SPAWN}");
        let def = ScenarioDef::parse(&text, "made").unwrap_or_else(|error| panic!("{error}"));
        def.load_map(&|_| unreachable!()).unwrap_or_else(|error| panic!("{error}"))
    };
    let map = load(text, 1);
    assert_eq!((map.width(), map.height(), map.cell_size()), (300, 200, 2.0));
    for letter in b"WsT.RH" {
        assert!(map.letters().contains(letter), "no {}", char::from(*letter));
    }
    assert_eq!(map.class(0.0).component_count(), 1);
    // Its own seed goes before the scenario's; without it that one counts.
    assert_eq!(map, load(text, 2));
    let unseeded = text.replace("seed = 7\n", "");
    assert_eq!(map, load(&unseeded, 7));
    assert_ne!(map, load(&unseeded, 8));
    // Shapes come on top, and the steps' heights stay.
    let shapes = "wall_height = 5.0\nwalls = [{ rect = [0, 0, 40, 40] }]\n\
        ground = [{ hill = [100, 100, 20], height = 7 }]\n[map.generate]";
    let painted = load(&text.replace("[map.generate]", shapes), 1);
    let height = |map: &crate::map::Map, x: f32, y: f32| map.height_at([x, y]);
    assert_eq!(painted.letters()[0], b'@');
    assert_eq!(painted.wall_height(), 5.0);
    assert_eq!(height(&painted, 1.0, 1.0), height(&map, 1.0, 1.0));
    assert_eq!(height(&painted, 101.0, 101.0) - height(&map, 101.0, 101.0), 7.0 - 0.0625);
}
