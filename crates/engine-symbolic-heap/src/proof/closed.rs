//! A proof by invariants: what the gate sees of a certificate.

use heapwright_engine::{Deadline, Evidence, Proof, Reason, Task};

use crate::precision::AbstractionPoints;
use crate::proof::certificate::Certificate;
use crate::proof::evidence::TextEvidence;
use crate::settings::Settings;
use crate::statistics::Statistics;

/// Invariants with list segments and trees, closed under all edges.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) settings: Settings,
    pub(crate) certificate: Certificate,
    pub(crate) statistics: Statistics,
}

impl Proof for Closed {
    /// Checks the invariants as they are written.
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        self.certificate.check(task, &self.settings, deadline)
    }

    fn evidence(&self, task: &Task, _: &Deadline) -> Box<dyn Evidence> {
        let Certificate { invariants, passed, .. } = &self.certificate;
        Box::new(TextEvidence::new(task, invariants, passed))
    }

    fn summary(&self) -> String {
        let Statistics { steps, foldings, solver_calls, entries, .. } = &self.statistics;
        let heads = match self.certificate.precision.points {
            AbstractionPoints::LoopHeads => "at the loop heads",
            AbstractionPoints::Joins => "at loop heads and behind branches",
        };
        let places = match entries {
            0 => heads.to_owned(),
            _ => format!("{heads} and in {entries} kinds of recursive calls"),
        };
        format!(
            "invariants of {} heap shapes {places} are closed ({steps} steps, {foldings} \
             foldings, {solver_calls} solver calls)",
            self.certificate.invariants.len()
        )
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    fn invariants(&self) -> Vec<String> {
        self.certificate.invariants.clone()
    }
}
