//! The files of films: animated GIF and animated PNG, frame by frame, in one palette.

use std::io;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use png::{BitDepth, BlendOp, ColorType, DisposeOp};

/// Kinds of files of films.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmKind {
    /// Animated GIF: every program shows it.
    #[default]
    Gif,
    /// Animated PNG: smaller, and frames last as long as they should.
    Png,
}

/// A rectangle of a frame that has changed, in entries of the palette.
pub(crate) struct Patch {
    pub(crate) at: [u32; 2],
    pub(crate) size: [u32; 2],
    pub(crate) pixels: Vec<u8>,
    /// Seconds of the film before this frame, and up to the next.
    pub(crate) time: [f64; 2],
}

/// A film's file under way.
pub(crate) enum FilmFile<W: Write> {
    Gif(gif::Encoder<W>),
    Png(Box<Apng<W>>),
}

impl<W: Write> FilmFile<W> {
    /// Starts a file; `palette` are 256 colours, of which the entry `clear` leaves what was there.
    pub(crate) fn start(
        kind: FilmKind,
        mut writer: W,
        size: [u32; 2],
        palette: &[u8],
        clear: u8,
    ) -> Result<Self, EncodingError> {
        match kind {
            FilmKind::Gif => {
                let [width, height] = size.map(|side| side as u16);
                let mut encoder = gif::Encoder::new(writer, width, height, palette)?;
                encoder.set_repeat(Repeat::Infinite)?;
                Ok(Self::Gif(encoder))
            }
            FilmKind::Png => {
                // A full disk is found at the start rather than at the end.
                writer.flush()?;
                Ok(Self::Png(Box::new(Apng::start(writer, size, palette, clear)?)))
            }
        }
    }

    /// Adds a frame.
    pub(crate) fn push(&mut self, patch: Patch, clear: u8) -> Result<(), EncodingError> {
        match self {
            Self::Gif(encoder) => {
                // Hundredths of a second, so that the film's length is right even if no frame's is.
                let [from, to] = patch.time.map(|time| (time * 100.0).round() as u32);
                let ([left, top], [width, height]) = (patch.at, patch.size);
                encoder.write_frame(&Frame {
                    delay: (to - from) as u16,
                    dispose: DisposalMethod::Keep,
                    transparent: Some(clear),
                    left: left as u16,
                    top: top as u16,
                    width: width as u16,
                    height: height as u16,
                    buffer: patch.pixels.into(),
                    ..Frame::default()
                })
            }
            Self::Png(apng) => apng.push(&patch),
        }
    }

    /// Ends the file and gives the writer back.
    pub(crate) fn finish(self) -> Result<W, EncodingError> {
        let mut writer = match self {
            Self::Gif(encoder) => encoder.into_inner()?,
            Self::Png(apng) => apng.finish()?,
        };
        writer.flush()?;
        Ok(writer)
    }
}

/// An animated PNG. How many frames it has stands at its beginning, so it is written at the end.
pub(crate) struct Apng<W> {
    writer: W,
    bytes: Shared,
    encoder: png::Writer<Shared>,
    frames: u32,
}

/// Bytes that an encoder writes and that can still be changed.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn refused(error: png::EncodingError) -> EncodingError {
    EncodingError::Io(match error {
        png::EncodingError::IoError(error) => error,
        error => io::Error::other(error.to_string()),
    })
}

impl<W: Write> Apng<W> {
    fn start(writer: W, size: [u32; 2], palette: &[u8], clear: u8) -> Result<Self, EncodingError> {
        let bytes = Shared::default();
        let mut encoder = png::Encoder::new(bytes.clone(), size[0], size[1]);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette.to_vec());
        let mut alpha = vec![255; usize::from(clear)];
        alpha.push(0);
        encoder.set_trns(alpha);
        encoder.set_animated(i32::MAX as u32, 0).map_err(refused)?;
        encoder.set_blend_op(BlendOp::Over).map_err(refused)?;
        encoder.set_dispose_op(DisposeOp::None).map_err(refused)?;
        let encoder = encoder.write_header().map_err(refused)?;
        Ok(Self { writer, bytes, encoder, frames: 0 })
    }

    fn push(&mut self, patch: &Patch) -> Result<(), EncodingError> {
        let ([left, top], [width, height]) = (patch.at, patch.size);
        // Thousandths of a second.
        let [from, to] = patch.time.map(|time| (time * 1000.0).round() as u32);
        let encoder = &mut self.encoder;
        encoder.reset_frame_position().map_err(refused)?;
        encoder.set_frame_dimension(width, height).map_err(refused)?;
        encoder.set_frame_position(left, top).map_err(refused)?;
        encoder.set_frame_delay((to - from) as u16, 1000).map_err(refused)?;
        encoder.write_image_data(&patch.pixels).map_err(refused)?;
        self.frames += 1;
        Ok(())
    }

    fn finish(self) -> Result<W, EncodingError> {
        let Self { mut writer, bytes, encoder, frames } = self;
        encoder.finish().map_err(refused)?;
        let mut bytes = bytes.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The chunk acTL: its name, the frames, how often they play, a checksum of all of these.
        let at = bytes.windows(4).position(|four| four == b"acTL");
        let at = at.expect("an animated file has the chunk that says so");
        bytes[at + 4..at + 8].copy_from_slice(&frames.to_be_bytes());
        let checksum = crc32fast::hash(&bytes[at..at + 12]);
        bytes[at + 12..at + 16].copy_from_slice(&checksum.to_be_bytes());
        writer.write_all(&bytes)?;
        Ok(writer)
    }
}
