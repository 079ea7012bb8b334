//! Saving: the kept state becomes an image.

use std::borrow::Cow;

use crate::lane::{Numbers, built_here};
use crate::par;
use crate::state::image::{Entry, write_directory};
use crate::state::kept::{StateColumn, columns};
use crate::state::tree::{CHUNK_ROWS, chunk_digest};
use crate::world::World;

/// Chunks that one task copies.
const CHUNKS_PER_TASK: usize = 8;

/// A snapshot of a world.
pub fn save<N: Numbers>(world: &World<N>) -> Vec<u8> {
    let mut image = Vec::new();
    save_into(world, &mut image);
    image
}

/// A snapshot of a world in place of what the vector holds, whose memory is used again.
///
/// The rows are copied and digested in parallel, chunk by chunk. What it costs is little more than
/// a copy of the bytes.
pub fn save_into<N: Numbers>(world: &World<N>, image: &mut Vec<u8>) {
    built_here!(N; fn(world: &World<N>, image: &mut Vec<u8>) = write)(world, image);
}

fn write<N: Numbers>(world: &World<N>, image: &mut Vec<u8>) {
    let columns = columns(world);
    let lists: Vec<Vec<Cow<'_, [u8]>>> = columns.iter().map(StateColumn::lists).collect();
    let mut entries: Vec<Entry<'_>> = (columns.iter().zip(&lists))
        .map(|(column, lists)| {
            let rows = lists.iter().map(|list| (list.len() / column.width()) as u64).collect();
            let size = CHUNK_ROWS * column.width();
            let chunks = lists.iter().map(|list| list.len().div_ceil(size)).sum();
            let StateColumn { name, unit, words, .. } = *column;
            Entry { name, unit, words, rows, chunks: vec![0; chunks] }
        })
        .collect();
    // The digests in it have a fixed width, so its length is known before they are.
    let start = write_directory(world, &entries).len();
    let rows: usize = lists.iter().flatten().map(|list| list.len()).sum();
    image.resize(start + rows, 0);
    copy(&columns, &lists, &mut entries, &mut image[start..]);
    let directory = write_directory(world, &entries);
    image[..start].copy_from_slice(&directory);
}

/// Copies all rows and digests their chunks.
fn copy(
    columns: &[StateColumn<'_>],
    lists: &[Vec<Cow<'_, [u8]>>],
    entries: &mut [Entry<'_>],
    mut target: &mut [u8],
) {
    let mut tasks = Vec::new();
    for ((column, lists), entry) in columns.iter().zip(lists).zip(entries) {
        let size = CHUNK_ROWS * column.width();
        let mut digests = entry.chunks.iter_mut();
        for chunk in lists.iter().flat_map(|list| list.chunks(size)) {
            let (to, rest) = target.split_at_mut(chunk.len());
            target = rest;
            tasks.push((chunk, to, digests.next().expect("one digest a chunk")));
        }
    }
    par::chunks(tasks.len(), CHUNKS_PER_TASK, &mut tasks[..], &|_, _, tasks| {
        for (from, to, digest) in tasks {
            to.copy_from_slice(from);
            **digest = chunk_digest(to);
        }
    });
}
