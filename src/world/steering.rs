//! A group's behaviours as the tick reads them.

use crate::data::GroupId;
use crate::kernel::steer::Leg;
use crate::lane::Numbers;
use crate::math::each::Each;
use crate::world::behaviour::{MAX_BEHAVIOURS, legs};
use crate::world::{Behaviour, BehaviourKind, GroupDef, Mark, Refusal, Side, World};

/// A group's behaviours, by priority.
#[derive(Clone, Debug)]
pub(crate) struct Steering<N> {
    /// Empty when the group has none.
    pub(crate) steps: Vec<Step<N>>,
    /// Groups and ranges that the behaviours look at, each once.
    pub(crate) views: Vec<View<N>>,
    /// The largest range of the views, m.
    pub(crate) range: N,
    /// How far ahead of themselves agents look for paths and walls, s: until they have responded.
    pub(crate) ahead: N,
    /// Whether the goal has weight 1, so that without other wishes nothing changes.
    pub(crate) plain_goal: bool,
}

/// One behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Step<N> {
    pub(crate) weight: N,
    /// Whether it is the first of its priority.
    pub(crate) opens: bool,
    pub(crate) act: Act<N>,
}

/// What it does. A `view` is an index into [`Steering::views`]; lengths in metres unless said.
#[derive(Clone, Debug)]
pub(crate) enum Act<N> {
    Goal,
    SeekPoint {
        at: [N; 2],
        range: N,
        slowing: N,
    },
    FleePoint {
        at: [N; 2],
        range: N,
    },
    Seek {
        view: usize,
    },
    Flee {
        view: usize,
        range: N,
    },
    Pursue {
        view: usize,
        horizon: N,
    },
    Evade {
        view: usize,
        range: N,
        horizon: N,
    },
    /// `side`: radians for each response time; `period`: ticks between two values of the noise;
    /// `stream`: which noise.
    Wander {
        side: N,
        period: u64,
        stream: u64,
    },
    Cohesion {
        view: usize,
        half: N,
    },
    Alignment {
        view: usize,
    },
    Path {
        legs: Vec<Leg<N>>,
        closed: bool,
        radius: N,
        slowing: N,
    },
    /// In cells.
    Wall {
        left: bool,
        keep: N,
        band: N,
        range: N,
    },
}

/// Agents of a group that are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View<N> {
    pub(crate) group: u16,
    pub(crate) range: N,
    /// Square of the range, m².
    pub(crate) square: N,
    /// Whether all agents in range are looked at, or the nearest one.
    pub(crate) all: bool,
}

impl<N: Numbers> Default for Steering<N> {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            views: Vec::new(),
            range: N::ZERO,
            ahead: N::ZERO,
            plain_goal: true,
        }
    }
}

/// Behaviours with the one that leads to the goal; the most important come first.
fn by_priority(behaviours: &[Behaviour]) -> Vec<Behaviour> {
    let mut list = behaviours.to_vec();
    if !list.iter().any(|b| b.kind == BehaviourKind::Goal) {
        list.push(Behaviour::new(BehaviourKind::Goal));
    }
    list.sort_by_key(|behaviour| std::cmp::Reverse(behaviour.priority));
    list
}

impl<N: Numbers> Steering<N> {
    fn new(behaviours: &[Behaviour], def: &GroupDef, cell: f64, tick_rate: u32) -> Self {
        let mut steering = Self::default();
        if behaviours.is_empty() {
            return steering;
        }
        steering.ahead = N::from_f64(def.response.min(1.0));
        let list = by_priority(behaviours);
        for (i, behaviour) in list.iter().enumerate() {
            let act = steering.act(behaviour, def, cell, tick_rate, i as u64);
            steering.plain_goal &= !matches!(act, Act::Goal) || behaviour.weight == 1.0;
            let opens = i == 0 || list[i - 1].priority != behaviour.priority;
            steering.steps.push(Step { weight: N::from_f64(behaviour.weight), opens, act });
        }
        let ranges = steering.views.iter().map(|view| view.range);
        steering.range = ranges.fold(N::ZERO, N::larger);
        steering
    }

    /// The index of a view.
    fn view(&mut self, group: GroupId, range: f64, all: bool) -> usize {
        let group = group.index();
        let (square, range) = (N::from_f64(range * range), N::from_f64(range));
        let view = View { group, range, square, all };
        self.views.iter().position(|known| *known == view).unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        })
    }

    fn act(
        &mut self,
        behaviour: &Behaviour,
        def: &GroupDef,
        cell: f64,
        tick_rate: u32,
        stream: u64,
    ) -> Act<N> {
        let n = N::from_f64;
        match &behaviour.kind {
            BehaviourKind::Goal => Act::Goal,
            BehaviourKind::Seek { to: Mark::Point(at), range } => {
                let slowing = n(def.slowing_radius);
                Act::SeekPoint { at: at.each(n), range: n(*range), slowing }
            }
            BehaviourKind::Flee { from: Mark::Point(at), range } => {
                Act::FleePoint { at: at.each(n), range: n(*range) }
            }
            BehaviourKind::Seek { to: Mark::Group(group), range } => {
                Act::Seek { view: self.view(*group, *range, false) }
            }
            BehaviourKind::Flee { from: Mark::Group(group), range } => {
                Act::Flee { view: self.view(*group, *range, false), range: n(*range) }
            }
            BehaviourKind::Pursue { quarry, range, horizon } => {
                Act::Pursue { view: self.view(*quarry, *range, false), horizon: n(*horizon) }
            }
            BehaviourKind::Evade { hunter, range, horizon } => {
                let view = self.view(*hunter, *range, false);
                Act::Evade { view, range: n(*range), horizon: n(*horizon) }
            }
            BehaviourKind::Wander { turn, rate } => {
                let period = (f64::from(tick_rate) / rate).floor().max(1.0) as u64;
                Act::Wander { side: n(turn * def.response), period, stream }
            }
            BehaviourKind::Cohesion { with, range } => {
                Act::Cohesion { view: self.view(*with, *range, true), half: n(range / 2.0) }
            }
            BehaviourKind::Alignment { with, range } => {
                Act::Alignment { view: self.view(*with, *range, true) }
            }
            BehaviourKind::Path { points, radius, closed } => Act::Path {
                legs: legs(points, *closed).map(|[a, b]| Leg::new(a, b)).collect(),
                closed: *closed,
                radius: n(*radius),
                slowing: n(def.slowing_radius),
            },
            BehaviourKind::Wall { side, distance, range } => Act::Wall {
                left: *side == Side::Left,
                keep: n(distance / cell),
                band: n((distance / cell).max(1.0)),
                range: n(range / cell),
            },
        }
    }
}

impl<N: Numbers> World<N> {
    /// Gives a group other behaviours, in place of all that it had; none makes it plain again.
    ///
    /// # Errors
    /// When a group that a behaviour looks at does not exist, a number is out of range, there are too
    /// many, or the goal is listed twice. Nothing changes then.
    pub(crate) fn behave(&mut self, group: u16, behaviours: &[Behaviour]) -> Result<(), Refusal> {
        let groups = self.groups.list.len();
        let mut looks_at = behaviours.iter().filter_map(|b| b.kind.group());
        if let Some(group) = looks_at.find(|&group| !self.groups.has(group)) {
            return Err(Refusal::NoSuchGroup { group, groups });
        }
        let steering = self.steering(&self.groups.list[usize::from(group)].def, behaviours)?;
        let row = &mut self.groups.list[usize::from(group)];
        row.steering = steering;
        row.behaviours = behaviours.to_vec();
        Ok(())
    }

    /// The behaviours of a group as the tick reads them; the groups that they look at are there.
    ///
    /// # Errors
    /// As [`World::behave`].
    pub(crate) fn steering(
        &self,
        def: &GroupDef,
        behaviours: &[Behaviour],
    ) -> Result<Steering<N>, Refusal> {
        let wrong = |why: String| Err(Refusal::NoSuchKind(why));
        if behaviours.len() > MAX_BEHAVIOURS {
            let count = behaviours.len();
            return wrong(format!("{count} behaviours are too many: at most {MAX_BEHAVIOURS}"));
        }
        if behaviours.iter().filter(|b| b.kind == BehaviourKind::Goal).count() > 1 {
            return wrong("the goal is listed twice among the behaviours".to_owned());
        }
        let cell = self.ground.map.cell_size();
        let extent = [self.ground.map.width(), self.ground.map.height()]
            .each(|cells| f64::from(cells) * cell);
        if let Some(error) = behaviours.iter().find_map(|b| b.check(extent).err()) {
            return wrong(error.to_string());
        }
        Ok(Steering::new(behaviours, def, cell, self.settings.tick_rate))
    }
}
