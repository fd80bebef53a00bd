//! What all formulas of one task share: the automaton, where pointers point, what loops change.

use std::collections::BTreeSet;

use heapwright_base::IdVec;
use heapwright_engine::{Deadline, Reason, Task};
use heapwright_program::analysis::{Liveness, LoopId, Loops, Order, for_each_read};
use heapwright_program::{EdgeId, LocationId, Program, Variable, VariableId};

use crate::analysis::effects::{Effects, Slot, SlotId, Slots};
use crate::analysis::inline::inline;
use crate::analysis::inlined::{Calls, Inlined};
use crate::analysis::layout::{ObjectLayout, layouts};
use crate::analysis::points_to::PointsTo;
use crate::names::Names;
use crate::ssa::build::{BuildSettings, Builder};
use crate::ssa::formula::{AbstractObjectId, Formula};
use crate::ssa::window::Window;

/// What all formulas of one task share.
#[derive(Debug)]
pub struct Preparation {
    /// What became of calls.
    pub calls: Calls,
    pub(crate) inlined: Inlined,
    pub(crate) points_to: PointsTo,
    pub(crate) layouts: IdVec<AbstractObjectId, ObjectLayout>,
    /// Each is the name of one variable of the automaton only, and of no object.
    pub(crate) variable_names: IdVec<VariableId, String>,
    pub(crate) slots: Slots,
    pub(crate) effects: Effects,
    pub(super) loops: Loops,
    pub(super) order: Order,
    pub(super) liveness: Liveness,
    pub(super) outgoing: IdVec<LocationId, Vec<EdgeId>>,
    /// What each loop changes and what is alive at its head.
    pub(super) changed: IdVec<LoopId, BTreeSet<SlotId>>,
}

impl Preparation {
    /// Inlines and analyses the program; says why that is not possible.
    pub fn of(task: &Task, calls: Calls) -> Result<Preparation, Reason> {
        Preparation::within(task, calls, &Deadline::never())
    }

    /// The same in so much time: a program with many calls can become very large.
    pub fn within(task: &Task, calls: Calls, deadline: &Deadline) -> Result<Preparation, Reason> {
        let inlined = inline(&task.program, &task.specification.error_functions, calls)?;
        let liveness = Liveness::of(&inlined.program, inlined.main);
        let Some(points_to) = PointsTo::of(&inlined, &liveness, deadline) else {
            return Err(Reason::new("the time limit was reached before there was a formula"));
        };
        let mut names = Names::default();
        let variable_names = variable_names(&inlined, &mut names);
        let layouts = layouts(&inlined, &points_to, &liveness, &mut names);
        let slots = Slots::of(&inlined, &points_to, &layouts);
        let effects = Effects::of(&inlined, &points_to, &layouts);
        let loops = Loops::of(inlined.body());
        if !loops.irreducible_regions.is_empty() {
            return Err(Reason::new("a loop with more than one entry is not cut"));
        }
        let mut preparation = Preparation {
            calls,
            order: Order::of(inlined.body()),
            outgoing: inlined.body().outgoing(),
            changed: IdVec::new(),
            inlined,
            points_to,
            layouts,
            variable_names,
            slots,
            effects,
            loops,
            liveness,
        };
        preparation.find_changes();
        Ok(preparation)
    }

    /// Builds the formula.
    #[must_use]
    pub fn formula(&self, task: &Task, settings: BuildSettings) -> Formula {
        Builder::new(self, task, settings, Window::Any).run()
    }

    /// Builds the formula of the executions whose loops take at most `copies` rounds. It is much
    /// smaller than the other: what is constant in the first rounds is constant in it.
    #[must_use]
    pub fn formula_from_start(&self, task: &Task, settings: BuildSettings) -> Formula {
        Builder::new(self, task, settings, Window::First).run()
    }

    /// Whether some runs are cut, because they are too deep in a recursion.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        !self.inlined.cuts.is_empty()
    }

    pub(crate) fn program(&self) -> &Program {
        &self.inlined.program
    }

    pub(crate) fn is_live(&self, location: LocationId, variable: VariableId) -> bool {
        self.liveness.is_live(location, variable)
    }

    fn find_changes(&mut self) {
        let body = self.inlined.body();
        let read = self.globals_read();
        for item in &self.loops.loops {
            let inside: BTreeSet<LocationId> = item.locations.iter().copied().collect();
            let mut changed = BTreeSet::new();
            for (id, edge) in body.edges.enumerated() {
                if !inside.contains(&edge.source) || !inside.contains(&edge.target) {
                    continue;
                }
                for slot in self.effects.of_edge(&self.inlined, id) {
                    let is_needed = match slot {
                        Slot::Variable(variable) => {
                            let is_global = self.program().variables[variable].function.is_none();
                            self.liveness.is_live(item.head, variable)
                                && (!is_global || read.contains(&slot))
                        }
                        Slot::Cell(..)
                        | Slot::Ended(_)
                        | Slot::Size(_)
                        | Slot::Count(_)
                        | Slot::Current(_) => true,
                    };
                    if is_needed {
                        changed.extend(self.slots.find(slot));
                    }
                }
            }
            self.changed.push(changed);
        }
    }

    /// Variables that something reads.
    fn globals_read(&self) -> BTreeSet<Slot> {
        let mut read = BTreeSet::new();
        for edge in &self.inlined.body().edges {
            for_each_read(self.program(), &edge.operation, &mut |variable| {
                read.insert(Slot::Variable(variable));
            });
        }
        read
    }
}

fn variable_names(inlined: &Inlined, names: &mut Names) -> IdVec<VariableId, String> {
    let name = |variable: &Variable| {
        // Functions that were inlined have copies of their variables in `main`.
        let is_here = variable.function.is_none_or(|function| function == inlined.main);
        if is_here { names.unique(&variable.name) } else { variable.name.clone() }
    };
    inlined.program.variables.iter().map(name).collect()
}
