//! What may be wrong with definitions, whoever wrote them: a user's file, or a certificate.
//!
//! Unfolding follows the cases blindly, and a block that an instance names counts as one that it holds. So links must
//! be found in fields, what an empty instance begins with must be known before it is looked at, and every parameter must
//! be kept in some field.

use crate::definition::law::Law;
use crate::definition::{Definition, Definitions, Empty, EmptyCase, Kind, Node, Value};

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
        let is_known = |empty: &Empty| match empty {
            Empty::Null => true,
            Empty::Parameter(index) => item.parameters.get(*index) == Some(&Kind::Pointer),
        };
        if !item.empties.iter().all(|empty| is_known(&empty.this)) {
            return of_all("an empty case names a parameter that is none, or no pointer");
        }
        let without_node = Numbers { item, variables: &[] };
        let mut laws = item.empties.iter().flat_map(|empty| &empty.laws);
        if !laws.all(|law| without_node.is_law(law)) {
            return of_all("an empty case compares what are not numbers of one width");
        }
        let is_wide = |kind: &Kind| match kind {
            Kind::Pointer => true,
            Kind::Number { bytes } => (1..=16).contains(bytes),
        };
        if !item.parameters.iter().all(is_wide) {
            return of_all("a number has 1 to 16 bytes");
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
    let numbers = Numbers { item, variables: &node.variables };
    let mut end = 0;
    for field in &node.fields {
        if field.offset < end {
            return Err("two fields overlap, or one is told of twice");
        }
        end = field.offset.saturating_add(field.size);
        if !(1..=16).contains(&field.size) || end > item.size {
            return Err("a field is not within the record");
        }
        match field.value {
            Value::Number(_) => {}
            value => match numbers.kind(value) {
                Some(Kind::Pointer) if field.size != pointer => {
                    return Err("a pointer is in a field of another size");
                }
                Some(Kind::Number { bytes }) if field.size != bytes => {
                    return Err("a number is in a field of another size");
                }
                Some(Kind::Pointer | Kind::Number { .. }) | None => {}
            },
        }
    }
    let is_known = |value: Value| match value {
        Value::Null | Value::This | Value::Number(_) => true,
        Value::Parameter(index) => index < item.parameters.len(),
        Value::Link(index) => index < node.links.len(),
        Value::Variable(index) => index < node.variables.len(),
    };
    if !node.values().all(is_known) {
        return Err("a parameter or link is named that is none");
    }
    if !node.variables.iter().all(|bytes| (1..=16).contains(bytes)) {
        return Err("a number has 1 to 16 bytes");
    }
    if !node.laws.iter().all(|law| numbers.is_law(law)) {
        return Err("a law compares what are not numbers of one width");
    }
    for (index, link) in node.links.iter().enumerate() {
        let Some(target) = definitions.predicates.get(link.predicate) else {
            return Err("there is no such predicate");
        };
        let given = link.arguments.iter().map(|&argument| numbers.kind(argument));
        if !given.eq(target.parameters.iter().copied().map(Some)) {
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

/// What is a number in a case, and of how many bytes.
struct Numbers<'d> {
    item: &'d Definition,
    variables: &'d [u64],
}

impl Numbers<'_> {
    /// Nothing for constants, which have the width of what is beside them, and for what is not there.
    fn kind(&self, value: Value) -> Option<Kind> {
        match value {
            Value::Null | Value::This | Value::Link(_) => Some(Kind::Pointer),
            Value::Parameter(index) => self.item.parameters.get(index).copied(),
            Value::Variable(index) => {
                self.variables.get(index).map(|&bytes| Kind::Number { bytes })
            }
            Value::Number(_) => None,
        }
    }

    /// Whether all that a law compares are numbers of one width, and are there.
    fn is_law(&self, law: &Law) -> bool {
        let named = law.values().filter(|value| !matches!(value, Value::Number(_)));
        let kinds: Vec<Option<Kind>> = named.map(|value| self.kind(value)).collect();
        let is_number = matches!(kinds.first(), Some(Some(Kind::Number { .. })));
        is_number && kinds.iter().all(|kind| *kind == kinds[0])
    }
}

/// Whether each link is known once those are known that it may be equal to, and there is a first one.
fn is_settled(definitions: &Definitions, node: &Node) -> bool {
    let mut settled = vec![false; node.links.len()];
    let needs = |index: usize| {
        let link = &node.links[index];
        let empties = definitions.predicates[link.predicate].empties.iter();
        empties.filter_map(move |empty| match empty.this {
            Empty::Null => None,
            Empty::Parameter(of) => match link.arguments[of] {
                Value::Link(other) => Some(other),
                Value::Null
                | Value::This
                | Value::Parameter(_)
                | Value::Variable(_)
                | Value::Number(_) => None,
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

/// Every pointer is kept by every instance with a node: what only an argument named would be lost, and nobody told.
fn check_parameters(definitions: &Definitions) -> Checked {
    let predicates = &definitions.predicates;
    let mut kept: Vec<Vec<bool>> =
        predicates.iter().map(|item| vec![true; item.parameters.len()]).collect();
    // Ends because each round takes one off. Instances are finite, so that what all of them pass on is kept in the end.
    loop {
        let lost = predicates.iter().enumerate().find_map(|(predicate, item)| {
            let is_lost = |&index: &usize| {
                kept[predicate][index]
                    && item.parameters[index] == Kind::Pointer
                    && !item.nodes.iter().all(|node| keeps(definitions, &kept, node, index))
            };
            (0..item.parameters.len()).find(is_lost).map(|index| (predicate, index))
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
                let ends_with_it = |empty: &EmptyCase| empty.this == Empty::Parameter(index);
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
    /// Whether its node itself holds every parameter that is a pointer, so that all are kept whatever hangs on it.
    fn node_keeps_all(&self) -> bool {
        let is_held = |node: &Node, index: usize| {
            node.fields.iter().any(|field| field.value == Value::Parameter(index))
        };
        let mut pointers =
            (0..self.parameters.len()).filter(|&of| self.parameters[of] == Kind::Pointer);
        pointers.all(|index| self.nodes.iter().all(|node| is_held(node, index)))
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
