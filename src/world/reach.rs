//! Agents that cannot arrive: no way leads to their goal, or they have no goal.

use crate::lane::Numbers;
use crate::map::Clearance;
use crate::nav::navigator::{Ground, nearest_open};
use crate::world::{Guidance, Tag, World, state};

/// The agents that have not arrived and will not, as things are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutOff {
    /// Agents that are ordered to a goal that no way leads to from where they are.
    pub unreachable: usize,
    /// Agents without an order, but for agents that think and agents of teams with strategies: they
    /// may send themselves, or be sent.
    pub idle: usize,
}

impl<N: Numbers> World<N> {
    /// Agents that have left the world by a decision of their own, or by a sink, in the last tick.
    pub fn left(&self) -> u32 {
        self.agents.left
    }

    /// Counts agents that have not arrived and will not while neither the map nor the orders change.
    /// Looks at every agent.
    pub fn cut_off(&self) -> CutOff {
        let mut all = CutOff::default();
        for CutOff { unreachable, idle } in self.cut_off_by_group() {
            all.unreachable += unreachable;
            all.idle += idle;
        }
        all
    }

    /// The same of every group.
    pub fn cut_off_by_group(&self) -> Vec<CutOff> {
        let groups: Vec<Reach> =
            (0..self.groups.list.len()).map(|group| self.reach(group)).collect();
        let mut counts = vec![CutOff::default(); groups.len()];
        for (tag, &pos) in self.agents.rows.tag.iter().zip(self.agents.rows.pos.iter()) {
            if tag.state & state::ARRIVED != 0 {
                continue;
            }
            let cut_off = &mut counts[usize::from(tag.group)];
            match &groups[usize::from(tag.group)] {
                Reach::Unknown => {}
                Reach::Nowhere => cut_off.idle += 1,
                Reach::Components(goals) => {
                    let class = self.ground.class_of(&self.groups.list[usize::from(tag.group)]);
                    let own = component(class, self.ground.cell_of(pos));
                    let reaches = own == 0 || goals.binary_search(&own).is_ok();
                    cut_off.unreachable += usize::from(!reaches);
                }
                Reach::Places => {
                    cut_off.unreachable += usize::from(!self.can_reach_place(*tag, pos))
                }
            }
        }
        counts
    }

    /// The ground as agents of a group can walk on it.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn clearance_of(&self, group: u16) -> &Clearance {
        self.ground.class_of(&self.groups.list[usize::from(group)])
    }

    /// The components of its ground from which ways lead to where a group is sent, ascending; `None`
    /// where it is sent nowhere, or where that is not known.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn goal_components(&self, group: u16) -> Option<Vec<u32>> {
        match self.reach(usize::from(group)) {
            Reach::Components(components) => Some(components),
            Reach::Unknown | Reach::Nowhere | Reach::Places => None,
        }
    }

    /// Where a group can arrive.
    fn reach(&self, at: usize) -> Reach {
        let (group, aim) = (&self.groups.list[at], self.groups.traits[at].guidance);
        if group.goal.is_none() {
            if let Some(exits) = self.traffic.choice_of(self.groups.id(at as u16)) {
                return self.reach_of_exits(&exits.parties);
            }
            let thinks = self.mind_of(at as u16).is_some();
            let is_led =
                self.teams.commanders.iter().any(|c| 1 << c.team == self.groups.traits[at].team);
            let may_be_sent = thinks || is_led || group.marches;
            return if may_be_sent { Reach::Unknown } else { Reach::Nowhere };
        }
        if aim == Guidance::Own {
            return Reach::Places;
        }
        if self.breaks_walls(at as u16) {
            return Reach::Unknown;
        }
        let field = group.next_field.or(group.field).and_then(|id| self.routes.fields.goals(id));
        let seeds = field.map_or(group.way.goals.seeds(), |(goals, _)| goals.seeds());
        if seeds.is_empty() {
            return Reach::Unknown;
        }
        let class = &self.ground.classes[usize::from(group.class)];
        let mut components: Vec<u32> = seeds.iter().map(|&cell| class.component(cell)).collect();
        components.sort_unstable();
        components.dedup();
        Reach::Components(components)
    }

    /// Where agents can leave that choose an exit; by group for each exit.
    fn reach_of_exits(&self, parties: &[u16]) -> Reach {
        let mut all = Vec::new();
        for &party in parties {
            match self.reach(usize::from(party)) {
                Reach::Components(components) => all.extend(components),
                _ => return Reach::Unknown,
            }
        }
        all.sort_unstable();
        all.dedup();
        Reach::Components(all)
    }

    /// Whether a way leads to an agent's own place.
    fn can_reach_place(&self, tag: Tag, pos: [N; 2]) -> bool {
        let group = &self.groups.list[usize::from(tag.group)];
        let place = group
            .goal
            .as_ref()
            .and_then(|goal| goal.places.get(self.agents.place_of[tag.id as usize] as usize));
        tag.state & state::PLACED != 0
            && place.is_some_and(|&place| self.ground.can_walk(group, pos, place))
    }
}

/// Where a group can arrive.
enum Reach {
    /// Anywhere, for all that is known.
    Unknown,
    /// It is not sent anywhere.
    Nowhere,
    /// In these components of its class, ascending.
    Components(Vec<u32>),
    /// Each in its own place.
    Places,
}

/// The component that an agent in a cell is in, or gets to by leaving that cell; 0 if that is not
/// known.
fn component(class: &Clearance, cell: u32) -> u32 {
    let cell = class.way_out(cell);
    class.component(nearest_open(&Ground::new(class), cell).unwrap_or(cell))
}
