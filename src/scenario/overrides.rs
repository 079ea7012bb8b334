//! Parts of a scenario set from outside, as by a command line.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use thiserror::Error;

use crate::data::number::thousands;
use crate::math::Numeric;
use crate::scenario::def::{MAX_AGENTS, MAX_TICKS, MapSource};
use crate::scenario::scenario_def::ScenarioDef;

/// What to change; `None` leaves a thing as the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Agents at tick 0 in all. The counts of its spawns keep their proportions.
    pub agents: Option<u64>,
    /// Ticks of the run. Orders beyond it are not carried out.
    pub ticks: Option<u64>,
    /// Seed of everything random.
    pub seed: Option<u64>,
    /// Number type.
    pub numeric: Option<Numeric>,
    /// Path of a map file in place of the scenario's map; `walls`, `terrain`, `heights` and `ground`
    /// go with the old one, `cell`, `cost` and `wall_height` stay. [`ScenarioDef::load_map`] hands it
    /// to its reader as it is.
    pub map: Option<String>,
}

/// Why a scenario cannot be changed like that.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OverrideError {
    /// Fewer agents than spawns, each of which needs one.
    #[error("agents: {asked} is fewer than {spawns}, and each spawn at tick 0 needs one")]
    TooFew {
        /// Agents asked for.
        asked: u64,
        /// Spawns at tick 0.
        spawns: u64,
    },
    /// No agent appears at tick 0, so there is nothing to scale.
    #[error("the scenario spawns no agents at tick 0, so their number cannot be set")]
    NoSpawns,
    /// More agents than a scenario may have.
    #[error(
        "{} agents, those of later orders included, are more than 16,777,216",
        thousands(*agents)
    )]
    TooMany {
        /// Agents of all spawns.
        agents: u64,
    },
    /// No ticks, or too many.
    #[error("{} ticks are not 1 to 1,000,000,000", thousands(*asked))]
    Ticks {
        /// Ticks asked for.
        asked: u64,
    },
    /// The path of the map is empty.
    #[error("the path of the map is empty")]
    Map,
}

impl ScenarioDef {
    /// Changes parts of the scenario. On an error nothing is changed.
    ///
    /// # Errors
    /// [`OverrideError`].
    pub fn apply(&mut self, overrides: &Overrides) -> Result<(), OverrideError> {
        let counts = match overrides.agents {
            Some(asked) => Some(self.scaled(asked)?),
            None => None,
        };
        if let Some(asked) = overrides.ticks {
            if !(1..=MAX_TICKS).contains(&asked) {
                return Err(OverrideError::Ticks { asked });
            }
            self.ticks = asked;
        }
        if let Some(path) = &overrides.map {
            if path.trim().is_empty() {
                return Err(OverrideError::Map);
            }
            self.map.source = MapSource::File { path: path.clone() };
            self.map.paint.clear();
            self.map.heights = None;
            self.map.ground.clear();
        }
        for (spawn, count) in self.first_spawns().zip(counts.into_iter().flatten()) {
            spawn.count = count;
        }
        self.settings.seed = overrides.seed.unwrap_or(self.settings.seed);
        self.numeric = overrides.numeric.unwrap_or(self.numeric);
        Ok(())
    }

    /// The counts of the spawns at tick 0, scaled to a sum by largest remainders, each at least 1.
    fn scaled(&mut self, asked: u64) -> Result<Vec<u64>, OverrideError> {
        let later = self.agents_in_all() - self.agents();
        let old: Vec<u64> = self.first_spawns().map(|spawn| spawn.count).collect();
        let (sum, spawns) = (old.iter().sum::<u64>(), old.len() as u64);
        if sum == 0 {
            return Err(OverrideError::NoSpawns);
        }
        if asked < spawns {
            return Err(OverrideError::TooFew { asked, spawns });
        }
        let agents = asked.saturating_add(later);
        if agents > MAX_AGENTS {
            return Err(OverrideError::TooMany { agents });
        }
        // Both factors are at most 2^24.
        let mut new: Vec<u64> = old.iter().map(|count| count * asked / sum).collect();
        let mut order: Vec<usize> = (0..old.len()).collect();
        order.sort_by_key(|&i| (Reverse(old[i] * asked % sum), i));
        let missing = asked - new.iter().sum::<u64>();
        for &i in order.iter().take(missing as usize) {
            new[i] += 1;
        }
        // What lifts an empty spawn to one agent comes from the largest, the first of equals.
        let donors = new.iter().enumerate().map(|(i, &count)| (count, Reverse(i)));
        let mut donors: BinaryHeap<(u64, Reverse<usize>)> = donors.collect();
        for i in 0..new.len() {
            if new[i] == 0 {
                let (count, Reverse(largest)) = donors.pop().expect("there is a spawn");
                new[largest] -= 1;
                donors.push((count - 1, Reverse(largest)));
                new[i] = 1;
            }
        }
        Ok(new)
    }
}
