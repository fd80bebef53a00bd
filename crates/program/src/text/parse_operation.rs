//! Reading edges and their operations.

use heapwright_base::DenseId;

use crate::expression::ExpressionId;
use crate::operation::{
    Access, Callee, Failure, FieldPath, Halt, InputSource, Operation, PathId, Storage,
};
use crate::program::{Edge, LocationId, VariableId};
use crate::text::cursor::Parsed;
use crate::text::operation::{expected_arguments, implied_base};
use crate::text::parse::Parser;
use crate::types::ScalarType;

impl Parser<'_> {
    /// `L3 -> L4: operation @ 12:5`
    pub(super) fn read_edge(&mut self) -> Parsed<Edge> {
        let source = self.read_location()?;
        self.cursor.expect("->")?;
        let target = self.read_location()?;
        self.cursor.expect(":")?;
        let operation = self.read_operation()?;
        let place = self.read_place()?;
        Ok(Edge { source, target, operation, place })
    }

    pub(super) fn read_location(&mut self) -> Parsed<LocationId> {
        self.cursor.skip_blanks();
        let start = self.cursor;
        let is_location = self.cursor.eat("L");
        let number: u32 =
            self.cursor.number("a location").map_err(|_| start.error("a location"))?;
        if !is_location {
            return Err(start.error("a location"));
        }
        Ok(LocationId::from_index(number as usize))
    }

    fn read_operation(&mut self) -> Parsed<Operation> {
        if self.cursor.eat("[") {
            return self.read_assumption();
        }
        if self.is_assignment() {
            let target = self.read_variable()?;
            self.cursor.expect("=")?;
            return self.read_assigned(target);
        }
        let initialises = self.cursor.eat_word("initial");
        let word = self.cursor.peek_word();
        let start = self.cursor;
        self.cursor.eat_word(word);
        match word {
            "store" | "copy" | "fill" => self.read_write(word, initialises),
            _ if initialises => Err(start.error("`store`, `copy` or `fill`")),
            "skip" => Ok(Operation::Skip),
            "disjoint" => {
                let pointer = Some(ScalarType::Pointer);
                let [left, right, size] =
                    self.read_list([pointer, pointer, Some(self.size_type())])?;
                Ok(Operation::Disjoint { left, right, size })
            }
            "free" => {
                let [address] = self.read_list([Some(ScalarType::Pointer)])?;
                Ok(Operation::Free { address })
            }
            "enter" => self.read_enter(),
            "leave" => Ok(Operation::Leave { object: self.read_object()? }),
            "call" => self.read_call(None),
            "return" => self.read_return(),
            "halt" => self.read_halt().map(Operation::Halt),
            "fail" => {
                if self.cursor.eat_word("size") {
                    return Ok(Operation::Fail(Failure::Size { text: self.cursor.string()? }));
                }
                if self.cursor.eat_word("usage") {
                    return Ok(Operation::Fail(Failure::Usage { text: self.cursor.string()? }));
                }
                if self.cursor.eat_word("overflow") {
                    return Ok(Operation::Fail(Failure::Overflow { text: self.cursor.string()? }));
                }
                self.cursor.expect_word("assertion")?;
                Ok(Operation::Fail(Failure::Assertion { text: self.cursor.string()? }))
            }
            "unsupported" => Ok(Operation::Unsupported { construct: self.cursor.string()? }),
            _ => Err(start.error("an operation")),
        }
    }

    fn read_write(&mut self, word: &str, initialises: bool) -> Parsed<Operation> {
        let (pointer, size) = (Some(ScalarType::Pointer), Some(self.size_type()));
        match word {
            "copy" => {
                let [target, source, size] = self.read_list([pointer, pointer, size])?;
                Ok(Operation::Copy { target, source, size, initialises })
            }
            "fill" => {
                let [target, byte, size] = self.read_list([pointer, None, size])?;
                Ok(Operation::Fill { target, byte, size, initialises })
            }
            _ => {
                let access = Access { initialises, ..self.read_access()? };
                self.cursor.expect("=")?;
                let value = self.read_expression(Some(access.ty))?;
                Ok(Operation::Store { access, value })
            }
        }
    }

    /// Whether a variable and `=` come next.
    fn is_assignment(&mut self) -> bool {
        let start = self.cursor;
        let found = self.skip_reference("").is_ok() && self.cursor.eat("=");
        self.cursor = start;
        found
    }

    fn read_assumption(&mut self) -> Parsed<Operation> {
        let holds = !self.cursor.eat("!");
        let condition = self.read_expression(Some(ScalarType::Bool))?;
        self.cursor.expect("]")?;
        Ok(Operation::Assume { condition, holds })
    }

    fn read_assigned(&mut self, target: VariableId) -> Parsed<Operation> {
        if self.cursor.eat_word("any") {
            if self.cursor.eat_word("uninitialised") {
                return Ok(Operation::Input { target, source: InputSource::Uninitialised });
            }
            let name = self.cursor.name("`uninitialised` or the name of an input function")?;
            return Ok(Operation::Input { target, source: InputSource::Nondeterministic(name) });
        }
        if self.cursor.eat_word("load") {
            return Ok(Operation::Load { target, access: self.read_access()? });
        }
        if self.cursor.eat_word("allocate") {
            return self.read_allocate(target);
        }
        if self.cursor.eat_word("block_size") {
            let [address] = self.read_list([Some(ScalarType::Pointer)])?;
            return Ok(Operation::BlockSize { target, address });
        }
        if self.cursor.eat_word("call") {
            return self.read_call(Some(target));
        }
        let expected = self.program.variables[target].scalar;
        Ok(Operation::Assign { target, value: self.read_expression(Some(expected))? })
    }

    fn read_allocate(&mut self, target: VariableId) -> Parsed<Operation> {
        let zeroed = self.cursor.eat_word("zeroed");
        let storage = if self.cursor.eat_word("heap") {
            Storage::Heap
        } else if self.cursor.eat_word("stack") {
            Storage::Alloca
        } else if self.cursor.eat_word("permanent") {
            Storage::Permanent
        } else {
            return Err(self.cursor.error("`heap`, `stack` or `permanent`"));
        };
        let [size] = self.read_list([Some(self.size_type())])?;
        Ok(Operation::Allocate { target, storage, size, zeroed })
    }

    fn read_enter(&mut self) -> Parsed<Operation> {
        let object = self.read_object()?;
        let mut size = None;
        if self.cursor.eat(",") {
            size = Some(self.read_expression(Some(self.size_type()))?);
        }
        Ok(Operation::Enter { object, size })
    }

    fn read_return(&mut self) -> Parsed<Operation> {
        self.cursor.skip_blanks();
        if self.cursor.is_at_line_end() || self.cursor.peek() == Some('@') {
            return Ok(Operation::Return { value: None });
        }
        let expected = self.scope.and_then(|function| self.program.functions[function].result);
        Ok(Operation::Return { value: Some(self.read_expression(expected)?) })
    }

    fn read_halt(&mut self) -> Parsed<Halt> {
        if self.cursor.eat_word("exit") {
            let [status] = self.read_list([None])?;
            Ok(Halt::Exit(status))
        } else if self.cursor.eat_word("immediate_exit") {
            let [status] = self.read_list([None])?;
            Ok(Halt::ImmediateExit(status))
        } else if self.cursor.eat_word("abort") {
            Ok(Halt::Abort)
        } else if self.cursor.eat_word("assumption_failed") {
            Ok(Halt::AssumptionFailed)
        } else {
            Err(self.cursor.error("`exit`, `immediate_exit`, `abort` or `assumption_failed`"))
        }
    }

    /// `f(e, …)` or `*(e)(e, …)`
    fn read_call(&mut self, target: Option<VariableId>) -> Parsed<Operation> {
        let callee = if self.cursor.eat("*") {
            let [pointer] = self.read_list([Some(ScalarType::Pointer)])?;
            Callee::Indirect(pointer)
        } else {
            Callee::Direct(self.read_function_name()?)
        };
        let expected = expected_arguments(&self.program, callee);
        let mut expected = expected.into_iter().chain(std::iter::repeat(None));
        let mut arguments = Vec::new();
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            if !arguments.is_empty() {
                self.cursor.expect(",")?;
            }
            arguments.push(self.read_expression(expected.next().flatten())?);
        }
        Ok(Operation::Call { target, callee, arguments })
    }

    /// `i32 [p + 8] bits 3..8 (node.next at 8 from p)`
    fn read_access(&mut self) -> Parsed<Access> {
        let ty = self.read_scalar()?;
        let pointer = Some(ScalarType::Pointer);
        self.cursor.expect("[")?;
        let address = self.read_expression(pointer)?;
        self.cursor.expect("]")?;
        let bits = self.read_bits()?;
        self.cursor.expect("(")?;
        let mut path = self.read_path()?;
        if self.cursor.eat_word("at") {
            let is_unknown = self.cursor.eat_word("unknown");
            path.offset = if is_unknown { None } else { Some(self.cursor.number("an offset")?) };
        }
        let start = self.cursor;
        let base = if self.cursor.eat_word("from") {
            Some(self.read_expression(pointer)?)
        } else {
            implied_base(&self.program, address, path.offset)
        };
        let base = base.ok_or_else(|| start.error("`from` and the base of the path"))?;
        self.cursor.expect(")")?;
        let path = self.path_id(path);
        Ok(Access { address, ty, bits, base, path, initialises: false })
    }

    fn path_id(&mut self, path: FieldPath) -> PathId {
        if let Some(&id) = self.paths.get(&path) {
            return id;
        }
        let id = self.program.paths.push(path.clone());
        self.paths.insert(path, id);
        id
    }

    fn size_type(&self) -> ScalarType {
        self.program.model.size_type()
    }

    /// Expressions in parentheses, one for each expected type.
    fn read_list<const N: usize>(
        &mut self,
        expected: [Option<ScalarType>; N],
    ) -> Parsed<[ExpressionId; N]> {
        let mut expressions = [ExpressionId::from_index(0); N];
        for (position, expected) in expected.into_iter().enumerate() {
            self.cursor.expect(if position == 0 { "(" } else { "," })?;
            expressions[position] = self.read_expression(expected)?;
        }
        self.cursor.expect(")")?;
        Ok(expressions)
    }
}
