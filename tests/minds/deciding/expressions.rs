//! Conditions: what they read, what they mean in lanes and alone, and where they are wrong.

use proptest::prelude::*;
use throng::lane::{Lane, Mask, Numbers};
use throng::math::{Fx, Num};
use throng::mind::Expression;

const NAMES: [&str; 4] = ["a", "b", "since.x", "d-e"];

/// A condition and its meaning, made together: the text on the left, the tree on the right.
#[derive(Clone, Debug)]
enum Tree {
    Test(usize, &'static str, Right),
    Bare(usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

#[derive(Clone, Debug)]
enum Right {
    Name(usize),
    Number(f64),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Test(left, word, Right::Name(right)) => {
                format!("{} {word} {}", NAMES[*left], NAMES[*right])
            }
            Self::Test(left, word, Right::Number(right)) => {
                format!("{}{word}{right}", NAMES[*left])
            }
            Self::Bare(name) => NAMES[*name].to_owned(),
            Self::Not(of) => format!("not ({})", of.text()),
            Self::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Self::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, values: [f64; 4]) -> bool {
        match self {
            Self::Test(left, word, right) => {
                let right = match right {
                    Right::Name(name) => values[*name],
                    Right::Number(number) => *number,
                };
                match *word {
                    "<" => values[*left] < right,
                    "<=" => values[*left] <= right,
                    ">" => values[*left] > right,
                    _ => values[*left] >= right,
                }
            }
            Self::Bare(name) => values[*name] > 0.5,
            Self::Not(of) => !of.holds(values),
            Self::And(a, b) => a.holds(values) && b.holds(values),
            Self::Or(a, b) => a.holds(values) || b.holds(values),
        }
    }
}

fn number() -> impl Strategy<Value = f64> {
    (-8_i32..8).prop_map(|quarters| f64::from(quarters) / 4.0)
}

fn tree() -> impl Strategy<Value = Tree> {
    let right = prop_oneof![(0..4_usize).prop_map(Right::Name), number().prop_map(Right::Number)];
    let word = prop_oneof![Just("<"), Just("<="), Just(">"), Just(">=")];
    let leaf = prop_oneof![
        (0..4_usize, word, right).prop_map(|(left, word, right)| Tree::Test(left, word, right)),
        (0..4_usize).prop_map(Tree::Bare),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let two = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            inner.clone().prop_map(|of| Tree::Not(Box::new(of))),
            two().prop_map(|(a, b)| Tree::And(a, b)),
            two().prop_map(|(a, b)| Tree::Or(a, b)),
        ]
    })
}

fn agree<N: Numbers>(tree: &Tree, rows: &[[f64; 4]]) {
    let text = tree.text();
    let expression = Expression::parse(&text, &NAMES).unwrap();
    assert!(expression.is_sound(4));
    let again = Expression::parse(&expression.text(&NAMES), &NAMES).unwrap();
    assert_eq!(again, expression, "{text}");
    let condition = expression.compile::<N>();
    let value = |row: usize, input: u16| N::from_f64(rows[row][usize::from(input)]);
    let lanes = condition.mask(|input| N::Wide::from_fn(|lane| value(lane, input))).bits();
    for (row, values) in rows.iter().enumerate() {
        let expected = tree.holds(*values);
        assert_eq!(condition.holds(|input| value(row, input)), expected, "{text} {values:?}");
        assert_eq!(lanes >> row & 1 == 1, expected, "{text} {values:?} in lanes");
        let one = condition.mask(|input| N::Single::splat(value(row, input))).bits();
        assert_eq!(one == 1, expected);
    }
}

proptest! {
    #![proptest_config(crate::common::cases(400))]
    #[test]
    fn conditions_mean_what_they_say(
        tree in tree(),
        rows in proptest::array::uniform8([number(), number(), number(), number()]),
    ) {
        agree::<f32>(&tree, &rows);
        agree::<Fx>(&tree, &rows);
    }
}

/// Without brackets `not` binds before `and`, and that before `or`.
#[test]
fn words_bind_in_their_order() {
    let holds = |text: &str, a: f32, b: f32, x: f32| {
        let condition = Expression::parse(text, &NAMES).unwrap().compile::<f32>();
        condition.holds(|input| [a, b, x, 0.0][usize::from(input)])
    };
    assert!(holds("a or b and since.x", 1.0, 0.0, 0.0));
    assert!(!holds("(a or b) and since.x", 1.0, 0.0, 0.0));
    assert!(holds("not a and b or since.x", 1.0, 1.0, 1.0));
    assert!(!holds("not (a and b or since.x)", 1.0, 1.0, 1.0));
    assert!(holds("not not a", 1.0, 0.0, 0.0));
    assert!(holds("a > -1.5 and d-e <= +0", -1.0, 0.0, 0.0));
    assert!(Expression::always().compile::<f32>().holds(|_| f32::ZERO));
}

#[test]
fn errors_say_which_bytes_are_wrong() {
    let table = [
        ("", 0..0, "the condition ends too early; expected one of a, b, since.x, d-e"),
        ("a <", 3..3, "the condition ends too early; expected one of a, b, since.x, d-e"),
        ("a < b c", 6..7, "found `c`; expected `and`, `or` or the end"),
        ("health < 1", 0..6, "found `health`; expected one of a, b, since.x, d-e"),
        ("a == 1", 2..4, "found `==`; expected `<`, `<=`, `>` or `>=`"),
        ("(a < 1", 6..6, "the condition ends too early; expected `)`"),
        ("a < 1)", 5..6, "found `)`; expected `and`, `or` or the end"),
        ("a < 1e9", 4..7, "found `1e9`; expected a number from -32000 to 32000"),
        ("a < 1.2.3", 4..9, "found `1.2.3`; expected a number from -32000 to 32000"),
        ("a and and b", 6..9, "found `and`; expected one of a, b, since.x, d-e"),
        ("ä < 1", 0..2, "found `ä`; expected one of a, b, since.x, d-e"),
        ("a § b", 2..4, "found `§`; expected `and`, `or` or the end"),
    ];
    for (text, at, message) in table {
        let error = Expression::parse(text, &NAMES).unwrap_err();
        assert_eq!((error.at.clone(), &*error.to_string()), (at, message), "{text}");
    }
    let deep = format!("{}a{}", "(".repeat(40), ")".repeat(40));
    assert!(Expression::parse(&deep, &NAMES).unwrap_err().wrong.contains("too deep"));
    let long = vec!["a"; 65].join(" or ");
    assert!(Expression::parse(&long, &NAMES).unwrap_err().wrong.contains("too many"));
    let most = vec!["a"; 64].join(" or ");
    assert!(Expression::parse(&most, &NAMES).unwrap().is_sound(1));
}
