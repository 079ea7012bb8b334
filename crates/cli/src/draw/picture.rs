//! A picture of a crowd on its map.

use std::collections::BTreeMap;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageResult, RgbImage};

use crate::draw::agents::Density;
pub use crate::draw::areas::{AreaKind, MarkedArea};
use crate::draw::caption::{Entry, Mark};
use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::fixtures::Fixtures;
use crate::draw::ground::{Paint, View};
use crate::draw::traffic::TrafficNames;
use crate::draw::trails::Trails;
use crate::draw::walls::Walls;
use crate::draw::{agents, areas, caption, colour, ground, walls};
use throng::map::Map;
use throng::report::number::{plural, thousands};
use throng::report::{ARRIVED, Crowd};

/// Trails in the legend: they have the colours of their groups.
const TRAIL: colour::Rgb = [0x90, 0x96, 0x9c];

/// What a picture shows besides the map and the crowd.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    /// Wanted length of the longer side in pixels, 1,600 unless told; the picture gets as near as a
    /// whole number of pixels a cell (or cells a pixel) allows, up to 4,096.
    pub long_side: u32,
    /// Names of the groups, by number; may be shorter than the groups are many.
    pub names: &'a [String],
    /// The line below the picture; empty for "… agents, … arrived".
    pub caption: &'a str,
    /// Whether the caption below says how many agents each group has, as it does for a fight, in place
    /// of how many of them have arrived.
    pub head_counts: bool,
    /// Where agents went.
    pub trails: Option<&'a Trails>,
    /// Projectiles, bursts, and where agents fell.
    pub combat_overlay: Option<&'a CombatOverlay>,
    /// Walls that have hit points, closed doors, sources and sinks.
    pub fixtures: Option<&'a Fixtures>,
    /// Names of the sources and sinks.
    pub traffic: TrafficNames<'a>,
    /// Where agents come from and want to go.
    pub areas: &'a [MarkedArea],
    /// Colours of letters of the map; other letters are drawn by what can be walked on.
    pub letters: &'a [(u8, colour::Rgb)],
    /// What letters of the map are called; others that have a colour are named by the letter.
    pub letter_names: &'a [(u8, String)],
    /// Left, top, right and bottom of what is shown, metres; all of the map without.
    pub crop: Option<[f64; 4]>,
}

impl Default for PictureOptions<'_> {
    fn default() -> Self {
        Self {
            long_side: 1600,
            names: &[],
            caption: "",
            head_counts: false,
            trails: None,
            combat_overlay: None,
            fixtures: None,
            traffic: TrafficNames::default(),
            areas: &[],
            letters: &[],
            letter_names: &[],
            crop: None,
        }
    }
}

/// Draws a crowd on its map, with a caption below that names the groups. Agents are drawn true to
/// scale where that is large enough to be seen, and as a density where not.
///
/// # Panics
/// When columns of the crowd differ in length or name a group without an entry.
pub fn draw(map: &Map, crowd: &Crowd, options: &PictureOptions) -> RgbImage {
    crowd.check();
    let view = View::near(map, options.long_side, options.crop);
    let survey = ground::survey(map, &view, &Paint::new(options.letters));
    let mut image = ground::draw(&survey, &view);
    let walls = options.fixtures.map(|fixtures| &fixtures.walls).filter(|walls| !walls.is_empty());
    if let Some(walls) = walls {
        walls.stain(&mut image, &view, map);
    }
    areas::draw(&mut image, &view, &survey, options.areas, crowd.colours);
    if let Some(fixtures) = options.fixtures {
        fixtures.traffic.draw(&mut image, &view, &survey, options.areas);
    }
    if let Some(trails) = options.trails {
        trails.draw(&mut image, &view);
    }
    if let Some(combat_overlay) = options.combat_overlay {
        CombatOverlay::stain(&mut image, &view, combat_overlay.fallen());
    }
    agents::draw(&mut image, &view, crowd, &mut Density::new(view.width, view.height));
    if let Some(combat_overlay) = options.combat_overlay {
        combat_overlay.draw(&mut image, &view);
    }
    let caption = match options.caption {
        "" => counts(crowd),
        caption => caption.to_owned(),
    };
    let heads = options.head_counts || options.combat_overlay.is_some();
    let mut others = Vec::new();
    areas::name(options.areas, &mut others);
    options.traffic.name(&mut others);
    if options.trails.is_some() {
        others.push(Entry::marked(Mark::Band, TRAIL, "trails"));
    }
    if let Some(combat_overlay) = options.combat_overlay {
        combat_overlay.name(&mut others);
    }
    if walls.is_some_and(Walls::has_structures) {
        others.push(Entry::marked(Mark::Ground, walls::WHOLE, "structure"));
    }
    if walls.is_some_and(Walls::has_doors) {
        others.push(Entry::marked(Mark::Ground, walls::DOOR, "closed door"));
    }
    ground::name(map, options.letters, options.letter_names, &mut others);
    let groups = entries(crowd, options.names, heads);
    if groups.iter().any(|entry| matches!(entry.mark, Mark::Discs(_))) {
        others.insert(0, Entry::arrived());
    }
    caption::below_with(image, &caption, [groups, others], view.per_metre).0
}

/// "1,000 agents, 12 arrived".
pub(crate) fn counts(crowd: &Crowd) -> String {
    let (agents, arrived) = (crowd.len() as u64, crowd.arrived() as u64);
    format!("{}, {} arrived", plural(agents, "agent"), thousands(arrived))
}

/// Every group that has a name or agents, with how many of its agents have arrived or, with `heads`,
/// how many it has.
fn entries(crowd: &Crowd, names: &[String], heads: bool) -> Vec<Entry> {
    let mut counts = vec![(0u64, 0u64); crowd.colours.len()];
    let mut hidden = vec![false; counts.len()];
    for (&group, flags) in crowd.groups.iter().zip(crowd.flags) {
        let (agents, arrived) = &mut counts[group as usize];
        *agents += 1;
        *arrived += u64::from(flags & ARRIVED);
    }
    // Classes of one name share an entry.
    let mut firsts = BTreeMap::new();
    for (i, name) in names.iter().enumerate().take(counts.len()) {
        let first = *firsts.entry(name).or_insert(i);
        if first < i {
            let (agents, arrived) = std::mem::take(&mut counts[i]);
            counts[first].0 += agents;
            counts[first].1 += arrived;
            hidden[i] = true;
        }
    }
    let shades = colour::arrived(crowd.colours);
    let word = if counts.len() <= 6 { " arrived" } else { "" };
    let shown = counts
        .iter()
        .enumerate()
        .filter(|(i, count)| !hidden[*i] && (*i < names.len() || count.0 > 0));
    shown
        .map(|(i, &(agents, arrived))| {
            let name = names.get(i).map_or_else(|| format!("group {}", i + 1), String::clone);
            let share = (arrived * 100).checked_div(agents);
            let share = match share {
                _ if heads => format!(": {}", thousands(agents)),
                Some(share) => format!(": {share} %{word}"),
                None => String::new(),
            };
            let mark = if arrived > 0 { Mark::Discs(shades[i]) } else { Mark::Disc };
            Entry::marked(mark, crowd.colours[i], format!("{name}{share}"))
        })
        .collect()
}

/// A picture as the bytes of a PNG file; `small`: in less space and more time.
///
/// # Errors
/// What the encoder says.
pub fn encode(image: &RgbImage, small: bool) -> ImageResult<Vec<u8>> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let how = if small { CompressionType::Best } else { CompressionType::Fast };
    let encoder = PngEncoder::new_with_quality(&mut bytes, how, FilterType::Adaptive);
    image.write_with_encoder(encoder)?;
    Ok(bytes.into_inner())
}
