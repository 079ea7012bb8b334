//! `behave` of a `[[group]]` and `behaviours` of an order.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::data::definition::Key;
use crate::data::number::plural;
use crate::scenario::def::BehaviourEntry;
use crate::scenario::error::Problems;
use crate::scenario::parse_name::{group_of, needed_group};
use crate::scenario::parse_shape::point;
use crate::scenario::read::{Node, Table, quoted};
use crate::world::limits::{
    DISTANCE, HORIZON, PATH_RADIUS, POINT_RANGE, RANGE, RATE, TURN, WEIGHT,
};
use crate::world::{Behaviour, BehaviourKind, MAX_BEHAVIOURS, MAX_PATH_POINTS, Mark, Side};

/// The keys of a behaviour.
pub(super) const BEHAVIOUR: [&str; 15] = [
    "kind", "weight", "priority", "to", "from", "with", "range", "horizon", "turn", "rate",
    "points", "radius", "loop", "side", "distance",
];

/// The kinds, and the keys that each takes beside `kind`, `weight` and `priority`.
pub(super) const KINDS: [(&str, &[&str]); 10] = [
    ("goal", &[]),
    ("seek", &["to", "range"]),
    ("flee", &["from", "range"]),
    ("pursue", &["to", "range", "horizon"]),
    ("evade", &["from", "range", "horizon"]),
    ("wander", &["turn", "rate"]),
    ("cohesion", &["with", "range"]),
    ("alignment", &["with", "range"]),
    ("path", &["points", "radius", "loop"]),
    ("wall", &["side", "distance", "range"]),
];

/// The names of groups.
pub(super) type Names<'a> = BTreeMap<&'a str, GroupId>;

/// A list of behaviours of the group with this index.
pub(super) fn behaviours(
    node: &Node<'_>,
    group: GroupId,
    names: &Names<'_>,
    problems: &mut Problems<'_>,
) -> Vec<BehaviourEntry> {
    let what =
        format!("an array of at most {MAX_BEHAVIOURS} behaviours, as in [{{ kind = \"wander\" }}]");
    let entries = node.array(&what, MAX_BEHAVIOURS, problems).unwrap_or_default();
    let mut list: Vec<BehaviourEntry> = Vec::new();
    for node in &entries {
        let Some(behaviour) = behaviour(node, group, names, problems) else { continue };
        let goal = behaviour.kind == BehaviourKind::Goal;
        if goal && list.iter().any(|entry| entry.behaviour.kind == BehaviourKind::Goal) {
            problems.problem(&node.at, "`goal` is listed twice", "at most one of them");
        }
        list.push(BehaviourEntry { behaviour, at: node.at.clone() });
    }
    list
}

fn behaviour(
    node: &Node<'_>,
    group: GroupId,
    names: &Names<'_>,
    problems: &mut Problems<'_>,
) -> Option<Behaviour> {
    let table = node.table("a behaviour, as in { kind = \"wander\" }", &BEHAVIOUR, problems)?;
    let words = KINDS.map(|(word, _)| word);
    table.needed("kind", format!("one of {}", quoted(&words)), problems);
    let word = table.word("kind", &words, problems)?;
    let (_, takes) = KINDS.iter().find(|(known, _)| *known == word)?;
    for key in table.present(&BEHAVIOUR[3..]).into_iter().filter(|key| !takes.contains(key)) {
        let expected = match takes {
            [] => "`weight` and `priority` alone".to_owned(),
            _ => format!("{} beside `weight` and `priority`", quoted(takes)),
        };
        if let Some(node) = table.get(key) {
            problems.problem(&node.at, format!("`{word}` takes no `{key}`"), expected);
        }
    }
    let weight = table.key(&WEIGHT, problems);
    let priority = table.whole("priority", "a priority", [0, 255], 0, problems) as u8;
    let kind = kind(&table, word, group, names, problems)?;
    Some(Behaviour { kind, weight, priority })
}

fn kind(
    table: &Table<'_>,
    word: &str,
    own: GroupId,
    names: &Names<'_>,
    problems: &mut Problems<'_>,
) -> Option<BehaviourKind> {
    let mut key = |key: &Key| table.key(key, problems);
    match word {
        "goal" => Some(BehaviourKind::Goal),
        "seek" => {
            let (to, range) = mark(table, "to", &POINT_RANGE, names, problems)?;
            Some(BehaviourKind::Seek { to, range })
        }
        "flee" => {
            let near = Key { default: RANGE.default, ..POINT_RANGE };
            let (from, range) = mark(table, "from", &near, names, problems)?;
            Some(BehaviourKind::Flee { from, range })
        }
        "pursue" => {
            let (range, horizon) = (key(&RANGE), key(&HORIZON));
            let quarry = needed_group(table, "to", names, problems)?;
            Some(BehaviourKind::Pursue { quarry, range, horizon })
        }
        "evade" => {
            let (range, horizon) = (key(&RANGE), key(&HORIZON));
            let hunter = needed_group(table, "from", names, problems)?;
            Some(BehaviourKind::Evade { hunter, range, horizon })
        }
        "wander" => {
            let (turn, rate) = (key(&TURN), key(&RATE));
            Some(BehaviourKind::Wander { turn, rate })
        }
        "cohesion" | "alignment" => {
            let range = key(&RANGE);
            let with = match table.get("with") {
                Some(node) => group_of(&node, names, problems)?,
                None => own,
            };
            Some(match word {
                "cohesion" => BehaviourKind::Cohesion { with, range },
                _ => BehaviourKind::Alignment { with, range },
            })
        }
        "path" => path(table, problems),
        _ => wall(table, problems),
    }
}

/// The group or the point that a key names, and `range`, of which `of_point` is that of a point.
fn mark(
    table: &Table<'_>,
    key: &str,
    of_point: &Key,
    names: &Names<'_>,
    problems: &mut Problems<'_>,
) -> Option<(Mark, f64)> {
    let expected = "the name of a group, or a point [x, y] in metres";
    let node = table.needed(key, expected, problems)?;
    if node.is_text() {
        let range = table.key(&RANGE, problems);
        return Some((Mark::Group(group_of(&node, names, problems)?), range));
    }
    let range = table.key(of_point, problems);
    Some((Mark::Point(point(&node, problems)?), range))
}

fn path(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<BehaviourKind> {
    let radius = table.key(&PATH_RADIUS, problems);
    let closed = table.truth("loop", false, problems);
    let what = format!("[[x, y], …], 2 to {MAX_PATH_POINTS} points in metres");
    let node = table.needed("points", what.as_str(), problems)?;
    let parts = node.array(&what, MAX_PATH_POINTS, problems)?;
    let points: Vec<[f64; 2]> = parts.iter().map_while(|part| point(part, problems)).collect();
    if points.len() < parts.len() {
        return None;
    }
    if points.len() < 2 {
        problems.bad_value(
            &node.at,
            &format!("has {}", plural(points.len() as u64, "point")),
            what,
        );
        return None;
    }
    let legs = points.windows(2).map(|pair| (pair[0], pair[1]));
    let back = closed.then(|| (points[points.len() - 1], points[0]));
    for (i, ([ax, ay], [bx, by])) in legs.chain(back).enumerate() {
        if ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt() < 0.01 {
            let next = (i + 1) % points.len();
            let wrong = format!("points {i} and {next} are less than a centimetre apart");
            problems.problem(&node.at, wrong, "points that lie apart");
            return None;
        }
    }
    Some(BehaviourKind::Path { points, radius, closed })
}

fn wall(table: &Table<'_>, problems: &mut Problems<'_>) -> Option<BehaviourKind> {
    let distance = table.key(&DISTANCE, problems);
    let range = table.key(&Key { default: RANGE.default.max(distance), ..RANGE }, problems);
    if range < distance {
        let at = table.place("range");
        let wrong = format!("is less than `distance`, {distance}");
        problems.bad_value(&at, &wrong, "a wall within range at that distance");
    }
    table.needed("side", "\"left\" or \"right\": where the wall is", problems);
    let side = table.word("side", &Side::NAMES, problems).and_then(Side::from_name)?;
    Some(BehaviourKind::Wall { side, distance, range })
}
