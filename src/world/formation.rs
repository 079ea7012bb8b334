//! Formations: where the members of a company stand to each other.

use crate::data::definition::words;

words! {
    /// A shape that the members of a company keep.
    pub enum Formation {
        /// Wide: 2 ranks, 3 from 41 members on.
        Line = "line",
        /// Narrow: 4 files.
        Column = "column",
        /// As wide as deep.
        Block = "block",
        /// A triangle of ranks of 1, 3, 5 and so on, its point in front.
        Wedge = "wedge",
    }
}

impl Formation {
    /// How many members stand in each rank, the front one first. `files` limits the widest.
    pub fn ranks(self, members: u32, files: Option<u32>) -> impl Iterator<Item = u32> + Clone {
        let widest = files.unwrap_or_else(|| match self {
            Self::Line => members.div_ceil(if members > 40 { 3 } else { 2 }),
            Self::Column => 4,
            Self::Block => members.isqrt() + u32::from(members.isqrt().pow(2) < members),
            Self::Wedge => u32::MAX,
        });
        let width = move |rank: u32| match self {
            Self::Wedge => widest.min(2 * rank + 1),
            Self::Line | Self::Column | Self::Block => widest,
        };
        let mut left = members;
        let rank = move |rank| {
            let here = width(rank).max(1).min(left);
            left -= here;
            (here > 0).then_some(here)
        };
        (0..).map_while(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::Formation;

    #[test]
    fn ranks_hold_every_member() {
        let of = |formation: Formation, members, files| -> Vec<u32> {
            formation.ranks(members, files).collect()
        };
        assert_eq!(of(Formation::Line, 60, None), [20, 20, 20]);
        assert_eq!(of(Formation::Line, 9, None), [5, 4]);
        assert_eq!(of(Formation::Line, 9, Some(4)), [4, 4, 1]);
        assert_eq!(of(Formation::Column, 10, None), [4, 4, 2]);
        assert_eq!(of(Formation::Block, 16, None), [4, 4, 4, 4]);
        assert_eq!(of(Formation::Block, 17, None), [5, 5, 5, 2]);
        assert_eq!(of(Formation::Wedge, 10, None), [1, 3, 5, 1]);
        assert_eq!(of(Formation::Wedge, 10, Some(3)), [1, 3, 3, 3]);
        for formation in Formation::ALL {
            assert_eq!(Formation::from_name(formation.name()), Some(formation));
            for members in 0..200 {
                for files in [None, Some(1), Some(7), Some(u32::MAX)] {
                    assert_eq!(formation.ranks(members, files).sum::<u32>(), members);
                }
            }
        }
        assert_eq!(Formation::from_name("circle"), None);
    }
}
