//! Points: how far apart, how evenly spread, and the same bits everywhere.

use throng::generate::points::{MAX_POINTS, Points, PointsError, radical_inverse};
use throng::math::digest_bytes;

type Point = [f64; 2];

const HALTON: Points = Points::Halton { count: 1000, bases: [2, 3] };

/// The least distance of two points, by looking at every pair.
fn least_distance(points: &[Point]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            least = least.min((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2));
        }
    }
    least.sqrt()
}

/// The radius of the largest disc without a point, with its centre on a fine lattice.
fn largest_gap(points: &[Point], size: Point, step: f64) -> f64 {
    let mut largest = 0.0_f64;
    for j in 0..=(size[1] / step) as u32 {
        for i in 0..=(size[0] / step) as u32 {
            let (x, y) = (f64::from(i) * step, f64::from(j) * step);
            let squares = points.iter().map(|p| (p[0] - x).powi(2) + (p[1] - y).powi(2));
            largest = largest.max(squares.fold(f64::INFINITY, f64::min));
        }
    }
    largest.sqrt()
}

/// The star discrepancy of points in the unit square: the greatest difference between the share of
/// points in a box with a corner at 0 and the area of the box. All boxes that can be the worst have
/// their sides at points; each is looked at with and without its edge.
fn star_discrepancy(points: &[Point]) -> f64 {
    let count = points.len();
    let mut by_x = points.to_vec();
    by_x.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut ys: Vec<f64> = points.iter().map(|p| p[1]).collect();
    ys.sort_by(f64::total_cmp);
    // How many points there are so far at every height.
    let mut at = vec![0_u32; count];
    let mut worst = 0.0_f64;
    let mut look = |at: &[u32], x: f64, closed: bool| {
        let mut inside = 0;
        for (&number, &y) in at.iter().zip(&ys) {
            inside += if closed { number } else { 0 };
            let share = f64::from(inside) / count as f64;
            worst = worst.max(if closed { share - x * y } else { x * y - share });
            inside += if closed { 0 } else { number };
        }
        worst = worst.max(x - f64::from(inside) / count as f64);
    };
    for point in &by_x {
        look(&at, point[0], false);
        at[ys.partition_point(|&y| y < point[1])] += 1;
        look(&at, point[0], true);
    }
    look(&at, 1.0, false);
    worst
}

#[test]
fn discrepancies_of_known_sets() {
    assert_eq!(star_discrepancy(&[[0.5, 0.5]]), 0.75);
    assert_eq!(star_discrepancy(&[[0.25, 0.5]]), 0.875);
    assert_eq!(star_discrepancy(&[[0.75, 0.5]]), 0.75);
    // The least that two points can have (White 1977): (√5 − 1) / 4 + 1 / 4 is not reached by these,
    // whose worst box is the one up to the first point.
    let (a, b) = ([0.25, 0.75], [0.75, 0.25]);
    assert_eq!(star_discrepancy(&[a, b]), star_discrepancy(&[b, a]));
    assert_eq!(star_discrepancy(&[a, b]), 0.5625);
}

#[test]
fn halton_is_more_even_than_chance() {
    let mut halton = 0.0_f64;
    let mut chance = f64::INFINITY;
    for seed in 0..40 {
        let random = Points::Random { count: 1000 }.place([1.0, 1.0], seed).unwrap();
        chance = chance.min(star_discrepancy(&random));
        halton = halton.max(star_discrepancy(&HALTON.place([1.0, 1.0], seed).unwrap()));
    }
    eprintln!("star discrepancy of 1,000: Halton at most {halton:.5}, chance at least {chance:.5}");
    assert!(halton < 0.01 && chance > 0.02, "{halton} {chance}");
}

#[test]
fn radical_inverses_are_those_of_the_textbook() {
    let two =
        [1.0 / 2.0, 1.0 / 4.0, 3.0 / 4.0, 1.0 / 8.0, 5.0 / 8.0, 3.0 / 8.0, 7.0 / 8.0, 1.0 / 16.0];
    let three =
        [1.0 / 3.0, 2.0 / 3.0, 1.0 / 9.0, 4.0 / 9.0, 7.0 / 9.0, 2.0 / 9.0, 5.0 / 9.0, 8.0 / 9.0];
    for (base, table) in [(2, two), (3, three)] {
        assert_eq!(radical_inverse(0, base), 0.0);
        for (number, expected) in (1..).zip(table) {
            assert_eq!(radical_inverse(number, base), expected, "{number} in base {base}");
        }
    }
    // 45,678 in base 10 reads the same with its digits mirrored.
    assert_eq!(radical_inverse(45_678, 10), 0.876_54);
    assert_eq!(radical_inverse((1 << 32) - 1, 2), 1.0 - 1.0 / 2_f64.powi(32));
}

/// Of any `2^a · 3^b` points in a row one lies in every box of a lattice of `2^a × 3^b`.
#[test]
fn halton_points_fill_every_box() {
    for seed in 0..20 {
        let points = HALTON.place([1.0, 1.0], seed).unwrap();
        for (columns, rows) in [(2, 3), (8, 9), (16, 27), (32, 27)] {
            for block in points.chunks_exact(columns * rows) {
                let mut seen = vec![0; columns * rows];
                for [x, y] in block {
                    let (i, j) = (x * columns as f64, y * rows as f64);
                    // 1/3 and its like round to either side of a box's edge, never farther.
                    seen[(j + 1e-9) as usize * columns + i as usize] += 1;
                }
                assert!(seen.iter().all(|&n| n == 1), "{columns} × {rows}, seed {seed}");
            }
        }
    }
}

#[test]
fn disks_keep_their_distance_and_leave_no_gap() {
    let mut densities = Vec::new();
    for (seed, size, radius) in [
        (1, [40.0, 30.0], 1.0),
        (2, [12.0, 70.0], 1.7),
        (3, [9.0, 9.0], 0.31),
        (4, [600.0, 1.0], 2.0),
    ] {
        let points = Points::Poisson { radius, tries: 30 }.place(size, seed).unwrap();
        let inside = |p: &Point| (0.0..size[0]).contains(&p[0]) && (0.0..size[1]).contains(&p[1]);
        assert!(points.iter().all(inside));
        assert!(least_distance(&points) >= radius, "seed {seed}");
        let gap = largest_gap(&points, size, radius / 3.0);
        assert!(gap < 2.0 * radius, "a disc of {gap} is empty, seed {seed}");
        densities.push(points.len() as f64 * radius * radius / (size[0] * size[1]));
    }
    eprintln!("points per square of a radius: {densities:.3?}");
    assert!(densities[..3].iter().all(|density| (0.6..0.75).contains(density)), "{densities:?}");
}

#[test]
fn what_is_too_close_or_too_bare_is_seen() {
    let size = [40.0, 30.0];
    let good = Points::Poisson { radius: 1.0, tries: 30 }.place(size, 1).unwrap();
    let mut close = good.clone();
    close.push([close[7][0] + 0.7, close[7][1] + 0.7]);
    assert!(least_distance(&close) < 1.0);
    let bare: Vec<Point> =
        good.into_iter().filter(|p| (p[0] - 20.0).hypot(p[1] - 15.0) > 2.1).collect();
    assert!(largest_gap(&bare, size, 1.0 / 3.0) >= 2.0);
}

#[test]
fn one_disk_alone_and_none_of_nothing() {
    for radius in [10.0, 1e9, f64::INFINITY] {
        let alone = Points::Poisson { radius, tries: 5 }.place([3.0, 4.0], 1).unwrap();
        assert_eq!(alone.len(), 1);
    }
    assert_eq!(Points::Random { count: 0 }.place([3.0, 4.0], 1), Ok(Vec::new()));
}

/// XXH3-64 of the bits of all coordinates: method by seed, 1 and 2⁶⁴ − 1.
const GOLDEN: [(Points, [u64; 2]); 4] = [
    (Points::Random { count: 500 }, [0x305f_8ae8_4bd1_4a92, 0x06a9_ff20_bbc5_e01d]),
    (Points::Halton { count: 500, bases: [2, 3] }, [0xb5d2_b053_bf87_a1f0, 0xdecc_fdce_0c1d_5fbc]),
    (
        Points::Halton { count: 500, bases: [35, 1000 - 1] },
        [0x91af_d38a_8247_afbd, 0xd7e3_e880_761f_837c],
    ),
    (Points::Poisson { radius: 2.25, tries: 30 }, [0xfd56_f16d_75bf_3aab, 0x23fe_08e1_c926_e370]),
];

#[test]
fn the_bits_are_those_of_the_table() {
    let bytes = |points: &[Point]| -> Vec<u8> {
        points.iter().flatten().flat_map(|x| x.to_bits().to_le_bytes()).collect()
    };
    let digest = |method: Points, seed| {
        let [once, again] = [0; 2].map(|_| bytes(&method.place([100.0, 62.5], seed).unwrap()));
        assert_eq!(once, again);
        digest_bytes(0, &once)
    };
    let found = GOLDEN.map(|(method, _)| (method, [1, u64::MAX].map(|seed| digest(method, seed))));
    assert_eq!(found, GOLDEN, "{found:#018x?}");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let cases = [
        (Points::Random { count: 9 }, [0.0, 1.0], "a rectangle of 0 x 1"),
        (Points::Random { count: 9 }, [1.0, f64::NAN], "1 x NaN"),
        (Points::Random { count: 9 }, [f64::INFINITY, 1.0], "1e-6 to 1e9"),
        (Points::Random { count: MAX_POINTS + 1 }, [1.0, 1.0], "4194305 points; at most 4194304"),
        (Points::Halton { count: u32::MAX, bases: [2, 3] }, [1.0, 1.0], "4294967295 points"),
        (Points::Halton { count: 9, bases: [4, 6] }, [1.0, 1.0], "bases 4 and 6"),
        (Points::Halton { count: 9, bases: [1, 2] }, [1.0, 1.0], "bases 1 and 2"),
        (Points::Halton { count: 9, bases: [0, 1] }, [1.0, 1.0], "bases 0 and 1"),
        (Points::Halton { count: 9, bases: [2, 1001] }, [1.0, 1.0], "2 to 1000"),
        (Points::Poisson { radius: 0.0, tries: 30 }, [1.0, 1.0], "radius 0"),
        (Points::Poisson { radius: -1.0, tries: 30 }, [1.0, 1.0], "radius -1"),
        (Points::Poisson { radius: f64::NAN, tries: 30 }, [1.0, 1.0], "radius NaN"),
        (Points::Poisson { radius: 1e-5, tries: 30 }, [1.0, 1.0], "it must be at least 0.00034"),
        (Points::Poisson { radius: 1.0, tries: 0 }, [1.0, 1.0], "0 tries; 1 to 1000"),
        (Points::Poisson { radius: 1.0, tries: 1001 }, [1.0, 1.0], "1001 tries"),
    ];
    for (method, size, expected) in cases {
        let error: PointsError = method.place(size, 1).unwrap_err();
        assert!(error.to_string().contains(expected), "{method:?}: {error}");
    }
    let least = Points::Poisson { radius: 0.00035, tries: 1 };
    assert!(least.place([1.0, 1e-3], 1).is_ok(), "the least radius that the error names");
}
