//! `scanf` and `fscanf`: how many conversions succeed is an input, and so is what each of them
//! stores. Without a width, `%s` and `%[…]` store as many bytes as the input likes.

use heapwright_program::{
    BinaryOperator, ExpressionId, FloatFormat, InputSource, Operation, ScalarType,
};
use rucc_sema::ExprId;

use super::directive::{Amount, Conversion, Directive, Family, Length, directives};
use super::{FunctionLowering, Origin};
use crate::lower::value::Value;

/// The name of the inputs.
const SCANNED: &str = "scanf";

impl FunctionLowering<'_, '_> {
    pub(super) fn scan(
        &mut self,
        origin: Origin,
        format: usize,
        text: &[u8],
        arguments: &[ExprId],
        is_needed: bool,
    ) -> Value {
        let values = self.arguments(arguments);
        let values: Vec<ExpressionId> = values.into_iter().map(|it| self.stable(it)).collect();
        if origin == Origin::Stream {
            let stream = self.convert(values[0], ScalarType::Pointer);
            self.call_model("__heapwright_use_stream", &[stream], None);
        }
        let mut conversions = Vec::new();
        for directive in directives(text, Family::Scan) {
            match directive {
                Directive::Conversion(conversion) if conversion.is_suppressed => {}
                Directive::Conversion(conversion) => conversions.push(conversion),
                Directive::Text { .. } => {}
                Directive::Strange => self.unsupported("a format that breaks off"),
            }
        }
        let most = self.constant(ScalarType::INT, conversions.len() as u128);
        let count = self.model("__heapwright_scanned", &[most], ScalarType::INT);
        let end = self.new_target();
        for (index, &conversion) in conversions.iter().enumerate() {
            let Some(&target) = values.get(format + 1 + index) else {
                self.misuse("the format asks for more arguments than there are");
                break;
            };
            if self.type_of(target).is_float() {
                self.misuse("an argument of `scanf` is no address");
                break;
            }
            let target = self.convert(target, ScalarType::Pointer);
            let index = self.constant(ScalarType::INT, index as u128);
            let is_read = self.binary(BinaryOperator::Less, index, count);
            let (read, none) = (self.new_location(), self.new_location());
            self.emit_unwritten_branch(is_read, read, none);
            self.continue_at(none);
            self.jump_to(end);
            self.continue_at(read);
            let start = self.convert(values[format], ScalarType::Pointer);
            self.scan_one(conversion, start, target);
        }
        self.jump_to(end);
        self.continue_at(end.location);
        if is_needed { Value::Scalar(count) } else { Value::Nothing }
    }

    fn scan_one(&mut self, conversion: Conversion, format: ExpressionId, target: ExpressionId) {
        let is_wide = conversion.length == Length::Long;
        match conversion.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let width = self.integer_width(conversion.length);
                let signed = matches!(conversion.letter, b'd' | b'i');
                self.store_input(target, ScalarType::Integer { signed, width });
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let format = match conversion.length {
                    Length::Long => FloatFormat::Double,
                    Length::LongDouble => FloatFormat::Extended,
                    Length::Int
                    | Length::Char
                    | Length::Short
                    | Length::LongLong
                    | Length::Size => FloatFormat::Single,
                };
                self.store_input(target, ScalarType::Float(format));
            }
            b'c' if !is_wide && !conversion.is_allocated => {
                let width = self.scan_width(conversion, 1);
                self.call_model("__heapwright_scan_characters", &[target, width], None);
            }
            b's' if !is_wide && !conversion.is_allocated => {
                let width = self.scan_width(conversion, u128::MAX);
                self.call_model("__heapwright_scan_word", &[target, width], None);
            }
            b'[' if !is_wide && !conversion.is_allocated => {
                let (start, length) = conversion.set.expect("`%[` has a set");
                let width = self.scan_width(conversion, u128::MAX);
                let set = self.offset_pointer(format, start as i128);
                let length = self.size_constant(length as u64);
                let arguments = [target, width, set, length];
                self.call_model("__heapwright_scan_set", &arguments, None);
            }
            letter => {
                let letter = letter as char;
                self.unsupported(format!("the input conversion `%{letter}` of this kind"));
            }
        }
    }

    fn scan_width(&mut self, conversion: Conversion, without: u128) -> ExpressionId {
        let width = match conversion.width {
            Some(Amount::Number(number)) => u128::from(number),
            Some(Amount::Argument) | None => without,
        };
        let size_type = self.unit.model().size_type();
        self.constant(size_type, width)
    }

    fn store_input(&mut self, target: ExpressionId, scalar: ScalarType) {
        let value = self.temporary(scalar);
        let source = InputSource::Nondeterministic(SCANNED.to_owned());
        self.emit(Operation::Input { target: value, source });
        let value = self.variable(value);
        self.store_scalar(target, scalar, value);
    }
}
