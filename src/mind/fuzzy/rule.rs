//! The words of rules.

use std::ops::Range;

use crate::mind::fuzzy::{Controller, FuzzyError, MAX_CLAUSES, MAX_DEPTH, Part, Variable};
use crate::mind::words::Words;

/// Words that rules are made of; no name.
const RESERVED: [&str; 6] = ["if", "then", "is", "and", "or", "not"];

/// Whether rules can call something so.
pub(super) fn is_name(name: &str) -> bool {
    let begins = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    begins && name.chars().all(part_of_word) && !RESERVED.contains(&name)
}

fn part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Names as an error lists them.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The condition of a rule.
#[derive(Clone, Debug)]
pub(super) enum Clause {
    Is { input: usize, term: usize },
    Not(Box<Self>),
    Join { larger: bool, sides: Box<[Self; 2]> },
}

/// A rule that was read: what it asks, and which terms of which outputs it activates.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) clause: Clause,
    pub(super) conclusions: Vec<[usize; 2]>,
}

/// Reads a rule of a controller.
pub(super) fn read(controller: &Controller, rule: usize) -> Result<Read, FuzzyError> {
    let text = &controller.rules[rule].text;
    let words = Words::new(text, |a, b| part_of_word(a) && part_of_word(b));
    let mut reader = Reader { controller, rule, words, clauses: 0 };
    reader.take("if")?;
    let clause = reader.any(0)?;
    reader.take("then")?;
    let mut conclusions = vec![reader.conclusion()?];
    while reader.words.takes("and") {
        let conclusion = reader.conclusion()?;
        if !conclusions.contains(&conclusion) {
            conclusions.push(conclusion);
        }
    }
    match reader.words.next() {
        (_, "") => Ok(Read { clause, conclusions }),
        (bytes, _) => Err(reader.unexpected(bytes, "`and` or the end of the rule")),
    }
}

struct Reader<'a> {
    controller: &'a Controller,
    rule: usize,
    words: Words<'a>,
    clauses: usize,
}

impl Reader<'_> {
    fn error(&self, bytes: Range<usize>, wrong: String, expected: impl Into<String>) -> FuzzyError {
        FuzzyError::new(Part::Text { rule: self.rule, bytes }, wrong, expected)
    }

    /// An error about a word that should not be there.
    fn unexpected(&self, bytes: Range<usize>, expected: impl Into<String>) -> FuzzyError {
        let wrong = match &self.words.text[bytes.clone()] {
            "" => "the rule ends".to_owned(),
            word => format!("`{word}` is unexpected"),
        };
        self.error(bytes, wrong, expected)
    }

    /// Takes a word that must be the next.
    fn take(&mut self, word: &str) -> Result<(), FuzzyError> {
        if self.words.takes(word) {
            return Ok(());
        }
        Err(self.unexpected(self.words.next().0, format!("`{word}`")))
    }

    /// Clauses with `or` between them.
    fn any(&mut self, depth: usize) -> Result<Clause, FuzzyError> {
        let mut clause = self.all(depth)?;
        while self.words.takes("or") {
            let sides = Box::new([clause, self.all(depth)?]);
            clause = Clause::Join { larger: true, sides };
        }
        Ok(clause)
    }

    /// Clauses with `and` between them.
    fn all(&mut self, depth: usize) -> Result<Clause, FuzzyError> {
        let mut clause = self.one(depth)?;
        while self.words.takes("and") {
            let sides = Box::new([clause, self.one(depth)?]);
            clause = Clause::Join { larger: false, sides };
        }
        Ok(clause)
    }

    /// A clause, its opposite, or a bracket.
    fn one(&mut self, depth: usize) -> Result<Clause, FuzzyError> {
        let (bytes, word) = self.words.next();
        if word != "not" && word != "(" {
            return self.is();
        }
        if depth == MAX_DEPTH {
            let wrong = format!("`{word}` is within {MAX_DEPTH} brackets and `not`s");
            return Err(self.error(bytes, wrong, format!("at most {MAX_DEPTH} of them")));
        }
        self.words.at = bytes.end;
        if word == "not" {
            return Ok(Clause::Not(Box::new(self.one(depth + 1)?)));
        }
        let clause = self.any(depth + 1)?;
        if !self.words.takes(")") {
            return Err(self.unexpected(self.words.next().0, "`and`, `or` or `)`"));
        }
        Ok(clause)
    }

    /// `input is term`, or `input is not term`.
    fn is(&mut self) -> Result<Clause, FuzzyError> {
        let start = self.words.next().0.start;
        let inputs = self.controller.inputs.iter();
        let input = self.variable(inputs.collect(), "an input")?;
        self.take("is")?;
        let opposite = self.words.takes("not");
        let term = self.term(&self.controller.inputs[input])?;
        self.clauses += 1;
        if self.clauses > MAX_CLAUSES {
            let wrong = format!("this is clause {}", self.clauses);
            let expected = format!("at most {MAX_CLAUSES} clauses in a rule");
            return Err(self.error(start..self.words.at, wrong, expected));
        }
        let clause = Clause::Is { input, term };
        Ok(if opposite { Clause::Not(Box::new(clause)) } else { clause })
    }

    /// `output is term`.
    fn conclusion(&mut self) -> Result<[usize; 2], FuzzyError> {
        let outputs = self.controller.outputs.iter().map(|output| &output.variable);
        let output = self.variable(outputs.collect(), "an output")?;
        self.take("is")?;
        let term = self.term(&self.controller.outputs[output].variable)?;
        Ok([output, term])
    }

    fn variable(&mut self, all: Vec<&Variable>, what: &str) -> Result<usize, FuzzyError> {
        let (bytes, word) = self.words.next();
        let names = || format!("{what}: {}", list(all.iter().map(|variable| &*variable.name)));
        if !is_name(word) {
            return Err(self.unexpected(bytes, names()));
        }
        let Some(at) = all.iter().position(|variable| variable.name == word) else {
            return Err(self.error(bytes, format!("`{word}` is not {what}"), names()));
        };
        self.words.at = bytes.end;
        Ok(at)
    }

    fn term(&mut self, variable: &Variable) -> Result<usize, FuzzyError> {
        let (bytes, word) = self.words.next();
        let names = || list(variable.terms.iter().map(|term| &*term.name));
        if !is_name(word) {
            let expected = format!("a term of `{}`: {}", variable.name, names());
            return Err(self.unexpected(bytes, expected));
        }
        let Some(at) = variable.term(word) else {
            let wrong = format!("`{word}` is no term of `{}`", variable.name);
            return Err(self.error(bytes, wrong, names()));
        };
        self.words.at = bytes.end;
        Ok(at)
    }
}
