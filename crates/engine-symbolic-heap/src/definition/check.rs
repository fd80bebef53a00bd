//! What may be wrong with definitions, whoever wrote them: a user's file, or a certificate.
//!
//! Unfolding follows the cases blindly, and a block that an instance names counts as one that it holds. So links must
//! be found in fields, what an empty instance begins with must be known before it is looked at, and every parameter must
//! be kept in some field.

use crate::definition::{Definition, Definitions, Empty, Node, Value};

/// What is wrong, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) predicate: usize,
    /// Which of its cases with a node.
    pub(crate) node: Option<usize>,
    pub(crate) parameter: Option<usize>,
    pub(crate) message: String,
}

type Checked = Result<(), Problem>;

/// Whether definitions can be worked with, where pointers have so many bytes.
pub(crate) fn check(definitions: &Definitions, pointer: u64) -> Checked {
    for (predicate, item) in definitions.predicates.iter().enumerate() {
        let of_all = |message: &str| {
            let message = message.to_owned();
            Err(Problem { predicate, node: None, parameter: None, message })
        };
        if item.nodes.is_empty() {
            return of_all("a predicate has a case with a node");
        }
        let has_parameter = |index: usize| index < item.parameters;
        let is_known = |empty: &Empty| match empty {
            Empty::Null => true,
            Empty::Parameter(index) => has_parameter(*index),
        };
        if !item.empties.iter().all(is_known) {
            return of_all("an empty case names a parameter that is none");
        }
        for (node, case) in item.nodes.iter().enumerate() {
            check_node(definitions, (item, case), pointer).map_err(|message| {
                let (node, message) = (Some(node), message.to_owned());
                Problem { predicate, node, parameter: None, message }
            })?;
        }
    }
    check_sizes(definitions)?;
    check_parameters(definitions)
}

fn check_node(
    definitions: &Definitions,
    (item, node): (&Definition, &Node),
    pointer: u64,
) -> Result<(), &'static str> {
    let mut end = 0;
    for field in &node.fields {
        let is_number = matches!(field.value, Value::Number(_));
        if field.offset < end {
            return Err("two fields overlap, or one is told of twice");
        }
        end = field.offset.saturating_add(field.size);
        if !(1..=16).contains(&field.size) || end > item.size {
            return Err("a field is not within the record");
        }
        if !is_number && field.size != pointer {
            return Err("a pointer is in a field of another size");
        }
    }
    let is_known = |value: Value| match value {
        Value::Null | Value::This | Value::Number(_) => true,
        Value::Parameter(index) => index < item.parameters,
        Value::Link(index) => index < node.links.len(),
    };
    if !node.values().all(is_known) {
        return Err("a parameter or link is named that is none");
    }
    for (index, link) in node.links.iter().enumerate() {
        let Some(target) = definitions.predicates.get(link.predicate) else {
            return Err("there is no such predicate");
        };
        let is_number = |value: &Value| matches!(value, Value::Number(_));
        if link.arguments.len() != target.parameters || link.arguments.iter().any(is_number) {
            return Err("a predicate gets other arguments than it has parameters");
        }
        if !node.fields.iter().any(|field| field.value == Value::Link(index)) {
            return Err("an instance begins where no field of this node leads");
        }
    }
    match is_settled(definitions, node) {
        true => Ok(()),
        false => Err("where an empty instance begins depends on itself"),
    }
}

/// Whether each link is known once those are known that it may be equal to, and there is a first one.
fn is_settled(definitions: &Definitions, node: &Node) -> bool {
    let mut settled = vec![false; node.links.len()];
    let needs = |index: usize| {
        let link = &node.links[index];
        let empties = definitions.predicates[link.predicate].empties.iter();
        empties.filter_map(move |empty| match empty {
            Empty::Null => None,
            Empty::Parameter(of) => match link.arguments[*of] {
                Value::Link(other) => Some(other),
                Value::Null | Value::This | Value::Parameter(_) | Value::Number(_) => None,
            },
        })
    };
    // Ends because each round settles a link.
    while let Some(index) =
        (0..settled.len()).find(|&index| !settled[index] && needs(index).all(|of| settled[of]))
    {
        settled[index] = true;
    }
    settled.into_iter().all(|is_settled| is_settled)
}

/// Every predicate has a finite instance with a node.
fn check_sizes(definitions: &Definitions) -> Checked {
    let mut are_finite = vec![false; definitions.predicates.len()];
    loop {
        let ends = |of: usize| are_finite[of] || !definitions.predicates[of].empties.is_empty();
        let found = definitions.predicates.iter().enumerate().find(|(index, item)| {
            let is_finite = |node: &Node| node.links.iter().all(|link| ends(link.predicate));
            !are_finite[*index] && item.nodes.iter().any(is_finite)
        });
        match found {
            Some((index, _)) => are_finite[index] = true,
            None => break,
        }
    }
    match are_finite.iter().position(|is_finite| !is_finite) {
        Some(predicate) => {
            let message = "no finite heap is one of this predicate".to_owned();
            Err(Problem { predicate, node: None, parameter: None, message })
        }
        None => Ok(()),
    }
}

/// Every parameter is kept by every instance with a node: what only an argument named would be lost, and nobody told.
fn check_parameters(definitions: &Definitions) -> Checked {
    let predicates = &definitions.predicates;
    let mut kept: Vec<Vec<bool>> =
        predicates.iter().map(|item| vec![true; item.parameters]).collect();
    // Ends because each round takes one off. Instances are finite, so that what all of them pass on is kept in the end.
    loop {
        let lost = predicates.iter().enumerate().find_map(|(predicate, item)| {
            let is_lost = |&index: &usize| {
                kept[predicate][index]
                    && !item.nodes.iter().all(|node| keeps(definitions, &kept, node, index))
            };
            (0..item.parameters).find(is_lost).map(|index| (predicate, index))
        });
        match lost {
            Some((predicate, index)) => kept[predicate][index] = false,
            None => break,
        }
    }
    for (predicate, parameters) in kept.iter().enumerate() {
        if let Some(parameter) = parameters.iter().position(|is_kept| !is_kept) {
            let message = "not every instance with a node has a field that holds this parameter; \
                           give it a field, or pass it on to an instance that ends with it"
                .to_owned();
            let parameter = Some(parameter);
            return Err(Problem { predicate, node: None, parameter, message });
        }
    }
    Ok(())
}

/// Whether a node holds a parameter, or passes it on to something that is sure to.
fn keeps(definitions: &Definitions, kept: &[Vec<bool>], node: &Node, parameter: usize) -> bool {
    let wanted = Value::Parameter(parameter);
    node.fields.iter().any(|field| field.value == wanted)
        || node.links.iter().any(|link| {
            let target = &definitions.predicates[link.predicate];
            link.arguments.iter().enumerate().any(|(index, &argument)| {
                let ends_with_it = |empty: &Empty| *empty == Empty::Parameter(index);
                argument == wanted
                    && kept[link.predicate][index]
                    && target.empties.iter().all(ends_with_it)
            })
        })
}

impl Definitions {
    /// Whether an instance of a predicate may have one of another within it.
    pub(crate) fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut met = vec![from];
        let mut next = 0;
        while let Some(&predicate) = met.get(next) {
            next += 1;
            let links = self.predicates[predicate].nodes.iter().flat_map(|node| &node.links);
            for link in links {
                if link.predicate == to {
                    return true;
                }
                if !met.contains(&link.predicate) {
                    met.push(link.predicate);
                }
            }
        }
        false
    }

    /// Whether there may be a hole in the place of an instance of a predicate: whatever leads there holds its parameters
    /// itself. What else keeps them may be in the hole, and is then changed without its knowing.
    pub(crate) fn may_have_hole_of(&self, hole: usize) -> bool {
        let predicates = self.predicates.iter().enumerate();
        let mut above = predicates.filter(|(predicate, _)| self.leads_to(*predicate, hole));
        above.all(|(_, item)| item.node_keeps_all())
    }
}

impl Definition {
    /// Whether its node itself holds every parameter, so that all are kept whatever hangs on it.
    fn node_keeps_all(&self) -> bool {
        let is_held = |node: &Node, index: usize| {
            node.fields.iter().any(|field| field.value == Value::Parameter(index))
        };
        self.nodes.iter().all(|node| (0..self.parameters).all(|index| is_held(node, index)))
    }
}

#[cfg(test)]
mod tests {
    use crate::definition::Definitions;

    fn may_have_hole_of(lines: &[&str], hole: usize) -> bool {
        Definitions::of_lines(lines).expect("definitions").may_have_hole_of(hole)
    }

    #[test]
    fn holes_are_where_parameters_are_kept_above_them() {
        let list = "l/1 of 16 bytes: empty null; node +0/8 = c1, +8/8 = p1, c1 is l(p1)";
        assert!(may_have_hole_of(&[list], 0));
        let segment = "s/1 of 8 bytes: empty p1; node +0/8 = c1, c1 is s(p1)";
        assert!(!may_have_hole_of(&[segment], 0));
        // The second passes its parameter on, and what keeps it may be in the hole.
        let first = "p/1 of 16 bytes: empty p1; node +0/8 = c1, +8/8 = p1, c1 is q(p1)";
        let second = "q/1 of 8 bytes: node +0/8 = c1, c1 is p(p1)";
        assert!(!may_have_hole_of(&[first, second], 0));
        assert!(!may_have_hole_of(&[first, second], 1));
        // Teeth do not lead to combs.
        let combs = "combs/0 of 16 bytes: empty null; node +0/8 = c1, +8/8 = c2, c1 is combs(), c2 is s(c1)";
        assert!(may_have_hole_of(&[combs, segment], 0));
        assert!(!may_have_hole_of(&[combs, segment], 1));
    }
}
