//! What a peer sends: everything that the other end is not known to have.

use thiserror::Error;

use crate::lockstep::link::Link;
use crate::lockstep::lists::RawList;
use crate::lockstep::{
    Held, LinkId, MAX_AHEAD, MAX_PACKET_DIGESTS, MAX_PACKET_LISTS, MAX_PLAYERS, PACKET_BYTES,
    Packet, Peer, Role, Seat, Tie,
};

/// A peer that is too far behind to catch up: it must join again, from a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the peer needs turn {turn}, but turns before {kept} are no longer kept")]
pub struct TooFarBehind {
    /// The turn that it needs.
    pub turn: u64,
    /// The first that is kept.
    pub kept: u64,
}

/// Most packets that are sent to one peer at a time.
const MAX_PACKETS: usize = 8;

impl Peer {
    /// Whether a peer has all orders that this one has to give it.
    ///
    /// # Panics
    /// When this peer has no such link.
    pub fn has_all(&self, link: LinkId) -> bool {
        let link = self.link(link);
        self.feeds(link).all(|seat| link.held[usize::from(seat)] >= self.end(seat))
    }

    /// The first turn whose orders of a player are not here.
    fn end(&self, seat: u8) -> u64 {
        match self.lockstep.held(seat) {
            u64::MAX => self.lockstep.seats()[usize::from(seat)].until,
            held => held,
        }
    }

    /// Seats of the orders that this peer sends over a link: its own; to and from the host also the
    /// seats of players that have left or are being dropped; all seats, if it relays.
    fn feeds<'a>(&'a self, link: &'a Link) -> impl Iterator<Item = u8> + 'a {
        let mine = self.lockstep.role();
        let host = self.lockstep.host().map(Role::Player);
        let gathers = host.is_some_and(|host| host == mine || host == link.role);
        (0..MAX_PLAYERS).filter(move |&player| {
            let seat = self.lockstep.seat_of(player);
            let own = mine == Role::Player(player);
            let feed = own || link.tie == Tie::Guest || gathers && seat.is_gone();
            feed && !seat.is_free() && link.role != Role::Player(player)
        })
    }

    /// What to send to another peer now: orders that it is not known to have, digests, what is here
    /// already. Send each of them as one datagram, as often as you like; once a tick is usual.
    ///
    /// # Errors
    /// When the peer needs turns that are no longer kept. Drop it or disconnect it: it may as well
    /// be one that does not say what it has.
    ///
    /// # Panics
    /// When this peer has no such link.
    pub fn outgoing(&self, link: LinkId) -> Result<Vec<Vec<u8>>, TooFarBehind> {
        let link = self.link(link);
        if !link.open {
            return Ok(Vec::new());
        }
        let header = self.header(link);
        let digestless = Packet { digests: Vec::new(), ..header.clone() };
        let empty = |packet: &Packet| PACKET_BYTES.saturating_sub(packet.write().len());
        let (mut room, next_room) = (empty(&header), empty(&digestless));
        let (mut packet, mut lists, mut packets) = (&header, Vec::new(), Vec::new());
        let next = if link.heard { link.next_turn } else { self.next_turn() };
        let ahead = next.saturating_add(MAX_AHEAD);
        for seat in self.feeds(link) {
            let held = if link.heard { link.held[usize::from(seat)] } else { self.next_turn() };
            let from = held.max(self.lockstep.seats()[usize::from(seat)].from);
            for turn in from..self.end(seat).min(ahead) {
                let Some(list) = self.lockstep.lists.get(seat, turn) else {
                    let kept = self.lockstep.lists.next(seat, turn).unwrap_or(self.end(seat));
                    return Err(TooFarBehind { turn, kept });
                };
                let size = RawList::LENGTH_BYTES + list.len();
                let full = size > room && !lists.is_empty() || lists.len() == MAX_PACKET_LISTS;
                if full {
                    packets.push(packet.write_with(lists.drain(..)));
                    (packet, room) = (&digestless, next_room);
                }
                if packets.len() == MAX_PACKETS {
                    return Ok(packets);
                }
                lists.push(list);
                room = room.saturating_sub(size);
            }
        }
        packets.push(packet.write_with(lists.drain(..)));
        Ok(packets)
    }

    pub(super) fn next_turn(&self) -> u64 {
        self.lockstep.next_turn()
    }

    /// A packet without orders.
    fn header(&self, link: &Link) -> Packet {
        let seats = || (0..MAX_PLAYERS).zip(self.lockstep.seats()).filter(|(_, s)| !s.is_free());
        let held = |(player, seat): (u8, &Seat)| Held {
            player,
            turn: self.lockstep.held(player),
            frozen: seat.is_frozen(),
        };
        let gone = |(player, seat): &(u8, &Seat)| {
            seat.until != u64::MAX && link.held[usize::from(*player)] != u64::MAX
        };
        let unwanted = |(player, seat): &(u8, &Seat)| {
            seat.is_frozen() || seat.stays() && self.votes.contains(player)
        };
        let (first_digest, digests) = match self.lockstep.role() {
            Role::Player(_) => self.digests.run(link.digests_held, MAX_PACKET_DIGESTS),
            Role::Spectator => (0, Vec::new()),
        };
        Packet {
            rules: self.rules,
            next_turn: self.next_turn(),
            held: seats().map(held).collect(),
            digests_held: link.digests.end(),
            frozen: seats().filter(unwanted).map(|(player, _)| player).collect(),
            departed: seats().filter(gone).map(|(p, seat)| (p, seat.until)).collect(),
            first_digest,
            digests,
            lists: Vec::new(),
        }
    }
}
