//! Where a search starts: the call stack, the globals, and the blocks that have names.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{ObjectKind, ScalarType, VariableId};

use crate::concrete::{Block, Held, Identity, Life};
use crate::contains::{Demand, Instance, Matching, Search, Tried};
use crate::fixed::Fixed;
use crate::scope::{Scope, declare, read};
use crate::syntax::{BlockText, Nature, TermText};

/// Bytes of a static object that are compared with its initial ones.
const COMPARED: u64 = 4096;

impl<'s> Search<'s> {
    pub(super) fn start(&mut self) -> Tried<Matching<'s>> {
        let (claim, state) = (self.claim, self.state);
        if claim.outside.is_some() {
            return Err("a claim about a part of the memory".to_owned());
        }
        if claim.stack() != state.stack() {
            return Err("another call stack".to_owned());
        }
        let mut matching = Matching::default();
        let mut scope = Scope::default();
        declare(&mut self.terms, &mut scope, &claim.body.numbers);
        self.name_blocks(&mut scope);
        let scope = Rc::new(scope);
        for block in &claim.body.blocks {
            self.add_instance(&mut matching, block, &scope)?;
        }
        self.start_fixed(&mut matching)?;
        self.start_objects(&mut matching, &scope)?;
        self.start_variables(&mut matching, &scope)?;
        for condition in &claim.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            matching.left.push(formula);
        }
        matching.looked = usize::MAX;
        Ok(matching)
    }

    /// Address variables of the blocks that the text lists, and of those of the program.
    fn name_blocks(&mut self, scope: &mut Scope) {
        let claim = self.claim;
        let sort = Sort::BitVector(self.pointer_bits);
        let listed = claim.body.blocks.iter().map(|block| block.name.clone());
        for name in listed.chain(claim.fixed.iter().map(|(name, _)| name)) {
            let name = format!("&{name}");
            if scope.find(&name).is_none() {
                let address = self.terms.variable(&name, sort);
                scope.name(name, address);
            }
        }
    }

    /// A block of the text whose address has a name in the scope.
    pub(super) fn add_instance(
        &mut self,
        matching: &mut Matching<'s>,
        text: &'s BlockText,
        scope: &Rc<Scope>,
    ) -> Tried<usize> {
        let address = scope.find(&format!("&{}", text.name)).expect("blocks are named first");
        let id = matching.instances.len();
        if matching.by_address.insert(address, id).is_some() {
            return Err(format!("{} is listed twice", text.name));
        }
        matching.instances.push_back(Instance {
            text,
            scope: Rc::clone(scope),
            address,
            block: None,
            is_empty: false,
        });
        Ok(id)
    }

    /// The blocks that are there before the program runs: those that the text does not list are as
    /// they were then.
    fn start_fixed(&mut self, matching: &mut Matching<'s>) -> Tried<()> {
        let (claim, state) = (self.claim, self.state);
        let pointer = Sort::BitVector(self.pointer_bits);
        for (block, item) in state.blocks().iter().enumerate() {
            let fixed = match item.identity {
                Identity::Object(object) => Fixed::Object(object),
                Identity::Function(function) => Fixed::Function(function),
                Identity::Heap | Identity::Stack | Identity::Foreign => continue,
            };
            let Some(name) = claim.fixed.name_of(fixed) else { continue };
            let term = self.terms.variable(&format!("&{name}"), pointer);
            let held = Held { bits: u128::from(item.base), block: Some(block) };
            matching.demands.push(Demand { term, held });
            if !matching.by_address.contains_key(&term)
                && let Fixed::Object(object) = fixed
            {
                self.is_as_at_start(block, object)?;
            }
        }
        Ok(())
    }

    /// Whether a static object has its initial bytes.
    fn is_as_at_start(&self, block: Block, object: heapwright_program::ObjectId) -> Tried<()> {
        let item = &self.state.program().objects[object];
        let ObjectKind::Static { bytes, addresses } = &item.kind else { return Ok(()) };
        let pointer = self.state.program().model.pointer_size();
        let size = self.state.blocks()[block].size.min(COMPARED);
        for offset in 0..size {
            let is_address = |start: u64| (start..start + pointer).contains(&offset);
            if addresses.iter().any(|address| is_address(address.offset)) {
                continue;
            }
            let initial = bytes.get(offset as usize).copied().unwrap_or(0);
            if self.state.byte(block, offset) != Some(initial) {
                let name = &item.name;
                return Err(format!("byte {offset} of `{name}` is not as at the start"));
            }
        }
        for address in addresses {
            let target = self.fixed_block(match address.target {
                heapwright_program::AddressTarget::Object(object) => Fixed::Object(object),
                heapwright_program::AddressTarget::Function(function) => Fixed::Function(function),
            });
            let held = self.state.word(block, address.offset);
            let is_it = target.zip(held).is_none_or(|(target, held)| {
                let base = self.state.blocks()[target].base;
                self.masked(u128::from(base.wrapping_add_signed(address.addend))) == held.bits
            });
            if !is_it {
                return Err(format!("an address in `{}` is not as at the start", item.name));
            }
        }
        Ok(())
    }

    fn fixed_block(&self, fixed: Fixed) -> Option<Block> {
        self.state.blocks().iter().position(|block| match fixed {
            Fixed::Object(object) => block.identity == Identity::Object(object),
            Fixed::Function(function) => block.identity == Identity::Function(function),
        })
    }

    /// Local objects: exactly those that the text lists are alive.
    fn start_objects(&mut self, matching: &mut Matching<'s>, scope: &Scope) -> Tried<()> {
        let (claim, state) = (self.claim, self.state);
        for (index, frame) in claim.frames.iter().enumerate() {
            for (object, name) in &frame.objects {
                let Some(block) = state.object(index, *object) else {
                    return Err(format!("the object of {name} is not alive"));
                };
                // A block that is not listed is as it came to life with the call of `main`.
                let name = format!("&{name}");
                let pointer = Sort::BitVector(self.pointer_bits);
                let known = scope.find(&name);
                let term = known.unwrap_or_else(|| self.terms.variable(&name, pointer));
                let held =
                    Held { bits: u128::from(state.blocks()[block].base), block: Some(block) };
                matching.demands.push(Demand { term, held });
            }
            for (object, item) in state.program().objects.enumerated() {
                let is_listed = frame.objects.iter().any(|(known, _)| *known == object);
                let is_local = item.kind == ObjectKind::Local;
                if is_local
                    && item.function == Some(frame.function)
                    && !is_listed
                    && state.object(index, object).is_some()
                {
                    return Err(format!("`{}` is alive and not in the text", item.name));
                }
            }
        }
        Ok(())
    }

    fn start_variables(&mut self, matching: &mut Matching<'s>, scope: &Scope) -> Tried<()> {
        let claim = self.claim;
        for (variable, value) in &claim.globals {
            self.start_variable(matching, scope, (0, *variable), value)?;
        }
        for (index, frame) in claim.frames.iter().enumerate() {
            // Nobody looks at the parameters of `main`: a proof gives them no value of their own.
            let parameters = &self.state.program().functions[frame.function].parameters;
            let parameters = parameters.clone();
            for (variable, value) in &frame.variables {
                if index > 0 || !parameters.contains(variable) {
                    self.start_variable(matching, scope, (index, *variable), value)?;
                }
            }
        }
        Ok(())
    }

    fn start_variable(
        &mut self,
        matching: &mut Matching<'s>,
        scope: &Scope,
        (frame, variable): (usize, VariableId),
        value: &TermText,
    ) -> Tried<()> {
        let model = self.state.program().model;
        let sort = match self.state.program().variables[variable].scalar {
            ScalarType::Bool => Sort::Boolean,
            scalar => Sort::BitVector(scalar.value_bits(model)),
        };
        let term = self.read(scope, value, sort)?;
        if let Some(held) = self.state.variable(frame, variable) {
            matching.demands.push(Demand { term, held });
        }
        Ok(())
    }

    /// Reads a term of the text. One that cannot be read is a doubt and no mismatch.
    pub(super) fn read(&mut self, scope: &Scope, text: &TermText, sort: Sort) -> Tried<TermId> {
        read(&mut self.terms, scope, text, sort, self.pointer_bits).inspect_err(|error| {
            self.doubt = Some(error.clone());
        })
    }

    /// Whether a block of the state is of the nature and life that an instance has.
    pub(super) fn may_be(&self, matching: &Matching<'s>, instance: usize, block: Block) -> bool {
        let text = matching.instances[instance].text;
        let item = &self.state.blocks()[block];
        let is_of_nature = match &text.nature {
            Nature::Heap => item.identity == Identity::Heap,
            Nature::Stack | Nature::Constant => item.identity == Identity::Stack,
            Nature::Static(_) | Nature::String(_) => {
                matches!(item.identity, Identity::Object(_) | Identity::Foreign)
            }
            Nature::Function(_) => matches!(item.identity, Identity::Function(_)),
            Nature::Elements => false,
        };
        let is_alive = |life| life == Life::Alive;
        is_of_nature && is_alive(item.life) == is_alive(text.life)
    }
}
