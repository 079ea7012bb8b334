//! Orders: what is told to a world. They are data, so a program, a scenario and a replay drive the
//! same thing.

use crate::world::refusal::Refusal;

use crate::data::Id;
use crate::map::area::Shape;
use crate::mind::StrategiesDef;
use crate::world::{Behaviour, CompanyDef, Formation, GroupDef, MindDef, WeaponDef};

/// An order; it takes effect in the tick that it is given to.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// A new group, without agents; it gets the next index.
    Group {
        /// What its agents are like.
        def: GroupDef,
    },
    /// A new weapon, which groups made later can carry; it gets the next index.
    Weapon {
        /// What it is like.
        def: WeaponDef,
    },
    /// A shot of a group's side, fired by nobody in particular.
    Launch {
        /// Index of the group whose foes it hits.
        group: u16,
        /// Index of the weapon.
        weapon: u16,
        /// From where: x, y and height above the datum, in metres.
        from: [f64; 3],
        /// With which velocity, upwards last, in m/s.
        velocity: [f64; 3],
    },
    /// A new mind, which groups can decide by; it gets the next index.
    Mind {
        /// What it is.
        def: MindDef,
    },
    /// The agents of a group decide by a mind from now on, and for good. Variants of the group, one
    /// for every state that needs one, get the next indices of groups.
    Think {
        /// Index of the group.
        group: u16,
        /// Index of the mind.
        mind: u16,
    },
    /// A team goes by these strategies from now on, in place of those that it had.
    Strategies {
        /// Number of the team.
        team: u8,
        /// What they are. Their inputs are those of
        /// [`strategy_input_names`](crate::world::strategy_input_names).
        def: StrategiesDef,
    },
    /// Cells of the map become walls; whoever stands there is moved to the nearest open cell.
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
        /// Index of the group.
        group: u16,
        /// Where to, in metres.
        goal: Vec<Shape>,
    },
    /// Every agent of a group goes straight to the point opposite its own across a centre.
    Opposite {
        /// Index of the group.
        group: u16,
        /// The centre, in metres.
        centre: [f64; 2],
    },
    /// A group's agents behave so from now on, in place of all behaviours that they had.
    Behave {
        /// Index of the group.
        group: u16,
        /// At most [`MAX_BEHAVIOURS`](crate::world::MAX_BEHAVIOURS); none of them for none.
        behaviours: Vec<Behaviour>,
    },
    /// A group stands where it is.
    Stop {
        /// Index of the group.
        group: u16,
    },
    /// New agents join a group.
    Spawn {
        /// Index of the group.
        group: u16,
        /// Where, in metres.
        area: Vec<Shape>,
        /// How many.
        count: u32,
    },
    /// Agents of a group leave at the end of the tick.
    Remove {
        /// Index of the group.
        group: u16,
        /// Only those whose centre lies in these shapes; all of them when there is none.
        area: Option<Vec<Shape>>,
    },
    /// Agents change to another group, and with it to that group's order.
    Assign {
        /// Who.
        agents: Vec<Id>,
        /// Index of the new group.
        group: u16,
    },
    /// A new company of groups; it gets the next index.
    Company {
        /// Its groups and how they go.
        def: CompanyDef,
    },
    /// The groups of a company go to a goal, as fast as the slowest: each to the nearest part of
    /// these shapes, or all in formation to their middle.
    MoveCompany {
        /// Index of the company.
        company: u16,
        /// Where to, in metres.
        goal: Vec<Shape>,
    },
    /// The groups of a company stand where they are.
    StopCompany {
        /// Index of the company.
        company: u16,
    },
    /// A company takes on another formation, or none, and goes on; one that stands forms up where
    /// it is.
    Form {
        /// Index of the company.
        company: u16,
        /// The formation.
        formation: Option<Formation>,
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
    /// It was refused and changed nothing.
    Refused(Refusal),
}

impl Order {
    /// The places that it names.
    pub fn shapes(&self) -> &[Shape] {
        match self {
            Self::Move { goal: shapes, .. }
            | Self::MoveCompany { goal: shapes, .. }
            | Self::Spawn { area: shapes, .. }
            | Self::Build { area: shapes }
            | Self::Demolish { area: shapes }
            | Self::Remove { area: Some(shapes), .. } => shapes,
            _ => &[],
        }
    }

    /// The company that must exist for it.
    pub fn company(&self) -> Option<u16> {
        match self {
            Self::MoveCompany { company, .. }
            | Self::StopCompany { company }
            | Self::Form { company, .. } => Some(*company),
            _ => None,
        }
    }

    /// The group that must exist for it.
    pub fn group(&self) -> Option<u16> {
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
            | Self::Form { .. } => None,
            Self::Move { group, .. }
            | Self::Launch { group, .. }
            | Self::Opposite { group, .. }
            | Self::Behave { group, .. }
            | Self::Stop { group }
            | Self::Think { group, .. }
            | Self::Spawn { group, .. }
            | Self::Remove { group, .. }
            | Self::Assign { group, .. } => Some(*group),
        }
    }
}
