//! Whether a concrete state is one that a text stands for.
//!
//! It is if the text's numbers have values, and its blocks are different blocks of the state, such
//! that every variable and cell has the value that the state has there. These are found by walking
//! from the call stack on: a pointer tells which block a name stands for. Where a list may end, what
//! kind a node is, and where the hole of a tree is, is tried, one after the other; what no walk settles
//! is asked of the solver, once for each way that is left.
//!
//! A byte that the state has not initialised may become anything: it fits whatever the text leaves
//! open, and nothing that the text fixes.

mod block;
mod chain;
mod downward;
mod extents;
mod finish;
mod in_order;
mod measures;
mod predicate;
mod row;
mod spelling;
mod start;
mod tree;
mod unify;

use std::rc::Rc;

use heapwright_logic::{Model, TermId, Terms};
use heapwright_memory::Life;
use imbl::{OrdMap, OrdSet, Vector};

use crate::concrete::{Block, Concrete, Held};
use crate::contains::chain::Link;
use crate::contains::predicate::PredicateNode;
use crate::contains::row::Element;
use crate::contains::tree::TreeNode;
use crate::names::Claim;
use crate::scope::Scope;
use crate::syntax::{BlockText, Shape};

/// Whether a state is one that a text stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    In,
    /// With what does not fit.
    Out(String),
    /// Neither was found out within the limits.
    Unclear(String),
}

/// How much is tried before a question is given up, and what is asked.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes that are tried as something.
    pub tries: u32,
    /// Questions to the solver.
    pub questions: u32,
    /// Conflicts of the solver in one question.
    pub conflicts: u32,
    /// Whether every heap block that is alive must be one of the text's. It need not where nobody
    /// asks for leaks: then a proof forgets what it has lost.
    pub is_whole: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { tries: 4000, questions: 16, conflicts: 2000, is_whole: true }
    }
}

/// Whether a state is one that a claim stands for.
#[must_use]
pub fn contains(claim: &Claim, state: &dyn Concrete, limits: &Limits) -> Fit {
    let pointer_bits = 8 * state.program().model.pointer_size() as u32;
    let mut search = Search {
        claim,
        state,
        terms: Terms::new(),
        limits: *limits,
        pointer_bits,
        doubt: None,
        farthest: (0, String::new()),
    };
    let found = search.start().and_then(|matching| search.settle(matching));
    match (found, search.doubt) {
        (Ok(()), _) => Fit::In,
        (Err(_), Some(doubt)) => Fit::Unclear(doubt),
        (Err(mismatch), None) => {
            let (_, farthest) = search.farthest;
            Fit::Out(if farthest.is_empty() { mismatch } else { farthest })
        }
    }
}

/// Whether a state is one that one of several claims stands for.
#[must_use]
pub fn contains_any<'c>(
    claims: impl IntoIterator<Item = &'c Claim>,
    state: &dyn Concrete,
    limits: &Limits,
) -> Fit {
    let (mut problems, mut doubt) = (Vec::new(), None);
    for claim in claims {
        match contains(claim, state, limits) {
            Fit::In => return Fit::In,
            Fit::Out(problem) => problems.push(problem),
            Fit::Unclear(why) => doubt = Some(why),
        }
    }
    match doubt {
        Some(why) => Fit::Unclear(why),
        None => Fit::Out(problems.join("; ")),
    }
}

/// Whether a block of a text is a list or a tree that may have no node: its name may be null.
fn may_be_empty(text: &BlockText) -> bool {
    match &text.shape {
        Shape::List(list) => list.minimum == 0,
        Shape::Tree(tree) => tree.may_be_empty,
        Shape::Plain(_)
        | Shape::LastOf(_)
        | Shape::Instance(_)
        | Shape::Row(_)
        | Shape::Slot(_) => false,
    }
}

/// Why a way to match does not lead to a match.
type Mismatch = String;
type Tried<T> = Result<T, Mismatch>;

struct Search<'s> {
    claim: &'s Claim,
    state: &'s dyn Concrete,
    terms: Terms,
    /// What is left of them.
    limits: Limits,
    pointer_bits: u32,
    /// Why some way was not followed to its end, if one was not.
    doubt: Option<String>,
    /// The mismatch of the way that took the most blocks, for readers.
    farthest: (usize, String),
}

/// A block of the text, or one of a node of it.
#[derive(Clone, Debug)]
struct Instance<'s> {
    text: &'s BlockText,
    scope: Rc<Scope>,
    /// The variable that stands for its address.
    address: TermId,
    block: Option<Block>,
    /// It is a list without nodes.
    is_empty: bool,
}

type InstanceId = usize;

/// A value that a term has to have.
#[derive(Clone, Copy, Debug)]
struct Demand {
    term: TermId,
    held: Held,
}

/// Something that can be done in several ways.
#[derive(Clone, Debug)]
enum Open {
    /// The first node of a list is this block.
    List(InstanceId, Block),
    /// Where the list goes on behind a node.
    Next(Link),
    /// A node of a tree.
    Tree(TreeNode),
    /// A node of an instance.
    Predicate(PredicateNode),
    /// An element of a row.
    Element(Element),
}

/// A way to match, as far as it has come. Where there are several ways on, each has a copy, which shares what they have in
/// common.
#[derive(Clone, Debug, Default)]
struct Matching<'s> {
    values: Model,
    known: usize,
    instances: Vector<Instance<'s>>,
    /// By their address variables.
    by_address: OrdMap<TermId, InstanceId>,
    taken: OrdSet<Block>,
    /// The nodes of lists that are spelt, as far as they are followed.
    chains: OrdMap<InstanceId, Vector<Block>>,
    demands: Vec<Demand>,
    open: Vec<Open>,
    /// Formulas that must hold and are not decided yet.
    left: Vec<TermId>,
    /// How many values were known when these were looked at last.
    looked: usize,
}

impl<'s> Search<'s> {
    /// Does what is to be done, and where there are several ways, tries each.
    fn settle(&mut self, mut matching: Matching<'s>) -> Tried<()> {
        let settled = self.settle_plain(&mut matching);
        if let Err(mismatch) = settled {
            return Err(self.noted(&matching, mismatch));
        }
        match matching.open.pop() {
            Some(Open::List(instance, block)) => self.first_node(&matching, instance, block),
            Some(Open::Next(link)) => self.next_node(&matching, &link),
            Some(Open::Tree(node)) => self.tree_node(&matching, &node),
            Some(Open::Predicate(node)) => self.predicate_node(&matching, &node),
            Some(Open::Element(element)) => self.element_of_row(&matching, element),
            None => match (self.row_or_slot(&matching), self.nameless(&matching)) {
                (Some(instance), _) => self.begin_elements(&matching, instance),
                (None, Some(instance)) => self.any_block(&matching, instance),
                (None, None) => {
                    let spelt = self.obeys_spellings(&matching);
                    let all = spelt.and_then(|spelt| self.obeys_laws(&spelt));
                    let finished = all.and_then(|all| self.finish(&all));
                    finished.map_err(|mismatch| self.noted(&matching, mismatch))
                }
            },
        }
    }

    /// Does what can be done in one way only.
    fn settle_plain(&mut self, matching: &mut Matching<'s>) -> Tried<()> {
        loop {
            if let Some(demand) = matching.demands.pop() {
                self.demand(matching, demand.term, demand.held)?;
            } else if matching.looked != matching.known {
                matching.looked = matching.known;
                for formula in std::mem::take(&mut matching.left) {
                    self.demand(matching, formula, Held { bits: 1, block: None })?;
                }
            } else {
                return Ok(());
            }
        }
    }

    /// Tries one way after the other; a way that is not followed leaves a doubt.
    fn any_of<T>(
        &mut self,
        ways: impl IntoIterator<Item = T>,
        mut follow: impl FnMut(&mut Self, T) -> Tried<()>,
    ) -> Tried<()> {
        let mut problem = "there is no way to match it".to_owned();
        for way in ways {
            if self.limits.tries == 0 {
                self.doubt = Some("there are too many ways to write it out".to_owned());
                return Err(problem);
            }
            self.limits.tries -= 1;
            match follow(self, way) {
                Ok(()) => return Ok(()),
                Err(mismatch) => problem = mismatch,
            }
        }
        Err(problem)
    }

    /// A live block of the text that no pointer has led to: it has only its place in a list or tree.
    fn nameless(&self, matching: &Matching<'s>) -> Option<InstanceId> {
        matching.instances.iter().position(|instance| {
            let is_folded_or_plain = match instance.text.shape {
                Shape::Plain(_) | Shape::List(_) | Shape::Tree(_) | Shape::Instance(_) => true,
                Shape::LastOf(_) | Shape::Row(_) | Shape::Slot(_) => false,
            };
            let is_alive = instance.text.life == Life::Alive;
            is_alive && is_folded_or_plain && instance.block.is_none() && !instance.is_empty
        })
    }

    /// It may be any block that is not taken.
    fn any_block(&mut self, matching: &Matching<'s>, instance: InstanceId) -> Tried<()> {
        let candidates: Vec<Block> = (0..self.state.blocks().len())
            .filter(|block| !matching.taken.contains(block))
            .filter(|&block| self.may_be(matching, instance, block))
            .collect();
        let null = may_be_empty(matching.instances[instance].text).then_some(None);
        let ways = null.into_iter().chain(candidates.into_iter().map(Some));
        self.any_of(ways, |search, block| {
            let mut matching = matching.clone();
            let base = block.map_or(0, |block| search.state.blocks()[block].base);
            let address = matching.instances[instance].address;
            let held = Held { bits: u128::from(base), block };
            matching.demands.push(Demand { term: address, held });
            search.settle(matching)
        })
    }

    /// Remembers the mismatch of the way that came farthest.
    fn noted(&mut self, matching: &Matching<'s>, mismatch: Mismatch) -> Mismatch {
        let progress = 1 + matching.taken.len();
        if progress > self.farthest.0 {
            self.farthest = (progress, mismatch.clone());
        }
        mismatch
    }
}
