//! A controller as the tables that the kernel takes.

use crate::kernel::fuzzy::{
    Active, Below, Centre, Compiled, Constant, Fire, Join, OPPOSITES, SLOTS, Shared, Sides,
};
use crate::lane::{Numbers, Real};
use crate::math::Numeric;
use crate::math::each::Each;
use crate::mind::fuzzy::area::Share;
use crate::mind::fuzzy::rule::Clause;
use crate::mind::fuzzy::{Controller, FuzzyError, Output, area, rule};

/// 2¹⁰⁰: steeper than any number can tell, and farther than any number is.
const HUGE: f64 = (1_u128 << 100) as f64;

/// A part of a rule: the output and its term, a clause, whether its opposite is meant, and the weight.
type Part = ([usize; 2], Clause, bool, f64);

impl Controller {
    /// The parts of all rules, by what they conclude.
    fn parts(&self) -> Result<Vec<Part>, FuzzyError> {
        let mut rules = Vec::new();
        for (i, rule) in self.rules.iter().enumerate() {
            let read = rule::read(self, i)?;
            let mut parts = Vec::new();
            split(&read.clause, false, &mut parts);
            for conclusion in read.conclusions {
                let part = |(clause, opposite)| (conclusion, clause, opposite, rule.weight);
                rules.extend(parts.iter().cloned().map(part));
            }
        }
        rules.sort_by_key(|rule| rule.0);
        Ok(rules)
    }

    /// The tables that [`evaluate`](crate::kernel::fuzzy::evaluate) takes. Numbers of inputs' terms
    /// are rounded to the nearest of the number type.
    ///
    /// # Errors
    ///
    /// As [`Controller::check`].
    pub fn compile<N: Numbers>(&self) -> Result<Compiled<N>, FuzzyError> {
        self.check()?;
        let mut slots = Slots { terms: Vec::new(), opposites: Vec::new(), joins: Vec::new() };
        let rules = self.parts()?;
        let mut used: Vec<[usize; 2]> = rules.iter().map(|rule| rule.0).collect();
        used.dedup();
        let mut fires = Vec::new();
        for (_, clause, opposite, weight) in &rules {
            let before = slots.joins.len();
            let from = slots.two(clause, *opposite);
            let joins = (slots.joins.len() - before) as u8;
            fires.push(Fire { from, weight: constant::<N>(*weight), joins });
        }
        let active = |&[output, term]: &[usize; 2]| Active {
            fires: rules.iter().filter(|rule| rule.0 == [output, term]).count() as u16,
            below: below::<N>(&area::term(unit(&self.outputs[output], term))),
        };
        let mut shared = Vec::new();
        let centre = |(i, output)| centre::<N>(i, output, &used, &mut shared);
        let outputs = self.outputs.iter().enumerate().map(centre).collect();
        let side = |&[input, term]: &[usize; 2]| self.sides::<N>(input, term);
        Ok(Compiled {
            inputs: self.inputs.len(),
            terms: slots.terms.iter().map(side).map(|sides| sides[0]).collect(),
            opposites: slots.opposites.iter().map(side).map(|sides| sides[1]).collect(),
            joins: slots.joins,
            fires,
            active: used.iter().map(active).collect(),
            shared,
            outputs,
        })
    }

    /// The sides of an input's term, and those of its opposite.
    fn sides<N: Numbers>(&self, input: usize, term: usize) -> [Sides<Constant<N>>; 2] {
        let variable = &self.inputs[input];
        let number = |number: f64| N::from_f64(number).to_f64();
        let [least, most] = variable.range.each(number);
        let [a, b, c, d] = variable.trapezoid(term).each(number);
        // Numbers outside of the range belong where its end does.
        let rising = match b <= least {
            true => Side { foot: -HUGE, top: -HUGE, slope: 1.0 },
            false => Side::new::<N>(a, b, -1.0),
        };
        let falling = match c >= most {
            true => Side { foot: HUGE, top: HUGE, slope: 1.0 },
            false => Side::new::<N>(d, c, 1.0),
        };
        let sides = |from: f64, rise: f64, to: f64, fall: f64| Sides {
            rise_from: constant::<N>(from),
            rise: constant::<N>(rise),
            fall_to: constant::<N>(to),
            fall: constant::<N>(fall),
            input: input as u8,
        };
        [
            sides(rising.foot, rising.slope, falling.foot, falling.slope),
            sides(falling.top, falling.slope, rising.top, rising.slope),
        ]
    }
}

fn constant<N: Numbers>(number: f64) -> Constant<N> {
    Constant::<N>::splat(number)
}

/// A side of a term: where it is 0, where it is 1, and how steep it is between.
struct Side {
    foot: f64,
    top: f64,
    slope: f64,
}

impl Side {
    /// A side between two numbers of the number type. Of a step the number itself belongs in full, and
    /// the next one `outward` not at all.
    fn new<N: Numbers>(foot: f64, top: f64, outward: f64) -> Self {
        let width = (top - foot).abs();
        match N::NUMERIC {
            Numeric::F32 if width < 1.0 / HUGE => {
                let top_number = top as f32;
                let next =
                    if outward < 0.0 { top_number.next_down() } else { top_number.next_up() };
                let step = (f64::from(next) - top).abs().max(1.0 / HUGE);
                Self { foot: top + outward * step, top, slope: HUGE }
            }
            Numeric::Fixed if width < N::STEP => {
                Self { foot: top + outward * N::STEP, top, slope: 1.0 / N::STEP }
            }
            _ => Self { foot, top, slope: 1.0 / width },
        }
    }
}

/// What rules need: values of terms, and steps.
struct Slots {
    terms: Vec<[usize; 2]>,
    opposites: Vec<[usize; 2]>,
    joins: Vec<Join>,
}

impl Slots {
    /// Two slots whose lesser is what a clause is worth.
    fn two(&mut self, clause: &Clause, opposite: bool) -> [u8; 2] {
        match clause {
            Clause::Not(inner) => self.two(inner, !opposite),
            Clause::Join { larger, sides } if *larger == opposite => self.sides(sides, opposite, 0),
            _ => [self.slot(clause, opposite, 0); 2],
        }
    }

    fn sides(&mut self, sides: &[Clause; 2], opposite: bool, level: u8) -> [u8; 2] {
        [self.slot(&sides[0], opposite, level), self.slot(&sides[1], opposite, level + 1)]
    }

    /// The slot of a clause's value. Slots of steps from `level` on, counted from the last, are free.
    fn slot(&mut self, clause: &Clause, opposite: bool, level: u8) -> u8 {
        match clause {
            Clause::Not(inner) => self.slot(inner, !opposite, level),
            Clause::Is { input, term } => {
                let term = [*input, *term];
                let (list, first) = match opposite {
                    true => (&mut self.opposites, OPPOSITES),
                    false => (&mut self.terms, 0),
                };
                let at = list.iter().position(|&other| other == term).unwrap_or_else(|| {
                    list.push(term);
                    list.len() - 1
                });
                (first + at) as u8
            }
            Clause::Join { larger, sides } => {
                let from = self.sides(sides, opposite, level);
                let to = (SLOTS - 1) as u8 - level;
                self.joins.push(Join { larger: *larger != opposite, from, to });
                to
            }
        }
    }
}

/// A clause as clauses with `or` between them, and whether the opposite of each counts.
fn split(clause: &Clause, opposite: bool, parts: &mut Vec<(Clause, bool)>) {
    match clause {
        Clause::Not(inner) => split(inner, !opposite, parts),
        Clause::Join { larger, sides } if *larger != opposite => {
            sides.iter().for_each(|side| split(side, opposite, parts));
        }
        _ => parts.push((clause.clone(), opposite)),
    }
}

/// An output, what its terms share being appended. `used` are outputs' terms in the order of their
/// activities.
fn centre<N: Numbers>(
    index: usize,
    output: &Output,
    used: &[[usize; 2]],
    shared: &mut Vec<Shared<Constant<N>>>,
) -> Centre<Constant<N>> {
    let [least, most] = output.variable.range;
    let own = || used.iter().enumerate().filter(|(_, term)| term[0] == index);
    let before = shared.len();
    for (at, &[_, term]) in own() {
        for (other_at, &[_, other]) in own().take_while(|&(other_at, _)| other_at < at) {
            let shapes = [other, term].each(|term| unit(output, term));
            shared.extend(area::overlap(shapes).iter().map(|share| Shared {
                terms: [other_at, at].each(|term| term as u8),
                floor: constant::<N>(share.floor),
                height: constant::<N>(share.height),
                below: below::<N>(share),
            }));
        }
    }
    Centre {
        terms: own().count(),
        shared: shared.len() - before,
        range: [least, most].each(constant::<N>),
        width: constant::<N>(most - least),
        default: constant::<N>(output.default_value()),
    }
}

/// An output's term as a trapezoid, in units of the range.
fn unit(output: &Output, term: usize) -> [f64; 4] {
    let [least, most] = output.variable.range;
    output.variable.trapezoid(term).each(|point| (point - least) / (most - least))
}

fn below<N: Numbers>(share: &Share) -> Below<Constant<N>> {
    Below { area: share.area.each(constant::<N>), moment: share.moment.each(constant::<N>) }
}
