//! Maps as pictures.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use png::{BitDepth, ColorType, Encoder};
use throng::map::{Colours, Legend, Map};

use super::mutate::{Part, Random};
use super::{Outcome, Target, map, meter, play};

/// The target.
pub const TARGET: Target = Target { name: "picture", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, for each cell, and for none.
const CAP: [usize; 3] = [64, 64, 1 << 20];
/// Most cells that a byte of a file unpacks to: 1,032 bytes of 8 pixels.
const UNPACKED: usize = 8_256;

/// Reads a picture; a small one is walked on.
pub fn run(bytes: &[u8]) -> Outcome {
    let mut colours = Colours::default();
    for (colour, letter) in [("#2050c0", 'W'), ("#40a040", 'S'), ("#00000000", 'T')] {
        colours.set(colour, letter).expect("a colour");
    }
    let side = |at: usize| {
        bytes
            .get(at..at + 4)
            .map_or(0, |side| side.iter().fold(0, |n, &b| (n << 8) | usize::from(b)))
    };
    let cells = side(16).saturating_mul(side(20)).min(UNPACKED * bytes.len());
    let cap = CAP[0] * bytes.len() + CAP[1] * cells + CAP[2];
    let read = || Map::parse_picture(bytes, &colours, &Legend::default(), 0.75);
    match meter::within("a picture", |_| cap, read) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Outcome::Refused
        }
        Ok(map) if !play::is_small(&map) => Outcome::Read,
        Ok(map) => {
            map::walk(map);
            Outcome::Played
        }
    }
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let picture = |colours, depth, palette: &[u8], pixels: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 8, 4);
        encoder.set_color(colours);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(pixels).expect("pixels");
        writer.finish().expect("an end");
        bytes
    };
    let pixels = |kinds: &[[u8; 4]], channels: usize| -> Vec<u8> {
        (0..32).flat_map(|i| kinds[i * 5 % 7 % kinds.len()][..channels].to_vec()).collect()
    };
    let kinds =
        [[255; 4], [0x20, 0x50, 0xc0, 255], [0, 0, 0, 255], [0x40, 0xa0, 0x40, 255], [0; 4]];
    vec![
        ("bits", picture(ColorType::Grayscale, BitDepth::One, &[], &[0xff, 0x99, 0xbd, 0xff])),
        (
            "grey",
            picture(ColorType::Grayscale, BitDepth::Eight, &[], &pixels(&[[255; 4], [9; 4]], 1)),
        ),
        (
            "palette",
            picture(
                ColorType::Indexed,
                BitDepth::Four,
                &[255, 255, 255, 0x20, 0x50, 0xc0],
                &[1; 16],
            ),
        ),
        ("colours", picture(ColorType::Rgb, BitDepth::Eight, &[], &pixels(&kinds[..4], 3))),
        ("alpha", picture(ColorType::Rgba, BitDepth::Eight, &[], &pixels(&kinds, 4))),
    ]
}

/// A chunk: its name and what it holds.
type Chunk = ([u8; 4], Vec<u8>);

/// The chunks of a file, as far as they go.
fn chunks(bytes: &[u8]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut rest = bytes.get(8..).unwrap_or(&[]);
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, name @ ..] = *head;
        let length = (u32::from_be_bytes([a, b, c, d]) as usize).min(body.len());
        chunks.push((name, body[..length].to_vec()));
        rest = body.get(length + 4..).unwrap_or(&[]);
    }
    chunks
}

/// Changes one chunk, of pixels what they unpack to, and mends lengths and checksums; or any bytes.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut chunks = chunks(bytes);
    if chunks.is_empty() || random.below(6) == 0 {
        let mut changed = bytes.to_vec();
        part(&mut changed, random);
        return changed;
    }
    let at = random.below(chunks.len());
    let (name, body) = &mut chunks[at];
    if name == b"IDAT" && random.below(3) > 0 {
        let mut pixels = Vec::new();
        // Pixels before an error are changed.
        let _ = ZlibDecoder::new(&body[..]).take(1 << 16).read_to_end(&mut pixels);
        part(&mut pixels, random);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&pixels).expect("memory can be written to");
        *body = encoder.finish().expect("memory can be written to");
    } else {
        part(body, random);
    }
    let mut new = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, body) in chunks {
        new.extend((body.len() as u32).to_be_bytes());
        let start = new.len();
        new.extend(name);
        new.extend(body);
        let sum = crc32fast::hash(&new[start..]);
        new.extend(sum.to_be_bytes());
    }
    new
}
