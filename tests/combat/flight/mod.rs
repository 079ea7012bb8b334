//! Projectiles: where they fly, what they strike, what that does, and that it repeats.

mod damage;
mod ground;
mod hits;
mod homing;
mod pool;
mod range;
mod repeat;
mod steps;
