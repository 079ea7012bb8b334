//! The order in which numbered things were last used.

use crate::graph::NONE;

/// A doubly linked list of numbers from 0, by index: every change is a few steps, and takes memory
/// only for numbers that were never in it.
#[derive(Clone, Debug)]
pub(crate) struct UseOrder {
    /// The next newer and the next older one of every number.
    links: Vec<[u32; 2]>,
    /// The oldest and the newest one.
    ends: [u32; 2],
}

impl Default for UseOrder {
    fn default() -> Self {
        Self { links: Vec::new(), ends: [NONE; 2] }
    }
}

impl UseOrder {
    /// An empty list, with memory for so many numbers.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { links: Vec::with_capacity(capacity), ..Self::default() }
    }

    /// Takes all numbers out.
    pub(crate) fn clear(&mut self) {
        self.links.clear();
        self.ends = [NONE; 2];
    }

    /// The number used longest ago; [`NONE`] when there is none.
    pub(crate) fn oldest(&self) -> u32 {
        self.ends[0]
    }

    /// Puts a number that is not in the list at the newest end.
    pub(crate) fn add(&mut self, number: u32) {
        let at = number as usize;
        self.links.resize(self.links.len().max(at + 1), [NONE; 2]);
        self.links[at] = [NONE, self.ends[1]];
        *self.link(self.ends[1], 0) = number;
        self.ends[1] = number;
    }

    /// Takes a number out.
    pub(crate) fn remove(&mut self, number: u32) {
        let [newer, older] = self.links[number as usize];
        *self.link(newer, 1) = older;
        *self.link(older, 0) = newer;
    }

    /// Makes a number of the list the newest.
    pub(crate) fn touch(&mut self, number: u32) {
        if self.ends[1] != number {
            self.remove(number);
            self.add(number);
        }
    }

    /// What leads from a number to the next newer (0) or older (1) one; beyond the list, the end from
    /// which it is walked that way.
    fn link(&mut self, number: u32, way: usize) -> &mut u32 {
        match self.links.get_mut(number as usize) {
            Some(links) => &mut links[way],
            None => &mut self.ends[way],
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        8 * self.links.capacity() as u64
    }
}
