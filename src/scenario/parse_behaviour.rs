//! `behave` of a `[[group]]` and `behaviours` of an order.

use std::collections::BTreeMap;

use crate::data::GroupId;
use crate::data::definition::Key;
use crate::data::number::plural;
use crate::scenario::def::BehaviourEntry;
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
) -> Vec<BehaviourEntry> {
    let what =
        format!("an array of at most {MAX_BEHAVIOURS} behaviours, as in [{{ kind = \"wander\" }}]");
    let entries = node.array(&what, MAX_BEHAVIOURS).unwrap_or_default();
    let mut list: Vec<BehaviourEntry> = Vec::new();
    for node in &entries {
        let Some(behaviour) = behaviour(node, group, names) else { continue };
        let goal = behaviour.kind == BehaviourKind::Goal;
        if goal && list.iter().any(|entry| entry.behaviour.kind == BehaviourKind::Goal) {
            node.problem("`goal` is listed twice", "at most one of them");
        }
        list.push(BehaviourEntry { behaviour, at: node.at.clone() });
    }
    list
}

fn behaviour(node: &Node<'_>, group: GroupId, names: &Names<'_>) -> Option<Behaviour> {
    let table = node.table("a behaviour, as in { kind = \"wander\" }", &BEHAVIOUR)?;
    let words = KINDS.map(|(word, _)| word);
    table.needed("kind", format!("one of {}", quoted(&words)));
    let word = table.word("kind", &words)?;
    let (_, takes) = KINDS.iter().find(|(known, _)| *known == word)?;
    for key in table.present(&BEHAVIOUR[3..]).into_iter().filter(|key| !takes.contains(key)) {
        let expected = match takes {
            [] => "`weight` and `priority` alone".to_owned(),
            _ => format!("{} beside `weight` and `priority`", quoted(takes)),
        };
        if let Some(node) = table.get(key) {
            node.problem(format!("`{word}` takes no `{key}`"), expected);
        }
    }
    let weight = table.key(&WEIGHT);
    let priority = table.whole("priority", "a priority", [0, 255], 0) as u8;
    let kind = kind(&table, word, group, names)?;
    Some(Behaviour { kind, weight, priority })
}

fn kind(table: &Table<'_>, word: &str, own: GroupId, names: &Names<'_>) -> Option<BehaviourKind> {
    match word {
        "goal" => Some(BehaviourKind::Goal),
        "seek" => {
            let (to, range) = mark(table, "to", &POINT_RANGE, names)?;
            Some(BehaviourKind::Seek { to, range })
        }
        "flee" => {
            let near = Key { default: RANGE.default, ..POINT_RANGE };
            let (from, range) = mark(table, "from", &near, names)?;
            Some(BehaviourKind::Flee { from, range })
        }
        "pursue" => {
            let (range, horizon) = (table.key(&RANGE), table.key(&HORIZON));
            let quarry = needed_group(table, "to", names)?;
            Some(BehaviourKind::Pursue { quarry, range, horizon })
        }
        "evade" => {
            let (range, horizon) = (table.key(&RANGE), table.key(&HORIZON));
            let hunter = needed_group(table, "from", names)?;
            Some(BehaviourKind::Evade { hunter, range, horizon })
        }
        "wander" => {
            let (turn, rate) = (table.key(&TURN), table.key(&RATE));
            Some(BehaviourKind::Wander { turn, rate })
        }
        "cohesion" | "alignment" => {
            let range = table.key(&RANGE);
            let with = match table.get("with") {
                Some(node) => group_of(&node, names)?,
                None => own,
            };
            Some(match word {
                "cohesion" => BehaviourKind::Cohesion { with, range },
                _ => BehaviourKind::Alignment { with, range },
            })
        }
        "path" => path(table),
        _ => wall(table),
    }
}

/// The group or the point that a key names, and `range`, of which `of_point` is that of a point.
fn mark(table: &Table<'_>, key: &str, of_point: &Key, names: &Names<'_>) -> Option<(Mark, f64)> {
    let expected = "the name of a group, or a point [x, y] in metres";
    let node = table.needed(key, expected)?;
    if node.is_text() {
        let range = table.key(&RANGE);
        return Some((Mark::Group(group_of(&node, names)?), range));
    }
    let range = table.key(of_point);
    Some((Mark::Point(point(&node)?), range))
}

fn path(table: &Table<'_>) -> Option<BehaviourKind> {
    let radius = table.key(&PATH_RADIUS);
    let closed = table.truth("loop", false);
    let what = format!("[[x, y], …], 2 to {MAX_PATH_POINTS} points in metres");
    let node = table.needed("points", what.as_str())?;
    let parts = node.array(&what, MAX_PATH_POINTS)?;
    let points: Vec<[f64; 2]> = parts.iter().map_while(point).collect();
    if points.len() < parts.len() {
        return None;
    }
    if points.len() < 2 {
        node.bad_value(&format!("has {}", plural(points.len() as u64, "point")), what);
        return None;
    }
    let legs = points.windows(2).map(|pair| (pair[0], pair[1]));
    let back = closed.then(|| (points[points.len() - 1], points[0]));
    for (i, ([ax, ay], [bx, by])) in legs.chain(back).enumerate() {
        if ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt() < 0.01 {
            let next = (i + 1) % points.len();
            let wrong = format!("points {i} and {next} are less than a centimetre apart");
            node.problem(wrong, "points that lie apart");
            return None;
        }
    }
    Some(BehaviourKind::Path { points, radius, closed })
}

fn wall(table: &Table<'_>) -> Option<BehaviourKind> {
    let distance = table.key(&DISTANCE);
    let range = table.key(&Key { default: RANGE.default.max(distance), ..RANGE });
    if range < distance {
        let wrong = format!("is less than `distance`, {distance}");
        table.bad_value("range", &wrong, "a wall within range at that distance");
    }
    table.needed("side", "\"left\" or \"right\": where the wall is");
    let side = table.word("side", &Side::NAMES).and_then(Side::from_name)?;
    Some(BehaviourKind::Wall { side, distance, range })
}
