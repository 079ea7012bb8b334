//! The rows of those who think, checked before they are taken on.

use crate::data::bytes::Reader;
use crate::data::row;
use crate::lane::Numbers;
use crate::mind::MOST_SIGNALS;
use crate::state::error::SnapshotError;
use crate::state::error::contradiction;
use crate::state::lists::Columns;
use crate::state::lists::all_within;
use crate::state::lists::rows;
use crate::world::Aim;
use crate::world::Family;
use crate::world::MOST_MINDS;
use crate::world::Mind;
use crate::world::MindDef;
use crate::world::TEAMS;
use crate::world::Tag;
use crate::world::Traits;
use crate::world::World;
use crate::world::thoughts::NEVER;
use crate::world::thoughts::NO_FAMILY;

/// The minds of a state, and who decides by them.
#[derive(Debug)]
pub(super) struct Minds<N: Numbers> {
    pub(super) minds: Vec<Mind<N>>,
    pub(super) families: Vec<Family>,
    pub(super) kin: Vec<u16>,
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
    /// Reads the minds and families of a state with so many groups.
    pub(super) fn read(
        columns: &Columns<'_, '_>,
        groups: usize,
        tick: u64,
    ) -> Result<Self, SnapshotError> {
        let defs = rows(columns.list("minds.def")?, MindDef::read)?;
        if defs.len() > MOST_MINDS {
            return Err(contradiction(format!("{} minds are too many", defs.len())));
        }
        defs.iter().try_for_each(MindDef::check)?;
        let minds: Vec<Mind<N>> = defs.into_iter().map(Mind::new).collect();
        let families = rows(columns.list("minds.families")?, |from: &mut Reader<'_>| {
            let bytes = from.run("family")?;
            let family = postcard::from_bytes::<Family>(bytes);
            family.map_err(|error| from.error("family", error.to_string()))
        })?;
        let mut kin = vec![NO_FAMILY; groups];
        for (index, family) in families.iter().enumerate() {
            let states = minds.get(usize::from(family.mind)).map(|mind| mind.def.conducts.len());
            if states != Some(family.variants.len()) || index >= usize::from(NO_FAMILY) {
                return Err(contradiction(format!("group {} thinks by no mind", family.group)));
            }
            for group in family.groups() {
                match kin.get_mut(usize::from(group)) {
                    Some(kin @ &mut NO_FAMILY) => *kin = index as u16,
                    _ => {
                        return Err(contradiction(format!(
                            "group {group} thinks twice, or is none"
                        )));
                    }
                }
            }
            let sent = family
                .sent
                .is_none_or(|(state, at)| usize::from(state) < family.variants.len() && at <= tick);
            if !sent {
                return Err(contradiction(format!("group {} was sent nowhere", family.group)));
            }
        }
        let signals = rows(columns.list("minds.signals")?, |from| from.u64("tick"))?;
        let count = usize::from(TEAMS) * MOST_SIGNALS;
        let past = |&at: &u64| at == NEVER || at <= tick;
        if !(signals.is_empty() || signals.len() == count) || !signals.iter().all(past) {
            return Err(contradiction("signals were given by no team, or are yet to come"));
        }
        Ok(Self { minds, families, kin, signals })
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
        let expected = if minds.families.is_empty() { 0 } else { ids };
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
            if traits.aim == Aim::Focus && minds.kin[group] == NO_FAMILY {
                return Err(contradiction(format!("group {group} heads for a foe without a mind")));
            }
        }
        if minds.families.is_empty() {
            return Ok(());
        }
        for tag in tags.chunks_exact(8) {
            let Tag { id, group, .. } = row::read(tag);
            let family = minds.kin.get(usize::from(group)).copied().unwrap_or(NO_FAMILY);
            let Some(family) = minds.families.get(usize::from(family)) else { continue };
            let state = self.state.get(id as usize).copied().unwrap_or(u8::MAX);
            if family.variants.get(usize::from(state)) != Some(&group) {
                return Err(contradiction(format!("agent {id} is not in the group of its state")));
            }
        }
        Ok(())
    }
}

/// Takes the minds on.
pub(super) fn take_on<N: Numbers>(world: &mut World<N>, minds: Minds<N>) {
    world.minds = minds.minds;
    world.families = minds.families;
    world.kin = minds.kin;
    world.signals = minds.signals;
    world.endless.clear();
}
