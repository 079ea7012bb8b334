//! States packed into a fourth of their size or less, without loss.
//!
//! An image is cut into blocks of rows. A block that is the same as it was in the state packed before
//! is kept once. The bytes of the others are sorted by their place in a row, so that bytes that hardly
//! differ from row to row (signs, exponents, upper bytes of indices) stand together, and packed by LZ4,
//! which is quick both ways. Blocks do not need each other, so that all threads work on them.
//!
//! Tried and lost: differences to the state before, as numbers or bits. Positions and velocities take
//! more room then, as their low bits are new in each tick.

use std::sync::Arc;

use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};
use rayon::prelude::*;
use throng::math::digest_bytes;
use throng::state::Image;

/// Rows of a block of rows of 8 bytes; blocks of others have as many bytes.
const BLOCK: usize = 1 << 16;

/// Some rows of an image.
#[derive(Clone)]
struct Block {
    /// Bytes in the image.
    size: usize,
    /// Bytes of a row.
    width: usize,
    digest: u64,
    /// As many bytes as in the image where packing gains nothing.
    bytes: Arc<[u8]>,
}

/// A state as it is kept.
pub(super) struct Packed {
    blocks: Vec<Block>,
}

/// Packs one state after another, and counts the bytes of the states that are kept.
#[derive(Default)]
pub(super) struct Packer {
    /// The state that was packed last.
    last: Vec<Block>,
    /// Bytes of all blocks of states that are kept, and of the last one; what several share counts once.
    bytes: usize,
}

impl Packer {
    /// Packs an image.
    ///
    /// # Panics
    /// When it is none.
    pub(super) fn pack(&mut self, image: &[u8]) -> Packed {
        let read = Image::read(image).expect("a state that was just saved");
        let columns = read.columns.iter();
        let lists: Vec<(&[u8], usize)> = columns
            .flat_map(|column| column.lists.iter().map(|list| (*list, column.width())))
            .collect();
        let rows: usize = lists.iter().map(|(list, _)| list.len()).sum();
        let directory = &image[..image.len() - rows];
        self.pack_lists([(directory, 1)].into_iter().chain(lists))
    }

    /// Packs lists of rows of some bytes each, one after another.
    fn pack_lists<'a>(&mut self, lists: impl Iterator<Item = (&'a [u8], usize)>) -> Packed {
        let blocks = lists.flat_map(|(list, width)| {
            list.chunks((BLOCK / width).max(1) * width).map(move |block| (block, width))
        });
        let blocks: Vec<_> = blocks.enumerate().collect();
        let last = &self.last;
        let pack = |scratch: &mut [Vec<u8>; 2], (at, (rows, width)): (usize, (&[u8], usize))| {
            let (size, digest) = (rows.len(), digest_bytes(0, rows));
            let is_same = |was: &&Block| (was.size, was.width, was.digest) == (size, width, digest);
            if let Some(was) = last.get(at).filter(is_same) {
                return was.clone();
            }
            let [sorted, packed] = scratch;
            sorted.resize(size, 0);
            sort(rows, width, sorted);
            packed.resize(get_maximum_output_size(size), 0);
            let length = compress_into(sorted, packed).expect("there is room for all");
            let bytes = if length < size { &packed[..length] } else { &sorted[..] };
            Block { size, width, digest, bytes: bytes.into() }
        };
        let blocks: Vec<Block> = blocks.into_par_iter().map_init(Default::default, pack).collect();
        let is_new = |(at, block): &(usize, &Block)| {
            self.last.get(*at).is_none_or(|was| !Arc::ptr_eq(&was.bytes, &block.bytes))
        };
        let new = blocks.iter().enumerate().filter(is_new);
        self.bytes += new.map(|(_, block)| block.bytes.len()).sum::<usize>();
        self.bytes += blocks.len() * size_of::<Block>();
        let last = std::mem::replace(&mut self.last, blocks.clone());
        self.bytes -= last.iter().map(Block::alone).sum::<usize>();
        Packed { blocks }
    }

    /// Drops a state that was packed here.
    pub(super) fn discard(&mut self, packed: Packed) {
        self.bytes -= packed.alone();
        drop(packed);
    }

    /// Bytes of all states that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Block {
    /// Bytes that are free once this is gone.
    fn alone(&self) -> usize {
        if Arc::strong_count(&self.bytes) == 1 { self.bytes.len() } else { 0 }
    }
}

impl Packed {
    /// The image, in place of what the vector holds.
    pub(super) fn unpack(&self, image: &mut Vec<u8>) {
        let size = self.blocks.iter().map(|block| block.size).sum();
        image.resize(size, 0);
        let mut rest = &mut image[..];
        let parts: Vec<(&Block, &mut [u8])> = self
            .blocks
            .iter()
            .map(|block| (block, rest.split_off_mut(..block.size).expect("its part")))
            .collect();
        parts.into_par_iter().for_each_init(Vec::new, |sorted: &mut Vec<u8>, (block, rows)| {
            if block.bytes.len() == block.size {
                unsort(&block.bytes, block.width, rows);
                return;
            }
            sorted.resize(block.size, 0);
            let length =
                decompress_into(&block.bytes, sorted).expect("a block that was packed here");
            assert_eq!(length, block.size, "a block has its size");
            unsort(sorted, block.width, rows);
        });
    }

    /// Bytes of all its blocks.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.len() + size_of::<Block>()).sum()
    }

    /// Bytes that are free once this is gone.
    fn alone(&self) -> usize {
        let blocks = self.blocks.iter().map(Block::alone).sum::<usize>();
        blocks + self.blocks.len() * size_of::<Block>()
    }
}

/// Sorts the bytes of rows by their place in a row.
fn sort(rows: &[u8], width: usize, sorted: &mut [u8]) {
    match width {
        1 => sorted.copy_from_slice(rows),
        4 => sort_by::<4>(rows, sorted),
        8 => sort_by::<8>(rows, sorted),
        _ => {
            let count = rows.len() / width;
            for (place, sorted) in sorted.chunks_exact_mut(count.max(1)).enumerate() {
                let bytes = rows.iter().skip(place).step_by(width);
                sorted.iter_mut().zip(bytes).for_each(|(sorted, byte)| *sorted = *byte);
            }
        }
    }
}

fn sort_by<const WIDTH: usize>(rows: &[u8], sorted: &mut [u8]) {
    let rows = rows.as_chunks::<WIDTH>().0;
    for (place, sorted) in sorted.chunks_exact_mut(rows.len().max(1)).enumerate() {
        sorted.iter_mut().zip(rows).for_each(|(sorted, row)| *sorted = row[place]);
    }
}

/// Undoes `sort`.
fn unsort(sorted: &[u8], width: usize, rows: &mut [u8]) {
    match width {
        1 => rows.copy_from_slice(sorted),
        4 => unsort_by::<4>(sorted, rows),
        8 => unsort_by::<8>(sorted, rows),
        _ => {
            let count = rows.len() / width;
            for (place, sorted) in sorted.chunks_exact(count.max(1)).enumerate() {
                let bytes = rows.iter_mut().skip(place).step_by(width);
                bytes.zip(sorted).for_each(|(byte, sorted)| *byte = *sorted);
            }
        }
    }
}

fn unsort_by<const WIDTH: usize>(sorted: &[u8], rows: &mut [u8]) {
    let rows = rows.as_chunks_mut::<WIDTH>().0;
    let count = rows.len();
    for (at, row) in rows.iter_mut().enumerate() {
        *row = std::array::from_fn(|place| sorted[place * count + at]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use throng::scenario::{Plan, ScenarioDef, builtin};
    use throng::state;
    use throng::tick::{Scratch, tick};
    use throng::world::World;

    /// Bytes of the states that are held, counted block by block.
    fn held(packer: &Packer, kept: &[Packed]) -> usize {
        let lists = kept.iter().map(|packed| &packed.blocks).chain([&packer.last]);
        let blocks: BTreeMap<_, _> =
            lists.flatten().map(|block| (block.bytes.as_ptr(), block.bytes.len())).collect();
        let count: usize = kept.iter().map(|packed| packed.blocks.len()).sum();
        blocks.values().sum::<usize>() + count * size_of::<Block>()
    }

    #[test]
    fn states_come_back_bit_by_bit_and_are_counted() {
        let def = ScenarioDef::parse(builtin("small").unwrap().text, "small.toml").unwrap();
        let map = def.load_map(&|_| panic!("no file")).unwrap();
        let plan = Plan::new(&def, map).unwrap();
        let mut world = World::<f32>::new(plan.map.clone(), plan.settings).unwrap();
        let mut scratch = Scratch::new();
        let (mut packer, mut kept, mut seen) = (Packer::default(), Vec::new(), Vec::new());
        for at in 0..120 {
            let orders: Vec<_> = plan.orders_at(at).cloned().collect();
            tick(&mut world, &orders, &mut scratch);
            if at % 10 == 0 {
                let image = state::save(&world);
                kept.push(packer.pack(&image));
                seen.push((image, state::digest(&world)));
                assert_eq!(packer.bytes(), held(&packer, &kept), "after {at} ticks");
            }
        }
        let mut found = vec![1; 7];
        for (packed, (image, digest)) in kept.iter().zip(&seen).rev() {
            packed.unpack(&mut found);
            assert!(found == *image, "other bytes");
            state::restore(&mut world, &found).unwrap();
            assert_eq!(state::digest(&world), *digest);
        }
        let whole: usize = seen.iter().map(|(image, _)| image.len()).sum();
        assert!(packer.bytes() < whole / 2, "{} of {whole}", packer.bytes());
        // Dropped in any order, the rest is still right, and what is shared counts until the last one.
        for gone in [3, 0, 0, 8, 7, 6, 0, 1] {
            packer.discard(kept.remove(gone));
            seen.remove(gone);
            assert_eq!(packer.bytes(), held(&packer, &kept));
            for (packed, (image, _)) in kept.iter().zip(&seen) {
                packed.unpack(&mut found);
                assert!(found == *image);
            }
        }
        // A bit that is not as it was does not become a state.
        let block = kept[0].blocks.iter_mut().max_by_key(|block| block.bytes.len()).unwrap();
        let mut bytes = block.bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        block.bytes = bytes.into();
        let is_refused = std::panic::catch_unwind(|| {
            let mut found = Vec::new();
            kept[0].unpack(&mut found);
            Image::read(&found).is_err()
        });
        assert!(is_refused.unwrap_or(true), "a state with another bit");
    }

    proptest! {
        #[test]
        fn lists_of_any_rows_come_back(
            lists in prop::collection::vec((1_usize..30, 0_usize..6_000, 1_u32..256, any::<u32>()), 1..5),
            changed in any::<prop::sample::Index>(),
        ) {
            // Bytes that repeat, or hardly do.
            let list = |(width, rows, values, seed): &(usize, usize, u32, u32)| {
                let mut state = *seed;
                let mut next = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((state >> 16) % values) as u8
                };
                ((0..width * rows).map(|_| next()).collect::<Vec<u8>>(), *width)
            };
            let mut lists: Vec<_> = lists.iter().map(list).collect();
            let mut packer = Packer::default();
            let mut found = Vec::new();
            for _ in 0..2 {
                let packed = packer.pack_lists(lists.iter().map(|(list, width)| (&list[..], *width)));
                packed.unpack(&mut found);
                prop_assert!(found == lists.iter().flat_map(|(list, _)| list.clone()).collect::<Vec<u8>>());
                packer.discard(packed);
                let list = &mut lists[0].0;
                if !list.is_empty() {
                    let at = changed.index(list.len());
                    list[at] ^= 1;
                }
            }
        }
    }
}
