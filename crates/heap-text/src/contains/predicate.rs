//! Instances of predicates that a text defines: which blocks one stands for.
//!
//! The bytes of a node say where its links lead; what is tried is its case, where instances are empty, and where the
//! hole is, if there is one. Numbers that a case names are unknown, until fields and laws say what they are.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{Demand, InstanceId, Matching, Open, Search, Tried};
use crate::law::LawText;
use crate::predicate::{CaseText, NodeText, PredicateText, WordText};
use crate::syntax::{InstanceText, Shape};

/// A node of an instance that is still to be looked at.
#[derive(Clone, Debug)]
pub(super) struct PredicateNode {
    instance: InstanceId,
    /// By its index among those of the text.
    predicate: usize,
    node: Block,
    arguments: Vec<TermId>,
    /// Whether the hole is somewhere below.
    has_hole: bool,
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As one of the cases of its predicate, which has no node.
    Empty {
        case: usize,
    },
    Node {
        has_hole: bool,
    },
    Hole,
}

impl<'s> Search<'s> {
    /// An instance has a block as its root.
    pub(super) fn open_predicate(
        &mut self,
        matching: &mut Matching<'s>,
        instance: InstanceId,
        node: Block,
    ) -> Tried<()> {
        let text = self.instance_text(matching, instance);
        let scope = Rc::clone(&matching.instances[instance].scope);
        let predicate = self.predicate_named(&text.predicate)?;
        let claim = self.claim;
        let mut arguments = Vec::new();
        for (argument, bytes) in text.arguments.iter().zip(&claim.predicates[predicate].parameters)
        {
            let sort = self.sort_of(*bytes);
            arguments.push(self.read(&scope, argument, sort)?);
        }
        let has_hole = text.hole.is_some();
        let node = PredicateNode { instance, predicate, node, arguments, has_hole };
        matching.open.push(Open::Predicate(node));
        Ok(())
    }

    fn instance_text(&self, matching: &Matching<'s>, instance: InstanceId) -> &'s InstanceText {
        match &matching.instances[instance].text.shape {
            Shape::Instance(instance) => instance,
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Row(_)
            | Shape::Slot(_) => {
                unreachable!("an instance")
            }
        }
    }

    /// Of a number with so many bytes, or of a pointer.
    fn sort_of(&self, bytes: Option<u64>) -> Sort {
        Sort::BitVector(bytes.map_or(self.pointer_bits, |bytes| 8 * bytes as u32))
    }

    fn predicate_named(&self, name: &str) -> Tried<usize> {
        let found = self.claim.predicates.iter().position(|item| item.name == name);
        found.ok_or_else(|| format!("the text does not define {name}"))
    }

    /// A node is of some case, and its links go on in some way.
    pub(super) fn predicate_node(
        &mut self,
        matching: &Matching<'s>,
        node: &PredicateNode,
    ) -> Tried<()> {
        let definition = &self.claim.predicates[node.predicate];
        let mut all: Vec<(&'s NodeText, Vec<Way>)> = Vec::new();
        for case in &definition.cases {
            let CaseText::Node(case) = case else { continue };
            all.extend(self.ways(matching, node, case)?.into_iter().map(|ways| (case, ways)));
        }
        self.any_of(all, |search, (case, ways)| {
            let mut matching = matching.clone();
            match search.predicate_node_so(&mut matching, node, (case, &ways)) {
                Ok(()) => search.settle(matching),
                Err(mismatch) => Err(search.noted(&matching, mismatch)),
            }
        })
    }

    /// All ways in which the links of a node may go on.
    fn ways(
        &self,
        matching: &Matching<'s>,
        node: &PredicateNode,
        case: &NodeText,
    ) -> Tried<Vec<Vec<Way>>> {
        let hole = self.instance_text(matching, node.instance).hole.as_ref();
        let hole = hole.filter(|_| node.has_hole);
        let mut all: Vec<Vec<Way>> = vec![Vec::new()];
        for (name, _) in &case.links {
            let target: &PredicateText = &self.claim.predicates[self.predicate_named(name)?];
            let mut ways: Vec<Way> = Vec::new();
            for (case, text) in target.cases.iter().enumerate() {
                match text {
                    CaseText::Empty(_) => ways.push(Way::Empty { case }),
                    CaseText::Node(_) => {}
                }
            }
            ways.push(Way::Node { has_hole: false });
            if let Some(hole) = hole {
                ways.push(Way::Node { has_hole: true });
                ways.extend((hole.predicate == *name).then_some(Way::Hole));
            }
            let longer = |before: &Vec<Way>| {
                let before = before.clone();
                ways.clone().into_iter().map(move |way| [before.clone(), vec![way]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        let is_hole = |way: &&Way| matches!(way, Way::Hole | Way::Node { has_hole: true });
        let holes = usize::from(hole.is_some());
        all.retain(|ways| ways.iter().filter(is_hole).count() == holes);
        Ok(all)
    }

    fn predicate_node_so(
        &mut self,
        matching: &mut Matching<'s>,
        node: &PredicateNode,
        (case, ways): (&NodeText, &[Way]),
    ) -> Tried<()> {
        let definition = &self.claim.predicates[node.predicate];
        let size = self.state.blocks()[node.node].size;
        if size != definition.size {
            return Err(format!("a node of {} has {size} bytes", definition.name));
        }
        let mut links: Vec<Option<Held>> = vec![None; case.links.len()];
        let sorts: Vec<Sort> = case.variables.iter().map(|&of| self.sort_of(Some(of))).collect();
        let names = sorts.into_iter().map(|sort| self.terms.fresh_variable("number", sort));
        let variables: Vec<TermId> = names.collect();
        for &(offset, size, word) in &case.fields {
            let held = bits_of(self.state, node.node, offset, size);
            let held = held.ok_or_else(|| format!("nothing was written at +{offset}/{size}"))?;
            match word {
                WordText::Link(index) => {
                    let known = links[index].get_or_insert(held);
                    if known.bits != held.bits {
                        return Err(format!("+{offset}/{size} is another link than one before"));
                    }
                }
                WordText::Number(number) if number == held.bits => {}
                WordText::Number(number) => {
                    return Err(format!("+{offset}/{size} is not {number}"));
                }
                WordText::Null
                | WordText::This
                | WordText::Parameter(_)
                | WordText::Variable(_) => {
                    let term = self.word(node, word, (&links, &variables))?;
                    self.demand(matching, term, held)?;
                }
            }
        }
        self.laws(matching, &case.laws, (&node.arguments, &variables))?;
        for ((name, words), (link, way)) in case.links.iter().zip(links.iter().zip(ways)) {
            let held = link.ok_or_else(|| "a link is in no field".to_owned())?;
            let mut arguments = Vec::new();
            for &word in words {
                arguments.push(self.word(node, word, (&links, &variables))?);
            }
            self.link(matching, node, (name, arguments), (held, *way))?;
        }
        self.settle_plain(matching)
    }

    /// The laws of a case hold.
    fn laws(
        &mut self,
        matching: &mut Matching<'s>,
        laws: &[LawText],
        (parameters, variables): (&[TermId], &[TermId]),
    ) -> Tried<()> {
        let term = |word: WordText| match word {
            WordText::Parameter(index) => Some(parameters[index]),
            WordText::Variable(index) => Some(variables[index]),
            WordText::Null | WordText::This | WordText::Link(_) | WordText::Number(_) => None,
        };
        for law in laws {
            let formula = law.formula(&mut self.terms, &term);
            let formula = formula.ok_or_else(|| format!("`{law}` compares nothing"))?;
            self.demand(matching, formula, Held { bits: 1, block: None })?;
        }
        Ok(())
    }

    /// What a word of a case is for a node.
    fn word(
        &mut self,
        node: &PredicateNode,
        word: WordText,
        (links, variables): (&[Option<Held>], &[TermId]),
    ) -> Tried<TermId> {
        let bits = match word {
            WordText::Null => 0,
            WordText::This => u128::from(self.state.blocks()[node.node].base),
            WordText::Parameter(index) => return Ok(node.arguments[index]),
            WordText::Variable(index) => return Ok(variables[index]),
            WordText::Link(index) => {
                links[index].ok_or_else(|| "a link is in no field".to_owned())?.bits
            }
            WordText::Number(number) => number,
        };
        Ok(self.terms.bit_vector(bits, self.pointer_bits))
    }

    /// A link leads where the way says.
    fn link(
        &mut self,
        matching: &mut Matching<'s>,
        node: &PredicateNode,
        (name, arguments): (&str, Vec<TermId>),
        (held, way): (Held, Way),
    ) -> Tried<()> {
        let has_hole = match way {
            Way::Empty { case } => return self.empty(matching, (name, case), &arguments, held),
            Way::Hole => return self.fill(matching, node, (arguments, held)),
            Way::Node { has_hole } => has_hole,
        };
        let below = (0..self.state.blocks().len()).find(|&block| {
            let item = &self.state.blocks()[block];
            item.is_live_heap() && u128::from(item.base) == held.bits
        });
        let below = below.ok_or_else(|| format!("no live block is the root of {name}"))?;
        self.take(matching, below)?;
        let (instance, predicate) = (node.instance, self.predicate_named(name)?);
        let node = PredicateNode { instance, predicate, node: below, arguments, has_hole };
        matching.open.push(Open::Predicate(node));
        Ok(())
    }

    /// A link leads to an instance without a node.
    fn empty(
        &mut self,
        matching: &mut Matching<'s>,
        (name, case): (&str, usize),
        arguments: &[TermId],
        held: Held,
    ) -> Tried<()> {
        let predicate = self.predicate_named(name)?;
        let claim = self.claim;
        let CaseText::Empty(empty) = &claim.predicates[predicate].cases[case] else {
            unreachable!("the case has no node")
        };
        match empty.parameter {
            Some(index) => self.demand(matching, arguments[index], held)?,
            None if held.bits == 0 => {}
            None => return Err(format!("an instance of {name} is not empty")),
        }
        self.laws(matching, &empty.laws, (arguments, &[]))
    }

    /// The hole is here.
    fn fill(
        &mut self,
        matching: &mut Matching<'s>,
        node: &PredicateNode,
        (arguments, held): (Vec<TermId>, Held),
    ) -> Tried<()> {
        let text = self.instance_text(matching, node.instance);
        let hole = text.hole.as_ref().ok_or_else(|| "there is no hole".to_owned())?;
        let scope = Rc::clone(&matching.instances[node.instance].scope);
        let pointer = Sort::BitVector(self.pointer_bits);
        let end = self.read(&scope, &hole.end, pointer)?;
        self.demand(matching, end, held)?;
        if let Some(above) = &hole.above {
            let term = scope.find(&format!("&{above}"));
            let term = term.ok_or_else(|| format!("{above} is not listed"))?;
            let bits = u128::from(self.state.blocks()[node.node].base);
            matching.demands.push(Demand { term, held: Held { bits, block: Some(node.node) } });
        }
        for (argument, wanted) in arguments.into_iter().zip(&hole.arguments) {
            let sort = self.terms.sort(argument);
            let wanted = self.read(&scope, wanted, sort)?;
            let formula = self.terms.equal(argument, wanted);
            matching.demands.push(Demand { term: formula, held: Held { bits: 1, block: None } });
        }
        Ok(())
    }
}
