//! Comparing: where two replays, or two dumps, part.

use crate::data::definition::Definition;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::math::{Fx, Numeric};
use crate::replay::trace::traced_difference;
use crate::replay::{Player, Replay, ReplayError, Stages};
use crate::state;
use crate::state::{ColumnDifference, Image, Place};
use crate::tick::Stage;
use crate::world::{Order, Settings};

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// In what the runs differ from the start: engine, map, settings.
    pub began: Vec<String>,
    /// The first tick of each, and the one behind its last.
    pub spans: [(u64, u64); 2],
    /// Ticks that both replays have.
    pub ticks: u64,
    /// Where they part; `None` when all digests of these ticks are the same.
    pub parting: Option<Parting>,
}

/// The first difference of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// The first tick after which they differ.
    pub tick: u64,
    /// The columns that differ after it, by the digests in the files.
    pub columns: Vec<String>,
    /// What was ordered at that tick, where it differs.
    pub orders: Option<[Vec<Order>; 2]>,
    /// The first stage after which they differ, and the first column: by the digests in the files
    /// where both runs were traced.
    pub traced: Option<(Stage, String)>,
    /// The result of running both again.
    pub rerun: Rerun,
    /// The values that differ after the tick, from keyframes or from running again. Empty when
    /// there is neither.
    pub differences: Vec<ColumnDifference>,
}

/// What came of running both sides again from the keyframe before the tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rerun {
    /// Whether this program came to the digest of each side.
    pub reproduced: [bool; 2],
    /// Where both did: the first stage after which they differ, and the column, list and chunk.
    pub first: Option<(Stage, Place)>,
}

/// Compares two replays. Two dumps are two replays whose last keyframe is the state that differs.
///
/// The first tick is found by the digests in the files. If both have a keyframe after it, the states
/// are compared value by value. Then both are run again from their keyframes before that tick, to
/// name the stage and the chunk where this program comes to the same digests.
///
/// # Errors
/// When a keyframe is damaged or a world cannot be made.
pub fn compare(a: &Replay, b: &Replay) -> Result<Comparison, ReplayError> {
    let sides = [a, b];
    let first = a.header.first_tick.max(b.header.first_tick);
    let end = a.end_tick().min(b.end_tick());
    let spans = sides.each(|side| (side.header.first_tick, side.end_tick()));
    let ticks = end.saturating_sub(first);
    let mut comparison = Comparison { began: began(a, b), spans, ticks, parting: None };
    let differs = (first..end).find(|&tick| match sides.each(|side| side.frame(tick)) {
        [Some(a), Some(b)] => {
            let traced = !a.stages.is_empty() && !b.stages.is_empty();
            (a.digest, &a.columns) != (b.digest, &b.columns) || (traced && a.stages != b.stages)
        }
        _ => false,
    });
    // States may differ though no tick is common, or though the digests agree: a fault between.
    let Some(tick) = differs.or_else(|| differing_keyframe(sides)) else {
        return Ok(comparison);
    };
    let frames = sides.each(|side| side.frame(tick));
    let names = |i: usize| a.header.columns.get(i).cloned().unwrap_or_default();
    let (mut columns, mut orders, mut traced) = (Vec::new(), None, None);
    if let [Some(a), Some(b)] = frames {
        let pairs = a.columns.iter().zip(&b.columns).enumerate();
        columns = pairs.filter(|(_, (a, b))| a != b).map(|(i, _)| names(i)).collect();
        orders = (a.orders != b.orders).then(|| [a.orders.clone(), b.orders.clone()]);
        traced = traced_difference(&sides[0].header.columns, [&a.stages, &b.stages]);
    }
    let kept = kept_images(sides, tick)?;
    let (rerun, rerun_images) = run_again(sides, tick)?;
    let images = [0, 1].each(|i| kept[i].as_ref().or(rerun_images[i].as_ref()));
    let differences = match images {
        [Some(a), Some(b)] => state::differences(&Image::read(a)?, &Image::read(b)?),
        _ => Vec::new(),
    };
    comparison.parting = Some(Parting { tick, columns, orders, traced, rerun, differences });
    Ok(comparison)
}

/// The tick before the first pair of keyframes that differ.
fn differing_keyframe([a, b]: [&Replay; 2]) -> Option<u64> {
    let pairs = a.keyframes.iter().filter_map(|keyframe| {
        let first = b.keyframes.partition_point(|other| other.tick < keyframe.tick);
        let other = b.keyframes.get(first).filter(|other| other.tick == keyframe.tick)?;
        Some((keyframe, other))
    });
    let mut differing = pairs.filter(|(a, b)| a != b);
    differing.next().map(|(keyframe, _)| keyframe.tick.saturating_sub(1))
}

fn began(a: &Replay, b: &Replay) -> Vec<String> {
    let (a, b) = (&a.header, &b.header);
    let mut found = Vec::new();
    let mut compare = |what: &str, a: String, b: String| {
        if a != b {
            found.push(format!("{what}: {a} and {b}"));
        }
    };
    compare("numeric mode", a.numeric.word().into(), b.numeric.word().into());
    compare("map hash", format!("{:016x}", a.map.hash()), format!("{:016x}", b.map.hash()));
    let [seed, other] = [a, b].map(|header| header.settings.seed.to_string());
    compare("settings.seed", seed, other);
    let [numbers, others] = [a, b].map(|header| header.settings.numbers());
    for ((field, a), b) in Settings::FIELDS.iter().zip(numbers).zip(others) {
        compare(&format!("settings.{}", field.key), a.to_string(), b.to_string());
    }
    found
}

/// A snapshot of each side, where there is one.
type Images = [Option<Vec<u8>>; 2];

/// The states after a tick that stand in the files.
fn kept_images(sides: [&Replay; 2], tick: u64) -> Result<Images, ReplayError> {
    let image = |side: &Replay| -> Result<_, ReplayError> {
        let keyframe = side.keyframes.iter().rev().find(|keyframe| keyframe.tick == tick + 1);
        Ok(keyframe.map(|keyframe| keyframe.image()).transpose()?)
    };
    Ok([image(sides[0])?, image(sides[1])?])
}

/// A side that was run again: its trace of the tick, the state after it, and whether that is the
/// one in the file.
struct Again {
    stages: Stages,
    image: Vec<u8>,
    reproduced: bool,
}

fn run_again(sides: [&Replay; 2], tick: u64) -> Result<(Rerun, Images), ReplayError> {
    let again = |side: &Replay| match side.header.numeric {
        Numeric::F32 => again::<f32>(side, tick),
        Numeric::Fixed => again::<Fx>(side, tick),
    };
    let again = [again(sides[0])?, again(sides[1])?];
    let reproduced = [0, 1].each(|i| again[i].as_ref().is_some_and(|again| again.reproduced));
    let first = match &again {
        [Some(a), Some(b)] if reproduced == [true; 2] => a.stages.first_difference(&b.stages),
        _ => None,
    };
    // What did not come to the digest in the file says nothing about that side.
    let image = |again: Option<Again>| again.filter(|a| a.reproduced).map(|again| again.image);
    Ok((Rerun { reproduced, first }, again.map(image)))
}

fn again<N: Numbers>(side: &Replay, tick: u64) -> Result<Option<Again>, ReplayError> {
    let Some(frame) = side.frame(tick) else { return Ok(None) };
    let mut player = match Player::<N>::at(side, tick) {
        Ok(player) => player,
        Err(ReplayError::NoStart { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut stages = Stages::default();
    player.step_with(&mut stages);
    let reproduced = state::digest(player.world()) == frame.digest;
    Ok(Some(Again { stages, image: state::save(player.world()), reproduced }))
}
