//! Sources and sinks on a picture: striped, in colours that no group has unless its scenario says so.
//! Colour-blind people tell them apart, and their outlines and stripes differ.

use image::RgbImage;

use crate::draw::areas::{self, AreaKind, Edge, Fill, MarkedArea, Style};
use crate::draw::caption::{Entry, Mark};
use crate::draw::colour::{self, Rgb};
use crate::draw::ground::{Terrain, View};
use throng::map::area::Shape;
use throng::report::number::plural;

/// The colour of sources: areas in which agents enter.
pub const SOURCE: Rgb = [0x00, 0xb4, 0x00];
/// The colour of sinks: areas in which agents leave.
pub const SINK: Rgb = [0xe1, 0x00, 0xe1];

/// Names of a kind in a legend, and their letters in all, at most; else they are counted.
const MAX_NAMES: usize = 3;
const MAX_LETTERS: usize = 40;

/// Areas of sources and sinks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traffic {
    /// All shapes of all sources, in metres.
    pub sources: Vec<Shape>,
    /// All shapes of all sinks, in metres.
    pub sinks: Vec<Shape>,
}

/// Names of sources and sinks for a legend.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrafficNames<'a> {
    /// Of the sources, by their index.
    pub sources: &'a [String],
    /// Of the sinks, by their index.
    pub sinks: &'a [String],
}

impl Traffic {
    /// Draws the areas. A sink in the shape of a goal among `marked`, which has an outline already, gets
    /// stripes alone, or a smaller ring.
    pub(crate) fn draw(
        &self,
        image: &mut RgbImage,
        view: &View,
        survey: &[(Terrain, Rgb)],
        marked: &[MarkedArea],
    ) {
        let source = style(SOURCE, Edge::Dashes, Fill::Rising);
        let sink = style(SINK, Edge::Full, Fill::Falling);
        let on_goal = Style { edge: None, ring: 4.0, ..sink };
        let goals = marked.iter().filter(|area| area.kind == AreaKind::Goal);
        let goals: Vec<&Shape> = goals.map(|area| &area.shape).collect();
        for shape in once(&self.sources) {
            areas::mark(image, view, survey, shape, &source);
        }
        for shape in once(&self.sinks) {
            let style = if goals.contains(&shape) { &on_goal } else { &sink };
            areas::mark(image, view, survey, shape, style);
        }
    }
}

impl TrafficNames<'_> {
    /// Appends an entry for sources and one for sinks, where there are any.
    pub(crate) fn name(&self, legend: &mut Vec<Entry>) {
        let kinds = [
            ("source", self.sources, Mark::Source, SOURCE),
            ("sink", self.sinks, Mark::Sink, SINK),
        ];
        for (kind, names, mark, colour) in kinds {
            if !names.is_empty() {
                legend.push(Entry::marked(mark, colour, named(kind, names)));
            }
        }
    }

    /// The colours that they need on ground of a colour; none where there are none.
    pub(crate) fn colours(&self, ground: Rgb) -> impl Iterator<Item = Rgb> {
        let kinds = [(SOURCE, self.sources), (SINK, self.sinks)];
        let shown = kinds.into_iter().filter(|(_, names)| !names.is_empty());
        shown.flat_map(move |(colour, _)| [colour, colour::mix(ground, colour, colour::STRIPE)])
    }
}

/// Pixels of an outline of this width have its very colour.
fn style(colour: Rgb, edge: Edge, fill: Fill) -> Style {
    Style { colour, edge: Some(edge), width: 2.0, share: 1.0, fill, ring: 7.0 }
}

/// Shapes without those that came before: stripes over stripes would be stronger.
fn once(shapes: &[Shape]) -> impl Iterator<Item = &Shape> {
    let is_new = |&at: &usize| !shapes[..at].contains(&shapes[at]);
    (0..shapes.len()).filter(is_new).map(|at| &shapes[at])
}

/// "sources: street, yard", or "12 sources".
fn named(kind: &str, names: &[String]) -> String {
    let list = names.join(", ");
    if names.len() > MAX_NAMES || list.chars().count() > MAX_LETTERS {
        return plural(names.len() as u64, kind);
    }
    let ending = if names.len() == 1 { "" } else { "s" };
    format!("{kind}{ending}: {list}")
}

#[cfg(test)]
mod tests {
    use super::{SINK, SOURCE, named};
    use crate::draw::colour::{ALIKE, apart, group_colour};
    use crate::draw::walls::Walls;
    use throng::scenario::{ScenarioDef, builtin};

    #[test]
    fn few_are_named_and_many_counted() {
        let names = |count: usize, name: &str| vec![name.to_owned(); count];
        assert_eq!(named("sink", &names(1, "gate")), "sink: gate");
        assert_eq!(named("source", &names(3, "gate")), "sources: gate, gate, gate");
        assert_eq!(named("source", &names(4, "gate")), "4 sources");
        assert_eq!(named("sink", &names(2, "a gate that has a long name")), "2 sinks");
        assert_eq!(named("sink", &names(1, &"long".repeat(16))), "1 sink");
    }

    #[test]
    fn no_group_looks_like_a_source_or_a_sink() {
        let of = |name: &str| {
            let def = ScenarioDef::parse(builtin(name).unwrap().text, name).unwrap();
            def.groups.iter().map(|group| group.color).collect::<Vec<_>>()
        };
        let groups = (0..40).map(group_colour).chain(of("foyer")).chain(of("stadium"));
        for colour in groups.chain(Walls::colours()) {
            let least = apart(colour, SOURCE).min(apart(colour, SINK));
            assert!(least > 2.0 * ALIKE, "{colour:02x?}: {least}");
        }
        assert!(apart(SOURCE, SINK) > 4.0 * ALIKE);
    }
}
