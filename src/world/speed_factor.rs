//! How fast agents go on the ground under them: cost is time.

use crate::lane::Numbers;
use crate::map::{Clearance, PLAIN};
use crate::world::{Ground, Group, Groups};

/// Speed on ground of every slowness as a share of that on plain ground. On forbidden ground, which
/// has none, it is that of the slowest there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeedFactors<N>([N; 256]);

impl<N: Numbers> Default for SpeedFactors<N> {
    fn default() -> Self {
        let speed_factor = |slowness: usize| {
            let slowness = if slowness == 0 { 255.0 } else { slowness as f64 };
            N::from_f64(f64::from(PLAIN) / slowness)
        };
        Self(std::array::from_fn(speed_factor))
    }
}

impl<N: Numbers> SpeedFactors<N> {
    /// The share on ground of a slowness in 1/16; 0 is forbidden.
    #[inline(always)]
    pub(crate) fn of(&self, slowness: u8) -> N {
        self.0[usize::from(slowness)]
    }
}

impl<N: Numbers> Ground<N> {
    /// Whether a group with agents goes on ground that is not all plain.
    pub(crate) fn is_uneven(&self, groups: &Groups<N>) -> bool {
        self.any_class(groups, |class| !class.is_even(&self.map))
    }

    /// Whether some ground is forbidden to a group with agents.
    pub(crate) fn forbids(&self, groups: &Groups<N>) -> bool {
        self.any_class(groups, Clearance::forbids)
    }

    fn any_class(&self, groups: &Groups<N>, is_so: impl Fn(&Clearance) -> bool) -> bool {
        let present = groups.list.iter().filter(|group| group.members > 0);
        let mut last = None;
        // Neighbours in the list mostly share a class.
        let mut classes = present.map(|group| group.class).filter(|&c| last.replace(c) != Some(c));
        classes.any(|class| is_so(&self.classes[usize::from(class)]))
    }

    /// The speed of an agent of a group at a point on the map as a share of that on plain ground.
    pub(crate) fn pace_at(&self, group: &Group<N>, at: [N; 2]) -> N {
        let class = self.class_of(group);
        if class.is_even(&self.map) {
            return N::ONE;
        }
        self.speed_factors.of(class.ground(&self.map)[self.cell_of(at) as usize])
    }
}
