//! Certificates: what the predicates mean and the structures at every cut point, as text.
//!
//! The crate `shape-text` reads it, with nothing else of this engine.

use std::fmt::Write;

use heapwright_base::DenseId;
use heapwright_three_valued::class::{
    Action, Arity, Event, Family, Library, Predicate, RuleText, ShapeClass,
};
use heapwright_three_valued::text::print_structure;

use crate::analysis::Reached;
use crate::model::Model;
use crate::precision::{NumberField, Numeral};
use crate::state::{Pointer, Slot, State};

/// The text of what was reached.
pub(crate) fn write(model: &Model<'_>, library: &Library, reached: &Reached) -> String {
    let mut text = String::new();
    for size in model.sizes() {
        line(&mut text, format_args!("size {size}"));
    }
    for (field, link) in model.links() {
        let name = &model.instance.vocabulary.binary()[link].name;
        line(&mut text, format_args!("link {name} {} {}", field.size, field.offset));
    }
    if let Some((order, by)) = model.order() {
        let name = &model.instance.vocabulary.binary()[by].name;
        let NumberField { field, ty } = order;
        line(&mut text, format_args!("order {name} {} {} {ty}", field.size, field.offset));
    }
    for numeral in &model.precision.numerals {
        let name = model.atlas.name_of_number(*numeral);
        match numeral {
            Numeral::Variable(variable) => {
                line(&mut text, format_args!("numeral {name} variable {}", variable.index()));
            }
            Numeral::Constant(bits) => {
                line(&mut text, format_args!("numeral {name} constant {bits}"));
            }
        }
    }
    for slot in &model.precision.tracked {
        let name = model.atlas.name_of(*slot);
        line(&mut text, format_args!("tracked {name} {}", slot_text(*slot)));
    }
    if model.precision.tells_behind {
        line(&mut text, format_args!("behind apart"));
    }
    let (class, families) = model.precision.class(library);
    write_class(&mut text, &class, &families);
    for state in reached {
        write_state(&mut text, model, state);
    }
    text
}

fn write_class(text: &mut String, class: &ShapeClass, families: &[bool]) {
    line(text, format_args!("class {}", class.name));
    let used = class.families.iter().zip(families).filter(|it| *it.1);
    for (family, _) in used {
        write_family(text, family);
    }
}

fn write_family(text: &mut String, family: &Family) {
    let role = |(name, role): &(String, usize)| format!(" {name}={role}");
    let order = family.order.as_ref().map_or(String::new(), |name| format!(" {name}=order"));
    let roles = family.roles.iter().map(role).collect::<String>();
    line(text, format_args!("within{roles}{order}"));
    for predicate in &family.predicates {
        write_predicate(text, predicate);
    }
    for RuleText { is_for_each, text: rule } in &family.rules {
        let each = if *is_for_each { "each x: " } else { "" };
        line(text, format_args!("rule {each}{}", rule.text));
    }
}

fn write_predicate(text: &mut String, predicate: &Predicate) {
    let each = if predicate.is_for_each { "each x " } else { "" };
    let (arity, variables) = match predicate.arity {
        Arity::Unary => ("unary", "v"),
        Arity::Binary => ("binary", "u, v"),
    };
    let (name, definition) = (&predicate.name, &predicate.definition.text);
    line(text, format_args!("define {each}{arity} {name}({variables}) = {definition}"));
    for clause in &predicate.clauses {
        let event = match clause.event {
            Event::Remove => "remove",
            Event::Add => "add",
            Event::Write => "write",
        };
        let when =
            clause.when.as_ref().map_or(String::new(), |it| format!("when {} then ", it.text));
        let (how, formula) = match &clause.action {
            Action::Set(formula) => ("", formula),
            Action::RecomputeWhere(formula) => ("recompute where ", formula),
        };
        let role = &clause.role;
        line(text, format_args!("change {event} {role}: {when}{how}{}", formula.text));
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("strings take everything");
}

fn write_state(text: &mut String, model: &Model<'_>, state: &State) {
    let (function, location) = (state.function.index(), state.location.index());
    line(text, format_args!("state {function} {location}"));
    for (caller, edge) in state.calls.iter() {
        line(text, format_args!("called {} {}", caller.index(), edge.index()));
    }
    for (slot, pointer) in state.pointers.iter() {
        line(text, format_args!("pointer {} {}", slot_text(*slot), pointer_text(*pointer)));
    }
    for (variable, bits) in state.numbers.iter() {
        line(text, format_args!("number {} {bits}", variable.index()));
    }
    for object in state.objects.iter() {
        line(text, format_args!("object {}", object.index()));
    }
    line(text, format_args!("heap"));
    text.push_str(&print_structure(&state.heap, &model.instance.vocabulary));
    line(text, format_args!("end"));
}

fn slot_text(slot: Slot) -> String {
    match slot {
        Slot::Variable(variable) => format!("variable {} 0", variable.index()),
        Slot::Cell(object, offset) => format!("cell {} {offset}", object.index()),
    }
}

fn pointer_text(pointer: Pointer) -> String {
    match pointer {
        Pointer::Null => "null 0 0".to_owned(),
        Pointer::Wild => "wild 0 0".to_owned(),
        Pointer::Unknown => "unknown 0 0".to_owned(),
        Pointer::Block { node, offset } => format!("block {node} {offset}"),
        Pointer::Object { object, offset } => format!("object {} {offset}", object.index()),
        Pointer::Function(function) => format!("function {} 0", function.index()),
    }
}
