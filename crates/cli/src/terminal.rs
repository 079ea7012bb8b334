//! Text for a terminal: without control characters from outside, and without lines longer than a screen.

/// Characters of a line, at most.
pub(crate) const WIDTH: usize = 100;

/// Characters of a word, at most: longer than a screen only for paths that were typed.
const MAX_WORD: usize = 300;

/// Whether a terminal might act on a character, or show what follows in another order: control
/// characters, and characters that turn or hide text.
fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A text with its control characters, but for line ends, as `\u{1b}`; tabs are spaces.
pub(crate) fn printable(text: &str) -> String {
    if !text.contains(|letter| letter != '\n' && is_control(letter)) {
        return text.to_owned();
    }
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => clean.push('\n'),
            '\t' => clean.push(' '),
            letter if is_control(letter) => clean.extend(letter.escape_unicode()),
            letter => clean.push(letter),
        }
    }
    clean
}

/// JSON whose strings have control characters as `\u009b`: the same value.
pub(crate) fn printable_json(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter != '\n' && is_control(letter) {
            let mut units = [0; 2];
            let units = letter.encode_utf16(&mut units);
            units.iter().for_each(|unit| clean.push_str(&format!("\\u{unit:04x}")));
        } else {
            clean.push(letter);
        }
    }
    clean
}

/// One line of a text around a place in it, given in bytes, each character in one column;
/// and the first column and the number of columns of the place.
pub(crate) fn excerpt(line: &str, place: std::ops::Range<usize>, width: usize) -> [String; 2] {
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    let column = |byte: usize| letters.partition_point(|(at, _)| *at < byte);
    let (from, end) = (column(place.start), column(place.end).max(column(place.start) + 1));
    // Two fifths of the width lie before the place, if there is so much.
    let first = if letters.len() <= width { 0 } else { from.saturating_sub(width * 2 / 5) };
    let shown = &letters[first.min(letters.len())..letters.len().min(first + width)];
    let clean = |&(_, letter): &(usize, char)| match letter {
        '\t' => ' ',
        letter if is_control(letter) => '\u{fffd}',
        letter => letter,
    };
    let mut text: Vec<char> = shown.iter().map(clean).collect();
    if first > 0 {
        text[0] = '…';
    }
    if first + width < letters.len() {
        text[width - 1] = '…';
    }
    let marks = end.min(first + width).saturating_sub(from).max(1);
    [text.into_iter().collect(), " ".repeat(from - first) + &"^".repeat(marks)]
}

/// A text whose lines are no longer than a screen: broken between words, and indented as they began,
/// and two spaces more. Words that are longer stand alone; of very long ones the middle is left out.
pub(crate) fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        if line.chars().count() <= WIDTH {
            out.push_str(line);
        } else {
            wrap(line, &mut out);
        }
        out.push('\n');
    }
    out.pop();
    out
}

fn wrap(line: &str, out: &mut String) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = indent.min(WIDTH / 2);
    let mut column = 0;
    // Spaces within a line stay, so that tables do.
    for piece in line.split_inclusive(' ') {
        let word = shortened(piece.trim_end_matches(' '));
        let length = word.chars().count();
        if column > indent + 2 && column + length > WIDTH && length > 0 {
            while out.ends_with(' ') {
                out.pop();
            }
            out.push('\n');
            out.push_str(&" ".repeat(indent + 2));
            column = indent + 2;
        }
        let space = if piece.ends_with(' ') { " " } else { "" };
        out.push_str(&word);
        out.push_str(space);
        column += length + space.len();
    }
}

/// A text behind the beginning of its first line, its other lines below it.
pub(crate) fn hanging(beginning: &str, text: &str) -> String {
    let indent = beginning.chars().count();
    let mut out = beginning.to_owned();
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}

/// A word without its middle, where it is very long.
fn shortened(word: &str) -> String {
    let length = word.chars().count();
    if length <= MAX_WORD {
        return word.to_owned();
    }
    let head: String = word.chars().take(WIDTH / 2).collect();
    let tail: String = word.chars().skip(length - WIDTH / 3).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, excerpt, printable, printable_json, wrapped};

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        let bad = "a\u{1b}[31mb\rc\u{9b}d\u{202e}e\0\u{7f}\tf\ng";
        let clean = printable(bad);
        assert_eq!(clean, "a\\u{1b}[31mb\\u{d}c\\u{9b}d\\u{202e}e\\u{0}\\u{7f} f\ng");
        assert_eq!(printable("plain, µ ² 漢\n"), "plain, µ ² 漢\n");
        let json = serde_json::to_string(bad).unwrap();
        let clean = printable_json(&json);
        assert!(!clean.contains(|letter: char| letter.is_control()), "{clean}");
        assert_eq!(serde_json::from_str::<String>(&clean).unwrap(), bad);
    }

    #[test]
    fn lines_are_no_longer_than_a_screen() {
        let long = format!("  {}end", "word ".repeat(100));
        let text = wrapped(&format!("short\n{long}\n"));
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.starts_with("short\n  word") && text.ends_with("end\n"), "{text}");
        assert_eq!(text.split_whitespace().count(), 102);
        assert!(text.lines().skip(2).all(|line| line.starts_with("    word")), "{text}");
        let flood = wrapped(&"x".repeat(100_000));
        assert!(flood.chars().count() < 100, "{flood}");
        assert_eq!(wrapped("a  b"), "a  b");
    }

    #[test]
    fn excerpts_show_the_place() {
        assert_eq!(
            excerpt("speed = -1", 8..10, 40),
            ["speed = -1", "        ^^"].map(String::from)
        );
        assert_eq!(excerpt("", 0..0, 40), ["", "^"].map(String::from));
        let line = format!("{}é\u{1b}bad{}", "x".repeat(500), "y".repeat(500));
        let [text, marks] = excerpt(&line, 502..506, 60);
        assert!(
            text.chars().count() == 60 && text.starts_with('…') && text.ends_with('…'),
            "{text}"
        );
        let place: String =
            text.chars().zip(marks.chars()).filter(|(_, m)| *m == '^').map(|(c, _)| c).collect();
        assert_eq!(place, "\u{fffd}bad");
    }
}
