//! Columns of shots in, columns of answers out.

use crate::kernel::intercept::{
    Answer, Arc, Effort, Method, Shot, constant, fastest, least, moving, still,
};
use crate::lane::{BLOCK, IntLane, Lane, Numbers};
use crate::math::Num;
use crate::math::each::Each;

/// Columns of shots, as seen from the muzzle: x, y and z are columns of their own. A column may be
/// empty, and is 0 then, but for `speed`.
#[derive(Clone, Copy, Debug)]
pub struct Shots<'a, N> {
    /// Where the targets are, m.
    pub delta: [&'a [N]; 3],
    /// Their velocities, m/s; minus the launchers' where projectiles inherit that.
    pub vel: [&'a [N]; 3],
    /// Their accelerations, m/s².
    pub acc: [&'a [N]; 3],
    /// The muzzle speeds, m/s: as many as there are shots.
    pub speed: &'a [N],
    /// What pulls the projectiles along −z, m/s².
    pub gravity: &'a [N],
    /// The longest time of flight that counts, s.
    pub longest: N,
}

/// Columns of answers, each as long as there are shots.
#[derive(Debug)]
pub struct Answers<'a, N> {
    /// When they hit, s.
    pub time: &'a mut [N],
    /// The velocities to launch with, m/s: x, y and z.
    pub launch: [&'a mut [N]; 3],
    /// [`Outcome`](crate::kernel::intercept::Outcome)s' codes.
    pub outcome: &'a mut [u8],
    /// How often it aimed or looked at a curve; 255 for more.
    pub iterations: &'a mut [u8],
}

/// Solves all shots, 8 at a time. Any number will do; nothing is allocated.
///
/// # Panics
///
/// When columns differ in length.
pub fn solve_all<N: Numbers>(method: Method, shots: &Shots<'_, N>, answers: &mut Answers<'_, N>) {
    solve_lanes::<N::Wide>(method, shots, answers);
}

/// The same on the lanes of a type: the same bits for any width.
///
/// # Panics
///
/// When columns differ in length.
pub fn solve_lanes<L: Lane>(
    method: Method,
    shots: &Shots<'_, L::Num>,
    answers: &mut Answers<'_, L::Num>,
) {
    check(shots, answers);
    let full = Effort::FULL;
    match method {
        Method::Constant => each::<L, STRAIGHT>(shots, answers, constant),
        Method::Still(Arc::Low) => each::<L, STANDING>(shots, answers, |c| still(c, Arc::Low)),
        Method::Still(Arc::High) => each::<L, STANDING>(shots, answers, |c| still(c, Arc::High)),
        Method::Moving(Arc::Low) => each::<L, ALL>(shots, answers, |c| moving(c, Arc::Low, full)),
        Method::Moving(Arc::High) => each::<L, ALL>(shots, answers, |c| moving(c, Arc::High, full)),
        Method::Fastest => each::<L, ALL>(shots, answers, |c| fastest(c, full)),
        Method::Least => each::<L, ALL>(shots, answers, |c| least(c, full)),
    }
}

/// Which columns count, as bits: delta, velocity and acceleration, three each, speed, gravity.
const ALL: u16 = 0b111_1111_1111;
const STRAIGHT: u16 = 0b010_0011_1111;
const STANDING: u16 = 0b110_0000_0111;

/// Panics when columns differ in length.
fn check<N>(shots: &Shots<'_, N>, answers: &Answers<'_, N>) {
    let rows = shots.speed.len();
    let inputs = [shots.delta, shots.vel, shots.acc];
    let inputs = inputs.iter().flatten().map(|column| column.len()).chain([shots.gravity.len()]);
    for length in inputs {
        assert!(length == 0 || length == rows, "a column of {length} for {rows} shots");
    }
    let [x, y, z] = &answers.launch;
    let numbers = [&*answers.time, x, y, z].each(<[N]>::len);
    let bytes = [answers.outcome.len(), answers.iterations.len()];
    for length in numbers.into_iter().chain(bytes) {
        assert!(length == rows, "a column of {length} for the answers to {rows} shots");
    }
}

/// Columns of shots as blocks; columns that do not count are empty.
type Blocks<'a, N> = [&'a [[N; BLOCK]]; 11];

/// Columns of answers as blocks.
struct Slots<'a, N> {
    numbers: [&'a mut [[N; BLOCK]]; 4],
    bytes: [&'a mut [[u8; BLOCK]]; 2],
}

/// Solves whole blocks where they are. What is left goes by way of a padded copy, and so does
/// everything when a column that counts is empty.
fn each<L: Lane, const USED: u16>(
    shots: &Shots<'_, L::Num>,
    answers: &mut Answers<'_, L::Num>,
    solve: impl Fn(&Shot<L>) -> Answer<L>,
) {
    let ([dx, dy, dz], [vx, vy, vz], [ax, ay, az]) = (shots.delta, shots.vel, shots.acc);
    let columns = [dx, dy, dz, vx, vy, vz, ax, ay, az, shots.speed, shots.gravity];
    let rows = shots.speed.len();
    let full = (0..11).all(|at| USED >> at & 1 == 0 || columns[at].len() == rows);
    let whole = if full { rows - rows % BLOCK } else { 0 };
    let Answers { time, launch: [x, y, z], outcome, iterations } = answers;
    let slots = Slots {
        numbers: [&mut **time, x, y, z].map(|column| column.as_chunks_mut().0),
        bytes: [&mut **outcome, iterations].map(|column| column.as_chunks_mut().0),
    };
    let blocks = columns.map(|column| column.as_chunks().0);
    each_block::<L, USED>(&blocks, shots.longest, whole / BLOCK, slots, &solve);
    for first in (whole..rows).step_by(BLOCK) {
        let count = (rows - first).min(BLOCK);
        let mut padded = [[L::Num::ZERO; BLOCK]; 11];
        for (padded, column) in padded.iter_mut().zip(columns) {
            let rest = column.get(first..first + count).unwrap_or(&[]);
            padded[..rest.len()].copy_from_slice(rest);
        }
        let mut numbers = [[L::Num::ZERO; BLOCK]; 4];
        let mut bytes = [[0; BLOCK]; 2];
        let slots = Slots {
            numbers: numbers.each_mut().map(std::slice::from_mut),
            bytes: bytes.each_mut().map(std::slice::from_mut),
        };
        let blocks = padded.each_ref().map(std::slice::from_ref);
        each_block::<L, USED>(&blocks, shots.longest, 1, slots, &solve);
        let Answers { time, launch: [x, y, z], outcome, iterations } = &mut *answers;
        for (column, numbers) in [&mut **time, x, y, z].into_iter().zip(numbers) {
            column[first..first + count].copy_from_slice(&numbers[..count]);
        }
        for (column, bytes) in [&mut **outcome, iterations].into_iter().zip(bytes) {
            column[first..first + count].copy_from_slice(&bytes[..count]);
        }
    }
}

#[inline(never)]
fn each_block<L: Lane, const USED: u16>(
    blocks: &Blocks<'_, L::Num>,
    longest: L::Num,
    count: usize,
    slots: Slots<'_, L::Num>,
    solve: &impl Fn(&Shot<L>) -> Answer<L>,
) {
    // All of one length, so that no row is checked against it.
    let mut at = 0;
    let blocks = blocks.map(|column| {
        at += 1;
        if USED >> (at - 1) & 1 == 1 { &column[..count] } else { &[] }
    });
    let [time, x, y, z] = slots.numbers.map(|column| &mut column[..count]);
    let [outcome, iterations] = slots.bytes.map(|column| &mut column[..count]);
    let most = L::Int::splat(i32::from(u8::MAX));
    for block in 0..count {
        for row in (0..BLOCK).step_by(L::WIDTH) {
            let load = |at: usize| match USED >> at & 1 {
                1 => L::load(&blocks[at][block][row..]),
                _ => L::zero(),
            };
            let answer = solve(&Shot {
                delta: [load(0), load(1), load(2)],
                vel: [load(3), load(4), load(5)],
                acc: [load(6), load(7), load(8)],
                speed: load(9),
                gravity: load(10),
                longest: L::splat(longest),
            });
            let [vx, vy, vz] = answer.launch;
            answer.time.store(&mut time[block][row..]);
            vx.store(&mut x[block][row..]);
            vy.store(&mut y[block][row..]);
            vz.store(&mut z[block][row..]);
            answer.outcome.store_bytes(&mut outcome[block][row..]);
            answer.iterations.smaller(most).store_bytes(&mut iterations[block][row..]);
        }
    }
}
