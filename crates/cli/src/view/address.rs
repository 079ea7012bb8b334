//! Which requests are allowed: the token in the path, and the headers by which a browser names its page.

use std::fmt::Write;

/// Bytes of a token.
const TOKEN_BYTES: usize = 16;

/// The address of the page.
#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) port: u16,
    /// Random hexadecimal digits.
    token: String,
}

impl Address {
    /// An address with a new token.
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let mut token = String::new();
        for byte in bytes {
            let _ = write!(token, "{byte:02x}");
        }
        Ok(Self { port, token })
    }

    /// For people and browsers.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The part of a path behind the token; `None` for a path with another one.
    pub(super) fn inside<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (token, rest) = path.strip_prefix('/')?.split_once('/')?;
        // All bytes are looked at, so that the time tells nothing of the first that differs.
        let differs = token.len() != self.token.len()
            || token.bytes().zip(self.token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) != 0;
        (!differs).then_some(rest)
    }

    /// Whether a request was made to this server by its name: a page elsewhere whose name was turned
    /// to this machine says its own.
    pub(super) fn is_host(&self, host: &str) -> bool {
        self.names().any(|name| host.eq_ignore_ascii_case(&name))
    }

    /// Whether a request comes from a page of this server.
    pub(super) fn is_origin(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://");
        host.is_some_and(|host| self.is_host(host))
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let port = self.port;
        ["127.0.0.1", "localhost"].into_iter().map(move |name| format!("{name}:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_token_name_and_origin_pass() {
        let address = Address::new(8080).unwrap();
        let other = Address::new(8080).unwrap();
        assert_ne!(address.token, other.token);
        assert_eq!(address.token.len(), 32);
        let path = |token: &str, rest: &str| format!("/{token}/{rest}");
        assert_eq!(address.inside(&path(&address.token, "info")), Some("info"));
        assert_eq!(address.inside(&path(&address.token, "")), Some(""));
        let cut = &address.token[..31];
        for token in [&other.token, cut, "", &format!("{}0", address.token)] {
            assert_eq!(address.inside(&path(token, "info")), None, "{token}");
        }
        for path in ["", "/", &address.token, &format!("/{}", address.token)] {
            assert_eq!(address.inside(path), None, "{path}");
        }
        assert!(address.is_host("127.0.0.1:8080") && address.is_host("LOCALHOST:8080"));
        for host in ["", "127.0.0.1", "127.0.0.1:80", "evil.example:8080", "127.0.0.1:8080.x"] {
            assert!(!address.is_host(host), "{host}");
        }
        assert!(address.is_origin("http://localhost:8080"));
        for origin in ["null", "https://localhost:8080", "http://evil.example", "localhost:8080"] {
            assert!(!address.is_origin(origin), "{origin}");
        }
    }
}
