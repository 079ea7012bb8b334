//! A dump: all columns of a state in one file, for comparing two runs.
//!
//! Layout (little-endian): `THRDUMP1`, tick `u64`, number of columns `u32`; for each column its name
//! and unit (`u32` length, text), bytes a row `u32`, rows `u64`, the rows; at the end the CRC-32 of
//! all that went before.

use crate::data::bytes::Write;
use crate::lane::Numbers;
use crate::state::blobs;
use crate::world::World;

/// First bytes of a dump.
const MAGIC: &[u8; 8] = b"THRDUMP1";

/// The dump of a world.
pub fn dump<N: Numbers>(world: &World<N>) -> Vec<u8> {
    let (blobs, tables) = (blobs(world), world.agents.columns());
    let mut bytes = MAGIC.to_vec();
    bytes.u64(world.tick);
    bytes.u32((blobs.len() + tables.len()) as u32);
    let mut column = |name: &str, unit: &str, width: usize, rows: &[u8]| {
        bytes.run(name.as_bytes());
        bytes.run(unit.as_bytes());
        bytes.u32(width as u32);
        bytes.u64((rows.len() / width) as u64);
        bytes.extend_from_slice(rows);
    };
    for blob in &blobs {
        column(blob.name, blob.unit, 1, &blob.bytes);
    }
    for table in &tables {
        column(table.name, table.unit, table.width, table.bytes);
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.u32(checksum);
    bytes
}
