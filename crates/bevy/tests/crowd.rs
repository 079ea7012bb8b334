//! What apps rely on: orders, messages, entities between ticks, and the clock.

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_throng::{
    Agent, AgentArrived, AgentEntered, AgentGone, AgentLeft, AgentSpawned, Crowd, GiveOrder,
    OrderRefused, Plane, StructureFell, ThrongPlugin,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use throng::{
    AgentOrder, GroupDef, GroupId, Id, Legend, Map, Order, Settings, Shape, Simulation, SourceDef,
    StructureDef,
};

/// Ten agents at 10 m, sent to the right over open ground of 60 m × 30 m, at 20 ticks a second.
fn walkers() -> (Simulation<f32>, GroupId, Vec<Id>) {
    let map = Map::from_rows(&["......", "......", "......"], &Legend::default(), 10.0).unwrap();
    let mut sim = Simulation::<f32>::new(map, Settings::default()).unwrap();
    let group = sim.add_group(GroupDef::default()).unwrap();
    let ids = sim.spawn(group, Shape::rect([8.0, 10.0], [12.0, 20.0]), 10).unwrap();
    sim.send(group, Shape::disc([50.0, 15.0], 8.0)).unwrap();
    (sim, group, ids)
}

fn app(sim: Simulation<f32>, plane: Plane, frame: TimeUpdateStrategy) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<f32>::on(plane)))
        .insert_resource(frame)
        .insert_resource(Crowd::from(sim));
    app
}

/// Messages of a kind that came.
#[derive(Resource)]
struct Heard<M: Message>(Vec<M>);

fn hear<M: Message + Clone>(app: &mut App) {
    app.insert_resource(Heard::<M>(Vec::new()));
    app.add_systems(Update, |mut heard: ResMut<Heard<M>>, mut messages: MessageReader<M>| {
        heard.0.extend(messages.read().cloned());
    });
}

fn heard<M: Message + Clone>(app: &App) -> Vec<M> {
    app.world().resource::<Heard<M>>().0.clone()
}

#[test]
fn frames_do_the_ticks_that_are_due() {
    // 20 ticks a second; frames of 20 ms, so two ticks in five frames.
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(20));
    let (sim, _, _) = walkers();
    let mut engine = walkers().0;
    let mut app = app(sim, Plane::Xy, frame);
    app.update(); // the first frame takes no time
    let start = app.world().resource::<Crowd>().tick_count();
    for _ in 0..500 {
        app.update();
    }
    let crowd = app.world().resource::<Crowd>();
    assert_eq!(crowd.tick_count() - start, 200);
    (0..crowd.tick_count()).for_each(|_| engine.step());
    assert_eq!(crowd.digest(), engine.digest(), "frame rates change no bit");
}

#[test]
fn entities_are_between_the_last_two_ticks() {
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(10));
    let (sim, _, ids) = walkers();
    let mut app = app(sim, Plane::Xy, frame);
    let entity = app.world_mut().spawn((Agent(ids[3]), Transform::from_xyz(0.0, 0.0, 7.0))).id();
    let mut last = f32::NEG_INFINITY;
    let mut moved = 0;
    for update in 0..400 {
        app.update();
        let transform = *app.world().get::<Transform>(entity).unwrap();
        let crowd = app.world().resource::<Crowd>();
        if crowd.tick_count() < 20 {
            continue;
        }
        let agent = crowd.agent(ids[3]).unwrap();
        let [x, y] = agent.pos().map(|c| c as f32);
        let at = transform.translation;
        // Never ahead of the agent, never more than a tick behind, and with every frame a little farther.
        assert!(at.x <= x + 1e-4 && at.x >= x - 1.5 * 0.05, "frame {update}: {} of {x}", at.x);
        assert!((at.y + y).abs() < 0.08, "y points upwards");
        assert_eq!(at.z, 7.0, "the third coordinate stays the entity's own");
        assert!(at.x >= last - 1e-4);
        moved += usize::from(at.x > last + 1e-3);
        last = at.x;
        if let Some([hx, hy]) = agent.heading() {
            let ahead = transform.local_x();
            assert!((f64::from(ahead.x) - hx).abs() < 0.01, "{ahead:?} for {hx}, {hy}");
            assert!((f64::from(-ahead.y) - hy).abs() < 0.01);
        }
    }
    assert!(moved > 200, "in {moved} of some 300 frames it moved");
}

#[test]
fn on_the_ground_entities_look_ahead() {
    let (sim, _, ids) = walkers();
    let mut app = app(sim, Plane::Xz, TimeUpdateStrategy::FixedTimesteps(1));
    let entity = app.world_mut().spawn((Agent(ids[0]), Transform::from_xyz(0.0, 3.0, 0.0))).id();
    let mut before = [0.0; 2];
    for _ in 0..100 {
        before = app.world().resource::<Crowd>().agent(ids[0]).unwrap().pos();
        app.update();
    }
    let transform = *app.world().get::<Transform>(entity).unwrap();
    // A frame that ends with a tick shows where the one before it ended.
    let at = [transform.translation.x, transform.translation.z].map(f64::from);
    assert!((at[0] - before[0]).abs() < 1e-4 && (at[1] - before[1]).abs() < 1e-4);
    assert_eq!(transform.translation.y, 3.0);
    let agent = app.world().resource::<Crowd>().agent(ids[0]).unwrap();
    let [x, y] = agent.heading().expect("it walks");
    let forward = transform.forward();
    assert!((f64::from(forward.x) - x).abs() < 0.01 && (f64::from(forward.z) - y).abs() < 0.01);
}

#[test]
fn who_is_put_elsewhere_is_drawn_nowhere_between() {
    let (sim, _, ids) = walkers();
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(10));
    let mut app = app(sim, Plane::Xy, frame);
    let entity = app.world_mut().spawn(Agent(ids[0])).id();
    (0..40).for_each(|_| app.update());
    let to = AgentOrder::Teleport { to: vec![[5.0, 25.0]] };
    app.world_mut().resource_mut::<Crowd>().order_agents(&ids[..1], to).unwrap();
    for _ in 0..20 {
        app.update();
        let at = app.world().get::<Transform>(entity).unwrap().translation;
        assert!(at.x < 7.0 && at.y < -23.0 || at.x > 8.0 && at.y > -21.0, "{at:?}");
    }
    assert!(app.world().get::<Transform>(entity).unwrap().translation.x < 7.0);
}

#[test]
fn orders_by_message_do_what_orders_do_and_say_what_became_of_them() {
    let (sim, group, _) = walkers();
    let mut app = app(sim, Plane::Xy, TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().resource_mut::<Crowd>().watch_arrivals();
    hear::<AgentSpawned>(&mut app);
    hear::<AgentArrived>(&mut app);
    hear::<OrderRefused>(&mut app);
    app.update();
    let spawn =
        |count| Order::Spawn { group, area: Shape::rect([30.0, 10.0], [34.0, 20.0]).into(), count };
    app.world_mut().write_message(GiveOrder(spawn(5)));
    app.world_mut().write_message(GiveOrder(spawn(1_000_000)));
    app.update();
    let refused = heard::<OrderRefused>(&app);
    assert_eq!(heard::<AgentSpawned>(&app).len(), 15, "ten at the start, five by message");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].order, spawn(1_000_000));
    (0..1200).for_each(|_| app.update());
    let mut arrived: Vec<Id> =
        heard::<AgentArrived>(&app).iter().map(|message| message.0).collect();
    arrived.sort();
    arrived.dedup();
    assert_eq!(arrived.len(), 15);
}

#[test]
fn agents_that_come_and_go_and_walls_that_fall_are_told() {
    let (mut sim, group, _) = walkers();
    sim.add_source(group, Shape::rect([20.0, 10.0], [24.0, 20.0]), SourceDef::at_rate(1.0))
        .unwrap();
    sim.add_sink(Shape::disc([50.0, 15.0], 8.0), [group]).unwrap();
    let door = sim.add_door(Shape::rect([30.0, 0.0], [31.0, 20.0]), false).unwrap();
    let wall = Shape::rect([30.0, 20.0], [31.0, 30.0]);
    sim.add_structure(wall.clone(), StructureDef::new(50.0)).unwrap();
    let mut app = app(sim, Plane::Xy, TimeUpdateStrategy::FixedTimesteps(1));
    hear::<AgentEntered>(&mut app);
    hear::<AgentLeft>(&mut app);
    hear::<StructureFell>(&mut app);
    (0..400).for_each(|_| app.update());
    assert!(heard::<AgentLeft>(&app).is_empty(), "all wait at the door");
    app.world_mut().write_message(GiveOrder(Order::SetDoor { door, open: true }));
    app.world_mut().write_message(GiveOrder(Order::Demolish { area: wall.into() }));
    (0..600).for_each(|_| app.update());
    let world = app.world().resource::<Crowd>().world();
    assert_eq!(heard::<AgentEntered>(&app).len() as u64, world.entered());
    assert_eq!(heard::<AgentLeft>(&app).len() as u64, world.left_by_sinks());
    assert!(world.entered() > 40 && world.left_by_sinks() > 10);
    assert_eq!(heard::<StructureFell>(&app).len(), 1);
}

#[test]
fn entities_end_with_their_agents() {
    let (sim, _, ids) = walkers();
    let mut app = app(sim, Plane::Xy, TimeUpdateStrategy::FixedTimesteps(1));
    hear::<AgentGone>(&mut app);
    let entities: Vec<Entity> =
        ids[..3].iter().map(|&id| app.world_mut().spawn(Agent(id)).id()).collect();
    app.update();
    app.world_mut().resource_mut::<Crowd>().order_agents(&ids[1..2], AgentOrder::Remove).unwrap();
    app.update();
    assert_eq!(heard::<AgentGone>(&app), [AgentGone { id: ids[1], entity: entities[1] }]);
    assert!(app.world().get_entity(entities[1]).is_err());
    assert!(app.world().get_entity(entities[0]).is_ok());
}

#[test]
fn an_app_may_have_no_crowd_yet() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::<f32>::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    (0..3).for_each(|_| app.update());
    let settings = Settings { tick_rate: 50, ..Settings::default() };
    let map = Map::from_rows(&["..."], &Legend::default(), 10.0).unwrap();
    app.insert_resource(Crowd::from(Simulation::<f32>::new(map, settings).unwrap()));
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Crowd>().tick_count(), 3);
    let fixed = app.world().resource::<bevy_time::Time<bevy_time::Fixed>>();
    assert_eq!(fixed.timestep(), Duration::from_millis(20));
}
