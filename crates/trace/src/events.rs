//! Edges to steps: what the run passes on one line of the user's source is one step.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_interpreter::{Machine, Outcome, Passed};
use heapwright_memory::{BlockKind, Life};
use heapwright_program::analysis::{Liveness, written_variable};
use heapwright_program::{
    Callee, Edge, EdgeId, FunctionId, InputSource, Operation, PathStep, Place, Program, VariableId,
    VariableKind,
};

use crate::capture::{Assigned, RawState, RawValue, capture, is_users, variable};
use crate::decode::{number, plain_name, span};
use crate::record::is_fault;
use crate::source::{Excerpt, Sources};
use crate::step::{Event, Span};

/// A step whose state has no names yet.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) place: Span,
    pub(crate) function: String,
    pub(crate) depth: usize,
    pub(crate) events: Vec<Event>,
    pub(crate) state: RawState,
}

/// What tells two steps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    function: FunctionId,
    depth: usize,
    place: Place,
}

impl Line {
    fn is_same(self, other: Line) -> bool {
        let at = |line: Line| (line.function, line.depth, line.place.file, line.place.line);
        at(self) == at(other)
    }
}

/// Turns the edges that a machine passes into steps.
pub(crate) struct Watcher {
    pub(crate) drafts: Vec<Draft>,
    line: Option<Line>,
    /// The edges of the step so far: one that is passed again begins another step.
    seen: BTreeSet<EdgeId>,
    assigned: Assigned,
    /// Calls whose parameters are known.
    known_calls: usize,
    state: RawState,
}

impl Watcher {
    /// `is_late` says that the run is already under way.
    pub(crate) fn new(machine: &Machine<'_>, is_late: bool) -> Watcher {
        let mut assigned = Assigned::new();
        let frames = machine.frames();
        for (number, frame) in frames.iter().enumerate().filter(|_| is_late) {
            let live = Liveness::of(machine.program(), frame.function);
            let shown = live.live_at(frame.location).filter(|id| is_named(machine.program(), *id));
            assigned.extend(shown.map(|id| ((number, id), true)));
        }
        let known_calls = if is_late { frames.len() } else { 0 };
        let state = capture(machine, &assigned, &RawState::default());
        let (drafts, line, seen) = (Vec::new(), None, BTreeSet::new());
        Watcher { drafts, line, seen, assigned, known_calls, state }
    }

    /// Adds to the last step.
    pub(crate) fn add(&mut self, event: Event) {
        if let Some(draft) = self.drafts.last_mut() {
            draft.events.push(event);
        }
    }

    /// An edge was passed.
    pub(crate) fn passed(&mut self, machine: &Machine<'_>, passed: Passed, sources: &mut Sources) {
        let program = machine.program();
        let Some(body) = program.functions[passed.function].body.as_ref() else { return };
        let edge = &body.edges[passed.edge];
        self.follow_calls(machine);
        let leaves_scope = self.note_assignment(program, passed, edge, sources);
        let before = std::mem::take(&mut self.state);
        self.state = capture(machine, &self.assigned, &before);
        let is_users_edge = is_users(program, passed.function);
        let line = match is_users_edge {
            true => Line {
                function: passed.function,
                depth: users_depth(machine, passed.depth),
                place: edge.place,
            },
            false => match users_line(machine) {
                Some(line) => line,
                None => return,
            },
        };
        if !leaves_scope && program.files.get(line.place.file).is_some() && line.place.line > 0 {
            let is_again = is_users_edge && !self.seen.insert(passed.edge);
            if is_again || self.line.is_none_or(|known| !known.is_same(line)) {
                self.begin(program, line, sources);
                if is_users_edge {
                    self.seen.insert(passed.edge);
                }
            }
        }
        let mut events = block_events(&before, &self.state);
        if is_users_edge && !leaves_scope {
            events.extend(self.edge_events(machine, passed, edge, sources));
        }
        let state = self.state.clone();
        if let Some(draft) = self.drafts.last_mut() {
            draft.events.extend(events);
            draft.state = state;
        }
    }

    /// The run is over.
    pub(crate) fn finish(&mut self, machine: &Machine<'_>, sources: &mut Sources) {
        let Some(Outcome::Fault(fault)) = machine.outcome().filter(|it| is_fault(Some(it))) else {
            return;
        };
        let program = machine.program();
        let user = fault.stack.iter().find(|frame| is_users(program, frame.function));
        let Some(user) = user else { return };
        let depth = fault.stack.iter().filter(|it| is_users(program, it.function)).count();
        let line = Line { function: user.function, depth, place: fault.blame };
        if self.line.is_none_or(|known| !known.is_same(line)) {
            self.begin(program, line, sources);
        }
        let member = faulting_member(machine);
        if let Some(draft) = self.drafts.last_mut() {
            let excerpt = Excerpt::Chain(member.as_deref());
            if let Some(place) = span(program, fault.blame, excerpt, sources) {
                draft.place = place;
            }
            draft.events.push(Event::Fault);
        }
    }

    fn begin(&mut self, program: &Program, line: Line, sources: &mut Sources) {
        let Some(place) = span(program, line.place, Excerpt::Chain(None), sources) else { return };
        self.line = Some(line);
        self.seen.clear();
        self.drafts.push(Draft {
            place,
            function: program.functions[line.function].name.clone(),
            depth: line.depth,
            events: Vec::new(),
            state: self.state.clone(),
        });
    }

    /// New calls know their parameters; calls that have ended are forgotten.
    fn follow_calls(&mut self, machine: &Machine<'_>) {
        let frames = machine.frames();
        while self.known_calls > frames.len() {
            self.known_calls -= 1;
            let gone = self.known_calls;
            self.assigned.retain(|(frame, _), _| *frame != gone);
        }
        while self.known_calls < frames.len() {
            let number = self.known_calls;
            let function = &machine.program().functions[frames[number].function];
            self.assigned.extend(function.parameters.iter().map(|id| ((number, *id), true)));
            self.known_calls += 1;
        }
    }

    /// Whether the edge only ends the life of a variable of a block.
    fn note_assignment(
        &mut self,
        program: &Program,
        passed: Passed,
        edge: &Edge,
        sources: &mut Sources,
    ) -> bool {
        let Some(id) = written_variable(&edge.operation) else { return false };
        let frame = passed.depth - 1;
        let is_local = program.variables[id].function == Some(passed.function);
        if !is_local || !is_named(program, id) || frame >= self.known_calls {
            return false;
        }
        // A pointer is nulled at the brace of its block when the block ends.
        let at = span(program, edge.place, Excerpt::Chain(None), sources);
        let is_brace = at.and_then(|at| sources.words(&at)).is_some_and(|it| it.starts_with('{'));
        if is_brace && matches!(edge.operation, Operation::Assign { .. }) {
            self.assigned.remove(&(frame, id));
            return true;
        }
        let is_drawn =
            matches!(edge.operation, Operation::Input { source: InputSource::Uninitialised, .. });
        self.assigned.insert((frame, id), !is_drawn);
        false
    }

    fn edge_events(
        &self,
        machine: &Machine<'_>,
        passed: Passed,
        edge: &Edge,
        sources: &mut Sources,
    ) -> Vec<Event> {
        let program = machine.program();
        let frame = passed.depth - 1;
        let mut events = Vec::new();
        match &edge.operation {
            Operation::Assume { holds, .. } => {
                let place = span(program, edge.place, Excerpt::Condition, sources);
                let written = place.as_ref().and_then(|place| sources.words(place));
                if let (Some(place), Some(written)) = (place, written) {
                    events.push(Event::Decision { written, truth: *holds, place });
                }
            }
            Operation::Call { callee, .. } if machine.frames().len() > passed.depth => {
                let called = machine.frames()[passed.depth].function;
                if let Callee::Direct(_) | Callee::Indirect(_) = callee
                    && is_users(program, called)
                {
                    events.push(call(machine, passed.depth, called));
                }
                return events;
            }
            Operation::Return { .. } => {
                let function = program.functions[passed.function].name.clone();
                return vec![Event::Return { function }];
            }
            Operation::Input { target, source: InputSource::Nondeterministic(name) } => {
                let value = match variable(machine, frame, *target) {
                    RawValue::Bits(bits) => number(program.variables[*target].scalar, bits),
                    RawValue::Pointer { .. } | RawValue::Function(_) | RawValue::Uninitialised => {
                        "an address".to_owned()
                    }
                };
                events.push(Event::Input { name: name.clone(), value });
            }
            Operation::Skip
            | Operation::Assign { .. }
            | Operation::Input { .. }
            | Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Copy { .. }
            | Operation::Disjoint { .. }
            | Operation::Fill { .. }
            | Operation::Allocate { .. }
            | Operation::Free { .. }
            | Operation::BlockSize { .. }
            | Operation::Enter { .. }
            | Operation::Leave { .. }
            | Operation::Call { .. }
            | Operation::Halt(_)
            | Operation::Fail(_)
            | Operation::Unsupported { .. } => {}
        }
        let target = written_variable(&edge.operation).filter(|id| is_named(program, *id));
        events.extend(
            target.map(|id| Event::Assign { variable: plain_name(&program.variables[id].name) }),
        );
        events
    }
}

/// A call of a function, whose frame has this number.
fn call(machine: &Machine<'_>, frame: usize, function: FunctionId) -> Event {
    let program = machine.program();
    let function = &program.functions[function];
    let argument = |id: &VariableId| match variable(machine, frame, *id) {
        RawValue::Bits(0) if program.variables[*id].scalar.is_pointer() => "NULL".to_owned(),
        RawValue::Bits(bits) => number(program.variables[*id].scalar, bits),
        RawValue::Function(id) => program.functions[id].name.clone(),
        RawValue::Pointer { .. } | RawValue::Uninitialised => "…".to_owned(),
    };
    let arguments = function.parameters.iter().map(argument).collect();
    Event::Call { function: function.name.clone(), arguments }
}

/// Whether a user knows the variable.
fn is_named(program: &Program, id: VariableId) -> bool {
    match program.variables[id].kind {
        VariableKind::Parameter | VariableKind::Local | VariableKind::Global { .. } => true,
        VariableKind::Temporary => false,
    }
}

/// Heap blocks that came and went between two states.
fn block_events(before: &RawState, after: &RawState) -> Vec<Event> {
    // There may be thousands of blocks, and this is asked at every edge.
    let lives: BTreeMap<u64, Life> =
        before.blocks.iter().map(|block| (block.serial, block.life)).collect();
    let mut events = Vec::new();
    for block in after.blocks.iter().filter(|block| block.kind == BlockKind::Heap) {
        match lives.get(&block.serial) {
            None => events.push(Event::Allocate { block: block.serial }),
            Some(Life::Alive) if block.life == Life::Freed => {
                events.push(Event::Free { block: block.serial });
            }
            Some(Life::Alive | Life::Freed | Life::OutOfScope) => {}
        }
    }
    events
}

/// How many of the outermost calls are of the user's functions.
fn users_depth(machine: &Machine<'_>, depth: usize) -> usize {
    let frames = machine.frames();
    let program = machine.program();
    let inner = frames.iter().take(depth.saturating_sub(1));
    inner.filter(|frame| is_users(program, frame.function)).count() + 1
}

/// Where the innermost function of the user's is.
fn users_line(machine: &Machine<'_>) -> Option<Line> {
    let program = machine.program();
    let frames = machine.frames();
    let index = frames.iter().rposition(|frame| is_users(program, frame.function))?;
    let depth = frames[..=index].iter().filter(|it| is_users(program, it.function)).count();
    Some(Line { function: frames[index].function, depth, place: frames[index].place })
}

/// The member that the operation under way accesses: the last one of its path.
fn faulting_member(machine: &Machine<'_>) -> Option<String> {
    let program = machine.program();
    let frame = machine.frames().last().copied()?;
    let body = program.functions[frame.function].body.as_ref()?;
    let mut edges = body.edges.iter().filter(|edge| edge.source == frame.location);
    let access = edges.find_map(|edge| match &edge.operation {
        Operation::Load { access, .. } | Operation::Store { access, .. } => Some(*access),
        _ => None,
    })?;
    let steps = program.paths[access.path].steps.iter().rev();
    let mut fields = steps.filter_map(|step| match step {
        PathStep::Field { record, index } => {
            Some(program.types.record(*record).fields[*index as usize].name.clone())
        }
        PathStep::Element(_) => None,
    });
    fields.next().filter(|name| !name.is_empty())
}
