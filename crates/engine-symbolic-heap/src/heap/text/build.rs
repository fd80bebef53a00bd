//! States from the trees of their texts, relative to a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::{FunctionId, LocationId, ObjectId, ScalarType, VariableId};
use imbl::{OrdMap, OrdSet, Vector};

use crate::context::Context;
use crate::heap::state::{
    BACK, Block, BlockId, BlockKind, Cell, Direction, END, FIRST, Frame, Kind, LAST, Life, Order,
    Origin, Outside, Rest, Role, Segment, State, Tree, TreeLinks,
};
use crate::heap::text::parse::{
    BlockText, FrameText, HeapSyntaxError, KindText, NumberText, OutsideText, Piece, StateText,
    read,
};
use crate::heap::text::print::prefix;
use crate::interprocedural::CallPart;
use crate::summary::list::facts::language::{MOST_KINDS, Sequence};
use crate::summary::prototype::Bank;

/// What names mean in a part of the text.
#[derive(Clone, Default)]
struct Scope {
    blocks: BTreeMap<String, BlockId>,
    /// Numbers, truth values, and addresses with `&`.
    terms: BTreeMap<String, TermId>,
    origins: BTreeMap<String, Origin>,
    /// How many kinds are around.
    depth: usize,
}

type Read<T> = Result<T, HeapSyntaxError>;

impl Context<'_> {
    /// The state of a text whose first line may say what it tells of which call.
    pub(crate) fn parse_part(&mut self, text: &str) -> Read<(Option<CallPart>, State)> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        match CallPart::read(first.trim()) {
            // The line stays, empty, so that errors have the right number.
            Some(part) => Ok((Some(part), self.parse_state(&format!("\n{rest}"))?)),
            None => Ok((None, self.parse_state(text)?)),
        }
    }

    /// The state of a text. What a text does not tell, such as the inputs that were drawn, is as at
    /// the start of the program.
    pub(crate) fn parse_state(&mut self, text: &str) -> Read<State> {
        let tree = read(text)?;
        let whole = Piece { line: 1, text: "" };
        let mut state = self.initial().map_err(|reason| whole.error(reason.text))?;
        let mut scope = Scope::default();
        for (name, calls) in &tree.origins {
            let calls = self.parse_calls(calls)?;
            let origin = self.origin_of_calls(calls);
            scope.origins.insert(name.text.to_owned(), origin);
        }
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
            Arc::make_mut(&mut state.globals)[self.slot(variable)] = Some(value);
        }
        if let Some(outside) = &tree.outside {
            state.outside = Some(Arc::new(self.parse_outside(&scope, outside)?));
        }
        state.frames = self.parse_frames(&scope, &tree)?;
        let start = state.blocks.clone();
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
        let mut registers = vec![None; self.slot_count(function)];
        for (name, value) in &frame.registers {
            let variable = self.parse_variable(name, Some(function))?;
            registers[self.slot(variable)] = Some(self.parse_value(scope, variable, value)?);
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

    fn parse_term(&mut self, scope: &Scope, text: &Piece<'_>, sort: Sort) -> Read<TermId> {
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

    fn parse_block(
        &mut self,
        scope: &Scope,
        text: &BlockText<'_>,
        start: Option<&Arc<Block>>,
    ) -> Read<Block> {
        let pointer = Sort::BitVector(self.pointer_bits());
        let (mut kind, mut size, mut life, mut rest) = (None, None, Life::Alive, None);
        let (mut role, mut origins, mut order) = (Role::Region, Vec::new(), None);
        for part in &text.parts {
            let words = part.words();
            match words.as_slice() {
                ["heap"] => kind = Some(BlockKind::Heap),
                ["stack"] => kind = Some(BlockKind::Stack),
                ["constant"] => kind = Some(BlockKind::Constant),
                ["static" | "string", ..] | ["function", _] => {
                    kind = start.map(|block| block.kind);
                    if words.len() == 2 {
                        rest = start.map(|block| block.rest);
                    }
                }
                [.., "bytes"] => {
                    let bytes = part.text.strip_suffix("bytes").unwrap_or_default().trim();
                    let bytes = Piece { line: part.line, text: bytes };
                    size = Some(self.parse_term(scope, &bytes, pointer)?);
                }
                ["freed"] => life = Life::Freed,
                ["out", "of", "scope"] => life = Life::OutOfScope,
                ["zeroed"] => rest = Some(Rest::Zero),
                ["last", "of", _] => {
                    let first = part.after("last of ").expect("it is there");
                    role = Role::LastOf(parse_block_name(scope, &first)?);
                }
                ["list", "of", minimum, how @ ..] => {
                    role = self.parse_list(scope, part, minimum, how, text)?;
                }
                ["ascending", "by", place] => {
                    order = Some(parse_order(part, place, Direction::Up)?);
                }
                ["descending", "by", place] => {
                    order = Some(parse_order(part, place, Direction::Down)?);
                }
                ["tree", "by", how @ ..] => {
                    role = self.parse_tree(scope, part, how, text)?;
                }
                ["made", "at", names @ ..] => {
                    for name in names {
                        let origin = scope.origins.get(*name);
                        let origin = origin.ok_or_else(|| part.error("no such origin"))?;
                        origins.push(*origin);
                    }
                }
                _ => return Err(part.error(format!("`{}` is not known of blocks", part.text))),
            }
        }
        let kind =
            kind.ok_or_else(|| text.name.error("is it `heap`, `stack`, or of the program?"))?;
        let size = size.ok_or_else(|| text.name.error("`SIZE bytes` is missing"))?;
        let origin = match origins.first() {
            Some(&origin) => origin,
            None => self.origin_of_calls(Vec::new()),
        };
        match &mut role {
            Role::Segment(Segment { origins: all, .. }) | Role::Tree(Tree { origins: all, .. }) => {
                *all = origins.into_iter().chain([origin]).collect::<OrdSet<Origin>>();
            }
            Role::Region | Role::LastOf(_) => {}
        }
        if let Role::Segment(segment) = &mut role {
            segment.order = order;
        }
        let mut cells = OrdMap::new();
        for cell in &text.cells {
            let is_end = cell.size.is_none();
            if is_end != matches!(role, Role::Segment(_) | Role::Tree(_)) {
                let message = "lists and trees have `end` and `back`, other blocks `+OFFSET`";
                return Err(cell.value.error(message));
            }
            let size = match cell.offset {
                FIRST | LAST if is_end => order.map(|order| order.size),
                _ => cell.size.or(Some(self.model().pointer_size())),
            };
            let size = size.ok_or_else(|| cell.value.error("this list is not sorted"))?;
            let sort = Sort::BitVector(8 * size as u32);
            let value = self.parse_term(scope, &cell.value, sort)?;
            cells.insert(cell.offset, Cell { size, value });
        }
        if let Role::Segment(segment) = &role
            && (!cells.contains_key(&END) || cells.contains_key(&BACK) != segment.last.is_some())
        {
            return Err(text.name.error("a list has an `end`, and a `back` if it is linked back"));
        }
        if [FIRST, LAST].iter().any(|key| cells.contains_key(key) != order.is_some())
            && matches!(role, Role::Segment(_))
        {
            return Err(text.name.error("a sorted list has a `first` and a `last`, others do not"));
        }
        if let Role::Tree(tree) = &role {
            let knows_parent = tree.links.parent.is_some();
            let has_above = knows_parent && cells.contains_key(&END);
            if cells.contains_key(&BACK) != knows_parent || tree.above.is_some() != has_above {
                let message = "a tree whose nodes know their parents has a `back`, and `from` a \
                               block if it has an `end`; others have neither";
                return Err(text.name.error(message));
            }
        }
        let serial = start.map_or(u64::MAX, |block| block.serial);
        let rest = rest.unwrap_or(match kind {
            BlockKind::Function(_) => Rest::Zero,
            _ => Rest::Uninitialised,
        });
        Ok(Block { kind, life, size, cells, rest, serial, origin, role })
    }

    fn parse_list(
        &mut self,
        scope: &Scope,
        part: &Piece<'_>,
        minimum: &str,
        mut how: &[&str],
        text: &BlockText<'_>,
    ) -> Read<Role> {
        let wrong = || part.error("not `list of MINIMUM+ and back from LAST to +HEAD`");
        let offset = |word: &str| word.strip_prefix('+').and_then(|offset| offset.parse().ok());
        let minimum = minimum.strip_suffix('+').and_then(|minimum| minimum.parse().ok());
        let minimum = minimum.ok_or_else(wrong)?;
        let mut last = None;
        if let ["and", "back", "from", name, rest @ ..] = how {
            let name = Piece { line: part.line, text: name };
            last = Some(parse_block_name(scope, &name)?);
            how = rest;
        }
        let head = match how {
            [] => 0,
            ["to", head] => offset(head).ok_or_else(wrong)?,
            _ => return Err(wrong()),
        };
        let mut kinds = Vec::new();
        for kind in &text.kinds {
            kinds.push(Arc::new(self.parse_kind(scope, kind)?));
        }
        if kinds.len() > MOST_KINDS {
            return Err(part.error(format!("a list has at most {MOST_KINDS} kinds of nodes")));
        }
        let sequence = match &text.sequence {
            Some(piece) => Some(Sequence::read(piece.text, kinds.len()).ok_or_else(|| {
                piece.error("not `first KINDS, last KINDS, KIND then KINDS`, counted from 1")
            })?),
            None => None,
        };
        let origins = OrdSet::new();
        let order = None;
        Ok(Role::Segment(Segment { last, head, minimum, order, kinds, sequence, origins }))
    }

    fn parse_tree(
        &mut self,
        scope: &Scope,
        part: &Piece<'_>,
        how: &[&str],
        text: &BlockText<'_>,
    ) -> Read<Role> {
        let wrong =
            || part.error("not `tree by +OFFSET +OFFSET and up by +OFFSET from ABOVE to +HEAD`");
        let offset = |word: &str| word.strip_prefix('+').and_then(|offset| offset.parse().ok());
        let count = how.iter().take_while(|word| word.starts_with('+')).count();
        let (children, mut how) = how.split_at(count);
        let children: Option<Vec<u64>> = children.iter().map(|word| offset(word)).collect();
        let children = children.filter(|children| children.len() >= 2).ok_or_else(wrong)?;
        let (mut parent, mut above, mut head) = (None, None, 0);
        if let ["and", "up", "by", up, rest @ ..] = how {
            parent = Some(offset(up).ok_or_else(wrong)?);
            how = rest;
        }
        if let ["from", name, rest @ ..] = how {
            above = Some(parse_block_name(scope, &Piece { line: part.line, text: name })?);
            how = rest;
        }
        if let ["to", word, rest @ ..] = how {
            head = offset(word).ok_or_else(wrong)?;
            how = rest;
        }
        if !how.is_empty() {
            return Err(wrong());
        }
        let mut kinds = Vec::new();
        for kind in &text.kinds {
            kinds.push(Arc::new(self.parse_kind(scope, kind)?));
        }
        let links = TreeLinks { children, parent, head };
        Ok(Role::Tree(Tree { links, above, kinds, origins: OrdSet::new() }))
    }

    fn parse_kind(&mut self, scope: &Scope, text: &KindText<'_>) -> Read<Kind> {
        let height = text.height();
        let mut scope = scope.clone();
        let prefix = prefix(scope.depth);
        scope.depth += 1;
        let its = self.closed_neighbours(height);
        scope.terms.insert(format!("{prefix}next"), its.next);
        scope.terms.insert(format!("{prefix}previous"), its.previous);
        let mut numbers = Vec::new();
        for (index, NumberText { name, width }) in text.body.numbers.iter().enumerate() {
            let width = width.ok_or_else(|| name.error("nodes have no truth values"))?;
            let number = self.closed_number(height, index, width);
            if name.text != format!("{prefix}n{}", index + 1) {
                return Err(name.error(format!("this number is called `{prefix}n{}`", index + 1)));
            }
            scope.terms.insert(name.text.to_owned(), number);
            numbers.push(number);
        }
        let mut ids = Vec::new();
        for (index, block) in text.body.blocks.iter().enumerate() {
            let name = if index == 0 { "node".to_owned() } else { format!("owned{index}") };
            if block.name.text != format!("{prefix}{name}") {
                return Err(block.name.error(format!("this block is called `{prefix}{name}`")));
            }
            let id = Bank::Closed.block(height, index);
            scope.blocks.insert(block.name.text.to_owned(), id);
            ids.push(id);
        }
        if ids.is_empty() {
            return Err(text.start.error("a kind of node has a block called `node`"));
        }
        let mut blocks = OrdMap::new();
        for (block, id) in text.body.blocks.iter().zip(ids) {
            blocks.insert(id, Arc::new(self.parse_block(&scope, block, None)?));
        }
        let mut condition = Vec::new();
        for conjunct in &text.body.conditions {
            condition.push(self.parse_term(&scope, conjunct, Sort::Boolean)?);
        }
        condition.sort_unstable();
        condition.dedup();
        Ok(Kind { height, blocks, numbers, condition })
    }
}

fn parse_location(text: &str) -> Option<LocationId> {
    Some(LocationId::from_index(text.strip_prefix('L')?.parse::<u32>().ok()? as usize))
}

/// A block of the state, or of the kinds around.
fn parse_order(part: &Piece<'_>, place: &str, direction: Direction) -> Read<Order> {
    let (offset, size) = place
        .strip_prefix('+')
        .and_then(|place| place.split_once('/'))
        .and_then(|(offset, size)| Some((offset.parse().ok()?, size.parse().ok()?)))
        .filter(|&(_, size)| (1..=16).contains(&size))
        .ok_or_else(|| part.error("not `ascending by +OFFSET/SIZE`"))?;
    Ok(Order { offset, size, direction })
}

fn parse_block_name(scope: &Scope, name: &Piece<'_>) -> Read<BlockId> {
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
