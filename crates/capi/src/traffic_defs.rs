//! Definitions as C has them. Made from the engine's declarations by `tests/declared.rs`: do not edit.

use std::ptr;

use throng::{Exit, ExitsDef, FollowDef, SourceDef, StructureDef};

use crate::declared::{Declared, ThrongInflow, declared};
use crate::ids::{NO_GROUP, NOBODY, ThrongAgentId, ThrongGroupId};
use crate::shape::ThrongShape;

/// How the agents of a source come. Times in seconds from tick 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongSourceDef {
    /// Set by `throng_default_source`.
    pub size: u32,
    /// Nobody comes before this time.
    /// Takes a time in seconds, 0 to 1000000000; default 0.
    pub start: f64,
    /// Nobody comes from this time on; agents that wait outside then still enter.
    /// Takes a time in seconds, 0 to 1000000000; default inf.
    pub end: f64,
    /// Most agents that come in all; 0 sets no limit.
    /// Takes a number of agents, 0 to 16777216; default 0.
    pub count: u32,
    /// Whether agents come at random, as a Poisson stream of the rate; else evenly.
    /// Takes 1 or 0; default 0.
    pub poisson: u8,
    /// Agents a second, where there are no `entries`.
    pub rate: f64,
    /// Whether `entries` are batches and not rates: 1 or 0.
    pub batches: u8,
    /// Rates or batches, by ascending time.
    pub entries: *const ThrongInflow,
    /// How many entries there are.
    pub entry_count: usize,
}

declared! {
    ThrongSourceDef of SourceDef, "source":
    start, end, count, poisson;
    rate = 0.0,
    batches = 0,
    entries = ptr::null(),
    entry_count = 0,
}

/// An exit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongExit {
    /// Set by `throng_default_exit`.
    pub size: u32,
    /// Agents a second that get through when there is a queue; 1.3 for each metre of width is
    /// usual.
    /// Takes a number of agents a second, 0.01 to 10000; default 1.3.
    pub flow: f64,
    /// Share of the group's agents that know the exit. Agents that know none of them go to the
    /// nearest.
    /// Takes a share, 0 to 1; default 1.
    pub known: f64,
    /// Where it is.
    pub area: *const ThrongShape,
    /// How many shapes there are.
    pub area_count: usize,
}

declared! {
    ThrongExit of Exit, "exit":
    flow, known;
    area = ptr::null(),
    area_count = 0,
}

/// How the agents of a group choose among exits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongExitsDef {
    /// Set by `throng_default_exits`.
    pub size: u32,
    /// Time after which an agent chooses anew.
    /// Takes a time in seconds, 0.05 to 1000000; default 2.
    pub every: f64,
    /// What queues count: 1 as they are, 0 not at all, so that all agents take the nearest exit.
    /// Takes a weight, 0 to 100; default 1.
    pub crowd: f64,
    /// Share of the expected time that another exit must save an agent that has chosen before.
    /// Takes a share, 0 to 1; default 0.2.
    pub stay: f64,
    /// The exits, at least one.
    pub exits: *const ThrongExit,
    /// How many exits there are.
    pub exit_count: usize,
}

declared! {
    ThrongExitsDef of ExitsDef, "exits":
    every, crowd, stay;
    exits = ptr::null(),
    exit_count = 0,
}

/// How the agents of a group follow others. Lengths in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongFollowDef {
    /// Set by `throng_default_follow`.
    pub size: u32,
    /// Gap between the outlines of an agent and of its leader at which it stands.
    /// Takes a gap in metres, 0 to 50; default 1.
    pub gap: f64,
    /// Each follows one agent of this group, unless `has_agent`.
    pub leaders: ThrongGroupId,
    /// Whether all follow `agent`: 1 or 0.
    pub has_agent: u8,
    /// The one that all follow.
    pub agent: ThrongAgentId,
}

declared! {
    ThrongFollowDef of FollowDef, "follow":
    gap;
    leaders = NO_GROUP,
    has_agent = 0,
    agent = NOBODY,
}

/// What a wall with hit points is like.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongStructureDef {
    /// Set by `throng_default_structure`.
    pub size: u32,
    /// Hit points that it begins with. Every shot that strikes it, and every splash that reaches
    /// it, takes its damage off them; when none is left the structure falls.
    /// Takes hit points, above 0 to 1000000000; default 1000.
    pub health: f64,
    /// The team that it belongs to: only the shots of that team's foes harm it, and shots that
    /// hit friends too. Without one all shots do.
    /// Takes index of a team, or -1; default -1.
    pub team: i32,
}

declared! {
    ThrongStructureDef of StructureDef, "structure":
    health, team;
}
