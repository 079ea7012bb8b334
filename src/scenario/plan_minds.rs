//! Where the states of machines send agents, checked against the map.

use crate::data::sets;
use crate::map::Clearance;
use crate::scenario::plan::Planner;

impl Planner<'_> {
    /// Checks the machines of groups of one clearance, each once.
    pub(super) fn machines(&mut self, groups: &[usize], class: &Clearance) {
        let def = self.def;
        let machines = groups.iter().filter_map(|&group| def.groups[group].machine);
        for (_, place) in groups.iter().flat_map(|&group| &def.groups[group].places) {
            self.goal(place, class);
        }
        for machine in sets::distinct(machines) {
            for state in &def.machines[usize::from(machine)].states {
                self.behaviours(&state.behaviours);
                if let Some(goal) = &state.goal {
                    self.goal(goal, class);
                }
            }
        }
    }
}
