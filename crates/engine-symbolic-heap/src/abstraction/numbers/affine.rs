//! Linear laws through points, modulo a power of two.
//!
//! A law says that so many times these numbers make a constant. All laws that hold at some points are the
//! left kernel of their differences; numbers modulo 2^w are no field, but of two of them one divides
//! the other, so that elimination with the pivot of fewest factors of two works. Rows are multiplied rather than
//! divided by odd numbers: a third is a number here, too, but none that a program has, and laws that only a few more points
//! would show to be plain ones must not be lost before. What holds only after it is
//! multiplied by a factor of two is not looked for. After Müller-Olm and Seidl, *Analysis of Modular Arithmetic*, 2007.

use heapwright_logic::BitVectorValue;

/// Coefficients that a program plausibly has.
const STEEPEST: i64 = 4096;

/// That the numbers, so many times each, make a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Law {
    pub(crate) coefficients: Vec<i64>,
    pub(crate) constant: u64,
}

/// Numbers modulo 2^w.
#[derive(Clone, Copy, Debug)]
struct Ring {
    width: u32,
}

impl Ring {
    fn of(self, number: u64) -> u64 {
        if self.width == 64 { number } else { number & ((1 << self.width) - 1) }
    }

    /// Factors of two; none has more than zero.
    fn factors(self, number: u64) -> u32 {
        self.of(number).trailing_zeros().min(self.width)
    }

    /// So many times a row, less so many times another.
    fn combine(self, row: &mut [u64], times: i64, (less, other): (i64, &[u64])) {
        for (entry, other) in row.iter_mut().zip(other) {
            let more = entry.wrapping_mul(times as u64);
            *entry = self.of(more.wrapping_sub((less as u64).wrapping_mul(*other)));
        }
    }

    /// Divides a row by the odd factors that all its entries from some place on have, as signed numbers.
    fn shorten(self, row: &mut [u64], from: usize) {
        let common = row[from..].iter().fold(0, |common, &entry| {
            greatest_common_factor(common, self.centred(entry).unsigned_abs())
        });
        if common == 0 {
            return;
        }
        let odd = common >> common.trailing_zeros();
        if odd > 1 {
            let inverse = self.inverse_of_odd(odd);
            row.iter_mut().for_each(|entry| *entry = self.of(entry.wrapping_mul(inverse)));
        }
    }

    fn inverse_of_odd(self, number: u64) -> u64 {
        let number = BitVectorValue::new(u128::from(number), 64);
        self.of(number.inverse_of_odd().bits() as u64)
    }

    /// As a signed number.
    fn centred(self, number: u64) -> i64 {
        let above = 64 - self.width;
        ((number << above) as i64) >> above
    }
}

fn greatest_common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_factor(b, a % b) }
}

/// The laws that hold at all these points, each of which has as many numbers. No law is the sum of others, and
/// each has a number that no other law has: an early one, where there is a choice.
pub(crate) fn laws_through(points: &[Vec<u64>], width: u32) -> Vec<Law> {
    let ring = Ring { width };
    let Some((origin, others)) = points.split_first() else { return Vec::new() };
    let kernel = solved(ring, kernel(ring, origin, others));
    let laws = kernel.into_iter().map(|row| Law {
        constant: ring.of(row
            .iter()
            .zip(origin)
            .fold(0u64, |sum, (a, x)| sum.wrapping_add(a.wrapping_mul(*x)))),
        coefficients: row.into_iter().map(|entry| ring.centred(entry)).collect(),
    });
    let is_plausible =
        |law: &Law| law.coefficients.iter().all(|c| c.unsigned_abs() <= STEEPEST as u64);
    laws.filter(is_plausible).collect()
}

/// Rows that give zero on every difference of a point to the first.
fn kernel(ring: Ring, origin: &[u64], others: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let size = origin.len();
    // Each number's differences, and behind them which combination of numbers the row is.
    let mut rows: Vec<Vec<u64>> = (0..size)
        .map(|number| {
            let differences =
                others.iter().map(|point| ring.of(point[number].wrapping_sub(origin[number])));
            let own = (0..size).map(|other| u64::from(other == number));
            differences.chain(own).collect()
        })
        .collect();
    for column in 0..others.len() {
        let rank = |row: &Vec<u64>| {
            let factors = ring.factors(row[column]);
            (factors, (ring.centred(row[column]) >> factors.min(63)).unsigned_abs())
        };
        let pivot = (0..rows.len()).min_by_key(|&row| rank(&rows[row]));
        let Some(pivot) = pivot.filter(|&row| rows[row][column] != 0) else { continue };
        let pivot = rows.remove(pivot);
        let factors = ring.factors(pivot[column]);
        // Only these bits of a multiple matter here. Numbers of a program make it a small one.
        let matters = Ring { width: ring.width - factors };
        let odd = matters.centred(matters.of(pivot[column] >> factors));
        for row in &mut rows {
            let times = matters.centred(matters.of(row[column] >> factors));
            ring.combine(row, odd, (times, &pivot));
            ring.shorten(row, others.len());
        }
        // What makes the pivot itself zero here may be needed where others differ in what does not matter here.
        if factors > 0 {
            let power = 1u64 << matters.width;
            rows.push(pivot.into_iter().map(|entry| ring.of(entry.wrapping_mul(power))).collect());
        }
    }
    rows.into_iter().map(|row| row[others.len()..].to_vec()).collect()
}

/// Each row has a number of its own, where there is one that it has once, or at least an odd number of times.
fn solved(ring: Ring, mut rows: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
    let size = rows.first().map_or(0, Vec::len);
    let mut done = 0;
    let is_once = |entry: u64| ring.centred(entry).unsigned_abs() == 1;
    let is_odd = |entry: u64| entry & 1 == 1;
    let ways: [&dyn Fn(u64) -> bool; 2] = [&is_once, &is_odd];
    for is_pivot in ways {
        for column in 0..size {
            let Some(pivot) = (done..rows.len()).find(|&row| is_pivot(rows[row][column])) else {
                continue;
            };
            rows.swap(done, pivot);
            if ring.centred(rows[done][column]) < 0 {
                rows[done].iter_mut().for_each(|entry| *entry = ring.of(entry.wrapping_neg()));
            }
            let pivot = rows[done].clone();
            let odd = ring.centred(pivot[column]);
            for (index, row) in rows.iter_mut().enumerate() {
                if index != done && row[column] != 0 {
                    let times = ring.centred(row[column]);
                    ring.combine(row, odd, (times, &pivot));
                    ring.shorten(row, 0);
                }
            }
            done += 1;
        }
    }
    rows.truncate(done);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(coefficients: &[i64], constant: i64) -> Law {
        Law { coefficients: coefficients.to_vec(), constant: constant as u64 }
    }

    #[test]
    fn a_line_goes_through_two_points() {
        let points = [vec![16, 4], vec![32, 8]];
        assert_eq!(laws_through(&points, 64), [law(&[1, -4], 0)]);
    }

    #[test]
    fn a_multiple_is_small_where_higher_bits_of_it_do_not_matter() {
        let points = [vec![1_073_741_820, 268_435_455], vec![4, 1]];
        assert_eq!(laws_through(&points, 32), [law(&[1, -4], 0)]);
    }

    /// The first two points differ by a multiple of two to the 28th, the third tells the multiple.
    #[test]
    fn higher_bits_of_a_multiple_may_be_told_by_another_point() {
        let points = [vec![0, 0], vec![100u64 << 28 & 0xffff_ffff, 1 << 28], vec![100, 1]];
        assert_eq!(laws_through(&points, 32), [law(&[1, -100], 0)]);
    }

    #[test]
    fn a_sum_that_stays_is_found() {
        let points = [vec![0, 7, 7], vec![1, 6, 7], vec![1, 2, 3]];
        assert_eq!(laws_through(&points, 64), [law(&[1, 1, -1], 0)]);
    }

    /// Through two points there are three laws; the one with a three must not be turned into one with a third.
    #[test]
    fn no_law_is_divided_by_what_it_has_more_than_once() {
        let points = [vec![1, 2, 7, 0], vec![0, 1, 7, 0xffff_fffd]];
        let found = laws_through(&points, 32);
        assert_eq!(
            found,
            [
                law(&[1, -1, 0, 0], 0xffff_ffff),
                law(&[0, 0, 1, 0], 7),
                law(&[0, -3, 0, 1], 0xffff_fffa)
            ]
        );
    }

    #[test]
    fn numbers_that_have_wrapped_keep_their_law() {
        let points = [vec![0xffff_ffff, 0], vec![5, 6], vec![0x7fff_ffff, 0x8000_0000]];
        let found = laws_through(&points, 32);
        assert_eq!(found, [Law { coefficients: vec![1, -1], constant: 0xffff_ffff }]);
    }

    /// What is one of two numbers is odd where the other is even, however far they are apart.
    #[test]
    fn lowest_bits_have_laws_of_their_own() {
        let points = [vec![0, 1], vec![1, 0], vec![7, 0], vec![12, 1]]
            .map(|point| point.into_iter().map(|number: u64| number & 1).collect::<Vec<u64>>());
        let found = laws_through(&points, 1);
        assert_eq!(found, [law(&[-1, -1], 1)]);
        assert_eq!(laws_through(&points[..1], 1).len(), 2);
        assert_eq!(laws_through(&[vec![0, 0], vec![0, 1], vec![1, 0]], 1), []);
    }

    #[test]
    fn points_without_a_law_have_none() {
        assert_eq!(laws_through(&[vec![1, 1], vec![2, 4], vec![3, 9]], 64), []);
    }

    /// Every law holds at every point, and what was put in is found: all points over small numbers.
    #[test]
    fn laws_hold_where_they_come_from() {
        let width = 3;
        for seed in 0..4000u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut next = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state & 7
            };
            let points: Vec<Vec<u64>> = (0..3)
                .map(|_| {
                    let (x, y) = (next(), next());
                    vec![x, y, (x + 3 * y + 5) & 7]
                })
                .collect();
            let laws = laws_through(&points, width);
            for law in &laws {
                for point in &points {
                    let sum = law.coefficients.iter().zip(point).map(|(c, x)| c * *x as i64);
                    assert_eq!(sum.sum::<i64>() as u64 & 7, law.constant, "{law:?} at {point:?}");
                }
            }
            assert!(!laws.is_empty(), "{points:?}");
        }
    }
}
