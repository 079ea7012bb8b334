//! A queue as bytes, for newcomers.

use crate::data::bytes::Write;
use crate::lockstep::lists::RawList;
use crate::lockstep::packet::MAX_TICK;
use crate::lockstep::wire::Kind;
use crate::lockstep::{Lockstep, MAX_AHEAD, MAX_PLAYERS, Role, Rules, Seat, WireError, wire};

/// A queue.
const KIND: Kind = Kind { name: "queue of a game in lockstep", magic: *b"THRQ" };

impl Lockstep {
    /// The queue as bytes: rules, next tick, seats, and the orders for turns to come. What this
    /// peer has ordered in the turn under way is not among them.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = wire::begin(&KIND);
        let taken = |seat: &Seat| (!seat.is_free()).then_some(*seat);
        let seats: Vec<Option<Seat>> = self.seats.iter().map(taken).collect();
        bytes.value(&(self.rules, self.tick, seats));
        let lists = || self.lists.since(self.next_turn());
        bytes.u32(lists().count() as u32);
        for list in lists() {
            bytes.u16(list.len() as u16);
            bytes.extend_from_slice(list);
        }
        wire::seal(bytes)
    }

    /// The queue of a newcomer, from another peer's [`write`](Self::write) at the tick of the
    /// snapshot that came with it.
    ///
    /// # Errors
    /// When the bytes are no queue, or a garbled one.
    pub fn read(bytes: &[u8], role: Role) -> Result<Self, WireError> {
        let mut from = wire::open(&KIND, bytes)?;
        let (rules, tick, seats): (Rules, u64, Vec<Option<Seat>>) = from.value("queue")?;
        rules.check().map_err(|error| from.error("rules", error.to_string()))?;
        if !(rules.first_tick..=MAX_TICK).contains(&tick) {
            return Err(from.error("tick", format!("there is no tick {tick}")).into());
        }
        if seats.len() != usize::from(MAX_PLAYERS) || seats.iter().flatten().any(Seat::is_free) {
            return Err(from.error("seats", "one is missing, or a taken one is free").into());
        }
        let seats = seats.into_iter().map(|seat| seat.unwrap_or(Seat::FREE)).collect();
        let mut queue = Self::resume(rules, role, tick, seats);
        let next = queue.next_turn();
        for _ in 0..from.count("lists", RawList::LENGTH_BYTES + RawList::LEAST_BYTES)? {
            let list = RawList::read(&mut from)?;
            let (player, turn) = (list.player, list.turn);
            list.decode()?;
            if !queue.seat_of(player).plays(turn) || turn < next || turn - next >= MAX_AHEAD {
                let problem = format!("player {player} has no orders for turn {turn}");
                return Err(from.error("orders", problem).into());
            }
            queue.lists.insert(player, turn, list.bytes);
        }
        wire::end(&from)?;
        Ok(queue)
    }
}
