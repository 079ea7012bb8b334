//! Areas on a picture: a tint or stripes on the open ground, and an outline.

use image::RgbImage;

use crate::draw::caption::{Entry, INK, Mark};
use crate::draw::ground::{Terrain, View};
use crate::draw::{canvas, colour};
use throng::map::area::Shape;

/// An area to mark on a picture.
#[derive(Clone, Debug)]
pub struct MarkedArea {
    /// Its shape, in metres.
    pub shape: Shape,
    /// The group's index in [`Crowd::colours`](throng::report::Crowd::colours).
    pub group: u16,
    /// What the area is for.
    pub kind: AreaKind,
}

/// What an area of a group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaKind {
    /// Agents appear here: a dashed outline.
    Start,
    /// Agents go here: a full outline.
    Goal,
}

/// Pixels of a dash and its gap.
const DASH: f32 = 12.0;

/// Widths of a stripe from one to the next.
const STRIPES: i32 = 6;

/// Longer side in pixels from which pictures have stripes of twice the size.
const LARGE: u32 = 1000;

/// The outline of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Full,
    Dashes,
}

/// How the open ground of an area is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// Faintly, all of it.
    Tint,
    /// In stripes that rise to the right.
    Rising,
    /// In stripes that fall to the right.
    Falling,
}

/// How an area looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) colour: colour::Rgb,
    /// `None` where the area has the outline of another one.
    pub(crate) edge: Option<Edge>,
    /// Width of the outline in pixels.
    pub(crate) width: f32,
    /// Share of the outline's colour.
    pub(crate) share: f32,
    pub(crate) fill: Fill,
    /// Radius in pixels of the ring around a point.
    pub(crate) ring: f32,
}

/// Tints and outlines areas in the colours of their groups.
pub(crate) fn draw(
    image: &mut RgbImage,
    view: &View,
    survey: &[(Terrain, colour::Rgb)],
    areas: &[MarkedArea],
    colours: &[colour::Rgb],
) {
    for area in areas {
        let colour = colours.get(area.group as usize).copied().unwrap_or([0x80; 3]);
        let (edge, width, share) = match area.kind {
            AreaKind::Start => (Some(Edge::Dashes), 1.6, 0.75),
            AreaKind::Goal => (Some(Edge::Full), 1.8, 0.9),
        };
        let style = Style { colour, edge, width, share, fill: Fill::Tint, ring: 7.0 };
        mark(image, view, survey, &area.shape, &style);
    }
}

/// Draws an area.
pub(crate) fn mark(
    image: &mut RgbImage,
    view: &View,
    survey: &[(Terrain, colour::Rgb)],
    shape: &Shape,
    style: &Style,
) {
    let corners = outline(view, shape);
    if let [centre] = corners[..] {
        canvas::ring(image, centre, style.ring, 1.8, style.colour, 0.9);
        return;
    }
    fill(image, view, survey, &corners, style);
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        match style.edge {
            Some(Edge::Full) => {
                canvas::line(image, from, to, style.width, style.colour, style.share)
            }
            Some(Edge::Dashes) => dashes(image, from, to, style),
            None => {}
        }
    }
}

/// Names what areas are for, in the legend.
pub(crate) fn name(areas: &[MarkedArea], legend: &mut Vec<Entry>) {
    for (kind, mark, text) in
        [(AreaKind::Start, Mark::Dashes, "start"), (AreaKind::Goal, Mark::Outline, "goal")]
    {
        if areas.iter().any(|area| area.kind == kind) {
            legend.push(Entry::marked(mark, INK, text));
        }
    }
}

/// The corners of a shape in pixels; one for a point.
fn outline(view: &View, shape: &Shape) -> Vec<[f32; 2]> {
    let place = |[x, y]: [f64; 2]| view.place([x as f32, y as f32]);
    match shape {
        Shape::Point { at } => vec![place(*at)],
        Shape::Rect { min, max } => {
            [*min, [max[0], min[1]], *max, [min[0], max[1]]].map(place).to_vec()
        }
        Shape::Disc { centre, radius } => {
            circle().iter().map(|d| place([0, 1].map(|i| centre[i] + radius * d[i]))).collect()
        }
        Shape::Polygon { corners } => corners.iter().map(|&corner| place(corner)).collect(),
    }
}

/// 64 points of the unit circle: a square's sides, halved and pushed out four times.
fn circle() -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = vec![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for _ in 0..4 {
        let next = points.iter().cycle().skip(1);
        points = points
            .iter()
            .zip(next)
            .flat_map(|(a, b)| {
                let middle = [a[0] + b[0], a[1] + b[1]];
                let length = (middle[0] * middle[0] + middle[1] * middle[1]).sqrt();
                [*a, [middle[0] / length, middle[1] / length]]
            })
            .collect();
    }
    points
}

/// Colours the open ground in a polygon, row by row.
fn fill(
    image: &mut RgbImage,
    view: &View,
    survey: &[(Terrain, colour::Rgb)],
    corners: &[[f32; 2]],
    style: &Style,
) {
    let stripe = if view.width.max(view.height) >= LARGE { 2 } else { 1 };
    let share = |x: i32, y: i32| {
        let along = match style.fill {
            Fill::Tint => return 0.15,
            Fill::Rising => x + y,
            Fill::Falling => x - y,
        };
        if along.rem_euclid(STRIPES * stripe) < stripe { colour::STRIPE } else { 0.0 }
    };
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    for y in 0..image.height() {
        let level = y as f32 + 0.5;
        let mut crossings: Vec<f32> = sides()
            .filter(|(a, b)| (a[1] <= level) != (b[1] <= level))
            .map(|(a, b)| a[0] + (b[0] - a[0]) * (level - a[1]) / (b[1] - a[1]))
            .collect();
        crossings.sort_by(f32::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let end = pair[1].clamp(0.0, image.width() as f32) as i32;
            let row = &survey[y as usize * image.width() as usize..];
            for x in pair[0].max(0.0) as i32..end {
                if row[x as usize].0 == Terrain::Open {
                    canvas::blend(image, x, y as i32, style.colour, share(x, y as i32));
                }
            }
        }
    }
}

/// A dashed line.
fn dashes(image: &mut RgbImage, from: [f32; 2], to: [f32; 2], style: &Style) {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    let count = (length / DASH).round().clamp(1.0, 1000.0);
    let at = |share: f32| [from[0] + way[0] * share, from[1] + way[1] * share];
    for dash in 0..count as u32 {
        let start = dash as f32 / count;
        let end = at(start + 0.55 / count);
        canvas::line(image, at(start), end, style.width, style.colour, style.share);
    }
}
