//! Scenarios of [Vadere](https://www.vadere.org): the topography, agents, sources and targets.
//!
//! Files of all releases are read, from 0.1 (`vadere.topography`) to 2.4. x goes right as in throng; y goes
//! up there and down here, so it is turned over: the picture is that of Vadere.

use std::collections::BTreeMap;

use serde_json::Value;
use throng::map::area::Shape;

use crate::import::json::Node;
use crate::import::problem::Problem;
use crate::import::raster::{Point, disc};
use crate::import::shapes::{self, FAR, Frame};
use crate::import::spawner::{self, Stream};

/// Largest number of an element.
const MAX_ID: i64 = 1 << 40;

/// Seconds that a run takes when the file does not say, as in Vadere.
const FINISH: f64 = 500.0;

/// Elements that have no counterpart, with what becomes of them.
const LEFT_OUT: [(&str, &str); 5] = [
    ("stairs", "level ground here; `terrain` of `[map]` gives ground a cost"),
    ("targetChangers", "left out: agents keep their targets"),
    ("aerosolClouds", "left out"),
    ("droplets", "left out"),
    ("cars", "left out"),
];

/// The contents of a file.
pub(super) struct Topography {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) frame: Frame,
    /// Thickness in metres of the wall around everything; 0 is none.
    pub(super) border: f64,
    /// Rings of the obstacles in metres of the map.
    pub(super) obstacles: Vec<Vec<Point>>,
    /// Areas by the number of their target, in order.
    pub(super) targets: BTreeMap<i64, Target>,
    pub(super) sources: Vec<Source>,
    /// Absorbing areas: agents of all groups leave there.
    pub(super) sinks: Vec<Place>,
    /// Where Vadere measures.
    pub(super) areas: Vec<Place>,
    pub(super) people: Vec<Person>,
    pub(super) walker: Walker,
    /// Seconds that the run takes.
    pub(super) finish: f64,
    pub(super) seed: Option<u64>,
    /// What is not taken over as it is in the file, in words.
    pub(super) notes: Vec<String>,
}

/// An area of the file.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) id: i64,
    /// Its path in the file.
    pub(super) path: String,
    pub(super) shape: Shape,
}

/// All areas of one number.
pub(super) struct Target {
    pub(super) places: Vec<Place>,
    /// Whether agents leave there when it is the last of theirs.
    pub(super) absorbs: bool,
}

/// Where agents appear, and to which targets they go one after another.
pub(super) struct Source {
    pub(super) place: Place,
    pub(super) targets: Vec<i64>,
    pub(super) stream: Stream,
}

/// An agent that is there from the beginning.
pub(super) struct Person {
    /// Its path in the file.
    path: String,
    pub(super) at: Point,
    pub(super) targets: Vec<i64>,
}

/// Radius, speed and other traits of all agents.
pub(super) struct Walker {
    pub(super) radius: f64,
    pub(super) speed: f64,
    pub(super) deviation: f64,
    pub(super) bounds: [f64; 2],
}

impl Topography {
    /// Reads a file.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Problem::whole("it is no text", "a scenario of Vadere, which is JSON"))?;
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            Problem::at(place, format!("it is no JSON: {why}"), "a scenario of Vadere")
        })?;
        let root = Node::root(&value);
        let scenario = root.get("scenario").or_else(|| root.get("vadere"));
        let scenario = scenario.unwrap_or_else(|| root.clone());
        let topography = scenario.get("topography").unwrap_or_else(|| scenario.clone());
        let mut read = Self::framed(&root, &topography)?;
        read.settings(&scenario, &topography)?;
        read.elements(&topography)?;
        read.check_targets()?;
        Ok(read)
    }

    /// The bounds, with nothing in them.
    fn framed(root: &Node<'_>, topography: &Node<'_>) -> Result<Self, Problem> {
        let attributes = topography.need("attributes")?;
        let bounds = attributes.need("bounds")?;
        let [x, y] = [shapes::coordinate(&bounds, "x")?, shapes::coordinate(&bounds, "y")?];
        let size = |key| bounds.need(key)?.number([0.1, 16_384.0], "length of the map in metres");
        let frame =
            Frame { left: x, top: y + size("height")?, size: [size("width")?, size("height")?] };
        let border = match attributes.flag("bounded", true)? {
            true => attributes.get("boundingBoxWidth"),
            false => None,
        };
        let border =
            border.map_or(Ok(0.0), |width| width.number([0.0, FAR], "thickness in metres"))?;
        let text = |key| root.get(key).map_or(Ok(""), |text| text.text());
        let walker = Walker { radius: 0.2, speed: 1.34, deviation: 0.26, bounds: [0.5, 2.2] };
        Ok(Self {
            name: text("name")?.to_owned(),
            description: text("description")?.to_owned(),
            frame,
            border,
            obstacles: Vec::new(),
            targets: BTreeMap::new(),
            sources: Vec::new(),
            sinks: Vec::new(),
            areas: Vec::new(),
            people: Vec::new(),
            walker,
            finish: FINISH,
            seed: None,
            notes: Vec::new(),
        })
    }

    /// The duration of the run, its seed, and the traits of agents.
    fn settings(&mut self, scenario: &Node<'_>, topography: &Node<'_>) -> Result<(), Problem> {
        let simulation = scenario.get("attributesSimulation");
        let finish = simulation.as_ref().and_then(|all| all.get("finishTime"));
        if let Some(finish) = finish.or_else(|| topography.get("attributes")?.get("finishTime")) {
            // Endless runs are written as the largest number.
            self.finish = finish.number([0.0, f64::MAX], "time in seconds")?.clamp(1.0, 1.0e6);
        }
        if let Some(simulation) = simulation.filter(|all| all.value["useFixedSeed"] == true) {
            self.seed = simulation.get("fixedSeed").and_then(|seed| seed.value.as_u64());
        }
        let Some(pedestrian) = topography.get("attributesPedestrian") else { return Ok(()) };
        let read = |key: &str, bounds, what: &str, otherwise: f64| {
            pedestrian.get(key).map_or(Ok(otherwise), |node| node.number(bounds, what))
        };
        let (speeds, walker) = ([0.0, 1.0e3], &mut self.walker);
        walker.radius = read("radius", [0.05, 50.0], "radius of 0.05 to 50 m", walker.radius)?;
        let mean = "speedDistributionMean";
        walker.speed = read(mean, [0.01, 500.0], "speed of 0.01 to 500 m/s", walker.speed)?;
        let deviation = "speedDistributionStandardDeviation";
        walker.deviation = read(deviation, speeds, "deviation in m/s", walker.deviation)?;
        let least = read("minimumSpeed", speeds, "speed in m/s", walker.bounds[0])?;
        let most = read("maximumSpeed", speeds, "speed in m/s", walker.bounds[1])?;
        walker.bounds = [least, most];
        Ok(())
    }

    /// All that stands in the bounds.
    fn elements(&mut self, topography: &Node<'_>) -> Result<(), Problem> {
        for obstacle in topography.items("obstacles")? {
            self.obstacle(&obstacle.need("shape")?)?;
        }
        for target in topography.items("targets")? {
            self.target(&target)?;
        }
        for source in topography.items("sources")? {
            self.source(&source)?;
        }
        for area in topography.items("absorbingAreas")? {
            let place = self.place(&area)?;
            self.sinks.extend(place);
        }
        for area in topography.items("measurementAreas")? {
            let place = self.place(&area)?;
            self.areas.extend(place);
        }
        for person in topography.items("dynamicElements")? {
            self.person(&person)?;
        }
        for (key, becomes) in LEFT_OUT {
            let all: Vec<String> = topography.items(key)?.iter().map(number_of).collect();
            if !all.is_empty() {
                self.notes.push(format!("{key} {}: {becomes}", listed(&all)));
            }
        }
        if topography.get("teleporter").is_some() {
            self.notes.push("the teleporter is left out".to_owned());
        }
        Ok(())
    }

    fn obstacle(&mut self, shape: &Node<'_>) -> Result<(), Problem> {
        let ring = match shapes::outline(shape, &self.frame)? {
            shapes::Outline::Disc(centre, radius) => disc(centre, radius),
            shapes::Outline::Ring(ring) => ring,
        };
        if let Some([x, y]) = shapes::crossing(&ring) {
            let [x, y] = self.frame.back([x, y]);
            self.notes.push(format!(
                "{}: the polygon crosses itself near ({x:.2}, {y:.2}); all that it goes around is wall",
                shape.path
            ));
        }
        self.obstacles.push(ring);
        Ok(())
    }

    /// An area; nothing, and a note, where none of it is within the bounds.
    fn place(&mut self, element: &Node<'_>) -> Result<Option<Place>, Problem> {
        let shape = element.need("shape")?;
        let found = shapes::area(&shape, &self.frame)?;
        let path = element.path.clone();
        let Some(shape) = found else {
            self.notes.push(format!("{path} is left out: it lies outside of the bounds"));
            return Ok(None);
        };
        let id = element.get("id").map_or(Ok(-1), |id| id.whole([-MAX_ID, MAX_ID], "number"))?;
        Ok(Some(Place { id, path, shape }))
    }

    fn target(&mut self, element: &Node<'_>) -> Result<(), Problem> {
        let Some(place) = self.place(element)? else { return Ok(()) };
        let absorbs = match element.get("absorber") {
            Some(absorber) => absorber.flag("enabled", true)?,
            None => element.flag("absorbing", true)?,
        };
        let waits = match element.get("waiter") {
            Some(waiter) => waiter.flag("enabled", false)?,
            None => element.get("waitingTime").is_some_and(|time| time.value.as_f64() > Some(0.0)),
        };
        if waits {
            self.notes.push(format!("target {}: nobody waits there", place.id));
        }
        let target = self.targets.entry(place.id);
        let target = target.or_insert(Target { places: Vec::new(), absorbs: false });
        target.absorbs |= absorbs;
        target.places.push(place);
        Ok(())
    }

    fn source(&mut self, element: &Node<'_>) -> Result<(), Problem> {
        let Some(place) = self.place(element)? else { return Ok(()) };
        let targets = targets_of(element)?;
        if targets.is_empty() {
            let wrong = format!("source {} has no target", place.id);
            let expected = "`targetIds` with the number of a target";
            return Err(Problem::at(element.path.as_str(), wrong, expected));
        }
        let (stream, notes) = spawner::read(element, self.finish)?;
        self.notes.extend(notes.into_iter().map(|note| format!("source {}: {note}", place.id)));
        let Some(stream) = stream else { return Ok(()) };
        let groups = element.get("groupSizeDistribution");
        let shares = groups.and_then(|groups| groups.value.as_array().cloned()).unwrap_or_default();
        if shares.iter().skip(1).any(|share| share.as_f64() > Some(0.0)) {
            self.notes.push(format!("source {}: all come alone, nobody in a group", place.id));
        }
        self.sources.push(Source { place, targets, stream });
        Ok(())
    }

    fn person(&mut self, element: &Node<'_>) -> Result<(), Problem> {
        if let Some(kind) = element.get("type").filter(|kind| kind.value != "PEDESTRIAN") {
            let note = format!("{} is left out: it is a {}", element.path, kind.text()?);
            self.notes.push(note);
            return Ok(());
        }
        let at = shapes::point(&element.need("position")?, &self.frame)?;
        let targets = targets_of(element)?;
        self.people.push(Person { path: element.path.clone(), at, targets });
        Ok(())
    }

    /// Refuses targets that are not there.
    fn check_targets(&mut self) -> Result<(), Problem> {
        let sources = self.sources.iter().map(|source| (&source.place.path, &source.targets));
        let people = self.people.iter().map(|person| (&person.path, &person.targets));
        for (path, targets) in sources.chain(people) {
            let Some(missing) = targets.iter().find(|id| !self.targets.contains_key(id)) else {
                continue;
            };
            let known: Vec<String> = self.targets.keys().map(i64::to_string).collect();
            let expected = match known.is_empty() {
                true => "a target: the file has none".to_owned(),
                false => format!("one of the targets {}", listed(&known)),
            };
            let wrong = format!("there is no target {missing}");
            return Err(Problem::at(format!("{path}.targetIds"), wrong, expected));
        }
        Ok(())
    }
}

/// The numbers of the targets of an element.
fn targets_of(element: &Node<'_>) -> Result<Vec<i64>, Problem> {
    let ids = element.items("targetIds")?;
    ids.iter().map(|id| id.whole([-MAX_ID, MAX_ID], "number of a target")).collect()
}

/// The number of an element, or its place.
fn number_of(element: &Node<'_>) -> String {
    element.get("id").map_or_else(|| element.path.clone(), |id| id.value.to_string())
}

/// Names with commas between, the first of many.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [first @ .., _, _] if names.len() > 12 => {
            format!("{} and {} more", first[..10].join(", "), names.len() - 10)
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Topography;
    use crate::import::scenario;

    const CORNER: &str = include_str!("../../tests/program/import/corner.scenario");

    /// Takes a file as far as the program would: it is refused with words, or makes a scenario.
    fn tried(bytes: &[u8]) -> Result<(), String> {
        let words = |problem: crate::import::problem::Problem| {
            assert!(!problem.wrong.is_empty() && !problem.expected.is_empty(), "{problem:?}");
            problem.wrong
        };
        let topography = Topography::parse(bytes).map_err(words)?;
        let cell = crate::import::side(topography.frame.size).max(0.5);
        let raster = scenario::raster(&topography, cell).map_err(words)?;
        let map = scenario::map(&raster).map_err(words)?;
        let written = scenario::write(&topography, &map, ["a.scenario", "a.png"]).map_err(words)?;
        if let Some(text) = written.text {
            throng::scenario::ScenarioDef::parse(&text, "a.toml")
                .map(drop)
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_refused() {
        tried(CORNER.as_bytes()).unwrap();
        let end = CORNER.trim_end().len();
        for length in 0..end {
            tried(&CORNER.as_bytes()[..length]).unwrap_err();
        }
    }

    /// The places of all values.
    fn places(value: &Value, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        match value {
            Value::Object(map) => {
                map.iter().for_each(|(key, value)| places(value, &format!("{path}/{key}"), found));
            }
            Value::Array(list) => list
                .iter()
                .enumerate()
                .for_each(|(i, value)| places(value, &format!("{path}/{i}"), found)),
            _ => {}
        }
    }

    #[test]
    fn any_value_in_place_of_another_is_taken_or_refused() {
        let file: Value = serde_json::from_str(CORNER).unwrap();
        let mut all = Vec::new();
        places(&file, "", &mut all);
        let odd = [
            json!(null),
            json!(-1),
            json!(0),
            json!(0.3),
            json!(1e308),
            json!(u64::MAX),
            json!(true),
            json!("x"),
            json!([]),
            json!([[1], {}]),
            json!({}),
        ];
        let (mut taken, mut refused) = (0, 0);
        for path in &all {
            for value in &odd {
                let mut other = file.clone();
                *other.pointer_mut(path).unwrap() = value.clone();
                match tried(other.to_string().as_bytes()) {
                    Ok(()) => taken += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(taken > 300 && refused > 300, "{taken} taken, {refused} refused");
    }
}
