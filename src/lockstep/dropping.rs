//! Dropping players: votes, the host, and the first turn without a dropped player.

use std::collections::BTreeSet;

use crate::lockstep::{LinkId, MAX_PLAYERS, Packet, Peer, Received, Role, Tie};
use crate::math::each::Each;

impl Peer {
    /// Votes for dropping a player that has fallen silent or breaks the game's rules. The player is
    /// dropped when the [`host`](crate::lockstep::Lockstep::host) votes for it, or more than half of
    /// the other players; votes of players that this peer votes against do not count. Then all peers
    /// stop taking the player's orders, tell the host how many they have, and send the orders that
    /// the host lacks; the first turn without the player is the one after the last that any peer has.
    /// It needs a link to every player, unless the links are [`Tie::Host`] and [`Tie::Guest`].
    ///
    /// Nothing happens when there is no such player, or this peer does not play.
    pub fn drop_player(&mut self, player: u8) {
        let Role::Player(own) = self.lockstep.role() else { return };
        let seats = [player, own].each(|player| self.lockstep.seat_of(player));
        if player != own && seats.iter().all(|seat| seat.stays()) {
            self.votes.insert(player);
            self.tally();
            self.decide();
        }
    }

    /// Whether the others have dropped this peer: it can only join again, on another seat.
    pub fn is_dropped(&self) -> bool {
        let Role::Player(player) = self.lockstep.role() else { return false };
        self.lockstep.seat_of(player).dropped
    }

    /// The seats for which the next tick waits: of players with missing orders; for the orders of a
    /// player that is gone, the host, which passes them on; on the host itself the players that have
    /// not yet told or sent what they have of such orders.
    pub fn waiting_for(&self) -> BTreeSet<u8> {
        let mut all = BTreeSet::new();
        for player in self.lockstep.waiting_for() {
            let gone = self.lockstep.seat_of(player).is_gone();
            match self.lockstep.host() {
                Some(_) if gone && self.is_host() => all.extend(self.unsettled(player)),
                Some(host) if gone => drop(all.insert(host)),
                _ => drop(all.insert(player)),
            }
        }
        all
    }

    /// Whether this peer is the host.
    pub(super) fn is_host(&self) -> bool {
        self.lockstep.host().is_some_and(|host| self.lockstep.role() == Role::Player(host))
    }

    /// Takes in another peer's list of players that have left or are dropped: votes, or facts from the host.
    pub(super) fn hear_roster(&mut self, link: LinkId, packet: &Packet, received: &mut Received) {
        self.tally();
        let from = self.link(link);
        let Some(sender) = from.player() else { return };
        if from.tie != Tie::Host && self.lockstep.host() != Some(sender) {
            return;
        }
        for &(player, turn) in packet.departed.iter().filter(|&&(player, _)| player != sender) {
            if let Err(rejection) = self.lockstep.depart(player, turn) {
                received.rejected.push(rejection);
            }
        }
    }

    /// Takes no more orders of players that are voted out. Every such player may change the host and
    /// the majority for the next one.
    fn tally(&mut self) {
        let links = self.links.iter().filter(|link| link.player().is_some());
        let mut wanted: BTreeSet<u8> = links.flat_map(|link| &link.votes).copied().collect();
        wanted.extend(&self.votes);
        wanted.retain(|&player| self.lockstep.seat_of(player).stays());
        while let Some(player) = wanted.iter().copied().find(|&player| self.is_voted_out(player)) {
            wanted.remove(&player);
            self.lockstep.freeze(player);
        }
    }

    fn is_voted_out(&self, player: u8) -> bool {
        let mut votes = BTreeSet::new();
        if self.votes.contains(&player)
            && let Role::Player(own) = self.lockstep.role()
        {
            votes.insert(own);
        }
        for link in self.links.iter().filter(|link| link.votes.contains(&player)) {
            let Some(voter) = link.player().filter(|&voter| voter != player) else { continue };
            if link.tie == Tie::Host {
                return true;
            }
            votes.insert(voter);
        }
        let counts = |&voter: &u8| {
            let stays = self.lockstep.seat_of(voter).stays();
            stays && voter != player && !self.votes.contains(&voter)
        };
        let hosts = self.lockstep.host().is_some_and(|host| votes.contains(&host) && counts(&host));
        let all = (0..MAX_PLAYERS).filter(counts).count();
        hosts || 2 * votes.iter().copied().filter(counts).count() > all
    }

    /// Players that have yet to tell the host what they have of a dropped player's orders, or to send it.
    fn unsettled(&self, player: u8) -> impl Iterator<Item = u8> + '_ {
        let (seat, have) = (usize::from(player), self.lockstep.held(player));
        self.links.iter().filter_map(move |link| {
            let other = link.player().filter(|&other| other != player)?;
            let settled = link.frozen[seat] && link.held[seat] <= have;
            (!settled && self.lockstep.seat_of(other).stays()).then_some(other)
        })
    }

    /// On the host: sets the first turn without a dropped player, once all peers have stopped taking
    /// the player's orders and all orders that any peer has are here.
    pub(super) fn decide(&mut self) {
        if !self.is_host() {
            return;
        }
        for player in 0..MAX_PLAYERS {
            let frozen = self.lockstep.seat_of(player).is_frozen();
            if frozen && self.unsettled(player).next().is_none() {
                let departed = self.lockstep.depart(player, self.lockstep.held(player));
                debug_assert!(departed.is_ok(), "nobody can be ahead of what it holds");
            }
        }
    }
}
