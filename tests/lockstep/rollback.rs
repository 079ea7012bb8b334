//! throng under `ggrs`, a rollback network library: states are saved, restored and run again all
//! the time, and all peers end in the same one. And `ggrs`'s own test of determinism.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use ggrs::{
    Config, DesyncDetection, GgrsError, GgrsEvent, GgrsRequest, Message, NonBlockingSocket,
    P2PSession, PlayerType, PredictDefault, SessionBuilder, SessionState,
};
use serde::{Deserialize, Serialize};
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::tick::{Scratch, tick};
use throng::world::{Order, World};
use throng::{GroupId, state};

use super::game::world;
use super::network::{Faults, Network};
use crate::common::terrain::Random;

/// What a player can order in a frame: `ggrs` sends inputs of a fixed size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Input {
    /// 0 nothing, 1 move, 2 stop, 3 spawn, 4 remove.
    kind: u8,
    group: u8,
    at: [u8; 2],
}

impl Input {
    fn random(random: &mut Random) -> Self {
        let mut below = |end| random.below(end) as u8;
        let kind = if below(3) == 0 { 1 + below(4) } else { 0 };
        Self { kind, group: below(4), at: [2 + below(44), 2 + below(44)] }
    }

    fn order(self) -> Option<Order> {
        let (group, centre) = (u16::from(self.group), self.at.map(f64::from));
        let area = vec![Shape::Disc { centre, radius: 3.0 }];
        match self.kind {
            1 => Some(Order::Move { group: GroupId::new(group), goal: area }),
            2 => Some(Order::Stop { group: GroupId::new(group) }),
            3 => Some(Order::Spawn { group: GroupId::new(group), area, count: 3 }),
            4 => Some(Order::Remove { group: GroupId::new(group), area: Some(area) }),
            _ => None,
        }
    }
}

struct Throng;

impl Config for Throng {
    type Input = Input;
    type InputPredictor = PredictDefault;
    type State = Vec<u8>;
    type Address = usize;
}

/// A world that does what `ggrs` asks for.
struct Stage<N: Numbers> {
    world: World<N>,
    scratch: Scratch<N>,
    /// Digest of the state before every frame, as it was saved last.
    digests: BTreeMap<i32, u64>,
    restored: u32,
    ticks: u64,
    /// A fault: from this frame on the step reads a clock.
    clock_from: Option<i32>,
}

impl<N: Numbers> Stage<N> {
    fn new() -> Self {
        Self {
            world: world(),
            scratch: Scratch::new(),
            digests: BTreeMap::new(),
            restored: 0,
            ticks: 0,
            clock_from: None,
        }
    }

    /// The world has done one tick before frame 0.
    fn frame(&self) -> i32 {
        self.world.tick_count() as i32 - 1
    }

    fn obey(&mut self, requests: Vec<GgrsRequest<Throng>>) {
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    assert_eq!(frame, self.frame());
                    let digest = state::digest(&self.world);
                    self.digests.insert(frame, digest);
                    cell.save(frame, Some(state::save(&self.world)), Some(digest.into()));
                }
                GgrsRequest::LoadGameState { cell, frame } => {
                    state::restore(&mut self.world, &cell.data().unwrap()).unwrap();
                    assert_eq!(frame, self.frame());
                    self.restored += 1;
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    let mut orders: Vec<_> =
                        inputs.iter().filter_map(|(input, _)| input.order()).collect();
                    // A clock never shows the same time twice.
                    self.ticks += 1;
                    if self.clock_from.is_some_and(|from| self.frame() >= from) {
                        let centre = [10.0 + self.ticks as f64 / 1_024.0, 20.0];
                        orders.push(Order::Opposite { group: GroupId::new(1), centre });
                        orders.push(Order::Stop { group: GroupId::new((self.ticks % 4) as u16) });
                    }
                    tick(&mut self.world, &orders, &mut self.scratch);
                }
            }
        }
    }
}

/// A peer's end of the network.
struct Socket {
    network: Rc<RefCell<Network<Message>>>,
    me: usize,
}

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        self.network.borrow_mut().send(self.me, *to, message.clone());
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        self.network.borrow_mut().arrived(self.me)
    }
}

fn session(
    players: usize,
    me: usize,
    network: &Rc<RefCell<Network<Message>>>,
) -> P2PSession<Throng> {
    let mut builder = SessionBuilder::<Throng>::new()
        .with_num_players(players)
        .unwrap()
        .with_max_prediction_window(10)
        // The machine may be busy: no player is given up.
        .with_disconnect_timeout(Duration::from_secs(3_600))
        .with_desync_detection_mode(DesyncDetection::On { interval: 5 });
    for other in 0..players {
        let kind = if other == me { PlayerType::Local } else { PlayerType::Remote(other) };
        builder = builder.add_player(kind, other).unwrap();
    }
    builder.start_p2p_session(Socket { network: Rc::clone(network), me }).unwrap()
}

/// Plays so many frames and says what was noticed on the way.
fn play<N: Numbers>(players: usize, frames: i32, fault: Option<i32>) -> (Vec<Stage<N>>, usize) {
    let faults = Faults { lost: 10, doubled: 10, delay: 5 };
    let network = Rc::new(RefCell::new(Network::new(faults, players as u64)));
    let mut sessions: Vec<_> = (0..players).map(|me| session(players, me, &network)).collect();
    let mut stages: Vec<Stage<N>> = (0..players).map(|_| Stage::new()).collect();
    stages[1].clock_from = fault;
    let mut random = Random(99);
    let (mut alarms, mut steps) = (0, 0);
    while sessions.iter().any(|session| {
        session.current_state() != SessionState::Running || session.confirmed_frame() < frames + 20
    }) {
        network.borrow_mut().step();
        for (me, session) in sessions.iter_mut().enumerate() {
            session.poll_remote_clients();
            let desync = |event: &GgrsEvent<_>| matches!(event, GgrsEvent::DesyncDetected { .. });
            alarms += session.events().filter(desync).count();
            if session.current_state() != SessionState::Running || random.below(10) == 0 {
                continue;
            }
            session.add_local_input(me, Input::random(&mut random)).unwrap();
            match session.advance_frame() {
                Ok(requests) => stages[me].obey(requests),
                Err(GgrsError::PredictionThreshold) => {}
                Err(error) => panic!("{error}"),
            }
        }
        // Its timers are of real time.
        thread::sleep(Duration::from_micros(300));
        steps += 1;
        assert!(steps < 100_000, "stuck");
    }
    (stages, alarms)
}

fn ends_equal<N: Numbers>(players: usize) {
    let frames = 300;
    let (stages, alarms) = play::<N>(players, frames, None);
    assert_eq!(alarms, 0);
    for frame in 0..=frames {
        let digests: Vec<u64> = stages.iter().map(|stage| stage.digests[&frame]).collect();
        assert!(digests.iter().all(|&digest| digest == digests[0]), "frame {frame}");
    }
    // Players ahead of the others go back for the inputs of these.
    let restored: u32 = stages.iter().map(|stage| stage.restored).sum();
    assert!(restored > 30, "only {restored} rollbacks");
}

#[test]
fn rollback_over_a_bad_network_ends_equal() {
    ends_equal::<f32>(2);
    ends_equal::<Fx>(3);
}

#[test]
fn rollback_notices_a_clock_in_one_step() {
    let (_, alarms) = play::<f32>(2, 100, Some(40));
    assert!(alarms > 0);
}

/// `ggrs` runs every frame several times and compares the digests.
fn sync_test<N: Numbers>(fault: Option<i32>) -> Result<(), GgrsError> {
    let mut session = SessionBuilder::<Throng>::new()
        .with_num_players(2)?
        .with_check_distance(6)
        .with_input_delay(2)
        .add_player(PlayerType::Local, 0)?
        .add_player(PlayerType::Local, 1)?
        .start_synctest_session()?;
    let mut stage = Stage::<N>::new();
    stage.clock_from = fault;
    let mut random = Random(5);
    for _ in 0..200 {
        for player in 0..2 {
            session.add_local_input(player, Input::random(&mut random))?;
        }
        stage.obey(session.advance_frame()?);
    }
    assert!(stage.restored > 150);
    Ok(())
}

#[test]
fn the_sync_test_passes_and_notices_a_clock_in_the_step() {
    sync_test::<f32>(None).unwrap();
    sync_test::<Fx>(None).unwrap();
    match sync_test::<f32>(Some(120)) {
        Err(GgrsError::MismatchedChecksum { current_frame, mismatched_frames }) => {
            assert!(mismatched_frames.iter().all(|frame| (120..=130).contains(frame)));
            assert!((120..=130).contains(&current_frame), "{current_frame}");
        }
        other => panic!("{other:?}"),
    }
}
