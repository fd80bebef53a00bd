//! Whether a function leaves objects as the clauses of their types ask, if these are to be `kept`: C that looks at each
//! argument and at the result when the call has returned.

use std::fmt::Write;

use rucc_sema::DeclId;
use rucc_types::{RecordId, TypeId, TypeKind};

use super::call::Call;
use super::declarations::result_type;
use super::maker::Maker;
use super::owners::{Belongings, OwnedList, of_object};
use super::shapes::Shape;

impl Call<'_, '_> {
    /// Looks at what the call has left.
    pub(super) fn check_upkeep(&mut self, decl: DeclId) {
        let pointers = self.parameters.iter().filter(|one| one.spelling != "void *");
        let mut places: Vec<(String, TypeId)> = pointers
            .filter_map(|one| Some((one.name.clone(), self.maker.unit.pointee(one.ty)?)))
            .collect();
        let result = self.maker.unit.pointee(result_type(self.maker.unit, decl));
        places.extend(result.map(|target| ("heapwright_result".to_owned(), target)));
        for (place, target) in places {
            if let Some(name) = self.maker.upkeep(target) {
                let _ =
                    writeln!(self.body, "    if ({place} != 0)\n        {name}((void *){place});");
            }
        }
    }
}

impl Maker<'_> {
    /// The function that looks at an object, if its type has clauses that are to be kept.
    fn upkeep(&mut self, target: TypeId) -> Option<String> {
        let TypeKind::Record(record) = self.unit.kind(target) else { return None };
        if !self.unit.is_complete(record) || self.unit.shape(record) != Shape::Object {
            return None;
        }
        let members = self.unit.members(record)?;
        let belongings = self.belongings(record, &members);
        if !belongings.is_kept {
            return None;
        }
        let spelling = self.unit.record_name(target)?;
        let name = format!("@upkeep_{}", self.unit.tag_of(record));
        let mut body = String::new();
        for list in &belongings.lists {
            body += &self.look_at_list(list);
        }
        for tree in &belongings.trees {
            body += &unless(&format!("it->{} == {}", tree.length.name, self.count_of(tree)));
        }
        for condition in &belongings.conditions {
            body += &unless(&of_object(condition, &members));
        }
        let text = format!("\nstatic void {name}({spelling} *it)\n{{\n    (void)it;\n{body}}}\n");
        if !self.functions.contains(&text) {
            self.functions += &text;
            self.declare_error(record, &belongings);
        }
        Some(name)
    }

    fn declare_error(&mut self, record: RecordId, belongings: &Belongings<'_>) {
        let declaration = "extern void __VERIFIER_error(void);\n";
        if !self.prototypes.contains(declaration) {
            self.prototypes += declaration;
        }
        let name = self.unit.tag_of(record).to_owned();
        if belongings.array.is_some()
            || belongings.lists.iter().any(|list| !list.cursors.is_empty())
        {
            self.assume(format!("arrays and cursors of `{name}` are not looked at afterwards"));
        }
    }

    fn look_at_list(&self, list: &OwnedList<'_>) -> String {
        let head = &list.head.name;
        let target = self.unit.pointee(list.head.ty).expect("a list");
        let spelling = self.unit.record_name(target).unwrap_or_else(|| "void".to_owned());
        let (next, back) = match &list.shape {
            Shape::List { next } => (next, String::new()),
            Shape::DoublyLinkedList { next, previous } => {
                let is_linked = format!("at->{previous} == last_{head}");
                (
                    next,
                    unless(&is_linked)
                        .replace("\n    ", "\n        ")
                        .replacen("    ", "        ", 1),
                )
            }
            Shape::Object | Shape::Tree { .. } => unreachable!("it is a list"),
        };
        let mut text = format!(
            "    {spelling} *last_{head} = 0;\n    unsigned long count_{head} = 0;\n    for ({spelling} *at = \
             (void *)it->{head}; at != 0; at = at->{next}) {{\n{back}        last_{head} = at;\n        \
             count_{head}++;\n    }}\n"
        );
        if let Some(last) = list.last {
            text +=
                &unless(&format!("(const void *)it->{} == (const void *)last_{head}", last.name));
        }
        if let Some(length) = list.length {
            text += &unless(&format!("it->{} == count_{head}", length.name));
        }
        text
    }
}

fn unless(condition: &str) -> String {
    format!("    if (!({condition}))\n        __VERIFIER_error();\n")
}
