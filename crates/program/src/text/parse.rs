//! From text to a program, in two rounds over the declarations.
//!
//! First every declaration is read, with types but without what refers to other declarations by
//! name: initial values, addresses in initial bytes, edges. When all names are known, those are
//! read from the positions kept. The only name used before is that of a record, so the records'
//! names are gathered before all else.

use heapwright_base::{DenseId, IdVec};
use rustc_hash::FxHashMap;

use crate::operation::{FieldPath, PathId};
use crate::program::{
    Body, FileId, Function, FunctionId, Object, ObjectId, Place, Program, SignedOverflow,
    SourceFile, Variable, VariableId,
};
use crate::text::cursor::{Cursor, ParseError, Parsed};
use crate::text::names::Names;
use crate::types::{DataModel, Record, RecordKind, ScalarType, Type, TypeId};

/// The program that `text` describes, its pools in the order of first use.
///
/// # Errors
/// Says where the text stops being a program, and what was expected there.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(text);
    parser.gather_records()?;
    parser.read_declarations()?;
    parser.link_declarations()?;
    parser.read_initial_values()?;
    parser.read_bodies()?;
    Ok(parser.program)
}

pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) scope: Option<FunctionId>,
    /// The file that places are in unless they say otherwise.
    pub(super) file: FileId,
    pub(super) next_record: usize,
    pub(super) variables: Vec<(VariableId, Variable, Cursor<'a>)>,
    pub(super) objects: Vec<(ObjectId, Object, Cursor<'a>)>,
    pub(super) initial_values: Vec<(VariableId, Cursor<'a>)>,
    pub(super) initial_addresses: Vec<(ObjectId, Cursor<'a>)>,
    pub(super) heads: Vec<Head<'a>>,
    pub(super) paths: FxHashMap<FieldPath, PathId>,
    /// How many parentheses are open, so that absurd nesting is an error and no crash.
    pub(super) depth: usize,
}

/// What a function's head says and cannot be resolved yet.
pub(super) struct Head<'a> {
    pub function: FunctionId,
    pub parameters: Vec<Cursor<'a>>,
    pub varargs: Option<Cursor<'a>>,
    pub is_variadic: bool,
    pub result: Option<TypeId>,
    pub explicit_type: Option<TypeId>,
    pub body: Option<Cursor<'a>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            cursor: Cursor::new(text),
            program: Program::default(),
            names: Names::default(),
            scope: None,
            file: FileId::from_index(0),
            next_record: 0,
            variables: Vec::new(),
            objects: Vec::new(),
            initial_values: Vec::new(),
            initial_addresses: Vec::new(),
            heads: Vec::new(),
            paths: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Adds every record with its name only: lines that start with `struct` or `union`.
    fn gather_records(&mut self) -> Parsed<()> {
        let start = self.cursor;
        while !self.cursor.is_at_end() {
            let kind = match self.cursor.peek() {
                Some('s') if self.cursor.eat_word("struct") => Some(RecordKind::Struct),
                Some('u') if self.cursor.eat_word("union") => Some(RecordKind::Union),
                _ => None,
            };
            if let Some(kind) = kind {
                let name = self.cursor.tag("the name of a record")?;
                self.program.types.add_record(Record {
                    name,
                    kind,
                    is_complete: true,
                    size: 0,
                    alignment: 1,
                    fields: Vec::new(),
                });
            }
            self.cursor.skip_line();
        }
        self.names = Names::of_records(&self.program.types);
        self.cursor = start;
        Ok(())
    }

    fn read_declarations(&mut self) -> Parsed<()> {
        self.cursor.skip_lines();
        self.cursor.expect_word("program")?;
        self.program.model = match self.cursor.peek_word() {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            _ => return Err(self.cursor.error("`ILP32` or `LP64`")),
        };
        self.cursor.eat_word(self.program.model.name());
        for overflow in [SignedOverflow::Fails, SignedOverflow::Ends] {
            if self.cursor.eat_word(overflow.name()) {
                self.program.signed_overflow = overflow;
            }
        }
        self.cursor.expect_line_end()?;
        while !self.cursor.is_at_end() {
            self.read_item()?;
        }
        Ok(())
    }

    fn read_item(&mut self) -> Parsed<()> {
        match self.cursor.peek_word() {
            "file" => self.read_file(),
            "struct" | "union" => self.read_record(),
            "function" => self.read_function(),
            _ => {
                let start = self.cursor;
                if self.read_declaration()? {
                    return Ok(());
                }
                Err(start.error("a file, record, variable, object or function"))
            }
        }
    }

    fn read_file(&mut self) -> Parsed<()> {
        self.cursor.expect_word("file")?;
        let name = self.cursor.string()?;
        let is_model = self.cursor.eat_word("model");
        self.program.files.push(SourceFile { name, is_model });
        self.cursor.expect_line_end()
    }

    /// `function name(parameters) -> type, clauses @ place { … }`
    fn read_function(&mut self) -> Parsed<()> {
        self.cursor.expect_word("function")?;
        let id = self.program.functions.next_id();
        let name = self.cursor.name("the name of a function")?;
        let (parameters, is_variadic) = self.read_parameter_list()?;
        let result = if self.cursor.eat("->") { Some(self.read_type()?) } else { None };
        let mut head = Head {
            function: id,
            parameters,
            varargs: None,
            is_variadic,
            result,
            explicit_type: None,
            body: None,
        };
        let mut scalar = result.and_then(|result| self.program.types.scalar(result));
        while self.cursor.eat(",") {
            self.read_clause(&mut head, &mut scalar)?;
        }
        let place = self.read_place()?;
        self.program.functions.push(Function {
            name,
            // Filled in when the parameters' types are known.
            ty: TypeId::from_index(0),
            parameters: Vec::new(),
            result: scalar,
            varargs: None,
            place,
            body: None,
        });
        if self.cursor.eat("{") {
            head.body = self.in_function(id, Parser::read_block)?;
        }
        self.heads.push(head);
        self.cursor.expect_line_end()
    }

    fn read_parameter_list(&mut self) -> Parsed<(Vec<Cursor<'a>>, bool)> {
        let mut parameters = Vec::new();
        let mut is_variadic = false;
        self.cursor.expect("(")?;
        while !self.cursor.eat(")") {
            if !parameters.is_empty() || is_variadic {
                self.cursor.expect(",")?;
            }
            if self.cursor.eat("...") {
                is_variadic = true;
            } else {
                parameters.push(self.cursor);
                self.skip_reference("the name of a parameter")?;
            }
        }
        Ok((parameters, is_variadic))
    }

    fn read_clause(&mut self, head: &mut Head<'a>, scalar: &mut Option<ScalarType>) -> Parsed<()> {
        if self.cursor.eat_word("type") {
            head.explicit_type = Some(self.read_type()?);
        } else if self.cursor.eat_word("result") {
            *scalar = if self.cursor.eat_word("none") { None } else { Some(self.read_scalar()?) };
        } else if self.cursor.eat_word("varargs") {
            head.varargs = Some(self.cursor);
            self.skip_reference("the name of an object")?;
        } else {
            return Err(self.cursor.error("`type`, `result` or `varargs`"));
        }
        Ok(())
    }

    /// The inside of a function: declarations are read, edges are skipped for now.
    fn read_block(&mut self) -> Parsed<Option<Cursor<'a>>> {
        self.cursor.expect_line_end()?;
        while self.read_declaration()? {}
        let body = self.cursor.eat_word("entry").then_some(self.cursor);
        while body.is_some() && !self.cursor.is_at_end() && self.cursor.peek() != Some('}') {
            self.cursor.skip_line();
            self.cursor.skip_lines();
        }
        self.cursor.expect("}")?;
        Ok(body)
    }

    /// Runs `read` with the names and the file of a function.
    pub(super) fn in_function<T>(
        &mut self,
        function: FunctionId,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let file = std::mem::replace(&mut self.file, self.program.functions[function].place.file);
        self.scope = Some(function);
        let result = read(self);
        self.scope = None;
        self.file = file;
        result
    }

    /// All declarations are read: puts them into their tables and resolves the functions' heads.
    fn link_declarations(&mut self) -> Parsed<()> {
        self.program.variables = in_order(std::mem::take(&mut self.variables))?;
        self.program.objects = in_order(std::mem::take(&mut self.objects))?;
        self.names = Names::of(&self.program);
        for head in std::mem::take(&mut self.heads) {
            self.link_head(&head)?;
            self.heads.push(head);
        }
        Ok(())
    }

    fn link_head(&mut self, head: &Head<'a>) -> Parsed<()> {
        let id = head.function;
        let resolve = |parser: &mut Self| {
            let mut parameters = Vec::new();
            for cursor in &head.parameters {
                parser.cursor = *cursor;
                parameters.push(parser.read_variable()?);
            }
            let mut varargs = None;
            if let Some(cursor) = head.varargs {
                parser.cursor = cursor;
                varargs = Some(parser.read_object()?);
            }
            Ok((parameters, varargs))
        };
        let (parameters, varargs) = self.in_function(id, resolve)?;
        let ty = match (head.explicit_type, head.result) {
            (Some(ty), _) => ty,
            (None, Some(result)) => {
                let types = parameters.iter().map(|id| self.program.variables[*id].ty).collect();
                self.program.types.intern(Type::Function {
                    result,
                    parameters: types,
                    variadic: head.is_variadic,
                })
            }
            (None, None) => return Err(self.cursor.error("`->` or a `type` for this function")),
        };
        let function = &mut self.program.functions[id];
        (function.ty, function.parameters, function.varargs) = (ty, parameters, varargs);
        Ok(())
    }

    fn read_bodies(&mut self) -> Parsed<()> {
        for head in std::mem::take(&mut self.heads) {
            if let Some(cursor) = head.body {
                self.cursor = cursor;
                let body = self.in_function(head.function, Parser::read_body)?;
                self.program.functions[head.function].body = Some(body);
            }
        }
        Ok(())
    }

    /// `L0, exit L5` and the edges, up to the closing brace.
    fn read_body(&mut self) -> Parsed<Body> {
        let entry = self.read_location()?;
        self.cursor.expect(",")?;
        self.cursor.expect_word("exit")?;
        let exit = self.read_location()?;
        let mut body = Body { entry, exit, location_count: 0, edges: IdVec::new() };
        let mut count = 0;
        if self.cursor.eat(",") {
            count = self.cursor.number("a number of locations")?;
            self.cursor.expect_word("locations")?;
        }
        self.cursor.expect_line_end()?;
        while self.cursor.peek() != Some('}') {
            let edge = self.read_edge()?;
            body.edges.push(edge);
            self.cursor.expect_line_end()?;
        }
        body.location_count = count.max(super::print::least_location_count(&body));
        Ok(body)
    }

    /// `@ 12:5`, `@ file1:12:5`, or nothing.
    pub(super) fn read_place(&mut self) -> Parsed<Place> {
        if !self.cursor.eat("@") {
            return Ok(Place { file: self.file, line: 0, column: 0 });
        }
        let mut file = self.file;
        if self.cursor.eat("file") {
            let number: u32 = self.cursor.number("the number of a file")?;
            file = FileId::from_index(number as usize);
            self.cursor.expect(":")?;
        }
        let line = self.cursor.number("a line number")?;
        self.cursor.expect(":")?;
        let column = self.cursor.number("a column number")?;
        Ok(Place { file, line, column })
    }
}

/// The declared things by id, which must be 0, 1, 2, …
fn in_order<I: DenseId, T>(mut declared: Vec<(I, T, Cursor<'_>)>) -> Parsed<IdVec<I, T>> {
    declared.sort_by_key(|(id, ..)| *id);
    let mut table = IdVec::new();
    for (id, item, cursor) in declared {
        let due: I = table.next_id();
        if id != due {
            return Err(cursor.error(&format!("a declaration of {due:?} in place of {id:?}")));
        }
        table.push(item);
    }
    Ok(table)
}
