//! A page without a browser: it speaks HTTP over a socket, word by word.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::running::{Folder, Running};

const PATIENCE: Duration = Duration::from_secs(120);

/// A server under way.
pub(crate) struct Served {
    pub(super) port: u16,
    pub(super) token: String,
    pub(super) running: Running,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answered {
    pub(super) status: u16,
    /// As it came, with lower-case letters.
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

/// A frame: its head, and the bytes behind it.
#[derive(Clone, Debug)]
pub(super) struct FrameOf {
    pub(super) head: Value,
    pub(super) body: Vec<u8>,
}

/// Starts `throng view` in a folder and waits for its address.
pub(crate) fn serve(folder: &Folder, args: &[&str]) -> Served {
    let args: Vec<&str> = [&["view"], args, &["--no-open"]].concat();
    let running = folder.start(&args);
    let began = Instant::now();
    loop {
        let said = String::from_utf8(folder.read("stdout")).unwrap();
        if let Some((address, _)) = said.split_once('\n') {
            let rest = address.strip_prefix("http://127.0.0.1:").expect(address);
            let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
            return Served { port: port.parse().unwrap(), token: token.to_owned(), running };
        }
        assert!(began.elapsed() < PATIENCE, "no address: {:?}", folder.read("stderr"));
        sleep(Duration::from_millis(5));
    }
}

impl Served {
    /// A connection.
    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The address of something behind the token.
    pub(super) fn path(&self, rest: &str) -> String {
        format!("/{}/{rest}", self.token)
    }

    /// A request with any headers, on a connection of its own.
    pub(super) fn raw(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answered {
        let mut stream = self.connect();
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        answer(&mut stream)
    }

    fn own(&self, method: &str, rest: &str, body: &[u8]) -> Answered {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        self.raw(method, &self.path(rest), &host, body)
    }

    pub(super) fn get(&self, rest: &str) -> Answered {
        let found = self.own("GET", rest, &[]);
        assert_eq!(found.status, 200, "{rest}: {}", String::from_utf8_lossy(&found.body));
        found
    }

    pub(super) fn post(&self, rest: &str, body: &[u8]) -> Answered {
        self.own("POST", rest, body)
    }

    pub(crate) fn json(&self, rest: &str) -> Value {
        serde_json::from_slice(&self.get(rest).body).unwrap()
    }

    /// A frame.
    pub(super) fn frame(&self, query: &str) -> FrameOf {
        frame(&self.get(&format!("agents?{query}")).body)
    }

    /// Goes to a tick and waits until it is shown.
    pub(super) fn seek(&self, tick: u64) {
        let answer = self.post(&format!("control?play=0&tick={tick}"), &[]);
        assert_eq!(answer.status, 200, "{answer:?}");
        self.wait("tick", |head| head["tick"] == tick && head["goal"].is_null());
    }

    /// Waits until the head of a frame is as it should be, and returns it.
    pub(super) fn wait(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let head = self.frame("frame=0,0,0.1,0.1").head;
            if is_so(&head) {
                return head;
            }
            assert!(began.elapsed() < PATIENCE, "{what}: {head}");
            sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the server has seen that connections ended, and takes another.
    pub(super) fn wait_for_room(&self) {
        let began = Instant::now();
        while self.own("GET", "info", &[]).status == 503 {
            assert!(began.elapsed() < PATIENCE, "no room");
            sleep(Duration::from_millis(5));
        }
    }

    /// Ends it as Ctrl-C does, and returns what it said at the end.
    pub(crate) fn stop(self) -> String {
        self.running.signal("-INT");
        let done = self.running.wait();
        assert_eq!(done.code, Some(130), "{done:?}");
        done.err
    }
}

/// Reads an answer.
pub(super) fn answer(stream: &mut TcpStream) -> Answered {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        let mut more = [0; 4096];
        let count = stream.read(&mut more).unwrap();
        assert!(count > 0, "the connection has ended: {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&more[..count]);
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let head = head.to_ascii_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
    let length: usize = length.parse().unwrap();
    let mut body = bytes[end..].to_vec();
    let have = body.len();
    body.resize(length, 0);
    stream.read_exact(&mut body[have..]).unwrap();
    Answered { status, head, body }
}

/// Parts a frame into its head and the rest.
pub(super) fn frame(bytes: &[u8]) -> FrameOf {
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    assert_eq!((4 + length) % 4, 0);
    let head = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    FrameOf { head, body: bytes[4 + length..].to_vec() }
}
