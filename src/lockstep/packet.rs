//! A packet: what one peer tells another, again and again until it is known to have arrived.

use serde::{Deserialize, Serialize};

use crate::data::bytes::Write;
use crate::lockstep::lists::RawList;
use crate::lockstep::wire::Kind;
use crate::lockstep::{MAX_PLAYERS, TurnOrders, WireError, wire};

/// Bytes that a packet should have at most: more are sent only for a player's orders that do not
/// fit otherwise. It keeps clear of the smallest usual path MTU.
pub const PACKET_BYTES: usize = 1_200;
/// Longer packets are refused.
pub const MAX_PACKET_BYTES: usize = 32 << 10;
/// Most digests of a packet.
pub const MAX_PACKET_DIGESTS: usize = 64;
/// Most players' turns of a packet: more than fit into [`PACKET_BYTES`].
pub const MAX_PACKET_LISTS: usize = 128;

/// Ticks beyond this one are refused, so that no sum overflows.
pub(super) const MAX_TICK: u64 = 1 << 56;
/// A packet.
const KIND: Kind = Kind { name: "packet of a game in lockstep", magic: *b"THRP" };

/// What a peer has of a player's orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The player.
    pub player: u8,
    /// All turns before this one; `u64::MAX` for all there will ever be.
    pub turn: u64,
    /// Whether it takes no more, until it is agreed when the player has left.
    pub frozen: bool,
}

/// What one peer tells another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Packet {
    /// [`Rules::digest`](crate::lockstep::Rules::digest) of the sender.
    #[serde(skip)]
    pub rules: u64,
    /// The sender's next turn.
    pub next_turn: u64,
    /// Which orders the sender has.
    pub held: Vec<Held>,
    /// The sender has the receiver's digests of all ticks before this one.
    pub digests_held: u64,
    /// Players that the sender wants dropped, or drops.
    pub frozen: Vec<u8>,
    /// Players that have left, and the first turn without each.
    pub departed: Vec<(u8, u64)>,
    /// The tick of the first digest.
    pub first_digest: u64,
    /// The sender's digests after that tick and those that follow it.
    pub digests: Vec<u64>,
    /// Orders.
    #[serde(skip)]
    pub lists: Vec<TurnOrders>,
}

impl Packet {
    /// The packet's bytes.
    pub fn write(&self) -> Vec<u8> {
        let bytes = |list: &TurnOrders| {
            let mut bytes = Vec::new();
            list.write(&mut bytes);
            bytes
        };
        let lists: Vec<_> = self.lists.iter().map(bytes).collect();
        self.write_with(lists.iter().map(|bytes| &bytes[..]))
    }

    /// The packet's bytes, with the bytes of these orders in place of its own.
    pub(super) fn write_with<'a>(&self, lists: impl ExactSizeIterator<Item = &'a [u8]>) -> Vec<u8> {
        let mut bytes = wire::begin(&KIND);
        bytes.u64(self.rules);
        bytes.value(self);
        bytes.u16(lists.len() as u16);
        for list in lists {
            bytes.u16(list.len() as u16);
            bytes.extend_from_slice(list);
        }
        wire::seal(bytes)
    }

    /// Reads a packet of a game with these rules.
    ///
    /// # Errors
    /// When it is none, too long, of another version or game, or garbled.
    pub fn read(bytes: &[u8], rules: u64) -> Result<Self, WireError> {
        let (packet, lists) = Self::open(bytes, rules)?;
        let lists = lists.iter().map(RawList::decode).collect::<Result<_, _>>()?;
        Ok(Self { lists, ..packet })
    }

    /// Reads all but the orders, which cost most: the packet, and their bytes.
    pub(super) fn open(bytes: &[u8], rules: u64) -> Result<(Self, Vec<RawList<'_>>), WireError> {
        if bytes.len() > MAX_PACKET_BYTES {
            return Err(WireError::Foreign { expected: KIND.name });
        }
        let mut from = wire::open(&KIND, bytes)?;
        let found = from.u64("rules")?;
        if found != rules {
            return Err(WireError::Rules { found, expected: rules });
        }
        let packet = Self { rules, ..from.value("packet")? };
        let seats = [packet.held.len(), packet.frozen.len(), packet.departed.len()];
        if seats.into_iter().any(|count| count > usize::from(MAX_PLAYERS)) {
            return Err(from.error("seats", "there are too many").into());
        }
        if packet.digests.len() > MAX_PACKET_DIGESTS || packet.first_digest > MAX_TICK {
            return Err(from.error("digests", "there are too many").into());
        }
        let count = usize::from(from.u16("orders")?);
        if count > MAX_PACKET_LISTS {
            return Err(from
                .error("orders", format!("{count} players' turns are too many"))
                .into());
        }
        let lists = (0..count).map(|_| RawList::read(&mut from)).collect::<Result<_, _>>()?;
        wire::end(&from)?;
        Ok((packet, lists))
    }
}
