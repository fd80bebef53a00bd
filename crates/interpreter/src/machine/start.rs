//! Before the first step: static objects, functions, globals and the arguments of `main` come into
//! memory.

use heapwright_base::DenseId;
use heapwright_memory::{
    Allocation, BlockId, BlockKind, Contents, Memory, MemoryLimit, Origin, Value,
};
use heapwright_program::{
    AddressTarget, Expression, ExpressionId, FunctionId, ObjectId, ObjectKind, Program,
    VariableKind,
};
use rustc_hash::FxHashMap;

use crate::arithmetic;
use crate::compile::START_REGISTERS;
use crate::executable::{Executable, PoolEntry, nowhere};
use crate::inputs::{ChoiceKind, Draws, NamedChoices};
use crate::kind::Kind;
use crate::library::Files;
use crate::machine::effects::FORGET_AFTER;
use crate::machine::{Ended, Machine, Streams};
use crate::report::Outcome;
use crate::settings::{Environment, Settings};
use crate::trace::Trace;

/// Serials of static objects are this and the object's number, those of functions `FUNCTIONS` and
/// the function's, those of arguments and streams `ARGUMENTS` and their position; blocks that the
/// running program makes count from 0.
pub(crate) const STATICS: u64 = 1 << 63;
const FUNCTIONS: u64 = STATICS | 1 << 62;
const ARGUMENTS: u64 = STATICS | 1 << 61;

pub(crate) fn start<'e>(
    executable: &'e Executable<'e>,
    settings: &'e Settings,
    environment: Environment<'e>,
) -> Machine<'e> {
    let program = executable.program;
    let Environment { inputs, output, error_output } = environment;
    let mut machine = Machine {
        executable,
        settings,
        memory: Memory::new(program.model, settings.limits.memory),
        registers: vec![Value::ZERO; START_REGISTERS],
        globals: Vec::new(),
        pool: Vec::new(),
        frames: Vec::new(),
        base: 0,
        window: START_REGISTERS,
        pc: 0,
        steps: 0,
        draws: Draws::new(inputs, program.model, settings.record_inputs),
        output,
        error_output,
        output_bytes: 0,
        allocas: Vec::new(),
        next_serial: 0,
        shows_addresses: false,
        sees_choices: false,
        inexact: false,
        named_choices: NamedChoices::default(),
        replaced: None,
        forget_at: FORGET_AFTER,
        notes: Vec::new(),
        noted: Vec::new(),
        handlers: Vec::new(),
        exit_status: None,
        exit_pc: 0,
        streams: Streams::default(),
        unread: None,
        files: Files::default(),
        ended: None,
        trace: Trace::new(settings.trace),
        openness: settings.follow_course.then(Box::default),
    };
    if let Err(limit) = machine.fill_memory() {
        machine.ended = Some(Outcome::Limit(limit.into()));
    }
    if executable.main.is_none() {
        let construct = "a program without `main`".to_owned();
        let place = nowhere();
        machine.ended = Some(Outcome::Unsupported { construct, place, blame: place });
    }
    machine
}

/// Where the blocks of static things are, by their numbers.
struct Statics<'p> {
    program: &'p Program,
    objects: Vec<Value>,
    functions: Vec<Value>,
}

/// What the block of a static object is called.
#[must_use]
pub fn static_serial(object: ObjectId) -> u64 {
    STATICS | object.index() as u64
}

/// The block of a static object. They are made first, in order, but for local ones.
pub(crate) fn static_block(memory: &Memory, object: ObjectId) -> Option<BlockId> {
    block_called(memory, static_serial(object))
}

/// The block of a function's address.
pub(crate) fn function_block_of(memory: &Memory, function: FunctionId) -> Option<BlockId> {
    block_called(memory, FUNCTIONS | function.index() as u64)
}

pub(crate) fn block_called(memory: &Memory, serial: u64) -> Option<BlockId> {
    memory.blocks().find(|(_, record)| record.serial == serial).map(|(id, _)| id)
}

impl Machine<'_> {
    fn fill_memory(&mut self) -> Result<(), MemoryLimit> {
        let program = self.executable.program;
        let mut statics = Statics { program, objects: Vec::new(), functions: Vec::new() };
        statics.objects = vec![Value::ZERO; program.objects.len()];
        let (literals, others): (Vec<_>, Vec<_>) =
            program.objects.ids().partition(|&id| is_literal(program, id));
        for id in others {
            statics.objects[id.index()] = self.static_object(id)?;
        }
        self.string_literals(&mut statics, literals)?;
        for id in program.functions.ids() {
            let value = self.function_block(id)?;
            statics.functions.push(value);
        }
        for id in program.objects.ids() {
            self.set_addresses(&statics, id);
        }
        self.streams = self.make_streams(&statics)?;
        self.fill_tables(&statics);
        self.protect_constants(&statics);
        self.make_arguments()
    }

    /// String literals, which may share their bytes. The longest come first, so that the end of one
    /// can be another.
    fn string_literals(
        &mut self,
        statics: &mut Statics<'_>,
        mut literals: Vec<ObjectId>,
    ) -> Result<(), MemoryLimit> {
        let sharing =
            if literals.len() < 2 { 0 } else { self.draws.choose(ChoiceKind::Literals, 4) };
        let shares_ends = sharing == 2;
        if shares_ends {
            literals.sort_by_key(|&id| std::cmp::Reverse(literal_bytes(statics.program, id).len()));
        }
        let mut equal: FxHashMap<(&[u8], u64), ObjectId> = FxHashMap::default();
        for (number, &id) in literals.iter().enumerate() {
            let alignment = statics.program.objects[id].alignment;
            let earlier =
                equal.entry((literal_bytes(statics.program, id), alignment)).or_insert(id);
            let base = |host: ObjectId| statics.objects[host.index()].low;
            let shared = match sharing {
                2 => literals[..number]
                    .iter()
                    .rev()
                    .find_map(|&host| Some(base(host) + shared_lead(statics.program, host, id)?)),
                0 | 1 if *earlier != id => Some(base(*earlier)),
                _ => None,
            };
            statics.objects[id.index()] = match shared {
                Some(base) => self.shared_literal(id, base)?,
                None => self.static_object(id)?,
            };
        }
        Ok(())
    }

    /// A literal at the address of another: a block of its own, so that its bounds are its own.
    fn shared_literal(&mut self, id: ObjectId, base: u64) -> Result<Value, MemoryLimit> {
        let (allocation, bytes) =
            static_allocation(self.executable.program, id).expect("a literal is static");
        let block = self.memory.reoccupy(allocation, base)?;
        self.memory.set_initial(block, 0, bytes);
        Ok(self.memory.pointer_to(block))
    }

    fn static_object(&mut self, id: ObjectId) -> Result<Value, MemoryLimit> {
        let Some((allocation, bytes)) = static_allocation(self.executable.program, id) else {
            return Ok(Value::ZERO);
        };
        let block = self.memory.allocate(allocation)?;
        self.memory.set_initial(block, 0, bytes);
        Ok(self.memory.pointer_to(block))
    }

    /// From now on nobody writes the static objects of const type.
    fn protect_constants(&mut self, statics: &Statics<'_>) {
        let constants = self.executable.program.objects.enumerated();
        for (id, _) in constants.filter(|(_, object)| object.is_constant) {
            if let Some(block) = statics.objects[id.index()].block() {
                self.memory.set_read_only(block, true);
            }
        }
    }

    fn function_block(&mut self, id: FunctionId) -> Result<Value, MemoryLimit> {
        let block = self.memory.allocate(Allocation {
            kind: BlockKind::Function,
            origin: Origin::Function(id),
            serial: FUNCTIONS | id.index() as u64,
            size: 1,
            alignment: 16,
            contents: Contents::Zero,
            place: self.executable.program.functions[id].place,
        })?;
        Ok(self.memory.pointer_to(block))
    }

    fn set_addresses(&mut self, statics: &Statics<'_>, id: ObjectId) {
        let addresses = match &self.executable.program.objects[id].kind {
            ObjectKind::Static { addresses, .. } => addresses,
            ObjectKind::String { .. } | ObjectKind::External | ObjectKind::Local => return,
        };
        let block = statics.objects[id.index()].block().expect("static objects have blocks");
        let mask = arithmetic::pointer_mask(self.executable.program.model);
        for address in addresses {
            let target = statics.target(address.target);
            let low = target.low.wrapping_add_signed(address.addend) & mask;
            self.memory.set_initial_pointer(
                block,
                address.offset,
                Value { low, high: target.high },
            );
        }
    }

    /// Points `stdin`, `stdout` and `stderr`, where the program declares them, to blocks that
    /// stand for them.
    fn make_streams(&mut self, statics: &Statics<'_>) -> Result<Streams, MemoryLimit> {
        let mut streams = Streams::default();
        let pointer_size = self.executable.program.model.pointer_size();
        for (id, object) in self.executable.program.objects.enumerated() {
            let slot = match object.name.as_str() {
                "stdin" => &mut streams.input,
                "stdout" => &mut streams.output,
                "stderr" => &mut streams.error,
                _ => continue,
            };
            if object.kind != ObjectKind::External || object.size != Some(pointer_size) {
                continue;
            }
            let stream = self.anonymous(1 << 32 | id.index() as u64, 1)?;
            *slot = Some(stream);
            let block = statics.objects[id.index()].block().expect("static objects have blocks");
            let pointer = self.memory.pointer_to(stream);
            self.memory.set_initial_pointer(block, 0, pointer);
        }
        Ok(streams)
    }

    /// A block that stands for the file that is opened as this one.
    pub(crate) fn new_stream(&mut self, number: u64) -> Result<BlockId, Ended> {
        self.anonymous(1 << 33 | number, 1).map_err(Machine::limit)
    }

    fn anonymous(&mut self, number: u64, size: u64) -> Result<BlockId, MemoryLimit> {
        self.memory.allocate(Allocation {
            kind: BlockKind::Static,
            origin: Origin::Anonymous,
            serial: ARGUMENTS | number,
            size,
            alignment: 16,
            contents: Contents::Zero,
            place: nowhere(),
        })
    }

    fn fill_tables(&mut self, statics: &Statics<'_>) {
        for entry in &self.executable.pool {
            self.pool.push(match *entry {
                PoolEntry::Bits(bits) => Value::from_wide(bits),
                PoolEntry::Object(object) => statics.objects[object.index()],
                PoolEntry::Function(function) => statics.functions[function.index()],
            });
        }
        for global in &self.executable.globals {
            let initial = match statics.program.variables[global.variable].kind {
                VariableKind::Global { initial } => initial,
                kind
                @ (VariableKind::Parameter | VariableKind::Local | VariableKind::Temporary) => {
                    panic!("{} is a global and {kind:?}", global.variable)
                }
            };
            if let Some(openness) = &mut self.openness {
                // An address that a number was initialised with.
                let is_open = global.kind != Kind::Pointer && statics.names_address(initial);
                openness.set_global(self.globals.len(), is_open);
            }
            self.globals.push(statics.evaluate(initial));
        }
    }

    /// `argc`, `argv` and an empty environment.
    fn make_arguments(&mut self) -> Result<(), MemoryLimit> {
        let settings = self.settings;
        let arguments = &settings.arguments;
        let size = self.executable.program.model.pointer_size();
        let vector = self.anonymous(0, (arguments.len() as u64 + 1) * size)?;
        for (number, argument) in (0..).zip(arguments) {
            let text = self.anonymous(number + 1, argument.len() as u64 + 1)?;
            self.memory.set_initial(text, 0, argument.as_bytes());
            let pointer = self.memory.pointer_to(text);
            self.memory.set_initial_pointer(vector, number * size, pointer);
        }
        let environment = self.anonymous(arguments.len() as u64 + 1, size)?;
        self.registers[1] = Value::from_low(arguments.len() as u64);
        self.registers[2] = self.memory.pointer_to(vector);
        self.registers[3] = self.memory.pointer_to(environment);
        Ok(())
    }
}

/// The block of an object and its first bytes; none for one that is local.
fn static_allocation(program: &Program, id: ObjectId) -> Option<(Allocation, &[u8])> {
    let object = &program.objects[id];
    let (kind, contents, bytes) = match &object.kind {
        ObjectKind::Static { bytes, .. } => (BlockKind::Static, Contents::Zero, bytes.as_slice()),
        ObjectKind::String { bytes } => (BlockKind::String, Contents::Zero, bytes.as_slice()),
        ObjectKind::External => (BlockKind::Static, Contents::Uninitialised, &[][..]),
        ObjectKind::Local => return None,
    };
    let allocation = Allocation {
        kind,
        origin: Origin::Object(id),
        serial: static_serial(id),
        size: object.size.unwrap_or(bytes.len() as u64),
        alignment: object.alignment.max(1),
        contents,
        place: object.place,
    };
    Some((allocation, bytes))
}

fn is_literal(program: &Program, id: ObjectId) -> bool {
    matches!(program.objects[id].kind, ObjectKind::String { .. })
}

fn literal_bytes(program: &Program, id: ObjectId) -> &[u8] {
    match &program.objects[id].kind {
        ObjectKind::String { bytes } => bytes,
        ObjectKind::Static { .. } | ObjectKind::External | ObjectKind::Local => &[],
    }
}

/// How far into the literal `host` another begins, if it is its end.
fn shared_lead(program: &Program, host: ObjectId, id: ObjectId) -> Option<u64> {
    let (whole, end) = (literal_bytes(program, host), literal_bytes(program, id));
    let lead = (whole.len() as u64).checked_sub(end.len() as u64)?;
    let is_aligned = program.objects[host].alignment == program.objects[id].alignment
        && lead.is_multiple_of(program.objects[id].alignment.max(1));
    (is_aligned && whole.ends_with(end)).then_some(lead)
}

impl Statics<'_> {
    fn target(&self, target: AddressTarget) -> Value {
        match target {
            AddressTarget::Object(object) => self.objects[object.index()],
            AddressTarget::Function(function) => self.functions[function.index()],
        }
    }

    /// The value of a constant expression with addresses.
    fn evaluate(&self, id: ExpressionId) -> Value {
        let expressions = &self.program.expressions;
        let kind = |id| Kind::of(expressions.type_of(id));
        match expressions.get(id) {
            Expression::Constant { ty, bits } => Kind::of(ty).value(bits),
            Expression::Variable(variable) => panic!("an initial value reads {variable}"),
            Expression::ObjectAddress(object) => self.target(AddressTarget::Object(object)),
            Expression::FunctionAddress(function) => self.target(AddressTarget::Function(function)),
            Expression::Unary { operator, operand } => {
                arithmetic::unary(operator, kind(operand), self.evaluate(operand)).0
            }
            Expression::Binary { operator, left, right } => {
                let (a, b) = (self.evaluate(left), self.evaluate(right));
                let computed = arithmetic::binary(operator, kind(left), a, b, self.program.model);
                computed.unwrap_or_else(|fault| panic!("{fault} in initial value {id}")).0
            }
            Expression::Convert { operand, ty } => {
                let value = self.evaluate(operand);
                arithmetic::convert(kind(operand), Kind::of(ty), value, self.program.model)
            }
        }
    }

    /// Whether an initial value has an address in it.
    fn names_address(&self, id: ExpressionId) -> bool {
        let mut found = false;
        self.program.expressions.visit(id, &mut |_, node| {
            found |= matches!(node, Expression::ObjectAddress(_) | Expression::FunctionAddress(_));
        });
        found
    }
}
