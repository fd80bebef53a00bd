//! One program through all engines: who says what, and whether that can all be true.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use heapwright_engine::Task;

use crate::ask::{Answer, Kind, Wishes, ask, engines, message_of};
use crate::draw::{dictionary, failed_run};
use crate::engines::Settings;
use crate::native::{self, Native};
use crate::reduce::reduce;
use crate::subject::Subject;

/// A program, and what was said of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub subject: Subject,
    /// Why it was not asked about: a mutant may be no program.
    pub refused: Option<String>,
    pub answers: Vec<Answer>,
    /// What a plain run showed.
    pub run: Option<String>,
    pub disagreement: Option<Disagreement>,
}

/// Who is contradicted by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub holds: Vec<&'static str>,
    pub violated: Vec<String>,
}

/// The name under which plain runs appear among those who show violations.
const RUNS: &str = "runs";
/// And compiled programs.
const NATIVE: &str = "native";

/// Who says whether a program has a violation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judges<'j> {
    pub(crate) settings: &'j Settings,
    pub(crate) native: Option<&'j Native>,
}

impl Judges<'_> {
    /// Asks everyone about a program.
    pub(crate) fn run(&self, subject: Subject, seed: u64) -> io::Result<Case> {
        let mut case = Case {
            seed,
            subject,
            refused: None,
            answers: Vec::new(),
            run: None,
            disagreement: None,
        };
        let task = match catch_unwind(AssertUnwindSafe(|| case.subject.task())) {
            Ok(Ok(task)) => task,
            Ok(Err(reason)) => {
                case.refused = Some(reason);
                return Ok(case);
            }
            Err(panic) => {
                let detail = message_of(panic.as_ref());
                case.answers.push(Answer::panicked("front end", detail));
                return Ok(case);
            }
        };
        case.run = self.failed_run(&task);
        case.answers = self.answers(&task, &|_| true, self.settings.share);
        let native = self.native_violation(&case.subject, &task, &case.answers)?;
        case.disagreement = disagreement(&case.answers, case.run.as_deref(), native);
        Ok(case)
    }

    fn failed_run(&self, task: &Task) -> Option<String> {
        let failed = failed_run(task, self.settings.runs, self.settings.steps)?;
        Some(failed.part.to_string())
    }

    fn answers(&self, task: &Task, wanted: &dyn Fn(&str) -> bool, share: Duration) -> Vec<Answer> {
        let engines = engines(share);
        let asked = engines.iter().filter(|engine| wanted(engine.name()));
        let wishes = Wishes { share, inputs: self.native.is_some() };
        asked.map(|engine| ask(engine.as_ref(), task, wishes)).collect()
    }

    /// What the compiled program shows, if someone says that it shows nothing.
    fn native_violation(
        &self,
        subject: &Subject,
        task: &Task,
        answers: &[Answer],
    ) -> io::Result<Option<String>> {
        let is_proved = answers.iter().any(|answer| answer.kind == Kind::Holds);
        let Some(native) = self.native.filter(|_| is_proved) else { return Ok(None) };
        let constants = dictionary(&task.program).into_iter().map(|bits| bits as i64).collect();
        let lists = answers.iter().flat_map(|answer| answer.suggested.clone()).collect();
        let outcome = native.judge(&subject.text, &native::Inputs { constants, lists })?;
        Ok(match outcome {
            native::Outcome::Violation(shown) => Some(shown.what),
            native::Outcome::Quiet | native::Outcome::Nothing(_) => None,
        })
    }

    /// Saves a disagreement: the program, what was said, and a smaller program with the same one.
    pub(crate) fn save(
        &self,
        case: &Case,
        disagreement: &Disagreement,
        out: &Path,
    ) -> io::Result<()> {
        fs::create_dir_all(out)?;
        let header = header(case, disagreement);
        let name = |ending: &str| out.join(format!("engines-{}.{ending}", case.seed));
        fs::write(name("c"), format!("{header}{}", case.subject.text))?;
        let reduced = self.shrink(case, disagreement);
        fs::write(name("reduced.c"), format!("{header}{reduced}"))
    }

    /// Leaves out lines while one of those who said *holds* still does, and someone shows a
    /// violation.
    fn shrink(&self, case: &Case, disagreement: &Disagreement) -> String {
        // Shrunken programs are judged with more patience, so that they stay what they are.
        let share = self.settings.share * 2;
        let mut still_disagree = |text: &str| {
            let subject = case.subject.with_text(text.to_owned());
            let Ok(Ok(task)) = catch_unwind(AssertUnwindSafe(|| subject.task())) else {
                return false;
            };
            let run = self.failed_run(&task);
            let shows = |name: &str| disagreement.violated.iter().any(|by| by.starts_with(name));
            let wanted =
                |name: &str| disagreement.holds.contains(&name) || (run.is_none() && shows(name));
            let answers = self.answers(&task, &wanted, share);
            let native = match run {
                Some(_) => None,
                None => self.native_violation(&subject, &task, &answers).unwrap_or(None),
            };
            self::disagreement(&answers, run.as_deref(), native).is_some()
        };
        reduce(&case.subject.text, self.settings.reduce_attempts, &mut still_disagree)
    }
}

fn disagreement(
    answers: &[Answer],
    run: Option<&str>,
    native: Option<String>,
) -> Option<Disagreement> {
    let of = |kind: Kind| answers.iter().filter(move |answer| answer.kind == kind);
    let holds: Vec<&'static str> = of(Kind::Holds).map(|answer| answer.engine).collect();
    let named = |who: &str, part: &str| format!("{who} ({part})");
    let violated: Vec<String> = of(Kind::Violated)
        .map(|answer| named(answer.engine, &answer.detail))
        .chain(run.map(|part| named(RUNS, part)))
        .chain(native.map(|what| named(NATIVE, &what)))
        .collect();
    (!holds.is_empty() && !violated.is_empty()).then_some(Disagreement { holds, violated })
}

fn header(case: &Case, disagreement: &Disagreement) -> String {
    let (holds, violated) = (disagreement.holds.join(", "), disagreement.violated.join(", "));
    let property = case.subject.question.name().unwrap_or("everyday");
    let mut text = format!("// holds: {holds}; violated: {violated}; property: {property}\n");
    for answer in &case.answers {
        let Answer { engine, kind, detail, .. } = answer;
        let _ = writeln!(text, "// {engine}: {kind}: {}", detail.lines().next().unwrap_or(""));
    }
    let _ = writeln!(text, "// {}, seed {}", case.subject.name, case.seed);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(engine: &'static str, kind: Kind) -> Answer {
        let (detail, time, suggested) = ("valid-deref".to_owned(), Duration::ZERO, Vec::new());
        Answer { engine, kind, detail, time, suggested }
    }

    #[test]
    fn whoever_proves_what_another_refutes_is_named() {
        let answers = [answer("one", Kind::Holds), answer("other", Kind::Violated)];
        let found = disagreement(&answers, None, None).expect("they disagree");
        assert_eq!(found.holds, ["one"]);
        assert_eq!(found.violated, ["other (valid-deref)"]);
        assert!(disagreement(&answers[..1], None, None).is_none());
    }

    #[test]
    fn runs_and_compiled_programs_refute_too() {
        let answers = [answer("one", Kind::Holds), answer("other", Kind::Unknown)];
        assert!(disagreement(&answers, None, None).is_none());
        assert!(disagreement(&answers, Some("valid-free"), None).is_some());
        assert!(disagreement(&answers, None, Some("leak".to_owned())).is_some());
    }
}
