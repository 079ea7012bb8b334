//! Only the page itself may ask, and whoever asks badly harms nobody.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::thread::sleep;
use std::time::Duration;

use throng::replay::{Replay, Salvage};

use crate::running::Folder;
use crate::view::client::{answer, serve};

#[test]
fn only_the_page_itself_may_ask() {
    let folder = Folder::new("view-guard");
    let served = serve(&folder, &["small", "--paused", "--no-files"]);
    let (port, path) = (served.port, served.path("info"));
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let status = |path: &str, headers: &str| {
        let answer = served.raw("GET", path, headers, &[]);
        if answer.status != 200 {
            assert!(answer.body.len() < 100, "{answer:?}");
        }
        answer.status
    };
    assert_eq!(status(&path, &own), 200);
    assert_eq!(status(&path, &format!("Host: localhost:{port}\r\n")), 200);

    // Without the token there is nothing, not even the page.
    for path in ["/", "/info", "/view.js", "/favicon.ico", "//info", &format!("/{}", served.token)]
    {
        assert_eq!(status(path, &own), 404, "{path}");
    }
    let mut wrong = served.token.clone();
    let last = if wrong.ends_with('0') { "1" } else { "0" };
    wrong.replace_range(31.., last);
    for token in [&wrong, &served.token[..31], "0", &"0".repeat(32)] {
        assert_eq!(status(&format!("/{token}/info"), &own), 404, "{token}");
        assert_eq!(status(&format!("/{token}/"), &own), 404, "{token}");
    }
    for file in ["../Cargo.toml", "..%2f..%2fetc/passwd", "page/view.js", "/etc/passwd"] {
        assert_eq!(status(&served.path(file), &own), 404, "{file}");
    }

    // A name that was turned to this machine, and pages of other origins.
    for host in ["", "Host: evil.example\r\n", "Host: 127.0.0.1\r\n", "Host: 127.0.0.1:1\r\n"] {
        assert_eq!(status(&path, host), 403, "{host}");
    }
    for origin in ["null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"] {
        assert_eq!(status(&path, &format!("{own}Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(status(&path, &format!("{own}Origin: http://127.0.0.1:{port}\r\n")), 200);
    for (site, expected) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200)] {
        assert_eq!(status(&path, &format!("{own}Sec-Fetch-Site: {site}\r\n")), expected, "{site}");
    }

    // Nothing may be loaded from elsewhere, shown elsewhere, or kept.
    let page = served.get("");
    assert!(page.body.starts_with(b"<!doctype html>"));
    for word in ["default-src 'none'", "frame-ancestors 'none'", "no-store", "no-referrer"] {
        assert!(page.head.contains(word), "{word} is not in {}", page.head);
    }
    assert!(!page.head.contains("access-control-allow"), "{}", page.head);
    let text = String::from_utf8(page.body).unwrap();
    assert!(!text.contains("http://") && !text.contains("https://"), "the page loads nothing");
    served.stop();
}

#[test]
fn bad_requests_and_killed_pages_harm_nobody() {
    let folder = Folder::new("view-bad");
    let served = serve(&folder, &["small", "--no-files"]);
    for (rest, status) in [
        ("control?play=1", 405),
        ("agents?frame=1,2", 400),
        ("agents?have=many", 400),
        ("arrows?group=999&frame=0,0,9,9&cells=8", 404),
        ("nothing", 404),
    ] {
        let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
        let answer = served.raw("GET", &served.path(rest), &host, &[]);
        assert_eq!(answer.status, status, "{rest}: {answer:?}");
    }
    // Noise, half a request, and pages that go before their answer comes.
    for _ in 0..20 {
        served.connect().write_all(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n").unwrap();
        served.connect().write_all(b"GET /half HTTP/1.1\r\nHo").unwrap();
        let mut stream = served.connect();
        let (port, path) = (served.port, served.path("ground"));
        let whole = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        stream.write_all(whole.repeat(3).as_bytes()).unwrap();
    }
    let first = served.wait("a tick", |head| head["tick"].as_u64() > Some(0));
    served.wait("later ticks", |head| head["tick"].as_u64() > first["tick"].as_u64());
    served.stop();
}

#[test]
fn several_pages_see_the_same_run() {
    let folder = Folder::new("view-two");
    let served = serve(&folder, &["small", "--paused", "--no-files"]);
    served.seek(20);
    let asks = |path: &str, count: usize| {
        let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
        let text = format!("GET {path} HTTP/1.1\r\n{host}\r\n");
        let mut streams: Vec<_> = (0..count).map(|_| served.connect()).collect();
        streams.iter_mut().for_each(|stream| stream.write_all(text.as_bytes()).unwrap());
        streams
    };
    let bodies: Vec<_> = asks(&served.path("agents?"), 2).iter_mut().map(answer).collect();
    assert!(!bodies[0].body.is_empty() && bodies[0].body == bodies[1].body);

    // Orders of both are in one run.
    let stop = |group: u16| served.post(&format!("order?kind=stop&group={group}"), &[]);
    assert_eq!((stop(0).status, stop(1).status), (200, 200));
    assert_eq!(served.frame("").head["tick"], 22);
    served.seek(20);

    // Pages that have the newest frame wait; both get the next one when another page plays.
    let version = served.frame("").head["version"].as_u64().unwrap();
    let mut waiting = asks(&served.path(&format!("agents?have={version}")), 2);
    sleep(Duration::from_millis(100));
    assert_eq!(served.post("control?step=1", &[]).status, 200);
    let bodies: Vec<_> = waiting.iter_mut().map(answer).collect();
    let tick = |body: &[u8]| super::client::frame(body).head["tick"].clone();
    assert_eq!((tick(&bodies[0].body), tick(&bodies[1].body)), (21.into(), 21.into()));
    served.stop();
}

#[test]
fn strangers_on_the_network_cannot_connect() {
    let folder = Folder::new("view-strangers");
    let served = serve(&folder, &["small", "--paused", "--no-files"]);
    let connects =
        |address: SocketAddr| TcpStream::connect_timeout(&address, Duration::from_secs(2)).is_ok();
    assert!(connects(([127, 0, 0, 1], served.port).into()));
    // Other names of this machine: of the loopback device, and of the network if there is one. No
    // packet is sent: this asks which address the system would send from.
    assert!(!connects(([127, 0, 0, 2], served.port).into()));
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let own = socket.connect("192.0.2.1:9").and_then(|()| socket.local_addr());
    match own.map(|address| address.ip()) {
        Ok(own) if !own.is_loopback() => assert!(!connects((own, served.port).into()), "{own}"),
        _ => eprintln!("SKIPPED: addresses of a network, as this machine has none"),
    }
    served.stop();
}

#[test]
fn orders_of_other_pages_change_nothing() {
    let folder = Folder::new("view-forged");
    let served = serve(&folder, &["small", "--paused", "--record", "run.throng"]);
    served.seek(10);
    let before = served.json("digest");
    let host = format!("Host: 127.0.0.1:{}\r\n", served.port);
    for from in
        ["Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"]
    {
        for rest in ["order?kind=stop&group=0", "control?play=1", "control?tick=5"] {
            let answer = served.raw("POST", &served.path(rest), &format!("{host}{from}"), &[]);
            assert_eq!(answer.status, 403, "{from} {rest}");
        }
    }
    assert_eq!(served.json("digest"), before);
    served.stop();
    let replay = Replay::read(&folder.read("run.throng")).unwrap();
    assert!(replay.end_tick() == 10 && replay.frames[1..].iter().all(|f| f.orders.is_empty()));
}

#[test]
fn many_connections_leave_room_for_the_page() {
    let folder = Folder::new("view-many");
    let served = serve(&folder, &["small", "--paused", "--no-files"]);
    let mut idle: Vec<_> = (0..64).map(|_| served.connect()).collect();
    let refused = answer(&mut served.connect());
    let why = String::from_utf8(refused.body).unwrap();
    assert!(refused.status == 503 && why.contains("64 connections"), "{} {why}", refused.status);
    // Once they have ended there is room for another.
    idle.clear();
    served.wait_for_room();
    served.wait("an answer", |head| head["tick"] == 1);
    served.stop();
}

#[test]
fn an_answer_under_way_comes_whole_when_the_server_ends() {
    let folder = Folder::new("view-whole");
    let map = "ticks = 9\n[map]\nsize = [2048, 2048]\n[[group]]\nname = \"one\"\n\
        spawn = [{ rect = [4, 4, 12, 12], count = 1 }]\ngoal = { rect = [84, 4, 92, 12] }\n";
    folder.write("wide.toml", map);
    let served = serve(&folder, &["wide.toml", "--paused", "--no-files"]);
    let mut stream = served.connect();
    let (host, path) = (format!("Host: 127.0.0.1:{}", served.port), served.path("ground"));
    stream.write_all(format!("GET {path} HTTP/1.1\r\n{host}\r\n\r\n").as_bytes()).unwrap();
    // The answer has begun, and is more than the system keeps of what is not read.
    assert_eq!(stream.peek(&mut [0]).unwrap(), 1);
    served.running.signal("-INT");
    sleep(Duration::from_millis(300));
    assert!(answer(&mut stream).body.len() > 16 << 20);
    assert_eq!(served.running.wait().code, Some(130));
    assert_eq!(stream.read(&mut [0]).unwrap(), 0, "the connection ends after it");
}

#[test]
fn a_killed_server_leaves_what_it_has_recorded() {
    let folder = Folder::new("view-killed");
    let served = serve(&folder, &["small", "--paused", "--record", "run.throng"]);
    served.seek(20);
    assert_eq!(served.post("order?kind=stop&group=0", &[]).status, 200);
    served.seek(100);
    served.running.signal("-KILL");
    assert_eq!(served.running.wait().code, None);
    // At most the ticks since the last flush are missing.
    let Salvage::Part(replay, fault) = Replay::salvage(&folder.read("run.throng.part")).unwrap()
    else {
        panic!("the end is missing")
    };
    assert!(replay.end_tick() >= 68, "{} ticks, {fault}", replay.end_tick());
    assert!(!replay.frames[20].orders.is_empty(), "the order is in it");
    let said = folder.fine(&["verify", "run.throng.part", "--allow-cut", "--quiet"]).text();
    assert!(said.contains("the same"), "{said}");
}
