//! Charts: what the text of a program says once and for all: where states meet, which variables are live.

use heapwright_base::IdVec;
use heapwright_engine::Task;
use heapwright_program::analysis::{Liveness, Loops};
use heapwright_program::{EdgeId, FunctionId, LocationId, Program, VariableId};

use crate::state::Spot;

#[derive(Debug)]
pub(crate) struct Chart {
    pub(crate) outgoing: IdVec<LocationId, Vec<EdgeId>>,
    /// Where states meet: the heads of loops.
    pub(crate) is_cut: IdVec<LocationId, bool>,
    liveness: Liveness,
    /// There is a cycle without a head, which nothing cuts.
    pub(crate) has_uncut_cycle: bool,
}

/// The charts of a task's functions.
#[derive(Debug)]
pub(crate) struct Atlas<'t> {
    pub(crate) task: &'t Task,
    charts: IdVec<FunctionId, Option<Chart>>,
}

impl<'t> Atlas<'t> {
    pub(crate) fn of(task: &'t Task) -> Atlas<'t> {
        let program = &task.program;
        let chart = |function: FunctionId| {
            let body = program.functions[function].body.as_ref()?;
            let loops = Loops::of(body);
            let mut is_cut = IdVec::filled(false, body.location_count);
            for item in loops.loops.iter() {
                is_cut[item.head] = true;
            }
            let has_uncut_cycle = !loops.irreducible_regions.is_empty();
            let liveness = Liveness::of(program, function);
            Some(Chart { outgoing: body.outgoing(), is_cut, liveness, has_uncut_cycle })
        };
        Atlas { task, charts: program.functions.ids().map(chart).collect() }
    }

    pub(crate) fn program(&self) -> &'t Program {
        &self.task.program
    }

    /// # Panics
    /// When the function has no body: nobody is in it.
    pub(crate) fn chart(&self, function: FunctionId) -> &Chart {
        self.charts[function].as_ref().expect("a function with a body")
    }

    pub(crate) fn is_cut(&self, spot: &Spot) -> bool {
        self.chart(spot.function).is_cut[spot.location]
    }

    /// Whether a variable may be read from here on, in this call or in one of its callers.
    pub(crate) fn is_live(&self, variable: VariableId, spot: &Spot) -> bool {
        let Some(owner) = self.program().variables[variable].function else { return true };
        if owner == spot.function {
            return self.chart(owner).liveness.is_live(spot.location, variable);
        }
        let call = spot.calls.iter().find(|(caller, _)| *caller == owner);
        call.is_some_and(|&(caller, edge)| {
            let body = self.program().functions[caller].body.as_ref().expect("it calls");
            self.chart(caller).liveness.is_live(body.edges[edge].target, variable)
        })
    }
}
