//! Scenario files as tests write them: what becomes of them, and what is refused where.

use throng::scenario::{Plan, ScenarioDef, ScenarioError};

/// A text with the place of its mistake marked, the key, what is wrong and what is expected there.
pub(crate) type Mistake = (&'static str, &'static str, &'static str, &'static str);

/// All steps from text to plan.
pub(crate) fn plan(text: &str) -> Result<Plan, ScenarioError> {
    let def = ScenarioDef::parse(text, "bad.toml")?;
    let map = def.load_map(&|path| match path {
        "short.map" => Ok(b"type octile\nheight 2\nwidth 3\nmap\n...\n".to_vec()),
        "good.map" => Ok(b"type octile\nheight 1\nwidth 3\nmap\n.@.\n".to_vec()),
        _ => Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no such file")),
    })?;
    Plan::new(&def, map)
}

/// Checks that the first problem of a text is at its `§`, goes to its second one, if there are two, has
/// the key, and that its message holds both fragments. Without a `§` it is at the start of the text.
pub(crate) fn refused(marked: &str, key: &str, wrong: &str, expected: &str) -> ScenarioError {
    let parts: Vec<&str> = marked.split('§').collect();
    assert!(parts.len() <= 3, "one place is marked: {marked}");
    let text = parts.concat();
    let Err(error) = plan(&text) else {
        panic!("this should have been refused ({wrong}):\n{text}")
    };
    let (first, shown) = (error.first(), error.to_string());
    let before = if parts.len() == 1 { "" } else { parts[0] };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    let at = [first.line, first.column].map(|number| number as usize);
    assert_eq!(at, [line, column], "place of: {shown}\nin:\n{text}");
    assert!(first.span.end <= text.len() && first.span.start <= first.span.end);
    if parts.len() == 3 {
        let span = before.len()..before.len() + parts[1].len();
        assert_eq!(first.span, span, "place of: {shown}\nin:\n{text}");
    }
    assert_eq!(first.key, key, "key of: {shown}\nin:\n{text}");
    assert!(first.wrong.contains(wrong), "`{wrong}` is not in: {shown}");
    assert!(first.expected.contains(expected), "`{expected}` is not in: {shown}");
    assert!(shown.starts_with(&format!("bad.toml:{line}:{column}: ")), "{shown}");
    error
}

/// Checks that all of some mistakes are refused in the text that `within` makes of them.
pub(crate) fn all_refused(mistakes: &[Mistake], within: impl Fn(&str) -> String) {
    for (marked, key, wrong, expected) in mistakes {
        refused(&within(marked), key, wrong, expected);
    }
}

/// Lines behind the heading of their table, which is the place where none is marked in them.
pub(crate) fn below(heading: &str, lines: &str) -> String {
    let mark = if lines.contains('§') { "" } else { "§" };
    format!("{mark}{heading}\n{lines}\n")
}
