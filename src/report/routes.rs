//! How long agents waited for routes.

use std::fmt;

use serde::Serialize;

use crate::lane::Numbers;
use crate::report::number::{plural, thousands};
use crate::world::World;

/// Follows the queue for routes: feed it every tick.
#[derive(Clone, Debug, Default)]
pub struct RouteMeter {
    /// By id index: the tick from which on it has waited, and the last one in which it did; 0 before.
    waits: Vec<[u64; 2]>,
    waited: u64,
    /// Ticks of the longest wait.
    longest: u64,
    has_asked: bool,
}

impl RouteMeter {
    /// Looks at a world after a tick.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        let now = world.tick_count();
        self.has_asked |= !world.steps().step.is_empty();
        for &id in world.route_queue() {
            let id = id as usize;
            if self.waits.len() <= id {
                self.waits.resize(id + 1, [0; 2]);
            }
            let [since, last] = &mut self.waits[id];
            self.waited += u64::from(*last == 0);
            if *last + 1 != now {
                *since = now;
            }
            *last = now;
            self.longest = self.longest.max(now - *since + 1);
        }
    }
}

/// How long agents waited for routes. The text of `Display` is made for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Routes {
    /// Agents that had to wait for a route, a tick at least.
    pub waited: u64,
    /// The longest wait in seconds.
    pub longest_s: f64,
    /// Agents that wait at the end.
    pub waiting: u64,
}

impl Routes {
    /// What a meter has seen; `None` when no group finds its own way.
    pub fn new<N: Numbers>(world: &World<N>, meter: &RouteMeter) -> Option<Self> {
        let waiting = world.waiting_for_routes() as u64;
        let longest_s = meter.longest as f64 * world.dt();
        meter.has_asked.then_some(Self { waited: meter.waited, longest_s, waiting })
    }
}

impl fmt::Display for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.waited {
            0 => f.write_str("nobody waited"),
            waited => {
                write!(f, "{} waited, the longest {:.1} s", plural(waited, "agent"), self.longest_s)
            }
        }?;
        match self.waiting {
            0 => Ok(()),
            1 => f.write_str("; 1 waits still"),
            waiting => write!(f, "; {} wait still", thousands(waiting)),
        }
    }
}
