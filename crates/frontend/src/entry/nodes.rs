//! Arguments that are nodes of another argument's list or tree, as a contract says: `member(l->head) == node`.

use std::fmt::Write;

use rucc_types::{TypeId, TypeKind};

use super::call::Call;
use super::contract::Clause;
use super::shapes::Shape;

impl Call<'_, '_> {
    /// The list or tree that a parameter is a node of.
    pub(super) fn member_place(&self, parameter: &str) -> Option<&str> {
        self.clauses.iter().find_map(|clause| match clause {
            Clause::Member { place, node } if node == parameter => Some(place.as_str()),
            Clause::Member { .. }
            | Clause::NonNull(_)
            | Clause::MaybeNull(_)
            | Clause::List(_)
            | Clause::Tree(_)
            | Clause::Text(_)
            | Clause::Owned(_)
            | Clause::Length { .. }
            | Clause::Last { .. }
            | Clause::Kept
            | Clause::Condition(_) => None,
        })
    }

    /// Makes such arguments, behind all others.
    pub(super) fn make_members(&mut self) {
        for index in 0..self.parameters.len() {
            let (name, ty) = (self.parameters[index].name.clone(), self.parameters[index].ty);
            let Some(place) = self.member_place(&name).map(str::to_owned) else { continue };
            let target = self.maker.unit.pointee(ty).expect("names are checked");
            let what = format!("`{name}`");
            let walk = self.walk(target);
            let value = format!("{walk}({place})");
            let value = match self.owner_that_may_be_null(&place) {
                Some(owner) => format!("({owner} != 0 ? {value} : 0)"),
                None => value,
            };
            let _ = writeln!(self.body, "    {name} = (void *){value};");
            if !self.may_be_null(index, &what) {
                let _ = writeln!(self.body, "    __VERIFIER_assume({name} != 0);");
            }
            self.maker.assume(format!("{what} is a node of `{place}` (contract)"));
        }
    }

    /// The parameter that a place begins with, if it is a pointer.
    fn owner_that_may_be_null(&self, place: &str) -> Option<String> {
        let start = place.trim_start_matches(['*', '(', '&', ' ']);
        let end = start.find(|one: char| !one.is_ascii_alphanumeric() && one != '_');
        let name = &start[..end.unwrap_or(start.len())];
        let is_followed = name.len() < place.len();
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name)?;
        let is_pointer = self.maker.unit.pointee(parameter.ty).is_some();
        (is_followed && is_pointer).then(|| name.to_owned())
    }

    /// The function that goes some steps from a node on: any node, or null behind the last one.
    fn walk(&mut self, target: TypeId) -> String {
        let unit = self.maker.unit;
        let TypeKind::Record(record) = unit.kind(target) else { unreachable!("names are checked") };
        let spelling = unit.record_name(target).unwrap_or_else(|| "void".to_owned());
        let links = match unit.shape(record) {
            Shape::List { next } | Shape::DoublyLinkedList { next, .. } => vec![next],
            Shape::Tree { children, .. } => children,
            Shape::Object => unreachable!("names are checked"),
        };
        let more = self.maker.choice();
        let (last, others) = links.split_last().expect("a link");
        let mut step = format!("it->{last}");
        for link in others {
            step = format!("{more} ? it->{link} : {step}");
        }
        let name = format!("@some_{}", unit.tag_of(record));
        let text = format!(
            "\nstatic {spelling} *{name}({spelling} *it)\n{{\n    while (it != 0 && {more})\n        \
             it = {step};\n    return it;\n}}\n"
        );
        if !self.maker.functions.contains(&text) {
            self.maker.functions += &text;
        }
        name
    }
}
