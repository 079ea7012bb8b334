//! Which faces of a triangulation polygons cover.

use super::arrange;
use super::arrange::{Edges, Place, Segment, Winding};
use super::delaunay::{Cdt, Face, load};
use super::polygons::PolygonError;
use crate::data::sets;
use crate::math::each::Each;
use spade::{HasPosition, Point2, Triangulation as _};

/// The triangulation of the edges that are walls.
pub(super) fn triangulate(edges: &Edges) -> Result<Cdt<Winding>, String> {
    let walls = || edges.iter().filter(|(_, weight)| weight.winding != Winding::default());
    let places = sets::distinct(walls().flat_map(|(ends, _)| *ends));
    let index = |place: &Place| places.partition_point(|other| other < place) as u32;
    let sides: Vec<[u32; 2]> = walls().map(|(ends, _)| [&ends[0], &ends[1]].each(index)).collect();
    let points: Vec<[f64; 2]> = places.iter().map(|place| place.0).collect();
    let mut cdt = load::<Winding>(&points, &sides).map_err(|error| error.to_string())?;
    let mut windings: Vec<([u32; 2], Winding)> =
        sides.into_iter().zip(walls()).map(|(ends, (_, weight))| (ends, weight.winding)).collect();
    windings.sort_unstable_by_key(|(ends, _)| *ends);
    let handles: Vec<_> = cdt.fixed_undirected_edges().collect();
    for handle in handles {
        let edge = cdt.undirected_edge(handle);
        if edge.is_constraint_edge() {
            let mut ends = edge.vertices().each(|vertex| vertex.fix().index() as u32);
            ends.sort_unstable();
            let at = windings.binary_search_by_key(&ends, |(ends, _)| *ends);
            let winding = windings[at.map_err(|_| "a wall that none has set".to_owned())?].1;
            *cdt.undirected_edge_data_mut(handle).data_mut() = winding;
        }
    }
    Ok(cdt)
}

/// Points by y and x, the faces between them, free where they are inside the boundary and outside
/// of every obstacle, and in how many polygons each face is.
pub(super) fn faces(cdt: &Cdt<Winding>) -> (Vec<[f64; 2]>, Vec<Face>, Vec<Option<Winding>>) {
    let place = |vertex: &Point2<f64>| Place([vertex.position().x, vertex.position().y]);
    let mut order: Vec<(Place, u32)> =
        cdt.vertices().map(|vertex| (place(vertex.data()), vertex.fix().index() as u32)).collect();
    order.sort_unstable();
    let mut index = vec![0; order.len()];
    for (new, &(_, old)) in order.iter().enumerate() {
        index[old as usize] = new as u32;
    }
    let mut faces = vec![Face::default(); cdt.num_all_faces()];
    let mut steps = vec![[Winding::default(); 3]; faces.len()];
    let mut around: Vec<Option<Winding>> = vec![None; faces.len()];
    let mut stack = Vec::new();
    for handle in cdt.inner_faces() {
        let at = handle.fix().index();
        for (i, edge) in handle.adjacent_edges().into_iter().enumerate() {
            let [from, to] = [edge.from(), edge.to()].each(|end| index[end.fix().index()]);
            let beyond = edge.rev().face().fix().index();
            let wall = edge.is_constraint_edge();
            // The windings of the face on the left less those of the face beyond.
            let times = if from < to { 1 } else { -1 };
            if wall {
                steps[at][i] = Winding::default().plus(*edge.as_undirected().data().data(), times);
            }
            faces[at].points[i] = from;
            faces[at].across[i] = beyond as u32;
            faces[at].walls[i] = wall;
            if beyond == 0 && around[at].is_none() {
                around[at] = Some(steps[at][i]);
                stack.push(at);
            }
        }
    }
    while let Some(at) = stack.pop() {
        let own = around[at].expect("a winding");
        faces[at].free = own.boundary > 0 && own.obstacles == 0;
        for (across, step) in faces[at].across.into_iter().zip(steps[at]) {
            let across = across as usize;
            if across != 0 && around[across].is_none() {
                around[across] = Some(own.plus(step, -1));
                stack.push(across);
            }
        }
    }
    (order.into_iter().map(|(place, _)| place.0).collect(), faces, around)
}

/// Whether two polygons have an area in common.
pub(super) fn overlap(boundary: &[Segment], obstacle: &[Segment]) -> Result<bool, PolygonError> {
    let mut edges = Edges::new();
    let all: Vec<Segment> = boundary.iter().chain(obstacle).copied().collect();
    for (segment, chain) in all.iter().zip(arrange::chains(&all)) {
        arrange::put(&mut edges, &chain, segment.winding, 1, |_| ());
    }
    let too_near = |detail| PolygonError::TooNear { polygon: "an obstacle".to_owned(), detail };
    let cdt = triangulate(&edges).map_err(too_near)?;
    let both = |winding: &Winding| winding.boundary > 0 && winding.obstacles > 0;
    Ok(faces(&cdt).2.iter().flatten().any(both))
}
