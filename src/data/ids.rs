//! Generational ids.

/// Names an agent for as long as it lives; never another one later.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Id {
    /// Index into tables that are keyed by id.
    pub index: u32,
    /// How many agents had this index before.
    pub generation: u32,
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.index, self.generation)
    }
}

/// Hands out ids and knows which are alive. Freed indices are used again, last freed first.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// Generation of every index; odd while it is free.
    generation: Vec<u32>,
    free: Vec<u32>,
}

impl Ids {
    /// A new id.
    pub fn create(&mut self) -> Id {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generation.push(1);
            self.generation.len() as u32 - 1
        });
        let generation = &mut self.generation[index as usize];
        *generation = generation.wrapping_add(1);
        Id { index, generation: *generation / 2 }
    }

    /// Ends an id's life.
    ///
    /// # Panics
    /// When there is no such index, or its id has ended.
    pub fn free(&mut self, index: u32) {
        let generation = &mut self.generation[index as usize];
        assert!(generation.is_multiple_of(2), "an id is freed once: index {index} is free already");
        *generation = generation.wrapping_add(1);
        self.free.push(index);
    }

    /// The id that an index has now, or had last.
    ///
    /// # Panics
    /// When there is no such index.
    pub fn id(&self, index: u32) -> Id {
        Id { index, generation: self.generation[index as usize] / 2 }
    }

    /// Whether an id is alive.
    pub fn is_alive(&self, id: Id) -> bool {
        self.generation
            .get(id.index as usize)
            .is_some_and(|&g| g.is_multiple_of(2) && g / 2 == id.generation)
    }

    /// How many indices there are, used and free.
    pub fn capacity(&self) -> usize {
        self.generation.len()
    }

    /// Generations (odd: free) and the free indices, last freed last.
    pub fn parts(&self) -> (&[u32], &[u32]) {
        (&self.generation, &self.free)
    }

    /// The same, to be replaced by parts that fit together: the free indices are those of odd
    /// generation, each once.
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<u32>, &mut Vec<u32>) {
        (&mut self.generation, &mut self.free)
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn a_freed_index_gets_a_new_generation() {
        let mut ids = Ids::default();
        let (a, b) = (ids.create(), ids.create());
        ids.free(a.index);
        assert!(!ids.is_alive(a) && ids.is_alive(b));
        let c = ids.create();
        assert_eq!((c.index, c.generation), (a.index, a.generation + 1));
        assert!(ids.is_alive(c) && !ids.is_alive(a));
    }
}
