//! What spellings say, once all nodes of all lists are known.

use std::rc::Rc;

use heapwright_logic::Sort;

use crate::concrete::{Held, bits_of};
use crate::contains::{Demand, Matching, Search, Tried};
use crate::scope::Scope;
use crate::spelling::{Said, Spelt, Unsaid, all_said};
use crate::syntax::Shape;

impl<'s> Search<'s> {
    /// The same way, with the numbers that the spellings of its lists say. Bytes that were not written fit any number.
    pub(super) fn obeys_spellings(&mut self, matching: &Matching<'s>) -> Tried<Matching<'s>> {
        let mut matching = matching.clone();
        let mut scopes: Vec<Rc<Scope>> = Vec::new();
        let mut spelt: Vec<Spelt<'s, Option<Held>>> = Vec::new();
        for (&list, nodes) in &matching.chains {
            let instance = &matching.instances[list];
            let Shape::List(text) = &instance.text.shape else { continue };
            if instance.scope.is_in_a_kind() {
                self.doubt = Some("a list within a node is spelt".to_owned());
                return Err("not decided".to_owned());
            }
            for text in &text.spellings {
                let number = |&node| bits_of(self.state, node, text.offset, text.size);
                let numbers = nodes.iter().map(number).collect();
                scopes.push(Rc::clone(&instance.scope));
                spelt.push(Spelt { text, numbers });
            }
        }
        let said = all_said(&spelt).map_err(|unsaid| match unsaid {
            Unsaid::Wrong => "lists are not as long as they are spelt".to_owned(),
            Unsaid::Open => {
                self.doubt = Some("a word is not determined".to_owned());
                "not decided".to_owned()
            }
        })?;
        for said in said {
            match said {
                Said::Is(index, term, Some(held)) => {
                    let sort = Sort::BitVector(8 * spelt[index].text.size as u32);
                    let term = self.read(&scopes[index], term, sort)?;
                    matching.demands.push(Demand { term, held: Held { block: None, ..held } });
                }
                Said::Same(Some(one), Some(other)) if one.bits != other.bits => {
                    return Err("lists do not have the numbers that they are spelt with".to_owned());
                }
                Said::Is(_, _, None) | Said::Same(_, _) => {}
            }
        }
        self.settle_plain(&mut matching)?;
        if matching.open.is_empty() {
            return Ok(matching);
        }
        self.doubt = Some("a list is spelt with addresses".to_owned());
        Err("not decided".to_owned())
    }
}
