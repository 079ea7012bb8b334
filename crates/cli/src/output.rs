//! Files that are written: tried before the work, and whole when they appear.
//!
//! The contents go to a new file beside the target, which takes the target's name at the end: neither
//! a kill nor a full disk costs an older file. Links are followed, devices and pipes written to as
//! they are. Folders that are not there are made. A file that the command reads is never an output, and no
//! two outputs are one file.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use crate::draw::picture;
use image::RgbImage;
use serde::Serialize;

use crate::error::CliError;
use crate::say_as_it_is;
use crate::terminal::printable_json;

/// Most links in a row, as in Linux.
const MAX_LINKS: u32 = 40;
/// Most unfinished files of one name, which killed commands have left.
const MAX_PARTS: u32 = 100;

/// The files of the command, by canonical names.
struct Files {
    /// Files that have been read.
    read: Vec<PathBuf>,
    /// Targets of outputs.
    written: Vec<PathBuf>,
    /// Files that are not finished.
    parts: Vec<PathBuf>,
}

static FILES: Mutex<Files> =
    Mutex::new(Files { read: Vec::new(), written: Vec::new(), parts: Vec::new() });

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes that the command reads a file, which therefore cannot be an output.
pub(crate) fn note_input(path: &Path) {
    if let Ok(path) = fs::canonicalize(path) {
        files().read.push(path);
    }
}

/// Removes what is not finished; nothing can be finished any more.
pub(crate) fn abandon() {
    let files = files();
    for part in &files.parts {
        let _ = fs::remove_file(part);
    }
    std::mem::forget(files);
}

/// A file that a command writes. It appears under its name when it is finished; dropped before, it
/// leaves nothing.
pub(crate) struct Output {
    /// As it was typed.
    path: PathBuf,
    file: File,
    /// `None` for a device or a pipe.
    place: Option<Place>,
}

/// Where an output is and where it will be.
struct Place {
    part: PathBuf,
    target: PathBuf,
}

impl Output {
    /// Opens an output of a name with this ending, or with none.
    ///
    /// # Errors
    /// When the ending is another one, the file cannot be written, is read by the command or is
    /// another output of it.
    pub(crate) fn open(path: &Path, ending: &'static str) -> Result<Self, CliError> {
        if path.extension().is_some_and(|found| !found.eq_ignore_ascii_case(ending)) {
            return Err(CliError::Ending { path: path.to_owned(), ending });
        }
        Self::at(path)
    }

    /// Opens an output of any name; makes its folder.
    pub(crate) fn at(path: &Path) -> Result<Self, CliError> {
        let failed = CliError::write(path);
        make_folder_of(path)?;
        let Some(target) = target(path).map_err(&failed)? else {
            let file = File::create(path).map_err(&failed)?;
            return Ok(Self { path: path.to_owned(), file, place: None });
        };
        let mut files = files();
        check_inputs(&files, path, &target)?;
        if files.written.contains(&target) {
            return Err(CliError::Twice { path: path.to_owned() });
        }
        let (file, part) = beside(&target).map_err(&failed)?;
        files.parts.push(part.clone());
        files.written.push(target.clone());
        Ok(Self { path: path.to_owned(), file, place: Some(Place { part, target }) })
    }

    /// Writes all of a file that the command may have written before.
    pub(crate) fn renew(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), CliError> {
        make_folder_of(path)?;
        let target = target(path).map_err(CliError::write(path))?;
        files().written.retain(|written| Some(written) != target.as_ref());
        Self::at(path)?.save(contents)
    }

    /// The name of the file, as it was typed.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The same as `open`, if a path is given.
    pub(crate) fn named(
        path: Option<&Path>,
        ending: &'static str,
    ) -> Result<Option<Self>, CliError> {
        path.map(|path| Self::open(path, ending)).transpose()
    }

    /// Writes all of the file and finishes it.
    pub(crate) fn save(mut self, contents: impl AsRef<[u8]>) -> Result<(), CliError> {
        self.write_all(contents.as_ref()).map_err(CliError::write(&self.path))?;
        self.finish()
    }

    /// Writes a picture as PNG and finishes it; `small`: in less space and more time.
    pub(crate) fn picture(self, image: &RgbImage, small: bool) -> Result<(), CliError> {
        let bytes = picture::encode(image, small).map_err(CliError::picture(&self.path))?;
        self.save(bytes)
    }

    /// Finishes a file that was written through a buffer.
    pub(crate) fn end(mut buffered: BufWriter<Self>) -> Result<(), CliError> {
        let flushed = buffered.flush();
        let (output, _) = buffered.into_parts();
        flushed.map_err(CliError::write(&output.path))?;
        output.finish()
    }

    /// Gives the file its name.
    fn finish(mut self) -> Result<(), CliError> {
        let Some(place) = &self.place else { return Ok(()) };
        let mut files = files();
        check_inputs(&files, &self.path, &place.target)?;
        let done = self.file.sync_all().and_then(|()| fs::rename(&place.part, &place.target));
        done.map_err(CliError::write(&self.path))?;
        files.parts.retain(|part| *part != place.part);
        self.place = None;
        Ok(())
    }
}

/// Where an answer goes as JSON.
pub(crate) enum Json {
    Nothing,
    /// On the standard output, in place of text.
    Said,
    File(Output),
}

impl Json {
    /// From the argument: a file, or `-` for the standard output.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, CliError> {
        match path {
            None => Ok(Self::Nothing),
            Some(path) if path == Path::new("-") => Ok(Self::Said),
            Some(path) => Output::open(path, "json").map(Self::File),
        }
    }

    /// Whether the standard output is taken.
    pub(crate) fn is_said(&self) -> bool {
        matches!(self, Self::Said)
    }

    /// Writes the answer.
    pub(crate) fn tell(self, answer: &impl Serialize) -> Result<(), CliError> {
        let text =
            || serde_json::to_string_pretty(answer).expect("an answer has only plain values");
        match self {
            Self::Nothing => Ok(()),
            Self::Said => say_as_it_is(&printable_json(&text())),
            Self::File(output) => output.save(text() + "\n"),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(place) = &self.place {
            let _ = fs::remove_file(&place.part);
            files().parts.retain(|part| *part != place.part);
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Makes a folder for outputs, with its parent folders.
pub(crate) fn make_folder(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(CliError::write(folder))
}

/// Makes the folder of a file.
fn make_folder_of(path: &Path) -> Result<(), CliError> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
        Some(folder) => fs::create_dir_all(folder).map_err(CliError::write(path)),
        None => Ok(()),
    }
}

fn check_inputs(files: &Files, path: &Path, target: &Path) -> Result<(), CliError> {
    match files.read.iter().any(|read| read == target) {
        true => Err(CliError::Input { path: path.to_owned() }),
        false => Ok(()),
    }
}

/// The regular file that a path leads to, whether it is there or not; `None` for anything else that
/// can be written to.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => return Ok(None),
        _ => {}
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
        // Where the standard output is a file, it is open already.
        if folder.starts_with("/proc") {
            return Ok(None);
        }
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        path = folder.join(name);
        match fs::read_link(&path) {
            Ok(link) => path = folder.join(link),
            Err(_) => return Ok(Some(path)),
        }
    }
    Err(io::Error::other("too many links"))
}

/// A new file beside a target, with its permissions if it is there and may be written.
fn beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let older = match OpenOptions::new().write(true).open(target) {
        Ok(file) => Some(file.metadata()?.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    for number in 1..=MAX_PARTS {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(if number == 1 { ".part".to_owned() } else { format!(".part{number}") });
        let part = target.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                if let Some(permissions) = older {
                    let _ = file.set_permissions(permissions);
                }
                return Ok((file, part));
            }
        }
    }
    Err(io::Error::other("there are too many unfinished files beside it, which end in .part"))
}
