//! The states of structures, for the summary, and how pictures show them.

use std::fmt;

use serde::Serialize;
use throng::lane::Numbers;
use throng::report::number::{plural, thousands};
use throng::world::World;

use crate::draw::walls::Walls;

/// Lines of the text at most.
const MAX_LINES: usize = 12;

/// The state of a structure at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StructureState {
    /// Its name.
    pub name: String,
    /// Hit points that are left.
    pub health: f64,
    /// Hit points at the beginning.
    pub most: f64,
    /// When it fell, in seconds; not there while it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fell_s: Option<f64>,
}

/// The states of all structures at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Structures {
    /// Structures that stand.
    pub standing: u64,
    /// Structures that have fallen.
    pub fallen: u64,
    /// The structures, in the order they were added.
    pub structures: Vec<StructureState>,
}

impl Structures {
    /// The structures of a world, under these names; `None` when it has none.
    pub fn of<N: Numbers>(world: &World<N>, names: &[String]) -> Option<Self> {
        let mut all = Self::default();
        for (index, structure) in world.structures().iter().enumerate() {
            let name = names.get(index).cloned();
            all.structures.push(StructureState {
                name: name.unwrap_or_else(|| format!("structure {}", index + 1)),
                health: structure.health(),
                most: structure.def().health,
                // It is gone at the end of the tick.
                fell_s: structure.fell().map(|tick| (tick + 1) as f64 * world.dt()),
            });
            *if structure.stands() { &mut all.standing } else { &mut all.fallen } += 1;
        }
        (!all.structures.is_empty()).then_some(all)
    }
}

impl fmt::Display for Structures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |value: String| writeln!(f, "  {:<15} {value}", "structure");
        for StructureState { name, health, most, fell_s } in self.structures.iter().take(MAX_LINES)
        {
            line(match fell_s {
                Some(seconds) => format!("'{name}' fell after {seconds:.2} s"),
                None => {
                    let [health, most] = [*health, *most].map(|n| thousands(n.ceil() as u64));
                    format!("'{name}' stands, with {health} of {most} hit points")
                }
            })?;
        }
        let Some(rest) = self.structures.get(MAX_LINES..).filter(|rest| !rest.is_empty()) else {
            return Ok(());
        };
        let fallen = rest.iter().filter(|structure| structure.fell_s.is_some()).count();
        let others = plural(rest.len() as u64, "other");
        line(format!("{} of {others} fell", thousands(fallen as u64)))
    }
}

/// The walls of all structures that stand, and the doors that are closed, for pictures.
pub(crate) fn walls<N: Numbers>(world: &World<N>) -> Walls {
    let mut walls = closed_doors(world);
    for structure in world.structures() {
        walls.add(structure.cells(), structure.health() / structure.def().health);
    }
    walls
}

/// The doors that are closed.
pub(crate) fn closed_doors<N: Numbers>(world: &World<N>) -> Walls {
    let mut walls = Walls::default();
    for door in world.doors().iter().filter(|door| !door.is_open()) {
        walls.close(door.cells());
    }
    walls
}
