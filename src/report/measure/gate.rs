//! Lines that count who crosses them.

use serde::Serialize;

use crate::map::Map;
use crate::map::area::open_length;
use crate::report::measure::report::GateReport;
use crate::report::measure::report::StreamReport;
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

    /// Positive on the right of someone who looks along the line, 0 on it.
    fn side(&self, at: [f64; 2]) -> f64 {
        self.way[0] * (at[1] - self.from[1]) - self.way[1] * (at[0] - self.from[0])
    }

    /// Whether a point lies between the ends of the line, seen across it.
    fn faces(&self, at: [f64; 2]) -> bool {
        let [wx, wy] = self.way;
        let along = wx * (at[0] - self.from[0]) + wy * (at[1] - self.from[1]);
        (0.0..=wx * wx + wy * wy).contains(&along)
    }

    /// Whether a point lies exactly on the line. Who stands there has not crossed.
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
        let at = [0, 1].map(|i| before[i] + share * (now[i] - before[i]));
        self.faces(at).then_some((share, b > 0.0))
    }
}

/// Somebody crosses a gate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// When, in seconds, between the ticks before and after.
    pub time_s: f64,
    /// The index part of the agent's id.
    pub agent: u32,
    /// The agent's group.
    pub group: u16,
    /// From the left to the right of someone who looks along the gate.
    pub forward: bool,
}

/// Counts at one gate.
#[derive(Clone, Debug)]
pub(super) struct GateMeter {
    plan: GatePlan,
    length_m: f64,
    open_m: f64,
    crossings: Vec<Crossing>,
    /// Crossings so far forward and backward, at every sample.
    forward: Vec<u64>,
    backward: Vec<u64>,
    counts: [u64; 2],
}

impl GateMeter {
    pub(super) fn new(plan: &GatePlan, map: &Map) -> Self {
        let [dx, dy] = [0, 1].map(|i| plan.to[i] - plan.from[i]);
        Self {
            plan: plan.clone(),
            length_m: (dx * dx + dy * dy).sqrt(),
            open_m: open_length(map, plan.from, plan.to),
            crossings: Vec::new(),
            forward: Vec::new(),
            backward: Vec::new(),
            counts: [0; 2],
        }
    }

    pub(super) fn count(&mut self, crossing: Crossing) {
        self.counts[usize::from(!crossing.forward)] += 1;
        self.crossings.push(crossing);
    }

    pub(super) fn sample(&mut self) {
        self.forward.push(self.counts[0]);
        self.backward.push(self.counts[1]);
    }

    pub(super) fn report(&self) -> GateReport {
        let mut crossings = self.crossings.clone();
        crossings.sort_by(|a, b| {
            a.time_s
                .total_cmp(&b.time_s)
                .then(a.agent.cmp(&b.agent))
                .then(a.forward.cmp(&b.forward))
        });
        let stream = |wanted: fn(&Crossing) -> bool| {
            let times = crossings.iter().filter(|crossing| wanted(crossing));
            self.stream(&times.map(|crossing| crossing.time_s).collect::<Vec<f64>>())
        };
        GateReport {
            name: self.plan.name.clone(),
            from: self.plan.from,
            to: self.plan.to,
            length_m: self.length_m,
            open_m: self.open_m,
            forward: stream(|crossing| crossing.forward),
            backward: stream(|crossing| !crossing.forward),
            both: stream(|_| true),
            forward_count: self.forward.clone(),
            backward_count: self.backward.clone(),
            crossings,
        }
    }

    /// What sorted times of crossings amount to.
    fn stream(&self, times: &[f64]) -> StreamReport {
        let tenth = times.len() / 10;
        let flow =
            times.len().checked_sub(1 + tenth).filter(|last| *last > tenth).and_then(|last| {
                let seconds = times[last] - times[tenth];
                (seconds > 0.0).then(|| (last - tenth) as f64 / seconds)
            });
        StreamReport {
            count: times.len() as u64,
            first_s: times.first().copied(),
            last_s: times.last().copied(),
            flow_per_s: flow,
            specific_flow_per_m_s: flow
                .filter(|_| self.open_m > 0.0)
                .map(|flow| flow / self.open_m),
        }
    }
}
