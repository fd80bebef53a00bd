//! What the caller keeps: what it has passed, unless the function owns it, and the result. It stays reachable
//! when `main` ends, so that it is not lost.

use std::fmt::Write;

use rucc_sema::DeclId;
use rucc_types::TypeKind;

use super::call::{Call, Parameter};
use super::contract::Clause;
use super::declarations::result_type;
use super::shapes::{Member, Shape};

impl Call<'_, '_> {
    /// What an argument points to at the start stays the caller's, whatever the function does with the
    /// pointers to it.
    pub(super) fn keep_what_is_given(&mut self) -> String {
        let unit = self.maker.unit;
        let mut kept = String::new();
        for parameter in &self.parameters {
            let Some(target) = unit.pointee(parameter.ty) else { continue };
            // A type that has no name cannot be looked into.
            if self.is_owned(&parameter.name) || parameter.spelling == "void *" {
                continue;
            }
            let name = &parameter.name;
            let inner: Vec<(String, String)> = match unit.kind(target) {
                TypeKind::Pointer(_) => vec![("start".to_owned(), format!("*{name}"))],
                // Pointers into lists and trees would part the ways in them; their heads are kept.
                TypeKind::Record(record)
                    if unit.is_complete(record) && unit.shape(record) == Shape::Object =>
                {
                    let members = unit.members(record).unwrap_or_default();
                    // Who speaks of a node of another member's list holds no memory by that.
                    let belongings = self.maker.belongings(record, &members);
                    let is_data = |member: &&Member| {
                        self.maker.leads_to_heap(record, member) && !belongings.speaks(&member.name)
                    };
                    let members = members.iter().filter(is_data);
                    members.map(|it| (it.name.clone(), format!("{name}->{}", it.name))).collect()
                }
                _ => continue,
            };
            for (suffix, place) in inner {
                let keeper = format!("heapwright_kept_{name}_{suffix}");
                let _ = writeln!(kept, "static const void *{keeper};");
                let _ = writeln!(
                    self.body,
                    "    if ({name} != 0)\n        {keeper} = (const void *){place};"
                );
            }
        }
        kept
    }

    fn is_owned(&self, name: &str) -> bool {
        self.clauses.iter().any(|clause| matches!(clause, Clause::Owned(owned) if owned == name))
    }

    /// The call. What the caller keeps stays reachable when `main` ends: its arguments, unless the
    /// function owns them, and the result.
    pub(super) fn call_and_keep(&mut self, decl: DeclId) -> String {
        let unit = self.maker.unit;
        let mut kept = String::new();
        let names: Vec<&str> = self.parameters.iter().map(|one| one.name.as_str()).collect();
        let call = format!("{}({})", self.function, names.join(", "));
        let result = result_type(unit, decl);
        let spelling = unit.spelling(result);
        match (unit.has_pointers(result), unit.kind(result), spelling) {
            (true, TypeKind::Pointer(_), _) => {
                kept += "static const void *heapwright_result;\n";
                let _ = writeln!(self.body, "    heapwright_result = (const void *){call};");
            }
            (true, TypeKind::Record(_), Some(spelling)) => {
                let _ = writeln!(kept, "static __typeof__({spelling}) heapwright_result;");
                let _ = writeln!(self.body, "    heapwright_result = {call};");
            }
            (_, _, _) => {
                let _ = writeln!(self.body, "    {call};");
            }
        }
        for parameter in &self.parameters {
            if !unit.has_pointers(parameter.ty) {
                continue;
            }
            if self.is_owned(&parameter.name) {
                let text = format!("`{}` belongs to the function (contract)", parameter.name);
                self.maker.assume(text);
                continue;
            }
            let Parameter { name, spelling, .. } = parameter;
            if unit.pointee(parameter.ty).is_some() {
                let _ = writeln!(kept, "static const void *heapwright_kept_{name};");
                let _ = writeln!(self.body, "    heapwright_kept_{name} = (const void *){name};");
            } else {
                let _ = writeln!(kept, "static {spelling} heapwright_kept_{name};");
                let _ = writeln!(self.body, "    heapwright_kept_{name} = {name};");
            }
        }
        kept
    }
}
