//! The files of a run's measures: text, JSON, tables and plots.

use std::fmt::Write;

use image::RgbImage;

use throng::report::measure::{GateReport, Report};

use crate::draw::colour::Rgb;
use crate::draw::plot::{COLOURS, Plot, sheet};

/// Curves that a plot has at most; a title says when there are more.
const CURVES: usize = 14;

/// Pixels of one plot on a sheet.
const SIZE: [u32; 2] = [760, 460];

/// A report that becomes files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeasureFiles<'a>(pub(crate) &'a Report);

impl MeasureFiles<'_> {
    /// The report as indented JSON; `docs/formats.md` lists the keys.
    pub(crate) fn to_json(self) -> String {
        serde_json::to_string_pretty(self.0).expect("measures have only plain values")
    }

    /// The time series as CSV: a line of names, then a line a sample. What is not there is empty.
    pub(crate) fn to_csv(self) -> String {
        let series = &self.0.series;
        let whole = |column: &[u64]| column.iter().map(u64::to_string).collect();
        let real = |column: &[f64]| column.iter().map(f64::to_string).collect();
        let some = |column: &[Option<f64>]| {
            column.iter().map(|value| value.map_or(String::new(), |v| v.to_string())).collect()
        };
        let mut columns: Vec<(String, Vec<String>)> = vec![
            ("time_s".into(), real(&series.time_s)),
            ("agents".into(), whole(&series.agents)),
            ("arrived".into(), whole(&series.arrived)),
            ("mean_speed".into(), some(&series.mean_speed)),
            ("kinetic_energy".into(), some(&series.kinetic_energy)),
            ("stuck".into(), whole(&series.stuck)),
            ("max_overlap_m".into(), real(&series.max_overlap_m)),
            ("overlapping_pairs".into(), whole(&series.overlapping_pairs)),
            ("pairs_per_1000".into(), real(&series.press.pairs_per_1000)),
            ("deeper_25".into(), real(&series.press.deeper_25)),
            ("deeper_50".into(), real(&series.press.deeper_50)),
            ("deeper_100".into(), real(&series.press.deeper_100)),
            ("overlap_p99".into(), real(&series.press.overlap_p99)),
            ("passes_same_per_s".into(), real(&series.press.passes_same_per_s)),
            ("passes_other_per_s".into(), real(&series.press.passes_other_per_s)),
            ("max_wall_depth_m".into(), real(&series.max_wall_depth_m)),
            ("wall_contacts".into(), whole(&series.wall_contacts)),
            ("inside_wall".into(), whole(&series.inside_wall)),
        ];
        for group in &self.0.groups {
            let name = |what: &str| format!("group.{}.{what}", group.name);
            columns.push((name("agents"), whole(&group.series.agents)));
            columns.push((name("arrived"), whole(&group.series.arrived)));
            columns.push((name("mean_speed"), some(&group.series.mean_speed)));
        }
        for gate in &self.0.gates {
            columns.push((format!("gate.{}.forward", gate.name), whole(&gate.forward_count)));
            columns.push((format!("gate.{}.backward", gate.name), whole(&gate.backward_count)));
        }
        for area in &self.0.areas {
            let name = |what: &str| format!("area.{}.{what}", area.name);
            columns.push((name("agents"), whole(&area.series.agents)));
            columns.push((name("density"), real(&area.series.density)));
            columns.push((name("mean_speed"), some(&area.series.mean_speed)));
            columns.push((name("lane_order"), some(&area.series.lane_order)));
            columns.push((name("lane_order_by_chance"), some(&area.series.lane_order_by_chance)));
        }
        let mut text: String =
            columns.iter().map(|(name, _)| field(name)).collect::<Vec<_>>().join(",");
        for sample in 0..series.time_s.len() {
            text.push('\n');
            let line: Vec<&str> =
                columns.iter().map(|(_, column)| column[sample].as_str()).collect();
            text.push_str(&line.join(","));
        }
        text.push('\n');
        text
    }

    /// Every crossing of every gate as CSV, gate by gate, by time; `forward` and `backward` count the
    /// passages so far.
    pub(crate) fn gates_csv(&self) -> String {
        let mut text = "gate,time_s,agent,group,direction,passes,forward,backward\n".to_owned();
        for gate in &self.0.gates {
            let name = field(&gate.name);
            let mut counts = [0, 0];
            for crossing in &gate.crossings {
                let passes = u8::from(crossing.for_good);
                counts[usize::from(!crossing.forward)] += u64::from(passes);
                let group = self.0.groups.get(usize::from(crossing.group));
                let group = group.map_or(String::new(), |group| field(&group.name));
                let direction = if crossing.forward { "forward" } else { "backward" };
                let (time, agent, [forward, backward]) = (crossing.time_s, crossing.agent, counts);
                writeln!(
                    text,
                    "{name},{time:.6},{agent},{group},{direction},{passes},{forward},{backward}"
                )
                .expect("a text takes everything");
            }
        }
        text
    }

    /// The plots, each with the name of its file; `colours` of the groups.
    ///
    /// `time.png` is always there; `gates.png` with a gate, `areas.png` and `fundamental.png` with an
    /// area.
    pub(crate) fn plots(&self, title: &str, colours: &[Rgb]) -> Vec<(&'static str, RgbImage)> {
        let mut plots = vec![("time.png", sheet(&self.time_plots(title, colours), 2, SIZE))];
        if !self.0.gates.is_empty() {
            plots.push(("gates.png", sheet(&self.gate_plots(), 2, SIZE)));
        }
        if !self.0.areas.is_empty() {
            plots.push(("areas.png", sheet(&self.area_plots(), 2, SIZE)));
            plots.push(("fundamental.png", self.fundamental(title).draw([900, 600])));
        }
        plots
    }

    /// Arrivals, speed, stuck agents, overlaps, agents that pass through each other.
    fn time_plots(&self, title: &str, colours: &[Rgb]) -> Vec<Plot> {
        let series = &self.0.series;
        let mut arrived = self.over_time(&format!("{title}: arrived"), "agents arrived");
        let mut speed = self.over_time("Mean speed under way", "speed (m/s)");
        for (index, group) in self.0.groups.iter().enumerate().take(CURVES) {
            let colour = colours.get(index).copied().unwrap_or(COLOURS[index % COLOURS.len()]);
            arrived.line(&group.name, colour, self.counts(&group.series.arrived));
            speed.line(&group.name, colour, self.values(&group.series.mean_speed));
        }
        if self.0.groups.len() > CURVES {
            let note = format!(", the first {CURVES} of {} groups", self.0.groups.len());
            arrived = arrived.noted(&note);
            speed = speed.noted(&note);
        }
        let mut stuck = self.over_time("Stuck: under a radius in 10 s", "agents stuck");
        stuck.line("", COLOURS[1], self.counts(&series.stuck));
        let mut overlap = self.over_time("Deepest overlap", "overlap (m)");
        let depths = |column: &[f64]| column.iter().copied().map(Some).collect::<Vec<_>>();
        overlap.line("of two agents", COLOURS[0], self.values(&depths(&series.max_overlap_m)));
        let walls = self.values(&depths(&series.max_wall_depth_m));
        overlap.line("of an agent with a wall", COLOURS[1], walls);
        let press = &series.press;
        let mut deep = self.over_time("Overlapping pairs, by depth", "pairs per 1,000 agents");
        let columns = [
            ("all", &press.pairs_per_1000),
            ("deeper than 25 % of a radius", &press.deeper_25),
            ("deeper than 50 %", &press.deeper_50),
            ("deeper than 100 %", &press.deeper_100),
        ];
        for ((name, column), colour) in columns.into_iter().zip(COLOURS) {
            deep.line(name, colour, self.values(&depths(column)));
        }
        let mut passes = self.over_time("Agents that pass through each other", "times a second");
        passes.line("of one group", COLOURS[0], self.values(&depths(&press.passes_same_per_s)));
        let other = self.values(&depths(&press.passes_other_per_s));
        passes.line("of two groups", COLOURS[1], other);
        vec![arrived, speed, stuck, overlap, deep, passes]
    }

    /// Crossings so far, gate by gate.
    fn gate_plots(&self) -> Vec<Plot> {
        let plot = |gate: &GateReport| {
            let mut plot = self.over_time(&format!("Gate: {}", gate.name), "persons passed, N(t)");
            for (name, colour, stream) in
                [("forward", COLOURS[0], &gate.forward), ("backward", COLOURS[1], &gate.backward)]
            {
                let wanted = (name == "forward", true);
                let crossings = gate.crossings.iter();
                let crossings = crossings.filter(|c| (c.forward, c.for_good) == wanted);
                let mut points = vec![[0.0, 0.0]];
                points.extend(crossings.zip(1_u32..).map(|(c, n)| [c.time_s, f64::from(n)]));
                points.push([self.end_s(), stream.count as f64]);
                let flow = stream.specific_flow_per_m_s;
                let flow = flow.map_or(String::new(), |flow| format!(", {flow:.2} persons/(m·s)"));
                plot.steps(&format!("{name}{flow}"), colour, &points);
            }
            plot
        };
        self.0.gates.iter().map(plot).collect()
    }

    /// Density and speed, area by area.
    fn area_plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        for (index, area) in self.0.areas.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let title = format!("Area: {}", area.name);
            let density: Vec<Option<f64>> = area.series.density.iter().copied().map(Some).collect();
            let mut plot = self.over_time(&title, "density (persons/m²)");
            plot.line("", colour, self.values(&density));
            plots.push(plot);
            let mut plot = self.over_time(&title, "mean speed (m/s)");
            plot.line("", colour, self.values(&area.series.mean_speed));
            plots.push(plot);
        }
        plots
    }

    /// Speed against density of all samples with somebody inside, after the warm-up.
    fn fundamental(&self, title: &str) -> Plot {
        let title = format!("{title}: speed against density");
        let mut plot = Plot::new(&title, "density (persons/m²)", "mean speed (m/s)");
        plot.x_range(Some(0.0), None);
        let first = self.0.series.time_s.partition_point(|&time| time < self.0.warm_up_s);
        for (index, area) in self.0.areas.iter().enumerate().take(CURVES) {
            let pairs = area.series.density.iter().zip(&area.series.mean_speed).skip(first);
            let points = pairs.filter_map(|(&density, speed)| speed.map(|speed| [density, speed]));
            plot.scatter(&area.name, COLOURS[index % COLOURS.len()], points.collect());
        }
        if self.0.areas.len() > CURVES {
            plot = plot.noted(&format!(", the first {CURVES} of {} areas", self.0.areas.len()));
        }
        plot
    }

    fn over_time(&self, title: &str, label: &str) -> Plot {
        let mut plot = Plot::new(title, "time (s)", label);
        plot.x_range(Some(0.0), Some(self.end_s()));
        plot
    }

    fn end_s(&self) -> f64 {
        self.0.ticks as f64 * self.0.dt
    }

    fn counts(&self, column: &[u64]) -> Vec<[f64; 2]> {
        self.0.series.time_s.iter().zip(column).map(|(&t, &count)| [t, count as f64]).collect()
    }

    fn values(&self, column: &[Option<f64>]) -> Vec<[f64; 2]> {
        let times = self.0.series.time_s.iter();
        times.zip(column).map(|(&time, value)| [time, value.unwrap_or(f64::NAN)]).collect()
    }
}

/// A field of a CSV file, in quotes where it needs them (RFC 4180).
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
