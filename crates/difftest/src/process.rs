//! Running commands under limits, in a scratch folder.
//! Output goes to files, not pipes: a forgotten grandchild can then neither block us nor fill memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// More output than any generated program prints; beyond it the program counts as running wild.
const OUTPUT_LIMIT: u64 = 4 << 20;

/// How a command ended.
#[derive(Clone, Debug)]
pub struct Finished {
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// `None` when it was stopped for time or for too much output.
    pub status: Option<ExitStatus>,
}

impl Finished {
    /// The exit code, if it exited by itself and not by a signal.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    /// True if it exited with code zero.
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// A folder of our own under the system's temporary folder, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes a folder that nobody else uses; `label` helps a reader to find it.
    pub fn new(label: &str) -> io::Result<Scratch> {
        let process = std::process::id();
        let mut number = 0;
        // Ends because only finitely many folders exist.
        loop {
            let name = format!("heapwright-difftest-{process}-{label}-{number}");
            let folder = std::env::temp_dir().join(name);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Scratch { folder }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The path of `name` in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes `text` to `name` and gives its path.
    pub fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path(name);
        fs::write(&path, text)?;
        Ok(path)
    }

    /// Runs `command` to its end, at most for `limit`.
    pub fn run(&self, command: &mut Command, limit: Duration) -> io::Result<Finished> {
        let stdout = self.path("stdout");
        let stderr = self.path("stderr");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(File::create(&stdout)?)
            .stderr(File::create(&stderr)?)
            .spawn()?;
        let status = wait(&mut child, limit, [&stdout, &stderr])?;
        let stderr = String::from_utf8_lossy(&read_limited(&stderr)?).into_owned();
        Ok(Finished { stdout: read_limited(&stdout)?, stderr, status })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind in /tmp is no reason to fail.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn wait(child: &mut Child, limit: Duration, outputs: [&Path; 2]) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(500);
    // Ends because the child ends or the limit passes.
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > limit || outputs.iter().any(|path| is_too_long(path)) {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn is_too_long(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() > OUTPUT_LIMIT)
}

fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(OUTPUT_LIMIT).read_to_end(&mut content)?;
    Ok(content)
}
