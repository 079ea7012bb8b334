//! How far people stand from a formation: the shape drawn anew, laid over them as it fits best.

use super::stage::{distance, length};

/// Places of ranks of these sizes, the front one first, heading along x: centred, a metre apart.
pub(crate) fn shape(ranks: &[u32]) -> Vec<Vec<[f64; 2]>> {
    let place = |rank: usize, size: u32, file: u32| {
        [-(rank as f64), f64::from(file) - (f64::from(size) - 1.0) / 2.0]
    };
    let of = |(rank, &size)| (0..size).map(|file| place(rank, size, file)).collect();
    ranks.iter().enumerate().map(of).collect()
}

fn centre(points: &[[f64; 2]]) -> [f64; 2] {
    let sum = points.iter().fold([0.0; 2], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
    sum.map(|s| s / points.len() as f64)
}

/// 1,440 headings all around, as unit vectors: to points on the sides of a square.
fn headings() -> impl Iterator<Item = [f64; 2]> {
    let side = (0..360).map(|i| f64::from(i) / 180.0 - 1.0);
    let corners = side.flat_map(|at| [[1.0, at], [-at, 1.0], [-1.0, -at], [at, -1.0]]);
    corners.map(|to| to.map(|part| part / length(to)))
}

/// Root of the mean squared distance of people from the ranks' places, in `spacing`s, for the best
/// of all headings: people are told into ranks from front to rear and along them by hand.
pub(crate) fn misfit(people: &[[f64; 2]], ranks: &[u32], spacing: f64) -> f64 {
    assert_eq!(people.len() as u32, ranks.iter().sum::<u32>());
    let ideal = shape(ranks);
    let ideal_centre = centre(&ideal.concat());
    let middle = centre(people);
    let misfit = |[cosine, sine]: [f64; 2]| {
        let turned = |p: &[f64; 2]| {
            let (x, y) = ((p[0] - middle[0]) / spacing, (p[1] - middle[1]) / spacing);
            let along = [x * cosine + y * sine, y * cosine - x * sine];
            [along[0] + ideal_centre[0], along[1] + ideal_centre[1]]
        };
        let mut turned: Vec<[f64; 2]> = people.iter().map(turned).collect();
        turned.sort_by(|a, b| b[0].total_cmp(&a[0]));
        let (mut start, mut sum) = (0, 0.0);
        for rank in &ideal {
            let here = &mut turned[start..start + rank.len()];
            here.sort_by(|a, b| a[1].total_cmp(&b[1]));
            let square = |(a, b): (&[f64; 2], &[f64; 2])| distance(*a, *b) * distance(*a, *b);
            sum += here.iter().zip(rank).map(square).sum::<f64>();
            start += rank.len();
        }
        (sum / people.len() as f64).sqrt()
    };
    headings().map(misfit).fold(f64::INFINITY, f64::min)
}
