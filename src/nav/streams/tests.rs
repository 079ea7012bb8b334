use super::Streams;
use super::strips::LEFT;
use crate::map::Map;
use crate::nav::field::direction::{SOLID, pack};

/// What blocks cost two groups on a map with cells of a metre, drawn as rows of `#` and `.`: one that
/// goes by `ways` and one that goes back by them, with an agent of each in every open cell, where crowds
/// add `crowd` to every block.
fn prices(rows: &[&str], ways: impl Fn(i32, i32) -> [i32; 2], crowd: u8) -> [Vec<Vec<u8>>; 2] {
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let cells = rows.iter().flat_map(|row| row.bytes().map(|b| if b == b'.' { 16 } else { 0 }));
    let map = Map::from_slowness(width, height, 1.0, &cells.collect::<Vec<u8>>());
    let stride = map.stride() as usize;
    let open = |x: i32, y: i32| rows[y as usize].as_bytes()[x as usize] == b'.';
    let cells = || (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y)));
    let fields = [1, -1].map(|sign| {
        let mut field = vec![SOLID; stride * (height as usize + 2)];
        for (x, y) in cells().filter(|&(x, y)| open(x, y)) {
            let [to_x, to_y] = ways(x, y);
            field[(y as usize + 1) * stride + x as usize + 1] = pack(sign * to_x, sign * to_y);
        }
        field
    });
    [[1, 0], [0, 1]].map(|order| {
        let mut streams = Streams::default();
        streams.clear(&map);
        for group in order {
            streams.end_others();
            streams.next_group();
            for (x, y) in cells().filter(|&(x, y)| open(x, y)) {
                streams.send([x + 1, y + 1], &fields[group]);
            }
        }
        streams.end();
        streams.look(&fields[order[1]]);
        let mut all = vec![crowd; streams.blocks()];
        streams.price(0, &mut all);
        all.chunks(stride).map(<[u8]>::to_vec).collect()
    })
}

/// Streams on both sides of a wall, next to it, have nothing to do with each other, whether a block is a cell
/// or four.
#[test]
fn no_stream_is_wider_than_its_side_of_a_wall() {
    for (cells, cell_size) in [(1, 1.0), (2, 0.25)] {
        // Three rows of blocks, a wall, and three more.
        let (width, height) = (12 * cells, 7 * cells);
        let is_wall = |y: u32| y / cells == 3;
        let slowness = (0..width * height).map(|i| if is_wall(i / width) { 0 } else { 16 });
        let map = Map::from_slowness(width, height, cell_size, &slowness.collect::<Vec<u8>>());
        let stride = map.stride() as usize;
        // To the right above the wall, to the left below it.
        let mut field = vec![SOLID; stride * (height as usize + 2)];
        for y in (0..height).filter(|&y| !is_wall(y)) {
            let row = &mut field[(y as usize + 1) * stride + 1..][..width as usize];
            row.fill(pack(if y / cells < 3 { 1 } else { -1 }, 0));
        }
        let mut streams = Streams::default();
        streams.clear(&map);
        streams.end_others();
        streams.next_group();
        for x in 1..=width as i32 {
            for y in [3 * cells, 4 * cells + 1] {
                streams.send([x, y as i32], &field);
            }
        }
        streams.end();
        let [block, stride] = streams.layout();
        assert_eq!(block, cells);
        let bits = |row: usize| streams.sectors[row * stride as usize + 6];
        assert_eq!([1, 2, 3].map(bits), [1; 3], "to the right above the wall, {cells}");
        assert_eq!([5, 6, 7].map(bits), [1 << 4; 3], "to the left below it, {cells}");
    }
}

/// In a passage each of two streams pays for the half on its left; alone it pays nothing.
#[test]
fn streams_that_meet_pay_for_the_left_half() {
    let rows = ["##########", "..........", "..........", "..........", "..........", "##########"];
    let [there, back] = prices(&rows, |_, _| [1, 0], 0);
    for x in 3..8 {
        let column = |prices: &[Vec<u8>]| [2, 3, 4, 5].map(|y| prices[y][x]);
        assert_eq!(column(&there), [LEFT, LEFT, 0, 0], "to the right at {x}");
        assert_eq!(column(&back), [0, 0, LEFT, LEFT], "to the left at {x}");
    }
}

/// Behind a corner on the right of a wide passage the ground does not count: no agent that goes
/// round the corner pays, wherever it waits. In a passage that is no wider than three metres it does.
#[test]
fn the_ground_behind_a_corner_makes_no_half() {
    let rows = |gate: usize| {
        let row = |y: usize| if y < gate { "............" } else { "......######" };
        (0..16).map(row).collect::<Vec<_>>()
    };
    // Up along the wall until the gate, then to the right through it.
    let ways = |gate: i32| move |_: i32, y: i32| if y >= gate { [1, -2] } else { [1, 0] };
    let [wide, _] = prices(&rows(8), ways(8), 0);
    let [narrow, _] = prices(&rows(2), ways(2), 0);
    let left = |prices: &[Vec<u8>]| prices.iter().flatten().filter(|&&p| p == LEFT).count();
    assert!(left(&narrow) > 0, "{narrow:?}");
    assert!(wide[8][2..6].iter().all(|&p| p == 0), "{wide:?}");
}
/// Queues spread over a wide passage, and before a narrow one they keep to their half. Prices are odd in left
/// halves alone, whatever crowds cost.
#[test]
fn crowds_count_in_wide_passages_and_before_no_narrow_one() {
    let wide = vec![".".repeat(30); 20];
    let mut gate = wide.clone();
    let closed = |y: usize| !(8..11).contains(&y);
    (0..20).filter(|&y| closed(y)).for_each(|y| gate[y].replace_range(20..22, "##"));
    let column = |rows: &[String], y: usize| {
        let mut all = vec!["#".repeat(30)];
        all.extend_from_slice(rows);
        all.push("#".repeat(30));
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        prices(&all, |_, _| [1, 0], 41)[0][y][10]
    };
    assert_eq!([4, 18].map(|y| column(&wide, y)), [LEFT + 40, 40]);
    assert_eq!([10, 12].map(|y| column(&gate, y)), [LEFT, 0]);
}
