//! Lists of what happened in the last tick, and by the orders given since.

use std::ffi::{CString, c_char};
use std::ptr;

use throng::lane::Numbers;
use throng::world::{Collapse, Departure, Fallen, Impact, Struck};
use throng::{Simulation, World};

use crate::ids::{
    NO_WEAPON, NOBODY, ThrongAgentId, ThrongGroupId, ThrongSinkId, ThrongStructureId,
    ThrongWeaponId,
};
use crate::status::text;
use crate::vectors::{ThrongVec2d, ThrongVec3d};

/// The death of an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongFallen {
    /// Who; it is gone by now.
    pub id: ThrongAgentId,
    /// Its group.
    pub group: ThrongGroupId,
    /// Whether a shot killed it, and not an order: 1 or 0.
    pub by_shot: u8,
    /// The weapon of that shot.
    pub weapon: ThrongWeaponId,
    /// Where, in metres.
    pub at: ThrongVec2d,
}

/// An agent that has left by a sink.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongDeparture {
    /// The agent; it is gone by now.
    pub id: ThrongAgentId,
    /// Its group.
    pub group: ThrongGroupId,
    /// The sink.
    pub sink: ThrongSinkId,
    /// Where it was, in metres.
    pub at: ThrongVec2d,
}

/// A structure that has fallen.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongCollapse {
    /// The structure.
    pub structure: ThrongStructureId,
    /// Whether a shot took its last hit points; else an order took its walls down: 1 or 0.
    pub by_shot: u8,
    /// The weapon of that shot.
    pub weapon: ThrongWeaponId,
}

/// `ThrongImpact.struck`: nothing: it left the map or grew too old.
pub const THRONG_STRUCK_NOTHING: u32 = 0;
/// `ThrongImpact.struck`: an agent.
pub const THRONG_STRUCK_AGENT: u32 = 1;
/// `ThrongImpact.struck`: the ground.
pub const THRONG_STRUCK_GROUND: u32 = 2;
/// `ThrongImpact.struck`: a wall or a cliff.
pub const THRONG_STRUCK_WALL: u32 = 3;

/// The end of a projectile.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongImpact {
    /// Where it was then: x, y and height in metres.
    pub at: ThrongVec3d,
    /// A `THRONG_STRUCK_…`.
    pub struck: u32,
    /// The agent that it struck, if it struck one.
    pub agent: ThrongAgentId,
    /// The weapon that it was shot with.
    pub weapon: ThrongWeaponId,
    /// The group on whose side it was.
    pub group: ThrongGroupId,
}

/// An order that was refused.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongRefused {
    /// The order as JSON, as `throng_order` takes it.
    pub order: *const c_char,
    /// Why, in words.
    pub why: *const c_char,
}

/// What happened in the last tick and by the orders given since. The arrays hold until the next
/// call that changes the simulation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongEvents {
    /// Agents that orders brought, in the order of the orders.
    pub spawned: *const ThrongAgentId,
    /// How many.
    pub spawned_count: usize,
    /// Agents that sources brought, in the order of the sources.
    pub entered: *const ThrongAgentId,
    /// How many.
    pub entered_count: usize,
    /// Agents that have left by a sink, by row.
    pub left: *const ThrongDeparture,
    /// How many.
    pub left_count: usize,
    /// Agents that have come into their goal, by row; none unless `throng_watch_arrivals`.
    pub arrived: *const ThrongAgentId,
    /// How many.
    pub arrived_count: usize,
    /// Agents that have not got on for long, by row; none unless `throng_watch_stuck`.
    pub stuck: *const ThrongAgentId,
    /// How many.
    pub stuck_count: usize,
    /// Agents that died.
    pub fallen: *const ThrongFallen,
    /// How many.
    pub fallen_count: usize,
    /// Structures that fell, by their index.
    pub collapsed: *const ThrongCollapse,
    /// How many.
    pub collapsed_count: usize,
    /// Projectiles that ended, and what they struck.
    pub impacts: *const ThrongImpact,
    /// How many.
    pub impact_count: usize,
    /// Orders that were refused.
    pub refused: *const ThrongRefused,
    /// How many.
    pub refused_count: usize,
}

/// The lists behind [`ThrongEvents`].
#[derive(Default)]
pub(crate) struct EventLists {
    pub(crate) is_made: bool,
    spawned: Vec<ThrongAgentId>,
    entered: Vec<ThrongAgentId>,
    left: Vec<ThrongDeparture>,
    arrived: Vec<ThrongAgentId>,
    stuck: Vec<ThrongAgentId>,
    fallen: Vec<ThrongFallen>,
    collapsed: Vec<ThrongCollapse>,
    impacts: Vec<ThrongImpact>,
    refused: Vec<ThrongRefused>,
    /// The texts that `refused` points to.
    texts: Vec<CString>,
}

// SAFETY: the only pointers are those in `refused`, to the texts beside them, which belong to the lists
// and move with them.
unsafe impl Send for EventLists {}

fn departure(departure: &Departure) -> ThrongDeparture {
    let &Departure { id, group, sink, at: [x, y], .. } = departure;
    let (id, group, sink) = (id.into(), group.into(), sink.into());
    ThrongDeparture { id, group, sink, at: ThrongVec2d { x, y } }
}

fn collapse(collapse: &Collapse) -> ThrongCollapse {
    ThrongCollapse {
        structure: collapse.structure.into(),
        by_shot: collapse.shot.is_some().into(),
        weapon: collapse.shot.map_or(NO_WEAPON, |shot| shot.weapon.into()),
    }
}

fn fallen(fallen: &Fallen) -> ThrongFallen {
    let Fallen { id, group, at: [x, y], shot } = fallen;
    ThrongFallen {
        id: (*id).into(),
        group: (*group).into(),
        by_shot: shot.is_some().into(),
        weapon: shot.map_or(NO_WEAPON, |shot| shot.weapon.into()),
        at: ThrongVec2d { x: *x, y: *y },
    }
}

fn impact<N: Numbers>(world: &World<N>, impact: &Impact) -> ThrongImpact {
    let [x, y, z] = impact.at;
    let (struck, agent) = match impact.struck {
        Struck::Agent(id) => (THRONG_STRUCK_AGENT, id.into()),
        Struck::Ground => (THRONG_STRUCK_GROUND, NOBODY),
        Struck::Wall => (THRONG_STRUCK_WALL, NOBODY),
        Struck::Nothing => (THRONG_STRUCK_NOTHING, NOBODY),
    };
    ThrongImpact {
        at: ThrongVec3d { x, y, z },
        struck,
        agent,
        weapon: impact.shot.weapon.into(),
        group: world.group_id(impact.shot.group).into(),
    }
}

impl EventLists {
    /// The simulation has changed.
    pub(crate) fn clear(&mut self) {
        self.is_made = false;
        self.refused.clear();
        self.texts.clear();
    }

    pub(crate) fn fill<N: Numbers>(&mut self, sim: &Simulation<N>) {
        let events = sim.events();
        let ids = |from: &[throng::Id], to: &mut Vec<ThrongAgentId>| {
            to.clear();
            to.extend(from.iter().map(|&id| ThrongAgentId::from(id)));
        };
        ids(events.spawned, &mut self.spawned);
        ids(events.entered, &mut self.entered);
        self.left.clear();
        self.left.extend(events.left.iter().map(departure));
        ids(events.arrived, &mut self.arrived);
        ids(events.stuck, &mut self.stuck);
        self.fallen.clear();
        self.fallen.extend(events.fallen.iter().map(fallen));
        self.collapsed.clear();
        self.collapsed.extend(events.collapsed.iter().map(collapse));
        self.impacts.clear();
        self.impacts.extend(events.impacts.iter().map(|end| impact(sim.world(), end)));
        self.clear();
        for (order, why) in events.refused {
            self.texts.push(text(&serde_json::to_string(order).unwrap_or_default()));
            self.texts.push(text(&why.to_string()));
        }
        self.refused.extend(
            self.texts
                .chunks(2)
                .map(|pair| ThrongRefused { order: pair[0].as_ptr(), why: pair[1].as_ptr() }),
        );
        self.is_made = true;
    }

    pub(crate) fn shown(&self) -> ThrongEvents {
        fn first<T>(list: &[T]) -> *const T {
            if list.is_empty() { ptr::null() } else { list.as_ptr() }
        }
        ThrongEvents {
            spawned: first(&self.spawned),
            spawned_count: self.spawned.len(),
            entered: first(&self.entered),
            entered_count: self.entered.len(),
            left: first(&self.left),
            left_count: self.left.len(),
            arrived: first(&self.arrived),
            arrived_count: self.arrived.len(),
            stuck: first(&self.stuck),
            stuck_count: self.stuck.len(),
            fallen: first(&self.fallen),
            fallen_count: self.fallen.len(),
            collapsed: first(&self.collapsed),
            collapsed_count: self.collapsed.len(),
            impacts: first(&self.impacts),
            impact_count: self.impacts.len(),
            refused: first(&self.refused),
            refused_count: self.refused.len(),
        }
    }
}
