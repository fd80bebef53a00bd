//! Class files: line by line, each with the keyword that it begins with.

use crate::class::{
    Action, Arity, ClassError, Clause, Event, Family, FilePlace, Instance, Library, Predicate,
    RuleText, Selection, ShapeClass, Text,
};

/// Reads a file into the library. Nothing is added if something is wrong.
pub(super) fn read(library: &mut Library, text: &str) -> Result<(), ClassError> {
    let mut reader = Reader { known: library.clone(), found: Vec::new(), number: 0, line: "" };
    for (index, line) in text.lines().enumerate() {
        reader.number = index + 1;
        reader.line = line;
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            reader.read_line(line)?;
        }
    }
    reader.finish_class()?;
    library.classes.extend(reader.found);
    Ok(())
}

struct Reader<'f> {
    known: Library,
    /// The class being read is the last one.
    found: Vec<ShapeClass>,
    /// The line being read, counted from 1.
    number: usize,
    line: &'f str,
}

impl<'f> Reader<'f> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ClassError> {
        self.error_at(self.line.trim_start(), message)
    }

    /// About a part of the line.
    fn error_at<T>(&self, part: &'f str, message: impl Into<String>) -> Result<T, ClassError> {
        Err(ClassError::new(self.place(part), message))
    }

    /// Where a part of the line stands.
    fn place(&self, part: &'f str) -> FilePlace {
        let offset = (part.as_ptr() as usize).saturating_sub(self.line.as_ptr() as usize);
        let before = self.line.get(..offset).unwrap_or("");
        FilePlace { line: self.number, column: before.chars().count() + 1 }
    }

    fn text(&self, text: &'f str) -> Text {
        let text = text.trim();
        Text { text: text.to_owned(), place: self.place(text) }
    }

    fn read_line(&mut self, line: &'f str) -> Result<(), ClassError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "class" => {
                self.finish_class()?;
                self.class(rest)
            }
            "sample" => {
                let text = self.text(rest);
                self.current()?.samples.push(text);
                Ok(())
            }
            "family" => self.family(rest),
            "rule" => self.rule(rest),
            "remove" => self.clause(Event::Remove, rest),
            "add" => self.clause(Event::Add, rest),
            "write" => self.clause(Event::Write, rest),
            "each" | "abstract" | "unary" | "binary" => self.predicate(line),
            _ => self.error_at(word, format!("`{word}` begins no line of a class file")),
        }
    }

    /// A class is whole: every formula must make sense with all families and one pointer.
    fn finish_class(&self) -> Result<(), ClassError> {
        let Some(class) = self.found.last() else { return Ok(()) };
        let pointers = vec![("x".to_owned(), true)];
        let families = class.families.iter().map(|_| true).collect();
        let selection = Selection { families, pointers, ..Selection::default() };
        Instance::of(class, &selection)?.samples(class).map(|_| ())
    }

    fn current(&mut self) -> Result<&mut ShapeClass, ClassError> {
        let place = self.place(self.line.trim_start());
        let error = || ClassError::new(place, "a file begins with a `class` line");
        self.found.last_mut().ok_or_else(error)
    }

    fn current_family(&mut self) -> Result<&mut Family, ClassError> {
        let place = self.place(self.line.trim_start());
        let family = self.current()?.families.last_mut();
        family.ok_or_else(|| ClassError::new(place, "this belongs to a `family`"))
    }

    /// `name(role, …[; number]) "title" [refines name(role, …[; number])]`
    fn class(&mut self, rest: &'f str) -> Result<(), ClassError> {
        let (head, title, tail) = self.titled(rest)?;
        let Head { name, roles, order } = self.head(head)?;
        if roles.is_empty() && order.is_none() {
            return self.error("a class has a link or a number");
        }
        let is_taken =
            self.known.class(&name).is_some() || self.found.iter().any(|class| class.name == name);
        if is_taken {
            return self.error_at(head, format!("there is a class `{name}` already"));
        }
        let mut class = ShapeClass {
            name,
            title,
            roles,
            order,
            refines: None,
            samples: Vec::new(),
            families: Vec::new(),
            file: None,
        };
        if let Some(base) = tail.strip_prefix("refines ") {
            self.inherit(&mut class, base)?;
        } else if !tail.is_empty() {
            return self.error_at(tail, format!("`{tail}` is not expected here"));
        }
        self.found.push(class);
        Ok(())
    }

    fn inherit(&self, class: &mut ShapeClass, base: &'f str) -> Result<(), ClassError> {
        let base_text = base;
        let Head { name, roles: arguments, order } = self.head(base)?;
        let found = self.found.iter().find(|it| it.name == name).or(self.known.class(&name));
        let Some(base) = found else {
            return self.error_at(base_text, format!("there is no class `{name}` above"));
        };
        if arguments.len() != base.roles.len() {
            let message = format!("`{name}` has {} links", base.roles.len());
            return self.error_at(base_text, message);
        }
        if order.is_some() != base.order.is_some() {
            let has = if base.order.is_some() { "a number field" } else { "no number field" };
            return self.error_at(base_text, format!("`{name}` has {has}"));
        }
        if order.is_some() && order != class.order {
            return self.error_at(base_text, "the number field is another one above");
        }
        let mut roles = Vec::new();
        for argument in &arguments {
            match class.roles.iter().position(|role| role == argument) {
                Some(role) => roles.push(role),
                None => return self.error_at(base_text, format!("there is no link `{argument}`")),
            }
        }
        class.refines = Some(name);
        class.families.clone_from(&base.families);
        for family in &mut class.families {
            for (_, role) in &mut family.roles {
                *role = roles[*role];
            }
        }
        Ok(())
    }

    fn family(&mut self, rest: &'f str) -> Result<(), ClassError> {
        let (name, title, tail) = self.titled(rest)?;
        if !tail.is_empty() {
            return self.error_at(tail, format!("`{tail}` is not expected here"));
        }
        let place = self.place(name);
        let name = name.trim().to_owned();
        let class = self.current()?;
        if class.families.iter().any(|family| family.name == name) {
            let message = format!("there is a family `{name}` already");
            return Err(ClassError::new(place, message));
        }
        let roles = class.roles.iter().cloned().enumerate().map(|(role, name)| (name, role));
        let (roles, order) = (roles.collect(), class.order.clone());
        let (predicates, rules) = (Vec::new(), Vec::new());
        let family = Family { name, title, predicates, rules, roles, order };
        class.families.push(family);
        Ok(())
    }

    /// `[each x] [abstract] unary name(v) = formula`
    fn predicate(&mut self, line: &'f str) -> Result<(), ClassError> {
        let (is_for_each, rest) = stripped(line, "each x ");
        let (is_abstraction, rest) = stripped(rest, "abstract ");
        let Some((head, definition)) = rest.split_once('=') else {
            return self.error("a predicate has a definition after `=`");
        };
        let (arity, parameters) = match head.trim().split_once(' ') {
            Some(("unary", head)) => (Arity::Unary, head.trim().strip_suffix("(v)")),
            Some(("binary", head)) => (Arity::Binary, head.trim().strip_suffix("(u, v)")),
            _ => return self.error("a predicate is `unary` or `binary`"),
        };
        let Some(name) = parameters else {
            return self.error("a unary predicate is written `name(v)`, a binary one `name(u, v)`");
        };
        if is_for_each != name.ends_with("[x]") {
            return self.error("`each x` and a name that ends in `[x]` go together");
        }
        let definition = self.text(definition);
        let predicate = Predicate {
            name: name.to_owned(),
            arity,
            is_for_each,
            is_abstraction,
            definition,
            clauses: Vec::new(),
        };
        self.current_family()?.predicates.push(predicate);
        Ok(())
    }

    /// `role: [when condition then] formula`, or `recompute where formula`
    fn clause(&mut self, event: Event, rest: &'f str) -> Result<(), ClassError> {
        let Some((role, rest)) = rest.split_once(':') else {
            return self.error("the name of a link or number and `:` are missing");
        };
        let place = self.place(role.trim());
        let role = role.trim().to_owned();
        let rest = rest.trim();
        let (when, rest) = match rest.strip_prefix("when ") {
            None => (None, rest),
            Some(rest) => match rest.split_once(" then ") {
                Some((when, rest)) => (Some(self.text(when)), rest),
                None => return self.error("behind a condition stands `then`"),
            },
        };
        let action = match rest.trim().strip_prefix("recompute where ") {
            Some(rest) => Action::RecomputeWhere(self.text(rest)),
            None => Action::Set(self.text(rest)),
        };
        let family = self.current_family()?;
        let is_known = match event {
            Event::Remove | Event::Add => family.roles.iter().any(|(name, _)| *name == role),
            Event::Write => family.order.as_ref() == Some(&role),
        };
        if !is_known {
            let what = if event == Event::Write { "number" } else { "link" };
            return Err(ClassError::new(place, format!("there is no {what} `{role}`")));
        }
        let Some(predicate) = family.predicates.last_mut() else {
            return Err(ClassError::new(place, "a change belongs to a predicate"));
        };
        predicate.clauses.push(Clause { event, role, when, action });
        Ok(())
    }

    fn rule(&mut self, rest: &'f str) -> Result<(), ClassError> {
        let (is_for_each, rest) = stripped(rest, "each x: ");
        let text = self.text(rest);
        self.current_family()?.rules.push(RuleText { is_for_each, text });
        Ok(())
    }

    /// What stands before the title, the title, and what stands behind it.
    fn titled(&self, rest: &'f str) -> Result<(&'f str, String, &'f str), ClassError> {
        let parts: Vec<&str> = rest.splitn(3, '"').collect();
        match parts[..] {
            [head, title, tail] => Ok((head.trim(), title.to_owned(), tail.trim())),
            _ => self.error("words for people are missing: \"…\""),
        }
    }

    /// `name(a, b)`, or `name(a, b; number)`
    fn head(&self, text: &'f str) -> Result<Head, ClassError> {
        let inner = text.trim().strip_suffix(')').and_then(|text| text.split_once('('));
        let Some((name, list)) = inner else { return self.error("`name(link, …)` is missing") };
        let (list, order) = match list.split_once(';') {
            Some((list, order)) => (list, Some(order.trim().to_owned())),
            None => (list, None),
        };
        let list = list.split(',').map(str::trim).filter(|it| !it.is_empty());
        Ok(Head { name: name.trim().to_owned(), roles: list.map(str::to_owned).collect(), order })
    }
}

/// A class with its links and its number field.
struct Head {
    name: String,
    roles: Vec<String>,
    order: Option<String>,
}

fn stripped<'t>(text: &'t str, prefix: &str) -> (bool, &'t str) {
    match text.strip_prefix(prefix) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}
