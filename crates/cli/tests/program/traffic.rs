//! Runs in which people come and go.

use image::RgbImage;
use throng::replay::{RecordOptions, Recorder};
use throng::scenario::{Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::World;
use throng_cli::draw::traffic::{SINK, SOURCE};

use crate::running::Folder;
use crate::view::client::serve;

/// A hall into which 20 come in ten seconds, and which they leave through a gate.
const HALL: &str = "ticks = 4000\n[end]\nleft = 1.0\n[map]\nsize = [30, 10]\n\
    [[group]]\nname = \"guests\"\ngoal = { rect = [24, 0, 30, 10] }\nleave = true\n\
    vary = { wait = { uniform = [0, 3] } }\n\
    [[source]]\nname = \"door\"\ngroup = \"guests\"\nrect = [0, 2, 3, 8]\nrate = 2\nend = 10\n\
    [[gate]]\nname = \"middle\"\nfrom = [15, 10]\nto = [15, 0]\n\
    [[gate]]\nname = \"end\"\nfrom = [24, 10]\nto = [24, 0]\n";

/// A hall with two sources and three sinks: a goal, an exit of a group, and ground where nobody goes.
pub(crate) const STATION: &str = "ticks = 900\n[map]\nsize = [40, 20]\n\
    [[group]]\nname = \"guests\"\ngoal = { rect = [30, 2, 38, 8] }\nleave = true\n\
    [[group]]\nname = \"crew\"\nspawn = { rect = [12, 8, 16, 10], count = 6 }\n\
    exits = [{ rect = [20, 12, 26, 18] }, { disc = [34, 15, 2] }]\n\
    [[source]]\nname = \"street\"\ngroup = \"guests\"\nrect = [1, 1, 5, 6]\nrate = 1\nend = 10\n\
    [[source]]\nname = \"yard\"\ngroup = \"guests\"\ndisc = [4, 15, 2]\nbatches = [[2, 5]]\n\
    [[sink]]\nname = \"tram\"\nrect = [20, 12, 26, 18]\n\
    [[sink]]\nname = \"bus\"\npolygon = [[10, 14], [16, 14], [16, 18]]\n";

fn image_of(bytes: &[u8]) -> RgbImage {
    image::load_from_memory(bytes).unwrap().to_rgb8()
}

/// Pixels that are as they should be in a rectangle of metres: x and y of two corners. The picture is 40 m
/// wide.
fn pixels(
    image: &RgbImage,
    [x0, y0, x1, y1]: [f64; 4],
    is_right: impl Fn([u8; 3]) -> bool,
) -> usize {
    let metre = f64::from(image.width()) / 40.0;
    let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|at| (at * metre) as u32);
    let places = (y0..y1.min(image.height())).flat_map(|y| (x0..x1).map(move |x| (x, y)));
    places.filter(|&(x, y)| is_right(image.get_pixel(x, y).0)).count()
}

/// Pixels of about a colour.
fn pixels_like(image: &RgbImage, colour: [u8; 3], at: [f64; 4]) -> usize {
    pixels(image, at, |pixel| (0..3).all(|i| pixel[i].abs_diff(colour[i]) < 16))
}

/// What a picture of the station shows, whether or not it shows goals; `legend` when it has one.
fn check_station(image: &RgbImage, shows_goals: bool) {
    let legend = [0.0, 20.5, 40.0, 60.0];
    for colour in [SOURCE, SINK] {
        assert!(pixels_like(image, colour, legend) > 3, "{colour:?} is in the legend");
    }
    let edge = |colour, at| pixels_like(image, colour, at) > 20;
    assert!(edge(SOURCE, [1.0, 0.8, 5.0, 1.2]), "the upper edge of the street");
    assert!(edge(SOURCE, [1.5, 12.5, 6.5, 17.5]), "the yard's outline");
    assert!(edge(SINK, [10.0, 13.8, 16.0, 14.2]), "the upper edge of the bus");
    for at in [[20.0, 11.8, 26.0, 12.2], [30.0, 1.8, 38.0, 2.2]] {
        assert_eq!(edge(SINK, at), !shows_goals, "the upper edge of a sink that is a goal");
    }
    for at in [[20.5, 12.5, 25.5, 17.5], [30.5, 2.5, 37.5, 7.5]] {
        let stripes = pixels(image, at, |[r, g, b]| r.min(b) > g.saturating_add(60));
        assert!(stripes > 100, "{stripes} pixels of the stripes of a sink");
    }
    assert_eq!(pixels_like(image, SINK, [32.5, 13.5, 35.5, 16.5]), 0, "an exit that is no sink");
    assert_eq!(pixels_like(image, SOURCE, [6.5, 0.0, 40.0, 20.0]), 0, "no source is there");
}

/// Pictures and films show sources and sinks, those of a replay as those of its run.
#[test]
fn sources_and_sinks_are_seen() {
    let folder = Folder::new("traffic-seen");
    folder.write("station.toml", STATION);
    let outputs = ["--record", "s.throng", "--picture", "run.png", "--film", "run.apng"];
    folder.fine(&[&["run", "station.toml", "-q"], &outputs[..]].concat());
    let outputs = ["--trails", "--picture", "replay.png", "--film", "replay.apng"];
    folder.fine(&[&["replay", "s.throng", "-q"], &outputs[..]].concat());
    assert!(folder.read("run.png") == folder.read("replay.png"));
    assert!(folder.read("run.apng") == folder.read("replay.apng"));
    check_station(&image_of(&folder.read("run.png")), true);
    check_station(&image_of(&folder.read("run.apng")), false);
    folder.fine(&["replay", "s.throng", "--to", "20", "--picture", "early.png"]);
    check_station(&image_of(&folder.read("early.png")), true);
    folder.fine(&["check", "station.toml", "--picture", "check.png"]);
    check_station(&image_of(&folder.read("check.png")), true);
    // Nothing of the kind where there are none.
    folder.fine(&["run", "small", "-q", "--ticks", "9", "--picture", "p.png", "--film", "p.apng"]);
    for file in ["p.png", "p.apng"] {
        for colour in [SOURCE, SINK] {
            assert_eq!(
                pixels_like(&image_of(&folder.read(file)), colour, [0.0, 0.0, 40.0, 99.0]),
                0
            );
        }
    }
}

/// A recording without a scene, as games make them, shows them too, under numbers.
#[test]
fn sources_and_sinks_without_names_are_seen() {
    let folder = Folder::new("traffic-unnamed");
    let def = ScenarioDef::parse(STATION, "station.toml").unwrap();
    let plan = Plan::new(&def, def.load_map(&|_| panic!("no file")).unwrap()).unwrap();
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let options = RecordOptions::from("station");
    let mut recorder = Recorder::start(&world, options, Vec::new()).unwrap();
    let mut scratch = Scratch::new();
    for at in 0..40 {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        recorder.tick(&world, &orders).unwrap();
    }
    folder.write("station.throng", recorder.finish().unwrap());
    folder.fine(&["replay", "station.throng", "--picture", "seen.png"]);
    check_station(&image_of(&folder.read("seen.png")), false);
    folder.fine(&["replay", "station.throng", "--film", "seen.apng"]);
    check_station(&image_of(&folder.read("seen.apng")), false);
    let served = serve(&folder, &["station.throng", "--paused"]);
    let areas = served.json("areas");
    assert_eq!([&areas["sources"][1]["name"], &areas["sinks"][0]["name"]], ["source 2", "sink 1"]);
    served.stop();
}

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
    let of_group = [
        ("leave = true", "6:9: key `group[0].leave`"),
        ("vary = { speed = 9 }", "the constant of speed is 9"),
        ("vary = { speed = { normal = [1, 0.1], uniform = [1, 2] } }", "contradict"),
        ("vary = { wait = { uniform = [5, 2] } }", "the high end of wait is 2"),
        ("exits = [{ rect = [20, 0, 22, 2] }]\ngoal = { point = [1, 1] }", "contradict"),
        ("vary = { radius = 0.7 }", "the constant of radius is 0.7"),
        ("vary = { response = { uniform = [0.01, 1] } }", "the low end of response"),
        ("vary = { patience = -1 }", "the constant of patience is -1"),
        ("vary = { size = 1 }", "there is no such key"),
        ("follow = { group = \"guests\" }", "6:20: key `group[0].follow.group`"),
        ("follow = { group = \"gests\" }", "\"guests\", if that"),
        ("follow = { gap = 2 }", "the name of a group"),
        ("goal = { point = [1, 1] }\nfollow = { group = \"b\" }", "contradict"),
        ("[[order]]\ntick = 1\nfollow = \"guests\"", "key `order[0].leaders`: missing"),
        ("[[order]]\ntick = 1\nstop = \"guests\"\ngap = 1", "`stop` takes no `gap`"),
        ("choice = { crowd = 1 }", "there is nothing to choose"),
        ("exits = [{ rect = [40, 0, 42, 2] }]", "6:19"),
    ];
    let of_source = [
        ("rate = -2", "10:8: key `source[0].rate`: -2 is below 0"),
        ("rate = [[0, 1], [0, 2]]", "10:18: key `source[0].rate[1][0]`"),
        ("batches = [[0, 1.5]]", "is not a whole number"),
        ("rate = 1\nbatches = [[0, 1]]", "contradict each other"),
        ("", "none of `rate`, `batches` is there"),
        ("rate = 1\n[[sink]]\nname = \"s\"\nrect = [40, 0, 42, 2]", "13:8"),
    ];
    let bad = |text: String, expected: &str| {
        folder.write("bad.toml", format!("{head}{text}\n"));
        folder.bad(&["check", "bad.toml"], &[expected]);
    };
    for (lines, expected) in of_group {
        bad(format!("{lines}\n{source}rate = 1"), expected);
    }
    for (lines, expected) in of_source {
        bad(format!("{source}{lines}"), expected);
    }
    bad(source.replace("guests", "gusts") + "rate = 1", "\"guests\"");
}
