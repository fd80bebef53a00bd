//! The text of a term as a tree: what is written, before widths are known.

use crate::term::{Operator, TermId};

/// A part of the text. Numbers get their widths from what stands around them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Syntax {
    Truth(bool),
    /// Two's complement; the width if it is written.
    Number {
        bits: u128,
        width: Option<u32>,
    },
    /// A variable.
    Name(TermId),
    Not(Box<Syntax>),
    Negate(Box<Syntax>),
    Complement(Box<Syntax>),
    Infix(Infix, Box<Syntax>, Box<Syntax>),
    Choice(Box<Syntax>, Box<Syntax>, Box<Syntax>),
    Extract {
        of: Box<Syntax>,
        high: u32,
        low: u32,
    },
    Extend {
        of: Box<Syntax>,
        is_signed: bool,
        width: u32,
    },
    Select(Box<Syntax>, Box<Syntax>),
    Store(Box<Syntax>, Box<Syntax>, Box<Syntax>),
    Everywhere {
        element: Box<Syntax>,
        index: u32,
    },
    ProductOverflows {
        is_signed: bool,
        left: Box<Syntax>,
        right: Box<Syntax>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Infix {
    And,
    Or,
    Equal,
    NotEqual,
    Less { is_signed: bool },
    LessEqual { is_signed: bool },
    Concat,
    Binary(Operator),
}

/// Every infix operator by its sign; a sign comes before those that it begins with.
pub(crate) const SIGNS: [(&str, Infix); 22] = [
    ("&&", Infix::And),
    ("||", Infix::Or),
    ("==", Infix::Equal),
    ("!=", Infix::NotEqual),
    ("<=u", Infix::LessEqual { is_signed: false }),
    ("<=s", Infix::LessEqual { is_signed: true }),
    ("<<", Infix::Binary(Operator::ShiftLeft)),
    ("<u", Infix::Less { is_signed: false }),
    ("<s", Infix::Less { is_signed: true }),
    ("::", Infix::Concat),
    (">>u", Infix::Binary(Operator::LogicalShiftRight)),
    (">>s", Infix::Binary(Operator::ArithmeticShiftRight)),
    ("+", Infix::Binary(Operator::Add)),
    ("-", Infix::Binary(Operator::Subtract)),
    ("*", Infix::Binary(Operator::Multiply)),
    ("/u", Infix::Binary(Operator::UnsignedDivide)),
    ("%u", Infix::Binary(Operator::UnsignedRemainder)),
    ("/s", Infix::Binary(Operator::SignedDivide)),
    ("%s", Infix::Binary(Operator::SignedRemainder)),
    ("&", Infix::Binary(Operator::And)),
    ("|", Infix::Binary(Operator::Or)),
    ("^", Infix::Binary(Operator::Xor)),
];
