//! The same bytes for the same seed, others for another.

use std::path::Path;

use crate::common::generated;
use crate::common::generated::{SEED, legend};

/// The digests that the golden maps should have; `src/bin/golden.rs` compares it in every build.
const GOLDEN: &str = include_str!("../../../scenarios/generated.txt");

const HEAD: &str = "\
# Digests of maps made by rules, one for each kind of step: of all that was drawn, and of the map.
# To accept new ones: THRONG_BLESS=1 cargo test --release --test maps generated::golden
";

#[test]
fn every_kind_of_step_gives_its_golden_bytes() {
    let mut text = HEAD.to_owned();
    for (name, recipe) in generated::goldens() {
        text.push_str(&format!("{}\n", generated::line(name, &recipe)));
    }
    if std::env::var_os("THRONG_BLESS").is_some_and(|value| value == "1") {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/generated.txt");
        std::fs::write(path, &text).unwrap();
        return;
    }
    for (now, golden) in text.lines().zip(GOLDEN.lines()) {
        assert_eq!(now, golden);
    }
    assert_eq!(text, GOLDEN);
}

#[test]
fn other_seeds_and_other_salts_differ() {
    for (name, mut recipe) in generated::goldens() {
        let draw = |recipe: &throng::generate::Recipe, seed| {
            generated::digest(&recipe.draw(&legend(), seed).unwrap())
        };
        let first = draw(&recipe, SEED);
        assert_eq!(first, draw(&recipe, SEED), "{name}");
        // Beyond 32 bits too.
        assert_ne!(first, draw(&recipe, SEED + (1 << 40)), "{name}");
        // The number of earlier steps of a kind is what a step takes that says none.
        recipe.steps[0].salt = Some(0);
        assert_eq!(first, draw(&recipe, SEED), "{name}");
        recipe.steps[0].salt = Some(7);
        assert_ne!(first, draw(&recipe, SEED), "{name}");
    }
}

#[test]
fn threads_change_nothing() {
    for (name, recipe) in generated::goldens() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| recipe.draw(&legend(), SEED).unwrap())
        };
        assert_eq!(on(1), on(3), "{name}");
    }
}

#[test]
fn a_map_written_and_read_again_is_the_same() {
    use throng::map::Map;
    for (name, recipe) in generated::goldens() {
        let map = recipe.make(&legend(), SEED).unwrap().map;
        let read = Map::parse_movingai(map.to_movingai().as_bytes(), &legend(), 1.0).unwrap();
        let rows = map.heights().chunks_exact(map.stride() as usize).skip(1);
        let rows = rows.take(map.height() as usize).flat_map(|row| &row[1..row.len() - 1]);
        let heights: Vec<i16> = rows.copied().collect();
        assert_eq!(read.with_heights(&heights, map.wall_height()).unwrap(), map, "{name}");
    }
}
