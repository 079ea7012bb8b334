//! Fields that the map has left behind.

use crate::map::Clearance;
use crate::nav::field::Fields;
use crate::nav::field::cache::{Slot, Stage};
use std::sync::Arc;

/// How a class differs from what it was: cells and their slowness then, ascending.
pub(super) type Stale = Vec<(u32, u8)>;

impl Slot {
    /// Notes cells that have changed, and what they were; what they were before all is kept.
    fn note(&mut self, changed: &[(u32, u8)], now: &[u8]) {
        // A stable sort leaves the oldest entry of a cell first.
        self.stale.extend_from_slice(changed);
        self.stale.sort_by_key(|&(cell, _)| cell);
        self.stale.dedup_by_key(|&mut (cell, _)| cell);
        self.stale.retain(|&(cell, before)| now[cell as usize] != before);
    }
}

impl Fields {
    /// Is told that the map has changed: for every class, which cells, and their slowness before.
    pub(crate) fn map_changed(&mut self, changed: &[Vec<(u32, u8)>], classes: &[Arc<Clearance>]) {
        self.version += 1;
        for index in 0..self.slots.len() {
            let slot = &mut self.slots[index];
            if slot.kept.outdated || (slot.kept.shown.is_none() && slot.stage != Stage::Working) {
                continue;
            }
            let now = classes[slot.kept.class as usize].slowness();
            slot.note(&changed[slot.kept.class as usize], now);
            if slot.stale.is_empty() {
                let version = Some(self.version);
                match slot.stage {
                    Stage::Working => slot.kept.target = self.version,
                    Stage::Waiting => {
                        (slot.stage, slot.kept.shown) = (Stage::Done, version);
                        // The work of the job that made it has been forgotten.
                        slot.kept.repaired = true;
                        self.queue.retain(|&queued| queued as usize != index);
                    }
                    Stage::Done => slot.kept.shown = version,
                }
            }
            self.look_at_stale(index);
        }
    }

    /// A finished field that the map has left behind joins the queue, or is forgotten.
    pub(super) fn look_at_stale(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        if slot.stage != Stage::Done || slot.kept.outdated || slot.stale.is_empty() {
            return;
        }
        if slot.kept.holders == 0 {
            slot.kept.outdated = true;
            slot.stale.clear();
            return;
        }
        slot.stage = Stage::Waiting;
        slot.kept.work = 0;
        self.queue.push(index as u32);
    }

    /// The oldest version of the map that some field still needs to know; `None` if all know the
    /// newest.
    pub(crate) fn oldest_version(&self) -> Option<u32> {
        let slots = self.queue.iter().map(|&index| &self.slots[index as usize]);
        let versions = slots.flat_map(|slot| {
            let target = (slot.stage == Stage::Working).then_some(slot.kept.target);
            [slot.kept.shown, target]
        });
        versions.flatten().min().filter(|&oldest| oldest < self.version)
    }

    /// How often the map has changed.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }
}
