//! One translation unit: its declarations become functions, variables and static objects.

use heapwright_program::{
    FunctionId, Object, ObjectId, ObjectKind, Place, RecordId, ScalarType, Type, TypeId, Variable,
    VariableKind,
};
use rucc_base::Symbol;
use rucc_diag::Span;
use rucc_sema::{Decl, DeclId, DeclKind, Definition, Linkage, StorageDuration, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::function::FunctionLowering;
use super::linker::{Entity, Linker};
use super::reached::Reached;
use crate::diagnostic::InputError;
use crate::syntax::Unit;

pub(crate) struct UnitLowering<'u> {
    pub(crate) linker: &'u mut Linker,
    pub(crate) unit: &'u Unit,
    /// What is lowered of the unit, and its number; all of it otherwise.
    reached: Option<(&'u Reached<'u>, usize)>,
    /// Declarations that must live in memory although they are scalars.
    pub(crate) taken: FxHashSet<DeclId>,
    pub(crate) types: FxHashMap<rucc_types::TypeId, TypeId>,
    pub(crate) records: FxHashMap<rucc_types::RecordId, RecordId>,
    pub(crate) own_records: FxHashSet<RecordId>,
    entities: FxHashMap<DeclId, Entity>,
    functions: FxHashMap<DeclId, FunctionId>,
    /// Functions and objects of internal linkage, which several declarations may name.
    internal_functions: FxHashMap<Symbol, FunctionId>,
    internal_objects: FxHashMap<Symbol, Entity>,
    strings: FxHashMap<StrId, ObjectId>,
}

impl<'u> UnitLowering<'u> {
    pub(crate) fn new(
        linker: &'u mut Linker,
        unit: &'u Unit,
        taken: FxHashSet<DeclId>,
        reached: Option<(&'u Reached<'u>, usize)>,
    ) -> Self {
        UnitLowering {
            linker,
            unit,
            reached,
            taken,
            types: FxHashMap::default(),
            records: FxHashMap::default(),
            own_records: FxHashSet::default(),
            entities: FxHashMap::default(),
            functions: FxHashMap::default(),
            internal_functions: FxHashMap::default(),
            internal_objects: FxHashMap::default(),
            strings: FxHashMap::default(),
        }
    }

    /// Lowers the definitions of the unit.
    pub(crate) fn lower(&mut self) -> Result<(), InputError> {
        let mut left_out = Vec::new();
        for &id in self.unit.tast.top_level() {
            let decl = &self.unit.tast[id];
            match decl.kind {
                DeclKind::Object if decl.state != Definition::Declared => {
                    self.static_entity(id);
                }
                DeclKind::Function if decl.body.is_some() => match self.reached {
                    Some((reached, index)) if !reached.contains(index, self.unit, id) => {
                        left_out.push(id);
                    }
                    Some(_) | None => self.define_function(id)?,
                },
                DeclKind::Object | DeclKind::Function | DeclKind::Type => {}
            }
        }
        left_out.into_iter().try_for_each(|id| self.leave_out(id))
    }

    fn define_function(&mut self, id: DeclId) -> Result<(), InputError> {
        let function = self.function(id);
        if self.linker.program.functions[function].body.is_some() {
            let first = self.linker.program.functions[function].place;
            return self.refuse_second_definition(id, first);
        }
        FunctionLowering::new(self, function).lower(id);
        Ok(())
    }

    /// Remembers a function that is not lowered, and whether the unit needs it after all.
    fn leave_out(&mut self, id: DeclId) -> Result<(), InputError> {
        let decl = &self.unit.tast[id];
        let name = self.function_name(decl);
        match decl.linkage {
            Linkage::External => {
                let place = self.place(self.unit.tast.definition_span(id));
                if let Some(first) = self.linker.left_out.insert(name.to_owned(), place) {
                    self.refuse_second_definition(id, first)?;
                }
            }
            Linkage::Internal | Linkage::None => {
                let symbol = decl.name.expect("a function has a name");
                self.linker.misses_own_function |= self.internal_functions.contains_key(&symbol);
            }
        }
        Ok(())
    }

    /// An inline function comes with a header into every file; two real ones clash.
    fn refuse_second_definition(&mut self, id: DeclId, first: Place) -> Result<(), InputError> {
        let decl = &self.unit.tast[id];
        if decl.linkage != Linkage::External || !decl.inline.emits() || self.unit.is_model {
            return Ok(());
        }
        let name = self.function_name(decl);
        let place = self.place(self.unit.tast.definition_span(id));
        let program = &self.linker.program;
        Err(InputError::new(format!(
            "{}: `{name}` is defined twice; the first definition is at {}",
            program.describe(place),
            program.describe(first),
        )))
    }

    /// Where a span is, through `#line` markers.
    pub(crate) fn place(&mut self, span: Span) -> Place {
        let presumed = if span.is_dummy() { None } else { self.unit.sources.presumed(span.lo) };
        let Some(presumed) = presumed else {
            let file = self.linker.file(&self.unit.name, self.unit.is_model);
            return Place { file, line: 0, column: 0 };
        };
        let file = self.linker.file(presumed.name, self.unit.is_model);
        Place { file, line: presumed.line, column: presumed.column }
    }

    /// The name that the linker knows a declaration by.
    pub(crate) fn name(&self, decl: &Decl) -> &'u str {
        decl.name.map_or("", |name| self.unit.names.resolve(name))
    }

    /// The name of a function: `__builtin_strlen` is another one for `strlen`.
    fn function_name(&self, decl: &Decl) -> &'u str {
        let name = self.name(decl);
        match decl.linkage {
            Linkage::External => name.strip_prefix("__builtin_").unwrap_or(name),
            Linkage::Internal | Linkage::None => name,
        }
    }

    /// The function that a declaration names, made known to the program if it is new.
    pub(crate) fn function(&mut self, id: DeclId) -> FunctionId {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let decl = &self.unit.tast[id];
        let name = self.function_name(decl);
        let symbol = decl.name.expect("a function has a name");
        let known = match decl.linkage {
            Linkage::External => self.linker.functions.get(name).copied(),
            Linkage::Internal | Linkage::None => self.internal_functions.get(&symbol).copied(),
        };
        let function = known.unwrap_or_else(|| self.add_function(id));
        if decl.linkage == Linkage::External {
            self.linker.functions.insert(name.to_owned(), function);
        } else {
            self.internal_functions.insert(symbol, function);
        }
        self.functions.insert(id, function);
        function
    }

    fn add_function(&mut self, id: DeclId) -> FunctionId {
        let decl = &self.unit.tast[id];
        let ty = self.ty(decl.ty);
        let place = self.place(self.unit.tast.definition_span(id));
        let function = self.linker.add_function(self.function_name(decl), ty, place);
        let Type::Function { result, .. } = self.linker.program.types.get(ty) else {
            unreachable!("a function declaration has a function type");
        };
        let result = self.linker.program.types.scalar(*result);
        self.linker.program.functions[function].result = result;
        function
    }

    /// The variable or object that a declaration of static storage names.
    pub(crate) fn static_entity(&mut self, id: DeclId) -> Entity {
        if let Some(&known) = self.entities.get(&id) {
            return known;
        }
        let decl = &self.unit.tast[id];
        let name = self.name(decl);
        let known = match (decl.linkage, decl.name) {
            (Linkage::External, _) => self.linker.objects.get(name).copied(),
            (Linkage::Internal, Some(symbol)) => self.internal_objects.get(&symbol).copied(),
            (Linkage::Internal, None) | (Linkage::None, _) => None,
        };
        let is_defined = decl.state != Definition::Declared;
        let entity = match known {
            Some(entity) => entity,
            None => self.add_static(id),
        };
        // Entered before the initialiser is read: an object may hold its own address.
        self.entities.insert(id, entity);
        match (decl.linkage, decl.name) {
            (Linkage::External, _) => {
                self.linker.objects.insert(name.to_owned(), entity);
            }
            (Linkage::Internal, Some(symbol)) => {
                self.internal_objects.insert(symbol, entity);
            }
            (Linkage::Internal, None) | (Linkage::None, _) => {}
        }
        if is_defined {
            // A declaration may promise more than the definition, elsewhere, keeps.
            if let Entity::Object(object) = entity {
                self.linker.program.objects[object].is_constant = self.is_constant(decl.ty);
            }
            self.initialise_static(id, entity);
        }
        entity
    }

    /// Adds a static object or global variable, its contents still to come.
    fn add_static(&mut self, id: DeclId) -> Entity {
        let decl = &self.unit.tast[id];
        let name = match decl.name {
            Some(name) => self.unit.names.resolve(name),
            None => "literal",
        };
        let place = self.place(self.unit.tast.decl_span(id));
        let name = self.linker.global_name(name);
        let ty = self.ty(decl.ty);
        let is_external = decl.linkage == Linkage::External;
        let is_known = !is_external || self.linker.survey.defined_objects.contains(self.name(decl));
        let is_taken = self.taken.contains(&id)
            || (is_external && self.linker.survey.address_taken.contains(self.name(decl)));
        if let Some(scalar) = self.scalar(decl.ty)
            && !is_taken
            && is_known
        {
            let initial = self.zero(scalar);
            let kind = VariableKind::Global { initial };
            let variable = Variable { name, ty, scalar, kind, function: None, place };
            return Entity::Variable(self.linker.program.variables.push(variable));
        }
        let kind = if is_known {
            ObjectKind::Static { bytes: Vec::new(), addresses: Vec::new() }
        } else {
            ObjectKind::External
        };
        // A flexible array member takes room beyond what the type says.
        let size = self.size_of(decl.ty).unwrap_or(0).max(self.unit.tast.extent(id));
        let alignment = self.alignment_of(decl.ty).max(decl.alignment.map_or(1, u64::from));
        let object = Object {
            name,
            ty,
            size: Some(size),
            alignment,
            kind,
            is_constant: false,
            function: None,
            place,
        };
        Entity::Object(self.linker.program.objects.push(object))
    }

    pub(crate) fn zero(&mut self, scalar: ScalarType) -> heapwright_program::ExpressionId {
        let model = self.model();
        self.linker.program.expressions.constant(scalar, 0, model)
    }

    /// The object of a string literal.
    pub(crate) fn string(&mut self, id: StrId) -> ObjectId {
        if let Some(&known) = self.strings.get(&id) {
            return known;
        }
        let literal = &self.unit.tast[id];
        let bytes = literal.bytes(&self.unit.target);
        let width = u64::from(literal.encoding.element_width(&self.unit.target) / 8);
        let object = self.string_object(bytes, width);
        self.strings.insert(id, object);
        object
    }

    /// A new string literal of these bytes, the terminator among them.
    pub(crate) fn string_object(&mut self, bytes: Vec<u8>, width: u64) -> ObjectId {
        let name = self.linker.global_name("string");
        let program = &mut self.linker.program;
        let element = program.types.intern(Type::Scalar(ScalarType::Integer {
            signed: width == 1,
            width: 8 * width as u16,
        }));
        let length = Some(bytes.len() as u64 / width);
        let ty = program.types.intern(Type::Array { element, length });
        let file = self.linker.file(&self.unit.name, self.unit.is_model);
        self.linker.program.objects.push(Object {
            name,
            ty,
            size: Some(bytes.len() as u64),
            alignment: width,
            kind: ObjectKind::String { bytes },
            is_constant: false,
            function: None,
            place: Place { file, line: 0, column: 0 },
        })
    }

    /// One of our own model functions, which no declaration of the program names.
    pub(crate) fn model_function(&mut self, name: &str) -> FunctionId {
        if let Some(&known) = self.linker.functions.get(name) {
            return known;
        }
        let wide = ScalarType::Integer { signed: false, width: 64 };
        self.library_function(name, Some(wide), &[wide, ScalarType::INT])
    }

    /// A function of ours that a model defines, or the interpreter has.
    pub(crate) fn library_function(
        &mut self,
        name: &str,
        result: Option<ScalarType>,
        parameters: &[ScalarType],
    ) -> FunctionId {
        if let Some(&known) = self.linker.functions.get(name) {
            return known;
        }
        let types = &mut self.linker.program.types;
        let parameters = parameters.iter().map(|&scalar| types.of_scalar(scalar)).collect();
        let result_type = match result {
            Some(scalar) => types.of_scalar(scalar),
            None => types.intern(Type::Void),
        };
        let ty = types.intern(Type::Function { result: result_type, parameters, variadic: false });
        let file = self.linker.file(&self.unit.name, self.unit.is_model);
        let function = self.linker.add_function(name, ty, Place { file, line: 0, column: 0 });
        self.linker.program.functions[function].result = result;
        self.linker.functions.insert(name.to_owned(), function);
        function
    }

    /// Whether a declaration has static storage.
    pub(crate) fn is_static(decl: &Decl) -> bool {
        match decl.duration {
            StorageDuration::Static | StorageDuration::Thread => true,
            StorageDuration::Automatic => decl.linkage != Linkage::None,
        }
    }
}
