//! Rows of small tables: what is kept of groups, companies, commanders and fields.
//!
//! What can be made again from these rows, the map and the settings is not among them: classes,
//! steering, the kernels' traits.

use crate::data::GroupId;
use crate::data::record::record;
use crate::lane::Numbers;
use crate::map::area::{GoalCells, Shape};
use crate::nav::field::{CrowdCosts, FieldId, FieldSnapshot};
use crate::world::{Anchor, Company, Goal, Group, Guidance, SourceDef, StructureDef, Traits};

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

record! {
    /// A team with strategies.
    pub(super) struct CommanderRow {
        pub(super) team: u8,
        pub(super) fallen: u64,
    }
}

/// Declares records of what is kept of something: every part with where it comes from.
macro_rules! kept_of {
    ($(
        $(#[$attribute:meta])+
        struct $name:ident $(<$n:ident: $bound:ident>)? of $source:pat_param in $whole:ty {
            $($(#[$doc:meta])* $part:ident: $type:ty = $value:expr,)+
        }
    )+) => {$(
        record! {
            $(#[$attribute])+
            pub(super) struct $name $(<$n: $bound>)? {
                $($(#[$doc])* pub(super) $part: $type,)+
            }
        }

        impl $(<$n: $bound>)? $name $(<$n>)? {
            pub(super) fn of($source: $whole) -> Self {
                Self { $($part: $value,)+ }
            }
        }
    )+};
}

kept_of! {
    /// A group under way.
    #[derive(Clone, Copy)]
    struct GroupRow<N: Numbers> of (group, traits) in (&Group<N>, &Traits<N>) {
        members: u32 = group.members,
        guidance: Guidance = traits.guidance,
        target: [N; 2] = traits.target,
        goal: Option<GoalRow<N>> = group.goal.as_ref().map(GoalRow::of),
        field: Option<FieldId> = group.field,
        next_field: Option<FieldId> = group.next_field,
        plain_field: Option<FieldId> = group.plain_field,
        company: Option<u16> = group.company,
        marches: bool = group.marches,
        fallen: u32 = group.fallen,
        detached_from: Option<u16> = group.detached_from,
        generation: u16 = group.generation,
        is_removed: bool = group.is_removed,
    }

    /// A group's goal.
    #[derive(Clone, Copy, Default)]
    struct GoalRow<N: Numbers> of goal in &Goal<N> {
        inside: u32 = goal.inside,
        laid_for: u32 = goal.laid_for,
        each: bool = goal.each,
        target: [N; 2] = goal.target,
    }

    /// A company under way.
    #[derive(Clone, Copy)]
    struct CompanyRow<N: Numbers> of company in &Company<N> {
        forms: bool = company.forms,
        /// Target of its goal.
        goal: Option<[N; 2]> = company.goal.as_ref().map(|goal| goal.target),
        anchor: Option<Anchor<N>> = company.anchor,
        generation: u16 = company.generation,
        is_removed: bool = company.is_removed,
    }

    /// A flow field without its goals.
    #[derive(Clone, Copy)]
    struct FieldSlot of field in &FieldSnapshot {
        generation: u32 = field.generation,
        holders: u32 = field.holders,
        used: u64 = field.used,
        class: u32 = field.class,
        work: u64 = field.work,
        shown: Option<u32> = field.shown,
        target: u32 = field.target,
        repaired: bool = field.repaired,
        outdated: bool = field.outdated,
        /// Layout of its crowd costs: cells to a side of a block, blocks of a row.
        crowd: [u32; 2] = field.crowd.layout(),
    }
}

impl FieldSlot {
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
