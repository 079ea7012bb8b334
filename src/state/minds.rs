//! The rows of those who think, checked before they are taken on.

use crate::data::bytes::Reader;
use crate::data::row;
use crate::lane::Numbers;
use crate::mind::MAX_SIGNALS;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::lists::{Columns, all_within, rows};
use crate::world::thoughts::{NEVER, NO_VARIANT_SET};
use crate::world::{Guidance, MAX_MINDS, Mind, MindDef, TEAMS, Tag, Traits, VariantSet, World};

/// The minds of a state, and who decides by them.
#[derive(Debug)]
pub(super) struct Minds<N: Numbers> {
    pub(super) minds: Vec<Mind<N>>,
    pub(super) variant_sets: Vec<VariantSet>,
    pub(super) variant_set_of: Vec<u16>,
    pub(super) signals: Vec<u64>,
}

/// The rows that become the table of thoughts.
pub(super) struct Thoughts<'a> {
    pub(super) state: &'a [u8],
    pub(super) since: &'a [u8],
    pub(super) memory: &'a [u8],
    pub(super) focus: &'a [u8],
}

impl<N: Numbers> Minds<N> {
    /// Reads the minds and variant sets of a state with so many groups.
    pub(super) fn read(
        columns: &Columns<'_, '_>,
        groups: usize,
        tick: u64,
    ) -> Result<Self, SnapshotError> {
        let defs = rows(columns.list("minds.def")?, MindDef::read)?;
        if defs.len() > MAX_MINDS {
            return Err(contradiction(format!("{} minds are too many", defs.len())));
        }
        defs.iter().try_for_each(MindDef::check)?;
        let minds: Vec<Mind<N>> = defs.into_iter().map(Mind::new).collect();
        let variant_sets = rows(columns.list("minds.families")?, |from: &mut Reader<'_>| {
            let bytes = from.run("family")?;
            let variant_set = postcard::from_bytes::<VariantSet>(bytes);
            variant_set.map_err(|error| from.error("family", error.to_string()))
        })?;
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
                match variant_set_of.get_mut(usize::from(group)) {
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
        let signals = rows(columns.list("minds.signals")?, |from| from.u64("tick"))?;
        let count = usize::from(TEAMS) * MAX_SIGNALS;
        let past = |&at: &u64| at == NEVER || at <= tick;
        if !(signals.is_empty() || signals.len() == count) || !signals.iter().all(past) {
            return Err(contradiction("signals were given by no team, or are yet to come"));
        }
        Ok(Self { minds, variant_sets, variant_set_of, signals })
    }
}

impl<'a> Thoughts<'a> {
    pub(super) fn read(columns: &Columns<'a, '_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            state: columns.list("thoughts.state")?,
            since: columns.list("thoughts.since")?,
            memory: columns.list("thoughts.memory")?,
            focus: columns.list("thoughts.focus")?,
        })
    }

    /// There is a row for every id if any group thinks, numbers are in range, and everybody is in
    /// the variant of its state.
    pub(super) fn check<N: Numbers>(
        &self,
        minds: &Minds<N>,
        traits: &[Traits<N>],
        ids: usize,
        tags: &[u8],
    ) -> Result<(), SnapshotError> {
        let expected = if minds.variant_sets.is_empty() { 0 } else { ids };
        let found =
            [self.state.len(), self.since.len() / 4, self.memory.len() / 12, self.focus.len() / 8];
        if found != [expected; 4] {
            return Err(contradiction(format!("there are not {expected} who may think")));
        }
        let most = N::from_f64(32_000.0);
        let on_map = [N::ZERO, N::from_f64(N::EXTENT)];
        if !all_within(self.memory, [-most, most]) || !all_within(self.focus, on_map) {
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
        for tag in tags.chunks_exact(8) {
            let Tag { id, group, .. } = row::read(tag);
            let variant_set =
                minds.variant_set_of.get(usize::from(group)).copied().unwrap_or(NO_VARIANT_SET);
            let Some(variant_set) = minds.variant_sets.get(usize::from(variant_set)) else {
                continue;
            };
            let state = self.state.get(id as usize).copied().unwrap_or(u8::MAX);
            if variant_set.variants.get(usize::from(state)) != Some(&group) {
                return Err(contradiction(format!("agent {id} is not in the group of its state")));
            }
        }
        Ok(())
    }
}

/// Takes the minds on.
pub(super) fn take_on<N: Numbers>(world: &mut World<N>, minds: Minds<N>) {
    world.minds.list = minds.minds;
    world.minds.variant_sets = minds.variant_sets;
    world.minds.variant_set_of = minds.variant_set_of;
    world.minds.signals = minds.signals;
    world.minds.endless.clear();
}
