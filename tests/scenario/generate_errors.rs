//! Bad rules of maps in scenario files, and what a file of a map alone may say.

use crate::common::scenarios::{Mistake, below, plan, refused};
use crate::errors::{GROUP, TOP};
use throng::scenario::ScenarioDef;

const FRAME: &str = "width = 20\nheight = 10";
const NOISE: &str = "kind = \"noise\"\nlayer = \"n\"";

const STEP: &str = "[[map.generate.step]]\n";

/// Checks that a text has one problem, which is in the rules.
fn refused_alone(text: &str, key: &str, wrong: &str, expected: &str) {
    let error = refused(text, &format!("map.generate{key}"), wrong, expected);
    assert_eq!(error.problems.len(), 1, "{error}");
}

const FRAMES: &[Mistake] = &[
    ("width = 20", ".height", "missing", "as in 256"),
    ("width = §0\nheight = 9", ".width", "0 is below 1", "16384"),
    ("width = §20.5\nheight = 9", ".width", "not a whole", "cells"),
    ("width = 20\nheight = 9\nseed = §-1", ".seed", "below 0", "seed of the map"),
    ("width = 20\nheight = 9\nfill = §\"ab\"", ".fill", "not one letter", "\".\""),
    ("width = 20\nheight = 9\nfill = §\"q\"", ".fill", "`q` is not", "`cost`"),
    ("width = 20\nheight = 9\ncolors = §5", ".colors", "a number", "a table"),
    ("width = 2\nheight = 9\ncolors.WW = §\"#000000\"", ".colors.WW", "one", "W ="),
    ("width = 2\nheight = 9\ncolors.W = §\"red\"", ".colors.W", "colour", "rrggbb"),
    ("width = 2\nheight = 9\nnames.WW = §\"water\"", ".names.WW", "one", "water"),
    ("width = 2\nheight = 9\nnames.W = §\"\"", ".names.W", "not a name", "64"),
    ("width = 20\nheight = 9\n§steps = []", ".steps", "no such key", "`step`, if"),
    ("width = §16_384\nheight = 16_384", ".width", "268435456", "67,108,864"),
];

#[test]
fn frames_are_checked() {
    for (frame, key, wrong, expected) in FRAMES {
        let text = format!("{TOP}{}{STEP}{NOISE}\n{GROUP}", below("[map.generate]", frame));
        refused_alone(&text, key, wrong, expected);
    }
    let text = format!("{TOP}{}{GROUP}", below("[map.generate]", FRAME));
    refused_alone(&text, ".step", "missing", "[[map.generate.step]]");
    let steps = ["kind = 5", "kind = \"noise\"", NOISE].map(|step| format!("{STEP}{step}\n"));
    let text = format!("{TOP}[map.generate]\n{FRAME}\n{}{GROUP}", steps.concat());
    let error = plan(&text).unwrap_err();
    assert_eq!(error.problems.len(), 2, "{error}");
}

const STEPS: &[Mistake] = &[
    ("layer = \"n\"", ".kind", "missing", "one of `noise`, `ramp`"),
    ("kind = §\"nose\"", ".kind", "is no kind", "\"noise\", if"),
    ("kind = \"noise\"", ".layer", "missing", "a name"),
    ("kind = \"noise\"\n§layr = \"n\"", ".layr", "no such key", "`layer`, if"),
    ("kind = \"noise\"\nlayer = \"n\"\n§birth = [3]", ".birth", "no such", "one of"),
    ("kind = \"noise\"\nlayer = \"n\"\nscale = §-4", ".scale", "-4 is below", "0.1"),
    ("kind = \"noise\"\nlayer = \"n\"\nscale = §inf", ".scale", "not a finite", ""),
    ("kind = \"noise\"\nlayer = \"n\"\nsalt = §-1", ".salt", "below 0", "whole"),
    (
        "kind = \"noise\"\nlayer = \"n\"\nwith = §\"m\"",
        ".with",
        "no step makes a layer `m`",
        "a step before it",
    ),
    ("kind = \"noise\"\nlayer = \"n\"\nhow = §\"add\"", ".how", "no `with`", "beside it"),
    (
        "kind = \"noise\"\nlayer = \"n\"\nwith = \"m\"\nhow = §\"sum\"",
        ".how",
        "\"sum\" is no how",
        "`multiply`",
    ),
    (
        "kind = \"noise\"\nlayer = \"n\"\ntransfer = [[0, 0], §[1]]",
        ".transfer[1]",
        "has 1 number",
        "two",
    ),
    (
        "kind = \"biomes\"\nrules = [{ letter = \".\" }, { letter = §\"q\" }]",
        ".rules[1].letter",
        "`q` is not a letter",
        "`cost` names",
    ),
    (
        "kind = \"biomes\"\nrules = [{ letter = \".\", height = §[0, 1] }]",
        ".rules[0].height",
        "no step before it gives",
        "`height` before it",
    ),
    ("kind = \"biomes\"\nrules = §[]", ".rules", "is empty", "an array of rules"),
    ("kind = \"biomes\"\nrules = [§{ on = \".\" }]", ".rules[0].letter", "mis", "p"),
    ("kind = \"walkers\"\nwalkers = [{ turn = §3 }]", ".walkers[0].turn", "3 is above 1", "0 to 1"),
    (
        "kind = \"walkers\"\nwalkers = [{ heading = §\"up\" }]",
        ".walkers[0].heading",
        "\"up\" is no heading",
        "`north`",
    ),
    ("kind = \"cave\"\nbirth = [§9]", ".birth[0]", "9 is above 8", "neighbours"),
    ("kind = \"cave\"\nwall = §\"\"", ".wall", "not one letter", "a letter"),
    ("kind = \"cave\"\nwithin = { rect = §[5, 5, 5, 9] }", ".within.rect", "area", ""),
    ("kind = \"rooms\"\nsize = §[1, 2, 3]", ".size", "has 3 numbers", "two"),
    ("kind = \"places\"\nname = \"p\"", ".count", "missing", "as in 20"),
    (
        "kind = \"places\"\nname = \"p\"\ncount = 3\nsize = §4",
        ".size",
        "no `letter` for it",
        "both",
    ),
    ("kind = \"scatter\"\ncount = 3", ".letter", "missing", "painted"),
    ("kind = \"roads\"\nplaces = §\"p\"", ".places", "no step makes a list", "a step"),
    ("kind = \"connect\"\nbridges = { W = §5 }", ".bridges.W", "a number", "a letter"),
    ("kind = \"connect\"\n§bridges.W = \"T\"", ".bridges", "`T` is a wall", "cost 0"),
];

#[test]
fn mistakes_of_steps_are_told_at_their_place() {
    let text = |step: &str| {
        format!("{TOP}[map.generate]\n{FRAME}\n{}{GROUP}", below(STEP.trim_end(), step))
    };
    for (step, key, wrong, expected) in STEPS {
        refused_alone(&text(step), &format!(".step[0]{key}"), wrong, expected);
    }
    // Found when it is made: the whole step is at fault.
    let step = "kind = \"rooms\"\nsize = 30";
    refused_alone(&text(step), ".step[0]", "no space for a room", "smaller rooms");
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
