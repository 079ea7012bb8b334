//! Rows of small tables: what is kept of groups, companies, commanders and fields.
//!
//! What can be made again from these rows, the map and the settings is not among them: classes,
//! steering, the kernels' traits.

use crate::data::GroupId;
use crate::data::record::record;
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::nav::field::{CrowdCosts, FieldId, FieldSnapshot};
use crate::world::{
    Anchor, Commander, Company, Group, Guidance, SourceDef, StructureDef, Traits, World,
};

/// What a source is made of: its group, its area, and how agents come.
pub(super) type SourceParts = (GroupId, Vec<Shape>, SourceDef);

/// What a structure is made of: its area, and what it is like.
pub(super) type StructureParts = (Vec<Shape>, StructureDef);

/// What a door is made of: its area, and whether it is open.
pub(super) type DoorParts = (Vec<Shape>, bool);

record! {
    /// The clock of a world.
    pub(super) struct Clock {
        pub(super) ticks: u64,
        /// A digest of all orders so far.
        pub(super) orders: u64,
        pub(super) map_version: u32,
    }
}

impl Clock {
    pub(super) fn of<N: Numbers>(world: &World<N>) -> Self {
        let map_version = world.routes.fields.version();
        Self { ticks: world.log.tick, orders: world.log.ordered, map_version }
    }
}

record! {
    /// A group under way.
    #[derive(Clone, Copy)]
    pub(super) struct GroupRow<N: Numbers> {
        pub(super) members: u32,
        pub(super) guidance: Guidance,
        pub(super) target: [N; 2],
        pub(super) goal: Option<GoalRow<N>>,
        pub(super) field: Option<FieldId>,
        pub(super) next_field: Option<FieldId>,
        pub(super) plain_field: Option<FieldId>,
        pub(super) company: Option<u16>,
        pub(super) marches: bool,
        pub(super) fallen: u32,
        pub(super) detached_from: Option<u16>,
        pub(super) generation: u16,
        pub(super) is_removed: bool,
    }
}

record! {
    /// A group's goal.
    #[derive(Clone, Copy, Default)]
    pub(super) struct GoalRow<N: Numbers> {
        pub(super) inside: u32,
        pub(super) laid_for: u32,
        pub(super) each: bool,
        pub(super) target: [N; 2],
    }
}

impl<N: Numbers> GroupRow<N> {
    pub(super) fn of((group, traits): (&Group<N>, &Traits<N>)) -> Self {
        let goal = group.goal.as_ref().map(|goal| GoalRow {
            inside: goal.inside,
            laid_for: goal.laid_for,
            each: goal.each,
            target: goal.target,
        });
        Self {
            members: group.members,
            guidance: traits.guidance,
            target: traits.target,
            goal,
            field: group.field,
            next_field: group.next_field,
            plain_field: group.plain_field,
            company: group.company,
            marches: group.marches,
            fallen: group.fallen,
            detached_from: group.detached_from,
            generation: group.generation,
            is_removed: group.is_removed,
        }
    }
}

record! {
    /// A company under way.
    #[derive(Clone, Copy)]
    pub(super) struct CompanyRow<N: Numbers> {
        pub(super) forms: bool,
        /// Target of its goal.
        pub(super) goal: Option<[N; 2]>,
        pub(super) anchor: Option<Anchor<N>>,
        pub(super) generation: u16,
        pub(super) is_removed: bool,
    }
}

impl<N: Numbers> CompanyRow<N> {
    pub(super) fn of(company: &Company<N>) -> Self {
        let goal = company.goal.as_ref().map(|goal| goal.target);
        let &Company { anchor, forms, generation, is_removed, .. } = company;
        Self { forms, goal, anchor, generation, is_removed }
    }
}

record! {
    /// A team with strategies.
    pub(super) struct CommanderRow {
        pub(super) team: u8,
        pub(super) fallen: u64,
    }
}

impl CommanderRow {
    pub(super) fn of<N: Numbers>(commander: &Commander<N>) -> Self {
        Self { team: commander.team, fallen: commander.fallen }
    }
}

record! {
    /// A flow field without its goals.
    pub(super) struct FieldSlot {
        generation: u32,
        holders: u32,
        used: u64,
        class: u32,
        work: u64,
        shown: Option<u32>,
        target: u32,
        repaired: bool,
        outdated: bool,
        /// Layout of its crowd costs: cells to a side of a block, blocks of a row.
        pub(super) crowd: [u32; 2],
    }
}

impl FieldSlot {
    pub(super) fn of(field: &FieldSnapshot) -> Self {
        let &FieldSnapshot { generation, holders, used, class, work, shown, target, .. } = field;
        let (repaired, outdated, crowd) = (field.repaired, field.outdated, field.crowd.layout());
        Self { generation, holders, used, class, work, shown, target, repaired, outdated, crowd }
    }

    /// The field with these goals and crowds.
    pub(super) fn with(&self, goals: GoalCells, crowd: CrowdCosts) -> FieldSnapshot {
        let &Self { generation, holders, used, class, work, shown, target, .. } = self;
        let Self { repaired, outdated, .. } = *self;
        FieldSnapshot {
            generation,
            holders,
            used,
            class,
            goals,
            crowd,
            work,
            shown,
            target,
            repaired,
            outdated,
        }
    }
}
