//! What a project asks about one of its files, for those who look at one file at a time.

use std::path::Path;

use heapwright_frontend::InputError;

use super::check::questions;
use super::find::find;
use super::settings::Settings;
use super::split::{sources, supervised};
use super::worker::Question;

/// The questions about programs of the current folder that have this file; `options` count less than what
/// the project says. None where there is no project, or where it does not have the file.
pub(crate) fn questions_about(
    file: &Path,
    options: &[String],
) -> Result<Vec<Question>, InputError> {
    let settings = Settings::of_folder(Path::new(""))?;
    let common = settings.options.clone();
    let mut targets = find(&settings, &common)?.targets;
    targets.retain(|target| {
        let sources = sources([target.options.as_slice(), &common].concat());
        let files = sources.and_then(|sources| sources.names()).unwrap_or_default();
        files.iter().any(|it| it.canonicalize().is_ok_and(|it| it == *file))
    });
    let has_timeout = common.iter().any(|option| option.starts_with("--timeout"));
    let more = if has_timeout { &[] } else { options };
    questions(&targets, &[&common, more].concat())
}

/// The functions of a file that is no program; none if it has a `main`, or cannot be read.
pub(crate) fn functions_without_main(file: &Path) -> Option<Vec<String>> {
    let name = file.display().to_string();
    let lone = sources(vec![name.clone()]).ok()?;
    let symbols = supervised(move || lone.symbols_each()).ok()?.ok()?.pop()?.1.ok()?;
    if symbols.defined.contains("main") {
        return None;
    }
    let all = sources(vec![name, "--entry=all".to_owned()]).ok()?;
    supervised(move || all.entries()).ok()?.ok()?
}
