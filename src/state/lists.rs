//! The lists of an image, read.

use crate::data::bytes::{BytesError, Reader};
use crate::lane::Numbers;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::image::{Image, ImageColumn};

/// Reads all rows of a list by a function, and no byte more.
pub(super) fn rows<T>(
    bytes: &[u8],
    mut read: impl FnMut(&mut Reader<'_>) -> Result<T, BytesError>,
) -> Result<Vec<T>, BytesError> {
    let mut reader = Reader::new(bytes);
    let mut rows = Vec::new();
    while reader.left() > 0 {
        rows.push(read(&mut reader)?);
    }
    Ok(rows)
}

/// Reads a list that is one item.
pub(super) fn item<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, BytesError>,
) -> Result<T, BytesError> {
    let mut reader = Reader::new(bytes);
    let item = read(&mut reader)?;
    match reader.left() {
        0 => Ok(item),
        left => Err(reader.error("end", format!("{left} bytes too many"))),
    }
}

/// The columns of an image whose layout is this program's, by their names.
pub(super) struct Columns<'a, 'b>(pub(super) &'b Image<'a>);

impl<'a, 'b> Columns<'a, 'b> {
    fn column(&self, name: &str) -> Result<&'b ImageColumn<'a>, SnapshotError> {
        let found = self.0.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| contradiction(format!("there is no column {name}")))
    }

    /// The rows of a column of one list.
    pub(super) fn list(&self, name: &str) -> Result<&'a [u8], SnapshotError> {
        match self.column(name)?.lists[..] {
            [list] => Ok(list),
            ref lists => Err(contradiction(format!("{name} has {} lists, not one", lists.len()))),
        }
    }

    /// The lists of a column, one for each of `owners`.
    pub(super) fn lists(&self, name: &str, owners: usize) -> Result<&'b [&'a [u8]], SnapshotError> {
        let lists = &self.column(name)?.lists;
        if lists.len() == owners {
            return Ok(lists);
        }
        Err(contradiction(format!("{name} has {} lists, not {owners}", lists.len())))
    }
}

/// Numbers of 4 bytes.
pub(super) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Whether all numbers lie between the two; NaN does not.
pub(super) fn all_within<N: Numbers>(bytes: &[u8], [least, most]: [N; 2]) -> bool {
    let is_wrong = |bytes: &[u8]| {
        let bits = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let number = N::from_bits(bits);
        u32::from(!(least <= number && number <= most))
    };
    // A sum without a way out early is done in lanes.
    bytes.chunks_exact(4).map(is_wrong).sum::<u32>() == 0
}
