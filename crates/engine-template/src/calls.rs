//! How calls are treated while a program is decided.
//!
//! A look at the first rounds inlines all calls, and recursion to the same depth as there are rounds:
//! what it finds is an execution. Invariants hold for all executions, so recursive functions need
//! summaries there; for all others, inlining is more precise, and is the default while the program stays
//! small enough.

use heapwright_engine::{Deadline, Reason, Task};

use crate::analysis::inlined::Calls;
use crate::ssa::Preparation;

/// Which functions are summarised where invariants are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallStyle {
    /// Recursive ones; all, where the program is too large otherwise.
    #[default]
    Mixed,
    /// None. Recursive programs are decided only if their recursion has a bound.
    Inline,
    /// All.
    Summaries,
}

impl CallStyle {
    /// The program as invariants are looked for in it.
    pub fn preparation(self, task: &Task, deadline: &Deadline) -> Result<Preparation, Reason> {
        let of = |calls| Preparation::within(task, calls, deadline);
        match self {
            CallStyle::Mixed => of(Calls::RecursionSummarised).or_else(|_| of(Calls::Summarised)),
            CallStyle::Summaries => of(Calls::Summarised),
            CallStyle::Inline => match of(Calls::Inlined { depth: 1 }) {
                Ok(preparation) if preparation.is_cut() => Err(Reason::new(
                    "a recursive function is not inlined; --calls mixed summarises it",
                )),
                result => result,
            },
        }
    }
}

/// The program as it is looked at, made when it is needed.
pub(crate) struct Preparations<'a> {
    task: &'a Task,
    style: CallStyle,
    deadline: &'a Deadline,
    /// With all calls inlined, if that is possible.
    whole: Option<Preparation>,
    /// With recursion cut at some depth; or why even that is not possible.
    unrolled: Option<(u32, Result<Preparation, Reason>)>,
    closed: Option<Result<Preparation, Reason>>,
}

impl<'a> Preparations<'a> {
    pub(crate) fn new(
        task: &'a Task,
        style: CallStyle,
        deadline: &'a Deadline,
    ) -> Preparations<'a> {
        Preparations { task, style, deadline, whole: None, unrolled: None, closed: None }
    }

    /// For executions of so many rounds, and as deep recursion.
    pub(crate) fn unrolled(&mut self, depth: u32) -> Result<&Preparation, Reason> {
        self.unroll(depth);
        match (&self.whole, &self.unrolled) {
            (Some(whole), _) => Ok(whole),
            (None, Some((_, result))) => result.as_ref().map_err(Clone::clone),
            (None, None) => unreachable!("one of them was made"),
        }
    }

    fn unroll(&mut self, depth: u32) {
        let is_known = match &self.unrolled {
            // What is too large does not get smaller.
            Some((known, result)) => *known == depth || (result.is_err() && *known < depth),
            None => false,
        };
        if self.whole.is_some() || is_known {
            return;
        }
        match Preparation::within(self.task, Calls::Inlined { depth }, self.deadline) {
            Ok(preparation) if !preparation.is_cut() => self.whole = Some(preparation),
            result => self.unrolled = Some((depth, result)),
        }
    }

    /// For all executions.
    pub(crate) fn closed(&mut self) -> Result<&Preparation, Reason> {
        if self.style != CallStyle::Summaries {
            self.unroll(1);
            if let Some(whole) = &self.whole {
                return Ok(whole);
            }
        }
        let (task, style, deadline) = (self.task, self.style, self.deadline);
        let made = self.closed.get_or_insert_with(|| style.preparation(task, deadline));
        made.as_ref().map_err(Clone::clone)
    }
}
