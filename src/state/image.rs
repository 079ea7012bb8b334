//! A snapshot's image: all kept state as bytes, with the digests that prove it whole.
//!
//! The image describes itself: names, units and words of its columns stand in it, so two images can
//! be compared without a world. `docs/formats.md` has it byte by byte.

use crate::data::Kind;
use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::number::plural;
use crate::lane::Numbers;
use crate::math::{Numeric, digest_bytes};
use crate::par;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::layout_hash;
use crate::state::tree::{CHUNK_ROWS, chunk_digest, column_digest, combine_named};
use crate::world::{Settings, World};

/// First bytes of an image.
const MAGIC: &[u8; 8] = b"THRSNAP\n";
/// Version of the format.
const FORMAT: u32 = 2;
/// Version of the engine: images of another one are refused.
const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// A snapshot as read: whole, but not yet compared with a world.
#[derive(Clone, Debug)]
pub struct Image<'a> {
    /// Number type.
    pub numeric: Numeric,
    /// Hash of the map.
    pub map_hash: u64,
    /// The digest of the state.
    pub digest: u64,
    /// The columns, in the order of the state.
    pub columns: Vec<ImageColumn<'a>>,
}

/// A column of an image.
#[derive(Clone, Debug)]
pub struct ImageColumn<'a> {
    /// `table.column`.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// Names and kinds of a row's words.
    pub words: Vec<(String, Kind)>,
    /// The rows of each of its lists, as little-endian bytes.
    pub lists: Vec<&'a [u8]>,
    /// Digests of the chunks, list after list.
    pub chunks: Vec<u64>,
}

impl ImageColumn<'_> {
    /// Bytes of a row.
    pub fn width(&self) -> usize {
        self.words.iter().map(|(_, kind)| kind.width()).sum()
    }

    /// The digest of the column.
    pub fn digest(&self) -> u64 {
        let width = self.width();
        let rows: Vec<u64> = self.lists.iter().map(|list| (list.len() / width) as u64).collect();
        column_digest(&rows, &self.chunks)
    }
}

/// What a directory says of a column: all but its rows.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) unit: &'a str,
    pub(super) words: &'a [crate::data::Word],
    /// Rows of every list.
    pub(super) rows: Vec<u64>,
    pub(super) chunks: Vec<u64>,
}

/// Writes all that stands before the rows.
pub(super) fn write_directory<N: Numbers>(world: &World<N>, entries: &[Entry<'_>]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.u32(FORMAT);
    bytes.run(ENGINE.as_bytes());
    bytes.u8(N::NUMERIC.code());
    bytes.u64(layout_hash::<N>());
    bytes.u64(world.ground.given_map.hash());
    let digests = entries.iter().map(|entry| {
        let table = entry.name.split('.').next().unwrap_or_default();
        (table, entry.name, column_digest(&entry.rows, &entry.chunks))
    });
    bytes.u64(combine_named(digests));
    bytes.u32(entries.len() as u32);
    for entry in entries {
        bytes.run(entry.name.as_bytes());
        bytes.run(entry.unit.as_bytes());
        bytes.u32(entry.words.len() as u32);
        for word in entry.words {
            bytes.run(word.label().as_bytes());
            bytes.u8(word.kind as u8);
        }
        bytes.u32(entry.rows.len() as u32);
        entry.rows.iter().for_each(|&rows| bytes.u64(rows));
        bytes.u32(entry.chunks.len() as u32);
        entry.chunks.iter().for_each(|&digest| bytes.u64(digest));
    }
    let seal = digest_bytes(0, &bytes);
    bytes.u64(seal);
    bytes
}

/// The columns of a directory, without their rows, and how many each of their lists has.
type Heads<'a> = Vec<(ImageColumn<'a>, Vec<u64>)>;

impl<'a> Image<'a> {
    /// Reads an image and checks every digest in it, in parallel.
    ///
    /// # Errors
    /// When it is no image, of another version of the engine, cut or garbled.
    pub fn read(bytes: &'a [u8]) -> Result<Self, SnapshotError> {
        let mut reader = Reader::new(bytes);
        let (mut image, heads) = Self::read_directory(&mut reader, bytes)?;
        for (mut column, rows) in heads {
            let width = column.width() as u64;
            for rows in rows {
                let most = reader.left() as u64;
                let size = rows.checked_mul(width).filter(|&size| size <= most);
                let size = size.ok_or_else(|| {
                    reader.error("rows", format!("{rows} rows of {width} bytes, {most} left"))
                })?;
                column.lists.push(reader.take("rows", size as usize)?);
            }
            image.columns.push(column);
        }
        if reader.left() > 0 {
            let left = reader.left();
            return Err(reader
                .error("end", format!("{} too many", plural(left as u64, "byte")))
                .into());
        }
        image.check()?;
        Ok(image)
    }

    /// How many bytes an image has that begins with these, which reach behind its directory.
    ///
    /// # Errors
    /// When they don't, or it is no image, of another version of the engine, or garbled.
    pub(crate) fn length(start: &[u8]) -> Result<u64, SnapshotError> {
        let mut reader = Reader::new(start);
        let (_, heads) = Image::read_directory(&mut reader, start)?;
        let rows = heads.iter().map(|(column, rows)| {
            let width = column.width() as u64;
            rows.iter().fold(0, |sum: u64, rows| sum.saturating_add(rows.saturating_mul(width)))
        });
        Ok(rows.fold(reader.at() as u64, u64::saturating_add))
    }

    /// All that stands before the rows, from the start of `bytes`.
    fn read_directory(
        reader: &mut Reader<'a>,
        bytes: &[u8],
    ) -> Result<(Self, Heads<'a>), SnapshotError> {
        if !bytes.starts_with(MAGIC) {
            return Err(SnapshotError::NotASnapshot);
        }
        reader.take("magic", MAGIC.len())?;
        expect("format", FORMAT, reader.u32("format")?)?;
        expect("engine version", ENGINE.to_owned(), reader.text("engine version")?)?;
        let code = reader.u8("numeric mode")?;
        let numeric = Numeric::from_code(code)
            .ok_or_else(|| reader.error("numeric mode", format!("there is no mode {code}")))?;
        let layout = match numeric {
            Numeric::F32 => layout_hash::<f32>(),
            Numeric::Fixed => layout_hash::<crate::math::Fx>(),
        };
        expect("state layout", layout, reader.u64("state layout")?)?;
        let map_hash = reader.u64("map hash")?;
        let digest = reader.u64("digest")?;
        let count = reader.count("columns", 20)?;
        let heads = (0..count).map(|_| read_head(reader)).collect::<Result<Vec<_>, _>>()?;
        let (sealed, seal) = (digest_bytes(0, &bytes[..reader.at()]), reader.u64("seal")?);
        check_digest(|| "the directory".to_owned(), sealed, seal)?;
        Ok((Self { numeric, map_hash, digest, columns: Vec::with_capacity(count) }, heads))
    }

    /// Compares every digest.
    fn check(&self) -> Result<(), SnapshotError> {
        for column in &self.columns {
            let size = CHUNK_ROWS * column.width();
            let chunks: Vec<&[u8]> =
                column.lists.iter().flat_map(|list| list.chunks(size)).collect();
            if chunks.len() != column.chunks.len() {
                let (found, expected) = (column.chunks.len(), chunks.len());
                let why = format!("{}: {found} digests for {expected} chunks", column.name);
                return Err(SnapshotError::Contradiction(why));
            }
            let digests = par::map(chunks.len(), 8, |chunk| chunk_digest(chunks[chunk]));
            for (chunk, (digest, &expected)) in digests.into_iter().zip(&column.chunks).enumerate()
            {
                check_digest(|| format!("{}, chunk {chunk}", column.name), digest, expected)?;
            }
        }
        check_digest(|| "the state".to_owned(), self.state_digest(), self.digest)
    }

    /// The digest of the state, from those of the columns.
    fn state_digest(&self) -> u64 {
        combine_named(self.columns.iter().map(|column| {
            let table = column.name.split('.').next().unwrap_or_default();
            (table, &column.name[..], column.digest())
        }))
    }

    /// The tick after which the state was saved.
    pub fn tick(&self) -> u64 {
        self.first_list("world.clock").u64("ticks").unwrap_or(0)
    }

    /// Settings of the world; `None` when the image has none.
    pub fn settings(&self) -> Option<Settings> {
        self.first_list("world.settings").value("settings").ok()
    }

    /// The lists of a column.
    pub(super) fn lists(&self, name: &str) -> Result<&[&'a [u8]], SnapshotError> {
        let found = self.columns.iter().find(|column| column.name == name);
        let found = found.ok_or_else(|| contradiction(format!("there is no column {name}")))?;
        Ok(&found.lists)
    }

    /// The first list of a column; nothing without one.
    fn first_list(&self, name: &str) -> Reader<'a> {
        let column = self.columns.iter().find(|column| column.name == name);
        let list = column.and_then(|column| column.lists.first().copied());
        Reader::new(list.unwrap_or_default())
    }
}

/// A column without its rows, and how many each of its lists has.
fn read_head<'a>(reader: &mut Reader<'_>) -> Result<(ImageColumn<'a>, Vec<u64>), BytesError> {
    let (name, unit) = (reader.text("name")?, reader.text("unit")?);
    let count = reader.count("words", 5)?;
    let word = |reader: &mut Reader<'_>| {
        let (name, code) = (reader.text("word")?, reader.u8("kind")?);
        let kind = Kind::ALL.get(usize::from(code)).copied();
        let kind = kind.ok_or_else(|| reader.error("kind", format!("there is no kind {code}")))?;
        Ok((name, kind))
    };
    let words = (0..count).map(|_| word(reader)).collect::<Result<Vec<_>, BytesError>>()?;
    if words.is_empty() {
        return Err(reader.error("words", "a row needs at least one"));
    }
    let count = reader.count("lists", 8)?;
    let rows = (0..count).map(|_| reader.u64("rows")).collect::<Result<_, _>>()?;
    let count = reader.count("chunks", 8)?;
    let chunks = (0..count).map(|_| reader.u64("digest")).collect::<Result<_, _>>()?;
    Ok((ImageColumn { name, unit, words, lists: Vec::new(), chunks }, rows))
}

fn check_digest(what: impl Fn() -> String, found: u64, expected: u64) -> Result<(), SnapshotError> {
    if found == expected {
        return Ok(());
    }
    Err(SnapshotError::Digest { what: what(), found, expected })
}

/// Refuses what differs.
pub(super) fn expect<T: PartialEq + ToString>(
    what: &'static str,
    expected: T,
    found: T,
) -> Result<(), SnapshotError> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(SnapshotError::Foreign { what, found, expected })
}
