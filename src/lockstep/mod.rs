//! Lockstep: every player's machine runs the same world, and only orders travel.
//!
//! Time is cut into turns of a few ticks. What a player orders during turn T happens on all
//! machines in the first tick of turn T + delay, so it has that long to arrive. A turn is run when
//! the orders of all players for it are there, in one order: by player, then by number. Nothing
//! here reads a clock, opens a socket or starts a thread.
//!
//! * [`Lockstep`] is the queue of orders by itself, for a program with a network of its own.
//! * [`Peer`] adds the network's other end: packets that are sent until they have arrived, digests
//!   that are compared, players who join, leave or fall silent, spectators.
//! * [`Journal`] keeps snapshots and orders of the last ticks, to find out what went wrong.
//!
//! Two players in one process; a network would carry the bytes:
//!
//! ```
//! use throng::lockstep::{Lockstep, Peer, Role, Rules, Tie};
//! use throng::{GroupDef, GroupId, Map, Order, Scratch, Settings, Shape, World, state, tick};
//!
//! let map = Map::from_slowness(40, 40, 1.0, &[16; 1600]);
//! let rules = Rules::default();
//! let mut games = Vec::new();
//! for seat in [0, 1] {
//!     let mut peer = Peer::new(Lockstep::new(rules, Role::Player(seat))?);
//!     let other = peer.connect(Role::Player(1 - seat), Tie::Equal);
//!     let world = World::<f32>::new(map.clone(), Settings::default())?;
//!     games.push((peer, other, world, Scratch::new()));
//! }
//! // Orders of the first player: a group of 50 that walks to the other corner. It is the first one.
//! let group = GroupId::new(0);
//! let (start, goal) = (Shape::Rect { min: [2.0, 2.0], max: [12.0, 12.0] }, [30.0, 30.0]);
//! for order in [
//!     Order::Group { def: GroupDef::default() },
//!     Order::Spawn { group, area: vec![start], count: 50 },
//!     Order::Move { group, goal: vec![Shape::Disc { centre: goal, radius: 5.0 }] },
//! ] {
//!     games[0].0.issue(&order)?;
//! }
//! // A tick's worth of time passes, again and again.
//! for _ in 0..100 {
//!     for me in [0, 1] {
//!         let (peer, other, world, scratch) = &mut games[me];
//!         if let Some(due) = peer.next_tick() {
//!             tick(world, due.orders, scratch);
//!             peer.ended(world);
//!         }
//!         let packets = peer.outgoing(*other)?;
//!         let (peer, other, ..) = &mut games[1 - me];
//!         for bytes in packets {
//!             peer.incoming(*other, &bytes)?;
//!         }
//!     }
//! }
//! let [(peer, _, one, _), (_, _, two, _)] = &games[..] else { unreachable!() };
//! assert!(one.tick_count() >= 98 && one.len() == 50);
//! assert_eq!((peer.desync(), one.tick_count()), (None, two.tick_count()));
//! assert_eq!(state::digest(one), state::digest(two));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/lockstep.md` explains what turn length and delay cost, and what to do on a desync.

mod digests;
mod dropping;
mod dump;
mod image;
mod journal;
mod link;
mod lists;
mod orders;
mod outgoing;
mod packet;
mod peer;
mod rejection;
mod rules;
mod seat;
mod turns;
mod wire;

pub use digests::{Desync, DigestList, KEPT_DIGESTS, MAX_DIGEST_WAIT, MAX_LISTED_DIGESTS};
pub use journal::{Audit, Journal, JournalError, SNAPSHOT_EVERY, SNAPSHOTS, Step};
pub use link::{LinkId, Tie};
pub use orders::TurnOrders;
pub use outgoing::TooFarBehind;
pub use packet::{
    Held, MAX_PACKET_BYTES, MAX_PACKET_DIGESTS, MAX_PACKET_LISTS, PACKET_BYTES, Packet,
};
pub use peer::{Peer, Received};
pub use rejection::{Accepted, Foreign, Rejection};
pub use rules::{
    MAX_AHEAD, MAX_BEHIND, MAX_DELAY, MAX_ORDER_BYTES, MAX_ORDERS, MAX_PLAYER_BYTES, MAX_PLAYERS,
    MAX_TURN_TICKS, Rules, RulesError,
};
pub use seat::Seat;
pub use turns::{Due, Lockstep, Role, Source};
pub use wire::{VERSION, WireError};
