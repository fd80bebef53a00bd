//! A state as text, for those who look into a disagreement.

use std::fmt::Write;

use heapwright_interpreter::{BlockIdentity, FramePoint, Snapshot, ValueState};
use heapwright_memory::Life;
use heapwright_program::{FunctionId, Program};

/// The calls with their variables, the globals, and the blocks that something is in.
pub(crate) fn state_text(program: &Program, snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for frame in &snapshot.frames {
        let name = &program.functions[frame.function].name;
        let _ = writeln!(text, "{name} at {}", point_text(program, frame.function, frame.point));
        for (variable, value) in frame.variables.iter().filter(|(_, value)| is_telling(value)) {
            let name = &program.variables[*variable].name;
            let _ = writeln!(text, "  {name} = {}", value_text(program, value));
        }
    }
    for (variable, value) in &snapshot.globals {
        let _ = writeln!(
            text,
            "{} = {}",
            program.variables[*variable].name,
            value_text(program, value)
        );
    }
    for (number, block) in snapshot.blocks.iter().enumerate() {
        let name = match block.identity {
            BlockIdentity::Heap => "heap block".to_owned(),
            BlockIdentity::Local { object, .. } => program.objects[object].name.clone(),
            BlockIdentity::Alloca { .. } => "alloca".to_owned(),
            BlockIdentity::Static(object) if program.objects[object].name.is_empty() => continue,
            BlockIdentity::Static(object) => program.objects[object].name.clone(),
            BlockIdentity::Given(_) => continue,
        };
        let life = match block.life {
            Life::Alive => "",
            Life::Freed => ", freed",
            Life::OutOfScope => ", out of scope",
        };
        let _ = write!(text, "b{number}: {name}, {} bytes{life}", block.size);
        for cell in block.cells.iter().take(16) {
            let value = value_text(program, &cell.value);
            let _ = write!(text, "; +{}:{} = {value}", cell.offset, cell.width);
        }
        text.push('\n');
    }
    text
}

/// Registers that were never used are zero.
fn is_telling(value: &ValueState) -> bool {
    *value != ValueState::Bits(0)
}

fn point_text(program: &Program, function: FunctionId, point: FramePoint) -> String {
    let Some(body) = &program.functions[function].body else { return String::new() };
    let edge = match point {
        FramePoint::Calling(edge) => body.edges.get(edge),
        FramePoint::At(location) => body.edges.iter().find(|edge| edge.source == location),
    };
    edge.map_or_else(String::new, |edge| program.describe(edge.place))
}

fn value_text(program: &Program, value: &ValueState) -> String {
    match value {
        ValueState::Bits(bits) => format!("{bits:#x}"),
        ValueState::Pointer { block, offset: 0 } => format!("&b{block}"),
        ValueState::Pointer { block, offset } => format!("&b{block}{offset:+}"),
        ValueState::Function(function) => program.functions[*function].name.clone(),
    }
}
