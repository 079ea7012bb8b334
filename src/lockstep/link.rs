//! Links: the other peers, and what each of them is believed.

use std::collections::BTreeSet;

use crate::lockstep::digests::Digests;
use crate::lockstep::{MAX_PLAYERS, Packet, Role};

/// Names one of the other peers; see [`Peer::connect`](crate::lockstep::Peer::connect).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId(pub(super) usize);

/// Which end of a link passes on the orders of third players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Neither: each end sends the orders of its own seat; orders of other seats are refused.
    Equal,
    /// The other end relays to this peer, which believes it: the orders of all other players, and
    /// which of them are dropped.
    Host,
    /// This peer relays to the other end, which sends the orders of its own seat only.
    Guest,
}

/// Another peer, as this one knows it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) role: Role,
    pub(super) tie: Tie,
    pub(super) open: bool,
    /// Whether anything has come from it.
    pub(super) heard: bool,
    /// Its next turn.
    pub(super) next_turn: u64,
    /// By seat: the first turn of which it lacks the orders, and whether it takes no more of them.
    pub(super) held: Vec<u64>,
    pub(super) frozen: Vec<bool>,
    /// Players that it wants dropped, or says have left.
    pub(super) votes: BTreeSet<u8>,
    /// The tick of the first of this peer's digests that it has not got.
    pub(super) digests_held: u64,
    pub(super) digests: Digests,
    /// Refused lists, and how many of them could not be read.
    pub(super) refused: u64,
    pub(super) garbled: u32,
}

impl Link {
    pub(super) fn new(role: Role, tie: Tie, tick: u64) -> Self {
        let seats = usize::from(MAX_PLAYERS);
        Self {
            role,
            tie,
            open: true,
            heard: false,
            next_turn: 0,
            held: vec![0; seats],
            frozen: vec![false; seats],
            votes: BTreeSet::new(),
            digests_held: 0,
            digests: Digests::new(tick),
            refused: 0,
            garbled: 0,
        }
    }

    /// Seat of a linked player; `None` for spectators and closed links.
    pub(super) fn player(&self) -> Option<u8> {
        match self.role {
            Role::Player(player) if self.open => Some(player),
            _ => None,
        }
    }

    /// Takes in what a packet says about its sender. `end`: the first tick without a digest here.
    pub(super) fn hear(&mut self, packet: &Packet, end: u64) {
        self.heard = true;
        self.next_turn = self.next_turn.max(packet.next_turn);
        for held in packet.held.iter().filter(|held| held.player < MAX_PLAYERS) {
            let seat = usize::from(held.player);
            self.held[seat] = self.held[seat].max(held.turn);
            self.frozen[seat] |= held.frozen;
        }
        self.digests_held = self.digests_held.max(packet.digests_held.min(end));
        if matches!(self.role, Role::Player(_)) {
            self.digests.extend(packet.first_digest, &packet.digests);
            self.votes.extend(&packet.frozen);
            self.votes.extend(packet.departed.iter().map(|&(player, _)| player));
        }
    }
}
