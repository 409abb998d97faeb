//! Limits that are so small that a unit may have been forgotten.

use crate::program::lwaa;

#[test]
fn small_limits_get_a_warning() {
    let check = |arguments: &[&str], expected: &str| {
        let run = lwaa(&[&["valid", "p -> p"], arguments].concat());
        let warning = run.stderr.lines().find(|line| line.starts_with("warning: "));
        assert_eq!(warning.unwrap_or_default(), expected, "{run:?}");
    };
    let memory = "units are K, M, G and T, as in --memory 200M";
    let time = "a number without a unit is seconds, as in --time 10s";
    check(&["--memory", "10"], &format!("warning: --memory is 10 bytes; {memory}"));
    check(&["--memory", "4K"], &format!("warning: --memory is 4096 bytes; {memory}"));
    check(&["--memory", "200M"], "");
    check(&["--time", "0.0001"], &format!("warning: --time is 100µs; {time}"));
    check(&["--time", "5"], "");
    check(&["--time", "0"], "");
}
