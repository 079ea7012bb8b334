//! Bad scenario files: every mistake is refused with its line, column, key and what would be right.

use crate::common::scenarios::{Mistake, all_refused, below, refused};

/// A scenario of four parts, each of which a case can replace.
pub(crate) const TOP: &str = "ticks = 100\n";
pub(crate) const MAP: &str = "[map]\nsize = [40, 20]\n";
pub(crate) const GROUP: &str =
    "[[group]]\nname = \"red\"\nspawn = [{ rect = [1, 1, 9, 9], count = 20 }]\n";

/// Lines added at the top.
const TOP_CASES: &[Mistake] = &[
    ("§tiks = 5", "tiks", "no such key", "`ticks`, if"),
    ("§zzz = 5", "zzz", "no such key", "one of `name`"),
    ("§\"\" = 5", "", "no such key", "one of `name`"),
    ("name = §5", "name", "5 is a number", "a text in quotes"),
    ("seed = §-1", "seed", "-1 is below 0", "18446744073709551615"),
    ("seed = §18446744073709551616", "seed", "is above", "a whole number"),
    ("seed = §999999999999999999999999999999999999999999", "seed", "is above", "a whole number"),
    ("seed = §1.5", "seed", "1.5 is not a whole number", "from 0 to"),
    ("seed = §\"one\"", "seed", "\"one\" is a text", "a whole number"),
    ("numeric = §\"f64\"", "numeric", "\"f64\" is not a number type", "`f32`"),
    ("numeric = §\"fixd\"", "numeric", "is not a number type", "\"fixed\", if"),
    ("numeric = §32", "numeric", "32 is a number", "`f32` or `fixed`"),
    ("tick_rate = §0", "tick_rate", "0 is below 1", "1 to 1000"),
    ("tick_rate = §1001", "tick_rate", "is above 1000", "1 to 1000"),
    ("tick_rate = §30.0", "tick_rate", "is not a whole number", "1 to 1000"),
    ("dt = §0.0", "dt", "0.0 is below 0.001", "seconds"),
    ("dt = §nan", "dt", "nan is not a finite number", "seconds"),
    ("dt = §-inf", "dt", "-inf is not a finite number", "seconds"),
    ("dt = §1e400", "dt", "1e400 is not a finite number", "seconds"),
    ("dt = §0.03", "dt", "33.33", "tick_rate = 33 in place of dt"),
    ("dt = §0.05\ntick_rate = 30", "dt", "contradicts `tick_rate`", "only one"),
    ("end = §0.9", "end", "0.9 is a number", "{ arrived = 0.99 }"),
    ("end = { arrived = §0 }", "end.arrived", "0 is not above 0", "a share"),
    ("end = { arrived = §1.1 }", "end.arrived", "1.1 is above 1", "a share"),
    ("end = { §arived = 1 }", "end.arived", "no such key", "`arrived`, if"),
    ("settings = { field_cache_mb = §0 }", "settings.field_cache_mb", "0 is below 1", "MiB"),
    ("settings = { §cache = 1 }", "settings.cache", "no such key", "one of"),
    ("order = §5", "order", "5 is a number", "[[order]]"),
    ("gate = §5", "gate", "5 is a number", "[[gate]]"),
    ("area = §{}", "area", "{} is a table", "[[area]]"),
    ("name = \"é\"  §ü", "", "", ""),
    ("name = \"a\"\n§name = \"b\"", "name", "first time in line 1", "every key once"),
    ("seed = §1979-05-27", "seed", "is a date", "a whole number"),
];

#[test]
fn the_top() {
    all_refused(TOP_CASES, |line| format!("{line}\n{TOP}{MAP}{GROUP}"));
    refused(&format!("ticks = §0\n{MAP}{GROUP}"), "ticks", "0 is below 1", "1000000000");
    refused(&format!("ticks = §1e9\n{MAP}{GROUP}"), "ticks", "not a whole number", "");
    refused(&format!("{MAP}{GROUP}"), "ticks", "missing", "the tick at which");
    refused(&format!("{TOP}{GROUP}"), "map", "missing", "`[map]`");
    refused(&format!("{TOP}{MAP}"), "group", "missing", "[[group]]");
    refused(&format!("{TOP}group = []\n{MAP}"), "group", "no group has agents", "spawn");
}

/// Lines added to `[map]`.
const MAP_LINES: &[Mistake] = &[
    ("cell = §0", "map.cell", "0 is below 0.1", "metres"),
    ("cell = §nan", "map.cell", "nan is not a finite", "metres"),
    ("cell = §1e9", "map.cell", "1e9 is above 100", "metres"),
    ("hexagons = §2", "map.hexagons", "no hexagons in a map of `size`", "`file` or `rows`"),
    ("hexagons = §1.5", "map.hexagons", "1.5 is too narrow", "at least two cells, 2 m"),
    ("hexagons = §0", "map.hexagons", "0 is below 0.2", "metres"),
    ("§cel = 1", "map.cel", "no such key", "`cell`, if"),
    ("cost = §5", "map.cost", "5 is a number", "letters"),
    ("cost = { S = §16 }", "map.cost.S", "16 is above 15.9375", "0 for a wall"),
    ("cost = { S = §-1 }", "map.cost.S", "-1 is below 0", "0 for a wall"),
    ("cost = { S = §0.01 }", "map.cost.S", "neither 0 nor", "0.0625"),
    ("cost = { SW = §1 }", "map.cost.SW", "is not a letter", "one letter"),
    ("cost = { §é = 1 }", "", "", ""),
    ("wall_height = §-1", "map.wall_height", "-1 is below 0", "0 to 1000"),
    ("wall_height = §1001", "map.wall_height", "1001 is above 1000", "metres"),
    ("height_range = §[0, 9]", "map.height_range", "no `heights`", "both"),
    ("heights = \"a.png\"", "map.height_range", "missing", "[low, high]"),
    ("heights = §5\nheight_range = [0, 9]", "map.heights", "is a number", "PNG"),
    ("heights = §\"\"\nheight_range = [0, 9]", "map.heights", "names no file", "PNG"),
    ("heights = §\"a.png\"\nheight_range = [0, 9]", "map.heights", "cannot be read", "PNG"),
    ("heights = \"a\"\nheight_range = §[9, 9]", "map.height_range", "no range", "low <"),
    ("heights = \"a\"\nheight_range = §[9]", "map.height_range", "has 1 number", "[low"),
    ("heights = \"a\"\nheight_range = [0, §2e3]", "map.height_range[1]", "above 1000", "m"),
    ("ground = §5", "map.ground", "5 is a number", "hill"),
    ("ground = [§{ hill = [5, 5, 2] }]", "map.ground[0].height", "missing", "5.0"),
    ("ground = [§{ height = 2 }]", "map.ground[0]", "none of `rect`", "exactly one"),
    ("ground = [{ hill = §[5, 5], height = 2 }]", "map.ground[0].hill", "has 2 numbers", "radius"),
    (
        "ground = [{ rect = [0, 0, 1, 1], height = §-1001 }]",
        "map.ground[0].height",
        "-1001 is below -1000",
        "a height",
    ),
    (
        "ground = [§{ disc = [90, 5, 1], height = 2 }]",
        "map.ground[0]",
        "disc [90, 5, 1] lies off the map",
        "40 m × 20 m",
    ),
    (
        "ground = [{ rect = [0, 0, 9, 9], height = 600 }, §{ hill = [5.5, 5.5, 3], height = 401 }]",
        "map.ground[1]",
        "with this hill the ground is at 10",
        "-1000 to 1000",
    ),
    ("walls = §{ rect = [0, 0, 1, 1] }", "map.walls", "is a table", "an array"),
    ("walls = [§{ }]", "map.walls[0]", "none of `rect`", "exactly one"),
    (
        "walls = [{ rect = [0, 0, 1, 1], disc = §[5, 5, 1] }]",
        "map.walls[0].disc",
        "contradict",
        "exactly one",
    ),
    (
        "walls = [{ rect = §[0, 0, 1] }]",
        "map.walls[0].rect",
        "has 3 numbers, not 4",
        "[x0, y0, x1, y1]",
    ),
    ("walls = [{ rect = §[5, 6, 1, 1] }]", "map.walls[0].rect", "covers no area", "[1, 1, 5, 6]"),
    ("walls = [{ rect = §[1, 1, 1, 4] }]", "map.walls[0].rect", "covers no area", "x0 < x1"),
    (
        "walls = [{ rect = [0, 0, §nan, 1] }]",
        "map.walls[0].rect[2]",
        "nan is not a finite number",
        "a coordinate",
    ),
    (
        "walls = [{ rect = [0, 0, §1e7, 1] }]",
        "map.walls[0].rect[2]",
        "1e7 is above 1000000",
        "a coordinate",
    ),
    ("walls = [{ disc = [5, 5, §-2] }]", "map.walls[0].disc[2]", "-2 is not above 0", "a radius"),
    (
        "walls = [{ polygon = §[[0, 0], [1, 1]] }]",
        "map.walls[0].polygon",
        "has 2 corners",
        "3 to 1,000",
    ),
    (
        "walls = [{ polygon = §[[0, 0], [1, 1], [2, 2]] }]",
        "map.walls[0].polygon",
        "covers no area",
        "an area",
    ),
    (
        "walls = [{ polygon = [[0, 0], [1, 1], §2] }]",
        "map.walls[0].polygon[2]",
        "2 is a number",
        "a corner",
    ),
    (
        "walls = [§{ disc = [500, 5, 2] }]",
        "map.walls[0]",
        "disc [500, 5, 2] lies off the map",
        "40 m × 20 m",
    ),
    ("walls = [{ rect = [0, 0, 1, 1], §cost = 2 }]", "map.walls[0].cost", "no such key", "one of"),
    ("terrain = [§{ rect = [0, 0, 1, 1] }]", "map.terrain[0].cost", "missing", "the cost"),
    (
        "terrain = [{ rect = [0, 0, 1, 1], cost = §0 }]",
        "map.terrain[0].cost",
        "0 is below 0.0625",
        "a cost",
    ),
];

/// What `[map]` says in all.
const MAPS: &[Mistake] = &[
    ("file = \"a.map\"\nsize = §[40, 20]", "map.size", "contradict", "exactly one"),
    ("rows = \"...\"\nsize = §[40, 20]", "map.size", "contradict", "exactly one"),
    ("", "map", "none of `file`, `rows`, `size`", "exactly one"),
    ("size = §[40]", "map.size", "has 1 number, not 2", "[width, height]"),
    ("size = [§0, 20]", "map.size[0]", "0 is below 1", "a width"),
    ("size = [40, §-20]", "map.size[1]", "-20 is below 1", "a height"),
    ("size = [§40.5, 20]", "map.size[0]", "not a whole number", "a width"),
    ("size = §[16384, 16384]", "map.size", "268435456 cells", "67,108,864"),
    ("size = §[4096, 40]\ncell = 50", "map.size", "cell size 50 m", "16,384 m"),
    ("file = §\"\"", "map.file", "names no file", "path"),
    ("file = §3", "map.file", "3 is a number", "path"),
    ("file = §\"gone.map\"", "map.file", "`gone.map` cannot be read: no such", "folder"),
    ("file = §\"short.map\"", "map.file", "ends after 1 row;", "MovingAI"),
    ("rows = §\"\"", "map.rows", "has no rows", "\\n"),
    ("rows = \"\"\"\n....\n.§x..\n\"\"\"", "map.rows", "`x` is not a letter", "`cost`"),
    ("rows = \"\"\"\n....\n§...\n\"\"\"", "map.rows", "row 1 has 3", "one length"),
    ("rows = §\"..\\n.é\"", "map.rows", "`é` is not a letter", "`cost`"),
];

/// Cases in which a line is added to `[map]`, or replaces it.
#[test]
fn the_map() {
    let sized = |line: &str| format!("{line}\nsize = [40, 20]");
    all_refused(MAP_LINES, |line| format!("{TOP}{}{GROUP}", below("[map]", &sized(line))));
    all_refused(MAPS, |lines| format!("{TOP}{}{GROUP}", below("[map]", lines)));
}

/// Lines added to the group.
const GROUP_LINES: &[Mistake] = &[
    ("speed = §-3", "group[0].speed", "-3 is below 0.01", "a speed in m/s"),
    ("speed = §inf", "group[0].speed", "inf is not a finite number", "m/s"),
    ("speed = §21", "group[0].speed", "1.05 m a tick", "tick_rate = 21"),
    ("§sped = 1", "group[0].sped", "no such key", "`speed`, if"),
    ("§colour = \"#ffffff\"", "group[0].colour", "no such key", "`color`, if"),
    ("color = §\"red\"", "group[0].color", "\"red\" is not a colour", "#rrggbb"),
    ("color = §\"#12345g\"", "group[0].color", "is not a colour", "#rrggbb"),
    ("radius = 12", "group[0].spawn[0].rect", "lies wholly in walls", "open cells"),
    ("cost = §2", "group[0].cost", "2 is a number", "a table of letters"),
    ("cost = { W = §1 }", "group[0].cost.W", "a wall of the map", "`[map] cost`"),
    ("cost = { x = §1 }", "group[0].cost.x", "no ground `x` on the map", "a letter"),
    ("cost = { xy = §1 }", "group[0].cost.xy", "not a letter", "one letter"),
    ("cost = { S = §16 }", "group[0].cost.S", "16 is above 15.9375", "a cost"),
    ("cost = { S = §0.01 }", "group[0].cost.S", "neither 0 nor", "0 for a wall"),
    (
        "speed = §12\ncost = { \".\" = 0.5 }",
        "group[0].speed",
        "24 m/s, on the quickest ground, is 1.2 m a tick",
        "one cell",
    ),
    ("cost = { \".\" = 0 }", "group[0].spawn[0].rect", "the group cannot stand on", "open cells"),
    ("slowing_radius = §true", "group[0].slowing_radius", "is true or false", ""),
    ("wall_margin = §[]", "group[0].wall_margin", "is an array", "a gap"),
    ("goal = §5", "group[0].goal", "5 is a number", "a shape"),
    ("goal = { §rct = [1, 1, 2, 2] }", "group[0].goal.rct", "no such", "`rect`, if"),
    ("goal = §{}", "group[0].goal", "none of `rect`", "exactly one"),
    ("goal = { any = §[] }", "group[0].goal.any", "has no shape", "an array"),
    ("goal = { any = [§{ any = [] }] }", "group[0].goal.any[0]", "none of `rect`", "exactly one"),
    (
        "goal = { point = §[40, 5] }",
        "group[0].goal.point",
        "reaches over the edge",
        "x from 0 to 40",
    ),
    (
        "goal = { any = [{ point = [4, 5] }, { disc = §[39, 5, 3] }] }",
        "group[0].goal.any[1].disc",
        "reaches over the edge",
        "y from 0 to 20",
    ),
    (
        "goal = { rect = §[22, 2, 26, 6] }",
        "group[0].goal.rect",
        "rect [22, 2, 26, 6] lies wholly in walls",
        "open cells",
    ),
    ("[[group]]\nname = §\"red\"", "group[1].name", "already the name of group[0]", "its own"),
    ("§[[group]]\nspeed = 1", "group[1].name", "missing", "of its own"),
    ("[[group]]\nname = §\"\"", "group[1].name", "is not a name", "1 to 64"),
    ("[[group]]\nname = §7", "group[1].name", "7 is a number", "a text"),
];

/// A map with a wall.
const WALLED: &str = "map = { size = [40, 20], walls = [{ rect = [20, 0, 30, 10] }] }\n";

/// Cases in which a line is added to the group; without a mark the place is that of its agents.
#[test]
fn groups() {
    let spawn = GROUP.replace("rect = ", "rect = §");
    all_refused(GROUP_LINES, |line| {
        let group = if line.contains('§') { GROUP } else { &spawn };
        format!("{TOP}{WALLED}{group}{line}\n")
    });
}

/// Values of `spawn`.
const SPAWNS: &[Mistake] = &[
    ("§5", "group[0].spawn", "5 is a number", "an array"),
    ("[§5]", "group[0].spawn[0]", "5 is a number", "a table"),
    ("[§{ count = 5 }]", "group[0].spawn[0]", "none of `rect`", "exactly one"),
    ("[§{ rect = [1, 1, 9, 9] }]", "group[0].spawn[0].count", "missing", "agents"),
    (
        "[{ rect = [1, 1, 9, 9], count = §0 }]",
        "group[0].spawn[0].count",
        "0 is below 1",
        "16777216",
    ),
    (
        "[{ rect = [1, 1, 9, 9], count = §16777217 }]",
        "group[0].spawn[0].count",
        "is above 16777216",
        "agents",
    ),
    (
        "[{ rect = [1, 1, 9, 9], count = 16777216 }, { point = [15, 15] }]",
        "group",
        "have 16777217 agents",
        "16,777,216",
    ),
    (
        "[{ rect = [1, 1, 9, 9], count = §1000 }]",
        "group[0].spawn[0].count",
        "1,000 agents of radius 0.3 m do not fit: the area has 64.0 m²",
        "fewer agents",
    ),
    (
        "[{ rect = §[32, 1, 41, 9], count = 10 }]",
        "group[0].spawn[0].rect",
        "reaches over the edge of the map, which is 40 m × 20 m",
        "x from 0 to 40",
    ),
    (
        "[{ disc = §[25, 5, 4], count = 10 }]",
        "group[0].spawn[0].disc",
        "lies wholly in walls",
        "open cells",
    ),
    (
        "[{ point = [5, 5], count = §2 }]",
        "group[0].spawn[0].count",
        "2 is not the number of points",
        "one agent stands at each",
    ),
    (
        "[§{ any = [{ point = [5, 5] }, { disc = [9, 9, 2] }], count = 2 }]",
        "group[0].spawn[0]",
        "mixed",
        "points alone",
    ),
    (
        "[{ rect = [1, 1, 9, 9], §cuont = 4, count = 2 }]",
        "group[0].spawn[0].cuont",
        "no such key",
        "`count`, if",
    ),
];

#[test]
fn spawns() {
    let group = "[[group]]\nname = \"red\"\nspawn = ";
    all_refused(SPAWNS, |value| format!("{TOP}{WALLED}{group}{value}\n"));
}

/// Lines of an order.
const ORDERS: &[Mistake] = &[
    ("", "order[0].tick", "missing", "the tick"),
    ("tick = 1", "order[0]", "none of `move`", "exactly one"),
    ("tick = §-1\nstop = \"red\"", "order[0].tick", "-1 is below 0", "a tick"),
    ("tick = §100\nstop = \"red\"", "order[0].tick", "beyond the run", "0 to 99"),
    ("tick = 1\nstop = §\"rde\"", "order[0].stop", "not the name of a group", "\"red\""),
    ("tick = 1\nstop = §\"xyz\"", "order[0].stop", "not the name", "one of `red`"),
    ("tick = 1\nstop = §0", "order[0].stop", "0 is a number", "the name of a group"),
    ("tick = 1\nmove = \"red\"", "order[0].goal", "missing", "an area"),
    (
        "tick = 1\nmove = \"red\"\nremove = §\"red\"",
        "order[0].remove",
        "`move`, `remove` contradict",
        "exactly one",
    ),
    (
        "tick = 1\nstop = \"red\"\ngoal = §{ point = [1, 1] }",
        "order[0].goal",
        "`stop` takes no `goal`",
        "`tick` and `stop` alone",
    ),
    (
        "tick = 1\nremove = \"red\"\ncount = §3",
        "order[0].count",
        "`remove` takes no `count`",
        "`area` beside",
    ),
    (
        "tick = 1\nmove = \"red\"\ngoal = { point = §[1, 99] }",
        "order[0].goal.point",
        "point [1, 99] reaches over the edge",
        "y from 0 to 20",
    ),
    (
        "tick = 1\nremove = \"red\"\narea = { disc = §[1, 1, 5] }",
        "order[0].area.disc",
        "reaches over the edge",
        "x from 0",
    ),
    (
        "tick = 1\nspawn = \"red\"\narea = { disc = [9, 9, 5] }",
        "order[0].count",
        "missing",
        "a number of agents",
    ),
    ("tick = 1\nspawn = \"red\"\ncount = 5", "order[0].area", "missing", "an area"),
    (
        "tick = 1\nspawn = \"red\"\ncount = §5000\narea = { disc = [9, 9, 5] }",
        "order[0].count",
        "5,000 agents of radius 0.3 m do not fit",
        "fewer agents",
    ),
    ("tick = 1\n§when = 3\nstop = \"red\"", "order[0].when", "no such key", "one of"),
];

/// Lines of a door of the name `exit`.
const DOORS: &[Mistake] = &[
    ("open = [[1, 2]]", "door[0]", "none of `rect`", "exactly one"),
    ("rect = [1, 1, 2, 2]", "door[0].open", "missing", "an array of times"),
    (
        "rect = [1, 1, 2, 2]\nopen = [[1, 2], §[1.5, 3]]",
        "door[0].open[1]",
        "does not come in order",
        "ascending times from 2",
    ),
    (
        "rect = [1, 1, 2, 2]\nopen = [§[1, 9]]\nevery = 8",
        "door[0].open[0]",
        "does not come in order",
        "times from 0 to 8",
    ),
    ("rect = [1, 1, 2, 2]\nopen = [§3]", "door[0].open[0]", "3 is a number", "[from, to]"),
    (
        "rect = [1, 1, 2, 2]\nopen = [[§\"0:20\", 30]]",
        "door[0].open[0][0]",
        "\"0:20\" is a text",
        "a time in seconds, 0 to 1000000000",
    ),
    ("§point = [1, 1]\nopen = [[1, 2]]", "door[0].point", "no such key", "one of"),
    ("rect = §[1, 1, 50, 2]\nopen = [[1, 2]]", "door[0].rect", "reaches over the edge", "x from 0"),
    (
        "rect = [1, 1, 2, 2]\nopen = [[1, 2]]\ndetour = §1",
        "door[0].detour",
        "1 is a number",
        "true or false",
    ),
];

#[test]
fn doors() {
    let door = |lines: &str| below("[[door]]\nname = \"exit\"", lines);
    all_refused(DOORS, |lines| format!("{TOP}{MAP}{GROUP}{}", door(lines)));
}

#[test]
fn orders() {
    all_refused(ORDERS, |lines| format!("{TOP}{MAP}{GROUP}{}", below("[[order]]", lines)));
}
