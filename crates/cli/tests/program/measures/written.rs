//! `throng run --measure`: what the program writes, against a recount from positions.

use std::collections::BTreeMap;

use serde_json::Value;
use throng::tick::{Scratch, tick};
use throng::world::{World, state};
use throng_cli::draw::plot::Plot;

use crate::measures::{near, plan_of};
use crate::running::Folder;

/// A name with a comma and quotes, an area of two shapes.
const SCENARIO: &str = "name = \"crossing\"\nticks = 605\n[map]\nsize = [40, 12]\n\
    walls = [{ rect = [19, 0, 21, 3] }, { rect = [19, 9, 21, 12] }]\n\
    [[group]]\nname = \"right, \\\"east\\\"\"\nspawn = { rect = [1, 1, 14, 11], count = 60 }\n\
    goal = { rect = [28, 1, 39, 11] }\n\
    [[group]]\nname = \"left\"\nspawn = { rect = [26, 1, 39, 11], count = 50 }\n\
    goal = { rect = [1, 1, 12, 11] }\n\
    [[gate]]\nname = \"door\"\nfrom = [20, 12]\nto = [20, 0]\n\
    [[area]]\nname = \"middle\"\nany = [{ rect = [15, 2, 20, 10] }, { rect = [18, 3, 25, 9] }]\n";

const PNGS: [&str; 4] = ["time.png", "gates.png", "areas.png", "fundamental.png"];

/// What the test counts itself: the positions of all agents after every tick.
struct Recount {
    /// By sample of 10 ticks, and the last: agents arrived, agents in the area, sum of their speeds.
    samples: Vec<(u64, u64, f64)>,
    /// By agent: times of crossings and their directions.
    crossings: BTreeMap<u32, Vec<(f64, bool)>>,
}

fn recount() -> Recount {
    let plan = plan_of(SCENARIO);
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    let mut before: BTreeMap<u32, f64> = BTreeMap::new();
    let mut found = Recount { samples: Vec::new(), crossings: BTreeMap::new() };
    for now in 1..=605_u64 {
        let orders: Vec<_> = plan.orders_at(now - 1).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        let mut sample = (world.arrived() as u64, 0, 0.0);
        for (row, tag) in world.tags().iter().enumerate() {
            let [x, y] = world.positions()[row].map(f64::from);
            let [vx, vy] = world.velocities()[row].map(f64::from);
            let one = (15.0..=20.0).contains(&x) && (2.0..=10.0).contains(&y);
            let other = (18.0..=25.0).contains(&x) && (3.0..=9.0).contains(&y);
            if one || other {
                sample.1 += 1;
                sample.2 += (vx * vx + vy * vy).sqrt();
            }
            if let Some(old) = before.insert(tag.id, x)
                && (old < 20.0) != (x < 20.0)
            {
                let time = (now as f64 - 1.0 + (20.0 - old) / (x - old)) * 0.05;
                found.crossings.entry(tag.id).or_default().push((time, x > old));
            }
            assert_eq!(tag.state & state::LEAVING, 0);
        }
        if now % 10 == 0 || now == 605 {
            found.samples.push(sample);
        }
    }
    found
}

/// Rows of a CSV file without quoted line breaks.
fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => {
                    quoted = !quoted;
                    // A quote within quotes is written twice.
                    let last = fields.last_mut().unwrap();
                    if quoted && !last.is_empty() {
                        last.push('"');
                    }
                }
                ',' if !quoted => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        fields
    };
    text.lines().map(row).collect()
}

#[test]
fn what_is_written_is_what_a_recount_finds() {
    let folder = Folder::new("measure");
    folder.write("scenario.toml", SCENARIO);
    let args = ["run", "scenario.toml", "--measure", "deep/out", "--measure-warm-up", "5"];
    let done = folder.fine(&args);
    for word in ["measures, a sample every 0.5 s, means from 5 s on", "door", "deep/out"] {
        assert!(done.out.contains(word), "`{word}` is not in: {}", done.out);
    }
    let text = |name: &str| String::from_utf8(folder.read(&format!("deep/out/{name}"))).unwrap();
    // On the terminal long lines are broken.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&done.out).contains(&words(&text("measures.txt"))));
    let wide = text("measures.txt").lines().map(|line| line.chars().count()).max();
    assert!(wide <= Some(100), "no line of a table breaks on a screen: {wide:?}");
    PNGS.iter().for_each(|name| {
        assert!(folder.read(&format!("deep/out/{name}")).starts_with(b"\x89PNG\r\n\x1a\n"));
    });
    let wanted = recount();

    let csv = rows(&text("measures.csv"));
    let column = |name: &str| {
        let at = csv[0].iter().position(|found| found == name);
        let at = at.unwrap_or_else(|| panic!("{name} is not in {:?}", csv[0]));
        csv[1..].iter().map(|row| row[at].clone()).collect::<Vec<String>>()
    };
    assert!(csv.iter().all(|row| row.len() == csv[0].len()));
    assert_eq!(csv.len() - 1, wanted.samples.len());
    assert_eq!(column("time_s").last().unwrap(), "30.25");
    let arrived: Vec<String> = wanted.samples.iter().map(|s| s.0.to_string()).collect();
    assert_eq!(column("arrived"), arrived);
    let inside: Vec<String> = wanted.samples.iter().map(|s| s.1.to_string()).collect();
    assert_eq!(column("area.middle.agents"), inside);
    // 5 × 8 and 7 × 6 m, 2 × 6 m of which are in both; walls take 2 × 1 m of the first alone.
    let free = 40.0 + 42.0 - 12.0 - 2.0;
    for ((found, speed), sample) in column("area.middle.density")
        .iter()
        .zip(column("area.middle.mean_speed"))
        .zip(&wanted.samples)
    {
        near(found.parse().unwrap(), sample.1 as f64 / free, 1e-9);
        match speed.parse::<f64>() {
            Ok(speed) => near(speed, sample.2 / sample.1 as f64, 1e-6),
            Err(_) => assert_eq!(sample.1, 0),
        }
    }
    assert_eq!(column("group.right, \"east\".agents"), vec!["60"; wanted.samples.len()]);

    let gates = rows(&text("gates.csv"));
    let header = ["gate", "time_s", "id", "group", "direction", "passes", "forward", "backward"];
    assert_eq!(gates[0], header);
    let mut found: BTreeMap<u32, Vec<(f64, bool)>> = BTreeMap::new();
    for row in &gates[1..] {
        let entry = found.entry(row[2].parse().unwrap()).or_default();
        entry.push((row[1].parse().unwrap(), row[4] == "forward"));
    }
    assert_eq!(found.len(), wanted.crossings.len());
    for ((agent, found), (_, wanted)) in found.iter().zip(&wanted.crossings) {
        assert_eq!(found.len(), wanted.len(), "agent {agent}");
        for (a, b) in found.iter().zip(wanted) {
            near(a.0, b.0, 1e-5);
            assert_eq!(a.1, b.1);
        }
    }
    check_json(&text("measures.json"), &wanted, gates.last().unwrap());
}

/// The JSON against the recount.
fn check_json(text: &str, wanted: &Recount, last_crossing: &[String]) {
    let json: Value = serde_json::from_str(text).unwrap();
    let gate = &json["gates"][0];
    let net = |crossings: &Vec<(f64, bool)>| {
        crossings.iter().map(|c| if c.1 { 1 } else { -1 }).sum::<i64>()
    };
    let passed = |sign: i64| wanted.crossings.values().filter(|c| net(c) == sign).count();
    assert_eq!(gate["forward"]["count"], passed(1));
    assert_eq!(gate["backward"]["count"], passed(-1));
    assert!(passed(1) > 20 && passed(-1) > 20);
    assert_eq!(last_crossing[6], passed(1).to_string());
    let all: usize = wanted.crossings.values().map(Vec::len).sum();
    assert_eq!(gate["both"]["crossings"], all);
    assert_eq!(gate["open_m"], 6.0);
    // The time of every agent's last crossing, and the flow between its tenths.
    let of = |c: &&Vec<(f64, bool)>| net(c) == 1;
    let mut times: Vec<f64> =
        wanted.crossings.values().filter(of).map(|c| c.last().unwrap().0).collect();
    times.sort_by(f64::total_cmp);
    let tenth = times.len() / 10;
    let last = times.len() - 1 - tenth;
    let flow = (last - tenth) as f64 / (times[last] - times[tenth]);
    near(gate["forward"]["flow_per_s"].as_f64().unwrap(), flow, 1e-4);
    near(gate["forward"]["specific_flow_per_m_s"].as_f64().unwrap(), flow / 6.0, 1e-4);
    // Samples from 5 s on: the tenth and all after it.
    let densities = wanted.samples[9..].iter().map(|s| s.1 as f64 / 68.0);
    let mean = densities.sum::<f64>() / (wanted.samples.len() - 9) as f64;
    near(json["areas"][0]["mean_density"].as_f64().unwrap(), mean, 1e-9);
    assert_eq!(json["groups"][0]["name"], "right, \"east\"");
    assert_eq!(json["groups"][1]["agents"], 50);
    assert_eq!(json["series"]["arrived"].as_array().unwrap().len(), wanted.samples.len());
}

/// Every key of an object and of objects in it.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.push(key.clone());
            keys(value, found);
        }),
        Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_there() {
    let folder = Folder::new("measure-keys");
    folder.write("scenario.toml", SCENARIO);
    folder.fine(&["run", "scenario.toml", "--ticks", "40", "--measure", "out", "--quiet"]);
    let json: Value = serde_json::from_slice(&folder.read("out/measures.json")).unwrap();
    let mut found = Vec::new();
    keys(&json, &mut found);
    found.sort();
    found.dedup();
    let docs = include_str!("../../../../../docs/formats.md");
    let start = docs.find("\n## Measures\n").expect("the section is there");
    let section = &docs[start + 4..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    for key in &found {
        assert!(section.contains(&format!("`{key}`")), "{key} is not documented");
    }
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cell = line.split('|').nth(1).unwrap();
        for key in cell.split('`').skip(1).step_by(2).filter(|key| !key.contains(['.', '['])) {
            assert!(found.iter().any(|found| found == key), "{key} is documented and not there");
        }
    }
}

#[test]
fn without_gates_and_areas_there_is_less_to_write() {
    let folder = Folder::new("measure-plain");
    folder.fine(&["run", "small", "--ticks", "30", "--measure", "out", "--measure-every", "7"]);
    let csv = String::from_utf8(folder.read("out/measures.csv")).unwrap();
    let times: Vec<&str> = csv.lines().skip(1).map(|l| l.split(',').next().unwrap()).collect();
    assert_eq!(times.len(), 5, "{times:?}");
    assert!(folder.path("out/time.png").exists() && !folder.path("out/gates.png").exists());
    assert!(!folder.path("out/areas.png").exists());
    assert!(!folder.path("out/small.throng").exists(), "a folder is named, so nothing else is");
}

#[test]
fn bad_folders_and_numbers_are_refused_before_the_run() {
    let folder = Folder::new("measure-bad");
    folder.write("file", "");
    folder.bad(&["run", "small", "--measure", "file"], &["cannot write `file`"]);
    folder.bad(&["run", "small", "--measure", "file/out"], &["cannot write `file/out`"]);
    folder.bad(&["run", "small", "--measure", "o", "--measure-every", "0"], &["0 is not in 1.."]);
    folder.bad(&["run", "small", "--measure", "o", "--measure-warm-up", "-1"], &["no time"]);
    folder.bad(&["run", "small", "--measure-every", "5"], &["--measure <DIR>"]);
    std::fs::create_dir_all(folder.path("taken/measures.txt")).unwrap();
    folder.bad(&["run", "small", "--measure", "taken"], &["cannot write `taken/measures.txt`"]);
}

#[test]
fn plots_show_what_they_are_given() {
    let has = |image: &image::RgbImage, [r, g, b]: [u8; 3]| {
        let near = |p: &image::Rgb<u8>| {
            let apart = [(p[0], r), (p[1], g), (p[2], b)].map(|(a, b)| a.abs_diff(b));
            apart.iter().all(|&apart| apart < 12)
        };
        image.pixels().filter(|pixel| near(pixel)).count()
    };
    let (red, blue, green) = ([200, 0, 0], [0, 0, 200], [0, 140, 0]);
    let mut plot = Plot::new("Title, µ ² – 漢字", "x (m)", "y (m/s)");
    let empty = plot.draw([400, 300]);
    assert_eq!((empty.width(), empty.height()), (400, 300));
    assert!(has(&empty, [255; 3]) > 100_000 && has(&empty, red) == 0);
    plot.line("a line", red, vec![[0.0, 1.0], [5.0, 4.0], [f64::NAN, 1.0], [8.0, 2.0], [9.0, 2.0]]);
    plot.scatter("points", blue, (0..50).map(|i| [f64::from(i) * 0.2, 2.5]).collect());
    plot.level("a level", green, 3.0);
    plot.steps("", [90, 0, 90], &[[0.0, 0.0], [4.0, 1.0]]);
    plot.dashes("", [0, 90, 90], vec![[0.0, 4.0], [9.0, 0.0]]);
    let image = plot.draw([400, 300]);
    let counts = [red, green, [90, 0, 90], [0, 90, 90]].map(|colour| has(&image, colour));
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
    assert_ne!(image, empty);
    assert_eq!(image, plot.draw([400, 300]), "the same plot is the same picture");
    // Numbers that no axis can show, one point, nothing but a level.
    let mut odd = Plot::new("", "", "");
    odd.line("", red, vec![[f64::INFINITY, 1.0], [1.0, 1.0]]).level("", blue, 1e300);
    odd.draw([200, 150]);
    let sheet = throng_cli::draw::plot::sheet(&[plot.clone(), odd, plot], 2, [400, 300]);
    assert_eq!((sheet.width(), sheet.height()), (800, 600));
}
