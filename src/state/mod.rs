//! What a state is: its digests, its snapshots, and how two of them differ.
//!
//! One list of columns serves them all, so what is in the digest is in a snapshot, and the other
//! way around. `docs/formats.md` has the columns and the bytes.
//!
//! ```
//! use throng::{GroupDef, Legend, Map, Settings, World, state};
//!
//! let map = Map::from_rows(&["....", "...."], &Legend::default(), 1.0)?;
//! let mut world = World::<f32>::new(map, Settings::default())?;
//! let group = world.add_group(GroupDef::default())?;
//! world.spawn(group, &[[1.5, 1.0]])?;
//!
//! let (digest, image) = (state::digest(&world), state::save(&world));
//! world.spawn(group, &[[2.5, 1.0]])?;
//! assert_ne!(state::digest(&world), digest);
//! state::restore(&mut world, &image)?;
//! assert_eq!(state::digest(&world), digest);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod difference;
mod error;
mod flight;
mod image;
mod kept;
mod map;
mod minds;
mod parts;
mod restore;
mod rows;
mod save;
mod strategies;
mod structures;
mod traffic;
mod tree;
mod validate;
mod ways;

pub use difference::{ColumnDifference, Finding, differences};
pub use error::SnapshotError;
pub use image::{Image, ImageColumn};
pub use restore::{plant, restore, validate};
pub use save::{save, save_into};
pub use tree::{
    Branch, CHUNK_ROWS, ColumnDigest, Place, QUICK_TICKS, RowDigests, Tree, combine, quick_digest,
};

use crate::lane::{Numbers, built_here};
use crate::map::Map;
use crate::math::Digest;
use crate::world::{Settings, World};
use std::sync::OnceLock;

/// The names of all columns, in the order of [`columns`].
pub fn column_names<N: Numbers>(world: &World<N>) -> Vec<&'static str> {
    built_here!(N; fn(world: &World<N>) -> Vec<&'static str> = names)(world)
}

fn names<N: Numbers>(world: &World<N>) -> Vec<&'static str> {
    kept::columns(world).iter().map(|column| column.name).collect()
}

/// The digest of every column of a world, in a stated order.
pub fn columns<N: Numbers>(world: &World<N>) -> Vec<ColumnDigest> {
    Tree::of(world).column_digests()
}

/// The digest of a world: equal for equal states, different for different ones.
pub fn digest<N: Numbers>(world: &World<N>) -> u64 {
    Tree::of(world).digest()
}

/// A number that changes with the layout of the state: names, units and words of its columns. It is worked
/// out once in a process for each numeric mode.
pub fn layout_hash<N: Numbers>() -> u64 {
    static HASHES: [OnceLock<u64>; 2] = [const { OnceLock::new() }; 2];
    *HASHES[usize::from(N::NUMERIC.code())].get_or_init(|| {
        let map = Map::from_slowness(1, 1, 1.0, &[16]);
        let world = World::<N>::new(map, Settings::default()).expect("a cell is map enough");
        let mut all = Digest::new();
        all.bytes(N::NUMERIC.word().as_bytes());
        for column in kept::columns(&world) {
            all.bytes(column.name.as_bytes()).bytes(column.unit.as_bytes());
            for word in column.words {
                all.bytes(word.label().as_bytes()).word(word.kind as u64);
            }
        }
        all.finish()
    })
}
