//! Why orders are not taken.

use thiserror::Error;

use crate::data::bytes::BytesError;
use crate::lockstep::MAX_AHEAD;

/// What became of orders that were not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// They are new, and wait for their turn.
    New,
    /// The same orders are there already: a harmless duplicate.
    Again,
}

/// Orders are refused, and nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// The turn has been executed.
    #[error("player {player}: turn {turn} is over, the next one is {next}")]
    Late {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
        /// The next turn to be executed.
        next: u64,
    },
    /// Other orders of the same player for the same turn are there already.
    #[error("player {player}: other orders for turn {turn} are there already")]
    Conflicting {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
    },
    /// The player has no say in that turn.
    #[error("player {player}, turn {turn}: {why}")]
    Foreign {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
        /// Why it has no say.
        why: Foreign,
    },
    /// The turn lies too many turns ahead.
    #[error("player {player}: turn {turn} is more than {MAX_AHEAD} turns after the next, {next}")]
    TooFarAhead {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
        /// The next turn to be executed.
        next: u64,
    },
    /// There is too much of something.
    #[error("player {player}, turn {turn}: {found} {what} are more than {most}")]
    TooLarge {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
        /// What there is too much of.
        what: &'static str,
        /// How many were found.
        found: usize,
        /// Most that is allowed.
        most: usize,
    },
    /// The bytes of the orders cannot be read, though they came whole: the sender is faulty.
    #[error("player {player}, turn {turn}: {problem}")]
    Garbled {
        /// The player's seat.
        player: u8,
        /// The turn that the orders are for.
        turn: u64,
        /// The fault, and at which byte.
        problem: BytesError,
    },
}

/// Why a player has no say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Foreign {
    /// No player has this seat.
    #[error("nobody has this seat")]
    Unknown,
    /// Spectators only look on.
    #[error("spectators do not order")]
    Spectator,
    /// They are said to be this peer's own, which only this peer gives.
    #[error("only this peer orders on its own seat")]
    Own,
    /// They came over the link of another player, which does not relay.
    #[error("the link they came by is that of seat {seat}")]
    Link {
        /// The seat to which the link is bound.
        seat: u8,
    },
    /// Too many lists that came over this link were garbled: it is not listened to any more.
    #[error("too much that came over the link was garbled")]
    Garbler,
    /// Only the host gives seats.
    #[error("only the host gives seats")]
    NotHost,
    /// The player plays from a later turn on.
    #[error("its first orders are those of turn {from}")]
    NotYet {
        /// The first turn of this player's orders.
        from: u64,
    },
    /// The player has left.
    #[error("it has left at turn {until}")]
    Left {
        /// The first turn without this player.
        until: u64,
    },
    /// The player is being dropped: its last turn is being agreed on.
    #[error("it is being dropped")]
    Dropped,
}
