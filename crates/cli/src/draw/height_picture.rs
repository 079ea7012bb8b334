//! Heights as a grey picture that a scenario's `heights` reads.

use png::{BitDepth, ColorType, Encoder, EncodingError};

use throng::map::{Map, units};

/// Heights as a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightPicture {
    /// A PNG file of 16-bit grey, a pixel a cell.
    pub bytes: Vec<u8>,
    /// Heights of black and of white in metres.
    pub range: [f64; 2],
}

/// A map's heights as a picture; `None` for a flat map. Read with its range they are the same.
///
/// # Errors
/// When the pixels cannot be encoded.
pub fn encode(map: &Map) -> Result<Option<HeightPicture>, EncodingError> {
    if map.is_flat() {
        return Ok(None);
    }
    let rows = map.heights().chunks_exact(map.stride() as usize).skip(1);
    let rows = rows.take(map.height() as usize);
    let cells: Vec<i16> = rows.flat_map(|row| &row[1..=map.width() as usize]).copied().collect();
    let low = cells.iter().copied().min().unwrap_or(0);
    let high = cells.iter().copied().max().unwrap_or(0).max(low + 1);
    // At most 32,000 steps of 1/16 m, so shades are finer than heights.
    let span = u32::from(high.abs_diff(low));
    let shade = |height: i16| {
        let above = u32::from(height.abs_diff(low));
        ((above * 2 * 65_535 + span) / (2 * span)) as u16
    };
    let pixels: Vec<u8> = cells.iter().flat_map(|&cell| shade(cell).to_be_bytes()).collect();
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, map.width(), map.height());
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Sixteen);
    encoder.write_header()?.write_image_data(&pixels)?;
    let metres = |height: i16| f64::from(height) / f64::from(units(1.0));
    Ok(Some(HeightPicture { bytes, range: [metres(low), metres(high)] }))
}
