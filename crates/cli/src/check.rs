//! `throng check` and `throng scenarios`.

use std::collections::BTreeSet;
use std::path::Path;

use image::RgbImage;
use throng::report::observer::Observer;

use crate::summary::{FullGoal, plural, spawned};
use throng::lane::Numbers;
use throng::map::{FileKind, Map};
use throng::math::{Fx, Numeric};
use throng::scenario::{MachinePlan, Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::{Order, Outcome, World};
use throng::{map, scenario};

use crate::args::CheckArgs;
use crate::draw::caption::number;
use crate::draw::picture;
use crate::draw::picture::PictureOptions;
use crate::error::CliError;
use crate::look::{self, ColourBy, Look, LookArgs};
use crate::output::Output;
use crate::simulate::refusal;
use crate::terminal::hanging;
use crate::{idle, load, say};

/// Ticks with orders that are looked at, at most.
const MAX_LOOKS: usize = 256;

/// Groups whose goals are measured, at most: each takes a look at the map.
const MAX_GOALS: usize = 2_000;

/// What is told of agents that cannot reach their goal.
const NO_WAY: &str = "no way leads there";

/// Checks a scenario or a map.
pub(crate) fn run(args: &CheckArgs) -> Result<bool, CliError> {
    let path = Path::new(&args.file);
    let is_map = path.extension().is_some_and(|ending| ending == "map")
        || FileKind::of(&args.file) != FileKind::MovingAi;
    if is_map {
        return check_map(args, path);
    }
    if args.cell.is_some() {
        let why = "it is for map files; a scenario says it with `cell`";
        return Err(CliError::value("--cell", &args.file, why));
    }
    if !args.cost.cost.is_empty() {
        let why = "it is for map files; a scenario says what letters cost with `cost`";
        return Err(CliError::value("--cost", &args.file, why));
    }
    let output = Output::named(args.picture.as_deref(), "png")?;
    let (plan, map_name) = load::plan(&args.file, &load::Changes::default())?;
    if let Some(output) = output {
        output.picture(&beginning(&plan)?, false)?;
    }
    let notes = match plan.numeric {
        Numeric::F32 => foretold::<f32>(&plan)?,
        Numeric::Fixed => foretold::<Fx>(&plan)?,
    };
    let is_good = notes.iter().all(|(is_mistake, _)| !is_mistake);
    let verdict = if is_good { "a good scenario" } else { "a scenario that cannot go as it says" };
    let (told, ground) = (told(&plan), ground(&plan.map));
    // A map without a file is called by its size, which is told of the ground.
    let size = format!("{} × {} cells", plan.map.width(), plan.map.height());
    let map = map_name.strip_prefix(&size).map_or(map_name.clone(), |rest| format!("map{rest}"));
    let mut text = format!("{}: {verdict}\n{told}{map}: {ground}", args.file);
    for (is_mistake, note) in notes {
        text.push_str(&format!("\n{}: {note}", if is_mistake { "mistake" } else { "note" }));
    }
    say(&text)?;
    Ok(is_good)
}

/// Checks a map file, and draws it if wanted.
fn check_map(args: &CheckArgs, path: &Path) -> Result<bool, CliError> {
    let output = Output::named(args.picture.as_deref(), "png")?;
    let cell = args.cell.unwrap_or(1.0);
    let map = load::map(path, &args.cost.legend(path)?, cell, false)?;
    let mut text = format!("{}: a good map. {}", args.file, ground(&map));
    if FileKind::of(&args.file) == FileKind::Wkt {
        let origin = map::wkt_origin(&load::map_file(path)?, cell);
        let [x, y] = origin.map_err(|source| CliError::Map { path: path.to_owned(), source })?;
        text.push_str(&format!("\n(0, 0) is ({x}, {y}) of the file"));
    }
    if let Some(output) = output {
        let nobody = Observer::new(1.0, Vec::new());
        let side = |cells| number(f64::from(cells) * cell);
        let caption = format!("{} m × {} m", side(map.width()), side(map.height()));
        let options = PictureOptions { caption: &caption, ..PictureOptions::default() };
        output.picture(&picture::draw(&map, &nobody.crowd(), &options), false)?;
    }
    say(&text)?;
    Ok(true)
}

/// A picture of a scenario after its first tick.
fn beginning(plan: &Plan) -> Result<RgbImage, CliError> {
    let mut world = World::<f32>::new(plan.map.clone(), plan.settings)
        .map_err(|source| CliError::World { source })?;
    let orders: Vec<Order> = plan.orders_at(0).cloned().collect();
    tick(&mut world, &orders, &mut Scratch::new());
    let scene = plan.scene();
    let look = Look::new(&scene, &LookArgs { colour_by: ColourBy::Group, crop: None });
    let mut observer = look.observer(world.dt());
    observer.load(&world);
    let crowd = observer.crowd();
    let caption = format!("{}: {}", plan.name, plural(crowd.len() as u64, "agent"));
    Ok(look.draw(world.map(), &crowd, &caption, None, None, &look::fixtures(&world)))
}

/// What a scenario is, in words.
fn told(plan: &Plan) -> String {
    let agents: u64 = plan.orders.iter().map(|(_, order)| spawned(order)).sum();
    let mut text = format!(
        "{} in {}, up to {} at {} a second ({})\n",
        plural(agents, "agent"),
        plural(plan.groups.len() as u64, "group"),
        plural(plan.ticks, "tick"),
        plan.settings.tick_rate,
        plan.numeric.word(),
    );
    if !plan.weapons.is_empty() || !plan.teams.is_empty() {
        let teams: Vec<&str> = plan.teams.iter().map(|team| team.name.as_str()).collect();
        let list =
            |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let weapons: Vec<&str> = plan.weapons.iter().map(String::as_str).collect();
        text.push_str(&format!("teams: {}; weapons: {}\n", list(&teams), list(&weapons)));
    }
    let machine =
        |machine: &MachinePlan| format!("{} ({})", machine.name, machine.states.join(", "));
    let machines = plan.machines.iter().map(machine).collect::<Vec<_>>().join("; ");
    if !machines.is_empty() {
        text.push_str(&format!("machines: {machines}\n"));
    }
    text
}

/// What a run would tell of its orders, and whether that is a mistake. Every tick that has orders is
/// done, one after another, without the time between them, so agents are where they appear. What is
/// told of a group is told once.
///
/// What is cut off by structures alone is no mistake, as they fall; nor what is cut off by walls that
/// are taken down later.
fn foretold<N: Numbers>(plan: &Plan) -> Result<Vec<(bool, String)>, CliError> {
    let is_structure = |(_, order): &(u64, Order)| matches!(order, Order::Structure { .. });
    let mut notes = foretold_as_it_is::<N>(plan)?;
    if plan.orders.iter().any(is_taken_down) {
        for (is_mistake, text) in notes.iter_mut().filter(|(_, text)| text.ends_with(NO_WAY)) {
            *is_mistake = false;
            text.push_str(" before walls are taken down");
        }
    }
    if plan.orders.iter().any(is_structure) {
        let mut fallen = plan.clone();
        fallen.orders.retain(|order| !is_structure(order));
        let without = foretold_as_it_is::<N>(&fallen)?;
        for (is_mistake, text) in &mut notes {
            if text.ends_with(NO_WAY) && !without.iter().any(|(_, other)| other == text) {
                *is_mistake = false;
                text.push_str(" before a structure falls");
            }
        }
    }
    notes.extend(shut_doors(plan).chain(idle::notes(plan)).map(|text| (false, text)));
    Ok(notes)
}

/// Whether an order takes walls down later than at the beginning.
fn is_taken_down((tick, order): &(u64, Order)) -> bool {
    *tick > 0 && matches!(order, Order::Demolish { .. })
}

/// Doors that never open.
fn shut_doors(plan: &Plan) -> impl Iterator<Item = String> {
    let mut opens = Vec::new();
    for (_, order) in &plan.orders {
        match order {
            Order::Door { open, .. } => opens.push(*open),
            Order::SetDoor { door, open } => opens[usize::from(*door)] |= *open,
            _ => {}
        }
    }
    let names = plan.doors.iter().zip(opens).filter(|(_, opens)| !opens).map(|(name, _)| name);
    names.map(|name| {
        format!(
            "door `{name}` never opens, and whoever is led through it waits there: \
             with `detour = true` it is a wall"
        )
    })
}

fn foretold_as_it_is<N: Numbers>(plan: &Plan) -> Result<Vec<(bool, String)>, CliError> {
    let mut world = World::<N>::new(plan.map.clone(), plan.settings)
        .map_err(|source| CliError::World { source })?;
    let mut scratch = Scratch::new();
    let names: Vec<String> = plan.groups.iter().map(|group| group.name.clone()).collect();
    let ticks: BTreeSet<u64> = plan.orders.iter().map(|(tick, _)| *tick).collect();
    let (mut notes, mut told) = (Vec::new(), BTreeSet::new());
    for at in ticks.into_iter().take_while(|&at| at < plan.ticks).take(MAX_LOOKS) {
        let orders: Vec<Order> = plan.orders_at(at).cloned().collect();
        tick(&mut world, &orders, &mut scratch);
        for (order, outcome) in orders.iter().zip(world.outcomes()) {
            if let Outcome::Refused(why) = outcome {
                notes.push((true, refusal(plan, at, order, why)));
            }
        }
        for (group, (name, counts)) in names.iter().zip(counted(&world)).enumerate() {
            let [lost, room, members] = counts;
            if lost > 0 && told.insert((group, "lost")) {
                let who = plural(u64::from(lost), "agent");
                let text =
                    format!("{who} of `{name}` cannot reach the goal of tick {at}: {NO_WAY}");
                notes.push((true, text));
            }
            if room < members && !leaves(plan, group, name) && told.insert((group, "full")) {
                let full = FullGoal { group: name.clone(), room, agents: members };
                notes.push((false, format!("{full} (order of tick {at})")));
            }
        }
    }
    Ok(notes)
}

/// Whether the agents of a group leave where they arrive, and are sent nowhere else later: then the goal
/// is never full.
fn leaves(plan: &Plan, group: usize, name: &str) -> bool {
    let is_moved = |order: &Order| match order {
        Order::Move { group: moved, .. } => usize::from(*moved) == group,
        _ => false,
    };
    let own = |sink: &String| {
        let kind = sink.strip_suffix(name).and_then(|kind| kind.strip_suffix(" of "));
        kind.is_some_and(|kind| kind == "goal" || kind.starts_with("exit "))
    };
    plan.sinks.iter().any(own)
        && !plan.orders.iter().any(|(tick, order)| *tick > 0 && is_moved(order))
}

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
        "{} × {} cells of {} m, {:.1} % open, {}{hills}",
        map.width(),
        map.height(),
        map.cell_size(),
        open as f64 * 100.0 / cells as f64,
        plural(u64::from(regions), "connected region"),
    )
}

/// Of every group with its variants: agents that no way leads to their goal, room in its goal, and
/// agents that go there.
fn counted<N: Numbers>(world: &World<N>) -> Vec<[u32; 3]> {
    let mut sums = vec![[0; 3]; world.groups().len()];
    let groups = (0..).zip(world.groups()).zip(world.cut_off_by_group());
    for ((index, group), cut_off) in groups {
        let sums = &mut sums[usize::from(world.base_group(index))];
        sums[0] += cut_off.unreachable as u32;
        let is_looked_at = usize::from(index) < MAX_GOALS && group.members() > 0;
        if let Some(room) = is_looked_at.then(|| world.room_in_goal(index)).flatten() {
            sums[1] += room.min(group.members());
            sums[2] += group.members();
        }
    }
    sums
}

/// Lists the scenarios that ship inside the program.
pub(crate) fn list() -> Result<bool, CliError> {
    let mut text = String::new();
    for name in scenario::builtin_names() {
        let Some(builtin) = scenario::builtin(name) else { continue };
        let def = ScenarioDef::parse(builtin.text, name)
            .map_err(|error| CliError::scenario(error, builtin.text))?;
        let first = def.description.split(". ").next().unwrap_or_default().trim_end_matches('.');
        let line = format!("{name:<10} {:>16}  ", plural(def.agents(), "agent"));
        text.push_str(&hanging(&line, &first.replace('\n', " ")));
    }
    say(&text)?;
    Ok(true)
}
