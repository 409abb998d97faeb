//! Runs the binary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the program has printed and how it has ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Nothing if a signal ended it.
    pub(crate) code: Option<i32>,
}

impl Run {
    pub(crate) fn first_line(&self) -> &str {
        self.stdout.lines().next().unwrap_or_default()
    }
}

/// The program with these arguments, all streams piped.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lwaa"));
    command
        .args(arguments)
        .env_remove("LWAA_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

pub(crate) fn lwaa(arguments: &[&str]) -> Run {
    lwaa_reading(arguments, b"")
}

/// Runs the program with `input` as its standard input.
pub(crate) fn lwaa_reading(arguments: &[&str], input: &[u8]) -> Run {
    let mut process = command(arguments).spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early does not read all of it.
        let _ = stdin.write_all(&input);
    });
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

/// A folder of its own for a test, removed in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lwaa-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Copies the shipped instance of the Model Checking Contest.
    pub(crate) fn turns(&self) {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/pnml/turns");
        std::fs::create_dir_all(self.0.join("turns")).unwrap();
        for file in ["model.pnml", "LTLCardinality.xml", "LTLFireability.xml"] {
            std::fs::copy(shipped.join(file), self.0.join("turns").join(file)).unwrap();
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
