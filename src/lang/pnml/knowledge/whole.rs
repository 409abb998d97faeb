//! Floating point numbers that are close to fractions, as whole numbers in the same proportions.
//!
//! Nothing is promised: what is made of them has to be checked.

/// The greatest denominator of one number.
const MAX_DENOMINATOR: i128 = 100_000;

/// The greatest common denominator of all numbers.
const MAX_COMMON: i128 = 1 << 50;

/// How far a number may be from its fraction, for each unit of its size.
const CLOSE: f64 = 1e-7;

/// Whole numbers in the same proportions; nothing if they would be too large.
pub(super) fn whole(numbers: &[f64]) -> Option<Vec<i128>> {
    let mut common = 1_i128;
    for &number in numbers {
        let (_, denominator) = fraction(number)?;
        common = common / divisor(common, denominator) * denominator;
        if MAX_COMMON < common {
            return None;
        }
    }
    let scaled = |&number: &f64| {
        let (numerator, denominator) = fraction(number)?;
        numerator.checked_mul(common / denominator)
    };
    numbers.iter().map(scaled).collect()
}

/// The greatest common divisor of positive numbers.
fn divisor(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The first fraction close to a number among those of its continued fraction.
fn fraction(number: f64) -> Option<(i128, i128)> {
    if !(number.is_finite() && number.abs() < 1e15) {
        return None;
    }
    let close = CLOSE * number.abs().max(1.0);
    let (mut before, mut now) = ((0_i128, 1_i128), (1_i128, 0_i128));
    let mut rest = number;
    loop {
        #[expect(clippy::cast_possible_truncation, reason = "the number is small enough")]
        let digit = rest.floor() as i128;
        let next = |one: i128, two: i128| digit.checked_mul(two)?.checked_add(one);
        (before, now) = (now, (next(before.0, now.0)?, next(before.1, now.1)?));
        if MAX_DENOMINATOR < now.1 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "it is only compared")]
        let found = now.0 as f64 / now.1 as f64;
        if (found - number).abs() <= close {
            return Some(now);
        }
        rest = 1.0 / (rest - rest.floor());
        if !(rest.is_finite() && rest < 1e15) {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_whole_in_their_proportions() {
        for (numbers, expected) in [
            (&[0.5, 0.0, 1.5][..], Some(vec![1, 0, 3])),
            (&[1.0 / 3.0, 0.25], Some(vec![4, 3])),
            (&[-0.4, 7.000_000_000_1], Some(vec![-2, 35])),
            (&[0.142_857_142_857], Some(vec![1])),
            (&[f64::NAN], None),
            (&[1e300], None),
        ] {
            assert_eq!(whole(numbers), expected, "{numbers:?}");
        }
    }
}
