use super::{AHEAD, BLOCK, CELL, LIKE, Look, Strip, Strips, around, places, sector};
use crate::lane::{Int8, IntLane};
use crate::math::hash2;
use crate::nav::field::direction::{GOAL_AREA, SOLID, pack};

/// Blocks from one row of the raster to the next, and rows of it.
const SIZE: [usize; 2] = [170, 140];

/// Strips of blocks of a metre where all head for a point and agents walk both ways; a share of `walls` in
/// 256ths are walls, and a share of `quiet` ones lack some headings. Where the ground is in `patches`, nobody
/// walks on a third of it, and on another one all walk one way.
fn find(strips: &mut Strips, goal: [i32; 2], (walls, quiet, patches): (u64, u64, bool)) {
    strips.shape(SIZE, 1.0);
    strips.find(|first, looks| {
        for (to, ([x, y], block)) in looks.iter_mut().zip(places(SIZE[0], first).zip(first..)) {
            let random = hash2(block as u64, 5);
            let is_inner = (1..SIZE[0] - 1).contains(&x) && (1..SIZE[1] - 1).contains(&y);
            let way = pack(goal[0] - x as i32, goal[1] - y as i32);
            let some = match (x / 24 + y / 24) % 3 {
                1 if patches => 0,
                2 if patches => 1,
                _ if random >> 8 & 0xff < quiet => (random >> 16) as u8,
                _ => u8::MAX,
            };
            *to = match is_inner {
                true if random & 0xff < walls => Look::new(SOLID, some, some, some),
                true => Look::new(way | (random >> 40) as u32 & GOAL_AREA, some, some, some),
                false => Look::default(),
            };
        }
    });
}

/// The strip of a block, followed one block at a time.
fn plain(strips: &Strips, block: usize) -> Strip {
    let look = strips.looks[block];
    let Some(way) = look.leads().filter(|_| look.has(u8::MAX)) else { return Strip(0) };
    let turned = |turns| around(sector(way), turns);
    let (along, against) = (turned([7, 0, 1]), turned([3, 4, 5]));
    let crossed = if look.is_crossed(!along) { Strip::IS_CROSSED } else { 0 };
    if !look.has(along | against) {
        return Strip(crossed);
    }
    let (x, y) = (i32::from(way.0), i32::from(way.1));
    let (mut all, mut flags) = (look.0, Strip::IS_ONE | crossed);
    let mut side = |aside: [i32; 2]| {
        let mut at = strips.center(block);
        for blocks in 0..strips.reach {
            at = [at[0] + aside[0], at[1] + aside[1]];
            let look = strips.looks[(at[1] >> 14) as usize * SIZE[0] + (at[0] >> 14) as usize];
            let Some((to_x, to_y)) = look.way() else {
                flags |= Strip::IS_AT_WALL;
                return blocks as u64;
            };
            let like = x * i32::from(to_x) + y * i32::from(to_y);
            if (like <= LIKE && (to_x, to_y) != (0, 0)) || !look.has(along | against) {
                return blocks as u64;
            }
            all |= look.0;
        }
        strips.reach as u64
    };
    let sides = side([y, -x]) << Strip::LEFT | side([-y, x]) << Strip::RIGHT;
    let is_shared = Look(all).has(along) && Look(all).is_opposed(against);
    let shared = if is_shared { Strip::IS_SHARED } else { 0 };
    Strip(look.0 & Strip::WAY | sides | flags | shared)
}

/// The way from a block, followed for so many steps: to which block it leads, and the narrowest strip at a
/// wall on it, without its way.
fn plain_way(strips: &Strips, block: usize, steps: i32) -> (usize, Strip) {
    let (mut at, mut narrowest) = (strips.center(block), Strip(0xffff << Strip::LEFT));
    let there = |at: [i32; 2]| (at[1] >> 14) as usize * SIZE[0] + (at[0] >> 14) as usize;
    for _ in 0..steps.abs() {
        let strip = strips.strips[there(at)];
        if strip.has(Strip::IS_AT_WALL) && strip.width() < narrowest.width() {
            narrowest = Strip(strip.0 >> Strip::LEFT << Strip::LEFT);
        }
        let way = [strip.0 as i16, (strip.0 >> 16) as i16];
        at = [0, 1].map(|i| at[i] + steps.signum() * i32::from(way[i]));
    }
    (there(at), narrowest)
}

/// The narrowest strip ahead: the way in eight parts, each from the middle of a block.
fn plain_ahead(strips: &Strips, mut block: usize) -> Strip {
    let mut narrowest = Strip(0xffff << Strip::LEFT);
    for _ in 0..8 {
        let (end, strip) = plain_way(strips, block, AHEAD as i32 / 8);
        if strip.width() < narrowest.width() {
            narrowest = strip;
        }
        block = end;
    }
    narrowest
}

/// In the open, among some walls, and where headings are lacking, a plain search finds the same strips,
/// and the same narrowest strips on the way ahead and behind.
#[test]
fn strips_are_those_of_a_plain_search() {
    let (mut whole, mut at_walls, mut ends, mut shared, mut lone, mut narrow) = (0, 0, 0, 0, 0, 0);
    let all =
        [(0, 0), (0, 1), (1, 0), (3, 12), (60, 90)].map(|(walls, quiet)| (walls, quiet, false));
    let mut odd = [0; 2];
    let scenes = || all.into_iter().chain([(0, 0, true), (6, 40, true)]);
    // The memory of one is that of the next.
    let mut strips = Strips::default();
    for (goal, scene) in [[-900, 40], [80, 70], [300, 500]]
        .iter()
        .flat_map(|goal| scenes().map(|scene| (*goal, scene)))
    {
        find(&mut strips, goal, scene);
        for block in 0..SIZE[0] * SIZE[1] {
            let (found, expected) = (strips.strips[block], plain(&strips, block));
            assert_eq!(found.0, expected.0, "{goal:?}, {scene:?}: block {block}");
            if found.has(Strip::IS_ONE) {
                let is_whole = found.width() == 2 * strips.reach;
                whole += u32::from(is_whole);
                at_walls += u32::from(found.has(Strip::IS_AT_WALL));
                ends += u32::from(!is_whole && !found.has(Strip::IS_AT_WALL));
                shared += u32::from(found.has(Strip::IS_SHARED));
                lone += u32::from(!found.has(Strip::IS_SHARED));
            }
        }
        for block in 0..SIZE[0] * SIZE[1] {
            let (found, expected) = (strips.ways[block].narrowest(), plain_ahead(&strips, block));
            assert_eq!(found.0, expected.0, "{goal:?}, {scene:?}: way of {block}");
            narrow += u32::from(found.width() < 20);
        }
        // An odd cost of crowds everywhere: what comes out is odd in left halves alone.
        let mut prices = vec![41; SIZE[0] * SIZE[1]];
        strips.price(0, &mut prices);
        for (block, price) in prices.into_iter().enumerate() {
            let (strip, ahead) = (plain(&strips, block), plain_ahead(&strips, block));
            let is_round = ahead.left() >= ahead.right() + strips.round;
            let is_left = strip.has(Strip::IS_SHARED) && strip.left() < strip.right() && !is_round;
            assert_eq!(price % 2 == 1, is_left, "{goal:?}, {scene:?}: price of {block}");
            odd[usize::from(is_left)] += 1;
        }
        for first in (0..SIZE[0] * SIZE[1] - BLOCK).step_by(61) {
            let blocks = Int8::from_fn(|i| (first + i) as i32);
            let [ends, found] = strips.follow(blocks, -strips.behind);
            for i in 0..BLOCK {
                let (end, expected) = plain_way(&strips, first + i, -strips.behind);
                let found = (ends.get(i) as usize, Strip::of_upper(found.get(i)).0);
                assert_eq!(found, (end, expected.0), "{goal:?}, {scene:?}: behind {first} + {i}");
            }
        }
    }
    let seen = [whole, at_walls, ends, shared, lone, narrow];
    assert!(seen.iter().chain(&odd).all(|&seen| seen > 1_000), "{seen:?}, {odd:?}");
    assert_eq!(CELL, 1 << 14, "as the plain search has it");
}

/// In the middle of open ground nothing is searched: all blocks in reach have the strip in common.
#[test]
fn open_ground_is_known_without_a_search() {
    let mut strips = Strips::default();
    find(&mut strips, [-900, 40], (0, 0, false));
    let tile = 70 / super::TILE * strips.tiles()[0] + 80 / super::TILE;
    let (x, y) = strips.looks[70 * SIZE[0] + 80].leads().expect("all head for the point");
    let is_strip = |way| strips.around[tile].is_strip(way, sector((x, y)));
    assert!(is_strip([i32::from(x), i32::from(y)]));
    assert!(!is_strip([i32::from(y), -i32::from(x)]), "not across the way");
}
