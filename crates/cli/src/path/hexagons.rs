//! Ways over maps whose cells are hexagons.

use std::time::Instant;

use throng::map::{Clearance, Map};

use crate::draw::ways_picture::WaysPicture;
use crate::error::CliError;
use crate::output::Output;
use crate::path::{Answer, LONG_SIDE, PathArgs, draw, refused, repeat};
use crate::pathfinding::{Method, Prepared, Query, Scratch, hexagons};

/// Finds a way over hexagons.
pub(super) fn find(args: &PathArgs, picture: Option<Output>) -> Result<Answer, CliError> {
    let method = args.method();
    if !method.is_on_hexagons() {
        let names: Vec<&str> =
            Method::all().filter(|other| other.is_on_hexagons()).map(Method::name).collect();
        let why = format!("on hexagons only {} find ways", names.join(", "));
        return Err(CliError::value("--navigator", method.name(), why));
    }
    if args.ground.radius != 0.0 {
        let why = "on hexagons agents have no size: whoever is in one fits in it";
        return Err(CliError::value("--radius", args.ground.radius.to_string(), why));
    }
    let (map, class) = args.ground.load_of(true)?;
    let [from, to] =
        [cell(&map, &class, "--from", args.from)?, cell(&map, &class, "--to", args.to)?];
    let query = Query { from, to, leader: from, seed: args.seed, most_steps: args.steps };
    let side = map.cell_size();
    let shortest = hexagons::fewest_steps(&hexagons::grid(&class), from, to);
    let shortest = shortest.map(|steps| f64::from(steps) * side);
    let mut scratch = Scratch::default();
    let began = Instant::now();
    let prepared = Prepared::on_hexagons(method, &map, &class).map_err(refused(args, method))?;
    let preparation = began.elapsed();
    let (way, asked) = repeat(|way| prepared.find(&query, &mut scratch, way));
    let bytes = prepared.bytes() + scratch.bytes();
    if let Some(output) = picture {
        let mut drawn = WaysPicture::of_hexagons(&map, &prepared.seen(&scratch), LONG_SIDE);
        drawn.way(&way.points).ends(prepared.middle(from), prepared.middle(to));
        draw(args, drawn, &way, side, shortest, output)?;
    }
    let points = way.points.iter().map(|point| point.map(|part| part * side)).collect();
    let length = way.length * side;
    let cells = scratch.cells.iter().map(|&cell| map.cell(cell).into()).collect();
    let cells = Some(cells);
    Ok(Answer { way, points, cells, length, shortest, prepared: preparation, asked, bytes })
}

/// The hexagon of a column and a row; an agent can stand on it.
fn cell(
    map: &Map,
    class: &Clearance,
    argument: &'static str,
    place: [f64; 2],
) -> Result<u32, CliError> {
    let [column, row] = place;
    let bad = |why: String| CliError::value(argument, format!("{column},{row}"), why);
    if place.iter().any(|part| part.fract() != 0.0) {
        return Err(bad("a hexagon is named by its column and row, two whole numbers".to_owned()));
    }
    let [columns, rows] = [map.width(), map.height()];
    let is_on = |part: f64, count: u32| (0.0..f64::from(count)).contains(&part);
    if !(is_on(column, columns) && is_on(row, rows)) {
        let why = format!("there are {columns} columns and {rows} rows, counted from 0");
        return Err(bad(why));
    }
    let cell = map.index(column as u32, row as u32);
    match class.passable(cell) {
        true => Ok(cell),
        false => Err(bad("it is a wall".to_owned())),
    }
}
