//! States from the trees of their texts, relative to a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::{FunctionId, LocationId, ObjectId, ScalarType, VariableId};
use imbl::{OrdMap, Vector};

use crate::definition::Definitions;
use crate::heap::block::{BlockId, BlockKind, Origin};
use crate::heap::names::Names;
use crate::heap::state::{Frame, Outside, State};
use crate::heap::text::parse::{FrameText, HeapSyntaxError, OutsideText, Piece, StateText, read};

/// What names mean in a part of the text.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub(super) blocks: BTreeMap<String, BlockId>,
    /// Numbers, truth values, and addresses with `&`.
    pub(super) terms: BTreeMap<String, TermId>,
    pub(super) origins: BTreeMap<String, Origin>,
    /// What instances are of.
    pub(super) definitions: Arc<Definitions>,
    /// How many prototypes are around.
    pub(super) depth: usize,
}

pub(super) type Read<T> = Result<T, HeapSyntaxError>;

impl Names<'_> {
    /// The state of a text. What a text does not tell, such as the inputs that were drawn, is as at
    /// the start of the program.
    pub(crate) fn parse_state(&mut self, text: &str) -> Read<State> {
        let tree = read(text)?;
        let whole = Piece { line: 1, text: "" };
        let start = self.start.as_ref().map_err(|reason| whole.error(reason.text.clone()))?;
        let mut state = start.as_ref().clone();
        let mut scope = Scope::default();
        for (name, calls) in &tree.origins {
            let calls = self.parse_calls(calls)?;
            let origin = self.origin_of_calls(calls);
            scope.origins.insert(name.text.to_owned(), origin);
        }
        scope.definitions = Arc::new(self.parse_definitions(&tree.definitions)?);
        for number in &tree.body.numbers {
            self.reserve(number.name.text);
            let sort = number.width.map_or(Sort::Boolean, Sort::BitVector);
            let term = self.terms.variable(number.name.text, sort);
            scope.terms.insert(number.name.text.to_owned(), term);
        }
        Arc::make_mut(&mut state.globals).fill(None);
        for (name, value) in &tree.globals {
            let variable = self.parse_variable(name, None)?;
            let value = self.parse_value(&scope, variable, value)?;
            Arc::make_mut(&mut state.globals)[self.facts.slot(variable)] = Some(value);
        }
        if let Some(outside) = &tree.outside {
            state.outside = Some(Arc::new(self.parse_outside(&scope, outside)?));
        }
        state.frames = self.parse_frames(&scope, &tree)?;
        let start = state.blocks.clone();
        if state.outside.is_some() {
            let of_program = start.iter().filter(|(_, block)| block.is_of_program());
            state.blocks = of_program.map(|(&id, block)| (id, Arc::clone(block))).collect();
        }
        for block in &tree.body.blocks {
            let id = parse_block_name(&scope, &block.name)?;
            let mut parsed = self.parse_block(&scope, block, start.get(&id))?;
            if matches!(parsed.kind, BlockKind::Heap | BlockKind::Stack | BlockKind::Constant) {
                parsed.serial = state.next_serial;
                state.next_serial += 1;
            }
            if let Some(before) = start.get(&id)
                && before.kind != parsed.kind
            {
                return Err(block.name.error(format!("{id} is another block of the program")));
            }
            state.blocks.insert(id, Arc::new(parsed));
            state.next_block = state.next_block.max(id.index() as u32 + 1);
        }
        for condition in &tree.body.conditions {
            let term = self.parse_term(&scope, condition, Sort::Boolean)?;
            state.condition.push_back(term);
        }
        // Addresses of blocks that are no more are not given again.
        state.next_block = state.next_block.max(self.address_count());
        state.model = None;
        self.well_formed(&state).map_err(|problem| whole.error(problem))?;
        Ok(state)
    }

    fn parse_calls(&self, calls: &Piece<'_>) -> Read<Vec<(FunctionId, LocationId)>> {
        if calls.text == "the start" {
            return Ok(Vec::new());
        }
        let call = |text: &str| {
            let (function, location) = text.trim().split_once(' ')?;
            Some((self.program().function_named(function)?, parse_location(location)?))
        };
        calls
            .text
            .split(" from ")
            .map(|text| call(text).ok_or_else(|| calls.error("not `FUNCTION LOCATION`")))
            .collect()
    }

    fn parse_outside(&mut self, scope: &Scope, text: &OutsideText<'_>) -> Read<Outside> {
        let function = self.parse_function(&text.function)?;
        let mut value = |(sort, value): &(Piece<'_>, Piece<'_>)| {
            let width = sort.text.strip_suffix(" bits").and_then(|width| width.parse().ok());
            let sort = match width.filter(|width| (1..=128).contains(width)) {
                Some(width) => Sort::BitVector(width),
                None if sort.text == "truth" => Sort::Boolean,
                None => return Err(sort.error("neither `WIDTH bits` nor `truth`")),
            };
            self.parse_term(scope, value, sort)
        };
        let held = text.held.iter().map(&mut value).collect::<Read<Vec<TermId>>>()?;
        let result = text.result.as_ref().map(value).transpose()?;
        Ok(Outside { function, held, result })
    }

    /// A function that has a body.
    fn parse_function(&self, name: &Piece<'_>) -> Read<FunctionId> {
        let program = self.program();
        program
            .function_named(name.text)
            .filter(|&function| program.functions[function].body.is_some())
            .ok_or_else(|| name.error("there is no such function"))
    }

    fn parse_frames(&mut self, scope: &Scope, tree: &StateText<'_>) -> Read<Vector<Frame>> {
        let mut frames: Vector<Frame> = Vector::new();
        for frame in &tree.frames {
            let caller = frames.last().map(|caller| caller.function);
            frames.push_back(self.parse_frame(scope, frame, caller)?);
        }
        Ok(frames)
    }

    fn parse_frame(
        &mut self,
        scope: &Scope,
        frame: &FrameText<'_>,
        caller: Option<FunctionId>,
    ) -> Read<Frame> {
        let program = self.program();
        let function = self.parse_function(&frame.function)?;
        let locations = program.functions[function].body.as_ref().map_or(0, |b| b.location_count);
        let location = parse_location(frame.location.text)
            .filter(|location| location.index() < locations)
            .ok_or_else(|| frame.location.error("the function has no such location"))?;
        let target = match &frame.target {
            Some(target) => Some(match target.after("global ") {
                Some(name) => self.parse_variable(&name, None)?,
                None => self.parse_variable(target, caller)?,
            }),
            None => None,
        };
        let mut registers = vec![None; self.facts.slot_count(function)];
        for (name, value) in &frame.registers {
            let variable = self.parse_variable(name, Some(function))?;
            registers[self.facts.slot(variable)] = Some(self.parse_value(scope, variable, value)?);
        }
        let mut objects = OrdMap::new();
        for (name, block) in &frame.objects {
            let object = self.parse_object(name, Some(function))?;
            objects.insert(object, parse_block_name(scope, block)?);
        }
        let allocas = frame.allocas.iter().map(|block| parse_block_name(scope, block));
        let allocas = allocas.collect::<Read<Vector<BlockId>>>()?;
        Ok(Frame { function, location, registers: Arc::new(registers), objects, allocas, target })
    }

    fn parse_variable(&self, name: &Piece<'_>, function: Option<FunctionId>) -> Read<VariableId> {
        let mut variables = self.program().variables.enumerated();
        variables
            .find(|(_, variable)| variable.function == function && variable.name == name.text)
            .map(|(id, _)| id)
            .ok_or_else(|| name.error(format!("there is no variable `{}`", name.text)))
    }

    fn parse_object(&self, name: &Piece<'_>, function: Option<FunctionId>) -> Read<ObjectId> {
        let mut objects = self.program().objects.enumerated();
        objects
            .find(|(_, object)| object.function == function && object.name == name.text)
            .map(|(id, _)| id)
            .ok_or_else(|| name.error(format!("there is no object `{}`", name.text)))
    }

    fn parse_value(
        &mut self,
        scope: &Scope,
        variable: VariableId,
        value: &Piece<'_>,
    ) -> Read<TermId> {
        let sort = match self.program().variables[variable].scalar {
            ScalarType::Bool => Sort::Boolean,
            ty => Sort::BitVector(self.bits(ty)),
        };
        self.parse_term(scope, value, sort)
    }

    pub(super) fn parse_term(
        &mut self,
        scope: &Scope,
        text: &Piece<'_>,
        sort: Sort,
    ) -> Read<TermId> {
        // Addresses that are not known to the scope get their terms before the text is read.
        let mut addresses = BTreeMap::new();
        for name in text.text.split('&').skip(1) {
            let name: String =
                name.chars().take_while(|c| c.is_alphanumeric() || *c == '.').collect();
            let block = Piece { line: text.line, text: &name };
            if let Ok(id) = parse_block_name(scope, &block) {
                addresses.insert(format!("&{name}"), self.address(id));
            }
        }
        let mut names = |_: &mut Terms, name: &str| {
            scope.terms.get(name).or_else(|| addresses.get(name)).copied()
        };
        let term = self.terms.parse(text.text, sort, &mut names);
        term.map_err(|error| text.error(format!("{} in `{}`", error, text.text)))
    }
}

fn parse_location(text: &str) -> Option<LocationId> {
    Some(LocationId::from_index(text.strip_prefix('L')?.parse::<u32>().ok()? as usize))
}

/// A block of the state, or of the prototypes around.
pub(super) fn parse_block_name(scope: &Scope, name: &Piece<'_>) -> Read<BlockId> {
    if let Some(&known) = scope.blocks.get(name.text) {
        return Ok(known);
    }
    let number = name.text.strip_prefix('b').and_then(|number| number.parse::<u32>().ok());
    // Far below the numbers of stand-ins.
    match number.filter(|&number| number < 1 << 24) {
        Some(number) => Ok(BlockId::from_index(number as usize)),
        None => Err(name.error(format!("`{}` is no block; blocks are b1, b2, …", name.text))),
    }
}
