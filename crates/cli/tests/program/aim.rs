//! `throng aim`: what it says, draws and refuses.

use crate::running::Folder;
use serde_json::Value;

/// A mortar at a walking target.
const MORTAR: [&str; 9] =
    ["aim", "--from", "10,20,1.5", "--target", "130,60,0", "--velocity", "3,-1,0", "--speed", "60"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&MORTAR[..], more].concat()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn triple(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|i| number(&value[i]))
}

#[test]
fn both_arcs_are_told_and_hit() {
    let folder = Folder::new("aim-arcs");
    for numeric in ["f32", "fixed"] {
        let done = folder.fine(&with(&["--numeric", numeric, "--json", "-"]));
        let answer = json(&done.out);
        let launches = answer["launches"].as_array().unwrap();
        let names: Vec<_> = launches.iter().map(|launch| launch["name"].as_str()).collect();
        assert_eq!(names, [Some("low"), Some("high")], "{answer}");
        for launch in launches {
            let (time, [x, y, z]) = (number(&launch["time_s"]), triple(&launch["launch_m_s"]));
            let end = [10.0 + x * time, 20.0 + y * time, 1.5 + (z - 4.905 * time) * time];
            let target = [130.0 + 3.0 * time, 60.0 - time, 0.0];
            let impact = triple(&launch["impact_m"]);
            for axis in 0..3 {
                assert!((end[axis] - target[axis]).abs() < 2e-3, "{launch}: {end:?}");
                assert!((impact[axis] - target[axis]).abs() < 1e-6, "{launch}: {target:?}");
            }
            assert!((number(&launch["speed_m_s"]) - 60.0).abs() < 1e-3, "{launch}");
            assert!(number(&launch["miss_m"]) < 1e-3, "{launch}");
            let flat = number(&launch["elevation_deg"]).to_radians();
            let heading = number(&launch["heading_deg"]).to_radians();
            assert!((60.0 * taylor(flat, 1) - z).abs() < 1e-3, "{launch}");
            let level = 60.0 * taylor(flat, 0);
            assert!((level * taylor(heading, 0) - x).abs() < 1e-3, "{launch}");
            assert!((level * taylor(heading, 1) - y).abs() < 1e-3, "{launch}");
        }
    }
    let text = folder.fine(&MORTAR).text();
    for words in ["the low arc hits after 2.2", "the high arc hits after 11.9", "60.000 m/s"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// Sine (from 1) or cosine (from 0) by its series.
fn taylor(angle: f64, first: i32) -> f64 {
    let (mut term, mut sum) = (if first == 1 { angle } else { 1.0 }, 0.0);
    for n in 0..20 {
        sum += term;
        let k = f64::from(2 * n + first);
        term *= -angle * angle / ((k + 1.0) * (k + 2.0));
    }
    sum
}

#[test]
fn a_weapon_too_weak_is_told_what_would_do() {
    let folder = Folder::new("aim-weak");
    let weak = ["aim", "--target", "300,0,50", "--velocity", "-4,10,0", "--json", "-", "--speed"];
    let done = folder.run(&[&weak[..], &["30"]].concat());
    assert_eq!(done.code, Some(1), "{done:?}");
    let answer = json(&done.out);
    assert_eq!(answer["launches"].as_array().map(Vec::len), Some(0));
    assert_eq!(answer["least"]["outcome"], "impossible");
    let least = number(&answer["least"]["speed_m_s"]);
    let [enough, short] = [least * 1.0001, least * 0.9999].map(|speed| speed.to_string());
    folder.fine(&[&weak[..], &[&enough]].concat());
    assert_eq!(folder.run(&[&weak[..], &[&short]].concat()).code, Some(1));
    let done = folder.run(&["aim", "--target", "300,0,50", "--speed", "30"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    let text = done.text();
    assert!(text.contains("no launch of 30 m/s hits within 60 s"), "{text}");
    assert!(text.contains("the slowest that would has"), "{text}");
}

#[test]
fn one_arc_may_be_asked_for() {
    let folder = Folder::new("aim-one");
    let mut times = Vec::new();
    for arc in ["low", "high", "fastest", "least"] {
        let answer = json(&folder.fine(&with(&["--arc", arc, "--json", "-"])).out);
        let launches = answer["launches"].as_array().unwrap();
        assert_eq!(launches.len(), 1, "{answer}");
        assert_eq!(launches[0]["name"], arc);
        times.push(number(&launches[0]["time_s"]));
    }
    let [low, high, fastest, least] = times[..] else { panic!("{times:?}") };
    assert!((low - fastest).abs() < 1e-4 && low < least && least < high, "{times:?}");
    // Without gravity there is one arc, which is told once.
    let text = folder.fine(&with(&["--gravity", "0"])).text();
    assert!(text.contains("the low arc") && !text.contains("the high arc"), "{text}");
}

#[test]
fn the_arcs_are_drawn() {
    let folder = Folder::new("aim-picture");
    folder.fine(&with(&["--picture", "arcs.png"]));
    let image = image::load_from_memory(&folder.read("arcs.png")).unwrap().to_rgb8();
    let count = |colour: [u8; 3]| image.pixels().filter(|pixel| pixel.0 == colour).count();
    // Both arcs, the target's way, and letters.
    for colour in [[0xd5, 0x3e, 0x0c], [0x00, 0x6b, 0xb6], [0x8a, 0x8d, 0x93], [0x33, 0x36, 0x3d]] {
        assert!(count(colour) > 300, "{colour:?}: {} pixels", count(colour));
    }
    // One that nothing hits: the slowest launch that would.
    let args = ["aim", "--target", "90,0,0", "--speed", "12", "--picture", "least.png"];
    assert_eq!(folder.run(&args).code, Some(1));
    assert!(folder.read("least.png").starts_with(b"\x89PNG"));
    folder.bad(&with(&["--picture", "arcs.png/a.png"]), &["arcs.png/a.png"]);
    folder.bad(&with(&["--json", "arcs.png/a.json"]), &["arcs.png/a.json"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new("aim-bad");
    let aim = |target: &str, speed: &str, more: &[&str], words: &[&str]| {
        let args = [&["aim", "--target", target, "--speed", speed], more].concat();
        folder.bad(&args, words);
    };
    for bad in ["1,2", "1,2,3,4", "a,b,c", "nan,0,0", "inf,0,0", "", "1;2;3", "1,,3"] {
        aim(bad, "60", &[], &["--target", bad, "X,Y,Z"]);
        for argument in ["--from", "--velocity", "--acceleration"] {
            aim("9,9,9", "60", &[argument, bad], &[argument, bad]);
        }
    }
    for (bad, word) in
        [("0", "0"), ("-5", "-5"), ("nan", "NaN"), ("inf", "inf"), ("1e9", "1000000000")]
    {
        aim("9,9,9", bad, &[], &["--speed", word]);
        aim("9,9,9", bad, &["--numeric", "fixed"], &["--speed", word]);
    }
    aim("9,9,9", "fast", &[], &["--speed", "fast"]);
    aim("9,9,9", "60", &["--gravity", "-1"], &["--gravity", "-1", "0 to 1000 m/s²"]);
    aim("9,9,9", "60", &["--gravity", "nan"], &["--gravity", "NaN"]);
    aim("9,9,9", "60", &["--longest", "0"], &["--longest", "0"]);
    aim("9,9,9", "60", &["--longest", "121"], &["--longest", "121", "120 s"]);
    aim("40000,0,0", "60", &[], &["--target", "40000", "32767 m"]);
    aim("9,9,9", "60", &["--velocity", "0,-20000,0"], &["--velocity", "20000", "12000 m/s"]);
    aim("9,9,9", "60", &["--acceleration", "0,0,1001"], &["--acceleration", "1001"]);
    aim("9,9,9", "60", &["--arc", "middle"], &["--arc", "middle"]);
    aim("9,9,9", "60", &["--numeric", "f16"], &["--numeric", "f16"]);
    folder.bad(&["aim", "--speed", "60"], &["--target"]);
    // What fixed point cannot hold is told as it was typed.
    let fast = ["--numeric", "fixed", "--velocity", "0,-1e6,0"];
    aim("9,9,9", "60", &fast, &["--velocity", "1000000", "12000 m/s"]);
    folder.fine(&["aim", "--target", "-9,-9,-9", "--speed", "60", "--velocity", "-1,-1,-1"]);
}
