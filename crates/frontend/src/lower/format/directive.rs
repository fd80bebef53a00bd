//! Formats of `printf` and `scanf`, taken apart.

/// A piece of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// Bytes of the format as they are.
    Text {
        start: usize,
        length: usize,
    },
    Conversion(Conversion),
    /// Something that no version of the library knows, or that we do not.
    Strange,
}

/// One conversion: `%-08.3ld`, `%*5s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Conversion {
    pub(super) flags: u32,
    /// `scanf`: read and not stored.
    pub(super) is_suppressed: bool,
    /// `scanf`: stored in memory from `malloc`.
    pub(super) is_allocated: bool,
    pub(super) width: Option<Amount>,
    pub(super) precision: Option<Amount>,
    pub(super) length: Length,
    pub(super) letter: u8,
    /// The set of `%[…]`, with its `^`, as bytes of the format.
    pub(super) set: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Number(u32),
    /// `*`
    Argument,
}

/// The length modifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Length {
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

/// As the models of `sprintf` take them.
const FLAGS: [(u8, u32); 5] = [(b'-', 1), (b'+', 2), (b' ', 4), (b'#', 8), (b'0', 16)];

const LENGTHS: [(&[u8], Length); 9] = [
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

/// Which family a format belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Print,
    Scan,
}

/// The pieces of a format, up to its first zero.
pub(super) fn directives(format: &[u8], family: Family) -> Vec<Directive> {
    let end = format.iter().position(|&byte| byte == 0).unwrap_or(format.len());
    let mut reader = Reader { format: &format[..end], at: 0 };
    let mut found = Vec::new();
    while reader.at < end {
        found.push(reader.directive(family));
    }
    found
}

struct Reader<'f> {
    format: &'f [u8],
    at: usize,
}

impl Reader<'_> {
    fn directive(&mut self, family: Family) -> Directive {
        let start = self.at;
        if !self.eat(b"%") {
            let rest = &self.format[start..];
            let length = rest.iter().position(|&byte| byte == b'%').unwrap_or(rest.len());
            self.at += length;
            return Directive::Text { start, length };
        }
        if self.eat(b"%") {
            return Directive::Text { start: start + 1, length: 1 };
        }
        let mut conversion = Conversion::default();
        match family {
            Family::Print => self.print_prefix(&mut conversion),
            Family::Scan => self.scan_prefix(&mut conversion),
        }
        for (text, length) in LENGTHS {
            if self.eat(text) {
                conversion.length = length;
                break;
            }
        }
        let Some(&letter) = self.format.get(self.at) else { return self.strange() };
        self.at += 1;
        conversion.letter = letter;
        if letter == b'[' && family == Family::Scan {
            match self.set() {
                Some(set) => conversion.set = Some(set),
                None => return self.strange(),
            }
        }
        Directive::Conversion(conversion)
    }

    /// What follows is not looked at.
    fn strange(&mut self) -> Directive {
        self.at = self.format.len();
        Directive::Strange
    }

    fn print_prefix(&mut self, conversion: &mut Conversion) {
        while let Some(&(byte, flag)) =
            FLAGS.iter().find(|(byte, _)| self.format.get(self.at) == Some(byte))
        {
            self.eat(&[byte]);
            conversion.flags |= flag;
        }
        conversion.width = self.amount();
        if self.eat(b".") {
            conversion.precision = Some(self.amount().unwrap_or(Amount::Number(0)));
        }
    }

    fn scan_prefix(&mut self, conversion: &mut Conversion) {
        conversion.is_suppressed = self.eat(b"*");
        conversion.width = self.amount();
        conversion.is_allocated = self.eat(b"m");
    }

    fn amount(&mut self) -> Option<Amount> {
        if self.eat(b"*") {
            return Some(Amount::Argument);
        }
        let rest = &self.format[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest[..digits].iter().fold(0u32, |number, digit| {
            number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
        });
        self.at += digits;
        (digits > 0).then_some(Amount::Number(number))
    }

    /// What stands between the brackets.
    fn set(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        self.eat(b"^");
        // A bracket that comes first belongs to the set.
        self.eat(b"]");
        let length = self.format[self.at..].iter().position(|&byte| byte == b']')?;
        let end = self.at + length;
        self.at = end + 1;
        Some((start, end - start))
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let is_there = self.format[self.at..].starts_with(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversions(format: &[u8], family: Family) -> Vec<Conversion> {
        let only = |directive| match directive {
            Directive::Conversion(conversion) => Some(conversion),
            Directive::Text { .. } | Directive::Strange => None,
        };
        directives(format, family).into_iter().filter_map(only).collect()
    }

    #[test]
    fn a_print_format_is_text_and_conversions() {
        let found = directives(b"a%%b%-5.*lds\0%d", Family::Print);
        let conversion = Conversion {
            flags: 1,
            width: Some(Amount::Number(5)),
            precision: Some(Amount::Argument),
            length: Length::Long,
            letter: b'd',
            ..Conversion::default()
        };
        let text = |start, length| Directive::Text { start, length };
        let expected =
            [text(0, 1), text(2, 1), text(3, 1), Directive::Conversion(conversion), text(11, 1)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_format_that_breaks_off_is_strange() {
        assert_eq!(directives(b"%-5", Family::Print), [Directive::Strange]);
        assert_eq!(directives(b"%[^a", Family::Scan), [Directive::Strange]);
    }

    #[test]
    fn scan_formats_know_sets_and_suppression() {
        let found = conversions(b"%*d %9[^]a-z]%ms", Family::Scan);
        assert!(found[0].is_suppressed && found[0].letter == b'd');
        assert_eq!((found[1].width, found[1].set), (Some(Amount::Number(9)), Some((7, 5))));
        assert!(found[2].is_allocated && found[2].letter == b's');
    }
}
