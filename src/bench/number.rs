//! Numbers as people read them.

use crate::report::text;

/// A time with three significant digits, in seconds.
pub(super) fn seconds(seconds: f64) -> String {
    let decimals = match seconds {
        s if s < 9.9995 => 3,
        s if s < 99.995 => 2,
        s if s < 999.95 => 1,
        _ => 0,
    };
    format!("{seconds:.decimals$} s")
}

/// A count with its digits in groups of three.
pub(super) fn count(number: f64) -> String {
    if number.fract() != 0.0 || 1e15 < number.abs() {
        return format!("{number}");
    }
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    if number < 0.0 {
        text.push('-');
    }
    for (i, digit) in digits.chars().enumerate() {
        if 0 < i && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount of memory.
pub(super) fn bytes(bytes: u64) -> String {
    text::bytes(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// The same as a number with which one can calculate.
pub(super) fn exact(bytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "an amount of memory is shown in a plot")]
    let number = bytes as f64;
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (number, expected) in [
            (0.0, "0.000 s"),
            (0.01234, "0.012 s"),
            (9.9999, "10.00 s"),
            (12.345, "12.35 s"),
            (99.999, "100.0 s"),
            (1234.5, "1234 s"),
        ] {
            assert_eq!(seconds(number), expected);
        }
    }

    #[test]
    fn counts_have_groups_of_digits() {
        for (number, expected) in [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1,000"),
            (-1_234_567.0, "-1,234,567"),
            (1.5, "1.5"),
        ] {
            assert_eq!(count(number), expected);
        }
    }
}
