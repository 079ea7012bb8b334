//! The header: all that a run begins with.

use std::io::{Read, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::data::bytes::{BytesError, Reader, Write};
use crate::lane::Numbers;
use crate::map::{Map, MapError, PLAIN, WALL_HEIGHT};
use crate::math::{Fx, Numeric};
use crate::replay::{ENGINE, FORMAT, Fault, MAGIC, RecordOptions, ReplayError};
use crate::scenario::{GatePlan, Scene};
use crate::state;
use crate::world::{MAX_TICKS, Settings, World, WorldError};

/// What a run begins with.
#[derive(Clone, Debug)]
pub struct Header {
    /// A name of the run, for people.
    pub label: String,
    /// Names of the players.
    pub players: Vec<String>,
    /// Names, colours and areas for pictures; empty where they were not known.
    pub scene: Scene,
    /// Ticks done before the first frame.
    pub first_tick: u64,
    /// Number type.
    pub numeric: Numeric,
    /// Settings of the world.
    pub settings: Settings,
    /// The map.
    pub map: Arc<Map>,
    /// Names of the columns whose digests the frames hold.
    pub columns: Vec<String>,
}

/// What a header says of its run: label, players, first tick, settings and columns.
type Run = (String, Vec<String>, u64, Settings, Vec<String>);

/// Most cells of a map in a header.
const MAX_CELLS: u64 = 1 << 26;

impl Header {
    /// The header of a recording that begins with this world.
    pub(super) fn of<N: Numbers>(world: &World<N>, options: &RecordOptions) -> Self {
        Self {
            label: options.label.clone(),
            players: options.players.clone(),
            scene: options.scene.clone(),
            first_tick: world.tick_count(),
            numeric: N::NUMERIC,
            settings: *world.settings(),
            map: Arc::clone(&world.ground.given_map),
            columns: state::column_names(world).into_iter().map(str::to_owned).collect(),
        }
    }

    /// The bytes, from the magic to the checksum.
    pub(super) fn write(&self) -> std::io::Result<Vec<u8>> {
        let mut body = Vec::new();
        body.run(ENGINE.as_bytes());
        body.u8(self.numeric.code());
        body.u64(layout(self.numeric));
        let Self { label, players, first_tick, settings, columns, map, .. } = self;
        body.value(&(label, players, first_tick, settings, columns));
        body.u32(map.width());
        body.u32(map.height());
        body.f64(map.cell_size());
        body.u64(map.hash());
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        packed.write_all(map.letters())?;
        for y in 0..map.height() {
            let first = map.index(0, y) as usize;
            packed.write_all(&map.slowness()[first..first + map.width() as usize])?;
        }
        packed.write_all(&heights(map))?;
        body.run(&packed.finish()?);
        body.value(&self.scene);
        let mut bytes = MAGIC.to_vec();
        bytes.u32(FORMAT);
        bytes.run(&body);
        let checksum = crc32fast::hash(&bytes);
        bytes.u32(checksum);
        Ok(bytes)
    }

    /// Reads a header and leaves the reader behind it.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, usize), ReplayError> {
        let mut opening = MAGIC.to_vec();
        opening.u32(FORMAT);
        if opening.starts_with(bytes) {
            return Err(Fault::damaged(bytes.len(), "the file ends in the header").into());
        }
        let same = bytes.iter().zip(&opening).take_while(|(found, wanted)| found == wanted).count();
        match sealed(&opening, bytes) {
            Ok((body, end)) if same == opening.len() => Ok((Self::read_body(body)?, end)),
            // All but the opening is whole: this is no other kind of file.
            Ok(_) => Err(Fault::damaged(same, "it does not begin as a replay").into()),
            Err(_) if same < MAGIC.len() => Err(ReplayError::NotAReplay),
            Err(fault) => {
                let mut reader = Reader::new(&bytes[MAGIC.len()..]);
                expect("format", FORMAT, reader.u32("format")?)?;
                Err(fault.into())
            }
        }
    }

    fn read_body(body: &[u8]) -> Result<Self, ReplayError> {
        let mut reader = Reader::new(body);
        expect("engine version", ENGINE.to_owned(), reader.text("engine version")?)?;
        let code = reader.u8("numeric mode")?;
        let numeric = Numeric::from_code(code)
            .ok_or_else(|| reader.error("numeric mode", format!("no mode {code}")))?;
        expect("state layout", layout(numeric), reader.u64("state layout")?)?;
        let (label, players, first_tick, settings, columns): Run = reader.value("run")?;
        if first_tick > MAX_TICKS {
            let problem = format!("{first_tick} is more than {MAX_TICKS}");
            return Err(reader.error("first tick", problem).into());
        }
        settings.check()?;
        expect("columns", known_columns()?.join(" "), columns.join(" "))?;
        let map = read_map(&mut reader)?;
        let scene = reader.value("scene")?;
        check_scene(&scene, &map).map_err(|problem| reader.error("scene", problem))?;
        let map = Arc::new(map);
        Ok(Self { label, players, scene, first_tick, numeric, settings, map, columns })
    }
}

/// The header's body and where the header ends, if its checksum is right behind this opening.
fn sealed<'a>(opening: &[u8], bytes: &'a [u8]) -> Result<(&'a [u8], usize), Fault> {
    let mut reader = Reader::new(bytes);
    let short = |error: BytesError| Fault::damaged(opening.len(), error);
    reader.take("header", opening.len()).map_err(short)?;
    let body = reader.run("header").map_err(short)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(opening);
    hasher.update(&bytes[opening.len()..reader.at()]);
    let expected = hasher.finalize();
    let found = reader.u32("checksum").map_err(short)?;
    if found == expected {
        return Ok((body, reader.at()));
    }
    let reason = format!("the header's checksum is {found:08x}, but should be {expected:08x}");
    Err(Fault::damaged(opening.len(), reason))
}

fn layout(numeric: Numeric) -> u64 {
    match numeric {
        Numeric::F32 => state::layout_hash::<f32>(),
        Numeric::Fixed => state::layout_hash::<Fx>(),
    }
}

/// The columns of every state of this engine, of either number type.
fn known_columns() -> Result<Vec<&'static str>, WorldError> {
    let map = Map::from_slowness(1, 1, 1.0, &[PLAIN]);
    Ok(state::column_names(&World::<f32>::new(map, Settings::default())?))
}

fn expect<T: PartialEq + ToString>(
    what: &'static str,
    expected: T,
    found: T,
) -> Result<(), ReplayError> {
    if found == expected {
        return Ok(());
    }
    let (found, expected) = (found.to_string(), expected.to_string());
    Err(ReplayError::Foreign { what, found, expected })
}

/// Refuses a scene that pictures of a map cannot show.
fn check_scene(scene: &Scene, map: &Map) -> Result<(), String> {
    let of_groups = scene.groups.iter().flat_map(|group| group.starts.iter().chain(&group.goal));
    let mut shapes = of_groups.chain(scene.areas.iter().flat_map(|area| &area.shapes));
    shapes.try_for_each(|shape| shape.check_on(map)).map_err(|error| error.to_string())?;
    let count = scene.machines.len();
    if scene.groups.iter().filter_map(|group| group.machine).any(|at| usize::from(at) >= count) {
        return Err("a group has a machine that is not there".to_owned());
    }
    if let Some(share) = scene.beaten.filter(|share| !share.is_finite()) {
        return Err(format!("a team is beaten by a share of {share}"));
    }
    let is_line = |[from, to]: [[f64; 2]; 2]| {
        from.iter().chain(&to).all(|number| number.is_finite()) && from != to
    };
    match scene.gates.iter().find(|gate| !is_line([gate.from, gate.to])) {
        Some(GatePlan { from, to, .. }) => Err(format!("a gate from {from:?} to {to:?}")),
        None => Ok(()),
    }
}

/// The heights of a map: of walls in metres, then, unless the map is flat, of the ground in 1/16 m,
/// row by row. Nothing at all for a flat map with walls of the usual height.
fn heights(map: &Map) -> Vec<u8> {
    let mut bytes = Vec::new();
    if map.is_flat() && map.wall_height().to_bits() == WALL_HEIGHT.to_bits() {
        return bytes;
    }
    bytes.f64(map.wall_height());
    if !map.is_flat() {
        for y in 0..map.height() {
            let row = &map.heights()[map.index(0, y) as usize..][..map.width() as usize];
            row.iter().for_each(|height| bytes.extend_from_slice(&height.to_le_bytes()));
        }
    }
    bytes
}

/// The map with its heights as [`heights`] gives them.
fn raised(map: Map, bytes: &[u8]) -> Result<Map, MapError> {
    let Some((wall, ground)) = bytes.split_first_chunk() else { return Ok(map) };
    let pairs = ground.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    map.with_heights(&pairs.collect::<Vec<i16>>(), f64::from_le_bytes(*wall))
}

fn read_map(reader: &mut Reader<'_>) -> Result<Map, ReplayError> {
    let (width, height) = (reader.u32("map width")?, reader.u32("map height")?);
    let cell_size = reader.f64("cell size")?;
    let hash = reader.u64("map hash")?;
    let cells = u64::from(width) * u64::from(height);
    if cells > MAX_CELLS {
        return Err(ReplayError::Map(format!("{width} × {height} cells are too many")));
    }
    let packed = reader.run("map")?;
    let mut raw = Vec::new();
    let read = ZlibDecoder::new(packed).take(4 * cells + 9).read_to_end(&mut raw);
    read.map_err(|error| ReplayError::Map(error.to_string()))?;
    if ![2 * cells, 2 * cells + 8, 4 * cells + 8].contains(&(raw.len() as u64)) {
        return Err(ReplayError::Map(format!("{} bytes for {cells} cells", raw.len())));
    }
    let (letters, rest) = raw.split_at(cells as usize);
    let (slowness, heights) = rest.split_at(cells as usize);
    let map = Map::with_letters(width, height, cell_size, slowness, letters)
        .and_then(|map| raised(map, heights))
        .map_err(|error| ReplayError::Map(error.to_string()))?;
    if map.hash() != hash {
        return Err(ReplayError::Map(format!("its hash is {:016x}, not {hash:016x}", map.hash())));
    }
    Ok(map)
}
