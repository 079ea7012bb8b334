//! What pictures of a run show beside its world comes back from a replay as it was given.

use std::fs;
use std::fs::File;
use std::path::Path;

use throng::Simulation;
use throng::replay::{RecordOptions, Recorder, Replay, ReplayError};
use throng::scenario::{Overrides, Plan, Scene, builtin_names};
use throng::world::World;

/// The plan of a scenario that ships.
fn plan(name: &str) -> Plan {
    Plan::load(name, &Overrides::default()).unwrap()
}

/// A replay of no tick of a scenario that ships, and the scene that it was given.
fn recorded(name: &str) -> (Vec<u8>, Scene) {
    let plan = plan(name);
    let scene = plan.scene.clone();
    let world = World::<f32>::new(plan.map, plan.settings).unwrap();
    let options = RecordOptions { scene: scene.clone(), ..RecordOptions::from(name) };
    (Recorder::start(&world, options, Vec::new()).unwrap().finish().unwrap(), scene)
}

#[test]
fn a_scene_comes_back() {
    let mut seen = Scene::default();
    for name in builtin_names() {
        let (bytes, scene) = recorded(name);
        let read = Replay::read(&bytes).unwrap().header.scene;
        assert_eq!(read, scene, "{name}");
        assert!(!read.groups.is_empty(), "{name}");
        seen.teams.extend(read.teams);
        seen.machines.extend(read.machines);
        seen.weapons.extend(read.weapons);
        seen.beaten = seen.beaten.or(read.beaten);
    }
    let all = [seen.teams.len(), seen.machines.len(), seen.weapons.len()];
    assert!(all.iter().all(|&count| count > 2) && seen.beaten.is_some(), "{all:?}");
}

/// A recording of a simulation of a scenario, in any language, names its scene by itself.
#[test]
fn a_simulation_records_the_scene_of_its_scenario() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scene-of-a-simulation.throng");
    let scene = plan("skirmish").scene;
    let record = |options: RecordOptions| {
        let mut sim = Simulation::<f32>::from_plan(plan("skirmish")).unwrap();
        sim.record(File::create(&path).unwrap(), options).unwrap();
        sim.step();
        sim.finish_recording().unwrap();
        let header = Replay::read(&fs::read(&path).unwrap()).unwrap().header;
        (header.label, header.scene)
    };
    assert_eq!(record(RecordOptions::default()), ("skirmish".to_owned(), scene.clone()));
    let own = Scene { weapons: vec!["sling".to_owned()], ..Scene::default() };
    let given = RecordOptions { scene: own.clone(), ..RecordOptions::from("mine") };
    assert_eq!(record(given), ("mine".to_owned(), own));
}

/// Every byte of a scene changed, the checksum right again: refused, or another scene.
#[test]
fn a_garbled_scene_does_no_harm() {
    let (bytes, scene) = recorded("skirmish");
    let body = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let end = 16 + body;
    let (mut refused, mut read) = (0, 0);
    for at in end - 400..end {
        for byte in [0, 1, 0x7f, 0xff, bytes[at] ^ 4] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            let checksum = crc32fast::hash(&changed[..end]);
            changed[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
            match Replay::read(&changed) {
                Ok(replay) => read += u32::from(replay.header.scene != scene),
                Err(ReplayError::Header(error)) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(refused > 100 && read > 100, "{refused} refused, {read} read");
}
