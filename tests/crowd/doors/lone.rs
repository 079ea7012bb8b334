//! Agents that do not heed each other, twenty at once.

use crate::common::stage::Stage;
use crate::doors::site::{CELLS, Plan, Site, Way};
use throng::lane::Numbers;
use throng::math::Fx;
use throng::nav::navigator::Navigator;
use throng::world::{Avoidance, GroupDef, Order, Outcome, Refusal, Settings};

/// Traits under which agents do not heed each other.
fn alone(def: GroupDef) -> GroupDef {
    GroupDef { avoids: 0, avoid_crowds: false, ..def }
}

fn orca() -> GroupDef {
    GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() }
}

fn preset(name: &str) -> GroupDef {
    GroupDef::preset(name).expect("a preset")
}

/// The time of the slowest agent through the door, without its start, in times of a free walk; the
/// error gives the places of agents that do not get through.
fn slowest<N: Numbers>(site: &Site, def: &GroupDef, tick_rate: u32) -> Result<f64, String> {
    let settings = Settings { tick_rate, field_cells_per_tick: 1 << 20, ..Settings::default() };
    let mut stage = Stage::<N>::with(site.map.clone(), settings);
    let group = stage.group(alone(def.clone()), &site.starts);
    match stage.order(Order::Move { group, goal: site.goal.clone() }) {
        Outcome::Done { .. } => {}
        outcome => return Err(format!("{outcome:?}")),
    }
    let times: Vec<f64> = site.starts.iter().map(|&at| site.walk(at) / def.speed).collect();
    let most = times.iter().copied().fold(0.0, f64::max) * LONGEST;
    let mut worst = 0.0_f64;
    let mut passed = vec![false; times.len()];
    for tick in 1..=(most * f64::from(tick_rate)).ceil() as u32 {
        stage.tick();
        let now = f64::from(tick) / f64::from(tick_rate);
        for (i, body) in stage.bodies().iter().enumerate() {
            assert!(stage.world.is_open(stage.world.positions()[i]));
            if !passed[i] && site.is_through(body.pos) {
                passed[i] = true;
                worst = worst.max((now - START) / times[i]);
            }
        }
    }
    let left: Vec<_> =
        (0..times.len()).filter(|&i| !passed[i]).map(|i| stage.bodies()[i].pos).collect();
    if left.is_empty() { Ok(worst) } else { Err(format!("{} stay: {left:.2?}", left.len())) }
}

/// A free walk takes so much longer at most.
const LONGEST: f64 = 2.5;
/// Seconds to get going in.
const START: f64 = 1.0;

/// Cases that went wrong, in words.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn pass<N: Numbers>(&mut self, plan: Plan, name: &str, def: &GroupDef, tick_rate: u32) {
        let what = || format!("{name} {} at {tick_rate}/s, {plan:?}", std::any::type_name::<N>());
        match slowest::<N>(&Site::new(plan), def, tick_rate) {
            Ok(worst) if worst <= LONGEST => {}
            Ok(worst) => self.0.push(format!("{}: {worst:.2} times as long", what())),
            Err(error) => self.0.push(format!("{}: {error}", what())),
        }
    }

    fn none(&self) {
        assert!(self.0.is_empty(), "{} faults:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// A door of a metre, or of the next whole number of cells.
fn a_metre(cell: f64) -> Plan {
    let door = (1.0 / cell).ceil() as u32;
    Plan { cell, way: Way::AlongY, door, thick: 0.0, aside: false }
}

#[test]
fn an_agent_of_sixty_centimetres_passes_a_door_of_a_metre() {
    let mut faults = Faults::default();
    for cell in CELLS {
        for (name, def) in [("separation", GroupDef::default()), ("orca", orca())] {
            faults.pass::<f32>(a_metre(cell), name, &def, 20);
            faults.pass::<Fx>(a_metre(cell), name, &def, 20);
        }
    }
    faults.none();
}

#[test]
fn presets_pass_at_every_rate() {
    let mut faults = Faults::default();
    for cell in CELLS {
        for name in GroupDef::PRESETS {
            for rate in [10, 20, 60] {
                faults.pass::<f32>(a_metre(cell), name, &preset(name), rate);
            }
            faults.pass::<Fx>(a_metre(cell), name, &preset(name), 10);
        }
        for rate in [10, 60] {
            faults.pass::<f32>(a_metre(cell), "separation", &GroupDef::default(), rate);
            faults.pass::<f32>(a_metre(cell), "orca", &orca(), rate);
        }
    }
    faults.none();
}

#[test]
fn walls_of_all_kinds_are_passed() {
    let mut faults = Faults::default();
    for cell in CELLS {
        for (name, def) in
            [("separation", GroupDef::default()), ("orca", orca()), ("rts", preset("rts"))]
        {
            for way in [Way::AlongX, Way::AlongY] {
                for (thick, aside) in [(0.0, true), (2.0, false), (2.0, true)] {
                    let plan = Plan { way, thick, aside, ..a_metre(cell) };
                    faults.pass::<f32>(plan, name, &def, 20);
                }
            }
            let door = ((1.0 / cell).ceil() as u32).max(2);
            let plan = Plan { way: Way::Diagonal, door, ..a_metre(cell) };
            faults.pass::<f32>(plan, name, &def, 20);
            faults.pass::<Fx>(plan, name, &def, 20);
        }
    }
    faults.none();
}

/// The narrowest door that the map's rule says a disc passes, and one of a cell less.
#[test]
fn the_narrowest_door_is_passed_and_a_narrower_one_refused() {
    let mut faults = Faults::default();
    for cell in CELLS {
        for radius in [0.3, 0.45, 0.62, 0.95] {
            // From a cell on, one cell more where the number is even.
            let cells = (2.0 * radius / cell + 0.02).ceil() as u32;
            let door = cells + u32::from(radius > cell && cells.is_multiple_of(2));
            for (name, def) in [("separation", GroupDef::default()), ("orca", orca())] {
                let def = GroupDef { radius, ..def };
                let plan = Plan { door, ..a_metre(cell) };
                faults.pass::<f32>(plan, &format!("{radius} m {name}"), &def, 20);
                faults.pass::<Fx>(plan, &format!("{radius} m {name}"), &def, 20);
            }
            for door in 1..(2.0 * radius / cell).ceil() as u32 {
                let plan = Plan { door, ..a_metre(cell) };
                let def = GroupDef { radius, ..GroupDef::default() };
                let refusal = format!("{:?}", Outcome::Refused(Refusal::Unreachable));
                let found = slowest::<f32>(&Site::new(plan), &def, 20);
                if found.as_ref() != Err(&refusal) {
                    faults.0.push(format!("radius {radius}, {plan:?}: {found:?}"));
                }
            }
        }
    }
    faults.none();
}

/// By every navigator that leads straight to a goal, through doors that are just wide enough.
#[test]
fn whoever_goes_by_another_navigator_passes_too() {
    let mut faults = Faults::default();
    let by = [
        Navigator::Path,
        Navigator::Waypoints,
        Navigator::Network,
        Navigator::Mesh,
        Navigator::Corridor,
    ];
    for (cell, radius) in [(0.5, 0.3), (0.5, 0.45), (1.0, 0.95), (0.25, 0.3), (2.0, 0.3)] {
        for navigator in by {
            for (name, def) in [("separation", GroupDef::default()), ("orca", orca())] {
                let door = ((1.0_f64).max(2.0 * radius) / cell).ceil() as u32;
                let plan = Plan { door, ..a_metre(cell) };
                let name = format!("{radius} m {name} {navigator:?}");
                faults.pass::<f32>(plan, &name, &GroupDef { radius, navigator, ..def }, 20);
            }
        }
    }
    faults.none();
}

/// The centre of a disc that touches a wall may be in a cell whose own centre is nearer to it than
/// the radius.
#[test]
fn an_agent_that_touches_a_wall_is_not_shut_in() {
    for (cell, radius) in [(0.25, 0.36), (0.5, 0.45), (0.1, 0.27), (1.0, 0.3)] {
        let mut site = Site::new(a_metre(cell));
        let def = GroupDef { radius, ..GroupDef::default() };
        for at in [[radius, 3.3], [2.1, radius], [radius, radius]] {
            site.starts = vec![at.map(|v| v + 1e-3)];
            let found = slowest::<f32>(&site, &def, 20);
            assert!(found.as_ref().is_ok_and(|&worst| worst <= LONGEST), "{cell} {at:?} {found:?}");
        }
    }
}
