//! Names for what an abstract heap has as offsets: the types of its blocks, found from the variables
//! that lead to them, and the fields at offsets.

use std::collections::BTreeMap;

use heapwright_heap_text::{BlockText, BodyText, HeapText, Nature, Shape};
use heapwright_program::{Program, Type, TypeId, VariableKind};

/// A term that is a block's address, or something behind it: `&b15 + 8`.
pub(crate) fn reference(term: &str) -> Option<(&str, u64)> {
    let term = term.trim().strip_prefix('&')?;
    let (name, offset) = term.split_once(" + ").unwrap_or((term, "0"));
    let is_name = !name.is_empty() && !name.contains([' ', '(']);
    is_name.then_some(())?;
    offset.trim().parse().ok().map(|offset| (name, offset))
}

/// The types of the blocks of a heap by their names; those of kinds are below the name of their list:
/// `b15 owned1`.
#[derive(Debug)]
pub(crate) struct Fields<'p> {
    program: &'p Program,
    types: BTreeMap<String, TypeId>,
}

impl<'p> Fields<'p> {
    pub(crate) fn of(program: &'p Program, heap: &HeapText) -> Fields<'p> {
        let mut fields = Fields { program, types: BTreeMap::new() };
        for frame in &heap.frames {
            for (object, block) in &frame.objects {
                fields.object(&frame.function, object, block);
            }
            for (name, term) in &frame.variables {
                let ty = fields.variable(Some(&frame.function), name);
                fields.learn(ty, term, "");
            }
        }
        for (name, term) in &heap.globals {
            let ty = fields.variable(None, name);
            fields.learn(ty, term, "");
        }
        for block in &heap.body.blocks {
            if let Nature::Static(Some(object)) = &block.nature {
                fields.object("", object, &block.name);
            }
        }
        // Ends because each round finds the type of a block that had none.
        while fields.propagate(&heap.body, "") {}
        fields
    }

    fn variable(&self, function: Option<&str>, name: &str) -> Option<TypeId> {
        let function = function.and_then(|name| self.program.function_named(name));
        let mut variables = self.program.variables.iter();
        let found = variables.find(|variable| {
            let is_global = matches!(variable.kind, VariableKind::Global { .. });
            variable.name == *name
                && if is_global { function.is_none() } else { variable.function == function }
        });
        found.map(|variable| variable.ty)
    }

    fn object(&mut self, function: &str, name: &str, block: &str) {
        let function = self.program.function_named(function);
        let mut objects = self.program.objects.iter();
        let found = objects.find(|object| {
            object.name == *name && (object.function == function || object.function.is_none())
        });
        if let Some(object) = found {
            self.types.insert(block.to_owned(), object.ty);
        }
    }

    /// A value of this type is held somewhere: what it leads to has the type that it points to.
    fn learn(&mut self, ty: Option<TypeId>, term: &str, inside: &str) -> bool {
        let Some((name, 0)) = reference(term) else { return false };
        let Some(Type::Pointer(pointee)) = ty.map(|ty| self.program.types.get(ty)) else {
            return false;
        };
        if !matches!(self.program.types.get(*pointee), Type::Record(_)) {
            return false;
        }
        self.types.insert(joined(inside, name), *pointee).is_none()
    }

    /// Whether a type was found.
    fn propagate(&mut self, body: &BodyText, inside: &str) -> bool {
        let mut has_learnt = false;
        for block in &body.blocks {
            let name = joined(inside, &block.name);
            has_learnt |= match &block.shape {
                Shape::Plain(cells) => {
                    let mut learnt = false;
                    for cell in cells {
                        let ty = self.field(&name, cell.offset).map(|(_, ty)| ty);
                        learnt |= self.learn(ty, &cell.value, inside);
                    }
                    learnt
                }
                Shape::LastOf(whole) => self.share(&name, &joined(inside, whole)),
                Shape::List(_) | Shape::Tree(_) => self.propagate_nodes(block, &name, inside),
                // Its nodes may be of several types, and elements are of that of their array.
                Shape::Instance(_) | Shape::Row(_) | Shape::Slot(_) => false,
            };
        }
        has_learnt
    }

    fn propagate_nodes(&mut self, block: &BlockText, name: &str, inside: &str) -> bool {
        let mut has_learnt = false;
        let neighbours = match &block.shape {
            Shape::List(list) => vec![Some(&list.end), list.back.as_ref()],
            Shape::Tree(tree) => vec![tree.end.as_ref(), tree.back.as_ref()],
            Shape::Plain(_)
            | Shape::LastOf(_)
            | Shape::Instance(_)
            | Shape::Row(_)
            | Shape::Slot(_) => Vec::new(),
        };
        for term in neighbours.into_iter().flatten() {
            if let Some((other, 0)) = reference(term) {
                has_learnt |= self.share(&joined(inside, other), name);
            }
        }
        for kind in block.kinds() {
            if let Some(node) = kind.body.blocks.first() {
                has_learnt |= self.share(&joined(name, &node.name), name);
            }
            has_learnt |= self.propagate(&kind.body, name);
        }
        has_learnt
    }

    /// Two blocks are of one type.
    fn share(&mut self, one: &str, other: &str) -> bool {
        match (self.types.get(one).copied(), self.types.get(other).copied()) {
            (Some(ty), None) => self.types.insert(other.to_owned(), ty).is_none(),
            (None, Some(ty)) => self.types.insert(one.to_owned(), ty).is_none(),
            (Some(_), Some(_)) | (None, None) => false,
        }
    }

    /// `struct item`; none where it is not known.
    pub(crate) fn type_name(&self, block: &str) -> Option<String> {
        let ty = *self.types.get(block)?;
        match self.program.types.get(ty) {
            Type::Record(record) => {
                let record = self.program.types.record(*record);
                let word = match record.kind {
                    heapwright_program::RecordKind::Struct => "struct",
                    heapwright_program::RecordKind::Union => "union",
                };
                Some(format!("{word} {}", record.name))
            }
            _ => None,
        }
    }

    /// `item`: how a sentence calls a node.
    pub(crate) fn noun(&self, block: &str) -> String {
        let name = self.type_name(block);
        name.map_or_else(|| "node".to_owned(), |name| name.replace("struct ", ""))
    }

    /// The name of what is at an offset: `next`; `+8` where no type is known.
    pub(crate) fn name(&self, block: &str, offset: u64) -> String {
        self.field(block, offset).map_or_else(|| format!("+{offset}"), |(name, _)| name)
    }

    pub(crate) fn is_pointer_variable(&self, function: Option<&str>, name: &str) -> bool {
        self.variable(function, name).is_some_and(|ty| self.is_pointer(ty))
    }

    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Pointer(_))
    }

    /// The scalar at an offset.
    pub(crate) fn field(&self, block: &str, offset: u64) -> Option<(String, TypeId)> {
        let ty = *self.types.get(block)?;
        self.scalar_at(ty, offset, String::new())
    }

    fn scalar_at(&self, ty: TypeId, offset: u64, name: String) -> Option<(String, TypeId)> {
        let types = &self.program.types;
        let size = |ty| types.size(ty, self.program.model).unwrap_or(0);
        match types.get(ty) {
            Type::Scalar(_) | Type::Pointer(_) => (offset == 0).then_some((name, ty)),
            Type::Record(record) => {
                let fields = &types.record(*record).fields;
                let found = fields.iter().find_map(|field| {
                    let inner = offset.checked_sub(field.offset)?;
                    let dot = if name.is_empty() || field.name.is_empty() { "" } else { "." };
                    let name = format!("{name}{dot}{}", field.name);
                    (inner < size(field.ty)).then_some((field.ty, inner, name))
                });
                let (ty, inner, name) = found?;
                self.scalar_at(ty, inner, name)
            }
            Type::Array { element, .. } => {
                let step = size(*element).max(1);
                self.scalar_at(*element, offset % step, format!("{name}[{}]", offset / step))
            }
            Type::Void | Type::Function { .. } | Type::Opaque(_) => None,
        }
    }
}

pub(crate) fn joined(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer} {name}") }
}
