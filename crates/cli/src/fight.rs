//! The fight of a run, if there is one: counted, ended, drawn.

use crate::draw::combat_overlay::CombatOverlay;
use throng::lane::Numbers;
use throng::report::battle;
use throng::report::battle::{Battle, BattleMeter, BattleNames};
use throng::scenario::Scene;
use throng::world::World;

/// Follows the fight of a run.
pub(crate) struct Fight<'a> {
    scene: &'a Scene,
    /// Names of the teams.
    teams: Vec<String>,
    meter: BattleMeter,
    /// What pictures and films show of it.
    pub(crate) combat_overlay: Option<CombatOverlay>,
}

impl<'a> Fight<'a> {
    /// For a scene. With `fade` it can be drawn, and bursts fade in so many ticks.
    pub(crate) fn new(scene: &'a Scene, fade: Option<u64>) -> Self {
        Self {
            scene,
            teams: scene.teams.iter().map(|team| team.name.clone()).collect(),
            meter: BattleMeter::default(),
            combat_overlay: fade.filter(|_| !scene.weapons.is_empty()).map(CombatOverlay::new),
        }
    }

    /// Looks at a world after a tick.
    pub(crate) fn observe<N: Numbers>(&mut self, world: &World<N>) {
        self.meter.observe(world);
        if let Some(combat_overlay) = &mut self.combat_overlay {
            combat_overlay.observe(world);
        }
    }

    /// Gets ready to be drawn.
    pub(crate) fn load<N: Numbers>(&mut self, world: &World<N>) {
        if let Some(combat_overlay) = &mut self.combat_overlay {
            combat_overlay.load(world);
        }
    }

    /// What teams and weapons are called.
    pub(crate) fn names(&self) -> BattleNames<'_> {
        BattleNames { teams: &self.teams, weapons: &self.scene.weapons }
    }

    /// The state of the battle so far, if there is one.
    pub(crate) fn battle<N: Numbers>(&self, world: &World<N>) -> Option<Battle> {
        let share = self.scene.beaten.unwrap_or(1.0);
        Battle::new(world, share, self.names(), Some(&self.meter))
    }

    /// The same where not all of the fight was seen: the killers are not known.
    pub(crate) fn battle_at<N: Numbers>(&self, world: &World<N>) -> Option<Battle> {
        Battle::new(world, self.scene.beaten.unwrap_or(1.0), self.names(), None)
    }

    /// The beaten teams, in words, when that ends the run.
    pub(crate) fn is_over<N: Numbers>(&self, world: &World<N>) -> Option<String> {
        let share = self.scene.beaten?;
        let sides = battle::sides(world);
        let standing = battle::victors(&sides, share)?;
        let beaten = sides.iter().filter(|side| standing >> side.team & 1 == 0);
        let beaten = beaten.fold(0_u32, |bits, side| bits | 1 << side.team);
        let (noun, verb) = if beaten.count_ones() == 1 { ("team", "is") } else { ("teams", "are") };
        Some(format!("{noun} {} {verb} beaten", self.names().teams(beaten)))
    }
}
