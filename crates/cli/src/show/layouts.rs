//! `show --format layouts`: where each field of each struct and union lies.

use std::fmt::Write;

use heapwright_program::{DataModel, Field, Program, Record, RecordKind, Types};
use serde::Serialize;

#[derive(Serialize)]
struct RecordLayout<'p> {
    kind: &'static str,
    name: &'p str,
    size: u64,
    alignment: u64,
    fields: Vec<FieldLayout<'p>>,
}

#[derive(Serialize)]
struct FieldLayout<'p> {
    name: &'p str,
    #[serde(rename = "type")]
    ty: String,
    offset: u64,
    /// Absent for what has no size: a flexible array.
    size: Option<u64>,
    bits: Option<Bits>,
}

/// Bits from the lowest one of the byte at the offset.
#[derive(Serialize)]
struct Bits {
    offset: u8,
    width: u8,
}

pub(super) fn layouts(program: &Program, is_json: bool) -> String {
    let records: Vec<RecordLayout<'_>> = program
        .types
        .records()
        .filter(|(_, record)| record.is_complete)
        .map(|(_, record)| record_layout(&program.types, record, program.model))
        .collect();
    if is_json {
        let text = serde_json::to_string_pretty(&records).expect("plain data");
        return format!("{text}\n");
    }
    records.iter().map(record_text).collect::<Vec<_>>().join("\n")
}

fn record_layout<'p>(types: &'p Types, record: &'p Record, model: DataModel) -> RecordLayout<'p> {
    let field_layout = |field: &'p Field| FieldLayout {
        name: &field.name,
        ty: types.display(field.ty),
        offset: field.offset,
        size: types.size(field.ty, model),
        bits: field.bits.map(|bits| Bits { offset: bits.offset, width: bits.width }),
    };
    RecordLayout {
        kind: match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        },
        name: &record.name,
        size: record.size,
        alignment: record.alignment,
        fields: record.fields.iter().map(field_layout).collect(),
    }
}

fn record_text(record: &RecordLayout<'_>) -> String {
    let RecordLayout { kind, name, size, alignment, fields } = record;
    let mut text = format!("{kind} {name}: size {size}, alignment {alignment}\n");
    for field in fields {
        let name = if field.name.is_empty() { "(anonymous)" } else { field.name };
        let size = match (&field.bits, field.size) {
            (Some(bits), _) => format!("bits {}..{}", bits.offset, bits.offset + bits.width),
            (None, Some(1)) => "1 byte".to_owned(),
            (None, Some(size)) => format!("{size} bytes"),
            (None, None) => "no size".to_owned(),
        };
        writeln!(text, "  {:6}  {name}: {} ({size})", field.offset, field.ty)
            .expect("a string takes everything");
    }
    text
}
