//! The measures as people read them.

use std::fmt;

use crate::report::measure::report::Report;
use crate::report::number::{plural, thousands};

/// Widest name shown whole, in characters.
const NAME: usize = 20;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.sample_every as f64 * self.dt;
        writeln!(f, "measures, a sample every {seconds} s, means from {} s on", self.warm_up_s)?;
        writeln!(f)?;
        let pairs = plural(self.overlap.max_pairs, "pair");
        let share = self.overlap.max_radii * 100.0;
        let depth = format!("{:.3} m ({share:.1} % of a radius)", self.overlap.max_m);
        writeln!(f, "  deepest overlap   {depth}, {pairs} at most")?;
        let crush = &self.crush;
        let rates = [crush.pairs_per_1000, crush.deeper_25, crush.deeper_50, crush.deeper_100];
        let [pairs, some, more, most] = rates.map(|rate| format!("{rate:.1}"));
        writeln!(
            f,
            "  pairs per 1,000   {pairs}, deeper than 25 %: {some}, 50 %: {more}, 100 %: {most}"
        )?;
        let [same, other] = [crush.passed_through_same, crush.passed_through_other].map(thousands);
        writeln!(f, "  passed through    {same} in a group, {other} between groups")?;
        let walls = &self.walls;
        let touching = plural(walls.max_agents, "agent");
        writeln!(
            f,
            "  deepest in a wall {:.3} m, {touching} at most, {} with their centre",
            walls.max_depth_m, walls.max_inside
        )?;
        writeln!(f, "  mean speed        {} m/s under way", number(self.mean_speed, 2))?;
        let settled = match self.settle_time_s {
            Some(time) => format!("after {time:.1} s"),
            None => "no, somebody moved at the end".to_owned(),
        };
        writeln!(f, "  at rest           {settled}")?;
        writeln!(f)?;
        self.write_groups(f)?;
        self.write_gates(f)?;
        self.write_areas(f)
    }
}

impl Report {
    fn write_groups(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = "  agents   arrived  stuck s  at rest s   way: mean  median    95 %     max";
        writeln!(f, "  {:NAME$}  {columns}", "group")?;
        for group in &self.groups {
            let path = &group.path;
            let ratios = [path.mean_ratio, path.median_ratio, path.p95_ratio, path.max_ratio];
            let [mean, median, p95, max] = ratios.map(|ratio| number(ratio, 3));
            writeln!(
                f,
                "  {:NAME$}  {:>8}  {:>8}  {:>7}  {:>9}  {mean:>10}  {median:>6}  {p95:>6}  {max:>6}",
                short(&group.name),
                thousands(group.agents),
                thousands(group.arrived),
                thousands(group.stuck_agent_s.round() as u64),
                number(group.settle_time_s, 1),
            )?;
        }
        let trips: u64 = self.groups.iter().map(|group| group.path.trips).sum();
        let by_field: u64 = self.groups.iter().map(|group| group.path.trips_by_field).sum();
        if trips > 0 {
            let rest = if by_field == trips { "" } else { ", the others by the straight line" };
            let (trips, by_field) = (plural(trips, "trip"), thousands(by_field));
            writeln!(
                f,
                "  way: length walked by the way along the flow field; {by_field} of {trips}{rest}"
            )?;
        }
        Ok(())
    }

    fn write_gates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.gates.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        let columns = "open m  direction   passed   (swayed)    last s  persons/s  persons/(m·s)";
        writeln!(f, "  {:NAME$}  {columns}", "gate")?;
        for gate in &self.gates {
            for (word, stream) in [("forward", &gate.forward), ("backward", &gate.backward)] {
                let last = number(stream.last_s, 1);
                writeln!(
                    f,
                    "  {:NAME$}  {:>6.2}  {word:9}  {:>7}  {:>9}  {last:>8}  {:>9}  {:>13}",
                    short(&gate.name),
                    gate.open_m,
                    thousands(stream.count),
                    thousands(stream.crossings - stream.count),
                    number(stream.flow_per_s, 3),
                    number(stream.specific_flow_per_m_s, 3),
                )?;
            }
        }
        Ok(())
    }

    fn write_areas(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.areas.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        let columns = "free m²  per m²  Voronoi   most   m/s  Voronoi   flow  level  lanes  chance";
        writeln!(f, "  {:NAME$}  {columns}", "area")?;
        for area in &self.areas {
            writeln!(
                f,
                "  {:NAME$}  {:>7.1}  {:>6}  {:>7}  {:>5}  {:>4}  {:>7}  {:>5}  {:>5}  {:>5}  {:>6}",
                short(&area.name),
                area.free_m2,
                number(area.mean_density, 3),
                number(area.mean_voronoi_density, 3),
                number(area.max_density, 3),
                number(area.mean_speed, 2),
                number(area.mean_voronoi_speed, 2),
                number(area.specific_flow_per_m_s, 3),
                area.service.map_or('–', |service| service.most()),
                number(area.lane_order, 2),
                number(area.lane_order_by_chance, 2),
            )?;
        }
        writeln!(
            f,
            "  per m², most: agents a square metre, the mean and the most; flow: agents a metre and \
             second;\n  lanes: the order of lanes, and that by chance alone"
        )
    }
}

/// A number that may not be there.
fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
}

/// A name in one cell of a table.
fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}
