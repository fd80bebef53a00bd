//! Any value of a record: a function that fills one and, for pointers to it, one that makes it.
//!
//! Nodes that are linked to their own type become lists and trees of any size, by a loop or by
//! recursion, which engines fold as they fold those of any program.

use std::fmt::Write;

use rucc_types::{RecordId, TypeId, TypeKind};

use super::library::Need;
use super::maker::Maker;
use super::shapes::{Member, Shape, counts_bytes, counts_elements, is_capacity};

/// An array in a record, its length, and numbers that are no larger.
struct SizedMember {
    array: String,
    length: String,
    within: Vec<String>,
}

impl SizedMember {
    fn new(array: &Member, length: &Member) -> SizedMember {
        let (array, length) = (array.name.clone(), length.name.clone());
        SizedMember { array, length, within: Vec::new() }
    }
}

impl Maker<'_> {
    /// Writes the functions for a record, once; gives the name that they share.
    pub(super) fn record_functions(&mut self, record: RecordId, ty: TypeId) -> Option<String> {
        if let Some(known) = self.records.get(&record) {
            return Some(known.clone());
        }
        let spelling = self.unit.record_name(ty)?;
        let members = self.unit.members(record)?;
        let mut name = spelling.rsplit(' ').next().unwrap_or_default().to_owned();
        if self.records.values().any(|taken| *taken == name) {
            name = format!("{name}_{}", self.records.len());
        }
        self.records.insert(record, name.clone());
        self.open.push(record);
        let shape = self.unit.shape(record);
        let filling = self.filling(&name, record, &members, &shape);
        self.open.pop();
        let _ = write!(
            self.prototypes,
            "static void @fill_{name}({spelling} *it);\nstatic {spelling} \
             *@make_{name}(void);\n"
        );
        let _ = write!(
            self.functions,
            "\nstatic void @fill_{name}({spelling} *it)\n{{\n    (void)it;\n{filling}}}\n"
        );
        self.making(&name, &spelling, (record, &shape));
        Some(name)
    }

    /// The statements that fill all members but the links.
    fn filling(
        &mut self,
        name: &str,
        record: RecordId,
        members: &[Member],
        shape: &Shape,
    ) -> String {
        let links: Vec<&str> = match shape {
            Shape::Object => Vec::new(),
            Shape::List { next } => vec![next],
            Shape::DoublyLinkedList { next, previous } => vec![next, previous],
            Shape::Tree { children, parent } => {
                children.iter().chain(parent).map(String::as_str).collect()
            }
        };
        let belongings = self.belongings(record, members);
        let is_pointer = |member: &&Member| self.unit.pointee(member.ty).is_some();
        let is_link = |member: &Member| {
            let name = member.name.as_str();
            links.iter().any(|link| link.split('[').next() == Some(name))
        };
        let own = members.iter().filter(|member| !is_link(member) && !belongings.has(&member.name));
        // Numbers first: some say how long an array is.
        let (pointers, others): (Vec<&Member>, Vec<&Member>) = own.partition(is_pointer);
        let sized = match belongings.array {
            Some((array, length)) => Some(SizedMember::new(array, length)),
            None => self.sized_member(&pointers, &others),
        };
        let mut text = String::new();
        for list in &belongings.lists {
            self.describe_owned_list(name, list);
            text += &self.fill_owned_list(name, list);
        }
        for tree in &belongings.trees {
            text += &self.fill_counted_tree(name, tree);
        }
        for member in &others {
            let what = format!("`{name}.{}`", member.name);
            let place = format!("it->{}", member.name);
            if !member.is_bit_field {
                text += &self.fill(&place, member.ty, &what, 1);
            } else if self.unit.input_function(member.ty).is_some() {
                let value = self.value(member.ty, &what);
                let _ = writeln!(text, "    {place} = {value};");
            }
        }
        for member in pointers {
            let what = format!("`{name}.{}`", member.name);
            let target = self.unit.pointee(member.ty).expect("a pointer");
            text += &match &sized {
                Some(sized) if sized.array == member.name => {
                    self.array_member(sized, &others, target, &what)
                }
                Some(_) | None => self.pointer_member(record, member, target, &what),
            };
        }
        text + &self.require_members(name, &belongings, members)
    }

    /// The one pointer of a record that leads to an array, by the names of the numbers beside it.
    fn sized_member(&self, pointers: &[&Member], numbers: &[&Member]) -> Option<SizedMember> {
        let can_be_array = |member: &&&Member| {
            let target = self.unit.pointee(member.ty).expect("a pointer");
            !matches!(self.unit.kind(target), TypeKind::Function(_))
                && !self.is_possibly_empty(target)
        };
        let mut arrays = pointers.iter().filter(can_be_array);
        let (Some(array), None) = (arrays.next(), arrays.next()) else { return None };
        let target = self.unit.pointee(array.ty).expect("a pointer");
        let counts: fn(&str) -> bool =
            if self.unit.is_character(target) { counts_bytes } else { counts_elements };
        let is_number = |member: &&&Member| {
            matches!(self.unit.kind(member.ty), TypeKind::Int(_)) && !member.is_bit_field
        };
        let numbers: Vec<&str> =
            numbers.iter().filter(is_number).map(|member| member.name.as_str()).collect();
        let capacity = numbers.iter().find(|name| is_capacity(name));
        let counted = numbers.iter().filter(|name| counts(name) || is_capacity(name));
        let length = capacity.or_else(|| numbers.iter().find(|name| counts(name)))?;
        let within = counted.filter(|name| *name != length).map(|name| (*name).to_owned());
        Some(SizedMember {
            array: array.name.clone(),
            length: (*length).to_owned(),
            within: within.collect(),
        })
    }

    fn array_member(
        &mut self,
        sized: &SizedMember,
        numbers: &[&Member],
        target: TypeId,
        what: &str,
    ) -> String {
        let mut text = String::new();
        let length = format!("it->{}", sized.length);
        let names = std::iter::once(&sized.length).chain(&sized.within);
        for name in names {
            let member = numbers.iter().find(|member| member.name == *name).expect("a number");
            if self.is_signed(member.ty) {
                let _ = writeln!(text, "    __VERIFIER_assume(it->{name} >= 0);");
            }
        }
        for name in &sized.within {
            let _ = writeln!(text, "    __VERIFIER_assume(it->{name} <= {length});");
        }
        self.assume(format!("{what} has `{}` elements", sized.length));
        for name in &sized.within {
            self.assume(format!("`{name}` is at most `{}`", sized.length));
        }
        text + &self.array(&format!("it->{}", sized.array), &length, target, what)
    }

    /// A member that may be null if somebody tests it.
    fn pointer_member(
        &mut self,
        record: RecordId,
        member: &Member,
        target: TypeId,
        what: &str,
    ) -> String {
        let may_be_null = self.tests.has_field(self.tag(record), &member.name);
        let value = self.member_pointer(record, member, what);
        let value = self.with_null(value, may_be_null, target);
        if !may_be_null {
            self.assume(format!("{what} is not null: nobody tests it"));
        }
        self.assign(&format!("it->{}", member.name), member.ty, &value, 1)
    }

    /// The function that gives a pointer to a record: to one, or to a list or tree of them.
    fn making(&mut self, name: &str, spelling: &str, (record, shape): (RecordId, &Shape)) {
        let depth = if matches!(shape, Shape::Tree { .. }) { 1 } else { 2 };
        let required = self.require_behind(record, "it", &"    ".repeat(depth));
        let more = match shape {
            Shape::Object => "",
            Shape::List { .. } | Shape::DoublyLinkedList { .. } | Shape::Tree { .. } => {
                self.choice()
            }
        };
        let new = format!(
            "{spelling} *it = __builtin_malloc(sizeof *it);\nINDENT__VERIFIER_assume(it != 0);\n\
             INDENT@fill_{name}(it);\n"
        );
        let new = |indent: &str| new.replace("INDENT", indent);
        let body = match shape {
            Shape::Object => format!("    {}    return it;\n", new("    ")),
            Shape::List { next } => format!(
                "    {spelling} *first = 0;\n    while ({more}) {{\n        {}        it->{next} = \
                 first;\n{}        first = it;\n    }}\n    return first;\n",
                new("        "),
                required
            ),
            Shape::DoublyLinkedList { next, previous } => format!(
                "    {spelling} *first = 0;\n    while ({more}) {{\n        {}        it->{next} = \
                 first;\n        it->{previous} = 0;\n{}        if (first != 0)\n            \
                 first->{previous} = it;\n        first = it;\n    }}\n    return first;\n",
                new("        "),
                required
            ),
            Shape::Tree { children, parent } => {
                let mut text = format!("    if (!{more})\n        return 0;\n    {}", new("    "));
                if let Some(parent) = parent {
                    let _ = writeln!(text, "    it->{parent} = 0;");
                }
                for child in children {
                    let _ = writeln!(text, "    it->{child} = @make_{name}();");
                    // Who has made a child tells it, so that what makes it owes nothing to its caller.
                    if let Some(parent) = parent {
                        let _ = writeln!(text, "    if (it->{child} != 0)");
                        let _ = writeln!(text, "        it->{child}->{parent} = it;");
                    }
                }
                text + &required + "    return it;\n"
            }
        };
        let _ = write!(self.functions, "\nstatic {spelling} *@make_{name}(void)\n{{\n{body}}}\n");
    }

    /// What a member points to. Nodes with blocks of all sizes are not folded, so texts in them have a
    /// fixed room; and what nobody frees is the user's own, of which one object stands for all.
    fn member_pointer(&mut self, record: RecordId, member: &Member, what: &str) -> String {
        let target = self.unit.pointee(member.ty).expect("a pointer");
        let is_text = self.unit.is_character(target);
        if !is_text && !matches!(self.unit.kind(target), TypeKind::Void) {
            return self.pointer(target, what);
        }
        let content = if is_text { "a text of at most 15 characters" } else { "16 bytes" };
        if !self.shares || self.leads_to_heap(record, member) {
            self.needs.insert(Need::ShortText);
            self.assume(format!("{what} is {content}"));
            return "@short_text()".to_owned();
        }
        self.needs.insert(Need::Shared);
        self.assume(format!("{what} is {content} that the caller owns, the same in all nodes"));
        "@shared".to_owned()
    }

    /// Whether the member leads to memory of its own.
    pub(crate) fn leads_to_heap(&self, record: RecordId, member: &Member) -> bool {
        let Some(target) = self.unit.pointee(member.ty) else { return false };
        let is_text = self.unit.is_character(target);
        match self.unit.kind(target) {
            TypeKind::Function(_) => false,
            TypeKind::Void => self.tests.is_freed(self.tag(record), &member.name),
            _ if is_text => self.tests.is_freed(self.tag(record), &member.name),
            _ => true,
        }
    }

    /// The name that the program has for a record.
    fn tag(&self, record: RecordId) -> &str {
        self.unit.tag_of(record)
    }
}
