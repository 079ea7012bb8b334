//! The nearest known word to a misspelt one.

/// Known words that are looked at: there may be as many names as groups.
const LOOKED_AT: usize = 1_000;

/// The known word nearest to `word` by optimal string alignment (insert, delete, replace, swap of
/// neighbours; Damerau 1964), when it is near enough to be what was meant: at most a third of the
/// letters wrong, at least one allowed. The first of equals wins; of very many words only the first count.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.into_iter().take(LOOKED_AT) {
        let letters: Vec<char> = candidate.chars().collect();
        let distance = alignment(&word, &letters);
        let allowed = (word.len().max(letters.len()) / 3).max(1);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The known word that is meant by one, in words and between two `mark`s.
pub(super) fn meant<'a>(
    mark: char,
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, known).map(|meant| format!("{mark}{meant}{mark}, if that is what you meant"))
}

fn alignment(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let known = ["speed", "radius", "separation", "spawn"];
        assert_eq!(nearest("sped", known), Some("speed"));
        assert_eq!(nearest("Raduis", known), Some("radius"));
        assert_eq!(nearest("seperation", known), Some("separation"));
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
