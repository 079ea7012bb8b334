//! What groups find their ways by, beside flow fields: portals, a mesh, a network, waypoints.

use serde_json::json;
use throng::graph::mesh::Mesh;
use throng::graph::network::Network;
use throng::graph::portals::Layout;
use throng::graph::waypoints::Waypoints;
use throng::lane::Numbers;
use throng::nav::navigator::Navigator;
use throng::world::World;

use crate::view::ask::{Answer, Frame};

/// Most lines of an answer. Of more, each of its ways gives every second one, or every third, and so on.
const MAX_LINES: usize = 60_000;

/// What the groups of a class with one navigator share.
enum Source<'a> {
    Portals(&'a Layout),
    Mesh(&'a Mesh),
    Network(&'a Network),
    Waypoints(&'a Waypoints),
}

/// A source, and the groups that go by it.
struct Way<'a> {
    source: Source<'a>,
    groups: Vec<u16>,
}

/// Lines and points in metres.
#[derive(Default)]
struct Drawn {
    lines: Vec<[f64; 4]>,
    points: Vec<[f64; 2]>,
}

/// All ways that groups go by, in a frame: of each its lines, then its points, as `f32` in metres.
pub(super) fn answer<N: Numbers>(world: &World<N>, frame: Frame) -> Answer {
    let cell = world.map().cell_size();
    let ways: Vec<(Way<'_>, Drawn)> = ways(world)
        .into_iter()
        .map(|way| {
            let mut drawn = way.source.draw(cell, world.map().stride());
            drawn.lines.retain(|line| meets(line, frame));
            drawn.points.retain(|&[x, y]| meets(&[x, y, x, y], frame));
            (way, drawn)
        })
        .collect();
    let all: usize = ways.iter().map(|(_, drawn)| drawn.lines.len()).sum();
    let every = all.div_ceil(MAX_LINES).max(1);
    let heads = ways.iter().map(|(way, Drawn { lines, points })| {
        json!({
            "by": way.source.name(), "groups": way.groups,
            "lines": lines.len().div_ceil(every), "points": points.len(),
        })
    });
    let head = json!({ "every": every, "ways": heads.collect::<Vec<_>>() });
    Answer::with_head(&head, |body| {
        for (_, Drawn { lines, points }) in &ways {
            let lines = lines.iter().step_by(every).flatten();
            let numbers = lines.chain(points.iter().flatten());
            numbers.for_each(|&number| body.extend((number as f32).to_le_bytes()));
        }
    })
}

/// The sources that groups go by, each once.
fn ways<N: Numbers>(world: &World<N>) -> Vec<Way<'_>> {
    let mut ways: Vec<Way<'_>> = Vec::new();
    for (index, group) in world.groups().iter().enumerate() {
        let index = index as u16;
        let id = world.group_id(index);
        let prepared = || world.prepared(id);
        let source = match group.def.navigator {
            Navigator::Corridor => world.portals(id).map(Source::Portals),
            Navigator::Mesh => prepared().and_then(|all| all.mesh()).map(Source::Mesh),
            Navigator::Network => prepared().and_then(|all| all.network()).map(Source::Network),
            Navigator::Waypoints => {
                prepared().and_then(|all| all.waypoints()).map(Source::Waypoints)
            }
            _ => None,
        };
        let Some(source) = source else { continue };
        let base = world.base_group(index);
        match ways.iter_mut().find(|way| way.source.is(&source)) {
            Some(way) if way.groups.contains(&base) => {}
            Some(way) => way.groups.push(base),
            None => ways.push(Way { source, groups: vec![base] }),
        }
    }
    ways
}

/// Whether the rectangle around a line and a frame have a point in common.
fn meets(&[ax, ay, bx, by]: &[f64; 4], [x0, y0, x1, y1]: Frame) -> bool {
    ax.min(bx) <= x1 && ax.max(bx) >= x0 && ay.min(by) <= y1 && ay.max(by) >= y0
}

impl Source<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Portals(_) => "portals",
            Self::Mesh(_) => "mesh",
            Self::Network(_) => "network",
            Self::Waypoints(_) => "waypoints",
        }
    }

    /// Whether two are the same thing, not only equal.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Portals(a), Self::Portals(b)) => std::ptr::eq(*a, *b),
            (Self::Mesh(a), Self::Mesh(b)) => std::ptr::eq(*a, *b),
            (Self::Network(a), Self::Network(b)) => std::ptr::eq(*a, *b),
            (Self::Waypoints(a), Self::Waypoints(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }

    /// `stride` is that of the map's padded cells, `cell` the side of one in metres.
    fn draw(&self, cell: f64, stride: u32) -> Drawn {
        let place = |index: u32| [index % stride - 1, index / stride - 1].map(f64::from);
        match self {
            Self::Portals(layout) => portals(layout, cell, place),
            Self::Mesh(mesh) => edges(mesh, cell),
            Self::Network(network) => links(network),
            Self::Waypoints(waypoints) => {
                sights(waypoints, |index| place(index).map(|c| (c + 0.5) * cell))
            }
        }
    }
}

/// Portals as lines along the border that they cross, with the cells that stand for them as points.
fn portals(layout: &Layout, cell: f64, place: impl Fn(u32) -> [f64; 2]) -> Drawn {
    let mut drawn = Drawn::default();
    for node in 0..layout.node_count() {
        let portal = layout.portal(node);
        let pair = |at: u32| portal.pair(at, layout.stride()).map(&place);
        let [first, across] = pair(0);
        let [last, _] = pair(portal.count() - 1);
        // The near side is left of the border, or above it.
        let [x, y] = across;
        let end = if across[0] > first[0] { [x, last[1] + 1.0] } else { [last[0] + 1.0, y] };
        drawn.lines.push([x, y, end[0], end[1]].map(|c| c * cell));
        let [a, b] = pair(portal.middle());
        drawn.points.push([0, 1].map(|axis| (a[axis] + b[axis] + 1.0) / 2.0 * cell));
    }
    drawn
}

/// The edges of a mesh, whose unit is a cell, each once.
fn edges(mesh: &Mesh, cell: f64) -> Drawn {
    let mut drawn = Drawn::default();
    for polygon in 0..mesh.polygon_count() {
        let places = mesh.places(polygon);
        for (at, &across) in mesh.across(polygon).iter().enumerate() {
            // Of an edge between two the one with the smaller number draws it; `NONE` is above all.
            if across > polygon {
                let ([ax, ay], [bx, by]) = (places[at], places[(at + 1) % places.len()]);
                drawn.lines.push([ax, ay, bx, by].map(|c| c * cell));
            }
        }
    }
    drawn
}

/// The edges of a network that are not blocked, and its nodes.
fn links(network: &Network) -> Drawn {
    let points = network.points().to_vec();
    let open = (0..).zip(network.edges()).filter(|&(edge, _)| network.open(edge, 0.0));
    let line = |nodes: [u32; 2]| {
        let [[ax, ay], [bx, by]] = nodes.map(|node| points[node as usize]);
        [ax, ay, bx, by]
    };
    Drawn { lines: open.map(|(_, edge)| line(edge.nodes)).collect(), points }
}

/// Waypoints that see each other.
fn sights(waypoints: &Waypoints, middle: impl Fn(u32) -> [f64; 2]) -> Drawn {
    let points: Vec<[f64; 2]> = waypoints.cells().iter().map(|&cell| middle(cell)).collect();
    let mut lines = Vec::new();
    for (from, [ax, ay]) in (0..).zip(&points) {
        let later = waypoints.graph().edges(from).iter().filter(|&&(to, _)| to > from);
        let ends = later.map(|&(to, _)| points[to as usize]);
        lines.extend(ends.map(|[bx, by]| [*ax, *ay, bx, by]));
    }
    Drawn { lines, points }
}
