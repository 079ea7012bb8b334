//! Every way in which a controller can be wrong is refused, and the error says where.

use crate::deciding::fuzzy::{term, tipping};
use throng::mind::fuzzy::{Controller, Part, Rule, Shape};

/// The part of a changed controller that is refused, and the message.
fn refusal(change: impl FnOnce(&mut Controller)) -> (Part, String) {
    let mut controller = tipping();
    assert_eq!(controller.check(), Ok(()));
    change(&mut controller);
    let error = controller.check().unwrap_err();
    assert_eq!(controller.compile::<f32>().unwrap_err(), error);
    (error.part.clone(), error.to_string())
}

/// Refuses one change, at a part, in these words.
fn refuses(part: &Part, words: &str, change: impl FnOnce(&mut Controller)) {
    let (found, message) = refusal(change);
    assert_eq!(found, *part, "{message}");
    assert!(message.contains(words), "`{message}` does not say `{words}`");
}

#[test]
fn names_are_words_and_unlike() {
    let is =
        "`is` is no name for a term; expected a letter or `_`, and letters, digits, `_` and `-`";
    refuses(&Part::InputTerm(1, 0), is, |c| c.inputs[1].terms[0].name = "is".into());
    refuses(&Part::Input(0), "`` is no name for a variable", |c| c.inputs[0].name.clear());
    let two_words = "`a tip` is no name for a variable";
    refuses(&Part::Output(0), two_words, |c| c.outputs[0].variable.name = "a tip".into());
    refuses(&Part::Controller, "`7up` is no name for a controller", |c| c.name = "7up".into());
    let twice = "there are two variables `food`; expected a name of its own";
    refuses(&Part::Input(1), twice, |c| c.inputs[1].name = "food".into());
    refuses(&Part::Output(0), twice, |c| c.outputs[0].variable.name = "food".into());
    let twice = "there are two terms `low`";
    refuses(&Part::OutputTerm(0, 2), twice, |c| {
        c.outputs[0].variable.terms[2].name = "low".into();
    });
}

#[test]
fn counts_have_limits() {
    refuses(&Part::Controller, "there are 0 inputs; expected 1 to 8", |c| c.inputs.clear());
    refuses(&Part::Controller, "there are 9 inputs", |c| {
        for i in 0..7 {
            let mut input = c.inputs[0].clone();
            input.name = format!("more{i}");
            c.inputs.push(input);
        }
    });
    refuses(&Part::Controller, "there are 0 outputs; expected 1 to 4", |c| c.outputs.clear());
    refuses(&Part::Controller, "there are 0 rules; expected 1 to 64", |c| c.rules.clear());
    let rule = "if food is poor then tip is low";
    refuses(&Part::Controller, "there are 65 rules", |c| c.rules = vec![Rule::new(rule); 65]);
    refuses(&Part::Input(0), "there are 0 terms; expected 1 to 9", |c| c.inputs[0].terms.clear());
    refuses(&Part::Input(0), "there are 10 terms", |c| {
        let shape = Shape::LeftShoulder([1.0, 2.0]);
        c.inputs[0].terms.extend((0..7).map(|i| term(&format!("t{i}"), shape)));
    });
    let clause = "food is poor or ".repeat(32) + "food is poor";
    let bytes = 3 + 32 * 16..3 + 32 * 16 + 12;
    let most = "this is clause 33; expected at most 32 clauses in a rule";
    refuses(&Part::Text { rule: 2, bytes }, most, |c| {
        c.rules[2].text = format!("if {clause} then tip is low");
    });
    let deep = format!("if {}food is poor then tip is low", "not ".repeat(17));
    let most = "`not` is within 16 brackets and `not`s; expected at most 16 of them";
    refuses(&Part::Text { rule: 0, bytes: 67..70 }, most, |c| c.rules[0].text = deep);
}

#[test]
fn numbers_must_make_sense() {
    let range = "the range is from 3 to 3; expected two numbers within ±32000, the second at least";
    refuses(&Part::Input(0), range, |c| c.inputs[0].range = [3.0, 3.0]);
    refuses(&Part::Input(1), "from 9 to -9", |c| c.inputs[1].range = [9.0, -9.0]);
    refuses(&Part::Input(1), "from NaN to 1", |c| c.inputs[1].range = [f64::NAN, 1.0]);
    refuses(&Part::Output(0), "from 0 to 32001", |c| c.outputs[0].variable.range[1] = 32_001.0);
    let shape = |shape: Shape, words: &str| {
        refuses(&Part::InputTerm(0, 1), words, |c| c.inputs[0].terms[1].shape = shape);
    };
    shape(Shape::Triangle([1.0, f64::NAN, 2.0]), "NaN is no number; expected numbers");
    shape(Shape::LeftShoulder([1.0, f64::INFINITY]), "inf is no number");
    let order = "3 comes before 2; expected numbers that do not decrease";
    shape(Shape::Trapezoid([1.0, 3.0, 2.0, 4.0]), order);
    shape(Shape::RightShoulder([3.0, 2.0]), "3 comes before 2");
    let range = "10.5 is not from 0 to 10; expected numbers in the range of `food`";
    shape(Shape::Triangle([1.0, 2.0, 10.5]), range);
    shape(Shape::LeftShoulder([-1.0, 2.0]), "-1 is not from 0 to 10");
    shape(Shape::Triangle([4.0; 3]), "it reaches from 4 to 4 only; expected at least");
    shape(Shape::LeftShoulder([0.0; 2]), "it reaches from 0 to 0 only");
    let default = "the default is 26; expected a number from 0 to 25";
    refuses(&Part::Output(0), default, |c| c.outputs[0].default = Some(26.0));
    refuses(&Part::Output(0), "the default is NaN", |c| c.outputs[0].default = Some(f64::NAN));
    let weight = "the weight is 1.5; expected a number from 0 to 1";
    refuses(&Part::Rule(1), weight, |c| c.rules[1].weight = 1.5);
    refuses(&Part::Rule(0), "the weight is NaN", |c| c.rules[0].weight = f64::NAN);
}

#[test]
fn three_terms_do_not_overlap() {
    let words =
        "`low`, `medium` and `high` overlap from 12 to 13; expected at most two terms at any value";
    refuses(&Part::OutputTerm(0, 2), words, |c| {
        c.outputs[0].variable.terms[2].shape = Shape::Triangle([12.0, 25.0, 25.0]);
    });
    // Touching is not overlapping; of inputs any number may.
    let mut controller = tipping();
    controller.outputs[0].variable.terms[2].shape = Shape::Triangle([13.0, 13.0, 25.0]);
    controller.inputs[0].terms.push(term("any", Shape::Trapezoid([0.0, 0.0, 10.0, 10.0])));
    assert_eq!(controller.check(), Ok(()));
}

#[test]
fn rules_are_read_with_care() {
    let cases = [
        ("", 0..0, "the rule ends; expected `if`"),
        ("food is poor", 0..4, "`food` is unexpected; expected `if`"),
        ("if", 2..2, "the rule ends; expected an input: `food` or `service`"),
        ("if then tip is low", 3..7, "`then` is unexpected; expected an input"),
        ("if drink is poor then tip is low", 3..8, "`drink` is not an input; expected an input:"),
        ("if tip is low then tip is low", 3..6, "`tip` is not an input"),
        ("if food was poor then tip is low", 8..11, "`was` is unexpected; expected `is`"),
        (
            "if food is bad then tip is low",
            11..14,
            "`bad` is no term of `food`; expected `poor`, `average` or `good`",
        ),
        ("if food is then tip is low", 11..15, "`then` is unexpected; expected a term of `food`:"),
        ("if food is poor tip is low", 16..19, "`tip` is unexpected; expected `then`"),
        ("if food is poor and then tip is low", 20..24, "`then` is unexpected; expected an input"),
        ("if (food is poor then tip is low", 17..21, "expected `and`, `or` or `)`"),
        ("if food is poor) then tip is low", 15..16, "`)` is unexpected; expected `then`"),
        (
            "if food is poor then food is poor",
            21..25,
            "`food` is not an output; expected an output: `tip`",
        ),
        ("if food is poor then tip is tiny", 28..32, "`tiny` is no term of `tip`"),
        (
            "if food is poor then tip is low or",
            32..34,
            "`or` is unexpected; expected `and` or the end",
        ),
        ("if food is poor then tip is low and", 35..35, "the rule ends; expected an output: `tip`"),
        ("if food < 3 then tip is low", 8..9, "`<` is unexpected; expected `is`"),
        ("if food is größer then tip is low", 11..19, "`größer` is no term"),
    ];
    for (text, bytes, words) in cases {
        let part = Part::Text { rule: 1, bytes };
        refuses(&part, words, |controller| controller.rules[1].text = text.into());
    }
    let none = "no rule is about `extra`; expected a rule that concludes it";
    refuses(&Part::Output(1), none, |c| {
        let mut extra = c.outputs[0].clone();
        extra.variable.name = "extra".into();
        c.outputs.push(extra);
    });
}

/// All problems are told, in the order of the parts.
#[test]
fn all_problems_are_told() {
    let mut controller = tipping();
    controller.inputs[1].range = [0.0, 0.0];
    controller.outputs[0].default = Some(-1.0);
    controller.rules[2].weight = -0.5;
    let parts: Vec<_> = controller.problems().into_iter().map(|error| error.part).collect();
    assert_eq!(parts, [Part::Input(1), Part::Output(0), Part::Rule(2)]);
    let mut controller = tipping();
    controller.rules[0].text = "if".into();
    controller.rules[2].text = "then".into();
    assert_eq!(controller.problems().len(), 2);
}
