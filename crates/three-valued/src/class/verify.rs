//! Whether a class means what it says: on small heaps every update gives what the definitions give,
//! and every rule is true.

use crate::class::{
    ClassError, Family, FilePlace, Fresh, Heaps, Instance, Predicate, Selection, ShapeClass,
    Written,
};
use crate::coerce::Coerced;
use crate::kleene::Kleene;
use crate::structure::{NULL, Node, Structure, WILD, nodes_of};
use crate::text::{node_name, print_structure};

/// Tries a class, with all its families and one pointer, on about `most` heaps of each size up to
/// `blocks`.
///
/// # Errors
/// The first place that is not well written, or is wrong on a heap: a rule that is false there, or an update
/// that differs from the definition.
pub fn verify(class: &ShapeClass, blocks: usize, most: usize) -> Result<(), ClassError> {
    let families = vec![true; class.families.len()];
    let pointers = vec![("x".to_owned(), true)];
    let instance = Instance::of(class, &Selection { families, pointers, ..Selection::default() })?;
    let trial = Trial { class, instance };
    for blocks in 0..=blocks {
        for heap in Heaps::new(&trial.instance, blocks, most) {
            trial.rules(&heap)?;
            trial.stores(&heap)?;
            trial.writes(&heap)?;
            trial.new_blocks(&heap)?;
        }
    }
    Ok(())
}

/// Where the links of a new block lead, and its number.
const OUTSIDE: [(Node, Written); 2] = [(NULL, Written::Nothing), (WILD, Written::Nothing)];

struct Trial<'c> {
    class: &'c ShapeClass,
    instance: Instance,
}

impl Trial<'_> {
    fn error(&self, place: FilePlace, message: String, heap: &Structure) -> ClassError {
        let heap = Some(print_structure(heap, &self.instance.vocabulary));
        ClassError { place, message, heap }
    }

    fn rules(&self, heap: &Structure) -> Result<(), ClassError> {
        let instance = &self.instance;
        let mut coerced = heap.clone();
        match instance.coerce(&mut coerced) {
            Coerced::Possible { .. } => Ok(()),
            Coerced::Impossible { rule } => {
                let first = instance.rules.len() - instance.rule_places.len();
                let index = rule.checked_sub(first).expect("links and definitions are right");
                let message = "this rule is not true of every heap".to_owned();
                Err(self.error(instance.rule_places[index], message, heap))
            }
        }
    }

    fn stores(&self, heap: &Structure) -> Result<(), ClassError> {
        let instance = &self.instance;
        let sources: Vec<Node> = nodes_of(heap.blocks()).collect();
        for &source in &sources {
            for role in 0..instance.links.len() {
                for target in 0..heap.len() {
                    let mut stored = heap.clone();
                    instance.store(&mut stored, source, role, target);
                    let mut meant = stored.clone();
                    instance.define(&mut meant);
                    if stored != meant {
                        let name = difference(instance, &stored, &meant);
                        let message = format!(
                            "`{name}` is not what its definition says after {}({}) = {}",
                            self.class.roles[role],
                            node_name(source),
                            node_name(target)
                        );
                        let place = self.place_of(&name, &self.class.roles[role]);
                        return Err(self.error(place, message, heap));
                    }
                }
            }
        }
        Ok(())
    }

    /// Each block is given the number of each other one, and none.
    fn writes(&self, heap: &Structure) -> Result<(), ClassError> {
        let (instance, Some(order)) = (&self.instance, &self.class.order) else { return Ok(()) };
        for source in nodes_of(heap.blocks()) {
            let numbers = nodes_of(heap.blocks()).map(Written::Of);
            for written in numbers.chain([Written::Nothing]) {
                let mut stored = heap.clone();
                instance.write(&mut stored, source, written);
                let mut meant = stored.clone();
                instance.define(&mut meant);
                if stored != meant {
                    let name = difference(instance, &stored, &meant);
                    let of = match written {
                        Written::Of(other) => format!("{order}({})", node_name(other)),
                        Written::Nothing | Written::Any | Written::Open => "nothing".to_owned(),
                    };
                    let message = format!(
                        "`{name}` is not what its definition says after {order}({}) = {of}",
                        node_name(source)
                    );
                    return Err(self.error(self.place_of(&name, order), message, heap));
                }
            }
        }
        Ok(())
    }

    /// A block that nothing leads to, and that leads to none, comes and goes without a change of other blocks.
    fn new_blocks(&self, heap: &Structure) -> Result<(), ClassError> {
        let instance = &self.instance;
        let numbers = nodes_of(heap.blocks()).map(Written::Of).filter(|_| instance.order.is_some());
        for (target, written) in numbers.map(|it| (NULL, it)).chain(OUTSIDE) {
            let (mut larger, node) = instance.allocate(heap, Fresh::Null);
            for &link in &instance.links {
                larger.set_binary(link, node, NULL, Kleene::False);
                larger.set_binary(link, node, target, Kleene::True);
            }
            if instance.order.is_some() {
                instance.write(&mut larger, node, written);
            }
            instance.define(&mut larger);
            let without = larger.without(1 << node);
            if without != *heap {
                let name = difference(instance, &without, heap);
                let message = format!("`{name}` changes with a block that nothing leads to");
                let (_, predicate) = self.definition_of(&name);
                return Err(self.error(predicate.definition.place, message, heap));
            }
        }
        Ok(())
    }

    /// A predicate with its family.
    fn definition_of(&self, name: &str) -> (&Family, &Predicate) {
        let families = self.class.families.iter();
        let mut predicates = families
            .flat_map(|family| family.predicates.iter().map(move |predicate| (family, predicate)));
        // The pointer of a trial is called `x`, so that names are those of the file.
        predicates.find(|(_, predicate)| predicate.name == name).expect("a predicate of the class")
    }

    /// The first change of a predicate by stores of a link, or else its definition.
    fn place_of(&self, name: &str, role: &str) -> FilePlace {
        let (family, predicate) = self.definition_of(name);
        let is_of_role = |clause: &&crate::class::Clause| {
            let mut links = family.roles.iter();
            let link = links.find(|(known, _)| *known == clause.role);
            link.map_or(role == clause.role, |(_, index)| self.class.roles[*index] == role)
        };
        let clause = predicate.clauses.iter().find(is_of_role);
        clause.map_or(predicate.definition.place, |clause| clause.action.formula().place)
    }
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
