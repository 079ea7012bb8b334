//! Smooth shapes on a picture.

use std::ops::Range;

use image::RgbImage;
use rayon::prelude::*;

use crate::draw::colour::Rgb;
use crate::draw::{colour, font};

/// Mixes a share of a colour into a pixel; does nothing off the picture.
pub(crate) fn blend(image: &mut RgbImage, x: i32, y: i32, colour: Rgb, share: f32) {
    if x >= 0
        && y >= 0
        && share > 0.0
        && let Some(image::Rgb(pixel)) = image.get_pixel_mut_checked(x as u32, y as u32)
    {
        *pixel = colour::mix(*pixel, colour, share.min(1.0));
    }
}

/// Replaces pixels of the upper left part of a picture, in parallel: `f(x, y, colour)` gives the new
/// colour, `None` to keep the old one.
pub(crate) fn each_pixel(
    image: &mut RgbImage,
    [width, height]: [u32; 2],
    f: impl Fn(u32, u32, Rgb) -> Option<Rgb> + Sync,
) {
    let row_bytes = image.width() as usize * 3;
    let rows = image.par_chunks_mut(row_bytes).take(height as usize).enumerate();
    rows.for_each(|(y, row)| {
        for (x, pixel) in row.chunks_exact_mut(3).take(width as usize).enumerate() {
            if let Some(colour) = f(x as u32, y as u32, [pixel[0], pixel[1], pixel[2]]) {
                pixel.copy_from_slice(&colour);
            }
        }
    });
}

/// Pixels from one coordinate to another, cut to the picture: shapes may be far off the
/// picture.
fn span(from: f32, to: f32, size: u32) -> Range<i32> {
    let cut = |at: f32| at.clamp(0.0, size as f32) as i32;
    cut(from.floor())..cut(to.floor() + 1.0)
}

/// Calls `f(x, y, coverage)` for every pixel of a picture that a disc touches.
pub(crate) fn cover_disc(
    [width, height]: [u32; 2],
    [x, y]: [f32; 2],
    radius: f32,
    mut f: impl FnMut(i32, i32, f32),
) {
    let reach = radius + 0.5;
    for py in span(y - reach, y + reach, height) {
        for px in span(x - reach, x + reach, width) {
            let (dx, dy) = (px as f32 + 0.5 - x, py as f32 + 0.5 - y);
            let coverage = (reach - (dx * dx + dy * dy).sqrt()).min(1.0);
            if coverage > 0.0 {
                f(px, py, coverage);
            }
        }
    }
}

/// A filled disc.
pub(crate) fn disc(image: &mut RgbImage, at: [f32; 2], radius: f32, colour: Rgb, share: f32) {
    let size = image.dimensions().into();
    cover_disc(size, at, radius, |x, y, coverage| blend(image, x, y, colour, coverage * share));
}

/// A ring of a radius and a line width.
pub(crate) fn ring(
    image: &mut RgbImage,
    [x, y]: [f32; 2],
    radius: f32,
    width: f32,
    colour: Rgb,
    share: f32,
) {
    let size = image.dimensions().into();
    cover_disc(size, [x, y], radius + width / 2.0, |px, py, coverage| {
        let (dx, dy) = (px as f32 + 0.5 - x, py as f32 + 0.5 - y);
        let inner = (dx * dx + dy * dy).sqrt() - (radius - width / 2.0) + 0.5;
        blend(image, px, py, colour, coverage.min(inner) * share);
    });
}

/// A line with round ends.
pub(crate) fn line(
    image: &mut RgbImage,
    from: [f32; 2],
    to: [f32; 2],
    width: f32,
    colour: Rgb,
    share: f32,
) {
    let reach = width / 2.0 + 0.5;
    let (lx, ly) = (to[0] - from[0], to[1] - from[1]);
    let squared = (lx * lx + ly * ly).max(1e-6);
    let range = |a: f32, b: f32, size| span(a.min(b) - reach, a.max(b) + reach, size);
    for y in range(from[1], to[1], image.height()) {
        for x in range(from[0], to[0], image.width()) {
            let (px, py) = (x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]);
            let along = ((px * lx + py * ly) / squared).clamp(0.0, 1.0);
            let (dx, dy) = (px - along * lx, py - along * ly);
            let coverage = (reach - (dx * dx + dy * dy).sqrt()).min(1.0);
            blend(image, x, y, colour, coverage * share);
        }
    }
}

/// A line through points; with `dash` it is dashed: the length of a dash, and from one to the next.
pub(crate) fn path(
    image: &mut RgbImage,
    points: &[[f32; 2]],
    width: f32,
    colour: Rgb,
    dash: Option<[f32; 2]>,
) {
    let mut passed = 0.0;
    for pair in points.windows(2) {
        let way = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
        let [dash, step] = dash.unwrap_or([f32::INFINITY; 2]);
        let at =
            |along: f32| [0, 1].map(|i| pair[0][i] + way[i] * (along / length).clamp(0.0, 1.0));
        let dashes = (passed / step) as u32..=((passed + length) / step) as u32;
        for from in dashes.map(|dash| if dash == 0 { 0.0 } else { dash as f32 * step } - passed) {
            if length > 0.0 && from + dash > 0.0 {
                line(image, at(from), at(from + dash), width, colour, 1.0);
            }
        }
        passed += length;
    }
}

/// A filled triangle.
pub(crate) fn triangle(image: &mut RgbImage, corners: [[f32; 2]; 3], colour: Rgb) {
    let low = |axis: usize| corners.iter().map(|c| c[axis]).fold(f32::INFINITY, f32::min);
    let high = |axis: usize| corners.iter().map(|c| c[axis]).fold(f32::NEG_INFINITY, f32::max);
    let [a, b, c] = corners;
    let turn = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum();
    for y in span(low(1) - 1.0, high(1) + 1.0, image.height()) {
        for x in span(low(0) - 1.0, high(0) + 1.0, image.width()) {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            // The smallest distance inside the three sides.
            let inside = [(a, b), (b, c), (c, a)].map(|(p, q)| {
                let (ex, ey) = (q[0] - p[0], q[1] - p[1]);
                let length = (ex * ex + ey * ey).sqrt().max(1e-6);
                turn * (ex * (py - p[1]) - ey * (px - p[0])) / length
            });
            let least = inside.iter().copied().fold(f32::INFINITY, f32::min);
            blend(image, x, y, colour, (least + 0.5).min(1.0));
        }
    }
}

/// A filled rectangle from (x, y), in whole pixels.
pub(crate) fn fill(image: &mut RgbImage, at: [u32; 2], size: [u32; 2], colour: Rgb) {
    for y in at[1]..(at[1] + size[1]).min(image.height()) {
        for x in at[0]..(at[0] + size[0]).min(image.width()) {
            image.put_pixel(x, y, image::Rgb(colour));
        }
    }
}

/// One line of text from its upper left corner, 7 `scale` pixels high.
pub(crate) fn text(image: &mut RgbImage, at: [u32; 2], text: &str, scale: u32, colour: Rgb) {
    font::each_dot(text, |x, y| {
        fill(image, [at[0] + x * scale, at[1] + y * scale], [scale; 2], colour);
    });
}
