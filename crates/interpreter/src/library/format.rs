//! The formats of the `printf` family.

use heapwright_memory::Value;

use crate::kind::Kind;
use crate::library::arguments::Source;
use crate::library::{Call, number};
use crate::machine::Ended;

/// One conversion of a format: `%-08.3ld`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) precision: Option<usize>,
    pub(crate) length: Length,
    pub(crate) letter: u8,
}

/// The length modifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Length {
    #[default]
    Int,
    Char,
    Short,
    Long,
    LongLong,
    /// `z`, `t`: as wide as a pointer.
    Size,
    LongDouble,
}

/// Formats longer than this are cut: no program means them.
const WIDEST: usize = 1 << 20;

/// The text that a format and its arguments give.
pub(crate) fn format(
    call: &mut Call<'_, '_>,
    format: Value,
    mut source: Source,
) -> Result<Vec<u8>, Ended> {
    let format = call.string(format)?;
    let mut text = Vec::new();
    let mut rest = format.as_slice();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let mut conversion = Conversion::default();
        rest = conversion.parse(call, &mut source, rest)?;
        conversion.print(call, &mut source, &mut text)?;
    }
    Ok(text)
}

impl Conversion {
    /// Reads what follows the percent sign and gives back what is behind it.
    fn parse<'f>(
        &mut self,
        call: &mut Call<'_, '_>,
        source: &mut Source,
        mut rest: &'f [u8],
    ) -> Result<&'f [u8], Ended> {
        while let Some((flag, behind)) = rest.split_first() {
            match flag {
                b'-' => self.left = true,
                b'+' => self.plus = true,
                b' ' => self.space = true,
                b'#' => self.alternate = true,
                b'0' => self.zero = true,
                _ => break,
            }
            rest = behind;
        }
        let (width, behind) = self.amount(call, source, rest)?;
        self.left |= width < 0;
        self.width = (width.unsigned_abs() as usize).min(WIDEST);
        rest = behind;
        if let Some(behind) = rest.strip_prefix(b".") {
            let (precision, behind) = self.amount(call, source, behind)?;
            self.precision = usize::try_from(precision).ok().map(|precision| precision.min(WIDEST));
            rest = behind;
        }
        rest = self.parse_length(rest);
        let (&letter, behind) = rest.split_first().unwrap_or((&b'%', &[]));
        self.letter = letter;
        Ok(behind)
    }

    /// A number or `*`.
    fn amount<'f>(
        &self,
        call: &mut Call<'_, '_>,
        source: &mut Source,
        rest: &'f [u8],
    ) -> Result<(i64, &'f [u8]), Ended> {
        if let Some(behind) = rest.strip_prefix(b"*") {
            return Ok((source.next(call, Kind::I32)?.number() as i32 as i64, behind));
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let amount = rest[..digits]
            .iter()
            .fold(0i64, |sum, digit| (10 * sum + i64::from(digit - b'0')).min(WIDEST as i64));
        Ok((amount, &rest[digits..]))
    }

    fn parse_length<'f>(&mut self, rest: &'f [u8]) -> &'f [u8] {
        let modifiers: [(&[u8], Length); 9] = [
            (b"hh", Length::Char),
            (b"h", Length::Short),
            (b"ll", Length::LongLong),
            (b"l", Length::Long),
            (b"j", Length::LongLong),
            (b"q", Length::LongLong),
            (b"z", Length::Size),
            (b"t", Length::Size),
            (b"L", Length::LongDouble),
        ];
        for (modifier, length) in modifiers {
            if let Some(behind) = rest.strip_prefix(modifier) {
                self.length = length;
                return behind;
            }
        }
        rest
    }

    fn print(
        self,
        call: &mut Call<'_, '_>,
        source: &mut Source,
        text: &mut Vec<u8>,
    ) -> Result<(), Ended> {
        match self.letter {
            b'%' => text.push(b'%'),
            b'd' | b'i' => {
                let kind = self.integer(call, true);
                let value = extend(source.next(call, kind)?.number(), kind);
                number::signed(&self, value, text);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let kind = self.integer(call, false);
                let value = extend(source.next(call, kind)?.number(), kind);
                number::unsigned(&self, value as u128, text);
            }
            b'c' => {
                let character = source.next(call, Kind::I32)?.number() as u8;
                number::pad(&self, &[character], text);
            }
            b's' => self.print_string(call, source, text)?,
            b'p' => {
                let pointer = source.next(call, Kind::Pointer)?.value;
                call.machine.shows_addresses |= pointer.low != 0;
                let shown = match pointer.low {
                    0 => "(nil)".to_owned(),
                    address => format!("{address:#x}"),
                };
                number::pad(&self, shown.as_bytes(), text);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let kind = if self.length == Length::LongDouble { Kind::F80 } else { Kind::F64 };
                let argument = source.next(call, kind)?;
                call.machine.inexact |= !argument.is_double();
                let value = argument.float();
                number::float(&self, value, text);
            }
            b'n' => self.store_count(call, source, text.len())?,
            letter => {
                let construct = format!("format conversion `%{}`", letter as char);
                return Err(call.machine.unsupported(construct));
            }
        }
        Ok(())
    }

    fn print_string(
        self,
        call: &mut Call<'_, '_>,
        source: &mut Source,
        text: &mut Vec<u8>,
    ) -> Result<(), Ended> {
        if self.length == Length::Long {
            return Err(call.machine.unsupported("format conversion `%ls`".to_owned()));
        }
        let pointer = source.next(call, Kind::Pointer)?;
        let model = call.machine.program().model;
        let pointer = Kind::Pointer.reinterpret(pointer.kind, pointer.value, model);
        let bytes = call.string_up_to(pointer, self.precision.unwrap_or(usize::MAX))?;
        number::pad(&self, &bytes, text);
        Ok(())
    }

    fn store_count(
        self,
        call: &mut Call<'_, '_>,
        source: &mut Source,
        count: usize,
    ) -> Result<(), Ended> {
        let target = source.next(call, Kind::Pointer)?.value;
        let size = u64::from(self.integer(call, true).width()) / 8;
        let stored = call.machine.memory.store_bytes(target, size, count as u128);
        call.machine.accessed(stored)
    }

    /// The kind that the length modifier names.
    fn integer(self, call: &Call<'_, '_>, signed: bool) -> Kind {
        let is_long = call.machine.program().model.pointer_size() == 8;
        let pick = |yes, no| if signed { yes } else { no };
        match self.length {
            Length::Char => pick(Kind::I8, Kind::U8),
            Length::Short => pick(Kind::I16, Kind::U16),
            Length::Int | Length::LongDouble => pick(Kind::I32, Kind::U32),
            Length::Long | Length::Size if !is_long => pick(Kind::I32, Kind::U32),
            Length::Long | Length::Size | Length::LongLong => pick(Kind::I64, Kind::U64),
        }
    }
}

/// The number that the lowest bits are in a kind.
fn extend(number: i128, kind: Kind) -> i128 {
    crate::arithmetic::as_integer(kind, kind.value(number as u128))
}
