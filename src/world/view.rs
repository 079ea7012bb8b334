//! A world without the rows of its agents.

use crate::lane::Numbers;
use crate::map::area::Shape;
use crate::math::each::Each;
use crate::nav::field::SOLID;
use crate::nav::field::direction::GOAL_AREA;
use crate::world::{
    AgentRows, Agents, Combat, Ground, Groups, Guidance, Log, Minds, Routes, Settings, Structures,
    Tag, World, state,
};

/// What a stage reads that writes the rows of agents.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, N: Numbers> {
    pub(crate) settings: &'a Settings,
    pub(crate) log: &'a Log,
    pub(crate) ground: &'a Ground<N>,
    pub(crate) groups: &'a Groups<N>,
    pub(crate) routes: &'a Routes<N>,
    pub(crate) combat: &'a Combat<N>,
    pub(crate) minds: &'a Minds<N>,
    pub(crate) structures: &'a Structures,
    /// See [`Agents`].
    pub(crate) place_of: &'a [u32],
    pub(crate) home: &'a [[N; 2]],
    pub(crate) paces: &'a [u8],
    pub(crate) heads: &'a [[N; 2]],
}

impl<N: Numbers> World<N> {
    /// The rows of agents, to be written, and all that is read meanwhile.
    pub(crate) fn split(&mut self) -> (&mut AgentRows<N>, View<'_, N>) {
        let Self { settings, log, ground, groups, routes, combat, minds, structures, .. } = self;
        let Agents { rows, place_of, home, paces, heads, .. } = &mut self.agents;
        let view = View {
            settings,
            log,
            ground,
            groups,
            routes,
            combat,
            minds,
            structures,
            place_of,
            home,
            paces,
            heads,
        };
        (rows, view)
    }
}

impl<N: Numbers> View<'_, N> {
    /// Whether an agent halts because it has a target.
    #[inline(always)]
    pub(crate) fn halts(&self, tag: Tag) -> bool {
        self.combat.combatants.halts(self.groups, tag)
    }

    /// Whether a position is in the area of a group's goal.
    pub(crate) fn is_in_goal(&self, group: u16, pos: [N; 2]) -> bool {
        let row = &self.groups.list[usize::from(group)];
        let ground = self.ground.open_cells();
        let [i, j] = ground.cell(pos);
        let cell = j as usize * ground.stride + i as usize;
        match row.field {
            Some(field) => {
                let code = self.routes.fields.directions(field).and_then(|codes| codes.get(cell));
                code.is_some_and(|&code| code != SOLID && code & GOAL_AREA != 0)
            }
            None => row.way.holds(cell as u32, [i, j]),
        }
    }

    /// Whether an agent is in the area of its group's goal, or beside it by less than a radius; where
    /// the goal is a point, or one to each agent, whether it is at its place.
    pub(crate) fn is_at_goal(&self, tag: Tag, pos: [N; 2]) -> bool {
        let traits = &self.groups.traits[usize::from(tag.group)];
        if let Some(goal) = &self.groups.list[usize::from(tag.group)].goal
            && tag.state & state::PLACED != 0
            && (goal.each || matches!(goal.shapes[..], [Shape::Point { .. }]))
        {
            let place = goal.places[self.place_of[tag.id as usize] as usize];
            let near = traits.radius + traits.radius;
            let delta = [0, 1].each(|axis| pos[axis] - place[axis]);
            if delta.iter().all(|&d| d < near && -d < near) {
                return true;
            }
        }
        let goal = &self.groups.list[usize::from(tag.group)].goal;
        if traits.guidance == Guidance::Own || goal.as_ref().is_some_and(|goal| goal.each) {
            return false;
        }
        // Half a radius: the other half is for what the rest of the tick does.
        let beside = traits.radius * N::HALF;
        let sides = [[beside, N::ZERO], [-beside, N::ZERO], [N::ZERO, beside], [N::ZERO, -beside]];
        self.is_in_goal(tag.group, pos)
            || sides
                .iter()
                .any(|side| self.is_in_goal(tag.group, [pos[0] + side[0], pos[1] + side[1]]))
    }
}
