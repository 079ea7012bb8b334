//! Planted faults, each of which must be noticed, at the right tick and with the right names.

use std::cell::Cell;
use std::rc::Rc;

use throng::GroupId;
use throng::lockstep::{Desync, Packet, Rules};
use throng::map::area::Shape;
use throng::world::Order;

use super::game::Game;
use super::network::BAD;

/// A player's orders are changed on their way to one peer, whenever they are sent.
fn changed_on_the_way(players: u8, turn: u64) -> (Game<f32>, u32) {
    let rules = Rules { players, turn_ticks: 2, delay: 4, ..Rules::default() };
    let mut game = Game::<f32>::new(rules, 0, BAD, u64::from(players));
    let digest = game.players[0].peer.lockstep().rules().digest();
    let changed = Rc::new(Cell::new(0));
    let count = Rc::clone(&changed);
    game.tamper = Box::new(move |from, to, bytes| {
        if (from, to) != (1, 0) {
            return bytes;
        }
        let mut packet = Packet::read(&bytes, digest).unwrap();
        for list in packet.lists.iter_mut().filter(|list| list.turn == turn) {
            let goal = vec![Shape::Disc { centre: [5.0, 40.0], radius: 4.0 }];
            list.orders = vec![Order::Move { group: GroupId::new(2), goal }];
            count.set(count.get() + 1);
        }
        packet.write()
    });
    game.run_to(300);
    (game, changed.get())
}

#[test]
fn orders_changed_on_the_way_to_one_peer_are_noticed() {
    for players in [2, 3, 4] {
        let (game, changed) = changed_on_the_way(players, 60);
        assert!(changed > 0);
        // What the tick and the names must be, from the full digests.
        let tick = (1..300).find(|tick| {
            let digests = game.players.iter().map(|player| player.digests[tick]);
            digests.collect::<std::collections::BTreeSet<_>>().len() > 1
        });
        assert_eq!(tick, Some(1 + 2 * 60), "the first tick of that turn");
        for (me, player) in game.players.iter().enumerate() {
            let players = if players == 2 { vec![0, 1] } else { vec![0] };
            let mine = players.contains(&(me as u8));
            let tick = 1 + 2 * 60;
            assert_eq!(player.peer.desync(), Some(&Desync { tick, players, mine }));
        }
    }
}

/// Without the fault the same game is in order: the test above sees nothing else.
#[test]
fn the_same_game_without_the_fault_is_in_order() {
    let (game, changed) = changed_on_the_way(3, u64::MAX);
    assert_eq!(changed, 0);
    game.assert_agreed();
}
