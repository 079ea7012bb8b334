//! Adding groups, adding and removing agents.

use crate::math::each::Each;
use std::sync::Arc;

use bytemuck::Zeroable;

use crate::data::{GroupId, Id};
use crate::lane::Numbers;
use crate::map::Map;
use crate::map::limits::max_classes;
use crate::world::error::check;
use crate::world::thoughts::NO_VARIANT_SET;
use crate::world::{
    Aimed, Group, GroupDef, MAX_AGENTS, MAX_GROUPS, Tag, Traits, World, WorldError,
};

/// Most that an agent may go at anywhere, in m/s: fixed point counts it, and what comes of it.
const MAX_SPEED: f64 = 8_000.0;

/// Refuses more kinds of groups than a map has memory for.
pub(crate) fn check_classes(map: &Map, classes: usize) -> Result<(), WorldError> {
    let most = max_classes(map.letters().len() as u64);
    if classes <= most {
        return Ok(());
    }
    let (what, asked) = ("radii and costs of ground of groups on this map", classes as u64);
    Err(WorldError::TooMany { what, asked, most: most as u64 })
}

impl<N: Numbers> World<N> {
    /// Refuses a trait that is out of range, on this map.
    pub(crate) fn check_group(&self, def: &GroupDef) -> Result<(), WorldError> {
        def.check()?;
        let fastest = def.speed * def.sprint * self.ground.quickest.factor(&def.terrain);
        check("speed on the quickest ground, with sprint,", fastest, 0.0, MAX_SPEED)
    }

    /// Refuses a weapon that there is not, and traits as [`World::check_group`].
    pub(crate) fn check_armed_group(&self, def: &GroupDef) -> Result<(), WorldError> {
        let weapons = self.combat.weapons.len();
        match def.weapon.filter(|&weapon| usize::from(weapon) >= weapons) {
            Some(weapon) => Err(WorldError::NoSuchWeapon { weapon, weapons }),
            None => self.check_group(def),
        }
    }

    /// Adds a group without agents. It gets the index of a removed one of its size, costs of ground and
    /// kind of navigator (routes or not), if there is any without projectiles in the air; else the next.
    ///
    /// # Errors
    /// When a trait is out of range or there are too many groups.
    pub fn add_group(&mut self, def: GroupDef) -> Result<GroupId, WorldError> {
        self.check_armed_group(&def)?;
        let kind = self.ground.map.kind(def.radius, &def.terrain)?;
        let known = self.ground.classes.iter().position(|class| *class.kind() == kind);
        let free = known.and_then(|class| self.free_group(class, &def));
        if free.is_none() && self.groups.list.len() == MAX_GROUPS {
            let asked = MAX_GROUPS as u64 + 1;
            return Err(WorldError::TooMany { what: "groups", asked, most: MAX_GROUPS as u64 });
        }
        let class = match known {
            Some(class) => class,
            None => {
                check_classes(&self.ground.map, self.ground.classes.len() + 1)?;
                self.ground.classes.push(Arc::new(self.ground.map.class_of(&kind)?));
                self.ground.classes.len() - 1
            }
        };
        let quickest = self.ground.quickest.factor(&def.terrain);
        let traits = Traits::new(&def, &self.ground.map, quickest, self.dt());
        self.routes.by_points |= def.navigator.is_by_points();
        let index = match free {
            Some(index) => {
                let generation = self.groups.list[usize::from(index)].generation + 1;
                self.groups.list[usize::from(index)] = Group::new(def, class as u16, generation);
                self.groups.traits[usize::from(index)] = traits;
                self.groups.removed.retain(|&removed| removed != index);
                index
            }
            None => {
                self.groups.list.push(Group::new(def, class as u16, 0));
                self.groups.traits.push(traits);
                self.minds.variant_set_of.push(NO_VARIANT_SET);
                self.groups.list.len() as u16 - 1
            }
        };
        self.make_steps();
        Ok(self.groups.id(index))
    }

    /// The index of a removed group that a new one can have: the group has no agents left and no
    /// projectiles in the air, is of the new one's class and kind of navigator (so that classes keep
    /// their order), and has a generation left.
    fn free_group(&self, class: usize, def: &GroupDef) -> Option<u16> {
        let is_free = |&&index: &&u16| {
            let row = &self.groups.list[usize::from(index)];
            row.members == 0
                && row.generation < u16::MAX
                && usize::from(row.class) == class
                && row.def.navigator.is_by_points() == def.navigator.is_by_points()
                && !self.combat.projectiles.shot.iter().any(|shot| shot.group == index)
        };
        self.groups.removed.iter().find(is_free).copied()
    }

    /// A group is otherwise from now on; its radius, costs of ground and navigator are the same.
    pub(crate) fn change_group(&mut self, group: u16, def: GroupDef) -> Result<(), WorldError> {
        self.check_armed_group(&def)?;
        let at = usize::from(group);
        self.make_traits(group, &def);
        let behaviours = &self.groups.list[at].behaviours;
        let steering = self.steering(&def, behaviours).expect("behaviours that were taken on");
        let row = &mut self.groups.list[at];
        row.steering = steering;
        let is_rearmed = row.def.weapon != def.weapon;
        row.def = def;
        if is_rearmed {
            for row in 0..self.len() {
                let Tag { id, group: own, .. } = self.agents.rows.tag[row];
                if own == group {
                    self.reload(id, group);
                }
            }
        }
        Ok(())
    }

    /// Makes the traits of a group anew; it goes on where it goes.
    pub(crate) fn make_traits(&mut self, group: u16, def: &GroupDef) {
        let quickest = self.ground.quickest.factor(&def.terrain);
        let traits = Traits::new(def, &self.ground.map, quickest, self.dt());
        let own = &mut self.groups.traits[usize::from(group)];
        *own = Traits { target: own.target, guidance: own.guidance, ..traits };
    }

    /// Adds agents to a group at these positions (metres), at rest, and returns their ids.
    ///
    /// # Errors
    /// When the group does not exist, a position is in a wall or off the map, or there would be too
    /// many agents. Nothing is added then.
    pub fn spawn(&mut self, group: GroupId, positions: &[[f64; 2]]) -> Result<Vec<Id>, WorldError> {
        if !self.groups.has(group) {
            let groups = self.groups.list.len();
            return Err(WorldError::NoSuchGroup { group, groups });
        }
        let group = group.index();
        let asked = self.len() + positions.len();
        if asked > MAX_AGENTS {
            let (asked, most) = (asked as u64, MAX_AGENTS as u64);
            return Err(WorldError::TooMany { what: "agents", asked, most });
        }
        for &[x, y] in positions {
            let pos = [N::from_f64(x), N::from_f64(y)];
            if !(x.is_finite() && y.is_finite() && self.is_open(pos)) {
                return Err(WorldError::NotOpen { x, y });
            }
        }
        let spawn = |world: &mut Self, at: &[f64; 2]| {
            let id = world.agents.ids.create();
            let tag = Tag { id: id.index, group, state: 0, patience: 0 };
            if world.agents.place_of.len() <= id.index as usize {
                world.agents.place_of.push(0);
                world.agents.home.push([N::ZERO; 2]);
            }
            if !world.combat.weapons.is_empty() {
                world.arm(id.index, group);
            }
            let pos = at.each(N::from_f64);
            world.agents.place_of[id.index as usize] = 0;
            world.agents.grow_told();
            world.groups.own.grow(world.agents.ids.capacity());
            if !world.traffic.followings.is_empty() || !world.agents.leaders.is_empty() {
                world.agents.grow_followers();
            }
            world.agents.home[id.index as usize] = pos;
            if world.routes.crowding.blocks() > 0 {
                world.routes.crowding.appears(id.index, pos);
            }
            world.agents.rows.push(pos, [N::ZERO; 2], tag);
            if !world.traffic.varieties.is_empty() {
                world.draw_traits(id, group);
            }
            id
        };
        let ids = positions.iter().map(|at| spawn(self, at)).collect();
        self.make_steps();
        self.make_thoughts();
        self.groups.list[usize::from(group)].members += positions.len() as u32;
        if let Some(state) = self.first_state(group) {
            for row in self.len() - positions.len()..self.len() {
                self.begin(row, state);
            }
        }
        Ok(ids)
    }

    /// A new agent gets its health, and a weapon that is ready.
    fn arm(&mut self, id: u32, group: u16) {
        if self.combat.combatants.health.len() <= id as usize {
            self.combat.combatants.resize(id as usize + 1);
        }
        self.combat.combatants.health[id as usize] =
            [self.groups.traits[usize::from(group)].health];
        self.combat.combatants.aim[id as usize] = Aimed::NOBODY;
        self.reload(id, group);
    }

    /// An agent of a group has all of its ammunition.
    pub(crate) fn reload(&mut self, id: u32, group: u16) {
        if let Some(rounds) = self.combat.combatants.rounds.get_mut(id as usize) {
            let weapon = usize::from(self.groups.traits[usize::from(group)].weapon);
            *rounds = self.combat.weapons.get(weapon).map_or(0, |weapon| weapon.def.ammunition);
        }
    }

    /// Whether a position lies in an open cell of the map, as the ticks see it.
    pub fn is_open(&self, pos: [N; 2]) -> bool {
        let ground = self.ground.open_cells();
        ground.is_open(ground.cell(pos))
    }

    /// Removes the agents that are leaving.
    pub(crate) fn reap(&mut self) {
        if !std::mem::take(&mut self.agents.some_leave) {
            return;
        }
        let leaving = crate::world::state::LEAVING;
        for row in (0..self.len()).rev() {
            let tag = self.agents.rows.tag[row];
            if tag.state & leaving != 0 {
                self.give_up_place(tag);
                self.agents.rows.swap_remove(row);
                self.agents.ids.free(tag.id);
                if !self.combat.weapons.is_empty() {
                    self.combat.combatants.health[tag.id as usize] = [N::ZERO];
                    self.combat.combatants.aim[tag.id as usize] = Aimed::zeroed();
                    self.combat.combatants.rounds[tag.id as usize] = 0;
                }
                self.agents.forget_told(tag.id);
                self.groups.own.forget(tag.id);
                self.forget_steps(tag.id);
                self.forget_thoughts(tag.id);
                self.groups.list[usize::from(tag.group)].members -= 1;
            }
        }
    }
}
