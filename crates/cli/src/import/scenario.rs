//! A topography as a map and a scenario of throng.

use std::collections::BTreeSet;
use std::fmt::Write;

use throng::map::area::{self, Shape};
use throng::map::{Clearance, Map, PLAIN, limits};
use throng::scenario::MAX_MEASURES;

use crate::import::problem::Problem;
use crate::import::raster::{Inside, Point, Raster};
use crate::import::shapes::{self, rounded};
use crate::import::spawner::{Kind, Stream};
use crate::import::vadere::{Place, Topography, listed};
use crate::summary::plural;

/// Ticks a second to choose from: the first at which no agent moves farther than a cell in a tick.
const TICK_RATES: [u32; 7] = [20, 25, 40, 50, 100, 250, 1_000];

/// Points of a spawn at most, as scenarios have them.
const MAX_POINTS: usize = 1_000;

/// Open ground of a width and height in metres.
pub(super) fn open(metres: [f64; 2], cell: f64) -> Result<Raster, Problem> {
    let size = metres.map(|metres| (metres / cell - 1.0e-9).ceil().clamp(1.0, 1.0e9) as u32);
    limits::check_size(size[0], size[1], cell)
        .map_err(|error| Problem::whole(error.to_string(), "larger cells, by --cell"))?;
    Ok(Raster::new(size.map(|cells| cells as usize), cell))
}

/// The walls of a topography as cells.
pub(super) fn raster(topography: &Topography, cell: f64) -> Result<Raster, Problem> {
    let [width, height] = topography.frame.size;
    let mut raster = open([width, height], cell)?;
    let size = raster.size;
    for ring in &topography.obstacles {
        raster.fill(std::slice::from_ref(ring), Inside::NonZero)?;
    }
    let rect = |[x0, y0, x1, y1]: [f64; 4]| vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let border = topography.border;
    let far = size.map(|cells| (cells as f64 + 1.0) * cell);
    // Parts of cells beyond the bounds are no ground.
    let (right, low) = (width - border, height - border);
    for frame in [
        [0.0, 0.0, far[0], border],
        [0.0, low, far[0], far[1]],
        [0.0, 0.0, border, far[1]],
        [right, 0.0, far[0], far[1]],
    ] {
        raster.paint(&[rect(frame)], Inside::NonZero, true)?;
    }
    Ok(raster)
}

/// The map of walls as cells.
pub(super) fn map(raster: &Raster) -> Result<Map, Problem> {
    let slowness: Vec<u8> = raster.walls.iter().map(|&wall| if wall { 0 } else { PLAIN }).collect();
    let [width, height] = raster.size.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    Map::try_from_slowness(width, height, raster.cell, &slowness)
        .map_err(|error| Problem::whole(error.to_string(), "a smaller plan, or larger cells"))
}

/// Agents with the same targets: where some of them are at the beginning.
struct Group {
    name: String,
    targets: Vec<i64>,
    people: Vec<Point>,
}

/// The written scenario, and notes on what is not as in the file.
pub(super) struct Written {
    /// The scenario; `None` without any agents.
    pub(super) text: Option<String>,
    pub(super) notes: Vec<String>,
}

/// Writes a topography as a scenario with a map file.
pub(super) fn write(
    topography: &Topography,
    map: &Map,
    [file, map_file]: [&str; 2],
) -> Result<Written, Problem> {
    let class = map.try_class(topography.walker.radius);
    let class = class.map_err(|error| Problem::whole(error.to_string(), "smaller agents"))?;
    let (notes, body) = (topography.notes.clone(), String::new());
    let mut writer = Writer { topography, map, class: &class, notes, body, names: BTreeSet::new() };
    let groups = writer.groups();
    for group in &groups {
        writer.group(group)?;
    }
    writer.sources(&groups)?;
    writer.places()?;
    let text = format!("{}{}", writer.head(file, map_file, &groups), writer.body);
    let text = (!groups.is_empty()).then_some(text);
    Ok(Written { text, notes: writer.notes })
}

/// Writes a scenario: `body` is the text behind the head so far.
struct Writer<'a> {
    topography: &'a Topography,
    map: &'a Map,
    class: &'a Clearance,
    notes: Vec<String>,
    body: String,
    /// Names that are taken.
    names: BTreeSet<String>,
}

impl Writer<'_> {
    /// A group of agents for every list of targets, in the order of the file, without agents that
    /// stand in walls.
    fn groups(&mut self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut lost = 0_u64;
        let sources = self.topography.sources.iter().map(|source| (&source.targets, None));
        let people = self.topography.people.iter().map(|person| (&person.targets, Some(person.at)));
        for (targets, at) in sources.chain(people) {
            if at.is_some_and(|at| !self.stands(at)) {
                lost += 1;
                continue;
            }
            let found = groups.iter().position(|group| group.targets == *targets);
            let index = found.unwrap_or_else(|| {
                let ids: Vec<String> = targets.iter().map(i64::to_string).collect();
                let name = match ids.is_empty() {
                    true => "standing".to_owned(),
                    false => format!("to {}", listed(&ids)),
                };
                let name = self.unused(name);
                groups.push(Group { name, targets: targets.clone(), people: Vec::new() });
                groups.len() - 1
            });
            groups[index].people.extend(at);
        }
        if lost > 0 {
            self.notes.push(format!("{} in walls or outside left out", plural(lost, "agent")));
        }
        groups
    }

    /// A name, with a number behind it if it is taken.
    fn unused(&mut self, name: String) -> String {
        let short: String = name.chars().take(50).collect();
        let more = (2..).map(|number| format!("{short} ({number})"));
        let mut all = std::iter::once(short.clone()).chain(more);
        let free = all.find(|name| !self.names.contains(name)).unwrap_or(name);
        self.names.insert(free.clone());
        free
    }

    /// Whether an agent can stand at a point.
    fn stands(&self, [x, y]: Point) -> bool {
        let cell = self.map.cell_at(x, y);
        cell.is_some_and(|cell| self.class.slowness()[cell as usize] != 0)
    }

    /// Whether an agent can stand somewhere in a shape.
    fn has_room(&self, shape: &Shape) -> bool {
        area::has_room(self.map, shape, self.class.slowness())
    }

    /// A shape in which agents can stand: as it is, or else the box around it, wider by a radius and a
    /// cell.
    fn roomy(&mut self, place: &Place, what: &str) -> Result<String, Problem> {
        if self.has_room(&place.shape) {
            return Ok(shapes::text(&place.shape));
        }
        let more = self.topography.walker.radius + self.map.cell_size();
        let bounds = place.shape.bounds();
        let extent = self.topography.frame.size;
        let min = bounds.min.map(|low| (low - more).max(0.0));
        let max = [0, 1].map(|axis: usize| (bounds.max[axis] + more).min(extent[axis]));
        let wider = Shape::rect(min, max);
        if self.has_room(&wider) {
            let note =
                format!("{what} {}: made wider by {more:.2} m, as nobody fits in it", place.id);
            self.notes.push(note);
            return Ok(shapes::text(&wider));
        }
        let wrong = format!("nobody can stand in {what} {}: it lies in walls", place.id);
        let expected = "open ground there, or smaller cells, by --cell";
        Err(Problem::at(place.path.as_str(), wrong, expected))
    }

    /// The areas of a target, as an area of a scenario.
    fn goal(&mut self, id: i64) -> Result<String, Problem> {
        let places = self.topography.targets[&id].places.clone();
        let mut shapes = Vec::new();
        let mut problem = None;
        for place in &places {
            match self.roomy(place, "target") {
                Ok(shape) => shapes.push(shape),
                Err(wrong) => problem = Some(wrong),
            }
        }
        match (shapes.as_slice(), problem) {
            ([], Some(problem)) => Err(problem),
            (_, Some(_)) => {
                self.notes.push(format!("target {id}: parts of it in walls are left out"));
                Ok(any(&shapes))
            }
            _ => Ok(any(&shapes)),
        }
    }

    /// Whether agents leave at their last target.
    fn leaves(&self, targets: &[i64]) -> bool {
        targets.last().is_some_and(|last| self.topography.targets[last].absorbs)
    }

    fn group(&mut self, group: &Group) -> Result<(), Problem> {
        let walker = &self.topography.walker;
        let mut text = format!("\n[[group]]\nname = {}\n", quoted(&group.name));
        text.push_str("preset = \"pedestrian\"\n");
        let _ = write!(text, "radius = {}\nspeed = {}\n", walker.radius, walker.speed);
        let [low, high] = walker.bounds;
        if walker.deviation > 0.0 && low < high {
            let _ = writeln!(
                text,
                "vary.speed = {{ normal = [{}, {}], min = {low}, max = {high} }}",
                walker.speed, walker.deviation
            );
        }
        let spawns: Vec<String> = group
            .people
            .chunks(MAX_POINTS)
            .map(|people| {
                any(&people.iter().map(|&at| shapes::text(&Shape::point(at))).collect::<Vec<_>>())
            })
            .collect();
        if !spawns.is_empty() {
            let _ = writeln!(text, "spawn = [{}]", spawns.join(", "));
        }
        let leaves = self.leaves(&group.targets);
        match group.targets.as_slice() {
            [] => {}
            [one] => {
                let _ = writeln!(text, "goal = {}", self.goal(*one)?);
                if leaves {
                    text.push_str("leave = true\n");
                }
            }
            [first, ..] => {
                let goal = self.goal(*first)?;
                let _ = write!(text, "machine = {}\ngoal = {goal}\n", quoted(&group.name));
                let machine = self.machine(group, leaves)?;
                text.insert_str(0, &machine);
            }
        }
        self.body.push_str(&text);
        Ok(())
    }

    /// The machine that leads agents from one target to the next.
    fn machine(&mut self, group: &Group, leaves: bool) -> Result<String, Problem> {
        let mut text = format!("\n[[machine]]\nname = {}\n", quoted(&group.name));
        let last = group.targets.len();
        for (i, &target) in (1..).zip(&group.targets) {
            let goal = self.goal(target)?;
            let _ = write!(text, "\n[[machine.state]]\nname = \"way {i}\"\ngoal = {goal}\n");
            if i < last {
                let _ = writeln!(text, "go = [{{ to = \"way {}\", when = \"arrived\" }}]", i + 1);
            } else if leaves {
                let _ = writeln!(
                    text,
                    "go = [{{ to = \"way {i}\", when = \"arrived\", do = [\"leave\"] }}]"
                );
            }
        }
        Ok(text)
    }

    fn sources(&mut self, groups: &[Group]) -> Result<(), Problem> {
        for source in &self.topography.sources {
            let shape = self.roomy(&source.place, "source")?;
            let name = self.unused(format!("source {}", source.place.id));
            let group = groups.iter().find(|group| group.targets == source.targets);
            let group = group.map_or("", |group| &group.name);
            let _ = write!(
                self.body,
                "\n[[source]]\nname = {}\ngroup = {}\n{shape}\n{}",
                quoted(&name),
                quoted(group),
                stream(&source.stream)
            );
        }
        Ok(())
    }

    /// Writes the sinks and the areas of measurement.
    fn places(&mut self) -> Result<(), Problem> {
        for place in &self.topography.sinks {
            let shape = self.roomy(place, "absorbing area")?;
            let name = self.unused(format!("absorbing area {}", place.id));
            let _ = write!(self.body, "\n[[sink]]\nname = {}\n{shape}\n", quoted(&name));
        }
        let areas = &self.topography.areas;
        let (mut taken, mut left) = (0, Vec::new());
        for place in areas {
            let is_open = area::has_room(self.map, &place.shape, self.map.slowness());
            if !is_open || taken == MAX_MEASURES {
                left.push(place.id.to_string());
                continue;
            }
            taken += 1;
            let (name, shape) = (format!("area {}", place.id), shapes::text(&place.shape));
            let name = self.unused(name);
            let _ = write!(self.body, "\n[[area]]\nname = {}\n{shape}\n", quoted(&name));
        }
        if !left.is_empty() {
            let why = format!("they lie in walls, or are more than {MAX_MEASURES}");
            self.notes.push(format!("measurementAreas {}: left out: {why}", listed(&left)));
        }
        Ok(())
    }

    /// The text before the groups.
    fn head(&self, file: &str, map_file: &str, groups: &[Group]) -> String {
        let topography = self.topography;
        let (left, top) = (rounded(topography.frame.left), rounded(topography.frame.top));
        let mut text = format!(
            "# From {}, a scenario of Vadere. Of a point there, x and y here\n",
            plain(file)
        );
        let _ = writeln!(text, "# are x − {left} and {top} − y.");
        for note in &self.notes {
            let _ = writeln!(text, "# {}", plain(note));
        }
        let walker = &topography.walker;
        // No agent is more than twice as quick as its group.
        let top = (2.0 * walker.speed).min(walker.speed.max(walker.bounds[1]));
        let fits = |rate: &u32| top / f64::from(*rate) <= self.map.cell_size();
        let rate = TICK_RATES.into_iter().find(fits).unwrap_or(TICK_RATES[TICK_RATES.len() - 1]);
        let _ = writeln!(text, "name = {}", quoted(&topography.name));
        if !topography.description.trim().is_empty() {
            let _ = writeln!(text, "description = {}", quoted(topography.description.trim()));
        }
        if let Some(seed) = topography.seed {
            let _ = writeln!(text, "seed = {seed}");
        }
        let _ = writeln!(
            text,
            "tick_rate = {rate}\nticks = {}",
            (topography.finish * f64::from(rate)).ceil() as u64
        );
        if groups.iter().all(|group| self.leaves(&group.targets)) {
            text.push_str("\n[end]\nleft = 1.0\n");
        }
        let _ =
            write!(text, "\n[map]\nfile = {}\ncell = {}\n", quoted(map_file), self.map.cell_size());
        text
    }
}

/// Shapes, as an area of a scenario.
fn any(shapes: &[String]) -> String {
    match shapes {
        [one] => format!("{{ {one} }}"),
        several => {
            let all: Vec<String> = several.iter().map(|shape| format!("{{ {shape} }}")).collect();
            format!("{{ any = [{}] }}", all.join(", "))
        }
    }
}

/// When agents come, as keys of a source.
fn stream(stream: &Stream) -> String {
    let mut text = String::new();
    let pairs = |pairs: Vec<String>| pairs.join(", ");
    let _ = match &stream.kind {
        Kind::Batches(batches) => {
            let all = batches.iter().map(|(time, number)| format!("[{time}, {number}]")).collect();
            writeln!(text, "batches = [{}]", pairs(all))
        }
        Kind::Rate { rate, poisson } => {
            let poisson = if *poisson { "poisson = true\n" } else { "" };
            writeln!(text, "rate = {rate}\n{poisson}start = {}", stream.start)
        }
        Kind::Table(table) => {
            let all = table.iter().map(|(time, rate)| format!("[{time}, {rate}]")).collect();
            writeln!(text, "rate = [{}]", pairs(all))
        }
    };
    if let Some(end) = stream.end {
        let _ = writeln!(text, "end = {end}");
    }
    if let Some(most) = stream.most {
        let _ = writeln!(text, "count = {most}");
    }
    text
}

/// A text of one line for a comment.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A text in quotes, as TOML has it.
fn quoted(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    serde_json::Value::String(text).to_string()
}
