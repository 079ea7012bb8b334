//! What `throng check` finds before a run does, and runs whose agents leave.

use crate::running::Folder;
use serde_json::Value;

/// A street with a wall across.
const STREET: &str = "ticks = 400\n[map]\nsize = [60, 20]\nwalls = [{ rect = [30, 0, 31, 20] }]\n";

#[test]
fn goals_behind_walls_are_found() {
    let folder = Folder::new("check-cut-off");
    let group = "[[group]]\nname = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n\
                 spawn = [{ rect = [2, 2, 8, 18], count = 20 }]\n";
    folder.write("cut.toml", format!("{STREET}{group}"));
    let none = ["order at tick 0 to `walkers` refused: no agent of the group can reach the goal"];
    folder.failed(&["check", "cut.toml"], &none);
    let some = group.replace("count = 20 }", "count = 20 }, { rect = [52, 2, 58, 9], count = 5 }");
    folder.write("some.toml", format!("{STREET}{some}"));
    let words = ["mistake: 20 agents of `walkers` cannot reach the goal of tick 0"];
    folder.failed(&["check", "some.toml"], &words);
    // A door that an order opens in time, and one that it closes.
    let open = "[[order]]\ntick = 9\ndemolish = { rect = [30, 8, 31, 12] }\n\
                [[order]]\ntick = 10\nmove = \"walkers\"\ngoal = { disc = [50, 10, 5] }\n";
    let later = group.replace("goal = { disc = [50, 10, 5] }\n", "");
    folder.write("open.toml", format!("{STREET}{later}{open}"));
    folder.fine(&["check", "open.toml"]);
    let closed = STREET.replace("0, 31, 20]", "0, 31, 8]");
    let close = "[[order]]\ntick = 5\nbuild = { rect = [30, 8, 31, 20] }\n";
    folder.write("close.toml", format!("{closed}{group}{close}"));
    folder.failed(&["check", "close.toml"], &["cannot reach the goal of tick 5"]);
}

#[test]
fn goals_that_are_too_small_are_told_as_a_run_tells_them() {
    let folder = Folder::new("check-small");
    let group = "[[group]]\nname = \"crowd\"\ngoal = { rect = [20, 8, 22, 10] }\n\
                 spawn = [{ rect = [2, 2, 18, 18], count = 120 }]\n";
    folder.write("small.toml", format!("{STREET}{group}"));
    let said = folder.fine(&["check", "small.toml"]).out;
    let note = said.lines().find(|line| line.contains("has room for")).expect("a note");
    let told = folder.fine(&["run", "small.toml", "--no-files"]).out;
    let room = note.split("goal of").nth(1).unwrap().split(" (").next().unwrap();
    assert!(told.contains(&format!("goal of{room}")), "{note}\n{told}");
}

#[test]
fn all_that_ships_can_go_as_it_says() {
    let folder = Folder::new("check-shipped");
    for name in throng::scenario::builtin_names() {
        let said = folder.fine(&["check", name]).out;
        assert!(!said.contains("mistake"), "{said}");
    }
}

/// Agents that leave after three seconds.
const LEAVING: &str = r#"
ticks = 4000
[end]
arrived = 1.0
[map]
size = [40, 20]
[[machine]]
name = "guest"
start = "walk"
[[machine.state]]
name = "walk"
go = [{ to = "gone", when = "timer > 3" }]
[[machine.state]]
name = "gone"
enter = ["leave"]
[[group]]
name = "guests"
machine = "guest"
spawn = [{ rect = [2, 2, 18, 18], count = 60 }]
goal = { disc = [30, 10, 6] }
"#;

#[test]
fn agents_that_leave_count_as_arrived_and_the_run_ends_when_all_have() {
    let folder = Folder::new("check-leaving");
    folder.write("leave.toml", LEAVING);
    let done = folder.fine(&["run", "leave.toml", "--json", "a.json", "--record", "a.throng"]);
    for words in
        ["ended: all have left", "all have left; nobody inside", "60 more, counted as arrived"]
    {
        assert!(done.out.contains(words), "`{words}` is not in {}", done.out);
    }
    let json: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
    assert_eq!(
        (&json["agents"], &json["arrived"], &json["left"]),
        (&0.into(), &60.into(), &60.into())
    );
    assert!(json["ticks"].as_u64().unwrap() < 2_000, "{json}");
    folder.fine(&["verify", "a.throng"]);
}
