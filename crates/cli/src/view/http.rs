//! As much of HTTP/1.1 as a page of our own needs: requests with a length, answers with a length, one
//! after another on a connection.

use std::io;
use std::io::{Read, Write};

use crate::view::ask::Answer;

/// Most bytes of a request before its body.
const MAX_HEAD: usize = 16 << 10;
/// Most bytes of a body: the ids of two million agents.
const MAX_BODY: usize = 16 << 20;
/// Most headers.
const MAX_HEADERS: usize = 64;

/// A request.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// Path and query, as they came.
    pub(super) target: String,
    pub(super) host: Option<String>,
    pub(super) origin: Option<String>,
    /// What the browser says of the page that asks: `same-origin`, `cross-site` …
    pub(super) site: Option<String>,
    pub(super) body: Vec<u8>,
    /// Whether the connection ends after the answer.
    pub(super) is_last: bool,
}

/// A message that came over a connection.
pub(super) enum Received {
    Request(Request),
    /// Something that is refused, after which the connection ends.
    Bad(Answer),
    /// The other side has ended the connection.
    End,
}

/// Reads the next request; `waiting` holds bytes that came with the one before.
pub(super) fn receive(from: &mut impl Read, waiting: &mut Vec<u8>) -> io::Result<Received> {
    let too_long = || {
        let why = format!("a request has at most {MAX_HEAD} bytes before its body");
        Ok(Received::Bad(Answer::refused(431, why)))
    };
    loop {
        match parse(waiting) {
            Ok(Some((_, head, _))) if head > MAX_HEAD => return too_long(),
            Ok(Some((mut request, head, length))) => {
                if length > MAX_BODY {
                    let why = format!("a body has at most {MAX_BODY} bytes");
                    return Ok(Received::Bad(Answer::refused(413, why)));
                }
                while waiting.len() < head + length {
                    if read_more(from, waiting)? == 0 {
                        return Ok(Received::End);
                    }
                }
                request.body = waiting[head..head + length].to_vec();
                waiting.drain(..head + length);
                return Ok(Received::Request(request));
            }
            Ok(None) if waiting.len() >= MAX_HEAD => return too_long(),
            Ok(None) => {
                if read_more(from, waiting)? == 0 {
                    return Ok(Received::End);
                }
            }
            Err(answer) => return Ok(Received::Bad(answer)),
        }
    }
}

fn read_more(from: &mut impl Read, waiting: &mut Vec<u8>) -> io::Result<usize> {
    let mut bytes = [0; 8192];
    let count = from.read(&mut bytes)?;
    waiting.extend_from_slice(&bytes[..count]);
    Ok(count)
}

/// A request without its body, the bytes before the body and of it; `None` when there is more to come.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Answer> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Answer::refused(400, format!("this is no request: {error}"))),
    };
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        is_last: parsed.version == Some(0),
        ..Request::default()
    };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = String::from_utf8_lossy(header.value).into_owned();
        let twice = |found: &Option<String>| match found {
            Some(_) => Err(Answer::refused(400, format!("`{}` comes twice", header.name))),
            None => Ok(Some(value.clone())),
        };
        match header.name.to_ascii_lowercase().as_str() {
            "host" => request.host = twice(&request.host)?,
            "origin" => request.origin = twice(&request.origin)?,
            "sec-fetch-site" => request.site = twice(&request.site)?,
            "connection" => request.is_last |= value.eq_ignore_ascii_case("close"),
            "transfer-encoding" => {
                return Err(Answer::refused(411, "a body comes with its length"));
            }
            "content-length" => {
                let number = value.bytes().all(|b| b.is_ascii_digit()).then(|| value.parse());
                let number = number.and_then(Result::ok);
                let bad = || Answer::refused(400, format!("`{value}` is no length"));
                if number.is_none() || length.replace(number.ok_or_else(bad)?).is_some() {
                    return Err(bad());
                }
            }
            _ => {}
        }
    }
    Ok(Some((request, head, length.unwrap_or(0))))
}

/// Writes an answer. No page elsewhere may show or read it, and the page may load nothing from
/// elsewhere.
pub(super) fn send(to: &mut impl Write, answer: &Answer, is_last: bool) -> io::Result<()> {
    let Answer { status, kind, file, body } = answer;
    let reason = match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Service Unavailable",
    };
    let mut head = format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nX-Frame-Options: DENY\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
         connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n",
        body.len()
    );
    if let Some(file) = file {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let file: String = file.chars().map(safe).collect();
        head.push_str(&format!("Content-Disposition: attachment; filename=\"{file}\"\r\n"));
    }
    head.push_str(if is_last { "Connection: close\r\n\r\n" } else { "\r\n" });
    to.write_all(head.as_bytes())?;
    to.write_all(body)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The requests, or statuses of refusals, in bytes that arrive so many at a time.
    fn received(bytes: &[u8], at_once: usize) -> Vec<Result<Request, u16>> {
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                let count = self.0.len().min(self.1).min(to.len());
                to[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        let (mut from, mut waiting, mut all) = (Slow(bytes, at_once), Vec::new(), Vec::new());
        loop {
            match receive(&mut from, &mut waiting).unwrap() {
                Received::Request(request) => all.push(Ok(request)),
                Received::Bad(answer) => {
                    all.push(Err(answer.status));
                    return all;
                }
                Received::End => return all,
            }
        }
    }

    #[test]
    fn requests_come_whole_however_they_arrive() {
        let bytes = b"GET /a?b=1 HTTP/1.1\r\nHost: here:1\r\n\r\n\
            POST /c HTTP/1.1\r\nhost: here:1\r\nContent-Length: 5\r\nOrigin: null\r\n\r\nhello\
            GET /d HTTP/1.1\r\nConnection: close\r\n\r\n";
        for at_once in [1, 3, 7, 64, 8192] {
            let all = received(bytes, at_once);
            let all: Vec<_> = all.iter().map(|request| request.as_ref().unwrap()).collect();
            assert_eq!(all.len(), 3);
            assert_eq!((&all[0].target[..], all[0].host.as_deref()), ("/a?b=1", Some("here:1")));
            assert_eq!((&all[1].body[..], all[1].origin.as_deref()), (&b"hello"[..], Some("null")));
            assert!(!all[1].is_last && all[2].is_last && all[2].host.is_none());
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(MAX_HEAD));
        for (bytes, status) in [
            ("hello\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\na", 413),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            (&long, 431),
        ] {
            let all = received(bytes.as_bytes(), 1000);
            assert_eq!(all.last().unwrap().as_ref().err(), Some(&status), "{bytes:.60}");
        }
    }
}
