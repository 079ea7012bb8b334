//! Runs with doors that open and close.

use crate::running::Folder;

/// A hall whose right half is behind a door, which opens after 10 s.
const HALL: &str = "ticks = 800\n[end]\narrived = 1.0\n[map]\nsize = [30, 10]\n\
    walls = [{ rect = [15, 0, 16, 10] }]\n\
    [[group]]\nname = \"guests\"\nspawn = { rect = [1, 1, 9, 9], count = 20 }\n\
    goal = { rect = [18, 0, 30, 10] }\n\
    [[door]]\nname = \"entrance\"\nopen = [[10, 600]]\nrect = [15, 4, 16, 6]\n";

/// The colour of closed doors in pictures, over their ground.
fn is_door(pixel: &image::Rgb<u8>) -> bool {
    let [r, g, b] = pixel.0.map(i32::from);
    (120..190).contains(&r) && (40..110).contains(&g) && (130..195).contains(&b)
}

fn shows_a_door(bytes: &[u8]) -> bool {
    let image = image::load_from_memory(bytes).unwrap().to_rgb8();
    let crop = image.height() * 3 / 4;
    image.enumerate_pixels().filter(|(_, y, pixel)| *y < crop && is_door(pixel)).count() > 20
}

#[test]
fn a_run_waits_before_a_door_and_shows_it() {
    for numeric in ["f32", "fixed"] {
        let folder = Folder::new(&format!("doors-{numeric}"));
        folder.write("hall.toml", HALL);
        let options = ["--numeric", numeric, "--record", "hall.throng", "--film", "run.gif"];
        let outputs = ["--json", "hall.json", "--picture", "run.png"];
        folder.fine(&[&["run", "hall.toml"], &options[..], &outputs[..]].concat());
        let summary: serde_json::Value = serde_json::from_slice(&folder.read("hall.json")).unwrap();
        assert_eq!(summary["arrived"], 20, "all pass once it opens");
        assert!(summary["ticks"].as_u64().unwrap() > 200, "{summary}");
        assert!(!shows_a_door(&folder.read("run.png")), "it is open at the end");
        let outputs = ["--trails", "--picture", "replay.png", "--film", "replay.gif"];
        folder.fine(&[&["replay", "hall.throng"], &outputs[..]].concat());
        assert!(folder.read("run.gif") == folder.read("replay.gif"));
        assert!(folder.read("run.png") == folder.read("replay.png"));
        folder.fine(&["replay", "hall.throng", "--to", "100", "--picture", "early.png"]);
        assert!(shows_a_door(&folder.read("early.png")), "it is closed after 5 s");
        let verified = folder.fine(&["verify", "hall.throng"]);
        assert!(verified.out.contains("the same"), "{}", verified.out);
        for option in [["--rewind", "8"], ["--reload", "3"]] {
            let begun = ["run", "hall.toml", "--numeric", numeric, "--ticks", "300", "--quiet"];
            folder.fine(&[&begun[..], &option[..]].concat());
        }
    }
}

/// A goal behind a door is none behind a wall, and a door that never opens is told.
#[test]
fn check_tells_doors_from_walls() {
    let folder = Folder::new("doors-check");
    folder.write("hall.toml", HALL);
    let done = folder.fine(&["check", "hall.toml", "--picture", "hall.png"]);
    assert!(!done.text().contains("note"), "{}", done.out);
    assert!(shows_a_door(&folder.read("hall.png")));
    folder.write("shut.toml", HALL.replace("[[10, 600]]", "[]"));
    let done = folder.fine(&["check", "shut.toml"]);
    let told = "note: door `entrance` never opens, and whoever is led through it waits there";
    assert!(done.text().contains(told), "{}", done.out);
    // Doors that are walls while they are closed, in walls and on open ground, closed and open at first.
    for (open, ground) in
        [("[[10, 600]]", ""), ("[[0, 600]]", ""), ("[[10, 600]]", "# "), ("[[0, 600]]", "# ")]
    {
        let detour = HALL
            .replace("walls =", &format!("{ground}walls ="))
            .replace("open = [[10, 600]]", &format!("open = {open}\ndetour = true"));
        folder.write("detour.toml", detour);
        let done = folder.fine(&["check", "detour.toml"]);
        assert!(!done.text().contains("refused"), "{open} {ground}: {}", done.out);
        let done = folder.fine(&["run", "detour.toml", "--quiet"]);
        assert!(!done.text().contains("refused"), "{open} {ground}: {}", done.text());
    }
    folder.write("walled.toml", HALL.split("[[door]]").next().unwrap());
    let done = folder.run(&["check", "walled.toml"]);
    assert!(done.code == Some(1) && done.text().contains("refused"), "{}", done.out);
}
