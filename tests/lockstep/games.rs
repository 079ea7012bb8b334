//! Whole games over a bad network: equal digests at every tick of every peer.

use throng::lane::Numbers;
use throng::lockstep::{Lockstep, Rejection, Role, Rules, Tie, TooFarBehind};
use throng::math::Fx;
use throng::world::Outcome;
use throng::{GroupId, state};

use super::game::{Game, Player};
use super::network::{BAD, GOOD};

fn rules(players: u8, turn_ticks: u32, delay: u32) -> Rules {
    Rules { session: 42, players, turn_ticks, delay, ..Rules::default() }
}

fn play<N: Numbers>(rules: Rules, spectators: usize, seed: u64, ticks: u64) -> Game<N> {
    let mut game = Game::<N>::new(rules, spectators, BAD, seed);
    game.run_to(ticks);
    game.assert_agreed();
    for player in &game.players {
        let rejected: Vec<_> = player.received.iter().flat_map(|r| &r.rejected).collect();
        assert!(rejected.is_empty(), "honest peers are never refused: {rejected:?}");
    }
    game
}

#[test]
fn thousands_of_ticks_over_a_bad_network_are_the_same_for_all() {
    let game = play::<f32>(rules(4, 2, 4), 1, 1, 3_000);
    // The network did what it is there for, and so did the players.
    let count = game.network.count;
    let (sent, spectator) = (count.sent, &game.players[4]);
    assert!(count.lost > sent / 6 && count.doubled > sent / 15, "{count:?}");
    assert!(count.overtaken > sent / 6, "{count:?}");
    let issued: u32 = game.players.iter().map(|player| player.issued).sum();
    assert!(issued > 1_000 && spectator.issued == 0, "{issued} orders");
    let sums = |of: fn(&throng::lockstep::Received) -> u32| {
        game.players.iter().flat_map(|player| &player.received).map(of).sum::<u32>()
    };
    assert!(sums(|r| r.again) > 1_000 && sums(|r| r.late) > 1_000, "much was sent again");
    assert_eq!(spectator.peer.lockstep().role(), Role::Spectator);
}

#[test]
fn every_turn_length_and_delay_works() {
    for (seed, (players, turn_ticks, delay)) in
        [(2, 1, 1), (2, 5, 1), (3, 1, 6), (2, 3, 2), (4, 4, 2)].into_iter().enumerate()
    {
        play::<Fx>(rules(players, turn_ticks, delay), seed % 2, 10 + seed as u64, 400);
    }
}

#[test]
fn all_may_be_linked_to_one_host() {
    let mut game = Game::<f32>::star(rules(4, 2, 6), BAD, 40);
    game.run_to(500);
    game.assert_agreed();
    assert!(game.players.iter().all(|player| player.issued > 20));
}

/// Orders happen on all machines `delay` turns later, refused ones included.
#[test]
fn an_order_happens_when_it_was_promised() {
    let mut game = Game::<f32>::new(rules(2, 3, 4), 0, GOOD, 5);
    game.players.iter_mut().for_each(|player| player.eagerness = 0);
    game.run_to(60);
    let order = throng::world::Order::Stop { group: GroupId::new(99) };
    let peer = &mut game.players[0].peer;
    let (now, turn) = (peer.lockstep().turn(), peer.issue(&order).unwrap());
    assert_eq!(turn, now + 4);
    let tick = peer.lockstep().rules().tick(turn);
    while game.players.iter().any(|player| player.world.tick_count() <= tick) {
        game.step();
        for player in &game.players {
            let refused = [Outcome::Refused(throng::world::Refusal::NoSuchGroup {
                group: GroupId::new(99),
                groups: 4,
            })];
            match player.world.tick_count() {
                done if done <= tick => assert_eq!(player.world.outcomes(), []),
                done if done == tick + 1 => assert_eq!(player.world.outcomes(), refused),
                _ => {}
            }
        }
    }
    game.assert_agreed();
}

/// Without a player's orders nothing moves, and the others name the player that they wait for.
#[test]
fn all_wait_for_the_slowest_but_never_for_a_spectator() {
    let mut game = Game::<f32>::new(rules(3, 2, 2), 1, GOOD, 6);
    game.run_to(50);
    game.vanish(3);
    game.run_to(100);
    game.vanish(2);
    (0..60).for_each(|_| game.step());
    let stopped: Vec<u64> = game.players[..2].iter().map(|p| p.world.tick_count()).collect();
    (0..60).for_each(|_| game.step());
    for (player, stopped) in game.players[..2].iter().zip(stopped) {
        let lockstep = player.peer.lockstep();
        assert!(!lockstep.ready());
        assert_eq!(lockstep.waiting_for().collect::<Vec<_>>(), [2]);
        assert_eq!(player.world.tick_count(), stopped);
    }
    game.players[2].gone = false;
    game.run_to(200);
}

#[test]
fn a_player_may_leave_and_the_others_go_on() {
    let mut game = Game::<f32>::new(rules(3, 2, 3), 1, BAD, 7);
    game.run_to(200);
    let last = game.players[1].peer.leave().unwrap();
    while game.players[1].peer.lockstep().turn() <= last || !game.host_has_all_of(1) {
        game.step();
    }
    assert!(matches!(
        game.players[1].peer.issue(&throng::world::Order::Stop { group: GroupId::new(0) }),
        Err(Rejection::Foreign { .. })
    ));
    game.vanish(1);
    game.run_to(600);
    game.assert_agreed();
    for player in [0, 2, 3].map(|index| &game.players[index]) {
        assert_eq!(player.peer.lockstep().seats()[1].until, last + 1);
    }
}

/// A player falls silent at an arbitrary moment: some of the others have orders of it that the
/// rest never got. They agree on its last turn and send each other what is missing.
#[test]
fn a_silent_player_is_dropped_at_a_turn_that_all_agree_on() {
    let mut differed = 0;
    for seed in 0..30 {
        let mut game = Game::<Fx>::new(rules(4, 1, 4), 1, BAD, 100 + seed);
        game.run_to(40 + seed);
        game.vanish(3);
        let held: Vec<u64> = [0, 1, 2].map(|p| game.players[p].peer.lockstep().held(3)).to_vec();
        differed += u32::from(held.iter().any(|&turn| turn != held[0]));
        (0..seed).for_each(|_| game.step());
        game.players[0].peer.drop_player(3);
        game.run_to(200);
        game.assert_agreed();
        let until = |p: usize| game.players[p].peer.lockstep().seats()[3].until;
        assert!((1..5).filter(|&p| p != 3).all(|p| until(p) == until(0)));
        // Back again, it learns that it has been dropped.
        game.players[3].gone = false;
        (0..40).for_each(|_| game.step());
        assert!(game.players[3].peer.is_dropped() && !game.players[0].peer.is_dropped());
    }
    assert!(differed > 5, "only {differed} times did the others have different orders");
}

/// A peer that hears nothing for too long is told so; it has to join again.
#[test]
fn who_is_too_far_behind_must_join_again() {
    let mut game = Game::<f32>::new(rules(2, 1, 2), 0, GOOD, 8);
    let lockstep =
        Lockstep::new(*game.players[0].peer.lockstep().rules(), Role::Spectator).unwrap();
    let mut late = Player::<f32>::new(lockstep, super::game::world(), 0);
    game.run_to(300);
    let host = &mut game.players[0].peer;
    let there = host.connect(Role::Spectator, Tie::Guest);
    let here = late.peer.connect(Role::Player(0), Tie::Host);
    for bytes in late.peer.outgoing(here).unwrap() {
        host.incoming(there, &bytes).unwrap();
    }
    let kept = host.lockstep().next_turn() - throng::lockstep::MAX_BEHIND;
    assert_eq!(host.outgoing(there), Err(TooFarBehind { turn: 2, kept }));
}

/// A newcomer gets a snapshot and the queue, looks on, is seated by the host, and plays.
fn join<N: Numbers>(seed: u64) {
    let mut game = Game::<N>::new(rules(3, 2, 3), 1, BAD, seed);
    game.run_to(301);
    let host = &game.players[1];
    let queue = host.peer.lockstep().write();
    let lockstep = Lockstep::read(&queue, Role::Player(9)).unwrap();
    assert_eq!(lockstep.write(), queue, "a queue comes back as it was");
    let mut world = super::game::world::<N>();
    state::restore(&mut world, &state::save(&host.world)).unwrap();
    let joined_at = world.tick_count();
    game.join(Player::new(lockstep, world, seed + 50), None);
    let newcomer = |game: &Game<N>| game.players[4].peer.lockstep().seats()[9];
    // Until it is seated it cannot order anything.
    (0..20).for_each(|_| game.step());
    assert!(newcomer(&game).is_free() && game.players[4].issued == 0);
    let turn = game.players[0].peer.seat(9).unwrap();
    game.run_to(joined_at + 300);
    assert_eq!(newcomer(&game).from, turn + 3);
    assert!(game.players[4].issued > 10, "the newcomer plays");
    assert!(game.players.iter().all(|player| player.peer.lockstep().seats()[9].plays(turn + 3)));
    // And is waited for.
    game.vanish(4);
    (0..60).for_each(|_| game.step());
    assert_eq!(game.players[0].peer.lockstep().waiting_for().collect::<Vec<_>>(), [9]);
    game.players[4].gone = false;
    game.run_to(joined_at + 500);
    game.assert_agreed();
    assert!(game.players[4].peer.checked() > joined_at + 400);
}

#[test]
fn a_newcomer_plays_on_from_a_snapshot() {
    (0..3).for_each(|seed| join::<f32>(20 + seed));
    join::<Fx>(30);
}
