//! Fields in a snapshot: what cannot be made again from the map.
//!
//! Directions and the memory of jobs follow from goals, class, crowds and work done, so a snapshot holds
//! only those. Restoring repeats the work in the same portions and refuses counts that do not fit.

use crate::map::Clearance;
use crate::nav::field::CrowdCosts;
use crate::nav::field::FieldLimits;
use crate::nav::field::Fields;
use crate::nav::field::GoalCells;
use crate::nav::field::Job;
use crate::nav::field::cache::MAX_JOBS;
use crate::nav::field::cache::Slot;
use crate::nav::field::cache::Stage;
use crate::nav::field::cache::Worker;
use crate::nav::field::cache::hash;
use rayon::prelude::*;

/// All fields of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFields {
    /// Memory and work.
    pub limits: FieldLimits,
    /// The fields, by slot.
    pub fields: Vec<KeptField>,
    /// Slots whose field is not visible yet, oldest first.
    pub queue: Vec<u32>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptField {
    /// How often the slot was given to a field.
    pub generation: u32,
    /// Holders of the field.
    pub holders: u32,
    /// Last tick at which it was asked for or touched.
    pub used: u64,
    /// Index of its class.
    pub class: u32,
    /// Where it leads.
    pub goals: GoalCells,
    /// The crowds that it leads around.
    pub crowd: CrowdCosts,
    /// Work done, in cells; 0 is a field that waits for its turn.
    pub work: u64,
    /// Whether it is finished.
    pub visible: bool,
}

/// Why kept fields cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// More fields than the cap has room for.
    #[error("{count} fields of {field_bytes} bytes are more than the cap of {cap} bytes")]
    TooMany {
        /// Fields kept.
        count: u64,
        /// Bytes of one field of this map.
        field_bytes: u64,
        /// Bytes of all fields together.
        cap: u64,
    },
    /// A number of jobs that is out of its range.
    #[error("{jobs} jobs a tick; 1 to {MAX_JOBS} are possible")]
    Jobs {
        /// Jobs a tick.
        jobs: u32,
    },
    /// A class that does not exist.
    #[error("field {slot} is for class {class}, but there are {classes} classes")]
    Class {
        /// Slot of the field.
        slot: u32,
        /// Its class.
        class: u32,
        /// Classes there are.
        classes: u32,
    },
    /// A field without goals, or with a goal off the map.
    #[error("field {slot} has no goal, or one that is off the map")]
    Goals {
        /// Slot of the field.
        slot: u32,
    },
    /// Two fields that are the same.
    #[error("field {slot} is the same as another one")]
    Twin {
        /// Slot of the second one.
        slot: u32,
    },
    /// A queue that does not hold the fields that are not visible, started ones first.
    #[error("the queue does not hold each unfinished field once, started ones first")]
    Queue,
    /// Work that a field does not come to.
    #[error("field {slot} does not come to {work} cells of work in portions of {cells_per_tick}")]
    Work {
        /// Slot of the field.
        slot: u32,
        /// Work kept.
        work: u64,
        /// Work a tick.
        cells_per_tick: u32,
    },
}

/// A field as it is kept, without a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldView<'a> {
    pub(crate) generation: u32,
    pub(crate) holders: u32,
    pub(crate) used: u64,
    pub(crate) class: u32,
    pub(crate) goals: &'a GoalCells,
    pub(crate) crowd: &'a CrowdCosts,
    pub(crate) work: u64,
    pub(crate) visible: bool,
}

/// Where a restored field's directions, or the job that makes them, come from.
#[derive(Debug)]
enum Source {
    /// The same field is there in this slot.
    Slot(usize),
    /// A job for the same field has done as much work.
    Worker(usize),
    /// The work was done again.
    Redone(Box<Job>),
    /// Finished and held by nobody: it is made again as soon as somebody holds it.
    Later,
}

/// Fields that are sure to fit together, and how to come by them.
#[derive(Debug)]
pub(crate) struct Restored {
    kept: KeptFields,
    sources: Vec<Source>,
}

impl Fields {
    /// What a snapshot holds of the fields.
    pub fn keep(&self) -> KeptFields {
        let kept = |field: FieldView<'_>| KeptField {
            generation: field.generation,
            holders: field.holders,
            used: field.used,
            class: field.class,
            goals: field.goals.clone(),
            crowd: field.crowd.clone(),
            work: field.work,
            visible: field.visible,
        };
        let fields = self.kept().map(kept).collect();
        KeptFields { limits: self.limits, fields, queue: self.queue.clone() }
    }

    /// The same without copies, by slot.
    pub(crate) fn kept(&self) -> impl Iterator<Item = FieldView<'_>> {
        self.slots.iter().map(|slot| FieldView {
            generation: slot.generation,
            holders: slot.holders,
            used: slot.used,
            class: slot.class,
            goals: &slot.goals,
            crowd: &slot.crowd,
            work: slot.work,
            visible: slot.stage == Stage::Visible,
        })
    }

    /// Slots whose field is not visible yet, oldest first.
    pub(crate) fn queue(&self) -> &[u32] {
        &self.queue
    }

    /// Fields that go on exactly like those that were kept, on the same map and classes. The work
    /// is done again, in parallel.
    ///
    /// # Errors
    /// Any [`KeptError`], when the parts contradict each other or the map.
    pub fn restore(cells: u32, kept: KeptFields, classes: &[Clearance]) -> Result<Self, KeptError> {
        let jobs = kept.limits.max_jobs;
        if !(1..=MAX_JOBS).contains(&jobs) {
            return Err(KeptError::Jobs { jobs });
        }
        let mut fields = Self::new(cells, kept.limits);
        let classes: Vec<&Clearance> = classes.iter().collect();
        let restored = fields.prepare(kept, &classes)?;
        fields.become_restored(restored);
        Ok(fields)
    }

    /// Checks kept fields against the map and these limits, and does the work again that the fields
    /// here have not done. Nothing changes.
    pub(crate) fn prepare(
        &self,
        kept: KeptFields,
        classes: &[&Clearance],
    ) -> Result<Restored, KeptError> {
        self.check(&kept, classes)?;
        let budget = self.limits.cells_per_tick.max(1);
        let source = |(slot, field): (usize, &KeptField)| {
            if let Some(found) = self.find_source(field) {
                return Ok(found);
            }
            if field.visible && field.holders == 0 {
                return Ok(Source::Later);
            }
            let job = redo(field, classes[field.class as usize], budget);
            let error =
                KeptError::Work { slot: slot as u32, work: field.work, cells_per_tick: budget };
            job.map(|job| Source::Redone(Box::new(job))).ok_or(error)
        };
        let sources = kept.fields.par_iter().enumerate().map(source).collect::<Result<_, _>>()?;
        Ok(Restored { kept, sources })
    }

    /// Where the fields here have what a kept one needs.
    fn find_source(&self, field: &KeptField) -> Option<Source> {
        let hash = hash(&field.goals, field.class, &field.crowd);
        let slot = self.slots.iter().position(|slot| {
            let same = slot.hash == hash && slot.class == field.class && slot.work == field.work;
            let is_visible = slot.stage == Stage::Visible;
            same && is_visible == field.visible
                && slot.goals == field.goals
                && slot.crowd == field.crowd
        })?;
        match self.slots[slot].stage {
            Stage::Visible => Some(Source::Slot(slot)),
            Stage::Waiting => None,
            Stage::Working => {
                let works = |worker: &Worker| worker.slot == Some(slot as u32);
                self.workers.iter().position(works).map(Source::Worker)
            }
        }
    }

    /// Takes on fields that [`Fields::prepare`] has checked.
    pub(crate) fn become_restored(&mut self, restored: Restored) {
        let Restored { kept, sources } = restored;
        let mut old = std::mem::replace(self, Self::new(self.cells, self.limits));
        let mut workers = self.workers.iter_mut();
        for ((index, field), source) in (0..).zip(kept.fields).zip(sources) {
            let mut directions = Vec::new();
            let stage = match (field.visible, field.work) {
                (true, _) => Stage::Visible,
                (false, 0) => Stage::Waiting,
                (false, _) => Stage::Working,
            };
            let job = match source {
                Source::Slot(slot) => {
                    directions = std::mem::take(&mut old.slots[slot].directions);
                    None
                }
                Source::Worker(worker) => Some(std::mem::take(&mut old.workers[worker].job)),
                Source::Redone(job) => Some(*job),
                Source::Later => None,
            };
            if let Some(mut job) = job {
                match stage {
                    Stage::Visible => directions = job.take_directions(),
                    Stage::Waiting => {}
                    Stage::Working => {
                        let worker = workers.next().expect("at most as many work as may");
                        let slot = Some(index);
                        *worker = Worker { slot, class: field.class, job, progress: None };
                    }
                }
            }
            self.slots.push(Slot {
                generation: field.generation,
                stage,
                holders: field.holders,
                used: field.used,
                class: field.class,
                hash: hash(&field.goals, field.class, &field.crowd),
                goals: field.goals,
                crowd: field.crowd,
                work: field.work,
                directions,
            });
        }
        self.queue = kept.queue;
    }

    /// Checks what can be checked before any work.
    fn check(&self, kept: &KeptFields, classes: &[&Clearance]) -> Result<(), KeptError> {
        let (count, cap) = (kept.fields.len() as u64, kept.limits.cap_bytes);
        let field_bytes = self.field_bytes();
        if count.saturating_mul(field_bytes) > cap {
            return Err(KeptError::TooMany { count, field_bytes, cap });
        }
        for (slot, field) in (0..).zip(&kept.fields) {
            let class = field.class;
            if class as usize >= classes.len() {
                return Err(KeptError::Class { slot, class, classes: classes.len() as u32 });
            }
            let inside = field.goals.area().last().is_some_and(|&cell| cell < self.cells);
            if !inside || field.goals.seeds().is_empty() {
                return Err(KeptError::Goals { slot });
            }
        }
        let fields = (0_u32..).zip(&kept.fields);
        let mut hashes: Vec<(u64, u32)> = fields
            .map(|(slot, field)| (hash(&field.goals, field.class, &field.crowd), slot))
            .collect();
        hashes.sort_unstable();
        if let Some(twins) = hashes.windows(2).find(|twins| twins[0].0 == twins[1].0) {
            return Err(KeptError::Twin { slot: twins[1].1 });
        }
        let mut queued = kept.queue.clone();
        queued.sort_unstable();
        let unfinished = (0..).zip(&kept.fields).filter(|(_, field)| !field.visible);
        let started = kept
            .queue
            .iter()
            .map(|&slot| kept.fields.get(slot as usize).is_some_and(|field| field.work > 0));
        let ordered = started.clone().is_sorted_by(|a, b| a >= b);
        let all = queued.into_iter().eq(unfinished.map(|(slot, _): (u32, _)| slot));
        let fit = started.filter(|&started| started).count() <= self.workers.len();
        if all && ordered && fit { Ok(()) } else { Err(KeptError::Queue) }
    }
}

/// Does the work of a field again, portion by portion; `None` if no portion ends at its count, or
/// it is finished at another one.
fn redo(field: &KeptField, class: &Clearance, budget: u32) -> Option<Job> {
    let mut job = Job::default();
    let mut work = 0;
    let mut done = false;
    if field.work > 0 {
        job.start_around(class, &field.goals, &field.crowd, Vec::new());
    }
    while work < field.work && !done {
        let progress = job.advance(class, budget);
        work += u64::from(progress.work);
        done = progress.done;
    }
    (work == field.work && done == field.visible).then_some(job)
}
