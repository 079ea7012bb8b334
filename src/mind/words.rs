//! Words of a text, and where they are.

use std::ops::Range;

/// A text that is read word by word.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    /// Where the next word is looked for.
    pub(super) at: usize,
    /// Whether two characters that follow each other belong to one word; a blank is in none.
    joins: fn(char, char) -> bool,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str, joins: fn(char, char) -> bool) -> Self {
        Self { text, at: 0, joins }
    }

    /// The next word, which stays; the empty end of the text after the last one.
    pub(super) fn next(&self) -> (Range<usize>, &'a str) {
        let rest = self.text[self.at..].trim_start();
        let mut before = rest.chars().next().unwrap_or(' ');
        let ends =
            |&(_, next): &(usize, char)| !(self.joins)(std::mem::replace(&mut before, next), next);
        let end = rest.char_indices().skip(1).find(ends).map_or(rest.len(), |(end, _)| end);
        let start = self.text.len() - rest.len();
        (start..start + end, &rest[..end])
    }

    /// Takes the next word if it is this one.
    pub(super) fn takes(&mut self, word: &str) -> bool {
        let (bytes, found) = self.next();
        let is_next = found == word;
        if is_next {
            self.at = bytes.end;
        }
        is_next
    }
}
