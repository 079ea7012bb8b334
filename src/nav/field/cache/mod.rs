//! The fields of a world: shared, capped, and finished after a time that work alone decides.
//!
//! An order asks for a field and gets an id at once. The field is made by a job that may use a
//! fixed number of cells a tick, so the tick at which it becomes visible depends on the jobs before
//! it and on its own work, never on clocks or threads. Fields with equal goals and equal crowd costs
//! are one field. When the cap is reached, the field without a holder that was used longest ago makes
//! room; a field around crowds that has lost its last holder makes room at once, since those crowds
//! have moved on.
//!
//! When the map changes, the fields that are held and concerned join the queue again. They are still
//! followed as they were until they have been made right. Fields without a holder are forgotten.
//! A job goes on with the map that it began with; what changes meanwhile is made right afterwards.

mod limits;
mod snapshot;
mod stale;

pub use limits::{FieldError, FieldId, FieldLimits, MAX_JOBS};
pub(crate) use snapshot::Restored;
pub use snapshot::{FieldSnapshot, FieldsSnapshot, FieldsSnapshotError, History};

use crate::map::Clearance;
use crate::map::area::GoalCells;
use crate::nav::field::{CellChanges, CrowdCosts, Field, Job, Progress, Repair, solve_around};
use crate::par;
use stale::Stale;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// In the queue, without a job.
    Waiting,
    /// In the queue; a job is at it.
    Working,
    /// Not in the queue.
    Done,
}

/// A field and what its slot knows of it.
#[derive(Clone, Debug)]
struct Slot {
    kept: FieldSnapshot,
    stage: Stage,
    hash: u64,
    /// What has changed since the version worked with, or else shown. Empty means that this is the
    /// newest one.
    stale: Stale,
    field: Field,
}

impl Slot {
    fn new(kept: FieldSnapshot) -> Self {
        let hash = hash(&kept.goals, kept.class, &kept.crowd);
        Self { kept, stage: Stage::Waiting, hash, stale: Stale::new(), field: Field::default() }
    }
}

/// A job and the slot it works for.
#[derive(Clone, Debug, Default)]
struct Worker {
    slot: Option<u32>,
    /// The ground that it began with.
    class: Option<Arc<Clearance>>,
    work: Work,
    progress: Option<Progress>,
    /// A field that is out of use, for its memory.
    spare: Field,
}

/// What a worker does: a field is made, or one that is shown is repaired.
#[derive(Clone, Debug, Default)]
struct Work {
    job: Job,
    repair: Repair,
    repairs: bool,
}

impl Work {
    /// Begins the work on a field; `memory` is what it may use, or what is to be repaired.
    fn start(&mut self, class: &Clearance, slot: &mut Slot, spare: &mut Field) {
        slot.kept.repaired = slot.kept.shown.is_some();
        self.repairs = slot.kept.repaired && slot.kept.crowd.is_free();
        if self.repairs {
            let distances = std::mem::take(&mut slot.field.distances);
            let changes = CellChanges::new(class, &slot.stale);
            self.repair.start(class, &slot.kept.goals, &changes, distances);
        } else {
            let memory = std::mem::take(if slot.kept.repaired { spare } else { &mut slot.field });
            self.job.start_in(class, &slot.kept.goals, &slot.kept.crowd, memory);
        }
    }

    fn advance(&mut self, class: &Clearance, budget: u32) -> Progress {
        match self.repairs {
            true => self.repair.advance(class, budget),
            false => self.job.advance(class, budget),
        }
    }

    /// Shows what was made.
    fn finish(&mut self, slot: &mut Slot, spare: &mut Field) {
        if self.repairs {
            self.repair.finish(&mut slot.field);
        } else {
            let old = std::mem::replace(&mut slot.field, self.job.take());
            if slot.kept.shown.is_some() {
                *spare = old;
            }
        }
    }

    /// Gives memory back before the work is done.
    fn cancel(&mut self, slot: &mut Slot, spare: &mut Field) {
        if self.repairs {
            slot.field.distances = self.repair.cancel();
        } else {
            *if slot.kept.shown.is_some() { spare } else { &mut slot.field } = self.job.take();
        }
    }
}

/// The fields of a world on one map.
#[derive(Clone, Debug)]
pub struct Fields {
    limits: FieldLimits,
    /// Cells of a padded raster.
    cells: u32,
    /// How often the map has changed.
    version: u32,
    slots: Vec<Slot>,
    /// Slots whose field is not finished, oldest first.
    queue: Vec<u32>,
    workers: Vec<Worker>,
}

impl Fields {
    /// No fields, for a map whose padded rasters have `cells` cells.
    ///
    /// # Panics
    /// When the number of jobs is out of its range.
    pub fn new(cells: u32, limits: FieldLimits) -> Self {
        let jobs = limits.max_jobs;
        assert!((1..=MAX_JOBS).contains(&jobs), "{jobs} jobs; 1 to {MAX_JOBS} are possible");
        let workers = vec![Worker::default(); jobs as usize];
        Self { limits, cells, version: 0, slots: Vec::new(), queue: Vec::new(), workers }
    }

    /// The field to some goals for the class of agents with this index: an existing one if its
    /// goals and class are equal, else a new one at the end of the queue. It is not held yet.
    ///
    /// # Errors
    /// [`FieldError::NoGoal`], [`FieldError::GoalOutside`]; [`FieldError::CapReached`] when the cap
    /// leaves no room and every field is held.
    pub fn request(
        &mut self,
        goals: &GoalCells,
        class: u32,
        tick: u64,
    ) -> Result<FieldId, FieldError> {
        if goals.seeds().is_empty() {
            return Err(FieldError::NoGoal);
        }
        if let Some(&cell) = goals.area().last().filter(|&&cell| cell >= self.cells) {
            return Err(FieldError::GoalOutside { cell, cells: self.cells });
        }
        let crowd = &CrowdCosts::default();
        if let Some(found) = self.find(goals, class, crowd) {
            self.touch(found, tick);
            return Ok(found);
        }
        let index = self.room()?;
        self.slots[index as usize].kept.goals.clone_from(goals);
        Ok(self.begin(index, class, crowd, tick))
    }

    /// The field to the goals of another one, which is held, around crowds: an existing one if all
    /// is equal, else a new one at the end of the queue. It is not held yet.
    ///
    /// # Errors
    /// [`FieldError::CapReached`] when the cap leaves no room and every field is held.
    ///
    /// # Panics
    /// When the other field is not held.
    pub fn request_around(
        &mut self,
        like: FieldId,
        crowd: &CrowdCosts,
        tick: u64,
    ) -> Result<FieldId, FieldError> {
        let kept = self.kept_mut(like);
        assert!(kept.holders > 0, "the field whose goals are taken is held");
        let (class, like) = (kept.class, like.slot as usize);
        if let Some(found) = self.find(&self.slots[like].kept.goals, class, crowd) {
            self.touch(found, tick);
            return Ok(found);
        }
        let index = self.room()?;
        let goals = std::mem::take(&mut self.slots[like].kept.goals);
        self.slots[index as usize].kept.goals.clone_from(&goals);
        self.slots[like].kept.goals = goals;
        Ok(self.begin(index, class, crowd, tick))
    }

    /// The field with equal goals, class and crowds.
    fn find(&self, goals: &GoalCells, class: u32, crowd: &CrowdCosts) -> Option<FieldId> {
        let hash = hash(goals, class, crowd);
        let equal = |slot: &Slot| {
            let same = slot.hash == hash && slot.kept.class == class && slot.kept.crowd == *crowd;
            same && !slot.kept.outdated && slot.kept.goals == *goals
        };
        let found = self.slots.iter().position(equal)?;
        Some(FieldId { slot: found as u32, generation: self.slots[found].kept.generation })
    }

    /// Puts a new field at the end of the queue; its goals are in its slot.
    fn begin(&mut self, index: u32, class: u32, crowd: &CrowdCosts, tick: u64) -> FieldId {
        let slot = &mut self.slots[index as usize];
        let FieldSnapshot { goals, crowd: own, .. } = &mut slot.kept;
        own.clone_from(crowd);
        let (goals, crowd) = (std::mem::take(goals), std::mem::take(own));
        slot.hash = hash(&goals, class, &crowd);
        let generation = slot.kept.generation.wrapping_add(1);
        slot.kept = FieldSnapshot {
            generation,
            used: tick,
            class,
            goals,
            crowd,
            ..FieldSnapshot::default()
        };
        slot.stage = Stage::Waiting;
        slot.stale.clear();
        self.queue.push(index);
        FieldId { slot: index, generation }
    }

    /// Whether so many fields can be asked for and held, one after another, whatever they are.
    pub fn has_room_for(&self, fields: usize) -> bool {
        let most = self.limits.cap_bytes / self.field_bytes();
        let held = self.slots.iter().filter(|slot| slot.kept.holders > 0).count() as u64;
        held + fields as u64 <= most
    }

    /// A slot for a new field: of those without a holder the one around crowds, or of a former map,
    /// used longest ago, else the next one below the cap, else the one used longest ago.
    fn room(&mut self) -> Result<u32, FieldError> {
        let count = self.slots.len() as u32;
        let free = (0..count).filter(|&i| self.slots[i as usize].kept.holders == 0);
        let key = |&i: &u32| (self.slots[i as usize].kept.used, i);
        let past = |&i: &u32| {
            let slot = &self.slots[i as usize];
            slot.kept.outdated || !slot.kept.crowd.is_free()
        };
        if let Some(past) = free.clone().filter(past).min_by_key(key) {
            self.vacate(past);
            return Ok(past);
        }
        let oldest = free.min_by_key(key);
        if u64::from(count + 1) * self.field_bytes() <= self.limits.cap_bytes {
            self.slots.push(Slot::new(FieldSnapshot::default()));
            return Ok(count);
        }
        let Some(oldest) = oldest else {
            let (cap, field_bytes) = (self.limits.cap_bytes, self.field_bytes());
            return Err(FieldError::CapReached { cap, in_use: count, field_bytes });
        };
        self.vacate(oldest);
        Ok(oldest)
    }

    /// Ends the work on a field that makes room.
    fn vacate(&mut self, index: u32) {
        self.queue.retain(|&slot| slot != index);
        if let Some(worker) = self.workers.iter_mut().find(|worker| worker.slot == Some(index)) {
            worker.work.cancel(&mut self.slots[index as usize], &mut worker.spare);
            worker.slot = None;
            worker.class = None;
        }
    }

    /// Counts one more holder of a field; a held field is never evicted.
    ///
    /// # Panics
    /// When the field is gone.
    pub fn hold(&mut self, id: FieldId) {
        self.kept_mut(id).holders += 1;
    }

    /// Counts one holder less.
    ///
    /// # Panics
    /// When the field is gone or has no holder.
    pub fn release(&mut self, id: FieldId) {
        let kept = self.kept_mut(id);
        assert!(kept.holders > 0, "a field is released as often as it is held");
        kept.holders -= 1;
    }

    /// Notes that a field is used at a tick.
    ///
    /// # Panics
    /// When the field is gone.
    pub fn touch(&mut self, id: FieldId, tick: u64) {
        let kept = self.kept_mut(id);
        kept.used = kept.used.max(tick);
    }

    fn kept_mut(&mut self, id: FieldId) -> &mut FieldSnapshot {
        let kept = &mut self.slots[id.slot as usize].kept;
        assert!(kept.generation == id.generation, "field {id:?} is gone: only held fields stay");
        kept
    }

    /// The slot of a field; `None` when it is gone.
    fn slot(&self, id: FieldId) -> Option<&Slot> {
        self.slots.get(id.slot as usize).filter(|slot| slot.kept.generation == id.generation)
    }

    /// Lets the oldest jobs work for a tick, in parallel; fields that get finished are visible from
    /// then on. `classes` are the same in every tick, by class index, but for the changes of the map
    /// that the fields were told of.
    ///
    /// # Panics
    /// When a field's class is not among the classes, or a class is not of this map's size.
    pub fn advance(&mut self, classes: &[Arc<Clearance>]) {
        self.make_held(classes);
        let active = self.queue.len().min(self.workers.len());
        for position in 0..active {
            let index = self.queue[position];
            if self.slots[index as usize].stage == Stage::Waiting {
                self.start_job(index, classes);
            }
        }
        let budget = self.limits.cells_per_tick.max(1);
        par::each(&mut self.workers, &|worker| {
            if let Some(class) = &worker.class {
                worker.progress = Some(worker.work.advance(class, budget));
            }
        });
        for position in 0..self.workers.len() {
            let worker = &mut self.workers[position];
            let (Some(index), Some(progress)) = (worker.slot, worker.progress) else { continue };
            let slot = &mut self.slots[index as usize];
            slot.kept.work += u64::from(progress.work);
            if progress.done {
                worker.work.finish(slot, &mut worker.spare);
                slot.kept.shown = Some(std::mem::take(&mut slot.kept.target));
                slot.stage = Stage::Done;
                worker.slot = None;
                worker.class = None;
            }
        }
        let slots = &self.slots;
        self.queue.retain(|&index| slots[index as usize].stage != Stage::Done);
        for index in 0..self.slots.len() {
            self.look_at_stale(index);
        }
    }

    /// Makes fields again that a snapshot left out because they had no holder. Before the map changes,
    /// too: what is repaired must be there.
    pub(crate) fn make_held(&mut self, classes: &[Arc<Clearance>]) {
        let cells = self.cells as usize;
        let is_missing = |slot: &Slot| {
            let left_out = slot.stage == Stage::Done && slot.field.directions.len() != cells;
            left_out && slot.kept.holders > 0 && !slot.kept.outdated
        };
        if !self.slots.iter().any(is_missing) {
            return;
        }
        par::each(&mut self.slots, &|slot| {
            if is_missing(slot) {
                let class = &classes[slot.kept.class as usize];
                slot.field = solve_around(class, &slot.kept.goals, &slot.kept.crowd);
            }
        });
    }

    fn start_job(&mut self, index: u32, classes: &[Arc<Clearance>]) {
        let slot = &mut self.slots[index as usize];
        let class = &classes[slot.kept.class as usize];
        let cells = class.slowness().len();
        assert!(cells == self.cells as usize, "a class of {cells} cells, a map of {}", self.cells);
        let worker = self.workers.iter_mut().find(|worker| worker.slot.is_none());
        let worker = worker.expect("there are as many workers as active jobs");
        worker.slot = Some(index);
        worker.class = Some(Arc::clone(class));
        worker.work.start(class, slot, &mut worker.spare);
        slot.stale.clear();
        slot.kept.target = self.version;
        slot.stage = Stage::Working;
    }

    /// Directions of a field, padded; `None` until it is visible, and when it is gone. After the map
    /// has changed, they are those of before until they have been made right. After a snapshot was
    /// restored, a field without a holder shows again in the tick after it is held.
    pub fn directions(&self, id: FieldId) -> Option<&[u32]> {
        let slot = self.slot(id)?;
        let is_shown = slot.kept.shown.is_some() && !slot.kept.outdated;
        let made = is_shown && slot.field.directions.len() == self.cells as usize;
        made.then_some(slot.field.directions.as_slice())
    }

    /// Distances of a field to its goal, padded, 256 for one plain cell; `None` until it is done, while
    /// it is made right after a change of the map, and when it is gone.
    pub(crate) fn distances(&self, id: FieldId) -> Option<&[i32]> {
        let slot = self.slot(id)?;
        let is_done = slot.stage == Stage::Done && slot.kept.shown.is_some() && !slot.kept.outdated;
        let made = is_done && slot.field.distances.len() == self.cells as usize;
        made.then_some(slot.field.distances.as_slice())
    }

    /// The goals of a field and its class; `None` when it is gone.
    pub fn goals(&self, id: FieldId) -> Option<(&GoalCells, u32)> {
        let slot = self.slot(id)?;
        Some((&slot.kept.goals, slot.kept.class))
    }

    /// The crowds that a field leads around; `None` when it is gone.
    pub fn crowd(&self, id: FieldId) -> Option<&CrowdCosts> {
        let slot = self.slot(id)?;
        Some(&slot.kept.crowd)
    }

    /// Bytes of one field.
    pub fn field_bytes(&self) -> u64 {
        8 * u64::from(self.cells)
    }

    /// Bytes of all fields; never above the cap.
    pub fn bytes(&self) -> u64 {
        self.slots.len() as u64 * self.field_bytes()
    }

    /// Bytes of the jobs' own memory.
    pub fn workspace_bytes(&self) -> u64 {
        let bytes = |work: &Work| work.job.workspace_bytes() + work.repair.workspace_bytes();
        self.workers.iter().map(|worker| bytes(&worker.work)).sum()
    }

    /// Fields that are not finished: not visible yet, or not right for the map as it is now.
    pub fn pending(&self) -> u32 {
        self.queue.len() as u32
    }
}

/// A hash of all that a field depends on beside the map.
fn hash(goals: &GoalCells, class: u32, crowd: &CrowdCosts) -> u64 {
    goals.hash(class) ^ crowd.hash()
}
