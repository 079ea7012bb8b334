//! What a run is called, and what its groups look like.

use serde_json::{Value, json};
use throng::lane::Numbers;
use throng::map::area::extent;
use throng::tick::Stage;
use throng::world::{MindDef, World};

use crate::draw::colour::{Rgb, group_colour};
use crate::draw::traffic::{SINK, SOURCE};
use crate::view::ask::Answer;
use crate::view::frame;
use crate::view::script::Script;

/// Names of a run.
pub(super) struct Names {
    /// Of the scenario, or what the replay is labelled.
    pub(super) run: String,
    groups: Vec<(String, Rgb)>,
    /// Colours of letters of the map.
    pub(super) letters: Vec<(u8, Rgb)>,
    /// Of the sources and of the sinks, by their index.
    pub(super) sources: Vec<String>,
    pub(super) sinks: Vec<String>,
}

impl Names {
    pub(super) fn of(script: &Script) -> Self {
        // Groups that a game has added are not in the scene of a replay: they have no names.
        let (run, scene) = match script {
            Script::Live { plan, .. } => (&plan.name, &plan.scene),
            Script::Replay { replay, .. } => (&replay.header.label, &replay.header.scene),
        };
        Self {
            run: run.clone(),
            groups: scene.groups.iter().map(|g| (g.name.clone(), g.color)).collect(),
            letters: scene.letters.clone(),
            sources: scene.sources.clone(),
            sinks: scene.sinks.clone(),
        }
    }

    /// All that a page needs to know beforehand.
    pub(super) fn answer<N: Numbers>(&self, script: &Script, world: &World<N>) -> Answer {
        let names =
            |mind: &MindDef| mind.machine.states.iter().map(|state| state.name.clone()).collect();
        let machines: Vec<Vec<String>> = world.minds().map(names).collect();
        let (map, fights) = (world.map(), !world.weapons().is_empty());
        Answer::json(&json!({
            "name": self.run,
            "live": script.is_live(),
            "numeric": N::NUMERIC.word(),
            "tick_rate": world.settings().tick_rate,
            "end": script.end(),
            "extent": extent(map),
            "cell": map.cell_size(),
            "groups": self.groups(world),
            "colours": { "source": SOURCE, "sink": SINK },
            "group_count": world.groups().len(),
            "kinds": frame::KINDS,
            "machines": machines,
            "thinks": world.minds().len() > 0,
            "fights": fights,
            "top_speed": frame::top_speed(world),
            "stages": Stage::ALL.map(Stage::name),
        }))
    }

    /// Groups with agents of their own: no variants, no detachments.
    fn groups<N: Numbers>(&self, world: &World<N>) -> Vec<Value> {
        let bases = (0..world.groups().len() as u16).filter(|&g| world.base_group(g) == g);
        let row = |index: u16| {
            let place = usize::from(index);
            let def = &world.groups()[place].def;
            let unnamed = || (format!("group {}", place + 1), group_colour(place));
            let (name, colour) = self.groups.get(place).cloned().unwrap_or_else(unnamed);
            json!({
                "index": index, "name": name, "colour": colour, "radius": def.radius,
                "speed": def.speed, "machine": world.mind_of(index), "team": def.team,
            })
        };
        bases.map(row).collect()
    }
}
