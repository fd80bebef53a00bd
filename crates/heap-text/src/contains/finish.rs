//! The end of a way to match: all live heap blocks are there, and the solver finds values for what
//! is left.

use heapwright_logic::{TermId, Value};
use heapwright_solver::{BackEnd, CheckResult, Deadline, SmtSolver};

use crate::contains::{Matching, Search, Tried};

impl<'s> Search<'s> {
    pub(super) fn finish(&mut self, matching: &Matching<'s>) -> Tried<()> {
        let lost = self.state.blocks().iter().enumerate().find(|(block, item)| {
            self.limits.is_whole && item.is_live_heap() && !matching.taken.contains(block)
        });
        if let Some((_, item)) = lost {
            return Err(format!("the block at {:#x} is in no part of the text", item.base));
        }
        if matching.left.is_empty() {
            return Ok(());
        }
        if self.limits.questions == 0 {
            self.doubt = Some("there are too many questions for the solver".to_owned());
            return Err("not asked".to_owned());
        }
        self.limits.questions -= 1;
        self.ask(matching)
    }

    /// Whether there are values for the variables that are not known yet.
    fn ask(&mut self, matching: &Matching<'s>) -> Tried<()> {
        let mut formulas = matching.left.clone();
        for variable in self.terms.free_variables(&matching.left) {
            if let Some(value) = matching.values.get(variable).cloned() {
                formulas.push(self.equation(variable, &value));
            }
        }
        let deadline = Deadline::never().with_conflicts(self.limits.conflicts);
        let mut solver = BackEnd::Embedded.solver();
        match solver.check(&self.terms, &formulas, &deadline) {
            CheckResult::Sat(_) => Ok(()),
            CheckResult::Unsat(core) => {
                let core: Vec<String> = core
                    .assumptions
                    .iter()
                    .map(|&term| self.terms.display(term).to_string())
                    .collect();
                Err(format!("no values make these true: {}", core.join(", ")))
            }
            CheckResult::Unknown(limit) => {
                self.doubt = Some(format!("the solver says: {limit}"));
                Err("not decided".to_owned())
            }
        }
    }

    fn equation(&mut self, variable: TermId, value: &Value) -> TermId {
        match value {
            Value::Boolean(true) => variable,
            Value::Boolean(false) => self.terms.not(variable),
            Value::BitVector(value) => {
                let constant = self.terms.constant(*value);
                self.terms.equal(variable, constant)
            }
            Value::Array(_) => unreachable!("no variable of a text is an array"),
        }
    }
}
