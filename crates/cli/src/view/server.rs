//! The server: connections, requests that are allowed, the page, and questions to the run.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::view::address::Address;
use crate::view::ask::{Answer, Question};
use crate::view::http::{Received, Request};
use crate::view::{http, page, route};

/// Most connections at once: a page has six at most.
const MAX_CONNECTIONS: usize = 64;
/// How long a page may say nothing, or take to read an answer.
const IDLE: Duration = Duration::from_secs(60);
const WRITE: Duration = Duration::from_secs(20);
/// How long a question may wait for its answer: a seek of a long run is told step by step, but a tick
/// of millions of agents on a slow machine takes its time.
const ANSWER: Duration = Duration::from_secs(120);
/// How long the end of the program waits for answers that are under way.
const LAST: Duration = Duration::from_secs(1);

/// Serves the page at an address.
pub(super) struct Server {
    listener: TcpListener,
    address: Arc<Address>,
}

/// How much there is to do.
#[derive(Debug, Default)]
pub(super) struct Load {
    /// Connections.
    open: AtomicUsize,
    /// Requests whose answers have not been sent.
    under_way: AtomicUsize,
}

impl Load {
    /// Waits until no answer is cut off by the end of the program, or a page reads none.
    pub(super) fn settle(&self) {
        let began = Instant::now();
        while self.under_way.load(Relaxed) > 0 && began.elapsed() < LAST {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Server {
    /// Takes a port of this machine; 0 for any that is free.
    pub(super) fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = Address::new(listener.local_addr()?.port()).map_err(io::Error::other)?;
        Ok(Self { listener, address: Arc::new(address) })
    }

    /// The address of the page.
    pub(super) fn url(&self) -> String {
        self.address.url()
    }

    /// Serves from now on, on threads of its own, until the program ends.
    pub(super) fn start(self, questions: SyncSender<Question>) -> Arc<Load> {
        let load = Arc::new(Load::default());
        let all = Arc::clone(&load);
        thread::spawn(move || {
            for stream in self.listener.incoming() {
                let Ok(mut stream) = stream else {
                    // There may be no more files to open.
                    thread::sleep(Duration::from_millis(50));
                    continue;
                };
                if load.open.fetch_add(1, Relaxed) >= MAX_CONNECTIONS {
                    load.open.fetch_sub(1, Relaxed);
                    let why = format!("{MAX_CONNECTIONS} connections are open already");
                    let _ = stream.set_write_timeout(Some(Duration::from_millis(100)));
                    let _ = http::send(&mut stream, &Answer::refused(503, why), true);
                    continue;
                }
                let (load, address) = (Arc::clone(&load), Arc::clone(&self.address));
                let questions = questions.clone();
                thread::spawn(move || {
                    // A page that is closed or killed ends its connection, and nothing else.
                    let _ = talk(&mut stream, &address, &questions, &load.under_way);
                    load.open.fetch_sub(1, Relaxed);
                });
            }
        });
        all
    }
}

/// Answers the requests of a connection.
fn talk(
    stream: &mut TcpStream,
    address: &Address,
    questions: &SyncSender<Question>,
    under_way: &AtomicUsize,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(WRITE))?;
    let mut waiting = Vec::new();
    loop {
        match http::receive(stream, &mut waiting)? {
            Received::Request(request) => {
                under_way.fetch_add(1, Relaxed);
                let answer = answer(&request, address, questions);
                let sent = http::send(stream, &answer, request.is_last);
                under_way.fetch_sub(1, Relaxed);
                sent?;
                if request.is_last {
                    return Ok(());
                }
            }
            Received::Bad(answer) => return http::send(stream, &answer, true),
            Received::End => return Ok(()),
        }
    }
}

/// The answer to a request: only to pages of this server, and only behind the token.
fn answer(request: &Request, address: &Address, questions: &SyncSender<Question>) -> Answer {
    if !request.host.as_deref().is_some_and(|host| address.is_host(host)) {
        return Answer::refused(403, "this server has another name");
    }
    if !request.origin.as_deref().is_none_or(|origin| address.is_origin(origin)) {
        return Answer::refused(403, "pages of other origins may not ask");
    }
    if !matches!(request.site.as_deref(), None | Some("none" | "same-origin")) {
        return Answer::refused(403, "other pages may not ask");
    }
    let Some(rest) = address.inside(&request.target) else {
        return Answer::refused(404, "there is nothing here");
    };
    if request.method == "GET"
        && let Some(answer) = page::file(rest)
    {
        return answer;
    }
    let ask = match route::ask(request, rest) {
        Ok(ask) => ask,
        Err(answer) => return answer,
    };
    let (reply, answered) = sync_channel(1);
    if questions.send(Question { ask, reply }).is_err() {
        return Answer::refused(503, "the run has ended");
    }
    let answer = answered.recv_timeout(ANSWER);
    answer.unwrap_or_else(|_| Answer::refused(503, "the run gives no answer"))
}
