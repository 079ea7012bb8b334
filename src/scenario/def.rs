//! What a scenario file says, checked as far as the file alone allows.

use crate::data::{CompanyId, DoorId, GroupId, StructureId, WeaponId};
use crate::generate::Recipe;
use crate::map::area::Shape;
use crate::map::{Colours, Legend, TiledRules};
use crate::mind::StrategiesDef;
use crate::scenario::error::Place;
use crate::world::{
    Behaviour, CompanyDef, ExitsDef, FollowDef, Formation, GroupDef, SourceDef, StructureDef,
    VaryDef, WeaponDef,
};

/// Groups that a scenario has at most.
pub const MAX_GROUPS: usize = 65_535;

/// Agents that a scenario has at most, over all its spawns: 16 Mi.
pub const MAX_AGENTS: u64 = 1 << 24;

/// Ticks that a run has at most.
pub const MAX_TICKS: u64 = 1_000_000_000;

/// Gates, and areas, that a scenario has at most of each.
pub const MAX_MEASURES: usize = 100;

/// Bytes of a scenario file at most: 8 MiB.
pub const MAX_TEXT: usize = 8 << 20;

/// What ends a run before its last tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EndDef {
    /// Share of the living agents, above 0 and at most 1, that have arrived; `None` never ends it.
    pub arrived: Option<f64>,
    /// Share of a team's agents, above 0 and at most 1, with whose fall it is beaten. The run ends
    /// when no team that is not beaten has a foe that is not; `None` never ends it.
    pub beaten: Option<f64>,
    /// Share of the agents, above 0 and at most 1, that have left, of all that there have been; not
    /// before all sources are exhausted. `None` never ends it.
    pub left: Option<f64>,
}

/// `[map]`.
#[derive(Clone, Debug)]
pub struct MapDef {
    /// Where the cells come from.
    pub source: MapSource,
    /// Side of a cell in metres.
    pub cell: f64,
    /// `hexagons`: the width in metres of the hexagons that file or rows are made of; `None` where they
    /// are made of cells.
    pub hexagons: Option<f64>,
    /// What the letters of the map mean: the usual, changed by `cost`.
    pub legend: Legend,
    /// `colors`: which letters the colours of a picture stand for.
    pub colours: Colours,
    /// `tiled`: what counts in a Tiled map.
    pub tiled: TiledRules,
    /// Shapes filled with wall or other ground on top, in order: first all of `terrain`, then all
    /// of `walls`.
    pub paint: Vec<PaintDef>,
    /// `heights`: a picture of the ground's heights.
    pub heights: Option<HeightsDef>,
    /// `ground`: shapes raised or lowered on top of it, in order.
    pub ground: Vec<GroundDef>,
    /// `wall_height`: how far walls rise above their ground for shots, in metres.
    pub wall_height: f64,
    pub(super) at: Place,
}

/// `heights` and `height_range` of `[map]`.
#[derive(Clone, Debug)]
pub struct HeightsDef {
    /// A grey PNG file of one pixel a cell; the path as written, relative to the scenario file.
    pub path: String,
    /// Heights of black and of white in metres.
    pub range: [f64; 2],
    pub(super) at: Place,
}

/// A shape of ground that is raised or lowered.
#[derive(Clone, Debug)]
pub struct GroundDef {
    /// The cells.
    pub shape: Shape,
    /// Whether it is a hill on the disc `shape`, which is added to what is there. Else every cell
    /// of the shape gets the height.
    pub hill: bool,
    /// Height in metres; of a hill that of its summit above what is there.
    pub height: f64,
    pub(super) at: Place,
}

/// Where a map's cells come from.
#[derive(Clone, Debug)]
pub enum MapSource {
    /// A file in `MovingAI` format, a picture or a Tiled map; the path as written, relative to the
    /// scenario file.
    File {
        /// The path.
        path: String,
    },
    /// Rows of letters.
    Rows {
        /// The rows, top first, all of one length.
        rows: Vec<String>,
    },
    /// Open ground.
    Open {
        /// Cells from left to right.
        width: u32,
        /// Cells from top to bottom.
        height: u32,
    },
    /// Rules that make it.
    Generate(Box<GenerateDef>),
}

/// `[map.generate]`.
#[derive(Clone, Debug)]
pub struct GenerateDef {
    /// The steps, and the size.
    pub recipe: Recipe,
    /// `colors`: colours of letters in pictures: red, green, blue. They change nothing else.
    pub colours: Vec<(u8, [u8; 3])>,
    /// `names`: what letters are called in legends. They change nothing else.
    pub names: Vec<(u8, String)>,
    /// `seed`; `None` for that of the scenario.
    pub seed: Option<u64>,
    /// Where the steps are written.
    pub(super) steps: Vec<Place>,
    pub(super) at: Place,
}

/// A shape filled with one kind of ground.
#[derive(Clone, Debug)]
pub struct PaintDef {
    /// The cells that are filled.
    pub shape: Shape,
    /// Slowness of the cells in 1/16; 0 is a wall.
    pub slowness: u8,
    pub(super) at: Place,
}

/// `[[weapon]]`.
#[derive(Clone, Debug)]
pub struct WeaponEntry {
    /// Name, unique among the weapons.
    pub name: String,
    /// Its definition.
    pub def: WeaponDef,
}

/// `[[team]]`.
#[derive(Clone, Debug)]
pub struct TeamEntry {
    /// Name, unique among the teams.
    pub name: String,
    /// Red, green, blue of its groups that say no other.
    pub color: Option<[u8; 3]>,
    /// The teams that it fights, one bit a team.
    pub foes: u32,
    /// `[[team.strategy]]`, if there is any.
    pub strategies: Option<StrategiesEntry>,
}

/// The strategies of a team.
#[derive(Clone, Debug)]
pub struct StrategiesEntry {
    /// Their definition.
    pub def: StrategiesDef,
    /// The areas of steps, each for the widest of the groups that go there.
    pub(super) areas: Vec<(GroupId, AreaDef)>,
}

/// `[[group]]`.
#[derive(Clone, Debug)]
pub struct GroupEntry {
    /// Name, unique in the scenario.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// What its agents are like.
    pub def: GroupDef,
    /// `machine`: what its agents decide by, as an index in the [machines].
    ///
    /// [machines]: crate::scenario::ScenarioDef::machines
    pub machine: Option<u16>,
    /// `places`: names that its machine's states have for places of the group, and their areas.
    pub places: Vec<(String, AreaDef)>,
    /// `behave`: its steering behaviours from tick 0 on.
    pub behaviours: Vec<BehaviourEntry>,
    /// `spawn`: the agents at tick 0.
    pub spawns: Vec<SpawnDef>,
    /// `goal`: where the group goes from tick 0 on.
    pub goal: Option<AreaDef>,
    /// `opposite`, in its stead.
    pub opposite: Option<OppositeDef>,
    /// `exits` and `choice`, in its stead.
    pub exits: Option<ExitsEntry>,
    /// `follow`, in its stead.
    pub follow: Option<FollowDef>,
    /// `leave`: whether agents leave when they are at the goal, or at an exit.
    pub leave: bool,
    /// `vary`: in what its agents differ.
    pub vary: VaryDef,
    pub(super) terrain: TerrainPlaces,
    pub(super) at: Place,
    /// Where `machine` is written.
    pub(super) machine_at: Place,
}

/// Where a group says what may not fit the map's ground.
#[derive(Clone, Debug)]
pub(super) struct TerrainPlaces {
    /// The letters of `cost`.
    pub(super) letters: Vec<(u8, Place)>,
    /// `speed`, or the group.
    pub(super) speed: Place,
}

/// A steering behaviour and where it is written.
#[derive(Clone, Debug)]
pub struct BehaviourEntry {
    /// Its definition.
    pub behaviour: Behaviour,
    pub(super) at: Place,
}

/// Every agent goes to the point opposite its own across a centre.
#[derive(Clone, Debug)]
pub struct OppositeDef {
    /// The centre, in metres.
    pub centre: [f64; 2],
    pub(super) at: Place,
}

/// `[[source]]`.
#[derive(Clone, Debug)]
pub struct SourceEntry {
    /// Name, unique among the sources.
    pub name: String,
    /// The group that agents join.
    pub group: GroupId,
    /// The area in which they appear.
    pub area: AreaDef,
    /// Times and numbers in which they come.
    pub def: SourceDef,
}

/// `[[sink]]`.
#[derive(Clone, Debug)]
pub struct SinkEntry {
    /// Name, unique among the sinks.
    pub name: String,
    /// The area in which agents leave.
    pub area: AreaDef,
    /// The groups whose agents leave there; all of them when there is none.
    pub groups: Vec<GroupId>,
}

/// `[[structure]]`.
#[derive(Clone, Debug)]
pub struct StructureEntry {
    /// Name, unique among the structures.
    pub name: String,
    /// The tick at whose start it is built.
    pub tick: u64,
    /// The area whose open cells become walls.
    pub area: AreaDef,
    /// Its definition.
    pub def: StructureDef,
}

/// `[[door]]`.
#[derive(Clone, Debug)]
pub struct DoorEntry {
    /// Name, unique among the doors.
    pub name: String,
    /// Its area.
    pub area: AreaDef,
    /// Whether it is open from tick 0 on.
    pub open: bool,
    /// `detour`: whether it is a wall like others while it is closed, for ways too: orders build it and
    /// take it down.
    pub detour: bool,
}

/// Exits that the agents of a group choose among.
#[derive(Clone, Debug)]
pub struct ExitsEntry {
    /// The exits, and how agents choose.
    pub def: ExitsDef,
    /// The area of each exit.
    pub areas: Vec<AreaDef>,
}

/// Agents that appear in an area.
#[derive(Clone, Debug)]
pub struct SpawnDef {
    /// The area.
    pub area: AreaDef,
    /// Number of agents.
    pub count: u64,
    pub(super) at: Place,
}

/// An area and where its shapes are written.
#[derive(Clone, Debug)]
pub struct AreaDef {
    /// The shapes; together they are the area.
    pub shapes: Vec<Shape>,
    pub(super) places: Vec<Place>,
}

/// `[[company]]`.
#[derive(Clone, Debug)]
pub struct CompanyEntry {
    /// Name, unique among companies and groups.
    pub name: String,
    /// Its groups and how they go.
    pub def: CompanyDef,
    /// `goal`: where the company goes from tick 0 on.
    pub goal: Option<AreaDef>,
}

/// The group or company that an order is for, or the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderTarget {
    /// A group: its index is that in [`ScenarioDef::groups`](crate::scenario::ScenarioDef::groups).
    Group(GroupId),
    /// A company: its index is that in [`ScenarioDef::companies`](crate::scenario::ScenarioDef::companies).
    Company(CompanyId),
    /// The map.
    Map,
}

/// `[[order]]`.
#[derive(Clone, Debug)]
pub struct OrderEntry {
    /// The tick at whose start the order is carried out.
    pub tick: u64,
    /// What it is for. Companies move, stop and form; groups do everything else.
    pub target: OrderTarget,
    /// The order.
    pub kind: OrderEntryKind,
}

/// What an [`OrderEntry`] says.
#[derive(Clone, Debug)]
pub enum OrderEntryKind {
    /// Go to an area.
    Move(AreaDef),
    /// Go to the other side.
    Opposite(OppositeDef),
    /// Behave otherwise.
    Behave(Vec<BehaviourEntry>),
    /// Stand still.
    Stop,
    /// New agents.
    Spawn(SpawnDef),
    /// Take agents away: the ones inside the area, or all.
    Remove(Option<AreaDef>),
    /// Take on a formation, or none.
    Form(Option<Formation>),
    /// A shot of the group's side, fired by no agent.
    Launch(LaunchDef),
    /// Go up to a structure and shoot at it: its index is that in
    /// [`ScenarioDef::structures`](crate::scenario::ScenarioDef::structures).
    Attack(StructureId),
    /// A group follows others.
    Follow(FollowDef),
    /// A door opens or closes.
    Door {
        /// Its index among the doors of [`ScenarioDef::doors`](crate::scenario::ScenarioDef::doors) that
        /// are no detours.
        door: DoorId,
        /// Whether it is open from then on.
        open: bool,
    },
    /// Walls are built, or taken down.
    Change {
        /// Whether they are built.
        walls: bool,
        /// The area.
        area: AreaDef,
    },
}

/// A shot that is ordered.
#[derive(Clone, Debug)]
pub struct LaunchDef {
    /// The weapon.
    pub weapon: WeaponId,
    /// From where: x, y and height above the datum, in metres.
    pub from: [f64; 3],
    /// With which velocity, upwards last, in m/s.
    pub velocity: [f64; 3],
    pub(super) at: Place,
}

/// `[[gate]]`: a line that counts the agents that cross it.
#[derive(Clone, Debug)]
pub struct GateEntry {
    /// Name, unique among the gates.
    pub name: String,
    /// One end: x, y in metres.
    pub from: [f64; 2],
    /// The other end.
    pub to: [f64; 2],
    pub(super) at: Place,
}

/// `[[area]]`: ground on which density, speed and lanes are measured.
#[derive(Clone, Debug)]
pub struct AreaEntry {
    /// Name, unique among the areas.
    pub name: String,
    /// The area.
    pub area: AreaDef,
}
