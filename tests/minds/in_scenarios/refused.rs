//! Every mistake is refused with its line, column, key and what would be right.

use crate::common::scenarios::{Mistake, plan, refused};
use crate::in_scenarios::TOP;

/// What follows `name = "m"`.
const MACHINES: &[Mistake] = &[
    ("every = §0§", "every", "0 is not above 0", "seconds between two looks"),
    ("every = §500.5§", "every", "500.5 is 10010 ticks", "at most 10,000 ticks, 500 s"),
    ("sight = §0.5§", "sight", "0.5 is below 1", "metres"),
    ("sight = §201§", "sight", "201 is above 200", "metres"),
    ("near = §31§", "near", "31 is above 30", "metres"),
    ("near = §-1§", "near", "-1 is below 1", "metres"),
    ("chain = §0§", "chain", "0 is below 1", "transitions of a chain"),
    ("chain = §33§", "chain", "33 is above 32", "transitions of a chain"),
    ("§begin§ = 3", "begin", "no such key", "one of"),
    ("§stat§ = 3", "stat", "no such key", "`start`, if"),
    ("start = §\"ptrol\"§", "start", "not the name of a state", "\"patrol\", if"),
    ("start = §\"x\"§", "start", "not the name of a state", "one of `chase`, `patrol`"),
    ("always = §{ to = \"patrol\" }§", "always", "is a table", "an array of at most 32"),
    (
        "always = [{ to = \"chase\", when = \"§helth§ < 1\" }]",
        "always[0].when",
        "found `helth`",
        "`health`, if",
    ),
];

#[test]
fn what_a_machine_says() {
    let states = "[[machine.state]]\nname = \"patrol\"\ngo = [{ to = \"chase\" }]\n\
                  [[machine.state]]\nname = \"chase\"\n";
    for (line, key, wrong, expected) in MACHINES {
        let text = format!("{TOP}[[machine]]\nname = \"m\"\n{line}\n{states}");
        refused(&text, &format!("machine[0].{key}"), wrong, expected);
    }
    let text = format!("{TOP}§[[machine]]§\nname = \"m\"\n");
    refused(&text, "machine[0].state", "missing", "at least one");
    let text = format!("{TOP}§[[machine]]§\nstate = [{{ name = \"a\" }}]\n")
        .replace("machine = \"m\", ", "");
    refused(&text, "machine[0].name", "missing", "a name");
    let text = format!("machine = §5§\n{TOP}").replace("machine = \"m\", ", "");
    refused(&text, "machine", "5 is a number", "[[machine]]");
    let machine = "[[machine]]\nname = \"m\"\nstate = [{ name = \"a\" }]\n";
    let second = machine.replace("\"m\"", "§\"m\"§");
    let text = format!("{TOP}{machine}{second}");
    refused(&text, "machine[1].name", "is already the name of machine[0]", "its own");
}

/// The array of states of a machine.
const STATES: &[Mistake] = &[
    ("§5§", "", "5 is a number", "[[machine.state]]"),
    ("[§5§]", "[0]", "5 is a number", "a table `[[machine.state]]`"),
    ("[{ name = \"a\", §sped§ = 1 }]", "[0].sped", "no such key", "`speed`, if"),
    ("[§{ speed = 1 }§]", "[0].name", "missing", "a name"),
    ("[{ name = \"a\" }, { name = §\"a\"§ }]", "[1].name", "already the name of state[0]", "own"),
    ("[{ name = \"a\", speed = §0§ }]", "[0].speed", "0 is below 0.01", "a share of"),
    ("[{ name = \"a\", speed = §4.5§ }]", "[0].speed", "4.5 is above 4", "a share of"),
    ("[{ name = \"a\", navigator = §\"flw\"§ }]", "[0].navigator", "is no navigator", "\"flow\""),
    ("[{ name = \"a\", hold = §1§ }]", "[0].hold", "1 is a number", "true or false"),
    ("[{ name = \"a\", goal = §\"enmy\"§ }]", "[0].goal", "is no goal", "\"enemy\", if"),
    ("[{ name = \"a\", goal = §\"home\"§ }]", "[0].goal", "is no goal", "`ordered`, `stand`"),
    ("[{ name = \"a\", goal = §5§ }]", "[0].goal", "5 is a number", "a shape"),
    (
        "[{ name = \"a\", goal = { disc = §[39, 5, 4]§ } }]",
        "[0].goal.disc",
        "reaches over the edge of the map",
        "x from 0 to 40",
    ),
    (
        "[{ name = \"a\", goal = { rect = §[22, 2, 26, 6]§ } }]",
        "[0].goal.rect",
        "lies wholly in walls",
        "open cells",
    ),
    (
        "[{ name = \"a\", behave = [§{ kind = \"seek\", to = [50, 5] }§] }]",
        "[0].behave[0]",
        "the point (50, 5) lies off the map",
        "x from 0 to 40",
    ),
    (
        "[{ name = \"a\", behave = [{ kind = \"seek\", to = §\"green\"§ }] }]",
        "[0].behave[0].to",
        "not the name of a group",
        "`blue`",
    ),
    ("[{ name = \"a\", enter = §\"leave\"§ }]", "[0].enter", "is a text", "an array of at most"),
    ("[{ name = \"a\", enter = [§\"laeve\"§] }]", "[0].enter[0]", "is no output", "\"leave\", if"),
    ("[{ name = \"a\", exit = [§\"jump\"§] }]", "[0].exit[0]", "is no output", "`signal NAME`"),
    ("[{ name = \"a\", update = [§\"count\"§] }]", "[0].update[0]", "is no output", "`count + "),
    (
        "[{ name = \"a\", update = [\"count + §one§\"] }]",
        "[0].update[0]",
        "`one` is no number",
        "a number",
    ),
    (
        "[{ name = \"a\", update = [\"count = §32001§ \"] }]",
        "[0].update[0]",
        "`32001` is no number from -32000",
        "a number",
    ),
    (
        "[{ name = \"a\", enter = [\"signal §alrm§\"] }]",
        "[0].enter[0]",
        "`alrm` is no signal",
        "`alarm`, if",
    ),
    (
        "[{ name = \"a\", enter = ['signal §x§'] }]",
        "[0].enter[0]",
        "`x` is no signal",
        "one of `alarm`, `all-clear`",
    ),
    // States that fit together no better than these.
    (
        "[{ name = \"a\" }, { name = §\"b\"§, go = [{ to = \"a\" }] }]",
        "[1].name",
        "state `b` cannot be reached from the start",
        "a transition that leads there",
    ),
    (
        "[{ name = §\"a\"§, decides = true }]",
        "[0].name",
        "`a` decides, so its last transition must be without condition",
        "without `when`",
    ),
    (
        "[{ name = §\"a\"§, decides = true, go = [{ to = \"a\", when = \"hit\" }] }]",
        "[0].name",
        "must be without condition",
        "without `when`",
    ),
    (
        "[{ name = \"a\", go = [{ to = \"a\" }, §{ to = \"a\", when = \"hit\" }§] }]",
        "[0].go[1]",
        "transition 1 of state `a` is never taken",
        "without `when` last",
    ),
    (
        "[{ name = \"a\", go = [{ to = \"b\" }] }, { name = §\"b\"§, decides = true, \
         go = [{ to = \"c\" }] }, { name = \"c\", decides = true, go = [{ to = \"b\" }] }]",
        "[1].name",
        "lead to each other without end: b -> c -> b",
        "a way out",
    ),
];

#[test]
fn states() {
    for (states, key, wrong, expected) in STATES {
        let text = format!("{TOP}[[machine]]\nname = \"m\"\nstate = {states}\n");
        refused(&text, &format!("machine[0].state{key}"), wrong, expected);
    }
}

/// The transitions of the first of the states `a` and `b`.
const TRANSITIONS: &[Mistake] = &[
    ("[§5§]", "[0]", "5 is a number", "a transition"),
    ("[§{ when = \"hit\" }§]", "[0].to", "missing", "the name of a state"),
    ("[{ to = §\"bb\"§ }]", "[0].to", "not the name of a state", "\"b\", if"),
    ("[{ to = \"b\", §wen§ = \"hit\" }]", "[0].wen", "no such key", "`when`, if"),
    ("[{ to = \"b\", when = §5§ }]", "[0].when", "5 is a number", "a condition"),
    ("[{ to = \"b\", when = §\" \"§ }]", "[0].when", "is no condition", "or no `when`"),
    ("[{ to = \"b\", when = \"§enmy§ < 5\" }]", "[0].when", "found `enmy`", "`enemy`, if"),
    ("[{ to = \"b\", when = '§enmy§ < 5' }]", "[0].when", "found `enmy`", "`enemy`, if"),
    (
        "[{ to = \"b\", when = \"enemy < §zzzzzz§\" }]",
        "[0].when",
        "found `zzzzzz`",
        "the name of an input",
    ),
    ("[{ to = \"b\", when = \"enemy §==§ 5\" }]", "[0].when", "found `==`", "`<`, `<=`"),
    (
        "[{ to = \"b\", when = \"enemy <§§\" }]",
        "[0].when",
        "ends too early",
        "the name of an input",
    ),
    ("[{ to = \"b\", when = \"(enemy < 5§§\" }]", "[0].when", "ends too early", "`)`"),
    ("[{ to = \"b\", when = \"enemy < §40000§\" }]", "[0].when", "`40000`", "-32000 to 32000"),
    ("[{ to = \"b\", when = \"hit §hit§\" }]", "[0].when", "found `hit`", "`and`, `or` or the end"),
    (
        "[{ to = \"b\", when = \"§since.alrm§ < 3\" }]",
        "[0].when",
        "found `since.alrm`",
        "`since.alarm`, if",
    ),
    (
        "[{ to = \"b\", when = \"\"\"\nhit and\n  §enmy§ < 5\"\"\" }]",
        "[0].when",
        "found `enmy`",
        "`enemy`, if",
    ),
    // Where the text is not written as it reads, the whole of it is the place.
    ("[{ to = \"b\", when = §\"\\u0065nmy < 5\"§ }]", "[0].when", "found `enmy`", "`enemy`, if"),
    ("[{ to = \"b\", argument = §\"helth\"§ }]", "[0].argument", "is no input", "`health`, if"),
    ("[{ to = \"b\", argument = §\"\"§ }]", "[0].argument", "is no input", "a number, or"),
    ("[{ to = \"b\", argument = §1e9§ }]", "[0].argument", "is above 32000", "a number"),
    ("[{ to = \"b\", do = [\"signal §x§\"] }]", "[0].do[0]", "`x` is no signal", "one of"),
];

#[test]
fn transitions() {
    for (go, key, wrong, expected) in TRANSITIONS {
        let text = format!(
            "{TOP}[[machine]]\nname = \"m\"\n[[machine.state]]\nname = \"a\"\ngo = {go}\n\
             [[machine.state]]\nname = \"b\"\n"
        );
        refused(&text, &format!("machine[0].state[0].go{key}"), wrong, expected);
    }
}

#[test]
fn signals() {
    let machine = "[[machine]]\nname = \"m\"\nstate = [{ name = \"a\" }]\n";
    for (signals, key, wrong, expected) in [
        ("§5§", "signals", "5 is a number", "an array of at most 32"),
        ("[§5§]", "signals[0]", "5 is a number", "the name of a signal"),
        ("[§\"\"§]", "signals[0]", "is no name for a signal", "a letter"),
        ("[\"a\", §\"a b\"§]", "signals[1]", "is no name for a signal", "a letter"),
        ("[§\"not\"§]", "signals[0]", "is no name for a signal", "a letter"),
        ("[\"a\", §\"a\"§]", "signals[1]", "is listed twice", "once"),
    ] {
        let text = TOP.replace("[\"alarm\", \"all-clear\"]", signals);
        refused(&format!("{text}{machine}"), key, wrong, expected);
    }
    let many: Vec<String> = (0..33).map(|i| format!("\"s{i}\"")).collect();
    let text = TOP.replace("[\"alarm\", \"all-clear\"]", &format!("§[{}]§", many.join(", ")));
    refused(&format!("{text}{machine}"), "signals", "33 entries", "at most 32");
}

/// Too many of everything.
#[test]
fn limits() {
    let machine = |rest: &str| format!("{TOP}[[machine]]\nname = \"m\"\n{rest}\n");
    let many = |count: usize, one: &str| format!("[{}]", vec![one; count].join(", "));
    let named = |count: usize| {
        let states: Vec<String> = (0..count).map(|i| format!("{{ name = \"s{i}\" }}")).collect();
        format!("[{}]", states.join(", "))
    };
    let text = machine(&format!("state = §{}§", named(65)));
    refused(&text, "machine[0].state", "has 65 entries", "1 to 64");
    let state =
        |key: &str, list: &str| machine(&format!("state = [{{ name = \"a\", {key} = {list} }}]"));
    let go = many(33, "{ to = \"a\", when = \"hit\" }");
    let key = "machine[0].state[0]";
    refused(&state("go", &format!("§{go}§")), &format!("{key}.go"), "has 33 entries", "at most 32");
    let outputs = many(17, "\"leave\"");
    let text = state("enter", &format!("§{outputs}§"));
    refused(&text, &format!("{key}.enter"), "has 17 entries", "at most 16");
    let tests = vec!["hit"; 64].join(" and ");
    let text = state("go", &format!("[{{ to = \"a\", when = \"{tests} and §hit§\" }}]"));
    refused(&text, &format!("{key}.go[0].when"), "too many comparisons", "at most 64");
    // Transitions of `always` count in every state.
    let always = many(20, "{ to = \"b\", when = \"hit\" }");
    let go = many(13, "{ to = \"b\", when = \"hit\" }");
    let text = machine(&format!(
        "always = {always}\nstate = [{{ name = §\"a\"§, go = {go} }}, {{ name = \"b\" }}]"
    ));
    refused(&text, &format!("{key}.name"), "`a` has 33 transitions", "`always` included");
    // 17 of one kind of input and 16 of another.
    let signals: Vec<String> = (0..16).map(|i| format!("\"s{i}\"")).collect();
    let since: Vec<String> = (0..16).map(|i| format!("since.s{i}")).collect();
    let perceived = throng::world::INPUTS.join(" or ");
    let text = format!(
        "{TOP}[[machine]]\nname = §\"m\"§\n[[machine.state]]\nname = \"a\"\n\
         go = [{{ to = \"a\", when = \"{} or {perceived}\" }}]\n",
        since.join(" or ")
    );
    let text = text.replace("\"alarm\", \"all-clear\"", &signals.join(", "));
    refused(&text, "machine[0].name", "read 33 different inputs", "at most 32");
}

/// Errors between groups and their machines.
#[test]
fn groups() {
    let machine = "[[machine]]\nname = \"m\"\nstate = [{ name = \"a\" }]\n";
    let text = TOP.replace("machine = \"m\"", "machine = §\"n\"§");
    refused(&format!("{text}{machine}"), "group[0].machine", "not the name of a machine", "\"m\"");
    let key = "machine[0].state[0].speed";
    let fast =
        format!("{TOP}[[machine]]\nname = \"m\"\nstate = [{{ name = \"a\", speed = §4§ }}]\n");
    let text = fast.replace("\"red\",", "\"red\", speed = 6,");
    refused(&text, key, "`red` goes 1.2 m a tick in this state", "at most one cell, 1 m");
    let text = fast.replace("\"red\",", "\"red\", speed = 0.02,").replace("§4§", "§0.1§");
    refused(&text, key, "`red` goes at 0.002 m/s", "0.01 to 500");
    let company = "[[company]]\nname = \"c\"\ngroups = [\"red\"]\n";
    let text = TOP.replace("machine = \"m\"", "machine = §\"m\"§");
    let wrong = "the group is in company[0], which decides for it";
    refused(&format!("{text}{machine}{company}"), "group[0].machine", wrong, "no company");
}

/// Places of groups that states go to.
#[test]
fn places() {
    let machine =
        "[[machine]]\nname = \"m\"\nstate = [{ name = \"a\", goal = { place = \"inn\" } }]\n";
    let with = |places: &str, machine: &str| {
        let red = format!("machine = \"m\", places = {places},");
        format!("{}{machine}", TOP.replace("machine = \"m\",", &red))
    };
    let text = TOP.replace("machine = \"m\"", "machine = §\"m\"§");
    let expected = "`places = { inn = AREA }` in the group";
    refused(&format!("{text}{machine}"), "group[0].machine", "`red` has no place `inn`", expected);
    let text = with("{ inn = { point = [5, 5] }, inm = { disc = §[5, 9, 2]§ } }", machine);
    let wrong = "no state of a machine sends `red` to its place `inm`";
    refused(&text, "group[0].places.inm.disc", wrong, "`inn`, if that is what you meant");
    let plain = "[[machine]]\nname = \"m\"\nstate = [{ name = \"a\" }]\n";
    let text = with("{ den = { disc = §[5, 9, 2]§ } }", plain);
    refused(
        &text,
        "group[0].places.den.disc",
        "to its place `den`",
        "a state with it as its `goal`",
    );
    let text = TOP.replace("\"blue\",", "\"blue\", places = { den = { point = §[1, 1]§ } },");
    refused(
        &format!("{text}{plain}"),
        "group[1].places.den.point",
        "sends `blue`",
        "a state with it",
    );
    // Inside the wall.
    let text = with("{ inn = { rect = §[22, 2, 27, 8]§ } }", machine);
    refused(&text, "group[0].places.inn.rect", "wall", "open");
    let text = with("§[1, 2]§", plain);
    refused(&text, "group[0].places", "an array", "a table of places, as in");
    let text = with("{ inn = { disc = [5, 9, 2] } }", &machine.replace("\"inn\"", "§5§"));
    let key = "machine[0].state[0].goal.place";
    refused(&text, key, "is a number", "the name of a place of the group, as in");
}

/// Variants count as groups.
#[test]
fn variants_are_not_too_many() {
    let group = |i: usize| format!("[[group]]\nname = \"g{i}\"\nmachine = \"m\"\n");
    let groups: String = (0..33_000).map(group).collect();
    let speed = "{ name = \"a\", speed = 2, go = [{ to = \"b\" }] }, { name = \"b\" }";
    let text = format!(
        "ticks = 9\n[map]\nsize = [9, 9]\n{groups}spawn = {{ point = [5, 5] }}\n\
         [[machine]]\nname = \"m\"\nstate = [{speed}]\n"
    );
    let error = plan(&text).unwrap_err();
    assert_eq!(error.first().key, "group[32535].machine");
    assert!(error.first().wrong.contains("are 65536"), "{error}");
    assert_eq!(error.problems.len(), 1);
}
