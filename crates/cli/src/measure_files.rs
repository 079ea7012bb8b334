//! The files of a run's measures: text, JSON, tables and plots.

use std::fmt::Write;

use image::RgbImage;

use throng::report::measure::{GateReport, Report};
use throng::report::number::csv_field;

use crate::draw::colour::Rgb;
use crate::draw::plot::{COLOURS, Plot, sheet};

/// Curves that a plot has at most; a title says when there are more.
const CURVES: usize = 14;

const GREY: Rgb = [0x90; 3];

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
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        let mut add = |of: String, added: Vec<(&str, Vec<String>)>| {
            columns.extend(added.into_iter().map(|(name, column)| (format!("{of}{name}"), column)));
        };
        add(String::new(), self.0.series.columns());
        for group in &self.0.groups {
            add(format!("group.{}.", group.name), group.series.columns());
        }
        for gate in &self.0.gates {
            let counts = [("forward", &gate.forward_count), ("backward", &gate.backward_count)];
            let cells = counts.map(|(name, column)| (name, column.iter().map(u64::to_string)));
            add(format!("gate.{}.", gate.name), cells.map(|(name, c)| (name, c.collect())).into());
            let flows =
                [("forward_flow", &gate.forward_flow), ("backward_flow", &gate.backward_flow)];
            let cells = flows.map(|(name, column)| (name, column.iter().map(f64::to_string)));
            add(format!("gate.{}.", gate.name), cells.map(|(name, c)| (name, c.collect())).into());
        }
        for area in &self.0.areas {
            add(format!("area.{}.", area.name), area.series.columns());
        }
        let names: Vec<String> = columns.iter().map(|(name, _)| csv_field(name)).collect();
        let mut text = names.join(",") + "\n";
        for sample in 0..self.0.series.time_s.len() {
            let line: Vec<&str> =
                columns.iter().map(|(_, column)| column[sample].as_str()).collect();
            text.push_str(&line.join(","));
            text.push('\n');
        }
        text
    }

    /// Every crossing of every gate as CSV, gate by gate, by time; `forward` and `backward` count the
    /// passages so far.
    pub(crate) fn gates_csv(&self) -> String {
        let mut text = "gate,time_s,id,group,direction,passes,forward,backward\n".to_owned();
        for gate in &self.0.gates {
            let name = csv_field(&gate.name);
            let mut counts = [0, 0];
            for crossing in &gate.crossings {
                let passes = u8::from(crossing.for_good);
                counts[usize::from(!crossing.forward)] += u64::from(passes);
                let group = self.0.groups.get(usize::from(crossing.group));
                let group = group.map_or(String::new(), |group| csv_field(&group.name));
                let direction = if crossing.forward { "forward" } else { "backward" };
                let (time, id, [forward, backward]) = (crossing.time_s, crossing.id, counts);
                writeln!(
                    text,
                    "{name},{time:.6},{id},{group},{direction},{passes},{forward},{backward}"
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
        let stuck: Vec<f64> = series.stuck.iter().map(|&count| count as f64).collect();
        let plot = |title, label, curves: &[(&str, &Vec<f64>)]| {
            let mut plot = self.over_time(title, label);
            for (&(name, column), colour) in curves.iter().zip(COLOURS) {
                plot.line(name, colour, self.values(column));
            }
            plot
        };
        let [agents, walls] = [&series.max_overlap_m, &series.max_wall_depth_m];
        let depths = [
            ("all", &series.pairs_per_1000),
            ("deeper than 25 % of a radius", &series.deeper_25),
            ("deeper than 50 %", &series.deeper_50),
            ("deeper than 100 %", &series.deeper_100),
        ];
        let overlaps = [("of two agents", agents), ("of an agent with a wall", walls)];
        let [same, other] = [&series.passes_same_per_s, &series.passes_other_per_s];
        let passes = [("of one group", same), ("of two groups", other)];
        vec![
            arrived,
            speed,
            plot("Stuck: under a radius in 10 s", "agents stuck", &[("", &stuck)]),
            plot("Deepest overlap", "overlap (m)", &overlaps),
            plot("Overlapping pairs, by depth", "pairs per 1,000 agents", &depths),
            plot("Agents that pass through each other", "times a second", &passes),
        ]
    }

    /// Crossings so far and flow, gate by gate.
    fn gate_plots(&self) -> Vec<Plot> {
        let passed = |gate: &GateReport| {
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
        let flow = |gate: &GateReport| {
            let title = format!("Gate: {}", gate.name);
            let mut plot = self.over_time(&title, "persons/s over the last 10 s");
            plot.line("forward", COLOURS[0], self.values(&gate.forward_flow));
            plot.line("backward", COLOURS[1], self.values(&gate.backward_flow));
            plot
        };
        self.0.gates.iter().flat_map(|gate| [passed(gate), flow(gate)]).collect()
    }

    /// Density and speed, area by area.
    fn area_plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        for (index, area) in self.0.areas.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let title = format!("Area: {}", area.name);
            let mut plot = self.over_time(&title, "density (persons/m²)");
            plot.line("persons inside", colour, self.values(&area.series.density));
            plot.dashes("Voronoi cells", GREY, self.values(&area.series.voronoi_density));
            plots.push(plot);
            let mut plot = self.over_time(&title, "mean speed (m/s)");
            plot.line("persons inside", colour, self.values(&area.series.mean_speed));
            plot.dashes("Voronoi cells", GREY, self.values(&area.series.voronoi_speed));
            plots.push(plot);
        }
        plots
    }

    /// Speed against density of all samples with an agent inside, after the warm-up.
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

    fn values<T: Copy + Into<Option<f64>>>(&self, column: &[T]) -> Vec<[f64; 2]> {
        let times = self.0.series.time_s.iter();
        times.zip(column).map(|(&t, &value)| [t, value.into().unwrap_or(f64::NAN)]).collect()
    }
}
