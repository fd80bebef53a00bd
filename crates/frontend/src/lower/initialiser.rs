//! Initialisers of local variables and objects: stores in the order of the source.

use heapwright_program::{BitRange, ExpressionId, ObjectId, Operation, ScalarType, VariableId};
use rucc_sema::{Conversion, Decl, ExprId, ExprKind, InitEntry, InitList};

use super::function::FunctionLowering;
use super::place::{LvaluePlace, MemoryPlace};
use super::value::Value;

impl FunctionLowering<'_, '_> {
    /// Gives a variable its declared value, or none.
    pub(crate) fn initialise_variable(&mut self, variable: VariableId, decl: &Decl) {
        let Some(entries) = decl.init else {
            self.havoc(variable);
            return;
        };
        let scalar = self.unit.linker.program.variables[variable].scalar;
        let value = match self.unit.unit.tast[entries].first().copied() {
            Some(entry) => {
                let value = self.scalar_value(entry.value);
                self.convert(value, scalar)
            }
            None => self.constant(scalar, 0),
        };
        self.assign(variable, value);
    }

    /// Gives an object its declared contents; without an initialiser they stay arbitrary.
    pub(crate) fn initialise_object(&mut self, object: ObjectId, decl: &Decl) {
        let Some(entries) = decl.init else {
            self.forget_contents(object, decl);
            return;
        };
        let place = self.initial_place(object);
        let initialises = place.initialises;
        let size = self.unit.linker.program.objects[object].size.unwrap_or(0);
        if !self.covers(entries, size) {
            let byte = self.constant(ScalarType::BYTE, 0);
            let size = self.size_constant(size);
            self.emit(Operation::Fill { target: place.address, byte, size, initialises });
        }
        for index in 0..self.unit.unit.tast[entries].len() {
            let entry = self.unit.unit.tast[entries][index];
            self.initialise_entry(&place, &entry);
        }
    }

    /// Takes the value from an object whose declaration is reached again within one life: bytes
    /// that nobody has written are copied over it.
    fn forget_contents(&mut self, object: ObjectId, decl: &Decl) {
        let size = self.unit.linker.program.objects[object].size;
        if let Some(bytes) = size
            && self.may_come_back()
        {
            let unset = self.new_object_of("unset", decl.ty, decl);
            let (target, source) = (self.object_address(object), self.object_address(unset));
            let size = self.size_constant(bytes);
            let initialises = self.initial_place(object).initialises;
            self.emit(Operation::Copy { target, source, size, initialises });
        }
    }

    /// Whether the entries write every byte, so that nothing is left to be zero.
    fn covers(&self, entries: InitList, size: u64) -> bool {
        let tast = &self.unit.unit.tast;
        let mut written: Vec<(u64, u64)> = Vec::new();
        for entry in &tast[entries] {
            let width = self.unit.size_of(tast[entry.value].ty);
            let is_string = self.string_literal(entry.value).is_some();
            match width {
                Some(width) if entry.bit_width == 0 && !is_string => {
                    written.push((entry.offset, entry.offset + width));
                }
                Some(_) | None => return false,
            }
        }
        written.sort_unstable();
        let mut covered = 0;
        for (start, end) in written {
            if start > covered {
                return false;
            }
            covered = covered.max(end);
        }
        covered >= size
    }

    fn initialise_entry(&mut self, object: &MemoryPlace, entry: &InitEntry) {
        let before = self.set_place(self.unit.unit.tast.expr_span(entry.value));
        let ty = self.c_type(entry.value);
        let mut offset = entry.offset;
        let mut bits = None;
        if entry.bit_width > 0 {
            offset += u64::from(entry.bit_offset / 8);
            bits = Some(BitRange {
                offset: (entry.bit_offset % 8) as u8,
                width: entry.bit_width as u8,
            });
        }
        if entry.reverse {
            self.unsupported("an initialiser in reversed byte order");
        }
        let address = self.offset_pointer(object.address, i128::from(offset));
        match self.string_literal(entry.value) {
            Some(_) => {
                let (source, size) = self.initial_string(entry.value, ty);
                let initialises = object.initialises;
                self.emit(Operation::Copy { target: address, source, size, initialises });
            }
            None => match self.value(entry.value) {
                Value::Scalar(value) => {
                    let scalar = self.type_of(value);
                    let place = self.part(object, offset, bits, ty);
                    self.store(&place, scalar, value);
                }
                Value::Aggregate(source) => {
                    let size = self.dynamic_size(ty);
                    let initialises = object.initialises;
                    self.emit(Operation::Copy { target: address, source, size, initialises });
                }
                Value::Nothing => self.unsupported("an initialiser of this type"),
            },
        }
        self.restore_place(before);
    }

    /// The string literal that fills a character array.
    fn string_literal(&self, value: ExprId) -> Option<ExprId> {
        let tast = &self.unit.unit.tast;
        match tast[value].kind {
            ExprKind::Str(_) if self.unit.scalar(tast[value].ty).is_none() => Some(value),
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.string_literal(operand),
            _ => None,
        }
    }

    /// Where the bytes of a string literal are, and how many an array of this type takes.
    fn initial_string(
        &mut self,
        value: ExprId,
        ty: rucc_types::TypeId,
    ) -> (ExpressionId, ExpressionId) {
        let literal = self.string_literal(value).expect("a string literal");
        let LvaluePlace::Memory(source) = self.lvalue(literal) else {
            unreachable!("a string literal lives in memory");
        };
        let ExprKind::Str(string) = self.unit.unit.tast[literal].kind else {
            unreachable!("a string literal");
        };
        let object = self.unit.string(string);
        let length = self.unit.linker.program.objects[object].size.unwrap_or(0);
        // `char s[3] = "abc"` has no room for the terminator; the zeros beyond were filled in.
        let size = self.unit.size_of(ty).map_or(length, |size| size.min(length));
        (source.address, self.size_constant(size))
    }
}
