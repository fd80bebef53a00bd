//! Types and field paths as text: a base and what is made of it, read from left to right.
//!
//! `struct node*[4]` is an array of four pointers to nodes; `i32(i32, ...)*` is a pointer to a
//! function. A path starts with what the base pointer points to: `node.next`, `i32[3]`,
//! `<i32[4]>[].x`; a field that its name does not single out is written by index: `node.#1`.

use crate::operation::{FieldPath, PathStep};
use crate::text::names::Names;
use crate::text::quote;
use crate::types::{FloatFormat, RecordId, RecordKind, ScalarType, Type, TypeId, Types};

/// The scalar type with this name.
pub(super) fn scalar_named(name: &str) -> Option<ScalarType> {
    match name {
        "bool" => Some(ScalarType::Bool),
        "ptr" => Some(ScalarType::Pointer),
        "f32" => Some(ScalarType::Float(FloatFormat::Single)),
        "f64" => Some(ScalarType::Float(FloatFormat::Double)),
        "f80" => Some(ScalarType::Float(FloatFormat::Extended)),
        "f128" => Some(ScalarType::Float(FloatFormat::Quadruple)),
        _ => {
            let (signed, digits) = match (name.strip_prefix('i'), name.strip_prefix('u')) {
                (Some(digits), _) => (true, digits),
                (None, digits) => (false, digits?),
            };
            let widths = [("8", 8), ("16", 16), ("32", 32), ("64", 64), ("128", 128)];
            let (_, width) = widths.into_iter().find(|(text, _)| *text == digits)?;
            Some(ScalarType::Integer { signed, width })
        }
    }
}

pub(super) fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

pub(super) fn type_text(types: &Types, names: &Names, id: TypeId) -> String {
    let text = |id| type_text(types, names, id);
    match types.get(id) {
        Type::Void => "void".to_owned(),
        Type::Scalar(scalar) => scalar.to_string(),
        Type::Pointer(target) => format!("{}*", text(*target)),
        Type::Array { element, length: Some(length) } => format!("{}[{length}]", text(*element)),
        Type::Array { element, length: None } => format!("{}[]", text(*element)),
        Type::Record(record) => {
            let kind = types.record(*record).kind;
            format!("{} {}", keyword(kind), record_text(types, names, *record))
        }
        Type::Function { result, parameters, variadic } => {
            let mut parts: Vec<String> = parameters.iter().map(|id| text(*id)).collect();
            parts.extend(variadic.then(|| "...".to_owned()));
            format!("{}({})", text(*result), parts.join(", "))
        }
        Type::Opaque(name) => format!("opaque {}", quote::string(name)),
    }
}

pub(super) fn record_text(types: &Types, names: &Names, id: RecordId) -> String {
    let name = &types.record(id).name;
    if names.record(name) == Some(id) { quote::tag(name).into_owned() } else { format!("#{id}") }
}

/// The path without its offset.
pub(super) fn path_text(types: &Types, names: &Names, path: &FieldPath) -> String {
    let mut text = match types.get(path.root) {
        Type::Record(record) => record_text(types, names, *record),
        Type::Scalar(scalar) => scalar.to_string(),
        Type::Void
        | Type::Pointer(_)
        | Type::Array { .. }
        | Type::Function { .. }
        | Type::Opaque(_) => format!("<{}>", type_text(types, names, path.root)),
    };
    let mut current = Some(path.root);
    for step in &path.steps {
        text.push_str(&step_text(types, current, *step));
        current = current.and_then(|current| types.after_step(current, *step));
    }
    text
}

fn step_text(types: &Types, current: Option<TypeId>, step: PathStep) -> String {
    match step {
        PathStep::Element(Some(index)) => format!("[{index}]"),
        PathStep::Element(None) => "[]".to_owned(),
        PathStep::Field { record, index } => {
            let is_current =
                current.is_some_and(|current| *types.get(current) == Type::Record(record));
            let named = types.record(record).fields.get(index as usize);
            match named {
                Some(field)
                    if is_current && field_named(types, record, &field.name) == Some(index) =>
                {
                    format!(".{}", quote::tag(&field.name))
                }
                _ if is_current => format!(".#{index}"),
                _ => format!(".#{record}#{index}"),
            }
        }
    }
}

/// The only field with this name.
pub(super) fn field_named(types: &Types, record: RecordId, name: &str) -> Option<u32> {
    let mut indices =
        (0..).zip(&types.record(record).fields).filter(|(_, field)| field.name == name);
    let (index, _) = indices.next()?;
    (!name.is_empty() && indices.next().is_none()).then_some(index)
}
