//! Orders of a page: they are in the replay, which verifies; looking changes nothing.

use throng::GroupId;
use throng::replay::Replay;
use throng::world::{AgentOrder, Order};

use crate::running::Folder;
use crate::view::client::{Served, serve};

#[test]
fn orders_land_in_the_replay_which_verifies() {
    let folder = Folder::new("view-orders");
    let args = ["small", "--paused", "--record", "ordered.throng", "--threads", "2"];
    let served = serve(&folder, &args);
    served.seek(40);
    let ids = served.get("select?frame=0,0,20,20").body;
    let chosen = ids.len() / 8;
    assert!(chosen > 10, "{chosen}");
    let ordered = |rest: &str, body: &[u8]| {
        let answer = served.post(rest, body);
        let text = String::from_utf8(answer.body).unwrap();
        (answer.status, text)
    };
    let (status, done) = ordered("order?kind=move&to=40.5,23.5", &ids);
    assert_eq!(status, 200, "{done}");
    let done: serde_json::Value = serde_json::from_str(&done).unwrap();
    assert_eq!((&done["tick"], &done["agents"]), (&40.into(), &chosen.into()));
    assert_eq!(ordered("order?kind=build&corners=20,2,21,2,21,9,20,9", &[]).0, 200);
    assert_eq!(ordered("order?kind=demolish&corners=30,0,33,0,33,18,30,18", &[]).0, 200);
    assert_eq!(ordered("order?kind=stop&group=1", &[]).0, 200);
    // What cannot be done is said, is in the replay too, and harms nothing.
    let (status, why) = ordered("order?kind=move&group=0&to=-5,-5", &[]);
    assert!(status == 409 && !why.is_empty(), "{status} {why}");
    assert_eq!(ordered("order?kind=stop&group=77", &[]).0, 400);
    served.seek(60);

    // A tick before the newest takes no orders; seeking back and forth loses none.
    served.seek(30);
    let (status, why) = ordered("order?kind=stop&group=0", &[]);
    assert!(status == 409 && why.contains("newest tick, 60"), "{why}");
    served.seek(60);
    let digest = served.json("digest")["digest"].clone();
    folder.write("so_far.throng", served.get("replay").body);
    served.seek(80);
    assert_eq!(ordered("order?kind=rejoin", &ids).0, 200);
    served.seek(10);
    let said = served.stop();
    assert!(said.contains("throng verify ordered.throng"), "{said}");
    assert!(folder.unfinished().is_empty());

    let replay = Replay::read(&folder.read("ordered.throng")).unwrap();
    assert_eq!(replay.end_tick(), 81);
    let at = |tick: u64| replay.frame(tick).unwrap().orders.last().unwrap();
    let Order::Agents { agents, order: AgentOrder::Send { goal } } = at(40) else {
        panic!("{:?}", at(40))
    };
    assert_eq!(agents.len(), chosen);
    assert!(goal[0].contains(40.5, 23.5) && !goal[0].contains(60.0, 23.5));
    assert!(matches!(at(41), Order::Build { .. }) && matches!(at(42), Order::Demolish { .. }));
    assert_eq!(at(43), &Order::Stop { group: GroupId::new(1) });
    assert!(matches!(at(44), Order::Move { group, .. } if *group == GroupId::new(0)));
    assert!(matches!(at(80), Order::Agents { order: AgentOrder::Rejoin, .. }));
    for file in ["ordered.throng", "so_far.throng"] {
        let said = folder.fine(&["verify", file, "--quiet"]).text();
        assert!(said.contains("the same"), "{said}");
    }
    let so_far = Replay::read(&folder.read("so_far.throng")).unwrap();
    assert_eq!(so_far.end_tick(), 60);
    assert_eq!(format!("{:016x}", so_far.frames[59].digest), digest.as_str().unwrap());
}

#[test]
fn a_replay_can_begin_at_any_tick_that_is_shown() {
    let folder = Folder::new("view-rest");
    let served = serve(&folder, &["small", "--paused", "--record", "live.throng"]);
    served.seek(50);
    let built = served.post("order?kind=build&corners=20,2,21,2,21,9,20,9", &[]);
    assert_eq!(built.status, 200, "{built:?}");
    served.seek(90);
    let rest = |served: &Served, tick: u64, name: &str| {
        served.seek(tick);
        let answer = served.get("rest");
        let file = format!("filename=\"small-from-{tick}.throng\"");
        assert!(answer.head.contains(&file), "{}", answer.head);
        folder.write(name, answer.body);
        let replay = Replay::read(&folder.read(name)).unwrap();
        assert_eq!((replay.header.first_tick, replay.end_tick()), (tick, 90));
        let said = folder.fine(&["verify", name, "--quiet"]).text();
        assert!(said.contains("the same"), "{said}");
        replay
    };
    let late = rest(&served, 60, "late.throng");
    // The wall is built within this one, and stands at the beginning of the other.
    let early = rest(&served, 45, "early.throng");
    assert!(early.frames[..6].iter().any(|frame| !frame.orders.is_empty()));
    assert!(late.frames.iter().all(|frame| frame.orders.is_empty()));
    assert_eq!(early.frames[15..], late.frames);
    served.stop();

    // The same from a replay, and from a rest.
    let whole = serve(&folder, &["live.throng", "--paused"]);
    assert_eq!(rest(&whole, 60, "again.throng").frames, late.frames);
    whole.stop();
    let part = serve(&folder, &["early.throng", "--paused"]);
    part.wait("its first tick", |head| head["tick"] == 45 && head["first"] == 45);
    assert_eq!(rest(&part, 60, "of_rest.throng").frames, late.frames);
    part.stop();
}

#[test]
fn who_looks_changes_nothing() {
    let folder = Folder::new("view-looks");
    folder.fine(&["run", "small", "--ticks", "120", "--record", "run.throng", "--quiet"]);
    let args = ["small", "--ticks", "120", "--record", "watched.throng"];
    let served = serve(&folder, &args);
    assert_eq!(served.post("control?speed=16", &[]).status, 200);
    for look in 0.. {
        served.get("heat?of=overlap&frame=0,0,64,48&cells=32");
        served.get("arrows?group=0&frame=0,0,64,48&cells=32");
        served.get("areas");
        served.get("select?frame=0,0,64,48");
        served.get("pick?at=20,20&reach=20");
        if look < 12 && look % 3 == 0 {
            served.seek(look * 7 + 1);
            assert_eq!(served.post("control?play=1", &[]).status, 200);
        }
        if served.frame("detail=1&frame=0,0,30,30").head["tick"] == 120 {
            break;
        }
    }
    served.stop();
    let digests = |name: &str| {
        let replay = Replay::read(&folder.read(name)).unwrap();
        replay.frames.iter().map(|frame| frame.digest).collect::<Vec<_>>()
    };
    assert_eq!(digests("run.throng"), digests("watched.throng"));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = Folder::new("view-refused");
    folder.bad(&["view", "nonsense", "--no-open"], &["there is no file and no scenario"]);
    folder.fine(&["run", "small", "--ticks", "9", "--record", "short.throng", "--quiet"]);
    let live = ["view", "short.throng", "--no-open", "--agents", "5"];
    folder.bad(&live, &["--agents", "are for scenarios"]);
    let bytes = folder.read("short.throng");
    folder.write("cut.throng", &bytes[..bytes.len() - 40]);
    let served = serve(&folder, &["cut.throng", "--paused"]);
    served.running.signal("-INT");
    let done = served.running.wait();
    assert!(done.err.contains("cut"), "{done:?}");
    let taken = serve(&folder, &["short.throng"]);
    let port = taken.port.to_string();
    folder.bad(
        &["view", "small", "--no-files", "--no-open", "--port", &port],
        &["cannot serve on port"],
    );
    let order = taken.post("order?kind=stop&group=0", &[]);
    assert_eq!((order.status, &order.body[..]), (409, &b"a replay takes no orders"[..]));
    taken.stop();
}
