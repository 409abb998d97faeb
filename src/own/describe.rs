//! States and actions of a system that is written in Rust, in words.

use super::{Own, System};
use crate::system::{Describe, Told, TransitionId};

impl<S: System> Own<S> {
    fn parts(&self, state: &[u64]) -> Vec<(String, String)> {
        self.system.show(&self.state(state))
    }
}

fn entry((name, value): &(String, String)) -> String {
    if name.is_empty() { value.clone() } else { format!("{name} = {value}") }
}

impl<S: System> Describe for Own<S> {
    fn full(&self, state: &[u64]) -> Vec<String> {
        self.parts(state).iter().map(entry).collect()
    }

    fn changes(&self, before: &[u64], after: &[u64]) -> Vec<String> {
        let before = self.parts(before);
        let after = self.parts(after);
        after.iter().filter(|part| !before.contains(part)).map(entry).collect()
    }

    fn told(&self, before: &[u64], taken: TransitionId, after: Option<&[u64]>) -> Vec<Told> {
        let action = self.action(before, taken);
        let action = action.map_or_else(String::new, |action| self.system.show_action(&action));
        let mover = match self.process_names.get(self.lanes.lane(taken) as usize) {
            Some(process) => format!("{process}: {action}"),
            None => action,
        };
        let changes = after.map(|after| self.changes(before, after)).unwrap_or_default();
        vec![Told { mover, changes, printed: None }]
    }

    fn waiting(&self, _: &[u64]) -> Vec<String> {
        Vec::new()
    }

    fn may_end(&self, state: &[u64]) -> bool {
        self.system.may_end(&self.state(state))
    }
}

/// The fields in what `Debug` prints of a struct: `Point { x: 1, y: [2, 3] }` has `x` and `y`.
/// Other values are one part without a name.
pub(super) fn fields(debug: &str) -> Vec<(String, String)> {
    let whole = || vec![(String::new(), debug.to_owned())];
    let Some((name, inside)) = debug.split_once(" { ") else { return whole() };
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let Some(inside) = inside.strip_suffix(" }") else { return whole() };
    if !name.chars().all(is_name) {
        return whole();
    }
    let mut fields = Vec::new();
    for part in separated(inside) {
        match part.split_once(": ") {
            Some((field, value)) if field.chars().all(is_name) => {
                fields.push((field.to_owned(), value.to_owned()));
            }
            _ => return whole(),
        }
    }
    fields
}

/// The parts between commas that are not inside of brackets or quotation marks.
fn separated(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if character == open => quote = None,
            (None, '"') => quote = Some(character),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => (),
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[track_caller]
    fn check(debug: &str, expected: &[(&str, &str)]) {
        let found = fields(debug);
        let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn fields_of_structs_have_names() {
        check("Point { x: 1, y: [2, 3] }", &[("x", "1"), ("y", "[2, 3]")]);
        check(
            "S { a: T { b: 1, c: 2 }, d: \"x, y\" }",
            &[("a", "T { b: 1, c: 2 }"), ("d", "\"x, y\"")],
        );
    }

    #[test]
    fn other_values_are_one_part() {
        check("[1, 2]", &[("", "[1, 2]")]);
        check("Some(S { a: 1 })", &[("", "Some(S { a: 1 })")]);
        check("true", &[("", "true")]);
    }
}
