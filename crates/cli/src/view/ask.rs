//! What a page can ask of the run, and what it gets: the words between the server's threads and the
//! one that owns the world.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use throng::data::Id;

/// A rectangle in metres: least x and y, largest x and y.
pub(super) type Frame = [f64; 4];

/// A question of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// Names, colours and sizes, as JSON.
    Info,
    /// The newest agents.
    Agents(AgentsAsk),
    /// The map as a raster.
    Ground,
    /// Something of the crowd over a raster.
    Heat {
        /// What the raster shows.
        of: Heat,
        /// The part of the map.
        frame: Frame,
        /// About how many cells along the longer side.
        cells: u32,
    },
    /// The flow field of a group as arrows.
    Arrows {
        /// Index of the group.
        group: u16,
        /// The part of the map.
        frame: Frame,
        /// About how many arrows along the longer side.
        cells: u32,
    },
    /// What groups find their ways by, beside flow fields: in this part of the map.
    Ways(Frame),
    /// Where groups start and where they are ordered to, sources and sinks.
    Areas,
    /// One agent.
    Agent(u32),
    /// The agent nearest to a point within a distance.
    Pick {
        /// Metres.
        at: [f64; 2],
        /// Metres.
        reach: f64,
    },
    /// The ids of the agents in a rectangle.
    Select(Frame),
    /// An order; only a live run takes one.
    Order(PageOrder),
    /// The clock.
    Control(Control),
    /// The digest of the state that is shown.
    Digest,
    /// The replay as a file.
    Replay,
    /// A replay that begins at the tick that is shown, as a file.
    Rest,
}

/// The agents that a page asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AgentsAsk {
    /// The version that the page has; it waits for another one.
    pub(super) have: u64,
    /// The part of the map that the page shows; `None` for all.
    pub(super) frame: Option<Frame>,
    /// Whether discs are large enough to show headings.
    pub(super) detail: bool,
    /// What the five bits beside the state tell.
    pub(super) value: Value,
}

/// What the five bits beside an agent's state tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// Its heading, as a share of a turn.
    Heading,
    /// Its speed, as a share of the largest top speed of all groups.
    Speed,
    /// Its health, as a share of what its group begins with.
    Health,
    /// The state of its machine, 31 for none.
    Mind,
}

/// What a raster can show of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Heat {
    /// Agents per square metre.
    Density,
    /// Mean speed in m/s.
    Speed,
    /// The deepest overlap of two discs, as a share of the smaller radius.
    Overlap,
}

/// An order as a page gives it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PageOrder {
    /// To go to a point.
    Move {
        /// The receivers.
        whom: Whom,
        /// Metres.
        to: [f64; 2],
    },
    /// To stand.
    Stop(Whom),
    /// To follow the group's order again.
    Rejoin(Vec<Id>),
    /// Cells in a polygon become walls.
    Build(Vec<[f64; 2]>),
    /// Walls in a polygon are taken down.
    Demolish(Vec<[f64; 2]>),
}

/// The receivers of an order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Whom {
    /// A group.
    Group(u16),
    /// Single agents.
    Agents(Vec<Id>),
}

/// Changes of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Control {
    /// 1 plays, -1 plays backwards, 0 halts.
    pub(super) play: Option<i8>,
    /// Simulated seconds a second; infinite for as fast as it goes.
    pub(super) speed: Option<f64>,
    /// The tick to show.
    pub(super) tick: Option<u64>,
    /// So many ticks on, or back.
    pub(super) step: Option<i64>,
}

/// A question and where the answer goes.
pub(super) struct Question {
    pub(super) ask: Ask,
    pub(super) reply: SyncSender<Answer>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The HTTP status.
    pub(super) status: u16,
    /// The content type.
    pub(super) kind: &'static str,
    /// The name under which a browser saves it.
    pub(super) file: Option<String>,
    /// The contents.
    pub(super) body: Arc<Vec<u8>>,
}

impl Answer {
    /// Bytes.
    pub(super) fn bytes(body: impl Into<Arc<Vec<u8>>>) -> Self {
        Self { status: 200, kind: "application/octet-stream", file: None, body: body.into() }
    }

    /// JSON.
    pub(super) fn json(value: &serde_json::Value) -> Self {
        let body = Arc::new(value.to_string().into_bytes());
        Self { status: 200, kind: "application/json", file: None, body }
    }

    /// Why not, in words.
    pub(super) fn refused(status: u16, why: impl Into<String>) -> Self {
        let body = Arc::new(why.into().into_bytes());
        Self { status, kind: "text/plain; charset=utf-8", file: None, body }
    }

    /// JSON, spaces up to a multiple of four bytes, and then bytes: its length comes first.
    pub(super) fn with_head(head: &serde_json::Value, body: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut text = head.to_string();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        body(&mut bytes);
        Self::bytes(bytes)
    }
}
