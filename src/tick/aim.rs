//! Aim: targets are chosen, and shots fired.

use crate::lane::Lane;
use crate::lane::Numbers;
use crate::tick::Scratch;
use crate::world::World;

pub(super) fn run<L: Lane>(world: &mut World<L::Num>, scratch: &mut Scratch<L::Num>)
where
    L::Num: Numbers,
{
    if !world.weapons.is_empty() {
        scratch.fly.remember(&world.agents.pos);
    }
}
