//! Memory that C hands in: the one place where it is read.
//!
//! What a pointer points to is the caller's promise, as everywhere in C: single things as references
//! (a null pointer is `None`), lists and texts through the functions below.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;
use std::{ptr, slice};

use crate::status::{Fault, ThrongStatus};

/// Most things that a list may have.
pub(crate) const MAX_COUNT: usize = 1 << 24;
/// Most bytes that a buffer may have.
const MAX_BYTES: usize = isize::MAX as usize / 2;

/// A list of the caller's. None at all may be null.
///
/// # Safety
/// Unless `count` is 0, `first` is null or points to `count` things that stay as they are for `'a`.
pub(crate) unsafe fn list<'a, T>(
    first: *const T,
    count: usize,
    what: &str,
) -> Result<&'a [T], Fault> {
    let most = if size_of::<T>() == 1 { MAX_BYTES } else { MAX_COUNT };
    if count > most {
        let words = format!("{count} {what} are too many: at most {most}");
        return Err(Fault::new(ThrongStatus::Value, words));
    }
    match (count, first.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(Fault::null(what)),
        // SAFETY: it points to that many things, as the caller promises, and they are few enough.
        (_, false) => Ok(unsafe { slice::from_raw_parts(first, count) }),
    }
}

/// A text of the caller's.
///
/// # Safety
/// `first` is null or points to a text that ends with a zero and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(first: *const c_char, what: &str) -> Result<&'a str, Fault> {
    if first.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: it ends with a zero, as the caller promises.
    let text = unsafe { CStr::from_ptr(first) };
    let wrong = |_| Fault::new(ThrongStatus::Text, format!("{what} is not UTF-8"));
    text.to_str().map_err(wrong)
}

/// Copies bytes to a buffer of the caller's that is large enough.
///
/// # Safety
/// `to` points to as many bytes that may be written.
pub(crate) unsafe fn copy(bytes: &[u8], to: *mut u8) {
    // SAFETY: there is room, as the caller promises, and it is not the library's own memory.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
}

/// Where a result goes that must be wanted.
pub(crate) fn out<'a, T>(
    to: Option<&'a mut MaybeUninit<T>>,
    what: &str,
) -> Result<&'a mut MaybeUninit<T>, Fault> {
    to.ok_or_else(|| Fault::null(what))
}
