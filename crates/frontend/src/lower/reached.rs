//! Which functions a program may come to, guessed from where names stand in its source.
//!
//! A name in a body is used by that function, one outside of all bodies (an initialiser, an expanded macro) by
//! the program itself. A guess is enough: lowering sees it when it needs a function that was left out, and then
//! nothing is left out.

use rucc_base::Idx;
use rucc_sema::{Base, Const, DeclId, DeclKind, Expr, ExprKind, Linkage};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::entry::ASKS;
use crate::syntax::Unit;

/// A function as a linker sees it: by its name, and by its unit where only that knows it.
type Key<'u> = (Option<usize>, &'u str);

/// The functions that are defined and may be needed.
pub(crate) struct Reached<'u>(FxHashSet<Key<'u>>);

impl<'u> Reached<'u> {
    /// What `main` and the initialisers of static objects lead to, if there is a `main`.
    pub(crate) fn from_main(units: &'u [Unit]) -> Option<Reached<'u>> {
        let mut uses = Uses::default();
        for (index, unit) in units.iter().enumerate() {
            uses.add_unit(index, unit);
        }
        let main: Key<'u> = (None, "main");
        if !uses.defined.contains(&main) {
            return None;
        }
        // What looks at calls is called by nobody yet.
        let asks = uses.defined.iter().filter(|(_, name)| name.starts_with(ASKS));
        let mut waiting: Vec<Key<'u>> = asks.copied().chain(uses.everywhere).collect();
        waiting.push(main);
        let mut reached = FxHashSet::default();
        while let Some(key) = waiting.pop() {
            if reached.insert(key) {
                waiting.extend(uses.by_function.remove(&key).unwrap_or_default());
            }
        }
        Some(Reached(reached))
    }

    pub(crate) fn contains(&self, index: usize, unit: &Unit, function: DeclId) -> bool {
        self.0.contains(&key(index, unit, function))
    }
}

/// Who uses which functions.
#[derive(Default)]
struct Uses<'u> {
    defined: FxHashSet<Key<'u>>,
    by_function: FxHashMap<Key<'u>, Vec<Key<'u>>>,
    /// What is used outside of all bodies.
    everywhere: Vec<Key<'u>>,
}

impl<'u> Uses<'u> {
    fn add_unit(&mut self, index: usize, unit: &'u Unit) {
        let mut bodies = Vec::new();
        for &id in unit.tast.top_level() {
            if let Some(body) = unit.tast[id].body {
                let own = key(index, unit, id);
                self.defined.insert(own);
                bodies.push((unit.tast.stmt_span(body), own));
            }
        }
        bodies.sort_by_key(|(span, _)| *span);
        for number in 0..unit.tast.counts().exprs {
            let id = Idx::<Expr>::from_usize(number);
            let Some(used) = function_named(unit, id) else { continue };
            let start = unit.tast.expr_span(id).lo;
            let before = bodies.partition_point(|(span, _)| span.lo <= start);
            let around = before.checked_sub(1).map(|last| bodies[last]);
            let used = key(index, unit, used);
            match around.filter(|(span, _)| start < span.hi) {
                Some((_, user)) => self.by_function.entry(user).or_default().push(used),
                None => self.everywhere.push(used),
            }
        }
    }
}

/// The function that an expression names.
fn function_named(unit: &Unit, id: Idx<Expr>) -> Option<DeclId> {
    let decl = match unit.tast[id].kind {
        ExprKind::Decl(decl) => decl,
        ExprKind::Const(constant) => match unit.tast[constant] {
            Const::Address(address) => match address.base {
                Base::Decl(decl) => decl,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    (unit.tast[decl].kind == DeclKind::Function).then_some(decl)
}

fn key<'u>(index: usize, unit: &'u Unit, function: DeclId) -> Key<'u> {
    let decl = &unit.tast[function];
    let name = decl.name.map_or("", |name| unit.names.resolve(name));
    match decl.linkage {
        // `__builtin_strlen` is another name for `strlen`.
        Linkage::External => (None, name.strip_prefix("__builtin_").unwrap_or(name)),
        Linkage::Internal | Linkage::None => (Some(index), name),
    }
}
