//! A scenario file, read.

use crate::math::Numeric;
use crate::scenario::def::{
    AreaEntry, CompanyEntry, DoorEntry, EndDef, GateEntry, GroupEntry, MapDef, OrderEntry,
    OrderEntryKind, SinkEntry, SourceEntry, SpawnDef, StructureEntry, TeamEntry, WeaponEntry,
};
use crate::scenario::def_mind::MachineEntry;
use crate::world::{Control, Settings};

/// A scenario file, read and checked: what is to be simulated, before its map is loaded.
///
/// [`ScenarioDef::parse`] makes one, [`ScenarioDef::apply`] overrides parts of it,
/// [`ScenarioDef::load_map`] gets its map and [`Plan::new`](crate::scenario::Plan::new) checks it
/// against that map.
#[derive(Clone, Debug, Default)]
pub struct ScenarioDef {
    /// Name of the file, for messages.
    pub file: String,
    /// The text that was read, so that a caller can draw where a [`Problem`] is or record it.
    ///
    /// [`Problem`]: crate::scenario::Problem
    pub text: String,
    /// `name`; the file's name without its ending when there is none.
    pub name: String,
    /// `description`; empty when there is none.
    pub description: String,
    /// `numeric`.
    pub numeric: Numeric,
    /// The run ends after this many ticks at the latest.
    pub ticks: u64,
    /// `[end]`: what ends the run earlier.
    pub end: EndDef,
    /// `[settings]`, with `seed` and the ticks per second: `tick_rate`, or 1 / `dt`.
    pub settings: Settings,
    /// `[map]`.
    pub map: MapDef,
    /// `[[weapon]]`, in the order of the file.
    pub weapons: Vec<WeaponEntry>,
    /// `[[team]]`, in the order of the file.
    pub teams: Vec<TeamEntry>,
    /// `signals`: what agents can tell their team.
    pub signals: Vec<String>,
    /// `[[fuzzy]]`, in the order of the file.
    pub controls: Vec<Control>,
    /// `[[machine]]`, in the order of the file.
    pub machines: Vec<MachineEntry>,
    /// `[[group]]`, in the order of the file.
    pub groups: Vec<GroupEntry>,
    /// `[[company]]`, in the order of the file.
    pub companies: Vec<CompanyEntry>,
    /// `[[order]]`, in the order of the file.
    pub orders: Vec<OrderEntry>,
    /// `[[source]]`, in the order of the file.
    pub sources: Vec<SourceEntry>,
    /// `[[sink]]`, in the order of the file.
    pub sinks: Vec<SinkEntry>,
    /// `[[structure]]`, in the order in which they are built: by tick, then as in the file.
    pub structures: Vec<StructureEntry>,
    /// `[[door]]`, in the order of the file; orders open and close them.
    pub doors: Vec<DoorEntry>,
    /// `[[gate]]`, in the order of the file. They change nothing but what is measured.
    pub gates: Vec<GateEntry>,
    /// `[[area]]`, in the order of the file. They change nothing but what is measured.
    pub areas: Vec<AreaEntry>,
}

impl ScenarioDef {
    /// Seconds of one tick.
    pub fn dt(&self) -> f64 {
        1.0 / f64::from(self.settings.tick_rate)
    }

    /// The doors before which agents wait, in the order of the file: those that are no detours.
    pub fn waiting_doors(&self) -> impl Iterator<Item = &DoorEntry> {
        self.doors.iter().filter(|door| !door.detour)
    }

    /// Agents that appear at tick 0, of groups and of orders.
    pub fn agents(&self) -> u64 {
        self.spawns(0).map(|spawn| spawn.count).fold(0, u64::saturating_add)
    }

    /// Agents of all spawns, those of later orders too.
    pub fn agents_in_all(&self) -> u64 {
        self.spawns(u64::MAX).map(|spawn| spawn.count).fold(0, u64::saturating_add)
    }

    /// The spawns up to a tick: of the groups, then of the orders, as in the file.
    fn spawns(&self, last_tick: u64) -> impl Iterator<Item = &SpawnDef> {
        let of_groups = self.groups.iter().flat_map(|group| &group.spawns);
        let orders = self.orders.iter().filter(move |order| order.tick <= last_tick);
        of_groups.chain(orders.filter_map(|order| match &order.kind {
            OrderEntryKind::Spawn(spawn) => Some(spawn),
            _ => None,
        }))
    }

    /// The spawns at tick 0, in the same order.
    pub(super) fn first_spawns(&mut self) -> impl Iterator<Item = &mut SpawnDef> {
        let of_groups = self.groups.iter_mut().flat_map(|group| &mut group.spawns);
        let orders = self.orders.iter_mut().filter(|order| order.tick == 0);
        of_groups.chain(orders.filter_map(|order| match &mut order.kind {
            OrderEntryKind::Spawn(spawn) => Some(spawn),
            _ => None,
        }))
    }
}
