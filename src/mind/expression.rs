//! Conditions: comparisons of inputs with numbers, joined by `and`, `or`, `not`.
//!
//! ```
//! use throng::mind::Expression;
//!
//! let inputs = ["health", "enemy", "arrived"];
//! let flee = Expression::parse("health < 0.3 and (enemy < 10 or not arrived)", &inputs)?;
//! let flee = flee.compile::<f32>();
//! assert!(flee.holds(|input| [0.2, 8.0, 1.0][usize::from(input)]));
//! assert!(!flee.holds(|input| [0.2, 12.0, 1.0][usize::from(input)]));
//! # Ok::<(), throng::mind::ExpressionError>(())
//! ```

use std::fmt::Write;
use std::ops::{BitAnd, BitOr, Not, Range};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::lane::Lane;
use crate::math::Num;
use crate::mind::words::Words;

/// Comparisons that an expression has at most.
pub const MAX_TESTS: usize = 64;
/// Brackets, and `not`s, within each other at most.
pub const MAX_DEPTH: usize = 32;
/// Largest number that a condition compares with.
pub const MAX_CONSTANT: f64 = 32_000.0;

/// What is wrong with an expression, and which bytes of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{wrong}; expected {expected}")]
pub struct ExpressionError {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// What is wrong.
    pub wrong: String,
    /// What should be there.
    pub expected: String,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Compare {
    Less,
    AtMost,
    AtLeast,
    More,
}

impl Compare {
    const ALL: [(&'static str, Self); 4] =
        [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Less), (">", Self::More)];
}

/// What an input is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Against<C> {
    Input(u16),
    Constant(C),
}

/// A step of an expression in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Op<C> {
    Test(u16, Compare, Against<C>),
    And,
    Or,
    Not,
}

/// A condition over numbered inputs. The empty one always holds.
///
/// `name < number`, and the same with `<=`, `>`, `>=`, or another name in place of the number; a
/// name alone holds when it is above one half. `not` binds more tightly than `and`, and that more
/// tightly than `or`; brackets group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expression {
    ops: Vec<Op<f64>>,
}

/// An [`Expression`] as it is evaluated, in number type `N`.
#[derive(Clone, Debug)]
pub struct Condition<N> {
    ops: Vec<Op<N>>,
}

impl Expression {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self::default()
    }

    /// Whether it holds whatever the inputs are.
    pub fn is_always(&self) -> bool {
        self.ops.is_empty()
    }

    /// Reads a text. Input `i` is the one that is called `names[i]`; an empty name calls none.
    ///
    /// # Errors
    /// Says which bytes are wrong: an unknown name, a missing operand, a number that is not finite
    /// or beyond ±32,000, more than 64 comparisons, brackets more than 32 deep.
    pub fn parse(text: &str, names: &[impl AsRef<str>]) -> Result<Self, ExpressionError> {
        let words = Words::new(text, |a, b| {
            let is_name = |c: char| c.is_alphanumeric() || "_.-+".contains(c);
            is_name(a) && is_name(b) || is_sign(a) && is_sign(b)
        });
        let mut reader = Reader { words, ops: Vec::new(), tests: 0, names };
        reader.any(0)?;
        match reader.words.next() {
            (_, "") => Ok(Self { ops: reader.ops }),
            (at, _) => Err(reader.error(at, "`and`, `or` or the end")),
        }
    }

    /// The inputs that it reads, each as often as it is named.
    pub fn inputs(&self) -> impl Iterator<Item = u16> + '_ {
        self.ops
            .iter()
            .flat_map(|op| match *op {
                Op::Test(input, _, Against::Input(other)) => [Some(input), Some(other)],
                Op::Test(input, ..) => [Some(input), None],
                _ => [None, None],
            })
            .flatten()
    }

    /// Whether it can be evaluated: as many numbers on hand as every step needs, no input from
    /// `inputs` on, and numbers in range. What [`Expression::parse`] returned can be.
    pub fn is_sound(&self, inputs: usize) -> bool {
        let (mut height, mut most) = (0_usize, 0);
        for op in &self.ops {
            let fits = match *op {
                Op::Test(input, _, against) => {
                    height += 1;
                    let right = match against {
                        Against::Input(other) => usize::from(other) < inputs,
                        Against::Constant(number) => number.abs() <= MAX_CONSTANT,
                    };
                    right && usize::from(input) < inputs
                }
                Op::Not => height > 0,
                Op::And | Op::Or => {
                    height = height.saturating_sub(1);
                    height > 0
                }
            };
            if !fits {
                return false;
            }
            most = most.max(height);
        }
        most <= MAX_TESTS && (height == 1 || self.ops.is_empty())
    }

    /// The same for numbers of type `N`.
    pub fn compile<N: Num>(&self) -> Condition<N> {
        let op = |op: &Op<f64>| match *op {
            Op::Test(input, compare, Against::Constant(number)) => {
                Op::Test(input, compare, Against::Constant(N::from_f64(number)))
            }
            Op::Test(input, compare, Against::Input(other)) => {
                Op::Test(input, compare, Against::Input(other))
            }
            Op::And => Op::And,
            Op::Or => Op::Or,
            Op::Not => Op::Not,
        };
        Condition { ops: self.ops.iter().map(op).collect() }
    }

    /// The text that [`Expression::parse`] reads as this expression.
    pub fn text(&self, names: &[impl AsRef<str>]) -> String {
        let name = |input: u16| names[usize::from(input)].as_ref();
        let mut stack: Vec<String> = Vec::new();
        for op in &self.ops {
            match *op {
                Op::Test(input, compare, against) => {
                    let word = Compare::ALL.iter().find(|(_, c)| *c == compare);
                    let mut text = format!("{} {} ", name(input), word.map_or("", |w| w.0));
                    let _ = match against {
                        Against::Input(other) => write!(text, "{}", name(other)),
                        Against::Constant(number) => write!(text, "{number}"),
                    };
                    stack.push(text);
                }
                Op::Not => {
                    let text = stack.pop().unwrap_or_default();
                    stack.push(format!("not ({text})"));
                }
                Op::And | Op::Or => {
                    let word = if *op == Op::And { "and" } else { "or" };
                    let right = stack.pop().unwrap_or_default();
                    let left = stack.pop().unwrap_or_default();
                    stack.push(format!("({left} {word} {right})"));
                }
            }
        }
        stack.pop().unwrap_or_default()
    }
}

impl<N: Num> Condition<N> {
    /// Whether it holds whatever the inputs are.
    pub fn is_always(&self) -> bool {
        self.ops.is_empty()
    }

    /// Whether it holds for these inputs.
    pub fn holds(&self, value: impl Fn(u16) -> N) -> bool {
        let compare = |compare: Compare, left: N, right: N| match compare {
            Compare::Less => left < right,
            Compare::AtMost => left <= right,
            Compare::AtLeast => left >= right,
            Compare::More => left > right,
        };
        self.evaluate(true, value, |number| number, compare)
    }

    /// The lanes in which it holds, with what each input is in them.
    pub fn mask<L: Lane<Num = N>>(&self, value: impl Fn(u16) -> L) -> L::Mask {
        let compare = |compare: Compare, left: L, right: L| match compare {
            Compare::Less => left.lt(right),
            Compare::AtMost => left.le(right),
            Compare::AtLeast => right.le(left),
            Compare::More => right.lt(left),
        };
        self.evaluate(L::zero().le(L::zero()), value, L::splat, compare)
    }

    /// Whether it holds, as a `B`, of which `all` is what always does.
    #[inline(always)]
    fn evaluate<V, B>(
        &self,
        all: B,
        value: impl Fn(u16) -> V,
        constant: impl Fn(N) -> V,
        compare: impl Fn(Compare, V, V) -> B,
    ) -> B
    where
        B: Copy + Not<Output = B> + BitAnd<Output = B> + BitOr<Output = B>,
    {
        let mut stack = [all; MAX_TESTS];
        let mut top = 0;
        for op in &self.ops {
            match *op {
                Op::Test(input, comparison, against) => {
                    let right = match against {
                        Against::Input(other) => value(other),
                        Against::Constant(number) => constant(number),
                    };
                    stack[top] = compare(comparison, value(input), right);
                    top += 1;
                }
                Op::Not => stack[top - 1] = !stack[top - 1],
                Op::And => {
                    top -= 1;
                    stack[top - 1] = stack[top - 1] & stack[top];
                }
                Op::Or => {
                    top -= 1;
                    stack[top - 1] = stack[top - 1] | stack[top];
                }
            }
        }
        stack[0]
    }
}

/// Whether a character is part of a comparison's sign.
fn is_sign(c: char) -> bool {
    "<>=!".contains(c)
}

/// Reads by recursive descent, and writes postfix.
struct Reader<'a, S> {
    words: Words<'a>,
    ops: Vec<Op<f64>>,
    tests: usize,
    names: &'a [S],
}

impl<S: AsRef<str>> Reader<'_, S> {
    fn error(&self, at: Range<usize>, expected: &str) -> ExpressionError {
        let found = &self.words.text[at.clone()];
        let wrong = if found.is_empty() {
            "the condition ends too early".to_owned()
        } else {
            format!("found `{found}`")
        };
        ExpressionError { at, wrong, expected: expected.to_owned() }
    }

    fn any(&mut self, depth: usize) -> Result<(), ExpressionError> {
        self.every(depth)?;
        while self.words.takes("or") {
            self.every(depth)?;
            self.ops.push(Op::Or);
        }
        Ok(())
    }

    fn every(&mut self, depth: usize) -> Result<(), ExpressionError> {
        self.single(depth)?;
        while self.words.takes("and") {
            self.single(depth)?;
            self.ops.push(Op::And);
        }
        Ok(())
    }

    fn single(&mut self, depth: usize) -> Result<(), ExpressionError> {
        let at = self.words.next().0;
        if depth > MAX_DEPTH {
            let wrong = "the brackets are too deep".to_owned();
            let expected = format!("at most {MAX_DEPTH} within each other");
            return Err(ExpressionError { at, wrong, expected });
        }
        if self.words.takes("not") {
            self.single(depth + 1)?;
            self.ops.push(Op::Not);
            return Ok(());
        }
        if self.words.takes("(") {
            self.any(depth + 1)?;
            let next = self.words.next().0;
            return if self.words.takes(")") { Ok(()) } else { Err(self.error(next, "`)`")) };
        }
        self.test(at)
    }

    fn test(&mut self, at: Range<usize>) -> Result<(), ExpressionError> {
        self.tests += 1;
        if self.tests > MAX_TESTS {
            let wrong = "the condition has too many comparisons".to_owned();
            return Err(ExpressionError { at, wrong, expected: format!("at most {MAX_TESTS}") });
        }
        let input = self.input(at.clone())?;
        self.words.at = at.end;
        let (at, word) = self.words.next();
        let Some(&(_, compare)) = Compare::ALL.iter().find(|(sign, _)| *sign == word) else {
            if word.starts_with(is_sign) {
                return Err(self.error(at, "`<`, `<=`, `>` or `>=`"));
            }
            self.ops.push(Op::Test(input, Compare::More, Against::Constant(0.5)));
            return Ok(());
        };
        self.words.at = at.end;
        let at = self.words.next().0;
        let against = self.against(at.clone())?;
        self.words.at = at.end;
        self.ops.push(Op::Test(input, compare, against));
        Ok(())
    }

    fn against(&self, at: Range<usize>) -> Result<Against<f64>, ExpressionError> {
        let word = &self.words.text[at.clone()];
        if !word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return self.input(at).map(Against::Input);
        }
        match word.parse::<f64>() {
            Ok(number) if number.abs() <= MAX_CONSTANT => Ok(Against::Constant(number)),
            _ => Err(self.error(at, "a number from -32000 to 32000")),
        }
    }

    fn input(&self, at: Range<usize>) -> Result<u16, ExpressionError> {
        let word = &self.words.text[at.clone()];
        let is_name = |name: &str| !name.is_empty() && name == word;
        match self.names.iter().position(|name| is_name(name.as_ref())) {
            Some(input) => Ok(input as u16),
            None => {
                let names = self.names.iter().map(AsRef::as_ref).filter(|name| !name.is_empty());
                let names: Vec<_> = names.collect();
                Err(self.error(at, &format!("one of {}", names.join(", "))))
            }
        }
    }
}
