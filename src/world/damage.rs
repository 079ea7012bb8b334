//! Damage: agents lose health, and may die of it.

use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::{Fallen, Groups, Impact, Shot, Struck, StructureDef, Tag, Weapon, World, state};

impl<N: Numbers> Weapon<N> {
    /// Whether a shot of it strikes, and its splash hurts, an agent: a foe of the side that fired it,
    /// or, where friends are hit too, every agent but the shooter.
    #[inline(always)]
    pub(crate) fn hits(&self, groups: &Groups<N>, shot: Shot, tag: Tag) -> bool {
        if self.def.friendly_fire {
            return tag.id != shot.shooter;
        }
        let (side, other) = (usize::from(shot.group), usize::from(tag.group));
        groups.traits[side].foes & groups.traits[other].team != 0
    }

    /// Whether a shot of it harms a structure.
    pub(crate) fn harms(&self, groups: &Groups<N>, shot: Shot, structure: &StructureDef) -> bool {
        structure.is_harmed(&self.def, &groups.traits[usize::from(shot.group)])
    }
}

impl<N: Numbers> World<N> {
    /// The agent in a row loses health, to a shot if there is one, and may die of it: it then leaves at
    /// the end of the tick. Agents that have died in this tick, or cannot be hurt, lose nothing.
    pub(crate) fn hurt(&mut self, row: usize, shot: Option<Shot>, damage: N) {
        let tag = self.agents.rows.tag[row];
        let health = &mut self.combat.combatants.health[tag.id as usize][0];
        // The dead have less than none until they leave.
        let indestructible = self.groups.traits[usize::from(tag.group)].health <= N::ZERO;
        if indestructible || *health < N::ZERO || damage <= N::ZERO {
            return;
        }
        let dies = damage >= *health;
        if let Some(shot) = shot {
            let tally = &mut self.combat.weapons[usize::from(shot.weapon)].tally;
            tally.hurt += 1;
            tally.damage += health.smaller(damage).to_f64();
            tally.kills += u64::from(dies);
        }
        if !dies {
            *health = *health - damage;
            return;
        }
        *health = -N::ONE;
        let group = tag.group;
        let killed_in = &mut self.groups.list[usize::from(group)];
        killed_in.fallen += u32::from(!killed_in.is_removed);
        self.agents.rows.tag[row].state |= state::LEAVING;
        self.agents.some_leave = true;
        let (id, at) = (self.agents.ids.id(tag.id), self.agents.rows.pos[row].each(N::to_f64));
        let group = self.groups.id(self.base_group(group));
        self.combat.fallen.push(Fallen { id, group, at, shot });
    }

    /// The agent in a row gains health, up to what its group begins with, unless it has died.
    pub(crate) fn heal(&mut self, row: usize, health: N) {
        let tag = self.agents.rows.tag[row];
        let own = &mut self.combat.combatants.health[tag.id as usize][0];
        let most = self.groups.traits[usize::from(tag.group)].health;
        if *own > N::ZERO && *own < most {
            *own = (*own + health).smaller(most);
        }
    }

    /// Notes the end of a projectile.
    pub(crate) fn ends(&mut self, at: [N; 3], struck: Struck, shot: Shot) {
        let tally = &mut self.combat.weapons[usize::from(shot.weapon)].tally;
        match struck {
            Struck::Agent(_) => tally.struck += 1,
            Struck::Ground => tally.ground += 1,
            Struck::Wall => tally.walls += 1,
            Struck::Nothing => tally.lost += 1,
        }
        self.combat.impacts.push(Impact { at: at.each(N::to_f64), struck, shot });
    }
}
