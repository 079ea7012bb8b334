//! Runs in which people come and go.

use crate::running::Folder;

/// A hall into which 20 come in ten seconds, and which they leave through a gate.
const HALL: &str = "ticks = 4000\n[end]\nleft = 1.0\n[map]\nsize = [30, 10]\n\
    [[group]]\nname = \"guests\"\ngoal = { rect = [24, 0, 30, 10] }\nleave = true\n\
    vary = { wait = { uniform = [0, 3] } }\n\
    [[source]]\nname = \"door\"\ngroup = \"guests\"\nrect = [0, 2, 3, 8]\nrate = 2\nend = 10\n\
    [[gate]]\nname = \"middle\"\nfrom = [15, 10]\nto = [15, 0]\n\
    [[gate]]\nname = \"end\"\nfrom = [24, 10]\nto = [24, 0]\n";

#[test]
fn a_run_ends_when_all_who_come_have_left() {
    for numeric in ["f32", "fixed"] {
        let folder = Folder::new(&format!("traffic-{numeric}"));
        folder.write("hall.toml", HALL);
        let options = ["--numeric", numeric, "--record", "hall.throng", "--measure", "measures"];
        let run =
            folder.fine(&[&["run", "hall.toml", "--json", "hall.json"], &options[..]].concat());
        for line in ["came 20 by 'door'", "left 20 by 'goal of guests'", "all have left"] {
            assert!(run.text().contains(line), "{}", run.out);
        }
        let summary: serde_json::Value = serde_json::from_slice(&folder.read("hall.json")).unwrap();
        assert_eq!([&summary["agents"], &summary["left"], &summary["arrived"]], [0, 20, 20]);
        let ticks = summary["ticks"].as_u64().unwrap();
        assert!((400..900).contains(&ticks), "{ticks}");
        assert_eq!(summary["traffic"]["sources"][0]["entered"], 20);
        let measures: serde_json::Value =
            serde_json::from_slice(&folder.read("measures/measures.json")).unwrap();
        // The second gate is the edge of the sink: no agent is seen behind it.
        for gate in 0..2 {
            let forward = &measures["gates"][gate]["forward"]["count"];
            assert_eq!(*forward, 20, "{}", measures["gates"][gate]);
        }
        let group = &measures["groups"][0];
        assert_eq!([&group["agents"], &group["arrived"], &group["path"]["trips"]], [0, 20, 20]);
        let verified = folder.fine(&["verify", "hall.throng"]);
        assert!(verified.out.contains("the same"), "{}", verified.out);
        for option in [["--rewind", "8"], ["--reload", "3"]] {
            let begun = ["run", "hall.toml", "--numeric", numeric, "--ticks", "160", "--quiet"];
            folder.fine(&[&begun[..], &option[..]].concat());
        }
    }
}

#[test]
fn mistakes_in_sources_and_distributions_are_named_with_their_lines() {
    let folder = Folder::new("traffic-mistakes");
    let head = "ticks = 10\n[map]\nsize = [30, 10]\n[[group]]\nname = \"guests\"\n";
    let source = "[[source]]\nname = \"door\"\ngroup = \"guests\"\nrect = [0, 2, 3, 8]\n";
    let cases = [
        ("leave = true\n", source, "rate = 2", "6:9: key `group[0].leave`"),
        ("", source, "rate = -2", "10:8: key `source[0].rate`: -2 is below 0"),
        ("", source, "rate = [[0, 1], [0, 2]]", "10:18: key `source[0].rate[1][0]`"),
        ("", source, "batches = [[0, 1.5]]", "is not a whole number"),
        ("", source, "rate = 1\nbatches = [[0, 1]]", "contradict each other"),
        ("", source, "", "none of `rate`, `batches` is there"),
        (
            "",
            "[[source]]\nname = \"d\"\ngroup = \"gusts\"\n",
            "rect = [0, 0, 1, 1]\nrate = 1",
            "\"guests\"",
        ),
        ("vary = { speed = 9 }\n", source, "rate = 1", "the constant of speed is 9"),
        (
            "vary = { speed = { normal = [1, 0.1], uniform = [1, 2] } }\n",
            source,
            "rate = 1",
            "contradict",
        ),
        (
            "vary = { wait = { uniform = [5, 2] } }\n",
            source,
            "rate = 1",
            "the high end of wait is 2",
        ),
        (
            "exits = [{ rect = [20, 0, 22, 2] }]\ngoal = { point = [1, 1] }\n",
            source,
            "rate = 1",
            "contradict",
        ),
        ("vary = { radius = 0.7 }\n", source, "rate = 1", "the constant of radius is 0.7"),
        (
            "vary = { response = { uniform = [0.01, 1] } }\n",
            source,
            "rate = 1",
            "the low end of response",
        ),
        ("vary = { patience = -1 }\n", source, "rate = 1", "the constant of patience is -1"),
        ("vary = { size = 1 }\n", source, "rate = 1", "there is no such key"),
        (
            "follow = { group = \"guests\" }\n",
            source,
            "rate = 1",
            "6:20: key `group[0].follow.group`",
        ),
        ("follow = { group = \"gests\" }\n", source, "rate = 1", "\"guests\", if that"),
        ("follow = { gap = 2 }\n", source, "rate = 1", "the name of a group"),
        (
            "goal = { point = [1, 1] }\nfollow = { group = \"b\" }\n",
            source,
            "rate = 1",
            "contradict",
        ),
        (
            "[[order]]\ntick = 1\nfollow = \"guests\"\n",
            source,
            "rate = 1",
            "key `order[0].leaders`: missing",
        ),
        (
            "[[order]]\ntick = 1\nstop = \"guests\"\ngap = 1\n",
            source,
            "rate = 1",
            "`stop` takes no `gap`",
        ),
        ("choice = { crowd = 1 }\n", source, "rate = 1", "there is nothing to choose"),
        ("exits = [{ rect = [40, 0, 42, 2] }]\n", source, "rate = 1", "6:19"),
        ("", source, "rate = 1\n[[sink]]\nname = \"s\"\nrect = [40, 0, 42, 2]", "13:8"),
    ];
    for (of_group, source, rest, expected) in cases {
        folder.write("bad.toml", format!("{head}{of_group}{source}{rest}\n"));
        folder.bad(&["check", "bad.toml"], &[expected]);
    }
}
