//! One edge of the program: the forests that it leads to, or why it is not known to be right.
//!
//! An operation that touches a closed block, or reads what a block in a hole is told, asks for it to be opened and is
//! made again in each case. Reading order: this file, `memory` (accesses), `branch` (tests), `call`.

mod branch;
mod call;
mod memory;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use heapwright_engine::Task;
use heapwright_forest_text::{Automaton, BlockId, Body, Cells, Forest, Spot, Term, Value, opened};
use heapwright_memory::FaultKind;
use heapwright_program::analysis::Charts;
use heapwright_program::{
    Edge, EdgeId, ExpressionId, Failure, Halt, ObjectId, Operation, Program, VariableId,
    divisions_of,
};
use heapwright_property::Part;

use crate::alarm::{Alarm, Doubt};
use crate::holder::holder_opened;
use crate::leak::{forget, lost};
use crate::value::{Held, Values, number};

/// What an operation gives.
pub(crate) type Stepped = Result<Vec<Forest>, Obstacle>;

/// Why an operation cannot be made.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    /// It touches a closed block.
    Closed(BlockId),
    /// It reads what a block in a hole is told.
    Told(BlockId),
    Doubt(Doubt),
}

impl From<Doubt> for Obstacle {
    fn from(doubt: Doubt) -> Obstacle {
        Obstacle::Doubt(doubt)
    }
}

/// Blocks of a forest between two loop heads, and forests of one step.
const MOST_BLOCKS: usize = 48;
const MOST_CASES: usize = 512;

/// Makes steps of a program.
#[derive(Clone, Debug)]
pub(crate) struct Stepper<'a> {
    task: &'a Task,
    charts: Rc<Charts>,
}

impl<'a> Stepper<'a> {
    pub(crate) fn of(task: &'a Task) -> Stepper<'a> {
        Stepper { task, charts: Rc::new(Charts::of(&task.program)) }
    }

    pub(crate) fn program(&self) -> &'a Program {
        &self.task.program
    }

    /// The edges that leave a place.
    pub(crate) fn outgoing(&self, spot: &Spot) -> &[EdgeId] {
        &self.charts.of_function(spot.function).outgoing[spot.location]
    }

    /// Whether states meet here: at the heads of loops.
    pub(crate) fn is_cut(&self, spot: &Spot) -> bool {
        self.charts.is_head(spot.function, spot.location)
    }

    /// Whether lost blocks matter to what is asked.
    pub(crate) fn asks_for_leaks(&self) -> bool {
        let specification = &self.task.specification;
        specification.asks(Part::ValidMemtrack) || specification.asks(Part::ValidMemcleanup)
    }

    /// The forests that an edge leads to. None: no execution passes it from here, or all end there.
    pub(crate) fn step(&self, forest: Forest, id: EdgeId) -> Result<Vec<Forest>, Alarm> {
        let body = self.program().functions[forest.spot.function].body.as_ref();
        let edge = &body.expect("a state is in a body").edges[id];
        let raise = |doubt| Alarm { doubt, place: Some(edge.place) };
        let mut found = Vec::new();
        let mut pending = vec![forest];
        let mut cases = 0;
        while let Some(forest) = pending.pop() {
            cases += 1;
            if cases > MOST_CASES || forest.blocks.len() > MOST_BLOCKS {
                return Err(raise(Doubt::not_carried("so many blocks apart")));
            }
            self.divisions(&forest, &edge.operation).map_err(raise)?;
            match self.operation(forest.clone(), edge, id) {
                Ok(next) => found.extend(next),
                Err(Obstacle::Closed(block)) => pending.extend(opened(&forest, block)),
                Err(Obstacle::Told(block)) => {
                    pending.extend(holder_opened(&forest, block).map_err(raise)?);
                }
                Err(Obstacle::Doubt(doubt)) => return Err(raise(doubt)),
            }
        }
        for forest in &mut found {
            self.tidy(forest).map_err(raise)?;
        }
        Ok(found)
    }

    /// Blocks that nothing leads to are lost: a violation, or of no interest.
    pub(crate) fn tidy(&self, forest: &mut Forest) -> Result<(), Doubt> {
        let lost: BTreeSet<BlockId> = lost(forest, self.program().model.pointer_size());
        if lost.is_empty() {
            return Ok(());
        }
        if self.asks_for_leaks() {
            return Err(Doubt::Violation(Part::ValidMemtrack));
        }
        forget(forest, &lost);
        Ok(())
    }

    /// Where somebody asks about divisions by zero, every divisor is known not to be.
    fn divisions(&self, forest: &Forest, operation: &Operation) -> Result<(), Doubt> {
        let asked = self.task.part_of(FaultKind::DivisionByZero);
        let asked = asked.filter(|&part| self.task.specification.asks(part));
        let may_be_zero = |(_, divisor): (ExpressionId, ExpressionId)| {
            number(self.value(forest, divisor)).is_none_or(|bits| bits == 0)
        };
        match asked {
            Some(part) if divisions_of(self.program(), operation).into_iter().any(may_be_zero) => {
                Err(Doubt::Violation(part))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn operation(&self, mut forest: Forest, edge: &Edge, id: EdgeId) -> Stepped {
        let before = std::mem::replace(&mut forest.spot.location, edge.target);
        match &edge.operation {
            Operation::Skip => Ok(vec![forest]),
            Operation::Assume { condition, holds } => Ok(self.assume(forest, *condition, *holds)),
            Operation::Assign { target, value } => {
                let value = self.value(&forest, *value);
                Ok(vec![self.with(forest, *target, value)])
            }
            Operation::Input { target, .. } => Ok(vec![self.with(forest, *target, Value::Any)]),
            Operation::Load { target, access } => self.load(forest, *target, access),
            Operation::Store { access, value } => self.store(forest, access, *value),
            Operation::Copy { target, source, size, initialises } => {
                self.copy(forest, (*target, *initialises), *source, *size)
            }
            Operation::Disjoint { left, right, size } => {
                self.disjoint(forest, [*left, *right], *size)
            }
            Operation::Fill { target, byte, size, initialises } => {
                self.fill(forest, (*target, *initialises), *byte, *size)
            }
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(forest, *target, (*storage, *size, *zeroed))
            }
            Operation::Free { address } => self.free(forest, *address),
            Operation::Enter { size: Some(_), .. } => Err(alloca().into()),
            Operation::Enter { object, size: None } => {
                self.end_object(&mut forest, *object);
                forest.objects.insert(*object, Cells::new());
                Ok(vec![forest])
            }
            Operation::Leave { object } => {
                self.end_object(&mut forest, *object);
                Ok(vec![forest])
            }
            Operation::Call { callee, arguments, .. } => {
                forest.spot.location = before;
                self.call(forest, id, *callee, arguments)
            }
            Operation::Return { value } => self.return_from(forest, *value),
            Operation::Halt(Halt::AssumptionFailed) => Ok(Vec::new()),
            Operation::Halt(Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort) => {
                self.end(forest)
            }
            Operation::Fail(failure) => self.fail(failure),
            Operation::BlockSize { .. } => {
                Err(Doubt::not_carried("the size of a block, as `realloc` asks for it").into())
            }
            Operation::Unsupported { construct } => Err(Doubt::not_carried(construct).into()),
        }
    }

    /// The program ends here: what is left counts, and what only a variable leads to that nobody reads.
    fn end(&self, mut forest: Forest) -> Stepped {
        if self.task.specification.asks(Part::ValidMemcleanup) && !forest.blocks.is_empty() {
            return Err(Doubt::Violation(Part::ValidMemcleanup).into());
        }
        self.drop_dead(&mut forest);
        self.tidy(&mut forest)?;
        Ok(Vec::new())
    }

    /// Forgets variables that nobody reads any more.
    pub(crate) fn drop_dead(&self, forest: &mut Forest) {
        let place = (forest.spot.function, forest.spot.location);
        let (program, calls) = (self.program(), &forest.spot.calls);
        forest.variables.retain(|it, _| self.charts.is_live(program, *it, calls, place));
    }

    fn fail(&self, failure: &Failure) -> Stepped {
        let specification = &self.task.specification;
        match failure {
            Failure::Assertion { .. } => {
                match specification.assertions && specification.asks(Part::UnreachCall) {
                    true => Err(Doubt::Violation(Part::UnreachCall).into()),
                    // The execution ends, in a way that nobody asks about.
                    false => Ok(Vec::new()),
                }
            }
            Failure::Size { .. } | Failure::Usage { .. } => {
                Err(Doubt::Violation(Part::ValidDeref).into())
            }
            Failure::Overflow { .. } => Err(Doubt::Violation(Part::NoOverflow).into()),
        }
    }

    pub(crate) fn value(&self, forest: &Forest, id: ExpressionId) -> Held {
        Values { program: self.program(), forest }.of(id)
    }

    /// The forest in which a variable has a value.
    fn with(&self, mut forest: Forest, target: VariableId, value: Held) -> Forest {
        self.set(&mut forest, target, value);
        forest
    }

    pub(crate) fn set(&self, forest: &mut Forest, target: VariableId, value: Held) {
        forest.variables.remove(&target);
        let is_number = number(value).is_some();
        let scalar = self.program().variables[target].scalar;
        if value != Value::Any && (scalar.is_pointer() || scalar.is_whole() && is_number) {
            forest.variables.insert(target, value);
        }
    }

    /// The life of an object ends: pointers to it may be anything.
    fn end_object(&self, forest: &mut Forest, object: ObjectId) {
        forest.objects.remove(&object);
        let forgotten = |value: &mut Held| {
            if leads_into(*value, object) {
                *value = Value::Any;
            }
        };
        forest.variables.values_mut().for_each(forgotten);
        let cells = forest.objects.values_mut().flat_map(|cells| cells.values_mut());
        cells.map(|cell| &mut cell.holds).for_each(forgotten);
        for body in forest.blocks.values_mut() {
            body.values_mut().into_iter().for_each(forgotten);
            if let Body::Closed { automaton, .. } = body
                && let Some(without) = without_object(automaton, object)
            {
                *automaton = Arc::new(without);
            }
        }
    }
}

fn alloca() -> Doubt {
    Doubt::not_carried("memory of `alloca`, arrays of variable size")
}

fn leads_into<B>(value: Value<B>, object: ObjectId) -> bool {
    matches!(value, Value::Object(it, _) if it == object)
}

/// An automaton in which pointers to an object may be anything, if it has some.
fn without_object(automaton: &Automaton, object: ObjectId) -> Option<Automaton> {
    let mut without = automaton.clone();
    let mut is_changed = false;
    for state in without.states.iter_mut() {
        let changed = std::mem::take(&mut state.rules).into_iter().map(|mut rule| {
            for cell in rule.values_mut() {
                let values: Vec<&mut Value<_>> = match &mut cell.holds {
                    Term::Value(value) => vec![value],
                    Term::Tree { arguments: values, .. } | Term::Hole { ups: values, .. } => {
                        values.iter_mut().collect()
                    }
                };
                for value in values {
                    if leads_into(*value, object) {
                        *value = Value::Any;
                        is_changed = true;
                    }
                }
            }
            rule.retain(|_, cell| cell.holds != Term::Value(Value::Any));
            rule
        });
        state.rules = changed.collect();
    }
    is_changed.then_some(without)
}
