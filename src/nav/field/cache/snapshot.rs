//! Fields in a snapshot: what cannot be made again from the map.
//!
//! Directions and the memory of jobs follow from goals, class, crowds and work done, so a snapshot holds
//! only those. Restoring repeats the work in the same portions and refuses counts that do not fit.
//! Work on fields that the map has left behind began on maps of before: a [`History`] lends them.

use crate::map::Clearance;
use crate::nav::field::cache::stale::Stale;
use crate::nav::field::cache::{MAX_JOBS, Slot, Stage, Work, Worker, hash};
use crate::nav::field::{CrowdCosts, Field, FieldLimits, Fields, GoalCells, solve_around};
use crate::par;
use std::sync::Arc;

/// All fields of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldsSnapshot {
    /// Memory and work.
    pub limits: FieldLimits,
    /// How often the map has changed.
    pub version: u32,
    /// The fields, by slot.
    pub fields: Vec<FieldSnapshot>,
    /// Slots whose field is not finished, oldest first.
    pub queue: Vec<u32>,
}

/// One field: all of it that is not made from the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSnapshot {
    /// How often the slot was given to a field.
    pub generation: u32,
    /// Holders of the field.
    pub holders: u32,
    /// Last tick at which it was asked for or touched.
    pub used: u64,
    /// Index of its class.
    pub class: u32,
    /// The cells that it leads to.
    pub goals: GoalCells,
    /// The crowds that it leads around.
    pub crowd: CrowdCosts,
    /// Work done by the job at it, or by its last job, in cells; 0 in the queue is a field that waits
    /// for its turn.
    pub work: u64,
    /// The version of the map that its directions are for; none before the first are finished.
    pub shown: Option<u32>,
    /// The version of the map that the job at it works with; 0 without one.
    pub target: u32,
    /// Whether its last job began with another field, or its work is not known any more.
    pub repaired: bool,
    /// Whether the map has changed since, and it had no holder then: it is forgotten.
    pub outdated: bool,
}

/// The ground as it was before changes of the map.
pub trait History: Sync {
    /// A class as it was at a version; `None` when that is not remembered.
    fn class(&self, version: u32, class: u32) -> Option<Arc<Clearance>>;
}

/// A map that has never changed.
impl History for [Arc<Clearance>] {
    fn class(&self, version: u32, class: u32) -> Option<Arc<Clearance>> {
        self.get(class as usize).filter(|_| version == 0).map(Arc::clone)
    }
}

/// Why kept fields cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldsSnapshotError {
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
        /// Class of the field.
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
    /// A version of the map that is not remembered, or that is yet to come.
    #[error("field {slot} is of version {version} of the map, which nobody remembers")]
    Version {
        /// Slot of the field.
        slot: u32,
        /// The version.
        version: u32,
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

/// A job and the ground that it works with.
#[derive(Debug)]
struct Begun {
    work: Work,
    class: Arc<Clearance>,
}

/// Where a restored field's directions, and the job that is at it, come from.
#[derive(Debug)]
enum Source {
    /// The same field is there in this slot, with this worker at it.
    Same(usize, Option<usize>),
    /// It was made again: itself, the job at it, and what has changed since.
    Redone(Field, Option<Box<Begun>>, Stale),
    /// It has no holder, or it waits for its turn. Once it is held, it is made again.
    Later,
}

/// Fields that are sure to fit together, and how to come by them.
#[derive(Debug)]
pub(crate) struct Restored {
    kept: FieldsSnapshot,
    sources: Vec<Source>,
}

impl Fields {
    /// What a snapshot holds of the fields.
    pub fn keep(&self) -> FieldsSnapshot {
        let fields = self.kept().cloned().collect();
        let queue = self.queue.clone();
        FieldsSnapshot { limits: self.limits, version: self.version, fields, queue }
    }

    /// The same without copies, by slot.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &FieldSnapshot> {
        self.slots.iter().map(|slot| &slot.kept)
    }

    /// Slots whose field is not finished, oldest first.
    pub(crate) fn queue(&self) -> &[u32] {
        &self.queue
    }

    /// Fields that go on exactly like those that were kept, on the same map and classes. The work
    /// is done again, in parallel.
    ///
    /// # Errors
    /// Any [`FieldsSnapshotError`], when the parts contradict each other or the map.
    pub fn restore(
        cells: u32,
        kept: FieldsSnapshot,
        classes: &[Arc<Clearance>],
    ) -> Result<Self, FieldsSnapshotError> {
        let jobs = kept.limits.max_jobs;
        if !(1..=MAX_JOBS).contains(&jobs) {
            return Err(FieldsSnapshotError::Jobs { jobs });
        }
        let mut fields = Self::new(cells, kept.limits);
        let restored = fields.prepare(kept, classes, classes)?;
        fields.become_restored(restored);
        Ok(fields)
    }

    /// Checks kept fields against the map and these limits, and does the work again that the fields
    /// here have not done. Nothing changes.
    pub(crate) fn prepare(
        &self,
        kept: FieldsSnapshot,
        classes: &[Arc<Clearance>],
        history: &(impl History + ?Sized),
    ) -> Result<Restored, FieldsSnapshotError> {
        self.check(&kept, classes)?;
        let budget = self.limits.cells_per_tick.max(1);
        let source = |slot: usize| {
            let field = &kept.fields[slot];
            let (slot, queued) = (slot as u32, kept.queue.contains(&(slot as u32)));
            let found = self.find_source(field, queued);
            if let Some(found) = found.filter(|_| kept.version == self.version) {
                return Ok(found);
            }
            let waits = queued && field.shown.is_none() && field.work == 0;
            if waits || field.outdated || (!queued && field.holders == 0) {
                return Ok(Source::Later);
            }
            let class = |version: u32| {
                let now =
                    (version == kept.version).then(|| Arc::clone(&classes[field.class as usize]));
                let class = now.or_else(|| history.class(version, field.class));
                class.ok_or(FieldsSnapshotError::Version { slot, version })
            };
            let wrong =
                || FieldsSnapshotError::Work { slot, work: field.work, cells_per_tick: budget };
            let mut shown = Field::default();
            if let Some(version) = field.shown {
                let class = class(version)?;
                shown = if queued || field.repaired {
                    solve_around(&class, &field.goals, &field.crowd)
                } else {
                    let slot = &mut field.slot();
                    let mut work =
                        redo(slot, &class, field.work, budget, true).ok_or_else(wrong)?;
                    work.finish(slot, &mut Field::default());
                    std::mem::take(&mut slot.field)
                };
            }
            let mut base = field.shown.unwrap_or(kept.version);
            let mut begun = None;
            if queued && field.work > 0 {
                let target = class(field.target)?;
                let slot = &mut field.slot();
                if let Some(version) = field.shown {
                    slot.kept.shown = Some(version);
                    slot.stale = between(&*class(version)?, &target);
                    slot.field = std::mem::take(&mut shown);
                }
                let work = redo(slot, &target, field.work, budget, false).ok_or_else(wrong)?;
                shown = std::mem::take(&mut slot.field);
                begun = Some(Box::new(Begun { work, class: target }));
                base = field.target;
            }
            let mut stale = Stale::new();
            if queued && base != kept.version {
                stale = between(&*class(base)?, &*class(kept.version)?);
            }
            Ok(Source::Redone(shown, begun, stale))
        };
        let sources =
            par::map(kept.fields.len(), 1, source).into_iter().collect::<Result<_, _>>()?;
        Ok(Restored { kept, sources })
    }

    /// Where the fields here have what a kept one needs.
    fn find_source(&self, field: &FieldSnapshot, queued: bool) -> Option<Source> {
        let hash = hash(&field.goals, field.class, &field.crowd);
        let working = queued && field.work > 0;
        let slot = self.slots.iter().position(|slot| {
            let same =
                slot.hash == hash && slot.kept.class == field.class && slot.kept.work == field.work;
            let (is_queued, is_working) = (slot.stage != Stage::Done, slot.stage == Stage::Working);
            let at_same =
                is_queued == queued && is_working == working && slot.kept.shown == field.shown;
            let job = [slot.kept.repaired, slot.kept.outdated] == [field.repaired, field.outdated];
            // Directions may have been left out of a field without a holder.
            let made =
                slot.kept.shown.is_none() || slot.field.directions.len() == self.cells as usize;
            let there = made || field.holders == 0;
            same && at_same
                && job
                && there
                && (!working || slot.kept.target == field.target)
                && slot.kept.goals == field.goals
                && slot.kept.crowd == field.crowd
        })?;
        let works = |worker: &Worker| worker.slot == Some(slot as u32);
        Some(Source::Same(slot, self.workers.iter().position(works)))
    }

    /// Takes on fields that [`Fields::prepare`] has checked.
    pub(crate) fn become_restored(&mut self, restored: Restored) {
        let Restored { kept, sources } = restored;
        let mut old = std::mem::replace(self, Self::new(self.cells, self.limits));
        self.version = kept.version;
        let mut workers = self.workers.iter_mut();
        for ((index, field), source) in (0..).zip(kept.fields).zip(sources) {
            let stage = match (kept.queue.contains(&index), field.work) {
                (false, _) => Stage::Done,
                (true, 0) => Stage::Waiting,
                (true, _) => Stage::Working,
            };
            let (shown, begun, stale) = match source {
                Source::Same(slot, worker) => {
                    let slot = &mut old.slots[slot];
                    let begun = worker.and_then(|worker| {
                        let worker = &mut old.workers[worker];
                        let (work, class) =
                            (std::mem::take(&mut worker.work), worker.class.take()?);
                        Some(Box::new(Begun { work, class }))
                    });
                    (std::mem::take(&mut slot.field), begun, std::mem::take(&mut slot.stale))
                }
                Source::Redone(shown, begun, stale) => (shown, begun, stale),
                Source::Later => (Field::default(), None, Stale::new()),
            };
            if let Some(begun) = begun {
                let worker = workers.next().expect("at most as many work as may");
                worker.slot = Some(index);
                (worker.work, worker.class) = (begun.work, Some(begun.class));
            }
            let target = if stage == Stage::Working { field.target } else { 0 };
            let slot = Slot::new(FieldSnapshot { target, ..field });
            self.slots.push(Slot { stage, stale, field: shown, ..slot });
        }
        self.queue = kept.queue;
    }

    /// Checks what can be checked before any work.
    fn check(
        &self,
        kept: &FieldsSnapshot,
        classes: &[Arc<Clearance>],
    ) -> Result<(), FieldsSnapshotError> {
        let (count, cap) = (kept.fields.len() as u64, kept.limits.cap_bytes);
        let field_bytes = self.field_bytes();
        if count.saturating_mul(field_bytes) > cap {
            return Err(FieldsSnapshotError::TooMany { count, field_bytes, cap });
        }
        for (slot, field) in (0..).zip(&kept.fields) {
            let class = field.class;
            if class as usize >= classes.len() {
                return Err(FieldsSnapshotError::Class {
                    slot,
                    class,
                    classes: classes.len() as u32,
                });
            }
            let inside = field.goals.area().last().is_some_and(|&cell| cell < self.cells);
            if !inside || field.goals.seeds().is_empty() {
                return Err(FieldsSnapshotError::Goals { slot });
            }
        }
        let fields = (0_u32..).zip(&kept.fields).filter(|(_, field)| !field.outdated);
        let mut hashes: Vec<(u64, u32)> = fields
            .map(|(slot, field)| (hash(&field.goals, field.class, &field.crowd), slot))
            .collect();
        hashes.sort_unstable();
        if let Some(twins) = hashes.windows(2).find(|twins| twins[0].0 == twins[1].0) {
            return Err(FieldsSnapshotError::Twin { slot: twins[1].1 });
        }
        let mut queued = kept.queue.clone();
        queued.sort_unstable();
        let distinct = queued.windows(2).all(|pair| pair[0] != pair[1]);
        let inside = queued.last().is_none_or(|&slot| (slot as usize) < kept.fields.len());
        let all = distinct
            && inside
            && (0..).zip(&kept.fields).all(|(slot, field)| {
                let queued = queued.binary_search(&slot).is_ok();
                match field.shown {
                    None => queued && !field.outdated,
                    Some(_) => !(queued && field.outdated),
                }
            });
        let started = kept
            .queue
            .iter()
            .map(|&slot| kept.fields.get(slot as usize).is_some_and(|field| field.work > 0));
        let ordered = started.clone().is_sorted_by(|a, b| a >= b);
        let fit = started.filter(|&started| started).count() <= self.workers.len();
        if all && ordered && fit { Ok(()) } else { Err(FieldsSnapshotError::Queue) }
    }
}

impl FieldSnapshot {
    /// A slot for its goals and crowds, on which nothing has been done.
    fn slot(&self) -> Slot {
        let (goals, crowd) = (self.goals.clone(), self.crowd.clone());
        Slot::new(Self { class: self.class, goals, crowd, ..Self::default() })
    }
}

/// Which cells differ between two versions of a class, and their slowness in the first.
fn between(then: &Clearance, now: &Clearance) -> Stale {
    let pairs = (0..).zip(then.slowness().iter().zip(now.slowness()));
    let differs = pairs.filter(|(_, (then, now))| then != now);
    differs.map(|(cell, (&then, _))| (cell, then)).collect()
}

/// Does so much work on a field again, portion by portion; `None` if no portion ends at its count,
/// or it is `finished` at another one.
fn redo(
    slot: &mut Slot,
    class: &Clearance,
    count: u64,
    budget: u32,
    finished: bool,
) -> Option<Work> {
    let mut work = Work::default();
    let mut done = false;
    if count > 0 {
        work.start(class, slot, &mut Field::default());
    }
    let mut sum = 0;
    while sum < count && !done {
        let progress = work.advance(class, budget);
        sum += u64::from(progress.work);
        done = progress.done;
    }
    if finished && !done {
        // All work may be done before the last portion finds that nothing is left.
        let progress = work.advance(class, budget);
        done = progress.done;
        sum += u64::from(progress.work);
    }
    (sum == count && done == finished).then_some(work)
}
