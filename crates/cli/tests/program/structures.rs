//! Runs with walls that fall.

use crate::running::Folder;

/// A gate that twelve break, and a barricade that stands.
const GATE: &str = "ticks = 600\n[map]\nsize = [30, 10]\n\
    [[weapon]]\nname = \"axe\"\nrange = 1.6\ncooldown = 0.5\nspeed = 20\ngravity = 0\nspread = 0\n\
    damage = 10\nmuzzle = 1\n\
    [[team]]\nname = \"red\"\n[[team]]\nname = \"blue\"\n\
    [[group]]\nname = \"raiders\"\nteam = \"red\"\nweapon = \"axe\"\n\
    spawn = { rect = [6, 2, 12, 8], count = 12 }\ngoal = { rect = [20, 0, 30, 10] }\n\
    [[structure]]\nname = \"barricade\"\ntick = 40\nhealth = 250\nrect = [26, 0, 27, 2]\n\
    [[structure]]\nname = \"gate\"\nteam = \"blue\"\nhealth = 300\nrect = [15, 0, 16, 10]\n";

#[test]
fn a_run_tells_what_fell_and_shows_what_stands() {
    for numeric in ["f32", "fixed"] {
        let folder = Folder::new(&format!("structures-{numeric}"));
        folder.write("gate.toml", GATE);
        let options = ["--numeric", numeric, "--record", "gate.throng", "--film", "run.gif"];
        let outputs = ["--json", "gate.json", "--picture", "run.png"];
        let run = folder.fine(&[&["run", "gate.toml"], &options[..], &outputs[..]].concat());
        let stands = "structure 'barricade' stands, with 250 of 250 hit points";
        for line in ["structure 'gate' fell after ", stands] {
            assert!(run.text().contains(line), "{}", run.out);
        }
        let summary: serde_json::Value = serde_json::from_slice(&folder.read("gate.json")).unwrap();
        let structures = &summary["structures"];
        assert_eq!([&structures["standing"], &structures["fallen"]], [1, 1]);
        assert_eq!(structures["structures"][0]["name"], "gate", "the first that was built");
        let fell = structures["structures"][0]["fell_s"].as_f64().unwrap();
        assert!((4.0..20.0).contains(&fell), "{fell}");
        assert_eq!(summary["arrived"], 12);
        // The replay shows the same.
        let outputs = ["--trails", "--picture", "replay.png", "--film", "replay.gif"];
        folder.fine(&[&["replay", "gate.throng"], &outputs[..]].concat());
        assert_eq!(folder.read("run.gif"), folder.read("replay.gif"));
        assert_eq!(folder.read("run.png"), folder.read("replay.png"));
        let verified = folder.fine(&["verify", "gate.throng"]);
        assert!(verified.out.contains("the same"), "{}", verified.out);
        for option in [["--rewind", "8"], ["--reload", "3"]] {
            let begun = ["run", "gate.toml", "--numeric", numeric, "--ticks", "200", "--quiet"];
            folder.fine(&[&begun[..], &option[..]].concat());
        }
    }
}

/// A goal behind walls that can fall is a note of `check`; behind other walls it is a mistake.
#[test]
fn check_tells_structures_from_walls() {
    let folder = Folder::new("structures-check");
    let unarmed = GATE.replace("weapon = \"axe\"\nspawn", "spawn");
    folder.write("gate.toml", &unarmed);
    let done = folder.fine(&["check", "gate.toml"]);
    let told = "note: 12 agents of `raiders` cannot reach the goal of tick 0: no way leads there \
                before a structure falls";
    assert!(done.text().contains(told), "{}", done.out);
    let walled = "size = [30, 10]\nwalls = [{ rect = [18, 0, 19, 10] }]";
    folder.write("walled.toml", unarmed.replace("size = [30, 10]", walled));
    let done = folder.run(&["check", "walled.toml"]);
    let told = "mistake: order at tick 0 to `raiders` refused: no agent of the group can reach";
    assert!(done.code == Some(1) && done.text().contains(told), "{}", done.out);
}
