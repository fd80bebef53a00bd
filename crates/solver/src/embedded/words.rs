//! Circuits on words: what each bit-vector operation is in gates.
//! A word is a slice of literals, lowest bit first. Constants disappear in the gates, so no
//! circuit has a special case for them unless it changes shape.

use super::gates::{Gates, Literal};

/// The literals of a bit-vector, lowest bit first.
pub(crate) type Word = Vec<Literal>;

/// Words from words.
impl Gates {
    pub(crate) fn complement(&mut self, a: &[Literal]) -> Word {
        a.iter().map(|&bit| !bit).collect()
    }

    pub(crate) fn map_pairs(
        &mut self,
        a: &[Literal],
        b: &[Literal],
        gate: impl Fn(&mut Self, Literal, Literal) -> Literal,
    ) -> Word {
        assert_eq!(a.len(), b.len(), "widths of {a:?} and {b:?}");
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    pub(crate) fn word_choice(&mut self, condition: Literal, a: &[Literal], b: &[Literal]) -> Word {
        self.map_pairs(a, b, |gates, x, y| gates.choice(condition, x, y))
    }

    /// The sum and the carry out of the highest bit.
    pub(crate) fn add(
        &mut self,
        a: &[Literal],
        b: &[Literal],
        carry_in: Literal,
    ) -> (Word, Literal) {
        let mut carry = carry_in;
        let sum = self.map_pairs_with(a, b, &mut carry);
        (sum, carry)
    }

    fn map_pairs_with(&mut self, a: &[Literal], b: &[Literal], carry: &mut Literal) -> Word {
        assert_eq!(a.len(), b.len(), "widths of {a:?} and {b:?}");
        let mut sum = Word::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.parity(x, y, *carry));
            *carry = self.majority(x, y, *carry);
        }
        sum
    }

    /// The difference, and whether `a` is at least `b`.
    pub(crate) fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Literal) {
        let negated = self.complement(b);
        self.add(a, &negated, Literal::TRUE)
    }

    pub(crate) fn negate_if(&mut self, condition: Literal, a: &[Literal]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        let zero = vec![Literal::FALSE; a.len()];
        self.add(&flipped, &zero, condition).0
    }

    /// The lowest `width` bits of the product, by adding shifted copies of `a`.
    pub(crate) fn multiply(&mut self, a: &[Literal], b: &[Literal], width: usize) -> Word {
        // Each known zero of the multiplier saves a row.
        let known_zeros = |word: &[Literal]| word.iter().filter(|&&x| x == Literal::FALSE).count();
        let (a, b) = if known_zeros(a) > known_zeros(b) { (b, a) } else { (a, b) };
        let mut product = vec![Literal::FALSE; width];
        for (shift, &factor) in b.iter().enumerate().take(width) {
            if factor == Literal::FALSE {
                continue;
            }
            let height = a.len().min(width - shift);
            let row: Word = a[..height].iter().map(|&bit| self.and(bit, factor)).collect();
            let (sum, carry) = self.add(&product[shift..shift + height], &row, Literal::FALSE);
            product[shift..shift + height].copy_from_slice(&sum);
            // Above the row the product so far is zero, so the carry goes no further.
            if let Some(next) = product.get_mut(shift + height) {
                *next = carry;
            }
        }
        product
    }

    /// Quotient and remainder, by restoring division. With divisor zero every step subtracts
    /// nothing and succeeds: all ones and the dividend, as SMT-LIB has it.
    pub(crate) fn divide(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = vec![Literal::FALSE; width];
        let mut remainder: Word = Vec::new();
        let longest = longest_remainder(b);
        for position in (0..width).rev() {
            // The remainder has as many bits as dividend bits have come down; a divisor with a
            // one above them is too large.
            remainder.insert(0, a[position]);
            let length = remainder.len();
            let (difference, is_enough) = self.subtract(&remainder, &b[..length]);
            let is_small = !self.any(b[length..].iter().copied());
            let fits = self.and(is_enough, is_small);
            remainder = self.word_choice(fits, &difference, &remainder);
            remainder.truncate(longest);
            quotient[position] = fits;
        }
        remainder.resize(width, Literal::FALSE);
        (quotient, remainder)
    }

    /// Quotient and remainder truncated toward zero, by dividing magnitudes.
    pub(crate) fn signed_divide(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
        if let Some(exponent) = power_of_two(b) {
            return self.signed_divide_by_power(a, exponent);
        }
        let (a_size, b_size) = (self.negate_if(a_sign, a), self.negate_if(b_sign, b));
        let (quotient, remainder) = self.divide(&a_size, &b_size);
        let is_negative = self.xor(a_sign, b_sign);
        (self.negate_if(is_negative, &quotient), self.negate_if(a_sign, &remainder))
    }

    /// By shifting, after making a negative dividend round toward zero.
    fn signed_divide_by_power(&mut self, a: &[Literal], exponent: usize) -> (Word, Word) {
        let sign = a[a.len() - 1];
        let mut bias = vec![Literal::FALSE; a.len()];
        bias[..exponent].fill(sign);
        let (biased, _) = self.add(a, &bias, Literal::FALSE);
        let mut quotient = biased[exponent..].to_vec();
        quotient.resize(a.len(), sign_of(&biased));
        let mut remainder = biased;
        remainder[exponent..].fill(Literal::FALSE);
        (quotient, self.subtract(&remainder, &bias).0)
    }

    /// Shifts right by the number `amount`, filling from above.
    pub(crate) fn shift_right(&mut self, a: &[Literal], amount: &[Literal], fill: Literal) -> Word {
        let mut result = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate() {
            let places = 1usize.checked_shl(u32::try_from(stage).expect("a width")).unwrap_or(0);
            // Stages that shift everything out only need to know whether one of them is on.
            if places == 0 || places >= a.len() {
                let is_gone = self.any(amount[stage..].iter().copied());
                let filled = vec![fill; a.len()];
                return self.word_choice(is_gone, &filled, &result);
            }
            let mut shifted = result[places..].to_vec();
            shifted.resize(a.len(), fill);
            result = self.word_choice(bit, &shifted, &result);
        }
        result
    }

    /// Shifts left by the number `amount`.
    pub(crate) fn shift_left(&mut self, a: &[Literal], amount: &[Literal]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, amount, Literal::FALSE);
        result.reverse();
        result
    }
}

/// Truth values from words.
impl Gates {
    pub(crate) fn words_equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let bits = self.map_pairs(a, b, Self::equal);
        self.all(bits)
    }

    /// `a < b` is: subtracting borrows.
    pub(crate) fn unsigned_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        assert_eq!(a.len(), b.len(), "widths of {a:?} and {b:?}");
        let is_less = |(&x, &y): (&Literal, &Literal)| (x, y);
        a.iter()
            .zip(b)
            .map(is_less)
            .fold(Literal::FALSE, |borrow, (x, y)| self.majority(!x, y, borrow))
    }

    /// The order of unsigned numbers after moving the minimum to zero.
    pub(crate) fn signed_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let flip_sign = |word: &[Literal]| {
            let mut word = word.to_vec();
            let last = word.len() - 1;
            word[last] = !word[last];
            word
        };
        self.unsigned_less(&flip_sign(a), &flip_sign(b))
    }

    pub(crate) fn unsigned_multiply_overflows(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let width = a.len();
        let product = self.multiply(a, b, 2 * width);
        self.any(product[width..].iter().copied())
    }

    /// The exact product of the magnitudes is beyond the range: above the maximum, or above the
    /// minimum's magnitude for a negative result.
    pub(crate) fn signed_multiply_overflows(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let width = a.len();
        let (a_sign, b_sign) = (sign_of(a), sign_of(b));
        let (a_size, b_size) = (self.negate_if(a_sign, a), self.negate_if(b_sign, b));
        let product = self.multiply(&a_size, &b_size, 2 * width);
        let is_negative = self.xor(a_sign, b_sign);
        let is_large = self.any(product[width..].iter().copied());
        let has_rest = self.any(product[..width - 1].iter().copied());
        let is_beyond_minimum = self.or(!is_negative, has_rest);
        let is_beyond = self.and(product[width - 1], is_beyond_minimum);
        self.or(is_large, is_beyond)
    }
}

pub(crate) fn sign_of(word: &[Literal]) -> Literal {
    word[word.len() - 1]
}

/// The bits that a remainder may have: those of its divisor, which is greater, unless that may be zero.
fn longest_remainder(divisor: &[Literal]) -> usize {
    let is_zero = !divisor.contains(&Literal::TRUE);
    let highest = divisor.iter().rposition(|&bit| bit != Literal::FALSE);
    match highest {
        Some(highest) if !is_zero => highest + 1,
        Some(_) | None => divisor.len(),
    }
}

/// The exponent, if the word is a constant power of two below the sign bit.
fn power_of_two(word: &[Literal]) -> Option<usize> {
    let is_constant = word.iter().all(|bit| bit.is_constant());
    let mut ones = word.iter().enumerate().filter(|&(_, &bit)| bit == Literal::TRUE);
    let (exponent, _) = ones.next()?;
    let is_power = is_constant && ones.next().is_none() && exponent + 1 < word.len();
    is_power.then_some(exponent)
}
