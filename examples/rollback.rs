//! Rollback with `ggrs`: `cargo run --release --example rollback`.
//!
//! Two players on this machine, each with a socket, a world and a thread of its own. Neither waits
//! for the other's orders: a frame is run without the orders that are missing, and when they come, the
//! world goes back to where they belong and runs the frames again. `ggrs` says when; throng saves,
//! restores and ticks. Before that, `ggrs`'s sync test runs every frame several times and compares.
//!
//! Prints each player's digest. The exit code is 0 when they are equal, else 1.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use ggrs::{
    Config, DesyncDetection, Frame, GgrsError, GgrsEvent, GgrsRequest, PlayerType, PredictDefault,
    SessionBuilder, SessionState, UdpNonBlockingSocket,
};
use serde::{Deserialize, Serialize};
use throng::{GroupDef, GroupId, Map, Order, Scratch, Settings, Shape, World, state, tick};

/// Frames that are compared; each is a tick.
const FRAMES: Frame = 300;
/// Real time of a frame: many times as fast as the agents walk, so that it does not take long.
const PACE: Duration = Duration::from_millis(5);
/// Longest wait for the other, and for how long it is heard out after the end.
const PATIENCE: [Duration; 2] = [Duration::from_secs(20), Duration::from_millis(500)];

type Failure = Box<dyn Error + Send + Sync>;

/// What a player does in a frame. `ggrs` wants a fixed size and a value for "nothing", which is
/// what it expects of a player whose orders are still missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Input {
    #[default]
    Nothing,
    /// The player's group goes to this corner.
    Go(u8),
    /// It stops.
    Stop,
}

/// What `ggrs` sends, keeps and calls by.
struct Throng;

impl Config for Throng {
    type Input = Input;
    type InputPredictor = PredictDefault;
    type State = Vec<u8>;
    type Address = SocketAddr;
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]
fn main() -> ExitCode {
    match sync_test().and_then(|()| game()) {
        Ok(digests) if digests[0] == digests[1] => {
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

/// A world that does what `ggrs` asks for.
struct Stage {
    world: World<f32>,
    scratch: Scratch<f32>,
    /// Digest of the state before a frame; digests of wrong runs are replaced by later ones.
    digests: BTreeMap<Frame, u64>,
    restored: u32,
}

fn corner(index: u8) -> Vec<Shape> {
    let at = [[12.0, 12.0], [52.0, 12.0], [52.0, 52.0], [12.0, 52.0]][usize::from(index % 4)];
    vec![Shape::Disc { centre: at, radius: 9.0 }]
}

impl Stage {
    /// A hall with a group for each player; frame 0 is the world's second tick.
    fn new() -> Result<Self, Failure> {
        let map = Map::from_slowness(64, 64, 1.0, &[16; 64 * 64]);
        let mut world = World::new(map, Settings::default())?;
        let group = |index: u8| {
            let group = GroupId::new(u16::from(index));
            let spawn = Order::Spawn { group, area: corner(2 * index), count: 150 };
            [Order::Group { def: GroupDef::default() }, spawn]
        };
        let mut scratch = Scratch::new();
        tick(&mut world, &[group(0), group(1)].concat(), &mut scratch);
        Ok(Self { world, scratch, digests: BTreeMap::new(), restored: 0 })
    }

    fn obey(&mut self, requests: Vec<GgrsRequest<Throng>>) -> Result<(), Failure> {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let digest = state::digest(&self.world);
                    self.digests.insert(frame, digest);
                    cell.save(frame, Some(state::save(&self.world)), Some(digest.into()));
                }
                GgrsRequest::LoadGameState { cell, .. } => {
                    let image = cell.data().ok_or("nothing was saved")?;
                    state::restore(&mut self.world, &image)?;
                    self.restored += 1;
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    let order = |(group, &(input, _)): (GroupId, &(Input, _))| match input {
                        Input::Nothing => None,
                        Input::Go(to) => Some(Order::Move { group, goal: corner(to) }),
                        Input::Stop => Some(Order::Stop { group }),
                    };
                    let orders: Vec<Order> =
                        (0..).map(GroupId::new).zip(&inputs).filter_map(order).collect();
                    tick(&mut self.world, &orders, &mut self.scratch);
                }
            }
        }
        Ok(())
    }
}

/// What a player wants in a frame.
fn input(frame: Frame, player: usize) -> Input {
    match (frame as usize + 17 * player) % 40 {
        0 => Input::Go((frame / 40 + player as Frame) as u8),
        31 => Input::Stop,
        _ => Input::Nothing,
    }
}

/// Every frame several times, with equal digests.
#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn sync_test() -> Result<(), Failure> {
    let mut session = SessionBuilder::<Throng>::new()
        .with_check_distance(7)
        .add_player(PlayerType::Local, 0)?
        .add_player(PlayerType::Local, 1)?
        .start_synctest_session()?;
    let mut stage = Stage::new()?;
    for frame in 0..FRAMES {
        for player in [0, 1] {
            session.add_local_input(player, input(frame, player))?;
        }
        stage.obey(session.advance_frame()?)?;
    }
    println!("sync test: {FRAMES} frames, {} times back by 7 and again", stage.restored);
    Ok(())
}

/// Both players of a game; the digest of each.
fn game() -> Result<Vec<u64>, Failure> {
    // Two ports that are free now.
    let sockets = [0, 1].map(|_| UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)));
    let mut ports = Vec::new();
    for socket in &sockets {
        ports.push(socket.as_ref().map_err(ToString::to_string)?.local_addr()?.port());
    }
    drop(sockets);
    let ports = &ports;
    thread::scope(|scope| {
        let threads = [0, 1].map(|me| scope.spawn(move || play(me, ports)));
        threads.into_iter().map(|thread| thread.join().expect("no player panics")).collect()
    })
}

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn play(me: usize, ports: &[u16]) -> Result<u64, Failure> {
    let other = SocketAddr::from((Ipv4Addr::LOCALHOST, ports[1 - me]));
    let mut session = SessionBuilder::<Throng>::new()
        .with_max_prediction_window(8)
        .with_desync_detection_mode(DesyncDetection::On { interval: 10 })
        .add_player(PlayerType::Local, me)?
        .add_player(PlayerType::Remote(other), 1 - me)?
        .start_p2p_session(UdpNonBlockingSocket::bind_to_port(ports[me])?)?;
    let mut stage = Stage::new()?;
    let (started, mut ended) = (Instant::now(), None::<Instant>);
    // A frame's state is final once frames after it are confirmed.
    while ended.is_none_or(|ended| ended.elapsed() < PATIENCE[1]) {
        if ended.is_none() && started.elapsed() > PATIENCE[0] {
            return Err(format!("player {me} hears nothing").into());
        }
        thread::sleep(PACE); // here a game would draw
        session.poll_remote_clients();
        for event in session.events() {
            if let GgrsEvent::DesyncDetected { frame, .. } = event {
                return Err(format!("player {me}: the states differ at frame {frame}").into());
            }
        }
        if session.current_state() != SessionState::Running {
            continue;
        }
        session.add_local_input(me, input(session.current_frame(), me))?;
        match session.advance_frame() {
            Ok(requests) => stage.obey(requests)?,
            Err(GgrsError::PredictionThreshold) => {} // too far ahead: this frame is skipped
            Err(error) => return Err(error.into()),
        }
        if ended.is_none() && session.confirmed_frame() > FRAMES + 10 {
            ended = Some(Instant::now());
        }
    }
    let digest = stage.digests[&FRAMES];
    println!("player {me}: {FRAMES} frames, {} rollbacks, digest {digest:016x}", stage.restored);
    Ok(digest)
}
