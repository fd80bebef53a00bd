//! Inferred contracts: what callers have to promise so that a function that fails, or is not proved, holds.
//!
//! In the spirit of bi-abduction (Calcagno and others, POPL 2009), by trying: the front end guesses clauses from
//! types, names and the function's text, the failing execution says which sorts of them matter, and each is tried
//! by an ordinary check of the function with the clause in its contract. So nothing new is trusted: what is
//! printed is the answer for the harness with these assumptions. Clauses that are not needed are dropped again,
//! and a contract is refused if no run keeps it and gets past each place that failed on the way to it.

use serde_json::Value;

use heapwright_frontend::{InputError, Sort, Subject, Suggestion};

use crate::sources::SourceArguments;
use crate::trial::{Spot, Trial, trial};

/// How often a function is checked again, and how many of these checks may end without an answer.
const MOST_CHECKS: usize = 10;
const MOST_UNKNOWN: usize = 2;

/// Checks a function whose callers make these promises.
pub(crate) type Check<'c> = dyn Fn(&str, &[String]) -> Result<Value, String> + 'c;

/// A contract under which a function holds.
#[derive(Clone, Debug)]
pub(crate) struct Inferred {
    pub(crate) clauses: Vec<Suggestion>,
    pub(crate) report: Value,
    pub(crate) trial: Trial,
}

/// What came of a search.
pub(crate) enum Outcome {
    Found(Inferred),
    /// Under this contract nothing wrong is found, by engines nor by runs, and nothing is proved.
    Perhaps(Vec<Suggestion>),
    /// No contract, and why one that was found is not given.
    Nothing(Option<String>),
}

pub(crate) struct Search<'s> {
    pub(crate) sources: &'s SourceArguments,
    pub(crate) check: &'s Check<'s>,
    pub(crate) function: &'s str,
    /// Contracts of functions that it calls.
    known: Vec<String>,
    checks: usize,
    unknown: usize,
    /// The first clauses with which what failed was not found any more.
    unanswered: Option<Vec<Suggestion>>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        sources: &'s SourceArguments,
        check: &'s Check<'s>,
        function: &'s str,
    ) -> Search<'s> {
        let (checks, unknown) = (MOST_CHECKS, MOST_UNKNOWN);
        let known = Vec::new();
        Search { sources, check, function, known, checks, unknown, unanswered: None }
    }

    /// The same where this much is known of functions that it calls.
    pub(crate) fn knowing(self, known: Vec<String>) -> Search<'s> {
        Search { known, ..self }
    }

    /// Looks for clauses to add to `base`, under which the answer is `first`.
    pub(crate) fn run(&mut self, base: &[Suggestion], first: &Value) -> Result<Outcome, String> {
        let guesses = self.sources.suggestions(self.function, &self.known).map_err(told)?;
        let mut kept = base.to_vec();
        let mut answer = first.clone();
        let mut failed = Vec::new();
        // Ends because each round but the last adds a clause.
        loop {
            if is_violated(&answer) {
                failed.extend(spots_of(&answer));
            }
            let Some((group, report)) = self.first_step(&guesses, &kept, &answer)? else {
                return self.perhaps(&failed);
            };
            kept.extend(group);
            if is_holding(&report) {
                let (kept, report) = self.weaken(base.len(), kept, report)?;
                return self.try_out(kept, report, &failed);
            }
            answer = report;
        }
    }

    /// The first group of clauses with which the function holds, or fails in another way.
    fn first_step(
        &mut self,
        guesses: &[Suggestion],
        kept: &[Suggestion],
        answer: &Value,
    ) -> Result<Option<(Vec<Suggestion>, Value)>, String> {
        for group in groups(guesses, kept, answer) {
            let clauses = [kept, group.as_slice()].concat();
            let Some(report) = self.ask(&clauses)? else { return Ok(None) };
            let is_progress = is_violated(&report) && is_violated(answer) && {
                (spot_of(&report), &report["kind"]) != (spot_of(answer), &answer["kind"])
            };
            if is_holding(&report) || is_progress {
                return Ok(Some((group, report)));
            }
            if is_violated(answer) && report["verdict"] == "unknown" {
                self.unanswered.get_or_insert(clauses);
            }
        }
        Ok(None)
    }

    /// The answer with these clauses; nothing if enough was asked.
    fn ask(&mut self, clauses: &[Suggestion]) -> Result<Option<Value>, String> {
        if self.checks == 0 || self.unknown == 0 {
            return Ok(None);
        }
        self.checks -= 1;
        let report = (self.check)(self.function, &promises(clauses))?;
        self.unknown -= usize::from(report["verdict"] == "unknown");
        Ok(Some(report))
    }

    /// Drops clauses that are not needed, and says less where that is enough. What callers promise anyway stays.
    fn weaken(
        &mut self,
        fixed: usize,
        mut kept: Vec<Suggestion>,
        mut report: Value,
    ) -> Result<(Vec<Suggestion>, Value), String> {
        (self.checks, self.unknown) = (self.checks.max(2 * kept.len()), MOST_UNKNOWN);
        let mut at = fixed;
        while at < kept.len() {
            let mut fewer = kept.clone();
            let dropped = fewer.remove(at);
            let mut others = vec![];
            // With one clause less the function is the one that was first asked about.
            if fewer.len() > fixed {
                others.push(fewer.clone());
            }
            if let Some(weaker) = dropped.weaker() {
                fewer.insert(at, weaker);
                others.push(fewer);
            }
            let mut is_changed = false;
            for other in others {
                let Some(answer) = self.ask(&other)? else { return Ok((kept, report)) };
                if is_holding(&answer) {
                    is_changed = other.len() < kept.len();
                    (kept, report) = (other, answer);
                    break;
                }
            }
            at += usize::from(!is_changed);
        }
        Ok((kept, report))
    }

    /// Gives the contract if runs keep it and get past what failed.
    fn try_out(
        &self,
        clauses: Vec<Suggestion>,
        report: Value,
        failed: &[Spot],
    ) -> Result<Outcome, String> {
        let trial = self.trial(&clauses, failed)?;
        let Some(refusal) = refusal(&trial, failed) else {
            return Ok(Outcome::Found(Inferred { clauses, report, trial }));
        };
        let contract = promises(&clauses).join(" ");
        Ok(Outcome::Nothing(Some(format!("`{contract}` is not inferred: {refusal}"))))
    }

    /// What is left of a search that has found no contract.
    fn perhaps(&mut self, failed: &[Spot]) -> Result<Outcome, String> {
        let Some(clauses) = self.unanswered.take() else { return Ok(Outcome::Nothing(None)) };
        let trial = self.trial(&clauses, failed)?;
        Ok(match refusal(&trial, failed) {
            None => Outcome::Perhaps(clauses),
            Some(_) => Outcome::Nothing(None),
        })
    }

    fn trial(&self, clauses: &[Suggestion], failed: &[Spot]) -> Result<Trial, String> {
        let sources = self.sources.promising(self.function, &promises(clauses));
        trial(&sources, self.function, failed).map_err(told)
    }
}

/// Why runs speak against a contract.
fn refusal(trial: &Trial, failed: &[Spot]) -> Option<String> {
    if trial.failed > 0 {
        return Some("a run under it fails".to_owned());
    }
    if trial.returned == 0 {
        return Some("no run that was tried keeps it and returns".to_owned());
    }
    let at = trial.passed.iter().position(|count| *count == 0)?;
    let Spot { file, line, .. } = &failed[at];
    Some(format!("no run that was tried under it gets past {file}:{line}"))
}

/// Guesses that matter to the answer, in the order in which they are tried. What belongs to one structure is tried
/// together and weakened later.
fn groups(guesses: &[Suggestion], kept: &[Suggestion], answer: &Value) -> Vec<Vec<Suggestion>> {
    let wanted = sorts(answer["kind"].as_str());
    let mut groups = Vec::new();
    for sort in wanted {
        let new: Vec<Suggestion> = guesses
            .iter()
            .filter(|guess| guess.sort == *sort && !kept.contains(guess))
            .cloned()
            .collect();
        match sort {
            Sort::Structure | Sort::Emptiness | Sort::HandedOn => groups.push(new),
            Sort::NotNull
            | Sort::Alone
            | Sort::Member
            | Sort::Length
            | Sort::Bound
            | Sort::Count
            | Sort::Height => {
                groups.extend(new.into_iter().map(|guess| vec![guess]));
            }
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Which clauses may keep a function from such a fault; without one, which may make it easier to prove.
fn sorts(kind: Option<&str>) -> &'static [Sort] {
    use Sort::{
        Alone, Bound, Count, Emptiness, HandedOn, Height, Length, Member, NotNull, Structure,
    };
    match kind {
        Some("null-dereference" | "invalid-callee") => {
            &[HandedOn, Structure, Emptiness, Height, NotNull, Member, Bound, Count]
        }
        Some("out-of-bounds" | "invalid-size" | "division-by-zero") => {
            &[HandedOn, Length, Bound, Structure, Count]
        }
        Some("leak") => &[HandedOn, Structure, Alone, Member],
        Some(_) => &[HandedOn, Structure, Emptiness, Alone, Member, NotNull, Bound, Height, Count],
        // What narrows the arguments would only make them easier.
        None => &[Structure, Emptiness],
    }
}

/// The clauses as contracts, one for each type and function.
pub(crate) fn promises(clauses: &[Suggestion]) -> Vec<String> {
    let mut subjects: Vec<&Subject> = clauses.iter().map(|clause| &clause.subject).collect();
    subjects.sort();
    subjects.dedup();
    let text = |subject: &Subject| {
        let own = clauses.iter().filter(|clause| clause.subject == *subject);
        let own: Vec<String> = own.map(|clause| format!("{};", clause.clause)).collect();
        let (word, name) = match subject {
            Subject::Type(name) => ("type", name),
            Subject::Function(name) => ("fn", name),
        };
        format!("{word} {name} {{ {} }}", own.join(" "))
    };
    subjects.into_iter().map(text).collect()
}

fn told(error: InputError) -> String {
    error.to_string()
}

pub(crate) fn is_holding(report: &Value) -> bool {
    report["verdict"] == "holds"
}

pub(crate) fn is_violated(report: &Value) -> bool {
    report["verdict"] == "violated"
}

/// Where it fails.
fn spot_of(report: &Value) -> Option<Spot> {
    spot(&report["place"])
}

/// Where it fails, the calls that lead there, and where what matters to it was done, as far as that is the program's
/// own text. A contract that excludes one of these would hide what the text itself does wrong.
fn spots_of(report: &Value) -> Vec<Spot> {
    let list = |name: &str| report[name].as_array().map_or(&[][..], Vec::as_slice);
    let calls = list("stack").iter().map(|frame| &frame["place"]);
    let places = std::iter::once(&report["place"]).chain(calls).chain(list("labels"));
    let mut spots: Vec<Spot> = Vec::new();
    for spot in places.filter_map(spot).filter(|spot| !spot.file.starts_with('<')) {
        if !spots.contains(&spot) {
            spots.push(spot);
        }
    }
    spots
}

fn spot(place: &Value) -> Option<Spot> {
    let number = |name: &str| u32::try_from(place[name].as_u64()?).ok();
    let file = place["file"].as_str()?.to_owned();
    Some(Spot { file, line: number("line")?, column: number("column")? })
}
