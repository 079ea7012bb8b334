//! Trajectories: what the files say is what the library computes, agent by agent.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::running::Folder;
use throng::map::{Legend, Map};
use throng::math::Numeric;
use throng::scenario::{Overrides, Plan, ScenarioDef};
use throng::{Fx, Id, Numbers, Scratch, World, tick};

/// Agents leave and others come, so that ids' indices are used again; names that CSV must quote.
const COMINGS: &str = r#"
name = "comings\nand in cm, framerate 99"
seed = 3
tick_rate = 25
ticks = 60
[map]
size = [40, 30]
walls = [{ rect = [18, 0, 20, 12] }]
[[group]]
name = 'red, "fast"'
speed = 2.0
spawn = [{ rect = [2, 2, 14, 28], count = 80 }]
goal = { rect = [30, 2, 38, 28] }
[[group]]
name = "blue"
spawn = [{ rect = [30, 2, 38, 28], count = 40 }]
goal = { rect = [2, 2, 14, 28] }
[[order]]
tick = 10
remove = "blue"
[[order]]
tick = 11
spawn = "blue"
area = { rect = [22, 2, 38, 28] }
count = 70
[[order]]
tick = 30
remove = 'red, "fast"'
area = { rect = [0, 0, 40, 10] }
[[order]]
tick = 37
spawn = 'red, "fast"'
area = { rect = [2, 2, 14, 28] }
count = 50
[[order]]
tick = 50
remove = "blue"
[[order]]
tick = 50
remove = 'red, "fast"'
"#;

/// An agent in a frame, as a file tells it.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    id: u64,
    frame: u64,
    pos: [f64; 2],
    /// What only CSV and Parquet tell: time, velocity, group.
    more: Option<(f64, [f64; 2], String)>,
}

/// The same scenario by the library: every agent of every frame, under the numbers that the
/// documents promise. The second part is all ids that were seen.
fn expected(text: &str, numeric: Numeric, every: u64) -> (Vec<Seen>, BTreeMap<Id, u64>) {
    let mut def = ScenarioDef::parse(text, "test").unwrap_or_else(|error| panic!("{error}"));
    def.apply(&Overrides { numeric: Some(numeric), ..Overrides::default() }).unwrap();
    let map = def.load_map(&|path| panic!("no map file is wanted, but {path:?}")).unwrap();
    let plan = Plan::new(&def, map).unwrap_or_else(|error| panic!("{error}"));
    match numeric {
        Numeric::F32 => frames::<f32>(&plan, every),
        Numeric::Fixed => frames::<Fx>(&plan, every),
    }
}

fn frames<N: Numbers>(plan: &Plan, every: u64) -> (Vec<Seen>, BTreeMap<Id, u64>) {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings).unwrap();
    let mut scratch = Scratch::new();
    let (mut seen, mut numbers) = (Vec::new(), BTreeMap::new());
    for at in 0..plan.ticks {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        if at % every != 0 {
            continue;
        }
        let mut rows: Vec<(Id, usize)> = (0..world.len()).map(|row| (world.id(row), row)).collect();
        rows.sort_unstable();
        for &(id, _) in &rows {
            let next = numbers.len() as u64 + 1;
            numbers.entry(id).or_insert(next);
        }
        let row = |&(id, row): &(Id, usize)| {
            let group = &plan.scene.groups[usize::from(world.tags()[row].group)].name;
            let t = (at + 1) as f64 / f64::from(plan.settings.tick_rate);
            Seen {
                id: numbers[&id],
                frame: at / every,
                pos: world.positions()[row].map(N::to_f64),
                more: Some((t, world.velocities()[row].map(N::to_f64), group.clone())),
            }
        };
        let mut frame: Vec<Seen> = rows.iter().map(row).collect();
        frame.sort_by_key(|seen| seen.id);
        seen.extend(frame);
    }
    (seen, numbers)
}

/// Reads the text format; returns its rows and its frame rate, as PedPy finds it.
fn read_text(text: &str) -> (Vec<Seen>, f64) {
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    let rate = header.iter().find(|line| line.contains("framerate")).unwrap();
    let rate = rate.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
    let unit = header.iter().rev().find(|line| line.contains("x/") || line.contains("in cm"));
    assert_eq!(unit.unwrap().trim(), "# id frame x/m y/m");
    let rows = text.lines().skip(header.len()).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 4, "{line}");
        let pos = [2, 3].map(|i| words[i].parse().unwrap());
        Seen { id: words[0].parse().unwrap(), frame: words[1].parse().unwrap(), pos, more: None }
    });
    (rows.collect(), rate)
}

fn read_csv(text: &str) -> Vec<Seen> {
    let (header, rows) = text.split_once('\n').unwrap();
    assert_eq!(header, "id,frame,t,x,y,v_x,v_y,group");
    let row = |line: &str| {
        let words: Vec<&str> = line.splitn(8, ',').collect();
        let number = |i: usize| words[i].parse::<f64>().unwrap();
        let name = match words[7].strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inside) => inside.replace("\"\"", "\""),
            None => words[7].to_owned(),
        };
        Seen {
            id: words[0].parse().unwrap(),
            frame: words[1].parse().unwrap(),
            pos: [number(3), number(4)],
            more: Some((number(2), [number(5), number(6)], name)),
        }
    };
    rows.lines().map(row).collect()
}

/// Wants the same rows in the same order; numbers may be off by the rounding to four decimals.
fn compare(found: &[Seen], expected: &[Seen]) {
    let near = |a: [f64; 2], b: [f64; 2]| (0..2).all(|i| (a[i] - b[i]).abs() < 0.000_051);
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a.id, a.frame) == (b.id, b.frame) && near(a.pos, b.pos), "{a:?}, want {b:?}");
        if let (Some(a), Some(b)) = (&a.more, &b.more) {
            assert!(a.0 == b.0 && near(a.1, b.1) && a.2 == b.2, "{a:?}, want {b:?}");
        }
    }
}

fn string(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn files_say_what_the_library_computes() {
    let folder = Folder::new("trajectories");
    folder.write("comings.toml", COMINGS);
    for (word, numeric) in [("f32", Numeric::F32), ("fixed", Numeric::Fixed)] {
        for every in [1, 4] {
            let steps = every.to_string();
            for file in ["a.txt", "a.CSV"] {
                let run = ["run", "comings.toml", "--numeric", word, "--trajectories", file];
                let done = folder.fine(&[&run[..], &["--trajectories-every", &steps]].concat());
                assert!(done.out.contains(&format!("trajectories: {file}")), "{}", done.out);
            }
            let (expected, numbers) = expected(COMINGS, numeric, every);
            let (rows, rate) = read_text(&string(&folder, "a.txt"));
            assert_eq!(rate, 25.0 / every as f64);
            compare(&rows, &expected);
            compare(&read_csv(&string(&folder, "a.CSV")), &expected);
            // Otherwise nothing would be shown of ids that are used again.
            let indices: BTreeSet<u32> = numbers.keys().map(|id| id.index).collect();
            assert!(indices.len() + 50 < numbers.len(), "{} of {}", indices.len(), numbers.len());
        }
    }
    assert!(!folder.path("out").exists(), "a named file is the only one");
}

#[test]
fn there_are_ten_frames_a_second_or_every_tick() {
    let folder = Folder::new("trajectories-rates");
    for (tick_rate, every, ticks) in [(20, 2, 21), (25, 2, 20), (100, 10, 31), (7, 1, 5)] {
        let text = COMINGS
            .split("[[order]]")
            .next()
            .unwrap()
            .replace("tick_rate = 25", &format!("tick_rate = {tick_rate}"));
        folder.write("rate.toml", text.replace("ticks = 60", &format!("ticks = {ticks}")));
        folder.fine(&["run", "rate.toml", "--trajectories", "a.txt", "--quiet"]);
        let (rows, rate) = read_text(&string(&folder, "a.txt"));
        assert_eq!(rate, f64::from(tick_rate) / f64::from(every));
        let frames: BTreeSet<u64> = rows.iter().map(|row| row.frame).collect();
        let count = u64::from(1 + (ticks - 1) / every as u32);
        assert!(frames.iter().copied().eq(0..count), "{tick_rate}: {frames:?}");
    }
}

#[test]
fn bad_names_are_refused_before_the_run() {
    let folder = Folder::new("trajectories-bad");
    let run = |file: &str, words: &[&str]| {
        let run = ["run", "million", "--record", "a.throng", "--trajectories", file];
        folder.bad(&run, words);
        assert!(!folder.path("a.throng").exists(), "{file}: the run began");
    };
    for file in ["a", "a.xlsx", "a.txt.gz", ".csv"] {
        run(file, &[file, ".txt, .csv or .parquet"]);
    }
    folder.write("none", "");
    run("none/a.txt", &["none/a.txt"]);
    fs::create_dir(folder.path("folder.csv")).unwrap();
    run("folder.csv", &["folder.csv"]);
    #[cfg(not(feature = "parquet"))]
    run("a.parquet", &["a.parquet", "--features parquet", ".csv"]);
    folder.bad(&["run", "small", "--trajectories-every", "2"], &["--trajectories"]);
    let none = ["run", "small", "--trajectories", "a.txt", "--trajectories-every", "0"];
    folder.bad(&none, &["--trajectories-every", "0"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("trajectories-full");
    let files = ["a.txt", "a.csv", "a.wkt"];
    for file in files.iter().chain(cfg!(feature = "parquet").then_some(&"a.parquet")) {
        std::os::unix::fs::symlink("/dev/full", folder.path(file)).unwrap();
        let flag = if *file == "a.wkt" { "--geometry" } else { "--trajectories" };
        folder.bad(&["run", "small", flag, file], &[file, "No space left on device"]);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_whole_frames() {
    let folder = Folder::new("trajectories-ctrl-c");
    let files = ["a.txt", "a.csv"];
    for file in files.iter().chain(cfg!(feature = "parquet").then_some(&"a.parquet")) {
        let run =
            ["run", "doors", "--agents", "2000", "--ticks", "100000000", "--trajectories", file];
        // Every tick a frame, so that a group of rows is soon full.
        let running = folder.start(&[&run[..], &["--trajectories-every", "1"]].concat());
        // The first bytes reach the disk only when a buffer is full.
        folder.grows(&format!("{file}.part"), 10_000);
        running.signal("-INT");
        let done = running.wait();
        assert!(done.code == Some(130) && done.out.contains("stopped by Ctrl-C"), "{done:?}");
        let rows = match *file {
            "a.txt" => read_text(&string(&folder, file)).0,
            "a.csv" => read_csv(&string(&folder, file)),
            _ => read_parquet(&folder.path(file)),
        };
        let mut sizes = BTreeMap::new();
        rows.iter().for_each(|row| *sizes.entry(row.frame).or_insert(0) += 1);
        let sizes: Vec<u32> = sizes.into_values().collect();
        assert!(!sizes.is_empty(), "{file}: no frame");
        assert!(sizes.iter().all(|&size| size == 2000), "{file}: {sizes:?}");
    }
}

/// With `--y-up`, places and velocities are mirrored, and the ground with them; all else is the same.
#[test]
fn y_goes_up_on_request() {
    let folder = Folder::new("trajectories-up");
    folder.write("comings.toml", COMINGS);
    let files = ["--trajectories-every", "1", "--geometry", "a.wkt", "--y-up", "--quiet"];
    for file in ["a.txt", "a.csv"] {
        let run = ["run", "comings.toml", "--trajectories", file];
        folder.fine(&[&run[..], &files].concat());
    }
    let mirrored = |seen: Seen| {
        let more = seen.more.map(|(t, [x, y], group)| (t, [x, -y], group));
        Seen { pos: [seen.pos[0], 30.0 - seen.pos[1]], more, ..seen }
    };
    let expected: Vec<Seen> =
        expected(COMINGS, Numeric::F32, 1).0.into_iter().map(mirrored).collect();
    let [text, table] = ["a.txt", "a.csv"].map(|file| string(&folder, file));
    compare(&read_text(&text).0, &expected);
    compare(&read_csv(&table), &expected);
    let axes = "# axes: from the lower left corner of the map, x to the right, y up\n";
    assert!(text.contains(axes) && !table.contains("-0,"), "{text}");
    let map = Map::parse_wkt(&folder.read("a.wkt"), &Legend::default(), 1.0).unwrap();
    let rows: Vec<&[u8]> = map.letters().chunks(40).collect();
    assert!(rows[..18].iter().all(|row| row.iter().all(|&letter| letter == b'.')));
    assert!(rows[18..].iter().all(|row| row[18..20] == *b"@@"), "the wall is above");
}

#[test]
fn the_geometry_is_the_open_ground() {
    let folder = Folder::new("trajectories-geometry");
    let run = ["run", "small", "--ticks", "1", "--geometry", "a.wkt", "--trajectories", "a.txt"];
    folder.fine(&run);
    let text = string(&folder, "a.wkt");
    let rings = text.trim().strip_prefix("POLYGON ((").unwrap().strip_suffix("))").unwrap();
    let area = |ring: &str| {
        let corner = |text: &str| {
            let (x, y) = text.split_once(' ').unwrap();
            [x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap()]
        };
        let corners: Vec<[f64; 2]> = ring.split(", ").map(corner).collect();
        assert_eq!(corners.first(), corners.last());
        corners.windows(2).map(|c| c[0][0] * c[1][1] - c[1][0] * c[0][1]).sum::<f64>() / 2.0
    };
    let areas: Vec<f64> = rings.split("), (").map(area).collect();
    let builtin = throng::scenario::builtin("small").unwrap();
    let def = ScenarioDef::parse(builtin.text, "small").unwrap_or_else(|error| panic!("{error}"));
    let map = def.load_map(&|path| builtin.read(path)).unwrap();
    let open = map.slowness().iter().filter(|&&slowness| slowness > 0).count() as f64;
    assert_eq!(areas.iter().sum::<f64>(), open * map.cell_size() * map.cell_size());
    // The field without its two walls, which reach the border, and two blocks inside it.
    assert_eq!(areas.len(), 3, "{areas:?}");
}

#[cfg(feature = "parquet")]
fn read_parquet(path: &std::path::Path) -> Vec<Seen> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let number = |row: &parquet::record::Row, i| f64::from(row.get_float(i).unwrap());
    let seen = |row: parquet::record::Row| Seen {
        id: row.get_long(0).unwrap() as u64,
        frame: row.get_long(1).unwrap() as u64,
        pos: [number(&row, 3), number(&row, 4)],
        more: Some((
            row.get_double(2).unwrap(),
            [number(&row, 5), number(&row, 6)],
            row.get_string(7).unwrap().clone(),
        )),
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| seen(row.unwrap())).collect()
}

#[cfg(not(feature = "parquet"))]
fn read_parquet(_: &std::path::Path) -> Vec<Seen> {
    unreachable!("there are no Parquet files without the feature")
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_every_bit() {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let folder = Folder::new("trajectories-parquet");
    folder.write("comings.toml", COMINGS);
    // Enough agents for a second row group. They stand: an unoptimised program takes long to move so many.
    let many = COMINGS.replace("size = [40, 30]", "size = [400, 300]");
    let many = many.replace("[2, 2, 14, 28], count = 80", "[2, 2, 390, 290], count = 22_000");
    let many = many.replace("goal = { rect = [30, 2, 38, 28] }\n", "");
    folder.write("many.toml", &many);
    let runs = [
        ("comings", COMINGS, 1, "f32", Numeric::F32),
        ("comings", COMINGS, 1, "fixed", Numeric::Fixed),
        ("many", &many, 2, "fixed", Numeric::Fixed),
    ];
    for (file, text, groups, word, numeric) in runs {
        let scenario = format!("{file}.toml");
        let run = ["run", &scenario, "--numeric", word, "--trajectories", "a.parquet"];
        folder.fine(&[&run[..], &["--trajectories-every", "1", "--quiet"]].concat());
        let found = read_parquet(&folder.path("a.parquet"));
        let (expected, _) = expected(text, numeric, 1);
        assert_eq!(found.len(), expected.len());
        let single = |pair: [f64; 2]| pair.map(|value| f64::from(value as f32));
        for (found, expected) in found.iter().zip(expected) {
            let more = expected.more.map(|(t, vel, group)| (t, single(vel), group));
            let expected = Seen { pos: single(expected.pos), more, ..expected };
            assert_eq!(*found, expected);
        }
        let bytes = fs::File::open(folder.path("a.parquet")).unwrap();
        let reader = SerializedFileReader::new(bytes).unwrap();
        assert_eq!(reader.metadata().num_row_groups(), groups, "{file}");
        let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let about: BTreeMap<&str, &str> =
            about.iter().map(|pair| (pair.key.as_str(), pair.value.as_deref().unwrap())).collect();
        let pairs = [("frame_rate", "25.0"), ("numeric", word), ("unit", "m")];
        for (key, value) in pairs {
            assert_eq!(about[key], value);
        }
        assert_eq!(about["y_axis"], "down");
        assert_eq!(about["scenario"], "comings\nand in cm, framerate 99");
    }
}

/// The numbers of agents are the same in all tables of a run.
#[test]
fn crossings_and_trajectories_join_by_id() {
    let folder = Folder::new("trajectories-join");
    let scenario = "ticks = 600\n[map]\nsize = [60, 20]\n[[group]]\nname = \"a\"\n\
        goal = { disc = [50, 10, 6] }\nspawn = [{ rect = [2, 2, 20, 18], count = 50 }]\n\
        [[order]]\ntick = 103\nspawn = \"a\"\narea = { rect = [2, 2, 20, 18] }\ncount = 30\n\
        [[gate]]\nname = \"middle\"\nfrom = [30, 20]\nto = [30, 0]\n";
    folder.write("s.toml", scenario);
    folder.fine(&["run", "s.toml", "--measure", "m", "--trajectories", "t.csv", "--quiet"]);
    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = text("t.csv").lines().skip(1).map(fields).collect();
    let mut joined = 0;
    for crossing in text("m/gates.csv").lines().skip(1).map(fields) {
        let (time, id): (f64, &str) = (crossing[1].parse().unwrap(), &crossing[2]);
        let near: Vec<f64> = rows
            .iter()
            .filter(|row| row[0] == id && (row[2].parse::<f64>().unwrap() - time).abs() <= 0.15)
            .map(|row| row[3].parse().unwrap())
            .collect();
        assert!(near.len() >= 2, "agent {id} at {time} s: {near:?}");
        assert!(near.iter().all(|x| (x - 30.0).abs() < 0.5), "agent {id} at {time} s: {near:?}");
        joined += 1;
    }
    assert!(joined > 40, "{joined} crossings");
}

/// Agents have the same id in `gates.csv` and in trajectories, also where ids of removed agents are
/// used again.
#[test]
fn tables_join_by_one_id() {
    let folder = Folder::new("trajectories-join");
    // Gates are called by their x.
    let gate = |x: u32| format!("[[gate]]\nname = \"{x}\"\nfrom = [{x}, 30]\nto = [{x}, 0]\n");
    let plain = COMINGS.replace("'red, \"fast\"'", "\"red\"");
    folder.write("a.toml", format!("{plain}{}{}", gate(10), gate(24)));
    let args =
        ["--trajectories", "t.csv", "--trajectories-every", "1", "--measure", "m", "--quiet"];
    folder.fine(&[&["run", "a.toml"][..], &args].concat());
    let read = |name: &str| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let row = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        text.lines().skip(1).map(row).collect::<Vec<_>>()
    };
    let mut ways: BTreeMap<String, Vec<(f64, f64, String)>> = BTreeMap::new();
    for row in read("t.csv") {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        ways.entry(row[0].clone()).or_default().push((number(2), number(3), row[7].clone()));
    }
    let (mut joined, mut late) = (0, 0);
    for row in read("m/gates.csv") {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        let (x, time, id, group) = (number(0), number(1), &row[2], &row[3]);
        let way = ways.get(id).unwrap_or_else(|| panic!("{id} passes a gate and is nowhere"));
        let after = way.partition_point(|(at, ..)| *at < time);
        let Some([before, after]) = after.checked_sub(1).and_then(|at| way.get(at..at + 2)) else {
            // Passed in the agent's first tick: the trajectory has no point before.
            continue;
        };
        assert!((before.1 - x) * (after.1 - x) <= 0.0, "{id} at {time} s: {before:?} {after:?}");
        assert_eq!(&before.2, group, "{id}");
        joined += 1;
        late += u32::from(id.parse::<u32>().unwrap() > 120);
    }
    assert!(joined > 20 && late > 3, "{joined} joined, {late} of them came later");
}
