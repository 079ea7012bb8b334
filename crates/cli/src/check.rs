//! `throng check` and `throng scenarios`.

use std::path::Path;

use image::RgbImage;
use throng::report::observer::Observer;

use crate::summary::{plural, spawned};
use throng::map::{FileKind, Map};
use throng::math::{Fx, Numeric};
use throng::scenario::{MachinePlan, Plan, ScenarioDef};
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use throng::{map, scenario};

use crate::args::CheckArgs;
use crate::draw::caption::number;
use crate::draw::picture;
use crate::draw::picture::PictureOptions;
use crate::error::CliError;
use crate::look::{self, ColourBy, Look, LookArgs};
use crate::output::Output;
use crate::terminal::hanging;
use crate::{foretell, load, say};

/// Checks a scenario or a map.
pub(crate) fn run(args: &CheckArgs) -> Result<bool, CliError> {
    let path = Path::new(&args.file);
    let is_map = path.extension().is_some_and(|ending| ending == "map")
        || FileKind::of(&args.file) != FileKind::MovingAi;
    if is_map {
        return check_map(args, path);
    }
    if let Some(cell) = args.cell {
        let why = "it is for map files; a scenario says it with `cell`";
        return Err(CliError::value("--cell", cell, why));
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
        Numeric::F32 => foretell::notes::<f32>(&plan)?,
        Numeric::Fixed => foretell::notes::<Fx>(&plan)?,
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
    let look = Look::new(&plan.scene, &LookArgs { colour_by: ColourBy::Group, crop: None });
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
        plural(plan.scene.groups.len() as u64, "group"),
        plural(plan.ticks, "tick"),
        plan.settings.tick_rate,
        plan.numeric.word(),
    );
    if !plan.scene.weapons.is_empty() || !plan.scene.teams.is_empty() {
        let teams: Vec<&str> = plan.scene.teams.iter().map(|team| team.name.as_str()).collect();
        let list =
            |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let weapons: Vec<&str> = plan.scene.weapons.iter().map(String::as_str).collect();
        text.push_str(&format!("teams: {}; weapons: {}\n", list(&teams), list(&weapons)));
    }
    let machine =
        |machine: &MachinePlan| format!("{} ({})", machine.name, machine.states.join(", "));
    let machines = plan.scene.machines.iter().map(machine).collect::<Vec<_>>().join("; ");
    if !machines.is_empty() {
        text.push_str(&format!("machines: {machines}\n"));
    }
    text
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
            format!(", ground from {:.1} to {:.1} m", metres(low), metres(high))
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
