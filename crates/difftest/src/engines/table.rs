//! What came of the programs of a campaign, by engine and kind of answer, and by family.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::ask::{Answer, Kind};
use crate::engines::case::Case;

/// The counts of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub programs: usize,
    /// Mutants that are no programs.
    pub refused: usize,
    /// Programs in which a plain run fails.
    pub failing: usize,
    pub answers: BTreeMap<(String, Kind), usize>,
    pub times: BTreeMap<String, Duration>,
    /// Programs and failing ones by family.
    pub families: BTreeMap<String, (usize, usize)>,
    /// Seeds, with who is contradicted.
    pub disagreements: Vec<(u64, String)>,
    pub panics: Vec<(u64, String)>,
}

/// What came of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) seed: u64,
    pub(crate) family: String,
    pub(crate) is_refused: bool,
    /// Whether someone shows a violation.
    pub(crate) is_failing: bool,
    pub(crate) answers: Vec<(String, Kind, Duration)>,
    /// Who is contradicted.
    pub(crate) disagreement: Option<String>,
    pub(crate) panic: Option<String>,
}

impl Record {
    pub(crate) fn of(case: &Case) -> Record {
        let is_violated = |answer: &Answer| answer.kind == Kind::Violated;
        let panic = case.answers.iter().find(|answer| answer.kind == Kind::Panic);
        Record {
            seed: case.seed,
            family: family_of(&case.subject.name).to_owned(),
            is_refused: case.refused.is_some(),
            is_failing: case.run.is_some() || case.answers.iter().any(is_violated),
            answers: case
                .answers
                .iter()
                .map(|answer| (answer.engine.to_owned(), answer.kind, answer.time))
                .collect(),
            disagreement: case.disagreement.as_ref().map(|found| found.holds.join(", ")),
            panic: panic.map(|answer| format!("{}: {}", answer.engine, answer.detail)),
        }
    }

    /// Whoever decides first decides for the default.
    fn default_kind(&self) -> Kind {
        let is_decision = |kind: &Kind| matches!(kind, Kind::Holds | Kind::Violated);
        let kinds = self.answers.iter().map(|(_, kind, _)| *kind);
        kinds.into_iter().find(is_decision).unwrap_or(Kind::Unknown)
    }
}

impl Table {
    pub(crate) fn add(&mut self, record: &Record) {
        self.programs += 1;
        if let Some(panic) = &record.panic {
            self.panics.push((record.seed, panic.clone()));
        }
        if record.is_refused {
            self.refused += 1;
            return;
        }
        self.failing += usize::from(record.is_failing);
        let family = self.families.entry(record.family.clone()).or_default();
        family.0 += 1;
        family.1 += usize::from(record.is_failing);
        for (engine, kind, time) in &record.answers {
            *self.answers.entry((engine.clone(), *kind)).or_default() += 1;
            *self.times.entry(engine.clone()).or_default() += *time;
        }
        *self.answers.entry(("default".to_owned(), record.default_kind())).or_default() += 1;
        if let Some(who) = &record.disagreement {
            self.disagreements.push((record.seed, who.clone()));
        }
    }

    /// For people.
    #[must_use]
    pub fn text(&self) -> String {
        let (programs, refused, failing) = (self.programs, self.refused, self.failing);
        let mut text =
            format!("{programs} programs, {refused} of them no C, {failing} with a violation\n\n");
        let _ = write!(text, "{:16}", "engine");
        for kind in Kind::ALL {
            let _ = write!(text, "{kind:>13}");
        }
        let _ = writeln!(text, "{:>12}", "ms each");
        let engines: std::collections::BTreeSet<&String> =
            self.answers.keys().map(|(engine, _)| engine).collect();
        for engine in engines {
            self.write_engine(&mut text, engine);
        }
        text.push('\n');
        for (family, (count, failing)) in &self.families {
            let _ = writeln!(text, "{family:24} {count:8} programs {failing:8} with a violation");
        }
        for (seed, panic) in &self.panics {
            let _ = writeln!(text, "panic, seed {seed}: {panic}");
        }
        for (seed, who) in &self.disagreements {
            let _ = writeln!(text, "DISAGREEMENT, seed {seed}: {who} says that it holds");
        }
        text
    }

    fn write_engine(&self, text: &mut String, engine: &str) {
        let of = |kind| self.answers.get(&(engine.to_owned(), kind)).copied().unwrap_or(0);
        let _ = write!(text, "{engine:16}");
        let mut total = 0;
        for kind in Kind::ALL {
            let _ = write!(text, "{:>13}", of(kind));
            total += of(kind);
        }
        let _ = match self.times.get(engine) {
            Some(time) => {
                writeln!(text, "{:>12.1}", time.as_secs_f64() * 1000.0 / total.max(1) as f64)
            }
            None => writeln!(text),
        };
    }
}

/// The part of a name before the particulars.
fn family_of(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}
