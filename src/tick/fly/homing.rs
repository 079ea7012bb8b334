//! Homing: projectiles that turn after their target.

use crate::data::Id;
use crate::kernel::flight;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::{Agents, Ground, Groups, Shot, Weapon};

/// Longest time for which a target is thought to go on as it does, in seconds.
const LEAD: f64 = 2.0;

/// Notes the row of every id index, if something in the air turns.
pub(super) fn look_up<N: Numbers>(agents: &Agents<N>, weapons: &[Weapon<N>], rows: &mut Vec<u32>) {
    let turning = |weapon: &Weapon<N>| weapon.def.turn_rate > 0.0 && weapon.tally.in_flight() > 0;
    if weapons.iter().any(turning) {
        rows.resize(agents.ids.capacity(), 0);
        for (row, tag) in agents.rows.tag.iter().enumerate() {
            rows[tag.id as usize] = row as u32;
        }
    }
}

/// The agents as projectiles that turn see them.
pub(super) struct Targets<'a, N: Numbers> {
    pub(super) agents: &'a Agents<N>,
    pub(super) ground: &'a Ground<N>,
    pub(super) groups: &'a Groups<N>,
    /// Row of every id index, when there are projectiles that turn.
    pub(super) rows: &'a [u32],
    /// The length of a tick, s.
    pub(super) dt: f64,
}

impl<N: Numbers> Targets<'_, N> {
    /// The velocity of a projectile that turns, if it does: towards where its target will be when it
    /// gets there. Without a living target it flies straight on.
    #[inline(always)]
    pub(super) fn turn(&self, weapon: &Weapon<N>, shot: Shot, pos: [N; 3], vel: &mut [N; 3]) {
        let Self { agents, ground, groups, .. } = self;
        let target = Id { index: shot.target, generation: shot.generation };
        if weapon.def.turn_rate <= 0.0 || !agents.ids.is_alive(target) {
            return;
        }
        let row = self.rows[target.index as usize] as usize;
        let [x, y] = agents.rows.pos[row];
        let traits = &groups.traits[usize::from(agents.rows.tag[row].group)];
        let foot: N = ground.map.height_at([x, y]);
        let middle = foot.to_f64() + traits.height.to_f64() / 2.0;
        let (pos, speed) = (pos.each(N::to_f64), weapon.ballistics.speed.to_f64());
        let at = [x.to_f64(), y.to_f64(), middle];
        let way = [0, 1, 2].each(|i| at[i] - pos[i]);
        let distance = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
        // Time from the end of this tick, where the target is already, until the projectile meets it.
        let time = (distance / speed).min(LEAD) - self.dt;
        let walks = agents.rows.vel[row].each(N::to_f64);
        let to = [at[0] + walks[0] * time, at[1] + walks[1] * time, at[2]];
        let turned =
            flight::pursue(pos, vel.each(N::to_f64), to, speed, weapon.ballistics.turn.to_f64());
        *vel = turned.each(N::from_f64);
    }
}
