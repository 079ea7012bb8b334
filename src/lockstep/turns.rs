//! The queue of orders: who ordered what for which turn, and the one order in which it happens.

use std::collections::BTreeMap;

use crate::data::bytes::Reader;
use crate::lockstep::Accepted;
use crate::lockstep::Foreign;
use crate::lockstep::MOST_AHEAD;
use crate::lockstep::MOST_BEHIND;
use crate::lockstep::MOST_PLAYERS;
use crate::lockstep::Rejection;
use crate::lockstep::Rules;
use crate::lockstep::RulesError;
use crate::lockstep::Seat;
use crate::lockstep::TurnOrders;
use crate::world::Order;

/// What a peer does in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It plays on this seat, or will when it is seated.
    Player(u8),
    /// It looks on.
    Spectator,
}

/// Who gave an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The player's seat.
    pub player: u8,
    /// The place of the order among that player's orders of the turn.
    pub number: u16,
}

/// A tick that can be run now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due<'a> {
    /// Its number.
    pub tick: u64,
    /// The turn that it belongs to.
    pub turn: u64,
    /// What is ordered: by player, then by number. Empty but for a turn's first tick.
    pub orders: &'a [Order],
    /// Who ordered it; one entry an order.
    pub sources: &'a [Source],
}

/// The queue of orders of a game in lockstep, as one peer sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lockstep {
    pub(super) rules: Rules,
    pub(super) role: Role,
    /// The next tick.
    pub(super) tick: u64,
    pub(super) seats: Vec<Seat>,
    /// Orders by turn and player: of turns to come, and of the last [`MOST_BEHIND`] turns.
    pub(super) lists: BTreeMap<(u64, u8), TurnOrders>,
    /// What this peer has ordered in the turn under way.
    draft: TurnOrders,
    orders: Vec<Order>,
    sources: Vec<Source>,
}

impl Lockstep {
    /// A game before its first turn.
    ///
    /// # Errors
    /// When a rule is out of range.
    pub fn new(rules: Rules, role: Role) -> Result<Self, RulesError> {
        rules.check()?;
        let first = Seat { from: u64::from(rules.delay), since: rules.first_tick, ..Seat::FREE };
        let seat = |index| if index < rules.players { first } else { Seat::FREE };
        let seats = (0..MOST_PLAYERS).map(seat).collect();
        Ok(Self::resume(rules, role, rules.first_tick, seats, BTreeMap::new()))
    }

    pub(super) fn resume(
        rules: Rules,
        role: Role,
        tick: u64,
        seats: Vec<Seat>,
        lists: BTreeMap<(u64, u8), TurnOrders>,
    ) -> Self {
        let (draft, orders, sources) = Default::default();
        Self { rules, role, tick, seats, lists, draft, orders, sources }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What this peer does.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The next tick.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The turn that the next tick belongs to. What this peer orders now happens `delay` turns
    /// later.
    pub fn turn(&self) -> u64 {
        self.rules.turn(self.tick)
    }

    /// The next turn whose orders have not been handed out.
    pub fn next_turn(&self) -> u64 {
        self.turn() + u64::from(!self.begins_turn())
    }

    /// All seats, by index.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    fn begins_turn(&self) -> bool {
        self.rules.tick(self.turn()) == self.tick
    }

    fn refuse<T>(&self, player: u8, turn: u64, why: Foreign) -> Result<T, Rejection> {
        Err(Rejection::Foreign { player, turn, why })
    }

    /// Whether a player may order for a turn.
    fn admit(&self, player: u8, turn: u64) -> Result<(), Rejection> {
        let Some(seat) = self.seats.get(usize::from(player)).filter(|seat| !seat.is_free()) else {
            return self.refuse(player, turn, Foreign::Unknown);
        };
        let (from, until) = (seat.from, seat.until);
        match turn {
            _ if turn >= until => self.refuse(player, turn, Foreign::Left { until }),
            _ if turn < from => self.refuse(player, turn, Foreign::NotYet { from }),
            _ if seat.is_frozen() => self.refuse(player, turn, Foreign::Dropped),
            _ => Ok(()),
        }
    }

    /// This peer's seat and the turn for which it orders now.
    fn ordering(&self) -> Result<(u8, u64), Rejection> {
        let turn = self.turn() + u64::from(self.rules.delay);
        match self.role {
            Role::Player(player) => self.admit(player, turn).map(|()| (player, turn)),
            Role::Spectator => self.refuse(u8::MAX, turn, Foreign::Spectator),
        }
    }

    /// Changes the orders of the turn under way, unless that makes them too large.
    fn change(&mut self, change: impl FnOnce(&mut TurnOrders)) -> Result<u64, Rejection> {
        let (player, turn) = self.ordering()?;
        let mut draft = TurnOrders { player, turn, ..self.draft.clone() };
        change(&mut draft);
        draft.check()?;
        self.draft = draft;
        Ok(turn)
    }

    /// Orders something; returns the turn in which it happens on all peers, this one too.
    ///
    /// # Errors
    /// When this peer does not play, the turn's orders become too large, or the order cannot be
    /// written as bytes.
    pub fn issue(&mut self, order: &Order) -> Result<u64, Rejection> {
        let (player, _) = self.ordering()?;
        let mut bytes = Vec::new();
        order.write(&mut bytes);
        // What others will read, so that it is the same here.
        let mut reader = Reader::new(&bytes);
        let order = match Order::read(&mut reader) {
            Ok(order) if reader.left() == 0 => order,
            Ok(_) => {
                let problem = "a list in it is too long".to_owned();
                return Err(Rejection::Unsendable { player, problem });
            }
            Err(error) => {
                let problem = error.to_string();
                return Err(Rejection::Unsendable { player, problem });
            }
        };
        self.change(|draft| draft.orders.push(order))
    }

    /// Gives a free seat to somebody who has joined. That happens in turn T, which is returned; the
    /// newcomer's first orders are those of turn T + delay. A seat that is taken by then stays as
    /// it is.
    ///
    /// # Errors
    /// When this peer does not play, or there is no such seat.
    pub fn seat(&mut self, seat: u8) -> Result<u64, Rejection> {
        let (_, turn) = self.ordering()?;
        if usize::from(seat) >= self.seats.len() {
            return self.refuse(seat, turn, Foreign::Unknown);
        }
        self.change(|draft| {
            if !draft.seats.contains(&seat) {
                draft.seats.push(seat);
            }
        })
    }

    /// Leaves the game: the orders of the turn under way are this player's last. Returns the turn
    /// in which they happen. Go on sending until all others have them.
    ///
    /// # Errors
    /// When this peer does not play.
    pub fn leave(&mut self) -> Result<u64, Rejection> {
        self.change(|draft| draft.leaves = true)
    }

    /// Takes a player's orders for a turn.
    ///
    /// # Errors
    /// Says why they are refused.
    pub fn submit(&mut self, list: TurnOrders) -> Result<Accepted, Rejection> {
        let (player, turn, next) = (list.player, list.turn, self.next_turn());
        list.check()?;
        if usize::from(player) >= self.seats.len() || self.seats[usize::from(player)].is_free() {
            return self.refuse(player, turn, Foreign::Unknown);
        }
        if turn < next {
            return Err(Rejection::Late { player, turn, next });
        }
        self.admit(player, turn)?;
        if turn - next >= MOST_AHEAD {
            return Err(Rejection::TooFarAhead { player, turn, next });
        }
        match self.lists.get(&(turn, player)) {
            Some(held) if held.bytes() == list.bytes() => Ok(Accepted::Again),
            Some(_) => Err(Rejection::Conflicting { player, turn }),
            None => {
                self.insert(list);
                Ok(Accepted::New)
            }
        }
    }

    fn insert(&mut self, list: TurnOrders) {
        let (player, turn) = (list.player, list.turn);
        if list.leaves {
            let seat = &mut self.seats[usize::from(player)];
            seat.until = seat.until.min(turn + 1);
            self.forget(player, turn + 1);
        }
        self.lists.insert((turn, player), list);
    }

    /// Forgets a player's orders from a turn on.
    fn forget(&mut self, player: u8, from: u64) {
        self.lists.retain(|&(turn, by), _| by != player || turn < from);
    }

    /// A player's orders for a turn, if they are there. Those of the last [`MOST_BEHIND`] executed
    /// turns are kept.
    pub fn orders(&self, player: u8, turn: u64) -> Option<&TurnOrders> {
        self.lists.get(&(turn, player))
    }

    /// The first turn whose orders of a player are missing, from its first turn or the next one on;
    /// `u64::MAX` when there is none: it has left, and all of its orders are there.
    pub fn held(&self, player: u8) -> u64 {
        let Some(seat) = self.seats.get(usize::from(player)).filter(|seat| !seat.is_free()) else {
            return 0;
        };
        let mut turn = seat.from.max(self.next_turn());
        while turn < seat.until && self.lists.contains_key(&(turn, player)) {
            turn += 1;
        }
        if turn >= seat.until { u64::MAX } else { turn }
    }

    /// The players whose orders for the next turn are missing.
    pub fn waiting_for(&self) -> impl Iterator<Item = u8> + '_ {
        let turn = self.next_turn();
        (0..MOST_PLAYERS).filter(move |&player| {
            self.seats[usize::from(player)].plays(turn) && !self.lists.contains_key(&(turn, player))
        })
    }

    /// Whether the next tick can be run: it lies inside a turn, or all orders for its turn are
    /// there.
    pub fn ready(&self) -> bool {
        !self.begins_turn() || self.waiting_for().next().is_none()
    }

    /// The next tick and its orders, or `None` while orders are missing. The caller runs it at
    /// once.
    pub fn next_tick(&mut self) -> Option<Due<'_>> {
        if !self.ready() {
            return None;
        }
        let (tick, turn) = (self.tick, self.turn());
        self.orders.clear();
        self.sources.clear();
        if self.begins_turn() {
            self.execute(turn);
        }
        self.tick += 1;
        if self.begins_turn() {
            self.seal(turn + u64::from(self.rules.delay));
        }
        Some(Due { tick, turn, orders: &self.orders, sources: &self.sources })
    }

    /// Merges a turn's orders, and seats those who join.
    fn execute(&mut self, turn: u64) {
        let since = self.rules.tick(turn);
        for (&(_, player), list) in self.lists.range((turn, 0)..=(turn, u8::MAX)) {
            for (number, order) in list.orders.iter().enumerate() {
                self.orders.push(order.clone());
                self.sources.push(Source { player, number: number as u16 });
            }
            for &seat in &list.seats {
                match self.seats.get_mut(usize::from(seat)) {
                    Some(seat) if seat.is_free() => {
                        let from = turn + u64::from(self.rules.delay);
                        *seat = Seat { from, since, ..Seat::FREE };
                    }
                    _ => {}
                }
            }
        }
        while let Some(oldest) = self.lists.first_entry() {
            if oldest.key().0 + MOST_BEHIND > turn {
                break;
            }
            oldest.remove();
        }
    }

    /// What was ordered here in the turn that has just ended waits for its own turn.
    fn seal(&mut self, turn: u64) {
        let Role::Player(player) = self.role else { return };
        let draft = std::mem::take(&mut self.draft);
        if self.seats[usize::from(player)].plays(turn) {
            self.insert(TurnOrders { player, turn, ..draft });
        }
    }

    /// Takes no more orders of a player, until it is agreed when it has left. See
    /// [`Peer::drop_player`](crate::lockstep::Peer::drop_player), which does the agreeing.
    pub fn freeze(&mut self, player: u8) {
        if let Some(seat) = self.seats.get_mut(usize::from(player)) {
            seat.dropped |= !seat.is_free() && seat.until == u64::MAX;
        }
    }

    /// The agreed first turn without a player who was dropped.
    ///
    /// # Errors
    /// When nobody has the seat, or orders of the player for that turn or a later one have been
    /// executed: then this peer's state is not that of the others, and it must join again.
    pub fn depart(&mut self, player: u8, turn: u64) -> Result<(), Rejection> {
        let next = self.next_turn();
        let Some(seat) = self.seats.get_mut(usize::from(player)).filter(|s| !s.is_free()) else {
            return self.refuse(player, turn, Foreign::Unknown);
        };
        if turn >= seat.until {
            return Ok(());
        }
        if turn.max(seat.from) < next {
            return Err(Rejection::Late { player, turn, next });
        }
        (seat.until, seat.dropped) = (turn, true);
        self.forget(player, turn);
        Ok(())
    }
}
