//! What groups find their ways by, against a map that the test knows by itself.

use serde_json::Value;

use crate::running::Folder;
use crate::view::client::{FrameOf, Served, frame, serve};

/// Cells of a metre.
const SIZE: [i32; 2] = [96, 64];
/// Cells to a side of the sectors between which portals are.
const SECTOR: i32 = 32;

const SCENARIO: &str = r#"
name = "ways"
seed = 3
ticks = 400
[map]
size = [96, 64]
walls = [{ rect = [40, 0, 44, 28] }, { rect = [40, 36, 44, 64] }, { rect = [60, 20, 70, 30] }]
"#;

/// A wall that is built: least x and y, largest x and y.
const BUILT: [i32; 4] = [20, 10, 36, 13];

/// The cells on which agents can stand, by walls that are written here again.
struct Ground(Vec<[i32; 4]>);

impl Ground {
    fn is_open(&self, x: i32, y: i32) -> bool {
        let inside = (0..SIZE[0]).contains(&x) && (0..SIZE[1]).contains(&y);
        let is_wall =
            |[x0, y0, x1, y1]: &[i32; 4]| (*x0..*x1).contains(&x) && (*y0..*y1).contains(&y);
        inside && !self.0.iter().any(is_wall)
    }

    fn is_open_at(&self, [x, y]: [f64; 2]) -> bool {
        self.is_open(x.floor() as i32, y.floor() as i32)
    }

    /// Whether all of a line but its ends lies on open ground.
    fn is_clear(&self, [ax, ay, bx, by]: [f64; 4]) -> bool {
        (1..64).all(|i| {
            let t = f64::from(i) / 64.0;
            self.is_open_at([ax + (bx - ax) * t, ay + (by - ay) * t])
        })
    }

    /// Middles of the sides between two neighbours, with whether it goes up and down, and both cells.
    fn sides() -> impl Iterator<Item = ([f64; 2], bool, [[i32; 2]; 2])> {
        let cells = (-1..SIZE[1]).flat_map(|y| (-1..SIZE[0]).map(move |x| [x, y]));
        cells.flat_map(|[x, y]| {
            let [fx, fy] = [f64::from(x), f64::from(y)];
            [
                ([fx + 1.0, fy + 0.5], true, [[x, y], [x + 1, y]]),
                ([fx + 0.5, fy + 1.0], false, [[x, y], [x, y + 1]]),
            ]
        })
    }
}

/// Lines and points of a way.
struct Way {
    lines: Vec<[f64; 4]>,
    points: Vec<[f64; 2]>,
}

/// The ways of an answer by what they are, and the names of the groups.
fn ways(answer: &FrameOf, names: &Value) -> Vec<(String, Vec<String>, Way)> {
    let mut numbers = answer
        .body
        .chunks_exact(4)
        .map(|four| f64::from(f32::from_le_bytes(four.try_into().unwrap())));
    let ways = answer.head["ways"].as_array().unwrap().iter().map(|way| {
        let count = |name: &str| way[name].as_u64().unwrap();
        let lines = (0..count("lines")).map(|_| [0; 4].map(|_| numbers.next().unwrap())).collect();
        let points =
            (0..count("points")).map(|_| [0; 2].map(|_| numbers.next().unwrap())).collect();
        let name = |index: &Value| {
            let group = names.as_array().unwrap().iter().find(|group| group["index"] == *index);
            group.unwrap()["name"].as_str().unwrap().to_owned()
        };
        let groups = way["groups"].as_array().unwrap().iter().map(name).collect();
        (way["by"].as_str().unwrap().to_owned(), groups, Way { lines, points })
    });
    let ways = ways.collect();
    assert_eq!(numbers.next(), None, "all bytes are read");
    ways
}

fn asked(served: &Served, [x0, y0, x1, y1]: [f64; 4]) -> Vec<(String, Vec<String>, Way)> {
    let answer = frame(&served.get(&format!("ways?frame={x0},{y0},{x1},{y1}")).body);
    assert_eq!(answer.head["every"], 1);
    ways(&answer, &served.json("info")["groups"])
}

/// How many lines that are parallel to a side hold its middle.
fn holding(way: &Way, [x, y]: [f64; 2], is_vertical: bool) -> usize {
    let holds = |[ax, ay, bx, by]: &[f64; 4]| match is_vertical {
        true => ax == bx && *ax == x && ay.min(*by) < y && y < ay.max(*by),
        false => ay == by && *ay == y && ax.min(*bx) < x && x < ax.max(*bx),
    };
    way.lines.iter().filter(|line| holds(line)).count()
}

/// Portals cover every open pair of cells on the border of two sectors, and nothing else.
fn check_portals(way: &Way, ground: &Ground) {
    let mut crossings = 0;
    for (middle, is_vertical, cells) in Ground::sides() {
        let across = cells[1][usize::from(!is_vertical)];
        let is_open = cells.iter().all(|&[x, y]| ground.is_open(x, y));
        let expected = usize::from(across % SECTOR == 0 && is_open);
        assert_eq!(holding(way, middle, is_vertical), expected, "{middle:?}");
        crossings += expected;
    }
    assert!(crossings > 100, "{crossings}");
    assert_eq!(way.points.len(), way.lines.len());
    for ([x, y], line) in way.points.iter().zip(&way.lines) {
        let within = |c: &f64, a: f64, b: f64| (a..=b).contains(c);
        assert!(within(x, line[0], line[2]) && within(y, line[1], line[3]), "{x} {y} {line:?}");
    }
}

/// A mesh has an edge along every wall, and none in a wall.
fn check_mesh(way: &Way, ground: &Ground) {
    for (middle, is_vertical, [a, b]) in Ground::sides() {
        let [a, b] = [a, b].map(|[x, y]| ground.is_open(x, y));
        let found = holding(way, middle, is_vertical);
        assert!(found == 1 || a == b, "{found} edges at the wall at {middle:?}");
        assert!(found == 0 || a || b, "an edge in a wall at {middle:?}");
    }
    let inner: Vec<_> =
        way.lines.iter().filter(|line| line[0] != line[2] && line[1] != line[3]).collect();
    assert!(inner.len() > 5, "{}", inner.len());
    inner.iter().for_each(|line| assert!(ground.is_clear(**line), "{line:?}"));
}

/// Nodes are on open ground and see each other along edges; all are joined.
fn check_graph(way: &Way, ground: &Ground, name: &str) {
    assert!(way.points.len() > 3 && way.lines.len() + 1 >= way.points.len(), "{name}");
    let mut joined: Vec<usize> = (0..way.points.len()).collect();
    let node = |at: [f64; 2]| way.points.iter().position(|&point| point == at).expect("a node");
    for &line in &way.lines {
        assert!(ground.is_clear(line), "{name}: {line:?}");
        let [a, b] = [node([line[0], line[1]]), node([line[2], line[3]])].map(|node| joined[node]);
        joined.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
    }
    way.points.iter().for_each(|&point| assert!(ground.is_open_at(point), "{name}: {point:?}"));
    assert!(joined.iter().all(|&group| group == joined[0]), "{name}: {joined:?}");
}

#[test]
fn ways_are_those_of_the_map() {
    let folder = Folder::new("view-ways");
    let group = |name: &str, navigator: &str, y: u32| {
        format!(
            "[[group]]\nname = \"{name}\"\nradius = 0.3\nnavigator = \"{navigator}\"\n\
             spawn = [{{ rect = [4, {y}, 12, {}], count = 12 }}]\ngoal = {{ rect = [84, {y}, 92, {}] }}\n",
            y + 8,
            y + 8
        )
    };
    let groups = [
        group("over", "mesh", 4),
        group("along", "network", 14),
        group("by", "waypoints", 24),
        group("through", "corridor", 34),
        group("down", "flow", 44),
        group("too", "mesh", 50),
    ];
    folder.write("ways.toml", [SCENARIO, &groups.concat()].concat());
    let served = serve(&folder, &["ways.toml", "--paused", "--no-files"]);
    served.wait("the first tick", |head| head["tick"] == 1);
    let whole = [0.0, 0.0, 96.0, 64.0];
    let mut ground = Ground(vec![[40, 0, 44, 28], [40, 36, 44, 64], [60, 20, 70, 30]]);
    for is_built in [false, true] {
        if is_built {
            let [x0, y0, x1, y1] = BUILT;
            let corners = format!("{x0},{y0},{x1},{y0},{x1},{y1},{x0},{y1}");
            let built = served.post(&format!("order?kind=build&corners={corners}"), &[]);
            assert_eq!(built.status, 200, "{built:?}");
            ground.0.push(BUILT);
        }
        let all = asked(&served, whole);
        let found: Vec<_> = all.iter().map(|(by, groups, _)| (&by[..], groups.join("+"))).collect();
        let expected = [
            ("mesh", "over+too"),
            ("network", "along"),
            ("waypoints", "by"),
            ("portals", "through"),
        ];
        assert_eq!(found, expected.map(|(by, groups)| (by, groups.to_owned())));
        check_mesh(&all[0].2, &ground);
        check_graph(&all[1].2, &ground, "network");
        check_graph(&all[2].2, &ground, "waypoints");
        check_portals(&all[3].2, &ground);

        // A part of the map has what reaches into it.
        let part = [0.5, 0.5, 33.5, 20.5];
        for ((_, _, way), (by, _, some)) in all.iter().zip(asked(&served, part)) {
            let meets = |[ax, ay, bx, by]: &&[f64; 4]| {
                let apart = |a: f64, b: f64, low: f64, high: f64| a.max(b) < low || a.min(b) > high;
                !apart(*ax, *bx, part[0], part[2]) && !apart(*ay, *by, part[1], part[3])
            };
            let expected: Vec<_> = way.lines.iter().filter(meets).copied().collect();
            assert!(some.lines == expected && expected.len() < way.lines.len(), "{by}");
        }
    }
    served.stop();

    // Where all go by flow fields, there are none.
    let served = serve(&folder, &["small", "--paused", "--no-files"]);
    assert_eq!(asked(&served, [0.0, 0.0, 64.0, 48.0]).len(), 0);
    served.stop();
}
