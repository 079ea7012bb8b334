//! `throng check` and `throng scenarios`.

use std::path::Path;

use crate::summary::thousands;
use throng::map::{FileKind, Legend, Map};
use throng::scenario::{MachinePlan, Overrides, ScenarioDef};
use throng::world::Order;
use throng::{map, scenario};

use crate::args::CheckArgs;
use crate::error::CliError;
use crate::{load, say};

/// Checks a scenario or a map.
pub(crate) fn run(args: &CheckArgs) -> Result<bool, CliError> {
    let path = Path::new(&args.file);
    let is_map = path.extension().is_some_and(|ending| ending == "map")
        || FileKind::of(&args.file) != FileKind::MovingAi;
    if is_map {
        let map = load::map(path, &Legend::default(), 1.0)?;
        say(&format!("{}: a good map. {}", args.file, ground(&map)))?;
        return Ok(true);
    }
    let (plan, map_name) = load::plan(&args.file, &Overrides::default())?;
    let spawned = |order: &Order| match order {
        Order::Spawn { count, .. } => u64::from(*count),
        _ => 0,
    };
    let agents: u64 = plan.orders.iter().map(|(_, order)| spawned(order)).sum();
    let mut fight = String::new();
    if !plan.weapons.is_empty() || !plan.teams.is_empty() {
        let teams: Vec<&str> = plan.teams.iter().map(|team| team.name.as_str()).collect();
        let list =
            |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let weapons: Vec<&str> = plan.weapons.iter().map(String::as_str).collect();
        fight = format!("teams: {}; weapons: {}.\n", list(&teams), list(&weapons));
    }
    let machine =
        |machine: &MachinePlan| format!("{} ({})", machine.name, machine.states.join(", "));
    let mut machines: String = plan.machines.iter().map(machine).collect::<Vec<_>>().join("; ");
    if !machines.is_empty() {
        machines = format!("machines: {machines}.\n");
    }
    say(&format!(
        "{}: a good scenario. {} agents in {} groups, up to {} ticks at {} a second ({}).\n\
         {fight}{machines}{map_name}: {}",
        args.file,
        thousands(agents),
        plan.groups.len(),
        thousands(plan.ticks),
        plan.settings.tick_rate,
        plan.numeric.word(),
        ground(&plan.map),
    ))?;
    Ok(true)
}

/// What a map is like, in a line.
fn ground(map: &Map) -> String {
    let class = map.class(0.0);
    let open = map.slowness().iter().filter(|&&slowness| slowness > 0).count() as u64;
    let cells = u64::from(map.width()) * u64::from(map.height());
    let regions = class.component_count();
    let inside = || (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| map.index(x, y)));
    let heights = || inside().filter_map(|cell| map.heights().get(cell as usize).copied());
    let hills = match (heights().min(), heights().max()) {
        (Some(low), Some(high)) => {
            let metres = |height: i16| f64::from(height) / f64::from(map::units(1.0));
            format!(", ground from {} to {} m", metres(low), metres(high))
        }
        _ => String::new(),
    };
    format!(
        "{} × {} cells of {} m, {:.1} % open, {} connected region{}{hills}",
        map.width(),
        map.height(),
        map.cell_size(),
        open as f64 * 100.0 / cells as f64,
        thousands(u64::from(regions)),
        if regions == 1 { "" } else { "s" },
    )
}

/// Lists the scenarios that ship inside the program.
pub(crate) fn list() -> Result<bool, CliError> {
    let mut text = String::new();
    for name in scenario::builtin_names() {
        let Some(builtin) = scenario::builtin(name) else { continue };
        let def = ScenarioDef::parse(builtin.text, name)
            .map_err(|error| CliError::scenario(error, builtin.text))?;
        let first = def.description.split(". ").next().unwrap_or_default().trim_end_matches('.');
        let agents = thousands(def.agents());
        text.push_str(&format!("{name:<10} {agents:>9} agents  {}\n", first.replace('\n', " ")));
    }
    say(&text)?;
    Ok(true)
}
