//! What structures a type stands for, by its links and by the names that people give to things.

use rucc_types::{ArrayLen, FloatKind, IntKind, RecordId, TypeId, TypeKind};

use crate::syntax::Unit;

/// A field of a record, under the name by which C reaches it from the record.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) ty: TypeId,
    pub(crate) is_bit_field: bool,
}

/// How nodes of one type hang together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No link to the same type.
    Object,
    List {
        next: String,
    },
    DoublyLinkedList {
        next: String,
        previous: String,
    },
    Tree {
        children: Vec<String>,
        parent: Option<String>,
    },
}

impl Unit {
    /// The kind of a type without typedefs, qualifiers and `_Atomic`.
    pub(crate) fn kind(&self, ty: TypeId) -> TypeKind {
        match self.types.kind(self.types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            TypeKind::Typedef { underlying, .. } => self.kind(underlying),
            other => other,
        }
    }

    /// What a pointer points to, as it was written.
    pub(crate) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        rucc_types::pointee_as_written(&self.types, ty)
            .or_else(|| rucc_types::pointee(&self.types, self.types.canonical(ty)))
    }

    /// How C spells the type; `None` where it has no name.
    pub(crate) fn spelling(&self, ty: TypeId) -> Option<String> {
        let text = rucc_types::spell(&self.types, &self.names, ty);
        (!text.contains(['<', '@']) && !text.contains("*]")).then_some(text)
    }

    /// How C spells a record without qualifiers: by its tag, or by a typedef.
    pub(crate) fn record_name(&self, ty: TypeId) -> Option<String> {
        let TypeKind::Record(record) = self.kind(ty) else { return None };
        let info = self.types.record_info(record);
        if let Some(tag) = info.tag {
            return Some(format!("{} {}", info.kind.as_str(), self.names.resolve(tag)));
        }
        if let TypeKind::Typedef { name, .. } = self.types.kind(ty) {
            return Some(self.names.resolve(name).to_owned());
        }
        self.typedef_of(record).map(str::to_owned)
    }

    /// The first typedef of a record.
    fn typedef_of(&self, record: RecordId) -> Option<&str> {
        let is_it =
            |of: TypeId| matches!(self.kind(of), TypeKind::Record(other) if other == record);
        let alias = self.types.aliases().iter().find(|alias| is_it(alias.of))?;
        Some(self.names.resolve(alias.name))
    }

    /// What people call a record: its tag, or else its typedef.
    pub(crate) fn tag_of(&self, record: RecordId) -> &str {
        match self.types.record_info(record).tag {
            Some(tag) => self.names.resolve(tag),
            None => self.typedef_of(record).unwrap_or("anonymous"),
        }
    }

    pub(crate) fn is_complete(&self, record: RecordId) -> bool {
        let info = self.types.record_info(record);
        info.layout.is_some() && info.variable.is_none()
    }

    /// The members of a struct, those of unnamed structs in it among them. `None` for unions and
    /// for what has one without a name.
    pub(crate) fn members(&self, record: RecordId) -> Option<Vec<Member>> {
        let info = self.types.record_info(record);
        if info.kind == rucc_types::RecordKind::Union {
            return None;
        }
        let mut members = Vec::new();
        for field in &info.fields {
            match (field.name, self.kind(field.ty)) {
                (Some(name), _) => members.push(Member {
                    name: self.names.resolve(name).to_owned(),
                    ty: field.ty,
                    is_bit_field: field.bits.is_some(),
                }),
                (None, TypeKind::Record(inner)) => {
                    if self.has_pointers(field.ty) {
                        members.extend(self.members(inner)?);
                    }
                }
                // An unnamed bit-field only takes room.
                (None, _) => {}
            }
        }
        Some(members)
    }

    /// Whether values of the type hold addresses.
    pub(crate) fn has_pointers(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Pointer(_) | TypeKind::Function(_) => true,
            TypeKind::Array { elem, .. } => self.has_pointers(elem),
            TypeKind::Record(record) => {
                let fields = &self.types.record_info(record).fields;
                fields.iter().any(|field| self.has_pointers(field.ty))
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::BitInt { .. }
            | TypeKind::Vector { .. }
            | TypeKind::Enum(_)
            | TypeKind::Atomic(_)
            | TypeKind::Typedef { .. } => false,
        }
    }

    /// Whether any bytes are a value of the type that a program may meet.
    pub(crate) fn is_plain(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Array { elem, .. } => self.is_plain(elem),
            TypeKind::Record(record) => {
                let fields = &self.types.record_info(record).fields;
                fields.iter().all(|field| self.is_plain(field.ty))
            }
            TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Void => true,
            TypeKind::Bool
            | TypeKind::Enum(_)
            | TypeKind::BitInt { .. }
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::Pointer(_)
            | TypeKind::Function(_)
            | TypeKind::Atomic(_)
            | TypeKind::Typedef { .. } => false,
        }
    }

    /// The links of a record to its own type decide what nodes of it form.
    pub(crate) fn shape(&self, record: RecordId) -> Shape {
        let members = self.members(record).unwrap_or_default();
        let is_link = |ty: TypeId| {
            let target = self.pointee(ty).map(|target| self.kind(target));
            matches!(target, Some(TypeKind::Record(other)) if other == record)
        };
        let mut links: Vec<String> = Vec::new();
        for member in &members {
            match self.kind(member.ty) {
                _ if is_link(member.ty) => links.push(member.name.clone()),
                TypeKind::Array { elem, len } if is_link(elem) => {
                    let count = self.element_count(len).unwrap_or(0);
                    links.extend((0..count).map(|index| format!("{}[{index}]", member.name)));
                }
                _ => {}
            }
        }
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        let named = |words: &[&str]| {
            let is_so = |link: &&&str| words.iter().any(|word| link.contains(word));
            links.iter().find(is_so).map(|link| (*link).to_owned())
        };
        let others = |without: &str| -> Vec<String> {
            links.iter().filter(|link| **link != without).map(|link| (*link).to_owned()).collect()
        };
        let parent = named(&["parent", "up", "father", "owner"]);
        match (links.as_slice(), named(&["prev", "back", "last"])) {
            ([], _) => Shape::Object,
            ([only], _) => Shape::List { next: (*only).to_owned() },
            ([_, _], Some(previous)) if others(&previous)[0] != previous => {
                Shape::DoublyLinkedList { next: others(&previous)[0].clone(), previous }
            }
            (_, _) => {
                let children = others(parent.as_deref().unwrap_or_default());
                Shape::Tree { children, parent }
            }
        }
    }

    /// The function without arguments that gives any number of this type, and its result's type.
    pub(crate) fn input_function(&self, ty: TypeId) -> Option<(&'static str, &'static str)> {
        Some(match self.kind(ty) {
            TypeKind::Bool => ("bool", "_Bool"),
            TypeKind::Int(kind) => match kind {
                IntKind::Char => ("char", "char"),
                IntKind::SChar => ("schar", "signed char"),
                IntKind::UChar => ("uchar", "unsigned char"),
                IntKind::Short => ("short", "short"),
                IntKind::UShort => ("ushort", "unsigned short"),
                IntKind::Int => ("int", "int"),
                IntKind::UInt => ("uint", "unsigned int"),
                IntKind::Long => ("long", "long"),
                IntKind::ULong => ("ulong", "unsigned long"),
                IntKind::LongLong => ("longlong", "long long"),
                IntKind::ULongLong => ("ulonglong", "unsigned long long"),
                IntKind::Int128 => ("int128", "__int128"),
                IntKind::UInt128 => ("uint128", "unsigned __int128"),
            },
            TypeKind::Enum(_) => ("int", "int"),
            TypeKind::Float(FloatKind::Float) => ("float", "float"),
            TypeKind::Float(FloatKind::Double) => ("double", "double"),
            _ => return None,
        })
    }

    /// The number of elements of an array type.
    pub(crate) fn element_count(&self, len: ArrayLen) -> Option<u64> {
        match len {
            ArrayLen::Fixed(count) => Some(count),
            ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
        }
    }

    pub(crate) fn is_character(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Int(IntKind::Char))
    }
}

/// Whether a number of this name counts the elements of something next to it.
pub(crate) fn counts_elements(name: &str) -> bool {
    counts_bytes(name)
        || matches!(name, "n" | "num" | "count" | "cnt" | "nelem" | "nmemb" | "elements")
        || ["num_", "n_"].iter().any(|start| name.starts_with(start))
        || ["_n", "_count", "_num"].iter().any(|end| name.ends_with(end))
}

/// Whether a number of this name says how long a text or a buffer is.
pub(crate) fn counts_bytes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["len", "length", "size", "sz", "nbytes", "capacity"].iter().any(|word| name.ends_with(word))
}

/// Whether a number of this name says how much room there is, of which not all need be used.
pub(crate) fn is_capacity(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let begins = ["cap", "alloc"].iter().any(|word| name.trim_start_matches('_').starts_with(word));
    let ends =
        ["cap", "capacity", "alloc", "allocated", "alloced", "maxsize", "max_size", "buckets"];
    begins || ends.iter().any(|word| name.ends_with(word))
}
