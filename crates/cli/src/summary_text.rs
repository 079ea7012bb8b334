//! The summary as people read it.

use std::fmt;

use crate::summary::{Shared, Summary, TickTimes};
use throng::report::battle::Battle;
use throng::report::crush::Crush;
use throng::report::number::{plural, thousands};
use throng::report::observer::Looks;

/// Width of the longest bar, characters.
const BAR: f64 = 28.0;

/// Characters of a line of the verdict, at most.
const WIDTH: usize = 86;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.scenario, self.map)?;
        self.write_verdict(f)?;
        writeln!(f)?;
        self.write_crowd(f)?;
        writeln!(f)?;
        if let Some(battle) = &self.battle {
            writeln!(f, "{battle}")?;
        }
        if !self.timeline.is_empty() {
            writeln!(f, "{}", self.timeline)?;
        }
        if let Some(minds) = &self.minds {
            writeln!(f, "{minds}")?;
        }
        self.write_speed(f)?;
        self.write_stages(f)
    }
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processes, bytes_per_tick, imbalance, waiting, moves, .. } = *self;
        let bytes = thousands(bytes_per_tick.round() as u64);
        let (moves, waiting) = (plural(moves, "move"), percent(waiting));
        write!(f, "{processes}, {bytes} bytes a tick, waiting {waiting}, ")?;
        write!(f, "imbalance {imbalance:.2} after {moves} of cuts")
    }
}

impl Summary {
    /// One sentence that says how it went, of some lines.
    fn write_verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrived = match (self.arrived, self.agents_ever()) {
            _ if self.battle.as_ref().is_some_and(|battle| !battle.teams.is_empty()) => {
                self.battle.as_ref().map_or_else(String::new, Battle::verdict)
            }
            (_, 0) => "nobody there".to_owned(),
            (0, _) => "nobody has arrived".to_owned(),
            (arrived, agents) if arrived == agents && self.agents == 0 => {
                "all have left".to_owned()
            }
            (arrived, agents) if arrived == agents => "everybody arrived".to_owned(),
            (arrived, agents) => format!("{} arrived", percent(arrived as f64 / agents as f64)),
        };
        let walls = match self.crowd.inside_wall {
            0 => "nobody inside a wall".to_owned(),
            1 => "1 AGENT INSIDE A WALL".to_owned(),
            many => format!("{} AGENTS INSIDE A WALL", thousands(many)),
        };
        let cut_off = (self.unreachable > 0).then(|| {
            let (lost, agents) = (thousands(self.unreachable), plural(self.agents, "agent"));
            let whose = if self.unreachable == 1 { "its" } else { "their" };
            format!("{lost} of {agents} cannot reach {whose} goal")
        });
        let stuck = match (self.crowd.stuck_agents_max, self.crowd.stuck_agents_max_of) {
            (0, _) if cut_off.is_some() => "nobody else got stuck".to_owned(),
            (0, _) => "nobody got stuck".to_owned(),
            (1, of) => format!("at most 1 of {} was stuck at once", thousands(of)),
            (most, of) => {
                let most = format!("at most {} of {}", thousands(most), thousands(of));
                let at = seconds(self.crowd.stuck_agents_max_at as f64 * self.dt);
                format!("{most} were stuck at once, after {at}")
            }
        };
        let (first, arrived) = match cut_off {
            Some(cut_off) => (cut_off, Some(arrived)),
            None => (arrived, None),
        };
        let mut line = format!("  {first}");
        let parts = match self.looks() {
            Looks::Usual => {
                vec![walls, overlaps(&self.crowd.crush), passes(&self.crowd.crush), stuck]
            }
            Looks::Few => {
                vec![walls, overlaps(&self.crowd.crush), "no passes counted".to_owned(), stuck]
            }
            Looks::None => vec![walls, "the crowd was not measured".to_owned()],
        };
        for part in arrived.into_iter().chain(parts) {
            if line.chars().count() + part.chars().count() + 2 > WIDTH {
                writeln!(f, "{line};")?;
                line = format!("  {part}");
            } else {
                line = format!("{line}; {part}");
            }
        }
        writeln!(f, "{line}.")
    }

    /// When all agents were looked at.
    fn looks(&self) -> Looks {
        self.shared.as_ref().map_or(Looks::Usual, |shared| shared.looks)
    }

    fn write_crowd(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = percent(self.arrived as f64 / self.agents_ever().max(1) as f64);
        line(f, "agents", &thousands(self.agents))?;
        if self.crowd.left > 0 {
            line(f, "left", &format!("{} more, counted as arrived", thousands(self.crowd.left)))?;
        }
        line(f, "arrived", &format!("{} ({share})", thousands(self.arrived)))?;
        if let Some(traffic) = &self.traffic {
            write!(f, "{traffic}")?;
        }
        if let Some(structures) = &self.structures {
            write!(f, "{structures}")?;
        }
        if self.unreachable > 0 {
            let cannot = format!("{} cannot reach their goal", thousands(self.unreachable));
            line(f, "cut off", &cannot)?;
        }
        if self.overflowed > 0 {
            let share = percent(self.overflowed as f64 / self.agents.max(1) as f64);
            let text = format!("{} ({share}) stand around a full goal", thousands(self.overflowed));
            line(f, "overflowed", &text)?;
        }
        for goal in &self.full_goals {
            line(f, "too small", &goal.to_string())?;
        }
        line(f, "inside a wall", &thousands(self.crowd.inside_wall))?;
        match self.looks() {
            Looks::None => Ok(()),
            _ => self.write_measured(f),
        }
    }

    /// What was measured of the crowd.
    fn write_measured(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = percent(self.crowd.max_overlap_radii);
        line(
            f,
            "deepest overlap",
            &format!("{:.3} m ({depth} of a radius)", self.crowd.max_overlap_m),
        )?;
        let most = plural(self.crowd.overlapping_pairs, "pair");
        let rate = significant(self.crowd.crush.pairs_per_1000);
        line(f, "overlapping", &format!("{rate} pairs per 1,000 agents, {most} at most"))?;
        self.write_crush(f)?;
        line(f, "mean speed", &format!("{:.2} m/s under way", self.crowd.mean_speed))?;
        self.write_stuck(f)?;
        match &self.routes {
            Some(routes) => line(f, "routes", &routes.to_string()),
            None => Ok(()),
        }
    }

    /// How many were stuck, for how long and when.
    fn write_stuck(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let crowd = &self.crowd;
        let agents = plural(crowd.stuck_agents, "agent");
        if crowd.stuck_agents == 0 {
            return line(f, "stuck", &agents);
        }
        let [longest, in_all] = [crowd.stuck_longest_s, crowd.stuck_agent_s].map(seconds);
        let end = thousands(crowd.stuck_agents_end);
        let text = format!("{agents}, the longest for {longest}, {end} at the end");
        line(f, "stuck", &text)?;
        let (most, at) = (thousands(crowd.stuck_agents_max), crowd.stuck_agents_max_at);
        let at = seconds(at as f64 * self.dt);
        line(f, "stuck at once", &format!("{most} at most, after {at}; {in_all} for all together"))
    }

    /// Pairs that overlapped deeply, and pairs that passed through each other, where there are any.
    fn write_crush(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let crush = &self.crowd.crush;
        if crush.deeper_25 > 0.0 {
            let [some, more, most, worst] =
                [crush.deeper_25, crush.deeper_50, crush.deeper_100, crush.worst_deeper_25]
                    .map(significant);
            line(
                f,
                "deeper than",
                &format!("25 %: {some}, 50 %: {more}, 100 %: {most} per 1,000"),
            )?;
            let at = thousands(crush.worst_at);
            line(f, "at the worst", &format!("25 %: {worst} per 1,000 (tick {at})"))?;
        }
        let [same, other] = [crush.passed_through_same, crush.passed_through_other];
        if same + other > 0 {
            let [same, other] = [same, other].map(thousands);
            line(f, "passed through", &format!("{same} in a group, {other} between groups"))?;
        }
        Ok(())
    }

    fn write_speed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = 1.0 / self.dt;
        let even = (rate - rate.round()).abs() < 1e-6 * rate && rate >= 1.5;
        let tick = if even { format!("1/{rate:.0} s") } else { format!("{} s", self.dt) };
        let mut simulated = format!("{} of {tick}", plural(self.ticks_done(), "tick"));
        if self.first_tick > 0 {
            simulated.push_str(&format!(", from tick {} on", thousands(self.first_tick)));
        }
        let time = seconds(self.ticks_done() as f64 * self.dt);
        line(f, "simulated", &format!("{time}, {simulated}"))?;
        let threads = plural(u64::from(self.threads), "thread");
        line(f, "took", &format!("{} on {threads}, {}", seconds(self.wall_s), self.numeric))?;
        if let Some(shared) = &self.shared {
            line(f, "processes", &shared.to_string())?;
            let all = |why| format!("no, {why}");
            line(
                f,
                "divided",
                &shared.whole.map_or("a part of the agents in each".to_owned(), all),
            )?;
        }
        line(f, "pace", &format!("{} × real time", significant(self.real_time_factor())))?;
        let cost = tenths(self.ns_per_agent_tick);
        line(f, "cost", &format!("{cost} ns per agent and tick"))?;
        let TickTimes { median, slowest, slowest_at } = self.tick_ms;
        if slowest > 0.0 {
            let [median, slowest] = [median, slowest].map(significant);
            let at = thousands(slowest_at);
            line(f, "a tick", &format!("{median} ms, the slowest {slowest} ms (tick {at})"))?;
        }
        if self.peak_rss_mb > 0.0 {
            let most = thousands(self.peak_rss_mb.round() as u64);
            line(f, "memory", &format!("{most} MB at most"))?;
        }
        line(f, "digest", &self.digest)
    }

    /// One bar a stage, longest for the dearest; all stages below a hundredth of the tick share a row.
    fn write_stages(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.stages.iter().map(|stage| stage.1).fold(0.0, f64::max);
        if most <= 0.0 {
            return Ok(());
        }
        writeln!(f, "\n  stage           ns per agent and tick")?;
        let width = format!("{most:.2}").len().max(6);
        let sum = |stages: &[&(String, f64)]| stages.iter().map(|stage| stage.1).sum::<f64>();
        let least = sum(&self.stages.iter().collect::<Vec<_>>()) / 100.0;
        let (mut rows, small): (Vec<_>, Vec<_>) =
            self.stages.iter().partition(|stage| stage.1 >= least);
        let others = ("others".to_owned(), sum(&small));
        rows.extend((!small.is_empty()).then_some(&others));
        for (stage, ns) in rows {
            let eighths = (ns / most * BAR * 8.0).round() as usize;
            let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
            let bar = "█".repeat(eighths / 8);
            writeln!(f, "  {}", format!("{stage:<15} {ns:>width$.2}  {bar}{part}").trim_end())?;
        }
        Ok(())
    }
}

/// How deep agents overlapped, over the whole run.
fn overlaps(crush: &Crush) -> String {
    let deepest = percent(crush.overlap_max);
    let mut parts = Vec::new();
    for (share, word) in [(crush.overlap_p50, "half"), (crush.overlap_p99, "99 %")] {
        // A whole percentage that they do not reach.
        let limit = (share * 100.0).floor() + 1.0;
        if limit < crush.overlap_max * 100.0 {
            parts.push(format!("{word} below {limit:.0} %, "));
        }
    }
    match parts.concat() {
        _ if crush.overlap_max == 0.0 => "nobody overlaps".to_owned(),
        none if none.is_empty() => format!("overlaps reach {deepest} of a radius"),
        some => format!("overlaps: {some}the deepest {deepest} of a radius"),
    }
}

/// How often agents passed through each other.
fn passes(crush: &Crush) -> String {
    let all = crush.passed_through_same + crush.passed_through_other;
    let groups = match (crush.passed_through_same, crush.passed_through_other) {
        (0, 0) => return "nobody passed through anybody".to_owned(),
        (_, 0) => "in a group".to_owned(),
        (0, _) => "between groups".to_owned(),
        (_, other) => format!("{} between groups", thousands(other)),
    };
    let times = if all == 1 { "once".to_owned() } else { format!("{} times", thousands(all)) };
    format!("agents passed through each other {times}, {groups}")
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "  {name:<15} {value}")
}

/// "98.7 %"; never rounded up to 100 % nor down to 0 %.
fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round();
    let tenths = if share < 1.0 { tenths.min(999.0) } else { tenths };
    let tenths = if share > 0.0 { tenths.max(1.0) } else { tenths };
    if tenths % 10.0 == 0.0 {
        return format!("{:.0} %", tenths / 10.0);
    }
    format!("{:.1} %", tenths / 10.0)
}

/// "850 ms", "12.3 s", "110 s", "4 min 5 s", "2 h 3 min".
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 99.95 => format!("{s:.1} s"),
        s if s < 119.5 => format!("{s:.0} s"),
        s if s < 3600.0 => {
            let whole = s.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        }
        s => {
            let minutes = (s / 60.0).round() as u64;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

/// With one digit after the point, or none from 1,000 on: "93.4", "16,036".
pub(crate) fn tenths(number: f64) -> String {
    if number < 999.95 { format!("{number:.1}") } else { thousands(number.round() as u64) }
}

/// Three digits or more; never rounded down to 0.
fn significant(number: f64) -> String {
    match number {
        n if n > 0.0 && n < 0.005 => "under 0.01".to_owned(),
        n if n >= 1000.0 => thousands(n.round() as u64),
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}
