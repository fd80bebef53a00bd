//! What a function does with what it is given: which fields it loads, itself or by functions that it calls, and what
//! it compares with null itself.

use std::collections::BTreeSet;

use heapwright_program::{Body, Callee, FunctionId, Operation, Program};

use super::nullness::{FieldName, NullTests, compared_variables, field_name, loaded_fields_of};

#[derive(Debug, Default)]
pub(super) struct Footprint {
    pub(super) loaded: BTreeSet<FieldName>,
    /// Compared with null as they are given, before the function stores to them.
    pub(super) tested: BTreeSet<FieldName>,
    /// Parameters that may be null, as C counts them.
    pub(super) tested_parameters: BTreeSet<usize>,
    /// It compares with null what it loads from somewhere else than a field: what a pointer to a pointer leads to.
    pub(super) compares_contents: bool,
}

impl Footprint {
    pub(super) fn of(
        program: &Program,
        tests: &NullTests,
        function: &str,
        hidden_parameters: usize,
    ) -> Footprint {
        let mut footprint = Footprint::default();
        let Some(start) = program.function_named(function) else { return footprint };
        let count = program.functions[start].parameters.len();
        let is_tested = |index: &usize| tests.has_parameter(start, index + hidden_parameters);
        footprint.tested_parameters =
            (0..count.saturating_sub(hidden_parameters)).filter(is_tested).collect();
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        let mut waiting = vec![start];
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let Some(body) = &program.functions[id].body else { continue };
            let fields = loaded_fields_of(program, body);
            if id == start {
                let is_given = |field: &FieldName| tests_as_given(program, body, field);
                footprint.tested = fields.tested.into_iter().filter(is_given).collect();
                footprint.compares_contents = fields.compares_contents;
            }
            footprint.loaded.extend(fields.loaded);
            waiting.extend(body.edges.iter().filter_map(|edge| match &edge.operation {
                Operation::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
                _ => None,
            }));
        }
        footprint
    }
}

/// Whether the function compares what the field holds with null on a way on which it has not stored to it.
fn tests_as_given(program: &Program, body: &Body, field: &FieldName) -> bool {
    let compared = compared_variables(program, body);
    let outgoing = body.outgoing();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![body.entry];
    while let Some(location) = waiting.pop() {
        if !seen.insert(location) {
            continue;
        }
        for &edge in &outgoing[location] {
            let edge = &body.edges[edge];
            match &edge.operation {
                Operation::Store { access, .. }
                    if field_name(program, access.path).as_ref() == Some(field) => {}
                Operation::Load { target, access }
                    if compared.contains(target)
                        && field_name(program, access.path).as_ref() == Some(field) =>
                {
                    return true;
                }
                _ => waiting.push(edge.target),
            }
        }
    }
    false
}
