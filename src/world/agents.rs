//! The table of agents.

use bytemuck::{Pod, Zeroable};

use crate::data::{Kind, Row, Word, table};
use crate::lane::Numbers;

/// Bits of [`Tag::state`].
pub mod state {
    /// Is in the goal that its group was ordered to, give or take a radius.
    pub const ARRIVED: u8 = 1;
    /// Stands: it has arrived and is at its place, or found no way further; or, without
    /// [`ARRIVED`], the goal has no room for it.
    pub const SETTLED: u8 = 2;
    /// Leaves at the end of the tick.
    pub const LEAVING: u8 = 4;
    /// Is to get a place in its goal, or around it; with [`PLACED`], finds no way to its own.
    pub const FRESH: u8 = 8;
    /// Sees no free place and goes to a point on the way to one; in a formation: the anchor does not
    /// see its slot.
    pub const WAITING: u8 = 32;
    /// Is coming to rest and will be at home where it does.
    pub const HOMELESS: u8 = 128;
    /// Walks straight to a place of its own inside the goal, or stands there.
    pub const PLACED: u8 = 16;
    /// Walks to its slot in its company's formation, or stands there.
    pub const FORMED: u8 = 64;
}

/// Id, group, state and patience of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Tag {
    /// Index part of its id.
    pub id: u32,
    /// Index of its group ([`World::group_id`](crate::world::World::group_id)).
    pub group: u16,
    /// Bits of [`state`].
    pub state: u8,
    /// Ticks for which it has been blocked inside its goal, up to 255; of an agent that stands, the
    /// ticks for which it has been on the way home, twice while blocked, or 0 when it is there.
    pub patience: u8,
}

impl Tag {
    /// Whether it stands around a goal that has no room for it.
    pub fn has_overflowed(self) -> bool {
        self.state & (state::ARRIVED | state::SETTLED) == state::SETTLED
    }

    /// Whether its order has nothing more for it to do: it has arrived, or its goal has no room.
    pub fn is_done(self) -> bool {
        self.state & (state::ARRIVED | state::SETTLED) != 0
    }
}

impl Row for Tag {
    const WORDS: &'static [Word] = &[
        Word::new("id", Kind::U32),
        Word::new("group", Kind::U16),
        Word::new("state", Kind::U8),
        Word::new("patience", Kind::U8),
    ];
}

table! {
    /// Agents, one a row. Rows are in grid order after a tick.
    pub struct AgentRows<N: Numbers> as "agents" {
        /// Position of the centre.
        pos: [N; 2], "m";
        /// Velocity.
        vel: [N; 2], "m/s";
        /// Id, group and state.
        tag: Tag, "";
    }
}
