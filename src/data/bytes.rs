//! Little-endian bytes, written and read back with checks.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::data::number::plural;

/// Bytes that do not hold what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what} at byte {at}: {problem}")]
pub struct BytesError {
    /// What was being read.
    pub what: &'static str,
    /// Where, from the start of the bytes.
    pub at: usize,
    /// What is wrong.
    pub problem: String,
}

/// Appends values to bytes.
pub trait Write {
    /// Appends a byte.
    fn u8(&mut self, value: u8);
    /// Appends 2 bytes.
    fn u16(&mut self, value: u16);
    /// Appends 4 bytes.
    fn u32(&mut self, value: u32);
    /// Appends 8 bytes.
    fn u64(&mut self, value: u64);
    /// Appends the bits of a number.
    fn f64(&mut self, value: f64);
    /// Appends a length (4 bytes) and the bytes.
    fn run(&mut self, bytes: &[u8]);
    /// Appends a value in the form of `postcard`.
    fn value(&mut self, value: &impl Serialize);
}

impl Write for Vec<u8> {
    fn u8(&mut self, value: u8) {
        self.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    fn run(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.extend_from_slice(bytes);
    }

    fn value(&mut self, value: &impl Serialize) {
        let bytes = std::mem::take(self);
        *self = postcard::to_extend(value, bytes).expect("every part of the value has a form");
    }
}

/// Reads values from bytes; never past their end.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// From the start of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes read so far.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// An error about what was just read.
    pub fn error(&self, what: &'static str, problem: impl Into<String>) -> BytesError {
        BytesError { what, at: self.at, problem: problem.into() }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn take(&mut self, what: &'static str, count: usize) -> Result<&'a [u8], BytesError> {
        if count > self.left() {
            let left = self.left();
            return Err(
                self.error(what, format!("{} expected, {left} left", plural(count as u64, "byte")))
            );
        }
        let bytes = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BytesError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(what, N)?);
        Ok(array)
    }

    /// A byte.
    ///
    /// # Errors
    /// When no byte is left.
    pub fn u8(&mut self, what: &'static str) -> Result<u8, BytesError> {
        Ok(self.array::<1>(what)?[0])
    }

    /// 2 bytes.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn u16(&mut self, what: &'static str) -> Result<u16, BytesError> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    /// 4 bytes.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn u32(&mut self, what: &'static str) -> Result<u32, BytesError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    /// 8 bytes.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn u64(&mut self, what: &'static str) -> Result<u64, BytesError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    /// A number of any bits, infinite or NaN among them.
    ///
    /// # Errors
    /// When fewer than 8 bytes are left.
    pub fn any_f64(&mut self, what: &'static str) -> Result<f64, BytesError> {
        self.u64(what).map(f64::from_bits)
    }

    /// A finite number.
    ///
    /// # Errors
    /// When fewer than 8 bytes are left, or they are no finite number.
    pub fn f64(&mut self, what: &'static str) -> Result<f64, BytesError> {
        let value = self.any_f64(what)?;
        if value.is_finite() { Ok(value) } else { Err(self.error(what, format!("{value}"))) }
    }

    /// A length and as many bytes.
    ///
    /// # Errors
    /// When fewer bytes are left.
    pub fn run(&mut self, what: &'static str) -> Result<&'a [u8], BytesError> {
        let count = self.u32(what)? as usize;
        self.take(what, count)
    }

    /// A count of items of at least `size` bytes each.
    ///
    /// # Errors
    /// When so many cannot be left.
    pub fn count(&mut self, what: &'static str, size: usize) -> Result<usize, BytesError> {
        let count = self.u32(what)? as usize;
        if count > self.left() / size.max(1) {
            return Err(self.error(what, format!("{count} items cannot fit in what is left")));
        }
        Ok(count)
    }

    /// Text.
    ///
    /// # Errors
    /// When it is cut or not UTF-8.
    pub fn text(&mut self, what: &'static str) -> Result<String, BytesError> {
        let bytes = self.run(what)?.to_vec();
        String::from_utf8(bytes).map_err(|error| self.error(what, error.to_string()))
    }

    /// A value in the form of `postcard`, with any numbers that its type can hold.
    ///
    /// # Errors
    /// When the bytes are cut, or no value of the type.
    pub fn value<T: DeserializeOwned>(&mut self, what: &'static str) -> Result<T, BytesError> {
        let (value, rest) = postcard::take_from_bytes(&self.bytes[self.at..])
            .map_err(|error| self.error(what, error.to_string()))?;
        self.at = self.bytes.len() - rest.len();
        Ok(value)
    }

    /// Whether something holds: a byte that is 0 or 1.
    ///
    /// # Errors
    /// When there is none, or another number.
    pub fn flag(&mut self, what: &'static str) -> Result<bool, BytesError> {
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.error(what, format!("{other} is neither 0 nor 1"))),
        }
    }
}
