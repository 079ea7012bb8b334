//! A seat: the turns for which its player's orders are needed.

use serde::{Deserialize, Serialize};

/// A player's place in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// The first turn whose orders are needed from this player; `u64::MAX` while the seat is free.
    pub from: u64,
    /// The first turn without this player; `u64::MAX` while that is not known.
    pub until: u64,
    /// The tick from which on this player's state is compared with that of the others.
    pub since: u64,
    /// Whether the others drop this player, or have dropped it.
    pub dropped: bool,
}

impl Seat {
    /// A free seat.
    pub(super) const FREE: Self =
        Self { from: u64::MAX, until: u64::MAX, since: u64::MAX, dropped: false };

    /// Whether no player has ever had it.
    pub fn is_free(&self) -> bool {
        self.from == u64::MAX
    }

    /// Whether the player's orders are needed for a turn.
    pub fn plays(&self, turn: u64) -> bool {
        self.from <= turn && turn < self.until
    }

    /// Whether the player neither leaves nor is dropped, as far as is known.
    pub fn stays(&self) -> bool {
        !self.is_free() && !self.dropped && self.until == u64::MAX
    }

    /// Whether the player has left, or is to be dropped.
    pub(super) fn is_gone(&self) -> bool {
        self.dropped || self.until != u64::MAX
    }

    /// Whether it is still to be agreed which turn is the first without this player.
    pub fn is_frozen(&self) -> bool {
        self.dropped && self.until == u64::MAX
    }
}
