//! Compares what a page says with what a command prints.

use regex_lite::Regex;

/// Whether the lines that a page shows are what was printed to standard output and to
/// standard error, both in their order.
pub(crate) fn agree(shown: &str, stdout: &str, stderr: &str) -> bool {
    let shown = lines(shown);
    let (stdout, stderr) = (lines(stdout), lines(stderr));
    // How many lines that are shown, of standard output and of standard error are accounted for.
    let mut open = vec![(0, 0, 0)];
    let mut seen = std::collections::BTreeSet::new();
    while let Some((at, out, err)) = open.pop() {
        if !seen.insert((at, out, err)) {
            continue;
        }
        let Some(line) = shown.get(at) else {
            if out == stdout.len() && err == stderr.len() {
                return true;
            }
            continue;
        };
        let is_gap = line == "…";
        if is_gap {
            open.push((at + 1, out, err));
        }
        let next = if is_gap { at } else { at + 1 };
        if stdout.get(out).is_some_and(|printed| is_gap || fits(line, printed)) {
            open.push((next, out + 1, err));
        }
        if stderr.get(err).is_some_and(|printed| is_gap || fits(line, printed)) {
            open.push((next, out, err + 1));
        }
    }
    false
}

/// The lines of a text, without what is different in every run.
fn lines(text: &str) -> Vec<String> {
    let masks = [
        (r"\d+\.\d+ s\b", "_ s"),
        (r"\d+(\.\d+)? (KiB|MiB|GiB)", "_ B"),
        (r"states per second +\d+", "states per second _"),
        (r"\d{4}-\d\d-\d\dT[\d:]+Z", "DATE"),
        (r#""(seconds|peak_bytes|states_per_second)":[-+.\de]+"#, r#""$1":_"#),
    ]
    .map(|(pattern, mask)| (Regex::new(pattern).unwrap(), mask));
    let masked = |line: &str| {
        let mut text = line.trim_end().to_owned();
        for (pattern, mask) in &masks {
            text = pattern.replace_all(&text, *mask).into_owned();
        }
        if text == line.trim_end() {
            return text;
        }
        // Columns are as wide as what stands in them.
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    text.lines().map(masked).collect()
}

/// Whether a line is as shown, where `…` stands for anything.
fn fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn what_is_printed_may_be_shown_in_part() {
    assert!(agree("a\nb\n", "a\nb\n", ""));
    assert!(!agree("a\nb\n", "a\nc\n", ""));
    assert!(!agree("a\n", "a\nb\n", ""));
    assert!(!agree("a\nb\n", "a\n", ""));
    assert!(agree("a\n…\nd\n", "a\nb\nc\nd\n", ""));
    assert!(agree("a\n…\n", "a\n", ""));
    assert!(!agree("a\n…\nd\n", "a\nb\n", ""));
    assert!(agree("one … three\n", "one two three\n", ""));
    assert!(!agree("one … three\n", "one two\n", ""));
}

#[test]
fn messages_stand_anywhere_between_results() {
    assert!(agree("a\nnote\nb\n", "a\nb\n", "note\n"));
    assert!(agree("note\na\nb\n", "a\nb\n", "note\n"));
    assert!(!agree("a\nb\n", "a\nb\n", "note\n"));
    assert!(!agree("b\na\n", "a\nb\n", ""));
}

#[test]
fn times_are_not_compared() {
    assert!(agree("x   0.001 s  3\n", "x  12.500 s  3\n", ""));
    assert!(!agree("x   0.001 s  3\n", "x  12.500 s  4\n", ""));
    assert!(agree("{\"n\":1,\"seconds\":0.1}\n", "{\"n\":1,\"seconds\":2e-5}\n", ""));
    assert!(!agree("{\"n\":1,\"seconds\":0.1}\n", "{\"n\":2,\"seconds\":0.1}\n", ""));
}
