//! Scenarios in which a promise was broken once.

use super::world::Case;
use throng::scenario::{Plan, ScenarioDef};

/// What was wrong, and the scenario.
pub(crate) const KEPT: [(&str, &str); 6] = [
    (
        "sums of pushes overflowed in fixed point, and threw agents off the map",
        r#"
        tick_rate = 1
        ticks = 40
        map = { size = [30, 20], cell = 5.0 }
        [[group]]
        name = "crowd"
        spawn = [{ rect = [0, 0, 150, 100], count = 40 }]
        [[group]]
        name = "shy"
        personal_space = 20
        spawn = [{ rect = [0, 0, 150, 100], count = 7 }]
        "#,
    ),
    (
        "centres got into walls in fixed point, where cells are no power of two",
        r#"
        ticks = 300
        map = { size = [30, 20], cell = 5.0 }
        [settings]
        contact_passes = 4
        [[group]]
        name = "walkers"
        acceleration = 0.2
        navigator = "road"
        spawn = [{ rect = [56, 0, 62, 46], count = 90 }]
        goal = { rect = [6, 10, 48, 90] }
        [[order]]
        tick = 1
        build = { polygon = [
            [91.83, 14.66], [141.62, 0.0001], [0, 0], [0.0002, 0.0001], [38.9378, 99.9999],
            [54.0034, 27.4682], [137.96, 100],
        ] }
        "#,
    ),
    (
        "a field whose wall was taken down and built again in a tick could not be made again",
        r#"
        ticks = 40
        map = { size = [40, 40], cell = 1.0 }
        [[group]]
        name = "walkers"
        spawn = [{ rect = [1, 1, 10, 10], count = 10 }]
        goal = { rect = [30, 30, 38, 38] }
        [[order]]
        tick = 0
        build = { rect = [12, 12, 15, 15] }
        [[order]]
        tick = 1
        demolish = { rect = [12, 12, 15, 15] }
        [[order]]
        tick = 1
        build = { rect = [12, 12, 15, 15] }
        "#,
    ),
    (
        "a field whose job ended with an empty portion could not be made again",
        r#"
        ticks = 100
        map = { size = [160, 28], cell = 1.0 }
        [settings]
        field_cells_per_tick = 3000
        [[group]]
        name = "walkers"
        spawn = [{ rect = [1, 1, 10, 10], count = 10 }]
        goal = { disc = [130, 14, 8] }
        "#,
    ),
    (
        "positions of the last count were sized by living ids",
        r#"
        ticks = 60
        map = { size = [40, 40], cell = 1.0 }
        [[group]]
        name = "units"
        preset = "rts"
        spawn = [{ rect = [1, 1, 10, 30], count = 50 }]
        [[group]]
        name = "later"
        spawn = [{ rect = [20, 1, 30, 30], count = 50 }]
        [[order]]
        tick = 5
        remove = "later"
        [[order]]
        tick = 10
        move = "units"
        goal = { rect = [30, 5, 38, 30] }
        "#,
    ),
    (
        "a field that a snapshot had left out was missing when the map changed",
        r#"
        ticks = 40
        map = { size = [40, 40], cell = 1.0 }
        [[group]]
        name = "walkers"
        spawn = [{ rect = [1, 1, 39, 39], count = 10 }]
        goal = { rect = [0, 0, 40, 40] }
        [[order]]
        tick = 0
        move = "walkers"
        goal = { rect = [0, 0, 20, 20] }
        [[order]]
        tick = 1
        move = "walkers"
        goal = { rect = [0, 0, 40, 40] }
        [[order]]
        tick = 1
        build = { rect = [1, 1, 3, 3] }
        "#,
    ),
];

impl Case {
    /// The world of a scenario, saved every so many ticks.
    pub(crate) fn of(scenario: &str, every: u64) -> Self {
        let def = ScenarioDef::parse(scenario, "kept.toml").unwrap();
        let map = def.load_map(&|_| unreachable!("the map is in the scenario")).unwrap();
        let plan = Plan::new(&def, map).unwrap();
        let at = |tick: u64| plan.orders_at(tick).map(move |order| (tick, order.clone()));
        let orders = (0..plan.ticks).flat_map(at).collect();
        let (settings, ticks) = (plan.settings, plan.ticks);
        Self { settings, map: plan.map.clone(), every, ticks, orders }
    }
}
