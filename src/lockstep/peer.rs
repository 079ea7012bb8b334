//! A peer: the queue, the links to others, and what they say their states are.

use std::collections::BTreeSet;

use crate::lane::Numbers;
use crate::lockstep::digests::{Digests, MAX_DIGEST_WAIT, compare};
use crate::lockstep::link::Link;
use crate::lockstep::lists::RawList;
use crate::lockstep::{
    Accepted, Desync, Due, Foreign, LinkId, Lockstep, MAX_AHEAD, MAX_BEHIND, Packet, Rejection,
    Role, Tie, WireError,
};
use crate::state;
use crate::world::{Order, World};

/// Lists that cannot be read, before nothing more is taken that comes over their link.
const MAX_GARBLED: u32 = 16;

/// The result of taking a packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Players' turns that are new.
    pub new: u32,
    /// Players' turns that were there already, waiting to be executed.
    pub again: u32,
    /// Players' turns that had been executed: usual where packets are sent again.
    pub late: u32,
    /// Players' turns that were refused for another reason: a program or a line is bad.
    pub rejected: Vec<Rejection>,
}

/// A game in lockstep over an unreliable network: [`Lockstep`], and what is sent until it arrives.
#[derive(Clone, Debug)]
pub struct Peer {
    pub(super) lockstep: Lockstep,
    pub(super) rules: u64,
    pub(super) links: Vec<Link>,
    pub(super) digests: Digests,
    /// The first tick that has not been compared.
    unchecked: u64,
    desync: Option<Desync>,
    /// Players that this peer wants dropped.
    pub(super) votes: BTreeSet<u8>,
}

impl Peer {
    /// Around a queue that has just been made, or read by a newcomer.
    pub fn new(lockstep: Lockstep) -> Self {
        let (rules, tick) = (lockstep.rules().digest(), lockstep.tick());
        let (digests, links, votes) = (Digests::new(tick), Vec::new(), BTreeSet::new());
        Self { lockstep, rules, links, digests, unchecked: tick, desync: None, votes }
    }

    /// The queue.
    pub fn lockstep(&self) -> &Lockstep {
        &self.lockstep
    }

    /// Knows another peer from now on, by some 70 KB. The link is bound to the peer's seat: orders
    /// that come over it have to be of that seat, unless `tie` says otherwise. That they do come
    /// from that peer is for the caller to know. A player has one link; an earlier one is closed.
    pub fn connect(&mut self, role: Role, tie: Tie) -> LinkId {
        if role != Role::Spectator {
            self.links
                .iter_mut()
                .filter(|link| link.role == role)
                .for_each(|link| link.open = false);
        }
        self.links.push(Link::new(role, tie, self.lockstep.tick()));
        LinkId(self.links.len() - 1)
    }

    /// Forgets another peer: nothing is sent to it or taken from it any more.
    ///
    /// # Panics
    /// When this peer has no such link.
    pub fn disconnect(&mut self, link: LinkId) {
        self.link_mut(link).open = false;
    }

    /// Players' turns that came over a link and were refused, but for late ones.
    ///
    /// # Panics
    /// When this peer has no such link.
    pub fn refused(&self, link: LinkId) -> u64 {
        self.link(link).refused
    }

    pub(super) fn link(&self, link: LinkId) -> &Link {
        self.links.get(link.0).expect("a link is used by the peer that connected it")
    }

    fn link_mut(&mut self, link: LinkId) -> &mut Link {
        self.links.get_mut(link.0).expect("a link is used by the peer that connected it")
    }

    /// See [`Lockstep::issue`].
    ///
    /// # Errors
    /// As there.
    pub fn issue(&mut self, order: &Order) -> Result<u64, Rejection> {
        self.lockstep.issue(order)
    }

    /// See [`Lockstep::seat`].
    ///
    /// # Errors
    /// As there.
    pub fn seat(&mut self, seat: u8) -> Result<u64, Rejection> {
        self.lockstep.seat(seat)
    }

    /// See [`Lockstep::leave`].
    ///
    /// # Errors
    /// As there.
    pub fn leave(&mut self) -> Result<u64, Rejection> {
        self.lockstep.leave()
    }

    /// See [`Lockstep::next_tick`]. Tell [`ended`](Self::ended) when it has run.
    pub fn next_tick(&mut self) -> Option<Due<'_>> {
        self.lockstep.next_tick()
    }

    /// Reports the state after the tick that was run last.
    ///
    /// # Panics
    /// When the world has done another number of ticks than the game: see
    /// [`Rules::first_tick`](crate::lockstep::Rules::first_tick).
    pub fn ended<N: Numbers>(&mut self, world: &World<N>) {
        let tick = self.digests.end();
        assert_eq!(world.tick_count(), tick + 1, "the world has done the game's ticks, each once");
        let full = self.lockstep.rules().is_full(tick);
        self.report(if full { state::digest(world) } else { state::quick_digest(world) });
    }

    /// Reports a digest of one's own of the state after the tick that was run last, for programs
    /// with more state than the world. All peers must use the same one for the same tick.
    pub fn report(&mut self, digest: u64) {
        self.digests.push(digest);
        self.check();
    }

    /// All ticks before this one have been compared.
    pub fn checked(&self) -> u64 {
        self.unchecked
    }

    /// The first tick after which states differ; it stays.
    pub fn desync(&self) -> Option<&Desync> {
        self.desync.as_ref()
    }

    /// Takes a packet that another peer has sent; it may come late, twice, or never.
    ///
    /// # Errors
    /// When it is no packet of this game, or what it says cannot be true; then nothing has changed.
    ///
    /// # Panics
    /// When this peer has no such link.
    pub fn incoming(&mut self, link: LinkId, bytes: &[u8]) -> Result<Received, WireError> {
        let mut received = Received::default();
        if !self.link(link).open {
            return Ok(received);
        }
        let (packet, lists) = Packet::open(bytes, self.rules)?;
        self.check_numbers(&packet)?;
        let end = self.digests.end();
        self.link_mut(link).hear(&packet, end);
        self.hear_roster(link, &packet, &mut received);
        let host = self.lockstep.host();
        for list in lists {
            match self.take(link, list, host) {
                Ok(Accepted::New) => received.new += 1,
                Ok(Accepted::Again) => received.again += 1,
                Err(Rejection::Late { .. }) => received.late += 1,
                Err(rejection) => received.rejected.push(rejection),
            }
        }
        let garbled = |rejection: &&Rejection| matches!(rejection, Rejection::Garbled { .. });
        let garbled = received.rejected.iter().filter(garbled).count() as u32;
        let from = self.link_mut(link);
        from.refused += received.rejected.len() as u64;
        from.garbled = from.garbled.saturating_add(garbled);
        self.decide();
        self.check();
        Ok(received)
    }

    /// Refuses numbers that no honest peer has: turns farther ahead than orders can be had, and
    /// digests of ticks that the sender has not run.
    fn check_numbers(&self, packet: &Packet) -> Result<(), WireError> {
        let check = |what, found, most| {
            let implausible = WireError::Implausible { what, found, most };
            if found <= most { Ok(()) } else { Err(implausible) }
        };
        check("next turn", packet.next_turn, self.next_turn() + MAX_BEHIND + MAX_AHEAD)?;
        let end = packet.first_digest + packet.digests.len() as u64;
        let ran = self.lockstep.rules().tick(packet.next_turn);
        check("end of digests", end, ran)
    }

    /// Takes a list of orders, if it is of the seat to which the link is bound, or of any other seat
    /// over a link to the host.
    fn take(
        &mut self,
        link: LinkId,
        list: RawList<'_>,
        host: Option<u8>,
    ) -> Result<Accepted, Rejection> {
        let (from, own) = (self.link(link), self.lockstep.role());
        let gone = self.lockstep.seat_of(list.player).is_gone();
        let (mut copy, mut why) = (false, None);
        match from.role {
            Role::Spectator => why = Some(Foreign::Spectator),
            _ if own == Role::Player(list.player) => why = Some(Foreign::Own),
            _ if from.garbled >= MAX_GARBLED => why = Some(Foreign::Garbler),
            _ if from.tie == Tie::Host => {}
            Role::Player(seat) if seat == list.player || gone && host == Some(seat) => {}
            // The host gathers what others have of the orders of a player that is gone.
            Role::Player(seat) => {
                let gathers = host.map(Role::Player) == Some(own);
                copy = gone && gathers && self.lockstep.seat_of(seat).stays();
                why = (!copy).then_some(Foreign::Link { seat });
            }
        }
        match why {
            Some(why) => Err(Rejection::Foreign { player: list.player, turn: list.turn, why }),
            None => self.lockstep.take(list, copy),
        }
    }

    /// Compares digests, tick by tick, as far as all players have reported.
    fn check(&mut self) {
        while let Some(mine) = self.digests.get(self.unchecked) {
            let tick = self.unchecked;
            let turn = self.lockstep.rules().turn(tick);
            let compared = |player: u8| {
                let seat = self.lockstep.seat_of(player);
                seat.since <= tick && turn < seat.until && !seat.dropped
            };
            let mut reported = Vec::new();
            if let Role::Player(player) = self.lockstep.role() {
                reported.extend(compared(player).then_some((player, mine)));
            }
            for link in &self.links {
                let Some(player) = link.player() else { continue };
                if !compared(player) || tick < link.digests.first() {
                    continue;
                }
                match link.digests.get(tick) {
                    Some(digest) => reported.push((player, digest)),
                    // A player that has left may be silent; a silent one is not waited for without end.
                    None if self.lockstep.seats()[usize::from(player)].until != u64::MAX => {}
                    None if tick + MAX_DIGEST_WAIT <= self.digests.end() => {}
                    None => return,
                }
            }
            reported.sort_unstable();
            if self.desync.is_none() {
                self.desync = compare(tick, mine, &reported);
            }
            self.unchecked += 1;
        }
        // Of ticks before those that are kept nothing can be said.
        self.unchecked = self.unchecked.max(self.digests.first());
    }
}
