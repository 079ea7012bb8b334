//! `throng sweep`: the same table for any number of processes, after a kill, and of shards.

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::running::Folder;
use serde_json::Value;

const ROOM: &str = "ticks = 40\n[map]\nsize = [30, 20]\n\
    walls = [{ rect = [14, 0, 15, 8] }, { rect = [14, 12, 15, 20] }]\n\
    [[group]]\nname = \"people\"\nspawn = [{ rect = [1, 1, 12, 19], count = 30 }]\n\
    goal = { rect = [18, 1, 29, 19] }\n";

/// 60 runs.
const PLAN: &str = "name = \"sixty\"\nscenario = \"room.toml\"\nseeds = { from = 1, count = 5 }\n\
    [parameters]\ngroup.people.speed = [1.0, 1.5]\nagents = { from = 10, to = 30, step = 10 }\n\
    numeric = [\"f32\", \"fixed\"]\n";

fn prepared(name: &str, plan: &str) -> Folder {
    let folder = Folder::new(&format!("sweep-{name}"));
    folder.write("room.toml", ROOM);
    folder.write("plan.toml", plan);
    folder
}

/// The cells of a table without quoted commas.
fn cells(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().unwrap().collect();
    lines.map(|line| names.iter().cloned().zip(line).collect()).collect()
}

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn a_folder_of_a_scenarios_name_does_not_hide_it() {
    let folder = Folder::new("sweeps-folder");
    folder.write("a.toml", "scenario = \"small\"\nseeds = [1]\n[parameters]\nticks = 5\n");
    folder.fine(&["sweep", "a.toml", "--output", "small"]);
    folder.fine(&["run", "small", "--ticks", "5", "--no-files"]);
    folder.bad(&["run", "./small"], &["cannot read `./small`"]);
}

#[test]
fn a_sweep_gives_one_table_however_it_is_done() {
    let folder = prepared("table", PLAN);
    let sweep = ["sweep", "plan.toml", "--output"];
    folder.fine(&[&sweep[..], &["one", "--workers", "1", "--quiet"]].concat());
    let table = text(&folder, "one/runs.csv");
    let rows = cells(&table);
    assert_eq!(rows.len(), 60);
    for (index, row) in rows.iter().enumerate() {
        let seed = (index % 5 + 1).to_string();
        let numeric = ["f32", "fixed"][index / 5 % 2];
        let agents = ["10", "20", "30"][index / 10 % 3];
        let speed = ["1.0", "1.5"][index / 30];
        assert_eq!(row["run"], index.to_string());
        let found = [&row["seed"], &row["numeric"], &row["agents"], &row["group.people.speed"]];
        assert_eq!(found, [&seed, numeric, agents, speed]);
        assert_eq!((row["agents_end"].as_str(), row["end_s"].as_str()), (agents, "2.0"));
        assert_eq!(row["error"], "");
    }
    let digests: std::collections::BTreeSet<&String> = rows.iter().map(|r| &r["digest"]).collect();
    assert_eq!(digests.len(), 60, "all runs differ");

    // Two processes at once.
    folder.fine(&[&sweep[..], &["two", "--workers", "2", "--threads", "2", "--quiet"]].concat());
    assert_eq!(text(&folder, "two/runs.csv"), table);
    let summary = text(&folder, "one/summary.csv");
    assert_eq!(text(&folder, "two/summary.csv"), summary);

    // Killed on the way, a line cut, and gone on with.
    let running = folder.start(&[&sweep[..], &["killed", "--workers", "2"]].concat());
    folder.grows("killed/runs.jsonl", 6_000);
    running.signal("-KILL");
    running.wait();
    // Runs that the killed one had started end by themselves; their results are not read.
    sleep(Duration::from_millis(300));
    let mut journal = text(&folder, "killed/runs.jsonl");
    let kept = journal.lines().count() - 1;
    assert!((1..60).contains(&kept), "{kept} rows before the kill");
    let last = journal.lines().last().unwrap().to_owned();
    journal.push_str(&last[..last.len() / 2]);
    folder.write("killed/runs.jsonl", journal);
    folder.bad(&[&sweep[..], &["killed"]].concat(), &["has a sweep already", "--resume"]);
    let done = folder.fine(&[&sweep[..], &["killed", "--resume"]].concat());
    assert!(
        done.text().contains(&format!("60 runs of 60, {kept} of them done before")),
        "{done:?}"
    );
    assert_eq!(text(&folder, "killed/runs.csv"), table);
    assert_eq!(text(&folder, "killed/summary.csv"), summary);

    // Shares, of which each does what is its own, joined.
    for number in 1..=3 {
        let shard = format!("{number}/3");
        folder.fine(&[&sweep[..], &["shares", "--shard", &shard, "--quiet"]].concat());
        let share = cells(&text(&folder, &format!("shares/runs-{number}of3.csv")));
        assert_eq!(share.len(), 20);
        assert!(share.iter().all(|row| row["run"].parse::<u64>().unwrap() % 3 == number - 1));
    }
    let done = folder.fine(&[&sweep[..], &["shares", "--resume"]].concat());
    assert!(done.text().contains("60 of them done before"), "{done:?}");
    assert_eq!(text(&folder, "shares/runs.csv"), table);
    assert_eq!(text(&folder, "shares/summary.csv"), summary);
    #[cfg(feature = "parquet")]
    {
        let whole = folder.read("one/runs.parquet");
        for other in ["two", "killed", "shares"] {
            assert!(folder.read(&format!("{other}/runs.parquet")) == whole, "{other}");
        }
        parquet_is_the_csv(whole, &rows);
    }
    // A row is the run that is typed for it.
    let listed = folder.fine(&["sweep", "plan.toml", "--list"]).out;
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 60);
    for index in [0, 7, 38, 59] {
        let words: Vec<&str> = lines[index].split_whitespace().skip(1).collect();
        let args = [&words[..], &["--quiet", "--no-files", "--json", "-"]].concat();
        let summary: Value = serde_json::from_str(&folder.fine(&args).out).unwrap();
        assert_eq!(summary["digest"], rows[index]["digest"].as_str());
        let crush = &summary["crush"]["overlap_max"];
        assert_eq!(crush.to_string(), rows[index]["crush.overlap_max"]);
    }
    // And the same as with a scenario file that says so itself.
    let text =
        ROOM.replace("count = 30", "count = 20").replace("[[group]]", "[[group]]\nspeed = 1.5");
    folder.write("own.toml", format!("seed = 3\nnumeric = \"fixed\"\n{text}"));
    let done = folder.fine(&["run", "own.toml", "--quiet", "--no-files", "--json", "-"]);
    let summary: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(summary["digest"], rows[30 + 10 + 5 + 2]["digest"].as_str());
}

/// The Parquet file has the same cells as the CSV.
#[cfg(feature = "parquet")]
fn parquet_is_the_csv(bytes: Vec<u8>, rows: &[BTreeMap<String, String>]) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    // The reader of this crate takes files.
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep.parquet");
    fs::write(&path, bytes).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let mut count = 0;
    for (row, wanted) in reader.get_row_iter(None).unwrap().zip(rows) {
        for (name, field) in row.unwrap().get_column_iter() {
            let cell = &wanted[name];
            match field {
                Field::Null => assert_eq!(cell, ""),
                Field::ULong(number) => assert_eq!(cell, &number.to_string()),
                Field::Double(number) => assert_eq!(cell.parse::<f64>().unwrap(), *number),
                Field::Str(text) => assert_eq!(cell, text),
                other => panic!("{name}: {other:?}"),
            }
        }
        count += 1;
    }
    assert_eq!(count, rows.len());
}

#[test]
fn a_failed_run_is_a_row_with_its_error() {
    // A radius of 3 m fits through no door and leaves no room for thirty.
    let plan = "scenario = \"room.toml\"\nseeds = [1, 2]\n[parameters]\n\
        group.people.radius = [0.3, 3.0]\n";
    let folder = prepared("failed", plan);
    let done = folder.run(&["sweep", "plan.toml", "--output", "out"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    for word in ["4 runs of 4, 2 FAILED", "run 2 failed", "--set=group.people.radius=3.0"] {
        assert!(done.text().contains(word), "{word}: {done:?}");
    }
    let rows = cells(&text(&folder, "out/runs.csv"));
    assert!(rows[0]["error"].is_empty() && rows[0]["digest"].len() == 16);
    assert!(rows[3]["error"].contains("room"), "{rows:?}");
    assert_eq!((rows[3]["digest"].as_str(), rows[3]["end_s"].as_str()), ("", ""));
    let summary = cells(&text(&folder, "out/summary.csv"));
    let arrived = |radius: &str| {
        let same = |row: &&BTreeMap<String, String>| {
            row["group.people.radius"] == radius && row["measure"] == "end_s"
        };
        let row = summary.iter().find(same).unwrap();
        (row["runs"].clone(), row["failed"].clone(), row["mean"].clone())
    };
    assert_eq!(arrived("0.3"), ("2".into(), "0".into(), "2".into()));
    assert_eq!(arrived("3.0"), ("0".into(), "2".into(), String::new()));
    // Failed runs stay failed, unless they are to be tried again.
    let again = |extra: &[&str]| {
        let done =
            folder.run(&[&["sweep", "plan.toml", "--output", "out", "--resume"], extra].concat());
        assert_eq!(done.code, Some(1));
        done.text()
    };
    assert!(again(&[]).contains("4 of them done before"));
    assert!(again(&["--retry"]).contains("2 of them done before"));
}

#[test]
fn a_summary_has_the_means_of_its_runs() {
    let plan = "scenario = \"room.toml\"\nseeds = [5, 6, 7, 8]\nmeasures = [\"mean_speed\"]\n\
        [parameters]\nagents = [10, 30]\n";
    let folder = prepared("means", plan);
    let done = folder.fine(&["sweep", "plan.toml", "--output", "out"]);
    let rows = cells(&text(&folder, "out/runs.csv"));
    let summary = cells(&text(&folder, "out/summary.csv"));
    for (agents, rows) in ["10", "30"].iter().zip(rows.chunks(4)) {
        let values: Vec<f64> = rows.iter().map(|row| row["mean_speed"].parse().unwrap()).collect();
        let mean = values.iter().sum::<f64>() / 4.0;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        // Three degrees of freedom: 3.182.
        let half = 3.182446305 * (squares / 3.0).sqrt() / 2.0;
        let same = |row: &&BTreeMap<String, String>| {
            row["agents"] == *agents && row["measure"] == "mean_speed"
        };
        let row = summary.iter().find(same).unwrap();
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        for (name, wanted) in
            [("mean", mean), ("ci95_low", mean - half), ("ci95_high", mean + half)]
        {
            assert!((number(name) - wanted).abs() < 1e-12, "{name}: {row:?} {wanted}");
        }
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let numbers = [number("min"), number("max"), number("median")];
        assert_eq!(numbers, [sorted[0], sorted[3], sorted[1] + 0.5 * (sorted[2] - sorted[1])]);
        let told = format!("agents {agents}\n  mean_speed  {mean:10.3} ± {half:.3}\n");
        assert!(done.out.contains(&told), "{}", done.out);
    }
    let plots: Vec<_> = fs::read_dir(folder.path("out/plots")).unwrap().collect();
    assert_eq!(plots.len(), 1, "one for each of `measures`");
    assert!(folder.read("out/plots/mean_speed.png").starts_with(b"\x89PNG"));
}

#[test]
fn mistakes_of_a_plan_are_told_with_file_line_and_value() {
    let start = "scenario = \"room.toml\"\nseeds = [1]\n";
    let folder = prepared("mistakes", start);
    for (plan, words) in [
        (
            "{start}[parameters]\ngroup.0.speed = [1.0, -3]\n",
            &["plan.toml:4:23", "-3 is below 0.01"][..],
        ),
        ("{start}[parameters]\ngroup.0.sped = 1\n", &["plan.toml:4:", "no such key", "`speed`"]),
        ("{start}[parameters]\ngroup.poeple.speed = 1\n", &["plan.toml:4:", "no entry `poeple`"]),
        ("{start}[parameters]\nagents = [0.5]\n", &["plan.toml:4:11", "0.5 is no whole number"]),
        ("{start}[parameters]\nnumeric = [\"f31\"]\n", &["plan.toml:4:12", "is no number type"]),
        ("{start}[parameters]\nseed = 4\n", &["plan.toml:4:8", "`seeds` says the seeds"]),
        ("scenario = \"raum.toml\"\nseeds = [1]\n", &["plan.toml:1:12", "`raum.toml`"]),
        ("scenario = \"room.toml\"\n", &["plan.toml:1:1", "`seeds`", "missing"]),
        ("{start}[parameters\n", &["plan.toml:3:"]),
    ] {
        folder.write("plan.toml", plan.replace("{start}", start));
        folder.bad(&["sweep", "plan.toml", "--output", "out"], words);
        assert!(!folder.path("out").exists(), "{plan}");
    }
    folder.bad(&["sweep", "plan.toml", "--shard", "3/2"], &["3/2", "I/N"]);
    folder.bad(&["sweep", "none.toml"], &["none.toml"]);
    // Names of measures are looked for before the first run.
    for (name, words) in [
        (
            "maen_speed",
            &["plan.toml:3:22", "`measures[1]`", "is no measure", "\"mean_speed\", if"][..],
        ),
        ("traffic.sinks.0.left", &["plan.toml:3:22", "one of end_s", "mean_speed"]),
    ] {
        let measures = format!("measures = [\"end_s\", \"{name}\"]\n");
        folder.write("plan.toml", format!("{start}{measures}[parameters]\nagents = [10, 20]\n"));
        folder.bad(&["sweep", "plan.toml", "--output", "out"], words);
        assert!(!folder.path("out").exists(), "{name}");
    }
    // One that only some values bring, and one that comes late, or never.
    let some = "measures = [\"routes.waited\", \"full_goals.0.room\"]\n[parameters]\n\
        group.people.navigator = [\"flow\", \"path\"]\n";
    folder.write("plan.toml", format!("{start}{some}"));
    let done = folder.fine(&["sweep", "plan.toml", "--output", "out"]);
    assert!(done.text().contains("no run has the measure `full_goals.0.room`"), "{done:?}");
    // The sweep in the folder is of another plan.
    folder.write("plan.toml", "scenario = \"room.toml\"\nseeds = [2]\n");
    folder.bad(&["sweep", "plan.toml", "--output", "out", "--resume"], &["of another plan"]);
}

#[test]
fn a_sweep_ends_at_a_signal_and_goes_on() {
    let plan =
        "scenario = \"room.toml\"\nseeds = { from = 1, count = 40 }\n[parameters]\nticks = 400\n";
    let folder = prepared("signal", plan);
    let running = folder.start(&["sweep", "plan.toml", "--output", "out", "--workers", "2"]);
    folder.grows("out/runs.jsonl", 3_000);
    running.signal("-INT");
    let done = running.wait();
    assert_eq!(done.code, Some(130), "{done:?}");
    let kept = cells(&text(&folder, "out/runs.csv")).len();
    assert!((1..40).contains(&kept), "{kept}");
    assert!(cells(&text(&folder, "out/runs.csv")).iter().all(|row| row["error"].is_empty()));
    let done = folder.fine(&["sweep", "plan.toml", "--output", "out", "--resume"]);
    assert!(done.text().contains(&format!("{kept} of them done before")), "{done:?}");
    assert_eq!(cells(&text(&folder, "out/runs.csv")).len(), 40);
}

#[test]
fn a_key_is_set_as_typed() {
    let folder = prepared("set", PLAN);
    let run = ["run", "room.toml", "--quiet", "--no-files", "--json", "-"];
    let digest = |extra: &[&str]| {
        let summary: Value =
            serde_json::from_str(&folder.fine(&[&run[..], extra].concat()).out).unwrap();
        summary["digest"].as_str().unwrap().to_owned()
    };
    let plain = digest(&[]);
    assert_eq!(digest(&["--set", "seed=1"]), plain);
    assert_eq!(digest(&["--set", "seed=9"]), digest(&["--seed", "9"]));
    assert_eq!(digest(&["--set", "numeric=fixed"]), digest(&["--numeric", "fixed"]));
    let faster = digest(&["--set", "group.0.speed=2.5"]);
    assert_ne!(faster, plain);
    assert_eq!(digest(&["--set", "group[0].speed = 2.5"]), faster);
    assert_eq!(
        digest(&["--set", "group.people.speed=1.0", "--set", "group.people.speed=2.5"]),
        faster
    );
    for (set, words) in [
        ("group.0.speed=-1", &["`--set group.0.speed=-1` is no good", "-1 is below 0.01"][..]),
        ("group.0.sped=1", &["there is no such key", "`speed`"]),
        ("group.9.speed=1", &["no entry `9`", "expected: 0"]),
        ("speed", &["no KEY=VALUE"]),
        ("ticks=0", &["`--set ticks=0` is no good", "0 is below 1"]),
    ] {
        folder.bad(&[&run[..], &["--set", set]].concat(), words);
    }
}
