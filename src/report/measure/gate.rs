//! Lines that count the agents that cross them.

use crate::map::Map;
use crate::map::area::open_length;
use crate::math::each::Each;
use crate::report::measure::report::{Crossing, GateReport, StreamReport};
use crate::scenario::GatePlan;

/// A gate's line, with what is needed to tell its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    from: [f64; 2],
    way: [f64; 2],
    min: [f64; 2],
    max: [f64; 2],
}

impl Line {
    pub(super) fn new(gate: &GatePlan) -> Self {
        let GatePlan { from, to, .. } = gate;
        let each = |f: fn(f64, f64) -> f64| [f(from[0], to[0]), f(from[1], to[1])];
        Self {
            from: *from,
            way: [to[0] - from[0], to[1] - from[1]],
            min: each(f64::min),
            max: each(f64::max),
        }
    }

    /// Positive on the right as seen along the line, 0 on it.
    fn side(&self, at: [f64; 2]) -> f64 {
        self.way[0] * (at[1] - self.from[1]) - self.way[1] * (at[0] - self.from[0])
    }

    /// Whether a point lies between the ends of the line, seen across it.
    fn faces(&self, at: [f64; 2]) -> bool {
        let [wx, wy] = self.way;
        let along = wx * (at[0] - self.from[0]) + wy * (at[1] - self.from[1]);
        (0.0..=wx * wx + wy * wy).contains(&along)
    }

    /// Whether a point lies exactly on the line. An agent there has not crossed.
    pub(super) fn holds(&self, at: [f64; 2]) -> bool {
        let near = (0..2).all(|i| self.min[i] <= at[i] && at[i] <= self.max[i]);
        near && self.side(at) == 0.0 && self.faces(at)
    }

    /// Whether the way from one point to another crosses the line: the share of the way before it,
    /// and whether that is forward.
    pub(super) fn crossed(&self, before: [f64; 2], now: [f64; 2]) -> Option<(f64, bool)> {
        let apart =
            |i: usize| before[i].max(now[i]) < self.min[i] || before[i].min(now[i]) > self.max[i];
        if apart(0) || apart(1) {
            return None;
        }
        let (a, b) = (self.side(before), self.side(now));
        if !((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)) {
            return None;
        }
        let share = a / (a - b);
        let at = [0, 1].each(|i| before[i] + share * (now[i] - before[i]));
        self.faces(at).then_some((share, b > 0.0))
    }
}

/// Seconds over which flow at a moment is taken.
const FLOW_WINDOW_S: f64 = 10.0;

/// Counts at one gate.
#[derive(Clone, Debug)]
pub(super) struct GateMeter {
    plan: GatePlan,
    length_m: f64,
    open_m: f64,
    crossings: Vec<Crossing>,
}

impl GateMeter {
    pub(super) fn new(plan: &GatePlan, map: &Map) -> Self {
        let [dx, dy] = [0, 1].each(|i| plan.to[i] - plan.from[i]);
        Self {
            plan: plan.clone(),
            length_m: (dx * dx + dy * dy).sqrt(),
            open_m: open_length(map, plan.from, plan.to),
            crossings: Vec::new(),
        }
    }

    pub(super) fn count(&mut self, crossing: Crossing) {
        self.crossings.push(crossing);
    }

    /// What the crossings amount to, with counts at these times.
    pub(super) fn report(&self, times: &[f64]) -> GateReport {
        let mut crossings = self.crossings.clone();
        mark_for_good(&mut crossings);
        crossings.sort_by(|a, b| a.time_s.total_cmp(&b.time_s).then(a.agent.cmp(&b.agent)));
        let [forward, backward] = [true, false].map(|forward| {
            let wanted = |crossing: &&Crossing| crossing.for_good && crossing.forward == forward;
            crossings.iter().filter(wanted).map(|c| c.time_s).collect::<Vec<f64>>()
        });
        let so_far = |passed: &[f64], now: f64| passed.partition_point(|&time| time <= now) as u64;
        let counts = |passed: &[f64]| times.iter().map(|&now| so_far(passed, now)).collect();
        let flows = |passed: &[f64]| {
            let flow = |&now: &f64| {
                let since = (now - FLOW_WINDOW_S).max(0.0);
                let passed = so_far(passed, now) - so_far(passed, since);
                if now > since { passed as f64 / (now - since) } else { 0.0 }
            };
            times.iter().map(flow).collect()
        };
        GateReport {
            name: self.plan.name.clone(),
            from: self.plan.from,
            to: self.plan.to,
            length_m: self.length_m,
            open_m: self.open_m,
            forward: self.stream(crossings.iter().filter(|crossing| crossing.forward)),
            backward: self.stream(crossings.iter().filter(|crossing| !crossing.forward)),
            both: self.stream(crossings.iter()),
            forward_count: counts(&forward),
            backward_count: counts(&backward),
            forward_flow: flows(&forward),
            backward_flow: flows(&backward),
            crossings,
        }
    }

    /// What some crossings, by time, amount to.
    fn stream<'a>(&self, crossings: impl Iterator<Item = &'a Crossing> + Clone) -> StreamReport {
        let passed = crossings.clone().filter(|crossing| crossing.for_good);
        let times: Vec<f64> = passed.map(|crossing| crossing.time_s).collect();
        let tenth = times.len() / 10;
        let flow =
            times.len().checked_sub(1 + tenth).filter(|last| *last > tenth).and_then(|last| {
                let seconds = times[last] - times[tenth];
                (seconds > 0.0).then(|| (last - tenth) as f64 / seconds)
            });
        StreamReport {
            count: times.len() as u64,
            crossings: crossings.count() as u64,
            first_s: times.first().copied(),
            last_s: times.last().copied(),
            flow_per_s: flow,
            specific_flow_per_m_s: flow
                .filter(|_| self.open_m > 0.0)
                .map(|flow| flow / self.open_m),
        }
    }
}

/// Marks the crossings after which the agent does not come back: of every agent's, a crossing and the
/// next one in the other direction undo each other.
fn mark_for_good(crossings: &mut [Crossing]) {
    crossings.sort_by(|a, b| {
        let who = |crossing: &Crossing| (crossing.agent, crossing.appearance);
        who(a).cmp(&who(b)).then(a.time_s.total_cmp(&b.time_s))
    });
    let mut left: Vec<usize> = Vec::new();
    for at in 0..crossings.len() {
        let this = crossings[at];
        crossings[at].for_good = true;
        let same =
            |other: &Crossing| (other.agent, other.appearance) == (this.agent, this.appearance);
        match left.last().filter(|&&last| same(&crossings[last])) {
            Some(&last) if crossings[last].forward != this.forward => {
                crossings[last].for_good = false;
                crossings[at].for_good = false;
                left.pop();
            }
            _ => left.push(at),
        }
    }
}
