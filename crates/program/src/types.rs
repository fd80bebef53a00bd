//! Types: what a machine word is (`ScalarType`) and what C called it (`Type`, `Record`).
//!
//! Expressions and accesses carry a `ScalarType`, which is all that execution needs. Variables,
//! objects and field paths also carry a `Type`, from which name-based engines read what a pointer
//! points to and which fields a node has.

use std::fmt;

use heapwright_base::{IdVec, define_id};
use rustc_hash::FxHashMap;

use crate::operation::PathStep;

define_id!(
    /// A C type in the table.
    TypeId,
    "type"
);
define_id!(
    /// A struct or a union.
    RecordId,
    "record"
);

/// How wide the C types are: SV-COMP's two data models, both little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits (i386).
    Ilp32,
    /// `long` and pointers of 64 bits (x86-64).
    #[default]
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer.
    #[must_use]
    pub const fn pointer_size(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The signed integer type as wide as a pointer, in which offsets are computed.
    #[must_use]
    pub const fn offset_type(self) -> ScalarType {
        ScalarType::Integer { signed: true, width: 8 * self.pointer_size() as u16 }
    }

    /// `size_t`.
    #[must_use]
    pub const fn size_type(self) -> ScalarType {
        ScalarType::Integer { signed: false, width: 8 * self.pointer_size() as u16 }
    }

    /// The name SV-COMP gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// A binary floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    /// `float`: IEEE binary32.
    Single,
    /// `double`: IEEE binary64.
    Double,
    /// x86's `long double`: ten bytes, padded to twelve (ILP32) or sixteen (LP64).
    Extended,
    /// `_Float128`: IEEE binary128.
    Quadruple,
}

/// The type of a value that an expression computes and one access moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarType {
    /// `_Bool`, and the result of a comparison: 0 or 1 in one byte.
    Bool,
    /// An integer of 8, 16, 32, 64 or 128 bits, two's complement.
    Integer {
        signed: bool,
        width: u16,
    },
    Float(FloatFormat),
    /// A pointer to anything; what it points to is in the variable's [`Type`].
    Pointer,
}

impl ScalarType {
    pub const INT: ScalarType = ScalarType::Integer { signed: true, width: 32 };
    pub const UNSIGNED: ScalarType = ScalarType::Integer { signed: false, width: 32 };
    pub const BYTE: ScalarType = ScalarType::Integer { signed: false, width: 8 };

    /// Bytes that an object of this type takes in memory.
    #[must_use]
    pub const fn size(self, model: DataModel) -> u64 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Integer { width, .. } => width as u64 / 8,
            ScalarType::Float(FloatFormat::Single) => 4,
            ScalarType::Float(FloatFormat::Double) => 8,
            ScalarType::Float(FloatFormat::Extended) => match model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            ScalarType::Float(FloatFormat::Quadruple) => 16,
            ScalarType::Pointer => model.pointer_size(),
        }
    }

    /// Bits of the value (a `long double` has 80, whatever its size).
    #[must_use]
    pub const fn value_bits(self, model: DataModel) -> u32 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Float(FloatFormat::Extended) => 80,
            other => 8 * other.size(model) as u32,
        }
    }

    /// Whether order and division are those of signed numbers.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, ScalarType::Integer { signed: true, .. })
    }

    #[must_use]
    pub const fn is_integer(self) -> bool {
        matches!(self, ScalarType::Integer { .. })
    }

    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, ScalarType::Float(_))
    }

    #[must_use]
    pub const fn is_pointer(self) -> bool {
        matches!(self, ScalarType::Pointer)
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScalarType::Bool => f.write_str("bool"),
            ScalarType::Integer { signed: true, width } => write!(f, "i{width}"),
            ScalarType::Integer { signed: false, width } => write!(f, "u{width}"),
            ScalarType::Float(FloatFormat::Single) => f.write_str("f32"),
            ScalarType::Float(FloatFormat::Double) => f.write_str("f64"),
            ScalarType::Float(FloatFormat::Extended) => f.write_str("f80"),
            ScalarType::Float(FloatFormat::Quadruple) => f.write_str("f128"),
            ScalarType::Pointer => f.write_str("ptr"),
        }
    }
}

/// A C type, as far as the analyses care: qualifiers, typedefs and enumerations are resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// Any scalar but a pointer.
    Scalar(ScalarType),
    Pointer(TypeId),
    /// `length` is absent for flexible, unknown and variable-length arrays.
    Array {
        element: TypeId,
        length: Option<u64>,
    },
    Record(RecordId),
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        variadic: bool,
    },
    /// A type that no operation touches, named for messages (complex, vector).
    Opaque(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

/// Which bits of the bytes at an address a bit-field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// Bits from the lowest bit of the byte at the address; 0..8.
    pub offset: u8,
    /// How many bits; 1..=128.
    pub width: u8,
}

impl BitRange {
    /// Bytes that an access to these bits touches.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        (self.offset as u64 + self.width as u64).div_ceil(8)
    }
}

/// A member of a struct or union. For a bit-field `offset` is the byte that holds its first bit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Empty for an anonymous struct or union member.
    pub name: String,
    pub ty: TypeId,
    pub offset: u64,
    pub bits: Option<BitRange>,
}

/// A struct or union with its layout. An incomplete one has no fields and size 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// `node` of `struct node`; made unique where C reuses a tag or gives none.
    pub name: String,
    pub kind: RecordKind,
    pub is_complete: bool,
    pub size: u64,
    pub alignment: u64,
    pub fields: Vec<Field>,
}

/// The type table. Types are interned: equal types have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: IdVec<TypeId, Type>,
    records: IdVec<RecordId, Record>,
    interned: FxHashMap<Type, TypeId>,
}

impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        self.types == other.types && self.records == other.records
    }
}

impl Types {
    #[must_use]
    pub fn new() -> Types {
        Types::default()
    }

    /// The id of `ty`, new or known.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    /// The type of a variable or field that holds `scalar` and nothing is known of where it points.
    pub fn of_scalar(&mut self, scalar: ScalarType) -> TypeId {
        if scalar.is_pointer() {
            let void = self.intern(Type::Void);
            self.intern(Type::Pointer(void))
        } else {
            self.intern(Type::Scalar(scalar))
        }
    }

    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }

    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    #[must_use]
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }

    /// The machine type of a scalar C type; `None` for aggregates, functions and void.
    #[must_use]
    pub fn scalar(&self, id: TypeId) -> Option<ScalarType> {
        match self.get(id) {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Pointer(_) => Some(ScalarType::Pointer),
            Type::Void
            | Type::Array { .. }
            | Type::Record(_)
            | Type::Function { .. }
            | Type::Opaque(_) => None,
        }
    }

    /// Bytes of a complete type; `None` where C gives it no size here.
    #[must_use]
    pub fn size(&self, id: TypeId, model: DataModel) -> Option<u64> {
        match self.get(id) {
            Type::Scalar(scalar) => Some(scalar.size(model)),
            Type::Pointer(_) => Some(model.pointer_size()),
            Type::Array { element, length } => self.size(*element, model)?.checked_mul((*length)?),
            Type::Record(record) => {
                let record = self.record(*record);
                record.is_complete.then_some(record.size)
            }
            Type::Void | Type::Function { .. } | Type::Opaque(_) => None,
        }
    }

    /// The type of a part of a `current`; `None` where there is no such part. An element of what is
    /// no array is one of its neighbours, as in `pointer[3]`.
    #[must_use]
    pub fn after_step(&self, current: TypeId, step: PathStep) -> Option<TypeId> {
        match (step, self.get(current)) {
            (PathStep::Field { record, index }, Type::Record(actual)) if record == *actual => {
                self.record(record).fields.get(index as usize).map(|field| field.ty)
            }
            (PathStep::Field { .. }, _) => None,
            (PathStep::Element(_), Type::Array { element, .. }) => Some(*element),
            (PathStep::Element(_), _) => Some(current),
        }
    }

    /// Bytes from a `root` to the end of `steps`; `None` with an index that is not a constant, and
    /// where the steps do not fit the types.
    #[must_use]
    pub fn path_offset(&self, root: TypeId, steps: &[PathStep], model: DataModel) -> Option<u64> {
        let mut current = root;
        let mut offset = 0_u64;
        for &step in steps {
            let after = self.after_step(current, step)?;
            let distance = match step {
                PathStep::Field { record, index } => {
                    self.record(record).fields[index as usize].offset
                }
                PathStep::Element(index) => match index? {
                    0 => 0,
                    index => index.checked_mul(self.size(after, model)?)?,
                },
            };
            offset = offset.checked_add(distance)?;
            current = after;
        }
        Some(offset)
    }

    pub fn types(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.enumerated()
    }

    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        self.records.enumerated()
    }

    /// C-like text of a type: `struct node *`, `int32[4]`.
    #[must_use]
    pub fn display(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".to_owned(),
            Type::Scalar(scalar) => scalar.to_string(),
            Type::Pointer(target) => format!("{}*", self.display(*target)),
            Type::Array { element, length: Some(length) } => {
                format!("{}[{length}]", self.display(*element))
            }
            Type::Array { element, length: None } => format!("{}[]", self.display(*element)),
            Type::Record(record) => {
                let record = self.record(*record);
                let keyword = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                format!("{keyword} {}", record.name)
            }
            Type::Function { result, parameters, variadic } => {
                let mut parts: Vec<String> =
                    parameters.iter().map(|parameter| self.display(*parameter)).collect();
                if *variadic {
                    parts.push("...".to_owned());
                }
                format!("{}({})", self.display(*result), parts.join(", "))
            }
            Type::Opaque(name) => format!("opaque \"{name}\""),
        }
    }
}
