//! The queue of orders: the player and turn of each, and the one sequence in which they are carried out.

use crate::lockstep::lists::{Lists, RawList};
use crate::lockstep::{
    Accepted, Foreign, MAX_AHEAD, MAX_PLAYERS, Rejection, Rules, RulesError, Seat, TurnOrders,
};
use crate::world::Order;

/// What a peer does in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It plays on this seat, or will when it is seated. There are [`MAX_PLAYERS`] seats; a peer with
    /// a higher number only looks on.
    Player(u8),
    /// It looks on.
    Spectator,
}

/// The origin of an order.
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
    /// Number of the tick.
    pub tick: u64,
    /// The turn that it belongs to.
    pub turn: u64,
    /// What is ordered: by player, then by number. Empty but for a turn's first tick.
    pub orders: &'a [Order],
    /// The origins of the orders; one entry an order.
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
    pub(super) lists: Lists,
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
        let seats = (0..MAX_PLAYERS).map(seat).collect();
        Ok(Self::resume(rules, role, rules.first_tick, seats))
    }

    pub(super) fn resume(rules: Rules, role: Role, tick: u64, seats: Vec<Seat>) -> Self {
        let (lists, draft, orders, sources) = Default::default();
        Self { rules, role, tick, seats, lists, draft, orders, sources }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The role of this peer.
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

    /// A player's seat; a free one where there is none.
    pub(super) fn seat_of(&self, player: u8) -> Seat {
        self.seats.get(usize::from(player)).copied().unwrap_or(Seat::FREE)
    }

    /// Seat of the host, which gives seats and can drop players alone: the player that has played
    /// longest of all that stay; of several, the lowest seat. `None` when no player stays.
    pub fn host(&self) -> Option<u8> {
        self.first_of(Seat::stays)
    }

    fn first_of(&self, of: impl Fn(&Seat) -> bool) -> Option<u8> {
        let seats = (0..MAX_PLAYERS).zip(&self.seats).filter(|(_, seat)| of(seat));
        seats.min_by_key(|&(player, seat)| (seat.from, player)).map(|(player, _)| player)
    }

    fn begins_turn(&self) -> bool {
        self.rules.tick(self.turn()) == self.tick
    }

    fn refuse<T>(&self, player: u8, turn: u64, why: Foreign) -> Result<T, Rejection> {
        Err(Rejection::Foreign { player, turn, why })
    }

    /// Whether a player may order for a turn.
    fn admit(&self, player: u8, turn: u64) -> Result<(), Rejection> {
        let seat = self.seat_of(player);
        let (from, until) = (seat.from, seat.until);
        match turn {
            _ if seat.is_free() => self.refuse(player, turn, Foreign::Unknown),
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
        draft.bytes()?;
        self.draft = draft;
        Ok(turn)
    }

    /// Orders something; returns the turn in which it happens on all peers, this one too.
    ///
    /// # Errors
    /// When this peer does not play, or the turn's orders become too large.
    pub fn issue(&mut self, order: &Order) -> Result<u64, Rejection> {
        self.ordering()?;
        self.change(|draft| draft.orders.push(order.clone()))
    }

    /// Gives a free seat to a peer that has joined; only the [`host`](Self::host) may. That happens
    /// in turn T, which is returned; the newcomer's first orders are those of turn T + delay. A seat
    /// that is taken by then stays as it is.
    ///
    /// # Errors
    /// When this peer does not play or is not the host, or there is no such seat.
    pub fn seat(&mut self, seat: u8) -> Result<u64, Rejection> {
        let (player, turn) = self.ordering()?;
        if usize::from(seat) >= self.seats.len() {
            return self.refuse(seat, turn, Foreign::Unknown);
        }
        if self.host() != Some(player) {
            return self.refuse(player, turn, Foreign::NotHost);
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

    /// Takes a player's orders for a turn. Whether they are the player's is for the caller to know;
    /// [`Peer`](crate::lockstep::Peer) knows by the link that they come over.
    ///
    /// # Errors
    /// Says why they are refused.
    pub fn submit(&mut self, list: &TurnOrders) -> Result<Accepted, Rejection> {
        let bytes = list.bytes()?;
        self.take(RawList { player: list.player, turn: list.turn, bytes: &bytes }, false)
    }

    /// Takes orders as they came; they are read last. `copy`: the player is being dropped, and
    /// this is what another one has of its orders.
    pub(super) fn take(&mut self, list: RawList<'_>, copy: bool) -> Result<Accepted, Rejection> {
        let (player, turn, next) = (list.player, list.turn, self.next_turn());
        if turn < next && !self.seat_of(player).is_free() {
            return Err(Rejection::Late { player, turn, next });
        }
        match self.admit(player, turn) {
            Err(Rejection::Foreign { why: Foreign::Dropped, .. }) if copy => {}
            other => other?,
        }
        if turn - next >= MAX_AHEAD {
            return Err(Rejection::TooFarAhead { player, turn, next });
        }
        if let Some(held) = self.lists.get(player, turn) {
            let conflicting = Err(Rejection::Conflicting { player, turn });
            return if held == list.bytes { Ok(Accepted::Again) } else { conflicting };
        }
        let read = list.decode();
        let read = read.map_err(|problem| Rejection::Garbled { player, turn, problem })?;
        self.insert(player, turn, read.leaves, list.bytes);
        Ok(Accepted::New)
    }

    fn insert(&mut self, player: u8, turn: u64, leaves: bool, bytes: &[u8]) {
        if leaves {
            let seat = &mut self.seats[usize::from(player)];
            seat.until = seat.until.min(turn + 1);
            self.lists.forget(player, turn + 1);
        }
        self.lists.insert(player, turn, bytes);
    }

    /// A player's orders for a turn, if they are there. Orders of the last
    /// [`MAX_BEHIND`](crate::lockstep::MAX_BEHIND) executed turns are kept, unless they are more
    /// than [`MAX_PLAYER_BYTES`](crate::lockstep::MAX_PLAYER_BYTES).
    pub fn orders(&self, player: u8, turn: u64) -> Option<TurnOrders> {
        let bytes = self.lists.get(player, turn)?;
        Some(
            RawList { player, turn, bytes }.decode().expect("orders are read before they are kept"),
        )
    }

    /// Bytes of a player's orders that are kept.
    pub fn bytes(&self, player: u8) -> usize {
        self.lists.bytes(player)
    }

    /// The first turn whose orders of a player are missing, from its first turn or the next one on;
    /// `u64::MAX` when there is none: it has left, and all of its orders are there.
    pub fn held(&self, player: u8) -> u64 {
        let seat = self.seat_of(player);
        if seat.is_free() {
            return 0;
        }
        let turn = self.lists.missing(player, seat.from.max(self.next_turn()));
        if turn >= seat.until { u64::MAX } else { turn }
    }

    /// The players whose orders for the next turn are missing.
    pub fn waiting_for(&self) -> impl Iterator<Item = u8> + '_ {
        let turn = self.next_turn();
        (0..MAX_PLAYERS).filter(move |&player| {
            self.seats[usize::from(player)].plays(turn) && self.lists.get(player, turn).is_none()
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

    /// Merges a turn's orders, and gives seats. Only the host's seat orders count, which is checked
    /// here, where all peers know the same, so that none of them refuses what another one takes.
    fn execute(&mut self, turn: u64) {
        let since = self.rules.tick(turn);
        let host = self.first_of(|seat| seat.plays(turn));
        for player in 0..MAX_PLAYERS {
            let Some(list) = self.orders(player, turn) else { continue };
            for (number, order) in list.orders.into_iter().enumerate() {
                self.orders.push(order);
                self.sources.push(Source { player, number: number as u16 });
            }
            for seat in list.seats {
                match self.seats.get_mut(usize::from(seat)) {
                    Some(seat) if seat.is_free() && host == Some(player) => {
                        let from = turn + u64::from(self.rules.delay);
                        *seat = Seat { from, since, ..Seat::FREE };
                    }
                    _ => {}
                }
            }
        }
        self.lists.expire(turn);
    }

    /// What was ordered here in the turn that has just ended waits for its own turn.
    fn seal(&mut self, turn: u64) {
        let Role::Player(player) = self.role else { return };
        let draft = std::mem::take(&mut self.draft);
        if self.seat_of(player).plays(turn) {
            let leaves = draft.leaves;
            let bytes = TurnOrders { player, turn, ..draft }.bytes();
            self.insert(player, turn, leaves, &bytes.expect("its size is checked by each order"));
        }
    }

    /// Takes no more orders of a player, until it is agreed when it has left. See
    /// [`Peer::drop_player`](crate::lockstep::Peer::drop_player), which does the agreeing.
    pub fn freeze(&mut self, player: u8) {
        if let Some(seat) = self.seats.get_mut(usize::from(player)) {
            seat.dropped |= !seat.is_free() && seat.until == u64::MAX;
        }
    }

    /// The agreed first turn without a player that was dropped.
    ///
    /// # Errors
    /// When the seat is free, or orders of the player for that turn or a later one have been
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
        self.lists.forget(player, turn);
        Ok(())
    }
}
