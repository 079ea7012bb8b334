//! Lines of sight over cells, and the length of ways.

use crate::common::oracle;
use crate::paths::textbook;
use crate::paths::textbook::cases;
use proptest::prelude::*;
use throng::graph::grid::steps;

proptest! {
    #![proptest_config(crate::common::cases(1_500))]

    #[test]
    fn sight_is_that_of_every_cell_of_the_box(case in cases(24, true), slowest in 1_u8..) {
        let class = &case.class;
        let stride = i64::from(class.stride());
        let at = |cell: u32| (i64::from(cell) % stride, i64::from(cell) / stride);
        let opaque = |x: i64, y: i64| {
            let slowness = class.slowness()[(y * stride + x) as usize];
            slowness == 0 || slowness > slowest
        };
        for to in (0..class.slowness().len() as u32).step_by(5) {
            let sees = oracle::sees(at(case.start), at(to), opaque);
            prop_assert_eq!(class.sees(case.start, to, slowest), sees);
            prop_assert_eq!(class.sees(to, case.start, slowest), sees);
        }
    }
}

#[test]
fn a_broken_way_has_no_length() {
    let case = textbook::drawn(&["s.@", "@.g", "..."]);
    let cell = |x, y| case.map.index(x, y);
    let count = |cells: &[(u32, u32)]| {
        steps(&case.class, &cells.iter().map(|&(x, y)| cell(x, y)).collect::<Vec<_>>())
    };
    let both = count(&[(0, 0), (1, 0), (1, 1), (2, 2)]).unwrap();
    assert_eq!((both.straights, both.diagonals), (2, 1));
    // A jump, a wall, a corner that is cut.
    assert_eq!(count(&[(0, 0), (1, 0), (1, 2)]), None);
    assert_eq!(count(&[(1, 0), (2, 0)]), None);
    assert_eq!(count(&[(0, 0), (1, 1)]), None);
}
