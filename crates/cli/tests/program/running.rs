//! Runs the built program in a folder of its own.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest that any call may take here, on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(900);

/// A folder that is new for every test.
pub(crate) struct Folder(pub(crate) PathBuf);

/// The result of a call.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A call under way.
pub(crate) struct Running {
    child: Child,
    files: [PathBuf; 2],
}

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("program-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Waits until a file has so many bytes.
    pub(crate) fn grows(&self, name: &str, bytes: u64) {
        let began = Instant::now();
        while fs::metadata(self.path(name)).map_or(0, |data| data.len()) < bytes {
            assert!(began.elapsed() < PATIENCE, "{name} does not grow");
            sleep(Duration::from_millis(5));
        }
    }

    /// Names of the files that are not finished.
    pub(crate) fn unfinished(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        names
            .filter_map(|name| name.into_string().ok())
            .filter(|name| name.contains(".part"))
            .collect()
    }

    /// Starts the program in this folder.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        let files = ["stdout", "stderr"].map(|name| self.path(name));
        let [out, err] = [0, 1].map(|i| Stdio::from(File::create(&files[i]).unwrap()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null()).stdout(out).stderr(err);
        command.env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
        Running { child: command.spawn().unwrap(), files }
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        self.start(args).wait()
    }

    /// Runs it and wants exit code 0.
    pub(crate) fn fine(&self, args: &[&str]) -> Done {
        let done = self.run(args);
        assert_eq!(done.code, Some(0), "{args:?}: {done:?}");
        done
    }

    /// Runs it and wants exit code 2, a message with these words, and no output before it.
    pub(crate) fn bad(&self, args: &[&str], words: &[&str]) {
        let done = self.ends(2, args, words);
        assert_eq!(done.out, "", "{args:?}");
    }

    /// Runs it and wants exit code 1 and a message with these words.
    pub(crate) fn failed(&self, args: &[&str], words: &[&str]) {
        _ = self.ends(1, args, words);
    }

    fn ends(&self, code: i32, args: &[&str], words: &[&str]) -> Done {
        let done = self.run(args);
        let text = done.text();
        assert_eq!(done.code, Some(code), "{args:?}: {done:?}");
        assert!(!text.contains("panicked") && !text.contains("RUST_BACKTRACE"), "{text}");
        for word in words {
            assert!(text.contains(word), "{args:?}: `{word}` is not in: {text}");
        }
        done
    }
}

impl Done {
    /// All that was said, line breaks and drawn lines taken out of it.
    pub(crate) fn text(&self) -> String {
        let words = self.err.split_whitespace().chain(self.out.split_whitespace());
        words.filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    }
}

impl Running {
    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for the end of the program; one that hangs is ended and a failure.
    pub(crate) fn wait(mut self) -> Done {
        let began = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            if began.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the program hangs");
            }
            sleep(Duration::from_millis(5));
        };
        let [out, err] =
            self.files.map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned());
        Done { code, out, err }
    }
}
