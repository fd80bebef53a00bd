//! A state before its numbers have values: blocks with cells that are terms.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_interpreter::BlockIdentity;
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_memory::Life;
use heapwright_program::{FunctionId, ObjectId, Program, ScalarType, VariableId};

use crate::expand::Script;
use crate::expand::extents::DraftExtent;
use crate::expand::row::Placed;
use crate::expand::spelling::DraftSpelling;
use crate::fixed::Fixed;
use crate::names::Claim;
use crate::scope::{Scope, declare, read};
use crate::syntax::{BlockText, CellText, Nature, Shape, TermText};

/// A block before its numbers have values.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) identity: BlockIdentity,
    pub(super) life: Life,
    pub(super) size: TermId,
    /// Offset, bytes and value.
    pub(super) cells: Vec<(u64, u64, TermId)>,
    /// What is where no cell is.
    pub(super) rest: Rest,
    /// How many bytes are zero from which offset on.
    pub(super) zero: Option<(u64, TermId)>,
    pub(super) extents: Vec<DraftExtent>,
}

/// Bytes that no cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Uninitialised,
    Zero,
    /// As at program start.
    Initial(ObjectId),
}

pub(super) type DraftId = usize;

/// Writes a claim out by a script.
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) claim: &'a Claim,
    pub(super) terms: Terms,
    pub(super) script: Script,
    /// Nodes that are still to be given to lists and trees.
    pub(super) extra: u32,
    pub(super) drafts: Vec<Draft>,
    /// Blocks by their address variables; one block may have two.
    pub(super) owners: BTreeMap<TermId, DraftId>,
    pub(super) functions: BTreeMap<TermId, FunctionId>,
    /// Elements of arrays at places that are numbers.
    pub(super) placed: Vec<Placed>,
    /// How lists are spelt.
    pub(super) spellings: Vec<DraftSpelling>,
    /// What must hold of the numbers.
    pub(super) conditions: Vec<TermId>,
    /// By frame, or a global one.
    pub(super) variables: Vec<(Option<usize>, VariableId, TermId)>,
    pub(super) pointer_bits: u32,
}

type Built<T> = Result<T, String>;

impl<'a> Builder<'a> {
    pub(super) fn new(
        program: &'a Program,
        claim: &'a Claim,
        script: Script,
        extra: u32,
    ) -> Builder<'a> {
        Builder {
            program,
            claim,
            terms: Terms::new(),
            script: script.again(),
            extra,
            drafts: Vec::new(),
            owners: BTreeMap::new(),
            functions: BTreeMap::new(),
            placed: Vec::new(),
            spellings: Vec::new(),
            conditions: Vec::new(),
            variables: Vec::new(),
            pointer_bits: 8 * program.model.pointer_size() as u32,
        }
    }

    pub(super) fn into_script(self) -> Script {
        self.script
    }

    /// Whether lists and trees have got all nodes that were to be given to them.
    pub(super) fn is_used_up(&self) -> bool {
        self.extra == 0
    }

    pub(super) fn build(&mut self) -> Built<()> {
        let claim = self.claim;
        if claim.outside.is_some() {
            return Err("a claim about a part of the memory".to_owned());
        }
        let mut scope = Scope::default();
        declare(&mut self.terms, &mut scope, &claim.body.numbers);
        let listed = claim.body.blocks.iter().map(|block| block.name.clone());
        for name in listed.chain(claim.fixed.iter().map(|(name, _)| name)) {
            let address = self.terms.variable(&format!("&{name}"), self.pointer());
            scope.name(format!("&{name}"), address);
        }
        let scope = Rc::new(scope);
        for block in &claim.body.blocks {
            self.block(block, &scope)?;
        }
        self.obey_spellings()?;
        self.fixed_blocks(&scope);
        self.unlisted_objects();
        self.read_variables(&scope)?;
        for condition in &claim.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            self.conditions.push(formula);
        }
        Ok(())
    }

    pub(super) fn pointer(&self) -> Sort {
        Sort::BitVector(self.pointer_bits)
    }

    pub(super) fn read(&mut self, scope: &Scope, text: &TermText, sort: Sort) -> Built<TermId> {
        read(&mut self.terms, scope, text, sort, self.pointer_bits)
    }

    fn read_variables(&mut self, scope: &Scope) -> Built<()> {
        let claim = self.claim;
        let globals = claim.globals.iter().map(|(variable, value)| (None, *variable, value));
        let frames = claim.frames.iter().enumerate().flat_map(|(index, frame)| {
            frame.variables.iter().map(move |(variable, value)| (Some(index), *variable, value))
        });
        for (frame, variable, value) in globals.chain(frames) {
            let sort = match self.program.variables[variable].scalar {
                ScalarType::Bool => Sort::Boolean,
                scalar => Sort::BitVector(scalar.value_bits(self.program.model)),
            };
            let term = self.read(scope, value, sort)?;
            self.variables.push((frame, variable, term));
        }
        Ok(())
    }

    /// Blocks of the program that the text does not list: they are as at its start.
    fn fixed_blocks(&mut self, scope: &Scope) {
        let claim = self.claim;
        for (name, fixed) in claim.fixed.iter() {
            let address = scope.find(&format!("&{name}")).expect("fixed blocks are named");
            match fixed {
                Fixed::Function(function) => _ = self.functions.insert(address, function),
                Fixed::Object(_) if self.owners.contains_key(&address) => {}
                Fixed::Object(object) => {
                    let size = self.program.objects[object].size.unwrap_or(0);
                    let size = self.terms.bit_vector(u128::from(size), self.pointer_bits);
                    let identity = BlockIdentity::Static(object);
                    let rest = Rest::Initial(object);
                    let (life, cells, zero) = (Life::Alive, vec![], None);
                    let draft = Draft { identity, life, size, cells, rest, zero, extents: vec![] };
                    self.add(draft, address);
                }
            }
        }
    }

    /// Local objects whose blocks the text does not list are as they came to life with `main`.
    fn unlisted_objects(&mut self) {
        let claim = self.claim;
        for (frame, item) in claim.frames.iter().enumerate() {
            for (object, name) in &item.objects {
                let address = self.terms.variable(&format!("&{name}"), self.pointer());
                if !self.owners.contains_key(&address) {
                    let size = self.program.objects[*object].size.unwrap_or(0);
                    let size = self.terms.bit_vector(u128::from(size), self.pointer_bits);
                    let identity = BlockIdentity::Local { frame, object: *object };
                    let (life, rest) = (Life::Alive, Rest::Uninitialised);
                    let (cells, zero, extents) = (vec![], None, vec![]);
                    self.add(Draft { identity, life, size, cells, rest, zero, extents }, address);
                }
            }
        }
    }

    pub(super) fn add(&mut self, draft: Draft, address: TermId) -> DraftId {
        self.drafts.push(draft);
        self.owners.insert(address, self.drafts.len() - 1);
        self.drafts.len() - 1
    }

    /// A block of the text, or of a node, by the name that it has in the scope.
    pub(super) fn block(&mut self, text: &BlockText, scope: &Rc<Scope>) -> Built<()> {
        let address = scope.find(&format!("&{}", text.name)).expect("blocks are named first");
        match &text.shape {
            Shape::LastOf(_) => {}
            Shape::Plain(_) => _ = self.plain(text, scope, address)?,
            Shape::List(list) if text.life == Life::Alive => self.list(list, scope, address)?,
            Shape::Tree(tree) if text.life == Life::Alive => self.tree(tree, scope, address)?,
            Shape::Instance(instance) if text.life == Life::Alive => {
                self.instance(instance, scope, address)?;
            }
            Shape::Row(row) => self.row(row, scope)?,
            Shape::Slot(slot) => self.slot(slot, scope)?,
            Shape::List(_) | Shape::Tree(_) | Shape::Instance(_) => {
                return Err("a list that was freed as a whole".to_owned());
            }
        }
        Ok(())
    }

    pub(super) fn plain(
        &mut self,
        text: &BlockText,
        scope: &Rc<Scope>,
        address: TermId,
    ) -> Built<DraftId> {
        let size = self.read(scope, &text.size, self.pointer())?;
        let texts: &[CellText] = match &text.shape {
            Shape::Plain(cells) if text.life == Life::Alive => cells,
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => &[],
        };
        let mut cells = Vec::new();
        for CellText { offset, size, value } in texts {
            let value = self.read(scope, value, Sort::BitVector(8 * *size as u32))?;
            cells.push((*offset, *size, value));
        }
        let (identity, life) = (self.identity(text)?, text.life);
        let rest = match (&text.nature, identity, text.is_zeroed) {
            (
                Nature::Static(Some(_)) | Nature::String(Some(_)),
                BlockIdentity::Static(object),
                _,
            ) => Rest::Initial(object),
            (_, _, true) => Rest::Zero,
            (_, _, false) => Rest::Uninitialised,
        };
        let zero = match text.zero.as_ref().filter(|_| life == Life::Alive) {
            Some(zero) => {
                let at = self.read(scope, &zero.at, self.pointer())?;
                self.demand_zero((zero.size, at), size, &cells);
                Some((zero.size, at))
            }
            None => None,
        };
        let mut extents = Vec::new();
        for extent in &text.extents {
            extents.push(self.extent(extent, scope)?);
        }
        Ok(self.add(Draft { identity, life, size, cells, rest, zero, extents }, address))
    }

    /// Zeros are in their block, and cells that have a byte of them have a zero there.
    fn demand_zero(
        &mut self,
        (count, at): (u64, TermId),
        size: TermId,
        cells: &[(u64, u64, TermId)],
    ) {
        let bits = self.pointer_bits;
        let count_term = self.terms.bit_vector(u128::from(count), bits);
        let room = self.terms.unsigned_less_equal(count_term, size);
        let last = self.terms.subtract(size, count_term);
        let fits = self.terms.unsigned_less_equal(at, last);
        self.conditions.extend([room, fits]);
        for &(offset, width, value) in cells {
            for (index, step) in (0..width).flat_map(|index| (0..count).map(move |s| (index, s))) {
                let place = u128::from(offset + index).wrapping_sub(u128::from(step));
                let place = self.terms.bit_vector(place, bits);
                let is_elsewhere = self.terms.not_equal(at, place);
                let low = 8 * index as u32;
                let byte = self.terms.extract(value, low + 7, low);
                let nothing = self.terms.bit_vector(0, 8);
                let is_zero = self.terms.equal(byte, nothing);
                let follows = self.terms.or(is_elsewhere, is_zero);
                self.conditions.push(follows);
            }
        }
    }

    fn identity(&self, text: &BlockText) -> Built<BlockIdentity> {
        let frames = &self.claim.frames;
        match &text.nature {
            Nature::Heap => Ok(BlockIdentity::Heap),
            Nature::Stack | Nature::Constant => {
                for (frame, item) in frames.iter().enumerate() {
                    if let Some((object, _)) = item.objects.iter().find(|(_, b)| *b == text.name) {
                        return Ok(BlockIdentity::Local { frame, object: *object });
                    }
                    if item.allocas.contains(&text.name) {
                        return Ok(BlockIdentity::Alloca { frame });
                    }
                }
                match text.life {
                    Life::Alive => Err(format!("{} belongs to no call", text.name)),
                    // Whose it was makes no difference any more.
                    Life::Freed | Life::OutOfScope => Ok(BlockIdentity::Alloca { frame: 0 }),
                }
            }
            Nature::Static(_) | Nature::String(_) => match self.claim.fixed.named(&text.name) {
                Some(Fixed::Object(object)) => Ok(BlockIdentity::Static(object)),
                Some(Fixed::Function(_)) | None => Err(format!("{} is no object", text.name)),
            },
            Nature::Function(_) => Err("a function that has changed".to_owned()),
            Nature::Elements => Err("elements are no block of their own".to_owned()),
        }
    }
}
