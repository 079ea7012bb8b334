//! Down a flow field, as a lone agent goes.

use throng::kernel::sample;
use throng::map::Clearance;
use throng::nav::field::direction;

/// Cells a step.
const STEP: f32 = 0.25;

/// Walks down a field from a point to another in cells, by steps of a quarter of a cell; whether it
/// arrives.
pub(super) fn walk(
    class: &Clearance,
    directions: &[u32],
    from: [f64; 2],
    to: [f64; 2],
    most_steps: u32,
    points: &mut Vec<[f64; 2]>,
) -> bool {
    let stride = class.stride();
    let cell = |[x, y]: [f32; 2]| (y.floor() as u32 + 1) * stride + x.floor() as u32 + 1;
    let open = |at: [f32; 2]| class.passable(cell(at));
    let (mut at, to32) = (from.map(|v| v as f32), to.map(|v| v as f32));
    points.push(from);
    for _ in 0..most_steps {
        if cell(at) == cell(to32) {
            points.push(to);
            return true;
        }
        let corners = sample::corners::<f32>(at[0], at[1], 1.0, stride as i32);
        let quad = |_, first| sample::quad(directions, first, stride as usize);
        let codes = sample::gather(&corners, quad);
        let way = sample::blend(&corners, &codes);
        let whole = [at[0] + STEP * way.x, at[1] + STEP * way.y];
        // Walls stop what leads into them, and it slides along.
        let tries = [whole, [whole[0], at[1]], [at[0], whole[1]]];
        let own = directions[cell(at) as usize];
        let (x, y) = direction::unpack(own).unwrap_or((0, 0));
        let by_own = [x, y].map(|part| f32::from(part) / 16_384.0 * STEP);
        let by_own = [at[0] + by_own[0], at[1] + by_own[1]];
        let free = |next: &[f32; 2]| {
            let corner = [[next[0], at[1]], [at[0], next[1]]];
            *next != at && open(*next) && corner.into_iter().any(open)
        };
        let Some(next) = tries.into_iter().chain([by_own]).find(free) else { return false };
        at = next;
        points.push(at.map(f64::from));
    }
    false
}
