//! The forest before the first step: globals and static objects with their first values.

use std::collections::BTreeMap;

use heapwright_forest_text::{Cell, Cells, Forest, Spot, Value};
use heapwright_program::{AddressTarget, Object, ObjectKind, Program, VariableKind};

use crate::step::Stepper;

/// Static objects beyond this size, and bytes of others, of which nothing is known.
const MOST_BYTES: u64 = 4096;
const MOST_CELLS: usize = 256;

impl Stepper<'_> {
    /// At the entry of `main`.
    pub(crate) fn start(&self) -> Option<Forest> {
        let program = self.program();
        let function = program.function_named("main")?;
        let location = program.functions[function].body.as_ref()?.entry;
        let is_static = |object: &Object| match object.kind {
            ObjectKind::Static { .. } | ObjectKind::External => true,
            ObjectKind::String { .. } | ObjectKind::Local => false,
        };
        let objects = program.objects.enumerated().filter(|(_, object)| is_static(object));
        let mut forest = Forest {
            spot: Spot { calls: Vec::new(), function, location },
            blocks: BTreeMap::new(),
            variables: BTreeMap::new(),
            objects: objects.map(|(id, object)| (id, initial_cells(program, object))).collect(),
            may_lose: !self.asks_for_leaks(),
        };
        for (id, variable) in program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                let value = self.value(&forest, initial);
                self.set(&mut forest, id, value);
            }
        }
        Some(forest)
    }
}

/// Addresses, runs of zeros and single bytes.
fn initial_cells(program: &Program, object: &Object) -> Cells {
    let ObjectKind::Static { bytes, addresses } = &object.kind else { return Cells::new() };
    let size = object.size.unwrap_or(0);
    let width = program.model.pointer_size();
    let mut cells = Cells::new();
    if size > MOST_BYTES {
        return cells;
    }
    for address in addresses {
        let holds = match address.target {
            AddressTarget::Object(object) => Value::Object(object, address.addend),
            AddressTarget::Function(function) if address.addend == 0 => Value::Function(function),
            AddressTarget::Function(_) => Value::Any,
        };
        cells.insert(address.offset, Cell { width, holds });
    }
    let mut offset = 0;
    let mut zeros = 0;
    let mut runs = Vec::new();
    while offset <= size {
        let is_address = cells.contains_key(&offset);
        let byte = bytes.get(offset as usize).copied().unwrap_or(0);
        let is_zero = offset < size && !is_address && byte == 0;
        if !is_zero && zeros > 0 {
            runs.push((offset - zeros, Cell { width: zeros, holds: Value::NULL }));
            zeros = 0;
        }
        if offset < size && !is_zero && !is_address && runs.len() < MOST_CELLS {
            runs.push((offset, Cell { width: 1, holds: Value::Bits(u128::from(byte)) }));
        }
        zeros += u64::from(is_zero);
        offset += if is_address { width } else { 1 };
    }
    cells.extend(runs);
    cells.retain(|_, cell| cell.holds != Value::Any);
    cells
}
