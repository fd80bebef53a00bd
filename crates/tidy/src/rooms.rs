//! Rooms: the folders of an engine are layers, and each uses only those before it.
//!
//! A use is a path that begins with `crate::`, wherever it stands outside of tests. Methods are uses
//! too, and no path shows them: so an inherent `impl` of a type stays in the type's room.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Findings, Source};

/// The rooms of a crate in their order; files and folders directly in `src`.
#[derive(Clone, Debug)]
pub struct Layers {
    pub crate_name: &'static str,
    pub order: &'static [&'static str],
    /// Rooms that may use all others, and that no other may use.
    pub outer: &'static [&'static str],
}

/// Which room uses which other one, and how often.
pub type Uses = BTreeMap<(String, String), usize>;

impl Layers {
    fn rank(&self, room: &str) -> Option<usize> {
        self.order.iter().position(|known| *known == room)
    }

    fn is_outer(&self, room: &str) -> bool {
        self.outer.contains(&room)
    }

    /// All uses of one room by another.
    pub fn uses(&self, sources: &[Source]) -> Uses {
        let mut uses = Uses::new();
        for source in self.own(sources) {
            let from = room_of(source);
            for to in used_rooms(source).filter(|to| *to != from) {
                *uses.entry((from.to_owned(), to)).or_default() += 1;
            }
        }
        uses
    }

    /// Uses that go the wrong way, and methods that stand in another room than their type.
    pub fn findings(&self, sources: &[Source]) -> Findings {
        let mut findings = Findings::new();
        for ((from, to), count) in self.uses(sources) {
            let is_right = match (self.rank(&from), self.rank(&to)) {
                _ if self.is_outer(&from) => true,
                (Some(from), Some(to)) => to < from,
                (_, _) => false,
            };
            if !is_right {
                findings.insert(format!("rooms {}: {from} uses {to}", self.crate_name), count);
            }
        }
        let homes = self.homes(sources);
        for source in self.own(sources) {
            let room = room_of(source);
            let strange = source
                .product_lines()
                .filter_map(inherent_impl)
                .filter(|name| homes.get(*name).is_some_and(|homes| !homes.contains(room)))
                .count();
            if strange > 0 && !self.is_outer(room) {
                findings.insert(format!("strange-impl {}", source.path), strange);
            }
        }
        findings
    }

    fn own<'s>(&self, sources: &'s [Source]) -> impl Iterator<Item = &'s Source> {
        let is_own = |source: &&Source| source.crate_name() == self.crate_name;
        sources.iter().filter(is_own).filter(|source| !source.path.ends_with("/tests.rs"))
    }

    /// The rooms in which each type of the crate is defined.
    fn homes<'s>(&self, sources: &'s [Source]) -> BTreeMap<&'s str, BTreeSet<&'s str>> {
        let mut homes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for source in self.own(sources) {
            for line in source.product_lines() {
                if let Some(name) = definition(line) {
                    homes.entry(name).or_default().insert(room_of(source));
                }
            }
        }
        homes
    }
}

/// The room of a file: a folder or a file directly in `src`.
fn room_of(source: &Source) -> &str {
    let within = source.within();
    within.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// The rooms that the paths of a file name; `lib` for what stands in `lib.rs` itself.
fn used_rooms(source: &Source) -> impl Iterator<Item = String> + '_ {
    let lines = source.product_lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split("crate::").skip(1)).map(|path| {
        let name: String =
            path.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let is_module = name.starts_with(|letter: char| letter.is_lowercase());
        let is_item = path[name.len()..].starts_with("::");
        if is_module && is_item { name } else { "lib".to_owned() }
    })
}

/// The name of a type that a line begins to define.
fn definition(line: &str) -> Option<&str> {
    let line =
        line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub(super) ")).unwrap_or(line);
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let rest = line.strip_prefix("struct ").or(line.strip_prefix("enum "))?;
    Some(name_at_start(rest))
}

/// The name of the type to which a line begins to add methods.
fn inherent_impl(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    if rest.contains(" for ") {
        return None;
    }
    let rest = match rest.strip_prefix('<') {
        Some(generics) => generics.split_once("> ")?.1,
        None => rest.strip_prefix(' ')?,
    };
    Some(name_at_start(rest))
}

fn name_at_start(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: Layers =
        Layers { crate_name: "one", order: &["ground", "first", "second"], outer: &["lib"] };

    fn source(path: &str, text: &str) -> Source {
        Source { path: format!("crates/one/src/{path}"), text: text.to_owned() }
    }

    fn broken(sources: &[Source]) -> Vec<String> {
        LAYERS.findings(sources).into_keys().collect()
    }

    #[test]
    fn a_room_may_use_those_before_it() {
        let sources = [
            source("second/a.rs", "use crate::first::b::B;\nuse crate::ground::C;"),
            source("lib.rs", "use crate::second::a::A;"),
            source("first.rs", "// see crate::second::a\nuse crate::ground::C;"),
        ];
        assert_eq!(broken(&sources), Vec::<String>::new());
    }

    #[test]
    fn a_room_may_not_use_those_behind_it() {
        let found = broken(&[source("first/a.rs", "fn f(a: crate::second::A) {}")]);
        assert_eq!(found, ["rooms one: first uses second"]);
        let found = broken(&[source("first/a.rs", "use crate::CONSTANT;")]);
        assert_eq!(found, ["rooms one: first uses lib"]);
    }

    #[test]
    fn tests_of_a_room_may_use_all() {
        let text = "#[cfg(test)]\nmod tests {\n    use crate::second::A;\n}";
        assert_eq!(broken(&[source("first/a.rs", text)]), Vec::<String>::new());
    }

    #[test]
    fn methods_stay_with_their_type() {
        let home = source("first/a.rs", "pub(crate) struct A<'t> {\n}\nimpl<'t> A<'t> {}");
        let strange = source("second/b.rs", "impl A<'_> {\n}\nimpl Drop for A<'_> {}");
        assert_eq!(broken(&[home, strange]), ["strange-impl crates/one/src/second/b.rs"]);
    }

    #[test]
    fn what_is_in_no_layer_is_noticed() {
        let found = broken(&[source("attic.rs", "use crate::first::A;")]);
        assert_eq!(found, ["rooms one: attic uses first"]);
    }
}
