//! How a run looks in pictures: the same for a run as for its replay.

use crate::draw::classes::Classes;
use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::fixtures::Fixtures;
use crate::draw::picture;
use crate::draw::picture::{AreaKind, MarkedArea, PictureOptions};
use crate::draw::traffic::TrafficNames;
use crate::draw::trails::Trails;
use crate::error::CliError;
use crate::summary::{plural, thousands};
use crate::{structures, traffic};
use clap::{Args as ClapArgs, ValueEnum};
use image::RgbImage;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::{self, Shape};
use throng::report::Crowd;
use throng::report::battle::Battle;
use throng::report::observer::Observer;
use throng::scenario::Scene;
use throng::world::World;

/// What colours tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourBy {
    /// Groups
    Group,
    /// States of machines; the group where an agent has no machine
    State,
}

/// How pictures look.
#[derive(ClapArgs, Debug)]
pub(crate) struct LookArgs {
    /// What colours in pictures and films tell apart
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ColourBy::Group)]
    pub(crate) colour_by: ColourBy,
    /// Left, top, right and bottom in metres of what pictures, films and heat maps show
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = crop, allow_hyphen_values = true)]
    pub(crate) crop: Option<[f64; 4]>,
}

/// A part of the map as typed: `X0,Y0,X1,Y1`.
fn crop(text: &str) -> Result<[f64; 4], String> {
    let wrong =
        || format!("`{text}` is no part of a map; one is X0,Y0,X1,Y1 in metres, as in 0,10,40,30");
    let numbers: Vec<f64> = text.split(',').filter_map(|text| text.trim().parse().ok()).collect();
    let crop: [f64; 4] = numbers.try_into().map_err(|_| wrong())?;
    let is_fine = crop.iter().all(|number| number.is_finite());
    let [left, top, right, bottom] = crop;
    if is_fine && left < right && top < bottom { Ok(crop) } else { Err(wrong()) }
}

impl LookArgs {
    /// Refuses a part to be shown that lies off the map.
    pub(crate) fn check(&self, map: &Map) -> Result<(), CliError> {
        let Some([left, top, right, bottom]) = self.crop else { return Ok(()) };
        let [width, height] = area::extent(map);
        if left < width && top < height && right > 0.0 && bottom > 0.0 {
            return Ok(());
        }
        let why = format!("it lies off the map, which is {width} m × {height} m");
        Err(CliError::value("--crop", format!("{left},{top},{right},{bottom}"), why))
    }
}

/// What pictures of a run show beside its world, and what their colours tell apart.
pub(crate) struct Look<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) classes: Classes,
    by_state: bool,
    /// What pictures show of the map, metres.
    crop: Option<[f64; 4]>,
}

impl<'a> Look<'a> {
    /// Colours tell groups or states apart.
    pub(crate) fn new(scene: &'a Scene, looks: &LookArgs) -> Self {
        let by_state = looks.colour_by == ColourBy::State;
        let classes = if by_state { Classes::states(scene) } else { Classes::groups(scene) };
        Self { scene, classes, by_state, crop: looks.crop }
    }

    /// An observer of a run with ticks of `dt` seconds.
    pub(crate) fn observer(&self, dt: f64) -> Observer {
        let Classes { colours, first, .. } = &self.classes;
        let observer = Observer::new(dt, colours.clone());
        if self.by_state { observer.by_state(first.clone(), colours.clone()) } else { observer }
    }

    /// Names of the sources and sinks.
    pub(crate) fn traffic(&self) -> TrafficNames<'a> {
        TrafficNames { sources: &self.scene.sources, sinks: &self.scene.sinks }
    }

    /// What pictures show of the map, metres; all of it without.
    pub(crate) fn crop(&self) -> Option<[f64; 4]> {
        self.crop
    }

    /// A picture of a crowd; of a fight, with what flies, bursts and has fallen.
    pub(crate) fn draw(
        &self,
        map: &Map,
        crowd: &Crowd<'_>,
        caption: &str,
        trails: Option<&Trails>,
        combat_overlay: Option<&CombatOverlay>,
        fixtures: &Fixtures,
    ) -> RgbImage {
        let mut areas = Vec::new();
        // Armies start and aim everywhere.
        let groups = if combat_overlay.is_some() { &[][..] } else { &self.scene.groups };
        for (&index, group) in self.classes.first.iter().zip(groups) {
            let mut mark = |shapes: &[Shape], kind| {
                areas.extend(shapes.iter().cloned().map(|shape| MarkedArea {
                    shape,
                    group: index,
                    kind,
                }));
            };
            mark(&group.starts, AreaKind::Start);
            mark(&group.goal, AreaKind::Goal);
        }
        let options = PictureOptions {
            names: &self.classes.names,
            // A share of the agents left on the map says nothing where agents leave by sinks.
            head_counts: self.by_state || !self.scene.sinks.is_empty(),
            caption,
            trails,
            combat_overlay,
            fixtures: Some(fixtures),
            traffic: self.traffic(),
            areas: &areas,
            letters: &self.scene.letters,
            letter_names: &self.scene.letter_names,
            crop: self.crop,
            ..PictureOptions::default()
        };
        picture::draw(map, crowd, &options)
    }
}

/// Structures, closed doors, sources and sinks of a world, for pictures.
pub(crate) fn fixtures<N: Numbers>(world: &World<N>) -> Fixtures {
    Fixtures { walls: structures::walls(world), traffic: traffic::areas(world) }
}

/// The line below a picture; the two counts are all agents, also those that left, and the agents
/// that have arrived.
pub(crate) fn caption_of(
    name: &str,
    battle: Option<&Battle>,
    [agents, arrived]: [u64; 2],
    seconds: f64,
) -> String {
    match battle {
        Some(battle) => format!("{name}: {}, after {seconds:.0} s", battle.strengths()),
        None => format!(
            "{name}: {}, {} arrived, after {seconds:.0} s",
            plural(agents, "agent"),
            thousands(arrived)
        ),
    }
}
