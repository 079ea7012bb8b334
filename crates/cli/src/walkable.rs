//! The walkable area of a map as polygons, for tools that analyse pedestrian data.
//!
//! Border edges of the open cells are followed with open ground on the right, turning right where
//! two open cells meet at a corner only, so that such cells stay apart. A ring that comes back to
//! one of its corners is divided there; then every ring is simple, as well-known text wants it.

use std::collections::BTreeMap;

use throng::map::Map;

/// A corner of cells: x, y in cells.
type Corner = [i64; 2];

/// East, south, west, north.
const STEPS: [Corner; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The walkable area as well-known text, in metres, with y down or up: a `POLYGON` with holes when all
/// open cells hang together by their sides, else a `MULTIPOLYGON`, the largest polygon first.
pub(crate) fn wkt(map: &Map, y_up: bool) -> String {
    let turned = |[x, y]: Corner| [x, if y_up { i64::from(map.height()) - y } else { y }];
    let polygons: Vec<String> = polygons(map)
        .iter()
        .map(|rings| {
            let text = |ring: &Vec<Corner>| text(ring.iter().copied().map(turned), map.cell_size());
            let rings: Vec<String> = rings.iter().map(text).collect();
            format!("({})", rings.join(", "))
        })
        .collect();
    match polygons.as_slice() {
        [] => "POLYGON EMPTY\n".to_owned(),
        [one] => format!("POLYGON {one}\n"),
        several => format!("MULTIPOLYGON ({})\n", several.join(", ")),
    }
}

/// A ring, its first corner once more at its end.
fn text(ring: impl Iterator<Item = Corner>, cell: f64) -> String {
    let mut corners: Vec<String> =
        ring.map(|[x, y]| format!("{} {}", x as f64 * cell, y as f64 * cell)).collect();
    corners.extend(corners.first().cloned());
    format!("({})", corners.join(", "))
}

fn is_open(map: &Map, [x, y]: Corner) -> bool {
    let inside =
        (0..i64::from(map.width())).contains(&x) && (0..i64::from(map.height())).contains(&y);
    inside && map.slowness()[map.index(x as u32, y as u32) as usize] > 0
}

/// Polygons, the largest first; of each the outer ring, then the holes.
fn polygons(map: &Map) -> Vec<Vec<Vec<Corner>>> {
    let (outer, holes): (Vec<_>, Vec<_>) =
        rings(map).into_iter().partition(|ring| doubled_area(ring) > 0);
    let mut polygons: Vec<Vec<Vec<Corner>>> = outer.into_iter().map(|ring| vec![ring]).collect();
    if polygons.len() == 1 {
        polygons[0].extend(holes);
        return polygons;
    }
    let mut owner = vec![u32::MAX; map.slowness().len()];
    for (index, polygon) in (0..).zip(&polygons) {
        flood(map, cell_beside(&polygon[0]), index, &mut owner);
    }
    for hole in holes {
        let [x, y] = cell_beside(&hole);
        polygons[owner[map.index(x as u32, y as u32) as usize] as usize].push(hole);
    }
    let area = |rings: &Vec<Vec<Corner>>| rings.iter().map(|ring| doubled_area(ring)).sum::<i64>();
    polygons.sort_by_cached_key(|rings| std::cmp::Reverse(area(rings)));
    polygons
}

/// Gives an owner to all open cells that hang together with this one by their sides.
fn flood(map: &Map, from: Corner, index: u32, owner: &mut [u32]) {
    let mut waiting = vec![from];
    while let Some([x, y]) = waiting.pop() {
        if is_open(map, [x, y]) {
            let owner = &mut owner[map.index(x as u32, y as u32) as usize];
            if *owner != index {
                *owner = index;
                waiting.extend(STEPS.map(|[dx, dy]| [x + dx, y + dy]));
            }
        }
    }
}

/// Twice the area; holes, which turn the other way, have a negative one.
fn doubled_area(ring: &[Corner]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
}

/// The open cell on the right of a ring's first edge.
fn cell_beside(ring: &[Corner]) -> Corner {
    let ([x, y], next) = (ring[0], ring[1]);
    match [(next[0] - x).signum(), (next[1] - y).signum()] {
        [1, _] => [x, y],
        [-1, _] => [x - 1, y - 1],
        [_, 1] => [x - 1, y],
        _ => [x, y - 1],
    }
}

/// All rings: simple, of corners alone, by the first of them in reading order.
fn rings(map: &Map) -> Vec<Vec<Corner>> {
    let (width, height) = (i64::from(map.width()), i64::from(map.height()));
    let at = |[x, y]: Corner| (y * (width + 1) + x) as usize;
    // By corner: bits of the directions in which border edges leave it.
    let mut leaving = vec![0_u8; at([width, height]) + 1];
    for y in 0..height {
        for x in (0..width).filter(|&x| is_open(map, [x, y])) {
            let sides = [
                ([x, y], 0, [x, y - 1]),
                ([x + 1, y], 1, [x + 1, y]),
                ([x + 1, y + 1], 2, [x, y + 1]),
                ([x, y + 1], 3, [x - 1, y]),
            ];
            for (from, direction, beyond) in sides {
                if !is_open(map, beyond) {
                    leaving[at(from)] |= 1 << direction;
                }
            }
        }
    }
    let mut rings = Vec::new();
    for y in 0..=height {
        for x in 0..=width {
            while leaving[at([x, y])] != 0 {
                let direction = leaving[at([x, y])].trailing_zeros() as usize;
                let ring = follow([x, y], direction, &mut leaving, at);
                divide(&ring, &mut rings);
            }
        }
    }
    rings
}

/// Follows border edges, and takes them away, until the first one comes up again.
fn follow(
    start: Corner,
    first: usize,
    leaving: &mut [u8],
    at: impl Fn(Corner) -> usize,
) -> Vec<Corner> {
    let (mut ring, mut corner, mut direction) = (Vec::new(), start, first);
    loop {
        corner = [corner[0] + STEPS[direction][0], corner[1] + STEPS[direction][1]];
        let turns = [1, 0, 3].map(|turn| (direction + turn) % 4);
        let next = turns.into_iter().find(|next| leaving[at(corner)] & (1 << next) != 0);
        let next = next.expect("a border that enters a corner leaves it too");
        if next != direction {
            ring.push(corner);
        }
        leaving[at(corner)] &= !(1 << next);
        if (corner, next) == (start, first) {
            return ring;
        }
        direction = next;
    }
}

/// Divides a ring where it comes back to one of its corners.
fn divide(ring: &[Corner], rings: &mut Vec<Vec<Corner>>) {
    let mut open: Vec<Corner> = Vec::new();
    let mut place = BTreeMap::new();
    for &corner in ring {
        if let Some(&from) = place.get(&corner) {
            let part = open.split_off(from);
            part.iter().for_each(|corner| {
                place.remove(corner);
            });
            rings.push(part);
        }
        place.insert(corner, open.len());
        open.push(corner);
    }
    rings.push(open);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Corner, doubled_area, polygons, wkt};
    use throng::map::{Legend, Map};

    fn map(rows: &[&str]) -> Map {
        Map::from_rows(rows, &Legend::default(), 0.5).unwrap()
    }

    #[test]
    fn a_hole_is_a_second_ring() {
        let expected = "POLYGON ((1.5 0, 1.5 1.5, 0 1.5, 0 0), (0.5 1, 1 1, 1 0.5, 0.5 0.5))";
        let corners = |text: &str| {
            let words = text.trim().split(['(', ')', ',']).map(str::trim);
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<BTreeSet<String>>()
        };
        let text = wkt(&map(&["...", ".@.", "..."]), false);
        assert_eq!(corners(&text), corners(expected), "{text}");
        assert_eq!(text.matches("), (").count(), 1, "{text}");
        assert_eq!(wkt(&map(&["@@"]), false), "POLYGON EMPTY\n");
    }

    #[test]
    fn cells_that_meet_at_a_corner_are_two_polygons() {
        let text = wkt(&map(&[".@", "@."]), false);
        assert!(text.starts_with("MULTIPOLYGON (((") && text.matches(")), ((").count() == 1);
    }

    /// Whether a point lies in a polygon: an odd number of its upright edges is to the left.
    fn holds(rings: &[Vec<Corner>], x: f64, y: f64) -> bool {
        let crossed = |ring: &Vec<Corner>| {
            let edges = ring.iter().zip(ring.iter().cycle().skip(1));
            edges
                .filter(|(a, b)| a[0] == b[0] && (a[0] as f64) < x)
                .filter(|(a, b)| ((a[1].min(b[1]) as f64)..(a[1].max(b[1]) as f64)).contains(&y))
                .count()
        };
        rings.iter().map(crossed).sum::<usize>() % 2 == 1
    }

    proptest! {
        #[test]
        fn polygons_hold_the_open_cells_and_no_others(
            width in 1_u32..9,
            cells in prop::collection::vec(prop::sample::select(vec![0_u8, 16, 16]), 72),
        ) {
            let height = 72 / width;
            let cells = &cells[..(width * height) as usize];
            let map = Map::from_slowness(width, height, 1.0, cells);
            let polygons = polygons(&map);
            for (i, &slowness) in cells.iter().enumerate() {
                let (x, y) = (i as u32 % width, i as u32 / width);
                let holders = polygons
                    .iter()
                    .filter(|rings| holds(rings, f64::from(x) + 0.5, f64::from(y) + 0.5));
                prop_assert_eq!(holders.count(), usize::from(slowness > 0), "cell {}, {}", x, y);
            }
            for rings in &polygons {
                prop_assert!(doubled_area(&rings[0]) > 0);
                prop_assert!(rings[1..].iter().all(|hole| doubled_area(hole) < 0));
                for ring in rings {
                    let corners: BTreeSet<Corner> = ring.iter().copied().collect();
                    prop_assert_eq!(corners.len(), ring.len(), "a corner comes twice: {:?}", ring);
                    for i in 0..ring.len() {
                        let [a, b, c] = [0, 1, 2].map(|k| ring[(i + k) % ring.len()]);
                        prop_assert_eq!((a[0] == b[0]) as u8 + (b[0] == c[0]) as u8, 1);
                    }
                }
            }
        }
    }
}
