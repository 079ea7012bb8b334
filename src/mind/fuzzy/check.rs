//! What may be wrong with a controller.

use crate::math::each::Each;
use crate::mind::fuzzy::{
    Controller, FuzzyError, LEAST_SHARE, LEAST_WIDTH, MAX_INPUTS, MAX_NUMBER, MAX_OUTPUTS,
    MAX_RULES, MAX_TERMS, Output, Part, Variable, rule,
};

/// Three terms overlap where they share more than this of the range: decimals that should be equal
/// may not quite be.
const TOUCH: f64 = 1e-9;

impl Controller {
    /// Whether it can be compiled.
    ///
    /// # Errors
    ///
    /// The first of [`Controller::problems`].
    pub fn check(&self) -> Result<(), FuzzyError> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything that is wrong with it: names that are none or are there twice, numbers that are not
    /// finite or out of order, terms outside of the range, too many of something, more than two terms
    /// of an output at one value, rules that cannot be read or name what is not there, outputs
    /// without rules. Of a rule's text the first problem alone, and rules only when the rest is right.
    pub fn problems(&self) -> Vec<FuzzyError> {
        let mut found = Vec::new();
        name(&mut found, Part::Controller, "controller", &self.name);
        few(&mut found, &Part::Controller, "inputs", self.inputs.len(), MAX_INPUTS);
        few(&mut found, &Part::Controller, "outputs", self.outputs.len(), MAX_OUTPUTS);
        few(&mut found, &Part::Controller, "rules", self.rules.len(), MAX_RULES);
        let mut names = Vec::new();
        for (i, input) in self.inputs.iter().enumerate() {
            once(&mut found, Part::Input(i), "variables", &input.name, &mut names);
            variable(&mut found, input, Part::Input(i), |term| Part::InputTerm(i, term));
        }
        for (i, output) in self.outputs.iter().enumerate() {
            once(&mut found, Part::Output(i), "variables", &output.variable.name, &mut names);
            let before = found.len();
            variable(&mut found, &output.variable, Part::Output(i), |term| {
                Part::OutputTerm(i, term)
            });
            if found.len() == before {
                overlaps(&mut found, i, output);
                default(&mut found, i, output);
            }
        }
        for (i, rule) in self.rules.iter().enumerate() {
            if !(0.0..=1.0).contains(&rule.weight) {
                let wrong = format!("the weight is {}", rule.weight);
                found.push(FuzzyError::new(Part::Rule(i), wrong, "a number from 0 to 1"));
            }
        }
        if found.is_empty() {
            self.read(&mut found);
        }
        found
    }

    /// Reads every rule, and looks whether each output has one.
    fn read(&self, found: &mut Vec<FuzzyError>) {
        let mut ruled = vec![false; self.outputs.len()];
        for i in 0..self.rules.len() {
            match rule::read(self, i) {
                Ok(read) => read.conclusions.iter().for_each(|&[output, _]| ruled[output] = true),
                Err(error) => found.push(error),
            }
        }
        if found.is_empty() {
            for (i, _) in ruled.iter().enumerate().filter(|&(_, &ruled)| !ruled) {
                let wrong = format!("no rule is about `{}`", self.outputs[i].variable.name);
                found.push(FuzzyError::new(Part::Output(i), wrong, "a rule that concludes it"));
            }
        }
    }
}

/// Whether something has a name.
fn name(found: &mut Vec<FuzzyError>, part: Part, what: &str, name: &str) {
    if !rule::is_name(name) {
        let wrong = format!("`{name}` is no name for a {what}");
        let expected = "a letter or `_`, and letters, digits, `_` and `-` after it; not `if`, \
                        `then`, `is`, `and`, `or`, `not`";
        found.push(FuzzyError::new(part, wrong, expected));
    }
}

/// Whether something has a name of its own.
fn once<'a>(
    found: &mut Vec<FuzzyError>,
    part: Part,
    whats: &str,
    own: &'a str,
    names: &mut Vec<&'a str>,
) {
    name(found, part.clone(), &whats[..whats.len() - 1], own);
    if names.contains(&own) {
        let wrong = format!("there are two {whats} `{own}`");
        found.push(FuzzyError::new(part, wrong, "a name of its own"));
    }
    names.push(own);
}

/// Whether there is at least one of something, and not too many.
fn few(found: &mut Vec<FuzzyError>, part: &Part, what: &str, count: usize, most: usize) {
    if count == 0 || count > most {
        let wrong = format!("there are {count} {what}");
        found.push(FuzzyError::new(part.clone(), wrong, format!("1 to {most}")));
    }
}

/// Whether range and terms of a variable are right.
fn variable(
    found: &mut Vec<FuzzyError>,
    variable: &Variable,
    part: Part,
    term_part: impl Fn(usize) -> Part,
) {
    few(found, &part, "terms", variable.terms.len(), MAX_TERMS);
    let [least, most] = variable.range;
    let legal =
        (-MAX_NUMBER..=MAX_NUMBER).contains(&least) && (-MAX_NUMBER..=MAX_NUMBER).contains(&most);
    if !legal || most - least < LEAST_WIDTH {
        let wrong = format!("the range is from {least} to {most}");
        let expected =
            format!("two numbers within ±{MAX_NUMBER}, the second at least {LEAST_WIDTH} larger");
        found.push(FuzzyError::new(part, wrong, expected));
        return;
    }
    let mut names = Vec::new();
    for (i, term) in variable.terms.iter().enumerate() {
        once(found, term_part(i), "terms", &term.name, &mut names);
        let points = term.shape.points();
        let mut wrong = None;
        let [a, .., d] = term.shape.trapezoid(variable.range);
        if let Some(point) = points.iter().find(|point| !point.is_finite()) {
            wrong = Some((format!("{point} is no number"), "numbers".to_owned()));
        } else if let Some(two) = points.windows(2).find(|two| two[0] > two[1]) {
            let expected = "numbers that do not decrease".to_owned();
            wrong = Some((format!("{} comes before {}", two[0], two[1]), expected));
        } else if let Some(point) = points.iter().find(|&&point| point < least || point > most) {
            let expected = format!("numbers in the range of `{}`", variable.name);
            wrong = Some((format!("{point} is not from {least} to {most}"), expected));
        } else if d - a < LEAST_SHARE * (most - least) {
            let expected = format!("at least {} of width", LEAST_SHARE * (most - least));
            wrong = Some((format!("it reaches from {a} to {d} only"), expected));
        }
        found.extend(wrong.map(|(wrong, expected)| FuzzyError::new(term_part(i), wrong, expected)));
    }
}

/// Whether at most two terms of an output overlap anywhere.
fn overlaps(found: &mut Vec<FuzzyError>, index: usize, output: &Output) {
    let variable = &output.variable;
    let [least, most] = variable.range;
    let count = variable.terms.len();
    for third in 0..count {
        for (first, second) in (0..third).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let all = [first, second, third].each(|term| variable.trapezoid(term));
            let start = all.iter().fold(least, |start, shape| start.max(shape[0]));
            let end = all.iter().fold(most, |end, shape| end.min(shape[3]));
            if end - start > TOUCH * (most - least) {
                let [first, second, third_name] =
                    [first, second, third].each(|term| &variable.terms[term].name);
                let wrong = format!(
                    "`{first}`, `{second}` and `{third_name}` overlap from {start} to {end}"
                );
                let part = Part::OutputTerm(index, third);
                found.push(FuzzyError::new(part, wrong, "at most two terms at any value"));
                break;
            }
        }
    }
}

/// Whether the default is in the range.
fn default(found: &mut Vec<FuzzyError>, index: usize, output: &Output) {
    let [least, most] = output.variable.range;
    let default = output.default_value();
    if !(least..=most).contains(&default) {
        let wrong = format!("the default is {default}");
        let expected = format!("a number from {least} to {most}");
        found.push(FuzzyError::new(Part::Output(index), wrong, expected));
    }
}
