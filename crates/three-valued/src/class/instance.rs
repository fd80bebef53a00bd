//! A class with a choice of families and pointers: the vocabulary, the rules, and the predicates with
//! their updates, all compiled.

use crate::class::scope::Scope;
use crate::class::{
    Action, Arity, ClassError, Event, Family, FilePlace, Predicate, RuleText, ShapeClass, Text,
};
use crate::coerce::{Coerced, Rules};
use crate::definition::Definition;
use crate::focus::{focus_pair, focus_target};
use crate::formula::Formula;
use crate::rule::Rule;
use crate::structure::{Node, Structure, nodes_of};
use crate::text::{parse_formula, parse_rule};
use crate::vocabulary::{Binary, BinaryId, Unary, UnaryId, Vocabulary};

/// What of a class is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selection {
    /// For each family of the class, whether it is used.
    pub families: Vec<bool>,
    /// The tracked pointers, and whether each is separating: nodes that it points to stay apart.
    pub pointers: Vec<(String, bool)>,
    /// Predicates of single blocks that no link changes, such as their size. Blocks that differ in one
    /// stay apart.
    pub marks: Vec<String>,
    /// The tracked numbers: each is a predicate that holds of one block, whose number it is.
    pub numbers: Vec<String>,
}

/// A class that structures can be made of.
#[derive(Clone, Debug)]
pub struct Instance {
    pub vocabulary: Vocabulary,
    /// The link of each role.
    pub links: Vec<BinaryId>,
    /// In the order of the selection.
    pub pointers: Vec<UnaryId>,
    /// In the order of the selection.
    pub marks: Vec<UnaryId>,
    /// In the order of the selection.
    pub numbers: Vec<UnaryId>,
    /// Whether the number of one block is at most that of another, if the class has a number field.
    pub order: Option<BinaryId>,
    pub rules: Vec<Rule>,
    /// The same, ready to be applied.
    prepared: Rules,
    /// Where the last of the rules stand in the file; those before them are of every class.
    pub(super) rule_places: Vec<FilePlace>,
    /// In the order in which they are brought up to date.
    pub(super) tracked: Vec<Tracked>,
    /// Which family each of `tracked` is of, for reports.
    pub families: Vec<String>,
    has_all_families: bool,
}

/// An instrumentation predicate of an instance.
#[derive(Clone, Debug)]
pub(super) struct Tracked {
    pub(super) id: PredicateId,
    pub(super) definition: Definition,
    pub(super) clauses: Vec<CompiledClause>,
    /// The roles that its value depends on, as bits.
    pub(super) roles: u64,
    /// The pointer that it depends on.
    pub(super) pointer: Option<UnaryId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PredicateId {
    Unary(UnaryId),
    Binary(BinaryId),
}

#[derive(Clone, Debug)]
pub(super) struct CompiledClause {
    pub(super) event: Event,
    pub(super) role: usize,
    pub(super) when: Option<Formula>,
    pub(super) action: Action<Formula>,
}

/// The variables of updates that are not those of the predicate: the node whose link is stored, its old
/// target and its new one. The predicate's own are 0 and, if it is binary, 1.
pub(super) const SOURCE: u8 = 2;
pub(super) const OLD: u8 = 3;
pub(super) const NEW: u8 = 4;
const UNARY_PARAMETERS: [&str; 5] = ["v", "-", "s", "o", "y"];
const BINARY_PARAMETERS: [&str; 5] = ["u", "v", "s", "o", "y"];

impl Instance {
    /// # Errors
    /// When a formula uses a predicate of a family that is not selected, or is not well written.
    pub fn of(class: &ShapeClass, selection: &Selection) -> Result<Instance, ClassError> {
        let mut vocabulary = Vocabulary::new();
        let link = |name: &String| Binary { name: name.clone(), definition: None };
        let links = class.roles.iter().map(|role| vocabulary.add_binary(link(role))).collect();
        let order = class.order.as_ref().map(|name| vocabulary.add_binary(link(name)));
        let pointer = |(name, is_separating): &(String, bool)| Unary {
            name: name.clone(),
            is_abstraction: *is_separating,
            definition: None,
        };
        let pointers: Vec<UnaryId> =
            selection.pointers.iter().map(|it| vocabulary.add_unary(pointer(it))).collect();
        let mark =
            |name: &String| Unary { name: name.clone(), is_abstraction: true, definition: None };
        let marks = selection.marks.iter().map(|it| vocabulary.add_unary(mark(it))).collect();
        let numbers = selection.numbers.iter().map(|it| vocabulary.add_unary(mark(it)));
        let numbers: Vec<UnaryId> = numbers.collect();
        let unique = pointers.iter().chain(&numbers);
        let mut rules: Vec<Rule> = unique.map(|&pointer| Rule::Unique(pointer)).collect();
        let mut instance = Instance {
            vocabulary,
            links,
            pointers,
            marks,
            numbers,
            order,
            rules: Vec::new(),
            prepared: Rules::new(&[], &Vocabulary::new()),
            rule_places: Vec::new(),
            tracked: Vec::new(),
            families: Vec::new(),
            has_all_families: selection.families.iter().all(|&is_used| is_used),
        };
        rules.extend(instance.links.iter().map(|&link| Rule::Function(link)));
        let families = class.families.iter().zip(&selection.families);
        let families: Vec<&Family> = families.filter(|it| *it.1).map(|it| it.0).collect();
        let mut wanted = Vec::new();
        for family in &families {
            instance.add_predicates(family, selection, &mut wanted)?;
        }
        rules.extend(instance.tracked.iter().map(|tracked| definition_of(tracked.id)));
        // Changes and rules may speak of all predicates, definitions only of those above.
        for (index, wanted) in wanted.iter().enumerate() {
            instance.tracked[index].clauses = instance.clauses(wanted)?;
        }
        for family in families {
            instance.add_rules(family, selection, &mut rules)?;
        }
        instance.prepared = Rules::new(&rules, &instance.vocabulary);
        instance.rules = rules;
        Ok(instance)
    }

    /// Sharpens a structure by all rules.
    pub fn coerce(&self, structure: &mut Structure) -> Coerced {
        self.prepared.apply_everywhere(structure)
    }

    /// Sharpens a structure that was made from a sharp one with the same nodes, by what has changed.
    pub fn coerce_since(&self, structure: &mut Structure, before: &Structure) -> Coerced {
        self.prepared.apply_where(structure, |structure, changes| {
            changes.mark_between(before, structure);
        })
    }

    /// Sharpens a structure that was sharp before these pointers were assigned.
    pub fn coerce_assigned(&self, structure: &mut Structure, pointers: &[UnaryId]) -> Coerced {
        self.prepared.apply_where(structure, |_, changes| {
            for &pointer in pointers {
                changes.mark_unary(pointer, u64::MAX);
            }
            let is_assigned = |it: &&Tracked| it.pointer.is_some_and(|it| pointers.contains(&it));
            for tracked in self.tracked.iter().filter(is_assigned) {
                match tracked.id {
                    PredicateId::Unary(id) => changes.mark_unary(id, u64::MAX),
                    PredicateId::Binary(id) => changes.mark_binary(id, u64::MAX, u64::MAX),
                }
            }
        })
    }

    /// The target of a link of a sharp structure made definite, as [`focus_target`] does, and sharpened: those
    /// structures that may describe heaps.
    pub fn focus(&self, structure: &Structure, link: BinaryId, from: Node) -> Vec<Structure> {
        let mut found = focus_target(structure, link, from);
        let universe = structure.universe();
        found.retain_mut(|focused| {
            let coerced = self.coerce_focused(focused, universe, (link, from));
            matches!(coerced, Coerced::Possible { .. })
        });
        found
    }

    /// Sharpens a structure that [`focus_target`] has made from a sharp one with these nodes.
    pub fn coerce_focused(
        &self,
        focused: &mut Structure,
        universe: u64,
        (link, from): (BinaryId, Node),
    ) -> Coerced {
        let target = focused.binary(link, from).one;
        // A copy of a node relates to everything as the node does, but that the two are different.
        let parted = focused.universe() & !universe;
        self.prepared.apply_where(focused, |_, changes| {
            changes.mark_binary(link, 1 << from, u64::MAX);
            changes.mark_summary(target | parted);
        })
    }

    /// Sharp structures that together describe the heaps of a sharp one, in each of which it is definite to which
    /// blocks a binary predicate leads from a single node; and how many structures were made.
    pub fn focus_row(
        &self,
        structure: &Structure,
        predicate: BinaryId,
        from: Node,
    ) -> (usize, Vec<Structure>) {
        let (mut made, mut found) = (0, Vec::new());
        let mut pending = vec![structure.clone()];
        // Ends because each structure has fewer nodes at which the row is open.
        while let Some(structure) = pending.pop() {
            let open = structure.binary(predicate, from).half() & structure.blocks();
            let Some(to) = nodes_of(open).next() else {
                found.push(structure);
                continue;
            };
            for mut focused in focus_pair(&structure, predicate, (from, to)) {
                made += 1;
                let parted = focused.universe() & !structure.universe();
                let coerced = self.prepared.apply_where(&mut focused, |_, changes| {
                    changes.mark_binary(predicate, 1 << from, 1 << to | parted);
                    if parted != 0 {
                        changes.mark_summary(1 << to | parted);
                    }
                });
                if matches!(coerced, Coerced::Possible { .. }) {
                    pending.push(focused);
                }
            }
        }
        (made, found)
    }

    /// The place of the number field among the roles: behind all links.
    pub(super) fn number_role(&self) -> usize {
        self.links.len()
    }

    /// Whether a predicate may change when a link of a role is stored.
    #[must_use]
    pub fn depends_on(&self, predicate: BinaryId, role: usize) -> bool {
        let of = self.tracked.iter().find(|it| it.id == PredicateId::Binary(predicate));
        of.is_some_and(|tracked| tracked.roles >> role & 1 == 1)
    }

    fn add_predicates<'c>(
        &mut self,
        family: &'c Family,
        selection: &'c Selection,
        wanted: &mut Vec<Wanted<'c>>,
    ) -> Result<(), ClassError> {
        for predicate in &family.predicates {
            let pointers: Vec<Option<usize>> = match predicate.is_for_each {
                true => (0..selection.pointers.len()).map(Some).collect(),
                false => vec![None],
            };
            for pointer in pointers {
                let pointer = pointer.map(|it| (self.pointers[it], &selection.pointers[it]));
                let wanted_one = Wanted { family, predicate, pointer };
                self.add_predicate(&wanted_one)?;
                wanted.push(wanted_one);
            }
        }
        Ok(())
    }

    fn add_rules(
        &mut self,
        family: &Family,
        selection: &Selection,
        rules: &mut Vec<Rule>,
    ) -> Result<(), ClassError> {
        for rule in &family.rules {
            let before = rules.len();
            if rule.is_for_each {
                for (pointer, (name, _)) in self.pointers.iter().zip(&selection.pointers) {
                    rules.push(self.rule(family, rule, Some((*pointer, name)))?);
                }
            } else {
                rules.push(self.rule(family, rule, None)?);
            }
            let places = vec![rule.text.place; rules.len() - before];
            self.rule_places.extend(places);
        }
        Ok(())
    }

    fn rule(
        &self,
        family: &Family,
        rule: &RuleText,
        pointer: Option<(UnaryId, &String)>,
    ) -> Result<Rule, ClassError> {
        let scope = Scope { instance: self, family, pointer };
        parse_rule(&rule.text.text, &scope).map_err(|error| rule.text.error(&error))
    }

    fn add_predicate(&mut self, wanted: &Wanted<'_>) -> Result<(), ClassError> {
        let Wanted { family, predicate, pointer } = wanted;
        let name = wanted.name();
        if self.is_known(&name) {
            let message = format!("there is a predicate `{name}` already");
            return Err(ClassError::new(predicate.definition.place, message));
        }
        let own = if predicate.arity == Arity::Unary { 1 } else { 2 };
        let parameters = &wanted.parameters()[..own];
        let definition =
            self.formula(family, &predicate.definition, wanted.named_pointer(), parameters)?;
        let is_separating = pointer.is_none_or(|(_, (_, is_separating))| *is_separating);
        let is_abstraction = predicate.is_abstraction && is_separating;
        let meaning = Some(definition.clone());
        let id = match predicate.arity {
            Arity::Unary => {
                let unary = Unary { name, is_abstraction, definition: meaning };
                PredicateId::Unary(self.vocabulary.add_unary(unary))
            }
            Arity::Binary => {
                let binary = Binary { name, definition: meaning };
                PredicateId::Binary(self.vocabulary.add_binary(binary))
            }
        };
        let roles = self.roles_of(&definition);
        let pointer = pointer.map(|it| it.0);
        let definition = Definition::new(definition);
        self.tracked.push(Tracked { id, definition, clauses: Vec::new(), roles, pointer });
        self.families.push(family.name.clone());
        Ok(())
    }

    fn clauses(&self, wanted: &Wanted<'_>) -> Result<Vec<CompiledClause>, ClassError> {
        let Wanted { family, predicate, .. } = wanted;
        let parameters = wanted.parameters();
        let formula = |text| self.formula(family, text, wanted.named_pointer(), parameters);
        let mut clauses = Vec::new();
        for clause in &predicate.clauses {
            let role = family.roles.iter().find(|(name, _)| *name == clause.role);
            let role = match role {
                Some((_, role)) => *role,
                None => self.number_role(),
            };
            let when = match &clause.when {
                None => None,
                // A condition over a family that is not selected is never certain. With all families,
                // which is how a file is read, every condition has a meaning.
                Some(text) => match formula(text) {
                    Ok(when) => Some(when),
                    Err(_) if !self.has_all_families => continue,
                    Err(error) => return Err(error),
                },
            };
            let action = match &clause.action {
                Action::Set(text) => Action::Set(formula(text)?),
                Action::RecomputeWhere(text) => Action::RecomputeWhere(formula(text)?),
            };
            clauses.push(CompiledClause { event: clause.event, role, when, action });
        }
        Ok(clauses)
    }

    fn formula(
        &self,
        family: &Family,
        text: &Text,
        pointer: Option<(UnaryId, &String)>,
        parameters: &[&str],
    ) -> Result<Formula, ClassError> {
        let scope = Scope { instance: self, family, pointer };
        let parsed = parse_formula(&text.text, &scope, parameters);
        parsed.map(Formula::miniscoped).map_err(|error| text.error(&error))
    }

    /// The formulas that heaps of the class fulfil.
    pub fn samples(&self, class: &ShapeClass) -> Result<Vec<Formula>, ClassError> {
        let parse = |text: &Text| {
            parse_formula(&text.text, &self.vocabulary, &[]).map_err(|error| text.error(&error))
        };
        class.samples.iter().map(parse).collect()
    }

    fn is_known(&self, name: &str) -> bool {
        self.vocabulary.unary_named(name).is_some() || self.vocabulary.binary_named(name).is_some()
    }

    /// The roles that the value of a formula depends on.
    fn roles_of(&self, formula: &Formula) -> u64 {
        let mut roles = 0;
        formula.visit(&mut |part| {
            let id = match part {
                Formula::Unary(id, _) => PredicateId::Unary(*id),
                Formula::Binary(id, _, _) => {
                    if let Some(role) = self.links.iter().position(|link| link == id) {
                        roles |= 1 << role;
                    }
                    if self.order == Some(*id) {
                        roles |= 1 << self.number_role();
                    }
                    PredicateId::Binary(*id)
                }
                _ => return,
            };
            let of = self.tracked.iter().find(|tracked| tracked.id == id);
            roles |= of.map_or(0, |tracked| tracked.roles);
        });
        roles
    }
}

/// A predicate that an instance is to have.
struct Wanted<'c> {
    family: &'c Family,
    predicate: &'c Predicate,
    pointer: Option<(UnaryId, &'c (String, bool))>,
}

impl Wanted<'_> {
    fn named_pointer(&self) -> Option<(UnaryId, &String)> {
        self.pointer.map(|(id, (name, _))| (id, name))
    }

    fn name(&self) -> String {
        match self.named_pointer() {
            Some((_, pointer)) => self.predicate.name.replace("[x]", &format!("[{pointer}]")),
            None => self.predicate.name.clone(),
        }
    }

    fn parameters(&self) -> &'static [&'static str] {
        match self.predicate.arity {
            Arity::Unary => &UNARY_PARAMETERS,
            Arity::Binary => &BINARY_PARAMETERS,
        }
    }
}

fn definition_of(id: PredicateId) -> Rule {
    match id {
        PredicateId::Unary(id) => Rule::UnaryDefinition(id),
        PredicateId::Binary(id) => Rule::BinaryDefinition(id),
    }
}
