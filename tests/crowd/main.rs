//! Crowds: how agents behave among others and at walls.

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod approach;
mod behaviour;
mod behaviours;
mod companies;
mod company_input;
mod doors;
mod flocks;
mod gates;
mod headway;
mod own_side;
mod reciprocal;
mod reciprocity;
mod rest;
mod soak;
mod solid;
mod walls;
