//! Proofs: the certificate, whether it is closed, and what it says of concrete executions.

use heapwright_engine::{Deadline, Evidence, NoEvidence, Proof, Reason, Task};
use heapwright_three_valued::class::Library;

use crate::analysis::{arrive, is_among};
use crate::certificate::{self, Certificate};
use crate::diary::Diary;
use crate::evidence::ShapeEvidence;
use crate::model::Atlas;
use crate::state::State;
use crate::transfer::{Transfer, initial};

/// A closed set of structures without an alarm.
#[derive(Debug)]
pub(crate) struct ShapeProof {
    pub(crate) certificate: String,
    pub(crate) library: Library,
    pub(crate) diary: Diary,
    /// How many structures, in how many places.
    pub(crate) structures: usize,
    pub(crate) title: String,
    pub(crate) assumptions: Vec<String>,
}

impl Proof for ShapeProof {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let atlas = Atlas::of(task);
        let certificate =
            certificate::read(&self.certificate, &atlas, &self.library).map_err(|error| {
                Reason::new(format!("the certificate is not well written: {error}"))
            })?;
        let first = initial(&certificate.model)
            .map_err(|alarm| Reason::at(alarm.kind.words(), alarm.place))?;
        lead_inside(&certificate, first, deadline)?;
        for state in certificate.reached.values().flatten() {
            lead_inside(&certificate, state.clone(), deadline)?;
        }
        Ok(())
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        match ShapeEvidence::of(&self.certificate, task, &self.library) {
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

/// Whether everything that a state leads to, up to the next cut points, is described.
fn lead_inside(
    certificate: &Certificate<'_>,
    state: State,
    deadline: &Deadline,
) -> Result<(), Reason> {
    let Certificate { model, reached } = certificate;
    let mut transfer = Transfer::new(model);
    let mut pending = vec![state];
    while let Some(state) = pending.pop() {
        if deadline.is_over() {
            return Err(Reason::new("the time was over before the certificate was checked"));
        }
        let outgoing = model.atlas.chart(state.function).outgoing[state.location].clone();
        for edge in outgoing {
            let place = crate::place_of(model.program(), (state.function, edge));
            let found = transfer.step(state.clone(), edge);
            let found = found.map_err(|alarm| Reason::at(alarm.kind.words(), alarm.place))?;
            for mut next in found {
                if !model.atlas.is_cut(next.function, next.location) {
                    pending.push(next);
                    continue;
                }
                arrive(model, &mut next).map_err(|kind| Reason::at(kind.words(), place))?;
                if !is_among(reached, model, &next) {
                    let what = "the certificate does not describe a state that it leads to";
                    return Err(Reason::at(what, place));
                }
            }
        }
    }
    Ok(())
}
