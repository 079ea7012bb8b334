//! Peers that play on a small map, each with a world of its own, over a [`Network`].

use std::collections::{BTreeMap, BTreeSet};
use std::net::{SocketAddr, UdpSocket};

use throng::data::Id;
use throng::lane::Numbers;
use throng::lockstep::{LinkId, Lockstep, Peer, Received, Role, Rules, Tie, WireError};
use throng::map::area::Shape;
use throng::tick::{Scratch, tick};
use throng::world::{GroupDef, Order, Settings, World};
use throng::{GroupId, state};

use super::network::{Faults, Network};
use crate::common::crowd::blocks;
use crate::common::terrain::Random;

/// Side of the map in metres.
const SIDE: u32 = 48;
/// Groups that the world begins with.
const GROUPS: u16 = 4;

/// A world after its first tick: four groups of 40.
pub(crate) fn world<N: Numbers>() -> World<N> {
    let map = blocks(SIDE, SIDE, 1.0, 7);
    let settings = Settings { field_cells_per_tick: 2_000, ..Settings::default() };
    let mut world = World::new(map, settings).unwrap();
    let mut orders = Vec::new();
    for group in 0..GROUPS {
        let radius = 0.25 + 0.05 * f64::from(group);
        let at = [10.0 + 9.0 * f64::from(group), 24.0];
        let area = vec![Shape::Disc { centre: at, radius: 9.0 }];
        orders.push(Order::Group { def: GroupDef { radius, ..GroupDef::default() } });
        orders.push(Order::Spawn { group: GroupId::new(group), area, count: 40 });
    }
    tick(&mut world, &orders, &mut Scratch::new());
    super::common::crowd::assert_done(&world);
    world
}

/// An order of any usual kind; now and then one that the world refuses.
pub(crate) fn order(random: &mut Random) -> Order {
    let group = GroupId::new(random.below(u32::from(GROUPS)) as u16);
    let mut place = |radius| {
        let mut at = || 2.0 + f64::from(random.below(SIDE - 4));
        vec![Shape::Disc { centre: [at(), at()], radius }]
    };
    let area = place(4.0);
    match random.below(12) {
        0 | 1 => Order::Spawn { group, area, count: 1 + random.below(4) },
        2 => Order::Remove { group, area: Some(area) },
        3 | 4 => Order::Stop { group },
        5 => {
            let id = |random: &mut Random| Id { index: random.below(160), generation: 1 };
            Order::Assign { agents: (0..3).map(|_| id(random)).collect(), group }
        }
        _ => Order::Move { group, goal: area },
    }
}

/// A peer, its world, and its end of the network.
pub(crate) struct Player<N: Numbers> {
    pub(crate) peer: Peer,
    socket: UdpSocket,
    address: SocketAddr,
    pub(crate) world: World<N>,
    scratch: Scratch<N>,
    /// By the place of the other in [`Game::players`].
    pub(crate) links: BTreeMap<usize, LinkId>,
    random: Random,
    /// Orders that others are to refuse: whether any came at all.
    pub(crate) received: Vec<Received>,
    /// Packets that were refused.
    pub(crate) refused: Vec<WireError>,
    /// The others that need more than this peer keeps: it wants them dropped.
    pub(crate) behind: BTreeSet<usize>,
    /// Full digest after every tick.
    pub(crate) digests: BTreeMap<u64, u64>,
    pub(crate) gone: bool,
    /// Orders of a hundred steps.
    pub(crate) eagerness: u32,
    pub(crate) issued: u32,
}

impl<N: Numbers> Player<N> {
    pub(crate) fn new(lockstep: Lockstep, world: World<N>, seed: u64) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        Self {
            peer: Peer::new(lockstep),
            address: socket.local_addr().unwrap(),
            socket,
            world,
            scratch: Scratch::new(),
            links: BTreeMap::new(),
            random: Random(seed),
            received: Vec::new(),
            refused: Vec::new(),
            behind: BTreeSet::new(),
            digests: BTreeMap::new(),
            gone: false,
            eagerness: 10,
            issued: 0,
        }
    }

    /// Runs the next tick, if it is due.
    fn run(&mut self) {
        let Some(due) = self.peer.next_tick() else { return };
        assert_eq!(due.tick, self.world.tick_count(), "ticks are those of the world");
        assert_eq!(due.orders.len(), due.sources.len());
        assert!(due.sources.is_sorted(), "by player, then by number: {:?}", due.sources);
        tick(&mut self.world, due.orders, &mut self.scratch);
        self.digests.insert(due.tick, state::digest(&self.world));
        self.peer.ended(&self.world);
    }
}

/// What may be done to a datagram: from, to, bytes.
pub(crate) type Tamper = Box<dyn FnMut(usize, usize, Vec<u8>) -> Vec<u8>>;

/// Peers and the network between them.
pub(crate) struct Game<N: Numbers> {
    pub(crate) players: Vec<Player<N>>,
    pub(crate) network: Network<Vec<u8>>,
    pub(crate) tamper: Tamper,
    random: Random,
}

impl<N: Numbers> Game<N> {
    /// So many players and spectators; the spectators hear only from the first player.
    pub(crate) fn new(rules: Rules, spectators: usize, faults: Faults, seed: u64) -> Self {
        let rules = Rules { first_tick: 1, ..rules };
        let network = Network::new(faults, seed);
        let tamper: Tamper = Box::new(|_, _, bytes| bytes);
        let mut game = Self { players: Vec::new(), network, tamper, random: Random(seed + 1) };
        let world = world::<N>();
        for seat in 0..rules.players {
            let lockstep = Lockstep::new(rules, Role::Player(seat)).unwrap();
            game.join(Player::new(lockstep, world.clone(), seed + 2 + u64::from(seat)), None);
        }
        for _ in 0..spectators {
            let lockstep = Lockstep::new(rules, Role::Spectator).unwrap();
            game.join(Player::new(lockstep, world.clone(), 0), Some(0));
        }
        game
    }

    /// Players that are linked only to the first of them, which relays.
    pub(crate) fn star(rules: Rules, faults: Faults, seed: u64) -> Self {
        let rules = Rules { first_tick: 1, ..rules };
        let network = Network::new(faults, seed);
        let tamper: Tamper = Box::new(|_, _, bytes| bytes);
        let mut game = Self { players: Vec::new(), network, tamper, random: Random(seed + 1) };
        for seat in 0..rules.players {
            let lockstep = Lockstep::new(rules, Role::Player(seat)).unwrap();
            let host = (seat > 0).then_some(0);
            game.join(Player::new(lockstep, world(), seed + 2 + u64::from(seat)), host);
        }
        game
    }

    /// Links a new peer to all players, or just to one host, which relays.
    pub(crate) fn join(&mut self, mut newcomer: Player<N>, host: Option<usize>) {
        let new = self.players.len();
        let role = newcomer.peer.lockstep().role();
        for (old, player) in self.players.iter_mut().enumerate() {
            if host.is_some_and(|host| host != old) || player.gone {
                continue;
            }
            let old_role = player.peer.lockstep().role();
            if old_role == Role::Spectator {
                continue;
            }
            let ties = match host {
                Some(_) => [Tie::Guest, Tie::Host],
                None => [Tie::Equal; 2],
            };
            player.links.insert(new, player.peer.connect(role, ties[0]));
            newcomer.links.insert(old, newcomer.peer.connect(old_role, ties[1]));
        }
        self.players.push(newcomer);
    }

    /// Cuts a peer off: it vanishes without a word.
    pub(crate) fn vanish(&mut self, who: usize) {
        self.players[who].gone = true;
    }

    /// A datagram goes from one socket to another over the loopback; the sender is told by its address.
    fn carry(&self, from: usize, to: usize, mut bytes: Vec<u8>) -> (usize, Vec<u8>) {
        let receiver = &self.players[to];
        let sent = self.players[from].socket.send_to(&bytes, receiver.address).unwrap();
        bytes.resize(sent + 1, 0);
        let (length, sender) = receiver.socket.recv_from(&mut bytes).unwrap();
        bytes.truncate(length);
        let from = self.players.iter().position(|player| player.address == sender);
        (from.unwrap(), bytes)
    }

    /// A step of time: every player hears, orders, runs a tick if it is due, and sends.
    pub(crate) fn step(&mut self) {
        self.network.step();
        for me in 0..self.players.len() {
            let arrived = self.network.arrived(me);
            let arrived: Vec<_> =
                arrived.into_iter().map(|(from, bytes)| self.carry(from, me, bytes)).collect();
            if self.players[me].gone || self.random.below(20) == 0 {
                continue;
            }
            let player = &mut self.players[me];
            for (from, bytes) in arrived {
                let link = player.links[&from];
                match player.peer.incoming(link, &bytes) {
                    Ok(received) => player.received.push(received),
                    Err(error) => player.refused.push(error),
                }
            }
            if player.random.below(100) < player.eagerness
                && player.peer.issue(&order(&mut player.random)).is_ok()
            {
                player.issued += 1;
            }
            // Now and then several ticks, so that players that have fallen behind catch up.
            let ticks = if self.random.below(4) == 0 { 3 } else { 1 };
            (0..ticks).for_each(|_| player.run());
            for (&to, &link) in &player.links {
                let Ok(packets) = player.peer.outgoing(link) else {
                    player.behind.insert(to);
                    player.peer.drop_player(to as u8);
                    continue;
                };
                for bytes in packets {
                    self.network.send(me, to, (self.tamper)(me, to, bytes));
                }
            }
        }
    }

    /// Steps until all players that are still there have done so many ticks.
    pub(crate) fn run_to(&mut self, ticks: u64) {
        let started = self.slowest();
        for _ in 0..200 + 20 * ticks.saturating_sub(started) {
            if self.slowest() >= ticks {
                return;
            }
            self.step();
        }
        let waiting = |player: &Player<N>| {
            let lockstep = player.peer.lockstep();
            (player.gone, lockstep.tick(), lockstep.waiting_for().collect::<Vec<_>>())
        };
        panic!("stuck: {:?}", self.players.iter().map(waiting).collect::<Vec<_>>());
    }

    /// Whether the first player has all orders that another one has to give.
    pub(crate) fn host_has_all_of(&self, who: usize) -> bool {
        let player = &self.players[who];
        player.peer.has_all(player.links[&0])
    }

    fn present(&self) -> impl Iterator<Item = &Player<N>> {
        self.players.iter().filter(|player| !player.gone)
    }

    fn slowest(&self) -> u64 {
        self.present().map(|player| player.world.tick_count()).min().unwrap()
    }

    /// Every tick that two peers have done gave the same digest on both; no player has noticed
    /// a difference, though all have looked.
    pub(crate) fn assert_agreed(&self) {
        let mut all: BTreeMap<u64, u64> = BTreeMap::new();
        let mut compared = 0;
        for player in &self.players {
            for (&tick, &digest) in &player.digests {
                let first = *all.entry(tick).or_insert(digest);
                assert_eq!(first, digest, "after tick {tick}");
                compared += 1;
            }
            assert_eq!(player.peer.desync(), None);
            assert!(player.refused.is_empty() && player.behind.is_empty(), "{:?}", player.refused);
        }
        assert!(compared + 20 >= 2 * all.len(), "but for the last, two at least ran every tick");
        let distinct = BTreeSet::from_iter(all.values());
        assert_eq!(distinct.len(), all.len(), "every tick has its own digest");
        for player in self.present() {
            let behind = player.world.tick_count() - player.peer.checked();
            assert!(behind < 100, "digests are compared as the game goes on, not {behind} later");
        }
    }
}
