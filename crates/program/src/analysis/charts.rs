//! Charts: what analyses ask again and again of the functions on a stack of calls: which edges leave a
//! location, where loops begin, which variables are live.

use heapwright_base::IdVec;

use crate::analysis::liveness::Liveness;
use crate::analysis::loops::Loops;
use crate::program::{EdgeId, FunctionId, LocationId, Program, VariableId};

/// What is asked of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    pub outgoing: IdVec<LocationId, Vec<EdgeId>>,
    /// The heads of loops.
    pub is_head: IdVec<LocationId, bool>,
    /// There is a cycle without a head.
    pub has_uncut_cycle: bool,
    liveness: Liveness,
}

/// The charts of a program's functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charts {
    charts: IdVec<FunctionId, Option<Chart>>,
}

impl Charts {
    #[must_use]
    pub fn of(program: &Program) -> Charts {
        let chart = |function: FunctionId| {
            let body = program.functions[function].body.as_ref()?;
            let loops = Loops::of(body);
            let mut is_head = IdVec::filled(false, body.location_count);
            for item in &loops.loops {
                is_head[item.head] = true;
            }
            let has_uncut_cycle = !loops.irreducible_regions.is_empty();
            let liveness = Liveness::of(program, function);
            Some(Chart { outgoing: body.outgoing(), is_head, has_uncut_cycle, liveness })
        };
        Charts { charts: program.functions.ids().map(chart).collect() }
    }

    /// # Panics
    /// When the function has no body: nobody is in it.
    #[must_use]
    pub fn of_function(&self, function: FunctionId) -> &Chart {
        self.charts[function].as_ref().expect("a function with a body")
    }

    /// Whether a loop begins here.
    #[must_use]
    pub fn is_head(&self, function: FunctionId, location: LocationId) -> bool {
        self.of_function(function).is_head[location]
    }

    /// Whether a variable may be read from here on, in the innermost call or in one of its callers, which are
    /// given by the edges of their calls and are all of different functions.
    #[must_use]
    pub fn is_live(
        &self,
        program: &Program,
        variable: VariableId,
        calls: &[(FunctionId, EdgeId)],
        (function, location): (FunctionId, LocationId),
    ) -> bool {
        let Some(owner) = program.variables[variable].function else { return true };
        if owner == function {
            return self.of_function(owner).liveness.is_live(location, variable);
        }
        let call = calls.iter().find(|(caller, _)| *caller == owner);
        call.is_some_and(|&(caller, edge)| {
            let body = program.functions[caller].body.as_ref().expect("it calls");
            self.of_function(caller).liveness.is_live(body.edges[edge].target, variable)
        })
    }
}
