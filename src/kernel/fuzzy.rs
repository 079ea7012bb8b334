//! Fuzzy control (Mamdani): columns of crisp inputs to columns of crisp outputs.
//!
//! Each input has terms, which are trapezoids. A rule's value is the least of what its clauses are
//! worth (`and`), or the largest (`or`), times its weight; an output's term is as active as its
//! strongest rule. Terms of outputs are cut off at their activity and joined by their maximum, and the
//! output is the centre of gravity of that area (E. Mamdani, S. Assilian, "An experiment in linguistic
//! synthesis with a fuzzy logic controller", 1975). `mind::fuzzy` makes the tables.
//!
//! # Method
//!
//! The centre is exact, without samples. At the level t a trapezoid is the interval from L(t) to R(t),
//! both straight lines, so what lies below a level q has the area and the first moment
//!
//! ```text
//! ∫₀^q (R − L) dt = q (A₁ + A₂ q)          ∫₀^q ½ (R² − L²) dt = q (M₁ + q (M₂ + M₃ q)).
//! ```
//!
//! Where at most two terms overlap, their union is their sum less the overlaps. The overlap of two
//! terms is a shape of the same kind: from the larger L to the smaller R, up to the lesser of both
//! activities, in parts where two sides cross. As two shapes overlap at most, the union is at least half
//! of what is added up: a difference loses two bits and no more.
//!
//! Rules come as `not` free trees: `not` goes down to the terms (`1 − min(a, b) = max(1 − a, 1 − b)`),
//! and the opposite of a term has sides of its own, so that a value near 0 is as exact as one near 1. A
//! last `or` makes two rules, so that the usual ones are the lesser of two values and nothing else.
//!
//! [`Real`] does all of it: `f32`, or `f64` for fixed point, whose answer is rounded once.
//!
//! Tried and lost: one list of shapes for terms and for what they share, 12 % slower, as a term's level
//! needs no limits and is still at hand.
//!
//! # How exact
//!
//! Sides of inputs' terms are numbers of the number type, so an input that equals one is at it, and a
//! term and its opposite are worth nothing exactly where they should be. Then an output is within 10⁻⁶
//! of its range and a rounding of its size of the exact centre (`f32`), or within half a step of
//! 1/65,536 and 10⁻¹² of its range (fixed point). The worst of 41 million random outputs:
//! 4.6 · 10⁻⁷ of the range in `f32`.
//!
//! # How fast
//!
//! Nine rules over two inputs of three terms, an output of five: 3.5 ns an agent on 8 lanes in `f32`, 5.5
//! in fixed point; on one lane 21.6 and 26.5 (100,000 agents, one thread, AVX2, best of 300 passes).

use crate::kernel::intercept::nearest;
use crate::lane::{BLOCK, Compare, Lane, Numbers, Real};
use crate::math::each::Each;

/// Inputs of a controller at most.
pub const MAX_INPUTS: usize = 8;
/// Outputs of a controller at most.
pub const MAX_OUTPUTS: usize = 4;
/// Terms of an input or output at most.
pub const MAX_TERMS: usize = 9;
/// The slot of the first opposite of a term; the slots of terms begin at 0.
pub(crate) const OPPOSITES: usize = MAX_INPUTS * MAX_TERMS;
/// Slots of values: one for any `u8`.
pub(crate) const SLOTS: usize = 256;

/// Area in units of the range below which no rule has fired: far below what a rule that fires makes.
const NOTHING: f64 = 1.0 / (1_u128 << 80) as f64;

/// What the constants of a controller are: `f32`, or `f64` for fixed point.
pub type Constant<N> = <<N as Numbers>::Single as Lane>::Real;

/// A term of an input, or its opposite, by its sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<C> {
    /// Where the rising side is 0.
    pub(crate) rise_from: C,
    /// How steep it is.
    pub(crate) rise: C,
    /// Where the falling side is 0.
    pub(crate) fall_to: C,
    /// How steep it is.
    pub(crate) fall: C,
    /// Which input.
    pub(crate) input: u8,
}

/// A step within a rule: the lesser or the larger of two slots, into a third.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) larger: bool,
    pub(crate) from: [u8; 2],
    pub(crate) to: u8,
}

/// A rule: the lesser of two slots, times its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fire<C> {
    pub(crate) from: [u8; 2],
    pub(crate) weight: C,
    /// How many of the steps come before it.
    pub(crate) joins: u8,
}

/// What lies below a level of a shape, as polynomials of the level; in units of the output's range, and
/// from its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below<C> {
    /// A₁ and A₂.
    pub(crate) area: [C; 2],
    /// M₁, M₂ and M₃.
    pub(crate) moment: [C; 3],
}

/// A term of an output that rules are about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<C> {
    /// How many rules; at least one.
    pub(crate) fires: u16,
    pub(crate) below: Below<C>,
}

/// What two terms share between two levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared<C> {
    /// The terms, of all outputs.
    pub(crate) terms: [u8; 2],
    /// The lower level.
    pub(crate) floor: C,
    /// The upper level less the lower one.
    pub(crate) height: C,
    /// From the lower level on.
    pub(crate) below: Below<C>,
}

/// An output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Centre<C> {
    /// How many of the terms are its own.
    pub(crate) terms: usize,
    /// How many of what terms share is its own.
    pub(crate) shared: usize,
    /// Least value, and largest.
    pub(crate) range: [C; 2],
    /// Largest less least.
    pub(crate) width: C,
    /// What it is when no rule fires.
    pub(crate) default: C,
}

/// A controller as it is evaluated, in number type `N`.
#[derive(Clone, Debug)]
pub struct Compiled<N: Numbers> {
    pub(crate) inputs: usize,
    /// Terms in use, into the slots from 0.
    pub(crate) terms: Vec<Sides<Constant<N>>>,
    /// Opposites of terms, into the slots from [`OPPOSITES`].
    pub(crate) opposites: Vec<Sides<Constant<N>>>,
    /// Steps in the order of the rules.
    pub(crate) joins: Vec<Join>,
    /// Rules in the order of what they activate.
    pub(crate) fires: Vec<Fire<Constant<N>>>,
    /// Terms in the order of outputs.
    pub(crate) active: Vec<Active<Constant<N>>>,
    /// What they share, in the order of outputs.
    pub(crate) shared: Vec<Shared<Constant<N>>>,
    pub(crate) outputs: Vec<Centre<Constant<N>>>,
}

impl<N: Numbers> Compiled<N> {
    /// How many columns of inputs it takes.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many columns of outputs it gives.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }
}

/// One row by the formulae, in `f64`.
pub fn reference<N: Numbers>(compiled: &Compiled<N>, inputs: &[f64]) -> Vec<f64> {
    let mut slots = [0.0; SLOTS];
    let sides = |sides: &Sides<Constant<N>>| {
        let x = inputs[usize::from(sides.input)];
        let rising = (x - sides.rise_from.get(0)) * sides.rise.get(0);
        let falling = (sides.fall_to.get(0) - x) * sides.fall.get(0);
        [rising, falling]
    };
    for (slot, term) in slots.iter_mut().zip(&compiled.terms) {
        let [rising, falling] = sides(term);
        *slot = rising.min(falling).clamp(0.0, 1.0);
    }
    for (slot, opposite) in slots[OPPOSITES..].iter_mut().zip(&compiled.opposites) {
        let [rising, falling] = sides(opposite);
        *slot = rising.max(falling).clamp(0.0, 1.0);
    }
    let (mut fires, mut joins) = (compiled.fires.iter(), compiled.joins.iter());
    let level = |active: &Active<Constant<N>>| {
        let value = |fire: &Fire<Constant<N>>| {
            for join in joins.by_ref().take(usize::from(fire.joins)) {
                let [a, b] = join.from.each(|from| slots[usize::from(from)]);
                slots[usize::from(join.to)] = if join.larger { a.max(b) } else { a.min(b) };
            }
            let [a, b] = fire.from.each(|from| slots[usize::from(from)]);
            a.min(b) * fire.weight.get(0)
        };
        fires.by_ref().take(usize::from(active.fires)).map(value).fold(0.0, f64::max)
    };
    let levels: Vec<f64> = compiled.active.iter().map(level).collect();
    let below = |below: &Below<Constant<N>>, q: f64| {
        let [a1, a2] = below.area.each(|c| c.get(0));
        let [m1, m2, m3] = below.moment.each(|c| c.get(0));
        [q * (a1 + a2 * q), q * (m1 + q * (m2 + m3 * q))]
    };
    let mut active = compiled.active.iter().zip(&levels);
    let mut shared = compiled.shared.iter();
    let centre = |output: &Centre<Constant<N>>| {
        let own = active.by_ref().take(output.terms).map(|(term, &q)| below(&term.below, q));
        let [mut area, mut moment] =
            own.fold([0.0; 2], |sum, own| [0, 1].each(|i| sum[i] + own[i]));
        for shared in shared.by_ref().take(output.shared) {
            let [a, b] = shared.terms.each(|term| levels[usize::from(term)]);
            let q = (a.min(b) - shared.floor.get(0)).clamp(0.0, shared.height.get(0));
            let [less_area, less_moment] = below(&shared.below, q);
            (area, moment) = (area - less_area, moment - less_moment);
        }
        let centre = output.range[0].get(0) + moment / area * output.width.get(0);
        if area > NOTHING { centre } else { output.default.get(0) }
    };
    compiled.outputs.iter().map(centre).collect()
}

/// Evaluates `rows` rows: a column an input, a column an output, in the controller's order. Inputs are
/// finite; inputs outside of their ranges count as the nearest end. Outputs stay in their ranges, to
/// half a step in fixed point.
///
/// Columns are padded: whole blocks of 8 rows are read and written.
///
/// # Panics
///
/// When the columns are too few, or shorter than whole blocks of `rows`.
pub fn evaluate<N: Numbers>(
    compiled: &Compiled<N>,
    rows: usize,
    inputs: &[&[N]],
    outputs: &mut [&mut [N]],
) {
    evaluate_lanes::<N::Wide>(compiled, rows, inputs, outputs);
}

/// The same on lanes of any width; the answers do not depend on it.
///
/// # Panics
///
/// As [`evaluate`] does.
pub fn evaluate_lanes<L: Lane>(
    compiled: &Compiled<L::Num>,
    rows: usize,
    inputs: &[&[L::Num]],
    outputs: &mut [&mut [L::Num]],
) {
    let padded = rows.next_multiple_of(BLOCK);
    assert!(inputs.len() == compiled.inputs, "a column an input: {} of them", compiled.inputs);
    assert!(outputs.len() == compiled.outputs(), "a column an output");
    let full = inputs.iter().all(|column| column.len() >= padded)
        && outputs.iter().all(|column| column.len() >= padded);
    assert!(full, "columns hold whole blocks of {rows} rows");
    let zero = L::Real::zero();
    let mut scratch =
        Scratch { inputs: [zero; MAX_INPUTS], slots: [zero; SLOTS], levels: [zero; SLOTS] };
    for row in (0..padded).step_by(L::WIDTH) {
        for (number, column) in scratch.inputs.iter_mut().zip(inputs) {
            *number = L::load(&column[row..]).real();
        }
        fuzzify::<L>(compiled, &mut scratch);
        let mut rest = Rest {
            fires: &compiled.fires,
            joins: &compiled.joins,
            active: &compiled.active,
            shared: &compiled.shared,
            done: 0,
        };
        for (output, column) in compiled.outputs.iter().zip(&mut *outputs) {
            let number = output_of::<L>(output, &mut rest, &mut scratch);
            nearest::<L>(number).store(&mut column[row..]);
        }
    }
}

/// Values of a block: indexed by `u8`, so that nothing is checked.
struct Scratch<R> {
    inputs: [R; MAX_INPUTS],
    slots: [R; SLOTS],
    levels: [R; SLOTS],
}

/// What is left of the tables for outputs to come.
struct Rest<'a, C> {
    fires: &'a [Fire<C>],
    joins: &'a [Join],
    active: &'a [Active<C>],
    shared: &'a [Shared<C>],
    /// Terms that are done.
    done: usize,
}

/// The first `count` of a list, which keeps the rest.
#[inline(always)]
fn take<'a, T>(list: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = list.split_at(count);
    *list = rest;
    first
}

/// A constant in every lane.
#[inline(always)]
fn splat<L: Lane>(constant: Constant<L::Num>) -> L::Real {
    L::Real::splat(constant.get(0))
}

/// Inputs to values of terms and of their opposites.
#[inline(always)]
fn fuzzify<L: Lane>(compiled: &Compiled<L::Num>, scratch: &mut Scratch<L::Real>) {
    let Scratch { inputs, slots, .. } = scratch;
    let sides = |sides: &Sides<Constant<L::Num>>| {
        let x = inputs[usize::from(sides.input) % MAX_INPUTS];
        let rising = (x - splat::<L>(sides.rise_from)) * splat::<L>(sides.rise);
        let falling = (splat::<L>(sides.fall_to) - x) * splat::<L>(sides.fall);
        [rising, falling]
    };
    let unit = |value: L::Real| value.larger(L::Real::zero()).smaller(L::Real::one());
    for (slot, term) in slots.iter_mut().zip(&compiled.terms) {
        let [rising, falling] = sides(term);
        *slot = unit(rising.smaller(falling));
    }
    for (slot, opposite) in slots[OPPOSITES..].iter_mut().zip(&compiled.opposites) {
        let [rising, falling] = sides(opposite);
        *slot = unit(rising.larger(falling));
    }
}

/// The steps before a rule.
#[inline(always)]
fn join<R: Real>(steps: &[Join], slots: &mut [R; SLOTS]) {
    for step in steps {
        let [a, b] = step.from.each(|from| slots[usize::from(from)]);
        slots[usize::from(step.to)] = if step.larger { a.larger(b) } else { a.smaller(b) };
    }
}

/// Area and moment below a level.
#[inline(always)]
fn below<L: Lane>(below: &Below<Constant<L::Num>>, q: L::Real) -> [L::Real; 2] {
    let ([a1, a2], [m1, m2, m3]) = (below.area.each(splat::<L>), below.moment.each(splat::<L>));
    [q * (a1 + a2 * q), q * (m1 + q * (m2 + m3 * q))]
}

/// Values of terms to activities, and activities to the centre of gravity of an output's area.
#[inline(always)]
fn output_of<L: Lane>(
    output: &Centre<Constant<L::Num>>,
    rest: &mut Rest<'_, Constant<L::Num>>,
    Scratch { slots, levels, .. }: &mut Scratch<L::Real>,
) -> L::Real {
    let (mut area, mut moment) = (L::Real::zero(), L::Real::zero());
    let own = &mut levels[rest.done..];
    rest.done += output.terms;
    for (level, term) in own.iter_mut().zip(take(&mut rest.active, output.terms)) {
        let mut q = L::Real::zero();
        for fire in take(&mut rest.fires, usize::from(term.fires)) {
            if fire.joins > 0 {
                join(take(&mut rest.joins, usize::from(fire.joins)), slots);
            }
            let [a, b] = fire.from.each(|from| slots[usize::from(from)]);
            q = q.larger(a.smaller(b) * splat::<L>(fire.weight));
        }
        *level = q;
        let [more_area, more_moment] = below::<L>(&term.below, q);
        (area, moment) = (area + more_area, moment + more_moment);
    }
    for shared in take(&mut rest.shared, output.shared) {
        let [a, b] = shared.terms.each(|term| levels[usize::from(term)]);
        let level = a.smaller(b) - splat::<L>(shared.floor);
        let q = level.larger(L::Real::zero()).smaller(splat::<L>(shared.height));
        let [less_area, less_moment] = below::<L>(&shared.below, q);
        (area, moment) = (area - less_area, moment - less_moment);
    }
    let fired = L::Real::splat(NOTHING).lt(area);
    let share = moment / L::Real::select(fired, area, L::Real::one());
    let [least, most] = output.range.each(splat::<L>);
    let number = (least + share * splat::<L>(output.width)).larger(least).smaller(most);
    L::Real::select(fired, number, splat::<L>(output.default))
}
