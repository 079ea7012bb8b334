//! Where agents of one size can be.

use crate::map::Map;
use crate::map::MapError;
use crate::map::limits;

/// The cells that agents of one radius can stand on, and which of them are joined.
///
/// A cell is passable when its centre is at least the radius from every wall; a radius of up to
/// half a cell passes every open cell. Agents move between orthogonal neighbours, and diagonally
/// where both orthogonal cells between are passable too, so components are 4-connected. Rasters
/// are padded like the map's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clearance {
    stride: u32,
    min_distance: i16,
    components: Vec<u32>,
    sizes: Vec<u32>,
    slowness: Vec<u8>,
    least: u8,
    greatest: u8,
    longest: u64,
}

impl Map {
    /// The cells that agents of a radius in metres can stand on.
    ///
    /// # Panics
    /// When [`Map::try_class`] would return an error.
    pub fn class(&self, radius: f64) -> Clearance {
        match self.try_class(radius) {
            Ok(class) => class,
            Err(error) => panic!("{error}"),
        }
    }

    /// The cells that agents of a radius in metres can stand on.
    ///
    /// # Errors
    /// [`MapError::Radius`] when the radius is not a number, negative, or beyond the reach of wall
    /// distances (127.99 cells); [`MapError::DistanceBound`] when ways around what the radius
    /// closes may be too long for a field (only on maps of more than 8 Mi plain cells).
    pub fn try_class(&self, radius: f64) -> Result<Clearance, MapError> {
        let min_distance = self.min_distance(radius)?;
        let mut slowness = self.slowness().to_vec();
        for (slowness, &distance) in slowness.iter_mut().zip(self.wall_distance()) {
            *slowness = if distance >= min_distance { *slowness } else { 0 };
        }
        let longest = limits::check_distances(&slowness, self.stride())?;
        let (components, sizes) = components(&slowness, self.stride() as usize);
        let passable = || slowness.iter().copied().filter(|&s| s != 0);
        let least = passable().min().unwrap_or(0);
        let greatest = passable().max().unwrap_or(0);
        let stride = self.stride();
        Ok(Clearance {
            stride,
            min_distance,
            components,
            sizes,
            slowness,
            least,
            greatest,
            longest,
        })
    }

    /// The wall distance, in 1/256 of a cell, of the cells that agents of a radius can stand on:
    /// radii with the same one share a class.
    ///
    /// # Errors
    /// [`MapError::Radius`], as [`Map::try_class`].
    pub(crate) fn min_distance(&self, radius: f64) -> Result<i16, MapError> {
        let cell_size = self.cell_size();
        let limit = f64::from(i16::MAX) / 256.0 * cell_size;
        if !(0.0..=limit).contains(&radius) {
            return Err(MapError::Radius { radius, cell_size, limit });
        }
        // Open cells are 128 and more from a wall, so half a cell takes none away.
        let units = (radius / cell_size * 256.0).ceil();
        Ok(units.clamp(128.0, f64::from(i16::MAX)) as i16)
    }
}

impl Clearance {
    /// Cells from one row of the padded rasters to the next.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Least wall distance of a passable cell, in 1/256 of a cell.
    pub fn min_distance(&self) -> i16 {
        self.min_distance
    }

    /// Slowness of every cell in 1/16, padded; 0 where the cell is impassable for this size.
    pub fn slowness(&self) -> &[u8] {
        &self.slowness
    }

    /// Least slowness of a passable cell; 0 when there is none.
    pub fn least(&self) -> u8 {
        self.least
    }

    /// Greatest slowness of a passable cell; 0 when there is none.
    pub fn greatest(&self) -> u8 {
        self.greatest
    }

    /// A distance, 256 for one plain cell, that no way from one cell to another exceeds.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Component of every cell, padded: 0 is impassable, the others count from 1 in the order of
    /// their first cell.
    pub fn components(&self) -> &[u32] {
        &self.components
    }

    /// Number of components.
    pub fn component_count(&self) -> u32 {
        self.sizes.len() as u32 - 1
    }

    /// Cells of a component, which counts from 1; of 0, the impassable cells are not counted.
    pub fn component_size(&self, component: u32) -> u32 {
        self.sizes[component as usize]
    }

    /// Whether a cell, as a padded index, can be stood on; cells off the raster cannot.
    pub fn passable(&self, cell: u32) -> bool {
        self.slowness.get(cell as usize).is_some_and(|&s| s != 0)
    }

    /// Whether two cells, as padded indices, are passable and joined by a way.
    pub fn same_component(&self, a: u32, b: u32) -> bool {
        let label = |cell: u32| self.components.get(cell as usize).copied().unwrap_or(0);
        label(a) != 0 && label(a) == label(b)
    }
}

/// Labels and sizes of the 4-connected components; `sizes[0]` is 0.
fn components(slowness: &[u8], stride: usize) -> (Vec<u32>, Vec<u32>) {
    let mut labels = vec![0_u32; slowness.len()];
    // The provisional label that each provisional label was joined to; never a larger one, so the
    // label that stays is the first in the order of cells.
    let mut parents = vec![0_u32];
    for cell in stride..slowness.len() {
        if slowness[cell] == 0 {
            continue;
        }
        let (left, above) = (labels[cell - 1], labels[cell - stride]);
        labels[cell] = if left == 0 && above == 0 {
            parents.push(parents.len() as u32);
            parents.len() as u32 - 1
        } else if left != 0 && above != 0 && left != above {
            join(&mut parents, left, above)
        } else {
            left.max(above)
        };
    }
    let mut sizes = vec![0_u32];
    for label in 1..parents.len() {
        let parent = parents[label] as usize;
        parents[label] = if parent == label {
            sizes.push(0);
            sizes.len() as u32 - 1
        } else {
            parents[parent]
        };
    }
    for label in &mut labels {
        *label = parents[*label as usize];
        sizes[*label as usize] += u32::from(*label != 0);
    }
    (labels, sizes)
}

/// Joins two provisional labels and returns the smaller root.
fn join(parents: &mut [u32], a: u32, b: u32) -> u32 {
    let mut roots = [a, b];
    for root in &mut roots {
        while parents[*root as usize] != *root {
            let up = parents[parents[*root as usize] as usize];
            parents[*root as usize] = up;
            *root = up;
        }
    }
    let least = roots[0].min(roots[1]);
    parents[roots[0] as usize] = least;
    parents[roots[1] as usize] = least;
    least
}
