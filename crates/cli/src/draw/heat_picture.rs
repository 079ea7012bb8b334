//! Heat maps: where a crowd was, as colours over its map, with a bar or classes that say what they mean.

use image::RgbImage;
use throng::map::Map;
use throng::report::heat::{Heat, HeatMeter};
use throng::report::measure::Service;

use crate::draw::caption::{Entry, Mark, number};
use crate::draw::colour::Rgb;
use crate::draw::ground::{Paint, View};
use crate::draw::{canvas, caption, colour, ground};

/// Wanted length of the longer side, pixels.
const LONG_SIDE: u32 = 1200;

const WALL: Rgb = [0x5b, 0x61, 0x6e];

/// The share of squares with values on the bar; larger values get the last colour.
const SHOWN: f64 = 0.995;

/// Colours of the levels of service A to F, as programs for pedestrians have them.
pub(crate) const LEVELS: [Rgb; 6] = [
    [0x3b, 0x6f, 0xd4],
    [0x52, 0xb8, 0xe0],
    [0x4c, 0xae, 0x4f],
    [0xf2, 0xd5, 0x3c],
    [0xf0, 0x8c, 0x2e],
    [0xd0, 0x2b, 0x2b],
];

/// Draws what a raster has collected over a map, in metres from `crop`'s left, top, right and bottom.
pub fn draw(
    map: &Map,
    heat: &HeatMeter,
    kind: Heat,
    title: &str,
    letters: &[(u8, Rgb)],
    crop: Option<[f64; 4]>,
) -> RgbImage {
    let mut values: Vec<f64> =
        heat.squares().iter().filter_map(|square| heat.value(square, kind)).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let shown = values.get((last as f64 * SHOWN).ceil() as usize).copied().unwrap_or(0.0);
    let (most, least) = (values.last().copied().unwrap_or(0.0), values.first().copied());
    // Times begin where the first was; all else at 0.
    let low = if kind == Heat::First { least.unwrap_or(0.0) } else { 0.0 };
    let span = if shown > low { shown - low } else { 1.0 };
    let (image, per_metre) = painted(map, heat, kind, letters, crop, |value| {
        colour::ramp(((value - low) / span) as f32)
    });
    let (mut whole, caption) = caption::below(image, title, ground_entries(), per_metre);
    let more = if most > shown { " and more" } else { "" };
    let unit = match kind {
        Heat::Density => " /m²",
        Heat::Speed => " m/s",
        Heat::First => " s",
        Heat::Usage => "",
    };
    let end = format!("{}{unit}{more}", number(rounded(shown)));
    caption.draw_ramp(&mut whole, &number(rounded(low)), &end);
    whole
}

/// Draws the level of service (Fruin 1971) of the mean density, square by square.
pub fn draw_service(
    map: &Map,
    heat: &HeatMeter,
    title: &str,
    letters: &[(u8, Rgb)],
    crop: Option<[f64; 4]>,
) -> RgbImage {
    let colour = |density| LEVELS[Service::level(density)];
    let (image, per_metre) = painted(map, heat, Heat::Density, letters, crop, colour);
    let limits = Service::LEVELS.map(|m2| format!("up to {:.2}", 1.0 / m2));
    let limits = limits.into_iter().chain(["more, persons/m²".to_owned()]);
    let levels = ('A'..).zip(LEVELS).zip(limits).map(|((letter, colour), limit)| {
        Entry::marked(Mark::Ground, colour, format!("{letter} {limit}"))
    });
    let entries = [levels.collect(), ground_entries()];
    caption::below_with(image, title, entries, per_metre).0
}

/// A map with its squares in the colours of their values, and pixels a metre.
fn painted(
    map: &Map,
    heat: &HeatMeter,
    kind: Heat,
    letters: &[(u8, Rgb)],
    crop: Option<[f64; 4]>,
    colour: impl Fn(f64) -> Rgb + Sync,
) -> (RgbImage, f32) {
    let view = View::near(map, LONG_SIDE, crop);
    let mut image = ground::draw(&ground::survey(map, &view, &Paint::new(letters)), &view);
    let [columns, rows] = heat.size();
    canvas::each_pixel(&mut image, [view.width, view.height], |x, y, _| {
        let (cell, _) = view.cells_at(map, x, y);
        if map.slowness()[map.index(cell[0], cell[1]) as usize] == 0 {
            return None;
        }
        let [x, y] =
            view.metres([x as f32 + 0.5, y as f32 + 0.5]).map(|at| f64::from(at) / heat.side());
        let (column, row) = ((x as u32).min(columns - 1), (y as u32).min(rows - 1));
        heat.value(&heat.squares()[(row * columns + column) as usize], kind).map(&colour)
    });
    (image, view.per_metre)
}

/// Entries of the legend for walls and empty squares.
fn ground_entries() -> Vec<Entry> {
    let named = [("wall", WALL), ("nobody", colour::PLAIN)];
    named.map(|(text, colour)| Entry::marked(Mark::Ground, colour, text)).into()
}

/// A number of three digits or more.
fn rounded(number: f64) -> f64 {
    match number {
        n if n >= 100.0 => n.round(),
        n if n >= 10.0 => (n * 10.0).round() / 10.0,
        n => (n * 100.0).round() / 100.0,
    }
}
