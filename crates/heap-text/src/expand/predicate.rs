//! Instances of predicates that a text defines, written out node by node. Numbers are left to the laws of their cases.

use std::rc::Rc;

use heapwright_interpreter::BlockIdentity;
use heapwright_logic::{Sort, TermId};
use heapwright_memory::Life;

use crate::expand::draft::{Builder, Draft, Rest};
use crate::law::LawText;
use crate::predicate::{CaseText, NodeText, WordText};
use crate::scope::Scope;
use crate::syntax::{HoleText, InstanceText};

/// Levels that an instance gets, at most.
const LEVELS: u32 = 5;

type Built<T> = Result<T, String>;

/// An instance that is being written out.
struct Growth<'t> {
    scope: Rc<Scope>,
    /// Nodes still to be made, beyond those that must be.
    left: u32,
    /// What is still to get its place.
    hole: Option<&'t HoleText>,
}

/// A node that is to be written.
struct Bud {
    predicate: usize,
    arguments: Vec<TermId>,
    address: TermId,
    levels: u32,
}

/// How a link goes on.
#[derive(Clone, Copy)]
enum Way {
    /// As one of the cases of its predicate, which has no node.
    Empty {
        case: usize,
        /// What the link is then, or null.
        parameter: Option<usize>,
    },
    Node,
    Hole,
}

impl Builder<'_> {
    pub(super) fn instance(
        &mut self,
        text: &InstanceText,
        scope: &Rc<Scope>,
        root: TermId,
    ) -> Built<()> {
        let left = self.choose_extra(scope);
        let predicate = self.predicate_named(&text.predicate)?;
        let claim = self.claim;
        let mut arguments = Vec::new();
        for (argument, bytes) in text.arguments.iter().zip(&claim.predicates[predicate].parameters)
        {
            let sort = bytes.map_or(self.pointer(), |bytes| Sort::BitVector(8 * bytes as u32));
            arguments.push(self.read(scope, argument, sort)?);
        }
        let mut growth = Growth { scope: Rc::clone(scope), left, hole: text.hole.as_ref() };
        let bud = Bud { predicate, arguments, address: root, levels: LEVELS };
        self.grow_instance(&mut growth, &bud)?;
        match (growth.left, growth.hole) {
            (0, None) => Ok(()),
            (0, Some(_)) => Err("there is no place for the hole".to_owned()),
            (_, _) => Err("an instance of these levels has not so many nodes".to_owned()),
        }
    }

    fn predicate_named(&self, name: &str) -> Built<usize> {
        let found = self.claim.predicates.iter().position(|item| item.name == name);
        found.ok_or_else(|| format!("the text does not define {name}"))
    }

    fn grow_instance(&mut self, growth: &mut Growth<'_>, bud: &Bud) -> Built<()> {
        let claim = self.claim;
        let definition = &claim.predicates[bud.predicate];
        let cases = definition.cases.iter().filter_map(|case| match case {
            CaseText::Node(node) => Some(node),
            CaseText::Empty(_) => None,
        });
        let cases: Vec<&NodeText> = cases.collect();
        if cases.is_empty() || bud.levels == 0 {
            return Err(format!("{} has no small nodes", definition.name));
        }
        let case = cases[self.script.choose(cases.len())];
        let ways = self.choose_ways(growth, case)?;
        let variables = case
            .variables
            .iter()
            .map(|bytes| self.terms.fresh_variable("number", Sort::BitVector(8 * *bytes as u32)));
        let numbers: Vec<TermId> = variables.collect();
        let links = self.links(growth, bud, (case, &ways), &numbers)?;
        let size = u128::from(definition.size);
        let size = self.terms.bit_vector(size, self.pointer_bits);
        let mut cells = Vec::new();
        for &(offset, bytes, word) in &case.fields {
            let value = match word {
                WordText::Number(number) => self.terms.bit_vector(number, 8 * bytes as u32),
                WordText::Null
                | WordText::This
                | WordText::Parameter(_)
                | WordText::Variable(_)
                | WordText::Link(_) => self.word(bud, word, (&links, &numbers))?,
            };
            cells.push((offset, bytes, value));
        }
        let (identity, life) = (BlockIdentity::Heap, Life::Alive);
        let (rest, zero, extents) = (Rest::Uninitialised, None, Vec::new());
        let draft = Draft { identity, life, size, cells, rest, zero, extents };
        let node = self.add(draft, bud.address);
        self.obey(&case.laws, (&bud.arguments, &numbers))?;
        for (index, (name, words)) in case.links.iter().enumerate() {
            let mut arguments = Vec::new();
            for &word in words {
                arguments.push(self.word(bud, word, (&links, &numbers))?);
            }
            let predicate = self.predicate_named(name)?;
            match ways[index] {
                Way::Empty { case, .. } => {
                    if let CaseText::Empty(empty) = &claim.predicates[predicate].cases[case] {
                        self.obey(&empty.laws, (&arguments, &[]))?;
                    }
                }
                Way::Hole => self.fill(growth, node, &arguments)?,
                Way::Node => {
                    let address = links[index].ok_or("a link that leads nowhere")?;
                    let levels = bud.levels - 1;
                    self.grow_instance(growth, &Bud { predicate, arguments, address, levels })?;
                }
            }
        }
        Ok(())
    }

    /// The laws of a case are conditions of what is written.
    fn obey(
        &mut self,
        laws: &[LawText],
        (parameters, numbers): (&[TermId], &[TermId]),
    ) -> Built<()> {
        let term = |word: WordText| match word {
            WordText::Parameter(index) => Some(parameters[index]),
            WordText::Variable(index) => Some(numbers[index]),
            WordText::Null | WordText::This | WordText::Link(_) | WordText::Number(_) => None,
        };
        for law in laws {
            let formula = law.formula(&mut self.terms, &term);
            self.conditions.push(formula.ok_or_else(|| format!("`{law}` compares nothing"))?);
        }
        Ok(())
    }

    fn choose_ways(&mut self, growth: &mut Growth<'_>, case: &NodeText) -> Built<Vec<Way>> {
        let claim = self.claim;
        let mut chosen = Vec::new();
        let mut is_placed = growth.hole.is_none();
        for (name, _) in &case.links {
            let target = &claim.predicates[self.predicate_named(name)?];
            let mut ways: Vec<Way> = Vec::new();
            for (case, text) in target.cases.iter().enumerate() {
                match text {
                    CaseText::Empty(empty) => {
                        ways.push(Way::Empty { case, parameter: empty.parameter });
                    }
                    CaseText::Node(_) => {}
                }
            }
            let must_grow = ways.is_empty();
            if must_grow || growth.left > 0 {
                ways.push(Way::Node);
            }
            if !is_placed && growth.hole.is_some_and(|hole| hole.predicate == *name) {
                ways.push(Way::Hole);
            }
            let way = ways[self.script.choose(ways.len())];
            match way {
                Way::Node if !must_grow => growth.left -= 1,
                Way::Hole => is_placed = true,
                Way::Node | Way::Empty { .. } => {}
            }
            chosen.push(way);
        }
        Ok(chosen)
    }

    /// Where the links of a node lead.
    fn links(
        &mut self,
        growth: &Growth<'_>,
        bud: &Bud,
        (case, ways): (&NodeText, &[Way]),
        numbers: &[TermId],
    ) -> Built<Vec<Option<TermId>>> {
        let mut links: Vec<Option<TermId>> = vec![None; ways.len()];
        for (index, way) in ways.iter().enumerate() {
            links[index] = match way {
                Way::Empty { parameter: None, .. } => {
                    Some(self.terms.bit_vector(0, self.pointer_bits))
                }
                Way::Node => Some(self.terms.fresh_variable("node", self.pointer())),
                Way::Hole => {
                    let hole = growth.hole.ok_or("there is no hole")?;
                    Some(self.read(&growth.scope, &hole.end, self.pointer())?)
                }
                Way::Empty { parameter: Some(_), .. } => None,
            };
        }
        // A link that is what another one is may have to wait for it.
        for index in (0..ways.len()).cycle().take(ways.len() * ways.len()) {
            if let (Way::Empty { parameter: Some(of), .. }, None) = (ways[index], links[index]) {
                links[index] = self.word(bud, case.links[index].1[of], (&links, numbers)).ok();
            }
        }
        Ok(links)
    }

    fn word(
        &mut self,
        bud: &Bud,
        word: WordText,
        (links, numbers): (&[Option<TermId>], &[TermId]),
    ) -> Built<TermId> {
        match word {
            WordText::Variable(index) => Ok(numbers[index]),
            WordText::Null => Ok(self.terms.bit_vector(0, self.pointer_bits)),
            WordText::This => Ok(bud.address),
            WordText::Parameter(index) => Ok(bud.arguments[index]),
            WordText::Link(index) => links[index].ok_or("a link depends on itself".to_owned()),
            WordText::Number(number) => Ok(self.terms.bit_vector(number, self.pointer_bits)),
        }
    }

    /// The hole is at a link of a node.
    fn fill(&mut self, growth: &mut Growth<'_>, node: usize, arguments: &[TermId]) -> Built<()> {
        let hole = growth.hole.take().ok_or("there is no hole")?;
        if let Some(above) = &hole.above {
            let term = growth.scope.find(&format!("&{above}"));
            let term = term.ok_or_else(|| format!("{above} is not listed"))?;
            self.owners.insert(term, node);
        }
        for (&argument, wanted) in arguments.iter().zip(&hole.arguments) {
            let sort = self.terms.sort(argument);
            let wanted = self.read(&growth.scope, wanted, sort)?;
            let formula = self.terms.equal(argument, wanted);
            self.conditions.push(formula);
        }
        Ok(())
    }
}
