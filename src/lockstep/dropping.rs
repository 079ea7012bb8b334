//! Players who are dropped: who may want it, and from which turn on.

use std::collections::BTreeSet;

use crate::lockstep::LinkId;
use crate::lockstep::MOST_PLAYERS;
use crate::lockstep::Packet;
use crate::lockstep::Peer;
use crate::lockstep::Received;
use crate::lockstep::Role;
use crate::lockstep::Tie;

impl Peer {
    /// Wants a player dropped who has fallen silent, or does not play by the rules. It is when the
    /// [`host`](crate::lockstep::Lockstep::host) wants it, or more than half of the other players;
    /// players that this peer wants dropped itself do not count. Then all stop taking the
    /// player's orders and tell the host how many they have, and send it those that it has not got;
    /// the first turn without that player is the one after the last that anybody has. It needs a
    /// link to every player, unless the links are [`Tie::Host`] and [`Tie::Guest`].
    ///
    /// Nothing happens when there is no such player, or this peer does not play.
    pub fn drop_player(&mut self, player: u8) {
        let Role::Player(own) = self.lockstep.role() else { return };
        let seats = [player, own].map(|player| self.lockstep.seat_of(player));
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

    /// The players for whom the next tick waits: those whose orders are missing; when they are of
    /// a player who is gone, the host, who passes them on, or on the host itself those who have not
    /// said what they have of them, or not sent it.
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

    /// Who is dropped and who has left, as another peer says: a vote; the host's word settles it.
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

    /// Takes no more orders of players who are voted out. Each one who goes may change the host and
    /// the majority for the next.
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
        let all = (0..MOST_PLAYERS).filter(counts).count();
        hosts || 2 * votes.iter().copied().filter(counts).count() > all
    }

    /// The players of whom the host has to hear what they have of the orders of one who is dropped,
    /// or to get it.
    fn unsettled(&self, player: u8) -> impl Iterator<Item = u8> + '_ {
        let (seat, have) = (usize::from(player), self.lockstep.held(player));
        self.links.iter().filter_map(move |link| {
            let other = link.player().filter(|&other| other != player)?;
            let settled = link.frozen[seat] && link.held[seat] <= have;
            (!settled && self.lockstep.seat_of(other).stays()).then_some(other)
        })
    }

    /// The host settles when dropped players have left, once everybody has stopped taking their
    /// orders and all of those are here.
    pub(super) fn decide(&mut self) {
        if !self.is_host() {
            return;
        }
        for player in 0..MOST_PLAYERS {
            let frozen = self.lockstep.seat_of(player).is_frozen();
            if frozen && self.unsettled(player).next().is_none() {
                let departed = self.lockstep.depart(player, self.lockstep.held(player));
                debug_assert!(departed.is_ok(), "nobody can be ahead of what it holds");
            }
        }
    }
}
