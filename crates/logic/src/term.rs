//! What a term is: a node of sixteen bytes whose children are ids.
//! Few kinds, so that equal meanings share a node: `a || b` is `!(!a && !b)`, `a <= b` is
//! `!(b < a)`, and `-a` is `0 - a`; printing turns them back.

/// A term of one `Terms`. Ids are dense, and children have smaller ids than their parents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Every `Terms` starts with the two truth values.
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);

    /// The position of this term, for tables indexed by term.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The position of a bit-vector constant in its `Terms`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConstantId(pub(crate) u32);

/// The position of a variable's name in its `Terms`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub(crate) u32);

/// What values a term ranges over. Widths are 1 to 128.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Boolean,
    BitVector(u32),
    /// From bit-vectors of `index` bits to bit-vectors of `element` bits. Arrays are never compared.
    Array {
        index: u32,
        element: u32,
    },
}

/// Operations on two bit-vectors of one width, with a result of that width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    UnsignedRemainder,
    SignedDivide,
    SignedRemainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
}

impl Operator {
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::UnsignedDivide,
        Self::UnsignedRemainder,
        Self::SignedDivide,
        Self::SignedRemainder,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::LogicalShiftRight,
        Self::ArithmeticShiftRight,
    ];
}

/// Relations between two bit-vectors of one width, besides equality.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Predicate {
    UnsignedLess,
    SignedLess,
    /// The product does not fit the width. Here and not derived, because the
    /// product may need more than 128 bits.
    UnsignedMultiplyOverflows,
    SignedMultiplyOverflows,
}

impl Predicate {
    pub const ALL: [Self; 4] = [
        Self::UnsignedLess,
        Self::SignedLess,
        Self::UnsignedMultiplyOverflows,
        Self::SignedMultiplyOverflows,
    ];
}

/// One node. Build with the methods of `Terms`, which simplify; match with `Terms::node`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    Boolean(bool),
    BitVector(ConstantId),
    Variable(SymbolId),

    Not(TermId),
    And(TermId, TermId),
    /// Of two booleans or of two bit-vectors.
    Equal(TermId, TermId),
    Relation(Predicate, TermId, TermId),
    /// Condition, then, else; the arms have any one sort.
    IfThenElse(TermId, TermId, TermId),

    Complement(TermId),
    Binary(Operator, TermId, TermId),
    /// High part, low part.
    Concat(TermId, TermId),
    /// Bits `low` to `high`, both included.
    Extract {
        term: TermId,
        high: u32,
        low: u32,
    },
    ZeroExtend {
        term: TermId,
        width: u32,
    },
    SignExtend {
        term: TermId,
        width: u32,
    },

    /// Array, index.
    Select(TermId, TermId),
    /// Array, index, element.
    Store(TermId, TermId, TermId),
    /// The same element everywhere.
    ConstantArray {
        element: TermId,
        index: u32,
    },
}

/// The children of one node, in order.
#[derive(Clone, Copy, Debug)]
pub struct Children {
    terms: [TermId; 3],
    length: usize,
}

impl Children {
    fn new<const N: usize>(children: [TermId; N]) -> Self {
        let mut terms = [TermId::FALSE; 3];
        terms[..N].copy_from_slice(&children);
        Self { terms, length: N }
    }

    pub fn as_slice(&self) -> &[TermId] {
        &self.terms[..self.length]
    }
}

impl IntoIterator for Children {
    type Item = TermId;
    type IntoIter = std::iter::Take<std::array::IntoIter<TermId, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.terms.into_iter().take(self.length)
    }
}

impl Term {
    pub fn children(self) -> Children {
        match self {
            Self::Boolean(_) | Self::BitVector(_) | Self::Variable(_) => Children::new([]),
            Self::Not(a)
            | Self::Complement(a)
            | Self::Extract { term: a, .. }
            | Self::ZeroExtend { term: a, .. }
            | Self::SignExtend { term: a, .. }
            | Self::ConstantArray { element: a, .. } => Children::new([a]),
            Self::And(a, b)
            | Self::Equal(a, b)
            | Self::Relation(_, a, b)
            | Self::Binary(_, a, b)
            | Self::Concat(a, b)
            | Self::Select(a, b) => Children::new([a, b]),
            Self::IfThenElse(a, b, c) | Self::Store(a, b, c) => Children::new([a, b, c]),
        }
    }

    /// The same node over other children.
    #[must_use]
    pub fn map_children(self, mut map: impl FnMut(TermId) -> TermId) -> Self {
        match self {
            Self::Boolean(_) | Self::BitVector(_) | Self::Variable(_) => self,
            Self::Not(a) => Self::Not(map(a)),
            Self::And(a, b) => Self::And(map(a), map(b)),
            Self::Equal(a, b) => Self::Equal(map(a), map(b)),
            Self::Relation(predicate, a, b) => Self::Relation(predicate, map(a), map(b)),
            Self::IfThenElse(a, b, c) => Self::IfThenElse(map(a), map(b), map(c)),
            Self::Complement(a) => Self::Complement(map(a)),
            Self::Binary(operator, a, b) => Self::Binary(operator, map(a), map(b)),
            Self::Concat(a, b) => Self::Concat(map(a), map(b)),
            Self::Extract { term, high, low } => Self::Extract { term: map(term), high, low },
            Self::ZeroExtend { term, width } => Self::ZeroExtend { term: map(term), width },
            Self::SignExtend { term, width } => Self::SignExtend { term: map(term), width },
            Self::Select(a, b) => Self::Select(map(a), map(b)),
            Self::Store(a, b, c) => Self::Store(map(a), map(b), map(c)),
            Self::ConstantArray { element, index } => {
                Self::ConstantArray { element: map(element), index }
            }
        }
    }
}
