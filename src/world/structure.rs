//! Structures: walls with hit points, which fall when these are gone.

use serde::{Deserialize, Serialize};

use crate::data::definition::{Definition, Limits, Takes, define};
use crate::data::record::record;
use crate::data::{Id, StructureId};
use crate::lane::Numbers;
use crate::map::Map;
use crate::map::area::Shape;
use crate::math::each::Each;
use crate::world::{Shot, TEAMS, Traits, WeaponDef, World, WorldError};

/// Most structures of a world, fallen ones included.
pub const MAX_STRUCTURES: usize = 16_384;
/// Most hit points of a structure.
pub const MAX_HIT_POINTS: f64 = 1.0e9;

define! {
    /// What a structure is like.
    pub struct StructureDef as "structure" {
        /// Hit points that it begins with. Every shot that strikes it, and every splash that reaches it,
        /// takes its damage off them; when none is left the structure falls.
        health: f64 = 1_000.0, Takes::Number(Limits::above("hit points", 0.0, MAX_HIT_POINTS));
        /// The team that it belongs to: only the shots of that team's foes harm it, and shots that hit
        /// friends too. Without one all shots do.
        team: Option<u8> = None, Takes::Name { of: "team", most: TEAMS as u16 - 1 };
    }
}

impl StructureDef {
    /// Of so many hit points, on no team.
    pub fn new(health: f64) -> Self {
        Self { health, ..Self::default() }
    }

    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the number, its value and its range.
    pub fn check(&self) -> Result<(), WorldError> {
        Ok(self.check_fields()?)
    }

    /// Whether it is harmed by shots of a weapon that agents with these traits fire.
    pub(crate) fn is_harmed<N>(&self, weapon: &WeaponDef, traits: &Traits<N>) -> bool {
        let is_foe = |team: u8| traits.foes >> team & 1 == 1;
        weapon.friendly_fire || self.team.is_none_or(is_foe)
    }
}

record! {
    /// Hit points of a structure, and the tick in which it fell.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Condition {
        /// Hit points that are left.
        pub(crate) health: f64,
        /// The tick in which it fell.
        pub(crate) fell: Option<u64>,
    }
}

/// A wall with hit points.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    pub(crate) area: Vec<Shape>,
    pub(crate) def: StructureDef,
    pub(crate) condition: Condition,
    /// Its walls: padded indices, ascending; none once it has fallen.
    pub(crate) cells: Vec<u32>,
}

impl Structure {
    /// Where it was built, in metres.
    pub fn area(&self) -> &[Shape] {
        &self.area
    }

    /// Its definition.
    pub fn def(&self) -> &StructureDef {
        &self.def
    }

    /// Hit points that are left; 0 once it has fallen.
    pub fn health(&self) -> f64 {
        self.condition.health
    }

    /// Its walls, as ascending indices into a padded raster of the map ([`Map::cell`]): the cells of the
    /// area that were open when it was built and have not been taken down. None once it has fallen.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Whether it stands.
    pub fn stands(&self) -> bool {
        self.condition.fell.is_none()
    }

    /// The tick in which it fell, counted from 0.
    pub fn fell(&self) -> Option<u64> {
        self.condition.fell
    }
}

/// A structure that has fallen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collapse {
    /// The structure.
    pub structure: StructureId,
    /// The shot that took its last hit points; `None` when an order took its walls down.
    pub shot: Option<Shot>,
}

/// A group that was ordered to attack a structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Attack {
    /// Index of the group.
    pub(crate) group: u16,
    pub(crate) structure: StructureId,
    /// The ground beside the structure that it was sent to.
    pub(crate) to: Vec<Shape>,
    /// Where it goes when the structure has fallen; nowhere when there is no shape.
    pub(crate) then: Vec<Shape>,
}

/// The structures of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structures {
    pub(crate) list: Vec<Structure>,
    /// By group, ascending.
    pub(crate) attacks: Vec<Attack>,
    /// Derived: the cells of all that stand, ascending, each with the index of its structure.
    owners: Vec<(u32, u16)>,
    /// Structures without hit points that have not fallen yet, and the shots that took the last.
    struck: Vec<(u16, Shot)>,
    /// Memory of what looks for structures near a point: indices and squares of distances.
    pub(crate) near: Vec<(u16, f64)>,
    /// The structures that fell in the last tick, by their index.
    pub(crate) collapsed: Vec<Collapse>,
}

impl Structures {
    /// The structures and attacks of a snapshot.
    pub(crate) fn restored(list: Vec<Structure>, attacks: Vec<Attack>) -> Self {
        let mut own = Self { list, attacks, ..Self::default() };
        own.note_owners();
        own
    }

    fn note_owners(&mut self) {
        self.owners.clear();
        for (index, structure) in (0_u16..).zip(&self.list) {
            self.owners.extend(structure.cells.iter().map(|&cell| (cell, index)));
        }
        self.owners.sort_unstable();
    }

    /// Whether none stands.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The index of the structure that a cell is a wall of.
    pub(crate) fn at(&self, cell: u32) -> Option<u16> {
        let place = self.owners.binary_search_by_key(&cell, |&(cell, _)| cell).ok()?;
        Some(self.owners[place].1)
    }

    /// Calls `visit` with the structure, the cell and the square of its distance for every wall of a
    /// structure that comes nearer to a point than a radius (both in metres), row by row.
    pub(crate) fn each_near(
        &self,
        map: &Map,
        at: [f64; 2],
        radius: f64,
        mut visit: impl FnMut(u16, u32, f64),
    ) {
        let sizes = [map.width(), map.height()];
        let cell = |metres: f64, axis: usize| {
            // `as` saturates.
            ((metres / map.cell_size()).floor().max(0.0) as u32).min(sizes[axis] - 1)
        };
        let [low, high] =
            [-radius, radius].each(|by| [0, 1].each(|axis| cell(at[axis] + by, axis)));
        for row in low[1]..=high[1] {
            let [from, to] = [map.index(low[0], row), map.index(high[0], row)];
            let first = self.owners.partition_point(|&(cell, _)| cell < from);
            for &(cell, index) in self.owners[first..].iter().take_while(|(cell, _)| *cell <= to) {
                let square = square_to(map, cell, at);
                if square < radius * radius {
                    visit(index, cell, square);
                }
            }
        }
    }

    /// The structure that a group was ordered to attack.
    pub(crate) fn attacked_by(&self, group: u16) -> Option<StructureId> {
        let place = self.attacks.binary_search_by_key(&group, |attack| attack.group).ok()?;
        Some(self.attacks[place].structure)
    }

    /// A structure loses hit points to a shot.
    pub(crate) fn batter(&mut self, index: u16, damage: f64, shot: Shot) {
        let condition = &mut self.list[usize::from(index)].condition;
        if damage <= 0.0 || condition.health == 0.0 {
            return;
        }
        condition.health = (condition.health - damage).max(0.0);
        if condition.health == 0.0 {
            self.struck.push((index, shot));
        }
    }

    /// The next structure from an index on that has no hit points left and stands.
    pub(crate) fn next_to_fall(&self, from: u16) -> Option<u16> {
        let falls =
            |structure: &&Structure| structure.stands() && structure.condition.health == 0.0;
        let rest = (from..).zip(self.list.get(usize::from(from)..).unwrap_or_default());
        rest.into_iter().find(|(_, structure)| falls(structure)).map(|(index, _)| index)
    }

    /// Takes walls (padded indices, ascending) that are down from their structures; a structure without
    /// walls has fallen in that tick.
    pub(crate) fn undermine(&mut self, cells: &[u32], tick: u64) {
        if self.is_empty() {
            return;
        }
        let mut hit: Vec<u16> = cells.iter().filter_map(|&cell| self.at(cell)).collect();
        hit.sort_unstable();
        hit.dedup();
        for &index in &hit {
            let structure = &mut self.list[usize::from(index)];
            structure.cells.retain(|cell| cells.binary_search(cell).is_err());
            if structure.cells.is_empty() {
                structure.condition = Condition { health: 0.0, fell: Some(tick) };
                let shot = self.struck.iter().find(|(struck, _)| *struck == index);
                let shot = shot.map(|&(_, shot)| shot);
                self.struck.retain(|(struck, _)| *struck != index);
                self.collapsed.push(Collapse { structure: StructureId::new(index), shot });
            }
        }
        if !hit.is_empty() {
            self.collapsed.sort_unstable_by_key(|collapse| collapse.structure);
            self.note_owners();
        }
    }
}

/// The square of the distance from a point, in metres, to the square of a cell.
pub(crate) fn square_to(map: &Map, cell: u32, at: [f64; 2]) -> f64 {
    let (i, j) = map.cell(cell);
    let [dx, dy] = [0, 1].each(|axis| {
        let low = f64::from([i, j][axis]) * map.cell_size();
        (low - at[axis]).max(at[axis] - (low + map.cell_size())).max(0.0)
    });
    dx * dx + dy * dy
}

/// The middle of a cell, in metres.
pub(crate) fn middle(map: &Map, cell: u32) -> [f64; 2] {
    let (i, j) = map.cell(cell);
    [i, j].each(|at| (f64::from(at) + 0.5) * map.cell_size())
}

impl<N: Numbers> World<N> {
    /// The structures, in the order they were added, fallen ones included.
    pub fn structures(&self) -> &[Structure] {
        &self.structures.list
    }

    /// The structure that a cell of the map is a wall of; `cell` is an index into a padded raster.
    pub fn structure_at(&self, cell: u32) -> Option<StructureId> {
        self.structures.at(cell).map(StructureId::new)
    }

    /// The structures that fell in the last tick, by their index.
    pub fn collapsed(&self) -> &[Collapse] {
        &self.structures.collapsed
    }

    /// The structure that an agent aims at, and the cell of it, as an index into a padded raster.
    pub fn structure_target(&self, id: Id) -> Option<(StructureId, u32)> {
        let aim = self.combat.combatants.aim.get(id.index as usize)?;
        aim.wall().filter(|&(structure, cell)| {
            self.is_alive(id) && self.structures.at(cell) == Some(structure.index())
        })
    }

    /// Adds a structure whose walls have been built.
    pub(crate) fn add_structure(
        &mut self,
        area: &[Shape],
        def: &StructureDef,
        cells: Vec<u32>,
    ) -> StructureId {
        let condition = Condition { health: def.health, fell: None };
        let (area, def) = (area.to_vec(), def.clone());
        self.structures.list.push(Structure { area, def, condition, cells });
        self.structures.note_owners();
        StructureId::new(self.structures.list.len() as u16 - 1)
    }
}
