//! Orders: what is told to a world. They are data, so a program, a scenario and a replay drive the
//! same thing.

use serde::{Deserialize, Serialize};

use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::{
    CompanyId, DoorId, GroupId, Id, MindId, SinkId, SourceId, StructureId, WeaponId,
};
use crate::map::area::Shape;
use crate::mind::StrategiesDef;
use crate::world::refusal::Refusal;
use crate::world::{
    Behaviour, CompanyDef, ExitsDef, FollowDef, Formation, GroupDef, MindDef, SourceDef,
    StructureDef, VaryDef, WeaponDef,
};

/// An order; it takes effect in the tick that it is given to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Order {
    /// A new group, without agents; it gets the index of a removed one, or the next ([`Outcome::Group`]).
    Group {
        /// Traits of its agents.
        def: GroupDef,
    },
    /// A new weapon, which groups made later can carry ([`Outcome::Weapon`]).
    Weapon {
        /// Definition of the weapon.
        def: WeaponDef,
    },
    /// A shot of a group's side, fired by no agent.
    Launch {
        /// The group whose foes it hits.
        group: GroupId,
        /// The weapon.
        weapon: WeaponId,
        /// From where: x, y and height above the datum, in metres.
        from: [f64; 3],
        /// With which velocity, upwards last, in m/s.
        velocity: [f64; 3],
    },
    /// A new mind, which groups can decide by ([`Outcome::Mind`]).
    Mind {
        /// Definition of the mind.
        def: MindDef,
    },
    /// The agents of a group decide by a mind from now on, and for good. Variants of the group, one
    /// for every state that needs one, get the next indices of groups.
    Think {
        /// The group.
        group: GroupId,
        /// The mind.
        mind: MindId,
    },
    /// A team goes by these strategies from now on, in place of those that it had.
    Strategies {
        /// Number of the team.
        team: u8,
        /// The strategies. Their inputs are those of
        /// [`strategy_input_names`](crate::world::strategy_input_names).
        def: StrategiesDef,
    },
    /// Cells of the map become walls; agents there are moved to the nearest open cell.
    Build {
        /// Where, in metres: every cell whose centre lies in these shapes.
        area: Vec<Shape>,
    },
    /// Walls of the map are taken down. Under what was built comes up what was there before; where
    /// the map had a wall is plain ground then.
    Demolish {
        /// Where, in metres: every cell whose centre lies in these shapes.
        area: Vec<Shape>,
    },
    /// A group goes to a goal: the nearest part of these shapes.
    Move {
        /// The group.
        group: GroupId,
        /// Where to, in metres.
        goal: Vec<Shape>,
    },
    /// Every agent of a group goes straight to the point opposite its own across a centre.
    Opposite {
        /// The group.
        group: GroupId,
        /// The centre, in metres.
        centre: [f64; 2],
    },
    /// A group's agents behave so from now on, in place of all behaviours that they had.
    Behave {
        /// The group.
        group: GroupId,
        /// At most [`MAX_BEHAVIOURS`](crate::world::MAX_BEHAVIOURS); none of them for none.
        behaviours: Vec<Behaviour>,
    },
    /// A group stands where it is.
    Stop {
        /// The group.
        group: GroupId,
    },
    /// New agents join a group.
    Spawn {
        /// The group.
        group: GroupId,
        /// Where, in metres.
        area: Vec<Shape>,
        /// How many agents.
        count: u32,
    },
    /// Agents of a group leave at the end of the tick.
    Remove {
        /// The group.
        group: GroupId,
        /// Only agents whose centre lies in these shapes; all of the group when there is none.
        area: Option<Vec<Shape>>,
    },
    /// Agents change to another group, and with it to that group's order.
    Assign {
        /// The agents.
        agents: Vec<Id>,
        /// The new group.
        group: GroupId,
    },
    /// A new company of groups; it gets the index of a removed one, or the next ([`Outcome::Company`]).
    Company {
        /// Its groups and how they go.
        def: CompanyDef,
    },
    /// The groups of a company go to a goal, as fast as the slowest: each to the nearest part of
    /// these shapes, or all in formation to their middle.
    MoveCompany {
        /// The company.
        company: CompanyId,
        /// Where to, in metres.
        goal: Vec<Shape>,
    },
    /// The groups of a company stand where they are.
    StopCompany {
        /// The company.
        company: CompanyId,
    },
    /// A company takes on another formation, or none, and goes on; one that stands forms up where
    /// it is.
    Form {
        /// The company.
        company: CompanyId,
        /// The formation.
        formation: Option<Formation>,
    },
    /// Something is told, or done, to single agents. Agents without an order of their own keep that of
    /// their group, and get it back when the group, or its company, is sent somewhere or stopped.
    Agents {
        /// The agents; each is named once.
        agents: Vec<Id>,
        /// The order.
        order: AgentOrder,
    },
    /// A group is otherwise from now on, and so are its variants and detachments. Its radius, navigator
    /// and costs of ground stay as they are. Refused where what its agents differ in does not fit.
    Change {
        /// The group.
        group: GroupId,
        /// New traits of its agents.
        def: GroupDef,
    },
    /// A group is removed, with its agents, which leave at the end of the tick: they take no more orders.
    /// It leaves its company, and behaviours that look at it end. Refused while strategies command it.
    RemoveGroup {
        /// The group.
        group: GroupId,
    },
    /// A company is removed; its groups stand where they are, by themselves.
    RemoveCompany {
        /// The company.
        company: CompanyId,
    },
    /// A new source ([`Outcome::Source`]): agents of a group appear in an area while the world runs, at
    /// rest. Where there is no room, they wait outside; none enters where others are.
    Source {
        /// The group.
        group: GroupId,
        /// Where, in metres.
        area: Vec<Shape>,
        /// Times and numbers in which they come.
        def: SourceDef,
    },
    /// No agents come to a source any more; agents that wait outside go.
    CloseSource {
        /// The source.
        source: SourceId,
    },
    /// A new sink ([`Outcome::Sink`]): agents that come into an area leave at the end of the tick and
    /// are counted.
    Sink {
        /// Where, in metres: the cells of a goal of these shapes.
        area: Vec<Shape>,
        /// The groups whose agents leave there; those of all groups when there is none.
        groups: Vec<GroupId>,
    },
    /// The agents of a group differ so from now on, those that it has and those that join it.
    Vary {
        /// The group.
        group: GroupId,
        /// In what they differ.
        def: VaryDef,
    },
    /// Each agent of a group chooses an exit and goes there, until the group is sent somewhere else or
    /// stopped. The group goes by flow fields; agents stand until those to the exits are done.
    Choose {
        /// The group.
        group: GroupId,
        /// The exits, and how agents choose.
        def: ExitsDef,
    },
    /// A new structure ([`Outcome::Structure`]): the open cells of an area become walls with hit points, as
    /// by [`Order::Build`]. When these are gone it falls, and its cells are what they were before.
    Structure {
        /// Where, in metres: every open cell whose centre lies in these shapes.
        area: Vec<Shape>,
        /// Definition of the structure.
        def: StructureDef,
    },
    /// A group goes up to a structure and shoots at it while it has no foe to shoot at. When it has fallen,
    /// the group goes on to the goal that it had before, or stands.
    Attack {
        /// The group, which has a weapon.
        group: GroupId,
        /// The structure.
        structure: StructureId,
    },
    /// The agents of a group go where others go, until the group is sent somewhere else or stopped. The
    /// group thinks by no machine and is in no company.
    Follow {
        /// The group.
        group: GroupId,
        /// The leaders, and the gap to keep.
        def: FollowDef,
    },
    /// A new door ([`Outcome::Door`]). Ways lead through it, so agents wait before it while it is closed;
    /// walls of the map in its area are taken down.
    Door {
        /// Where, in metres: every cell whose centre lies in these shapes.
        area: Vec<Shape>,
        /// Whether it is open.
        open: bool,
    },
    /// A door opens, or closes: agents in it then are moved to the nearest open cell.
    SetDoor {
        /// The door.
        door: DoorId,
        /// Whether it is open from now on.
        open: bool,
    },
}

/// What single agents can be told, and what can be done to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AgentOrder {
    /// They go to a goal of their own: the nearest part of these shapes. Agents of a group that are
    /// sent together share a flow field.
    Send {
        /// Where to, in metres.
        goal: Vec<Shape>,
    },
    /// They stand where they are, whatever their group does.
    Stop,
    /// They follow the order of their group again.
    Rejoin,
    /// They are somewhere else, at rest.
    Teleport {
        /// One place for each agent, in metres.
        to: Vec<[f64; 2]>,
    },
    /// Their velocity changes by so much, up to their top speed.
    Push {
        /// In m/s.
        by: [f64; 2],
    },
    /// They lose health, and may die of it; agents that cannot be hurt do not.
    Damage {
        /// How much, above 0.
        health: f64,
    },
    /// They gain health, up to what their group begins with.
    Heal {
        /// How much, above 0.
        health: f64,
    },
    /// They go at so much of the speed of their group, up to its top speed.
    Pace {
        /// From 0 to 2, rounded to 64ths; 1 is what agents have that never got one.
        factor: f64,
    },
    /// They leave at the end of the tick.
    Remove,
    /// They get a number that means something to the caller. It is in digests and snapshots.
    Label {
        /// The number; 0 is what agents have that never got one.
        label: u64,
    },
    /// Each goes to a goal of its own, and has arrived when it is there. Goals of one group
    /// that lie together on open ground, within 40 m, share a flow field.
    SendEach {
        /// One point for each agent, in metres.
        to: Vec<[f64; 2]>,
    },
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was carried out, for so many agents.
    Done {
        /// Agents that it touched.
        agents: u32,
    },
    /// A group was added.
    Group(GroupId),
    /// A weapon was added.
    Weapon(WeaponId),
    /// A mind was added.
    Mind(MindId),
    /// A company was added.
    Company(CompanyId),
    /// A source was added.
    Source(SourceId),
    /// A sink was added.
    Sink(SinkId),
    /// A structure was added.
    Structure(StructureId),
    /// A door was added.
    Door(DoorId),
    /// It was refused and changed nothing.
    Refused(Refusal),
}

impl Outcome {
    /// Whether the order was refused.
    pub fn is_refused(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

impl Order {
    /// Appends the order to bytes. Refused orders are recorded too, so every order can be read back:
    /// with numbers out of range, infinite or NaN, and shapes without corners.
    pub fn write(&self, to: &mut Vec<u8>) {
        to.value(self);
    }

    /// Reads an order.
    ///
    /// # Errors
    /// When the bytes are cut or hold no order.
    pub fn read(from: &mut Reader<'_>) -> Result<Self, BytesError> {
        from.value("order")
    }

    /// The places that it names.
    pub fn shapes(&self) -> &[Shape] {
        match self {
            Self::Move { goal: shapes, .. }
            | Self::MoveCompany { goal: shapes, .. }
            | Self::Spawn { area: shapes, .. }
            | Self::Source { area: shapes, .. }
            | Self::Sink { area: shapes, .. }
            | Self::Structure { area: shapes, .. }
            | Self::Door { area: shapes, .. }
            | Self::Build { area: shapes }
            | Self::Demolish { area: shapes }
            | Self::Remove { area: Some(shapes), .. }
            | Self::Agents { order: AgentOrder::Send { goal: shapes }, .. } => shapes,
            _ => &[],
        }
    }

    /// The company that must exist for it.
    pub fn company(&self) -> Option<CompanyId> {
        match self {
            Self::MoveCompany { company, .. }
            | Self::StopCompany { company }
            | Self::RemoveCompany { company }
            | Self::Form { company, .. } => Some(*company),
            _ => None,
        }
    }

    /// The group that must exist for it.
    pub fn group(&self) -> Option<GroupId> {
        match self {
            Self::Group { .. }
            | Self::Build { .. }
            | Self::Demolish { .. }
            | Self::Weapon { .. }
            | Self::Mind { .. }
            | Self::Strategies { .. }
            | Self::Company { .. }
            | Self::MoveCompany { .. }
            | Self::StopCompany { .. }
            | Self::RemoveCompany { .. }
            | Self::Form { .. }
            | Self::CloseSource { .. }
            | Self::Sink { .. }
            | Self::Structure { .. }
            | Self::Door { .. }
            | Self::SetDoor { .. }
            | Self::Agents { .. } => None,
            Self::Move { group, .. }
            | Self::Launch { group, .. }
            | Self::Change { group, .. }
            | Self::Opposite { group, .. }
            | Self::Behave { group, .. }
            | Self::Stop { group }
            | Self::RemoveGroup { group }
            | Self::Think { group, .. }
            | Self::Spawn { group, .. }
            | Self::Source { group, .. }
            | Self::Vary { group, .. }
            | Self::Choose { group, .. }
            | Self::Follow { group, .. }
            | Self::Attack { group, .. }
            | Self::Remove { group, .. }
            | Self::Assign { group, .. } => Some(*group),
        }
    }
}
