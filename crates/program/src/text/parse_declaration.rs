//! Reading records, variables, objects and types.

use heapwright_base::DenseId;

use crate::expression::ExpressionId;
use crate::operation::{FieldPath, PathStep};
use crate::program::{
    AddressTarget, InitialAddress, Object, ObjectId, ObjectKind, Variable, VariableId, VariableKind,
};
use crate::text::cursor::Parsed;
use crate::text::parse::Parser;
use crate::text::types::{field_named, scalar_named};
use crate::types::{BitRange, Field, RecordId, RecordKind, ScalarType, Type, TypeId};

impl Parser<'_> {
    /// `struct node, size 16, align 8 { fields }`
    pub(super) fn read_record(&mut self) -> Parsed<()> {
        let id = RecordId::from_index(self.next_record);
        self.next_record += 1;
        let kind =
            if self.cursor.eat_word("struct") { RecordKind::Struct } else { RecordKind::Union };
        if kind == RecordKind::Union {
            self.cursor.expect_word("union")?;
        }
        self.cursor.tag("the name of a record")?;
        let is_complete = !self.cursor.eat_word("incomplete");
        self.cursor.expect(",")?;
        self.cursor.expect_word("size")?;
        let size = self.cursor.number("a size")?;
        self.cursor.expect(",")?;
        self.cursor.expect_word("align")?;
        let alignment = self.cursor.number("an alignment")?;
        let mut fields = Vec::new();
        if self.cursor.eat("{") {
            self.cursor.expect_line_end()?;
            while !self.cursor.eat("}") {
                fields.push(self.read_field()?);
                self.cursor.expect_line_end()?;
            }
        }
        let record = self.program.types.record_mut(id);
        record.is_complete = is_complete;
        (record.size, record.alignment, record.fields) = (size, alignment, fields);
        self.cursor.expect_line_end()
    }

    /// `8: next: struct node*`
    fn read_field(&mut self) -> Parsed<Field> {
        let offset = self.cursor.number("the offset of a field")?;
        self.cursor.expect(":")?;
        let name = self.cursor.tag("the name of a field")?;
        self.cursor.expect(":")?;
        let ty = self.read_type()?;
        let bits = self.read_bits()?;
        Ok(Field { name, ty, offset, bits })
    }

    /// `bits 3..8`, or nothing.
    pub(super) fn read_bits(&mut self) -> Parsed<Option<BitRange>> {
        if !self.cursor.eat_word("bits") {
            return Ok(None);
        }
        let offset: u8 = self.cursor.number("the first bit")?;
        self.cursor.expect("..")?;
        let start = self.cursor;
        let end: u16 = self.cursor.number("the bit after the last")?;
        let width = end.checked_sub(offset.into()).and_then(|width| u8::try_from(width).ok());
        let width = width.ok_or_else(|| start.error("a bit above the first one"))?;
        Ok(Some(BitRange { offset, width }))
    }

    /// A variable or an object; `false` if the line is something else.
    pub(super) fn read_declaration(&mut self) -> Parsed<bool> {
        let word = self.cursor.peek_word();
        match word {
            "global" | "parameter" | "local" | "temporary" => {
                self.cursor.eat_word(word);
                self.read_variable_declaration(word)?;
            }
            "static" | "string" | "external" | "object" => {
                self.cursor.eat_word(word);
                self.read_object_declaration(word)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_variable_declaration(&mut self, word: &str) -> Parsed<()> {
        let name_start = self.cursor;
        let name = self.cursor.name("the name of a variable")?;
        let last = self.variables.last().map(|(id, ..)| id.index());
        let id: VariableId = self.read_declared_id(last)?;
        self.cursor.expect(":")?;
        let start = self.cursor;
        let ty = self.read_type()?;
        let scalar = if self.cursor.eat_word("as") {
            self.read_scalar()?
        } else {
            let scalar = self.program.types.scalar(ty);
            scalar.ok_or_else(|| start.error("a scalar type, or `as` and the type of the value"))?
        };
        let kind = match word {
            // The value follows when all names are known.
            "global" => VariableKind::Global { initial: ExpressionId::from_index(0) },
            "parameter" => VariableKind::Parameter,
            "local" => VariableKind::Local,
            _ => VariableKind::Temporary,
        };
        if word == "global" {
            self.cursor.expect("=")?;
            self.initial_values.push((id, self.cursor));
        }
        let function = self.scope;
        let place = if word == "global" { self.nowhere() } else { self.read_place()? };
        self.variables.push((id, Variable { name, ty, scalar, kind, function, place }, name_start));
        if word == "global" {
            self.cursor.skip_line();
            self.cursor.skip_lines();
            return Ok(());
        }
        self.cursor.expect_line_end()
    }

    fn nowhere(&self) -> crate::program::Place {
        crate::program::Place { file: self.file, line: 0, column: 0 }
    }

    /// `#12`, or the id after the last one declared.
    fn read_declared_id<I: DenseId>(&mut self, last: Option<usize>) -> Parsed<I> {
        if self.cursor.eat("#") {
            let index: u32 = self.cursor.number("an id")?;
            return Ok(I::from_index(index as usize));
        }
        Ok(I::from_index(last.map_or(0, |last| last + 1)))
    }

    fn read_object_declaration(&mut self, word: &str) -> Parsed<()> {
        let name_start = self.cursor;
        let name = self.cursor.name("the name of an object")?;
        let last = self.objects.last().map(|(id, ..)| id.index());
        let id: ObjectId = self.read_declared_id(last)?;
        self.cursor.expect(":")?;
        let ty = self.read_type()?;
        self.cursor.expect(",")?;
        let mut size = self.program.types.size(ty, self.program.model);
        if self.cursor.eat_word("size") {
            let is_dynamic = self.cursor.eat_word("dynamic");
            size = if is_dynamic { None } else { Some(self.cursor.number("a size")?) };
            self.cursor.expect(",")?;
        }
        self.cursor.expect_word("align")?;
        let alignment = self.cursor.number("an alignment")?;
        let is_constant = self.cursor.eat(",");
        if is_constant {
            self.cursor.expect_word("const")?;
        }
        let place = self.read_place()?;
        self.cursor.expect_line_end()?;
        let (bytes, addresses) = (self.read_initial_bytes(word)?, Vec::new());
        let kind = match word {
            "static" => ObjectKind::Static { bytes, addresses },
            "string" => ObjectKind::String { bytes },
            "external" => ObjectKind::External,
            _ => ObjectKind::Local,
        };
        while word == "static" && self.cursor.eat_word("at") {
            self.initial_addresses.push((id, self.cursor));
            self.cursor.skip_line();
            self.cursor.skip_lines();
        }
        let function = self.scope;
        let object = Object { name, ty, size, alignment, kind, is_constant, function, place };
        self.objects.push((id, object, name_start));
        Ok(())
    }

    /// Lines of `= "text"` or `= 01020304 05`, joined.
    fn read_initial_bytes(&mut self, word: &str) -> Parsed<Vec<u8>> {
        let mut bytes = Vec::new();
        while matches!(word, "static" | "string") && self.cursor.eat("=") {
            self.cursor.skip_blanks();
            if self.cursor.peek() == Some('"') {
                let start = self.cursor;
                for letter in self.cursor.string()?.chars() {
                    let byte = u8::try_from(u32::from(letter));
                    bytes.push(byte.map_err(|_| start.error("a string of bytes"))?);
                }
            }
            while !self.cursor.is_at_line_end() {
                bytes.push(self.read_byte()?);
            }
            self.cursor.expect_line_end()?;
        }
        Ok(bytes)
    }

    fn read_byte(&mut self) -> Parsed<u8> {
        let digits = self.cursor.rest().get(..2).unwrap_or("");
        let is_byte = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let byte = u8::from_str_radix(digits, 16).ok().filter(|_| is_byte);
        let byte = byte.ok_or_else(|| self.cursor.error("two hexadecimal digits"))?;
        self.cursor.bump();
        self.cursor.bump();
        Ok(byte)
    }

    /// What was put off until all names are known.
    pub(super) fn read_initial_values(&mut self) -> Parsed<()> {
        for (id, cursor) in std::mem::take(&mut self.initial_values) {
            self.cursor = cursor;
            self.scope = self.program.variables[id].function;
            self.file = self.program.variables[id].place.file;
            let expected = self.program.variables[id].scalar;
            let initial = self.read_expression(Some(expected))?;
            let place = self.read_place()?;
            self.cursor.expect_line_end()?;
            let variable = &mut self.program.variables[id];
            (variable.kind, variable.place) = (VariableKind::Global { initial }, place);
        }
        for (id, cursor) in std::mem::take(&mut self.initial_addresses) {
            self.cursor = cursor;
            self.scope = self.program.objects[id].function;
            let address = self.read_initial_address()?;
            self.cursor.expect_line_end()?;
            if let ObjectKind::Static { addresses, .. } = &mut self.program.objects[id].kind {
                addresses.push(address);
            }
        }
        self.scope = None;
        Ok(())
    }

    /// `8: &name + 4`
    fn read_initial_address(&mut self) -> Parsed<InitialAddress> {
        let offset = self.cursor.number("an offset")?;
        self.cursor.expect(":")?;
        self.cursor.expect("&")?;
        let target: AddressTarget = self.read_address_target()?;
        let mut addend = 0;
        if self.cursor.eat("+") {
            let start = self.cursor;
            let sign = if self.cursor.eat("-") { "-" } else { "" };
            let digits = self.cursor.take_while(|letter| letter.is_ascii_digit() || letter == ' ');
            addend = format!("{sign}{}", digits.trim())
                .parse()
                .map_err(|_| start.error("a number of bytes"))?;
        }
        Ok(InitialAddress { offset, target, addend })
    }

    pub(super) fn read_scalar(&mut self) -> Parsed<ScalarType> {
        let word = self.cursor.peek_word();
        let scalar = scalar_named(word).ok_or_else(|| self.cursor.error("a scalar type"))?;
        self.cursor.eat_word(word);
        Ok(scalar)
    }

    /// A base type and what is made of it: `struct node*[4]`.
    pub(super) fn read_type(&mut self) -> Parsed<TypeId> {
        let mut ty = self.read_base_type()?;
        loop {
            let made = if self.cursor.eat("*") {
                Type::Pointer(ty)
            } else if self.cursor.eat("[") {
                let is_open = self.cursor.eat("]");
                let length = if is_open { None } else { Some(self.cursor.number("a length")?) };
                if !is_open {
                    self.cursor.expect("]")?;
                }
                Type::Array { element: ty, length }
            } else if self.cursor.eat("(") {
                self.read_function_type(ty)?
            } else {
                return Ok(ty);
            };
            ty = self.program.types.intern(made);
        }
    }

    fn read_base_type(&mut self) -> Parsed<TypeId> {
        let word = self.cursor.peek_word();
        let ty = if let Some(scalar) = scalar_named(word) {
            self.cursor.eat_word(word);
            Type::Scalar(scalar)
        } else if self.cursor.eat_word("void") {
            Type::Void
        } else if self.cursor.eat_word("opaque") {
            Type::Opaque(self.cursor.string()?)
        } else if self.cursor.eat_word("struct") || self.cursor.eat_word("union") {
            Type::Record(self.read_record_name()?)
        } else {
            return Err(self.cursor.error("a type"));
        };
        Ok(self.program.types.intern(ty))
    }

    fn read_function_type(&mut self, result: TypeId) -> Parsed<Type> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.cursor.eat(")") {
            if !parameters.is_empty() || variadic {
                self.cursor.expect(",")?;
            }
            if self.cursor.eat("...") {
                variadic = true;
            } else {
                self.nest()?;
                parameters.push(self.read_type()?);
                self.depth -= 1;
            }
        }
        Ok(Type::Function { result, parameters, variadic })
    }

    fn read_record_name(&mut self) -> Parsed<RecordId> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        if self.cursor.eat("#record") {
            let index: u32 = self.cursor.number("the number of a record")?;
            let is_known = (index as usize) < self.program.types.records().count();
            return Some(RecordId::from_index(index as usize))
                .filter(|_| is_known)
                .ok_or_else(|| start.error("a record that is declared"));
        }
        let name = self.cursor.tag("the name of a record")?;
        self.names.record(&name).ok_or_else(|| start.error("a record that is declared"))
    }

    /// `node.next`, `i32[3]`, `<struct node*>[].key`; the offset follows from the types.
    pub(super) fn read_path(&mut self) -> Parsed<FieldPath> {
        let word = self.cursor.peek_word();
        // A scalar name ends at the first dot, but nothing has fields there.
        let root = if self.cursor.eat("<") {
            let root = self.read_type()?;
            self.cursor.expect(">")?;
            root
        } else if scalar_named(word).is_some() {
            self.read_base_type()?
        } else {
            let record = self.read_record_name()?;
            self.program.types.intern(Type::Record(record))
        };
        let mut steps = Vec::new();
        let mut current = Some(root);
        while let Some(step) = self.read_step(current)? {
            current = current.and_then(|current| self.program.types.after_step(current, step));
            steps.push(step);
        }
        let offset = self.program.types.path_offset(root, &steps, self.program.model);
        Ok(FieldPath { root, steps, offset })
    }

    fn read_step(&mut self, current: Option<TypeId>) -> Parsed<Option<PathStep>> {
        if self.cursor.eat("[") {
            if self.cursor.eat("]") {
                return Ok(Some(PathStep::Element(None)));
            }
            let index = self.cursor.number("an index")?;
            self.cursor.expect("]")?;
            return Ok(Some(PathStep::Element(Some(index))));
        }
        if !self.cursor.eat(".") {
            return Ok(None);
        }
        let start = self.cursor;
        let mut record = current.and_then(|current| match self.program.types.get(current) {
            Type::Record(record) => Some(*record),
            _ => None,
        });
        if self.cursor.rest().starts_with("#record") {
            record = Some(self.read_record_name()?);
        }
        let record =
            record.ok_or_else(|| start.error("no field, for what stands before has none"))?;
        if self.cursor.eat("#") {
            let index = self.cursor.number("the number of a field")?;
            return Ok(Some(PathStep::Field { record, index }));
        }
        let name = self.cursor.tag("the name of a field")?;
        let index = field_named(&self.program.types, record, &name);
        let index = index.ok_or_else(|| start.error("a field of the record"))?;
        Ok(Some(PathStep::Field { record, index }))
    }
}
