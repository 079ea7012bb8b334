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

impl Fields {
    /// What a snapshot holds of the fields.
    pub fn keep(&self) -> KeptFields {
        let kept = |slot: &Slot| KeptField {
            generation: slot.generation,
            holders: slot.holders,
            used: slot.used,
            class: slot.class,
            goals: slot.goals.clone(),
            crowd: slot.crowd.clone(),
            work: slot.work,
            visible: slot.stage == Stage::Visible,
        };
        let fields = self.slots.iter().map(kept).collect();
        KeptFields { limits: self.limits, fields, queue: self.queue.clone() }
    }

    /// Fields that go on exactly like those that were kept, on the same map and classes. The work
    /// is done again, in parallel.
    ///
    /// # Errors
    /// Any [`KeptError`], when the parts contradict each other or the map.
    pub fn restore(
        cells: u32,
        kept: &KeptFields,
        classes: &[Clearance],
    ) -> Result<Self, KeptError> {
        let jobs = kept.limits.max_jobs;
        if !(1..=MAX_JOBS).contains(&jobs) {
            return Err(KeptError::Jobs { jobs });
        }
        let mut fields = Self::new(cells, kept.limits);
        fields.check(kept, classes)?;
        let budget = kept.limits.cells_per_tick.max(1);
        let redo = |(slot, field): (usize, &KeptField)| {
            let class = &classes[field.class as usize];
            redo(field, class, budget).ok_or(KeptError::Work {
                slot: slot as u32,
                work: field.work,
                cells_per_tick: budget,
            })
        };
        let jobs: Vec<Job> =
            kept.fields.par_iter().enumerate().map(redo).collect::<Result<_, _>>()?;
        let mut workers = fields.workers.iter_mut();
        for ((index, field), mut job) in (0..).zip(&kept.fields).zip(jobs) {
            let (stage, directions) = match (field.visible, field.work) {
                (true, _) => (Stage::Visible, job.take_directions()),
                (false, 0) => (Stage::Waiting, Vec::new()),
                (false, _) => {
                    let worker = workers.next().ok_or(KeptError::Queue)?;
                    *worker = Worker { slot: Some(index), class: field.class, job, progress: None };
                    (Stage::Working, Vec::new())
                }
            };
            fields.slots.push(Slot {
                generation: field.generation,
                stage,
                holders: field.holders,
                used: field.used,
                class: field.class,
                hash: hash(&field.goals, field.class, &field.crowd),
                goals: field.goals.clone(),
                crowd: field.crowd.clone(),
                work: field.work,
                directions,
            });
        }
        fields.queue.clone_from(&kept.queue);
        Ok(fields)
    }

    /// Checks what can be checked before any work.
    fn check(&self, kept: &KeptFields, classes: &[Clearance]) -> Result<(), KeptError> {
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
