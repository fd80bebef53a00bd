//! Random statements around expressions: declarations, branches, bounded loops, switches, pointers
//! that walk over arrays.

use super::expression::{Array, Place, Writer};
use super::types::{IntegerType, Range};
use crate::random::Random;

/// Writes the bodies of functions.
#[derive(Debug)]
pub(crate) struct BodyWriter<'r> {
    pub(crate) writer: Writer<'r>,
    /// Names handed out, to keep them apart.
    pub(crate) names: usize,
    /// Loops around the current statement; they bound the running time.
    loops: usize,
}

impl<'r> BodyWriter<'r> {
    /// A body in which the scope of `writer` is visible.
    pub(crate) fn new(writer: Writer<'r>) -> BodyWriter<'r> {
        BodyWriter { writer, names: 0, loops: 0 }
    }

    fn random(&mut self) -> &mut Random {
        self.writer.random
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Declares a few variables, an array, and a structure with bit-fields.
    pub(crate) fn declarations(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.random().between(2, 5) {
            text += &self.declare_variable();
        }
        if self.random().percent(60) {
            text += &self.declare_array();
        }
        if self.random().percent(60) {
            text += &self.declare_record();
        }
        text
    }

    fn declare_variable(&mut self) -> String {
        let name = self.fresh("v");
        let ty = self.random().pick(&IntegerType::ALL);
        let initial = self.writer.pure(1).text;
        let place = Place::variable(name.clone(), ty, self.writer.model);
        self.writer.scope.places.push(place);
        format!("{} {name} = {initial};\n", ty.name())
    }

    fn declare_array(&mut self) -> String {
        let name = self.fresh("a");
        let ty = self.random().pick(&IntegerType::ALL);
        let length = self.random().pick(&[2, 4, 8]);
        let (first, last) = (self.writer.pure(1).text, self.writer.pure(1).text);
        let array = Array { name: name.clone(), ty, length, is_fixed: false };
        self.writer.scope.arrays.push(array);
        format!("{} {name}[{length}] = {{ {first}, [{}] = {last} }};\n", ty.name(), length - 1)
    }

    /// A structure of plain fields and bit-fields. Bit-fields have type `int` or `unsigned int`
    /// only: compilers disagree about the type of wider ones in expressions.
    fn declare_record(&mut self) -> String {
        let name = self.fresh("s");
        let mut fields = String::new();
        for number in 0..self.random().between(2, 5) {
            let text = format!("{name}.f{number}");
            if self.random().percent(40) {
                let ty = self.random().pick(&IntegerType::ALL);
                fields += &format!("{} f{number}; ", ty.name());
                let place = Place::variable(text, ty, self.writer.model);
                self.writer.scope.places.push(place);
            } else {
                let width = self.random().between(2, 31);
                let is_signed = self.random().percent(50);
                let kind = if is_signed { "signed int" } else { "unsigned int" };
                fields += &format!("{kind} f{number} : {width}; ");
                let range = if is_signed {
                    Range { low: -(1 << (width - 1)), high: (1 << (width - 1)) - 1 }
                } else {
                    Range { low: 0, high: (1 << width) - 1 }
                };
                let place = Place { text, ty: IntegerType::Int, range, is_fixed: false };
                self.writer.scope.places.push(place);
            }
        }
        format!("struct {{ {fields}}} {name} = {{ 1, .f1 = {} }};\n", self.random().below(100))
    }

    /// Several statements; what they declare ends with them.
    pub(crate) fn statements(&mut self, count: usize, depth: usize) -> String {
        let outer = self.writer.scope.clone();
        let text = (0..count).map(|_| self.statement(depth)).collect();
        self.writer.scope = outer;
        text
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple();
        }
        match self.random().below(12) {
            0..5 => self.simple(),
            5 => self.branch(depth),
            6 => self.counted_loop(depth),
            7 => self.guarded_loop(depth),
            8 => self.switch(depth),
            9 => self.walk(),
            10 => self.block(depth),
            _ => self.output(),
        }
    }

    fn simple(&mut self) -> String {
        let effect = self.writer.effect(2);
        match self.random().below(5) {
            0 => format!("mix((unsigned int){});\n", effect.text),
            1 => {
                let effect = self.writer.effect(3);
                format!("{};\n", effect.text)
            }
            _ => match self.writer.target() {
                Some(place) => format!("{} = {};\n", place.text, self.writer.pure(3).text),
                None => format!("mix((unsigned int){});\n", self.writer.pure(3).text),
            },
        }
    }

    fn output(&mut self) -> String {
        let values = [self.writer.pure(2), self.writer.pure(1)];
        let formats = values.each_ref().map(|value| value.ty.format());
        let [first, second] = values.map(|value| value.text);
        format!("printf(\"{} {}\\n\", {first}, {second});\n", formats[0], formats[1])
    }

    fn branch(&mut self, depth: usize) -> String {
        let condition = if self.random().percent(40) {
            self.writer.effect(2).text
        } else {
            self.writer.pure(2).text
        };
        let yes = self.statements(2, depth - 1);
        if self.random().percent(50) {
            return format!("if ({condition}) {{\n{yes}}}\n");
        }
        let no = self.statements(1, depth - 1);
        format!("if ({condition}) {{\n{yes}}} else {{\n{no}}}\n")
    }

    fn counted_loop(&mut self, depth: usize) -> String {
        if self.loops >= 2 {
            return self.simple();
        }
        let name = self.fresh("i");
        let ty = self.random().pick(&[
            IntegerType::UnsignedChar,
            IntegerType::Short,
            IntegerType::Int,
            IntegerType::UnsignedLong,
        ]);
        let limit = self.random().between(1, 5);
        let range = Range { low: 0, high: limit as i128 - 1 };
        let counter = Place { text: name.clone(), ty, range, is_fixed: true };
        let outer = self.writer.scope.clone();
        self.writer.scope.places.push(counter);
        self.loops += 1;
        let body = self.statements(2, depth - 1);
        self.loops -= 1;
        self.writer.scope = outer;
        let jump = self.random().pick(&[
            "",
            "if (checksum % 7u == 3u) continue;\n",
            "if (checksum % 9u == 4u) break;\n",
        ]);
        format!("for ({} {name} = 0; {name} < {limit}; {name}++) {{\n{jump}{body}}}\n", ty.name())
    }

    /// A loop whose condition has side effects; a hidden counter ends it.
    fn guarded_loop(&mut self, depth: usize) -> String {
        if self.loops >= 2 {
            return self.simple();
        }
        let name = self.fresh("n");
        let limit = self.random().between(1, 4);
        let condition = self.writer.effect(1).text;
        self.loops += 1;
        let body = self.statements(2, depth - 1);
        self.loops -= 1;
        if self.random().percent(50) {
            format!(
                "{{\nint {name} = {limit};\nwhile ({name}-- > 0 && {condition}) {{\n{body}}}\n}}\n"
            )
        } else {
            format!(
                "{{\nint {name} = 0;\ndo {{\n{body}}} while (++{name} < {limit} && {condition});\n}}\n"
            )
        }
    }

    fn switch(&mut self, depth: usize) -> String {
        let selector = self.writer.pure(2).text;
        let mut text = format!("switch ({selector} & 7) {{\n");
        for case in 0..self.random().between(1, 3) {
            let body = self.statements(1, depth - 1);
            let end = self.random().pick(&["break;\n", "break;\n", ""]);
            text += &format!("case {}:\n{body}{end}", case * 2);
        }
        let body = self.statements(1, depth - 1);
        text + &format!("default:\n{body}}}\n")
    }

    fn block(&mut self, depth: usize) -> String {
        let outer = self.writer.scope.clone();
        let declarations = self.declare_variable();
        let body = self.statements(2, depth - 1);
        self.writer.scope = outer;
        format!("{{\n{declarations}{body}}}\n")
    }

    /// A pointer walks over an array, forwards or backwards.
    fn walk(&mut self) -> String {
        let arrays: Vec<Array> =
            self.writer.scope.arrays.iter().filter(|array| !array.is_fixed).cloned().collect();
        if arrays.is_empty() {
            return self.output();
        }
        let array = self.random().pick(&arrays);
        let (name, length, pointer) = (&array.name, array.length, self.fresh("p"));
        let start = self.writer.index(&array, 1);
        let value = self.writer.pure(1).text;
        let ty = array.ty.name();
        match self.random().below(3) {
            0 => format!(
                "for ({ty} *{pointer} = {name} + {start}; {pointer} < {name} + {length}; {pointer}++) {{\n\
                 *{pointer} = {value};\nmix((unsigned int)({pointer} - {name}));\n}}\n"
            ),
            1 => format!(
                "{{\n{ty} *{pointer} = &{name}[{length}];\n\
                 while ({pointer} != {name}) mix((unsigned int)*--{pointer});\n}}\n"
            ),
            _ => format!(
                "{{\n{ty} *{pointer} = &{start}[{name}], *end = {name} + {length};\n\
                 mix((unsigned int)(end - {pointer}) * 3u + ({pointer} >= {name} + 1));\n\
                 *{pointer} = {value};\n\
                 if (end - {pointer} > 1) ++{pointer};\n\
                 mix((unsigned int)*{pointer} + ({pointer} > {name} ? (unsigned int){pointer}[-1] : 0u));\n}}\n"
            ),
        }
    }
}
