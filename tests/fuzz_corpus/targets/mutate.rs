//! Random changes of bytes and texts, as a pure function of a seed.

use throng::math::hash2;

/// Changes a piece of a file.
pub type Part<'a> = &'a mut dyn FnMut(&mut Vec<u8>, &mut Random);

/// Random numbers.
pub struct Random {
    seed: u64,
    count: u64,
}

impl Random {
    /// The random numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.count += 1;
        hash2(self.seed, self.count)
    }

    /// A number below `count`, 0 when there is none.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() >> 11) as usize % count.max(1)
    }

    /// A random element.
    pub fn of<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Numbers at which things go wrong.
const NUMBERS: [f64; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.05,
    0.01,
    0.5,
    2.0,
    3.0,
    30.0,
    50.0,
    100.0,
    181.1,
    500.0,
    1000.0,
    32_767.0,
    32_768.0,
    1.0e6,
    1.0e-9,
    f64::MIN_POSITIVE,
    f64::MAX,
    -1.0e6,
    f64::NAN,
    f64::INFINITY,
];
const WORDS: [u32; 12] =
    [0, 1, 2, 15, 16, 255, 256, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// One to three random changes of bytes.
pub fn edit(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let few = 1 + random.below(8);
        let end = (at + few).min(bytes.len());
        match random.below(9) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.bits() as u8,
            2 => put(bytes, at, &random.of(&WORDS).to_le_bytes()),
            3 => put(bytes, at, &random.of(&NUMBERS).to_bits().to_le_bytes()),
            4 => drop(bytes.drain(at..end)),
            5 => bytes.insert(at, random.bits() as u8),
            6 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            7 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                put(bytes, to, &piece);
            }
            _ if at + 2 <= bytes.len() => {
                let word = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                let step = random.below(9) as u16;
                put(bytes, at, &word.wrapping_add(step).wrapping_sub(4).to_le_bytes());
            }
            _ => {}
        }
    }
}

/// Writes over what is there, as far as it goes.
fn put(bytes: &mut [u8], at: usize, piece: &[u8]) {
    bytes.iter_mut().skip(at).zip(piece).for_each(|(byte, new)| *byte = *new);
}

/// Random changes of a list: something goes, comes twice, changes places, or changes.
pub fn edit_list<T: Clone>(
    list: &mut Vec<T>,
    random: &mut Random,
    change: impl FnOnce(&mut T, &mut Random),
) {
    if list.is_empty() {
        return;
    }
    let (at, other) = (random.below(list.len()), random.below(list.len()));
    match random.below(8) {
        0 => drop(list.remove(at)),
        1 => list.insert(other, list[at].clone()),
        2 => list.swap(at, other),
        _ => change(&mut list[at], random),
    }
}

/// Numbers of texts.
const WRITTEN: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "0.0",
    "0.05",
    "0.5",
    "1e-9",
    "1e6",
    "1e308",
    "-0.0",
    "nan",
    "inf",
    "16384",
    "65535",
    "65536",
    "4294967296",
    "9223372036854775807",
    "1000",
    "0.1",
    "7.5",
];

/// A random change of a text of lines; `words` are worth trying.
pub fn edit_text(text: &mut Vec<u8>, random: &mut Random, words: &[&str]) {
    match random.below(12) {
        0 => edit(text, random),
        1..3 => {
            let mut lines: Vec<Vec<u8>> =
                text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            edit_list(&mut lines, random, edit);
            *text = lines.concat();
        }
        3..10 => {
            let number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
            if random.below(4) > 0 {
                let new = format!("{}", random.below(40) as f64 / *random.of(&[1.0, 1.0, 8.0]));
                replace(text, random, number, &new);
            } else {
                let new = *random.of(&WRITTEN);
                replace(text, random, number, new);
            }
        }
        _ => {
            let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let new = *random.of(words);
            replace(text, random, word, new);
        }
    }
}

/// Replaces a random run of such bytes.
fn replace(text: &mut Vec<u8>, random: &mut Random, such: impl Fn(u8) -> bool, new: &str) {
    let start = |at: &usize| such(text[*at]) && (*at == 0 || !such(text[*at - 1]));
    let starts: Vec<usize> = (0..text.len()).filter(start).collect();
    if starts.is_empty() {
        return;
    }
    let from = *random.of(&starts);
    let length = text[from..].iter().take_while(|&&byte| such(byte)).count();
    text.splice(from..from + length, new.bytes());
}
