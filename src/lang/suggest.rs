//! The end of messages about unknown names: similar names that may be meant.

/// The end of a message about an unknown name: one that is nearly the same.
pub(super) fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let limit = match name.len() {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    };
    known
        .map(|candidate| (distance(name, candidate, limit), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map_or_else(String::new, |(_, candidate)| format!("; did you mean `{candidate}`?"))
}

/// The same, or all names if none of them is nearly the same and they are few.
pub(super) fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    const MAX_LISTED: usize = 8;
    let known: Vec<&str> = known.collect();
    match suggestion(name, known.iter().copied()) {
        nothing if nothing.is_empty() && (1..=MAX_LISTED).contains(&known.len()) => {
            format!("; there is `{}`", known.join("`, `"))
        }
        suggestion => suggestion,
    }
}

/// The end of a message about a text in which a reserved word may be misspelt: `found`
/// is what stands where something else should, `before` the word in front of it.
pub(super) fn misspelt<'a>(
    found: &str,
    before: &str,
    reserved: impl Iterator<Item = &'a str> + Clone,
) -> String {
    if let Some(word) = nearest_reserved(found, reserved.clone()) {
        return format!("; did you mean `{word}`?");
    }
    nearest_reserved(before, reserved)
        .map_or_else(String::new, |word| format!("; did you mean `{word}` instead of `{before}`?"))
}

/// The reserved word that a name is nearly the same as, whatever its case.
fn nearest_reserved<'a>(name: &str, reserved: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.len() < 3 || !is_word {
        return None;
    }
    let limit = if name.len() < 6 { 1 } else { 2 };
    let lower = name.to_ascii_lowercase();
    reserved
        .filter(|word| 2 < word.len())
        .map(|word| (distance(&lower, &word.to_ascii_lowercase(), limit), word))
        .filter(|&(distance, word)| distance <= limit && word != name)
        .min()
        .map(|(_, word)| word)
}

/// How many letters must be added, left out or changed, or exchanged with the next
/// one, to come from `left` to `right`; more than `limit` if that is more than `limit`.
fn distance(left: &str, right: &str, limit: usize) -> usize {
    if limit < left.len().abs_diff(right.len()) || 64 < left.len() {
        return limit + 1;
    }
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, &letter) in left.iter().enumerate() {
        let mut next = vec![line + 1];
        for (column, &other) in right.iter().enumerate() {
            let changed = row[column] + usize::from(letter != other);
            let mut least = changed.min(row[column + 1] + 1).min(next[column] + 1);
            let is_exchanged =
                0 < line && 0 < column && letter == right[column - 1] && left[line - 1] == other;
            if is_exchanged {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("ready", "ready", 2), 0);
        assert_eq!(distance("raedy", "ready", 2), 1);
        assert_eq!(distance("vra", "var", 1), 1);
        assert_eq!(distance("read", "dear", 2), 2);
        assert_eq!(distance("read", "ready", 2), 1);
        assert_eq!(distance("x", "done", 2), 3);
    }

    #[test]
    fn reserved_words_are_recognized() {
        let misspelt = |found, before| misspelt(found, before, ["process", "do"].into_iter());
        assert_eq!(misspelt("proces", ""), "; did you mean `process`?");
        assert_eq!(misspelt("PROCESS", ""), "; did you mean `process`?");
        assert_eq!(misspelt("{", "proces"), "; did you mean `process` instead of `proces`?");
        assert_eq!(misspelt("process", "process"), "");
        assert_eq!(misspelt("d", "x"), "");
    }

    #[test]
    fn similar_names_come_before_lists() {
        let hint = |name| hint(name, ["phase", "turn"].into_iter());
        assert_eq!(hint("phsae"), "; did you mean `phase`?");
        assert_eq!(hint("x"), "; there is `phase`, `turn`");
    }
}
