//! C types of the typed tree to types of the program.

use heapwright_program::{
    BitRange, DataModel, Field, FloatFormat, Record, RecordId, RecordKind, ScalarType, Type, TypeId,
};
use rucc_types::{ArrayLen, FloatKind, Qualifiers, TypeKind};

use super::unit::UnitLowering;

impl UnitLowering<'_> {
    /// The kind of a type without typedefs, qualifiers and `_Atomic`.
    pub(crate) fn kind(&self, ty: rucc_types::TypeId) -> TypeKind {
        let types = &self.unit.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            TypeKind::Typedef { underlying, .. } => self.kind(underlying),
            other => other,
        }
    }

    /// The machine type of a scalar; `None` for aggregates, void and what is not modelled.
    pub(crate) fn scalar(&self, ty: rucc_types::TypeId) -> Option<ScalarType> {
        match self.kind(ty) {
            TypeKind::Bool => Some(ScalarType::Bool),
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                let info = rucc_types::integer_info(&self.unit.types, ty, &self.unit.target)?;
                Some(ScalarType::Integer { signed: info.signed, width: info.width as u16 })
            }
            // The integer type that it is laid out as; `fitted` keeps its values in range.
            TypeKind::BitInt { signed, width } => {
                let width = width.next_power_of_two().max(8);
                (width <= 128).then_some(ScalarType::Integer { signed, width: width as u16 })
            }
            TypeKind::Float(kind) => float_format(kind).map(ScalarType::Float),
            TypeKind::Pointer(_) => Some(ScalarType::Pointer),
            TypeKind::Void
            | TypeKind::Complex(_)
            | TypeKind::Atomic(_)
            | TypeKind::Array { .. }
            | TypeKind::Function(_)
            | TypeKind::Vector { .. }
            | TypeKind::Record(_)
            | TypeKind::Typedef { .. } => None,
        }
    }

    pub(crate) fn is_record(&self, ty: rucc_types::TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Record(_))
    }

    /// Whether values of this type live in memory only: records, and what we treat as bytes.
    pub(crate) fn is_aggregate(&self, ty: rucc_types::TypeId) -> bool {
        self.scalar(ty).is_none()
            && !matches!(self.kind(ty), TypeKind::Void | TypeKind::Function(_))
    }

    /// Whether an object defined with this type must not be written: for an array, whether its
    /// elements must not.
    pub(crate) fn is_constant(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        match self.kind(ty) {
            TypeKind::Array { elem, .. } => self.is_constant(elem),
            _ => types.quals(types.canonical(ty)).has(Qualifiers::CONST),
        }
    }

    /// Whether an object of this type, or some member of it, may change by itself.
    pub(crate) fn is_volatile(&self, ty: rucc_types::TypeId) -> bool {
        let types = &self.unit.types;
        if types.quals(types.canonical(ty)).has(Qualifiers::VOLATILE) {
            return true;
        }
        match self.kind(ty) {
            TypeKind::Array { elem, .. } => self.is_volatile(elem),
            TypeKind::Record(record) => {
                let fields = &types.record_info(record).fields;
                fields.iter().any(|field| self.is_volatile(field.ty))
            }
            _ => false,
        }
    }

    /// Bytes of a type with a constant size.
    pub(crate) fn size_of(&self, ty: rucc_types::TypeId) -> Option<u64> {
        rucc_types::layout(&self.unit.types, ty, &self.unit.target).ok().map(|layout| layout.size)
    }

    pub(crate) fn alignment_of(&self, ty: rucc_types::TypeId) -> u64 {
        rucc_types::align(&self.unit.types, ty, &self.unit.target).unwrap_or(1)
    }

    pub(crate) fn model(&self) -> DataModel {
        self.linker.program.model
    }

    /// The program's name for a C type.
    pub(crate) fn ty(&mut self, ty: rucc_types::TypeId) -> TypeId {
        let canonical = self.unit.types.canonical(ty);
        if let Some(&known) = self.types.get(&canonical) {
            return known;
        }
        let translated = match self.kind(ty) {
            TypeKind::Void => Type::Void,
            TypeKind::Pointer(target) => {
                let target = self.ty(target);
                Type::Pointer(target)
            }
            TypeKind::Array { elem, len } => {
                let element = self.ty(elem);
                let length = match len {
                    ArrayLen::Fixed(length) => Some(length),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                Type::Array { element, length }
            }
            TypeKind::Function(function) => {
                let signature = self.unit.types.signature(function).clone();
                let result = self.ty(signature.ret);
                let parameters = signature.params.iter().map(|&p| self.ty(p)).collect();
                // `f()` without a prototype takes whatever it is given.
                let variadic = signature.variadic || !signature.prototyped;
                Type::Function { result, parameters, variadic }
            }
            TypeKind::Record(record) => Type::Record(self.record(record)),
            TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Float(_)
            | TypeKind::BitInt { .. } => match self.scalar(ty) {
                Some(scalar) => Type::Scalar(scalar),
                None => Type::Opaque("unsupported arithmetic type".to_owned()),
            },
            TypeKind::Complex(_) => Type::Opaque("_Complex".to_owned()),
            TypeKind::Vector { len, .. } => Type::Opaque(format!("vector of {len}")),
            TypeKind::Atomic(_) | TypeKind::Typedef { .. } => unreachable!("resolved by `kind`"),
        };
        let id = self.linker.program.types.intern(translated);
        self.types.insert(canonical, id);
        id
    }

    /// The program's record for a C struct or union. Entered under its id before its fields are
    /// translated, because a list node mentions itself.
    pub(crate) fn record(&mut self, id: rucc_types::RecordId) -> RecordId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let info = self.unit.types.record_info(id);
        let kind = match info.kind {
            rucc_types::RecordKind::Struct => RecordKind::Struct,
            rucc_types::RecordKind::Union => RecordKind::Union,
        };
        let tag = self.unit.tag_of(id).to_owned();
        // A struct with a variable-length member has no layout that we could state.
        let layout = if info.variable.is_some() { None } else { info.layout };
        let kept = info.fields.iter().zip(kept_fields(info));
        let kept = kept.filter(|(_, number)| number.is_some() && layout.is_some());
        let fields: Vec<rucc_types::Field> = kept.map(|(field, _)| *field).collect();
        let placeholder = Record {
            name: String::new(),
            kind,
            is_complete: layout.is_some(),
            size: layout.map_or(0, |layout| layout.size),
            alignment: layout.map_or(1, |layout| layout.align),
            fields: Vec::new(),
        };
        let names: Vec<String> = fields.iter().map(|field| self.field_name(field)).collect();
        if info.tag.is_some()
            && let Some(known) = self.linker.compatible_record(&tag, &placeholder, &names)
            && !self.own_records.contains(&known)
        {
            self.adopt(id, known);
            return known;
        }
        let record = self.linker.program.types.add_record(placeholder);
        self.records.insert(id, record);
        self.own_records.insert(record);
        self.linker.program.types.record_mut(record).name = self.linker.name_record(&tag, record);
        let fields: Vec<Field> = fields
            .iter()
            .map(|field| {
                let name = self.field_name(field);
                let bits = field
                    .bits
                    .map(|width| BitRange { offset: (field.bit % 8) as u8, width: width as u8 });
                let offset = field.offset + u64::from(field.bit / 8);
                Field { name, ty: self.ty(field.ty), offset, bits }
            })
            .collect();
        self.linker.program.types.record_mut(record).fields = fields;
        record
    }

    /// Takes another unit's record for this unit's. Records without a tag in it go along: paths through
    /// its members name them.
    fn adopt(&mut self, id: rucc_types::RecordId, known: RecordId) {
        self.records.insert(id, known);
        let info = self.unit.types.record_info(id);
        let kept = info.fields.iter().zip(kept_fields(info));
        let kept: Vec<rucc_types::TypeId> =
            kept.filter(|(_, number)| number.is_some()).map(|(field, _)| field.ty).collect();
        for (index, ty) in kept.into_iter().enumerate() {
            let Some(theirs) = self.linker.program.types.record(known).fields.get(index) else {
                continue;
            };
            let theirs = theirs.ty;
            if let Some((inner, theirs)) = self.nameless_records(ty, theirs) {
                self.adopt(inner, theirs);
            }
        }
    }

    /// The record without a tag that a type is or has as elements, in this unit and in the program.
    fn nameless_records(
        &self,
        ours: rucc_types::TypeId,
        theirs: TypeId,
    ) -> Option<(rucc_types::RecordId, RecordId)> {
        match (self.kind(ours), self.linker.program.types.get(theirs)) {
            (TypeKind::Array { elem, .. }, Type::Array { element, .. }) => {
                self.nameless_records(elem, *element)
            }
            (TypeKind::Record(inner), Type::Record(record)) => {
                let is_nameless = self.unit.types.record_info(inner).tag.is_none();
                let is_new = !self.records.contains_key(&inner);
                (is_nameless && is_new).then_some((inner, *record))
            }
            _ => None,
        }
    }

    fn field_name(&self, field: &rucc_types::Field) -> String {
        field.name.map_or("", |name| self.unit.names.resolve(name)).to_owned()
    }
}

/// The number that each field of a record has in the program. Unnamed bit-fields have none: they
/// only move what comes behind them.
pub(crate) fn kept_fields(info: &rucc_types::RecordInfo) -> Vec<Option<u32>> {
    let mut numbers = 0..;
    let is_kept = |field: &rucc_types::Field| field.name.is_some() || field.bits.is_none();
    info.fields.iter().map(|field| if is_kept(field) { numbers.next() } else { None }).collect()
}

fn float_format(kind: FloatKind) -> Option<FloatFormat> {
    match kind {
        FloatKind::Float | FloatKind::Float32 => Some(FloatFormat::Single),
        FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 => Some(FloatFormat::Double),
        FloatKind::LongDouble | FloatKind::Float64x => Some(FloatFormat::Extended),
        FloatKind::Float128 => Some(FloatFormat::Quadruple),
        FloatKind::Float16
        | FloatKind::Decimal32
        | FloatKind::Decimal64
        | FloatKind::Decimal128 => None,
    }
}
