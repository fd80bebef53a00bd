//! The program under construction: what all translation units share.
//!
//! Names with external linkage meet here, so that several files link into one program. Types meet
//! by structure: two units that declare the same struct get one record.

use std::collections::BTreeSet;

use heapwright_base::IdVec;
use heapwright_program::{
    DataModel, FieldPath, FileId, Function, FunctionId, ObjectId, PathId, Place, Program, Record,
    RecordId, SourceFile, TypeId, VariableId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::settings::World;

/// What a C object became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Variable(VariableId),
    Object(ObjectId),
}

/// What the units say about names before any of them is lowered.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// External objects whose address some unit takes.
    pub(crate) address_taken: FxHashSet<String>,
    /// External functions that some unit defines.
    pub(crate) defined_functions: FxHashSet<String>,
    /// External objects that some unit defines.
    pub(crate) defined_objects: FxHashSet<String>,
    /// Whether some unit registers handlers for the end of the program.
    pub(crate) registers_handlers: bool,
}

pub(crate) struct Linker {
    pub(crate) program: Program,
    pub(crate) world: World,
    pub(crate) survey: Survey,
    /// External functions by their C name.
    pub(crate) functions: FxHashMap<String, FunctionId>,
    /// External objects by their C name.
    pub(crate) objects: FxHashMap<String, Entity>,
    /// Intrinsic functions whose address is taken: they need a body after all.
    pub(crate) wanted_bodies: BTreeSet<String>,
    /// External functions that were not lowered, and where they are defined.
    pub(crate) left_out: FxHashMap<String, Place>,
    /// Whether a unit needs a function of its own that was not lowered.
    pub(crate) misses_own_function: bool,
    /// Static initialisers that could not be evaluated: reported at the start of `main`.
    pub(crate) unmodelled_statics: Vec<(String, Place)>,
    files: FxHashMap<String, FileId>,
    paths: FxHashMap<FieldPath, PathId>,
    records: FxHashMap<String, Vec<RecordId>>,
    global_names: Names,
    local_names: IdVec<FunctionId, Names>,
}

impl Linker {
    pub(crate) fn new(model: DataModel, world: World) -> Linker {
        Linker {
            program: Program::new(model),
            world,
            survey: Survey::default(),
            functions: FxHashMap::default(),
            objects: FxHashMap::default(),
            wanted_bodies: BTreeSet::new(),
            left_out: FxHashMap::default(),
            misses_own_function: false,
            unmodelled_statics: Vec::new(),
            files: FxHashMap::default(),
            paths: FxHashMap::default(),
            records: FxHashMap::default(),
            global_names: Names::default(),
            local_names: IdVec::new(),
        }
    }

    /// Whether the program needs a function that is defined and was not lowered.
    pub(crate) fn misses_function(&self) -> bool {
        self.misses_own_function
            || self.left_out.keys().any(|name| self.functions.contains_key(name))
    }

    pub(crate) fn file(&mut self, name: &str, is_model: bool) -> FileId {
        if let Some(&file) = self.files.get(name) {
            return file;
        }
        let file = self.program.files.push(SourceFile { name: name.to_owned(), is_model });
        self.files.insert(name.to_owned(), file);
        file
    }

    pub(crate) fn path(&mut self, path: FieldPath) -> PathId {
        if let Some(&id) = self.paths.get(&path) {
            return id;
        }
        let id = self.program.paths.push(path.clone());
        self.paths.insert(path, id);
        id
    }

    /// A name that no global, function or static object has yet.
    pub(crate) fn global_name(&mut self, wanted: &str) -> String {
        self.global_names.add(wanted, |_| true)
    }

    /// A name that is new in the function and no global's.
    pub(crate) fn local_name(&mut self, function: FunctionId, wanted: &str) -> String {
        let Linker { global_names, local_names, .. } = self;
        local_names[function].add(wanted, |name| !global_names.taken.contains(name))
    }

    /// Adds a function whose body is still to come.
    pub(crate) fn add_function(
        &mut self,
        wanted_name: &str,
        ty: TypeId,
        place: Place,
    ) -> FunctionId {
        let name = self.global_name(wanted_name);
        self.local_names.push(Names::default());
        self.program.functions.push(Function {
            name,
            ty,
            parameters: Vec::new(),
            result: None,
            varargs: None,
            place,
            body: None,
        })
    }

    /// A record of another unit with the same tag and layout: C demands that they be compatible.
    pub(crate) fn compatible_record(
        &self,
        tag: &str,
        wanted: &Record,
        names: &[String],
    ) -> Option<RecordId> {
        self.records.get(tag)?.iter().copied().find(|&known| {
            let known = self.program.types.record(known);
            known.kind == wanted.kind
                && known.is_complete == wanted.is_complete
                && known.size == wanted.size
                && known.alignment == wanted.alignment
                && known.fields.iter().map(|field| &field.name).eq(names)
        })
    }

    /// Remembers that `record` has this tag, and gives it a name of its own.
    pub(crate) fn name_record(&mut self, tag: &str, record: RecordId) -> String {
        let known = self.records.entry(tag.to_owned()).or_default();
        known.push(record);
        if known.len() == 1 { tag.to_owned() } else { format!("{tag}.{}", known.len() - 1) }
    }
}

/// Names that are taken.
#[derive(Debug, Default)]
struct Names {
    taken: FxHashSet<String>,
    /// The number to try next, for names that were wanted before: a large function has many `t`s.
    next: FxHashMap<String, u32>,
}

impl Names {
    /// Takes `wanted`, or `wanted.1`, `wanted.2` … whichever is free and allowed first.
    fn add(&mut self, wanted: &str, is_allowed: impl Fn(&str) -> bool) -> String {
        let first = self.next.get(wanted).copied().unwrap_or(0);
        for number in first.. {
            let name = match number {
                0 => wanted.to_owned(),
                _ => format!("{wanted}.{number}"),
            };
            if is_allowed(&name) && self.taken.insert(name.clone()) {
                self.next.insert(wanted.to_owned(), number + 1);
                return name;
            }
        }
        unreachable!("a free name among 2^32")
    }
}
