//! The rules for types, records, expressions, variables, objects and signatures.

use rustc_hash::FxHashSet;

use crate::check::{Checker, Rule};
use crate::expression::{BinaryOperator, Expression, ExpressionId, UnaryOperator};
use crate::program::{
    AddressTarget, Function, FunctionId, Object, ObjectId, ObjectKind, Variable, VariableId,
    VariableKind,
};
use crate::types::{Field, Record, RecordKind, ScalarType, Type};

impl Checker<'_> {
    pub(super) fn check_declarations(&mut self) {
        let program = self.program;
        self.unique_names();
        for (_, ty) in program.types.types() {
            if let Type::Scalar(scalar) = ty {
                self.scalar(*scalar);
                self.require(Rule::ScalarTypes, !scalar.is_pointer(), || {
                    "a pointer to nothing; use a pointer to void".to_owned()
                });
            }
        }
        for (_, record) in program.types.records() {
            self.record(record);
        }
        for id in program.expressions.ids() {
            self.expression(id);
        }
        for (id, variable) in program.variables.enumerated() {
            self.function = variable.function;
            self.variable(variable);
            self.is_in_list(id, variable);
        }
        for (id, object) in program.objects.enumerated() {
            self.function = object.function;
            self.object(id, object);
        }
        for (id, function) in program.functions.enumerated() {
            self.function = Some(id);
            self.signature(id, function);
        }
        self.function = None;
    }

    fn unique_names(&mut self) {
        let program = self.program;
        let functions = program.functions.iter().map(|it| (None, it.name.as_str()));
        self.names_differ("function", functions);
        let records = program.types.records().map(|(_, it)| (None, it.name.as_str()));
        self.names_differ("record", records);
        let variables = program.variables.iter().map(|it| (it.function, it.name.as_str()));
        self.names_differ("variable", variables);
        let objects = program.objects.iter().map(|it| (it.function, it.name.as_str()));
        self.names_differ("object", objects);
    }

    fn names_differ<'n>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = (Option<FunctionId>, &'n str)>,
    ) {
        let mut seen = FxHashSet::default();
        for (function, name) in names {
            self.function = function;
            let is_new = seen.insert((function, name));
            self.require(Rule::UniqueNames, is_new, || format!("two {what}s named `{name}`"));
            self.require(Rule::UniqueNames, !name.is_empty(), || format!("a {what} without name"));
        }
        self.function = None;
    }

    fn scalar(&mut self, scalar: ScalarType) {
        if let ScalarType::Integer { width, .. } = scalar {
            let is_known = matches!(width, 8 | 16 | 32 | 64 | 128);
            self.require(Rule::ScalarTypes, is_known, || format!("an integer of {width} bits"));
        }
    }

    fn record(&mut self, record: &Record) {
        let Record { name, kind, is_complete, size, alignment, fields } = record;
        let is_layout = alignment.is_power_of_two() && size.is_multiple_of(*alignment);
        self.require(Rule::RecordLayout, is_layout, || {
            format!("`{name}` has size {size} and alignment {alignment}")
        });
        let is_empty = *size == 0 && fields.is_empty();
        self.require(Rule::RecordLayout, *is_complete || is_empty, || {
            format!("`{name}` is incomplete and has fields or a size")
        });
        let mut last = 0;
        for field in fields {
            let is_ordered = match kind {
                RecordKind::Struct => field.offset >= last,
                RecordKind::Union => field.offset == 0,
            };
            last = field.offset;
            let fits = self.field_end(field).is_some_and(|end| end <= *size);
            self.require(Rule::RecordLayout, is_ordered && fits, || {
                format!("`{name}.{}` does not fit at {}", field.name, field.offset)
            });
            self.require(Rule::RecordLayout, self.has_good_bits(field), || {
                format!("`{name}.{}` has bits out of its type", field.name)
            });
        }
    }

    /// The byte after a field; `None` beyond all bounds. A type without size ends where it starts.
    fn field_end(&self, field: &Field) -> Option<u64> {
        let size = match field.bits {
            Some(bits) => bits.bytes(),
            None => self.program.types.size(field.ty, self.program.model).unwrap_or(0),
        };
        field.offset.checked_add(size)
    }

    fn has_good_bits(&self, field: &Field) -> bool {
        let Some(bits) = field.bits else { return true };
        let scalar = self.program.types.scalar(field.ty);
        let width = scalar.map_or(0, |scalar| 8 * scalar.size(self.program.model));
        bits.offset < 8 && bits.width > 0 && u64::from(bits.width) <= width
    }

    fn expression(&mut self, id: ExpressionId) {
        let expressions = &self.program.expressions;
        let ty = expressions.type_of(id);
        self.scalar(ty);
        let is_good = match expressions.get(id) {
            Expression::Variable(variable) => self.program.variables[variable].scalar == ty,
            Expression::Unary { operator: UnaryOperator::Negate, .. } => {
                ty.is_integer() || ty.is_float()
            }
            Expression::Unary { operator: UnaryOperator::Complement, .. } => ty.is_integer(),
            Expression::Binary { operator, left, right } => {
                self.has_good_operands(operator, left, right)
            }
            Expression::Convert { operand, .. } => {
                let from = expressions.type_of(operand);
                !(from.is_float() && ty.is_pointer() || from.is_pointer() && ty.is_float())
            }
            Expression::Constant { .. }
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_) => true,
        };
        self.require(Rule::ExpressionTypes, is_good, || {
            let text = crate::text::display_expression(self.program, id);
            format!("the types in `{text}` do not fit")
        });
    }

    fn has_good_operands(
        &self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> bool {
        let left = self.program.expressions.type_of(left);
        let right = self.program.expressions.type_of(right);
        match operator {
            BinaryOperator::OffsetPointer => {
                left.is_pointer() && right == self.program.model.offset_type()
            }
            BinaryOperator::PointerDifference => left.is_pointer() && right.is_pointer(),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide => left == right && (left.is_integer() || left.is_float()),
            BinaryOperator::Remainder | BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                left == right && left.is_integer()
            }
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
                left == right && (left.is_integer() || left == ScalarType::Bool)
            }
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual => left == right,
        }
    }

    fn variable(&mut self, variable: &Variable) {
        let Variable { name, ty, scalar, kind, function, .. } = variable;
        let is_global = matches!(kind, VariableKind::Global { .. });
        self.require(Rule::Variables, is_global == function.is_none(), || {
            format!("`{name}` is global or of a function, not both")
        });
        let fits = match self.program.types.get(*ty) {
            Type::Scalar(known) => known == scalar,
            Type::Opaque(_) => true,
            // A struct by value arrives as a pointer.
            Type::Pointer(_)
            | Type::Record(_)
            | Type::Array { .. }
            | Type::Function { .. }
            | Type::Void => scalar.is_pointer(),
        };
        self.require(Rule::Variables, fits, || format!("`{name}` is no {scalar} in C"));
        if let VariableKind::Global { initial } = *kind {
            let is_typed = self.program.expressions.type_of(initial) == *scalar;
            self.require(Rule::InitialValues, is_typed, || {
                format!("`{name}` starts with a value of another type")
            });
            let is_constant = self.is_constant(initial);
            self.require(Rule::InitialValues, is_constant, || {
                format!("`{name}` starts with what is not constant")
            });
        }
    }

    fn is_in_list(&mut self, id: VariableId, variable: &Variable) {
        if let (VariableKind::Parameter, Some(owner)) = (variable.kind, variable.function) {
            let is_listed = self.program.functions[owner].parameters.contains(&id);
            self.require(Rule::Signatures, is_listed, || {
                format!("the parameter `{}` is not in the list", variable.name)
            });
        }
    }

    fn is_constant(&self, value: ExpressionId) -> bool {
        let mut is_constant = true;
        self.program.expressions.visit(value, &mut |_, node| match node {
            Expression::Variable(_) => is_constant = false,
            Expression::ObjectAddress(object) => is_constant &= !self.is_local(object),
            Expression::Constant { .. }
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {}
        });
        is_constant
    }

    pub(super) fn is_local(&self, object: ObjectId) -> bool {
        matches!(self.program.objects[object].kind, ObjectKind::Local)
    }

    fn object(&mut self, id: ObjectId, object: &Object) {
        let Object { name, ty, size, alignment, kind, function, .. } = object;
        let is_aligned = alignment.is_power_of_two();
        self.require(Rule::Objects, is_aligned, || format!("`{name}` is aligned to {alignment}"));
        let is_owned = !self.is_local(id) || function.is_some();
        self.require(Rule::Objects, is_owned, || format!("`{name}` is local to no function"));
        let least = self.program.types.size(*ty, self.program.model);
        let is_large = size.zip(least).is_none_or(|(size, least)| size >= least);
        self.require(Rule::Objects, is_large, || format!("`{name}` is smaller than its type"));
        let has_size = size.is_some() || matches!(kind, ObjectKind::Local | ObjectKind::External);
        self.require(Rule::Objects, has_size, || format!("`{name}` is static without a size"));
        let size = size.unwrap_or(0);
        if let ObjectKind::Static { bytes, .. } | ObjectKind::String { bytes } = kind {
            let fits = bytes.len() as u64 <= size;
            self.require(Rule::Objects, fits, || format!("`{name}` has too many bytes"));
        }
        let ObjectKind::Static { addresses, .. } = kind else { return };
        for address in addresses {
            let end = address.offset.checked_add(self.program.model.pointer_size());
            let is_inside = end.is_some_and(|end| end <= size);
            let is_static = match address.target {
                AddressTarget::Object(target) => !self.is_local(target),
                AddressTarget::Function(_) => true,
            };
            self.require(Rule::Objects, is_inside && is_static, || {
                format!("`{name}` has an address at {} that does not fit", address.offset)
            });
        }
    }

    fn signature(&mut self, id: FunctionId, function: &Function) {
        let program = self.program;
        let Type::Function { result, variadic, .. } = program.types.get(function.ty) else {
            self.require(Rule::Signatures, false, || "not of a function type".to_owned());
            return;
        };
        let mut seen = FxHashSet::default();
        for parameter in &function.parameters {
            let variable = &program.variables[*parameter];
            let is_own = variable.function == Some(id) && variable.kind == VariableKind::Parameter;
            self.require(Rule::Signatures, is_own && seen.insert(*parameter), || {
                format!("`{}` is no parameter here, or is one twice", variable.name)
            });
        }
        let fits = match program.types.get(*result) {
            Type::Scalar(_) | Type::Pointer(_) => function.result == program.types.scalar(*result),
            Type::Void | Type::Record(_) => function.result.is_none(),
            Type::Opaque(_) | Type::Array { .. } | Type::Function { .. } => true,
        };
        self.require(Rule::Signatures, fits, || "the result does not fit the type".to_owned());
        if let Some(varargs) = function.varargs {
            let is_own = program.objects[varargs].function == Some(id) && self.is_local(varargs);
            self.require(Rule::Signatures, *variadic && is_own, || {
                "further arguments need a variadic function and an object of its own".to_owned()
            });
        }
    }
}
