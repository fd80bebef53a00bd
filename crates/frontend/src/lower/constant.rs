//! Initial contents of static objects: constant expressions to bytes and addresses.

use heapwright_program::{
    AddressTarget, BinaryOperator, ExpressionId, InitialAddress, ObjectKind, ScalarType,
    VariableKind, mask,
};
use rucc_sema::{
    Base, Const, Conversion, DeclId, DeclKind, Eval, ExprId, ExprKind, InitEntry, InitList,
};

use super::linker::Entity;
use super::unit::UnitLowering;

/// Bytes under construction, with the addresses that stand in them.
#[derive(Default)]
struct Contents {
    bytes: Vec<u8>,
    addresses: Vec<InitialAddress>,
}

impl Contents {
    fn write(&mut self, offset: u64, bytes: &[u8]) {
        let start = offset as usize;
        let end = start + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(bytes);
    }

    fn write_bits(&mut self, entry: &InitEntry, value: u128) {
        for bit in 0..entry.bit_width {
            let position = entry.offset * 8 + u64::from(entry.bit_offset + bit);
            let byte = (position / 8) as usize;
            if self.bytes.len() <= byte {
                self.bytes.resize(byte + 1, 0);
            }
            let flag = 1 << (position % 8);
            if value >> bit & 1 == 1 {
                self.bytes[byte] |= flag;
            } else {
                self.bytes[byte] &= !flag;
            }
        }
    }
}

impl UnitLowering<'_> {
    /// Gives a static object or global variable the contents that its definition states.
    pub(crate) fn initialise_static(&mut self, id: DeclId, entity: Entity) {
        let Some(entries) = self.unit.tast[id].init else { return };
        match entity {
            Entity::Variable(variable) => {
                let Some(entry) = self.unit.tast[entries].first() else { return };
                let scalar = self.linker.program.variables[variable].scalar;
                match self.constant_expression(entry.value, scalar) {
                    Some(initial) => {
                        let kind = VariableKind::Global { initial };
                        self.linker.program.variables[variable].kind = kind;
                    }
                    None => self.unmodelled_static(entry.value),
                }
            }
            Entity::Object(object) => {
                let mut contents = Contents::default();
                self.write_entries(entries, 0, &mut contents);
                contents.addresses.sort_by_key(|address| address.offset);
                let Contents { bytes, addresses } = contents;
                let size = bytes.len() as u64;
                let object = &mut self.linker.program.objects[object];
                // A flexible array member takes room beyond what the type says.
                object.size = object.size.map(|declared| declared.max(size));
                object.kind = ObjectKind::Static { bytes, addresses };
            }
        }
    }

    fn write_entries(&mut self, entries: InitList, base: u64, contents: &mut Contents) {
        for index in 0..self.unit.tast[entries].len() {
            let mut entry = self.unit.tast[entries][index];
            entry.offset += base;
            self.write_entry(&entry, contents);
        }
    }

    fn write_entry(&mut self, entry: &InitEntry, contents: &mut Contents) {
        let tast = &self.unit.tast;
        let value = strip(tast, entry.value);
        match tast[value].kind {
            ExprKind::Str(string) if self.scalar(tast[value].ty).is_none() => {
                let mut bytes = tast[string].bytes(&self.unit.target);
                // `char s[2] = "abc"` keeps what fits.
                if let Some(size) = self.size_of(tast[entry.value].ty) {
                    bytes.truncate(size as usize);
                }
                contents.write(entry.offset, &bytes);
                return;
            }
            ExprKind::CompoundLiteral(decl) if self.is_aggregate(tast[value].ty) => {
                if let Some(entries) = tast[decl].init {
                    self.write_entries(entries, entry.offset, contents);
                }
                return;
            }
            _ => {}
        }
        let scalar = self.scalar(tast[entry.value].ty);
        match (scalar, self.evaluate(entry.value)) {
            (Some(_), Some(Const::Int(value))) if entry.bit_width > 0 => {
                contents.write_bits(entry, value as u128);
            }
            (Some(scalar), Some(constant)) if self.is_modelled(constant) && !entry.reverse => {
                self.write_constant(entry.offset, scalar, constant, contents);
            }
            _ => self.unmodelled_static(entry.value),
        }
    }

    /// A program with a static initialiser that we cannot evaluate must not be answered for.
    fn unmodelled_static(&mut self, value: ExprId) {
        let place = self.place(self.unit.tast.expr_span(value));
        let construct = "a static initialiser that is not modelled".to_owned();
        self.linker.unmodelled_statics.push((construct, place));
    }

    fn is_modelled(&self, constant: Const) -> bool {
        match constant {
            Const::Int(_) | Const::Float(_) => true,
            Const::Address(address) => !matches!(address.base, Base::Label(_)),
            Const::Complex { .. } | Const::ComplexInt { .. } | Const::Apart { .. } => false,
        }
    }

    fn write_constant(
        &mut self,
        offset: u64,
        scalar: ScalarType,
        constant: Const,
        contents: &mut Contents,
    ) {
        let model = self.model();
        let size = scalar.size(model) as usize;
        match constant {
            Const::Address(address) => {
                let addend = address.offset as i64;
                match self.address_target(address.base) {
                    Some(target) => {
                        contents.write(offset, &vec![0; size]);
                        contents.addresses.push(InitialAddress { offset, target, addend });
                    }
                    None => contents.write(offset, &addend.to_le_bytes()[..size.min(8)]),
                }
            }
            Const::Int(_) | Const::Float(_) => {
                let bits = constant_bits(constant) & mask(scalar.value_bits(model));
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&bits.to_le_bytes());
                contents.write(offset, &bytes[..size]);
            }
            Const::Complex { .. } | Const::ComplexInt { .. } | Const::Apart { .. } => {}
        }
    }

    fn address_target(&mut self, base: Base) -> Option<AddressTarget> {
        match base {
            Base::Decl(decl) => Some(match self.unit.tast[decl].kind {
                DeclKind::Function => {
                    let function = self.function_address(decl);
                    AddressTarget::Function(function)
                }
                DeclKind::Object | DeclKind::Type => match self.static_entity(decl) {
                    Entity::Object(object) => AddressTarget::Object(object),
                    Entity::Variable(_) => {
                        unreachable!("an object whose address is taken lives in memory")
                    }
                },
            }),
            Base::Str(string) => Some(AddressTarget::Object(self.string(string))),
            Base::Label(_) | Base::Absolute => None,
        }
    }

    /// The function of a declaration whose address is taken.
    pub(crate) fn function_address(&mut self, decl: DeclId) -> heapwright_program::FunctionId {
        let function = self.function(decl);
        let name = self.name(&self.unit.tast[decl]);
        if !self.linker.survey.defined_functions.contains(name) {
            self.linker.wanted_bodies.insert(name.to_owned());
        }
        function
    }

    /// A constant expression as an expression of the program.
    pub(crate) fn constant_expression(
        &mut self,
        expression: ExprId,
        scalar: ScalarType,
    ) -> Option<ExpressionId> {
        let constant = self.evaluate(expression)?;
        self.constant_value(constant, scalar)
    }

    /// A folded constant as an expression of the program.
    pub(crate) fn constant_value(
        &mut self,
        constant: Const,
        scalar: ScalarType,
    ) -> Option<ExpressionId> {
        let model = self.model();
        match constant {
            Const::Int(_) | Const::Float(_) => {
                let bits = constant_bits(constant);
                Some(self.linker.program.expressions.constant(scalar, bits, model))
            }
            Const::Address(address) => {
                if let Base::Label(_) = address.base {
                    return None;
                }
                let target = self.address_target(address.base);
                let expressions = &mut self.linker.program.expressions;
                let offset_bits = address.offset as u128;
                let base = match target {
                    Some(AddressTarget::Object(object)) => expressions.object_address(object),
                    Some(AddressTarget::Function(function)) => {
                        expressions.function_address(function)
                    }
                    None => {
                        return Some(expressions.constant(scalar, offset_bits, model));
                    }
                };
                let moved = if address.offset == 0 {
                    base
                } else {
                    let offset = expressions.constant(model.offset_type(), offset_bits, model);
                    expressions.binary(BinaryOperator::OffsetPointer, base, offset, model)
                };
                Some(expressions.convert(moved, scalar))
            }
            Const::Complex { .. } | Const::ComplexInt { .. } | Const::Apart { .. } => None,
        }
    }

    /// Folds a constant expression, addresses included.
    pub(crate) fn evaluate(&self, expression: ExprId) -> Option<Const> {
        let unit = self.unit;
        if let ExprKind::Const(constant) = unit.tast[expression].kind {
            return Some(unit.tast[constant]);
        }
        Eval::new(&unit.tast, &unit.types, &unit.target, &unit.names)
            .objects(true)
            .initializer(expression)
            .ok()
    }
}

/// The bit pattern of a number.
fn constant_bits(constant: Const) -> u128 {
    match constant {
        Const::Int(value) => value as u128,
        Const::Float(value) => value.to_bits(),
        Const::Complex { .. }
        | Const::ComplexInt { .. }
        | Const::Address(_)
        | Const::Apart { .. } => unreachable!("{constant:?} is no number"),
    }
}

/// What a cast or conversion to the same aggregate is applied to.
fn strip(tast: &rucc_sema::Tast, expression: ExprId) -> ExprId {
    match tast[expression].kind {
        ExprKind::Convert { kind: Conversion::Lvalue, operand } => strip(tast, operand),
        _ => expression,
    }
}
