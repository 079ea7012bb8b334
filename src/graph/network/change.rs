//! Networks on ground that changes.

use crate::data::sets;
use crate::graph::network::draft::Draft;
use crate::graph::network::follow::{each_of_ring, nearest_spot};
use crate::graph::network::nearby::Wanted;
use crate::graph::network::obstacles::{Obstacles, Point, enough};
use crate::graph::network::{Network, Sizes, measure};
use crate::math::each::Each;
use std::collections::{BTreeMap, VecDeque};

impl Network {
    /// Measures again what obstacles or ground that changed inside a window (least and greatest x
    /// and y in metres) can have changed, and returns how many edges were blocked or opened. The
    /// result is the network that measuring everything again would give.
    pub fn invalidate(&mut self, obstacles: &impl Obstacles, window: [Point; 2]) -> u32 {
        let [least, most] = window;
        let around = obstacles.reach(self.sizes.cap);
        let middle = 0.5 * (least[1] + most[1]);
        let (left, right) = ([least[0], middle], [most[0], middle]);
        let reach = 0.5 * (most[1] - least[1]).abs() + around;
        let near = |point: Point| {
            (0..2).all(|axis| {
                point[axis] >= least[axis] - around && point[axis] <= most[axis] + around
            })
        };
        let mut nodes = Vec::new();
        self.node_bins.each_near(left, right, reach, |node| nodes.push(node));
        let mut edges = Vec::new();
        self.edge_bins.each_near(left, right, reach, |edge| edges.push(edge));
        for node in nodes {
            let at = self.points[node as usize];
            if near(at) {
                self.radii[node as usize] = obstacles.clearance(at, self.sizes.cap);
            }
        }
        let mut changed = 0;
        for edge in sets::distinct(edges) {
            let nodes = self.edges[edge as usize].nodes;
            let [a, b] = nodes.each(|node| self.points[node as usize]);
            let beyond = |axis: usize| {
                a[axis].max(b[axis]) < least[axis] - around
                    || a[axis].min(b[axis]) > most[axis] + around
            };
            if beyond(0) || beyond(1) {
                continue;
            }
            let was = self.open(edge, 0.0);
            let now = measure(obstacles, self.sizes, &self.points, &self.radii, nodes);
            self.edges[edge as usize] = now;
            changed += u32::from(was != self.open(edge, 0.0));
        }
        changed
    }

    /// Adds nodes from a position to the network: it spreads over free ground in steps of `spacing`
    /// metres until a node is in sight, and keeps the steps that led there. Returns the id of the
    /// node nearest to the position, or `None` when `most` steps lead nowhere; then nothing is
    /// added. Ids of nodes stay; ids of edges do not.
    pub fn grow(
        &mut self,
        obstacles: &impl Obstacles,
        at: Point,
        spacing: f64,
        most: u32,
    ) -> Option<u32> {
        let Sizes { radius, .. } = self.sizes;
        let start = nearest_spot(obstacles, at, radius, spacing, |_| true)?;
        let place =
            |(x, y): (i64, i64)| [start[0] + x as f64 * spacing, start[1] + y as f64 * spacing];
        let mut parents = BTreeMap::from([((0, 0), (0, 0))]);
        let mut queue = VecDeque::from([(0, 0)]);
        let (mut near, mut found) = (Vec::new(), Vec::new());
        while let Some(step) = queue.pop_front() {
            let here = place(step);
            let wanted = Wanted { nodes: 4, tries: 64 };
            let sees = |node: Point| obstacles.fits(here, node, radius);
            self.in_sight(here, wanted, sees, &mut near, &mut found);
            if !found.is_empty() {
                let draft = self.with_steps(&parents, step, &found, place);
                *self = Self::new(&draft, obstacles, self.sizes);
                // The last one added is the one where the steps began.
                return Some(self.points.len() as u32 - 1);
            }
            each_of_ring(1, |x, y| {
                let next = (step.0 + x, step.1 + y);
                let there = place(next);
                let room = parents.len() < most as usize && !parents.contains_key(&next);
                if room
                    && enough(obstacles.clearance(there, radius.max(1e-3)), radius)
                    && obstacles.fits(here, there, radius)
                {
                    parents.insert(next, step);
                    queue.push_back(next);
                }
            });
        }
        None
    }

    /// The network and the steps from where a node is in sight back to the first one.
    fn with_steps(
        &self,
        parents: &BTreeMap<(i64, i64), (i64, i64)>,
        last: (i64, i64),
        seen: &[u32],
        place: impl Fn((i64, i64)) -> Point,
    ) -> Draft {
        let mut draft = self.edit();
        let mut step = last;
        let mut node = draft.add(place(step), 0);
        for &other in seen {
            draft.link(node, other);
        }
        while parents[&step] != step {
            step = parents[&step];
            let next = draft.add(place(step), 0);
            draft.link(node, next);
            node = next;
        }
        draft
    }
}
