//! `[map.generate]`: the frame, and where what the recipe finds wrong is written.

use crate::generate::{GenerateError, MAX_STEPS, Recipe, Step};
use crate::map::{Legend, limits};
use crate::scenario::def::GenerateDef;
use crate::scenario::error::Place;
use crate::scenario::parse_name::{color, group_name};
use crate::scenario::parse_step::{by_letter, step};
use crate::scenario::read::{Node, Table};

/// The keys of `[map.generate]`.
pub(super) const GENERATE: [&str; 7] =
    ["width", "height", "seed", "fill", "colors", "names", "step"];

/// Letter of every cell before the first step.
pub(super) const FILL: u8 = b'.';

/// The recipe of a map with cells of `cell` metres whose letters mean what `legend` says.
pub(super) fn generate(node: &Node<'_>, cell: f64, legend: &Legend) -> Option<GenerateDef> {
    let table = node.table("a table with `width`, `height` and `step`", &GENERATE)?;
    let side = |key: &str| {
        let what = format!("a {key} in cells");
        let node = table.needed(key, format!("{what}, as in 256"))?;
        node.whole(&what, [1, u64::from(limits::MAX_SIDE)]).map(|side| side as u32)
    };
    let (width, height) = (side("width"), side("height"));
    let seed = match table.get("seed") {
        Some(node) => Some(node.whole("the seed of the map", [0, u64::MAX])?),
        None => None,
    };
    let fill = match table.get("fill") {
        Some(node) => node.letter()?,
        None => FILL,
    };
    let what = "a table of letters and colours, as in { W = \"#7fb2d0\" }";
    let colours = match table.get("colors") {
        Some(node) => by_letter(&node, what, color)?,
        None => Vec::new(),
    };
    let name = |node: &Node<'_>| Some(group_name(node));
    let what = "a table of letters and names, as in { W = \"water\" }";
    let names = match table.get("names") {
        Some(node) => by_letter(&node, what, name)?,
        None => Vec::new(),
    };
    let what = "an array of steps, as in [[map.generate.step]]";
    let nodes = table.needed("step", what)?.array(what, MAX_STEPS)?;
    let (mut tables, mut steps) = (Vec::new(), Vec::new());
    for node in &nodes {
        let Some((table, step)) = step(node) else { continue };
        tables.push(table);
        steps.push(step);
    }
    let (width, height) = (width?, height?);
    let steps: Option<Vec<Step>> = steps.into_iter().collect();
    let recipe = Recipe { width, height, cell, fill, steps: steps? };
    if tables.len() < nodes.len() {
        return None;
    }
    let wrong = recipe.problems(legend);
    for error in &wrong {
        let at = error.step.map_or(&table, |step| &tables[step]);
        node.problems.problem(&place(at, error), &error.wrong, &error.expected);
    }
    let steps = tables.into_iter().map(|table| table.at).collect();
    wrong.is_empty().then_some(GenerateDef { recipe, colours, names, seed, steps, at: table.at })
}

/// Where the key of an error is written, as nearly as it is.
fn place(table: &Table<'_>, error: &GenerateError) -> Place {
    let list = table.present(&["rules", "walkers"]);
    if let (Some(entry), Some(list)) = (error.entry, list.first().and_then(|key| table.get(key)))
        && let Some(node) = list.entries().get(entry)
    {
        // The words of an entry are known by now.
        return node.member(error.key).unwrap_or_else(|| node.at.clone());
    }
    match table.get(error.key) {
        Some(node) => node.at,
        None => Place { span: table.at.span.clone(), key: table.at.key(error.key) },
    }
}
