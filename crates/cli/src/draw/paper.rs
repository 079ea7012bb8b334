//! Paper for plots: a bitmap of `plotters`, and text on it in a font that is inside the program.

use epaint_default_fonts::UBUNTU_LIGHT;
use plotters::backend::BitMapBackend;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use swash::scale::{Render, ScaleContext, Source};
use swash::{FontRef, GlyphId};

/// Of the size of a text, in its height as a box: capitals and the room around them.
const BOX: f64 = 0.8;
/// Of the size of a text, from the top of its box down to the line on which letters stand.
const BASELINE: f64 = 0.72;
/// Of the size of a text, in an em.
const EM: f64 = 0.89;

/// A bitmap with text.
pub(super) struct Paper<'a> {
    bitmap: BitMapBackend<'a>,
    font: FontRef<'static>,
    shapes: ScaleContext,
}

type Drawn<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> Paper<'a> {
    /// Paper on a buffer of three bytes a pixel.
    pub(super) fn new(buffer: &'a mut [u8], [width, height]: [u32; 2]) -> Self {
        let font =
            FontRef::from_index(UBUNTU_LIGHT, 0).expect("the font inside the program is one");
        let bitmap = BitMapBackend::with_buffer(buffer, (width, height));
        Self { bitmap, font, shapes: ScaleContext::new() }
    }

    /// The glyphs of a text with their left edges, in pixels, and the width of all.
    fn lay_out(&self, text: &str, size: f64) -> (Vec<(GlyphId, f32)>, f32) {
        let metrics = self.font.glyph_metrics(&[]).scale((size * EM) as f32);
        let mut x = 0.0;
        let mut glyphs = Vec::new();
        for letter in text.chars() {
            let glyph = self.font.charmap().map(letter);
            glyphs.push((glyph, x));
            x += metrics.advance_width(glyph);
        }
        (glyphs, x)
    }
}

impl<'a> DrawingBackend for Paper<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.bitmap.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn<'a> {
        self.bitmap.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<'a> {
        self.bitmap.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Drawn<'a> {
        self.bitmap.draw_pixel(at, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn<'a> {
        self.bitmap.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        corner: BackendCoord,
        other: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        self.bitmap.draw_rect(corner, other, style, fill)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        let (_, width) = self.lay_out(text, style.size());
        Ok((width.ceil() as u32, (style.size() * BOX).ceil() as u32))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Drawn<'a> {
        let (width, height) = self.estimate_text_size(text, style)?;
        let (width, height) = (width as i32, height as i32);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -width,
            HPos::Center => -width / 2,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let baseline = top + (style.size() * BASELINE) as i32;
        let (glyphs, _) = self.lay_out(text, style.size());
        let (turn, colour) = (style.transform(), style.color());
        let mut scaler = self.shapes.builder(self.font).size((style.size() * EM) as f32).build();
        for (glyph, x) in glyphs {
            let Some(shape) = Render::new(&[Source::Outline]).render(&mut scaler, glyph) else {
                continue;
            };
            let place = shape.placement;
            let corner = [left + x.round() as i32 + place.left, baseline - place.top];
            let across = place.width.max(1) as usize;
            for (y, row) in (corner[1]..).zip(shape.data.chunks(across)) {
                for (x, &cover) in (corner[0]..).zip(row).filter(|(_, cover)| **cover > 0) {
                    let (dx, dy) = turn.transform(x, y);
                    let alpha = colour.alpha * f64::from(cover) / 255.0;
                    let colour = BackendColor { alpha, ..colour };
                    self.bitmap.draw_pixel((at.0 + dx, at.1 + dy), colour)?;
                }
            }
        }
        Ok(())
    }
}
