//! The formula as text: objects, loops with what they change, functions with what they get and leave,
//! obligations.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_logic::{TermId, Terms};
use heapwright_program::Program;

use crate::ssa::formula::{AbstractObjectKind, CutLoop, Formula, LoopVariable};
use crate::ssa::function::{CutFunction, FunctionVariable};

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
    for function in &formula.functions {
        display_function(&mut text, &mut printer, function, program);
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

fn display_function(
    text: &mut String,
    printer: &mut Printer,
    function: &CutFunction,
    program: &Program,
) {
    let place = program.describe(function.place);
    let _ = writeln!(text, "function {} at {place}", function.name);
    let _ = writeln!(text, "    entered {}", printer.show(function.entered));
    let _ = writeln!(text, "    returns {}", printer.show(function.returned));
    for (number, call) in function.calls.iter().enumerate() {
        let place = program.describe(call.place);
        let _ = writeln!(text, "    call {number} at {place} if {}", printer.show(call.guard));
        let _ = writeln!(text, "        returns {}", printer.show(call.returned));
    }
    let inputs = function.inputs.iter().map(|variable| ("input", variable));
    let outputs = function.outputs.iter().map(|variable| ("output", variable));
    for (what, variable) in inputs.chain(outputs) {
        let FunctionVariable { name, inside, at_calls, .. } = variable;
        let _ = writeln!(text, "    {what} {name}: inside {}", printer.show(inside.value));
        for (number, term) in at_calls.iter().enumerate() {
            let _ = writeln!(text, "        call {number}: {}", printer.show(term.value));
        }
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
