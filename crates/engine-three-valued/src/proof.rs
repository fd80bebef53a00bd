//! Proofs: the certificate, whether it is closed, and what it says of concrete executions.

use heapwright_engine::{Deadline, Evidence, NoEvidence, Proof, Reason, Task};
use heapwright_shape_text::{Claims, Question, Refusal, check};

use crate::diary::Diary;
use crate::evidence::ShapeEvidence;

/// A closed set of structures without an alarm.
#[derive(Debug)]
pub(crate) struct ShapeProof {
    pub(crate) certificate: String,
    pub(crate) diary: Diary,
    /// How many structures, in how many places.
    pub(crate) structures: usize,
    pub(crate) title: String,
    pub(crate) assumptions: Vec<String>,
}

impl Proof for ShapeProof {
    /// By the crate `shape-text`, from the text alone.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let claims = Claims::read(&self.certificate).map_err(|error| {
            Reason::new(format!("the certificate is not well written: {error}"))
        })?;
        let question = Question {
            program: &task.program,
            specification: &task.specification,
            malloc_may_fail: task.malloc_may_fail,
        };
        check(&claims, question, &|| deadline.is_over()).map_err(reason)
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match ShapeEvidence::of(&self.certificate, task) {
            Some(evidence) => Box::new(evidence),
            None => Box::new(NoEvidence),
        }
    }

    fn summary(&self) -> String {
        let (tracked, class) = self.diary.counts();
        format!(
            "{} structures at loop heads describe every execution ({}; {tracked} refinements of \
             pointers, {class} of the class)",
            self.structures, self.title
        )
    }

    fn assumptions(&self) -> Vec<String> {
        self.assumptions.clone()
    }

    fn invariants(&self) -> Vec<String> {
        self.diary.lines()
    }
}

fn reason(refusal: Refusal) -> Reason {
    let what = "the certificate does not describe a state that it leads to";
    match refusal {
        Refusal::NoStart => Reason::new("there is no `main`"),
        Refusal::Untrue(what) => Reason::new(format!("{what} on a small heap")),
        Refusal::Wrong(objection, place) => Reason::at(objection.to_string(), place),
        Refusal::Escapes(place) => Reason::at(what, place),
        Refusal::Endless(place) => {
            Reason::at("a loop of which the certificate says nothing", place)
        }
        Refusal::OutOfTime => Reason::new("the time was over before the certificate was checked"),
    }
}

#[cfg(test)]
mod tests;
