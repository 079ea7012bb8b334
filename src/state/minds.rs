//! Minds and the rows of agents that think, checked before they are taken on.

use crate::lane::Numbers;
use crate::mind::MAX_SIGNALS;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, all_within};
use crate::world::thoughts::{NEVER, NO_VARIANT_SET};
use crate::world::{Guidance, MAX_MINDS, Mind, MindDef, TEAMS, Tag, Traits, VariantSet, World};

/// The minds of a state, and the groups that decide by them.
#[derive(Debug)]
pub(super) struct Minds<N: Numbers> {
    pub(super) minds: Vec<Mind<N>>,
    pub(super) variant_sets: Vec<VariantSet>,
    pub(super) variant_set_of: Vec<u16>,
    pub(super) signals: Vec<u64>,
}

impl<N: Numbers> Minds<N> {
    /// Reads the minds and variant sets of a state with so many groups.
    pub(super) fn read(kept: &Kept<'_, N>, groups: usize) -> Result<Self, SnapshotError> {
        let (defs, tick) = (&kept.minds.0, kept.tick());
        if defs.len() > MAX_MINDS {
            return Err(contradiction(format!("{} minds are too many", defs.len())));
        }
        defs.iter().try_for_each(MindDef::check)?;
        let minds: Vec<Mind<N>> = defs.iter().cloned().map(Mind::new).collect();
        let variant_sets = kept.variant_sets.0.clone();
        let mut variant_set_of = vec![NO_VARIANT_SET; groups];
        for (index, variant_set) in variant_sets.iter().enumerate() {
            let states =
                minds.get(usize::from(variant_set.mind)).map(|mind| mind.def.conducts.len());
            if states != Some(variant_set.variants.len()) || index >= usize::from(NO_VARIANT_SET) {
                return Err(contradiction(format!(
                    "group {} thinks by no mind",
                    variant_set.group
                )));
            }
            for group in variant_set.groups() {
                let row = kept.groups.0.get(usize::from(group)).filter(|row| !row.is_removed);
                match row.and_then(|_| variant_set_of.get_mut(usize::from(group))) {
                    Some(variant_set_of @ &mut NO_VARIANT_SET) => *variant_set_of = index as u16,
                    _ => {
                        return Err(contradiction(format!(
                            "group {group} thinks twice, or is none"
                        )));
                    }
                }
            }
            let sent = variant_set.sent.is_none_or(|(state, at)| {
                usize::from(state) < variant_set.variants.len() && at <= tick
            });
            if !sent {
                return Err(contradiction(format!("group {} was sent nowhere", variant_set.group)));
            }
        }
        let signals: Vec<u64> = kept.signals.iter().collect();
        let count = usize::from(TEAMS) * MAX_SIGNALS;
        let past = |&at: &u64| at == NEVER || at <= tick;
        if !(signals.is_empty() || signals.len() == count) || !signals.iter().all(past) {
            return Err(contradiction("signals were given by no team, or are yet to come"));
        }
        Ok(Self { minds, variant_sets, variant_set_of, signals })
    }
}

/// Numbers are in range, and every agent is in the variant of its state.
pub(super) fn check_thoughts<N: Numbers>(
    kept: &Kept<'_, N>,
    minds: &Minds<N>,
    traits: &[Traits<N>],
) -> Result<(), SnapshotError> {
    let most = N::from_f64(32_000.0);
    let on_map = [N::ZERO, N::from_f64(N::EXTENT)];
    if !all_within(kept.memory.bytes, [-most, most]) || !all_within(kept.focus.bytes, on_map) {
        return Err(contradiction("somebody remembers what cannot be"));
    }
    for (group, traits) in traits.iter().enumerate() {
        if traits.guidance == Guidance::Focus && minds.variant_set_of[group] == NO_VARIANT_SET {
            return Err(contradiction(format!("group {group} heads for a foe without a mind")));
        }
    }
    if minds.variant_sets.is_empty() {
        return Ok(());
    }
    for Tag { id, group, .. } in kept.tag.iter() {
        let variant_set =
            minds.variant_set_of.get(usize::from(group)).copied().unwrap_or(NO_VARIANT_SET);
        let Some(variant_set) = minds.variant_sets.get(usize::from(variant_set)) else {
            continue;
        };
        let state = kept.state.get(id as usize).unwrap_or(u8::MAX);
        if variant_set.variants.get(usize::from(state)) != Some(&group) {
            return Err(contradiction(format!("agent {id} is not in the group of its state")));
        }
    }
    Ok(())
}

/// Takes the minds on.
pub(super) fn take_on<N: Numbers>(world: &mut World<N>, minds: Minds<N>) {
    world.minds.list = minds.minds;
    world.minds.variant_sets = minds.variant_sets;
    world.minds.variant_set_of = minds.variant_set_of;
    world.minds.signals = minds.signals;
    world.minds.endless.clear();
}
