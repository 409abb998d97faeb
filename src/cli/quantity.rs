//! Amounts of time and memory as people type them.

use std::time::Duration;

/// Reads `10s`, `500ms`, `2m`, `1.5h` or a number of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time: use ms, s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "too long".to_owned())
}

/// Writes a time so that [`duration`] reads it again.
pub(super) fn duration_text(duration: Duration) -> String {
    format!("{}s", duration.as_secs_f64())
}

/// Reads `4G`, `200M`, `1.5GiB` or a number of bytes. Units are powers of
/// 1024.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split(text)?;
    let lower = unit.to_ascii_lowercase();
    let power = match lower.strip_suffix("ib").or(lower.strip_suffix('b')).unwrap_or(&lower) {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(format!("`{unit}` is not a unit of memory: use K, M, G or T")),
    };
    let too_much = || "too much".to_owned();
    if let Ok(number) = number.parse::<usize>() {
        let factor = 1_usize.checked_shl(power).filter(|&factor| 0 < factor);
        return factor.and_then(|factor| number.checked_mul(factor)).ok_or_else(too_much);
    }
    let number: f64 = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    let amount = number * f64::from(power).exp2();
    #[expect(clippy::cast_precision_loss, reason = "an upper bound need not be exact")]
    if amount < usize::MAX as f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number without sign that is less than the maximum"
        )]
        return Ok(amount as usize);
    }
    Err(too_much())
}

/// The number in front, without sign, and the unit behind it.
fn split(text: &str) -> Result<(&str, &str), String> {
    let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() {
        return Err("a number is missing".to_owned());
    }
    Ok((number, unit.trim()))
}

/// A number from 0 to 1.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a probability is a number from 0 to 1".to_owned()),
    }
}

/// The date of today and the time of day, as people and programs read them.
pub(super) fn date() -> String {
    humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_duration(text: &str, expected: Option<f64>) {
        let read = duration(text).ok();
        assert_eq!(read.map(|duration| duration.as_secs_f64()), expected, "{text}");
        if let Some(read) = read {
            assert_eq!(duration(&duration_text(read)), Ok(read));
        }
    }

    #[track_caller]
    fn check_bytes(text: &str, expected: Option<usize>) {
        assert_eq!(bytes(text).ok(), expected, "{text}");
    }

    #[test]
    fn times_have_units() {
        check_duration("10s", Some(10.0));
        check_duration("10", Some(10.0));
        check_duration("500ms", Some(0.5));
        check_duration("2m", Some(120.0));
        check_duration("2 min", Some(120.0));
        check_duration("1.5h", Some(5400.0));
        check_duration("0s", Some(0.0));
    }

    #[test]
    fn other_times_are_refused() {
        for text in ["", "s", "-1s", "1d", "1.2.3s", ".", "1e3", "99999999999999999999h", "inf"] {
            check_duration(text, None);
        }
    }

    #[test]
    fn memory_has_units() {
        check_bytes("0", Some(0));
        check_bytes("123", Some(123));
        check_bytes("4G", Some(4 << 30));
        check_bytes("200M", Some(200 << 20));
        check_bytes("1.5 KiB", Some(1536));
        check_bytes("7kb", Some(7 << 10));
        check_bytes("1T", Some(1 << 40));
        check_bytes("9007199254740993", Some(9_007_199_254_740_993));
    }

    #[test]
    fn other_amounts_of_memory_are_refused() {
        for text in ["", "G", "-1G", "1X", "1.2.3G", "99999999999999999999", "99999999999T"] {
            check_bytes(text, None);
        }
    }
}
