//! Names of a text that the program gives a meaning: functions, locations, variables and objects.

use heapwright_base::DenseId;
use heapwright_program::{
    Callee, EdgeId, FunctionId, LocationId, ObjectId, Operation, Program, VariableId,
};

use crate::fixed::FixedBlocks;
use crate::syntax::{BodyText, FrameText, HeapText, OutsideText, PredicateText, Shape, TermText};

/// What a text claims, with the program's names looked up.
#[derive(Clone, Debug)]
pub struct Claim {
    pub globals: Vec<(VariableId, TermText)>,
    pub frames: Vec<ClaimFrame>,
    pub body: BodyText,
    /// What callers hold whose frames are cut off: such a claim is about a part of the memory.
    pub outside: Option<OutsideText>,
    /// What instances are of.
    pub predicates: Vec<PredicateText>,
    /// Blocks that the text need not list.
    pub(crate) fixed: FixedBlocks,
}

/// A call under way.
#[derive(Clone, Debug)]
pub struct ClaimFrame {
    pub function: FunctionId,
    /// Where it is; a caller is behind its call.
    pub location: LocationId,
    pub target: Option<VariableId>,
    pub variables: Vec<(VariableId, TermText)>,
    /// Local objects that are alive, and the names of their blocks.
    pub objects: Vec<(ObjectId, String)>,
    pub allocas: Vec<String>,
}

impl Claim {
    /// Looks the names of a text up; says which one the program does not have.
    pub fn of(program: &Program, heap: HeapText) -> Result<Claim, String> {
        let HeapText { part: _, globals, outside, frames, body, predicates, origins: _ } = heap;
        if let Some(wrong) = predicates.iter().find(|item| !item.makes_sense(&predicates)) {
            return Err(format!("the predicate {} makes no sense", wrong.name));
        }
        check_instances(&body, &predicates)?;
        let globals = globals
            .into_iter()
            .map(|(name, value)| Ok((variable(program, &name, None)?, value)))
            .collect::<Result<_, String>>()?;
        let mut found: Vec<ClaimFrame> = Vec::new();
        for frame in frames {
            let caller = found.last().map(|frame| frame.function);
            found.push(claim_frame(program, frame, caller)?);
        }
        let fixed = FixedBlocks::of(program);
        Ok(Claim { globals, frames: found, body, outside, predicates, fixed })
    }

    /// The functions and locations of its call stack, the outermost first.
    #[must_use]
    pub fn stack(&self) -> Vec<(FunctionId, LocationId)> {
        self.frames.iter().map(|frame| (frame.function, frame.location)).collect()
    }

    /// The call edges of all frames but the innermost, in each way in which there can be such a
    /// stack.
    #[must_use]
    pub fn callers(&self, program: &Program) -> Vec<Vec<(FunctionId, EdgeId)>> {
        let mut ways: Vec<Vec<(FunctionId, EdgeId)>> = vec![Vec::new()];
        for pair in self.stack().windows(2) {
            let calls = calls_to(program, pair[0], pair[1].0);
            let longer = |way: &Vec<(FunctionId, EdgeId)>| {
                let way = way.clone();
                calls.iter().map(move |&call| way.iter().copied().chain([call]).collect())
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        ways
    }
}

/// The edges that call a function and go on at a location.
fn calls_to(
    program: &Program,
    (caller, behind): (FunctionId, LocationId),
    called: FunctionId,
) -> Vec<(FunctionId, EdgeId)> {
    let body = program.functions[caller].body.as_ref();
    let edges = body.into_iter().flat_map(|body| body.edges.enumerated());
    let is_call = |operation: &Operation| {
        let Operation::Call { callee, .. } = operation else { return false };
        match callee {
            Callee::Direct(function) => *function == called,
            Callee::Indirect(_) => true,
        }
    };
    edges
        .filter(|(_, edge)| edge.target == behind && is_call(&edge.operation))
        .map(|(id, _)| (caller, id))
        .collect()
}

fn claim_frame(
    program: &Program,
    frame: FrameText,
    caller: Option<FunctionId>,
) -> Result<ClaimFrame, String> {
    let FrameText { function, location, target, variables, objects, allocas } = frame;
    let function = program
        .function_named(&function)
        .filter(|&id| program.functions[id].body.is_some())
        .ok_or_else(|| format!("there is no function `{function}` with a body"))?;
    let target = target.map(|target| match target.strip_prefix("global ") {
        Some(name) => variable(program, name, None),
        None => variable(program, &target, caller),
    });
    let variables = variables
        .into_iter()
        .map(|(name, value)| Ok((variable(program, &name, Some(function))?, value)));
    let objects = objects
        .into_iter()
        .map(|(name, block)| Ok((object(program, &name, Some(function))?, block)));
    Ok(ClaimFrame {
        function,
        location: location_of(program, function, &location)?,
        target: target.transpose()?,
        variables: variables.collect::<Result<_, String>>()?,
        objects: objects.collect::<Result<_, String>>()?,
        allocas,
    })
}

/// Every instance is of a predicate that the text defines, with as many arguments.
fn check_instances(body: &BodyText, predicates: &[PredicateText]) -> Result<(), String> {
    let fits = |name: &str, arguments: &[TermText]| {
        let is_it =
            |item: &PredicateText| item.name == name && item.parameters.len() == arguments.len();
        match predicates.iter().any(is_it) {
            true => Ok(()),
            false => Err(format!("there is no predicate {name} with these arguments")),
        }
    };
    for block in &body.blocks {
        if let Shape::Instance(instance) = &block.shape {
            fits(&instance.predicate, &instance.arguments)?;
            if let Some(hole) = &instance.hole {
                fits(&hole.predicate, &hole.arguments)?;
            }
        }
        for kind in block.kinds() {
            check_instances(&kind.body, predicates)?;
        }
    }
    Ok(())
}

fn location_of(program: &Program, function: FunctionId, name: &str) -> Result<LocationId, String> {
    let count = program.functions[function].body.as_ref().map_or(0, |body| body.location_count);
    let number = name.strip_prefix('L').and_then(|number| number.parse::<usize>().ok());
    number
        .filter(|&number| number < count)
        .map(LocationId::from_index)
        .ok_or_else(|| format!("there is no location `{name}`"))
}

fn variable(
    program: &Program,
    name: &str,
    function: Option<FunctionId>,
) -> Result<VariableId, String> {
    let mut variables = program.variables.enumerated();
    let found = variables.find(|(_, item)| item.function == function && item.name == name);
    found.map(|(id, _)| id).ok_or_else(|| format!("there is no variable `{name}`"))
}

fn object(program: &Program, name: &str, function: Option<FunctionId>) -> Result<ObjectId, String> {
    let mut objects = program.objects.enumerated();
    let found = objects.find(|(_, item)| item.function == function && item.name == name);
    found.map(|(id, _)| id).ok_or_else(|| format!("there is no object `{name}`"))
}
