//! What the ground costs: `cost` of `[map]` and of `[[group]]`, and slopes.

use crate::data::definition::Limits;
use crate::map::{PLAIN, TerrainCosts};
use crate::scenario::def::TerrainPlaces;
use crate::scenario::read::{Node, Table};

/// A cost of ground that can be walked on.
pub(super) const COST: Limits = Limits::from("a cost, 1 for plain ground", 0.0625, 15.9375);
const LETTER_COST: Limits =
    Limits::from("a cost, 1 for plain ground and 0 for a wall,", 0.0, 15.9375);

/// The slowness of letters by a table of costs, in 1/16, with their values.
pub(super) fn letter_costs<'a>(node: &Node<'a>) -> Vec<(u8, u8, Node<'a>)> {
    let what = "a table of letters, as in { S = 2.0, W = 0 }";
    let Some(letters) = node.any_table(what) else { return Vec::new() };
    let mut costs = Vec::new();
    for (name, node) in letters.each() {
        let &[letter @ b'!'..=b'~'] = name.as_bytes() else {
            let wrong = format!("`{name}` is not a letter of a map");
            node.problem(wrong, "one letter, as in { S = 2.0, \".\" = 1.0 }");
            continue;
        };
        let Some(slowness) = letter_cost(&node) else { continue };
        costs.push((letter, slowness, node));
    }
    costs
}

/// What cells cost, 0 for walls, in 1/16.
pub(super) fn letter_cost(node: &Node<'_>) -> Option<u8> {
    let cost = node.number(&LETTER_COST)?;
    if cost > 0.0 && cost < COST.low {
        let expected = "0 for a wall, or 0.0625 to 15.9375";
        node.bad_value("is neither 0 nor at least 0.0625", expected);
    }
    Some(slowness(cost))
}

/// A cost in 1/16, to the nearest.
pub(super) fn slowness(cost: f64) -> u8 {
    (cost * f64::from(PLAIN) + 0.5).floor() as u8
}

/// `cost` of a group, put into its costs, and where what may not fit the map is written.
pub(super) fn letters(table: &Table<'_>, costs: &mut TerrainCosts) -> TerrainPlaces {
    let speed = table.place("speed");
    let mut letters = Vec::new();
    if let Some(node) = table.get("cost") {
        for (letter, slowness, node) in letter_costs(&node) {
            costs.set(char::from(letter), slowness).expect("the letter is printable");
            letters.push((letter, node.at));
        }
    }
    TerrainPlaces { letters, speed }
}
