//! Measures against plain versions, summaries, pictures and films.

mod battles;
mod crush;
mod pictures;

use proptest::prelude::*;
use throng::map::Map;
use throng::report::crush::Crush;
use throng::report::measure::wall_contact;
use throng::report::measures::Overlaps;
use throng::report::observer::Observed;
use throng::report::routes::Routes;
use throng::report::speed::SpeedMeter;
use throng::report::stuck::{StuckMeter, StuckMost};
use throng::report::{Crowd, measures};
use throng_cli::summary;
use throng_cli::summary::{Shared, Summary, TickTimes};

/// A crowd that owns its columns.
#[derive(Clone, Debug, Default)]
struct Owned {
    positions: Vec<[f32; 2]>,
    groups: Vec<u16>,
    flags: Vec<u8>,
    ids: Vec<u32>,
    radii: Vec<f32>,
    colours: Vec<[u8; 3]>,
}

impl Owned {
    fn new(positions: Vec<[f32; 2]>, radii: &[f32]) -> Self {
        let rows = positions.len();
        Self {
            positions,
            groups: (0..rows).map(|row| (row % radii.len()) as u16).collect(),
            flags: vec![2; rows],
            ids: (0..rows as u32).collect(),
            radii: radii.to_vec(),
            colours: vec![[200, 30, 20]; radii.len()],
        }
    }

    fn view(&self) -> Crowd<'_> {
        Crowd {
            positions: &self.positions,
            groups: &self.groups,
            flags: &self.flags,
            ids: &self.ids,
            sizes: &[],
            radii: &self.radii,
            colours: &self.colours,
        }
    }
}

/// A map of 32 × 24 cells of 2 m with a block of walls from cell (8, 8) to (15, 15).
fn map() -> Map {
    let solid = |i: usize| (8..16).contains(&(i % 32)) && (8..16).contains(&(i / 32));
    let cells: Vec<u8> = (0..32 * 24).map(|i| if solid(i) { 0 } else { 16 }).collect();
    Map::from_slowness(32, 24, 2.0, &cells)
}

/// Every pair.
fn overlaps_plainly(crowd: &Crowd) -> Overlaps {
    let mut found = Overlaps::default();
    let radius = |row: usize| f64::from(crowd.radii[crowd.groups[row] as usize]);
    for a in 0..crowd.len() {
        for b in 0..a {
            let [dx, dy] = [0, 1].map(|axis| {
                f64::from(crowd.positions[a][axis]) - f64::from(crowd.positions[b][axis])
            });
            let depth = radius(a) + radius(b) - (dx * dx + dy * dy).sqrt();
            if depth > 1e-4 && radius(a) > 0.0 && radius(b) > 0.0 {
                found.pairs += 1;
                found.max_overlap_m = found.max_overlap_m.max(depth);
                let share = depth / radius(a).min(radius(b));
                found.max_overlap_radii = found.max_overlap_radii.max(share);
            }
        }
    }
    found
}

/// Numbers without an order of their own.
fn scatter(count: usize, seed: u32, extent: f32) -> Vec<[f32; 2]> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * extent
    };
    (0..count).map(|_| [next(), next()]).collect()
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![20 => -5.0f32..70.0, 4 => (0i16..64).prop_map(f32::from), 1 => -1e4f32..1e4,
        1 => Just(f32::NAN), 1 => Just(f32::INFINITY)]
}

fn radius() -> impl Strategy<Value = f32> {
    prop_oneof![8 => 0.1f32..1.0, 1 => 1.0f32..20.0, 1 => Just(0.0)]
}

proptest! {
    #[test]
    fn overlaps_are_those_of_all_pairs(
        positions in prop::collection::vec([coordinate(), coordinate()], 0..200),
        radii in prop::collection::vec(radius(), 1..5),
    ) {
        let crowd = Owned::new(positions, &radii);
        let found = measures::overlaps(&crowd.view(), &map());
        let plain = overlaps_plainly(&crowd.view());
        prop_assert_eq!(found.pairs, plain.pairs);
        prop_assert!((found.max_overlap_m - plain.max_overlap_m).abs() < 1e-9);
        prop_assert!((found.max_overlap_radii - plain.max_overlap_radii).abs() < 1e-9);
    }

    #[test]
    fn inside_wall_is_cell_by_cell(
        positions in prop::collection::vec([coordinate(), coordinate()], 0..300),
    ) {
        let inside = positions.iter().filter(|[x, y]| {
            let free = *x >= 0.0 && *x < 64.0 && *y >= 0.0 && *y < 48.0;
            let block = (16.0..32.0).contains(x) && (16.0..32.0).contains(y);
            !free || block
        });
        let expected = inside.count() as u64;
        let crowd = Owned::new(positions, &[0.4]);
        prop_assert_eq!(wall_contact(&crowd.view(), &map()).inside, expected);
    }
}

#[test]
fn overlaps_do_not_depend_on_threads_or_row_order() {
    let crowd = Owned::new(scatter(100_000, 7, 300.0), &[0.3, 0.4, 2.5]);
    let mut turned = crowd.clone();
    turned.positions.reverse();
    turned.groups.reverse();
    let map = Map::from_slowness(300, 300, 1.0, &vec![16; 90_000]);
    let results: Vec<Overlaps> = [1, 2, 3, 8]
        .into_iter()
        .flat_map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| [&crowd, &turned].map(|crowd| measures::overlaps(&crowd.view(), &map)))
        })
        .collect();
    assert!(results[0].pairs > 100_000, "{results:?}");
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
}

#[test]
fn overlap_of_known_pairs() {
    let positions = vec![[10.0, 10.0], [10.5, 10.0], [12.0, 10.0], [40.0, 40.0], [40.0, 40.0]];
    let mut crowd = Owned::new(positions, &[0.5, 0.25]);
    crowd.groups = vec![0, 1, 0, 0, 1];
    let found = measures::overlaps(&crowd.view(), &map());
    assert_eq!(found, Overlaps { max_overlap_m: 0.75, max_overlap_radii: 3.0, pairs: 2 });
    assert_eq!(found.worse(Overlaps { pairs: 1, ..found }), found);
    assert_eq!(measures::overlaps(&Owned::new(vec![], &[1.0]).view(), &map()), Overlaps::default());
}

/// Feeds a meter of 10 ticks a second for some seconds; `place` gives each agent's x.
fn observe(meter: &mut StuckMeter, ticks: std::ops::Range<u64>, agents: &[(u32, u8, f32, f32)]) {
    for tick in ticks {
        // Rows turn round from tick to tick.
        let mut rows: Vec<_> = agents.to_vec();
        let turn = tick as usize % rows.len().max(1);
        rows.rotate_left(turn);
        let seconds = tick as f32 / 10.0;
        let mut crowd =
            Owned::new(rows.iter().map(|r| [r.2 + r.3 * seconds, 5.0]).collect(), &[0.5]);
        crowd.ids = rows.iter().map(|r| r.0).collect();
        crowd.flags = rows.iter().map(|r| r.1).collect();
        meter.observe(tick, &crowd.view());
    }
}

#[test]
fn stuck_are_those_who_want_to_go_and_do_not() {
    let mut meter = StuckMeter::new(0.1);
    // Stands; walks; walks 0.4 m in 10 s (less than 0.5); has arrived; has no order.
    let agents =
        [(9, 2, 1.0, 0.0), (2, 2, 1.0, 1.0), (5, 2, 3.0, 0.04), (0, 3, 5.0, 0.0), (1, 0, 7.0, 0.0)];
    observe(&mut meter, 0..100, &agents);
    assert_eq!((meter.stuck_now(), meter.stuck_agent_s()), (0, 0.0));
    assert_eq!(meter.most(), StuckMost::default());
    observe(&mut meter, 100..101, &agents);
    assert_eq!(meter.stuck_now(), 2);
    observe(&mut meter, 101..200, &agents);
    assert!((meter.stuck_agent_s() - 20.0).abs() < 1e-9, "{}", meter.stuck_agent_s());
    assert_eq!(meter.most(), StuckMost { agents: 2, of: 5, tick: 100 });
    assert_eq!((meter.ever(), meter.longest_s()), (2, 10.0));
}

#[test]
fn stuck_begins_anew_after_a_pause() {
    let mut meter = StuckMeter::new(0.1);
    observe(&mut meter, 0..111, &[(3, 2, 1.0, 0.0), (4, 2, 1.0, 0.0), (5, 2, 1.0, 0.0)]);
    assert_eq!(meter.stuck_now(), 3);
    // 3 vanishes, 4 loses its order, 5 arrives, each for 2 s; 6 is new.
    observe(&mut meter, 111..131, &[(4, 0, 1.0, 0.0), (5, 3, 1.0, 0.0), (6, 2, 1.0, 0.0)]);
    assert_eq!(meter.stuck_now(), 0);
    let all = [(3, 2, 1.0, 0.0), (4, 2, 1.0, 0.0), (5, 2, 1.0, 0.0), (6, 2, 1.0, 0.0)];
    observe(&mut meter, 131..221, &all);
    assert_eq!(meter.stuck_now(), 1);
    observe(&mut meter, 221..241, &all);
    assert_eq!(meter.stuck_now(), 4);
    let seconds = meter.stuck_agent_s();
    observe(&mut meter, 241..300, &[]);
    assert_eq!((meter.stuck_now(), meter.stuck_agent_s()), (0, seconds));
    assert_eq!(meter.most(), StuckMost { agents: 4, of: 4, tick: 240 });
    // 6 was found stuck three times in a row; the others twice, and twice again.
    assert_eq!((meter.ever(), meter.longest_s()), (4, 3.0));
}

#[test]
fn speeds_are_those_of_agents_under_way() {
    let mut meter = SpeedMeter::default();
    assert_eq!(meter.mean(), 0.0);
    meter.observe(&[[3.0, 4.0], [0.0, -1.0], [100.0, 0.0], [50.0, 0.0]], &[2, 2, 3, 0]);
    meter.observe(&[[0.0, 0.0]], &[2]);
    assert_eq!(meter.mean(), 2.0);
}

fn summary() -> Summary {
    Summary {
        scenario: "crossing".into(),
        map: "plain.map".into(),
        numeric: "f32".into(),
        threads: 4,
        agents: 100_000,
        ticks: 3_000,
        first_tick: 0,
        dt: 1.0 / 30.0,
        digest: "0123456789abcdef".into(),
        wall_s: 4.2,
        ns_per_agent_tick: 14.0,
        tick_ms: TickTimes::of(&[20.0, 9.5, 1.0, 1.25]),
        stages: vec![
            ("sort".into(), 4.5),
            ("neighbours".into(), 7.25),
            ("aim".into(), 0.07),
            ("digest".into(), 0.05),
        ],
        shared: None,
        arrived: 98_712,
        unreachable: 12,
        overflowed: 0,
        full_goals: Vec::new(),
        crowd: Observed {
            inside_wall: 0,
            max_overlap_m: 0.031,
            max_overlap_radii: 0.0775,
            overlapping_pairs: 1_234,
            crush: Crush {
                pairs_per_1000: 10.28,
                overlap_p50: 10.0 / 256.0,
                overlap_p99: 0.0625,
                overlap_max: 0.0775,
                ..Crush::default()
            },
            mean_speed: 1.312,
            stuck_agent_s: 1_204.0,
            stuck_agents_max: 355,
            stuck_agents_max_of: 99_460,
            stuck_agents_max_at: 4_000,
            stuck_agents: 401,
            stuck_longest_s: 92.0,
            stuck_agents_end: 7,
            left: 0,
        },
        peak_rss_mb: 212.4,
        routes: None,
        battle: None,
        timeline: Default::default(),
        minds: None,
        traffic: None,
        structures: None,
    }
}

#[test]
fn a_summary_is_read_at_a_glance() {
    let text = summary().to_text();
    let wanted = [
        "  12 of 100,000 agents cannot reach their goal; 98.7 % arrived; nobody inside a wall;\n",
        "\n  overlaps: half below 4 %, 99 % below 7 %, \
         the deepest 7.8 % of a radius;\n  nobody passed through anybody;\n  at most 355 of 99,460 \
         were stuck at once, after 2 min 13 s.\n",
        "98,712 (98.7 %)",
        "12 cannot reach their goal",
        "0.031 m (7.8 % of a radius)",
        "10.3 pairs per 1,000 agents, 1,234 pairs at most",
        "401 agents, the longest for 92.0 s, 7 at the end",
        "355 at most, after 2 min 13 s; 20 min 4 s for all together",
        "100 s, 3,000 ticks of 1/30 s",
        "23.8 × real time",
        "1.25 ms, the slowest 9.50 ms (tick 1)",
        "neighbours        7.25  ████████████████████████████\n  others            0.12  ▌\n",
    ];
    for part in wanted {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    let walled = Observed { inside_wall: 2, ..summary().crowd };
    let bad = Summary { crowd: walled, arrived: 99_999, ..summary() }.to_text();
    assert!(bad.contains("99.9 % arrived; 2 AGENTS INSIDE A WALL"), "{bad}");
    let routes = Some(Routes { waited: 3_100, longest_s: 4.2, waiting: 0 });
    let waits = Summary { routes, ..summary() }.to_text();
    assert!(waits.contains("3,100 agents waited, the longest 4.2 s\n"), "{waits}");
    // Nothing in it may panic.
    assert!(!text.contains("processes"), "{text}");
    let shared = Shared {
        processes: 4,
        bytes_per_tick: 40_919.4,
        imbalance: 1.034,
        waiting: 0.25,
        moves: 1,
        ..Shared::default()
    };
    let on_four = Summary { shared: Some(shared), ..summary() }.to_text();
    let line = "4, 40,919 bytes a tick, waiting 25 %, imbalance 1.03 after 1 move of cuts";
    assert!(on_four.contains(line), "{on_four}");
    assert!(on_four.contains("a part of the agents in each"), "{on_four}");
    let all = Summary { shared: Some(Shared { whole: Some("why"), ..shared }), ..summary() };
    assert!(all.to_text().contains("no, why"), "{}", all.to_text());
    Summary::default().to_text();
}

#[test]
fn a_summary_says_the_worst_of_the_whole_run() {
    let said = |crush: Crush, stuck: [u64; 2]| {
        let [stuck_agents_max, stuck_agents_max_of] = stuck;
        let crowd = summary().crowd;
        let crowd = Observed { crush, stuck_agents_max, stuck_agents_max_of, ..crowd };
        let text = Summary { crowd, ..summary() }.to_text();
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let depths = |overlap_p50, overlap_p99, overlap_max| Crush {
        overlap_p50,
        overlap_p99,
        overlap_max,
        ..Crush::default()
    };
    for (crush, words) in [
        (depths(0.0, 0.0, 0.0), "; nobody overlaps;"),
        (depths(0.05, 0.05, 0.05), "; overlaps reach 5 % of a radius;"),
        (depths(0.051, 0.054, 0.054), "; overlaps reach 5.4 % of a radius;"),
        (depths(0.04, 0.383, 0.385), "; overlaps: half below 5 %, the deepest 38.5 % of a radius;"),
        (
            depths(0.35, 1.4, 2.0),
            "; overlaps: half below 36 %, 99 % below 141 %, the deepest 200 % of a radius;",
        ),
    ] {
        let text = said(crush, [0, 0]);
        assert!(text.contains(words), "{words:?} is not in\n{text}");
        assert!(text.contains("nobody passed through anybody; nobody else got stuck."), "{text}");
        assert!(!text.contains("deeper than") && !text.contains("passed through 0"), "{text}");
    }
    for (same, other, words) in [
        (1, 0, "; agents passed through each other once, in a group;"),
        (0, 1, "; agents passed through each other once, between groups;"),
        (2, 0, "; agents passed through each other 2 times, in a group;"),
        (10_800_000, 9_700_001, "each other 20,500,001 times, 9,700,001 between groups;"),
    ] {
        let passes =
            Crush { passed_through_same: same, passed_through_other: other, ..Crush::default() };
        let text = said(passes, [1, 460]);
        assert!(text.contains(words), "{words:?} is not in\n{text}");
        assert!(text.contains("; at most 1 of 460 was stuck at once."), "{text}");
        let numbers = [same, other].map(summary::thousands);
        let line = format!("passed through {} in a group, {} between", numbers[0], numbers[1]);
        assert!(text.contains(&line), "{line:?} is not in\n{text}");
    }
    let deep = Crush {
        deeper_25: 2_382.4,
        deeper_50: 1_578.0,
        deeper_100: 0.001,
        worst_deeper_25: 4_000.0,
        worst_at: 3_020,
        ..Crush::default()
    };
    let text = said(deep, [2, 2]);
    for words in [
        "deeper than 25 %: 2,382, 50 %: 1,578, 100 %: under 0.01 per 1,000",
        "at the worst 25 %: 4,000 per 1,000 (tick 3,020)",
        "at most 2 of 2 were stuck at once, after 2 min 13 s.",
    ] {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
}

#[test]
fn memory_is_known_on_linux() {
    let most = summary::peak_rss_mb();
    assert_eq!(most.is_some(), cfg!(target_os = "linux"));
    assert!(most.is_none_or(|most| most > 1.0 && most < 1e6), "{most:?}");
}

#[test]
fn json_has_the_keys_in_order() {
    let json = serde_json::to_string_pretty(&summary()).unwrap();
    let keys = "scenario map numeric threads agents ticks dt digest wall_s ns_per_agent_tick tick_ms stages \
        arrived unreachable overflowed inside_wall max_overlap_m max_overlap_radii overlapping_pairs crush \
         mean_speed stuck_agent_s stuck_agents_max stuck_agents_max_of stuck_agents_max_at \
         stuck_agents stuck_longest_s stuck_agents_end left peak_rss_mb";
    let places: Vec<Option<usize>> =
        keys.split_whitespace().map(|key| json.find(&format!("\n  \"{key}\": "))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {json}");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["stages"]["neighbours"], 7.25);
    assert_eq!(value["stuck_agents_max"], 355);
    let crush = "pairs_per_1000 deeper_25 deeper_50 deeper_100 worst_deeper_25 worst_at overlap_p50 \
        overlap_p99 overlap_max passed_through_same passed_through_other";
    let keys_of_crush = crush.split_whitespace();
    assert!(keys_of_crush.clone().all(|key| value["crush"][key].is_number()), "{json}");
    assert_eq!(value["crush"].as_object().unwrap().len(), keys_of_crush.count());
    assert_eq!(value["crush"]["overlap_p99"], 0.0625);
    assert_eq!(value.as_object().unwrap().len(), keys.split_whitespace().count());
}
