//! Around a corner.

use throng::lane::Numbers;
use throng::math::Fx;

use super::plots;
use super::run::Run;

/// Distance from a point to a rectangle; 0 inside.
fn distance([x, y]: [f64; 2], [x0, y0, x1, y1]: [f64; 4]) -> f64 {
    let (dx, dy) = ((x0 - x).max(x - x1).max(0.0), (y0 - y).max(y - y1).max(0.0));
    (dx * dx + dy * dy).sqrt()
}

/// RiMEA test 6: nobody hits a wall, all leave. Discs of 0.18 m may touch walls, and overlap them by
/// less than a centimetre.
fn around_the_corner<N: Numbers>() {
    let mut run = Run::<N>::new("corner", 1);
    let (mut nearest, mut end) = (f64::INFINITY, None);
    let mut ways = vec![vec![]; 20];
    for _ in 0..run.ticks() {
        run.step();
        for (walker, way) in run.walkers.iter().zip(&mut ways) {
            if walker.pos[1] < 13.0 {
                way.push(walker.pos);
            }
            for wall in [[0.0, 2.0, 10.0, 12.0], [12.0, 0.0, 20.0, 12.0]] {
                nearest = nearest.min(distance(walker.pos, wall));
            }
        }
        if end.is_none() && run.walkers.iter().all(|walker| walker.pos[1] > 12.0) {
            end = Some(run.time());
        }
    }
    plots::corner(&ways);
    eprintln!("nearest to a wall {nearest:.3} m, all out after {end:?} s");
    assert!(nearest > 0.17, "a centre came within {nearest} m of a wall");
    // 22 m for the last one, and 20 people through 2 m at 1.2 persons/(m·s): 25 s, and some more.
    assert!(end.is_some_and(|end| end < 35.0), "{end:?}");
}

#[test]
fn a_corner_is_turned_without_hitting_a_wall() {
    around_the_corner::<f32>();
    around_the_corner::<Fx>();
}
