//! A navigation mesh whose obstacles come and go.

use super::arrange;
use super::arrange::{Edges, Place, Segment, Winding, touch};
use super::cover::{faces, overlap, triangulate};
use super::delaunay::{Cdt, Triangulation, cells, on_circle};
use super::polygons::{PolygonError, inside, obstacle, segments};
use crate::graph::{Mesh, NONE};
use crate::math::each::Each;
use spade::handles::FixedVertexHandle;
use spade::{Point2, Triangulation as _};
use std::collections::{BTreeMap, BTreeSet};

/// The id of the boundary among the outlines.
const BOUNDARY: u32 = u32::MAX;

/// Times that edges are cut anew where rounded parts cross.
const ROUNDS: u32 = 8;

/// The free area inside a boundary, from which polygons are taken and to which they are given back.
///
/// Adding or removing an obstacle changes the constrained Delaunay triangulation only around it and
/// where it overlaps others; [`ObstacleMesh::refresh`] then makes the mesh of all triangles, in time
/// linear in them. The mesh depends on the polygons alone, not on the order of changes: it is the
/// one that [`Mesh::from_polygons`] makes, to the bit.
#[derive(Clone, Debug)]
pub struct ObstacleMesh {
    outlines: BTreeMap<u32, Outline>,
    next: u32,
    edges: Edges,
    /// How polygons lie on the edges that are walls, from lower end to higher.
    cdt: Cdt<Winding>,
    /// Whether edges had to be cut more than once, so changes are not local.
    rough: bool,
    mesh: Mesh,
    stale: bool,
    /// What the polygons before the last refresh are now.
    now: Vec<u32>,
}

/// A polygon: its edges, and where each is cut.
#[derive(Clone, Debug)]
struct Outline {
    bounds: [[f64; 2]; 2],
    segments: Vec<Segment>,
    chains: Vec<Vec<Place>>,
}

impl Outline {
    fn new(segments: Vec<Segment>) -> Self {
        let mut bounds = segments[0].bounds();
        for other in segments.iter().map(Segment::bounds) {
            for i in 0..2 {
                bounds[0][i] = bounds[0][i].min(other[0][i]);
                bounds[1][i] = bounds[1][i].max(other[1][i]);
            }
        }
        let chains = vec![Vec::new(); segments.len()];
        Self { bounds, segments, chains }
    }
}

impl ObstacleMesh {
    /// The area inside a boundary and outside of obstacles, whose ids count from 0.
    ///
    /// # Errors
    /// Any of [`PolygonError`]; see [`Mesh::from_polygons`].
    pub fn new(boundary: &[[f64; 2]], obstacles: &[Vec<[f64; 2]>]) -> Result<Self, PolygonError> {
        let around = Winding { boundary: 1, obstacles: 0 };
        let boundary = segments(boundary, around, || "the boundary".to_owned())?;
        let mut new = Self {
            outlines: BTreeMap::from([(BOUNDARY, Outline::new(boundary))]),
            next: 0,
            edges: Edges::new(),
            cdt: Cdt::new(),
            rough: false,
            mesh: Mesh::default(),
            stale: true,
            now: Vec::new(),
        };
        for corners in obstacles {
            let outline = new.outline(corners)?;
            new.outlines.insert(new.next, outline);
            new.next += 1;
        }
        new.rebuild()?;
        new.refresh();
        Ok(new)
    }

    /// Adds an obstacle and returns its id. Ids are not used again.
    ///
    /// # Errors
    /// Any of [`PolygonError`]; then nothing has changed.
    pub fn add(&mut self, corners: &[[f64; 2]]) -> Result<u32, PolygonError> {
        let outline = self.outline(corners)?;
        let id = self.next;
        let bounds = outline.bounds;
        self.outlines.insert(id, outline);
        let repaired = !self.rough && self.repair(bounds, None);
        if let Err(error) = if repaired { Ok(()) } else { self.rebuild() } {
            self.outlines.remove(&id);
            self.rebuild().expect("what could be built before can be built again");
            return Err(error);
        }
        self.next += 1;
        self.stale = true;
        Ok(id)
    }

    /// Removes an obstacle; false when there is none of this id.
    pub fn remove(&mut self, id: u32) -> bool {
        if id == BOUNDARY {
            return false;
        }
        let Some(outline) = self.outlines.remove(&id) else { return false };
        if self.rough || !self.repair(outline.bounds, Some(&outline)) {
            self.rebuild().expect("fewer obstacles are not harder to build");
        }
        self.stale = true;
        true
    }

    /// Makes the mesh anew when obstacles have changed, and returns it.
    pub fn refresh(&mut self) -> &Mesh {
        if self.stale {
            let new = self.triangulation().merged();
            self.now = same(&self.mesh, &new);
            self.mesh = new;
            self.stale = false;
        }
        &self.mesh
    }

    /// The mesh as of the last refresh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The mesh as of the last refresh, alone.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// What a polygon of the mesh before the last refresh that changed something is now; `None` when
    /// it has changed.
    pub fn now(&self, polygon: u32) -> Option<u32> {
        self.now.get(polygon as usize).copied().filter(|&now| now != NONE)
    }

    /// The edges of an obstacle, which must overlap the inside of the boundary.
    fn outline(&self, corners: &[[f64; 2]]) -> Result<Outline, PolygonError> {
        let name = || obstacle(self.next);
        let segments = segments(corners, Winding { boundary: 0, obstacles: 1 }, name)?;
        let boundary = &self.outlines[&BOUNDARY].segments;
        let quick = segments.iter().any(|segment| inside(boundary, segment.from));
        if !quick && !overlap(boundary, &segments)? {
            return Err(PolygonError::Outside { polygon: name() });
        }
        Ok(Outline::new(segments))
    }

    /// Where an edge of an outline is cut by the others.
    fn chain(&self, id: u32, segment: &Segment) -> Vec<Place> {
        let (bounds, mut places) = (segment.bounds(), Vec::new());
        for (_, outline) in self.outlines.iter().filter(|(other, _)| **other != id) {
            if touch(outline.bounds, bounds) {
                let near = outline.segments.iter().filter(|other| touch(other.bounds(), bounds));
                near.for_each(|other| segment.meet(other, &mut places));
            }
        }
        segment.chain(places)
    }

    /// Cuts anew the edges in a box where an outline is new or gone, and repairs the triangulation;
    /// false when rounded parts meet, and it must be built anew.
    fn repair(&mut self, bounds: [[f64; 2]; 2], gone: Option<&Outline>) -> bool {
        let mut touched = BTreeMap::new();
        let near = |outline: &Outline| touch(outline.bounds, bounds);
        let ids: Vec<u32> =
            self.outlines.iter().filter(|(_, o)| near(o)).map(|(&id, _)| id).collect();
        for id in ids {
            for i in 0..self.outlines[&id].segments.len() {
                let segment = self.outlines[&id].segments[i];
                if !touch(segment.bounds(), bounds) {
                    continue;
                }
                let chain = self.chain(id, &segment);
                let outline = self.outlines.get_mut(&id).expect("an outline");
                let old = &mut outline.chains[i];
                if *old != chain {
                    change(&mut self.edges, &mut touched, old, segment.winding, -1);
                    change(&mut self.edges, &mut touched, &chain, segment.winding, 1);
                    *old = chain;
                }
            }
        }
        if let Some(outline) = gone {
            for (segment, chain) in outline.segments.iter().zip(&outline.chains) {
                change(&mut self.edges, &mut touched, chain, segment.winding, -1);
            }
        }
        self.repair_walls(&touched)
    }

    /// Takes walls that are gone out of the triangulation and puts new ones in.
    fn repair_walls(&mut self, touched: &BTreeMap<[Place; 2], Winding>) -> bool {
        let none = Winding::default();
        let winding = |edges: &Edges, ends| edges.get(ends).map_or(none, |weight| weight.winding);
        let mut ends_of_gone = BTreeSet::new();
        for (ends, &old) in touched {
            if old != none && winding(&self.edges, ends) == none {
                let [from, to] = ends.each(|end| self.vertex(end));
                let (Some(from), Some(to)) = (from, to) else { return false };
                let Some(edge) = self.cdt.get_edge_from_neighbors(from, to) else { return false };
                let edge = edge.as_undirected().fix();
                self.cdt.remove_constraint_edge(edge);
                ends_of_gone.extend(ends);
            }
        }
        for end in ends_of_gone {
            let Some(vertex) = self.vertex(end) else { return false };
            let mut edges = self.cdt.vertex(vertex).out_edges();
            if !edges.any(|edge| edge.is_constraint_edge()) {
                self.cdt.remove(vertex);
            }
        }
        touched.keys().all(|ends| {
            let new = winding(&self.edges, ends);
            new == none || self.wall(*ends, new)
        })
    }

    fn vertex(&self, place: Place) -> Option<FixedVertexHandle> {
        let [x, y] = place.0;
        self.cdt.locate_vertex(Point2::new(x, y)).map(|vertex| vertex.fix())
    }

    /// The vertex at a place, a new one if need be; `None` when it comes to lie on a wall.
    fn insert(&mut self, place: Place) -> Option<FixedVertexHandle> {
        let known = self.cdt.num_vertices();
        let vertex = self.cdt.insert(Point2::new(place.0[0], place.0[1])).ok()?;
        let mut edges = self.cdt.vertex(vertex).out_edges();
        let new = self.cdt.num_vertices() > known;
        (!new || !edges.any(|edge| edge.is_constraint_edge())).then_some(vertex)
    }

    /// Makes an edge a wall, or changes how polygons lie on it; false when another is in the way.
    fn wall(&mut self, ends: [Place; 2], winding: Winding) -> bool {
        let [Some(a), Some(b)] = ends.each(|end| self.insert(end)) else { return false };
        if !self.cdt.can_add_constraint(a, b) {
            return false;
        }
        self.cdt.add_constraint(a, b);
        // There is no such edge when a vertex lies on the way.
        let Some(edge) = self.cdt.get_edge_from_neighbors(a, b) else { return false };
        let edge = edge.as_undirected().fix();
        *self.cdt.undirected_edge_data_mut(edge).data_mut() = winding;
        true
    }

    /// Builds the triangulation anew.
    fn rebuild(&mut self) -> Result<(), PolygonError> {
        let all: Vec<Segment> =
            self.outlines.values().flat_map(|outline| &outline.segments).copied().collect();
        let mut chains = arrange::chains(&all);
        self.edges.clear();
        for (segment, chain) in all.iter().zip(&chains) {
            arrange::put(&mut self.edges, chain, segment.winding, 1, |_| ());
        }
        let mut left = chains.drain(..);
        for outline in self.outlines.values_mut() {
            outline.chains = left.by_ref().take(outline.segments.len()).collect();
        }
        let mut detail = String::new();
        for round in 0..ROUNDS {
            match triangulate(&self.edges) {
                Ok(cdt) => {
                    self.cdt = cdt;
                    self.rough = round > 0;
                    return Ok(());
                }
                Err(error) => detail = error,
            }
            let parts = arrange::parts(&self.edges);
            self.edges.clear();
            for (part, chain) in parts.iter().zip(arrange::chains(&parts)) {
                arrange::put(&mut self.edges, &chain, part.winding, 1, |_| ());
            }
        }
        Err(PolygonError::TooNear { polygon: "polygons".to_owned(), detail })
    }

    /// The triangulation of the free area as it is now.
    pub fn triangulation(&self) -> Triangulation {
        let (points, faces, _) = faces(&self.cdt);
        let cells = cells(&faces, &points, on_circle);
        Triangulation { points, cells }
    }
}

/// Adds or takes away parts of an edge, and notes how polygons lay on the parts that changed.
fn change(
    edges: &mut Edges,
    touched: &mut BTreeMap<[Place; 2], Winding>,
    chain: &[Place],
    winding: Winding,
    times: i32,
) {
    for ends in chain.windows(2) {
        let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let old = edges.get(&key).map_or(Winding::default(), |weight| weight.winding);
        touched.entry(key).or_insert(old);
    }
    arrange::put(edges, chain, winding, times, |_| ());
}

/// For each polygon of a mesh, the same one in another; [`NONE`] where there is none. Polygons of
/// both are in the order of their first edges, by y and x.
fn same(old: &Mesh, new: &Mesh) -> Vec<u32> {
    let places = |mesh: &Mesh, polygon: u32| -> Vec<Place> {
        mesh.corners(polygon).iter().map(|&at| Place(mesh.points()[at as usize])).collect()
    };
    let mut now = vec![NONE; old.polygon_count() as usize];
    let (mut i, mut j) = (0, 0);
    while i < old.polygon_count() && j < new.polygon_count() {
        let (a, b) = (places(old, i), places(new, j));
        if a == b {
            now[i as usize] = j;
        }
        let order = a[..2].cmp(&b[..2]);
        i += u32::from(order.is_le());
        j += u32::from(order.is_ge());
    }
    now
}
