//! Answers that are kept: by the program's own text, what was asked, and who answered.

use std::path::{Path, PathBuf};

use heapwright_report::sha256_text;

/// A folder of answers.
pub(super) struct Cache {
    folder: PathBuf,
    /// What every answer depends on besides its program.
    circumstances: String,
}

impl Cache {
    /// For answers by this executable.
    pub(super) fn of(folder: &Path, executable: &Path) -> Cache {
        let stamp = std::fs::metadata(executable).ok().and_then(|it| {
            let modified = it.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(format!("{} {}", it.len(), modified.as_nanos()))
        });
        let version = env!("CARGO_PKG_VERSION");
        let circumstances = format!("{version}\n{}", stamp.unwrap_or_default());
        Cache { folder: folder.to_owned(), circumstances }
    }

    /// Where the answer to a question of this text, options and program, is kept.
    pub(super) fn file(&self, text: &str, ending: &str) -> PathBuf {
        let name = sha256_text(format!("{}\n{text}", self.circumstances).as_bytes());
        self.folder.join(&name[..2]).join(format!("{}.{ending}", &name[2..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_by_program_and_question() {
        let cache = Cache::of(Path::new("here"), Path::new("here"));
        assert_eq!(cache.file("p", "json"), cache.file("p", "json"));
        assert_ne!(cache.file("p", "json"), cache.file("q", "json"));
    }
}
