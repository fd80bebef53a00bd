//! Whether a class means what it says: on small heaps every update gives what the definitions give,
//! and every rule is true.

use crate::class::{ClassError, Heaps, Instance, Selection, ShapeClass};
use crate::coerce::{Coerced, coerce};
use crate::structure::{Node, Structure, nodes_of};
use crate::text::print_structure;

/// A heap on which a class is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFault {
    pub message: String,
    /// The heap, as text.
    pub heap: String,
}

impl std::fmt::Display for ClassFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on this heap:\n{}", self.message, self.heap)
    }
}

/// Tries a class, with all its families and one pointer, on about `most` heaps of each size up to
/// `blocks`.
///
/// # Errors
/// The first heap on which a rule is false, or an update differs from the definition.
pub fn verify(
    class: &ShapeClass,
    blocks: usize,
    most: usize,
) -> Result<Result<(), ClassFault>, ClassError> {
    let families = vec![true; class.families.len()];
    verify_selection(class, families, blocks, most)
}

pub(super) fn verify_selection(
    class: &ShapeClass,
    families: Vec<bool>,
    blocks: usize,
    most: usize,
) -> Result<Result<(), ClassFault>, ClassError> {
    let pointers = vec![("x".to_owned(), true)];
    let instance = Instance::of(class, &Selection { families, pointers, marks: Vec::new() })?;
    for blocks in 0..=blocks {
        for heap in Heaps::new(&instance, blocks, most) {
            let fault = check_rules(&instance, &heap).and_then(|()| check_stores(&instance, &heap));
            if let Err(message) = fault {
                let heap = print_structure(&heap, &instance.vocabulary);
                return Ok(Err(ClassFault { message, heap }));
            }
        }
    }
    Ok(Ok(()))
}

fn check_rules(instance: &Instance, heap: &Structure) -> Result<(), String> {
    let mut coerced = heap.clone();
    match coerce(&mut coerced, &instance.vocabulary, &instance.rules) {
        Coerced::Possible { .. } => Ok(()),
        Coerced::Impossible { rule } => Err(format!("{:?} is false", instance.rules[rule])),
    }
}

fn check_stores(instance: &Instance, heap: &Structure) -> Result<(), String> {
    let sources: Vec<Node> = nodes_of(heap.blocks()).collect();
    for &source in &sources {
        for (role, &link) in instance.links.iter().enumerate() {
            for target in 0..heap.len() {
                let mut stored = heap.clone();
                instance.store(&mut stored, source, role, target);
                let mut meant = stored.clone();
                instance.define(&mut meant);
                if stored != meant {
                    let link = &instance.vocabulary.binary()[link].name;
                    let differs = difference(instance, &stored, &meant);
                    return Err(format!(
                        "after {link}({source}) = {target}, {differs} is not what its definition says"
                    ));
                }
            }
        }
    }
    Ok(())
}

fn difference(instance: &Instance, left: &Structure, right: &Structure) -> String {
    let vocabulary = &instance.vocabulary;
    let unary = vocabulary.unary().enumerated();
    let mut unary = unary.filter(|(id, _)| left.unary(*id) != right.unary(*id));
    let binary = vocabulary.binary().enumerated();
    let differs = |id| (0..left.len()).any(|from| left.binary(id, from) != right.binary(id, from));
    let mut binary = binary.filter(|(id, _)| differs(*id));
    let name = unary.next().map(|(_, it)| it.name.clone());
    let name = name.or_else(|| binary.next().map(|(_, it)| it.name.clone()));
    name.unwrap_or_else(|| "nothing".to_owned())
}
