//! Sources, sinks, exits, structures and doors of a scenario, checked against its map.

use crate::map::{Clearance, area};
use crate::scenario::def::AreaDef;
use crate::scenario::plan::Planner;

impl Planner<'_> {
    /// Checks the sources of a group, and the exits that it chooses among.
    pub(super) fn traffic(&mut self, group: usize, class: &Clearance) {
        let def = self.def;
        for exit in def.groups[group].exits.iter().flat_map(|exits| &exits.areas) {
            self.goal(exit, class);
        }
        for source in def.sources.iter().filter(|source| usize::from(source.group) == group) {
            self.goal(&source.area, class);
        }
    }

    /// Checks that every sink has open cells.
    pub(super) fn sinks(&mut self) {
        let def = self.def;
        def.sinks.iter().for_each(|sink| self.has_open_cells(&sink.area));
    }

    /// Checks that there is ground to build every structure on; what is a wall of the map may have been
    /// taken down by then, if anything is.
    pub(super) fn structures(&mut self) {
        let def = self.def;
        for structure in &def.structures {
            if self.opened.is_some_and(|first| first <= structure.tick) || !def.doors.is_empty() {
                self.on_map(&structure.area);
            } else {
                self.has_open_cells(&structure.area);
            }
        }
    }

    /// Checks that doors are on the map.
    pub(super) fn doors(&mut self) {
        let def = self.def;
        for door in &def.doors {
            self.on_map(&door.area);
        }
    }

    /// Reports shapes that are off the map, or lie wholly in walls.
    fn has_open_cells(&mut self, area: &AreaDef) {
        if !self.on_map(area) {
            return;
        }
        for (shape, at) in area.shapes.iter().zip(&area.places) {
            if !area::has_room(self.map, shape, self.map.slowness()) {
                let wrong = format!("{} lies wholly in walls", shape.label());
                self.problems.problem(at, wrong, "an area with open cells");
            }
        }
    }
}
