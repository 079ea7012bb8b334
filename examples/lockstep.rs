//! A game in lockstep over UDP: `cargo run --release --example lockstep`.
//!
//! Three players on this machine, each with a socket, a world and a thread of its own, send their
//! crowds across a hall; every tenth datagram is thrown away. Only orders and digests travel. With
//! a seat and all players' addresses it is one of the players instead, to be started once for each:
//!
//! ```text
//! lockstep 0 127.0.0.1:7000 127.0.0.1:7001 & lockstep 1 127.0.0.1:7000 127.0.0.1:7001
//! ```
//!
//! Prints each player's last digest. The exit code is 0 when they are equal, else 1.

use std::error::Error;
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use throng::lockstep::{LinkId, Lockstep, MAX_PACKET_BYTES, Peer, Role, Rules, Tie};
use throng::{
    Accumulator, GroupDef, GroupId, Map, Order, Scratch, Settings, Shape, World, state, tick,
};

/// Ticks of the game. The digest after the last one is a full one.
const TICKS: u64 = 601;
/// Ticks a second: ten times as fast as the agents walk, so that it does not take long.
const PACE: u32 = 200;
/// A game's frame, in which every player sends once.
const FRAME: Duration = Duration::from_millis(4);
/// Longest wait for the others, and for how long they are heard out after the end.
const PATIENCE: [Duration; 2] = [Duration::from_secs(20), Duration::from_millis(500)];

type Failure = Box<dyn Error + Send + Sync>;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let digests = if arguments.is_empty() { threads(3) } else { process(&arguments) };
    match digests {
        Ok(digests) if digests.iter().all(|digest| *digest == digests[0]) => {
            println!("equal digests");
            ExitCode::SUCCESS
        }
        Ok(digests) => {
            eprintln!("the digests differ: {digests:016x?}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// All players in this process.
fn threads(players: usize) -> Result<Vec<u64>, Failure> {
    let socket = |_| UdpSocket::bind("127.0.0.1:0");
    let sockets = (0..players).map(socket).collect::<Result<Vec<_>, _>>()?;
    let all = sockets.iter().map(UdpSocket::local_addr).collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        let threads: Vec<_> = (0_u8..)
            .zip(sockets)
            .map(|(seat, socket)| (seat, socket, all.clone()))
            .map(|(seat, socket, all)| scope.spawn(move || play(seat, &socket, &all)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no player panics")).collect()
    })
}

/// One of the players: its seat, and the address of every seat.
fn process(arguments: &[String]) -> Result<Vec<u64>, Failure> {
    let seat: u8 = arguments[0].parse()?;
    let all =
        arguments[1..].iter().map(|address| address.parse()).collect::<Result<Vec<_>, _>>()?;
    let own = all.get(usize::from(seat)).ok_or("there is no address for that seat")?;
    Ok(vec![play(seat, &UdpSocket::bind(own)?, &all)?])
}

/// The map and settings that all players have before the game begins.
fn hall() -> Result<World<f32>, Failure> {
    let map = Map::from_slowness(64, 64, 1.0, &[16; 64 * 64]);
    Ok(World::new(map, Settings::default())?)
}

fn disc(turn: u64, seat: u8) -> Vec<Shape> {
    let corner = (turn + u64::from(seat)) % 4;
    let at = [[12.0, 12.0], [52.0, 12.0], [52.0, 52.0], [12.0, 52.0]][corner as usize];
    vec![Shape::Disc { centre: at, radius: 9.0 }]
}

/// What a player does in a tick. The groups are made in the order of the seats, because that is
/// the order in which orders of one turn happen.
fn orders(tick: u64, seat: u8) -> Vec<Order> {
    let group = GroupId::new(u16::from(seat));
    match tick {
        0 => vec![
            Order::Group { def: GroupDef::default() },
            Order::Spawn { group, area: disc(0, seat), count: 150 },
        ],
        _ if tick % 60 == 30 => vec![Order::Move { group, goal: disc(2 + tick / 60, seat) }],
        _ => Vec::new(),
    }
}

/// Plays the game to its end, and gives the digest of the last state.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn play(seat: u8, socket: &UdpSocket, all: &[SocketAddr]) -> Result<u64, Failure> {
    let players = u8::try_from(all.len())?;
    let rules =
        Rules { session: 1, players, turn_ticks: 4, delay: 3, full_every: 100, first_tick: 0 };
    let mut peer = Peer::new(Lockstep::new(rules, Role::Player(seat))?);
    let others: Vec<(SocketAddr, LinkId)> = (0..players)
        .filter(|&other| other != seat)
        .map(|other| (all[usize::from(other)], peer.connect(Role::Player(other), Tie::Equal)))
        .collect();
    socket.set_nonblocking(true)?;
    let (mut world, mut scratch) = (hall()?, Scratch::new());
    let mut clock = Accumulator::new(PACE, 5);
    let (mut owed, mut frame, mut sent, mut ordered) = (0, Instant::now(), 0_u32, None);
    let (mut moved, mut waited) = (Instant::now(), 0_u32);
    loop {
        thread::sleep(FRAME); // here a game would draw
        receive(&mut peer, socket, &others)?;
        owed = (owed + clock.frame(frame.elapsed().as_secs_f64())).min(10);
        frame = Instant::now();
        while owed > 0 && world.tick_count() < TICKS {
            let now = world.tick_count();
            if ordered != Some(now) {
                for order in orders(now, seat) {
                    peer.issue(&order)?;
                }
                ordered = Some(now);
            }
            let Some(due) = peer.next_tick() else {
                waited += 1;
                break;
            };
            tick(&mut world, due.orders, &mut scratch);
            peer.ended(&world);
            (owed, moved) = (owed - 1, Instant::now());
        }
        for (address, link) in &others {
            for bytes in peer.outgoing(*link)? {
                sent += 1;
                if !sent.is_multiple_of(10) {
                    // What cannot be sent is lost, as on any network.
                    let _ = socket.send_to(&bytes, address);
                }
            }
        }
        if let Some(desync) = peer.desync() {
            return Err(format!("seat {seat}: {desync:?}").into());
        }
        let done = world.tick_count() == TICKS && peer.checked() == TICKS;
        if done && moved.elapsed() > PATIENCE[1] {
            break;
        }
        if moved.elapsed() > PATIENCE[0] {
            let missing: Vec<u8> = peer.waiting_for().into_iter().collect();
            return Err(format!("seat {seat}: nothing comes from {missing:?}").into());
        }
    }
    let (digest, agents) = (state::digest(&world), world.len());
    println!(
        "seat {seat}: {TICKS} ticks, {agents} agents, {sent} datagrams, waited {waited} times, \
         digest {digest:016x}"
    );
    Ok(digest)
}

/// Hands in what has arrived.
fn receive(
    peer: &mut Peer,
    socket: &UdpSocket,
    others: &[(SocketAddr, LinkId)],
) -> Result<(), Failure> {
    let mut buffer = [0; MAX_PACKET_BYTES];
    loop {
        match socket.recv_from(&mut buffer) {
            Ok((count, from)) => {
                // Bytes from strangers, and bytes that are no packet, are none of our business.
                if let Some((_, link)) = others.iter().find(|(address, _)| *address == from) {
                    let _ = peer.incoming(*link, &buffer[..count]);
                }
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock => return Ok(()),
                // The other end is not there yet, or no more.
                ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused => {}
                _ => return Err(error.into()),
            },
        }
    }
}
