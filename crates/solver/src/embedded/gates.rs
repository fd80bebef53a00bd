//! Gates: a circuit in which every gate exists once and constants are gone.
//! Besides AND there are XOR, choice, majority and parity: they keep arithmetic small (a full adder
//! is two gates) and have good direct clauses. Negation is a bit of the literal.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A gate's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);

    fn of_gate(index: usize) -> Self {
        Self(u32::try_from(index).expect("too many gates") << 1)
    }

    pub(crate) fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn is_constant(self) -> bool {
        self.index() == 0
    }

    fn negate_if(self, condition: bool) -> Self {
        Self(self.0 ^ u32::from(condition))
    }

    fn without_negation(self) -> Self {
        Self(self.0 & !1)
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What drives one output. Inputs are ordered and free of constants, so equal gates are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// The constant false; gate number zero.
    False,
    /// A free input.
    Input,
    And(Literal, Literal),
    /// Inputs not negated.
    Xor(Literal, Literal),
    /// Condition and then-input not negated.
    Choice(Literal, Literal, Literal),
    /// At least two of three: the carry of a full adder. At most one input negated.
    Majority(Literal, Literal, Literal),
    /// An odd number of three: the sum of a full adder. Inputs not negated.
    Parity(Literal, Literal, Literal),
    /// All of four or more; the position in the table of wide gates.
    All(u32),
}

/// The circuit.
#[derive(Debug)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, Literal>,
    wide: Vec<Box<[Literal]>>,
    known_wide: FxHashMap<Box<[Literal]>, Literal>,
    pub(crate) hits: u64,
}

impl Gates {
    pub(crate) fn new() -> Self {
        Self {
            gates: vec![Gate::False],
            known: FxHashMap::default(),
            wide: Vec::new(),
            known_wide: FxHashMap::default(),
            hits: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, literal: Literal) -> Gate {
        self.gates[literal.index()]
    }

    /// The inputs of `Gate::All`.
    pub(crate) fn wide_inputs(&self, position: u32) -> &[Literal] {
        &self.wide[position as usize]
    }

    pub(crate) fn input(&mut self) -> Literal {
        self.gates.push(Gate::Input);
        Literal::of_gate(self.gates.len() - 1)
    }

    fn make(&mut self, gate: Gate) -> Literal {
        if let Some(&literal) = self.known.get(&gate) {
            self.hits += 1;
            return literal;
        }
        self.gates.push(gate);
        let literal = Literal::of_gate(self.gates.len() - 1);
        self.known.insert(gate, literal);
        literal
    }

    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Literal::FALSE => return a,
            Literal::TRUE => return b,
            _ if a == b => return a,
            _ if a == !b => return Literal::FALSE,
            _ => {}
        }
        for (outer, inner) in [(a, b), (b, a)] {
            let Gate::And(x, y) = self.gate(inner) else { continue };
            let mentions = |literal| x == literal || y == literal;
            match inner.is_negated() {
                false if mentions(outer) => return inner,
                false if mentions(!outer) => return Literal::FALSE,
                true if mentions(!outer) => return outer,
                true if mentions(outer) => {
                    let other = if x == outer { y } else { x };
                    return self.and(outer, !other);
                }
                false | true => {}
            }
        }
        self.make(Gate::And(a, b))
    }

    pub(crate) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let is_negated = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.without_negation(), b.without_negation());
        let (a, b) = (a.min(b), a.max(b));
        let positive = if a == b {
            Literal::FALSE
        } else if a == Literal::FALSE {
            b
        } else {
            self.make(Gate::Xor(a, b))
        };
        positive.negate_if(is_negated)
    }

    pub(crate) fn equal(&mut self, a: Literal, b: Literal) -> Literal {
        !self.xor(a, b)
    }

    pub(crate) fn choice(&mut self, condition: Literal, a: Literal, b: Literal) -> Literal {
        if condition.is_negated() {
            return self.choice(!condition, b, a);
        }
        if condition == Literal::FALSE || a == b {
            return b;
        }
        if a == !b {
            return self.equal(condition, a);
        }
        if a == Literal::TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == Literal::FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == Literal::TRUE || b == !condition {
            return self.or(!condition, a);
        }
        if b == Literal::FALSE || b == condition {
            return self.and(condition, a);
        }
        let is_negated = a.is_negated();
        let gate = Gate::Choice(condition, a.negate_if(is_negated), b.negate_if(is_negated));
        self.make(gate).negate_if(is_negated)
    }

    pub(crate) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        // Constants sort first, and so does a literal before its negation.
        match a {
            Literal::FALSE => return self.and(b, c),
            Literal::TRUE => return self.or(b, c),
            _ => {}
        }
        if a == b || a == !b {
            return if a == b { a } else { c };
        }
        if b == c || b == !c {
            return if b == c { b } else { a };
        }
        // The majority of negations is the negation of the majority.
        let is_negated = inputs.iter().filter(|input| input.is_negated()).count() >= 2;
        let [a, b, c] = inputs.map(|input| input.negate_if(is_negated));
        self.make(Gate::Majority(a, b, c)).negate_if(is_negated)
    }

    pub(crate) fn parity(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let is_negated = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut inputs = [a, b, c].map(Literal::without_negation);
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let positive = if a == b {
            c
        } else if b == c {
            a
        } else if a == Literal::FALSE {
            self.xor(b, c)
        } else {
            self.make(Gate::Parity(a, b, c))
        };
        positive.negate_if(is_negated)
    }

    /// The conjunction of any number of inputs, as one gate if they are many.
    pub(crate) fn all(&mut self, inputs: impl IntoIterator<Item = Literal>) -> Literal {
        let mut inputs: Vec<Literal> = inputs.into_iter().collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|&input| input != Literal::TRUE);
        let is_contradiction = inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        if inputs.first() == Some(&Literal::FALSE) || is_contradiction {
            return Literal::FALSE;
        }
        if inputs.len() < 4 {
            return inputs.into_iter().fold(Literal::TRUE, |result, input| self.and(result, input));
        }
        let inputs = inputs.into_boxed_slice();
        if let Some(&literal) = self.known_wide.get(&inputs) {
            self.hits += 1;
            return literal;
        }
        let position = u32::try_from(self.wide.len()).expect("too many gates");
        self.gates.push(Gate::All(position));
        let literal = Literal::of_gate(self.gates.len() - 1);
        self.wide.push(inputs.clone());
        self.known_wide.insert(inputs, literal);
        literal
    }

    pub(crate) fn any(&mut self, inputs: impl IntoIterator<Item = Literal>) -> Literal {
        !self.all(inputs.into_iter().map(|input| !input))
    }
}
