//! `check` without files: every program of the folder.

use std::process::ExitCode;

use crate::arguments::CheckArguments;
use crate::exit;
use crate::files::FilesWanted;
use crate::pass_on::arguments_without;
use crate::project::{ProjectOptions, ProjectQuestion, check_folder};
use crate::terminal::complain;

/// What is said to those who name files and ask about all programs.
pub(crate) const ABOUT_MANY: &str = "error: --jobs, --no-cache, --save, --baseline and --diff are about all \
    programs of a folder; leave out FILES\n";

const ABOUT_ONE: &str = "error: --witness, --picture, --test-suite, --repro, --trace, --verdict-line and --entry are \
    about one program; name its FILES (functions of libraries: `entry` in heapwright.toml)\n";

/// Without files, all programs of the folder.
pub(crate) fn check_programs(arguments: CheckArguments) -> ExitCode {
    let FilesWanted { html, picture, sarif, witness, junit, test_suite } = arguments.written;
    let is_about_one = witness.is_some()
        || picture.is_some()
        || test_suite.is_some()
        || arguments.repro.is_some()
        || arguments.trace.is_some()
        || arguments.verdict_line
        || arguments.sources.surroundings.names() != [""; 0];
    if is_about_one {
        complain(ABOUT_ONE);
        return ExitCode::from(exit::USAGE);
    }
    let with_values = [["--html", "--sarif", "--junit"], ProjectOptions::WITH_VALUES].concat();
    let flags = [&["--json", "--quiet", "-q"][..], &ProjectOptions::FLAGS].concat();
    let others = arguments_without(std::env::args_os(), &with_values, &flags);
    check_folder(&ProjectQuestion {
        options: arguments.project,
        check_options: others.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        html,
        sarif,
        junit,
        wants_json: arguments.json,
        is_quiet: arguments.quiet,
    })
}
