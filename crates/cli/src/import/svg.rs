//! Floor plans in SVG: what is dark is wall, and what is light and drawn over it is ground again.
//!
//! `usvg` works out styles, transformations, clones and curves. Layers are chosen before that: elements
//! that have one of the names get an id, by which their groups and shapes are known afterwards.

use std::collections::BTreeSet;

use roxmltree::{Document, Node, ParsingOptions};
use usvg::tiny_skia_path::{self, PathSegment};
use usvg::{FillRule, Group, ImageHrefResolver, Options, Paint, Path, Tree};

use crate::import::plan::{Mark, Plan};
use crate::import::problem::{Problem, shown};
use crate::import::raster::{Inside, Point};
use crate::summary::plural;

/// Elements inside each other at most: fewer than `usvg` takes.
const MAX_DEPTH: usize = 1_000;

/// Bytes of the stack on which a drawing is read, so deep as it may be.
const STACK: usize = 256 << 20;

/// Nodes of a file at most.
const MAX_NODES: u32 = 1 << 20;

/// Straight pieces of a curve.
const PIECES: u16 = 16;

/// Ids of elements that have none.
const OWN_ID: &str = "throng-layer";

/// Layers that are listed in messages at most.
const LISTED: usize = 200;

/// Reads a drawing; of some layers alone, where any are named.
pub(super) fn read(bytes: &[u8], layers: &[String]) -> Result<Plan, Problem> {
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK);
        let reader = reader.spawn_scoped(scope, || read_here(bytes, layers));
        let reader = reader.map_err(|error| Problem::whole(error.to_string(), "memory"))?;
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Reads a drawing on a stack that is large enough.
fn read_here(bytes: &[u8], layers: &[String]) -> Result<Plan, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Problem::whole("it is no text in UTF-8", "an SVG file"))?;
    let options =
        || ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document =
        Document::parse_with_options(text, options()).map_err(|error| refused(&error))?;
    check(&document)?;
    let mut plan = Plan { layers: names(&document), ..Plan::default() };
    for (kind, what) in [("image", "picture"), ("text", "text")] {
        let is_one = |node: &Node<'_, '_>| node.is_element() && node.tag_name().name() == kind;
        let count = document.descendants().filter(is_one).count() as u64;
        if count > 0 {
            let are = if count == 1 { "is no wall" } else { "are no walls" };
            plan.notes.push(format!("{} in it {are}", plural(count, what)));
        }
    }
    let (text, chosen) = prepared(text, &document, layers);
    for layer in layers {
        if !document.root().descendants().any(|node| is_called(&node, layer)) {
            let known = plan.layers.join(", ");
            return Err(Problem::whole(
                format!("there is no layer `{layer}`"),
                format!("one of {known}"),
            ));
        }
    }
    let document =
        Document::parse_with_options(&text, options()).map_err(|error| refused(&error))?;
    let settings = Options {
        // Pictures inside are no walls, and no other file is opened.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &settings)
        .map_err(|error| Problem::whole(error.to_string(), "an SVG drawing"))?;
    let mut taken = Taken { chosen, marks: Vec::new(), masked: 0 };
    taken.group(tree.root(), layers.is_empty());
    plan.marks = taken.marks;
    if taken.masked > 0 {
        let note = format!("{} with a mask taken whole", plural(taken.masked, "group"));
        plan.notes.push(note);
    }
    Ok(plan)
}

/// A problem of text that is no XML, with its line and column.
fn refused(error: &roxmltree::Error) -> Problem {
    let at = error.pos();
    let why = error.to_string();
    let why = why.split(" at ").next().unwrap_or_default().to_owned();
    let place = format!("line {}, column {}", at.row, at.col);
    Problem::at(place, format!("it is no XML: {why}"), "an SVG file")
}

/// Refuses what no drawing has: elements too deep, and letters where numbers belong, which would end a
/// path without a word.
fn check(document: &Document<'_>) -> Result<(), Problem> {
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        let name = shown(root.tag_name().name());
        return Err(at(&root, format!("it begins with `<{name}>`"), "`<svg>`"));
    }
    for node in document.descendants().filter(Node::is_element) {
        if node.ancestors().take(MAX_DEPTH + 1).count() > MAX_DEPTH {
            return Err(at(&node, format!("it is inside more than {MAX_DEPTH} others"), "fewer"));
        }
        let lists = [("d", "MmLlHhVvCcSsQqTtAaZz"), ("points", "")];
        for (name, words) in lists {
            let Some(value) = node.attribute(name) else { continue };
            let is_known = |c: char| {
                c.is_ascii_digit() || c.is_whitespace() || "+-.,eE".contains(c) || words.contains(c)
            };
            let is_shape = matches!(node.tag_name().name(), "path" | "polyline" | "polygon");
            if let Some((index, _)) = value.char_indices().find(|(_, c)| !is_known(*c))
                && is_shape
            {
                let wrong = format!("`{}` in `{name}` is no number", shown(&value[index..]));
                return Err(at(&node, wrong, "numbers and letters of paths"));
            }
        }
    }
    Ok(())
}

/// A problem of an element, with its line and column.
fn at(node: &Node<'_, '_>, wrong: String, expected: &str) -> Problem {
    let at = node.document().text_pos_at(node.range().start);
    Problem::at(format!("line {}, column {}", at.row, at.col), wrong, expected)
}

/// Names by which an element can be chosen: its id, its classes, its label as a layer of Inkscape.
fn called<'a>(node: &Node<'a, '_>) -> impl Iterator<Item = &'a str> {
    let label = node.attributes().find(|attribute| {
        attribute.name() == "label" && attribute.namespace().is_some_and(|n| n.contains("inkscape"))
    });
    let classes = node.attribute("class").into_iter().flat_map(str::split_whitespace);
    node.attribute("id").into_iter().chain(label.map(|label| label.value())).chain(classes)
}

fn is_called(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && called(node).any(|own| own == name)
}

/// Names of groups and classes of shapes.
fn names(document: &Document<'_>) -> Vec<String> {
    let groups =
        document.descendants().filter(|node| node.is_element() && node.tag_name().name() == "g");
    let mut names: Vec<String> =
        groups.flat_map(|node| called(&node).collect::<Vec<_>>()).map(shown).collect();
    let classes = document.descendants().filter_map(|node| node.attribute("class"));
    names.extend(classes.flat_map(str::split_whitespace).map(shown));
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names.truncate(LISTED);
    names
}

/// The text with ids for chosen elements that have none, in units of its `viewBox`; and all their ids.
fn prepared(text: &str, document: &Document<'_>, layers: &[String]) -> (String, BTreeSet<String>) {
    let (mut edits, mut ids) = (Vec::new(), BTreeSet::new());
    let root = document.root_element();
    if root.attribute("viewBox").is_some() {
        let sides = root.attributes().filter(|a| a.namespace().is_none());
        let sides = sides.filter(|a| matches!(a.name(), "width" | "height"));
        edits.extend(sides.map(|attribute| (attribute.range(), String::new())));
    }
    for node in document.descendants().filter(Node::is_element) {
        if !layers.iter().any(|layer| is_called(&node, layer)) {
            continue;
        }
        if let Some(id) = node.attribute("id") {
            ids.insert(id.to_owned());
            continue;
        }
        let start = node.range().start;
        // Text that an entity stands for is not in the file.
        let Some(tag) = text.get(start..).and_then(|tag| tag.strip_prefix('<')) else { continue };
        let end = tag.find(|c: char| c.is_whitespace() || "/>".contains(c)).unwrap_or(tag.len());
        let (id, place) = (format!("{OWN_ID}-{}", ids.len()), start + 1 + end);
        edits.push((place..place, format!(" id=\"{id}\"")));
        ids.insert(id);
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut edited = text.to_owned();
    for (range, with) in edits.into_iter().rev() {
        edited.replace_range(range, &with);
    }
    (edited, ids)
}

/// The marks taken of a drawing.
struct Taken {
    /// Ids of the layers that are wanted.
    chosen: BTreeSet<String>,
    marks: Vec<Mark>,
    /// Groups with a mask.
    masked: u64,
}

impl Taken {
    /// Takes what a group draws, once it or something around it is chosen.
    fn group(&mut self, group: &Group, is_chosen: bool) {
        if group.opacity().get() < 0.5 {
            return;
        }
        let outer = std::mem::take(&mut self.marks);
        for node in group.children() {
            let is_chosen = is_chosen || self.chosen.contains(node.id());
            match node {
                usvg::Node::Group(inner) => self.group(inner, is_chosen),
                usvg::Node::Path(path) if is_chosen && path.is_visible() => {
                    draw(path, &mut self.marks);
                }
                _ => {}
            }
        }
        let inner = std::mem::replace(&mut self.marks, outer);
        self.masked += u64::from(group.mask().is_some() && !inner.is_empty());
        match group.clip_path() {
            Some(clip) if !inner.is_empty() => {
                let (mut rings, mut inside) = (Vec::new(), Inside::NonZero);
                let place = group.abs_transform().pre_concat(clip.transform());
                outline(clip.root(), place, &mut rings, &mut inside);
                self.marks.push(Mark::Clipped { marks: inner, clip: rings, inside });
            }
            _ => self.marks.extend(inner),
        }
    }
}

/// The shapes of a clip.
fn outline(
    group: &Group,
    place: tiny_skia_path::Transform,
    rings: &mut Vec<Vec<Point>>,
    inside: &mut Inside,
) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => outline(inner, place, rings, inside),
            usvg::Node::Path(path) => {
                if path.fill().is_some_and(|fill| fill.rule() == FillRule::EvenOdd) {
                    *inside = Inside::Odd;
                }
                let place = place.pre_concat(path.abs_transform());
                rings.extend(flat(path.data().clone().transform(place)));
            }
            _ => {}
        }
    }
}

/// Whether paint is dark; all but plain colours are.
fn is_dark(paint: &Paint) -> bool {
    let Paint::Color(colour) = paint else { return true };
    let [red, green, blue] = [colour.red, colour.green, colour.blue].map(u32::from);
    299 * red + 587 * green + 114 * blue < 128_000
}

/// Takes a shape: what it is filled with, and its outline.
fn draw(path: &Path, marks: &mut Vec<Mark>) {
    let transform = path.abs_transform();
    let rings = |path: tiny_skia_path::Path| flat(path.transform(transform));
    if let Some(fill) = path.fill().filter(|fill| fill.opacity().get() >= 0.5) {
        let inside = match fill.rule() {
            FillRule::NonZero => Inside::NonZero,
            FillRule::EvenOdd => Inside::Odd,
        };
        let is_wall = is_dark(fill.paint());
        marks.push(Mark::Fill { rings: rings(path.data().clone()), inside, is_wall });
    }
    let Some(stroke) = path.stroke().filter(|stroke| stroke.opacity().get() >= 0.5) else { return };
    let mut pen = stroke.to_tiny_skia();
    pen.dash = None;
    let outline = path.data().stroke(&pen, 16.0).map(rings).unwrap_or_default();
    let grown = f64::from(transform.sx) * f64::from(transform.sy)
        - f64::from(transform.kx) * f64::from(transform.ky);
    let width = f64::from(stroke.width().get()) * grown.abs().sqrt();
    let (lines, is_wall) = (rings(path.data().clone()), is_dark(stroke.paint()));
    marks.push(Mark::Lines { lines, width, outline, is_wall });
}

/// A path as straight pieces; of closed ones the first point is the last once more.
fn flat(path: Option<tiny_skia_path::Path>) -> Vec<Vec<Point>> {
    let Some(path) = path else { return Vec::new() };
    let mut lines: Vec<Vec<Point>> = Vec::new();
    let pair = |at: tiny_skia_path::Point| [f64::from(at.x), f64::from(at.y)];
    for segment in path.segments() {
        let last = lines.last().and_then(|line| line.last()).copied().unwrap_or_default();
        let mut curve = |points: &[Point]| {
            let Some(line) = lines.last_mut() else { return };
            let shares = (1..=PIECES).map(|step| f64::from(step) / f64::from(PIECES));
            line.extend(shares.map(|share| bezier(points, share)));
        };
        match segment {
            PathSegment::MoveTo(at) => lines.push(vec![pair(at)]),
            PathSegment::LineTo(at) => lines.last_mut().into_iter().for_each(|l| l.push(pair(at))),
            PathSegment::QuadTo(a, b) => curve(&[last, pair(a), pair(b)]),
            PathSegment::CubicTo(a, b, c) => curve(&[last, pair(a), pair(b), pair(c)]),
            PathSegment::Close => {
                if let Some(line) = lines.last_mut() {
                    line.extend(line.first().copied());
                }
            }
        }
    }
    lines
}

/// A point of a Bézier curve, by de Casteljau.
fn bezier(points: &[Point], share: f64) -> Point {
    let mut points = points.to_vec();
    while points.len() > 1 {
        let pairs = points.windows(2);
        let between = pairs.map(|p| [0, 1].map(|k: usize| p[0][k] + (p[1][k] - p[0][k]) * share));
        points = between.collect();
    }
    points.first().copied().unwrap_or_default()
}
