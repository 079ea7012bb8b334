//! Repairs of fields: a warm one allocates nothing.

use crate::common::terrain;
use crate::{allocations, alone};
use throng::map::Map;
use throng::nav::field::{CellChanges, GoalCells, Repair, solve};

const SIDE: u32 = 128;

#[test]
fn nothing_is_allocated_when_warm() {
    let _alone = alone();
    let map = terrain::rooms(SIDE, 1);
    let mut cells: Vec<u8> =
        (0..SIDE * SIDE).map(|i| map.slowness()[map.index(i % SIDE, i / SIDE) as usize]).collect();
    let class = |cells: &[u8]| Map::from_slowness(SIDE, SIDE, 1.0, cells).class(0.4);
    let free = class(&cells);
    for y in 50..58 {
        cells[(y * SIDE + 50) as usize..(y * SIDE + 58) as usize].fill(0);
    }
    let built = class(&cells);
    let goals = GoalCells::new(vec![free.stride() * 20 + 20, free.stride() * 70 + 90], vec![]);
    let told = [[&free, &built], [&built, &free]].map(|[before, after]| {
        let cells = CellChanges::between(before, after);
        let old = |&cell: &u32| (cell, before.slowness()[cell as usize]);
        cells.cells().iter().map(old).collect::<Vec<_>>()
    });
    let mut field = solve(&free, &goals);
    let mut memory = Repair::default();
    let mut changes = CellChanges::default();
    let mut round = |memory: &mut Repair| {
        for (class, told) in [&built, &free].into_iter().zip(&told) {
            changes.set(class, told.iter().copied());
            memory.start(class, &goals, &changes, std::mem::take(&mut field.distances));
            while !memory.advance(class, 500).done {}
            memory.finish(&mut field);
        }
    };
    round(&mut memory);
    assert_eq!(allocations(|| round(&mut memory)), 0);
    let bytes = memory.workspace_bytes();
    for _ in 0..10 {
        round(&mut memory);
    }
    assert_eq!(memory.workspace_bytes(), bytes);
    assert_eq!(field, solve(&free, &goals));
}
