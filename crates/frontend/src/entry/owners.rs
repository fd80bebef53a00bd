//! Objects whose members belong together: a list with its last node, its length, and cursors into it.
//!
//! By themselves, members are made one by one and share nothing, which no list with a `tail` survives. What a
//! contract says of a type is built instead: one loop makes the nodes and tells the other members.

use std::fmt::Write;

use rucc_types::{RecordId, TypeId, TypeKind};

use super::contract::Clause;
use super::counted::CountedTree;
use super::maker::Maker;
use super::shapes::{Member, Shape};

/// No list is longer, so that its length fits into what counts it.
pub(super) const MOST_NODES: u64 = 1 << 28;

/// A list that other members of the same object speak of.
pub(super) struct OwnedList<'m> {
    pub(super) head: &'m Member,
    node: RecordId,
    pub(super) shape: Shape,
    pub(super) last: Option<&'m Member>,
    pub(super) length: Option<&'m Member>,
    pub(super) cursors: Vec<&'m Member>,
}

/// What a contract says of an object.
#[derive(Default)]
pub(super) struct Belongings<'m> {
    pub(super) lists: Vec<OwnedList<'m>>,
    pub(super) trees: Vec<CountedTree<'m>>,
    /// An array and the member that tells how long it is.
    pub(super) array: Option<(&'m Member, &'m Member)>,
    pub(super) conditions: Vec<String>,
    /// Conditions about what is behind it, too.
    pub(super) link_conditions: Vec<String>,
    /// Functions are asked to leave it so.
    pub(super) is_kept: bool,
}

impl OwnedList<'_> {
    /// Whether this member speaks of the list of another.
    fn speaks(&self, name: &str) -> bool {
        let mut others = self.last.iter().chain(&self.length).chain(&self.cursors);
        others.any(|member| member.name == name)
    }
}

impl Belongings<'_> {
    /// Whether this member is made together with a list.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_counted =
            |tree: &CountedTree<'_>| tree.root.name == name || tree.length.name == name;
        self.lists.iter().any(|list| list.head.name == name || list.speaks(name))
            || self.trees.iter().any(is_counted)
    }

    pub(super) fn speaks(&self, name: &str) -> bool {
        self.lists.iter().any(|list| list.speaks(name))
    }
}

impl Maker<'_> {
    /// What the contract says of the members of a record. What does not fit is a mistake of the contract.
    pub(super) fn belongings<'m>(
        &mut self,
        record: RecordId,
        members: &'m [Member],
    ) -> Belongings<'m> {
        let mut belongings = Belongings::default();
        let name = self.unit.tag_of(record).to_owned();
        for clause in self.contract.of_type(&name).to_vec() {
            if let Err(problem) = self.add_clause(&mut belongings, &clause, (record, members)) {
                self.mistakes.push(format!("type `{name}` {problem}"));
            }
        }
        belongings
    }

    fn add_clause<'m>(
        &self,
        belongings: &mut Belongings<'m>,
        clause: &Clause,
        (record, members): (RecordId, &'m [Member]),
    ) -> Result<(), String> {
        let member = |name: &str| {
            let found = members.iter().find(|member| member.name == name);
            found.ok_or_else(|| format!("has no member `{name}`"))
        };
        // Of two lists, only one could be the one that a member speaks of.
        let spoken = spoken_of(clause);
        if let Some(name) = spoken.filter(|name| belongings.has(name)) {
            return Err(format!("has two clauses about `{name}`"));
        }
        match clause {
            Clause::Condition(condition) => {
                if self.is_about_links(condition, (record, members))? {
                    belongings.link_conditions.push(condition.clone());
                    return Ok(());
                }
                belongings.conditions.push(condition.clone());
            }
            Clause::Kept => belongings.is_kept = true,
            Clause::Length { array, length } => {
                let (array, length) = (member(array)?, member(length)?);
                if !matches!(self.unit.kind(length.ty), TypeKind::Int(_)) {
                    return Err(format!("has a `{}` that is no integer", length.name));
                }
                if self.list_of(array.ty).is_some() {
                    self.owned_list(belongings, array)?.length = Some(length);
                } else if self.tree_of(array.ty).is_some() {
                    if belongings.has(&array.name) {
                        return Err(format!("has two clauses about `{}`", array.name));
                    }
                    belongings.trees.push(CountedTree { root: array, length });
                } else if self.unit.pointee(array.ty).is_some() {
                    belongings.array = Some((array, length));
                } else {
                    return Err(format!("has a `{}` of another type", array.name));
                }
            }
            Clause::Last { list, node } => {
                let (list, node) = (member(list)?, member(node)?);
                let owned = self.owned_list(belongings, list)?;
                owned.last = Some(self.pointer_to(owned.node, node)?);
            }
            Clause::Member { place, node } => {
                let (list, node) = (member(place)?, member(node)?);
                let owned = self.owned_list(belongings, list)?;
                let cursor = self.pointer_to(owned.node, node)?;
                owned.cursors.push(cursor);
            }
            Clause::NonNull(_)
            | Clause::MaybeNull(_)
            | Clause::List(_)
            | Clause::Tree(_)
            | Clause::Text(_)
            | Clause::Owned(_) => {
                return Err("has a clause that is for functions; write conditions".to_owned());
            }
        }
        Ok(())
    }

    /// Whether a condition speaks of links of a node to its own type. What leads back is set when conditions were
    /// asked already.
    fn is_about_links(
        &self,
        condition: &str,
        (record, members): (RecordId, &[Member]),
    ) -> Result<bool, String> {
        let forward = self.forward_links(record);
        let is_link = |member: &&Member| self.links_to_itself(record, member);
        let named = |member: &&Member| mentions(condition, &member.name);
        let links: Vec<&Member> = members.iter().filter(is_link).filter(named).collect();
        match links.iter().find(|link| !forward.contains(&link.name)) {
            Some(link) => Err(format!("has a condition about its link `{}`", link.name)),
            None => Ok(!links.is_empty()),
        }
    }

    /// The links of a node whose targets are complete when it is made.
    fn forward_links(&self, record: RecordId) -> Vec<String> {
        match self.unit.shape(record) {
            Shape::Object => Vec::new(),
            Shape::List { next } | Shape::DoublyLinkedList { next, .. } => vec![next],
            Shape::Tree { children, .. } => children,
        }
    }

    fn links_to_itself(&self, record: RecordId, member: &Member) -> bool {
        let target = match self.unit.kind(member.ty) {
            TypeKind::Array { elem, .. } => self.unit.pointee(elem),
            _ => self.unit.pointee(member.ty),
        };
        let target = target.map(|target| self.unit.kind(target));
        matches!(target, Some(TypeKind::Record(other)) if other == record)
    }

    /// The node of a list, and how its nodes hang together.
    fn list_of(&self, ty: TypeId) -> Option<(RecordId, Shape)> {
        let TypeKind::Record(node) = self.unit.kind(self.unit.pointee(ty)?) else { return None };
        match self.unit.shape(node) {
            shape @ (Shape::List { .. } | Shape::DoublyLinkedList { .. }) => Some((node, shape)),
            Shape::Object | Shape::Tree { .. } => None,
        }
    }

    fn owned_list<'b, 'm>(
        &self,
        belongings: &'b mut Belongings<'m>,
        head: &'m Member,
    ) -> Result<&'b mut OwnedList<'m>, String> {
        if belongings.speaks(&head.name) {
            return Err(format!("has two clauses about `{}`", head.name));
        }
        let lists = &mut belongings.lists;
        let known = lists.iter().position(|list| list.head.name == head.name);
        let Some((node, shape)) = self.list_of(head.ty) else {
            return Err(format!("has a `{}` that is no list", head.name));
        };
        let at = known.unwrap_or_else(|| {
            lists.push(OwnedList { head, node, shape, last: None, length: None, cursors: vec![] });
            lists.len() - 1
        });
        Ok(&mut lists[at])
    }

    fn pointer_to<'m>(&self, node: RecordId, member: &'m Member) -> Result<&'m Member, String> {
        let target = self.unit.pointee(member.ty).map(|target| self.unit.kind(target));
        match target {
            Some(TypeKind::Record(record)) if record == node => Ok(member),
            Some(_) | None => Err(format!("has a `{}` of another type", member.name)),
        }
    }

    /// The statements that make a list and the members that speak of it.
    pub(super) fn fill_owned_list(&mut self, owner: &str, list: &OwnedList<'_>) -> String {
        let target = self.unit.pointee(list.head.ty).expect("a list");
        let Some(name) = self.record_functions(list.node, target) else {
            return format!("    {};\n", self.refuse(&format!("the nodes of `{owner}`")));
        };
        let spelling = self.unit.record_name(target).expect("its functions have a name");
        let more = self.choice();
        let head = &list.head.name;
        let mut text = format!("    {spelling} *first_{head} = 0;\n");
        for place in list.last.iter().chain(&list.cursors) {
            let _ = writeln!(text, "    {spelling} *node_{} = 0;", place.name);
        }
        if let Some(length) = list.length {
            let _ = writeln!(text, "    unsigned long count_{} = 0;", length.name);
        }
        let _ = write!(
            text,
            "    while ({more}) {{\n        {spelling} *node = __builtin_malloc(sizeof *node);\n        \
             __VERIFIER_assume(node != 0);\n        @fill_{name}(node);\n"
        );
        text += &self.link_and_tell(list);
        text += "    }\n";
        text += &self.assign(&format!("it->{head}"), list.head.ty, &format!("first_{head}"), 1);
        for place in list.last.iter().chain(&list.cursors) {
            let value = format!("node_{}", place.name);
            text += &self.assign(&format!("it->{}", place.name), place.ty, &value, 1);
        }
        if let Some(length) = list.length {
            let _ = writeln!(text, "    it->{0} = count_{0};", length.name);
        }
        text
    }

    /// What is done with a new node: it becomes the first one.
    fn link_and_tell(&mut self, list: &OwnedList<'_>) -> String {
        let first = format!("first_{}", list.head.name);
        let required = self.require_behind(list.node, "node", "        ");
        let mut text = String::new();
        let mut line = |statement: String| {
            let _ = writeln!(text, "        {statement}");
        };
        match &list.shape {
            Shape::DoublyLinkedList { next, previous } => {
                line(format!("node->{next} = {first};"));
                line(format!("node->{previous} = 0;"));
                line(format!("if ({first} != 0)"));
                line(format!("    {first}->{previous} = node;"));
            }
            Shape::List { next } => line(format!("node->{next} = {first};")),
            Shape::Object | Shape::Tree { .. } => unreachable!("it is a list"),
        }
        text += &required;
        let mut line = |statement: String| {
            let _ = writeln!(text, "        {statement}");
        };
        if let Some(last) = list.last {
            line(format!("if ({first} == 0)"));
            line(format!("    node_{} = node;", last.name));
        }
        for cursor in &list.cursors {
            line(format!("if ({})", self.choice()));
            line(format!("    node_{} = node;", cursor.name));
        }
        line(format!("{first} = node;"));
        if let Some(length) = list.length {
            let most = MOST_NODES.min(self.most_of(length.ty));
            line(format!("count_{}++;", length.name));
            line(format!("__VERIFIER_assume(count_{} <= {most});", length.name));
        }
        text
    }

    /// The largest number of an integer type.
    pub(super) fn most_of(&self, ty: TypeId) -> u64 {
        let info = rucc_types::integer_info(&self.unit.types, ty, &self.unit.target);
        let bits = self.size(ty) * 8;
        let value_bits = bits - u64::from(info.is_some_and(|info| info.signed));
        if value_bits >= 64 { u64::MAX } else { (1 << value_bits) - 1 }
    }

    /// What a contract says of the members of an object, as the last statements that fill it.
    pub(super) fn require_members(
        &mut self,
        owner: &str,
        belongings: &Belongings<'_>,
        members: &[Member],
    ) -> String {
        let mut text = String::new();
        for condition in &belongings.conditions {
            let _ = writeln!(text, "    __VERIFIER_assume({});", of_object(condition, members));
            self.assume(format!("`{condition}` in every `{owner}` (contract)"));
        }
        text
    }

    /// What a contract says of a node and what is behind it: statements about the node in a variable. A number that
    /// is told by the rest is set, so that runs come to where the condition holds.
    pub(super) fn require_behind(&mut self, node: RecordId, place: &str, indent: &str) -> String {
        let members = self.unit.members(node).unwrap_or_default();
        let conditions = self.belongings(node, &members).link_conditions;
        let name = self.unit.tag_of(node).to_owned();
        let mut text = String::new();
        for condition in conditions {
            let is_number = |member: &&Member| {
                !member.is_bit_field && matches!(self.unit.kind(member.ty), TypeKind::Int(_))
            };
            let told = condition.split_once("==").and_then(|(number, value)| {
                let mut numbers = members.iter().filter(is_number);
                let number = numbers.find(|member| member.name == number.trim())?;
                (!mentions(value, &number.name)).then_some((number, value.trim()))
            });
            if let Some((number, value)) = told {
                let value = of_place(value, &members, place);
                let _ = writeln!(text, "{indent}{place}->{} = {value};", number.name);
            }
            let required = of_place(&condition, &members, place);
            let _ = writeln!(text, "{indent}__VERIFIER_assume({required});");
            self.assume(format!("`{condition}` in every `{name}` (contract)"));
        }
        text
    }

    /// Tells what is assumed of a list that an object owns.
    pub(super) fn describe_owned_list(&mut self, owner: &str, list: &OwnedList<'_>) {
        let head = &list.head.name;
        let (next, back) = match &list.shape {
            Shape::DoublyLinkedList { next, previous } => (next, format!(" and `{previous}`")),
            Shape::List { next } => (next, String::new()),
            Shape::Object | Shape::Tree { .. } => unreachable!("it is a list"),
        };
        self.assume(format!(
            "`{owner}.{head}` is a list of any length, linked by `{next}`{back}, that null ends"
        ));
        if let Some(last) = list.last {
            self.assume(format!(
                "`{owner}.{}` is the last node of `{head}`, null if there is none (contract)",
                last.name
            ));
        }
        if let Some(length) = list.length {
            let most = MOST_NODES.min(self.most_of(length.ty));
            self.assume(format!(
                "`{owner}.{}` is the number of nodes of `{head}`, at most {most} (contract)",
                length.name
            ));
        }
        for cursor in &list.cursors {
            self.assume(format!(
                "`{owner}.{}` is null or a node of `{head}` (contract)",
                cursor.name
            ));
        }
    }
}

/// The member that a clause says to speak of a list or an array.
fn spoken_of(clause: &Clause) -> Option<&String> {
    match clause {
        Clause::Length { length: name, .. }
        | Clause::Last { node: name, .. }
        | Clause::Member { node: name, .. } => Some(name),
        Clause::Condition(_)
        | Clause::Kept
        | Clause::NonNull(_)
        | Clause::MaybeNull(_)
        | Clause::List(_)
        | Clause::Tree(_)
        | Clause::Text(_)
        | Clause::Owned(_) => None,
    }
}

/// The condition with `it->` before each member that stands for itself.
pub(super) fn of_object(condition: &str, members: &[Member]) -> String {
    of_place(condition, members, "it")
}

fn of_place(condition: &str, members: &[Member], place: &str) -> String {
    let is_member = |word: &str| members.iter().any(|member| member.name == word);
    let mut text = String::new();
    for (word, is_part) in words(condition) {
        if !is_part && is_member(word) {
            text += &format!("{place}->");
        }
        text += word;
    }
    text
}

pub(super) fn mentions(condition: &str, name: &str) -> bool {
    words(condition).iter().any(|(word, is_part)| !is_part && *word == name)
}

/// Names and what stands between them, each with whether it is the name of a part of something.
pub(super) fn words(text: &str) -> Vec<(&str, bool)> {
    let is_name = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(one) = rest.chars().next() {
        let end = match is_name(one) {
            true => rest.find(|one| !is_name(one)).unwrap_or(rest.len()),
            false => one.len_utf8(),
        };
        let before = text[..text.len() - rest.len()].trim_end();
        let is_part = before.ends_with("->") || before.ends_with('.');
        words.push((&rest[..end], is_part));
        rest = &rest[end..];
    }
    words
}
