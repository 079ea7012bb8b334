//! The summary as people read it.

use std::fmt;

use crate::report::battle::Battle;
use crate::report::summary::Summary;
use crate::report::summary::TickTimes;
use crate::report::summary::thousands;

/// Width of the longest bar, characters.
const BAR: f64 = 28.0;

/// Share of the smaller radius up to which overlaps pass as a squeeze.
const SQUEEZE: f64 = 0.25;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.scenario, self.map)?;
        writeln!(f, "  {}", self.verdict())?;
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

impl Summary {
    /// One sentence that says how it went.
    fn verdict(&self) -> String {
        let arrived = match (self.arrived, self.agents) {
            _ if self.battle.is_some() => {
                self.battle.as_ref().map_or_else(String::new, Battle::verdict)
            }
            (_, 0) => "nobody there".to_owned(),
            (0, _) => "nobody has arrived".to_owned(),
            (arrived, agents) if arrived == agents => "everybody arrived".to_owned(),
            (arrived, agents) => format!("{} arrived", percent(arrived as f64 / agents as f64)),
        };
        let walls = match self.inside_wall {
            0 => "nobody inside a wall".to_owned(),
            1 => "1 AGENT INSIDE A WALL".to_owned(),
            many => format!("{} AGENTS INSIDE A WALL", thousands(many)),
        };
        let overlaps = match self.max_overlap_radii {
            _ if self.overlapping_pairs == 0 => "nobody overlaps".to_owned(),
            depth if depth <= SQUEEZE => "overlaps are shallow".to_owned(),
            depth => format!("overlaps reach {} of a radius", percent(depth)),
        };
        let each = self.stuck_agent_s / self.agents.max(1) as f64;
        let stuck = match each {
            _ if self.stuck_agent_s == 0.0 => "nobody got stuck".to_owned(),
            each if each < 1.0 => "few got stuck".to_owned(),
            each => format!("stuck for {each:.0} s each on average"),
        };
        format!("{arrived}; {walls}; {overlaps}; {stuck}.")
    }

    fn write_crowd(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = percent(self.arrived as f64 / self.agents.max(1) as f64);
        line(f, "agents", &thousands(self.agents))?;
        line(f, "arrived", &format!("{} ({share})", thousands(self.arrived)))?;
        line(f, "inside a wall", &thousands(self.inside_wall))?;
        let depth = percent(self.max_overlap_radii);
        line(f, "deepest overlap", &format!("{:.3} m ({depth} of a radius)", self.max_overlap_m))?;
        line(f, "overlapping", &plural(self.overlapping_pairs, "pair"))?;
        line(f, "mean speed", &format!("{:.2} m/s under way", self.mean_speed))?;
        let stuck = thousands(self.stuck_agent_s.round() as u64);
        line(f, "stuck", &format!("{stuck} agent-seconds"))
    }

    fn write_speed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = 1.0 / self.dt;
        let even = (rate - rate.round()).abs() < 1e-6 * rate && rate >= 1.5;
        let tick = if even { format!("1/{rate:.0} s") } else { format!("{} s", self.dt) };
        let simulated = format!("{} of {tick}", plural(self.ticks, "tick"));
        line(f, "simulated", &format!("{}, {simulated}", seconds(self.simulated_s())))?;
        let threads = plural(u64::from(self.threads), "thread");
        line(f, "took", &format!("{} on {threads}, {}", seconds(self.wall_s), self.numeric))?;
        line(f, "pace", &format!("{} × real time", significant(self.real_time_factor())))?;
        line(f, "cost", &format!("{:.1} ns per agent and tick", self.ns_per_agent_tick))?;
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

    /// One bar a stage, longest for the dearest.
    fn write_stages(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.stages.iter().map(|stage| stage.1).fold(0.0, f64::max);
        if most <= 0.0 {
            return Ok(());
        }
        writeln!(f, "\n  stage           ns per agent and tick")?;
        for (stage, ns) in &self.stages {
            let eighths = (ns / most * BAR * 8.0).round() as usize;
            let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
            let bar = "█".repeat(eighths / 8);
            writeln!(f, "  {}", format!("{stage:<15} {ns:>6.2}  {bar}{part}").trim_end())?;
        }
        Ok(())
    }
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

/// "1 pair", "2,000 pairs".
fn plural(number: u64, word: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {word}{ending}", thousands(number))
}

/// "850 ms", "12.3 s", "110 s", "4 min 5 s", "2 h 3 min".
fn seconds(seconds: f64) -> String {
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

/// Three digits or more.
fn significant(number: f64) -> String {
    match number {
        n if n >= 1000.0 => thousands(n.round() as u64),
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}
