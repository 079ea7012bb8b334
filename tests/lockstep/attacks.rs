//! One of the players cheats. The others ignore or drop it, and end with equal digests.

use std::time::{Duration, Instant};

use throng::GroupId;
use throng::lockstep::{
    Accepted, Desync, Foreign, Held, Lockstep, MAX_BEHIND, MAX_DIGEST_WAIT, MAX_ORDER_BYTES,
    MAX_PACKET_BYTES, MAX_PACKET_LISTS, MAX_PLAYER_BYTES, MAX_PLAYERS, Packet, Peer, Rejection,
    Role, Rules, Seat, Tie, TurnOrders, WireError,
};
use throng::map::area::Shape;
use throng::world::Order;

use super::game::Game;
use super::network::{BAD, GOOD};

/// The seat of the player that cheats: the last of three, unless a test says otherwise.
const CHEAT: usize = 2;

fn rules(players: u8) -> Rules {
    Rules { session: 9, players, turn_ticks: 1, delay: 4, ..Rules::default() }
}

fn game(seed: u64) -> Game<f32> {
    Game::new(rules(3), 0, BAD, seed)
}

/// All packets that the cheat sends are changed, for all or as `to` says.
fn cheat(game: &mut Game<f32>, change: impl Fn(usize, &mut Packet) + 'static) {
    let digest = game.players[0].peer.lockstep().rules().digest();
    game.tamper = Box::new(move |from, to, bytes| {
        if from != CHEAT {
            return bytes;
        }
        let mut packet = Packet::read(&bytes, digest).unwrap();
        change(to, &mut packet);
        packet.write()
    });
}

fn steps(game: &mut Game<f32>, count: u32) {
    (0..count).for_each(|_| game.step());
}

/// Both honest players want the cheat dropped, and play on without it.
fn drop_cheat(game: &mut Game<f32>) {
    let stuck = game.players[0].world.tick_count();
    for honest in [0, 1] {
        game.players[honest].peer.drop_player(CHEAT as u8);
    }
    let cheat = &mut game.players[CHEAT];
    cheat.gone = true;
    game.run_to(stuck + 200);
    for honest in [0, 1] {
        assert!(game.players[honest].peer.lockstep().seats()[CHEAT].dropped);
    }
}

/// The first two players have the same digest after every tick that both have run; neither
/// notices a desync or is dropped.
fn assert_honest_agree(game: &Game<f32>) {
    let [one, two] = [0, 1].map(|player| &game.players[player]);
    let mut both = 0;
    for (tick, digest) in &one.digests {
        let Some(other) = two.digests.get(tick) else { continue };
        assert_eq!(digest, other, "after tick {tick}");
        both += 1;
    }
    assert!(both > 150, "only {both} ticks were run");
    for player in [one, two] {
        assert_eq!(player.peer.desync(), None);
        assert!(!player.peer.is_dropped());
    }
}

/// How often orders were refused because their link belongs to another seat.
fn by_wrong_link(game: &Game<f32>, player: usize) -> usize {
    let received = &game.players[player].received;
    let rejected = received.iter().flat_map(|received| &received.rejected);
    let foreign = |r: &&Rejection| {
        let why = Foreign::Link { seat: CHEAT as u8 };
        matches!(r, Rejection::Foreign { why: found, .. } if *found == why)
    };
    rejected.filter(foreign).count()
}

/// Orders in the name of another player, which used to come before the player's own.
fn forge(to: usize, packet: &mut Packet) {
    let orders = vec![Order::Remove { group: GroupId::new(0), area: None }];
    let turn = packet.next_turn + 4;
    let player = 1 - to.min(1) as u8;
    packet.lists.push(TurnOrders { player, turn, orders, ..TurnOrders::default() });
}

#[test]
fn orders_in_the_name_of_another_player_are_refused_and_counted() {
    let mut game = game(1);
    cheat(&mut game, forge);
    game.run_to(200);
    assert_honest_agree(&game);
    for player in [0, 1] {
        let found = by_wrong_link(&game, player);
        let player = &game.players[player];
        assert!(found > 50, "{found}");
        assert_eq!(player.peer.refused(player.links[&CHEAT]), found as u64);
        assert_eq!(player.peer.refused(player.links.values().next().copied().unwrap()), 0);
    }
}

#[test]
fn a_guest_orders_in_no_other_name_through_the_host() {
    let mut game = Game::<f32>::star(rules(3), BAD, 2);
    cheat(&mut game, |_, packet| forge(0, packet));
    game.run_to(200);
    assert_honest_agree(&game);
    assert!(by_wrong_link(&game, 0) > 50);
}

#[test]
fn one_player_drops_nobody() {
    let mut game = game(3);
    cheat(&mut game, |to, packet| {
        let (victim, turn) = (1 - to.min(1) as u8, packet.next_turn + 5);
        packet.frozen = vec![0, 1];
        packet.departed = vec![(victim, turn), (to as u8, turn)];
        packet.held.iter_mut().for_each(|held| held.frozen = true);
    });
    game.run_to(200);
    assert_honest_agree(&game);
    assert!(game.players[..2].iter().all(|p| p.peer.lockstep().seats().iter().all(|s| !s.dropped)));
    assert!(!game.players[CHEAT].peer.is_dropped());
}

#[test]
fn seats_that_a_player_gives_to_nobody_are_not_waited_for() {
    let mut game = game(4);
    cheat(&mut game, |_, packet| {
        packet.lists.iter_mut().for_each(|list| list.seats = (3..=u8::MAX).collect());
    });
    game.run_to(200);
    assert_honest_agree(&game);
    for player in &game.players {
        assert!(player.peer.lockstep().seats()[3..].iter().all(Seat::is_free));
    }
    let refused = game.players[CHEAT].peer.seat(7);
    assert!(matches!(refused, Err(Rejection::Foreign { why: Foreign::NotHost, .. })));
}

/// Digests said to be of a far tick used to hide all that came after them.
#[test]
fn digests_of_ticks_to_come_blind_nobody() {
    let mut game = game(5);
    cheat(&mut game, |_, packet| {
        let end = packet.first_digest + packet.digests.len() as u64;
        match end {
            60..100 => packet.first_digest = 1 << 55,
            100..110 => packet.next_turn = 1 << 55,
            140.. => packet.digests.iter_mut().for_each(|digest| *digest += 1),
            _ => {}
        }
    });
    // While every packet is refused all wait; without the lie the cheat is heard again.
    steps(&mut game, 200);
    let refused: Vec<_> = game.players[..2].iter().map(|player| player.refused.clone()).collect();
    let implausible = |error: &WireError| matches!(error, WireError::Implausible { .. });
    assert!(refused.iter().all(|errors| errors.len() > 20 && errors.iter().all(implausible)));
    game.tamper = Box::new(|_, _, bytes| bytes);
    steps(&mut game, 20);
    let digest = game.players[0].peer.lockstep().rules().digest();
    game.tamper = Box::new(move |from, _, bytes| {
        let mut packet = Packet::read(&bytes, digest).unwrap();
        if from == CHEAT {
            packet.digests.iter_mut().for_each(|digest| *digest += 1);
        }
        packet.write()
    });
    steps(&mut game, 100);
    for player in &game.players[..2] {
        let Some(Desync { players, mine, .. }) = player.peer.desync() else {
            panic!("the other digests of the cheat are seen")
        };
        assert_eq!((&players[..], *mine), (&[CHEAT as u8][..], false));
    }
}

#[test]
fn a_player_without_digests_does_not_keep_others_from_comparing() {
    let mut game = Game::<f32>::new(rules(3), 0, GOOD, 6);
    cheat(&mut game, |_, packet| packet.digests.clear());
    game.run_to(MAX_DIGEST_WAIT + 300);
    assert_honest_agree(&game);
    for player in &game.players[..2] {
        let behind = player.world.tick_count() - player.peer.checked();
        assert!(behind <= MAX_DIGEST_WAIT && player.peer.checked() > 250, "{behind}");
    }
}

#[test]
fn a_player_who_never_says_what_it_has_is_dropped() {
    let mut game = Game::<f32>::new(rules(3), 0, GOOD, 7);
    cheat(&mut game, |_, packet| packet.held.clear());
    steps(&mut game, 2 * MAX_BEHIND as u32);
    for honest in [0, 1] {
        assert!(game.players[honest].behind.contains(&CHEAT));
        assert!(game.players[honest].peer.lockstep().seats()[CHEAT].dropped);
    }
    game.players[CHEAT].gone = true;
    game.run_to(MAX_BEHIND + 200);
    assert_honest_agree(&game);
}

#[test]
fn a_player_who_says_it_has_all_is_dropped() {
    let mut game = game(8);
    game.run_to(60);
    cheat(&mut game, |_, packet| packet.held.iter_mut().for_each(|held| held.turn = 1 << 55));
    steps(&mut game, 100);
    for honest in [0, 1] {
        assert!(game.players[honest].peer.waiting_for().contains(&(CHEAT as u8)));
    }
    drop_cheat(&mut game);
    assert_honest_agree(&game);
}

/// Sets a byte of the last list of a packet, and the checksum right.
fn garble(mut bytes: Vec<u8>, digest: u64) -> Vec<u8> {
    let packet = Packet::read(&bytes, digest).unwrap();
    let Some(last) = packet.lists.last() else { return bytes };
    let mut list = Vec::new();
    last.write(&mut list);
    let end = bytes.len() - 4;
    // Behind the seat and the turn: whether it leaves.
    let leaves = 2 + list[1..].iter().position(|byte| byte & 0x80 == 0).unwrap();
    bytes[end - list.len() + leaves] = 77;
    let checksum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_player_whose_orders_cannot_be_read_is_not_listened_to() {
    let mut game = game(9);
    game.run_to(60);
    let digest = game.players[0].peer.lockstep().rules().digest();
    game.tamper = Box::new(move |from, _, bytes| match from {
        CHEAT => garble(bytes, digest),
        _ => bytes,
    });
    steps(&mut game, 200);
    for player in &game.players[..2] {
        let rejected = player.received.iter().flat_map(|received| &received.rejected);
        let garbled = rejected.clone().filter(|r| matches!(r, Rejection::Garbled { .. })).count();
        let is_garbler =
            |r: &&Rejection| matches!(r, Rejection::Foreign { why: Foreign::Garbler, .. });
        assert!(garbled == 16 && rejected.filter(is_garbler).count() > 20, "{garbled}");
    }
    drop_cheat(&mut game);
    assert_honest_agree(&game);
}

/// The cheat holds up the agreement on when another player has gone: it is named, and goes too.
#[test]
fn a_player_who_lies_about_the_orders_of_a_dropped_one_is_named() {
    for claim in [1 << 55, u64::MAX] {
        let mut game = Game::<f32>::new(rules(4), 0, BAD, 10);
        game.run_to(60);
        game.vanish(3);
        cheat(&mut game, move |_, packet| {
            let of = |held: &&mut Held| held.player == 3;
            packet.held.iter_mut().filter(of).for_each(|held| held.turn = claim);
        });
        game.players[0].peer.drop_player(3);
        steps(&mut game, 100);
        assert!(game.players[0].peer.waiting_for().contains(&(CHEAT as u8)));
        assert!(game.players[1].peer.waiting_for().contains(&0), "the host is to settle it");
        drop_cheat(&mut game);
        assert_honest_agree(&game);
    }
}

/// No player stands above the others: the one that has fallen silent may be the host.
#[test]
fn the_host_is_dropped_by_more_than_half_of_the_others() {
    let mut game = Game::<f32>::new(rules(4), 0, BAD, 11);
    game.run_to(60);
    game.vanish(0);
    game.players[1].peer.drop_player(0);
    steps(&mut game, 60);
    assert!(!game.players[1].peer.lockstep().seats()[0].dropped, "one of three is not enough");
    game.players[3].peer.drop_player(0);
    game.run_to(300);
    game.assert_agreed();
    let hosts = game.players[1..].iter().map(|player| player.peer.lockstep().host());
    assert_eq!(hosts.collect::<Vec<_>>(), [Some(1); 3]);
    assert!(game.players[1].peer.seat(9).is_ok());
}

#[test]
fn who_is_left_alone_plays_on() {
    let mut game = game(12);
    game.run_to(60);
    game.vanish(0);
    game.vanish(1);
    game.players[CHEAT].peer.drop_player(0);
    game.players[CHEAT].peer.drop_player(1);
    game.run_to(200);
}

fn large(player: u8, turn: u64) -> TurnOrders {
    let goal = vec![Shape::Point { at: [1.0, 1.0] }; MAX_ORDER_BYTES / 17 - 2];
    let orders = vec![Order::Move { group: GroupId::new(0), goal }];
    TurnOrders { player, turn, orders, ..TurnOrders::default() }
}

/// As many orders as the rules allow, in every turn: memory has an end, and what waits stays.
#[test]
fn the_orders_of_a_player_take_bounded_memory() {
    let mut queue = Lockstep::new(rules(2), Role::Player(0)).unwrap();
    let (mut sent, mut most) = (4, 0);
    while queue.tick() < 600 {
        while queue.submit(&large(1, sent)) == Ok(Accepted::New) {
            sent += 1;
        }
        most = most.max(queue.bytes(1));
        queue.next_tick().unwrap();
        assert!(queue.held(1) >= sent);
    }
    assert!(most > MAX_PLAYER_BYTES - MAX_ORDER_BYTES && most <= MAX_PLAYER_BYTES, "{most}");
    assert!(queue.orders(1, 599 - MAX_BEHIND / 2).is_none() && queue.orders(1, sent - 1).is_some());
}

/// Packets of 31 kB that are refused cost a small part of a frame.
#[test]
fn a_refused_packet_costs_little() {
    let mut peer = Peer::new(Lockstep::new(rules(3), Role::Player(0)).unwrap());
    let link = peer.connect(Role::Player(2), Tie::Equal);
    let rules = rules(3).digest();
    let packet = |lists| Packet { rules, lists, ..Packet::default() }.write();
    let two = |player, turn| vec![large(player, turn), large(player, turn + 1)];
    assert_eq!(peer.incoming(link, &packet(two(2, 5))).unwrap().new, 2);
    let mut other = two(2, 5);
    other.iter_mut().for_each(|list| list.leaves = true);
    let (player, turn) = (1, 5);
    let small = |count| vec![TurnOrders { player, turn, ..TurnOrders::default() }; count];
    let fastest = |test: &mut dyn FnMut()| {
        let times = (0..100).map(|_| {
            let start = Instant::now();
            test();
            start.elapsed()
        });
        times.min().unwrap()
    };
    let nothing = packet(Vec::new());
    let empty = fastest(&mut || drop(peer.incoming(link, &nothing).unwrap()));
    assert!(peer.incoming(link, &packet(small(MAX_PACKET_LISTS + 1))).is_err());
    let most = MAX_PACKET_BYTES / 15 - 5;
    for (what, lists) in [
        ("in another name", two(1, 5)),
        ("too far ahead", two(2, 900)),
        ("other orders than before", other),
        ("many in another name", small(MAX_PACKET_LISTS)),
        ("too many", small(most)),
    ] {
        let bytes = packet(lists);
        let refusing = fastest(&mut || match peer.incoming(link, &bytes) {
            Ok(received) => assert_ne!(received.rejected, []),
            Err(error) => assert!(matches!(error, WireError::Garbled(_)), "{error}"),
        });
        let most = Duration::from_micros(200);
        assert!(refusing < most, "{what}: {refusing:?}, and {empty:?} for an empty one");
    }
}

/// There are seats 0 to 254.
#[test]
fn a_seat_that_does_not_exist_orders_nothing() {
    let mut peer = Peer::new(Lockstep::new(rules(2), Role::Player(MAX_PLAYERS)).unwrap());
    let mut other = Peer::new(Lockstep::new(rules(2), Role::Player(0)).unwrap());
    let to = peer.connect(Role::Player(0), Tie::Equal);
    let from = other.connect(Role::Player(MAX_PLAYERS), Tie::Guest);
    assert!(peer.issue(&Order::Stop { group: GroupId::new(0) }).is_err());
    peer.drop_player(0);
    other.drop_player(MAX_PLAYERS);
    for _ in 0..10 {
        for peer in [&mut peer, &mut other] {
            if peer.next_tick().is_some() {
                peer.report(7);
            }
        }
        for bytes in peer.outgoing(to).unwrap() {
            other.incoming(from, &bytes).unwrap();
        }
        for bytes in other.outgoing(from).unwrap() {
            peer.incoming(to, &bytes).unwrap();
        }
    }
    assert!(!peer.is_dropped() && peer.has_all(to) && other.has_all(from));
    assert!(peer.waiting_for().into_iter().eq([1]), "nobody waits for a seat that is none");
    assert_eq!((peer.desync(), other.desync()), (None, None));
}

#[test]
#[should_panic(expected = "a link is used by the peer that connected it")]
fn the_link_of_another_peer_is_named_as_the_mistake_that_it_is() {
    let peer = || Peer::new(Lockstep::new(rules(2), Role::Player(0)).unwrap());
    let link = peer().connect(Role::Player(1), Tie::Equal);
    let _ = peer().outgoing(link);
}
