//! What each operation does to the state.

use heapwright_interpreter::is_mathematical;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{
    Callee, Edge, EdgeId, Expression, ExpressionId, Failure, FunctionId, Halt, InputSource,
    Operation, Place, VariableId, display_expression, divisions_of,
};
use heapwright_property::Part;

use crate::analysis::effects::Slot;
use crate::ssa::access::{Hit, Use};
use crate::ssa::build::Builder;
use crate::ssa::formula::{Branch, Input, InputKind, ValueKind, Version};
use crate::ssa::state::State;

/// Functions that only print, whatever numbers they are given.
const PRINTING: &[&str] = &["printf", "fprintf", "puts", "putchar"];

impl Builder<'_> {
    /// The state behind an edge, if one gets there.
    pub(crate) fn step(&mut self, id: EdgeId, edge: &Edge, mut state: State) -> Option<State> {
        let place = edge.place;
        if self.preparation.inlined.cuts.contains(&id) {
            self.cut_runs.push(state.guard);
            return None;
        }
        self.divisions(&mut state, &edge.operation, place);
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume { condition, holds } => {
                let truth = self.truth(&state, *condition);
                let taken = if *holds { truth } else { self.terms.not(truth) };
                state.guard = self.terms.and(state.guard, taken);
                self.note_branch(id, state.guard);
            }
            Operation::Assign { target, value } => {
                let value = self.evaluate(&state, *value);
                self.assign(&mut state, *target, value, place);
            }
            Operation::Input { target, source } => self.input(&mut state, *target, source, place),
            Operation::Load { target, access } => self.load(&mut state, *target, access, place),
            Operation::Store { access, value } => self.store(&mut state, access, *value, place),
            Operation::Copy { target, source, size, initialises } => {
                let usage = Use::of_write(*initialises);
                self.copy(&mut state, (*target, *source, *size), usage, place);
            }
            Operation::Disjoint { left, right, size } => {
                self.disjoint(&mut state, *left, *right, *size, place);
            }
            Operation::Fill { target, byte, size, initialises } => {
                let usage = Use::of_write(*initialises);
                self.fill(&mut state, (*target, *byte, *size), usage, place);
            }
            Operation::Allocate { target, size, zeroed, .. } => {
                self.allocate(&mut state, id, *target, (*size, *zeroed), place);
            }
            Operation::Free { address } => self.free(&mut state, *address, place),
            Operation::BlockSize { .. } => {
                self.unsupported(&mut state, "the size of a block", place);
            }
            Operation::Enter { object, size } => self.enter(&mut state, *object, *size),
            Operation::Leave { object } => self.leave(&mut state, *object),
            Operation::Call { target, callee, arguments } => {
                self.call(&mut state, *target, callee, arguments, place);
            }
            Operation::Return { .. } => {
                if self.preparation.inlined.region_of(id) == self.preparation.inlined.main {
                    self.end(state, place);
                } else {
                    self.leave_function(state);
                }
                return None;
            }
            Operation::Halt(Halt::AssumptionFailed) => return None,
            Operation::Halt(Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort) => {
                self.end(state, place);
                return None;
            }
            Operation::Fail(failure) => {
                self.fail(state, failure, place);
                return None;
            }
            Operation::Unsupported { construct } => {
                self.unsupported(&mut state, construct, place);
            }
        }
        (state.guard != TermId::FALSE).then_some(state)
    }

    /// The program is at fault; a failed assertion only where it is asked about.
    fn fail(&mut self, mut state: State, failure: &Failure, place: Place) {
        let (part, text) = match failure {
            Failure::Size { text } | Failure::Usage { text } => (Part::ValidDeref, text.as_str()),
            Failure::Overflow { text } => (Part::NoOverflow, text.as_str()),
            Failure::Assertion { .. } if self.task.specification.assertions => {
                (Part::UnreachCall, "an assertion fails")
            }
            Failure::Assertion { .. } => return self.end(state, place),
        };
        self.require(&mut state, TermId::FALSE, Some(part), text, place);
    }

    /// Notes that a branch of the program is taken here. An indirect call has branches too, but they are
    /// none of the program.
    fn note_branch(&mut self, id: EdgeId, guard: TermId) {
        let Some(edge) = self.preparation.inlined.edge_origins[id] else { return };
        let body = self.task.program.functions[edge.0].body.as_ref();
        let operation = body.and_then(|body| body.edges.get(edge.1)).map(|edge| &edge.operation);
        if matches!(operation, Some(Operation::Assume { .. })) {
            self.branches.push(Branch { edge, guard });
        }
    }

    /// Nobody may get here.
    fn unsupported(&mut self, state: &mut State, construct: &str, place: Place) {
        let text = format!("not modelled: {construct}");
        self.require(state, TermId::FALSE, None, text, place);
    }

    /// Divisors are not zero, and quotients fit.
    fn divisions(&mut self, state: &mut State, operation: &Operation, place: Place) {
        let program = self.preparation.program();
        let expressions = &program.expressions;
        for (left, right) in divisions_of(program, operation) {
            let is_signed = expressions.type_of(left).is_signed();
            let dividend = self.evaluate(state, left);
            let divisor = self.evaluate(state, right);
            let width = self.terms.width(divisor);
            let zero = self.terms.bit_vector(0, width);
            let is_possible = self.terms.not_equal(divisor, zero);
            let part = self.task.part_of(FaultKind::DivisionByZero);
            self.require(state, is_possible, part, "a divisor may be zero", place);
            if is_signed {
                let overflows = self.terms.signed_divide_overflows(dividend, divisor);
                let does_fit = self.terms.not(overflows);
                self.require(state, does_fit, None, "a quotient may not fit", place);
            }
        }
    }

    pub(crate) fn assign(
        &mut self,
        state: &mut State,
        target: VariableId,
        value: TermId,
        place: Place,
    ) {
        let name = self.preparation.program().variables[target].name.clone();
        let name = self.unique(&format!("{name}#"));
        let variable = Some(target);
        self.versions.push(Version { name, variable, guard: state.guard, term: value, place });
        self.set(state, Slot::Variable(target), value);
    }

    fn input(&mut self, state: &mut State, target: VariableId, source: &InputSource, place: Place) {
        let variable = &self.preparation.program().variables[target];
        let ty = variable.scalar;
        let name = match source {
            InputSource::Nondeterministic(_) => format!("{}#in", variable.name),
            InputSource::Uninitialised => format!("{}#none", variable.name),
        };
        let kind = match source {
            InputSource::Nondeterministic(name) => InputKind::Nondeterministic(name.clone()),
            InputSource::Uninitialised => InputKind::Uninitialised(target),
        };
        let value = self.anything(&name, ty);
        self.inputs.push(Input { guard: state.guard, value, kind });
        self.assign(state, target, value, place);
    }

    fn call(
        &mut self,
        state: &mut State,
        target: Option<VariableId>,
        callee: &Callee,
        arguments: &[ExpressionId],
        place: Place,
    ) {
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(pointer) => {
                let name = display_expression(self.preparation.program(), *pointer);
                let text = format!("`{name}` points to no function that fits");
                self.require(state, TermId::FALSE, Some(Part::ValidDeref), text, place);
                return;
            }
        };
        if self.preparation.inlined.regions.contains_key(&function) {
            self.call_summarised(state, function, arguments, place);
            return;
        }
        let program = self.preparation.program();
        let name = &program.functions[function].name;
        if self.task.specification.error_functions.contains(name) {
            let text = format!("`{name}` is called");
            self.require(state, TermId::FALSE, Some(Part::UnreachCall), text, place);
        } else if self.only_prints(function, arguments) || self.only_computes(function, arguments) {
            if let Some(target) = target {
                let value = self.anything("given", program.variables[target].scalar);
                self.assign(state, target, value, place);
            }
        } else {
            self.unsupported(state, &format!("a call of external function `{name}`"), place);
        }
    }

    /// Whether a call gives a number that depends on numbers only.
    fn only_computes(&self, function: FunctionId, arguments: &[ExpressionId]) -> bool {
        let program = self.preparation.program();
        let is_number = |it: &ExpressionId| !program.expressions.type_of(*it).is_pointer();
        is_mathematical(&program.functions[function].name) && arguments.iter().all(is_number)
    }

    /// Whether a call prints numbers and string literals only.
    fn only_prints(&self, function: FunctionId, arguments: &[ExpressionId]) -> bool {
        let program = self.preparation.program();
        let is_plain = |argument: &ExpressionId| match program.expressions.get(*argument) {
            Expression::ObjectAddress(object) => matches!(
                program.objects[object].kind,
                heapwright_program::ObjectKind::String { .. }
            ),
            _ => !program.expressions.type_of(*argument).is_pointer(),
        };
        let has_conversion_to_memory = |argument: &ExpressionId| {
            let Expression::ObjectAddress(object) = program.expressions.get(*argument) else {
                return false;
            };
            match &program.objects[object].kind {
                heapwright_program::ObjectKind::String { bytes } => {
                    bytes.contains(&b'n') && {
                        // `%n` writes; its length modifiers stand between the two characters.
                        let text = String::from_utf8_lossy(bytes);
                        text.split('%').skip(1).any(|part| {
                            part.trim_start_matches(|it: char| {
                                it.is_ascii_digit() || "lhzjt".contains(it)
                            })
                            .starts_with('n')
                        })
                    }
                }
                _ => false,
            }
        };
        PRINTING.contains(&program.functions[function].name.as_str())
            && arguments.iter().all(is_plain)
            && !arguments.iter().any(has_conversion_to_memory)
    }

    /// `memmove(target, source, size)`
    fn copy(
        &mut self,
        state: &mut State,
        (target, source, size): (ExpressionId, ExpressionId, ExpressionId),
        usage: Use,
        place: Place,
    ) {
        let bytes = self.constant_bytes(size);
        if bytes == Some(0) {
            return;
        }
        let size = self.byte_count(state, size, place);
        let sources = self.dereference(state, source, size, Use::Read, place);
        let targets = self.dereference(state, target, size, usage, place);
        let mut writes: Vec<(Hit, usize, TermId)> = Vec::new();
        for hit in &targets {
            for position in self.touched(hit, bytes) {
                let value = self.copied(state, hit, position, &sources, bytes);
                match value {
                    Some(value) => writes.push((hit.clone(), position, value)),
                    None => self.forget(state, hit, position),
                }
            }
        }
        for (hit, position, value) in writes {
            self.write(state, &hit, position, hit.condition, value);
        }
    }

    /// A number of bytes as wide as an offset, after asking that it fits.
    pub(crate) fn byte_count(
        &mut self,
        state: &mut State,
        size: ExpressionId,
        place: Place,
    ) -> TermId {
        let size = self.evaluate(state, size);
        let (bits, width) = (self.pointers.offset_bits, self.terms.width(size));
        let short = self.resized(size, bits, false);
        let long = self.resized(short, width, false);
        let does_fit = self.terms.equal(long, size);
        let text = "a number of bytes is too large";
        self.require(state, does_fit, Some(Part::ValidDeref), text, place);
        short
    }

    /// The cells of an object that bytes from an address on may touch.
    fn touched(&self, hit: &Hit, bytes: Option<u64>) -> Vec<usize> {
        let layout = &self.preparation.layouts[hit.object];
        let range = match (hit.offsets.as_deref(), bytes) {
            (Some(&[offset]), Some(bytes)) => match u64::try_from(offset) {
                Ok(offset) => Some((8 * offset, 8 * (offset + bytes))),
                // Not inside the object, so nobody goes on from here.
                Err(_) => return Vec::new(),
            },
            _ => None,
        };
        let is_touched = |cell: &crate::analysis::layout::Cell| match range {
            Some((start, end)) if !layout.has_elements() => {
                cell.start < end && start < cell.start + cell.extent
            }
            _ => true,
        };
        let cells = layout.cells().iter().enumerate();
        cells.filter(|(_, cell)| is_touched(cell)).map(|(position, _)| position).collect()
    }

    /// What a copy brings into a cell; `None` if that is not known.
    fn copied(
        &mut self,
        state: &mut State,
        hit: &Hit,
        position: usize,
        sources: &[Hit],
        bytes: Option<u64>,
    ) -> Option<TermId> {
        let preparation = self.preparation;
        let layout = &preparation.layouts[hit.object];
        let cell = &layout.cells()[position];
        let &[end] = hit.offsets.as_deref()? else { return None };
        let end = u64::try_from(end).ok()?;
        let end_bit = 8 * (end + bytes?);
        if layout.has_elements() || cell.start < 8 * end || cell.start + cell.extent > end_bit {
            return None;
        }
        let mut value = None;
        for source in sources.iter().rev() {
            let &[start] = source.offsets.as_deref()? else { return None };
            let start = u64::try_from(start).ok()?;
            let from = &preparation.layouts[source.object];
            if from.has_elements() {
                return None;
            }
            let found = from.position(cell.start - 8 * end + 8 * start, cell.extent)?;
            let is_same_kind = self.width_of_kind(from.cells()[found].kind)
                == self.width_of_kind(cell.kind)
                && (from.cells()[found].kind == ValueKind::Pointer)
                    == (cell.kind == ValueKind::Pointer);
            if !is_same_kind {
                return None;
            }
            let slot = self.cell(state, source.object, found);
            let read = self.read_cell(source.object, slot, source.key);
            value = Some(match value {
                Some(other) => self.terms.if_then_else(source.condition, read, other),
                None => read,
            });
        }
        value
    }

    /// A cell holds anything from now on, where the pointer points to its object.
    fn forget(&mut self, state: &mut State, hit: &Hit, position: usize) {
        let layout = &self.preparation.layouts[hit.object];
        let name = format!("{}.{}#any", layout.name, layout.cells()[position].name);
        let old = self.cell(state, hit.object, position);
        let new = if layout.has_elements() {
            self.garbage_cell(&name, hit.object, position)
        } else {
            let kind = layout.cells()[position].kind;
            let value = self.anything_of_kind(&name, kind);
            self.write_cell(hit.object, old, hit.key, value)
        };
        let new = self.terms.if_then_else(hit.condition, new, old);
        self.set(state, Slot::Cell(hit.object, position), new);
    }

    /// `memset(target, byte, size)`
    fn fill(
        &mut self,
        state: &mut State,
        (target, byte, size): (ExpressionId, ExpressionId, ExpressionId),
        usage: Use,
        place: Place,
    ) {
        let bytes = self.constant_bytes(size);
        if bytes == Some(0) {
            return;
        }
        let is_zero = self.preparation.program().expressions.constant_bits(byte) == Some(0);
        let bits = self.pointers.offset_bits;
        let size = self.byte_count(state, size, place);
        let targets = self.dereference(state, target, size, usage, place);
        for hit in &targets {
            for position in self.touched(hit, bytes) {
                let layout = &self.preparation.layouts[hit.object];
                let cell = &layout.cells()[position];
                let is_covered = match (hit.offsets.as_deref(), bytes) {
                    (Some(&[offset]), Some(bytes)) => {
                        let offset = offset.unsigned_abs();
                        8 * offset <= cell.start && cell.start + cell.extent <= 8 * (offset + bytes)
                    }
                    _ => false,
                };
                let is_whole = layout.has_elements()
                    && !layout.is_many
                    && hit.offsets.as_deref() == Some(&[0])
                    && bytes.is_some()
                    && bytes == self.preparation.points_to.sizes[hit.object];
                let width = self.width_of_kind(cell.kind);
                let zero = self.terms.bit_vector(0, width);
                if is_zero && is_whole {
                    let old = self.cell(state, hit.object, position);
                    let new = self.terms.constant_array(zero, bits);
                    let new = self.terms.if_then_else(hit.condition, new, old);
                    self.set(state, Slot::Cell(hit.object, position), new);
                } else if is_zero && is_covered && !layout.has_elements() {
                    self.write(state, hit, position, hit.condition, zero);
                } else {
                    self.forget(state, hit, position);
                }
            }
        }
    }
}
