//! Writing to terminals, files and pipes that somebody may close at any time.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;

use clap::ValueEnum;
use heapwright_report::Palette;
use heapwright_trace::printable;
use terminal_size::{Width, terminal_size_of};

use crate::exit;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn palette(self, stream: &(impl IsTerminal + AsFd)) -> Palette {
        let is_forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_coloured = match self {
            Color::Always => true,
            Color::Auto => !is_forbidden && stream.is_terminal(),
            Color::Never => false,
        };
        Palette { is_coloured, width: width(stream), is_unicode: is_unicode() }
    }
}

/// Columns of a line: those of the terminal, a usual number where there is none.
fn width(stream: &(impl IsTerminal + AsFd)) -> usize {
    const USUAL: usize = 100;
    columns(stream).map_or(USUAL, |columns| columns.clamp(40, 400))
}

/// Columns of a terminal, if it is one and says so; `COLUMNS` is believed before it.
pub(crate) fn columns(stream: &(impl IsTerminal + AsFd)) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let told = || terminal_size_of(stream).map(|(Width(columns), _)| usize::from(columns));
    asked.or_else(told).filter(|columns| *columns > 0)
}

/// Whether the locale has more than ASCII; one that says nothing has.
fn is_unicode() -> bool {
    let said =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    let locale =
        said.filter(|value| !value.is_empty()).find(|value| value != "C" && value != "POSIX");
    locale.is_none_or(|locale| locale.to_uppercase().contains("UTF"))
}

/// Writes to standard output. Nothing is left to tell anybody when it is closed; where it takes no
/// more, as on a full disk, an exit code that means an answer would be a lie.
#[expect(clippy::exit, reason = "every command prints, and none can go on without its output")]
pub(crate) fn print(text: &str) {
    if !write_all(&mut io::stdout().lock(), text) {
        std::process::exit(i32::from(exit::OUTPUT_FAILED));
    }
}

/// Writes to standard error. Names of files and words of sources are in it, which a terminal shall not obey.
pub(crate) fn complain(text: &str) {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => printable(line) + "\n",
        None => printable(line),
    });
    complain_in_colour(&lines.collect::<String>());
}

/// The same for text that moves and colours on purpose.
pub(crate) fn complain_in_colour(text: &str) {
    write_all(&mut io::stderr().lock(), text);
}

/// Says whether the text was written, or nobody wants it.
fn write_all(stream: &mut dyn Write, text: &str) -> bool {
    let written = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    // A reader that has seen enough (`| head`) is no problem of ours.
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // If this fails as well there is nobody left to tell.
        let _ = writeln!(io::stderr(), "cannot write: {error}");
        return false;
    }
    true
}
