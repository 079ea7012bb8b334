//! The queue by itself: every reason to refuse orders, and the order in which they come out.

use throng::GroupId;
use throng::lockstep::{
    Accepted, Foreign, Lockstep, MAX_AHEAD, MAX_ORDER_BYTES, MAX_ORDERS, Rejection, Role, Rules,
    TurnOrders,
};
use throng::map::area::Shape;
use throng::world::{CompanyDef, Order};

fn rules() -> Rules {
    Rules { players: 3, turn_ticks: 2, delay: 2, ..Rules::default() }
}

fn queue() -> Lockstep {
    Lockstep::new(rules(), Role::Player(0)).unwrap()
}

fn stop(group: u16) -> Order {
    Order::Stop { group: GroupId::new(group) }
}

fn list(player: u8, turn: u64, groups: &[u16]) -> TurnOrders {
    let orders = groups.iter().map(|&group| stop(group)).collect();
    TurnOrders { player, turn, orders, ..TurnOrders::default() }
}

/// Hands out ticks until others are needed, or up to a tick.
fn run(queue: &mut Lockstep, end: u64) {
    while queue.tick() < end && queue.next_tick().is_some() {}
}

/// The first four turns of a queue whose others order nothing.
fn four_turns() -> Lockstep {
    let mut queue = queue();
    for turn in 2..4 {
        queue.submit(&list(1, turn, &[])).unwrap();
        queue.submit(&list(2, turn, &[])).unwrap();
    }
    run(&mut queue, 8);
    assert_eq!((queue.tick(), queue.turn()), (8, 4));
    queue
}

fn foreign(player: u8, turn: u64, why: Foreign) -> Rejection {
    Rejection::Foreign { player, turn, why }
}

/// Submits orders that must be refused, and changes nothing by it.
fn refused(queue: &mut Lockstep, list: TurnOrders) -> Rejection {
    let before = queue.clone();
    let rejection = queue.submit(&list).unwrap_err();
    assert_eq!(*queue, before, "{rejection}");
    rejection
}

#[test]
fn late_orders_are_refused() {
    let mut queue = four_turns();
    let late = Rejection::Late { player: 1, turn: 3, next: 4 };
    assert_eq!(refused(&mut queue, list(1, 3, &[])), late);
    queue.submit(&list(1, 4, &[])).unwrap();
    queue.submit(&list(2, 4, &[])).unwrap();
    // The first tick of turn 4 has been handed out, so its orders are settled.
    run(&mut queue, 9);
    let late = Rejection::Late { player: 1, turn: 4, next: 5 };
    assert_eq!(refused(&mut queue, list(1, 4, &[])), late);
}

#[test]
fn the_same_orders_again_are_harmless_and_others_are_refused() {
    let mut queue = queue();
    assert_eq!(queue.submit(&list(1, 2, &[7])), Ok(Accepted::New));
    assert_eq!(queue.submit(&list(1, 2, &[7])), Ok(Accepted::Again));
    let conflicting = Rejection::Conflicting { player: 1, turn: 2 };
    assert_eq!(refused(&mut queue, list(1, 2, &[8])), conflicting);
    assert_eq!(refused(&mut queue, list(1, 2, &[])), conflicting);
    let leaving = TurnOrders { leaves: true, ..list(1, 2, &[7]) };
    assert_eq!(refused(&mut queue, leaving), conflicting);
}

#[test]
fn orders_of_those_who_have_no_say_are_refused() {
    let mut queue = queue();
    assert_eq!(refused(&mut queue, list(3, 2, &[])), foreign(3, 2, Foreign::Unknown));
    assert_eq!(refused(&mut queue, list(255, 2, &[])), foreign(255, 2, Foreign::Unknown));
    let not_yet = Foreign::NotYet { from: 2 };
    assert_eq!(refused(&mut queue, list(1, 1, &[])), foreign(1, 1, not_yet));
    // Player 2 leaves in turn 2: orders for later turns are none of its business.
    queue.submit(&list(2, 3, &[5])).unwrap();
    queue.submit(&TurnOrders { leaves: true, ..list(2, 2, &[]) }).unwrap();
    let left = Foreign::Left { until: 3 };
    assert_eq!(refused(&mut queue, list(2, 3, &[5])), foreign(2, 3, left));
    assert_eq!((queue.held(2), queue.orders(2, 3)), (u64::MAX, None), "what came first is void");
    // Player 1 is being dropped, and is then agreed to have left at turn 4.
    queue.submit(&list(1, 2, &[])).unwrap();
    queue.submit(&list(1, 4, &[6])).unwrap();
    queue.freeze(1);
    assert_eq!(refused(&mut queue, list(1, 3, &[])), foreign(1, 3, Foreign::Dropped));
    assert_eq!(queue.held(1), 3);
    queue.depart(1, 4).unwrap();
    assert_eq!(queue.orders(1, 4), None);
    assert_eq!(queue.submit(&list(1, 3, &[])), Ok(Accepted::New));
    let left = Foreign::Left { until: 4 };
    assert_eq!(refused(&mut queue, list(1, 4, &[])), foreign(1, 4, left));
    // Alone, the queue runs on.
    run(&mut queue, 40);
    assert_eq!(queue.tick(), 40);
    let late = Rejection::Late { player: 0, turn: 9, next: 20 };
    assert_eq!(queue.depart(0, 9), Err(late));
    assert_eq!(queue.depart(77, 30), Err(foreign(77, 30, Foreign::Unknown)));
}

#[test]
fn those_who_do_not_play_cannot_issue() {
    let mut spectator = Lockstep::new(rules(), Role::Spectator).unwrap();
    let why = |result| match result {
        Err(Rejection::Foreign { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(spectator.issue(&stop(0))), Foreign::Spectator);
    assert_eq!(why(spectator.seat(5)), Foreign::Spectator);
    assert_eq!(why(spectator.leave()), Foreign::Spectator);
    let mut unseated = Lockstep::new(rules(), Role::Player(8)).unwrap();
    assert_eq!(why(unseated.issue(&stop(0))), Foreign::Unknown);
    let mut queue = queue();
    assert_eq!(queue.leave(), Ok(2));
    run(&mut queue, 2);
    assert_eq!(why(queue.issue(&stop(0))), Foreign::Left { until: 3 });
}

#[test]
fn orders_far_ahead_are_refused() {
    let mut queue = four_turns();
    let far = 4 + MAX_AHEAD;
    assert_eq!(queue.submit(&list(1, far - 1, &[])), Ok(Accepted::New));
    let rejection = Rejection::TooFarAhead { player: 1, turn: far, next: 4 };
    assert_eq!(refused(&mut queue, list(1, far, &[])), rejection);
    assert!(matches!(
        refused(&mut queue, list(1, u64::MAX - 1, &[])),
        Rejection::TooFarAhead { .. }
    ));
}

#[test]
fn what_is_too_large_is_refused() {
    let mut queue = queue();
    let most = vec![0; MAX_ORDERS];
    assert_eq!(queue.submit(&list(1, 2, &most)), Ok(Accepted::New));
    let (what, found, most) = ("orders", MAX_ORDERS + 1, MAX_ORDERS);
    let rejection = Rejection::TooLarge { player: 2, turn: 2, what, found, most };
    assert_eq!(refused(&mut queue, list(2, 2, &vec![0; MAX_ORDERS + 1])), rejection);
    let goal = |points: usize| Order::Move {
        group: GroupId::new(0),
        goal: vec![Shape::Point { at: [1.0, 1.0] }; points],
    };
    let most = MAX_ORDER_BYTES / 17 - 2;
    assert_eq!(queue.issue(&goal(most)), Ok(2));
    match queue.issue(&goal(3)) {
        Err(Rejection::TooLarge { what: "bytes", found, most: MAX_ORDER_BYTES, .. }) => {
            assert!(found > MAX_ORDER_BYTES);
        }
        other => panic!("{other:?}"),
    }
    // The order that did not fit is not there, the one before is.
    run(&mut queue, 2);
    assert_eq!(queue.orders(0, 2).unwrap().orders, [goal(most)]);
    for _ in 0..MAX_ORDERS {
        queue.issue(&stop(1)).unwrap();
    }
    assert!(matches!(queue.issue(&stop(1)), Err(Rejection::TooLarge { what: "orders", .. })));
}

#[test]
fn an_order_that_is_too_long_to_be_sent_is_refused() {
    let mut queue = queue();
    let groups = vec![GroupId::new(3); 1 << 16];
    let order = Order::Company { def: CompanyDef { groups, ..CompanyDef::default() } };
    assert!(matches!(queue.issue(&order), Err(Rejection::TooLarge { what: "bytes", .. })));
}

/// A world refuses such orders, but all peers must agree on that.
#[test]
fn orders_of_no_number_are_orders_like_others() {
    let mut queue = queue();
    let goal = vec![Shape::Point { at: [f64::NAN, 1.0] }];
    let orders = vec![Order::Move { group: GroupId::new(0), goal }];
    let list = TurnOrders { player: 1, turn: 2, orders, ..TurnOrders::default() };
    assert_eq!(queue.issue(&list.orders[0]), Ok(2));
    assert_eq!(queue.submit(&list), Ok(Accepted::New));
    assert_eq!(queue.submit(&list), Ok(Accepted::Again));
}

#[test]
fn orders_come_out_by_player_and_number_and_once() {
    let mut queue = queue();
    queue.issue(&stop(1)).unwrap();
    queue.issue(&stop(2)).unwrap();
    queue.submit(&list(2, 2, &[5])).unwrap();
    run(&mut queue, 100);
    assert_eq!(queue.tick(), 4, "turn 2 waits");
    assert!(!queue.ready() && queue.next_tick().is_none());
    assert_eq!(queue.waiting_for().collect::<Vec<_>>(), [1]);
    queue.submit(&list(1, 2, &[3, 4])).unwrap();
    assert_eq!(queue.waiting_for().count(), 0);
    let due = queue.next_tick().unwrap();
    assert_eq!((due.tick, due.turn), (4, 2));
    assert_eq!(due.orders, [1, 2, 3, 4, 5].map(stop));
    let sources: Vec<_> = due.sources.iter().map(|s| (s.player, s.number)).collect();
    assert_eq!(sources, [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
    let due = queue.next_tick().unwrap();
    assert_eq!((due.tick, due.turn, due.orders.len(), due.sources.len()), (5, 2, 0, 0));
}

/// The way in which lists arrive does not matter: all peers hand out the same.
#[test]
fn the_order_of_arrival_does_not_matter() {
    let lists = [list(0, 2, &[1]), list(1, 2, &[2, 3]), list(2, 2, &[4]), list(1, 3, &[5])];
    let outs: Vec<Vec<Order>> = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]]
        .iter()
        .map(|order| {
            let mut queue = Lockstep::new(rules(), Role::Spectator).unwrap();
            order.iter().for_each(|&at| assert!(queue.submit(&lists[at]).is_ok()));
            let mut out = Vec::new();
            while let Some(due) = queue.next_tick() {
                out.extend_from_slice(due.orders);
            }
            assert_eq!(queue.waiting_for().collect::<Vec<_>>(), [0, 2]);
            out
        })
        .collect();
    assert_eq!(outs[0], [1, 2, 3, 4].map(stop));
    assert!(outs.iter().all(|out| *out == outs[0]));
}

#[test]
fn rules_out_of_range_are_refused() {
    let refused = |rules: Rules| {
        let error = Lockstep::new(rules, Role::Spectator).unwrap_err();
        (error.name, error.value)
    };
    assert_eq!(refused(Rules { players: 1, ..rules() }), ("players", 1));
    assert_eq!(refused(Rules { turn_ticks: 0, ..rules() }), ("turn_ticks", 0));
    assert_eq!(refused(Rules { turn_ticks: 65, ..rules() }), ("turn_ticks", 65));
    assert_eq!(refused(Rules { delay: 0, ..rules() }), ("delay", 0));
    assert_eq!(refused(Rules { delay: 33, ..rules() }), ("delay", 33));
    assert_eq!(refused(Rules { full_every: 0, ..rules() }), ("full_every", 0));
    assert!(Lockstep::new(Rules { players: 255, delay: 32, ..rules() }, Role::Player(254)).is_ok());
}

/// A seat is taken once; a second host that gives it to another peer comes too late.
#[test]
fn a_seat_is_given_once() {
    let mut queue = queue();
    assert_eq!(queue.seat(7), Ok(2));
    assert!(matches!(queue.seat(255), Err(Rejection::Foreign { why: Foreign::Unknown, .. })));
    queue.submit(&TurnOrders { seats: vec![7, 1], ..list(1, 2, &[]) }).unwrap();
    queue.submit(&list(2, 2, &[])).unwrap();
    let player = queue.seats()[1];
    run(&mut queue, 5);
    assert_eq!((queue.seats()[7].from, queue.seats()[7].since), (4, 4));
    assert_eq!(queue.seats()[1], player, "a taken seat stays as it is");
    let not_yet = foreign(7, 3, Foreign::NotYet { from: 4 });
    assert_eq!(refused(&mut queue, list(7, 3, &[])), not_yet);
    for turn in [3, 4] {
        queue.submit(&list(1, turn, &[])).unwrap();
        queue.submit(&list(2, turn, &[])).unwrap();
    }
    run(&mut queue, 100);
    assert_eq!(queue.waiting_for().collect::<Vec<_>>(), [7]);
}
