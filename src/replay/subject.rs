//! A world as the subject of a rewind.

use crate::lane::Numbers;
use crate::replay::Subject;
use crate::state;
use crate::state::{Image, SnapshotError};
use crate::tick::{Scratch, tick};
use crate::world::{Order, World};

/// A world that is driven by orders, which a function gives for every tick.
#[derive(Clone, Debug)]
pub struct Driven<'a, N: Numbers, F> {
    /// The world.
    pub world: World<N>,
    scratch: Scratch<N>,
    orders: &'a F,
}

impl<'a, N: Numbers, F: Fn(&World<N>) -> Vec<Order>> Driven<'a, N, F> {
    /// A world and its orders.
    pub fn new(world: World<N>, orders: &'a F) -> Self {
        Self { world, scratch: Scratch::new(), orders }
    }
}

impl<N: Numbers, F: Fn(&World<N>) -> Vec<Order>> Subject for Driven<'_, N, F> {
    fn step(&mut self) {
        let orders = (self.orders)(&self.world);
        tick(&mut self.world, &orders, &mut self.scratch);
    }

    fn ticks(&self) -> u64 {
        self.world.tick_count()
    }

    fn digest(&self) -> u64 {
        state::digest(&self.world)
    }

    fn save(&self, image: &mut Vec<u8>) {
        state::save_into(&self.world, image);
    }

    fn restore(&mut self, image: &[u8]) -> Result<(), SnapshotError> {
        state::restore(&mut self.world, image)
    }

    fn fresh(&self) -> Result<Self, SnapshotError> {
        let world = World::new(self.world.ground.given_map.clone(), *self.world.settings())?;
        Ok(Self { world, scratch: Scratch::new(), orders: self.orders })
    }

    fn flipped(&self) -> Vec<(String, u64)> {
        let image = state::save(&self.world);
        let image = Image::read(&image).expect("a good image");
        let flipped = |column: &state::ImageColumn<'_>| {
            let rows = column.lists.iter().map(|list| list.len()).sum::<usize>() / column.width();
            let mut world = self.world.clone();
            // Some bits cannot change alone: the state would contradict itself.
            let mut places = (0..rows.min(64))
                .flat_map(|row| (0..8 * column.width()).map(move |bit| (row, bit)));
            let planted =
                places.any(|(row, bit)| state::plant(&mut world, &column.name, row, bit).is_ok());
            planted.then(|| (column.name.clone(), state::digest(&world)))
        };
        image.columns.iter().filter_map(flipped).collect()
    }
}
