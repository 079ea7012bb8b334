//! Text in a font that is inside the program: Ubuntu Light, which has Latin, Greek and Cyrillic
//! letters.

use ab_glyph::{Font, FontRef, PxScale, PxScaleFont, ScaleFont};
use epaint_default_fonts::UBUNTU_LIGHT;
use image::RgbImage;

use crate::draw::canvas;
use crate::draw::colour::Rgb;

/// Of the size of a text, from its middle down to the line on which letters stand.
const BASELINE: f32 = 0.34;

/// The font.
pub(super) struct Lettering(FontRef<'static>);

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
        let font = FontRef::try_from_slice(UBUNTU_LIGHT);
        Self(font.expect("the font inside the program is one"))
    }

    /// The font at a size in pixels an em.
    fn scaled(&self, size: f32) -> PxScaleFont<&FontRef<'static>> {
        let em = self.0.units_per_em().expect("the font inside the program has a size");
        self.0.as_scaled(PxScale::from(size * self.0.height_unscaled() / em))
    }

    /// Length of a text in pixels.
    pub(super) fn length(&self, text: &str, size: f32) -> f32 {
        let font = self.scaled(size);
        text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum()
    }

    /// Draws a line of text with its middle line through a place.
    pub(super) fn draw(
        &self,
        image: &mut RgbImage,
        text: &str,
        place: [f32; 2],
        Style { size, before, upwards }: Style,
        colour: Rgb,
    ) {
        let font = self.scaled(size);
        let mut along = -before * self.length(text, size);
        let [x, y] = place.map(|part| part.round() as i32);
        for letter in text.chars() {
            let glyph = font.scaled_glyph(letter);
            let advance = font.h_advance(glyph.id);
            if let Some(shape) = font.outline_glyph(glyph) {
                let corner = shape.px_bounds().min;
                let left = (along.round() + corner.x) as i32;
                let top = ((size * BASELINE).round() + corner.y) as i32;
                shape.draw(|right, down, cover| {
                    let [right, down] = [left + right as i32, top + down as i32];
                    let [dx, dy] = if upwards { [down, -right] } else { [right, down] };
                    // Light strokes are drawn a little stronger.
                    let cover = cover.min(1.0);
                    canvas::blend(image, x + dx, y + dy, colour, cover * (1.5 - 0.5 * cover));
                });
            }
            along += advance;
        }
    }
}
