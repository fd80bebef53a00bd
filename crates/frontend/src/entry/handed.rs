//! What callers of a function may have to promise since it hands its arguments on: a clause about a function that it
//! calls, said of the arguments of the call.
//!
//! A guess like others: whether the call is made, and with the values that the parameters had, is not looked at.

use heapwright_program::Program;
use heapwright_program::analysis::CallGraph;
use rucc_ast::UnaryOp;
use rucc_base::Idx;
use rucc_sema::{DeclId, Expr, ExprId, ExprKind};
use rucc_types::TypeKind;

use super::contract::{Clause, Contract};
use super::declarations::definition;
use super::owners::{mentions, words};
use super::suggest::{Sort, Subject, Suggestion};
use crate::syntax::Unit;

/// A function, and those that it may call, be it by others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    pub function: String,
    pub callees: Vec<String>,
}

/// The functions with a body, callees before callers.
pub(crate) fn bottom_up(program: &Program) -> Vec<Calls> {
    let graph = CallGraph::of(program);
    let mut all = Vec::new();
    for &id in graph.bottom_up().iter().flatten() {
        if program.functions[id].body.is_none() {
            continue;
        }
        let mut found = Vec::new();
        let mut waiting = graph.callees(id).to_vec();
        while let Some(callee) = waiting.pop() {
            if callee != id && !found.contains(&callee) {
                found.push(callee);
                waiting.extend(graph.callees(callee));
            }
        }
        let name = |id| program.functions[id].name.clone();
        all.push(Calls { function: name(id), callees: found.into_iter().map(name).collect() });
    }
    all
}

/// The clauses of callees, about what the function hands on to them.
pub(super) fn handed_on(
    units: &[Unit],
    (unit, function): (&Unit, DeclId),
    contract: &Contract,
) -> Vec<Suggestion> {
    let Some(name) = unit.tast[function].name else { return Vec::new() };
    let own = unit.names.resolve(name);
    let mut found: Vec<Suggestion> = Vec::new();
    for callee in contract.functions().filter(|callee| *callee != own) {
        let Some(parameters) = parameters(units, callee) else { continue };
        for arguments in calls(unit, function, callee) {
            for clause in contract.of(callee) {
                let clause = match clause {
                    Clause::Condition(condition) => condition.clone(),
                    Clause::NonNull(name) => format!("{name} != 0"),
                    Clause::MaybeNull(_)
                    | Clause::List(_)
                    | Clause::Tree(_)
                    | Clause::Text(_)
                    | Clause::Owned(_)
                    | Clause::Length { .. }
                    | Clause::Last { .. }
                    | Clause::Member { .. }
                    | Clause::Kept => continue,
                };
                let clause = said_of(&clause, &parameters, &arguments);
                let Some(clause) = clause else { continue };
                let subject = Subject::Function(own.to_owned());
                let suggestion = Suggestion { subject, sort: Sort::HandedOn, clause };
                if !found.contains(&suggestion) {
                    found.push(suggestion);
                }
            }
        }
    }
    found
}

fn parameters(units: &[Unit], function: &str) -> Option<Vec<String>> {
    let (unit, decl) = units.iter().find_map(|unit| Some((unit, definition(unit, function)?)))?;
    let ids = unit.tast[unit.tast[decl].params].to_vec();
    let name = |id: DeclId| Some(unit.names.resolve(unit.tast[id].name?).to_owned());
    ids.into_iter().map(name).collect()
}

/// The arguments of each call of a function in the body of another, as far as they are told by its parameters.
fn calls(unit: &Unit, function: DeclId, callee: &str) -> Vec<Vec<Option<String>>> {
    let tast = &unit.tast;
    let Some(body) = tast[function].body else { return Vec::new() };
    let around = tast.stmt_span(body);
    let own = tast[tast[function].params].to_vec();
    let mut found = Vec::new();
    for number in 0..tast.counts().exprs {
        let id = Idx::<Expr>::from_usize(number);
        let ExprKind::Call { callee: called, args } = tast[id].kind else { continue };
        let start = tast.expr_span(id).lo;
        if start < around.lo || around.hi <= start || name_of(unit, called) != Some(callee) {
            continue;
        }
        let arguments = tast[args].to_vec();
        found.push(arguments.into_iter().map(|one| told(unit, &own, one)).collect());
    }
    found
}

fn name_of(unit: &Unit, callee: ExprId) -> Option<&str> {
    match unit.tast[callee].kind {
        ExprKind::Convert { operand, .. } => name_of(unit, operand),
        ExprKind::Decl(decl) => unit.tast[decl].name.map(|name| unit.names.resolve(name)),
        _ => None,
    }
}

/// A parameter, or a member of what one leads to.
fn told(unit: &Unit, own: &[DeclId], argument: ExprId) -> Option<String> {
    match unit.tast[argument].kind {
        ExprKind::Convert { operand, .. } => told(unit, own, operand),
        ExprKind::Decl(decl) if own.contains(&decl) => {
            Some(unit.names.resolve(unit.tast[decl].name?).to_owned())
        }
        ExprKind::Member { base, field } => {
            let TypeKind::Record(record) = unit.kind(unit.tast[base].ty) else { return None };
            let fields = &unit.types.record_info(record).fields;
            let name = unit.names.resolve(fields.get(usize::try_from(field).ok()?)?.name?);
            match unit.tast[base].kind {
                ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                    Some(format!("{}->{name}", told(unit, own, operand)?))
                }
                _ => Some(format!("{}.{name}", told(unit, own, base)?)),
            }
        }
        _ => None,
    }
}

/// The clause with arguments in the place of parameters, if all that it speaks of are told.
fn said_of(clause: &str, parameters: &[String], arguments: &[Option<String>]) -> Option<String> {
    if !parameters.iter().any(|parameter| mentions(clause, parameter)) {
        return None;
    }
    let mut text = String::new();
    for (word, is_part) in words(clause) {
        match parameters.iter().position(|parameter| !is_part && parameter == word) {
            Some(at) => text += arguments.get(at)?.as_ref()?,
            None => text += word,
        }
    }
    Some(text)
}
