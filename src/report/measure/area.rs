//! Density, speed and lanes in an area.

use crate::map::Map;
use crate::map::area::{Bounds, free_area};
use crate::math::each::Each;
use crate::par;
use crate::report::Crowd;
use crate::report::measure::lanes::{Walker, lane_order};
use crate::report::measure::report::{AreaReport, Service};
use crate::report::measure::series::{AreaSample, AreaSeries};
use crate::report::measure::voronoi::Local;
use crate::scenario::AreaPlan;

/// Looks at one area.
#[derive(Clone, Debug)]
pub(super) struct AreaMeter {
    plan: AreaPlan,
    bounds: Option<Bounds>,
    free_m2: f64,
    series: AreaSeries,
    /// By sample: agents that had a direction.
    walking: Vec<u64>,
}

impl AreaMeter {
    pub(super) fn new(plan: &AreaPlan, map: &Map) -> Self {
        Self {
            plan: plan.clone(),
            bounds: Bounds::of(&plan.shapes),
            free_m2: free_area(map, &plan.shapes),
            series: AreaSeries::default(),
            walking: Vec::new(),
        }
    }

    pub(super) fn sample(&mut self, crowd: &Crowd, velocities: &[[f32; 2]], local: Local) {
        let inside = self.walkers(crowd, velocities);
        let speeds = inside.iter().map(|Walker { vel: [x, y], .. }| (x * x + y * y).sqrt());
        let count = inside.len() as f64;
        let sum: f64 = speeds.sum();
        let density = if self.free_m2 > 0.0 { count / self.free_m2 } else { 0.0 };
        let lanes = lane_order(&inside);
        self.series.push(AreaSample {
            agents: inside.len() as u64,
            density,
            mean_speed: (!inside.is_empty()).then(|| sum / count),
            voronoi_density: local.density,
            voronoi_speed: local.speed,
            lane_order: lanes.map(|lanes| lanes.order),
            lane_order_by_chance: lanes.map(|lanes| lanes.chance),
        });
        self.walking.push(lanes.map_or(0, |lanes| lanes.agents));
    }

    /// Agents whose centre is inside, in the order of rows.
    fn walkers(&self, crowd: &Crowd, velocities: &[[f32; 2]]) -> Vec<Walker> {
        let Some(Bounds { min, max }) = self.bounds else { return Vec::new() };
        let holds = |[x, y]: [f64; 2]| {
            let near = min[0] <= x && x <= max[0] && min[1] <= y && y <= max[1];
            near && self.plan.shapes.iter().any(|shape| shape.contains(x, y))
        };
        let walker = |row: usize| {
            let pos = crowd.positions[row].each(f64::from);
            holds(pos).then(|| Walker {
                pos,
                vel: velocities[row].each(f64::from),
                radius: f64::from(crowd.radius(row)),
            })
        };
        par::runs(crowd.len(), 1 << 13, |rows| rows.filter_map(walker).collect::<Vec<_>>()).concat()
    }

    /// Means over the samples from `first` on.
    pub(super) fn report(&self, first: usize) -> AreaReport {
        let series = &self.series;
        let densities = series.density.iter().skip(first);
        let weights = |column: &[Option<f64>], weights: &[u64]| {
            let pairs = column.iter().zip(weights).skip(first);
            mean(pairs.filter_map(|(value, &weight)| value.map(|value| (value, weight as f64))))
        };
        let voronoi = series.voronoi_density.iter().skip(first);
        let speeds = series.voronoi_speed.iter().skip(first).flatten();
        let flow = series.density.iter().zip(&series.mean_speed).skip(first);
        AreaReport {
            name: self.plan.name.clone(),
            free_m2: self.free_m2,
            mean_density: mean(densities.map(|&density| (density, 1.0))),
            max_density: series.density.iter().copied().reduce(f64::max),
            mean_speed: weights(&series.mean_speed, &series.agents),
            specific_flow_per_m_s: mean(
                flow.map(|(density, speed)| (density * speed.unwrap_or(0.0), 1.0)),
            ),
            mean_voronoi_density: mean(voronoi.map(|&density| (density, 1.0))),
            mean_voronoi_speed: mean(speeds.map(|&speed| (speed, 1.0))),
            service: Service::of(series.density.get(first..).unwrap_or_default()),
            lane_order: weights(&series.lane_order, &self.walking),
            lane_order_by_chance: weights(&series.lane_order_by_chance, &self.walking),
            series: series.clone(),
        }
    }
}

/// The mean of values with their weights; `None` without weight.
fn mean(pairs: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (sum, weight) =
        pairs.fold((0.0, 0.0), |(sum, all), (value, weight)| (sum + value * weight, all + weight));
    (weight > 0.0).then(|| sum / weight)
}
