//! Bytes: they come back as they were, and whatever else comes is refused and does no harm.

use proptest::prelude::*;
use throng::GroupId;
use throng::data::Id;
use throng::lockstep::{
    DigestList, Foreign, Held, Lockstep, MAX_LISTED_DIGESTS, MAX_PACKET_BYTES, MAX_PACKET_DIGESTS,
    PACKET_BYTES, Packet, Peer, Rejection, Role, Rules, Tie, TurnOrders, WireError,
};
use throng::map::area::Shape;
use throng::world::Order;

use super::game::order;
use crate::common::cases;
use crate::common::terrain::Random;

fn packet() -> Packet {
    let mut random = Random(3);
    let orders = (0..20).map(|_| order(&mut random)).collect();
    Packet {
        rules: Rules::default().digest(),
        next_turn: 17,
        held: vec![
            Held { player: 0, turn: u64::MAX, frozen: false },
            Held { player: 200, turn: 19, frozen: true },
        ],
        digests_held: 31,
        frozen: vec![200],
        departed: vec![(0, 5), (3, 8)],
        first_digest: 30,
        digests: vec![1, u64::MAX, 3],
        lists: vec![
            TurnOrders { player: 1, turn: 18, orders, seats: vec![4, 5], leaves: true },
            TurnOrders { player: 2, turn: 18, ..TurnOrders::default() },
        ],
    }
}

fn queue() -> Lockstep {
    let mut queue = Lockstep::new(Rules::default(), Role::Player(0)).unwrap();
    let mut random = Random(4);
    let orders: Vec<Order> = (0..5).map(|_| order(&mut random)).collect();
    queue.submit(&TurnOrders { player: 1, turn: 2, orders, ..TurnOrders::default() }).unwrap();
    queue
        .issue(&Order::Assign {
            agents: vec![Id { index: 1, generation: 2 }],
            group: GroupId::new(0),
        })
        .unwrap();
    while queue.next_tick().is_some() {}
    queue
}

/// Bytes that peers send each other, and their reader.
type Form = (Vec<u8>, fn(&[u8]) -> Result<(), WireError>);

fn forms() -> [Form; 3] {
    let list = DigestList { first: 100, digests: vec![5, 6, 7] };
    [
        (packet().write(), |bytes| Packet::read(bytes, Rules::default().digest()).map(drop)),
        (queue().write(), |bytes| Lockstep::read(bytes, Role::Spectator).map(drop)),
        (list.write(), |bytes| DigestList::read(bytes).map(drop)),
    ]
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn bytes_come_back_as_they_were() {
    let (packet, queue) = (packet(), queue());
    assert_eq!(Packet::read(&packet.write(), packet.rules), Ok(packet.clone()));
    let again = Lockstep::read(&queue.write(), Role::Player(0)).unwrap();
    assert_eq!(again.write(), queue.write());
    assert_eq!((again.tick(), again.held(0), again.held(1)), (6, 5, 3));
    assert_eq!(again.orders(0, 3).unwrap().orders, queue.orders(0, 3).unwrap().orders);
    let list = DigestList { first: 9, digests: vec![1, 2] };
    assert_eq!(DigestList::read(&list.write()), Ok(list));
}

#[test]
fn every_cut_and_every_flipped_bit_is_refused() {
    for (bytes, read) in forms() {
        assert_eq!(read(&bytes), Ok(()));
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped).is_err(), "bit {bit}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(read(&sealed(longer)).is_err(), "a byte too many");
    }
}

/// Even with a right checksum nothing panics, and what is read is what its bytes say.
#[test]
fn garbled_bytes_with_a_right_checksum_do_no_harm() {
    let (mut fine, mut refused) = (0, 0);
    for (bytes, read) in forms() {
        for at in 0..bytes.len() - 4 {
            for change in [1, 0x80, 0xff] {
                let mut garbled = bytes.clone();
                garbled[at] ^= change;
                if read(&sealed(garbled)).is_ok() { fine += 1 } else { refused += 1 }
            }
        }
        for cut in 4..bytes.len() {
            let _ = read(&sealed(bytes[..cut].to_vec()));
        }
    }
    assert!(fine > 100 && refused > 100, "{fine} read, {refused} refused");
}

#[test]
fn versions_rules_and_sizes_are_checked() {
    let bytes = packet().write();
    let rules = packet().rules;
    let mut other = bytes.clone();
    other[4] = 99;
    let version = Packet::read(&sealed(other), rules);
    assert_eq!(version, Err(WireError::Version { found: 99 }));
    let foreign = Packet::read(&bytes, rules + 1);
    assert_eq!(foreign, Err(WireError::Rules { found: rules, expected: rules + 1 }));
    for other in [
        Rules { session: 1, ..Rules::default() },
        Rules { delay: 3, ..Rules::default() },
        Rules { turn_ticks: 3, ..Rules::default() },
        Rules { full_every: 3, ..Rules::default() },
    ] {
        assert_ne!(other.digest(), rules);
    }
    let digests = vec![0; MAX_PACKET_DIGESTS + 1];
    assert!(Packet::read(&Packet { digests, ..packet() }.write(), rules).is_err());
    let digests = vec![0; MAX_LISTED_DIGESTS + 1];
    assert!(DigestList::read(&DigestList { first: 0, digests }.write()).is_err());
    assert!(Packet::read(&vec![0; MAX_PACKET_BYTES + 1], rules).is_err());
    let foreign = Err(WireError::Foreign { expected: "packet of a game in lockstep" });
    assert_eq!(Packet::read(b"hello", rules), foreign);
}

#[test]
fn two_lists_of_digests_name_the_first_tick_that_differs() {
    let list = |first: u64, digests: &[u64]| DigestList { first, digests: digests.to_vec() };
    let mine = list(10, &[1, 2, 3, 4, 5]);
    assert_eq!(mine.first_difference(&mine), None);
    assert_eq!(mine.first_difference(&list(10, &[1, 2, 9, 9])), Some(12));
    assert_eq!(mine.first_difference(&list(12, &[3, 4, 6, 7, 8])), Some(14));
    assert_eq!(mine.first_difference(&list(7, &[9, 9, 9, 1, 2])), None);
    assert_eq!(mine.first_difference(&list(50, &[9])), None);
    assert_eq!(list(u64::MAX, &[1, 2]).first_difference(&mine), None);
}

/// Small turns share packets of a size that networks carry whole; a large one gets its own.
#[test]
fn packets_have_sizes_that_arrive() {
    let rules = Rules { delay: 20, ..Rules::default() };
    for (points, most) in [(1, PACKET_BYTES), (940, MAX_PACKET_BYTES)] {
        let peers = [0, 1].map(|seat| {
            let mut peer = Peer::new(Lockstep::new(rules, Role::Player(seat)).unwrap());
            let link = peer.connect(Role::Player(1 - seat), Tie::Equal);
            (peer, link)
        });
        let [(mut one, to), (mut two, from)] = peers;
        while one.lockstep().ready() {
            let goal = vec![Shape::Point { at: [1.0, 2.0] }; points];
            if one.lockstep().tick() % 2 == 0 {
                one.issue(&Order::Move { group: GroupId::new(0), goal }).unwrap();
            }
            one.next_tick();
        }
        // Orders that do not fit come when the ones before are known to have arrived.
        let mut rounds = 0;
        while two.lockstep().held(0) < 40 {
            for bytes in one.outgoing(to).unwrap() {
                assert!(bytes.len() <= most, "{} bytes", bytes.len());
                assert!(points == 1 || bytes.len() > 15_000);
                assert_eq!(two.incoming(from, &bytes).unwrap().rejected, []);
            }
            for bytes in two.outgoing(from).unwrap() {
                one.incoming(to, &bytes).unwrap();
            }
            rounds += 1;
            assert!(rounds < 10, "{}", two.lockstep().held(0));
        }
        assert_eq!(rounds > 1, points > 1);
    }
}

/// Only a peer itself orders on its seat, whatever others say; spectators order nothing.
#[test]
fn nobody_orders_on_the_seat_of_another_peer() {
    let rules = Rules::default();
    for (role, player, why) in [
        (Role::Player(1), 0, Foreign::Own),
        (Role::Spectator, 1, Foreign::Spectator),
        (Role::Player(1), 7, Foreign::Link { seat: 1 }),
    ] {
        let mut peer = Peer::new(Lockstep::new(rules, Role::Player(0)).unwrap());
        let link = peer.connect(role, Tie::Equal);
        let list = TurnOrders { player, turn: 2, ..TurnOrders::default() };
        let rules = rules.digest();
        let packet = Packet { rules, lists: vec![list], ..Packet::default() };
        let received = peer.incoming(link, &packet.write()).unwrap();
        assert_eq!(received.rejected, [Rejection::Foreign { player, turn: 2, why }]);
        assert_eq!((received.new, peer.lockstep().orders(player, 2)), (0, None));
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// A peer takes whatever comes, and goes on.
    #[test]
    fn a_peer_survives_any_packet(
        seed in 0_u64..1 << 48,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        noise in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        let mut bytes = packet().write();
        let end = bytes.len() - 4;
        for (at, value) in changes {
            bytes[4 + at.index(end - 4)] = value;
        }
        let mut peer = Peer::new(Lockstep::new(Rules::default(), Role::Player(0)).unwrap());
        let ties = [Tie::Equal, Tie::Guest, Tie::Host];
        let role = if seed % 7 == 0 { Role::Spectator } else { Role::Player(1) };
        let link = peer.connect(role, ties[(seed % 3) as usize]);
        let _ = peer.incoming(link, &noise);
        let _ = peer.incoming(link, &sealed(bytes));
        peer.drop_player((seed >> 8) as u8);
        let _ = peer.outgoing(link);
        // Alone, after the other has been dropped, it could go on for ever.
        for _ in 0..20 {
            if peer.next_tick().is_some() {
                peer.report(seed);
            }
        }
        let _ = peer.outgoing(link);
    }
}
