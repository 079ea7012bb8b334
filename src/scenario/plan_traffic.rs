//! Sources, sinks and exits of a scenario, checked against its map.

use crate::map::{Clearance, area};
use crate::scenario::error::Problems;
use crate::scenario::plan::Planner;

impl Planner<'_> {
    /// Checks the sources of a group, and the exits that it chooses among.
    pub(super) fn traffic(&mut self, group: usize, class: &Clearance, problems: &mut Problems<'_>) {
        let def = self.def;
        for exit in def.groups[group].exits.iter().flat_map(|exits| &exits.areas) {
            self.goal(exit, class, problems);
        }
        for source in def.sources.iter().filter(|source| usize::from(source.group) == group) {
            self.goal(&source.area, class, problems);
        }
    }

    /// Checks that somebody can be in every sink.
    pub(super) fn sinks(&mut self, problems: &mut Problems<'_>) {
        let def = self.def;
        for sink in &def.sinks {
            if !self.on_map(&sink.area, problems) {
                continue;
            }
            for (shape, at) in sink.area.shapes.iter().zip(&sink.area.places) {
                if !area::has_room(self.map, shape, self.map.slowness()) {
                    let wrong = format!("{} lies wholly in walls", shape.label());
                    problems.problem(at, wrong, "an area with open cells");
                }
            }
        }
    }
}
