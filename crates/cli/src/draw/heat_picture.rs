//! Heat maps: where a crowd was, as colours over its map, with a bar that says what they mean.

use image::RgbImage;
use throng::map::Map;
use throng::report::heat::{Heat, HeatMeter};

use crate::draw::caption::{Entry, Mark, number};
use crate::draw::colour::Rgb;
use crate::draw::ground::{Paint, View};
use crate::draw::{canvas, caption, colour, ground};

/// Wanted length of the longer side, pixels.
const LONG_SIDE: u32 = 1200;

const WALL: Rgb = [0x5b, 0x61, 0x6e];

/// The share of squares whose values the bar has; those beyond have the last colour.
const SHOWN: f64 = 0.995;

/// Draws what a raster has collected over a map, in metres from `crop`'s left, top, right and bottom.
pub fn draw(
    map: &Map,
    heat: &HeatMeter,
    kind: Heat,
    title: &str,
    letters: &[(u8, Rgb)],
    crop: Option<[f64; 4]>,
) -> RgbImage {
    let view = View::near(map, LONG_SIDE, crop);
    let mut image = ground::draw(&ground::survey(map, &view, &Paint::new(letters)), &view);
    let mut values: Vec<f64> =
        heat.squares().iter().filter_map(|square| heat.value(square, kind)).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let shown = values.get((last as f64 * SHOWN).ceil() as usize).copied().unwrap_or(0.0);
    let (most, least) = (values.last().copied().unwrap_or(0.0), values.first().copied());
    // Times begin where the first was; all else at 0.
    let low = if kind == Heat::First { least.unwrap_or(0.0) } else { 0.0 };
    let span = if shown > low { shown - low } else { 1.0 };
    let [columns, rows] = heat.size();
    canvas::each_pixel(&mut image, [view.width, view.height], |x, y, _| {
        let (cell, _) = view.cells_at(map, x, y);
        if map.slowness()[map.index(cell[0], cell[1]) as usize] == 0 {
            return None;
        }
        let [x, y] =
            view.metres([x as f32 + 0.5, y as f32 + 0.5]).map(|at| f64::from(at) / heat.side());
        let (column, row) = ((x as u32).min(columns - 1), (y as u32).min(rows - 1));
        let value = heat.value(&heat.squares()[(row * columns + column) as usize], kind)?;
        Some(colour::ramp(((value - low) / span) as f32))
    });
    let named = [("wall", WALL), ("nobody", colour::PLAIN)];
    let entries = named.map(|(text, colour)| Entry::marked(Mark::Ground, colour, text));
    let (mut whole, caption) = caption::below(image, title, entries.into(), view.per_metre);
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

/// A number of three digits or more.
fn rounded(number: f64) -> f64 {
    match number {
        n if n >= 100.0 => n.round(),
        n if n >= 10.0 => (n * 10.0).round() / 10.0,
        n => (n * 100.0).round() / 100.0,
    }
}
