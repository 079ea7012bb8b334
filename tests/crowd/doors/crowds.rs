//! Twenty agents at once, in each other's way.

use crate::common::stage::Stage;
use crate::doors::site::{CELLS, Plan, Site, Way};
use throng::lane::Numbers;
use throng::math::Fx;
use throng::world::{GroupDef, Settings};

/// Seconds until twenty are through a door of a metre.
fn seconds<N: Numbers>(cell: f64) -> Option<f64> {
    let door = (1.0 / cell).ceil() as u32;
    let site = Site::new(Plan { cell, way: Way::AlongY, door, thick: 0.0, aside: false });
    let mut stage = Stage::<N>::with(
        site.map.clone(),
        Settings { field_cells_per_tick: 1 << 20, ..Settings::default() },
    );
    let group = stage.group(GroupDef::default(), &site.starts);
    stage.send(group, site.goal.clone());
    let through = |stage: &Stage<N>| stage.bodies().iter().all(|body| site.is_through(body.pos));
    stage.until(20 * 60, through).map(|ticks| f64::from(ticks) / 20.0)
}

#[test]
fn twenty_at_once_pass_a_door_of_a_metre() {
    for cell in CELLS {
        for (numbers, found) in [("f32", seconds::<f32>(cell)), ("fixed", seconds::<Fx>(cell))] {
            eprintln!("cells of {cell} m, {numbers}: {found:?} s");
            assert!(found.is_some(), "cells of {cell} m, {numbers}: not within a minute");
        }
    }
}
