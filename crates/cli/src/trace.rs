//! `--trace FILE`: what the engines do, one line an event, for developers.
//!
//! A line is `SECONDS WHO KIND [PLACE] TEXT`, WHO being an engine or `report`, so that `grep` and `awk` filter it: `grep ' obstacle '`,
//! `awk '$2 == "symbolic-heap"'`. Further lines of a text are indented under it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use heapwright_engine::{Event, Gap, GapKind, KnownState, Progress, Settlement};
use heapwright_program::{Place, Program};

pub(crate) struct Trace {
    file: BufWriter<File>,
    start: Instant,
    /// A disk that is full ends the trace, not the work.
    is_broken: bool,
}

impl Trace {
    pub(crate) fn create(path: &Path) -> io::Result<Trace> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Trace { file, start: Instant::now(), is_broken: false })
    }

    pub(crate) fn write(&mut self, program: &Program, event: &Event<'_>) {
        self.write_line(program, line(event));
    }

    /// The story of a violation was recorded.
    pub(crate) fn write_story(&mut self, program: &Program, steps: usize, elapsed: Duration) {
        let text = format!("{steps} steps in {:.3} s", elapsed.as_secs_f64());
        self.write_line(program, Line { engine: "report", kind: "recorded", place: None, text });
    }

    fn write_line(&mut self, program: &Program, line: Line) {
        if self.is_broken {
            return;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let Line { engine, kind, place, text } = line;
        let place = place.map_or(String::new(), |place| format!(" {}", program.describe(place)));
        let text = text.trim_end().replace('\n', "\n    ");
        // Line by line to the disk: an engine that is given up at its deadline does not come back here.
        let written = writeln!(self.file, "{seconds:.4} {engine} {kind}{place} {text}")
            .and_then(|()| self.file.flush());
        self.is_broken = written.is_err();
    }
}

struct Line {
    engine: &'static str,
    kind: &'static str,
    place: Option<Place>,
    text: String,
}

fn line(event: &Event<'_>) -> Line {
    let line = |engine, kind, place, text| Line { engine, kind, place, text };
    match event {
        Event::TurnBegins { engine, parts } => {
            let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
            line(engine, "begins", None, names.join(", "))
        }
        Event::TurnEnds { engine, elapsed } => {
            line(engine, "ends", None, format!("after {:.3} s", elapsed.as_secs_f64()))
        }
        Event::Progress(Progress { engine, phase, states, depth, .. }) => {
            let text = format!("{}: {states} states, depth {depth}", phase.name());
            line(engine, "progress", None, text)
        }
        Event::Obstacle { engine, reason } => {
            line(engine, "obstacle", reason.place, reason.text.clone())
        }
        Event::Learnt { engine, fact } => line(engine, "learnt", None, fact.to_string()),
        Event::Settled { engine, part, answer } => {
            let answer = match answer {
                Settlement::Holds => "holds",
                Settlement::Violated => "is violated",
            };
            line(engine, "settled", None, format!("{part} {answer}"))
        }
        Event::Failed(Gap { engine, reason, kind }) => {
            let text = format!("{}\n{}", reason.text, gap_text(kind));
            line(engine, "failed", reason.place, text)
        }
        Event::Detail { engine, detail, text } => line(engine, detail.name(), None, text.clone()),
    }
}

fn gap_text(kind: &GapKind) -> String {
    match kind {
        GapKind::NotDescribed { arrived, known } => {
            let mut text = format!("arrived:\n{arrived}");
            for KnownState { text: known, difference } in known {
                text += &format!("known, but {difference}:\n{known}");
            }
            text
        }
        GapKind::Step { from, to } => {
            let part = |word: &str, state: &Option<String>| {
                state.as_ref().map_or(String::new(), |state| format!("{word}:\n{state}"))
            };
            part("from", from) + &part("to", to)
        }
    }
}
