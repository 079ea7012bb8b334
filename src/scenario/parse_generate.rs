//! `[map.generate]`: the frame, and where what the recipe finds wrong is written.

use crate::generate::{GenerateError, MAX_STEPS, Recipe, Step};
use crate::map::{Legend, limits};
use crate::scenario::def::GenerateDef;
use crate::scenario::error::Place;
use crate::scenario::parse_name::{color, group_name};
use crate::scenario::parse_step::{by_letter, step};
use crate::scenario::read::{Node, Table};

/// The keys of `[map.generate]`.
pub(super) const GENERATE: [&str; 7] =
    ["width", "height", "seed", "fill", "colors", "names", "step"];

/// Letter of every cell before the first step.
pub(super) const FILL: u8 = b'.';

/// The recipe of a map with cells of `cell` metres whose letters mean what `legend` says.
pub(super) fn generate(node: &Node<'_>, cell: f64, legend: &Legend) -> Option<GenerateDef> {
    let table = node.table("a table with `width`, `height` and `step`", &GENERATE)?;
    let side = |key: &str| {
        let what = format!("a {key} in cells");
        let node = table.needed(key, format!("{what}, as in 256"))?;
        node.whole(&what, [1, u64::from(limits::MAX_SIDE)]).map(|side| side as u32)
    };
    let (width, height) = (side("width"), side("height"));
    let seed = match table.get("seed") {
        Some(node) => Some(node.whole("the seed of the map", [0, u64::MAX])?),
        None => None,
    };
    let fill = match table.get("fill") {
        Some(node) => node.letter()?,
        None => FILL,
    };
    let what = "a table of letters and colours, as in { W = \"#7fb2d0\" }";
    let colours = match table.get("colors") {
        Some(node) => by_letter(&node, what, color)?,
        None => Vec::new(),
    };
    let name = |node: &Node<'_>| Some(group_name(node));
    let what = "a table of letters and names, as in { W = \"water\" }";
    let names = match table.get("names") {
        Some(node) => by_letter(&node, what, name)?,
        None => Vec::new(),
    };
    let what = "an array of steps, as in [[map.generate.step]]";
    let nodes = table.needed("step", what)?.array(what, MAX_STEPS)?;
    let (mut tables, mut steps) = (Vec::new(), Vec::new());
    for node in &nodes {
        let Some((table, step)) = step(node) else { continue };
        tables.push(table);
        steps.push(step);
    }
    let (width, height) = (width?, height?);
    let steps: Option<Vec<Step>> = steps.into_iter().collect();
    let recipe = Recipe { width, height, cell, fill, steps: steps? };
    if tables.len() < nodes.len() {
        return None;
    }
    let wrong = recipe.problems(legend);
    for error in &wrong {
        let at = error.step.map_or(&table, |step| &tables[step]);
        node.problems.problem(&place(at, error), &error.wrong, &error.expected);
    }
    let steps = tables.into_iter().map(|table| table.at).collect();
    wrong.is_empty().then_some(GenerateDef { recipe, colours, names, seed, steps, at: table.at })
}

/// Where the key of an error is written, as nearly as it is.
fn place(table: &Table<'_>, error: &GenerateError) -> Place {
    let list = table.present(&["rules", "walkers"]);
    if let (Some(entry), Some(list)) = (error.entry, list.first().and_then(|key| table.get(key)))
        && let Some(node) = list.entries().get(entry)
    {
        // The words of an entry are known by now.
        return node.member(error.key).unwrap_or_else(|| node.at.clone());
    }
    match table.get(error.key) {
        Some(node) => node.at,
        None => Place { span: table.at.span.clone(), key: table.at.key(error.key) },
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{ScenarioDef, ScenarioError};

    const STEP: &str = "[[map.generate.step]]\n";

    /// Reads a map of rules and makes it.
    fn load(frame: &str, steps: &[&str]) -> Result<crate::map::Map, ScenarioError> {
        let mut text = format!("[map]\n[map.generate]\n{frame}\n");
        steps.iter().for_each(|step| text.push_str(&format!("{STEP}{step}\n")));
        ScenarioDef::parse_ground(&text, "g.toml")?.load_map(&|_| unreachable!())
    }

    /// Checks that the first problem is at a line and column, has the key, and what is said.
    fn refused(
        frame: &str,
        steps: &[&str],
        at: (u32, u32),
        key: &str,
        wrong: &str,
        expected: &str,
    ) {
        let error = load(frame, steps).expect_err(wrong);
        let first = error.first();
        let key = format!("map.generate{key}");
        assert_eq!(((first.line, first.column), &first.key), (at, &key), "{error}");
        assert!(first.wrong.contains(wrong), "`{wrong}` is not in: {error}");
        assert!(first.expected.contains(expected), "`{expected}` is not in: {error}");
        assert_eq!(error.problems.len(), 1, "{error}");
    }

    const FRAME: &str = "width = 20\nheight = 10";
    const NOISE: &str = "kind = \"noise\"\nlayer = \"n\"";

    #[test]
    fn frames_are_checked() {
        for (frame, at, key, wrong, expected) in [
            ("width = 20", (2, 1), ".height", "missing", "as in 256"),
            ("width = 0\nheight = 9", (3, 9), ".width", "0 is below 1", "16384"),
            ("width = 20.5\nheight = 9", (3, 9), ".width", "not a whole", "cells"),
            ("width = 20\nheight = 9\nseed = -1", (5, 8), ".seed", "below 0", "seed of the map"),
            ("width = 20\nheight = 9\nfill = \"ab\"", (5, 8), ".fill", "not one letter", "\".\""),
            ("width = 20\nheight = 9\nfill = \"q\"", (5, 8), ".fill", "`q` is not", "`cost`"),
            ("width = 20\nheight = 9\ncolors = 5", (5, 10), ".colors", "a number", "a table"),
            ("width = 2\nheight = 9\ncolors.WW = \"#000000\"", (5, 13), ".colors.WW", "one", "W ="),
            ("width = 2\nheight = 9\ncolors.W = \"red\"", (5, 12), ".colors.W", "colour", "rrggbb"),
            ("width = 2\nheight = 9\nnames.WW = \"water\"", (5, 12), ".names.WW", "one", "water"),
            ("width = 2\nheight = 9\nnames.W = \"\"", (5, 11), ".names.W", "not a name", "64"),
            ("width = 20\nheight = 9\nsteps = []", (5, 1), ".steps", "no such key", "`step`, if"),
            ("width = 16_384\nheight = 16_384", (3, 9), ".width", "268435456", "67,108,864"),
        ] {
            refused(frame, &[NOISE], at, key, wrong, expected);
        }
        refused(FRAME, &[], (2, 1), ".step", "missing", "[[map.generate.step]]");
        let error = load(FRAME, &["kind = 5", "kind = \"noise\"", NOISE]).unwrap_err();
        assert_eq!(error.problems.len(), 2, "{error}");
    }

    /// A step, and what is said of it: line and column, the key, what is wrong and what is expected.
    type Case = (&'static str, (u32, u32), &'static str, &'static str, &'static str);

    const CASES: &[Case] = &[
        ("layer = \"n\"", (5, 1), ".kind", "missing", "one of `noise`, `ramp`"),
        ("kind = \"nose\"", (6, 8), ".kind", "is no kind", "\"noise\", if"),
        ("kind = \"noise\"", (5, 1), ".layer", "missing", "a name"),
        ("kind = \"noise\"\nlayr = \"n\"", (7, 1), ".layr", "no such key", "`layer`, if"),
        ("kind = \"noise\"\nlayer = \"n\"\nbirth = [3]", (8, 1), ".birth", "no such", "one of"),
        ("kind = \"noise\"\nlayer = \"n\"\nscale = -4", (8, 9), ".scale", "-4 is below", "0.1"),
        ("kind = \"noise\"\nlayer = \"n\"\nscale = inf", (8, 9), ".scale", "not a finite", ""),
        ("kind = \"noise\"\nlayer = \"n\"\nsalt = -1", (8, 8), ".salt", "below 0", "whole"),
        (
            "kind = \"noise\"\nlayer = \"n\"\nwith = \"m\"",
            (8, 8),
            ".with",
            "no step makes a layer `m`",
            "a step before it",
        ),
        (
            "kind = \"noise\"\nlayer = \"n\"\nhow = \"add\"",
            (8, 7),
            ".how",
            "no `with`",
            "beside it",
        ),
        (
            "kind = \"noise\"\nlayer = \"n\"\nwith = \"m\"\nhow = \"sum\"",
            (9, 7),
            ".how",
            "\"sum\" is no how",
            "`multiply`",
        ),
        (
            "kind = \"noise\"\nlayer = \"n\"\ntransfer = [[0, 0], [1]]",
            (8, 21),
            ".transfer[1]",
            "has 1 number",
            "two",
        ),
        (
            "kind = \"biomes\"\nrules = [{ letter = \".\" }, { letter = \"q\" }]",
            (7, 39),
            ".rules[1].letter",
            "`q` is not a letter",
            "`cost` names",
        ),
        (
            "kind = \"biomes\"\nrules = [{ letter = \".\", height = [0, 1] }]",
            (7, 35),
            ".rules[0].height",
            "no step before it gives",
            "`height` before it",
        ),
        ("kind = \"biomes\"\nrules = []", (7, 9), ".rules", "is empty", "an array of rules"),
        ("kind = \"biomes\"\nrules = [{ on = \".\" }]", (7, 10), ".rules[0].letter", "mis", "p"),
        (
            "kind = \"walkers\"\nwalkers = [{ turn = 3 }]",
            (7, 21),
            ".walkers[0].turn",
            "3 is above 1",
            "0 to 1",
        ),
        (
            "kind = \"walkers\"\nwalkers = [{ heading = \"up\" }]",
            (7, 24),
            ".walkers[0].heading",
            "\"up\" is no heading",
            "`north`",
        ),
        ("kind = \"cave\"\nbirth = [9]", (7, 10), ".birth[0]", "9 is above 8", "neighbours"),
        ("kind = \"cave\"\nwall = \"\"", (7, 8), ".wall", "not one letter", "a letter"),
        ("kind = \"cave\"\nwithin = { rect = [5, 5, 5, 9] }", (7, 19), ".within.rect", "area", ""),
        ("kind = \"rooms\"\nsize = [1, 2, 3]", (7, 8), ".size", "has 3 numbers", "two"),
        ("kind = \"places\"\nname = \"p\"", (5, 1), ".count", "missing", "as in 20"),
        (
            "kind = \"places\"\nname = \"p\"\ncount = 3\nsize = 4",
            (9, 8),
            ".size",
            "no `letter` for it",
            "both",
        ),
        ("kind = \"scatter\"\ncount = 3", (5, 1), ".letter", "missing", "painted"),
        ("kind = \"roads\"\nplaces = \"p\"", (7, 10), ".places", "no step makes a list", "a step"),
        ("kind = \"connect\"\nbridges = { W = 5 }", (7, 17), ".bridges.W", "a number", "a letter"),
        ("kind = \"connect\"\nbridges.W = \"T\"", (7, 1), ".bridges", "`T` is a wall", "cost 0"),
    ];

    #[test]
    fn mistakes_of_steps_are_told_at_their_place() {
        for (step, at, key, wrong, expected) in CASES {
            refused(FRAME, &[step], *at, &format!(".step[0]{key}"), wrong, expected);
        }
        // Found when it is made: the whole step is at fault.
        let wrong = "no space for a room";
        let step = "kind = \"rooms\"\nsize = 30";
        refused(FRAME, &[step], (5, 1), ".step[0]", wrong, "smaller rooms");
    }

    #[test]
    fn a_file_of_a_map_alone_says_what_it_cannot_use() {
        let text = "[map]\nsize = [9, 9]\n[settings]\n";
        let error = ScenarioDef::parse_ground(text, "m.toml").unwrap_err();
        assert_eq!((error.first().line, error.first().key.as_str()), (3, "settings"), "{error}");
        assert!(ScenarioDef::parse_ground("seed = 5\n[map]\nsize = [9, 9]", "m").is_ok());
        // With `ticks` it is a scenario, whole.
        let error = ScenarioDef::parse_ground("ticks = 5\n[map]\nsize = [9, 9]", "m").unwrap_err();
        assert_eq!(error.first().key, "group", "{error}");
    }
}
