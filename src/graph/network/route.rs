//! Ways over a network, from anywhere to anywhere.

use crate::graph::Graph;
use crate::graph::network::Network;
use crate::graph::network::follow::{WallFollower, nearest_spot};
use crate::graph::network::nearby::{Sight, Wanted};
use crate::graph::network::obstacles::{Obstacles, Point};
use crate::graph::network::refine::{length, pull_with, skip_with};
use crate::graph::network::scratch::Scratch;
use crate::math::plane::distance;

/// Start and goal of an agent, and its radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trip {
    /// Start in metres.
    pub from: Point,
    /// Goal in metres.
    pub to: Point,
    /// Radius of the agent in metres.
    pub radius: f64,
}

/// How ways are sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Nodes in sight of start and goal that a way may begin and end at.
    pub links: u32,
    /// Nodes that are looked at for that, nearest first.
    pub tries: u32,
    /// Points ahead that skipping looks at; 0 leaves the way as the network has it.
    pub look: u32,
    /// How often the string is pulled.
    pub pulls: u32,
    /// What to do when start or goal sees no node.
    pub unseen: Unseen,
}

impl Default for Query {
    fn default() -> Self {
        let unseen = Unseen::NearestSpot { range: 4.0 };
        Self { links: 16, tries: 64, look: 16, pulls: 3, unseen }
    }
}

/// What to do when a position sees no node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unseen {
    /// Answer [`Outcome::NoNode`]; the caller adds nodes ([`Network::grow`]) and asks again.
    MoreNodes,
    /// Walk towards the other end and then along walls, on the left hand, until a node is in sight.
    WallFollow {
        /// Steps of one radius (a quarter of the unit for points) at most.
        steps: u32,
    },
    /// Go on from the nearest valid spot that sees a node. The part of the way between is not
    /// checked: such a position is too near a wall, or inside one.
    NearestSpot {
        /// Metres from the position at most.
        range: f64,
    },
}

/// The result of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// There is a way.
    Found {
        /// Its length in metres.
        length: f64,
        /// Nodes that the search expanded.
        expansions: u32,
    },
    /// The start, or else the goal, sees no node.
    NoNode {
        /// Whether it is the start, else the goal.
        start: bool,
    },
    /// The edges that are open for this radius do not lead there.
    NoWay {
        /// Nodes that the search expanded.
        expansions: u32,
    },
}

/// A network with the goal as one more node.
struct Towards<'a> {
    network: &'a Network,
    radius: f64,
    /// Nodes in sight of the goal, ascending, and the cost from there.
    goals: &'a [(u32, u32)],
}

impl Graph for Towards<'_> {
    fn node_count(&self) -> u32 {
        self.network.points.len() as u32 + 1
    }

    fn each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let goal = self.network.points.len() as u32;
        if node == goal {
            return;
        }
        for &(to, edge) in self.network.links(node) {
            if self.network.open(edge, self.radius) {
                visit(to, self.network.edges[edge as usize].cost);
            }
        }
        if let Ok(at) = self.goals.binary_search_by_key(&node, |&(node, _)| node) {
            visit(goal, self.goals[at].1);
        }
    }
}

impl Network {
    /// Writes a way for an agent over `path`, from its start to its goal: straight where it can be,
    /// else over the cheapest way from a node in sight to another, made shorter by skipping and
    /// pulling. `path` is empty when there is none. Once warm it allocates nothing.
    pub fn route(
        &self,
        obstacles: &impl Obstacles,
        trip: &Trip,
        query: &Query,
        scratch: &mut Scratch,
        path: &mut Vec<Point>,
    ) -> Outcome {
        path.clear();
        scratch.looked = 0;
        scratch.nodes.clear();
        scratch.head.clear();
        scratch.tail.clear();
        let mut inner = *trip;
        let outcome = match self.attempt(obstacles, &inner, query, scratch, path) {
            Outcome::NoNode { start: true } => {
                let Some(from) = self.elsewhere(obstacles, trip, true, query, scratch) else {
                    return Outcome::NoNode { start: true };
                };
                inner.from = from;
                self.attempt(obstacles, &inner, query, scratch, path)
            }
            other => other,
        };
        let outcome = match outcome {
            Outcome::NoNode { start: false } => {
                let Some(to) = self.elsewhere(obstacles, trip, false, query, scratch) else {
                    return outcome;
                };
                inner.to = to;
                self.attempt(obstacles, &inner, query, scratch, path)
            }
            other => other,
        };
        let Outcome::Found { expansions, .. } = outcome else {
            path.clear();
            return outcome;
        };
        if !scratch.head.is_empty() || !scratch.tail.is_empty() {
            path.splice(0..0, scratch.head.iter().copied());
            path.extend(scratch.tail.iter().rev());
        }
        Outcome::Found { length: length(path), expansions }
    }

    /// A way between positions that see nodes.
    fn attempt(
        &self,
        obstacles: &impl Obstacles,
        trip: &Trip,
        query: &Query,
        scratch: &mut Scratch,
        path: &mut Vec<Point>,
    ) -> Outcome {
        path.clear();
        let sight = Sight::new(obstacles, trip.radius, [trip.from, trip.to]);
        let straight = sight.sees(trip.from, trip.to).then(|| obstacles.ground(trip.from, trip.to));
        scratch.looked += 1;
        // No way is faster than a straight one over the best ground.
        if straight.is_some_and(|ground| ground.worst <= obstacles.slowness()[0]) {
            path.extend([trip.from, trip.to]);
            return Outcome::Found { length: length(path), expansions: 0 };
        }
        let wanted = Wanted { nodes: query.links, tries: query.tries };
        for start in [true, false] {
            let at = if start { trip.from } else { trip.to };
            let sees = |node: Point| sight.sees(at, node);
            let tried = self.in_sight(at, wanted, sees, &mut scratch.near, &mut scratch.seen);
            scratch.looked += tried;
            let ends = if start { &mut scratch.starts } else { &mut scratch.goals };
            let cost =
                |&node: &u32| (node, super::cost_of(obstacles, at, self.points[node as usize]));
            ends.clear();
            ends.extend(scratch.seen.iter().map(cost));
            if ends.is_empty() && straight.is_none() {
                return Outcome::NoNode { start };
            }
        }
        scratch.goals.sort_unstable();
        let goal = self.points.len() as u32;
        if straight.is_some() {
            scratch.starts.push((goal, super::cost_of(obstacles, trip.from, trip.to)));
        }
        let Scratch { search, starts, goals, nodes, grounds, looked, .. } = scratch;
        // Rounded down and a little less, so that it never falls by more than an edge costs.
        let rate = f64::from(obstacles.slowness()[0]) * (16.0 - 16e-6) / self.unit;
        let estimate = |node: u32| {
            self.points.get(node as usize).map_or(0, |&at| (distance(at, trip.to) * rate) as u32)
        };
        let graph = Towards { network: self, radius: trip.radius, goals };
        let found = search.find(&graph, starts, |node| node == goal, estimate);
        let expansions = search.expansions();
        if found.is_none() {
            return Outcome::NoWay { expansions };
        }
        search.path(goal, nodes);
        nodes.pop();
        path.push(trip.from);
        path.extend(nodes.iter().map(|&node| self.points[node as usize]));
        path.push(trip.to);
        if query.look > 0 {
            *looked += skip_with(&sight, query.look, path, grounds);
            for _ in 0..query.pulls {
                let [pulled, moved] = pull_with(&sight, path);
                *looked += pulled;
                if moved == 0 {
                    break;
                }
                *looked += skip_with(&sight, query.look, path, grounds);
            }
        }
        Outcome::Found { length: length(path), expansions }
    }

    /// Where to go on when an end of a trip sees no node; the way there goes to the scratch.
    fn elsewhere(
        &self,
        obstacles: &impl Obstacles,
        trip: &Trip,
        start: bool,
        query: &Query,
        scratch: &mut Scratch,
    ) -> Option<Point> {
        let (at, other) = if start { (trip.from, trip.to) } else { (trip.to, trip.from) };
        let wanted = Wanted { nodes: 1, tries: query.tries };
        let Scratch { near, seen, head, tail, looked, .. } = scratch;
        let way = if start { head } else { tail };
        way.push(at);
        let mut sees_node = |spot: Point, near: &mut Vec<(f64, u32)>| {
            let sees = |node: Point| obstacles.fits(spot, node, trip.radius);
            *looked += self.in_sight(spot, wanted, sees, near, seen);
            !seen.is_empty()
        };
        match query.unseen {
            Unseen::MoreNodes => None,
            Unseen::WallFollow { steps } => {
                let step = if trip.radius > 0.0 { trip.radius } else { 0.25 * self.unit };
                let mut walker = WallFollower::new(at, other, trip.radius, step);
                for _ in 0..steps {
                    let next = walker.step(obstacles)?;
                    if sees_node(next, near) || obstacles.fits(next, other, trip.radius) {
                        return Some(next);
                    }
                    way.push(next);
                }
                None
            }
            Unseen::NearestSpot { range } => {
                nearest_spot(obstacles, at, trip.radius, range, |spot| sees_node(spot, near))
            }
        }
    }
}
