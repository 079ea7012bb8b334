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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::TerrainCosts;
    use crate::nav::navigator::Navigator;
    use crate::world::{BehaviourKind, Mark, Side};

    #[test]
    fn orders_come_back_as_they_were_and_cut_ones_are_refused() {
        let shapes = vec![
            Shape::Point { at: [1.5, -2.0] },
            Shape::Rect { min: [0.0, 1.0], max: [2.0, 3.0] },
            Shape::Disc { centre: [4.0, 5.0], radius: 0.5 },
            Shape::Polygon { corners: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] },
        ];
        let plain = GroupDef::default();
        let plain2 = plain.clone();
        let mut terrain = TerrainCosts::default();
        (terrain.slope_cost, terrain.max_slope) = (2.5, 0.5);
        terrain.set('W', 0).unwrap();
        terrain.set('F', 48).unwrap();
        let wedge = CompanyDef {
            groups: vec![GroupId::new(4)],
            formation: Some(Formation::Wedge),
            spacing: Some(1.5),
            files: Some(9),
        };
        let (range, horizon) = (4.5, 2.0);
        let kinds = [
            BehaviourKind::Goal,
            BehaviourKind::Seek { to: Mark::Point([1.5, 2.0]), range },
            BehaviourKind::Flee { from: Mark::Group(GroupId::new(7)), range },
            BehaviourKind::Pursue { quarry: GroupId::new(1), range, horizon },
            BehaviourKind::Evade { hunter: GroupId::new(2), range, horizon },
            BehaviourKind::Wander { turn: 1.0, rate: 0.25 },
            BehaviourKind::Cohesion { with: GroupId::new(3), range },
            BehaviourKind::Alignment { with: GroupId::new(4), range },
            BehaviourKind::Path { points: vec![[0.5, 1.0], [2.0, 3.0]], radius: 1.0, closed: true },
            BehaviourKind::Wall { side: Side::Right, distance: 1.0, range },
        ];
        let behaviours: Vec<Behaviour> = (0_u8..)
            .zip(kinds)
            .map(|(i, kind)| Behaviour::new(kind).weight(f64::from(i) / 4.0).priority(i))
            .collect();
        let to_agents = |order| {
            let agents = vec![Id { index: 5, generation: 9 }, Id { index: 1 << 23, generation: 0 }];
            Order::Agents { agents, order }
        };
        let orders = [
            Order::Group { def: GroupDef { speed: 2.25, ..GroupDef::default() } },
            Order::Group { def: GroupDef::preset("pedestrian").unwrap() },
            Order::Group { def: GroupDef { layer: 3, avoids: 9, hold: true, ..plain } },
            Order::Group { def: GroupDef { navigator: Navigator::Mesh, ..GroupDef::default() } },
            Order::Group { def: GroupDef { terrain: terrain.clone(), ..GroupDef::default() } },
            Order::Move { group: GroupId::new(3), goal: shapes.clone() },
            Order::MoveCompany { company: CompanyId::new(1), goal: shapes.clone() },
            Order::Opposite { group: GroupId::new(7), centre: [4.5, -1.0] },
            Order::Stop { group: GroupId::new(65_535) },
            Order::Spawn { group: GroupId::new(1), area: shapes.clone(), count: 77 },
            Order::Remove { group: GroupId::new(2), area: None },
            Order::Remove { group: GroupId::new(2), area: Some(shapes.clone()) },
            Order::Assign { agents: vec![Id { index: 5, generation: 9 }], group: GroupId::new(4) },
            Order::Company {
                def: CompanyDef {
                    groups: [2, 1].map(GroupId::new).to_vec(),
                    ..CompanyDef::default()
                },
            },
            Order::Company { def: wedge },
            Order::StopCompany { company: CompanyId::new(3) },
            Order::RemoveGroup { group: GroupId::with_generation(3, 65_535) },
            Order::RemoveCompany { company: CompanyId::with_generation(1, 2) },
            Order::Build { area: shapes.clone() },
            Order::Demolish { area: shapes.clone() },
            Order::Group {
                def: GroupDef { weapon: Some(WeaponId::new(3)), foes: 5, team: 1, ..plain2 },
            },
            Order::Launch {
                group: GroupId::new(2),
                weapon: WeaponId::new(1),
                from: [1.0, 2.0, 3.5],
                velocity: [0.0, -4.0, 9.0],
            },
            Order::Weapon { def: WeaponDef { sticky: false, splash: 2.5, ..WeaponDef::default() } },
            Order::Behave { group: GroupId::new(5), behaviours },
            Order::Form { company: CompanyId::new(3), formation: None },
            Order::Form { company: CompanyId::new(3), formation: Some(Formation::Column) },
            Order::Structure { area: shapes.clone(), def: StructureDef::new(250.0) },
            Order::Attack { group: GroupId::new(4), structure: StructureId::new(3) },
            Order::Follow {
                group: GroupId::new(4),
                def: FollowDef::group(GroupId::new(2)).gap(0.5),
            },
            Order::Follow {
                group: GroupId::new(1),
                def: FollowDef::agent(Id { index: 5, generation: 9 }),
            },
            Order::Door { area: shapes.clone(), open: false },
            Order::SetDoor { door: DoorId::new(7), open: true },
            to_agents(AgentOrder::Send { goal: shapes }),
            to_agents(AgentOrder::Teleport { to: vec![[1.0, 2.5], [3.0, 4.0]] }),
            to_agents(AgentOrder::Push { by: [-1.0, 0.5] }),
            to_agents(AgentOrder::Damage { health: 2.5 }),
            to_agents(AgentOrder::Label { label: u64::MAX }),
            to_agents(AgentOrder::Rejoin),
            to_agents(AgentOrder::SendEach { to: vec![[1.5, 2.5], [-3.0, f64::MAX]] }),
        ];
        for order in orders {
            let mut bytes = Vec::new();
            order.write(&mut bytes);
            let mut reader = Reader::new(&bytes);
            assert_eq!(Order::read(&mut reader).as_ref(), Ok(&order));
            assert_eq!(reader.left(), 0);
            for cut in 0..bytes.len() {
                assert!(Order::read(&mut Reader::new(&bytes[..cut])).is_err(), "cut at {cut}");
            }
        }
    }
}
