//! What a state is: its digest, column by column, and its dump.

mod dump;

pub use dump::dump;

use rayon::prelude::*;

use crate::data::bytes::Write;
use crate::lane::Numbers;
use crate::math::Digest;
use crate::math::digest_bytes;
use crate::world::World;
use crate::world::write_behaviours;
use crate::world::write_shapes;

/// Rows of a column that are digested together.
const CHUNK_ROWS: usize = 1_024;

/// The digest of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDigest {
    /// `table.column`.
    pub name: &'static str,
    /// 64 bits.
    pub digest: u64,
}

/// A column that is not a table's: its name and its bytes.
struct Blob {
    name: &'static str,
    unit: &'static str,
    bytes: Vec<u8>,
}

/// What the world holds beside the agents' columns, in a stated order.
fn blobs<N: Numbers>(world: &World<N>) -> Vec<Blob> {
    let blob = |name, unit, bytes| Blob { name, unit, bytes };
    let mut clock = Vec::new();
    clock.u64(world.tick);
    let (generation, free) = world.ids.parts();
    let words = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let (mut traits, mut members, mut goals, mut fields) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (group, row) in world.groups.iter().zip(&world.traits) {
        group.def.numbers().iter().for_each(|&number| traits.f64(number));
        members.u32(group.members);
        goals.u8(u8::from(group.goal.is_some()));
        if let Some(goal) = &group.goal {
            write_shapes(&goal.shapes, &mut goals);
            goal.target.iter().for_each(|number| goals.u32(number.bits()));
        }
        fields.u8(row.aim as u8);
        for field in [group.field, group.next_field] {
            fields.u64(field.map_or(u64::MAX, |id| id.word()));
        }
    }
    let mut places = Vec::new();
    for goal in world.groups.iter().filter_map(|group| group.goal.as_ref()) {
        places.u32(goal.taken);
        places.u8(u8::from(goal.fits));
        goal.entrance.iter().for_each(|number| places.u32(number.bits()));
        goal.places.as_flattened().iter().for_each(|number| places.u32(number.bits()));
    }
    let mut behaviours = Vec::new();
    world.groups.iter().for_each(|group| write_behaviours(&group.behaviours, &mut behaviours));
    let homes = world.home.as_flattened().iter().flat_map(|n| n.bits().to_le_bytes()).collect();
    let mut work = Vec::new();
    world.fields.digest_words(&mut work);
    work.iter().for_each(|&word| fields.u64(word));
    // Empty unless a group avoids crowds.
    fields.extend(world.crowding.kept().iter().flat_map(|cost| cost.to_le_bytes()));
    world.crowding.past().for_each(|bits| fields.u64(bits));
    let mut companies = Vec::new();
    for group in &world.groups {
        companies.u16(group.company.unwrap_or(u16::MAX));
        companies.u8(u8::from(group.marches));
    }
    world.companies.iter().for_each(|company| company.write(&mut companies));
    vec![
        blob("world.tick", "ticks", clock),
        blob("world.orders", "", world.ordered.to_le_bytes().to_vec()),
        blob("ids.generation", "", words(generation)),
        blob("ids.free", "", words(free)),
        blob("groups.traits", "", traits),
        blob("groups.behaviours", "", behaviours),
        blob("groups.members", "agents", members),
        blob("groups.goal", "m", goals),
        blob("groups.places", "m", places),
        blob("ids.place", "", words(&world.place_of)),
        blob("ids.home", "m", homes),
        blob("fields", "", fields),
        blob("companies", "", companies),
    ]
}

/// The names of all columns, in the order of [`columns`].
pub fn column_names<N: Numbers>(world: &World<N>) -> Vec<&'static str> {
    let agents = world.agents.columns();
    blobs(world).iter().map(|b| b.name).chain(agents.iter().map(|c| c.name)).collect()
}

/// The digest of every column of a world, in a stated order.
///
/// A column's digest is that of the digests of its chunks of 1,024 rows, which are made in parallel.
pub fn columns<N: Numbers>(world: &World<N>) -> Vec<ColumnDigest> {
    let mut digests: Vec<ColumnDigest> = blobs(world)
        .iter()
        .map(|b| ColumnDigest { name: b.name, digest: digest_bytes(0, &b.bytes) })
        .collect();
    for column in world.agents.columns() {
        let chunks: Vec<u64> = column
            .bytes
            .par_chunks(CHUNK_ROWS * column.width)
            .map(|chunk| digest_bytes(0, chunk))
            .collect();
        let mut all = Digest::new();
        all.word(column.bytes.len() as u64);
        chunks.iter().for_each(|&chunk| {
            all.word(chunk);
        });
        digests.push(ColumnDigest { name: column.name, digest: all.finish() });
    }
    digests
}

/// The digest of a world: equal for equal states, different for different ones.
pub fn digest<N: Numbers>(world: &World<N>) -> u64 {
    combine(&columns(world))
}

/// One digest of all columns.
pub fn combine(columns: &[ColumnDigest]) -> u64 {
    let mut all = Digest::new();
    for column in columns {
        all.bytes(column.name.as_bytes()).word(column.digest);
    }
    all.finish()
}

/// A number that changes with the layout of the state: names, units and widths of its columns.
pub fn layout_hash<N: Numbers>() -> u64 {
    let agents = crate::world::Agents::<N>::default();
    let mut all = Digest::new();
    all.bytes(N::NUMERIC.word().as_bytes());
    for column in agents.columns() {
        all.bytes(column.name.as_bytes()).bytes(column.unit.as_bytes()).word(column.width as u64);
    }
    all.finish()
}
