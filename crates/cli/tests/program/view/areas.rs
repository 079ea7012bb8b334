//! Areas that the page shows: goals, exits, sources and sinks, with how many agents have entered and left.

use serde_json::{Value, json};
use throng::replay::{Player, Replay};

use crate::running::Folder;
use crate::traffic::STATION;
use crate::view::client::serve;

#[test]
fn areas_are_those_of_the_scenario_and_count_agents() {
    let folder = Folder::new("view-areas");
    folder.write("station.toml", STATION);
    folder.fine(&["run", "station.toml", "--record", "s.throng", "-q"]);
    let replay = Replay::read(&folder.read("s.throng")).unwrap();
    let mut player = Player::<f32>::new(&replay).unwrap();
    let served = serve(&folder, &["s.throng", "--paused"]);
    let mut seen = Vec::new();
    for tick in [100, 900, 500] {
        served.seek(tick);
        player.seek(tick).unwrap();
        let (areas, world) = (served.json("areas"), player.world());
        let of = |kind: &str, key: &str| {
            let all = areas[kind].as_array().unwrap().iter();
            all.map(|area| area[key].clone()).collect::<Vec<Value>>()
        };
        assert_eq!(of("sources", "name"), ["street", "yard"]);
        assert_eq!(of("sinks", "name"), ["tram", "bus", "goal of guests"]);
        let sources = world.sources().iter();
        let entered: Vec<u64> = sources.clone().map(|source| source.entered()).collect();
        assert_eq!(of("sources", "entered"), entered);
        assert_eq!(of("sources", "waiting"), sources.map(|s| s.waiting()).collect::<Vec<_>>());
        let left: Vec<u64> = world.sinks().iter().map(|sink| sink.left()).collect();
        assert_eq!(of("sinks", "left"), left);
        seen.push((tick, entered.iter().sum::<u64>(), left.iter().sum::<u64>()));
        assert_eq!(
            areas["sources"][1]["shapes"],
            json!([{ "centre": [4.0, 15.0], "radius": 2.0 }])
        );
        // The group's own goal and the exits that another one chooses among are goals; sinks that lie on them
        // have the same shapes.
        let goals = areas["goals"].as_array().unwrap();
        assert_eq!(of("goals", "group"), [0, 1, 1]);
        assert_eq!(areas["sinks"][2]["shapes"], json!([goals[0]["shape"]]));
        assert_eq!(areas["sinks"][0]["shapes"], json!([goals[1]["shape"]]));
    }
    let [early, end, _] = seen[..] else { panic!("three ticks") };
    assert!(early.1 > 0 && early.1 < end.1 && early.2 < end.2, "{seen:?}");
    let last = served.json("areas");
    let colours = served.json("info")["colours"].clone();
    served.stop();
    // A live run has the same.
    let served = serve(&folder, &["station.toml", "--paused", "--no-files"]);
    served.seek(500);
    assert_eq!(served.json("areas"), last);
    assert_eq!(served.json("info")["colours"], colours);
    assert_eq!(colours["source"], json!([0, 0xb4, 0]));
    served.stop();
}
