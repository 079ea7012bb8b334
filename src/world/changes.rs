//! Changing maps: what was built and taken down since the map was given.

use std::sync::Arc;

use crate::data::record::record;
use crate::lane::Numbers;
use crate::map::{ClassKind, Clearance, Ground, Map, MapError};
use crate::nav::field::{Fields, History};
use crate::world::World;

record! {
    /// A cell and what it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct ChangedCell {
        /// Padded index.
        pub(crate) cell: u32,
        pub(crate) ground: Ground,
    }
}

record! {
    /// A cell and what it was before a version of the map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct PastCell {
        pub(crate) version: u32,
        pub(crate) was: ChangedCell,
    }
}

/// What has changed about a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Cells that are not as the map was given, ascending, and what they are now.
    pub(crate) cells: Vec<ChangedCell>,
    /// What cells were before the latest versions, oldest first, as far as fields still need it.
    pub(crate) log: Vec<PastCell>,
}

impl Changes {
    /// Takes on what cells have become, ascending.
    fn add(&mut self, new: &[(u32, Ground)], given: &Map) {
        let listed = |cell: u32| new.binary_search_by_key(&cell, |&(cell, _)| cell).is_ok();
        self.cells.retain(|old| !listed(old.cell));
        let differs = new.iter().filter(|&&(cell, ground)| given.ground(cell) != ground);
        self.cells.extend(differs.map(|&(cell, ground)| ChangedCell { cell, ground }));
        self.cells.sort_unstable_by_key(|changed| changed.cell);
    }

    /// The map with these changes.
    pub(crate) fn apply(&self, given: &Arc<Map>) -> Arc<Map> {
        let mut map = Arc::clone(given);
        if !self.cells.is_empty() {
            let cells: Vec<_> = self.cells.iter().map(|c| (c.cell, c.ground)).collect();
            Arc::make_mut(&mut map).change(&cells);
        }
        map
    }
}

impl<N: Numbers> World<N> {
    /// Changes what cells of the map are (padded indices, ascending, each once, all different from
    /// what they were), and repairs all that follows from it: now the classes, and the fields as
    /// work on them goes on.
    ///
    /// # Errors
    /// [`MapError::DistanceBound`] when ways may become too long; nothing has changed then.
    pub(crate) fn change_map(&mut self, cells: &[(u32, Ground)]) -> Result<(), MapError> {
        self.routes.fields.make_held(&self.ground.classes);
        let stays_short = |class: &Arc<Clearance>| class.stays_short(cells.len());
        let may_fail =
            !(self.ground.map.stays_short(cells) && self.ground.classes.iter().all(stays_short));
        let before = may_fail.then(|| (Arc::clone(&self.ground.map), self.ground.classes.clone()));
        let version = self.routes.fields.version() + 1;
        let past = cells.iter().map(|&(cell, _)| PastCell {
            version,
            was: ChangedCell { cell, ground: self.ground.map.ground(cell) },
        });
        let past: Vec<PastCell> = past.collect();
        let Some(window) = Arc::make_mut(&mut self.ground.map).change(cells) else { return Ok(()) };
        let map = &self.ground.map;
        let repair = |class: &mut Arc<Clearance>| Arc::make_mut(class).repair(map, window);
        let changed: Result<Vec<_>, _> = self.ground.classes.iter_mut().map(repair).collect();
        let changed = match (changed, before) {
            (Ok(changed), _) => changed,
            (Err(error), before) => {
                (self.ground.map, self.ground.classes) = before.expect("only where ways are long");
                return Err(error);
            }
        };
        let flips = past.iter().zip(cells).filter_map(|(past, &(cell, ground))| {
            let opens = ground.slowness != 0;
            (opens != (past.was.ground.slowness != 0)).then_some((cell, opens))
        });
        self.routes.crowding.map_changed(&self.ground.map, flips);
        self.ground.changes.log.extend(past);
        self.ground.changes.add(cells, &self.ground.given_map);
        self.ground.bar_again(cells);
        self.routes.fields.map_changed(&changed, &self.ground.classes);
        self.corridors_changed(&changed);
        self.ways_changed(window, &changed);
        self.ground.changes.forget_past(&self.routes.fields);
        Ok(())
    }
}

impl Changes {
    /// Drops what no field needs to know any more.
    pub(crate) fn forget_past(&mut self, fields: &Fields) {
        match fields.oldest_version() {
            None => self.log.clear(),
            Some(oldest) => self.log.retain(|past| past.version > oldest),
        }
    }
}

/// The ground of before, made from the map of a version and the log.
pub(crate) struct FormerGround<'a> {
    /// The map as it is at `version`.
    pub(crate) map: &'a Map,
    pub(crate) version: u32,
    pub(crate) log: &'a [PastCell],
    /// The kind of every class.
    pub(crate) kinds: &'a [ClassKind],
}

impl History for FormerGround<'_> {
    fn class(&self, version: u32, class: u32) -> Option<Arc<Clearance>> {
        let oldest = self.log.first().map_or(self.version, |past| past.version - 1);
        let kind = self.kinds.get(class as usize)?;
        if !(oldest..=self.version).contains(&version) {
            return None;
        }
        let undone = self.log.iter().filter(|past| past.version > version);
        let mut cells: Vec<_> = undone.map(|past| (past.was.cell, past.was.ground)).collect();
        // A stable sort leaves the oldest entry of a cell first.
        cells.sort_by_key(|&(cell, _)| cell);
        cells.dedup_by_key(|&mut (cell, _)| cell);
        let mut map = self.map.clone();
        map.change(&cells);
        map.class_of(kind).ok().map(Arc::new)
    }
}
