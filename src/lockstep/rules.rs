//! What all peers must have agreed on before the first turn, and the limits.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::data::bytes::Write;
use crate::math::Digest;

/// Most players, and most seats over a whole game: a seat is never given twice.
pub const MAX_PLAYERS: u8 = 255;
/// Most ticks of a turn.
pub const MAX_TURN_TICKS: u32 = 64;
/// Most turns from an order to its execution.
pub const MAX_DELAY: u32 = 32;
/// Orders for a turn so many turns after the next one are too far ahead. Players are at most `2 *
/// delay` turns ahead of each other.
pub const MAX_AHEAD: u64 = 128;
/// So many executed turns are kept, for peers that have not got them yet.
pub const MAX_BEHIND: u64 = 256;
/// Most orders of a player in a turn.
pub const MAX_ORDERS: usize = 255;
/// Most bytes of a player's orders of a turn.
pub const MAX_ORDER_BYTES: usize = 16 << 10;
/// Most bytes of a player's orders that are kept, waiting and executed: 2 MiB, all that may wait.
/// Of a player with more orders than usual, fewer executed turns are kept than [`MAX_BEHIND`].
pub const MAX_PLAYER_BYTES: usize = MAX_AHEAD as usize * MAX_ORDER_BYTES;

/// Rules of a game in lockstep: the same for all peers, and never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Names the game. Packets of another one are refused.
    pub session: u64,
    /// How many play from the start: seats 0 to `players - 1`; 2 ..= [`MAX_PLAYERS`].
    pub players: u8,
    /// Ticks of a turn, 1 ..= [`MAX_TURN_TICKS`]. Orders take effect in a turn's first tick.
    pub turn_ticks: u32,
    /// Turns from an order to its execution, 1 ..= [`MAX_DELAY`].
    pub delay: u32,
    /// Every so many ticks (at least 1) the full digest is compared, in place of the quick one.
    pub full_every: u32,
    /// Number of the first tick: ticks that the world had done when the game began.
    pub first_tick: u64,
}

impl Default for Rules {
    /// Two players, turns of 2 ticks, a delay of 2 turns, a full digest every 64 ticks.
    fn default() -> Self {
        Self { session: 0, players: 2, turn_ticks: 2, delay: 2, full_every: 64, first_tick: 0 }
    }
}

/// A rule is out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} must be {least} to {most}, but is {value}")]
pub struct RulesError {
    /// Name of the rule.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// The least that is allowed.
    pub least: u64,
    /// The most that is allowed.
    pub most: u64,
}

impl Rules {
    /// Refuses what is out of range.
    ///
    /// # Errors
    /// Names the rule, its value and its range.
    pub fn check(&self) -> Result<(), RulesError> {
        let check = |name, value: u64, least: u64, most: u64| {
            let fine = (least..=most).contains(&value);
            if fine { Ok(()) } else { Err(RulesError { name, value, least, most }) }
        };
        check("players", self.players.into(), 2, MAX_PLAYERS.into())?;
        check("turn_ticks", self.turn_ticks.into(), 1, MAX_TURN_TICKS.into())?;
        check("delay", self.delay.into(), 1, MAX_DELAY.into())?;
        check("full_every", self.full_every.into(), 1, u32::MAX.into())?;
        check("first_tick", self.first_tick, 0, 1 << 48)
    }

    /// 64 bits that differ for other rules; every packet holds them.
    pub fn digest(&self) -> u64 {
        let mut bytes = Vec::new();
        bytes.value(self);
        let mut digest = Digest::new();
        digest.bytes(&bytes).finish()
    }

    /// The turn that a tick belongs to.
    pub fn turn(&self, tick: u64) -> u64 {
        tick.saturating_sub(self.first_tick) / u64::from(self.turn_ticks)
    }

    /// The first tick of a turn.
    pub fn tick(&self, turn: u64) -> u64 {
        self.first_tick.saturating_add(turn.saturating_mul(u64::from(self.turn_ticks)))
    }

    /// Whether the full digest of the state after this tick is compared.
    pub fn is_full(&self, tick: u64) -> bool {
        tick.is_multiple_of(u64::from(self.full_every))
    }
}
