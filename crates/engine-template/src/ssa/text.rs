//! The formula as text: objects, loops with what they change, obligations.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_logic::{TermId, Terms};
use heapwright_program::Program;

use crate::ssa::formula::{AbstractObjectKind, CutLoop, Formula, LoopVariable};

/// The whole formula, for people. Versions of variables are named where other terms use them.
#[must_use]
pub fn display(formula: &Formula, program: &Program) -> String {
    let mut printer = Printer { terms: formula.terms.clone(), names: BTreeMap::new() };
    let mut text = String::new();
    for (id, object) in formula.objects.enumerated() {
        let kind = match object.kind {
            AbstractObjectKind::Declared => "declared",
            AbstractObjectKind::Concrete { .. } => "one block",
            AbstractObjectKind::Summary { .. } => "all blocks",
            AbstractObjectKind::Code(_) => "function",
        };
        let fields: Vec<&str> = object.fields.iter().map(|field| field.name.as_str()).collect();
        let _ = writeln!(text, "{id} {}: {kind} {{{}}}", object.name, fields.join(", "));
    }
    for version in &formula.versions {
        let value = printer.show(version.term);
        let _ = writeln!(text, "{} = {value}", version.name);
        printer.name(version.term, &version.name);
    }
    for cut in &formula.loops {
        display_loop(&mut text, &mut printer, cut, program);
    }
    for obligation in &formula.obligations {
        let part = obligation.part.map_or("trust", heapwright_property::Part::name);
        let guard = printer.show(obligation.guard);
        let condition = printer.show(obligation.condition);
        let place = program.describe(obligation.place);
        let _ = writeln!(text, "{part} at {place}: {}", obligation.text);
        let _ = writeln!(text, "    {guard}");
        let _ = writeln!(text, "    => {condition}");
    }
    for reason in &formula.unsupported {
        let _ = writeln!(text, "unsupported: {}", reason.text);
    }
    text
}

fn display_loop(text: &mut String, printer: &mut Printer, cut: &CutLoop, program: &Program) {
    let place = program.describe(cut.place);
    let _ = writeln!(text, "loop {} at {place}", cut.name);
    let _ = writeln!(text, "    head guard {}", printer.show(cut.head_guard));
    let _ = writeln!(text, "    back guard {}", printer.show(cut.back_guard));
    for variable in &cut.variables {
        let LoopVariable { name, before, entry, after, .. } = variable;
        let _ = writeln!(text, "    {name}: before {}", printer.show(*before));
        let _ = writeln!(text, "        entry {}", printer.show(*entry));
        let _ = writeln!(text, "        after {}", printer.show(*after));
    }
    for instance in &cut.instances {
        let shown: Vec<String> =
            instance.before.iter().map(|&(_, term)| printer.show(term)).collect();
        let _ = writeln!(text, "    instance of {}: {}", instance.object, shown.join(", "));
    }
}

/// Terms with names for known parts.
struct Printer {
    terms: Terms,
    names: BTreeMap<TermId, TermId>,
}

impl Printer {
    fn name(&mut self, term: TermId, name: &str) {
        let is_plain = self.terms.is_constant(term) || self.terms.as_variable(term).is_some();
        if !is_plain && !self.names.contains_key(&term) {
            let sort = self.terms.sort(term);
            let stand_in = self.terms.variable(name, sort);
            self.names.insert(term, stand_in);
        }
    }

    fn show(&mut self, term: TermId) -> String {
        let shown = self.terms.substitute(term, &self.names);
        self.terms.display(shown).to_string()
    }
}
