//! Storage graphs and forest automata as structures that can be drawn: both are texts of nodes and what leads
//! from one to another, so they get the drawing of `of_structure`.
//!
//! A node of a storage graph that stands for many blocks has two rings. A state of an automaton stands for
//! as many blocks as runs of it have; its rules are arrows, dotted where there is a choice.

use std::collections::BTreeMap;

use heapwright_program::Program;

/// The text of a storage graph (`in main at L1 …`, `head: n0+0`, `n0: size 8 many`, `link 0: null n1+0`) as one of a
/// structure, with the names of its links.
#[must_use]
pub fn of_storage_graph(program: &Program, text: &str) -> (String, Vec<String>) {
    let mut drawn = Drawn::default();
    let mut function = "";
    let mut node = "";
    for line in text.lines() {
        let Some((name, rest)) = line.split_once(": ") else {
            function =
                line.strip_prefix("in ").and_then(|it| it.split(' ').next()).unwrap_or(function);
            continue;
        };
        if let Some(size) = rest.strip_prefix("size ") {
            node = name;
            drawn.blocks.push((name, size.ends_with(" many")));
        } else if let Some(offset) = name.strip_prefix("link ") {
            let targets: Vec<&str> = rest.split(' ').map(base).collect();
            drawn.link(program, node, offset, &targets);
        } else if base(rest) != "null" {
            drawn.pointers.push((format!("{function}/{name}"), base(rest)));
        }
    }
    drawn.text()
}

/// The text of a forest (`variable head b0+0`, `block b0 q0`, `rule q0 0/8 tree q1 +0`) as one of a structure, with the
/// names of its links.
#[must_use]
pub fn of_forest(program: &Program, text: &str) -> (String, Vec<String>) {
    let mut drawn = Drawn::default();
    let mut function = "";
    let mut variables: Vec<(String, &str)> = Vec::new();
    let mut roots: BTreeMap<&str, &str> = BTreeMap::new();
    let mut rules: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in text.lines() {
        match line.split(' ').collect::<Vec<&str>>()[..] {
            ["in", name, ..] => function = name,
            ["variable", name, place] => {
                variables.push((format!("{function}/{name}"), base(place)));
            }
            ["block", name, state] => {
                roots.insert(name, state);
            }
            ["state", name, ..] => drawn.blocks.push((name, false)),
            ["rule", state, cell, "tree", target, ..] => {
                rules.entry((state, cell)).or_default().push(target);
            }
            ["rule", state, cell, "#0"] => rules.entry((state, cell)).or_default().push("null"),
            _ => {}
        }
    }
    for ((state, cell), targets) in rules {
        drawn.link(program, state, cell.split('/').next().unwrap_or(cell), &targets);
    }
    let root = |(name, block): (String, &str)| roots.get(block).map(|&state| (name, state));
    drawn.pointers.extend(variables.into_iter().filter_map(root));
    drawn.text()
}

/// `n1` of `n1+0`.
fn base(place: &str) -> &str {
    place.split('+').next().unwrap_or(place)
}

#[derive(Default)]
struct Drawn<'t> {
    /// With whether each stands for many.
    blocks: Vec<(&'t str, bool)>,
    pointers: Vec<(String, &'t str)>,
    links: BTreeMap<String, Vec<String>>,
}

impl<'t> Drawn<'t> {
    fn link(&mut self, program: &Program, node: &str, offset: &str, targets: &[&str]) {
        let choice = if targets.len() > 1 { "?" } else { "" };
        let arrows = targets.iter().map(|target| format!("{node}->{target}{choice}"));
        self.links.entry(field_at(program, offset)).or_default().extend(arrows);
    }

    fn text(self) -> (String, Vec<String>) {
        let mut text = "blocks:".to_owned();
        for (name, is_many) in &self.blocks {
            text += &format!(" {name}{}", if *is_many { "*" } else { "" });
        }
        text.push('\n');
        for (name, node) in &self.pointers {
            text += &format!("{name}: {node}\n");
        }
        for (name, arrows) in &self.links {
            text += &format!("{name}: {}\n", arrows.join(" "));
        }
        (text, self.links.into_keys().collect())
    }
}

/// The name of the field at an offset, where all structs that have one there agree; else `+8`.
fn field_at(program: &Program, offset: &str) -> String {
    let number = offset.parse::<u64>().ok();
    let fields = program.types.records().flat_map(|(_, record)| &record.fields);
    let mut names: Vec<&str> = fields
        .filter(|field| Some(field.offset) == number)
        .map(|field| field.name.as_str())
        .collect();
    names.dedup();
    match names[..] {
        [name] => name.to_owned(),
        _ => format!("+{offset}"),
    }
}
