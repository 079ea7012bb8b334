//! The traits of a `[[group]]`.

use crate::map::placement::MAX_RADIUS;
use crate::map::placement::MIN_RADIUS;
use crate::nav::navigator::Navigator;
use crate::scenario::error::Problems;
use crate::scenario::read::Limits;
use crate::scenario::read::Table;
use crate::scenario::read::quoted;
use crate::scenario::suggest::nearest;
use crate::world::Avoidance;
use crate::world::GroupDef;
use crate::world::LAYERS;

pub(super) const GROUP: [&str; 38] = [
    "name",
    "color",
    "preset",
    "radius",
    "speed",
    "acceleration",
    "response",
    "separation",
    "personal_space",
    "slowing_radius",
    "wall_margin",
    "sprint",
    "avoidance",
    "neighbour_range",
    "time_horizon",
    "wall_horizon",
    "time_gap",
    "weight",
    "layer",
    "avoids",
    "hold",
    "avoid_crowds",
    "team",
    "weapon",
    "health",
    "height",
    "halts",
    "hold_fire",
    "navigator",
    "machine",
    "places",
    "cost",
    "slope_cost",
    "max_slope",
    "behave",
    "spawn",
    "goal",
    "opposite",
];

const AVOIDANCE: [&str; 3] = ["separation", "orca", "none"];

const RADIUS: Limits = Limits::from("a radius in metres", MIN_RADIUS, MAX_RADIUS);
const SPEED: Limits = Limits::from("a speed in m/s", 0.01, 500.0);
const ACCELERATION: Limits = Limits::from("an acceleration in m/s²", 0.01, 1000.0);
const RESPONSE: Limits = Limits::from("a time in seconds", 0.02, 60.0);
const SEPARATION: Limits = Limits::from("a strength, 1 for ordinary,", 0.0, 20.0);
const GAP: Limits = Limits::from("a gap in metres", 0.0, 50.0);
const SLOWING: Limits = Limits::from("a distance in metres", 0.01, 1000.0);
const SPRINT: Limits = Limits::from("a multiple of `speed`", 1.0, 4.0);
const RANGE: Limits = Limits::from("a distance in metres", 0.1, 30.0);
const HORIZON: Limits = Limits::from("a time in seconds", 0.05, 60.0);
const TIME_GAP: Limits = Limits::from("a time in seconds", 0.0, 10.0);
const WEIGHT: Limits = Limits::from("a weight, 1 for ordinary,", 0.01, 100.0);

/// The traits of a group: its preset's, changed by what its table says.
pub(super) fn traits(table: &Table<'_>, problems: &mut Problems<'_>) -> GroupDef {
    let preset = one_word(table, "preset", &GroupDef::PRESETS, problems);
    let plain = preset.and_then(GroupDef::preset).unwrap_or_default();
    let avoidance = one_word(table, "avoidance", &AVOIDANCE, problems).map(|word| match word {
        "orca" => Avoidance::Orca,
        "none" => Avoidance::None,
        _ => Avoidance::Separation,
    });
    let navigator = one_word(table, "navigator", &Navigator::NAMES, problems);
    let navigator = navigator.and_then(Navigator::from_name);
    let mut number =
        |key: &str, limits: &Limits, default: f64| table.number(key, limits, default, problems);
    GroupDef {
        radius: number("radius", &RADIUS, plain.radius),
        speed: number("speed", &SPEED, plain.speed),
        acceleration: number("acceleration", &ACCELERATION, plain.acceleration),
        response: number("response", &RESPONSE, plain.response),
        separation: number("separation", &SEPARATION, plain.separation),
        personal_space: number("personal_space", &GAP, plain.personal_space),
        slowing_radius: number("slowing_radius", &SLOWING, plain.slowing_radius),
        wall_margin: number("wall_margin", &GAP, plain.wall_margin),
        sprint: number("sprint", &SPRINT, plain.sprint),
        neighbour_range: number("neighbour_range", &RANGE, plain.neighbour_range),
        time_horizon: number("time_horizon", &HORIZON, plain.time_horizon),
        wall_horizon: number("wall_horizon", &HORIZON, plain.wall_horizon),
        time_gap: number("time_gap", &TIME_GAP, plain.time_gap),
        weight: number("weight", &WEIGHT, plain.weight),
        avoidance: avoidance.unwrap_or(plain.avoidance),
        layer: layer(table, problems).unwrap_or(plain.layer),
        avoids: avoids(table, problems).unwrap_or(plain.avoids),
        hold: table.truth("hold", plain.hold, problems),
        navigator: navigator.unwrap_or(plain.navigator),
        avoid_crowds: table.truth("avoid_crowds", plain.avoid_crowds, problems),
        ..plain
    }
}

/// One of several words.
pub(super) fn one_word<'a>(
    table: &Table<'a>,
    key: &str,
    words: &[&'a str],
    problems: &mut Problems<'_>,
) -> Option<&'a str> {
    let node = table.get(key)?;
    let expected = format!("one of {}", quoted(words));
    let word = node.text(&expected, problems)?;
    if !words.contains(&word) {
        let expected = match nearest(word, words.iter().copied()) {
            Some(meant) => format!("\"{meant}\", if that is what you meant"),
            None => expected,
        };
        problems.bad_value(&node.at, &format!("is no {key}"), expected);
        return None;
    }
    Some(word)
}

fn layer(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<u8> {
    let node = table.get("layer")?;
    node.whole("a layer", [0, u64::from(LAYERS - 1)], problems).map(|layer| layer as u8)
}

/// The layers to keep clear of, as bits.
fn avoids(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<u32> {
    let node = table.get("avoids")?;
    let entries = node.array("an array of layers, as in [0, 2]", LAYERS.into(), problems)?;
    let mut bits = 0;
    for entry in &entries {
        bits |= 1 << entry.whole("a layer", [0, u64::from(LAYERS - 1)], problems)?;
    }
    Some(bits)
}
