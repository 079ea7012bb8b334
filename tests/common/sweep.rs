//! How deep discs overlap, by a sweep along x; independent of the engine's grid and measures.

use throng::lane::Numbers;
use throng::world::{GroupDef, World};

/// Memory of the sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    /// x, y, radius.
    discs: Vec<[f64; 3]>,
}

impl Sweep {
    /// The deepest overlap of a world, as a share of the smaller radius; 0 without one.
    pub(crate) fn deepest<N: Numbers>(&mut self, world: &World<N>) -> f64 {
        self.load(world, |_| true);
        let mut deepest: f64 = 0.0;
        self.each(|depth| deepest = deepest.max(depth));
        deepest
    }

    /// How many pairs overlap by more than a share of the smaller radius, in the groups that
    /// `counts` picks.
    pub(crate) fn pairs_deeper<N: Numbers>(
        &mut self,
        world: &World<N>,
        share: f64,
        counts: impl Fn(&GroupDef) -> bool,
    ) -> u64 {
        self.load(world, counts);
        let mut pairs = 0;
        self.each(|depth| pairs += u64::from(depth > share));
        pairs
    }

    fn load<N: Numbers>(&mut self, world: &World<N>, counts: impl Fn(&GroupDef) -> bool) {
        let rows = world.positions().iter().zip(world.tags());
        self.discs.clear();
        self.discs.extend(rows.filter_map(|(pos, tag)| {
            let def = &world.groups()[usize::from(tag.group)].def;
            counts(def).then(|| [pos[0].to_f64(), pos[1].to_f64(), def.radius])
        }));
    }

    /// Tells the depth of every overlap.
    fn each(&mut self, mut tell: impl FnMut(f64)) {
        let Self { discs } = self;
        discs.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let widest = discs.iter().map(|disc| disc[2]).fold(0.0, f64::max);
        for (i, &[x, y, radius]) in discs.iter().enumerate() {
            let near = discs[i + 1..].iter().take_while(|other| other[0] - x < radius + widest);
            for &[other_x, other_y, other] in near {
                let (dx, dy, touch) = (other_x - x, other_y - y, radius + other);
                let square = dx * dx + dy * dy;
                if square < touch * touch {
                    tell((touch - square.sqrt()) / radius.min(other));
                }
            }
        }
    }
}

/// The sweep sees what a double loop sees, in a crowd where some overlap and in one where none do.
pub(crate) fn check() {
    let mut random = super::terrain::Random(9);
    for (side, some) in [(6_000, true), (400_000, false)] {
        let mut unit = |scale: u32| f64::from(random.below(scale)) / 100.0;
        let discs: Vec<[f64; 3]> =
            (0..60).map(|_| [unit(side), unit(side), 0.5 + unit(150)]).collect();
        let mut expected = Vec::new();
        for (i, a) in discs.iter().enumerate() {
            for b in &discs[..i] {
                let apart = super::stage::distance([a[0], a[1]], [b[0], b[1]]);
                expected.push((a[2] + b[2] - apart) / a[2].min(b[2]));
            }
        }
        expected.retain(|depth| *depth > 0.0);
        assert_eq!(expected.is_empty(), !some, "the crowd must be as it says: {expected:?}");
        let mut found = Vec::new();
        Sweep { discs }.each(|depth| found.push(depth));
        expected.sort_unstable_by(f64::total_cmp);
        found.sort_unstable_by(f64::total_cmp);
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}
