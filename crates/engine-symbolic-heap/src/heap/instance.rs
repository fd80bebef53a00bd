//! Instances of predicates that a user defines: a root, and all that hangs on it but for what is in a hole.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdSet;

use crate::definition::{Definition, Definitions, Kind};
use crate::heap::block::{BlockId, End, Origin, Prototype};
use crate::heap::role::Summary;

/// At least one heap block. What its nodes are is told by a definition; the block has no cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    pub(crate) definitions: Arc<Definitions>,
    /// Which of them it is.
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    /// An instance within it that is told of elsewhere.
    pub(crate) hole: Option<Hole>,
    /// Where nodes were made. Not a fact that states are compared by.
    pub(crate) origins: OrdSet<Origin>,
}

/// One link of some node, behind which the blocks are others' business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hole {
    /// What the link is to lead to.
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    /// What it holds.
    pub(crate) value: TermId,
    /// The block that stands for the node that has the link, if an argument is its address.
    pub(crate) above: Option<BlockId>,
}

impl Instance {
    pub(crate) fn definition(&self) -> &Definition {
        &self.definitions.predicates[self.predicate]
    }

    /// Whether two say the same, arguments apart.
    pub(crate) fn is_like(&self, other: &Instance) -> bool {
        let hole = |instance: &Instance| instance.hole.as_ref().map(|hole| hole.predicate);
        self.predicate == other.predicate
            && hole(self) == hole(other)
            && self.has_definitions_of(other)
    }

    pub(crate) fn has_definitions_of(&self, other: &Instance) -> bool {
        Arc::ptr_eq(&self.definitions, &other.definitions) || self.definitions == other.definitions
    }
}

impl Summary for Instance {
    fn prototypes(&self) -> &[Arc<Prototype>] {
        &[]
    }

    fn prototypes_mut(&mut self) -> &mut [Arc<Prototype>] {
        &mut []
    }

    fn end(&self, end: End) -> Option<TermId> {
        match end {
            End::Next => self.hole.as_ref().map(|hole| hole.value),
            End::Argument(index) => self.arguments.get(usize::from(index)).copied(),
            End::HoleArgument(index) => {
                self.hole.as_ref()?.arguments.get(usize::from(index)).copied()
            }
            End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Array
            | End::From
            | End::To => None,
        }
    }

    fn end_mut(&mut self, end: End) -> Option<&mut TermId> {
        match end {
            End::Next => self.hole.as_mut().map(|hole| &mut hole.value),
            End::Argument(index) => self.arguments.get_mut(usize::from(index)),
            End::HoleArgument(index) => self.hole.as_mut()?.arguments.get_mut(usize::from(index)),
            End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Array
            | End::From
            | End::To => None,
        }
    }

    fn end_size(&self, end: End) -> Option<u64> {
        let kind = |predicate: usize, index: u8| {
            let definition = self.definitions.predicates.get(predicate)?;
            definition.parameters.get(usize::from(index))
        };
        let kind = match end {
            End::Argument(index) => kind(self.predicate, index),
            End::HoleArgument(index) => kind(self.hole.as_ref()?.predicate, index),
            End::Next
            | End::Previous
            | End::Leaf
            | End::First
            | End::Last
            | End::BeforeHole
            | End::BehindHole
            | End::Root(_)
            | End::AboveHole(_)
            | End::Length
            | End::Height
            | End::Array
            | End::From
            | End::To => None,
        };
        match kind? {
            Kind::Pointer => None,
            Kind::Number { bytes } => Some(*bytes),
        }
    }

    fn origins(&self) -> &OrdSet<Origin> {
        &self.origins
    }

    fn peer(&self) -> Option<BlockId> {
        self.hole.as_ref()?.above
    }

    fn peer_mut(&mut self) -> Option<&mut BlockId> {
        self.hole.as_mut()?.above.as_mut()
    }

    fn is_well_formed(&self) -> bool {
        let parameters =
            |of: usize| self.definitions.predicates.get(of).map(|of| of.parameters.len());
        let hole_fits = |hole: &Hole| parameters(hole.predicate) == Some(hole.arguments.len());
        parameters(self.predicate) == Some(self.arguments.len())
            && self.hole.as_ref().is_none_or(hole_fits)
    }

    fn words_of_line(&self, name: &dyn Fn(BlockId) -> String) -> Vec<String> {
        let mut text = format!("instance of {}", self.definition().name);
        if let Some(hole) = &self.hole {
            text += &format!(" without {}", self.definitions.predicates[hole.predicate].name);
            if let Some(above) = hole.above {
                text += &format!(" from {}", name(above));
            }
        }
        vec![text]
    }
}
