//! Text in a font that is inside the program: Ubuntu Light, which has Latin, Greek and Cyrillic
//! letters.

use epaint_default_fonts::UBUNTU_LIGHT;
use image::RgbImage;
use swash::FontRef;
use swash::scale::{Render, ScaleContext, Source};

use crate::draw::canvas;
use crate::draw::colour::Rgb;

/// Of the size of a text, from its middle down to the line on which letters stand.
const BASELINE: f32 = 0.34;

/// The font, with the memory that shapes its letters.
pub(super) struct Lettering {
    font: FontRef<'static>,
    shapes: ScaleContext,
}

/// How a text lies: its size in pixels an em, the share of its length that is before its place, and
/// whether it runs from bottom to top.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) before: f32,
    pub(super) upwards: bool,
}

impl Lettering {
    pub(super) fn new() -> Self {
        let font = FontRef::from_index(UBUNTU_LIGHT, 0);
        let font = font.expect("the font inside the program is one");
        Self { font, shapes: ScaleContext::new() }
    }

    /// Length of a text in pixels.
    pub(super) fn length(&self, text: &str, size: f32) -> f32 {
        let metrics = self.font.glyph_metrics(&[]).scale(size);
        text.chars().map(|letter| metrics.advance_width(self.font.charmap().map(letter))).sum()
    }

    /// Draws a line of text with its middle line through a place.
    pub(super) fn draw(
        &mut self,
        image: &mut RgbImage,
        text: &str,
        place: [f32; 2],
        Style { size, before, upwards }: Style,
        colour: Rgb,
    ) {
        let mut along = -before * self.length(text, size);
        let metrics = self.font.glyph_metrics(&[]).scale(size);
        let [x, y] = place.map(|part| part.round() as i32);
        let mut scaler = self.shapes.builder(self.font).size(size).build();
        for letter in text.chars() {
            let glyph = self.font.charmap().map(letter);
            if let Some(shape) = Render::new(&[Source::Outline]).render(&mut scaler, glyph) {
                let corner = [
                    along.round() as i32 + shape.placement.left,
                    (size * BASELINE).round() as i32 - shape.placement.top,
                ];
                let rows = shape.data.chunks(shape.placement.width.max(1) as usize);
                for (down, row) in (corner[1]..).zip(rows) {
                    for (right, &cover) in (corner[0]..).zip(row) {
                        let [dx, dy] = if upwards { [down, -right] } else { [right, down] };
                        // Light strokes are drawn a little stronger.
                        let cover = f32::from(cover) / 255.0;
                        canvas::blend(image, x + dx, y + dy, colour, cover * (1.5 - 0.5 * cover));
                    }
                }
            }
            along += metrics.advance_width(glyph);
        }
    }
}
