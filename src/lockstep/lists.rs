//! Orders as they are kept: a player's list of a turn is bytes ([`TurnOrders::write`]) until it is
//! carried out, so its memory is what its packet had.

use std::collections::BTreeMap;

use crate::data::bytes::{BytesError, Reader};
use crate::lockstep::{MAX_BEHIND, MAX_ORDER_BYTES, MAX_PLAYER_BYTES, MAX_PLAYERS, TurnOrders};

/// A list as it came. Seat and turn have been read, nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawList<'a> {
    pub(super) player: u8,
    pub(super) turn: u64,
    pub(super) bytes: &'a [u8],
}

impl<'a> RawList<'a> {
    /// Bytes of the smallest list, and of the length before each.
    pub(super) const LEAST_BYTES: usize = 5;
    pub(super) const LENGTH_BYTES: usize = 2;

    /// A list behind its length.
    pub(super) fn read(from: &mut Reader<'a>) -> Result<Self, BytesError> {
        let length = usize::from(from.u16("length of orders")?);
        if !(Self::LEAST_BYTES..=MAX_ORDER_BYTES).contains(&length) {
            return Err(from.error("orders", format!("{length} bytes")));
        }
        let bytes = from.take("orders", length)?;
        let (player, turn) = Reader::new(bytes).value("player and turn")?;
        Ok(Self { player, turn, bytes })
    }

    /// The orders that it holds.
    pub(super) fn decode(&self) -> Result<TurnOrders, BytesError> {
        let mut from = Reader::new(self.bytes);
        let list = TurnOrders::read(&mut from)?;
        match from.left() {
            0 => Ok(list),
            left => Err(from.error("orders", format!("{left} bytes too many"))),
        }
    }
}

/// A player's lists by turn.
#[derive(Clone, Debug, Default, PartialEq)]
struct Kept {
    turns: BTreeMap<u64, Box<[u8]>>,
    /// Sum of their lengths, at most [`MAX_PLAYER_BYTES`].
    bytes: usize,
}

impl Kept {
    fn forget_oldest(&mut self) {
        self.bytes -= self.turns.pop_first().map_or(0, |(_, oldest)| oldest.len());
    }
}

/// Lists of turns to come and of the last [`MAX_BEHIND`] turns, by player and turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lists(Vec<Kept>);

impl Default for Lists {
    fn default() -> Self {
        Self(vec![Kept::default(); usize::from(MAX_PLAYERS)])
    }
}

impl Lists {
    pub(super) fn get(&self, player: u8, turn: u64) -> Option<&[u8]> {
        self.0.get(usize::from(player))?.turns.get(&turn).map(|bytes| &**bytes)
    }

    /// The first turn from `turn` on without a list.
    pub(super) fn missing(&self, player: u8, turn: u64) -> u64 {
        let held = self.0[usize::from(player)].turns.range(turn..);
        turn + held.zip(turn..).take_while(|((held, _), turn)| *held == turn).count() as u64
    }

    /// The first turn from `turn` on with a list.
    pub(super) fn next(&self, player: u8, turn: u64) -> Option<u64> {
        self.0[usize::from(player)].turns.range(turn..).next().map(|(&turn, _)| turn)
    }

    /// Keeps a list; the player's oldest lists make room for it. They are executed ones: waiting lists
    /// fit by themselves.
    pub(super) fn insert(&mut self, player: u8, turn: u64, bytes: &[u8]) {
        let kept = &mut self.0[usize::from(player)];
        while kept.bytes + bytes.len() > MAX_PLAYER_BYTES {
            kept.forget_oldest();
        }
        kept.bytes += bytes.len();
        kept.turns.insert(turn, bytes.into());
    }

    /// Forgets a player's lists from a turn on.
    pub(super) fn forget(&mut self, player: u8, from: u64) {
        let kept = &mut self.0[usize::from(player)];
        kept.bytes -= kept.turns.split_off(&from).values().map(|bytes| bytes.len()).sum::<usize>();
    }

    /// Forgets what is too old when a turn is executed.
    pub(super) fn expire(&mut self, executed: u64) {
        for kept in &mut self.0 {
            while kept.turns.first_key_value().is_some_and(|(t, _)| t + MAX_BEHIND <= executed) {
                kept.forget_oldest();
            }
        }
    }

    /// All lists from a turn on, by player.
    pub(super) fn since(&self, turn: u64) -> impl Iterator<Item = &[u8]> {
        self.0.iter().flat_map(move |kept| kept.turns.range(turn..).map(|(_, bytes)| &**bytes))
    }

    /// Bytes of a player's lists.
    pub(super) fn bytes(&self, player: u8) -> usize {
        self.0.get(usize::from(player)).map_or(0, |kept| kept.bytes)
    }
}
