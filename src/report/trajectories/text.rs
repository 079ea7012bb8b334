//! Trajectories as text: that of the Pedestrian Dynamics Data Archive, and CSV.

use std::io;
use std::io::Write;

use crate::par;
use crate::report::number::csv_field;
use crate::report::trajectories::frame::{Frame, Row};
use crate::report::trajectories::header::{Format, Header};

/// Rows that are formatted together.
const CHUNK: usize = 4_096;

/// Parts of a metre, and of m/s, that are written: four decimals.
const PARTS: u64 = 10_000;

/// A text file under way.
#[derive(Debug)]
pub(super) struct Text<W: Write> {
    writer: W,
    csv: bool,
    header: Header,
    /// Ends of lines, by group: its name as CSV has it.
    groups: Vec<String>,
    /// The rows of a frame, a chunk each.
    chunks: Vec<Vec<u8>>,
}

impl<W: Write> Text<W> {
    pub(super) fn start(mut writer: W, format: Format, header: &Header) -> io::Result<Self> {
        let csv = format == Format::Csv;
        if csv {
            writer.write_all(b"id,frame,t,x,y,v_x,v_y,group\n")?;
        } else {
            writer.write_all(header_lines(header).as_bytes())?;
        }
        let (header, groups, chunks) = (header.clone(), Vec::new(), Vec::new());
        Ok(Self { writer, csv, header, groups, chunks })
    }

    pub(super) fn write(&mut self, frame: &Frame) -> io::Result<()> {
        let groups = frame.rows.iter().map(|row| usize::from(row.group) + 1).max().unwrap_or(0);
        for index in self.groups.len()..groups {
            self.groups.push(csv_field(&self.header.group(index)));
        }
        let count = frame.rows.len().div_ceil(CHUNK);
        self.chunks.resize_with(self.chunks.len().max(count), Vec::new);
        let (csv, groups) = (self.csv, &self.groups);
        let time = format!(",{}", frame.t);
        let chunks = par::PerBand(&mut self.chunks[..count]);
        par::chunks(frame.rows.len(), CHUNK, chunks, &|_, first, par::PerBand(chunks)| {
            let text = &mut chunks[0];
            text.clear();
            for row in frame.rows[first..].iter().take(CHUNK) {
                if csv {
                    csv_row(text, row, frame.number, &time, &groups[usize::from(row.group)]);
                } else {
                    text_row(text, row, frame.number);
                }
            }
        });
        self.chunks[..count].iter().try_for_each(|text| self.writer.write_all(text))
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        self.writer.flush()?;
        Ok(self.writer)
    }
}

/// PedPy takes the first number of the first line with the word `framerate`, and the unit from the
/// last line that has `x/m` or `x/cm`; so the rate comes first and the columns come last.
fn header_lines(header: &Header) -> String {
    let Header { tick_rate, every, .. } = header;
    let [corner, way] = if header.y_up { ["lower", "up"] } else { ["upper", "down"] };
    let scenario: String =
        header.scenario.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!(
        "# framerate: {:?} fps\n\
         # description: throng {}, scenario {scenario}, {}\n\
         # frames: every {every} ticks of 1/{tick_rate} s; frame 0 is the state after the first\n\
         # axes: from the {corner} left corner of the map, x to the right, y {way}\n\
         # id: one agent's alone, over the whole run\n\
         # id frame x/m y/m\n",
        header.frame_rate(),
        env!("CARGO_PKG_VERSION"),
        header.numeric.word(),
    )
}

fn text_row(text: &mut Vec<u8>, row: &Row, frame: u64) {
    whole(text, row.id);
    text.push(b' ');
    whole(text, frame);
    for value in row.pos {
        text.push(b' ');
        decimal(text, value);
    }
    text.push(b'\n');
}

fn csv_row(text: &mut Vec<u8>, row: &Row, frame: u64, time: &str, group: &str) {
    whole(text, row.id);
    text.push(b',');
    whole(text, frame);
    text.extend_from_slice(time.as_bytes());
    for value in row.pos.into_iter().chain(row.vel) {
        text.push(b',');
        decimal(text, value);
    }
    text.push(b',');
    text.extend_from_slice(group.as_bytes());
    text.push(b'\n');
}

/// Writes a whole number.
#[inline]
fn whole(text: &mut Vec<u8>, value: u64) {
    let (mut digits, mut at, mut rest) = ([0_u8; 20], 20, value);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[at..]);
}

/// Writes a number with four decimals, the nearest.
#[inline]
fn decimal(text: &mut Vec<u8>, value: f64) {
    let parts = (value * PARTS as f64).round() as i64;
    if parts < 0 {
        text.push(b'-');
    }
    let parts = parts.unsigned_abs();
    whole(text, parts / PARTS);
    let rest = (parts % PARTS) as u32;
    let digit = |unit: u32| b'0' + (rest / unit % 10) as u8;
    text.extend_from_slice(&[b'.', digit(1000), digit(100), digit(10), digit(1)]);
}

#[cfg(test)]
mod tests {
    use super::{decimal, whole};
    use crate::report::number::csv_field;

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        let values = [0.0, -0.00001, 0.00005, -0.00015, 1.5, -1.4, 9.99996, 16_383.999_9, -1e6];
        for value in values.into_iter().chain((0..2000).map(|i| f64::from(i) * 0.377_77 - 300.0)) {
            let mut text = Vec::new();
            decimal(&mut text, value);
            let parts = (value * 1e4).round() / 1e4 + 0.0;
            assert_eq!(String::from_utf8(text).unwrap(), format!("{parts:.4}"), "{value}");
        }
        for value in [0, 7, 10, 99, 1_234_567, u64::MAX] {
            let mut text = Vec::new();
            whole(&mut text, value);
            assert_eq!(String::from_utf8(text).unwrap(), value.to_string());
        }
    }

    #[test]
    fn names_are_quoted_where_csv_needs_it() {
        let pairs = [("red", "red"), ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\"")];
        for (name, field) in pairs {
            assert_eq!(csv_field(name), field);
        }
    }
}
