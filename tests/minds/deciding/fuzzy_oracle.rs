//! Mamdani control by its definition, in `f64`: rules as trees of their own, and the area between all
//! places where a side begins, ends or crosses another, trapezoid by trapezoid.

use throng::math::Num;
use throng::mind::fuzzy::{Controller, Rule};

/// A rule's condition.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Is(usize, usize),
    IsNot(usize, usize),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// A rule before it is words: condition, outputs' terms, weight.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) tree: Tree,
    pub(crate) conclusions: Vec<[usize; 2]>,
    pub(crate) weight: f64,
}

impl Tree {
    /// The words, in as many brackets as can be.
    fn words(&self, controller: &Controller) -> String {
        let name = |input: usize, term: usize| {
            let input = &controller.inputs[input];
            (input.name.clone(), input.terms[term].name.clone())
        };
        match self {
            Self::Is(input, term) => {
                let (input, term) = name(*input, *term);
                format!("{input} is {term}")
            }
            Self::IsNot(input, term) => {
                let (input, term) = name(*input, *term);
                format!("{input} is not {term}")
            }
            Self::Not(inner) => format!("not ({})", inner.words(controller)),
            Self::And(a, b) => format!("({}) and ({})", a.words(controller), b.words(controller)),
            Self::Or(a, b) => format!("({}) or ({})", a.words(controller), b.words(controller)),
        }
    }

    fn value(&self, terms: &[Vec<f64>]) -> f64 {
        match self {
            Self::Is(input, term) => terms[*input][*term],
            Self::IsNot(input, term) => 1.0 - terms[*input][*term],
            Self::Not(inner) => 1.0 - inner.value(terms),
            Self::And(a, b) => a.value(terms).min(b.value(terms)),
            Self::Or(a, b) => a.value(terms).max(b.value(terms)),
        }
    }
}

impl Plan {
    pub(crate) fn rule(&self, controller: &Controller) -> Rule {
        let conclusion = |&[output, term]: &[usize; 2]| {
            let output = &controller.outputs[output].variable;
            format!("{} is {}", output.name, output.terms[term].name)
        };
        let conclusions: Vec<_> = self.conclusions.iter().map(conclusion).collect();
        let text = format!("if {} then {}", self.tree.words(controller), conclusions.join(" and "));
        Rule { text, weight: self.weight }
    }
}

/// How much a number belongs to a trapezoid.
fn membership([a, b, c, d]: [f64; 4], x: f64) -> f64 {
    if x < a || x > d {
        0.0
    } else if x < b {
        (x - a) / (b - a)
    } else if x > c {
        (d - x) / (d - c)
    } else {
        1.0
    }
}

/// A straight piece of a term that is cut off: from and to, and the heights there.
#[derive(Clone, Copy)]
struct Straight([f64; 2], [f64; 2]);

impl Straight {
    fn at(&self, x: f64) -> f64 {
        let Self([from, to], [low, high]) = *self;
        low + (high - low) * ((x - from) / (to - from))
    }
}

/// The straight pieces of a trapezoid that is cut off at a height.
fn cut([a, b, c, d]: [f64; 4], height: f64) -> Vec<Straight> {
    let (left, right) = (a + height * (b - a), d - height * (d - c));
    [
        Straight([a, left], [0.0, height]),
        Straight([left, right], [height; 2]),
        Straight([right, d], [height, 0.0]),
    ]
    .into_iter()
    .filter(|straight| straight.0[1] > straight.0[0])
    .collect()
}

/// Area and first moment of the largest of all terms, each cut off at its height.
pub(crate) fn union(terms: &[([f64; 4], f64)]) -> [f64; 2] {
    let active = terms.iter().filter(|(_, height)| *height > 0.0);
    let pieces: Vec<Straight> = active.flat_map(|&(shape, height)| cut(shape, height)).collect();
    let mut places: Vec<f64> = pieces.iter().flat_map(|piece| piece.0).collect();
    for (i, a) in pieces.iter().enumerate() {
        for b in &pieces[..i] {
            let (start, end) = (a.0[0].max(b.0[0]), a.0[1].min(b.0[1]));
            if start < end {
                let (before, after) = (a.at(start) - b.at(start), a.at(end) - b.at(end));
                if before * after < 0.0 {
                    places.push(start + (end - start) * before / (before - after));
                }
            }
        }
    }
    places.sort_by(f64::total_cmp);
    let mut sum = [0.0; 2];
    for ends in places.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let middle = 0.5 * (from + to);
        let over = pieces.iter().filter(|piece| piece.0[0] <= middle && middle <= piece.0[1]);
        let highest = over.max_by(|a, b| a.at(middle).total_cmp(&b.at(middle)));
        if let Some(piece) = highest.filter(|_| to > from) {
            let (low, high, width) = (piece.at(from), piece.at(to), to - from);
            sum[0] += 0.5 * width * (low + high);
            // Simpson's rule is exact for a parabola.
            sum[1] += width / 6.0 * (from * low + 4.0 * middle * piece.at(middle) + to * high);
        }
    }
    sum
}

/// The outputs that a row must have.
pub(crate) struct Expected {
    /// The outputs.
    pub(crate) outputs: Vec<f64>,
    /// The largest activity of each.
    pub(crate) active: Vec<f64>,
}

/// The outputs for a row of inputs. Numbers of inputs' terms are rounded to the number type.
pub(crate) fn expected<N: Num>(controller: &Controller, plans: &[Plan], row: &[f64]) -> Expected {
    let number = |x: f64| N::from_f64(x).to_f64();
    let terms = controller.inputs.iter().zip(row).map(|(input, &x)| {
        let range = input.range.map(number);
        let x = x.clamp(range[0], range[1]);
        let term = |term: &throng::mind::fuzzy::Term| {
            membership(term.shape.trapezoid(input.range).map(number), x)
        };
        input.terms.iter().map(term).collect()
    });
    let terms: Vec<Vec<f64>> = terms.collect();
    let (mut outputs, mut strongest) = (Vec::new(), Vec::new());
    for (i, output) in controller.outputs.iter().enumerate() {
        let variable = &output.variable;
        let active = |term: usize| {
            let about = plans.iter().filter(|plan| plan.conclusions.contains(&[i, term]));
            about.map(|plan| plan.weight * plan.tree.value(&terms)).fold(0.0, f64::max)
        };
        let shapes: Vec<_> = (0..variable.terms.len())
            .map(|term| (variable.terms[term].shape.trapezoid(variable.range), active(term)))
            .collect();
        let [area, moment] = union(&shapes);
        let default = output.default.unwrap_or(0.5 * (variable.range[0] + variable.range[1]));
        outputs.push(if area > 0.0 { moment / area } else { default });
        strongest.push(shapes.iter().map(|&(_, active)| active).fold(0.0, f64::max));
    }
    Expected { outputs, active: strongest }
}
