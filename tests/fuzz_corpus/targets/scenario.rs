//! Scenario files, from text to a plan.

use std::io;

use throng::generate::Recipe;
use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::scenario::{MapSource, Plan, ScenarioDef};
use throng::world::{Order, World};

use super::mutate::{Part, Random, edit_text};
use super::{Outcome, Target, meter, play};

/// The target.
pub const TARGET: Target = Target { name: "scenario", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, and for none.
const CAP: [usize; 2] = [2_500, 64 << 10];
/// Most bytes that a plan takes for each cell, of the map or a multiple of it for every group.
const CELL: usize = 64;
/// Most bytes that a step of a recipe takes for each cell, and for each unit of work.
const STEP: usize = 192;
const DOT: usize = 64;
/// Most work of a recipe that is done.
const WORK: f64 = 1e6;
/// Cells times groups, at most, of a scenario that is planned.
const CELLS: usize = 1 << 14;
/// Agents of a scenario that is planned, at most.
const AGENTS: u64 = 2_000;

/// The only map file that there is.
const FILE: &[u8] = b"type octile\nheight 6\nwidth 8\nmap\n........\n.@@.....\n.@@..TT.\n\
    .....TT.\n........\n.SS.....\n";

fn file(path: &str) -> io::Result<Vec<u8>> {
    if path.contains("no") { Err(io::ErrorKind::NotFound.into()) } else { Ok(FILE.to_vec()) }
}

/// Reads a scenario; a small one is planned, and its first ticks are run.
pub fn run(bytes: &[u8]) -> Outcome {
    let text = CAP[0] * bytes.len() + CAP[1];
    let read = meter::within("a scenario", |_| text, || ScenarioDef::from_bytes(bytes, "a.toml"));
    let def = match read {
        Ok(def) => def,
        Err(error) => {
            assert!(!error.to_string().is_empty() && error.first().line > 0);
            return Outcome::Refused;
        }
    };
    // Bytes that a recipe takes while it is done.
    let mut made = 0;
    let cells = match &def.map.source {
        MapSource::File { .. } => FILE.len(),
        MapSource::Rows { rows } => rows.iter().map(String::len).sum(),
        MapSource::Open { width, height } => *width as usize * *height as usize,
        MapSource::Generate(rules) if rules.recipe.work(&def.map.legend) > WORK => {
            return Outcome::Read;
        }
        MapSource::Generate(rules) => {
            let Recipe { width, height, ref steps, .. } = rules.recipe;
            made = STEP * width as usize * height as usize * (1 + steps.len())
                + DOT * rules.recipe.work(&def.map.legend) as usize;
            width as usize * height as usize
        }
    };
    let work = cells * (def.groups.len() + def.map.paint.len() + def.map.ground.len());
    if work > CELLS || def.agents() > AGENTS {
        return Outcome::Read;
    }
    let cap = text + CELL * work + made + 64 * AGENTS as usize;
    let plan = meter::within(
        "a plan",
        |_| cap,
        || {
            let map = def.load_map(&file)?;
            Plan::new(&def, map)
        },
    );
    match plan {
        Err(error) => {
            assert!(!error.to_string().is_empty() && error.first().line > 0);
            Outcome::Refused
        }
        Ok(plan) if !play::is_small(&plan.map) => Outcome::Read,
        Ok(plan) => {
            match plan.numeric {
                Numeric::F32 => tried_out::<f32>(&plan),
                Numeric::Fixed => tried_out::<Fx>(&plan),
            }
            Outcome::Played
        }
    }
}

/// Plays the first ticks that have orders, one after another.
fn tried_out<N: Numbers>(plan: &Plan) {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).expect("the plan was checked");
    let mut ticks: Vec<Vec<Order>> = Vec::new();
    let mut last = None;
    for (at, order) in &plan.orders {
        if last != Some(at) {
            ticks.push(Vec::new());
            last = Some(at);
        }
        ticks.last_mut().expect("one was pushed").push(order.clone());
    }
    ticks.resize(ticks.len() + 4, Vec::new());
    let ticks: Vec<&[Order]> = ticks.iter().map(Vec::as_slice).collect();
    play::play(&mut world, &ticks);
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("plain", text(PLAIN)),
        ("behaviours", text(BEHAVIOURS)),
        ("companies", text(COMPANIES)),
        ("battle", text(BATTLE)),
        ("minds", text(MINDS)),
        ("rows", text(ROWS)),
        ("file", text(MAP_FILE)),
        ("island", text(ISLAND)),
        ("caves", text(CAVES)),
    ]
}

const BATTLE: &str = r##"ticks = 40
end = { beaten = 0.5 }
map = { size = [24, 12] }
[[weapon]]
name = "bow"
preset = "bow"
range = 20
arc = "high"
cooldown = 0.2
[[weapon]]
name = "bomb"
speed = 15
splash = 2.5
power = "least"
choice = "weakest"
sticky = false
friendly_fire = true
[[team]]
name = "red"
color = "#d94f4f"
[[team]]
name = "blue"
[[team]]
name = "green"
allies = ["red"]
[[group]]
name = "reds"
team = "red"
weapon = "bow"
health = 40
spawn = [{ rect = [1, 1, 8, 11], count = 12 }]
[[group]]
name = "blues"
team = "blue"
weapon = "bomb"
height = 2.5
halts = false
spawn = [{ rect = [15, 1, 22, 11], count = 9 }]
goal = { point = [4, 6] }
[[order]]
tick = 2
launch = "reds"
weapon = "bomb"
from = [2, 2, 1]
velocity = [14, 3, 4]
"##;

const MINDS: &str = r##"ticks = 40
signals = ["alarm"]
map = { size = [24, 12] }
[[weapon]]
name = "bow"
preset = "bow"
ammunition = 5
[[fuzzy]]
name = "temper"
rules = [
    "if enemy is near and not health is hale then fury is calm",
    { rule = "if enemy is far then fury is wild", weight = 0.5 },
]
[[fuzzy.input]]
name = "enemy"
range = [0, 12]
terms = { near = { left_shoulder = [3, 9] }, far = { right_shoulder = [5, 11] } }
[[fuzzy.input]]
name = "health"
range = [0, 1]
terms = { hale = { trapezoid = [0.2, 0.5, 1, 1] } }
[[fuzzy.output]]
name = "fury"
range = [0, 1]
terms = { calm = { triangle = [0, 0.2, 0.5] }, wild = { triangle = [0.4, 0.8, 1] } }
[[machine]]
name = "guard"
every = 0.1
sight = 12
near = 4
[[machine.state]]
name = "walk"
speed = 0.8
enter = ["count = 2"]
go = [
    { to = "rush", when = "fury > 0.6 and not arrived", do = ["signal alarm"] },
    { to = "ponder", when = "hit" },
]
[[machine.state]]
name = "rush"
goal = "enemy"
update = ["count + 1"]
go = [{ to = "ponder", when = "count > 4 or timer > 0.3", argument = 3.5 }]
[[machine.state]]
name = "ponder"
decides = true
exit = ["forget"]
go = [{ to = "hold", when = "argument > 2" }, { to = "walk" }]
[[machine.state]]
name = "hold"
goal = "away"
hold_fire = true
behave = [{ kind = "wander" }]
go = [{ to = "walk", when = "since.alarm < 0.2" }]
[[team]]
name = "red"
review = 0.2
[[team.strategy]]
name = "attack"
when = "foes > 0"
while = "strength > 0.3 or since.alarm < 2"
plan = [
    { step = "gather", at = { disc = [8, 4, 2] }, until = "arrived > 0.5" },
    { step = "flank", side = "left", distance = 5 },
    { step = "march", to = "enemy" },
]
[[team.strategy]]
name = "recover"
priority = 7
when = "strength < 0.8 and rest > 1"
excludes = ["attack"]
plan = [{ step = "retreat", to = "home", state = "hold" }]
[[team]]
name = "blue"
[[group]]
name = "reds"
team = "red"
weapon = "bow"
machine = "guard"
slope_cost = 2
spawn = [{ rect = [1, 1, 8, 11], count = 12 }]
[[group]]
name = "blues"
team = "blue"
weapon = "bow"
hold_fire = true
spawn = [{ rect = [15, 1, 22, 11], count = 9 }]
"##;

const PLAIN: &str = r##"name = "plain"
seed = 7
ticks = 50
numeric = "fixed"
[map]
size = [20, 12]
cell = 1.0
wall_height = 2.5
ground = [{ hill = [6, 6, 4], height = 8.5 }, { rect = [10, 0, 20, 12], height = -3 }]
walls = [{ rect = [9, 0, 10, 5] }, { disc = [15, 3, 1] }, { polygon = [[3, 8], [5, 8], [4, 10]] }]
terrain = [{ disc = [12, 9, 2], cost = 2.5 }]
[settings]
field_cells_per_tick = 100
field_cache_mb = 1
contact_passes = 2
crowding_ticks = 3
[end]
arrived = 0.9
[[group]]
name = "red"
color = "#d94f4f"
preset = "rts"
radius = 0.35
spawn = [{ rect = [1, 1, 8, 6], count = 20 }]
goal = { any = [{ point = [18, 6] }, { rect = [11, 8, 14, 11] }] }
[[group]]
name = "blue"
avoidance = "none"
[[order]]
tick = 1
spawn = "blue"
area = { disc = [16, 8, 3] }
count = 6
[[order]]
tick = 2
move = "blue"
goal = { point = [2, 10] }
[[order]]
tick = 3
stop = "red"
[[order]]
tick = 4
remove = "red"
area = { rect = [0, 0, 4, 12] }
"##;

const BEHAVIOURS: &str = r#"ticks = 50
tick_rate = 30
[map]
size = [16, 16]
[[group]]
name = "a"
spawn = [{ rect = [1, 1, 6, 6], count = 9 }]
opposite = [8, 8]
behave = [
    { kind = "cohesion", with = "a", range = 5.0, weight = 0.5 },
    { kind = "alignment", range = 5.0 },
    { kind = "wander", turn = 1.0, rate = 0.5, priority = 1 },
    { kind = "flee", from = "b", range = 4.0 },
]
[[group]]
name = "b"
spawn = [{ disc = [12, 12, 3], count = 4 }]
behave = [
    { kind = "pursue", to = "a", range = 20.0, horizon = 1.0 },
    { kind = "path", points = [[2, 2], [14, 2], [14, 14]], radius = 1.0, loop = true },
    { kind = "wall", side = "left", distance = 1.0, range = 3.0 },
    { kind = "seek", to = [8, 8], range = 10.0 },
]
[[order]]
tick = 2
behave = "a"
behaviours = [{ kind = "goal" }, { kind = "evade", from = "b", range = 3.0, horizon = 1.0 }]
"#;

const COMPANIES: &str = r#"ticks = 50
[map]
size = [30, 20]
cell = 0.5
[[group]]
name = "a"
preset = "pedestrian"
spawn = [{ rect = [1, 1, 6, 6], count = 9 }]
[[group]]
name = "b"
preset = "horde"
spawn = [{ rect = [7, 1, 12, 6], count = 5 }]
[[company]]
name = "all"
groups = ["a", "b"]
formation = "wedge"
spacing = 1.0
files = 3
goal = { point = [12, 8] }
[[order]]
tick = 1
form = "all"
formation = "line"
[[order]]
tick = 3
move = "all"
goal = { disc = [3, 8, 1] }
[[order]]
tick = 5
stop = "all"
[[gate]]
name = "door"
from = [1, 1]
to = [1, 9]
[[area]]
name = "yard"
rect = [1, 1, 9, 9]
"#;

const ROWS: &str = r#"ticks = 5
dt = 0.05
[map]
rows = """
........
..@@....
.mm..T..
"""
cost = { m = 2.0, T = 0 }
[[group]]
name = "a"
spawn = [{ point = [0.5, 0.5] }]
goal = { rect = [6, 0, 8, 3] }
hold = true
layer = 3
avoids = [0, 3]
"#;

const MAP_FILE: &str = r#"ticks = 5
[map]
file = "ground.map"
[[group]]
name = "a"
spawn = [{ rect = [0, 0, 8, 1], count = 3 }]
avoid_crowds = true
goal = { polygon = [[0, 4], [8, 4], [8, 6]] }
"#;

/// What a scenario may say, beside its keys and the words that these take.
const WORDS: [&str; 5] = ["hill", "column", "block", "true", "false"];

/// Changes lines, numbers and words, or bytes.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let words: Vec<&str> = WORDS.into_iter().chain(throng::scenario::words()).collect();
    let mut text = bytes.to_vec();
    if random.below(8) == 0 {
        part(&mut text, random);
    } else {
        for _ in 0..=random.below(2) {
            edit_text(&mut text, random, &words);
        }
    }
    text
}

/// A map by rules, with a town.
const ISLAND: &str = r#"ticks = 30
seed = 11
[map]
cell = 2.0
[map.cost]
s = 1.25
R = 0.75
b = 0.75
t = 1
H = 0
[map.generate]
width = 36
height = 28
fill = "W"
step = [
    { kind = "ramp", layer = "dome", transfer = [[0, 0], [0.25, 0.3], [0.8, 0.5]] },
    { kind = "noise", layer = "land", scale = 30, octaves = 4, with = "dome", how = "add" },
    { kind = "blend", layer = "inland", of = "land", transfer = [[0.3, 0], [0.8, 1]] },
    { kind = "height", layer = "land", range = [-20, 60] },
    { kind = "biomes", rules = [
        { letter = "W", height = [-1000, 0] },
        { letter = "@", slope = [1.5, 100] },
        { letter = "s", inland = [0, 0.2] },
        { letter = "." },
    ] },
    { kind = "connect", keep = 20, wall = "@", floor = ".", bridges = { W = "b" }, width = 2 },
    { kind = "places", name = "towns", method = "poisson", spacing = 20, count = 3, on = ".s",
      letter = "t", size = [6, 9] },
    { kind = "roads", places = "towns", letter = "R", width = 2, loops = 1, slope = 0.1,
      bridges = { W = "b" } },
    { kind = "scatter", letter = "H", shape = "rect", size = [2, 4], method = "poisson",
      spacing = 6, near = "towns", reach = 15, on = "t." },
]
[[group]]
name = "a"
spawn = [{ rect = [10, 10, 60, 46], count = 20 }]
goal = { disc = [36, 28, 9] }
"#;

/// A map that is dug: rooms, a cave and walkers.
const CAVES: &str = r#"ticks = 20
seed = 4
[map]
[map.cost]
m = 1.5
c = 1
[map.generate]
width = 40
height = 32
fill = "@"
step = [
    { kind = "rooms", count = 4, size = [5, 9], gap = 2, corridor = 2, loops = 0.25, passage = "c",
      name = "halls" },
    { kind = "cave", within = { rect = [2, 2, 38, 30] }, on = "@", fill = 0.44, rounds = 3, salt = 3 },
    { kind = "walkers", walkers = [
        { count = 2, steps = 60, start = "halls", heading = "east", turn = 0.2, pull = 0.6,
          radius = 2, depth = 3, deposit = "m", share = 0.7, dig = "." },
    ] },
    { kind = "places", name = "wells", method = "halton", count = 3, on = "." },
    { kind = "connect", keep = 10, width = 2 },
]
[[group]]
name = "a"
spawn = [{ rect = [2, 2, 38, 30], count = 12 }]
"#;
