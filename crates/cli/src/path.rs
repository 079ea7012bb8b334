//! `throng path`.

mod hexagons;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::draw::ways_picture::WaysPicture;
use crate::pathfinding;
use crate::pathfinding::{Method, Prepared, Query, Refused, Scratch, Way};
use crate::summary::thousands;
use clap::Args as ClapArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use throng::graph::Mesh;
use throng::graph::mesh::Locator;
use throng::map::{Clearance, Map};
use throng::nav::navigator::Navigator;

use crate::args::point;
use crate::error::CliError;
use crate::ground::GroundArgs;
use crate::output::{Json, Output};
use crate::{ground, load, say};

/// Wanted length of a picture's longer side, pixels.
const LONG_SIDE: u32 = 512;

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng path scenarios/maps/gallery.map --cost R=1 --from 2.5,2.5 --to 60.5,23.5
  throng path scenarios/maps/gallery.map --cost R=1 --from 2.5,2.5 --to 60.5,23.5 --navigator exact
  throng path scenarios/maps/valley.map --from 20,20 --to 490,500 --navigator jump --picture way.png
  throng path scenarios/maps/gallery.map --cost R=1 --hexagons --from 2,2 --to 60,23

The way goes from the middle of the cell of one point to the middle of the cell of the other; on a
mesh file from point to point, with --hexagons from hexagon to hexagon. Each method is shown in
docs/navigators.md.

Exit codes: 0 it arrives, 1 there is no way or it does not arrive, 2 bad use or bad input.")]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) ground: GroundArgs,
    /// The map's cells are hexagons: rows 1, 3, 5 … lie half a cell to the right, and points are
    /// columns and rows, from 0
    #[arg(long)]
    hexagons: bool,
    /// Where to start, in metres from the upper left corner
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    from: [f64; 2],
    /// Where to go
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    to: [f64; 2],
    /// How to find the way [default: path; on hexagons astar-octile, on a
    /// mesh mesh]
    #[arg(long, value_name = "NAME", value_parser = methods())]
    navigator: Option<Method>,
    /// Where the leader of `breadcrumbs` starts [default: where the way starts]
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    leader: Option<[f64; 2]>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// Steps after which methods that go cell by cell give up
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Write the answer as JSON here; `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the way here (PNG)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

impl PathArgs {
    /// How the way is found.
    fn method(&self) -> Method {
        let default = match (self.hexagons, self.ground.is_mesh()) {
            (true, _) => Method::AstarOctile,
            (false, true) => Method::By(Navigator::Mesh),
            (false, false) => Method::By(Navigator::Path),
        };
        self.navigator.unwrap_or(default)
    }
}

/// Reads the name of a method.
pub(crate) fn methods() -> impl TypedValueParser<Value = Method> {
    let names = Method::all().map(Method::name);
    PossibleValuesParser::new(names)
        .map(|name| Method::from_name(&name).expect("one of the possible values"))
}

/// What a query came to, in metres.
struct Answer {
    way: Way,
    points: Vec<[f64; 2]>,
    /// Columns and rows of the hexagons of the way.
    cells: Option<Vec<[u32; 2]>>,
    /// Lengths of the way, and of the shortest of all; `None` when there is none.
    length: f64,
    shortest: Option<f64>,
    prepared: Duration,
    asked: Duration,
    bytes: u64,
}

/// Finds a way and tells.
pub(crate) fn run(args: &PathArgs) -> Result<bool, CliError> {
    let json = Json::open(args.json.as_deref())?;
    let picture = Output::named(args.picture.as_deref(), "png")?;
    let answer = match (args.ground.is_mesh(), args.hexagons) {
        (true, true) => {
            let why = "a mesh has no hexagons";
            return Err(CliError::value("--hexagons", args.ground.map.display().to_string(), why));
        }
        (true, false) => over_mesh(args, picture)?,
        (false, true) => hexagons::find(args, picture)?,
        (false, false) => over_map(args, picture)?,
    };
    if !json.is_said() {
        say(&as_text(args, &answer))?;
    }
    json.tell(&as_json(args, &answer))?;
    Ok(answer.way.found)
}

fn over_map(args: &PathArgs, picture: Option<Output>) -> Result<Answer, CliError> {
    let (map, class) = args.ground.load()?;
    let place = |argument, point| cell(args, &map, &class, argument, point);
    let (from, to) = (place("--from", args.from)?, place("--to", args.to)?);
    let leader = args.leader.map_or(Ok(from), |point| place("--leader", point))?;
    let query = Query { from, to, leader, seed: args.seed, most_steps: args.steps };
    let mut scratch = Scratch::default();
    let shortest = {
        let exact = prepare(args, Method::Exact, &map, &class)?;
        let mut way = Way::default();
        exact.find(&query, &mut scratch, &mut way);
        way.found.then_some(way.length * map.cell_size())
    };
    scratch = Scratch::default();
    let began = Instant::now();
    let prepared = prepare(args, args.method(), &map, &class)?;
    let preparation = began.elapsed();
    let (way, asked) = repeat(|way| prepared.find(&query, &mut scratch, way));
    let bytes = prepared.bytes() + scratch.bytes();
    let side = map.cell_size();
    if let Some(output) = picture {
        let mut drawn = WaysPicture::of_map(&map, LONG_SIDE);
        drawn.seen(&map, &prepared.seen(&scratch));
        drawn.trail(&map, &prepared.highways(), "highways");
        drawn.trail(&map, &prepared.trail(&query, &mut scratch), "crumbs");
        if let Some(mesh) = prepared.mesh() {
            drawn.mesh(mesh, false);
        }
        if let Some(network) = prepared.network() {
            drawn.network(network, side);
        }
        drawn.way(&way.points).ends(prepared.middle(from), prepared.middle(to));
        draw(args, drawn, &way, side, shortest, output)?;
    }
    let points = way.points.iter().map(|point| point.map(|part| part * side)).collect();
    let length = way.length * side;
    Ok(Answer { way, points, cells: None, length, shortest, prepared: preparation, asked, bytes })
}

fn over_mesh(args: &PathArgs, picture: Option<Output>) -> Result<Answer, CliError> {
    if !args.method().is_by_mesh() {
        let why = "on a mesh file only mesh, funnel, relaxed and exact find ways";
        return Err(CliError::value("--navigator", args.method().name(), why));
    }
    let began = Instant::now();
    let mesh = load::mesh(&args.ground.map)?;
    let locator = Locator::new(&mesh);
    let preparation = began.elapsed();
    for (argument, point) in [("--from", args.from), ("--to", args.to)] {
        if locator.locate(&mesh, point).is_none() {
            return Err(off_mesh(argument, point, &mesh, &locator));
        }
    }
    let mut scratch = Scratch::default();
    let ends = [args.from, args.to];
    let (best, _) = repeat(|way| {
        pathfinding::over_mesh(Method::Exact, &mesh, &locator, ends, &mut scratch, way);
    });
    let shortest = best.found.then_some(best.length);
    scratch = Scratch::default();
    let (way, asked) = repeat(|way| {
        pathfinding::over_mesh(args.method(), &mesh, &locator, ends, &mut scratch, way);
    });
    if let Some(output) = picture {
        let mut drawn = WaysPicture::of_mesh(&mesh, LONG_SIDE);
        drawn.mesh(&mesh, true).way(&way.points).ends(args.from, args.to);
        draw(args, drawn, &way, 1.0, shortest, output)?;
    }
    let bytes = mesh.bytes() + locator.bytes() + scratch.bytes();
    let (points, length) = (way.points.clone(), way.length);
    Ok(Answer { way, points, cells: None, length, shortest, prepared: preparation, asked, bytes })
}

fn prepare<'a>(
    args: &PathArgs,
    method: Method,
    map: &'a Map,
    class: &'a Clearance,
) -> Result<Prepared<'a>, CliError> {
    Prepared::new(method, map, class, args.ground.radius).map_err(refused(args, method))
}

/// Makes an error of a refusal.
fn refused(args: &PathArgs, method: Method) -> impl Fn(Refused) -> CliError {
    move |source| CliError::Method { name: method.name(), path: args.ground.map.clone(), source }
}

/// Asks up to 101 times, or for a twentieth of a second: the answer and the median time.
fn repeat(mut ask: impl FnMut(&mut Way)) -> (Way, Duration) {
    let mut way = Way::default();
    let mut times = Vec::new();
    let began = Instant::now();
    while times.is_empty() || (times.len() < 101 && began.elapsed() < Duration::from_millis(50)) {
        let asked = Instant::now();
        ask(&mut way);
        times.push(asked.elapsed());
    }
    times.sort();
    (way, times[times.len() / 2])
}

/// The cell of a point that agents can stand on.
fn cell(
    args: &PathArgs,
    map: &Map,
    class: &Clearance,
    argument: &'static str,
    point: [f64; 2],
) -> Result<u32, CliError> {
    let bad = |why: String| CliError::value(argument, text_of(point), why);
    let side = map.cell_size();
    let Some(cell) = map.cell_at(point[0], point[1]) else {
        let [wide, high] = [map.width(), map.height()].map(|cells| f64::from(cells) * side);
        return Err(bad(format!("it is off the map, which goes from 0,0 to {wide},{high} m")));
    };
    if class.passable(cell) {
        return Ok(cell);
    }
    let middle = |cell: u32| {
        let (x, y) = map.cell(cell);
        [(f64::from(x) + 0.5) * side, (f64::from(y) + 0.5) * side]
    };
    let square =
        |[x, y]: [f64; 2]| (x - point[0]) * (x - point[0]) + (y - point[1]) * (y - point[1]);
    let open = (0..class.slowness().len() as u32).filter(|&cell| class.passable(cell));
    let nearest = open.min_by(|&a, &b| square(middle(a)).total_cmp(&square(middle(b))));
    let where_to = nearest.map_or_else(
        || "nowhere on this map is free".to_owned(),
        |cell| format!("the nearest free place is {}", text_of(middle(cell))),
    );
    Err(bad(if map.slowness()[cell as usize] == 0 {
        format!("it is in a wall; {where_to}")
    } else {
        format!("agents of {} m radius do not fit there; {where_to}", args.ground.radius)
    }))
}

fn off_mesh(argument: &'static str, point: [f64; 2], mesh: &Mesh, locator: &Locator) -> CliError {
    let nearest = locator.nearest(mesh, point, 100.0);
    let where_to = nearest.map_or_else(String::new, |place| {
        format!("; the nearest place is {}", text_of(place.point))
    });
    CliError::value(argument, text_of(point), format!("it is not on the mesh{where_to}"))
}

/// A point as it is typed, to a millimetre.
fn text_of(point: [f64; 2]) -> String {
    let [x, y] = point.map(|part| (part * 1e3).round() / 1e3);
    format!("{x},{y}")
}

fn draw(
    args: &PathArgs,
    drawn: WaysPicture,
    way: &Way,
    side: f64,
    shortest: Option<f64>,
    output: Output,
) -> Result<(), CliError> {
    let name = args.method().name();
    let length = way.length * side;
    let caption = match shortest {
        Some(shortest) if way.found && shortest > 0.0 => {
            format!("{name}: {length:.1} m, {:.3} times the shortest", length / shortest)
        }
        _ if way.found => format!("{name}: {length:.1} m"),
        _ => format!("{name}: does not arrive"),
    };
    output.picture(&drawn.finish(&caption), true)
}

fn as_text(args: &PathArgs, answer: &Answer) -> String {
    let (name, way) = (args.method().name(), &answer.way);
    let ends = [args.from, args.to].map(text_of);
    let mut text = if way.found {
        format!("{name}: {:.2} m from {} to {}", answer.length, ends[0], ends[1])
    } else if answer.shortest.is_none() {
        format!("{name}: there is no way from {} to {}", ends[0], ends[1])
    } else {
        let last = answer.points.last().map_or_else(String::new, |&at| {
            format!("; it ends at {} after {:.2} m", text_of(at), answer.length)
        });
        format!("{name}: does not arrive at {}{last}", ends[1])
    };
    text.push('\n');
    if let Some(shortest) = answer.shortest {
        let ratio = match shortest {
            0.0 => 1.0,
            shortest => answer.length / shortest,
        };
        let compared =
            if way.found { format!(", this is {ratio:.4} times that") } else { String::new() };
        text.push_str(&format!("  shortest   {shortest:.2} m{compared}\n"));
    }
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    text.push_str(&format!(
        "  points     {}\n  expanded   {} {}\n  memory     {}\n  \
         prepared   {:.3} ms\n  asked      {:.4} ms\n",
        thousands(answer.points.len() as u64),
        thousands(way.expansions),
        what_is_expanded(args.method()),
        ground::size(answer.bytes),
        milliseconds(answer.prepared),
        milliseconds(answer.asked),
    ));
    if let Some(path) = &args.picture {
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    text
}

fn what_is_expanded(method: Method) -> &'static str {
    match method {
        Method::By(Navigator::Flow) => "cells of the field",
        Method::By(Navigator::Network) => "nodes and lines of sight",
        method if method.is_by_cells() => "steps",
        _ => "nodes",
    }
}

fn as_json(args: &PathArgs, answer: &Answer) -> Value {
    let mut all = json!({
        "map": args.ground.map.display().to_string(),
        "navigator": args.method().name(),
        "from_m": args.from,
        "to_m": args.to,
        "radius_m": args.ground.radius,
        "found": answer.way.found,
        "length_m": answer.length,
        "shortest_m": answer.shortest,
        "points_m": answer.points,
        "expanded": answer.way.expansions,
        "bytes": answer.bytes,
        "prepared_ms": answer.prepared.as_secs_f64() * 1e3,
        "asked_ms": answer.asked.as_secs_f64() * 1e3,
    });
    if let Some(cells) = &answer.cells {
        // Points are columns and rows then.
        let ends = [("from_m", "from", args.from), ("to_m", "to", args.to)];
        for (metres, cell, place) in ends {
            all.as_object_mut().map(|all| all.remove(metres));
            all[cell] = json!(place.map(|part| part as u32));
        }
        all["cells"] = json!(cells);
    }
    all
}
