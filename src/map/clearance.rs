//! The cells that agents of one size, with one set of terrain costs, can stand on.

use crate::map::class_terrain::ClassTerrain;
use crate::map::components::Components;
use crate::map::{Map, MapError, TerrainCosts, Window, limits, room};

/// What makes a class: agents with equal ones share it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClassKind {
    /// Radius in 1/256 of a cell, 128 at least.
    pub(crate) min_distance: i16,
    pub(crate) costs: TerrainCosts,
}

impl ClassKind {
    /// Whether walls leave room in an open cell of a map, a padded index.
    fn has_room(&self, map: &Map, cell: usize) -> bool {
        let (distance, radius) = (map.wall_distance(), self.min_distance);
        if room::is_between(radius) {
            let is_open = |cell: usize| distance[cell] > 0;
            is_open(cell) && room::has_room(cell, map.stride() as usize, radius, is_open)
        } else {
            distance[cell] >= radius
        }
    }
}

/// The cells that agents of one radius can stand on, and which of them are joined.
///
/// A radius of up to half a cell passes every open cell. One of up to a cell passes where walls are
/// two cells apart: a cell is passable when the disc's centre has room somewhere in it, and cells
/// are joined if and only if the disc gets from one to the other. For larger ones a cell is passable
/// when its centre is at least the radius from every wall, so a gap whose width is an even number of
/// cells has to be up to a cell wider than the disc. Cells that [`TerrainCosts`] forbid are not
/// passable either; walls alone take room. Agents move between orthogonal neighbours, and diagonally
/// where both orthogonal cells between are passable too, so components are 4-connected. Rasters
/// are padded like the map's.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearance {
    stride: u32,
    kind: ClassKind,
    /// The ground, where it is not the map's.
    class_terrain: Option<ClassTerrain>,
    components: Components,
    slowness: Vec<u8>,
    /// Cells of every slowness.
    counts: Vec<u32>,
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
        self.try_class_for(radius, &TerrainCosts::default())
    }

    /// The cells that agents of a radius in metres, with these terrain costs, can stand on.
    ///
    /// # Errors
    /// As [`Map::try_class`].
    pub fn try_class_for(&self, radius: f64, costs: &TerrainCosts) -> Result<Clearance, MapError> {
        self.class_of(&self.kind(radius, costs)?)
    }

    /// The kind of class of a radius in metres and costs.
    ///
    /// # Errors
    /// [`MapError::Radius`], as [`Map::try_class`].
    pub(crate) fn kind(&self, radius: f64, costs: &TerrainCosts) -> Result<ClassKind, MapError> {
        Ok(ClassKind { min_distance: self.min_distance(radius)?, costs: costs.clone() })
    }

    /// The class of a kind.
    ///
    /// # Errors
    /// [`MapError::DistanceBound`], as [`Map::try_class`].
    pub(crate) fn class_of(&self, kind: &ClassKind) -> Result<Clearance, MapError> {
        let mut class_terrain =
            (!kind.costs.is_plain()).then(|| ClassTerrain::new(self, &kind.costs));
        let ground =
            class_terrain.as_ref().map_or(self.slowness(), |class_terrain| &class_terrain.ground);
        let mut slowness = ground.to_vec();
        for (cell, slowness) in slowness.iter_mut().enumerate() {
            *slowness = if kind.has_room(self, cell) { *slowness } else { 0 };
        }
        if let Some(class_terrain) = &mut class_terrain {
            class_terrain.finish(self, &slowness);
        }
        let longest = limits::check_distances(&slowness, self.stride())?;
        let stride = self.stride();
        let components = Components::new(&slowness, stride);
        let mut counts = vec![0; 256];
        slowness.iter().for_each(|&s| counts[usize::from(s)] += 1);
        let kind = kind.clone();
        Ok(Clearance { stride, kind, class_terrain, components, slowness, counts, longest })
    }

    /// A radius in 1/256 of a cell, rounded up, 128 at least: radii with the same one share a class.
    ///
    /// # Errors
    /// [`MapError::Radius`], as [`Map::try_class`].
    pub(crate) fn min_distance(&self, radius: f64) -> Result<i16, MapError> {
        let cell_size = self.cell_size();
        let limit = f64::from(i16::MAX) / 256.0 * cell_size;
        if !(0.0..=limit).contains(&radius) {
            return Err(MapError::Radius { radius, cell_size, limit });
        }
        // The centres of open cells are 128 and more from a wall, so half a cell takes none away.
        let units = (radius / cell_size * 256.0).ceil();
        Ok(units.clamp(128.0, f64::from(i16::MAX)) as i16)
    }
}

impl Clearance {
    /// Cells from one row of the padded rasters to the next.
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// The radius of the class in 1/256 of a cell, rounded up, 128 at least.
    pub fn min_distance(&self) -> i16 {
        self.kind.min_distance
    }

    /// What makes it this class.
    pub(crate) fn kind(&self) -> &ClassKind {
        &self.kind
    }

    /// Slowness in 1/16 of the ground of every cell of its map, padded, whether or not walls are too
    /// near to stand there; 0 for walls and what is forbidden.
    pub fn ground<'a>(&'a self, map: &'a Map) -> &'a [u8] {
        self.class_terrain.as_ref().map_or(map.slowness(), |class_terrain| &class_terrain.ground)
    }

    /// Whether all of that ground is plain, and nothing is forbidden.
    pub fn is_even(&self, map: &Map) -> bool {
        self.class_terrain.as_ref().map_or(map.is_even(), |class_terrain| !class_terrain.is_uneven)
    }

    /// Whether any open ground of the map is forbidden.
    pub fn forbids(&self) -> bool {
        self.class_terrain.as_ref().is_some_and(ClassTerrain::forbids)
    }

    /// The side by which to leave a cell that is open in the map but not passable, on a shortest way
    /// to a passable one: 0 right, 1 down, 2 left, 3 up. Known where something is forbidden.
    pub(crate) fn exit(&self, cell: u32) -> Option<u8> {
        self.class_terrain.as_ref()?.exit(cell)
    }

    /// The passable cell that this way leads to; the cell itself without one.
    pub(crate) fn way_out(&self, cell: u32) -> u32 {
        self.class_terrain
            .as_ref()
            .map_or(cell, |class_terrain| class_terrain.way_out(cell, self.stride))
    }

    /// Whether ways are sure to stay short enough for fields after a change of so many cells of the
    /// map, as far as the costs of the class go.
    pub(crate) fn stays_short(&self, cells: usize) -> bool {
        self.class_terrain.as_ref().is_none_or(|class_terrain| class_terrain.stays_short(cells))
    }

    /// Slowness of every cell in 1/16, padded; 0 where the cell is impassable for this size.
    pub fn slowness(&self) -> &[u8] {
        &self.slowness
    }

    /// Least slowness of a passable cell; 0 when there is none.
    pub fn least(&self) -> u8 {
        self.passable_slowness().next().unwrap_or(0)
    }

    /// Greatest slowness of a passable cell; 0 when there is none.
    pub fn greatest(&self) -> u8 {
        self.passable_slowness().next_back().unwrap_or(0)
    }

    /// Cells of a slowness; of 0, cells of the border are counted.
    pub fn count(&self, slowness: u8) -> u32 {
        self.counts[usize::from(slowness)]
    }

    /// Every slowness that a passable cell has, ascending.
    fn passable_slowness(&self) -> impl DoubleEndedIterator<Item = u8> {
        (1..=u8::MAX).filter(|&slowness| self.counts[usize::from(slowness)] > 0)
    }

    /// A distance, 256 for one plain cell, that no way from one cell to another exceeds.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// Component of a cell, as a padded index: 0 is impassable or off the raster, the others count
    /// from 1.
    pub fn component(&self, cell: u32) -> u32 {
        self.components.of(cell)
    }

    /// Number of components.
    pub fn component_count(&self) -> u32 {
        self.components.sizes().len() as u32 - 1
    }

    /// Cells of a component, which counts from 1; of 0, the impassable cells are not counted.
    pub fn component_size(&self, component: u32) -> u32 {
        self.components.sizes()[component as usize]
    }

    /// Whether a cell, as a padded index, can be stood on; cells off the raster cannot.
    pub fn passable(&self, cell: u32) -> bool {
        self.slowness.get(cell as usize).is_some_and(|&s| s != 0)
    }

    /// Whether two cells, as padded indices, are passable and joined by a way.
    pub fn same_component(&self, a: u32, b: u32) -> bool {
        self.component(a) != 0 && self.component(a) == self.component(b)
    }

    /// Takes on what has changed about the map inside a window, and returns the cells whose slowness
    /// differs, ascending, with what it was.
    ///
    /// # Errors
    /// [`MapError::DistanceBound`], as [`Map::try_class`]. The class is of no use then.
    pub(crate) fn repair(&mut self, map: &Map, window: Window) -> Result<Vec<(u32, u8)>, MapError> {
        let mut changed = Vec::new();
        if let Some(class_terrain) = &mut self.class_terrain {
            class_terrain.repair(map, &self.kind.costs, window);
        }
        let ground = self
            .class_terrain
            .as_ref()
            .map_or(map.slowness(), |class_terrain| &class_terrain.ground);
        // A cell's room also depends on the walls beside it.
        let all = Window::all(self.slowness.len() as u32, self.stride);
        for row in window.grow(room::REACH).within(all).rows(self.stride) {
            for cell in row {
                let at = cell as usize;
                let slowness = if self.kind.has_room(map, at) { ground[at] } else { 0 };
                let old = std::mem::replace(&mut self.slowness[at], slowness);
                if slowness != old {
                    self.counts[usize::from(old)] -= 1;
                    self.counts[usize::from(slowness)] += 1;
                    changed.push((cell, old));
                }
            }
        }
        if let Some(class_terrain) = &mut self.class_terrain {
            class_terrain.finish(map, &self.slowness);
        }
        let total = |(s, &count): (usize, &u32)| s as u64 * 16 * u64::from(count);
        let sum = self.counts.iter().enumerate().map(total).sum();
        self.longest = match sum {
            0..=limits::MAX_SUM => sum,
            _ => limits::check_distances(&self.slowness, self.stride)?,
        };
        self.components.repair(&self.slowness, changed.iter().map(|&(cell, _)| cell));
        Ok(changed)
    }
}
