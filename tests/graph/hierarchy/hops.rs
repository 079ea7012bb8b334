//! The cache of next hops.

use crate::common::terrain;
use crate::common::terrain::Random;
use proptest::prelude::*;
use throng::graph::hop_cache::{HopCache, MAX_HOPS};
use throng::graph::{Grid, Search};

proptest! {
    #![proptest_config(crate::common::cases(300))]

    /// Against a list that is searched from end to end, newest last.
    #[test]
    fn it_is_a_list_in_the_order_of_use(seed in any::<u64>()) {
        let mut random = Random(seed);
        let capacity = 1 + random.below(12);
        let mut cache = HopCache::new(capacity);
        let mut list: Vec<((u32, u32), u32)> = Vec::new();
        for _ in 0..400 {
            let key = (random.below(5), random.below(5));
            let place = list.iter().position(|entry| entry.0 == key);
            if random.below(100) == 0 {
                cache.clear();
                list.clear();
            } else if random.below(2) == 0 {
                let expected = place.map(|place| list[place].1);
                prop_assert_eq!(cache.find(key.0, key.1), expected);
                if let Some(place) = place {
                    let entry = list.remove(place);
                    list.push(entry);
                }
            } else {
                let next = random.below(1000);
                cache.insert(key.0, key.1, next);
                if let Some(place) = place {
                    list.remove(place);
                }
                list.push((key, next));
                if list.len() > capacity as usize {
                    list.remove(0);
                }
            }
            prop_assert_eq!(cache.len() as usize, list.len());
        }
    }
}

/// Ways of a map in a cache that holds them all, and in one that holds few.
#[test]
fn a_cached_path_is_the_searched_one() {
    let class = terrain::rooms(100, 4).class(0.4);
    let graph = Grid::new(&class);
    let mut search = Search::default();
    let mut random = Random(5);
    let mut cell = || terrain::passable_cell(class.slowness(), random.below(1000)).unwrap();
    let ends: Vec<(u32, u32)> = (0..30).map(|_| (cell(), cell())).collect();
    let (mut whole, mut few) = (HopCache::new(20_000), HopCache::new(300));
    let (mut path, mut cached) = (Vec::new(), Vec::new());
    let (mut found, mut lost) = (0, 0);
    for round in 0..2 {
        for &(from, to) in &ends {
            if search.find(&graph, &[(from, 0)], |node| node == to, |_| 0).is_none() {
                assert!(!whole.path(from, to, &mut cached));
                continue;
            }
            search.path(to, &mut path);
            if round > 0 {
                assert!(whole.path(from, to, &mut cached));
                assert_eq!(cached, path);
                let held = few.path(from, to, &mut cached);
                assert_eq!(held, cached == path);
                (found, lost) = (found + u32::from(held), lost + u32::from(!held));
            }
            whole.insert_path(&path);
            few.insert_path(&path);
            assert!(few.path(from, to, &mut cached) || path.len() > 300);
        }
    }
    assert!(lost > 0, "{found} found, {lost} lost");
    assert!(few.len() == few.capacity() && few.bytes() <= 12_000, "{}", few.bytes());
}

#[test]
fn a_way_that_never_ends_is_not_followed() {
    let mut cache = HopCache::new(4);
    cache.insert(1, 9, 2);
    cache.insert(2, 9, 1);
    assert!(!cache.path(1, 9, &mut Vec::new()));
    assert!(cache.path(9, 9, &mut Vec::new()));
}

#[test]
#[should_panic(expected = "0 next hops, not 1 to 16777216")]
fn a_cache_holds_something() {
    assert_eq!(MAX_HOPS, 16_777_216);
    HopCache::new(0);
}
