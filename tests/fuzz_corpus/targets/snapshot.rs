//! Snapshots: as they are, and with their digests set right so that what lies behind is tried.

use std::sync::OnceLock;

use throng::data::Kind;
use throng::data::bytes::{BytesError, Reader, Write};
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::{Digest, Fx, digest_bytes};
use throng::tick::{Scratch, tick};
use throng::world::{Order, Settings, World};
use throng::{CompanyId, GroupId, state};

use super::mutate::{Part, Random, edit, edit_list};
use super::{Outcome, Target, meter, orders, play};

/// The target.
pub const TARGET: Target = Target { name: "snapshot", run, seeds, mutate };

/// Most bytes of memory that restoring takes for each byte of the image, and for none.
const CAP: [usize; 2] = [64, 256 << 10];
/// Most bytes that it takes for each cell of the map and every group or flow field.
const CELL: usize = 64;
/// First bytes of an image, and the version of its format.
const MAGIC: &[u8; 8] = b"THRSNAP\n";
const FORMAT: u32 = 2;

/// Restores an image as it is, and again when it has been mended, and goes on from there.
pub fn run(bytes: &[u8]) -> Outcome {
    let plain = in_its_numbers(bytes);
    let mended = mended(bytes).filter(|mended| mended != bytes);
    plain.max(mended.map_or(Outcome::Refused, |mended| in_its_numbers(&mended)))
}

/// The same image with everything right that follows from its parts.
pub fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    mended_for(bytes, worlds().0.map().hash())
}

/// The same for another map.
pub fn mended_for(bytes: &[u8], map: u64) -> Option<Vec<u8>> {
    Parts::of(bytes).map(|parts| parts.bytes(map))
}

fn in_its_numbers(bytes: &[u8]) -> Outcome {
    match Parts::of(bytes).map(|parts| parts.numeric) {
        Some(1) => restored::<Fx>(bytes, worlds().1),
        _ => restored::<f32>(bytes, worlds().0),
    }
}

/// Worlds to restore in, of each number type: one that has gone on for a while.
pub fn worlds() -> (&'static World<f32>, &'static World<Fx>) {
    static WORLDS: OnceLock<(World<f32>, World<Fx>)> = OnceLock::new();
    let (a, b) = WORLDS.get_or_init(|| (after::<f32>(9), after::<Fx>(9)));
    (a, b)
}

/// Its settings.
pub fn settings() -> Settings {
    Settings { field_cells_per_tick: 100, crowding_ticks: 2, ..Settings::default() }
}

/// The small crowd of the orders after so many ticks.
fn after<N: Numbers>(ticks: usize) -> World<N> {
    let mut world = World::<N>::new(orders::ground(), settings()).expect("the map is small");
    let mut scratch = Scratch::new();
    let mut campaign = orders::campaign();
    campaign.resize(ticks.max(campaign.len()), Vec::new());
    campaign[..ticks].iter().for_each(|orders| tick(&mut world, orders, &mut scratch));
    world
}

fn restored<N: Numbers>(bytes: &[u8], from: &World<N>) -> Outcome {
    let mut world = from.clone();
    let items = Parts::of(bytes).map_or(0, |parts| parts.items());
    let cells = world.map().slowness().len();
    let cap = |_: &_| CAP[0] * bytes.len() + CAP[1] + CELL * cells * items;
    if let Err(error) = meter::within("a snapshot", cap, || state::restore(&mut world, bytes)) {
        assert!(!error.to_string().is_empty());
        assert_eq!(state::digest(&world), state::digest(from), "a refused image changes nothing");
        return Outcome::Refused;
    }
    state::validate(&world).unwrap();
    let saved = state::save(&world);
    // In a world that knows no fields and no groups everything has to be made again.
    let mut other = World::<N>::new(orders::ground(), settings()).expect("the map is small");
    state::restore(&mut other, &saved).expect("what is saved is restored");
    assert!(state::save(&other) == saved, "what is restored is what was saved");
    let ticks = further();
    let ticks: Vec<&[Order]> = ticks.iter().map(Vec::as_slice).collect();
    play::play(&mut world, &ticks);
    play::play(&mut other, &ticks);
    assert_eq!(state::columns(&world), state::columns(&other), "both go on the same way");
    Outcome::Played
}

/// Orders of the ticks after a restoration.
fn further() -> Vec<Vec<Order>> {
    let area = vec![Shape::Rect { min: [1.0, 1.0], max: [6.0, 9.0] }];
    let goal = vec![Shape::Disc { centre: [20.0, 8.0], radius: 2.0 }];
    vec![
        Vec::new(),
        vec![
            Order::Spawn { group: GroupId::new(0), area, count: 2 },
            Order::StopCompany { company: CompanyId::new(0) },
        ],
        vec![
            Order::Move { group: GroupId::new(0), goal: goal.clone() },
            Order::Remove { group: GroupId::new(1), area: None },
        ],
        vec![Order::MoveCompany { company: CompanyId::new(0), goal }],
        Vec::new(),
        Vec::new(),
    ]
}

/// A column of an image.
struct Column {
    name: Vec<u8>,
    unit: Vec<u8>,
    words: Vec<(Vec<u8>, u8)>,
    lists: Vec<Vec<u8>>,
}

/// An image in parts, without what follows from them.
struct Parts {
    numeric: u8,
    columns: Vec<Column>,
}

impl Column {
    /// Bytes of a row; at least one.
    fn width(&self) -> usize {
        let kinds = self.words.iter().filter_map(|(_, kind)| Kind::ALL.get(usize::from(*kind)));
        kinds.map(|kind| kind.width()).sum::<usize>().max(1)
    }

    /// The column without its rows, and how many each of its lists has.
    fn read_head(from: &mut Reader<'_>) -> Result<(Self, Vec<u64>), BytesError> {
        let (name, unit) = (from.run("name")?.to_vec(), from.run("unit")?.to_vec());
        let words = from.count("words", 5)?;
        let word = |_| Ok((from.run("word")?.to_vec(), from.u8("kind")?));
        let words = (0..words).map(word).collect::<Result<_, BytesError>>()?;
        let lists = from.count("lists", 8)?;
        let rows = (0..lists).map(|_| from.u64("rows")).collect::<Result<_, _>>()?;
        let chunks = from.count("chunks", 8)?;
        from.take("chunks", 8 * chunks)?;
        Ok((Self { name, unit, words, lists: Vec::new() }, rows))
    }

    /// The digests of the chunks of the lists, one after another.
    fn chunks(&self) -> Vec<u64> {
        let size = self.width() * state::CHUNK_ROWS;
        let chunks = self.lists.iter().flat_map(|list| list.chunks(size));
        chunks.map(|chunk| digest_bytes(0, chunk)).collect()
    }

    fn rows(&self) -> impl Iterator<Item = u64> {
        self.lists.iter().map(|list| (list.len() / self.width()) as u64)
    }

    fn digest(&self) -> u64 {
        let mut all = Digest::new();
        all.word(self.lists.len() as u64);
        for word in self.rows().chain(self.chunks()) {
            all.word(word);
        }
        all.finish()
    }
}

impl Parts {
    /// Takes an image apart, whatever its digests, version and layout say.
    fn of(bytes: &[u8]) -> Option<Self> {
        Self::read(&mut Reader::new(bytes)).ok()
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        from.take("magic", MAGIC.len() + 4)?;
        from.run("engine")?;
        let numeric = from.u8("numeric")?;
        from.take("layout, map and digest", 24)?;
        let count = from.count("columns", 20)?;
        let heads = (0..count).map(|_| Column::read_head(from)).collect::<Result<Vec<_>, _>>()?;
        from.u64("seal")?;
        let mut columns = Vec::new();
        for (mut column, rows) in heads {
            let width = column.width();
            for rows in rows {
                let most = (from.left() / width) as u64;
                column.lists.push(from.take("rows", rows.min(most) as usize * width)?.to_vec());
            }
            columns.push(column);
        }
        Ok(Self { numeric, columns })
    }

    /// The digest of the state: of tables, which are columns whose names begin alike.
    fn digest(&self) -> u64 {
        let table = |column: &Column| {
            let name = String::from_utf8_lossy(&column.name).into_owned();
            name.split('.').next().unwrap_or_default().to_owned()
        };
        // Columns that only some worlds need count while they have rows.
        let counts = |column: &&Column| {
            let tables = [&b"ids.wait"[..], b"ids.chooses", b"ids.smaller", b"ids.slower"];
            let tables = tables.into_iter().chain([
                &b"ids.head"[..],
                b"ids.leader",
                b"traffic.",
                b"structures.",
                b"doors.",
            ]);
            let is_optional = tables.into_iter().any(|name| column.name.starts_with(name));
            !is_optional || column.lists.iter().any(|list| !list.is_empty())
        };
        let columns: Vec<&Column> = self.columns.iter().filter(counts).collect();
        let mut all = Digest::new();
        for columns in columns.chunk_by(|a, b| table(a) == table(b)) {
            let mut own = Digest::new();
            for column in columns {
                own.bytes(&column.name).word(column.digest());
            }
            all.bytes(table(columns[0]).as_bytes()).word(own.finish());
        }
        all.finish()
    }

    /// The whole image: of this engine and a map, its numbers and digests right.
    fn bytes(&self, map: u64) -> Vec<u8> {
        let fixed = self.numeric == 1;
        let mut bytes = MAGIC.to_vec();
        bytes.u32(FORMAT);
        bytes.run(throng::replay::ENGINE.as_bytes());
        bytes.u8(self.numeric);
        bytes.u64(if fixed { state::layout_hash::<Fx>() } else { state::layout_hash::<f32>() });
        bytes.u64(map);
        bytes.u64(self.digest());
        bytes.u32(self.columns.len() as u32);
        for column in &self.columns {
            bytes.run(&column.name);
            bytes.run(&column.unit);
            bytes.u32(column.words.len() as u32);
            for (name, kind) in &column.words {
                bytes.run(name);
                bytes.u8(*kind);
            }
            bytes.u32(column.lists.len() as u32);
            column.rows().for_each(|rows| bytes.u64(rows));
            let chunks = column.chunks();
            bytes.u32(chunks.len() as u32);
            chunks.iter().for_each(|&chunk| bytes.u64(chunk));
        }
        let seal = digest_bytes(0, &bytes);
        bytes.u64(seal);
        self.columns.iter().flat_map(|column| &column.lists).for_each(|list| bytes.extend(list));
        bytes
    }

    /// Groups and flow fields, each of which may take memory for every cell.
    fn items(&self) -> usize {
        let rows = |column: &Column| column.rows().sum::<u64>() as usize;
        let each = [&b"groups.traits"[..], b"fields.slot"];
        let columns = self.columns.iter().filter(|column| each.contains(&&column.name[..]));
        columns.map(rows).sum()
    }
}

/// Changes a word of a row, a row, a list, or what a column says of itself.
pub fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let Some(mut parts) = Parts::of(bytes) else {
        let mut bytes = bytes.to_vec();
        part(&mut bytes, random);
        return bytes;
    };
    if random.below(32) == 0 {
        parts.numeric = random.below(3) as u8;
    }
    for _ in 0..=random.below(3) {
        // Most columns are empty most of the time.
        let filled = |column: &Column| !column.lists.concat().is_empty() as usize;
        let at = (0..3).map(|_| random.below(parts.columns.len()));
        let at = at.max_by_key(|&at| parts.columns.get(at).map_or(0, filled));
        let Some(column) = at.and_then(|at| parts.columns.get_mut(at)) else { break };
        change(column, random, &mut *part);
    }
    parts.bytes(worlds().0.map().hash())
}

fn change(column: &mut Column, random: &mut Random, part: Part<'_>) {
    let width = column.width();
    let at = random.below(column.lists.len());
    let Some(list) = column.lists.get_mut(at) else {
        column.lists.push(vec![0; width]);
        return;
    };
    match random.below(16) {
        0 => edit(&mut column.name, random),
        1 => part(&mut column.unit, random),
        2 => edit_list(&mut column.words, random, |word, random| word.1 = random.below(8) as u8),
        3 => edit_list(&mut column.lists, random, edit),
        4 => list.resize(list.len() + width, 0),
        5..8 => {
            let mut rows: Vec<Vec<u8>> = list.chunks(width).map(<[u8]>::to_vec).collect();
            edit_list(&mut rows, random, edit);
            *list = rows.concat();
        }
        8..10 => part(list, random),
        _ => change_word(list, &column.words, random),
    }
    // Whole rows, or everything behind them shifts.
    for list in &mut column.lists {
        list.truncate(list.len() / width * width);
    }
}

/// Gives one word of one row another value: near its own, that of another row, or an odd one.
fn change_word(list: &mut [u8], words: &[(Vec<u8>, u8)], random: &mut Random) {
    let widths = words.iter().map(|(_, kind)| Kind::ALL.get(usize::from(*kind)));
    let widths: Vec<usize> = widths.map(|kind| kind.map_or(0, |kind| kind.width())).collect();
    let width = widths.iter().sum::<usize>();
    let (word, rows) = (random.below(widths.len()), list.len().checked_div(width).unwrap_or(0));
    if rows == 0 {
        return;
    }
    let offset = widths[..word].iter().sum::<usize>();
    let place = |row: usize| row * width + offset..row * width + offset + widths[word];
    let (from, to) = (random.below(rows), place(random.below(rows)));
    let mut value = list[place(from)].to_vec();
    match random.below(3) {
        0 => {}
        1 => value.first_mut().into_iter().for_each(|byte| {
            *byte = byte.wrapping_add(random.below(5) as u8).wrapping_sub(2);
        }),
        _ => edit(&mut value, random),
    }
    value.resize(widths[word], 0);
    list[to].copy_from_slice(&value);
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty", state::save(&after::<f32>(0))),
        ("f32", state::save(&after::<f32>(3))),
        ("fixed", state::save(&after::<Fx>(5))),
        ("later", state::save(&after::<f32>(9))),
    ]
}
