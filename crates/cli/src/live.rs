//! The live line: on a terminal, after a second, who is at work and how far; gone when the answer comes.
//!
//! The worker's observer leaves notes in a [`Board`]; a thread of its own prints the newest. Projects have
//! a line of their own.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use heapwright_engine::{Event, Progress, Settlement};

use crate::terminal::{columns, complain_in_colour};

/// Nobody needs to be told about less.
const FIRST: Duration = Duration::from_secs(1);
const RHYTHM: Duration = Duration::from_millis(200);
/// Back to the start of the line, and erase it.
/// From the beginning of the line to the end of the screen.
const ERASE: &str = "\r\u{1b}[J";

/// What is going on, as far as anybody has said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    now: Arc<Mutex<Now>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Now {
    engine: Option<&'static str>,
    progress: Option<Progress>,
    holds: usize,
    violated: usize,
}

impl Board {
    pub(crate) fn note(&self, event: &Event<'_>) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::TurnBegins { engine, .. } => {
                now.engine = Some(engine);
                now.progress = None;
            }
            Event::Progress(progress) => now.progress = Some(*progress),
            Event::Settled { answer: Settlement::Holds, .. } => now.holds += 1,
            Event::Settled { answer: Settlement::Violated, .. } => now.violated += 1,
            Event::TurnEnds { .. }
            | Event::Obstacle { .. }
            | Event::Learnt { .. }
            | Event::Failed(_)
            | Event::Detail { .. } => {}
        }
    }

    /// What the live line says.
    pub(crate) fn into_line(self) -> impl Fn(Duration) -> String + Send + 'static {
        move |elapsed| self.line(elapsed)
    }

    fn line(&self, elapsed: Duration) -> String {
        let now = *self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = format!("{} s", elapsed.as_secs());
        match (now.engine, now.progress) {
            (None, _) => line.push_str("  reading"),
            (Some(engine), Some(progress)) if progress.engine == engine => {
                let Progress { phase, states, depth, .. } = progress;
                line += &format!("  {engine}: {}, {states} states, depth {depth}", phase.name());
            }
            (Some(engine), _) => line += &format!("  {engine}"),
        }
        for (count, word) in [(now.violated, "violated"), (now.holds, "proved")] {
            if count > 0 {
                line += &format!("  {count} {word}");
            }
        }
        line.push_str("  (Ctrl-C shows what is known)");
        line
    }
}

/// The line while it is shown; dropping it erases it.
#[derive(Debug)]
pub(crate) struct LiveLine {
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveLine {
    /// Shows what this says after so much time, on standard error, if that is a terminal. It may be a table of
    /// a few lines.
    pub(crate) fn show(line: impl Fn(Duration) -> String + Send + 'static) -> Option<LiveLine> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let (end, over) = mpsc::channel::<()>();
        let thread = std::thread::Builder::new().spawn(move || {
            let start = Instant::now();
            let mut pause = FIRST;
            let mut rows = 0;
            while over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                // The last column stays free: some terminals begin a new line behind it.
                let width = columns(&io::stderr()).unwrap_or(80).saturating_sub(1);
                let text = line(start.elapsed());
                let text: Vec<String> = text.lines().map(|line| cut(line, width)).collect();
                complain_in_colour(&format!("{}{}", back(rows), text.join("\n")));
                rows = text.len();
                pause = RHYTHM;
            }
            complain_in_colour(&back(rows));
        });
        // Without a thread there is no line, and an answer all the same.
        thread.ok().map(|thread| LiveLine { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // A panic there was told by the hook; the answer does not depend on it.
            let _ = thread.join();
        }
    }
}

/// Goes back to where these rows began, and erases them.
fn back(rows: usize) -> String {
    match rows {
        0 => String::new(),
        1 => ERASE.to_owned(),
        rows => format!("\u{1b}[{}A{ERASE}", rows - 1),
    }
}

fn cut(line: &str, width: usize) -> String {
    line.chars().take(width).collect()
}

#[cfg(test)]
mod tests {
    use heapwright_engine::Phase;
    use heapwright_property::Part;

    use super::*;

    #[test]
    fn the_line_says_who_does_what() {
        let board = Board::default();
        let line = |seconds| board.line(Duration::from_secs(seconds));
        assert_eq!(line(1), "1 s  reading  (Ctrl-C shows what is known)");
        board.note(&Event::TurnBegins { engine: "template", parts: &[] });
        board.note(&Event::Progress(Progress {
            engine: "template",
            phase: Phase::Unrolling,
            states: 7,
            depth: 3,
        }));
        let answer = Settlement::Holds;
        board.note(&Event::Settled { engine: "template", part: Part::ValidFree, answer });
        let expected = "4 s  template: unrolling loops, 7 states, depth 3  1 proved  \
                        (Ctrl-C shows what is known)";
        assert_eq!(line(4), expected);
        board.note(&Event::TurnBegins { engine: "concrete", parts: &[] });
        assert!(line(5).starts_with("5 s  concrete  1 proved"), "{}", line(5));
    }

    #[test]
    fn what_was_shown_is_erased_whole() {
        assert_eq!(back(0), "");
        assert_eq!(back(1), ERASE);
        assert_eq!(back(3), format!("\u{1b}[2A{ERASE}"));
    }

    #[test]
    fn the_line_is_one_line() {
        assert_eq!(cut(&Board::default().line(Duration::ZERO), 9), "0 s  read");
    }
}
