//! Digests: what every peer says its state is, tick by tick, and the first tick at which they
//! disagree.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::data::bytes::Write;
use crate::lockstep::wire::Kind;
use crate::lockstep::{WireError, wire};

/// Ticks whose digests a peer keeps: twice as many as players can be apart.
pub const KEPT_DIGESTS: usize = 8_192;
/// Ticks that a player's digest is waited for before the others are compared without it.
pub const MAX_DIGEST_WAIT: u64 = 1_024;
/// Most digests of a [`DigestList`].
pub const MAX_LISTED_DIGESTS: usize = 1 << 16;

/// A list of digests.
const KIND: Kind = Kind { name: "list of digests", magic: *b"THRD" };

/// The first tick after which states differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desync {
    /// The tick.
    pub tick: u64,
    /// Seats of the players that differ from the majority; of all when there is none, as among two.
    pub players: Vec<u8>,
    /// Whether this peer's own state differs from that of the majority, or there is none.
    pub mine: bool,
}

/// Compares what was reported for a tick, player by player; `mine` is this peer's own digest.
pub(super) fn compare(tick: u64, mine: u64, reported: &[(u8, u64)]) -> Option<Desync> {
    if reported.iter().all(|&(_, digest)| digest == mine) {
        return None;
    }
    let votes = |digest: u64| reported.iter().filter(|&&(_, other)| other == digest).count();
    let most = reported.iter().map(|&(_, digest)| votes(digest)).max().unwrap_or(0);
    let mut winners: Vec<u64> = reported
        .iter()
        .map(|&(_, digest)| digest)
        .filter(|&digest| votes(digest) == most)
        .collect();
    winners.sort_unstable();
    winners.dedup();
    let majority = if let [one] = winners[..] { Some(one) } else { None };
    let differs = |digest| Some(digest) != majority;
    let players = reported.iter().filter(|&&(_, digest)| differs(digest));
    Some(Desync {
        tick,
        players: players.map(|&(player, _)| player).collect(),
        mine: differs(mine),
    })
}

/// Digests of a run of ticks, of which the last [`KEPT_DIGESTS`] are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Digests {
    first: u64,
    digests: VecDeque<u64>,
}

impl Digests {
    pub(super) fn new(first: u64) -> Self {
        Self { first, digests: VecDeque::new() }
    }

    /// The first tick that is here.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The first tick that is not here yet.
    pub(super) fn end(&self) -> u64 {
        self.first + self.digests.len() as u64
    }

    pub(super) fn get(&self, tick: u64) -> Option<u64> {
        self.digests.get(tick.checked_sub(self.first)? as usize).copied()
    }

    pub(super) fn push(&mut self, digest: u64) {
        if self.digests.len() == KEPT_DIGESTS {
            self.digests.pop_front();
            self.first += 1;
        }
        self.digests.push_back(digest);
    }

    /// Takes a run that may overlap what is here. After a gap it begins anew.
    pub(super) fn extend(&mut self, first: u64, digests: &[u64]) {
        if first > self.end() {
            *self = Self::new(first);
        }
        let known = (self.end() - first) as usize;
        digests.iter().skip(known).for_each(|&digest| self.push(digest));
    }

    /// At most `most` of them from a tick on, and the tick of the first.
    pub(super) fn run(&self, from: u64, most: usize) -> (u64, Vec<u64>) {
        let first = from.clamp(self.first, self.end());
        let skipped = (first - self.first) as usize;
        (first, self.digests.iter().skip(skipped).take(most).copied().collect())
    }
}

/// Full digests of ticks that follow each other, to be sent to another peer after an alarm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestList {
    /// The first tick.
    pub first: u64,
    /// Digest of the state after that tick and those that follow it.
    pub digests: Vec<u64>,
}

impl DigestList {
    /// The list as bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = wire::begin(&KIND);
        bytes.value(self);
        wire::seal(bytes)
    }

    /// Reads a list.
    ///
    /// # Errors
    /// When the bytes are none, or it has more than [`MAX_LISTED_DIGESTS`] digests.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        let mut from = wire::open(&KIND, bytes)?;
        let list: Self = from.value("digests")?;
        wire::end(&from)?;
        match list.digests.len() {
            0..=MAX_LISTED_DIGESTS => Ok(list),
            count => Err(from.error("digests", format!("{count} are too many")).into()),
        }
    }

    /// The digest after a tick.
    pub fn get(&self, tick: u64) -> Option<u64> {
        self.digests.get(usize::try_from(tick.checked_sub(self.first)?).ok()?).copied()
    }

    /// The first tick that is in both lists and after which they differ.
    pub fn first_difference(&self, other: &Self) -> Option<u64> {
        let ticks = self.first..self.first.saturating_add(self.digests.len() as u64);
        ticks.into_iter().find(|&tick| {
            let (mine, theirs) = (self.get(tick), other.get(tick));
            theirs.is_some() && mine != theirs
        })
    }
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn those_who_differ_from_the_majority_are_named() {
        let found = |reported: &[u64], mine: usize| {
            let players: Vec<(u8, u64)> =
                reported.iter().enumerate().map(|(p, &digest)| (p as u8, digest)).collect();
            compare(7, reported[mine], &players).map(|desync| (desync.players, desync.mine))
        };
        assert_eq!(found(&[5, 5, 5], 0), None);
        assert_eq!(found(&[5, 6], 0), Some((vec![0, 1], true)));
        assert_eq!(found(&[5, 6, 5], 0), Some((vec![1], false)));
        assert_eq!(found(&[5, 6, 5], 1), Some((vec![1], true)));
        assert_eq!(found(&[5, 6, 5, 6], 2), Some((vec![0, 1, 2, 3], true)));
        assert_eq!(found(&[5, 6, 5, 7], 3), Some((vec![1, 3], true)));
        assert_eq!(found(&[1, 2, 3], 0), Some((vec![0, 1, 2], true)));
        // A spectator compares without a vote.
        let players = [(0, 5), (1, 5)];
        assert_eq!(compare(7, 6, &players).map(|d| (d.players, d.mine)), Some((vec![], true)));
    }
}
