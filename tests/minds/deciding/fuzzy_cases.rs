//! Random fuzzy controllers, and inputs for them.

use crate::deciding::fuzzy_oracle::{Plan, Tree};
use throng::math::{hash2, unit_f64};
use throng::mind::fuzzy::{Controller, Output, Shape, Term, Variable};

/// Random numbers in a row.
pub(crate) struct Random(pub(crate) u64, pub(crate) u64);

impl Random {
    pub(crate) fn unit(&mut self) -> f64 {
        self.1 += 1;
        unit_f64(hash2(self.0, self.1))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    pub(crate) fn range(&mut self) -> [f64; 2] {
        let width = [0.02, 1.0, 10.0, 250.0, 30_000.0][self.below(5)];
        let least = [0.0, -0.5, -1.0, 2.0][self.below(4)] * width * self.unit();
        let least = if self.below(3) == 0 { least } else { least.round() };
        let least = least.min(32_000.0 - width);
        [least, least + width]
    }

    /// A shape of any kind; half of them on a lattice, where numbers are equal and terms touch.
    pub(crate) fn shape(&mut self, [least, most]: [f64; 2]) -> Shape {
        let lattice = self.below(2) == 0;
        loop {
            let mut points: [f64; 4] = std::array::from_fn(|_| match lattice {
                true => self.below(9) as f64 / 8.0,
                false => self.unit(),
            });
            points.sort_by(f64::total_cmp);
            let points = points.map(|point| (least + point * (most - least)).min(most));
            let [a, b, c, d] = points;
            let shape = match self.below(4) {
                0 => Shape::Triangle([a, b, d]),
                1 => Shape::Trapezoid(points),
                2 => Shape::LeftShoulder([b, c]),
                _ => Shape::RightShoulder([b, c]),
            };
            let [a, .., d] = shape.trapezoid([least, most]);
            if d - a > 1e-3 * (most - least) {
                return shape;
            }
        }
    }

    pub(crate) fn variable(&mut self, name: String, at_most: usize) -> Variable {
        let (range, tries) = (self.range(), 1 + self.below(9));
        let mut terms: Vec<Term> = Vec::new();
        for i in 0..tries {
            let shape = self.shape(range);
            let reach = |term: &Term| term.shape.trapezoid(range);
            let [a, .., d] = shape.trapezoid(range);
            let lists = terms.iter().map(reach).filter(|other| other[0] < d && a < other[3]);
            let lists: Vec<_> = lists.collect();
            let crowded = lists.iter().enumerate().any(|(i, x)| {
                let both = |y: &[f64; 4]| x[0].max(y[0]).max(a) < x[3].min(y[3]).min(d);
                lists[..i].iter().any(both)
            });
            if at_most > 2 || !crowded {
                terms.push(Term { name: format!("t{i}"), shape });
            }
        }
        Variable { name, range, terms }
    }

    pub(crate) fn tree(&mut self, inputs: &[Variable], depth: usize) -> Tree {
        let kind = if depth == 0 { self.below(2) } else { self.below(5) };
        let mut inner = || Box::new(self.tree(inputs, depth.saturating_sub(1)));
        match kind {
            2 => Tree::Not(inner()),
            3 => Tree::And(inner(), inner()),
            4 => Tree::Or(inner(), inner()),
            _ => {
                let input = self.below(inputs.len());
                let term = self.below(inputs[input].terms.len());
                if kind == 0 { Tree::Is(input, term) } else { Tree::IsNot(input, term) }
            }
        }
    }

    pub(crate) fn controller(&mut self) -> (Controller, Vec<Plan>) {
        let inputs = (0..1 + self.below(4)).map(|i| self.variable(format!("in{i}"), 9)).collect();
        let outputs = (0..1 + self.below(3)).map(|i| {
            let variable = self.variable(format!("out-{i}"), 2);
            let [least, most] = variable.range;
            let share = self.unit();
            let default = (share < 0.5).then_some((least + share * (most - least)).min(most));
            Output { variable, default }
        });
        let outputs: Vec<_> = outputs.collect();
        let name = "random".to_owned();
        let mut controller = Controller { name, inputs, outputs, rules: Vec::new() };
        let mut plans = Vec::new();
        let count = controller.outputs.len();
        for i in 0..count + self.below(12) {
            let depth = self.below(4);
            let tree = self.tree(&controller.inputs, depth);
            let first = if i < count { i } else { self.below(count) };
            let mut conclusions = Vec::new();
            for output in [Some(first), (self.below(3) == 0).then(|| self.below(count))] {
                let Some(output) = output else { continue };
                let terms = controller.outputs[output].variable.terms.len();
                conclusions.push([output, self.below(terms)]);
            }
            let weight = [1.0, 1.0, 0.75, 0.1, 0.0, self.unit()][self.below(6)];
            plans.push(Plan { tree, conclusions, weight });
        }
        controller.rules = plans.iter().map(|plan| plan.rule(&controller)).collect();
        (controller, plans)
    }

    /// A number for an input: anywhere, at a corner of a term, or outside of the range.
    pub(crate) fn input(&mut self, variable: &Variable) -> f64 {
        let [least, most] = variable.range;
        match self.below(4) {
            0 => {
                let term = &variable.terms[self.below(variable.terms.len())];
                let points = term.shape.points();
                points[self.below(points.len())]
            }
            1 => least + (3.0 * self.unit() - 1.0) * (most - least),
            _ => least + self.unit() * (most - least),
        }
    }
}
