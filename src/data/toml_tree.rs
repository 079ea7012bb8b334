//! How much memory the tables of a text take when it is read as TOML: of `a.a.a.a` every letter is one.

/// Bytes that a table takes, and an array.
const TABLE: usize = 1_280;
const ARRAY: usize = 160;

/// Bytes that all tables and arrays of a file may take: room for 524,288 tables.
pub(crate) const MAX: usize = 640 << 20;

/// Bytes that the tables and arrays of a text take, or some more, counted without making them.
pub(crate) fn bytes(text: &str) -> usize {
    let (mut rest, mut bytes, mut dots) = (text.as_bytes(), 0, 0);
    let (mut is_line_start, mut is_header) = (true, false);
    while let [byte, tail @ ..] = rest {
        rest = tail;
        match byte {
            b'"' | b'\'' => rest = behind_string(*byte, tail),
            b'#' => rest = &tail[tail.iter().position(|&b| b == b'\n').unwrap_or(tail.len())..],
            b'.' => dots += 1,
            b',' | b'\n' => dots = 0,
            b'{' => (bytes, dots) = (bytes + TABLE, 0),
            b'[' if is_line_start => (bytes, dots, is_header) = (bytes + TABLE, 0, true),
            b'[' => (bytes, dots) = (bytes + ARRAY, 0),
            // What stood before were dotted keys, or one number.
            b'=' => (bytes, dots) = (bytes + dots * TABLE, 0),
            b']' if is_header => (bytes, dots, is_header) = (bytes + dots * TABLE, 0, false),
            b']' => (bytes, dots) = (bytes + dots.saturating_sub(1) * TABLE, 0),
            _ => {}
        }
        is_line_start = *byte == b'\n' || (is_line_start && byte.is_ascii_whitespace());
    }
    bytes
}

/// What stands behind a string that opens with a quotation mark, or three.
fn behind_string(quote: u8, text: &[u8]) -> &[u8] {
    let is_long = text.starts_with(&[quote; 2]);
    let fence = &[quote; 3][..if is_long { 3 } else { 1 }];
    let mut rest = if is_long { &text[2..] } else { text };
    while let [byte, tail @ ..] = rest {
        if rest.starts_with(fence) {
            return &rest[fence.len()..];
        }
        rest = match byte {
            b'\\' if quote == b'"' => tail.get(1..).unwrap_or_default(),
            b'\n' if !is_long => return rest,
            _ => tail,
        };
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{ARRAY, TABLE, bytes};

    #[test]
    fn tables_and_arrays_are_counted() {
        for (text, tables, arrays) in [
            ("a = 0.5\nb = [0.5, 1.5]", 0, 1),
            ("a.b.c = 1\n[d.e]\n  [[f]]\n", 5, 1),
            ("a = { b = [1, 2], c.d = {} }", 3, 1),
            ("a = \"\" # {{{\nb = '{'\nc = \"\\\"{\"", 0, 0),
            ("rows = \"\"\"\n..{=..\n\\\"\"\".=\n\"\"\"\nd = {}", 1, 0),
            ("a = \"{\n[b]", 1, 0),
        ] {
            assert_eq!(bytes(text), tables * TABLE + arrays * ARRAY, "{text}");
        }
    }
}
