//! Certificates: a precision and the structures at every cut point as text, and reading them back.

use std::fmt::Write;

use heapwright_base::DenseId;
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};
use heapwright_three_valued::class::Library;
use heapwright_three_valued::text::{parse_structure, print_structure};

use crate::analysis::{Reached, meeting};
use crate::model::{Atlas, Model};
use crate::precision::{Cast, Field, Precision};
use crate::state::{Pointer, Slot, State};

/// The text of what was reached. Pointers have their names behind a `#`, for people.
pub(crate) fn write(model: &Model<'_>, library: &Library, reached: &Reached) -> String {
    let mut text = String::new();
    let precision = &model.precision;
    for size in &precision.sizes {
        line(&mut text, format_args!("size {size}"));
    }
    for Field { size, offset } in &precision.fields {
        line(&mut text, format_args!("link {size} {offset}"));
    }
    if let Some(cast) = &precision.cast {
        let class = &library.classes[cast.class];
        line(&mut text, format_args!("class {}", class.name));
        for Field { size, offset } in &cast.roles {
            line(&mut text, format_args!("role {size} {offset}"));
        }
        for (family, _) in class.families.iter().zip(&cast.families).filter(|it| *it.1) {
            line(&mut text, format_args!("family {}", family.name));
        }
    }
    for slot in &precision.tracked {
        let name = model.atlas.name_of(*slot);
        line(&mut text, format_args!("tracked {} # {name}", slot_text(*slot)));
    }
    for state in reached.values().flatten() {
        write_state(&mut text, model, state);
    }
    text
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("strings take everything");
}

fn write_state(text: &mut String, model: &Model<'_>, state: &State) {
    let (function, location) = (state.function.index(), state.location.index());
    line(text, format_args!("state {function} {location}"));
    for (caller, edge) in &state.calls {
        line(text, format_args!("called {} {}", caller.index(), edge.index()));
    }
    for (slot, pointer) in &state.pointers {
        line(text, format_args!("pointer {} {}", slot_text(*slot), pointer_text(*pointer)));
    }
    for (variable, bits) in &state.numbers {
        line(text, format_args!("number {} {bits}", variable.index()));
    }
    for object in &state.objects {
        line(text, format_args!("object {}", object.index()));
    }
    line(text, format_args!("heap"));
    text.push_str(&print_structure(&state.heap, &model.instance.vocabulary));
    line(text, format_args!("end"));
}

fn slot_text(slot: Slot) -> String {
    match slot {
        Slot::Variable(variable) => format!("variable {} 0", variable.index()),
        Slot::Cell(object, offset) => format!("cell {} {offset}", object.index()),
    }
}

fn pointer_text(pointer: Pointer) -> String {
    match pointer {
        Pointer::Null => "null 0 0".to_owned(),
        Pointer::Wild => "wild 0 0".to_owned(),
        Pointer::Unknown => "unknown 0 0".to_owned(),
        Pointer::Block { node, offset } => format!("block {node} {offset}"),
        Pointer::Object { object, offset } => format!("object {} {offset}", object.index()),
        Pointer::Function(function) => format!("function {} 0", function.index()),
    }
}

/// A certificate that was read.
#[derive(Debug)]
pub(crate) struct Certificate<'t> {
    pub(crate) model: Model<'t>,
    pub(crate) reached: Reached,
}

/// Reads a certificate; the error says which line is wrong.
pub(crate) fn read<'t>(
    text: &str,
    atlas: &'t Atlas<'t>,
    library: &Library,
) -> Result<Certificate<'t>, String> {
    let mut lines = text.lines().enumerate().peekable();
    let mut precision = Precision::coarsest();
    while let Some((index, line)) = lines.next_if(|(_, line)| !line.starts_with("state ")) {
        read_precision(&mut precision, line, library)
            .ok_or_else(|| format!("line {}: `{line}`", index + 1))?;
    }
    let model = Model::of(atlas, precision, library).map_err(|error| error.to_string())?;
    let mut reached = Reached::new();
    let mut state = None;
    let mut heap: Option<String> = None;
    for (index, line) in lines {
        let wrong = || format!("line {}: `{line}`", index + 1);
        match (line, &mut heap) {
            ("heap", None) => heap = Some(String::new()),
            ("end", Some(text)) => {
                let mut whole: State = state.take().ok_or_else(wrong)?;
                whole.heap = parse_structure(text, &model.instance.vocabulary)
                    .map_err(|error| error.to_string())?;
                reached.entry(meeting(&model, &whole)).or_default().push(whole);
                heap = None;
            }
            (line, Some(text)) => {
                text.push_str(line);
                text.push('\n');
            }
            (line, None) => read_state(&mut state, &model, line).ok_or_else(wrong)?,
        }
    }
    match state {
        None => Ok(Certificate { model, reached }),
        Some(_) => Err("the last state has no end".to_owned()),
    }
}

fn read_precision(precision: &mut Precision, line: &str, library: &Library) -> Option<()> {
    let words: Vec<&str> = line.split('#').next()?.split_whitespace().collect();
    let field = |size: &str, offset: &str| {
        Some(Field { size: size.parse().ok()?, offset: offset.parse().ok()? })
    };
    match words[..] {
        ["size", size] => {
            precision.sizes.insert(size.parse().ok()?);
        }
        ["link", size, offset] => {
            precision.fields.insert(field(size, offset)?);
        }
        ["class", name] => {
            let class = library.classes.iter().position(|class| class.name == name)?;
            let families = vec![false; library.classes[class].families.len()];
            precision.cast = Some(Cast { class, roles: Vec::new(), families });
        }
        ["role", size, offset] => precision.cast.as_mut()?.roles.push(field(size, offset)?),
        ["family", name] => {
            let cast = precision.cast.as_mut()?;
            let families = &library.classes[cast.class].families;
            let family = families.iter().position(|family| family.name == name)?;
            cast.families[family] = true;
        }
        ["tracked", kind, id, offset] => {
            precision.tracked.insert(read_slot(kind, id, offset)?);
        }
        _ => return None,
    }
    Some(())
}

fn read_slot(kind: &str, id: &str, offset: &str) -> Option<Slot> {
    let index = id.parse().ok()?;
    match kind {
        "variable" => Some(Slot::Variable(VariableId::from_index(index))),
        "cell" => Some(Slot::Cell(ObjectId::from_index(index), offset.parse().ok()?)),
        _ => None,
    }
}

fn read_pointer(kind: &str, id: &str, offset: &str) -> Option<Pointer> {
    let (index, offset) = (id.parse().ok()?, offset.parse().ok()?);
    Some(match kind {
        "null" => Pointer::Null,
        "wild" => Pointer::Wild,
        "unknown" => Pointer::Unknown,
        "block" => Pointer::Block { node: index, offset },
        "object" => Pointer::Object { object: ObjectId::from_index(index), offset },
        "function" => Pointer::Function(FunctionId::from_index(index)),
        _ => return None,
    })
}

fn read_state(state: &mut Option<State>, model: &Model<'_>, line: &str) -> Option<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["state", function, location] = words[..] {
        *state = Some(State {
            calls: Vec::new(),
            function: FunctionId::from_index(function.parse().ok()?),
            location: LocationId::from_index(location.parse().ok()?),
            pointers: std::collections::BTreeMap::new(),
            numbers: std::collections::BTreeMap::new(),
            objects: std::collections::BTreeSet::new(),
            heap: heapwright_three_valued::Structure::new(&model.instance.vocabulary, 0),
        });
        return Some(());
    }
    let state = state.as_mut()?;
    match words[..] {
        ["called", caller, edge] => {
            let caller = FunctionId::from_index(caller.parse().ok()?);
            state.calls.push((caller, EdgeId::from_index(edge.parse().ok()?)));
        }
        ["pointer", kind, id, at, value, index, offset] => {
            let pointer = read_pointer(value, index, offset)?;
            state.pointers.insert(read_slot(kind, id, at)?, pointer);
        }
        ["number", variable, bits] => {
            let variable = VariableId::from_index(variable.parse().ok()?);
            state.numbers.insert(variable, bits.parse().ok()?);
        }
        ["object", object] => {
            state.objects.insert(ObjectId::from_index(object.parse().ok()?));
        }
        _ => return None,
    }
    Some(())
}
