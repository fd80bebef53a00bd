//! `printf` and its kin, conversion by conversion.
//!
//! What goes to a stream is not kept: only what is read on the way matters, and what `%n` writes.
//! What goes to memory is written exactly, by models that take the place reached so far and give the
//! next. An argument of another class than its conversion asks for, or none at all, is a
//! misuse; integers of another width or sign, and pointers printed as numbers, are let through, as
//! machines do.

use heapwright_program::{ExpressionId, FloatFormat, ScalarType};
use rucc_sema::ExprId;

use super::directive::{Amount, Conversion, Directive, Family, Length, directives};
use super::{FunctionLowering, Sink};
use crate::lower::value::Value;

const WIDE: ScalarType = ScalarType::Integer { signed: false, width: 64 };
const DOUBLE: ScalarType = ScalarType::Float(FloatFormat::Double);

/// Memory that is printed to, and how far it is filled.
#[derive(Clone, Copy)]
struct Memory {
    start: ExpressionId,
    limit: ExpressionId,
    at: ExpressionId,
}

/// What is still to be printed.
struct Job<'j> {
    format: ExpressionId,
    values: &'j [ExpressionId],
    next: usize,
}

/// Width and precision of a conversion, where they are known only when it runs.
struct Measures {
    width: ExpressionId,
    /// Negative if there is none.
    precision: ExpressionId,
}

impl FunctionLowering<'_, '_> {
    pub(super) fn print(
        &mut self,
        sink: Sink,
        format: usize,
        text: &[u8],
        arguments: &[ExprId],
        is_needed: bool,
    ) -> Value {
        let values = self.arguments(arguments);
        let values: Vec<ExpressionId> = values.into_iter().map(|it| self.stable(it)).collect();
        let pieces = directives(text, Family::Print);
        let job = || Job { format: values[format], values: &values, next: format + 1 };
        match sink {
            Sink::StandardOutput => self.print_to_stream(&pieces, job(), is_needed),
            Sink::Stream(stream) => {
                let stream = self.convert(values[stream], ScalarType::Pointer);
                self.call_model("__heapwright_use_stream", &[stream], None);
                self.print_to_stream(&pieces, job(), is_needed)
            }
            Sink::Memory { limit } => {
                let start = self.convert(values[0], ScalarType::Pointer);
                let size_type = self.unit.model().size_type();
                let limit = match limit {
                    Some(index) => self.convert(values[index], size_type),
                    None => self.constant(size_type, u128::MAX),
                };
                let printed = self.print_to_memory(&pieces, job(), start, limit);
                Value::Scalar(printed)
            }
            Sink::Allocated => {
                let size_type = self.unit.model().size_type();
                let (null, none) =
                    (self.constant(ScalarType::Pointer, 0), self.constant(size_type, 0));
                let length = self.print_to_memory(&pieces, job(), null, none);
                let place = self.convert(values[0], ScalarType::Pointer);
                let start =
                    self.model("__heapwright_format_room", &[place, length], ScalarType::Pointer);
                let all = self.constant(size_type, u128::MAX);
                Value::Scalar(self.print_to_memory(&pieces, job(), start, all))
            }
        }
    }

    fn print_to_stream(
        &mut self,
        pieces: &[Directive],
        mut job: Job<'_>,
        is_needed: bool,
    ) -> Value {
        for &piece in pieces {
            match piece {
                Directive::Text { .. } => {}
                Directive::Strange => self.unsupported("a format that breaks off"),
                Directive::Conversion(conversion) => self.show(conversion, &mut job),
            }
        }
        match is_needed {
            true => Value::Scalar(self.model("__heapwright_printed", &[], ScalarType::INT)),
            false => Value::Nothing,
        }
    }

    /// A conversion whose text nobody keeps.
    fn show(&mut self, conversion: Conversion, job: &mut Job<'_>) {
        let Some(measures) = self.measures(conversion, job) else { return };
        match conversion.letter {
            b's' | b'S' => {
                let Some(string) = self.pointer_argument(conversion, job) else { return };
                let reader = match is_wide(conversion) {
                    true => "__heapwright_read_wide_string",
                    false => "__heapwright_read_string",
                };
                self.call_model(reader, &[string, measures.precision], None);
            }
            b'n' => {
                let Some(target) = self.pointer_argument(conversion, job) else { return };
                let count = self.model("__heapwright_printed_so_far", &[], ScalarType::INT);
                self.store_count(conversion, target, count);
            }
            b'm' => {}
            _ => {
                self.plain_argument(conversion, job);
            }
        }
    }

    fn print_to_memory(
        &mut self,
        pieces: &[Directive],
        mut job: Job<'_>,
        start: ExpressionId,
        limit: ExpressionId,
    ) -> ExpressionId {
        let at = self.size_constant(0);
        let mut memory = Memory { start, limit, at };
        for &piece in pieces {
            match piece {
                Directive::Text { start, length } => {
                    let text = self.offset_pointer(job.format, start as i128);
                    let length = self.size_constant(length as u64);
                    self.write_piece("__heapwright_format_text", &mut memory, &[text, length]);
                }
                Directive::Strange => self.unsupported("a format that breaks off"),
                Directive::Conversion(conversion) => {
                    self.write_conversion(conversion, &mut job, &mut memory);
                }
            }
        }
        let Memory { start, limit, at } = memory;
        self.model("__heapwright_format_end", &[start, limit, at], ScalarType::INT)
    }

    /// Writes some text and moves on.
    fn write_piece(&mut self, model: &str, memory: &mut Memory, further: &[ExpressionId]) {
        let mut arguments = vec![memory.start, memory.limit, memory.at];
        arguments.extend_from_slice(further);
        let size_type = self.unit.model().size_type();
        memory.at = self.model(model, &arguments, size_type);
    }

    fn write_conversion(&mut self, conversion: Conversion, job: &mut Job<'_>, memory: &mut Memory) {
        let Some(Measures { width, precision }) = self.measures(conversion, job) else { return };
        let flags = self.constant(ScalarType::INT, u128::from(conversion.flags));
        let layout = [flags, width, precision];
        match conversion.letter {
            b's' if !is_wide(conversion) => {
                let Some(string) = self.pointer_argument(conversion, job) else { return };
                let arguments = [&[string][..], &layout].concat();
                self.write_piece("__heapwright_format_string", memory, &arguments);
            }
            b'n' => {
                let Some(target) = self.pointer_argument(conversion, job) else { return };
                self.store_count(conversion, target, memory.at);
            }
            b'c' if conversion.length == Length::Int => {
                let Some(value) = self.plain_argument(conversion, job) else { return };
                let value = self.convert(value, ScalarType::INT);
                let arguments = [&[value][..], &layout].concat();
                self.write_piece("__heapwright_format_character", memory, &arguments);
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let Some(value) = self.plain_argument(conversion, job) else { return };
                let value = self.widened(conversion, value);
                let letter = self.constant(ScalarType::INT, u128::from(conversion.letter));
                let arguments = [&[value, letter][..], &layout].concat();
                self.write_piece("__heapwright_format_integer", memory, &arguments);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if conversion.length != Length::LongDouble => {
                let Some(value) = self.plain_argument(conversion, job) else { return };
                let value = self.convert(value, DOUBLE);
                let letter = self.constant(ScalarType::INT, u128::from(conversion.letter));
                let arguments = [&[value, letter][..], &layout].concat();
                self.write_piece("__heapwright_format_real", memory, &arguments);
            }
            letter => {
                let letter = letter as char;
                self.unsupported(format!("the conversion `%{letter}` into memory"));
            }
        }
    }

    /// An integer in 64 bits, cut to the width that the conversion reads, its sign extended.
    fn widened(&mut self, conversion: Conversion, value: ExpressionId) -> ExpressionId {
        let signed = matches!(conversion.letter, b'd' | b'i');
        let width = self.integer_width(conversion.length);
        let read = self.convert(value, ScalarType::Integer { signed, width });
        let wide = self.convert(read, ScalarType::Integer { signed, width: 64 });
        self.convert(wide, WIDE)
    }

    pub(super) fn integer_width(&self, length: Length) -> u16 {
        let pointer = 8 * self.unit.model().pointer_size() as u16;
        match length {
            Length::Int => 32,
            Length::Char => 8,
            Length::Short => 16,
            Length::Long | Length::Size => pointer,
            Length::LongLong | Length::LongDouble => 64,
        }
    }

    /// Width and precision, taken from the arguments where the format says `*`.
    fn measures(&mut self, conversion: Conversion, job: &mut Job<'_>) -> Option<Measures> {
        let width = self.amount(conversion.width, 0, job)?;
        let precision = self.amount(conversion.precision, -1, job)?;
        Some(Measures { width, precision })
    }

    fn amount(
        &mut self,
        amount: Option<Amount>,
        without: i32,
        job: &mut Job<'_>,
    ) -> Option<ExpressionId> {
        match amount {
            None => Some(self.constant(ScalarType::INT, without as u128)),
            Some(Amount::Number(number)) => {
                Some(self.constant(ScalarType::INT, u128::from(number.min(i32::MAX as u32))))
            }
            Some(Amount::Argument) => {
                let value = self.next(job)?;
                if !self.type_of(value).is_integer() {
                    self.misuse("the argument of `*` in a format is no integer");
                    return None;
                }
                Some(self.convert(value, ScalarType::INT))
            }
        }
    }

    fn next(&mut self, job: &mut Job<'_>) -> Option<ExpressionId> {
        let value = job.values.get(job.next).copied();
        job.next += 1;
        if value.is_none() {
            self.misuse("the format asks for more arguments than there are");
        }
        value
    }

    /// The argument of a conversion that uses it as an address.
    fn pointer_argument(
        &mut self,
        conversion: Conversion,
        job: &mut Job<'_>,
    ) -> Option<ExpressionId> {
        let value = self.next(job)?;
        if self.type_of(value).is_float() {
            self.wrong_class(conversion);
            return None;
        }
        Some(self.convert(value, ScalarType::Pointer))
    }

    /// The argument of a conversion that only shows its value.
    fn plain_argument(
        &mut self,
        conversion: Conversion,
        job: &mut Job<'_>,
    ) -> Option<ExpressionId> {
        let wants_real = match conversion.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'C' | b'p' => false,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => true,
            letter => {
                self.unsupported(format!("the conversion `%{}`", letter as char));
                return None;
            }
        };
        let value = self.next(job)?;
        if self.type_of(value).is_float() != wants_real {
            self.wrong_class(conversion);
            return None;
        }
        Some(value)
    }

    fn wrong_class(&mut self, conversion: Conversion) {
        let letter = conversion.letter as char;
        self.misuse(format!("the argument of `%{letter}` has a type of another kind"));
    }

    /// What `%n` does.
    fn store_count(&mut self, conversion: Conversion, target: ExpressionId, count: ExpressionId) {
        let width = self.integer_width(conversion.length);
        let scalar = ScalarType::Integer { signed: true, width };
        let count = self.convert(count, scalar);
        self.store_scalar(target, scalar, count);
    }

    pub(super) fn store_scalar(
        &mut self,
        target: ExpressionId,
        scalar: ScalarType,
        value: ExpressionId,
    ) {
        let root = self.unit.linker.program.types.of_scalar(scalar);
        let place = self.whole_place(target, root);
        self.store(&place, scalar, value);
    }
}

fn is_wide(conversion: Conversion) -> bool {
    conversion.letter == b'S' || conversion.length == Length::Long
}
