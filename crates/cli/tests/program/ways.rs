//! `throng path`, `compare`, `mesh` and `network`: what they say, draw and refuse; and that the
//! gallery's commands do what the gallery says.

use std::fs;
use std::path::Path;

use crate::running::Folder;
use serde_json::Value;

/// The gallery, and the map that all its commands are about.
const GALLERY: &str = include_str!("../../../../docs/navigators.md");
const MAP: &str = include_str!("../../../../scenarios/maps/gallery.map");
/// Across a trap, on the gallery's map.
const TRAP: [&str; 8] =
    ["path", "gallery.map", "--cost", "R=1", "--from", "2.5,11.5", "--to", "41.5,13.5"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TRAP[..], more].concat()
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("gallery.map", MAP);
    folder
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn every_method_finds_what_it_promises() {
    let folder = folder("ways-methods");
    let ask = |name: &str| {
        let done = folder.run(&with(&["--navigator", name, "--json", "-"]));
        (done.code, json(&done.out))
    };
    let (_, answer) = ask("dijkstra");
    let shortest_steps = number(&answer["length_m"]);
    assert!((shortest_steps - (39.0 + 5.0 * 2.0_f64.sqrt())).abs() < 1e-9, "{answer}");
    for name in ["astar-octile", "astar-euclid", "landmarks", "jump", "split", "hops"] {
        let (code, answer) = ask(name);
        assert_eq!(code, Some(0), "{answer}");
        assert!((number(&answer["length_m"]) - shortest_steps).abs() < 1e-9, "{answer}");
    }
    let (_, exact) = ask("exact");
    let shortest = number(&exact["length_m"]);
    assert!(shortest < shortest_steps, "{exact}");
    for name in [
        "trace",
        "trace-sight",
        "breadcrumbs",
        "flow",
        "path",
        "waypoints",
        "network",
        "mesh",
        "visibility",
        "greedy",
        "portals",
        "highways",
        "funnel",
        "relaxed",
    ] {
        let (code, answer) = ask(name);
        assert_eq!(code, Some(0), "{answer}");
        assert_eq!(answer["navigator"], name);
        assert!(number(&answer["length_m"]) > shortest - 1e-9, "{answer}");
        assert!((number(&answer["shortest_m"]) - shortest).abs() < 1e-9, "{answer}");
        // The points are a way of that length, from the start to the goal, through no wall.
        let points = answer["points_m"].as_array().unwrap();
        let points: Vec<[f64; 2]> =
            points.iter().map(|point| [number(&point[0]), number(&point[1])]).collect();
        assert_eq!((points[0], points[points.len() - 1]), ([2.5, 11.5], [41.5, 13.5]), "{name}");
        let mut length = 0.0;
        for pair in points.windows(2) {
            let [x, y] = [0, 1].map(|i| pair[1][i] - pair[0][i]);
            length += (x * x + y * y).sqrt();
            for step in 0..=100 {
                let at = [0, 1]
                    .map(|i| pair[0][i] + (pair[1][i] - pair[0][i]) * f64::from(step) / 100.0);
                assert!(open(at), "{name} goes through a wall at {at:?}");
            }
        }
        assert!((length - number(&answer["length_m"])).abs() < 1e-3, "{name}: {length}, {answer}");
    }
    for name in ["straight", "left-hand"] {
        let (code, answer) = ask(name);
        assert_eq!((code, &answer["found"]), (Some(1), &Value::Bool(false)), "{answer}");
    }
}

/// Whether a point is on open ground, or touches it.
fn open([x, y]: [f64; 2]) -> bool {
    let rows: Vec<&[u8]> = MAP.lines().skip(4).map(str::as_bytes).collect();
    let near = |v: f64| [v - 1e-6, v + 1e-6].map(|v| v.floor().max(0.0) as usize);
    near(y)
        .iter()
        .any(|&j| near(x).iter().any(|&i| matches!(rows[j.min(47)][i.min(63)], b'.' | b'R')))
}

#[test]
fn ways_are_told_and_drawn() {
    let folder = folder("ways-told");
    let text = folder.fine(&with(&["--navigator", "astar-octile"])).text();
    for words in ["astar-octile: 46.07 m from 2.5,11.5 to 41.5,13.5", "shortest 43.51 m", "nodes"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let done = folder.run(&with(&["--navigator", "straight"]));
    assert!(done.text().contains("does not arrive at 41.5,13.5; it ends at 37.5,13.5"), "{done:?}");
    folder.fine(&with(&["--navigator", "jump", "--picture", "jump.png"]));
    let image = image::load_from_memory(&folder.read("jump.png")).unwrap().to_rgb8();
    let count = |colour: [u8; 3]| image.pixels().filter(|pixel| pixel.0 == colour).count();
    for (colour, least) in
        [([0xd5, 0x3e, 0x0c], 500), ([0x00, 0x6b, 0xb6], 40), ([0xe3, 0x10, 0x38], 40)]
    {
        assert!(count(colour) >= least, "{colour:?}: {} pixels", count(colour));
    }
    folder.bad(&with(&["--picture", "gallery.map/a.png"]), &["gallery.map/a.png"]);
    folder.bad(&with(&["--json", "gallery.map/a.json"]), &["gallery.map/a.json"]);
}

#[test]
fn where_nobody_can_stand_is_refused() {
    let folder = folder("ways-bad");
    let ask = |from: &str, more: &[&str], words: &[&str]| {
        let args = ["path", "gallery.map", "--cost", "R=1", "--to", "41.5,13.5", "--from", from];
        folder.bad(&[&args[..], more].concat(), words);
    };
    ask("8.5,6.5", &[], &["--from", "8.5,6.5", "in a wall", "nearest free place"]);
    ask("-1,5", &[], &["--from", "off the map", "64,48 m"]);
    ask("64,5", &[], &["--from", "off the map"]);
    ask("12.5,6.5", &["--radius", "2.9"], &["--from", "2.9 m radius do not fit"]);
    ask("x,5", &[], &["--from", "X,Y"]);
    ask("2.5,2.5", &["--leader", "8.5,6.5"], &["--leader", "in a wall"]);
    ask("2.5,2.5", &["--navigator", "astar-octil"], &["astar-octil", "similar", "astar-octile"]);
    ask("2.5,2.5", &["--navigator", "x"], &["--navigator", "dijkstra", "left-hand"]);
    ask("2.5,2.5", &["--cell", "0"], &["`--cell` is no good: 0"]);
    ask("2.5,2.5", &["--radius", "-1"], &["`--radius` is no good: -1"]);
    ask("2.5,2.5", &["--cost", "R"], &["--cost", "LETTER=COST"]);
    ask("2.5,2.5", &["--cost", "R=99"], &["--cost", "15.9375"]);
    folder.bad(
        &["path", "gallery.map", "--from", "1,1", "--to", "2,2"],
        &["gallery.map", "letter `R`"],
    );
    folder.bad(&["path", "no.map", "--from", "1,1", "--to", "2,2"], &["no.map"]);
    let uneven = ["--cost", "R=0.5", "--navigator", "jump"];
    let path = ["path", "gallery.map", "--from", "1,1", "--to", "2,2"];
    folder.bad(&[&path[..], &uneven].concat(), &["`jump` cannot be used", "gallery.map"]);
    // A way that there is not is no bad input.
    folder.write("two.map", "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n");
    for name in ["dijkstra", "jump", "exact", "flow", "portals", "network", "waypoints", "path"] {
        let done =
            folder.run(&["path", "two.map", "--from", "0,0", "--to", "4,2", "--navigator", name]);
        assert_eq!(done.code, Some(1), "{name}: {done:?}");
        assert!(done.text().contains("there is no way from 0,0 to 4,2"), "{name}: {done:?}");
    }
}

#[test]
fn meshes_are_made_written_and_read() {
    let folder = folder("ways-mesh");
    let cost = ["mesh", "gallery.map", "--cost", "R=1"];
    let make = |more: &[&str]| folder.fine(&[&cost[..], more].concat()).text();
    let whole = make(&["-o", "whole.mesh", "--picture", "whole.png"]);
    assert!(whole.contains("area 2,407.0 of 2,407 free cells"), "{whole}");
    assert!(folder.read("whole.png").starts_with(b"\x89PNG"));
    assert!(make(&["--triangulation", "delaunay"]).contains("area 2,407.0"));
    assert!(make(&["--tiles", "16"]).contains("area 2,407.0"));
    assert!(!make(&["--simplify", "1"]).contains("area 2,407.0"));
    // The greedy triangulation fills a small map as the other does, with as many triangles; it
    // refuses a large one.
    folder.write("pillar.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n.@...\n.....\n");
    let triangles = |how: &str| folder.fine(&["mesh", "pillar.map", "--triangulation", how]).text();
    for how in ["delaunay", "greedy"] {
        let words = "pillar.map: 10 polygons, 30 corners, 10 points area 17.0 of 17 free cells";
        assert!(triangles(how).contains(words), "{}", triangles(how));
    }
    let pillars = [".@".repeat(20), ".".repeat(40)].concat();
    let rows: Vec<&str> = (0..20).map(|row| &pillars[row % 2 * 40..][..40]).collect();
    let text = format!("type octile\nheight 20\nwidth 40\nmap\n{}\n", rows.join("\n"));
    folder.write("pillars.map", text);
    let greedy = ["--triangulation", "greedy"];
    let refused = ["--triangulation", "points", "at most 256"];
    folder.bad(&[&["mesh", "pillars.map"], &greedy[..]].concat(), &refused);
    folder.bad(&[&cost[..], &greedy, &["--tiles", "16"]].concat(), &["--tiles"]);
    let read =
        folder.fine(&["mesh", "whole.mesh", "--picture", "read.png", "-o", "again.mesh"]).text();
    assert!(read.contains("area 2,407.0") && read.contains("read in"), "{read}");
    assert_eq!(folder.read("whole.mesh"), folder.read("again.mesh"));
    // A way over the file is that over the map.
    let over = ["path", "whole.mesh", "--from", "2.5,11.5", "--to", "41.5,13.5"];
    let answer = folder.fine(&[&over[..], &["--navigator", "exact", "--json", "-"]].concat());
    assert!((number(&json(&answer.out)["length_m"]) - 43.51).abs() < 0.01, "{answer:?}");
    folder.bad(&[&over[..], &["--navigator", "jump"]].concat(), &["jump", "funnel"]);
    let wall =
        ["path", "whole.mesh", "--from", "8.5,6.5", "--to", "41.5,13.5", "--navigator", "mesh"];
    folder.bad(&wall, &["--from", "not on the mesh", "nearest"]);
    folder.write("bad.mesh", "mesh\n2\n1 x\n");
    folder.bad(&["mesh", "bad.mesh"], &["bad.mesh", "line 3", "x"]);
    folder.bad(&[&cost[..], &["--simplify", "-1"]].concat(), &["--simplify", "-1"]);
    folder.bad(&[&cost[..], &["-o", "gallery.map/a.mesh"]].concat(), &["gallery.map/a.mesh"]);
}

#[test]
fn polygons_become_meshes() {
    let folder = Folder::new("ways-polygons");
    let hall = "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 1, 6 1, 6 5.5, 4 5.5, 4 1))\n";
    folder.write("hall.wkt", hall);
    let text =
        folder.fine(&["mesh", "hall.wkt", "-o", "hall.mesh", "--picture", "hall.png"]).text();
    assert!(text.contains("area 51.0"), "{text}");
    // Around the upper end of the pillar, which is the nearer one.
    for file in ["hall.wkt", "hall.mesh"] {
        let ask =
            ["path", file, "--from", "3,3", "--to", "7,3", "--navigator", "exact", "--json", "-"];
        let answer = json(&folder.fine(&ask).out);
        let expected = 2.0 + 2.0 * 5.0_f64.sqrt();
        assert!((number(&answer["length_m"]) - expected).abs() < 1e-6, "{file}: {answer}");
    }
    let bad = |text: &str, words: &str| {
        folder.write("bad.wkt", text);
        folder.bad(&["mesh", "bad.wkt"], &["bad.wkt", words]);
    };
    bad("LINESTRING (0 0, 1 1)", "where POLYGON, MULTIPOLYGON or");
    bad("POLYGON EMPTY", "has no polygon");
    bad("POLYGON (0 0, 1 1)", "where `(` belongs");
    bad("POLYGON ((0 0, 1 1, x 2, 0 0))", "where a number belongs");
    bad("POLYGON ((0 0, 1 1, 2 0))", "does not end where it begins");
    bad("POLYGON ((0 0, 1 1, 0 0))", "2 corners, not 3");
    bad("POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))", "crosses");
    bad("MULTIPOLYGON (((0 0, 1 1, 2 0, 0 0)), ((5 0, 6 1, 7 0, 5 0)))", "has 2 polygons");
}

#[test]
fn networks_are_made_and_written() {
    let folder = folder("ways-network");
    let cost = ["network", "gallery.map", "--cost", "R=1"];
    let make = |more: &[&str]| folder.fine(&[&cost[..], more].concat()).text();
    let corners = make(&["-o", "net.toml", "--picture", "net.png"]);
    assert!(corners.contains("nodes") && !corners.contains(" 0 nodes"), "{corners}");
    assert!(String::from_utf8(folder.read("net.toml")).unwrap().contains("radius"));
    assert!(folder.read("net.png").starts_with(b"\x89PNG"));
    let flood = ["--placement", "flood", "--radius", "0.4", "--spacing"];
    let count = |spacing: &str| {
        let text = make(&[&flood[..], &[spacing]].concat());
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "nodes,").unwrap();
        words[at - 1].parse::<u32>().unwrap()
    };
    assert!(count("4") > count("10"));
    folder.bad(&[&cost[..], &["--spacing", "4"]].concat(), &["--spacing", "--placement flood"]);
    folder.bad(&[&cost[..], &flood, &["0"]].concat(), &["--spacing", "0"]);
    folder.bad(&[&cost[..], &["--placement", "floods"]].concat(), &["floods", "flood"]);
}

#[test]
fn networks_are_walked_read_and_grown() {
    let folder = folder("ways-grown");
    let cost = ["network", "gallery.map", "--cost", "R=1"];
    let make = |more: &[&str]| folder.fine(&[&cost[..], more].concat()).text();
    let nodes = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|&word| word == "nodes,").unwrap();
        words[at - 1].parse::<u32>().unwrap()
    };
    // A walker in the maze draws the network of the maze; from farther steps it knows more of it.
    let crumbs = ["--placement", "crumbs", "--radius", "0.3", "--from", "31.5,34.5", "--steps"];
    let [few, more] = ["60", "4000"].map(|steps| {
        nodes(&make(&[&crumbs[..], &[steps, "-o", "net.toml", "--picture", "net.png"]].concat()))
    });
    assert!(1 < few && few < more, "{few} nodes, then {more}");
    assert!(folder.read("net.png").starts_with(b"\x89PNG"));
    // A network is read as it was written, and nodes grow from any place towards it.
    let read = ["--read", "net.toml", "-o"];
    assert_eq!(nodes(&make(&[&read[..], &["again.toml"]].concat())), more);
    assert_eq!(folder.read("net.toml"), folder.read("again.toml"));
    let grown = nodes(&make(&[&read[..], &["grown.toml", "--grow", "2.5,2.5"]].concat()));
    assert!(grown > more, "{more} nodes, then {grown}");
    let bad = |more: &[&str], words: &[&str]| folder.bad(&[&cost[..], more].concat(), words);
    bad(&["--read", "net.toml", "--grow", "-50,2.5"], &["--grow", "-50,2.5", "no way"]);
    bad(&["--placement", "crumbs"], &["crumbs", "--from"]);
    bad(&["--placement", "crumbs", "--from", "8.5,6.5"], &["--from", "no agent fits"]);
    bad(&["--from", "2.5,2.5"], &["--from", "--placement crumbs"]);
    bad(&["--read", "no.toml"], &["no.toml"]);
    folder.write("bad.toml", "format = \"throng network 9\"\n");
    bad(&["--read", "bad.toml"], &["bad.toml", "line 1"]);
}

/// A small map with a scenario file; the last row's length is wrong by `wrong`.
fn published(folder: &Folder, wrong: f64) {
    let cells = "....\n.@@.\n.@..\n....\n";
    folder.write("small.map", format!("type octile\nheight 4\nwidth 4\nmap\n{cells}"));
    let rows = [
        "0\tmaps/old/small.map\t4\t4\t0\t0\t3\t0\t3".to_owned(),
        "0\tmaps/old/small.map\t4\t4\t1\t1\t3\t0\t9".to_owned(),
        format!("0\tmaps/old/small.map\t4\t4\t0\t0\t2\t2\t{:.8}", 6.0 + wrong),
    ];
    folder.write("small.map.scen", format!("version 1\n{}\n", rows.join("\n")));
}

#[test]
fn published_lengths_are_met_or_it_is_told() {
    let folder = folder("ways-compare");
    published(&folder, 0.0);
    let all = "straight,random-avoid,trace,trace-sight,breadcrumbs,road,left-hand,flow,path,\
               waypoints,network,mesh,dijkstra,astar-octile,astar-euclid,landmarks,jump,greedy,\
               portals,split,hops,highways,visibility,funnel,relaxed,exact";
    let args = ["compare", "small.map.scen", "--navigators", all, "--json", "out.json"];
    let done = folder.fine(&[&args[..], &["--plot", "plot.png"]].concat());
    let text = done.text();
    assert!(text.contains("2 rows of 1 file asked, 1 skipped"), "{text}");
    assert!(folder.read("plot.png").starts_with(b"\x89PNG"));
    let answer = json(&String::from_utf8(folder.read("out.json")).unwrap());
    assert_eq!(answer["totals"].as_array().map(Vec::len), Some(26));
    for one in answer["totals"].as_array().unwrap() {
        assert_eq!(one["missed"], 0, "{one}");
        assert_eq!(one["rows"], 2, "{one}");
    }
    // A folder does as well, and a wrong length is found by every method that promises it, in its line.
    let folder = self::folder("ways-planted");
    published(&folder, -0.01);
    for name in ["dijkstra", "astar-octile", "astar-euclid", "landmarks", "jump", "split", "hops"] {
        let done = folder.run(&["compare", ".", "--navigators", name]);
        assert_eq!(done.code, Some(1), "{name}: {done:?}");
        let words = format!(
            "MISSED: {name} promises the length in the file; 1 row of small.map.scen differs, \
             the first in line 4"
        );
        assert!(done.text().contains(&words), "{name}: {done:?}");
    }
    folder.fine(&["compare", ".", "--navigators", "greedy,mesh"]);
    // Nothing is shorter than the shortest: a published length that is, is told, too.
    folder.fine(&["compare", ".", "--navigators", "exact"]);
    published(&folder, -2.0);
    let done = folder.run(&["compare", ".", "--navigators", "exact"]);
    assert_eq!(done.code, Some(1), "{done:?}");
    assert!(done.text().contains("MISSED: exact promises the shortest way"), "{done:?}");
}

#[test]
fn scenario_files_that_make_no_sense_are_refused() {
    let folder = folder("ways-rows");
    published(&folder, 0.0);
    let file = |text: &str, words: &[&str]| {
        folder.write("bad.scen", text);
        folder.bad(&["compare", "bad.scen"], &[&["bad.scen"], words].concat());
    };
    file("", &["version"]);
    file("version 2\n", &["version 2", "line 1"]);
    file("version 1\n", &["no row"]);
    file("version 1\n0 small.map 4 4 0 0 3 0\n", &["line 2", "8 words"]);
    file("version 1\n0 small.map 4 4 0 0 3 x 3\n", &["line 2", "`x`"]);
    file("version 1\n0 small.map 4 4 0 0 3 0 far\n", &["line 2", "`f` is no length"]);
    file("version 1\n0 small.map 4 4 0 0 4 0 3\n", &["line 2", "4,0"]);
    file("version 1\n0 small.map 5 4 0 0 3 0 3\n", &["line 2", "5 by 4"]);
    folder.write("bad.scen", "version 1\n0 none.map 4 4 0 0 3 0 3\n");
    folder.bad(&["compare", "bad.scen"], &["none.map"]);
    folder.bad(&["compare", "no.scen"], &["no.scen"]);
    fs::create_dir_all(folder.path("empty")).unwrap();
    folder.bad(&["compare", "empty"], &["empty", ".scen"]);
    let name = ["compare", "small.map.scen", "--navigators", "jump,dijkstr"];
    folder.bad(&name, &["dijkstr", "dijkstra"]);
    folder.bad(&["compare", "small.map.scen", "--limit", "0"], &["--limit"]);
}

/// The commands of the gallery, as words, and the exit codes it tells.
fn commands() -> Vec<Vec<&'static str>> {
    let lines = GALLERY.lines().filter_map(|line| line.trim().strip_prefix("throng "));
    lines.map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn the_gallery_does_what_it_says() {
    let folder = Folder::new("ways-gallery");
    fs::create_dir_all(folder.path("scenarios/maps")).unwrap();
    fs::create_dir_all(folder.path("docs/pictures/navigators")).unwrap();
    folder.write("scenarios/maps/gallery.map", MAP);
    let mut pictures = 0;
    for words in commands().iter().filter(|words| words[0] != "compare") {
        let done = folder.run(words);
        let arrives = !words.contains(&"straight");
        assert_eq!(done.code, Some(i32::from(!arrives)), "{words:?}: {done:?}");
        let at = words.iter().position(|&word| word == "--picture").expect("a picture");
        let name = words[at + 1];
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        let shipped = fs::read(&shipped).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [drawn, known] = [&folder.read(name), &shipped].map(|bytes| {
            image::load_from_memory(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        assert!(drawn == known, "{name} is another picture now");
        assert!(shipped.len() < 40_000, "{name} has {} bytes", shipped.len());
        assert!(GALLERY.contains(&format!("]({})", name.trim_start_matches("docs/"))), "{name}");
        pictures += 1;
    }
    assert!(pictures >= 28, "{pictures} pictures");
}

#[test]
fn a_comparison_is_a_table_for_spreadsheets_too() {
    let folder = folder("ways-csv");
    published(&folder, 0.0);
    let args = ["compare", ".", "--navigators", "jump,mesh", "--csv", "a.csv", "--plot", "a.png"];
    let done = folder.fine(&args);
    assert!(done.out.lines().all(|line| line.chars().count() <= 100), "{}", done.out);
    let text = String::from_utf8(folder.read("a.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["file", "method", "rows", "found"]);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()) && rows.len() == 3, "{text}");
    assert_eq!((rows[1][0], rows[1][1], rows[2][1]), ("small.map.scen", "jump", "mesh"));
    assert_eq!(rows[1][4].parse::<f64>().unwrap().round(), 1.0, "{text}");
}
