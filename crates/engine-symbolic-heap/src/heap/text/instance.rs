//! Instances of users' predicates, and the definitions that a text has of these.

use imbl::OrdSet;

use crate::definition::check::check;
use crate::definition::{Definitions, Kind};
use crate::heap::block::{End, Origin};
use crate::heap::instance::{Hole, Instance};
use crate::heap::names::Names;
use crate::heap::role::Summary as _;
use crate::heap::text::build::{Read, Scope, parse_block_name};
use crate::heap::text::build_block::{EndTerms, Shape};
use crate::heap::text::parse::Piece;

impl Names<'_> {
    /// The definitions of a text, which are checked as those of a file are.
    pub(super) fn parse_definitions(&self, lines: &[Piece<'_>]) -> Read<Definitions> {
        let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
        let definitions =
            Definitions::of_lines(&texts).map_err(|(line, message)| lines[line].error(message))?;
        let checked = check(&definitions, self.model().pointer_size());
        checked.map_err(|problem| lines[problem.predicate].error(problem.message))?;
        Ok(definitions)
    }
}

/// How many bytes an argument has that is a number: that of the instance, or of what is in its hole.
pub(super) fn bytes_of_number(scope: &Scope, shape: &Shape<'_, '_>, end: End) -> Option<u64> {
    let Shape::Instance(part) = shape else { return None };
    let words = part.words();
    let (name, index) = match (end, words.as_slice()) {
        (End::Argument(index), ["instance", "of", name, ..]) => (name, index),
        (End::HoleArgument(index), ["instance", "of", _, "without", name, ..]) => (name, index),
        (_, _) => return None,
    };
    let definition = &scope.definitions.predicates[scope.definitions.named(name)?];
    match definition.parameters.get(usize::from(index))? {
        Kind::Pointer => None,
        Kind::Number { bytes } => Some(*bytes),
    }
}

/// `instance of NAME without NAME from BLOCK`
pub(super) fn parse_instance(
    scope: &Scope,
    part: &Piece<'_>,
    ends: &EndTerms,
    origins: OrdSet<Origin>,
) -> Read<Instance> {
    let words = part.words();
    let wrong = || part.error("not `instance of NAME without NAME from BLOCK`");
    let predicate = |name: &str| {
        let found = scope.definitions.named(name);
        found.ok_or_else(|| part.error(format!("the text does not define `{name}`")))
    };
    let ["instance", "of", name, how @ ..] = words.as_slice() else { return Err(wrong()) };
    let (inner, above) = match how {
        [] => (None, None),
        ["without", inner] => (Some(predicate(inner)?), None),
        ["without", inner, "from", above] => {
            let above = Piece { line: part.line, text: above };
            (Some(predicate(inner)?), Some(parse_block_name(scope, &above)?))
        }
        _ => return Err(wrong()),
    };
    let is_of_hole = |end: &End| matches!(end, End::Next | End::HoleArgument(_));
    let terms = |wanted: fn(u8) -> End| {
        (0..).map_while(|index| ends.get(&wanted(index)).copied()).collect::<Vec<_>>()
    };
    if inner.is_some_and(|inner| !scope.definitions.may_have_hole_of(inner)) {
        return Err(part.error("what leads to this hole does not keep its arguments"));
    }
    let hole = match (inner, ends.get(&End::Next)) {
        (Some(predicate), Some(&value)) => {
            Some(Hole { predicate, arguments: terms(End::HoleArgument), value, above })
        }
        (None, None) if !ends.keys().any(is_of_hole) => None,
        _ => return Err(part.error("an instance has an `end` if it is `without` something")),
    };
    let (definitions, arguments) = (scope.definitions.clone(), terms(End::Argument));
    let predicate = predicate(name)?;
    let instance = Instance { definitions, predicate, arguments, hole, origins };
    let told = ends.keys().filter(|end| instance.end(**end).is_some()).count();
    match instance.is_well_formed() && told == ends.len() {
        true => Ok(instance),
        false => Err(part.error("an instance has one `argument` for each parameter")),
    }
}
