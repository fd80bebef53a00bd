//! Names: which thing a name stands for, seen from inside a function or from the file scope.
//!
//! The printer writes a name where it leads back to the thing, and an id (`#v7`) where it does not
//! because another thing hides it or has the same name. The parser looks up the same way.

use heapwright_base::{DenseId, IdVec};
use rustc_hash::FxHashMap;

use crate::program::{FunctionId, ObjectId, Program, VariableId};
use crate::types::{RecordId, Types};

/// `None` marks a name that several things bear.
type Table<I> = FxHashMap<String, Option<I>>;

#[derive(Debug, Default)]
pub(super) struct Names {
    records: Table<RecordId>,
    functions: Table<FunctionId>,
    global_variables: Table<VariableId>,
    global_objects: Table<ObjectId>,
    local_variables: IdVec<FunctionId, Table<VariableId>>,
    local_objects: IdVec<FunctionId, Table<ObjectId>>,
}

impl Names {
    pub(super) fn of(program: &Program) -> Names {
        let count = program.functions.len();
        let mut names = Names {
            local_variables: IdVec::filled(Table::default(), count),
            local_objects: IdVec::filled(Table::default(), count),
            ..Names::default()
        };
        names.records = Names::of_records(&program.types).records;
        for (id, function) in program.functions.enumerated() {
            add(&mut names.functions, &function.name, id);
        }
        for (id, variable) in program.variables.enumerated() {
            let table = match variable.function {
                Some(function) if function.index() < count => &mut names.local_variables[function],
                _ => &mut names.global_variables,
            };
            add(table, &variable.name, id);
        }
        for (id, object) in program.objects.enumerated() {
            let table = match object.function {
                Some(function) if function.index() < count => &mut names.local_objects[function],
                _ => &mut names.global_objects,
            };
            add(table, &object.name, id);
        }
        names
    }

    /// Only the records, while the rest is not known.
    pub(super) fn of_records(types: &Types) -> Names {
        let mut names = Names::default();
        for (id, record) in types.records() {
            add(&mut names.records, &record.name, id);
        }
        names
    }

    pub(super) fn record(&self, name: &str) -> Option<RecordId> {
        self.records.get(name).copied().flatten()
    }

    pub(super) fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(name).copied().flatten()
    }

    pub(super) fn variable(&self, scope: Option<FunctionId>, name: &str) -> Option<VariableId> {
        let local = scope.and_then(|function| self.local_variables[function].get(name));
        local.or_else(|| self.global_variables.get(name)).copied().flatten()
    }

    pub(super) fn object(&self, scope: Option<FunctionId>, name: &str) -> Option<ObjectId> {
        self.any_object(scope, name).flatten()
    }

    /// The function that `&name` stands for: objects come first.
    pub(super) fn function_address(
        &self,
        scope: Option<FunctionId>,
        name: &str,
    ) -> Option<FunctionId> {
        match self.any_object(scope, name) {
            Some(_) => None,
            None => self.function(name),
        }
    }

    fn any_object(&self, scope: Option<FunctionId>, name: &str) -> Option<Option<ObjectId>> {
        let local = scope.and_then(|function| self.local_objects[function].get(name));
        local.or_else(|| self.global_objects.get(name)).copied()
    }
}

fn add<I: DenseId>(table: &mut Table<I>, name: &str, id: I) {
    table.entry(name.to_owned()).and_modify(|known| *known = None).or_insert(Some(id));
}
