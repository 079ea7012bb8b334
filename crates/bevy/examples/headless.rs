//! A battle in an app without a window: orders from systems, entities that follow some agents, messages of
//! what happened; and at every tick the digest of the engine by itself, in both number types.
//!
//! ```console
//! cargo run --release --example headless
//! ```

use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_throng::{
    Agent, AgentFell, AgentGone, Crowd, CrowdSystems, GiveOrder, OrderRefused, ThrongPlugin,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use throng::scenario::{Overrides, Plan};
use throng::{Fx, Numbers, Order, Shape, Simulation};

type Outcome = Result<(), Box<dyn std::error::Error>>;

const TICKS: u64 = 300;

/// When a message orders a wall, and when a system orders one at once.
const BY_MESSAGE: u64 = 40;
const AT_ONCE: u64 = 90;

/// What the app has seen.
#[derive(Resource, Default)]
struct Seen {
    fell: usize,
    gone: usize,
    refused: usize,
}

fn wall(x: f64) -> Order {
    Order::Build { area: Shape::rect([x, 300.0], [x + 6.0, 330.0]).into() }
}

/// The battle that ships, with 2,000 agents.
fn battle<N: Numbers>() -> Result<Simulation<N>, Box<dyn std::error::Error>> {
    let numeric = Some(N::NUMERIC);
    let changes = Overrides { agents: Some(2_000), numeric, ..Overrides::default() };
    Ok(Simulation::from_plan(Plan::load("battle", &changes)?)?)
}

/// A message is read before the next tick. Frames come after ticks, so this one is for tick `BY_MESSAGE`.
fn order_by_message<N: Numbers>(crowd: Res<Crowd<N>>, mut orders: MessageWriter<GiveOrder>) {
    if crowd.tick_count() == BY_MESSAGE {
        orders.write(GiveOrder(wall(300.0)));
        orders.write(GiveOrder(wall(300.0))); // it stands already, so this is refused
    }
}

/// Before the step an order is part of the tick that follows at once.
fn order_at_once<N: Numbers>(mut crowd: ResMut<Crowd<N>>) {
    if crowd.tick_count() == AT_ONCE {
        crowd.order(wall(600.0)).expect("there is no wall yet");
    }
}

fn look(
    mut seen: ResMut<Seen>,
    mut fell: MessageReader<AgentFell>,
    mut gone: MessageReader<AgentGone>,
    mut refused: MessageReader<OrderRefused>,
) {
    seen.fell += fell.read().count();
    seen.gone += gone.read().count();
    seen.refused += refused.read().count();
}

fn play<N: Numbers>() -> Outcome {
    let mut engine = battle::<N>()?;
    let crowd = Crowd::from(battle::<N>()?);
    let ids: Vec<_> = crowd.agents().map(|agent| agent.id()).collect();

    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<N>::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(crowd)
        .init_resource::<Seen>()
        .add_systems(FixedUpdate, order_at_once::<N>.before(CrowdSystems::Step))
        .add_systems(Update, (order_by_message::<N>, look));
    for &id in ids.iter().step_by(10) {
        app.world_mut().spawn(Agent(id));
    }

    app.update(); // the first frame takes no time
    let mut fallen = 0;
    for tick in 0..TICKS {
        match tick {
            BY_MESSAGE => {
                engine.order(wall(300.0))?;
                assert!(engine.order(wall(300.0)).is_err());
            }
            AT_ONCE => drop(engine.order(wall(600.0))?),
            _ => {}
        }
        engine.step();
        fallen += engine.events().fallen.len();
        app.update();
        let crowd = app.world().resource::<Crowd<N>>();
        assert_eq!(crowd.digest(), engine.digest(), "tick {tick} in {:?}", N::NUMERIC);
    }

    let mut entities = app.world_mut().query::<(&Agent, &Transform)>();
    let world = app.world();
    let (crowd, seen) = (world.resource::<Crowd<N>>(), world.resource::<Seen>());
    let mut living = 0;
    for (&Agent(id), transform) in entities.iter(world) {
        let [x, y] = crowd.agent(id).expect("entities end with their agents").pos();
        let at = transform.translation;
        // A frame ends where the last tick but one was, as no time has passed since the last.
        let away = (f64::from(at.x) - x).abs().max((f64::from(-at.y) - y).abs());
        assert!(away < 0.2, "the entity of {id} is {away} m from it");
        living += 1;
    }
    assert_eq!((seen.fell, seen.refused), (fallen, 1));
    assert_eq!(living + seen.gone, ids.len().div_ceil(10));
    println!(
        "{}: {TICKS} ticks with the engine's digests, the last {:016x}; {fallen} fell, \
         {living} of {} entities live",
        N::NUMERIC.word(),
        crowd.digest(),
        living + seen.gone,
    );
    Ok(())
}

fn main() -> Outcome {
    play::<f32>()?;
    play::<Fx>()
}
