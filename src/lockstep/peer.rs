//! A peer: the queue, the links to others, and what they say their states are.

use crate::lane::Numbers;
use crate::lockstep::Accepted;
use crate::lockstep::Desync;
use crate::lockstep::Due;
use crate::lockstep::Foreign;
use crate::lockstep::Lockstep;
use crate::lockstep::MOST_PLAYERS;
use crate::lockstep::Packet;
use crate::lockstep::Rejection;
use crate::lockstep::Role;
use crate::lockstep::TurnOrders;
use crate::lockstep::WireError;
use crate::lockstep::digests::Digests;
use crate::lockstep::digests::compare;
use crate::state;
use crate::world::Order;
use crate::world::World;

/// Names one of the other peers; see [`Peer::connect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(pub(super) usize);

/// Another peer, as this one knows it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) role: Role,
    pub(super) relay: bool,
    pub(super) open: bool,
    /// Whether anything has come from it.
    pub(super) heard: bool,
    /// Its next turn.
    pub(super) next_turn: u64,
    /// By seat: the first turn whose orders it has not got, and whether it takes no more of them.
    pub(super) held: Vec<u64>,
    pub(super) frozen: Vec<bool>,
    /// The tick of the first of this peer's digests that it has not got.
    pub(super) digests_held: u64,
    pub(super) digests: Digests,
}

/// What came of a packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Players' turns that are new.
    pub new: u32,
    /// Those that were there already, waiting for their turn.
    pub again: u32,
    /// Those whose turn had been executed: usual where packets are sent again.
    pub late: u32,
    /// Those that were refused for another reason: somebody's program or line is bad.
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
    /// Players for whom this peer finds out when they have left.
    deciding: Vec<u8>,
}

impl Peer {
    /// Around a queue that has just been made, or read by a newcomer.
    pub fn new(lockstep: Lockstep) -> Self {
        let (rules, tick) = (lockstep.rules().digest(), lockstep.tick());
        let (digests, links, deciding) = (Digests::new(tick), Vec::new(), Vec::new());
        Self { lockstep, rules, links, digests, unchecked: tick, desync: None, deciding }
    }

    /// The queue.
    pub fn lockstep(&self) -> &Lockstep {
        &self.lockstep
    }

    /// Knows another peer from now on. `relay`: it hears nothing from some of the players, so this
    /// peer sends it their orders too, not just its own.
    pub fn connect(&mut self, role: Role, relay: bool) -> LinkId {
        let seats = usize::from(MOST_PLAYERS);
        self.links.push(Link {
            role,
            relay,
            open: true,
            heard: false,
            next_turn: 0,
            held: vec![0; seats],
            frozen: vec![false; seats],
            digests_held: 0,
            digests: Digests::new(self.lockstep.tick()),
        });
        LinkId(self.links.len() - 1)
    }

    /// Forgets another peer: nothing is sent to it or taken from it any more.
    pub fn disconnect(&mut self, link: LinkId) {
        self.links[link.0].open = false;
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

    /// Drops a player who has fallen silent. All others stop taking the player's orders and say
    /// how many they have; this peer finds the most that anybody has, which is the turn without
    /// that player on all of them, and they send each other what is missing. Only one peer may do
    /// this (the game says which), and it must have a link to every player.
    pub fn drop_player(&mut self, player: u8) {
        let seat = self.lockstep.seats().get(usize::from(player));
        let plays = seat.is_some_and(|seat| !seat.is_free() && seat.until == u64::MAX);
        if !plays || self.lockstep.role() == Role::Player(player) {
            return;
        }
        self.lockstep.freeze(player);
        if !self.deciding.contains(&player) {
            self.deciding.push(player);
        }
        self.decide();
    }

    /// Whether the others have dropped this peer: it can only join again, on another seat.
    pub fn is_dropped(&self) -> bool {
        let Role::Player(player) = self.lockstep.role() else { return false };
        self.lockstep.seats()[usize::from(player)].dropped
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
    /// When it is no packet of this game; then nothing has changed.
    pub fn incoming(&mut self, link: LinkId, bytes: &[u8]) -> Result<Received, WireError> {
        let packet = Packet::read(bytes, self.rules)?;
        let mut received = Received::default();
        let from = &mut self.links[link.0];
        if !from.open {
            return Ok(received);
        }
        from.heard = true;
        from.next_turn = from.next_turn.max(packet.next_turn);
        for held in packet.held.iter().filter(|held| held.player < MOST_PLAYERS) {
            let seat = usize::from(held.player);
            from.held[seat] = from.held[seat].max(held.turn);
            from.frozen[seat] |= held.frozen;
        }
        from.digests_held = from.digests_held.max(packet.digests_held);
        let Role::Player(sender) = from.role else {
            // Spectators have no say.
            let refuse = |list: &TurnOrders| {
                let (player, turn) = (list.player, list.turn);
                Rejection::Foreign { player, turn, why: Foreign::Spectator }
            };
            received.rejected.extend(packet.lists.iter().map(refuse));
            self.decide();
            return Ok(received);
        };
        from.digests.extend(packet.first_digest, &packet.digests);
        self.roster(&packet, sender, &mut received);
        for list in packet.lists {
            if self.lockstep.role() == Role::Player(list.player) {
                let (player, turn) = (list.player, list.turn);
                received.rejected.push(Rejection::Foreign { player, turn, why: Foreign::Own });
                continue;
            }
            match self.lockstep.submit(list) {
                Ok(Accepted::New) => received.new += 1,
                Ok(Accepted::Again) => received.again += 1,
                Err(Rejection::Late { .. }) => received.late += 1,
                Err(rejection) => received.rejected.push(rejection),
            }
        }
        self.decide();
        self.check();
        Ok(received)
    }

    /// Who is dropped and who has left, as another peer says. Nobody says it of itself.
    fn roster(&mut self, packet: &Packet, sender: u8, received: &mut Received) {
        for &player in packet.frozen.iter().filter(|&&player| player != sender) {
            self.lockstep.freeze(player);
        }
        for &(player, turn) in packet.departed.iter().filter(|&&(player, _)| player != sender) {
            if let Err(rejection) = self.lockstep.depart(player, turn) {
                received.rejected.push(rejection);
            }
        }
    }

    /// Settles when dropped players have left, once everybody has stopped taking their orders.
    fn decide(&mut self) {
        for player in self.deciding.clone() {
            let seat = usize::from(player);
            let mut turn = self.lockstep.held(player);
            let mut settled = true;
            for link in self.links.iter().filter(|link| link.open) {
                let Role::Player(other) = link.role else { continue };
                let votes = &self.lockstep.seats()[usize::from(other)];
                let votes = !votes.is_free() && !votes.dropped && self.next_turn() < votes.until;
                if other != player && votes {
                    settled &= link.frozen[seat];
                    turn = turn.max(link.held[seat]);
                }
            }
            let known = !self.lockstep.seats()[seat].is_frozen();
            if !known && settled && turn != u64::MAX {
                let departed = self.lockstep.depart(player, turn);
                debug_assert!(departed.is_ok(), "nobody can be ahead of what it holds");
            }
            if !self.lockstep.seats()[seat].is_frozen() {
                self.deciding.retain(|&other| other != player);
            }
        }
    }

    /// Compares digests, tick by tick, as far as everybody has reported.
    fn check(&mut self) {
        while let Some(mine) = self.digests.get(self.unchecked) {
            let tick = self.unchecked;
            let turn = self.lockstep.rules().turn(tick);
            let compared = |player: u8| {
                let seat = &self.lockstep.seats()[usize::from(player)];
                seat.since <= tick && turn < seat.until && !seat.dropped
            };
            let mut reported = Vec::new();
            if let Role::Player(player) = self.lockstep.role() {
                reported.extend(compared(player).then_some((player, mine)));
            }
            for link in self.links.iter().filter(|link| link.open) {
                let Role::Player(player) = link.role else { continue };
                if !compared(player) || tick < link.digests.first() {
                    continue;
                }
                match link.digests.get(tick) {
                    Some(digest) => reported.push((player, digest)),
                    // One who has left may not say any more.
                    None if self.lockstep.seats()[usize::from(player)].until != u64::MAX => {}
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
